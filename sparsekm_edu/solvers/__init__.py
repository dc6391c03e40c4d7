"""Solvers: arrays in, named result out. No data points, no kernels, no estimators, no plotting.

`x_steps` is a generator that shows how `x` works. Its first step is the start, n_iter = 0, and its last one what `x`
returns: `em_svm_steps` and `em_svm`, `reestimate_steps` and `reestimate`, and so on. (Three solvers know a shorter way:
`sequential` follows its generator with schedule="book", `smo` polishes between pair steps to get there sooner, and
`k_medoids` makes any swap that helps, from many starts.)
"""

from sparsekm_edu.solvers.bayes.evidence import SBLSolution, evidence_gradient, log_evidence, posterior
from sparsekm_edu.solvers.bayes.gaussian_process import GaussianProcess, gaussian_process
from sparsekm_edu.solvers.bayes.laplace import (
    LaplaceApproximation,
    LaplaceFit,
    averaged_probability,
    bic,
    irls,
    irls_steps,
    laplace,
    laplace_fit,
    working_targets,
)
from sparsekm_edu.solvers.bayes.reestimation import EvidenceStep, em, em_steps, reestimate, reestimate_steps
from sparsekm_edu.solvers.bayes.referee import EvidenceCheck, evidence_check
from sparsekm_edu.solvers.bayes.sequential.model import sparsity_quality
from sparsekm_edu.solvers.bayes.sequential.schedules import sequential
from sparsekm_edu.solvers.bayes.sequential.steps import SequentialStep, sequential_steps
from sparsekm_edu.solvers.bayes.softmax import (
    SoftmaxFit,
    softmax_fit,
    softmax_sparsity_quality,
)
from sparsekm_edu.solvers.dual.chunking import (
    ChunkingSolution,
    ChunkingStep,
    chunking,
    chunking_steps,
    decomposition,
    decomposition_steps,
)
from sparsekm_edu.solvers.dual.formulations import (
    epsilon_regression,
    hard_margin,
    nu_classification,
    nu_regression,
    one_class,
    smallest_sphere,
    soft_margin,
)
from sparsekm_edu.solvers.dual.gram import Gram
from sparsekm_edu.solvers.dual.joint import (
    JointProblem,
    JointSolution,
    interior_point,
    joint_kkt,
    joint_qp,
    lee,
    weston_watkins,
)
from sparsekm_edu.solvers.dual.path import (
    Path,
    c_path,
)
from sparsekm_edu.solvers.dual.problem import (
    KKT,
    DualProblem,
    DualSolution,
    NotSeparable,
    gradient,
    kkt,
    multipliers,
)
from sparsekm_edu.solvers.dual.qp import qp
from sparsekm_edu.solvers.dual.scale_mixture import (
    EMStep,
    em_svm,
    em_svm_steps,
    hinge_mixture,
    mixture_error,
)
from sparsekm_edu.solvers.dual.smo import (
    SMOState,
    SMOStep,
    advance,
    smo,
    smo_steps,
)
from sparsekm_edu.solvers.linear.logistic import (
    DescentStep,
    gd_steps,
    sgd_steps,
)
from sparsekm_edu.solvers.linear.penalised import (
    PenalisedFit,
    l1,
    l2,
    largest_lam,
)
from sparsekm_edu.solvers.linear.platt import (
    PlattFit,
    platt,
    platt_steps,
)
from sparsekm_edu.solvers.linear.ridge import ridge_dual, ridge_leave_one_out, ridge_primal
from sparsekm_edu.solvers.medoids import (
    MedoidSolution,
    MedoidStep,
    k_medoids,
    k_medoids_steps,
    swap_gains,
)

__all__ = [
    "ChunkingSolution",
    "ChunkingStep",
    "DescentStep",
    "DualProblem",
    "DualSolution",
    "EMStep",
    "EvidenceCheck",
    "EvidenceStep",
    "GaussianProcess",
    "Gram",
    "JointProblem",
    "JointSolution",
    "KKT",
    "LaplaceApproximation",
    "LaplaceFit",
    "MedoidSolution",
    "MedoidStep",
    "NotSeparable",
    "Path",
    "PenalisedFit",
    "PlattFit",
    "SBLSolution",
    "SMOState",
    "SMOStep",
    "SequentialStep",
    "SoftmaxFit",
    "advance",
    "averaged_probability",
    "bic",
    "c_path",
    "chunking",
    "chunking_steps",
    "decomposition",
    "decomposition_steps",
    "em",
    "em_steps",
    "em_svm",
    "em_svm_steps",
    "epsilon_regression",
    "evidence_check",
    "evidence_gradient",
    "gaussian_process",
    "gd_steps",
    "gradient",
    "hard_margin",
    "hinge_mixture",
    "interior_point",
    "irls",
    "irls_steps",
    "joint_kkt",
    "joint_qp",
    "k_medoids",
    "k_medoids_steps",
    "kkt",
    "l1",
    "l2",
    "laplace",
    "laplace_fit",
    "largest_lam",
    "lee",
    "log_evidence",
    "mixture_error",
    "multipliers",
    "nu_classification",
    "nu_regression",
    "one_class",
    "platt",
    "platt_steps",
    "posterior",
    "qp",
    "reestimate",
    "reestimate_steps",
    "ridge_dual",
    "ridge_leave_one_out",
    "ridge_primal",
    "sequential",
    "sequential_steps",
    "sgd_steps",
    "smallest_sphere",
    "smo",
    "smo_steps",
    "soft_margin",
    "softmax_fit",
    "softmax_sparsity_quality",
    "sparsity_quality",
    "swap_gains",
    "weston_watkins",
    "working_targets",
]
