"""More than two classes: a tournament of binary machines, and machines with one joint objective (PRML 7.1.3).

One-versus-the-rest, one-versus-one by votes and output codes are scikit-learn's OneVsRestClassifier,
OneVsOneClassifier and OutputCodeClassifier around `SVC`. Here are the three that scikit-learn does not have. On strings
and sets its OneVsRestClassifier works, too; the other two insist on tables of numbers.

Who wins a tie? Always the class that comes first in `classes_`: where outputs are equal, and where a binary machine
says y(x) = 0. (Votes that are equal in OneVsOneClassifier are first compared by the sums of their outputs.)
"""

from itertools import combinations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, has_fit_parameter

from sparsekm_edu.models.base import KernelMachine
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.models.inputs import checked_data, new_data
from sparsekm_edu.models.svm import SVC
from sparsekm_edu.solvers.dual.joint import interior_point, joint_kkt, joint_qp, lee, weston_watkins
from sparsekm_edu.validation import real_number

SOLVERS = {"interior": interior_point, "qp": joint_qp}


def _checked(estimator, takes, X, y, sample_weight):
    """X (N, D), y (N,) and weight (N,) as arrays, and used, the indices of the points that have weight.

    X is a list of strings or sets where the kernel `takes` these. Sets estimator.classes_ (K,), the classes of these
    points, and sees to it that there are at least two.
    """
    X, y = checked_data(estimator, takes, X, y)
    check_classification_targets(y)
    weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    used = np.flatnonzero(weight > 0)  # a point without weight is no point at all
    estimator.classes_ = np.unique(y[used])
    if len(estimator.classes_) < 2:
        after = "" if len(np.unique(y)) < 2 else " left after dropping points of zero weight"
        raise ValueError(f"The number of classes has to be at least 2, got 1 class{after}.")
    return X, y, weight, used


@spelled_out
class DAGSVM(ClassifierMixin, BaseEstimator):
    """K (K-1) / 2 binary machines, of which K-1 are asked about each point (Platt, Cristianini, Shawe-Taylor, 2000).

    Training is that of one-versus-one: a machine for every pair of classes. Prediction is a tournament: the first and
    the last class in the list meet, the loser is struck off, and so on until one is left. Which machine is asked next
    depends on the answers so far; drawn as a graph, all these paths start at one root and lead to K leaves. Unlike a
    vote it cannot end in a draw, and unlike one-versus-the-rest it makes no class a small minority.

    Parameters
    ----------
    estimator : the binary classifier, cloned for every pair; None means SVC().

    Fitted: classes_ (K,); estimators_, a dict: under (i, j), i < j, the machine that tells classes_[i] from
    classes_[j]; n_evaluations_ = K-1, the number of binary classifiers evaluated per point (votes need K (K-1) / 2,
    one-versus-the-rest K). There is no decision_function: a tournament has a winner, but no scores.

    >>> from sparsekm_edu import DAGSVM, datasets
    >>> X, t = datasets.three_classes()
    >>> model = DAGSVM().fit(X, t)
    >>> print(sorted(model.estimators_), "of which", model.n_evaluations_, "are asked about each point")
    [(0, 1), (0, 2), (1, 2)] of which 2 are asked about each point
    """

    def __init__(self, estimator=None):
        self.estimator = estimator

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and labels y (N,); sample_weight (N,) is handed on to the binary machines."""
        machine = SVC() if self.estimator is None else self.estimator
        if not hasattr(machine, "fit"):
            raise ValueError(f"estimator must be a classifier, got {machine!r}.")
        if sample_weight is not None and not has_fit_parameter(machine, "sample_weight"):
            raise ValueError(f"sample_weight was given, but the estimator {machine!r} does not take it.")
        self._takes = getattr(machine, "_takes", "vectors")
        X, y, weight, used = _checked(self, self._takes, X, y, sample_weight)
        if _pairwise(machine) and X.shape[0] != X.shape[1]:
            raise ValueError(f"A precomputed kernel must be a square matrix, got shape {X.shape}.")
        self._rows, self.estimators_ = {}, {}
        for i, j in combinations(range(len(self.classes_)), 2):
            rows = used[np.isin(y[used], self.classes_[[i, j]])]
            part = X[np.ix_(rows, rows)] if _pairwise(machine) else X[rows]
            weights = {} if sample_weight is None else {"sample_weight": weight[rows]}
            self.estimators_[i, j] = clone(machine).fit(part, y[rows], **weights)
            self._rows[i, j] = rows
        self.n_evaluations_ = len(self.classes_) - 1
        return self

    def decision_path(self, X):
        """The way of each point of X (M, D) through the graph -> (M, K, 2), indices into classes_.

        After s answers the classes first, first + 1, ..., last are still possible, with (first, last) in entry s:
        (0, K-1) at the root, twice the winner at the end.
        """
        check_is_fitted(self)
        X = new_data(self, self._takes, X)
        path = np.zeros((len(X), len(self.classes_), 2), dtype=int)
        path[:, 0, 1] = self.n_evaluations_
        for s in range(self.n_evaluations_):
            path[:, s + 1] = path[:, s]
            first = path[:, s, 0]  # says which node it is: after s answers the last is s classes nearer to it
            for i in np.unique(first):
                here, j = np.flatnonzero(first == i), i + self.n_evaluations_ - s
                machine = self.estimators_[i, j]
                part = X[np.ix_(here, self._rows[i, j])] if _pairwise(machine) else X[here]
                last_wins = machine.predict(part) == self.classes_[j]
                path[here, s + 1, 0] += last_wins
                path[here, s + 1, 1] -= ~last_wins
        return path

    def predict(self, X):
        """The winner of each point's tournament, (M,)."""
        path = self.decision_path(X)
        return self.classes_[path[:, -1, 0]]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if self.estimator is not None and hasattr(self.estimator, "fit"):
            tags.input_tags = get_tags(self.estimator).input_tags  # X goes straight to the binary machines
        return tags


def _pairwise(estimator):
    """True if the estimator's X is a Gram matrix, with a column for every point it is fitted to."""
    return hasattr(estimator, "fit") and get_tags(estimator).input_tags.pairwise


class JointSVC(ClassifierMixin, KernelMachine):
    """What machines with one objective for all K classes share: f_k(x) = sum_n v_nk k(x, x_n) + b_k for every class k.

    Parameters
    ----------
    C : price of one unit of slack, > 0 and finite.
    kernel : a Kernel, a name ("linear", "polynomial" or "poly", "gaussian" or "rbf"), a function f(X, Z), or
        "precomputed" (then X is the Gram matrix); None means Gaussian(gamma="scale").
    solver : "interior", our interior-point method, or "qp", Clarabel.
    tol : the KKT violation above which a warning is given, > 0, in units of f.
    max_iter : iterations of the solver at most.

    Fitted: classes_ (K,); support_ (S,) indices of the points with a non-zero coefficient for some class;
    support_vectors_ (S, D) (empty for "precomputed"); dual_coef_ (K, S) holding v_nk; intercept_ (K,) holding b_k;
    both sum to 0 over the classes; kernel_, the kernel in use, None for "precomputed"; n_iter_; kkt_violation_, how far
    the result is from optimal, in units of f; converged_; solution_, the JointSolution over the points of positive
    weight.
    """

    def __init__(self, C=1.0, kernel=None, solver="interior", tol=1e-3, max_iter=100):
        self.C = C
        self.kernel = kernel
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and labels y (N,); sample_weight (N,) multiplies C point by point."""
        C = real_number("C", self.C, above=0)
        if not isinstance(self.solver, str) or self.solver not in SOLVERS:
            raise ValueError(f"solver must be one of {sorted(SOLVERS)}, got {self.solver!r}.")
        X, y, weight, used = _checked(self, self._takes, X, y, sample_weight)
        label = np.searchsorted(self.classes_, y[used])
        problem = self._formulation(self._gram(X, used, weight[used]), label, C * weight[used])
        solution = SOLVERS[self.solver](problem, tol=self.tol, max_iter=self.max_iter)

        self.solution_ = solution
        self.support_ = used[solution.support]
        self.support_vectors_ = X[self.support_] if self.kernel_ else np.empty((0, 0))
        self.dual_coef_ = solution.v[solution.support].T
        self.intercept_ = solution.b
        self.n_iter_ = solution.n_iter
        self.kkt_violation_ = joint_kkt(problem, solution).violation
        self.converged_ = solution.converged
        return self

    def decision_function(self, X):
        """f_k(x) for X (M, D) -> (M, K); with two classes y(x) = (f_1(x) - f_0(x)) / 2 -> (M,), as in SVC."""
        f = self._through_kernel(X, lambda K: K @ self.dual_coef_.T) + self.intercept_
        return f if len(self.classes_) > 2 else 0.5 * (f[:, 1] - f[:, 0])

    def predict(self, X):
        """The class with the largest f_k(x), (M,); of equal ones the first."""
        f = self.decision_function(X)
        return self.classes_[(f > 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)]

    def surface(self, x1, x2):
        """All f_k(x) on the grid x1 (n1,) times x2 (n2,) -> (K, n2, n1), for contour plots; K layers also if K = 2."""
        self._check_surface()
        f = [self.kernel_.on_grid(x1, x2, self.support_vectors_, v) for v in self.dual_coef_]
        return np.stack(f) + self.intercept_[:, None, None]


@spelled_out
class WestonWatkinsSVC(JointSVC):
    """One problem for all classes: every f_k must stay 2 below that of the right class (Weston and Watkins, 1999).

        minimise 1/2 sum_k |w_k|^2 + C sum_n sum_{k != t_n} max(0, 2 - f_{t_n}(x_n) + f_k(x_n))

    With two classes it is `SVC` with the same C: then w_0 = -w_1 and y = f_1, so that the objective becomes
    |w_1|^2 + 2 C sum_n max(0, 1 - t_n y(x_n)), twice that of (7.21).

    Parameters
    ----------
    C, kernel, solver, tol, max_iter : see JointSVC.

    Fitted: the others as in JointSVC.

    >>> from sparsekm_edu import Gaussian, WestonWatkinsSVC, datasets
    >>> X, t = datasets.three_classes()
    >>> model = WestonWatkinsSVC(kernel=Gaussian(gamma=1.0)).fit(X, t)
    >>> print("accuracy", round(model.score(X, t), 2), "with", len(model.support_), "support vectors")
    accuracy 0.99 with 27 support vectors
    """

    _formulation = staticmethod(weston_watkins)


@spelled_out
class LeeSVC(JointSVC):
    """One problem for all classes: targets 1 for the right one, -1/(K-1) for the others (Lee, Lin and Wahba, 2004).

        minimise 1/2 sum_k |w_k|^2 + C sum_n sum_{k != t_n} max(0, f_k(x_n) + 1/(K-1))  subject to  sum_k f_k(x) = 0

    Given enough data it finds the most probable class everywhere, even where no class has half of the probability;
    Weston and Watkins' machine and one-versus-the-rest may fail there.

    With two classes it is `SVC` with C/2: the objective becomes |w_1|^2 + C sum_n max(0, 1 - t_n y(x_n)), twice (7.21)
    with C/2.

    Parameters
    ----------
    C, kernel, solver, tol, max_iter : see JointSVC.

    Fitted: the others as in JointSVC.

    >>> from sparsekm_edu import LeeSVC, datasets
    >>> X, t = datasets.three_classes()
    >>> f = LeeSVC().fit(X, t).decision_function(X)
    >>> print(f.shape, "with a sum over the classes of at most", abs(f.sum(axis=1)).max().round(6))
    (90, 3) with a sum over the classes of at most 0.0
    """

    _formulation = staticmethod(lee)
