"""A line fitted around one place."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from sparsekm_edu import LocallyWeightedRegression, datasets
from sparsekm_edu.lessons.local_lines import local_line


@pytest.mark.parametrize("place", [-3.0, 0.0, 41.0, 100.0])
def test_it_is_weighted_least_squares_and_its_intercept_the_smoothed_value(place):
    X, t = datasets.rising_wave()
    d = X[:, 0] - place
    kappa = np.exp(-0.5 * (d / 6) ** 2)
    intercept, slope = local_line(d, t, kappa)
    other = LinearRegression().fit(d[:, None], t, sample_weight=kappa)
    assert intercept == pytest.approx(other.intercept_, abs=1e-9)
    assert slope == pytest.approx(other.coef_[0], abs=1e-9)
    smoother = LocallyWeightedRegression(6.0).fit(X, t)
    assert intercept == pytest.approx(smoother.predict([[place]])[0], abs=1e-9)


@pytest.mark.parametrize("place", [0.0, 0.4, -7.0])
def test_points_that_share_one_place_leave_a_level_line(place):
    """Not the least of all solutions: that one is tilted wherever the points are beside x*."""
    d, y, kappa = np.full(4, place), np.array([1.0, 2.0, 6.0, 99.0]), np.array([1.0, 1.0, 2.0, 0.0])
    d[3] = 5.0  # of no weight
    np.testing.assert_allclose(local_line(d, y, kappa), [15 / 4, 0], atol=1e-12)
    level = LocallyWeightedRegression(1.0, "boxcar").fit(d[:3, None], y[[0, 2, 2]]).predict([[0.0]])[0]
    assert local_line(d[:3], y[[0, 2, 2]], np.ones(3))[0] == pytest.approx(level)
