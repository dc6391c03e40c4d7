"""Sliders, what they can show, and how numbers are written beside them."""

import math
from numbers import Integral, Real

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.validation import Impossible


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


def check_value(name, value, control):
    """Raise Impossible, in words, for what a control cannot show; without a control, for what is not finite."""
    if not finite(value):
        raise Impossible(f"{name} must be finite")
    if isinstance(control, widgets.Checkbox):
        if not isinstance(value, bool | np.bool_):
            raise Impossible(f"{name} must be True or False, got {value!r}")
    elif hasattr(control, "options"):
        values = [option[1] if isinstance(option, tuple) else option for option in control.options]
        if value not in values:
            raise Impossible(f"{name} must be one of {', '.join(map(str, values))}, got {value!r}")
    elif control is not None:
        whole = isinstance(control, widgets.IntSlider)
        if isinstance(value, bool | np.bool_) or not isinstance(value, Integral if whole else Real):
            raise Impossible(f"{name} must be a {'whole ' if whole else ''}number, got {value!r}")
        low, high = limits(control)
        if not low <= value <= high:
            raise Impossible(f"{name} must lie between {low:g} and {high:g}, got {value:g}")


def limits(control):
    """The smallest and largest value that a slider can show; everything, for what is no slider."""
    if isinstance(control, widgets.FloatLogSlider):
        return control.base**control.min * (1 - 1e-9), control.base**control.max * (1 + 1e-9)
    return getattr(control, "min", -math.inf), getattr(control, "max", math.inf)


def rounding(control, old, new):
    """Is `new` only `old` on the grid of a slider? The page reports that, too, but nobody has moved anything."""
    if isinstance(control, widgets.FloatLogSlider):
        return abs(math.log(new / old, control.base)) < 0.49 * control.step
    return isinstance(control, widgets.FloatSlider) and abs(new - old) < 0.49 * control.step


def finite(value):
    """Whether no number in a value of a field is nan or infinite."""
    value = np.asarray(value)
    return value.dtype.kind != "f" or bool(np.isfinite(value).all())


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
    return f"{value:.3g}" if isinstance(value, float) else str(value)
