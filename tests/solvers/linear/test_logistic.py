"""The errors of logistic regression and their derivatives, and three descents that must meet at the same place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize

from sparsekm_edu.solvers.bayes.laplace import irls_steps
from sparsekm_edu.solvers.linear.logistic import (
    LinearBernoulli,
    LinearSoftmax,
    checked,
    gd_steps,
    newton_steps,
    sgd_steps,
)


def data(N, M, K, seed, noise=1.0):
    """Phi (N, M), its last column 1, and t (N,) for K = 2, T (N, K) otherwise, with every class present."""
    rng = np.random.default_rng(seed)
    Phi = np.column_stack([rng.normal(size=(N, M - 1)), np.ones(N)])
    scores = Phi @ rng.normal(size=(M, K)) + noise * rng.gumbel(size=(N, K))
    label = scores.argmax(axis=1)
    label[:K] = np.arange(K)
    return (Phi, (label == 1).astype(float)) if K == 2 else (Phi, np.eye(K)[label])


def likelihoods():
    free = np.random.default_rng(3).random((4, 3)) < 0.6
    Phi, T = data(30, 4, 3, seed=1)
    return [
        LinearBernoulli(*data(30, 4, 2, seed=0)),
        LinearSoftmax(Phi, T, np.ones((4, 3), bool)),
        LinearSoftmax(Phi, T, free),
    ]


def some_weights(likelihood, scale=1.0):
    size = likelihood.Phi.shape[1] if isinstance(likelihood, LinearBernoulli) else likelihood.free.sum()
    return scale * np.random.default_rng(7).normal(size=size)


each_likelihood = pytest.mark.parametrize("likelihood", likelihoods(), ids=["two", "three", "three, not all"])
each_problem = pytest.mark.parametrize("K", [2, 3])


# ------------------------------------------------------------------ errors and derivatives


def test_error_of_two_classes_is_7_109():
    Phi, t = data(20, 3, 2, seed=4)
    w = np.array([0.3, -1.2, 0.5])
    y = 1 / (1 + np.exp(-Phi @ w))
    expected = -np.sum(t * np.log(y) + (1 - t) * np.log(1 - y))
    assert LinearBernoulli(Phi, t).error(Phi @ w) == pytest.approx(expected, rel=1e-13)


def test_error_of_three_classes_is_minus_the_log_of_7_122():
    Phi, T = data(20, 3, 3, seed=4)
    W = np.random.default_rng(0).normal(size=(3, 3))
    y = np.exp(Phi @ W) / np.exp(Phi @ W).sum(axis=1, keepdims=True)
    likelihood = LinearSoftmax(Phi, T, np.ones((3, 3), bool))
    assert likelihood.error(Phi @ W) == pytest.approx(-np.log(np.prod(y**T)), rel=1e-12)
    np.testing.assert_array_equal(likelihood.weights(W.ravel()), W)


@each_likelihood
def test_gradient_and_hessian_are_those_of_finite_differences(likelihood):
    w, h = some_weights(likelihood), 1e-5
    units = np.eye(len(w))

    def error(w):
        return likelihood.error(likelihood.outputs(w))

    def gradient(w):
        return likelihood.gradient(likelihood.outputs(w))

    slopes = [(error(w + h * e) - error(w - h * e)) / (2 * h) for e in units]
    np.testing.assert_allclose(gradient(w), slopes, atol=1e-8)
    bends = [(gradient(w + h * e) - gradient(w - h * e)) / (2 * h) for e in units]
    np.testing.assert_allclose(likelihood.hessian(likelihood.outputs(w)), bends, atol=1e-8)


@each_likelihood
def test_no_point_curves_more_than_steepest(likelihood):
    """The bound behind the safe rates: H <= steepest Phi'Phi, for the worst of many weights nearly reached."""
    ratio = 0.0
    for scale in (0.0, 0.5, 2.0):
        point = likelihood[:1]
        a = point.outputs(some_weights(likelihood, scale))
        ratio = max(ratio, np.linalg.eigvalsh(point.hessian(a))[-1] / np.sum(point.Phi**2))
    assert 0.2 < ratio <= likelihood.steepest + 1e-12


@each_likelihood
def test_points_add_up(likelihood):
    w = some_weights(likelihood)
    a = likelihood.outputs(w)
    points = [likelihood[n : n + 1] for n in range(len(likelihood.Phi))]
    assert sum(p.error(p.outputs(w)) for p in points) == pytest.approx(likelihood.error(a), rel=1e-13)
    np.testing.assert_allclose(
        sum(p.gradient(p.outputs(w)) for p in points), likelihood.gradient(a), atol=1e-12
    )


@pytest.mark.parametrize("a", [30.0, 100.0, 700.0])
def test_points_far_on_their_right_side_keep_their_digits(a):
    """ln(1 + exp(-a)) = exp(-a) to rounding, and so are 1 - y and y (1 - y)."""
    one = np.ones((1, 1))
    for likelihood, outputs in (
        (LinearBernoulli(one, np.array([1.0])), np.array([a])),
        (LinearBernoulli(one, np.array([0.0])), np.array([-a])),
        (LinearSoftmax(one, np.array([[0.0, 1.0]]), np.ones((1, 2), bool)), np.array([[0.0, a]])),
    ):
        found = (
            likelihood.error(outputs),
            -likelihood.gradient(outputs)[-1],
            likelihood.hessian(outputs)[-1, -1],
        )
        np.testing.assert_allclose(np.abs(found), np.exp(-a), rtol=1e-12)


def test_outputs_of_a_thousand_neither_overflow_nor_turn_into_nan():
    one = np.ones((2, 1))
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        likelihood = LinearBernoulli(one, np.array([1.0, 0.0]))
        assert likelihood.error(np.array([1000.0, 1000.0])) == 1000.0
        assert likelihood.gradient(np.array([-1000.0, 1000.0])) == 0.0  # -1 + 1
        likelihood = LinearSoftmax(one, np.eye(2), np.ones((1, 2), bool))
        assert likelihood.error(np.array([[1000.0, -1000.0], [1000.0, -1000.0]])) == 2000.0
        assert np.isfinite(likelihood.hessian(np.array([[1e3, -1e3], [-1e3, 1e3]]))).all()


# ------------------------------------------------------------------ Newton's method


@st.composite
def problems(draw):
    """Phi, t, alpha, w: separable or not, duplicates, alpha over 12 decades with zeros, a start near or far."""
    K = draw(st.sampled_from([2, 3]))
    N, M = draw(st.integers(K, 25)), draw(st.integers(1, 4))
    Phi, t = data(N, M, K, draw(st.integers(0, 10**6)), noise=draw(st.sampled_from([0.0, 1.0])))
    if draw(st.booleans()):
        Phi = np.round(Phi)
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    shape = (M,) if K == 2 else (M, K)
    alpha = 10.0 ** rng.uniform(-6, 6, size=shape)
    alpha[rng.random(shape) < draw(st.sampled_from([0.0, 0.3]))] = 0.0
    return Phi, t, alpha, draw(st.sampled_from([0.0, 1.0, 100.0])) * rng.normal(size=shape)


@given(problems())
def test_pitfall_19_the_penalised_error_falls_in_each_step(problem):
    last = None
    for step in irls_steps(*problem, max_iter=60):
        assert np.isfinite(step.w).all()
        if last is not None:
            assert step.error <= last.error * (1 + 1e-14)
        last = step


@given(problems())
def test_newton_ends_where_the_gradient_vanishes(problem):
    Phi, t, alpha, w = problem
    *_, last = irls_steps(Phi, t, np.maximum(alpha, 1e-6), w, max_iter=100)
    assert last.converged
    scale = np.abs(Phi).sum(axis=0).max() + np.abs(last.w * np.maximum(alpha, 1e-6).ravel()).max()
    assert np.abs(last.gradient).max() <= 1e-9 * scale


def test_a_full_newton_step_would_climb():
    """The classical trap: from far away the full step overshoots, further each time."""
    Phi, t = np.array([[1.0], [1.0], [1.0]]), np.array([1.0, 1.0, 0.0])
    likelihood, w = LinearBernoulli(Phi, t), np.array([-8.0])
    full = w - np.linalg.solve(likelihood.hessian(Phi @ w), likelihood.gradient(Phi @ w))
    assert likelihood.error(Phi @ full) > 10 * likelihood.error(Phi @ w)
    *_, last = newton_steps(likelihood, np.zeros((1, 1)), w, 1e-6, 100)
    assert last.converged
    assert last.w[0] == pytest.approx(np.log(2), rel=1e-12)  # odds of 2 to 1


@pytest.mark.parametrize("seed", [13, 101, 1672, 1718, 1821, 2842, 2983])
def test_from_far_away_newton_does_not_zigzag(seed):
    """Steps that are halved until E merely falls took 299 to more than 1000 here; from 0 it takes 3 to 6."""
    rng = np.random.default_rng(seed)
    N, M = int(rng.integers(3, 30)), int(rng.integers(1, 6))
    Phi = rng.normal(size=(N, M)) * 10 ** rng.uniform(-1, 1, size=M)
    t = 1.0 * (rng.random(N) < 0.5)
    alpha, far = 10 ** rng.uniform(-7, 4, size=M), rng.normal(size=M) * 10 ** rng.uniform(-1, 2.5)
    *_, near = irls_steps(Phi, t, alpha)
    *_, last = irls_steps(Phi, t, alpha, far, max_iter=30)
    assert last.converged
    assert last.error == pytest.approx(near.error, rel=1e-9)


@each_problem
def test_convergence_is_quadratic(K):
    Phi, t = data(200, 3, K, seed=5)
    moved = np.array([step.residual for step in irls_steps(Phi, t, 1.0)][1:])
    assert len(moved) <= 8
    late = moved[:-1] < 0.5
    assert late.sum() >= 2
    assert np.all(moved[1:][late] <= 2 * moved[:-1][late] ** 2)


def test_residual_is_what_the_full_step_moved():
    Phi, t = data(50, 3, 2, seed=6)
    steps = list(irls_steps(Phi, t, 1.0))
    assert [step.n_iter for step in steps] == list(range(len(steps)))
    assert [step.converged for step in steps] == [False] * (len(steps) - 1) + [True]
    for before, after in zip(steps, steps[1:], strict=False):
        assert np.abs(Phi @ (after.w - before.w)).max() == pytest.approx(after.residual, rel=1e-6)


def test_ill_conditioned_kernels_converge():
    """Broad Gaussians, nearly the same function many times: the Hessian's condition number is about 1e10."""
    x = np.linspace(0, 1, 80)
    Phi = np.exp(-0.5 * (x[:, None] - x) ** 2 / 0.3**2)
    t = (np.sin(9 * x) + np.random.default_rng(0).normal(size=80) > 0).astype(float)
    for alpha in (1e-8, 1e-4, 1.0):
        *_, last = irls_steps(Phi, t, alpha)
        assert last.converged
        assert last.n_iter <= 30


def test_collinear_columns_without_prior():
    """Twice the same column: the sum of the two weights is what one alone would have."""
    Phi, t = data(60, 2, 2, seed=8)
    *_, alone = irls_steps(Phi, t, 0.0)
    *_, twice = irls_steps(np.column_stack([Phi, Phi[:, 0]]), t, 0.0)
    assert twice.converged
    assert twice.w[0] + twice.w[2] == pytest.approx(alone.w[0], rel=1e-8)


def test_a_row_without_prior_keeps_its_sum_at_zero():
    """Adding the same to all K intercepts changes nothing: of all solutions, the one whose sum is 0."""
    Phi, T = data(60, 3, 3, seed=9)
    alpha = np.ones((3, 3))
    alpha[-1] = 0.0
    *_, last = irls_steps(Phi, T, alpha)
    W = last.w.reshape(3, 3)
    np.testing.assert_allclose(W.sum(axis=1), 0, atol=1e-10)
    assert np.abs(W[-1]).max() > 0.01
    likelihood, flat, _ = checked(Phi, T, alpha, None)
    best = minimize(
        lambda w: likelihood.error(likelihood.outputs(w)) + 0.5 * flat @ w**2, np.zeros(9), tol=1e-12
    )
    assert last.error == pytest.approx(best.fun, rel=1e-10)


# ------------------------------------------------------------------ gradients


@each_problem
def test_three_ways_lead_to_the_same_place(K):
    Phi, t = data(100, 3, K, seed=10)
    *_, newton = irls_steps(Phi, t, 1.0)
    *_, gd = gd_steps(Phi, t, 1.0, tol=1e-9)
    *_, sgd = sgd_steps(Phi, t, 1.0, tol=1e-3, seed=0)
    assert gd.converged
    assert sgd.converged
    np.testing.assert_allclose(gd.w, newton.w, atol=1e-7)
    assert np.linalg.norm(sgd.w - newton.w) <= np.linalg.norm(
        sgd.gradient
    )  # as E curves by alpha = 1 or more
    assert newton.n_iter < gd.n_iter
    assert newton.error <= min(gd.error, sgd.error) * (1 + 1e-14)


@each_problem
def test_descents_say_what_they_did(K):
    """w, error, gradient and residual belong together, and each step of `gd` is rate times the mean gradient."""
    Phi, t = data(40, 3, K, seed=11)
    likelihood, alpha, _ = checked(Phi, t, 0.5, None)

    def error(w):
        return likelihood.error(likelihood.outputs(w)) + 0.5 * alpha @ w**2

    for steps in (gd_steps(Phi, t, 0.5, rate=0.7, max_iter=5), sgd_steps(Phi, t, 0.5, max_iter=5, seed=1)):
        before = None
        for step in steps:
            assert step.error == pytest.approx(error(step.w), rel=1e-13)
            np.testing.assert_allclose(step.gradient, approx_fprime(step.w, error, 1e-7), atol=1e-4)
            assert step.residual == pytest.approx(np.abs(step.gradient).max() / 40, rel=1e-13)
            np.testing.assert_array_equal(step.path[-1], step.w)
            if before is not None and len(step.path) == 1:
                np.testing.assert_allclose(step.w, before.w - 0.7 * before.gradient / 40, rtol=1e-12)
            before = step
        assert before.n_iter == 5


@given(problems())
def test_the_safe_rate_never_climbs(problem):
    last = np.inf
    for step in gd_steps(*problem, max_iter=40):
        assert step.error <= last * (1 + 1e-13)
        last = step.error


@each_problem
def test_rates_when_none_is_given(K):
    """One over the largest curvature of the mean error, or of the error of a single point."""
    Phi, t = data(40, 3, K, seed=14)
    steepest = 0.25 if K == 2 else 0.5
    given_rate = 1 / (steepest * np.linalg.eigvalsh(Phi.T @ Phi)[-1] / 40 + 0.5 / 40)
    for ours, same in zip(gd_steps(Phi, t, 0.5), gd_steps(Phi, t, 0.5, rate=given_rate), strict=True):
        np.testing.assert_allclose(ours.w, same.w, rtol=1e-9, atol=1e-12)
    given_rate = 1 / (steepest * np.max(np.sum(Phi**2, axis=1)) + 0.5 / 40)
    _, ours = sgd_steps(Phi, t, 0.5, max_iter=1, seed=0)
    _, same = sgd_steps(Phi, t, 0.5, rate=given_rate, max_iter=1, seed=0)
    np.testing.assert_allclose(ours.path, same.path, rtol=1e-9, atol=1e-12)


def test_a_rate_twice_too_large_climbs():
    """The safe rate is not timid: on one point with a strong prior, more than twice as much diverges."""
    Phi, t = np.ones((1, 1)), np.ones(1)
    for descent in (
        gd_steps(Phi, t, 1000.0, w=[1.0], rate=2.1 / 1000),
        sgd_steps(Phi, t, 1000.0, w=[1.0], rate=9.0),
    ):
        steps = list(descent)
        assert steps[-1].error > steps[0].error
        assert np.isfinite(steps[-1].error)
        assert not steps[-1].converged
        assert steps[-1].n_iter < 10_000  # stopped at the end of the numbers
    *_, safe = gd_steps(Phi, t, 1000.0, w=[1.0])
    assert safe.converged


def test_stochastic_descent_visits_every_point_once_a_pass():
    """With weights that hardly move, the moves of a pass are the points' gradients, in some order."""
    Phi, t = data(30, 3, 2, seed=12)
    _, first, second = sgd_steps(Phi, t, 0.0, rate=1e-9, max_iter=2, seed=0)
    assert first.path.shape == second.path.shape == (30, 3)
    gradients = -(t - 0.5)[:, None] * Phi
    for step, rate in ((first, 1e-9), (second, 1e-9 / 2**0.75)):
        start = np.zeros(3) if step is first else first.w
        moves = -np.diff(np.vstack([start, step.path]), axis=0) / rate
        np.testing.assert_allclose(
            moves[np.argsort(moves[:, 0])], gradients[np.argsort(gradients[:, 0])], rtol=1e-5, atol=1e-6
        )
    order, other = (np.diff(step.path[:, 0]).argsort() for step in (first, second))
    assert np.any(order != other)


def test_stochastic_descent_is_repeatable():
    Phi, t = data(30, 3, 2, seed=12)

    def path(seed):
        return np.vstack([step.path for step in sgd_steps(Phi, t, 1.0, max_iter=3, seed=seed)])

    np.testing.assert_array_equal(path(0), path(0))
    assert np.abs(path(0) - path(1)).max() > 1e-3


# ------------------------------------------------------------------ limits and complaints


def descents(Phi, t, alpha, w=None, **limits):
    return [steps(Phi, t, alpha, w, **limits) for steps in (irls_steps, gd_steps, sgd_steps)]


@pytest.mark.parametrize("tol", [0, -1e-3, np.nan, "1", True])
def test_row_29_tol_must_be_positive(tol):
    for steps in descents(*data(10, 2, 2, seed=0), 1.0, tol=tol):
        with pytest.raises(ValueError, match="tol must be a number > 0, got"):
            next(steps)


@pytest.mark.parametrize("max_iter", [0, -1, 2.5, True])
def test_row_30_max_iter_must_be_a_positive_whole_number(max_iter):
    for steps in descents(*data(10, 2, 2, seed=0), 1.0, max_iter=max_iter):
        with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
            next(steps)


@pytest.mark.parametrize("rate", [0, -1.0, np.nan, np.inf, "1", True])
def test_rate_must_be_positive(rate):
    for steps in (gd_steps, sgd_steps):
        with pytest.raises(ValueError, match="rate must be a number > 0, got"):
            next(steps(*data(10, 2, 2, seed=0), 1.0, rate=rate))


@pytest.mark.parametrize(
    ("Phi", "t", "alpha", "w", "words"),
    [
        (np.ones(3), np.ones(3), 1.0, None, r"Phi must be \(N, M\)"),
        (np.ones((3, 2)), np.ones(2), 1.0, None, r"got shapes \(3, 2\) and \(2,\)"),
        (np.ones((2, 1)), np.array([-1.0, 1.0]), 1.0, None, "t must hold zeros and ones"),
        (np.ones((2, 1)), np.array([[1.0, 1.0], [0.0, 1.0]]), 1.0, None, "a single one in every row"),
        (np.ones((2, 1)), np.array([0.0, 1.0]), -1.0, None, "alpha must hold numbers >= 0"),
        (np.ones((2, 1)), np.array([0.0, 1.0]), np.nan, None, "alpha must hold numbers >= 0"),
        (np.ones((2, 1)), np.array([0.0, 1.0]), np.inf, None, "finite ones for two classes"),
        (np.ones((2, 1)), np.array([0.0, 1.0]), 1.0, [np.nan], "w must hold finite numbers"),
    ],
)
def test_what_does_not_fit(Phi, t, alpha, w, words):
    for steps in descents(Phi, t, alpha, w):
        with pytest.raises(ValueError, match=words):
            next(steps)


def test_no_functions_at_all():
    for steps in descents(np.empty((5, 0)), np.array([0.0, 1, 1, 0, 1]), []):
        (only,) = steps
        assert only.converged
        assert only.error == pytest.approx(5 * np.log(2), rel=1e-14)


def test_input_is_left_alone():
    Phi, t = data(20, 3, 2, seed=13)
    alpha, w = np.ones(3), np.full(3, 0.5)
    copies = [array.copy() for array in (Phi, t, alpha, w)]
    for steps in descents(Phi, t, alpha, w, max_iter=3):
        list(steps)
    for array, copy in zip((Phi, t, alpha, w), copies, strict=True):
        np.testing.assert_array_equal(array, copy)
