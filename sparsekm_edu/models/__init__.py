"""Models: thin scikit-learn estimators over the solvers."""

from sparsekm_edu.models.svm import SVC, SVDD, SVR, NuSVC, NuSVR, OneClassSVM

__all__ = ["SVC", "SVDD", "SVR", "NuSVC", "NuSVR", "OneClassSVM"]
