"""Notebook 17 is what the exercises say, no more and no less."""

import nbformat
import pytest
from build_17 import PATH

from sparsekm_edu import exercises
from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.pages import course_notebook

AGAIN = "run: python tests/notebooks/build_17.py"


@pytest.fixture(scope="module")
def stored():
    return nbformat.read(PATH, as_version=4)


def test_the_stored_notebook_is_the_one_that_the_data_give(stored):
    def of(nb):
        return [(cell.id, cell.cell_type, dict(cell.metadata), cell.source) for cell in nb.cells]

    made = course_notebook()
    different = [mine[0] for mine, there in zip(of(made), of(stored)) if mine != there]
    assert len(stored.cells) == len(made.cells), AGAIN
    assert different == [], AGAIN


def test_the_stored_contents_are_those_of_somebody_who_begins(stored, tmp_path, monkeypatch):
    monkeypatch.setenv(record.ELSEWHERE, str(tmp_path / "nothing.json"))
    (contents,) = [cell for cell in stored.cells if cell.id == "contents"]
    assert contents.outputs[0].data["text/plain"] == repr(exercises.contents()), AGAIN
