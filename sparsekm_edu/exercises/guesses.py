"""Guess, then see: a question, what can be answered, and the truth, which is computed.

A guess is asked before anything on the page answers it. Its truth comes from the same `compute` that draws the explorer
below, at a given state; nobody types it.
"""

import html
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np


@dataclass(frozen=True)
class Choice:
    """One of several words; the truth is the index of the right one."""

    words: tuple
    name = "choice"

    def __init__(self, *words):
        object.__setattr__(self, "words", words)

    def accepted(self, value):
        """The guess as it is stored; ValueError with a sentence if there is none."""
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < len(self.words):
            raise ValueError("Choose one of the answers first.")
        return value

    def verdict(self, value, truth):
        """(was it right?, a sentence)."""
        truth = int(truth)
        if value == truth:
            return True, f"You said “{self.words[value]}”, and so it is."
        return False, f"You said “{self.words[value]}”; it is “{self.words[truth]}”."

    def told(self, truth):
        """The truth for those who cannot guess: readers of a saved notebook."""
        return self.words[int(truth)]


@dataclass(frozen=True)
class Number:
    """A number with a unit, between low and high; right if it is within this share of the truth."""

    unit: str = ""
    low: float = -np.inf
    high: float = np.inf
    digits: int = 2
    within: float = 0.1
    name = "number"

    def accepted(self, value):
        """The guess as it is stored; ValueError with a sentence if there is none."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
            raise ValueError("Write a number first.")
        if not self.low <= value <= self.high:
            raise ValueError(f"Write a number from {self.low:g} to {self.high:g}, {value:g} is outside.")
        return float(value)

    def verdict(self, value, truth):
        """(was it right?, a sentence)."""
        truth = round(float(truth), self.digits)
        off = abs(value - truth)
        right = off <= self.within * abs(truth) + 1e-12
        if off < 0.5 * 10**-self.digits:
            return True, f"You said {self._written(value)}, and so it is."
        return (
            right,
            f"You said {self._written(value)}; it is {self._written(truth)}. You were off by {off:.2g}.",
        )

    def told(self, truth):
        """The truth for those who cannot guess."""
        return self._written(round(float(truth), self.digits))

    def _written(self, number):
        exact = float(np.format_float_positional(number, trim="-"))
        text = f"{exact:.{self.digits}f}" if abs(exact - round(exact, self.digits)) < 1e-12 else f"{exact:g}"
        return f"{text} {self.unit}".rstrip()


@dataclass(frozen=True)
class Curve:
    """A curve to be drawn over axes x and y, (low, high) each; right if it is within this share of the height, as a
    root mean square. The truth is a pair of arrays, x and y."""

    x: tuple
    y: tuple
    xlabel: str = "x"
    ylabel: str = "y"
    within: float = 0.12
    name = "curve"
    POINTS = 25  # places along x at which a drawing is kept

    @property
    def places(self):
        """Where along x a drawing is kept, (POINTS,)."""
        return np.linspace(*self.x, self.POINTS)

    def accepted(self, value):
        """The drawing, y at every place; between its marks it is straight, beyond them level."""
        marks = value if isinstance(value, list) and len(value) == self.POINTS else []
        known = [(n, float(y)) for n, y in enumerate(marks) if isinstance(y, int | float) and np.isfinite(y)]
        if len(known) < 2:
            raise ValueError("Draw the curve first: drag across the picture, or use the arrow keys.")
        at, heights = zip(*known, strict=True)
        return np.clip(np.interp(np.arange(self.POINTS), at, heights), *self.y).tolist()

    def verdict(self, value, truth):
        """(was it right?, a sentence)."""
        off = np.sqrt(np.mean((np.array(value) - self.heights(truth)) ** 2)) / (self.y[1] - self.y[0])
        return bool(off <= self.within), f"Your curve is off by {off:.0%} of the height, on average."

    def heights(self, truth):
        """The true curve at the places of a drawing, cut off where the picture ends."""
        return np.clip(np.interp(self.places, *truth), *self.y)

    def told(self, truth):
        """The truth for those who cannot guess: its ends, three places between them, where it is highest and lowest."""
        heights = self.heights(truth)
        quarters = {n * (self.POINTS - 1) // 4 for n in range(5)}
        spots = sorted(quarters | {int(heights.argmin()), int(heights.argmax())})
        return "a curve through " + ", ".join(f"({self.places[n]:.3g}, {heights[n]:.3g})" for n in spots)


@dataclass(frozen=True)
class Guess:
    """A question to be answered by a guess.

    question: text with a little HTML; kind: Choice, Number or Curve; truth: () -> the right answer, as the kind has it,
    computed; answer: truth -> an explanation, with a little HTML; told_by: pieces of the notebook (source or output)
    that answer the question. They must stand below it.
    """

    id: str
    question: str
    kind: Choice | Number | Curve
    truth: Callable
    answer: Callable
    told_by: tuple

    def saved(self):
        """The question and a fold, as HTML for pages without widgets."""
        truth = self.truth()
        words = getattr(self.kind, "words", ())
        choices = f"<ul>{''.join(f'<li>{word}</li>' for word in words)}</ul>" if words else ""
        return (
            f"<div><p><b>Guess, then see.</b> {self.question}</p>{choices}<details><summary>The answer</summary>"
            f"<p><b>{self.kind.told(truth)}.</b> {self.answer(truth)}</p></details></div>"
        )

    def spec(self):
        """What the page must know to ask; nothing about the truth."""
        fields = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self.kind).items()
            if value not in (-np.inf, np.inf)
        }
        return {"kind": self.kind.name, "points": Curve.POINTS, **fields}

    def plain(self):
        """The question as text."""
        return html.unescape(strip_tags(self.question))


def strip_tags(text):
    """Text without its HTML tags."""
    parts = text.split("<")
    return parts[0] + "".join(part.partition(">")[2] for part in parts[1:])
