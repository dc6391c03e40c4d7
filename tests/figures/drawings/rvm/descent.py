"""To draw: logistic regression, led downhill."""

import numpy as np
from scipy.special import expit, log_expit, log_ndtr, ndtr

from sparsekm_edu import LogisticRegression, datasets, figures
from sparsekm_edu.figures.rvm.descent import WEIGHTS
from sparsekm_edu.lessons.error_surface import error_surface
from sparsekm_edu.solvers import gd_steps, irls_steps, sgd_steps


def draw_descent(axes, step=9, cells=60):
    X, t = datasets.hours()
    Phi, passed, start = np.column_stack([np.ones(16), X]), (t > 0).astype(float), [3.0, -1.0]
    ways = {
        "gradient": list(gd_steps(Phi, passed, 0.0, start, rate=2.0, max_iter=step)),
        "stochastic": list(sgd_steps(Phi, passed, 0.0, start, rate=0.5, max_iter=step, seed=0)),
        "Newton": list(irls_steps(Phi, passed, 0.0, start)),
    }
    grid = figures.grid_over(WEIGHTS, cells)
    E, best = error_surface(Phi, passed, *grid), ways["Newton"][-1]
    return figures.figure_descent(*axes, X[:, 0], t, 0.0, grid, E, ways, best, step), (X, t, ways, best)


def draw_runaway(axes, separable=True):
    X, t = datasets.separable()
    grid = figures.grid_over(figures.SQUARE, 30)
    P = expit(3 * (grid[0] + grid[1][:, None]))
    widest = (np.ones(2), 0.0) if separable else None
    runs = {False: np.array([0.0, 1.0, 2.5, 4.0]), True: np.array([0.0, 0.9, 1.2])}
    return figures.figure_runaway(*axes, X, t, grid, P, runs, True, widest), (X, t, runs)


def draw_probit(axes):
    a = np.linspace(-10, 10, 201)
    lam = np.sqrt(np.pi / 8)
    probabilities = {"logit": expit(a), "scaled probit": ndtr(lam * a), "probit": ndtr(a)}
    costs = {"logit": -log_expit(a), "scaled probit": -log_ndtr(lam * a), "probit": -log_ndtr(a)}
    return figures.figure_probit(*axes, a, probabilities, costs), (a, probabilities, costs)


def draw_softmax(axes):
    X, t = datasets.three_classes()
    model = LogisticRegression(alpha=1.0).fit(X, t)
    grid = figures.grid_over(figures.WIDE, 40)
    places = np.stack(np.meshgrid(*grid), axis=-1).reshape(-1, 2)
    P = model.predict_proba(places).T.reshape(3, len(grid[1]), len(grid[0]))
    return figures.figure_softmax(*axes, X, t, grid, P), (grid, P, model)


FIGURES = {
    "figure_descent": (draw_descent, 3),
    "figure_probit": (draw_probit, 2),
    "figure_runaway": (draw_runaway, 2),
    "figure_softmax": (draw_softmax, 1),
}
