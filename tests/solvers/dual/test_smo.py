"""SMO against closed forms, against an interior-point solver, against itself, and at its limits."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.solvers import (
    SMOState,
    advance,
    epsilon_regression,
    hard_margin,
    kkt,
    nu_classification,
    qp,
    smallest_sphere,
    smo,
    smo_steps,
    soft_margin,
)
from sparsekm_edu.solvers.dual.smo import MOST_FREE, bordered_inverse, polish

XOR = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 1.0, -1.0, -1.0])


def overlapping(n, seed, features=2, shift=0.7):
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, features))
    X[:, 0] += shift * t
    return X, t


@st.composite
def soft_problems(draw):
    """Soft margins of all sorts: 2 to 60 points, duplicates, classes of one point, C over six decades."""
    n = draw(st.integers(2, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, draw(st.integers(1, 3))))
    t = np.where(rng.random(n) < draw(st.sampled_from([0.1, 0.5])), 1.0, -1.0)
    t[:2] = 1.0, -1.0
    if draw(st.booleans()):
        X = np.round(X)  # duplicates, with equal and with opposite labels
    kernel = draw(st.sampled_from([Linear(), Polynomial(), Gaussian(0.05), Gaussian(1.0), Gaussian(10.0)]))
    return soft_margin(kernel(X), t, C=10.0 ** draw(st.integers(-3, 3)))


def test_two_points_exactly():
    """Pitfalls, section 4: (0, 0), (2, 0) -> a = (1/2, 1/2), b = 1."""
    problem = hard_margin(Linear()(np.array([[0.0, 0.0], [2.0, 0.0]])), np.array([1.0, -1.0]))
    solution = smo(problem)
    np.testing.assert_array_equal(solution.v, [0.5, -0.5])
    assert (solution.b, solution.objective, solution.n_iter, solution.converged) == (1.0, 0.5, 1, True)


def test_xor_by_hand():
    """With k = (1 + x'z)^2 and corners +-1, xor has a = 1/8 everywhere (a textbook classic)."""
    X, t = 2 * XOR[0] - 1, XOR[1]
    solution = smo(hard_margin(Polynomial()(X), t))
    np.testing.assert_allclose(solution.a, 1 / 8, rtol=1e-12)
    assert solution.b == pytest.approx(0, abs=1e-14)


@given(soft_problems())
def test_certificate_on_every_fit(problem):
    solution = smo(problem)
    referee = kkt(problem, solution)
    size = np.abs(solution.v).sum()
    assert solution.converged
    assert referee.violation <= 1e-3
    assert referee.feasibility <= 1e-13 * size
    assert np.all(problem.lo <= solution.v)
    assert np.all(solution.v <= problem.hi)
    assert -1e-9 * size <= referee.duality_gap <= 1.1e-3 * size + 1e-9


@given(soft_problems())
def test_equals_the_interior_point_solver(problem):
    ours, theirs = smo(problem, tol=1e-8), qp(problem)
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-8, abs=1e-12)
    y_ours, y_theirs = problem.K @ ours.v, problem.K @ theirs.v
    # |y - y*|^2 <= K_nn |w - w*|^2 <= 2 K_nn (what the objective misses), and that was just allowed to be 1e-8 of it
    reach = np.sqrt(2e-8 * ours.objective * problem.K.diagonal().max())
    np.testing.assert_allclose(y_ours, y_theirs, atol=2 * reach + 1e-9)


@given(soft_problems())
def test_every_step_raises_the_objective(problem):
    last, last_gap = 0.0, np.inf
    _, *steps = smo_steps(problem, tol=1e-6, max_iter=200)
    for step in steps:
        assert step.objective >= last - 1e-12 * max(1.0, abs(last))
        assert 0 < step.step <= step.unclipped
        assert abs(step.v.sum()) <= 1e-12 * np.abs(step.v).sum()
        assert np.all(problem.lo <= step.v)
        assert np.all(step.v <= problem.hi)
        last, last_gap = step.objective, step.gap
    assert last_gap <= 1e-6 or last_gap < np.inf


def test_steps_are_the_textbook_pair():
    """The first step on a symmetric problem, by hand: slope 2, curvature |x_i - x_j|^2."""
    problem = soft_margin(Linear()(np.array([[0.0], [2.0], [5.0]])), np.array([1.0, -1.0, -1.0]), C=0.3)
    _, step, *_ = smo_steps(problem)
    assert step.pair == (0, 1)
    assert step.unclipped == pytest.approx(2 / 4)
    assert step.step == 0.3
    np.testing.assert_array_equal(step.v, [0.3, -0.3, 0.0])
    assert step.objective == pytest.approx(0.6 - 0.5 * 0.09 * 4)


def test_steps_show_the_box_and_the_optimum_before_and_after_clipping():
    problem = soft_margin(Linear()(np.array([[0.0], [2.0], [5.0]])), np.array([1.0, -1.0, -1.0]), C=0.3)
    _, step, *_ = smo_steps(problem)
    assert step.box == ((0.0, 0.3), (-0.3, 0.0))
    assert step.before == (0.0, 0.0)
    assert step.unclipped_optimum == (0.5, -0.5)
    assert step.optimum == (0.3, -0.3)


@pytest.mark.parametrize("rule", ["second-order", "first-order", "random"])
def test_boxes_hold_the_step_in_regression_too(rule):
    """The kink at 0 is a wall: every optimum is in its box, and clipped exactly where the parabola's minimum is out."""
    X, _ = overlapping(30, seed=11)
    problem = epsilon_regression(Gaussian(0.3)(X), np.sin(3 * X[:, 0]), C=3.0, epsilon=0.05)
    kinks = 0
    _, *steps = smo_steps(problem, tol=1e-4, rule=rule)
    for step in steps:
        inside = []
        for (low, high), free, clipped in zip(step.box, step.unclipped_optimum, step.optimum):
            assert low <= clipped <= high
            inside.append(low - 1e-15 <= free <= high + 1e-15)
        assert all(inside) == (step.step == step.unclipped)
        kinks += step.step < step.unclipped and 0.0 in step.optimum
    assert kinks > 0
    assert step.gap <= 1e-4
    assert step.objective == pytest.approx(smo(problem).objective, rel=1e-6)


def test_first_order_takes_the_steepest_pair():
    X, t = overlapping(50, seed=10)
    problem = soft_margin(Gaussian()(X), t, C=1.0)
    v = np.zeros(50)
    _, *steps = smo_steps(problem, rule="first-order")
    for step in steps:
        g, (i, j) = problem.K @ v - t, step.pair
        assert g[i] == pytest.approx(np.min(g[v < problem.hi]), abs=1e-12)
        assert g[j] == pytest.approx(np.max(g[v > problem.lo]), abs=1e-12)
        v = step.v


@pytest.mark.parametrize("seed", range(5))
def test_the_random_rule_always_finds_a_partner(seed):
    """Slopes near 1e8, where the aim of 1e-12 is far below rounding: the search for a partner must still end."""
    X, t = overlapping(100, seed)
    problem = nu_classification(Linear()(1e4 * X), t, nu=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        solution = smo(problem, rule="random", max_iter=20_000)
    assert kkt(problem, solution).violation <= 1e-9 * problem.K.max()


def test_long_runs_are_sharpened_too(monkeypatch):
    """A stretch of steps that ends just below tol is not the end: the polish goes on as in short runs."""
    monkeypatch.setattr("sparsekm_edu.solvers.dual.smo.STRETCH", 7)
    for seed in range(5):
        X, t = overlapping(80, seed)
        problem = soft_margin(Gaussian()(X), t, C=10.0)
        assert kkt(problem, smo(problem, tol=0.1)).violation <= 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_a_useless_start_leaves_nothing_behind(seed):
    """In a tube around all data v = 0 is best; what rounding leaves of a large v must not pass for support vectors."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2))
    problem = epsilon_regression(Gaussian()(X), X[:, 0], C=1e6, epsilon=10.0)
    assert len(smo(problem, v=rng.normal(size=30) * 1e5).support) == 0


def test_rules_need_a_name():
    problem = soft_margin(np.eye(2), np.array([1.0, -1.0]), C=1.0)
    with pytest.raises(ValueError, match="rule must be one of .*'first-order'.* got 'best'"):
        smo(problem, rule="best")


def test_every_pair_is_the_best_partner_for_the_steepest():
    """i has the smallest g that may rise; no other j gains more with it than (g_j - g_i)^2 / (2 eta)."""
    X, t = overlapping(50, seed=10)
    problem = soft_margin(Gaussian()(X), t, C=1.0)
    v = np.zeros(50)
    _, *steps = smo_steps(problem)
    for step in steps:
        g, (i, j) = problem.K @ v - t, step.pair
        assert g[i] == pytest.approx(np.min(g[v < problem.hi]), abs=1e-12)
        eta = 2.0 - 2.0 * problem.K[i]
        gain = np.where((v > problem.lo) & (g > g[i]), (g - g[i]) ** 2 / np.maximum(eta, 1e-12), 0.0)
        assert gain[j] == pytest.approx(gain.max(), rel=1e-9)
        v = step.v


def test_steps_reach_the_solution():
    X, t = overlapping(40, seed=0)
    problem = soft_margin(Gaussian()(X), t, C=1.0)
    steps = list(smo_steps(problem, tol=1e-10))
    assert steps[-1].gap <= 1e-10
    np.testing.assert_allclose(steps[-1].v, smo(problem).v, atol=1e-8)
    assert [step.n_iter for step in smo_steps(problem, tol=1e-10, max_iter=5)] == [0, 1, 2, 3, 4, 5]


def test_advance_many_is_advance_one_many_times():
    X, t = overlapping(40, seed=1)
    problem = soft_margin(Gaussian()(X), t, C=10.0)
    at_once, one_by_one = SMOState.start(problem), SMOState.start(problem)
    advance(at_once, 25, tol=1e-3)
    for _ in range(25):
        advance(one_by_one, 1, tol=1e-3)
    np.testing.assert_array_equal(at_once.v, one_by_one.v)
    assert at_once.pair == one_by_one.pair
    assert at_once.n_iter == one_by_one.n_iter == 25
    np.testing.assert_allclose(at_once.g, problem.K @ at_once.v - t, atol=1e-12)
    assert at_once.gap == pytest.approx(one_by_one.gap)


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("seed", range(3))
def test_exact_whatever_tol(C, seed):
    """The polish: tol = 0.1 and tol = 1e-10 give the same answer to rounding error."""
    X, t = overlapping(80, seed)
    problem = soft_margin(Gaussian()(X), t, C)
    rough, fine = smo(problem, tol=0.1), smo(problem, tol=1e-10)
    assert kkt(problem, rough).violation <= 1e-9
    assert rough.objective == pytest.approx(fine.objective, rel=1e-13)


def test_polish_never_leaves_the_box_nor_lowers_the_dual():
    X, t = overlapping(100, seed=2)
    problem = soft_margin(Gaussian(0.3)(X), t, C=5.0)
    state = SMOState.start(problem)
    for _ in range(20):
        advance(state, 5, tol=1e-10)
        before = state.objective
        polish(state)
        assert state.objective >= before - 1e-12
        assert np.all((problem.lo <= state.v) & (state.v <= problem.hi))
        np.testing.assert_allclose(state.g, problem.K @ state.v - t, atol=1e-11)


def test_polish_hits_several_walls_at_once():
    """Both variables reach C together, and neither may be rounded through its wall."""
    t = np.array([1.0, -1.0])
    for C, part in np.random.default_rng(0).random((1000, 2)):
        problem = soft_margin(Linear()(np.array([[0.0], [0.1]])), t, C)
        state = SMOState.start(problem, v=part * C * t)
        polish(state)
        assert np.all((problem.lo <= state.v) & (state.v <= problem.hi))


def test_refresh_undoes_drift():
    X, t = overlapping(40, seed=9)
    problem = soft_margin(Gaussian()(X), t, C=1.0)
    state = SMOState.start(problem, v=smo(problem).v)
    state.v[np.argmax(np.minimum(state.v, 1 - state.v))] += 1e-9
    state.work.g[:] += 1e-9 * t
    state.refresh()
    assert abs(state.v.sum()) <= 1e-14
    np.testing.assert_array_equal(state.g, problem.K @ state.v - t)
    assert state.gap <= 1e-8


def test_many_free_variables():
    """More than MOST_FREE free variables at the optimum: then tol is good enough."""
    X, t = overlapping(400, seed=3, features=10)
    problem = soft_margin(Gaussian(0.1)(X), t, C=100.0)
    solution = smo(problem)
    assert np.sum((solution.a > 0) & (solution.a < 100.0)) > MOST_FREE
    assert kkt(problem, solution).violation <= 1e-3
    assert solution.objective == pytest.approx(qp(problem).objective, rel=1e-4)


@given(st.integers(1, 12), st.integers(1, 2), st.integers(0, 1000))
def test_bordered_inverse(k, n_groups, seed):
    """d = H r satisfies K d + mu_g = r with sum d = 0 in each group, on random positive definite K."""
    rng = np.random.default_rng(seed)
    A, r, group = rng.normal(size=(k, k + 1)), rng.normal(size=k), rng.integers(0, n_groups, k)
    K_FF = A @ A.T
    d = bordered_inverse(K_FF, np.ones(k), group, n_groups, 1e-14) @ r
    rest = r - K_FF @ d
    for g in range(n_groups):
        if np.any(group == g):
            assert abs(d[group == g].sum()) <= 1e-13 * (1 + np.abs(d).sum())
            assert np.ptp(rest[group == g]) <= 1e-8 * (1 + np.abs(d).max())


@given(soft_problems(), st.integers(0, 1000))
def test_warm_start_is_cold_start(problem, seed):
    anywhere = np.random.default_rng(seed).normal(size=len(problem.K))
    cold, warm = smo(problem, tol=1e-8), smo(problem, tol=1e-8, v=anywhere)
    assert warm.objective == pytest.approx(cold.objective, rel=1e-9)
    assert kkt(problem, warm).feasibility <= 1e-12 * np.abs(warm.v).sum()


def test_warm_start_at_the_solution_is_quick():
    X, t = overlapping(100, seed=4)
    problem = soft_margin(Gaussian()(X), t, C=10.0)
    cold = smo(problem)
    assert smo(problem, v=cold.v).n_iter < cold.n_iter / 10
    closer = soft_margin(Gaussian()(X), t, C=9.0)
    assert kkt(closer, smo(closer, v=cold.v)).violation <= 1e-9


@pytest.mark.parametrize("v", [np.ones(3), np.full(4, np.nan), np.ones((4, 1))])
def test_warm_start_must_fit_the_problem(v):
    with pytest.raises(ValueError, match=r"v must be finite with shape \(4,\)"):
        smo(soft_margin(np.eye(4), XOR[1], C=1.0), v=v)


# ------------------------------------------------------------------ hard margin


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5)], ids=repr)
def test_hard_margin_identities(seed, kernel):
    """1 / rho^2 = sum a = 2 L = |w|^2, with rho measured as the smallest distance t y(x) / |w|, (7.2)-(7.4)."""
    X, t = datasets.separable(seed=seed)
    K = kernel(X)
    solution = smo(hard_margin(K, t))
    w2 = solution.v @ K @ solution.v
    rho = np.min(t * (K @ solution.v + solution.b)) / np.sqrt(w2)
    for value in (solution.a.sum(), 2 * solution.objective, w2):
        assert value == pytest.approx(1 / rho**2, rel=1e-9)


def test_hard_margin_is_the_limit_of_large_C():
    X, t = datasets.curved()
    K = Gaussian()(X)
    hard = smo(hard_margin(K, t))
    np.testing.assert_allclose(smo(soft_margin(K, t, C=1e6)).v, hard.v, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(smo(soft_margin(K, t, C=np.full(len(t), np.inf))).v, hard.v)


def linearly_separable(X, t):
    """An independent answer, by linear programming: is there (w, b) with t (w'x + b) >= 1?"""
    X = (X - X.mean(axis=0)) / X.std()
    A = -t[:, None] * np.column_stack([X, np.ones(len(t))])
    free = [(None, None)] * A.shape[1]
    return linprog(np.zeros(A.shape[1]), A_ub=A, b_ub=-np.ones(len(t)), bounds=free).status == 0


@pytest.mark.parametrize("n", [4, 20, 100, 500])
@pytest.mark.parametrize("features", [1, 2, 5])
@pytest.mark.parametrize("shift", [0.0, 1.0, 2.5])
@pytest.mark.parametrize(("scale", "offset"), [(1.0, 0.0), (1e-3, 1.0), (1e3, -1e4)])
def test_separability_is_decided_rightly_and_quickly(n, features, shift, scale, offset):
    X, t = overlapping(n, seed=n + features, features=features, shift=shift)
    X = X * scale + offset
    problem = hard_margin(Linear()(X), t)
    few = 200  # pair steps; 32 are enough
    if linearly_separable(X, t):
        assert kkt(problem, smo(problem, max_iter=few)).violation <= 1e-3
    else:
        with pytest.raises(
            ValueError, match=r"not separable with this kernel \(.*margin below .*use a finite C"
        ):
            smo(problem, max_iter=few)


@pytest.mark.parametrize("n", [50, 100, 500])
@pytest.mark.parametrize("features", [2, 5, 10])
@pytest.mark.parametrize("seed", range(4))
def test_a_few_wrong_labels_are_inseparable(n, features, seed):
    """Almost separable: the dual climbs far before it shows that it has no top."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, features))
    t = np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
    problem = hard_margin(Linear()(X), t)
    if linearly_separable(X, t):
        assert smo(problem, max_iter=20_000).converged
    else:
        with pytest.raises(ValueError, match="not separable"):
            smo(problem, max_iter=20_000)


@pytest.mark.parametrize("margin", [1e-4, 1e-3, 1e-2])
@pytest.mark.parametrize("n", [10, 100, 500])
@pytest.mark.parametrize("seed", range(3))
def test_narrow_margins_are_margins(margin, n, seed):
    """Classes whose gap is down to 1e-4 of the data's radius must not be called inseparable."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    t = np.where(X[:, 0] > 0, 1.0, -1.0)
    X[:, 0] += margin * t * np.linalg.norm(X, axis=1).max()
    problem = hard_margin(Linear()(X), t)
    solution = smo(problem)
    assert 1 / np.sqrt(2 * solution.objective) >= margin
    assert kkt(problem, solution).duality_gap <= 1e-6 * solution.objective
    assert kkt(problem, solution).feasibility <= 1e-13 * solution.a.sum()


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_xor_one_inside_and_contradictions_are_inseparable(scale):
    X, t = datasets.separable()
    inside = np.vstack([X, X[t > 0].mean(axis=0)]), np.append(t, -1.0)
    contradiction = np.vstack([X, X[:1]]), np.append(t, -t[0])
    for points, labels in (XOR, inside, contradiction):
        with pytest.raises(ValueError, match="not separable"):
            smo(hard_margin(Linear()(points * scale), labels))
    with pytest.raises(ValueError, match="not separable"):
        smo(hard_margin(Gaussian()(contradiction[0]), contradiction[1]))
    with pytest.raises(ValueError, match="not separable"):
        smo(hard_margin(np.zeros((2, 2)), np.array([1.0, -1.0])))


# ------------------------------------------------------------------ limits and complaints


@pytest.mark.parametrize("tol", [0, -1e-3, np.nan, np.inf, "1", True])
def test_row_29_tol_must_be_positive(tol):
    problem = soft_margin(np.eye(2), np.array([1.0, -1.0]), C=1.0)
    for call in (lambda: smo(problem, tol=tol), lambda: list(smo_steps(problem, tol=tol))):
        with pytest.raises(ValueError, match="tol must be a number > 0, got"):
            call()


@pytest.mark.parametrize("max_iter", [0, -1, 2.5, "9", True])
def test_row_30_max_iter_must_be_a_positive_whole_number(max_iter):
    problem = soft_margin(np.eye(2), np.array([1.0, -1.0]), C=1.0)
    for call in (
        lambda: smo(problem, max_iter=max_iter),
        lambda: list(smo_steps(problem, max_iter=max_iter)),
    ):
        with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
            call()


def test_row_28_not_converged_is_said():
    X, t = overlapping(60, seed=5)
    problem = soft_margin(Linear()(X * 1e4), t, C=1e9)
    with pytest.warns(
        ConvergenceWarning, match=r"max_iter = 50: KKT gap .* > tol = 0.001 with C = 1e\+09.*scaling"
    ):
        solution = smo(problem, max_iter=50)
    assert not solution.converged
    assert solution.n_iter == 50
    assert np.isfinite(solution.v).all()
    with pytest.warns(ConvergenceWarning) as record:
        smo(soft_margin(Gaussian()(X), t, C=1.0), max_iter=1)
    assert "scaling" not in str(record[0].message)


def test_pitfalls_1_and_2_unscaled_data_converge_anyway():
    """LIBSVM needs minutes for these; the polish needs milliseconds."""
    X, t = overlapping(60, seed=6)
    for points, C in ((X, 1e9), (X * 1e4, 1.0), (np.array([[1.0, 99999.0], [2.0, 99999.0]]), 1.0)):
        problem = soft_margin(Linear()(points), t[: len(points)], C)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            solution = smo(problem, max_iter=20_000)
        assert kkt(problem, solution).violation == pytest.approx(0, abs=1e-2)


def test_pitfall_1_it_ends_where_rounding_errors_exceed_tol():
    """Entries of K near 1e25 leave errors of 1e9 in y: no number of steps brings the gap below 1e-3 for sure."""
    given_up = 0
    for seed in range(8):
        X = np.random.default_rng(seed).integers(-2, 3, size=(14, 1)) + 1589.5023292586404
        problem = smallest_sphere(Polynomial(4)(X), nu=0.3)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            solution = smo(problem)
        assert solution.n_iter < 1000
        assert kkt(problem, solution).violation <= 1e-14 * problem.K.max()
        assert solution.converged == (len(caught) == 0)
        if caught:
            assert "no better in more: KKT gap" in str(caught[0].message)
            given_up += 1
    assert given_up > 0


def test_pitfall_7_indefinite_K_is_said():
    x = np.array([1.0, 2.0])
    problem = soft_margin(np.tanh(np.outer(x, x) - 1), np.array([1.0, -1.0]), C=1.0)
    with pytest.warns(UserWarning, match="not positive semi-definite"):
        assert np.isfinite(smo(problem).v).all()


def test_every_indefinite_K_whose_curvature_was_met_is_said():
    """300 random K: pair steps one by one say which pairs `smo` meets first, and what their curvature is."""
    rng, met, N = np.random.default_rng(0), 0, 30
    for _ in range(300):
        A = rng.normal(size=(N, N))
        K, t = A + A.T, np.where(np.arange(N) % 2, 1.0, -1.0)
        problem = soft_margin(K, t, C=1.0)
        pairs = [step.pair for step in smo_steps(problem, max_iter=10) if step.step > 0]
        curvature = [K[i, i] + K[j, j] - 2 * K[i, j] for i, j in pairs]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            smo(problem, max_iter=1000)
        said = any("not positive semi-definite" in str(warning.message) for warning in caught)
        met += min(curvature) < -1e-6
        assert said or min(curvature) >= -1e-6
    assert met > 290


@pytest.mark.parametrize("rank", [1, 5, 30])
def test_no_positive_semidefinite_K_is_called_indefinite(rank):
    rng, N = np.random.default_rng(rank), 30
    for _ in range(30):
        phi = rng.normal(size=(N, rank))
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=".*not positive semi-definite")
            smo(soft_margin(phi @ phi.T, np.where(np.arange(N) % 2, 1.0, -1.0), C=1.0))


def test_no_warning_on_good_problems():
    X, t = overlapping(60, seed=7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kernel in (Linear(), Gaussian(), Polynomial(3)):
            smo(soft_margin(kernel(np.round(X)), t, C=1.0))


def test_input_is_left_alone():
    X, t = overlapping(30, seed=8)
    K = Gaussian()(X)
    v = np.zeros(30)
    copies = K.copy(), t.copy(), v.copy()
    smo(soft_margin(K, t, C=1.0), v=v)
    for array, copy in zip((K, t, v), copies):
        np.testing.assert_array_equal(array, copy)


def run_python(code, **environment):
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=os.environ | environment, capture_output=True, text=True
    )


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import numpy as np
from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.solvers import hard_margin, kkt, smo, soft_margin
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 2)); t = np.where(X[:, 0] + rng.normal(size=200) > 0, 1.0, -1.0)
problem = soft_margin(Gaussian()(X), t, 10.0)
solution = smo(problem)
print(repr(solution.objective), kkt(problem, solution).violation <= 1e-9, solution.n_iter)
try:
    smo(hard_margin(Linear()(X), t))
except ValueError as error:
    print("not separable" in str(error))
"""


def test_without_numba_everything_works():
    result = run_python(WITHOUT_NUMBA)
    assert result.returncode == 0, result.stderr
    objective, exact, n_iter, separable = result.stdout.split()
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    t = np.where(X[:, 0] + rng.normal(size=200) > 0, 1.0, -1.0)
    compiled = smo(soft_margin(Gaussian()(X), t, 10.0))
    assert float(objective) == pytest.approx(compiled.objective, rel=1e-12)
    assert int(n_iter) <= 2 * compiled.n_iter
    assert (exact, separable) == ("True", "True")


NO_PLACE_FOR_A_CACHE = """
import numba
compiled = []
def njit(cache=False, **options):
    def compile(function):
        if cache:
            raise RuntimeError("cannot cache function: no locator available for file")
        compiled.append(function.__name__)
        return function
    return compile
numba.njit = njit
import sparsekm_edu.solvers
print(compiled)
"""


def test_pitfall_23_no_place_for_a_cache():
    result = run_python(NO_PLACE_FOR_A_CACHE)
    assert result.returncode == 0, result.stderr
    assert "_pair_steps" in result.stdout
