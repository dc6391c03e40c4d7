"""Features to put under a linear model (MLaPP 14.3.1): powers, monomials, and how few of many features count.

The third kind, kernels on prototypes, (14.28), needs no function of its own: it is `kernel(X, prototypes)`.
"""

import numpy as np
from numpy.polynomial.legendre import legvander


def powers(X, degree):
    """Each coordinate by itself to the powers 1, ..., degree. X (N, D) -> (N, D degree).

    A linear model on them is a sum of functions of one coordinate each, y(x) = g_1(x_1) + ... + g_D(x_D): additive.

    >>> from sparsekm_edu.lessons.prototypes import powers
    >>> print(powers([(2.0, 3.0)], degree=3))
    [[ 2.  3.  4.  9.  8. 27.]]
    """
    return np.hstack([np.asarray(X, float) ** p for p in range(1, degree + 1)])


def monomials(X, degree):
    """All products x_1^i x_2^j with 1 <= i + j <= degree. X (N, 2) -> (N, (degree + 1)(degree + 2)/2 - 1).

    >>> from sparsekm_edu.lessons.prototypes import monomials
    >>> print(monomials([(2.0, 3.0)], degree=2))
    [[3. 9. 2. 6. 4.]]
    """
    first, second = (np.vander(x, degree + 1, increasing=True) for x in np.asarray(X, float).T)
    i, j = np.array([(i, j) for i in range(degree + 1) for j in range(degree + 1 - i) if i + j]).T
    return first[:, i] * second[:, j]


def ridge(Phi, t, lam):
    """Minimise sum_n (t_n - w'phi_n - b)^2 + lam |w|^2, lam >= 0; the bias b is free.

    Parameters: Phi (N, K) design matrix; t (N,) targets.
    Returns: w (K,), b.

    lam = 0 is least squares; where several w are best, the shortest of them. Directions in which Phi varies no more
    than rounding errors do are left alone, as `numpy.linalg.matrix_rank` would: nobody can tell what is there.
    """
    mean = Phi.mean(axis=0)
    U, s, V = np.linalg.svd(Phi - mean, full_matrices=False)
    seen = s > np.linalg.norm(Phi, 2) * max(Phi.shape) * np.finfo(float).eps
    U, s, V = U[:, seen], s[seen], V[seen]
    w = V.T @ (s / (s**2 + lam) * (U.T @ (t - t.mean())))
    return w, float(t.mean() - mean @ w)


def nearest_polynomial(x, t, grid, y, highest=10):
    """Of the polynomials of degree 0, ..., highest fitted to the points by least squares, the one nearest to a curve.

    Parameters: x, t (N,) the points; grid, y (G,) the curve.
    Returns: its degree, and how far it is from the curve at most.
    """
    highest = min(highest, len(np.unique(x)) - 1)
    V, on_grid = legvander(x, highest), legvander(grid, highest)
    fits = [np.linalg.lstsq(V[:, : d + 1], t)[0] for d in range(highest + 1)]
    off = [np.abs(on_grid[:, : len(c)] @ c - y).max() for c in fits]
    return int(np.argmin(off)), float(min(off))
