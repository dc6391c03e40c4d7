"""Numbers that users type: one sentence that names the parameter, its value and what is allowed."""

from numbers import Integral, Real

import numpy as np


def real_number(name, value, above=-np.inf, infinite=False):
    """Return `value` as a float, or say in one sentence why it is not a number greater than `above`.

    With `infinite=True` plus infinity is allowed too (C = inf is the hard margin). Booleans, strings and
    arrays are refused even where Python would convert them: they are slips, not numbers.
    """
    allowed = "a finite number" if above == -np.inf else f"a number > {above:g}"
    allowed += " (infinity is allowed)" if infinite else ""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise ValueError(f"{name} must be {allowed}, got {value!r}.")
    if not value > above or (value == np.inf and not infinite):  # `not >` also catches nan
        raise ValueError(f"{name} must be {allowed}, got {value!r}.")
    return float(value)


def whole_number(name, value, at_least):
    """Return `value` as an int, or say in one sentence why it is not a whole number >= `at_least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or value < at_least:
        raise ValueError(f"{name} must be a whole number >= {at_least}, got {value!r}.")
    return int(value)
