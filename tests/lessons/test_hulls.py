"""Convex hulls in the plane: corners as scipy finds them, the nearest point as a general solver finds it."""

import cvxpy as cp
import numpy as np
import pytest
from scipy.spatial import ConvexHull

from sparsekm_edu.lessons.hulls import corners, into_hull


@pytest.mark.parametrize("seed", range(10))
def test_corners_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(3, 20)), 2))
    hull = corners(points)
    expected = points[ConvexHull(points).vertices]
    assert sorted(hull.tolist()) == sorted(expected.tolist())
    sides = np.roll(hull, -1, axis=0) - hull
    after = np.roll(sides, -1, axis=0)
    assert (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all()  # against the clock


def test_points_on_a_line_and_in_one_place():
    line = np.outer([0.0, 3.0, 1.0, 2.0], (1.0, 0.5))
    assert corners(line).tolist() == [[0.0, 0.0], [3.0, 1.5]]
    assert corners(np.ones((4, 2))).tolist() == [[1.0, 1.0]]
    np.testing.assert_allclose(into_hull((1.0, 1.75), corners(line)), (1.5, 0.75))
    np.testing.assert_allclose(into_hull((9.0, 9.0), corners(line)), (3.0, 1.5))
    np.testing.assert_allclose(into_hull((5.0, 5.0), corners(np.ones((4, 2)))), (1.0, 1.0))


@pytest.mark.parametrize("seed", range(10))
def test_nearest_point_of_the_hull(seed):
    rng = np.random.default_rng(seed)
    points, x = rng.normal(size=(8, 2)), 2 * rng.normal(size=2)
    weights = cp.Variable(8, nonneg=True)
    cp.Problem(cp.Minimize(cp.sum_squares(points.T @ weights - x)), [cp.sum(weights) == 1]).solve()
    np.testing.assert_allclose(into_hull(x, corners(points)), points.T @ weights.value, atol=1e-4)
    inside = rng.dirichlet(np.ones(8)) @ points
    np.testing.assert_array_equal(into_hull(inside, corners(points)), inside)
