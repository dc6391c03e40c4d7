"""Bias and variance of a linear smoother, exactly: no simulation is needed where the prediction is a weighted sum.

A linear smoother predicts f^(x) = sum_i w_i(x) y_i, (14.87), with weights that do not depend on the outputs y. If
y_i = f(x_i) + e_i, with noise e_i of mean 0 and variance sigma^2, independent of each other, then for given x_i

    E f^(x) = sum_i w_i(x) f(x_i),        var f^(x) = sigma^2 sum_i w_i(x)^2,

and the mean squared error at x is (E f^(x) - f(x))^2 + var f^(x).
"""

import numpy as np


def bias_and_variance(W, at_points, truth, noise):
    """Bias and variance of a linear smoother at G places, for given inputs.

    Parameters: W (G, N) the weights of the N outputs at each place; at_points (N,) and truth (G,), the true function at
    the inputs and at the places; noise, standard deviation of the noise.
    Returns: bias (G,), with its sign, and variance (G,).

    >>> import numpy as np
    >>> from sparsekm_edu.lessons.bias_variance import bias_and_variance
    >>> mean_of_four = np.full((1, 4), 0.25)
    >>> bias, variance = bias_and_variance(mean_of_four, np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.0]), noise=2.0)
    >>> print(bias, variance)
    [0.5] [1.]
    """
    return W @ at_points - truth, noise**2 * np.sum(W**2, axis=1)


def without_the_point(W, y):
    """Leave-one-out residuals of a smoother that stays one when a point is left out: (y_n - f^(x_n)) / (1 - w_nn).

    Parameters: W (N, N) the weights at the inputs themselves; y (N,), or (N, S) for S sets of outputs.
    Returns: as y; infinite where w_nn = 1, that is where nobody else is in the window.

    True of Nadaraya-Watson and of locally weighted regression: what is left of the weights, divided by 1 - w_nn, are
    the weights of the smoother without point n.
    """
    others = (1.0 - np.diagonal(W)).reshape(-1, *[1] * (np.ndim(y) - 1))  # what is left for them
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(others > 1e-12, (y - W @ y) / others, np.inf)
