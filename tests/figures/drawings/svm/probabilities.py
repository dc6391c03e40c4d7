"""To draw: Platt scaling and its rivals."""

import numpy as np

from sparsekm_edu import RVC, SVC, Gaussian, Linear, PlattScaling, datasets, figures
from sparsekm_edu.solvers import platt


def draw_platt(axes):
    X, t = datasets.many_features()
    held = np.arange(len(t)) % 100 < 30
    machine = SVC(C=1.0, kernel=Linear()).fit(X[~held], t[~held])

    def scored(X, t):
        y = machine.decision_function(X)
        return y, t, platt(y, t)

    X_fresh, t_fresh = datasets.many_features(n=2000, seed=1)
    material = scored(X[held], t[held]), scored(X[~held], t[~held]), scored(X_fresh, t_fresh)[:2]
    return figures.figure_platt(*axes, *material), material


def draw_14_13(axes):
    X, t = datasets.uniform_classes(n=200)
    x = np.linspace(0, 1.5, 151)
    machines = (
        SVC(kernel=Gaussian(100.0)),
        RVC(kernel=Gaussian(100.0)),
        PlattScaling(SVC(kernel=Gaussian(100.0))),
    )
    outputs = [machine.fit(X, t).decision_function(x[:, None]) for machine in machines]
    return figures.figure_14_13(*axes, X, t, x, *outputs), (X, t, x, *outputs)


FIGURES = {"figure_platt": (draw_platt, 2), "figure_14_13": (draw_14_13, 2)}
