"""Balls that grow until they hold K points: neighbours that vote, and densities that are none."""

import math

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from sparsekm_edu.kernels import Linear
from sparsekm_edu.lessons.volumes import grown_balls
from sparsekm_edu.models import KernelKNN


def data(N=60, D=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, D)), rng.integers(3, size=N), rng.normal(size=(200, D))


@pytest.mark.parametrize("K", [1, 7, 60])
@pytest.mark.parametrize("D", [1, 2, 3])
def test_the_posterior_is_the_vote_of_the_neighbours(K, D):
    """(14.81), against two independent ways to find the neighbours."""
    X, t, places = data(D=D)
    posterior = grown_balls(X, places, K).posterior(t, 3)
    np.testing.assert_allclose(posterior, KNeighborsClassifier(K).fit(X, t).predict_proba(places), atol=1e-14)
    np.testing.assert_allclose(posterior, KernelKNN(K, Linear()).fit(X, t).predict_proba(places), atol=1e-14)


def test_radius_volume_and_counts():
    X, t, places = data()
    balls = grown_balls(X, places, 5)
    distances, indices = NearestNeighbors(n_neighbors=5).fit(X).kneighbors(places)
    np.testing.assert_allclose(balls.radius, distances[:, -1], rtol=1e-12)
    np.testing.assert_allclose(balls.volume, math.pi * distances[:, -1] ** 2, rtol=1e-12)
    np.testing.assert_array_equal(balls.inside.sum(axis=1), 5)
    counts = [np.bincount(t[row], minlength=3) for row in indices]
    np.testing.assert_array_equal(balls.counts(t, 3), counts)
    assert grown_balls([[0.0], [3.0]], [[1.0]], 2).volume == pytest.approx([4])  # an interval, from -1 to 3
    np.testing.assert_allclose(grown_balls(np.eye(3), [[0.0] * 3], 3).volume, 4 / 3 * math.pi)


def test_bayes_rule_with_densities_and_priors_gives_the_vote():
    """(14.79) times (14.80), normalised, is (14.81): the volume cancels."""
    X, t, places = data()
    balls = grown_balls(X, places, 8)
    priors = np.bincount(t) / len(t)
    joint = balls.densities(t, 3) * priors
    np.testing.assert_allclose(joint / joint.sum(axis=1, keepdims=True), balls.posterior(t, 3), rtol=1e-12)
    np.testing.assert_allclose(joint.sum(axis=1), 8 / (60 * balls.volume), rtol=1e-12)  # p(x) = K / (N V)


def test_the_density_of_neighbours_is_none():
    """From a radius R to 10 R the integral of K / (N V(x)) grows by 2 K / N ln 10, however large R is: it diverges."""
    X, _, _ = data()
    K, N = 5, 60
    angle = np.linspace(0, 2 * np.pi, 73)[:-1]
    direction = np.column_stack([np.cos(angle), np.sin(angle)])

    def integral(low, high):  # over a ring, in polar coordinates; ln r is the variable
        log_r = np.linspace(np.log(low), np.log(high), 400)
        r = np.exp(log_r)
        places = (r[:, None, None] * direction).reshape(-1, 2)
        p = K / (N * grown_balls(X, places, K).volume.reshape(len(r), -1))
        return np.trapezoid(2 * np.pi * r**2 * p.mean(axis=1), log_r)

    growth = 2 * K / N * math.log(10)
    assert integral(1e2, 1e3) == pytest.approx(growth, rel=0.02)
    assert integral(1e5, 1e6) == pytest.approx(growth, rel=1e-4)


def test_a_point_that_is_its_own_ball():
    balls = grown_balls([[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.0]], 1)
    assert balls.radius == [0]
    np.testing.assert_array_equal(balls.densities([0, 1], 3), [[np.inf, 0, 0]])
    np.testing.assert_array_equal(balls.posterior([0, 1], 3), [[1, 0, 0]])
