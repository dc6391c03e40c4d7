"""What targets say of outputs: errors, minus the log likelihood, with their slopes and curvature by the outputs a.

    Squared     sum_n (t_n - a_n)^2                                   t_n any number
    Bernoulli   - sum_n { t_n ln y_n + (1 - t_n) ln(1 - y_n) }        t_n = 0 or 1,  y_n = sigma(a_n)
    Softmax     - sum_n sum_k t_nk ln y_nk                            t_n one-of-K,  y_n = softmax(a_n)     (7.122)

Where outputs come from is not said here: `logistic` and `penalised` make them of weights. steepest is the largest
second derivative that the error of a point can have.
"""

import numpy as np
from scipy.special import expit, softmax


class Squared:
    """Squared errors of t, any shape, at outputs a of the same shape."""

    steepest = 2.0

    def __init__(self, t):
        self.t = t

    def error(self, a):
        return np.sum((self.t - a) ** 2)

    def slopes(self, a):
        return 2.0 * (a - self.t)

    def curvature(self, a):
        return np.full(a.shape, 2.0)


class Bernoulli:
    """Two classes: t, zeros and ones of any shape, at outputs a of the same shape.

    Errors and slopes are computed from -a where t_n = 1 and from a where t_n = 0: 1 - sigma(a) would lose the digits of
    a point that is far on its right side.
    """

    steepest = 0.25

    def __init__(self, t):
        self.sign = 2.0 * t - 1.0

    def error(self, a):
        return np.logaddexp(0.0, -self.sign * a).sum()  # - ln y_n or - ln(1 - y_n)

    def slopes(self, a):
        return -(self.sign * expit(-self.sign * a))  # y - t

    def curvature(self, a):
        return expit(a) * expit(-a)  # y (1 - y)


class Softmax:
    """K classes: T (N, K), one-of-K, at outputs a (N, K)."""

    steepest = 0.5

    def __init__(self, T):
        self.T = T

    def error(self, a):
        own = np.sum(self.T * a, axis=1, keepdims=True)
        return np.logaddexp.reduce(a - own, axis=1).sum()  # - ln y_nk of the class that it is

    def slopes(self, a):
        y, others = self.probabilities(a)
        return np.where(self.T == 1, -others, y)  # Y - T

    @staticmethod
    def probabilities(a):
        """y (N, K), (7.121), and 1 - y without losing digits where y is near 1: the curvature is diag(y) - y y'."""
        y = softmax(a, axis=1)
        return y, y @ (1.0 - np.eye(y.shape[1]))
