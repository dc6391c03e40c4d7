"""The layers that figures are made of: artists made once, then moved.

A layer is created empty on an Axes and filled by `update(arrays)`, as often as one likes. A figure calls
`update` once, an explorer on every move of a slider: both show the same picture because there is only one.
"""

import numpy as np
from contourpy import FillType, LineType, contour_generator
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.image import AxesImage
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path

from sparsekm_edu.figures.style import TWO_CLASSES, dress, palette_of

POINT_SIZE = 70
SMALL = 34  # markers of points where the colours behind them matter more


class View:
    """Several layers on one or more Axes. `artists` is what moves; all the rest of the sheet stands still."""

    def __init__(self, *axes):
        self.axes = axes
        self.artists = []

    def add(self, layer):
        """Register a layer, or a bare matplotlib artist, as something that moves."""
        self.artists += getattr(layer, "artists", [layer])
        return layer


class Points:
    """The data: blue circles for t = +1, orange squares for t = -1; other classes as `style` lists them."""

    def __init__(self, ax, classes=TWO_CLASSES, size=POINT_SIZE):
        colours = palette_of(ax)
        looks = {"edgecolors": colours.paper, "linewidths": 0.8, "zorder": 5}
        self.labels = list(classes)
        self.artists = [
            ax.scatter([], [], size, getattr(colours, role), marker=marker, **looks)
            for role, marker in classes.values()
        ]

    def update(self, X, t):
        X, t = np.reshape(X, (-1, 2)), np.asarray(t)
        for artist, label in zip(self.artists, self.labels, strict=True):
            artist.set_offsets(X[t == label])


class Marks:
    """Any number of marks that look alike; how, the subclasses say."""

    def update(self, X):
        self.artists[0].set_offsets(np.reshape(X, (-1, 2)))


class Rings(Marks):
    """Circles around chosen points: the support vectors."""

    def __init__(self, ax, role="ring", size=3.4 * POINT_SIZE):
        colour = getattr(palette_of(ax), role)
        self.artists = [
            ax.scatter([], [], size, facecolors="none", edgecolors=colour, linewidths=1.8, zorder=6)
        ]


class Crosses(Marks):
    """Points crossed out: the misclassified ones."""

    def __init__(self, ax, size=1.5 * POINT_SIZE):
        self.artists = [ax.scatter([], [], size, palette_of(ax).ink, marker="x", linewidths=2.0, zorder=6)]


class Grips(Marks):
    """Small diamonds where a line can be taken by the hand; a figure in print has none."""

    def __init__(self, ax, role="own"):
        colours = palette_of(ax)
        self.artists = [
            ax.scatter(
                [],
                [],
                90,
                getattr(colours, role),
                marker="D",
                edgecolors=colours.paper,
                linewidths=1.2,
                zorder=7,
            )
        ]


class Segments:
    """Any number of straight pieces, each from one point to another."""

    def __init__(self, ax, role="ink", width=1.5, style="-", zorder=3):
        colour = getattr(palette_of(ax), role)
        self.artists = [LineCollection([], colors=colour, linewidths=width, linestyles=style, zorder=zorder)]
        ax.add_collection(self.artists[0], autolim=False)

    def update(self, segments):
        """segments: (S, 2, 2), point and point."""
        self.artists[0].set_segments(np.reshape(segments, (-1, 2, 2)))


class StraightLine:
    """The line w'x + b = level across the window."""

    def __init__(self, ax, role="ink", width=2.2, style="-"):
        self.ax = ax
        self.segments = Segments(ax, role, width, style)
        self.artists = self.segments.artists

    def update(self, w, b, levels=(0.0,)):
        reach = np.hypot(np.ptp(self.ax.get_xlim()), np.ptp(self.ax.get_ylim()))
        middle = np.array([np.mean(self.ax.get_xlim()), np.mean(self.ax.get_ylim())])
        w = np.asarray(w, float)
        along = np.array([-w[1], w[0]]) / np.linalg.norm(w) * reach
        feet = [middle - w * (w @ middle + b - level) / (w @ w) for level in levels]
        self.segments.update([(foot - along, foot + along) for foot in feet])


class MarginBand:
    """The strip |w'x + b| <= half, shaded: the street between the classes."""

    def __init__(self, ax, role="good", share=0.22):
        self.ax = ax
        colours = palette_of(ax)
        self.artists = [PolyCollection([], facecolors=[colours.mix(role, share)], linewidths=0, zorder=1)]
        ax.add_collection(self.artists[0], autolim=False)

    def update(self, w, b, half):
        w = np.asarray(w, float)
        reach = np.hypot(np.ptp(self.ax.get_xlim()), np.ptp(self.ax.get_ylim())) * 2
        along = np.array([-w[1], w[0]]) / np.linalg.norm(w) * reach
        low, high = (-w * (b - side * half) / (w @ w) for side in (-1, 1))
        self.artists[0].set_verts([np.array([low - along, low + along, high + along, high - along])])


class Surface:
    """y(x) over the plane: bands of constant y in the colours of the classes, and the lines y = -1, 0, 1.

    margins=False leaves out the lines y = -1 and 1, for functions without a margin.
    """

    LEVELS = np.array([-np.inf, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, np.inf])
    SHARES = [0.42, 0.34, 0.26, 0.17, 0.09, 0.09, 0.17, 0.26, 0.34, 0.42]  # deeper colour, larger |y|

    def __init__(self, ax, margins=True):
        colours = palette_of(ax)
        self.with_margins = margins
        roles = ["minus" if high <= 0 else "plus" for high in self.LEVELS[1:]]
        self.shades = [colours.mix(role, share) for role, share in zip(roles, self.SHARES, strict=True)]
        self.bands = PathCollection([], linewidths=0, zorder=0)
        self.boundary = PathCollection(
            [], facecolors="none", edgecolors=colours.ink, linewidths=2.4, zorder=3
        )
        self.margins = PathCollection(
            [], facecolors="none", edgecolors=colours.ink, linewidths=1.4, linestyles="--", zorder=3
        )
        self.artists = [self.bands, self.boundary, self.margins]
        for artist in self.artists:
            ax.add_collection(artist, autolim=False)

    def update(self, x1, x2, Y):
        """x1: (W,), x2: (H,) the axes of the grid, Y: (H, W) the values."""
        contours = contour_generator(x1, x2, Y, fill_type=FillType.OuterCode, line_type=LineType.SeparateCode)
        # contourpy wants finite levels; any number beyond the data stands for infinity
        levels = np.clip(self.LEVELS, Y.min() - 1, Y.max() + 1)
        paths, shades = [], []
        for low, high, shade in zip(levels[:-1], levels[1:], self.shades, strict=True):
            if low < high:
                pieces = [Path(*piece) for piece in zip(*contours.filled(low, high), strict=True)]
                paths += pieces
                shades += [shade] * len(pieces)
        self.bands.set_paths(paths)
        self.bands.set_facecolor(shades)
        # an edge in the band's own colour closes the hair-thin gaps between neighbours
        self.bands.set_edgecolor(shades)
        self.boundary.set_paths(self._lines(contours, 0.0))
        if self.with_margins:
            self.margins.set_paths(self._lines(contours, -1.0) + self._lines(contours, 1.0))

    @staticmethod
    def _lines(contours, level):
        return [Path(*piece) for piece in zip(*contours.lines(level), strict=True)]


class Boundary:
    """Where a function over the plane is 0."""

    def __init__(self, ax, role="ink", width=2.4, style="-"):
        looks = {"edgecolors": getattr(palette_of(ax), role), "linewidths": width, "linestyles": style}
        self.artists = [PathCollection([], facecolors="none", zorder=3, **looks)]
        ax.add_collection(self.artists[0], autolim=False)

    def update(self, x1, x2, Y):
        contours = contour_generator(x1, x2, Y, line_type=LineType.SeparateCode)
        self.artists[0].set_paths([Path(*piece) for piece in zip(*contours.lines(0.0), strict=True)])


class Probabilities:
    """p(C_k | x) over the plane as a mixture of the colours of the classes, and the line where two are equal.

    A smooth picture, as in figure 7.12: the deeper a colour, the surer the class.
    """

    SHARE = 0.55  # of a class's colour where its probability is 1

    def __init__(self, ax, classes=TWO_CLASSES):
        colours = palette_of(ax)
        self.shades = np.array([colours.mix(role, self.SHARE) for role, _ in classes.values()])
        looks = {"origin": "lower", "interpolation": "bilinear", "zorder": 0}
        self.image = AxesImage(ax, extent=(0, 1, 0, 1), **looks)  # laying out the axes asks for some extent
        self.image.set_data(
            np.zeros((2, 2, 3))
        )  # set_data and add_image leave limits and aspect of the axes alone
        ax.add_image(self.image)
        self.borders = PathCollection([], facecolors="none", edgecolors=colours.ink, linewidths=2.2, zorder=3)
        ax.add_collection(self.borders, autolim=False)
        self.artists = [self.image, self.borders]

    def update(self, x1, x2, P):
        """x1: (W,), x2: (H,) the axes of the grid, P: (K, H, W) probabilities in the order of `classes`."""
        half = (x1[1] - x1[0]) / 2, (x2[1] - x2[0]) / 2  # pixels have their centres on the grid
        self.image.set_extent((x1[0] - half[0], x1[-1] + half[0], x2[0] - half[1], x2[-1] + half[1]))
        mixture = np.moveaxis(P, 0, -1) @ self.shades
        opaque = np.dstack([255 * mixture, np.full(mixture.shape[:2], 255)])
        self.image.set_data(np.rint(opaque).astype(np.uint8))  # four bytes are painted in half the time
        lines = []
        for k in range(len(P) - (len(P) == 2)):  # of two classes, both have the same border
            ahead = P[k] - np.delete(P, k, axis=0).max(axis=0)
            contours = contour_generator(x1, x2, ahead, line_type=LineType.SeparateCode)
            lines += [Path(*piece) for piece in zip(*contours.lines(0.0), strict=True)]
        self.borders.set_paths(lines)


class Relief:
    """A function over the plane as a relief: bands between levels, deeper where it is higher, and lines around them."""

    DEEPEST = 0.5  # share of the colour in the highest band

    def __init__(self, ax, role="faint"):
        colours = palette_of(ax)
        self.shade = lambda share: colours.mix(role, share)
        self.bands = PathCollection([], linewidths=0, zorder=0)
        edge = colours.mix(role, 0.8)
        self.lines = PathCollection([], facecolors="none", edgecolors=[edge], linewidths=0.7, zorder=0.5)
        self.artists = [self.bands, self.lines]
        for artist in self.artists:
            ax.add_collection(artist, autolim=False)

    def update(self, x1, x2, Z, levels):
        """x1: (W,), x2: (H,) the axes of the grid, Z: (H, W) the values, levels: (L,) rising; paper below the first."""
        contours = contour_generator(x1, x2, Z, fill_type=FillType.OuterCode, line_type=LineType.SeparateCode)
        shares = np.linspace(0, self.DEEPEST, len(levels) + 1)[1:]
        paths, shades = [], []
        for low, high, share in zip(levels, [*levels[1:], max(Z.max(), levels[-1]) + 1], shares, strict=True):
            pieces = [Path(*piece) for piece in zip(*contours.filled(low, high), strict=True)]
            paths += pieces
            shades += [self.shade(share)] * len(pieces)
        self.bands.set_paths(paths)
        self.bands.set_facecolor(shades)
        self.lines.set_paths(
            [Path(*piece) for level in levels for piece in zip(*contours.lines(level), strict=True)]
        )


class Band:
    """What lies between two curves, shaded: error bars, one standard deviation to either side of a mean."""

    def __init__(self, ax, role="good", share=0.22):
        self.artists = [
            PolyCollection([], facecolors=[palette_of(ax).mix(role, share)], linewidths=0, zorder=1)
        ]
        ax.add_collection(self.artists[0], autolim=False)

    def update(self, x, low, high):
        """x, low, high: (n,) each."""
        self.artists[0].set_verts([np.column_stack([np.append(x, x[::-1]), np.append(high, low[::-1])])])


class Arrow:
    """An arrow from one point to another: gradients and weight vectors."""

    def __init__(self, ax, role="ink", width=2.4):
        colour = getattr(palette_of(ax), role)
        arrow = FancyArrowPatch(
            (0, 0), (1, 1), arrowstyle="-|>", mutation_scale=18, color=colour, linewidth=width, zorder=7
        )
        arrow.shrinkA = arrow.shrinkB = 0
        self.artists = [ax.add_patch(arrow)]

    def update(self, start, end):
        # an arrow of no length has no direction to draw
        self.artists[0].set_visible(not np.allclose(start, end))
        self.artists[0].set_positions(start, end)


class Arrows:
    """Any number of arrows that look alike: pushes, each from where it comes from to what it acts on."""

    HEAD = 0.045, 0.022  # length and half the width of a head, as shares of the window's width

    def __init__(self, ax, role="ink", width=3.0):
        self.ax = ax
        colour = getattr(palette_of(ax), role)
        self.shafts = LineCollection([], colors=colour, linewidths=width, zorder=7)
        self.heads = PolyCollection([], facecolors=[colour], linewidths=0, zorder=7)
        self.artists = [self.shafts, self.heads]
        for artist in self.artists:
            ax.add_collection(artist, autolim=False)

    def update(self, tails, tips):
        """tails, tips: (A, 2) each."""
        tails, tips = np.reshape(tails, (-1, 2)), np.reshape(tips, (-1, 2))
        lengths = np.linalg.norm(tips - tails, axis=1, keepdims=True)
        ahead = (tips - tails) / np.where(lengths, lengths, 1.0)
        across = ahead[:, ::-1] * (-1, 1)
        long, wide = np.array(self.HEAD) * np.ptp(self.ax.get_xlim())
        back = tips - np.minimum(long, lengths) * ahead  # a short arrow is all head
        self.shafts.set_segments(np.stack([tails, back], axis=1))
        self.heads.set_verts(np.stack([tips, back + wide * across, back - wide * across], axis=1))


class Label:
    """A few words that travel with the picture; on a patch of paper, unless that would hide what they name."""

    def __init__(self, ax, role="ink", size=13, ha="left", va="bottom", patch=True):
        colours = palette_of(ax)
        text = ax.text(0, 0, "", color=getattr(colours, role), fontsize=size, ha=ha, va=va, zorder=4.5)
        if patch:
            text.set_bbox({"facecolor": colours.paper, "alpha": 0.75, "edgecolor": "none", "pad": 1.5})
        text.set_clip_on(True)
        self.artists = [text]

    def update(self, where, words):
        self.artists[0].set_position(where)
        self.artists[0].set_text(words)


class Fractions:
    """What nu promises: a line between the ends of two bars, fractions of the points, with a grip to move it by."""

    HEIGHTS = 1.35, -0.35  # of the two bars, with room for nu between them
    GRIP = 0.5

    def __init__(self, ax, at_most, at_least):
        """at_most, at_least: what the two bars count; nu lies between their ends."""
        colours = palette_of(ax)
        dress(ax, (0, 1.02, -1, 2), "fraction of the points")
        ax.set_yticks(self.HEIGHTS, [at_most, at_least])
        ax.tick_params(axis="y", length=0, labelsize=12)
        looks = {"color": [colours.mix("own", 0.7), colours.mix("faint", 0.6)], "hatch": ["", "//"]}
        self.bars = list(ax.barh(self.HEIGHTS, [0, 0], 0.95, zorder=2, **looks))
        self.line = Segments(ax, "ink", 2.4, zorder=3)
        self.grip = Grips(ax)
        self.name = Label(ax, "ink", va="center", patch=False)
        self.artists = [*self.bars, *self.line.artists, *self.grip.artists, *self.name.artists]

    def update(self, low, nu, high):
        for bar, share in zip(self.bars, (low, high), strict=True):
            bar.set_width(share)
        self.line.update([((nu, -1), (nu, 2))])
        self.grip.update([(nu, self.GRIP)])
        room_on_right = bool(nu < 0.5)
        self.name.artists[0].set_ha("left" if room_on_right else "right")
        self.name.update((nu + (0.022 if room_on_right else -0.022), self.GRIP), rf"$\nu$ = {nu:.2f}")


def curve(ax, role="ink", width=2.2, style="-", zorder=4, **kwargs):
    """An empty line in the colour of a role; move it with `set_data(x, y)`."""
    colour = getattr(palette_of(ax), role)
    return ax.plot([], [], style, color=colour, linewidth=width, zorder=zorder, **kwargs)[0]


def dot(ax, role="own", marker="o", size=11):
    """One point that stands out; move it with `set_data([x], [y])`."""
    colours = palette_of(ax)
    colour = getattr(colours, role)
    edge = colour if marker == "+" else colours.paper  # a cross of two strokes is nothing but edge
    return ax.plot([], [], marker, color=colour, markersize=size, markeredgecolor=edge, zorder=8)[0]


#: where a legend is out of the way of curves that may go anywhere
ABOVE_THE_AXES = {
    "loc": "lower center",
    "bbox_to_anchor": (0.45, 1.0),
    "ncols": 2,
    "borderaxespad": 0.1,
    "handlelength": 1.5,
    "columnspacing": 1.0,
}


def legend(ax, **where):
    """What the lines are called, without a box around it; what moves is painted over it, never under it."""
    ax.legend(fontsize=11, frameon=False, labelcolor=palette_of(ax).ink, **where).set_zorder(1)


def grid_over(window, cells=90):
    """x1, x2: the axes of a grid over a window (left, right, bottom, top), square cells, `cells` across."""
    left, right, bottom, top = window
    rows = max(2, round(cells * (top - bottom) / (right - left)))
    return np.linspace(left, right, cells), np.linspace(bottom, top, rows)


def give_room_to_first(upper, lower, share=3):
    """Where the two Axes stand one above the other, make the upper one `share` times as high."""
    grid = upper.get_gridspec()
    if grid is lower.get_gridspec() and grid.nrows == 2:
        grid.set_height_ratios([share, 1])


def two_classes(a):
    """Probabilities of class +1 and class -1, (2, ...), from log odds a."""
    plus = 0.5 * (1.0 + np.tanh(0.5 * a))
    return np.stack([plus, 1.0 - plus])


def clip_line(w, b, window):
    """The piece of w'x + b = 0 inside a window (left, right, bottom, top), (2, 2); nothing, (0, 2), if it passes by."""
    low, high = np.array(window[::2], float), np.array(window[1::2], float)
    w = np.asarray(w, float)
    if not w.any():
        return np.empty((0, 2))
    foot, along = -b * w / (w @ w), np.array([-w[1], w[0]])
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.sort(
            [(low - foot) / along, (high - foot) / along], axis=0
        )  # when each strip is entered and left
    strips = along != 0
    outside = ~strips & ((foot < low) | (foot > high))
    enter, leave = ends[0][strips].max(), ends[1][strips].min()
    if outside.any() or enter >= leave:
        return np.empty((0, 2))
    return foot + np.array([[enter], [leave]]) * along
