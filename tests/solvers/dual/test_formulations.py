"""Every formulation of dual.py: closed forms, two independent solvers, certificates, and what theory says of each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.solvers import (
    DualProblem,
    Gram,
    epsilon_regression,
    hard_margin,
    kkt,
    nu_classification,
    nu_regression,
    one_class,
    qp,
    smallest_sphere,
    smo,
    soft_margin,
)
from sparsekm_edu.solvers.dual.problem import variables
from sparsekm_edu.solvers.dual.smo import RULES

# ------------------------------------------------------------------ data and problems


def two_classes(n, seed=0, shift=1.0):
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, 2))
    X[:, 0] += shift * t
    return X, t


def wave(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, 1))
    return X, np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=n)


def every_formulation(K, t, y, size=1.0):
    """Name -> problem: K (N, N) or a Gram; t (N,) labels; y (N,) real targets; size, the weight of each point."""
    weight = None if np.ndim(size) == 0 else size
    return {
        "soft margin": soft_margin(K, t, C=2.0 * size),
        "nu-classification": nu_classification(K, t, nu=0.4, weight=weight),
        "epsilon-regression": epsilon_regression(K, y, C=2.0 * size, epsilon=0.2),
        "nu-regression": nu_regression(K, y, C=len(t) * size, nu=0.4),
        "one class": one_class(K, nu=0.3, weight=weight),
        "smallest sphere": smallest_sphere(K, nu=0.3, weight=weight),
    }


X, T = two_classes(60)
_, Y = wave(60)
Y = np.sin(2 * X[:, 0]) + 0.2 * Y
K = Gaussian()(X)
PROBLEMS = every_formulation(K, T, Y)
every_problem = pytest.mark.parametrize("name", PROBLEMS)

KERNELS = [Linear(), Polynomial(), Gaussian(0.05), Gaussian(1.0), Gaussian(10.0)]


@st.composite
def problems(draw, formulations=tuple(PROBLEMS)):
    """Problems of all sorts: 2 to 40 points, duplicates, classes of one point, weights, parameters over decades."""
    n = draw(st.integers(2, 40))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, draw(st.integers(1, 3))))
    if draw(st.booleans()):
        X = np.round(X)  # duplicates, with equal and with opposite targets
    t = np.where(rng.random(n) < draw(st.sampled_from([0.1, 0.5])), 1.0, -1.0)
    t[:2] = 1.0, -1.0
    y = X[:, 0] ** 2 + draw(st.sampled_from([0.0, 0.1, 1.0])) * rng.normal(size=n)
    K = draw(st.sampled_from(KERNELS))(X)
    weight = rng.integers(1, 5, size=n).astype(float) if draw(st.booleans()) else None
    size = 1.0 if weight is None else weight
    C = 10.0 ** draw(st.integers(-2, 2))
    nu = draw(st.sampled_from([0.001, 0.1, 0.3, 0.7, 1.0]))
    name = draw(st.sampled_from(formulations))
    if name == "soft margin":
        return soft_margin(K, t, C * size)
    if name == "nu-classification":
        share = np.full(n, 1 / n) if weight is None else weight / weight.sum()
        return nu_classification(K, t, nu * 2 * min(share[t > 0].sum(), share[t < 0].sum()), weight)
    if name == "epsilon-regression":
        return epsilon_regression(K, y, C * size, epsilon=draw(st.sampled_from([0.0, 0.01, 0.3, 10.0])))
    if name == "nu-regression":
        return nu_regression(K, y, n * C * size, nu)
    return (one_class if name == "one class" else smallest_sphere)(K, nu, weight)


def scales(problem):
    """The sizes of v, of y and of the objective that rounding errors are measured by."""
    walls = np.abs(np.concatenate([problem.lo, problem.hi]))
    v = max(np.abs(problem.total).max(), walls.max())
    y = v * max(1e-3, np.abs(problem.gram.diagonal).max()) + np.abs(problem.target).max() + problem.epsilon
    return v, y, v * y


# ------------------------------------------------------------------ certificates and a second opinion


@given(problems())
def test_certificate_on_every_fit(problem):
    v, y, value = scales(problem)
    tol = 1e-6 * y
    solution = smo(problem, tol=tol)
    referee = kkt(problem, solution)
    N = len(problem.target)
    assert solution.converged
    assert referee.violation <= tol
    assert referee.feasibility <= 1e-12 * v
    variable = variables(problem, solution)
    assert np.all((problem.lo <= variable) & (variable <= problem.hi))
    assert referee.duality_gap >= -1e-9 * N * value
    assert referee.duality_gap <= referee.violation * np.sum(problem.hi - problem.lo) + 1e-9 * N * value


@given(problems())
def test_equals_the_interior_point_solver(problem):
    _, y, value = scales(problem)
    ours, theirs = smo(problem, tol=1e-8 * y), qp(problem)
    # theirs stops at a gap of about 1e-4 where the optimum is 0, as in nu-classification without a margin
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-6, abs=1e-6 * value)
    assert ours.objective >= theirs.objective - 1e-9 * value
    np.testing.assert_allclose(problem.K @ ours.v, problem.K @ theirs.v, atol=1e-3 * y)


@every_problem
def test_equals_the_interior_point_solver_to_eight_digits(name):
    problem = PROBLEMS[name]
    ours, theirs = smo(problem, tol=1e-9), qp(problem)
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-8)
    np.testing.assert_allclose(K @ ours.v + ours.b, K @ theirs.v + theirs.b, atol=1e-6)
    for found in ("rho", "epsilon"):
        if getattr(ours, found) is not None:
            assert getattr(ours, found) == pytest.approx(getattr(theirs, found), abs=1e-6)


# ------------------------------------------------------------------ closed forms


def test_a_symmetric_pair_of_two_classes():
    """x = -1, 1: by (7.39)-(7.41) a = nu / 2 each, so w = nu and rho = nu."""
    for nu in (1.0, 0.5, 0.01):
        solution = smo(nu_classification(Linear()(np.array([[-1.0], [1.0]])), np.array([-1.0, 1.0]), nu))
        np.testing.assert_allclose(solution.a, nu / 2, rtol=1e-14)
        assert solution.rho == pytest.approx(nu, rel=1e-12)
        assert solution.b == pytest.approx(0.0, abs=1e-15)
        assert solution.objective == pytest.approx(-0.5 * nu**2, rel=1e-12)


def test_regression_of_one_point():
    """The sum rules out any v but 0; b may be anywhere in [t - epsilon, t + epsilon], and we take the middle."""
    solution = smo(epsilon_regression(np.array([[2.0]]), np.array([3.0]), C=1.0, epsilon=0.5))
    np.testing.assert_array_equal(solution.v, [0.0])
    assert (solution.b, solution.objective, solution.converged) == (3.0, 0.0, True)


@pytest.mark.parametrize("C", [10.0, 0.25])
@pytest.mark.parametrize("difference", [2.0, -2.0, 0.3])
def test_regression_of_two_points(C, difference):
    """v = (d, -d), with d = (t_1 - t_2 -+ 2 epsilon) / |x_1 - x_2|^2, no further than 0 and C."""
    x, epsilon = np.array([[1.0], [3.0]]), 0.25
    t = np.array([difference, 0.0])
    solution = smo(epsilon_regression(Linear()(x), t, C, epsilon))
    d = np.sign(difference) * min(C, max(0.0, (abs(difference) - 2 * epsilon) / 4))
    np.testing.assert_allclose(solution.v, [d, -d], atol=1e-14)
    np.testing.assert_allclose(solution.a, np.maximum([d, -d], 0.0), atol=1e-14)
    np.testing.assert_allclose(solution.a_hat, np.maximum([-d, d], 0.0), atol=1e-14)
    y = Linear()(x) @ solution.v + solution.b
    assert np.mean(y) == pytest.approx(difference / 2)
    assert solution.objective == pytest.approx(difference * d - 2 * epsilon * abs(d) - 2 * d**2)


@pytest.mark.parametrize("nu", [0.1, 0.8])
def test_nu_regression_of_two_points(nu):
    """a_1 = a-hat_2 = nu C / 2 as long as the line stays too flat; the tube's epsilon is what is left."""
    x, t, C = np.array([[0.0], [2.0]]), np.array([1.0, -1.0]), 1.0
    solution = smo(nu_regression(Linear()(x), t, C, nu))
    d = nu * C / 2
    np.testing.assert_allclose(solution.a, [d, 0.0], atol=1e-15)
    np.testing.assert_allclose(solution.a_hat, [0.0, d], atol=1e-15)
    assert solution.epsilon == pytest.approx(1.0 - 2 * d)
    assert solution.b == pytest.approx(2 * d)


def test_one_class_of_two_points():
    """minimise a^2 / 2 + a (1 - a) / 2 + 2 (1 - a)^2: a = 7/8."""
    gram = np.array([[1.0, 0.5], [0.5, 4.0]])
    solution = smo(one_class(gram, nu=0.5))
    np.testing.assert_allclose(solution.a, [0.875, 0.125], rtol=1e-14)
    assert -solution.b == pytest.approx(0.9375)
    np.testing.assert_allclose(gram @ solution.v + solution.b, 0.0, atol=1e-14)
    np.testing.assert_allclose(
        smo(one_class(gram, nu=0.75)).a, [2 / 3, 1 / 3], rtol=1e-14
    )  # a_1 at its limit
    np.testing.assert_allclose(smo(one_class(gram, nu=1.0)).a, [0.5, 0.5], rtol=1e-14)


def radius(gram, solution):
    """R^2 = 2 b + |centre|^2, because y(x) on the sphere is k(x, x) / 2."""
    return np.sqrt(max(0.0, 2 * solution.b + solution.v @ gram @ solution.v))


def test_sphere_around_two_points():
    points = np.array([[1.0, 1.0], [4.0, 5.0]])
    solution = smo(smallest_sphere(Linear()(points), nu=0.5))
    np.testing.assert_allclose(solution.a, 0.5, rtol=1e-14)
    assert radius(Linear()(points), solution) == pytest.approx(2.5, rel=1e-12)


def test_sphere_around_an_equilateral_triangle():
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
    gram = Linear()(np.vstack([points, points.mean(axis=0)]))
    solution = smo(smallest_sphere(gram, nu=0.2))
    np.testing.assert_allclose(solution.a, [1 / 3, 1 / 3, 1 / 3, 0.0], atol=1e-12)
    assert radius(gram, solution) == pytest.approx(1 / np.sqrt(3), rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_row_38_small_nu_is_the_enclosing_ball(seed):
    """nu N < 1: nobody stays outside. All points are within R of a convex combination of points at exactly R."""
    points = np.random.default_rng(seed).normal(size=(30, 3)) + 5.0
    gram = Linear()(points)
    solution = smo(smallest_sphere(gram, nu=0.9 / 30), tol=1e-10)
    centre = solution.a @ points
    distance = np.linalg.norm(points - centre, axis=1)
    assert solution.a.sum() == pytest.approx(1.0, rel=1e-14)
    assert distance.max() == pytest.approx(radius(gram, solution), rel=1e-8)
    np.testing.assert_allclose(distance[solution.support], distance.max(), rtol=1e-8)
    assert 2 <= len(solution.support) <= 4


# ------------------------------------------------------------------ what theory says


@pytest.mark.parametrize("nu", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("seed", range(3))
def test_nu_counts_margin_errors_and_support_vectors(nu, seed):
    """At most nu N margin errors, at least nu N support vectors (PRML p. 334): pitfall 5, where rho > 1e-5."""
    X, t = two_classes(80, seed)
    gram = Gaussian(0.5)(X)
    solution = smo(nu_classification(gram, t, nu), tol=1e-10)
    margin = t * (gram @ solution.v + solution.b)
    # rho from the primal: 1/2 |w|^2 - nu rho + sum (rho - margin)_+ / N is piecewise linear in rho
    at_corners = [np.mean(np.maximum(rho - margin, 0)) - nu * rho for rho in margin]
    assert solution.rho == pytest.approx(margin[np.argmin(at_corners)], abs=1e-8)
    assert solution.rho > 1e-5
    assert np.mean(margin < solution.rho - 1e-8) <= nu <= np.mean(solution.a > 0)


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.8])
def test_nu_counts_points_outside_the_tube(nu):
    X, y = wave(80)
    gram = Gaussian()(X)
    solution = smo(nu_regression(gram, y, C=80.0, nu=nu), tol=1e-10)
    error = np.abs(gram @ solution.v + solution.b - y)
    assert solution.epsilon > 1e-5
    assert np.mean(error > solution.epsilon + 1e-8) <= nu <= np.mean(solution.v != 0)
    assert np.all(np.minimum(solution.a, solution.a_hat) <= 1e-12)


@pytest.mark.parametrize("formulation", [one_class, smallest_sphere])
@pytest.mark.parametrize("nu", [0.05, 0.3, 0.9])
def test_nu_counts_outliers(formulation, nu):
    problem = formulation(K, nu)
    solution = smo(problem, tol=1e-10)
    y = K @ solution.v + solution.b - problem.target
    assert np.mean(y < -1e-8) <= nu <= np.mean(solution.a > 0)


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.6])
def test_nu_margin_is_a_soft_margin(nu):
    """nu-classification with margin rho is the soft margin with C = 1 / (N rho), scaled by rho."""
    one = smo(nu_classification(K, T, nu), tol=1e-10)
    other = smo(soft_margin(K, T, C=1 / (len(T) * one.rho)), tol=1e-10)
    np.testing.assert_allclose(one.v / one.rho, other.v, atol=1e-7 * other.a.max())
    assert one.b / one.rho == pytest.approx(other.b, abs=1e-7)


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.6])
def test_nu_tube_is_an_epsilon_tube(nu):
    """nu-regression that found epsilon is epsilon-regression with that epsilon, and C / N for each point."""
    one = smo(nu_regression(K, Y, C=100.0, nu=nu), tol=1e-10)
    other = smo(epsilon_regression(K, Y, C=100.0 / len(Y), epsilon=one.epsilon), tol=1e-10)
    assert one.epsilon > 1e-3
    np.testing.assert_allclose(one.v, other.v, atol=1e-7)
    np.testing.assert_allclose(one.a_hat, other.a_hat, atol=1e-7)
    assert one.b == pytest.approx(other.b, abs=1e-7)


@pytest.mark.parametrize("nu", [0.05, 0.5, 1.0])
def test_one_class_is_the_smallest_sphere_if_all_points_have_the_same_length(nu):
    """k(x, x) = 1: the linear term of the sphere is constant, and y differs by k(x, x) / 2."""
    plane, sphere = smo(one_class(K, nu), tol=1e-10), smo(smallest_sphere(K, nu), tol=1e-10)
    np.testing.assert_allclose(plane.v, sphere.v, atol=1e-10)
    assert sphere.b == pytest.approx(plane.b + 0.5, abs=1e-9)


def test_the_sphere_is_another_one_for_other_kernels():
    gram = Linear()(X)
    assert np.abs(smo(one_class(gram, 0.3)).v - smo(smallest_sphere(gram, 0.3)).v).max() > 0.01


@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_regression_does_not_know_up_from_down(epsilon):
    up, down = (
        smo(epsilon_regression(K, sign * Y, C=2.0, epsilon=epsilon), tol=1e-10) for sign in (1.0, -1.0)
    )
    np.testing.assert_allclose(up.v, -down.v, atol=1e-9)
    np.testing.assert_allclose(up.a, down.a_hat, atol=1e-9)
    assert up.b == pytest.approx(-down.b, abs=1e-9)


def test_labels_do_not_know_plus_from_minus():
    one, other = (smo(nu_classification(K, sign * T, nu=0.4), tol=1e-10) for sign in (1.0, -1.0))
    np.testing.assert_allclose(one.v, -other.v, atol=1e-10)
    assert one.b == pytest.approx(-other.b, abs=1e-10)
    assert one.rho == pytest.approx(other.rho, abs=1e-10)


@every_problem
def test_order_of_the_points_does_not_matter(name):
    order = np.random.default_rng(0).permutation(len(T))
    one = smo(PROBLEMS[name], tol=1e-10)
    other = smo(every_formulation(K[np.ix_(order, order)], T[order], Y[order])[name], tol=1e-10)
    np.testing.assert_allclose(one.v[order], other.v, atol=1e-7)
    assert one.b == pytest.approx(other.b, abs=1e-7)


@every_problem
def test_weights_are_copies(name):
    """Weight k is as good as k copies of the point: they share out what the one would have."""
    copies = np.random.default_rng(1).integers(1, 4, size=len(T))
    who = np.repeat(np.arange(len(T)), copies)
    one = smo(every_formulation(K, T, Y, copies.astype(float))[name], tol=1e-10)
    many = smo(every_formulation(K[np.ix_(who, who)], T[who], Y[who])[name], tol=1e-10)
    np.testing.assert_allclose(K[who] @ one.v, K[np.ix_(who, who)] @ many.v, atol=1e-7)
    np.testing.assert_allclose(one.v, np.bincount(who, weights=many.v), atol=1e-5)
    assert one.b == pytest.approx(many.b, abs=1e-7)
    for found in ("rho", "epsilon"):
        if getattr(one, found) is not None:
            assert getattr(one, found) == pytest.approx(getattr(many, found), abs=1e-7)


@pytest.mark.parametrize("name", ["soft margin", "epsilon-regression"])
def test_points_without_multiplier_can_go(name):
    one = smo(PROBLEMS[name], tol=1e-10)
    stay = one.support
    other = smo(every_formulation(K[np.ix_(stay, stay)], T[stay], Y[stay])[name], tol=1e-10)
    assert len(stay) < len(T)
    np.testing.assert_allclose(one.v[stay], other.v, atol=1e-7)
    assert one.b == pytest.approx(other.b, abs=1e-7)


# ------------------------------------------------------------------ two variables per point


def test_nu_regression_has_one_K_and_means_four():
    """The same problem with [[K, K], [K, K]] written out has the same solution, by every solver and every rule."""
    X, _ = two_classes(60)
    K, y = Gaussian()(X), np.sin(2 * X[:, 0])
    one = nu_regression(K, y, C=20.0, nu=0.3)
    four = DualProblem(np.tile(K, (2, 2)), one.target, one.lo, one.hi, group=one.group, total=one.total)
    assert one.K is K
    v = np.random.default_rng(0).normal(size=120)
    np.testing.assert_allclose(one.times(v), four.K @ v, atol=1e-12)
    np.testing.assert_array_equal(one.point, np.tile(np.arange(60), 2))
    for rule in RULES:
        ours, theirs = smo(one, tol=1e-9, rule=rule), smo(four, tol=1e-9, rule=rule)
        np.testing.assert_allclose(variables(one, ours), theirs.v, atol=1e-8)
        assert ours.n_iter == theirs.n_iter
    np.testing.assert_allclose(variables(one, qp(one)), qp(four).v, atol=1e-5)


# ------------------------------------------------------------------ many ways to the same solution


@every_problem
def test_rows_on_demand_give_the_same_solution(name):
    X, t = two_classes(800)
    y = np.sin(2 * X[:, 0])
    computed = []

    def rows(indices):
        computed.extend(indices)
        return Gaussian()(X[indices], X)

    lazy = every_formulation(Gram(np.ones(800), rows), t, y)[name]
    full = every_formulation(Gaussian()(X), t, y)[name]
    one, other = smo(lazy, tol=1e-9), smo(full, tol=1e-9)
    assert one.objective == pytest.approx(other.objective, rel=1e-9)
    np.testing.assert_allclose(one.v, other.v, atol=1e-6)
    assert one.b == pytest.approx(other.b, abs=1e-7)
    assert len(computed) == len(set(computed))  # no row twice, in nu-regression either
    assert set(np.flatnonzero(one.v)) <= set(computed)


@every_problem
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_reaches_the_optimum(name, rule):
    problem = PROBLEMS[name]
    solution = smo(problem, tol=1e-9, rule=rule)
    assert solution.converged
    np.testing.assert_allclose(solution.v, smo(problem, tol=1e-9).v, atol=1e-7)


@every_problem
def test_warm_start_ends_where_a_cold_one_does(name):
    problem = PROBLEMS[name]
    cold = smo(problem, tol=1e-9)
    v = variables(problem, cold)
    assert smo(problem, tol=1e-9, v=v).n_iter < 0.1 * cold.n_iter
    for start in (np.roll(v, 1), 3 * v, -v, np.random.default_rng(0).normal(size=len(v))):
        warm = smo(problem, tol=1e-9, v=start)
        np.testing.assert_allclose(warm.v, cold.v, atol=1e-7)
        assert warm.objective == pytest.approx(cold.objective, rel=1e-9)
        assert kkt(problem, warm).feasibility <= 1e-12


def test_hard_margin_is_the_soft_margin_with_large_C():
    X, t = two_classes(60, shift=3.0)
    gram = Linear()(X)
    hard, soft = smo(hard_margin(gram, t), tol=1e-10), smo(soft_margin(gram, t, C=1e6), tol=1e-10)
    np.testing.assert_allclose(hard.v, soft.v, atol=1e-9)


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize("nu", [0, -0.1, 1.5, np.nan, "0.5", True])
@pytest.mark.parametrize(
    "formulation",
    [
        lambda nu: nu_classification(K, T, nu),
        lambda nu: nu_regression(K, Y, 1.0, nu),
        lambda nu: one_class(K, nu),
        lambda nu: smallest_sphere(K, nu),
    ],
)
def test_row_31_nu_out_of_range(formulation, nu):
    with pytest.raises(ValueError, match=r"nu must be a number in \(0, 1\], got"):
        formulation(nu)


def test_row_32_infeasible_nu_is_told_with_its_limit_and_both_counts():
    t = np.where(np.arange(60) < 5, 1.0, -1.0)
    with pytest.raises(ValueError, match="nu must be at most 0.1667 for classes of 55 and 5 points.*got 0.9"):
        nu_classification(K, t, nu=0.9)
    assert smo(nu_classification(K, t, nu=10 / 60)).converged  # the largest that is possible
    heavy = np.where(t > 0, 11.0, 1.0)
    assert smo(nu_classification(K, t, nu=1.0, weight=heavy)).converged
    with pytest.raises(ValueError, match="nu must be at most 0.01639 .*before weighting.*got 0.1"):
        nu_classification(K, t, nu=0.1, weight=1 / heavy)


def test_row_34_negative_epsilon():
    for epsilon in (-0.1, np.nan, np.inf, "0.1"):
        with pytest.raises(ValueError, match="epsilon must be a number >= 0, got"):
            epsilon_regression(K, Y, C=1.0, epsilon=epsilon)


def test_row_35_a_tube_wider_than_the_data():
    solution = smo(epsilon_regression(K, Y, C=1.0, epsilon=10.0))
    assert not solution.v.any()
    assert solution.b == pytest.approx((Y.min() + Y.max()) / 2)


@pytest.mark.parametrize("formulation", [one_class, smallest_sphere])
def test_row_36_tiny_nu(formulation):
    solution = smo(formulation(K, nu=1e-9))
    assert solution.converged
    assert solution.a.sum() == pytest.approx(1.0, rel=1e-13)
    assert np.all(K @ solution.v + solution.b - formulation(K, 0.5).target >= -1e-3)


def test_row_37_all_points_equal():
    gram = Linear()(np.ones((5, 2)))
    solution = smo(smallest_sphere(gram, nu=0.5))
    assert solution.converged
    assert radius(gram, solution) == pytest.approx(0.0, abs=1e-7)


def test_row_38_C_below_one_over_N_is_nu_above_one():
    with pytest.raises(ValueError, match=r"nu must be a number in \(0, 1\], got 1.25"):
        smallest_sphere(K, nu=1.25)


@pytest.mark.parametrize(
    "C", [0, -1.0, np.nan, np.inf, "1", True, np.ones(3), -np.ones(60), np.full(60, np.inf)]
)
def test_row_26_C_of_regression(C):
    for formulation in (lambda: epsilon_regression(K, Y, C, 0.1), lambda: nu_regression(K, Y, C, 0.5)):
        with pytest.raises(ValueError, match="C must be a number > 0"):
            formulation()


@pytest.mark.parametrize("t", [np.full(60, np.nan), np.ones((60, 1)), [], np.ones(59)])
def test_targets_are_finite_numbers_one_for_each_point(t):
    with pytest.raises(ValueError, match="^t(arget)? must"):
        epsilon_regression(K, t, 1.0, 0.1)


@pytest.mark.parametrize("weight", [np.ones(59), np.zeros(60), -np.ones(60), np.full(60, np.nan)])
def test_row_21_weights(weight):
    for formulation in (lambda: nu_classification(K, T, 0.4, weight), lambda: one_class(K, 0.4, weight)):
        with pytest.raises(ValueError, match="weight must hold 60 finite numbers > 0"):
            formulation()
