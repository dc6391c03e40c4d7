"""To draw: why weights leave, and how fast."""

import numpy as np

from sparsekm_edu import LinearSpline, datasets, figures
from sparsekm_edu.lessons.sparsity import Lambda, noise_of_equal_determinant
from sparsekm_edu.solvers import log_evidence, sequential

PHI, T, ALPHA = np.array([-0.3, 1.2]), np.array([1.6, 0.8]), 0.7


def models():
    """(C, beta, ln p(t)) for an infinite and a finite alpha, with equal determinants."""
    beta = 2 / (T @ T)
    made = []
    for alpha, noise in ((np.inf, beta), (ALPHA, noise_of_equal_determinant(PHI, ALPHA, beta))):
        C = np.eye(2) / noise + np.outer(PHI, PHI) / alpha
        made.append((C, noise, log_evidence(PHI[:, None], T, np.array([alpha]), noise)))
    return made


def draw_7_10(axes):
    return figures.figure_7_10(*axes, PHI, T, *models())[1], models()


def draw_7_11(axes):
    finite, infinite = Lambda(4.0, 1.0), Lambda(1.0, 2.0)
    return figures.figure_7_11(*axes, finite, infinite), (finite, infinite)


def draw_schedules(axes):
    """Tipping's splines, as in notebook 10, where the book's box learns the noise too early."""
    X, t = datasets.sinc(100, noise=0.2)
    Phi = np.column_stack([LinearSpline()(X + 10), np.ones(len(X))])
    ends = {"the box": sequential(Phi, t, schedule="book"), "β late": sequential(Phi, t, schedule="patient")}
    order = np.argsort(X[:, 0])
    runs = {
        name: ((Phi[:, end.support] @ end.m)[order], end.trace.log_evidence) for name, end in ends.items()
    }
    return figures.figure_schedules(*axes, X[order, 0], t[order], runs), (ends, runs)


FIGURES = {
    "figure_7_10": (draw_7_10, 2),
    "figure_7_11": (draw_7_11, 2),
    "figure_schedules": (draw_schedules, 2),
}
