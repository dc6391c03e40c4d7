"""Noise taken off digits by kernel PCA: the same digits clean, noisy and restored, row below row."""

import numpy as np
from matplotlib.image import AxesImage

from sparsekm_edu.figures.layers import Label, View
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.style import describe, dress, palette_of


class PictureRows(View):
    """Rows of small pictures: names on the left and, from the second row on, on the right how far they are from the
    first. Everything is measured in pixels of the pictures, between which a frame one pixel wide is left."""

    ROOM = 10  # for the errors

    def __init__(self, ax, names, columns, side):
        """names of the rows; columns: how many pictures there are in each, all of them side x side pixels."""
        super().__init__(ax)
        rows, self.side = len(names), side
        self.width, self.height = 1 + (1 + side) * columns, 1 + (1 + side) * rows
        dress(ax, (0, self.width + self.ROOM, self.height, 0), equal=True)  # rows from the top
        middle = 0.5 + (1 + side) * (0.5 + np.arange(rows))
        ax.set_yticks(middle, names)
        ax.set_xticks([])
        ax.tick_params(axis="y", length=0, labelsize=13)
        ax.spines[:].set_visible(False)
        colours = palette_of(ax)
        shades = [colours.mix("ink", share) for share in np.linspace(0, 1, 64)]
        self.shades = np.rint(255 * np.column_stack([shades, np.ones(64)])).astype(np.uint8)
        self.frame = np.rint(255 * np.array([*colours.mix("faint", 0.3), 1.0])).astype(np.uint8)
        look = {"extent": (0, self.width, self.height, 0), "origin": "upper", "interpolation": "nearest"}
        self.image = self.add(AxesImage(ax, zorder=0, **look))
        self.image.set_data(np.zeros((2, 2, 3)))
        ax.add_image(self.image)
        Label(ax, "faint", 11, va="center", patch=False).update((self.width + 2, middle[0]), "RMS")
        self.errors = [self.add(QuickText(ax, size=13, x=self.width + 2, y=y)) for y in middle[1:]]

    def update(self, rows):
        """rows: for each name pictures (columns, side, side) from 0, paper, to 1, ink; the first are the true ones."""
        rows = np.asarray(rows)
        mosaic = np.empty((self.height, self.width, 4), np.uint8)
        mosaic[:] = self.frame
        shades = self.shades[np.rint(63 * np.clip(rows, 0, 1)).astype(int)]
        for row, pictures in enumerate(shades):
            for column, picture in enumerate(pictures):
                top, left = 1 + (1 + self.side) * row, 1 + (1 + self.side) * column
                mosaic[top : top + self.side, left : left + self.side] = picture
        self.image.set_data(mosaic)
        for text, error in zip(self.errors, errors_of(rows), strict=True):
            text.set_text(f"{error:.3f}")


def errors_of(rows):
    """How far the pictures of each row but the first are from those of the first: the RMS error of a pixel."""
    return [float(np.sqrt(np.mean(np.square(row - rows[0])))) for row in np.asarray(rows)[1:]]


def figure_denoising(ax, rows):
    """The same pictures clean, noisy, and restored in several ways.

    rows: name -> pictures (M, side, side) from 0, paper, to 1, ink. The first row holds the true ones; beside the
    others stands the root of their mean squared error.
    """
    pictures = list(rows.values())
    view = PictureRows(ax, list(rows), *np.shape(pictures[0])[:2])
    view.update(pictures)
    told = ", ".join(
        f"{name} {error:.3f}" for name, error in zip(list(rows)[1:], errors_of(pictures), strict=True)
    )
    describe(
        ax,
        f"{len(pictures[0])} pictures in {len(rows)} rows: {', '.join(rows)}. The root of the mean squared error of a "
        f"pixel is: {told}.",
    )
    return view
