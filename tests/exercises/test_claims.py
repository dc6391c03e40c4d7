"""Claims: a letter, a number, a counter-example; every wrong option says what to look at."""

from dataclasses import replace

import pytest

from sparsekm_edu import exercises
from sparsekm_edu.exercises.claims import Claim, judge_claim
from sparsekm_edu.exercises.tasks import Mistake

CLAIMS = [cell for cell in exercises.TASKS.values() if isinstance(cell, Claim)]
each_claim = pytest.mark.parametrize("claim", CLAIMS, ids=[claim.id for claim in CLAIMS])


@each_claim
def test_the_answer_passes(claim):
    assert exercises.check(claim.id, exercises.solution(claim.id)).passed
    assert exercises.progress()
    if claim.options:
        for form in (f" {claim.answer.upper()} ", f"({claim.answer})", f"{claim.answer}."):
            assert exercises.check(claim.id, form).passed, form


@each_claim
def test_an_unfilled_cell_gets_one_line(claim):
    for answer in (None, ...):
        result = exercises.check(claim.id, answer)
        assert not result.passed
        assert not result.filled
        assert claim.asks in result.message


@each_claim
def test_mistakes_are_told(claim):
    for mistake in claim.mistakes:
        result = exercises.check(claim.id, mistake.wrong)
        assert not result.passed
        assert mistake.name in result.message
        assert mistake.look in result.message


@each_claim
def test_every_wrong_letter_says_why(claim):
    if not claim.options:
        assert claim.accepts is not None
        return
    assert list(claim.options) == list("abcdefgh"[: len(claim.options)])
    assert len(claim.options) >= 4
    assert sorted([claim.answer, *(mistake.wrong for mistake in claim.mistakes)]) == list(claim.options)
    for strange in ("z", "", "ab", 1, ["a"], {"a"}):
        assert "One of the letters" in exercises.check(claim.id, strange).message


EVEN = Claim(
    "99-even",
    "give an even number above 2",
    4,
    (Mistake("the smallest", 2, "above 2 means without it"),),
    ("divide it by 2", "try 4"),
    accepts=lambda value: None if value % 2 == 0 and value > 2 else f"{value} is not even, or too small.",
)


def test_many_values_may_be_right():
    assert judge_claim(EVEN, 4).message == "So it is."
    assert (
        judge_claim(replace(EVEN, found=lambda value: f"{value} / 2 is whole."), 4).message
        == "4 / 2 is whole."
    )
    assert judge_claim(EVEN, 10).passed
    assert judge_claim(EVEN, 7).message == "7 is not even, or too small."
    assert "the smallest: above 2 means" in judge_claim(EVEN, 2).message
    assert "is not what is asked for" in judge_claim(EVEN, [1, 2]).message


def test_an_exercise_of_several_steps_names_them():
    for exercise in exercises.EXERCISES.values():
        ids = [step.id for step in exercise.steps]
        if ids != [exercise.id]:
            message = exercises.check(exercise.id, "a").message
            assert f"Exercise {exercise.id} has the steps {', '.join(ids)}." in message
            dash = "-" if exercise.id[-1].isalpha() else ""
            assert ids == [exercise.id + dash + letter for letter in "abcdefgh"[: len(ids)]]
