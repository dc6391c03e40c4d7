"""From densities to a margin: Parzen estimates whose best line tends to the one of maximum margin (PRML 7.1)."""

from sparsekm_edu.figures.layers import (
    Points,
    StraightLine,
    Surface,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import SQUARE, describe, dress


class ParzenLimit(View):
    """Section 7.1: the best hyperplane under Parzen densities tends to the maximum-margin one."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, SQUARE, "$x_1$", "$x_2$", "densities of width $\\sigma$", equal=True)
        dress(
            right,
            (1e-4, 10, 1e-5, 100),
            "$\\sigma^2$",
            "angle (degrees), offset",
            "away from the maximum margin",
            square=True,
            grid=True,
        )
        right.set_xscale("log")
        right.set_yscale("log")
        self.surface = self.add(Surface(left, margins=False))
        self.best = self.add(StraightLine(left, "own", 3.0))
        self.limit = self.add(StraightLine(left, "good", 2.4, "--"))
        self.points = self.add(Points(left))
        self.angles = self.add(curve(right, "own", label="angle, degrees"))
        self.offsets = self.add(curve(right, "plus", style="--", label="offset"))
        self.cursor = self.add(curve(right, "ink", 1.4, ":"))
        self.here = self.add(dot(right, "own"))
        legend(right, loc="lower right")

    def update(self, X, t, grid, log_ratio, best, limit, sigma2, angle, path):
        """best, limit: (w, b), |w| = 1, and the angle between them; path: arrays (sigma2, angle, offset)."""
        self.surface.update(*grid, log_ratio)
        self.best.update(*best)
        self.limit.update(*limit)
        self.points.update(X, t)
        variances, angles, offsets = path
        self.angles.set_data(variances, angles)
        self.offsets.set_data(variances, offsets)
        self.cursor.set_data([sigma2, sigma2], self.axes[1].get_ylim())
        self.here.set_data([sigma2], [angle])
        describe(
            self.axes[0],
            f"Left, Parzen densities of variance {sigma2:.3g} around {len(t)} points, the straight line of "
            f"least error under them, and the maximum-margin line. Right, the difference of the two lines "
            f"against the variance: from {angles[-1]:.1f} degrees at {variances[-1]:.2g} it falls to "
            f"{angles[0]:.4f} degrees at {variances[0]:.2g}.",
        )


def figure_parzen_limit(left, right, X, t, grid, log_ratio, best, limit, sigma2, angle, path):
    """The hyperplane of least error for one sigma^2 (left), and how it approaches the limit (right)."""
    view = ParzenLimit(left, right)
    view.update(X, t, grid, log_ratio, best, limit, sigma2, angle, path)
    return view
