"""Settings that hold for all tests."""

import pytest
from hypothesis import settings

# The same examples on every run and every machine, and no deadline: the first call compiles.
settings.register_profile("course", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("course")


@pytest.fixture
def make():
    """make("margin", C=3.0) -> a fresh explorer, closed after the test."""
    from sparsekm_edu import explorers  # here: most tests need no widgets

    made = []

    def make(name, **fields):
        made.append(getattr(explorers, name)(**fields))
        return made[-1]

    yield make
    for explorer in made:
        explorer.close()
