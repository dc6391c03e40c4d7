"""Cells to fill: what is asked, and how an answer is judged.

A task knows how to draw a random instance, the worked solution, and the wrong answers that people usually give. An
answer is run on fresh instances; where it differs from the solution, the message says on which instance, what came out
and what should have, and names the mistake if it is a known one.
"""

import copy
import dis
import html
import inspect
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sparsekm_edu.exercises.running import parameters, run
from sparsekm_edu.validation import shown

INSTANCES = 6
LIMIT = 4.0  # seconds for all of them together
CLOSE = 1e-6  # relative to the largest entry of the right answer
SHORT = 12  # entries of an array that is written out


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that people give: its name, the function that makes it, and what to look at."""

    name: str
    wrong: Callable
    look: str


@dataclass(frozen=True)
class Task:
    """A function to write.

    asks: one line, what to do; instance: rng -> the positional arguments; solution: the worked one; mistakes: at least
    three; hints: shown one at a time; instances: how many are tried, more where there are cases to be met; up_to: where
    many arrays are right, what of them has to agree, as a name and a function of the array.
    """

    id: str
    asks: str
    instance: Callable
    solution: Callable
    mistakes: tuple
    hints: tuple
    instances: int = INSTANCES
    up_to: tuple = ()

    def agreeing(self, array):
        """What of an array has to agree."""
        with np.errstate(all="ignore"):  # it may hold infinities
            return self.up_to[1](array) if self.up_to else array


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
    if not callable(answer):
        whole = f'exercises.check("{task.id}", {task.solution.__name__})'
        return Result(False, f"A function is wanted, without brackets, as in {whole}; got {written(answer)}.")
    instances = [task.instance(np.random.default_rng([seed, n])) for n in range(task.instances)]
    misfit = wrong_parameters(task, answer, instances[0])
    if misfit:
        return Result(False, misfit)
    expected = [task.solution(*copy.deepcopy(arguments)) for arguments in instances]
    outcomes, printed = run(answer, instances, LIMIT)
    for n, outcome in enumerate(outcomes):
        problem = what_is_wrong(outcome, expected[n], printed, task.agreeing)
        if problem == UNFILLED:
            return your_turn
        if problem is not None:
            known = name_of_mistake(task, instances, expected, outcomes) or problem
            where = whereabouts(task, instances[n], outcome, expected[n])
            again = f'The same instances again: exercises.check("{task.id}", {task.solution.__name__}, seed={seed}).'
            return Result(
                False,
                f"{known}\n{where} {again}",
                seed=seed,
                instance=instances[n],
                got=outcome.value,
                expected=expected[n],
            )
    if len(outcomes) < len(instances):
        slow = f"It did not end within {LIMIT:g} seconds. Is there a loop whose condition stays true?"
        return Result(False, slow, seed=seed, instance=instances[len(outcomes)])
    return Result(
        True, f"It agrees with the worked solution on {task.instances} random instances.", seed=seed
    )


def whereabouts(task, arguments, outcome, expected):
    """On which instance, what came out, and what should have."""
    where = f"For {describe(task.solution, arguments)}"
    if outcome.error is not None:
        return f"{where}: {written(expected)} is right."
    if outcome.changed and compare(outcome.value, expected, task.agreeing) is None:
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


def describe(function, arguments):
    """The arguments by name: small ones written out, large arrays by their shape."""
    words = []
    for name, value in zip(parameters(function, len(arguments)), arguments, strict=True):
        large = isinstance(value, np.ndarray) and value.size > 4
        words.append(f"{name} of shape {value.shape}" if large else f"{name} = {written(value)}")
    return ", ".join(words)


def written(value):
    """A value on one line, numbers with six digits."""
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))})"
    if isinstance(value, float | np.floating):
        return f"{value + 0.0:.6g}"  # minus zero is zero
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.size <= SHORT:
        return " ".join(np.array2string(value, precision=6, separator=", ").split())
    return f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else shown(value)


# ---- comparing ------------------------------------------------------------------------------------------
UNFILLED, DIFFERENT = "unfilled", "The result differs."


def what_is_wrong(outcome, expected, printed, agreeing):
    """None if all is well; UNFILLED, or a sentence."""
    if outcome.error is not None:
        if "ellipsis" in str(outcome.error):
            return UNFILLED
        return f"It stopped with {type(outcome.error).__name__}: {shown_error(outcome.error)}."
    value = outcome.value
    if value is None:
        if printed:
            return "It prints its result but returns None: only what is returned can be used by others."
        return "It returns None. Is the return missing?"
    if has_ellipsis(value):
        return UNFILLED
    problem = compare(value, expected, agreeing)
    if outcome.changed:
        altered = " and ".join(outcome.changed)
        verdict = "The result is right, but" if problem is None else f"{problem} And"
        return f"{verdict} the function changes its argument {altered}, which belongs to the caller: work on a copy."
    return problem


def shown_error(error):
    text = " ".join(str(error).split())
    return (text if len(text) <= 200 else text[:200] + "...").rstrip(".") or "no reason given"


def has_ellipsis(value):
    return value is ... or (isinstance(value, tuple | list) and any(part is ... for part in value))


def compare(value, expected, agreeing):
    """None if value is close to expected in all that has to agree, else a sentence."""
    if isinstance(expected, str):
        if not isinstance(value, str):
            return f"A word is wanted, not something of type {type(value).__name__}."
        return None if value == expected else DIFFERENT
    if isinstance(expected, tuple):
        if not isinstance(value, tuple | list) or len(value) != len(expected):
            return f"{len(expected)} results are wanted, separated by commas after return."
        found = [compare(mine, right, agreeing) for mine, right in zip(value, expected, strict=True)]
        sentences = [problem for problem in found if problem not in (None, DIFFERENT)]
        return sentences[0] if sentences else DIFFERENT if DIFFERENT in found else None
    numbers, right = as_numbers(value), np.asarray(expected, dtype=float)
    if numbers is None:
        return f"Numbers are wanted, not something of type {type(value).__name__}."
    if numbers.shape != right.shape:
        wanted = f"an array of shape {right.shape}" if right.ndim else "one number"
        found = f"an array of shape {numbers.shape}" if numbers.ndim else "one number"
        return f"It returns {found}, and {wanted} is wanted."
    if np.any(np.isnan(numbers)):
        return "There is a nan in it: 0/0, infinity minus infinity, or the root of a negative number."
    return None if is_close(agreeing(numbers), agreeing(right)) else DIFFERENT


def as_numbers(value):
    """A float array, or None."""
    try:
        array = np.asarray(value)
        return array.astype(float) if array.dtype.kind in "biuf" else None
    except Exception:  # objects of all kinds
        return None


def is_close(numbers, right):
    finite = right[np.isfinite(right)]
    scale = np.abs(finite).max() if finite.size else 1.0
    return np.allclose(numbers, right, rtol=CLOSE, atol=CLOSE * scale)


# ---- known mistakes -------------------------------------------------------------------------------------


def name_of_mistake(task, instances, expected, outcomes):
    """A sentence if all that came out is what a known mistake gives, else None."""
    values = [outcome.value for outcome in outcomes if outcome.error is None and not outcome.changed]
    if len(values) < len(instances):
        return None
    for mistake in task.mistakes:
        with np.errstate(all="ignore"):
            wrong = [mistake.wrong(*copy.deepcopy(arguments)) for arguments in instances]
        if all(same(value, w) for value, w in zip(values, wrong, strict=True)):
            return f"This looks like a known mistake, {mistake.name}: {mistake.look}."
    ratio = common_ratio(values, expected)
    if ratio is None:
        return None
    if abs(ratio + 1) < CLOSE:
        return "The sign is the wrong way round, everywhere."
    return f"It is {ratio:.4g} times what it should be, everywhere: a factor is too many or too few."


def same(value, wrong):
    """Is value what the mistake gives? A nan is wherever the mistake has one."""
    if isinstance(wrong, tuple):
        return isinstance(value, tuple | list) and len(value) == len(wrong) and all(map(same, value, wrong))
    if isinstance(wrong, str):
        return isinstance(value, str) and value == wrong
    mine, other = as_numbers(value), as_numbers(wrong)
    if mine is None or other is None or mine.shape != other.shape:
        return False
    gaps = np.isnan(other)
    return np.array_equal(np.isnan(mine), gaps) and is_close(mine[~gaps], other[~gaps])


def common_ratio(values, expected):
    """The one number that all results are off by, None if there is no such number."""
    try:
        mine = np.concatenate([np.ravel(np.asarray(v, float)) for v in values])
        right = np.concatenate([np.ravel(np.asarray(e, float)) for e in expected])
    except Exception:  # several results, words, objects of all kinds
        return None
    alike = all(np.shape(v) == np.shape(e) for v, e in zip(values, expected, strict=True))
    finite = alike and np.all(np.isfinite(mine)) and np.all(np.isfinite(right))
    if not finite or not right @ right:
        return None
    ratio = mine @ right / (right @ right)
    return ratio if ratio and is_close(mine, ratio * right) else None
