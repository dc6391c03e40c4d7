"""The winner's score, alive: the readout against loops over the same noise, and against theory."""

import numpy as np
import pytest
from scipy.stats import binom, norm
from sklearn.neighbors import NearestCentroid

from sparsekm_edu.explorers.kernels.optimism import DRAWS, noise
from sparsekm_edu.lessons.optimism import least_of_binomials


def percent(text):
    return float(text.removesuffix("%")) / 100


def test_optimism_shows_the_scores_of_nearest_means_on_one_feature_each(make):
    explorer = make("optimism", candidates=7, n=12, folds=3, error=0.3, draw=4)
    half = -norm.ppf(0.3)
    X = np.vstack([noise()[3, 0, :12, :7] - half, noise()[3, 1, :12, :7] + half]).astype(float)
    t, fold = np.repeat([-1, 1], 12), np.tile(np.arange(12) % 3, 2)
    wrong = np.zeros(7)
    for j in range(7):
        for k in range(3):
            model = NearestCentroid().fit(X[fold != k][:, [j]], t[fold != k])
            wrong[j] += np.sum(model.predict(X[fold == k][:, [j]]) != t[fold == k])
    picture = explorer.picture
    np.testing.assert_allclose(picture.scores, wrong / 24)
    assert percent(picture.facts["this draw: winner's score"]) == pytest.approx(wrong.min() / 24, abs=6e-4)
    chosen = NearestCentroid().fit(X[:, [wrong.argmin()]], t)
    middle = chosen.centroids_.mean()
    assert chosen.centroids_[1] > chosen.centroids_[0]
    true = (norm.sf(middle, -half) + norm.cdf(middle, half)) / 2
    assert picture.runs[2, 3] == pytest.approx(true, abs=1e-6)
    np.testing.assert_allclose(picture.coins, 7 * binom.pmf(np.arange(25), 24, 0.3))


def test_optimism_of_coin_tosses_the_truth_is_one_half_the_winner_promises_less_nested_does_not(make):
    explorer = make("optimism", candidates=400, n=30)
    winner, nested, true = explorer.picture.runs
    np.testing.assert_allclose(true, 0.5, atol=1e-12)
    assert winner.max() < 0.42
    assert nested.mean() == pytest.approx(0.5, abs=4 * nested.std() / np.sqrt(DRAWS))
    coins = least_of_binomials(400, 60, 0.5) / 60
    assert explorer.picture.facts["best of as many coins"] == f"{coins:.1%}"
    assert winner.mean() == pytest.approx(coins, abs=0.03)


def test_optimism_grows_with_candidates_and_shrinks_with_points(make):
    explorer = make("optimism")
    means = []
    for candidates in (1, 10, 100, 400):
        explorer.set(candidates=candidates)
        means.append(explorer.picture.runs[0].mean())
    assert means == sorted(means, reverse=True)
    assert means[0] == pytest.approx(0.5, abs=0.04)
    explorer.set(n=100)
    assert explorer.picture.runs[0].mean() > means[-1] + 0.05


def test_optimism_with_one_candidate_nested_is_plain_cross_validation(make):
    winner, nested, _ = make("optimism", candidates=1, error=0.2).picture.runs
    np.testing.assert_array_equal(winner, nested)


def test_optimism_draw_again_goes_round(make):
    explorer = make("optimism", draw=DRAWS)
    before = explorer.picture.runs
    explorer.draw_again()
    assert explorer.state.draw == 1
    np.testing.assert_array_equal(explorer.picture.runs, before)
