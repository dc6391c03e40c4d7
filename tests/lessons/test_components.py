"""Neighbours and clusters of components, against scikit-learn and one-way analysis of variance."""

import numpy as np
from scipy.stats import f_oneway
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from sparsekm_edu.lessons.components import between_clusters, neighbours_disagree, rightwards


def test_neighbours_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    for dimensions in (1, 2, 12):
        Z, t = 10 + rng.normal(size=(60, dimensions)), rng.integers(0, 3, 60)
        right = cross_val_score(KNeighborsClassifier(1), Z, t, cv=LeaveOneOut())
        np.testing.assert_array_equal(neighbours_disagree(Z, t), right == 0)


def test_between_clusters_is_what_the_f_test_compares():
    rng = np.random.default_rng(1)
    t = np.repeat([0, 1, 2], (10, 15, 20))
    Z = rng.normal(size=(45, 4)) + np.outer(t, [0, 0.5, 2, 100])
    shares = between_clusters(Z, t)
    F = f_oneway(*(Z[t == kind] for kind in range(3))).statistic
    np.testing.assert_allclose(shares / (1 - shares) * (45 - 3) / (3 - 1), F)
    assert shares[-1] > 0.999


def test_components_grow_with_x_wherever_they_are_asked_for():
    rng = np.random.default_rng(2)
    x, Z, there = rng.normal(size=30), rng.normal(size=(30, 5)), rng.normal(size=(7, 5))
    turned, elsewhere = rightwards(x, Z, there)
    assert (np.cov(x, turned.T)[0, 1:] > 0).all()
    np.testing.assert_array_equal(np.sign(turned[0] / Z[0]), np.sign(elsewhere[0] / there[0]))
    np.testing.assert_array_equal(np.abs(elsewhere), np.abs(there))


def test_between_clusters_of_nothing_and_of_one_cluster():
    np.testing.assert_array_equal(between_clusters([(1, 2), (1, 5)], [0, 1]), [0, 1])
    np.testing.assert_array_equal(between_clusters([(1, 2), (3, 5)], [0, 0]), [0, 0])
