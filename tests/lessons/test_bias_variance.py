"""Bias and variance of a linear smoother, beside many draws; leave-one-out residuals, beside leaving points out."""

import numpy as np
import pytest

from sparsekm_edu import LocallyWeightedRegression, NadarayaWatson, datasets
from sparsekm_edu.lessons.bias_variance import bias_and_variance, without_the_point

SMOOTHERS = pytest.mark.parametrize("smoother", [NadarayaWatson, LocallyWeightedRegression])


@SMOOTHERS
def test_closed_forms_are_mean_and_variance_over_many_draws(smoother):
    X, _ = datasets.rising_wave(30)
    x = np.linspace(0, 100, 11)
    at_points, truth = datasets.rising_curve(X[:, 0]), datasets.rising_curve(x)
    W = smoother(5.0).fit(X, at_points).weights(x[:, None])
    bias, variance = bias_and_variance(W, at_points, truth, noise=0.4)
    S = 40_000
    draws = W @ (at_points[:, None] + 0.4 * np.random.default_rng(0).normal(size=(30, S)))
    sd = np.sqrt(variance)
    assert np.all(np.abs(draws.mean(axis=1) - truth - bias) < 4.5 * sd / np.sqrt(S))
    np.testing.assert_allclose(draws.var(axis=1), variance, rtol=4.5 * np.sqrt(2 / S))
    error = np.mean((draws - truth[:, None]) ** 2, axis=1)
    np.testing.assert_allclose(error, bias**2 + variance, rtol=0.05)


def test_the_local_line_has_no_bias_on_a_straight_line_and_the_constant_has():
    X, _ = datasets.rising_wave(40)
    x = np.linspace(0, 100, 21)
    for smoother, least, most in ((NadarayaWatson, 0.1, np.inf), (LocallyWeightedRegression, 0.0, 1e-10)):
        W = smoother(8.0).fit(X, X[:, 0]).weights(x[:, None])
        bias, _ = bias_and_variance(W, 3 - 2 * X[:, 0], 3 - 2 * x, noise=1.0)
        assert least <= abs(bias[0]) <= most
        assert least <= abs(bias[-1]) <= most


@SMOOTHERS
@pytest.mark.parametrize("window", ["gaussian", "epanechnikov"])
def test_residuals_without_the_point_are_those_of_refits(smoother, window):
    X, t = datasets.rising_wave(25, seed=2)
    W = smoother(20.0, window).fit(X, t).weights(X)
    refits = [
        t[n] - smoother(20.0, window).fit(np.delete(X, n, 0), np.delete(t, n)).predict(X[n : n + 1])[0]
        for n in range(25)
    ]
    np.testing.assert_allclose(without_the_point(W, t), refits, atol=1e-10)
    both = without_the_point(W, np.column_stack([t, 2 * t]))
    np.testing.assert_allclose(both, np.column_stack([refits, np.multiply(2, refits)]), atol=1e-10)


def test_a_point_alone_in_its_window_has_no_residual():
    W = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.5, 0.5]])
    np.testing.assert_array_equal(without_the_point(W, np.array([7.0, 1.0, 3.0])), [np.inf, -2.0, 2.0])
