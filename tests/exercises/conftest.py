"""Every test keeps its own record of progress, and begins with a page that shows no contents."""

import pytest

from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.face import Contents


@pytest.fixture(autouse=True)
def progress_file(tmp_path, monkeypatch):
    """The file that this test's guesses and solutions go to."""
    file = tmp_path / "progress.json"
    monkeypatch.setenv(record.ELSEWHERE, str(file))
    monkeypatch.setattr(Contents, "on_page", False)  # else every later check prints the contents
    for entries in record._unsaved.values():
        entries.clear()
    return file
