"""One class alive: nu between its fractions, plane and sphere one for Gaussian kernels, the sphere a true circle."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import OneClassSVM as TheirOneClassSVM

from sparsekm_edu.explorers.svm.novelty import GRID, KERNELS, NEW_X

POINTS = np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2)


def fraction(explorer, fact):
    return float(explorer.picture.facts[fact].split()[0])


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("nu", [0.02, 0.1, 0.35, 0.5, 0.9])
def test_nu_lies_between_the_fractions(make, kernel, nu):
    explorer = make("one_class")
    explorer.set(kernel=kernel, nu=nu)
    assert explorer.message == ""
    assert fraction(explorer, "outside") <= nu + 5e-4  # three decimals
    assert fraction(explorer, "outside the sphere") <= nu + 5e-4
    assert fraction(explorer, "support vectors") >= nu - 5e-4


@pytest.mark.parametrize(("nu", "gamma"), [(0.1, 0.3), (0.2, 1.0), (0.5, 10.0)])
def test_gaussian_plane_and_sphere_are_one(make, nu, gamma):
    explorer = make("one_class")
    explorer.set(nu=nu, gamma=gamma)
    assert explorer.picture.facts["they differ on"] == "0.00% of area"
    assert explorer.picture.facts["largest difference"] == "< 1e-8"
    np.testing.assert_allclose(explorer.picture.sphere, 2 / (nu * 60) * explorer.picture.plane, atol=1e-8)


@pytest.mark.parametrize(("nu", "gamma"), [(0.1, 0.3), (0.2, 1.0), (0.5, 10.0)])
def test_the_plane_is_libsvms(make, nu, gamma):
    explorer = make("one_class")
    explorer.set(nu=nu, gamma=gamma)
    theirs = TheirOneClassSVM(nu=nu, gamma=gamma, tol=1e-9).fit(explorer.state.X)
    expected = theirs.decision_function(POINTS).reshape(explorer.picture.plane.shape)
    np.testing.assert_allclose(explorer.picture.plane, expected, atol=1e-5)
    new = np.mean(theirs.predict(NEW_X) < 0)
    assert fraction(explorer, "outside, 2000 new") == pytest.approx(new, abs=2e-3)


def test_a_linear_sphere_that_may_leave_nobody_out_is_the_smallest_circle(make):
    explorer = make("one_class")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2)) * 0.5 + (0.0, 2.0)
    explorer.set(kernel="linear", nu=0.02, X=X, t=np.ones(30))  # nu N < 1: none may be outside
    found = minimize(lambda c: np.linalg.norm(X - c, axis=1).max(), X.mean(axis=0), method="Nelder-Mead")
    assert float(explorer.picture.facts["radius R"]) == pytest.approx(found.fun, abs=1e-3)
    expected = found.fun**2 - np.sum((POINTS - found.x) ** 2, axis=1)
    np.testing.assert_allclose(explorer.picture.sphere.ravel(), expected, atol=0.02)


@pytest.mark.parametrize("kernel", ["linear", "polynomial, degree 2"])
def test_other_kernels_tell_plane_and_sphere_apart(make, kernel):
    explorer = make("one_class")
    explorer.set(kernel=kernel)
    assert float(explorer.picture.facts["they differ on"].split("%")[0]) > 20


def test_no_plane_keeps_points_away_from_an_origin_among_them(make):
    explorer = make("one_class")
    ring = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 6, 20)])
    explorer.set(kernel="linear", nu=0.1, X=ring, t=np.ones(20))
    assert "origin" in explorer.message
    assert explorer.canvas.stale
    explorer.set(kernel="Gaussian")
    assert explorer.message == ""


def test_one_point_is_not_enough(make):
    explorer = make("one_class")
    explorer.set(X=np.array([[0.0, 1.0]]), t=np.ones(1))
    assert "two points" in explorer.message
