"""Two strings, what they share, and the string kernel (14.22) as a sum: MLaPP 14.2.6."""

import math
from functools import cache

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.textpath import text_to_path

from sparsekm_edu.figures.layers import Segments, View
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.style import describe, dress, palette_of

MONOSPACE = {weight: FontProperties(family="monospace", weight=weight) for weight in ("normal", "bold")}
ADVANCE = 0.602  # from letter to letter in this font, as a share of its size
SHOWN = 8  # terms of the sum; all others are one bar
DEEPEST = 0.5  # share of the colour behind the letters that give most
LONGEST_NAME = 7  # letters of a substring beside its bar


@cache
def glyph(letter, weight):
    """The outline of a letter, one unit wide: vertices (V, 2), codes (V,). A space is seen, as is what has no form."""
    letter = "␣" if letter == " " else letter
    font = MONOSPACE[weight]
    known = get_font(findfont(font)).get_charmap()
    vertices, codes = text_to_path.get_text_path(font, letter if ord(letter) in known else "□")
    return np.array(vertices) / (ADVANCE * text_to_path.FONT_SCALE), np.array(codes)


class Letters:
    """Letters on a grid of cells: one path for all that look alike."""

    def __init__(self, ax, role, weight):
        self.weight = weight
        path = Path(np.empty((0, 2)))
        self.artists = [PathPatch(path, facecolor=getattr(palette_of(ax), role), linewidth=0, zorder=4)]
        ax.add_artist(self.artists[0])

    def update(self, letters, corners, size):
        """letters, a string of n; corners (n, 2), the left end of the line that each stands on; size of a cell."""
        outlines = [glyph(letter, self.weight) for letter in letters]
        if not outlines:
            self.artists[0].set_path(Path(np.empty((0, 2))))
            return
        vertices = [size * outline + corner for (outline, _), corner in zip(outlines, corners, strict=True)]
        codes = [codes for _, codes in outlines]
        self.artists[0].set_path(Path(np.concatenate(vertices), np.concatenate(codes)))


def bare(ax):
    """Neither frame nor ticks: what stands in these axes is read, not measured."""
    ax.set_axis_off()
    ax.spines[:].set_visible(False)  # the live canvas paints them on top of everything


class TwoStrings(View):
    """Two strings, one above the other, in lines as long as they have to be: the fewer letters, the larger."""

    WINDOW = (0.0, 40.0, 0.0, 36.0)
    LINE = 2.3  # height of a line, in cells
    NAME = 2.9  # height of the name above a string
    FEWEST = 14  # letters in a line

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, self.WINDOW, equal=True)
        bare(ax)
        self.cells = self.add(PolyCollection([], linewidths=0, zorder=1))
        ax.add_collection(self.cells, autolim=False)
        self.shade = lambda share: palette_of(ax).mix("good", DEEPEST * share)
        looks = {"ink": "bold", "faint": "normal"}
        self.letters = {role: self.add(Letters(ax, role, weight)) for role, weight in looks.items()}
        self.underlines = self.add(Segments(ax, "own", 2.6, zorder=5))
        self.names = [self.add(QuickText(ax, size=12, va="top")) for _ in range(2)]

    def places(self, lengths):
        """The left lower corner of the cell of every letter, (n, 2) for each string, tops of the names, cell size."""
        _, width, _, height = self.WINDOW
        for columns in range(self.FEWEST, sum(lengths) + self.FEWEST + 1):
            size = width / columns
            lines = [math.ceil(length / columns) for length in lengths]
            if size * self.LINE * sum(lines) + self.NAME * len(lengths) <= height:
                break
        corners, names, top = [], [], height
        for length, many in zip(lengths, lines, strict=True):
            names.append(top)
            top -= self.NAME
            row, column = np.divmod(np.arange(length), columns)
            corners.append(np.column_stack([column * size, top - self.LINE * size * row - 1.3 * size]))
            top -= self.LINE * size * many
        return corners, names, size

    def update(self, strings, depths, lit):
        """strings, x and x'; depths, what each of their letters gives, (D,) and (D',); lit: for each of the two, the
        (start, end) of the pieces that are underlined."""
        corners, tops, size = self.places([len(text) for text in strings])
        for name, label, text, top in zip(self.names, ("x", "x′"), strings, tops, strict=True):
            name.set_position((0.0, top))
            name.set_text(f"{label}, {len(text)} letter{'s' * (len(text) != 1)}")
        text, corners_of_all, depth = "".join(strings), np.concatenate(corners), np.concatenate(depths)
        gives = depth > 0
        square = size * np.array([(0, -0.3), (1, -0.3), (1, 1.25), (0, 1.25)])
        self.cells.set_verts(corners_of_all[gives][:, None] + square)
        self.cells.set_facecolor([self.shade(share) for share in depth[gives] / depth.max(initial=0.0)])
        for role, which in (("ink", gives), ("faint", ~gives)):
            chosen = np.flatnonzero(which)
            self.letters[role].update("".join(text[n] for n in chosen), corners_of_all[chosen], size)
        self.underlines.update(
            [
                line
                for where, pieces in zip(corners, lit, strict=True)
                for line in underlines(where, pieces, size)
            ]
        )


def underlines(corners, pieces, size):
    """A stroke below each (start, end) of letters at `corners`, one per line of text; neighbours at other heights."""
    strokes = []
    for n, (start, end) in enumerate(pieces):
        drop = np.array([0.0, size * (0.42 + 0.28 * (n % 2))])
        where = corners[start:end]
        for line in np.unique(where[:, 1]):
            first, *_, last = [*where[where[:, 1] == line]] * 2
            strokes.append((first - drop + (0.12 * size, 0), last - drop + (0.88 * size, 0)))
    return strokes


class Terms(View):
    """The kernel as a sum: a bar for each of its largest terms w_s phi_s(x) phi_s(x'), and one for all others."""

    WINDOW = (0.0, 1.0, -(SHOWN + 1.0), 1.2)

    def __init__(self, ax):
        super().__init__(ax)
        colours = palette_of(ax)
        dress(ax, self.WINDOW)
        bare(ax)
        self.bars = self.add(PolyCollection([], facecolors=[colours.mix("good", 0.35)], zorder=1))
        looks = {"edgecolors": [colours.mix("faint", 0.6)], "hatch": "//", "linewidths": 0}
        self.others = self.add(PolyCollection([], facecolors=["none"], zorder=1, **looks))
        self.frame = self.add(Segments(ax, "own", 2.6))
        for artist in (self.bars, self.others):
            ax.add_collection(artist, autolim=False)
        self.head = self.add(QuickText(ax, size=12, weight="bold", x=0.02, y=0.6))
        self.names = [
            self.add(QuickText(ax, size=12, weight="bold", x=0.02, y=-n - 0.5)) for n in range(SHOWN + 1)
        ]
        self.products = [
            self.add(QuickText(ax, size=11, ha="right", x=0.99, y=-n - 0.5)) for n in range(SHOWN + 1)
        ]

    def update(self, names, counts, terms, lit):
        """names (T,) of the substrings; counts (T, 2), phi_s(x) and phi_s(x'); terms (T,), the largest first; lit, the
        substring whose bar is framed."""
        many, rest = max(len(terms) - SHOWN, 0), sum(terms[SHOWN:])
        names, counts, terms = list(names[:SHOWN]), counts[:SHOWN], list(terms[:SHOWN])
        self.head.set_text(f"κ = Σ w φ(x) φ(x′) = {brief(sum(terms) + rest)}")
        words = [legible(name) for name in names] + [f"{many} more"] * (many > 0)
        products = [
            f"{term / (a * b):.3g} · {a} · {b} = {brief(term)}"
            for (a, b), term in zip(counts, terms, strict=True)
        ] + [brief(rest)] * (many > 0)
        for texts, filled in ((self.names, words), (self.products, products)):
            for n, text in enumerate(texts):
                text.set_text(filled[n] if n < len(filled) else "")
        longest = max([*terms, rest])
        self.bars.set_verts([row(n, term / longest) for n, term in enumerate(terms)])
        self.others.set_verts([row(len(terms), rest / longest)] if many else [])
        frame = row(names.index(lit), 1.0) if lit in names else np.empty((0, 2))
        self.frame.update(np.stack([frame, np.roll(frame, -1, axis=0)], axis=1))


def row(n, length):
    """The corners of the n-th bar."""
    return np.array([(0, -n - 0.92), (length, -n - 0.92), (length, -n - 0.08), (0, -n - 0.08)])


def brief(number):
    """Four digits, but all of those before the point."""
    return f"{number:.0f}" if number >= 1000 else f"{number:.4g}"


def legible(name):
    """A substring as it is written beside its bar: cut if it is long, a space shown."""
    name = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    return name.replace(" ", "␣")


class StringMatch(View):
    """Left, two strings whose letters are the deeper the more they give; right, the kernel as a sum of terms."""

    def __init__(self, left, right):
        super().__init__(left, right)
        self.strings = self.add(TwoStrings(left))
        self.terms = self.add(Terms(right))

    def update(self, match):
        """match: of `lessons.substrings`, with strings, depths, names, counts, terms, lit and starts."""
        lit = match.lit
        pieces = [[(i, i + len(lit)) for i in side] for side in match.starts]
        self.strings.update(match.strings, match.depths, pieces)
        self.terms.update(match.names, match.counts, match.terms, lit)
        first = ", ".join(
            f"{name} {a} times {b}" for name, (a, b) in zip(match.names[:3], match.counts[:3], strict=True)
        )
        first = f"; the largest terms: {first}" if first else ""
        times = " and ".join(f"{len(side)}" for side in match.starts)
        underlined = f" Underlined: {lit}, which stands {times} times in them." if lit else ""
        describe(
            self.axes[0],
            f"Two strings of {len(match.strings[0])} and {len(match.strings[1])} letters, and their string kernel, "
            f"{match.value:.5g}, as a sum over {len(match.names)} shared substrings{first}.{underlined}",
        )


def figure_string_match(left, right, match):
    """Two strings, what they share, and the terms of (14.22); match: a `Match` of `lessons.substrings`."""
    view = StringMatch(left, right)
    view.update(match)
    return view
