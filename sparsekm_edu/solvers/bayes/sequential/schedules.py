"""Sequential sparse Bayesian learning, from the data to the model: two schedules of the same steps.

What the steps are, and why, is told in `steps`, which takes one action, then looks at all functions again.
schedule="fast" (`fast`, for K classes `softmax`) lets the members of the model settle after each
addition before it looks outside again, does not trust the first maximum of the evidence that it finds, and begins in
more than one place where one alone has been seen to end badly. The better evidence wins.
"""

import warnings
from dataclasses import replace

import numpy as np

from sparsekm_edu.solvers.bayes.evidence import MOST_PRECISE, SBLSolution, gaussian_fit, spread
from sparsekm_edu.solvers.bayes.laplace import laplace_fit
from sparsekm_edu.solvers.bayes.sequential.fast import fast_schedule
from sparsekm_edu.solvers.bayes.sequential.model import FIRST_BETA, Regression, empty_model
from sparsekm_edu.solvers.bayes.sequential.softmax import softmax_schedule
from sparsekm_edu.solvers.bayes.sequential.steps import by_gain, steps_from
from sparsekm_edu.validation import real_number, whole_number

FEW_POINTS, NOISY = 50, 0.1  # with fewer points the fast schedule starts a second time, from a tenth of beta
EMPTY = np.empty(0, dtype=np.int64), np.empty(0)  # no functions at the start, and their alpha
ROUGHLY = 0.1  # tol for finding a start
START_BETA = 4.0  # for a start with K classes: noise of standard deviation 1/2 on targets -1 and 1, or few are left out
ACTIONS = ("start", "add", "re-estimate", "delete", "noise", "heat", "cool")  # by their number in the log


def sequential(
    Phi, t, likelihood="gaussian", beta=None, beta0=None, schedule="fast", tol=1e-4, max_iter=10_000
):
    """Sparse Bayesian learning by adding, re-estimating and deleting basis functions.

    Parameters: as in `sequential_steps`; schedule "fast" (with fewer than 50 points also from a tenth of beta0) or
    "book"; max_iter: actions at most, in the fast schedule looks at the functions outside.
    Returns: SBLSolution, its log evidence computed from scratch; trace: a record array with the fields action, index,
    q, s, gain, log_evidence, one line for each action.

    >>> from sparsekm_edu import Gaussian, datasets
    >>> from sparsekm_edu.solvers import sequential
    >>> X, t = datasets.sinusoid()
    >>> solution = sequential(Gaussian(gamma=22.0)(X), t)
    >>> print(solution.support, "join, log evidence", round(solution.log_evidence, 2))
    [2 7 9] join, log evidence -3.8
    """
    if schedule not in ("fast", "book"):
        raise ValueError(f"schedule must be 'fast' or 'book', got {schedule!r}.")
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    model, learn = empty_model(Phi, t, likelihood, beta, beta0)
    fast = many_classes if likelihood == "softmax" else quickly
    solution = (by_the_book if schedule == "book" else fast)(model, learn, tol, max_iter)

    from sklearn.exceptions import ConvergenceWarning

    if not solution.converged:
        warnings.warn(
            f"not converged after {solution.n_iter} steps of sequential learning (max_iter = {max_iter}): there may "
            f"still be more than tol = {tol:g} nats to gain.",
            ConvergenceWarning,
            stacklevel=2,
        )
    if learn and solution.beta >= MOST_PRECISE / spread(model.t):
        warnings.warn(
            f"beta = {solution.beta:.3g} was held at its limit, {MOST_PRECISE:g} / var(t): there seems to be no noise.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return solution


def by_the_book(model, learn, tol, max_iter):
    """The SBLSolution at the end of the box."""
    _, *steps = steps_from(model, learn, by_gain, tol, max_iter)
    step = steps[-1]
    lines = [
        (
            step.action,
            -1 if step.index is None else step.index,
            step.quality,
            step.sparsity,
            step.gain,
            step.log_evidence,
        )
        for step in steps
    ]
    return SBLSolution(
        step.active,
        step.alpha,
        step.beta,
        step.m,
        step.Sigma,
        step.log_evidence,
        max(step.n_iter, 1),
        step.converged,
        record(*zip(*lines)),
    )


def quickly(model, learn, tol, max_iter):
    """The SBLSolution at the end of the fast schedule, computed from scratch for its alpha and beta."""
    if isinstance(model, Regression):
        # Few points and little noise to begin with: so many functions fit all of it that beta never comes down again.
        starts = (model.beta, NOISY * model.beta) if learn and len(model.t) < FEW_POINTS else (model.beta,)
        most = MOST_PRECISE / spread(model.t)
        members, beta, _, log, n_iter, converged = max(
            (
                fast_schedule(model.Phi, model.t, False, start, learn, most, *EMPTY, tol, max_iter)
                for start in starts
            ),
            key=lambda end: end[2],  # the log evidence
        )
    else:
        # From an empty model, and from the functions that tell the classes apart by regression: where only differences
        # of wide kernels do, no single one is worth adding to nothing.
        limits = FIRST_BETA, True, MOST_PRECISE
        by_regression, *_ = fast_schedule(
            model.Phi, 2.0 * model.t - 1.0, False, *limits, *EMPTY, ROUGHLY, max_iter
        )
        starts = EMPTY, (by_regression.used, by_regression.alpha / 4.0)  # log odds are larger than +-1
        members, beta, _, log, n_iter, converged = max(
            (
                fast_schedule(model.Phi, model.t, True, 1.0, False, np.inf, *start, tol, max_iter)
                for start in starts
            ),
            key=lambda end: end[2],  # the log evidence
        )

    order = np.argsort(members.used)
    used, alpha = members.used[order], members.alpha[order]
    every = np.full(len(model.alpha), np.inf)
    every[used] = alpha
    if isinstance(model, Regression):
        m, Sigma, log_evidence, _ = gaussian_fit(model.Phi[:, used], model.t, alpha, beta)
    else:
        beta, fit = None, laplace_fit(model.Phi[:, used], model.t, alpha, members.w[order])
        m, Sigma, log_evidence = fit.w, fit.Sigma, fit.log_evidence
    action, index, *numbers = log.T
    trace = record(np.array(ACTIONS)[action.astype(int)], index.astype(int), *numbers)
    return SBLSolution(np.isfinite(every), every, beta, m, Sigma, log_evidence, n_iter, converged, trace)


def many_classes(model, learn, tol, max_iter):
    """The same for K classes: from an empty model, and from the functions that tell each class from the others."""
    Phi, T, K = model.Phi, model.t, model.t.shape[1]
    by_regression = [
        fast_schedule(Phi, 2.0 * t - 1.0, False, START_BETA, False, np.inf, *EMPTY, ROUGHLY, max_iter)[0]
        for t in np.ascontiguousarray(T.T)
    ]
    numbers = np.concatenate([members.used * K + k for k, members in enumerate(by_regression)])
    alpha = np.concatenate([members.alpha / 4.0 for members in by_regression])
    used, alpha, w, _, log, n_iter, converged = max(
        (softmax_schedule(Phi, T, *start, tol, max_iter) for start in (EMPTY, (numbers, alpha))),
        key=lambda end: end[3],  # the log evidence
    )
    every, W = np.full(len(model.alpha), np.inf), np.zeros(len(model.alpha))
    every[used], W[used] = alpha, w
    final = replace(model, alpha=every).afresh(W)
    action, index, *values = log.T
    trace = record(np.array(ACTIONS)[action.astype(int)], index.astype(int), *values)
    every = every.reshape(-1, K)
    return SBLSolution(
        np.isfinite(every), every, None, final.m, final.Sigma, final.log_evidence, n_iter, converged, trace
    )


def record(*columns):
    """The log of all actions, a record array."""
    return np.rec.fromarrays(columns, names="action, index, q, s, gain, log_evidence")
