"""Support vector machines for K classes that are one problem: Weston and Watkins (1999), Lee, Lin and Wahba (2004).

Every class has a function f_k(x) = w_k' phi(x) + b_k of its own, and all of them are found together (PRML 7.1.3):

    minimise    1/2 sum_k |w_k|^2  +  sum_n C_n sum_{k != t_n} max(0, margin - c_nk' f(x_n))

where the vector c_nk (K,) says what point n of class t_n asks of a wrong class k:

    Weston-Watkins    c_nk = e_{t_n} - e_k,   margin = 2           its own class beats k by 2
    Lee               c_nk = 1/K - e_k,       margin = 1 / (K-1)   f_k <= -1/(K-1), if all f_k sum to 0

The dual has a multiplier a_j for every pair j = (n, k) of a point and a wrong class, M = N (K-1) in all:

    minimise    1/2 a' Q a - margin sum_j a_j,      Q_ij = k(x_{n_i}, x_{n_j}) c_i' c_j
    subject to  0 <= a_j <= C_{n_j},   sum_j a_j c_j = 0

and w_k = sum_n v_nk phi(x_n) with the rows v_n = sum_{j of point n} a_j c_j. The equality comes from the biases, as
(7.34) does. It ties all classes together: often no two variables can move without a third, so that SMO, which moves
two at a time, gets stuck. We use an interior-point method, the algorithm inside general-purpose solvers, written out.

How it works. With slopes h = Q a - margin + c b and multipliers z_lo, z_hi >= 0 of the two walls, the conditions
for an optimum are

    h = z_lo - z_hi,   sum_j a_j c_j = 0,   a_j z_lo_j = 0,   (C_j - a_j) z_hi_j = 0.

The last two make the problem hard: who is at which wall? So ask for mu > 0 instead of 0. That keeps every variable
off its walls, makes the conditions smooth, and Newton's method solves them; mu falls at every step (Mehrotra, 1992,
tells how fast), and the walls emerge. Every step solves a linear system of M equations, and 10 to 30 steps do,
whatever the data. At the end `_polish` puts those variables onto a wall that only mu still held off it, and solves for
the others exactly.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cho_factor, cho_solve, null_space
from scipy.optimize import linprog

from sparsekm_edu.complaints import warn
from sparsekm_edu.solvers.dual.formulations import limits
from sparsekm_edu.solvers.dual.gram import as_gram
from sparsekm_edu.solvers.dual.problem import KKT
from sparsekm_edu.solvers.dual.qp import TIGHT, check_positive_semidefinite
from sparsekm_edu.validation import real_number, whole_number

FINE = 1e-12  # relative accuracy to aim at
SMALL = 1e-10  # slopes below this part of the margin count as zero
RIDGE = 1e-8  # for the linear systems of the polish, which may be singular
MOST_WALKS = 100  # of the polish; a handful is usual
TOUCHING = 1e-6  # Clarabel never touches a wall: what is this part of the box away from it counts as touching


@dataclass(frozen=True, eq=False)
class JointProblem:
    """minimise 1/2 a'Qa - margin sum a subject to 0 <= a <= limit and sum_j a_j c_j = 0; see the module.

    K (N, N) Gram matrix; point (M,) the point n_j of each variable; c (M, n_classes), rows that sum to 0; margin > 0;
    limit (M,), the C of each variable. The variables of a point stand together.
    """

    K: np.ndarray
    point: np.ndarray
    c: np.ndarray
    margin: float
    limit: np.ndarray

    @property
    def Q(self):
        """The matrix of the dual, (M, M)."""
        return self.K[np.ix_(self.point, self.point)] * (self.c @ self.c.T)

    def coefficients(self, a):
        """The rows v_n = sum_{j of point n} a_j c_j, (N, n_classes), of f(x) = sum_n v_n k(x, x_n) + b."""
        v = np.zeros((len(self.K), self.c.shape[1]))
        np.add.at(v, self.point, a[:, None] * self.c)
        return v

    def slopes(self, a, b=0.0):
        """h_j = c_j' f(x_{n_j}) - margin, (M,): how far every margin is exceeded; the gradient of the dual if b = 0."""
        f = self.K @ self.coefficients(a) + b
        return np.einsum("jk,jk->j", self.c, f[self.point]) - self.margin

    def dual_value(self, a):
        """margin sum a - 1/2 a'Qa, which solvers increase."""
        return 0.5 * float(a @ (self.margin - self.slopes(a)))


@dataclass(frozen=True, eq=False)
class JointSolution:
    """What a solver hands back: f(x) = sum_n v_n k(x, x_n) + b for all classes at once, and how it got there.

    a (M,) multipliers; v (N, n_classes); b (n_classes,), with sum 0; objective, the dual value; n_iter; converged.
    """

    a: np.ndarray
    v: np.ndarray
    b: np.ndarray
    objective: float
    n_iter: int
    converged: bool

    @property
    def support(self):
        """Indices of the support vectors, the points with a non-zero coefficient."""
        return np.flatnonzero(self.v.any(axis=1))


def weston_watkins(K, label, C):
    """Each point wants its own class to beat every other by 2.

    Parameters: K (N, N) Gram matrix; label (N,) class indices 0, 1, ..., each of them present; C > 0, one number or
    one per point (N,), finite. With two classes it is the soft margin of the same C, with y = (f_1 - f_0) / 2.
    """
    K, label, C, point, wrong = _pairs(K, label, C)
    unit = np.eye(label.max() + 1)
    return JointProblem(K, point, unit[label[point]] - unit[wrong], margin=2.0, limit=C[point])


def lee(K, label, C):
    """Each point wants every wrong f_k <= -1/(K-1), so that its own is >= 1: all of them sum to 0.

    Parameters: as for weston_watkins. With two classes it is the soft margin with C/2, y = (f_1 - f_0) / 2.
    """
    K, label, C, point, wrong = _pairs(K, label, C)
    n_classes = label.max() + 1
    c = 1.0 / n_classes - np.eye(n_classes)[wrong]
    return JointProblem(K, point, c, margin=1.0 / (n_classes - 1), limit=C[point])


def _pairs(K, label, C):
    """Checked arrays, and all pairs of a point and a wrong class: point (M,), wrong (M,)."""
    K, label = as_gram(K).matrix(), np.asarray(label)
    n_classes = len(np.unique(label))
    if label.shape != (len(K),) or n_classes < 2 or set(np.unique(label)) != set(range(n_classes)):
        raise ValueError(
            f"label must hold {len(K)} class indices 0, 1, ... of at least two classes, each present, got {label!r}."
        )
    point, wrong = np.nonzero(label[:, None] != np.arange(n_classes))
    return K, label.astype(int), limits(C, len(K), infinite=False), point, wrong


def joint_kkt(problem, solution):
    """Check a solution from scratch; see KKT for the three numbers.

    violation: where a_j = 0 the margin must be reached, h_j >= 0; at the limit h_j <= 0; in between h_j = 0.
    """
    a, b = np.asarray(solution.a, dtype=float), np.asarray(solution.b, dtype=float)
    h = problem.slopes(a, b)
    # 1/2 sum_k |w_k|^2 = 1/2 a'Qa, and a'Qa = a'(h + margin) for b = 0
    primal = 0.5 * a @ (problem.slopes(a) + problem.margin) + problem.limit @ np.maximum(-h, 0.0)
    box = max(0.0, float(np.max(-a)), float(np.max(a - problem.limit)))
    return KKT(
        violation=_violation(problem, a, h),
        feasibility=max(box, float(np.abs(a @ problem.c).max())),
        duality_gap=float(primal - problem.dual_value(a)),
    )


def _violation(problem, a, h):
    breach = np.maximum(np.where(a < problem.limit, -h, 0.0), np.where(a > 0, h, 0.0))
    return max(0.0, float(breach.max()))


def interior_point(problem, tol=1e-3, max_iter=100):
    """Solve a joint problem by Mehrotra's predictor-corrector method, then exactly on the walls it has found.

    Parameters: problem, a JointProblem; tol > 0, the KKT violation above which we warn (the solver itself always aims
    at full precision); max_iter Newton steps at most.
    Returns: JointSolution. If K is not positive semi-definite, the problem is not convex: then we warn and solve it for
    the nearest K that is, with all negative eigenvalues put to 0.
    """
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    problem = _convex(problem)
    state = _Interior(problem)
    n_iter = 0
    while n_iter < max_iter and state.gap > FINE * problem.margin * state.a.sum():
        state.factorise()
        predictor = d, _, d_lo, d_hi = state.newton(0.0, 0.0)  # straight at the optimum: mu = 0
        left = state.gap_after(predictor, state.longest(predictor)) / state.gap
        mu = left**3 * state.gap / (2 * len(d))  # the farther the predictor got, the smaller mu may be
        # the same system once more, with the products d d_lo and -d d_hi that the predictor neglected
        corrected = state.newton(mu - d * d_lo, mu + d * d_hi)
        state.move(corrected, min(1.0, 0.995 * state.longest(corrected)))
        n_iter += 1
    return _conclude(problem, _polish(problem, state), FINE, n_iter, tol, max_iter)


def _convex(problem):
    """The problem itself, or with the nearest K that makes it convex, and a warning."""
    try:
        check_positive_semidefinite(problem.K)
        return problem
    except ValueError as error:
        warn(f"{error} Negative eigenvalues are taken as 0.")
        phi = _features(problem.K)
        return replace(problem, K=phi @ phi.T)


class _Interior:
    """A point between the walls: 0 < a < limit, z_lo > 0, z_hi > 0, all (M,), and b (n_classes,)."""

    def __init__(self, problem):
        self.problem = problem
        self.Q = problem.Q
        self.a = 0.5 * problem.limit
        self.b = np.zeros(problem.c.shape[1])
        self.z_lo = np.maximum(self.slopes, 0.0) + problem.margin
        self.z_hi = np.maximum(-self.slopes, 0.0) + problem.margin

    @property
    def slopes(self):
        return self.Q @ self.a - self.problem.margin + self.problem.c @ self.b

    @property
    def room(self):
        return self.problem.limit - self.a

    @property
    def gap(self):
        """What is missing in a z_lo = 0 and room z_hi = 0; for feasible points, the duality gap."""
        return self.a @ self.z_lo + self.room @ self.z_hi

    def gap_after(self, step, length):
        d, _, d_lo, d_hi = (length * part for part in step)
        return (self.a + d) @ (self.z_lo + d_lo) + (self.room - d) @ (self.z_hi + d_hi)

    def factorise(self):
        """Prepare the linear systems of this point: eliminating z leaves (Q + Theta) d + c db = r, c'd = -c'a."""
        A, diagonal = self.Q.copy(), self.Q.diagonal()
        ridge = 10 * len(A) * np.finfo(float).eps * diagonal.max()  # rounding must not make A indefinite
        np.fill_diagonal(A, diagonal + self.z_lo / self.a + self.z_hi / self.room + ridge)
        self.factor = cho_factor(A, lower=True, overwrite_a=True, check_finite=False)
        self.A_c = cho_solve(self.factor, self.problem.c, check_finite=False)

    def newton(self, lo, hi):
        """The step (d, db, d_lo, d_hi) towards a z_lo = lo, room z_hi = hi and all other conditions."""
        c, a, room, z_lo, z_hi = self.problem.c, self.a, self.room, self.z_lo, self.z_hi
        d = cho_solve(self.factor, lo / a - hi / room - self.slopes, check_finite=False)
        # c'd = -c'a determines db up to a constant, and lstsq returns the smallest, which keeps sum b = 0
        db = np.linalg.lstsq(c.T @ self.A_c, c.T @ (d + a), rcond=FINE)[0]
        d -= self.A_c @ db
        return d, db, (lo - z_lo * d) / a - z_lo, (hi + z_hi * d) / room - z_hi

    def longest(self, step):
        """The part of a step, at most 1, after which the first variable reaches its wall."""
        d, _, d_lo, d_hi = step
        shares = np.max([-d / self.a, d / self.room, -d_lo / self.z_lo, -d_hi / self.z_hi])
        return 1.0 / max(1.0, shares)

    def move(self, step, length):
        d, db, d_lo, d_hi = (length * part for part in step)
        self.a, self.b, self.z_lo, self.z_hi = self.a + d, self.b + db, self.z_lo + d_lo, self.z_hi + d_hi


def _polish(problem, state):
    """Put variables onto their walls and solve for the free ones: h = 0 and sum_j a_j c_j = 0, exactly.

    Whoever is closer to a wall than its multiplier is to 0 seems to be at that wall. From there, the active-set method:
    walk towards the solution on the free variables; the first to reach a wall stays there; once the free ones are
    settled, the wall variable whose slope points inwards most steeply is set free; until there is none.
    Returns the best a met.
    """
    Q, c, limit, margin, b = state.Q, problem.c, problem.limit, problem.margin, state.b
    lower, upper = state.a / limit < state.z_lo / margin, state.room / limit < state.z_hi / margin
    a = np.where(lower, 0.0, np.where(upper, limit, state.a))
    best, least, length = a, np.inf, 0.0
    for _ in range(MOST_WALKS):
        h = Q @ a - margin + c @ b
        error = max(_violation(problem, a, h) / margin, np.abs(a @ c).max() / limit.max())
        stuck = error >= 0.5 * least
        if error < least:
            best, least = a, error
        if least <= FINE:
            break
        if length == 1.0:  # nobody stopped the last walk
            inward = np.where(lower, -h, np.where(upper, h, 0.0))
            steepest = np.argmax(inward)
            if inward[steepest] > SMALL * margin:
                lower[steepest] = upper[steepest] = False
            elif stuck:  # rounding error is all that is left
                break

        free = np.flatnonzero(~(lower | upper))
        d, db = _bordered_step(Q[np.ix_(free, free)], c[free], -h[free], -(a @ c))
        wall = np.where(d > 0, limit[free], 0.0)
        room = np.full(len(free), np.inf)
        np.divide(wall - a[free], d, out=room, where=d != 0)
        length = min(1.0, np.min(room, initial=np.inf))
        a, b = a.copy(), b + length * db
        a[free] = np.clip(a[free] + length * d, 0.0, limit[free])
        if length < 1.0:
            first = np.argmin(room)
            a[free[first]] = wall[first]
            lower[free[first]], upper[free[first]] = wall[first] == 0.0, wall[first] > 0.0
    return best


def _bordered_step(Q_FF, c_F, r, excess):
    """Solve Q_FF d + c_F db = r, c_F' d = excess: Newton's step on a set F of free variables.

    Ridges on both diagonal blocks make the system solvable for any F. They shorten steps in directions in which
    nothing is at stake, and the next step makes up for it.
    """
    k, n_classes = c_F.shape
    scale = np.max(Q_FF.diagonal(), initial=1e-100)
    A = np.block([[Q_FF / scale, c_F], [c_F.T, np.zeros((n_classes, n_classes))]])
    np.fill_diagonal(A, A.diagonal() + RIDGE * np.repeat([1.0, -1.0], [k, n_classes]))
    step = np.linalg.solve(A, np.append(r, scale * excess))
    return step[:k] / scale, step[k:]


def _conclude(problem, a, close, n_iter, tol, max_iter):
    """The solution at a, with a warning if it is not one. Closer to a wall than this part of the box is at the wall."""
    a = np.where(
        a <= close * problem.limit, 0.0, np.where(a >= (1 - close) * problem.limit, problem.limit, a)
    )
    b = _biases(problem, a)
    violation = _violation(problem, a, problem.slopes(a, b))
    if violation > tol:
        from sklearn.exceptions import ConvergenceWarning  # here, because sklearn is slow to import

        text = f"not converged after {n_iter} iterations (max_iter = {max_iter}): KKT violation {violation:.2g} > "
        text += f"tol = {tol:g} with C = {problem.limit.max():g}."
        size = np.sqrt(problem.K.diagonal().max())
        if size > 100:
            text += f" Feature vectors have lengths up to {size:.2g}: scaling the features usually helps."
        warn(text, ConvergenceWarning)
    return JointSolution(a, problem.coefficients(a), b, problem.dual_value(a), n_iter, violation <= tol)


def _biases(problem, a):
    """The biases b (n_classes,), sum 0, that go with a: what (7.37) is for two classes.

    A free variable fixes c_j' b, and we take the least-squares solution. In the directions that the free variables
    leave open any b between the limits set by the variables at the walls is optimal; we take the one in the middle:
    its least distance from all limits is as large as it can be, then its second least, and so on. The middle does not
    depend on how often a point is repeated, nor on the order of points and classes.
    """
    c, may_rise, may_fall = problem.c, a < problem.limit, a > 0
    g = -problem.slopes(a)  # c'b >= g where a may rise, c'b <= g where it may fall
    free = may_rise & may_fall
    ones = np.ones((1, c.shape[1]))
    b = np.linalg.lstsq(np.vstack([c[free], ones]), np.append(g[free], 0.0))[0]  # (7.37)
    directions = null_space(c[free].T @ c[free] + ones, rcond=1e-10)  # in which b is not fixed yet
    rows, ends = np.vstack([-c[may_rise], c[may_fall]]), np.append(-g[may_rise], g[may_fall])
    while directions.shape[1]:
        matter = np.abs(rows @ directions).max(axis=1) > 1e-10
        rows, ends = rows[matter], ends[matter]
        # maximise s subject to rows (b + directions z) + s <= ends
        A = np.column_stack([rows @ directions, np.ones(len(rows))])
        cost = np.append(np.zeros(directions.shape[1]), -1.0)
        best = linprog(cost, A_ub=A, b_ub=ends - rows @ b, bounds=(None, None))
        if best.status:
            break  # happens only where a is no solution, which its violation will tell
        b = b + directions @ best.x[:-1]
        tight = best.ineqlin.marginals < -1e-10
        directions = directions @ null_space(A[tight, :-1], rcond=1e-10)
    return b


def joint_qp(problem, tol=1e-3, max_iter=1_000):
    """Solve the primal problem at the top of this module by cvxpy and Clarabel: an independent answer.

    Parameters and result: as for interior_point, but the objective is Clarabel's. Raises ValueError if K is not
    positive semi-definite.
    """
    import cvxpy as cp  # takes a second to import: only those who ask for it pay

    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    check_positive_semidefinite(problem.K)
    if "CLARABEL" not in cp.installed_solvers():
        raise ImportError("The solver CLARABEL is not installed; pip install clarabel.")
    phi = _features(problem.K)
    W = cp.Variable((phi.shape[1], problem.c.shape[1]))  # one column w_k per class
    b = cp.Variable(problem.c.shape[1])
    xi = cp.Variable(len(problem.c), nonneg=True)
    f = phi[problem.point] @ W
    outputs = cp.sum(cp.multiply(problem.c, f), axis=1) + problem.c @ b  # c_j' f(x_{n_j})
    margins = outputs >= problem.margin - xi
    objective = 0.5 * cp.sum_squares(W) + problem.limit @ xi
    program = cp.Problem(cp.Minimize(objective), [margins, cp.sum(b) == 0])
    for tolerances in (TIGHT, {}):  # where full precision is out of reach, the defaults
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # "may be inaccurate": the KKT violation will tell
            program.solve(solver="CLARABEL", max_iter=max_iter, **tolerances)
        if program.status == cp.OPTIMAL:
            break
    if program.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise RuntimeError(f"The solver CLARABEL stopped with status {program.status!r}.")
    n_iter = program.solver_stats.num_iters
    solution = _conclude(problem, margins.dual_value, TOUCHING, n_iter, tol, max_iter)
    return replace(solution, objective=float(program.value))


def _features(K):
    """phi (N, R) with phi phi' = K, from the eigenvalues of K that are not rounding error."""
    eigenvalues, vectors = np.linalg.eigh(K)
    kept = eigenvalues > len(K) * np.finfo(float).eps * eigenvalues[-1]
    kept[-1] = True
    return vectors[:, kept] * np.sqrt(np.maximum(eigenvalues[kept], 0.0))
