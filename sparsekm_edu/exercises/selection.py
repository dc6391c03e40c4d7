"""Notebook 15: guesses and cells to fill."""

from functools import cache

import numpy as np
from scipy.stats import binom

from sparsekm_edu.exercises.guesses import Choice, Guess, Number
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.solvers import smo, soft_margin

# ---- guesses --------------------------------------------------------------------------------------------


@cache
def best_prices():
    """Of the surface: the C of least true error for gamma = 0.1 and for gamma = 1."""
    from sparsekm_edu.explorers.kernels.selection import (
        CELLS_C,
        CELLS_GAMMA,
        CVSurfaceExplorer,
        CVSurfaceState,
    )

    true = CVSurfaceExplorer.compute(CVSurfaceState()).true
    return [float(CELLS_C[true[gamma == CELLS_GAMMA][0].argmin()]) for gamma in (0.1, 1.0)]


def best_price_as_gamma_grows():
    wide, narrow = best_prices()
    return 1 - int(np.sign(narrow - wide))


@cache
def left_out_one_by_one():
    """The leave-one-out error of 30 + 30 labels from an urn, for C = 0.01."""
    from sparsekm_edu.kernels import Gaussian
    from sparsekm_edu.models import leave_one_out_errors

    rng = np.random.default_rng(0)
    X, t = rng.normal(size=(60, 2)), rng.permutation(np.repeat([-1.0, 1.0], 30))
    return 100 * leave_one_out_errors(Gaussian(gamma=1.0)(X), t, [0.01]).mean()


def winner(**fields):
    """The picture of 60 points, 30 of each class, and candidates that look at one feature each."""
    from sparsekm_edu.explorers.kernels.optimism import OptimismExplorer, OptimismState

    return OptimismExplorer.compute(OptimismState(**fields))


def promise_of_the_winner():
    return 100 * winner().runs[0].mean()


@cache
def spread_of_a_score():
    """The standard deviation, in percent, of the scores of all candidates in all draws of this picture."""
    from sparsekm_edu.explorers.kernels.optimism import DRAWS

    return 100 * np.std([winner(draw=draw).scores for draw in range(1, DRAWS + 1)])


@cache
def chosen_outside():
    """Cross-validation errors of 20 draws: 40 points, the 20 best of 2000 random features chosen beforehand."""
    from sparsekm_edu.lessons.optimism import best_features
    from sparsekm_edu.models import SVC

    errors, fold = [], np.arange(40) // 2 % 5  # labels alternate: each fold holds four of either
    for seed in range(20):
        X, t = np.random.default_rng(seed).normal(size=(40, 2000)), np.tile([-1.0, 1.0], 20)
        Z = X[:, best_features(X, t, 20)]
        wrong = [
            SVC(kernel="linear").fit(Z[fold != k], t[fold != k]).predict(Z[fold == k]) != t[fold == k]
            for k in range(5)
        ]
        errors.append(100 * np.mean(wrong))
    return errors


@cache
def scaled_outside_and_inside():
    """Mean errors of 60 tables of 40 apples: columns standardised before cross-validation, and in each fold."""
    from sparsekm_edu import datasets
    from sparsekm_edu.kernels import Gaussian
    from sparsekm_edu.models import SVC

    machine, fold = SVC(C=100.0, kernel=Gaussian(0.03)), np.arange(40) % 5
    errors = []
    for seed in range(60):
        columns, t = datasets.apples(40, seed=seed)
        measured = [columns[name] for name in ("sugar", "acid", "diameter")]
        one_hot = columns["variety"][:, None] == np.array(datasets.APPLE_VARIETIES)
        for whole in (True, False):
            wrong = 0
            for k in range(5):
                seen = fold != k
                means, spreads = np.transpose(
                    [(of.mean(), of.std()) for of in (x if whole else x[seen] for x in measured)]
                )
                Z = np.column_stack([one_hot, (np.transpose(measured) - means) / spreads])
                wrong += np.sum(machine.fit(Z[seen], t[seen]).predict(Z[~seen]) != t[~seen])
            errors.append(wrong / 40)
    return 100 * np.mean(np.reshape(errors, (60, 2)), axis=0)


def harm_of_scaling():
    outside, inside = scaled_outside_and_inside()
    return 0 if inside - outside > 10 else 1 if inside - outside > 2 else 2


GUESSES = (
    Guess(
        "15-a",
        "Gaussian kernels become narrower: γ grows from 0.1 to 1. For each γ take the <i>C</i> with which the machine "
        "errs least on new points. What happens to this best <i>C</i>?",
        Choice("it rises", "it stays about the same", "it falls"),
        best_price_as_gamma_grows,
        lambda truth: (
            "From {:g} to {:g} on our data. Wide kernels hardly bend: they need large multipliers to bend a boundary, "
            "and a multiplier is at most <i>C</i>. Narrow kernels bend by themselves, and only a low price of slack "
            "keeps them from following single points.".format(*best_prices())
        ),
        told_by=("figures.figure_14_15(", "explorers.cv_surface("),
    ),
    Guess(
        "15-b",
        "60 points, and their labels are drawn from an urn with 30 times +1 and 30 times −1: there is nothing to "
        "learn. An SVM with <i>C</i> = 0.01 is judged by leave-one-out. Which error, in percent, will it report?",
        Number("%", 0, 100, digits=0, within=0.05),
        left_out_one_by_one,
        lambda truth: (
            "And the true error is 50 %. With so small a <i>C</i> the machine says everywhere what "
            "most of its training points say. Leave out a point, and its own class has 29 of 59: the majority is "
            "always against the one that was left out. Folds with equal shares of both classes have no such trouble."
        ),
        told_by=("leave_one_out_errors(",),
    ),
    Guess(
        "15-c",
        "60 points, 30 of each class, and 100 candidates, all worthless: they look at features that know nothing of "
        "the classes, so each errs half of the time on new points. You cross-validate all 100 and keep the best. Which "
        "error, in percent, does it show, in the mean over many draws?",
        Number("%", 0, 100, digits=1, within=0.1),
        promise_of_the_winner,
        lambda truth: (
            f"The truth is 50 %. One score has a standard deviation of {spread_of_a_score():.0f} points, and the "
            "luckiest of 100 is two of them below its mean. Nobody cheated: each score by itself is honest, their "
            "minimum is not."
        ),
        told_by=("figures.figure_promises(", "explorers.optimism("),
    ),
    Guess(
        "15-d",
        "40 points, 20 of each class, and 2000 random features that know nothing of the classes. "
        "Somebody keeps the 20 features that differ most between the classes, and then cross-validates a linear SVM on "
        "these 20, five folds. Which error, in percent, comes out, in the mean over many draws?",
        Number("%", 0, 100, digits=0, within=0.5),
        lambda: np.mean(chosen_outside()),
        lambda truth: (
            "Some draws even show 0. The features were chosen with the labels of all 40 points, "
            "those of the fold that should judge among them. Choose inside, from the other folds alone, and it is "
            "one half again."
        ),
        told_by=("best_features(X, t",),
    ),
    Guess(
        "15-e",
        "The same person now leaves features alone, but standardises the columns of 40 apples with the means and "
        "standard deviations of <i>all</i> of them, before cross-validation. How much lower is the error then than "
        "with those of the other folds alone, in the mean over many tables?",
        Choice("more than 10 percentage points", "2 to 10 points", "less than 2 points"),
        harm_of_scaling,
        lambda truth: (
            "{:.1f} % with the means of all, {:.1f} % with those of the other folds, in the mean over 60 tables: "
            "hardly any harm. Means and spreads know no labels, and four fifths of the points give nearly the same "
            "ones. It is a leak nevertheless, and a pipeline closes it for free.".format(
                *scaled_outside_and_inside()
            )
        ),
        told_by=("scaled_first",),
    ),
)


# ---- cells to fill --------------------------------------------------------------------------------------


def points_and_fold(rng):
    """K (N, N), labels, a fold with points of both classes on either side, and C: some are wrong on either side."""
    N = int(rng.integers(16, 24))
    t = rng.permutation(np.where(np.arange(N) < N // 2, -1.0, 1.0))
    X = rng.normal(size=(N, 2)) + 0.6 * t[:, None]
    out = np.zeros(N, dtype=bool)
    for label in (-1.0, 1.0):
        out[rng.choice(np.flatnonzero(t == label), size=int(rng.integers(2, 5)), replace=False)] = True
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    return K, t, out, float(10 ** rng.uniform(-0.5, 1))


def fold_error(K, t, out, C):
    """The share of the fold's points, out (N,) True, that an SVM trained on all other points gets wrong."""
    taught = ~out
    solution = smo(soft_margin(K[np.ix_(taught, taught)], t[taught], C))
    y = K[np.ix_(out, taught)] @ solution.v + solution.b  # (7.13)
    return float(np.mean(np.sign(y) != t[out]))


def share_wrong(K, t, taught, judged, C, bias=1, again=False):
    """The error on the points `judged` of a machine that learned from `taught`; slips: bias times b, v times t."""
    solution = smo(soft_margin(K[np.ix_(taught, taught)], t[taught], C))
    v = solution.v * t[taught] if again else solution.v
    y = K[np.ix_(judged, taught)] @ v + bias * solution.b
    return float(np.mean(np.sign(y) != t[judged]))


def scores_of_several(rng):
    """errors (M, F): M machines, the simplest first, in F folds; fewer errors in the middle.

    Once in a while all folds of the best agree: the line is then at the best itself, which is not below it.
    """
    M, F = int(rng.integers(40, 60)), int(rng.integers(3, 5))
    if rng.random() < 0.1:
        best = rng.integers(3, M - 1)
        return (np.where(np.arange(M)[:, None] == best, 0.25, rng.uniform(0.3, 0.5, size=(M, F))),)
    curve = 0.2 + rng.uniform(5e-5, 2e-4) * (np.arange(M) - rng.uniform(0.6, 0.8) * M) ** 2
    return (np.clip(curve[:, None] + rng.normal(scale=0.02, size=(M, F)), 0.0, 1.0),)


def simplest_within(errors, spread=None, own=False, last=False):
    """The rule of one standard error, with slips: another spread (M,), each row's own, the last row, not the first."""
    mean = errors.mean(axis=1)
    spread = errors.std(axis=1, ddof=1) / np.sqrt(errors.shape[1]) if spread is None else spread
    near = mean - spread <= mean.min() if own else mean <= mean.min() + spread[mean.argmin()]
    return int(np.flatnonzero(near)[-1 if last else 0])


def one_standard_error(errors):
    """The row of the simplest machine whose mean error is within one standard error of the best; errors (M, F)."""
    mean = errors.mean(axis=1)
    standard_error = errors.std(axis=1, ddof=1) / np.sqrt(errors.shape[1])
    best = mean.argmin()
    return int(np.argmax(mean <= mean[best] + standard_error[best]))  # the first that is


def strictly_below(errors):
    mean, standard_error = errors.mean(axis=1), errors.std(axis=1, ddof=1) / np.sqrt(errors.shape[1])
    best = mean.argmin()
    return int(np.argmax(mean < mean[best] + standard_error[best]))


def chances_to_exceed(rng):
    """exceeds (N,), P(B > k) of a number of errors B among N tosses, for k = 0, ..., N - 1; and m candidates."""
    N, p, m = int(rng.integers(5, 40)), rng.uniform(0.1, 0.6), int(rng.integers(2, 60))
    return binom.sf(np.arange(N), N, p), m


def least_score(exceeds, m):
    """The mean of the least of m independent scores B/N; exceeds (N,): P(B > k) for k = 0, ..., N - 1."""
    return float(np.mean(exceeds**m))  # the least exceeds k if all m do; 1/N sum_k


TASKS = (
    Task(
        "15-fold",
        "return the share of the fold's points that a machine trained on all other points gets wrong",
        points_and_fold,
        fold_error,
        mistakes=(
            Mistake(
                "trained on all points",
                lambda K, t, out, C: share_wrong(K, t, np.ones(len(t), bool), out, C),
                "the points of the fold must not be among those that the machine learns from",
            ),
            Mistake(
                "the training error",
                lambda K, t, out, C: share_wrong(K, t, ~out, ~out, C),
                "count the errors among the points that were left out, t[out]",
            ),
            Mistake(
                "fold and rest exchanged",
                lambda K, t, out, C: share_wrong(K, t, out, ~out, C),
                "out is True for the points to be judged: learn from ~out",
            ),
            Mistake(
                "the bias forgotten",
                lambda K, t, out, C: share_wrong(K, t, ~out, out, C, bias=0),
                "y(x) = sum_n v_n k(x, x_n) + b: the solution has a b",
            ),
            Mistake(
                "the bias with the wrong sign",
                lambda K, t, out, C: share_wrong(K, t, ~out, out, C, bias=-1),
                "y(x) = sum_n v_n k(x, x_n) + b: b is added",
            ),
            Mistake(
                "the labels multiplied in twice",
                lambda K, t, out, C: share_wrong(K, t, ~out, out, C, again=True),
                "v_n is a_n t_n already",
            ),
            Mistake(
                "y compared with t, not its sign",
                lambda K, t, out, C: 1.0,
                "y(x) is hardly ever exactly -1 or +1: compare np.sign(y) with t",
            ),
            Mistake(
                "the number instead of the share",
                lambda K, t, out, C: fold_error(K, t, out, C) * out.sum(),
                "divide by the number of points in the fold",
            ),
            Mistake(
                "divided by all points",
                lambda K, t, out, C: fold_error(K, t, out, C) * out.mean(),
                "divide by the number of points in the fold, not by N",
            ),
            Mistake(
                "the share that is right",
                lambda K, t, out, C: 1 - fold_error(K, t, out, C),
                "an error is a point whose sign of y is not its label",
            ),
        ),
        hints=(
            "taught = ~out. The machine sees K[np.ix_(taught, taught)] and t[taught], and nothing else.",
            "solution = smo(soft_margin(K_taught, t_taught, C)) has v, one number for each point taught, and b.",
            "Rows for who is judged, columns for who was taught: K[np.ix_(out, taught)] @ solution.v + solution.b.",
        ),
        instances=14,
    ),
    Task(
        "15-one-se",
        "return the row of the simplest machine within one standard error of the best, the simplest being first",
        scores_of_several,
        one_standard_error,
        mistakes=(
            Mistake(
                "the best row itself",
                lambda errors: int(errors.mean(axis=1).argmin()),
                "a simpler machine that is nearly as good is wanted: the first row below the line, not the lowest",
            ),
            Mistake(
                "the standard deviation of a fold",
                lambda errors: simplest_within(errors, errors.std(axis=1, ddof=1)),
                "the mean of F folds varies less than one fold: divide by the square root of F",
            ),
            Mistake(
                "numpy's standard deviation as it is, and not divided",
                lambda errors: simplest_within(errors, errors.std(axis=1)),
                "divide by sqrt(F), and give std the argument ddof=1",
            ),
            Mistake(
                "numpy's standard deviation as it is",
                lambda errors: simplest_within(errors, errors.std(axis=1) / np.sqrt(errors.shape[1])),
                "of a few folds the spread is estimated with F - 1: std(axis=1, ddof=1)",
            ),
            Mistake(
                "divided by F instead of its root",
                lambda errors: simplest_within(errors, errors.std(axis=1, ddof=1) / errors.shape[1]),
                "the variance of a mean is the variance over F, so its root is the standard deviation over sqrt(F)",
            ),
            Mistake(
                "divided by the root of M",
                lambda errors: simplest_within(errors, errors.std(axis=1, ddof=1) / np.sqrt(len(errors))),
                "each mean is over F folds, errors.shape[1]; M = len(errors) is the number of machines",
            ),
            Mistake(
                "the spread of all errors together",
                lambda errors: simplest_within(
                    errors, np.full(len(errors), errors.std(ddof=1) / np.sqrt(errors.shape[1]))
                ),
                "the spread is that of the best row over its folds: std(axis=1)",
            ),
            Mistake(
                "strictly below the line",
                strictly_below,
                "within one standard error means at most: <=, or the best row itself may fail",
            ),
            Mistake(
                "each row's own standard error",
                lambda errors: simplest_within(errors, own=True),
                "the line is drawn once, above the best row, with the standard error of the best row",
            ),
            Mistake(
                "the most complicated one",
                lambda errors: simplest_within(errors, last=True),
                "the simplest machine stands in the first row",
            ),
        ),
        hints=(
            "mean = errors.mean(axis=1); the standard error of each row is errors.std(axis=1, ddof=1) / np.sqrt(F).",
            "best = mean.argmin(). The line is mean[best] + standard_error[best].",
            "np.argmax of an array of True and False is the place of the first True.",
        ),
        instances=60,
    ),
    Task(
        "15-winner",
        "return the mean of the least of m independent scores, each a number of errors B divided by N",
        chances_to_exceed,
        least_score,
        mistakes=(
            Mistake(
                "the mean of one score",
                lambda exceeds, m: float(np.mean(exceeds)),
                "that is m = 1; the least of m exceeds k only if all m do",
            ),
            Mistake(
                "a number of errors, not a share",
                lambda exceeds, m: float(np.sum(exceeds**m)),
                "the scores are B/N: divide the mean of the least B by N",
            ),
            Mistake(
                "the largest instead of the least",
                lambda exceeds, m: float(np.mean(1 - (1 - exceeds) ** m)),
                "1 - (1 - P)^m: any of them exceeds k, as the largest does; the least exceeds k if all do",
            ),
            Mistake(
                "the probability to stay below",
                lambda exceeds, m: float(np.mean((1 - exceeds) ** m)),
                "sum the probabilities that the least B exceeds k, not those that it does not",
            ),
            Mistake(
                "1 minus the answer",
                lambda exceeds, m: float(1 - np.mean(exceeds**m)),
                "the mean of B is the sum of P(B > k), without any 1 minus",
            ),
            Mistake(
                "multiplied by m",
                lambda exceeds, m: float(m * np.mean(exceeds)),
                "independent events happen together with the product of their probabilities: a power",
            ),
            Mistake(
                "the mean divided by m",
                lambda exceeds, m: float(np.mean(exceeds) / m),
                "independent events happen together with the product of their probabilities: a power",
            ),
        ),
        hints=(
            "The least of m numbers exceeds k if each of them does: P(all of m exceed k) = P(B > k)^m.",
            "The mean of the least B is the sum of these over k = 0, ..., N - 1; the score is B/N.",
        ),
    ),
)
