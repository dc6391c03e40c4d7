"""L1- and L2-regularised vector machines (MLaPP 14.3.2): kernels on the data as features, their weights penalised.

    y(x) = sum_n w_n k(x, x_n) + b           features phi(x) = (k(x, x_1), ..., k(x, x_N))           (14.29)

The weights minimise a loss plus lam times a penalty, see `solvers.linear.penalised`. With the penalty sum_n |w_n|
(L1VM) most are exactly 0, and the points that have one are the support vectors; with sum_n w_n^2 (L2VM) all points
are. As the kernels are features like any others, k need not be a Mercer kernel. How many support vectors there are
depends on lam, which somebody has to choose; the relevance vector machine learns one for each weight.
"""

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets

from sparsekm_edu.complaints import warn
from sparsekm_edu.models.basis import KernelBasisMachine
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.solvers.linear.penalised import LARGEST, l1, l2, largest_lam


class VectorMachine(KernelBasisMachine):
    """What the four machines share.

    Parameters
    ----------
    kernel : a Kernel, a name ("linear", "polynomial" or "poly", "gaussian" or "rbf", "spline"), a function f(X, Z), or
        "precomputed" (then X is the matrix of k(x_n, x_m)); None means Gaussian(gamma="scale"). X holds what the kernel
        takes: vectors (N, D), or a list of strings or sets.
    lam : price of the penalty, > 0.
    tol : violation of the optimality conditions to reach, > 0, in units of the price at which all weights are 0 (L1: in
        units of lam).
    max_iter : Newton steps at most.

    Fitted: support_ (S,), indices of the points whose weights are not 0; support_vectors_ (S, D), these points (empty
    for "precomputed"); coef_, their weights, and intercept_; kernel_, the kernel in use, None for "precomputed";
    objective_, what was minimised; kkt_violation_, by how much the optimality conditions fail at most; n_iter_;
    converged_.
    """

    def __init__(self, kernel=None, lam=1.0, tol=1e-8, max_iter=3000):
        self.kernel = kernel
        self.lam = lam
        self.tol = tol
        self.max_iter = max_iter

    def _fit(self, X, t, loss):
        """Fit to X (N, D) and the solver's targets t; returns weights (S,) or (S, K), and bias."""
        Phi = self._basis(X)
        solution = self._minimise(Phi, t, self.lam, loss, tol=self.tol, max_iter=self.max_iter)
        self.support_ = self._keep(X, solution.support)
        self.support_vectors_ = self._centres
        self.objective_ = solution.objective
        self.kkt_violation_ = solution.violation
        self.n_iter_ = max(1, solution.n_iter)
        self.converged_ = solution.converged
        if len(self.support_) == 0:
            warn(
                "There are no support vectors, and y(x) is constant: no kernel helps enough to be worth "
                f"lam = {self.lam:g}. There are some for lam < {largest_lam(Phi, t, loss):.3g}.",
            )
        return solution.w[self.support_], solution.b


class VectorClassifier(ClassifierMixin, VectorMachine):
    """A vector machine whose y(x) are log odds: logistic for two classes, softmax for more."""

    def fit(self, X, y):
        """Fit to X (N, D) and labels y (N,)."""
        X, y = self._checked_data(X, y)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)
        K = len(self.classes_)
        if K < 2:
            raise ValueError("The number of classes has to be at least 2, got 1 class.")
        w, b = (
            self._fit(X, label.astype(float), "logistic")
            if K == 2
            else self._fit(X, np.eye(K)[label], "softmax")
        )
        self.coef_ = np.atleast_2d(w.T)
        self.intercept_ = np.atleast_1d(b)
        return self

    def decision_function(self, X):
        """y(x) for X (M, D) -> (M,), the log odds of classes_[1]; for K > 2 classes (M, K)."""
        y = self._through_basis(X, lambda Phi: Phi @ self.coef_.T) + self.intercept_
        return y[:, 0] if len(self.classes_) == 2 else y

    def predict_proba(self, X):
        """The probabilities of the classes at X (M, D), (M, K)."""
        y = self.decision_function(X)
        return np.column_stack([expit(-y), expit(y)]) if y.ndim == 1 else softmax(y, axis=1)

    def predict(self, X):
        """The class with the greatest probability, (M,); the first of them if there are several."""
        y = self.decision_function(X)
        return self.classes_[(y > 0).astype(int) if y.ndim == 1 else y.argmax(axis=1)]


class VectorRegressor(RegressorMixin, VectorMachine):
    """A vector machine whose y(x) is a curve through the targets, with squared loss."""

    def fit(self, X, y):
        """Fit to X (N, D) and targets y (N,)."""
        X, y = self._checked_data(X, y, y_numeric=True)
        t = np.asarray(y, dtype=float)
        if np.abs(t).max() > LARGEST:
            raise ValueError(
                f"y must hold numbers up to {LARGEST:g} in size, got {np.abs(t).max():g}: rescale y."
            )
        self.coef_, self.intercept_ = self._fit(X, t, "squared")
        return self

    def predict(self, X):
        """y(x) for X (M, D) -> (M,)."""
        return self._through_basis(X, lambda Phi: Phi @ self.coef_) + self.intercept_


@spelled_out
class L1VMClassifier(VectorClassifier):
    """-sum_n ln p(t_n | x_n) + lam sum_n |w_n|: a classifier with few support vectors.

    With K > 2 classes each point has K weights, and |w_n| is their norm (group lasso): a point is a support vector of
    all classes or of none.

    Parameters
    ----------
    kernel, lam, tol, max_iter : see VectorMachine.

    Fitted: classes_ (K,); coef_ is (K, S) and intercept_ (K,), for two classes (1, S) and (1,); the others as in
    VectorMachine.

    >>> from sparsekm_edu import L1VMClassifier, Gaussian, datasets
    >>> X, t = datasets.overlapping()
    >>> model = L1VMClassifier(kernel=Gaussian(gamma=0.5), lam=1.0).fit(X, t)
    >>> print(len(model.support_), "of", len(X), "points have a weight; accuracy", round(model.score(X, t), 3))
    6 of 80 points have a weight; accuracy 0.925
    """

    _minimise = staticmethod(l1)


@spelled_out
class L2VMClassifier(VectorClassifier):
    """-sum_n ln p(t_n | x_n) + lam sum_n w_n^2: a classifier to which all points contribute.

    Parameters
    ----------
    kernel, lam, tol, max_iter : see VectorMachine.

    Fitted: classes_ (K,); coef_ is (K, S) and intercept_ (K,), for two classes (1, S) and (1,); the others as in
    VectorMachine.

    >>> from sparsekm_edu import L2VMClassifier, Gaussian, datasets
    >>> X, t = datasets.overlapping()
    >>> model = L2VMClassifier(kernel=Gaussian(gamma=0.5), lam=1.0).fit(X, t)
    >>> print(len(model.support_), "of", len(X), "points have a weight; accuracy", round(model.score(X, t), 3))
    80 of 80 points have a weight; accuracy 0.95
    """

    _minimise = staticmethod(l2)


@spelled_out
class L1VMRegressor(VectorRegressor):
    """sum_n (t_n - y(x_n))^2 + lam sum_n |w_n|: a curve with few support vectors (the lasso on kernels).

    Parameters
    ----------
    kernel, lam, tol, max_iter : see VectorMachine.

    Fitted: coef_ is (S,) and intercept_ a number; the others as in VectorMachine.

    >>> from sparsekm_edu import L1VMRegressor, Gaussian, datasets
    >>> X, t = datasets.sinc(noise=0.1)
    >>> model = L1VMRegressor(kernel=Gaussian(gamma=0.1), lam=0.1).fit(X, t)
    >>> print(len(model.support_), "of", len(X), "points have a weight")
    8 of 100 points have a weight
    """

    _minimise = staticmethod(l1)


@spelled_out
class L2VMRegressor(VectorRegressor):
    """sum_n (t_n - y(x_n))^2 + lam sum_n w_n^2: a curve to which all points contribute (ridge regression on kernels).

    Not kernel ridge regression, whose penalty is w'Kw.

    Parameters
    ----------
    kernel, lam, tol, max_iter : see VectorMachine.

    Fitted: coef_ is (S,) and intercept_ a number; the others as in VectorMachine.

    >>> from sparsekm_edu import L2VMRegressor, Gaussian, datasets
    >>> X, t = datasets.sinc(noise=0.1)
    >>> model = L2VMRegressor(kernel=Gaussian(gamma=0.1), lam=0.1).fit(X, t)
    >>> print(len(model.support_), "of", len(X), "points have a weight")
    100 of 100 points have a weight
    """

    _minimise = staticmethod(l2)
