"""The Gram matrix of a dual problem: given as an array, or computed row by row as a solver asks for it.

A solver that ends with few support vectors never looks at most rows of K; and where N^2 numbers are more than the
memory holds, rows are all that can be kept of it, and not all of them either. `Gram(diagonal, rows)` computes a row
when it is asked for, and keeps those that were asked for last.
"""

import numpy as np

from sparsekm_edu.jit import plain

CACHE_MB = (
    400  # for the rows that are kept: a fit to 20 000 points, Python and all libraries included, takes 1 GB
)
BLOCK = 2_000_000  # numbers to compute at a time


class Gram:
    """A symmetric (N, N) matrix whose rows are computed on demand; those used last are kept, as many as there is room.

    Parameters: diagonal (N,); rows, a function that takes k indices and returns those rows of K, (k, N); cache_mb, how
    many megabytes of rows to keep, one row at least. `matrix()` computes what is missing, and then all of K is there.
    """

    def __init__(self, diagonal, rows, cache_mb=CACHE_MB):
        self._diagonal = plain(diagonal)
        self._compute = rows
        self._matrix = None
        N = len(self._diagonal)
        n_places = min(N, max(1, int(1e6 * cache_mb) // (8 * N)))
        self._kept = np.empty((n_places, N))  # takes up no memory before it is written to
        self._row_at = np.full(n_places, -1)  # which row stands at each place
        self._place_of = np.full(N, -1)  # and where each row stands, -1 if it is not kept
        self._last_use = np.zeros(n_places, dtype=int)
        self._clock = 0

    @classmethod
    def of_matrix(cls, K):
        """A Gram matrix that is there already, (N, N), and known to be one; `as_gram` takes any array.

        A large K is not copied without need (see `plain`): who writes into it later has another problem, all of it.
        """
        gram = cls.__new__(cls)
        gram._matrix = plain(K)
        return gram

    def __len__(self):
        return len(self._diagonal if self._matrix is None else self._matrix)

    @property
    def diagonal(self):
        """K_nn, (N,), to be read; a view of K where all of it is there, as K may be written into."""
        return self._diagonal if self._matrix is None else np.diagonal(self._matrix)

    @property
    def n_kept(self):
        """How many rows can be kept."""
        return len(self._kept if self._matrix is None else self._matrix)

    def matrix(self):
        """All of K, (N, N)."""
        if self._matrix is None:
            K = np.empty((len(self), len(self)))
            known, missing = self._place_of >= 0, np.flatnonzero(self._place_of < 0)
            K[known] = self._kept[self._place_of[known]]
            self._fill(K, missing, missing)
            self._matrix = K
            del self._kept, self._row_at, self._place_of, self._last_use
        return self._matrix

    def part(self, rows, columns):
        """The entries K_nm of rows n (R,) and columns m (M,), (R, M)."""
        K_part = np.empty((len(rows), len(columns)))
        for batch, store, places in self._batches(rows):
            K_part[batch] = store[np.ix_(places, columns)]
        return K_part

    def times(self, v):
        """K v, (N,), from the rows where v is not zero."""
        if self._matrix is not None:
            return self._matrix @ v
        product, support = np.zeros(len(self)), np.flatnonzero(v)
        for batch, store, places in self._batches(support):
            for n, place in zip(support[batch], places, strict=True):  # to pick out all rows would copy them
                product += v[n] * store[place]
        return product

    def squared_extent(self):
        """The largest squared distance from the first point in feature space."""
        ((_, store, (place,)),) = self._batches(np.array([0]))
        return float(np.max(self.diagonal - 2.0 * store[place] + store[place, 0]))

    def _batches(self, rows):
        """The rows (R,), as many at a time as are kept: which ones, a slice; an array; and their places in it, (k,)."""
        for start in range(0, len(rows), self.n_kept):
            batch = slice(start, start + self.n_kept)
            if self._matrix is None:
                yield batch, self._kept, self._places(rows[batch])
            else:
                yield batch, self._matrix, rows[batch]

    def _places(self, rows):
        """Where these rows (R,) are kept, (R,); those missing are computed first, and the least recently used leave."""
        self._clock += 1
        place = self._place_of[rows]
        self._last_use[place[place >= 0]] = self._clock  # so that none of these leaves
        missing = np.unique(rows[place < 0])
        if len(missing):
            places = np.argsort(self._last_use, kind="stable")[: len(missing)]
            leaving = self._row_at[places]
            self._place_of[leaving[leaving >= 0]] = -1
            self._row_at[places] = -1
            self._fill(self._kept, places, missing)
            self._row_at[places], self._place_of[missing] = missing, places
            self._last_use[places] = self._clock
        return self._place_of[rows]

    def _fill(self, store, places, rows):
        """Compute rows (R,) of K into the places (R,) of an array; a few at a time, as each is there twice by then."""
        step = max(1, BLOCK // len(self))
        for start in range(0, len(rows), step):
            some, there = rows[start : start + step], places[start : start + step]
            computed = self._compute(some)
            if not np.isfinite(computed).all():
                raise ValueError("K must be finite, got NaN or infinity.")
            store[there] = computed
            store[there, some] = self._diagonal[some]


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
