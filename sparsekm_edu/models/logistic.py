"""Logistic regression as scikit-learn estimators: the best weights, or all of them, as plausible as they are.

    a_k(x) = w_k' x + b_k,        p(C_k | x) = softmax of a_k(x), for two classes sigma(a(x))          (7.108), (7.121)

The weights have a Gaussian prior of precision alpha, the intercepts none: moving the origin of x changes nothing.
"""

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from sparsekm_edu.complaints import warn
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.solvers.bayes.laplace import at_mode, averaged_probability, irls_steps, kappa
from sparsekm_edu.solvers.bayes.softmax import output_covariance
from sparsekm_edu.solvers.linear.logistic import gd_steps, sgd_steps
from sparsekm_edu.validation import real_number, whole_number

METHODS = ("irls", "gd", "sgd")
LARGEST = 1e100  # its square, and sums of many, are still numbers
FIRMEST = 1e6  # an alpha of so many times what the data say leaves weights that are 0 for all purposes


class LogisticMachine(ClassifierMixin, BaseEstimator):
    """What both share: the design matrix, targets of two or K classes, and weights in scikit-learn's form.

    Inside, x is measured from the mean of the training points, so that weights and intercepts hardly depend on each
    other; the basis functions are the coordinates and the constant 1, in this order.
    """

    def predict(self, X):
        """The class with the greatest probability, (M,); the first of them if there are several."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _design_and_targets(self, X, y):
        """Phi (N, D + 1), and t (N,), zeros and ones, or T (N, K), one-of-K."""
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("The number of classes has to be at least 2, got 1 class.")
        self._centre = _small_enough(X).mean(axis=0)
        Phi = self._design(X)
        return (Phi, label == 1) if len(self.classes_) == 2 else (Phi, np.eye(len(self.classes_))[label])

    def _design(self, X):
        """The basis functions at X (M, D), (M, D + 1)."""
        return np.column_stack([_small_enough(X) - self._centre, np.ones(len(X))])

    def _design_at(self, X):
        check_is_fitted(self)
        return self._design(validate_data(self, X, dtype=np.float64, order="C", reset=False))

    def _keep(self, w):
        """coef_ and intercept_ from the solver's weights: w (D + 1,), or W (D + 1, K) as a vector."""
        W = w.reshape(self.n_features_in_ + 1, -1)
        self._W = W if W.shape[1] > 1 else W[:, 0]
        self.coef_ = W[:-1].T
        self.intercept_ = W[-1] - self.coef_ @ self._centre


@spelled_out
class LogisticRegression(LogisticMachine):
    """The most probable weights, by one of three ways down the same hill.

        minimise   - sum_n ln p(t_n | x_n) + alpha / 2 sum of the squared weights                      minus (7.109)

    scikit-learn's LogisticRegression(C=1/alpha) minimises the same.

    Parameters
    ----------
    alpha : precision of the prior on the weights, >= 0. With 0 the weights of separable classes have no best value.
    method : "irls", Newton's method; "gd", gradient descent; "sgd", stochastic gradient descent.
    rate : of "gd" and "sgd", > 0, the factor on the gradient of the mean error; None chooses one that is safe.
    tol : when to stop. "irls": no log odds moves by more than tol in the last step, whose error is about tol^2;
        "gd" and "sgd": no component of the gradient of the mean error is larger than tol.
    max_iter : steps at most; in "sgd" a step is a pass over all points.
    random_state : of "sgd", a number for the same order of the points in every fit; None for another each time.

    Fitted: classes_ (K,); coef_ (K, D) and intercept_ (K,), for two classes (1, D) and (1,), of classes_[1]; error_,
    what was to be minimised; n_iter_; converged_.

    >>> from sparsekm_edu import LogisticRegression, datasets
    >>> X, t = datasets.hours()
    >>> model = LogisticRegression(alpha=0.001).fit(X, t)
    >>> print("even odds after", round(-model.intercept_[0] / model.coef_[0, 0], 2), "hours")
    even odds after 2.03 hours
    """

    def __init__(self, alpha=1.0, method="irls", rate=None, tol=1e-4, max_iter=1000, random_state=None):
        self.alpha = alpha
        self.method = method
        self.rate = rate
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y):
        """Fit to X (N, D) and labels y (N,)."""
        Phi, t = self._design_and_targets(X, y)
        *_, last = self._steps(Phi, t)
        if not last.converged:
            warn(
                f"not converged after {last.n_iter} steps of method = {self.method!r} (max_iter = {self.max_iter}): "
                f"{last.residual:.2g} > tol = {self.tol:g}, with alpha = {self.alpha:g}. Where classes can be "
                "separated, only alpha > 0 keeps the weights from growing for ever. Features of different size slow "
                "gradient descent down: standardise them.",
                ConvergenceWarning,
            )
        self._keep(last.w)
        self.error_ = last.error
        self.n_iter_ = max(1, last.n_iter)
        self.converged_ = last.converged
        return self

    def decision_function(self, X):
        """a(x) for X (M, D) -> (M,), the log odds of classes_[1]; for K > 2 classes (M, K)."""
        return self._design_at(X) @ self._W

    def predict_proba(self, X):
        """The probabilities of the classes, (M, K)."""
        a = self.decision_function(X)
        return np.column_stack([expit(-a), expit(a)]) if a.ndim == 1 else softmax(a, axis=1)

    def _steps(self, Phi, t):
        """The chosen descent, step by step."""
        if not isinstance(self.method, str) or self.method not in METHODS:
            raise ValueError(f"method must be one of {list(METHODS)}, got {self.method!r}.")
        alpha = _precisions(real_number("alpha", self.alpha, at_least=0), Phi, t)
        limits = {"tol": self.tol, "max_iter": self.max_iter}
        if self.method == "irls":
            return irls_steps(Phi, t, alpha, **limits)
        if self.method == "gd":
            return gd_steps(Phi, t, alpha, rate=self.rate, **limits)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        return sgd_steps(Phi, t, alpha, rate=self.rate, seed=seed, **limits)


@spelled_out
class BayesianLogisticRegression(LogisticMachine):
    """The posterior of the weights, by the Laplace approximation, and predictions that average over it.

    Where few data are near, a(x) is uncertain, and the probabilities are nearer to equal than those of the most
    probable weights (PRML 4.5).

    Parameters
    ----------
    alpha : precision of the prior on the weights, > 0; None learns it by maximising the evidence, with MacKay's
        alpha = gamma / (sum of the squared weights), gamma = (number of weights) - alpha trace(Sigma), cf. (7.116).
    tol : learning stops when alpha changes by less than this, relative to itself.
    max_iter : updates of alpha at most.

    Fitted: classes_ (K,); coef_ (K, D) and intercept_ (K,), the mode, for two classes (1, D) and (1,), of classes_[1];
    sigma_, the covariance of np.vstack([coef_.T, intercept_]).ravel(): weights first, intercepts last; alpha_;
    log_evidence_, where intercepts count as in `laplace_fit` and `softmax_fit`; n_iter_, updates of alpha; converged_.
    If the features tell nothing about the classes, alpha_ is so large that all weights are nearly 0.

    >>> from sparsekm_edu import BayesianLogisticRegression, LogisticRegression, datasets
    >>> X, t = datasets.hours()
    >>> for machine in LogisticRegression(alpha=0.1), BayesianLogisticRegression(alpha=0.1):
    ...     print("after 8 hours", machine.fit(X, t).predict_proba([[8.0]])[0, 1].round(2))
    after 8 hours 1.0
    after 8 hours 0.97
    """

    def __init__(self, alpha=None, tol=1e-4, max_iter=1000):
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y):
        """Fit to X (N, D) and labels y (N,)."""
        Phi, t = self._design_and_targets(X, y)
        tol = real_number("tol", self.tol, above=0)
        max_iter = whole_number("max_iter", self.max_iter, at_least=1)
        spread = np.mean(Phi[:, :-1] ** 2)  # of the features: alpha is counted in its units
        learn = self.alpha is None and spread > 0
        alpha = spread or 1.0 if self.alpha is None else real_number("alpha", self.alpha, above=0)
        weights = _precisions(1.0, Phi, t).ravel() > 0  # not the intercepts
        w, self.converged_ = None, False
        for self.n_iter_ in range(1, max_iter + 1):
            self.alpha_ = alpha
            _, mode, _, Sigma, log_evidence = at_mode(Phi, t, _precisions(alpha, Phi, t), w, 1e-6, 100)
            w = mode.w
            if learn:
                gamma = weights.sum() - alpha * np.trace(Sigma[np.ix_(weights, weights)])
                alpha = gamma / max(w[weights] @ w[weights], 1e-300)  # (7.116), one alpha for all
                alpha = min(alpha, FIRMEST * len(Phi) * spread)
            if abs(np.log(alpha / self.alpha_)) <= tol:
                self.converged_ = mode.converged
                break
        else:
            warn(
                f"not converged after max_iter = {max_iter} updates of alpha: the last one was from {self.alpha_:g} to "
                f"{alpha:g}.",
                ConvergenceWarning,
            )
        self._keep(w)
        self._Sigma = Sigma
        shift = np.eye(Phi.shape[1])
        shift[-1, :-1] = -self._centre  # intercepts, too, are kept for x measured from 0
        shift = np.kron(shift, np.eye(len(self.intercept_)))
        self.sigma_ = shift @ Sigma @ shift.T
        self.log_evidence_ = log_evidence
        return self

    def decision_function(self, X):
        """Two classes: the log odds of classes_[1], (M,); K: the logs of the probabilities, (M, K)."""
        Phi = self._design_at(X)
        a = Phi @ self._W
        if a.ndim == 1:
            return kappa(np.sum(Phi @ self._Sigma * Phi, axis=1)) * a
        covariance = output_covariance(Phi, np.ones(self._W.shape, dtype=bool), self._Sigma)
        return np.log(np.maximum(averaged_probability(a, covariance), np.finfo(float).tiny))

    def predict_proba(self, X):
        """The probabilities of the classes, averaged over the posterior, (M, K)."""
        a = self.decision_function(X)
        return np.column_stack([expit(-a), expit(a)]) if a.ndim == 1 else np.exp(a)


def _small_enough(X):
    """X, if its entries can be squared and summed."""
    largest = np.abs(X).max()
    if largest > LARGEST:
        raise ValueError(
            f"X must hold finite numbers up to {LARGEST:g} in size, got a largest value of {largest:g}."
        )
    return X


def _precisions(alpha, Phi, t):
    """alpha for every weight and 0 for intercepts, in the shape of the weights, (D + 1,) or (D + 1, K)."""
    every = np.full(Phi.shape[1:] + t.shape[1:], alpha)
    every[-1] = 0.0
    return every
