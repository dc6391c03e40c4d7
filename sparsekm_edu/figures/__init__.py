"""Every figure of the course: functions that draw arrays and results on given Axes, and never fit anything."""

from sparsekm_edu.figures.foundations import figure_14_12a, figure_parzen_limit
from sparsekm_edu.figures.lagrange import figure_kkt, figure_lagrange
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.margins import figure_7_1, figure_7_2
from sparsekm_edu.figures.style import DARK, LIGHT, SQUARE, WIDE, panels

__all__ = [
    "DARK",
    "LIGHT",
    "SQUARE",
    "WIDE",
    "figure_14_12a",
    "figure_7_1",
    "figure_7_2",
    "figure_kkt",
    "figure_lagrange",
    "figure_parzen_limit",
    "grid_over",
    "panels",
]
