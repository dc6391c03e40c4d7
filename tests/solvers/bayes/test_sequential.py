"""Sequential sparse Bayesian learning beside formulas that build C, N x N, from scratch at every step."""

import warnings
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad, quad
from scipy.special import expit
from scipy.stats import Covariance, multivariate_normal, norm
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, LinearSpline
from sparsekm_edu.solvers import evidence_check, sequential, sequential_steps, sparsity_quality
from sparsekm_edu.solvers.bayes.reestimation import em, reestimate

ACTIONS = ("add", "re-estimate", "delete")
CHOICES = ["gain", "in turn", "random"]
few_examples = settings(max_examples=25, phases=[Phase.generate])  # seeds have no simpler form to shrink to


# ------------------------------------------------------------------ the slow way


def covariance(Phi, alpha, beta):
    """C of (7.86), N x N; beta a number or one per point."""
    active = np.isfinite(alpha)
    return np.diag(np.ones(len(Phi)) / beta) + Phi[:, active] / alpha[active] @ Phi[:, active].T


def evidence(Phi, t, alpha, beta):
    """(7.85), by scipy; from a Cholesky factor of C, as its default refuses condition numbers above 1e10."""
    C = Covariance.from_cholesky(np.linalg.cholesky(covariance(Phi, alpha, beta)))
    return multivariate_normal.logpdf(t, np.zeros(len(t)), C)


def direct(Phi, t, alpha, beta):
    """What the model says from C alone: (7.102), (7.103), and m, Sigma by (C.7)."""
    active = np.isfinite(alpha)
    inverse = np.linalg.inv(covariance(Phi, alpha, beta))
    prior = Phi[:, active] / alpha[active]
    return SimpleNamespace(
        m=prior.T @ inverse @ t,
        Sigma=np.diag(1 / alpha[active]) - prior.T @ inverse @ prior,
        Q=Phi.T @ inverse @ t,
        S=np.einsum("nm,nk,km->m", Phi, inverse, Phi),
    )


def by_orthogonal_factor(Phi, t, alpha, beta):
    """The same, without the evidence, as least squares: residuals instead of differences of large numbers.

    With the rows of A^(1/2) put below beta^(1/2) Phi, and zeros below t and every phi_i, Sigma is the inverse of the
    normal equations, and Q and S are inner products of what is left of phi_i and t when the model is projected out.
    """
    active = np.isfinite(alpha)
    root = np.sqrt(beta)
    members = np.vstack([root * Phi[:, active], np.diag(np.sqrt(alpha[active]))])
    everything = np.zeros((len(members), Phi.shape[1] + 1))
    everything[: len(Phi)] = root * np.column_stack([Phi, t])
    q, r = np.linalg.qr(members)
    left = everything - q @ (q.T @ everything)
    left -= q @ (q.T @ left)
    r_inverse = np.linalg.inv(r)
    return SimpleNamespace(
        m=r_inverse @ (q.T @ everything[:, -1]),
        Sigma=r_inverse @ r_inverse.T,
        Q=left[:, :-1].T @ left[:, -1],
        S=(left[:, :-1] ** 2).sum(axis=0),
    )


def without(Phi, t, alpha, beta, reference=direct):
    """q and s by their definitions (7.98), (7.99): C_{-i}, or another reference without function i, for every i."""
    whole = reference(Phi, t, alpha, beta)
    q, s = whole.Q, whole.S
    for i in np.flatnonzero(np.isfinite(alpha)):
        rest = reference(Phi, t, np.where(np.arange(len(alpha)) == i, np.inf, alpha), beta)
        q[i], s[i] = rest.Q[i], rest.S[i]
    return q, s


def lam(alpha, q, s):
    """lambda(alpha), (7.97): what basis function i adds to the log evidence; 0 where it is not in the model."""
    alpha = np.asarray(alpha, dtype=float)
    finite = np.where(np.isfinite(alpha), alpha, 1.0)
    return np.where(np.isfinite(alpha), 0.5 * (np.log(finite / (finite + s)) + q**2 / (finite + s)), 0.0)


def best_alpha(q, s):
    """(7.101), infinite where q^2 <= s."""
    gain = q**2 - s
    return np.where(gain > 0, s**2 / np.where(gain > 0, gain, 1.0), np.inf)


def possible_gain(Phi, t, alpha, beta):
    """The largest gain in log evidence that any single action could still bring."""
    q, s = without(Phi, t, alpha, beta)
    return np.max(lam(best_alpha(q, s), q, s) - lam(alpha, q, s))


def laplace(Phi, t, alpha, w):
    """Laplace's approximation at w, the mode of (7.109): its gradient there, Sigma, log evidence, working targets."""
    active = np.isfinite(alpha)
    Phi, alpha = Phi[:, active], alpha[active]
    a = Phi @ w
    y = expit(a)
    b = y * (1 - y)
    Sigma = np.linalg.inv(Phi.T @ (b[:, None] * Phi) + np.diag(alpha))
    log_evidence = (
        np.sum(t * a - np.logaddexp(0, a))
        - 0.5 * w @ (alpha * w)
        + 0.5 * np.log(alpha).sum()
        + 0.5 * np.linalg.slogdet(Sigma)[1]
    )  # (7.114)
    gradient = Phi.T @ (t - y) - alpha * w  # (7.110)
    return SimpleNamespace(
        gradient=gradient, Sigma=Sigma, log_evidence=log_evidence, t_hat=a + (t - y) / b, b=b
    )


# ------------------------------------------------------------------ problems


def regression(seed, n=40, noise=0.1, gamma=None):
    """Noisy sinc, sine, step or bump in one or two dimensions; Gaussian kernels of some width and a constant column."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-5, 5, size=(n, 1 + seed % 2))
    curve = [np.sinc, np.sin, np.sign, lambda x: np.exp(-(x**2))][seed % 4]
    t = curve(X[:, 0]) + (0.3 * X[:, 1] if X.shape[1] > 1 else 0) + noise * rng.normal(size=n)
    gamma = 2.0 ** rng.integers(-3, 2) if gamma is None else gamma
    return np.column_stack([Gaussian(gamma)(X), np.ones(n)]), t


def smooth_regression(seed):
    """Noisy sinc in one dimension, or a tilted wave in two, 30 to 60 points; kernels about as wide as the curve."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 60))
    if seed % 5 == 4:
        X = rng.uniform(-3, 3, size=(n, 2))
        t = np.sin(X[:, 0]) + 0.3 * X[:, 1] + 0.2 * rng.normal(size=n)
        gamma = rng.choice([0.05, 0.1, 0.2])
    else:
        X, t = datasets.sinc(n, rng.choice([0.05, 0.1, 0.2]), "gaussian", seed)
        gamma = rng.choice([0.05, 0.1, 0.2, 0.4])
    return np.column_stack([Gaussian(gamma)(X), np.ones(n)]), t


def classification(seed, n=40, gamma=0.5):
    """Two overlapping classes in the plane, t = 0 or 1; Gaussian kernels and a constant column."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    t = (np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * rng.normal(size=n) > 0).astype(float)
    return np.column_stack([Gaussian(gamma)(X), np.ones(n)]), t


def spline(seed=0, n=50, noise=0.1):
    """Tipping's noisy sinc on [0, 20], where the linear spline is a Mercer kernel; columns nearly collinear."""
    X, t = datasets.sinc(n, noise, "gaussian", seed)
    return np.column_stack([LinearSpline()(X + 10), np.ones(n)]), t


def figure_7_9():
    """The ten points of the book's sinusoid, with Gaussian kernels of width 0.15 and a constant column."""
    X, t = datasets.sinusoid()
    return np.column_stack([Gaussian(1 / (2 * 0.15**2))(X), np.ones(10)]), t


@st.composite
def designs(draw):
    """Phi, t: 2 to 20 points, 1 to 25 columns; some duplicated, zero or constant; targets with more or less noise."""
    n, m = draw(st.integers(2, 20)), draw(st.integers(1, 25))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    Phi = rng.normal(size=(n, m))
    w = np.where(rng.random(m) < 0.2, rng.normal(size=m), 0)
    t = Phi @ w + draw(st.sampled_from([0.01, 0.3, 3.0])) * rng.normal(size=n)
    spoilt = rng.integers(0, m, size=3)
    if draw(st.booleans()):
        Phi[:, spoilt[0]] = Phi[:, spoilt[1]]
    if draw(st.booleans()):
        Phi[:, spoilt[1]] = 0.0
    if draw(st.booleans()):
        Phi[:, spoilt[2]] = 1.0
    return Phi, t


def quietly(function, *args, **kwargs):
    """Call without ConvergenceWarning: of noise-free problems and small budgets, which are tested elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return function(*args, **kwargs)


def fitted_values(Phi, solution):
    return Phi[:, solution.active] @ solution.m


# ------------------------------------------------------------------ quality and sparsity


@pytest.mark.parametrize("beta", [4.0, "one per point"])
@pytest.mark.parametrize("members", [0, 1, 5, 12])
def test_quality_and_sparsity_three_ways(beta, members):
    rng = np.random.default_rng(members)
    Phi, t = rng.normal(size=(15, 12)), rng.normal(size=15)
    beta = rng.uniform(0.5, 5.0, size=15) if beta == "one per point" else beta
    active = np.isin(np.arange(12), rng.permutation(12)[:members])
    alpha = np.where(active, 10.0 ** rng.uniform(-2, 2, size=12), np.inf)

    q, s, Q, S = sparsity_quality(Phi, t, active, alpha, beta)
    slow = direct(Phi, t, alpha, beta)
    np.testing.assert_allclose(Q, slow.Q, rtol=1e-8, atol=1e-10)  # (7.102)
    np.testing.assert_allclose(S, slow.S, rtol=1e-8)  # (7.103)
    np.testing.assert_allclose([q, s], without(Phi, t, alpha, beta), rtol=1e-6)  # (7.98), (7.99)
    factor = (alpha[active] / (alpha[active] - S[active]))[None]
    np.testing.assert_allclose(
        [q[active], s[active]], factor * [Q[active], S[active]], rtol=1e-6
    )  # (7.104), (7.105)
    np.testing.assert_array_equal([q[~active], s[~active]], [Q[~active], S[~active]])

    B = np.diag(np.ones(15) * beta)
    Sigma = np.linalg.inv(np.diag(alpha[active]) + Phi[:, active].T @ B @ Phi[:, active])
    from_members = Phi.T @ B @ Phi[:, active] @ Sigma @ Phi[:, active].T @ B
    np.testing.assert_allclose(Q, Phi.T @ B @ t - from_members @ t, rtol=1e-7, atol=1e-9)  # (7.106)
    np.testing.assert_allclose(
        S, np.diag(Phi.T @ B @ Phi - from_members @ Phi), rtol=1e-7, atol=1e-9
    )  # (7.107)


def test_what_one_basis_function_adds_to_the_evidence():
    """(7.96): L(alpha) = L(alpha_{-i}) + lambda(alpha_i), at any alpha_i."""
    Phi, t = regression(2, n=20)
    rng = np.random.default_rng(0)
    alpha = np.where(rng.random(21) < 0.3, 10.0 ** rng.uniform(-1, 1, size=21), np.inf)
    q, s, _, _ = sparsity_quality(Phi, t, np.isfinite(alpha), alpha, 25.0)
    for i in range(21):
        rest = np.where(np.arange(21) == i, np.inf, alpha)
        for alpha_i in (0.01, 1.0, 100.0):
            whole = np.where(np.arange(21) == i, alpha_i, alpha)
            gain = evidence(Phi, t, whole, 25.0) - evidence(Phi, t, rest, 25.0)
            assert gain == pytest.approx(lam(alpha_i, q[i], s[i]), abs=1e-9)


def test_a_zero_column_has_no_quality():
    Phi, t = regression(0, n=12)
    Phi[:, 3] = 0.0
    q, s, Q, S = sparsity_quality(Phi, t, np.zeros(13, bool), np.full(13, np.inf), 10.0)
    assert q[3] == s[3] == Q[3] == S[3] == 0
    assert not sequential(Phi, t).active[3]


# ------------------------------------------------------------------ figures of the book


def test_figure_7_11_maximum_at_one_third():
    """q^2 = 4, s = 1: one point, one basis function, unit noise."""
    Phi, t = np.array([[1.0], [0.0]]), np.array([2.0, 0.0])
    q, s, _, _ = sparsity_quality(Phi, t, np.array([False]), np.array([np.inf]), 1.0)
    assert (q[0] ** 2, s[0]) == (4.0, 1.0)
    solution = sequential(Phi, t, beta=1.0)
    assert solution.alpha[0] == pytest.approx(1 / 3, rel=1e-12)
    noise_only = norm.logpdf(t).sum()
    assert solution.log_evidence - noise_only == pytest.approx(1.5 - np.log(2), abs=1e-12)
    assert solution.log_evidence - noise_only == pytest.approx(0.8069, abs=5e-5)
    for nearby in (0.3, 0.37):
        assert lam(nearby, 2.0, 1.0) < lam(1 / 3, 2.0, 1.0)


def test_figure_7_11_no_finite_maximum():
    """q^2 = 1, s = 2: the basis function stays out, and what is left is noise."""
    Phi, t = np.array([[np.sqrt(2.0)], [0.0]]), np.array([np.sqrt(0.5), 1.0])
    q, s, _, _ = sparsity_quality(Phi, t, np.array([False]), np.array([np.inf]), 1.0)
    np.testing.assert_allclose([q[0] ** 2, s[0]], [1.0, 2.0], rtol=1e-14)
    for schedule in ("fast", "book"):
        solution = sequential(Phi, t, beta=1.0, schedule=schedule)
        assert not solution.active.any()
        assert solution.alpha[0] == np.inf
        assert (solution.m.shape, solution.Sigma.shape) == ((0,), (0, 0))
        assert solution.log_evidence == pytest.approx(norm.logpdf(t).sum(), abs=1e-12)


@pytest.mark.parametrize("schedule", ["fast", "book", "patient"])
def test_figure_7_9_three_relevance_vectors(schedule):
    """The numbers are those of a brute-force search that builds C for every candidate."""
    Phi, t = figure_7_9()
    solution = sequential(Phi, t, schedule=schedule)
    np.testing.assert_array_equal(solution.support, [2, 7, 9])
    assert solution.beta == pytest.approx(17.502, rel=2e-3)
    assert solution.log_evidence == pytest.approx(-3.7875843, abs=1e-4)


# ------------------------------------------------------------------ every step


def check_regression_step(Phi, t, step, reference=direct, rtol=1e-8):
    """m, Sigma, Q, S against the reference; q, s against C_{-i}; the evidence against C.

    Errors are relative to the largest entry; those of single S, which may be a thousand times smaller than others after
    cancellation, are allowed one digit more. Where rtol says that C is badly conditioned, so is the evidence from it.
    """
    np.testing.assert_array_equal(step.active, np.isfinite(step.alpha))
    slow = reference(Phi, t, step.alpha, step.beta)
    unit = np.sqrt(np.diag(slow.Sigma))
    np.testing.assert_allclose(
        step.Sigma / np.outer(unit, unit), slow.Sigma / np.outer(unit, unit), atol=rtol
    )
    np.testing.assert_allclose(step.m, slow.m, atol=rtol * np.abs(slow.m).max(initial=0))
    np.testing.assert_allclose(step.S, slow.S, atol=rtol * slow.S.max())
    np.testing.assert_allclose(step.S, slow.S, rtol=10 * rtol)
    np.testing.assert_allclose(
        step.Q, slow.Q, atol=rtol * np.abs(slow.Q).max() + rtol * np.sqrt(slow.S.max())
    )
    q, s = without(Phi, t, step.alpha, step.beta, reference)
    lost = s / slow.S  # (7.104) and (7.105) divide by alpha - S = alpha S / s
    assert np.all(np.abs(step.s / s - 1) <= 10 * rtol * lost)
    assert np.all(np.abs(step.q - q) <= 10 * rtol * lost * (np.abs(q) + np.sqrt(s)))
    expected = evidence(Phi, t, step.alpha, step.beta)
    assert step.log_evidence == pytest.approx(expected, rel=rtol, abs=1e-3 if rtol > 1e-8 else 1e-7)


def check_transition(before, step):
    """What an action may change, and to what; its gain predicted by lambda."""
    i = step.index
    assert step.log_evidence - before.log_evidence == pytest.approx(step.gain, abs=1e-8)
    if step.action not in ACTIONS:
        np.testing.assert_array_equal(step.alpha, before.alpha)
        return
    others = np.arange(len(step.alpha)) != i
    np.testing.assert_array_equal(step.alpha[others], before.alpha[others])
    expected = {"add": (False, True), "re-estimate": (True, True), "delete": (True, False)}[step.action]
    assert (before.active[i], step.active[i]) == expected
    q, s = before.q[i], before.s[i]
    assert step.alpha[i] == pytest.approx(best_alpha(q, s), rel=1e-9)  # (7.101)
    assert (q**2 > s) == (step.action != "delete")
    predicted = lam(step.alpha[i], q, s) - lam(before.alpha[i], q, s)
    assert step.predicted_gain == pytest.approx(predicted, abs=1e-8)


@pytest.mark.parametrize("choose", CHOICES)
@pytest.mark.parametrize("beta", [None, 50.0])
@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_every_step_of_regression(choose, beta, seed):
    Phi, t = regression(seed, n=30)
    empty, *steps = sequential_steps(Phi, t, beta=beta, choose=choose)
    check_regression_step(Phi, t, empty)
    assert steps[0].action == "start"
    assert steps[-1].action == "stop"
    assert steps[-1].converged
    assert not any(step.converged for step in steps[:-1])
    assert {step.action for step in steps[1:-1]} <= {*ACTIONS, "noise"}
    assert {"add", "re-estimate"} <= {step.action for step in steps}
    for step in steps[:: 1 + len(steps) // 30]:
        check_regression_step(Phi, t, step)
    for before, step in zip(steps, steps[1:]):
        check_transition(before, step)
        if step.action in ACTIONS:
            assert step.gain > 0
            assert step.beta == before.beta
            assert step.predicted_gain == pytest.approx(step.gain, abs=1e-8)
    if beta is None:
        assert any(step.action == "noise" for step in steps)
    else:
        assert {step.beta for step in steps} == {beta}
    assert possible_gain(Phi, t, steps[-1].alpha, steps[-1].beta) < 1e-3


def test_a_run_that_deletes():
    """Deletions are rare enough to ask for them: many narrow functions, in turn, then the wide ones take over."""
    deleted = 0
    for seed in range(12):
        Phi, t = regression(seed, n=25)
        steps = list(sequential_steps(Phi, t, choose="in turn"))
        for before, step in zip(steps, steps[1:]):
            if step.action == "delete":
                deleted += 1
                check_transition(before, step)
                assert step.gain == pytest.approx(step.predicted_gain, abs=1e-8)
                check_regression_step(Phi, t, step)
    assert deleted > 5


@pytest.mark.parametrize("choose", CHOICES)
def test_every_step_of_classification(choose):
    """The Laplace approximation at every step; working targets and weights make it look like regression."""
    Phi, t = classification(3)
    _, *steps = sequential_steps(Phi, t, likelihood="bernoulli", choose=choose)
    assert (steps[0].action, steps[-1].action) == ("start", "stop")
    assert steps[-1].converged
    assert {"add", "re-estimate"} <= {step.action for step in steps}
    for step in steps:
        slow = laplace(Phi, t, step.alpha, step.m)
        assert step.beta is None
        scale = 1 + np.abs(Phi[:, step.active].T @ t).max(initial=0)
        np.testing.assert_allclose(slow.gradient, 0, atol=1e-6 * scale)
        np.testing.assert_allclose(
            step.Sigma, slow.Sigma, rtol=1e-6, atol=1e-8 * np.abs(slow.Sigma).max(initial=0)
        )
        assert step.log_evidence == pytest.approx(slow.log_evidence, abs=1e-7)
        like_regression = direct(Phi, slow.t_hat, step.alpha, slow.b)
        np.testing.assert_allclose(step.Q, like_regression.Q, atol=1e-6 * np.abs(like_regression.Q).max())
        np.testing.assert_allclose(step.S, like_regression.S, rtol=1e-6)
        q, s = without(Phi, slow.t_hat, step.alpha, slow.b)
        np.testing.assert_allclose(step.s, s, rtol=1e-5)
        np.testing.assert_allclose(step.q, q, atol=1e-5 * np.abs(q).max())
    heights = [step.log_evidence for step in steps]
    for before, step in zip(steps, steps[1:]):
        check_transition(before, step)
    assert (
        np.diff(heights).min() > -0.1
    )  # the quadratic model promises a gain; Laplace's evidence may disagree a little
    assert heights[-1] > max(heights) - 0.05
    last = steps[-1]
    slow = laplace(Phi, t, last.alpha, last.m)
    assert possible_gain(Phi, slow.t_hat, last.alpha, slow.b) < 1e-2


@pytest.mark.parametrize(
    ("n", "noise", "beta"), [(50, 0.1, None), (100, 0.1, None), (50, 0.01, None), (100, 0.0, 1e4)]
)
def test_linear_spline_does_not_drift(n, noise, beta):
    """Columns that are nearly collinear, the last setting being Tipping's: all numbers of a step to 1e-6."""
    Phi, t = spline(0, n, noise)
    steps = list(
        sequential_steps(Phi, t, beta=beta, schedule="patient")
    )  # by the book some end at once, see below
    assert len(steps) > 20
    for step in steps[:40]:  # where functions come and go
        check_regression_step(Phi, t, step, by_orthogonal_factor, rtol=1e-6)  # C^{-1} has fewer digits
    for step in steps:
        if step.action in ACTIONS:
            assert step.gain > 0
            assert step.predicted_gain == pytest.approx(step.gain, abs=1e-6)


@pytest.mark.parametrize("schedule", ["fast", "book"])
def test_solutions_are_direct_formulas(schedule):
    for Phi, t in (regression(0), regression(1), regression(3), spline(2)):
        solution = sequential(Phi, t, schedule=schedule)
        slow = by_orthogonal_factor(Phi, t, solution.alpha, solution.beta)
        np.testing.assert_allclose(solution.m, slow.m, rtol=1e-6, atol=1e-6 * np.abs(slow.m).max())
        unit = np.sqrt(np.diag(slow.Sigma))
        np.testing.assert_allclose(
            solution.Sigma / np.outer(unit, unit), slow.Sigma / np.outer(unit, unit), atol=1e-6
        )
        expected = evidence(Phi, t, solution.alpha, solution.beta)
        assert solution.log_evidence == pytest.approx(expected, abs=1e-6)


def test_the_sentence_says_what_was_done():
    Phi, t = regression(1)
    for step in sequential_steps(Phi, t):
        assert isinstance(step.sentence, str)
        assert step.sentence.strip()
        if step.action in ACTIONS:
            assert str(step.index) in step.sentence
            assert step.action.removesuffix("e").removesuffix("-estimat") in step.sentence.lower()
        if step.action == "noise":
            assert "beta" in step.sentence or "noise" in step.sentence
    sentences = [step.sentence for step in sequential_steps(*classification(0), likelihood="bernoulli")]
    assert len(set(sentences)) > len(sentences) / 2


# ------------------------------------------------------------------ the book's box, to the letter


def box_to_the_letter(Phi, t, beta, tol=1e-4):
    """Every step of the box as it is printed, with plain inverses: yields (action, index, alpha, beta, passes).

    What the box leaves open is as in the library: who begins and who is selected (the greatest gain), (7.88) in step 8
    at the model that the action has left, and that the run is over where no addition gains tol and beta rests.
    """
    alpha = np.full(Phi.shape[1], np.inf)

    def gains():
        q, s = without(Phi, t, alpha, beta)
        best = best_alpha(q, s)
        gain = lam(best, q, s) - lam(alpha, q, s)
        return q, s, best, np.where(gain > np.where(np.isfinite(alpha), 1e-5 * tol, tol), gain, 0.0)

    *_, best, gain = gains()  # 1.
    first = int(gain.argmax())
    alpha[first] = best[first]  # 2.
    yield "start", first, alpha.copy(), beta, 0
    for passes in range(1, 1000):
        q, s, best, gain = gains()  # 3.
        i = int(gain.argmax())  # 4.
        inside = np.isfinite(alpha[i])
        if gain[i] > 0:
            if q[i] ** 2 > s[i] and inside:  # 5.
                action, alpha[i] = "re-estimate", best[i]
            elif q[i] ** 2 > s[i]:  # 6.
                action, alpha[i] = "add", best[i]
            else:  # 7.
                action, alpha[i] = "delete", np.inf
            yield action, i, alpha.copy(), beta, passes
        old, members, model = beta, np.isfinite(alpha), direct(Phi, t, alpha, beta)
        gamma = 1 - alpha[members] * np.diag(model.Sigma)
        beta = (len(t) - gamma.sum()) / np.sum((t - Phi[:, members] @ model.m) ** 2)  # 8.
        if gain[i] == 0 and abs(np.log(beta / old)) <= 1e-6:  # 9.
            return
        yield "noise", None, alpha.copy(), beta, passes


def sinc_problem(n, seed, gamma):
    X, t = datasets.sinc(n, noise=0.2, seed=seed)
    return np.column_stack([Gaussian(gamma)(X), np.ones(n)]), t


def sinusoid_problem(width):
    X, t = datasets.sinusoid()
    return np.column_stack([Gaussian(1 / (2 * width**2))(X), np.ones(10)]), t


LETTERS = {
    "figure 7.9": lambda: sinusoid_problem(0.15),
    "narrow": lambda: sinusoid_problem(0.0752),
    "wide": lambda: sinusoid_problem(0.423),
    "sinc, draw 0": lambda: sinc_problem(50, 0, 1 / 9),
    "sinc, draw 2": lambda: sinc_problem(50, 2, 1 / 9),
    "random": lambda: regression(1, n=25),
}


@pytest.mark.parametrize("name", LETTERS)
def test_the_box_to_the_letter(name):
    """Pass by pass: the same actions on the same functions, the same alpha, and step 8 in every pass."""
    Phi, t = LETTERS[name]()
    _, *steps, stop = sequential_steps(Phi, t)
    slow = list(box_to_the_letter(Phi, t, 30 / t.var()))
    assert stop.converged
    assert [(step.action, step.index, step.passes) for step in steps] == [(a, i, n) for a, i, *_, n in slow]
    for step, (_, _, alpha, beta, _) in zip(steps, slow, strict=True):
        np.testing.assert_allclose(step.alpha, alpha, rtol=1e-5)
        assert step.beta == pytest.approx(beta, rel=1e-6)


@pytest.mark.parametrize("choose", CHOICES)
@pytest.mark.parametrize("name", ["figure 7.9", "narrow", "sinc, draw 2", "random"])
def test_step_8_in_every_pass_whoever_chooses(name, choose):
    Phi, t = LETTERS[name]()
    _, start, *steps, _ = sequential_steps(Phi, t, choose=choose, max_iter=400)
    assert (start.action, start.passes) == ("start", 0)
    for before, step in zip(steps, steps[1:]):
        assert "noise" in (before.action, step.action)
        assert step.passes == before.passes + (before.action == "noise")
        if step.action == "noise":
            m, Sigma = before.m, before.Sigma
            error = t - Phi[:, before.active] @ m
            gamma = 1 - before.alpha[before.active] * np.diag(Sigma)
            assert step.beta == pytest.approx((len(t) - gamma.sum()) / (error @ error), rel=1e-9)  # (7.88)


def test_the_box_needs_fourteen_passes_for_figure_7_9():
    *_, last = sequential_steps(*figure_7_9())
    assert (last.passes, last.n_iter) == (14, 29)  # start, and two steps a pass
    assert last.active.nonzero()[0].tolist() == [2, 7, 9]


def test_where_the_box_ends_on_five_draws():
    ends = [sequential(*sinc_problem(100, seed, 1 / 9), schedule="book").log_evidence for seed in range(5)]
    np.testing.assert_allclose(ends, [58.55, 61.39, 63.94, 64.86, 64.84], atol=6e-3)


@pytest.mark.parametrize("seed", range(3))
def test_the_box_learns_the_noise_too_early_for_splines(seed):
    """After two functions everything looks like noise, and only the constant stays; who waits ends 80 nats higher."""
    X, t = datasets.sinc(100, noise=0.2, seed=seed)
    Phi = np.column_stack([LinearSpline()(X + 10), np.ones(100)])
    book, patient = (sequential(Phi, t, schedule=schedule) for schedule in ("book", "patient"))
    assert book.converged
    assert book.gain_left < 1e-6
    assert len(book.support) == 1
    assert patient.log_evidence > book.log_evidence + 80


def test_a_box_that_goes_in_circles_is_stopped_and_says_so():
    Phi, t = sinusoid_problem(0.15)
    *_, last = sequential_steps(Phi, t, max_iter=7)
    assert (last.action, last.n_iter, last.converged) == ("stop", 7, False)
    assert last.sentence == "stopped after 7 steps, before the end"
    with pytest.warns(ConvergenceWarning, match="max_iter = 7"):
        sequential(Phi, t, schedule="book", max_iter=7)


def test_patience_waits_for_ten_functions_and_lets_nobody_in_a_fourth_time():
    Phi, t = sinc_problem(30, 0, 1 / 4.5)
    joined, waited = np.zeros(31, dtype=int), True
    for step in sequential_steps(Phi, t, choose="random", schedule="patient"):
        if step.action in ("start", "add") and step.index is not None:
            joined[step.index] += 1
        if step.action == "noise" and waited:
            waited = False
            q, s = step.q, step.s
            assert joined.sum() >= 10 or np.all((q**2 <= s) | step.active)
    assert joined.max() <= 3
    with pytest.raises(ValueError, match="'book' or 'patient'"):
        next(sequential_steps(Phi, t, schedule="fast"))


# ------------------------------------------------------------------ the end


@pytest.mark.parametrize("schedule", ["fast", "book", "patient"])
@pytest.mark.parametrize("beta", [None, 30.0])
@pytest.mark.parametrize(("tol", "rtol"), [(1e-4, 1e-2), (1e-6, 1e-3)])
def test_stationary_at_the_end(schedule, beta, tol, rtol):
    """alpha = s^2 / (q^2 - s) for members; q^2 <= s for the others, up to what is worth tol nats."""
    for seed in range(8):
        Phi, t = smooth_regression(seed)
        solution = sequential(Phi, t, beta=beta, schedule=schedule, tol=tol)
        assert solution.converged
        q, s = without(Phi, t, solution.alpha, solution.beta)
        inside = solution.active
        assert np.all(q[inside] ** 2 > s[inside])
        np.testing.assert_allclose(solution.alpha[inside], best_alpha(q, s)[inside], rtol=rtol)
        assert np.all(lam(best_alpha(q, s), q, s)[~inside] <= tol)
        gamma = 1 - solution.alpha[inside] * np.diag(solution.Sigma)
        assert np.all((gamma > -1e-9) & (gamma < 1 + 1e-9))
        if beta is None:
            error = np.sum((t - fitted_values(Phi, solution)) ** 2)
            assert solution.beta == pytest.approx((len(t) - gamma.sum()) / error, rel=1e-3)  # (7.88)
        else:
            assert solution.beta == beta


@pytest.mark.parametrize("schedule", ["fast", "book"])
def test_classification_stationary_at_the_end(schedule):
    """alpha = gamma / w^2, (7.116), and outside adding is not worth tol nats to the quadratic model.

    To 2 % only: (7.116) neglects how B follows w, so near its fixed point steps lower the evidence, and are not taken.
    """
    for seed in range(6):
        Phi, t = classification(seed)
        solution = sequential(Phi, t, likelihood="bernoulli", schedule=schedule)
        assert solution.converged
        assert solution.beta is None
        slow = laplace(Phi, t, solution.alpha, solution.m)
        assert solution.log_evidence == pytest.approx(slow.log_evidence, abs=1e-7)
        gamma = 1 - solution.alpha[solution.active] * np.diag(slow.Sigma)
        np.testing.assert_allclose(solution.alpha[solution.active], gamma / solution.m**2, rtol=2e-2)
        q, s = without(Phi, slow.t_hat, solution.alpha, slow.b)
        assert np.all(lam(best_alpha(q, s), q, s)[~solution.active] <= 1e-2)


SEEDS = pytest.mark.parametrize(
    "seeds", [range(12), pytest.param(range(12, 25), marks=pytest.mark.slow)], ids=str
)


def four_ways(Phi, t):
    """Log evidence by two schedules and two other methods. EM gets 200 steps: its dying functions fade slowly."""
    found = {
        "fast": sequential(Phi, t),
        "patient": sequential(Phi, t, schedule="patient"),
        "reestimate": reestimate(Phi, t),
        "em": quietly(em, Phi, t, max_iter=200),
    }
    for name, solution in found.items():
        expected = evidence(Phi, t, solution.alpha, solution.beta)
        assert solution.log_evidence == pytest.approx(expected, abs=1e-6), name
    return {name: solution.log_evidence for name, solution in found.items()}


@SEEDS
def test_all_methods_within_three_nats_and_the_default_within_two(seeds):
    """The evidence has many local maxima, so methods end in different ones; on noisy sinc all are of similar height."""
    behind = {}
    for seed in seeds:
        X, t = datasets.sinc(50, 0.1, "gaussian", seed)
        heights = four_ways(np.column_stack([Gaussian(0.2)(X), np.ones(50)]), t)
        best = max(heights.values())
        most = {name: 2.0 if name == "fast" else 3.0 for name in heights}
        behind |= {
            (seed, name): height - best for name, height in heights.items() if height < best - most[name]
        }
    assert behind == {}


@SEEDS
def test_the_default_within_two_nats_on_all_sorts_of_problems(seeds):
    """Other noise, other widths, two dimensions: there one of the others may be caught in a lower place."""
    behind = {}
    for seed in seeds:
        heights = four_ways(*smooth_regression(seed))
        best = max(heights.values())
        behind |= {(seed, best): heights["fast"] - best} if heights["fast"] < best - 2.0 else {}
    assert behind == {}


def test_all_methods_within_two_nats_in_classification():
    behind = {}
    for seed in range(8):
        Phi, t = classification(seed, n=30)
        found = {
            "fast": sequential(Phi, t, likelihood="bernoulli"),
            "book": sequential(Phi, t, likelihood="bernoulli", schedule="book"),
            "reestimate": quietly(reestimate, Phi, t, likelihood="bernoulli", max_iter=300),
            "em": quietly(em, Phi, t, likelihood="bernoulli", max_iter=100),
        }
        best = max(solution.log_evidence for solution in found.values())
        for name, solution in found.items():
            slow = laplace(Phi, t, solution.alpha, solution.m)
            assert solution.log_evidence == pytest.approx(slow.log_evidence, abs=1e-6)
            if solution.log_evidence < best - 2.0:
                behind[seed, name] = solution.log_evidence - best
    assert behind == {}


def test_two_schedules_of_classification_with_many_points():
    Phi, t = classification(11, n=120)
    fast, book = (
        sequential(Phi, t, likelihood="bernoulli", schedule=schedule) for schedule in ("fast", "book")
    )
    assert abs(fast.log_evidence - book.log_evidence) < 2.0


# ------------------------------------------------------------------ who chooses


@pytest.mark.parametrize(
    ("likelihood", "beta"), [("gaussian", None), ("gaussian", 20.0), ("bernoulli", None)]
)
def test_any_choice_ends_in_a_stationary_point(likelihood, beta):
    Phi, t = regression(5, n=25) if likelihood == "gaussian" else classification(5, n=25)
    order = np.random.default_rng(0)

    def mine(step):
        return int(order.choice(np.flatnonzero(worth_doing(step))))

    for choose in [*CHOICES, mine]:
        *_, last = sequential_steps(Phi, t, likelihood=likelihood, beta=beta, choose=choose, max_iter=5000)
        assert last.action == "stop"
        assert last.converged, choose
        if likelihood == "gaussian":
            assert possible_gain(Phi, t, last.alpha, last.beta) < 1e-4
        else:
            slow = laplace(Phi, t, last.alpha, last.m)
            assert possible_gain(Phi, slow.t_hat, last.alpha, slow.b) < 1e-2


def worth_doing(step):
    """Which basis functions have anything to do, by the numbers a step shows."""
    new = best_alpha(step.q, step.s)
    return lam(new, step.q, step.s) - lam(step.alpha, step.q, step.s) > 1e-9


def test_the_caller_gets_what_it_chose():
    Phi, t = regression(4)
    asked = []

    def worst(step):
        gain = lam(best_alpha(step.q, step.s), step.q, step.s) - lam(step.alpha, step.q, step.s)
        asked.append(np.argmin(np.where(gain > 1e-6, gain, np.inf)))  # a numpy integer, on purpose
        return asked[-1]

    steps = []
    for step in sequential_steps(Phi, t, beta=40.0, choose=worst):
        steps.append(step)
        if len(steps) == 16:
            break
    taken = [step.index for step in steps if step.action in ACTIONS]
    assert len(taken) > 5
    assert taken[-5:] == asked[len(taken) - 5 : len(taken)] or taken[-5:] == asked[-5:]


@pytest.mark.parametrize("name", CHOICES)
def test_a_caller_may_leave_the_choice_to_a_rule(name):
    Phi, t = regression(4)
    by_rule, by_caller = (
        list(sequential_steps(Phi, t, choose=choose)) for choose in (name, lambda step: name)
    )
    assert len(by_rule) == len(by_caller)
    for one, other in zip(by_rule, by_caller):
        assert one.action == other.action
        assert one.index == other.index
        np.testing.assert_array_equal(one.alpha, other.alpha)
        np.testing.assert_array_equal(one.Sigma, other.Sigma)


def test_a_caller_may_choose_once_and_then_leave_it_to_a_rule():
    Phi, t = regression(4)
    unlikely = int(np.argsort([abs(phi @ t) for phi in Phi.T])[len(Phi.T) // 2])
    _, *steps = sequential_steps(Phi, t, choose=lambda step: unlikely if step.n_iter == 0 else "gain")
    assert (steps[0].action, steps[0].index) == ("start", unlikely)
    assert steps[-1].converged


@pytest.mark.parametrize("index", [-1, 26, 1000, 2.5, "3", None, True, [1]])
def test_choices_that_do_not_exist_are_refused(index):
    Phi, t = regression(0, n=25)
    with pytest.raises(ValueError, match="choose") as refused:
        list(sequential_steps(Phi, t, choose=lambda step: index))
    assert str(refused.value).count("\n") == 0


def test_a_choice_with_nothing_to_do_changes_nothing():
    """A caller may point at a basis function with q^2 <= s that is not in the model: time passes, nothing else."""
    Phi, t = regression(0, n=25)
    *_, last = sequential_steps(Phi, t, beta=50.0)
    idle = int(np.flatnonzero(last.q**2 < 0.5 * last.s)[0])

    def mostly_idle(step):
        return idle if step.n_iter % 2 else int(np.argmax(worth_doing(step)))

    steps = list(sequential_steps(Phi, t, beta=50.0, choose=mostly_idle, max_iter=400))
    assert len(steps) <= 403
    pointless = 0
    for before, step in zip(steps, steps[1:]):
        if step.index == idle and not worth_doing(before)[idle]:
            pointless += 1
            assert step.action == "none"
            assert step.gain == step.predicted_gain == 0
            np.testing.assert_array_equal(step.alpha, before.alpha)
            assert step.log_evidence == before.log_evidence
            assert "no action" in step.sentence
    assert pointless > 3


@pytest.mark.parametrize("choose", ["best", None, 3, ""])
def test_unknown_rules_are_refused(choose):
    with pytest.raises(ValueError, match="choose must be"):
        list(sequential_steps(*regression(0, n=10), choose=choose))


def test_random_choices_have_a_seed():
    Phi, t = regression(6, n=20)

    def order(seed):
        return [(step.action, step.index) for step in sequential_steps(Phi, t, choose="random", seed=seed)]

    assert order(3) == order(3)
    assert any(order(seed) != order(0) for seed in (1, 2))


def test_in_turn_goes_round():
    """Each round looks at the basis functions in the order of their columns."""
    Phi, t = regression(6, n=20)
    first = [step.index for step in sequential_steps(Phi, t, choose="in turn") if step.action in ACTIONS][:4]
    assert sum(b < a for a, b in zip(first, first[1:])) <= 1


# ------------------------------------------------------------------ generators and solutions


def test_a_generator_can_be_abandoned():
    Phi, t = regression(7)
    Phi_before, t_before = Phi.copy(), t.copy()
    expected = sequential(Phi, t)
    steps = sequential_steps(Phi, t)
    for _ in range(4):
        next(steps)
    steps.close()
    np.testing.assert_array_equal(Phi, Phi_before)
    np.testing.assert_array_equal(t, t_before)
    np.testing.assert_array_equal(sequential(Phi, t).alpha, expected.alpha)


@pytest.mark.parametrize("likelihood", ["gaussian", "bernoulli"])
@pytest.mark.parametrize("schedule", ["fast", "book"])
def test_the_same_again_bit_by_bit(likelihood, schedule):
    Phi, t = regression(8) if likelihood == "gaussian" else classification(8)
    one, two = (sequential(Phi, t, likelihood=likelihood, schedule=schedule) for _ in range(2))
    for name in ("active", "alpha", "m", "Sigma"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert (one.beta, one.log_evidence, one.n_iter) == (two.beta, two.log_evidence, two.n_iter)


def test_memory_layout_and_read_only_arrays_do_not_matter():
    Phi, t = regression(8)
    expected = sequential(Phi, t)
    fortran = np.asfortranarray(Phi)
    fortran.flags.writeable = False
    frozen = t.copy()
    frozen.flags.writeable = False
    np.testing.assert_allclose(sequential(fortran, frozen).alpha, expected.alpha, rtol=1e-9)
    np.testing.assert_allclose(sequential(Phi.tolist(), t.tolist()).alpha, expected.alpha, rtol=1e-9)
    wide = np.repeat(Phi, 2, axis=1)[:, ::2]
    np.testing.assert_allclose(sequential(wide, t).alpha, expected.alpha, rtol=1e-9)


@pytest.mark.parametrize("likelihood", ["gaussian", "bernoulli"])
@pytest.mark.parametrize("schedule", ["fast", "book", "patient"])
def test_the_trace_tells_the_whole_story(likelihood, schedule):
    """Additions, deletions and kicks, replayed, lead to the model that was found; to heat changes nobody's place."""
    for seed in range(3):
        Phi, t = smooth_regression(seed) if likelihood == "gaussian" else classification(seed)
        solution = sequential(Phi, t, likelihood=likelihood, schedule=schedule)
        assert len(solution.trace) >= solution.active.sum()
        members, started = set(), True
        for record in solution.trace:
            if record.action in ("delete", "kick"):
                members.remove(record.index)
            elif record.action in ("add", "start"):
                assert record.index not in members
                members.add(record.index)
            elif record.action == "re-estimate":
                assert record.index in members
            started = started and record.action == "start"  # several, before anything has been computed
            assert started or np.isfinite(record.log_evidence)
        np.testing.assert_array_equal(sorted(members), solution.support)
        exact = (
            likelihood == "gaussian"
        )  # in classification the log keeps to the quadratic model between two modes
        assert solution.trace[-1].log_evidence == pytest.approx(
            solution.log_evidence, abs=1e-6 if exact else 1e-2
        )
        gains = [record.gain for record in solution.trace if record.action in (*ACTIONS, "settle")]
        assert min(gains) > (-1e-9 if exact else -0.1)


def test_the_solver_is_the_last_step_of_its_generator():
    problems = (regression(9), "gaussian"), (classification(9), "bernoulli")
    for (data, likelihood), schedule in product(problems, ("book", "patient")):
        *_, last = sequential_steps(*data, likelihood=likelihood, schedule=schedule)
        solution = sequential(*data, likelihood=likelihood, schedule=schedule)
        np.testing.assert_array_equal(solution.active, last.active)
        np.testing.assert_allclose(solution.alpha[solution.active], last.alpha[last.active], rtol=1e-9)
        np.testing.assert_allclose(solution.m, last.m, rtol=1e-9)
        assert solution.log_evidence == pytest.approx(last.log_evidence, abs=1e-9)


def test_fields_of_a_solution():
    Phi, t = regression(10)
    solution = sequential(Phi, t)
    r = solution.active.sum()
    assert solution.active.dtype == bool
    assert (solution.active.shape, solution.alpha.shape) == ((41,), (41,))
    assert (solution.m.shape, solution.Sigma.shape) == ((r,), (r, r))
    np.testing.assert_array_equal(solution.active, np.isfinite(solution.alpha))
    np.testing.assert_array_equal(solution.support, np.flatnonzero(solution.active))
    np.testing.assert_allclose(solution.Sigma, solution.Sigma.T, rtol=1e-12)
    assert isinstance(solution.beta, float)
    assert isinstance(solution.log_evidence, float)
    assert isinstance(solution.n_iter, int)
    assert solution.converged is True
    with pytest.raises(AttributeError):
        solution.beta = 1.0


@pytest.mark.parametrize("likelihood", ["gaussian", "bernoulli"])
@pytest.mark.parametrize("schedule", ["fast", "book", "patient"])
def test_row_54_one_iteration(likelihood, schedule):
    Phi, t = regression(0) if likelihood == "gaussian" else classification(0)
    with pytest.warns(ConvergenceWarning, match="max_iter = 1"):
        solution = sequential(Phi, t, likelihood=likelihood, schedule=schedule, max_iter=1)
    assert solution.converged is False
    assert np.isfinite(solution.m).all()
    assert np.isfinite(solution.log_evidence)
    assert solution.n_iter == 1
    if likelihood == "gaussian":
        expected = evidence(Phi, t, solution.alpha, solution.beta)
        assert solution.log_evidence == pytest.approx(expected, abs=1e-8)
        np.testing.assert_allclose(solution.m, direct(Phi, t, solution.alpha, solution.beta).m, rtol=1e-8)


@pytest.mark.parametrize("max_iter", [1, 2, 5, 9])
def test_budgets_are_kept(max_iter):
    Phi, t = regression(0)
    for schedule in ("fast", "book", "patient"):
        assert quietly(sequential, Phi, t, schedule=schedule, max_iter=max_iter).n_iter <= max_iter
    steps = quietly(list, sequential_steps(Phi, t, max_iter=max_iter))
    assert steps[-1].action == "stop"
    assert not steps[-1].converged
    assert len(steps) <= max_iter + 3


def test_more_iterations_never_lose_evidence_at_fixed_noise():
    Phi, t = regression(1)
    heights = [
        quietly(sequential, Phi, t, beta=50.0, schedule="book", max_iter=k).log_evidence for k in range(1, 20)
    ]
    assert np.all(np.diff(heights) >= -1e-9)


# ------------------------------------------------------------------ symmetries


def scaled_back(solution, c):
    return (
        solution.alpha * c**2,
        solution.beta * c**2,
        solution.m / c,
        solution.Sigma / c**2,
    )


@pytest.mark.parametrize("schedule", ["fast", "book"])
@pytest.mark.parametrize("beta", [None, 25.0])
@pytest.mark.parametrize("exponent", [-26, -7, 1, 26])
def test_pitfall_16_targets_times_a_power_of_two_bit_by_bit(schedule, beta, exponent):
    Phi, t = regression(12)
    c = 2.0**exponent
    one = sequential(Phi, t, beta=beta, schedule=schedule)
    other = sequential(Phi, c * t, beta=None if beta is None else beta / c**2, schedule=schedule)
    for ours, theirs in zip(scaled_back(other, c), (one.alpha, one.beta, one.m, one.Sigma)):
        np.testing.assert_array_equal(ours, theirs)
    assert other.log_evidence == pytest.approx(one.log_evidence - len(t) * np.log(c), abs=1e-9)
    assert other.n_iter == one.n_iter


@pytest.mark.parametrize("schedule", ["fast", "book"])
@pytest.mark.parametrize("c", [1e-8, 3.7e-5, 0.3, 1e3, 1e8])
def test_pitfall_16_targets_times_any_number(schedule, c):
    for Phi, t in (regression(13), figure_7_9()):
        one, other = (sequential(Phi, factor * t, schedule=schedule) for factor in (1.0, c))
        np.testing.assert_array_equal(other.active, one.active)
        alpha, beta, m, Sigma = scaled_back(other, c)
        np.testing.assert_allclose(alpha[one.active], one.alpha[one.active], rtol=1e-7)
        np.testing.assert_allclose(beta, one.beta, rtol=1e-9)
        np.testing.assert_allclose(Phi[:, one.active] @ m, fitted_values(Phi, one), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(Sigma, one.Sigma, rtol=1e-7, atol=1e-9 * np.abs(one.Sigma).max())
        assert other.log_evidence == pytest.approx(one.log_evidence - len(t) * np.log(c), abs=1e-8)


@few_examples
@given(st.integers(0, 10**6), st.integers(0, 25), st.booleans())
def test_permutations(seed, problem, classes):
    """Neither the order of the points nor that of the basis functions matters, but for this: where all functions crowd
    in, rounding errors may tip the scales between maxima of nearly the same height.
    """
    Phi, t = classification(problem, n=25) if classes else regression(problem, n=25)
    likelihood = "bernoulli" if classes else "gaussian"
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(25), rng.permutation(26)
    one = sequential(Phi, t, likelihood=likelihood)
    other = sequential(Phi[rows][:, columns], t[rows], likelihood=likelihood)
    assert other.log_evidence == pytest.approx(one.log_evidence, abs=0.5)
    assert max(one.gain_left, other.gain_left) < 0.01
    if other.log_evidence == pytest.approx(one.log_evidence, abs=1e-6):
        np.testing.assert_array_equal(other.active, one.active[columns])
        y = fitted_values(Phi, one)
        np.testing.assert_allclose(
            fitted_values(Phi[rows][:, columns], other), y[rows], atol=1e-4 * np.abs(y).max()
        )


def test_the_order_rarely_tips_the_scales():
    """The same in numbers: the very same model in nine cases of ten."""
    same = []
    for problem in range(20):
        Phi, t = regression(problem, n=25)
        columns = np.random.default_rng(problem).permutation(26)
        one, other = sequential(Phi, t), sequential(Phi[:, columns], t)
        same.append(np.array_equal(other.active, one.active[columns]))
    assert np.mean(same) >= 0.9


@few_examples
@given(st.integers(0, 10**6), st.integers(0, 25), st.booleans())
def test_scaled_columns(seed, problem, classes):
    """phi_i -> c phi_i gives alpha_i -> c^2 alpha_i, and the same predictions."""
    Phi, t = classification(problem, n=25) if classes else regression(problem, n=25)
    likelihood = "bernoulli" if classes else "gaussian"
    c = 10.0 ** np.random.default_rng(seed).uniform(-4, 4, size=26)
    one, other = (
        quietly(sequential, columns, t, likelihood=likelihood, schedule="book") for columns in (Phi, Phi * c)
    )
    np.testing.assert_array_equal(other.active, one.active)
    assert other.log_evidence == pytest.approx(one.log_evidence, abs=1e-6)
    inside = one.active
    np.testing.assert_allclose(other.alpha[inside], (c**2 * one.alpha)[inside], rtol=1e-3)
    y = fitted_values(Phi, one)
    np.testing.assert_allclose(fitted_values(Phi * c, other), y, atol=1e-4 * np.abs(y).max())

    # a search of many climbs may end elsewhere, as each of them rounds differently; but its end is one for both
    end = sequential(Phi, t, likelihood=likelihood)
    moved = replace(end, alpha=c**2 * end.alpha, m=end.m / c[end.active])
    check = evidence_check(Phi * c, t, moved)
    assert check.log_evidence == pytest.approx(end.log_evidence, abs=1e-6)
    assert check.gain <= 0.01
    assert sequential(Phi * c, t, likelihood=likelihood).log_evidence == pytest.approx(
        end.log_evidence, abs=2.0
    )


@few_examples
@given(st.integers(0, 25), st.sampled_from([-1.0, 2.0, -0.5]))
def test_a_copy_of_a_column_adds_nothing(problem, c):
    """Two equal basis functions are one with 1/alpha = 1/alpha_1 + 1/alpha_2: the evidence cannot rise."""
    Phi, t = regression(problem, n=25)
    one = sequential(Phi, t)
    copied = np.column_stack([Phi, c * Phi[:, one.support[0]]])
    check = evidence_check(copied, t, replace(one, alpha=np.append(one.alpha, np.inf)))
    assert check.log_evidence == pytest.approx(one.log_evidence, abs=1e-6)
    assert check.gain <= 0.01
    assert sequential(copied, t).log_evidence == pytest.approx(one.log_evidence, abs=2.0)  # another search
    one, other = (quietly(sequential, columns, t, schedule="book") for columns in (Phi, copied))
    assert other.log_evidence == pytest.approx(one.log_evidence, abs=1e-4)
    y = fitted_values(Phi, one)
    np.testing.assert_allclose(fitted_values(copied, other), y, atol=1e-3 * np.abs(y).max())


@given(designs(), st.sampled_from([None, 1.0, 100.0]), st.sampled_from(["fast", "book", "patient"]))
def test_any_design_matrix(design, beta, schedule):
    """More functions than points, two points, columns that are zero, constant or copies of each other."""
    Phi, t = design
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        solution = sequential(Phi, t, beta=beta, schedule=schedule)
    assert not np.any(solution.active & ~Phi.any(axis=0))
    assert np.isfinite(solution.m).all()
    assert np.all(np.diag(solution.Sigma) > 0)
    assert np.all(solution.alpha > 0)
    expected = evidence(Phi, t, solution.alpha, solution.beta)
    assert solution.log_evidence == pytest.approx(expected, rel=1e-6, abs=1e-6)
    noise_only = norm.logpdf(t, scale=np.sqrt(1 / solution.beta)).sum()
    assert solution.log_evidence >= noise_only - 1e-9
    if solution.converged and beta is not None:
        assert possible_gain(Phi, t, solution.alpha, solution.beta) < 1e-3


# ------------------------------------------------------------------ unusual data


def test_pitfall_14_a_model_without_basis_functions():
    """Targets at right angles to every basis function."""
    Phi = np.column_stack([np.repeat([1.0, -1.0, 2.0], 2), np.ones(6)])
    t = np.tile([1.0, -1.0], 3)
    for schedule in ("fast", "book"):
        solution = sequential(Phi, t, schedule=schedule)
        assert not solution.active.any()
        assert solution.beta == pytest.approx(1.0, rel=1e-9)
        assert solution.log_evidence == pytest.approx(norm.logpdf(t).sum(), abs=1e-9)
    *_, last = sequential_steps(Phi, t)
    assert last.action == "stop"
    assert (last.m.shape, last.Sigma.shape) == ((0,), (0, 0))


@pytest.mark.parametrize("schedule", ["fast", "book", "patient"])
def test_pitfall_17_noise_free_targets_and_the_ceiling_of_beta(schedule):
    """Targets that the model can represent exactly: the evidence grows with beta for ever."""
    X, _ = datasets.sinc(50)
    Phi = np.column_stack([Gaussian(0.5)(X), np.ones(50)])
    t = 2 * Phi[:, 10] - Phi[:, 30] + 0.5
    with pytest.warns(ConvergenceWarning, match="beta"):
        solution = sequential(Phi, t, schedule=schedule)
    assert solution.beta == pytest.approx(1e6 / t.var(), rel=1e-3)
    np.testing.assert_array_equal(solution.support, [10, 30, 50])
    np.testing.assert_allclose(solution.m, [2.0, -1.0, 0.5], rtol=1e-3)


@pytest.mark.parametrize("schedule", ["fast", "book"])
def test_pitfall_17_noise_free_sinc(schedule):
    """Not a sum of few kernels, so beta may find its place below the ceiling: one warning is due, or none."""
    X, t = datasets.sinc(50)
    Phi = np.column_stack([Gaussian(0.1)(X), np.ones(50)])
    solution = quietly(sequential, Phi, t, schedule=schedule)
    assert 1e3 / t.var() < solution.beta <= 1.001e6 / t.var()
    assert np.abs(fitted_values(Phi, solution) - t).max() < 0.01
    assert solution.active.sum() < 20


@pytest.mark.parametrize("value", [0.0, 5.0, -1e-8, 1e8])
def test_pitfall_15_constant_targets(value):
    Phi, t = regression(0, n=20)
    t = np.full(20, value)
    for schedule in ("fast", "book"):
        solution = quietly(sequential, Phi, t, schedule=schedule)
        assert np.isfinite(solution.alpha[solution.active]).all()
        np.testing.assert_allclose(fitted_values(Phi, solution), t, rtol=1e-3)
        assert 0 < solution.beta < np.inf
        assert np.isfinite(solution.log_evidence)


@pytest.mark.parametrize("schedule", ["fast", "book", "patient"])
def test_pitfall_18_no_cycles(schedule):
    """Nearly collinear columns once made additions and deletions alternate for ever."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x = np.sort(rng.uniform(-1, 1, size=40))[:, None]
        Phi = np.column_stack([Gaussian(0.05)(x), np.ones(40)])
        t = np.sin(3 * x[:, 0]) + 0.05 * rng.normal(size=40)
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            solution = sequential(Phi, t, schedule=schedule)
        assert solution.converged
        # C has a condition number of 1e13: a plain formula loses digits
        check = evidence_check(Phi, t, solution)
        assert solution.log_evidence == pytest.approx(check.log_evidence, abs=1e-6)


def test_pitfall_13_copies_of_every_point():
    """Phi has every row and every column twice: singular, but never the matrix of the members."""
    Phi, t = regression(3, n=20)
    K = Phi[:, :-1]
    twice = np.column_stack([np.tile(K, (2, 2)), np.ones(40)])
    for schedule in ("fast", "book"):
        solution = sequential(twice, np.tile(t, 2), schedule=schedule)
        assert solution.converged
        expected = evidence(twice, np.tile(t, 2), solution.alpha, solution.beta)
        assert solution.log_evidence == pytest.approx(expected, abs=1e-6)


def test_learned_noise_is_the_noise():
    """1/beta within a tenth of the variance of the noise on 400 points."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-5, 5, size=(400, 1))
    Phi = np.column_stack([Gaussian(1.0)(x), np.ones(400)])
    noise = 0.2 * rng.normal(size=400)
    solution = sequential(Phi, np.sin(x[:, 0]) + noise)
    assert 1 / solution.beta == pytest.approx(noise.var(), rel=0.1)
    assert solution.active.sum() < 15


# ------------------------------------------------------------------ classification: the evidence itself


def bernoulli_in_one_dimension(n, seed=0):
    rng = np.random.default_rng(seed)
    phi = rng.normal(size=(n, 1))
    return phi, (rng.random(n) < expit(1.5 * phi[:, 0])).astype(float)


def test_bernoulli_evidence_by_integration_in_one_dimension():
    """Laplace's approximation: close, and closer with more points."""
    errors = []
    for n in (20, 80, 320):
        Phi, t = bernoulli_in_one_dimension(n)
        solution = sequential(Phi, t, likelihood="bernoulli")
        assert solution.active.all()
        m, sd = solution.m[0], np.sqrt(solution.Sigma[0, 0])

        def log_joint(w, Phi=Phi, t=t, alpha=solution.alpha[0]):
            a = Phi[:, 0] * w
            return np.sum(t * a - np.logaddexp(0, a)) + norm.logpdf(w, scale=alpha**-0.5)

        peak = log_joint(m)
        mass, _ = quad(lambda w: np.exp(log_joint(w) - peak), m - 12 * sd, m + 12 * sd, epsabs=1e-12)  # noqa: B023
        errors.append(abs(solution.log_evidence - (np.log(mass) + peak)))
    assert errors[0] < 0.1
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.005


def test_bernoulli_evidence_by_integration_in_two_dimensions():
    rng = np.random.default_rng(3)
    Phi = np.column_stack([rng.normal(size=120), np.ones(120)])
    t = (rng.random(120) < expit(1.5 * Phi[:, 0] - 1.0)).astype(float)
    solution = sequential(Phi, t, likelihood="bernoulli")
    assert solution.active.all()
    root = np.linalg.cholesky(solution.Sigma)

    def log_joint(w):
        a = Phi @ w
        return np.sum(t * a - np.logaddexp(0, a)) + norm.logpdf(w, scale=solution.alpha**-0.5).sum()

    peak = log_joint(solution.m)
    mass, _ = dblquad(
        lambda v, u: np.exp(log_joint(solution.m + root @ [u, v]) - peak),
        -8,
        8,
        -8,
        8,
        epsabs=1e-4,
        epsrel=1e-4,
    )
    exact = peak + np.log(mass) + np.log(np.diag(root)).sum()
    assert solution.log_evidence == pytest.approx(exact, abs=0.03)


def test_bernoulli_evidence_is_a_maximum_in_alpha():
    """One basis function: no other alpha has more evidence, where the mode is found anew for each."""
    Phi, t = bernoulli_in_one_dimension(60)
    solution = sequential(Phi, t, likelihood="bernoulli")

    def best(alpha):
        w = np.zeros(1)
        for _ in range(50):
            now = laplace(Phi, t, np.array([alpha]), w)
            w = w + now.Sigma @ now.gradient
        return laplace(Phi, t, np.array([alpha]), w).log_evidence

    assert best(solution.alpha[0]) == pytest.approx(solution.log_evidence, abs=1e-9)
    # (7.115) leaves out how B follows w, so the fixed point is near the maximum, not on it.
    assert solution.log_evidence > max(best(solution.alpha[0] * c) for c in (0.25, 4.0))


def test_separable_classes_and_imbalance_stay_finite():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    Phi = np.column_stack([Gaussian(0.5)(X), np.ones(80)])
    for t in (X[:, 0] > 0, np.arange(80) == 7, rng.random(80) < 0.5):
        for schedule in ("fast", "book"):
            solution = quietly(sequential, Phi, t.astype(float), likelihood="bernoulli", schedule=schedule)
            y = expit(fitted_values(Phi, solution))
            assert np.isfinite(y).all()
            assert np.isfinite(solution.log_evidence)
            assert solution.log_evidence < 0  # labels have probabilities, no densities


# ------------------------------------------------------------------ K classes


def softmax_evidence(Phi, T, alpha, m):
    """(7.114) for K classes: gradient of the log posterior at the weights, and the log evidence."""
    active = np.isfinite(alpha).ravel()
    W = np.zeros(alpha.size)
    W[active] = m
    a = Phi @ W.reshape(alpha.shape)
    Y = np.exp(a - np.logaddexp.reduce(a, axis=1, keepdims=True))
    hessian = np.zeros((alpha.size, alpha.size))
    for phi, y in zip(Phi, Y):
        hessian += np.kron(np.outer(phi, phi), np.diag(y) - np.outer(y, y))
    hessian = hessian[np.ix_(active, active)] + np.diag(alpha.ravel()[active])
    gradient = (Phi.T @ (T - Y)).ravel()[active] - alpha.ravel()[active] * m
    log_evidence = (
        np.sum(T * np.log(Y))
        - 0.5 * m @ (alpha.ravel()[active] * m)
        + 0.5 * np.log(alpha.ravel()[active]).sum()
        - 0.5 * np.linalg.slogdet(hessian)[1]
    )
    return gradient, np.linalg.inv(hessian), log_evidence, Y


def three_classes(seed, n=45):
    rng = np.random.default_rng(seed)
    label = np.arange(n) % 3
    X = rng.normal(size=(n, 2)) + 1.5 * np.array([[0, 1], [1, -1], [-1, -1]])[label]
    return np.column_stack([Gaussian(0.3)(X), np.ones(n)]), np.eye(3)[label]


def test_softmax_with_two_classes_is_the_binary_model():
    """Only w_1 - w_0 matters, with a prior variance 1/alpha_0 + 1/alpha_1: the same evidence and probabilities."""
    for seed in range(4):
        Phi, t = classification(seed, n=30)
        two = sequential(Phi, t, likelihood="bernoulli")
        many = sequential(Phi, np.column_stack([1 - t, t]), likelihood="softmax", schedule="book")
        assert many.converged
        assert many.alpha.shape == many.active.shape == (31, 2)
        gradient, _, evidence, Y = softmax_evidence(Phi, np.column_stack([1 - t, t]), many.alpha, many.m)
        np.testing.assert_allclose(gradient, 0, atol=1e-5)
        assert many.log_evidence == pytest.approx(evidence, abs=1e-7)
        assert many.log_evidence == pytest.approx(two.log_evidence, abs=1e-3)
        np.testing.assert_allclose(Y[:, 1], expit(fitted_values(Phi, two)), atol=1e-2)
        fast = sequential(Phi, np.column_stack([1 - t, t]), likelihood="softmax")
        assert fast.converged
        assert fast.log_evidence >= two.log_evidence - 1e-3


def test_three_classes():
    for seed in range(2):
        Phi, T = three_classes(seed)
        solution = sequential(Phi, T, likelihood="softmax")
        assert solution.converged
        assert solution.active.shape == (46, 3)
        assert solution.beta is None
        assert solution.m.shape == (solution.active.sum(),)
        gradient, Sigma, evidence, Y = softmax_evidence(Phi, T, solution.alpha, solution.m)
        np.testing.assert_allclose(gradient, 0, atol=1e-5)
        np.testing.assert_allclose(solution.Sigma, Sigma, rtol=1e-5, atol=1e-6 * np.abs(Sigma).max())
        assert solution.log_evidence == pytest.approx(evidence, abs=1e-6)
        assert solution.log_evidence > 45 * np.log(1 / 3)
        assert np.mean(Y.argmax(axis=1) == T.argmax(axis=1)) > 0.8
        gamma = 1 - solution.alpha[solution.active] * np.diag(Sigma)
        np.testing.assert_allclose(
            solution.alpha[solution.active], gamma / solution.m**2, rtol=1e-2
        )  # (7.116)


def digits(seed, gamma, n=150):
    """Ten classes, 150 handwritten digits: 1510 weights to choose from."""
    X, label = load_digits(return_X_y=True)
    chosen = np.random.default_rng(seed).permutation(len(X))[:n]
    X = X[chosen] / 16
    return np.column_stack([Gaussian(gamma)(X), np.ones(n)]), np.eye(10)[label[chosen]]


# What re-estimation from all 1510 weights reaches, in 6 to 10 s each.
REESTIMATED = {(0, 0.03): -61.23, (0, 0.1): -48.01, (1, 0.1): -61.19}


@pytest.mark.parametrize(("seed", "gamma"), REESTIMATED)
def test_ten_classes_end_soon_and_well(seed, gamma):
    """(1, 0.1) went back and forth for ever; (0, 0.03) ended at -184: no single wide kernel tells classes apart."""
    Phi, T = digits(seed, gamma)
    solution = sequential(Phi, T, likelihood="softmax")
    assert solution.converged
    assert solution.n_iter <= 100
    assert solution.log_evidence >= REESTIMATED[seed, gamma] - 1.0
    assert solution.active.sum() <= 30
    gradient, Sigma, evidence, _ = softmax_evidence(Phi, T, solution.alpha, solution.m)
    np.testing.assert_allclose(gradient, 0, atol=1e-5)
    assert solution.log_evidence == pytest.approx(evidence, abs=1e-6)
    gamma = 1 - solution.alpha[solution.active] * np.diag(Sigma)
    np.testing.assert_allclose(solution.alpha[solution.active], gamma / solution.m**2, rtol=2e-2)  # (7.116)


@pytest.mark.parametrize("seed", range(4))
def test_three_classes_reach_what_reestimation_does(seed):
    Phi, T = three_classes(seed)
    assert sequential(Phi, T, "softmax").log_evidence >= reestimate(Phi, T, "softmax").log_evidence - 0.1


def test_members_that_point_at_each_other_come_to_rest():
    """The book's schedule: one alpha_i overshot its best value for ever, by a promise of 0.03 nats each time."""
    Phi, T = digits(1, 0.1)
    *_, last = sequential_steps(Phi, T, "softmax", max_iter=1000)
    assert last.converged
    assert last.n_iter < 900


def test_the_log_of_many_classes():
    """Who is in the model in the end follows from who started, joined and left."""
    for seed in range(3):
        solution = sequential(*three_classes(seed), "softmax")
        members = np.zeros(solution.active.size, dtype=int)
        for line in solution.trace:
            if line["action"] != "settle":
                members[line["index"]] += {"start": 1, "add": 1, "delete": -1}[line["action"]]
        np.testing.assert_array_equal(members, solution.active.ravel())
        assert np.isfinite(solution.trace.log_evidence[solution.trace.action != "start"]).all()
        assert solution.trace.log_evidence[-1] == pytest.approx(solution.log_evidence, abs=1e-2)  # promised
    with pytest.warns(ConvergenceWarning, match="not converged after 3 steps"):
        assert not sequential(*three_classes(0), "softmax", max_iter=3).converged


# ------------------------------------------------------------------ complaints

PHI, TARGETS = regression(0, n=10)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tol": 0}, "tol must be a number > 0, got 0"),
        ({"tol": np.nan}, "tol must be a number > 0, got nan"),
        ({"tol": "1"}, "tol must be a number > 0, got '1'"),
        ({"max_iter": 0}, "max_iter must be a whole number >= 1, got 0"),
        ({"max_iter": 2.5}, "max_iter must be a whole number >= 1, got 2.5"),
        ({"max_iter": -1}, "max_iter must be a whole number >= 1, got -1"),
        ({"likelihood": "poisson"}, "likelihood must be one of .*gaussian.*got 'poisson'"),
        ({"likelihood": None}, "likelihood must be one of"),
        ({"schedule": "slow"}, "schedule must be .*'book'.*got 'slow'"),
        ({"beta": 0.0}, "beta must be a number > 0, got 0"),
        ({"beta": -1.0}, "beta must be a number > 0, got -1"),
        ({"beta": np.nan}, "beta must be a number > 0, got nan"),
        ({"beta": np.inf}, "beta must be a number > 0, got inf"),
        ({"beta": "1"}, "beta must be a number > 0, got '1'"),
    ],
    ids=str,
)
def test_rows_29_30_56_parameters(change, words):
    with pytest.raises(ValueError, match=words):
        sequential(PHI, TARGETS, **change)
    if "schedule" not in change:
        with pytest.raises(ValueError, match=words):
            next(sequential_steps(PHI, TARGETS, **change))


@pytest.mark.parametrize("likelihood", ["bernoulli", "softmax"])
def test_classes_have_no_noise(likelihood):
    t = (TARGETS > 0).astype(float)
    with pytest.raises(ValueError, match="beta"):
        sequential(
            PHI,
            t if likelihood == "bernoulli" else np.column_stack([1 - t, t]),
            likelihood=likelihood,
            beta=1.0,
        )


def test_bad_arrays():
    for bad, words in (
        ((PHI, TARGETS[:-1]), "10.*9|9.*10"),
        ((PHI[:, 0], TARGETS), "Phi"),
        ((np.where(np.eye(10, 11), np.nan, PHI), TARGETS), "Phi"),
        ((PHI, np.where(np.arange(10) == 4, np.inf, TARGETS)), r"\bt\b"),
        ((PHI, PHI), r"\bt\b"),
    ):
        with pytest.raises(ValueError, match=words):
            sequential(*bad)
    for labels in (np.tile([-1.0, 1.0], 5), np.full(10, 0.5)):
        with pytest.raises(ValueError, match=r"t must hold zeros and ones"):
            sequential(PHI, labels, likelihood="bernoulli")


def test_no_warnings_on_good_problems():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for schedule in ("fast", "book"):
            for seed in range(4):
                sequential(*smooth_regression(seed), schedule=schedule)
                sequential(*classification(seed), likelihood="bernoulli", schedule=schedule)
