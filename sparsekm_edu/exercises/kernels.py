"""Notebook 12: guesses and cells to fill."""

from collections import Counter

import numpy as np

from sparsekm_edu.exercises.guesses import Choice, Guess, Number
from sparsekm_edu.exercises.tasks import Mistake, Task

# ---- guesses --------------------------------------------------------------------------------------------


def tanh_of_two_points():
    """The witness of tanh(x z - 1) at x = 1 and 2."""
    from sparsekm_edu.kernels import Sigmoid, mercer_witness

    return mercer_witness(Sigmoid(scale=1.0, offset=-1.0), [[1.0], [2.0]])


def features_of_tanh():
    return 0 if tanh_of_two_points().is_psd else 2


RULES = {
    "the sum": np.add,
    "the product": np.multiply,
    "the larger of the two": np.maximum,
    "the difference": np.subtract,
}


def smallest_eigenvalue(rule, one, other, X):
    return np.linalg.eigvalsh(rule(one(X), other(X)))[0]


def smallest_eigenvalues():
    """Of the Gram matrices on small grids that each rule makes of two Mercer kernels: the smallest of all."""
    from sparsekm_edu.kernels import Gaussian, Linear, Polynomial

    kernels = Linear(), Gaussian(0.5), Gaussian(0.1), Polynomial(2)
    grids = [np.arange(low, low + n)[:, None] for low in (-1.0, 0.0, 1.0) for n in (2, 3, 4)]
    trials = [(one, other, X) for one in kernels for other in kernels for X in grids]
    return {name: min(smallest_eigenvalue(rule, *trial) for trial in trials) for name, rule in RULES.items()}


def rules_that_hold():
    """How many of the rules never make a negative eigenvalue, beyond rounding."""
    return sum(smallest > -1e-9 for smallest in smallest_eigenvalues().values())


def explain_rules(_):
    from sparsekm_edu.kernels import Gaussian, Linear

    larger, difference = (
        smallest_eigenvalue(RULES[name], Linear(), Gaussian(0.5), np.array([[0.0], [1.0], [2.0]]))
        for name in ("the larger of the two", "the difference")
    )
    return (
        "Sum and product always do; the page shows why. Take <i>xz</i> and a Gaussian at 0, 1 and 2: their difference "
        f"has the eigenvalue {difference:.3f}, and the larger of the two, pair by pair, still has {larger:.3f}. Each "
        "number is a fair similarity, but they do not fit together."
    )


def documents():
    """The texts of the course."""
    from sparsekm_edu import datasets

    return datasets.documents()[0]


def idf_of(holders):
    """By (14.6), of a word that so many of the documents hold; the library learns it from as many texts."""
    from sparsekm_edu.kernels import TfIdf

    N = len(documents())
    return TfIdf().adapted_to(["word"] * holders + ["other"] * (N - holders)).idf["word"]


def words_that_count_for_nothing():
    """Which of the choices it is: all N, N - 1, N / 2 documents, or none of these."""
    N = len(documents())
    return [*(idf_of(holders) == 0 for holders in (N, N - 1, N // 2)), True].index(True)


def explain_idf(_):
    N = len(documents())
    return (
        "Those in all but one: log(<i>N</i>/<i>N</i>) = 0. The word <i>the</i>, which all of our documents hold, gets "
        f"log({N}/{N + 1}) = {idf_of(N):.3f}, a little less than nothing, and so counts again, if not much."
    )


def proteins_by_chance():
    """The mean 3-spectrum kernel of random strings, as long as the two proteins and with as many of each letter."""
    from sparsekm_edu import datasets
    from sparsekm_edu.lessons.substrings import spectrum_by_chance

    return spectrum_by_chance(*datasets.two_proteins(), 3)


CHANCES = 0.04, 0.4, 4.4, 44.0


def compared():
    """The pyramid beside the best matching, as the page compares them."""
    from sparsekm_edu.lessons.matching import compare_matchings

    return compare_matchings(200)


def pyramid_beside_the_best():
    """0 if the pyramid never finds more than the best matching, 1 if never less, 2 if it depends."""
    pairs = compared()
    ahead = pairs.kernel - pairs.best
    return 0 if (ahead <= 1e-9).all() else 1 if (ahead >= -1e-9).all() else 2


def explain_pyramid(_):
    pairs = compared()
    return (
        "Two points that share a bin are less than its side apart, so whatever the pyramid pairs may be paired by the "
        "ruler, for the same price or more. But two neighbours on either side of a border must wait for coarser bins. "
        f"Of {len(pairs.kernel)} random pairs of sets in the plane the pyramid found {pairs.mean_ratio:.0%} of the "
        f"best value on average, and at worst {pairs.worst_ratio:.0%}."
    )


def overlap_with_itself(sigma):
    """The area below p(u|x)^2 for a Gaussian p of this width, as `explorers.overlap` sums it."""
    from sparsekm_edu.explorers.kernels.generative import OverlapExplorer, OverlapState

    return OverlapExplorer.compute(OverlapState(sigma=sigma, x=0.0, z=0.0)).area


def when_they_get_narrower():
    return 1 + int(np.sign(overlap_with_itself(0.5) - overlap_with_itself(1.0)))


GUESSES = (
    Guess(
        "12-a",
        "Let tanh(<i>xz</i> &minus; 1) be the similarity of two numbers. For 1 and 2 it gives <i>k</i>(1, "
        "1) = 0, <i>k</i>(1, 2) = 0.762 and <i>k</i>(2, 2) = 0.995. Are there vectors &phi;(1) and &phi;(2), of any "
        "dimension, whose inner products are these three numbers?",
        Choice("yes, in the plane", "yes, but only in more dimensions", "no, in none"),
        features_of_tanh,
        lambda truth: (
            "&phi;(1) would have the squared length <i>k</i>(1, 1) = 0, so it would be the vector 0, and its inner "
            "product with anything is 0. But <i>k</i>(1, 2) is not. The smallest eigenvalue of the three numbers' "
            f"matrix is {tanh_of_two_points().value:.3f}. That no entry is negative says nothing."
        ),
        told_by=("mercer_witness(tanh", "=-0.412"),
    ),
    Guess(
        "12-b",
        f"From two Mercer kernels we make a third: {', '.join(RULES)}. How many of these four rules always give a "
        "Mercer kernel, whatever the two are?",
        Number(low=0, high=4, digits=0),
        rules_that_hold,
        explain_rules,
        told_by=("np.maximum(K1, K2)", "give a negative eigenvalue: no rule"),
    ),
    Guess(
        "12-c",
        "A word with idf 0 counts for nothing, however often it is used. Which words are these, by (14.6)?",
        Choice("those in all documents", "those in all documents but one", "those in half of them", "none"),
        words_that_count_for_nothing,
        explain_idf,
        told_by=(".adapted_to(texts)", r"\log\frac N{1+N}", "explorers.documents("),
    ),
    Guess(
        "12-d",
        "Now draw two strings at random, as long as these two, each letter on its own and as often as it occurs there. "
        "How large is their 3-spectrum kernel, on average?",
        Choice(*(f"about {value:g}" for value in CHANCES)),
        lambda: int(np.argmin(np.abs(np.log(np.array(CHANCES) / proteins_by_chance())))),
        lambda truth: (
            f"{proteins_by_chance():.2f}: chance alone gives as much as the two proteins share. There are more than "
            "15 000 pairs of places, and the common letters are far more common than one in twenty."
        ),
        told_by=("spectrum_by_chance(*", "Two places agree"),
    ),
    Guess(
        "12-e",
        "Now measure with a ruler, without borders: a pair counts 1/2<sup><i>i</i></sup>, where <i>i</i> is the "
        "smallest level with 2<sup><i>i</i></sup> greater than the distance of its two points. Of all matchings "
        "take the best. Compared with its value, that of the pyramid is",
        Choice("never larger", "never smaller", "sometimes larger, sometimes smaller"),
        pyramid_beside_the_best,
        explain_pyramid,
        told_by=("figures.figure_14_1(", "explorers.pyramid(", "compare_matchings("),
    ),
    Guess(
        "12-f",
        "Two Gaussians lie exactly on top of each other, and &rho; = 1. You make both narrower. What does their "
        "overlap, the area below the product, do?",
        Choice("it shrinks", "it stays the same", "it grows"),
        when_they_get_narrower,
        lambda truth: (
            "The area of each stays 1, but not that of the product: a density half as wide is twice as high, and its "
            f"square four times. From &sigma; = 1 to 0.5 the overlap goes from {overlap_with_itself(1.0):.3f} to "
            f"{overlap_with_itself(0.5):.3f}, by 1/(2&sigma;&radic;&pi;). It stays the same only for &rho; = 1/2."
        ),
        told_by=("explorers.overlap(", "the integral}"),
    ),
)


# ---- cells to fill --------------------------------------------------------------------------------------


def decomposed(rng):
    """Eigenvalues (N,), ascending, and eigenvectors (N, N) of a Gram matrix of rank N - 1; none is negative."""
    N = int(rng.integers(3, 7))
    Phi = rng.normal(size=(N, N - 1))
    lam, U = np.linalg.eigh(Phi @ Phi.T)
    lam[0] = 0.0  # and not what rounding leaves of it: the formula of the page has to pass as it stands
    return lam, U


def features_of(lam, U):
    """phi(x_i) in row i, (N, N), by (14.12), from eigenvalues lam (N,) >= 0 and U (N, N), eigenvectors in columns."""
    lam = np.maximum(lam, 0)  # of real matrices: rounding can leave -1e-16 for 0
    return U * np.sqrt(lam)  # (14.12): column j times the root of eigenvalue j


def two_strings(rng):
    """Two strings of a few letters, with repetitions, and a length k."""
    x, z = ("".join(rng.choice(list("ab"), size=int(rng.integers(6, 12)))) for _ in range(2))
    return x + "aaa", z + "aaaa", int(rng.integers(1, 4))


def pieces(x, k):
    return [x[i : i + k] for i in range(len(x) - k + 1)]


def stumps(x, k):
    """The pieces, and what is shorter at the end of x."""
    return Counter(x[i : i + k] for i in range(len(x)))


def spectrum(x, z, k):
    """Sum over all strings s of k letters of phi_s(x) phi_s(z): how often s stands in x, times how often in z."""
    in_x = Counter(x[i : i + k] for i in range(len(x) - k + 1))
    in_z = Counter(z[i : i + k] for i in range(len(z) - k + 1))
    return sum(in_x[s] * in_z[s] for s in in_x)


def shared(join):
    """Wrong answers that join the two counts of a piece in another way."""

    def wrong(x, z, k):
        in_x, in_z = Counter(pieces(x, k)), Counter(pieces(z, k))
        return sum(join(in_x[s], in_z[s]) for s in in_x if s in in_z)

    return wrong


def counts_of_words(rng):
    """How often each of V words stands in each of N documents, (N, V); every word stands in one at least."""
    N, V = int(rng.integers(4, 8)), int(rng.integers(3, 6))
    counts = rng.poisson(0.8, size=(N, V))
    counts[rng.integers(N, size=V), np.arange(V)] += 2
    counts[:, 0] += 1  # a word in all documents
    return (counts,)


def tf_idf(counts):
    """The vectors (14.7), (N, V), of N documents in which word j stands counts[i, j] times."""
    N = len(counts)
    tf = np.log(1 + counts)  # (14.5)
    idf = np.log(N / (1 + np.sum(counts > 0, axis=0)))  # (14.6)
    return tf * idf  # (14.7)


TASKS = (
    Task(
        "12-features",
        "return the features, phi(x_i) in row i, so that the inner products of the rows are K",
        decomposed,
        features_of,
        mistakes=(
            Mistake(
                "the eigenvalues instead of their roots",
                lambda lam, U: U * lam,
                "each eigenvalue stands in two features, whose product holds it once: take its root",
            ),
            Mistake(
                "the rows scaled instead of the columns",
                lambda lam, U: np.sqrt(lam)[:, None] * U,
                "numpy has the eigenvectors in the columns of U, so column j belongs to eigenvalue j",
            ),
            Mistake(
                "the features in the columns",
                lambda lam, U: (U * np.sqrt(lam)).T,
                "row i of the result belongs to x_i; yours is transposed",
            ),
            Mistake(
                "the eigenvectors alone",
                lambda lam, U: U,
                "the rows of U are of length 1 and at right angles; the eigenvalues are missing",
            ),
            Mistake(
                "divided by the roots",
                lambda lam, U: U / np.sqrt(lam),
                "directions with large eigenvalues count more, not less: multiply",
            ),
        ),
        hints=(
            "numpy's K = U diag(lam) U'. Split diag(lam) into two equal factors, one for each U.",
            "U * v multiplies column j of U by v[j]. Which v?",
        ),
        up_to=("inner products of the rows", lambda Phi: Phi @ Phi.T),
    ),
    Task(
        "12-spectrum",
        "return the sum over all pieces s of k letters: how often s stands in x, times how often in z",
        two_strings,
        spectrum,
        mistakes=(
            Mistake(
                "each common piece counted once",
                shared(lambda a, b: 1),
                "a piece that stands twice in x and three times in z counts 2 · 3 = 6",
            ),
            Mistake(
                "the smaller of the two counts instead of their product",
                shared(min),
                "(14.22) multiplies the two counts; the smaller one comes in section 6, with sets",
            ),
            Mistake(
                "the two counts added",
                shared(lambda a, b: a + b),
                "an inner product multiplies what stands at the same place",
            ),
            Mistake(
                "overlaps left out",
                lambda x, z, k: sum(x.count(s) * z.count(s) for s in set(pieces(x, k))),
                'str.count skips overlaps: it finds "aa" once in "aaa", and there are two',
            ),
            Mistake(
                "the last piece forgotten",
                lambda x, z, k: sum(
                    a * Counter(pieces(z[:-1], k))[s] for s, a in Counter(pieces(x[:-1], k)).items()
                ),
                "a string of n letters has n - k + 1 pieces, and range(n - k) ends one too early",
            ),
            Mistake(
                "stumps at the end",
                lambda x, z, k: sum(a * stumps(z, k)[s] for s, a in stumps(x, k).items()),
                "range(len(x)) goes on where no k letters are left: stop at len(x) - k + 1",
            ),
            Mistake(
                "a piece counted anew at each of its places",
                lambda x, z, k: sum(x.count(s) * z.count(s) for s in pieces(x, k)),
                "each different piece counts once with its number in x: set(...); and str.count skips overlaps",
            ),
            Mistake(
                "overlaps left out in z",
                lambda x, z, k: sum(z.count(s) for s in pieces(x, k)),
                'str.count skips overlaps: it finds "aa" once in "aaa", and there are two',
            ),
            Mistake(
                "single letters instead of pieces",
                lambda x, z, k: spectrum(x, z, 1),
                "the pieces have k letters: x[i : i + k]",
            ),
            Mistake(
                "all pieces up to k letters",
                lambda x, z, k: sum(spectrum(x, z, length) for length in range(1, k + 1)),
                "the k-spectrum has pieces of exactly k letters",
            ),
        ),
        hints=(
            "The pieces of x are x[i : i + k] for i in range(len(x) - k + 1). Counter counts them.",
            "With in_x and in_z such Counters, add up in_x[s] * in_z[s] over all s; what is missing counts 0.",
        ),
        instances=12,
    ),
    Task(
        "12-tfidf",
        "return the vectors (14.7), one row for each document",
        counts_of_words,
        tf_idf,
        mistakes=(
            Mistake(
                "the counts instead of their logarithms",
                lambda counts: counts * np.log(len(counts) / (1 + np.sum(counts > 0, axis=0))),
                "tf(x) = log(1 + x), (14.5), so that the tenth time counts less than the first",
            ),
            Mistake(
                "the 1 left out in (14.6)",
                lambda counts: np.log(1 + counts) * np.log(len(counts) / np.sum(counts > 0, axis=0)),
                "the denominator is 1 + the number of documents that hold the word",
            ),
            Mistake(
                "occurrences counted instead of documents",
                lambda counts: np.log(1 + counts) * np.log(len(counts) / (1 + np.sum(counts, axis=0))),
                "a document that holds a word five times still is one document: counts > 0",
            ),
            Mistake(
                "words instead of documents",
                lambda counts: (
                    np.log(1 + counts) * np.log(counts.shape[1] / (1 + np.sum(counts > 0, axis=0)))
                ),
                "N is the number of documents, the rows of counts",
            ),
            Mistake(
                "summed along the wrong axis",
                lambda counts: (
                    np.log(1 + counts) * np.log(len(counts) / (1 + np.sum(counts > 0, axis=1)))[:, None]
                ),
                "idf belongs to a word: count over the documents, axis=0",
            ),
            Mistake(
                "the fraction upside down",
                lambda counts: np.log(1 + counts) * np.log((1 + np.sum(counts > 0, axis=0)) / len(counts)),
                "rare words must weigh more: N stands above",
            ),
            Mistake(
                "idf alone",
                lambda counts: (counts > 0) * np.log(len(counts) / (1 + np.sum(counts > 0, axis=0))),
                "(14.7) is a product of two factors; tf is missing",
            ),
            Mistake(
                "the two factors added",
                lambda counts: np.log(1 + counts) + np.log(len(counts) / (1 + np.sum(counts > 0, axis=0))),
                "(14.7) multiplies tf and idf, so that a word that is not there counts 0",
            ),
            Mistake(
                "idf cut off at 0",
                lambda counts: (
                    np.log(1 + counts) * np.maximum(np.log(len(counts) / (1 + np.sum(counts > 0, axis=0))), 0)
                ),
                "a sensible wish, but (14.6) may be negative: take it as it stands",
            ),
            Mistake(
                "the rows already of length 1",
                lambda counts: tf_idf(counts) / np.linalg.norm(tf_idf(counts), axis=1, keepdims=True),
                "the lengths are divided out in (14.8), the next step",
            ),
        ),
        hints=(
            "counts > 0 says who holds what. Sum it over the documents, which are the rows.",
            "tf = np.log(1 + counts) has shape (N, V), idf has shape (V,), and tf * idf multiplies column by column.",
        ),
    ),
)
