"""To draw: choosing C and gamma."""

import numpy as np

from sparsekm_edu import datasets, figures
from sparsekm_edu.lessons.true_error import known_mixtures, true_errors
from sparsekm_edu.models import grid_search


def draw_14_15(axes):
    X, t = datasets.mixture(n=60)
    C, gamma = np.array([0.1, 1.0, 10.0, 100.0]), np.array([0.2, 1.0, 5.0])
    known = known_mixtures(*datasets.MIXTURE_MEANS, datasets.MIXTURE_VARIANCE, side=60)
    scores = grid_search(X, t, C, gamma)
    one_gamma = grid_search(X, t, np.geomspace(0.1, 100, 31), [5.0])
    true = true_errors(X, t, C, gamma, known)
    views = figures.figure_14_15(*axes, scores, one_gamma, true, known.bayes_error)
    return views, (scores, one_gamma, true, known.bayes_error)


FIGURES = {"figure_14_15": (draw_14_15, 2)}
