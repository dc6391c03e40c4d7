"""The dual problem handed to a general-purpose solver: slow, independent, and nothing to get wrong.

    minimise    1/2 v' K v - target' v
    subject to  lo <= v <= hi,   sum_n v_n = 0

Clarabel is an interior-point method: it approaches the walls of the box without ever touching them. So at the
end we put the variables that are as good as at a wall onto it.
"""

import warnings

import numpy as np

from sparsekm_edu.solvers.dual import (
    DualSolution,
    bias,
    dual_value,
    gradient,
    inseparable,
    optimality_gap,
    restore_sum,
    warn_not_converged,
)
from sparsekm_edu.validation import real_number, whole_number

TIGHT = {"tol_gap_abs": 1e-12, "tol_gap_rel": 1e-12, "tol_feas": 1e-12}


def qp(problem, tol=1e-3, max_iter=1_000):
    """Solve a dual problem by cvxpy and Clarabel.

    Parameters: problem, a DualProblem; tol > 0, the KKT gap above which we warn (the solver itself always
    aims at full precision); max_iter interior-point iterations at most.
    Returns: DualSolution. Raises ValueError if K is not positive semi-definite or no hard margin exists.
    """
    import cvxpy as cp  # takes a second to import: only those who ask for it pay

    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    _check_positive_semidefinite(problem.K)
    if "CLARABEL" not in cp.installed_solvers():
        raise ImportError("The solver CLARABEL is not installed; pip install clarabel.")

    v = cp.Variable(len(problem.K))
    objective = 0.5 * cp.quad_form(v, cp.psd_wrap(problem.K)) - problem.target @ v
    low, high = np.isfinite(problem.lo), np.isfinite(problem.hi)
    constraints = [cp.sum(v) == 0, v[low] >= problem.lo[low], v[high] <= problem.hi[high]]
    program = cp.Problem(cp.Minimize(objective), constraints)
    for tolerances in (TIGHT, {}):  # where full precision is out of reach, the defaults
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # "may be inaccurate": the KKT gap will tell
            program.solve(solver="CLARABEL", max_iter=max_iter, **tolerances)
        if program.status == cp.OPTIMAL:
            break
    if program.status in (cp.UNBOUNDED, cp.UNBOUNDED_INACCURATE):
        raise inseparable()
    if program.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise RuntimeError(f"The solver CLARABEL stopped with status {program.status!r}.")

    v = _onto_walls(problem, v.value)
    g = gradient(problem, v)
    gap = optimality_gap(problem, v, g)
    if gap > tol:
        warn_not_converged(problem, gap, tol, max_iter)
    return DualSolution(
        v=v,
        b=bias(problem, v, g),
        objective=dual_value(problem, v, g),
        n_iter=program.solver_stats.num_iters,
        converged=gap <= tol,
    )


def _check_positive_semidefinite(K):
    eigenvalues = np.linalg.eigvalsh(K)
    allowed = -10 * len(K) * np.finfo(float).eps * max(eigenvalues[-1], 0.0)
    if eigenvalues[0] < allowed:
        raise ValueError(
            f"K must be positive semi-definite, got a smallest eigenvalue of {eigenvalues[0]:.3g}."
        )


def _onto_walls(problem, v):
    """Put variables within 1e-6 of the box width onto the wall, and restore sum v = 0."""
    width = np.minimum(problem.hi - problem.lo, np.abs(v).max())
    v = np.where(v - problem.lo <= 1e-6 * width, problem.lo, v)
    v = np.where(problem.hi - v <= 1e-6 * width, problem.hi, v)
    restore_sum(problem, v)
    return v
