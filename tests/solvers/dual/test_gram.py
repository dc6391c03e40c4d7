"""Gram matrices whose rows are computed on demand: the same numbers, each row once while there is room, and no more."""

import numpy as np
import pytest

from sparsekm_edu.solvers import Gram

N = 30
K = np.random.default_rng(0).normal(size=(N, N))
K = K @ K.T
ROW_MB = 8 * N / 1e6


def watched(n_kept):
    """A Gram with room for n_kept rows, and the list of rows that it has computed."""
    computed = []

    def rows(indices):
        computed.extend(indices.tolist())
        return K[indices]

    return Gram(np.diagonal(K), rows, n_kept * ROW_MB), computed


@pytest.mark.parametrize("n_kept", [1, 4, N, 10 * N])
def test_numbers_are_those_of_the_matrix(n_kept):
    gram, _ = watched(n_kept)
    whole = Gram.of_matrix(K)
    v = np.where(np.arange(N) % 3, 0.0, np.arange(N))
    rows, columns = np.array([5, 2, 2, 29, 7, 11]), np.array([0, 29, 3])
    for _ in range(2):
        np.testing.assert_array_equal(gram.part(rows, columns), K[np.ix_(rows, columns)])
        np.testing.assert_allclose(gram.times(v), K @ v, rtol=1e-13)
        assert gram.squared_extent() == whole.squared_extent()
    np.testing.assert_array_equal(whole.part(rows, columns), K[np.ix_(rows, columns)])
    np.testing.assert_array_equal(gram.matrix(), K)
    np.testing.assert_array_equal(gram.part(rows, columns), K[np.ix_(rows, columns)])
    assert len(gram) == N


def test_no_more_rows_are_kept_than_there_is_room_for():
    for n_kept in (1, 4, N):
        gram, _ = watched(n_kept)
        assert gram.n_kept == n_kept
        gram.times(np.ones(N))
        assert gram._kept.shape == (n_kept, N)
        assert np.sum(gram._place_of >= 0) == n_kept
        np.testing.assert_array_equal(gram._kept, K[gram._row_at])
    assert watched(10 * N)[0].n_kept == N
    assert watched(0.1)[0].n_kept == 1


def test_the_least_recently_used_row_leaves():
    gram, computed = watched(3)
    everywhere = np.arange(N)
    for n in (0, 1, 2, 0):
        gram.part(np.array([n]), everywhere)
    assert computed == [0, 1, 2]
    gram.part(np.array([3]), everywhere)  # in place of 1
    gram.part(np.array([0, 2, 3]), everywhere)
    assert computed == [0, 1, 2, 3]
    gram.part(np.array([1, 3]), everywhere)  # 1 in place of 0 or 2, as 3 is wanted now
    gram.part(np.array([3]), everywhere)
    assert computed == [0, 1, 2, 3, 1]


def test_the_whole_matrix_takes_over_what_is_known():
    gram, computed = watched(N)
    gram.times(np.arange(N) < 10)
    gram.matrix()
    assert sorted(computed) == list(range(N))
    assert gram.matrix() is gram.matrix()


def test_rows_that_are_not_finite_are_refused_and_not_kept():
    def rows(indices):
        return np.where(indices[:, None] == 3, np.nan, K[indices])

    gram = Gram(np.diagonal(K), rows)
    for _ in range(2):
        with pytest.raises(ValueError, match="K must be finite"):
            gram.times(np.arange(N) == 3)
    np.testing.assert_array_equal(gram.times(np.arange(N) == 4), K[4])
