"""Ridge regression: primal and dual are one, gradients are 0, and nobody is left out to see what would happen."""

import warnings

import numpy as np
import pytest

from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.solvers import ridge_dual, ridge_leave_one_out, ridge_primal


def data(N, D, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, D)), rng.normal(size=N)


@pytest.mark.parametrize("lam", [1e-4, 0.3, 100.0])
@pytest.mark.parametrize(("N", "D"), [(30, 5), (5, 30), (12, 12), (1, 3), (3, 1)])
def test_primal_is_dual(N, D, lam):
    X, y = data(N, D)
    w, a = ridge_primal(X, y, lam), ridge_dual(X @ X.T, y, lam)
    np.testing.assert_allclose(X.T @ a, w, atol=1e-9 * np.abs(w).max())  # (14.37)
    gradient = -2 * X.T @ (y - X @ w) + 2 * lam * w  # of (14.33)
    np.testing.assert_allclose(gradient, 0, atol=1e-9)


@pytest.mark.parametrize("lam", [1e-3, 0.3, 100.0])
def test_leaving_one_out_is_refitting_without_it(lam):
    X, y = data(25, 3)
    K = Gaussian(0.3)(X)
    without = []
    for n in range(25):
        others = np.arange(25) != n
        without.append(K[n, others] @ ridge_dual(K[np.ix_(others, others)], y[others], lam))
    np.testing.assert_allclose(ridge_leave_one_out(K, y, lam), without, rtol=1e-9, atol=1e-9)


def test_without_its_only_point_ridge_predicts_0():
    assert ridge_leave_one_out([[2.0]], [3.0], 0.5) == pytest.approx([0.0])


def test_copies_of_points_share_what_one_would_have():
    X, y = data(10, 2)
    K = Gaussian(1.0)(X)
    once, twice = ridge_dual(K, y, 0.2), ridge_dual(np.tile(K, (2, 2)), np.tile(y, 2), 0.4)
    np.testing.assert_allclose(twice[:10] + twice[10:], once, rtol=1e-9)  # twice the data, twice the price


def test_pitfall_58_a_lam_that_is_lost_in_rounding():
    X, y = data(10, 2)
    twice = np.vstack([X, X])
    K = Gaussian(1.0)(twice)
    with pytest.warns(UserWarning, match=r"K \+ lam I is singular within rounding.* with lam = 1e-18"):
        a = ridge_dual(K, np.tile(y, 2), 1e-18)
    np.testing.assert_allclose(K @ a, np.tile(y, 2), atol=1e-6)
    np.testing.assert_allclose(a[:10], a[10:], rtol=1e-5)  # the smallest solution treats copies alike
    with pytest.raises(ValueError, match="lam must be large enough.*got 1e-18"):
        ridge_leave_one_out(K, np.tile(y, 2), 1e-18)
    with pytest.warns(UserWarning, match=r"X'X \+ lam I is singular"):
        w = ridge_primal(np.tile(X, 2), y, 1e-18)
    np.testing.assert_allclose(w[:2] + w[2:], np.linalg.lstsq(X, y)[0], rtol=1e-6)


def test_a_matrix_that_is_no_gram_matrix_is_named_and_still_solved():
    K, y = np.array([(0.0, 2.0), (2.0, 0.0)]), np.array([1.0, 3.0])
    with pytest.warns(UserWarning, match="not positive definite"):
        a = ridge_dual(K, y, 0.5)
    np.testing.assert_allclose((K + 0.5 * np.eye(2)) @ a, y)


def test_ordinary_problems_are_quiet_and_arguments_stay_as_they_are():
    X, y = data(20, 4)
    K = Gaussian(0.5)(X)
    before = K.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ridge_dual(K, y, 1e-6)
        ridge_leave_one_out(K, y, 1e-6)
        ridge_primal(X, y, 1e-6)
    np.testing.assert_array_equal(K, before)


@pytest.mark.parametrize("lam", [0, -1.0, np.nan, np.inf, "1", None, True])
def test_lam_must_be_positive(lam):
    X, y = data(5, 2)
    for call in (
        lambda: ridge_primal(X, y, lam),
        lambda: ridge_dual(X @ X.T, y, lam),
        lambda: ridge_leave_one_out(X @ X.T, y, lam),
    ):
        with pytest.raises(ValueError, match="lam must be a number > 0, got"):
            call()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda X, y: ridge_primal(X[:, 0], y, 1.0),
            r"X must be \(N, D\) and y \(N,\), got shapes \(5,\) and \(5,\)",
        ),
        (lambda X, y: ridge_primal(X, y[:4], 1.0), r"got shapes \(5, 2\) and \(4,\)"),
        (
            lambda X, y: ridge_dual(X, y, 1.0),
            r"K must be \(N, N\) and y \(N,\), got shapes \(5, 2\) and \(5,\)",
        ),
        (lambda X, y: ridge_leave_one_out(X @ X.T, y[:4], 1.0), r"got shapes \(5, 5\) and \(4,\)"),
    ],
)
def test_shapes_that_do_not_fit(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(*data(5, 2))
