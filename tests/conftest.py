"""Settings and fixtures for all tests."""

from functools import lru_cache

import pytest
from hypothesis import settings
from matplotlib.mathtext import MathTextParser

# The same examples whenever the same modules are loaded (hypothesis takes constants from them), and no deadline: the
# first call compiles.
settings.register_profile("course", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("soak", settings.get_profile("course"), max_examples=200)
settings.load_profile("course")

# matplotlib remembers fifty formulas, the course has hundreds: read again and again they would take a tenth of the time
MathTextParser._parse_cached = lru_cache(None)(MathTextParser._parse_cached.__wrapped__)


@pytest.fixture
def make():
    """make("margin", C=3.0) -> a fresh explorer, closed after the test."""
    made = []

    def make(name, **fields):
        made.append(explorer(name, **fields))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture(scope="session")
def shown():
    """shown("margin") -> the explorer in its first state, one for all tests that only look at it."""
    made, before = {}, {}

    def shown(name):
        if name not in made:
            made[name] = explorer(name)
            before[name] = list(vars(made[name].state).values())
        after = vars(made[name].state).values()
        changed = made[name].message or any(a is not b for a, b in zip(after, before[name]))
        assert not changed, f"a test has changed the {name} that all look at"
        return made[name]

    return shown


def explorer(name, **fields):
    from sparsekm_edu import explorers  # here: most tests need no widgets

    return getattr(explorers, name)(**fields)


class Shell:
    """What the engine asks IPython for: in which cell, and in which run of it, are we?"""

    cell, run = "cell", 0

    def get_parent(self):
        return {"header": {"msg_id": f"run-{self.run}"}, "metadata": {"cellId": self.cell}}


@pytest.fixture
def shell(monkeypatch):
    """A notebook whose cell is run again and again: the bookkeeping is switched on."""
    from sparsekm_edu.live import explorer as engine

    shell, of_cell = Shell(), {}
    monkeypatch.setattr(engine, "get_ipython", lambda: shell)
    monkeypatch.setattr(engine, "_of_cell", of_cell)
    yield shell
    for _, made in of_cell.values():
        for explorer in list(made):
            explorer.close()
