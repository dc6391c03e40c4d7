"""Sparse kernel machines you can touch: readable reference solvers, textbook figures, live explorers."""

from sparsekm_edu import check, datasets, explorers, figures
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVC, SVDD, SVR, NuSVC, NuSVR, OneClassSVM
from sparsekm_edu.solvers import (
    DualProblem,
    DualSolution,
    epsilon_regression,
    hard_margin,
    kkt,
    nu_classification,
    nu_regression,
    one_class,
    qp,
    smallest_sphere,
    smo,
    smo_steps,
    soft_margin,
)

__version__ = "0.1.0"

__all__ = [
    "DualProblem",
    "DualSolution",
    "Gaussian",
    "Linear",
    "NuSVC",
    "NuSVR",
    "OneClassSVM",
    "Polynomial",
    "SVC",
    "SVDD",
    "SVR",
    "check",
    "datasets",
    "epsilon_regression",
    "explorers",
    "figures",
    "hard_margin",
    "kkt",
    "nu_classification",
    "nu_regression",
    "one_class",
    "qp",
    "smallest_sphere",
    "smo",
    "smo_steps",
    "soft_margin",
]
