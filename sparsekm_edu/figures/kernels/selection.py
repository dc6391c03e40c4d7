"""Choosing C and gamma by cross-validation: MLaPP figure 14.15, a map of errors and a slice through it.

Both panels have C along the same axis. What cross-validation says is drawn in ink, what is true in green; nobody who
has only the data can draw the second.
"""

import numpy as np
from matplotlib.ticker import LogLocator, NullLocator

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Boundary,
    Grips,
    Label,
    Points,
    Relief,
    Segments,
    Surface,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import describe, dress, palette_of

MIXTURE = (-2.6, 4.2, -3.0, 4.4)  # window of `datasets.mixture`
RISES = np.array([0.01, 0.02, 0.035, 0.055, 0.08, 0.12, 0.18])  # above the least error
ERRORS = 0.1, 0.6  # window of the slice


def _window(C):
    """From half a step before the first C to half a step behind the last."""
    return C[0] * np.sqrt(C[0] / C[1]), C[-1] * np.sqrt(C[-1] / C[-2])


def _along_powers(ax, name):
    """Make an axis logarithmic, with few ticks and plain numbers on them."""
    getattr(ax, f"set_{name}scale")("log")
    axis = getattr(ax, f"{name}axis")
    axis.set_major_locator(LogLocator(100 if name == "x" else 10))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_locator(NullLocator())


class ErrorMap(View):
    """Figure 14.15 (a): the error of cross-validation over C and gamma, a deeper shade where it is larger.

    A thick line around all cells within one standard error of the best; a star on the best, a ring on the simplest
    within that line; for each gamma the C of least true error, and gamma^2 C = 1, beside which these lie where kernels
    are wide.
    """

    def __init__(self, ax, C, gamma):
        super().__init__(ax)
        dress(ax, (*_window(C), *_window(gamma)), "$C$", "$\\gamma$")
        _along_powers(ax, "x")
        _along_powers(ax, "y")
        self.relief = self.add(Relief(ax))
        self.shades = self.add(Label(ax, size=10, ha="right", va="top"))
        self.near = self.add(Boundary(ax, "ink", 1.6))
        self.best = self.add(dot(ax, "ink", "*", 15))
        at_the_edge = {"clip_on": False, "in_layout": False}  # where they may lie
        self.best.set(label="least CV error", **at_the_edge)
        curve(ax, label="within 1 s.e. of it", width=1.6)  # for the legend, which knows no contours
        ring = {"markersize": 10, "markerfacecolor": "none", "markeredgewidth": 1.8, **at_the_edge}
        self.simplest = self.add(curve(ax, "ink", 0.0, "o", zorder=7, label="simplest of these", **ring))
        self.true_ridge = self.add(curve(ax, "good", 2.2, "--", label="truly best $C$"))
        self.guide = self.add(curve(ax, "ink", 1.4, ":", label="$\\gamma^2C=1$"))

    def update(self, scores, true):
        """scores: with C (n_C,), gamma (n_gamma,), mean and standard_error (n_gamma, n_C), best and one_standard_error,
        as GridScores has them; true (n_gamma, n_C): the true errors."""
        C, gamma, mean = scores.C, scores.gamma, scores.mean
        row, column = scores.place(scores.best)
        levels = mean.min() + RISES
        self.relief.update(C, gamma, mean, levels)
        self.shades.update(
            (C[-1], gamma[-1]), f"unshaded: below {levels[0]:.0%}; deepest: above {levels[-1]:.0%}"
        )
        self.near.update(C, gamma, mean - mean.min() - scores.standard_error[row, column] - 1e-9)
        self.guide.set_data(1 / gamma**2, gamma)
        self.true_ridge.set_data(C[true.argmin(axis=1)], gamma)
        self.best.set_data([C[column]], [gamma[row]])
        self.simplest.set_data(*np.reshape(scores.one_standard_error, (2, 1)))


class ErrorSlice(View):
    """Figure 14.15 (b): one gamma. The error of cross-validation for every C, bars of one standard error at the C of
    the grid, the true error, and the Bayes error, below which nobody gets."""

    def __init__(self, ax, C):
        super().__init__(ax)
        dress(ax, (*_window(C), *ERRORS), "$C$", "error")
        _along_powers(ax, "x")
        ax.yaxis.set_major_formatter("{x:.0%}")
        self.bars = self.add(Segments(ax, "faint", 1.6))
        self.line = self.add(curve(ax, "ink", 1.8, label="CV"))
        self.true = self.add(curve(ax, "good", 2.2, "--", label="true"))
        self.bayes = self.add(curve(ax, "good", 1.6, ":", label="Bayes"))

    def update(self, cells, mean, standard_error, every, true, bayes):
        """cells (n_C,): the C of the grid, with mean, standard_error and true error (n_C,); every: C (n,) and error
        (n,) of cross-validation at as many C as one likes; bayes: a number."""
        ends = np.stack([mean - standard_error, mean + standard_error])
        self.bars.update(np.stack([np.stack([cells, end], axis=1) for end in ends], axis=1))
        self.line.set_data(*every)
        self.true.set_data(cells, true)
        self.bayes.set_data(self.axes[0].get_xlim(), [bayes, bayes])


def told(scores, true, bayes):
    """The map in words."""
    at = scores.place(scores.best)
    simple = scores.place(scores.one_standard_error)
    return (
        f"The error of cross-validation over C and gamma is least, {scores.mean[at]:.1%}, at C = {scores.best.C:g} and "
        f"gamma = {scores.best.gamma:g}, where the true error is {true[at]:.1%}. The simplest machine within one "
        f"standard error has C = {scores.one_standard_error.C:g}, gamma = {scores.one_standard_error.gamma:g} and a "
        f"true error of {true[simple]:.1%}. The Bayes error is {bayes:.1%}."
    )


def figure_14_15(left, right, scores, one_gamma, true, bayes):
    """The errors of a grid, and a slice through them.

    scores, GridScores of the grid; one_gamma, GridScores of one of its gammas and many C; true (n_gamma, n_C), the true
    errors of the cells; bayes, the Bayes error.
    """
    (gamma,) = one_gamma.gamma
    row = int(np.flatnonzero(scores.gamma == gamma)[0])
    surface, line = ErrorMap(left, scores.C, scores.gamma), ErrorSlice(right, scores.C)
    surface.update(scores, true)
    every = one_gamma.C, one_gamma.mean[0]
    line.update(scores.C, scores.mean[row], scores.standard_error[row], every, true[row], bayes)
    surface.add(Segments(left, "own", 1.2)).update([[(edge, gamma) for edge in left.get_xlim()]])
    right.set_title(
        f"$\\gamma$ = {gamma:g}", fontsize=13, pad=24, color=palette_of(right).ink
    )  # above the legend
    legend(left, **ABOVE_THE_AXES)
    legend(right, **ABOVE_THE_AXES | {"ncols": 3})
    describe(left, f"Figure 14.15. {told(scores, true, bayes)} The slice shows gamma = {gamma:g}.")
    return surface, line


class CellAndBoundary(View):
    """Figure 14.15 alive: beside the map and the slice the boundary of the cell that was chosen, on the data."""

    def __init__(self, plane, surface, line, C, gamma):
        super().__init__(plane, surface, line)
        dress(plane, MIXTURE, title="large: support vectors", equal=True)
        plane.set(xticks=[], yticks=[])
        self.map = self.add(ErrorMap(surface, C, gamma))
        self.map.relief.lines.set_visible(False)  # they double what goes to the page
        self.slice = self.add(ErrorSlice(line, C))
        surface.set_xlabel("")
        surface.tick_params(labelbottom=False)
        self.y = self.add(Surface(plane))
        self.others = self.add(Points(plane, size=9))
        self.support = self.add(Points(plane, size=30))  # rings around so many points would hide the classes
        self.row = self.add(Segments(surface, "own", 1.0))
        self.cell = self.add(Grips(surface))
        self.column = self.add(Segments(line, "own", 1.0))
        self.here = self.add(dot(line, "own", "D", 8))
        legend(surface, **ABOVE_THE_AXES | {"bbox_to_anchor": (0.48, 1.0)})
        legend(line, **ABOVE_THE_AXES | {"bbox_to_anchor": (0.48, 1.0), "ncols": 3})
        self.shown = None

    def update(self, X, t, grid, machine, cell, scores, every, true, bayes):
        """machine: Y (H, W) on the grid (x1, x2) and the indices of the support vectors; cell: C, gamma; every: C (n,)
        and error (n,) at this gamma; scores, true, bayes as in `figure_14_15`."""
        Y, kept = machine
        row, column = scores.place(cell)
        if self.shown is not scores:
            self.map.update(scores, true)
            self.shown = scores
        self.slice.update(scores.C, scores.mean[row], scores.standard_error[row], every, true[row], bayes)
        self.y.update(*grid, Y)
        self.others.update(np.delete(X, kept, axis=0), np.delete(t, kept))
        self.support.update(X[kept], t[kept])
        C, gamma = cell
        _, surface, line = self.axes
        self.row.update([[(edge, gamma) for edge in surface.get_xlim()]])
        self.column.update([[(C, edge) for edge in line.get_ylim()]])
        self.cell.update([cell])
        self.here.set_data([C], [scores.mean[row, column]])
        describe(self.axes[0], told(scores, true, bayes))
