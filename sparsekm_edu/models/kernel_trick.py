"""Algorithms that know their data through inner products only, with a kernel in their place (MLaPP 14.4)."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from sparsekm_edu.kernels import as_kernel
from sparsekm_edu.models.base import KernelEstimator
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.models.memory import in_blocks
from sparsekm_edu.validation import whole_number


@spelled_out
class KernelKNN(ClassifierMixin, KernelEstimator):
    """Nearest neighbours in the feature space of a kernel: the neighbours of x vote (MLaPP 14.4.1).

        |phi(x) - phi(x_n)|^2 = k(x, x) - 2 k(x, x_n) + k(x_n, x_n)                                       (14.30)

    Parameters
    ----------
    n_neighbors : how many training points have a vote, >= 1.
    kernel : a Kernel, a name ("linear", "gaussian", ...), a function f(X, Z), or "precomputed" (then X is the matrix of
        k(x_n, x_m)); None means Gaussian(gamma="scale"). X holds what the kernel takes: vectors (N, D), or a list of
        strings or sets.

    Fitted: classes_ (K,); kernel_, the kernel in use, None for "precomputed".

    Where votes are equal, the class that comes first in classes_ wins; where distances are, the point that comes first.

    >>> from sparsekm_edu.kernels import Linear
    >>> from sparsekm_edu.models import KernelKNN
    >>> model = KernelKNN(kernel=Linear()).fit([[0.0], [1.0], [5.0]], ["low", "low", "high"])
    >>> print(model.predict([[2.0], [4.0]]))
    ['low' 'high']
    """

    def __init__(self, n_neighbors=1, kernel=None):
        self.n_neighbors = n_neighbors
        self.kernel = kernel

    def fit(self, X, y):
        """Remember X (N, D) and its labels y (N,)."""
        n_neighbors = whole_number("n_neighbors", self.n_neighbors, at_least=1)
        X, y = self._checked_data(X, y)
        check_classification_targets(y)
        if n_neighbors > len(X):
            raise ValueError(f"n_neighbors must be at most n_samples = {len(X)}, got {n_neighbors}.")
        self.classes_, self._label = np.unique(y, return_inverse=True)
        if self._precomputed:
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"A precomputed kernel must be a square matrix, got shape {X.shape}.")
            self.kernel_, self._points, self._own = None, None, np.diagonal(X).copy()
        else:
            self.kernel_ = as_kernel(self.kernel).adapted_to(X)
            self._points, self._own = X, self.kernel_.diag(X)
        return self

    def kneighbors(self, X):
        """Indices of the nearest training points of X (M, D), the nearest first, (M, n_neighbors)."""
        X = self._new_points(X)

        def nearest(X):
            K = X if self.kernel_ is None else self.kernel_(X, self._points)
            distance = self._own - 2 * K  # (14.30) without k(x, x), which is the same for all n
            return np.argsort(distance, axis=1, kind="stable")[:, : self.n_neighbors]

        return in_blocks(nearest, X, len(self._own))

    def predict_proba(self, X):
        """The share of each class among the neighbours of X (M, D), (M, K)."""
        neighbours = self.kneighbors(X)
        votes = self._label[neighbours]
        return (votes[:, :, None] == np.arange(len(self.classes_))).mean(axis=1)

    def predict(self, X):
        """The class with the most neighbours of X (M, D), (M,)."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]
