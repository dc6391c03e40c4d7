"""How long five kernel classifiers take to train and to predict (MLaPP 14.6). Into benchmarks/results.md.

The rules: one thread, the same Gaussian kernel and the same points for all; `fit` and `predict`, so that computing the
kernel and checking the input count. The Gaussian process is scikit-learn's, whose amplitude is learned during `fit`;
the RVM learns during `fit`, too. L2VM, L1VM and SVM have a price that somebody must choose: they are timed once with a
fixed price, and once with the 31 fits of a cross-validation over six prices in five folds.

    python benchmarks/kernel_machines.py            everything, in several minutes
    python benchmarks/kernel_machines.py --quick    two small sizes on one seed, printed only
"""

import time
from dataclasses import dataclass, field

import _shared  # sets one thread, before numpy is imported
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.models import comparison

KERNEL = Gaussian(gamma=2.0)
MACHINES = list(comparison.CLAIMS)
CHOSEN = "L2VM", "L1VM", "SVM"  # by cross-validation
NEW = 10_000  # points to predict
ROUNDS = 3


def fastest(call, arguments, rounds):
    """Milliseconds of processor time of the fastest of several calls, after one that compiles and fills the caches."""
    times = []
    for _ in range(1 + rounds):
        start = time.process_time()
        call(*arguments)
        times.append(1000 * (time.process_time() - start))
    return min(times[1:])


@dataclass
class Size:
    """Machines on N points: those of `names`, or all."""

    N: int
    names: tuple = ()
    fit: dict = field(default_factory=dict)  # name -> ms of each seed
    predict: dict = field(default_factory=dict)
    kept: dict = field(default_factory=dict)

    @property
    def key(self):
        return (self.N,)

    def run(self, seeds, most_rounds):
        """Once, for all tables."""
        rounds = min(ROUNDS, most_rounds)
        for seed in [] if self.fit else seeds:
            X, t = datasets.overlapping(n=self.N, seed=seed)
            new = datasets.overlapping(n=NEW, seed=1000 + seed)[0]
            fixed, chosen = comparison.machines(KERNEL, chosen=False), comparison.machines(KERNEL)
            machines = fixed | {f"{name}, CV": chosen[name] for name in CHOSEN}
            for name in self.names or machines:
                machine = machines[name]
                self.fit.setdefault(name, []).append(fastest(machine.fit, (X, t), rounds))
                if name in fixed:
                    self.predict.setdefault(name, []).append(fastest(machine.predict, (new,), rounds))
                    self.kept.setdefault(name, []).append(comparison.kept(machine, self.N))


def growth(cells, what, name):
    """The exponent of N between the two largest sizes: 3 means that twice the points take eight times as long."""
    small, large = cells[-2:]
    ratio = np.median(getattr(large, what)[name]) / np.median(getattr(small, what)[name])
    return np.log(ratio) / np.log(large.N / small.N)


@dataclass
class Times(_shared.Table):
    what: str = "fit"
    names: tuple = ()

    def head(self):
        return [f"{name}, ms" for name in self.names]

    def row(self, cell):
        times = getattr(cell, self.what)
        return [f"{np.median(times[name]):.3g}" for name in self.names]

    def misses(self):
        return []  # nobody has promised anything

    def summary(self):
        grows = ", ".join(f"{name} {growth(self.cells, self.what, name):.1f}" for name in self.names)
        return f"Exponents of N between the two largest sizes: {grows}.\n"


@dataclass
class Counts(Times):
    def head(self):
        return [f"{name}: kept" for name in self.names]

    def row(self, cell):
        return [f"{np.median(cell.kept[name]):g}" for name in self.names]


SIZES = {
    quick: [Size(N) for N in ((50, 100) if quick else (50, 100, 200, 400, 800))] for quick in (True, False)
}


def training(quick):
    return Times(
        "Training kernel classifiers",
        "`fit` on `datasets.overlapping(N)`, Gaussian kernel with gamma = 2; lam = 0.3, C = 1, or chosen by "
        "cross-validation (CV).",
        ("N",),
        SIZES[quick],
        "fit",
        (*MACHINES, *(f"{name}, CV" for name in CHOSEN)),
    )


def crossing(quick):
    names = "RVM", "SVM, CV"
    return Times(
        "The RVM and an SVM with its cross-validation",
        "The same on more points.",
        ("N",),
        [Size(N, names) for N in ((50, 100) if quick else (400, 800, 1600, 3200))],
        "fit",
        names,
    )


def predicting(quick):
    about = f"`predict` for {NEW} new points, after the fits with a fixed price."
    return Times(
        "Predicting with kernel classifiers", about, ("N",), SIZES[quick], "predict", tuple(MACHINES)
    )


def keeping(quick):
    about = "Kernels evaluated for each prediction: the points that the machines above have kept."
    return Counts("Points kept by kernel classifiers", about, ("N",), SIZES[quick], "kept", tuple(MACHINES))


HEAD = f"""\
# Kernel classifiers side by side (MLaPP Table 14.1)

Milliseconds of processor time: the fastest of {ROUNDS} calls, after one that does not count, then the median over
{len(_shared.SEEDS)} seeds of the data. The Gaussian process is scikit-learn's, the others are ours. Nothing is promised
here: the book says that the RVM is the fastest to train because cross-validation for an SVM is slow, and that a sparse
machine predicts faster.
"""

if __name__ == "__main__":
    _shared.main(__doc__, HEAD, (training, crossing, predicting, keeping), ("numpy", "scikit-learn", "numba"))
