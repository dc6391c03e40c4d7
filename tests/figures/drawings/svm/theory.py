"""To draw: capacity and bounds."""

import numpy as np

from sparsekm_edu import datasets, figures
from sparsekm_edu.lessons import bounds, capacity

CONVEX = np.array([(-1.6, -1.2), (1.4, -1.6), (1.8, 1.2), (-1.2, 1.7)])
ROW = np.array([(-1.8, -0.9), (0.0, 0.0), (1.8, 0.9)])


def board_of(X):
    """Half of the labellings and their lines."""
    half = 2 ** (len(X) - 1)
    lines = [line and (line.w, line.b) for line in capacity.dichotomies(X)[:half]]
    return X, capacity.labellings(len(X))[:half], lines


def draw_shattering(axes):
    sets = [("in a row", *board_of(ROW)), ("convex", *board_of(CONVEX))]
    return figures.figure_shattering(axes, sets)[1], sets


def draw_growth(axes):
    N = np.arange(1, 21)
    cover, sauer = ([f(int(n), d) for n in N] for f, d in ((capacity.cover_count, 2), (capacity.sauer, 3)))
    return figures.figure_growth(*axes, N, cover, sauer, cover[:6]), (N, cover, sauer)


def draw_pac(axes):
    X, t = datasets.noise_free(20, seed=3)
    line = capacity.widest_line(X, t)
    error = capacity.line_error(line.w, line.b)
    rng = np.random.default_rng(0)
    errors = {N: rng.exponential(1 / N, size=200) for N in (10, 20, 40, 80)}
    return figures.figure_pac(*axes, X, t, (line.w, line.b), line.support, error, errors, 0.1, 0.05)[
        1
    ], errors


def draw_learning_curve(axes):
    N = np.array([10, 40, 160])
    promised = {"VC": (N, [bounds.vc_bound(int(n), 0.05) for n in N]), "hold-out": (N, 6 / N)}
    return figures.figure_learning_curve(*axes, promised, (N, 1 / N, 2.5 / N), 0.1), promised


def draw_pac_bayes(axes):
    X, t = datasets.noise_free(40, 0.5, seed=3)
    line = capacity.widest_line(X, t)
    mu = np.geomspace(0.5, 30, 30)
    seen = bounds.gibbs_error(bounds.cosines(X, t, line.w, line.b), mu)
    promised = bounds.pac_bayes_bound(seen, mu**2 / 2, 40, 0.05)
    drawn = np.append(line.w, line.b) + np.random.default_rng(0).normal(size=(12, 3))
    view = figures.figure_pac_bayes(*axes, X, t, (line.w, line.b), drawn, mu, seen, 1.1 * seen, promised)
    return view, (drawn, mu, promised)


FIGURES = {
    "figure_shattering": (draw_shattering, 2),
    "figure_growth": (draw_growth, 2),
    "figure_pac": (draw_pac, 2),
    "figure_learning_curve": (draw_learning_curve, 1),
    "figure_pac_bayes": (draw_pac_bayes, 2),
}
