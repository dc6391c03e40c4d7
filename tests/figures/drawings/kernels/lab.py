"""To draw: who speaks against the sigmoid kernel, and functions of Gaussian processes."""

import numpy as np

from sparsekm_edu import Matern, Sigmoid, figures
from sparsekm_edu.kernels import mercer_witness
from sparsekm_edu.lessons.processes import process_functions


def draw_mercer_witness(axes, kernel=None, points=21):
    x = np.linspace(-2, 2, points)
    found = mercer_witness(kernel or Sigmoid(1.0, -1.0), x[:, None])
    view = figures.figure_mercer_witness(axes, x, found.K, found.eigenvalues, found.v, found.value)
    return view, (x, found)


def draw_sample_functions(axes):
    x = np.linspace(-3, 3, 121)
    rows = [(f"nu = {nu:g}", process_functions(Matern(nu)(x[:, None]))) for nu in (0.5, 1.5, 2.5, np.inf)]
    return figures.figure_sample_functions(axes, x, rows), (x, rows)


FIGURES = {
    "figure_mercer_witness": (draw_mercer_witness, 3),
    "figure_sample_functions": (draw_sample_functions, 4),
}
