"""Is an answer right, and if not, how is it wrong? Values side by side, and values in words."""

import numpy as np

from sparsekm_edu.exercises.running import parameters
from sparsekm_edu.exercises.symbolic import is_symbolic
from sparsekm_edu.validation import shown

CLOSE = 1e-6  # relative to the largest entry of the right answer
SHORT = 12  # entries of an array that is written out
DIFFERENT, ALL_DIFFERENT = "The result differs.", "The results differ."
PLACES = "first", "second", "third", "fourth", "fifth"


def compare(value, expected, agreeing=None, close=CLOSE):
    """None if value is close to expected in all that has to agree, else a sentence."""
    if isinstance(expected, str):
        if not isinstance(value, str):
            return f"A word is wanted, not something of type {type(value).__name__}."
        return None if value == expected else DIFFERENT
    if isinstance(expected, tuple):
        value = several(value, expected)
        if not isinstance(value, tuple | list) or len(value) != len(expected):
            return f"{len(expected)} results are wanted, separated by commas after return."
        found = [compare(mine, right, agreeing, close) for mine, right in zip(value, expected, strict=True)]
        return None if found.count(None) == len(found) else which_of(found)
    numbers, right = as_numbers(value), np.asarray(expected, dtype=float)
    if numbers is None:
        return no_numbers(value)
    if right.ndim == 0 and numbers.size == 1:  # one number in brackets is one number
        numbers = numbers.reshape(())
    mine, theirs = what_agrees(numbers, agreeing), what_agrees(right, agreeing)
    if np.shape(mine) != np.shape(theirs):
        return f"It returns {form(numbers)}, and {form(right)} is wanted."
    if np.any(np.isnan(numbers)):
        return "There is a nan in it: 0/0, infinity minus infinity, or the root of a negative number."
    return None if is_close(mine, theirs, close) else DIFFERENT


def what_agrees(numbers, agreeing):
    """What of an array has to agree; the array itself where that cannot be told, as its shape is another."""
    if agreeing is None:
        return numbers
    try:
        with np.errstate(all="ignore"):  # it may hold infinities
            return np.asarray(agreeing(numbers))
    except Exception:
        return numbers


def several(value, wanted):
    """Several results may come in one array, one after the other."""
    return list(value) if isinstance(value, np.ndarray) and np.shape(value)[:1] == (len(wanted),) else value


def which_of(problems):
    """A sentence about each of several results, where not all of them differ."""
    if problems.count(DIFFERENT) == len(problems):
        return ALL_DIFFERENT
    told = {None: "is right", DIFFERENT: "differs"}
    parts = [
        f"the {place} result {told[problem]}"
        if problem in told
        else f"the {place} result: {problem.rstrip('.')}"
        for place, problem in zip(PLACES, problems, strict=False)
    ]
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def form(numbers):
    return f"an array of shape {numbers.shape}" if numbers.ndim else "one number"


def as_numbers(value):
    """A float array, or None."""
    try:
        array = np.asarray(value)
        exact = array.dtype.kind == "O" and all(map(is_symbolic, array.flat))  # sympy's numbers
        array = np.real_if_close(array)  # some routines give complex numbers that are real
        return array.astype(float) if exact or array.dtype.kind in "biuf" else None
    except Exception:  # objects of all kinds
        return None


def no_numbers(value):
    """A sentence about a value that is not made of real numbers."""
    try:
        is_complex = np.asarray(value).dtype.kind == "c"
    except Exception:  # objects of all kinds
        is_complex = False
    return (
        "Real numbers are wanted, and these are complex."
        if is_complex
        else f"Numbers are wanted, not something of type {type(value).__name__}."
    )


def is_close(numbers, right, close=CLOSE):
    finite = right[np.isfinite(right)]
    scale = np.abs(finite).max() if finite.size else 1.0
    return np.allclose(numbers, right, rtol=close, atol=close * scale)


def same(value, wrong, agreeing=None, close=CLOSE):
    """Is value what a mistake gives? A nan is wherever the mistake has one."""
    if isinstance(wrong, tuple):
        value = several(value, wrong)
        return (
            isinstance(value, tuple | list)
            and len(value) == len(wrong)
            and all(same(mine, other, agreeing, close) for mine, other in zip(value, wrong, strict=True))
        )
    if isinstance(wrong, str):
        return isinstance(value, str) and value == wrong
    mine, other = as_numbers(value), as_numbers(wrong)
    if mine is None or other is None:
        return False
    if other.ndim == 0 and mine.size == 1:
        mine = mine.reshape(())
    mine, other = what_agrees(mine, agreeing), what_agrees(other, agreeing)
    if mine.shape != other.shape:
        return False
    gaps = np.isnan(other)
    return np.array_equal(np.isnan(mine), gaps) and is_close(mine[~gaps], other[~gaps], close)


def is_nan(value):
    """Is there nothing but nan in it?"""
    if isinstance(value, tuple | list):
        return all(map(is_nan, value))
    numbers = as_numbers(value)
    return numbers is not None and bool(np.isnan(numbers).all())


def common_ratio(values, expected):
    """The one number that all results are off by, None if there is no such number."""
    values = [as_numbers(value) for value in values]
    if any(value is None for value in values) or any(isinstance(right, str | tuple) for right in expected):
        return None
    mine, right = (np.concatenate([np.ravel(each) for each in both]) for both in (values, expected))
    alike = all(np.shape(v) == np.shape(e) or np.size(v) == np.size(e) == 1 for v, e in zip(values, expected))
    finite = alike and np.all(np.isfinite(mine)) and np.all(np.isfinite(right))
    if not finite or not right @ right:
        return None
    ratio = mine @ right / (right @ right)
    return ratio if ratio and is_close(mine, ratio * right) else None


# ---- in words -------------------------------------------------------------------------------------------


def describe(function, arguments):
    """The arguments by name: small ones written out, large arrays by their shape."""
    words = []
    for name, value in zip(parameters(function, len(arguments)), arguments, strict=True):
        if isinstance(value, np.ndarray) and value.size > 4:
            words.append(f"{name} of shape {value.shape}")
        elif isinstance(value, list) and len(value) > 4:
            words.append(f"{name}, a list of {len(value)}")
        else:
            words.append(f"{name} = {written(value)}")
    return ", ".join(words)


def written(value):
    """A value on one line, numbers with six digits."""
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))})"
    if isinstance(value, list):
        inside = f"[{', '.join(map(written, value[:SHORT]))}]"
        return inside if len(value) <= SHORT and len(inside) <= 200 else f"a list of {len(value)}"
    if isinstance(value, float | np.floating):
        return f"{value + 0.0:.6g}"  # minus zero is zero
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.size <= SHORT:
        return " ".join(np.array2string(value, precision=6, separator=", ").split())
    return f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else shown(value)
