"""Support vector machines as scikit-learn estimators: two for classes, two for curves, two for novelties.

Each states its dual problem; `SupportVectorMachine` in base.py solves it and keeps the result.
"""

import numpy as np
from sklearn.base import ClassifierMixin, OutlierMixin, RegressorMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_is_fitted

from sparsekm_edu.complaints import warn
from sparsekm_edu.kernels.inputs import as_inputs
from sparsekm_edu.models.base import SupportVectorMachine, two_classes
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.solvers.dual.formulations import (
    epsilon_regression,
    feasible_nu,
    nu_classification,
    nu_regression,
    one_class,
    smallest_sphere,
    soft_margin,
)
from sparsekm_edu.validation import real_number

NEGLIGIBLE_RHO = 1e-12  # of the data's squared extent in feature space: rounding error, not to be divided by


# ------------------------------------------------------------------ two classes


class TwoClassMachine(ClassifierMixin, SupportVectorMachine):
    """A support vector machine whose y(x) tells two classes apart by its sign."""

    @property
    def n_support_(self):
        """The number of support vectors of each class, (2,)."""
        check_is_fitted(self)
        positive = np.isin(self.support_, self._positive).sum()
        return np.array([len(self.support_) - positive, positive], dtype=np.int32)

    @property
    def predict_proba(self):
        """Not there, and says where probabilities are."""
        name = type(self).__name__
        raise AttributeError(f"{name} has no predict_proba: PlattScaling({name}()) has, and so has RVC().")

    def decision_function(self, X):
        """y(x) of (7.13) for X (M, D) -> (M,)."""
        return self._y(X)

    def predict(self, X):
        """The class on whose side of y(x) = 0 each point lies, (M,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def _checked(self, X, y, sample_weight):
        """X (N, D), and of the points in use t (N',), -1 and +1, weight (N',) and their indices used (N',)."""
        X, y = self._checked_data(X, y)
        weight, used = self._weights(X, sample_weight)
        self.classes_, t = two_classes(y, used)
        self._positive = used[t > 0]
        return X, t, weight, used

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


@spelled_out
class SVC(TwoClassMachine):
    """Support vector classifier for two classes, (7.32)-(7.37).

    Parameters
    ----------
    C : price of one unit of slack, > 0; infinity is the hard margin.
    class_weight : None, "balanced", or a dict from class to the factor on its C.
    kernel, solver, tol, max_iter : see SupportVectorMachine.

    Fitted: classes_ (2,); dual_coef_ holds a_n t_n with t_n = +1 for classes_[1]; the others as in
    SupportVectorMachine.

    >>> from sparsekm_edu import SVC, Gaussian, datasets
    >>> X, t = datasets.curved()
    >>> model = SVC(C=10.0, kernel=Gaussian(gamma=0.5)).fit(X, t)
    >>> print(len(model.support_), "of", len(X), "points hold the boundary; accuracy", model.score(X, t))
    13 of 44 points hold the boundary; accuracy 1.0
    """

    def __init__(self, C=1.0, kernel=None, solver="smo", tol=1e-3, class_weight=None, max_iter=1_000_000):
        super().__init__(kernel, solver, tol, max_iter)
        self.C = C
        self.class_weight = class_weight

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and labels y (N,); sample_weight (N,) multiplies C point by point."""
        C = real_number("C", self.C, above=0, infinite=True)
        X, t, weight, used = self._checked(X, y, sample_weight)
        C = C * weight * self._class_weights(t, weight)
        self._solve(lambda K: soft_margin(K, t, C), X, used, weight)
        return self

    def _class_weights(self, t, weight):
        """The weight of each point's class, (N',)."""
        if self.class_weight is None:
            return 1.0
        label = (t > 0).astype(int)
        per_class = compute_class_weight(
            self.class_weight, classes=self.classes_, y=self.classes_[label], sample_weight=weight
        )
        if not np.all(per_class > 0):
            raise ValueError(f"class_weight must hold numbers > 0, got {self.class_weight!r}.")
        return per_class[label]


@spelled_out
class NuSVC(TwoClassMachine):
    """Support vector classifier with nu in place of C, (7.38)-(7.41).

    At most a fraction nu of the points falls short of the margin, and at least that fraction are support vectors.
    There is no class_weight: each class must give nu/2 in multipliers of at most 1/N, and with smaller limits for one
    class that soon becomes impossible.

    Parameters
    ----------
    nu : in (0, 1], at most twice the smaller class's share of the points.
    kernel, solver, max_iter : see SupportVectorMachine.
    tol : the KKT gap to reach, before the division by rho, with a_n in [0, 1] (scikit-learn's way to count).

    Fitted: rho_, the level of the margin (as a distance rho/|w|), in the book's scale, as is solution_; dual_coef_ and
    intercept_ are divided by rho, so that the margin is at y = -1 and y = +1, and y is that of SVC with
    C = 1 / (N rho); classes_ (2,); the others as
    in SupportVectorMachine. Where the classes cannot be told apart at this nu, rho is nearly 0: then there is a
    warning, and no division.

    >>> from sparsekm_edu import NuSVC, datasets
    >>> X, t = datasets.clouds()
    >>> model = NuSVC(nu=0.5, kernel="linear").fit(X, t)
    >>> print(sum(t * model.decision_function(X) < 0.999), "<= nu N =", 15, "<=", len(model.support_))
    14 <= nu N = 15 <= 17
    """

    def __init__(self, nu=0.5, kernel=None, solver="smo", tol=1e-3, max_iter=1_000_000):
        super().__init__(kernel, solver, tol, max_iter)
        self.nu = nu

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and labels y (N,); a point of sample_weight (N,) k counts as k points."""
        real_number("nu", self.nu, above=0, at_most=1)
        X, t, weight, used = self._checked(X, y, sample_weight)
        share = None if sample_weight is None else weight
        feasible_nu(self.nu, t, share)  # now, because the kernel may take long
        number = weight.sum()
        problem = self._solve(
            lambda K: nu_classification(K, t, self.nu, share), X, used, weight, scale=number
        )
        self.rho_ = unit = self.solution_.rho
        error = max(10 * self.kkt_violation_ / number, NEGLIGIBLE_RHO * problem.gram.squared_extent())
        if self.rho_ <= error:
            unit = 1.0
            warn(
                f"rho = {self.rho_:.2g} is too small to divide by, for nu = {self.nu:g}: y(x) is left in the "
                "book's scale, with the margin at -rho and +rho; a larger nu gives a wider margin.",
            )
        self.dual_coef_ /= number * unit
        self.intercept_ /= number * unit
        return self


# ------------------------------------------------------------------ curves


class CurveMachine(RegressorMixin, SupportVectorMachine):
    """A support vector machine whose y(x) is the prediction."""

    def predict(self, X):
        """y(x) of (7.64) for X (M, D) -> (M,)."""
        return self._y(X)

    def _checked(self, X, y, sample_weight):
        """X (N, D), and of the points in use t (N',), weight (N',) and their indices used (N',)."""
        X, y = self._checked_data(X, y, y_numeric=True)
        weight, used = self._weights(X, sample_weight)
        return X, y[used].astype(float), weight, used


@spelled_out
class SVR(CurveMachine):
    """Support vector regression with a tube of half-width epsilon, (7.61)-(7.64).

    Parameters
    ----------
    C : price of one unit outside the tube, > 0.
    epsilon : half-width of the tube, >= 0.
    kernel, solver, tol, max_iter : see SupportVectorMachine.

    Fitted: dual_coef_ holds a_n - a-hat_n; the others as in SupportVectorMachine.

    >>> from sparsekm_edu import SVR, Gaussian, datasets
    >>> X, t = datasets.sinusoid()
    >>> model = SVR(C=10.0, epsilon=0.3, kernel=Gaussian(gamma=22.0)).fit(X, t)
    >>> print(len(model.support_), "support vectors; the worst error is", round(max(abs(model.predict(X) - t)), 3))
    6 support vectors; the worst error is 0.3
    """

    def __init__(self, C=1.0, epsilon=0.1, kernel=None, solver="smo", tol=1e-3, max_iter=1_000_000):
        super().__init__(kernel, solver, tol, max_iter)
        self.C = C
        self.epsilon = epsilon

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and targets y (N,); sample_weight (N,) multiplies C point by point."""
        C = real_number("C", self.C, above=0)
        epsilon = real_number("epsilon", self.epsilon, at_least=0)
        X, t, weight, used = self._checked(X, y, sample_weight)
        self._solve(lambda K: epsilon_regression(K, t, C * weight, epsilon), X, used, weight)
        if len(self.support_) == 0:
            spread = np.ptp(t)
            why = (
                f"a tube with epsilon = {epsilon:g} holds all targets, which range over {spread:g}."
                if spread <= 2 * epsilon
                else f"the targets range over {spread:g}, too little for tol = {self.tol:g}; rescale y or lower tol."
            )
            warn(f"There are no support vectors, and y(x) is constant: {why}")
        return self


@spelled_out
class NuSVR(CurveMachine):
    """Support vector regression with a tube as wide as nu demands, (7.70)-(7.74).

    At most a fraction nu of the points lies outside the tube, and at least that fraction are support vectors.

    Parameters
    ----------
    C : price of one unit outside the tube, > 0, as in SVR and in scikit-learn. The book's C is N times this one.
    nu : in (0, 1].
    kernel, solver, tol, max_iter : see SupportVectorMachine.

    Fitted: epsilon_, the half-width found: SVR with this epsilon gives the same curve; dual_coef_ holds
    a_n - a-hat_n; the others as in SupportVectorMachine.

    >>> from sparsekm_edu import NuSVR, Gaussian, datasets
    >>> X, t = datasets.sinusoid()
    >>> model = NuSVR(nu=0.5, kernel=Gaussian(gamma=22.0)).fit(X, t)
    >>> print(len(model.support_), "support vectors, epsilon =", round(model.epsilon_, 2))
    7 support vectors, epsilon = 0.22
    """

    def __init__(self, C=1.0, nu=0.5, kernel=None, solver="smo", tol=1e-3, max_iter=1_000_000):
        super().__init__(kernel, solver, tol, max_iter)
        self.C = C
        self.nu = nu

    def fit(self, X, y, sample_weight=None):
        """Fit to X (N, D) and targets y (N,); sample_weight (N,) multiplies C point by point."""
        C = real_number("C", self.C, above=0)
        nu = real_number("nu", self.nu, above=0, at_most=1)
        X, t, weight, used = self._checked(X, y, sample_weight)
        self._solve(lambda K: nu_regression(K, t, len(t) * C * weight, nu), X, used, weight)
        self.epsilon_ = self.solution_.epsilon
        return self


# ------------------------------------------------------------------ novelties


class NoveltyMachine(OutlierMixin, SupportVectorMachine):
    """A support vector machine that learns where the data are: at most a fraction nu of them is left outside.

    Parameters
    ----------
    nu : in (0, 1]; at least that fraction of the points are support vectors.
    tol : the KKT gap to reach, > 0, with a_n in [0, 1], as in NuSVC.
    """

    def __init__(self, nu=0.5, kernel=None, solver="smo", tol=1e-3, max_iter=1_000_000):
        super().__init__(kernel, solver, tol, max_iter)
        self.nu = nu

    def score_samples(self, X):
        """How much at home each point is among the data, (M,): decision_function without the threshold offset_."""
        return self.decision_function(X) + self.offset_

    def predict(self, X):
        """+1 for points that look like the data, -1 for novelties, (M,)."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def _checked(self, X, sample_weight):
        """nu; X (N, D); of the points in use weight (N',) and their indices used (N',)."""
        nu = real_number("nu", self.nu, above=0, at_most=1)
        X = self._checked_data(X)
        return nu, X, *self._weights(X, sample_weight)

    def _let_boundary_in(self, size):
        """Raise b a little, so that support vectors on the boundary count as inside.

        Rounding errors would put each of them on one side or the other by chance. The KKT violation bounds the solver's
        error at these points (where it did not converge we take tol); a trace of the values' size is for the errors of
        y(x) itself.
        """
        self.intercept_ += min(self.kkt_violation_, self.tol) + 1e-12 * size


@spelled_out
class OneClassSVM(NoveltyMachine):
    """A plane in feature space that keeps the data away from the origin (Schoelkopf et al., 2001).

    Parameters
    ----------
    nu : see NoveltyMachine.
    kernel, solver : see SupportVectorMachine.
    tol : see NoveltyMachine.
    max_iter : see SupportVectorMachine.

    Fitted: dual_coef_ holds a_n in [0, 1], which sum to nu N (scikit-learn's scale; solution_ has them sum to 1);
    offset_ = -b, the least score that is no novelty; the others as in SupportVectorMachine.

    >>> from sparsekm_edu import OneClassSVM, datasets
    >>> X, _ = datasets.crescent()
    >>> OneClassSVM(nu=0.1).fit(X).predict([(0.0, 2.0), (0.0, 0.0)])
    array([ 1, -1])
    """

    def fit(self, X, y=None, sample_weight=None):
        """Fit to X (N, D); y is ignored; a point of sample_weight (N,) k counts as k points."""
        nu, X, weight, used = self._checked(X, sample_weight)
        total = nu * weight.sum()
        problem = self._solve(lambda K: one_class(K, nu, weight), X, used, weight, scale=total)
        self._let_boundary_in(total * problem.gram.diagonal.max())
        self.offset_ = -self.intercept_[0]
        return self

    def decision_function(self, X):
        """y(x) = sum_n a_n k(x, x_n) + b for X (M, D) -> (M,): negative for novelties."""
        return self._y(X)


@spelled_out
class SVDD(NoveltyMachine):
    """The smallest sphere in feature space that holds the data (Tax and Duin, 1999).

    Where k(x, x) is the same for all x, as for Gaussian kernels, its boundary is that of OneClassSVM. Tax and Duin's C
    is 1 / (nu N); below nu = 1/N no point may lie outside, and the sphere is the smallest enclosing one.

    The distance of a new point to the centre takes k(x, x), so that kernel="precomputed" is refused.

    Parameters
    ----------
    nu : see NoveltyMachine.
    kernel, solver : see SupportVectorMachine.
    tol : see NoveltyMachine.
    max_iter : see SupportVectorMachine.

    Fitted: radius_ R; dual_coef_ holds a_n, which sum to 1: the centre is sum_n a_n phi(x_n); offset_ = -R^2;
    intercept_ holds b, half of R^2 - |centre|^2; the others as in SupportVectorMachine.

    >>> from sparsekm_edu import SVDD
    >>> model = SVDD(nu=0.1, kernel="linear").fit([(0.0, 0.0), (2.0, 0.0), (1.0, 0.5)])
    >>> print("radius", round(model.radius_, 3), "on points", model.support_)
    radius 1.0 on points [0 1]
    """

    def fit(self, X, y=None, sample_weight=None):
        """Fit to X (N, D); y is ignored; a point of sample_weight (N,) k counts as k points."""
        if self._precomputed:
            raise ValueError(
                "kernel='precomputed' does not tell k(x, x) for new points, which SVDD needs; give it a function, or "
                "use OneClassSVM."
            )
        nu, X, weight, used = self._checked(X, sample_weight)
        total = nu * weight.sum()
        problem = self._solve(lambda K: smallest_sphere(K, nu, weight), X, used, weight, scale=total)
        self._let_boundary_in(total * problem.gram.diagonal.max())
        self.dual_coef_ /= total
        self.intercept_ /= total
        a = self.solution_.v
        centre2 = a @ problem.gram.times(a)  # |centre|^2
        self.radius_ = np.sqrt(max(0.0, 2.0 * self.intercept_[0] + centre2))
        self.offset_ = -(self.radius_**2)
        return self

    def decision_function(self, X):
        """R^2 - |phi(x) - centre|^2 = 2 y(x) - k(x, x) for X (M, D) -> (M,): negative for novelties."""
        y = self._y(X)
        return 2.0 * y - self.kernel_.diag(as_inputs(X, self.kernel_.takes))

    def surface(self, x1, x2):
        """decision_function on the grid x1 (n1,) times x2 (n2,) -> (n2, n1), to draw contours of 2-D data."""
        y = super().surface(x1, x2)
        points = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
        return 2.0 * y - self.kernel_.diag(points).reshape(y.shape)
