"""Functions of Gaussian processes have the covariance that they should, and move smoothly."""

import numpy as np

from sparsekm_edu import Gaussian, Linear, Matern
from sparsekm_edu.lessons.processes import process_functions

x = np.linspace(-3, 3, 21)[:, None]


def test_covariance_of_many():
    K = Matern(1.5, 0.8)(x)
    F = process_functions(K, n=200_000)
    np.testing.assert_allclose(F @ F.T / 200_000, K, atol=0.02)  # errors are about 1 / sqrt(200 000) = 0.002
    np.testing.assert_allclose(F.mean(axis=1), 0.0, atol=0.02)


def test_functions_of_the_linear_kernel_are_lines_through_zero():
    F = process_functions(Linear()(x))
    np.testing.assert_allclose(F, x * F[-1] / 3.0, atol=1e-6)


def test_a_small_change_of_the_kernel_is_a_small_change_of_the_functions():
    F, moved = (process_functions(Gaussian(gamma)(x)) for gamma in (1.0, 1.001))
    assert 0 < np.abs(F - moved).max() < 0.01
    np.testing.assert_array_equal(F, process_functions(Gaussian(1.0)(x)))


def test_rougher_kernels_have_rougher_functions():
    """Mean squared steps, 2 (1 - k(step)): largest for nu = 1/2."""
    steps = [
        np.mean(np.diff(process_functions(Matern(nu)(x), n=2000), axis=0) ** 2)
        for nu in (0.5, 1.5, 2.5, np.inf)
    ]
    expected = [2 * (1 - Matern(nu)([[0.0]], [[0.3]])[0, 0]) for nu in (0.5, 1.5, 2.5, np.inf)]
    np.testing.assert_allclose(steps, expected, rtol=0.03)
