"""Digits without noise: rows and errors against scikit-learn, fair numbers of components, and who wins."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from sparsekm_edu import datasets
from sparsekm_edu.explorers.kernels.denoising import (
    FEW_NUMBERS,
    LEARNED,
    OF_PCA,
    TUNED,
    _components,
    _digits,
)
from sparsekm_edu.explorers.kernels.denoising import PCA as LINEAR
from sparsekm_edu.lessons.denoising import GAUSSIAN, SPECKLE, noisy, restored, rms


def rows_of(explorer):
    return dict(
        zip(("clean", "noisy", "PCA", "kernel PCA"), explorer.picture.rows.reshape(4, 10, 64), strict=True)
    )


def test_digits_are_those_of_the_data_set_and_nobody_is_shown_what_was_learned(make):
    X, labels, median = _digits()
    images, theirs = datasets.digit_images(len(X), digits=range(10))
    np.testing.assert_array_equal(X, images.reshape(-1, 64) / 16)
    np.testing.assert_array_equal(labels, theirs)
    seen = {row.tobytes() for row in X[: LEARNED + TUNED]}
    explorer = make("denoise")
    for drawn in range(5):
        explorer.set(drawn=drawn)
        for digit, row in enumerate(rows_of(explorer)["clean"]):
            assert row.tobytes() not in seen
            assert digit in labels[(row == X).all(axis=1)]
    distances = [np.linalg.norm(a - b) for n, a in enumerate(X[:LEARNED]) for b in X[:n]]
    assert median == pytest.approx(np.median(distances))


@pytest.mark.parametrize("noise", [GAUSSIAN, SPECKLE])
def test_rows_and_errors(make, noise):
    explorer = make("denoise", noise=noise, level=0.2, pca=12, drawn=3)
    rows = rows_of(explorer)
    with_noise = noisy(rows["clean"], noise, 0.2, seed=3)
    np.testing.assert_array_equal(rows["noisy"], np.clip(with_noise, 0, 1))  # as it is seen
    theirs = PCA(12).fit(_digits()[0][:LEARNED])
    expected = np.clip(theirs.inverse_transform(theirs.transform(with_noise)), 0, 1)
    np.testing.assert_allclose(rows["PCA"], expected, atol=1e-9)
    assert explorer.picture.facts["variance kept, PCA"] == f"{theirs.explained_variance_ratio_.sum():.0%}"
    for name in ("noisy", "PCA", "kernel PCA"):
        error = np.sqrt(((rows[name] - rows["clean"]) ** 2).mean())
        assert explorer.picture.facts[f"RMS error, {name}"] == f"{error:.3f}"


def test_kernel_pca_rows_are_nearest_to_the_projection(make):
    """Of a Gaussian kernel |phi(x) - p|^2 is 1 - 2 sum_n g_n k(x, x_n) + |p|^2: no small step leads higher."""
    explorer = make("denoise", kernel_pca=40, width=1.0)
    X, _, median = _digits()
    model, rows = _components(1.0), rows_of(explorer)
    Z = model.transform(noisy(rows["clean"], GAUSSIAN, 0.3, seed=0))[:, :40]
    V = model.eigenvectors_[:, :40] / np.sqrt(model.eigenvalues_[:40])
    g = 1 / LEARNED + Z @ V.T

    def height(x):
        squares = ((x[:, None] - X[:LEARNED]) ** 2).sum(axis=2)
        return (g * np.exp(-squares / (2 * median**2))).sum(axis=1)

    assert (rows["kernel PCA"] > 0).any()
    before = model.pre_image(np.hstack([Z, np.zeros((10, model.n_components_ - 40))]))
    np.testing.assert_array_equal(rows["kernel PCA"], np.clip(before, 0, 1))
    rng = np.random.default_rng(0)
    for _ in range(50):
        assert (height(before + 0.01 * rng.normal(size=before.shape)) <= height(before)).all()


def test_pca_with_all_its_components_brings_the_noise_back_kernel_pca_does_not(make):
    explorer = make("denoise", pca=OF_PCA, kernel_pca=LEARNED - 1)
    assert _components(LINEAR).n_components_ == OF_PCA
    for drawn in range(3):
        explorer.set(drawn=drawn)
        _, pca, kernel = explorer.picture.errors
        assert kernel < 0.75 * pca


def test_best_numbers_are_best_on_other_digits(make):
    explorer = make("denoise", level=0.5, drawn=2)
    explorer.tune()
    clean = _digits()[0][LEARNED : LEARNED + TUNED]
    others = noisy(clean, GAUSSIAN, 0.5, seed=1_000_002)
    for kernel, number, numbers in (
        (LINEAR, explorer.state.pca, range(1, OF_PCA + 1)),
        (0.71, explorer.state.kernel_pca, FEW_NUMBERS),
    ):
        errors = {L: rms(restored(_components(kernel), others, L), clean) for L in numbers}
        assert errors[number] == min(errors.values())
    assert explorer.state.pca < 16  # more noise, fewer components
    assert explorer.message == ""


def test_kernel_pca_wins_in_the_first_state_whichever_digits_are_drawn(make):
    explorer = make("denoise")
    ratios = []
    for drawn in range(10):
        explorer.set(drawn=drawn)
        noise, pca, kernel = explorer.picture.errors
        ratios.append(kernel / pca)
        assert pca < 0.85 * noise
    assert np.mean(ratios) < 0.93
    assert max(ratios) < 1
