"""Kernel ridge regression (MLaPP 14.4.3): what primal and dual cost, and every point predicted by all the others."""

import numpy as np

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    SMALL,
    Points,
    Rings,
    Segments,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import ONE_KIND, describe, dress, palette_of

NOISY_SINC = (-10.5, 10.5, -0.95, 1.5)  # window
PRICES = (1e-6, 1e2)  # of lambda, on the axis
ERRORS = (0.03, 1.0)  # root mean squares, on the axis
LOOKS = {"primal": ("plus", "o", "-"), "dual": ("minus", "s", "--")}


class Costs(View):
    """What primal and dual cost, against the number of features D, on logarithmic axes; D = N is dotted."""

    def __init__(self, ax, label):
        super().__init__(ax)
        dress(ax, None, "features $D$", "", label, grid=True)
        ax.set_xscale("log")
        ax.set_yscale("log")
        self.lines = {name: self.add(self._line(ax, name)) for name in LOOKS}
        self.border = ax.axvline(1, color=palette_of(ax).faint, linestyle=":", linewidth=1.6, zorder=1)

    @staticmethod
    def _line(ax, name):
        role, marker, style = LOOKS[name]
        return curve(ax, role, 2.2, style, marker=marker, markersize=8, label=name)

    def update(self, N, D, costs):
        """N points; D (S,); costs: "primal" and "dual" -> (S,)."""
        ax = self.axes[0]
        for name, line in self.lines.items():
            line.set_data(D, costs[name])
        self.border.set_xdata([N, N])
        ax.relim()
        ax.autoscale_view()
        ax.set_xticks(D, [str(d) for d in D])
        ax.set_xticks([], minor=True)
        legend(ax, loc="upper left")


def figure_ridge_costs(left, right, N, D, operations, seconds):
    """Ridge regression for N points with D features (S,): multiplications on the left, measured times on the right.

    operations, seconds: "primal" and "dual" -> (S,).
    """
    views = Costs(left, f"multiplications, $N$ = {N}"), Costs(right, "seconds, measured")
    for view, costs in zip(views, (operations, seconds), strict=True):
        view.update(N, D, costs)
    cheaper = {
        name: ", ".join(str(d) for d in np.asarray(D)[np.less(operations[name], operations[other])]) or "none"
        for name, other in (("primal", "dual"), ("dual", "primal"))
    }
    describe(
        left,
        f"Ridge regression with {N} points against the number of features D, on logarithmic axes: multiplications and "
        f"measured seconds of primal and dual. By multiplications the primal is cheaper for D = "
        f"{cheaper['primal']}, the dual for D = {cheaper['dual']}.",
    )
    return views


class LeaveOneOut(View):
    """Left: the curve, and from each point a stroke to what all the others predict there; the point with the longest
    one is ringed, and the curve without it dashed. Right: the errors of both kinds over lambda, and the lowest one left
    out as a diamond."""

    def __init__(self, plane, errors):
        super().__init__(plane, errors)
        dress(plane, NOISY_SINC, "$x$;  strokes: to what the others predict", "$y$")
        dress(errors, (*PRICES, *ERRORS), r"$\lambda$", "root mean square error")
        errors.set_xscale("log")
        errors.set_yscale("log")
        errors.set_xticks([1e-6, 1e-4, 1e-2, 1, 1e2])
        errors.set_yticks([0.03, 0.1, 0.3, 1], ["0.03", "0.1", "0.3", "1"])
        errors.minorticks_off()
        self.curve = self.add(curve(plane, "good", 2.6, label="fit of all"))
        self.without = self.add(curve(plane, "own", 1.8, "--", label="without the ringed", zorder=3))
        self.strokes = self.add(Segments(plane, "own", 2.2, zorder=4))
        self.points = self.add(Points(plane, ONE_KIND, SMALL))
        self.ring = self.add(Rings(plane, "own", 5 * SMALL))
        self.train = self.add(curve(errors, "plus", 2.2, label="at the points"))
        self.left_out = self.add(curve(errors, "own", 2.2, "--", label="left out"))
        self.cursor = self.add(curve(errors, "ink", 1.4, ":", zorder=2))
        self.best = self.add(dot(errors, "own", "D", 9))
        legend(plane, **ABOVE_THE_AXES)
        legend(errors, **ABOVE_THE_AXES)

    def update(self, X, y, grid, curves, predicted, over_lambda, lam):
        """X (N, 1), y (N,) points; over grid (G,) curves, of all points and without the ringed one; predicted (N,) by
        the others; over_lambda: prices (L,) and the errors at the points and left out, (L,) each; lam: the present."""
        fit, without = curves
        places, ends = np.column_stack([X, y]), np.column_stack([X, predicted])
        self.curve.set_data(grid, fit)
        self.without.set_data(grid, without)
        self.strokes.update(np.stack([places, ends], axis=1))
        self.points.update(places, np.ones(len(y)))
        self.ring.update(places[[np.argmax(np.abs(y - predicted))]])
        prices, train, left_out = over_lambda
        self.train.set_data(prices, train)
        self.left_out.set_data(prices, left_out)
        self.cursor.set_data([lam, lam], ERRORS)
        least = [] if is_flat(left_out) else [np.argmin(left_out)]
        self.best.set_data(prices[least], left_out[least])


def is_flat(errors):
    """Do errors (L,) hardly depend on the price, so that none of the prices is best?"""
    return np.ptp(errors) < 1e-3 * np.max(errors)
