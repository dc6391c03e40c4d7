"""Densities and curves from windows on the data (MLaPP 14.7): nothing is fitted but the bandwidth.

With g the profile of a window and r_n = |x - x_n| / h the distances in units of the bandwidth,

    density            p(x) = 1/N sum_n kappa_h(x - x_n)                                                         (14.78)
    Nadaraya-Watson    f(x) = sum_n w_n(x) y_n,     w_n = g(r_n) / sum_m g(r_m): a constant, fitted locally      (14.88)
    local line         f(x*) = phi(x*)' (Phi' D Phi)^-1 Phi' D y,     D = diag g(r_n)                            (14.96)

The book leaves out phi(x*)' on the right of (14.96). Both curves are linear in the targets, f = W y; the rows of W are
the equivalent kernels, and each sums to 1.
"""

import math

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin, RegressorMixin

from sparsekm_edu.kernels.inputs import vectors
from sparsekm_edu.kernels.windows import (
    FAR,
    as_window,
    distances,
    log_gaussian_sums,
    log_sums,
    relative_weights,
    rule_of_thumb,
)
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.models.inputs import checked_data, new_data
from sparsekm_edu.models.memory import check_room, in_blocks
from sparsekm_edu.validation import Impossible, real_number

# bandwidths that are tried: first so many, then so many around the best, so often
COARSE, FINE, ZOOMS = 201, 9, 3
TOO_LITTLE = 1e-100  # of the weight of the nearest point: no line can be drawn by it
NO_SPREAD = 1e-7  # of the variance along other directions: no slope can be found by it


class Smoother(BaseEstimator):
    """A window on every data point.

    Parameters
    ----------
    h : the bandwidth, a number > 0; "rule", the rule of thumb for one feature, (14.89)-(14.91); or "leave-one-out", the
        one that predicts every point best from all others.
    window : "gaussian", "boxcar", "epanechnikov", "tricube", or a Window; see kernels/windows.py.

    Fitted: h_, the bandwidth in use; window_, the Window in use.
    """

    _sign = 1  # -1 where a high score of `leave_one_out` is a good one

    def __init__(self, h=1.0, window="gaussian"):
        self.h = h
        self.window = window

    def _keep(self, X):
        """Remember the points X (N, D) and find the bandwidth; targets must have been kept before."""
        self.window_ = as_window(self.window)
        if isinstance(self.h, str) and self.h not in ("rule", "leave-one-out"):
            raise ValueError(f"h must be a number > 0, 'rule' or 'leave-one-out', got {self.h!r}.")
        self._points = vectors(X)
        if self.h == "rule":
            if X.shape[1] > 1:
                raise ValueError(
                    f"h='rule' is for data with one feature, got {X.shape[1]}: take a number or 'leave-one-out'."
                )
            self.h_ = rule_of_thumb(X[:, 0], self.window_)
        elif self.h == "leave-one-out":
            self.h_ = self._best_h()
        else:
            self.h_ = real_number("h", self.h, above=0)
        return self

    def leave_one_out(self, h):
        """How well every data point is predicted from the others, for bandwidths h: a number, or an array (H,) of them.

        Densities: the mean of ln p(x_n) without point n. Curves: the mean of (y_n - f(x_n))^2 without point n.
        """
        values = np.array([real_number("h", float(value), above=0) for value in np.ravel(h)])
        return self._scores(self._between_points(), values).reshape(np.shape(h))[()]

    def _between_points(self):
        """|x_n - x_m|, (N, N), a point being infinitely far from itself, so that its own window is left out."""
        check_room(len(self._points), "take fewer points, or a number for h", copies=2)
        if len(self._points) < 2:
            raise Impossible("leaving one point out needs at least 2 points, got n_samples=1")
        R = distances(self._points, self._points, 1.0)
        np.fill_diagonal(R, np.inf)
        return R

    def _best_h(self):
        """The bandwidth with the least cost: the best of many between two that are certainly too extreme.

        Found to 1e-3 where the cost is smooth. Windows with an edge have costs with jumps, as points enter the window
        one by one, and there the best of all may lie some per cent deeper.
        """
        R = self._between_points()
        apart = R[(R > 0) & np.isfinite(R)]
        if apart.size == 0:
            raise Impossible(f"h='leave-one-out' needs points that differ, got {len(R)} times the same")
        # A density is best at h^2 D = a mean of squared distances of neighbours if its window is Gaussian; the other
        # windows are best at wider ones, at most 2.16 times the largest distance (tri-cube, D = 1).
        low, high = apart.min() / math.sqrt(R.shape[0] * self._points.shape[1]), 2.2 * apart.max()
        n = COARSE
        for _ in range(ZOOMS + 1):
            h = np.geomspace(low, high, n)
            best = int(np.argmin(self._sign * self._scores(R, h)))
            low, high, n = h[max(best - 1, 0)], h[min(best + 1, n - 1)], FINE
        return float(h[best])

    def _without_own(self, R, h, function):
        """function(Z, r) for all points and all bandwidths h (H,), (H, N).

        Z (M, D): some of the points; r (M, N): how far they are from all others, R (N, N), in units of h.
        """
        N = len(R)

        def of_some(pairs):
            which, n = np.divmod(pairs, N)
            return function(self._points[n], R[n] / h[which, None])

        # small blocks, as the processor's cache holds them, take a third of the time
        n_columns = 32 * N * self._numbers_each()
        return in_blocks(of_some, np.arange(len(h) * N), n_columns).reshape(len(h), N)

    def _numbers_each(self):
        """How many numbers are kept for each pair of points."""
        return 1


@spelled_out
class KernelDensity(DensityMixin, Smoother):
    """The density of the data as a mean of windows, one on each point (MLaPP 14.7.2, Parzen windows).

        p(x) = 1/N sum_n kappa_h(x - x_n)                                                                        (14.78)

    Parameters
    ----------
    h, window : see Smoother.

    Fitted: the others as in Smoother.

    h="leave-one-out" maximises sum_n ln p(x_n) without the window of x_n itself; with it, h = 0 would always win. Where
    every point has an exact copy, it still does, and there is no best h.

    >>> import numpy as np
    >>> from sparsekm_edu.models import KernelDensity
    >>> model = KernelDensity(h=0.5, window="boxcar").fit([[0.0], [1.0]])
    >>> print(np.exp(model.score_samples([[0.2], [0.5], [3.0]])))
    [0.5 1.  0. ]
    """

    _sign = -1

    def fit(self, X, y=None):
        """Remember X (N, D); there are no targets."""
        return self._keep(checked_data(self, "vectors", X))

    def score_samples(self, X):
        """ln p(x) for X (M, D), (M,); -infinity where no window reaches."""
        X = vectors(new_data(self, "vectors", X))
        N, D = self._points.shape
        sums = in_blocks(lambda Z: log_sums(self.window_, Z, self._points, self.h_), X, N)
        return sums + self._log_factor(N, D, self.h_)  # (14.78)

    def score(self, X, y=None):
        """sum_m ln p(x_m) for X (M, D): how likely they are."""
        return float(np.sum(self.score_samples(X)))

    def _log_factor(self, N, D, h):
        """ln of c_D / (N h^D), what the sum of g(r_n) over N points is multiplied by."""
        return self.window_.log_constant(D) - D * np.log(h) - math.log(N)

    def _scores(self, R, h):
        def log_sums_of(Z, r):
            if self.window_.reach == np.inf:
                return log_gaussian_sums(np.minimum(r, FAR))
            with np.errstate(divide="ignore"):
                return np.log(self.window_.profile(r).sum(axis=1))

        N, D = self._points.shape
        return self._without_own(R, h, log_sums_of).mean(axis=1) + self._log_factor(N - 1, D, h)

    def _best_h(self):
        if np.all(self._between_points().min(axis=1) == 0):
            raise Impossible(
                "h='leave-one-out' has no best value for these data: every point has an exact copy, and the likelihood "
                "grows without end as h goes to 0"
            )
        return super()._best_h()


class SmoothRegressor(RegressorMixin, Smoother):
    """A curve that is linear in the targets, f(x) = sum_n w_n(x) y_n."""

    def fit(self, X, y):
        """Remember X (N, D) and targets y (N,)."""
        X, self._targets = checked_data(self, "vectors", X, y, y_numeric=True)
        return self._keep(X)

    def weights(self, X):
        """The equivalent kernels of X (M, D): row m holds the weights of all targets in f(x_m), (M, N)."""
        return self._through_weights(X, lambda W: W)

    def predict(self, X):
        """f(x) for X (M, D), (M,)."""
        return self._through_weights(X, lambda W: W @ self._targets)  # (14.87)

    def _through_weights(self, X, function):
        """function(W) for the weights W (M, N) at X (M, D), some points at a time."""
        X = vectors(new_data(self, "vectors", X))

        def of_part(Z):
            return function(self._weights(Z, distances(Z, self._points, self.h_)))

        return in_blocks(of_part, X, len(self._points) * self._numbers_each())

    def _scores(self, R, h):
        predicted = self._without_own(R, h, lambda Z, r: self._weights(Z, r) @ self._targets)
        return np.mean((self._targets - predicted) ** 2, axis=1)


@spelled_out
class NadarayaWatson(SmoothRegressor):
    """Kernel regression: the mean of the targets, seen through a window around x (MLaPP 14.7.4).

        f(x) = sum_n w_n(x) y_n,       w_n(x) = kappa_h(x - x_n) / sum_m kappa_h(x - x_m)               (14.87), (14.88)

    Parameters
    ----------
    h, window : see Smoother.

    Fitted: the others as in Smoother.

    Where no window reaches, 0 / 0 in the book, the window grows until it touches the nearest point. For h="rule" only
    the inputs count; the code of the book's figure 14.18 takes sqrt(h_x h_y), which changes with the units of y.

    >>> from sparsekm_edu.models import NadarayaWatson
    >>> model = NadarayaWatson(h=1.0, window="boxcar").fit([[0.0], [1.0], [2.0]], [0.0, 3.0, 6.0])
    >>> print(model.predict([[0.5], [1.0], [9.0]]), model.weights([[0.5]]))
    [1.5 3.  6. ] [[0.5 0.5 0. ]]
    """

    def _weights(self, Z, R):
        """W (M, N) at Z (M, D) with distances R (M, N) from the data, in units of h."""
        W = relative_weights(self.window_, R)
        W /= W.sum(axis=1, keepdims=True)  # (14.88)
        return W


@spelled_out
class LocallyWeightedRegression(SmoothRegressor):
    """A straight line, or plane, fitted afresh for every x*, in which points near x* count more (MLaPP 14.7.5).

        beta(x*) = (Phi' D Phi)^-1 Phi' D y,     phi(x) = (1, x),     D = diag kappa_h(x* - x_n)                 (14.95)

    and f(x*) = phi(x*)' beta(x*), (14.96), is a sum of targets with weights again. Written around the weighted mean m
    of the points, with S = sum_n w_n (x_n - m)(x_n - m)' and w_n those of Nadaraya-Watson, the weights are

        w_n (1 + (x* - m)' S^+ (x_n - m)):

    the correction that a slope makes. They sum to 1 and give straight lines back exactly.

    Parameters
    ----------
    h, window : see Smoother.

    Fitted: the others as in Smoother.

    Where the points in the window have no spread in some direction, (14.95) has no inverse; then the plane is flat in
    that direction, by the pseudo-inverse S^+. With one point in the window that leaves its target. Where no window
    reaches, it grows until it touches the nearest point. LOWESS, Cleveland's version, does more: its window reaches to
    the K-th neighbour, and it fits again with outliers given less weight.

    >>> from sparsekm_edu.models import LocallyWeightedRegression
    >>> model = LocallyWeightedRegression(h=1.0).fit([[0.0], [1.0], [2.0]], [0.0, 3.0, 6.0])
    >>> print(model.predict([[0.5], [9.0]]).round(12))
    [ 1.5 27. ]
    """

    def _numbers_each(self):
        return 2 * self._points.shape[1] + 1

    def _weights(self, Z, R):
        """W (M, N) at Z (M, D) with distances R (M, N) from the data, in units of h."""
        # measured from the nearest point, sums of tiny weights times large differences keep all their digits
        origin = self._points[R.argmin(axis=1)]  # (M, D)
        W = relative_weights(self.window_, R)
        W[W < TOO_LITTLE] = 0.0
        W /= W.sum(axis=1, keepdims=True)
        from_mean = self._points - origin[:, None]  # (M, N, D)
        mean = np.einsum("mn,mnd->md", W, from_mean)
        from_mean -= mean[:, None]
        S = (W[:, :, None] * from_mean).transpose(0, 2, 1) @ from_mean  # (M, D, D)
        # each feature in a unit of its own, so that none is lost beside others
        unit = np.sqrt(np.diagonal(S, axis1=1, axis2=2))
        unit[unit == 0] = 1.0
        inverse = np.linalg.pinv(S / unit[:, :, None] / unit[:, None, :], rcond=NO_SPREAD, hermitian=True)
        slope = np.einsum("mde,me->md", inverse, (Z - origin - mean) / unit) / unit
        W *= 1 + np.einsum("mnd,md->mn", from_mean, slope)  # (14.96)
        return W
