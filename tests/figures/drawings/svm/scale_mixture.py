"""To draw: the hinge as a mixture, and EM."""

import numpy as np

from sparsekm_edu import datasets, figures
from sparsekm_edu.lessons.losses import hinge
from sparsekm_edu.solvers import em_svm_steps, hinge_mixture, smo, soft_margin


def draw_14_68(axes):
    m, lam, touch = np.linspace(-1.5, 5, 651), np.array([0.2, 1.0, 3.0])[:, None], np.array([-0.5, 2.0])
    parts = np.exp(-0.5 * (1 + lam - m) ** 2 / lam) / np.sqrt(2 * np.pi * lam)
    away = np.abs(1 - touch)[:, None]
    parabolas = (1 - m + away) ** 2 / (4 * away)
    arrays = m, np.exp(-2 * hinge(m)), hinge_mixture(m), lam[:, 0], parts, hinge(m), touch, parabolas
    return figures.figure_14_68(*axes, *arrays), arrays


def draw_em_svm(axes, n_steps=6):
    X, t = datasets.clouds(40)
    best = smo(soft_margin(X @ X.T, t, 1.0), tol=1e-9)
    steps = list(em_svm_steps(X @ X.T, t, 1.0, max_iter=30))
    excess = np.array([step.objective for step in steps]) / best.objective - 1
    lines = [(step.v @ X, step.b) for step in steps[1 : n_steps + 1]]
    y = steps[n_steps].y
    arrays = X, t, 1 / np.abs(1 - t * y), lines, (best.v @ X, best.b), excess
    return figures.figure_em_svm(*axes, *arrays), arrays


FIGURES = {"figure_14_68": (draw_14_68, 2), "figure_em_svm": (draw_em_svm, 2)}
