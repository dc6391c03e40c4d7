"""The hyperplane of least error under a Parzen density model (Tong & Koller 2000; PRML 7.1).

Each class is modelled by Gaussians of common variance sigma^2 on its data points, each class has the prior
N_k / N. Seen along the unit normal of a hyperplane every Gaussian is one-dimensional, so the probability of
error of the hyperplane w'x + b = 0 is a sum over the data,

    E(w, b) = 1/N sum_n Phi(-d_n / sigma),      d_n = t_n (w'x_n + b) / |w|      (7.2)

with Phi the standard normal distribution function. As sigma -> 0 the largest term, the closest point, drowns
all others, and minimising E becomes maximising the smallest d_n: the maximum margin (7.3).
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_ndtr

logsumexp = np.logaddexp.reduce  # scipy's is slow on a few dozen numbers


@dataclass(frozen=True)
class Hyperplane:
    """w'x + b = 0 with |w| = 1, and ln E, the log probability of error under the density model."""

    w: np.ndarray
    b: float
    log_error: float


@dataclass(frozen=True, eq=False)
class Clouds:
    """One Gaussian of variance sigma2 on every point of X, t: the line of least error beside that of maximum margin.

    best: a `Hyperplane`; widest: (w, b) of the maximum margin; |w| = 1 in both.
    """

    X: np.ndarray
    t: np.ndarray
    sigma2: float
    best: Hyperplane
    widest: tuple

    @property
    def angle(self):
        """Between the two lines, in degrees."""
        return float(differences([self.best], *self.widest)[0][0])

    @property
    def offset(self):
        """By how much their distances from the origin differ."""
        return abs(self.best.b - self.widest[1])

    def log_ratio(self, x1, x2):
        """Which class is likelier, on a grid: `log_ratio_on_grid`."""
        return log_ratio_on_grid(x1, x2, self.X, self.t, self.sigma2)


def clouds(X, t, sigma2s, w, b):
    """`Clouds` for each variance, beside the maximum-margin line w'x + b = 0."""
    norm = np.linalg.norm(w)
    widest = w / norm, b / norm
    planes = best_hyperplanes(X, t, sigma2s)
    return [Clouds(X, t, sigma2, best, widest) for sigma2, best in zip(sigma2s, planes, strict=True)]


def log_error(X, t, sigma2, w, b):
    """ln E(w, b), in the log domain: E itself underflows long before sigma -> 0 becomes interesting."""
    d = t * (X @ w + b) / np.linalg.norm(w)  # (7.2)
    return logsumexp(log_ndtr(-d / np.sqrt(sigma2))) - np.log(len(t))


def log_density_ratio(points, X, t, sigma2):
    """ln [N_+ p(x|+)] - ln [N_- p(x|-)] at each row of `points`: zero on the Bayes boundary of the model."""
    squared = ((points[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    logs = -squared / (2 * sigma2)  # the normalising constants of both classes are the same
    return logsumexp(logs[:, t > 0], axis=1) - logsumexp(logs[:, t < 0], axis=1)


def log_ratio_on_grid(x1, x2, X, t, sigma2):
    """The same on the grid x1 (n1,) times x2 (n2,) -> (n2, n1), for contour plots."""
    points = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    return log_density_ratio(points, X, t, sigma2).reshape(len(x2), len(x1))


def best_hyperplane(X, t, sigma2, start):
    """Minimise E(w, b) from `start` = (w, b) by BFGS on sigma^2 ln E, which stays of order one.

    X: (N, D), t: (N,) of +-1. E has local minima; `best_hyperplanes` follows the good one.
    """
    sigma = np.sqrt(sigma2)

    def value_and_slope(wb):
        w, b = wb[:-1], wb[-1]
        norm = np.linalg.norm(w)
        y = X @ w + b
        d = t * y / norm
        logs = log_ndtr(-d / sigma)
        total = logsumexp(logs)
        # d ln E / d d_n, a Gaussian density over the sum of the tails
        pull = -np.exp(-0.5 * d**2 / sigma2 - 0.5 * np.log(2 * np.pi) - total) / sigma
        slope_w = (pull * t) @ X / norm - (pull @ d) * w / norm**2
        slope_b = (pull @ t) / norm
        return sigma2 * total, sigma2 * np.append(slope_w, slope_b)

    found = minimize(value_and_slope, np.append(*start), jac=True, method="BFGS", options={"gtol": 1e-9})
    w, b = found.x[:-1], found.x[-1]
    norm = np.linalg.norm(w)
    return Hyperplane(w / norm, b / norm, log_error(X, t, sigma2, w, b))


def best_hyperplanes(X, t, sigma2s):
    """One hyperplane for each variance, followed from the largest down.

    With a very wide sigma the problem has a single minimum, which only the class means decide; each
    solution is the start of the next narrower one.
    """
    mean_plus, mean_minus = X[t > 0].mean(axis=0), X[t < 0].mean(axis=0)
    w = mean_plus - mean_minus
    now = Hyperplane(w, -w @ (mean_plus + mean_minus) / 2, 0.0)
    found = {}
    for sigma2 in sorted(sigma2s, reverse=True):
        now = found[sigma2] = best_hyperplane(X, t, sigma2, (now.w, now.b))
    return [found[sigma2] for sigma2 in sigma2s]


def differences(planes, w, b):
    """Angle in degrees and offset between hyperplanes and the one with normal w, |w| = 1, and offset b."""
    # |u - w| = 2 sin(angle / 2) keeps the small angles that arccos(u'w) would round away
    angles = [np.degrees(2 * np.arcsin(min(1.0, np.linalg.norm(plane.w - w) / 2))) for plane in planes]
    return np.array(angles), np.array([abs(plane.b - b) for plane in planes])
