"""What happens inside re-estimation of a classifier (PRML 7.2.3), one small step at a time.

`reestimation` takes one step for each choice of alpha. Here the same run is opened up. Every round is

    re-estimate:  alpha_i = gamma_i / (w_i*)^2, at most twice or half of what it was                     (7.116)
    Newton steps to the mode w* of the posterior for this alpha                                  (7.110), (7.111)
    prune:        functions with q_i^2 <= s_i leave, as their best alpha_i is infinite                   (7.101)
    evidence:     Laplace's approximation of ln p(t | alpha) around w*                           (7.113), (7.114)
"""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.solvers.bayes.laplace import irls_steps
from sparsekm_edu.solvers.bayes.reestimation import STRIDE, reestimate_steps


@dataclass(frozen=True, eq=False)
class InsideStep:
    """Where re-estimation stands after one small step.

    action: "start" (the first alpha, all weights 0), "newton", "prune", "evidence" or "re-estimate"; round: how many
    choices of alpha came before this one; newton: Newton steps since it was chosen; inside (R,): indices of functions
    in the model; w, alpha (R,): their weights and precisions; slope: the largest component of the gradient (7.110) in
    size, when it was last computed; log_evidence: (7.114), after an "evidence" only; pruned: indices of functions that
    left just now.
    """

    action: str
    round: int
    newton: int
    inside: np.ndarray
    w: np.ndarray
    alpha: np.ndarray
    slope: float
    log_evidence: float | None = None
    pruned: tuple = ()


def inside_steps(Phi, t, tol=1e-3, max_iter=1000):
    """`reestimate_steps(Phi, t, "bernoulli")` with all that happens in between: yields InsideSteps.

    Parameters: Phi (N, M) design matrix; t (N,) zeros and ones; tol > 0 and max_iter: those of `reestimate_steps`.
    The last step is an "evidence", that of the solution.
    """
    Phi, t = np.asarray(Phi, dtype=float), np.asarray(t, dtype=float)
    alpha = None
    for settled in reestimate_steps(Phi, t, "bernoulli", tol=tol, max_iter=max_iter):
        if alpha is None:  # the first round
            inside = np.flatnonzero(np.isfinite(settled.alpha))
            w, alpha = np.zeros(len(inside)), settled.alpha[inside]
        for mode in irls_steps(Phi[:, inside], t, alpha, w):
            action = "newton" if mode.n_iter else "re-estimate" if settled.n_iter else "start"
            slope = float(np.abs(mode.gradient).max(initial=0.0))
            yield InsideStep(action, settled.n_iter, mode.n_iter, inside, mode.w, alpha, slope)

        inside = np.flatnonzero(np.isfinite(settled.alpha))
        w, alpha = settled.m, settled.alpha[inside]
        now = settled.n_iter, mode.n_iter, inside, w, alpha, slope
        if len(settled.pruned):
            yield InsideStep("prune", *now, pruned=tuple(settled.pruned.tolist()))
        yield InsideStep("evidence", *now, log_evidence=settled.log_evidence)
        with np.errstate(divide="ignore"):
            alpha = np.clip(settled.gamma / w**2, alpha / STRIDE, alpha * STRIDE)  # (7.116)
