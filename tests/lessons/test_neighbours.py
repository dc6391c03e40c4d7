"""Distances from inner products, beside distances from coordinates."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from sparsekm_edu.lessons.neighbours import nearest_others, squared_distances


@pytest.mark.parametrize("seed", range(5))
def test_they_are_the_distances_of_the_features(seed):
    Phi = np.random.default_rng(seed).normal(size=(12, 4))
    squares = cdist(Phi, Phi, "sqeuclidean")
    np.testing.assert_allclose(squared_distances(Phi @ Phi.T), squares, atol=1e-12)
    np.fill_diagonal(squares, np.inf)
    np.testing.assert_array_equal(nearest_others(Phi @ Phi.T), squares.argmin(axis=1))


def test_twins_are_neighbours_of_each_other_and_the_matrix_is_left_alone():
    Phi = np.array([[1.0, 2.0], [1.0, 2.0], [5.0, 5.0]])
    K = Phi @ Phi.T
    before = K.copy()
    assert nearest_others(K).tolist() == [1, 0, 0]
    np.testing.assert_array_equal(K, before)
