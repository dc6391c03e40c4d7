"""The exercises of notebook 17, one module each: those of the books, and one to build for each part.

`margins.py`, `brute_force.py` and `differences.py` hold what several of them share; `smo_pairs.py` and `smo_slips.py`
belong to `build_smo.py`.
"""

from sparsekm_edu.exercises.practice import (
    build_components,
    build_kernel,
    build_rvm,
    build_smo,
    mlapp_14_1,
    mlapp_14_2,
    prml_7_01,
    prml_7_02,
    prml_7_03,
    prml_7_04,
    prml_7_05,
    prml_7_06,
    prml_7_07,
    prml_7_08,
    prml_7_09,
    prml_7_10,
    prml_7_11,
    prml_7_12,
    prml_7_13,
    prml_7_14,
    prml_7_15,
    prml_7_16,
    prml_7_17,
    prml_7_18,
    prml_7_19,
)

EXERCISES = tuple(
    module.EXERCISE
    for module in (
        prml_7_01,
        prml_7_02,
        prml_7_03,
        prml_7_04,
        prml_7_05,
        mlapp_14_1,
        mlapp_14_2,
        build_smo,
        prml_7_06,
        prml_7_07,
        prml_7_08,
        prml_7_09,
        prml_7_10,
        prml_7_11,
        prml_7_12,
        prml_7_13,
        prml_7_14,
        prml_7_15,
        prml_7_16,
        prml_7_17,
        build_rvm,
        prml_7_18,
        prml_7_19,
        build_kernel,
        build_components,
    )
)
