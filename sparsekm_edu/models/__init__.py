"""Models: thin scikit-learn estimators over the solvers."""

from sparsekm_edu.models.calibration import PlattScaling
from sparsekm_edu.models.kernel_learning import (
    KernelState,
    OptimisedKernel,
    optimise_kernel,
)
from sparsekm_edu.models.kernel_trick import (
    KernelKNN,
    KernelPCA,
    KernelRidge,
    KMedoids,
    NearestMedoid,
)
from sparsekm_edu.models.logistic import (
    BayesianLogisticRegression,
    LogisticRegression,
)
from sparsekm_edu.models.multiclass import (
    DAGSVM,
    LeeSVC,
    WestonWatkinsSVC,
)
from sparsekm_edu.models.polson_scott import PolsonScottSVM
from sparsekm_edu.models.rvm import (
    RVC,
    RVR,
)
from sparsekm_edu.models.selection import (
    LIBSVM_C,
    LIBSVM_GAMMA,
    EvidenceScores,
    GridScores,
    GridSearchSVC,
    evidence_over_gamma,
    grid_search,
    leave_one_out_errors,
)
from sparsekm_edu.models.smoothing import (
    KernelDensity,
    LocallyWeightedRegression,
    NadarayaWatson,
)
from sparsekm_edu.models.svm import (
    SVC,
    SVDD,
    SVR,
    NuSVC,
    NuSVR,
    OneClassSVM,
)
from sparsekm_edu.models.vector_machines import (
    L1VMClassifier,
    L1VMRegressor,
    L2VMClassifier,
    L2VMRegressor,
)

__all__ = [
    "BayesianLogisticRegression",
    "DAGSVM",
    "EvidenceScores",
    "GridScores",
    "GridSearchSVC",
    "KMedoids",
    "KernelDensity",
    "KernelKNN",
    "KernelPCA",
    "KernelRidge",
    "KernelState",
    "L1VMClassifier",
    "L1VMRegressor",
    "L2VMClassifier",
    "L2VMRegressor",
    "LIBSVM_C",
    "LIBSVM_GAMMA",
    "LeeSVC",
    "LocallyWeightedRegression",
    "LogisticRegression",
    "NadarayaWatson",
    "NearestMedoid",
    "NuSVC",
    "NuSVR",
    "OneClassSVM",
    "OptimisedKernel",
    "PlattScaling",
    "PolsonScottSVM",
    "RVC",
    "RVR",
    "SVC",
    "SVDD",
    "SVR",
    "WestonWatkinsSVC",
    "evidence_over_gamma",
    "grid_search",
    "leave_one_out_errors",
    "optimise_kernel",
]
