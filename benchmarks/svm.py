"""Our support vector machines against LIBSVM, as ratios of times. Writes benchmarks/results.md.

The rules: one thread. Ours and theirs take turns, in an order that is reversed every other round, after a call of each
that does not count; the median over the rounds counts, and the median of its ratio over the data seeds. Computing the
kernel counts on both sides. A time counts only if the solution is right: its KKT gap, computed afresh from the whole
Gram matrix, is below tol, and its dual objective agrees to 1e-6 with Clarabel's (with more than 500 points, where
Clarabel takes too long, with our own at a thousandth of tol).

    python benchmarks/svm.py            everything, in about ten minutes
    python benchmarks/svm.py --quick    a few small cells on one seed, printed only
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import _shared  # sets one thread, before numpy is imported
import numpy as np
import sklearn.svm as theirs
from _shared import mark, ripple, two_classes
from sklearn.svm import _libsvm

import sparsekm_edu as ours
from sparsekm_edu.solvers import (
    Gram,
    epsilon_regression,
    kkt,
    nu_classification,
    nu_regression,
    one_class,
    qp,
    smo,
    soft_margin,
)
from sparsekm_edu.solvers.dual.path import c_path

TOL = 1e-3
PRECISION = 1e-6  # of the objective
WITH_CLARABEL = 500  # points at most
LIBSVM = {"tol": TOL, "cache_size": 200.0}
C_SVC, EPSILON_SVR = 0, 3  # LIBSVM's numbers

#: Why a cell may be above its target: (title of the table, up to how many points, the reason).
CALLS = (
    "a few tenths of a millisecond go into Python calls whatever N is (stating and checking the problem, starting, the "
    "certificate at the end), about what LIBSVM needs for everything"
)
ALL_OF_K = (
    "most of the time goes into the Gram matrix: we compute all of it, LIBSVM only the rows of points that it touches, "
    "and with so small a C it is done after touching each of them once"
)
PAGES = (
    "most of the time of `smo` goes into all of K, and most of that is the system's, which hands out memory page by "
    "page to a process that is new; solving takes about a second. Whoever has so many points takes decomposition"
)
REASONS = [
    ("Soft margin", 200, CALLS),
    ("Regression with a tube", 200, CALLS),
    ("Regression with a tube", 2000, ALL_OF_K),
    ("nu in place of C, and one class", 100, CALLS),
    ("Large sets, time and memory", 1000, CALLS),
    ("Large sets, time and memory", 20_000, PAGES),
    ("y(x) on a grid of 100 x 100 points", 100, CALLS),
]


# ------------------------------------------------------------------ measuring


@dataclass
class Cell:
    """One line of a table: what is compared, for one setting and all seeds.

    key, the columns that name it; data, a function of the seed that returns X and t; pairs (ours, theirs), functions of
    X and t; check, a function of X and t that returns KKT gap / tol and relative error of the objective, both of ours.
    """

    key: tuple
    data: Callable
    pairs: list
    check: Callable
    times: list = field(default_factory=list)  # for each seed (pairs, 2): ours and theirs in ms
    gap: float = 0.0
    error: float = 0.0

    def run(self, seeds, most_rounds):
        for seed in seeds:
            X, t = self.data(seed)
            calls = [call for pair in self.pairs for call in pair]
            self.times.append(np.reshape(_shared.medians(calls, (X, t), most_rounds), (-1, 2)))
            gap, error = self.check(X, t)
            self.gap, self.error = max(self.gap, gap), max(self.error, error)

    @property
    def ratios(self):
        """Ours / theirs for each pair: the median over the seeds."""
        ours, theirs = np.moveaxis(self.times, -1, 0)
        return np.median(ours / theirs, axis=0)

    @property
    def right(self):
        return self.gap < 1 and self.error < PRECISION


def judge(problem, solution, scale=1.0):
    """KKT gap / tol, and the relative error of the objective; scale, how many times ours LIBSVM's y is, and its tol."""
    N = len(problem.target) // (2 if problem.doubled else 1)
    best = qp(problem) if N <= WITH_CLARABEL else smo(problem, tol=1e-3 * TOL / scale)
    error = abs(solution.objective - best.objective) / abs(best.objective)
    return kkt(problem, solution).violation * scale / TOL, error


# ------------------------------------------------------------------ tables


@dataclass
class Table(_shared.Table):
    """Ratios of times. comparisons, names of the pairs; target, the largest ratio allowed in a cell."""

    comparisons: tuple
    target: float
    mean_target: float = np.inf

    def head(self):
        for comparison in self.comparisons:
            yield from (f"{name}, ms" for name in comparison)
            yield "ratio"
        yield from ("gap / tol", "objective off by")

    def row(self, cell):
        for times, ratio in zip(np.median(cell.times, axis=0), cell.ratios, strict=True):
            yield from (f"{ms:.3g}" for ms in times)
            yield mark(ratio, ratio <= self.target and cell.right)
        yield from (f"{cell.gap:.2g}", f"{cell.error:.1g}")

    def misses(self):
        return [cell for cell in self.cells if not cell.right or np.any(cell.ratios > self.target)]

    def summary(self):
        ratios = np.array([cell.ratios for cell in self.cells])
        means = np.exp(np.log(ratios).mean(axis=0))
        lines = [
            f"{ours} / {theirs}: geometric mean {mark(mean, mean <= self.mean_target)}, largest {most:.2g}."
            for (ours, theirs), mean, most in zip(self.comparisons, means, ratios.max(axis=0), strict=True)
        ]
        wanted = f"Target: at most {self.target:g} in every cell"
        wanted += f", geometric mean at most {self.mean_target:g}" if self.mean_target < np.inf else ""
        return "  \n".join([*lines, f"{wanted}; {len(self.misses())} of {len(ratios)} cells miss it.\n"])

    def reason(self, cell):
        known = [reason for title, most, reason in REASONS if title == self.title and most >= self.N(cell)]
        return known[0] if known else "reason not known yet"


def soft_margins(quick):
    def cell(N, D, gamma, C):
        kernel = ours.Gaussian(gamma)

        def solve(X, t):
            return smo(soft_margin(Gram.of_matrix(kernel(X)), t, C), tol=TOL)

        return Cell(
            (N, D, f"{C:g}"),
            lambda seed: two_classes(N, seed, D),
            [
                (solve, lambda X, t: _libsvm.fit(X, t, svm_type=C_SVC, C=C, gamma=gamma, **LIBSVM)),
                (
                    lambda X, t: ours.SVC(C=C, kernel=kernel, tol=TOL).fit(X, t),
                    lambda X, t: theirs.SVC(C=C, gamma=gamma, tol=TOL).fit(X, t),
                ),
            ],
            lambda X, t: judge(soft_margin(kernel(X), t, C), solve(X, t)),
        )

    sizes = (100, 200) if quick else (100, 200, 500, 1000, 2000, 5000)
    prices = (1.0,) if quick else (0.1, 1.0, 10.0, 100.0)
    cells = [cell(N, 2, 1.0, C) for N in sizes for C in prices]
    return Table(
        "Soft margin",
        "Two Gaussian classes; Gaussian kernel, gamma = 1 (in 20 dimensions 0.05). smo: Gram matrix and `smo`; "
        "raw: `sklearn.svm._libsvm.fit`; fit: `SVC.fit`.",
        ("N", "D", "C"),
        cells if quick else cells + [cell(1000, 20, 0.05, C) for C in prices],
        comparisons=(("smo", "raw LIBSVM"), ("our fit", "their fit")),
        target=1.0,
        mean_target=0.65,
    )


def tubes(quick):
    kernel, epsilon = ours.Gaussian(1.0), 0.1

    def cell(N, D, C):
        def solve(X, y):
            return smo(epsilon_regression(Gram.of_matrix(kernel(X)), y, C, epsilon), tol=TOL)

        setting = {"C": C, "epsilon": epsilon, "gamma": 1.0}
        return Cell(
            (N, D, f"{C:g}"),
            lambda seed: ripple(N, seed, D),
            [
                (solve, lambda X, y: _libsvm.fit(X, y, svm_type=EPSILON_SVR, **setting, **LIBSVM)),
                (
                    lambda X, y: ours.SVR(C=C, epsilon=epsilon, kernel=kernel, tol=TOL).fit(X, y),
                    lambda X, y: theirs.SVR(tol=TOL, **setting).fit(X, y),
                ),
            ],
            lambda X, y: judge(epsilon_regression(kernel(X), y, C, epsilon), solve(X, y)),
        )

    sizes = (100,) if quick else (100, 200, 500, 1000, 2000)
    prices = (1.0,) if quick else (1.0, 10.0, 100.0)
    return Table(
        "Regression with a tube",
        f"Noisy sinc of |x|, epsilon = {epsilon:g}; Gaussian kernel, gamma = 1. Columns as above, with `SVR.fit`.",
        ("N", "D", "C"),
        [cell(N, D, C) for N in sizes for D in (1, 2) for C in prices],
        comparisons=(("smo", "raw LIBSVM"), ("our fit", "their fit")),
        target=0.5,
    )


def with_nu(quick):
    kernel = ours.Gaussian(1.0)

    def cell(data, N, our_machine, their_machine, setting, formulation, scale):
        def fit(X, y):
            return our_machine(kernel=kernel, tol=TOL, **setting).fit(X, y)

        return Cell(
            (our_machine.__name__, N, ", ".join(f"{name} = {value:g}" for name, value in setting.items())),
            lambda seed: data(N, seed),
            [(fit, lambda X, y: their_machine(gamma=1.0, tol=TOL, **setting).fit(X, y))],
            lambda X, y: judge(formulation(kernel(X), y), fit(X, y).solution_, scale),
        )

    def nu_svc(N, nu):
        problem = lambda K, t: nu_classification(K, t, nu)  # noqa: E731
        return cell(two_classes, N, ours.NuSVC, theirs.NuSVC, {"nu": nu}, problem, scale=N)

    def nu_svr(N, C, nu=0.3):
        problem = lambda K, y: nu_regression(K, y, N * C, nu)  # noqa: E731
        return cell(ripple, N, ours.NuSVR, theirs.NuSVR, {"C": C, "nu": nu}, problem, scale=1.0)

    def novelties(N, nu):
        problem = lambda K, _: one_class(K, nu)  # noqa: E731
        return cell(two_classes, N, ours.OneClassSVM, theirs.OneClassSVM, {"nu": nu}, problem, scale=nu * N)

    sizes = (100,) if quick else (100, 500, 2000)
    return Table(
        "nu in place of C, and one class",
        "Two classes, and sinc in one dimension, as above; Gaussian kernel, gamma = 1. tol is in LIBSVM's units.",
        ("estimator", "N", "parameters"),
        [nu_svc(N, nu) for N in sizes for nu in (0.4, 0.6)]
        + [nu_svr(N, C) for N in sizes for C in (1.0, 10.0)]
        + [novelties(N, nu) for N in sizes for nu in (0.1, 0.5)],
        comparisons=(("our fit", "their fit"),),
        target=1.0,
    )


def paths(quick):
    kernel, prices = ours.Gaussian(1.0), np.geomspace(0.01, 100.0, 50)

    def data(N, duplicates, seed):
        X, t = two_classes(N, seed)
        return np.round(2 * X) / 2 if duplicates else X, t

    def path(X, t):
        return c_path(kernel(X), t, prices[-1])

    def solves(X, t):
        return [_libsvm.fit(X, t, svm_type=C_SVC, C=C, gamma=1.0, **LIBSVM) for C in prices]

    def check(X, t):
        K, found = kernel(X), path(X, t)
        gaps = [kkt(soft_margin(K, t, C), found.at(C)).violation for C in prices]
        return max(gaps) / 1e-6, max(judge(soft_margin(K, t, C), found.at(C))[1] for C in prices[::12])

    return Table(
        "The whole path in C",
        f"`c_path` from C -> 0 to {prices[-1]:g} against {len(prices)} runs of raw LIBSVM at C = {prices[0]:g} ... "
        f"{prices[-1]:g}; two classes as above; duplicates: coordinates rounded to halves. Here the gap is the "
        "largest at those C, and in units of 1e-6.",
        ("N", "duplicates"),
        [
            Cell(
                (N, word), lambda seed, N=N, word=word: data(N, word == "yes", seed), [(path, solves)], check
            )
            for N in ((100,) if quick else (100, 200, 500))
            for word in ("no", "yes")
        ],
        comparisons=(("path", f"{len(prices)} solves"),),
        target=0.15,
    )


def pictures(quick):
    axis = np.linspace(-4, 4, 100)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)

    def machines(N, seed):
        X, t = two_classes(N, seed)
        return ours.SVC(kernel=ours.Gaussian(1.0)).fit(X, t), theirs.SVC(gamma=1.0).fit(X, t)

    def surface(machine, _):
        return machine.surface(axis, axis)

    def decision_function(_, other):
        return other.decision_function(grid)

    def check(machine, other):
        y = machine.surface(axis, axis).ravel()
        difference = np.abs(y - other.decision_function(grid)).max()
        return difference / (5 * TOL), np.abs(y - machine.decision_function(grid)).max() / np.abs(y).max()

    return Table(
        "y(x) on a grid of 100 x 100 points",
        "`SVC.surface` against scikit-learn's `SVC.decision_function`; C = 1, Gaussian kernel, gamma = 1. Instead of "
        "the gap: the largest difference between the two, in units of 5 tol; instead of the objective: between "
        "`surface` and our own `decision_function`.",
        ("N",),
        [
            Cell((N,), lambda seed, N=N: machines(N, seed), [(surface, decision_function)], check)
            for N in ((100,) if quick else (100, 500, 2000))
        ],
        comparisons=(("surface", "decision_function"),),
        target=0.01,
    )


# ------------------------------------------------------------------ large sets


@dataclass
class LargeCell:
    """N points in D dimensions, fitted once for each seed by each solver and by LIBSVM, every time in a new process."""

    key: tuple
    solvers: tuple
    fits: list = field(default_factory=list)  # for each seed, and for each of (*solvers, "theirs"), a dict

    def run(self, seeds, most_rounds):
        for seed in seeds:
            self.fits.append([self.fit(solver, seed) for solver in (*self.solvers, "theirs")])

    def fit(self, solver, seed):
        script = Path(__file__).with_name("_one_fit.py")
        command = [sys.executable, str(script), solver, *map(str, self.key), str(seed)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def each(self, name):
        """One number of every fit, (seeds, solvers + 1)."""
        return np.array([[fit[name] for fit in fits] for fits in self.fits], dtype=float)

    @property
    def ratios(self):
        """Ours / theirs for each solver: the median over the seeds."""
        seconds = self.each("seconds")
        return np.median(seconds[:, :-1] / seconds[:, -1:], axis=0)

    @property
    def megabytes(self):
        return self.each("megabytes").max(axis=0)

    @property
    def gap(self):
        return self.each("gap")[:, :-1].max() / TOL

    @property
    def error(self):
        """Of the objective: how far our solvers are apart."""
        objective = self.each("objective")[:, :-1]
        return np.max(np.ptp(objective, axis=1) / np.abs(objective).max(axis=1))


@dataclass
class LargeTable(_shared.Table):
    """Seconds and megabytes. target, the largest ratio of times for each solver; room, the most megabytes for it."""

    targets: dict
    room: dict

    def head(self):
        for solver in self.targets:
            yield from (f"{solver}, s", "ratio", "MB")
        yield from ("LIBSVM, s", "MB", "gap / tol", "objectives differ by")

    def row(self, cell):
        seconds, megabytes, right = np.median(cell.each("seconds"), axis=0), cell.megabytes, self.right(cell)
        for n, solver in enumerate(self.targets):
            yield f"{seconds[n]:.3g}"
            yield mark(cell.ratios[n], cell.ratios[n] <= self.targets[solver] and right)
            fits = megabytes[n] <= self.room[solver]
            yield f"{megabytes[n]:.0f}" if fits else f"**{megabytes[n]:.0f} misses**"
        yield from (f"{seconds[-1]:.3g}", f"{megabytes[-1]:.0f}", f"{cell.gap:.2g}", f"{cell.error:.1g}")

    @staticmethod
    def right(cell):
        return cell.gap <= 1 and cell.error < PRECISION

    def misses(self):
        targets, room = list(self.targets.values()), list(self.room.values())
        return [
            cell
            for cell in self.cells
            if not self.right(cell) or np.any(cell.ratios > targets) or np.any(cell.megabytes[:-1] > room)
        ]

    def summary(self):
        wanted = [
            f"{solver} at most {self.targets[solver]:g} times LIBSVM's time"
            + (f" and {room:g} MB" if (room := self.room[solver]) < np.inf else "")
            for solver in self.targets
        ]
        return f"Target: {', '.join(wanted)}; {len(self.misses())} of {len(self.cells)} cells miss it.\n"

    reason = Table.reason


def large_sets(quick):
    targets, room = {"smo": 1.5, "decomposition": 3.0}, {"smo": np.inf, "decomposition": 1000.0}
    return LargeTable(
        "Large sets, time and memory",
        "Two Gaussian classes; C = 1, Gaussian kernel, gamma = 1/D; `SVC.fit` with two of our solvers, and "
        "scikit-learn's. Every fit in a process of its own, one for each seed. Seconds: medians over the seeds; MB: "
        "the most that the process ever had, Python and libraries included, on the worst seed. All of K has 800 MB "
        "with 10 000 points, and 3200 MB with 20 000.",
        ("N", "D"),
        [
            LargeCell((N, D), tuple(targets))
            for N in ((1000,) if quick else (10_000, 20_000))
            for D in ((10,) if quick else (10, 50))
        ],
        targets=targets,
        room=room,
    )


TABLES = (soft_margins, tubes, with_nu, paths, pictures, large_sets)


HEAD = f"""\
# Support vector machines against LIBSVM

{_shared.HOW_OFTEN}
tol = {TOL:g}. Gap (of the KKT conditions) and error of the objective are the worst of all seeds, computed afresh in
float64. Up to N = {WITH_CLARABEL} the objective is compared with Clarabel's, above that with our own at a thousandth
of tol (for large sets with that of our other solver). A cell misses if a ratio is above its target, or if the
solution is not right: a gap above tol, or an objective off by {PRECISION:g} or more.
"""


if __name__ == "__main__":
    _libsvm.set_verbosity_wrap(0)
    _shared.main(__doc__, HEAD, TABLES, ("numpy", "scikit-learn", "numba", "clarabel"))
