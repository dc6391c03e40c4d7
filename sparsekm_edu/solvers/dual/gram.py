"""The Gram matrix of a dual problem: given as an array, or computed row by row as a solver asks for it.

A solver that ends with few support vectors never looks at most rows of K, and on large data computing K is most
of the work. `Gram(diagonal, rows)` leaves a row uncomputed until it is first needed.
"""

import numpy as np

from sparsekm_edu.jit import plain


class Gram:
    """A symmetric (N, N) matrix whose rows are computed on demand and kept.

    Parameters: diagonal (N,); rows, a function that takes k indices and returns those rows of K, (k, N).
    Attributes: K (N, N), of which only the rows where known (N,) is true hold numbers; diagonal (N,).
    """

    def __init__(self, diagonal, rows):
        self._diagonal = plain(diagonal)
        self._compute = rows
        self.K = np.empty((len(self._diagonal),) * 2)  # takes up no memory before it is written to
        self.known = np.zeros(len(self._diagonal), dtype=bool)
        self.n_known = 0

    @classmethod
    def of_matrix(cls, K):
        """A Gram matrix that is there already, (N, N), and known to be one; `as_gram` takes any array.

        A large K is not copied without need (see `plain`): who writes into it later has another problem, all of it.
        """
        gram = cls.__new__(cls)
        gram.K = plain(K)
        gram.known, gram.n_known = np.ones(len(K), dtype=bool), len(K)
        return gram

    def __len__(self):
        return len(self.K)

    @property
    def diagonal(self):
        """K_nn, (N,), to be read; a view of K where all of it is known, as K may be written into."""
        return np.diagonal(self.K) if self.complete else self._diagonal

    @property
    def complete(self):
        """True once every row is known."""
        return self.n_known == len(self)

    def fetch(self, indices):
        """Make sure that these rows are known."""
        if self.complete:
            return
        missing = np.unique(indices[~self.known[indices]])
        if len(missing):
            rows = self._compute(missing)
            if not np.isfinite(rows).all():
                raise ValueError("K must be finite, got NaN or infinity.")
            self.K[missing] = rows
            self.K[missing, missing] = self._diagonal[missing]
            self.known[missing] = True
            self.n_known += len(missing)

    def matrix(self):
        """All of K, (N, N)."""
        if not self.complete:
            self.fetch(np.arange(len(self)))
        return self.K

    def times(self, v):
        """K v, (N,), from the rows where v is not zero."""
        support = np.flatnonzero(v)
        self.fetch(support)
        if self.complete:
            return self.K @ v
        product = np.zeros(len(self))
        for n in support:  # row by row: picking them out first would copy them
            product += v[n] * self.K[n]
        return product

    def squared_extent(self):
        """The largest squared distance from the first point in feature space."""
        self.fetch(np.array([0]))
        return float(np.max(self.diagonal - 2.0 * self.K[0] + self.K[0, 0]))

    def twice(self):
        """[[K, K], [K, K]], for problems with two variables per point."""
        N = len(self)
        if self.complete:
            return Gram.of_matrix(np.tile(self.K, (2, 2)))

        def rows(indices):
            self.fetch(indices % N)
            return np.tile(self.K[indices % N], 2)

        return Gram(np.tile(self.diagonal, 2), rows)


def as_gram(K):
    """A Gram matrix from what users have: a Gram, or an array, which must be square, finite and symmetric."""
    return K if isinstance(K, Gram) else Gram.of_matrix(_checked(K))


def _checked(K):
    """K as a C-ordered float64 array: square, finite, symmetric to 1e-10 of its largest entry."""
    K = plain(K)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or len(K) == 0:
        raise ValueError(f"K must be a square matrix, got shape {K.shape}.")
    largest = max(K.max(), -K.min())  # nan if K holds nan
    if not np.isfinite(largest):
        raise ValueError("K must be finite, got NaN or infinity.")
    block = 128  # block by block: reading a large matrix along its columns is slow
    for start in range(0, len(K), block):
        rows, rest = slice(start, start + block), slice(start, None)
        difference = K[rows, rest] - K[rest, rows].T
        asymmetry = max(difference.max(), -difference.min())
        if asymmetry > 1e-10 * largest:
            raise ValueError(
                f"K must be symmetric, to 1e-10 of its largest entry, got a difference of {asymmetry:g}."
            )
    return K
