"""The pyramid match against histograms counted by hand, and against the matching that it stands for."""

from collections import Counter

import numpy as np
import pytest
from sklearn.base import clone

from sparsekm_edu.kernels import PyramidMatch

rng = np.random.default_rng(3)


def draw(sizes, d=2, low=-4.0, high=4.0):
    return [rng.uniform(low, high, (m, d)) for m in sizes]


def literal(x, z, kernel):
    """sum_i w_i (I_i - I_{i-1}), one bin after the other, as Grauman and Darrell write it."""
    total, before = 0.0, 0
    for i in range(kernel.levels):
        count_x, count_z = (
            Counter(tuple(np.floor((p - kernel.origin) / (kernel.side * 2**i)).astype(int)) for p in points)
            for points in (x, z)
        )
        shared = sum(min(count_x[b], count_z[b]) for b in count_x)
        total += (shared - before) / 2**i
        before = shared
    return total


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("given", [{}, {"levels": 1}, {"levels": 6, "side": 0.3}, {"origin": -4.0}])
def test_histograms_counted_one_by_one(d, given):
    kernel = PyramidMatch(**given)
    X, Z = draw([7, 0, 12, 1, 30], d), draw([5, 25, 0], d)
    expected = [[literal(x, z, kernel) for z in Z] for x in X]
    np.testing.assert_array_equal(kernel(X, Z), expected)  # halves and quarters: nothing is rounded
    assert np.max(expected) > 0
    K = kernel(X)
    np.testing.assert_array_equal(K, [[literal(x, z, kernel) for z in X] for x in X])
    np.testing.assert_array_equal(kernel.diag(X), np.diag(K))
    np.testing.assert_array_equal(kernel.diag(X), [7, 0, 12, 1, 30])


def test_a_case_on_paper():
    x, z = [[0.2], [1.1], [6.5]], [[0.7], [2.9]]
    kernel = PyramidMatch(levels=4)
    # bins of side 1: 0.2 with 0.7; side 2 ([0, 2), [2, 4), ...): none; side 4: 1.1 with 2.9; 6.5 stays alone
    np.testing.assert_array_equal(kernel.matches(x, z), [1, 0, 1, 0])
    assert kernel([x], [z])[0, 0] == 1 + 1 / 4
    np.testing.assert_array_equal(kernel.bins(x)[:, :, 0], [[0, 1, 6], [0, 0, 3], [0, 0, 1], [0, 0, 0]])


def test_value_is_weights_times_matches_and_all_points_find_a_partner_in_one_bin():
    kernel = PyramidMatch(
        levels=5, side=0.5, origin=(-4.0, -4.0)
    )  # the last bin is 8 wide: it holds everything
    for x, z in zip(draw([9, 4, 0, 20]), draw([9, 17, 3, 1]), strict=True):
        matches = kernel.matches(x, z)
        assert matches.sum() == min(len(x), len(z))
        assert matches.min() >= 0
        assert kernel([x], [z])[0, 0] == matches @ (1.0, 0.5, 0.25, 0.125, 0.0625)


def test_mercer_on_sets_full_of_ties():
    X = [rng.integers(0, 5, (m, 2)) + 0.5 for m in rng.integers(0, 15, 60)]
    for kernel in (PyramidMatch(levels=3), PyramidMatch(levels=1), PyramidMatch(levels=8, side=0.1)):
        assert np.linalg.eigvalsh(kernel(X)).min() > -1e-12
        assert kernel.is_mercer


def test_the_order_of_points_does_not_matter_and_a_shift_with_the_origin_neither():
    X = draw([8, 11, 3])
    turned = [points[::-1] for points in X]
    np.testing.assert_array_equal(PyramidMatch()(X, turned), PyramidMatch()(X))
    moved = [points + (16.0, -32.0) for points in X]
    np.testing.assert_array_equal(PyramidMatch(origin=(16.0, -32.0))(moved), PyramidMatch()(X))


def test_points_on_different_sides_of_the_corner_never_meet():
    assert PyramidMatch(levels=50)([[[-0.1]]], [[[0.1]]])[0, 0] == 0
    assert PyramidMatch(levels=50, origin=-1.0)([[[-0.1]]], [[[0.1]]])[0, 0] == 0.5


def test_huge_numbers_keep_their_bins():
    assert PyramidMatch()([[[1e150]]], [[[1e150]], [[-1e150]], [[9e149]]]).tolist() == [[1, 0, 0]]


def test_parameters_are_constructor_arguments():
    kernel = clone(PyramidMatch(levels=2, side=0.5, origin=(1.0, 2.0)))
    assert kernel.get_params() == {"levels": 2, "side": 0.5, "origin": (1.0, 2.0)}
    X = draw([3, 4])
    np.testing.assert_array_equal((2.0 * kernel + kernel)(X), 3.0 * kernel(X))


def test_nothing_given():
    assert PyramidMatch()([]).shape == (0, 0)
    assert PyramidMatch()(draw([2, 3]), []).shape == (2, 0)
    assert PyramidMatch()([np.empty((0, 2))] * 2).tolist() == [[0, 0], [0, 0]]
    assert PyramidMatch().diag([]).shape == (0,)
    assert PyramidMatch()([np.empty((3, 0))])[0, 0] == 3  # points of no coordinates are all in one place


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"levels": 0}, "levels must be a whole number >= 1, got 0"),
        ({"levels": 2.5}, "levels must be a whole number >= 1"),
        ({"levels": 10**9}, "levels must be at most 1000, got 1000000000"),
        ({"side": 0.0}, "side must be a number > 0, got 0.0"),
        ({"side": float("nan")}, "side must be a number > 0"),
        ({"side": 1e-310}, "side must not be so small that bins cannot be counted, got 1e-310"),
        ({"origin": "0"}, "origin must be a finite number, got '0'"),
        ({"origin": (1.0, None)}, r"origin\[1\] must be a finite number, got None"),
        (
            {"origin": (1.0, 2.0, 3.0)},
            "origin must be a number, or one per coordinate: got 3 for points with 2",
        ),
    ],
)
def test_parameters_that_make_no_sense(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        PyramidMatch(**given)(draw([2, 3]))


@pytest.mark.parametrize(
    ("X", "Z", "sentence"),
    [
        ([[0.0, 1.0]], None, r"X must hold sets of points, \(m, d\) arrays of numbers, got .* at index 0"),
        ([[[0.0]], [[float("nan")]]], None, "got nan, infinity or more in the set at index 1"),
        ([[[0.0]], [[0.0, 1.0]]], None, "equally many coordinates, got 1 at index 0 and 2 at index 1"),
        ([[[0.0]]], [[[0.0, 1.0]]], "X and Z must hold sets .* equally many coordinates, got 1 and 2"),
        ([[[0.0]]], [["a"]], "Z must hold sets of points"),
        (3.0, None, "X must be a list of sets, got 3.0"),
    ],
)
def test_inputs_that_are_no_sets(X, Z, sentence):
    with pytest.raises(ValueError, match=sentence):
        PyramidMatch()(X, Z)
