"""SVR and NuSVR: against closed forms, LIBSVM and each other."""

import numpy as np
import pytest
import sklearn.svm
from hypothesis import given
from hypothesis import strategies as st

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVR, NuSVR

rng = np.random.default_rng(5)
N = 61  # no nu below makes nu N/2 a whole number: then epsilon is unique
X = rng.uniform(-3, 3, size=(N, 2))
Y = np.sin(X[:, 0]) + 0.3 * X[:, 1] + 0.2 * rng.normal(size=N)
TOL = 1e-9  # the comparisons below are to 1e-6 or better
GRID = rng.uniform(-3, 3, size=(200, 2))
WEIGHT = rng.uniform(0.2, 3.0, size=N)


@pytest.mark.parametrize("C", [0.1, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_svr_equals_libsvm(C, epsilon, weight):
    ours = SVR(tol=TOL, C=C, epsilon=epsilon, kernel=Gaussian()).fit(X, Y, sample_weight=weight)
    theirs = sklearn.svm.SVR(C=C, epsilon=epsilon, gamma=1.0, tol=1e-10).fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(ours.predict(GRID), theirs.predict(GRID), atol=1e-6)
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))
    np.testing.assert_allclose(
        ours.dual_coef_, theirs.dual_coef_[:, np.argsort(theirs.support_)], atol=1e-5 * C
    )


@pytest.mark.parametrize("nu", [0.1, 0.35, 0.65])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_nu_svr_equals_libsvm(nu, weight):
    ours = NuSVR(tol=TOL, nu=nu, kernel=Gaussian()).fit(X, Y, sample_weight=weight)
    theirs = sklearn.svm.NuSVR(nu=nu, gamma=1.0, tol=1e-10).fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(ours.predict(GRID), theirs.predict(GRID), atol=1e-6)
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2)], ids=repr)
def test_equals_libsvm_with_large_kernel_values(kernel):
    """LIBSVM rounds kernel values to seven digits; here they are up to 361, and C multiplies the error."""
    for ours, theirs in (
        (SVR(tol=TOL, C=0.1, kernel=kernel), sklearn.svm.SVR(C=0.1, kernel=kernel, tol=1e-10)),
        (NuSVR(tol=TOL, nu=0.35, kernel=kernel), sklearn.svm.NuSVR(nu=0.35, kernel=kernel, tol=1e-10)),
    ):
        np.testing.assert_allclose(ours.fit(X, Y).predict(GRID), theirs.fit(X, Y).predict(GRID), atol=1e-4)


def test_two_points_exactly():
    """t = 0 and 2 at x = 0 and 2, tube 0.5: the flattest line within reach has slope 1/2, from a_2 = a-hat_1 = 1/4."""
    model = SVR(tol=TOL, C=1.0, epsilon=0.5, kernel="linear").fit([[0.0], [2.0]], [0.0, 2.0])
    np.testing.assert_allclose(model.dual_coef_, [[-0.25, 0.25]], rtol=1e-12)
    np.testing.assert_allclose(model.intercept_, [0.5], rtol=1e-12)
    np.testing.assert_allclose(model.predict([[0.0], [1.0], [2.0]]), [0.5, 1.0, 1.5], rtol=1e-12)
    np.testing.assert_allclose(model.solution_.a, [0.0, 0.25], rtol=1e-12)
    np.testing.assert_allclose(model.solution_.a_hat, [0.25, 0.0], rtol=1e-12)


def test_constant_kernel_finds_the_median():
    """With epsilon = 0 and nothing but b, the sum of |t_n - b| is least at the median."""
    model = SVR(tol=TOL, epsilon=0.0, kernel=Polynomial(0)).fit(X, Y)
    np.testing.assert_allclose(model.predict(X[:1]), np.median(Y), rtol=1e-12)


@st.composite
def regression(draw):
    n = draw(st.integers(3, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    points = rng.normal(size=(n, 2))
    targets = np.sin(2 * points[:, 0]) + draw(st.sampled_from([0.1, 1.0])) * rng.normal(size=n)
    gamma, C = draw(st.sampled_from([0.2, 1.0, 5.0])), 10.0 ** draw(st.integers(-2, 2))
    return points, targets, gamma, C


@given(regression(), st.floats(0.02, 1.0))
def test_the_nu_property_of_regression(problem, nu):
    """At most a fraction nu of the points outside the tube, at least a fraction nu of support vectors (PRML 7.1.4)."""
    points, targets, gamma, C = problem
    model = NuSVR(tol=TOL, C=C, nu=nu, kernel=Gaussian(gamma)).fit(points, targets)
    assert model.epsilon_ >= -1e-9
    error = np.abs(targets - model.predict(points))
    assert np.mean(error > model.epsilon_ + 1e-6) <= nu + 1e-9
    if model.epsilon_ > 1e-6:
        assert len(model.support_) / len(targets) >= nu - 1e-9


@given(regression(), st.floats(0.02, 0.98))
def test_nu_svr_is_svr_with_the_epsilon_found(problem, nu):
    points, targets, gamma, C = problem
    model = NuSVR(tol=TOL, C=C, nu=nu, kernel=Gaussian(gamma)).fit(points, targets)
    classic = SVR(tol=TOL, C=C, epsilon=max(model.epsilon_, 0.0), kernel=Gaussian(gamma)).fit(points, targets)
    slope = lambda fitted: fitted.predict(GRID) - fitted.intercept_[0]  # noqa: E731 (b may be an interval)
    np.testing.assert_allclose(slope(classic), slope(model), atol=1e-5)


@pytest.mark.filterwarnings("ignore:There are no support vectors")
@given(regression(), st.floats(0.0, 0.5))
def test_svr_is_equivariant(problem, epsilon):
    """c t + d, with c C and c epsilon: c y + d. In other units the answer is the same; c = -1 turns it upside down."""
    points, targets, gamma, C = problem
    y = SVR(tol=TOL, C=C, epsilon=epsilon, kernel=Gaussian(gamma)).fit(points, targets).predict(GRID)
    for c, d in ((-1.0, 0.0), (3.0, 7.0)):
        model = SVR(tol=TOL, C=abs(c) * C, epsilon=abs(c) * epsilon, kernel=Gaussian(gamma))
        np.testing.assert_allclose(model.fit(points, c * targets + d).predict(GRID), c * y + d, atol=1e-6)


def test_every_point_in_or_on_or_outside_the_tube():
    """(7.65)-(7.68): inside v = 0, on the edge 0 < |v| < C, outside |v| = C, with the sign of the error."""
    model = SVR(tol=TOL, C=0.7, epsilon=0.2).fit(X, Y)
    error, v = Y - model.predict(X), model.solution_.v
    assert np.all(v[np.abs(error) < 0.2 - 1e-9] == 0)
    assert np.all(v[error > 0.2 + 1e-9] == 0.7)
    assert np.all(v[error < -0.2 - 1e-9] == -0.7)
    edge = (np.abs(v) > 0) & (np.abs(v) < 0.7)
    np.testing.assert_allclose(error[edge], 0.2 * np.sign(v[edge]), rtol=1e-9)
    np.testing.assert_allclose(v.sum(), 0, atol=1e-12)


def test_C_of_nu_svr_is_the_price_per_point():
    model = NuSVR(tol=TOL, C=0.7, nu=0.35).fit(X, Y)
    assert np.abs(model.dual_coef_).max() == pytest.approx(0.7, rel=1e-12)
    assert model.solution_.a.sum() == pytest.approx(
        0.5 * 0.35 * N * 0.7, rel=1e-12
    )  # (7.74), the book's C is 0.7 N
    error, v = np.abs(Y - model.predict(X)), np.abs(model.solution_.v)
    edge = (v > 0) & (v < 0.7)
    np.testing.assert_allclose(error[edge], model.epsilon_, rtol=1e-9)


@pytest.mark.parametrize(
    "kernel", [None, Linear(), lambda X, Z: X @ Z.T], ids=["gaussian", "linear", "function"]
)
def test_row_35_epsilon_wider_than_the_data(kernel):
    with pytest.warns(
        UserWarning, match="no support vectors, and y.x. is constant: a tube with epsilon = 10 "
    ):
        model = SVR(tol=TOL, epsilon=10.0, kernel=kernel).fit(X, Y)
    assert len(model.support_) == 0
    assert model.support_vectors_.shape == (0, 2)
    assert model.dual_coef_.shape == (1, 0)
    middle = 0.5 * (Y.min() + Y.max())
    np.testing.assert_allclose(model.predict(GRID), middle, rtol=1e-12)
    np.testing.assert_allclose(
        model.surface([0.0, 1.0], [0.0, 1.0, 2.0]), np.full((3, 2), middle), rtol=1e-12
    )


def test_targets_that_tol_cannot_tell_apart_are_not_blamed_on_the_tube():
    with pytest.warns(
        UserWarning, match=r"targets range over .*e-100, too little for tol = 0.001; rescale y"
    ):
        model = SVR(epsilon=0.0).fit(X, 1e-100 * Y)
    assert len(model.support_) == 0
    with pytest.warns(UserWarning, match="a tube with epsilon = 0 holds all targets, which range over 0"):
        SVR(epsilon=0.0).fit(X, np.ones(N))


@pytest.mark.parametrize("machine", [SVR(), NuSVR()], ids=repr)
@pytest.mark.filterwarnings("ignore:There are no support vectors")
def test_constant_targets(machine):
    np.testing.assert_allclose(machine.fit(X, np.full(N, 3.0)).predict(GRID), 3.0, rtol=1e-9)
    if isinstance(machine, NuSVR):
        assert machine.epsilon_ == pytest.approx(0.0, abs=1e-9)
