"""Does every relevance vector machine end, and where? From nearly constant kernels to nearly the identity.

Ours, our own re-estimation and fastrvm on the same problems, each fit in a process of its own that is stopped after
some seconds of CPU time. Times are CPU time, so that others on the machine do not count. Into benchmarks/results.md.

    python benchmarks/rvm_map.py            everything, in about half an hour
    python benchmarks/rvm_map.py --quick    two cells, printed only
"""

import multiprocessing
import resource
import time
from dataclasses import dataclass, field

import _shared  # sets one thread, before numpy is imported
import numpy as np
from _shared import mark
from rvm import EVIDENCE, fastrvm, fastrvm_model
from sklearn.datasets import load_breast_cancer, load_digits, make_classification

from sparsekm_edu import RVC, RVR, Gaussian
from sparsekm_edu.solvers import evidence_check

LIMIT = 10  # seconds of CPU time for a fit
NATS = 2.0  # so far below the best evidence may ours be
WIDTHS = (0.01, 0.1, 1.0, 5.0, 20.0, 100.0)  # gamma times D
ALLOWED = {200: 1.0, 500: 2.5, 1000: 5.0}  # seconds, by N
AT_MOST = 3.0  # times the fastest of those that end within NATS of the best
TIMED = 0.01  # seconds: below this clocks and calls are all that is measured
KINDS = "regression", "two classes", "three classes"


def wave(kind, N, D):
    """A wave along the first of D normal features, its sign, or three parts of it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, D))
    t = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=N)
    return X, {"regression": t, "two classes": t > 0, "three classes": np.digitize(t, (-0.5, 0.5))}[kind]


def pima_like(return_X_y):
    """Seven features, five of which say something, and two classes that overlap: a third of the points is ill."""
    return make_classification(
        532, 7, n_informative=3, n_redundant=2, weights=(0.67,), flip_y=0.3, random_state=0
    )


def standardised(load, N):
    X, y = load(return_X_y=True)
    X, y = X[:N], y[:N]
    return (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9), y


def fit(machine, kind, gamma, X, t):
    """Seconds, log evidence, number of relevance vectors, and whether the machine says that it has converged."""
    if machine == "fastrvm":
        model = fastrvm("regression" if kind == "regression" else "classification", gamma)
    else:
        model = (RVR if kind == "regression" else RVC)(kernel=Gaussian(gamma), bias=False, method=machine)
    start = time.process_time()
    model.fit(X, t)
    seconds = time.process_time() - start
    K = Gaussian(gamma)(X)
    if machine != "fastrvm":
        check = evidence_check(K, _targets(kind, t), model.solution_)
        return seconds, check.log_evidence, model.n_relevance_, model.converged_
    used, alpha, _, beta = fastrvm_model(model, K)
    height = EVIDENCE["regression" if kind == "regression" else "classification"](
        K[:, used], np.asarray(t, dtype=float), alpha, beta
    )[0]
    return seconds, height, len(used), True


def _targets(kind, t):
    if kind == "regression":
        return t
    classes, label = np.unique(t, return_inverse=True)
    return label.astype(float) if len(classes) == 2 else np.eye(len(classes))[label]


def limited(arguments, answers):
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    answers.put(fit(*arguments))


def within_limit(*arguments):
    """The result of `fit` in a process of its own, None if it does not end within the limit, or fails."""
    answers = multiprocessing.Queue()
    process = multiprocessing.Process(target=limited, args=(arguments, answers))
    process.start()
    process.join(3 * LIMIT)  # of the clock
    if process.is_alive():
        process.kill()
    return answers.get() if process.exitcode == 0 else None


@dataclass
class Cell:
    key: tuple  # kind, N, D, gamma times D
    data: tuple
    results: dict = field(default_factory=dict)

    def run(self, *_):
        kind, _, D, width = self.key
        for machine in ("sequential", "reestimate", "fastrvm"):
            if machine != "fastrvm" or "three" not in kind and "ten" not in kind:
                self.results[machine] = within_limit(machine, kind, width / D, *self.data)

    def ended(self):
        return {name: result for name, result in self.results.items() if result is not None}

    def nats(self, name):
        heights = [result[1] for result in self.ended().values() if np.isfinite(result[1])]
        return max(heights) - self.results[name][1]

    def missed(self):
        """Whether ours took too long, and whether it ended too low."""
        ours = self.results["sequential"]
        if ours is None:
            return True, False
        rivals = [
            r[0] for name, r in self.ended().items() if name != "sequential" and self.nats(name) <= NATS
        ]
        allowed = min([ALLOWED[self.key[1]], *(AT_MOST * max(seconds, TIMED) for seconds in rivals)])
        return ours[0] > allowed, self.nats("sequential") > NATS


@dataclass
class Map(_shared.Table):
    def head(self):
        return (
            "ours, s",
            "re-estimation, s",
            "fastrvm, s",
            "nats, ours",
            "nats, re-est.",
            "nats, fastrvm",
            "vectors",
        )

    def row(self, cell):
        slow, low = cell.missed()
        times, nats = [], []
        for name in ("sequential", "reestimate", "fastrvm"):
            result = cell.results.get(name)
            if name not in cell.results:
                times, nats = [*times, ""], [*nats, ""]
            elif result is None:
                times, nats = [*times, f"> {LIMIT}"], [*nats, ""]
            else:
                good = name != "sequential" or not slow
                times.append(mark(result[0], good) + ("" if result[3] else "*"))
                nats.append(mark(cell.nats(name), name != "sequential" or not low))
        ours = cell.results["sequential"]
        return [*times, *nats, "" if ours is None else str(ours[2])]

    def misses(self):
        return []

    def summary(self):
        slow, low = np.array([cell.missed() for cell in self.cells]).sum(axis=0)
        ours = [cell.results["sequential"] for cell in self.cells if cell.results["sequential"]]
        longest = {}
        for cell in self.cells:
            N, result = cell.key[1], cell.results["sequential"]
            longest[N] = max(longest.get(N, 0.0), result[0] if result else np.inf)
        return (
            f"Longest fits: {', '.join(f'{s:.2g} s at N = {N}' for N, s in longest.items())}; allowed: "
            f"{', '.join(f'{ALLOWED[N]:g} s at {N}' for N in longest)}, and {AT_MOST:g} times the faster of the others "
            f"that ends within {NATS:g} nats of the best. {slow} of {len(self.cells)} cells miss that, {low} are more "
            f"than {NATS:g} nats below the best; {sum(not r[3] for r in ours)} have used up their budget (*).\n"
        )


def waves(quick):
    cells = [
        Cell((kind, N, D, width), wave(kind, N, D))
        for kind in KINDS
        for N in (200, 1000)
        for D in (1, 2, 5, 10)
        for width in WIDTHS
    ]
    return Map(
        "Waves along one of D normal features",
        "t = sin 2 x_1 + noise of standard deviation 0.3; classes by cutting it. Gaussian kernels, no bias.",
        ("problem", "N", "D", "gamma D"),
        cells[:1] if quick else cells,
    )


def real(quick):
    sets = {
        "breast cancer, two classes": (load_breast_cancer, 500),
        "Pima-like, two classes": (pima_like, 500),
        "digits, ten classes": (load_digits, 500),
    }
    cells = [
        Cell((name, N, standardised(load, N)[0].shape[1], gamma_D), standardised(load, N))
        for name, (load, N) in sets.items()
        for gamma_D in (0.3, 3.0, 30.0)
    ]
    return Map(
        "Standardised real sets",
        "The first 500 rows; Pima-like: made by chance, 7 features, a third of the points in one class, 15 % of the "
        "labels wrong. Gaussian kernels, no bias.",
        ("set", "N", "D", "gamma D"),
        cells[:1] if quick else cells,
    )


HEAD = f"""\
# Relevance vector machines: a map of widths

Each fit once, in a process of its own, seconds of CPU time; stopped after {LIMIT}. nats: how far the log evidence,
recomputed from what each has learned, is below the best of the three. An asterisk: said not to have converged.
"""

if __name__ == "__main__":
    for kind in KINDS:  # compiled code is loaded here, not in every process
        for width in (0.01, 1.0):
            fit("sequential", kind, width, *wave(kind, 60, 1))
    _shared.main(__doc__, HEAD, (waves, real), ("numpy", "scikit-learn", "numba", "fastrvm"))
