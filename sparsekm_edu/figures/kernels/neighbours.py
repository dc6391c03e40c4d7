"""Nearest neighbours among strings: who is nearest to whom, and how distance grows with the letters of a string."""

import numpy as np

from sparsekm_edu.figures.layers import SMALL, Crosses, Points, Rings, View, curve
from sparsekm_edu.figures.style import THREE_CLASSES, describe, dress, palette_of

LETTERS = (55, 125)  # of the strings of `datasets.protein_families`
FARTHEST = 3.5  # a squared distance, in units of the chosen string's own k(x, x)
LOW_EDGES, NORMALISED = (
    (0.0, 1.0, 1.7),
    2.0,
)  # where its axis may begin; farther apart no two normalised strings are


class NearestLetters(View):
    """A point for each string: its own letters, and those of the string that is nearest to it; crossed out if that is
    one of another family."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, (*LETTERS, *LETTERS), "letters of a string", "letters of its neighbour", title, square=True)
        ax.plot(LETTERS, LETTERS, ":", color=palette_of(ax).faint, linewidth=1.4, zorder=1)
        self.points = self.add(Points(ax, THREE_CLASSES, SMALL))
        self.wrong = self.add(Crosses(ax, 1.5 * SMALL))
        self.wrong.artists[0].set_linewidth(1.3)  # thin: the mark below tells the family

    def update(self, letters, family, nearest):
        """letters, family (N,) of each string; nearest (N,): the index of its neighbour."""
        places = np.column_stack([letters, letters[nearest]])
        self.points.update(places, family)
        self.wrong.update(places[family[nearest] != family])


class StringNeighbours(View):
    """Left: who is nearest to whom, by letters. Right: how far all strings are from the chosen one."""

    def __init__(self, left, right):
        super().__init__(left, right)
        self.whole = NearestLetters(left, "×: of another family")
        self.artists += self.whole.artists
        title = r"$d^2$ / $\kappa(x,x)$, from the ringed one"
        dress(right, (*LETTERS, 0, FARTHEST), "letters of the other string", "", title, square=True)
        self.ring = self.add(Rings(left, "own"))
        self.others = self.add(Points(right, THREE_CLASSES, SMALL))
        self.nearest = self.add(Rings(right, "own"))
        self.level = self.add(curve(right, "own", 1.6, "--", zorder=2))
        right.yaxis.set_major_formatter("{x:.2f}")  # as wide in every window

    def look_at(self, squares):
        """Make room for squared distances from the least to the largest; returns whether the axes have changed."""
        low = max(edge for edge in LOW_EDGES if edge <= max(squares.min(), 0.0))
        window = low, FARTHEST if squares.max() > NORMALISED + 1e-9 else NORMALISED + 0.03
        ax = self.axes[1]
        if window == ax.get_ylim():
            return False
        ax.set_ylim(window)
        return True

    def update(self, letters, family, nearest, chosen, squares):
        """As NearestLetters; chosen: index of a string; squares (N,) its squared distances, as the right panel has
        them."""
        self.whole.update(letters, family, nearest)
        self.ring.update([(letters[chosen], letters[nearest[chosen]])])
        others = np.arange(len(letters)) != chosen
        self.others.update(np.column_stack([letters, squares])[others], family[others])
        one = nearest[chosen]
        self.nearest.update([(letters[one], squares[one])])
        self.level.set_data(LETTERS, [squares[one]] * 2)


def figure_neighbours(axes, letters, family, neighbours):
    """How many letters nearest neighbours have, a panel for each way to measure.

    letters (N,), family (N,) 0, 1, 2; neighbours: name -> index (N,) of the nearest other string.
    """
    views, words = [], []
    for ax, (name, nearest) in zip(np.ravel(axes), neighbours.items(), strict=True):
        wrong = np.sum(family[nearest] != family)
        view = NearestLetters(ax, f"{name}: {wrong} of another family (×)")
        view.update(letters, family, nearest)
        words.append(f"{name}: {letters[nearest].mean():.0f} letters, {wrong} of another family")
        views.append(view)
    describe(
        views[0].axes[0],
        f"The letters of {len(letters)} strings, {letters.mean():.0f} on average, against those of their nearest "
        f"neighbours; crossed out where the two are of different families. {'; '.join(words)}.",
    )
    return views
