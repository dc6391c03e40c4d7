"""To draw: the q-s plane."""

import numpy as np

from sparsekm_edu import Gaussian, datasets, figures
from sparsekm_edu.figures.rvm.sequential import (
    Frame,
)
from sparsekm_edu.solvers import sequential_steps

WINDOW = (1.0, 1e3, 1e-1, 1e4)
FRAME = Frame((-0.1, 1.1, -1.5, 1.5), WINDOW, (0, 1))


def steps_on_the_sinusoid():
    X, t = datasets.sinusoid()
    Phi = np.hstack([Gaussian(gamma=1 / (2 * 0.15**2))(X), np.ones((10, 1))])
    _, *run = sequential_steps(Phi, t, schedule="patient")  # without the empty model at its start
    return X, t, run


X, T, RUN = steps_on_the_sinusoid()
NOISE = [step.action for step in RUN].index("noise")


def draw_plane(axes, k=2):
    now, to_come = RUN[k - 1], RUN[k]
    view = figures.figure_q_s_plane(axes[0], now.q, now.s, now.active, WINDOW, to_come, "a title")
    return view, (now, to_come)


FIGURES = {"figure_q_s_plane": (draw_plane, 1)}
