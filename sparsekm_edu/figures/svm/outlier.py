"""One outlier, and whom the boundary listens to: hinge against squares."""

import numpy as np

from sparsekm_edu.figures.layers import (
    Points,
    Rings,
    StraightLine,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import describe, dress, palette_of

AROUND = (-6.0, 6.0, -6.0, 6.0)  # room for an outlier


class OutlierPull(View):
    """One point far from its class: what it does to a soft margin and to least squares."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, AROUND, "$x_1$", "$x_2$", equal=True)
        dress(
            right,
            (-8, 8, 0, 0.8),
            "place on the dotted line",
            "boundary moved by",
            square=True,
            grid=True,
        )
        right.set_xticks(np.arange(-8, 9, 4))
        right.axvline(0, color=palette_of(right).faint, linewidth=1)
        self.track = self.add(StraightLine(left, "faint", 1.4, ":"))
        self.before = self.add(StraightLine(left, "faint", 2.4))
        self.squares = self.add(StraightLine(left, "own", 2.4, "--"))
        self.hinge = self.add(StraightLine(left, "good", 2.8))
        self.points = self.add(Points(left, size=26))
        self.outlier = self.add(Points(left))
        self.ring = self.add(Rings(left, "own", 230))
        self.hinge_curve = self.add(curve(right, "good", 2.8, label="soft margin"))
        self.squares_curve = self.add(curve(right, "own", style="--", label="least squares"))
        curve(right, "faint", label="without the outlier")  # a name for the grey line on the left
        self.cursor = self.add(curve(right, "ink", 1.4, ":"))
        self.here = [self.add(dot(right, role)) for role in ("good", "own")]
        legend(right, loc="upper left")

    def update(self, X, t, middle, along, places, soft, squares, k):
        """The outlier of class +1 runs on the line middle + place * along, both (2,), and is at places[k].

        soft, squares: the lines for every place, as `solvers.outliers` returns them.
        """
        place, outlier = places[k], middle + places[k] * along
        self.points.update(X, t)
        self.outlier.update([outlier], [1.0])
        self.ring.update([outlier])
        across = np.array([-along[1], along[0]])
        self.track.update(across, -across @ middle)
        self.before.update(*soft.before)
        order = np.argsort(places)
        for lines, line, track, here in (
            (soft, self.hinge, self.hinge_curve, self.here[0]),
            (squares, self.squares, self.squares_curve, self.here[1]),
        ):
            line.update(lines.w[k], lines.b[k])
            track.set_data(places[order], lines.moved[order])
            here.set_data([place], [lines.moved[k]])
        self.cursor.set_data([place, place], self.axes[1].get_ylim())
        side = "inside the other class's side" if place > 0 else "on its own side"
        describe(
            self.axes[0],
            f"Left, {len(t)} points and one outlier {abs(place):.1f} from the middle, {side}; it moves the boundary of "
            f"a soft margin by {soft.moved[k]:.3f} and that of least squares by {squares.moved[k]:.3f}. Right, these "
            f"shifts for all places on the dotted line: at most {soft.moved.max():.3f} and {squares.moved.max():.3f}.",
        )


def figure_outlier(left, right, X, t, middle, along, places, soft, squares, k):
    """Boundaries with and without an outlier (left), and how far it moves them (right); see `OutlierPull.update`."""
    view = OutlierPull(left, right)
    view.update(X, t, middle, along, places, soft, squares, k)
    return view
