"""Laplace's approximation of logistic regression against quadrature and by its own identities, and of any density."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad, quad, quad_vec
from scipy.optimize import brentq, minimize
from scipy.special import expit
from scipy.stats import beta, gamma, multivariate_normal, norm
from scipy.stats import t as student
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu.solvers.bayes.laplace import (
    averaged_probability,
    bic,
    irls,
    irls_steps,
    kappa,
    laplace,
    laplace_fit,
    working_targets,
)
from sparsekm_edu.validation import Impossible


def data(N, M, seed=0, noise=1.0):
    """Phi (N, M) and t (N,), zeros and ones, both of them present."""
    rng = np.random.default_rng(seed)
    Phi = rng.normal(size=(N, M))
    t = (Phi.sum(axis=1) + noise * rng.logistic(size=N) > 0).astype(float)
    t[:2] = 0.0, 1.0
    return Phi, t


def log_joint(w, Phi, t, alpha):
    """ln p(t | w) p(w | alpha) of one w (M,), as the book writes it."""
    a = Phi @ w
    log_likelihood = np.sum(t * log_sigma(a) + (1 - t) * log_sigma(-a))
    return log_likelihood + np.sum(norm.logpdf(w, scale=alpha**-0.5))


def log_sigma(a):
    return -np.logaddexp(0, -a)


ALPHA = np.array([0.5, 2.0, 8.0])


# ------------------------------------------------------------------ the mode


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([1e-3, 1.0, 1e3]))
def test_mode_is_the_one_of_a_general_minimiser(seed, scale):
    Phi, t = data(30, 3, seed)
    fit = laplace_fit(Phi, t, scale * ALPHA)
    other = minimize(lambda w: -log_joint(w, Phi, t, scale * ALPHA), np.zeros(3), tol=1e-10)
    assert log_joint(fit.w, Phi, t, scale * ALPHA) >= -other.fun - 1e-9
    np.testing.assert_allclose(fit.y, expit(Phi @ fit.w), rtol=1e-12)
    np.testing.assert_allclose(fit.b, 0.5 / (1 + np.cosh(Phi @ fit.w)), rtol=1e-12)
    np.testing.assert_allclose(fit.w, Phi.T @ (t - fit.y) / (scale * ALPHA), atol=1e-9)  # (7.112)
    H = Phi.T @ np.diag(fit.b) @ Phi + np.diag(scale * ALPHA)
    np.testing.assert_allclose(fit.Sigma @ H, np.eye(3), atol=1e-9)  # (7.113)
    np.testing.assert_array_equal(fit.Sigma, fit.Sigma.T)


def test_a_warm_start_is_shorter_and_ends_at_the_same_place():
    Phi, t = data(200, 3)
    cold = laplace_fit(Phi, t, ALPHA)
    warm = laplace_fit(Phi, t, ALPHA, w=1.001 * cold.w)
    assert warm.n_iter <= 2 < cold.n_iter <= 7
    np.testing.assert_allclose(warm.w, cold.w, rtol=1e-10)
    assert warm.log_evidence == pytest.approx(cold.log_evidence, rel=1e-11)


def test_solver_is_the_last_step():
    Phi, t = data(40, 3)
    *_, last = irls_steps(Phi, t, ALPHA)
    mode = irls(Phi, t, ALPHA)
    assert mode.n_iter == last.n_iter == laplace_fit(Phi, t, ALPHA).n_iter
    np.testing.assert_array_equal(mode.w, last.w)


def test_a_weight_without_prior_may_stand_beside_others():
    """The intercept of points that are not centred; the base rate if there is nothing else."""
    t = np.array([1.0, 1, 1, 0, 1])
    assert irls(np.ones((5, 1)), t, 0.0).w[0] == pytest.approx(np.log(4), rel=1e-12)
    Phi, t = data(50, 3)
    mixed = irls(Phi, t, [0.0, 1.0, 1.0])
    assert mixed.converged
    assert Phi[:, 0] @ (t - expit(Phi @ mixed.w)) == pytest.approx(0, abs=1e-9)


# ------------------------------------------------------------------ separable classes


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_pitfall_19_and_row_64_separable_classes_without_prior():
    Phi = data(40, 3)[0]
    t = (Phi[:, 0] > 0).astype(float)
    for fit in (irls, laplace_fit):
        with pytest.warns(
            ConvergenceWarning, match=r"not converged after 100 Newton steps.*alpha = 0.*alpha > 0"
        ):
            result = fit(Phi, t, 0.0)
        assert not result.converged
        assert np.isfinite(result.w).all()
        assert np.all((Phi @ result.w > 0) == (t == 1))
    with pytest.warns(ConvergenceWarning):  # b_n = y_n (1 - y_n) is 0 to the last digit long before
        result = irls(Phi, t, 0.0, max_iter=5000)
    assert np.isfinite(result.w).all()


def test_what_did_not_converge_is_told_with_advice_that_helps():
    """Nobody is told to take alpha > 0 who has, nor to raise a max_iter that was not reached."""
    Phi, t = data(40, 3)
    with pytest.warns(ConvergenceWarning, match=r"after 1 Newton steps.*Raise max_iter = 1\.$") as told:
        irls(Phi, t, 1.0, max_iter=1)
    assert "alpha" not in str(told[0].message)
    with pytest.warns(ConvergenceWarning, match=r"weights with alpha = 0 grow for ever: take alpha > 0\.$"):
        laplace_fit(Phi, (Phi[:, 0] > 0).astype(float), 0.0)
    huge = Phi * [1e12, 1.0, 1e-12]
    with pytest.warns(ConvergenceWarning, match=r"Rounding errors hide what is left.*columns of Phi") as told:
        irls(huge, t, 1e-9, w=[1e3, 1e3, 1e3], tol=1e-15)
    assert "max_iter" not in str(told[0].message)


@pytest.mark.parametrize("alpha", [1e-12, 1e-10, 1e-3, 1.0])
def test_pitfall_19_any_prior_holds_separable_classes(alpha):
    Phi = data(40, 3)[0]
    t = (Phi[:, 0] > 0).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = laplace_fit(Phi, t, alpha)
    assert fit.n_iter <= 40
    np.testing.assert_allclose(
        alpha * fit.w, Phi.T @ (np.where(t == 1, expit(-Phi @ fit.w), -fit.y)), rtol=1e-6
    )


def test_row_64_partly_separable_classes_without_prior():
    """x < 0: always 0; x > 0: always 1; x = 0: one of each. The error tends to 2 ln 2, and w to infinity."""
    Phi = np.array([[-1.0], [-2.0], [0.0], [0.0], [1.0]])
    with pytest.warns(ConvergenceWarning, match="alpha = 0"):
        last = irls(Phi, np.array([0.0, 0, 0, 1, 1]), 0.0)
    assert last.error == pytest.approx(2 * np.log(2), rel=1e-9)


def test_warning_points_to_the_caller():
    Phi, t = np.array([[-1.0], [1.0]]), np.array([0.0, 1.0])
    for fit in (irls, laplace_fit):
        with pytest.warns(ConvergenceWarning) as caught:
            fit(Phi, t, 0.0)
        assert caught[0].filename == __file__


# ------------------------------------------------------------------ the evidence


def exact_1d(Phi, t, alpha):
    """ln int p(t | w) p(w | alpha) dw by quadrature."""
    fit = laplace_fit(Phi, t, alpha)
    top, sd = log_joint(fit.w, Phi, t, alpha), fit.Sigma[0, 0] ** 0.5
    value, _ = quad(
        lambda u: np.exp(log_joint(fit.w + sd * u, Phi, t, alpha) - top), -40, 40, points=[0], limit=400
    )
    return top + np.log(sd * value)


def exact_2d(Phi, t, alpha):
    fit = laplace_fit(Phi, t, alpha)
    top, root = log_joint(fit.w, Phi, t, alpha), np.linalg.cholesky(fit.Sigma)

    def ratio(v, u):
        return np.exp(log_joint(fit.w + root @ [u, v], Phi, t, alpha) - top)

    value, _ = dblquad(ratio, -9, 9, -9, 9, epsabs=1e-7, epsrel=1e-6)
    return top + np.log(np.linalg.det(root) * value)


@pytest.mark.parametrize("N", [10, 20, 100])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 10.0])
def test_evidence_7_114_against_quadrature_in_one_dimension(N, alpha):
    Phi, t = data(N, 1, seed=N)
    alpha = np.array([alpha])
    assert laplace_fit(Phi, t, alpha).log_evidence == pytest.approx(exact_1d(Phi, t, alpha), rel=1e-2)


@pytest.mark.parametrize("N", [20, 60])
def test_evidence_7_114_against_quadrature_in_two_dimensions(N):
    Phi, t = data(N, 2, seed=N)
    assert laplace_fit(Phi, t, ALPHA[:2]).log_evidence == pytest.approx(exact_2d(Phi, t, ALPHA[:2]), rel=1e-2)


def test_evidence_is_exact_in_the_limit_of_a_gaussian_posterior():
    """More points, or a firmer prior: the error falls like 1/N, or like 1/alpha^2 (N small against alpha)."""
    errors = []
    for copies in (1, 10, 100):
        Phi, t = (np.repeat(part, copies, axis=0) for part in data(20, 1))
        alpha = np.array([1e-3])
        errors.append(abs(laplace_fit(Phi, t, alpha).log_evidence - exact_1d(Phi, t, alpha)))
    assert 5 < errors[0] / errors[1] < 20
    assert 5 < errors[1] / errors[2] < 20
    Phi, t = data(20, 1)
    firm = [
        abs(laplace_fit(Phi, t, [alpha]).log_evidence - exact_1d(Phi, t, np.array([alpha])))
        for alpha in (1e2, 1e3)
    ]
    assert firm[1] < 1e-4
    assert firm[0] / firm[1] > 50


def test_evidence_is_the_general_approximation_of_the_joint_density():
    """`laplace`, which knows nothing of logistic regression, at ln p(t | w) p(w | alpha)."""
    Phi, t = data(30, 3)
    fit = laplace_fit(Phi, t, ALPHA)
    general = laplace(lambda w: log_joint(w, Phi, t, ALPHA), np.zeros(3))
    np.testing.assert_allclose(general.mode, fit.w, atol=1e-7)
    np.testing.assert_allclose(np.linalg.inv(general.A), fit.Sigma, rtol=1e-6)
    assert general.log_Z == pytest.approx(fit.log_evidence, abs=1e-7)


def test_without_functions_every_label_is_a_coin():
    fit = laplace_fit(np.empty((7, 0)), np.array([0.0, 1, 0, 1, 1, 1, 0]), [])
    assert fit.log_evidence == pytest.approx(7 * np.log(0.5), rel=1e-14)
    assert fit.Sigma.shape == (0, 0)
    np.testing.assert_array_equal(fit.y, 0.5)


def test_no_prior_counts_as_density_one():
    """What the evidence with a very broad prior is, less the log of that prior's density at its top."""
    Phi, t = data(40, 2)
    broad, flat = laplace_fit(Phi, t, [1e-12, 1.0]), laplace_fit(Phi, t, [0.0, 1.0])
    top = norm.logpdf(0, scale=1e6)
    assert flat.log_evidence == pytest.approx(broad.log_evidence - top, rel=1e-9)


def test_a_hopeless_function_does_not_change_the_evidence():
    """alpha to infinity is leaving the column out."""
    Phi, t = data(40, 3)
    without = laplace_fit(Phi[:, :2], t, ALPHA[:2]).log_evidence
    assert laplace_fit(Phi, t, [*ALPHA[:2], 1e12]).log_evidence == pytest.approx(without, abs=1e-9)


# ------------------------------------------------------------------ the regression it looks like


def test_working_targets_7_117():
    Phi, t = data(20, 3)
    w = np.array([0.3, -1.0, 0.5])
    t_hat, b = working_targets(Phi, t, w)
    y = expit(Phi @ w)
    np.testing.assert_allclose(b, y * (1 - y), rtol=1e-12)
    np.testing.assert_allclose(t_hat, Phi @ w + (t - y) / (y * (1 - y)), rtol=1e-10)


def test_posterior_of_the_working_targets_is_newtons_step():
    """From anywhere one step of IRLS is the regression on the working targets; at the mode it stays."""
    Phi, t = data(40, 3)
    start = np.array([0.1, 0.2, -0.1])
    after = list(irls_steps(Phi, t, ALPHA, start))[1].w
    for w, expected in ((start, after), (laplace_fit(Phi, t, ALPHA).w, laplace_fit(Phi, t, ALPHA).w)):
        t_hat, b = working_targets(Phi, t, w)
        m = np.linalg.solve(Phi.T @ np.diag(b) @ Phi + np.diag(ALPHA), Phi.T @ (b * t_hat))
        np.testing.assert_allclose(m, expected, atol=1e-10)


def surrogate_evidence(Phi, t_hat, b, alpha):
    """(7.118) with C as it is meant in (7.119)."""
    C = np.diag(1 / b) + Phi @ np.diag(1 / alpha) @ Phi.T
    return multivariate_normal.logpdf(t_hat, np.zeros(len(b)), C)


def test_erratum_7_119_and_what_7_118_is():
    """The quadratic form, the determinant, and the difference to (7.114), in which alpha does not occur."""
    Phi, t = data(25, 3)
    fit = laplace_fit(Phi, t, ALPHA)
    t_hat, b = working_targets(Phi, t, fit.w)
    C = np.diag(1 / b) + Phi @ np.diag(1 / ALPHA) @ Phi.T
    quadratic = fit.w @ (ALPHA * fit.w) + np.sum((t - fit.y) ** 2 / b)
    assert t_hat @ np.linalg.solve(C, t_hat) == pytest.approx(quadratic, rel=1e-10)
    log_det = -np.linalg.slogdet(fit.Sigma)[1] - np.log(ALPHA).sum() - np.log(b).sum()
    assert np.linalg.slogdet(C)[1] == pytest.approx(log_det, rel=1e-10)

    difference = (
        norm.logpdf(t_hat, Phi @ fit.w, b**-0.5).sum() - np.log(np.where(t == 1, fit.y, 1 - fit.y)).sum()
    )
    assert surrogate_evidence(Phi, t_hat, b, ALPHA) - fit.log_evidence == pytest.approx(difference, rel=1e-10)
    assert abs(difference) > 1  # they are not the same

    as_printed = np.diag(b) + Phi @ np.diag(ALPHA) @ Phi.T
    assert abs(t_hat @ np.linalg.solve(as_printed, t_hat) / quadratic - 1) > 0.1


def test_7_115_is_the_slope_of_7_118_but_not_of_7_114():
    """The slope of (7.114) has another term: with alpha_i move w*, b and so ln |Sigma|."""
    Phi, t = data(25, 3)
    fit, h = laplace_fit(Phi, t, ALPHA), 1e-5
    t_hat, b = working_targets(Phi, t, fit.w)
    by_7_115 = 0.5 * (1 - ALPHA * fit.w**2 - ALPHA * np.diag(fit.Sigma))  # times alpha: by ln alpha

    def slopes(evidence):
        return [
            (evidence(ALPHA * np.exp(h * e)) - evidence(ALPHA * np.exp(-h * e))) / (2 * h) for e in np.eye(3)
        ]

    np.testing.assert_allclose(
        slopes(lambda alpha: surrogate_evidence(Phi, t_hat, b, alpha)), by_7_115, atol=1e-8
    )
    leverage = np.sum(Phi @ fit.Sigma * Phi, axis=1)
    a_by_ln_alpha = -Phi @ fit.Sigma * (ALPHA * fit.w)
    other_term = -0.5 * (leverage * b * (1 - 2 * fit.y)) @ a_by_ln_alpha
    exact = slopes(lambda alpha: laplace_fit(Phi, t, alpha, fit.w, tol=1e-9).log_evidence)
    np.testing.assert_allclose(exact, by_7_115 + other_term, atol=1e-8)
    assert np.abs(other_term).max() > 1e-3


@pytest.mark.filterwarnings("error")
def test_working_targets_of_outputs_up_to_a_thousand():
    a = np.array([-1000.0, -30, 0, 30, 1000])
    for label in (0.0, 1.0):
        t_hat, b = working_targets(a[:, None], np.full(5, label), [1.0])
        assert np.isfinite(t_hat).all()
        assert np.all(b > 0)
        assert np.isfinite(1 / b).all()
        right = a < 0 if label == 0 else a > 0
        np.testing.assert_allclose(t_hat[right], a[right] + (2 * label - 1), rtol=1e-12)  # (t - y) / b = +-1


# ------------------------------------------------------------------ predictions


@pytest.mark.parametrize("variance", [0.0, 0.1, 1.0, 4.0, 25.0, 100.0])
def test_averaged_probability_against_quadrature(variance):
    mean = np.linspace(-15, 15, 61)
    sd = variance**0.5
    exact, _ = quad_vec(lambda u: expit(mean + sd * u) * norm.pdf(u), -9, 9)
    ours = averaged_probability(mean, np.full(61, variance))
    assert np.abs(ours - exact).max() < 0.02
    if variance >= 4:
        assert np.abs(expit(mean) - exact).max() > 5 * np.abs(ours - exact).max()


def test_kappa():
    assert kappa(0.0) == 1.0
    assert kappa(8 / np.pi) == pytest.approx(2**-0.5, rel=1e-14)


def exact_softmax(mean, covariance):
    """E[softmax(a)] for a ~ N(mean (3,), covariance (3, 3)), by quadrature over the two differences to a_3."""
    to_last = np.array([[1.0, 0, -1], [0, 1, -1]])
    nodes, weights = np.polynomial.hermite_e.hermegauss(100)
    grid = np.stack(np.meshgrid(nodes, nodes), axis=-1).reshape(-1, 2)
    differences = to_last @ mean + grid @ np.linalg.cholesky(to_last @ covariance @ to_last.T).T
    y = np.exp(np.column_stack([differences, np.zeros(len(grid))]))
    return np.outer(weights, weights).ravel() @ (y / y.sum(axis=1, keepdims=True)) / weights.sum() ** 2


@pytest.mark.parametrize(("scale", "within"), [(0.3, 0.04), (1.0, 0.11), (3.0, 0.21)])
def test_averaged_softmax_against_quadrature(scale, within):
    """The usual recipe, each a_k by its own variance, and the plug-in are further off."""
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(50):
        mean, root = 2 * rng.normal(size=3), scale * rng.normal(size=(3, 3))
        covariance = root @ root.T
        exact = exact_softmax(mean, covariance)
        candidates = (
            averaged_probability(mean[None], covariance[None])[0],
            softmax_of(mean * kappa(np.diag(covariance))),
            softmax_of(mean),
        )
        errors.append([np.abs(candidate - exact).max() for candidate in candidates])
    ours, usual, plug_in = np.mean(errors, axis=0)
    assert np.max(errors, axis=0)[0] < within
    assert ours < 0.75 * usual
    assert ours < 0.5 * plug_in


def softmax_of(a):
    return np.exp(a) / np.exp(a).sum()


def test_averaged_softmax_of_two_classes_is_the_sigmoids():
    rng = np.random.default_rng(1)
    mean, root = 3 * rng.normal(size=(20, 2)), rng.normal(size=(20, 2, 2))
    covariance = root @ np.swapaxes(root, 1, 2)
    ours = averaged_probability(mean, covariance)
    variance = covariance[:, 0, 0] + covariance[:, 1, 1] - 2 * covariance[:, 0, 1]
    np.testing.assert_allclose(
        ours[:, 1], averaged_probability(mean[:, 1] - mean[:, 0], variance), rtol=1e-12
    )
    np.testing.assert_allclose(ours.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(averaged_probability(mean + 100, covariance + 7), ours, rtol=1e-10)
    np.testing.assert_allclose(averaged_probability(mean, 0 * covariance)[3], softmax_of(mean[3]), rtol=1e-12)


@pytest.mark.filterwarnings("error")
def test_averaged_probabilities_far_away():
    assert averaged_probability(np.array([-1e3, 1e3]), np.zeros(2)) == pytest.approx([0, 1])
    np.testing.assert_allclose(
        averaged_probability(np.array([[-1e3, 1e3, 0]]), np.zeros((1, 3, 3))), [[0, 1, 0]], atol=1e-300
    )


# ------------------------------------------------------------------ any density


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_laplace_is_exact_for_gaussians_in_one_dimension(scale):
    fit = laplace(lambda x: norm.logpdf(x, 3 * scale, scale) + 2, 0.0)
    assert isinstance(fit.mode, float)
    assert isinstance(fit.A, float)
    assert fit.mode == pytest.approx(3 * scale, rel=1e-9)
    assert pytest.approx(scale**-2, rel=1e-9) == fit.A
    assert fit.log_Z == pytest.approx(2, rel=1e-9)


@pytest.mark.parametrize("given_derivatives", [False, True])
def test_laplace_is_exact_for_gaussians_in_many_dimensions(given_derivatives):
    rng = np.random.default_rng(0)
    root, mean = rng.normal(size=(4, 4)), rng.normal(size=4)
    A = root @ root.T + np.diag([1.0, 10.0, 1e4, 1e-4])
    derivatives = (
        {"gradient": lambda x: -A @ (x - mean), "hessian": lambda x: -A} if given_derivatives else {}
    )
    fit = laplace(lambda x: -0.5 * (x - mean) @ A @ (x - mean), np.zeros(4), **derivatives)
    np.testing.assert_allclose(fit.mode, mean, atol=1e-7)
    np.testing.assert_allclose(fit.A, A, rtol=1e-12 if given_derivatives else 1e-6, atol=1e-9)
    assert fit.log_Z == pytest.approx(2 * np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(A)[1], abs=1e-8)


@pytest.mark.parametrize("start", [0.1, 4.0, 100.0])
def test_laplace_of_a_gamma_density_by_hand(start):
    """x^4 exp(-x): mode 4, A = 4 / 4^2, so Z ~ 4^4 e^-4 sqrt(2 pi 4): Stirling's formula for 4! = 24."""
    fit = laplace(lambda x: 4 * np.log(x) - x if x > 0 else -np.inf, start)
    assert fit.mode == pytest.approx(4, rel=1e-7)
    assert pytest.approx(0.25, rel=1e-7) == fit.A
    assert np.exp(fit.log_Z) == pytest.approx(4**4 * np.exp(-4) * np.sqrt(8 * np.pi), rel=1e-7)
    assert abs(np.exp(fit.log_Z) / 24 - 1) < 0.03


@pytest.mark.parametrize(
    ("density", "start", "limits"),
    [
        (gamma(20), 5.0, (0, np.inf)),
        (student(30), 8.0, (-np.inf, np.inf)),  # from where ln f curves upwards
        (beta(8, 12), 0.9, (0, 1)),
    ],
    ids=["gamma", "student", "beta"],
)
def test_laplace_against_quadrature(density, start, limits):
    """Nearly Gaussian: a normalised density's log Z is nearly 0."""
    fit = laplace(density.logpdf, start)
    exact = np.log(quad(density.pdf, *limits)[0])
    assert fit.log_Z == pytest.approx(exact, abs=0.05)
    h = 1e-4
    assert density.logpdf(fit.mode) >= max(density.logpdf(fit.mode + h), density.logpdf(fit.mode - h))


@pytest.mark.parametrize("start", [-3.0, -1.0, 0.0, 0.1, 1.0, 3.0])
def test_laplace_of_the_skewed_density_of_prml_4_14(start):
    """exp(-z^2/2) sigma(20z + 4) turns within a twentieth: no slope by differences is exactly 0 at its mode."""
    found = laplace(lambda z: -0.5 * z * z - np.logaddexp(0.0, -20 * z - 4), start)
    mode = brentq(lambda z: 20 * expit(-20 * z - 4) - z, 0, 1, xtol=1e-14)
    curvature = 1 + 400 * expit(20 * mode + 4) * expit(-20 * mode - 4)
    np.testing.assert_allclose(found.mode, mode, atol=1e-5)
    np.testing.assert_allclose(found.A, curvature, rtol=1e-3)


def test_laplace_in_a_narrow_bent_valley():
    """Rosenbrock's function: mode (1, 1), Hessian by hand."""
    fit = laplace(lambda x: -((1 - x[0]) ** 2) - 100 * (x[1] - x[0] ** 2) ** 2, np.array([-1.0, 1.0]))
    np.testing.assert_allclose(fit.mode, 1, rtol=1e-6)
    np.testing.assert_allclose(fit.A, [[802, -400], [-400, 200]], rtol=1e-6)


def test_no_step_leaves_the_hill_of_the_start():
    """At an inflection point Newton's full step is endless."""
    asked = []

    def log_f(x):
        asked.append(x)
        return student(3).logpdf(x)

    assert laplace(log_f, 3**0.5).mode == pytest.approx(0, abs=1e-7)  # where the curvature is 0
    assert max(np.abs(asked)) < 50


def test_start_chooses_among_modes():
    def log_f(x):
        return np.logaddexp(norm.logpdf(x, -3, 0.5) + np.log(0.3), norm.logpdf(x, 3, 0.5) + np.log(0.7))

    for start, mode, weight in ((-2.0, -3, 0.3), (2.0, 3, 0.7)):
        fit = laplace(log_f, start)
        assert fit.mode == pytest.approx(mode, abs=1e-6)
        assert np.exp(fit.log_Z) == pytest.approx(weight, rel=1e-6)


@pytest.mark.parametrize(
    ("log_f", "start", "words"),
    [
        (
            lambda x: x**2 - x**4,
            0.0,
            r"stationary at x = 0, .*not positive definite, A = -2.*start nearer to a mode",
        ),
        (lambda x: 0.0, 1.0, "not positive definite"),
        (lambda x: x**3 - x**4, -1.0, "stationary at .*start nearer to a mode"),
        (lambda x: x[1] ** 2 - x[0] ** 2, np.zeros(2), "not positive definite"),
        (lambda x: x, 1.0, "no mode found from start = 1.0 in max_iter = 200 steps.*still rises"),
        (lambda x: -np.exp(-x), 1.0, "no mode found"),
        (lambda x: -x if x > 0 else -np.inf, 1.0, "no mode found.*ends at an edge"),
        (lambda x: -0.5 * np.log(x * (1 - x)) if 0 < x < 1 else -np.inf, 0.4, "no mode found"),
        (
            lambda x: np.log(x) if x > 0 else -np.inf,
            -1.0,
            "log_density must be finite at start = -1.0, got -inf",
        ),
        (lambda x: np.nan, 1.0, "log_density must be finite at start = 1.0, got nan"),
    ],
    ids=[
        "minimum",
        "flat",
        "inflection",
        "saddle",
        "rises",
        "rises less and less",
        "edge",
        "two edges",
        "outside",
        "nan",
    ],
)
@pytest.mark.filterwarnings("error")
def test_no_mode_is_said(log_f, start, words):
    with pytest.raises(ValueError, match=words):
        laplace(log_f, start)


@pytest.mark.parametrize("start", [0.0, 1.0, -0.3])
@pytest.mark.filterwarnings("error")
def test_a_mode_without_curvature_is_said(start):
    for log_f, where in (
        (lambda x: -(x**4), start),
        (lambda x: -((x[0] + x[1]) ** 4) - (x[0] - x[1]) ** 2, np.array([start, 0.5])),
    ):
        with pytest.raises(Impossible, match=r"mode near x = .*but no curvature there.*no Gaussian") as told:
            laplace(log_f, where)
        assert "\n" not in str(told.value)
    given = {"gradient": lambda x: -4 * x**3, "hessian": lambda x: -12 * x**2}
    with pytest.raises(Impossible, match="no curvature there"):
        laplace(lambda x: -(x**4), start, **given)


@pytest.mark.parametrize("correlation", [0.0, 0.99, 0.999999])
def test_a_narrow_ridge_has_curvature(correlation):
    A = np.linalg.inv([[1.0, correlation], [correlation, 1.0]])
    found = laplace(lambda x: -0.5 * x @ A @ x, np.array([0.3, -0.2]))
    np.testing.assert_allclose(found.A, A, rtol=1e-6)


@pytest.mark.parametrize("max_iter", [0, -1, 2.5, True])
def test_row_30_max_iter(max_iter):
    with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
        laplace(norm.logpdf, 0.0, max_iter=max_iter)


def test_bic_is_the_evidence_up_to_what_does_not_grow():
    """Three polynomials on N points: both grow with N, their difference does not, and they choose the same degree."""
    gaps, best = [], []
    for N in (100, 10_000):
        x = np.linspace(-1, 1, N)
        t = 1 - x + 2 * x**2 + np.random.default_rng(0).normal(size=N)
        criteria, evidences = [], []
        for degree in (1, 2, 3):
            Phi = x[:, None] ** np.arange(degree + 1)

            def log_joint(w, Phi=Phi, t=t):
                return norm.logpdf(t, Phi @ w).sum() + norm.logpdf(w, scale=3.0).sum()

            w = np.linalg.lstsq(Phi, t, rcond=None)[0]
            criteria.append(bic(norm.logpdf(t, Phi @ w).sum(), degree + 1, N))
            evidences.append(laplace(log_joint, w).log_Z)
        gaps.append(np.abs(np.subtract(criteria, evidences)))
        best.append((np.argmax(criteria), np.argmax(evidences)))
    assert np.all(np.abs(gaps[1] - gaps[0]) < 0.2)
    assert best == [(1, 1), (1, 1)]


def test_bic_by_hand():
    assert bic(-10.0, 4, 100) == pytest.approx(-10 - 2 * np.log(100), rel=1e-15)
    with pytest.raises(ValueError, match="n_points must be a whole number >= 1, got 0"):
        bic(-1.0, 2, 0)
    with pytest.raises(ValueError, match="n_parameters must be a whole number >= 0, got 1.5"):
        bic(-1.0, 1.5, 10)
    with pytest.raises(ValueError, match="log_likelihood must be a finite number, got nan"):
        bic(np.nan, 1, 10)
