"""Our kernels against scikit-learn's, and how their times grow. Into benchmarks/results.md.

The rules: one thread; the whole way from the inputs to the dense Gram matrix on both sides; ours and theirs take turns
in the same run, in an order that is reversed every other round, after a call of each that does not count. Both matrices
are compared, too: a quick answer must be the right one.

    python benchmarks/kernels.py            everything, in a few minutes
    python benchmarks/kernels.py --quick    a few small cells on one seed, printed only
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import _shared  # sets one thread, before numpy is imported
import numpy as np
from _shared import mark
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.gaussian_process import kernels as theirs
from sklearn.metrics.pairwise import linear_kernel

from sparsekm_edu.datasets import AMINO_ACIDS
from sparsekm_edu.kernels import AllSubstrings, Fisher, MarkovChain, Matern, PyramidMatch, Spectrum, TfIdf

TARGET = 1.0  # the largest ratio of times allowed, ours / theirs

# ------------------------------------------------------------------ measuring


@dataclass
class Cell(_shared.Compared):
    """One line of a table: one kernel on inputs of one size, for all seeds."""

    key: tuple
    data: Callable  # of the seed: the arguments of the calls
    ours: Callable
    theirs: Callable | None = None
    times: list = field(default_factory=list)  # ms of ours, and of theirs, for each seed
    off: float = 0.0  # largest difference of the matrices, relative to the largest entry

    def run(self, seeds, most_rounds):
        calls = [self.ours] if self.theirs is None else [self.ours, self.theirs]
        for seed in seeds:
            arguments = self.data(seed)
            self.times.append(_shared.medians(calls, arguments, most_rounds))
            K, *others = (call(*arguments) for call in calls)
            self.off = max([self.off, *(np.abs(K - other).max() / np.abs(K).max() for other in others)])


@dataclass
class Against(_shared.Table):
    """A kernel of ours and the same one by somebody else, `rival`."""

    rival: str

    def head(self):
        return "ours, ms", f"{self.rival}, ms", "ratio", "difference"

    def row(self, cell):
        ours, theirs = cell.ms
        return f"{ours:.3g}", f"{theirs:.3g}", mark(cell.ratio, cell.ratio <= TARGET), f"{cell.off:.0e}"

    def misses(self):
        return [cell for cell in self.cells if cell.ratio > TARGET]

    def reason(self, cell):
        return f"{cell.ms[0]:.3g} ms against {cell.ms[1]:.3g} ms"

    def summary(self):
        ratios = [cell.ratio for cell in self.cells]
        return (
            f"Ratio: median {np.median(ratios):.2g}, largest {max(ratios):.2g}. Target: at most {TARGET:g}; "
            f"{len(self.misses())} of {len(ratios)} cells miss it.\n"
        )


@dataclass
class Growth(_shared.Table):
    """A kernel of ours alone: its time, and the time for each of the parts that there are more and more of."""

    part: str  # what is counted
    parts: Callable  # of a key: how many there are

    def head(self):
        return "ms", f"ns for each {self.part}"

    def row(self, cell):
        return f"{cell.ms[0]:.3g}", f"{1e6 * cell.ms[0] / self.parts(*cell.key):.3g}"

    def misses(self):
        return []  # nothing was promised but a small exponent

    def summary(self):
        each = [1e6 * cell.ms[0] / self.parts(*cell.key) for cell in self.cells]
        return f"Between {min(each):.3g} and {max(each):.3g} ns for each {self.part}.\n"


# ------------------------------------------------------------------ vectors


def matern(quick):
    orders = (0.5, 1.5, 2.5, 1.2, 10.0, 30.0, np.inf)
    sizes = [(40, 2)] if quick else [(300, 2), (2000, 2), (2000, 20)]
    return Against(
        "Matern",
        "`Matern(nu, length=0.7)(X)` on N points of D standard normal coordinates; `sklearn.gaussian_process.kernels."
        "Matern`.",
        ("N", "D", "nu"),
        [
            Cell(
                (N, D, nu),
                lambda seed, N=N, D=D: (np.random.default_rng(seed).normal(size=(N, D)),),
                Matern(nu, 0.7),
                theirs.Matern(0.7, nu=nu),
            )
            for N, D in sizes
            for nu in orders
        ],
        "scikit-learn",
    )


# ------------------------------------------------------------------ documents


def random_documents(N, length, seed, vocabulary=5000):
    """N documents of so many words, few words being frequent and many rare."""
    rng = np.random.default_rng(seed)
    frequency = 1 / np.arange(1, vocabulary + 1)
    chosen = rng.choice(vocabulary, size=(N, length), p=frequency / frequency.sum())
    return [" ".join(f"word{number}" for number in row) for row in chosen]


def tf_idf(quick):
    sizes = [(10, 20), (20, 20)] if quick else [(100, 100), (400, 100), (1600, 100), (100, 400), (100, 1600)]
    return Growth(
        "TfIdf",
        "`TfIdf()(X)`: words, idf, Gram matrix, for N random documents.",
        ("N", "words"),
        [Cell((N, D), lambda seed, N=N, D=D: (random_documents(N, D, seed),), TfIdf()) for N, D in sizes],
        "word",
        lambda N, D: N * D,
    )


# ------------------------------------------------------------------ strings


def random_strings(N, length, seed, letters=AMINO_ACIDS):
    """N strings whose letters are drawn evenly."""
    rng = np.random.default_rng(seed)
    return ["".join(row) for row in rng.choice(list(letters), size=(N, length))]


def count_vectorizer(k):
    def gram(X):
        counts = CountVectorizer(analyzer="char", ngram_range=(k, k), lowercase=False).fit_transform(X)
        return linear_kernel(counts)

    return gram


def spectrum(quick):
    sizes = (
        [(30, 50, 3)]
        if quick
        else [(500, 300, k) for k in (1, 2, 3, 4, 5, 8)] + [(50, 300, 3), (2000, 300, 3)]
    )
    return Against(
        "Spectrum against CountVectorizer",
        '`Spectrum(k)(X)` on N random strings over 20 letters; `CountVectorizer(analyzer="char", ngram_range=(k, k), '
        "lowercase=False)` and `linear_kernel`.",
        ("N", "letters", "k"),
        [
            Cell(
                (N, D, k),
                lambda seed, N=N, D=D: (random_strings(N, D, seed),),
                Spectrum(k),
                count_vectorizer(k),
            )
            for N, D, k in sizes
        ],
        "CountVectorizer",
    )


def two_strings(quick):
    lengths = (100, 200) if quick else (1000, 10_000, 100_000)
    alphabets = {2: "ab", 20: AMINO_ACIDS, 5000: [chr(0x4E00 + n) for n in range(5000)]}
    return Growth(
        "AllSubstrings of two long strings",
        "`AllSubstrings()([x], [z])`, x and z of equal length, letters drawn from alphabets of several sizes. The "
        "steps for each letter do not become more, but the tables of a long string outgrow the processor's caches.",
        ("alphabet", "letters"),
        [
            Cell(
                (A, D),
                lambda seed, A=A, D=D: [[x] for x in random_strings(2, D, seed, alphabets[A])],
                AllSubstrings(),
            )
            for A in alphabets
            for D in lengths
        ],
        "letter",
        lambda A, D: 2 * D,
    )


def many_strings(quick):
    return Growth(
        "AllSubstrings of many strings",
        "`AllSubstrings()(X)` on N random strings of 300 letters over an alphabet of 20.",
        ("N",),
        [
            Cell((N,), lambda seed, N=N: (random_strings(N, 300, seed),), AllSubstrings())
            for N in ((5, 10) if quick else (50, 100, 200, 400))
        ],
        "letter of each pair",
        lambda N: 300 * N * (N + 1) / 2,
    )


def markov_chains(quick):
    sizes = (
        [(10, 20), (10, 40)] if quick else [(100, 300), (400, 300), (1600, 300), (100, 3000), (100, 30_000)]
    )
    return Growth(
        "Fisher kernel of a Markov chain",
        "`Fisher(MarkovChain(AMINO_ACIDS))(X)`: theta-hat, scores, Gram matrix, for N random strings over 20 letters.",
        ("N", "letters"),
        [
            Cell(
                (N, D), lambda seed, N=N, D=D: (random_strings(N, D, seed),), Fisher(MarkovChain(AMINO_ACIDS))
            )
            for N, D in sizes
        ],
        "letter",
        lambda N, D: N * D,
    )


# ------------------------------------------------------------------ sets


def random_sets(N, m, seed, d=2):
    """N sets of m points each, spread evenly over [0, 8]^d."""
    return list(np.random.default_rng(seed).uniform(0, 8, size=(N, m, d)))


def pyramids(quick):
    sizes = [(10, 5), (10, 10)] if quick else [(100, 40), (200, 40), (400, 40), (200, 10), (200, 160)]
    return Growth(
        "PyramidMatch",
        "`PyramidMatch(levels=4)(X)` on N sets of so many points in the plane, evenly over 8 x 8 bins.",
        ("N", "points"),
        [
            Cell((N, m), lambda seed, N=N, m=m: (random_sets(N, m, seed),), PyramidMatch(levels=4))
            for N, m in sizes
        ],
        "point of each pair of sets",
        lambda N, m: m * N * (N + 1) / 2,
    )


TABLES = (matern, tf_idf, spectrum, two_strings, many_strings, markov_chains, pyramids)


HEAD = f"""\
# Kernels: times beside scikit-learn's, and how they grow

{_shared.HOW_OFTEN}
difference: of the two Gram matrices, the largest, relative to the largest entry.
"""

if __name__ == "__main__":
    _shared.main(__doc__, HEAD, TABLES, ("numpy", "scipy", "scikit-learn", "numba"))
