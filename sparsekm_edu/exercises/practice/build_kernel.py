"""Build it: a string kernel that sees what the spectrum kernel cannot, on a family that nobody has learned from."""

from collections import Counter
from functools import cache
from itertools import product

import numpy as np

from sparsekm_edu.datasets.sequences import AMINO_ACIDS
from sparsekm_edu.exercises.comparing import DIFFERENT
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.kernels import Spectrum
from sparsekm_edu.solvers import smo, soft_margin

PAIRS = 5  # of letters in the pattern of a clan, with one letter of the family between two of them
LETTERS = 24  # of a string
EDGE = 4  # of them, at least, before and behind the pattern: no end of a string tells anything
FAMILIES = 3  # of each clan, to learn from; one more is held out
EACH, HELD_OUT = 2, 5  # strings of each family, and of the one that is held out
LEARNED, JUDGED = 2 * FAMILIES * EACH, 2 * HELD_OUT  # strings of both clans together
STRINGS = LEARNED + JUDGED  # before the short words
# On these words the usual similarities that are no kernels have a negative eigenvalue.
SHORT = ["a" + "".join(end) for length in (2, 3, 4, 5) for end in product("ab", repeat=length)]
# In these a piece stands more than once, here more often than there: who counts in one string only is found out.
LONG = ["a" * 9, "ab" * 4, "ab" * 6, "aab" * 4, "abb" * 3, "aabb" * 3, "aaabb" * 2, "abbab" * 2]
WORDS = SHORT + LONG
# Whether the names of letters have a say is seen in these, and in some strings that come once more in other letters.
SAME_LETTERS = [7 * letter for letter in AMINO_ACIDS]
COPIED = 4  # strings
C = 10.0
LONGEST = 5  # letters in a piece, of the spectrum kernels to beat
SPECTRUM_ERRS = 4  # at least, on the draws that we keep
RELATIVE = 1e-8  # rounding errors of a Gram matrix


# ---- two clans of strings -------------------------------------------------------------------------------


class Clans:
    """Two clans, drawn at random: the same pairs of letters in two orders, and between them letters of the family."""

    def __init__(self, rng):
        self.rng = rng
        letters = rng.permutation(len(AMINO_ACIDS))
        self.pairs, rest = letters[: 2 * PAIRS].reshape(PAIRS, 2), letters[2 * PAIRS :]
        order = rng.permutation(PAIRS)
        while np.any(np.diff(order) == 1):  # no two pairs are neighbours in both clans
            order = rng.permutation(PAIRS)
        self.orders = np.arange(PAIRS), order
        known, new = rest[: len(rest) // 2], rest[len(rest) // 2 :]
        self.between = [rng.choice(known, PAIRS - 1) for _ in range(FAMILIES)] + [rng.choice(new, PAIRS - 1)]

    def string(self, clan, family):
        """One string, and where its pattern begins and ends."""
        middle = [*self.between[family], None]
        pattern = [
            letter for pair, one in zip(self.orders[clan], middle) for letter in (*self.pairs[pair], one)
        ][:-1]
        x = self.rng.integers(len(AMINO_ACIDS), size=LETTERS)
        # the held-out families stand elsewhere: comparing strings place by place leads nowhere
        start = EDGE + (self.rng.integers(2) if family < FAMILIES else 2)
        x[start : start + len(pattern)] = pattern
        return "".join(AMINO_ACIDS[letter] for letter in x), start, start + len(pattern)

    def strings(self):
        """The strings to learn from, then those of the families that are held out; the two clans take turns."""
        families = [family for family in range(FAMILIES) for _ in range(EACH)] + HELD_OUT * [FAMILIES]
        return [self.string(clan, family)[0] for family in families for clan in (0, 1)]


def two_clans(rng):
    """The strings of a draw on which no spectrum kernel is lucky, words, copies; all once more in another order."""
    X = Clans(rng).strings()
    while errors_of_spectrum(tuple(X)) < SPECTRUM_ERRS:
        X = Clans(rng).strings()
    letters = "".join(AMINO_ACIDS[letter] for letter in rng.permutation(len(AMINO_ACIDS)))
    X += [word.translate(str.maketrans("ab", letters[:2])) for word in WORDS] + SAME_LETTERS
    X += [x.translate(str.maketrans(letters, letters[1:] + letters[0])) for x in X[:COPIED]]
    return X, [X[n] for n in rng.permutation(len(X))]


def held_out_errors(K):
    """Errors on the held-out strings, of a support vector machine with the Gram matrix K of all strings."""
    cosines, learn, judged = cosine(K), slice(LEARNED), slice(LEARNED, STRINGS)
    t = np.where(np.arange(STRINGS) % 2 == 0, 1.0, -1.0)
    found = smo(soft_margin(cosines[learn, learn], t[learn], C))
    y = cosines[judged, learn] @ (found.a * t[learn]) + found.b  # (7.13)
    return int(np.sum(y * t[judged] <= 0))


@cache  # asked for when strings are drawn, and again when an answer is judged
def errors_of_spectrum(X):
    """The fewest that a spectrum kernel makes on the strings X, a tuple."""
    return min(held_out_errors(Spectrum(k)(X)) for k in range(1, LONGEST + 1))


def example():
    """Strings of one draw, their patterns in capitals, those around them in small letters."""
    clans, lines = Clans(np.random.default_rng(3)), []
    for family, name in enumerate(["family 1", "family 2", "family 3", "held out"]):
        words = [name]
        for clan in (0, 1):
            x, start, end = clans.string(clan, family)
            words.append(x[:start].lower() + x[start:end] + x[end:].lower())
        lines.append("    ".join(words))
    return "\n".join([f"            {'clan A':{LETTERS}}    clan B", *lines])


# ---- the cosine -----------------------------------------------------------------------------------------


def some_gram(rng):
    """A Gram matrix of features of very different lengths."""
    N = int(rng.integers(3, 6))
    Phi = rng.uniform(0.3, 4, size=(N, 1)) * rng.normal(size=(N, N + 2))
    return (Phi @ Phi.T,)


def cosine(K):
    """The cosine of the angle between any two features, (N, N), from the Gram matrix K (N, N) of all of them."""
    lengths = np.sqrt(np.diag(K))
    return K / np.outer(lengths, lengths)


def cosine_of_features(K):
    features = np.linalg.cholesky(K)
    units = features / np.linalg.norm(features, axis=1, keepdims=True)
    return units @ units.T


# ---- the kernel -----------------------------------------------------------------------------------------


def gram(X, Z):
    """k(x, z) of every string x in the list X, in rows, with every string z in the list Z, in columns."""

    def pieces(x):
        """The pieces of four letters that stand in x, the third of which may be any."""
        return [x[i : i + 2] + "?" + x[i + 3] for i in range(len(x) - 3)]

    rows, columns = [pieces(x) for x in X], [pieces(z) for z in Z]
    # a piece that stands n times in x and m times in z counts n m times
    return np.array([[sum(q.count(s) for s in p) for q in columns] for p in rows])


def beats_the_spectrum(value, X, Z):
    """None if value is the matrix of a kernel with half as many errors as the best spectrum kernel, else a sentence."""
    K = np.asarray(value, float)
    if K.shape != (len(X), len(Z)):
        return f"It returns an array of shape {K.shape}, and a matrix of shape {(len(X), len(Z))} is wanted."
    if not np.isfinite(K).all():
        n, m = np.argwhere(~np.isfinite(K))[0]
        return (
            f"k({X[n]}, {Z[m]}) is {K[n, m]}. A word too short to have features has k(x, x) = 0: no divisor."
        )
    if of_one_list(K, X, Z) or exchanged(K, X, Z):  # no entry is what its place says
        return DIFFERENT
    K = in_one_order(K, X, Z)
    if asymmetric(K):
        n, m = np.unravel_index(np.argmax(np.abs(K - K.T)), K.shape)
        return (
            f"The row of {X[n]} has {K[n, m]:.4g} in the column of {X[m]}, and the row of {X[m]} has {K[m, n]:.4g} "
            f"in the column of {X[n]}."
        )
    if not lengths_are_possible(K):
        n = np.argmin(np.diag(K)[:STRINGS])
        return f"k(x, x) is {K[n, n]:.3g} for x = {X[n]}: features that are not all 0 have a positive square."
    if not_semidefinite(K):
        return f"The matrix has the eigenvalue {np.linalg.eigvalsh(K).min():.3g}: it is no matrix of inner products."
    if differs_in_other_letters(K):
        return what_differs_in_other_letters(K, X)
    wrong, spectrum = held_out_errors(K[:STRINGS, :STRINGS]), errors_of_spectrum(tuple(X[:STRINGS]))
    if 2 * wrong <= spectrum:
        return None
    return (
        f"Of the {JUDGED} held-out strings {wrong} are taken for the other clan. The best spectrum kernel errs "
        f"{spectrum} times; at most {spectrum // 2} are wanted."
    )


def in_one_order(K, X, Z):
    """The matrix with its columns in the order of its rows."""
    return K[:, [Z.index(x) for x in X]]


def asymmetric(K):
    return np.abs(K - K.T).max() > RELATIVE * np.abs(K).max()


def lengths_are_possible(K):
    """Long strings have features; a short word may have none."""
    squares = np.diag(K)
    return np.all(squares[:STRINGS] > 0) and np.all(squares >= 0)


def not_semidefinite(K):
    there = np.diag(K) > 0
    if np.any(K[~there]):  # a feature of length 0 has no inner products
        return True
    values = np.linalg.eigvalsh(cosine(K[there][:, there]))
    return values.min() < -RELATIVE * values.max()


def entries_to_agree():
    """Four arrays n, m, u, v: strings u and v are n and m in other letters, so that K[n, m] has to be K[u, v]."""
    first = STRINGS + len(WORDS)
    copies = first + len(SAME_LETTERS)
    places = [(n, m, first, first + (n < m)) for n in range(first, copies) for m in range(n, copies)]
    places += [(n, m, copies + n, copies + m) for n in range(COPIED) for m in range(n, COPIED)]
    return np.transpose(places)


def agreeing(K):
    """For each entry that has another to agree with: does it?"""
    n, m, u, v = entries_to_agree()
    return np.isclose(K[n, m], K[u, v], rtol=1e-6, atol=RELATIVE * np.abs(K).max())


def differs_in_other_letters(K):
    return not agreeing(K).all()


def what_differs_in_other_letters(K, X):
    n, m, u, v = entries_to_agree()[:, np.argmin(agreeing(K))]
    return f"k({X[n]}, {X[m]}) is {K[n, m]:.6g}, but k({X[u]}, {X[v]}), the same in other letters, is {K[u, v]:.6g}."


# ---- mistakes -------------------------------------------------------------------------------------------


def pairwise(kernel):
    """The matrix of a function of two strings."""
    return lambda X, Z: np.array([[float(kernel(x, z)) for z in Z] for x in X])


def found_in(x, z):
    """How many letters of x stand somewhere in z."""
    return sum(letter in z for letter in x)


def nearly_equal(X, Z):
    """Pairs of pieces of three letters that differ in one letter at most.

    With a joker for one letter, equal pieces are found three times, those that differ in one letter once.
    """
    jokers = [
        [[(x[i : i + 3], j) for i in range(len(x) - 2) for j in range(3)] for x in strings]
        for strings in (X, Z)
    ]
    rows, columns = (
        [Counter(s[:j] + "?" + s[j + 1 :] for s, j in pieces) for pieces in several] for several in jokers
    )
    return np.array(
        [[sum(p[s] * q[s] for s in p.keys() & q.keys()) for q in columns] for p in rows]
    ) - 2 * Spectrum(3)(X, Z)


def of_one_list(value, X, Z):
    K = np.asarray(value, float)
    return not asymmetric(K) and asymmetric(in_one_order(K, X, Z))


def exchanged(value, X, Z):
    K = np.asarray(value, float)
    return asymmetric(in_one_order(K, X, Z)) and not asymmetric(in_one_order(K.T, X, Z))


def is_sum_of_spectra(K, X):
    """With any weights, of matrices or of their cosines."""
    parts = np.array([Spectrum(k)(X[:STRINGS]) for k in range(1, LETTERS + 1)])
    return any(
        is_combination(K[:STRINGS, :STRINGS], several)
        for several in (parts, [cosine(part) for part in parts])
    )


def is_combination(K, parts):
    """Is K a sum of the matrices, with weights?"""
    columns = np.reshape(parts, (len(parts), -1)).T
    weights = np.linalg.lstsq(columns, K.ravel())[0]
    return np.allclose(columns @ weights, K.ravel(), rtol=0, atol=1e-6 * np.abs(K).max())


def is_spectrum(K, X):
    cosines = cosine(K[:STRINGS, :STRINGS])
    return any(np.allclose(cosines, cosine(Spectrum(k)(X[:STRINGS])), atol=1e-6) for k in range(1, LETTERS))


def is_identity(K, X):
    return np.allclose(cosine(K[:STRINGS, :STRINGS]), np.eye(STRINGS), atol=1e-6)


def too_much_alike(K, X):
    """Are all strings nearly the same for this kernel?"""
    return cosine(K[:STRINGS, :STRINGS]).min() > 0.999


def symptom(shows):
    """The same for whatever is a matrix of the right shape, symmetric, and with a diagonal that is possible."""

    def shown(value, X, Z):
        K = in_one_order(np.asarray(value, float), X, Z)
        return not asymmetric(K) and lengths_are_possible(K) and shows(K, X)

    return shown


NO_ROWS = (
    "a row of K holds inner products of feature n with all others: its norm is not the length of feature n. Where in K "
    "is the squared length?"
)

EXERCISE = Exercise(
    "build-kernel",
    "A string kernel that beats the spectrum kernel",
    "build it",
    3,
    "12",
    (
        ("12, section 5", "12_kernels.ipynb#5-Strings-·-core"),
        ("12, section 2", "12_kernels.ipynb#2-When-is-it-an-inner-product?-·-core"),
    ),
    rf"""
Proteins that are distant cousins rarely share long pieces. What they share is a *pattern*: some places hold always
the same letters, the places between hold anything. Here are two *clans* of such strings, {LETTERS} letters long. Each
has a pattern of {PAIRS} pairs of letters with one place between neighbours, and both clans have the *same* pairs, in
different orders. There are four families. The places between hold the letters of the family: the same in all its
strings, in both clans, so that they say nothing about the clan. Three families draw them from the same five letters,
and two of these may agree in a place; the fourth draws them from five others. Around the pattern stand random
letters. One draw, with the patterns in capitals (in the check all letters are capitals, and you are not told where
the pattern is):

```
{example()}
```

A support vector machine learns clan A against clan B from three families, {EACH} strings of each in each clan. It is
judged on the fourth family, {HELD_OUT} strings of each clan, which it has never seen. The spectrum kernel counts
common pieces of $k$ neighbouring letters; it is (14.22) with the weight 1 for pieces of $k$ letters and 0 for all
others. Here it does little better than guessing, whatever $k$ is. (Now and then it is lucky: of four draws we throw
away about one, and keep those on which the best $k$ makes at least {SPECTRUM_ERRS} errors on the {JUDGED} strings.)
Write a kernel that does better.""",
    "the spectrum kernel; what makes a function of two inputs a kernel",
    steps=(
        Task(
            "build-kernel-a",
            "return the matrix of cosines",
            some_gram,
            cosine,
            mistakes=(
                Mistake(
                    "without the root",
                    lambda K: K / np.outer(np.diag(K), np.diag(K)),
                    "K_nn is the squared length of a feature",
                ),
                Mistake(
                    "only the rows divided",
                    lambda K: K / np.sqrt(np.diag(K))[:, None],
                    "the cosine divides by both lengths",
                ),
                Mistake(
                    "only the columns divided",
                    lambda K: K / np.sqrt(np.diag(K)),
                    "numpy divides column m by entry m. The rows have to be divided by their lengths, too: "
                    "np.outer(lengths, lengths) holds both",
                ),
                Mistake(
                    "divided by K_nn, row by row",
                    lambda K: K / np.diag(K)[:, None],
                    "this is not symmetric: divide by the length of both features, not by the square of one",
                ),
                Mistake(
                    "divided by K_mm, column by column",
                    lambda K: K / np.diag(K),
                    "this is not symmetric: divide by the length of both features, not by the square of one",
                ),
                Mistake(
                    "rows divided by their norms",
                    lambda K: K / np.linalg.norm(K, axis=1)[:, None],
                    NO_ROWS,
                ),
                Mistake(
                    "columns divided by their norms",
                    lambda K: K / np.linalg.norm(K, axis=0),
                    NO_ROWS,
                ),
                Mistake(
                    "the norms of rows for the lengths",
                    lambda K: K / np.outer(np.linalg.norm(K, axis=1), np.linalg.norm(K, axis=0)),
                    NO_ROWS,
                ),
                Mistake(
                    "divided by the norm of K",
                    lambda K: K / np.linalg.norm(K),
                    "every feature has its own length; all entries of the diagonal become 1",
                ),
                Mistake(
                    "divided by the largest entry",
                    lambda K: K / K.max(),
                    "every feature has its own length; all entries of the diagonal become 1",
                ),
                Mistake(
                    "not divided",
                    lambda K: 1.0 * K,
                    "inner products grow with the lengths of the features; cosines do not",
                ),
            ),
            hints=(
                "The cosine of two vectors is their inner product over both lengths. Where in K are the lengths?",
                "lengths = np.sqrt(np.diag(K)); entry (n, m) is K[n, m] over lengths[n] times lengths[m].",
            ),
            route=("features of length 1", cosine_of_features),
            text=r"""
First a tool, which the check uses as well. Long strings, and strings that repeat themselves, have large features. So
machines on strings compare *directions*: the cosine of the angle between two features. Turn a Gram matrix into
cosines.""",
        ),
        Task(
            "build-kernel-b",
            "return the matrix of k(x, z), one row for each x in X and one column for each z in Z",
            two_clans,
            gram,
            mistakes=(
                Mistake(
                    "only one of the lists is used",
                    lambda X, Z: gram(X, X),
                    "row n belongs to X[n] and column m to Z[m], and Z holds the strings in another order than X",
                    shows=of_one_list,
                ),
                Mistake(
                    "rows and columns exchanged",
                    lambda X, Z: gram(X, Z).T,
                    "row n belongs to X[n] and column m to Z[m]: [[kernel(x, z) for z in Z] for x in X]",
                    shows=exchanged,
                ),
                Mistake(
                    "not symmetric",
                    pairwise(found_in),
                    "k(x, z) has to be k(z, x): count how often a piece stands in x times how often it stands in z. "
                    "Or k is symmetric, but rows and columns are not in the order of X and Z",
                    shows=lambda value, X, Z: asymmetric(in_one_order(np.asarray(value, float), X, Z)),
                ),
                Mistake(
                    "no inner product",
                    nearly_equal,
                    "a negative eigenvalue. Counts of pieces that are nearly equal, the length of what two strings "
                    "have in common, an edit distance: such numbers compare strings, but they are no sums of "
                    "products. Say what the features of one string are, numbers phi_s(x), and add up phi_s(x) "
                    "phi_s(z)",
                    shows=symptom(lambda K, X: not_semidefinite(K)),
                ),
                Mistake(
                    "other strings or the names of letters have a say",
                    lambda X, Z: gram(X, X) @ gram(X, Z),
                    "k(x, z) is a function of x and z alone, whatever else is in the lists, and it does not change "
                    "if letters get other names: no letter weighs more than another, and no two count as one",
                    shows=symptom(lambda K, X: differs_in_other_letters(K)),
                ),
                Mistake(
                    "every string is like itself only",
                    pairwise(lambda x, z: x == z),
                    "a kernel that knows strings by heart says nothing about new ones: they must share features",
                    shows=symptom(is_identity),
                ),
                Mistake(
                    "the spectrum kernel itself",
                    lambda X, Z: Spectrum(3)(X, Z),
                    "it counts pieces of k neighbouring letters. Both clans have the same letters and pairs, and "
                    "of three letters of the pattern one belongs to the family",
                    shows=symptom(is_spectrum),
                ),
                Mistake(
                    "a sum of spectrum kernels",
                    lambda X, Z: sum(Spectrum(k)(X, Z) for k in range(1, 6)),
                    "each part counts pieces of neighbouring letters. Short ones stand in both clans, and long ones "
                    "hold a letter of the family",
                    shows=symptom(is_sum_of_spectra),
                ),
                Mistake(
                    "all strings alike",
                    pairwise(lambda x, z: len(x) * len(z)),
                    "all cosines are nearly 1: the features tell nothing that the strings differ in",
                    shows=symptom(too_much_alike),
                ),
            ),
            hints=(
                "Look at the held-out family and another one of the same clan. Which letters of the pattern agree? "
                "What does the other clan have of that?",
                "A pair alone is in both clans. A pair and the beginning of the next one tell the clans apart; but "
                "the letter between them belongs to the family. Can a piece leave it open?",
                "Count pieces with a joker in the place of one letter: for each i the piece x[i:i+2] + '?' + "
                "x[i+3]. collections.Counter counts them; the kernel is the sum of products of counts.",
            ),
            instances=2,
            accepts=beats_the_spectrum,
            text=rf"""
Now the kernel. `X` and `Z` are lists of strings. The check calls your function with the same strings in both, in two
orders: {LEARNED} to learn from, {JUDGED} of the held-out family, {len(WORDS + SAME_LETTERS)} words of three to twelve
letters, and {COPIED} of the strings once more in other letters. (On the words many a similarity turns out to be no
kernel. One that is too short to have a feature has a row of zeros.) Wanted is

- *a kernel:* the matrix is symmetric, without negative eigenvalues;
- *a function of two strings:* $k(x,z)$ does not depend on what else is in the lists, nor on the names of the letters:
  if every letter gets another name in both strings, and no two letters the same one, $k$ is the same (so no letter
  weighs more than another, and no two letters count as one);
- *a good one:* the machine is trained on the cosines of the first {LEARNED} strings, and its errors on the {JUDGED}
  held-out strings are counted. They may be at most half as many as those of the best spectrum kernel with
  $k=1$ to {LONGEST}.

That on two draws, each with letters and patterns of its own, and both within 4 seconds. If you prefer a function of
two strings, return `[[kernel(x, z) for z in Z] for x in X]`.""",
        ),
    ),
    worked=r"""
**What the spectrum kernel sees.** Single letters and pairs of the pattern: nearly the same in both clans. Three
neighbouring letters of the pattern: one of them is a letter of the family, so the held-out family shares them with
nobody, except by chance.

**What tells clans apart** is which pair follows which: `AB` and then `C`, whatever stands between. So let a piece
have a joker. The features of a string are counts,

$$\phi_s(x)=\text{how often the piece }s=\text{(two letters, any letter, one letter) stands in }x,\qquad k(x,z)=
\sum_s\phi_s(x)\,\phi_s(z).$$

As a sum of products of features it is a kernel, with no negative eigenvalue. Other good answers: two letters with one
between them left out; jokers in any place of pieces of three to five letters; subsequences with gaps, weighted by
their length.

**What is no answer.** To count *pairs of pieces that differ in at most one letter* looks like the same idea, but it
is no inner product. `aaa` is near to `aab`, and `aab` to `abb`, so with one piece to a string

$$k(\text{aaa},\text{aaa})=k(\text{aaa},\text{aab})=k(\text{aab},\text{aab})=1.$$

Two features of length 1 with the inner product 1 are equal. In the same way those of `aab` and `abb` would be equal,
hence all three. But $k(\text{aaa},\text{abb})=0$: the matrix with the rows $(1,1,0)$, $(1,1,1)$, $(0,1,1)$ has the
eigenvalue $1-\sqrt2$. The *mismatch kernel* gets it right: each piece has a feature for every piece in its
neighbourhood, and those are multiplied. The *length of the longest common subsequence* and $\mathrm e^{-d}$ with the
*edit distance* $d$ (how many letters to change, to insert or to delete) have negative eigenvalues on short words, too;
so they are no kernels, however well they do on the clans. All common substrings of any length (the kernel of notebook
12) are a kernel, but they do not help: long ones hold letters of the family, and the held-out family has others.""",
)
