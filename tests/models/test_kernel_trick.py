"""Nearest neighbours by kernels: those of scikit-learn where the feature space is known; and those of strings."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from sparsekm_edu.kernels import Function, Gaussian, Linear, Polynomial
from sparsekm_edu.kernels.features import second_order
from sparsekm_edu.models import KernelKNN


def data(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.array(["a", "b", "c"])[rng.integers(3, size=n)], rng.normal(size=(40, 2))


@pytest.mark.parametrize("n_neighbors", [1, 4, 60])
@pytest.mark.parametrize(
    ("kernel", "features"),
    [(Linear(), np.copy), (Polynomial(degree=2), second_order), (Gaussian(0.7), np.copy)],
    ids=[
        "linear",
        "second order",
        "gaussian",
    ],  # the Gaussian falls with the distance: the neighbours are the same
)
def test_neighbours_in_feature_space(kernel, features, n_neighbors):
    X, y, new = data()
    ours = KernelKNN(n_neighbors, kernel).fit(X, y)
    theirs = KNeighborsClassifier(n_neighbors).fit(features(X), y)
    np.testing.assert_array_equal(ours.kneighbors(new), theirs.kneighbors(features(new))[1])
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(features(new)))
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(features(new)))


def test_a_matrix_of_kernel_values_does_as_well():
    X, y, new = data()
    by_matrix = KernelKNN(3, "precomputed").fit(Polynomial()(X), y)
    np.testing.assert_array_equal(
        by_matrix.predict(Polynomial()(new, X)), KernelKNN(3, Polynomial()).fit(X, y).predict(new)
    )
    with pytest.raises(ValueError, match=r"must be a square matrix, got shape \(40, 60\)"):
        KernelKNN(kernel="precomputed").fit(Polynomial()(new, X), y[:40])


def test_who_wins_a_tie():
    model = KernelKNN(2, Linear()).fit([[0.0], [2.0], [2.0]], ["late", "early", "late"])
    assert model.kneighbors([[1.0]]).tolist() == [[0, 1]]  # three are at distance 1: the first two count
    assert model.predict([[1.0]]) == ["early"]  # one vote each: first in classes_


def test_neighbours_of_strings():
    common_letters = Function(
        lambda X, Z: np.array([[len(set(x) & set(z)) for z in Z] for x in X], dtype=float), takes="strings"
    )
    model = KernelKNN(kernel=common_letters).fit(["abc", "xyz"], [0, 1])
    assert model.predict(["bca", "yx"]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("n_neighbors", "sentence"),
    [
        (0, "n_neighbors must be a whole number >= 1, got 0"),
        (61, "n_neighbors must be at most n_samples = 60, got 61"),
    ],
)
def test_impossible_numbers_of_neighbours(n_neighbors, sentence):
    X, y, _ = data()
    with pytest.raises(ValueError, match=sentence):
        KernelKNN(n_neighbors).fit(X, y)
