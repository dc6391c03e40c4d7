"""The support vector machine as the mode of a posterior, found by EM."""

import numpy as np

from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.models.svm import TwoClassMachine
from sparsekm_edu.solvers.dual.scale_mixture import em_svm
from sparsekm_edu.validation import real_number


@spelled_out
class PolsonScottSVM(TwoClassMachine):
    """The classifier of `SVC`, by EM on the scale mixture (14.68) instead of a quadratic program.

    It minimises the same (7.21), so it makes the same predictions; but it is dense, as no coefficient ever
    becomes exactly 0, and it needs many steps when C is large.

    Parameters
    ----------
    C : price of one unit of slack, > 0 and finite.
    kernel : see SupportVectorMachine.
    tol : how far the objective may be above its minimum, > 0, relative to itself.
    max_iter : EM steps at most.

    Fitted: classes_ (2,); support_ (N',), all points of positive weight, and support_vectors_ (N', D); n_support_ (2,),
    of each class; dual_coef_ (1, N') holding v_n = a_n t_n with t_n = +1 for classes_[1]; intercept_ (1,) holding b;
    coef_ (1, D), for a linear kernel, holding w; objective_, (7.21); gap_, a bound on its relative excess; kernel_,
    the kernel in use, None for "precomputed"; n_iter_; converged_; solution_, the last EMStep.

    >>> from sparsekm_edu import SVC, PolsonScottSVM, datasets
    >>> X, t = datasets.clouds()
    >>> sparse, dense = SVC(kernel="linear").fit(X, t), PolsonScottSVM(kernel="linear").fit(X, t)
    >>> difference = sparse.decision_function(X) - dense.decision_function(X)
    >>> print(len(sparse.support_), "and", len(dense.support_), "support vectors, but y(x) differs by",
    ...       abs(difference).max().round(3))
    11 and 30 support vectors, but y(x) differs by 0.0
    """

    solver = "em"  # no parameter: there is no other

    def __init__(self, C=1.0, kernel=None, tol=1e-6, max_iter=5000):
        self.C = C
        self.kernel = kernel
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and labels y (N,); sample_weight (N,) multiplies C point by point."""
        C = real_number("C", self.C, above=0)
        X, t, weight, used = self._checked(X, y, sample_weight)
        K = self._gram(X, used, weight).matrix()
        solution = em_svm(K, t, C * weight, tol=self.tol, max_iter=self.max_iter)
        self.solution_ = solution
        self.support_ = used
        self.support_vectors_ = X[used] if self.kernel_ else np.empty((0, 0))
        self.dual_coef_ = solution.v[None, :]
        self.intercept_ = np.array([solution.b])
        self.objective_ = solution.objective
        self.gap_ = solution.gap
        self.n_iter_ = solution.n_iter
        self.converged_ = solution.converged
        return self
