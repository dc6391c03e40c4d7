"""A referee for the evidence: what it is, and what is still to be gained. As `kkt` for the dual, it trusts no solver.

At a maximum of the evidence no single action helps: not to add a function, to re-estimate the precision of one or to
delete it, nor to change beta. What each of them would gain is known exactly in regression, by (7.97) and (7.101), once
q_i and s_i are. All that is needed comes from one least squares problem: in units of their prior, v_i = alpha_i^(1/2)
w_i, the weights are fitted by

    rows  B^(1/2) Phi A^(-1/2)  with targets  B^(1/2) t,   and below them   rows I  with targets 0.

Its orthogonal factors have the root of the condition number of Sigma^-1, so that the evidence is right even where
weights reach 1e7 and where C = B^-1 + Phi A^-1 Phi', computed as (7.86) stands, would have lost all digits.

In classification q and s hold for the regression that Laplace's approximation puts in the place of the likelihood, and
what they say is a promise: an action moves the mode, and with it the curvature. So whatever promises more than
`ENOUGH` is carried out, and counts with what it gains by the Laplace evidence (7.114).
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit

from sparsekm_edu.solvers.bayes.evidence import MOST_PRECISE, checked_problem, spread
from sparsekm_edu.solvers.bayes.softmax import softmax_fit, softmax_sparsity_quality

ENOUGH = 0.01  # nats: a solver has converged if no single action gains more
SAME = 1e-18  # of phi_i' B phi_i: a smaller s_i is rounding error, the function is a combination of members
COMBINED = 1e-10  # the same for K classes, where s is a difference of large numbers
LOST = 1e-6  # of phi_i' B phi_i: where less than this is left, it is computed once more, from the residuals
LITTLE = 1e-5  # nats that a change of beta gains by the word of a parabola: it need not be looked up
TRIED = 8  # actions that are carried out at most in classification, those that promise most
NEWTON_STEPS = 200


@dataclass(frozen=True)
class EvidenceCheck:
    """What the referee has found.

    log_evidence, computed from scratch for the solution's alpha and beta; gain: the most that a single action would add
    to it, 0 if none does; action: "add", "re-estimate", "delete" or "noise", None if gain is 0; index: the function, in
    alpha.ravel(), None for "noise"; alpha: the precision that it would have; beta: the best noise precision for
    "noise", else the solution's.
    """

    log_evidence: float
    gain: float
    action: str | None = None
    index: int | None = None
    alpha: float | None = None
    beta: float | None = None


def evidence_check(Phi, t, solution, learned=True):
    """Recompute the log evidence of a solution, and find the single action that would raise it most.

    Parameters: Phi (N, M) and t as given to the solver; solution, a SBLSolution; learned: whether beta was learned, so
    that a change of it counts, up to the solvers' limit, 1e6 / var(t).
    Returns: EvidenceCheck.

    >>> from sparsekm_edu import Gaussian, datasets
    >>> from sparsekm_edu.solvers import evidence_check, sequential
    >>> X, t = datasets.sinusoid()
    >>> Phi = Gaussian(gamma=22.0)(X)
    >>> check = evidence_check(Phi, t, sequential(Phi, t))
    >>> print("log evidence", round(check.log_evidence, 2), "is at a maximum:", check.gain < 0.01)
    log evidence -3.8 is at a maximum: True
    """
    t = np.asarray(t, dtype=float)
    likelihood = "gaussian" if solution.beta is not None else "softmax" if t.ndim == 2 else "bernoulli"
    Phi, t = checked_problem(Phi, t, likelihood, None, None)
    return best_action(Phi, t, np.asarray(solution.alpha, dtype=float), solution.beta, solution.m, learned)


def best_action(Phi, t, alpha, beta, m, learned):
    """The EvidenceCheck at alpha, like t over functions or functions and classes; beta None and m for classes."""
    if beta is not None:
        return _regression(Phi, t, alpha, beta, learned)
    return (_two_classes if t.ndim == 1 else _many_classes)(Phi, t, alpha, m)


def refereed(Phi, t, solution, learned, tol=0.0):
    """The SBLSolution with the referee's word: what is left to gain, and whether it may be said to have converged.

    A solver that ran out of work before it was at rest has converged all the same, if no action gains more than tol.
    """
    gain = best_action(Phi, t, solution.alpha, solution.beta, solution.m, learned).gain
    converged = gain <= (ENOUGH if solution.converged else min(tol, ENOUGH))
    return replace(solution, gain_left=gain, converged=converged)


# ------------------------------------------------------------------ all actions at once


def _gains(alpha, q, s):
    """What each function would gain by its best alpha, (M,), and that alpha, infinite where it had better be out.

    lambda(best) - lambda(alpha), (7.97), is 1/2 { d - ln(1 + d) } with d = (u - a) / (1 + a), u = s / best and
    a = s / alpha: a difference of large numbers otherwise, where the data determine a weight well.
    """
    worth = (s > 0) & (q * q > s)
    u = np.divide(q * q, s, out=np.ones(len(q)), where=worth) - 1.0
    a = np.maximum(s, 0.0) / alpha
    d = (u - a) / (1.0 + a)
    with np.errstate(divide="ignore", invalid="ignore"):
        best = np.where(worth, s / u, np.inf)  # (7.101)
        without = 0.5 * (np.log1p(a) - q * q / (alpha + s))  # (7.97), the sign turned
        return np.where(worth, 0.5 * (d - np.log1p(d)), np.where(np.isfinite(alpha), without, 0.0)), best


def _found(log_evidence, gains, best, alpha, beta=None):
    """The EvidenceCheck for the function with the greatest gain."""
    i = int(np.argmax(gains)) if len(gains) else 0
    if len(gains) == 0 or not gains[i] > 0:
        return EvidenceCheck(log_evidence, 0.0, beta=beta)
    inside = np.isfinite(alpha[i])
    action = "add" if not inside else "delete" if np.isinf(best[i]) else "re-estimate"
    return EvidenceCheck(log_evidence, float(gains[i]), action, i, float(best[i]), beta)


def _seen_from(Phi, z, b, alpha):
    """v (R,), ln|.| of the triangle, residuals (N + R,), sum_i gamma_i, and q, s (M,) of all functions.

    Phi (N, M); z (N,): targets times the root of the precisions b (N,); alpha (M,), infinite outside the model.
    """
    used = np.flatnonzero(np.isfinite(alpha))
    N, R = len(Phi), len(used)
    root, root_alpha = np.sqrt(b), np.sqrt(alpha[used])
    F = np.vstack([root[:, None] * Phi[:, used] / root_alpha, np.eye(R)])
    basis, triangle = np.linalg.qr(F)
    inverse = np.linalg.inv(triangle)
    inner = basis[:N].T @ z
    v = inverse @ inner
    left = np.append(z, np.zeros(R)) - basis @ inner
    left -= basis @ (basis.T @ left)  # once more for what rounding left
    variance = np.einsum("ij,ij->i", inverse, inverse)  # of v

    alone = np.einsum("n,ni,ni->i", b, Phi, Phi)
    q = (root * left[:N]) @ Phi
    shared = (root[:, None] * basis[:N]).T @ Phi
    s = alone - np.einsum("ri,ri->i", shared, shared)
    lost = np.flatnonzero(s < LOST * alone)
    lost = lost[~np.isfinite(alpha[lost])]
    if len(lost) and R:
        rest = np.vstack([root[:, None] * Phi[:, lost], np.zeros((R, len(lost)))])
        for _ in range(2):
            rest -= basis @ (basis.T @ rest)
        q[lost], s[lost] = rest.T @ left, np.sum(rest**2, axis=0)
    s[s <= SAME * alone] = 0.0
    q[used], s[used] = root_alpha * v / variance, alpha[used] * (1.0 / variance - 1.0)
    log_det = np.log(np.abs(np.diag(triangle))).sum()
    return v, log_det, left, R - variance.sum(), q, s


# ------------------------------------------------------------------ regression


def _regression(Phi, t, alpha, beta, learned):
    b = np.full(len(t), beta)
    _, log_det, left, determined, q, s = _seen_from(Phi, np.sqrt(beta) * t, b, alpha)
    log_evidence = 0.5 * len(t) * np.log(beta / (2.0 * np.pi)) - log_det - 0.5 * left @ left  # (7.85)
    found = _found(float(log_evidence), *_gains(alpha, q, s), alpha, beta)
    free = len(t) - determined  # N - sum_i gamma_i
    misfit = left[: len(t)] @ left[: len(t)]  # beta |t - y|^2
    slope = 0.5 * (free - misfit)  # of the log evidence by ln beta: 0 if (7.88) holds
    if not learned:
        return found
    best, gain = (
        beta * np.exp(2.0 * slope / free),
        slope * slope / free,
    )  # by a parabola of curvature free / 2
    if gain > LITTLE:
        best, gain = _best_beta(Phi, t, alpha, beta)
    return EvidenceCheck(found.log_evidence, gain, "noise", None, None, best) if gain > found.gain else found


def _best_beta(Phi, t, alpha, beta):
    """Where the evidence is greatest as a function of beta alone, not above the solvers' limit; and what that gains.

    With the singular values d_i of Phi A^(-1/2) and the coordinates c_i of t, |C| and t'C^-1 t are sums over i.
    """
    used = np.isfinite(alpha)
    scaled = np.column_stack([Phi[:, used] / np.sqrt(alpha[used]), np.zeros(len(t))])  # never without columns
    left, d, _ = np.linalg.svd(scaled, full_matrices=False)
    c = left.T @ t
    rest = t - left @ c

    def log_evidence(ln_beta):
        shrunk = 1.0 + np.exp(ln_beta) * d * d
        error = np.exp(ln_beta) * (rest @ rest + np.sum(c * c / shrunk))
        return 0.5 * (len(t) * ln_beta - np.log(shrunk).sum() - error)

    here = np.log(beta)
    highest = max(here, np.log(MOST_PRECISE / spread(t)))
    found = minimize_scalar(
        lambda x: -log_evidence(x), bounds=(here - 3.0, min(here + 3.0, highest)), method="bounded"
    )
    return float(np.exp(found.x)), float(max(-found.fun - log_evidence(here), 0.0))


# ------------------------------------------------------------------ classification


def _laplace(Phi, t, alpha, w):
    """Mode v (R,), log evidence (7.114), y and b (N,), for columns Phi (N, R) that are all in the model."""
    Psi, v = Phi / np.sqrt(alpha), np.sqrt(alpha) * w
    sign = 2.0 * t - 1.0

    def height(v):
        return -np.logaddexp(0.0, -sign * (Psi @ v)).sum() - 0.5 * v @ v

    value = height(v)
    for _ in range(NEWTON_STEPS):
        a = Psi @ v
        b = expit(a) * expit(-a)
        H = Psi.T @ (b[:, None] * Psi) + np.eye(len(v))
        gradient = Psi.T @ (sign * expit(-sign * a)) - v
        step = np.linalg.solve(H, gradient)
        if gradient @ step < 1e-16:
            break
        while not (trial := height(v + step)) >= value and np.any(v + step != v):
            step = 0.5 * step
        v, value = v + step, max(trial, value)
    return v, float(value - 0.5 * np.linalg.slogdet(H)[1]) if len(v) else float(value), expit(a), b


def _two_classes(Phi, t, alpha, m):
    used = np.flatnonzero(np.isfinite(alpha))
    v, log_evidence, y, b = _laplace(Phi[:, used], t, alpha[used], m)
    weights = np.zeros(len(alpha))
    weights[used] = v / np.sqrt(alpha[used])
    root = np.sqrt(np.maximum(b, np.finfo(float).tiny))
    z = root * (Phi @ weights) + (t - y) / root  # (7.117)
    *_, q, s = _seen_from(Phi, z, root**2, alpha)
    gains, best = _gains(alpha, q, s)

    def realised(i):
        there, w = alpha.copy(), weights.copy()
        there[i] = best[i]
        inside = np.isfinite(there)
        return _laplace(Phi[:, inside], t, there[inside], w[inside])[1] - log_evidence

    return _carried_out(log_evidence, gains, best, alpha, realised)


def _many_classes(Phi, T, alpha, m):
    weights = np.zeros(alpha.shape)
    weights[np.isfinite(alpha)] = m
    used = np.isfinite(alpha).any(axis=1)

    def fitted(alpha):
        used = np.isfinite(alpha).any(axis=1)
        return softmax_fit(Phi[:, used], T, alpha[used], weights[used], tol=1e-8, complain=False)

    fit = fitted(alpha)
    q, s, _, S = (array.ravel() for array in softmax_sparsity_quality(Phi, T, alpha, fit))
    inside = np.isfinite(alpha).ravel()
    variance = np.diag(fit.Sigma)
    q[inside] = fit.W[np.isfinite(alpha[used])] / variance
    s[inside] = 1.0 / variance - alpha.ravel()[inside]
    alone = ((Phi**2).T @ (fit.Y * (1.0 - fit.Y))).ravel()
    s[~inside & (COMBINED * alone >= S)] = 0.0
    gains, best = _gains(alpha.ravel(), q, s)

    def realised(i):
        there = alpha.copy()
        there.flat[i] = best[i]
        return fitted(there).log_evidence - fit.log_evidence

    return _carried_out(fit.log_evidence, gains, best, alpha.ravel(), realised)


def _carried_out(log_evidence, gains, best, alpha, realised):
    """The EvidenceCheck where actions that promise more than ENOUGH count with what they gain, `realised(i)`."""
    gains = gains.copy()
    tried = np.argsort(-gains)[:TRIED]
    tried = tried[gains[tried] > ENOUGH]
    gains[np.setdiff1d(np.flatnonzero(gains > ENOUGH), tried)] = 0.0
    for i in tried:
        gains[i] = min(gains[i], realised(i))
    return _found(log_evidence, gains, best, alpha)
