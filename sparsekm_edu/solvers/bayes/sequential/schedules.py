"""Sequential sparse Bayesian learning, from the data to the model: three schedules of the same actions.

What the actions are, and why, is told in `steps`, which takes one of them, then looks at all functions again: as the
book's box says, schedule="book", or with two precautions, schedule="patient".
schedule="fast" climbs (`fast`, for K classes `softmax`) where the box takes single steps, begins in several places
(`starts`), keeps the highest end, and lets the referee look at it.
"""

from dataclasses import replace

import numpy as np

from sparsekm_edu.complaints import warn
from sparsekm_edu.solvers.bayes.evidence import MOST_PRECISE, SBLSolution, fit_by_qr, spread, warn_if_far_away
from sparsekm_edu.solvers.bayes.referee import refereed
from sparsekm_edu.solvers.bayes.sequential.model import Regression, empty_model
from sparsekm_edu.solvers.bayes.sequential.starts import (
    search_many_classes,
    search_regression,
    search_two_classes,
)
from sparsekm_edu.solvers.bayes.sequential.steps import by_gain, steps_from
from sparsekm_edu.validation import real_number, whole_number

WORK = 800.0  # multiplications for each point and each of max_iter steps: with 10 000 about a second for 200 points
ACTIONS = np.array(["start", "add", "settle", "delete", "heat", "kick"])  # by their number in the log
LINE = np.dtype(
    [("action", "U11"), ("index", int)] + [(name, float) for name in ("q", "s", "gain", "log_evidence")]
)


def sequential(
    Phi, t, likelihood="gaussian", beta=None, beta0=None, schedule="fast", tol=1e-4, max_iter=10_000
):
    """Sparse Bayesian learning by adding, re-estimating and deleting basis functions.

    Parameters: as in `sequential_steps`; schedule "fast", "book" (the box to the letter) or "patient" (the box, with
    step 8. late and nobody joining a fourth time); max_iter: steps of the box at most; in the fast schedule looks at
    the functions outside, and a budget of work, 800 multiplications for each look and each point, wherever they go
    (10 000 are about a second for 200 points, five for 1000).
    Returns: SBLSolution, its log evidence computed from scratch; trace: a record array with the fields action, index,
    q, s, gain, log_evidence, one line for each action on the way to this model ("settle": all members at once).

    >>> from sparsekm_edu import Gaussian, datasets
    >>> from sparsekm_edu.solvers import sequential
    >>> X, t = datasets.sinusoid()
    >>> solution = sequential(Gaussian(gamma=22.0)(X), t)
    >>> print(solution.support, "join, log evidence", round(solution.log_evidence, 2))
    [2 7 9] join, log evidence -3.8
    """
    if schedule not in ("fast", "book", "patient"):
        raise ValueError(f"schedule must be 'fast', 'book' or 'patient', got {schedule!r}.")
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    model, learn = empty_model(Phi, t, likelihood, beta, beta0)
    if schedule == "fast":
        solution = fast(model, learn, tol, max_iter)
    else:
        solution = by_the_box(model, learn, schedule == "patient", tol, max_iter)
    solution = refereed(model.Phi, model.t, solution, learn, tol)

    from sklearn.exceptions import ConvergenceWarning

    if not solution.converged:
        warn(
            f"not converged after {solution.n_iter} steps of sequential learning (max_iter = {max_iter}): a single "
            f"action would still gain {solution.gain_left:.2g} nats, and there may be more. {advice(solution)}",
            ConvergenceWarning,
        )
    if isinstance(model, Regression):
        warn_if_far_away(model.t)
    if learn and np.any(model.t) and solution.beta >= MOST_PRECISE / spread(model.t):
        warn(
            f"beta = {solution.beta:.3g} was held at its limit, {MOST_PRECISE:g} / {spread(model.t):.3g}, in units of "
            "the spread of t: there seems to be no noise. Give beta if it is known.",
            ConvergenceWarning,
        )
    return solution


def advice(solution):
    """What to do about a solution that has not converged."""
    many = solution.active.any(axis=-1).sum() if solution.active.ndim == 2 else solution.active.sum()
    if 4 * many > len(solution.active):
        return "Most functions are in use, as each covers few points: try a wider kernel, or raise max_iter."
    return "Raise max_iter, or try another width of the kernel."


def by_the_box(model, learn, patient, tol, max_iter):
    """The SBLSolution at the end of the box; patient, or as the book says."""
    _, *steps = steps_from(model, learn, by_gain, patient, tol, max_iter)
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
        np.rec.fromrecords(lines, dtype=LINE),
    )


def fast(model, learn, tol, max_iter):
    """The SBLSolution at the highest end that climbs have found, computed from scratch for its alpha and beta."""
    Phi, t, budget = model.Phi, model.t, (max_iter, WORK * max_iter * len(model.t))
    if isinstance(model, Regression):
        search = search_regression(Phi, t, model.beta, learn, tol, budget)
    elif t.ndim == 1:
        search = search_two_classes(Phi, t, tol, budget)
    else:
        search = search_many_classes(Phi, t, tol, budget)

    used, alpha = search.functions
    every, weights = np.full(len(model.alpha), np.inf), np.zeros(len(model.alpha))
    every[used], weights[used] = alpha, search.weights
    if isinstance(model, Regression):
        beta, used = search.beta, np.sort(used)
        m, Sigma, log_evidence, _ = fit_by_qr(Phi[:, used], t, every[used], beta)
    else:
        there = replace(model, alpha=every).afresh(weights)
        beta, m, Sigma, log_evidence = None, there.m, there.Sigma, there.log_evidence
    trace = np.empty(len(search.log), LINE).view(np.recarray)
    trace["action"] = ACTIONS[search.log[:, 0].astype(int)]
    for column, name in enumerate(LINE.names[1:], start=1):
        trace[name] = search.log[:, column]
    shape = Phi.shape[1:] + t.shape[1:]
    return SBLSolution(
        np.isfinite(every).reshape(shape),
        every.reshape(shape),
        beta,
        m,
        Sigma,
        log_evidence,
        search.n_iter,
        search.converged,
        trace,
    )
