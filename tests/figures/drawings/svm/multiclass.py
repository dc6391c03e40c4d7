"""To draw: many classes and one."""

import numpy as np

from sparsekm_edu import SVDD, Gaussian, OneClassSVM, datasets, figures
from sparsekm_edu.explorers.svm.multiclass import straight_lines
from sparsekm_edu.figures.style import CLOSE, CRESCENT, SQUARE
from sparsekm_edu.lessons import halfplanes
from sparsekm_edu.lessons.nu import nu_fractions


def draw_14_14(axes):
    X, t = datasets.around()
    lines = straight_lines(X, t, C=10.0)
    regions = halfplanes.claims(*lines[0], SQUARE), halfplanes.most_votes(*lines[1], SQUARE, 3)
    view = figures.figure_14_14(*axes, X, t, datasets.AMBIGUOUS_MEANS, lines, regions)
    return view, (lines, regions)


def stripes():
    """Two made-up strategies: thirds of the picture from left to right, and the same a little moved."""
    grid = figures.grid_over(CLOSE, 60)
    across = np.tile(grid[0], (len(grid[1]), 1))
    return grid, [np.digitize(across, (edge, edge + 1.7)) for edge in (-0.8, -0.3)]


def draw_disagreement(axes):
    grid, labels = stripes()
    X, t = datasets.three_classes(30)
    return figures.figure_disagreement(*axes, X, t, grid, labels, ("one way", "another")), (grid, labels)


def draw_strategies(axes):
    grid, labels = stripes()
    X, t = datasets.three_classes(30)
    named = {"one way": labels[0], "another": labels[1], "a third": labels[0]}
    errors = dict.fromkeys(named, 0.125)
    return figures.figure_strategies(axes, X, t, grid, named, errors), (grid, labels)


def draw_novelty(axes):
    X, _ = datasets.crescent()
    grid, nu, kernel = figures.grid_over(CRESCENT, 60), 0.2, Gaussian(1.0)
    plane, sphere = OneClassSVM(nu, kernel).fit(X), SVDD(nu, kernel).fit(X)
    outside = np.flatnonzero(plane.predict(X) < 0)
    nus = np.linspace(0.02, 0.98, 13)
    path = nus, *nu_fractions(kernel(X), nus)
    view = figures.figure_novelty(
        *axes, X, grid, plane.surface(*grid), sphere.surface(*grid), plane.support_, outside, nu, path
    )
    return view, (X, plane, sphere, outside, path)


FIGURES = {
    "figure_14_14": (draw_14_14, 2),
    "figure_disagreement": (draw_disagreement, 2),
    "figure_strategies": (draw_strategies, 4),
    "figure_novelty": (draw_novelty, 2),
}
