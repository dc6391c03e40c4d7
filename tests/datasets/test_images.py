"""Digits as sets of edges: what a point says about the image, and that two digits can be told apart by them."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from sparsekm_edu import SVC, PyramidMatch, datasets
from sparsekm_edu.datasets.images import _edges


def test_edges_of_a_bar():
    image = np.zeros((8, 8))
    image[:, 4:] = 16.0  # ink on the right: it grows to the right, around the border between columns 3 and 4
    edges = _edges(image)
    assert sorted(set(edges[:, 0])) == [3, 4]
    assert sorted(set(edges[:, 1])) == list(range(8))
    np.testing.assert_array_equal(edges[:, 2], 0)  # to the right
    np.testing.assert_array_equal(_edges(image.T)[:, 2], 2)  # down
    np.testing.assert_array_equal(_edges(image[:, ::-1])[:, 2], 4)  # to the left
    np.testing.assert_array_equal(_edges(image.T[::-1])[:, 2], 6)  # up
    assert _edges(np.full((8, 8), 9.0)).shape == (0, 3)


def test_sets_of_unequal_size_within_the_frame_of_four_levels():
    X, y = datasets.digit_sets(n=340)
    sizes = [len(points) for points in X]
    assert (min(sizes), max(sizes)) == (27, 48)
    every = np.concatenate(X)
    assert every.min() == 0
    assert every.max() < 8
    assert PyramidMatch(levels=4).matches(X[0], X[1]).sum() == min(sizes[:2])  # the last level is one bin
    assert list(np.bincount(y)) == [0, 0, 0, 170, 0, 0, 0, 0, 170]


def test_as_many_of_each_digit_no_image_twice_and_seeded():
    X, y = datasets.digit_sets(n=25, digits=(0, 1, 7), seed=3)
    assert sorted(np.bincount(y)[[0, 1, 7]]) == [8, 8, 9]
    assert len({points.tobytes() for points in X}) == 25
    again, same = datasets.digit_sets(n=25, digits=(0, 1, 7), seed=3)
    np.testing.assert_array_equal(y, same)
    assert all((a == b).all() for a, b in zip(X, again, strict=True))
    other, _ = datasets.digit_sets(n=25, digits=(0, 1, 7), seed=4)
    assert any(a.shape != b.shape for a, b in zip(X, other, strict=True))


def test_labels_belong_to_the_sets():
    X, y = datasets.digit_sets(n=30)
    digits = load_digits()
    for points, label in zip(X, y, strict=True):
        same = [
            n
            for n in np.flatnonzero(digits.target == label)
            if np.array_equal(_edges(digits.images[n]), points)
        ]
        assert len(same) == 1


def test_3_and_8_are_told_apart():
    errors = []
    for seed in range(3):
        X, y = datasets.digit_sets(n=340, seed=seed)
        errors.append(1 - SVC(kernel=PyramidMatch()).fit(X[:100], y[:100]).score(X[100:], y[100:]))
    assert np.mean(errors) < 0.04


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"n": 400}, "n must ask for at most 183 images of the digit 3, got 200 with n = 400"),
        ({"digits": (3, 10)}, r"digits must be some of 0, 1, ..., 9, got \[3, 10\]"),
        ({"digits": ()}, "digits must be some of"),
    ],
)
def test_what_there_is_not(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        datasets.digit_sets(**given)


def test_images_and_sets_are_in_the_same_order():
    images, y = datasets.digit_images(n=30, digits=(1, 4), seed=2)
    X, same = datasets.digit_sets(n=30, digits=(1, 4), seed=2)
    assert images.shape == (30, 8, 8)
    np.testing.assert_array_equal(y, same)
    for image, points in zip(images, X, strict=True):
        np.testing.assert_array_equal(_edges(image), points)
