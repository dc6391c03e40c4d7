"""The soft margin: PRML figures 7.3 (MLaPP 14.12b) and 7.4.

What a point is called by its slack xi_n = max(0, 1 - t_n y(x_n)): 0 is on its margin or beyond, up to 1 is inside the
margin, more than 1 is misclassified.
"""

import numpy as np
from matplotlib.collections import PolyCollection

from sparsekm_edu.figures.layers import (
    Crosses,
    Fractions,
    Label,
    MarginBand,
    Points,
    Rings,
    Segments,
    StraightLine,
    Surface,
    View,
    give_room_to_first,
    grid_over,
)
from sparsekm_edu.figures.style import WIDE, describe, dress, palette_of

LEVELS = -1, 0, 1
NAMES = WIDE[0] + 0.9, WIDE[1] - 0.9, WIDE[2] + 0.2, WIDE[3] - 0.4  # where the names of lines may stand
ROUNDING = 1e-9  # slack below this is none: a support vector on the margin has t_n y(x_n) = 1 up to rounding


def slacks(t, y, a, limit):
    """xi_n = max(0, 1 - t_n y(x_n)), (7.20), exactly 0 on the margin, (N,).

    Parameters: t, y (N,), labels and y(x_n); a (N,), multipliers, and the limit that the box sets them: below it a
    point has no slack, (7.28) and (7.31), whatever rounding says.
    """
    xi = 1.0 - t * y
    return np.where((a == limit) & (xi > ROUNDING), xi, 0.0)


# ---- figure 7.3 -----------------------------------------------------------------------------------------
class Bars:
    """One bar for each point in the colour of its class, side by side between 0 and 1; heights between 0 and 1."""

    def __init__(self, ax):
        colours = palette_of(ax)
        self.colours = {1: colours.mix("plus", 0.6), -1: colours.mix("minus", 0.6)}
        self.artists = [PolyCollection([], linewidths=0, zorder=2)]
        ax.add_collection(self.artists[0], autolim=False)

    def update(self, heights, t):
        """heights, t: (N,) from left to right. Returns the middles of the bars, (N,)."""
        middles = (np.arange(len(t)) + 0.5) / len(t)
        half = 0.36 / len(t)
        left, right, floor = middles - half, middles + half, np.zeros(len(t))
        corners = [(left, floor), (right, floor), (right, heights), (left, heights)]
        self.artists[0].set_verts(np.transpose(corners, (2, 0, 1)))
        self.artists[0].set_facecolor([self.colours[label] for label in t])
        return middles


def end_of_line(window, w, b, level):
    """Where the line w'x + b = level leaves the window; None if it passes the window by.

    Of the two ends we take the upper one, for y = 0 the lower one, so that names there keep apart.
    """
    left, right, bottom, top = window
    w1, w2 = w
    on_sides = [(x1, (level - b - w1 * x1) / w2) for x1 in (left, right) if w2]
    on_floor_and_ceiling = [((level - b - w2 * x2) / w1, x2) for x2 in (bottom, top) if w1]
    ends = [
        (x1, x2) for x1, x2 in on_sides + on_floor_and_ceiling if left <= x1 <= right and bottom <= x2 <= top
    ]
    choose = max if level else min
    return choose(ends, key=lambda end: end[1], default=None)


class SoftMargin(View):
    """Figure 7.3: slack drawn as lengths xi_n / |w|; beside it the multipliers in their box, (7.33)."""

    def __init__(self, plane, box):
        super().__init__(plane, box)
        colours = palette_of(plane)
        dress(plane, WIDE, "$x_1$", "$x_2$", r"grey lengths: $\xi_n/\|\mathbf{w}\|$", equal=True)
        dress(box, (-0.01, 1.01, 0.0, 1.12), "points, worst first", "$a_n$", "the box $0 \\leq a_n \\leq C$")
        box.set_xticks([])
        box.set_yticks([0, 0.5, 1], ["0", "C/2", "C"])
        box.axhline(1.0, color=colours.ink, linewidth=2.2, zorder=1)
        self.band = self.add(MarginBand(plane))
        self.line = self.add(StraightLine(plane))
        self.edges = self.add(StraightLine(plane, "ink", 1.5, "--"))
        self.lengths = self.add(Segments(plane, "faint", 2.6))
        self.points = self.add(Points(plane))
        self.rings = self.add(Rings(plane))
        self.wrong = self.add(Crosses(plane))
        self.names = [self.add(Label(plane, ha="center", va="center")) for _ in LEVELS]
        self.bars = self.add(Bars(box))
        self.tips = self.add(Points(box, size=26))

    def update(self, X, t, line, a, C):
        """line: (w, b) in canonical form; a: (N,) multipliers between 0 and C."""
        w, b = line
        y = X @ w + b
        xi = slacks(t, y, a, C)
        late = xi > 0
        self.band.update(w, b, 1.0)
        self.line.update(w, b)
        self.edges.update(w, b, levels=(-1.0, 1.0))
        for name, level in zip(self.names, LEVELS, strict=True):
            end = end_of_line(NAMES, w, b, level)
            beside = level * w / np.linalg.norm(w) * (0.4, 0.2)  # outside the street
            name.update((0, 0) if end is None else end + beside, "" if end is None else f"$y={level}$")
        # from the point straight to its margin, where t_n y = 1: the length is xi_n / |w|
        ends = X + np.outer(t * xi, w) / (w @ w)
        self.lengths.update(np.stack([X, ends], axis=1)[late])
        self.points.update(X, t)
        self.rings.update(X[a > 0])
        self.wrong.update(X[xi > 1])
        order = np.lexsort((t * y, -a, -xi))  # by slack, then by multiplier, then by distance
        middles = self.bars.update(a[order] / C, t[order])
        self.tips.update(np.column_stack([middles, a[order] / C]), t[order])
        describe(
            self.axes[0],
            f"Figure 7.3. Left, {len(t)} points of two classes, the line y = 0 and the margins y = -1 and y = 1, "
            f"{1 / np.linalg.norm(w):.3f} away from it. {np.sum(~late)} points have no slack, "
            f"{np.sum(late & (xi <= 1))} lie inside the margin and {np.sum(xi > 1)}, crossed out, on the wrong side; "
            f"from each of these a grey piece of length xi / |w| runs to its margin. "
            f"{np.sum(a > 0)} support vectors are circled. Right, a bar for each multiplier: {np.sum(a == C)} reach "
            f"the limit C, {np.sum((a > 0) & (a < C))} end below it, {np.sum(a == 0)} are 0.",
        )


def figure_7_3(plane, box, X, t, line, a, C):
    """Left: slack as lengths xi_n / |w|, for the line (w, b). Right: the multipliers a (N,), from 0 to C."""
    view = SoftMargin(plane, box)
    view.update(X, t, line, a, C)
    return view


# ---- figure 7.4 -----------------------------------------------------------------------------------------
class NuMargin(View):
    """Figure 7.4: a kernel machine on classes that overlap; beside it nu between two fractions of the points."""

    def __init__(self, plane, shares):
        super().__init__(plane, shares)
        give_room_to_first(plane, shares, 5)
        dress(plane, WIDE, "$x_1$", "$x_2$", equal=True)
        self.surface = self.add(Surface(plane))
        self.points = self.add(Points(plane))
        self.rings = self.add(Rings(plane))
        self.wrong = self.add(Crosses(plane))
        self.fractions = self.add(Fractions(shares, "margin errors", "SVs"))

    def update(self, X, t, grid, Y, y, a, nu):
        """grid: (x1, x2), axes of the values Y of y(x); y: (N,) at the points; a: (N,) between 0 and 1/N."""
        xi = slacks(t, y, a, 1 / len(t))
        errors, kept = np.mean(xi > 0), np.mean(a > 0)
        self.surface.update(*grid, Y)
        self.points.update(X, t)
        self.rings.update(X[a > 0])
        self.wrong.update(X[xi > 1])
        self.fractions.update(errors, nu, kept)
        describe(
            self.axes[0],
            f"Figure 7.4. Contours of y(x) over the plane with {len(t)} points of two classes that overlap; "
            f"{np.sum(a > 0)} support vectors are circled, {np.sum(xi > 1)} misclassified points are crossed out. "
            f"Beside it two bars and a line: margin errors {errors:.3f}, nu = {nu:.3f}, support vectors {kept:.3f} of "
            "all points.",
        )


def figure_7_4(plane, shares, X, t, model):
    """The fitted nu-machine `model`, and nu between the fractions of margin errors and of support vectors."""
    view = NuMargin(plane, shares)
    grid = grid_over(WIDE)
    view.update(X, t, grid, model.surface(*grid), model.decision_function(X), model.solution_.a, model.nu)
    return view
