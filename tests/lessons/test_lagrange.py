"""One bowl, one straight constraint: the closed form against a general solver, and the laws of duality."""

import cvxpy as cp
import numpy as np
import pytest

from sparsekm_edu.lessons.lagrange import Bowl


def random_bowl(seed, equality):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(2, 2))
    return Bowl(
        A=root @ root.T + 0.2 * np.eye(2),
        c=rng.normal(size=2),
        n=rng.normal(size=2),
        d=float(rng.normal()),
        equality=equality,
    )


BOWLS = [random_bowl(seed, equality) for seed in range(25) for equality in (False, True)]
EVERY = pytest.mark.parametrize("bowl", BOWLS, ids=lambda bowl: "=" if bowl.equality else "≥")


@EVERY
def test_the_optimum_is_that_of_a_general_solver(bowl):
    x = cp.Variable(2)
    constraint = bowl.n @ x - bowl.d == 0 if bowl.equality else bowl.n @ x - bowl.d >= 0
    problem = cp.Problem(cp.Minimize(0.5 * cp.quad_form(x - bowl.c, cp.psd_wrap(bowl.A))), [constraint])
    problem.solve(solver=cp.CLARABEL)
    found, lam = bowl.solution
    np.testing.assert_allclose(found, x.value, atol=1e-5)
    assert bowl.f(found) == pytest.approx(problem.value, abs=1e-7)
    if not bowl.equality:
        assert lam == pytest.approx(float(constraint.dual_value), abs=1e-5)


@EVERY
def test_kkt_conditions(bowl):
    x, lam = bowl.solution
    np.testing.assert_allclose(bowl.grad_f(x), lam * bowl.n, atol=1e-10)  # the gradients balance
    assert lam * bowl.g(x) == pytest.approx(0.0, abs=1e-10)  # complementary slackness
    if bowl.equality:
        assert bowl.g(x) == pytest.approx(0.0, abs=1e-10)
    else:
        assert lam >= 0
        assert bowl.g(x) >= -1e-10


@EVERY
def test_no_duality_gap_at_the_optimum(bowl):
    x, lam = bowl.solution
    assert bowl.dual(lam) == pytest.approx(bowl.f(x), abs=1e-10)


@EVERY
def test_the_dual_is_a_lower_bound_everywhere(bowl):
    x, best = bowl.solution
    multipliers = np.linspace(-5 if bowl.equality else 0, 5, 201)
    assert (bowl.dual(multipliers) <= bowl.f(x) + 1e-10).all()
    # and the top of the curve, among the multipliers that are allowed, is where `solve` says
    assert bowl.dual(best) >= bowl.dual(multipliers).max() - 1e-10


@EVERY
@pytest.mark.parametrize("lam", [0.0, 0.4, 2.0])
def test_the_dual_is_the_least_value_of_the_lagrangian(bowl, lam):
    def lagrangian(x):
        return bowl.f(x) - lam * bowl.g(x)  # the sign of (7.7)

    bottom = bowl.x_of(lam)
    assert bowl.dual(lam) == pytest.approx(lagrangian(bottom), abs=1e-10)
    for step in np.random.default_rng(3).normal(size=(20, 2)):
        assert lagrangian(bottom + step) > lagrangian(bottom)


def test_both_cases_of_an_inequality_occur():
    multipliers = [bowl.solution[1] for bowl in BOWLS if not bowl.equality]
    assert sum(lam == 0 for lam in multipliers) >= 5
    assert sum(lam > 0 for lam in multipliers) >= 5


def test_an_inactive_constraint_changes_nothing():
    bowl = Bowl(np.eye(2), np.array([1.0, 1.0]), np.array([1.0, 0.0]), 0.5)
    x, lam = bowl.solution
    assert lam == 0
    np.testing.assert_array_equal(x, [1.0, 1.0])


def test_by_hand():
    """Closest point to the origin on x1 + x2 = 2: (1, 1), with multiplier 1."""
    bowl = Bowl(np.eye(2), np.zeros(2), np.ones(2), 2.0, equality=True)
    x, lam = bowl.solution
    np.testing.assert_allclose(x, [1.0, 1.0])
    assert lam == pytest.approx(1.0)
    assert bowl.f(x) == pytest.approx(1.0)
