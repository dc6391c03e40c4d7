"""Relevance vector machines as scikit-learn estimators: regression and classification by sparse Bayesian learning.

    y(x) = sum_n w_n k(x, x_n) + b                                                                  (7.78)

A weight for every training point and one for the bias, each with a prior precision of its own, learned from the data
(`solvers.bayes`). The points whose weights stay in the model are the relevance vectors.
Only columns of the design matrix are ever dropped: the posterior rests on all N data points.
"""

import numpy as np
from scipy.special import expit, log_softmax
from sklearn.base import ClassifierMixin, RegressorMixin

from sparsekm_edu.complaints import warn
from sparsekm_edu.models.base import check_labels
from sparsekm_edu.models.basis import SIZES, KernelBasisMachine
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.solvers.bayes.laplace import averaged_probability, kappa
from sparsekm_edu.solvers.bayes.reestimation import em, reestimate
from sparsekm_edu.solvers.bayes.sequential.schedules import sequential
from sparsekm_edu.solvers.bayes.softmax import output_covariance
from sparsekm_edu.validation import real_number

NEARLY_CONSTANT = 1e-2  # range of a column, in units of its largest entry
METHODS = {"sequential": sequential, "reestimate": reestimate, "em": em}


class RelevanceVectorMachine(KernelBasisMachine):
    """What regression and classification share.

    Parameters
    ----------
    kernel : a Kernel, a name ("gaussian", "linear", "polynomial", "spline"), a function f(X, Z), or "precomputed" (then
        X is the matrix of k(x_n, x_m)); None means Gaussian(gamma="scale"). It need not be a Mercer kernel. X holds
        what it takes: vectors (N, D), or a list of strings or sets.
    method : "sequential" (fast), "reestimate" or "em" (which begin with all basis functions in the model).
    bias : whether there is a constant among the basis functions.
    extra : basis functions beside the kernels: None, "constant", "linear" (the coordinates), "quadratic" (also their
        squares and products), or a function of X (N, D) that returns columns (N, J).
    tol : when to stop, > 0: "sequential", a gain of the log evidence of so many nats is not worth an action; the other
        two, no ln alpha moves by more; None means the solver's own value.
    max_iter : steps of the solver at most.

    Fitted: relevance_ (R',), indices of the relevance vectors; relevance_vectors_ (R', D), these points, or (R',)
    strings or sets (empty for "precomputed"); n_relevance_; coef_, weights of relevance vectors, then of extra
    functions; intercept_, that of the bias, 0 if it is not in the model; alpha_, prior precisions in the order of
    coef_, bias last; sigma_ (R, R), posterior covariance in the same order; log_evidence_; gain_left_, the nats that
    the best single action would still add to it, by the word of `solvers.evidence_check`; kernel_, the kernel in use,
    None for "precomputed"; trace_, the solver's log, a record array; n_iter_; converged_, which says that gain_left_ is
    at most 0.01; solution_, the SBLSolution.
    """

    _origin = 0.0  # what targets are measured from

    def _learn(self, X, t, likelihood, **options):
        """Learn from X (N, D) and the solver's targets t; keeps what does not depend on the likelihood."""
        if not isinstance(self.method, str) or self.method not in METHODS:
            raise ValueError(f"method must be one of {list(METHODS)}, got {self.method!r}.")
        Phi = self._basis(X)
        self._warn_if_nearly_constant(Phi)
        if self.bias:
            Phi = np.hstack([Phi, np.ones((len(X), 1))])
        if self.tol is not None:
            options["tol"] = self.tol
        solution = METHODS[self.method](Phi, t, likelihood, max_iter=self.max_iter, **options)

        columns = solution.support
        self._biased = bool(self.bias and len(columns) and columns[-1] == Phi.shape[1] - 1)
        self.relevance_ = self._keep(X, columns[:-1] if self._biased else columns)
        self.relevance_vectors_ = self._centres
        self.n_relevance_ = len(self.relevance_)
        self.alpha_ = solution.alpha[columns]
        self.sigma_ = solution.Sigma
        self.log_evidence_ = solution.log_evidence
        self.gain_left_ = solution.gain_left
        self.trace_ = solution.trace
        self.n_iter_ = max(1, solution.n_iter)
        self.converged_ = solution.converged
        self.solution_ = solution
        if self.n_relevance_ == 0 and np.ptp(t) > 0:
            warn(
                "There are no relevance vectors: none of the kernels is worth its weight. "
                f"kernel = {self.kernel!r} may be too narrow or too wide, or there is only noise"
                + ("; method='reestimate' begins with all kernels." if self.method == "sequential" else ".")
            )

    def _warn_if_nearly_constant(self, Phi):
        """Say why little can be learned, if every kernel has nearly the same value at all points."""
        some = Phi[:, :: max(1, Phi.shape[1] // 20)]
        high, low = some.max(axis=0), some.min(axis=0)
        variation = np.max((high - low) / np.maximum(np.maximum(high, -low), SIZES[0]))
        if 0 < variation < NEARLY_CONSTANT:
            warn(
                f"kernel = {self.kernel!r} varies by only {variation:.1g} of its size over these points: X is far from "
                "0, or the kernel is too wide. Centre and scale X (StandardScaler), or take a narrower kernel."
            )

    def _through_features(self, X, function):
        """function(Phi) for the basis functions Phi (M, R) of the model at X (M, D), in the order of sigma_."""

        def with_bias(Phi):
            return function(np.hstack([Phi, np.ones((len(Phi), 1))]) if self._biased else Phi)

        return self._through_basis(X, with_bias)


@spelled_out
class RVR(RegressorMixin, RelevanceVectorMachine):
    """Relevance vector regression, PRML 7.2.1.

    With a bias, targets are measured from their mean: the prior of the bias is centred there, not at 0 as in the book,
    so that t + c has the same model as t, moved by c. The evidence is that of t less its mean. The book's bias, a
    function like any other, is bias=False, extra="constant".

    Parameters
    ----------
    kernel, method, bias : see RelevanceVectorMachine.
    beta : precision (inverse variance) of the noise if it is known, > 0; None to learn it.
    extra, tol, max_iter : see RelevanceVectorMachine.

    Fitted: beta_, the noise precision; the others as in RelevanceVectorMachine.

    >>> from sparsekm_edu import RVR, Gaussian, datasets
    >>> X, t = datasets.sinusoid()
    >>> model = RVR(kernel=Gaussian(gamma=22.0)).fit(X, t)
    >>> mean, std = model.predict(X, return_std=True)
    >>> print(model.n_relevance_, "relevance vectors, log evidence", round(model.log_evidence_, 2))
    3 relevance vectors, log evidence -3.54
    """

    def __init__(
        self, kernel=None, method="sequential", bias=True, beta=None, extra=None, tol=None, max_iter=10_000
    ):
        self.kernel = kernel
        self.method = method
        self.bias = bias
        self.beta = beta
        self.extra = extra
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y):
        """Fit to X (N, D) and targets y (N,)."""
        beta = None if self.beta is None else real_number("beta", self.beta, above=0)
        X, y = self._checked_data(X, y, y_numeric=True)
        y = y.astype(float)
        size = np.abs(y).max()
        if size > 0 and not SIZES[0] <= size <= SIZES[1]:
            raise ValueError(
                f"y must be between {SIZES[0]:g} and {SIZES[1]:g} in size, got a largest value of {size:g}."
            )
        if np.ptp(y) == 0:
            warn(f"y is constant, {y[0]:g} at all points: there is nothing to learn.")
        self._origin = float(np.mean(y)) if self.bias else 0.0
        self._learn(X, y - self._origin, "gaussian", beta=beta)
        m = self.solution_.m
        self.coef_, self.intercept_ = (m[:-1], float(m[-1])) if self._biased else (m, 0.0)
        self.intercept_ += self._origin
        self.beta_ = self.solution_.beta
        return self

    def predict(self, X, return_std=False):
        """The mean of the predictive distribution (7.90) for X (M, D) -> (M,); with return_std also its standard
        deviation, the root of (7.91): noise and what is not known of the weights.
        """
        if not return_std:
            return self._through_features(X, lambda Phi: Phi @ self.solution_.m) + self._origin

        def moments(Phi):
            variance = 1.0 / self.beta_ + np.sum(Phi @ self.sigma_ * Phi, axis=1)  # (7.91)
            return np.column_stack([Phi @ self.solution_.m, np.sqrt(variance)])

        mean, std = self._through_features(X, moments).T
        return mean + self._origin, std


@spelled_out
class RVC(ClassifierMixin, RelevanceVectorMachine):
    """Relevance vector classification, PRML 7.2.3: two classes by the logistic sigmoid, more by the softmax.

    Parameters
    ----------
    kernel, method, bias, extra : see RelevanceVectorMachine.
    probability : what predictions tell, with the same weights: for two classes "averaged", sigma(kappa a(x)), the
        mean over the posterior of the weights by the probit approximation (4.155), or "plug-in", sigma(a(x)) at their
        most probable values (7.108); for more see `averaged_probability` and (7.121).
    tol, max_iter : see RelevanceVectorMachine.

    Fitted: classes_ (K,); the others as in RelevanceVectorMachine. With K > 2 classes coef_ is (K, .), intercept_ (K,)
    and alpha_ (., K), infinite where a function is not in the model of that class; sigma_ is then over the finite
    entries of alpha_, row by row.

    >>> from sparsekm_edu import RVC, Gaussian, datasets
    >>> X, t = datasets.overlapping()
    >>> model = RVC(kernel=Gaussian(gamma=0.5)).fit(X, t)
    >>> print(model.n_relevance_, "relevance vectors; p(t=1|x) =", model.predict_proba([(0.4, 0.6)])[0, 1].round(2))
    3 relevance vectors; p(t=1|x) = 1.0
    """

    def __init__(
        self,
        kernel=None,
        method="sequential",
        bias=True,
        extra=None,
        probability="averaged",
        tol=None,
        max_iter=10_000,
    ):
        self.kernel = kernel
        self.method = method
        self.bias = bias
        self.extra = extra
        self.probability = probability
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y):
        """Fit to X (N, D) and labels y (N,)."""
        if self.probability not in ("averaged", "plug-in"):
            raise ValueError(f"probability must be 'averaged' or 'plug-in', got {self.probability!r}.")
        X, y = self._checked_data(X, y)
        check_labels(y)
        self.classes_, label = np.unique(y, return_inverse=True)
        K = len(self.classes_)
        if K < 2:
            raise ValueError("The number of classes has to be at least 2, got 1 class.")
        if K == 2:
            self._learn(X, label.astype(float), "bernoulli")
            self._weights = self.solution_.m
        else:
            self._learn(X, np.eye(K)[label], "softmax")
            free = np.isfinite(self.alpha_)
            self._weights = np.zeros(free.shape)
            self._weights[free] = self.solution_.m
        if self._biased:
            self.coef_, self.intercept_ = self._weights[:-1].T, self._weights[-1]
        else:
            self.coef_, self.intercept_ = self._weights.T, np.zeros(self._weights.shape[1:])
        return self

    def decision_function(self, X):
        """What the classes are told apart by: log odds ln p(C_2 | x) / p(C_1 | x), (M,), or ln p(C_k | x), (M, K).

        Two classes: with probability="plug-in" the outputs a(x) = w' phi(x) themselves, else kappa(variance of a(x))
        a(x), of the same sign and smaller. With K > 2, "plug-in" gives the a_k(x) up to what the softmax does not see.
        """
        return self._through_features(X, self._scores)

    def _scores(self, Phi):
        """decision_function from the basis functions Phi (M, R)."""
        a = Phi @ self._weights
        if a.ndim == 1:
            if self.probability == "plug-in":
                return a
            return kappa(np.sum(Phi @ self.sigma_ * Phi, axis=1)) * a  # (4.154), (4.155)
        if self.probability == "plug-in":
            return log_softmax(a, axis=1)  # (7.121)
        return np.log(averaged_probability(a, output_covariance(Phi, np.isfinite(self.alpha_), self.sigma_)))

    def predict(self, X):
        """The most probable class of each point, (M,)."""
        scores = self.decision_function(X)
        return self.classes_[scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)]

    def predict_proba(self, X):
        """The probability of each class, (M, K)."""
        scores = self.decision_function(X)
        return (
            np.exp(scores) if scores.ndim == 2 else np.column_stack([expit(-scores), expit(scores)])
        )  # (7.108)
