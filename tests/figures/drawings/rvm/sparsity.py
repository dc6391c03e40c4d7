"""To draw: why weights leave, and how fast."""

import numpy as np

from sparsekm_edu import Gaussian, datasets, figures
from sparsekm_edu.figures.rvm.sparsity import LN_ALPHA
from sparsekm_edu.lessons.sparsity import noise_of_equal_determinant
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


def curve(q2, s, alphas):
    return 0.5 * (np.log(alphas) - np.log(alphas + s) + q2 / (alphas + s))


def draw_7_11(axes):
    alphas = np.exp(np.linspace(*LN_ALPHA, 501))
    finite = 4.0, 1.0, curve(4.0, 1.0, alphas), 1 / 3, curve(4.0, 1.0, 1 / 3)
    infinite = 1.0, 2.0, curve(1.0, 2.0, alphas), None, 0.0
    return figures.figure_7_11(*axes, alphas, finite, infinite), (alphas, finite, infinite)


def draw_schedules(axes):
    X, t = datasets.sinc(100, noise=0.2, seed=24)  # that of notebook 10, where heating helps
    Phi = np.column_stack([Gaussian(gamma=1 / 9)(X), np.ones(len(X))])
    book, fast = sequential(Phi, t, schedule="book"), sequential(Phi, t)
    return figures.figure_schedules(*axes, book.trace, fast.trace), (book, fast)


FIGURES = {
    "figure_7_10": (draw_7_10, 2),
    "figure_7_11": (draw_7_11, 2),
    "figure_schedules": (draw_schedules, 2),
}
