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


def word_in_all_documents():
    """idf of a word that stands in all documents of the course, by (14.6); and how many documents there are."""
    from sparsekm_edu import datasets
    from sparsekm_edu.kernels import TfIdf

    texts = datasets.documents()[0]
    idf = TfIdf().adapted_to(texts).idf
    return idf["the"], len(texts)


def sign_of_that_word():
    return 1 - int(np.sign(word_in_all_documents()[0]))


def match_of_the_proteins():
    """What the two strings of 14.2.6 share, as `explorers.string_match` opens."""
    from sparsekm_edu.explorers.kernels.strings import StringMatchExplorer, StringMatchState

    return StringMatchExplorer.compute(StringMatchState()).match


def explain_proteins(_):
    match = match_of_the_proteins()
    terms = [f"{piece} ({a} × {b})" for piece, (a, b) in zip(match.names, match.counts, strict=True)]
    return (
        f"They share more than the book mentions: {', '.join(terms)}. A piece that stands once in one string and twice "
        "in the other gives two pairs."
    )


def compared():
    """The pyramid beside the best matching, on 100 random pairs of sets."""
    from sparsekm_edu.lessons.matching import compare_matchings

    return compare_matchings(100)


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
        f"Of 100 random pairs of sets the pyramid found {pairs.mean_ratio:.0%} of the best value on average, and at "
        f"worst {pairs.worst_ratio:.0%}."
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
        "Somebody proposes tanh(<i>xz</i> &minus; 1) as a similarity of two numbers. For 1 and 2 it gives <i>k</i>(1, "
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
        told_by=("np.maximum(K1, K2)", "suffice against both"),
    ),
    Guess(
        "12-c",
        "Our documents all hold the word <i>the</i>. What is its idf by (14.6)?",
        Choice("positive", "exactly 0", "negative"),
        sign_of_that_word,
        lambda truth: (
            "log {0}/(1 + {0}) = {1:.3f}: a little less than nothing. Exactly 0 is the idf of a word that stands in "
            "all documents but one.".format(word_in_all_documents()[1], word_in_all_documents()[0])
        ),
        told_by=(".adapted_to(texts)", r"\log\frac N{1+N}", "explorers.documents("),
    ),
    Guess(
        "12-d",
        "The two proteins have 108 and 148 letters. LQE stands once in the first and twice in the second, which gives "
        "2. How large is their 3-spectrum kernel in all?",
        Number(low=0, high=1000, digits=0),
        lambda: match_of_the_proteins().value,
        explain_proteins,
        told_by=("figures.figure_string_match(", "KHQ"),
    ),
    Guess(
        "12-e",
        "Now measure with a ruler, without a grid: a pair counts 1/2<sup><i>i</i></sup> if a bin of level <i>i</i> "
        "could hold both points, wherever its borders were. Of all matchings take the best. Compared with its "
        "value, that of the pyramid is",
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
    """Eigenvalues (N,), ascending, and eigenvectors (N, N) of a Gram matrix of rank N - 1; rounding is visible."""
    N = int(rng.integers(3, 7))
    Phi = rng.normal(size=(N, N - 1))
    lam, U = np.linalg.eigh(Phi @ Phi.T)
    lam[0] = -1e-16
    return lam, U


def features_of(lam, U):
    """phi(x_i) in row i, (N, N), from eigenvalues lam (N,) and U (N, N) with eigenvectors in its columns, (14.11)."""
    lam = np.maximum(lam, 0)  # what rounding left of 0
    return U * np.sqrt(lam)  # column j times the root of eigenvalue j


def two_strings(rng):
    """Two strings of a few letters, with repetitions, and a length k."""
    x, z = ("".join(rng.choice(list("ab"), size=int(rng.integers(6, 12)))) for _ in range(2))
    return x + "aaa", z + "aaaa", int(rng.integers(1, 4))


def pieces(x, k):
    return [x[i : i + k] for i in range(len(x) - k + 1)]


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
                lambda lam, U: U * np.maximum(lam, 0),
                "each eigenvalue stands in two features, whose product holds it once: take its root",
            ),
            Mistake(
                "the rows scaled instead of the columns",
                lambda lam, U: np.sqrt(np.maximum(lam, 0))[:, None] * U,
                "numpy has the eigenvectors in the columns of U, so column j belongs to eigenvalue j",
            ),
            Mistake(
                "the features in the columns",
                lambda lam, U: (U * np.sqrt(np.maximum(lam, 0))).T,
                "row i of the result belongs to x_i; yours is transposed",
            ),
            Mistake(
                "the root of a negative number",
                lambda lam, U: U * np.sqrt(lam),
                "an eigenvalue that should be 0 can come out as -1e-16: np.maximum(lam, 0)",
            ),
            Mistake(
                "the eigenvectors alone",
                lambda lam, U: U,
                "the rows of U are of length 1 and at right angles; the eigenvalues are missing",
            ),
            Mistake(
                "divided by the roots",
                lambda lam, U: U / np.sqrt(np.maximum(lam, 0)),
                "directions with large eigenvalues count more, not less: multiply",
            ),
        ),
        hints=(
            "numpy's K = U diag(lam) U'. Split diag(lam) into two equal factors, one for each U.",
            "U * v multiplies column j of U by v[j]. Which v? And make sure that no root is taken of -1e-16.",
        ),
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
        ),
        hints=(
            "counts > 0 says who holds what. Sum it over the documents, which are the rows.",
            "tf = np.log(1 + counts) has shape (N, V), idf has shape (V,), and tf * idf multiplies column by column.",
        ),
    ),
)
