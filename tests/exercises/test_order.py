"""Guess first: nothing above a question answers it, and something below does."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from sparsekm_edu import exercises

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
ASKED = re.compile(r'exercises\.(guess|check|solution|hint)\("([^"]+)"')


PRACTICE = {step.id for exercise in exercises.EXERCISES.values() for step in exercise.steps}


def notebook_of(id):
    """The number of the notebook that an id belongs to."""
    return "17" if id in PRACTICE else id[:2]


def cells(id):
    """The cells of the notebook that an id belongs to: source and text outputs of each."""
    (path,) = NOTEBOOKS.glob(f"{notebook_of(id)}_*.ipynb")
    return [cell.source + "\n" + text_of(cell) for cell in nbformat.read(path, as_version=4).cells]


def text_of(cell):
    """What a cell prints or says of its picture; a guess, stored with its fold, says nothing here."""
    if "exercises.guess(" in cell.source:
        return ""
    outputs = cell.get("outputs", [])
    return "\n".join(
        output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in outputs
    )


def place_of(guess, texts):
    (place,) = [n for n, text in enumerate(texts) if f'exercises.guess("{guess.id}")' in text]
    return place


each_guess = pytest.mark.parametrize("guess", exercises.GUESSES.values(), ids=list(exercises.GUESSES))


@each_guess
def test_the_answer_stands_below_the_question(guess):
    texts = cells(guess.id)
    place = place_of(guess, texts)
    above, below = "\n".join(texts[:place]), "\n".join(texts[place + 1 :])
    assert not [piece for piece in guess.told_by if piece in above], "answered before it is asked"
    assert [piece for piece in guess.told_by if piece in below], "nobody answers it"


def test_what_notebooks_ask_for_exists_and_all_of_it_is_asked():
    asked = {"guess": [], "check": [], "solution": [], "hint": []}
    for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            for call, id in ASKED.findall(cell.source):
                assert path.name.startswith((notebook_of(id), "00")), f"{path.name} asks for {id}"
                if cell.cell_type == "code" or call in (
                    "solution",
                    "hint",
                ):  # prose may show what a check looks like
                    asked[call].append(id)
    assert sorted(asked["guess"]) == sorted(exercises.GUESSES)
    assert sorted(asked["check"]) == sorted(exercises.ids())
    assert set(asked["solution"] + asked["hint"]) <= set(exercises.ids())


@pytest.mark.parametrize("id", [id for id in exercises.ids() if callable(exercises.solution(id))])
def test_the_cell_to_fill_has_the_parameters_of_the_solution(id):
    """What the learner is given to fill fits what the check calls."""
    (source,) = [text for text in cells(id) if f'\nexercises.check("{id}"' in text]
    code = source.split("exercises.check")[0]
    (function,) = [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    solution = exercises.solution(id)
    names = solution.__code__.co_varnames[: solution.__code__.co_argcount]
    assert [argument.arg for argument in function.args.args] == list(names)
    assert ast.get_docstring(function)
