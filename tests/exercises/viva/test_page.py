"""What notebook 18 says about the cards is what they do."""

import inspect

import nbformat
from execute import NOTEBOOKS

from sparsekm_edu import exercises
from sparsekm_edu.exercises.viva.boxes import GRADES, INTERVALS
from sparsekm_edu.exercises.viva.card import KINDS, TOPICS

NOTEBOOK = nbformat.read(NOTEBOOKS / "18_viva.ipynb", as_version=4)
PAGE = "\n".join(cell.source for cell in NOTEBOOK.cells if cell.cell_type == "markdown")


def test_boxes_grades_and_tags():
    first, *others, last = INTERVALS.values()
    assert f"after {first} day, then after {', '.join(map(str, others))} and {last} days" in PAGE
    for key, grade in enumerate(GRADES, 1):
        assert f"| `{key}` | {grade}: " in PAGE
    assert f"({', '.join(f'`{topic}`' for topic in TOPICS)})" in PAGE
    assert all(f"*{kind}*" in PAGE for kind in KINDS)


def test_how_fast_a_card_can_rise():
    """Good whenever it is due, from a new card, which goes to box 2: the days on which it enters box 4 and box 5."""
    box_4 = INTERVALS[2] + INTERVALS[3]
    assert f"box 4 after {box_4} days at the earliest, and box 5 after {box_4 + INTERVALS[4]}" in PAGE


def test_the_examination_is_the_one_described():
    n, minutes = (field.default for field in inspect.signature(exercises.examination).parameters.values())
    assert (n, minutes) == (10, 20)
    assert "Ten questions" in PAGE
    assert "twenty minutes: two for each" in PAGE


def test_every_question_stands_on_the_page_without_python():
    stored = "\n".join(
        output.data["text/markdown"]
        for cell in NOTEBOOK.cells
        for output in cell.get("outputs", [])
        if "text/markdown" in output.get("data", {})
    )
    for card in exercises.cards():
        assert card.question in stored
        assert card.answer in stored
    assert stored.count("<details ") == len(exercises.cards())
