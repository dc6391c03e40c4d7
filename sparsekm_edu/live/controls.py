"""Sliders, what they can show, and how numbers are written beside them."""

import math
from numbers import Real

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.validation import Impossible, shown

LARGEST = 1e9  # number in a field without a control


def slider(label, low, high, step):
    """A linear slider that answers while it moves."""
    return widgets.FloatSlider(description=label, min=low, max=high, step=step, readout_format=".3g")


def log_slider(label, low, high):
    """A slider over the powers of ten between two positive numbers, twenty steps a decade."""
    return widgets.FloatLogSlider(
        description=label,
        min=math.log10(low),
        max=math.log10(high),
        step=0.05,
        readout_format=".2r",
        value=low,
    )


def accepted(name, value, like, control=None):
    """`value` as the field `name` of a state holds it; Impossible, in one sentence, where it makes no sense there.

    like: a good value of the field, which tells its kind: bool, int, float, str, tuple or array. control: the widget
    that has to show it; None if there is none.
    """
    low, high = limits(control, like)
    try:
        good = of_the_kind(value, like, low, high)
        if not hasattr(control, "options") or good in choices(control):
            return good
    except Exception:  # of any kind: values have methods of their own
        pass
    raise Impossible(f"{name} must be {allowed(like, control, low, high)}, got {shown(value)}")


def of_the_kind(value, like, low, high):
    """`value` as the same kind of thing as `like`, its numbers between two others; an error if it is none."""
    if isinstance(like, np.ndarray):
        array = np.array(value)
        fits = array.dtype.kind in "biuf" and array.ndim == like.ndim and array.shape[1:] == like.shape[1:]
        if fits and ((low <= array) & (array <= high)).all():
            return array.astype(float)
    elif isinstance(like, tuple):
        if isinstance(value, tuple | list | np.ndarray):
            pairs = zip(value, like, strict=True)
            return tuple(of_the_kind(*pair, low, high) for pair in pairs) if like else tuple(value)
    elif isinstance(like, bool | str):
        plain = value.item() if isinstance(value, np.generic) else value
        if type(plain) is type(like):
            return plain
    elif isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        whole = isinstance(like, int)
        if low <= value <= high and not (whole and value % 1):  # 2.0 is a whole number
            return int(value) if whole else float(value)
    raise ValueError(value)


def allowed(like, control, low, high):
    """What `accepted` accepts, in words."""
    if isinstance(like, bool):
        return "True or False"
    if hasattr(control, "options"):
        return f"one of {', '.join(map(str, choices(control)))}"
    if isinstance(like, str):
        return "a string"
    between = f"between {low:g} and {high:g}"
    if isinstance(like, np.ndarray):
        shape = ", ".join(["N", *map(str, like.shape[1:])]) + ("," if like.ndim == 1 else "")
        return f"an array of numbers {between}, of shape ({shape})"
    if isinstance(like, tuple):
        return f"a tuple like {like}, with numbers {between}" if like else "a tuple"
    return f"a {'whole ' if isinstance(like, int) else ''}number {between}"


def choices(control):
    """The values that a control with options can have."""
    return [option[1] if isinstance(option, tuple) else option for option in control.options]


def limits(control, like=0.0):
    """The smallest and the largest number that a control can show; without one, what can be drawn and squared.

    Whole numbers that no control shows are counts and seeds.
    """
    if isinstance(control, widgets.FloatLogSlider):
        return control.base**control.min * (1 - 1e-9), control.base**control.max * (1 + 1e-9)
    return getattr(control, "min", 0 if isinstance(like, int) else -LARGEST), getattr(control, "max", LARGEST)


def rounding(control, old, new):
    """Is `new` only `old` on the grid of a slider? The page reports that, too, but nobody has moved anything."""
    if isinstance(control, widgets.FloatLogSlider):
        return abs(math.log(new / old, control.base)) < 0.49 * control.step
    return isinstance(control, widgets.FloatSlider) and abs(new - old) < 0.49 * control.step


def four(number):
    """Four decimals, and no minus sign on what rounds to zero."""
    return f"{round(number, 4) + 0.0:.4f}"


def certificate(violation):
    """A KKT violation in the readout: below 1e-8 its digits are rounding noise and differ between machines."""
    return "< 1e-8" if violation < 1e-8 else f"{violation:.0e}"


def readable(value, control):
    """The value of a field as a person would write it; a choice goes by the name that its control gives it."""
    value = control.label if hasattr(control, "label") else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(control, widgets.Text):  # there is room for so many letters
        return value if len(value) <= 20 else f"{value[:19]}…"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
