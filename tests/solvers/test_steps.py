"""Every generator of steps: it begins with the start, and ends with what its solver returns."""

import numpy as np
import pytest

from sparsekm_edu import solvers
from sparsekm_edu.lessons.inside_reestimation import inside_steps
from sparsekm_edu.solvers import soft_margin

N = 30
RNG = np.random.default_rng(5)
X = RNG.normal(size=(N, 2))
T = np.where(X[:, 0] + 0.5 * RNG.normal(size=N) > 0, 1.0, -1.0)
T01 = (T > 0).astype(float)
Y = np.sin(X[:, 0]) + 0.1 * RNG.normal(size=N)
K = np.exp(-((X[:, None, :] - X) ** 2).sum(axis=2))
PHI = np.column_stack([X, np.ones(N)])
PROBLEM = soft_margin(K, T, 1.0)


#: generator -> (its solver, data and options of both, what to compare)
STEPS = {
    "smo_steps": (solvers.smo, (PROBLEM,), {"tol": 1e-10}, ["v", "objective"]),
    "chunking_steps": (
        solvers.chunking,
        (PROBLEM,),
        {"size": 4},
        ["v", "objective", "n_iter", "kernel_entries"],
    ),
    "decomposition_steps": (solvers.decomposition, (PROBLEM,), {"size": 10}, ["v", "objective", "n_iter"]),
    "em_svm_steps": (
        solvers.em_svm,
        (K, T, 1.0),
        {},
        ["v", "b", "y", "objective", "gap", "n_iter", "converged"],
    ),
    "platt_steps": (solvers.platt, (Y, T), {}, ["A", "B", "log_loss", "gain", "n_iter", "converged"]),
    "irls_steps": (solvers.irls, (PHI, T01, 0.1), {}, ["w", "error", "gradient", "n_iter", "converged"]),
    "reestimate_steps": (
        solvers.reestimate,
        (K, Y),
        {},
        ["alpha", "beta", "m", "Sigma", "log_evidence", "n_iter"],
    ),
    "em_steps": (
        solvers.em,
        (K, T01, "bernoulli"),
        {"tol": 1e-2},
        ["alpha", "m", "Sigma", "log_evidence", "n_iter"],
    ),
    "sequential_steps": (
        lambda *data: solvers.sequential(*data, schedule="book"),
        (K, Y),
        {},
        ["active", "alpha", "beta", "m", "Sigma", "log_evidence", "n_iter", "converged"],
    ),
}
WITHOUT_SOLVER = {"gd_steps", "sgd_steps"}  # only estimators use them
#: `k_medoids` takes the best of many starts, and makes any swap that helps: test_medoids.py compares where both end
ANOTHER_WAY = {"k_medoids_steps"}


def test_the_table_is_complete():
    steps = {name for name in solvers.__all__ if name.endswith("_steps")}
    assert steps == set(STEPS) | WITHOUT_SOLVER | ANOTHER_WAY


@pytest.mark.parametrize("name", STEPS)
def test_steps_begin_with_the_start_and_end_with_the_solution(name):
    solver, data, options, fields = STEPS[name]
    steps = list(getattr(solvers, name)(*data, **options))
    solution = solver(*data, **options)
    counts = [step.n_iter for step in steps]
    assert len(steps) > 3
    assert counts[:3] == [0, 1, 2]
    assert np.all(np.diff(counts) >= 0)
    exact = name != "smo_steps"  # the polish finds the same place by another way
    for field in fields:
        ours, theirs = getattr(steps[-1], field), getattr(solution, field)
        np.testing.assert_allclose(ours, theirs, rtol=0 if exact else 1e-9, atol=0 if exact else 1e-8)


@pytest.mark.parametrize("name", STEPS)
def test_max_iter_counts_steps_after_the_start(name):
    _, data, options, _ = STEPS[name]
    counts = [step.n_iter for step in getattr(solvers, name)(*data, **options, max_iter=2)]
    assert counts[:3] == [0, 1, 2]
    assert counts[-1] == 2


@pytest.mark.parametrize("name", sorted(WITHOUT_SOLVER))
def test_descents_begin_with_the_start(name):
    seed = {"seed": 0} if name == "sgd_steps" else {}
    steps = list(getattr(solvers, name)(PHI, T01, 0.1, w=[1.0, 2.0, 3.0], max_iter=3, **seed))
    assert [step.n_iter for step in steps] == [0, 1, 2, 3]
    np.testing.assert_array_equal(steps[0].w, [1.0, 2.0, 3.0])


def test_the_start_is_where_nothing_has_happened():
    smo, em = next(solvers.smo_steps(PROBLEM)), next(solvers.em_svm_steps(K, T, 1.0))
    assert not smo.v.any()
    assert (smo.objective, smo.gap, smo.pair) == (0.0, 2.0, None)
    assert not np.any([em.v, em.y])
    assert em.objective == pytest.approx(N)  # every hinge is 1
    empty = next(solvers.sequential_steps(K, Y))
    assert not empty.active.any()
    assert (empty.action, empty.index, empty.sentence) == ("start", None, "the model is empty")
    expected = -0.5 * (N * np.log(2 * np.pi / empty.beta) + empty.beta * Y @ Y)
    assert empty.log_evidence == pytest.approx(expected)
    platt = next(solvers.platt_steps(Y, T))
    rate = (np.sum(T > 0) + 1) / (N + 2)
    np.testing.assert_allclose(platt.probability(Y), rate)


def test_lessons_begin_with_the_start_too():
    first, *_, last = inside_steps(K, T01)
    assert (first.action, first.round, first.newton) == ("start", 0, 0)
    assert not first.w.any()
    np.testing.assert_array_equal(last.w, solvers.reestimate(K, T01, "bernoulli", tol=1e-3).m)
