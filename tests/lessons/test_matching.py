"""The pyramid match is the best matching by its own grid, and never more than the best matching by a ruler."""

from itertools import permutations

import numpy as np
import pytest

from sparsekm_edu.kernels import PyramidMatch
from sparsekm_edu.lessons.matching import best_matching, compare_matchings, histograms, pyramid_matching

rng = np.random.default_rng(5)
KERNELS = [
    PyramidMatch(levels=4),
    PyramidMatch(levels=6, side=0.25),
    PyramidMatch(levels=2, side=1.5, origin=0.3),
]


def pairs_of_sets(n, d, largest=12):
    return [tuple(rng.uniform(0, 8, (rng.integers(0, largest + 1), d)) for _ in "xz") for _ in range(n)]


def by_trying(x, z, worth):
    """The best value over all ways to pair the smaller set with points of the larger."""
    if len(x) > len(z):
        x, z, worth = z, x, lambda a, b, worth=worth: worth(b, a)
    return max(
        sum(worth(a, z[j]) for a, j in zip(x, order, strict=False))
        for order in permutations(range(len(z)), len(x))
    )


def check(matching, x, z, kernel):
    i, j = matching.pairs.T
    assert len(set(i)) == len(i)
    assert len(set(j)) == len(j)
    assert matching.value == np.sum(0.5**matching.level)
    assert len(i) <= min(len(x), len(z))
    reach = kernel.side * 2.0**matching.level
    assert (np.abs(x[i] - z[j]).max(axis=1, initial=0.0) < reach).all()


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("d", [1, 2])
def test_pairing_whom_one_can_is_best_by_the_grid_and_a_lower_bound_by_the_ruler(kernel, d):
    lost = 0
    for x, z in pairs_of_sets(40, d):
        value = kernel([x], [z])[0, 0]
        paired, grid, ruler = (
            pyramid_matching(x, z, kernel),
            best_matching(x, z, kernel, "grid"),
            best_matching(x, z, kernel),
        )
        for matching in (paired, grid, ruler):
            check(matching, x, z, kernel)
        assert paired.value == value == grid.value
        np.testing.assert_array_equal(
            np.bincount(paired.level, minlength=kernel.levels), kernel.matches(x, z)
        )
        assert ruler.value >= value
        lost += ruler.value > value
    assert lost > 10


def test_the_assignment_is_the_best_of_all():
    kernel = PyramidMatch(levels=4)

    def by_ruler(a, b):
        fits = [i for i in range(kernel.levels) if np.abs(a - b).max() < 2**i]
        return 0.5 ** fits[0] if fits else 0.0

    def by_grid(a, b):
        fits = [i for i in range(kernel.levels) if (a // 2**i == b // 2**i).all()]
        return 0.5 ** fits[0] if fits else 0.0

    for _ in range(15):
        x, z = rng.uniform(0, 10, (4, 2)), rng.uniform(0, 10, (6, 2))
        assert best_matching(x, z, kernel).value == by_trying(x, z, by_ruler)
        assert best_matching(z, x, kernel, "grid").value == by_trying(z, x, by_grid)


def test_equal_where_partners_share_bins():
    """Three points of x have a partner in the same bin, of side 1, 2 or 4, and everybody else is far away."""
    kernel = PyramidMatch(levels=5)
    x = np.array([[0.5], [16.1], [32.1], [48.5]])
    z = np.array([[0.6], [17.9], [35.9]])
    for swap in (False, True):
        a, b = (z, x) if swap else (x, z)
        assert kernel([a], [b])[0, 0] == best_matching(a, b, kernel).value == 1 + 1 / 2 + 1 / 4


def test_a_border_between_two_neighbours_costs_the_pyramid_everything_it_can():
    kernel = PyramidMatch(levels=4)  # bins of 1, 2, 4, 8; at 8 they all end
    x, z = np.array([[7.9]]), np.array([[8.1]])
    assert kernel([x], [z])[0, 0] == 0
    assert best_matching(x, z, kernel).value == 1


def test_histograms_are_numpys():
    x, z = rng.uniform(0, 8, (9, 1)), rng.uniform(0, 8, (7, 1))
    kernel = PyramidMatch(levels=4, side=0.75, origin=-0.5)
    for level, (h, shared) in enumerate(
        zip(histograms(x, z, kernel), np.cumsum(kernel.matches(x, z)), strict=True)
    ):
        assert h.side == 0.75 * 2**level
        edges = -0.5 + h.side * np.arange(20)
        for counts, points in ((h.x, x), (h.z, z)):
            there = np.histogram(points, edges)[0]
            np.testing.assert_array_equal(counts, there[np.searchsorted(edges, h.left)])
            assert counts.sum() == len(points)
        assert np.minimum(h.x, h.z).sum() == shared


def test_empty_sets():
    for x, z in ((np.empty((0, 2)), np.ones((3, 2))), (np.ones((3, 2)), np.empty((0, 2)))):
        for matching in (pyramid_matching(x, z, PyramidMatch()), best_matching(x, z, PyramidMatch())):
            assert matching.value == 0
            assert matching.pairs.shape == (0, 2)


@pytest.mark.parametrize(("d", "rank", "worst"), [(1, 0.97, 0.35), (2, 0.93, 0.2), (3, 0.93, 0.2)])
def test_over_random_sets_the_order_is_nearly_the_same(d, rank, worst):
    compare = compare_matchings(d=d)
    assert (compare.kernel <= compare.best).all()
    assert compare.rank_correlation > rank
    assert worst < compare.worst_ratio < compare.mean_ratio < 1
    assert compare.worst_ratio == (compare.kernel / compare.best).min()


def test_the_same_seed_gives_the_same_sets():
    np.testing.assert_array_equal(compare_matchings(20, seed=1).kernel, compare_matchings(20, seed=1).kernel)
    assert (compare_matchings(20, seed=1).kernel != compare_matchings(20, seed=2).kernel).any()


def test_of_equally_good_matchings_the_shortest_is_drawn():
    x, z = np.array([[0.1], [0.5], [0.9]]), np.array([[0.95], [0.15], [0.55]])
    for matching in (best_matching(x, z, PyramidMatch()), pyramid_matching(x, z, PyramidMatch())):
        assert matching.value == 3
        assert sorted(matching.pairs.tolist()) == [[0, 1], [1, 2], [2, 0]]
