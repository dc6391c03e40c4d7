"""Data for networks of kernels."""

import numpy as np
import pytest

from sparsekm_edu import datasets


@pytest.mark.parametrize("n", [4, 80, 1001])
def test_xor_stays_within_its_jitter_of_the_corners_and_has_the_labels_of_the_truth_table(n):
    X, t = datasets.xor(n, jitter=0.3, seed=5)
    assert X.shape == (n, 2)
    corners = X.round().astype(int)
    assert np.abs(X - corners).max() <= 0.3
    np.testing.assert_array_equal(t > 0, corners[:, 0] ^ corners[:, 1])
    counts = np.bincount(corners @ (1, 2), minlength=4)
    assert np.ptp(counts) <= 1
    assert counts.sum() == n
    np.testing.assert_array_equal(t, np.sort(t))  # false first


def test_xor_is_seeded_and_the_jitter_is_uniform():
    (X, _), (again, _), (other, _) = (datasets.xor(4000, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(X, again)
    assert (other != X).all()
    shift = X - X.round()
    assert shift.std() == pytest.approx(0.35 / np.sqrt(3), rel=0.02)
    assert np.abs(shift).max() > 0.349


def test_parabola_is_the_programs_with_its_noise():
    X, t = datasets.parabola()
    z = np.arange(21)
    np.testing.assert_allclose(10 * (X[:, 0] + 1), z, atol=1e-12)
    clean = datasets.parabola(noise=0.0)[1]
    np.testing.assert_allclose(clean, z * (z / 9 - 1.5), atol=1e-12)
    many = np.array([datasets.parabola(seed=seed)[1] - clean for seed in range(200)])
    assert many.std() == pytest.approx(2.0, rel=0.03)
    assert abs(many.mean()) < 0.1
