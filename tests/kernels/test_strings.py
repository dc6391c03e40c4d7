"""Kernels on strings against the sum (14.22), written out; growth, digits, any alphabet, bad inputs."""

from collections import Counter
from decimal import Decimal, localcontext
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import svm as skl
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV

from sparsekm_edu import SVC, datasets, jit
from sparsekm_edu.kernels import AllSubstrings, Normalised, Spectrum, _automaton, strings

TWO_LETTERS = [
    "".join(letters) for length in range(9) for letters in product("ab", repeat=length)
]  # 511 strings
ANY_LETTERS = st.lists(st.text(st.characters(), max_size=30), min_size=1, max_size=8)  # surrogates too
FEW_LETTERS = st.lists(st.text("abc", max_size=30), min_size=1, max_size=8)
KERNELS = [Spectrum(1), Spectrum(2), Spectrum(5), AllSubstrings(1.0), AllSubstrings(0.3)]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)


def written_out(X, Z, weight, lengths):
    """(14.22) literally: w_s phi_s(x) phi_s(z), summed over all s of these lengths; weight is a function of |s|."""
    counts = [
        [Counter(x[i : i + m] for m in lengths for i in range(len(x) - m + 1)) for x in side]
        for side in (X, Z)
    ]
    return np.array(
        [[sum(weight(len(s)) * n * z[s] for s, n in x.items()) for z in counts[1]] for x in counts[0]]
    )


def explicit_features(X, weight, lengths):
    """sqrt(w_s) phi_s(x), one column for each s: their inner products are the kernel, for many strings at once."""
    counts = [Counter(x[i : i + m] for m in lengths for i in range(len(x) - m + 1)) for x in X]
    column = {s: n for n, s in enumerate(sorted(set().union(*counts)))}
    Phi = np.zeros((len(X), len(column)))
    for n, count in enumerate(counts):
        for s, times in count.items():
            Phi[n, column[s]] = np.sqrt(weight(len(s))) * times
    return Phi


@pytest.mark.parametrize("decay", [1.0, 0.5, 1e-3])
def test_all_substrings_of_all_short_strings_over_two_letters(decay):
    Phi = explicit_features(TWO_LETTERS, lambda length: decay**length, range(1, 9))
    assert Phi.shape == (511, 510)
    np.testing.assert_allclose(AllSubstrings(decay)(TWO_LETTERS), Phi @ Phi.T, rtol=1e-13)


@pytest.mark.parametrize("k", [1, 2, 3, 7, 8])
def test_spectrum_of_all_short_strings_over_two_letters(k):
    Phi = explicit_features(TWO_LETTERS, lambda length: 1.0, [k])
    assert Phi.shape == (511, 2**k)
    np.testing.assert_array_equal(Spectrum(k)(TWO_LETTERS), Phi @ Phi.T)


@given(st.one_of(FEW_LETTERS, ANY_LETTERS), FEW_LETTERS, st.integers(1, 12), st.floats(0.01, 1.0))
def test_both_kernels_are_the_sum_of_14_22(X, Z, k, decay):
    np.testing.assert_array_equal(Spectrum(k)(X, Z), written_out(X, Z, lambda length: 1, [k]))
    expected = written_out(X, Z, lambda length: decay**length, range(1, 31))
    np.testing.assert_allclose(AllSubstrings(decay)(X, Z), expected, rtol=1e-12)


@given(st.one_of(FEW_LETTERS, ANY_LETTERS))
def test_symmetry_reversal_diagonal_and_mercer(X):
    for kernel in KERNELS:
        K = kernel(X)
        np.testing.assert_array_equal(K, K.T)
        np.testing.assert_allclose(kernel(X, X), K, rtol=1e-13)
        np.testing.assert_array_equal(kernel.diag(X), np.diag(K))
        np.testing.assert_allclose(kernel([x[::-1] for x in X]), K, rtol=1e-13)  # read backwards
        eigenvalues = np.linalg.eigvalsh(K)
        assert eigenvalues[0] >= -1e-10 * eigenvalues[-1]


def test_all_substrings_is_the_sum_of_all_spectra():
    X = ["abracadabra", "cadabra", "bar", ""]
    K = sum(0.7**k * Spectrum(k)(X) for k in range(1, 12))
    np.testing.assert_allclose(AllSubstrings(0.7)(X), K, rtol=1e-13)


@pytest.mark.parametrize("decay", [1.0, 0.99999, 0.999, 0.9, 0.3, 1e-6, 1e-300])
def test_a_mass_of_matches_neither_overflows_nor_loses_digits(decay):
    """a...a against itself: the substring of l letters stands at n - l + 1 places, which gives (n - l + 1)^2 pairs."""
    n = 100_000
    with localcontext() as context:
        context.prec = 40
        power, expected = Decimal(1), Decimal(0)
        for length in range(1, n + 1):
            power *= Decimal(decay)
            expected += power * (n - length + 1) ** 2
            if power * n**3 < expected * Decimal("1e-30"):
                break
        (K,) = AllSubstrings(decay)(["a" * n])[0]
        assert abs(Decimal(K) - expected) < expected * Decimal("1e-13")
    assert AllSubstrings(decay).diag(["a" * n]) == K


def test_spectrum_counts_masses_exactly():
    assert Spectrum(2)(["a" * 100_000], ["a" * 50_001]).item() == 99_999 * 50_000


def slots_read(x, z, monkeypatch):
    """How often the automaton of x looks into its table of edges, while it is built and z is read."""
    reads = 0
    find = getattr(_automaton.find, "py_func", _automaton.find)

    class Counted(np.ndarray):
        def __getitem__(self, index):
            nonlocal reads
            reads += 1
            return super().__getitem__(index)

    def counted(keys, state, letter):
        return find(keys.view(Counted), state, letter)

    for name in ("build", "shared", "put"):
        function = getattr(_automaton, name)
        monkeypatch.setattr(_automaton, name, getattr(function, "py_func", function))
    monkeypatch.setattr(_automaton, "find", counted)
    letters = [np.array([ord(letter) for letter in text]) for text in (x, z)]
    sums = np.arange(len(x) + 1.0)
    assert _automaton.shared(_automaton.build(letters[0], sums), letters[1], sums) > 0
    return reads


@pytest.mark.parametrize("alphabet", [1, 2, 20, 2000], ids="{} letters".format)
def test_the_work_grows_with_the_length_of_the_strings_whatever_the_alphabet(alphabet, monkeypatch):
    rng = np.random.default_rng(0)

    def text(n):
        return "".join(map(chr, 200 + rng.integers(alphabet, size=n)))

    small, large = (slots_read(text(n), text(n), monkeypatch) for n in (500, 2000))
    assert large < 6 * small  # four times as long; were it quadratic, 16 times
    assert large < 40 * 2000


def test_the_loops_run_as_plain_python_too(monkeypatch):
    X = ["ananas", "banana", "", "bandana"]
    expected = AllSubstrings(0.5)(X)
    for name in ("build", "shared", "put", "find"):
        function = getattr(_automaton, name)
        monkeypatch.setattr(_automaton, name, getattr(function, "py_func", function))
    letters = np.array([ord(letter) for letter in "".join(X)])
    start = np.cumsum([0, *map(len, X)])
    sums = np.cumsum([0.0, *(0.5**length for length in range(1, 8))])
    gram = getattr(_automaton.gram, "py_func", _automaton.gram)
    np.testing.assert_allclose(gram(letters, start, letters, start, sums, True), expected, rtol=1e-14)
    assert hasattr(_automaton.gram, "py_func") == jit.COMPILED


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_spectrum_is_the_count_vectorizer_of_scikit_learn(k):
    rng = np.random.default_rng(k)
    X = ["".join(rng.choice(list("ACDEFGHIKL"), 40)) for _ in range(30)]
    counts = CountVectorizer(analyzer="char", ngram_range=(k, k), lowercase=False).fit_transform(X)
    np.testing.assert_array_equal(Spectrum(k)(X), (counts @ counts.T).toarray())


def test_every_letter_counts_also_white_space_case_and_half_of_a_letter():
    X = ["a  b", "a b", "A b", "\ud800b", "𝔸𝔹b"]
    np.testing.assert_array_equal(Spectrum(2)(X), written_out(X, X, lambda length: 1, [2]))
    np.testing.assert_allclose(
        AllSubstrings(1.0)(X), written_out(X, X, lambda length: 1, range(1, 5)), rtol=1e-14
    )


@every_kernel
def test_no_strings_empty_strings_and_one_string(kernel):
    assert kernel([]).shape == (0, 0)
    assert kernel([], ["ab"]).shape == (0, 1)
    assert kernel(["ab"], []).shape == (1, 0)
    assert kernel.diag([]).shape == (0,)
    np.testing.assert_array_equal(kernel(["", ""]), np.zeros((2, 2)))
    np.testing.assert_array_equal(kernel(["", "abcde"], ["abcde", ""])[0], [0, 0])
    assert kernel(["abcde"]).item() > 0


@pytest.mark.parametrize(
    ("letters", "sparse"), [("ab", False), ("abcdefghijklmnopqrst", True)], ids=["few", "many"]
)
def test_spectrum_by_dense_and_by_sparse_counts(letters, sparse, monkeypatch):
    """Two ways to multiply, one for counts with few zeros and one for many: here each is taken, and right."""
    rng = np.random.default_rng(0)
    X, Z = (["".join(rng.choice(list(letters), 30)) for _ in range(N)] for N in (40, 20))
    taken = []
    multiply = strings._add_products
    monkeypatch.setattr(strings, "_add_products", lambda *given: (taken.append(1), multiply(*given)))
    np.testing.assert_array_equal(Spectrum(2)(X, Z), written_out(X, Z, lambda length: 1, [2]))
    assert bool(taken) == sparse
    np.testing.assert_array_equal(Spectrum(2)(X), written_out(X, X, lambda length: 1, [2]))


def test_strings_shorter_than_k_share_nothing():
    np.testing.assert_array_equal(Spectrum(4)(["abc", "abcd"]), [[0, 0], [0, 1]])
    np.testing.assert_array_equal(Spectrum(10**9)(["abc", "abcd"]), np.zeros((2, 2)))


@every_kernel
def test_strings_come_in_lists_tuples_and_arrays(kernel):
    X = ["abab", "bcbc", "abc"]
    expected = kernel(X)
    for container in (tuple(X), np.array(X), np.array(X, dtype=object)):
        np.testing.assert_array_equal(kernel(container), expected)


@every_kernel
def test_what_is_no_list_of_strings_is_refused(kernel):
    for bad in ("abba", ["abba", 1.5], [["abba"]], 3):
        for call in (kernel, kernel.diag, lambda bad: kernel(["ab"], bad)):
            with pytest.raises(ValueError, match=r"must (hold|be a list of) strings") as refusal:
                call(bad)
            assert str(refusal.value).count(". ") == 0


@pytest.mark.parametrize("k", [0, -1, 1.5, "3", True, None])
def test_bad_k(k):
    for call in (Spectrum(k), Spectrum(k).diag):
        with pytest.raises(ValueError, match="k must be a whole number >= 1, got "):
            call(["abba"])


@pytest.mark.parametrize("decay", [0, -0.5, 1.01, np.inf, np.nan, "0.5", True, None])
def test_bad_decay(decay):
    for call in (AllSubstrings(decay), AllSubstrings(decay).diag):
        with pytest.raises(ValueError, match=r"decay must be a number in \(0, 1\], got "):
            call(["abba"])


def test_they_add_multiply_and_are_cloned():
    X = ["abracadabra", "cadabra", "bar"]
    kernel = Spectrum(2) + 0.5 * Spectrum(3) * AllSubstrings(0.1)
    expected = Spectrum(2)(X) + 0.5 * Spectrum(3)(X) * AllSubstrings(0.1)(X)
    np.testing.assert_allclose(kernel(X), expected, rtol=1e-14)
    np.testing.assert_allclose(clone(kernel).diag(X), np.diag(expected), rtol=1e-14)
    assert kernel.takes == "strings"
    assert kernel.is_mercer
    assert repr(kernel) == "Spectrum(k=2) + 0.5 * Spectrum() * AllSubstrings(decay=0.1)"
    assert kernel.set_params(left__k=1).left.k == 1


@every_kernel
def test_normalised_they_are_cosines_and_0_where_nothing_is_counted(kernel):
    X = ["abracadabra", "cadabra", "cadabra", "", "xyz"]
    K, C = kernel(X), Normalised(kernel)(X)
    lengths = np.sqrt(np.diag(K))
    expected = np.divide(K, np.outer(lengths, lengths), out=np.zeros((5, 5)), where=K > 0)
    np.testing.assert_allclose(C, expected, rtol=1e-14)
    np.testing.assert_array_equal(C[3], np.zeros(5))
    assert C[1, 2] == pytest.approx(1, rel=1e-14)


def test_a_machine_on_strings_is_searched_over_k():
    X, t = datasets.protein_families(n=60, seed=1)
    search = GridSearchCV(SVC(kernel=Spectrum()), {"kernel__k": [1, 3, 40]}, cv=3).fit(list(X), t)
    assert search.best_params_ == {"kernel__k": 3}
    assert search.best_score_ > 0.85
    assert search.best_estimator_.kernel_.k == 3
    precomputed = skl.SVC(kernel="precomputed").fit(Spectrum(3)(X), t)
    new, _ = datasets.protein_families(n=20, seed=2)
    expected = precomputed.decision_function(Spectrum(3)(new, X))
    np.testing.assert_allclose(search.decision_function(new), expected, atol=2e-3)  # LIBSVM stops at 1e-3
