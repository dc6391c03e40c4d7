"""The referee for the evidence: right in closed form, against differences and other routes; and what solvers owe it."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import multivariate_normal
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu import Gaussian, datasets
from sparsekm_edu.solvers import (
    EvidenceCheck,
    em,
    evidence_check,
    laplace_fit,
    log_evidence,
    reestimate,
    sequential,
    softmax_fit,
    sparsity_quality,
)
from sparsekm_edu.solvers.bayes.evidence import SBLSolution, posterior
from sparsekm_edu.solvers.bayes.referee import ENOUGH

METHODS = {"sequential": sequential, "reestimate": reestimate, "em": em}


def model_of(Phi, t, alpha, beta):
    """A SBLSolution at alpha and beta, whether that is a maximum or not."""
    m, Sigma = posterior(Phi, t, alpha, beta)
    return SBLSolution(np.isfinite(alpha), alpha, beta, m, Sigma, np.nan, 1, True, None)


def random_model(seed, N=12, M=5):
    rng = np.random.default_rng(seed)
    Phi, t = rng.normal(size=(N, M)), rng.normal(size=N)
    alpha = np.where(rng.random(M) < 0.6, rng.uniform(0.1, 10.0, M), np.inf)
    return Phi, t, alpha, rng.uniform(0.3, 3.0)


@pytest.mark.parametrize("seed", range(8))
def test_evidence_is_the_density_of_the_targets(seed):
    Phi, t, alpha, beta = random_model(seed)
    C = np.eye(len(t)) / beta + (Phi / alpha) @ Phi.T  # (7.86)
    exact = multivariate_normal(np.zeros(len(t)), C).logpdf(t)
    assert evidence_check(Phi, t, model_of(Phi, t, alpha, beta)).log_evidence == pytest.approx(
        exact, abs=1e-10
    )


@pytest.mark.parametrize("learned", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_gain_is_that_of_the_best_single_action_by_trying_them_all(seed, learned):
    Phi, t, alpha, beta = random_model(seed)
    check = evidence_check(Phi, t, model_of(Phi, t, alpha, beta), learned)
    here, gains = log_evidence(Phi, t, alpha, beta), []

    def height(i, ln_alpha):
        there = alpha.copy()
        there[i] = np.exp(ln_alpha)
        return log_evidence(Phi, t, there, beta)

    for i in range(len(alpha)):
        grid = np.linspace(-15, 15, 121)
        k = int(np.argmax([height(i, x) for x in grid]))
        best = minimize_scalar(lambda x, i=i: -height(i, x), bounds=(grid[k] - 0.5, grid[k] + 0.5)).fun
        without = np.where(np.arange(len(alpha)) == i, np.inf, alpha)
        gains.append(max(-best, log_evidence(Phi, t, without, beta)) - here)
    noise = minimize_scalar(lambda x: -log_evidence(Phi, t, alpha, np.exp(x)), bounds=(-6, 6)).fun
    most = max(*gains, -noise - here if learned else 0.0, 0.0)
    assert check.gain == pytest.approx(most, abs=1e-5)
    if check.action not in (None, "noise"):
        assert check.index == int(np.argmax(gains))
        there = alpha.copy()
        there[check.index] = check.alpha
        assert log_evidence(Phi, t, there, beta) - here == pytest.approx(check.gain, abs=1e-9)
    if check.action == "noise":
        assert log_evidence(Phi, t, alpha, check.beta) - here == pytest.approx(check.gain, abs=1e-9)


def test_weights_of_ten_million_do_not_spoil_the_evidence():
    """Two columns that differ by 1e-8: differences of large weights. Exact by the even and the odd part of them."""
    rng = np.random.default_rng(0)
    N = 30
    even, odd = np.linalg.qr(rng.normal(size=(N, 2)))[0].T
    Phi = np.column_stack([even + 1e-8 * odd, even - 1e-8 * odd])
    t = 2.0 * even + 0.5 * odd + 0.01 * rng.normal(size=N)
    alpha, beta = np.full(2, 1e-15), 1e4
    check = evidence_check(Phi, t, model_of(Phi, t, alpha, beta))
    lengths = 2.0 / alpha[0] * np.array([1.0, 1e-16])  # Phi A^-1 Phi' = sum of these times e e' and o o'
    along = np.array([even @ t, odd @ t])
    rest = t @ t - along @ along
    exact = -0.5 * (
        N * np.log(2 * np.pi)
        + np.log(1 / beta + lengths).sum()
        - (N - 2) * np.log(beta)
        + np.sum(along**2 / (1 / beta + lengths))
        + beta * rest
    )
    assert np.abs(model_of(Phi, t, alpha, beta).m).max() > 1e7
    assert check.log_evidence == pytest.approx(exact, abs=1e-5)


def test_what_is_left_at_an_unfinished_model_is_told():
    X, t = datasets.sinc(100, noise=0.1)
    Phi = Gaussian(gamma=1 / 9)(X)
    finished = sequential(Phi, t)
    assert evidence_check(Phi, t, finished).gain == pytest.approx(finished.gain_left, abs=1e-6)
    assert finished.gain_left < ENOUGH
    best = finished.support[0]
    alpha = finished.alpha.copy()
    alpha[best] = np.inf
    check = evidence_check(Phi, t, model_of(Phi, t, alpha, finished.beta))
    assert check.action == "add"
    assert check.gain > 1.0
    few = np.append(finished.support, np.flatnonzero(~finished.active)[0])  # and one that does not belong
    Phi, alpha = Phi[:, few], np.append(100.0 * finished.alpha[finished.support], np.inf)
    assert (
        evidence_check(Phi, t, model_of(Phi, t, alpha, finished.beta), learned=False).action == "re-estimate"
    )
    alpha = np.append(finished.alpha[finished.support], 1.0)
    assert evidence_check(Phi, t, model_of(Phi, t, alpha, finished.beta), learned=False).action == "delete"
    noisy = model_of(Phi, t, np.append(finished.alpha[finished.support], np.inf), 3.0 * finished.beta)
    assert evidence_check(Phi, t, noisy).action == "noise"
    assert evidence_check(Phi, t, noisy).beta == pytest.approx(finished.beta, rel=1e-3)


def test_beta_at_its_limit_is_not_asked_to_go_beyond():
    X, t = datasets.sinc(30)  # there is no noise
    Phi = Gaussian(gamma=0.3)(X)
    with pytest.warns(UserWarning, match="limit"):
        solution = sequential(Phi, t)
    assert solution.gain_left < ENOUGH
    above = replace(solution, beta=0.5 * solution.beta)
    assert evidence_check(Phi, t, above).beta <= solution.beta * (1 + 1e-9)


@pytest.mark.parametrize("gamma", [0.5, 4.0])
def test_two_classes_promises_are_carried_out(gamma):
    X, t = datasets.ripley(60)
    t = (t > 0).astype(float)
    Phi = Gaussian(gamma=gamma)(X)
    finished = sequential(Phi, t, "bernoulli")
    check = evidence_check(Phi, t, finished)
    exact = laplace_fit(Phi[:, finished.support], t, finished.alpha[finished.support]).log_evidence
    assert check.log_evidence == pytest.approx(exact, abs=1e-8)
    alpha = finished.alpha.copy()
    alpha[finished.support[0]] = np.inf
    fit = laplace_fit(Phi[:, np.isfinite(alpha)], t, alpha[np.isfinite(alpha)])
    poorer = SBLSolution(np.isfinite(alpha), alpha, None, fit.w, fit.Sigma, np.nan, 1, True, None)
    check = evidence_check(Phi, t, poorer)
    assert check.action == "add"
    alpha[check.index] = check.alpha
    inside = np.isfinite(alpha)
    realised = laplace_fit(Phi[:, inside], t, alpha[inside]).log_evidence - fit.log_evidence
    assert ENOUGH < check.gain <= realised + 1e-9


def test_many_classes_promises_are_carried_out():
    X, label = datasets.three_classes(45)
    T, Phi = np.eye(3)[np.unique(label, return_inverse=True)[1]], Gaussian(gamma=1.0)(X)
    finished = sequential(Phi, T, "softmax")
    assert evidence_check(Phi, T, finished).gain < ENOUGH
    alpha = finished.alpha.copy()
    out = np.flatnonzero(np.isfinite(alpha))[0]
    alpha.flat[out] = np.inf
    used = np.isfinite(alpha).any(axis=1)
    fit = softmax_fit(Phi[:, used], T, alpha[used])
    m = fit.W[np.isfinite(alpha[used])]
    check = evidence_check(
        Phi, T, SBLSolution(np.isfinite(alpha), alpha, None, m, fit.Sigma, np.nan, 1, True, None)
    )
    assert check.log_evidence == pytest.approx(fit.log_evidence, abs=1e-6)
    assert check.gain > ENOUGH
    alpha.flat[check.index] = check.alpha
    used = np.isfinite(alpha).any(axis=1)
    assert softmax_fit(Phi[:, used], T, alpha[used]).log_evidence - fit.log_evidence >= check.gain - 1e-6


def test_q_and_s_are_those_of_the_book():
    """An independent route to the same numbers: `sparsity_quality` by (7.104)-(7.107)."""
    Phi, t, alpha, beta = random_model(3)
    q, s, _, _ = sparsity_quality(Phi, t, np.isfinite(alpha), alpha, beta)
    worth = q * q > s
    with np.errstate(divide="ignore", invalid="ignore"):
        best = np.where(worth, 0.5 * (q * q / s - 1 - np.log(q * q / s)), 0.0)
        now = np.where(np.isfinite(alpha), 0.5 * (q * q / (alpha + s) - np.log1p(s / alpha)), 0.0)
    check = evidence_check(Phi, t, model_of(Phi, t, alpha, beta), learned=False)
    assert check.gain == pytest.approx(np.max(best - now), abs=1e-9)


def test_nothing_is_left_of_an_empty_problem():
    assert evidence_check(
        np.zeros((4, 2)), np.ones(4), model_of(np.zeros((4, 2)), np.ones(4), np.full(2, np.inf), 1.0)
    ) == EvidenceCheck(pytest.approx(-2 * np.log(2 * np.pi) - 2), 0.0, beta=1.0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("likelihood", ["gaussian", "bernoulli", "softmax"])
def test_no_solver_says_converged_while_more_is_left(method, likelihood):
    for seed in range(2):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(40, 2))
        y = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=40)
        t = {
            "gaussian": y,
            "bernoulli": (y > 0).astype(float),
            "softmax": np.eye(3)[np.digitize(y, (-0.5, 0.5))],
        }
        for gamma in (0.05, 1.0, 20.0):
            Phi = np.hstack([Gaussian(gamma)(X), np.ones((40, 1))])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                solution = METHODS[method](Phi, t[likelihood], likelihood, max_iter=1000)
            check = evidence_check(Phi, t[likelihood], solution)
            assert check.gain == pytest.approx(solution.gain_left, abs=1e-6)
            assert solution.gain_left <= ENOUGH or not solution.converged
            assert check.log_evidence == pytest.approx(solution.log_evidence, abs=1e-5)
