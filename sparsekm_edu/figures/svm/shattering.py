"""Which labellings a straight line can do: a board of them all, one of them large, and how their number grows."""

import numpy as np
from matplotlib.collections import PolyCollection

from sparsekm_edu.figures.layers import (
    Label,
    MarginBand,
    Points,
    Rings,
    Segments,
    StraightLine,
    View,
    clip_line,
    curve,
    dot,
)
from sparsekm_edu.figures.style import MINUS, PLUS, SQUARE, describe, dress, palette_of

TILE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
GUTTER = 0.07  # between tiles, in tiles


class Board(View):
    """All labellings of a few points up to a swap of the colours, one on each tile, with a line or crossed out."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        colours = palette_of(ax)
        dress(ax, (0, 1, 0, 1), title=title, equal=True)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        self.fine, self.bad = colours.mix("good", 0.1), colours.mix("ink", 0.28)
        self.tiles = PolyCollection([], linewidths=0, zorder=0)
        self.frame = PolyCollection([], facecolors="none", edgecolors=colours.own, linewidths=3.5, zorder=7)
        for collection in (self.tiles, self.frame):
            ax.add_collection(collection, autolim=False)
            self.add(collection)
        self.lines = self.add(Segments(ax, "good", 2.2))
        marks = {"linewidths": 0.6, "edgecolors": colours.paper, "zorder": 5}
        self.plus = self.add(ax.scatter([], [], 1, colours.plus, marker=PLUS, **marks))
        self.minus = self.add(ax.scatter([], [], 1, colours.minus, marker=MINUS, **marks))
        self.crosses = self.add(ax.scatter([], [], 1, colours.ink, marker="x", linewidths=2.2, zorder=6))

    def update(self, X, labels, lines, chosen=None):
        """X (n, 2); labels (L, n) of -1 and +1; lines: for each labelling (w, b), or None; chosen: the framed one."""
        across = int(np.ceil(np.sqrt(len(labels))))
        down = int(np.ceil(len(labels) / across))
        rows, columns = np.divmod(np.arange(len(labels)), across)
        corners = np.column_stack([columns, (across + down) / 2 - 1 - rows]) / across
        side = (1 - GUTTER) / across
        outlines = corners[:, None] + side * TILE
        self.tiles.set_verts(outlines)
        self.tiles.set_facecolor([self.bad if line is None else self.fine for line in lines])
        self.frame.set_verts([] if chosen is None else [outlines[chosen]])
        left, right, bottom, top = SQUARE
        small = (X - (left, bottom)) / (right - left, top - bottom) * 0.9 + 0.05  # inside a tile of side 1
        places = corners[:, None] + side * small
        for artist, label in ((self.plus, 1), (self.minus, -1)):
            artist.set_offsets(places[labels == label])
            artist.set_sizes([900 * side**2])
        drawn = []
        for corner, line in zip(corners, lines, strict=True):
            if line is not None:
                piece = (clip_line(*line, SQUARE) - (left, bottom)) / (right - left, top - bottom)
                drawn += [corner + side * piece] if len(piece) else []
        self.lines.update(drawn)
        impossible = np.array([line is None for line in lines])
        self.crosses.set_offsets(corners[impossible] + side / 2)
        self.crosses.set_sizes([4500 * side**2])


def figure_shattering(axes, sets):
    """One board for each of the point sets: (title, X, labels, lines) as in `Board.update`."""
    views = []
    for ax, (title, X, labels, lines) in zip(axes, sets, strict=True):
        views.append(Board(ax, title))
        views[-1].update(X, labels, lines)
    counts = [
        f"{len(X)} points, {sum(line is not None for line in lines)} of {len(lines)}"
        for _, X, _, lines in sets
    ]
    describe(
        axes[0],
        "Boards of labellings, each standing for itself and for the one with the colours swapped; those that a "
        f"straight line can do show the line, the others are crossed out. Done: {'; '.join(counts)}.",
    )
    return views


class Shattering(View):
    """Left, points with one labelling: its widest line, or the proof that there is none. Right, the board of all."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, SQUARE, "$x_1$", "$x_2$", equal=True, grid=True)
        self.board = Board(right)
        self.artists += self.board.artists
        self.band = self.add(MarginBand(left))
        self.line = self.add(StraightLine(left, "good"))
        self.hulls = self.add(Segments(left, "ink", 2.4, "--"))
        self.points = self.add(Points(left, size=150))
        self.rings = self.add(Rings(left, size=400))
        self.meeting = self.add(Rings(left, "own", size=420))
        self.numbers = [self.add(Label(left, ha="center", va="center", patch=False)) for _ in range(5)]

    def update(self, X, t, line, support, proof, labels, lines, chosen):
        """t (n,): the labelling; line: (w, b) or None; support: indices; proof: two groups and their common point, or
        None; labels, lines, chosen: for the board."""
        possible = line is not None
        w, b = line if possible else (np.zeros(2), 0.0)
        seen = w.any()  # a line that has all points on one side is out of sight
        self.band.update(w if seen else np.ones(2), b if seen else 1e6, 1.0)
        self.line.update(w if seen else np.ones(2), b if seen else 1e6)
        self.points.update(X, t)
        self.rings.update(X[support] if seen else [])
        self.hulls.update([] if proof is None else np.concatenate([closed(X[group]) for group in proof[:2]]))
        self.meeting.update([] if proof is None else proof[2])
        middle = X.mean(axis=0)
        for n, number in enumerate(self.numbers):
            away = X[min(n, len(X) - 1)] - middle
            away = away / max(np.hypot(*away), 1e-9) if away.any() else np.array([0.0, 1.0])
            number.update(X[n] + 0.42 * away if n < len(X) else (0, 0), f"{n + 1}" if n < len(X) else "")
        self.board.update(X, labels, lines, chosen)
        done = sum(line is not None for line in lines)
        describe(
            self.axes[0],
            f"{len(X)} points and their {2 * len(lines)} labellings, of which a straight line can do {2 * done}. The "
            f"labelling {' '.join('+' if label > 0 else '-' for label in t)} "
            + (
                "has a line; the widest street is shown."
                if possible
                else f"has none: the hulls of the classes meet at ({proof[2][0]:.2f}, {proof[2][1]:.2f})."
            ),
        )


def closed(corners):
    """The sides of a triangle, one segment for two points, or a single point, (S, 2, 2)."""
    sides = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    return sides[:1] if len(corners) == 2 else sides


class Growth(View):
    """How many labellings there are, and how many lines can do: counted, by Cover's formula, and by Sauer's bound."""

    def __init__(self, left, right, most=20):
        super().__init__(left, right)
        dress(left, (0.5, most + 0.5, 1, 2.0**most), "points $N$", "labellings", square=True, grid=True)
        left.set_yscale("log")
        dress(
            right, (0.5, most + 0.5, 0, 1.06), "points $N$", "fraction a line can do", square=True, grid=True
        )
        self.all = self.add(curve(left, "faint", style="--"))
        self.sauer = self.add(curve(left, "own", style=":"))
        self.cover = self.add(curve(left, "good"))
        self.counted = self.add(dot(left, "ink", size=8))
        self.names = [
            self.add(Label(left, role, ha="right", va=va, patch=False))
            for role, va in (("faint", "bottom"), ("own", "bottom"), ("good", "top"))
        ]
        self.fraction = self.add(curve(right, "good"))
        self.measured = self.add(dot(right, "ink", size=8))
        self.half = self.add(curve(right, "ink", 1.4, ":"))
        self.name = self.add(Label(right))

    def update(self, N, cover, sauer, counted):
        """N (m,) numbers of points from 1 on; cover, sauer (m,); counted: what a solver found for the first few."""
        self.all.set_data(N, 2.0**N)
        self.sauer.set_data(N, sauer)
        self.cover.set_data(N, cover)
        few = N[: len(counted)]
        self.counted.set_data(few, counted)
        self.fraction.set_data(N, cover / 2.0**N)
        self.measured.set_data(few, counted / 2.0**few)
        self.half.set_data([6, 6, 0], [0, 0.5, 0.5])
        k = 2 * len(N) // 3
        end = N[-1] - 0.2
        for name, place, words in zip(
            self.names,
            [(N[k] - 0.8, 2.0 ** N[k]), (end, 1.4 * sauer[-1]), (end, cover[-1] / 2.6)],
            ["all, $2^N$", "Sauer's bound", "a line can do"],
            strict=True,
        ):
            name.update(place, words)
        self.name.update((6.4, 0.52), "half of them at $N=6$")
        describe(
            self.axes[0],
            "Left, labellings of N points on a logarithmic scale: all of them, 2 to the N, rise in a straight line; "
            f"those that a line in the plane can do bend away from N = 4 on, to {cover[-1]} of {2 ** int(N[-1])} at "
            f"N = {N[-1]}; counts by the solver up to N = {few[-1]} lie on the curve. Right, their fraction, which is "
            "1 up to N = 3 and one half at N = 6.",
        )


def figure_growth(left, right, N, cover, sauer, counted):
    """Labellings of N points: all, those that a line can do, Sauer's bound, and what was counted."""
    view = Growth(left, right, int(N[-1]))
    view.update(np.asarray(N), np.asarray(cover), np.asarray(sauer), np.asarray(counted))
    return view
