"""The Matern kernel as a function of distance, for every order nu: closed forms, Bessel functions, or their limit.

With r = |x - z| / length and s = sqrt(2 nu) r it is k = 2^(1 - nu) / Gamma(nu) s^nu K_nu(s), (14.20).
"""

import math
from functools import cache

import numpy as np
from numpy.polynomial import Polynomial as Series
from scipy.interpolate import PPoly
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.special import kve, rgamma

from sparsekm_edu.kernels._exp import COMPILED, FAR, exp_of_distances

#: c_1 and c_2 of k = (1 + c_1 s + c_2 s^2) exp(-s), where it is that simple; nu = 1/2 is (14.21)
CLOSED = {0.5: (0.0, 0.0), 1.5: (1.0, 0.0), 2.5: (1.0, 1.0 / 3.0)}
PIECE = 0.25  # of log s, with a polynomial of its own


def matern(X, Z, nu, length):
    """Matrix of k(x_n, z_m), (N, M), for X (N, D) and Z (M, D); the Gram matrix if Z is X."""
    if COMPILED and nu in CLOSED:
        return exp_of_distances(X, Z, math.sqrt(2.0 * nu) / length, *CLOSED[nu])
    if COMPILED and nu > 1e16:  # infinity, and what differs from it by less than rounding
        return exp_of_distances(X, Z, math.sqrt(0.5) / length, squared=True)  # (14.3)
    gram = Z is X
    r = pdist(X) if gram and len(X) > 1 else cdist(X, Z)  # of a Gram matrix every pair once
    with np.errstate(over="ignore"):
        k = at_distance(np.minimum(r / length, FAR), nu)
    if k.ndim == 1:
        k = squareform(k, checks=False)
        np.fill_diagonal(k, 1.0)
    return k


def at_distance(r, nu):
    """k at the distances r in [0, FAR], an array of any shape, in units of the length."""
    if nu > 1e16:
        return np.exp(-0.5 * np.square(r))  # (14.3)
    if nu > 20.0:
        return _of_high_order(r, nu)
    # between these bounds neither s^nu nor K_nu leaves the range of ordinary numbers; beyond them k is 1 or 0
    s = np.clip(np.sqrt(2.0 * nu) * r, 10.0 ** (-280.0 / max(nu, 1.0)), 1e4)
    # with many more distances than pieces of log s, twelve Bessel functions for each piece are enough
    pieces = 2 + int(np.log(s.max() / s.min()) / PIECE) if s.size > 10_000 else s.size
    log_k = _log_k(s, nu) if 50 * pieces >= s.size else _interpolated(np.log(s), nu, pieces)
    return np.where(r == 0.0, 1.0, np.minimum(np.exp(log_k), 1.0))


def _log_k(s, nu):
    """log k by (14.20); kve(nu, s) is e^s K_nu(s), which neither overflows nor vanishes."""
    return np.log(2.0 ** (1.0 - nu) * rgamma(nu) * s**nu * kve(nu, s)) - s


def _interpolated(log_s, nu, pieces):
    """The same, as a piecewise polynomial in log s: a Bessel function takes 300 ns, of a large matrix most of the time.

    log k is smooth in log s: polynomials of degree 11 on pieces of length 1/4 are correct to 12 digits.
    """
    edges = log_s.min() + PIECE * np.arange(pieces + 1)
    nodes = 0.5 - 0.5 * np.cos(np.pi * (np.arange(12) + 0.5) / 12)  # Chebyshev's, in [0, 1]
    values = _log_k(np.exp(edges[:-1] + PIECE * nodes[:, None]), nu)
    powers = np.arange(11, -1, -1)
    coefficients = np.linalg.solve(nodes[:, None] ** powers, values) / PIECE ** powers[:, None]
    return PPoly(coefficients, edges)(log_s)


def _of_high_order(r, nu):
    """k for large nu, where K_nu overflows and k does not.

    With z = s/nu and w = sqrt(1 + z^2), Debye's expansion of K_nu(nu z) (DLMF 10.41.4), divided by its limit at 0, is

        k = exp(-nu (w - 1 - log((1 + w)/2))) w^(-1/2) D(1/w) / D(1),   D(p) = sum_j U_j(p) (-1/nu)^j.

    Eleven terms are correct to 13 digits from nu = 20 on.
    """
    z = np.sqrt(2.0 / nu) * r
    w = np.hypot(1.0, z)
    above = z * (z / (1.0 + w))  # w - 1, without cancellation
    D = sum(U * (-1.0 / nu) ** j for j, U in enumerate(_debye()))
    with np.errstate(over="ignore"):
        return np.exp(-nu * (above - np.log1p(above / 2.0))) * D(1.0 / w) / (np.sqrt(w) * D(1.0))


@cache
def _debye():
    """Debye's polynomials U_0, ..., U_10, by their recurrence (DLMF 10.41.9)."""
    p = Series([0.0, 1.0])
    U = [Series([1.0])]
    for _ in range(10):
        U.append(p**2 * (1 - p**2) * U[-1].deriv() / 2 + ((1 - 5 * p**2) * U[-1]).integ() / 8)
    return U
