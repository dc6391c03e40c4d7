"""Explorers without a browser: made by name, closed after the test."""

import pytest

from sparsekm_edu import explorers


@pytest.fixture
def make():
    """make("margin") -> a fresh explorer."""
    made = []

    def make(name):
        made.append(getattr(explorers, name)())
        return made[-1]

    yield make
    for explorer in made:
        explorer.close()
