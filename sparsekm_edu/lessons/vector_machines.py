"""Kernel machines side by side (MLaPP 14.3.2): their weights in one form, and C by cross-validation.

    y(x) = sum_n w_n k(x, x_n) + b                                                                  (14.29)

is what all of them compute. They differ in how w is chosen, and so in how many w_n are exactly 0.
"""

import numpy as np

from sparsekm_edu.solvers import epsilon_regression, smo, soft_margin
from sparsekm_edu.validation import Impossible

FOLDS = 5
CANDIDATES = 2.0 ** np.arange(-5, 6)  # for C


def weights(machine, N):
    """The weight of each of the N training points in a fitted machine, (N,): 0 for those that it dropped.

    machine: a relevance vector machine, a support vector machine, or an L1 or L2 vector machine, for one output. (The
    output of an RVC is this sum with probability="plug-in"; otherwise it is shrunk by the uncertainty of the weights.)
    """
    kept = machine.relevance_ if hasattr(machine, "relevance_") else machine.support_
    of_kept = machine.dual_coef_ if hasattr(machine, "dual_coef_") else machine.coef_
    w = np.zeros(N)
    w[kept] = np.ravel(of_kept)
    return w


def cross_validated_C(K, t, epsilon=None):
    """The C of CANDIDATES whose support vector machine predicts best what it has not seen; the smallest of equals.

    Parameters: K (N, N); t (N,), -1 and +1, or any numbers if the half-width `epsilon` of a tube is given.
    Returns: C, with the fewest errors, or the least squared error of a curve. Point n is left out in fold n mod FOLDS.
    """
    fold = np.arange(len(t)) % FOLDS
    losses = np.zeros(len(CANDIDATES))
    for left_out in (fold == k for k in range(FOLDS)):
        seen = np.ix_(~left_out, ~left_out)
        if epsilon is None and len(set(t[~left_out])) < 2:
            raise Impossible("cross-validation needs both classes outside of every fold; add points")
        for trial, C in enumerate(CANDIDATES):
            if epsilon is None:
                problem = soft_margin(K[seen], t[~left_out], C)
            else:
                problem = epsilon_regression(K[seen], t[~left_out], C, epsilon)
            solution = smo(problem)
            y = K[np.ix_(left_out, ~left_out)] @ solution.v + solution.b
            predicted = np.where(y > 0, 1.0, -1.0) if epsilon is None else y
            losses[trial] += np.mean((t[left_out] - predicted) ** 2)  # of labels: 4 for each error
    return float(CANDIDATES[losses.argmin()])
