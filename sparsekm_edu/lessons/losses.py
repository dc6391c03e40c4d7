"""What one point costs: the losses of PRML figures 7.5 and 7.6 (MLaPP 14.10a), and what each of them makes of data.

Classification: a function of z = t y(x), how far on the correct side the point is. All pass through (0, 1).
Regression: a function of r = y(x) - t, how far off the target it is.
"""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.solvers.bayes.laplace import irls
from sparsekm_edu.solvers.dual.formulations import soft_margin
from sparsekm_edu.solvers.dual.smo import smo

# ------------------------------------------------------------------ classification: z = t y


def hinge(z):
    """[1 - z]_+, the loss of the support vector machine, (7.45)."""
    return np.maximum(0.0, 1.0 - np.asarray(z, float))


def logistic(z):
    """ln(1 + exp(-z)) / ln 2: minus the log likelihood of logistic regression (7.48), scaled to be 1 at z = 0."""
    return np.logaddexp(0.0, -np.asarray(z, float)) / np.log(2.0)


def squared(z):
    """(1 - z)^2, which is (y - t)^2 because t^2 = 1."""
    return (1.0 - np.asarray(z, float)) ** 2


def misclassification(z):
    """1 on the wrong side, 0 on the right one; a point on the boundary counts as wrong."""
    return (np.asarray(z, float) <= 0.0).astype(float)


# ------------------------------------------------------------------ regression: r = y - t


def insensitive(r, epsilon):
    """[|r| - epsilon]_+, the loss of support vector regression, (7.51)."""
    return np.maximum(0.0, np.abs(r) - epsilon)


def quadratic(r):
    """r^2 / 2, as in (7.50)."""
    return 0.5 * np.square(r)


def huber(r, delta):
    """r^2 / 2 up to |r| = delta, from there on straight, with the same slope."""
    size = np.abs(r)
    return np.where(size <= delta, 0.5 * size**2, delta * (size - 0.5 * delta))


# ------------------------------------------------------------------ straight lines for labelled points on an axis


@dataclass(frozen=True)
class Line:
    """y(x) = w x + b."""

    w: float
    b: float

    def __call__(self, x):
        return self.w * np.asarray(x) + self.b

    @property
    def boundary(self):
        """Where y = 0; None if the line is level, to ten digits, and nowhere is."""
        return None if abs(self.w) <= 1e-10 * (1.0 + abs(self.b)) else -self.b / self.w


def best_lines(x, t, lam):
    """The line of each loss that has a slope.

        minimise over w and b   sum_n E(t_n (w x_n + b)) + lam w^2                                   (7.44), (7.47)

    Parameters: x (N,); t (N,) labels -1 and +1, both present; lam > 0.
    Returns: {"hinge": Line, "logistic": Line, "squared": Line}.
    """
    svm = smo(soft_margin(np.outer(x, x), t, C=0.5 / lam), tol=1e-9)  # lam = 1 / (2 C)
    # (7.47) divided by ln 2; irls minimises sum_n ln(1 + exp(-z_n)) + 1/2 alpha w^2
    with_bias = np.column_stack([x, np.ones(len(x))])
    b_and_w = irls(with_bias, t > 0, alpha=np.array([2.0 * lam * np.log(2.0), 0.0]), tol=1e-9).w
    centred = x - x.mean()
    slope = centred @ t / (centred @ centred + lam)  # ridge regression on the labels
    return {
        "hinge": Line(float(svm.v @ x), float(svm.b)),
        "logistic": Line(*map(float, b_and_w)),
        "squared": Line(float(slope), float(t.mean() - slope * x.mean())),
    }


@dataclass(frozen=True)
class Split:
    """All boundaries between `low` and `high` make `errors` mistakes; t = `sign` on their right."""

    low: float
    high: float
    sign: float
    errors: int

    @property
    def boundary(self):
        """The one in the middle."""
        return 0.5 * (self.low + self.high)


def best_split(x, t):
    """The misclassification loss has no slope to follow, but on an axis we can try every gap between points.

    Parameters: x (N,); t (N,) labels -1 and +1.
    Returns: the Split with the fewest errors, of several the widest between two points. Where one class for all would
    be best, that is a boundary beyond the last point.
    """
    order = np.argsort(x, kind="stable")
    x, t = x[order], t[order]
    reach = 1.0 + np.ptp(x)
    ends = np.concatenate([[x[0] - reach], x, [x[-1] + reach]])
    minus_left = np.concatenate([[0], np.cumsum(t < 0)])  # points of class -1 before each gap
    plus_left = np.arange(len(t) + 1) - minus_left
    wrong = plus_left + (minus_left[-1] - minus_left)  # with -1 on the left and +1 on the right of the gap
    splits = [
        Split(float(low), float(high), sign, int(errors))
        for sign, count in ((1.0, wrong), (-1.0, len(t) - wrong))
        for low, high, errors in zip(ends[:-1], ends[1:], count, strict=True)
        if low < high
    ]

    def preference(split):
        beyond_the_points = split.low < x[0] or split.high > x[-1]
        return split.errors, beyond_the_points, split.low - split.high

    return min(splits, key=preference)


# ------------------------------------------------------------------ one number for many: y(x) = m


def insensitive_location(t, epsilon):
    """Every m between the two returned numbers minimises sum_n [|m - t_n| - epsilon]_+.

    Going right, the slope of the sum is -N at first and rises by one at each of the 2N numbers t_n - epsilon and
    t_n + epsilon. It is zero between the two in the middle: what we look for is the median of these numbers.
    """
    kinks = np.sort(np.concatenate([t - epsilon, t + epsilon]))
    return float(kinks[len(t) - 1]), float(kinks[len(t)])


def huber_location(t, delta):
    """The m that minimises sum_n huber(m - t_n); the middle one if there are several.

    Its slope, sum_n of m - t_n kept within +-delta, is straight between the numbers t_n +- delta.
    """
    kinks = np.sort(np.concatenate([t - delta, t + delta]))
    slope = np.clip(kinks[:, None] - t, -delta, delta).sum(axis=1)
    nearly_zero = 1e-12 * len(t) * delta
    return float(0.5 * np.sum(np.interp([-nearly_zero, nearly_zero], slope, kinks)))
