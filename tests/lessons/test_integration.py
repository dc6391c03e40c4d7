"""Integrals over the posterior, against scipy's and against finer ones of our own."""

import numpy as np
import pytest
from scipy.integrate import dblquad, quad
from scipy.special import expit
from scipy.stats import entropy, multivariate_normal, norm

from sparsekm_edu import datasets
from sparsekm_edu.lessons import integration
from sparsekm_edu.lessons.integration import (
    four_ways,
    grid_posterior,
    log_joint,
    mean_divergence,
    mean_sigmoid,
    sampled_evidence,
)
from sparsekm_edu.solvers import laplace_fit


def problem(n=10, seed=75, alpha=0.1):
    X, t = datasets.on_a_line(n, seed)
    Phi, label = np.column_stack([X[:, 0], np.ones(n)]), (t > 0).astype(float)
    return Phi, label, alpha, laplace_fit(Phi, label, alpha)


def test_log_joint_is_likelihood_times_prior():
    Phi, t, alpha, _ = problem()
    W = np.random.default_rng(0).normal(size=(5, 2))
    for w, value in zip(W, log_joint(Phi, t, alpha, W)):
        y = expit(Phi @ w)
        likelihood = np.prod(np.where(t > 0, y, 1 - y))
        prior = multivariate_normal(np.zeros(2), np.eye(2) / alpha).pdf(w)
        assert value == pytest.approx(np.log(likelihood * prior), abs=1e-10)


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 1.0), (2.0, 0.3), (-3.0, 4.0), (6.0, 3.5), (10.0, 20.0)])
def test_mean_sigmoid_equals_scipys(mean, sd):
    expected, _ = quad(
        lambda u: expit(mean + sd * u) * norm.pdf(u), -12, 12, points=(-mean / sd,), epsabs=1e-12
    )
    assert mean_sigmoid(np.array([mean]), np.array([sd**2]))[0] == pytest.approx(expected, abs=1e-4)


def test_the_probit_formula_is_never_off_by_more_than_two_hundredths():
    mean, sd = (grid.ravel() for grid in np.meshgrid(np.linspace(-40, 40, 161), np.geomspace(0.01, 20, 60)))
    apart = integration.averaged_probability(mean, sd**2) - mean_sigmoid(mean, sd**2)
    assert 0.015 < np.abs(apart).max() < 0.02


@pytest.mark.parametrize("alpha", [0.05, 1.0])
def test_grid_posterior_equals_scipys_integrals(alpha):
    Phi, t, _, fit = problem(n=8, seed=5, alpha=alpha)
    alpha = float(alpha)
    fit = laplace_fit(Phi, t, alpha)
    posterior = grid_posterior(Phi, t, alpha, fit)
    reach = 12 * np.sqrt(np.diagonal(fit.Sigma))
    (a, b), (c, d) = zip(fit.w - reach, fit.w + reach)

    def joint(w0, w1):
        return float(np.exp(log_joint(Phi, t, alpha, np.array([[w1, w0]]))[0] - fit.log_evidence))

    Z, _ = dblquad(joint, a, b, c, d, epsabs=1e-4, epsrel=1e-4)
    assert posterior.log_evidence == pytest.approx(np.log(Z) + fit.log_evidence, abs=1e-3)
    at = np.array([[1.7, 1.0]])
    upper, _ = dblquad(
        lambda w0, w1: joint(w0, w1) * expit(1.7 * w1 + w0), a, b, c, d, epsabs=1e-4, epsrel=1e-4
    )
    assert posterior.predict(at)[0] == pytest.approx(upper / Z, abs=1e-3)


@pytest.mark.parametrize("alpha", [0.01, 0.1, 1.0, 10.0])
@pytest.mark.parametrize(("n", "seed"), [(2, 0), (10, 75), (40, 1)])
def test_a_finer_grid_changes_nothing(monkeypatch, alpha, n, seed):
    Phi, t, alpha, fit = problem(n, seed, alpha)
    line = np.column_stack([np.linspace(-4, 4, 17), np.ones(17)])
    coarse = grid_posterior(Phi, t, alpha, fit)
    monkeypatch.setattr(integration, "SIDE", 161)
    monkeypatch.setattr(integration, "REACH", 4.5)
    fine = grid_posterior(Phi, t, alpha, fit)
    assert coarse.log_evidence == pytest.approx(fine.log_evidence, abs=2e-3)
    np.testing.assert_allclose(coarse.predict(line), fine.predict(line), atol=1e-3)
    assert coarse.p.sum() == pytest.approx(1, abs=1e-9)


def test_the_density_on_the_grid_and_its_units():
    Phi, t, alpha, fit = problem()
    posterior = grid_posterior(Phi, t, alpha, fit)
    z, density, shares, in_sd = posterior.contours
    middle = len(z) // 2
    assert z[middle] == 0
    np.testing.assert_allclose(posterior.W.reshape(len(z), len(z), 2)[middle, middle], fit.w)
    assert density.argmax() == middle * len(z) + middle
    sd = np.sqrt(np.diagonal(fit.Sigma))
    point = posterior.W.reshape(len(z), len(z), 2)[middle + 3, middle - 5]
    np.testing.assert_allclose(in_sd @ (z[middle + 3], z[middle - 5]), (point - fit.w) / sd, atol=1e-12)
    assert shares.sum() == pytest.approx(1, abs=1e-9)


def test_four_ways_agree_where_the_posterior_is_narrow():
    Phi, t, alpha, _ = problem(40, 1, 0.1)
    Phi, t = np.tile(Phi, (200, 1)), np.tile(t, 200)
    fit = laplace_fit(Phi, t, alpha)
    ways = four_ways(Phi[:40], fit, grid_posterior(Phi, t, alpha, fit))
    for p in ways.values():
        np.testing.assert_allclose(p, ways["exact"], atol=1e-3)


@pytest.mark.parametrize("alpha", [0.1, 1.0])
def test_sampled_evidence_of_two_weights_equals_the_grids(alpha):
    Phi, t, alpha, fit = problem(10, 75, alpha)
    exact = grid_posterior(Phi, t, alpha, fit).log_evidence
    assert sampled_evidence(Phi, t, alpha, fit, 4096) == pytest.approx(exact, abs=3e-3)
    assert sampled_evidence(Phi, t, alpha, fit) == pytest.approx(exact, abs=0.03)


def test_sampled_evidence_of_nine_weights_settles():
    X, t = datasets.wavy_odds(60, seed=1)
    Phi, t = np.polynomial.legendre.legvander(X[:, 0], 8) * np.sqrt(2 * np.arange(9) + 1), (t > 0) * 1.0
    fit = laplace_fit(Phi, t, 1.0)
    many = sampled_evidence(Phi, t, 1.0, fit, 2**16)
    assert sampled_evidence(Phi, t, 1.0, fit, 256) == pytest.approx(many, abs=0.1)
    assert fit.log_evidence == pytest.approx(many, abs=0.5)
    rng = np.random.default_rng(0)  # an independent sampler: plain draws from an inflated Gaussian
    L = 1.25 * np.linalg.cholesky(fit.Sigma)
    e = rng.normal(size=(200_000, 9))
    log_q = norm.logpdf(e).sum(axis=1) - np.log(np.diagonal(L)).sum()
    log_ratio = log_joint(Phi, t, 1.0, fit.w + e @ L.T) - log_q
    assert many == pytest.approx(np.logaddexp.reduce(log_ratio) - np.log(len(e)), abs=0.03)


def test_mean_divergence_is_scipys_and_zero_for_the_truth():
    truth, p = np.array([0.2, 0.9, 0.5]), np.array([0.3, 0.6, 1e-6])
    expected = np.mean([entropy([a, 1 - a], [b, 1 - b]) for a, b in zip(truth, p)])
    assert mean_divergence(truth, p) == pytest.approx(expected)
    assert mean_divergence(truth, truth) == 0
    assert np.isfinite(mean_divergence(truth, np.ones(3)))


@pytest.mark.parametrize(("mean", "sd"), [(1.0, 2.0), (0.0, 1.0), (-3.0, 0.5), (2.5, 6.0)])
def test_the_probit_has_an_integral_in_closed_form(mean, sd):
    """Of Psi(lambda a) over a Gaussian, as notebook 08 writes it, and back to sigma by lambda^2 = pi/8."""
    lam = np.sqrt(np.pi / 8)
    integral, _ = quad(
        lambda u: norm.cdf(lam * (mean + sd * u)) * norm.pdf(u), -12, 12, points=(-mean / sd,), epsabs=1e-12
    )
    assert integral == pytest.approx(norm.cdf(mean / np.sqrt(lam**-2 + sd**2)), abs=1e-10)
    kappa = (1 + np.pi / 8 * sd**2) ** -0.5
    assert integral == pytest.approx(norm.cdf(lam * kappa * mean), abs=1e-10)
    averaged = integration.averaged_probability(np.array([mean]), np.array([sd**2]))[0]
    assert averaged == pytest.approx(expit(kappa * mean), abs=1e-12)
