"""Features written out, where there are few of them."""

import numpy as np

#: names of the features of `second_order`, for pictures and tables
SECOND_ORDER = ("1", "√2 x₁", "√2 x₂", "x₁²", "√2 x₁x₂", "x₂²")


def second_order(X):
    """phi(x) of (7.42) for X (N, 2) -> (N, 6): (1 + x'z)^2 = phi(x)'phi(z) in the plane."""
    x1, x2 = np.transpose(X)
    root = np.sqrt(2.0)
    return np.stack([np.ones_like(x1), root * x1, root * x2, x1**2, root * x1 * x2, x2**2], axis=1)  # (7.42)
