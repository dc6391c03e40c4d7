"""Cells to fill: what is asked, and how an answer is judged.

A task asks for a function. It knows how to draw a random instance, the right result, and the wrong answers that people
usually give. An answer is run on fresh instances; where it differs from what is right, the message says on which
instance, what came out and what should have, and names the mistake if it is a known one. A claim (`claims.py`) asks for
a value instead.
"""

import copy
import dis
import html
import inspect
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sparsekm_edu.exercises.comparing import (
    ALL_DIFFERENT,
    CLOSE,
    DIFFERENT,
    PLACES,
    SHORT,
    as_numbers,
    common_ratio,
    compare,
    describe,
    is_nan,
    same,
    several,
    written,
)
from sparsekm_edu.exercises.running import parameters, run
from sparsekm_edu.exercises.symbolic import function_of, is_symbolic

INSTANCES = 6
NEARLY = 2e-4  # a relative difference that is no other formula, but one that was not computed to its end
LIMIT = 4.0  # seconds for all of them together


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that people give: its name, the function (or value) that makes it, and what to look at.

    An answer is known by it if it gives the same results. Where one mistake has many results, as an optimiser that
    stops early, `shows(value, *arguments)` tells it by its symptom.
    """

    name: str
    wrong: object
    look: str
    shows: Callable | None = None

    def told(self):
        return f"This looks like a known mistake, {self.name}: {self.look}."


@dataclass(frozen=True)
class Task:
    """A function to write.

    asks: one line, what to do; instance: rng -> the positional arguments; solution: the worked one; mistakes: at least
    three; hints: shown one at a time; instances: how many are tried, more where there are cases to be met; up_to: where
    many arrays are right, what of them has to agree, as a name and a function of the array.
    route: an independent road to the right result, as a name and a function of the arguments; without it the worked
    solution is the measure. close: how close, relative to the largest entry. accepts: where no single result is right,
    (value, *arguments) -> None or a sentence about what is wrong. text: Markdown, what stands above the cell.
    """

    id: str
    asks: str
    instance: Callable
    solution: Callable
    mistakes: tuple
    hints: tuple
    instances: int = INSTANCES
    up_to: tuple = ()
    route: tuple = ()
    close: float = CLOSE
    accepts: Callable | None = None
    text: str = ""

    @property
    def agreeing(self):
        """What of an array has to agree: a function, or None for all of it."""
        return self.up_to[1] if self.up_to else None

    def right_result(self, arguments):
        """None where no single one is right."""
        if self.accepts:
            return None
        _, road = self.route or ("", self.solution)
        return road(*copy.deepcopy(arguments))

    def problem_of(self, value, arguments, expected):
        """None if value is right, else a sentence."""
        if not self.accepts:
            return compare(value, expected, self.agreeing, self.close)
        try:
            with np.errstate(all="ignore"):  # a value may hold nan and infinities
                return self.accepts(value, *copy.deepcopy(arguments))
        except Exception:  # objects of all kinds
            return f"It returns {written(value)}, and that is not what is asked for."

    def agreement(self):
        """What a passed check says."""
        measure = self.route[0] if self.route else "the worked solution"
        verb = "It holds" if self.accepts else f"It agrees with {measure}"
        return f"{verb} on {self.instances} random instances."


@dataclass(frozen=True, eq=False)
class Result:
    """The verdict on an answer. passed, message; filled: was there anything to judge; of the first instance that went
    wrong: instance (the arguments), got and expected, and the seed, with which `check` draws the same instances again;
    note: what else is to be told, about hints and the record of progress."""

    passed: bool
    message: str
    filled: bool = True
    seed: int | None = None
    instance: tuple = ()
    got: object = None
    expected: object = None
    note: str = ""

    def __bool__(self):
        return self.passed

    @property
    def mark(self):
        """The verdict in a word or two: colour is never the only cue."""
        return "✓ Right." if self.passed else "✗ Not yet." if self.filled else "✎ Your turn:"

    def __repr__(self):
        return f"{self.mark} {self.text}"

    @property
    def text(self):
        """Message and note; of an unfilled cell on one line."""
        return ("\n" if self.filled else " ").join(filter(None, [self.message, self.note]))

    def _repr_html_(self):
        colour = "0, 158, 115" if self.passed else "230, 159, 0" if self.filled else "136, 34, 85"
        lines = html.escape(self.text).replace("\n", "<br>")
        return (
            f'<div role="status" style="border-left: 4px solid rgb({colour}); background: rgba({colour}, 0.14); '
            f'padding: 6px 10px; max-width: 60em; line-height: 1.5"><b>{self.mark}</b> {lines}</div>'
        )


def judge(task, answer, seed):
    """The Result of an answer to a task."""
    your_turn = Result(False, f"{task.asks}.", filled=False)
    if answer is None or answer is ... or (callable(answer) and is_empty(answer)):
        return your_turn
    instances = [task.instance(np.random.default_rng([seed, n])) for n in range(task.instances)]
    if is_symbolic(answer):
        answer, problem = function_of(answer, parameters(task.solution, len(instances[0])))
        if problem:
            return Result(False, problem)
    if not callable(answer):
        whole = f'exercises.check("{task.id}", {task.solution.__name__})'
        return Result(False, f"A function is wanted, without brackets, as in {whole}; got {written(answer)}.")
    misfit = wrong_parameters(task, answer, instances[0])
    if misfit:
        return Result(False, misfit)
    expected = [task.right_result(arguments) for arguments in instances]
    outcomes, printed = run(answer, instances, LIMIT)
    again = f'The same instances again: exercises.check("{task.id}", {task.solution.__name__}, seed={seed}).'
    problems = [
        what_is_wrong(task, *each, printed)
        for each in zip(outcomes, instances[: len(outcomes)], expected[: len(outcomes)], strict=True)
    ]
    if UNFILLED in problems:
        return your_turn
    if any(problems):
        n, sentence = diagnosis(task, instances, expected, outcomes, problems)
        where = whereabouts(task, instances[n], outcomes[n], expected[n])
        return Result(
            False,
            f"{sentence}\n{where} {again}",
            seed=seed,
            instance=instances[n],
            got=outcomes[n].value,
            expected=expected[n],
        )
    if len(outcomes) < len(instances):
        where = f"For {describe(task.solution, instances[len(outcomes)])}"
        slow = f"It did not end within {LIMIT:g} seconds. Is there a loop whose condition stays true?"
        return Result(False, f"{slow}\n{where}. {again}", seed=seed, instance=instances[len(outcomes)])
    return Result(True, task.agreement(), seed=seed)


def whereabouts(task, arguments, outcome, expected):
    """On which instance, what came out, and what should have."""
    where = f"For {describe(task.solution, arguments)}"
    if task.accepts:
        return f"{where}." if outcome.error is not None else f"{where} it gave {written(outcome.value)}."
    if outcome.error is not None:
        return f"{where}: {written(expected)} is right."
    if outcome.changed and task.problem_of(outcome.value, arguments, expected) is None:
        return f"{where}: this happened."  # with the right result there is nothing to compare
    value, mine = outcome.value, as_numbers(outcome.value)
    comparable = isinstance(expected, np.ndarray) and np.shape(mine) == expected.shape
    if task.up_to and comparable:
        value = mine = task.agreeing(mine)
        where, expected = f"{where}, {task.up_to[0]}:", task.agreeing(expected)
    if comparable and expected.size > SHORT:
        worst = np.unravel_index(np.argmax(np.abs(mine - expected)), mine.shape)
        place = ", ".join(map(str, worst))
        return f"{where} entry [{place}] is {written(mine[worst])}, and {written(expected[worst])} is right."
    return f"{where} it gave {written(value)}, and {written(expected)} is right."


# ---- what can be wrong before any number is compared ----------------------------------------------------
UNFILLED = "unfilled"


def is_empty(function):
    """Is there nothing in a function but a docstring, `...` or `pass`?"""
    code = getattr(function, "__code__", None)
    quiet = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}
    if code is None or any(step.opname not in quiet for step in dis.get_instructions(code)):
        return False
    *_, last = (step for step in dis.get_instructions(code) if step.opname in ("LOAD_CONST", "RETURN_CONST"))
    return last.argval is None or last.argval is ...


def wrong_parameters(task, answer, arguments):
    """A sentence if answer cannot be called as the task wants, else None."""
    try:
        inspect.signature(answer).bind(*arguments)
    except TypeError as problem:
        wanted = ", ".join(parameters(task.solution, len(arguments)))
        return f"It is called with ({wanted}), and that does not fit: {problem}."
    except ValueError:  # a builtin without a signature
        pass
    return None


def what_is_wrong(task, outcome, arguments, expected, printed):
    """None if all is well; UNFILLED, or a sentence."""
    if outcome.error is not None:
        # nbgrader puts `raise NotImplementedError` into cells to fill
        if "ellipsis" in str(outcome.error) or isinstance(outcome.error, NotImplementedError):
            return UNFILLED
        return f"It stopped with {type(outcome.error).__name__}: {shown_error(outcome.error)}."
    value = outcome.value
    if value is None:
        if printed:
            return "It prints its result but returns None: only what is returned can be used by others."
        return "It returns None. Is the return missing?"
    if has_ellipsis(value):
        return UNFILLED
    problem = task.problem_of(value, arguments, expected)
    if outcome.changed:
        altered = " and ".join(outcome.changed)
        verdict = "The result is right, but" if problem is None else f"{problem} And"
        return (
            f"{verdict} the function changes {altered}, and arguments belong to the caller: work on a copy."
        )
    return problem


def shown_error(error):
    text = " ".join(str(error).split())
    return (text if len(text) <= 200 else text[:200] + "...").rstrip(".") or "no reason given"


def has_ellipsis(value):
    return value is ... or (isinstance(value, tuple | list) and any(part is ... for part in value))


# ---- known mistakes -------------------------------------------------------------------------------------


def diagnosis(task, instances, expected, outcomes, problems):
    """(the instance to show, what to say about it)."""
    failed = [n for n, problem in enumerate(problems) if problem]
    for mistake in task.mistakes:
        for n in failed:
            if mistake.shows and shows_itself(mistake, outcomes[n], instances[n]):
                plain = problems[n] in (DIFFERENT, ALL_DIFFERENT)
                return n, mistake.told() if plain else f"{mistake.told()} {problems[n]}"
    first = failed[0]
    if len(outcomes) < len(instances) or any(outcome.error or outcome.changed for outcome in outcomes):
        return first, problems[first]
    values = [outcome.value for outcome in outcomes]
    known = name_of_mistake(task, instances, values)
    if known is None and not task.accepts:
        known = is_nearly(task, expected, values) or common_factor(expected, values)
    return first, known or problems[first]


def name_of_mistake(task, instances, values):
    """A sentence if the values are what a known mistake gives, else None."""
    for agreeing in dict.fromkeys([None, task.agreeing]):  # exactly alike first
        for mistake in task.mistakes:
            if not mistake.shows and makes(mistake, values, instances, agreeing):
                return mistake.told()
    return None


def is_nearly(task, expected, values):
    """A sentence if all values agree to some digits, else None."""
    pairs = zip(values, expected, strict=True)
    if any(compare(value, right, task.agreeing, NEARLY) for value, right in pairs):
        return None
    return "It is nearly right: the first digits agree. Does a loop stop too early, or is a number rounded?"


def common_factor(expected, values):
    """A sentence if all results, or one of several, are off by one factor on all instances, else None."""
    columns = [(values, expected)]
    if isinstance(expected[0], tuple):
        values = [several(value, right) for value, right in zip(values, expected, strict=True)]
        if not all(isinstance(value, tuple | list) and len(value) == len(expected[0]) for value in values):
            return None
        columns = zip(zip(*values, strict=True), zip(*expected, strict=True), strict=True)
    ratios = [common_ratio(*column) for column in columns]
    if None in ratios:
        return None
    off = [place for place, ratio in enumerate(ratios) if abs(ratio - 1) > CLOSE]
    ratio = ratios[off[0]] if off else 1.0
    if len(off) == len(ratios) and np.allclose(ratios, ratio, rtol=CLOSE):
        who, whose = "It", ""
    elif len(off) == 1:
        who, whose = f"The {PLACES[off[0]]} result", f" of the {PLACES[off[0]]} result"
    else:
        return None
    if abs(ratio + 1) < CLOSE:
        return f"The sign{whose} is the wrong way round, everywhere."
    return f"{who} is {ratio:.4g} times what it should be, everywhere: a factor is too many or too few."


def makes(mistake, values, instances, agreeing):
    """Does the mistake give these values?"""
    try:
        with np.errstate(all="ignore"):
            wrong = [mistake.wrong(*copy.deepcopy(arguments)) for arguments in instances]
    except Exception:  # a mistake may have no result here, such as the inverse of a singular matrix
        return False
    if all(is_nan(value) for value in values):  # nobody can tell where that came from
        return False
    return all(same(value, other, agreeing) for value, other in zip(values, wrong, strict=True))


def shows_itself(mistake, outcome, arguments):
    """Is its symptom in the value?"""
    if outcome.error is not None:
        return False
    try:
        with np.errstate(all="ignore"):
            return bool(mistake.shows(outcome.value, *copy.deepcopy(arguments)))
    except Exception:  # a value of another kind
        return False
