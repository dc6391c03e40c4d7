"""Logistic regression with K classes: softmax, its Newton method, and its Laplace approximation (PRML 7.2.3, end)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp, softmax

from sparsekm_edu.solvers.laplace import inverse_and_log_determinant, newton_steps, warn_not_converged
from sparsekm_edu.validation import real_number, whole_number


class Softmax:
    """Minus the log likelihood of T (N, K), one-of-K, at outputs a = Phi W, and its derivatives by w.

    w (R,) holds the weights W_ik that are not fixed at 0: those in `free`, (M, K) bool, row by row.
    """

    def __init__(self, Phi, T, free):
        self.Phi, self.T, self.free = Phi, T, free
        self.function, self.of_class = np.nonzero(free)  # i and k of every entry of w

    def weights(self, w):
        """W (M, K) of w (R,)."""
        W = np.zeros(self.free.shape)
        W[self.free] = w
        return W

    def outputs(self, w):
        return self.Phi @ self.weights(w)  # (7.120)

    def error(self, a):
        """Minus (7.122), whose right-hand side lacks the logarithm."""
        return float(np.sum(logsumexp(a, axis=1) - np.sum(self.T * a, axis=1)))

    def gradient(self, a):
        return (self.Phi.T @ (softmax(a, axis=1) - self.T))[self.free]

    def hessian(self, a):
        """Entries sum_n phi_ni phi_nj y_nk (1_kl - y_nl), (R, R)."""
        y = softmax(a, axis=1)  # (7.121)
        Z = self.Phi[:, self.function] * y[:, self.of_class]
        H = -Z.T @ Z
        for k in range(y.shape[1]):
            (here,) = np.nonzero(self.of_class == k)
            rest = np.delete(y, k, axis=1).sum(axis=1)  # 1 - y_k without losing its digits
            root = np.sqrt(y[:, k] * rest)[:, None] * self.Phi[:, self.function[here]]
            H[np.ix_(here, here)] = root.T @ root
        return H


@dataclass(frozen=True, eq=False)
class SoftmaxFit:
    """W (M, K), the mode, with zeros where alpha is infinite; Sigma (R, R) over np.flatnonzero(isfinite(alpha).ravel());
    log_evidence; Y (N, K) probabilities at the mode; n_iter Newton steps; converged.
    """

    W: np.ndarray
    Sigma: np.ndarray
    log_evidence: float
    Y: np.ndarray
    n_iter: int
    converged: bool


def softmax_fit(Phi, T, alpha, W=None, tol=1e-6, max_iter=100):
    """The Laplace approximation of the posterior of softmax regression, and its evidence.

    Parameters: Phi (N, M) design matrix; T (N, K) targets, one-of-K; alpha (M, K) precisions of the prior, >= 0, infinite
    where the weight is fixed at 0; W (M, K) where to start, zeros if None; tol, max_iter as in `irls`.
    Returns: SoftmaxFit.
    """
    Phi, T = np.asarray(Phi, dtype=float), np.asarray(T, dtype=float)
    alpha = np.asarray(alpha, dtype=float)
    free = np.isfinite(alpha)
    likelihood = Softmax(Phi, T, free)
    A = np.diag(alpha[free])
    start = np.zeros(free.sum()) if W is None else np.array(W, dtype=float)[free]
    *_, mode = newton_steps(
        likelihood, A, start, real_number("tol", tol, above=0), whole_number("max_iter", max_iter, at_least=1)
    )
    if not mode.converged:
        warn_not_converged(mode, alpha, tol)
    a = likelihood.outputs(mode.w)
    Sigma, log_det = inverse_and_log_determinant(likelihood.hessian(a) + A)
    log_evidence = float(-mode.error + 0.5 * np.log(alpha[free]).sum() - 0.5 * log_det)  # (7.114)
    return SoftmaxFit(
        likelihood.weights(mode.w), Sigma, log_evidence, softmax(a, axis=1), mode.n_iter, mode.converged
    )


def softmax_sparsity_quality(Phi, T, alpha, fit):
    """Quality q and sparsity s of every function for every class, (7.104)-(7.107) with the curvature of the softmax.

    Parameters: Phi (N, M); T (N, K); alpha (M, K), infinite outside the model; fit: the SoftmaxFit at alpha.
    Returns: q, s, Q, S, each (M, K).
    """
    Phi, T, alpha = np.asarray(Phi, dtype=float), np.asarray(T, dtype=float), np.asarray(alpha, dtype=float)
    Y, free = fit.Y, np.isfinite(alpha)
    function, of_class = np.nonzero(free)
    Q = Phi.T @ (T - Y)  # (7.106) at the mode
    S = np.empty(alpha.shape)
    for k in range(Y.shape[1]):
        B_k = Y[:, [k]] * ((np.arange(Y.shape[1]) == k) - Y)  # (N, K): how a_k and a_l curve together
        across = (Phi[:, function] * B_k[:, of_class]).T @ Phi  # (R, M)
        S[:, k] = B_k[:, k] @ Phi**2 - np.sum(across * (fit.Sigma @ across), axis=0)  # (7.107)
    share = np.where(free, alpha / np.where(free, alpha - S, 1.0), 1.0)
    return share * Q, share * S, Q, S  # (7.104), (7.105)
