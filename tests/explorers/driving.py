"""Driving an explorer without a page."""

from contextlib import contextmanager

import ipywidgets as widgets
import numpy as np

# Explorers that lead an algorithm by the hand
WITH_STEPS = [
    "descent",
    "evidence_climb",
    "irls_player",
    "medoids",
    "runaway",
    "scale_mixture",
    "sequential_player",
    "shattering",
    "smo_player",
]


def values_of(control, count=9):
    """Values through the whole range of a control, both ends included."""
    if isinstance(control, widgets.FloatLogSlider):
        # by Python's power, as the slider itself: numpy's may differ in the last digit
        return [control.base**power for power in np.linspace(control.min, control.max, count).tolist()]
    if isinstance(control, widgets.FloatSlider):
        return np.linspace(control.min, control.max, count)
    if isinstance(control, widgets.IntSlider):
        return np.unique(np.linspace(control.min, control.max, count).astype(int)).tolist()
    if isinstance(control, widgets.Checkbox):
        return [True, False]
    if isinstance(control, widgets.Text):
        return ["", "L", "QE and LQE", "LQE" * 50]
    return [option[1] if isinstance(option, tuple) else option for option in control.options]


BLANK = np.zeros((2, 2, 4), np.uint8)  # a picture that costs nothing


@contextmanager
def unpainted(explorer):
    """What happens meanwhile costs no pixels: everything else is computed, drawn and sent as ever."""
    paint, explorer.stage.pixels = explorer.stage.pixels, lambda: BLANK
    try:
        yield
    finally:
        explorer.stage.pixels = paint


def small(explorer):
    """The explorer, with pictures of a quarter of the pixels."""
    explorer._on_gesture({"type": "size", "scale": 0.5})
    return explorer


def float_sliders(explorer):
    """Field -> slider of every real number."""
    kinds = (widgets.FloatSlider, widgets.FloatLogSlider)
    return {field: control for field, control in explorer.widgets.items() if isinstance(control, kinds)}
