"""To draw: the relevance vector machine for classes."""

import numpy as np

from sparsekm_edu import RVC, Gaussian, NuSVC, datasets, figures
from sparsekm_edu.lessons.inside_reestimation import inside_steps

X, T = datasets.overlapping()
GRID = figures.grid_over(figures.WIDE, 40)
KERNEL = Gaussian(gamma=0.45)


def draw_7_12(axes):
    model, machine = (
        RVC(kernel=KERNEL, probability="plug-in").fit(X, T),
        NuSVC(nu=0.3, kernel=KERNEL).fit(X, T),
    )
    return figures.figure_7_12(*axes, X, T, model, machine), (model, machine)


def draw_two_probabilities(axes):
    models = [RVC(kernel=KERNEL, probability=kind).fit(X, T) for kind in ("plug-in", "averaged")]
    return figures.figure_two_probabilities(*axes, X, T, models), models


def draw_placement(axes):
    places = np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2)
    phi = KERNEL(X, places)
    ratio = (T @ phi / np.sqrt(np.sum(phi**2, axis=0))).reshape(len(GRID[1]), -1)  # an empty model
    ratios, members = [ratio, 0.1 * ratio], [np.empty(0, int), np.array([7, 38])]
    odds = RVC(kernel=KERNEL).fit(X, T).surface(*GRID)
    views = figures.figure_placement(axes, X, T, GRID, ratios, odds, members, ["nobody", "two"])
    return views[0], (views, ratios, members)


def draw_irls(axes, k=40):
    few, t = datasets.overlapping(30)
    steps = list(inside_steps(np.column_stack([KERNEL(few), np.ones(30)]), (t > 0) * 1.0))
    weights = np.zeros(31)
    weights[steps[k].inside] = steps[k].w
    odds = KERNEL.on_grid(*GRID, few, weights[:-1]) + weights[-1]
    return figures.figure_irls(*axes, few, t, GRID, odds, steps, k), (few, steps, k)


FIGURES = {
    "figure_7_12": (draw_7_12, 3),
    "figure_two_probabilities": (draw_two_probabilities, 3),
    "figure_placement": (draw_placement, 2),
    "figure_irls": (draw_irls, 3),
}
