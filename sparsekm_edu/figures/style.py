"""Colours by role, and the sheet that every picture of the course is drawn on.

Blue circles stand for t = +1 and orange squares for t = -1, in every figure of every notebook; a third class
has green triangles. The hues are from the Okabe-Ito set, which people with any common colour blindness can
tell apart; the marker says the same thing again for those who see no colour at all.
"""

import base64
import io
from dataclasses import dataclass

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

DPI = 100
PLUS, MINUS, THIRD = "o", "s", "^"  # markers
# label -> (role of its colour, marker)
TWO_CLASSES = {1: ("plus", PLUS), -1: ("minus", MINUS)}
THREE_CLASSES = {0: ("plus", PLUS), 1: ("minus", MINUS), 2: ("third", THIRD)}
ONE_KIND = {1: ("plus", PLUS)}  # points without a class: novelty detection, regression
SQUARE = (-3.0, 3.0, -3.0, 3.0)  # windows (left, right, bottom, top) of pictures in the plane
WIDE = (-3.2, 3.2, -2.0, 2.0)
LARGE = (-3.2, 3.2, -2.4, 2.4)
CLOSE = (-2.5, 2.5, -2.5, 2.5)  # of `datasets.three_classes`
CRESCENT = (-3.2, 3.2, -1.0, 3.2)  # of `datasets.crescent`
RIPLEY = (-1.6, 1.3, -0.6, 1.5)  # of `datasets.ripley`


@dataclass(frozen=True)
class Palette:
    """One colour for each role; a figure never names a colour itself."""

    paper: str  # behind everything
    ink: str  # axes, decision boundary, text
    faint: str  # ticks, grids, points that play no part
    plus: str  # t = +1
    minus: str  # t = -1
    third: str  # a third class
    ring: str  # circles around support vectors
    own: str  # what the learner moves: a line, a probe, a multiplier
    good: str  # the optimum, to be compared with what the learner moves

    def mix(self, colour, share):
        """`share` of `colour` (a role or any matplotlib colour) on `1 - share` of the paper."""
        front, back = np.array(to_rgb(getattr(self, colour, colour))), np.array(to_rgb(self.paper))
        return tuple(share * front + (1 - share) * back)


LIGHT = Palette(
    "#ffffff", "#1a1a1a", "#8a8a8a", "#0072B2", "#D55E00", "#008F68", "#1a1a1a", "#882255", "#117733"
)
DARK = Palette(
    "#111111", "#eeeeee", "#8f8f8f", "#56B4E9", "#E69F00", "#2FC79A", "#eeeeee", "#EE8FC0", "#5FD38D"
)


class Sheet(Figure):
    """A matplotlib Figure without pyplot: nothing global, nothing to close, shows itself in a notebook.

    Its text form is `description`, so that a reader who cannot see the picture gets its content, and so
    that the stored output of a cell is the same in every run.
    """

    def __init__(self, width, height, palette=LIGHT):
        super().__init__(figsize=(width, height), dpi=DPI, facecolor=palette.paper, layout="constrained")
        FigureCanvasAgg(self)
        self.palette = palette
        self.description = "An empty sheet."

    def pixels(self):
        """The whole picture as an (height, width, 4) array of bytes."""
        self.canvas.draw()
        return np.array(self.canvas.buffer_rgba())

    def __repr__(self):
        return self.description

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = {"image/png": small_png(self.pixels()), "text/plain": self.description}
        return bundle, alternative_text(self.description)


def alternative_text(description):
    """Metadata of an output that give its picture a text for those who cannot see it."""
    return {"image/png": {"alt": description}}


def small_png(pixels):
    """A PNG of at most 128 colours as base64 text: a notebook full of pictures stays below a megabyte."""
    exact = Image.fromarray(pixels).convert("RGB")
    # The roles keep their colours: the many shades of a smooth surface would else drive them out.
    roles = sorted({tuple(round(255 * part) for part in to_rgb(colour)) for colour in vars(LIGHT).values()})
    few = exact.quantize(128 - len(roles), dither=Image.Dither.NONE)
    colours, number = few.getpalette(), np.array(few)
    for role in roles:
        number[(np.asarray(exact) == role).all(axis=2)] = len(colours) // 3
        colours.extend(role)
    image = Image.fromarray(number)
    image.putpalette(colours)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def panels(n=1, width=None, height=4.4, palette=LIGHT, rows=1):
    """A sheet with `n` axes side by side: `sheet, ax = panels()`, `sheet, (left, right) = panels(2)`.

    With `rows` such rows the axes come as an array (rows, n); height is that of the whole sheet.
    """
    sheet = Sheet(width or (6.6 if n == 1 else 4.2 * n), height, palette)
    axes = sheet.subplots(rows, n)
    return sheet, axes


def two_above_one(sheet):
    """The plane, a square panel beside it, and a wide one below both."""
    cells = sheet.add_gridspec(2, 2, width_ratios=(1.8, 1), height_ratios=(2.1, 1))
    return [sheet.add_subplot(place) for place in (cells[0, 0], cells[0, 1], cells[1, :])]


def palette_of(ax):
    """The palette of the sheet that `ax` belongs to; the light one on a figure that is not ours."""
    return getattr(ax.get_figure(root=True), "palette", LIGHT)


def dress(ax, window=None, xlabel="", ylabel="", title="", equal=False, square=False, grid=False):
    """Limits, labels and colours of one pair of axes.

    window: (left, right, bottom, top). `equal` keeps right angles and distances true to the eye;
    `square` only gives the box the shape of its neighbour.
    """
    colours = palette_of(ax)
    ax.set_facecolor(colours.paper)
    if window is not None:
        ax.set_xlim(window[:2])
        ax.set_ylim(window[2:])
    if equal:
        ax.set_aspect("equal", adjustable="box")
    elif square:
        ax.set_box_aspect(1)
    ax.set_xlabel(xlabel, fontsize=13, color=colours.ink)
    ax.set_ylabel(ylabel, fontsize=13, color=colours.ink)
    ax.set_title(title, fontsize=13, color=colours.ink)
    ax.tick_params(labelsize=11, colors=colours.faint, labelcolor=colours.ink)
    ax.spines[:].set_color(colours.faint)
    if grid:
        ax.grid(True, color=colours.faint, alpha=0.3, linewidth=0.8)
        ax.set_axisbelow(True)  # what moves is painted over the grid, in a full draw too


def describe(ax, text):
    """Put the picture into words: what `repr` of the sheet and a screen reader will say."""
    ax.get_figure(root=True).description = text
