"""Notebook 12: what its guesses hold to be true, and its worked solutions, computed in another way."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from sklearn.feature_extraction.text import CountVectorizer

from sparsekm_edu import PyramidMatch, Spectrum, TfIdf, datasets, exercises
from sparsekm_edu.exercises import kernels as lesson
from sparsekm_edu.kernels import mercer_features


def truth(id):
    guess = exercises.GUESSES[id]
    true = guess.truth()
    return guess.kind.told(true), guess.answer(true)


def test_12_a_no_vectors_have_these_inner_products():
    told, answer = truth("12-a")
    assert told == "no, in none"
    K = np.array([[np.tanh(0), np.tanh(1)], [np.tanh(1), np.tanh(3)]])
    question = exercises.GUESSES["12-a"].question
    assert f"{K[0, 1]:.3f}" in question
    assert f"{K[1, 1]:.3f}" in question
    half = np.trace(K) / 2
    smallest = half - math.sqrt(half**2 - np.linalg.det(K))  # of a 2 x 2 matrix, by hand
    assert f"{smallest:.3f}" == "-0.412"
    assert "-0.412" in answer


def test_12_b_only_sum_and_product_survive():
    told, answer = truth("12-b")
    assert told == "2"
    found = lesson.smallest_eigenvalues()
    assert [name for name, smallest in found.items() if smallest > -1e-9] == ["the sum", "the product"]
    x = np.array([0.0, 1.0, 2.0])
    linear, gaussian = np.outer(x, x), np.exp(-0.5 * np.subtract.outer(x, x) ** 2)
    for K in (np.maximum(linear, gaussian), linear - gaussian):
        assert f"{np.linalg.eigvalsh(K)[0]:.3f}" in answer


def test_12_c_the_book_s_idf_is_0_for_words_in_all_documents_but_one():
    told, answer = truth("12-c")
    texts = datasets.documents()[0]
    counts = CountVectorizer().fit(texts)
    holds = counts.transform(texts)[:, counts.vocabulary_["the"]].toarray() > 0
    assert holds.all()  # as the answer says
    N = len(texts)
    assert told == "those in all documents but one"
    assert [n for n in range(1, N + 1) if math.log(N / (1 + n)) == 0] == [N - 1]  # (14.6)
    assert f"log({N}/{N + 1}) = {math.log(N / (1 + N)):.3f}" in answer


def test_12_d_chance_alone_makes_as_many_pairs_of_triples():
    told, answer = truth("12-d")
    x, z = datasets.two_proteins()
    p = sum(a == b for a, b in product(x, z)) / (len(x) * len(z))  # two places, letters drawn as they occur
    by_chance = (len(x) - 2) * (len(z) - 2) * p**3
    assert told == "about 4.4"
    assert f"{by_chance:.2f}: chance alone" in answer
    triples = [[s[i : i + 3] for i in range(len(s) - 2)] for s in (x, z)]
    assert sum(a == b for a, b in product(*triples)) == round(by_chance) == 4  # "as much as they share"
    assert (len(x) - 2) * (len(z) - 2) > 15_000
    assert p > 1 / 20


def test_12_e_the_pyramid_never_finds_more_than_the_best_matching():
    """Small sets, all matchings tried, distances by the ruler of the question."""
    told, answer = truth("12-e")
    assert told == "never larger"
    rng, ratios = np.random.default_rng(3), []
    for _ in range(60):
        x, z = rng.uniform(0, 8, (4, 2)), rng.uniform(0, 8, (5, 2))
        apart = np.abs(x[:, None] - z).max(axis=2)
        level = np.maximum(
            np.floor(np.log2(apart)) + 1, 0
        )  # bins of side 2^i hold what is less than 2^i apart
        worth = 0.5**level
        best = max(sum(worth[i, j] for i, j in enumerate(order)) for order in permutations(range(5), 4))
        ratios.append(PyramidMatch(levels=4)([x], [z])[0, 0] / best)
    assert max(ratios) <= 1 + 1e-12
    assert min(ratios) < 0.8  # and there is something to lose
    assert f"at worst {lesson.compared().worst_ratio:.0%}" in answer


def test_12_f_narrower_densities_overlap_more():
    told, answer = truth("12-f")
    assert told == "it grows"
    for sigma in (1.0, 0.5):
        area, _ = quad(lambda u, sigma=sigma: norm.pdf(u, 0, sigma) ** 2, -8, 8)
        assert f"{area:.3f}" in answer
        assert area == pytest.approx(1 / (2 * sigma * math.sqrt(math.pi)), rel=1e-9)


@pytest.mark.parametrize(
    "other",
    [
        lambda lam, U: U * np.sqrt(lam),  # the formula as it stands
        lambda lam, U: -(U * np.sqrt(lam)),
        lambda lam, U: (U * np.sqrt(lam))[:, ::-1],
        lambda lam, U: (U * np.sqrt(lam)) @ U.T,
    ],
)
def test_12_features_all_that_rebuild_the_gram_matrix_are_right(other):
    for seed in range(5):
        assert exercises.check("12-features", other, seed=seed).passed


@pytest.mark.parametrize("seed", range(5))
def test_12_features_rebuild_the_gram_matrix(seed):
    rng = np.random.default_rng(seed)
    Phi = rng.normal(size=(6, 4))
    K = Phi @ Phi.T
    rebuilt = exercises.solution("12-features")(*np.linalg.eigh(K))
    np.testing.assert_allclose(rebuilt @ rebuilt.T, K, atol=1e-12)
    library = mercer_features(K)  # without columns of zeros, the largest first
    np.testing.assert_allclose(np.abs(rebuilt[:, ::-1][:, :4]), np.abs(library), atol=1e-7)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_12_spectrum_is_the_library_s(k):
    words = ["ananas", "banana", "aaaa", "ab", ""]
    by_hand = [[exercises.solution("12-spectrum")(x, z, k) for z in words] for x in words]
    np.testing.assert_array_equal(by_hand, Spectrum(k)(words))


def test_12_tfidf_has_the_directions_of_the_library_s():
    texts = datasets.documents()[0]
    counts = CountVectorizer().fit_transform(texts).toarray()
    vectors = exercises.solution("12-tfidf")(counts)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)  # (14.8)
    np.testing.assert_allclose(vectors @ vectors.T, TfIdf()(texts), atol=1e-12)


@pytest.mark.parametrize("id", ["12-features", "12-spectrum", "12-tfidf"])
def test_12_mistakes_are_told_apart_from_the_solution_with_every_seed(id):
    for seed in range(20):
        for mistake in exercises.TASKS[id].mistakes:
            result = exercises.check(id, mistake.wrong, seed=seed)
            assert not result.passed
            assert mistake.name in result.message
