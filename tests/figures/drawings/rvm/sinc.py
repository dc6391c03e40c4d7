"""To draw: Tipping's experiments."""

import numpy as np

from sparsekm_edu import ARD, RVR, LinearSpline, datasets, figures

ETA1, ETA2 = np.geomspace(0.1, 1, 3), np.geomspace(1e-4, 1e-2, 4)
PAPER = [(6, 0.0245), (29, 0.0291)]


def draw_sinc_relevance(axes):
    X, t = datasets.sinc(noise=0.2, seed=3)
    model = RVR(LinearSpline()).fit(X, t)
    return figures.figure_sinc_relevance(axes, {"noisy": (X, t, model)})[0], (X, t, model)


def draw_draws(axes):
    rng = np.random.default_rng(0)
    draws = {
        "RVM": rng.uniform((5, 0.02), (8, 0.05), (7, 2)),
        "SVM": rng.uniform((20, 0.02), (40, 0.05), (7, 2)),
    }
    return figures.figure_draws(*axes, draws, PAPER, "uniform noise"), draws


def draw_widths(axes):
    X, t = datasets.sinc_plane()
    model = RVR(ARD((0.47, 0.0015)), extra="quadratic").fit(X, t)
    evidence = -(np.arange(12.0).reshape(4, 3) ** 2) + 7
    path = np.array([(0.1, 0.01), (0.3, 0.003), (0.47, 0.0015)])
    return figures.figure_widths(*axes, X, t, ETA1, ETA2, evidence, path, model), (
        X,
        t,
        evidence,
        path,
        model,
    )


def draw_benchmark(axes):
    table = np.random.default_rng(0).uniform(0.1, 2, (3, 5, 2, 3))
    table /= table[:, :, 1:].mean(axis=1, keepdims=True)
    return figures.figure_benchmark(axes, ["one", "two", "three"], table), table


FIGURES = {
    "figure_sinc_relevance": (draw_sinc_relevance, 1),
    "figure_draws": (draw_draws, 1),
    "figure_widths": (draw_widths, 3),
    "figure_benchmark": (draw_benchmark, 3),
}
