"""Data for networks of kernels (MLaPP 14.3.1): the truth table of xor, jittered, and a parabola with noise on it."""

import numpy as np

XOR_CORNERS = np.array(
    [(0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0)]
)  # the first two are false, the others true


def xor(n=80, jitter=0.35, seed=0):
    """The truth table of "one or the other, but not both", each row many times, jittered (MLaPP figure 14.2).

    Parameters: n number of points, a quarter of them at each corner of XOR_CORNERS; jitter, how far a point may be
    moved along each axis, uniformly, as the book's footnote has it; seed of the random numbers.
    Returns: X (n, 2), t (n,), -1 for false, which comes first, and +1 for true.

    Up to a jitter of 0.5 the product (x_1 - 1/2)(x_2 - 1/2) tells the classes apart, and no line does.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.xor()
    >>> print((X.round().astype(int).sum(axis=1) % 2 == (t > 0)).all())
    True
    """
    corner = np.arange(n) * 4 // n
    shift = np.random.default_rng(seed).uniform(-jitter, jitter, size=(n, 2))
    return XOR_CORNERS[corner] + shift, np.where(corner < 2, -1.0, 1.0)


def parabola(n=21, noise=2.0, seed=0):
    """A parabola with noise on it, for figure 14.3 of MLaPP: t = -1.5 z + z^2 / 9, z = 10 (x + 1) from 0 to 20.

    Parameters: n number of points, evenly spaced on -1 <= x <= 1; noise, standard deviation of the Gaussian noise in t;
    seed of the random numbers.
    Returns: X (n, 1), t (n,).

    The curve and the noise are those of the program behind the book's figure, which draws z; widths are in units of x.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.parabola(n=5, noise=0.0)
    >>> print(X[:, 0], t.round(2))
    [-1.  -0.5  0.   0.5  1. ] [ 0.   -4.72 -3.89  2.5  14.44]
    """
    x = np.linspace(-1, 1, n)
    z = 10 * (x + 1)
    return x[:, None], -1.5 * z + z**2 / 9 + noise * np.random.default_rng(seed).normal(size=n)
