"""To draw: slack and nu."""

from sparsekm_edu import Gaussian, NuSVC, datasets, figures
from sparsekm_edu.solvers import smo, soft_margin


def draw_7_3(axes, C=1.0):
    X, t = datasets.clouds()
    solution = smo(soft_margin(X @ X.T, t, C), tol=1e-10)
    line = solution.v @ X, solution.b
    return figures.figure_7_3(*axes, X, t, line, solution.a, C), (X, t, line, solution.a, C)


def draw_7_4(axes):
    X, t = datasets.overlapping()
    model = NuSVC(nu=0.3, kernel=Gaussian(gamma=0.45)).fit(X, t)
    return figures.figure_7_4(*axes, X, t, model), (X, t, model)


FIGURES = {"figure_7_3": (draw_7_3, 2), "figure_7_4": (draw_7_4, 2)}
