"""The kernel trick: our ridge regression and components against scikit-learn's, our medoids against FasterPAM.

The rules are those of benchmarks/kernels.py. Timed is the whole way, `fit` to N points and the answers at N others; of
K-medoids the search alone, from a matrix of distances, by the same random starts on both sides. Compared are the
answers, coordinates of components up to their sign, and of K-medoids the cost that was reached.

The rival of K-medoids is the package kmedoids, of the extra `rivals` of pyproject.toml. Where it is not installed, the
report says so.

    python benchmarks/kernel_trick.py            everything, in a few minutes
    python benchmarks/kernel_trick.py --quick    a few small cells on one seed, printed only
"""

from dataclasses import dataclass, field

import _shared  # sets one thread, before numpy is imported
import numpy as np
from kernels import Against, Cell
from scipy.spatial.distance import cdist
from sklearn.decomposition import KernelPCA as TheirPCA
from sklearn.kernel_ridge import KernelRidge as TheirRidge

from sparsekm_edu import Gaussian, KernelPCA, KernelRidge
from sparsekm_edu.solvers import k_medoids

try:
    from kmedoids import fasterpam
except ImportError:
    fasterpam = None

SIZES = 200, 500, 1000, 2000
STARTS = 10
EQUAL = 1e-9  # costs that differ by less, relatively, are the same

# ------------------------------------------------------------------ ridge regression, components


def ridge_data(N, D, seed):
    """N points with their targets, and N new points."""
    rng = np.random.default_rng(seed)
    X, new = rng.normal(size=(2, N, D))
    return X, np.sin(X[:, 0]) + 0.1 * rng.normal(size=N), new


def kernel_ridge(quick):
    return Against(
        "KernelRidge",
        "`KernelRidge(Gaussian(0.1), lam=0.1).fit(X, y).predict(new)` on N points of D standard normal coordinates and "
        "N new ones; `sklearn.kernel_ridge.KernelRidge`.",
        ("N", "D"),
        [
            Cell(
                (N, D),
                lambda seed, N=N, D=D: ridge_data(N, D, seed),
                lambda X, y, new: KernelRidge(Gaussian(0.1), lam=0.1).fit(X, y).predict(new),
                lambda X, y, new: TheirRidge(alpha=0.1, kernel="rbf", gamma=0.1).fit(X, y).predict(new),
            )
            for N in ((60,) if quick else SIZES)
            for D in (5, 50)
        ],
        "scikit-learn",
    )


def kernel_pca(quick):
    return Against(
        "KernelPCA",
        "`KernelPCA(Gaussian(0.1), L).fit(X).transform(new)` on N points of 5 standard normal coordinates and N new "
        "ones; `sklearn.decomposition.KernelPCA` with its own choice of a solver.",
        ("N", "L"),
        [
            Cell(
                (N, L),
                lambda seed, N=N: tuple(np.random.default_rng(seed).normal(size=(2, N, 5))),
                lambda X, new, L=L: np.abs(KernelPCA(Gaussian(0.1), L).fit(X).transform(new)),
                lambda X, new, L=L: np.abs(TheirPCA(L, kernel="rbf", gamma=0.1).fit(X).transform(new)),
            )
            for N in ((60,) if quick else SIZES)
            for L in (2, 8, 20)
        ],
        "scikit-learn",
    )


# ------------------------------------------------------------------ medoids


def distances(N, seed):
    """Of N points around nine places in the plane."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 2)) + 4.0 * rng.integers(3, size=(N, 2))
    return cdist(X, X)


def ours(D, K, seed):
    return k_medoids(D, K, STARTS, seed).cost


def theirs(D, K, seed):
    """FasterPAM from the starts that `k_medoids` draws."""
    rng = np.random.default_rng(seed)
    starts = [rng.choice(len(D), K, replace=False) for _ in range(STARTS)]
    return min(fasterpam(D, start.astype(np.uint64), n_cpu=1).loss for start in starts)


@dataclass
class Search:
    """One line of the table of medoids: times, and the costs that both sides reach, for all seeds."""

    key: tuple
    times: list = field(default_factory=list)  # ms of ours, and of theirs, for each seed
    costs: list = field(default_factory=list)

    def run(self, seeds, most_rounds):
        N, K = self.key
        calls = [ours] if fasterpam is None else [ours, theirs]
        for seed in seeds:
            arguments = distances(N, seed), K, seed
            self.times.append(_shared.medians(calls, arguments, most_rounds))
            self.costs.append([call(*arguments) for call in calls])

    @property
    def excess(self):
        """By how much our cost is above theirs, relatively: the median over the seeds."""
        own, other = np.transpose(self.costs)
        return float(np.median(own / other)) - 1


class Medoids(_shared.Table):
    """Our K-medoids and FasterPAM."""

    def head(self):
        return (
            ("ours, ms",) if fasterpam is None else ("ours, ms", "kmedoids, ms", "ratio", "cost above theirs")
        )

    def row(self, cell):
        times = np.median(cell.times, axis=0)
        if fasterpam is None:
            return [f"{times[0]:.3g}"]
        excess = "0" if abs(cell.excess) < EQUAL else f"{cell.excess:+.1e}"
        return [
            *(f"{time:.3g}" for time in times),
            f"{np.median([own / other for own, other in cell.times]):.2g}",
            excess if cell.excess < EQUAL else f"**{excess} misses**",
        ]

    def misses(self):
        return [] if fasterpam is None else [cell for cell in self.cells if cell.excess >= EQUAL]

    def reason(self, cell):
        return "another local minimum, where no single swap helps either; which is lower is chance"

    def summary(self):
        if fasterpam is None:
            return "The package kmedoids is not installed.\n"
        return (
            f"Target: a cost that is not above theirs; {len(self.misses())} of {len(self.cells)} cells miss it. "
            "Nothing was promised of the times.\n"
        )


def medoids(quick):
    return Medoids(
        "K-medoids",
        f"`k_medoids(D, K, n_starts={STARTS})` on the distances of N points around nine places in the plane; "
        f"`kmedoids.fasterpam` from the same {STARTS} starts, the best end of each.",
        ("N", "K"),
        [Search((N, K)) for N in ((60,) if quick else SIZES) for K in (3, 9, 30)],
    )


HEAD = f"""\
# The kernel trick: times beside scikit-learn's and those of kmedoids

{_shared.HOW_OFTEN}
difference: of the answers, the largest, relative to the largest answer.
"""

if __name__ == "__main__":
    packages = ["numpy", "scipy", "scikit-learn", "numba"] + ["kmedoids"] * (fasterpam is not None)
    _shared.main(__doc__, HEAD, (kernel_ridge, kernel_pca, medoids), packages)
