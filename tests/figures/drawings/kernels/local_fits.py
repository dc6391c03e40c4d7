"""To draw: kernel regression, straight lines under two smoothers, rows of equivalent kernels."""

import numpy as np

from sparsekm_edu import LocallyWeightedRegression, NadarayaWatson, datasets, figures

SMOOTHERS = {"Nadaraya-Watson": NadarayaWatson, "local line": LocallyWeightedRegression}
LINE = np.linspace(0, 100, 201)


def draw_14_18(axes, h=3.5):
    X, t = datasets.rising_wave()
    y, truth = NadarayaWatson(h).fit(X, t).predict(LINE[:, None]), datasets.rising_curve(LINE)
    return figures.figure_14_18(axes[0], X, t, LINE, y, truth, h), (X, t, y, truth)


def draw_straight_line(axes, h=5.0):
    X, _ = datasets.rising_wave()
    t = X[:, 0] / 25
    errors = {name: kind(h).fit(X, t).predict(LINE[:, None]) - LINE / 25 for name, kind in SMOOTHERS.items()}
    figures.figure_straight_line(axes[0], LINE, errors)
    return axes[0], errors


def draw_equivalent_kernels(axes, h=5.0, places=(0.0, 50.0)):
    X, t = datasets.rising_wave()
    rows = {name: kind(h).fit(X, t).weights(np.reshape(places, (-1, 1))) for name, kind in SMOOTHERS.items()}
    rows["another"] = rows["local line"] / 2
    figures.figure_equivalent_kernels(axes, X, rows, places)
    return axes, (X, rows, places)


FIGURES = {
    "figure_14_18": (draw_14_18, 1),
    "figure_straight_line": (draw_straight_line, 1),
    "figure_equivalent_kernels": (draw_equivalent_kernels, 2),
}
