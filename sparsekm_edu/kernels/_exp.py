"""exp of many numbers at once, four times as fast as numpy's where the processor has no instructions made for it.

Computing a Gaussian Gram matrix is computing exponentials: at N = 5000 there are 25 million. With the method that every
mathematical library uses, written so that a compiler can work on several numbers at a time,

    exp(x) = 2^k exp(r),   k = round(x / ln 2),   r = x - k ln 2 in [-0.35, 0.35],

exp(r) is its Taylor series up to r^13 / 13!, which is exact to the last digit, and 2^k is put together from its bits.
"""

import math

import numpy as np

from sparsekm_edu.jit import jit

LOG2_E = 1.0 / math.log(2.0)
LN2_HIGH, LN2_LOW = (
    0.693147180369123816490,
    1.90821492927058770002e-10,
)  # ln 2 in two parts: k LN2_HIGH is exact
ROUND = 1.5 * 2.0**52  # adding this to a number rounds it, and leaves the result in the lowest bits
TAYLOR = tuple(1.0 / math.factorial(m) for m in range(13, -1, -1))
LEAST = -708.0  # below this exp(x) counts as 0: 3e-308 is as small as ordinary numbers get
FAR = 1e150  # a distance that can be squared, and whose exponential counts as 0


@jit(fastmath={"contract"})
def _exp_rows(x, factor):
    n_rows, n_columns = x.shape
    power = np.empty(n_columns)
    bits = power.view(np.int64)
    for row in range(n_rows):
        for n in range(n_columns):
            z = factor * min(x[row, n], 0.0)
            ordinary = z > LEAST
            z = max(z, LEAST)
            power[n] = z * LOG2_E + ROUND
            k = power[n] - ROUND
            r = (z - k * LN2_HIGH) - k * LN2_LOW
            series = 0.0
            for coefficient in TAYLOR:
                series = series * r + coefficient
            x[row, n] = series if ordinary else 0.0
        for n in range(n_columns):
            bits[n] = (bits[n] << 52) + (1023 << 52)  # now power[n] is 2^k
        for n in range(n_columns):
            x[row, n] *= power[n]


COMPILED = hasattr(_exp_rows, "py_func")


def exp_in_place(x, factor=1.0):
    """Replace x (N, M), numbers <= 0, by exp(factor x), to two units in the last digit; numbers > 0 count as 0."""
    if COMPILED and x.flags.c_contiguous:
        _exp_rows(x, factor)
    else:  # not compiled
        np.minimum(x, 0.0, out=x)
        with np.errstate(over="ignore"):
            x *= factor
        np.exp(x, out=x)


def exp_of_distances(X, Z, factor, c_1=0.0, c_2=0.0, squared=False):
    """(1 + c_1 s + c_2 s^2) exp(-s), or exp(-s^2) if squared, at s = factor |x_n - z_m|, (N, M); Gram matrix if Z is X.

    Distances are sums of squared differences, exact to the last digits however close two points are.
    """
    K = np.empty((len(X), len(Z)))
    factor = min(factor, 1e300)
    _distance_rows(np.ascontiguousarray(X), np.ascontiguousarray(Z.T), Z is X, factor, c_1, c_2, squared, K)
    return K


@jit(fastmath={"contract"})
def _distance_rows(X, ZT, gram, factor, c_1, c_2, squared, K):
    """Fill K (N, M) row by row: a row stays in fast memory from its distances to its exponentials."""
    N, D = X.shape
    for n in range(N):
        stop = n if gram else K.shape[1]  # of a Gram matrix every pair once
        row, polynomial = np.zeros(stop), np.empty(stop)
        for d in range(D):
            x, z = X[n, d], ZT[d]
            for m in range(stop):
                row[m] += (z[m] - x) * (z[m] - x)
        for m in range(stop):
            s = min(factor * math.sqrt(row[m]), FAR)
            polynomial[m] = 1.0 + s * (c_1 + s * c_2)
            row[m] = -s * s if squared else -s
        _exp_rows(row.reshape(1, stop), 1.0)
        k = K[n]
        for m in range(stop):
            k[m] = polynomial[m] * row[m]
    if gram:
        _mirror(K)


@jit
def _mirror(K):
    """Write 1 on the diagonal of K (N, N), and what stands below it above it, too; tile by tile, which is faster."""
    N, tile = len(K), 32
    for top in range(0, N, tile):
        for left in range(0, top + 1, tile):
            for n in range(top, min(top + tile, N)):
                for m in range(left, min(left + tile, n)):
                    K[m, n] = K[n, m]
    for n in range(N):
        K[n, n] = 1.0
