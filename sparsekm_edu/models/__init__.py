"""Models: thin scikit-learn estimators over the solvers."""

from sparsekm_edu.models.svm import SVC

__all__ = ["SVC"]
