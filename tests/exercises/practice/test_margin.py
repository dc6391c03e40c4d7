"""Exercises on margins: worked solutions by a third road, other right forms, counter-examples, what the texts say."""

import cvxpy as cp
import numpy as np
import pytest
import sympy
from answering import arguments, never_passes, passes, said
from sklearn.neighbors import NearestCentroid

from sparsekm_edu import exercises
from sparsekm_edu.exercises.practice import margins, prml_7_03
from sparsekm_edu.exercises.tasks import Task, judge
from sparsekm_edu.solvers import c_path, hard_margin, qp, soft_margin

SEEDS = range(100, 125)  # beyond those with which all exercises are tested
FEW = range(100, 108)  # where a general solver is asked


def solved(id, seed):
    """The arguments of one instance and what the worked solution makes of them."""
    given = arguments(id, seed)
    return given, exercises.solution(id)(*given)


def primal(X, t, level=1.0, C=None):
    """w, b and the multipliers of t y >= level (with slack at the price C), from the primal problem by Clarabel."""
    w, b = cp.Variable(X.shape[1]), cp.Variable()
    xi = np.zeros(len(t)) if C is None else cp.Variable(len(t), nonneg=True)
    walls = cp.multiply(t, X @ w + b) >= level - xi
    cost = 0.5 * cp.sum_squares(w) + (0 if C is None else C * cp.sum(xi))
    tight = {"tol_gap_abs": 1e-10, "tol_gap_rel": 1e-10, "tol_feas": 1e-10}
    cp.Problem(cp.Minimize(cost), [walls]).solve(solver="CLARABEL", **tight)
    return w.value, float(b.value), walls.dual_value


IDS = "7.1", "7.2", "7.3", "7.4", "7.5", "14.1", "14.2"
FUNCTIONS = [step for id in IDS for step in exercises.EXERCISES[id].steps if isinstance(step, Task)]


@pytest.mark.parametrize("task", FUNCTIONS, ids=[task.id for task in FUNCTIONS])
def test_the_worked_solution_agrees_with_its_route_on_many_seeds(task):
    assert task.route
    passes(task.id, task.solution, SEEDS)


# ---- 7.1 ----------------------------------------------------------------------------------------------


RIGHT = {task.id: task.solution for task in exercises.TASKS.values() if isinstance(task, Task)}
#: wrong in some cases only
RARELY_WRONG = {
    "of a class of one point": (
        "7.1c",
        lambda K, t: 0.0 if abs(t.sum()) == len(t) - 2 else RIGHT["7.1c"](K, t),
    ),
    "in one dimension": (
        "7.3a",
        lambda x, z: RIGHT["7.3a"](x, z) if len(x) > 1 else (0 * x, 0.0, np.zeros(2)),
    ),
    "in six": ("7.3a", lambda x, z: RIGHT["7.3a"](x, z) if len(x) < 6 else (0 * x, 0.0, np.zeros(2))),
    "beyond the zero": ("7.5a", lambda X, t, w, b, s: max(0.0, RIGHT["7.5a"](X, t, w, b, s))),
}


@pytest.mark.parametrize("case", RARELY_WRONG)
def test_what_is_wrong_in_some_cases_only_is_found(case):
    never_passes(*RARELY_WRONG[case])


@pytest.mark.parametrize("seed", SEEDS)
def test_7_1a_at_equal_densities_it_is_a_half_and_each_class_can_be_doubled(seed):
    """Every point of one class counted twice changes neither density, so the posterior stays."""
    (K, t), p = solved("7.1a", seed)
    twice = np.concatenate([np.arange(len(t)), np.flatnonzero(t > 0)])
    np.testing.assert_allclose(exercises.solution("7.1a")(K[:, twice], t[twice]), p, rtol=1e-12)
    alike = np.tile(K[:, :1], len(t))
    np.testing.assert_allclose(exercises.solution("7.1a")(alike, t), 0.5, rtol=1e-12)
    assert np.sum(t > 0) != np.sum(t < 0)  # with equal classes sums would pass for means


def test_7_1a_other_forms():
    def by_logarithms(K, t):
        log_odds = np.log(K @ (t > 0) / sum(t > 0)) - np.log(K @ (t < 0) / sum(t < 0))
        return 1 / (1 + np.exp(-log_odds))

    def by_loops(K, t):
        found = []
        for row in K:
            plus = [k for k, label in zip(row, t, strict=True) if label == 1]
            minus = [k for k, label in zip(row, t, strict=True) if label == -1]
            p, q = sum(plus) / len(plus), sum(minus) / len(minus)
            found.append(0.5 * p / (0.5 * p + 0.5 * q))
        return found

    passes("7.1a", by_logarithms)
    passes("7.1a", by_loops)
    for decide in (lambda p: p > 0.5, lambda p: list(np.where(p > 0.5, 1, -1)), np.round):
        assert "decisions" in said("7.1a", lambda K, t, decide=decide: decide(by_logarithms(K, t)))
    passes("7.1a", lambda K, t: by_logarithms(K, t).astype(np.float32))


@pytest.mark.parametrize("seed", range(30))
def test_7_1b_the_rules_agree_everywhere_if_the_means_have_one_length_and_only_then(seed):
    """As the worked solution says; the nearest mean is scikit-learn's."""
    rng = np.random.default_rng(seed)
    X, t = rng.normal(size=(7, 2)) + 1, np.array([1, 1, 1, -1, -1, -1, -1.0])
    Z = 5 * rng.normal(size=(2000, 2))

    def share_that_agrees(X, Z):
        linear = np.sign(Z @ X[t > 0].mean(axis=0) - Z @ X[t < 0].mean(axis=0))
        return np.mean(linear == NearestCentroid().fit(X, t).predict(Z))

    assert share_that_agrees(X, Z) < 1
    middle = (X[t > 0].mean(axis=0) + X[t < 0].mean(axis=0)) / 2
    assert share_that_agrees(X - middle, Z - middle) == 1


@pytest.mark.parametrize(
    "right",
    [
        ([1, 3], [1, -1], 1.5),  # one dimension in short
        (np.array([[1.0], [3.0]]), np.array([1, -1]), np.array([0.5])),
        [[[5, 5], [5, 6], [1, 1]], (-1, -1, 1), (1.0, 2.0)],
        (np.array([[-4.0, 0, 1], [-1, 0, 0]], dtype=np.float32), [[-1], [1]], [-1.5, 0, 0]),
    ],
)
def test_7_1b_counter_examples_in_all_forms(right):
    result = exercises.check("7.1b", right)
    assert result.passed
    X, t, x = right
    points, labels = margins.read_points(X, t)
    far = {side: np.linalg.norm(points[labels == side].mean(axis=0) - x) for side in (-1, 1)}
    nearest = min(far, key=far.get)
    assert f"linear rule chooses {-nearest:+.0f}" in result.message
    assert f"of the class {nearest:+.0f}" in result.message
    assert not exercises.check("7.1b", (X, t, 100 * np.asarray(x))).passed  # beyond both boundaries


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (([1, 3], [1, -1]), "Three things"),
        (([1, 3], [1, -1], 2.0), "undecided"),
        (([1, 3], [1, -1], 0.0), "undecided"),
        (([1, 3], [1, -1, 1], 1.5), "one row per label"),
        (([1, 3], [1, 0], 1.5), "-1 and 1"),
        (([1, np.nan], [1, -1], 1.5), "finite"),
        (([1, 3], [1, -1], [1.5, 2.0]), "in a row of X: 1; got [1.5, 2]"),
        (([1, 3], [1, -1], -1.0), "Both rules choose the class +1"),
        (([[3, 4], [5, 0]], [1, -1], [1, 2]), "agree everywhere"),
        (([[3, 3], [3, 5], [-5, 0]], [1, 1, -1], [1, 2]), "agree everywhere"),
        (([1, 3, 2], [1, 1, -1], 1.5), "the same mean"),
        (([0], [1, -1], 1.5), "Rows: 1, labels: 2"),
        (("a", "b", "c"), "could not convert"),
    ],
)
def test_7_1b_what_is_no_counter_example(wrong, words):
    assert words in said("7.1b", wrong)


@pytest.mark.parametrize("seed", SEEDS)
def test_7_1c_with_it_the_kernel_rule_is_the_nearest_mean_in_the_features_of_the_kernel(seed):
    """(1 + x'z)^2 has the features 1, sqrt(2) x_i, x_i^2, sqrt(2) x_1 x_2; the 1 changes no distance."""
    rng = np.random.default_rng(seed)
    X, Z, t = rng.normal(size=(8, 2)) + 0.5, 2 * rng.normal(size=(300, 2)), np.repeat([1.0, -1.0], [3, 5])
    theta = exercises.solution("7.1c")((1 + X @ X.T) ** 2, t)
    k = (1 + Z @ X.T) ** 2
    rule = k[:, t > 0].mean(axis=1) - k[:, t < 0].mean(axis=1) > theta

    def phi(x):
        a, b = x.T
        r = np.sqrt(2)
        return np.stack([r * a, r * b, a**2, b**2, r * a * b], axis=1)

    nearest = NearestCentroid().fit(phi(X), t).predict(phi(Z)) > 0
    np.testing.assert_array_equal(rule, nearest)
    assert 0 < nearest.sum() < len(Z)


def test_7_1c_other_forms():
    def by_weights(K, t):
        u, v = (t > 0) / sum(t > 0), (t < 0) / sum(t < 0)
        return 0.5 * (u @ K @ u - v @ K @ v)

    def in_one_product(K, t):  # (u + v)'K(u - v) / 2
        u, v = (t > 0) / sum(t > 0), (t < 0) / sum(t < 0)
        return (u + v) @ K @ (u - v) / 2

    passes("7.1c", by_weights)
    passes("7.1c", in_one_product)


# ---- 7.2 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", FEW)
def test_7_2_the_primal_with_gamma_gives_the_scaled_solution(seed):
    (X, t, w, b, a, gamma), (w2, b2, a2) = solved("7.2a", seed)
    theirs = primal(X, t, level=gamma)
    np.testing.assert_allclose(np.hstack(theirs), [*w2, b2, *a2], atol=1e-6 * np.abs([*w2, b2, *a2]).max())
    # 7.2b: distance x 1, y x gamma, dual x gamma^2
    distance, again = (np.min(t * (X @ v + c)) / np.linalg.norm(v) for v, c in ((w, b), (w2, b2)))
    assert again == pytest.approx(distance, rel=1e-9)
    assert np.min(t * (X @ w2 + b2)) == pytest.approx(gamma * np.min(t * (X @ w + b)), rel=1e-9)
    K = X @ X.T
    value = gamma * a2.sum() - 0.5 * (a2 * t) @ K @ (a2 * t)
    assert value == pytest.approx(gamma**2 * (a.sum() - 0.5 * (a * t) @ K @ (a * t)), rel=1e-9)
    assert value == pytest.approx(0.5 * w2 @ w2, rel=1e-9)


def test_7_2b_cannot_be_guessed_by_majority():
    """In each of the three places, each value that is offered stands there equally often."""
    places = zip(*(option.split(", ") for option in exercises.TASKS["7.2b"].options.values()), strict=True)
    for place in map(list, places):
        assert len({place.count(value) for value in place}) == 1
        assert len(set(place)) > 1


def test_7_2a_other_forms():
    def from_the_multipliers(X, t, w, b, a, gamma):
        a = [gamma * a_n for a_n in a]
        w = sum(a_n * t_n * x_n for a_n, t_n, x_n in zip(a, t, X, strict=True))  # (7.8)
        support = np.argmax(a)
        return w, gamma * t[support] - X[support] @ w, a

    def by_a_solver(X, t, w, b, a, gamma):
        return primal(X, t, level=gamma)

    passes("7.2a", from_the_multipliers)
    passes("7.2a", by_a_solver, seeds=[3])


# ---- 7.3 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", FEW)
def test_7_3a_by_two_general_solvers(seed):
    (x, z), (w, b, a) = solved("7.3a", seed)
    X, t = np.array([x, z]), np.array([1.0, -1.0])
    dual = qp(hard_margin(X @ X.T, t))
    for theirs in (primal(X, t), (dual.v @ X, dual.b, dual.a)):
        np.testing.assert_allclose(np.hstack(theirs), [*w, b, *a], atol=1e-6 * np.abs([*w, b, *a]).max())


def test_7_3a_meets_all_numbers_of_dimensions():
    assert {len(arguments("7.3a", seed)[0]) for seed in range(60)} == {1, 2, 3, 4, 5, 6}


def test_7_3a_other_forms():
    def from_the_constraint(x_plus, x_minus):
        w = 2 * (x_plus - x_minus) / np.linalg.norm(x_plus - x_minus) ** 2
        return list(w), 1 - w @ x_plus, [np.linalg.norm(w) ** 2 / 2] * 2

    def from_squared_lengths(x_plus, x_minus):
        d2 = np.sum((x_plus - x_minus) ** 2)
        return (
            (x_plus - x_minus) * 2 / d2,
            (x_minus @ x_minus - x_plus @ x_plus) / d2,
            (2 / d2, 2 / d2),
        )

    passes("7.3a", from_the_constraint)
    passes("7.3a", from_squared_lengths)


@pytest.mark.parametrize("seed", range(40))
def test_7_3b_the_verdict_is_that_of_three_support_vectors(seed):
    """Counted by another solver; drawn so that both verdicts occur."""
    rng = np.random.default_rng(seed)
    X = np.array([[0.0, 1.0], [0.0, -1.0], [rng.uniform(0.5, 3), rng.uniform(-2, 2)]]) + rng.normal(size=2)
    t = np.array([1.0, 1.0, -1.0]) * rng.choice([-1, 1])
    multipliers = qp(hard_margin(X @ X.T, t)).a
    assert exercises.check("7.3b", (X, t)).passed == (np.count_nonzero(multipliers > 1e-5) == 3)


@pytest.mark.parametrize("seed", range(40))
def test_7_3b_all_three_push_exactly_if_the_third_falls_short_of_1_with_every_pair(seed):
    """As hints and worked solution say; it need not be inside the street."""
    rng = np.random.default_rng(seed)
    X, t = rng.normal(size=(3, 2)), np.array([1.0, 1.0, -1.0])
    short = []
    for i, third in ((0, 1), (1, 0)):
        w, b, _ = prml_7_03.two_points(X[i], X[2])
        short.append(t[third] * (X[third] @ w + b) < 1)
    assert exercises.check("7.3b", (X, t)).passed == all(short)


def test_7_3b_a_third_point_beyond_the_edge_of_the_other_class():
    X, t = np.array([[0, 0], [3, 5], [2, 0.0]]), np.array([1, 1, -1.0])
    w, b, _ = prml_7_03.two_points(X[0], X[2])
    assert X[1] @ w + b == pytest.approx(-2)
    result = exercises.check("7.3b", (X, t))
    assert result.passed
    a = primal(X, t)[2]
    assert f"{a[0]:.3g}, {a[1]:.3g} and {a[2]:.3g}" in result.message
    assert "0.56, 0.12 and 0.68" in result.message


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_7_3b_units_and_forms_do_not_matter(unit):
    X, t = np.array([[0, 1], [0, -1], [2, 0.3]]), [1, 1, -1]
    assert exercises.check("7.3b", ((X * unit + 5 * unit).tolist(), t)).passed
    assert exercises.check("7.3b", [X[::-1] * unit, t[::-1]]).passed


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([[0, 1], [0, -1], [2, 0]], "Two things"),
        (([[0, 1], [0, -1], [2, 0], [3, 0]], [1, 1, -1, -1]), "(3, 2)"),
        (([[0, 1, 0], [0, -1, 0], [2, 0, 0]], [1, 1, -1]), "(3, 2)"),
        (([[0, 1], [0, -1], [0, -1]], [1, 1, -1]), "No line separates"),
        (([[1, 1], [1, 1], [1, 1]], [1, 1, -1]), "No line separates"),
        (([[0, 1], [0, -1], [2, 1.5]], [1, 1, -1]), "Points 0 and 2 alone"),
        (([[2, 1.5], [0, -1], [0, 1]], [1, -1, -1]), "Points 0 and 2 alone"),
        (([[0, 0], [-1, 4], [2, 0]], [1, 1, -1]), "point 1 has t y = 2,"),
        (([[0, 1], [0, -1], [2, 0]], [1, 1, 1]), "-1 and 1"),
    ],
)
def test_7_3b_what_is_no_counter_example(wrong, words):
    assert words in said("7.3b", wrong)


# ---- 7.4 and 7.5 --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_7_4a_for_any_balanced_multipliers_the_sum_is_b_and_no_other(seed):
    rng = np.random.default_rng(seed)
    X, t = margins.points(rng, gap=-1.0)
    a, b = rng.exponential(size=len(t)), rng.normal()
    a[t > 0] *= a[t < 0].sum() / a[t > 0].sum()
    w = (a * t) @ X
    S = np.sum(a * t * (X @ w + b))
    options = {"a": a.sum(), "b": w @ w, "c": 0.5 * w @ w, "d": w @ w + b * a.sum(), "e": 0.0}
    assert set(options) == set(exercises.TASKS["7.4a"].options)
    assert [letter for letter, value in options.items() if np.isclose(value, S)] == [
        exercises.TASKS["7.4a"].answer
    ]


@pytest.mark.parametrize("seed", FEW)
def test_7_4b_and_c_are_the_multipliers_of_the_primal(seed):
    (X, t, w, b, gamma), (total, rho) = solved("7.4b", seed)
    assert total == pytest.approx(primal(X, t, level=gamma)[2].sum(), rel=1e-6)
    assert 1 / rho**2 == pytest.approx(total / gamma, rel=1e-9)  # what becomes of (7.123)
    assert rho == pytest.approx(
        1 / np.linalg.norm(primal(X, t)[0]), rel=1e-6
    )  # gamma does not widen a street
    (X, t, w, b, C), total = solved("7.4c", seed)
    assert total == pytest.approx(primal(X, t, C=C)[2].sum(), rel=1e-6)


def test_7_4c_meets_slack_and_free_points():
    slack, hard = [], []
    for seed in SEEDS:
        X, t, w, b, C = arguments("7.4c", seed)
        xi = np.maximum(0, 1 - t * (X @ w + b))
        slack.append(np.sum(xi) > 0.1)
        hard.append(np.any(xi < 1e-9))
        assert np.linalg.norm(w) >= 0.1
    assert np.mean(slack) > 0.9
    assert np.mean(hard) > 0.9


def test_7_4_other_forms():
    def by_the_dual(X, t, w, b, gamma):
        solution = qp(hard_margin(X @ X.T, t))  # that for 1, scaled as in 7.2
        return gamma * solution.a.sum(), np.min(t * (X @ w + b)) / np.sqrt(w @ w)

    def by_the_margin(X, t, w, b, gamma):
        rho = gamma / np.sqrt(np.sum(w**2))
        return [gamma / rho**2, rho]

    def slack_by_loops(X, t, w, b, C):
        paid = 0.0
        for x_n, t_n in zip(X, t, strict=True):
            shortfall = 1 - t_n * (w @ x_n + b)
            paid += C * shortfall if shortfall > 0 else 0.0
        return np.linalg.norm(w) ** 2 + paid

    def slack_by_the_cost(X, t, w, b, C):
        cost = 0.5 * w @ w + C * np.clip(1 - t * (X @ w + b), 0, None).sum()
        return cost + 0.5 * w @ w

    passes("7.4b", by_the_margin)
    passes("7.4b", by_the_dual, seeds=[3])
    passes("7.4c", slack_by_loops)
    passes("7.4c", slack_by_the_cost)


@pytest.mark.parametrize("seed", FEW)
def test_7_5_on_the_ray_and_the_bound(seed):
    (X, t, w, b, s), value = solved("7.5a", seed)
    K, a = X @ X.T, qp(hard_margin(X @ X.T, t)).a
    assert value == pytest.approx(s * a.sum() - 0.5 * s**2 * (a * t) @ K @ (a * t), rel=1e-6)
    at_one = exercises.solution("7.5a")(X, t, w, b, 1.0)
    assert at_one == pytest.approx(
        0.5 / np.min(t * (X @ w + b) / np.linalg.norm(w)) ** 2, rel=1e-9
    )  # (7.124)
    assert value < at_one
    # the bound of other multipliers is wider than the true margin, and the best multipliers attain it
    (K, t, a), bound = solved("7.5b", seed)
    best = qp(hard_margin(K, t))
    rho = 1 / np.sqrt(best.v @ K @ best.v)
    assert bound > 1.001 * rho
    assert exercises.solution("7.5b")(K, t, best.a) == pytest.approx(rho, rel=1e-5)
    # the last sentence of the worked solution: half the distance of two points of the hulls
    u, v = (np.where(t == side, a, 0.0) / a[t == side].sum() for side in (1, -1))
    assert bound == pytest.approx(0.5 * np.sqrt((u - v) @ K @ (u - v)), rel=1e-9)


def test_7_5_other_forms():
    def on_the_ray(X, t, w, b, s):
        rho = np.min(t * (X @ w + b)) / np.linalg.norm(w)
        return s * (2 - s) / (2 * rho**2)

    def bound_by_hulls(K, t, a):
        u, v = (np.where(t == side, a, 0.0) / a[t == side].sum() for side in (1, -1))
        return 0.5 * np.sqrt((u - v) @ K @ (u - v))

    def bound_by_scaling(K, t, a):
        B = sum(a[n] * a[m] * t[n] * t[m] * K[n, m] for n in range(len(t)) for m in range(len(t)))
        a = a * sum(a) / B
        return (2 * (a.sum() - 0.5 * (a * t) @ K @ (a * t))) ** -0.5

    passes("7.5a", on_the_ray)
    passes("7.5b", bound_by_hulls)
    passes("7.5b", bound_by_scaling)


# ---- 14.1 ---------------------------------------------------------------------------------------------


def features(x):
    return np.stack([np.ones_like(x), np.sqrt(2) * x, x**2], axis=-1)


def test_14_1_is_what_a_solver_finds_in_the_features():
    x, t = np.array([0.0, np.sqrt(2)]), np.array([-1.0, 1.0])
    w, b, _ = primal(features(x), t)
    np.testing.assert_allclose(w, exercises.TASKS["14.1c"].answer, atol=1e-6)
    assert b == pytest.approx(exercises.TASKS["14.1d"].answer, abs=1e-6)
    assert 1 / np.linalg.norm(w) == pytest.approx(exercises.TASKS["14.1b"].answer, abs=1e-6)
    assert np.linalg.norm(np.cross(w, exercises.TASKS["14.1a"].answer)) < 1e-6
    grid = np.linspace(-4, 4, 81)
    np.testing.assert_allclose(exercises.solution("14.1e")(grid), features(grid) @ w + b, atol=1e-5)


def test_14_1e_the_zeros_of_the_worked_solution():
    f, worked = exercises.solution("14.1e"), exercises.EXERCISES["14.1"].worked
    zeros = [(-1 + sign * np.sqrt(5)) / np.sqrt(2) for sign in (1, -1)]
    np.testing.assert_allclose([f(x) for x in zeros], 0, atol=1e-12)
    assert [f"{x:.3f}" in worked for x in (*zeros, np.sqrt(2) / 2)] == [True, True, True]


@pytest.mark.parametrize(
    ("id", "right"),
    [
        ("14.1a", (0, 2, 2)),
        ("14.1a", [0.0, -0.5, -0.5]),  # parallel as well
        ("14.1a", np.array([[0], [3], [3]])),
        ("14.1a", [0, 1e-9, 1e-9]),
        ("14.1b", 1.414),
        ("14.1b", 2**0.5),
        ("14.1b", sympy.sqrt(2)),
        ("14.1b", np.float32(1.41421)),
        ("14.1c", np.array([0, 0.5, 0.5])),
        ("14.1c", [0, sympy.Rational(1, 2), sympy.Rational(1, 2)]),
        ("14.1d", -1),
        ("14.1e", sympy.sympify("x**2/2 + x/sqrt(2) - 1")),
        ("14.1e", sympy.sympify("(x + 1/sqrt(2))**2/2 - 5/4")),
        ("14.1e", lambda x: -1 + np.array([0, 0.5, 0.5]) @ [1, np.sqrt(2) * x, x**2]),
        ("14.1e", lambda x: 0.25 * (1 + np.sqrt(2) * x) ** 2 - 1.25),  # by the kernel, a = 1/4 each
    ],
)
def test_14_1_right_forms(id, right):
    result = exercises.check(id, right)
    assert result.passed, result


def test_14_1e_four_digits_will_do_and_two_will_not():
    for right in (lambda x: 0.5 * x**2 + 0.7071 * x - 1, lambda x: x**2 / 2 + x / 1.4142 - 1):
        passes("14.1e", right, SEEDS)
    for wrong in (lambda x: 0.5 * x**2 + 0.71 * x - 1, lambda x: x**2 / 2 + x / 1.4 - 1):
        assert not any(judge(exercises.TASKS["14.1e"], wrong, seed).passed for seed in SEEDS)


@pytest.mark.parametrize(
    ("id", "wrong", "words"),
    [
        ("14.1a", (0, 0, 0), "no direction"),
        ("14.1a", (0, 1), "three numbers"),
        ("14.1a", (0, 1, 1.01), "not parallel"),
        ("14.1a", np.sqrt(2), "three numbers"),
        ("14.1b", (1, 2), "One number"),
        ("14.1b", -np.sqrt(2), "not it"),
        ("14.1c", (0.5, 0.5), "3 numbers"),
        ("14.1c", (0.5, 0.5, 0.5), "not it"),
        ("14.1d", -1.5, "not it"),
        ("14.1b", "sqrt(2)", "One number is wanted, got 'sqrt(2)'"),
        ("14.1d", np.nan, "One number"),
        ("14.1d", "-1", "One number"),
        ("14.1c", ("0", "0.5", "0.5"), "3 numbers"),
        ("14.1e", sympy.sympify("x**2/2 + x/2 - 1"), "the root 2"),
    ],
)
def test_14_1_wrong_forms(id, wrong, words):
    assert words in said(id, wrong)


# ---- 14.2 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_14_2a_the_verdict_is_that_of_every_optimal_line(seed):
    """By Clarabel and a scan of all b: of those with the least slack, does one separate?"""
    rng = np.random.default_rng(seed)
    X, t = margins.points(rng, gap=0.05)
    C = 10 ** rng.uniform(-2, 1.5)
    w = qp(soft_margin(X @ X.T, t, C)).v @ X
    b = np.linspace(-20, 20, 400_001)[:, None]
    ty = t * (X @ w + b)
    slack = np.maximum(0, 1 - ty).sum(axis=1)
    best = slack < slack.min() + 1e-4
    assert exercises.check("14.2a", (X, t, C)).passed == (ty[best].min(axis=1).max() < 0)


def test_14_2a_both_verdicts_occur_in_that_test():
    verdicts = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        verdicts.add(
            exercises.check("14.2a", (*margins.points(rng, gap=0.05), 10 ** rng.uniform(-2, 1.5))).passed
        )
    assert verdicts == {True, False}


@pytest.mark.parametrize(
    "right",
    [
        ([0, 0, 0.3, 1], [-1, -1, 1, 1], 5),
        (np.array([[0, 0], [0, 0], [0.3, 0], [1, 0]]), np.array([-1, -1, 1, 1]), 0.6 / 0.3**2),
        [[[0], [1], [1.2]], [-1, 1, 1], 1e-3],  # so cheap that the smaller class is given up
        ([0, 0, 1], [-1, -1, 1], sympy.Rational(1, 2)),  # the same without a stray
    ],
)
def test_14_2a_counter_examples_in_all_forms(right):
    result = exercises.check("14.2a", right)
    assert result.passed, result
    X, t = margins.read_points(*right[:2])
    w, b, _ = primal(X, t, C=float(right[2]))
    n = np.argmin(t * (X @ w + b))
    assert f"point {n} is given up: t y = {t[n] * (X[n] @ w + b):.3g}, slack" in result.message


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (([0, 1], [-1, 1]), "Three things"),
        (([0, 0, 0.3, 1], [-1, -1, 1, 1], 12.0), "does separate"),  # C delta^2 = 1.08
        (([0, 0, 0.3, 1], [-1, -1, 1, 1], 1.0), "many b are equally good"),
        (([0, 0, 1, 10], [-1, -1, 1, 1], 1e-3), "many b are equally good"),
        (([0, 0, 1e-5, 10], [-1, -1, 1, 1], 1.0), "or by too little to tell"),
        (([0, 0, 0.5, 2], [-1, -1, 1, 1], 4.0), "on the boundary itself"),  # C delta^2 = 1
        (([0, 0, 0.3, 1], [-1, -1, 1, 1], 0.0), "C must be"),
        (([0, 0, 0.3, 1], [-1, -1, 1, 1], -2.0), "C must be"),
        (([0, 0, 0.3, 1], [-1, -1, 1, 1], np.nan), "C must be"),
        (([0, 0, 0.3, 1], [-1, -1, 1, 1], [5.0]), "C must be one number between 1e-9 and 1e9, got [5]."),
        (([0, 0, 0.3, 1], [-1, -1, 1, 1], "5"), "C must be one number"),
        (([0, 2, 1], [-1, -1, 1], 1.0), "No hyperplane separates"),
        (([0, 0], [-1, 1], 1.0), "No hyperplane separates"),
        (([0, 1], [1, 1], 1.0), "-1 and 1"),
        ((np.zeros((300, 1)), np.tile([-1, 1], 150), 1.0), "200 points"),
        (([0, 1e9], [-1, 1], 1.0), "a million"),
    ],
)
def test_14_2a_what_is_no_counter_example(wrong, words):
    assert words in said("14.2a", wrong)


@pytest.mark.parametrize("seed", SEEDS)
def test_14_2b_along_the_whole_path(seed):
    """The path of all C: below the first value the stray is misclassified, between them it has slack."""
    (delta, L), (own_side, no_slack) = solved("14.2b", seed)
    X, t = np.array([[0.0], [0.0], [delta], [L]]), np.array([-1.0, -1.0, 1.0, 1.0])
    path = c_path(X @ X.T, t, C_max=10 * no_slack)

    def y(C):
        solution = path.at(C)
        return float(solution.v @ X @ [delta] + solution.b)

    assert y(0.99 * own_side) < 0 < y(1.01 * own_side)
    assert y(0.99 * no_slack) < 1 - 1e-3
    assert y(1.01 * no_slack) == pytest.approx(1, abs=1e-6)
    assert y(1.01 * 2 / (L * delta)) < 0  # where the far circle has let go
    wide = 2 / (L * (L + delta))  # from here on the street reaches from the squares to the far circle
    assert float(path.at(1.01 * wide).v @ X[:, 0]) == pytest.approx(2 / L, rel=1e-6)
    assert float(path.at(0.9 * wide).v @ X[:, 0]) == pytest.approx(0.9 * 2 / L, rel=1e-6)


def test_14_2b_other_forms():
    passes("14.2b", lambda delta, L: [delta**-2, 2 * delta**-2])
    passes("14.2b", lambda delta, L: np.array([1, 2]) / delta**2)


def test_14_2_numbers_of_the_worked_solution():
    X, t = np.array([[0], [0], [0.3], [1]]), np.array([-1.0, -1, 1, 1])
    w, b, _ = primal(X, t, C=5.0)
    np.testing.assert_allclose([w[0], b], [2, -1], atol=1e-6)
    assert "y=2x-1" in exercises.EXERCISES["14.2"].worked


@pytest.mark.parametrize("seed", range(20))
def test_14_2_above_half_the_inverse_square_of_the_margin_every_soft_margin_separates(seed):
    rng = np.random.default_rng(seed)
    X, t = margins.points(rng, gap=0.05)
    hard = primal(X, t)[0]
    w, b, _ = margins.soft(X, t, C=0.501 * hard @ hard)
    assert np.min(t * (X @ w + b)) > 0
