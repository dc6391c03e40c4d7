"""Sequential minimal optimisation: solve the dual problem two variables at a time.

    minimise    1/2 v' K v - target' v + epsilon sum_n |v_n|
    subject to  lo <= v <= hi,   sum_{n in group g} v_n = total_g

How the solver works
--------------------
**A pair.** One variable alone cannot move, because the v_n must keep their sum. Two of the same group can: raise v_i by
d, lower v_j by d. Along that line the objective is a parabola, so the best d has a formula, and if it leaves the box we
stop at the wall (Platt, 1999). That is one step, and it costs two rows of K. In regression the term epsilon |v_n| has a
kink at 0, which is treated as a wall too: the next step may go on from there.

**Which pair?** Keep the gradient g = K v - target up to date. Raising v_n costs g_n + epsilon per unit (g_n - epsilon
while v_n < 0), and lowering it saves as much. Take as i the variable that is cheapest to raise, and as j the partner
with which it gains most: the slope squared over twice the curvature of the parabola, hence "second-order" (Fan, Chen
and Lin, 2005). "First-order" takes the pair with the steepest slope, and "random" any pair that gains. When the most
that lowering saves is within tol of the least that raising costs, in every group, no pair gains anything worth having,
and all KKT conditions, (7.23)-(7.28) or (7.65)-(7.68), hold to within tol: that difference is the KKT gap.

**The polish.** Pair steps are quick to find out which variables end up at a wall, and slow to settle the few that stay
free in between: those are coupled, and pairs approach their answer in a zigzag. So after every few steps we solve for
all free variables at once. With the others held at their walls, the optimum satisfies one small linear system
(`bordered_inverse`); we walk towards its solution until the first wall, drop the variable that hit it, and look again.
Ten pair steps bring in those that want to move, the polish settles them: the free set never grows far beyond what it
will be, and once it is right the polish lands on the answer to rounding error, whatever tol is. When many variables
are free the linear system costs more than it gains, and pair steps do the work alone.

**The certificate.** At the end v is put exactly onto walls that it touches to within rounding, and g and the gap are
computed afresh. If the gap is still above tol after max_iter steps, a warning says how far we got.

**No margin.** A hard margin has no upper wall, and on classes that cannot be separated the dual value L grows for ever.
By weak duality every separating surface has a margin of at most 1 / sqrt(2 L), so as soon as that is negligible
against the extent of the data, we know that there is none worth the name and say so.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparsekm_edu.complaints import warn
from sparsekm_edu.jit import jit
from sparsekm_edu.solvers.dual.problem import (
    DualProblem,
    conclude,
    dual_value,
    feasible,
    gradient,
    inseparable,
    onto_walls,
    warn_not_converged,
)
from sparsekm_edu.validation import real_number, whole_number

RULES = ("second-order", "first-order", "random")
SECOND_ORDER, FIRST_ORDER, RANDOM = range(3)
MOST_FREE = 200  # sharpen beyond tol while at most this many variables are free: beyond, it costs too much
FINE = 1e-12  # the KKT gap at which polishing further has nothing left to do
SHARPEN = 20  # rounds spent on reaching FINE once tol is reached
STRETCH = 2000  # pair steps after which everything is computed afresh: rounding errors add up
SOON = (
    50  # the same for a hard margin: where there is none, v grows until rounding errors drown the dual value
)
MOST_FALSE_ALARMS = 100  # how often a gap below tol may turn out to be made of rounding errors
NO_DRAWS = np.empty((0, 2))
NEGLIGIBLE = 1e-6  # distances in feature space below this part of the data's extent count as zero
EPS = np.finfo(float).eps


class Box(NamedTuple):
    """What stays as it is while the solver works: the problem, and the curvature that counts as zero (floor).

    K is that of the points, P x P, and so is the diagonal, (P,); the other vectors are (N,), with N = 2 P where points
    have two variables. The row of variable n is then row n % P of K, twice in a row.
    """

    K: np.ndarray
    diagonal: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    epsilon: float
    group: np.ndarray
    floor: float


class Work(NamedTuple):
    """What is changed in place: v (N,), its gradient g (N,), and the prices of the variables in each group, (G, N).

    Prices are those of `_prices` for members of the group, infinite for all others.
    """

    v: np.ndarray
    g: np.ndarray
    rise: np.ndarray
    fall: np.ndarray


@jit
def _prices(v, lo, hi, epsilon):
    """What one more unit of v costs and one less saves, beyond the gradient; infinite where a wall is in the way.

    (`slopes` in problem.py says the same of all variables at once.)
    """
    rise = np.inf if v >= hi else (epsilon if v >= 0.0 else -epsilon)
    fall = -np.inf if v <= lo else (epsilon if v > 0.0 else -epsilon)
    return rise, fall


@jit
def _pair_steps(box, work, rule, draws, n_before, n_steps, tol):
    """Take up to n_steps pair steps, after n_before others; draws (M, 2) holds two numbers for each of the random rule.

    Returns the last pair (i, j), its unclipped and actual step, the least curvature of all pairs (0 if none is below),
    the KKT gap now, and the number of steps taken (fewer than n_steps once the gap is <= tol).
    """
    K, diagonal, lo, hi, epsilon, _, floor = box
    v, g, rise, fall = work
    N, P = len(v), len(K)
    i = j = taken = 0
    unclipped = d = least_curvature = 0.0
    while True:
        # Bring g up to date with the last step; then find, in each group, who rises at the least cost.
        K_i, K_j = K[i % P], K[j % P]
        for start in range(0, N, P):
            part = g[start : start + P]
            for n in range(P):
                part[n] += d * (K_i[n] - K_j[n])
        gap, cheapest, dearest, riser, k = 0.0, np.inf, -np.inf, -1, 0
        for this in range(len(rise)):
            least, most, who = np.inf, -np.inf, -1
            for n in range(N):
                cost = g[n] + rise[this, n]
                if cost < least:
                    least, who = cost, n
                most = max(most, g[n] + fall[this, n])
            if most - least > gap:
                gap, cheapest, dearest, riser, k = most - least, least, most, who, this
        if gap <= tol or taken == n_steps:
            return i, j, unclipped, d, least_curvature, gap, taken

        # With i fixed, pair (i, n) gains slope^2 / (2 curvature); find the best n.
        i = riser
        if rule == RANDOM:  # or any that gains, and any partner with which it does
            draw = draws[(n_before + taken) % len(draws)]
            i = int(draw[0] * N)
            while not g[i] + rise[k, i] < dearest:
                i = (i + 1) % N
            cheapest = g[i] + rise[k, i]
            j = int(draw[1] * N)
            while not g[j] + fall[k, j] > cheapest:
                j = (j + 1) % N
        else:
            best, K_i, K_ii = 0.0, K[i % P], diagonal[i % P]
            for start in range(0, N, P):
                part, part_fall = g[start : start + P], fall[k][start : start + P]
                for n in range(P):
                    slope = part[n] + part_fall[n] - cheapest
                    if slope > 0.0:
                        eta = 1.0
                        if rule == SECOND_ORDER:
                            eta = max(K_ii + diagonal[n] - 2.0 * K_i[n], floor)
                        if slope * slope > best * eta:
                            best, j = slope * slope / eta, start + n
        curvature = diagonal[i % P] + diagonal[j % P] - 2.0 * K[i % P, j % P]  # |phi(x_i) - phi(x_j)|^2
        least_curvature = min(least_curvature, curvature)  # negative only if K is not positive semi-definite
        unclipped = (g[j] + fall[k, j] - cheapest) / max(curvature, floor)
        top = hi[i] if v[i] >= 0.0 else 0.0  # the kink at 0 is a wall too
        bottom = lo[j] if v[j] <= 0.0 else 0.0
        d = min(unclipped, top - v[i], v[j] - bottom)
        v[i] = top if d == top - v[i] else v[i] + d  # a wall is hit exactly, not to rounding error
        v[j] = bottom if d == v[j] - bottom else v[j] - d
        rise[k, i], fall[k, i] = _prices(v[i], lo[i], hi[i], epsilon)
        rise[k, j], fall[k, j] = _prices(v[j], lo[j], hi[j], epsilon)
        taken += 1


@jit
def _invert(A):
    """Replace a symmetric positive definite matrix by its inverse, one row and column after the other (Gauss, Jordan).

    Without pivoting, as the matrix is positive definite; in the lower half alone, as it stays symmetric.
    """
    k = len(A)
    column = np.empty(k)
    for p in range(k):
        for q in range(k):
            column[q] = A[p, q] if q <= p else A[q, p]
        pivot = column[p]
        for m in range(k):
            factor = column[m] / pivot
            for q in range(m + 1):
                A[m, q] -= factor * column[q]
        for q in range(k):
            A[max(p, q), min(p, q)] = column[q] / pivot
        A[p, p] = -1.0 / pivot
    for m in range(k):
        for q in range(m + 1):
            A[m, q] = A[q, m] = -A[m, q]


@jit
def bordered_inverse(K_FF, moving, group_F, n_groups, ridge):
    """H (k, k) such that d = H r solves (K_FF + ridge I) d + mu_g = r with sum d = 0 in each group.

    These are the optimality conditions on a set F of free variables. Parameters: K_FF (k, k); moving (k,), 1 for the
    variables that take part and 0 for those that stay; group_F (k,); ridge > 0, so small that it matters only where
    K_FF is singular (duplicated points, or more free points than features).
    """
    k, count = len(K_FF), moving.sum()
    mean, overall, size = np.zeros(k), 0.0, ridge
    for p in range(k):
        for q in range(k):
            mean[p] += moving[q] * K_FF[p, q] / count
        overall += moving[p] * mean[p] / count
    for p in range(k):
        size = max(size, moving[p] * (K_FF[p, p] - 2.0 * mean[p] + overall))
    H = np.zeros((k, k))
    for p in range(k):
        H[p, p] = 1.0 - moving[p]
        for q in range(k):
            if moving[p] * moving[q] > 0.0:
                # sums of 0 let us add any function of one index, and a constant per group: that saves digits
                H[p, q] = K_FF[p, q] - mean[p] - mean[q] + overall
                if group_F[p] == group_F[q]:
                    H[p, q] += size
        H[p, p] += ridge
    _invert(H)
    for this in range(n_groups):  # now make sums vanish, group by group
        towards = np.zeros(k)
        total = 0.0
        for p in range(k):
            for q in range(k):
                if group_F[q] == this:
                    towards[p] += moving[q] * H[p, q]
            if group_F[p] == this:
                total += moving[p] * towards[p]
        if total > 0.0:
            _remove(H, towards, total)
    return H


@jit
def _remove(H, s, size):
    """H - s s' / size, in place: the inverse under one more condition."""
    for p in range(len(s)):
        factor = s[p] / size
        for q in range(len(s)):
            H[p, q] -= factor * s[q]


@jit
def _times(A, x):
    """A x for a symmetric matrix A."""
    product = np.zeros(len(x))
    for p in range(len(x)):
        for q in range(len(x)):
            product[q] += x[p] * A[p, q]
    return product


@jit
def _dot(x, z):
    """x'z."""
    total = 0.0
    for p in range(len(x)):
        total += x[p] * z[p]
    return total


@jit
def _off_course(slope, change, moving, group_F, n_groups):
    """True if a full walk would leave more than a tenth of the slopes: then H has lost its digits."""
    left = slope + change
    _centre(left, moving, group_F, n_groups)
    return _dot(left, left) > 0.01 * _dot(slope, slope)


@jit
def _centre(x, moving, group_F, n_groups):
    """Subtract from x, in place, its mean over the moving members of each group; the others become 0."""
    total, count = np.zeros(n_groups), np.zeros(n_groups)
    for p in range(len(x)):
        total[group_F[p]] += moving[p] * x[p]
        count[group_F[p]] += moving[p]
    for p in range(len(x)):
        x[p] = x[p] - total[group_F[p]] / count[group_F[p]] if moving[p] > 0.0 else 0.0


@jit
def _polish(box, work):
    """Move all free variables together to their joint optimum, walls permitting; returns how many there were.

    Newton's direction d on the free set F solves K_FF d + mu_g = -slope_F with sum d = 0 in each group. Walk it to the
    minimum along the line or to the first wall, whichever comes first; at a wall F loses a variable, and we look again.
    """
    K, _, lo, hi, epsilon, group, ridge = box
    v, g, rise, fall = work
    N, P, n_groups, k = len(v), len(K), len(rise), 0
    free = np.empty(N, dtype=np.int64)
    for n in range(N):
        if lo[n] < v[n] < hi[n] and v[n] != 0.0:
            free[k] = n
            k += 1
    if k < 2:
        return k
    K_FF, group_F = np.empty((k, k)), np.empty(k, dtype=np.int64)
    v_F, slope, moving = np.empty(k), np.empty(k), np.ones(k)  # moving: 0 once at a wall
    for p in range(k):
        n = free[p]
        group_F[p], v_F[p], slope[p] = group[n], v[n], g[n] + (epsilon if v[n] > 0.0 else -epsilon)
        for q in range(k):
            m = free[q]
            K_FF[p, q] = K[n % P, m if m < P else m - P]  # m % P would take longer

    H, fresh = bordered_inverse(K_FF, moving, group_F, n_groups, ridge), True
    for _ in range(2 * k):
        # A constant in a group's slopes is the multiplier of its sum, and moves nobody.
        _centre(slope, moving, group_F, n_groups)
        d = _times(H, -slope)  # Newton's direction
        _centre(d, moving, group_F, n_groups)
        change = _times(K_FF, d)  # of the slopes, for a walk of length 1
        if not fresh and _off_course(slope, change, moving, group_F, n_groups):
            H, fresh = bordered_inverse(K_FF, moving, group_F, n_groups, ridge), True
            continue
        descent = _dot(slope, d)
        if not descent < 0.0:
            break  # rounding error is all that is left
        curvature = max(
            _dot(change, d), ridge * _dot(d, d)
        )  # never 0, not even where a hard margin has no optimum
        walk = -descent / curvature
        hit, wall = -1, 0.0
        for p in range(k):
            if d[p] != 0.0:
                limit = hi[free[p]] if d[p] > 0.0 else lo[free[p]]
                if limit * v_F[p] < 0.0:
                    limit = 0.0  # the kink comes before the wall
                if (limit - v_F[p]) / d[p] <= walk:
                    walk, hit, wall = (limit - v_F[p]) / d[p], p, limit
        for p in range(k):
            v_F[p] += walk * d[p]
            slope[p] += walk * change[p]
        if hit < 0:
            break
        v_F[hit], moving[hit], fresh = wall, 0.0, False
        _remove(H, H[hit].copy(), H[hit, hit])  # the inverse without the variable that is at its wall now

    for p in range(k):
        n = free[p]
        new = min(max(v_F[p], lo[n]), hi[n])  # no rounding through walls
        for start in range(0, N, P):
            part, row = g[start : start + P], K[n % P]
            for m in range(P):
                part[m] += (new - v[n]) * row[m]
        v[n] = new
        rise[group[n], n], fall[group[n], n] = _prices(new, lo[n], hi[n], epsilon)
    return k


@jit
def _survey(box, work, draws):
    """Fill rise and fall from v; returns the KKT gap."""
    v, _, rise, fall = work
    rise.fill(np.inf)
    fall.fill(-np.inf)
    for n in range(len(v)):
        k = box.group[n]
        rise[k, n], fall[k, n] = _prices(v[n], box.lo[n], box.hi[n], box.epsilon)
    _, _, _, _, _, gap, _ = _pair_steps(box, work, SECOND_ORDER, draws, 0, 0, 0.0)  # no step, only a look
    return gap


@jit
def _rounds(box, work, rule, draws, n_before, n_steps, tol, fine):
    """Alternate pair steps and polishing until the KKT gap is <= tol, and <= fine where that is cheap.

    Returns the gap, the number of pair steps taken (n_steps at most), and the least curvature met.
    """
    v, lo, hi = work.v, box.lo, box.hi
    N, taken, sharpening, least_curvature = len(v), 0, 0, 0.0
    k = 0
    for n in range(N):
        k += lo[n] < v[n] < hi[n] and v[n] != 0.0
    while True:
        aim = min(tol, fine) if k <= MOST_FREE else tol
        share = min(10 + k // 10 + k**3 // (50 * N), n_steps - taken)  # more, the longer a polish takes
        _, _, _, _, curvature, gap, steps = _pair_steps(box, work, rule, draws, n_before + taken, share, aim)
        taken += steps
        least_curvature = min(least_curvature, curvature)
        sharpening += gap <= tol
        if gap <= aim or sharpening > SHARPEN or taken >= n_steps:
            return gap, taken, least_curvature
        k = _polish(box, work)


@dataclass
class SMOState:
    """Where the algorithm stands: `advance` and `improve` change it in place.

    problem; box and work, the same as arrays for compiled loops, see `Box` and `Work`; rule, how pairs are chosen;
    draws, random numbers for the rule that needs them; dust, what rounding may leave of the v at the start; gap, the
    KKT gap; pair (i, j) of the last step, which raised v_i and lowered v_j by step (unclipped: what it would have been
    without walls); n_iter pair steps so far; least_curvature met, negative only if K is not positive semi-definite.
    """

    problem: DualProblem
    box: Box
    work: Work
    rule: int
    draws: np.ndarray
    dust: float
    gap: float = np.inf
    pair: tuple = (-1, -1)
    unclipped: float = 0.0
    step: float = 0.0
    n_iter: int = 0
    least_curvature: float = 0.0

    @classmethod
    def start(cls, problem, v=None, rule="second-order"):
        """The state at v, or near v = 0; a v that is not feasible for this problem is first made so."""
        if rule not in RULES:
            raise ValueError(f"rule must be one of {list(RULES)}, got {rule!r}.")
        draws = np.random.default_rng(0).random((1009, 2)) if rule == "random" else NO_DRAWS
        v = feasible(problem, v)
        g = gradient(problem, v) if v.any() else -problem.target
        work = Work(v, g, *np.empty((2, len(problem.total), len(v))))
        box = Box(
            problem.K,
            problem.gram.diagonal.copy(),
            problem.lo,
            problem.hi,
            problem.epsilon,
            problem.group,
            _negligible_curvature(problem),
        )
        state = cls(problem, box, work, RULES.index(rule), draws, 1e-15 * np.abs(v).max())
        state.survey()
        return state

    @property
    def v(self):
        """The variables now, (N,)."""
        return self.work.v

    @property
    def g(self):
        """Their gradient K v - target, (N,)."""
        return self.work.g

    def survey(self):
        """Compute prices and gap afresh."""
        self.gap = _survey(self.box, self.work, self.draws)

    def refresh(self):
        """Compute g, prices and gap afresh: many small updates leave rounding errors in v and in them."""
        onto_walls(self.problem, self.v, max(self.dust, 1e-13 * np.abs(self.v).max()))
        self.g[:] = gradient(self.problem, self.v)
        self.survey()

    @property
    def objective(self):
        """The dual value L~(a), (7.32)."""
        return dual_value(self.problem, self.v, self.g)


def _negligible_curvature(problem):
    """Squared distances in feature space below this count as zero.

    That is NEGLIGIBLE^2 of the data's squared extent (measured from the first point), plus the rounding errors
    of K, which are larger when the data lie far from the origin. The last term is for K = 0.
    """
    extent2, largest = problem.gram.squared_extent(), np.abs(problem.gram.diagonal).max()
    return NEGLIGIBLE**2 * max(extent2, 0.0) + 10 * EPS * largest + 1e-100


def largest_value(problem):
    """A dual value beyond this proves that no margin is worth the name; infinite for a soft margin, as there is one."""
    return np.inf if problem.bounded else 0.5 / _negligible_curvature(problem)


def warn_if_indefinite(state):
    """Say so, if a pair has met a negative curvature."""
    if state.least_curvature < -state.box.floor:
        warn("K is not positive semi-definite: the solution found may be a local optimum only.")


def advance(state, n_steps, tol):
    """Take n_steps pair steps, fewer if the KKT gap falls to tol."""
    i, j, unclipped, step, curvature, state.gap, taken = _pair_steps(
        state.box, state.work, state.rule, state.draws, state.n_iter, n_steps, tol
    )
    if taken:
        state.pair, state.unclipped, state.step = (i, j), unclipped, step
        state.n_iter += taken
        state.least_curvature = min(state.least_curvature, curvature)


def improve(state, n_steps, tol, fine):
    """Alternate pair steps (n_steps at most) and polishing until the KKT gap is <= tol, and <= fine where cheap."""
    state.gap, taken, curvature = _rounds(
        state.box, state.work, state.rule, state.draws, state.n_iter, n_steps, tol, fine
    )
    state.n_iter += taken
    state.least_curvature = min(state.least_curvature, curvature)


def polish(state):
    """Move all free variables together to their joint optimum, walls permitting."""
    _polish(state.box, state.work)
    advance(state, 0, 0.0)  # the gap now


def smo(problem, tol=1e-3, max_iter=1_000_000, v=None, rule="second-order"):
    """Solve a dual problem by pair steps and polishing.

    Parameters: problem, a DualProblem; tol > 0, the KKT gap to reach (in units of y); max_iter pair steps at
    most; v (N,) where to start, for instance the solution of a similar problem; rule, how pairs are chosen:
    "second-order", "first-order" or "random".
    Returns: DualSolution. Warns if tol was not reached. Raises ValueError if a hard margin does not exist.

    >>> from sparsekm_edu import datasets
    >>> from sparsekm_edu.solvers import smo, soft_margin
    >>> X, t = datasets.separable()
    >>> solution = smo(soft_margin(X @ X.T, t, C=10.0))
    >>> print("support vectors", solution.support, "and b =", round(solution.b, 3))
    support vectors [ 4 15 18] and b = -0.126
    """
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    state = SMOState.start(problem, v, rule)
    most, false_alarms = largest_value(problem), 0
    stretch = STRETCH if problem.bounded else SOON
    while True:
        before = state.n_iter
        improve(state, min(stretch, max_iter - before), tol, FINE)
        promised, settled = state.gap <= tol, state.n_iter < before + stretch
        state.refresh()  # no certificate and no proof by rounding errors
        if state.objective > most:
            raise inseparable(1.0 / np.sqrt(2.0 * state.objective))
        false_alarms += promised and state.gap > tol  # K is so large that rounding errors alone exceed tol
        if (state.gap <= tol and settled) or state.n_iter >= max_iter or false_alarms == MOST_FALSE_ALARMS:
            break
    if state.gap > tol:
        warn_not_converged(problem, state.gap, tol, state.n_iter, max_iter)
    warn_if_indefinite(state)
    return conclude(problem, state.v, state.g, state.n_iter, converged=state.gap <= tol)


@dataclass(frozen=True, eq=False)
class SMOStep:
    """One pair step, for players and tests: who moved, in which box, how far, and where that led; or the start.

    v (N,), objective and gap after n_iter steps; pair (i, j): v_i rose and v_j fell by step; unclipped, the step with
    no walls; box ((lo_i, hi_i), (lo_j, hi_j)), the walls that could have stopped it, the kink at 0 included; before
    (2,), unclipped_optimum (2,) and optimum (2,), v_i and v_j before the step, at the minimum of the parabola, and
    where the walls left them. At the start (n_iter = 0) there is no pair, and nothing that belongs to one.
    """

    v: np.ndarray
    objective: float
    gap: float
    n_iter: int
    pair: tuple | None = None
    unclipped: float = 0.0
    step: float = 0.0
    box: tuple | None = None
    before: tuple | None = None

    @property
    def unclipped_optimum(self):
        """v_i and v_j at the minimum of the parabola."""
        return self.before[0] + self.unclipped, self.before[1] - self.unclipped

    @property
    def optimum(self):
        """v_i and v_j after the step."""
        i, j = self.pair
        return float(self.v[i]), float(self.v[j])


def smo_steps(problem, tol=1e-3, max_iter=1_000_000, rule="second-order"):
    """Textbook SMO, one pair step at a time and without polishing, until the KKT gap is <= tol.

    Parameters: as for `smo`, which reaches the same tol with the polish in between. Yields an SMOStep for the start and
    after each step.
    """
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    state = SMOState.start(problem, rule=rule)
    yield SMOStep(state.v.copy(), state.objective, state.gap, 0)
    while state.gap > tol and state.n_iter < max_iter:
        v = state.v.copy()
        advance(state, 1, tol)
        i, j = state.pair
        box = (
            (float(problem.lo[i] if v[i] < 0 else 0.0), float(problem.hi[i] if v[i] >= 0 else 0.0)),
            (float(problem.lo[j] if v[j] <= 0 else 0.0), float(problem.hi[j] if v[j] > 0 else 0.0)),
        )
        before = float(v[i]), float(v[j])
        now = state.v.copy(), state.objective, state.gap, state.n_iter
        yield SMOStep(*now, state.pair, state.unclipped, state.step, box, before)
