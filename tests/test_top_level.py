"""What `import sparsekm_edu` offers, and what it costs."""

import subprocess
import sys

import pytest

import sparsekm_edu
from sparsekm_edu import kernels, models, printing


def test_the_top_level_is_machines_kernels_folders_and_printing():
    assert sorted(sparsekm_edu.__all__) == sparsekm_edu.__all__
    assert len(sparsekm_edu.__all__) <= 60
    for name in sparsekm_edu.__all__:
        thing = getattr(sparsekm_edu, name)
        homes = [home for home in (kernels, models, printing) if getattr(home, name, None) is thing]
        assert homes or thing.__name__ == f"sparsekm_edu.{name}", name
    assert set(sparsekm_edu.__all__) <= set(dir(sparsekm_edu))


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'smo'"):
        _ = sparsekm_edu.smo
    with pytest.raises(ImportError):
        exec("from sparsekm_edu import log_evidence")


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("sparsekm_edu", {"numpy", "sklearn", "matplotlib", "ipywidgets", "numba"}),
        ("sparsekm_edu.solvers", {"sklearn", "matplotlib", "ipywidgets", "cvxpy"}),
        ("sparsekm_edu.models", {"matplotlib", "ipywidgets", "cvxpy"}),
        ("sparsekm_edu.figures", {"sklearn", "ipywidgets", "cvxpy"}),
        ("sparsekm_edu.exercises", {"matplotlib", "ipywidgets", "cvxpy"}),
    ],
)
def test_who_asks_for_one_layer_does_not_wait_for_the_next(module, unwanted):
    code = f"import sys, {module}; print(*sorted({unwanted!r} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []
