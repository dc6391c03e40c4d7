"""To draw: xor, and a basis of bumps."""

import numpy as np

from sparsekm_edu import Gaussian, datasets, figures
from sparsekm_edu.lessons.prototypes import monomials, powers, ridge
from sparsekm_edu.solvers import l2

WIDTHS = 0.1, 0.5, 50.0


def draw_14_2(axes):
    X, t = datasets.xor()

    def logistic(phi):
        fit = l2(phi(X), (t + 1) / 2, 0.01, "logistic")
        return lambda x: phi(x) @ fit.w + fit.b

    functions = [
        logistic(lambda x: powers(2 * x - 1, 10)),
        logistic(lambda x: monomials(2 * x - 1, 10)),
        logistic(lambda x: Gaussian(2.0)(x, datasets.XOR_CORNERS)),
    ]
    return figures.figure_14_2(axes, X, t, functions, datasets.XOR_CORNERS), (X, t, functions)


def draw_14_3(axes, widths=WIDTHS):
    X, t = datasets.parabola()
    line, truth = datasets.parabola(n=221, noise=0.0)
    mu = np.linspace(-1, 1, 10)[:, None]
    rows = []
    for tau in widths:
        Phi, bumps = (Gaussian(1 / (2 * tau**2))(x, mu) for x in (X, line))
        w, b = ridge(Phi, t, 1e-3)
        rows.append((tau, bumps @ w + b, bumps, Phi))
    views = figures.figure_14_3(axes, X, t, line[:, 0], truth, rows, mu[:, 0])
    return views, (X, t, line[:, 0], truth, rows, mu)


FIGURES = {"figure_14_2": (draw_14_2, 4), "figure_14_3": (draw_14_3, 9)}
