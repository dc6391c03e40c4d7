"""Cells that ask for a value: a letter, a number, a counter-example."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sparsekm_edu.exercises.comparing import same, written
from sparsekm_edu.exercises.tasks import Result

TYPED = 2e-3  # somebody who types a number stops after three digits


@dataclass(frozen=True)
class Claim:
    """A value to give.

    asks: one line, what to do; answer: a right one; mistakes: wrong values, each with what to look at; hints: shown one
    at a time; options: letter -> Markdown, where one of them is to be chosen; accepts: where many values are right,
    value -> None or a sentence about what is wrong; text: Markdown, what stands above the cell; found: value -> what a
    passed check says.
    """

    id: str
    asks: str
    answer: object
    mistakes: tuple
    hints: tuple
    options: dict = field(default_factory=dict)
    accepts: Callable | None = None
    text: str = ""
    found: Callable = lambda value: "So it is."


def judge_claim(claim, value):
    """The Result of a value given to a claim."""
    if value is None or value is ...:
        return Result(False, f"{claim.asks}.", filled=False)
    if claim.options:
        letter = value.strip(" ().").lower() if isinstance(value, str) else None
        if letter not in claim.options:
            letters = ", ".join(f'"{letter}"' for letter in claim.options)
            return Result(False, f"One of the letters {letters} is wanted; got {written(value)}.")
        value, problem = letter, None if letter == claim.answer else "That is another one."
    else:
        try:
            problem = claim.accepts(value)
        except Exception:  # objects of all kinds
            problem = f"{written(value)} is not what is asked for."
    if problem is None:
        return Result(True, claim.found(value))
    known = next((mistake.told() for mistake in claim.mistakes if same_value(value, mistake.wrong)), None)
    return Result(False, known or problem)


def same_value(value, wrong):
    """Is it the value of a known mistake?"""
    try:
        return bool(same(value, wrong, close=TYPED))
    except Exception:  # objects of all kinds
        return False
