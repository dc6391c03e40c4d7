"""Notebook 15: guesses and cells to fill."""

from functools import cache

import numpy as np

from sparsekm_edu.exercises.guesses import Choice, Guess, Number
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.solvers import smo, soft_margin

# ---- guesses --------------------------------------------------------------------------------------------


@cache
def best_prices():
    """Of the surface: the C of least true error for gamma = 0.1 and for gamma = 5."""
    from sparsekm_edu.explorers.kernels.selection import (
        CELLS_C,
        CELLS_GAMMA,
        CVSurfaceExplorer,
        CVSurfaceState,
    )

    true = CVSurfaceExplorer.compute(CVSurfaceState()).true
    return [float(CELLS_C[true[gamma == CELLS_GAMMA][0].argmin()]) for gamma in (0.1, 5.0)]


def best_price_as_gamma_grows():
    wide, narrow = best_prices()
    return 1 - int(np.sign(narrow - wide))


@cache
def left_out_one_by_one():
    """The leave-one-out error of 30 + 30 tossed labels, for C = 0.01."""
    from sparsekm_edu.kernels import Gaussian
    from sparsekm_edu.models import leave_one_out_errors

    rng = np.random.default_rng(0)
    X, t = rng.normal(size=(60, 2)), rng.permutation(np.repeat([-1.0, 1.0], 30))
    return 100 * leave_one_out_errors(Gaussian(gamma=1.0)(X), t, [0.01]).mean()


def winner(**fields):
    """The picture of 60 points, tossed labels, and candidates that look at one feature each."""
    from sparsekm_edu.explorers.kernels.optimism import OptimismExplorer, OptimismState

    return OptimismExplorer.compute(OptimismState(**fields))


def promise_of_the_winner():
    return 100 * winner().runs[0].mean()


@cache
def chosen_outside():
    """Cross-validation errors of 20 draws: 40 tossed labels, the 20 best of 2000 random features chosen beforehand."""
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
        X = np.column_stack([one_hot(columns["variety"]), *measured])
        for whole in (True, False):
            wrong = 0
            for k in range(5):
                seen = fold != k
                of = X if whole else X[seen]
                spread = of.std(axis=0)
                Z = (X - of.mean(axis=0)) / np.where(spread > 0, spread, 1.0)  # a variety may be missing
                wrong += np.sum(machine.fit(Z[seen], t[seen]).predict(Z[~seen]) != t[~seen])
            errors.append(wrong / 40)
    return 100 * np.mean(np.reshape(errors, (60, 2)), axis=0)


def harm_of_scaling():
    outside, inside = scaled_outside_and_inside()
    return 0 if inside - outside > 10 else 1 if inside - outside > 2 else 2


def chances(share=0.1, tries=64, dials=3):
    """That a grid, and that random tries, come upon a good value of the one dial that matters."""
    values = round(tries ** (1 / dials))
    return min(1.0, values * share), 1 - (1 - share) ** tries


def who_finds_it():
    grid, chance = chances()
    return 0 if grid > chance + 0.05 else 2 if chance > grid + 0.05 else 1


GUESSES = (
    Guess(
        "15-a",
        "Gaussian kernels become narrower: γ grows from 0.1 to 5. For each γ take the <i>C</i> with which the machine "
        "errs least on new points. What happens to this best <i>C</i>?",
        Choice("it rises", "it stays about the same", "it falls"),
        best_price_as_gamma_grows,
        lambda truth: (
            "From {:g} to {:g} on our data. Narrow kernels can follow every single point, and only a low price of "
            "slack keeps them from doing so. Wide kernels hardly bend: they need large multipliers to bend at all, and "
            "a multiplier is at most <i>C</i>.".format(*best_prices())
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
            f"{truth:.0f} percent, and the true error is 50. With so small a <i>C</i> the machine says everywhere what "
            "most of its training points say. Leave out a point, and its own class has 29 of 59: the majority is "
            "always against the one that was left out. Folds with equal shares of both classes have no such trouble."
        ),
        told_by=("leave_one_out_errors(",),
    ),
    Guess(
        "15-c",
        "100 candidates, all worthless: the labels of the 60 points are coin tosses, so each of them errs half of the "
        "time on new points. You cross-validate all 100 and keep the best. Which error, in percent, does it show, in "
        "the mean over many draws?",
        Number("%", 0, 100, digits=0, within=0.1),
        promise_of_the_winner,
        lambda truth: (
            f"{truth:.0f} percent, where 50 is the truth. One score of 60 tosses is uncertain by about 6 points, and "
            "the luckiest of 100 is more than two such standard deviations away. Nobody cheated: each score by itself "
            "is honest, their minimum is not."
        ),
        told_by=("figures.figure_promises(", "explorers.optimism("),
    ),
    Guess(
        "15-d",
        "40 points with 2000 random features and tossed labels. Somebody keeps the 20 features that differ most "
        "between the classes, and then cross-validates a linear SVM on these 20, five folds. Which error, in percent, "
        "comes out, in the mean over many draws?",
        Number("%", 0, 100, digits=0, within=0.5),
        lambda: np.mean(chosen_outside()),
        lambda truth: (
            f"{truth:.0f} percent, with draws of 0. The features were chosen with the labels of all 40 points, "
            "those of the fold that should judge among them. Choose inside, from the other folds alone, and it is "
            "one half again."
        ),
        told_by=("best_features(X, t",),
    ),
    Guess(
        "15-e",
        "The same person now leaves features alone, but standardises the columns of 40 apples with the means and "
        "standard deviations of <i>all</i> of them, before cross-validation. How much better than the truth does this "
        "make the error look?",
        Choice("more than 10 percentage points", "2 to 10 points", "less than 2 points"),
        harm_of_scaling,
        lambda truth: (
            "{:.1f} % with the means of all, {:.1f} % with those of the other folds, in the mean over 60 tables: no "
            "harm to be seen. Means and spreads know no labels, and four fifths of the points give nearly the same "
            "ones. It is a leak nevertheless, and a pipeline closes it for free.".format(
                *scaled_outside_and_inside()
            )
        ),
        told_by=("scaled_first",),
    ),
    Guess(
        "15-f",
        "A machine has three dials. Only one of them matters, nobody knows which, and a tenth of its range is good. "
        "You have 64 tries: a grid of 4 × 4 × 4, or 64 random settings. Which is more likely to try a good one?",
        Choice("the grid", "both about equally", "the random ones"),
        who_finds_it,
        lambda truth: (
            "Random tries find it with probability {1:.1%}, the grid with {0:.0%}. The grid tries 4 values of the dial "
            "that matters, each of them 16 times. Random tries are 64 values of every dial at once.".format(
                *chances()
            )
        ),
        told_by=("figures.figure_search(", "1 - (1 - share)"),
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
    """The share of the points in the fold, out (N,) True, that an SVM gets wrong which was trained on the others."""
    taught = ~out
    solution = smo(soft_margin(K[np.ix_(taught, taught)], t[taught], C))
    y = K[np.ix_(out, taught)] @ solution.v + solution.b  # (7.13)
    return float(np.mean(np.sign(y) != t[out]))


def share_wrong(K, t, taught, judged, C, bias=True):
    """The error on the points `judged` of a machine that learned from `taught`."""
    solution = smo(soft_margin(K[np.ix_(taught, taught)], t[taught], C))
    y = K[np.ix_(judged, taught)] @ solution.v + bias * solution.b
    return float(np.mean(np.sign(y) != t[judged]))


def scores_of_several(rng):
    """errors (M, F): M machines, the simplest first, in F folds; fewer errors in the middle."""
    M, F = int(rng.integers(12, 18)), int(rng.integers(4, 6))
    curve = 0.2 + rng.uniform(0.0005, 0.002) * (np.arange(M) - rng.uniform(0.6, 0.8) * M) ** 2
    return (np.clip(curve[:, None] + rng.normal(scale=0.02, size=(M, F)), 0.0, 1.0),)


def simplest_within(errors, spread=None, own=False, last=False):
    """The rule of one standard error, with slips: another spread, each row's own, the last row instead of the first."""
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


def some_names(rng):
    """An array of names, each of at least three at least once, not in the order of the alphabet at first sight."""
    known = rng.choice(
        ["fig", "kiwi", "lime", "mango", "peach", "plum", "sloe"], size=rng.integers(3, 6), replace=False
    )
    first = np.sort(known)[::-1]
    return (np.concatenate([first, rng.choice(known, size=rng.integers(2, 6))]),)


def one_hot(names):
    """A matrix (N, K) with a column for each different name, in alphabetical order: 1 where it is the name, else 0."""
    return (np.asarray(names)[:, None] == np.unique(names)).astype(float)


def in_order_of_appearance(names):
    places = np.sort(np.unique(names, return_index=True)[1])
    return (names[:, None] == names[places]).astype(float)


TASKS = (
    Task(
        "15-fold",
        "return the share of the points in the fold that a machine gets wrong which was trained on the others",
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
                lambda K, t, out, C: share_wrong(K, t, ~out, out, C, bias=False),
                "y(x) = sum_n v_n k(x, x_n) + b: the solution has a b",
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
        "return the first row whose mean error is at most the least one plus the standard error of that best row",
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
        "15-one-hot",
        "return a matrix (N, K) of 0 and 1 with a column for each different name, in alphabetical order",
        some_names,
        one_hot,
        mistakes=(
            Mistake(
                "codes instead of columns",
                lambda names: np.searchsorted(np.unique(names), names).astype(float),
                "codes 0, 1, 2 say that the second name lies between the first and the third; give each a column",
            ),
            Mistake(
                "codes that begin with 1",
                lambda names: 1.0 + np.searchsorted(np.unique(names), names),
                "codes 1, 2, 3 say that the second name lies between the first and the third; give each a column",
            ),
            Mistake(
                "columns in the order of appearance",
                in_order_of_appearance,
                "np.unique(names) is in alphabetical order, whichever row comes first",
            ),
            Mistake(
                "rows and columns the wrong way round",
                lambda names: one_hot(names).T,
                "a row for each entry of names, a column for each different one",
            ),
            Mistake(
                "one column left out",
                lambda names: one_hot(names)[:, 1:],
                "a kernel needs all columns: without one, its name would be nearer to the others than these are",
            ),
            Mistake(
                "-1 instead of 0",
                lambda names: 2 * one_hot(names) - 1,
                "where it is another name the entry is 0",
            ),
        ),
        hints=(
            "np.unique(names) holds the different names, sorted, (K,).",
            "names[:, None] == np.unique(names) compares every entry with every name at once, (N, K).",
        ),
    ),
)
