"""How the tests are run: which of them share a worker, and where the notebooks may not go.

It stands above tests/ because the notebooks, which nbval runs cell by cell, are tests too.
"""

import os
from pathlib import Path

import pytest

OFFLINE = Path(__file__).parent / "tests/notebooks/offline.py"


def pytest_addoption(parser):
    parser.addoption(
        "--events", type=int, default=150, help="random events for each explorer (make soak: 1000)"
    )


def pytest_configure(config):
    os.environ["PYTHONSTARTUP"] = str(OFFLINE)  # every kernel that a test starts runs this file first


@pytest.hookimpl(tryfirst=True)  # before xdist looks for the groups
def pytest_collection_modifyitems(items):
    for item in items:
        if group := group_of(item):
            item.add_marker(pytest.mark.xdist_group(group))


def group_of(item):
    """Tests of one group run one after the other on one worker; all others go where a worker is free.

    xdist starts with the groups that have the most tests: the notebooks and the browser, which take longest.
    """
    if item.path.suffix == ".ipynb":
        return item.path.name  # its cells build on each other
    if item.get_closest_marker("browser"):
        return "browser"  # one JupyterLab, one Chromium
    name = getattr(item, "callspec", None) and item.callspec.params.get("name")
    return f"{item.path.parent.name} {name}" if name else None  # one explorer, or figure, that they look at
