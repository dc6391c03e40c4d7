"""The decisions are those of scikit-learn's wrappers and of DAGSVM around the same machines."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier

from sparsekm_edu import DAGSVM, SVC, Gaussian, datasets
from sparsekm_edu.lessons import voting


def data(name):
    if name == "four":
        return datasets.around([(0, 1), (1, 0), (-1, 0), (0, -1)], n=80, spread=0.9)
    X, y = {"iris": load_iris, "wine": load_wine}[name](return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y.astype(float)


MACHINE = SVC(C=2.0, kernel=Gaussian(gamma=0.5))
EVERY = pytest.mark.parametrize("name", ["four", "iris", "wine"])


def fresh(X):
    """Points far and near."""
    return np.random.default_rng(0).normal(size=(500, X.shape[1])) * 2 * X.std(axis=0)


@EVERY
def test_largest_output_is_one_versus_the_rest(name):
    X, y = data(name)
    new, model = fresh(X), OneVsRestClassifier(MACHINE).fit(X, y)
    Y = np.array(
        [SVC(C=2.0, kernel=Gaussian(0.5)).fit(X, y == k).decision_function(new) for k in model.classes_]
    )
    np.testing.assert_array_equal(voting.largest(Y), model.predict(new))


def pairs(X, y, new):
    K = len(np.unique(y))
    parts = [np.isin(y, pair) for pair in combinations(range(K), 2)]
    return K, np.array(
        [SVC(C=2.0, kernel=Gaussian(0.5)).fit(X[p], y[p]).decision_function(new) for p in parts]
    )


@EVERY
def test_votes_are_one_versus_one(name):
    X, y = data(name)
    new = fresh(X)
    K, Y = pairs(X, y, new)
    np.testing.assert_array_equal(voting.most_votes(Y, K), OneVsOneClassifier(MACHINE).fit(X, y).predict(new))
    assert np.all(voting.votes(Y, K).sum(axis=0) == K * (K - 1) // 2)


@EVERY
def test_the_tournament_is_dagsvm(name):
    X, y = data(name)
    new = fresh(X)
    K, Y = pairs(X, y, new)
    np.testing.assert_array_equal(voting.tournament(Y, K), DAGSVM(MACHINE).fit(X, y).predict(new))


def test_codewords_are_those_of_scikit_learn():
    X, y = data("four")
    new = fresh(X)
    model = OutputCodeClassifier(MACHINE, code_size=2.0, random_state=3).fit(X, y)
    Y = np.array([machine.decision_function(new) for machine in model.estimators_])
    np.testing.assert_array_equal(voting.nearest_codeword(Y, model.code_book_), model.predict(new))


def test_a_code_of_one_column_per_class_is_the_largest_output():
    """|Y - word_k|^2 differs between the classes by -4 y_k only."""
    Y = np.random.default_rng(0).normal(size=(5, 300))
    np.testing.assert_array_equal(voting.nearest_codeword(Y, 2 * np.eye(5) - 1), voting.largest(Y))


def test_a_circle_of_three_is_a_tie_for_votes_but_not_for_the_tournament():
    """0 beats 1, 1 beats 2, 2 beats 0: the tournament hears 0 against 2 first, then 1 against 2."""
    Y = np.array([-1.0, 0.5, -1.0])
    assert voting.votes(Y, 3).tolist() == [1, 1, 1]
    assert voting.tournament(Y, 3) == 1
    assert voting.most_votes(Y, 3) == 0  # sums: 1 - 0.5, -1 + 1, 0.5 - 1
