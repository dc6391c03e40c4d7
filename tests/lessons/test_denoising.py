"""Noise and its removal, against scikit-learn's PCA and against models with fewer components."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from sparsekm_edu import Gaussian, KernelPCA, Linear, NadarayaWatson, datasets
from sparsekm_edu.lessons.denoising import (
    GAUSSIAN,
    SPECKLE,
    as_ink,
    best_of,
    noisy,
    numbers_of,
    restored,
    rms,
    weighted_mean,
)


@pytest.fixture(scope="module")
def digits():
    X = datasets.digit_images(300, digits=range(10))[0].reshape(300, 64) / 16
    return X[:150], X[150:]


def test_noise_is_of_its_kind_and_level():
    X = np.full((500, 64), 0.25)
    difference = noisy(X, GAUSSIAN, 0.2, seed=0) - X
    assert difference.std() == pytest.approx(0.2, rel=0.02)
    assert abs(difference.mean()) < 0.005
    Y = noisy(X, SPECKLE, 0.3, seed=0)
    assert sorted(np.unique(Y)) == [0, 0.25, 1]
    assert (Y == 0).mean() == pytest.approx(0.15, abs=0.01)
    assert (Y == 1).mean() == pytest.approx(0.15, abs=0.01)
    for kind in (GAUSSIAN, SPECKLE):
        np.testing.assert_array_equal(noisy(X, kind, 0.0, seed=0), X)
        np.testing.assert_array_equal(noisy(X, kind, 0.3, seed=1), noisy(X, kind, 0.3, seed=1))
        assert not np.array_equal(noisy(X, kind, 0.3, seed=1), noisy(X, kind, 0.3, seed=2))


@pytest.mark.parametrize("L", [1, 10, 40])
def test_the_linear_kernel_restores_what_pca_does(digits, L):
    learned, others = digits
    Y = noisy(others, GAUSSIAN, 0.3, seed=0)
    theirs = PCA(L).fit(learned)
    expected = np.clip(theirs.inverse_transform(theirs.transform(Y)), 0, 1)
    np.testing.assert_allclose(
        restored(KernelPCA(Linear(), n_components=None).fit(learned), Y, L), expected, atol=1e-9
    )


@pytest.mark.parametrize("L", [5, 60])
def test_a_model_of_all_components_serves_for_fewer(digits, L):
    learned, others = digits
    Y = noisy(others[:20], GAUSSIAN, 0.2, seed=0)
    kernel = Gaussian(gamma=0.15)
    every, few = (KernelPCA(kernel, n_components=n).fit(learned) for n in (None, L))
    np.testing.assert_allclose(restored(every, Y, L), restored(few, Y, L), atol=1e-6)


def test_the_best_number_is_the_best_of_those_asked_for(digits):
    learned, others = digits
    Y = noisy(others, GAUSSIAN, 0.3, seed=0)
    model = KernelPCA(Linear(), n_components=None).fit(learned)
    errors = [rms(restored(model, Y, L), others) for L in range(1, 51)]
    best = best_of(numbers_of(model, range(1, 51)), Y, others)
    assert best == 1 + int(np.argmin(errors))
    assert 10 < best < 30  # with few the digits are lost, with many the noise comes back
    assert best_of(numbers_of(model, (5, 45)), Y, others) == (5 if errors[4] < errors[44] else 45)


def test_ink_is_cut_at_both_ends():
    np.testing.assert_array_equal(as_ink(np.array([[-0.5, 0.0, 0.3, 1.0, 7.0]])), [[0, 0, 0.3, 1, 1]])


def test_the_weighted_mean_is_nadaraya_and_watson_s_pixel_by_pixel(digits):
    learned, others = digits
    Y = noisy(others[:10], GAUSSIAN, 0.3, seed=0)
    expected = NadarayaWatson(h=0.9).fit(learned, learned[:, 20]).predict(Y)
    np.testing.assert_allclose(weighted_mean(Y, learned, 0.9)[:, 20], expected, rtol=1e-9)
    nearest = np.linalg.norm(Y[:, None] - learned, axis=2).argmin(axis=1)
    np.testing.assert_allclose(weighted_mean(Y, learned, 1e-3), learned[nearest])  # no 0/0


@pytest.mark.parametrize(
    ("kind", "level", "least", "most"), [(GAUSSIAN, 0.3, 0.8, 0.92), (SPECKLE, 0.4, 0.95, 1.05)]
)
def test_kernel_pca_takes_more_off_than_pca_unless_speckles_are_everywhere(kind, level, least, most):
    """Each at the number that is best on other digits: what the page says."""
    ratios = []
    for draw in range(3):
        X = datasets.digit_images(550, digits=range(10), seed=draw)[0].reshape(550, 64) / 16
        learned, tuned, tested = np.split(X, (250, 350))
        distances = np.linalg.norm(learned[:, None] - learned, axis=2)
        gamma = 1 / (2 * (0.7 * np.median(distances[np.triu_indices(250, 1)])) ** 2)
        errors = []
        for kernel, numbers in ((Linear(), range(1, 51, 2)), (Gaussian(gamma), (8, 32, 128, 249))):
            model = KernelPCA(kernel, n_components=None).fit(learned)
            L = best_of(numbers_of(model, numbers), noisy(tuned, kind, level, seed=draw), tuned)
            errors.append(rms(restored(model, noisy(tested, kind, level, seed=100 + draw), L), tested))
        ratios.append(errors[1] / errors[0])
    assert least < min(ratios)
    assert max(ratios) < most
