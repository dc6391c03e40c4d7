"""The dual problem, its referee, and what they refuse."""

from dataclasses import replace

import numpy as np
import pytest

from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.solvers import DualProblem, DualSolution, Gram, chunking, hard_margin, kkt, smo, soft_margin
from sparsekm_edu.solvers.dual.problem import (
    dual_value,
    feasible,
    free_set,
    gradient,
    multipliers,
    restore_sum,
)

X = np.array([[0.0, 0.0], [2.0, 0.0]])
t = np.array([1.0, -1.0])
K = Linear()(X)


def test_soft_margin_box_7_33():
    problem = soft_margin(K, t, C=3.0)
    np.testing.assert_array_equal(problem.target, t)
    np.testing.assert_array_equal(problem.lo, [0, -3])
    np.testing.assert_array_equal(problem.hi, [3, 0])
    assert problem.bounded


def test_one_C_per_point():
    problem = soft_margin(K, t, C=[1, np.inf])
    np.testing.assert_array_equal(problem.lo, [0, -np.inf])
    np.testing.assert_array_equal(problem.hi, [1, 0])
    assert not problem.bounded


def test_hard_margin_is_infinite_C():
    problem = hard_margin(K, t)
    np.testing.assert_array_equal(problem.lo, [0, -np.inf])
    np.testing.assert_array_equal(problem.hi, [np.inf, 0])


def test_dual_value_is_equation_7_10():
    rng = np.random.default_rng(0)
    X, t = rng.normal(size=(8, 2)), np.repeat([1.0, -1.0], 4)
    a, K = rng.random(8), Gaussian()(X)
    v = a * t
    book = a.sum() - 0.5 * sum(
        a[n] * a[m] * t[n] * t[m] * K[n, m] for n in range(8) for m in range(8)
    )  # (7.10)
    problem = hard_margin(K, t)
    assert dual_value(problem, v, gradient(problem, v)) == pytest.approx(book, rel=1e-14)


def test_solution_names_the_multipliers_of_the_book():
    solution = DualSolution(np.array([0.5, 0.0, -0.5]), b=0.0, objective=0.0, n_iter=1, converged=True)
    np.testing.assert_array_equal(solution.a, [0.5, 0, 0.5])
    np.testing.assert_array_equal(solution.support, [0, 2])


def test_referee_two_points_in_closed_form():
    """(0, 0) against (2, 0): a = (1/2, 1/2), w = (-1, 0), b = 1, margin 1."""
    perfect = DualSolution(np.array([0.5, -0.5]), b=1.0, objective=0.5, n_iter=0, converged=True)
    referee = kkt(hard_margin(K, t), perfect)
    assert (referee.violation, referee.feasibility, referee.duality_gap) == (0, 0, 0)


def test_referee_sees_each_kind_of_fault():
    problem = soft_margin(K, t, C=0.4)

    def judge(v, b=1.0):
        return kkt(problem, DualSolution(np.array(v), b, objective=0.0, n_iter=0, converged=True))

    assert judge([0.0, 0.0]).violation == 2.0
    assert judge([0.0, 0.0]).duality_gap == pytest.approx(0.4 * 0 + 0.4 * 2)
    assert judge([0.5, -0.5]).feasibility == pytest.approx(0.1)
    assert judge([0.3, -0.4]).feasibility == pytest.approx(0.1)
    assert judge([0.4, -0.4]).violation == 0
    assert judge([0.0, -0.4]).feasibility == pytest.approx(0.4)  # nothing may fall, and yet no traceback
    assert judge([0.4, -0.4], b=0.9).duality_gap == pytest.approx(
        0, abs=1e-15
    )  # no free point: b has a range
    assert judge([0.4, -0.4], b=2.0).duality_gap > 0.1


def test_referee_scales_a_hard_margin_until_7_5_holds():
    problem = hard_margin(K, t)
    short = DualSolution(np.array([0.25, -0.25]), b=0.5, objective=0.375, n_iter=0, converged=False)
    # y = 0.5 at the first point and -0.5 at the second: twice (w, b) satisfies (7.5) and has |w|^2 / 2 = 1/2.
    assert kkt(problem, short).duality_gap == pytest.approx(0.5 - 0.375)
    wrong_side = DualSolution(np.array([0.25, -0.25]), b=-1.0, objective=0.375, n_iter=0, converged=False)
    assert kkt(problem, wrong_side).duality_gap == np.inf


def test_bias_is_the_mean_over_free_points_or_the_middle():
    problem = soft_margin(K, t, C=1.0)
    v = np.array([0.5, -0.5])
    assert multipliers(problem, v, gradient(problem, v)) == 1.0
    problem = soft_margin(K, t, C=0.4)
    v = np.array([0.4, -0.4])  # y - b = 0 and -1.6: b >= 1 - ... the slacks allow 0.6 <= b <= 1
    assert multipliers(problem, v, gradient(problem, v)) == pytest.approx(0.8)


def test_bias_in_the_middle_when_labels_contradict():
    """Pitfall 12: duplicates with both labels; all a = C, b = 0."""
    K = np.ones((4, 4))
    problem = soft_margin(K, np.array([1.0, -1.0, 1.0, -1.0]), C=2.0)
    solution = smo(problem)
    np.testing.assert_array_equal(solution.a, 2.0)
    assert solution.b == 0.0
    assert kkt(problem, solution).violation == 0


def test_restore_sum_moves_one_free_variable():
    problem = soft_margin(np.eye(4), np.array([1.0, 1.0, -1.0, -1.0]), C=1.0)
    v = np.array([0.5, 1.0, -1.0, -0.4])
    restore_sum(problem, v)
    assert v.sum() == pytest.approx(0, abs=1e-15)
    np.testing.assert_array_equal(free_set(problem, v), [0, 3])
    at_walls = np.array([1.0, 1.0, -1.0, -1.0])
    restore_sum(problem, at_walls)
    np.testing.assert_array_equal(at_walls, [1, 1, -1, -1])
    almost = np.array([1e-15, 1e-15, 0.0, 0.0])  # there is less room than there is to move
    restore_sum(problem, almost)
    assert np.all((problem.lo <= almost) & (almost <= problem.hi))


@pytest.mark.parametrize(
    "C", [0, -1, np.nan, "1", True, None, [1.0], [1.0, 0.0], [1.0, np.nan], ["1", "2"], [True, True]]
)
def test_row_26_C_must_be_positive(C):
    with pytest.raises(ValueError, match=r"^C must be a number > 0 \(infinity is allowed\).* got "):
        soft_margin(K, t, C)


@pytest.mark.parametrize("t", [[1, 1], [1, 0], [1, 2], [[1, -1]], [1, np.nan], [0.5, -0.5]])
def test_t_must_hold_both_labels(t):
    with pytest.raises(ValueError, match="t must be a vector holding both labels"):
        hard_margin(K, t)


def test_row_48_K_must_be_a_gram_matrix():
    with pytest.raises(ValueError, match=r"K must be a square matrix, got shape \(2, 3\)"):
        hard_margin(np.ones((2, 3)), t)
    with pytest.raises(ValueError, match="K must be symmetric.* difference of 1e-09"):
        hard_margin(np.eye(2) + [[0, 1e-9], [0, 0]], t)
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="K must be finite"):
            hard_margin(np.array([[1.0, bad], [bad, 1.0]]), t)
    with pytest.raises(ValueError, match=r"target must have shape \(3,\)"):
        hard_margin(np.eye(3), t)
    hard_margin(np.eye(2) + [[0, 1e-11], [0, 0]], t)


def test_asymmetry_is_found_in_every_block():
    N = 300
    t = np.where(np.arange(N) % 2, 1.0, -1.0)
    for n, m in [(0, 299), (299, 0), (150, 140), (298, 299), (10, 200)]:
        K = np.eye(N)
        K[n, m] = 1e-3
        with pytest.raises(ValueError, match="symmetric"):
            hard_margin(K, t)


def test_arrays_are_stored_ready_for_the_solvers():
    K = np.asfortranarray(np.eye(2, dtype=np.float32))
    problem = DualProblem(K, [1, -1], [0, -1], [1, 0])
    for array in (problem.K, problem.target, problem.lo, problem.hi):
        assert array.dtype == np.float64
        assert array.flags.c_contiguous
    with pytest.raises(AttributeError):
        problem.K = K


def test_to_write_into_K_is_to_change_all_of_the_problem():
    """K is not copied: diagonal and matrix must not come to belong to different problems."""
    K, t = np.eye(4), np.array([1.0, 1.0, -1.0, -1.0])
    problem = soft_margin(K, t, C=100.0)
    K[np.diag_indices(4)] = 4.0
    assert problem.K is K
    np.testing.assert_array_equal(problem.gram.diagonal, np.diagonal(problem.K))
    solution = smo(problem)
    assert kkt(problem, solution).violation < 1e-12
    np.testing.assert_array_equal(solution.v, smo(soft_margin(4 * np.eye(4), t, C=100.0)).v)


def test_rows_on_demand_know_their_diagonal_before_they_are_computed():
    K = np.diag([1.0, 2.0, 3.0])
    gram = Gram(np.diagonal(K), lambda rows: K[rows])
    for _ in range(2):
        np.testing.assert_array_equal(gram.diagonal, [1.0, 2.0, 3.0])
        assert gram.squared_extent() == 4.0
        gram.matrix()


def test_solutions_are_written_in_one_line():
    solution = DualSolution(np.array([0.5, 0.0, -0.5]), b=0.0, objective=3.21, n_iter=41, converged=True)
    assert (
        repr(solution) == "DualSolution: 2 of 3 support vectors, objective 3.2100, 41 iterations, converged"
    )
    assert repr(replace(solution, converged=False)).endswith("41 iterations, not converged")
    assert repr(chunking(soft_margin(K, t, C=3.0))).startswith("ChunkingSolution: 2 of 2 support vectors, ")


def test_a_start_whose_sum_is_wrong_is_mended_where_there_is_no_wall():
    """The first variable without an upper wall takes what is missing, all of it."""
    problem = hard_margin(np.eye(4), np.array([-1.0, 1.0, 1.0, -1.0]))
    np.testing.assert_array_equal(feasible(problem, np.array([-3.0, 0.0, 0.0, 0.0])), np.zeros(4))
    one_sided = replace(problem, total=2.0)
    np.testing.assert_array_equal(feasible(one_sided), [0.0, 2.0, 0.0, 0.0])
