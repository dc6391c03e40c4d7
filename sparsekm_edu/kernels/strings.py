"""Kernels on strings: how often what stands in one stands in the other, (14.22).

A letter is whatever a Python string is made of; upper and lower case are two letters. The empty string is an input like
others: it shares nothing with anybody, not even with itself, k(x, x) = 0.
"""

import numpy as np
from scipy.sparse import csr_array

from sparsekm_edu.jit import jit
from sparsekm_edu.kernels import _automaton
from sparsekm_edu.kernels.base import Kernel
from sparsekm_edu.kernels.inputs import strings
from sparsekm_edu.validation import real_number, whole_number


class Spectrum(Kernel):
    """k(x, x') = sum of phi_s(x) phi_s(x') over all strings s of k letters: (14.22) with w_s = 1 for |s| = k, else 0.

    phi_s(x) counts how often s stands in x, overlaps included. k = 1 is the bag of characters. A string of fewer than k
    letters shares nothing with anybody.

    >>> from sparsekm_edu import Spectrum
    >>> print(Spectrum(k=3)(["ananas", "banana"]))  # ana twice and nan once in both; nas and ban stand alone
    [[6. 5.]
     [5. 6.]]
    """

    takes = "strings"

    def __init__(self, k=3):
        self.k = k

    def __call__(self, X, Z=None):
        X = strings(X)
        if Z is None:
            counts = self._counts(X)
            return _products(counts, counts)
        counts = self._counts(np.concatenate([X, strings(Z, "Z")]))
        return _products(counts[: len(X)], counts[len(X) :])

    def diag(self, X):
        counts = self._counts(strings(X))
        return counts.power(2).sum(axis=1)

    def _counts(self, X):
        """phi_s(x_n), (N, S), sparse, for the S substrings s of k letters that there are in N strings."""
        k = whole_number("k", self.k, at_least=1)
        letters, start = _letters(X)
        windows = np.maximum(np.diff(start) - k + 1, 0)  # of k letters, in each string
        rows = np.concatenate([[0], np.cumsum(windows)])
        if rows[-1] == 0:
            return csr_array((len(X), 0))
        first = np.arange(rows[-1]) + np.repeat(start[:-1] - rows[:-1], windows)  # letter of each window
        columns, S = _numbered(_pieces(letters, k)[first])
        counts = csr_array((np.ones(len(columns)), columns, rows), shape=(len(X), S))
        counts.sum_duplicates()
        return counts


class AllSubstrings(Kernel):
    """k(x, x') = sum of decay^|s| phi_s(x) phi_s(x') over all non-empty strings s: (14.22) with w_s = decay^|s|.

    phi_s(x) counts how often s stands in x, overlaps included. A decay near 0 looks at single letters; decay = 1 counts
    all pairs of equal substrings, of any length. A decay above 1 is refused: decay^|s| would overflow on long strings.
    The book's sum has the empty string, too, which stands D + 1 times in D letters; it tells only how long the strings
    are, and is left out.

    The time is linear in the lengths of x and x', by a suffix automaton (kernels/_automaton.py).

    >>> from sparsekm_edu import AllSubstrings
    >>> print(AllSubstrings(decay=1.0)(["ab", "abb"]))  # in common: a, b and ab; b stands twice in abb
    [[3. 4.]
     [4. 8.]]
    """

    takes = "strings"

    def __init__(self, decay=0.5):
        self.decay = decay

    def __call__(self, X, Z=None):
        letters, start = _letters(strings(X))
        other = (letters, start) if Z is None else _letters(strings(Z, "Z"))
        return _automaton.gram(letters, start, *other, self._sums(start), Z is None)

    def diag(self, X):
        letters, start = _letters(strings(X))
        return _automaton.diagonal(letters, start, self._sums(start))

    def _sums(self, start):
        """decay + decay^2 + ... + decay^l for all l up to the length of the longest string."""
        decay = real_number("decay", self.decay, above=0, at_most=1)
        lengths = np.arange(np.diff(start).max(initial=0) + 1.0)
        if decay == 1:
            return lengths
        power = np.log(decay) if decay < 0.5 else np.log1p(decay - 1)  # 1 - decay has all its digits
        return decay / (1 - decay) * -np.expm1(lengths * power)


def _letters(X):
    """The letters of all strings X (N,) as whole numbers, one after the other; where each begins, and the end (N + 1,).

    Numbers are those of Unicode, which knows half letters, too: "surrogates", as broken files have them.
    """
    code = "".join(X).encode("utf-32-le", "surrogatepass")
    letters = np.frombuffer(code, dtype="<u4").astype(np.int64)
    return letters, np.cumsum([0, *map(len, X)], dtype=np.int64)


def _pieces(letters, k):
    """A number for the k letters that begin at each place, (n - k + 1,): equal numbers stand for equal pieces.

    Two pieces, which may overlap, make a longer one. So the length doubles until it is k, and since pieces are numbered
    afresh each time, the numbers of pairs never get larger than n^2: exact, with no alphabet too large.
    """
    pieces, length = letters, 1
    while length < k:
        pieces, many = _numbered(pieces)
        step = min(length, k - length)
        pieces = pieces[:-step] * many + pieces[step:]
        length += step
    return pieces


def _numbered(codes):
    """0, 1, ... in place of whole numbers >= 0, (n,), n > 0, equal where they are equal; and how many they are."""
    largest = codes.max()
    if largest > 4 * len(codes) + 10000:
        known, numbers = np.unique(codes, return_inverse=True)
        return numbers, len(known)
    there = np.zeros(largest + 1, dtype=bool)  # a table is quicker than sorting
    there[codes] = True
    number = np.cumsum(there) - 1
    return number[codes], number[-1] + 1


def _products(left, right):
    """left @ right', dense; for sparse counts of N and of M strings."""
    if left.nnz + right.nnz > 0.2 * left.shape[1] * (left.shape[0] + right.shape[0]):
        return left.toarray() @ right.toarray().T  # zeros are quicker multiplied than skipped
    K = np.zeros((left.shape[0], right.shape[0]))
    _add_products(*_arrays(left), *_arrays(right.tocsc()), K)
    return K


def _arrays(counts):
    """Where its rows, or columns, begin; the other index of every entry; the entries. Always of the same types."""
    return counts.indptr.astype(np.int64), counts.indices.astype(np.int64), counts.data


@jit
def _add_products(row_start, columns, counts, column_start, rows, others, K):
    """K[n, m] += sum_s counts[n, s] others[m, s], from rows of the first and columns of the second."""
    for n in range(len(K)):
        for place in range(row_start[n], row_start[n + 1]):
            s = columns[place]
            for other in range(column_start[s], column_start[s + 1]):
                K[n, rows[other]] += counts[place] * others[other]
