"""The dual problem of every support vector machine, its solution, and the referee that judges solutions.

Write v_n for the coefficient of k(x, x_n) in y(x) = sum_n v_n k(x, x_n) + b: v_n = a_n t_n in classification,
(7.13), v_n = a_n - a-hat_n in regression, (7.64), v_n = a_n for one class. In these variables all support vector
machines of the course are one problem,

    minimise    1/2 v' K v - target' v + epsilon sum_n |v_n|
    subject to  lo <= v <= hi,   sum_{n in group g} v_n = total_g for each group g;

formulations.py says which vectors make it which machine. Every solver takes a `DualProblem` and returns a
`DualSolution`; `kkt` checks any solution from scratch, whoever found it.
"""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.complaints import warn
from sparsekm_edu.jit import plain
from sparsekm_edu.solvers.dual.gram import Gram, as_gram
from sparsekm_edu.validation import Impossible, real_number


@dataclass(frozen=True, eq=False)
class DualProblem:
    """minimise 1/2 v'Kv - target'v + epsilon sum |v_n| subject to lo <= v <= hi and sum_{group g} v = total_g.

    gram: K (N, N) symmetric, as an array or as a Gram that computes its rows on demand; target, lo, hi (N,), with
    lo <= 0 <= hi; epsilon >= 0; group (N,) of numbers 0 and 1, or None for one group; total, one number or one per
    group. Arrays are stored as C-ordered float64, and not copied if they are that already: to write into K afterwards
    is to change the problem.

    doubled: true in nu-regression, where each of the N points has two variables, -a-hat_n (first half) and a_n (second
    half). Then v, target, lo, hi and group are (2N,), and K stands for [[K, K], [K, K]], which is never built.
    """

    gram: Gram
    target: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    epsilon: float = 0.0
    group: np.ndarray | None = None
    total: np.ndarray | float = 0.0
    doubled: bool = False

    def __post_init__(self):
        keep = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731 (the class is frozen)
        keep("gram", as_gram(self.gram))
        N = len(self.gram) * (2 if self.doubled else 1)
        for name in ("target", "lo", "hi"):
            keep(name, _vector(name, getattr(self, name), N))
        keep("epsilon", real_number("epsilon", self.epsilon, at_least=0))
        keep("group", _vector("group", np.zeros(N) if self.group is None else self.group, N).astype(int))
        keep("total", np.atleast_1d(np.asarray(self.total, dtype=float)))
        if not self.total.any():
            return  # v = 0 will do
        least, most = self.group_sums(self.lo), self.group_sums(self.hi)
        within_reach = np.clip(self.total, least, most)  # where only rounding errors are in the way
        if not np.all(np.abs(within_reach - self.total) <= 1e-12 * np.abs(self.total)):
            raise ValueError(
                f"total must lie between {least} and {most} to be within reach, got {self.total}."
            )
        keep("total", within_reach)

    @property
    def K(self):
        """The whole Gram matrix of the points, (N, N)."""
        return self.gram.matrix()

    @property
    def point(self):
        """The point that each variable belongs to: 0 ... N-1, and in a doubled problem once more."""
        return np.arange(len(self.target)) % len(self.gram)

    def per_point(self, v):
        """What the variables of each point add up to, (N,): the coefficient of k(x, x_n) in y(x)."""
        return v.reshape(2, -1).sum(axis=0) if self.doubled else v

    def times(self, v):
        """K v, one entry per variable."""
        product = self.gram.times(self.per_point(v))
        return np.tile(product, 2) if self.doubled else product

    @property
    def bounded(self):
        """True if the box is finite, as in soft margins: then an optimum always exists."""
        return bool(np.isfinite(self.lo).all() and np.isfinite(self.hi).all())

    def group_sums(self, v):
        """The sum of v over each group, (G,)."""
        if len(self.total) == 1:
            return np.array([v.sum()])
        return np.bincount(self.group, weights=v, minlength=len(self.total))


@dataclass(frozen=True, eq=False, repr=False)
class DualSolution:
    """What a solver hands back: y(x) = sum_n v_n k(x, x_n) + b, and how it got there.

    v (N,); b; objective, the dual value L~(a) of (7.10), (7.32) or (7.61), which solvers increase; n_iter;
    converged. In regression a_hat (N,) holds the multipliers of the points below the tube. nu-classification finds
    its margin rho, nu-regression the half-width epsilon of its tube; elsewhere these are None.
    """

    v: np.ndarray
    b: float
    objective: float
    n_iter: int
    converged: bool
    a_hat: np.ndarray | None = None
    rho: float | None = None
    epsilon: float | None = None

    def __repr__(self):
        return (
            f"{type(self).__name__}: {len(self.support)} of {len(self.v)} support vectors, objective "
            f"{self.objective:.4f}, {self.n_iter} iterations, {'' if self.converged else 'not '}converged"
        )

    @property
    def a(self):
        """The book's multipliers a_n, (N,): |v_n|, in regression those of the points above the tube."""
        return np.abs(self.v) if self.a_hat is None else self.v + self.a_hat

    @property
    def support(self):
        """Indices of the support vectors, those with v_n other than 0."""
        return np.flatnonzero(self.v)


# ------------------------------------------------------------------ optimality, and the referee


def gradient(problem, v):
    """g = K v - target, (N,): the gradient of the smooth part of the objective, and y(x_n) - b - target_n."""
    return problem.times(v) - problem.target


def dual_value(problem, v, g):
    """L~(a) = target'v - 1/2 v'Kv - epsilon sum |v_n| of (7.10), (7.32) and (7.61), from the gradient g at v."""
    return 0.5 * float(v @ (problem.target - g)) - problem.epsilon * float(np.abs(v).sum())


def free_set(problem, v):
    """Indices of the free variables, neither at a wall nor at 0: the support vectors exactly on margin or tube."""
    return np.flatnonzero((v > problem.lo) & (v < problem.hi) & (v != 0))


def slopes(problem, v):
    """What raising and lowering v_n does to the objective, beyond the gradient g_n: rise, fall, (N,) each.

    One more unit of v_n costs g_n + rise_n, and one unit less saves g_n + fall_n: -epsilon or +epsilon, depending on
    the side of the kink at 0; and +infinity or -infinity where a wall is in the way. (`_prices` in smo.py says the same
    of one variable, for compiled loops.)
    """
    rise = np.where(v < problem.hi, np.where(v >= 0, problem.epsilon, -problem.epsilon), np.inf)
    fall = np.where(v > problem.lo, np.where(v > 0, problem.epsilon, -problem.epsilon), -np.inf)
    return rise, fall


def cheapest_rise_dearest_fall(problem, v, g):
    """The least that raising a variable costs, and the most that lowering one saves, per group: (G,) each."""
    rise, fall = slopes(problem, v)
    members = (
        [problem.group == k for k in range(len(problem.total))] if len(problem.total) > 1 else [slice(None)]
    )
    cheapest = np.array([np.min(g[who] + rise[who], initial=np.inf) for who in members])
    dearest = np.array([np.max(g[who] + fall[who], initial=-np.inf) for who in members])
    return cheapest, dearest


def optimality_gap(problem, v, g):
    """How far v is from optimal: the most that moving weight within a group can gain per unit, never below 0.

    Lowering one variable and raising another of its group keeps the sum. When no such pair gains anything, all
    KKT conditions hold: (7.23)-(7.28) for the soft margin, (7.65)-(7.68) for regression.
    """
    cheapest, dearest = cheapest_rise_dearest_fall(problem, v, g)
    return max(0.0, float(np.max(dearest - cheapest)))


def multipliers(problem, v, g):
    """The multiplier of each group's sum, (G,): minus the mean slope over its free variables, (7.37) and (7.69).

    For one group this is b. With no free variable any value between two limits is optimal; the book leaves the
    choice open, and we take the middle (if one limit is infinite, the other).
    """
    free = free_set(problem, v)
    slope = g[free] + problem.epsilon * np.sign(v[free])
    member = problem.group[free]
    result = np.empty(len(problem.total))
    for k in range(len(result)):
        mine = slope[member == k]
        if len(mine):
            result[k] = -mine.sum() / len(mine)  # (7.18), (7.37), (7.69)
        else:
            ends = np.array(cheapest_rise_dearest_fall(problem, v, g))[:, k]
            result[k] = -np.mean(ends[np.isfinite(ends)])
    return result


def conclude(problem, v, g, n_iter, converged):
    """The DualSolution at v, whose gradient is g."""
    m = multipliers(problem, v, g)
    spread = 0.5 * float(m[-1] - m[0])
    found = {
        "b": float(m.mean()),
        "objective": dual_value(problem, v, g),
        "n_iter": n_iter,
        "converged": converged,
    }
    if problem.doubled:
        a_hat, a = np.split(v * np.sign(problem.hi + problem.lo), 2)
        return DualSolution(a - a_hat, **found, a_hat=a_hat, epsilon=spread)
    if np.any((problem.lo < 0) & (problem.hi > 0)):
        return DualSolution(v, **found, a_hat=np.maximum(-v, 0.0))
    return DualSolution(v, **found, rho=spread if len(m) == 2 else None)


def variables(problem, solution):
    """The variables of the problem, as `conclude` found them: v, or -a-hat and a where the problem has both."""
    return np.append(-solution.a_hat, solution.a) if problem.doubled else np.asarray(solution.v, dtype=float)


def feasible(problem, v=None):
    """The v given, or 0, moved into the box, and then to the right sums: where solvers may start, (N,).

    What is missing or left over in a group is made up for variable by variable: first by moving towards 0, then,
    where the total is not 0, away from it.
    """
    v = np.zeros(len(problem.target)) if v is None else np.array(v, dtype=float)
    if v.shape != problem.target.shape or not np.isfinite(v).all():
        raise ValueError(f"v must be finite with shape {problem.target.shape}, got shape {v.shape}.")
    np.clip(v, problem.lo, problem.hi, out=v)
    dust = 1e-14 * np.abs(v).max()
    for k, missing in enumerate(problem.total - problem.group_sums(v)):
        if missing == 0:
            continue
        side = np.sign(missing)
        member = problem.group == k
        room = np.where(member & (v * side < 0), np.abs(v), 0.0)
        moved = _in_order(room, abs(missing))
        v += side * moved
        left = abs(missing) - moved.sum()
        if left > 1e-14 * abs(missing):
            wall = problem.hi if side > 0 else -problem.lo
            v += side * _in_order(np.where(member, wall - side * v, 0.0), left)
    v[np.abs(v) <= dust] = 0.0  # what rounding has left of variables that were to become 0
    return v


def _in_order(room, amount):
    """Share out an amount from the first to the last, each as much as there is room for, (N,)."""
    room = np.where(np.isinf(room), amount, room)  # more than that nobody takes
    before = np.cumsum(room) - room
    return np.clip(amount - before, 0.0, room)


def onto_walls(problem, v, near):
    """Put variables that are near a wall, or near the kink at 0, onto it, and restore the sums; in place.

    Parameters: near >= 0, one number or one per variable.
    """
    for wall in (0.0, problem.lo, problem.hi):
        np.copyto(v, wall, where=np.abs(v - wall) <= near)
    restore_sum(problem, v)


def restore_sum(problem, v):
    """Undo in place what rounding did to the sums; the variable farthest from walls and kink takes it all."""
    room = np.minimum(np.abs(v), np.minimum(v - problem.lo, problem.hi - v))
    excess = problem.group_sums(v) - problem.total
    for k in np.flatnonzero(excess):
        n = np.argmax(np.where(problem.group == k, room, -1.0))
        if room[n] > abs(excess[k]):  # else every variable is as good as at a wall, and stays in the box
            v[n] -= excess[k]


@dataclass(frozen=True)
class KKT:
    """The referee's numbers, all 0 for a perfect solution.

    violation: the optimality gap, in units of y; feasibility: the worst breach of a box or of a sum;
    duality_gap: primal minus dual objective, an upper bound on what is left to gain.
    """

    violation: float
    feasibility: float
    duality_gap: float


def kkt(problem, solution):
    """Check a solution from scratch in float64; see KKT for the three numbers.

    >>> from dataclasses import replace
    >>> from sparsekm_edu import datasets
    >>> from sparsekm_edu.solvers import kkt, smo, soft_margin
    >>> X, t = datasets.separable()
    >>> problem = soft_margin(X @ X.T, t, C=10.0)
    >>> solution = smo(problem)
    >>> for v in solution.v, 0.0 * solution.v:
    ...     print(f"violation {kkt(problem, replace(solution, v=v)).violation:.3f}")
    violation 0.000
    violation 2.000
    """
    v = variables(problem, solution)
    g = gradient(problem, v)
    box = max(0.0, float(np.max(problem.lo - v)), float(np.max(v - problem.hi)))
    return KKT(
        violation=optimality_gap(problem, v, g),
        feasibility=max(box, float(np.abs(problem.group_sums(v) - problem.total).max())),
        duality_gap=float(_primal_value(problem, v, g, solution) - dual_value(problem, v, g)),
    )


def _primal_value(problem, v, g, solution):
    """1/2 |w|^2 + sum of C_n xi_n, (7.21) and (7.55), plus total_g times the multiplier of each group.

    Here w = sum_n v_n phi(x_n), and the slack is what is left of |target_n - y(x_n)| beyond epsilon.
    Points with infinite C allow no slack. There (w, b) is first scaled up until (7.5) holds, which no scaling
    can do for a point on the wrong side: then the value is infinite.
    """
    named = [spread for spread in (solution.rho, solution.epsilon) if spread is not None]  # at most one is
    between = np.array([-1.0, 1.0]) if len(problem.total) == 2 else np.zeros(1)
    b = solution.b + between * (named[0] if named else 0.0)
    target = problem.target
    y = g + target + b[problem.group]  # (7.13) at the training points
    strict = np.isinf(np.where(target > 0, problem.hi, problem.lo))
    agreement = target[strict] * y[strict]  # t_n y(x_n)
    if np.any(agreement <= 0):
        return np.inf
    scale = max(1.0, 1.0 / np.min(agreement, initial=np.inf))
    slack = np.where(strict, 0.0, target - scale * y)
    above = np.maximum(slack - problem.epsilon, 0.0)  # xi_n of (7.53)
    below = np.maximum(-slack - problem.epsilon, 0.0)  # xi-hat_n of (7.54)
    paid = np.where(above > 0, problem.hi, 0.0) @ above - np.where(below > 0, problem.lo, 0.0) @ below
    return 0.5 * scale**2 * float(v @ (g + target)) + float(paid) + float(b @ problem.total)


def warn_not_converged(problem, gap, tol, n_iter, max_iter):
    """Say what was reached, and what usually helps."""
    from sklearn.exceptions import ConvergenceWarning  # here, because importing sklearn takes half a second

    C = max(problem.hi.max(), -problem.lo.min())
    when = (
        f"after max_iter = {max_iter}"
        if n_iter >= max_iter
        else f"in {n_iter} iterations, and no better in more"
    )
    text = f"not converged {when}: KKT gap {gap:.2g} > tol = {tol:g} with C = {C:g}."
    size = np.sqrt(problem.gram.diagonal.max())
    if size > 100:
        text += f" Feature vectors have lengths up to {size:.2g}: scaling the features usually helps."
    warn(text, ConvergenceWarning)


class NotSeparable(Impossible):
    """A hard margin was asked for, and there is none."""


def inseparable(margin_bound=None):
    """The error for a hard margin that does not exist."""
    proof = f" (any separating surface would have a margin below {margin_bound:.2g})" if margin_bound else ""
    return NotSeparable(f"the two classes are not separable with this kernel{proof}; use a finite C.")


def _vector(name, value, length):
    value = plain(value)
    if value.shape != (length,):
        raise ValueError(f"{name} must have shape ({length},) to go with K, got {value.shape}.")
    return value
