"""Guesses: the answer comes after the guess, the truth is computed, and a page without widgets has a fold."""

import json

import numpy as np
import pytest

from sparsekm_edu import exercises
from sparsekm_edu.exercises.guesses import Choice, Curve, Guess, Number
from sparsekm_edu.exercises.question import Question

GUESSES = list(exercises.GUESSES.values())
each_guess = pytest.mark.parametrize("guess", GUESSES, ids=[guess.id for guess in GUESSES])

X = np.linspace(0, 2, 101)
KINDS = {
    "choice": (Choice("up", "down"), lambda: 1, 1),
    "number": (Number(unit="nats", low=0, high=10), lambda: 0.8068, 0.8),
    "curve": (Curve((0, 2), (0, 4), "x", "y"), lambda: (X, X**2), None),
}


def question(kind):
    answers, truth, _ = KINDS[kind]
    return Question(
        Guess("00-t", "How <i>far</i> &amp; why?", answers, truth, lambda t: "Because.", ("below",))
    )


def drawing(heights):
    """A drawing at all places of the curve above."""
    return [float(heights(x)) for x in KINDS["curve"][0].places]


# ---- the three kinds


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_the_answer_is_in_the_page_before_a_guess(kind):
    asked = question(kind)
    state = json.dumps(
        {name: asked.get_state()[name] for name in asked.keys if name not in ("_esm", "_css", "layout")},
        default=str,
    )
    assert "Because" not in state
    assert asked.guessed is None
    assert asked.truth == []
    assert asked.verdict == ""


def test_choices():
    asked = question("choice")
    asked.commit(0)
    assert asked.verdict == "You said “up”; it is “down”."
    assert not asked.right
    assert asked.answer == "Because."
    asked.ask_again()
    assert asked.guessed is None
    assert asked.answer == ""
    asked.commit(1)
    assert asked.right
    assert "and so it is" in asked.verdict


def test_numbers():
    asked = question("number")
    asked.commit(0.8)
    assert asked.right
    assert asked.verdict == "You said 0.80 nats; it is 0.81 nats. You were off by 0.01."
    asked.ask_again()
    asked.commit(3)
    assert not asked.right
    assert "off by 2.2" in asked.verdict
    asked.ask_again()
    asked.commit(0.81)
    assert asked.verdict == "You said 0.81 nats, and so it is."


def test_whole_numbers_are_written_as_such():
    right, sentence = Number(digits=0).verdict(3, 3.0)
    assert right
    assert sentence == "You said 3, and so it is."
    assert Number(digits=0).verdict(2.5, 3.0) == (False, "You said 2.5; it is 3. You were off by 0.5.")


def test_curves():
    asked = question("curve")
    asked.commit(drawing(lambda x: x**2))
    assert asked.right
    assert asked.verdict == "Your curve is off by 0% of the height, on average."
    np.testing.assert_allclose(asked.truth, KINDS["curve"][0].places ** 2, atol=1e-3)
    asked.ask_again()
    asked.commit(drawing(lambda x: 4 - x**2))
    off = np.sqrt(np.mean((4 - 2 * KINDS["curve"][0].places ** 2) ** 2)) / 4
    assert not asked.right
    assert f"off by {off:.0%}" in asked.verdict


def test_a_drawing_with_few_marks_is_straight_between_them():
    kind = KINDS["curve"][0]
    marks = [None] * kind.POINTS
    marks[0], marks[-1] = 1.0, 3.0
    np.testing.assert_allclose(kind.accepted(marks), np.linspace(1, 3, kind.POINTS))
    marks[0] = 99.0  # beyond the axes
    assert kind.accepted(marks)[0] == 4.0


BAD = {
    "choice": [None, -1, 2, 0.5, "up", True, []],
    "number": [None, "0.8", float("nan"), float("inf"), -1, 11, True, []],
    "curve": [None, [], [1.0] * 3, [None] * 25, [1.0] + [None] * 24, "x", ["1"] * 25, [float("nan")] * 25],
}


@pytest.mark.parametrize(
    ("kind", "value"), [(kind, value) for kind, values in BAD.items() for value in values]
)
def test_what_is_no_guess_gets_a_sentence_and_no_answer(kind, value):
    asked = question(kind)
    asked._on_message(None, {"type": "commit", "value": value}, [])
    assert (
        asked.guessed is None
        and asked.answer == ""
        and "first" in asked.message
        or "outside" in asked.message
    )
    asked.commit({"choice": 1, "number": 1.0, "curve": [1.0] * 25}[kind])  # the next one works
    assert asked.answer == "Because."
    assert asked.message == ""


def test_a_guess_is_stored_and_shown_again():
    asked = question("number")
    asked.commit(0.5)
    again = question("number")
    assert again.guessed == 0.5
    assert again.answer == "Because."
    assert not again.right


def test_a_mishap_is_told_on_the_page():
    def broken():
        raise RuntimeError("the solver went home")

    asked = Question(Guess("00-t", "?", Choice("a", "b"), broken, lambda t: "", ()))
    asked._on_message(None, {"type": "commit", "value": 0}, [])
    assert "the solver went home" in asked.message
    assert asked.guessed is None


def test_messages_from_the_page():
    asked = question("choice")
    asked._on_message(None, {"type": "commit", "value": 1}, [])
    assert asked.right
    asked._on_message(None, {"type": "again"}, [])
    assert asked.guessed is None
    asked._on_message(None, {"type": "nonsense"}, [])


@pytest.mark.parametrize("kind", KINDS)
def test_without_widgets_there_are_question_and_fold(kind):
    bundle, _ = question(kind)._repr_mimebundle_()
    assert bundle["text/plain"] == "Guess, then see. How far & why?"
    before, fold = bundle["text/html"].split("<details>")
    assert "How <i>far</i>" in before
    assert "Because" not in before
    assert "Because." in fold
    assert {"choice": "down", "number": "0.81 nats", "curve": "(2, 4)"}[kind] in fold


# ---- those of the course


@each_guess
def test_truths_are_computed_and_of_their_kind(guess):
    truth = guess.truth()
    if isinstance(guess.kind, Choice):
        assert isinstance(truth, int)
        assert 0 <= truth < len(guess.kind.words)
        assert 2 <= len(guess.kind.words) <= 5
    elif isinstance(guess.kind, Number):
        assert guess.kind.low <= float(truth) <= guess.kind.high
    else:
        x, y = truth
        assert np.shape(x) == np.shape(y)
        assert np.all(np.isfinite(y))
        assert np.all(np.diff(x) > 0)
        assert x[0] <= guess.kind.x[0]
        assert guess.kind.x[1] <= x[-1]
        assert np.mean(np.clip(y, *guess.kind.y) == y) > 0.8, "most of the curve is inside the axes"
    assert len(guess.answer(truth)) > 20
    assert guess.told_by
    assert "$" not in guess.question + guess.answer(truth), "widgets show no LaTeX"


@each_guess
def test_the_right_guess_is_right(guess):
    truth, kind = guess.truth(), guess.kind
    value = {
        Choice: lambda: truth,
        Number: lambda: float(truth),
        Curve: lambda: kind.heights(truth).tolist(),
    }[type(kind)]()
    assert kind.verdict(kind.accepted(value), truth)[0]
    asked = exercises.guess(guess.id)
    asked.commit(value)
    assert asked.right
    assert asked.answer
    assert guess.saved()


@each_guess
def test_tags_are_closed(guess):
    for text in (guess.question, guess.answer(guess.truth()), *getattr(guess.kind, "words", ())):
        for tag in ("i", "b", "sub", "sup", "p", "ul", "li", "code"):
            assert text.count(f"<{tag}>") == text.count(f"</{tag}>"), text
