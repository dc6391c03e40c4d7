"""Neighbours in the feature space of a kernel (MLaPP 14.4.1): distances from inner products, and what strings share."""

import numpy as np


def squared_distances(K):
    """|phi(x_n) - phi(x_m)|^2 for every pair, (N, N), from the Gram matrix K (N, N).

    >>> from sparsekm_edu.lessons.neighbours import squared_distances
    >>> print(squared_distances([[9.0, 3.0], [3.0, 1.0]]))  # of 3 and 1 on a line
    [[0. 4.]
     [4. 0.]]
    """
    K = np.asarray(K, float)
    own = np.diag(K)
    return own[:, None] + own - 2 * K  # (14.30)


def nearest_others(K):
    """For each n the index of the nearest other point, (N,), from the Gram matrix K (N, N); of several the first.

    >>> from sparsekm_edu.lessons.neighbours import nearest_others
    >>> x = [0.0, 1.0, 3.0]
    >>> print(nearest_others([[a * b for b in x] for a in x]))
    [1 0 1]
    """
    squares = squared_distances(K)
    np.fill_diagonal(squares, np.inf)
    return squares.argmin(axis=1)


def in_capitals(string, others, k=3, share=0.4):
    """The string in small letters, but those of its pieces of k letters in capitals that stand in many others.

    Parameters: string, upper case; others, strings; share: in more than this share of them a piece must stand.

    >>> from sparsekm_edu.lessons.neighbours import in_capitals
    >>> print(in_capitals("XXBANDYY", ["BAND", "ABANDON", "HAND"]))
    xxBANDyy
    """
    often = [
        np.mean([string[i : i + k] in other for other in others]) > share for i in range(len(string) - k + 1)
    ]
    lit = {j for i, it in enumerate(often) if it for j in range(i, i + k)}
    return "".join(letter if j in lit else letter.lower() for j, letter in enumerate(string))
