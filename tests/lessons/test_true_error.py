"""The error of a classifier by integration, beside large samples and closed forms."""

import numpy as np
import pytest
from scipy.stats import norm

from sparsekm_edu import RVC, SVC, Gaussian, datasets
from sparsekm_edu.figures import grid_over
from sparsekm_edu.lessons.true_error import cell_masses, known_mixtures, least_risk, risk, true_errors

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


def test_the_bayes_error_of_known_mixtures_by_chance():
    """21.0 %, as Hastie et al. have with other means; beside it the error of the same rule on a large sample."""
    known = known_mixtures(*datasets.MIXTURE_MEANS, datasets.MIXTURE_VARIANCE)
    assert known.minus.sum() == pytest.approx(1)
    assert known.bayes_error == pytest.approx(0.2101, abs=1e-4)
    finer = known_mixtures(*datasets.MIXTURE_MEANS, datasets.MIXTURE_VARIANCE, side=700)
    assert known.bayes_error == pytest.approx(finer.bayes_error, abs=2e-5)
    X, t = datasets.mixture(n=100_000, seed=9)
    minus, plus = (
        np.exp(-np.sum((X[:, None] - means) ** 2, axis=2) / (2 * datasets.MIXTURE_VARIANCE)).sum(axis=1)
        for means in datasets.MIXTURE_MEANS
    )
    assert np.mean((plus > minus) != (t > 0)) == pytest.approx(known.bayes_error, abs=0.004)  # 3 s.e.


def test_known_mixtures_of_one_gaussian_each_have_a_closed_form():
    known = known_mixtures([(-0.5, 0.0)], [(0.5, 1.0)], 0.3)
    half_apart = np.sqrt(2) / 2
    assert known.bayes_error == pytest.approx(norm.cdf(-half_apart / np.sqrt(0.3)), abs=2e-4)


def test_true_errors_are_those_of_one_machine_for_each_cell_and_of_a_large_sample():
    X, t = datasets.mixture(n=80, seed=3)
    new_X, new_t = datasets.mixture(n=100_000, seed=4)
    known = known_mixtures(*datasets.MIXTURE_MEANS, datasets.MIXTURE_VARIANCE)
    C, gamma = [0.05, 3.0, 200.0], [0.2, 4.0]
    errors = true_errors(X, t, C, gamma, known)
    for i, width in enumerate(gamma):
        for j, price in enumerate(C):
            machine = SVC(C=price, kernel=Gaussian(width), tol=1e-8).fit(X, t)
            assert errors[i, j] == pytest.approx(known.error(machine), abs=1e-5)
            assert errors[i, j] == pytest.approx(np.mean(machine.predict(new_X) != new_t), abs=0.005)
            assert errors[i, j] > known.bayes_error
