"""Smoothing windows: a weight for every distance, to look at data through (MLaPP 14.7.1). They are no Mercer kernels.

Both are called kernels, and the ideas are different ones. A Mercer kernel k(x, z) has two arguments and is an inner
product of features: its Gram matrices must have no negative eigenvalue, and what it integrates to matters to nobody. A
window kappa(u) has one argument and is a density around 0, (14.69):

    int kappa(u) du = 1,     int u kappa(u) du = 0,     int u^2 kappa(u) du > 0.

It must not be negative, so that densities made of it are not; positive *definite* it need not be, as it never enters a
Gram matrix. The boxcar kappa(x - z) at 0, 0.8, 1.6 has the eigenvalue (1 - sqrt 2) / 2 < 0. The Gaussian happens to be
both. A bandwidth h > 0 stretches a window to kappa_h(x) = kappa(x / h) / h, (14.71).

In D dimensions a window is radial, kappa(u) = c_D g(|u|) with g(0) = 1. In spherical coordinates

    1 / c_D = int g(|u|) du = S_D int_0^inf g(r) r^(D - 1) dr,       S_D = 2 pi^(D/2) / Gamma(D/2), the unit sphere,

so that kappa_h(x) = c_D g(|x| / h) / h^D. The book's kappa_h(|x|), (14.72), keeps c_1 and 1 / h, and integrates to 1
for D = 1 only; its Gaussian, (14.73), has the right constants.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import beta, betaln, gammaln

from sparsekm_edu.jit import jit, plain
from sparsekm_edu.kernels._exp import FAR, exp_in_place
from sparsekm_edu.validation import Impossible, shown


@dataclass(frozen=True)
class Window:
    """A density around 0 that depends on the distance from it only.

    name : what it is called; str(window).
    reach : where it ends, in units of h: 1, or infinity.

    Subclasses define `profile(r)`, `log_radial_moment(k)` and `roughness`.

    >>> from sparsekm_edu.kernels.windows import WINDOWS
    >>> window = WINDOWS["epanechnikov"]
    >>> print(window([-1.0, 0.0, 0.5]), round(window.second_moment, 12))
    [0.     0.75   0.5625] 0.2
    """

    name: str
    reach: float

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"WINDOWS[{self.name!r}]"

    def __call__(self, u):
        """kappa(u) in one dimension, for a number or an array of them."""
        return math.exp(self.log_constant(1)) * self.profile(np.abs(u))

    def radial(self, U):
        """kappa(u) for vectors u, the last axis of U (..., D); integrates to 1 over all D of them."""
        U = np.asarray(U, dtype=float)
        return math.exp(self.log_constant(U.shape[-1])) * self.profile(np.linalg.norm(U, axis=-1))

    def log_constant(self, D):
        """ln c_D: what makes the window integrate to 1 in D dimensions; a logarithm, as c_D may be tiny or huge."""
        log_sphere = math.log(2) + D / 2 * math.log(math.pi) - gammaln(D / 2)  # ln S_D
        return -float(log_sphere + self.log_radial_moment(D))

    @property
    def second_moment(self):
        """int u^2 kappa(u) du in one dimension: the square of the window's own width."""
        return math.exp(self.log_radial_moment(3) - self.log_radial_moment(1))


@dataclass(frozen=True, repr=False)
class GaussianWindow(Window):
    """g(r) = exp(-r^2 / 2): (14.70) and, in D dimensions, (14.73)."""

    name: str = "gaussian"
    reach: float = math.inf

    def profile(self, r):
        """g(r) for distances r >= 0."""
        return np.exp(-0.5 * np.square(r))

    def log_radial_moment(self, k):
        """ln int_0^inf g(r) r^(k - 1) dr."""
        return (k / 2 - 1) * math.log(2) + gammaln(k / 2)

    @property
    def roughness(self):
        """int kappa(u)^2 du in one dimension."""
        return 0.5 / math.sqrt(math.pi)


@dataclass(frozen=True, repr=False)
class CompactWindow(Window):
    """g(r) = (1 - r^p)^q up to r = 1, and 0 beyond: boxcar q = 0, Epanechnikov p = 2, q = 1, tri-cube p = q = 3.

    Its integrals are beta functions, by the substitution r^p: int_0^1 (1 - r^p)^q r^(k - 1) dr = B(k/p, q + 1) / p.
    """

    p: int = 2
    q: int = 0
    reach: float = 1.0

    def profile(self, r):
        """g(r) for distances r >= 0."""
        r = np.asarray(r, dtype=float)
        return np.where(r <= 1, _power(1 - _power(np.minimum(r, 1), self.p), self.q), 0.0)

    def log_radial_moment(self, k):
        """ln int_0^1 g(r) r^(k - 1) dr."""
        return betaln(k / self.p, self.q + 1) - math.log(self.p)

    @property
    def roughness(self):
        """int kappa(u)^2 du in one dimension."""
        square = beta(1 / self.p, 2 * self.q + 1) / self.p  # int_0^1 g(r)^2 dr
        return float(2 * square * math.exp(2 * self.log_constant(1)))


def _power(x, n):
    """x^n for a whole number n >= 0, by products: numpy's own power takes ten times as long for n = 3."""
    return math.prod([x] * n, start=np.ones_like(x))


GAUSSIAN = GaussianWindow()
BOXCAR = CompactWindow("boxcar")  # 1/2 up to 1: the factor 1/2 is missing in (14.76)
EPANECHNIKOV = CompactWindow("epanechnikov", p=2, q=1)  # (14.74)
TRICUBE = CompactWindow("tricube", p=3, q=3)  # (14.75)
WINDOWS = {window.name: window for window in (GAUSSIAN, BOXCAR, EPANECHNIKOV, TRICUBE)}


def as_window(window):
    """A Window from its name, or itself; one sentence for all else."""
    if isinstance(window, Window):
        return window
    if isinstance(window, str) and window in WINDOWS:
        return WINDOWS[window]
    raise ValueError(f"window must be one of {sorted(WINDOWS)} or a Window, got {shown(window)}.")


# ------------------------------------------------------------------ many windows at once


def log_sums(window, Z, X, h):
    """ln sum_n g(|z_m - x_n| / h) for the rows z_m of Z (M, D) and x_n of X (N, D) -> (M,); -inf where none reaches."""
    if window.reach == math.inf:
        return log_gaussian_sums(distances(Z, X, h))
    # points further than h along one feature are too far: sorted by it, they need not be looked at
    XT = np.ascontiguousarray(X[np.argsort(X[:, 0])].T)
    first = np.searchsorted(XT[0], Z[:, 0] - h, side="left")
    stop = np.searchsorted(XT[0], Z[:, 0] + h, side="right")
    sums = np.empty(len(Z))
    _compact_sums(plain(Z), XT, first, stop, float(h), window.p, window.q, sums)
    with np.errstate(divide="ignore"):
        return np.log(sums)


def distances(Z, X, h):
    """|z_m - x_n| / h, (M, N), for the rows of Z (M, D) and of X (N, D); none is so large that it has no square."""
    from scipy.spatial.distance import cdist  # here, because it is slow to import

    with np.errstate(over="ignore"):
        return np.minimum(cdist(Z, X) / h, FAR)


def log_gaussian_sums(R):
    """ln sum_n exp(-r_mn^2 / 2) for the rows of R (M, N) -> (M,); R is overwritten. The largest term is taken out."""
    nearest = R.min(axis=1)
    return np.log(relative_weights(GAUSSIAN, R).sum(axis=1)) - 0.5 * nearest**2


def relative_weights(window, R):
    """g(r) at the distances R (M, N), in units of h, up to a factor for each row, so that no row is 0. Overwrites R.

    Gaussian: the nearest point has weight 1, so that points far from all others keep their neighbours. Others: where no
    window reaches, it grows until it touches the nearest point, or several that are equally near.
    """
    nearest = R.min(axis=1, keepdims=True)
    if window.reach == math.inf:
        np.multiply(R, R, out=R)
        np.subtract(nearest**2, R, out=R)
        exp_in_place(R, 0.5)
        return R
    weights = window.profile(R)
    alone = ~weights.any(axis=1)
    weights[alone] = R[alone] <= nearest[alone] * (1 + 1e-12)
    return weights


@jit(fastmath={"contract", "reassoc"})
def _compact_sums(Z, XT, first, stop, h, p, q, sums):
    """Fill sums (M,) with sum_n (1 - r^p)^q over the points first[m] <= n < stop[m], p = 2 or 3, q >= 0."""
    for m in range(len(Z)):
        a, n_near = first[m], stop[m] - first[m]
        s = np.zeros(n_near)  # squared distances, in units of h
        for d in range(len(XT)):
            x, z = XT[d, a : stop[m]], Z[m, d]
            for n in range(n_near):
                u = (x[n] - z) / h
                s[n] += u * u
        total = 0.0
        for n in range(n_near):
            base = 1.0 - (s[n] if p == 2 else s[n] * math.sqrt(s[n]))
            g = 1.0 if base >= 0.0 else 0.0
            for _ in range(q):
                g *= base
            total += g
        sums[m] = total


# ------------------------------------------------------------------ how wide


def rule_of_thumb(x, window=GAUSSIAN):
    """The bandwidth that would be best for N numbers x, (N,) or (N, 1), if they came from a Gaussian, (14.89)-(14.91).

    Best is the least mean integrated squared error of the density, for large N:

        h^5 = R / (mu^2 N int p''(x)^2 dx),       int p''(x)^2 dx = 3 / (8 sqrt(pi) sigma^5) for a Gaussian p,

    with R the roughness of the window and mu its second moment. For the Gaussian window that is (4 / 3N)^(1/5) sigma,
    (14.89); the book gives this one only. (The book's name for MAD is a slip: it is the *median* absolute deviation.)

    >>> from sparsekm_edu.kernels.windows import rule_of_thumb
    >>> round(rule_of_thumb([-2.1, -1.3, -0.4, 1.9, 5.1, 6.2]), 2)
    2.69
    """
    x, window = np.asarray(x, dtype=float), as_window(window)
    if x.shape not in ((x.size,), (x.size, 1)) or not (x.size and np.isfinite(x).all()):
        raise ValueError(f"x must be one finite number for each point, got {shown(x)}.")
    mad = np.median(np.abs(x - np.median(x)))  # (14.90)
    if not mad > 0:
        raise Impossible(
            "the rule for h needs a median absolute deviation > 0, got 0: more than half of the "
            f"{len(x)} numbers are {np.median(x):g}; take a number for h"
        )
    sigma = 1.4826 * mad  # (14.91)
    return float(
        (8 * math.sqrt(math.pi) * window.roughness / (3 * window.second_moment**2 * len(x))) ** 0.2 * sigma
    )
