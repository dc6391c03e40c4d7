"""To draw: a step of K-medoids."""

import numpy as np
from scipy.spatial.distance import cdist

from sparsekm_edu import datasets, figures
from sparsekm_edu.solvers import k_medoids, k_medoids_steps

X, _ = datasets.around([(-2.0, -0.5), (0.7, 1.0), (1.9, -0.9)], 24, spread=0.4)
D = cdist(X, X)
STEPS = list(k_medoids_steps(D, [1, 4, 17]))  # two of the first cloud, none of the second
SWAP = [step.action for step in STEPS].index("swap")


def draw_medoids(axes, k=SWAP):
    best = k_medoids(D, 3).cost
    return figures.figure_medoids(*axes, X, STEPS, k, best), (np.array(X), STEPS, k, best)


FIGURES = {"figure_medoids": (draw_medoids, 2)}
