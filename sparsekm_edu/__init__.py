"""Sparse kernel machines you can touch: readable reference solvers, textbook figures, live explorers."""

from sparsekm_edu import check, datasets, explorers, figures
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVC
from sparsekm_edu.solvers import DualProblem, DualSolution, hard_margin, kkt, qp, smo, smo_steps, soft_margin

__version__ = "0.1.0"

__all__ = [
    "DualProblem",
    "DualSolution",
    "Gaussian",
    "Linear",
    "Polynomial",
    "SVC",
    "check",
    "datasets",
    "explorers",
    "figures",
    "hard_margin",
    "kkt",
    "qp",
    "smo",
    "smo_steps",
    "soft_margin",
]
