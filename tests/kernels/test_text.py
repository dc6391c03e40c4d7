"""Kernels on documents against the book's equations, by hand, and scikit-learn's vectorizers."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from sparsekm_edu.kernels import BagOfWords, Linear, TfIdf, mercer_witness, words

DOCUMENTS = [
    "The soup is hot, the bread is warm.",
    "A hot sun, a warm wind; the sun again!",
    "Bread and soup and bread.",
    "The wind of the sun",
]
OTHERS = ["Hot bread", "the moon", "", "?! a"]


def book(X, Z, learned_from):
    """(14.5)-(14.8), loop by loop."""
    N = len(learned_from)
    vocabulary = sorted({word for document in learned_from for word in words(document)})
    idf = [np.log(N / (1 + sum(word in words(document) for document in learned_from))) for word in vocabulary]

    def phi(document):
        return np.array([np.log(1 + words(document).count(word)) for word in vocabulary]) * idf

    def cosine(x, z):
        length = np.linalg.norm(x) * np.linalg.norm(z)
        return x @ z / length if length else 0.0

    return np.array([[cosine(phi(x), phi(z)) for z in Z] for x in X])


def test_words():
    assert words("It's Anna's 2nd goal: Ämter_1!") == ["it", "anna", "2nd", "goal", "ämter_1"]
    assert words("") == []
    for document in DOCUMENTS + OTHERS:
        assert words(document) == CountVectorizer().build_analyzer()(document)


def test_tf_idf_of_the_book():
    np.testing.assert_allclose(TfIdf()(DOCUMENTS), book(DOCUMENTS, DOCUMENTS, DOCUMENTS), rtol=1e-13)
    kernel = TfIdf().adapted_to(DOCUMENTS)
    np.testing.assert_allclose(kernel(OTHERS, DOCUMENTS), book(OTHERS, DOCUMENTS, DOCUMENTS), rtol=1e-13)
    np.testing.assert_allclose(kernel(OTHERS), book(OTHERS, OTHERS, DOCUMENTS), rtol=1e-13)


def test_a_word_in_all_documents_and_a_word_in_all_but_one():
    """(14.6) makes the first a little negative and the second exactly 0."""
    X = ["red cat one", "red cat two", "red cat three", "red dog four"]
    idf = TfIdf().adapted_to(X).idf
    assert idf["red"] == np.log(4 / 5) < 0
    assert idf["cat"] == 0.0
    assert idf["dog"] == np.log(4 / 2)
    assert not TfIdf().adapted_to(X)(["cat"], X).any()
    assert TfIdf().adapted_to(X)(["red"], ["red"]) == 1.0


def test_bag_of_words_is_the_cosine_of_the_counts():
    counts = CountVectorizer().fit(DOCUMENTS + OTHERS).transform(DOCUMENTS + OTHERS).toarray().astype(float)
    lengths = np.linalg.norm(counts, axis=1)
    lengths[lengths == 0] = 1
    K = Linear()(counts / lengths[:, None])
    np.testing.assert_allclose(BagOfWords()(DOCUMENTS + OTHERS), K, rtol=1e-13)
    np.testing.assert_allclose(BagOfWords()(DOCUMENTS, OTHERS), K[:4, 4:], rtol=1e-13)


def test_convention_of_scikit_learn():
    vectorizer = TfidfVectorizer().fit(DOCUMENTS)
    A, B = vectorizer.transform(DOCUMENTS), vectorizer.transform(OTHERS)
    kernel = TfIdf("scikit-learn").adapted_to(DOCUMENTS)
    np.testing.assert_allclose(TfIdf("scikit-learn")(DOCUMENTS), (A @ A.T).toarray(), atol=1e-12)
    np.testing.assert_allclose(kernel(OTHERS, DOCUMENTS), (B @ A.T).toarray(), atol=1e-12)
    assert list(kernel.idf) == vectorizer.get_feature_names_out().tolist()
    np.testing.assert_allclose(list(kernel.idf.values()), vectorizer.idf_, rtol=1e-14)


TEXT = st.lists(
    st.sampled_from(["soup", "sun", "wind", "bread", "x", "The", "the", ",", "é"]), max_size=8
).map(" ".join)


@given(st.lists(TEXT, min_size=1, max_size=6), st.lists(TEXT, max_size=3))
def test_any_documents(X, Z):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kernel in (BagOfWords(), TfIdf(), TfIdf("scikit-learn")):
            K = kernel(X)
            assert np.isfinite(K).all()
            np.testing.assert_array_equal(K, K.T)
            np.testing.assert_array_equal(np.diag(K), kernel.diag(X))
            assert set(np.diag(K)) <= {0.0, 1.0}
            assert mercer_witness(kernel, X).is_psd
            learned = clone(kernel.adapted_to(X))
            np.testing.assert_array_equal(learned(X), K)
            np.testing.assert_allclose(learned(X, Z), learned(Z, X).T, atol=1e-15)
    if any(map(words, X)):
        theirs = TfidfVectorizer().fit(X)
        K = (theirs.transform(X) @ theirs.transform(Z).T).toarray() if Z else np.empty((len(X), 0))
        np.testing.assert_allclose(TfIdf("scikit-learn").adapted_to(X)(X, Z), K, atol=1e-12)


def test_nothing_to_compare_is_zero():
    kernel = TfIdf().adapted_to(DOCUMENTS)
    np.testing.assert_array_equal(kernel(["", "moon unknown", "a ?"], DOCUMENTS), 0.0)
    np.testing.assert_array_equal(kernel.diag(["", "moon", "soup"]), [0.0, 0.0, 1.0])
    assert kernel([], DOCUMENTS).shape == (0, 4)
    assert TfIdf()([]).shape == (0, 0)


def test_learned_from_weighted_documents():
    weighted = TfIdf().adapted_to(DOCUMENTS, [1, 2, 3, 1]).idf
    copies = TfIdf().adapted_to([DOCUMENTS[n] for n in (0, 1, 1, 2, 2, 2, 3)]).idf
    assert weighted == pytest.approx(copies)


def test_what_is_learned_stays():
    kernel = TfIdf().adapted_to(DOCUMENTS)
    again = kernel.adapted_to(OTHERS)
    assert again.idf == kernel.idf == clone(kernel).idf
    assert TfIdf().idf is None
    np.testing.assert_allclose(kernel(DOCUMENTS, DOCUMENTS), TfIdf()(DOCUMENTS), atol=1e-15)


def test_between_data_and_other_documents_idf_must_be_known():
    for kernel in (TfIdf(), TfIdf() + TfIdf("scikit-learn")):
        with pytest.raises(
            ValueError, match=r"idf must be known .* TfIdf\(\)\.adapted_to\(X\) is the kernel"
        ):
            kernel(DOCUMENTS, OTHERS)


@pytest.mark.parametrize("kernel", [BagOfWords(), TfIdf()])
def test_bad_documents(kernel):
    for X, sentence in (
        ("soup", "X must be a list of strings, got one string"),
        (["soup", 1.5], "X must hold strings, got 1.5 of type float at index 1"),
        (["soup", None], "X must hold strings, got None"),
    ):
        for call in (kernel, kernel.diag, kernel.features):
            with pytest.raises(ValueError, match=sentence):
                call(X)
    with pytest.raises(ValueError, match="Z must hold strings"):
        kernel.adapted_to(DOCUMENTS)(DOCUMENTS, [3])


def test_bad_parameters():
    for convention in ("sklearn", None, ["book"]):
        with pytest.raises(ValueError, match="convention must be 'book' or 'scikit-learn', got"):
            TfIdf(convention)(DOCUMENTS)
    with pytest.raises(ValueError, match=r"idf must be a dictionary of words and numbers, or None, got 3"):
        TfIdf(idf=3)(DOCUMENTS)


@pytest.mark.parametrize("kernel", [BagOfWords(), TfIdf(), TfIdf("scikit-learn")], ids=repr)
def test_features_multiply_to_the_kernel(kernel):
    Phi = kernel.features(DOCUMENTS)
    K = [[sum(x[word] * z.get(word, 0.0) for word in x) for z in Phi] for x in Phi]
    np.testing.assert_allclose(K, kernel(DOCUMENTS), rtol=1e-13)
    assert kernel.features([""]) == [{}]
