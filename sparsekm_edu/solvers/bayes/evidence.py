"""The evidence of a sparse Bayesian model: how probable the data are, once the weights are integrated out (PRML 7.2.1).

A linear model y = Phi w of N targets in M basis functions, Gaussian noise of precision beta, and a prior precision
alpha_i of its own for every weight:

    p(t | w, beta) = N(t | Phi w, beta^-1 I),        p(w | alpha) = prod_i N(w_i | 0, alpha_i^-1).     (7.79)-(7.80)

Given alpha and beta, the posterior of the weights is N(w | m, Sigma), and the evidence is a Gaussian too:

    ln p(t | alpha, beta) = ln N(t | 0, C),   C = beta^-1 I + Phi A^-1 Phi'.                           (7.85)-(7.86)

An infinite alpha_i says that the weight is 0 for certain, and its function not in the model. How to climb the evidence
is told in `reestimation` (all functions at once) and `sequential` (one at a time).

With one beta for every point the same formulae serve classification, where Laplace's approximation puts a regression
in its place (`laplace`).
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dtrtri

from sparsekm_edu.complaints import warn
from sparsekm_edu.solvers.linalg import inverse_and_log_det
from sparsekm_edu.validation import real_number

INFLATED = 1e9  # overlap makes a variance larger by this factor: Phi'Phi would lose too many digits
MOST_PRECISE = 1e6  # beta <= this / var(t) where it is learned: data without noise would take it to infinity
LIKELIHOODS = "gaussian", "bernoulli", "softmax"  # of t, given the outputs Phi w
CONSTANT = 1e-20  # var(t) / mean(t^2) of targets that are all alike


@dataclass(frozen=True, eq=False, repr=False)
class SBLSolution:
    """A sparse Bayesian model, whichever way it was found.

    active (M,) bool: which functions are in the model, R of them; alpha (M,), infinite for the others; beta noise
    precision, None in classification; m (R,) and Sigma (R, R) posterior mean and covariance of their weights, in the
    order of the columns; log_evidence: ln p(t | alpha, beta), by Laplace in classification; n_iter; converged: the
    solver has come to its end, and gain_left, the most that any single action would still gain by the word of
    `evidence_check`, is at most 0.01 nats; trace: a record array with a line for every step and log_evidence among its
    fields; others are action, index, q, s, gain in `sequential`, and n_iter, n_functions, beta (nan in classification)
    in `reestimate` and `em`. With K classes active and alpha are (M, K), and m in the order of alpha.ravel().
    """

    active: np.ndarray
    alpha: np.ndarray
    beta: float | None
    m: np.ndarray
    Sigma: np.ndarray
    log_evidence: float
    n_iter: int
    converged: bool
    trace: np.recarray
    gain_left: float = np.nan

    def __repr__(self):
        noise = "" if self.beta is None else f"beta {self.beta:.4g}, "
        return (
            f"{type(self).__name__}: {self.active.sum()} of {self.active.size} functions, log evidence "
            f"{self.log_evidence:.4f}, {noise}{self.n_iter} iterations, {'' if self.converged else 'not '}converged"
        )

    @property
    def support(self):
        """Indices of the functions in the model; with K classes of those that have a weight in any class."""
        return np.flatnonzero(self.active if self.active.ndim == 1 else self.active.any(axis=1))


def posterior(Phi, t, alpha, beta):
    """Mean and covariance of the weights given the data, (7.82)-(7.83).

    Parameters: Phi (N, M); t (N,); alpha (M,) > 0, infinite = not in the model; beta > 0, one number or one per point.
    Returns: m (R,), Sigma (R, R) of the R functions with finite alpha.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import posterior
    >>> m, Sigma = posterior(np.ones((4, 1)), np.array([1.0, 2.0, 3.0, 2.0]), alpha=np.array([1.0]), beta=1.0)
    >>> print("mean 8 / 5 =", m.round(3), "variance 1 / 5 =", Sigma.round(3))
    mean 8 / 5 = [1.6] variance 1 / 5 = [[0.2]]
    """
    Phi, t, alpha, beta = _checked(Phi, t, alpha, beta)
    inside = np.isfinite(alpha)
    m, Sigma, *_ = gaussian_fit(Phi[:, inside], t, alpha[inside], beta)
    return m, Sigma


def log_evidence(Phi, t, alpha, beta, form="M"):
    """ln p(t | alpha, beta) = ln N(t | 0, C), (7.85).

    Parameters: as for `posterior`; form "N" factorises C, N x N, form "M" only the R x R matrix of the weights: both
    give the same. A model without functions has the evidence of its noise.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import log_evidence
    >>> Phi, t = np.ones((4, 1)), np.array([1.0, 2.0, 3.0, 2.0])
    >>> for alpha in 1.0, np.inf:
    ...     print("alpha", alpha, "log evidence", round(log_evidence(Phi, t, np.array([alpha]), beta=1.0), 2))
    alpha 1.0 log evidence -7.08
    alpha inf log evidence -12.68
    """
    Phi, t, alpha, beta = _checked(Phi, t, alpha, beta)
    inside = np.isfinite(alpha)
    Phi, alpha = Phi[:, inside], alpha[inside]
    if form == "M":
        return gaussian_fit(Phi, t, alpha, beta)[2]
    if form == "N":
        C_t = np.diag(1 / np.broadcast_to(beta, t.shape)) + (Phi / alpha) @ Phi.T  # (7.86)
        inverse, log_det = inverse_and_log_det(C_t)
        return float(-0.5 * (len(t) * np.log(2 * np.pi) + log_det + t @ inverse @ t))  # (7.85)
    raise ValueError(f"form must be 'N' or 'M', got {form!r}.")


def evidence_gradient(Phi, t, alpha, beta):
    """Derivatives of the log evidence with respect to ln alpha and ln beta.

    Parameters: as for `posterior`; with one beta per point the second derivative is that of a factor common to all.
    Returns: d/d ln alpha (M,), 0 where alpha is infinite; d/d ln beta.

    Their zeros are (7.87) and (7.88).
    """
    Phi, t, alpha, beta = _checked(Phi, t, alpha, beta)
    inside = np.isfinite(alpha)
    m, Sigma, _, error = gaussian_fit(Phi[:, inside], t, alpha[inside], beta)
    by_alpha = np.zeros(len(alpha))
    by_alpha[inside] = 0.5 * (1 - alpha[inside] * (m**2 + np.diag(Sigma)))
    return by_alpha, float(0.5 * (len(t) - error - well_determined(alpha[inside], np.diag(Sigma)).sum()))


def gaussian_fit(Phi, t, alpha, beta, gram=None):
    """m, Sigma, log evidence and sum_n beta_n (t_n - y_n)^2, for columns that are all in the model.

    Phi (N, R), alpha (R,) finite; gram = Phi'Phi (R, R) where it is known and beta one number.
    """
    H = (beta * Phi.T) @ Phi if gram is None else beta * gram
    H[np.diag_indices_from(H)] += alpha
    Sigma, log_det = inverse_and_log_det(H)  # (7.83)
    if np.any(np.diag(H) * np.diag(Sigma) > INFLATED):
        return fit_by_qr(Phi, t, alpha, beta)
    m = Sigma @ (Phi.T @ (beta * t))  # (7.82)
    m += Sigma @ (Phi.T @ (beta * (t - Phi @ m)) - alpha * m)  # and again, against rounding errors
    return m, Sigma, *_evidence(Phi, t, alpha, beta, m, log_det - np.log(alpha).sum())


def fit_by_qr(Phi, t, alpha, beta):
    """The same by the least squares problem that m solves, never by H = Phi'B Phi + A itself.

    Rows alpha_i^(1/2) stand below beta^(1/2) Phi, zeros below beta^(1/2) t; weights are measured in units of their
    prior, v_i = alpha_i^(1/2) w_i. The condition number of these rows is only the root of that of H.
    """
    R, root_beta, root_alpha = len(alpha), np.sqrt(np.broadcast_to(beta, t.shape)), np.sqrt(alpha)
    rows = np.zeros((len(t) + R, R + 1))
    rows[: len(t)] = root_beta[:, None] * np.column_stack([Phi / root_alpha, t])
    rows[len(t) :, :R] = np.eye(R)
    # the last column of the triangle is what an orthonormal basis of the others sees of t
    triangle = np.linalg.qr(rows, mode="r")
    root = (dtrtri(triangle[:R, :R])[0] if R else triangle[:R, :R]) / root_alpha[:, None]
    m, log_det = root @ triangle[:R, R], 2 * np.log(np.abs(np.diag(triangle)[:R])).sum()
    return m, root @ root.T, *_evidence(Phi, t, alpha, beta, m, log_det)


def _evidence(Phi, t, alpha, beta, m, log_det):
    """Log evidence and sum_n beta_n (t_n - y_n)^2; log_det: ln |I + A^-1 Phi'B Phi|."""
    error = float(np.sum(beta * (t - Phi @ m) ** 2))
    log_det_C = log_det - np.log(np.broadcast_to(beta, t.shape)).sum()
    # t'C^-1 t = sum_n beta_n (t_n - y_n)^2 + m'Am: nothing cancels
    L = -0.5 * (len(t) * np.log(2 * np.pi) + log_det_C + error + alpha @ m**2)  # (7.85)
    return float(L), error


def well_determined(alpha, variance):
    """gamma_i = 1 - alpha_i Sigma_ii, (R,): how far the data determine each weight, from 0 to 1."""
    return np.clip(1 - alpha * variance, 0.0, 1.0)  # (7.89)


def spread(t):
    """What the noise of t (N,) is measured against: var(t), or mean(t^2) if all targets are alike; 1 if they are 0."""
    off = t - t.mean()
    variance, square = off @ off / len(t), t @ t / len(t)
    return float(variance if variance > CONSTANT * square else square or 1.0)


def warn_if_far_away(t):
    """Say so, if t (N,) varies so little around its mean that most digits are lost."""
    if np.ptp(t) > 0 and np.var(t) <= CONSTANT * np.mean(t**2):
        warn(
            f"t varies by only {np.std(t):.2g} around its mean, {np.mean(t):.3g}: rounding errors hide the rest. "
            "Subtract the mean from t; RVR does this by itself."
        )


# ------------------------------------------------------------------ what users type


def checked_data(Phi, t):
    """Phi (N, M) and t (N,) as arrays of finite numbers, or a sentence."""
    Phi, t = np.asarray(Phi, dtype=float), np.asarray(t, dtype=float)
    if Phi.ndim != 2 or len(Phi) == 0 or not np.isfinite(Phi).all():
        raise ValueError(f"Phi must be a matrix (N, M) of finite numbers, N >= 1, got {Phi!r}.")
    if t.shape != (len(Phi),) or not np.isfinite(t).all():
        got = f"{t!r}" if t.shape == (len(Phi),) else f"shape {t.shape}"
        raise ValueError(f"t must hold {len(Phi)} finite numbers, one per row of Phi, got {got}.")
    return Phi, t


def checked_problem(Phi, t, likelihood, beta, beta0):
    """Phi (N, M) and t, (N,) or for "softmax" (N, K), of a model to be learned; or a sentence."""
    if likelihood not in LIKELIHOODS:
        raise ValueError(f"likelihood must be one of {list(LIKELIHOODS)}, got {likelihood!r}.")
    t = np.asarray(t, dtype=float)
    if likelihood == "softmax":
        if t.ndim != 2:
            raise ValueError(f"t must be (N, K), one of K classes in every row, got shape {t.shape}.")
        Phi, in_all = checked_data(Phi, t.sum(axis=1))
    else:
        Phi, t = checked_data(Phi, t)
    if likelihood == "gaussian":
        return Phi, t
    if not np.isin(t, (0.0, 1.0)).all() or (likelihood == "softmax" and not (in_all == 1.0).all()):
        raise ValueError(
            f"t must hold zeros and ones for likelihood = {likelihood!r}"
            f"{', a single one in every row' if likelihood == 'softmax' else ''}, got {t!r}."
        )
    if not (beta is None and beta0 is None):
        raise ValueError(f"beta must be None in classification, got beta = {beta!r}, beta0 = {beta0!r}.")
    return Phi, t


def _checked(Phi, t, alpha, beta):
    Phi, t = checked_data(Phi, t)
    alpha = np.asarray(alpha, dtype=float)
    if alpha.shape != Phi.shape[1:] or not np.all(alpha > 0):
        raise ValueError(f"alpha must hold {Phi.shape[1]} numbers > 0, one per column of Phi, got {alpha!r}.")
    if np.ndim(beta) == 0:
        return Phi, t, alpha, real_number("beta", beta, above=0)
    beta = np.asarray(beta, dtype=float)
    if beta.shape != t.shape or not np.all((beta > 0) & np.isfinite(beta)):
        raise ValueError(f"beta must be a number > 0 or {len(t)} of them, one per row of Phi, got {beta!r}.")
    return Phi, t, alpha, beta
