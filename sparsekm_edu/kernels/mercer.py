"""Mercer's theorem, both ways: a negative eigenvalue speaks against a kernel, and without one there are features."""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.kernels.base import Function, Kernel


@dataclass(frozen=True)
class MercerWitness:
    """What one Gram matrix says about its kernel.

    K (N, N) : the Gram matrix, (14.9).
    eigenvalues (N,) : of K, the smallest first.
    rounding : how far below 0 rounding alone may push an eigenvalue, 10 N eps |lambda|_max.
    is_psd : whether they are all >= 0, within rounding. False proves that the kernel is no Mercer kernel; True proves
        nothing, since other points may speak against it.
    v (N,) : weights of length 1 with v'Kv < 0, the eigenvector of the smallest eigenvalue, or None if is_psd.
    value : v'Kv, the smallest eigenvalue, or None if is_psd.
    """

    K: np.ndarray
    eigenvalues: np.ndarray
    rounding: float
    is_psd: bool
    v: np.ndarray | None
    value: float | None


def mercer_witness(kernel, X):
    """Eigenvalues of the Gram matrix on the inputs X and, where one is negative, weights v with v'Kv < 0.

    With features, v'Kv = sum_nm v_n v_m phi(x_n)'phi(x_m) = |sum_n v_n phi(x_n)|^2 could not be negative: such weights
    are a witness that there are none.

    Parameters: kernel, a Kernel or a function f(X, Z); X, N inputs of the kind that it takes.
    Returns: a MercerWitness.

    >>> from sparsekm_edu import Gaussian, Sigmoid
    >>> from sparsekm_edu.kernels import mercer_witness
    >>> found = mercer_witness(Sigmoid(offset=-1.0), [[1.0], [2.0]])
    >>> print(found.is_psd, found.v.round(2), round(found.value, 3))
    False [ 0.88 -0.48] -0.412
    >>> mercer_witness(Gaussian(), [[1.0], [2.0]]).is_psd
    True
    """
    K = (kernel if isinstance(kernel, Kernel) else Function(kernel))(X)
    if len(K) == 0:
        raise ValueError("X must hold at least one input, got none.")
    eigenvalues, vectors = np.linalg.eigh(_symmetric(K))
    rounding = _rounding(eigenvalues)
    if eigenvalues[0] >= -rounding:
        return MercerWitness(K, eigenvalues, rounding, True, None, None)
    v = directed(vectors[:, :1])[:, 0]
    return MercerWitness(K, eigenvalues, rounding, False, v, float(v @ K @ v))


def mercer_features(K):
    """Features whose inner products are the entries of K, (14.10)-(14.12).

    Parameters: K (N, N), a Gram matrix without negative eigenvalues.
    Returns: Phi (N, r), row n the features of x_n, r the rank of K, so that Phi Phi' = K; the feature that counts most
    comes first. Of `centred(K)` they are the coordinates of kernel principal components.

    The book writes K = U' Lambda U, so its U holds the eigenvectors as rows and phi(x_n) = Lambda^(1/2) U_{:,n}.

    >>> import numpy as np
    >>> from sparsekm_edu.kernels import mercer_features
    >>> K = np.array([(2.0, 1.0), (1.0, 2.0)])
    >>> Phi = mercer_features(K)
    >>> print((Phi @ Phi.T).round(12))
    [[2. 1.]
     [1. 2.]]
    """
    K = np.asarray(K, dtype=float)
    if K.ndim != 2 or len(K) != len(K.T) or not np.isfinite(K).all():
        raise ValueError(f"K must be a square matrix of finite numbers, got shape {K.shape}.")
    eigenvalues, vectors = np.linalg.eigh(_symmetric(K))
    rounding = _rounding(eigenvalues)
    if len(K) and eigenvalues[0] < -rounding:
        raise ValueError(
            f"K must have no negative eigenvalue to be made of features, got {eigenvalues[0]:.3g}; the largest is "
            f"{eigenvalues[-1]:.3g}."
        )
    kept = np.flatnonzero(eigenvalues > rounding)[::-1]
    return directed(vectors[:, kept]) * np.sqrt(eigenvalues[kept])  # row n is Lambda^(1/2) U_{:,n}, (14.11)


def centred(K):
    """The Gram matrix of phi(x_n) minus the mean of all phi, from the Gram matrix K (N, N) of phi.

    >>> from sparsekm_edu import Linear
    >>> from sparsekm_edu.kernels import centred
    >>> print(centred(Linear()([[1.0], [2.0], [3.0]])).round(12) + 0.0)
    [[ 1.  0. -1.]
     [ 0.  0.  0.]
     [-1.  0.  1.]]
    """
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


def directed(vectors):
    """Eigenvectors, the columns of an (N, r) array, with the largest entry of each positive: always the same of two."""
    if not vectors.size:
        return vectors
    largest = np.abs(vectors).argmax(axis=0)
    return vectors * np.sign(vectors[largest, np.arange(len(largest))])


def _symmetric(K):
    if np.abs(K - K.T).max(initial=0.0) > 1e-10 * np.abs(K).max(initial=0.0):
        raise ValueError("A Gram matrix must be symmetric, k(x, z) = k(z, x); this one is not.")
    return K


def _rounding(eigenvalues):
    """How far below 0 rounding alone may push an eigenvalue of a matrix with these eigenvalues."""
    return float(10.0 * len(eigenvalues) * np.finfo(float).eps * np.abs(eigenvalues).max(initial=0.0))
