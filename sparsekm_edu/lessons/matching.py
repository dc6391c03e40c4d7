"""The matching of two sets that the pyramid match kernel stands for, beside the best one (MLaPP 14.2.7).

Every point of one set may be paired with one point of the other. A pair counts w_i = 1/2^i, where i tells how far
apart its points are, and the value of a matching is the sum over its pairs. There are two ways to tell the distance:

- by the grid: i is the finest level at which the two share a bin. The best matching is then worth exactly k(x, z):
  bins of one level lie within bins of the next, so that to pair whom one can, as early as one can, spoils nothing.
- by a ruler: i is the finest level whose bins are large enough to hold both, side 2^i > max_d |x_d - z_d|, wherever the
  grid lies. Two points that share a bin are that near, so the best matching is worth at least k(x, z). What
  is missing was lost at the borders between bins. Finding it takes O(m^3) for sets of m points instead of O(m).
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import spearmanr

from sparsekm_edu.kernels import PyramidMatch


@dataclass(frozen=True)
class Matching:
    """Pairs of two sets: pairs (P, 2) indices into x and z; level (P,) of each pair; value, the sum of 1/2^level."""

    pairs: np.ndarray
    level: np.ndarray
    value: float


def pyramid_matching(x, z, kernel):
    """A matching worth k(x, z): in each bin pair whoever is left, level by level.

    Parameters: x (m, d), z (n, d); kernel a PyramidMatch.
    Returns: Matching. The kernel only counts pairs; of the points that meet in a bin we pair the nearest first.
    """
    x, z = np.asarray(x), np.asarray(z)
    level = _levels_by_grid(x, z, kernel)
    distance = np.linalg.norm(x[:, None] - z[None], axis=2)
    pairs, alone_x, alone_z = [], set(range(len(x))), set(range(len(z)))
    for i, j in zip(
        *np.unravel_index(np.lexsort([distance.ravel(), level.ravel()]), level.shape), strict=True
    ):
        if i in alone_x and j in alone_z and level[i, j] < kernel.levels:
            pairs.append((i, j))
            alone_x.remove(i)
            alone_z.remove(j)
    return _matching(pairs, [level[pair] for pair in pairs], kernel)


@dataclass(frozen=True)
class Histogram:
    """Two sets on a line at one level: bins of this side, one of them begins at the origin.

    left (B,) : where the bins begin that are not empty.
    x, z (B,) : how many points of either set they hold.
    """

    side: float
    origin: float
    left: np.ndarray
    x: np.ndarray
    z: np.ndarray


def histograms(x, z, kernel):
    """What the kernel compares, level by level, for sets x (m, 1) and z (n, 1) on a line: a list of Histogram."""
    levels = []
    for level, (bins_x, bins_z) in enumerate(zip(kernel.bins(x), kernel.bins(z), strict=True)):
        side = kernel.side * 2.0**level
        bins = np.unique(np.concatenate([bins_x, bins_z]))
        counts = ((bins[:, None] == of[:, 0]).sum(axis=1) for of in (bins_x, bins_z))
        levels.append(Histogram(side, kernel.origin, kernel.origin + side * bins, *counts))
    return levels


def best_matching(x, z, kernel, by="ruler"):
    """The matching of the largest value, by scipy's assignment; distances told `by` the "ruler" or the "grid".

    Parameters: x (m, d), z (n, d); kernel a PyramidMatch, whose side and levels count.
    Returns: Matching, without pairs that are worth nothing; of several best ones the one with the shortest pairs.
    """
    x, z = np.asarray(x), np.asarray(z)
    level = {"ruler": _levels_by_ruler, "grid": _levels_by_grid}[by](x, z, kernel)
    worth = np.append(kernel.weights(), 0.0)[level]
    # values are multiples of the last weight; half of it is spread over the distances, to take the shorter of equals
    distance = np.linalg.norm(x[:, None] - z[None], axis=2)
    shorter = (
        kernel.weights()[-1]
        * distance
        / (2 * max(distance.max(initial=0.0), 1e-300) * (min(distance.shape) + 1))
    )
    pairs = np.transpose(linear_sum_assignment(worth - shorter, maximize=True))
    pairs = pairs[worth[tuple(pairs.T)] > 0]
    return _matching(pairs, level[tuple(pairs.T)], kernel)


def _levels_by_ruler(x, z, kernel):
    """The finest level whose bins could hold x_i and z_j, (m, n); kernel.levels where none could."""
    apart = np.abs(x[:, None] - z[None]).max(axis=2, initial=0.0)
    reach = kernel.side * 2.0 ** np.arange(
        kernel.levels
    )  # bins are open above: points of one are less than this apart
    return (apart[..., None] >= reach).sum(axis=2)


def _levels_by_grid(x, z, kernel):
    """The finest level at which x_i and z_j share a bin, (m, n); kernel.levels where they never do."""
    return (kernel.bins(x)[:, :, None] != kernel.bins(z)[:, None]).any(axis=3).sum(axis=0)


def _matching(pairs, level, kernel):
    pairs, level = np.array(pairs, dtype=int).reshape(-1, 2), np.array(level, dtype=int)
    return Matching(pairs, level, float(kernel.weights()[level].sum()))


@dataclass(frozen=True)
class Comparison:
    """The kernel beside the best matching by ruler, over pairs of sets.

    kernel, best : (P,) the two values of each pair of sets.
    rank_correlation : Spearman's, 1 if both put the pairs into the same order.
    worst_ratio, mean_ratio : of kernel / best, at most 1.
    """

    kernel: np.ndarray
    best: np.ndarray
    rank_correlation: float
    worst_ratio: float
    mean_ratio: float


def compare_matchings(n_pairs=200, sizes=(5, 30), d=2, levels=5, seed=0):
    """Random pairs of sets, each value by the pyramid and by the best matching.

    Parameters: n_pairs of sets; sizes, the least and the largest size of a set; d coordinates; levels of the pyramid,
    whose last bin, of side 1, holds all points; seed.
    Returns: Comparison.

    The points of a set lie around a centre of its own, so that some pairs of sets are alike and others are not.

    >>> from sparsekm_edu.lessons.matching import compare_matchings
    >>> compare = compare_matchings(n_pairs=50)
    >>> bool((compare.kernel <= compare.best).all())
    True
    """
    rng = np.random.default_rng(seed)
    kernel = PyramidMatch(levels=levels, side=0.5 ** (levels - 1))

    def draw():
        points = rng.uniform(0.2, 0.8, d) + 0.15 * rng.normal(size=(rng.integers(sizes[0], sizes[1] + 1), d))
        return points.clip(0.0, 1.0 - 1e-9)

    pairs = [(draw(), draw()) for _ in range(n_pairs)]
    value = np.array([kernel([x], [z])[0, 0] for x, z in pairs])
    best = np.array([best_matching(x, z, kernel).value for x, z in pairs])
    ratio = value / best
    return Comparison(
        value, best, float(spearmanr(value, best).statistic), float(ratio.min()), float(ratio.mean())
    )
