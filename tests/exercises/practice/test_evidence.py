"""PRML 7.9 to 7.14: worked solutions by third roads, other right forms, student's slips, what the texts claim."""

import numpy as np
import pytest
from answering import arguments, never_passes, passes, said
from scipy.integrate import dblquad
from scipy.optimize import minimize
from scipy.stats import gamma as gamma_distribution
from scipy.stats import multivariate_normal, norm

from sparsekm_edu import exercises
from sparsekm_edu.exercises.practice import (
    brute_force,
    prml_7_09,
    prml_7_10,
    prml_7_11,
    prml_7_12,
    prml_7_13,
    prml_7_14,
)
from sparsekm_edu.exercises.tasks import Task
from sparsekm_edu.solvers import evidence_gradient, log_evidence, posterior, reestimate

FUNCTIONS = [
    step
    for id in ("7.9", "7.10", "7.11", "7.12", "7.13", "7.14")
    for step in exercises.EXERCISES[id].steps
    if isinstance(step, Task)
]
CLIMBS = "7.12c", "7.13b", "7.13d"  # an optimiser is asked: fewer seeds


@pytest.mark.parametrize("task", FUNCTIONS, ids=[task.id for task in FUNCTIONS])
def test_the_worked_solution_agrees_with_its_route_on_many_seeds(task):
    assert task.route
    passes(task.id, task.solution, range(100, 103 if task.id in CLIMBS else 125))


# ---- the brute force is right ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_grid_integrates(seed):
    """Against scipy's adaptive integral over two weights, and against the solvers."""
    rng = np.random.default_rng(seed)
    Phi, t, alpha, beta = rng.normal(size=(5, 2)), rng.normal(size=5), np.array([0.7, 1.9]), 1.6
    log_p, mean, covariance = brute_force.quadrature(Phi, t, alpha, beta)

    constants = np.prod(np.sqrt(alpha / (2 * np.pi))) * (beta / (2 * np.pi)) ** 2.5

    def height(v, w):
        r = t - w * Phi[:, 0] - v * Phi[:, 1]
        return constants * np.exp(-0.5 * (beta * r @ r + alpha[0] * w * w + alpha[1] * v * v))

    assert log_p == pytest.approx(
        np.log(dblquad(height, -6, 6, -6, 6, epsabs=1e-12, epsrel=1e-8)[0]), rel=1e-7
    )
    assert log_p == pytest.approx(log_evidence(Phi, t, alpha, beta), rel=1e-11)
    assert brute_force.log_p(Phi, t, alpha, beta) == pytest.approx(log_p, rel=1e-11)
    m, Sigma = posterior(Phi, t, alpha, beta)
    assert mean == pytest.approx(m, rel=1e-9)
    assert covariance == pytest.approx(Sigma, rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_routes_end_where_the_derivatives_vanish(seed):
    Phi, t = arguments("7.12c", seed)
    by_alpha, by_beta = evidence_gradient(Phi, t, *prml_7_12.summit_of_the_evidence(Phi, t))
    assert np.abs([*by_alpha, by_beta]).max() < 1e-7
    Phi, t, *priors = arguments("7.13b", seed)
    alpha, beta = prml_7_13.summit_of_the_posterior(Phi, t, *priors)
    by_alpha, by_beta = prml_7_13.posterior_by_differences(Phi, t, alpha, beta, *priors)
    assert np.abs([*(alpha * by_alpha), beta * by_beta]).max() < 1e-7
    Phi, t, *priors = arguments("7.13d", seed)
    alpha, beta = prml_7_13.summit_over_logarithms(Phi, t, *priors)
    by_alpha, by_beta = prml_7_13.posterior_by_differences(Phi, t, alpha, beta, *priors)
    assert np.abs([*(alpha * by_alpha + 1), beta * by_beta + 1]).max() < 1e-7


# ---- worked solutions by a third road -------------------------------------------------------------------


def test_the_book_is_the_special_case():
    """w0 = 0 and equal beta_n: (7.82), (7.83) and (7.85)."""
    Phi, t, alpha, beta = arguments("7.9a")
    same = np.full(len(t), beta)
    m, Sigma = prml_7_09.weights(Phi, t, np.zeros(len(alpha)), alpha, same)
    assert m == pytest.approx(posterior(Phi, t, alpha, beta)[0])
    assert Sigma == pytest.approx(posterior(Phi, t, alpha, beta)[1])
    value = prml_7_11.log_density(Phi, t, np.zeros(len(alpha)), alpha, same)
    C_t = np.eye(len(t)) / beta + Phi @ np.diag(1 / alpha) @ Phi.T
    assert value == pytest.approx(multivariate_normal(cov=C_t).logpdf(t))
    assert prml_7_10.log_marginal(Phi, t, alpha, beta) == pytest.approx(value)


def test_the_pieces_make_up_the_evidence():
    """7.10 and 7.11 term by term, as the texts say."""
    Phi, t, alpha, beta = arguments("7.10c")
    N, M = Phi.shape
    m, Sigma = posterior(Phi, t, alpha, beta)
    E_m = prml_7_10.rest_of_square(Phi, t, m, beta)
    assert E_m == pytest.approx(beta / 2 * np.sum((t - Phi @ m) ** 2) + np.sum(alpha * m**2) / 2)
    assert E_m == pytest.approx(beta / 2 * t @ t - m @ np.linalg.solve(Sigma, m) / 2)
    assert E_m == pytest.approx(t @ prml_7_11.inverse_of_C(Phi, Sigma, beta) @ t / 2)
    constants = N / 2 * np.log(beta / (2 * np.pi)) + 0.5 * np.log(alpha).sum() - M / 2 * np.log(2 * np.pi)
    total = constants - E_m + prml_7_10.log_volume(Phi, alpha, beta)
    assert total == pytest.approx(log_evidence(Phi, t, alpha, beta, form="N"))
    data_space = -0.5 * (N * np.log(2 * np.pi) + prml_7_11.log_det_of_C(Sigma, alpha, beta, N)) - E_m
    assert data_space == pytest.approx(total)


def test_7_10d_the_exponent_in_t():
    """Only E(m) depends on t, and its second differences are C^-1."""
    Phi, t, alpha, beta = arguments("7.10c")
    C_t = np.eye(len(t)) / beta + Phi / alpha @ Phi.T
    unit = np.eye(len(t))

    def E(x):
        return prml_7_10.rest_of_square(Phi, x, posterior(Phi, x, alpha, beta)[0], beta)

    second = np.array([[E(e + d) - E(e) - E(d) + E(0 * e) for d in unit] for e in unit])
    assert second == pytest.approx(np.linalg.inv(C_t))
    zero = prml_7_10.log_marginal(Phi, 0 * t, alpha, beta)
    assert prml_7_10.log_marginal(Phi, t, alpha, beta) == pytest.approx(zero - E(t))
    assert zero == pytest.approx(-0.5 * np.linalg.slogdet(2 * np.pi * C_t)[1])


def test_the_derivatives_sum_up():
    Phi, t, alpha, beta = arguments("7.12a")
    by_alpha, by_beta = evidence_gradient(Phi, t, alpha, beta)
    assert 0.5 + sum(prml_7_12.pieces(Phi, t, alpha, beta)) == pytest.approx(by_alpha)
    assert prml_7_12.by_log_beta(Phi, t, alpha, beta) == pytest.approx(by_beta)


@pytest.mark.parametrize("seed", range(3))
def test_the_climbs_end_where_the_library_does(seed):
    """The library's hyperpriors belong to the logarithms."""
    Phi, t = arguments("7.12c", seed)
    solution = reestimate(Phi, t, tol=1e-10)
    alpha, beta = prml_7_12.climb(Phi, t)
    assert solution.alpha == pytest.approx(alpha, rel=1e-4)
    assert solution.beta == pytest.approx(beta, rel=1e-4)
    Phi, t, *priors = arguments("7.13d", seed)
    solution = reestimate(Phi, t, hyperprior=tuple(priors), tol=1e-10)
    alpha, beta = prml_7_13.most_probable_logarithms(Phi, t, *priors)
    assert solution.alpha == pytest.approx(alpha, rel=1e-4)
    assert solution.beta == pytest.approx(beta, rel=1e-4)


def test_7_13_the_hyperprior_is_a_rate():
    """(B.26) as scipy has it, and what a = b = 0 does to the density of alpha: no maximum."""
    x = np.array([0.4, 1.7])
    difference = gamma_distribution(2.5, scale=1 / 0.8).logpdf(x) - [
        prml_7_13.log_gamma_prior(value, 2.5, 0.8) for value in x
    ]
    assert difference[0] == pytest.approx(difference[1])
    Phi, t, alpha, beta = arguments("7.13a")[:4]
    flat_in_logarithm = [
        prml_7_13.log_posterior(Phi, t, alpha * np.array([scale] + [1] * (len(alpha) - 1)), beta, 0, 0, 1, 0)
        for scale in (1e-3, 1e-6, 1e-9)
    ]
    assert flat_in_logarithm == sorted(flat_in_logarithm)  # half of ln(1/alpha) is left: unbounded
    assert flat_in_logarithm[2] - flat_in_logarithm[1] == pytest.approx(0.5 * np.log(1e3), rel=1e-3)


def test_7_13c_flat_hyperpriors_give_the_evidence():
    Phi, t = arguments("7.12c")
    alpha, beta = prml_7_13.most_probable(Phi, t, 1, 0, 1, 0)
    assert alpha == pytest.approx(prml_7_12.climb(Phi, t)[0])
    assert beta == pytest.approx(prml_7_12.climb(Phi, t)[1])


def test_7_14c_far_away_the_bias_is_left():
    """And without a bias the noise alone, the smallest variance of all."""
    rng = np.random.default_rng(3)
    x, alpha, beta = rng.uniform(-1, 1, 6), rng.uniform(0.3, 3, 7), 2.0
    places = np.linspace(-20, 20, 81)

    def kernels(z):
        return np.exp(-((z[:, None] - x) ** 2))

    def with_bias(z):
        return np.column_stack([kernels(z), np.ones(len(z))])

    _, covariance = prml_7_14.predict(with_bias(x), np.sin(x), alpha, beta, with_bias(places))
    _, Sigma = posterior(with_bias(x), np.sin(x), alpha, beta)
    assert np.diag(covariance)[[0, -1]] == pytest.approx(1 / beta + Sigma[-1, -1], rel=1e-12)
    assert Sigma[-1, -1] < 0.9 / alpha[-1]

    _, covariance = prml_7_14.predict(kernels(x), np.sin(x), alpha[:-1], beta, kernels(places))
    variance = np.diag(covariance)
    assert variance.min() >= 1 / beta
    assert variance[[0, -1]] == pytest.approx(1 / beta, rel=1e-12)
    assert variance.max() > 1.1 / beta


def test_evidence_is_a_product_of_predictions():
    """As the worked solution of 7.14 says."""
    Phi, t, alpha, beta = arguments("7.9a")
    total = sum(prml_7_14.log_predictive(Phi[:n], t[:n], alpha, beta, Phi[n], t[n]) for n in range(len(t)))
    assert total == pytest.approx(log_evidence(Phi, t, alpha, beta))


# ---- other right forms, as a student would write them ---------------------------------------------------


def test_7_9a_in_loops_and_lists():
    def answer(Phi, t, alpha, beta):
        N, M = Phi.shape
        H, h = np.zeros((M, M)), np.zeros(M)
        for n in range(N):
            H += beta * np.outer(Phi[n], Phi[n])
            h += beta * t[n] * Phi[n]
        for i in range(M):
            H[i, i] += alpha[i]
        return H.tolist(), list(h)

    passes("7.9a", answer)
    passes(
        "7.9a",
        lambda Phi, t, alpha, beta: [beta * (Phi.T @ Phi) + alpha * np.eye(len(alpha)), beta * t @ Phi],
    )


def test_7_9b_by_other_forms():
    def by_the_difference_to_the_guess(Phi, t, w0, alpha, beta):
        Sigma = np.linalg.pinv(Phi.T @ (Phi * beta[:, None]) + np.diag(alpha))
        return w0 + Sigma @ Phi.T @ (beta * (t - Phi @ w0)), Sigma

    def in_data_space(Phi, t, w0, alpha, beta):
        A_inverse = np.diag(1 / alpha)
        gain = A_inverse @ Phi.T @ np.linalg.inv(np.diag(1 / beta) + Phi @ A_inverse @ Phi.T)
        return w0 + gain @ (t - Phi @ w0), A_inverse - gain @ Phi @ A_inverse

    passes("7.9b", by_the_difference_to_the_guess)
    passes("7.9b", in_data_space)


def test_7_10_by_other_forms():
    def C(Phi, alpha, beta):
        return np.eye(len(Phi)) / beta + Phi @ np.diag(1 / alpha) @ Phi.T

    def with_alpha_found_again(Phi, t, m, beta):
        alpha = beta * Phi.T @ (t - Phi @ m) / m
        return 0.5 * t @ np.linalg.solve(C(Phi, alpha, beta), t)

    passes("7.10a", with_alpha_found_again)
    passes(
        "7.10a",
        lambda Phi, t, m, beta: (
            beta / 2 * np.sum((t - Phi @ m) ** 2)
            + beta / 2 * (Phi @ m) @ t
            - beta / 2 * np.sum((Phi @ m) ** 2)
        ),
    )
    passes(
        "7.10b",
        lambda Phi, alpha, beta: (
            -0.5 * np.log(np.linalg.det((np.diag(alpha) + beta * Phi.T @ Phi) / (2 * np.pi)))
        ),
    )
    passes(
        "7.10b",
        lambda Phi, alpha, beta: (
            -np.log(np.diag(np.linalg.cholesky((np.diag(alpha) + beta * Phi.T @ Phi) / (2 * np.pi)))).sum()
        ),
    )

    def bayes_at_any_w(Phi, t, alpha, beta):
        m, Sigma = posterior(Phi, t, alpha, beta)
        w = np.ones(len(alpha))
        joint = norm.logpdf(t, Phi @ w, beta**-0.5).sum() + norm.logpdf(w, 0, alpha**-0.5).sum()
        return joint - multivariate_normal(m, Sigma).logpdf(w)

    passes("7.10c", bayes_at_any_w)
    passes("7.10c", lambda Phi, t, alpha, beta: multivariate_normal(cov=C(Phi, alpha, beta)).logpdf(t))


def test_7_11_by_other_forms():
    passes(
        "7.11b",
        lambda Phi, t, w0, alpha, beta: multivariate_normal(
            Phi @ w0, np.diag(1 / beta) + sum(np.outer(f, f) / a for f, a in zip(Phi.T, alpha, strict=True))
        ).logpdf(t),
    )
    passes("7.11c", lambda Phi, Sigma, beta: beta * (np.eye(len(Phi)) - Phi @ (beta * Sigma) @ Phi.T))
    passes("7.11c", lambda Phi, Sigma, beta: (beta * np.identity(len(Phi)) - beta**2 * Phi @ Sigma @ Phi.T).T)
    passes(
        "7.11d",
        lambda Sigma, alpha, beta, N: -np.log(beta**N * np.prod(alpha) * np.linalg.det(Sigma)),
    )
    passes(
        "7.11d",
        lambda Sigma, alpha, beta, N: (
            sum(-np.log(a) for a in alpha) - np.log(np.linalg.eigvalsh(Sigma)).sum() - N * np.log(beta)
        ),
    )


def test_7_12_by_other_forms():
    def by_gamma(Phi, t, alpha, beta):
        m, Sigma = posterior(Phi, t, alpha, beta)
        gamma = 1 - alpha * Sigma.diagonal()
        return [(gamma - 1) / 2, -alpha * m * m / 2]

    passes("7.12a", by_gamma)

    def with_the_trace(Phi, t, alpha, beta):
        m, Sigma = posterior(Phi, t, alpha, beta)
        error = t - Phi @ m
        return (len(t) - beta * np.trace(Sigma @ Phi.T @ Phi) - beta * error @ error) / 2

    def in_data_space(Phi, t, alpha, beta):
        C_inverse = np.linalg.inv(np.eye(len(t)) / beta + Phi / alpha @ Phi.T)
        return 0.5 / beta * (np.trace(C_inverse) - np.sum((C_inverse @ t) ** 2))

    passes("7.12b", with_the_trace)
    passes("7.12b", in_data_space)

    def em(Phi, t):
        """(9.67) and (9.68): slower, and at rest in the same place."""
        alpha, beta = np.ones(Phi.shape[1]), 1.0
        for _ in range(400):
            Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)
            m = beta * Sigma @ Phi.T @ t
            gamma = 1 - alpha * np.diag(Sigma)
            alpha = 1 / (m**2 + np.diag(Sigma))
            beta = len(t) / (np.sum((t - Phi @ m) ** 2) + gamma.sum() / beta)
        return alpha, beta

    def until_at_rest(Phi, t):
        alpha, beta, before = np.ones(Phi.shape[1]), 1.0, np.inf
        while np.abs(before - alpha).max() > 1e-12 * np.abs(alpha).max():
            before = alpha
            Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)
            m = beta * Sigma @ Phi.T @ t
            gamma = 1 - alpha * np.diag(Sigma)
            alpha, beta = gamma / m**2, (len(t) - gamma.sum()) / np.sum((t - Phi @ m) ** 2)
        return [alpha, beta]

    def until_little_moves(Phi, t):
        alpha, beta = np.ones(Phi.shape[1]), 1.0
        while True:
            m, Sigma = posterior(Phi, t, alpha, beta)
            gamma = 1 - alpha * np.diag(Sigma)
            before, alpha = alpha, gamma / m**2
            beta = (len(t) - gamma.sum()) / np.sum((t - Phi @ m) ** 2)
            if np.abs(alpha - before).max() < 1e-3:
                return alpha, beta

    def optimised(Phi, t):
        x = minimize(
            lambda x: -log_evidence(Phi, t, np.exp(x[:-1]), np.exp(x[-1])), np.zeros(Phi.shape[1] + 1)
        ).x
        return np.exp(x[:-1]), np.exp(x[-1])

    passes("7.12c", em, range(1))
    passes("7.12c", until_at_rest, range(2))
    passes("7.12c", until_little_moves, range(5))
    passes("7.12c", optimised, range(3))
    passes("7.12c", lambda Phi, t: prml_7_12.rounds(Phi, t, prml_7_12.new_alpha, prml_7_12.new_beta, 10))

    def in_the_letters_of_least_squares(phi, t, beta):
        mean, variance = phi @ t / (phi @ phi), 1 / (beta * phi @ phi)
        return 1 / (mean**2 - variance) if mean**2 > variance else float("inf")

    passes("7.12d", in_the_letters_of_least_squares)


def test_7_13_by_other_forms():
    def through_the_logarithms(Phi, t, alpha, beta, a, b, c, d):
        by_alpha, by_beta = evidence_gradient(Phi, t, alpha, beta)
        return (by_alpha + a - 1) / alpha - b, (by_beta + c - 1) / beta - d

    passes("7.13a", through_the_logarithms)

    def by_expectations(Phi, t, a, b, c, d):
        """EM with hyperpriors, whose numerators hold 1 and N in the place of gamma."""
        alpha, beta = np.ones(Phi.shape[1]), 1.0
        for _ in range(400):
            Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)
            m = beta * Sigma @ Phi.T @ t
            error = np.sum((t - Phi @ m) ** 2) + np.trace(Phi @ Sigma @ Phi.T)
            alpha = (2 * a - 1) / (m**2 + np.diag(Sigma) + 2 * b)
            beta = (len(t) + 2 * c - 2) / (error + 2 * d)
        return alpha, beta

    passes("7.13b", by_expectations, range(2))
    for id, shape in ("7.13b", prml_7_13.right_shape), ("7.13d", prml_7_13.shape_of_logarithm):
        passes(id, prml_7_13.most_probable_with(shape, prml_7_13.right_rate, 20))

    def optimised(Phi, t, a, b, c, d):
        """The density itself; with a + 1 and c + 1, its logarithms."""

        def height(x):
            alpha, beta = np.exp(x[:-1]), np.exp(x[-1])
            prior = gamma_distribution.logpdf(alpha, a, scale=1 / b).sum()
            return log_evidence(Phi, t, alpha, beta) + prior + gamma_distribution.logpdf(beta, c, scale=1 / d)

        x = minimize(lambda x: -height(x), np.zeros(Phi.shape[1] + 1)).x
        return np.exp(x[:-1]), np.exp(x[-1])

    def climbed(Phi, t, priors):
        solution = reestimate(Phi, t, hyperprior=priors, tol=1e-8)
        return solution.alpha, solution.beta

    passes("7.13b", optimised, range(2))
    passes("7.13d", lambda Phi, t, a, b, c, d: optimised(Phi, t, a + 1, b, c + 1, d), range(2))
    passes("7.13d", lambda Phi, t, *priors: climbed(Phi, t, priors), range(2))


def test_7_14_by_other_forms():
    def by_its_entries(Phi, t, alpha, beta, Phi_new):
        m, Sigma = posterior(Phi, t, alpha, beta)
        K = len(Phi_new)
        covariance = [
            [Phi_new[j] @ Sigma @ Phi_new[k] + (1 / beta if j == k else 0) for k in range(K)]
            for j in range(K)
        ]
        return [m @ phi for phi in Phi_new], covariance

    passes("7.14a", by_its_entries)

    def ratio(Phi, t, alpha, beta, phi, t_new):
        more = log_evidence(np.vstack([Phi, phi]), np.append(t, t_new), alpha, beta)
        return more - log_evidence(Phi, t, alpha, beta)

    def with_scipy(Phi, t, alpha, beta, phi, t_new):
        m, Sigma = posterior(Phi, t, alpha, beta)
        return norm(phi @ m, np.sqrt(1 / beta + phi @ Sigma @ phi)).logpdf(t_new)

    passes("7.14b", ratio)
    passes("7.14b", with_scipy)


# ---- slips in a student's own code ----------------------------------------------------------------------


def test_a_mistake_is_known_in_other_code():
    def broadcast(Phi, t, alpha, beta):
        return beta * Phi.T.dot(Phi) + alpha[None, :], beta * Phi.T.dot(t)

    assert "alpha added to whole columns" in said("7.9a", broadcast)

    def best_fit(Phi, t, alpha, beta):
        m, _ = posterior(Phi, t, alpha, beta)
        return norm.logpdf(t, Phi @ m, beta**-0.5).sum()

    assert "the likelihood of the best weights" in said("7.10c", best_fit)
    assert "the mean of t forgotten" in said(
        "7.11b",
        lambda Phi, t, w0, alpha, beta: multivariate_normal(
            cov=np.diag(1 / beta) + Phi / alpha @ Phi.T
        ).logpdf(t),
    )
    assert "the covariance of a prediction" in said(
        "7.11c", lambda Phi, Sigma, beta: Phi @ Sigma @ Phi.T + np.identity(len(Phi)) / beta
    )

    def plain_variance(Phi, t):
        alpha, beta = np.ones(Phi.shape[1]), 1.0
        for _ in range(25):
            m, Sigma = posterior(Phi, t, alpha, beta)
            alpha, beta = (1 - alpha * Sigma.diagonal()) / m**2, 1 / np.mean((t - Phi @ m) ** 2)
        return alpha, beta

    assert "N in the place of N - sum gamma" in said("7.12c", plain_variance)
    for number in 1, 7, 50, 200, 1001:  # the updates swing to and fro, or settle slowly

        def with_variances(Phi, t, number=number):
            alpha, beta = np.ones(Phi.shape[1]), 1.0
            for _ in range(number):
                m, Sigma = posterior(Phi, t, alpha, beta)
                gamma = 1 - alpha * Sigma.diagonal()
                alpha, beta = gamma / m**2, np.sum((t - Phi @ m) ** 2) / (len(t) - gamma.sum())
            return alpha, beta

        assert "the noise variance for beta" in said("7.12c", with_variances)
        assert "alpha upside down" in said(
            "7.12c",
            lambda Phi, t, number=number: prml_7_12.rounds(
                Phi, t, lambda gamma, m, variance: m**2 / gamma, prml_7_12.new_beta, number
            ),
        )

    def smaller_root(phi, t, beta):
        """gamma = 1: alpha q^2 = (alpha + s)^2."""
        s, q = beta * phi @ phi, beta * phi @ t
        roots = np.roots([1, 2 * s - q**2, s**2])
        return roots.real.min() if np.isreal(roots).all() and roots.real.min() > 0 else np.inf

    assert "gamma taken for 1" in said("7.12d", smaller_root)

    def with_the_printed_rule_only(phi, t, beta):
        s, q = beta * phi @ phi, beta * phi @ t
        return s**2 / (q**2 - s)

    assert "a negative precision" in said("7.12d", with_the_printed_rule_only)
    assert "one w for all" in said(
        "7.14b",
        lambda Phi, t, alpha, beta, phi, t_new: norm.logpdf(
            t_new, phi @ posterior(Phi, t, alpha, beta)[0], beta**-0.5
        ),
    )


def test_more_weights_than_targets_are_met():
    """M = N + 1 in the machine itself, and Phi'Phi has no inverse then."""
    inv = np.linalg.inv

    def from_least_squares(Phi, t, w0, alpha, beta):
        G = Phi.T @ np.diag(beta) @ Phi
        w, Sigma = inv(G) @ Phi.T @ (beta * t), inv(G + np.diag(alpha))
        return Sigma @ (G @ w + alpha * w0), Sigma

    never_passes("7.9b", from_least_squares)
    for id, right in (
        ("7.10c", prml_7_10.log_marginal),
        ("7.12a", prml_7_12.pieces),
        ("7.12b", prml_7_12.by_log_beta),
    ):
        never_passes(
            id,
            lambda Phi, t, alpha, beta, right=right: right(
                Phi, Phi @ inv(Phi.T @ Phi) @ Phi.T @ t, alpha, beta
            ),
        )
    never_passes(
        "7.11b",
        lambda Phi, t, w0, alpha, beta: prml_7_11.log_density(
            Phi @ inv(Phi.T @ Phi) @ Phi.T @ Phi, t, w0, alpha, beta
        ),
    )
    never_passes(
        "7.11c",
        lambda Phi, Sigma, beta: prml_7_11.inverse_of_C(Phi @ inv(Phi.T @ Phi) @ Phi.T @ Phi, Sigma, beta),
    )
    never_passes(
        "7.14a",
        lambda Phi, t, alpha, beta, Phi_new: prml_7_14.predict(
            Phi, Phi @ inv(Phi.T @ Phi) @ Phi.T @ t, alpha, beta, Phi_new
        ),
    )


def test_fewer_weights_than_targets_are_met_as_well():
    for id in "7.9b", "7.10c", "7.11c", "7.14b":
        task = exercises.TASKS[id]
        never_passes(
            id,
            lambda Phi, *given, task=task: task.solution(Phi, *given) if len(Phi) <= Phi.shape[1] else 0.0,
        )


def test_one_new_target_is_the_books_own_case():
    seen = {len(arguments("7.14a", seed)[-1]) for seed in range(20)}
    assert seen == {1, 2, 3}


@pytest.mark.parametrize("threshold", [0.8, 0.95, 1.05, 1.3])
def test_7_12d_wants_the_threshold_itself(threshold):
    def nearly(phi, t, beta):
        s, q = beta * phi @ phi, beta * phi @ t
        return s**2 / abs(q**2 - s) if q**2 > threshold * s else np.inf

    never_passes("7.12d", nearly, range(100))


def test_7_12_what_belongs_to_another_term_and_what_is_compared_is_named():
    def all_of_it(Phi, t, alpha, beta):
        m, Sigma = posterior(Phi, t, alpha, beta)
        return (1 - alpha * np.diag(Sigma)) / 2, -alpha * m**2 / 2

    assert "the 1/2 of the first term counted in" in said("7.12a", all_of_it)
    for seed in range(10):
        for of_q in (abs, float):

            def other_test(phi, t, beta, of_q=of_q):
                s, q = beta * phi @ phi, beta * phi @ t
                return s**2 / (q**2 - s) if of_q(q) > s else np.inf

            assert "q or |q| compared with s" in said("7.12d", other_test, seed)


def test_one_number_with_two_causes_names_both():
    """7.9b, 7.10a and 7.12b: what is said has to be true of either."""

    def shifted_weights(Phi, t, w0, alpha, beta):
        Sigma = np.linalg.inv(np.diag(alpha) + (Phi.T * beta) @ Phi)
        return w0 + Sigma @ Phi.T @ (beta * t), Sigma

    assert "t must become t - Phi w0" in said("7.9b", shifted_weights)
    assert "Pythagoras" in said("7.10a", lambda Phi, t, m, beta: beta / 2 * (t @ t - (Phi @ m) @ (Phi @ m)))

    def short_form(Phi, t, alpha, beta):
        m, Sigma = posterior(Phi, t, alpha, beta)
        return (len(t) - beta * np.trace(Sigma @ Phi.T @ Phi) - beta * t @ (t - Phi @ m)) / 2

    assert "not stationary in m" in said("7.12b", short_form)


def test_7_12c_beta_missing_in_m_is_known_in_any_round():
    for number in 6, 8, 10:
        assert "if beta is missing in m" in said(
            "7.12c", lambda Phi, t, number=number: prml_7_12.without_beta_in_m(Phi, t, number)
        )
    assert "one round only" in said("7.12c", lambda Phi, t: prml_7_12.without_beta_in_m(Phi, t, 1))
    for number in 10, 40:
        assert "computed once" in said(
            "7.12c", lambda Phi, t, number=number: prml_7_12.computed_once(Phi, t, number)
        )


def test_7_12d_the_evidence_rises_below_the_best_alpha_and_falls_above():
    """And 7.13: for c < 1 a round can give a negative beta, as the worked solutions say."""
    for seed in range(30):
        phi, t, beta = arguments("7.12d", seed)
        best = prml_7_12.best_alpha(phi, t, beta)
        for alpha in np.array([0.2, 0.9, 1.1, 5]) * (best if np.isfinite(best) else 1):
            (slope,), _ = evidence_gradient(phi[:, None], t, np.array([alpha]), beta)
            assert (slope > 0) == (alpha < best)
    Phi, t = np.array([[1, 0.2], [0.3, 1.5], [2, -1]]), np.array([1, 2, -0.5])
    one_round = prml_7_13.most_probable_with(prml_7_13.right_shape, prml_7_13.right_rate, 1)
    assert one_round(Phi, t, 1, 0.1, 0.2, 0.1)[1] == pytest.approx(-0.25, abs=0.005)


def test_forms_that_are_not_asked_for_are_refused():
    """One number for two results, a determinant for its logarithm, a variance for a covariance, a sign, base 10."""
    assert "2 results are wanted" in said("7.9a", lambda Phi, t, alpha, beta: beta)
    assert "sign is the wrong way round" in said("7.10a", lambda *given: -prml_7_10.rest_of_square(*given))
    assert "no logarithm" in said("7.10b", lambda *given: np.exp(prml_7_10.log_volume(*given)))
    assert "0.4343 times" in said("7.10c", lambda *given: prml_7_10.log_marginal(*given) / np.log(10))
    assert "wanted" in said(
        "7.14a", lambda *given: (prml_7_14.predict(*given)[0], np.diag(prml_7_14.predict(*given)[1]))
    )
