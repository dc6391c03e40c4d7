"""Kernels on documents: two texts are as similar as the words that they use.

A document is a string. Its words are the runs of two or more letters, digits and underscores, in lower case, as
scikit-learn's vectorizers take them: "It's Anna's 2nd goal" is it, anna, 2nd, goal. Order is forgotten: a bag of words.
"""

import math
import re
from collections import Counter

import numpy as np
from scipy import sparse

from sparsekm_edu.kernels.base import Kernel
from sparsekm_edu.kernels.inputs import strings
from sparsekm_edu.validation import shown

_WORD = re.compile(r"(?u)\b\w\w+\b")


def words(document):
    """The words of a document, in their order.

    >>> from sparsekm_edu.kernels import words
    >>> words("A cat is a cat, isn't it?")
    ['cat', 'is', 'cat', 'isn', 'it']
    """
    return _WORD.findall(document.lower())


class BagOfWords(Kernel):
    """The cosine of the angle between two documents' word counts, (14.4).

    It is simple, and has two faults: words such as "the" make everything alike, and a word said ten times counts ten
    times. `TfIdf` mends both. A document without words has the value 0 with all.

    >>> from sparsekm_edu import BagOfWords
    >>> print(BagOfWords()(["the cat sat", "the dog sat", "soup"]).round(2))
    [[1.   0.67 0.  ]
     [0.67 1.   0.  ]
     [0.   0.   1.  ]]
    """

    takes = "strings"

    def __call__(self, X, Z=None):
        """Matrix of k(x_n, z_m), (N, M), for N documents X and M documents Z; the Gram matrix of X if Z is None."""
        X = strings(X)
        weights = self._weights(X if Z is None else None)
        gram, Z = Z is None, X if Z is None else strings(Z, "Z")
        Phi_X = self._phi(X, weights)
        Phi_Z = Phi_X if gram else self._phi(Z, weights)
        columns = {}
        for phi in (*Phi_X, *Phi_Z):
            for word in phi:
                columns.setdefault(word, len(columns))
        K = (_matrix(Phi_X, columns) @ _matrix(Phi_Z, columns).T).toarray()
        if gram:
            np.fill_diagonal(K, [bool(phi) for phi in Phi_X])  # exactly 1
        return K

    def diag(self, X):
        X = strings(X)
        return np.array([float(bool(phi)) for phi in self._phi(X, self._weights(X))])

    def features(self, X):
        """The documents as vectors of length 1: for each a dictionary {word: feature}, so that k(x, z) is the sum of
        x[word] z[word] over the words of both. A document without words that count has none."""
        X = strings(X)
        return self._phi(X, self._weights(X))

    def _weights(self, X):
        """What is known of words from the documents X, if they are given: here nothing."""

    def _phi(self, X, weights):
        return [_at_length_1(self._bag(Counter(words(document)), weights)) for document in X]

    def _bag(self, counts, weights):
        """{word: number} of one document, before it is put at length 1."""
        return counts


class TfIdf(BagOfWords):
    """The cosine of the angle between two documents, rare words counting more than common ones, (14.5)-(14.8).

    Word j of document i, which is there x_ij times, counts tf(x_ij) idf(j). With the book's convention

        tf = log(1 + x_ij), (14.5),   idf = log(N / (1 + N_j)), (14.6),   N_j of the N documents having the word.

    This makes the idf of a word in all documents but one exactly 0, and that of a word in all of them log(N / (1 + N)):
    a little negative, so such a word counts a little again. In a kernel idf is squared and its sign is lost.
    convention="scikit-learn" is that of its TfidfVectorizer, tf = x_ij, idf = 1 + log((1 + N) / (1 + N_j)), at least 1.

    idf holds the dictionary {word: idf}. It is learned: `TfIdf().adapted_to(X)` is the kernel with the idf of the
    documents X. A machine takes it from the documents that it is fitted to, `TfIdf()(X)` from X. A word that is not in
    it, because no document of X has it, is ignored; a document without a word that counts has the value 0 with all.

    >>> from sparsekm_edu import TfIdf
    >>> X = ["the cat sat", "the dog sat", "the soup was hot", "the soup was cold"]
    >>> kernel = TfIdf().adapted_to(X)
    >>> {word: round(kernel.idf[word], 2) for word in ("the", "soup", "cat")}
    {'the': -0.22, 'soup': 0.29, 'cat': 0.69}
    >>> print(kernel(["hot soup"], X).round(2))
    [[0.   0.   0.9  0.13]]
    """

    def __init__(self, convention="book", idf=None):
        self.convention = convention
        self.idf = idf

    def adapted_to(self, X, weight=None):
        copy = super().adapted_to(X, weight)
        copy.idf = self._weights(strings(X), weight)
        return copy

    def _weights(self, X, weight=None):
        """idf as a dictionary, from the documents X and their weight (N,) if it is left to them."""
        if not isinstance(self.convention, str) or self.convention not in CONVENTIONS:
            names = " or ".join(map(repr, CONVENTIONS))
            raise ValueError(f"convention must be {names}, got {shown(self.convention)}.")
        if isinstance(self.idf, dict):
            return self.idf
        if self.idf is not None:
            raise ValueError(
                f"idf must be a dictionary of words and numbers, or None, got {shown(self.idf)}."
            )
        if X is None:
            raise ValueError(
                f"idf must be known for k(x, z) between data and other documents, got None; {self!r}.adapted_to(X) is "
                "the kernel with the idf of the documents X."
            )
        weight = np.ones(len(X)) if weight is None else weight
        N, N_j = float(sum(weight)), Counter()
        for document, count in zip(X, weight):
            N_j.update(dict.fromkeys(words(document), count))
        _, idf = CONVENTIONS[self.convention]
        return {word: idf(N, float(N_j[word])) for word in sorted(N_j)}

    def _bag(self, counts, idf):
        tf, _ = CONVENTIONS[self.convention]
        return {word: tf(count) * idf[word] for word, count in counts.items() if word in idf}  # (14.7)


#: tf(x_ij) and idf(N, N_j)
CONVENTIONS = {
    "book": (math.log1p, lambda N, N_j: math.log(N / (1.0 + N_j))),  # (14.5), (14.6)
    "scikit-learn": (float, lambda N, N_j: 1.0 + math.log((1.0 + N) / (1.0 + N_j))),
}


def _at_length_1(bag):
    length = math.hypot(*bag.values())  # (14.4), (14.8)
    return {word: value / length for word, value in bag.items() if value != 0.0}


def _matrix(bags, columns):
    """Dictionaries {word: number} as the rows of a sparse matrix, (N, V), columns saying where a word stands."""
    values = np.array([value for bag in bags for value in bag.values()], dtype=float)
    places = np.array([columns[word] for bag in bags for word in bag], dtype=int)
    ends = np.cumsum([0, *map(len, bags)])
    matrix = sparse.csr_array((values, places, ends), shape=(len(bags), len(columns)))
    return matrix.sorted_indices()  # k(x, z) and k(z, x) are summed in the same order
