"""The support vector machine as the mode of a posterior, found by EM."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from sparsekm_edu.kernels import as_kernel
from sparsekm_edu.solvers.mixture import em_svm
from sparsekm_edu.validation import real_number


class PolsonScottSVM(ClassifierMixin, BaseEstimator):
    """The classifier of `SVC`, by EM on the scale mixture (14.68) instead of a quadratic program.

    It minimises the same (7.21), so it makes the same predictions; but it is dense, as no coefficient ever
    becomes exactly 0, and it needs many steps when C is large.

    Parameters
    ----------
    C : price of one unit of slack, > 0 and finite.
    kernel : as in SVC: a Kernel, a name, a function f(X, Z), or "precomputed"; None means Gaussian(gamma=1.0).
    tol : how far the objective may be above its minimum, relative to itself.
    max_iter : EM steps at most.

    Fitted: classes_ (2,); X_fit_ (N', D), the points of positive weight (empty for "precomputed"); dual_coef_ (1, N')
    holding v_n = a_n t_n with t_n = +1 for classes_[1]; intercept_ (1,) holding b; objective_, (7.21); gap_, a bound
    on its relative excess; n_iter_; converged_; solution_, the last EMStep.
    """

    def __init__(self, C=1.0, kernel=None, tol=1e-6, max_iter=5000):
        self.C = C
        self.kernel = kernel
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and labels y (N,); sample_weight (N,) multiplies C point by point."""
        C = real_number("C", self.C, above=0)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self.rows_ = np.flatnonzero(weight > 0)  # a point without weight is no point at all
        self.classes_, label = np.unique(y, return_inverse=True)
        self._check_two_classes(label[self.rows_])

        t = 2.0 * label[self.rows_] - 1.0
        solution = em_svm(self._gram(X), t, C * weight[self.rows_], tol=self.tol, max_iter=self.max_iter)
        self.X_fit_ = X[self.rows_] if self.kernel_ else np.empty((0, 0))
        self.dual_coef_ = solution.v[None, :]
        self.intercept_ = np.array([solution.b])
        self.objective_ = solution.objective
        self.gap_ = solution.gap
        self.n_iter_ = solution.n_iter
        self.converged_ = solution.converged
        self.solution_ = solution
        return self

    def decision_function(self, X):
        """y(x) = sum_n v_n k(x, x_n) + b for X (M, D) -> (M,)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        K = self.kernel_(X, self.X_fit_) if self.kernel_ else X[:, self.rows_]
        return K @ self.dual_coef_[0] + self.intercept_[0]  # (7.13)

    def predict(self, X):
        """The class on whose side of y(x) = 0 each point lies, (M,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def _gram(self, X):
        """Gram matrix of the rows in use; remembers the kernel as it was when fitted."""
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            self.kernel_ = None
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"A precomputed kernel must be a square matrix, got shape {X.shape}.")
            return X[np.ix_(self.rows_, self.rows_)]
        self.kernel_ = clone(as_kernel(self.kernel))
        return self.kernel_(X[self.rows_])

    def _check_two_classes(self, label):
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is multiclass: got "
                f"{len(self.classes_)} classes; wrap PolsonScottSVM in OneVsOneClassifier or OneVsRestClassifier."
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
