"""Linear models whose basis functions are kernels placed on the data: what relevance and L1/L2 vector machines share.

    y(x) = sum_n w_n k(x, x_n) + sum_j v_j psi_j(x) + b                                               (7.78)

The psi_j are basis functions of the user's choice beside the kernels. Nothing here asks the kernel to be Mercer's, or
even symmetric: the columns of the design matrix are features like any others.
"""

import numpy as np

from sparsekm_edu.kernels import as_kernel
from sparsekm_edu.models.base import KernelEstimator
from sparsekm_edu.models.memory import check_room, in_blocks


def constant(X):
    """The function 1, with a weight of its own like any other: X (N, D) -> (N, 1)."""
    return np.ones((len(X), 1))


def linear(X):
    """The coordinates themselves as basis functions: X (N, D) -> (N, D)."""
    return X


def quadratic(X):
    """Coordinates, their squares and products: X (N, D) -> (N, D + D (D + 1) / 2)."""
    first, second = np.triu_indices(X.shape[1])
    return np.hstack([X, X[:, first] * X[:, second]])


EXTRA = {"constant": constant, "linear": linear, "quadratic": quadratic}
SIZES = (1e-60, 1e60)  # of columns, and of targets: their fourth powers must be numbers, too


class KernelBasisMachine(KernelEstimator):
    """A linear model in k(x, x_1), ..., k(x, x_N), and in extra basis functions if there are any.

    Subclasses have a parameter `kernel`, perhaps a parameter `extra`, call `_basis(X)` in fit, and then `_keep` for the
    columns that have a weight.
    """

    extra = None  # a parameter of some subclasses: None, "linear", "quadratic" or a function psi(X) -> (N, J)

    def _basis(self, X):
        """The design matrix Phi (N, N + J): kernels at the points X (N, D), then extra columns; remembers the kernel.

        With kernel="precomputed" X is already the matrix of k(x_n, x_m), (N, N).
        """
        if self._precomputed:
            self.kernel_, K = None, X
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"A precomputed kernel must be a square matrix, got shape {X.shape}.")
            if self.extra is not None:
                raise ValueError(
                    "extra must be None for kernel='precomputed': there are no coordinates to use."
                )
        else:
            self.kernel_ = as_kernel(self.kernel).adapted_to(X)
            if self.kernel_.takes != "vectors" and isinstance(self.extra, str) and self.extra != "constant":
                raise ValueError(
                    f"extra must be None, 'constant' or a function for a kernel on {self.kernel_.takes}, which have no "
                    f"coordinates, got {self.extra!r}."
                )
            check_room(len(X), "take fewer points", copies=2)  # solvers have it once more
            K = self.kernel_(X)
        size = np.abs(K).max()
        if not (size == 0 or SIZES[0] <= size <= SIZES[1]):  # nan, too
            raise ValueError(
                f"kernel = {self.kernel!r} has values up to {size:g} on these points: rescale X."
            )
        return K if self.extra is None else np.hstack([K, self._extra_columns(X)])

    def _keep(self, X, columns):
        """Remember which columns (R,) of the basis at X (N, D) the model uses; returns those that are kernels."""
        kernels = columns[columns < len(X)]
        self._columns, self._n_kernels = columns, len(X)
        self._centres = np.empty((0, X.shape[1])) if self._precomputed else X[kernels]
        return kernels

    def _through_basis(self, X, function):
        """function(Phi) for the basis functions Phi (M, R) at new points X (M, D), some points at a time."""
        X = self._new_points(X)
        return in_blocks(lambda part: function(self._basis_at(part)), X, len(self._columns))

    def _basis_at(self, X):
        """The basis functions in use at points X (M, D), (M, R), in the order of the columns kept."""
        if self.kernel_ is None:
            return X[:, self._columns]
        K = self.kernel_(X, self._centres)
        if self.extra is None:
            return K
        return np.hstack([K, self._extra_columns(X)[:, self._columns[K.shape[1] :] - self._n_kernels]])

    def surface(self, x1, x2):
        """What a point is told apart or predicted by, on the grid x1 (n1,) times x2 (n2,): (n2, n1) or (K, n2, n1).

        `decision_function` of classifiers, for K > 2 classes ln p(C_k | x); `predict` of regressors.
        """
        self._check_surface()
        x1, x2 = np.ravel(x1), np.ravel(x2)
        places = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
        values = getattr(self, "decision_function", self.predict)(places)
        return values.T.reshape(*values.shape[1:], len(x2), len(x1))

    def _extra_columns(self, X):
        """psi_j(x) at the points X (N, D), (N, J)."""
        function = EXTRA.get(self.extra, self.extra) if isinstance(self.extra, str) else self.extra
        if not callable(function):
            raise ValueError(f"extra must be None, a function or one of {sorted(EXTRA)}, got {self.extra!r}.")
        columns = np.asarray(function(X), dtype=float)
        if columns.ndim != 2 or len(columns) != len(X) or not np.isfinite(columns).all():
            raise ValueError(
                f"extra must return finite numbers, one row per point, (N, J) = ({len(X)}, J), "
                f"got shape {columns.shape}."
            )
        return columns
