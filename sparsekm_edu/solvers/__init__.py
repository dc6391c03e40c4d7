"""Solvers: arrays in, named result out. No data points, no kernels, no estimators, no plotting."""

from sparsekm_edu.solvers.dual import (
    KKT,
    DualProblem,
    DualSolution,
    NotSeparable,
    hard_margin,
    kkt,
    soft_margin,
)
from sparsekm_edu.solvers.qp import qp
from sparsekm_edu.solvers.smo import SMOState, SMOStep, advance, smo, smo_steps

__all__ = [
    "KKT",
    "DualProblem",
    "DualSolution",
    "NotSeparable",
    "SMOState",
    "SMOStep",
    "advance",
    "hard_margin",
    "kkt",
    "qp",
    "smo",
    "smo_steps",
    "soft_margin",
]
