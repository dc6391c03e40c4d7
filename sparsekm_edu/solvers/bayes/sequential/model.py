"""The model that sequential learning works on: its posterior, its evidence, and how every basis function looks from it.

Three likelihoods, one interface: `afresh()` computes everything from alpha, `updated(i, alpha_i)` is the model with one
precision changed, `step(i, alpha_i, afresh)` the one to go on with. Models are values: nothing is changed in place.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.linalg import solve_triangular

from sparsekm_edu.jit import plain
from sparsekm_edu.solvers.bayes.evidence import MOST_PRECISE, checked_problem, spread
from sparsekm_edu.solvers.bayes.laplace import laplace_fit
from sparsekm_edu.solvers.bayes.softmax import softmax_fit, softmax_sparsity_quality
from sparsekm_edu.validation import real_number

# What all schedules have in common. Compiled code keeps the numbers that it was compiled with: after a change here,
# touch fast.py, or its cache will not notice.
AGAIN = 3  # a function that has joined so many times does not come back: this ends every cycle
SAME = 1e-10  # of phi_i' B phi_i: a smaller s_i is rounding error, the function is a combination of members
FIRST_NOISE = 10  # additions before beta is learned: with too few functions everything looks like noise
RESTLESS = 1e-2  # relative change of beta that counts as none, while the search is on; and in the end:
STILL = 1e-6
PRECISE = 1e-5  # of tol: how well the members settle in the end; alpha is then right to three digits or more

FIRST_BETA = 30.0  # where beta starts, in units of 1 / var(t)
ALIKE = 1e5  # by how much overlap with other functions may inflate the variance of a weight before updates are unsafe


# ------------------------------------------------------------------ quality and sparsity


def sparsity_quality(Phi, t, active, alpha, beta):
    """Quality q and sparsity s of every basis function, (7.102)-(7.107).

    Parameters: Phi (N, M) design matrix; t (N,) targets; active (M,) bool; alpha (M,), infinite where not active;
    beta > 0, one number or one per point.
    Returns: q, s, Q, S, each (M,). For basis functions outside the model q = Q and s = S.

    Costs O(N M R) for R active functions.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import sparsity_quality
    >>> none, infinite = np.zeros(2, dtype=bool), np.full(2, np.inf)
    >>> q, s, *_ = sparsity_quality(np.eye(3)[:, :2], np.array([2.0, 0.5, 0.0]), none, infinite, beta=1.0)
    >>> print("worth adding where q^2 > s:", q**2 > s)
    worth adding where q^2 > s: [ True False]
    """
    Phi, t, alpha = (np.asarray(array, dtype=float) for array in (Phi, t, alpha))
    alpha = np.where(active, alpha, np.inf)
    m, Sigma, Q, S, _ = seen_from(Phi, t, alpha, beta)
    return *leave_one_out(alpha, m, Sigma, Q, S), Q, S


def seen_from(Phi, t, alpha, beta):
    """m (R,), Sigma (R, R), Q (M,), S (M,) and the log evidence of a model, from scratch.

    Put rows alpha_i^(1/2) below beta^(1/2) Phi, and zeros below beta^(1/2) t: then m solves a least squares problem,
    and Q_i, S_i are inner products of what is left of phi_i and t once the model's columns are projected out. These are
    (7.106)-(7.107); as residuals they keep the digits that a difference of large numbers loses where phi_i is nearly a
    combination of the model's columns, as linear splines are.
    """
    active = np.isfinite(alpha)
    R, N = active.sum(), len(t)
    root = np.sqrt(np.broadcast_to(beta, N))[:, None]
    members = np.vstack([root * Phi[:, active], np.diag(np.sqrt(alpha[active]))])
    basis, triangle = np.linalg.qr(members)
    left = np.vstack([root * np.column_stack([Phi, t]), np.zeros((R, len(alpha) + 1))])
    of_t = basis.T @ left[:, -1]
    for _ in range(2):  # once more for what rounding left over
        left -= basis @ (basis.T @ left)
    inverse = solve_triangular(triangle, np.eye(R))
    m, Sigma = inverse @ of_t, inverse @ inverse.T  # (7.82), (7.83)
    Q, S = left[:, :-1].T @ left[:, -1], np.sum(left[:, :-1] ** 2, axis=0)
    log_det_C = 2.0 * np.log(np.abs(np.diagonal(triangle)) / np.sqrt(alpha[active])).sum()
    log_det_C -= 2.0 * np.log(root).sum()
    log_evidence = -0.5 * (N * np.log(2.0 * np.pi) + log_det_C + left[:, -1] @ left[:, -1])  # (7.85)
    return m, Sigma, Q, S, float(log_evidence)


def leave_one_out(alpha, m, Sigma, Q, S):
    """q and s from Q and S (M,): what these would be without the function itself, (7.104)-(7.105).

    Of the R functions in the model, with m (R,) and Sigma (R, R), we know that m_i = q_i Sigma_ii and
    1 / Sigma_ii = alpha_i + s_i. That is the same as (7.104)-(7.105), without the difference alpha_i - S_i, where most
    digits are lost if the data determine a weight well.
    """
    q, s, active = Q.copy(), S.copy(), np.isfinite(alpha)
    q[active] = m / np.diagonal(Sigma)
    s[active] = 1.0 / np.diagonal(Sigma) - alpha[active]
    return q, s


def best_alpha(q, s):
    """Where lambda(alpha) of (7.97) is greatest, (7.101); infinite if the function should not be in the model."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((q * q > s) & (s > 0), s * s / (q * q - s), np.inf)


def contribution(alpha, q, s):
    """lambda(alpha) of (7.97): what a function of quality q and sparsity s adds to the log evidence."""
    return 0.5 * (q * q / (alpha + s) - np.log1p(s / alpha))


# ------------------------------------------------------------------ the model, with one likelihood or another


@dataclass(frozen=True, eq=False)
class Regression:
    """The model at given alpha (M,) and beta, and how all M functions look from there.

    m (R,), Sigma (R, R) of the R functions in the model, in the order of the columns; Q, S (M,); log_evidence.
    """

    Phi: np.ndarray
    t: np.ndarray
    alpha: np.ndarray
    beta: float
    m: np.ndarray = None
    Sigma: np.ndarray = None
    Q: np.ndarray = None
    S: np.ndarray = None
    log_evidence: float = None

    def afresh(self):
        """The same model, everything computed from scratch."""
        m, Sigma, Q, S, log_evidence = seen_from(self.Phi, self.t, self.alpha, self.beta)
        return replace(self, m=m, Sigma=Sigma, Q=Q, S=S, log_evidence=log_evidence)

    def updated(self, i, alpha_i):
        """The model with another alpha_i, by one outer product (Tipping & Faul 2003, appendix)."""
        alpha = self.alpha.copy()
        alpha[i] = alpha_i
        used = np.flatnonzero(np.isfinite(self.alpha))
        j = np.searchsorted(used, i)
        m, Sigma = self.m.copy(), self.Sigma.copy()
        if self.alpha[i] == np.inf:  # 6. add
            members, phi = self.Phi[:, used], self.Phi[:, i]
            v = self.beta * Sigma @ (members.T @ phi)
            v += Sigma @ (
                self.beta * members.T @ (phi - members @ v) - self.alpha[used] * v
            )  # what rounding left
            unexplained = self.beta * self.Phi.T @ (phi - members @ v)
            Sigma_ii = 1.0 / (alpha_i + self.S[i])
            m_i = Sigma_ii * self.Q[i]
            S = self.S - Sigma_ii * unexplained**2
            Q = self.Q - m_i * unexplained
            m = np.insert(m - m_i * v, j, m_i)
            Sigma = np.insert(Sigma + Sigma_ii * np.outer(v, v), j, -Sigma_ii * v, axis=0)
            Sigma = np.insert(Sigma, j, np.insert(-Sigma_ii * v, j, Sigma_ii), axis=1)
        else:  # 5. re-estimate, 7. delete
            step = alpha_i - self.alpha[i]
            kappa = 1.0 / Sigma[j, j] if alpha_i == np.inf else step / (1.0 + step * Sigma[j, j])
            seen = self.beta * self.Phi.T @ (self.Phi[:, used] @ Sigma[:, j])
            S = self.S + kappa * seen**2
            Q = self.Q + kappa * m[j] * seen
            row = Sigma[j].copy()
            m -= m[j] * (kappa * row)
            Sigma -= np.outer(kappa * row, row)
            if alpha_i == np.inf:
                m = np.delete(m, j)
                Sigma = np.delete(np.delete(Sigma, j, axis=0), j, axis=1)
        active = np.isfinite(alpha)
        *_, log_evidence = seen_from(self.Phi[:, active], self.t, alpha[active], self.beta)
        return replace(self, alpha=alpha, m=m, Sigma=Sigma, Q=Q, S=S, log_evidence=log_evidence)

    def step(self, i, alpha_i, afresh):
        """The model with another alpha_i; everything from scratch if so wished, and where updates are unsafe."""
        after = self.updated(i, alpha_i)
        return after.afresh() if afresh or after.alike() else after

    def alike(self):
        """Whether members are so nearly collinear that one more update would lose too many digits."""
        active = np.isfinite(self.alpha)
        H = self.alpha[active] + self.alone()[active]  # the diagonal of Sigma^-1
        return bool(np.any(H * np.diagonal(self.Sigma) > ALIKE))

    def alone(self):
        """phi_i' B phi_i, (M,): s_i if the model were empty."""
        return self.beta * np.sum(self.Phi**2, axis=0)

    def reestimated_beta(self):
        """(7.88)."""
        active = np.isfinite(self.alpha)
        gamma = 1.0 - self.alpha[active] * np.diagonal(self.Sigma)  # (7.89)
        residual = self.t - self.Phi[:, active] @ self.m
        with np.errstate(divide="ignore"):
            return min((len(self.t) - gamma.sum()) / (residual @ residual), MOST_PRECISE / spread(self.t))


@dataclass(frozen=True, eq=False)
class ByLaplace:
    """The same in classification, by Laplace's approximation: m is the mode, and B depends on it."""

    Phi: np.ndarray
    t: np.ndarray
    alpha: np.ndarray
    m: np.ndarray = None
    Sigma: np.ndarray = None
    Q: np.ndarray = None
    S: np.ndarray = None
    y: np.ndarray = None
    log_evidence: float = None

    beta: ClassVar[None] = None

    def updated(self, i, alpha_i):
        """The model with another alpha_i, from scratch, but with the old weights to start from."""
        weights, alpha = np.zeros(len(self.alpha)), self.alpha.copy()
        weights[np.isfinite(alpha)] = self.m
        alpha[i] = alpha_i
        return replace(self, alpha=alpha).afresh(weights)

    def step(self, i, alpha_i, afresh):
        """The model with another alpha_i: from scratch in any case, as B has moved."""
        return self.updated(i, alpha_i)


class Classification(ByLaplace):
    """Two classes, t (N,) 0 or 1: B = diag(y (1 - y))."""

    def afresh(self, weights=None):
        active = np.isfinite(self.alpha)
        Phi = self.Phi[:, active]
        fit = laplace_fit(
            Phi, self.t, self.alpha[active], None if weights is None else weights[active], complain=False
        )
        overlap = (fit.b[:, None] * Phi).T @ self.Phi  # (R, M)
        S = fit.b @ self.Phi**2 - np.sum(overlap * (fit.Sigma @ overlap), axis=0)  # (7.107)
        Q = self.Phi.T @ (self.t - fit.y)  # (7.106), where C^-1 t_hat = t - y
        return replace(self, m=fit.w, Sigma=fit.Sigma, Q=Q, S=S, y=fit.y, log_evidence=fit.log_evidence)

    def alone(self):
        return (self.y * (1.0 - self.y)) @ self.Phi**2


@dataclass(frozen=True, eq=False)
class ManyClasses(ByLaplace):
    """K classes, t (N, K) one-of-K: function i for class k is number i K + k of alpha (M K,).

    turn (M K,): the last move of each ln alpha_i; stride (M K,): how far along the way to (7.101) it may go.
    """

    turn: np.ndarray | float = 0.0
    stride: np.ndarray | float = 1.0

    def step(self, i, alpha_i, afresh):
        """As above; but a promise that leads back and forth is cut short, see `softmax`."""
        if np.isinf(self.alpha[i]) or np.isinf(alpha_i):
            return self.updated(i, alpha_i)
        turn, stride = np.zeros(len(self.alpha)) + self.turn, np.ones(len(self.alpha)) * self.stride
        move = np.log(alpha_i / self.alpha[i])
        stride[i] /= 2.0 if move * turn[i] < -0.5 * turn[i] ** 2 else 1.0
        turn[i] = move
        return replace(self, turn=turn, stride=stride).updated(i, self.alpha[i] * np.exp(stride[i] * move))

    def afresh(self, weights=None):
        alpha = self.alpha.reshape(self.Phi.shape[1], -1)
        used = np.isfinite(alpha).any(axis=1)  # functions without any weight only cost time
        start = None if weights is None else weights.reshape(alpha.shape)[used]
        fit = softmax_fit(self.Phi[:, used], self.t, alpha[used], start, complain=False)
        *_, Q, S = softmax_sparsity_quality(self.Phi, self.t, alpha, fit)
        m = fit.W[np.isfinite(alpha[used])]
        changes = {"m": m, "Sigma": fit.Sigma, "Q": Q.ravel(), "S": S.ravel(), "y": fit.Y}
        return replace(self, log_evidence=fit.log_evidence, **changes)

    def alone(self):
        return ((self.Phi**2).T @ (self.y * (1.0 - self.y))).ravel()


def empty_model(Phi, t, likelihood, beta, beta0):
    """The model without functions, and whether its beta is to be learned; what the user gave is checked here."""
    Phi, t = map(plain, checked_problem(Phi, t, likelihood, beta, beta0))
    nobody = np.full(Phi.shape[1:] + t.shape[1:], np.inf).ravel()
    if likelihood == "bernoulli":
        return Classification(Phi, t, nobody), False
    if likelihood == "softmax":
        return ManyClasses(Phi, t, nobody), False
    learn = beta is None
    if learn:
        beta = FIRST_BETA / spread(t) if beta0 is None else real_number("beta0", beta0, above=0)
    return Regression(Phi, t, nobody, real_number("beta", beta, above=0)), learn
