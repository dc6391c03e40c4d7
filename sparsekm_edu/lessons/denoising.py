"""Noise taken off pictures: go to the first components, and come back without the others (Mika et al., 1999).

Pictures are rows of pixels, (M, D), from 0, paper, to 1, ink.
"""

from functools import partial

import numpy as np

GAUSSIAN, SPECKLE = "Gaussian", "speckle"


def noisy(X, kind, level, seed):
    """Pictures X (M, D) with noise on them.

    kind: GAUSSIAN, every pixel is changed, and `level` is the standard deviation; SPECKLE, this share of the pixels,
    each by chance, is replaced by 0 or 1, whichever.

    >>> import numpy as np
    >>> from sparsekm_edu.lessons.denoising import noisy, rms
    >>> X = np.full((100, 64), 0.5)
    >>> print(round(rms(noisy(X, "Gaussian", 0.3, seed=0), X), 2))
    0.3
    >>> print(round((noisy(X, "speckle", 0.3, seed=0) != X).mean(), 2))
    0.3
    """
    rng = np.random.default_rng(seed)
    if kind == GAUSSIAN:
        return X + level * rng.normal(size=X.shape)
    hit, ink = rng.random(X.shape) < level, rng.integers(0, 2, X.shape)
    return np.where(hit, ink, X)


def restored(model, Y, L):
    """Pictures Y (M, D), each as the one nearest to its first L components, its pixels brought back to 0 ... 1.

    model: a fitted KernelPCA of clean pictures, with the Gaussian or the linear kernel; the linear one is PCA. One that
    has more than L components is of use for any L: coordinates that are 0 take part in nothing.

    >>> import numpy as np
    >>> from sparsekm_edu import KernelPCA, Linear
    >>> from sparsekm_edu.lessons.denoising import restored
    >>> clean = [(0.1, 0.1), (0.5, 0.5), (0.9, 0.9)]  # two pixels that are always alike
    >>> print(restored(KernelPCA(Linear(), n_components=1).fit(clean), np.array([(0.4, 0.6)]), L=1).round(6))
    [[0.5 0.5]]
    """
    Z = model.transform(Y)
    Z[:, L:] = 0.0
    return as_ink(model.pre_image(Z))


def as_ink(X):
    """Pictures X (M, D) as paper holds them: no pixel below 0, paper, or above 1, ink."""
    return np.clip(X, 0.0, 1.0)


def weighted_mean(Y, X, width):
    """For each of the noisy pictures Y (M, D) a mean of the clean ones, X (N, D), which near ones dominate: their
    weights are exp(-|y - x_n|^2 / (2 width^2)), divided by their sum.

    >>> import numpy as np
    >>> from sparsekm_edu.lessons.denoising import weighted_mean
    >>> clean = np.array([(0.0, 0.2), (1.0, 0.4)])
    >>> print(weighted_mean(np.array([(0.5, 0.3), (0.1, 0.2)]), clean, width=0.2).round(2))
    [[0.5 0.3]
     [0.  0.2]]
    """
    squares = np.square(Y[:, None] - X).sum(axis=2)
    weights = np.exp((squares.min(axis=1, keepdims=True) - squares) / (2 * width**2))  # the largest is 1
    return weights @ X / weights.sum(axis=1, keepdims=True)


def rms(A, B):
    """The root of the mean squared difference of two arrays, a pixel's typical error."""
    return float(np.sqrt(np.mean(np.square(np.asarray(A) - B))))


def best_of(ways, Y, X):
    """The name of the way that brings noisy pictures Y (M, D) nearest to the clean ones, X.

    ways: name -> function of noisy pictures.

    >>> import numpy as np
    >>> from sparsekm_edu.lessons.denoising import as_ink, best_of
    >>> print(best_of({"none": np.copy, "cut": as_ink}, np.array([[-0.2, 1.1]]), np.array([[0.0, 1.0]])))
    cut
    """
    return min(ways, key=lambda name: rms(ways[name](Y), X))


def numbers_of(model, numbers):
    """The ways of `best_of` that differ by the number of components kept: L -> `restored` with L of them."""
    return {L: partial(restored, model, L=L) for L in numbers}
