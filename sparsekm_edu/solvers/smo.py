"""Sequential minimal optimisation: solve the dual problem two variables at a time.

    minimise    1/2 v' K v - target' v
    subject to  lo <= v <= hi,   sum_n v_n = 0

One variable alone cannot move, because the v_n must keep their sum. Two can: raise v_i by d, lower v_j by d.
Along that line the objective is a parabola, so the best d has a formula, and if it leaves the box we stop at
the wall. That is one step, and it costs two rows of K.

Which pair? Keep the gradient g = K v - target up to date. Among the variables that may rise take as i the
one with the smallest g; among those that may fall take as j the one whose step with i gains most (Fan, Chen
and Lin, 2005). When the largest g that may fall is within tol of the smallest that may rise, no pair gains
anything worth having, and all KKT conditions (7.23)-(7.28) hold to within tol.

Pair steps are quick to find out which variables end up at a wall, and slow to settle the few that stay free
in between: those are coupled, and pairs approach their answer in a zigzag. So every hundred steps or more `polish`
solves for all free variables at once. With the others fixed at their walls, the optimum satisfies one small
linear system; we walk towards its solution until the first wall, drop the variable that hit it, and repeat.
Once the free set is right this lands on the answer to rounding error, whatever tol is.

A hard margin has no upper wall, and on classes that cannot be separated the dual value L grows for ever. By
weak duality every separating surface has a margin of at most 1 / sqrt(2 L), so as soon as that is negligible
against the extent of the data, we know that there is none worth the name and say so.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from sparsekm_edu.solvers.dual import (
    DualProblem,
    DualSolution,
    bias,
    dual_value,
    free_set,
    gradient,
    inseparable,
    optimality_gap,
    restore_sum,
    warn_not_converged,
)
from sparsekm_edu.validation import real_number, whole_number

try:
    from numba import njit
except ImportError:  # everything works without numba, only slower

    def njit(function=None, **_):
        return function if function else njit


MOST_FREE = 64  # polish while at most this many variables are free: beyond, the linear systems cost too much
MOST_WALKS = 3  # in one polish: who meets more walls has the wrong free set, and pair steps mend that faster
FINE = 1e-10  # the KKT gap at which polishing further has nothing left to do
SHARPEN = 5  # rounds spent on reaching FINE once tol is reached
NEGLIGIBLE = 1e-6  # distances in feature space below this part of the data's extent count as zero


def _jit(function):
    """Compile and keep the machine code on disk; where no place on disk can be found, only compile."""
    try:
        return njit(cache=True)(function)
    except RuntimeError:
        return njit(function)


@_jit
def _pair_steps(K, lo, hi, v, g, floor, n_steps, tol):
    """Take up to n_steps pair steps, changing v and g in place.

    Returns the last pair (i, j), its unclipped and actual step, its curvature, the KKT gap now, and the
    number of steps taken (fewer than n_steps once the gap is <= tol).
    """
    N = len(v)
    i = j = 0
    unclipped = d = curvature = gap = 0.0
    taken = 0
    while True:
        # One pass: bring g up to date with the last step, and find who may rise at the smallest g.
        smallest, largest, riser = np.inf, -np.inf, 0
        for n in range(N):
            g[n] += d * (K[i, n] - K[j, n])
            if v[n] < hi[n] and g[n] < smallest:
                smallest, riser = g[n], n
            if v[n] > lo[n] and g[n] > largest:
                largest = g[n]
        gap = max(0.0, largest - smallest)
        if gap <= tol or taken == n_steps:
            return i, j, unclipped, d, curvature, gap, taken

        # Second pass: with i fixed, the gain of pair (i, n) is slope^2 / (2 curvature); find the best n.
        i, best = riser, -1.0
        for n in range(N):
            slope = g[n] - smallest
            if v[n] > lo[n] and slope > 0.0:
                eta = K[i, i] + K[n, n] - 2.0 * K[i, n]  # |phi(x_i) - phi(x_n)|^2
                gain = slope * slope / max(eta, floor)  # duplicates have eta = 0
                if gain > best:
                    best, j, curvature = gain, n, eta
        unclipped = (g[j] - smallest) / max(curvature, floor)
        room_i, room_j = hi[i] - v[i], v[j] - lo[j]
        d = min(unclipped, room_i, room_j)
        v[i] = hi[i] if d == room_i else v[i] + d  # a wall is hit exactly, not to rounding error
        v[j] = lo[j] if d == room_j else v[j] - d
        taken += 1


@dataclass
class SMOState:
    """Where the algorithm stands: `advance` and `polish` change it in place.

    problem; v (N,); g (N,) gradient K v - target; gap, the KKT gap; floor, what counts as zero curvature;
    pair (i, j) of the last step, which raised v_i and lowered v_j by step (unclipped: what it would have been
    without walls); n_iter pair steps so far; least_curvature met, negative only if K is not positive
    semi-definite.
    """

    problem: DualProblem
    v: np.ndarray
    g: np.ndarray
    gap: float
    floor: float
    pair: tuple = (-1, -1)
    unclipped: float = 0.0
    step: float = 0.0
    n_iter: int = 0
    least_curvature: float = 0.0

    @classmethod
    def start(cls, problem, v=None):
        """The state at v, or at v = 0; a v from another problem is first made feasible for this one."""
        v = np.zeros(len(problem.K)) if v is None else _feasible(problem, v)
        g = gradient(problem, v) if v.any() else -problem.target
        return cls(problem, v, g, optimality_gap(problem, v, g), _negligible_curvature(problem.K))

    def refresh(self):
        """Compute sum v = 0, g and gap afresh: many small updates leave rounding errors in them."""
        restore_sum(self.problem, self.v)
        self.g = gradient(self.problem, self.v)
        self.gap = optimality_gap(self.problem, self.v, self.g)

    @property
    def objective(self):
        """The dual value L~(a), (7.32)."""
        return dual_value(self.problem, self.v, self.g)


def _negligible_curvature(K):
    """Squared distances in feature space below this count as zero.

    That is NEGLIGIBLE^2 of the data's squared extent (measured from the first point), plus the rounding errors
    of K, which are larger when the data lie far from the origin. The last term is for K = 0.
    """
    diagonal = np.diagonal(K)
    extent2 = np.max(diagonal - 2.0 * K[0] + K[0, 0])
    return NEGLIGIBLE**2 * max(extent2, 0.0) + 10 * np.finfo(float).eps * np.abs(diagonal).max() + 1e-100


def _feasible(problem, v):
    """The warm start v moved into the box, then the heavier sign scaled down until sum v = 0."""
    v = np.array(v, dtype=float)
    if v.shape != problem.target.shape or not np.isfinite(v).all():
        raise ValueError(f"v must be finite with shape {problem.target.shape}, got shape {v.shape}.")
    np.clip(v, problem.lo, problem.hi, out=v)
    up, down = v[v > 0].sum(), -v[v < 0].sum()
    v[v > 0] *= min(up, down) / up if up else 0.0
    v[v < 0] *= min(up, down) / down if down else 0.0
    return v


def advance(state, n_steps, tol):
    """Take n_steps pair steps, fewer if the KKT gap falls to tol."""
    problem = state.problem
    i, j, unclipped, step, curvature, state.gap, taken = _pair_steps(
        problem.K, problem.lo, problem.hi, state.v, state.g, state.floor, n_steps, tol
    )
    if taken:
        state.pair, state.unclipped, state.step = (i, j), unclipped, step
        state.n_iter += taken
        state.least_curvature = min(state.least_curvature, curvature)


def bordered_solve(K_FF, r, ridge):
    """Solve (K_FF + ridge I) d + mu 1 = r, sum d = 0: the optimality conditions on a set F of free variables.

    Parameters: K_FF (k, k); r (k,); ridge > 0, so small that it matters only where K_FF is singular (duplicated
    points, or more free points than features). Returns: d (k,), mu.
    """
    k = len(K_FF)
    means = K_FF.mean(axis=0)
    A = np.ones((k + 1, k + 1))
    A[:k, :k] = K_FF - means - means[:, None] + means.mean()  # sum d = 0 allows it, and it loses fewer digits
    A[np.arange(k), np.arange(k)] += ridge
    A[k, k] = 0.0
    d = np.linalg.solve(A, np.append(r, 0.0))[:k]
    return d, np.mean(r - K_FF @ d)


def polish(state):
    """Move all free variables together to their joint optimum, walls permitting.

    Newton's direction on the free set F solves K_FF d + mu = -g_F with sum d = 0. Walk it to the minimum
    along the line or to the first wall, whichever comes first; at a wall F loses a variable, and we look
    again, a few times (with infinite C as often as it takes: there only the walls at 0 can stop us). Where more
    than MOST_FREE variables are free, those with the worst gradients move.
    """
    problem, v, g = state.problem, state.v, state.g
    free = free_set(problem, v)
    if len(free) > MOST_FREE:
        worst_first = np.argsort(-np.abs(g[free] - g[free].mean()))
        free = free[worst_first[:MOST_FREE]]
    rows = problem.K[free]
    K_FF, g_F, v_F, lo_F, hi_F = rows[:, free], g[free], v[free], problem.lo[free], problem.hi[free]
    moving = np.arange(len(free))
    for _ in range(MOST_WALKS if problem.bounded else len(free)):
        if len(moving) < 2:
            break
        slopes = g_F[moving] - g_F[moving].mean()  # a constant in g is the multiplier of sum v = 0, no slope
        d, _ = bordered_solve(K_FF[np.ix_(moving, moving)], -slopes, state.floor)
        change = d @ K_FF[moving]  # of g_F, for a walk of length 1
        slope = slopes @ d
        if not slope < 0:
            break  # rounding error is all that is left
        curvature = max(change[moving] @ d, state.floor * (d @ d))  # 0 where the hard margin has no optimum
        wall = np.where(d > 0, hi_F[moving], lo_F[moving])
        room = np.full(len(d), np.inf)
        np.divide(wall - v_F[moving], d, out=room, where=d != 0)
        first = int(np.argmin(room))
        walk = min(-slope / curvature, room[first])
        v_F[moving] = np.clip(v_F[moving] + walk * d, lo_F[moving], hi_F[moving])  # no rounding through walls
        g_F += walk * change
        if walk < room[first]:
            break
        v_F[moving[first]] = wall[first]
        moving = np.delete(moving, first)
    g += (v_F - v[free]) @ rows
    v[free] = v_F
    state.gap = optimality_gap(problem, v, g)


def smo(problem, tol=1e-3, max_iter=1_000_000, v=None):
    """Solve a dual problem by pair steps and polishing.

    Parameters: problem, a DualProblem; tol > 0, the KKT gap to reach (in units of y); max_iter pair steps at
    most; v (N,) where to start, for instance the solution of a similar problem.
    Returns: DualSolution. Warns if tol was not reached. Raises ValueError if a hard margin does not exist.
    """
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    state = SMOState.start(problem, v)
    # a larger dual value proves that no margin exceeds sqrt(floor)
    largest_value = np.inf if problem.bounded else 0.5 / state.floor
    sharpening = 0
    while state.n_iter < max_iter and sharpening < SHARPEN:
        n_free = len(free_set(problem, state.v))
        aim = min(tol, FINE) if n_free <= MOST_FREE else tol
        advance(state, min(100 + 10 * n_free, max_iter - state.n_iter), aim)
        polish(state)
        if state.objective > largest_value:
            state.refresh()  # no proof by rounding errors
            if state.objective > largest_value:
                raise inseparable(1.0 / np.sqrt(2.0 * state.objective))
        if state.gap <= tol:
            state.refresh()
        if state.gap <= aim:
            break
        sharpening += state.gap <= tol
    state.refresh()
    if state.gap > tol:
        warn_not_converged(problem, state.gap, tol, max_iter)
    if state.least_curvature < -state.floor:
        warnings.warn(
            "K is not positive semi-definite: the solution found may be a local optimum only.", stacklevel=2
        )
    return DualSolution(
        v=state.v,
        b=bias(problem, state.v, state.g),
        objective=state.objective,
        n_iter=state.n_iter,
        converged=state.gap <= tol,
    )


@dataclass(frozen=True, eq=False)
class SMOStep:
    """One pair step, for players and tests: who moved, how far, and where that led.

    pair (i, j): v_i rose and v_j fell by step; unclipped, the step without walls; v (N,), objective and gap
    after the step.
    """

    pair: tuple
    unclipped: float
    step: float
    v: np.ndarray
    objective: float
    gap: float


def smo_steps(problem, tol=1e-3, max_iter=1_000_000):
    """Textbook SMO, one pair step at a time and without polishing, until the KKT gap is <= tol."""
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    state = SMOState.start(problem)
    while state.gap > tol and state.n_iter < max_iter:
        advance(state, 1, tol)
        yield SMOStep(state.pair, state.unclipped, state.step, state.v.copy(), state.objective, state.gap)
