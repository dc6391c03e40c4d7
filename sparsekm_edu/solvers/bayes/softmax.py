"""K classes: the Laplace approximation of softmax regression, and which functions deserve a place in it (PRML 7.2.3).

There are K linear models a_k = w_k' phi(x), with y_k = exp(a_k) / sum_j exp(a_j), and a precision alpha_ik for every
weight, infinite where the weight is fixed at 0. The mode is found as for two classes, but the Hessian now ties all R
free weights together, up to MK x MK:

    H_(ik)(jl) = sum_n phi_ni phi_nj y_nk (1_kl - y_nl) + alpha_ik 1_ij 1_kl.

Two classes. Only a_2 - a_1 matters; its weights have the prior precisions 1 / (1 / alpha_i1 + 1 / alpha_i2), and with
these `laplace_fit` gives the same probabilities and the same evidence.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from sparsekm_edu.solvers.bayes.laplace import at_mode


@dataclass(frozen=True, eq=False)
class SoftmaxFit:
    """The posterior N(w | w*, Sigma) of the R free weights.

    W (M, K): the mode, 0 where alpha is infinite; Sigma (R, R), over np.flatnonzero(np.isfinite(alpha).ravel());
    log_evidence, (7.114); Y (N, K): probabilities at the mode; n_iter Newton steps; converged.
    """

    W: np.ndarray
    Sigma: np.ndarray
    log_evidence: float
    Y: np.ndarray
    n_iter: int
    converged: bool


def softmax_fit(Phi, T, alpha, W=None, tol=1e-5, max_iter=100, complain=True):
    """The Laplace approximation of the posterior of softmax regression, and its evidence.

    Parameters: Phi (N, M) design matrix; T (N, K) targets, one-of-K; alpha (M, K) or one number, the prior's
    precisions, >= 0, infinite where the weight is fixed at 0; W (M, K) where to start, zeros if None; tol, max_iter as
    in `irls`; complain: warn if tol was not reached.
    Returns: SoftmaxFit. In the evidence, a weight without prior (alpha_ik = 0) counts as
    in `laplace_fit`; where a function has no prior in any class, its K - 1 differences do.
    """
    likelihood, mode, a, Sigma, log_evidence = at_mode(Phi, T, alpha, W, tol, max_iter, complain)
    W = likelihood.weights(mode.w)
    return SoftmaxFit(W, Sigma, log_evidence, softmax(a, axis=1), mode.n_iter, mode.converged)


def softmax_sparsity_quality(Phi, T, alpha, fit):
    """Quality q and sparsity s of every function for every class, (7.104)-(7.107).

    As for two classes the model is replaced by a regression with the same posterior; its noise is correlated across
    classes: B_n, (K, K), with entries y_nk (1_kl - y_nl), takes the place of beta.

    Parameters: Phi (N, M); T (N, K); alpha (M, K), infinite outside the model; fit: the SoftmaxFit for this alpha.
    Returns: q, s, Q, S, each (M, K). Outside the model q = Q and s = S.
    """
    Phi, T, alpha = np.asarray(Phi, dtype=float), np.asarray(T, dtype=float), np.asarray(alpha, dtype=float)
    free, K = np.isfinite(alpha), T.shape[1]
    function, of_class = np.nonzero(free)
    Q = Phi.T @ (T - fit.Y)  # (7.106), where C^-1 t_hat = t - y
    S = np.empty(alpha.shape)
    for k in range(K):
        B = fit.Y[:, [k]] * (np.eye(K)[k] - fit.Y)  # row k of every B_n, (N, K)
        overlap = (Phi[:, function] * B[:, of_class]).T @ Phi  # with the functions in the model, (R, M)
        S[:, k] = B[:, k] @ Phi**2 - np.sum(overlap * (fit.Sigma @ overlap), axis=0)  # (7.107)
    with np.errstate(invalid="ignore"):
        factor = np.where(free, alpha / (alpha - S), 1.0)
    return factor * Q, factor * S, Q, S  # (7.104), (7.105)


def output_covariance(Phi, free, Sigma):
    """The covariance of a_1(x), ..., a_K(x) under the posterior: what `averaged_probability` asks for.

    Parameters: Phi (L, M) at L points; free (M, K) bool: which weights are in the model; Sigma (R, R): theirs.
    Returns: (L, K, K).
    """
    function, of_class = np.nonzero(free)
    K = free.shape[1]
    covariance = np.empty((len(Phi), K, K))
    for k in range(K):
        of_k = of_class == k
        spread = Phi[:, function[of_k]] @ Sigma[of_k]  # of a_k with every weight, (L, R)
        for j in range(K):
            of_j = of_class == j
            covariance[:, k, j] = np.sum(spread[:, of_j] * Phi[:, function[of_j]], axis=1)
    return covariance
