"""Data for smoothers (MLaPP 14.7.4): a wave that rises, steep at both ends, with noise on it."""

import numpy as np


def rising_curve(x):
    """The truth behind `rising_wave`: x / 25 + sin(x / 8).

    Parameters: x, a number or an array of them, from 0 to 100.
    Returns: as x.

    >>> from sparsekm_edu import datasets
    >>> print(datasets.rising_curve(0.0), round(float(datasets.rising_curve(100.0)), 2))
    0.0 3.93
    """
    return x / 25 + np.sin(x / 8)


def rising_wave(n=60, noise=0.4, seed=0):
    """Noisy points of a wave that rises, after the demonstration by Yi Cao behind MLaPP figure 14.18.

    Parameters: n number of points, uniform on 0 <= x <= 100; noise, standard deviation of the Gaussian noise in t;
    seed of the random numbers.
    Returns: X (n, 1), rising, t (n,).

    The curve, `rising_curve`, is our own: steep at both ends, where a smoother has neighbours on one side only.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.rising_wave(noise=0.0)
    >>> print(X.shape, abs(t - datasets.rising_curve(X[:, 0])).max())
    (60, 1) 0.0
    """
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 100, size=n))
    return x[:, None], rising_curve(x) + noise * rng.normal(size=n)
