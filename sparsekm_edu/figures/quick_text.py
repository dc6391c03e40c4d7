"""Text for pictures that have other words at every step: matplotlib's own is the slowest thing in them."""

from functools import lru_cache

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ft2font import LoadFlags
from matplotlib.text import Text

from sparsekm_edu.figures.style import palette_of


class QuickText(Text):
    """Words that are new at every step, one image for each line: matplotlib would take 0.1 ms for every letter.

    Understands what such words need: colour, size, weight, ha "left", "center" or "right", va "top" or "center", and
    a patch of paper behind them.
    """

    LINE = 1.5  # times the size of the letters

    def __init__(
        self, ax, role="ink", size=13, ha="left", va="center", weight="normal", patch=False, **where
    ):
        colours = palette_of(ax)
        super().__init__(color=getattr(colours, role), fontsize=size, ha=ha, va=va, weight=weight, **where)
        self.paper = colours.paper if patch else None
        if "transform" not in where:
            self.set_transform(ax.transData)
        ax.add_artist(self)

    def draw(self, renderer):
        """Paint the lines from the top one down."""
        lines = self.get_text().split("\n")
        if not self.get_visible() or lines == [""]:
            return
        x, y = self.get_transform().transform(self.get_position())
        size = self.get_fontsize()
        step = self.LINE * size * renderer.dpi / 72
        top = y + (len(lines) * step / 2 if self.get_va() == "center" else 0)
        gc = renderer.new_gc()
        for n, line in enumerate(lines):
            mask, descent = letters(line, size, self.get_weight(), renderer.dpi)
            left = x - {"left": 0, "center": 0.5, "right": 1}[self.get_ha()] * mask.shape[1]
            baseline = top - (n + 0.68) * step
            image = in_colours(mask, self.get_color(), self.paper)
            renderer.draw_image(gc, round(left), round(baseline - descent), image)
        gc.restore()
        self.stale = False


@lru_cache(256)
def letters(line, size, weight, dpi):
    """A line of text as an array of bytes, (height, width), upside down, and how far it reaches below its baseline."""
    font = get_font(findfont(FontProperties(weight=weight)))
    font.set_size(size, dpi)
    font.set_text(line, 0.0, flags=LoadFlags.NO_HINTING)
    font.draw_glyphs_to_bitmap(antialiased=True)
    return np.array(font.get_image())[::-1], font.get_descent() / 64


def in_colours(mask, colour, paper=None):
    """A mask of letters as an image of bytes, (height, width, 4): transparent between them, or three quarters paper."""
    share = mask[..., None] / 255.0
    alpha = share if paper is None else 0.75 + 0.25 * share
    behind = to_rgb(colour if paper is None else paper)
    mixed = share * to_rgb(colour) + (1 - share) * behind
    return np.round(255 * np.concatenate([mixed, alpha], axis=2)).astype(np.uint8)
