"""Distances from inner products, beside distances from coordinates."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Normalised, Spectrum
from sparsekm_edu.lessons.neighbours import in_capitals, nearest_others, squared_distances


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


def test_pieces_that_many_share_stand_in_capitals():
    assert in_capitals("ABCDE", ["ABC", "XABCX", "CDE"], k=3, share=0.5) == "ABCde"
    assert in_capitals("ABCDE", ["ABC", "XABCX", "CDE"], k=3, share=0.3) == "ABCDE"
    assert in_capitals("ABCDE", ["ABC", "XABCX", "CDE"], k=3, share=0.7) == "abcde"
    assert in_capitals("ABCDE", ["ABXDE"], k=2, share=0.5) == "ABcDE"
    assert in_capitals("AB", ["AB"], k=3) == "ab"  # too short for a piece


def test_the_medoids_of_families_show_their_motifs():
    """Which nobody told: they are drawn as `datasets.protein_families` draws them."""
    strings, family = datasets.protein_families(n=120, families=3)
    rng = np.random.default_rng(0)
    for _ in range(3):
        rng.permutation(20)
    motifs = ["".join(datasets.AMINO_ACIDS[i] for i in rng.integers(20, size=8)) for _ in range(3)]
    squares = squared_distances(Normalised(Spectrum(3))(strings))
    for k, motif in enumerate(motifs):
        members = np.flatnonzero(family == k)
        medoid = members[squares[np.ix_(members, members)].sum(axis=0).argmin()]
        capitals = "".join(c for c in in_capitals(strings[medoid], strings[members]) if c.isupper())
        assert capitals == motif
