"""Numbers that users type: one sentence that names the parameter, its value and what is allowed."""

from numbers import Integral, Real

import numpy as np


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
    is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if not is_number or not (value > above and at_least <= value <= at_most):  # the latter also catches nan
        raise ValueError(f"{name} must be {allowed}, got {value!r}.")
    if value == np.inf and not infinite:
        raise ValueError(f"{name} must be {allowed}, got {value!r}.")
    return float(value)


def whole_number(name, value, at_least):
    """Return `value` as an int, or say in one sentence why it is not a whole number >= `at_least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or value < at_least:
        raise ValueError(f"{name} must be a whole number >= {at_least}, got {value!r}.")
    return int(value)
