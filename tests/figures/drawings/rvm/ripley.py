"""To draw: Ripley's data, and three classes."""

import numpy as np

from sparsekm_edu import RVC, SVC, Gaussian, datasets, figures
from sparsekm_edu.figures.style import RIPLEY
from sparsekm_edu.lessons.true_error import cell_masses

GRID = figures.grid_over(RIPLEY, 60)
SVM_DRAWS = np.array([[40, 0.10], [38, 0.097], [55, 0.12], [44, 0.096]])
RVM_DRAWS = np.array([[4, 0.101], [4, 0.093], [3, 0.11], [5, 0.099]])


def draw_ripley(axes):
    X, t = datasets.ripley(seed=1)
    svm, rvm = SVC(kernel=Gaussian(4.0)).fit(X, t), RVC(kernel=Gaussian(4.0)).fit(X, t)
    minus, plus = (cell_masses(*GRID, c, datasets.RIPLEY_VARIANCE) for c in datasets.RIPLEY_CENTRES)
    material = X, t, GRID, svm, rvm, np.log(plus / minus)
    return figures.figure_ripley(*axes, *material), material


def draw_ripley_draws(axes):
    material = SVM_DRAWS, RVM_DRAWS, 0.0893
    return figures.figure_ripley_draws(*axes, *material), material


def draw_softmax_rvm(axes):
    X, t = datasets.three_classes(36)
    material = X, t, RVC(kernel=Gaussian(0.5)).fit(X, t)
    return figures.figure_softmax_rvm(*axes, *material), material


FIGURES = {
    "figure_ripley": (draw_ripley, 2),
    "figure_ripley_draws": (draw_ripley_draws, 1),
    "figure_softmax_rvm": (draw_softmax_rvm, 2),
}
