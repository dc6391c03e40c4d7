"""NuSVC: against LIBSVM, against SVC, and what nu promises."""

import warnings

import numpy as np
import pytest
import sklearn.svm
from hypothesis import assume, given
from hypothesis import strategies as st

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVC, NuSVC

rng = np.random.default_rng(5)
N = 61  # no nu below makes nu N/2 a whole number: then some multipliers lie between the walls, and b and rho are unique
X = rng.uniform(-3, 3, size=(N, 2))
T = np.where(np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.4 * rng.normal(size=N) > 0, 1, -1)
TOL = 1e-9  # the comparisons below are to 1e-6 or better
GRID = rng.uniform(-3, 3, size=(200, 2))
WEIGHT = rng.uniform(0.2, 3.0, size=N)


@pytest.mark.parametrize("nu", [0.25, 0.45, 0.65])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_equals_libsvm(nu, weight):
    ours = NuSVC(tol=TOL, nu=nu, kernel=Gaussian()).fit(X, T, sample_weight=weight)
    theirs = sklearn.svm.NuSVC(nu=nu, gamma=1.0, tol=1e-10).fit(X, T, sample_weight=weight)
    np.testing.assert_allclose(ours.decision_function(GRID), theirs.decision_function(GRID), atol=1e-6)
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_[:, np.argsort(theirs.support_)], rtol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2)], ids=repr)
def test_equals_libsvm_with_large_kernel_values(kernel):
    """LIBSVM rounds kernel values to seven digits; here they are up to 361."""
    ours = NuSVC(tol=TOL, nu=0.65, kernel=kernel).fit(X, T)
    theirs = sklearn.svm.NuSVC(nu=0.65, kernel=kernel, tol=1e-10).fit(X, T)
    np.testing.assert_allclose(ours.decision_function(GRID), theirs.decision_function(GRID), atol=1e-5)


def test_two_points_exactly():
    """w = (nu/2) (x_+ - x_-), b puts y = 0 halfway, rho = nu |x_+ - x_-|^2 / 4; divided by rho, the hard margin."""
    model = NuSVC(tol=TOL, nu=0.5, kernel="linear").fit([[0.0, 0.0], [2.0, 0.0]], [1, -1])
    np.testing.assert_allclose(model.solution_.v, [0.25, -0.25], rtol=1e-12)
    np.testing.assert_allclose(model.rho_, 0.5, rtol=1e-12)
    np.testing.assert_allclose(model.dual_coef_, [[0.5, -0.5]], rtol=1e-12)
    np.testing.assert_allclose(model.intercept_, [1.0], rtol=1e-12)


@st.composite
def classification(draw):
    """Points, labels, gamma and a nu that is within reach."""
    n = draw(st.integers(4, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    labels = np.where(rng.random(n) < draw(st.sampled_from([0.2, 0.5])), 1, -1)
    labels[:2] = 1, -1
    largest = 2 * min(np.mean(labels > 0), np.mean(labels < 0))
    points = rng.normal(size=(n, 2)) + labels[:, None] * [0.5, 0.0]
    return points, labels, draw(st.sampled_from([0.2, 1.0, 5.0])), largest * draw(st.floats(0.05, 0.99))


@pytest.mark.filterwarnings("ignore:rho =")
@given(classification())
def test_pitfall_5_the_nu_property_where_rho_is_not_zero(problem):
    """At most a fraction nu of the points inside the margin, at least a fraction nu of support vectors (PRML 7.1.1)."""
    points, labels, gamma, nu = problem
    model = NuSVC(tol=TOL, nu=nu, kernel=Gaussian(gamma)).fit(points, labels)
    assume(model.rho_ > 2e-5)  # 1e-5 of the largest squared distance between Gaussian features
    inside = labels * model.decision_function(points) < 1 - 1e-5  # y is divided by rho
    assert np.mean(inside) <= nu + 1e-9
    assert len(model.support_) / len(labels) >= nu - 1e-9


@pytest.mark.filterwarnings("ignore:rho =")
@given(classification())
def test_is_svc_with_C_one_over_N_rho(problem):
    points, labels, gamma, nu = problem
    model = NuSVC(tol=TOL, nu=nu, kernel=Gaussian(gamma)).fit(points, labels)
    assume(model.rho_ > 1e-4)
    a, top = np.abs(model.solution_.v), 1.0 / len(labels)
    free = (a > 1e-6 * top) & (a < (1 - 1e-6) * top)
    assume(free[labels > 0].any() and free[labels < 0].any())  # else b or rho is the middle of an interval
    classic = SVC(tol=TOL, C=1.0 / (len(labels) * model.rho_), kernel=Gaussian(gamma)).fit(points, labels)
    np.testing.assert_allclose(
        classic.decision_function(GRID), model.decision_function(GRID), atol=1e-5, rtol=1e-5
    )
    np.testing.assert_array_equal(classic.support_, model.support_)


def test_solution_is_in_the_scale_of_the_book():
    model = NuSVC(tol=TOL, nu=0.35).fit(X, T)
    v = model.solution_.v
    np.testing.assert_allclose(
        [v[T > 0].sum(), v[T < 0].sum()], [0.175, -0.175], rtol=1e-12
    )  # (7.40), (7.41)
    assert np.abs(v).max() <= 1 / N  # (7.39)
    np.testing.assert_allclose(model.dual_coef_[0], v[model.support_] / model.rho_, rtol=1e-12)
    np.testing.assert_allclose(model.intercept_[0], model.solution_.b / model.rho_, rtol=1e-12)
    on_margin = (np.abs(v) > 0) & (np.abs(v) < 1 / N)
    np.testing.assert_allclose((T * model.decision_function(X))[on_margin], 1.0, rtol=1e-9)


def test_pitfall_4_infeasible_nu_is_refused_before_any_kernel_is_computed():
    def untouchable(X, Z):
        raise AssertionError("the kernel was called")

    labels = np.where(np.arange(60) < 5, 1, -1)
    with pytest.raises(ValueError, match="nu must be at most 0.1667 for classes of 55 and 5 points.*got 0.9"):
        NuSVC(nu=0.9, kernel=untouchable).fit(GRID[:60], labels)
    weight = np.where(labels > 0, 11.0, 1.0)  # now both classes weigh the same
    with pytest.raises(ValueError, match="the kernel was called"):
        NuSVC(nu=0.9, kernel=untouchable).fit(GRID[:60], labels, sample_weight=weight)


def test_row_33_rho_nearly_zero():
    """Labels that mean nothing: at a small nu, the two hulls overlap, w = 0, and there is no margin to divide by."""
    labels = np.where(np.arange(N) % 2, 1, -1)
    with pytest.warns(UserWarning, match="rho = .* is too small to divide by, for nu = 0.05"):
        model = NuSVC(tol=TOL, nu=0.05, kernel="linear").fit(X, labels)
    assert abs(model.rho_) < 1e-8
    np.testing.assert_allclose(model.dual_coef_[0], model.solution_.v[model.support_], rtol=1e-12)
    assert np.abs(model.decision_function(GRID)).max() < 1e-5


def test_rho_is_measured_in_units_of_the_data():
    """Neither small units nor a far origin make a margin vanish."""
    y = NuSVC(tol=TOL, nu=0.65, kernel="linear").fit(X, T).decision_function(GRID)
    small = NuSVC(nu=0.65, kernel="linear", tol=1e-9).fit(1e-3 * X, T)
    assert small.rho_ < 1e-5
    np.testing.assert_allclose(small.decision_function(1e-3 * GRID), y, atol=1e-4)
    far = NuSVC(tol=TOL, nu=0.65, kernel="linear").fit(X + 1e3, T)
    np.testing.assert_allclose(far.decision_function(GRID + 1e3), y, atol=1e-5)


@pytest.mark.parametrize("nu", [0.05, 0.02, 0.002])
def test_a_small_rho_that_is_certain_is_divided_by(nu):
    """rho down to 1e-6 of the data's extent, and yet known to many digits: y is that of SVC at C = 1 / (N rho)."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    t = np.repeat([1, -1], 100)
    X[:100] += [4.2, 1.2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = NuSVC(nu, Gaussian(0.05)).fit(X, t)
    same = SVC(1 / (200 * model.rho_), Gaussian(0.05)).fit(X, t)
    assert model.rho_ < 1e-3
    np.testing.assert_allclose(model.decision_function(X), same.decision_function(X), rtol=1e-5, atol=1e-5)
