"""K classes: with two of them the binary model to the last digits, and every formula once more the slow way."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from scipy.special import log_softmax, softmax
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu.solvers.bayes.laplace import laplace, laplace_fit
from sparsekm_edu.solvers.bayes.softmax import output_covariance, softmax_fit, softmax_sparsity_quality

N, M, K = 40, 4, 3


def data(seed=0, N=N, M=M, K=K):
    """Phi (N, M), T (N, K) with every class present, alpha (M, K) over two decades."""
    rng = np.random.default_rng(seed)
    Phi = rng.normal(size=(N, M))
    label = (Phi @ rng.normal(size=(M, K)) + rng.gumbel(size=(N, K))).argmax(axis=1)
    label[:K] = np.arange(K)
    return Phi, np.eye(K)[label], 10 ** rng.uniform(-1, 1, size=(M, K))


def some_infinite(alpha, seed=1):
    return np.where(np.random.default_rng(seed).random(alpha.shape) < 0.4, np.inf, alpha)


# ------------------------------------------------------------------ the fit


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.sampled_from([1e-2, 1.0, 1e2]))
def test_two_classes_are_the_binary_model(seed, scale):
    """Only the difference of the two outputs matters; its prior variances are the sums of both."""
    Phi, T, alpha = data(seed, K=2)
    alpha *= scale
    both = softmax_fit(Phi, T, alpha)
    one = laplace_fit(Phi, T[:, 1], alpha[:, 0] * alpha[:, 1] / alpha.sum(axis=1))
    np.testing.assert_allclose(both.W[:, 1] - both.W[:, 0], one.w, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(both.Y[:, 1], one.y, rtol=1e-8)
    assert both.log_evidence == pytest.approx(one.log_evidence, rel=1e-8)
    difference = np.kron(np.eye(M), [[-1.0, 1.0]])
    np.testing.assert_allclose(difference @ both.Sigma @ difference.T, one.Sigma, rtol=1e-7, atol=1e-9)


def test_two_classes_without_prior_on_the_intercept_are_the_binary_model():
    Phi, T, alpha = data(K=2)
    Phi[:, -1], alpha[-1] = 1.0, 0.0
    both = softmax_fit(Phi, T, alpha)
    precisions = np.append((alpha[:, 0] * alpha[:, 1])[:-1] / alpha[:-1].sum(axis=1), 0.0)
    one = laplace_fit(Phi, T[:, 1], precisions)
    np.testing.assert_allclose(both.Y[:, 1], one.y, rtol=1e-8)
    assert both.log_evidence == pytest.approx(one.log_evidence, rel=1e-10)


@pytest.mark.parametrize("K", [3, 4])
def test_no_prior_counts_as_density_one_for_the_differences(K):
    """As with a broad prior on the differences of all intercepts to the last, less its log density at the top."""
    Phi, T, alpha = data(K=K)
    Phi[:, -1], alpha[-1] = 1.0, 0.0
    flat = softmax_fit(Phi, T, alpha)
    fixed = alpha.copy()
    fixed[-1] = [1e-12] * (K - 1) + [np.inf]  # the last intercept is 0: the others are the differences
    broad = softmax_fit(Phi, T, fixed)
    np.testing.assert_allclose(flat.Y, broad.Y, atol=1e-8)
    top = (K - 1) * norm.logpdf(0, scale=1e6)
    assert flat.log_evidence == pytest.approx(broad.log_evidence - top, rel=1e-9)
    np.testing.assert_allclose(flat.W[-1].sum(), 0, atol=1e-9)


@pytest.mark.parametrize("infinite", [False, True])
def test_fit_is_the_general_approximation_of_the_joint_density(infinite):
    Phi, T, alpha = data(M=2)
    if infinite:
        alpha[[0, 1], [1, 2]] = np.inf
    free = np.isfinite(alpha)
    fit = softmax_fit(Phi, T, alpha)

    def log_density(w):
        W = np.zeros(alpha.shape)
        W[free] = w
        return np.sum(T * log_softmax(Phi @ W, axis=1)) + norm.logpdf(w, scale=alpha[free] ** -0.5).sum()

    general = laplace(log_density, np.zeros(free.sum()))
    np.testing.assert_allclose(fit.W[free], general.mode, atol=1e-7)
    np.testing.assert_allclose(fit.Sigma, np.linalg.inv(general.A), atol=1e-6)
    assert fit.log_evidence == pytest.approx(general.log_Z, abs=1e-7)
    np.testing.assert_allclose(fit.Y, softmax(Phi @ fit.W, axis=1), rtol=1e-12)
    np.testing.assert_array_equal(fit.W[~free], 0)


def test_evidence_against_quadrature():
    """One function, three classes, one of them with weight 0: two dimensions."""
    Phi, T, alpha = data(N=30, M=1)
    alpha[0] = [1.0, 2.0, np.inf]
    fit = softmax_fit(Phi, T, alpha)
    root = np.linalg.cholesky(fit.Sigma)
    precision = alpha[0, :2]

    def log_density(w):
        return np.sum(T * log_softmax(Phi * [*w, 0.0], axis=1)) + norm.logpdf(w, scale=precision**-0.5).sum()

    top = log_density(fit.W[0, :2])
    value, _ = dblquad(
        lambda v, u: np.exp(log_density(fit.W[0, :2] + root @ [u, v]) - top), -8, 8, -8, 8, epsabs=1e-5
    )
    assert fit.log_evidence == pytest.approx(top + np.log(np.linalg.det(root) * value), rel=1e-2)


def test_infinite_alpha_is_a_column_left_out():
    Phi, T, alpha = data()
    alpha[2] = np.inf
    fit = softmax_fit(Phi, T, alpha)
    without = softmax_fit(np.delete(Phi, 2, axis=1), T, np.delete(alpha, 2, axis=0))
    np.testing.assert_array_equal(np.delete(fit.W, 2, axis=0), without.W)
    np.testing.assert_array_equal(fit.Sigma, without.Sigma)
    assert fit.log_evidence == without.log_evidence


def test_no_weights_at_all():
    Phi, T, alpha = data()
    fit = softmax_fit(Phi, T, np.full(alpha.shape, np.inf))
    assert fit.log_evidence == pytest.approx(-N * np.log(K), rel=1e-14)
    assert fit.Sigma.shape == (0, 0)
    np.testing.assert_allclose(fit.Y, 1 / K, rtol=1e-14)


def test_a_warm_start_is_shorter():
    Phi, T, alpha = data()
    alpha = some_infinite(alpha)
    cold = softmax_fit(Phi, T, alpha)
    warm = softmax_fit(Phi, T, alpha, W=1.001 * cold.W)
    assert warm.n_iter <= 2 < cold.n_iter <= 10
    np.testing.assert_allclose(warm.W, cold.W, atol=1e-8)


def test_a_start_is_ignored_where_alpha_is_infinite():
    Phi, T, alpha = data()
    alpha = some_infinite(alpha)
    fit = softmax_fit(Phi, T, alpha, W=np.ones((M, K)))
    np.testing.assert_array_equal(fit.W[np.isinf(alpha)], 0)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_pitfall_19_and_row_64_separable_classes():
    rng = np.random.default_rng(0)
    label = np.arange(30) % 3
    Phi = np.column_stack([10 * np.eye(3)[label] + rng.normal(size=(30, 3)), np.ones(30)])
    T = np.eye(3)[label]
    with pytest.warns(ConvergenceWarning, match="alpha = 0") as caught:
        runaway = softmax_fit(Phi, T, 0.0)
    assert caught[0].filename == __file__
    assert not runaway.converged
    assert np.isfinite(runaway.W).all()
    for alpha in (1e-10, 1e-3, 1.0):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fit = softmax_fit(Phi, T, alpha)
        residual = np.where(T == 1, 0.0, -fit.Y)  # T - Y, of the wrong classes first:
        residual[T == 1] = -residual.sum(axis=1)  # 1 - y would have no digits
        np.testing.assert_allclose(alpha * fit.W, Phi.T @ residual, rtol=1e-5, atol=1e-12)


# ------------------------------------------------------------------ quality and sparsity


def surrogate(Phi, T, fit):
    """Targets and precision of the regression with the same posterior: t_hat (NK,), B (NK, NK), design (NK, MK)."""
    n, K = T.shape
    B = np.zeros((n * K, n * K))
    for i in range(n):
        B[i * K : (i + 1) * K, i * K : (i + 1) * K] = np.diag(fit.Y[i]) - np.outer(fit.Y[i], fit.Y[i])
    design = np.kron(Phi, np.eye(K))  # row (n, k), column (i, k)
    return (Phi @ fit.W).ravel(), B, design, (T - fit.Y).ravel()


def surrogate_evidence(a, B, design, residual, alpha):
    """Its log evidence, up to a constant, as a function of alpha: the log likelihood is quadratic,

    residual'(u - a) - 1/2 (u - a)' B (u - a), u = design w (B is singular: only differences matter).
    """
    free = np.isfinite(alpha.ravel())
    G, alpha = design[:, free], alpha.ravel()[free]
    H = G.T @ B @ G + np.diag(alpha)
    h = G.T @ (residual + B @ a)
    constant = -residual @ a - 0.5 * a @ B @ a
    return (
        constant + 0.5 * np.log(alpha).sum() - 0.5 * np.linalg.slogdet(H)[1] + 0.5 * h @ np.linalg.solve(H, h)
    )


def gain(alpha, q, s):
    """lambda(alpha) of (7.97)."""
    return 0.5 * (np.log(alpha) - np.log(alpha + s) + q**2 / (alpha + s))


def test_q_and_s_tell_the_evidence_of_the_surrogate_with_and_without_each_weight():
    """(7.96): with any alpha_ik, less without, is lambda(alpha_ik); for members and the others."""
    Phi, T, alpha = data()
    alpha = some_infinite(alpha)
    fit = softmax_fit(Phi, T, alpha, tol=1e-9)
    q, s, _, _ = softmax_sparsity_quality(Phi, T, alpha, fit)
    parts = surrogate(Phi, T, fit)
    for i, k in product(range(M), range(K)):
        other = alpha.copy()
        other[i, k] = np.inf
        without = surrogate_evidence(*parts, other)
        for value in (0.3, 5.0):
            other[i, k] = value
            assert surrogate_evidence(*parts, other) - without == pytest.approx(
                gain(value, q[i, k], s[i, k]), abs=1e-8
            )


def test_Q_is_the_slope_of_the_log_likelihood_and_S_its_curvature():
    """Of every weight, in the model or not; S is less what the model takes up itself."""
    Phi, T, alpha = data()
    alpha = some_infinite(alpha)
    fit, h = softmax_fit(Phi, T, alpha, tol=1e-9), 1e-5
    q, s, Q, S = softmax_sparsity_quality(Phi, T, alpha, fit)
    free = np.isfinite(alpha)

    def log_likelihood(W):
        return np.sum(T * log_softmax(Phi @ W, axis=1))

    for i, k in product(range(M), range(K)):
        E = np.zeros((M, K))
        E[i, k] = h
        slope = (log_likelihood(fit.W + E) - log_likelihood(fit.W - E)) / (2 * h)
        assert Q[i, k] == pytest.approx(slope, abs=1e-7)
    np.testing.assert_allclose(Q[free], alpha[free] * fit.W[free], atol=1e-9)  # the gradient at the mode is 0
    _, B, design, _ = surrogate(Phi, T, fit)
    G = design[:, free.ravel()]
    direct = design.T @ (B - B @ G @ fit.Sigma @ G.T @ B) @ design  # C^-1 by Woodbury
    np.testing.assert_allclose(S.ravel(), np.diag(direct), rtol=1e-9)
    np.testing.assert_array_equal(q[~free], Q[~free])
    np.testing.assert_array_equal(s[~free], S[~free])
    np.testing.assert_allclose(1 / s[free], (1 / S - 1 / alpha)[free], rtol=1e-10)  # (7.105)
    np.testing.assert_allclose(q[free] / s[free], Q[free] / S[free], rtol=1e-12)  # (7.104)
    assert np.all(s > 0)


def test_members_know_sigma_and_gamma():
    """1 - alpha Sigma_ii = gamma = s / (alpha + s) and w = q / (alpha + s): as in regression."""
    Phi, T, alpha = data()
    alpha = some_infinite(alpha)
    free = np.isfinite(alpha)
    fit = softmax_fit(Phi, T, alpha)
    q, s, _, _ = softmax_sparsity_quality(Phi, T, alpha, fit)
    np.testing.assert_allclose(np.diag(fit.Sigma), 1 / (alpha + s)[free], rtol=1e-9)
    np.testing.assert_allclose(fit.W[free], (q / (alpha + s))[free], rtol=1e-6, atol=1e-9)


def test_two_classes_have_the_quality_and_sparsity_of_the_binary_model():
    """With one weight per function, that of class 2, the models are the same."""
    Phi, T, _ = data(K=2)
    alpha = np.column_stack([np.full(M, np.inf), [1.0, np.inf, 3.0, np.inf]])
    fit = softmax_fit(Phi, T, alpha)
    q, s, Q, S = softmax_sparsity_quality(Phi, T, alpha, fit)
    members = [0, 2]
    one = laplace_fit(Phi[:, members], T[:, 1], alpha[members, 1])
    C = np.diag(1 / one.b) + Phi[:, members] @ np.diag(1 / alpha[members, 1]) @ Phi[:, members].T
    np.testing.assert_allclose(S[:, 1], np.diag(Phi.T @ np.linalg.solve(C, Phi)), rtol=1e-8)
    np.testing.assert_allclose(Q[:, 1], Phi.T @ (T[:, 1] - one.y), atol=1e-8)
    np.testing.assert_allclose(Q[:, 0], -Q[:, 1], atol=1e-12)
    np.testing.assert_allclose(S[:, 0], S[:, 1], rtol=1e-9)
    np.testing.assert_array_equal(q[[1, 3]], Q[[1, 3]])
    np.testing.assert_array_equal(s[[1, 3]], S[[1, 3]])


# ------------------------------------------------------------------ predictions, complaints


def test_output_covariance_is_that_of_a_linear_map():
    """G Sigma G' with one design matrix for all outputs of a point."""
    Phi, T, alpha = data()
    alpha = some_infinite(alpha)
    free = np.isfinite(alpha)
    fit = softmax_fit(Phi, T, alpha)
    new = np.random.default_rng(5).normal(size=(7, M))
    covariance = output_covariance(new, free, fit.Sigma)
    for n in range(7):
        G = np.kron(new[n], np.eye(K))[:, free.ravel()]
        np.testing.assert_allclose(covariance[n], G @ fit.Sigma @ G.T, atol=1e-12)


@pytest.mark.parametrize("alpha", [-1.0, np.nan])
def test_alpha_must_not_be_negative(alpha):
    Phi, T, _ = data()
    with pytest.raises(ValueError, match="alpha must hold numbers >= 0"):
        softmax_fit(Phi, T, alpha)


def test_T_must_be_one_of_K():
    Phi, T, alpha = data()
    with pytest.raises(ValueError, match="a single one in every row"):
        softmax_fit(Phi, np.ones_like(T), alpha)


def test_rows_29_and_30_tol_and_max_iter():
    Phi, T, alpha = data()
    with pytest.raises(ValueError, match="tol must be a number > 0, got 0"):
        softmax_fit(Phi, T, alpha, tol=0)
    with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got 0"):
        softmax_fit(Phi, T, alpha, max_iter=0)
