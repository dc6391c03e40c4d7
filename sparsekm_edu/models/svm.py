"""Support vector machines as scikit-learn estimators: build K, call a solver, keep the result."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from sparsekm_edu.kernels import as_kernel
from sparsekm_edu.solvers import kkt, qp, smo, soft_margin
from sparsekm_edu.validation import real_number

SOLVERS = {"smo": smo, "qp": qp}


class SVC(ClassifierMixin, BaseEstimator):
    """Support vector classifier for two classes, (7.32)-(7.37).

    Parameters
    ----------
    C : price of one unit of slack, > 0; infinity is the hard margin.
    kernel : a Kernel, a name ("linear", "polynomial", "gaussian"), a function f(X, Z), or "precomputed"
        (then X is the Gram matrix); None means Gaussian(gamma=1.0).
    solver : "smo" or "qp".
    tol : the KKT gap to reach, in units of y.
    class_weight : None, "balanced", or a dict from class to the factor on its C.
    max_iter : iterations of the solver at most.

    Fitted: classes_ (2,); support_ (S,) indices of the support vectors; support_vectors_ (S, D) (empty for
    "precomputed"); dual_coef_ (1, S) holding a_n t_n with t_n = +1 for classes_[1]; intercept_ (1,) holding
    b; n_iter_; kkt_violation_; converged_; solution_, the DualSolution over the points of positive weight.
    """

    def __init__(self, C=1.0, kernel=None, solver="smo", tol=1e-3, class_weight=None, max_iter=1_000_000):
        self.C = C
        self.kernel = kernel
        self.solver = solver
        self.tol = tol
        self.class_weight = class_weight
        self.max_iter = max_iter

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and labels y (N,); sample_weight (N,) multiplies C point by point."""
        C = real_number("C", self.C, above=0, infinite=True)
        if self.solver not in list(SOLVERS):  # a list, because what users pass may not be hashable
            raise ValueError(f"solver must be one of {sorted(SOLVERS)}, got {self.solver!r}.")
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        used = np.flatnonzero(weight > 0)  # a point without weight is no point at all
        self.classes_, label = np.unique(y, return_inverse=True)
        self._check_two_classes(label[used])

        t = 2.0 * label[used] - 1.0
        per_class = compute_class_weight(self.class_weight, classes=self.classes_, y=y, sample_weight=weight)
        if not np.all(per_class > 0):
            raise ValueError(f"class_weight must hold numbers > 0, got {self.class_weight!r}.")
        K = self._gram(X, used)
        problem = soft_margin(K, t, C * weight[used] * per_class[label[used]])
        solution = SOLVERS[self.solver](problem, tol=self.tol, max_iter=self.max_iter)

        self.solution_ = solution
        self.support_ = used[solution.support]
        self.support_vectors_ = X[self.support_] if self.kernel_ else np.empty((0, 0))
        self.dual_coef_ = solution.v[None, solution.support]
        self.intercept_ = np.array([solution.b])
        self.n_iter_ = max(1, solution.n_iter)
        self.kkt_violation_ = kkt(problem, solution).violation
        self.converged_ = solution.converged
        return self

    def decision_function(self, X):
        """y(x) of (7.13) for X (M, D) -> (M,)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        K = self.kernel_(X, self.support_vectors_) if self.kernel_ else X[:, self.support_]
        return K @ self.dual_coef_[0] + self.intercept_[0]  # (7.13)

    def predict(self, X):
        """The class on whose side of y(x) = 0 each point lies, (M,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def surface(self, x1, x2):
        """y(x) on the grid x1 (n1,) times x2 (n2,) -> (n2, n1), for contour plots of two-dimensional data."""
        check_is_fitted(self)
        if self.kernel_ is None:
            raise ValueError("There is no surface for kernel='precomputed': k(x, z) is unknown off the data.")
        if self.n_features_in_ != 2:
            raise ValueError(f"surface needs data with 2 features, got {self.n_features_in_}.")
        return self.kernel_.on_grid(x1, x2, self.support_vectors_, self.dual_coef_[0]) + self.intercept_[0]

    def _gram(self, X, used):
        """Gram matrix of the rows in use; remembers the kernel as it was when fitted."""
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            self.kernel_ = None
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"A precomputed kernel must be a square matrix, got shape {X.shape}.")
            return X[np.ix_(used, used)]
        self.kernel_ = clone(as_kernel(self.kernel))
        return self.kernel_(X[used])

    def _check_two_classes(self, label):
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is multiclass: "
                f"got {len(self.classes_)} classes; wrap SVC in OneVsOneClassifier or OneVsRestClassifier."
            )
        left = len(np.unique(label))
        if left < 2:
            after = "" if len(self.classes_) < 2 else " left after dropping points of zero weight"
            raise ValueError(f"The number of classes has to be 2, got {left} class{after}.")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
