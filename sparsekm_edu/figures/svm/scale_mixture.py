"""The hinge loss as a mixture of Gaussians, MLaPP (14.68), and the support vector machine by EM."""

import numpy as np

from sparsekm_edu.figures.layers import POINT_SIZE, Points, Segments, StraightLine, View, curve, dot, legend
from sparsekm_edu.figures.style import describe, dress

SMALLEST, LARGEST = 0.25, 9.0  # size of a point on the scale of POINT_SIZE
MOST_STEPS = 80  # on the axis of steps
LOWEST = 1e-9  # excess of the objective: below it is rounding error


# ---- (14.68) --------------------------------------------------------------------------------------------
class HingeMixture(View):
    """Left, Gaussians that add up to exp(-2 hinge); right, the parabolas that EM puts in the place of the hinge."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, (-1.5, 5.0, 0.0, 1.75), "margin $m = t\\,y$", "", "Gaussians, mixed", grid=True)
        self.parts = self.add(Segments(left, "faint", 1.6))
        self.exact = self.add(curve(left, "ink", 3.0, label="$\\exp(-2(1-m)_+)$"))
        self.mixed = self.add(
            curve(left, "own", 0, "", marker="o", markersize=6, label="the integral in (14.68)")
        )
        legend(left, loc="upper right", borderaxespad=0.2)
        dress(
            right, (-1.5, 5.0, -0.15, 3.4), "margin $m = t\\,y$", "", "parabolas above the hinge", grid=True
        )
        self.above = self.add(Segments(right, "own", 1.8))
        self.hinge = self.add(curve(right, "ink", 3.0))
        self.touch = self.add(dot(right, "own", size=9))

    def update(self, m, exact, mixed, lam, parts, hinge, touch, parabolas):
        """m (M,); exact, mixed (M,): both sides of (14.68); lam (L,), parts (L, M): Gaussians of variance lam;
        hinge (M,); touch (T,), parabolas (T, M): the bounds that touch the hinge at these margins."""
        self.parts.artists[0].set_segments([np.column_stack([m, values]) for values in parts])
        self.exact.set_data(m, exact)
        shown = slice(None, None, max(1, len(m) // 26))
        self.mixed.set_data(m[shown], mixed[shown])
        self.hinge.set_data(m, hinge)
        self.above.artists[0].set_segments([np.column_stack([m, values]) for values in parabolas])
        self.touch.set_data(touch, np.interp(touch, m, hinge))
        describe(
            self.axes[0],
            f"Left, {len(lam)} of the Gaussians of (14.68), with variances from {lam.min():.2f} to {lam.max():.2f}, "
            f"exp(-2 hinge), and the integral over all of them on top of it: they differ by less than 1e-8: "
            f"{bool(np.abs(exact - mixed).max() < 1e-8)}. Right, the hinge and {len(touch)} parabolas that lie above "
            f"it and touch it at the margins {', '.join(f'{value:.1f}' for value in touch)}.",
        )


def figure_14_68(left, right, m, exact, mixed, lam, parts, hinge, touch, parabolas):
    """exp(-2 hinge) as a mixture of Gaussians, and what EM makes of it; arguments as in `HingeMixture.update`."""
    view = HingeMixture(left, right)
    view.update(m, exact, mixed, lam, parts, hinge, touch, parabolas)
    return view


# ---- EM -------------------------------------------------------------------------------------------------
class EMBoundary(View):
    """Left, the boundary after some steps of EM, points as large as EM takes them seriously; right, J of all steps."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, (-3.0, 3.0, -2.4, 2.4), "$x_1$", "$x_2$", "size: $E[1/\\lambda_n]$", equal=True)
        window = (-2, MOST_STEPS + 2, LOWEST / 2, 20.0)
        dress(
            right, window, "step", "$(J - J_{\\mathrm{SMO}})\\,/\\,J_{\\mathrm{SMO}}$", "objective", grid=True
        )
        right.set_yscale("log")
        self.trail = self.add(Segments(left, "faint", 1.0))
        self.goal = self.add(StraightLine(left, "good", 5.0))
        self.line = self.add(StraightLine(left, "ink", 2.2))
        self.edges = self.add(StraightLine(left, "ink", 1.4, "--"))
        self.points = self.add(Points(left))
        self.excess = self.add(curve(right, "ink", 2.0, marker="o", markersize=4))
        self.here = self.add(dot(right, "own"))

    def update(self, X, t, inverse_lambda, lines, goal, excess):
        """inverse_lambda (N,), as it follows from the present line; lines: (w, b) after steps 1, 2, ..., the last is
        the present one; goal: (w, b) of SMO; excess (S + 1,): (J - J of SMO) / J of SMO at all steps, from 0 on."""
        self.trail.update([across(*line) for line in lines[:-1] if np.any(line[0])])
        self._draw(self.goal, goal)
        self._draw(self.line, *lines[-1:])
        self._draw(self.edges, *lines[-1:], levels=(-1.0, 1.0))
        self.points.update(X, t)
        size = POINT_SIZE * np.clip(inverse_lambda, SMALLEST, LARGEST)
        for artist, label in zip(self.points.artists, self.points.labels, strict=True):
            artist.set_sizes(size[t == label])
        shown = np.maximum(excess, LOWEST)
        self.excess.set_data(np.arange(len(excess)), shown)
        self.here.set_data([len(lines)], [shown[len(lines)]])
        describe(
            self.axes[0],
            f"Left, {len(t)} points of two classes and the boundary after {len(lines)} steps of EM, beside SMO's; "
            f"the points are as large as E[1/lambda_n], at most {LARGEST:g} times the usual size. Right, by how much "
            f"the objective lies above SMO's: {excess[0]:.3g} of it at first, {shown[len(lines)]:.1e} now, "
            f"{shown[-1]:.1e} at the end.",
        )

    @staticmethod
    def _draw(layer, line=None, levels=(0.0,)):
        """Where there is no line, or one with w = 0, there is nothing to draw."""
        if line is None or not np.any(line[0]):
            layer.segments.update([])
        else:
            layer.update(*line, levels)


def across(w, b):
    """Two points of the line w'x + b = 0, far apart."""
    foot, along = -w * b / (w @ w), np.array([-w[1], w[0]]) / np.linalg.norm(w) * 10
    return foot - along, foot + along


def figure_em_svm(left, right, X, t, inverse_lambda, lines, goal, excess):
    """EM for the soft margin after len(lines) steps; arguments as in `EMBoundary.update`."""
    view = EMBoundary(left, right)
    view.update(X, t, inverse_lambda, lines, goal, excess)
    return view
