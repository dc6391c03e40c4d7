"""Noise taken off pictures: go to the first components, and come back without the others (Mika et al., 1999).

Pictures are rows of pixels, (M, D), from 0, paper, to 1, ink.
"""

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
    return np.clip(model.pre_image(Z), 0.0, 1.0)


def rms(A, B):
    """The root of the mean squared difference of two arrays, a pixel's typical error."""
    return float(np.sqrt(np.mean(np.square(np.asarray(A) - B))))


def best_number(model, Y, X, numbers):
    """Of some numbers of components the one with which noisy pictures Y (M, D) come nearest to the clean ones, X."""
    return min(numbers, key=lambda L: rms(restored(model, Y, L), X))
