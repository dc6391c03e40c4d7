"""Mercer's theorem both ways: witnesses against kernels, features from eigenvectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsekm_edu.kernels import (
    Cosine,
    Gaussian,
    Linear,
    LinearSpline,
    Matern,
    Normalised,
    Polynomial,
    Sigmoid,
    TfIdf,
    centred,
    mercer_features,
    mercer_witness,
)

rng = np.random.default_rng(0)
X = rng.normal(size=(12, 2))


def test_a_witness_is_a_combination_of_negative_length():
    x = np.linspace(-10, 10, 30)[:, None]
    found = mercer_witness(LinearSpline(), x)
    assert not found.is_psd
    assert found.value < 0
    assert sum(
        found.v[n] * found.v[m] * LinearSpline()(x[[n]], x[[m]])[0, 0] for n in range(30) for m in range(30)
    ) == pytest.approx(found.value, rel=1e-9)
    assert np.linalg.norm(found.v) == pytest.approx(1.0)
    assert found.v[np.argmax(np.abs(found.v))] > 0
    assert found.value == pytest.approx(found.eigenvalues[0], rel=1e-9)
    np.testing.assert_array_equal(found.K, LinearSpline()(x))
    assert (np.diff(found.eigenvalues) >= 0).all()
    assert found.rounding == pytest.approx(300 * 2.0**-52 * found.eigenvalues[-1])
    assert found.eigenvalues.sum() == pytest.approx(np.trace(found.K))


@pytest.mark.parametrize(
    "kernel",
    [Linear(), Polynomial(4), Gaussian(0.01), Matern(0.5), Cosine(), Gaussian() * Polynomial() + Linear()],
    ids=repr,
)
def test_rounding_is_no_witness(kernel):
    """Points that are there three times, and kernels of low rank: eigenvalues 0, computed as +-1e-16."""
    found = mercer_witness(kernel, np.vstack([X, X, X]))
    assert found.is_psd
    assert found.v is None
    assert found.value is None


def test_a_small_witness_is_found():
    """A kernel whose smallest eigenvalue is -1e-9, far above rounding."""
    K = np.diag([1.0, 0.5, -1e-9])
    found = mercer_witness(
        lambda X, Z: K[np.ix_(X[:, 0].astype(int), Z[:, 0].astype(int))], np.array([[0], [1], [2]])
    )
    assert not found.is_psd
    np.testing.assert_allclose(found.v, [0.0, 0.0, 1.0], atol=1e-15)


def test_documents_have_witnesses_or_not_too():
    assert mercer_witness(TfIdf(), ["a cat", "the cat", "soup"]).is_psd


def test_one_point_and_none():
    assert mercer_witness(Sigmoid(1.0, -1.0), [[0.0]]).value == pytest.approx(np.tanh(-1.0))
    assert mercer_witness(Linear(), [[0.0]]).is_psd
    with pytest.raises(ValueError, match="X must hold at least one input, got none"):
        mercer_witness(Linear(), np.empty((0, 2)))


def test_not_symmetric():
    with pytest.raises(ValueError, match="A Gram matrix must be symmetric"):
        mercer_witness(lambda X, Z: X + 2 * Z.T, np.array([[1.0], [2.0]]))
    with pytest.raises(ValueError, match="A Gram matrix must be symmetric"):
        mercer_features([[1.0, 0.5], [0.4, 1.0]])


@pytest.mark.parametrize(
    ("kernel", "rank"),
    [(Linear(), 2), (Polynomial(2), 6), (Gaussian(), 12), (Cosine(), 2), (Normalised(Polynomial()), 6)],
    ids=repr,
)
def test_features_rebuild_the_gram_matrix(kernel, rank):
    """(14.12); as many features as the feature space has dimensions, e.g. the six of (14.16)."""
    K = kernel(X)
    Phi = mercer_features(K)
    assert Phi.shape == (12, rank)
    np.testing.assert_allclose(Phi @ Phi.T, K, atol=1e-12 * np.abs(K).max())
    assert (Phi.max(axis=0) >= -Phi.min(axis=0)).all()  # of two directions always the same
    importance = (Phi**2).sum(axis=0)
    np.testing.assert_allclose(importance, np.linalg.eigvalsh(K)[::-1][:rank], rtol=1e-9)


def test_equation_14_11_in_the_letters_of_the_book():
    K = Gaussian()(X)
    eigenvalues, columns = np.linalg.eigh(K)
    U, Lambda = columns.T, np.diag(eigenvalues)
    np.testing.assert_allclose(U.T @ Lambda @ U, K, atol=1e-13)  # (14.10)
    phi = [np.sqrt(Lambda) @ U[:, n] for n in range(12)]
    np.testing.assert_allclose(np.abs(mercer_features(K)), np.abs(np.array(phi)[:, ::-1]), atol=1e-12)


@given(st.integers(1, 8), st.integers(1, 5), st.integers(0, 10**6))
def test_features_of_any_gram_matrix(n, rank, seed):
    A = np.random.default_rng(seed).normal(size=(n, rank))
    Phi = mercer_features(A @ A.T)
    assert Phi.shape[1] == min(n, rank)
    np.testing.assert_allclose(Phi @ Phi.T, A @ A.T, atol=1e-12 * (1 + np.abs(A).max() ** 2))


def test_no_features_with_a_negative_eigenvalue():
    with pytest.raises(
        ValueError, match=r"no negative eigenvalue to be made of features, got -0.412; .* 1.41"
    ):
        mercer_features(Sigmoid(1.0, -1.0)([[1.0], [2.0]]))
    for K in (np.ones((2, 3)), np.ones(3), [[np.nan]]):
        with pytest.raises(ValueError, match="K must be a square matrix of finite numbers"):
            mercer_features(K)
    assert mercer_features(np.zeros((3, 3))).shape == (3, 0)
    assert mercer_features(np.empty((0, 0))).shape == (0, 0)


def test_centred_features_have_mean_zero():
    points = X - X.mean(axis=0)
    np.testing.assert_allclose(centred(Linear()(X)), Linear()(points), atol=1e-13)
    K = Gaussian()(X)
    np.testing.assert_allclose(mercer_features(centred(K)).mean(axis=0), 0.0, atol=1e-12)
    assert mercer_features(centred(K)).shape == (12, 11)
