"""An exercise in the page: typed in, judged, noted in the contents."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from sparsekm_edu.exercises import EXERCISES, pages
from sparsekm_edu.exercises.assignment import catalogue, handout

pytestmark = pytest.mark.browser
NAME = "one_exercise.ipynb"
CONTENTS, TASK, CLAIM = 1, 2, 5  # code cells: the contents, 7.6a and 7.6d


@pytest.fixture(scope="module")
def exercise(lab, open_notebook, tmp_path_factory):
    """Exercise 7.6 as it stands in notebook 17, below the contents; with a record of its own."""
    set_up = pages.set_up(EXERCISES.values())
    set_up.source += f"\n%env SPARSEKM_PROGRESS={tmp_path_factory.mktemp('record')}/progress.json"
    nb = pages.notebook([set_up, new_code_cell("exercises.contents()"), *pages.cells(EXERCISES["7.6"])])
    nbformat.write(nb, lab.folder / NAME)
    exercise = open_notebook(NAME)
    exercise.run_all()
    yield exercise
    exercise.close()


def answer(exercise, n, old, new):
    """Write `new` in place of the line with `old` of code cell n, key by key, and run it; returns the verdict."""
    cell = exercise.cells.nth(n)
    cell.locator(".cm-line", has_text=old).click()
    keyboard = exercise.page.keyboard
    keyboard.press("Home")
    keyboard.press("Shift+End")
    keyboard.type(new)
    exercise.run(n)
    return cell.locator("[role=status]").inner_text()


def row(exercise):
    """What the contents say about exercise 7.6."""
    return exercise.cells.nth(CONTENTS).locator("tr", has_text="7.6 ")


def test_a_wrong_answer_is_recognised_and_a_right_one_is_noted(exercise):
    assert row(exercise).inner_text().endswith("0 of 4")
    wrong = answer(exercise, TASK, "...", "return np.log(1 + np.exp(z))")
    assert "✗ Not yet. This looks like a known mistake, z with the wrong sign" in wrong
    assert re.search(r'exercises\.check\("7\.6a", logistic_error, seed=\d+\)', wrong)
    right = answer(exercise, TASK, "return", "return np.log(1 + np.exp(-z))")
    assert right.startswith("✓ Right.")
    row(exercise).get_by_text("1 of 4").wait_for()  # the table above has changed by itself
    assert exercise.wrong() == []


@pytest.mark.slow
def test_a_letter(exercise):
    assert "known mistake, the hinge's multipliers" in answer(exercise, CLAIM, "= ...", 'answer_7_6d = "a"')
    assert answer(exercise, CLAIM, "= ", 'answer_7_6d = "c"').startswith("✓ Right.")


def test_hints_unfold_one_by_one_and_the_solution_shows_its_formulas(exercise):
    def hint(n):
        return exercise.page.locator("summary", has_text=f"Hint {n} of").first

    assert not hint(2).is_visible()
    hint(1).click()
    assert hint(2).is_visible()
    assert not hint(3).is_visible()
    hint(2).click()
    assert hint(3).is_visible()
    fold = exercise.page.locator("details", has_text="Worked solution of 7.6")
    assert not fold.locator("mjx-container").first.is_visible()
    fold.locator("summary").click()
    assert fold.locator("mjx-container").first.is_visible()
    assert "def logistic_error(z):" in fold.inner_text()


def test_the_contents_lead_to_the_exercise(exercise):
    heading = exercise.page.locator("h3", has_text="Logistic regression in the clothes")
    row(exercise).locator("a").scroll_into_view_if_needed()
    row(exercise).locator("a").click()
    exercise.page.wait_for_function(
        "h => { const top = h.getBoundingClientRect().top; return top > 0 && top < 300; }",
        arg=heading.element_handle(),
    )


@pytest.mark.slow
def test_everything_fits_on_paper(exercise, tmp_path):
    (tmp_path / "handout.html").write_text(handout(catalogue().values(), "All of them"), encoding="utf-8")
    page = exercise.page.context.new_page()
    page.emulate_media(media="print")
    page.goto((tmp_path / "handout.html").as_uri())
    too_wide = """parts => parts
        .filter(part => part.getBoundingClientRect().right > document.body.getBoundingClientRect().right + 1)
        .map(part => part.closest("section").querySelector("h2").innerText)"""
    parts = page.locator("math, pre, table")
    assert parts.count() > 500
    assert parts.evaluate_all(too_wide) == []
    page.close()
