"""Every test keeps its own record of progress."""

import pytest

from sparsekm_edu.exercises import record


@pytest.fixture(autouse=True)
def progress_file(tmp_path, monkeypatch):
    """The file that this test's guesses and solutions go to."""
    file = tmp_path / "progress.json"
    monkeypatch.setenv(record.ELSEWHERE, str(file))
    for entries in record._unsaved.values():
        entries.clear()
    return file
