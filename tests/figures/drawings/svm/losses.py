"""To draw: losses of classification and regression."""

import numpy as np

from sparsekm_edu import datasets, figures
from sparsekm_edu.lessons import losses

Z = np.linspace(-2, 3, 1001)
R = np.linspace(-4, 4, 801)


def draw_7_5(axes):
    names = ("misclassification", "squared", "logistic", "hinge")
    curves = {name: getattr(losses, name)(Z) for name in names}
    return figures.figure_7_5(*axes, Z, curves), curves


def draw_four_losses(axes):
    X, t = datasets.on_a_line()
    x = X[:, 0]
    lines, split = losses.best_lines(x, t, 0.5), losses.best_split(x, t)
    z = t * lines["squared"](x)
    costs = np.column_stack([z, losses.squared(z)])
    curves = {name: getattr(losses, name)(Z) for name in lines}
    support = np.flatnonzero(t * lines["hinge"](x) <= 1 + 1e-9)
    view = figures.figure_four_losses(*axes, Z, curves, x, t, lines, (split.low, split.high), costs, support)
    return view, (x, t, lines, split, costs, support)


def of_residual(r, epsilon):
    return {
        "quadratic": losses.quadratic(r),
        "huber": losses.huber(r, epsilon),
        "insensitive": losses.insensitive(r, epsilon),
    }


def draw_7_6(axes):
    return figures.figure_7_6(*axes, R, of_residual(R, 1.5), 1.5), 1.5


def draw_locations(axes):
    t, epsilon, m = np.array([-1.0, 0.2, 0.5, 3.0]), 0.7, np.linspace(-4, 6, 501)
    costs = {name: E.mean(axis=1) for name, E in of_residual(m[:, None] - t, epsilon).items()}
    flat = losses.insensitive_location(t, epsilon)
    places = {"quadratic": t.mean(), "huber": losses.huber_location(t, epsilon), "insensitive": np.mean(flat)}
    best = {name: (place, of_residual(place - t, epsilon)[name].mean()) for name, place in places.items()}
    support = np.flatnonzero(np.abs(t - places["insensitive"]) >= epsilon)
    arrays = R, of_residual(R, epsilon), epsilon, t, m, costs, best, flat, support
    return figures.figure_locations(*axes, *arrays), (t, epsilon, best, flat, support)


def draw_no_likelihood(axes, C=2.0):
    f = np.linspace(-4, 4, 401)
    pairs = [[np.exp(-C * E(s * f)) for s in (1, -1)] for E in (losses.hinge, losses.logistic)]
    return figures.figure_no_likelihood(*axes, f, *pairs, C), (f, pairs, C)


FIGURES = {
    "figure_7_5": (draw_7_5, 1),
    "figure_four_losses": (draw_four_losses, 2),
    "figure_7_6": (draw_7_6, 1),
    "figure_locations": (draw_locations, 2),
    "figure_no_likelihood": (draw_no_likelihood, 2),
}
