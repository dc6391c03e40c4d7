"""Gaussian process regression with one kernel, whose scale and noise are chosen by the evidence (PRML 6.4).

    t = f + noise,   f ~ N(0, scale K),   noise ~ N(0, beta^-1 I):   ln p(t) = ln N(t | 0, C),   C = scale K + beta^-1 I

The same evidence as (7.85), with the functions themselves in the place of weighted basis functions. With
ratio = 1 / (beta scale) we have C = scale (K + ratio I). For a given ratio the best scale is t'(K + ratio I)^-1 t / N:
one number remains to be searched for, and the eigenvectors of K make every trial cheap.
"""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.validation import Impossible

RATIOS = 1e-6, 1e6  # noise variance over the variance of the function: where the best ratio is searched for
TRIALS, ZOOMS = 121, 5  # of the search: so many ratios, and the same again around the best one


@dataclass(frozen=True, eq=False)
class GaussianProcess:
    """scale of the kernel, beta: precision of the noise; weights (N,): C^-1 t; inverse (N, N): C^-1; log_evidence."""

    scale: float
    beta: float
    weights: np.ndarray
    inverse: np.ndarray
    log_evidence: float

    def predict(self, K, variance=1.0):
        """Mean and standard deviation, noise included, of new targets: (M,) each, (6.66)-(6.67).

        K (M, N): the kernel between new points and those of the data; variance: k(x, x) at new points.
        """
        covariance = self.scale * K
        explained = np.sum(covariance @ self.inverse * covariance, axis=1)
        return covariance @ self.weights, np.sqrt(self.scale * variance - explained + 1 / self.beta)


def gaussian_process(K, t):
    """Maximise ln N(t | 0, scale K + beta^-1 I) over scale and beta.

    Parameters: K (N, N) positive semidefinite; t (N,), not all of them 0. Returns: GaussianProcess.

    >>> from sparsekm_edu import Gaussian, datasets
    >>> from sparsekm_edu.solvers import gaussian_process
    >>> X, t = datasets.sinc(noise=0.1)
    >>> process = gaussian_process(Gaussian(gamma=0.1)(X), t)
    >>> print("noise of standard deviation", round(process.beta**-0.5, 3))
    noise of standard deviation 0.059
    """
    if not np.any(t):
        raise Impossible("t must hold a number other than 0: zeros alone have no scale.")
    eigenvalues, U = np.linalg.eigh(K)
    eigenvalues, z = np.maximum(eigenvalues, 0.0), U.T @ t

    def best_scale(ratio):
        return np.mean(z**2 / (eigenvalues + ratio), axis=-1)

    def evidence(ratio):
        log_det = np.log(eigenvalues + ratio).sum(axis=-1)
        return -0.5 * (len(t) * (np.log(2 * np.pi * best_scale(ratio)) + 1) + log_det)

    low, high = np.log(RATIOS)
    for _ in range(1 + ZOOMS):
        trials = np.linspace(low, high, TRIALS)
        k = int(np.argmax(evidence(np.exp(trials)[:, None])))
        low, high = trials[max(k - 1, 0)], trials[min(k + 1, TRIALS - 1)]
    ratio = float(np.exp(trials[k]))
    scale = float(best_scale(ratio))
    inverse = (U / (scale * (eigenvalues + ratio))) @ U.T
    return GaussianProcess(scale, 1 / (scale * ratio), inverse @ t, inverse, float(evidence(ratio)))
