"""The exercises of notebook 17: those of the books, and one thing to build for each part of the course."""

from sparsekm_edu.exercises.practice import (
    build_components,
    build_kernel,
    build_rvm,
    build_smo,
    classification,
    evidence,
    losses,
    margin,
    reestimation,
    regression,
    sparsity,
)

GROUPS = (
    margin,
    build_smo,
    losses,
    regression,
    evidence,
    reestimation,
    sparsity,
    build_rvm,
    classification,
    build_kernel,
    build_components,
)
