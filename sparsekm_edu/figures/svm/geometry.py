"""What lies under the maximum margin: geometry (MLaPP figure 14.12a) and the Parzen limit (PRML section 7.1)."""

import numpy as np

from sparsekm_edu.figures.layers import (
    Arrow,
    Label,
    Points,
    Segments,
    StraightLine,
    Surface,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import SQUARE, WIDE, describe, dress


class LineGeometry(View):
    """Figure 14.12 (a): what w, w0 and f(x) mean in the plane."""

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, WIDE, "$x_1$", "$x_2$", equal=True)
        self.line = self.add(StraightLine(ax))
        self.from_origin = self.add(Segments(ax, "faint", 2.0, ":"))
        self.from_line = self.add(Segments(ax, "own", 2.4))
        self.normal = self.add(Arrow(ax, "good"))
        self.origin = self.add(dot(ax, "faint", "+", 12))
        self.foot = self.add(dot(ax, "ink", size=7))
        self.probe = self.add(dot(ax, "own"))
        roles = ("own", "ink", "good", "faint", "own", "faint")
        self.names = [self.add(Label(ax, role, ha="center", va="center", patch=False)) for role in roles]
        self.regions = [self.add(Label(ax, "ink", ha="center")) for _ in range(2)]

    def update(self, w, w0, x):
        """w: (2,), w0: number, x: (2,) the probe."""
        f, norm = w @ x + w0, np.linalg.norm(w)
        x_perp, nearest = x - w * f / norm**2, -w * w0 / norm**2  # feet of the probe and of the origin
        self.line.update(w, w0)
        self.from_origin.update([((0, 0), nearest)])
        self.from_line.update([(x_perp, x)])
        self.normal.update(nearest, nearest + w)
        self.origin.set_data([0], [0])
        self.foot.set_data(*np.c_[x_perp])
        self.probe.set_data(*np.c_[x])
        along, across = np.array([-w[1], w[0]]) / norm, w / norm
        outward = np.sign(f) * across  # from the line towards the probe
        names = [
            (x + 0.22 * outward, "$x$"),
            (x_perp - 0.24 * outward, r"$x_\perp$"),
            (nearest + w + 0.2 * across, "$w$"),
            (-0.2 * along, "$0$"),
            ((x + x_perp) / 2 - 0.45 * along, f"$r$ = {f / norm:.2f}"),  # beside the piece, not on it
            (nearest / 2 + 0.45 * along - 0.35 * across, r"$|w_0|/\Vert w\Vert$"),
        ]
        for label, (place, word) in zip(self.names, names, strict=True):
            label.update(place, word)
        for region, side, word in zip(self.regions, (1, -1), (r"$R_1$: $f>0$", r"$R_2$: $f<0$"), strict=True):
            region.update(nearest - 1.3 * along + side * 0.9 * w / norm, word)
        describe(
            self.axes[0],
            f"Figure 14.12a. A straight line with its normal vector w of length {norm:.2f}; it passes the "
            f"origin at a distance of {abs(w0) / norm:.2f}. The probe x lies at a signed distance "
            f"r = {f / norm:.3f} from its foot on the line.",
        )


def figure_14_12a(ax, w, w0, x):
    """The line w'x + w0 = 0, its normal, and a probe with its signed distance r = f(x) / |w|."""
    view = LineGeometry(ax)
    view.update(np.asarray(w, float), w0, np.asarray(x, float))
    return view


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
