"""Functions drawn from a Gaussian process: what a kernel believes about functions before it has seen a point."""

import numpy as np


def process_functions(K, n=5, seed=3):
    """Functions of the Gaussian process with mean 0 and covariance K, at the points of K: N(0, K), n draws.

    Parameters: K (N, N) a Gram matrix without negative eigenvalues, but for rounding; n how many; seed of the noise.
    Returns: (N, n), a function in each column, K^(1/2) times standard normal noise.

    Of all roots of K this is the symmetric one. It moves smoothly when K does: with the same noise, functions bend
    and do not jump when a parameter of the kernel is changed.

    >>> import numpy as np
    >>> from sparsekm_edu import Gaussian
    >>> from sparsekm_edu.lessons.processes import process_functions
    >>> x = np.linspace(0, 1, 50)[:, None]
    >>> process_functions(Gaussian(10.0)(x)).shape
    (50, 5)
    """
    noise = np.random.default_rng(seed).normal(size=(len(K), n))
    eigenvalues, U = np.linalg.eigh(K)
    return U @ (np.sqrt(np.maximum(eigenvalues, 0.0))[:, None] * (U.T @ noise))
