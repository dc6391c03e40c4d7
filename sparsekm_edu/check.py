"""`check.environment()`: what is installed, and whether pictures will follow the hand."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from IPython import get_ipython
from jupyter_core.paths import jupyter_path

PACKAGES = [
    "sparsekm_edu",
    "numpy",
    "scipy",
    "scikit-learn",
    "numba",
    "cvxpy",
    "matplotlib",
    "ipywidgets",
    "anywidget",
    "jupyterlab",
]
PAGE_PARTS = {"ipywidgets": "@jupyter-widgets/jupyterlab-manager", "anywidget": "anywidget"}


def environment():
    """A few lines of text: versions, the kind of session, and a verdict with what to do if it is bad."""
    lines = [f"{'Python':14s} {platform.python_version()}"]
    lines += [f"{name:14s} {installed(name)}" for name in PACKAGES]
    return "\n".join([*lines, "", verdict()])


def installed(name):
    """The version of a package, or the word that it is missing."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing" if name != "numba" else "missing: everything works, only slower"


def verdict():
    """Can this session show live pictures?"""
    absent = [name for name in PACKAGES if installed(name) == "missing"]
    if absent:
        return f"Not everything is in place. Install what is missing: pip install {' '.join(absent)}"
    if not hasattr(get_ipython(), "kernel"):
        return (
            "This is plain Python, not Jupyter: explorers work by ex.set(...), but have no page to appear on."
        )
    missing = [package for package, part in PAGE_PARTS.items() if not page_part(part)]
    if missing:
        return (
            f"JupyterLab does not find the page's part of {' and '.join(missing)}: pictures will not move. "
            f"Install it where JupyterLab runs: pip install {' '.join(missing)}"
        )
    return "All is well: in JupyterLab, pictures follow your hand."


def page_part(name):
    """Is the part of a widget package that runs in the page where JupyterLab looks for it?"""
    return any((Path(folder) / name / "package.json").exists() for folder in jupyter_path("labextensions"))
