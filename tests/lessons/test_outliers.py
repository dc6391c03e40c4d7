"""One more point: lines against fresh fits, and what the soft margin promises about its pull."""

import numpy as np
import pytest

from sparsekm_edu import datasets
from sparsekm_edu.lessons.outliers import least_squares_with_outlier, moved_by, soft_margin_with_outlier
from sparsekm_edu.solvers import kkt, qp, soft_margin

X, T = datasets.clouds(40)
ALONG = np.array([-0.6, -0.8])


def with_point(place):
    return np.vstack([X, place]), np.append(T, 1.0)


@pytest.mark.parametrize("C", [0.01, 0.1, 10.0])
def test_soft_margin_lines_are_optimal_wherever_the_outlier_is(C):
    places = np.outer((-6, -1, 0, 1, 6), ALONG)
    lines = soft_margin_with_outlier(X, T, C, places)
    for k, place in enumerate(places):
        points, t = with_point(place)
        problem = soft_margin(points @ points.T, t, C)
        assert kkt(problem, lines.solutions[k]).violation < 1e-6
        np.testing.assert_allclose(lines.w[k], qp(problem).v @ points, atol=1e-4)
        assert lines.a[k] == lines.solutions[k].a[-1] <= C


def test_least_squares_lines_solve_the_normal_equations():
    places = np.outer((-8, 0, 3), ALONG)
    lines = least_squares_with_outlier(X, T, places)
    for k, place in enumerate(places):
        points, t = with_point(place)
        residual = points @ lines.w[k] + lines.b[k] - t
        np.testing.assert_allclose(np.column_stack([points, np.ones(len(t))]).T @ residual, 0, atol=1e-9)
    residual = X @ lines.before[0] + lines.before[1] - T
    np.testing.assert_allclose(np.column_stack([X, np.ones(len(T))]).T @ residual, 0, atol=1e-9)


def test_moved_by_is_zero_for_the_same_line_and_the_distance_for_a_parallel_one():
    before = np.array([3.0, 4.0]), 1.0
    w, b = np.array([[3.0, 4.0], [6.0, 8.0], [3.0, 4.0]]), np.array([1.0, 2.0, 3.5])
    np.testing.assert_allclose(moved_by(X, before, w, b), [0, 0, 0.5], atol=1e-12)


def test_the_line_goes_in_straight_pieces_once_the_pull_is_C():
    """While nobody enters or leaves a margin, the KKT conditions are linear in the outlier's place."""
    places = np.linspace(1, 7, 601)
    lines = soft_margin_with_outlier(X, T, 0.1, np.outer(places, ALONG))
    np.testing.assert_array_equal(lines.a, 0.1)
    bent = np.abs(np.diff(np.column_stack([lines.w, lines.b]), 2, axis=0)).max(axis=1) > 1e-5
    assert bent.mean() < 0.1


def test_on_the_right_side_only_least_squares_moves():
    places = np.outer((-3, -5, -7), ALONG)
    np.testing.assert_array_equal(soft_margin_with_outlier(X, T, 1.0, places).a, 0)
    assert soft_margin_with_outlier(X, T, 1.0, places).moved.max() < 1e-6
    squares = least_squares_with_outlier(X, T, places).moved
    assert (np.diff(squares) > 0).all()
    assert squares[-1] > 0.05


def test_within_a_piece_the_outlier_enters_only_the_right_side_and_three_free_points_hold_the_line():
    """The linear system of the free points, as notebook 02 says it: t_m y(x_m) = 1 and sum a_n t_n = 0."""
    C, places = 0.1, np.linspace(0, 8, 401)
    lines = soft_margin_with_outlier(X, T, C, np.outer(places, ALONG))
    a = np.array([solution.a for solution in lines.solutions])
    free = (a > 0) & (a < C)
    assert not free[:, -1].any()  # the outlier's multiplier is C
    for k in range(0, 401, 10):
        points, t = with_point(places[k] * ALONG)
        S, full = free[k], a[k] == C
        left = np.block([[points[S] @ points[S].T, np.ones((S.sum(), 1))], [np.ones((1, S.sum())), 0]])
        right = np.append(t[S] - C * points[S] @ points[full].T @ t[full], -C * t[full].sum())
        solved = np.linalg.lstsq(left, right)[0]
        np.testing.assert_allclose(solved[:-1], (a[k] * t)[S], atol=1e-7)
        assert solved[-1] == pytest.approx(lines.b[k], abs=1e-7)
    steps = np.diff(np.column_stack([lines.w, lines.b]), axis=0)
    settled = np.all(free[1:] == free[:-1], axis=1)
    n_free = free[1:].sum(axis=1)
    assert {2, 3} <= set(n_free[settled])
    assert np.abs(steps[settled & (n_free == 3)]).max() < 1e-9  # pinned
    assert np.abs(steps[settled & (n_free == 2)]).max(axis=1).min() > 1e-6
    assert np.abs(np.diff(steps, axis=0)[settled[1:] & settled[:-1]]).max() < 1e-9  # straight
