"""Every fit ends: climbs keep to their budget of work, whatever the kernel, and say so where it was not enough."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu import RVC, RVR, Gaussian
from sparsekm_edu.solvers import evidence_check, log_evidence, sequential
from sparsekm_edu.solvers.bayes.sequential.fast import LARGE as LARGE_MATRIX
from sparsekm_edu.solvers.bayes.sequential.fast import inverse, newton_step, solved
from sparsekm_edu.solvers.bayes.sequential.schedules import WORK
from sparsekm_edu.solvers.bayes.sequential.starts import (
    KICK,
    Search,
    search_many_classes,
    search_regression,
    search_two_classes,
    whole,
)

OVER = 1.5  # a climb looks at its budget once the mode is found, which with many classes is much work: so far may it go

SIZES = [(200, 10, 2.0), (200, 5, 20.0), (200, 2, 100.0)]  # N, D, gamma times D: what took minutes once
LARGE = [
    (N, D, width) for N in (500, 1000) for D in (1, 2, 5, 10) for width in (0.01, 0.1, 1.0, 5.0, 20.0, 100.0)
]


def problem(N, D, width):
    """Phi, with a bias, and targets for regression, two and three classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, D))
    t = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=N)
    Phi = np.hstack([Gaussian(width / D)(X), np.ones((N, 1))])
    return Phi, t, (t > 0).astype(float), np.eye(3)[np.digitize(t, (-0.5, 0.5))]


def check(N, D, width, max_iter=10_000):
    Phi, t, two, three = problem(N, D, width)
    budget = max_iter, WORK * max_iter * N
    searches = (
        search_regression(Phi, t, 30 / np.var(t), True, 1e-4, budget),
        search_two_classes(Phi, two, 1e-4, budget),
        search_many_classes(Phi, three, 1e-4, budget),
    )
    for search in searches:
        assert search.work < OVER * budget[1]
        assert search.n_iter <= max_iter
        assert np.isfinite(search.log_evidence)
        assert np.all(search.functions[1] > 0)


@pytest.mark.parametrize(("N", "D", "width"), SIZES)
def test_the_budget_is_kept(N, D, width):
    check(N, D, width)


@pytest.mark.parametrize(("N", "D", "width"), SIZES)
def test_a_small_budget_is_kept(N, D, width):
    check(N, D, width, max_iter=2000)


@pytest.mark.slow
@pytest.mark.parametrize(("N", "D", "width"), LARGE)
def test_the_budget_is_kept_on_large_sets(N, D, width):
    check(N, D, width)


def test_what_was_found_when_the_budget_ended_is_the_best_so_far():
    """More work never leads to less evidence; at the end of a small budget advice is given, and a model that works."""
    Phi, t, *_ = problem(200, 10, 20.0)
    heights = []
    for max_iter in (30, 100, 1000, 10_000):
        with warnings.catch_warnings(record=True) as complaints:
            warnings.simplefilter("always")
            solution = sequential(Phi, t, max_iter=max_iter)
        heights.append(solution.log_evidence)
        assert solution.converged == (solution.gain_left <= 1e-2)
        told = [str(one.message) for one in complaints if "not converged" in str(one.message)]
        assert bool(told) != solution.converged
        assert all(f"max_iter = {max_iter}" in one and "wider kernel" in one for one in told)
        assert solution.log_evidence == pytest.approx(evidence_check(Phi, t, solution).log_evidence, abs=1e-6)
    assert heights[0] != heights[-1]
    assert np.all(np.diff(heights) > -1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("gamma", [0.01, 0.1, 1.0])
def test_real_sets_end(gamma):
    """Standardised breast cancer and ten classes of digits: minutes once, at some widths. No clock here, but a timeout
    of the whole suite would tell."""
    for load, N in ((load_breast_cancer, 569), (load_digits, 500)):
        X, y = load(return_X_y=True)
        X, y = X[:N], y[:N]
        X = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = RVC(kernel=Gaussian(gamma)).fit(X, y)
        assert model.score(X, y) > 0.9
        assert model.gain_left_ <= 0.01 or not model.converged_


@pytest.mark.parametrize("max_iter", [1, 2, 3, 10, 30, 100])
def test_a_given_beta_keeps_to_any_budget(max_iter):
    """A search that learns beta goes before: it must leave something to do."""
    Phi, t, *_ = problem(100, 2, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        solution = sequential(Phi, t, beta=10.0, max_iter=max_iter)
    assert solution.beta == 10.0
    assert solution.n_iter <= max_iter + 1
    assert solution.log_evidence == pytest.approx(evidence_check(Phi, t, solution).log_evidence, abs=1e-6)


def test_without_a_member_others_take_its_place():
    """A kick leaves the evidence as it was or higher, and whoever was kicked out of the best end is not in it."""
    Phi, t, *_ = problem(200, 2, 5.0)
    search = Search(whole(Phi, t, 1e6), False, True, 1e-4, (10_000, 1e9))
    search.begin(30 / np.var(t))
    helped = 0
    for i in search.functions[0].copy():
        before = search.log_evidence
        if i in search.functions[0]:
            search.kick(i)
        assert search.log_evidence >= before
        if search.log_evidence > before:
            helped += 1
            assert i not in search.functions[0]
            assert i in search.log[search.log[:, 0] == KICK, 1]
    assert helped
    used, alpha = search.functions
    assert log_evidence(Phi[:, used], t, alpha, search.beta) == pytest.approx(search.log_evidence, abs=1e-6)


def test_newtons_method_without_a_step_says_so():
    """Numbers that are none once kept it looking for a damping for ever."""
    alpha, m, Sigma = np.ones(3), np.array([1.0, np.nan, 1.0]), np.eye(3)
    step, promise = newton_step(alpha, m, Sigma, 3, 0.0, False, 1.0, 0.0, 0.0)
    np.testing.assert_array_equal(step, 0.0)
    assert promise == 0.0


@pytest.mark.parametrize("n", [40, LARGE_MATRIX + 20])
def test_matrices_are_factored_alike_by_loops_and_by_a_library(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, 2 * n))
    H, b, x = A @ A.T / n, rng.normal(size=n), np.empty(n)
    Sigma, log_determinant = inverse(H)
    np.testing.assert_allclose(Sigma @ H, np.eye(n), atol=1e-9)
    assert log_determinant == pytest.approx(np.linalg.slogdet(H)[1], abs=1e-9)
    assert solved(np.tril(H), 0.3, b, x)
    np.testing.assert_allclose(H @ x + 0.3 * x, b, atol=1e-9)
    least = np.linalg.eigvalsh(H)[0]
    assert not solved(np.tril(H - (least + 0.1) * np.eye(n)), 0.0, b, x)
    assert not solved(np.tril(-H), 0.0, b, x)


def test_products_are_computed_once_and_right():
    Phi, t, *_ = problem(200, 2, 5.0)
    search = Search(whole(Phi, t, 1e6), False, True, 1e-4, (10_000, 1e9))
    search.begin(30 / np.var(t))
    known = search.known
    there = np.flatnonzero(known.place >= 0)
    assert len(there) == known.count[0] >= search.R
    np.testing.assert_allclose(known.rows[known.place[there]], Phi[:, there].T @ Phi, rtol=1e-12, atol=1e-12)


def test_estimators_keep_the_referees_word():
    X = np.linspace(-3, 3, 40)[:, None]
    t = np.sin(2 * X[:, 0])
    for model in (RVR(Gaussian(1.0)).fit(X, t + 0.1 * np.cos(50 * t)), RVC(Gaussian(1.0)).fit(X, t > 0)):
        assert model.gain_left_ == model.solution_.gain_left <= 0.01
        assert model.converged_
