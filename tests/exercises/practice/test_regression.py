"""Exercises 7.7 and 7.8: solutions against their routes and against the solver, other right forms, counter-examples."""

import numpy as np
import pytest
from answering import solution_and_route_agree
from scipy.optimize import minimize

from sparsekm_edu import Gaussian, exercises
from sparsekm_edu.exercises.practice.prml_7_08 import converse_fails, multipliers_and_slacks
from sparsekm_edu.solvers import epsilon_regression, qp, smo

TASKS = "7.7a", "7.7c", "7.7d", "7.8a", "7.8c"


@pytest.mark.parametrize("id", TASKS)
def test_solution_and_route_agree(id):
    solution_and_route_agree(id, range(25))


def stationary_in_loops(Phi, a, a_hat, C):
    w = sum((a[n] - a_hat[n]) * Phi[n] for n in range(len(a)))
    return w, [C - one for one in a], [C - one for one in a_hat]


def dual_in_loops(K, t, a, a_hat, epsilon):
    value, N = 0.0, len(t)
    for n in range(N):
        value += (a[n] - a_hat[n]) * t[n] - epsilon * (a[n] + a_hat[n])
        for m in range(N):
            value -= (a[n] - a_hat[n]) * (a[m] - a_hat[m]) * K[n, m] / 2
    return value


def dual_by_way_of_w(K, t, a, a_hat, epsilon):
    lam, U = np.linalg.eigh(K)
    w = (a - a_hat) @ (U * np.sqrt(lam))
    return t @ a - t @ a_hat - epsilon * 2 * a.sum() - w @ w / 2  # a and a_hat have the same sum


def squared_by_a_doubled_problem(K, t, a, a_hat, epsilon, C):
    both = np.append(a, a_hat)
    Q = np.block([[K, -K], [-K, K]]) + np.eye(2 * len(t)) / C
    return np.append(t - epsilon, -t - epsilon) @ both - 0.5 * both @ Q @ both


def slacks_in_loops(t, y, epsilon):
    above = [max(0.0, a - b - epsilon) for a, b in zip(t, y, strict=True)]
    below = [max(0.0, b - a - epsilon) for a, b in zip(t, y, strict=True)]
    return above, below


def range_by_five_cases(t, y, epsilon, C):
    low, high = [], []
    for r in t - y:
        if r > epsilon:
            cases = C, C
        elif r == epsilon:
            cases = 0, C
        elif r > -epsilon:
            cases = 0, 0
        elif r == -epsilon:
            cases = -C, 0
        else:
            cases = -C, -C
        low.append(cases[0])
        high.append(cases[1])
    return low, high


def range_with_a_tolerance(t, y, epsilon, C):
    r = t - y
    upper, lower = np.isclose(r, epsilon), np.isclose(r, -epsilon)
    above, below = (r > epsilon) & ~upper, (r < -epsilon) & ~lower
    return C * (above * 1.0 - below - lower), C * (above * 1.0 + upper - below)


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("7.7a", stationary_in_loops),
        ("7.7a", lambda Phi, a, a_hat, C: [(a - a_hat) @ Phi, C - a, C - a_hat]),
        ("7.7c", dual_in_loops),
        ("7.7c", dual_by_way_of_w),
        ("7.7d", squared_by_a_doubled_problem),
        ("7.8a", slacks_in_loops),
        ("7.8a", lambda t, y, epsilon: ((t - y - epsilon).clip(0), (y - t - epsilon).clip(0))),
        ("7.8c", range_by_five_cases),
        ("7.8c", range_with_a_tolerance),
    ],
)
def test_other_right_forms_are_accepted(id, answer):
    for seed in range(3):
        result = exercises.check(id, answer, seed=seed)
        assert result.passed, result


def curve(seed, C=1.5, epsilon=0.2, N=14):
    """K, t, C, epsilon of a noisy curve."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 1, N))
    K = Gaussian(gamma=10.0)(x[:, None])
    return K, np.sin(2 * np.pi * x) + 0.3 * rng.normal(size=N), C, epsilon


@pytest.mark.parametrize("seed", range(5))
def test_the_dual_is_what_the_solver_maximises_and_bounds_the_error_from_below(seed):
    K, t, C, epsilon = curve(seed)
    dual = exercises.solution("7.7c")
    best = qp(epsilon_regression(K, t, C, epsilon))
    assert dual(K, t, best.a, best.a_hat, epsilon) == pytest.approx(best.objective, rel=1e-6)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        a, a_hat = rng.uniform(0, C, size=(2, len(t)))
        smaller = min(a.sum(), a_hat.sum())
        a, a_hat = a * smaller / a.sum(), a_hat * smaller / a_hat.sum()
        c = rng.normal(size=len(t))
        y = K @ c + rng.normal()
        error = C * np.maximum(0, np.abs(y - t) - epsilon).sum() + 0.5 * c @ K @ c  # (7.55)
        assert dual(K, t, a, a_hat, epsilon) <= min(best.objective + 1e-9, error)


@pytest.mark.parametrize("seed", range(3))
def test_squared_slacks_are_solved_by_the_dual_with_K_plus_I_over_C(seed):
    """The end of the worked text, and strong duality with squared slacks."""
    K, t, C, epsilon = curve(seed)
    N = len(t)
    best = qp(epsilon_regression(K + np.eye(N) / C, t, 1e4, epsilon))
    a, a_hat = best.a, best.a_hat
    assert (a * a_hat).max() < 1e-6
    L = np.linalg.cholesky(K + 1e-12 * np.eye(N))

    def primal(z):
        w, b = z[:N], z[N]
        beyond = np.maximum(0, np.abs(L @ w + b - t) - epsilon)
        return C / 2 * beyond @ beyond + 0.5 * w @ w

    found = minimize(primal, np.zeros(N + 1), tol=1e-10)
    assert exercises.solution("7.7d")(K, t, a, a_hat, epsilon, C) == pytest.approx(found.fun, rel=1e-5)


def test_without_the_condition_the_lagrangian_falls_as_b_grows():
    """7.7b."""
    rng = np.random.default_rng(0)
    a, a_hat = rng.uniform(size=(2, 5))
    a[0] += 0.3 - np.sum(a - a_hat)
    w_phi, t, xi, xi_hat = rng.normal(size=(4, 5))
    C, epsilon = 2.0, 0.1

    def L(b):  # (7.56) but for |w|^2
        y = w_phi + b
        value = C * np.sum(xi + xi_hat) - (C - a) @ xi - (C - a_hat) @ xi_hat
        return value - a @ (epsilon + xi + y - t) - a_hat @ (epsilon + xi_hat - y + t)

    assert L(1e6) == pytest.approx(L(0) - 0.3e6)
    claim = exercises.TASKS["7.7b"]
    assert r"-\infty" in claim.options[claim.answer]
    assert r"b\to+\infty" in claim.options[claim.answer]


def test_multipliers_of_the_solver_lie_in_the_range_of_their_place():
    free = outside = 0
    for seed in range(8):
        K, t, C, epsilon = curve(seed, C=0.4 + 0.3 * seed)
        found = smo(epsilon_regression(K, t, C, epsilon), tol=1e-9)
        r = t - K @ found.v - found.b
        r = np.where(np.abs(np.abs(r) - epsilon) < 1e-6, np.sign(r) * epsilon, r)  # onto the edges
        low, high = exercises.solution("7.8c")(r, np.zeros_like(r), epsilon, C)
        assert (found.v >= low - 1e-9).all()
        assert (found.v <= high + 1e-9).all()
        free, outside = free + np.sum(low < high), outside + np.sum(np.abs(low + high) == 2 * C)
    assert free > 20
    assert outside > 20


@pytest.mark.parametrize("C", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("epsilon", [0.1, 0.7])
@pytest.mark.parametrize("x", [(-1.0, 1.0), (0.0, 1.0), (2.0, -0.5)])
def test_counter_examples_to_the_converse(C, epsilon, x):
    """Two points are right if t_2 - t_1 = 2 epsilon + C (x_2 - x_1)^2, times the sign of x_2 - x_1, and wrong else."""
    step = x[1] - x[0]
    rise = 2 * epsilon + C * step**2
    t = [0.3, 0.3 + np.sign(step) * rise]
    if abs(step) == 1:
        t = t[::-1]  # falling curves are as good
    result = exercises.check("7.8d", (list(x), t, C, epsilon))
    assert result.passed
    assert f"= C = {C:g} and xi" in result.message
    for change, told in (
        (0.05, "has slack here (at the middle b, if b has a choice), at least"),
        (-0.05, "No multiplier is at C"),
    ):
        wrong = [t[0], t[1] + change * np.sign(t[1] - t[0])]
        result = exercises.check("7.8d", (list(x), wrong, C, epsilon))
        assert not result.passed
        assert told in result.message


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (([1.0, 1.0], [0.0, 1.0], 1.0, 0.1), "two different numbers"),
        (([1.0, np.nan], [0.0, 1.0], 1.0, 0.1), "two different numbers"),
        (([1.0, 2.0, 3.0], [0.0, 1.0, 2.0], 1.0, 0.1), "two different numbers"),
        (([1.0, 2.0], [0.0, 1.0], -1.0, 0.1), "C and epsilon must be"),
        (([1.0, 2.0], [0.0, 1.0], 1.0, 0.0), "C and epsilon must be"),
        (([1.0, 1.005], [0.0, 1.0], 1.0, 0.1), "at least 0.01 apart"),
        (([1.0, 2.0], [0.0, 1.0]), "A tuple (x, t, C, epsilon) is wanted"),
        (([1.0, 2.0], [0.0, 1.0], 1.0), "A tuple (x, t, C, epsilon) is wanted"),
        (
            {"x": [1.0, 2.0], "t": [0.0, 1.0], "C": 1.0, "epsilon": 0.1},
            "A tuple (x, t, C, epsilon) is wanted",
        ),
        ("b", "A tuple (x, t, C, epsilon) is wanted"),
        (np.sin, "A tuple (x, t, C, epsilon) is wanted"),
    ],
)
def test_strange_counter_examples_get_a_sentence(value, told):
    assert told in exercises.check("7.8d", value).message


def test_a_passed_counter_example_names_both_points():
    assert exercises.check("7.8d", ([1.0, -1.0], [1.5, -1.5], 0.5, 0.5)).message == (
        "To six digits, the point x = 1, t = 1.5 has a = C = 0.5 and xi = 0: it lies on the upper edge. "
        "And x = -1, t = -1.5 has a_hat = C and xi_hat = 0, on the lower edge."
    )


def test_a_slack_that_is_nearly_zero_is_not_called_zero_without_a_word():
    nearly = [0, 1], [0, 1], 0.499999, 0.25  # the slack is 5e-7
    assert exercises.check("7.8d", nearly).message.startswith("To six digits")


@pytest.mark.parametrize("x", [(-1.0, 1.0), (0.5, -2.0), (3.0, 3.5)])
def test_in_a_counter_example_both_points_are_at_C_without_slack(x):
    C, epsilon = 0.8, 0.3
    t = np.array([0.2, 0.2 + np.sign(x[1] - x[0]) * (2 * epsilon + C * (x[1] - x[0]) ** 2)])
    a, slacks = multipliers_and_slacks(np.array(x), t, C, epsilon)
    np.testing.assert_allclose(np.sort(a.ravel()), [0, 0, C, C], atol=1e-7)
    np.testing.assert_allclose(slacks, 0, atol=1e-7)


def test_without_free_points_every_b_of_an_interval_is_as_good():
    """The end of the worked text of 7.8: x = -1, 1 and t = -3, 3 with C = epsilon = 0.5."""
    C, epsilon, T = 0.5, 0.5, 3.0

    def error(w, b):  # (7.55)
        return C * sum(max(0, abs(w * x + b - T * x) - epsilon) for x in (-1, 1)) + w**2 / 2

    end = T - 2 * C - epsilon
    best = min(error(w, b) for w in np.linspace(-3, 3, 121) for b in np.linspace(-3, 3, 121))
    for b in (-end, -0.7, 0.0, end):
        assert error(2 * C, b) == pytest.approx(best, abs=1e-12)
    assert error(2 * C, end + 0.01) > best + 1e-3
    assert T - 2 * C - end == epsilon  # at b = end the point x = 1 is on its edge


@pytest.mark.parametrize("id", ["7.8a", "7.8c"])
def test_points_inside_on_both_sides_are_in_every_instance(id):
    task = exercises.TASKS[id]
    for seed in range(50):
        t, y, epsilon, *_ = task.instance(np.random.default_rng([1000, seed]))
        r = t - y
        places = r > epsilon, r == epsilon, (r > 0) & (r < epsilon), r == 0
        places += (r < 0) & (r > -epsilon), r == -epsilon, r < -epsilon
        assert all(place.any() for place in places)
        assert all(np.all(numbers * 64 == np.round(numbers * 64)) for numbers in (t, y, epsilon))


def test_coefficients_and_slacks_of_points_inside_must_be_zero_below_the_curve_too():
    def wrong_range(t, y, epsilon, C):
        low, high = exercises.solution("7.8c")(t, y, epsilon, C)
        return np.where((t < y) & (t > y - epsilon), -C, low), high

    def wrong_slacks(t, y, epsilon):
        xi, xi_hat = exercises.solution("7.8a")(t, y, epsilon)
        return xi, np.where((t < y) & (t > y - epsilon), 7, xi_hat)

    for seed in range(10):
        assert not exercises.check("7.8c", wrong_range, seed=seed).passed
        assert not exercises.check("7.8a", wrong_slacks, seed=seed).passed


def test_arrays_and_tuples_are_counter_examples_too():
    assert converse_fails((np.array([-1.0, 1.0]), (-1.5, 1.5), np.float64(0.5), 0.5)) is None
    assert exercises.check("7.8d", [(-1, 1), (-1.5, 1.5), 0.5, 0.5]).passed


def test_a_point_that_sticks_out_has_its_multiplier_at_C():
    """The statement of 7.8 itself, by the solver."""
    K, t, C, epsilon = curve(3, C=0.5)
    found = smo(epsilon_regression(K, t, C, epsilon), tol=1e-9)
    y = K @ found.v + found.b
    xi, xi_hat = exercises.solution("7.8a")(t, y, epsilon)
    assert np.any(xi > 1e-6)
    assert np.any(xi_hat > 1e-6)
    np.testing.assert_allclose(found.a[xi > 1e-6], C)
    np.testing.assert_allclose(found.a_hat[xi_hat > 1e-6], C)
