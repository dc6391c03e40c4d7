"""The dual problem of support vector machines, its solution, and the referee that judges solutions.

Write v_n = a_n t_n for the coefficient of k(x, x_n) in y(x) = sum_n v_n k(x, x_n) + b, (7.13). In these
variables the hard margin (7.10)-(7.12) and the soft margin (7.32)-(7.34) are one problem,

    minimise    1/2 v' K v - target' v
    subject to  lo <= v <= hi,   sum_n v_n = 0,

and they differ in the box only. Every solver takes a `DualProblem` and returns a `DualSolution`; `kkt` checks
any solution from scratch, whoever found it.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from sparsekm_edu.validation import real_number


@dataclass(frozen=True, eq=False)
class DualProblem:
    """minimise 1/2 v'Kv - target'v subject to lo <= v <= hi and sum v = 0.

    K (N, N) symmetric Gram matrix; target, lo, hi (N,), with lo <= 0 <= hi so that v = 0 is allowed.
    Arrays are stored as C-ordered float64.
    """

    K: np.ndarray
    target: np.ndarray
    lo: np.ndarray
    hi: np.ndarray

    def __post_init__(self):
        object.__setattr__(self, "K", _gram(self.K))
        for name in ("target", "lo", "hi"):
            object.__setattr__(self, name, _vector(name, getattr(self, name), len(self.K)))

    @property
    def bounded(self):
        """True if the box is finite, as in soft margins: then an optimum always exists."""
        return bool(np.isfinite(self.lo).all() and np.isfinite(self.hi).all())


@dataclass(frozen=True, eq=False)
class DualSolution:
    """What a solver hands back: y(x) = sum_n v_n k(x, x_n) + b, and how it got there.

    v (N,); b; objective, the dual value L~(a) of (7.10) or (7.32), which solvers increase; n_iter; converged.
    """

    v: np.ndarray
    b: float
    objective: float
    n_iter: int
    converged: bool

    @property
    def a(self):
        """The book's multipliers a_n = |v_n|, (N,)."""
        return np.abs(self.v)

    @property
    def support(self):
        """Indices of the support vectors, those with a_n > 0."""
        return np.flatnonzero(self.v)


def hard_margin(K, t):
    """The widest margin for separable classes, (7.10)-(7.12): a_n >= 0 without upper limit.

    Parameters: K (N, N) Gram matrix; t (N,) labels -1 and +1.
    """
    return soft_margin(K, t, C=np.inf)


def soft_margin(K, t, C):
    """The margin that pays C for each unit of slack, (7.32)-(7.34): 0 <= a_n <= C.

    Parameters: K (N, N) Gram matrix; t (N,) labels -1 and +1; C > 0, one number or one per point (N,),
    infinity allowed.
    """
    t = _labels(t)
    C = _limits(C, len(t))
    return DualProblem(K, target=t, lo=np.where(t < 0, -C, 0.0), hi=np.where(t > 0, C, 0.0))


def gradient(problem, v):
    """g = K v - target, (N,): the gradient of the objective, and y(x_n) - b - target_n."""
    return problem.K @ v - problem.target


def dual_value(problem, v, g):
    """L~(a) = target'v - 1/2 v'Kv of (7.10) and (7.32), from the gradient g at v."""
    return 0.5 * float(v @ (problem.target - g))


def free_set(problem, v):
    """Indices of the free variables lo < v < hi: the support vectors exactly on the margin."""
    return np.flatnonzero((v > problem.lo) & (v < problem.hi))


def optimality_gap(problem, v, g):
    """How far v is from optimal: max of g where v may fall minus min of g where v may rise, never below 0.

    Moving weight from the first variable to the second keeps sum v = 0 and lowers the objective at this rate;
    when no such pair is left, all conditions (7.23)-(7.28) hold.
    """
    largest = np.max(g[v > problem.lo], initial=-np.inf)
    smallest = np.min(g[v < problem.hi], initial=np.inf)
    return max(0.0, float(largest - smallest))


def bias(problem, v, g):
    """The b of (7.37): minus the mean of g over the free variables.

    With no free variable any b between two limits is optimal; the book leaves the choice open, we take the
    middle.
    """
    free = free_set(problem, v)
    if len(free):
        return -float(np.mean(g[free]))  # (7.18), (7.37)
    return -0.5 * float(np.max(g[v > problem.lo]) + np.min(g[v < problem.hi]))


def restore_sum(problem, v):
    """Undo in place what rounding did to sum v = 0; the free variable farthest from its walls takes it all."""
    room = np.minimum(v - problem.lo, problem.hi - v)
    n, excess = np.argmax(room), v.sum()
    if room[n] > abs(excess):  # else every variable is as good as at a wall, and stays in the box
        v[n] -= excess


@dataclass(frozen=True)
class KKT:
    """The referee's numbers, all 0 for a perfect solution.

    violation: the optimality gap, in units of y; feasibility: the worst breach of box or sum v = 0;
    duality_gap: primal minus dual objective, an upper bound on what is left to gain.
    """

    violation: float
    feasibility: float
    duality_gap: float


def kkt(problem, solution):
    """Check a solution from scratch in float64; see KKT for the three numbers."""
    v = np.asarray(solution.v, dtype=float)
    g = gradient(problem, v)
    box = max(0.0, float(np.max(problem.lo - v)), float(np.max(v - problem.hi)))
    return KKT(
        violation=optimality_gap(problem, v, g),
        feasibility=max(box, abs(float(v.sum()))),
        duality_gap=float(_primal_value(problem, v, g, solution.b) - dual_value(problem, v, g)),
    )


def _primal_value(problem, v, g, b):
    """1/2 |w|^2 + sum of C_n xi_n, (7.21), at w = sum_n v_n phi(x_n).

    Points with infinite C allow no slack. There (w, b) is first scaled up until (7.5) holds, which no scaling
    can do for a point on the wrong side: then the value is infinite.
    """
    target = problem.target
    y = g + target + b  # (7.13) at the training points
    strict = np.isinf(np.where(target > 0, problem.hi, problem.lo))
    agreement = target[strict] * y[strict]  # t_n y(x_n)
    if np.any(agreement <= 0):
        return np.inf
    scale = max(1.0, 1.0 / np.min(agreement, initial=np.inf))
    slack = np.where(strict, 0.0, target - scale * y)
    below = np.where(slack > 0, problem.hi, 0.0) * np.maximum(slack, 0.0)
    above = np.where(slack < 0, -problem.lo, 0.0) * np.maximum(-slack, 0.0)
    return 0.5 * scale**2 * float(v @ (g + target)) + float(below.sum() + above.sum())


def warn_not_converged(problem, gap, tol, max_iter):
    """Say what was reached, and what usually helps."""
    from sklearn.exceptions import ConvergenceWarning  # here, because importing sklearn takes half a second

    C = max(problem.hi.max(), -problem.lo.min())
    text = f"not converged after max_iter = {max_iter}: KKT gap {gap:.2g} > tol = {tol:g} with C = {C:g}."
    size = np.sqrt(np.diagonal(problem.K).max())
    if size > 100:
        text += f" Feature vectors have lengths up to {size:.2g}: scaling the features usually helps."
    warnings.warn(text, ConvergenceWarning, stacklevel=3)


class NotSeparable(ValueError):
    """A hard margin was asked for, and there is none."""


def inseparable(margin_bound=None):
    """The error for a hard margin that does not exist."""
    proof = f" (any separating surface would have a margin below {margin_bound:.2g})" if margin_bound else ""
    return NotSeparable(f"the two classes are not separable with this kernel{proof}; use a finite C.")


def _gram(K):
    """K as a C-ordered float64 array: square, finite, symmetric to 1e-10 of its largest entry."""
    K = np.ascontiguousarray(K, dtype=float)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or len(K) == 0:
        raise ValueError(f"K must be a square matrix, got shape {K.shape}.")
    largest = max(K.max(), -K.min())  # nan if K holds nan
    if not np.isfinite(largest):
        raise ValueError("K must be finite, got NaN or infinity.")
    block = 128  # block by block: reading a large matrix along its columns is slow
    for start in range(0, len(K), block):
        rows, rest = slice(start, start + block), slice(start, None)
        difference = K[rows, rest] - K[rest, rows].T
        asymmetry = max(difference.max(), -difference.min())
        if asymmetry > 1e-10 * largest:
            raise ValueError(
                f"K must be symmetric, to 1e-10 of its largest entry, got a difference of {asymmetry:g}."
            )
    return K


def _vector(name, value, length):
    value = np.ascontiguousarray(value, dtype=float)
    if value.shape != (length,):
        raise ValueError(f"{name} must have shape ({length},) to go with K, got {value.shape}.")
    return value


def _labels(t):
    t = np.asarray(t, dtype=float)
    if t.ndim != 1 or set(np.unique(t)) != {-1.0, 1.0}:
        raise ValueError(f"t must be a vector holding both labels, -1 and +1, and no other value, got {t!r}.")
    return t


def _limits(C, length):
    """C for each point, (N,)."""
    if np.ndim(C) == 0:
        return np.full(length, real_number("C", C, above=0, infinite=True))
    C = np.asarray(C)
    if C.shape != (length,) or C.dtype.kind not in "iuf" or not (C > 0).all():  # `not >` also catches nan
        raise ValueError(f"C must be a number > 0 (infinity is allowed) or {length} of them, got {C!r}.")
    return C.astype(float)
