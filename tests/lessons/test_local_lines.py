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


def test_points_that_share_one_place_leave_a_level_line():
    intercept, slope = local_line(np.zeros(3), np.array([1.0, 2.0, 6.0]), np.array([1.0, 1.0, 2.0]))
    assert intercept == pytest.approx(15 / 4)
    assert slope == pytest.approx(0, abs=1e-12)
