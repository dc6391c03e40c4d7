"""The grid of C and gamma by paths, against scikit-learn's GridSearchCV of its SVC. Into benchmarks/results.md.

The rules: one thread and n_jobs=1; the same data, folds and grid, 20 values of C and 20 of gamma; no refit on either
side; ours and theirs take turns in the same run, after a call of ours that does not count. scikit-learn's SVC has its
default tolerance. A quick answer must be the right one: all errors of all folds are compared. They may differ where
a point of a fold lies at y(x) = 0 within that tolerance, by this point and no more; those are counted.

    python benchmarks/selection.py            everything, in some minutes
    python benchmarks/selection.py --quick    a small grid on one seed, printed only
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import _shared  # sets one thread, before numpy is imported
import numpy as np
from _shared import mark
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from sparsekm_edu import datasets
from sparsekm_edu.models import grid_search

TARGET = 0.2  # the largest ratio of times allowed, ours / theirs
SIDE = 20  # of the grid
TURNED = 2  # points of a fold that the tolerance may turn: one for each of two machines near a tie


def ours(X, t, C, gamma, cv):
    return grid_search(X, t, C, gamma, cv, progress=False).errors


def theirs(X, t, C, gamma, cv):
    search = GridSearchCV(SVC(), {"gamma": gamma, "C": C}, cv=cv, refit=False, n_jobs=1).fit(X, t)
    scores = [search.cv_results_[f"split{k}_test_score"] for k in range(cv.get_n_splits())]
    return 1 - np.transpose(np.reshape(scores, (-1, len(C), len(gamma))), (2, 1, 0))


def once(call, arguments):
    """What a call returns, and the milliseconds it took."""
    start = time.perf_counter()
    result = call(*arguments)
    return result, 1000 * (time.perf_counter() - start)


@dataclass
class Cell(_shared.Compared):
    """One line of the table: data of one kind and size, for all seeds."""

    key: tuple
    data: Callable  # of the seed: X, t
    gamma: np.ndarray
    times: list = field(default_factory=list)  # ms of ours, and of theirs, for each seed
    different: list = field(default_factory=list)  # share of the folds' errors that differ

    def run(self, seeds, most_rounds):
        for seed in seeds:
            X, t = self.data(seed)
            cv = StratifiedKFold(5, shuffle=True, random_state=seed)
            arguments = X, t, np.geomspace(0.01, 1000, len(self.gamma)), self.gamma, cv
            errors, times = zip(*(once(call, arguments) for call in (ours, theirs, ours)), strict=True)
            self.times.append((times[2], times[1]))  # the first call compiles
            points = np.abs(errors[0] - errors[1]) * len(t) / 5  # of a fold
            assert points.max() < TURNED + 0.5, f"{points.max():.1f} points of a fold are told otherwise"
            self.different.append(np.mean(points > 0.5))


@dataclass
class Against(_shared.Table):
    """The whole grid by us and by scikit-learn."""

    def head(self):
        return "ours, ms", "GridSearchCV, ms", "ratio", "errors that differ"

    def row(self, cell):
        ours, theirs = cell.ms
        differ = f"{np.mean(cell.different):.1%}"
        return f"{ours:.0f}", f"{theirs:.0f}", mark(cell.ratio, cell.ratio <= TARGET), differ

    def misses(self):
        return [cell for cell in self.cells if cell.ratio > TARGET]

    def reason(self, cell):
        return f"{cell.ms[0]:.0f} ms against {cell.ms[1]:.0f} ms"

    def summary(self):
        ratios = [cell.ratio for cell in self.cells]
        return (
            f"Ratio: median {np.median(ratios):.2g}, largest {max(ratios):.2g}. Target: at most {TARGET:g}; "
            f"{len(self.misses())} of {len(ratios)} cells miss it.\n"
        )


def cancer(seed):
    """scikit-learn's breast cancer data, 569 points of 30 standardised features, in an order of the seed."""
    X, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(y))
    return StandardScaler().fit_transform(X)[order], np.where(y[order] > 0, 1.0, -1.0)


def grids(quick):
    side = 5 if quick else SIDE
    in_the_plane, in_30_dimensions = np.geomspace(0.03, 50, side), np.geomspace(1e-4, 1, side)
    cells = [
        Cell(("mixture", N), lambda seed, N=N: datasets.mixture(N, seed), in_the_plane)
        for N in ((60,) if quick else (100, 200, 400))
    ]
    return Against(
        f"{side} x {side} grid, five folds",
        "`grid_search(X, t, C, gamma, cv)` on N points of `datasets.mixture` and on scikit-learn's breast cancer data; "
        "`GridSearchCV(SVC(), ..., refit=False)`. C from 0.01 to 1000; gamma from 0.03 to 50 in the plane, and from "
        "0.0001 to 1 for 30 standardised features.",
        ("data", "N"),
        cells if quick else [*cells, Cell(("breast cancer", 569), cancer, in_30_dimensions)],
    )


TABLES = (grids,)


HEAD = f"""\
# Choosing C and gamma: the grid by paths beside GridSearchCV

Milliseconds: medians over {len(_shared.SEEDS)} seeds of the data, one call each, as theirs take many seconds;
ratio: ours / theirs, the median of the seeds' ratios.
errors that differ: the share of the folds' errors in which a point at y(x) = 0, within the tolerance of scikit-learn's
SVC, is told otherwise.
"""

if __name__ == "__main__":
    _shared.main(__doc__, HEAD, TABLES, ("numpy", "scipy", "scikit-learn", "numba"))
