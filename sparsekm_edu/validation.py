"""Numbers that users type: one sentence that names the parameter, its value and what is allowed."""

from numbers import Integral, Real

import numpy as np


class Impossible(ValueError):
    """What was asked for makes sense but does not exist: no separating line, no such nu. The sentence says why."""


def real_number(name, value, above=-np.inf, at_least=-np.inf, at_most=np.inf, infinite=False):
    """Return `value` as a float, or say in one sentence why it is not a number within the limits.

    With `infinite=True` plus infinity is allowed too (C = inf is the hard margin). Booleans, strings and
    arrays are refused even where Python would convert them: they are slips, not numbers.
    """
    if at_most < np.inf:
        allowed = f"a number in ({above:g}, {at_most:g}]"
    elif at_least > -np.inf:
        allowed = f"a number >= {at_least:g}"
    else:
        allowed = "a finite number" if above == -np.inf else f"a number > {above:g}"
    allowed += " (infinity is allowed)" if infinite else ""
    refusal = ValueError(f"{name} must be {allowed}, got {shown(value)}.")
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise refusal
    try:
        number = float(value)
    except OverflowError:  # a whole number of hundreds of digits
        raise refusal from None
    if not (number > above and at_least <= number <= at_most) or (
        number == np.inf and not infinite
    ):  # nan too
        raise refusal
    return number


def whole_number(name, value, at_least):
    """Return `value` as an int, or say in one sentence why it is not a whole number >= `at_least`."""
    if (
        isinstance(value, bool | np.bool_)
        or not isinstance(value, Integral)
        or not at_least <= value <= np.iinfo(np.int64).max
    ):
        raise ValueError(f"{name} must be a whole number >= {at_least}, got {shown(value)}.")
    return int(value)


def shown(value):
    """What was given, on one line, cut short if it is long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a number of thousands of digits, or an object that fails when it is asked
        text = f"something of type {type(value).__name__}"
    return text if len(text) <= 300 else f"{text[:300]}..."
