"""The maximum margin: PRML figures 7.1 (MLaPP 14.11) and 7.2.

Each figure is a view (artists made once, then moved: an explorer keeps it alive) and a function that draws
the view once on given Axes. Nothing is fitted here.
"""

import numpy as np

from sparsekm_edu.figures.layers import (
    Grips,
    MarginBand,
    Points,
    Rings,
    Segments,
    StraightLine,
    Surface,
    View,
    grid_over,
)
from sparsekm_edu.figures.style import SQUARE, WIDE, describe, dress


def signed_distances(X, t, w, b):
    """t_n (w'x_n + b) / |w|: the distance of each point from the line, negative on the wrong side, (7.2)."""
    return t * (X @ w + b) / np.linalg.norm(w)


class TwoMargins(View):
    """Figure 7.1: any separating line has a margin (left); one line has the largest (right)."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, SQUARE, "$x_1$", "$x_2$", "any line", equal=True)
        dress(right, SQUARE, "$x_1$", "", "the maximum-margin line", equal=True)
        self.own_band = self.add(MarginBand(left, "own"))
        self.own_line = self.add(StraightLine(left, "own"))
        self.own_points = self.add(Points(left))
        self.own_distance = self.add(Segments(left, "ink", 3.0, zorder=6))
        self.grips = self.add(Grips(left))
        self.band = self.add(MarginBand(right, "good"))
        self.line = self.add(StraightLine(right, "good"))
        self.edges = self.add(StraightLine(right, "good", 1.5, "--"))
        self.points = self.add(Points(right))
        self.rings = self.add(Rings(right))

    def update(self, X, t, own, best, support):
        """own, best: (w, b) of the two lines; support: indices of the support vectors of the best one."""
        distance = signed_distances(X, t, *own)
        margin, closest = distance.min(), X[distance.argmin()]
        w, b = own
        foot = closest - w * (w @ closest + b) / (w @ w)
        self.own_band.update(w, b, max(0.0, margin) * np.linalg.norm(w))
        self.own_line.update(w, b)
        self.own_distance.update([(closest, foot)] if margin > 0 else [])
        self.own_points.update(X, t)
        self.band.update(*best, 1.0)  # canonical form: y = +-1 on the edges, (7.4)
        self.line.update(*best)
        self.edges.update(*best, levels=(-1.0, 1.0))
        self.points.update(X, t)
        self.rings.update(X[support])
        describe(
            self.axes[0],
            f"Figure 7.1. Two panels with the same {len(t)} points of two classes. Left, a straight line with "
            f"{np.sum(distance <= 0)} points on the wrong side and a margin of {margin:.3f}. Right, the "
            f"maximum-margin line: the closest points are "
            f"{1 / np.linalg.norm(best[0]):.3f} away, {len(support)} of them are circled as support vectors.",
        )


def figure_7_1(left, right, X, t, own, best, support):
    """Left: the line `own` = (w, b) with its margin. Right: the maximum-margin line `best` = (w, b)."""
    view = TwoMargins(left, right)
    view.update(X, t, own, best, support)
    return view


class MarginSurface(View):
    """Figure 7.2: contours of y(x) for a kernel machine, with y = -1, 0, 1 and the support vectors."""

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, WIDE, "$x_1$", "$x_2$", equal=True)
        self.surface = self.add(Surface(ax))
        self.points = self.add(Points(ax))
        self.rings = self.add(Rings(ax))

    def update(self, X, t, grid, Y, support):
        """grid: (x1, x2), axes of the values Y of y(x); support: indices of the support vectors."""
        self.surface.update(*grid, Y)
        self.points.update(X, t)
        self.rings.update(X[support])
        describe(
            self.axes[0],
            f"Figure 7.2. Contours of y(x) over the plane with {len(t)} points of two classes; the decision "
            f"boundary y = 0 is solid, the margins y = -1 and y = 1 are dashed, and {len(support)} support "
            f"vectors are circled. y(x) runs from {Y.min():.2f} to {Y.max():.2f}.",
        )


def figure_7_2(ax, X, t, model):
    """Contours of y(x) = `model.surface`, and the support vectors of the fitted `model`."""
    view = MarginSurface(ax)
    grid = grid_over(WIDE)
    view.update(X, t, grid, model.surface(*grid), model.support_)
    return view
