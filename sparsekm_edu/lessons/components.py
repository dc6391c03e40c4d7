"""What principal components say about classes that they were not told of (MLaPP 14.4.4)."""

import numpy as np


def neighbours_disagree(Z, t):
    """Is the nearest of all other points of another class? These are the errors of 1-NN, leave-one-out.

    Parameters: Z (N, L) coordinates, N >= 2; t (N,) classes. Of several neighbours equally near the first counts.
    Returns: (N,) bool.

    >>> from sparsekm_edu.lessons.components import neighbours_disagree
    >>> print(neighbours_disagree([(0, 0), (1, 0), (5, 5), (5, 6), (1, 1)], ["a", "a", "b", "b", "b"]))
    [False False False False  True]
    """
    Z, t = np.asarray(Z, float), np.asarray(t)
    distances = np.square(Z).sum(axis=1) - 2 * Z @ Z.T  # (14.30) without what is the same for the whole row
    np.fill_diagonal(distances, np.inf)
    return t[distances.argmin(axis=1)] != t


def rightwards(x, Z, *others):
    """Components Z (N, L) of points, and the same components elsewhere, all turned so that they grow with x (N,) on the
    whole: which of its two directions a component has means nothing, but should not change from picture to picture.

    >>> from sparsekm_edu.lessons.components import rightwards
    >>> print(*rightwards([0.0, 1.0], [(1.0, -1.0), (0.0, 2.0)], [(5.0, 5.0)]))
    [[-1. -1.]
     [-0.  2.]] [[-5.  5.]]
    """
    x, Z = np.asarray(x, float), np.asarray(Z, float)
    direction = np.where((x - x.mean()) @ Z < 0, -1.0, 1.0)
    return [coordinates * direction for coordinates in (Z, *map(np.asarray, others))]


def between_clusters(Z, t):
    """The share of the variance of each component that lies between the classes: 1 - (variance within) / variance.

    Parameters: Z (N, L) coordinates; t (N,) classes.
    Returns: (L,), from 0, the means of the classes agree, to 1, each class is one number. 0 for a component of no
    variance.

    >>> from sparsekm_edu.lessons.components import between_clusters
    >>> print(between_clusters([(0, 1), (0, 3), (2, 1), (2, 3)], [0, 0, 1, 1]))
    [1. 0.]
    """
    Z, t = np.asarray(Z, float), np.asarray(t)
    around_all, around_own = Z - Z.mean(axis=0), Z.copy()
    for kind in np.unique(t):
        around_own[t == kind] -= Z[t == kind].mean(axis=0)
    total, within = np.square(around_all).sum(axis=0), np.square(around_own).sum(axis=0)
    return 1 - np.divide(within, total, out=np.ones_like(total), where=total > 0)
