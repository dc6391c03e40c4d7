"""Notebook 01: what its guesses hold to be true, and its worked solutions, computed in another way."""

import numpy as np
import pytest
from scipy.optimize import brentq

from sparsekm_edu import SVC, Gaussian, Polynomial, datasets, exercises
from sparsekm_edu.explorers.svm.feature_map import round_ring
from sparsekm_edu.solvers import hard_margin, qp, smo

X, t = datasets.separable()


def solved(X, t):
    """w, b and a of the maximum margin, by the interior-point solver."""
    solution = qp(hard_margin(X @ X.T, t))
    return solution.v @ X, solution.b, np.where(solution.a > 1e-6, solution.a, 0.0)


def truth(id):
    guess = exercises.GUESSES[id]
    true = guess.truth()
    return guess.kind.told(true), guess.answer(true)


def test_01_a_every_circled_point_that_is_deleted_widens_the_street_and_no_other_does():
    w, _, a = solved(X, t)
    told, answer = truth("01-a")
    assert told == "it grows"
    for n in range(len(t)):
        fewer = solved(np.delete(X, n, axis=0), np.delete(t, n))[0]
        grown = 1 / np.linalg.norm(fewer) - 1 / np.linalg.norm(w)
        assert (grown > 1e-3) == (a[n] > 0)
        assert grown > -1e-5
        if a[n] > 0:
            assert f"{1 / np.linalg.norm(fewer):.3f}" in answer


def test_01_b_a_longer_normal_brings_the_line_nearer_to_the_origin():
    told, answer = truth("01-b")
    assert told == "it moves towards the origin"
    assert f"{0.6 / 1:.2f}" in answer  # |b| / |w|
    assert f"{0.6 / 2:.2f}" in answer


def test_01_c_the_push_is_zero_up_to_the_wall_and_then_in_proportion():
    behind, push = exercises.GUESSES["01-c"].truth()
    angle = np.radians(40)
    n, A = np.array([np.cos(angle), np.sin(angle)]), np.diag([0.35, 0.6])
    np.testing.assert_allclose(push, np.maximum(0, behind) / (n @ np.linalg.inv(A) @ n), atol=1e-12)
    assert exercises.GUESSES["01-c"].kind.y[1] > push.max()  # all of it can be drawn


def test_01_d_both_sides_push_equally_hard():
    _, _, a = solved(X, t)
    assert sorted([np.count_nonzero(a[t > 0]), np.count_nonzero(a[t < 0])]) == [1, 2]  # as the question says
    assert a[t > 0].sum() == pytest.approx(a[t < 0].sum(), rel=1e-6)
    assert truth("01-d")[0] == "just as hard"


def test_01_e_means_with_any_weights_are_at_least_as_far_apart_as_the_street_is_wide():
    w, _, _ = solved(X, t)
    rng = np.random.default_rng(1)
    for _ in range(200):
        p, q = (rng.dirichlet(np.full(10, 0.1)) @ X[t == side] for side in (1, -1))
        assert np.linalg.norm(p - q) >= 2 / np.linalg.norm(w)
    assert truth("01-e")[0] == "never smaller"


def test_01_f_so_wide_a_kernel_has_few_support_vectors():
    X, t = datasets.curved()
    guess = exercises.GUESSES["01-f"]
    kernels = Gaussian(0.5), Gaussian(0.005), Polynomial(degree=3)
    middle, wide, cubic = (len(SVC(C=np.inf, kernel=kernel).fit(X, t).support_) for kernel in kernels)
    assert guess.truth() == wide == cubic == 9
    assert f"there are {middle} support vectors among the {len(t)} points" in guess.question


def test_at_half_the_lift_the_boundary_is_twice_as_wide():
    """As a fold of the notebook tells."""
    ring, labels = round_ring()
    cone = np.column_stack([ring, np.linalg.norm(ring, axis=1)])
    w, b, _ = solved(cone, labels)
    for lift, told in ((1.0, "0.98"), (0.5, "2.02")):

        def height(r, angle, lift=lift):
            return w @ (r * np.cos(angle), r * np.sin(angle), lift * r) + b

        radii = [brentq(height, 0, 10, (angle,)) for angle in np.linspace(0, 2 * np.pi, 180, endpoint=False)]
        assert f"{np.mean(radii):.2f}" == told
        assert np.ptp(radii) < 0.4 / lift**2  # the cut is nearly level, and the boundary nearly a circle


@pytest.mark.parametrize("seed", range(5))
def test_margin_of_is_one_over_the_length_of_w_in_canonical_form(seed):
    X, t = datasets.separable(seed=seed)
    w, b, _ = solved(X, t)
    margin = exercises.solution("01-margin")(X, t, 3 * w, 3 * b)
    assert margin == pytest.approx(1 / np.linalg.norm(w), rel=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_bias_of_is_the_b_of_both_solvers(seed):
    X, t = datasets.separable(seed=seed)
    w, b, a = solved(X, t)
    assert exercises.solution("01-bias")(X @ X.T, t, a) == pytest.approx(b, abs=1e-4)
    solution = smo(hard_margin(X @ X.T, t))
    assert exercises.solution("01-bias")(X @ X.T, t, solution.a) == pytest.approx(solution.b, abs=1e-9)


@pytest.mark.parametrize("id", ["01-margin", "01-bias"])
def test_mistakes_are_told_apart_from_the_solution_with_every_seed(id):
    task = exercises.TASKS[id]
    for seed in range(20):
        for mistake in task.mistakes:
            result = exercises.check(id, mistake.wrong, seed=seed)
            assert not result.passed
            assert mistake.name in result.message


def test_two_points_by_hand():
    """Section 5 literally: the walls -b >= 1 and 2 w_1 + b >= 1, and the pull balanced by both pushes."""
    points, labels = np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([-1.0, 1.0])
    solution = smo(hard_margin(points @ points.T, labels))
    w, b = solution.v @ points, solution.b
    np.testing.assert_allclose([*w, b, *solution.a], [1, 0, -1, 0.5, 0.5], atol=1e-12)
    walls = labels[:, None] * np.column_stack([points, [1, 1]])  # gradients t_n (x_n, 1)
    np.testing.assert_array_equal(walls, [[0, 0, -1], [2, 0, 1]])
    np.testing.assert_allclose(solution.a @ walls, [*w, 0], atol=1e-12)


def test_the_lagrangian_is_linear_in_b_with_the_slope_of_the_page():
    rng = np.random.default_rng(0)
    a, w = rng.exponential(size=len(t)), rng.normal(size=2)

    def lagrangian(b):
        return 0.5 * w @ w - a @ (t * (X @ w + b) - 1)  # (7.7)

    for b in (-100.0, 0.0, 3.0):
        assert lagrangian(b + 1) - lagrangian(b) == pytest.approx(-np.sum(a * t), abs=1e-9)
