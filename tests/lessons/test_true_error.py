"""The error of a classifier by integration, beside large samples and closed forms."""

import numpy as np
import pytest
from scipy.stats import norm

from sparsekm_edu import RVC, SVC, Gaussian, datasets
from sparsekm_edu.figures import grid_over
from sparsekm_edu.lessons.true_error import cell_masses, least_risk, risk

GRID = grid_over((-1.6, 1.3, -0.6, 1.5), 200)
MASSES = [cell_masses(*GRID, centres, datasets.RIPLEY_VARIANCE) for centres in datasets.RIPLEY_CENTRES]


def test_masses_are_probabilities():
    for mass in MASSES:
        assert mass.shape == (len(GRID[1]), len(GRID[0]))
        assert mass.min() >= 0
        assert mass.sum() == pytest.approx(1)


def test_two_round_clouds_have_a_closed_form():
    grid = grid_over((-6, 6, -6, 6), 240)  # no centre on the boundary
    left, right = (cell_masses(*grid, np.array([[centre, 0.0]]), 1.0) for centre in (-1.0, 1.0))
    assert least_risk(left, right) == pytest.approx(norm.cdf(-1), abs=1e-4)
    edge = (grid[0][129] + grid[0][130]) / 2
    straight = np.tile(grid[0] - edge, (len(grid[1]), 1))
    expected = 0.5 * (norm.sf(edge + 1) + norm.cdf(edge - 1))
    assert risk(straight, left, right) == pytest.approx(expected, abs=1e-4)


def test_ripleys_mixture():
    """8.93 % is the least; a machine's error is what a large sample says."""
    assert least_risk(*MASSES) == pytest.approx(0.0893, abs=5e-5)
    X, t = datasets.ripley(100, seed=0)
    X_new, t_new = datasets.ripley(200_000, seed=1)
    for machine in (SVC(kernel=Gaussian(4.0)).fit(X, t), RVC(kernel=Gaussian(4.0)).fit(X, t)):
        error = risk(machine.surface(*GRID), *MASSES)
        assert error > least_risk(*MASSES)
        assert error == pytest.approx(np.mean(machine.predict(X_new) != t_new), abs=2e-3)
