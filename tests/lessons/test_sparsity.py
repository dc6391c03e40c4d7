"""The noise that makes up for a finite alpha: |C| stays as it was."""

import numpy as np
import pytest

from sparsekm_edu.lessons.sparsity import noise_of_equal_determinant


@pytest.mark.parametrize("alpha", [1e-3, 0.1, 1.0, 30.0, 1e6])
@pytest.mark.parametrize("beta", [0.2, 1.0, 40.0])
def test_the_determinant_stays(alpha, beta):
    phi = np.array([0.7, -1.1])
    noise = noise_of_equal_determinant(phi, alpha, beta)
    determinant = noise**-2 * (1 + noise * (phi @ phi) / alpha)  # (7.94): no digits are lost
    assert determinant == pytest.approx(beta**-2, rel=1e-12)
    assert noise > beta  # less noise makes room for the spread along phi


def test_an_infinite_alpha_changes_nothing():
    assert noise_of_equal_determinant(np.array([1.0, 2.0]), np.inf, 3.0) == 3.0


def test_many_alphas_at_once():
    phi, alphas = np.array([1.0, 0.5]), np.array([0.1, 1.0, 10.0])
    each = [noise_of_equal_determinant(phi, alpha, 2.0) for alpha in alphas]
    np.testing.assert_array_equal(noise_of_equal_determinant(phi, alphas, 2.0), each)
