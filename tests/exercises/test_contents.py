"""The contents of notebook 17: every exercise with its link, and what is passed."""

import re
from html import unescape

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from sparsekm_edu import exercises
from sparsekm_edu.exercises.catalogue import EXERCISES


def rows():
    return {row[1].split()[0]: row for row in exercises.contents().table().rows}


def test_every_exercise_has_its_row_and_its_link():
    contents = exercises.contents()
    shown = contents._repr_html_()
    links = [unescape(link) for link in re.findall(r'href="([^"]+)"', shown)]
    assert links == [exercise.anchor for exercise in EXERCISES.values()]
    assert list(rows()) == list(EXERCISES)
    assert f"0 of {len(EXERCISES)} exercises passed." in repr(contents)


def test_it_is_ordered_by_notebook_and_by_difficulty():
    order = [(exercise.notebook, exercise.stars) for exercise in EXERCISES.values()]
    assert order == sorted(order)


def test_a_passed_step_is_counted():
    exercise = next(exercise for exercise in EXERCISES.values() if len(exercise.steps) > 1)
    assert rows()[exercise.id][-1] == f"0 of {len(exercise.steps)}"
    for number, step in enumerate(exercise.steps, 1):
        assert exercises.check(step.id, exercises.solution(step.id)).passed
        expected = "✓" if number == len(exercise.steps) else f"{number} of {len(exercise.steps)}"
        assert rows()[exercise.id][-1] == expected
    assert f"1 of {len(EXERCISES)} exercises passed." in repr(exercises.contents())
    assert f"{len(exercise.steps)} of " in repr(exercises.progress())


@pytest.fixture
def shell():
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


@pytest.mark.usefixtures("shell")
def test_on_the_page_it_follows():
    step = next(iter(EXERCISES.values())).steps[0]
    with capture_output() as shown:
        exercises.contents()._ipython_display_()
        exercises.check(step.id, exercises.solution(step.id))
        assert len(shown.outputs) == 2  # at once
        exercises.check(step.id, exercises.solution(step.id))  # nothing new: no third message
    first, again = shown.outputs
    assert "text/html" in first.data
    assert first.data["text/html"] != again.data["text/html"]
