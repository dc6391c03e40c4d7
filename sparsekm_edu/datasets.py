"""Data sets of the course: every generator takes a seed and returns (X, t).

X is (n, 2) float, within [-3, 3] x [-2, 2]; t is (n,) float with values -1 and +1, half of each.
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

    def distance(x):
        return x @ normal

    return _draw_by_class(n, seed, distance, gap=0.4, centre=1.3 * normal, spread=(0.8, 0.7))


def curved(n=44, seed=2):
    """Two classes on either side of a wave, in the style of figure 7.2.

    Parameters: n number of points (half of them in each class); seed of the random numbers.
    Returns: X (n, 2), t (n,).

    No straight line separates them; a Gaussian kernel does. Points keep 0.3 away (measured along x_2) from the
    wave x_2 = 0.8 sin(1.8 x_1), so that no point comes close to one of the other class.
    """

    def height(x):
        return x[1] - 0.8 * np.sin(1.8 * x[0])

    return _draw_by_class(n, seed, height, gap=0.3, centre=np.zeros(2), spread=(1.5, 1.0))


def _draw_by_class(n, seed, side, gap, centre, spread):
    """Draw Gaussian points around +-centre and keep those with t * side(x) >= gap inside the frame."""
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    X = np.empty((n, 2))
    for row, label in enumerate(t):
        while True:
            x = label * centre + rng.normal(size=2) * spread
            if label * side(x) >= gap and abs(x[0]) <= 2.8 and abs(x[1]) <= 1.8:
                break
        X[row] = x
    return X, t
