"""Is an objective convex? Start from many places and see where one ends (MLaPP 14.6, first column of Table 14.1).

All take the kernel matrix K (N, N), labels t (N,), -1 and +1, the number of starts, and a random generator. A convex
objective has one end, whatever the start; several ends prove that it is not convex. The methods here know nothing of
how the library solves the same problems.
"""

import warnings

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit

from sparsekm_edu.solvers import evidence_check, laplace_fit, reestimate, smo, soft_margin

SPREAD = 5.0  # of the starts: standard deviation of weights, or of ln alpha
AT_REST = 1e-6  # nats that the best single action may still gain at a top


def ends_of_descent(K, t, lam, penalty, starts, rng):
    """Values of the L2VM's or the L1VM's objective where descents from random weights end, (starts,).

    penalty: "l2", lam sum w_n^2, or "l1", lam sum |w_n|. The second has kinks, which a smooth descent cannot pass; so w
    is written as u - v with u, v >= 0, whose sum is the penalty at the minimum.
    """
    N = len(t)

    def loss(w, b):
        """Minus the log likelihood, and its derivatives by w and b."""
        y = K @ w + b
        slopes = -t * expit(-t * y)
        return np.logaddexp(0, -t * y).sum(), K.T @ slopes, slopes.sum()

    def squares(z):
        value, by_w, by_b = loss(z[:N], z[N])
        return value + lam * z[:N] @ z[:N], np.append(by_w + 2 * lam * z[:N], by_b)

    def sizes(z):
        value, by_w, by_b = loss(z[:N] - z[N : 2 * N], z[-1])
        return value + lam * z[:-1].sum(), np.concatenate([lam + by_w, lam - by_w, [by_b]])

    def end():
        start = SPREAD * rng.normal(size=N + 1 if penalty == "l2" else 2 * N + 1)
        if penalty == "l2":
            return minimize(squares, start, jac=True, method="L-BFGS-B", options=precise).fun
        bounds = [(0, None)] * (2 * N) + [(None, None)]
        return minimize(sizes, np.abs(start), jac=True, method="L-BFGS-B", bounds=bounds, options=precise).fun

    precise = {"maxiter": 20_000, "maxfun": 50_000, "ftol": 1e-15, "gtol": 1e-8}
    return np.array([end() for _ in range(starts)])


def ends_of_smo(K, t, C, starts, rng):
    """Values of the SVM's dual objective (7.32) where `smo` ends, from random multipliers in the box, (starts,)."""

    def end():
        a = rng.uniform(0, C, len(t))
        plus, minus = a[t > 0].sum(), a[t < 0].sum()
        a *= np.where(t > 0, min(1, minus / plus), min(1, plus / minus))  # (7.34): sum a_n t_n = 0
        return smo(soft_margin(K, t, C), tol=1e-6, v=a * t).objective

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that K is not positive definite is what we want to see
        return np.array([end() for _ in range(starts)])


def tops_of_evidence(K, t, starts, rng):
    """Log evidences of the RVM at the tops that re-estimation from random precisions comes to, one for each such run.

    A top: no change of a single alpha gains anything, functions that have left included (`evidence_check`). Runs that
    end elsewhere do not count.
    """
    Phi, s = np.column_stack([K, np.ones(len(t))]), (t + 1) / 2
    tops = []
    for _ in range(starts):
        end = reestimate(Phi, s, "bernoulli", alpha0=np.exp(SPREAD * rng.normal(size=Phi.shape[1])))
        if evidence_check(Phi, s, end).gain < AT_REST:
            tops.append(end.log_evidence)
    return np.array(tops)


def distinct(values, within=1e-3):
    """How many different values there are, relative differences up to `within` not counted."""
    ordered = np.sort(values)
    return int(1 + np.sum(np.diff(ordered) > within * np.abs(ordered).max()))


def lam_by_evidence(K, t):
    """The price lam of the L2VM that makes the data most probable, by Laplace's approximation: no validation set.

    exp(-lam sum w_n^2) is a Gaussian prior of precision alpha = 2 lam, one for all weights; the bias has a flat one.
    """
    Phi, s = np.column_stack([K, np.ones(len(t))]), (t + 1) / 2

    def surprise(ln_alpha):
        return -laplace_fit(Phi, s, np.append(np.full(len(t), np.exp(ln_alpha)), 0.0)).log_evidence

    return float(np.exp(minimize_scalar(surprise, bounds=(-12, 8), method="bounded").x) / 2)
