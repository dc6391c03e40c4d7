"""Every support vector machine of the course as a `DualProblem`, each by a short function.

    minimise    1/2 v' K v - target' v + epsilon sum_n |v_n|
    subject to  lo <= v <= hi,   sum_{n in group g} v_n = total_g for each group g

The machines differ in a few vectors only:

    formulation           target     epsilon   box                         groups and totals
    hard_margin           t          0         0 <= a_n                    one, 0
    soft_margin           t          0         0 <= a_n <= C               one, 0
    nu_classification     0          0         0 <= a_n <= 1/N             the classes, nu/2 and -nu/2
    epsilon_regression    t          epsilon   -C <= v_n <= C              one, 0
    nu_regression         t          0         0 <= a_n, a-hat_n <= C/N    a and a-hat, nu C/2 each
    one_class             0          0         0 <= a_n <= 1/(nu N)        one, 1
    smallest_sphere       K_nn / 2   0         0 <= a_n <= 1/(nu N)        one, 1
"""

import numpy as np

from sparsekm_edu.solvers.dual.gram import as_gram
from sparsekm_edu.solvers.dual.problem import DualProblem
from sparsekm_edu.validation import Impossible, real_number

LARGEST_C = 1e100


def hard_margin(K, t):
    """The widest margin for separable classes, (7.10)-(7.12): a_n >= 0 without upper limit.

    Parameters: K (N, N) Gram matrix; t (N,) labels -1 and +1.
    """
    return soft_margin(K, t, C=np.inf)


def soft_margin(K, t, C):
    """The margin that pays C for each unit of slack, (7.32)-(7.34): 0 <= a_n <= C.

    Parameters: K (N, N) Gram matrix; t (N,) labels -1 and +1; C > 0, one number or one per point (N,),
    infinity allowed.

    >>> from sparsekm_edu import datasets
    >>> from sparsekm_edu.solvers import soft_margin
    >>> X, t = datasets.separable()
    >>> problem = soft_margin(X @ X.T, t, C=10.0)
    >>> print("0 <= v_n <= 10 for class +1:", problem.lo[-1], problem.hi[-1])
    0 <= v_n <= 10 for class +1: 0.0 10.0
    """
    t = _labels(t)
    C = limits(C, len(t))
    return DualProblem(K, target=t, lo=np.where(t < 0, -C, 0.0), hi=np.where(t > 0, C, 0.0))


def nu_classification(K, t, nu, weight=None):
    """The margin rho of which at most a fraction nu of the points falls short, (7.38)-(7.41).

    Parameters: K (N, N); t (N,) labels -1 and +1; nu in (0, 1], at most twice the smaller class's share; weight
    (N,) > 0, how many points each one counts for (None: one each).
    Departs from the book in one sign: (7.41) asks for sum a_n >= nu, and because a smaller sum is always cheaper we
    ask for sum a_n = nu, which with (7.40) gives each class nu/2.
    """
    t = _labels(t)
    nu = feasible_nu(nu, t, weight)
    box = _shares(weight, len(t))  # (7.39)
    return DualProblem(
        K,
        target=np.zeros(len(t)),
        lo=np.where(t < 0, -box, 0.0),
        hi=np.where(t > 0, box, 0.0),
        group=t < 0,
        total=[0.5 * nu, -0.5 * nu],  # (7.40) and (7.41)
    )


def epsilon_regression(K, t, C, epsilon):
    """A tube of half-width epsilon, outside which each point pays C per unit, (7.61)-(7.63).

    Parameters: K (N, N); t (N,) real targets; C > 0, one number or one per point; epsilon >= 0.
    Departs from the book in the variables: because a_n a-hat_n = 0, one v_n = a_n - a-hat_n stands for both, and
    a_n + a-hat_n is |v_n|.
    """
    t = _targets(t)
    C = limits(C, len(t), infinite=False)
    return DualProblem(K, target=t, lo=-C, hi=C, epsilon=epsilon)


def nu_regression(K, t, C, nu):
    """A tube whose half-width is found so that at most a fraction nu of the points lies outside, (7.70)-(7.74).

    Parameters: K (N, N); t (N,) real targets; C > 0, one number or one per point; nu in (0, 1].
    The variables are -a-hat_1 ... -a-hat_N, a_1 ... a_N. Departs from the book in one sign: (7.74) asks for
    sum (a_n + a-hat_n) <= nu C, and because a larger sum never hurts we ask for equality, which with (7.73) gives a
    and a-hat nu C/2 each.
    """
    t = _targets(t)
    nu = real_number("nu", nu, above=0, at_most=1)
    box = limits(C, len(t), infinite=False) / len(t)  # (7.71), (7.72)
    none = np.zeros(len(t))
    half = 0.5 * nu * box.sum()  # (7.73) and (7.74)
    return DualProblem(
        K,
        target=np.tile(t, 2),
        lo=np.append(-box, none),
        hi=np.append(none, box),
        group=np.repeat([0, 1], len(t)),
        total=[-half, half],
        doubled=True,
    )


def one_class(K, nu, weight=None):
    """The plane that has at most a fraction nu of the points on the side of the origin (Schoelkopf et al., 2001).

    Parameters: K (N, N); nu in (0, 1]; weight (N,) > 0, how many points each one counts for (None: one each).
    y(x) = sum a_n k(x, x_n) + b is negative for novelties; -b is the plane's distance from the origin times |w|.
    """
    gram = as_gram(K)
    box = _shares(weight, len(gram)) / real_number("nu", nu, above=0, at_most=1)
    box = np.minimum(
        box, 2.0
    )  # no a_n exceeds 1, their sum; with a wall at 1 a lone support vector would not be free
    none = np.zeros(len(gram))
    return DualProblem(gram, target=none, lo=none, hi=box, total=1.0)


def smallest_sphere(K, nu, weight=None):
    """The smallest sphere around all but a fraction nu of the points (Tax and Duin, 1999).

    Parameters: K (N, N); nu in (0, 1]; weight (N,) > 0, how many points each one counts for (None: one each).
    Tax and Duin's C is 1 / (nu N) here; C < 1/N cannot be, because the a_n must sum to 1.
    The centre is sum a_n phi(x_n), and y(x) = sum a_n k(x, x_n) + b is half of k(x, x) + R^2 - |phi(x) - centre|^2.
    """
    problem = one_class(K, nu, weight)
    return DualProblem(problem.gram, 0.5 * problem.gram.diagonal, problem.lo, problem.hi, total=1.0)


def feasible_nu(nu, t, weight=None):
    """Return nu if nu-classification is possible with it: at most twice the smaller class's share, (7.39)-(7.41)."""
    nu = real_number("nu", nu, above=0, at_most=1)
    share = _shares(weight, len(t))
    largest = 2.0 * min(share[t > 0].sum(), share[t < 0].sum())
    if nu > largest * (1 + 1e-12):
        counted = "" if weight is None else " (before weighting)"
        raise Impossible(
            f"nu must be at most {largest:.4g} for classes of {np.sum(t < 0)} and {np.sum(t > 0)} points{counted}: "
            f"twice the share of the smaller one, got {nu:g}."
        )
    return min(nu, largest)


def _labels(t):
    t = np.asarray(t, dtype=float)
    if t.ndim != 1 or not np.all(np.abs(t) == 1) or not -1 < t.mean() < 1:
        raise ValueError(f"t must be a vector holding both labels, -1 and +1, and no other value, got {t!r}.")
    return t


def _targets(t):
    t = np.asarray(t, dtype=float)
    if t.ndim != 1 or len(t) == 0 or not np.isfinite(t).all():
        raise ValueError(f"t must be a vector of finite numbers, got {t!r}.")
    return t


def limits(C, length, infinite=True):
    """C for each point, (N,)."""
    if np.ndim(C) == 0:
        C = np.full(length, real_number("C", C, above=0, infinite=infinite))
    C = np.asarray(C)
    right = C.shape == (length,) and C.dtype.kind in "iuf" and (C > 0).all()  # > also catches nan
    if not right or not (infinite or np.isfinite(C).all()):
        allowed = " (infinity is allowed)" if infinite else ""
        raise ValueError(f"C must be a number > 0{allowed} or {length} of them, got {C!r}.")
    C = C.astype(float)
    if np.any((C > LARGEST_C) & np.isfinite(C)):
        raise ValueError(f"C must be at most {LARGEST_C:g}, or products with it overflow, got {C.max():g}.")
    return C


def _shares(weight, length):
    """Each point's share of the total weight, (N,)."""
    if weight is None:
        return np.full(length, 1.0 / length)
    weight = np.asarray(weight, dtype=float)
    if weight.shape != (length,) or not (weight > 0).all() or not np.isfinite(weight).all():
        raise ValueError(f"weight must hold {length} finite numbers > 0, got {weight!r}.")
    return weight / weight.sum()
