"""The lower bounds of pyproject.toml, tried: what `make lowest` installs, and what must work with it.

- `python tests/lowest.py pins` prints numpy==2.0, scipy==1.14, ...: every direct dependency at its lowest version
- `python tests/lowest.py` imports everything public, fits every machine, draws a figure and opens every explorer
"""

import sys
import tomllib
from importlib import import_module
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
FOLDERS = ("datasets", "kernels", "solvers", "lessons", "models", "figures", "explorers")


def pins(dependencies):
    """["numpy>=2.0", ...] -> ["numpy==2.0", ...]; a dependency without a lower bound, or with more, is refused."""
    lowest = []
    for dependency in dependencies:
        name, bound, version = dependency.partition(">=")
        if not bound or not version.replace(".", "").isdigit():
            raise ValueError(f"{dependency!r} must have the form name>=version, nothing else.")
        lowest.append(f"{name}=={version}")
    return lowest


def import_everything():
    import_module("numba")  # jit.py would do without
    for folder in FOLDERS:
        module = import_module(f"sparsekm_edu.{folder}")
        for name in getattr(module, "__all__", []):
            getattr(module, name)


def fit_everything():
    """Every machine on the data it is made for, and one machine by every solver."""
    from sklearn.base import is_regressor

    from sparsekm_edu import SVC, datasets, models
    from sparsekm_edu.models.base import SOLVERS

    classes, curve = datasets.curved(), datasets.sinusoid()
    for name in models.__all__:
        machine = getattr(models, name)
        if hasattr(machine, "fit"):
            X, t = curve if is_regressor(machine()) else classes
            model = machine().fit(X, t)
            answers = ("predict", "transform", "score_samples")
            answer = next(getattr(model, method) for method in answers if hasattr(model, method))
            assert len(answer(X)) == len(t), name
    for solver in SOLVERS:
        assert SVC(solver=solver).fit(*classes).converged_, solver
    assert models.optimise_kernel("gaussian", *curve).converged
    refusal = ""
    try:
        SVC().fit(*classes, sample_weight=[0] * len(classes[1]))
    except ValueError as error:
        refusal = str(error)
    assert "weights" in refusal, refusal


def draw_everything():
    from sparsekm_edu import SVC, check, datasets, explorers, figures

    sheet, ax = figures.panels()
    X, t = datasets.curved()
    figures.figure_7_2(ax, X, t, SVC().fit(X, t))
    bundle, _ = sheet._repr_mimebundle_()
    assert bundle["image/png"]
    for name in explorers.__all__:
        explorer = getattr(explorers, name)()
        assert not explorer.message, (name, explorer.message)
        assert explorer.still(), name
        explorer.close()
    explorer = explorers.kernel_margin()
    explorer.set(C=10.0, gamma=0.3)
    assert not explorer.message
    print(check.environment())


if __name__ == "__main__":
    if sys.argv[1:] == ["pins"]:
        print(*pins(tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"]), sep="\n")
    else:
        import_everything()
        fit_everything()
        draw_everything()
