"""To draw: two densities that overlap, and scores of a Gaussian mean."""

import numpy as np
from scipy.stats import norm

from sparsekm_edu import Fisher, ProbabilityProduct, figures
from sparsekm_edu.kernels import GaussianMean

POINTS = np.array([(1.6, 1.0), (0.9, 2.1), (-1.4, 1.3), (-2.0, -1.0), (0.6, -2.2), (2.0, -0.6)])


def draw_overlap(axes):
    u, apart, centres, kernel = (
        np.linspace(-5, 5, 201),
        np.linspace(0, 6, 61),
        (-0.6, 0.8),
        ProbabilityProduct(1.5, 0.7),
    )
    densities = np.array([norm.pdf(u, centre, 0.7) ** 1.5 for centre in centres])
    k = kernel([[0.0]], apart[:, None])[0]
    area = kernel([[centres[0]]], [[centres[1]]])[0, 0]
    return figures.figure_overlap(axes, u, densities, centres, (apart, k / k[0]), area), (
        u,
        densities,
        centres,
        area,
    )


def draw_scores(axes, chosen=0):
    model = GaussianMean().fitted_to(POINTS)
    g, k = model.score(POINTS), Fisher(model)(POINTS)[chosen]
    return figures.figure_scores(axes[0], POINTS, model.theta, g, k, chosen), (POINTS, model.theta, g, k)


FIGURES = {"figure_overlap": (draw_overlap, 2), "figure_scores": (draw_scores, 1)}
