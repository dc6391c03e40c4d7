"""Positive definite matrices, as rounding errors leave them: factors and inverses of Hessians."""

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

JITTER = (0.0, 1e-12, 1e-10, 1e-8, 1e-6)  # relative to the diagonal


def cholesky(H):
    """The factor L of H = LL' (what is above its diagonal means nothing), or None.

    If rounding errors keep H (R, R) from being positive definite, its diagonal is raised by up to a millionth.
    """
    for jitter in JITTER:
        factor, failed = dpotrf(H + np.diag(jitter * np.diagonal(H)) if jitter else H, lower=1)
        if not failed:
            return factor
    return None


def inverse_and_log_det(H):
    """H^-1 and ln |H| of a positive definite H (R, R), in terms of R basis functions with a prior."""
    if len(H) == 0:
        return H, 0.0
    factor = cholesky(H)
    if factor is None:
        raise np.linalg.LinAlgError(
            f"The posterior precision of the weights of {len(H)} active basis functions is singular: its condition "
            f"number is {np.linalg.cond(H):.3g}. The functions are too much alike: choose another kernel width, or a "
            "larger alpha."
        )
    lower = np.tril(dpotri(factor, lower=1)[0])
    return lower + np.tril(lower, -1).T, 2.0 * float(np.log(np.diagonal(factor)).sum())
