"""What lies under the maximum margin: w, b and y(x) in the plane, MLaPP figure 14.12a."""

import numpy as np

from sparsekm_edu.figures.layers import (
    Arrow,
    Label,
    Segments,
    StraightLine,
    View,
    dot,
)
from sparsekm_edu.figures.style import WIDE, describe, dress


class LineGeometry(View):
    """Figure 14.12 (a): what w, b and y(x) mean in the plane. (Murphy writes w0 for b and f for y.)"""

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
        self.names = [self.add(Label(ax, role, 15, "center", "center", patch=False)) for role in roles]
        self.regions = [self.add(Label(ax, "ink", ha="center")) for _ in range(2)]

    def update(self, w, b, x):
        """w: (2,), b: number, x: (2,) the probe."""
        y, norm = w @ x + b, np.linalg.norm(w)
        x_perp, nearest = x - w * y / norm**2, -w * b / norm**2  # feet of the probe and of the origin
        self.line.update(w, b)
        self.from_origin.update([((0, 0), nearest)])
        self.from_line.update([(x_perp, x)])
        self.normal.update(nearest, nearest + w)
        self.origin.set_data([0], [0])
        self.foot.set_data(*np.c_[x_perp])
        self.probe.set_data(*np.c_[x])
        along, across = np.array([-w[1], w[0]]) / norm, w / norm
        outward = np.sign(y) * across  # from the line towards the probe
        names = [
            (x + 0.22 * outward, "$x$"),
            (x_perp - 0.24 * outward, r"$x_\perp$"),
            (nearest + w + 0.2 * across, "$w$"),
            (-0.2 * along, "$0$"),
            ((x + x_perp) / 2 - 0.45 * along, f"$r$ = {y / norm:.2f}"),  # beside the piece, not on it
            (nearest / 2 + 0.45 * along - 0.35 * across, r"$|b|/\Vert w\Vert$"),
        ]
        for label, (place, word) in zip(self.names, names, strict=True):
            label.update(place, word)
        for region, side, word in zip(self.regions, (1, -1), ("$y>0$", "$y<0$"), strict=True):
            region.update(nearest - 1.3 * along + side * 0.9 * w / norm, word)
        describe(
            self.axes[0],
            f"Figure 14.12a. A straight line with its normal vector w of length {norm:.2f}; it passes the "
            f"origin at a distance of {abs(b) / norm:.2f}. The probe x lies at a signed distance "
            f"r = {y / norm:.3f} from its foot on the line.",
        )


def figure_14_12a(ax, w, b, x):
    """The line w'x + b = 0, its normal, and a probe with its signed distance r = y(x) / |w|."""
    view = LineGeometry(ax)
    view.update(np.asarray(w, float), b, np.asarray(x, float))
    return view
