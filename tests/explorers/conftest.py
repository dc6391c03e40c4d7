"""Which tests of explorers paint."""

import pytest
from driving import BLANK

from sparsekm_edu.live.canvas import Stage


@pytest.fixture(autouse=True)
def _numbers_only(request, monkeypatch):
    """Most tests ask an explorer for numbers: everything is computed and drawn, but no pixel painted, for speed."""
    if not {"painted", "shown"} & set(request.fixturenames):
        monkeypatch.setattr(Stage, "pixels", lambda self: BLANK)


@pytest.fixture
def painted():
    """For tests that look at the picture."""
