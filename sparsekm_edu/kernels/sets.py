"""Kernels on sets of points: two sets are alike if the points of one find partners near by in the other."""

import numpy as np
from scipy.sparse import csr_array, hstack

from sparsekm_edu.kernels.base import Kernel
from sparsekm_edu.kernels.inputs import sets
from sparsekm_edu.validation import real_number, whole_number


class PyramidMatch(Kernel):
    """Pairs of points that share a bin, fine bins first (Grauman and Darrell 2007; MLaPP 14.2.7, figure 14.1).

        k(x, z) = sum_i w_i N_i,   N_i = I_i - I_{i-1},   w_i = 1/2^i,   i = 0, ..., levels - 1

    Level i is a histogram of each set, with bins of side `side` 2^i along every coordinate. The intersection I_i, the
    sum over all bins of the smaller of the two counts, is the number of pairs that can be formed inside bins of level
    i. N_i of them are new: they had to wait for bins as coarse as these, and count half as much as one level before.
    Points in different bins of the last level have no partner. Sets may differ in size; an empty set gives 0.

    Parameters: levels, how many histograms; side > 0 of the finest bins, in the units of the points; origin, a corner
    of the grid, one number or one per coordinate. The grid goes on in all directions, so no point is outside; but two
    points on different sides of the corner share no bin at any level. Put it below all points, and take so many levels
    that side 2^(levels - 1) reaches over all of them: then the last level has one bin, and everybody finds a partner.

    A Mercer kernel. Written by intersections, with I_{-1} = 0 and w_levels = 0,

        k(x, z) = sum_i (w_i - w_{i+1}) I_i   with w_i - w_{i+1} >= 0,

    and I_i is an inner product. Give the first point that falls into a bin the feature "bin holds 1", the second "bin
    holds 2", and so on: two sets that put a and b points into a bin share min(a, b) of them. These 0/1 features are
    what is multiplied here. Costs O(levels) per point, and per pair of sets the number of features that they share.

    Departs from the paper: w_i lacks the factor 1/d, which does not matter; the side is given, not the smallest
    distance of two points. k(x, x) is the size of x, so a large set is like everybody: see `Normalised`.

    >>> from sparsekm_edu import PyramidMatch
    >>> x, z = [[0.2], [1.1], [6.5]], [[0.7], [2.9]]
    >>> kernel = PyramidMatch(levels=3)
    >>> print(kernel.matches(x, z))
    [1 0 1]
    >>> print(kernel([x, z]))
    [[3.   1.25]
     [1.25 2.  ]]
    """

    takes = "sets"

    MOST_LEVELS = 1000  # then a pair counts 1e-301

    def __init__(self, levels=4, side=1.0, origin=0.0):
        self.levels = levels
        self.side = side
        self.origin = origin

    def __call__(self, X, Z=None):
        X = sets(X)
        both = X if Z is None else np.concatenate([X, sets(Z, "Z")])
        weight = self.weights()
        steps = weight - np.append(weight[1:], 0.0)  # w_i - w_{i+1}
        features = list(self._features(both))
        left = hstack([step * phi[: len(X)] for step, phi in zip(steps, features, strict=True)], format="csr")
        right = hstack([phi if Z is None else phi[len(X) :] for phi in features], format="csr")
        return (left @ right.T).toarray()

    def diag(self, X):
        self._grid(1)
        return np.array(
            [float(len(points)) for points in sets(X)]
        )  # each point is its own partner, at level 0

    def weights(self):
        """w_i = 1/2^i, (levels,): what a pair counts that is formed at level i."""
        return 0.5 ** np.arange(self._levels())

    def matches(self, x, z):
        """N_i, (levels,) whole numbers: the pairs of two sets x (m, d) and z (n, d) that are new at level i."""
        shared = [int((phi[[0]] * phi[[1]]).sum()) for phi in self._features(sets([x, z]))]  # I_i
        return np.diff(shared, prepend=0)

    def bins(self, points):
        """The bins of points (m, d) at each level, (levels, m, d): whole numbers, 0 for the bin above the origin."""
        (points,) = sets([points])
        side, origin = self._grid(points.shape[1])
        with np.errstate(over="ignore"):
            finest = np.floor((points - origin) / side)
        if not np.isfinite(finest).all():
            raise ValueError(f"side must not be so small that bins cannot be counted, got {self.side!r}.")
        halved = [finest]
        while len(halved) < self._levels():
            halved.append(np.floor(halved[-1] / 2))  # two bins make one of the next level
        return np.array(halved)

    def _features(self, X):
        """One (N, features) array of 0 and 1 per level: does bin b hold at least r points of set n?"""
        if len({points.shape[1] for points in X}) > 1:
            raise ValueError(
                "X and Z must hold sets of points with equally many coordinates, got "
                f"{X[0].shape[1]} and {X[-1].shape[1]}."
            )
        owner = np.repeat(np.arange(len(X)), [len(points) for points in X])
        for cells in self.bins(np.concatenate(X) if len(X) else np.empty((0, 1))):
            _, cell = np.unique(cells, axis=0, return_inverse=True)
            cell = cell.reshape(-1)
            held = _place_among_equals(
                owner, cell
            )  # this point is the first, second, ... of its set in its bin
            _, feature = np.unique(cell * (held.max(initial=0) + 1) + held, return_inverse=True)
            yield csr_array(
                (np.ones(len(owner)), (owner, feature)), shape=(len(X), feature.max(initial=-1) + 1)
            )

    def _levels(self):
        levels = whole_number("levels", self.levels, at_least=1)
        if levels > self.MOST_LEVELS:
            raise ValueError(f"levels must be at most {self.MOST_LEVELS}, got {levels}.")
        return levels

    def _grid(self, d):
        """side, a number, and origin, a number or (d,)."""
        side = real_number("side", self.side, above=0)
        if not isinstance(self.origin, list | tuple | np.ndarray):
            return side, real_number("origin", self.origin)
        origin = np.array([real_number(f"origin[{i}]", value) for i, value in enumerate(self.origin)])
        if len(origin) != d:
            raise ValueError(
                f"origin must be a number, or one per coordinate: got {len(origin)} for points with {d} coordinates."
            )
        return side, origin


def _place_among_equals(*keys):
    """For each entry, (P,): how many entries before it have the same keys."""
    order = np.lexsort(keys)
    new = np.ones(len(order), dtype=bool)  # does a new run of equal keys begin here?
    new[1:] = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    positions = np.arange(len(order))
    place = np.empty(len(order), dtype=int)
    place[order] = positions - np.maximum.accumulate(np.where(new, positions, 0))
    return place
