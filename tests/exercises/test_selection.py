"""Notebook 15: what its guesses hold to be true, and its worked solutions, computed in another way."""

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.model_selection import LeaveOneOut, PredefinedSplit, cross_val_score
from sklearn.svm import SVC as LIBSVM

from sparsekm_edu import datasets, exercises
from sparsekm_edu.explorers.kernels.selection import CELLS_C
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.lessons.optimism import fold_errors
from sparsekm_edu.lessons.true_error import known_mixtures
from sparsekm_edu.models import SVC, grid_search


def truth(id):
    guess = exercises.GUESSES[id]
    true = guess.truth()
    return guess.kind.told(true), guess.answer(true)


def test_15_a_the_best_price_falls_by_machines_trained_one_by_one():
    known = known_mixtures(*datasets.MIXTURE_MEANS, datasets.MIXTURE_VARIANCE)
    X, t = datasets.mixture(100)

    def best(gamma):
        errors = [known.error(SVC(C=C, kernel=Gaussian(gamma), tol=1e-8).fit(X, t)) for C in CELLS_C]
        return CELLS_C[np.argmin(errors)]

    told, answer = truth("15-a")
    assert told == "it falls"
    assert f"From {best(0.1):g} to {best(1.0):g} on our data." in answer


def test_15_b_libsvm_is_wrong_about_every_single_point():
    rng = np.random.default_rng(0)
    X, t = rng.normal(size=(60, 2)), rng.permutation(np.repeat([-1.0, 1.0], 30))
    assert cross_val_score(LIBSVM(C=0.01, gamma=1.0), X, t, cv=LeaveOneOut()).mean() == 0
    told, answer = truth("15-b")
    assert told == "100 %"
    assert "29 of 59" in answer


def test_15_c_the_winner_is_two_standard_deviations_below_one_half():
    """Another thousand draws than the explorer's, from the loops of its lesson."""
    told, answer = truth("15-c")
    promised = float(told.removesuffix(" %")) / 100
    noise = np.random.default_rng(5).normal(size=(2, 1000, 30, 100))
    scores = fold_errors(*noise, n_folds=5).sum(axis=-2) / 60
    assert f"a standard deviation of {100 * scores.std():.0f} points" in answer
    assert promised == pytest.approx(scores.min(axis=1).mean(), abs=0.01)
    assert (0.5 - promised) / scores.std() == pytest.approx(2, abs=0.25)


def test_15_d_scikit_learn_chooses_the_same_features_and_is_fooled_as_much():
    errors = []
    for seed in range(20):
        X, t = np.random.default_rng(seed).normal(size=(40, 2000)), np.tile([-1.0, 1.0], 20)
        Z = SelectKBest(f_classif, k=20).fit_transform(X, t)
        folds = PredefinedSplit(np.arange(40) // 2 % 5)
        errors.append(1 - cross_val_score(LIBSVM(kernel="linear", tol=1e-8), Z, t, cv=folds).mean())
    told, answer = truth("15-d")
    assert told == f"{100 * np.mean(errors):.0f} %"
    assert min(errors) == 0
    assert "Some draws even show 0" in answer


def test_15_e_is_told_with_the_numbers_of_the_tables():
    told, answer = truth("15-e")
    assert told == "less than 2 points"
    outside, inside = (float(part.split()[-1]) for part in answer.split(" %")[:2])
    assert abs(outside - inside) < 1


@pytest.mark.parametrize("seed", range(5))
def test_one_fold_is_that_of_libsvm(seed):
    rng = np.random.default_rng(seed)
    X, t = rng.normal(size=(30, 2)), np.tile([-1.0, 1.0], 15)
    X[t > 0] += 0.7
    out = np.arange(30) % 5 == seed
    model = LIBSVM(C=3.0, gamma=0.8, tol=1e-8).fit(X[~out], t[~out])
    error = exercises.solution("15-fold")(Gaussian(0.8)(X), t, out, 3.0)
    assert error == pytest.approx(np.mean(model.predict(X[out]) != t[out]))


@pytest.mark.parametrize("seed", range(5))
def test_one_standard_error_is_the_library_s_row(seed):
    X, t = datasets.overlapping(n=80, seed=seed)
    scores = grid_search(X, t, 2.0 ** np.arange(-3, 6), [1.0])
    row = exercises.solution("15-one-se")(scores.errors[0])
    assert scores.C[row] == scores.one_standard_error.C


@pytest.mark.parametrize(("m", "N", "p"), [(1, 60, 0.5), (20, 12, 0.3), (100, 60, 0.5)])
def test_the_least_score_by_simulation(m, N, p):
    least = np.random.default_rng(0).binomial(N, p, size=(20_000, m)).min(axis=1) / N
    exceeds = binom.sf(np.arange(N), N, p)
    assert exercises.solution("15-winner")(exceeds, m) == pytest.approx(
        least.mean(), abs=5 * least.std() / np.sqrt(20_000)
    )
