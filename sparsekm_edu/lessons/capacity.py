"""What straight lines can do: which labellings of a few points, how many of any number, and how wrong one line is.

A set of points is *shattered* by a class of functions if every one of its 2^N labellings is the sign of some function
of the class; the Vapnik-Chervonenkis dimension is the size of the largest set that is. For y(x) = w'x + b in D
dimensions it is D + 1: three points of the plane can be shattered, no four can.
"""

from dataclasses import dataclass
from itertools import combinations, product
from math import comb

import numpy as np
from scipy.special import ndtr, owens_t

from sparsekm_edu.solvers.dual.formulations import hard_margin
from sparsekm_edu.solvers.dual.problem import NotSeparable
from sparsekm_edu.solvers.dual.smo import smo
from sparsekm_edu.validation import real_number, whole_number


@dataclass(frozen=True, eq=False)
class Line:
    """The sign of w'x + b, in canonical form (7.4): w (D,), b, and the indices of the support vectors."""

    w: np.ndarray
    b: float
    support: np.ndarray

    @property
    def margin(self):
        """1 / |w|, the distance of the closest points; infinite where all points are of one class."""
        norm = np.linalg.norm(self.w)
        return 1.0 / norm if norm else np.inf


def widest_line(X, t):
    """The maximum-margin line, (7.6). Where all labels are equal: w = 0, a line that is infinitely far away.

    Parameters: X (N, D); t (N,) labels -1 and +1. Returns: Line. Raises NotSeparable if no line will do.
    """
    X, t = np.asarray(X, float), np.asarray(t, float)
    if len(set(t)) == 1:
        return Line(np.zeros(X.shape[1]), float(t[0]), np.arange(1))
    solution = smo(hard_margin(X @ X.T, t))
    return Line(solution.v @ X, solution.b, solution.support)


# ------------------------------------------------------------------ shattering


def labellings(n):
    """All labellings of n points, (2^n, n) of -1 and +1. Row k and row 2^n - 1 - k are each other's opposites."""
    return np.array(list(product((-1.0, 1.0), repeat=n)))


def dichotomies(X):
    """The widest line for every labelling of the points, in the order of `labellings`; None where there is no line.

    Parameters: X (n, D). Returns: a list of 2^n. A labelling and its opposite have the same line, turned round.
    """
    half = []
    for t in labellings(len(X))[: 2 ** (len(X) - 1)]:
        try:
            half.append(widest_line(X, t))
        except NotSeparable:
            half.append(None)
    return half + [line and Line(-line.w, -line.b, line.support) for line in reversed(half)]


def radon(X, t=None):
    """Two groups of points whose convex hulls meet, and where: no hyperplane can part them (Radon, 1921).

    Parameters: X (n, D); t (n,) labels, or None. Returns: indices of one group, indices of the other, the common point
    (D,). With labels the groups are of different classes, so that they prove the labelling impossible (and whenever it
    is impossible, such groups exist: Kirchberger, 1903). None if there are no such groups.

    As few points as possible: first two that coincide, then three on a line, and so on up to any D + 2.
    """
    X = np.asarray(X, float)
    lifted = np.column_stack([X, np.ones(len(X))])
    for size in range(2, X.shape[1] + 3):
        for chosen in map(list, combinations(range(len(X)), size)):
            _, s, Vt = np.linalg.svd(lifted[chosen].T)
            c = Vt[-1] * np.sign(Vt[-1, 0])  # sum of c_n x_n = 0 with sum of c_n = 0; the first group opens
            if np.sum(s > 1e-9 * s[0]) != size - 1 or np.abs(c).min() < 1e-9:
                continue  # no such c, or fewer points have one
            groups = np.array(chosen)[c > 0], np.array(chosen)[c < 0]
            if (
                t is None
                or all(np.ptp(t[group]) == 0 for group in groups)
                and t[groups[0][0]] != t[groups[1][0]]
            ):
                return *groups, c[c > 0] @ X[groups[0]] / c[c > 0].sum()
    return None


def cover_count(N, D=2):
    """How many of the 2^N labellings of N points in general position a hyperplane in D dimensions can do (Cover, 1965).

    2 sum_{k=0}^{D} binom(N - 1, k), whichever points they are: this is the growth function of the class.
    """
    N, D = whole_number("N", N, at_least=1), whole_number("D", D, at_least=1)
    return 2 * sum(comb(N - 1, k) for k in range(D + 1))


def sauer(N, d):
    """sum_{k=0}^{d} binom(N, k), the most labellings of N points by any class of VC dimension d (Sauer, 1972)."""
    return sum(comb(N, k) for k in range(d + 1))


# ------------------------------------------------------------------ a world in which the true error is known


def line_error(w, b, gap=0.0):
    """The exact probability that w'x + b has the wrong sign in the world of `datasets.noise_free`.

    There x is Gaussian, N(0, I), given that |x_1| >= gap, and t is the sign of x_1. With u = x_1 and the unit vector
    v = w'x / |w|, whose correlation is the cosine of the angle between the two lines, a mistake is one of two
    orthants of a bivariate normal distribution.

    Parameters: w (D,), b; gap >= 0. Returns: the error rate, between 0 and 1.
    """
    gap = real_number("gap", gap, at_least=0)
    norm = np.linalg.norm(w)
    if norm == 0:
        return 0.5  # one answer for everybody
    rho, shift = w[0] / norm, b / norm
    wrong = bivariate_normal(-gap, -shift, -rho) + bivariate_normal(-gap, shift, -rho)
    return max(0.0, float(wrong / (2 * ndtr(-gap))))


def bivariate_normal(h, k, rho):
    """P(u < h, v < k) for standard normal u, v with correlation rho, by Owen's function T (Owen, 1956)."""
    h, k = (x if abs(x) > 1e-15 else 1e-15 for x in (h, k))  # the limit, without dividing by zero
    root = np.sqrt(max((1 - rho) * (1 + rho), 1e-30))
    T = owens_t(h, (k / h - rho) / root) + owens_t(k, (h / k - rho) / root)
    return 0.5 * (ndtr(h) + ndtr(k)) - T - (0.5 if h * k < 0 else 0.0)
