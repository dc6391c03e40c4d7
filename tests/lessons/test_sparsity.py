"""The noise that makes up for a finite alpha: |C| stays as it was."""

import numpy as np
import pytest

from sparsekm_edu.lessons.sparsity import Lambda, noise_of_equal_determinant, vectors_of


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


@pytest.mark.parametrize(("q2", "s"), [(4.0, 1.0), (1.0, 2.0), (30.0, 0.7)])
def test_lambda_is_price_plus_reward_and_its_best_alpha_a_maximum(q2, s):
    lam, alphas = Lambda(q2, s), np.logspace(-4, 6, 2001)
    printed = 0.5 * (np.log(alphas) - np.log(alphas + s) + q2 / (alphas + s))  # (7.97)
    np.testing.assert_allclose(lam(alphas), printed, atol=1e-9)
    assert np.all(lam.price(alphas) < 0)
    assert np.all(lam.reward(alphas) > 0)
    if q2 > s:
        assert lam.best == pytest.approx(s**2 / (q2 - s))
        assert lam(lam.best) >= lam(alphas).max()
        assert lam(lam.best) == pytest.approx(0.5 * (q2 / s - 1 - np.log(q2 / s)))
    else:
        assert lam.best == np.inf
        assert np.all(np.diff(lam(alphas)) > 0)
    assert lam(np.inf) == 0


@pytest.mark.parametrize("angle", [0.0, 1.0, -2.5])
@pytest.mark.parametrize(("q2", "s", "beta"), [(4.0, 1.0, 1.0), (1.0, 2.0, 1.0), (0.0, 3.0, 0.5)])
def test_vectors_have_the_quality_and_sparsity_that_were_asked_for(q2, s, beta, angle):
    phi, t = vectors_of(q2, s, beta, angle)
    assert beta * phi @ phi == pytest.approx(s)  # (7.98) with C = I / beta
    assert (beta * phi @ t) ** 2 == pytest.approx(q2, abs=1e-12)  # (7.99)
    assert np.arctan2(*phi[::-1]) == pytest.approx(angle)
