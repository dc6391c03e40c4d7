"""Penalised linear models on a design matrix: L1 for few weights, L2 for small ones (MLaPP 7.5.1, 8.3.6, 13.3, 14.3.2).

    minimise over W, b   J = loss(Y, t) + lam penalty(W),   Y_n = sum_j Phi_nj W_j + b

W_j is one weight, or one for each of K classes; the bias b costs nothing. Losses are sums over the points:

    "squared"    sum_n (t_n - Y_n)^2                               t_n any number
    "logistic"   -sum_n [t_n ln p_n + (1 - t_n) ln(1 - p_n)]       t_n = 0 or 1,  p_n = sigma(Y_n)
    "softmax"    -sum_n sum_k t_nk ln p_nk                         t_n one of K,  p_n = softmax(Y_n)

and so are the penalties over the columns of Phi:

    l2   sum_j |W_j|^2    makes all weights smaller, but none 0
    l1   sum_j |W_j|      makes most of them exactly 0; for K classes this is the group lasso: the K weights of a
                          column are in the model together or not at all

Both are minimised by Newton's method. The l2 problem is smooth; with the squared loss a single step gives the closed
form (Phi'Phi + lam I) w = Phi'(t - b). The l1 problem is smooth as long as no weight changes its sign, and its
optimality conditions say which columns should have weights: with G_j = d loss / d W_j

    W_j  = 0:   |G_j| <= lam                     the data do not pull hard enough
    W_j != 0:   G_j + lam W_j / |W_j| = 0        they pull exactly as hard as the penalty

So `l1` starts with no column; takes in the one that violates its condition most; makes a Newton step with the columns
that have weights, and stops those at 0 that would change sign on the way; and so on, until no condition is violated.
One column at a time, because neighbours in a kernel matrix are nearly equal: taken in together most would have to leave
again. For one output this is the feature-sign search of Lee, Battle, Raina and Ng (2007). Every step lowers J.

The conditions, computed afresh from W and b, also prove that the end is the end. J is convex, so that violations up to
tol lam leave J at most 2 tol J above its minimum (not counting what a better bias might gain; its own condition, that
the residuals sum to 0, is held to the same tolerance).
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import helmert
from scipy.linalg.lapack import dposv

from sparsekm_edu.complaints import warn
from sparsekm_edu.solvers.linear.likelihoods import Bernoulli, Softmax, Squared
from sparsekm_edu.validation import real_number, whole_number

EPS = np.finfo(float).eps
TOLERATED = 1e-2  # violation, in units of lam, that may be put down to rounding
LARGEST = 1e70  # of the numbers in Phi and t: the squares of their products must not overflow


@dataclass(frozen=True)
class PenalisedFit:
    """Weights w (M,) and bias b; for "softmax" (M, K) and (K,), with sums over the classes 0.

    objective: J; violation: by how much an optimality condition fails at most, in units of G_j; n_iter: Newton steps;
    converged: the violation is as small as tol asked for, or as rounding allows.
    """

    w: np.ndarray
    b: float | np.ndarray
    objective: float
    violation: float
    n_iter: int
    converged: bool

    @property
    def support(self):
        """Indices of the columns that have weights, (S,)."""
        return np.flatnonzero(self.w if self.w.ndim == 1 else self.w.any(axis=1))


def l1(Phi, t, lam, loss="squared", tol=1e-8, max_iter=3000):
    """Minimise loss + lam sum_j |W_j|.

    Parameters: Phi (N, M); t (N,), for "softmax" (N, K); lam > 0; loss "squared", "logistic" or "softmax"; tol > 0, the
    violation of the optimality conditions to reach, in units of lam; max_iter Newton steps at most.
    Returns: PenalisedFit, with exact zeros; with nothing else from lam = `largest_lam` on. Warns where tol was missed.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import l1
    >>> Phi, t = np.array([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0)]), np.array([3.0, 0.1, 3.1, 0.0])
    >>> print(l1(Phi, t, lam=1.0).w.round(3))
    [2.5 0. ]
    """
    return _minimise(Phi, t, loss, GroupNorm(real_number("lam", lam, above=0)), tol, max_iter)


def l2(Phi, t, lam, loss="squared", tol=1e-8, max_iter=100):
    """Minimise loss + lam sum_j |W_j|^2.

    Parameters and result as for `l1`, but tol is in units of `largest_lam`: the gradient to start with.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import l2
    >>> Phi, t = np.array([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0)]), np.array([3.0, 0.1, 3.1, 0.0])
    >>> print(l2(Phi, t, lam=1.0).w.round(3))
    [1.5  0.05]
    """
    return _minimise(Phi, t, loss, Square(real_number("lam", lam, above=0)), tol, max_iter)


def largest_lam(Phi, t, loss="squared"):
    """max_j |G_j| where all weights are 0: the smallest lam for which `l1` leaves it at that."""
    Phi, loss = _checked(Phi, t, loss)
    return float(_norms(Phi.T @ loss.slopes(loss.base())).max(initial=0.0))


def violation(Phi, t, lam, w, b, loss="squared", penalty="l1"):
    """By how much w and b (shapes as in PenalisedFit) violate the optimality conditions of `l1` or `l2`, a number >= 0.

    Parameters as for `l1`; penalty "l1" or "l2".
    """
    Phi, loss = _checked(Phi, t, loss, each_class=True)
    W = np.asarray(w)[:, None] if np.ndim(w) == 1 else np.asarray(w)
    R = loss.slopes(Phi @ W + b)
    penalty = {"l1": GroupNorm, "l2": Square}[penalty](real_number("lam", lam, above=0))
    return float(max(penalty.violations(W, Phi.T @ R).max(initial=0.0), _norms(R.sum(axis=0))))


class SquaredLoss(Squared):
    """Squared errors of t (N,) as a function of Y (N, 1)."""

    def __init__(self, t):
        super().__init__(t[:, None])

    def base(self):
        """The best Y that is the same for all points, (1, 1)."""
        return self.t.mean(axis=0, keepdims=True)

    def curvature(self, Y):
        """Second derivatives, (N, 1, 1)."""
        return super().curvature(Y)[:, :, None]


class LogisticLoss(Bernoulli):
    """The error of t (N,), 0 and 1, as a function of Y (N, 1)."""

    def __init__(self, t):
        super().__init__(t[:, None])
        self.t = t[:, None]

    def base(self):
        return np.log(self.t.sum(axis=0, keepdims=True) / (1.0 - self.t).sum(axis=0))

    def curvature(self, Y):
        return super().curvature(Y)[:, :, None]


class SoftmaxLoss(Softmax):
    """The error of t (N, K), one of K, at outputs Y basis, as a function of Y (N, L).

    The same number added to all outputs changes nothing, so K - 1 of them are enough: the rows of `basis` (K - 1, K)
    are orthogonal to each other and to (1, ..., 1), and of length 1, which leaves the penalties as they are.
    """

    def __init__(self, t, basis):
        super().__init__(t)
        self.t, self.basis = t, basis

    def base(self):
        return np.log(self.t.mean(axis=0, keepdims=True)) @ self.basis.T

    def error(self, Y):
        return super().error(Y @ self.basis)

    def slopes(self, Y):
        return super().slopes(Y @ self.basis) @ self.basis.T

    def curvature(self, Y):
        """Second derivatives, (N, L, L): of all K outputs they are diag(p) - p p'."""
        p, _ = self.probabilities(Y @ self.basis)
        mean = p @ self.basis.T
        return (p[:, None, :] * self.basis) @ self.basis.T - mean[:, :, None] * mean[:, None, :]


@dataclass(frozen=True)
class GroupNorm:
    """lam sum_j |W_j| for W (R, L): smooth, except where a W_j is 0."""

    lam: float
    sparse = True

    def value(self, W):
        return self.lam * float(_norms(W).sum())

    def gradient(self, W):
        """(R, L), for W without zero rows."""
        return self.lam * W / _norms(W)[:, None]

    def curvature(self, W):
        """(R, L, L): straight along W_j, bent across it (of which there is nothing for L = 1)."""
        norms = _norms(W)
        along = W / norms[:, None]
        return (self.lam / norms)[:, None, None] * (
            np.eye(W.shape[1]) - along[:, :, None] * along[:, None, :]
        )

    def violations(self, W, G):
        """By how much each column violates its optimality condition, (R,), for derivatives G (R, L) of the loss."""
        violations = np.maximum(_norms(G) - self.lam, 0.0)
        used = W.any(axis=1)
        violations[used] = _norms(G[used] + self.gradient(W[used]))
        return violations

    def way_to_zero(self, W, step):
        """How many steps (R, L) bring each W_j to 0, or to where it turns by 90 degrees, (R,); infinity for never."""
        inwards = -np.sum(W * step, axis=1)
        with np.errstate(over="ignore"):
            return np.divide(np.sum(W**2, axis=1), inwards, out=np.full(len(W), np.inf), where=inwards > 0)


@dataclass(frozen=True)
class Square:
    """lam sum_j |W_j|^2 for W (R, L)."""

    lam: float
    sparse = False

    def value(self, W):
        return self.lam * float(np.sum(W**2))

    def gradient(self, W):
        return 2.0 * self.lam * W

    def curvature(self, W):
        return 2.0 * self.lam * np.eye(W.shape[1])

    def violations(self, W, G):
        return _norms(G + self.gradient(W))

    def way_to_zero(self, W, step):
        return np.full(len(W), np.inf)  # nothing happens there


def _minimise(Phi, t, loss, penalty, tol, max_iter):
    """`l1` or `l2`, as the penalty says."""
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    Phi, loss = _checked(Phi, t, loss)

    F = np.column_stack([Phi, np.ones(len(Phi))])  # the bias is the weight of a last column, free of charge
    size, largest_t = np.abs(F), np.abs(loss.t).max()
    start = loss.base()
    V = np.vstack([np.zeros((Phi.shape[1], start.shape[1])), start])
    J = np.inf
    n_iter = stalled = 0
    while True:
        used = np.append(V[:-1].any(axis=1), True) if penalty.sparse else np.ones(len(V), dtype=bool)
        G = F.T @ loss.slopes(F[:, used] @ V[used])
        violations = np.append(penalty.violations(V[:-1], G[:-1]), _norms(G[-1]))
        if n_iter == 0:
            enough = tol * (penalty.lam if penalty.sparse else _norms(G).max())
        worst = violations.argmax()
        # what rounding alone may do to the conditions: there is no point in asking for less
        rounding = 4 * EPS * loss.steepest * (size.T @ (size[:, used] @ np.abs(V[used]) + largest_t)).max()
        if violations[worst] <= max(enough, rounding) or stalled > used.sum() or n_iter == max_iter:
            break
        if not used[worst]:
            # to the minimum of J along this column, if the loss bends there as much as it can: J falls
            pull = _norms(G[worst])
            V[worst] = -(pull - penalty.lam) / (loss.steepest * F[:, worst] @ F[:, worst]) * (G[worst] / pull)
            used[worst] = True
        before = J
        V[used], J = _newton_step(F[:, used], V[used], loss, penalty)
        stalled = 0 if before - J > 4 * EPS * before else stalled + 1
        n_iter += 1

    J = loss.error(F @ V) + penalty.value(V[:-1])
    negligible = TOLERATED * penalty.lam if penalty.sparse else np.inf
    converged = bool(violations[worst] <= max(enough, min(rounding, negligible)))
    if not converged:
        from sklearn.exceptions import ConvergenceWarning  # here: importing sklearn takes half a second

        warn(
            f"not converged after {n_iter} Newton steps (max_iter = {max_iter}): the optimality conditions fail by "
            f"{violations[worst]:.2g} > {enough:.2g} (tol = {tol:g}); raise max_iter, or lam = {penalty.lam:g}.",
            ConvergenceWarning,
        )
    if isinstance(loss, SoftmaxLoss):
        W, b = V[:-1] @ loss.basis, V[-1] @ loss.basis
    else:
        W, b = V[:-1, 0], float(V[-1, 0])
    return PenalisedFit(W, b, float(J), float(violations[worst]), n_iter, converged)


def _newton_step(F, V, loss, penalty):
    """One Newton step with the columns in use, F (N, R + 1), and their weights V (R + 1, L), the bias last.

    Returns: V and J, which is not larger than before; weights that would have changed sign are 0.
    """
    W, Y = V[:-1], F @ V
    J = loss.error(Y) + penalty.value(W)
    R = loss.slopes(Y)
    rounding = 4 * EPS * (J + float(np.sum(np.abs(R) * (np.abs(F) @ np.abs(V)))))
    gradient = F.T @ R
    gradient[:-1] += penalty.gradient(W)
    H = _hessian(F, loss.curvature(Y))
    each = np.arange(len(W))
    H[:, each, :, each] += penalty.curvature(W)
    step = -_solve(H.reshape(V.size, V.size), gradient.T.ravel()).reshape(V.T.shape).T

    way = penalty.way_to_zero(W, step[:-1])
    straight = min(0.0625, way.min(initial=1.0))  # so far no weight stops, and along the gradient J falls
    for length in (1.0, 0.5, 0.25, 0.125, *straight * 0.5 ** np.arange(40)):
        trial = V + length * step
        trial[:-1][way <= length] = 0.0
        reached = loss.error(F @ trial) + penalty.value(trial[:-1])
        # J fell by a fair part of what its slope promised, or as far as rounding lets us see
        if reached <= J + 1e-4 * np.sum(gradient * (trial - V)) + rounding:
            return trial, reached
    return V, J


def _hessian(F, B):
    """Second derivatives of the loss by the weights, (L, R + 1, L, R + 1), from those by Y, B (N, L, L)."""
    L, size = B.shape[1], F.shape[1]
    H = np.empty((L, size, L, size))
    for k in range(L):
        for other in range(k + 1):
            H[k, :, other] = H[other, :, k] = F.T @ (F * B[:, k, other, None])
    return H


def _solve(H, gradient):
    """H^-1 gradient for a positive semi-definite H, with the little on its diagonal that it takes to factorise it.

    Where that is not little, as there is no curvature left to speak of, the off-diagonal part is left out.
    """
    root = np.sqrt(np.maximum(np.diagonal(H), np.finfo(float).tiny))
    H = H / root[:, None] / root
    for jitter in (1e-14, 1e-12, 1e-10, 1e-8, 1e-6):
        np.fill_diagonal(H, 1.0 + jitter)
        _, solution, info = dposv(H, gradient / root)
        if info == 0:
            return solution / root
    return gradient / root**2


def _norms(W):
    """|W_j| of each row of W (R, L), (R,), or of a single one (L,)."""
    return np.abs(W[..., 0]) if W.shape[-1] == 1 else np.sqrt(np.einsum("...k,...k", W, W))


def _checked(Phi, t, loss, each_class=False):
    """Phi as an array and the loss as a function of Y; for "softmax" Y has a column for each class if so wished."""
    if loss not in ("squared", "logistic", "softmax"):
        raise ValueError(f"loss must be 'squared', 'logistic' or 'softmax', got {loss!r}.")
    Phi, t = np.asarray(Phi, dtype=float), np.asarray(t, dtype=float)
    if Phi.ndim != 2 or len(Phi) == 0 or not np.abs(Phi).max(initial=0.0) <= LARGEST:
        raise ValueError(f"Phi must be a matrix of numbers up to {LARGEST:g}, got shape {Phi.shape}.")
    if t.ndim != (2 if loss == "softmax" else 1) or len(t) != len(Phi) or not np.abs(t).max() <= LARGEST:
        raise ValueError(
            f"t must hold a target for each of the {len(Phi)} rows of Phi, up to {LARGEST:g}, got shape {t.shape}."
        )
    if loss == "squared":
        return Phi, SquaredLoss(t)
    if loss == "logistic":
        if not np.array_equal(np.unique(t), [0, 1]):
            raise ValueError("t must hold both classes, written 0 and 1, for the logistic loss.")
        return Phi, LogisticLoss(t)
    K = t.shape[1]
    if K < 2 or not (np.isin(t, (0, 1)).all() and (t.sum(axis=1) == 1).all() and t.any(axis=0).all()):
        raise ValueError(
            "t must have a single 1 in each row, and at least one in each column, for the softmax loss."
        )
    return Phi, SoftmaxLoss(t, np.eye(K) if each_class else helmert(K))
