"""The maximum margin: PRML figures 7.1 (MLaPP 14.11) and 7.2.

Each figure is a view (artists made once, then moved: an explorer keeps it alive) and a function that draws
the view once on given Axes. Nothing is fitted here.
"""

import numpy as np
from matplotlib.collections import PolyCollection

from sparsekm_edu.figures.layers import (
    Arrows,
    Grips,
    Label,
    MarginBand,
    Points,
    Rings,
    Segments,
    StraightLine,
    Surface,
    View,
    clip_line,
    grid_over,
)
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.style import SQUARE, WIDE, describe, dress, palette_of

# where the word "margin" may stand, seen from the middle of its piece, and how far it stays from the picture's edges
WORD_PLACES = [
    (0.6, -0.75),
    (-0.6, 0.65),
    (0.6, -1.1),
    (-0.6, 1.0),
    (-0.9, -0.75),
    (0.9, 0.65),
    (1.4, -0.4),
    (-1.5, 0),
]
WORD_ROOM = np.array([[1.25, 0.3], [-1.25, -0.3]])


def signed_distances(X, t, w, b):
    """t_n (w'x_n + b) / |w|: the distance of each point from the line, negative on the wrong side, (7.2)."""
    return t * (X @ w + b) / np.linalg.norm(w)


def above(w):
    """A step along the line with normal w, upwards: from an arrow across the street to the number beside it."""
    along = np.array([-w[1], w[0]]) / np.linalg.norm(w)
    return along * np.copysign(0.24 + 0.2 * abs(along[0]), along[1])  # numbers are wider than high


class LineNames:
    """Names on lines w'x + b = level: that of the line itself on it, those of the edges beside the street."""

    INSIDE = 0.3  # from the edge of the window
    BESIDE = 0.55  # from the line, for the edges

    def __init__(self, ax, role, levels=(0,)):
        self.ax, self.levels = ax, levels
        self.labels = [Label(ax, role, 12, ha="center", va="center") for _ in levels]
        self.artists = [artist for label in self.labels for artist in label.artists]

    def update(self, w, b):
        left, right, bottom, top = *self.ax.get_xlim(), *self.ax.get_ylim()
        room = left + 2 * self.INSIDE, right - 2 * self.INSIDE, bottom + self.INSIDE, top - self.INSIDE
        for label, level in zip(self.labels, self.levels, strict=True):
            seen = clip_line(w, b - level, room)
            if len(seen):
                end = seen[seen[:, 1].argmax() if level > 0 else seen[:, 1].argmin()]
                place = end + level * self.BESIDE * w / np.linalg.norm(w)
                label.update(np.clip(place, room[::2], room[1::2]), f"$y = {level}$")
            else:  # the line passes by
                label.update((0, 0), "")


class TwoMargins(View):
    """Figure 7.1: any separating line has a margin (left); one line has the largest (right).

    With `pushes` the multipliers of the support vectors are drawn as arrows: each point pushes the street away from
    itself. The arrows of one side together are as long as those of the other, (7.9): REACH.
    """

    REACH = 1.2  # length of all arrows of one side together
    GAP = 0.24  # between a point and the tip of its arrow: room for the ring

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, SQUARE, "$x_1$", "$x_2$", "any line", equal=True)
        dress(right, SQUARE, "$x_1$", "", "the maximum-margin line", equal=True)
        self.own_band = self.add(MarginBand(left, "own"))
        self.own_line = self.add(StraightLine(left, "own"))
        self.own_name = self.add(LineNames(left, "own"))
        self.own_points = self.add(Points(left))
        self.own_distance = self.add(Segments(left, "ink", 3.0, zorder=6))
        self.grips = self.add(Grips(left))
        self.band = self.add(MarginBand(right, "good"))
        self.line = self.add(StraightLine(right, "good"))
        self.edges = self.add(StraightLine(right, "good", 1.5, "--"))
        self.names = self.add(LineNames(right, "good", (-1, 0, 1)))
        self.points = self.add(Points(right))
        self.rings = self.add(Rings(right))
        self.distance = self.add(Segments(right, "ink", 3.0, zorder=6))
        self.arrows = self.add(Arrows(right, "good"))
        self.words = [self.add(QuickText(ax, ha="center", patch=True, zorder=4.5)) for ax in self.axes]
        # four arrows have their strength written beside them; more support vectors are a rare coincidence
        self.strengths = [self.add(QuickText(right, "good", 12, "center", zorder=8)) for _ in range(4)]

    def update(self, X, t, own, best, a, pushes=False):
        """own, best: (w, b) of the two lines; a: (N,) the multipliers, not zero at the support vectors."""
        distances, support = signed_distances(X, t, *own), np.flatnonzero(a)
        margin = distances.min()
        self.own_band.update(*own, max(0.0, margin) * np.linalg.norm(own[0]))
        self.own_line.update(*own)
        self.own_name.update(*own)
        self.own_points.update(X, t)
        self._measure(self.own_distance, self.words[0], X, distances.argmin(), own, margin > 0)
        self.band.update(*best, 1.0)  # canonical form: y = +-1 on the edges, (7.4)
        self.line.update(*best)
        self.edges.update(*best, levels=(-1.0, 1.0))
        self.names.update(*best)
        self.points.update(X, t)
        self.rings.update(X[support])
        self._measure(self.distance, self.words[1], X, support[0], best)
        self._push(X[support], t[support], a[support] * pushes, best[0])
        describe(
            self.axes[0],
            f"Figure 7.1. Two panels with the same {len(t)} points of two classes. Left, a straight line with "
            f"{np.sum(distances <= 0)} points on the wrong side and a margin of {margin:.3f}. Right, the "
            f"maximum-margin line: the closest points are "
            f"{1 / np.linalg.norm(best[0]):.3f} away, {len(support)} of them are circled as support vectors.",
        )

    @staticmethod
    def _measure(piece, word, X, n, line, there=True):
        """The piece from point n to its foot on a line, and the word "margin" with its length beside it.

        The word stands at the first of some places around the piece at which it covers no point; if all do, below them.
        """
        w, b = line
        foot = X[n] - w * (w @ X[n] + b) / (w @ w)
        piece.update([(X[n], foot)] if there else [])
        places = np.clip((X[n] + foot) / 2 + WORD_PLACES, *np.array(SQUARE).reshape(2, 2).T + WORD_ROOM)
        covered = (
            (np.abs(places[:, None] - X) < (1.25, 0.3)).all(axis=2).any(axis=1)
        )  # half a word wide, and high
        word.set_position(places[covered.argmin()])
        word.set_text(f"margin {np.linalg.norm(X[n] - foot):.3f}" if there else "")

    def _push(self, X, t, a, w):
        """Arrows of lengths in proportion to a, from outside the street to the points that touch it."""
        outward = t[:, None] * w / np.linalg.norm(w)
        lengths = self.REACH * a / max(a.sum() / 2, 1e-300)  # (7.9): each side has half of the sum
        tips = X + self.GAP * outward
        tails = tips + lengths[:, None] * outward
        pushing = a > 0
        self.arrows.update(tails[pushing], tips[pushing])
        for n, text in enumerate(self.strengths):
            there = n < len(a) and pushing[n]
            text.set_text(f"{a[n]:.3g}" if there else "")
            text.set_position((tips[n] + tails[n]) / 2 + above(w) if there else (0, 0))


def figure_7_1(axes, X, t, own, best, a):
    """Left: the line `own` = (w, b) with its margin. Right: the line `best` = (w, b) of multipliers a (N,)."""
    view = TwoMargins(*axes)
    view.update(X, t, own, best, a)
    return view


class Hulls(View):
    """The dual in the plane: any two points of the hulls (left), the two nearest (right), each with its bisector."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, SQUARE, "$x_1$", "$x_2$", "any two points of the hulls", equal=True)
        dress(right, SQUARE, "$x_1$", "", "the two nearest", equal=True)
        self.hulls = [self.add(self._shades(ax)) for ax in self.axes]
        self.bisectors = [self.add(StraightLine(left, "own")), self.add(StraightLine(right, "good"))]
        self.points = [self.add(Points(ax)) for ax in self.axes]
        self.rings = self.add(Rings(right))
        self.pieces = [self.add(Segments(ax, "ink", 3.0, zorder=6)) for ax in self.axes]
        self.ends = [self.add(Grips(left)), self.add(Grips(right, "good"))]
        self.names = [self.add(QuickText(left, "own", 14, "center", text=name)) for name in "pq"]
        self.distances = [self.add(QuickText(ax, ha="center", patch=True, x=0, y=-2.6)) for ax in self.axes]
        # four weights are written out; more support vectors are a rare coincidence
        self.weights = [self.add(QuickText(right, "ink", 12, "center", zorder=8)) for _ in range(4)]

    @staticmethod
    def _shades(ax):
        colours = palette_of(ax)
        shades = PolyCollection(
            [], facecolors=[colours.mix(role, 0.22) for role in ("plus", "minus")], zorder=1
        )
        shades.set_edgecolor([colours.mix(role, 0.7) for role in ("plus", "minus")])
        ax.add_collection(shades, autolim=False)
        return shades

    def update(self, X, t, hulls, own, nearest, weights):
        """hulls: corners for t = +1 and t = -1; own, nearest: (2, 2), a point of each hull; weights: (N,) of the
        nearest ones, which are weighted means of the points of each class."""
        for shades, points in zip(self.hulls, self.points, strict=True):
            shades.set_verts(hulls)
            points.update(X, t)
        for side, (plus, minus) in enumerate((own, nearest)):
            apart = plus - minus
            distance = np.linalg.norm(apart)
            self.pieces[side].update([(plus, minus)])
            self.ends[side].update([plus, minus])
            self.bisectors[side].update(apart if distance else (1.0, 0.0), -apart @ (plus + minus) / 2)
            self.distances[side].set_text(f"distance {distance:.3f}")
        for name, end in zip(self.names, own, strict=True):
            name.set_position(end + (0, 0.35))
        support = np.flatnonzero(weights)
        self.rings.update(X[support])
        places = X[support] + 0.6 * t[support, None] * apart / distance + above(apart)
        for n, text in enumerate(self.weights):
            text.set_text(f"{weights[support[n]]:.3f}" if n < len(support) else "")
            text.set_position(places[n] if n < len(support) else (0, 0))
        describe(
            self.axes[0],
            f"The convex hulls of two classes, {len(t)} points. Left, a point of each, "
            f"{np.linalg.norm(own[0] - own[1]):.3f} apart, and the line halfway between them. Right, the two nearest "
            f"points, {distance:.3f} apart: weighted means of {len(support)} circled support vectors; the line halfway "
            f"between them is the maximum-margin line.",
        )


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
