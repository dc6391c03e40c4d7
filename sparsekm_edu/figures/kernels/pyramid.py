"""The pyramid match kernel, MLaPP figure 14.1, for two sets of points on a line."""

import numpy as np
from matplotlib.collections import PolyCollection

from sparsekm_edu.figures.layers import Label, Points, Segments, View
from sparsekm_edu.figures.style import describe, dress, palette_of

LINE = 0.0, 8.0  # where the points are
ROWS = {1: 1.0, -1: -1.0}  # height of set x, of set z
LEVELS = 4  # rows of histograms
WINDOW = -0.2, 11.0  # with room for words to the right of the line
WORDS = 8.3
TICKS = 0, 2, 4, 6, 8
# of the line between partners: the finer the level, the more the pair counts
WIDTHS = 4.0, 2.6, 1.7, 1.0


class Pairs:
    """The points of both sets, one row each, and a line between partners, the thicker the more the pair counts."""

    def __init__(self, ax, title, numbers=True):
        dress(ax, (*WINDOW, -1.9, 1.9))
        ax.set_yticks(list(ROWS.values()), ["x", "z"])
        ax.tick_params(axis="y", length=0, labelsize=13)
        ax.set_xticks(TICKS, TICKS if numbers else [""] * len(TICKS))
        ax.text(WORDS, 1.0, title, fontsize=12, va="center", color=palette_of(ax).ink)
        self.lines = [Segments(ax, "good", width, zorder=2) for width in WIDTHS]
        self.points = Points(ax)
        self.value = Label(ax, "ink", 14, va="center", patch=False)
        layers = [*self.lines, self.points, self.value]
        self.artists = [artist for layer in layers for artist in layer.artists]

    def update(self, x, z, matching, words):
        """x (m,), z (n,); matching: `pairs` (P, 2) and `level` (P,); words about its value."""
        places = [
            np.column_stack([points, np.full(len(points), ROWS[label])])
            for points, label in ((x, 1), (z, -1))
        ]
        self.points.update(np.vstack(places), np.repeat([1, -1], [len(x), len(z)]))
        i, j = matching.pairs.T
        ends = np.stack([places[0][i], places[1][j]], axis=1)
        for level, line in enumerate(self.lines):
            line.update(ends[matching.level == level])
        self.value.update((WORDS, -0.9), words)


class Strip:
    """One level: the histogram of x upwards, of z downwards, deeper where they meet; a bar between new partners."""

    REACH = 0.44  # of the highest bar of a level

    def __init__(self, ax, height):
        self.height = height
        colours = palette_of(ax)
        self.bars, self.shared = (PolyCollection([], linewidths=0, zorder=zorder) for zorder in (1, 1.5))
        for artist in (self.bars, self.shared):
            ax.add_collection(artist, autolim=False)
        self.shades = {
            bars: [colours.mix(role, share) for role in ("plus", "minus")]
            for bars, share in ((self.bars, 0.3), (self.shared, 0.7))
        }
        self.borders = Segments(ax, "faint", 0.8, zorder=2)
        self.base = Segments(ax, "ink", 1.0, zorder=2)
        self.new = Segments(ax, "ink", 4.5, zorder=3)
        self.words = Label(ax, "ink", 12, va="center", patch=False)
        self.artists = [self.bars, self.shared]
        for layer in (self.borders, self.base, self.new, self.words):
            self.artists += layer.artists

    def update(self, histogram, new, words):
        """histogram: `side`, `origin`, `left`, `x`, `z`; new (P, 2), from partner to partner; words about them."""
        highest = np.concatenate([histogram.x, histogram.z]).max(initial=2)
        both = np.minimum(histogram.x, histogram.z)
        for bars, up, down in ((self.bars, histogram.x, histogram.z), (self.shared, both, both)):
            left = np.clip(np.tile(histogram.left, 2), *LINE)
            right = np.clip(np.tile(histogram.left + histogram.side, 2), *LINE)
            base = np.full(len(left), self.height)
            top = base + self.REACH / highest * np.concatenate([-up, down])  # rows are counted from above
            corners = [(left, base), (right, base), (right, top), (left, top)]
            bars.set_verts(np.moveaxis(np.array(corners), 2, 0))
            bars.set_facecolor(np.repeat(self.shades[bars], len(up), axis=0))
        first, last = (np.array(LINE) - histogram.origin) / histogram.side
        borders = histogram.origin + histogram.side * np.arange(np.ceil(first), np.floor(last) + 1)
        self.borders.update([((b, self.height - 0.46), (b, self.height + 0.46)) for b in borders])
        self.base.update([((LINE[0], self.height), (LINE[1], self.height))])
        self.new.update([((a, self.height), (b, self.height)) for a, b in new])
        self.words.update((WORDS, self.height), words)

    def clear(self):
        """A level that is not used."""
        for bars in (self.bars, self.shared):
            bars.set_verts([])
        for segments in (self.borders, self.base, self.new):
            segments.update([])
        self.words.update((WORDS, self.height), "")


class Pyramid(View):
    """Figure 14.1: the pairs that the pyramid finds, the histograms of each level, the best pairs that there are."""

    def __init__(self, top, middle, bottom):
        super().__init__(top, middle, bottom)
        grid = top.get_gridspec()
        if grid.nrows == 3:
            grid.set_height_ratios([1.0, 2.3, 1.0])
        self.found = self.add(Pairs(top, "pyramid match", numbers=False))
        dress(middle, (*WINDOW, LEVELS - 0.5, -0.5))
        middle.set_yticks(range(LEVELS), [f"level {i}" for i in range(LEVELS)])
        middle.tick_params(axis="y", length=0)
        middle.set_xticks(TICKS, [""] * len(TICKS))
        self.strips = [self.add(Strip(middle, level)) for level in range(LEVELS)]
        self.best = self.add(Pairs(bottom, "best matching"))

    def update(self, x, z, histograms, found, best):
        """x (m,), z (n,); histograms, one per level; found, best: matchings with `pairs`, `level` and `value`."""
        self.found.update(x, z, found, f"k = {found.value:.5g}")
        self.best.update(x, z, best, f"{best.value:.5g}")
        partners = np.column_stack([x[found.pairs[:, 0]], z[found.pairs[:, 1]]])
        told = []
        for level, strip in enumerate(self.strips):
            if level >= len(histograms):
                strip.clear()
                continue
            new = partners[found.level == level]
            price = "1" if level == 0 else f"1/{2**level}"
            strip.update(histograms[level], new, f"{len(new)} new × {price}")
            told.append(f"{len(new)} at level {level}")
        describe(
            self.axes[0],
            f"Figure 14.1. A set x of {len(x)} points and a set z of {len(z)} on a line. Pairs that are new: "
            f"{', '.join(told)}; each counts half as much as one level before, in all k = {found.value:.5g}. The best "
            f"matching, which no bins hinder, is worth {best.value:.5g}.",
        )


def figure_14_1(axes, x, z, histograms, found, best):
    """Three panels one above the other: the pairs of the pyramid, the histograms of its levels, the best matching.

    Parameters: x (m, 1), z (n, 1) within [0, 8]; `histograms(x, z, kernel)`, `pyramid_matching(x, z, kernel)` and
    `best_matching(x, z, kernel)` of `lessons.matching`, with at most four levels.
    """
    view = Pyramid(*axes)
    view.update(np.ravel(x), np.ravel(z), histograms, found, best)
    return view
