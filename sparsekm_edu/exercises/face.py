"""What a notebook calls: guess, check, hint, solution, contents, progress, reset."""

import html
import inspect
from dataclasses import dataclass, replace
from difflib import get_close_matches
from secrets import randbelow

from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.catalogue import EXERCISES, GUESSES, NOTEBOOKS, TASKS
from sparsekm_edu.exercises.claims import Claim, judge_claim
from sparsekm_edu.exercises.tasks import Result, judge
from sparsekm_edu.validation import shown


def ids():
    """The ids of all cells to fill, in the order of the course; those of notebook 17 last."""
    return list(TASKS)


def guess(id):
    """Ask the question `id`; the answer unfolds when a guess is committed."""
    from sparsekm_edu.exercises.question import Question  # here: a check needs no widgets

    return Question(known(id, GUESSES))


def check(id, answer, seed=None):
    """Judge `answer`, a function on fresh random instances or on those of `seed`, or a value; never raises.

    Returns: a Result with `passed` and `message`, which shows itself.

    >>> from sparsekm_edu import exercises
    >>> exercises.check("01-margin", exercises.solution("01-margin")).passed
    True
    """
    if not isinstance(id, str) or id not in TASKS:
        return Result(False, f"There is no cell {shown(id)}. {what_there_is(id, TASKS)}")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        seed = randbelow(10**6)
    try:
        task = TASKS[id]
        result = judge_claim(task, answer) if isinstance(task, Claim) else judge(task, answer, seed)
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
    already = before.get("passed") is True  # who has passed once has passed
    trouble = record.change("exercises", id, passed=result.passed or already, tries=tries + 1)
    if result.passed and not already:
        Contents.refresh()
    return trouble


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
    """The worked solution of the exercise `id`: a function, which a notebook shows by its lines, or a value."""
    task = known(id, TASKS)
    if isinstance(task, Claim):
        return task.answer
    function = task.solution
    function._repr_markdown_ = lambda: f"```python\n{inspect.getsource(function)}```"
    return function


LEFT = 'style="text-align: left"'  # Jupyter would put words on the right


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
            "".join(f"<{tag} {LEFT}>{html.escape(word)}</{tag}>" for word in line)
            for tag, line in self._tagged()
        ]
        rows = "".join(f"<tr>{line}</tr>" for line in cells)
        return f"<table>{rows}</table>" + (f"<p>{html.escape(self.note)}</p>" if self.note else "")

    def _tagged(self):
        return [("th", self.head), *(("td", row) for row in self.rows)]


class Contents:
    """The exercises of notebook 17 with a mark for each step that is passed; on the page it keeps itself up to date."""

    PLACE = "sparsekm-contents"  # IPython's name for where it is displayed
    on_page = False

    def table(self):
        """One row per exercise: notebook, exercise, how hard, steps."""
        done = record.load()[0]["exercises"]
        rows = []
        for exercise in EXERCISES.values():
            passed = [done.get(step.id, {}).get("passed") is True for step in exercise.steps]
            marks = "✓" if all(passed) else f"{sum(passed)} of {len(passed)}"
            rows.append((exercise.notebook, f"{exercise.id} {exercise.title}", "★" * exercise.stars, marks))
        whole = sum(row[-1] == "✓" for row in rows)
        head = "notebook", "exercise", "how hard", "passed"
        return Table(head, tuple(rows), f"{whole} of {len(rows)} exercises passed.")

    def __repr__(self):
        return repr(self.table())

    def _repr_html_(self):
        shown = self.table()._repr_html_()
        for exercise in EXERCISES.values():
            title = html.escape(f"{exercise.id} {exercise.title}")
            link = html.escape(exercise.anchor)  # not encoded: JupyterLab looks for it as it is
            shown = shown.replace(f"<td {LEFT}>{title}</td>", f'<td {LEFT}><a href="{link}">{title}</a></td>')
        return shown

    def _ipython_display_(self):
        from IPython.display import display

        type(self).on_page = True
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        display(bundle, raw=True, display_id=self.PLACE)

    @classmethod
    def refresh(cls):
        """After a step was passed."""
        if cls.on_page:
            from IPython.display import update_display

            contents = cls()
            bundle = {"text/plain": repr(contents), "text/html": contents._repr_html_()}
            update_display(bundle, raw=True, display_id=cls.PLACE)


def contents():
    """All exercises of notebook 17, with links, and which of them are passed."""
    return Contents()


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
    steps = [step.id for exercise in EXERCISES.values() for step in exercise.steps]
    left = [id for id in steps if done["exercises"].get(id, {}).get("passed") is not True]
    rest = (
        f"{', '.join(left[:4])} and {len(left) - 4} more" if len(left) > 5 else ", ".join(left) or "nothing"
    )
    rows.append(("17 Exercises", "", "", f"{len(steps) - len(left)} of {len(steps)}", rest))
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
            sure = input(f"Forget {number} guesses, exercises and cards? yes or no: ").strip().lower() in (
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
        raise ValueError(f"There is no id {shown(id)}. {what_there_is(id, catalogue)}")
    return catalogue[id]


def what_there_is(id, catalogue):
    """A sentence for somebody who asked for an id that there is not."""
    steps = [step.id for step in EXERCISES[id].steps] if isinstance(id, str) and id in EXERCISES else []
    if steps and catalogue is TASKS:
        return f"Exercise {id} has the steps {', '.join(steps)}."
    whole = [exercise.id for exercise in EXERCISES.values() if id in [step.id for step in exercise.steps]]
    if whole:
        return f"It is a step of {whole[0]}. Did you mean {whole[0]}?"
    near = get_close_matches(id, catalogue, n=3, cutoff=0.4) if isinstance(id, str) else []
    listed = near or list(catalogue)[:3]
    return f"{'Did you mean' if near else 'There are'} {', '.join(listed)}{'?' if near else ', ...'}"
