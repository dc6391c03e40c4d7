"""Exercises as cells: the task, what to fill, hints one by one, the worked solution folded away."""

import copy
import re

import nbformat
import numpy as np
import pytest
from execute import NOTEBOOKS

from sparsekm_edu import exercises
from sparsekm_edu.exercises import EXERCISES, pages
from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.tasks import Task

SCALE = 3.0


def halved(x):
    return x / 2


def tripled(x):
    """x (N,) times three halves."""
    return SCALE * halved(x)


@pytest.fixture
def exercise():
    """One of each kind of step."""
    return Exercise(
        "9.9",
        "Three times",
        "PRML 9.9",
        2,
        "01",
        (("01, section 1", "01_maximum_margin.ipynb#1-Which-line?-·-core"), ("02", "02_soft_margin.ipynb")),
        "\nGiven $x$.\n",
        "how to multiply",
        (
            Task(
                "9.9a",
                "triple it",
                lambda rng: (rng.normal(size=3),),
                tripled,
                (),
                ("if a < b & a_n*b_n*c_n", "more", "nearly all"),
                text="\nWrite it.\n",
            ),
            Claim(
                "9.9b", "choose", "b", (), ("think",), {"a": "$x_1$\nor more", "b": "$x_2$"}, text="Which?"
            ),
            Claim(
                "9.9c",
                "find one",
                (np.array([[1.0, 0.25]]), 2.5, "up"),
                (),
                ("look",),
                accepts=lambda v: None,
            ),
        ),
        "$$x=1$$",
    )


def sources(exercise):
    return {cell.id: cell.source for cell in pages.cells(exercise)}


def test_cells_come_in_order_and_say_what_they_are(exercise):
    found = [
        (cell.metadata["exercise"]["id"], cell.metadata["exercise"]["role"]) for cell in pages.cells(exercise)
    ]
    assert found == [
        ("9.9", "task"),
        *((step, role) for step in ("9.9a", "9.9b", "9.9c") for role in ("task", "answer", "hints")),
        ("9.9", "solution"),
    ]
    assert list(sources(exercise))[:3] == ["9-9-task", "9-9a-question", "9-9a-answer"]


def test_the_task_says_where_it_is_taught(exercise):
    assert sources(exercise)["9-9-task"] == (
        "### 9.9 Three times\n\n*PRML 9.9* · ★★\n\nGiven $x$.\n\n*Bring:* how to multiply\n\n"
        "*Taught in:* [01, section 1](01_maximum_margin.ipynb#1-Which-line?-·-core) · [02](02_soft_margin.ipynb)"
    )


def test_the_cell_to_fill_comes_from_the_worked_solution(exercise):
    made = sources(exercise)
    assert made["9-9a-answer"] == (
        'def tripled(x):\n    """x (N,) times three halves."""\n    ...\n\n\nexercises.check("9.9a", tripled)'
    )
    assert made["9-9b-answer"] == 'answer_9_9b = ...\n\nexercises.check("9.9b", answer_9_9b)'


def test_options_are_a_list(exercise):
    assert (
        sources(exercise)["9-9b-question"] == "**9.9b** Which?\n\n- **a**: $x_1$\n  or more\n- **b**: $x_2$"
    )


def test_hints_lie_one_in_the_other_and_are_no_markdown(exercise):
    hints = sources(exercise)["9-9a-hints"]
    assert re.findall("Hint . of 3", hints) == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3"]
    assert hints.endswith("</details>\n</details>\n</details>")
    assert hints.index("Hint 3") < hints.index("</details>")
    assert "if a &lt; b &amp; a_n*b_n*c_n" in hints
    assert "\n\n" not in hints  # Markdown would be read after an empty line


def test_the_solution_is_folded_and_complete(exercise):
    fold = sources(exercise)["9-9-solution"]
    assert fold.startswith("<details><summary>Worked solution of 9.9</summary>\n\n$$x=1$$\n\n")
    assert "**9.9b**: b, $x_2$" in fold
    (code,) = re.findall(r"```python\n(.*?)\n```", fold, re.DOTALL)
    space = {"np": np}
    exec(code, space)
    assert space["answer_9_9c"][0].tolist() == [[1.0, 0.25]]
    assert space["answer_9_9c"][1:] == (2.5, "up")
    assert space["tripled"](np.ones(2)).tolist() == [1.5, 1.5]
    assert fold.endswith("\n\n</details>")


def test_an_exercise_of_one_step_needs_no_letters(exercise):
    alone = Exercise(**{**vars(exercise), "steps": exercise.steps[:1]})
    assert sources(alone)["9-9a-question"] == "Write it."
    assert not pages.question(alone, Task("9.9", "x", None, tripled, (), ()))


def test_cells_are_valid_and_named_alike_every_time():
    first, second = pages.course_notebook(), pages.course_notebook()
    nbformat.validate(first)
    assert [cell.id for cell in first.cells] == [cell.id for cell in second.cells]
    assert len({cell.id for cell in first.cells}) == len(first.cells)


def test_the_course_stands_in_order():
    headings = [
        cell.source.splitlines()[0]
        for cell in pages.course_notebook().cells
        if cell.cell_type == "markdown" and cell.source.startswith("#")
    ]
    groups = [line for line in headings if re.match(r"## \d\d ", line)]
    assert groups == sorted(groups)
    inside = [line for line in headings if line.startswith("### ")]
    assert inside == [f"### {exercise.heading}" for exercise in EXERCISES.values()]


def test_links_of_the_contents_are_the_same_before_and_after_a_browser_encodes_them():
    """Otherwise JupyterLab finds no heading."""
    for exercise in EXERCISES.values():
        assert re.fullmatch(r"#[a-zA-Z0-9.,:;()'!?-]+", exercise.anchor)


def test_lessons_are_called_what_they_are_called():
    for number, (title, file) in pages.LESSONS.items():
        nb = nbformat.read(NOTEBOOKS / file, as_version=4)
        assert nb.cells[0].source.splitlines()[0] == f"# {number} {title}"


@pytest.fixture(scope="module")
def set_up():
    """What the first cell of notebook 17 defines."""
    space = {}
    exec(pages.set_up(EXERCISES.values()).source, space)
    return space


@pytest.mark.parametrize("id", EXERCISES)
def test_what_is_folded_away_runs_after_the_set_up(id, set_up):
    """Somebody copies it from the page: nothing is missing, and it gives what the worked solution gives."""
    exercise, space = EXERCISES[id], dict(set_up)
    exec(pages.code_lines(exercise), space)
    for step in exercise.steps:
        if isinstance(step, Claim):
            assert step.options or exercises.check(step.id, space[pages.name(step)]).passed
            continue
        arguments = step.instance(np.random.default_rng(3))
        mine = space[step.solution.__name__](*copy.deepcopy(arguments))
        np.testing.assert_equal(mine, step.solution(*copy.deepcopy(arguments)))


def test_examples_of_the_first_page_are_there():
    """It names exercises, functions and parameters."""
    calls = re.findall(r'exercises\.(check|solution)\("(.+?)"(?:, (\w+), seed)?', pages.HOW)
    assert len(calls) >= 3
    steps = {step.id: step for exercise in EXERCISES.values() for step in exercise.steps}
    for _, id, function in calls:
        assert id in steps
        assert not function or steps[id].solution.__name__ == function
