"""The hyperplane of least error under Parzen densities: densities, derivative, global minimum, limit."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from sparsekm_edu import datasets
from sparsekm_edu.lessons.parzen import (
    best_hyperplane,
    best_hyperplanes,
    clouds,
    differences,
    log_density_ratio,
    log_error,
    log_ratio_on_grid,
)
from sparsekm_edu.solvers import hard_margin, smo

X, t = datasets.separable()
SIGMA2 = np.logspace(-4, 1, 16)


@pytest.fixture(scope="module")
def planes():
    return best_hyperplanes(X, t, SIGMA2)


@pytest.fixture(scope="module")
def limit():
    """The maximum-margin line, |w| = 1."""
    solution = smo(hard_margin(X @ X.T, t))
    w = solution.v @ X
    return w / np.linalg.norm(w), solution.b / np.linalg.norm(w)


def unit(angle):
    return np.array([np.cos(angle), np.sin(angle)])


@pytest.mark.parametrize("sigma2", [0.1, 1.0, 4.0])
def test_log_error_is_a_mean_of_gaussian_tails(sigma2):
    w, b = np.array([0.8, 1.9]), 0.3  # any length: only the line counts
    tails = norm.sf(t * (X @ w + b) / np.linalg.norm(w), scale=np.sqrt(sigma2))
    assert log_error(X, t, sigma2, w, b) == pytest.approx(np.log(tails.mean()), abs=1e-12)
    assert log_error(X, t, sigma2, 7 * w, 7 * b) == pytest.approx(np.log(tails.mean()), abs=1e-12)


def test_log_error_is_the_probability_of_error_of_the_density_model():
    """Draw from the model, one Gaussian on each point, and count what falls on the wrong side."""
    w, b, sigma2, draws = unit(0.9), 0.2, 0.8, 400_000
    rng = np.random.default_rng(0)
    n = rng.integers(len(t), size=draws)
    x = X[n] + np.sqrt(sigma2) * rng.normal(size=(draws, 2))
    wrong = np.mean(t[n] * (x @ w + b) < 0)
    error = np.exp(log_error(X, t, sigma2, w, b))
    assert wrong == pytest.approx(error, abs=5 * np.sqrt(error / draws))


def test_log_error_does_not_underflow():
    assert -1e9 < log_error(X, t, 1e-8, unit(0.6), 0.0) < -1e6


@pytest.mark.parametrize("sigma2", [0.3, 2.0])
def test_log_density_ratio_against_scipy(sigma2):
    points = np.random.default_rng(1).uniform(-3, 3, (50, 2))
    density = {
        sign: sum(multivariate_normal(x, sigma2 * np.eye(2)).pdf(points) for x in X[t == sign])
        for sign in (1, -1)
    }
    np.testing.assert_allclose(
        log_density_ratio(points, X, t, sigma2), np.log(density[1]) - np.log(density[-1]), atol=1e-10
    )


def test_log_ratio_on_grid_has_the_shape_of_a_picture():
    x1, x2 = np.linspace(-3, 3, 7), np.linspace(-2, 2, 5)
    on_grid = log_ratio_on_grid(x1, x2, X, t, 0.5)
    assert on_grid.shape == (5, 7)
    point = np.array([[x1[4], x2[1]]])
    assert on_grid[1, 4] == pytest.approx(log_density_ratio(point, X, t, 0.5)[0], abs=1e-12)


@pytest.mark.parametrize("k", range(0, 16, 3))
def test_nothing_near_the_best_hyperplane_is_better(planes, k):
    """The slope of sigma^2 ln E, by central differences over angle and offset, is zero there."""
    plane, sigma2, h = planes[k], SIGMA2[k], 1e-5
    angle = np.arctan2(plane.w[1], plane.w[0])

    def value(turn, shift):
        return sigma2 * log_error(X, t, sigma2, unit(angle + turn), plane.b + shift)

    assert abs(value(h, 0) - value(-h, 0)) / (2 * h) < 2e-4
    assert abs(value(0, h) - value(0, -h)) / (2 * h) < 2e-4
    assert plane.log_error == pytest.approx(value(0, 0) / sigma2, rel=1e-12)
    assert np.linalg.norm(plane.w) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("sigma2", [0.01, 0.3, 5.0])
def test_best_hyperplanes_find_the_global_minimum(sigma2):
    """Brute force over angle and offset finds nothing better, whether the densities are wide or narrow."""
    path = [s for s in SIGMA2 if s > sigma2] + [sigma2]
    found = best_hyperplanes(X, t, path)[-1]
    angles, offsets = np.linspace(-np.pi, np.pi, 721), np.linspace(-4, 4, 401)
    distance = t * (X @ np.array([np.cos(angles), np.sin(angles)])).T  # (angles, N)
    logs = norm.logsf((distance[:, None, :] + t * offsets[:, None]) / np.sqrt(sigma2))
    brute = (np.logaddexp.reduce(logs, axis=2) - np.log(len(t))).min()
    assert found.log_error <= brute + 1e-9
    assert found.log_error == pytest.approx(brute, rel=0.02)


def test_the_limit_is_the_maximum_margin(planes, limit):
    """Figure of section 7.1: the smaller sigma, the closer, down to less than a hundredth of a degree."""
    angles, offsets = differences(planes, *limit)
    assert (np.diff(angles) > 0).all()  # SIGMA2 rises
    assert angles[0] < 0.01
    assert offsets[0] < 1e-3
    assert angles[-1] > 5


def test_any_start_near_the_answer_leads_to_it(planes):
    plane = planes[8]
    again = best_hyperplane(X, t, SIGMA2[8], (3 * plane.w + 0.05, 3 * plane.b))
    np.testing.assert_allclose(again.w, plane.w, atol=1e-6)
    assert again.b == pytest.approx(plane.b, abs=1e-6)


def test_order_of_the_variances_does_not_matter(planes):
    shuffled = best_hyperplanes(X, t, SIGMA2[::-1])[::-1]
    for one, other in zip(planes, shuffled):
        np.testing.assert_array_equal(one.w, other.w)


def test_three_dimensions_as_well():
    rng = np.random.default_rng(2)
    labels = np.repeat([-1.0, 1.0], 15)
    cloud = rng.normal(size=(30, 3)) + labels[:, None] * 2.0
    solution = smo(hard_margin(cloud @ cloud.T, labels))
    w = solution.v @ cloud
    (angle,), _ = differences(best_hyperplanes(cloud, labels, SIGMA2)[:1], w / np.linalg.norm(w), 0.0)
    assert angle < 0.1


def test_differences_keep_small_angles():
    class Turned:
        w, b = unit(1e-9), 0.25

    angles, offsets = differences([Turned], np.array([1.0, 0.0]), 0.2)
    assert angles[0] == pytest.approx(np.degrees(1e-9), rel=1e-6)
    assert offsets[0] == pytest.approx(0.05, abs=1e-12)


def test_clouds_hold_the_lines_of_the_path_and_how_far_they_are_apart(planes, limit):
    w, b = limit
    for there, plane, sigma2 in zip(clouds(X, t, SIGMA2, 7 * w, 7 * b), planes, SIGMA2, strict=True):
        np.testing.assert_allclose(
            [*there.widest[0], there.widest[1]], [*w, b]
        )  # the scale of w and b is forgotten
        np.testing.assert_array_equal(there.best.w, plane.w)
        assert np.cos(np.radians(there.angle)) == pytest.approx(plane.w @ w, abs=1e-12)
        assert there.offset == abs(plane.b - there.widest[1])
        np.testing.assert_array_equal(
            there.log_ratio([0.0, 1.0], [2.0]), log_ratio_on_grid([0.0, 1.0], [2.0], X, t, sigma2)
        )


def test_three_variances_alone_lead_to_the_same_lines_as_a_fine_path(limit):
    fine = {round(there.sigma2, 9): there for there in clouds(X, t, np.logspace(-2, 1, 31), *limit)}
    for there in clouds(X, t, (1.0, 0.1, 0.01), *limit):
        assert there.angle == pytest.approx(fine[there.sigma2].angle, abs=1e-4)
