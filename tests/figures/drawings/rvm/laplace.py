"""To draw: Laplace's approximation."""

import numpy as np
from scipy.special import expit

from sparsekm_edu import datasets, figures
from sparsekm_edu.lessons.densities import DENSITIES, against_power, laplace_of, log_curves, power
from sparsekm_edu.lessons.integration import four_ways, grid_posterior, sampled_evidence
from sparsekm_edu.solvers import bic, laplace_fit

DEGREES = np.arange(5)


def draw_laplace(axes, name="bounded", n=1):
    density, z, powers = DENSITIES[name], np.linspace(-3, 5, 401), np.geomspace(1, 100, 9)
    first = laplace_of(density, 0.6)
    wrong = against_power(density, first, powers)
    logs = log_curves(density, n, power(first, n), z)
    view = figures.figure_laplace(*axes, name, z, *logs, first.mode, n, powers, *wrong)
    return view, (z, *logs, first, powers, *wrong)


def draw_degree(axes):
    X, t = datasets.wavy_odds(40, seed=3)
    x, t, line = X[:, 0], (t > 0).astype(float), np.linspace(-1, 1, 51)
    fits = [laplace_fit(np.vander(x, d + 1), t, 1.0) for d in DEGREES]
    likelihood = np.array([np.sum(np.log(np.where(t > 0, fit.y, 1 - fit.y))) for fit in fits])
    scores = {
        "log likelihood": likelihood,
        "Laplace": np.array([fit.log_evidence for fit in fits]),
        "sampled": np.array([sampled_evidence(np.vander(x, d + 1), t, 1.0, fits[d]) for d in DEGREES]),
        "BIC": np.array([bic(likelihood[d], d + 1, 40) for d in DEGREES]),
    }
    curves = [expit(np.vander(line, d + 1) @ fits[d].w) for d in DEGREES]
    chosen = [curves[scores[name].argmax()] for name in ("Laplace", "BIC")]
    material = x, t, line, expit(datasets.wavy_log_odds(line)), *chosen, scores
    return figures.figure_degree(*axes, DEGREES, *material), material


def draw_predictive(axes):
    X, t = datasets.on_a_line(10, 75)
    Phi, label = np.column_stack([X[:, 0], np.ones(10)]), (t > 0).astype(float)
    fit = laplace_fit(Phi, label, 0.1)
    posterior = grid_posterior(Phi, label, 0.1, fit)
    line = np.linspace(-4, 4, 105)
    ways = four_ways(np.column_stack([line, np.ones(105)]), fit, posterior)
    material = X[:, 0], t, line, ways, posterior.contours
    return figures.figure_predictive(*axes, *material), (*material, fit, posterior)


FIGURES = {
    "figure_laplace": (draw_laplace, 3),
    "figure_degree": (draw_degree, 2),
    "figure_predictive": (draw_predictive, 2),
}
