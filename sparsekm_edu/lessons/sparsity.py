"""One basis function and its evidence: the noise that keeps |C| as it is (PRML figure 7.10).

A model with a single basis vector phi (N,), weight precision alpha and noise precision beta gives the targets the
covariance C = I / beta + phi phi' / alpha, (7.92): a circle of noise, made longer along phi.
"""

import numpy as np


def noise_of_equal_determinant(phi, alpha, beta):
    """The noise precision with which |C| of a finite alpha equals beta^-2, the |C| of alpha = infinity.

    Parameters: phi (2,), as in the figure; alpha > 0, any shape; beta > 0, the noise precision of alpha = infinity.
    Returns: beta r, where r is the positive root of r^2 - r s / alpha - 1 = 0, s = beta phi'phi. The ellipse of C is
    then r times as long as it is wide.
    """
    s = beta * np.dot(phi, phi)  # (7.98), C_{-i} = I / beta
    return beta * np.exp(np.arcsinh(0.5 * s / alpha))
