"""The error of logistic regression with two weights, as a landscape to look at."""

import numpy as np


def error_surface(Phi, t, w0, w1):
    """E(w) = - ln p(t | w), minus (7.109) without its prior, for every pair of weights on a grid.

    Parameters: Phi (N, 2) design matrix; t (N,) zeros and ones; w0 (n0,) and w1 (n1,) the axes of the grid.
    Returns: E (n1, n0), rows along w1.
    """
    along, up = np.multiply.outer(Phi[:, 0], w0), np.multiply.outer(Phi[:, 1], w1)  # (N, n0), (N, n1)
    a = along[:, None, :] + up[:, :, None]
    return np.logaddexp(0.0, (1 - 2 * t)[:, None, None] * a).sum(axis=0)
