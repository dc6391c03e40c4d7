"""What a notebook calls: guess, check, hint, solution, progress, reset."""

import html
import inspect
from dataclasses import dataclass, replace
from secrets import randbelow

from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.catalogue import GUESSES, NOTEBOOKS, TASKS
from sparsekm_edu.exercises.tasks import Result, judge
from sparsekm_edu.validation import shown


def ids():
    """The ids of all cells to fill, in the order of the course."""
    return list(TASKS)


def guess(id):
    """Ask the question `id`; the answer unfolds when a guess is committed."""
    from sparsekm_edu.exercises.question import Question  # here: a check needs no widgets

    return Question(known(id, GUESSES))


def check(id, answer, seed=None):
    """Judge the function `answer` on fresh random instances, or on those of `seed`; never raises.

    Returns: a Result with `passed` and `message`, which shows itself.

    >>> from sparsekm_edu import exercises
    >>> exercises.check("01-margin", exercises.solution("01-margin")).passed
    True
    """
    if not isinstance(id, str) or id not in TASKS:
        return Result(False, f"There is no exercise {shown(id)}; there are {', '.join(TASKS)}.")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        seed = randbelow(10**6)
    try:
        result = judge(TASKS[id], answer, seed)
    except Exception as mishap:  # something that cannot even be looked at
        result = Result(False, f"The answer cannot be judged: {type(mishap).__name__}: {mishap}.")
    help = "" if result.passed else f'Stuck? exercises.hint("{id}")'
    return replace(result, note="\n".join(filter(None, [help, remember(id, result)])))


def remember(id, result):
    """Write the result of a check down; returns a sentence about what went wrong, or ""."""
    if not result.filled:
        return ""
    before = record.load()[0]["exercises"].get(id, {})
    tries = before["tries"] if isinstance(before.get("tries"), int) else 0
    passed = result.passed or before.get("passed") is True  # who has passed once has passed
    return record.change("exercises", id, passed=passed, tries=tries + 1)


@dataclass(frozen=True)
class Text:
    """A few sentences that show themselves."""

    text: str

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return f'<div role="status" style="max-width: 60em">{html.escape(self.text)}</div>'


def hint(id):
    """The next hint of the exercise `id`; after the last one, where the worked solution is."""
    hints = known(id, TASKS).hints
    before = record.load()[0]["exercises"].get(id, {}).get("hints", 0)
    given = before if isinstance(before, int) and 0 <= before <= len(hints) else 0
    if given < len(hints):
        note = record.change("exercises", id, hints=given + 1)
        return Text(" ".join(filter(None, [f"Hint {given + 1} of {len(hints)}: {hints[given]}", note])))
    all_of_them = " ".join(f"({n}) {text}" for n, text in enumerate(hints, 1))
    shown = f'In a cell of its own exercises.solution("{id}") shows the worked solution.'
    return Text(f"All hints: {all_of_them} {shown}")


def solution(id):
    """The worked solution of the exercise `id`: a function, which a notebook shows by its lines."""
    function = known(id, TASKS).solution
    function._repr_markdown_ = lambda: f"```python\n{inspect.getsource(function)}```"
    return function


@dataclass(frozen=True)
class Table:
    """A small table of text that shows itself, as text and as HTML; under it a sentence, if there is one."""

    head: tuple
    rows: tuple
    note: str = ""

    def __repr__(self):
        lines = [self.head, *self.rows]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.head))]
        text = [
            "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)) for line in lines
        ]
        return "\n".join(line.rstrip() for line in [*text, self.note] if line)

    def _repr_html_(self):
        cells = [
            "".join(f"<{tag}>{html.escape(word)}</{tag}>" for word in line) for tag, line in self._tagged()
        ]
        rows = "".join(f"<tr>{line}</tr>" for line in cells)
        return f"<table>{rows}</table>" + (f"<p>{html.escape(self.note)}</p>" if self.note else "")

    def _tagged(self):
        return [("th", self.head), *(("td", row) for row in self.rows)]


def progress():
    """What was done so far, one row per notebook."""
    done, trouble = record.load()
    rows = []
    for number, title in NOTEBOOKS.items():
        asked = [id for id in GUESSES if id.startswith(number)]
        tasks = [id for id in TASKS if id.startswith(number)]
        made = [id for id in asked if "value" in done["guesses"].get(id, {})]
        right = sum(done["guesses"][id].get("right") is True for id in made)
        passed = [id for id in tasks if done["exercises"].get(id, {}).get("passed") is True]
        left = [id for id in tasks if id not in passed]
        rows.append(
            (
                f"{number} {title}",
                f"{len(made)} of {len(asked)}",
                f"{right}",
                f"{len(passed)} of {len(tasks)}",
                ", ".join(left) or "nothing",
            )
        )
    head = "notebook", "guesses made", "of them right", "cells filled", "still to fill"
    return Table(head, tuple(rows), trouble)


def reset(sure=False):
    """Forget all guesses and passed exercises, after asking; `sure=True` answers beforehand."""
    done, _ = record.load()
    number = sum(map(len, done.values()))
    if number == 0 and not record.path().exists():
        return Text("There is nothing to forget.")
    if not sure:
        try:
            sure = input(f"Forget {number} guesses and exercises? yes or no: ").strip().lower() in (
                "y",
                "yes",
            )
        except Exception:  # nobody there to ask
            return Text("Nothing was forgotten. exercises.reset(sure=True) forgets without asking.")
    if not sure:
        return Text("Nothing was forgotten.")
    return Text(record.forget() or "All is forgotten: a fresh start.")


def known(id, catalogue):
    """The entry of a catalogue, or one sentence about what there is."""
    if not isinstance(id, str) or id not in catalogue:
        raise ValueError(f"id must be one of {', '.join(catalogue)}, got {shown(id)}.")
    return catalogue[id]
