"""To draw: several ways to be sparse with the same kernel."""

import numpy as np

from sparsekm_edu import RVC, RVR, SVC, SVR, Gaussian, L1VMClassifier, L1VMRegressor, datasets, figures
from sparsekm_edu.figures.curves import SINC_X
from sparsekm_edu.lessons.vector_machines import weights

PLANE = figures.grid_over(figures.WIDE, 31)


def draw_14_4(axes):
    X, t = datasets.overlapping(n=60)
    kernel = Gaussian(gamma=1.0)
    fitted = {
        "L1VM": L1VMClassifier(kernel, lam=1.0),
        "RVM": RVC(kernel),
        "SVM": SVC(C=1.0, kernel=kernel),
    }
    machines = {
        name: (machine.fit(X, t).surface(*PLANE), np.flatnonzero(weights(machine, len(X))))
        for name, machine in fitted.items()
    }
    return figures.figure_14_4(axes, X, t, PLANE, machines), (X, t, machines)


def curves():
    """X, t, and machine -> (curve, weights) for the sinc."""
    X, t = datasets.sinc(n=40, noise=0.1, distribution="gaussian", seed=2)
    kernel = Gaussian(gamma=0.2)
    fitted = {
        "L1VM": L1VMRegressor(kernel, lam=0.5),
        "RVM": RVR(kernel),
        "SVM": SVR(kernel=kernel, C=1.0, epsilon=0.1),
    }
    return (
        X,
        t,
        {
            name: (machine.fit(X, t).predict(SINC_X[:, None]), weights(machine, len(X)))
            for name, machine in fitted.items()
        },
    )


def draw_14_5(axes):
    X, t, machines = curves()
    return figures.figure_14_5(axes, X, t, SINC_X, machines)[0], (X, t, machines)


def draw_14_6(axes):
    X, t, machines = curves()
    return figures.figure_14_6(axes, X, SINC_X, machines)[0], (X, t, machines)


def draw_order(axes):
    counts = {"L2VM": [40] * 4, "SVM": [21, 30, 25, 40], "L1VM": [9, 8, 7, 8], "RVM": [5, 6, 7, 4]}
    return figures.figure_order(axes[0], counts, "sinc"), counts


FIGURES = {
    "figure_14_4": (draw_14_4, 3),
    "figure_14_5": (draw_14_5, 3),
    "figure_14_6": (draw_14_6, 3),
    "figure_order": (draw_order, 1),
}
