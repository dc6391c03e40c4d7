"""To draw: the relevance vector machine for regression."""

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from sparsekm_edu import RVR, Gaussian, NuSVR, datasets, figures
from sparsekm_edu.solvers import em_steps, reestimate_steps

X, T = datasets.sinusoid()
KERNEL = Gaussian(1 / (2 * 0.15**2))
PLACES = np.array([1.15, 1.45, 2.0])


def draw_7_9(axes):
    svm = NuSVR(C=1.0, nu=0.5, kernel=KERNEL).fit(X, T)
    rvm = RVR(kernel=KERNEL, bias=False).fit(X, T)
    return figures.figure_7_9(*axes, X, T, svm, rvm), (svm, rvm)


def draw_evidence_climb(axes):
    Phi = np.hstack([KERNEL(X), np.ones((10, 1))])
    runs = {
        "as printed": list(reestimate_steps(Phi, T, rule="printed")),
        "with a brake": list(reestimate_steps(Phi, T)),
        "EM": list(em_steps(Phi, T)),
    }
    return figures.figure_evidence_climb(axes[0], axes[1:], runs), runs


def draw_far_away(axes):
    rvm = RVR(kernel=KERNEL).fit(X, T)
    kernel = ConstantKernel() * RBF(0.15, "fixed") + WhiteKernel(0.1)
    process = GaussianProcessRegressor(kernel, random_state=0).fit(X, T)
    return figures.figure_far_away(*axes, X, T, rvm, process, PLACES), (rvm, process)


FIGURES = {
    "figure_7_9": (draw_7_9, 2),
    "figure_evidence_climb": (draw_evidence_climb, 4),
    "figure_far_away": (draw_far_away, 2),
}
