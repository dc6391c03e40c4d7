"""Ridge regression, primal and dual (MLaPP 14.4.3).

    minimise over w   J(w) = |y - Xw|^2 + lam |w|^2                                                       (14.33)

There is no bias: who wants one centres y, or adds a constant to the kernel. The primal solves D equations for w, the
dual N equations for a, one number per point, and w = X'a. The dual sees the points through the inner products K = XX'
only, and so any kernel will do in their place.

With K a Gram matrix and lam > 0, K + lam I is positive definite, and a is unique. Rounding may see it otherwise: where
two points are the same and lam is lost beside them, or where K is no Gram matrix. Then there is a warning, and the
solution of least squares, the smallest of them.
"""

import numpy as np
from scipy.linalg.lapack import dpocon, dpotrf, dpotri, dpotrs

from sparsekm_edu.complaints import warn
from sparsekm_edu.validation import real_number


def ridge_primal(X, y, lam):
    """The weights w (D,) = (X'X + lam I)^-1 X'y, (14.34), in O(N D^2 + D^3).

    Parameters: X (N, D); y (N,); lam > 0.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import ridge_primal
    >>> X, y = np.array([(1.0, 0.0), (0.0, 2.0), (1.0, 1.0)]), np.array([2.0, 2.0, 3.0])
    >>> print(ridge_primal(X, y, lam=1.0).round(3))
    [1.353 0.941]
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    if X.ndim != 2 or y.shape != X.shape[:1]:
        raise ValueError(f"X must be (N, D) and y (N,), got shapes {X.shape} and {y.shape}.")
    return _solved(X.T @ X, X.T @ y, lam, "X'X")  # (14.34)


def ridge_dual(K, y, lam):
    """The dual variables a (N,) = (K + lam I)^-1 y, (14.36), in O(N^3); predictions are K_* a, (14.38).

    Parameters: K (N, N), a Gram matrix; y (N,); lam > 0.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import ridge_dual
    >>> X, y = np.array([(1.0, 0.0), (0.0, 2.0), (1.0, 1.0)]), np.array([2.0, 2.0, 3.0])
    >>> a = ridge_dual(X @ X.T, y, lam=1.0)
    >>> print(a.round(3), (X.T @ a).round(3))
    [0.647 0.118 0.706] [1.353 0.941]
    """
    return _solved(*_system(K, y), lam, "K")  # (14.36)


def ridge_leave_one_out(K, y, lam):
    """What ridge regression without point n would predict at x_n, for all n, (N,); no refits.

    With Q = (K + lam I)^-1 and a = Qy the prediction is

        f_{-n}(x_n) = y_n - a_n / Q_nn

    Why: give point n, in the place of y_n, the target t that makes a_n = 0. Then the point has no part in the fit, and
    the others are fitted without it. And as (K + lam I) a = y holds in row n, too, where lam a_n = 0, that target is
    the prediction: t = f_{-n}(x_n). Moving one target by t - y_n moves a_n by Q_nn (t - y_n), and that has to be -a_n.

    Parameters: K (N, N), a Gram matrix; y (N,); lam > 0.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import ridge_leave_one_out
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> print(ridge_leave_one_out(np.outer(x, x), x, lam=1.0).round(3))
    [0.929 1.818 2.5  ]
    """
    K, y = _system(K, y)
    factor = _factor(K, lam)
    if factor is None:
        raise ValueError(
            f"lam must be large enough for K + lam I to be positive definite within rounding, got {lam:g}."
        )
    variance = np.diagonal(dpotri(factor, lower=1)[0])
    return y - dpotrs(factor, y, lower=1)[0] / variance


def _system(K, y):
    """K (N, N) and y (N,) as arrays."""
    K, y = np.asarray(K, dtype=float), np.asarray(y, dtype=float)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or y.shape != K.shape[:1]:
        raise ValueError(f"K must be (N, N) and y (N,), got shapes {K.shape} and {y.shape}.")
    return K, y


def _solved(A, b, lam, name):
    """(A + lam I)^-1 b, for A (N, N) and b (N,); the name of A is for the warning."""
    factor = _factor(A, lam)
    if factor is None:
        warn(
            f"{name} + lam I is singular within rounding, or not positive definite, with lam = {lam:g}: this is the "
            "smallest solution of least squares. A larger lam makes it unique.",
        )
        return np.linalg.lstsq(A + lam * np.eye(len(A)), b)[0]
    return dpotrs(factor, b, lower=1)[0]


def _factor(A, lam):
    """The Cholesky factor of A + lam I, lower triangle; None if within rounding there is none."""
    lam = real_number("lam", lam, above=0)
    A = np.array(A, order="F")  # a copy, which becomes its own factor
    A[np.diag_indices_from(A)] += lam
    norm = np.abs(A).sum(axis=0).max(initial=0.0)
    factor, failed = dpotrf(A, lower=1, overwrite_a=1)
    if failed or (len(A) and dpocon(factor, norm, uplo="L")[0] < np.finfo(float).eps):
        return None
    return factor
