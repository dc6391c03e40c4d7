"""Who may import whom: the map of the package, read from its import statements.

data -> kernel -> optimisation problem -> solver -> lesson, model -> figure -> explorer -> notebook: each folder knows
the ones before it, never the ones after it, and heavy libraries stay where they are needed.
"""

import ast
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "sparsekm_edu"

#: Folders (or modules) of the package that each may import; itself is always allowed.
INSIDE = {
    "complaints": set(),
    "jit": set(),
    "validation": set(),
    "datasets": set(),
    "kernels": {"complaints", "jit", "validation"},
    "solvers": {"complaints", "jit", "validation"},
    "lessons": {"validation", "kernels", "solvers"},
    "models": {"complaints", "validation", "kernels", "solvers"},
    "figures": set(),
    "live": {"validation", "figures"},
    "explorers": {
        "jit",
        "validation",
        "datasets",
        "kernels",
        "solvers",
        "lessons",
        "models",
        "figures",
        "live",
    },
    # a question knows its answer from the picture that the learner will see
    "exercises": {
        "validation",
        "datasets",
        "kernels",
        "solvers",
        "lessons",
        "models",
        "live",
        "explorers",
    },
}

#: Libraries that are allowed in some places only. `sklearn` in a solver means sklearn.exceptions, for its
#: ConvergenceWarning, and nothing else.
OUTSIDE = {
    "numba": {"jit"},
    "cvxpy": {"solvers/dual/qp.py", "solvers/dual/joint.py"},
    "matplotlib": {"figures", "live"},
    "PIL": {"figures", "live"},
    "ipywidgets": {"live", "explorers", "exercises/viva/deck.py"},
    "anywidget": {"live", "exercises"},
    "traitlets": {"live", "exercises"},
    "IPython": {"live", "exercises/face.py", "exercises/submission.py"},
    "sklearn": {"kernels", "models", "solvers", "datasets/images.py"},
}

#: Modules at the top (`__init__`, `warm`, ...) tie the layers together and may import any of them.
TOP = {path.stem for path in ROOT.glob("*.py")} - set(INSIDE)

FILES = sorted(
    path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0].removesuffix(".py") not in TOP
)


def imports(path):
    """(dotted name, at module level?) of everything a file imports, relative imports written out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top_level = {id(node) for node in tree.body} | {
        id(node) for block in tree.body if isinstance(block, ast.Try | ast.If) for node in ast.walk(block)
    }
    package = ("sparsekm_edu", *path.relative_to(ROOT).parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            # `from sparsekm_edu import kernels` imports a folder, `from numpy import array` a name
            names = [f"{module}.{a.name}" for a in node.names] if module == "sparsekm_edu" else [module]
        else:
            continue
        for name in names:
            yield name, id(node) in top_level


def layer(path):
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_follow_the_map(path):
    here, file = layer(path), path.relative_to(ROOT).as_posix()
    for name, _ in imports(path):
        library, *rest = name.split(".")
        if library == "sparsekm_edu":
            assert rest[0] == here or rest[0] in INSIDE[here], f"{file} must not import {name}"
        elif library in OUTSIDE:
            assert {here, file} & OUTSIDE[library], f"{file} must not import {library}"
        if library == "sklearn" and here == "solvers":
            assert name == "sklearn.exceptions", f"{file} must not import {name}"
        if (
            here in {"datasets", "validation"} and file != "datasets/images.py"
        ):  # which has scikit-learn's digits
            assert library in {"numpy", "scipy", "sparsekm_edu", "numbers"}, f"{file} must not import {name}"


def test_slow_libraries_are_imported_on_first_use():
    for path in FILES:
        for name, at_module_level in imports(path):
            slow = name.startswith("cvxpy") or (layer(path) == "solvers" and name.startswith("sklearn"))
            assert not (slow and at_module_level), f"{path.name} imports {name} before anybody asked for it"


def test_explorers_and_figures_mirror_each_other():
    """explorers/svm/x.py moves what figures/svm/x.py draws."""
    modules = {
        folder: {path.relative_to(ROOT / folder) for path in (ROOT / folder).glob("*/*.py")}
        for folder in ("figures", "explorers")
    }
    alone = {Path("svm/nu.py")}  # the grip of nu, shared by two explorers of part I
    assert modules["explorers"] - alone == modules["figures"]
    assert len(modules["figures"]) > 20


@pytest.mark.parametrize(
    "package", sorted(path.parent for path in ROOT.rglob("__init__.py")), ids=lambda path: path.name
)
def test_no_module_is_shadowed_by_a_name_of_its_package(package):
    """`import sparsekm_edu.solvers.dual.smo` must give the module, not the function."""
    name = ".".join(("sparsekm_edu", *package.relative_to(ROOT).parts))
    for path in package.glob("*.py"):
        if path.stem not in ("__init__", "warm"):
            module = import_module(f"{name}.{path.stem}")
            assert getattr(import_module(name), path.stem) is module


def test_the_map_knows_every_folder():
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders <= set(INSIDE), "a new folder needs its line in INSIDE"
    assert {"kernels", "solvers", "models"} <= folders
    assert len(FILES) > 10


def test_the_reader_of_imports_reads(tmp_path, monkeypatch):
    """All spellings of an import are seen: otherwise the tests above would pass by not looking."""
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "figures").mkdir()
    file = tmp_path / "figures" / "bad.py"
    file.write_text(
        "import numba as nb\nfrom ..solvers.smo import smo\nfrom .. import models\nfrom . import style\n"
        "from sparsekm_edu import kernels\ntry:\n    import cvxpy\nexcept ImportError:\n    pass\n"
        "def f():\n    import sklearn.svm\n"
    )
    assert set(imports(file)) == {
        ("numba", True),
        ("sparsekm_edu.solvers.smo", True),
        ("sparsekm_edu.models", True),
        ("sparsekm_edu.figures", True),
        ("sparsekm_edu.kernels", True),
        ("cvxpy", True),
        ("sklearn.svm", False),
    }
