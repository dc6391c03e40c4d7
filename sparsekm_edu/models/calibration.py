"""Probabilities for classifiers that only give scores."""

from numbers import Integral

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils import get_tags, indexable
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.validation import _check_sample_weight, _check_y, check_is_fitted, has_fit_parameter

from sparsekm_edu.complaints import warn
from sparsekm_edu.models.base import two_classes
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.models.svm import SVC
from sparsekm_edu.solvers.linear.platt import platt
from sparsekm_edu.validation import whole_number


@spelled_out
class PlattScaling(ClassifierMixin, BaseEstimator):
    """A binary classifier with probabilities p(t=1|x) = sigma(A y(x) + B), (7.43).

    y(x) is the decision function of `estimator`, fitted to all data. A and B are fitted to scores of points which
    the machine that scored them had not seen: with cv = 5 five machines are trained, each on four fifths of the
    data, to score the remaining fifth. The sign of A is PRML's (LIBSVM's A and B have the opposite one).

    Parameters
    ----------
    estimator : a classifier with a decision_function; None means SVC(). One that is fitted already goes inside
        sklearn.frozen.FrozenEstimator, with cv=None.
    cv : number of folds, a splitter of scikit-learn, or a list of (train, test) index arrays (one pair is a plain
        hold-out set). None: no cross-validation, A and B are fitted to the scores of the training points. Those
        flatter the machine, so the probabilities become too sure: shown in the course, not recommended.
    tol : the gain in mean log loss, > 0, at which a Newton step of A and B is the last.
    max_iter : Newton steps at most.

    Fitted: classes_ (2,); estimator_; A_; B_; scores_ (M,), to which A and B were fitted, and rows_ (M,), the rows of
    X they belong to; n_iter_, converged_ of the Newton iteration.

    >>> from sparsekm_edu import SVC, Gaussian, PlattScaling, datasets
    >>> X, t = datasets.overlapping()
    >>> model = PlattScaling(SVC(C=1.0, kernel=Gaussian(gamma=1.0))).fit(X, t)
    >>> print("p(t=1|x) =", model.predict_proba([(0.0, 0.0)])[0, 1].round(2))
    p(t=1|x) = 0.96
    """

    def __init__(self, estimator=None, cv=5, tol=1e-14, max_iter=100):
        self.estimator = estimator
        self.cv = cv
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and labels y (N,); sample_weight (N,) counts in the classifier and in the sigmoid."""
        base = self._base()
        if not hasattr(base, "decision_function"):
            raise ValueError(f"estimator must have a decision_function, {type(base).__name__} has none.")
        if sample_weight is not None and not has_fit_parameter(base, "sample_weight"):
            raise ValueError(f"sample_weight was given, but {type(base).__name__}.fit takes none.")
        if X is None:
            raise ValueError("This PlattScaling estimator requires X to be passed, but X is None.")
        if y is None:  # in scikit-learn's words, which its checks look for
            raise ValueError("This PlattScaling estimator requires y to be passed, but the target y is None.")
        X, y = indexable(X, _check_y(y, estimator=self))
        if len(y) == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required by PlattScaling.")
        if get_tags(base).input_tags.pairwise:
            X = np.asarray(X)  # folds of a precomputed kernel are cut out of its rows and its columns
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        used = np.flatnonzero(weight > 0)
        self.classes_, _ = two_classes(y, used)
        label = np.searchsorted(self.classes_, y)

        def fitted(X, y, rows):
            return clone(base).fit(X, y, **({} if sample_weight is None else {"sample_weight": weight[rows]}))

        self.estimator_ = fitted(X, y, slice(None))
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        if self.cv is None:
            self.rows_, self.scores_ = np.arange(len(y)), self.estimator_.decision_function(X)
        else:
            folds, scores = self._folds(X, y, label, used), []
            for train, test in folds:
                X_train, y_train = _safe_split(base, X, y, train)
                X_test, _ = _safe_split(base, X, y, test, train)
                scores.append(fitted(X_train, y_train, train).decision_function(X_test))
            self.rows_, self.scores_ = np.concatenate([test for _, test in folds]), np.concatenate(scores)

        t = 2.0 * label[self.rows_] - 1.0
        sigmoid = platt(self.scores_, t, weight[self.rows_], self.tol, self.max_iter)
        self.A_, self.B_ = sigmoid.A, sigmoid.B
        self.n_iter_, self.converged_ = sigmoid.n_iter, sigmoid.converged
        if self.A_ < 0:
            warn(
                f"The slope A = {self.A_:.3g} is negative: the higher the score, the less likely is class "
                f"{self.classes_[1]}. The scores are no better than chance, or reversed.",
            )
        return self

    def decision_function(self, X):
        """The log odds A y(x) + B of classes_[1], for X (M, D) -> (M,)."""
        check_is_fitted(self)
        return self.A_ * self.estimator_.decision_function(X) + self.B_

    def predict_proba(self, X):
        """p(t=-1|x) and p(t=1|x) of (7.43), for X (M, D) -> (M, 2), columns as in classes_."""
        log_odds = self.decision_function(X)
        return np.column_stack([expit(-log_odds), expit(log_odds)])

    def predict(self, X):
        """The more probable class, (M,): near y(x) = 0 it may differ from the classifier's own, as B is not 0."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def _base(self):
        return SVC() if self.estimator is None else self.estimator

    def _folds(self, X, y, label, used):
        """List of (train, test), indices of rows of X; a number of folds divides the rows in use."""
        if not isinstance(self.cv, Integral):
            if not hasattr(self.cv, "split") and not _are_pairs(self.cv):
                raise ValueError(
                    f"cv must be a number of folds, a splitter, or a list of pairs (train, test), got {self.cv!r}."
                )
            return list(check_cv(self.cv, y, classifier=True).split(X, y))
        cv = whole_number("cv", self.cv, at_least=2)
        count = np.bincount(label[used])
        if count.min() < cv:
            D = getattr(self, "n_features_in_", "?")  # unknown where X holds no numbers, but strings, say
            raise ValueError(
                f"cv = {cv} needs at least {cv} points of each class, got {count.min()} of class "
                f"{self.classes_[count.argmin()]} in X with {len(used)} sample(s) of {D} "
                f"feature(s); take fewer folds."
            )
        return [(used[train], used[test]) for train, test in StratifiedKFold(cv).split(used, label[used])]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags = get_tags(self._base()).input_tags  # X goes straight to the classifier
        return tags


def _are_pairs(folds):
    """True for a list of pairs, such as (train, test), that holds at least one."""
    if not isinstance(folds, list | tuple) or len(folds) == 0:
        return False
    return all(isinstance(fold, list | tuple) and len(fold) == 2 for fold in folds)
