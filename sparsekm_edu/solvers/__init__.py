"""Solvers: arrays in, named result out. No data points, no kernels, no estimators, no plotting."""

from sparsekm_edu.solvers.calibration import (
    PlattFit,
    platt,
    platt_steps,
)
from sparsekm_edu.solvers.chunking import (
    ChunkingSolution,
    ChunkingStep,
    chunking,
    chunking_steps,
    decomposition,
    decomposition_steps,
)
from sparsekm_edu.solvers.dual import KKT, DualProblem, DualSolution, NotSeparable, kkt
from sparsekm_edu.solvers.formulations import (
    epsilon_regression,
    hard_margin,
    nu_classification,
    nu_regression,
    one_class,
    smallest_sphere,
    soft_margin,
)
from sparsekm_edu.solvers.gram import Gram
from sparsekm_edu.solvers.joint import (
    JointProblem,
    JointSolution,
    interior_point,
    joint_kkt,
    joint_qp,
    lee,
    weston_watkins,
)
from sparsekm_edu.solvers.mixture import (
    EMStep,
    em_svm,
    em_svm_steps,
    hinge_mixture,
    mixture_error,
)
from sparsekm_edu.solvers.path import (
    Path,
    c_path,
)
from sparsekm_edu.solvers.qp import qp
from sparsekm_edu.solvers.smo import (
    SMOState,
    SMOStep,
    advance,
    smo,
    smo_steps,
)

__all__ = [
    "ChunkingSolution",
    "ChunkingStep",
    "DualProblem",
    "DualSolution",
    "EMStep",
    "Gram",
    "JointProblem",
    "JointSolution",
    "KKT",
    "NotSeparable",
    "Path",
    "PlattFit",
    "SMOState",
    "SMOStep",
    "advance",
    "c_path",
    "chunking",
    "chunking_steps",
    "decomposition",
    "decomposition_steps",
    "em_svm",
    "em_svm_steps",
    "epsilon_regression",
    "hard_margin",
    "hinge_mixture",
    "interior_point",
    "joint_kkt",
    "joint_qp",
    "kkt",
    "lee",
    "mixture_error",
    "nu_classification",
    "nu_regression",
    "one_class",
    "platt",
    "platt_steps",
    "qp",
    "smallest_sphere",
    "smo",
    "smo_steps",
    "soft_margin",
    "weston_watkins",
]
