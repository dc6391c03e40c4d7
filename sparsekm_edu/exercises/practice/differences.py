"""Derivatives by numbers: the independent road to a derivative that somebody has worked out."""

import numpy as np

STEP = 2e-3  # the error of four points is about STEP^4, far below the tolerance of a check


def derivative(f, x):
    """The derivative of f at x (n,), by central differences of fourth order.

    Returns: (n,) if f gives a number (the gradient); (m, n) if it gives (m,) (column j: what moving x_j does).
    """
    x = np.asarray(x, dtype=float)
    steps = STEP * np.eye(len(x))
    return np.stack(
        [(8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * STEP) for h in steps], axis=-1
    )
