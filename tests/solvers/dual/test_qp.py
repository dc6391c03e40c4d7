"""The general-purpose route: agreement, exact walls, and clear refusals."""

import sys

import cvxpy
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.solvers import hard_margin, kkt, qp, smo, soft_margin

X, t = datasets.curved()
K = Gaussian()(X)
PROBLEM = soft_margin(K, t, C=1.0)


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0, 100.0, np.inf])
@pytest.mark.parametrize("gamma", [0.1, 1.0, 5.0])
def test_equals_smo(C, gamma):
    problem = soft_margin(Gaussian(gamma)(X), t, C)
    ours, theirs = smo(problem), qp(problem)
    assert theirs.converged
    assert theirs.objective == pytest.approx(ours.objective, rel=1e-8)
    np.testing.assert_allclose(theirs.v, ours.v, atol=1e-4 * np.abs(ours.v).max())
    np.testing.assert_array_equal(theirs.support, ours.support)
    assert theirs.b == pytest.approx(ours.b, abs=1e-5)
    assert kkt(problem, theirs).violation <= 1e-4
    assert kkt(problem, theirs).feasibility <= 1e-12 * np.abs(theirs.v).sum()


def test_walls_are_touched():
    solution = qp(PROBLEM)
    assert np.sum(solution.a == 0.0) > 5
    assert np.sum(solution.a == 1.0) >= 1
    assert solution.n_iter > 1


def test_sums_hold_when_all_are_put_onto_walls(monkeypatch):
    """Where nobody stays free to make up for what was moved onto walls, somebody leaves its wall."""

    def coarse(problem, v, near):
        v[:] = np.where(v > 0.0, problem.hi, np.where(v < -0.3, problem.lo, 0.0))
        assert abs(v.sum()) > 0.5

    monkeypatch.setattr("sparsekm_edu.solvers.dual.qp.onto_walls", coarse)
    v = qp(PROBLEM, tol=10.0).v
    walls = np.where(v > 0, PROBLEM.hi, PROBLEM.lo)
    assert abs(v.sum()) <= 1e-12
    assert np.all((PROBLEM.lo <= v) & (v <= PROBLEM.hi))
    assert np.mean((v == 0) | (v == walls)) > 0.9


def test_pitfall_8_valid_gram_matrices_are_accepted():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 2))
    labels = np.where(rng.random(60) < 0.5, 1.0, -1.0)
    for gamma in (0.01, 0.5):
        assert qp(soft_margin(Gaussian(gamma)(points), labels, C=1.0)).converged
    assert qp(soft_margin(Linear()(np.vstack([points, points])), np.tile(labels, 2), C=1.0)).converged


def test_pitfall_7_indefinite_K_is_refused():
    x = np.array([1.0, 2.0])
    indefinite = np.tanh(np.outer(x, x) - 1)
    with pytest.raises(
        ValueError, match="K must be positive semi-definite, got a smallest eigenvalue of -0.412"
    ):
        qp(soft_margin(indefinite, np.array([1.0, -1.0]), C=1.0))


def test_pitfall_10_inseparable_hard_margin():
    with pytest.raises(ValueError, match="not separable with this kernel; use a finite C"):
        qp(hard_margin(Linear()(X), t))


@pytest.mark.parametrize("C", [1e7, 1e8, 1e9])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=repr)
def test_a_large_but_finite_C_is_solved(kernel, C):
    """Clarabel calls some of these unbounded, which nothing in a finite box can be."""
    points, labels = datasets.overlapping()
    problem = soft_margin(kernel(points), labels, C)
    by_qp, by_pairs = qp(problem), smo(problem)
    assert by_qp.converged
    assert by_qp.objective == pytest.approx(by_pairs.objective, rel=1e-6)
    np.testing.assert_array_equal(by_qp.support, by_pairs.support)


def test_what_cannot_be_solved_is_not_called_inseparable(monkeypatch):
    monkeypatch.setattr(cvxpy.Problem, "status", property(lambda self: "unbounded"))
    with pytest.raises(RuntimeError, match="CLARABEL stopped.*failed numerically; rescaling X or C may help"):
        qp(PROBLEM)


def test_of_several_inaccurate_answers_the_best_is_kept(monkeypatch):
    gaps = iter([3.0, 0.5, 7.0, 0.6, 0.7, 0.8])
    monkeypatch.setattr("sparsekm_edu.solvers.dual.qp.optimality_gap", lambda *_: next(gaps))
    with pytest.warns(ConvergenceWarning, match=r"KKT gap 0\.5 > tol"):
        qp(PROBLEM)


def test_row_50_solver_not_installed(monkeypatch):
    monkeypatch.setattr(cvxpy, "installed_solvers", lambda: ["OSQP"])
    with pytest.raises(ImportError, match="CLARABEL is not installed"):
        qp(PROBLEM)


def test_row_50_cvxpy_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(ImportError, match="cvxpy"):
        qp(PROBLEM)


def test_row_50_not_optimal(monkeypatch):
    monkeypatch.setattr(cvxpy.Problem, "status", property(lambda self: "infeasible"))
    with pytest.raises(RuntimeError, match="CLARABEL stopped with status 'infeasible'"):
        qp(PROBLEM)


def test_pitfall_9_inaccurate_answers_are_judged_by_their_gap(monkeypatch):
    monkeypatch.setattr(cvxpy.Problem, "status", property(lambda self: "optimal_inaccurate"))
    assert qp(PROBLEM, tol=0.01).converged  # by the last resort, at Clarabel's own tolerances
    with pytest.warns(ConvergenceWarning, match="KKT gap .* > tol = 1e-18"):
        assert not qp(PROBLEM, tol=1e-18).converged


def test_rows_29_and_30_tol_and_max_iter():
    with pytest.raises(ValueError, match="tol must be a number > 0"):
        qp(PROBLEM, tol=0)
    with pytest.raises(ValueError, match="max_iter must be a whole number >= 1"):
        qp(PROBLEM, max_iter=2.5)
