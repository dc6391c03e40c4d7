"""The dual problem handed to a general-purpose solver: slow, independent, and nothing to get wrong.

    minimise    1/2 v' K v - target' v + epsilon sum_n |v_n|
    subject to  lo <= v <= hi,   sum_{n in group g} v_n = total_g

Clarabel is an interior-point method: it approaches the walls of the box without ever touching them. So at the
end we put the variables that are as good as at a wall onto it. Its own multipliers of the sums tell b, and (7.37)
tells b once more: the two must agree.
"""

import contextlib
import itertools
import warnings

import numpy as np

from sparsekm_edu.complaints import warn
from sparsekm_edu.solvers.dual.problem import (
    conclude,
    feasible,
    free_set,
    gradient,
    inseparable,
    multipliers,
    onto_walls,
    optimality_gap,
    warn_not_converged,
)
from sparsekm_edu.validation import real_number, whole_number

TIGHT = {"tol_gap_abs": 1e-12, "tol_gap_rel": 1e-12, "tol_feas": 1e-12}


def qp(problem, tol=1e-3, max_iter=1_000):
    """Solve a dual problem by cvxpy and Clarabel.

    Parameters: problem, a DualProblem; tol > 0, the KKT gap above which we warn (the solver itself always
    aims at full precision); max_iter interior-point iterations at most.
    Returns: DualSolution. Raises ValueError if K is not positive semi-definite or no hard margin exists.

    >>> from sparsekm_edu import datasets
    >>> from sparsekm_edu.solvers import qp, smo, soft_margin
    >>> X, t = datasets.separable()
    >>> problem = soft_margin(X @ X.T, t, C=10.0)
    >>> print(abs(qp(problem).v - smo(problem).v).max().round(3))
    0.0
    """
    import cvxpy as cp  # takes a second to import: only those who ask for it pay

    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    check_positive_semidefinite(problem.K)
    if "CLARABEL" not in cp.installed_solvers():
        raise ImportError("The solver CLARABEL is not installed; pip install clarabel.")

    # Full precision first, then the defaults; in plain units, in units of the box, which a large box needs, and half
    # way between them, which the largest need. The KKT gap tells whether an answer will do, and which is the best.
    box, best = _unit(problem), None
    units = dict.fromkeys((1.0, box, np.sqrt(box)))  # each of them once
    for tolerances, unit in itertools.product((TIGHT, {}), units):
        program, u, sums = _program(problem, unit)
        with warnings.catch_warnings(), contextlib.suppress(cp.error.SolverError):
            warnings.simplefilter("ignore", UserWarning)  # "may be inaccurate": the KKT gap will tell
            program.solve(solver="CLARABEL", max_iter=max_iter, **tolerances)
        status = program.status
        if status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
            v = _in_the_box(problem, unit * u.value)
            g = gradient(problem, v)
            gap = optimality_gap(problem, v, g)
            if best is None or gap < best[0]:
                best = gap, v, g, sums, program.solver_stats.num_iters
        if (status == cp.OPTIMAL and gap <= tol) or (status == cp.UNBOUNDED and not problem.bounded):
            break
    unbounded = status in (cp.UNBOUNDED, cp.UNBOUNDED_INACCURATE)
    if unbounded and not problem.bounded:
        raise inseparable()
    if best is None:
        if unbounded or status is None:  # in a box nothing is unbounded
            status = "failed numerically; rescaling X or C may help"
        raise RuntimeError(f"The solver CLARABEL stopped with status {status!r}.")

    gap, v, g, sums, n_iter = best
    if gap > tol:
        warn_not_converged(problem, gap, tol, n_iter, max_iter)
    else:
        _compare_multipliers(problem, v, g, [float(constraint.dual_value) for constraint in sums], tol)
    return conclude(problem, v, g, n_iter, converged=gap <= tol)


def _program(problem, unit):
    """The problem for cvxpy in u = v / unit, its objective divided by unit: program, u, constraints on the sums."""
    import cvxpy as cp

    u = cp.Variable(len(problem.target))
    per_point = (
        u[: len(problem.K)] + u[len(problem.K) :] if problem.doubled else u
    )  # the sums of its variables
    objective = 0.5 * unit * cp.quad_form(per_point, cp.psd_wrap(problem.K)) - problem.target @ u
    if problem.epsilon:
        objective += problem.epsilon * cp.norm1(u)
    sums = [cp.sum(u[problem.group == k]) == total / unit for k, total in enumerate(problem.total)]
    low, high = np.isfinite(problem.lo), np.isfinite(problem.hi)
    box = [u[low] >= problem.lo[low] / unit, u[high] <= problem.hi[high] / unit]
    return cp.Problem(cp.Minimize(objective), sums + box), u, sums


def _unit(problem):
    """The largest finite wall, 1 if there is none."""
    walls = np.abs(np.append(problem.lo, problem.hi))
    return float(np.max(walls[np.isfinite(walls)])) or 1.0


def _in_the_box(problem, v):
    """Clarabel's v (N,) with those variables on a wall that are as good as there, and with the right sums."""
    size = max(np.abs(v).max(), 1e-6 * _unit(problem))  # where v is all noise, the box tells
    onto_walls(problem, v, near=1e-6 * np.minimum(problem.hi - problem.lo, size))
    if np.abs(problem.group_sums(v) - problem.total).max() > 1e-12 * np.abs(v).sum():
        v = feasible(problem, v)  # all are at walls, and nobody was free to restore the sums
    return v


def _compare_multipliers(problem, v, g, theirs, tol):
    """Warn if Clarabel's multipliers of the sums are not those of (7.37), wherever free variables fix them."""
    ours = multipliers(problem, v, g)
    for k in np.unique(problem.group[free_set(problem, v)]):
        if abs(ours[k] - theirs[k]) > max(tol, 1e-6 * abs(ours[k])):
            warn(f"b is uncertain: {ours[k]:g} by (7.37), {theirs[k]:g} as the multiplier of sum v.")


def check_positive_semidefinite(K):
    eigenvalues = np.linalg.eigvalsh(K)
    allowed = -10 * len(K) * np.finfo(float).eps * max(eigenvalues[-1], 0.0)
    if eigenvalues[0] < allowed:
        raise ValueError(
            f"K must be positive semi-definite, got a smallest eigenvalue of {eigenvalues[0]:.3g}."
        )
