"""Models: thin scikit-learn estimators over the solvers."""

from sparsekm_edu.models.calibration import PlattScaling
from sparsekm_edu.models.multiclass import (
    DAGSVM,
    LeeSVC,
    WestonWatkinsSVC,
)
from sparsekm_edu.models.polson_scott import PolsonScottSVM
from sparsekm_edu.models.svm import (
    SVC,
    SVDD,
    SVR,
    NuSVC,
    NuSVR,
    OneClassSVM,
)

__all__ = [
    "DAGSVM",
    "LeeSVC",
    "NuSVC",
    "NuSVR",
    "OneClassSVM",
    "PlattScaling",
    "PolsonScottSVM",
    "SVC",
    "SVDD",
    "SVR",
    "WestonWatkinsSVC",
]
