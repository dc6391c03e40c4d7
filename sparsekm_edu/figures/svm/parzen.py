"""From densities to a margin: Parzen estimates whose best line tends to the one of maximum margin (PRML 7.1)."""

import numpy as np

from sparsekm_edu.figures.layers import (
    Points,
    StraightLine,
    Surface,
    View,
    clip_line,
    curve,
    dot,
    grid_over,
)
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.style import SQUARE, describe, dress

CELLS = grid_over(SQUARE, 60)
WORDS = "least error", "max. margin", "tie"
ROOM = (-1.9, 1.9, -2.6, 2.6)  # where the middle of a name may lie


class CloudLines(View):
    """Clouds around the points: which class is likelier where, the straight line of least error, the widest street."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, SQUARE, "$x_1$", "$x_2$", title, equal=True)
        self.surface = self.add(Surface(ax, margins=False))
        self.best = self.add(StraightLine(ax, "own", 3.0))
        self.limit = self.add(StraightLine(ax, "good", 2.4, "--"))
        self.points = self.add(Points(ax))
        self.names = [
            self.add(QuickText(ax, role, 12, "center", patch=True, zorder=4.5))
            for role in ("own", "good", "ink")
        ]

    def update(self, clouds):
        """clouds: a `Clouds` of the lessons."""
        best = clouds.best.w, clouds.best.b
        self.surface.update(*CELLS, clouds.log_ratio(*CELLS))
        self.best.update(*best)
        self.limit.update(*clouds.widest)
        self.points.update(clouds.X, clouds.t)
        # the lines may lie on each other: one name stands at the upper end, the other at the lower one
        upper, lower = (clip_line(*line, ROOM) for line in (best, clouds.widest))
        ends = [upper[upper[:, 1].argsort()][-1:], lower[lower[:, 1].argsort()][:1], self._away_from(*best)]
        for name, place, word, step in zip(self.names, ends, WORDS, (1.0, 1.0, -0.4), strict=True):
            beside = np.clip(place + step * clouds.best.w, ROOM[::2], ROOM[1::2])
            name.set_position(beside[0] if len(place) else (0, 0))
            name.set_text(word if len(place) else "")

    def _away_from(self, w, b):
        """The place where the two classes tie that is farthest from a line, (1, 2); (0, 2) if all are close to it."""
        ties = np.concatenate(
            [np.empty((0, 2)), *(path.vertices for path in self.surface.boundary.get_paths())]
        )
        left, right, bottom, top = ROOM
        ties = ties[(ties[:, 0] > left) & (ties[:, 0] < right) & (ties[:, 1] > bottom) & (ties[:, 1] < top)]
        apart = np.abs(ties @ w + b)
        return ties[[apart.argmax()]] if len(ties) and apart.max() > 0.3 else ties[:0]


class ParzenLimit(CloudLines):
    """The same for one variance (left), and how the two lines approach each other as it falls (right)."""

    def __init__(self, left, right):
        super().__init__(left, "the clouds and two lines")
        self.axes = left, right
        labels = "$\\sigma^2$", "angle, offset", "between the two lines"
        dress(right, (1e-4, 10, 1e-5, 100), *labels, square=True, grid=True)
        right.set_xscale("log")
        right.set_yscale("log")
        self.angles = self.add(curve(right, "own"))
        self.offsets = self.add(curve(right, "plus", style="--"))
        self.cursor = self.add(curve(right, "ink", 1.4, ":", zorder=2))
        self.here = self.add(dot(right, "own"))
        self.angle_name = self.add(QuickText(right, "own", 12, "right", text="angle, degrees"))
        self.offset_name = self.add(QuickText(right, "plus", 12, "left", text="offset"))

    def update(self, clouds, path):
        """path: arrays (sigma2, angle in degrees, offset)."""
        super().update(clouds)
        variances, angles, offsets = path
        self.angles.set_data(variances, angles)
        self.offsets.set_data(variances, offsets)
        self.cursor.set_data([clouds.sigma2, clouds.sigma2], self.axes[1].get_ylim())
        self.here.set_data([clouds.sigma2], [clouds.angle])
        middle = len(variances) // 2
        self.angle_name.set_position((variances[middle], 3 * angles[middle]))
        self.offset_name.set_position((variances[middle + 1], offsets[middle]))
        describe(
            self.axes[0],
            f"Left, clouds of variance {clouds.sigma2:.3g} around {len(clouds.t)} points, the straight line of "
            f"least error under them, and the maximum-margin line. Right, the difference of the two lines "
            f"against the variance: from {angles[-1]:.1f} degrees at {variances[-1]:.2g} it falls to "
            f"{angles[0]:.4f} degrees at {variances[0]:.2g}.",
        )


def figure_parzen_limit(axes, limit):
    """One panel for each `Clouds` in `limit`: as they shrink, the line of least error becomes the widest street."""
    views = []
    for ax, clouds in zip(axes, limit, strict=True):
        views.append(CloudLines(ax, f"$\\sigma^2$ = {clouds.sigma2:g}: {clouds.angle:.2g}° apart"))
        views[-1].update(clouds)
    angles = ", ".join(f"{clouds.angle:.2g} degrees at variance {clouds.sigma2:g}" for clouds in limit)
    describe(
        axes[0],
        f"{len(limit)} panels with clouds around the same points. The straight line of least error differs from the "
        f"maximum-margin line by {angles}.",
    )
    return views
