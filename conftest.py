"""How the tests are run: which of them share a worker, and where the notebooks may not go.

It stands above tests/ because the notebooks, which nbval runs cell by cell, are tests too.
"""

import gc
import os
import random
import tempfile
from pathlib import Path

import pytest

OFFLINE = Path(__file__).parent / "tests/notebooks/offline.py"
# Their tests look at one explorer, or one figure, each, which comes last in their names
ONE_THING = (
    "tests/explorers/test_every_explorer.py",
    "tests/explorers/test_bad_input.py",
    "tests/live/",
    "tests/figures/test_figures.py",
)


def pytest_addoption(parser):
    parser.addoption(
        "--events", type=int, default=60, help="random events for each explorer (make soak: 1000)"
    )
    parser.addoption(
        "--shuffle", type=int, metavar="SEED", help="another order: no test may need what another left behind"
    )


def pytest_configure(config):
    os.environ["PYTHONSTARTUP"] = str(OFFLINE)  # every kernel that a test starts runs this file first
    # tests guess and solve: not in the name of the learner whose notebooks these are
    os.environ["SPARSEKM_PROGRESS"] = str(Path(tempfile.mkdtemp()) / "progress.json")


def pytest_collection_modifyitems(config, items):
    seed = config.getoption("--shuffle")
    if seed is not None:
        groups = {}
        for item in items:
            groups.setdefault(group_of(item.nodeid), []).append(item)
        order = list(groups)
        random.Random(seed).shuffle(order)
        items[:] = [item for group in order for item in groups[group]]


def pytest_collection_finish():
    """Garbage is looked for less often, and only in what the tests make: that saves a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist nobody asks
def pytest_xdist_make_scheduler(config, log):
    """Groups stay together, and those with the most tests, notebooks and browser, start first: they take longest.

    xdist's own --dist loadgroup does not see its groups with pytest 9.2 (pytest-xdist issue 1386).
    """
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group_of(nodeid)

    return Groups(config, log)


def group_of(nodeid):
    """The tests of one group run one after the other on one worker; a test alone goes where a worker is free."""
    file, _, test = nodeid.partition("::")
    if file.endswith(".ipynb"):
        return file  # its cells build on each other
    if file.startswith("tests/browser/"):
        return "browser"  # one JupyterLab, one Chromium
    if file.startswith(ONE_THING) and test.endswith("]"):
        return test[test.index("[") + 1 : -1].split("-")[-1]  # explorer or figure: made once, seen by many
    return nodeid
