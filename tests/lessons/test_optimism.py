"""The winner's score, by loops over candidates and folds, by simulation, and by integrals."""

import numpy as np
import pytest
from scipy.stats import norm, ttest_ind
from sklearn.neighbors import NearestCentroid

from sparsekm_edu.lessons.optimism import (
    best_features,
    distance_of_means,
    fold_errors,
    least_of_binomials,
    middle_and_side,
    nested_errors,
    true_error,
)


def drawn(seed, n=11, m=4, delta=0.7):
    noise = np.random.default_rng(seed).normal(size=(2, n, m))
    return noise[0] - delta / 2, noise[1] + delta / 2


def with_folds(minus, plus, n_folds):
    """All points in one array, their labels, and the fold of each."""
    fold = np.arange(len(plus)) % n_folds
    return np.vstack([minus, plus]), np.repeat([-1, 1], len(plus)), np.tile(fold, 2)


def wrong_of(j, X, t, taught, tested):
    """Errors of scikit-learn's nearest mean on feature j."""
    model = NearestCentroid().fit(X[taught][:, [j]], t[taught])
    return np.sum(model.predict(X[tested][:, [j]]) != t[tested])


@pytest.mark.parametrize("n_folds", [2, 3, 5])
def test_fold_errors_are_those_of_scikit_learn_s_nearest_mean(n_folds):
    minus, plus = drawn(n_folds)
    X, t, fold = with_folds(minus, plus, n_folds)
    expected = [[wrong_of(j, X, t, fold != k, fold == k) for j in range(4)] for k in range(n_folds)]
    np.testing.assert_array_equal(fold_errors(minus, plus, n_folds), expected)


@pytest.mark.parametrize("n_folds", [3, 5])
def test_nested_errors_choose_without_the_fold_that_judges(n_folds):
    minus, plus = drawn(n_folds + 10, m=6)
    X, t, fold = with_folds(minus, plus, n_folds)
    total = 0
    for k in range(n_folds):
        inner = [
            sum(
                wrong_of(j, X, t, (fold != k) & (fold != other), fold == other)
                for other in range(n_folds)
                if other != k
            )
            for j in range(6)
        ]
        total += wrong_of(np.argmin(inner), X, t, fold != k, fold == k)
    assert nested_errors(minus, plus, n_folds) == total


def test_several_draws_at_once_are_each_alone():
    pairs = [drawn(seed) for seed in range(3)]
    minus, plus = (np.stack(each) for each in zip(*pairs, strict=True))
    for function in (fold_errors, nested_errors):
        np.testing.assert_array_equal(function(minus, plus, 5), [function(*pair, 5) for pair in pairs])


@pytest.mark.parametrize("means", [(-0.3, 0.9), (0.6, -0.2), (0.0, 0.1)])
def test_true_error_is_the_integral_over_both_densities(means):
    middle, side = middle_and_side(*map(np.array, means))
    delta, x = 1.3, np.linspace(-9, 9, 200_001)
    called_plus = np.abs(x - means[1]) < np.abs(x - means[0])
    error = np.trapezoid(np.where(called_plus, norm.pdf(x, -delta / 2), norm.pdf(x, delta / 2)), x) / 2
    assert true_error(middle, side, delta) == pytest.approx(error, abs=1e-4)
    assert true_error(middle, side, 0.0) == pytest.approx(0.5, abs=1e-15)


@pytest.mark.parametrize("error", [0.1, 0.3, 0.5])
def test_nobody_beats_the_classifier_that_knows_the_means(error):
    delta = distance_of_means(error)
    assert true_error(0.0, 1.0, delta) == pytest.approx(error, abs=1e-12)
    assert true_error(0.2, 1.0, delta) >= error


def test_the_least_of_coins_by_hand_and_by_simulation():
    assert least_of_binomials(1, 60, 0.5) == pytest.approx(30)
    assert least_of_binomials(2, 1, 0.5) == pytest.approx(0.25)  # both must err
    assert least_of_binomials(3, 2, 0.5) == pytest.approx(0.75**3 + 0.25**3)  # P(all >= 1) + P(all = 2)
    tossed = np.random.default_rng(0).binomial(60, 0.3, size=(20_000, 50)).min(axis=1)
    assert least_of_binomials(50, 60, 0.3) == pytest.approx(
        tossed.mean(), abs=5 * tossed.std() / np.sqrt(20_000)
    )


def test_best_features_are_those_of_the_largest_t_statistic():
    rng = np.random.default_rng(4)
    X, t = rng.normal(size=(30, 50)) * rng.uniform(0.1, 10, size=50), np.where(np.arange(30) < 12, -1.0, 1.0)
    X[t > 0, 7] += 30.0
    statistic = np.abs(ttest_ind(X[t > 0], X[t < 0]).statistic)
    np.testing.assert_array_equal(best_features(X, t, 10), np.argsort(-statistic)[:10])
    assert best_features(X, t, 1) == [7]
