"""To draw: the margin, its geometry, Lagrange multipliers and the Parzen limit."""

import numpy as np

from sparsekm_edu import SVC, Gaussian, datasets, figures
from sparsekm_edu.lessons.lagrange import Bowl
from sparsekm_edu.lessons.parzen import clouds
from sparsekm_edu.solvers import hard_margin, smo


def draw_7_1(axes):
    X, t = datasets.separable()
    solution = smo(hard_margin(X @ X.T, t))
    best = solution.v @ X, solution.b
    own = np.array([0.5, 0.9]), 0.1
    return figures.figure_7_1(axes, X, t, own, best, solution.a), (X, t, own, best, solution)


def draw_7_2(axes):
    X, t = datasets.curved()
    model = SVC(C=np.inf, kernel=Gaussian(gamma=1.0)).fit(X, t)
    return figures.figure_7_2(*axes, X, t, model), (X, t, model)


def draw_14_12a(axes):
    w, w0, x = np.array([0.9, 0.7]), -0.6, np.array([2.2, -0.5])
    return figures.figure_14_12a(*axes, w, w0, x), (w, w0, x)


def draw_lagrange(axes, equality=False):
    bowl = Bowl(np.diag([0.6, 1.0]), np.array([-0.9, -0.5]), np.array([0.8, 0.6]), 0.8, equality)
    return figures.figure_lagrange(*axes, bowl, 0.3), (bowl, 0.3)


def draw_kkt(axes):
    A, c, n = np.diag([0.6, 1.0]), np.array([-0.9, -0.5]), np.array([0.8, 0.6])
    bowls = [Bowl(A, c, n, -1.6, equality=True), Bowl(A, c, n, 0.8), Bowl(A, c, n, -1.6)]
    return figures.figure_kkt(axes, bowls)[0], bowls


def draw_parzen_limit(axes):
    X, t = datasets.separable()
    solution = smo(hard_margin(X @ X.T, t))
    limit = clouds(X, t, (1.0, 0.1, 0.01), solution.v @ X, solution.b)
    return figures.figure_parzen_limit(axes, limit), limit


FIGURES = {
    "figure_7_1": (draw_7_1, 2),
    "figure_7_2": (draw_7_2, 1),
    "figure_14_12a": (draw_14_12a, 1),
    "figure_kkt": (draw_kkt, 3),
    "figure_lagrange": (draw_lagrange, 2),
    "figure_parzen_limit": (draw_parzen_limit, 3),
}
