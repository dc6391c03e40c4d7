"""Data for smoothers."""

import numpy as np
import pytest

from sparsekm_edu import datasets


def test_rising_wave_is_its_curve_with_gaussian_noise():
    X, t = datasets.rising_wave(n=20_000, seed=3)
    x = X[:, 0]
    assert np.all(np.diff(x) >= 0)
    assert 0 <= x.min() < 0.1
    assert 99.9 < x.max() <= 100
    assert x.std() == pytest.approx(100 / np.sqrt(12), rel=0.02)
    noise = t - (x / 25 + np.sin(x / 8))
    assert noise.std() == pytest.approx(0.4, rel=0.02)
    assert abs(noise.mean()) < 0.01


def test_rising_wave_is_seeded_and_as_steep_at_one_end_as_at_the_other():
    (X, t), (X1, t1), (X2, _) = (datasets.rising_wave(seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(X, X1)
    np.testing.assert_array_equal(t, t1)
    assert (X != X2).all()
    left, right = (datasets.rising_curve(end + np.array([-1e-6, 1e-6])) for end in (0.0, 100.0))
    assert np.diff(left)[0] / 2e-6 == pytest.approx(1 / 25 + 1 / 8)
    assert np.diff(right)[0] / 2e-6 == pytest.approx(1 / 25 + 1 / 8, abs=1e-3)
