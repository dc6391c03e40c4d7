"""Densities over one number, for looking at the Laplace approximation where it is good and where it fails.

A density is given by ln f(z), not normalised. Its power f^n stands for n data where f stood for one: n ln f(z) has the
same modes and n times the curvature, and unless something is in the way f^n becomes a Gaussian as n grows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import expit, ndtr

from sparsekm_edu.solvers.bayes.laplace import LaplaceApproximation, laplace
from sparsekm_edu.validation import Impossible

REACH, NODES = 14.0, 4001  # of the trapezoidal rule, in the variable that a density's support is stretched to


@dataclass(frozen=True, eq=False)
class Density:
    """f(z) = exp(log_f(z)) between low and high, 0 outside; slope and curvature: derivatives of log_f."""

    log_f: Callable
    slope: Callable
    curvature: Callable
    low: float = -np.inf
    high: float = np.inf
    has_mode: bool = True  # inside, where the slope is 0

    def __call__(self, z):
        """ln f(z) for a number or an array, -inf outside the support."""
        z = np.asarray(z, dtype=float)
        inside = (z > self.low) & (z < self.high)
        safe = np.where(inside, z, 1.0)  # 1 lies inside the support of all densities here
        return np.where(inside, self.log_f(safe), -np.inf)

    @property
    @lru_cache  # noqa: B019 (there are only a few densities, and they live as long as the module)
    def nodes(self):
        """z (NODES,) over the support, and ln dz: sum exp(ln f(z) + ln dz) is the integral of f to some ten digits.

        The trapezoidal rule in u, with z = sinh(u), z = low + exp(u) or z = middle + half tanh(u): whatever the
        support, the integrand then falls to 0 smoothly at both ends, and there the rule is excellent.
        """
        u, du = np.linspace(-REACH, REACH, NODES, retstep=True)
        if np.isfinite(self.high):
            middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
            z, dz = middle + half * np.tanh(u), half / np.cosh(u) ** 2
        elif np.isfinite(self.low):
            z, dz = self.low + np.exp(u), np.exp(u)
        else:
            z, dz = np.sinh(u), np.cosh(u)
        return z, np.log(dz * du)


def _two_peaks(tilt):
    """exp(-3/2 (z^2 - 1)^2 + tilt z): peaks near -1 and 1; the right one is higher if tilt > 0."""
    return Density(
        lambda z: -1.5 * (z**2 - 1) ** 2 + tilt * z,
        lambda z: -6 * z * (z**2 - 1) + tilt,
        lambda z: -6 * (3 * z**2 - 1),
    )


#: name -> Density
DENSITIES = {
    # exp(-z^2/2) sigma(20 z + 4), of PRML figure 4.14
    "cut Gaussian": Density(
        lambda z: -0.5 * z**2 - np.logaddexp(0, -20 * z - 4),
        lambda z: -z + 20 * expit(-20 * z - 4),
        lambda z: -1 - 400 * expit(20 * z + 4) * expit(-20 * z - 4),
    ),
    # z exp(-z), z > 0: the n-th power has Z = n! / n^(n + 1), and Laplace's Z is Stirling's formula
    "skewed": Density(lambda z: np.log(z) - z, lambda z: 1 / z - 1, lambda z: -(z**-2), low=0.0),
    "two equal peaks": _two_peaks(0.0),
    "two unequal peaks": _two_peaks(0.2),
    # half an ellipse
    "bounded": Density(
        lambda z: 0.5 * np.log1p(-(z**2) / 4),
        lambda z: -z / (4 - z**2),
        lambda z: -(4 + z**2) / (4 - z**2) ** 2,
        low=-2.0,
        high=2.0,
    ),
    # Student's t with 3 degrees of freedom
    "heavy tails": Density(
        lambda z: -2 * np.log1p(z**2 / 3),
        lambda z: -4 * z / (3 + z**2),
        lambda z: -4 * (3 - z**2) / (3 + z**2) ** 2,
    ),
    # exp(-z), z > 0: highest at its edge, where the slope is not 0
    "mode at the edge": Density(
        lambda z: -z, lambda z: -np.ones_like(z), lambda z: np.zeros_like(z), low=0.0, has_mode=False
    ),
}


def laplace_of(density, start):
    """The Laplace approximation of a Density, around the mode that `start` leads to uphill.

    Raises ValueError where there is none: start outside the support, at the bottom of a valley, no mode inside.
    """
    if not density.has_mode:
        raise Impossible(
            "this density is highest at its edge, where it does not level off: there is no mode inside and no "
            "Laplace approximation"
        )
    if not density.low < start < density.high:
        raise Impossible(
            f"start = {start:g} lies where the density is 0; it must lie between {density.low:g} and {density.high:g}"
        )
    if density.slope(start) == 0 and density.curvature(start) >= 0:
        raise Impossible(
            f"start = {start:g} is the bottom of a valley: uphill is nowhere; move it to one side"
        )
    return laplace(density, float(start), density.slope, density.curvature)


def power(approximation, n):
    """The LaplaceApproximation of f^n, from that of f: the same mode, n times the curvature."""
    height = approximation.log_Z - 0.5 * np.log(2 * np.pi / approximation.A)  # ln f at the mode
    A = n * approximation.A
    return LaplaceApproximation(approximation.mode, A, float(n * height + 0.5 * np.log(2 * np.pi / A)))


def exact_log_Z(density, n):
    """ln of the integral of f^n by quadrature, for a number n > 0 or an array of them."""
    z, log_dz = density.nodes
    values = np.multiply.outer(n, density(z)) + log_dz
    top = values.max(axis=-1, keepdims=True)
    return np.log(np.exp(values - top).sum(axis=-1)) + top[..., 0]


@dataclass(frozen=True)
class Comparison:
    """p = f^n / Z beside its Laplace approximation q.

    log_Z, mean and sd of p, by quadrature; distance: the total variation 1/2 int |p - q| = 1 - int min(p, q);
    outside: the probability that q gives to places where p is 0.
    """

    log_Z: float
    mean: float
    sd: float
    distance: float
    outside: float


def compare(density, n, approximation):
    """The n-th power of a density beside `approximation`, a LaplaceApproximation of it."""
    z, log_dz = density.nodes
    log_Z = float(exact_log_Z(density, n))
    p = np.exp(n * density(z) - log_Z)
    dz = np.exp(log_dz)
    mean = float(np.sum(z * p * dz))
    sd = float(np.sqrt(np.sum((z - mean) ** 2 * p * dz)))
    width = approximation.A**-0.5
    q = np.exp(-0.5 * ((z - approximation.mode) / width) ** 2) / (width * np.sqrt(2 * np.pi))
    ends = ndtr((density.low - approximation.mode) / width), ndtr((approximation.mode - density.high) / width)
    return Comparison(log_Z, mean, sd, float(1 - np.sum(np.minimum(p, q) * dz)), float(sum(ends)))


def against_power(density, approximation, powers):
    """|ln Z by Laplace - ln Z| and total variation of f^n for all n in powers (P,); approximation: that of f itself."""
    pairs = [(power(approximation, n), compare(density, n, power(approximation, n))) for n in powers]
    errors = [abs(q.log_Z - exact.log_Z) for q, exact in pairs]
    return np.array(errors), np.array([exact.distance for _, exact in pairs])


def log_curves(density, n, approximation, z):
    """ln p(z) and ln q(z) at z (Z,), normalised, p = f^n / Z; approximation: the LaplaceApproximation of f^n."""
    log_q = (
        0.5 * np.log(approximation.A / (2 * np.pi)) - 0.5 * approximation.A * (z - approximation.mode) ** 2
    )
    return n * density(z) - exact_log_Z(density, n), log_q
