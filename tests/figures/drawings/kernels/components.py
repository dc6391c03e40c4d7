"""To draw: kernel PCA of three clusters, and of what flows in a pipe."""

import numpy as np

from sparsekm_edu import Gaussian, KernelPCA, Linear, datasets, figures
from sparsekm_edu.lessons.components import neighbours_disagree


def draw_14_7(axes):
    X, _ = datasets.three_clusters()
    model = KernelPCA(Gaussian(gamma=1 / 0.1), n_components=8).fit(X)
    grid = figures.grid_over((-1, 1, -1, 1), 200)
    Z = model.transform(np.stack(np.meshgrid(*grid), axis=-1).reshape(-1, 2)).reshape(200, 200, 8)
    return figures.figure_14_7(axes, X, grid, Z, model.explained_variance_ratio_), (X, grid, Z, model)


def draw_14_8(axes):
    X, t = datasets.three_clusters()
    flat = KernelPCA(Linear()).fit_transform(X)
    bent = KernelPCA(Gaussian(gamma=1 / 0.1)).fit_transform(X)
    return figures.figure_14_8(*axes, flat, bent, t), (flat, bent, t)


def draw_14_9(axes):
    X, t = datasets.three_phase_flow()
    flat = KernelPCA(Linear()).fit_transform(X)
    bent = KernelPCA(Gaussian(gamma=0.2)).fit_transform(X)
    wrong = [neighbours_disagree(Z, t) for Z in (flat, bent)]
    return figures.figure_14_9(*axes, flat, bent, t, wrong), (flat, bent, t, wrong)


FIGURES = {
    "figure_14_7": (draw_14_7, 8),
    "figure_14_8": (draw_14_8, 2),
    "figure_14_9": (draw_14_9, 2),
}
