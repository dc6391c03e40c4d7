"""The explorer of documents: neighbours and words, computed once more."""

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.preprocessing import normalize

from sparsekm_edu import datasets
from sparsekm_edu.explorers.kernels.documents import KERNELS, T, X, compared, shared_words

TITLES = datasets.document_titles()


def phi_of(name):
    """The documents as vectors, and the words of their columns, by scikit-learn and by (14.5)-(14.7)."""
    if name.startswith("scikit"):
        vectorizer = TfidfVectorizer()
        return vectorizer.fit_transform(X).toarray(), vectorizer.get_feature_names_out()
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(X).toarray().astype(float)
    if name.startswith("TF-IDF"):
        counts = np.log(1 + counts) * np.log(len(X) / (1 + (counts > 0).sum(axis=0)))
    return normalize(counts), vectorizer.get_feature_names_out()


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("document", [1, 17, 39])
def test_neighbours_and_their_words(make, name, document):
    explorer = make("documents")
    explorer.set(kernel=name, document=document)
    Phi, vocabulary = phi_of(name)
    K, n, picture = Phi @ Phi.T, document - 1, explorer.picture
    np.testing.assert_allclose(picture.K, K, atol=1e-12)
    others = [m for m in np.argsort(-K[n]) if m != n][:3]
    np.testing.assert_array_equal(picture.nearest, others)
    for m, (cosine, title, words) in zip(others, picture.rows, strict=True):
        assert cosine == pytest.approx(K[n, m])
        assert title == TITLES[m]
        terms = Phi[n] * Phi[m]
        given = [terms[np.flatnonzero(vocabulary == word)[0]] for word in words]
        np.testing.assert_allclose(given, np.sort(terms)[::-1][: len(words)], atol=1e-12)
    same = (T[n] == T) & (np.arange(len(X)) != n)
    facts = picture.facts
    assert facts["subject"] == T[n]
    assert facts["nearest one is on"] == T[others[0]]
    assert float(facts["mean, same subject"]) == pytest.approx(K[n, same].mean(), abs=6e-4)
    assert float(facts["mean, other subjects"]) == pytest.approx(K[n, T[n] != T].mean(), abs=6e-4)


@pytest.mark.parametrize("name", KERNELS)
def test_the_words_of_a_text_do_not_depend_on_the_kernel(make, name):
    explorer = make("documents")
    explorer.set(kernel=name, document=6)
    different = np.count_nonzero(CountVectorizer().fit_transform(X).toarray()[5])
    assert explorer.picture.facts["different words"] == str(different)


def test_how_many_agree(make):
    explorer, found = make("documents"), []
    for name in KERNELS:
        explorer.set(kernel=name)
        found.append(explorer.picture.facts["nearest agrees"])
    assert found == ["15 of 40", "34 of 40", "28 of 40"]


@pytest.mark.parametrize("name", KERNELS)
def test_the_map_is_kernel_pca(name):
    """scikit-learn's, up to the signs of its axes and the scale."""
    K, Z, *_ = compared(name)
    theirs = KernelPCA(2, kernel="precomputed").fit_transform(K)
    theirs /= np.abs(theirs).max()
    np.testing.assert_allclose(np.abs(Z), np.abs(theirs), atol=1e-8)


def test_click_a_point_and_read_its_text(make):
    explorer = make("documents")
    explorer._on_gesture({"type": "choose", "index": 22})
    assert explorer.state.document == 23
    assert X[22][:40] in explorer.text.value
    assert TITLES[22] in explorer.text.value
    assert TITLES[22] in explorer.description


def test_words_by_what_they_give():
    assert shared_words({"soup": 0.5, "sun": 0.1, "the": 0.2}, {"soup": 0.1, "the": 0.9, "moon": 1.0}) == (
        "the",
        "soup",
    )
    assert shared_words({"soup": 1.0}, {}) == ()
