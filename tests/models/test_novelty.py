"""OneClassSVM and SVDD: against closed forms, LIBSVM and each other."""

import numpy as np
import pytest
import sklearn.svm
from hypothesis import given
from hypothesis import strategies as st

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVDD, OneClassSVM

rng = np.random.default_rng(5)
N = 61
X = rng.normal(size=(N, 2)) * [1.5, 0.7] + 0.3
TOL = 1e-9  # the comparisons below are to 1e-6 or better
GRID = rng.uniform(-4, 4, size=(200, 2))
WEIGHT = rng.uniform(0.2, 3.0, size=N)
MACHINES = [OneClassSVM, SVDD]


@pytest.mark.parametrize("nu", [0.05, 0.25, 0.65])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("kernel", [Gaussian(0.5), Gaussian(2.0)], ids=repr)
def test_one_class_equals_libsvm(nu, weight, kernel):
    ours = OneClassSVM(tol=TOL, nu=nu, kernel=kernel).fit(X, sample_weight=weight)
    theirs = sklearn.svm.OneClassSVM(nu=nu, kernel=kernel, tol=1e-10).fit(X, sample_weight=weight)
    np.testing.assert_allclose(ours.decision_function(GRID), theirs.decision_function(GRID), atol=1e-6)
    np.testing.assert_allclose(ours.score_samples(GRID), theirs.score_samples(GRID), atol=1e-6)
    np.testing.assert_allclose(ours.offset_, theirs.offset_[0], atol=1e-6)
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))
    np.testing.assert_array_equal(ours.predict(GRID), theirs.predict(GRID))
    assert np.all(
        (ours.dual_coef_ > 0) & (ours.dual_coef_ <= (1.0 if weight is None else weight.max()) + 1e-12)
    )
    assert ours.dual_coef_.sum() == pytest.approx(nu * (N if weight is None else weight.sum()), rel=1e-12)


def test_one_class_equals_libsvm_with_large_kernel_values():
    """LIBSVM rounds kernel values to seven digits; here they are in the hundreds."""
    kernel = Polynomial(2)
    ours = OneClassSVM(tol=TOL, nu=0.25, kernel=kernel).fit(X)
    theirs = sklearn.svm.OneClassSVM(nu=0.25, kernel=kernel, tol=1e-10).fit(X)
    np.testing.assert_allclose(ours.decision_function(GRID), theirs.decision_function(GRID), atol=1e-4)


@given(st.integers(1, 60), st.integers(0, 10**6), st.sampled_from([0.1, 1.0, 5.0]), st.floats(0.01, 1.0))
def test_one_class_and_sphere_have_one_boundary_for_gaussian_kernels(n, seed, gamma, nu):
    """k(x, x) = 1 makes R^2 - |phi(x) - centre|^2 a multiple of the distance from a plane."""
    points = np.random.default_rng(seed).normal(size=(n, 2))
    plane, sphere = (machine(tol=TOL, nu=nu, kernel=Gaussian(gamma)).fit(points) for machine in MACHINES)
    np.testing.assert_allclose(
        sphere.decision_function(GRID), plane.decision_function(GRID) * 2 / (nu * n), atol=1e-6
    )
    for model in (plane, sphere):
        assert np.mean(model.predict(points) == -1) <= nu + 1e-9  # outside: at most nu
        assert len(model.support_) / n >= nu - 1e-9  # support vectors: at least nu


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("solver", ["smo", "qp"])
@pytest.mark.parametrize("kernel", [Gaussian(), Linear(), Polynomial(2)], ids=repr)
def test_conventions_of_outlier_detectors(machine, solver, kernel):
    """Points on the boundary are inside, whatever rounding errors say."""
    points = X + 4.0  # away from the origin, from which a plane through linear features could not part them
    model = machine(nu=0.25, solver=solver, kernel=kernel)
    sides = model.fit_predict(points)
    y = model.decision_function(points)
    np.testing.assert_array_equal(sides, np.where(y >= 0, 1, -1))
    np.testing.assert_allclose(y, model.score_samples(points) - model.offset_, rtol=1e-9, atol=1e-9)
    assert np.mean(sides == -1) <= 0.25
    assert len(model.support_) >= 0.25 * N
    a = model.solution_.v
    free = (a > 0) & (a < 1 / (0.25 * N))
    assert free.any()
    assert np.all(sides[free] == 1)
    np.testing.assert_allclose(y[free], 0.0, atol=1e-5 * np.abs(y).max())
    assert np.all(sides[a == 0] == 1)


# ------------------------------------------------------------------ spheres


def test_row_38_smallest_enclosing_sphere():
    """nu N < 1: nobody may be left outside. Three corners of a square and its centre: half the diagonal."""
    corners = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    model = SVDD(tol=TOL, nu=0.2, kernel="linear").fit(corners)
    assert model.radius_ == pytest.approx(np.sqrt(2.0), rel=1e-9)
    np.testing.assert_allclose(model.dual_coef_[0] @ model.support_vectors_, [1.0, 1.0], rtol=1e-9)
    np.testing.assert_allclose(
        model.decision_function([[1.0, 1.0], [3.0, 1.0], [1.0, 3.0]]), [2, -2, -2], rtol=1e-8
    )
    assert np.all(model.predict(corners) == 1)
    for nu in (1e-9, 1e-3, 1 / 61.5):  # the same for any such nu
        many = SVDD(tol=TOL, nu=nu, kernel="linear").fit(X)
        reach = np.linalg.norm(X - many.dual_coef_[0] @ many.support_vectors_, axis=1)
        assert many.radius_ == pytest.approx(reach.max(), rel=1e-6)
        assert np.all(many.predict(X) == 1)


def test_row_38_an_infeasible_price_cannot_be_written():
    """Tax and Duin's C = 1/(nu N) must be at least 1/N, which is nu <= 1."""
    with pytest.raises(ValueError, match=r"nu must be a number in \(0, 1\], got 1.01"):
        SVDD(nu=1.01).fit(X)


def test_radius_and_distances_in_input_space():
    """For the linear kernel everything can be measured in the plane itself."""
    model = SVDD(tol=TOL, nu=0.25, kernel="linear").fit(X)
    centre = model.dual_coef_[0] @ model.support_vectors_
    assert model.dual_coef_.sum() == pytest.approx(1.0, rel=1e-12)
    distance2 = ((GRID - centre) ** 2).sum(axis=1)
    np.testing.assert_allclose(model.decision_function(GRID), model.radius_**2 - distance2, atol=1e-9)
    np.testing.assert_allclose(model.score_samples(GRID), -distance2, atol=1e-9)
    assert model.offset_ == -(model.radius_**2)
    a = model.solution_.v
    on_sphere = X[(a > 0) & (a < 1 / (0.25 * N))]
    np.testing.assert_allclose(np.linalg.norm(on_sphere - centre, axis=1), model.radius_, rtol=1e-8)


def test_sphere_does_not_depend_on_the_origin():
    """Unlike the plane of OneClassSVM."""
    y = SVDD(tol=TOL, nu=0.25, kernel="linear").fit(X).decision_function(GRID)
    far = SVDD(tol=TOL, nu=0.25, kernel="linear").fit(X + 100.0)
    np.testing.assert_allclose(far.decision_function(GRID + 100.0), y, atol=1e-6)


@pytest.mark.parametrize("kernel", [Gaussian(), Linear(), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_row_37_all_points_equal(kernel, solver):
    same = np.full((20, 2), 3.0)
    model = SVDD(nu=0.3, kernel=kernel, solver=solver).fit(same)
    assert model.radius_ == pytest.approx(0.0, abs=1e-4)  # the root of rounding errors in k(x, x) = 361
    assert np.isfinite(model.decision_function(GRID)).all()
    assert np.all(model.predict(same) == 1)
    assert np.all(model.predict(GRID) == -1)


def test_row_48_spheres_need_more_than_a_precomputed_kernel():
    with pytest.raises(ValueError, match=r"kernel='precomputed' does not tell k\(x, x\) for new points"):
        SVDD(kernel="precomputed").fit(Gaussian()(X))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_row_36_tiny_nu(machine, solver):
    model = machine(nu=1e-9, solver=solver).fit(X)
    assert len(model.support_) >= 1
    assert np.all(model.predict(X) == 1)
    assert np.isfinite(model.decision_function(GRID)).all()
    assert set(model.predict(GRID)) == {-1, 1}


@pytest.mark.parametrize("machine", MACHINES)
def test_nu_one_is_the_parzen_window(machine):
    """Every a_n is at its wall: y is the kernel density estimate, and no point is left in the middle."""
    model = machine(tol=TOL, nu=1.0, kernel=Gaussian()).fit(X)
    np.testing.assert_allclose(model.solution_.v, 1 / N, rtol=1e-12)
    density = Gaussian()(GRID, X).mean(axis=1)
    scores = model.score_samples(GRID)
    scale = N if machine is OneClassSVM else 2.0
    np.testing.assert_allclose(np.diff(scores), scale * np.diff(density), atol=1e-10)
    assert set(model.predict(X)) <= {-1, 1}


@pytest.mark.parametrize("machine", MACHINES)
def test_many_points_keep_the_promise_of_nu(machine):
    """tol counts multipliers in [0, 1]: with sums of 1 it would be met long before the boundary is right."""
    points = np.random.default_rng(1).normal(size=(2000, 2))
    outside = np.mean(machine(nu=0.3).fit_predict(points) == -1)
    assert 0.28 < outside <= 0.3
