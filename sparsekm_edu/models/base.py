"""What all support vector machines share: build the Gram matrix, call a solver, keep the result.

    y(x) = sum_n v_n k(x, x_n) + b

The sum runs over the support vectors, the points with v_n other than 0. A machine says which dual problem gives v and
b; everything else is here.
"""

from inspect import signature

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from sparsekm_edu.complaints import warn
from sparsekm_edu.kernels import Kernel, Linear, as_kernel
from sparsekm_edu.models.habits import explaining
from sparsekm_edu.models.inputs import NO_TARGETS, checked_data, new_data
from sparsekm_edu.models.memory import check_room, in_blocks
from sparsekm_edu.solvers import Gram, qp, smo
from sparsekm_edu.solvers.dual.chunking import chunking, decomposition
from sparsekm_edu.solvers.dual.gram import as_gram
from sparsekm_edu.solvers.dual.problem import gradient, optimality_gap, variables
from sparsekm_edu.validation import real_number

SOLVERS = {"smo": smo, "qp": qp, "chunking": chunking, "decomposition": decomposition}
ROW_BY_ROW = ("chunking", "decomposition")  # solvers that ask for rows of the Gram matrix when they need them
CHECKED = 1000  # up to so many points, matrices of unknown origin are factorised to see whether they are inner products


def check_labels(y):
    """Say why, if y (N,) cannot hold class labels; a quick look first, as scikit-learn's takes half of a small fit."""
    if y.dtype.kind == "O" or (y.dtype.kind == "f" and np.any(y % 1)):
        check_classification_targets(y)


def two_classes(y, used):
    """The two labels in y (N,), (2,), and t (N',) for the points in use: +1 for the second label, -1 for the first."""
    check_labels(y)
    classes, label = np.unique(y, return_inverse=True)
    if len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is multiclass: got {len(classes)} "
            "classes; wrap the classifier in OneVsOneClassifier or OneVsRestClassifier."
        )
    t = 2.0 * label[used] - 1.0
    if len(classes) < 2 or t.min() == t.max():
        after = "" if len(classes) < 2 else " left after dropping points of zero weight"
        raise ValueError(f"The number of classes has to be 2, got 1 class{after}.")
    return classes, t


class KernelEstimator(BaseEstimator):
    """A model with a parameter `kernel`, which may be "precomputed": then X is the matrix of k(x_n, x_m).

    The kernel says what X holds: vectors, the rows of an array, or strings or sets, in a list.
    """

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            cls.__init__ = explaining(cls.__init__)

    def set_params(self, **params):
        """As in scikit-learn; but with kernel__gamma and the like a kernel that is None or a name becomes an object."""
        if any(name.startswith("kernel__") for name in params):
            params["kernel"] = as_kernel(params.get("kernel", self.kernel))
        return super().set_params(**params)

    @property
    def _precomputed(self):
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    @property
    def _takes(self):
        """What one input is: "vectors", "strings" or "sets"; a row of a precomputed matrix counts as a vector."""
        return self.kernel.takes if isinstance(self.kernel, Kernel) else "vectors"

    def __repr__(self, N_CHAR_MAX=700):
        """What differs from the defaults, as scikit-learn writes it; its own printer stumbles over composed kernels."""
        defaults = signature(type(self)).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if repr(value) != repr(defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        tags.input_tags.two_d_array = self._takes == "vectors"
        tags.input_tags.string = self._takes == "strings"
        return tags

    def _checked_data(self, X, y=NO_TARGETS, y_numeric=False):
        """X, or X and y (N,), as arrays, checked: see `checked_data`."""
        if isinstance(self.kernel, str | type) and not self._precomputed:
            as_kernel(self.kernel)  # a slip in the kernel comes before what X holds
        return checked_data(self, self._takes, X, y, y_numeric)

    def _new_points(self, X):
        """X, M inputs, as an array, checked against the X of fit."""
        check_is_fitted(self)
        return new_data(self, self.kernel_.takes if self.kernel_ else "vectors", X)

    def _check_surface(self):
        """Say why, if y(x) cannot be drawn over a plane."""
        check_is_fitted(self)
        if self.kernel_ is None:
            raise ValueError("There is no surface for kernel='precomputed': k(x, z) is unknown off the data.")
        if self.kernel_.takes != "vectors":
            raise ValueError(f"surface needs data in a plane, got {self.kernel_.takes}.")
        if self.n_features_in_ != 2:
            raise ValueError(f"surface needs data with 2 features, got {self.n_features_in_}.")


class KernelMachine(KernelEstimator):
    """A model that knows its data through a kernel only: the Gram matrix, and kernels at new points.

    Subclasses have parameters `kernel` and `solver`, and set support_ (S,), indices of the points that matter, and
    support_vectors_ (S, D), these points, when fitted.
    """

    def _weights(self, X, sample_weight):
        """The weights of the points that have any, (N',), and their indices, (N',)."""
        if sample_weight is None:
            return np.ones(len(X)), np.arange(len(X))
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        used = np.flatnonzero(weight > 0)  # a point without weight is no point at all
        return weight[used], used

    def _gram(self, X, used, weight):
        """The Gram matrix of the points in use, a Gram; remembers the kernel as it was when fitted.

        Parameters: X (N, D), for "precomputed" (N, N); used (N',), indices of rows; weight (N',) of these.
        """
        every = len(used) == len(X)
        if self._precomputed:
            self.kernel_ = None
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"A precomputed kernel must be a square matrix, got shape {X.shape}.")
            return self._checked_gram(X if every else X[np.ix_(used, used)])
        points = X if every else X[used]
        self.kernel_ = kernel = as_kernel(self.kernel).adapted_to(points, weight)
        row_by_row = kernel.is_mercer and self.solver in ROW_BY_ROW
        if not row_by_row:
            check_room(len(points), self._advice(kernel))
        if not kernel.is_mercer:  # Mercer kernels are symmetric; of others nobody knows
            return self._checked_gram(kernel(points))
        if row_by_row:
            gram = Gram(kernel.diag(points), lambda rows: kernel(points[rows], points))
        else:
            gram = Gram.of_matrix(kernel(points))
        if not gram.diagonal.any():
            warn(f"kernel = {kernel!r} is 0 for all inputs: they hold nothing that it counts.")
        if not np.isfinite(gram.diagonal).all():  # where a Mercer kernel has its largest values
            raise ValueError(f"kernel = {kernel!r} overflows on these points: rescale X.")
        return gram

    def _advice(self, kernel):
        """What to do where there is no room for the Gram matrix."""
        return "take fewer points"

    def _checked_gram(self, K):
        """K (N, N) as a Gram if it is symmetric; a warning if it cannot be a matrix of inner products."""
        gram = as_gram(K)
        if len(K) <= CHECKED and self.solver != "qp":  # which checks for itself
            rounding = 10 * len(K) * np.finfo(float).eps * np.abs(K).sum(axis=1).max()
            try:
                np.linalg.cholesky(K + rounding * np.eye(len(K)))
            except np.linalg.LinAlgError:
                warn(
                    f"kernel = {self.kernel!r} is not positive semi-definite on these points: what is found may be a "
                    "local optimum only.",
                )
        return gram

    def _through_kernel(self, X, function):
        """function(K) for K (M, S), kernels between new points X (M, D) and support vectors; some points at a time."""
        X = self._new_points(X)

        def of_part(X):
            return function(self.kernel_(X, self.support_vectors_) if self.kernel_ else X[:, self.support_])

        return in_blocks(of_part, X, len(self.support_))


class SupportVectorMachine(KernelMachine):
    """A kernel machine whose v and b solve one of the dual problems of `solvers.dual.formulations`.

    Parameters
    ----------
    kernel : a Kernel, a name ("linear", "polynomial" or "poly", "gaussian" or "rbf"), a function f(X, Z), or
        "precomputed" (then X is the Gram matrix); None means Gaussian(gamma="scale"). X holds what the kernel takes:
        vectors (N, D), or a list of strings or sets.
    solver : "smo", pairs of variables; "qp", cvxpy's interior point; "chunking", which keeps the Gram matrix of the
        support vectors only; "decomposition", for a Gram matrix that the memory does not hold.
    tol : the KKT gap to reach, > 0, in units of y.
    max_iter : iterations of the solver at most.

    Fitted: support_ (S,) indices of the support vectors; support_vectors_ (S, D), or (S,) strings or sets (empty for
    "precomputed"); n_support_ (1,), their number, in classifiers (2,), of each class; dual_coef_ (1, S) holding v_n;
    intercept_ (1,) holding b; coef_ (1, D), for linear kernels only, holding w; kernel_, the kernel in use, None for
    "precomputed"; n_iter_; kkt_violation_, how far the result is from optimal, in units of y; converged_; solution_,
    the DualSolution over the points of positive weight.
    """

    def __init__(self, kernel, solver, tol, max_iter):
        self.kernel = kernel
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter

    @property
    def n_support_(self):
        """The number of support vectors, (1,)."""
        check_is_fitted(self)
        return np.array([len(self.support_)], dtype=np.int32)  # scikit-learn's type

    @property
    def coef_(self):
        """w = sum_n v_n x_n, (1, D), for a linear kernel; with others there is none in the space of the data."""
        check_is_fitted(self)
        if not isinstance(self.kernel_, Linear):
            raise AttributeError(
                f"coef_ is there for kernel='linear' only, where y(x) = w'x + b; this {type(self).__name__} has "
                f"kernel = {self.kernel!r}."
            )
        return self.dual_coef_ @ self.support_vectors_  # (7.8)

    def surface(self, x1, x2):
        """The decision values on the grid x1 (n1,) times x2 (n2,) -> (n2, n1), to draw contours of 2-D data."""
        self._check_surface()
        return self.kernel_.on_grid(x1, x2, self.support_vectors_, self.dual_coef_[0]) + self.intercept_[0]

    def _solve(self, formulation, X, used, weight, scale=1.0):
        """Solve formulation(K), a DualProblem over the points in use, and keep the result; returns the problem.

        y is `scale` times the solver's: some machines are used in other units than the books state them in. Where these
        are smaller units, the solver's error is still kept below tol in its own.
        """
        if not isinstance(self.solver, str) or self.solver not in SOLVERS:
            raise ValueError(f"solver must be one of {sorted(SOLVERS)}, got {self.solver!r}.")
        tol = real_number("tol", self.tol, above=0)
        problem = formulation(self._gram(X, used, weight))
        solution = SOLVERS[self.solver](problem, tol=tol / max(scale, 1.0), max_iter=self.max_iter)

        self.solution_ = solution
        self.support_ = used[solution.support]
        self.support_vectors_ = X[self.support_] if self.kernel_ else np.empty((0, 0))
        self.dual_coef_ = scale * solution.v[None, solution.support]
        self.intercept_ = np.array([scale * solution.b])
        self.n_iter_ = max(1, solution.n_iter)
        v = variables(problem, solution)
        self.kkt_violation_ = scale * optimality_gap(problem, v, gradient(problem, v))
        self.converged_ = solution.converged
        return problem

    def _advice(self, kernel):
        if self.solver not in SOLVERS:
            return super()._advice(kernel)
        if not kernel.is_mercer:
            return "take fewer points, or a Mercer kernel and solver='decomposition', which keeps only some rows of it"
        return "take solver='decomposition', which keeps only some rows of it, or fewer points"

    def _y(self, X):
        """y(x) for X (M, D) -> (M,)."""
        return (
            self._through_kernel(X, lambda K: K @ self.dual_coef_[0]) + self.intercept_[0]
        )  # (7.13), (7.64)
