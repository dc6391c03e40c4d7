"""Every figure of the course, with something to draw: a module for each lesson.

FIGURES: name -> (draw, panels). `draw(axes)` computes, which takes no time beside painting, and draws; it returns the
view and what it was made from. The tests of a lesson look at its figures closely, test_figures.py at all of them.
"""

import pkgutil
from importlib import import_module

import numpy as np

from sparsekm_edu import figures


def on_sheet(name, palette=figures.LIGHT):
    """The figure on a sheet of its own: sheet, view and what it was made from."""
    draw, n = FIGURES[name]
    sheet, axes = figures.panels(n, palette=palette)
    return sheet, *draw(np.ravel(axes))


FIGURES = {
    name: drawn
    for module in pkgutil.walk_packages(__path__, f"{__name__}.")
    if not module.ispkg
    for name, drawn in import_module(module.name).FIGURES.items()
}
