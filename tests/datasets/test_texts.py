"""The texts of the course: what the notebooks say about them."""

import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.kernels import BagOfWords, TfIdf, words

X, t = datasets.documents()


def test_ten_texts_on_each_of_four_subjects():
    assert X.shape == t.shape == datasets.document_titles().shape == (40,)
    assert all(type(entry) is str for array in (X, t, datasets.document_titles()) for entry in array)
    assert t.tolist() == [subject for subject in datasets.SUBJECTS for _ in range(10)]
    assert len(set(X)) == len(set(datasets.document_titles())) == 40
    for text in X:
        assert 40 <= len(text.split()) <= 70
        assert text == " ".join(text.split())
        assert text[0].isupper()
        assert text[-1] == "."


def test_no_two_texts_share_a_phrase():
    """Written one by one: no five words in a row stand in two texts."""
    seen = {}
    for n, text in enumerate(X):
        spoken = text.lower().split()
        for phrase in zip(*(spoken[i:] for i in range(5))):
            assert seen.setdefault(phrase, n) == n, " ".join(phrase)


def test_one_word_is_everywhere_and_one_is_everywhere_but_once():
    """The two strange cases of (14.6): "the" has a negative idf, "and" has exactly 0."""
    idf = TfIdf().adapted_to(X).idf
    assert all("the" in words(text) for text in X)
    assert idf["the"] == np.log(40 / 41)
    assert sum("and" in words(text) for text in X) == 39
    assert idf["and"] == 0.0
    assert [word for word, value in idf.items() if value <= 0.0] == ["and", "the"]


def test_how_often_the_nearest_text_has_the_same_subject():
    found = []
    for kernel in (BagOfWords(), TfIdf(), TfIdf("scikit-learn")):
        K = kernel(X)
        np.fill_diagonal(K, -1.0)
        found.append(int((t[K.argmax(axis=1)] == t).sum()))
    assert found == [15, 34, 28]


def test_the_arrays_are_the_callers_own():
    X[0], kept = "changed", X[0]
    assert datasets.documents()[0][0] == kept
    X[0] = kept
