"""The pyramid match kernel: MLaPP figure 14.1, for two sets of points on a line, and digits as sets of edges."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.image import AxesImage

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


class Strips:
    """A row for each level: histograms of x upwards and of z downwards, deeper where they meet; bars between partners.

    Only partners that are new are joined. All rows share their artists: many small ones take long to paint.
    """

    REACH = 0.44  # of the highest bar of a level

    def __init__(self, ax):
        colours = palette_of(ax)
        self.bars, self.shared = (PolyCollection([], linewidths=0, zorder=zorder) for zorder in (1, 1.5))
        for artist in (self.bars, self.shared):
            ax.add_collection(artist, autolim=False)
        self.shades = {
            bars: [colours.mix(role, share) for role in ("plus", "minus")]
            for bars, share in ((self.bars, 0.3), (self.shared, 0.7))
        }
        self.borders = Segments(ax, "faint", 0.8, zorder=2)
        self.bases = Segments(ax, "ink", 1.0, zorder=2)
        self.new = Segments(ax, "ink", 4.5, zorder=3)
        self.words = [Label(ax, "ink", 12, va="center", patch=False) for _ in range(LEVELS)]
        layers = [self.borders, self.bases, self.new, *self.words]
        self.artists = [self.bars, self.shared, *(artist for layer in layers for artist in layer.artists)]

    def update(self, histograms, new, words):
        """One per level: histograms with `side`, `origin`, `left`, `x`, `z`; new pairs (P, 2), x and z; words."""
        both = [np.minimum(h.x, h.z) for h in histograms]
        self._draw(self.bars, histograms, [h.x for h in histograms], [h.z for h in histograms])
        self._draw(self.shared, histograms, both, both)
        borders = []
        for level, h in enumerate(histograms):
            first, last = (np.array(LINE) - h.origin) / h.side
            places = h.origin + h.side * np.arange(np.ceil(first), np.floor(last) + 1)
            borders += [((place, level - 0.46), (place, level + 0.46)) for place in places]
        self.borders.update(borders)
        self.bases.update([((LINE[0], level), (LINE[1], level)) for level in range(len(histograms))])
        self.new.update([((a, level), (b, level)) for level, pairs in enumerate(new) for a, b in pairs])
        for level, label in enumerate(self.words):
            label.update((WORDS, level), words[level] if level < len(words) else "")

    def _draw(self, bars, histograms, up, down):
        """Bars for two counts per bin, of each level."""
        verts, shades = [], []
        for level, h in enumerate(histograms):
            highest = np.concatenate([h.x, h.z]).max(initial=2)
            left, right = (np.clip(np.tile(edge, 2), *LINE) for edge in (h.left, h.left + h.side))
            base = np.full(len(left), float(level))
            counts = np.concatenate(
                [-up[level], down[level]]
            )  # the axis points down, as rows count from above
            top = base + self.REACH / highest * counts
            verts.append(np.moveaxis([(left, base), (right, base), (right, top), (left, top)], 2, 0))
            shades.append(np.repeat(self.shades[bars], len(h.left), axis=0))
        bars.set_verts(np.concatenate(verts))
        bars.set_facecolor(np.concatenate(shades))


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
        self.strips = self.add(Strips(middle))
        self.best = self.add(Pairs(bottom, "best matching"))

    def update(self, x, z, histograms, found, best):
        """x (m,), z (n,); histograms, one per level; found, best: matchings with `pairs`, `level` and `value`."""
        self.found.update(x, z, found, f"k = {found.value:.5g}")
        self.best.update(x, z, best, f"{best.value:.5g}")
        partners = np.column_stack([x[found.pairs[:, 0]], z[found.pairs[:, 1]]])
        new = [partners[found.level == level] for level in range(len(histograms))]
        prices = ["1", *(f"1/{2**level}" for level in range(1, LEVELS))]
        words = [f"{len(pairs)} new × {price}" for pairs, price in zip(new, prices, strict=False)]
        self.strips.update(histograms, new, words)
        told = ", ".join(f"{len(pairs)} at level {level}" for level, pairs in enumerate(new))
        describe(
            self.axes[0],
            f"Figure 14.1. A set x of {len(x)} points and a set z of {len(z)} on a line. Pairs that are new: {told}; "
            f"each counts half as much as one level before, in all k = {found.value:.5g}. The best matching, which no "
            f"bins hinder, is worth {best.value:.5g}.",
        )


def figure_14_1(axes, x, z, histograms, found, best):
    """Three panels one above the other: the pairs of the pyramid, the histograms of its levels, the best matching.

    Parameters: x (m, 1), z (n, 1) within [0, 8]; `histograms(x, z, kernel)`, `pyramid_matching(x, z, kernel)` and
    `best_matching(x, z, kernel)` of `lessons.matching`, with at most four levels.
    """
    view = Pyramid(*axes)
    view.update(np.ravel(x), np.ravel(z), histograms, found, best)
    return view


# ---- digits as sets -------------------------------------------------------------------------------------
STROKE, SPUR = 0.42, 0.34  # half the length of an edge, and of the spur that points into the ink


class Edges:
    """One digit as the set of its edges, over its ink: a stroke along each, with a short spur into the ink."""

    def __init__(self, ax, title):
        dress(ax, (-0.9, 7.9, 7.9, -0.9), title=title, equal=True)
        ax.set_xticks([])
        ax.set_yticks([])
        self.shades = np.array([palette_of(ax).mix("ink", 0.5 * share) for share in np.linspace(0, 1, 17)])
        self.ink = AxesImage(
            ax, extent=(-0.5, 7.5, 7.5, -0.5), origin="upper", interpolation="nearest", zorder=0
        )
        ax.add_image(self.ink)
        self.strokes = Segments(ax, "plus", 2.6)
        self.spurs = Segments(ax, "minus", 1.6)
        self.artists = [self.ink, *self.strokes.artists, *self.spurs.artists]

    def update(self, image, edges):
        """image (8, 8), ink from 0 to 16.

        edges (m, 3): column, row from the top, direction of growing ink in eighths of a turn, 0 right and 2 down.
        """
        self.ink.set_data(self.shades[np.rint(image).astype(int)])
        places, turn = edges[:, :2], 2 * np.pi / 8 * edges[:, 2]
        into = np.column_stack([np.cos(turn), np.sin(turn)])
        along = into[:, ::-1] * (-1, 1)
        self.strokes.update(np.stack([places - STROKE * along, places + STROKE * along], axis=1))
        self.spurs.update(np.stack([places, places + SPUR * into], axis=1))


def figure_digit_sets(axes, images, sets, titles):
    """Digits as the sets that a machine compares, a panel for each.

    Parameters: axes, as many as sets; images (n, 8, 8) of `datasets.digit_images`; sets, each (m, 3), of
    `datasets.digit_sets`; titles, a word on each.
    """
    drawn = []
    for ax, image, edges, title in zip(axes, images, sets, titles, strict=True):
        drawn.append(Edges(ax, title))
        drawn[-1].update(image, edges)
    told = ", ".join(f"{title}: {len(edges)}" for title, edges in zip(titles, sets, strict=True))
    describe(axes[0], f"{len(sets)} digits, each drawn as the set of its edges; how many there are, {told}.")
    return drawn
