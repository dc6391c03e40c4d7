"""EM for the soft margin: the identity it rests on, its monotony, and its end, where SMO has been before."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.solvers import smo, soft_margin
from sparsekm_edu.solvers.dual.scale_mixture import (
    NEAREST,
    _dual_bound,
    em_svm,
    em_svm_steps,
    hinge_mixture,
    mixture_error,
)


def overlapping(n, seed, shift=0.7):
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, 2))
    X[:, 0] += shift * t
    return X, t


DATA = {
    "separable": datasets.separable(),
    "curved": datasets.curved(),
    "overlapping": overlapping(60, seed=0),
}
KERNELS = [Linear(), Polynomial(2), Gaussian(0.5)]


def primal(K, t, C, v, b):
    """(7.21)"""
    return 0.5 * v @ K @ v + np.sum(C * np.maximum(0, 1 - t * (K @ v + b)))


@st.composite
def soft_margins(draw):
    """K, t, C: 2 to 30 points, duplicates, classes of one point, C over four decades, one for all or one each."""
    n = draw(st.integers(2, 30))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, 2))
    if draw(st.booleans()):
        X = np.round(X)
    t = np.where(rng.random(n) < draw(st.sampled_from([0.1, 0.5])), 1.0, -1.0)
    t[:2] = 1.0, -1.0
    C = 10.0 ** draw(st.integers(-2, 2))
    if draw(st.booleans()):
        C = C * rng.uniform(0.2, 2.0, size=n)
    return draw(st.sampled_from([Linear(), Gaussian(0.1), Gaussian(2.0)]))(X), t, C


# ------------------------------------------------------------------ the identity


def test_identity_14_68():
    margin = np.concatenate([np.linspace(-5, 5, 401), 1 + np.array([-1e-3, 1e-9, 0, 1e-6]), [-30.0, 100.0]])
    assert mixture_error(margin) <= 1e-12
    below = margin[margin < 1]  # where both sides are small, the ratio must hold too
    np.testing.assert_allclose(hinge_mixture(below), np.exp(-2 * (1 - below)), rtol=1e-10)


@pytest.mark.parametrize("margin", [-2.0, 0.0, 0.9, 1.0, 1.5, 4.0])
def test_quadrature_equals_scipys(margin):
    """The integral as (14.68) writes it, with lambda = s^2 against the singularity at 0."""
    u = 1 - margin
    value, _ = quad(
        lambda s: 2 / np.sqrt(2 * np.pi) * np.exp(-0.5 * (u + s**2) ** 2 / s**2), 0, 40, points=[1], limit=200
    )
    assert hinge_mixture(margin) == pytest.approx(value, rel=1e-8)
    assert hinge_mixture([[margin, margin]]).shape == (1, 2)


def test_an_error_would_be_seen():
    """mixture_error compares with the hinge at 1: one margin off, and it is large."""
    assert abs(hinge_mixture(0.5) - np.exp(-2 * 0.4)) > 0.05


@pytest.mark.parametrize("margin", [-1.0, 0.5, 1.2, 3.0])
def test_expected_inverse_lambda(margin):
    """E[1/lambda] = 1 / |1 - m| under the density in (14.68): the E-step."""
    u = 1 - margin

    def density(r):  # of r = log lambda, up to a factor
        return np.exp(0.5 * r - 0.5 * (u + np.exp(r)) ** 2 / np.exp(r))

    total = quad(density, -25, 6, limit=400)[0]
    mean = quad(lambda r: np.exp(-r) * density(r), -25, 6, limit=400)[0] / total
    assert mean == pytest.approx(1 / abs(u), rel=1e-7)


# ------------------------------------------------------------------ EM


@given(soft_margins())
def test_objective_never_increases(problem):
    """Up to what counting |1 - t y| < NEAREST as NEAREST may cost, and rounding."""
    K, t, C = problem
    last, allowed = np.inf, NEAREST / 4 * np.sum(np.broadcast_to(C, len(t)))
    for step in em_svm_steps(K, t, C, max_iter=300):
        assert step.objective == pytest.approx(primal(K, t, C, step.v, step.b), rel=1e-9)
        assert step.objective <= last + allowed + 1e-9 * step.objective
        last = step.objective


@given(soft_margins())
def test_gap_bounds_the_distance_to_smos_optimum(problem):
    K, t, C = problem
    best = smo(soft_margin(K, t, C), tol=1e-8).objective
    for step in em_svm_steps(K, t, C, tol=1e-5, max_iter=100):
        excess = (step.objective - best) / step.objective
        assert -1e-9 <= excess <= step.gap + 1e-9


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_ends_where_smo_ends(data, kernel, C):
    X, t = DATA[data]
    K = kernel(X)
    theirs = smo(soft_margin(K, t, C), tol=1e-10)
    ours = em_svm(K, t, C)
    assert ours.converged
    assert 0 <= ours.objective - theirs.objective + 1e-9 * theirs.objective <= 1.1e-6 * theirs.objective
    # 1/2 |w - w*|^2 <= J - J* bounds the difference of the functions, b aside
    difference = ours.v - theirs.v
    assert difference @ K @ difference <= 2.2e-6 * theirs.objective


def test_further_steps_reach_further():
    X, t = DATA["overlapping"]
    K = Gaussian(0.5)(X)
    theirs = smo(soft_margin(K, t, 1.0), tol=1e-10)
    ours = em_svm(K, t, 1.0, tol=1e-9)
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-9)
    np.testing.assert_allclose(ours.y, K @ theirs.v + theirs.b, atol=1e-5)
    np.testing.assert_allclose(ours.v, theirs.v, atol=1e-4)


def test_large_C_is_slow_but_falls():
    """The known weakness: at C = 1000 a thousand steps reach what SMO has in milliseconds only roughly."""
    X, t = DATA["overlapping"]
    K = Gaussian(0.5)(X)
    best = smo(soft_margin(K, t, 1e3), tol=1e-8).objective
    with pytest.warns(ConvergenceWarning):
        ours = em_svm(K, t, 1e3, max_iter=1000)
    assert 1e-6 < ours.objective / best - 1 < 1e-3


def test_every_step_is_the_ridge_regression_and_shrinks_margins_by_the_factor_it_says():
    """Stationary in w and b, and 1 - t y = (2 a / C - 1) / e: the rate of convergence in the docstring."""
    X, t = DATA["curved"]
    K, C = Gaussian(0.5)(X), np.linspace(0.5, 2.0, len(t))
    y = np.zeros(len(t))
    _, *steps = em_svm_steps(K, t, C, max_iter=30)
    for step in steps:
        np.testing.assert_allclose(
            step.inverse_lambda, 1 / np.maximum(np.abs(1 - t * y), NEAREST), rtol=1e-12
        )
        weight, r = C * step.inverse_lambda / 2, t * (1 + 1 / step.inverse_lambda)
        np.testing.assert_allclose(r - step.y, step.v / weight, atol=1e-12)  # d/dw: w = sum of v_n phi(x_n)
        assert step.v.sum() == pytest.approx(0, abs=1e-9)  # d/db
        np.testing.assert_allclose(1 - t * step.y, (2 * t * step.v / C - 1) / step.inverse_lambda, atol=1e-9)
        np.testing.assert_allclose(step.y, K @ step.v + step.b, rtol=1e-12)
        y = step.y


def test_solver_is_the_last_step():
    X, t = DATA["separable"]
    K = Linear()(X)
    steps = list(em_svm_steps(K, t, 1.0))
    last = em_svm(K, t, 1.0)
    assert last.n_iter == len(steps) - 1 == steps[-1].n_iter
    assert [step.converged for step in steps] == [False] * (len(steps) - 1) + [True]
    np.testing.assert_array_equal(steps[-1].v, last.v)


def test_two_points_by_hand():
    """x = +-1, C = 1/4: a = 1/4 = C at both, w = 1/2, so J = 1/8 + 2 * 1/4 * 1/2 = 3/8."""
    K, t = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0])
    fit = em_svm(K, t, 0.25, tol=1e-10)
    assert fit.objective == pytest.approx(3 / 8, rel=1e-9)
    np.testing.assert_allclose(fit.v, [0.25, -0.25], rtol=1e-4)
    assert fit.b == pytest.approx(0, abs=1e-12)


@given(soft_margins())
def test_C_per_point_is_copies(problem):
    K, t, _ = problem
    copies = np.arange(len(t)) % 3 + 1
    rows = np.repeat(np.arange(len(t)), copies)
    weighted = list(em_svm_steps(K, t, 1.0 * copies, max_iter=20))[-1]
    repeated = list(em_svm_steps(K[np.ix_(rows, rows)], t[rows], 1.0, max_iter=20))[-1]
    np.testing.assert_allclose(repeated.y, weighted.y[rows], atol=1e-6)


# ------------------------------------------------------------------ limits and complaints


@pytest.mark.parametrize("C", [0, -1.0, np.nan, "1", True])
def test_row_26_C_must_be_positive(C):
    with pytest.raises(ValueError, match="C must be a number > 0"):
        em_svm(np.eye(2), np.array([1.0, -1.0]), C)


def test_row_27_the_hard_margin_is_refused():
    for C in (np.inf, np.array([1.0, np.inf])):
        with pytest.raises(ValueError, match="C must be finite"):
            em_svm(np.eye(2), np.array([1.0, -1.0]), C)


@pytest.mark.parametrize("tol", [0, -1e-3, np.nan, "1", True])
def test_row_29_tol_must_be_positive(tol):
    with pytest.raises(ValueError, match="tol must be a number > 0, got"):
        em_svm(np.eye(2), np.array([1.0, -1.0]), 1.0, tol=tol)


@pytest.mark.parametrize("max_iter", [0, -1, 2.5, True])
def test_row_30_max_iter_must_be_a_positive_whole_number(max_iter):
    with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
        em_svm(np.eye(2), np.array([1.0, -1.0]), 1.0, max_iter=max_iter)


def test_row_28_not_converged_is_said():
    X, t = DATA["curved"]
    with pytest.warns(
        ConvergenceWarning, match=r"max_iter = 5 EM steps: .*gap .* > tol = 1e-06 with C = 10\."
    ):
        fit = em_svm(Gaussian()(X), t, 10.0, max_iter=5)
    assert not fit.converged
    assert fit.n_iter == 5


def test_pitfall_7_indefinite_K():
    x = np.array([1.0, 2.0])
    with pytest.raises(ValueError, match=r"positive semi-definite, got a smallest eigenvalue of -0\.41"):
        em_svm(np.tanh(np.outer(x, x) - 1), np.array([1.0, -1.0]), 10.0)


@pytest.mark.parametrize("C", [1e-6, 1e6, 1e9])
def test_extreme_C_stays_finite(C):
    X, t = DATA["overlapping"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for kernel in (Linear(), Gaussian(0.5)):
            fit = em_svm(kernel(X), t, C, max_iter=200)
            assert np.isfinite(fit.v).all()
            assert fit.objective <= C * len(t)  # J at w = b = 0


@pytest.mark.parametrize("seed", range(5))
def test_rounding_errors_of_K_do_not_break_the_ridge(seed):
    """Many points of a plane near their margins, and a ridge of 2e-8 / C: singular, to rounding."""
    X, t = overlapping(30, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        assert np.isfinite(em_svm(Linear()(10 * np.round(X) + 10), t, 1e9, max_iter=100).v).all()


def test_bound_from_multipliers_of_one_class_only():
    """Multipliers of the wrong sign count as 0; if that leaves one class, all must be 0, with dual value 0."""
    problem = soft_margin(np.eye(3), np.array([1.0, 1.0, -1.0]), 5.0)
    assert _dual_bound(problem, np.array([2.0, -3.0, 1.0])) == 0
    # (1, 1, -3) -> (1, 1, -2) to make the sum 0: the dual value is 4 - (1 + 1 + 4) / 2 = 1
    assert _dual_bound(problem, np.array([1.0, 1.0, -3.0])) == pytest.approx(1.0, rel=1e-14)


def test_pitfall_12_duplicates_with_opposite_labels():
    K, t = np.ones((4, 4)), np.array([1.0, -1.0, 1.0, -1.0])
    fit = em_svm(K, t, 1.0)
    assert fit.objective == pytest.approx(4.0, rel=1e-6)
    np.testing.assert_allclose(fit.y, 0, atol=1e-2)


def test_input_is_left_alone():
    X, t = DATA["separable"]
    K = Gaussian()(X)
    copies = K.copy(), t.copy()
    em_svm(K, t, 1.0)
    np.testing.assert_array_equal(K, copies[0])
    np.testing.assert_array_equal(t, copies[1])
