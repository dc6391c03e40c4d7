"""The best of many scores is too good: machines of equal worth, chosen by cross-validation.

Two classes, m features, and m candidates: candidate j looks at feature j alone and says which of the two class means
that it was taught is nearer. Every feature is a Gaussian of variance 1 around -delta/2 or +delta/2, so all candidates
are equally good, and the true error of each, trained or not, is known in closed form. With delta = 0 the features
know nothing of the classes, and it is 1/2.

Arrays `minus` and `plus` hold the points of the two classes, (..., n, m), n points in each; any axes in front count
draws. Point i of a class is left out in fold i mod n_folds.
"""

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import binom


def distance_of_means(error):
    """delta, for which the best classifier of one feature has this error: Phi(-delta/2) = error."""
    return -2.0 * ndtri(error)


def middle_and_side(minus_mean, plus_mean):
    """The nearer of two means: class +1 is where side (x - middle) > 0."""
    return (minus_mean + plus_mean) / 2, np.where(plus_mean >= minus_mean, 1.0, -1.0)


def true_error(middle, side, delta):
    """The error of such a classifier on new points, whose classes have the means -delta/2 and delta/2."""
    return (ndtr(side * (middle - delta / 2)) + ndtr(-side * (middle + delta / 2))) / 2


def fold_errors(minus, plus, n_folds):
    """How many points each candidate gets wrong in each fold, after training on the other folds, (..., n_folds, m)."""
    folds = _Folds(minus, plus, n_folds)
    return np.stack([folds.wrong_in(k, without=(k,)) for k in range(n_folds)], axis=-2)


def nested_errors(minus, plus, n_folds):
    """The errors of nested cross-validation, (...,): in each fold those of whoever won among the other folds.

    The winner of fold k has the fewest errors in the folds l != k, each time trained without k and l. It is trained
    again without k alone, and the errors that it then makes in k count. n_folds >= 3.
    """
    folds = _Folds(minus, plus, n_folds)
    total = 0
    for k in range(n_folds):
        inner = sum(folds.wrong_in(other, without=(k, other)) for other in range(n_folds) if other != k)
        winner = inner.argmin(axis=-1)[..., None]
        total = total + np.take_along_axis(folds.wrong_in(k, without=(k,)), winner, axis=-1)[..., 0]
    return total


def least_of_binomials(m, N, p):
    """The mean of the least of m numbers of errors, each of N independent tosses that err with probability p.

    A whole number's mean is the sum over k >= 0 of the probability to exceed k; the least of m exceeds k if all do.
    """
    return float(np.sum(binom.sf(np.arange(N), N, p) ** m))


def best_features(X, t, n_best):
    """The columns of X (N, D) in which the classes t (N,) differ most, n_best of them: |difference of means| / spread.

    spread: the standard deviation within the classes, so that it is the order of the t statistic.
    """
    plus, minus = X[t > 0], X[t <= 0]
    within = np.sqrt(((len(plus) * plus.var(axis=0)) + len(minus) * minus.var(axis=0)) / len(t))
    apart = np.abs(plus.mean(axis=0) - minus.mean(axis=0))
    return np.argsort(-apart / within)[:n_best]


class _Folds:
    """Sums over the folds, so that training without any of them is a subtraction."""

    def __init__(self, minus, plus, n_folds):
        self.classes, self.n_folds = (minus, plus), n_folds
        self.sums = [[self.part(X, k).sum(axis=-2) for k in range(n_folds)] for X in self.classes]
        self.sizes = [self.part(plus, k).shape[-2] for k in range(n_folds)]

    def part(self, X, k):
        """The points of one class in fold k."""
        return X[..., k :: self.n_folds, :]

    def wrong_in(self, k, without):
        """Errors of every candidate in fold k after training without these folds, (..., m)."""
        taught = [other for other in range(self.n_folds) if other not in without]
        size = sum(self.sizes[other] for other in taught)
        means = [sum(sums[other] for other in taught) / size for sums in self.sums]
        middle, side = (each[..., None, :] for each in middle_and_side(*means))
        called_plus = [(self.part(X, k) > middle) == (side > 0) for X in self.classes]
        return called_plus[0].sum(axis=-2) + (~called_plus[1]).sum(axis=-2)
