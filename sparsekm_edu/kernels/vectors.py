"""Kernels on vectors: linear, polynomial, Gaussian."""

import warnings

import numpy as np

from sparsekm_edu.kernels.base import Kernel
from sparsekm_edu.kernels.exponential import exp_in_place
from sparsekm_edu.validation import real_number, whole_number


def _points(X, name="X"):
    """X as an (N, D) float array whose entries can be squared without overflow."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2:
        raise ValueError(f"{name} must be 2D, one row per point, got shape {X.shape}; reshape it first.")
    largest = np.abs(X).max(initial=0.0)
    if not largest <= 1e150:
        raise ValueError(
            f"{name} must hold finite numbers up to 1e150 in size, got a largest value of {largest:g}."
        )
    return X


def _pair(X, Z):
    """Both sides of k(X, Z) as float arrays with the same number of columns; Z is X itself when None."""
    X = _points(X)
    Z = X if Z is None else _points(Z, "Z")
    if X.shape[1] != Z.shape[1]:
        raise ValueError(f"X and Z must have equally many columns, got {X.shape[1]} and {Z.shape[1]}.")
    return X, Z


def _squares(X):
    """x_n'x_n, (N,), for X (N, D)."""
    return np.einsum("nd,nd->n", X, X)


class Linear(Kernel):
    """k(x, z) = x'z: the feature space is the input space."""

    def __call__(self, X, Z=None):
        X, Z = _pair(X, Z)
        return X @ Z.T

    def diag(self, X):
        X = _points(X)
        return _squares(X)


class Polynomial(Kernel):
    """k(x, z) = (offset + x'z)^degree, (7.42): all monomials up to that degree as features.

    A Mercer kernel for offset >= 0. Degree 0 is the constant kernel.
    """

    def __init__(self, degree=2, offset=1.0):
        self.degree = degree
        self.offset = offset

    @property
    def is_mercer(self):
        return real_number("offset", self.offset) >= 0

    def __call__(self, X, Z=None):
        X, Z = _pair(X, Z)
        return self._power(X @ Z.T)

    def diag(self, X):
        X = _points(X)
        return self._power(_squares(X))

    def _power(self, inner):
        degree = whole_number("degree", self.degree, at_least=0)
        base = real_number("offset", self.offset) + inner
        with np.errstate(over="ignore"):
            K = base**degree  # (7.42)
        if not np.isfinite(K).all():
            raise ValueError(
                f"degree = {degree} overflows: the maximum of K would be {np.abs(base).max():g}^{degree}; "
                "lower the degree or rescale X."
            )
        return K


class Gaussian(Kernel):
    """k(x, z) = exp(-gamma |x - z|^2), (6.23) with gamma = 1 / (2 sigma^2).

    Small gamma: wide bumps, all points look alike. Large gamma: narrow bumps, each point stands alone.
    """

    def __init__(self, gamma=1.0):
        self.gamma = gamma

    def __call__(self, X, Z=None):
        gamma = real_number("gamma", self.gamma, above=0)
        X, Zs = _pair(X, Z)
        # -|x - z|^2 = 2 x'z - x'x - z'z is one matrix product, but it cancels badly far from the origin:
        # centre first; and what rounding makes positive counts as 0.
        centre = Zs.mean(axis=0) if len(Zs) else 0.0
        X, Zs = X - centre, Zs - centre
        left = np.concatenate([2.0 * X, _squares(X)[:, None], np.ones((len(X), 1))], axis=1)
        right = np.concatenate([Zs, np.full((len(Zs), 1), -1.0), -_squares(Zs)[:, None]], axis=1)
        K = left @ right.T
        if Z is None:
            np.fill_diagonal(K, 0.0)
        exp_in_place(K, gamma)
        if Z is None:
            self._warn_if_degenerate(K, X)
        return K

    def diag(self, X):
        real_number("gamma", self.gamma, above=0)
        return np.ones(len(_points(X)))

    def on_grid(self, x1, x2, Z, v):
        """As `Kernel.on_grid`, but much faster: exp(-gamma |x - z|^2) is a product over the two coordinates,
        so two small matrices and one matrix product replace n1 * n2 * M exponentials."""
        gamma = real_number("gamma", self.gamma, above=0)
        Z = _points(Z, "Z")
        E1 = -((np.asarray(x1)[:, None] - Z[:, 0]) ** 2)
        E2 = -((np.asarray(x2)[:, None] - Z[:, 1]) ** 2)
        exp_in_place(E1, gamma)  # (n1, M)
        exp_in_place(E2, gamma)  # (n2, M)
        return (E2 * v) @ E1.T

    def _warn_if_degenerate(self, K, X):
        far = K[0, 1:]  # a look at one row tells almost every healthy matrix
        if len(far) == 0 or (far.max() > 0.0 and far.min() < 1.0) or not np.ptp(X, axis=0).any():
            return
        if K.min() == 1.0:
            what = "all entries are 1 (every point looks the same): gamma is too small"
        elif np.count_nonzero(K) == len(K):
            what = "it is the identity (every point stands alone): gamma is too large"
        else:
            return
        warnings.warn(
            f"degenerate Gram matrix for gamma = {self.gamma:g}: {what} for these points.", stacklevel=3
        )
