"""Support vector machines by EM: the hinge loss as a mixture of Gaussians (Polson and Scott, 2011; MLaPP 14.5.5).

The exponential of the hinge loss is a Gaussian in the margin m = t y with its variance lambda integrated out,

    exp(-2 (1 - m)_+) = int_0^inf N(1 + lambda - m | 0, lambda) d lambda.                        (14.68)

So minus twice the objective (7.21) of the soft margin,

    J(w, b) = 1/2 |w|^2 + sum_n C_n (1 - t_n y_n)_+,       y_n = w' phi(x_n) + b,

is the log of a prior w ~ N(0, I/2) times pseudo-likelihoods exp(-2 (1 - t_n y_n)_+), where point n counts C_n times
("pseudo", because they do not sum to one over t_n). The soft margin is the maximum of this posterior, and EM finds
it with lambda_n as what is missing.

E-step. Given y_n, 1/lambda_n has an inverse Gaussian density with mean 1 / |1 - t_n y_n|.

M-step. With these means e_n in place of 1/lambda_n the logarithm is quadratic. Completing the square leaves a
weighted ridge regression, which wants every point beyond its margin by as much as it was off it:

    minimise  1/2 |w|^2 + 1/2 sum_n 1/2 C_n e_n (t_n (1 + 1/e_n) - y_n)^2.

With w = sum_n v_n phi(x_n) its solution is a linear system, (K + diag(2 / (C_n e_n))) v + b = t (1 + 1/e), sum v = 0.

EM never increases J. Near the end the distance 1 - t_n y_n of a point on the margin shrinks by |2 a_n / C_n - 1| in
each step, with a_n = t_n v_n: quick for a_n about C_n / 2, a crawl for support vectors with a_n near 0 or near C_n.
So a large C, where most a_n are far below it, takes thousands of steps; SMO does not mind. And the a_n of points beyond
their margin fade, but none becomes exactly 0: what EM finds is right, not sparse.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from sparsekm_edu.complaints import warn
from sparsekm_edu.solvers.dual.formulations import soft_margin
from sparsekm_edu.solvers.dual.problem import dual_value, gradient
from sparsekm_edu.validation import real_number, whole_number

NEAREST = 1e-8  # |1 - t y| below this counts as this: else a point on its margin could never leave it again


@dataclass(frozen=True, eq=False)
class EMStep:
    """Where EM stands after n_iter steps (0: the start, y = 0): y(x) = sum_n v_n k(x, x_n) + b.

    inverse_lambda (N,): E[1/lambda_n] of the E-step, nan at the start, before any; v (N,), b, and y (N,) at the points:
    of the M-step that followed; objective: J there, (7.21); gap: bound on (J - its minimum) / J, from a feasible point
    of the dual; converged: gap <= tol.
    """

    inverse_lambda: np.ndarray
    v: np.ndarray
    b: float
    y: np.ndarray
    objective: float
    gap: float
    n_iter: int
    converged: bool


def em_svm(K, t, C, tol=1e-6, max_iter=5000):
    """The soft margin (7.21) by EM.

    Parameters: K (N, N) Gram matrix, positive semi-definite; t (N,) labels -1 and +1; C > 0 and finite, one
    number or one per point (N,); tol > 0, how far J may be above its minimum, relative to J; max_iter EM
    steps at most, each O(N^3).
    Returns: EMStep, the last. Warns if tol was not reached.
    """
    *_, last = em_svm_steps(K, t, C, tol, max_iter)
    if not last.converged:
        from sklearn.exceptions import ConvergenceWarning  # here: importing sklearn takes half a second

        warn(
            f"not converged after max_iter = {max_iter} EM steps: relative duality gap {last.gap:.2g} > "
            f"tol = {tol:g} with C = {np.max(C):g}. EM is slow when C is large; SMO is not.",
            ConvergenceWarning,
        )
    return last


def em_svm_steps(K, t, C, tol=1e-6, max_iter=5000):
    """`em_svm` one step at a time, from y = 0: yields an EMStep for the start and after each."""
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    problem = soft_margin(K, t, C)
    if not problem.bounded:
        raise ValueError("C must be finite: the hard margin is no mixture.")
    K, t, C = problem.K, problem.target, problem.hi - problem.lo
    # Where C is huge, the ridge 2 |1 - t y| / C must still outweigh the rounding errors of K. With `nearest` in place
    # of smaller |1 - t y|, what falls in every step is J up to sum_n C_n nearest_n / 4.
    nearest = np.maximum(NEAREST, 10 * np.finfo(float).eps * np.trace(K) * C)

    v = y = np.zeros(len(t))
    objective = float(C.sum())  # every hinge is 1; and as the dual value is 0, so is the gap
    yield EMStep(np.full(len(t), np.nan), v, 0.0, y, objective, 1.0, 0, False)
    for n_iter in range(1, max_iter + 1):
        inverse_lambda = 1.0 / np.maximum(np.abs(1.0 - t * y), nearest)  # E-step
        v, b = _ridge(K, t * (1.0 + 1.0 / inverse_lambda), 0.5 * C * inverse_lambda)  # M-step
        y = K @ v + b
        objective = float(0.5 * v @ (y - b) + C @ np.maximum(0.0, 1.0 - t * y))  # (7.21)
        gap = (objective - _dual_bound(problem, v)) / objective
        converged = bool(gap <= tol)
        yield EMStep(inverse_lambda, v, b, y, objective, gap, n_iter, converged)
        if converged:
            return


def _ridge(K, r, weight):
    """minimise 1/2 v'Kv + 1/2 sum_n weight_n (r_n - (Kv)_n - b)^2 over v and b, by a Cholesky factor.

    K (N, N); r, weight (N,). Setting the gradients to zero: (K + diag(1/weight)) v + b = r and sum v = 0.
    """
    try:
        factor = cho_factor(K + np.diag(1.0 / weight), check_finite=False)
    except LinAlgError:
        raise ValueError(
            f"K must be positive semi-definite, got a smallest eigenvalue of {np.linalg.eigvalsh(K)[0]:.3g}."
        ) from None
    from_r, from_one = cho_solve(factor, np.column_stack([r, np.ones(len(r))]), check_finite=False).T
    b = from_r.sum() / from_one.sum()
    return from_r - b * from_one, float(b)


def _dual_bound(problem, v):
    """A lower bound on the minimum of J: the dual value (7.32) at v, moved into the box and to sum v = 0."""
    v = np.clip(v, problem.lo, problem.hi)
    up, down = v[v > 0].sum(), -v[v < 0].sum()
    if min(up, down) == 0:
        return 0.0  # the dual value at v = 0
    v *= np.where(v > 0, min(up, down) / up, min(up, down) / down)
    return dual_value(problem, v, gradient(problem, v))


def hinge_mixture(margin):
    """The right-hand side of (14.68) by quadrature, for margins m = t y of any shape.

    With lambda = exp(r) the integrand is smooth and dies out at both ends; on such functions the trapezoidal rule is
    as exact as rounding allows.
    """
    u = 1.0 - np.asarray(margin, dtype=float)[..., None]
    widest = np.abs(u).max()
    dr = 0.25 / np.sqrt(1.0 + widest)  # the peak at lambda = |u| is 1 / sqrt(|u|) wide
    r = np.arange(-80.0, np.log(1e3 + 10 * widest), dr)
    root = np.exp(0.5 * r)  # of lambda; N(u + lambda | 0, lambda) d lambda = integrand dr
    integrand = root / np.sqrt(2 * np.pi) * np.exp(-0.5 * (u / root + root) ** 2)
    return integrand.sum(axis=-1) * dr


def mixture_error(margin):
    """The largest difference between the two sides of (14.68) over the given margins."""
    margin = np.asarray(margin, dtype=float)
    return float(np.max(np.abs(hinge_mixture(margin) - np.exp(-2.0 * np.maximum(0.0, 1.0 - margin)))))
