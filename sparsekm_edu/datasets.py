"""Data sets of the course: every generator takes a seed and returns (X, t).

X is (n, 2) float, within [-3, 3] x [-2, 2]; t is (n,) float, -1 for the first half of the points and +1 for
the rest.
"""

import numpy as np


def separable(n=20, seed=4):
    """Two clouds that a straight line can separate, in the style of figure 7.1.

    Parameters: n number of points (half of them in each class); seed of the random numbers.
    Returns: X (n, 2), t (n,).

    Each cloud is a Gaussian whose points stay at least 0.4 away from a slanted line, so the margin is wide
    enough to be seen. With the default seed the widest margin rests on three support vectors.
    """
    normal = np.array([np.cos(0.6), np.sin(0.6)])

    def draw(rng, label):
        return label * 1.3 * normal + rng.normal(size=2) * (0.8, 0.7)

    def accept(x, label, _):
        return label * (x @ normal) >= 0.4

    return _draw(n, seed, draw, accept)


def curved(n=44, seed=0):
    """Two classes on either side of a wave, in the style of figure 7.2.

    Parameters: n number of points (half of them in each class), up to about 100; seed of the random numbers.
    Returns: X (n, 2), t (n,).

    No straight line separates them; a Gaussian kernel does. Points keep 0.3 away (measured along x_2) from
    the wave x_2 = 0.9 sin(1.9 x_1) and 0.2 from each other, so that none sits on top of another.
    """

    def draw(rng, label):
        return rng.uniform((-2.7, -1.8), (2.7, 1.8))

    def accept(x, label, others):
        height = x[1] - 0.9 * np.sin(1.9 * x[0])
        return label * height >= 0.3 and np.all(np.linalg.norm(others - x, axis=1) >= 0.2)

    return _draw(n, seed, draw, accept)


def _draw(n, seed, draw, accept):
    """Draw points class by class, again and again until `accept(x, label, points so far)` says yes."""
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    X = np.empty((n, 2))
    for row, label in enumerate(t):
        x = draw(rng, label)
        while np.any(np.abs(x) > (2.8, 1.8)) or not accept(x, label, X[:row]):
            x = draw(rng, label)
        X[row] = x
    return X, t
