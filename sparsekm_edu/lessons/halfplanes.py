"""What K classes get of the plane when binary machines with straight boundaries decide: exact polygons.

Machine l says y_l(x) = w_l'x + b_l. The lines y_l = 0 cut a window into convex pieces, and in each piece all machines
keep their sign, so that one decision holds for the whole of it (PRML figure 4.2, MLaPP figure 14.14).
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

SAME_MACHINE = 1e-9  # machines whose numbers differ by less are one
TINY = 1e-12  # part of the window's area below which a piece is rounding error


@dataclass(frozen=True, eq=False)
class Region:
    """A convex piece of the plane: polygon (V, 2), corners in order; classes, those to which it is given.

    One class is a decision; none or several leave the piece ambiguous.
    """

    polygon: np.ndarray
    classes: tuple

    @property
    def ambiguous(self):
        """Do the machines fail to name exactly one class?"""
        return len(self.classes) != 1

    @property
    def area(self):
        """Of the polygon."""
        return area(self.polygon)

    @property
    def centre(self):
        """The centre of gravity of the polygon, (2,)."""
        corners = self.polygon - self.polygon[0]
        weights = _crosses(corners)
        return self.polygon[0] + weights @ (corners + np.roll(corners, 1, axis=0)) / (3 * weights.sum())


def corners(window):
    """The rectangle (left, right, bottom, top) as a polygon, (4, 2)."""
    left, right, bottom, top = window
    return np.array([(left, bottom), (right, bottom), (right, top), (left, top)], float)


def area(polygon):
    """Of a polygon (V, 2) whose corners are listed counter-clockwise; 0 for fewer than three."""
    return 0.5 * float(_crosses(polygon).sum())


def _crosses(polygon):
    """Twice the signed areas of the triangles that each edge, beginning with the last, forms with the origin, (V,)."""
    x, y = np.reshape(polygon, (-1, 2)).T
    before = np.arange(len(x)) - 1  # np.roll does the same ten times more slowly, and explorers wait for it
    return x[before] * y - x * y[before]


def clip(polygon, w, b):
    """The part of a convex polygon (V, 2) on the side w'x + b >= 0 (Sutherland and Hodgman, one edge), (V', 2)."""
    heights = (polygon @ w + b).tolist()
    kept = []
    for n, (end, high) in enumerate(zip(polygon, heights, strict=True)):
        start, low = polygon[n - 1], heights[n - 1]
        if low * high < 0:  # this edge crosses the line
            kept.append(start + (end - start) * (low / (low - high)))
        if high >= 0:
            kept.append(end)
    return np.array(kept).reshape(-1, 2)


def pieces(W, b, window):
    """What the lines W x + b = 0, W (L, 2), b (L,), cut a window into -> list of (polygon, positive (L,) bool)."""
    whole = corners(window)
    found = [(whole, [])]
    for w, offset in zip(np.asarray(W, float), b, strict=True):
        sides = [
            (clip(polygon, sign * w, sign * offset), [*signs, sign > 0])
            for polygon, signs in found
            for sign in ((1, -1) if w.any() else (1 if offset > 0 else -1,))
        ]
        found = [(polygon, signs) for polygon, signs in sides if area(polygon) > TINY * area(whole)]
    return [(polygon, np.array(signs)) for polygon, signs in found]


def claims(W, b, window):
    """One-versus-the-rest by signs: a piece goes to every class k with y_k(x) > 0 -> list of Region.

    Parameters: W (K, 2), b (K,), machine k trained to tell class k from all others; window (left, right, bottom, top).
    """
    return [Region(polygon, tuple(np.flatnonzero(signs).tolist())) for polygon, signs in pieces(W, b, window)]


def most_votes(W, b, window, K):
    """One-versus-one: a piece goes to the class with most votes, or to all that share the lead -> list of Region.

    Parameters: W (K (K-1) / 2, 2) and b, a machine for every pair (i, j), i < j, in the order (0, 1), (0, 2), ...,
    positive for j; window (left, right, bottom, top).
    """
    regions = []
    for polygon, signs in pieces(W, b, window):
        winners = [
            j if second else i for (i, j), second in zip(combinations(range(K), 2), signs, strict=True)
        ]
        votes = np.bincount(winners, minlength=K)
        regions.append(Region(polygon, tuple(np.flatnonzero(votes == votes.max()).tolist())))
    return regions


def largest_output(W, b, polygon):
    """(7.49): a piece goes to the class whose y_k(x) = w_k'x + b_k is largest -> list of Region inside a polygon.

    Where several classes have the very same function they get the same piece: then the rule decides nothing.
    """
    regions = []
    for k in range(len(b)):
        part, ties = polygon, [k]
        for j in range(len(b)):
            if max(np.abs(W[k] - W[j]).max(), abs(b[k] - b[j])) < SAME_MACHINE:
                ties = sorted({*ties, j})
            elif len(part):
                part = clip(part, W[k] - W[j], b[k] - b[j])
        if ties[0] == k and area(part) > TINY * area(polygon):
            regions.append(Region(part, tuple(ties)))
    return regions


def pair_sums(W, b, K):
    """The sum of all outputs in favour of each class, by which a draw of votes can be settled -> W (K, 2), b (K,)."""
    total_W, total_b = np.zeros((K, 2)), np.zeros(K)
    for (i, j), w, offset in zip(combinations(range(K), 2), W, b, strict=True):
        total_W[j] += w
        total_W[i] -= w
        total_b[j] += offset
        total_b[i] -= offset
    return total_W, total_b


def ambiguous_area(regions, crowd=None):
    """The area of the pieces that no single class gets; only those of no class (crowd=False) or of several (True)."""
    return sum(
        region.area for region in regions if region.ambiguous and crowd in (None, len(region.classes) > 1)
    )
