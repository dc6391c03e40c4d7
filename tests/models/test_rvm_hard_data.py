"""Data on which a greedy search ended too early once: the fast schedule must not fall far behind re-estimation."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.models.rvm import RVC, RVR
from sparsekm_edu.solvers.bayes.sequential.schedules import sequential


@pytest.mark.parametrize("gamma", [0.03, 0.01])
@pytest.mark.parametrize("seed", range(5))
def test_classes_that_only_differences_of_wide_kernels_tell_apart(seed, gamma):
    """Next to an empty model no single kernel is worth its weight; two of them separate the classes."""
    X = np.random.default_rng(seed).normal(size=(60, 2))
    y = X[:, 0] > 0
    model = RVC(kernel=Gaussian(gamma)).fit(X, y)
    assert model.score(X, y) > 0.95
    assert model.log_evidence_ > -13  # 60 ln 2 = 41.6 for coin tosses


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("n", "periods"), [(80, 3), (200, 5)])
def test_splines_that_are_nearly_collinear(seed, n, periods):
    """A wave of several periods from functions that hardly bend: it takes many at once, and all their digits."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 6, (n, 1))
    t = np.sin(periods * x[:, 0]) + 0.1 * rng.normal(size=n)
    model = RVR(kernel="spline").fit(x, t)
    assert model.score(x, t) > 0.97
    best = RVR(kernel="spline", method="reestimate").fit(x, t).log_evidence_
    assert model.log_evidence_ > best - 2.0


@pytest.mark.parametrize("seed", range(3))
def test_no_noise_at_all(seed):
    """beta goes to its limit: the members are nearly collinear, and least squares needs orthogonal factors."""
    x = np.random.default_rng(seed).uniform(-3, 3, (100, 1))
    t = np.sin(5 * x[:, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = RVR(kernel=Gaussian(1.0)).fit(x, t)
    assert np.abs(model.predict(x) - t).max() < 0.01
    assert model.n_relevance_ < 30


def test_a_large_offset():
    x = np.linspace(-10, 10, 60)[:, None]
    noise = 0.1 * np.random.default_rng(0).normal(size=60)
    for offset in (0.0, 1e3, 1e6):
        mean = RVR(kernel=Gaussian(0.3)).fit(x, np.sin(x[:, 0]) + noise + offset).predict(x)
        assert np.abs(mean - offset - np.sin(x[:, 0])).max() < 0.2


def test_a_search_that_is_cut_short_keeps_the_best_that_it_had():
    """Reheating goes through worse models on its way to a better one; max_iter must not end it there."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-3, 3, (60, 1))
    Phi, t = Gaussian(1.0)(x), np.sinc(x[:, 0]) + 0.1 * rng.normal(size=60)
    heights = []
    for max_iter in range(1, sequential(Phi, t).n_iter + 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            solution = sequential(Phi, t, max_iter=max_iter)
        assert solution.n_iter <= max_iter
        heights.append(solution.log_evidence)
    first = int(np.argmax(np.array(heights) > heights[-1] - 3.0))  # a first climb has ended
    assert first < len(heights) / 2
    assert np.all(np.diff(heights[first:]) > -0.3)  # settled or not, but never back in the heat


def test_members_do_not_swing_to_and_fro_in_classification():
    """To settle for good before mode and curvature are found again made two functions trade weight for ever."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * rng.normal(size=30) > 0
    model = RVC(kernel=Gaussian(0.5)).fit(X, y)
    assert model.converged_
    assert len(model.trace_) < 2000


@pytest.mark.parametrize("width", [0.4, 0.5, 0.6])
@pytest.mark.parametrize("seed", [None, 0, 1])
def test_few_points_and_wide_kernels_do_not_end_without_noise(seed, width):
    """Ten points are fitted exactly by a few wide kernels with huge weights: a poor maximum, 3 nats or more below."""
    x, t = datasets.sinusoid(seed=seed)
    model = RVR(kernel=Gaussian(1 / (2 * width**2))).fit(x, t)
    Phi, origin = np.hstack([model.kernel(x), np.ones((10, 1))]), t.mean()
    noisy = [sequential(Phi, t - origin, beta0=beta0 / np.var(t)).log_evidence for beta0 in (1.0, 5.0)]
    assert model.log_evidence_ > max(noisy) - 0.1
    assert 1.0 < model.beta_ < 100.0


# ------------------------------------------------------------------ data that are not centred


@pytest.mark.parametrize("offset", [1.0, -3.7, 1e3, 1e6, 1e9])
@pytest.mark.parametrize("method", ["sequential", "reestimate"])
def test_targets_plus_a_constant_give_the_model_plus_that_constant(method, offset):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 1))
    t = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=60)
    model = RVR(kernel=Gaussian(1.0), method=method).fit(X, t)
    moved = RVR(kernel=Gaussian(1.0), method=method).fit(X, t + offset)
    np.testing.assert_allclose(moved.predict(X) - offset, model.predict(X), atol=1e-6)
    np.testing.assert_allclose(
        moved.predict(X, return_std=True)[1], model.predict(X, return_std=True)[1], rtol=1e-4
    )
    assert moved.log_evidence_ == pytest.approx(model.log_evidence_, abs=1e-4)


def test_targets_far_away_lose_no_more_than_their_rounding():
    """t + 1e12 keeps four digits of t: once this ended with R2 = -5e5 and said converged."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 1))
    t = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=60)
    model = RVR(kernel=Gaussian(1.0)).fit(X, t + 1e12)
    np.testing.assert_allclose(
        model.predict(X) - 1e12, RVR(kernel=Gaussian(1.0)).fit(X, t).predict(X), atol=1e-3
    )


@pytest.mark.parametrize("offset", [10.0, 1e3, 1e4, 1e5])
def test_features_far_from_zero_with_a_linear_kernel(offset):
    """All columns are alike, only their differences say anything: the same fit as centred, and the cause is named."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    t = X[:, 0] + 0.1 * rng.normal(size=100)
    centred = RVR(kernel="linear").fit(X, t)
    with warnings.catch_warnings(record=True) as complaints:
        warnings.simplefilter("always")
        model = RVR(kernel="linear").fit(X + offset, t + offset)
    assert model.score(X + offset, t + offset) == pytest.approx(centred.score(X, t), abs=1e-3)
    told = [str(one.message) for one in complaints]
    assert any("X is far from 0" in one and "Centre and scale X" in one for one in told) == (offset >= 1e3)


@pytest.mark.parametrize("value", [3.0, 1e6, -1e-3])
def test_one_point_is_predicted(value):
    with pytest.warns(UserWarning, match="y is constant") as complaints:
        model = RVR().fit([[1.0]], [value])
    assert model.predict([[1.0]])[0] == pytest.approx(value, rel=1e-12)
    assert len(complaints) == 1
