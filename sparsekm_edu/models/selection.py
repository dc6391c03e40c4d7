"""Choosing C and gamma by cross-validation: the whole axis of C for the price of one path (MLaPP 14.5.3).

Cross-validation asks, for every gamma, every C and every fold, how many points of the fold a machine gets wrong that
was fitted to the others. One at a time that is n_gamma x n_C x n_folds quadratic programmes. But for one gamma and one
fold the machines of all C lie on one path, whose corners `c_path` finds from one to the next. So n_gamma x n_folds
paths are enough, and each is looked up at as many C as one likes.

Where a path is no good, a problem is solved for each C, every solution the start of the next: where there are more
points than EXACT (events become as expensive as solutions), and where rounding errors end a path too early.
"""

import warnings
from dataclasses import dataclass
from numbers import Integral
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.validation import check_is_fitted, validate_data

from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.models.base import check_labels, two_classes
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.models.progress import progress_bar
from sparsekm_edu.models.rvm import RVC, RVR
from sparsekm_edu.models.svm import SVC
from sparsekm_edu.solvers import c_path, smo, soft_margin
from sparsekm_edu.validation import Impossible, real_number, shown, whole_number

EXACT = (
    500  # points: with more of them paths are slower than smo from one C to the next, on narrow kernels first
)
EQUAL = 1e-12  # mean errors nearer than this differ by rounding only

#: The grid that the authors of LIBSVM recommend (MLaPP 14.5.3): steps of a factor of 4
LIBSVM_C = 2.0 ** np.arange(-5, 16, 2)
LIBSVM_GAMMA = 2.0 ** np.arange(-15, 4, 2)


# ------------------------------------------------------------------ the grid


class Cell(NamedTuple):
    """One place of the grid: C, gamma."""

    C: float
    gamma: float


@dataclass(frozen=True, eq=False)
class GridScores:
    """Errors of cross-validation over a grid of C and gamma.

    C (n_C,), gamma (n_gamma,), rising; errors (n_gamma, n_C, n_folds): the fraction of the fold's points that a machine
    fitted to all others gets wrong. n_paths followed, n_events on them, and n_solved, problems that were solved one by
    one because a path was no good there: the work that it took.

    *Simplest.* Where several cells are as good, the simplest is chosen: the smallest C, which asks for the smallest
    |w|, and for this C the smallest gamma, whose kernels are widest. (gamma first would end at the widest kernels with
    a huge C, and these bend the boundary as much as any.)
    """

    C: np.ndarray
    gamma: np.ndarray
    errors: np.ndarray
    n_paths: int
    n_events: int
    n_solved: int

    @property
    def mean(self):
        """The mean over the folds, (n_gamma, n_C)."""
        return self.errors.mean(axis=2)

    @property
    def standard_error(self):
        """The standard error of the mean, (n_gamma, n_C): standard deviation over the folds / sqrt(n_folds).

        A rough measure: it takes the folds for independent, but any two of them share most of their training points.
        """
        return self.errors.std(axis=2, ddof=1) / np.sqrt(self.errors.shape[2])

    @property
    def best(self):
        """The Cell of least mean error; the simplest of several."""
        return self._simplest(self.mean.min())

    @property
    def one_standard_error(self):
        """The simplest Cell whose mean error is within one standard error of the best one's."""
        at_best = self.place(self.best)
        return self._simplest(self.mean[at_best] + self.standard_error[at_best])

    @property
    def best_C(self):
        """For each gamma the C of least mean error, the smallest of several, (n_gamma,)."""
        mean = self.mean
        return self.C[np.argmax(mean <= mean.min(axis=1, keepdims=True) + EQUAL, axis=1)]

    def place(self, cell):
        """Where a Cell (C, gamma) of this grid stands in the arrays: its row and its column."""
        C, gamma = cell
        row, column = np.flatnonzero(self.gamma == gamma), np.flatnonzero(self.C == C)
        if not len(row) or not len(column):
            raise ValueError(f"cell must be a C and a gamma of the grid, got {shown(cell)}.")
        return int(row[0]), int(column[0])

    def machine(self, cell=None):
        """The SVC of a cell, by default of the best one, not yet fitted."""
        C, gamma = self.best if cell is None else cell
        return SVC(C=C, kernel=Gaussian(gamma))

    def _simplest(self, bound):
        """The first cell, C by C, whose mean error is at most `bound`."""
        column, row = np.argwhere((self.mean <= bound + EQUAL).T)[0]
        return Cell(float(self.C[column]), float(self.gamma[row]))


def grid_search(X, y, C, gamma, cv=5, progress=None):
    """Cross-validate a Gaussian SVC at every C and gamma of a grid, each axis of C by exact paths.

    Parameters
    ----------
    X, y : (N, D), (N,) data of two classes.
    C, gamma : (n_C,), (n_gamma,) rising numbers > 0.
    cv : number of folds, which are stratified, and shuffled always in the same way; or a splitter of scikit-learn, such
        as LeaveOneOut() or StratifiedKFold(5, shuffle=True, random_state=1).
    progress : whether to show a progress bar; None: if it takes more than two seconds.

    Returns: GridScores. Its errors are those of scikit-learn's GridSearchCV on the same folds, but for points so near
    to y(x) = 0 that the solver's tolerance decides.

    >>> import numpy as np
    >>> from sparsekm_edu import datasets
    >>> from sparsekm_edu.models import grid_search
    >>> X, t = datasets.overlapping()
    >>> scores = grid_search(X, t, C=2.0 ** np.arange(-5, 6), gamma=[0.1, 1.0, 10.0])
    >>> print(scores.best, "with error", scores.mean.min().round(3), "from", scores.n_paths, "paths")
    Cell(C=2.0, gamma=0.1) with error 0.038 from 15 paths
    """
    C, gamma = _rising("C", C), _rising("gamma", gamma)
    X, y = np.asarray(X, float), np.asarray(y)
    if X.ndim != 2 or y.shape != (len(X),):
        raise ValueError(f"X must be (N, D) with one label per row in y, got shapes {X.shape} and {y.shape}.")
    t, folds = _folds(X, y, cv)
    errors = np.empty((len(gamma), len(C), len(folds)))
    work = np.zeros(3, dtype=int)
    with progress_bar(errors.shape[0] * errors.shape[2], "path", progress) as bar:
        for i, width in enumerate(gamma):
            K = Gaussian(width)(X)
            for k, (train, test) in enumerate(folds):
                Y, n = _values(K[np.ix_(train, train)], t[train], C, K[np.ix_(test, train)])
                errors[i, :, k] = np.mean((Y > 0) != (t[test] > 0), axis=1)
                work += n
                bar.update()
    return GridScores(C, gamma, errors, *map(int, work))


def _folds(X, y, cv):
    """Labels t (N,), -1 and +1, and a list of (train, test), indices of rows of X; both classes in every train."""
    check_labels(y)
    classes = np.unique(y)
    if len(classes) > 2:
        raise ValueError(
            f"y must hold two classes, got {len(classes)}: the path knows two. Only binary classification is "
            "supported; for more there is GridSearchCV of scikit-learn, around OneVsOneClassifier(SVC())."
        )
    classes, t = two_classes(y, np.arange(len(y)))
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        n_folds = whole_number("cv", cv, at_least=2)
        smaller = int(min(np.sum(t < 0), np.sum(t > 0)))
        if smaller < n_folds:
            raise ValueError(
                f"cv = {n_folds} needs at least {n_folds} points of each class, got {smaller} of class "
                f"{classes[int(t.sum() < 0)]} in X with {len(X)} sample(s) of {X.shape[1]} feature(s); take "
                "fewer folds."
            )
        cv = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    if isinstance(cv, str) or not hasattr(cv, "split"):  # strings have one, too
        raise ValueError(f"cv must be a number of folds or a splitter of scikit-learn, got {shown(cv)}.")
    folds = list(cv.split(X, y))
    for train, _ in folds:
        if abs(t[train].sum()) == len(train):
            raise ValueError(
                "cv must leave points of both classes in every training part, but one part holds only class "
                f"{classes[int(t[train[0]] > 0)]}."
            )
    return t, folds


def _rising(name, values):
    """C or gamma as an array, or a sentence that says what is wrong with it."""
    numbers = [real_number(name, value, above=0) for value in values] if np.ndim(values) == 1 else []
    if not numbers or np.any(np.diff(numbers) <= 0):
        raise ValueError(f"{name} must hold rising numbers > 0, got {shown(values)}.")
    return np.array(numbers)


def _values(K, t, C, K_new):
    """y(x) at new points of the machines for all C, (n_C, M), and the work: paths, events, problems solved.

    Parameters: K (N, N) Gram matrix; t (N,); C (n_C,), rising; K_new (M, N), kernels of the new points.
    """
    path = _path(K, t, C[-1]) if len(t) <= EXACT else None
    reached = 0 if path is None else int(np.searchsorted(C, path.C_max, side="right"))
    Y = np.empty((len(C), len(K_new)))
    Y[:reached] = path.values(K_new, C[:reached]) if reached else 0.0
    v = None
    for j in range(reached, len(C)):
        solution = smo(soft_margin(K, t, C[j]), v=v)
        v = solution.v
        Y[j] = K_new @ v + solution.b  # (7.13)
    return Y, np.array([path is not None, 0 if path is None else len(path.C), len(C) - reached])


def _path(K, t, C_max):
    """The path as far as it goes, or None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # that it stops short, which its C_max tells
        try:
            return c_path(K, t, C_max)
        except Impossible:
            return None


# ------------------------------------------------------------------ a machine that chooses for itself


@spelled_out
class GridSearchSVC(ClassifierMixin, BaseEstimator):
    """A Gaussian SVC that chooses its own C and gamma by cross-validation, and is then fitted to all data.

    An estimator like any other, so that its choice can be judged from outside: nested cross-validation is
    `cross_val_score(GridSearchSVC(), X, y)`.

    Parameters
    ----------
    C : (n_C,) rising numbers to choose from; None means 2^-5, 2^-3, ..., 2^15.
    gamma : (n_gamma,) rising numbers to choose from; None means 2^-15, 2^-13, ..., 2^3.
    cv : number of folds, or a splitter, see `grid_search`.
    rule : "best", the least error; or "one standard error", the simplest machine that is nearly as good.

    Fitted: scores_, the GridScores; best_C_ and best_gamma_, chosen by the rule; best_estimator_, the SVC fitted with
    these; classes_ (2,).

    >>> from sklearn.model_selection import cross_val_score
    >>> from sparsekm_edu import GridSearchSVC, datasets
    >>> X, t = datasets.overlapping()
    >>> model = GridSearchSVC().fit(X, t)
    >>> print(f"the chosen cell promises {1 - model.scores_.mean.min():.3f}, C = {model.best_C_:g}")
    the chosen cell promises 0.963, C = 512
    >>> print(f"nested cross-validation says {cross_val_score(GridSearchSVC(), X, t).mean():.3f}")
    nested cross-validation says 0.938
    """

    def __init__(self, C=None, gamma=None, cv=5, rule="best"):
        self.C = C
        self.gamma = gamma
        self.cv = cv
        self.rule = rule

    def fit(self, X, y):
        """Choose C and gamma for X (N, D) and labels y (N,), and fit the SVC that has them."""
        if self.rule not in ("best", "one standard error"):
            raise ValueError(f"rule must be 'best' or 'one standard error', got {self.rule!r}.")
        X, y = validate_data(self, X, y, dtype=np.float64)
        C = LIBSVM_C if self.C is None else self.C
        gamma = LIBSVM_GAMMA if self.gamma is None else self.gamma
        self.scores_ = grid_search(X, y, C, gamma, cv=self.cv, progress=False)
        cell = self.scores_.best if self.rule == "best" else self.scores_.one_standard_error
        self.best_C_, self.best_gamma_ = cell
        self.best_estimator_ = self.scores_.machine(cell).fit(X, y)
        self.classes_ = self.best_estimator_.classes_
        return self

    def decision_function(self, X):
        """y(x) of the chosen machine for X (M, D) -> (M,)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.best_estimator_.decision_function(X)

    def predict(self, X):
        """The class on whose side of y(x) = 0 each point lies, (M,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


# ------------------------------------------------------------------ every point left out once


def leave_one_out_errors(K, t, C):
    """Which points does a soft margin get wrong that was fitted to all others? (n_C, N) bool, for every C.

    Parameters: K (N, N) Gram matrix, positive semi-definite; t (N,) labels -1 and +1, at least two of each; C (n_C,)
    rising numbers > 0. The mean over the points is the leave-one-out error of each C.

    A point with a_n = 0 need not be left out: without it the machine stays as it is, and gets it right. So one path of
    all points says for whom there is anything to do, and only these have a path without them. (Where no support vector
    is free, b is not unique, and a point with a_n = 0 may hold one end of where it can lie: there all are left out.)

    >>> from sparsekm_edu import Gaussian, datasets
    >>> from sparsekm_edu.models import leave_one_out_errors
    >>> X, t = datasets.overlapping()
    >>> wrong = leave_one_out_errors(Gaussian(gamma=0.5)(X), t, C=[1.0, 10.0, 100.0])
    >>> print(wrong.sum(axis=1), "of", len(t))
    [5 4 6] of 80
    """
    C = _rising("C", C)
    K, t = np.asarray(K, float), soft_margin(K, t, C[-1]).target
    if min(np.sum(t < 0), np.sum(t > 0)) < 2:
        raise ValueError("t must hold at least two points of each class: one of them is left out at a time.")
    wrong = np.zeros((len(C), len(t)), dtype=bool)
    matters = _supports(K, t, C)
    for n in np.flatnonzero(matters.any(axis=0)):
        others = np.arange(len(t)) != n
        Y, _ = _values(K[np.ix_(others, others)], t[others], C, K[n, others][None])
        wrong[:, n] = matters[:, n] & ((Y[:, 0] > 0) != (t[n] > 0))
    return wrong


def _supports(K, t, C):
    """Whose absence may change the machine, (n_C, N) bool: support vectors; everybody, where none of them is free."""
    path = _path(K, t, C[-1]) if len(t) <= EXACT else None
    reached = 0.0 if path is None else path.C_max
    matters = np.ones((len(C), len(t)), dtype=bool)
    for j, price in enumerate(C):
        if price <= reached:
            a = path.at(price).a
            matters[j] = (a > 0) | ~np.any((a > 0) & (a < price))
    return matters


# ------------------------------------------------------------------ without folds


class EvidenceScores(NamedTuple):
    """gamma (n,), and for each the log_evidence (n,) of a relevance vector machine and its n_relevance (n,) vectors."""

    gamma: np.ndarray
    log_evidence: np.ndarray
    n_relevance: np.ndarray

    @property
    def best(self):
        """The gamma of most evidence; the smallest of several."""
        return float(self.gamma[np.argmax(self.log_evidence)])


def evidence_over_gamma(X, y, gamma, machine=None, progress=None):
    """ln p(t) of the relevance vector machine for every width of a Gaussian kernel: no folds, one fit for each gamma.

    Parameters: X (N, D), y (N,) to learn from; gamma (n,) rising numbers > 0; machine, an RVC or RVR for everything but
    the kernel, None means RVC(); progress as in `grid_search`. Returns: EvidenceScores.

    >>> from sparsekm_edu import datasets
    >>> from sparsekm_edu.models import evidence_over_gamma
    >>> found = evidence_over_gamma(*datasets.overlapping(), gamma=[0.1, 0.5, 2.5])
    >>> print("most evidence at gamma =", found.best, "with", found.n_relevance, "relevance vectors")
    most evidence at gamma = 0.5 with [2 3 8] relevance vectors
    """
    machine = RVC() if machine is None else machine
    if not isinstance(machine, RVC | RVR):
        raise ValueError(f"machine must be an RVC or an RVR, got {machine!r}.")
    gamma = _rising("gamma", gamma)
    fits = []
    with progress_bar(len(gamma), "fit", progress) as bar:
        for width in gamma:
            fits.append(clone(machine).set_params(kernel=Gaussian(width)).fit(X, y))
            bar.update()
    return EvidenceScores(
        gamma, np.array([fit.log_evidence_ for fit in fits]), np.array([fit.n_relevance_ for fit in fits])
    )
