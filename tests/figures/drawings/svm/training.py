"""To draw: SMO, its rivals and the path."""

import numpy as np

from sparsekm_edu import Gaussian, datasets, figures
from sparsekm_edu.solvers import c_path, smo, smo_steps, soft_margin

X, T = datasets.overlapping(24)
GRID = figures.grid_over(figures.WIDE, 40)


def draw_smo_step(axes, k=5, C=3.0):
    kernel = Gaussian(gamma=0.5)
    problem = soft_margin(kernel(X), T, C)
    steps, best = list(smo_steps(problem)), smo(problem).objective
    Y = kernel.on_grid(*GRID, X, steps[k].v)
    view = figures.figure_smo_step(*axes, X, problem, steps, k, best, GRID, Y)
    return view, (problem, steps, k, best)


def draw_scaling(axes):
    N = np.array([100, 200, 400])
    times = {name: (N, 1e-6 * N**p) for name, p in (("qp", 3.0), ("smo", 1.5), ("LIBSVM", 2.0))}
    exponents = {"qp": 3.0, "smo": 1.5, "LIBSVM": 2.0}
    return figures.figure_scaling(*axes, times, exponents), (times, exponents)


def draw_path(axes, C=1.0):
    kernel = Gaussian(gamma=0.5)
    path = c_path(kernel(X), T, 100.0)
    solution = path.at(C)
    Y = kernel.on_grid(*GRID, X, solution.v) + solution.b
    return figures.figure_path(*axes, X, path, C, solution, GRID, Y), (path, C, solution)


FIGURES = {
    "figure_smo_step": (draw_smo_step, 3),
    "figure_scaling": (draw_scaling, 1),
    "figure_path": (draw_path, 3),
}
