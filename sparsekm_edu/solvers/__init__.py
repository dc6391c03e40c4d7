"""Solvers: arrays in, named result out. No data points, no kernels, no estimators, no plotting."""

from sparsekm_edu.solvers.dual import (
    KKT,
    DualProblem,
    DualSolution,
    NotSeparable,
    epsilon_regression,
    hard_margin,
    kkt,
    nu_classification,
    nu_regression,
    one_class,
    smallest_sphere,
    soft_margin,
)
from sparsekm_edu.solvers.gram import Gram
from sparsekm_edu.solvers.qp import qp
from sparsekm_edu.solvers.smo import SMOState, SMOStep, advance, smo, smo_steps

__all__ = [
    "Gram",
    "KKT",
    "DualProblem",
    "DualSolution",
    "NotSeparable",
    "SMOState",
    "SMOStep",
    "advance",
    "epsilon_regression",
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
