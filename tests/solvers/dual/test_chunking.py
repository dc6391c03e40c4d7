"""Chunking and decomposition against SMO and the interior-point solver, and step by step against their own rules."""

import tracemalloc
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.solvers import (
    Gram,
    NotSeparable,
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
from sparsekm_edu.solvers.dual.chunking import chunking, chunking_steps, decomposition, decomposition_steps
from sparsekm_edu.solvers.dual.problem import gradient, optimality_gap, slopes

N = 120
rng = np.random.default_rng(0)
t = np.where(np.arange(N) % 2, 1.0, -1.0)
X = rng.normal(size=(N, 2))
X[:, 0] += t
K = Gaussian()(X)
y = np.sinc(X[:, 0]) + 0.1 * rng.normal(size=N)
APART = Gaussian()(X + 3 * np.column_stack([t, t]))

#: name -> problem, KKT gap to ask for: in the last four y(x) is small, because the a_n sum to 1 or less
PROBLEMS = {
    "hard margin": (hard_margin(APART, t), 1e-4),
    "soft margin": (soft_margin(K, t, C=1.0), 1e-5),
    "soft margin, C for each point": (soft_margin(K, t, C=np.linspace(0.1, 20.0, N)), 1e-5),
    "epsilon-regression": (epsilon_regression(K, y, C=1.0, epsilon=0.1), 1e-5),
    "epsilon-regression, no tube": (epsilon_regression(K, y, C=1.0, epsilon=0.0), 1e-5),
    "nu-regression": (nu_regression(K, y, C=20.0, nu=0.3), 1e-5),
    "nu-classification": (nu_classification(K, t, nu=0.6), 1e-6),
    "one class": (one_class(K, nu=0.2), 1e-7),
    "one class, weighted": (one_class(K, nu=0.2, weight=np.arange(1, N + 1)), 1e-7),
    "smallest sphere": (smallest_sphere(K, nu=0.2), 1e-7),
}
SOLVERS = {chunking: chunking_steps, decomposition: decomposition_steps}
every_problem = pytest.mark.parametrize("name", PROBLEMS)
both = pytest.mark.parametrize("solver", SOLVERS)


@every_problem
@both
def test_equals_smo_and_the_interior_point_solver(name, solver):
    problem, tol = PROBLEMS[name]
    ours, other, third = solver(problem, tol=tol, size=40), smo(problem, tol=1e-10), qp(problem)
    referee = kkt(problem, ours)
    assert ours.converged
    assert referee.violation <= tol
    assert referee.feasibility <= 1e-14 * N * np.abs(ours.v).max()
    assert ours.objective == pytest.approx(other.objective, rel=1e-6)
    assert ours.objective == pytest.approx(third.objective, rel=1e-6)
    f, f_other = K @ ours.v + ours.b, K @ other.v + other.b
    np.testing.assert_allclose(f, f_other, atol=1e-2 * np.abs(f_other).max())
    for found in ("a_hat", "rho", "epsilon"):
        assert (getattr(ours, found) is None) == (getattr(other, found) is None)


def gap_inside(problem, step):
    """The most that moving weight between two variables of the working set can still gain per unit."""
    rise, fall = slopes(problem, step.v)
    gaps = []
    for k in np.unique(problem.group[step.working]):
        members = step.working[problem.group[step.working] == k]
        gaps.append(np.max((step.g + fall)[members]) - np.min((step.g + rise)[members]))
    return max(gaps)


@every_problem
@both
def test_steps_keep_their_promises(name, solver):
    """The dual value rises; nobody outside the working set moves; inside it nothing is left to gain."""
    problem, tol = PROBLEMS[name]
    size = 20
    steps = list(SOLVERS[solver](problem, tol=tol, size=size, max_iter=30))
    assert len(steps) > 2
    assert len(steps[0].working) == 0
    np.testing.assert_allclose(problem.group_sums(steps[0].v), problem.total, rtol=1e-14)
    for before, after in zip(steps, steps[1:], strict=False):
        W, support = after.working, np.flatnonzero(before.v)
        assert after.objective > before.objective
        assert after.kernel_entries >= before.kernel_entries
        fresh = optimality_gap(problem, after.v, gradient(problem, after.v))
        assert after.gap == pytest.approx(fresh, abs=1e-12)
        outside = np.setdiff1d(np.arange(len(after.v)), W)
        np.testing.assert_array_equal(after.v[outside], before.v[outside])
        assert gap_inside(problem, after) <= max(tol, 1e-2 * before.gap)
        if solver is chunking:
            assert np.isin(support, W).all()
            assert len(W) <= len(support) + size
        else:
            assert len(W) <= size


@both
def test_the_solver_is_the_last_of_its_steps(solver):
    problem, tol = PROBLEMS["soft margin"]
    *_, last = steps = list(SOLVERS[solver](problem, tol, size=30))
    solution = solver(problem, tol, size=30)
    np.testing.assert_array_equal(solution.v, last.v)
    assert (solution.n_iter, solution.objective) == (len(steps) - 1, last.objective)
    assert solution.kernel_entries == last.kernel_entries
    assert steps[-2].gap > tol >= last.gap
    assert last.gap == optimality_gap(
        problem, last.v, gradient(problem, last.v)
    )  # the certificate is a fresh one


@both
def test_worst_violators_come_first(solver):
    """Regression starts with v = 0 and g = -t: the largest targets want to rise, the smallest to fall."""
    problem = epsilon_regression(K, y, C=1.0, epsilon=0.1)
    _, first, *_ = SOLVERS[solver](problem, size=20)
    order, half = np.argsort(y), 10 if solver is chunking else 5
    np.testing.assert_array_equal(first.working, np.sort(np.append(order[:half], order[-half:])))


@both
def test_pairs_by_hand(solver):
    """Two points at distance 2 apart, (7.10): a = 2 / 4; with a working set of two the first step is SMO's."""
    problem = hard_margin(Linear()(np.array([[0.0], [2.0], [5.0]])), np.array([1.0, -1.0, -1.0]))
    _, first, *_ = SOLVERS[solver](problem, size=2)
    np.testing.assert_array_equal(first.working, [0, 1])
    np.testing.assert_allclose(first.v, [0.5, -0.5, 0.0], atol=1e-9)
    solution = solver(problem, size=2)
    assert (solution.n_iter, solution.converged) == (1, True)
    assert solution.b == pytest.approx(1.0)
    assert solution.objective == pytest.approx(0.5)
    assert solution.kernel_entries == 6


@both
def test_few_support_vectors_need_few_kernel_entries(solver):
    """Far fewer than N^2, and those reported are those computed."""
    many = np.random.default_rng(1).normal(size=(400, 2))
    labels = np.where(many[:, 0] > 0, 1.0, -1.0)
    many[:, 0] += 2 * labels
    computed = []

    def rows(indices):
        computed.extend(indices)
        return Gaussian(0.1)(many[indices], many)

    on_demand = soft_margin(Gram(np.ones(400), rows), labels, C=10.0)
    solution = solver(on_demand, size=20)
    assert len(solution.support) < 25
    assert len(set(computed)) == len(computed) < 100
    assert solution.kernel_entries == 400 * len(computed)
    from_matrix = solver(soft_margin(Gaussian(0.1)(many), labels, C=10.0), size=20)
    assert from_matrix.kernel_entries == solution.kernel_entries
    np.testing.assert_allclose(from_matrix.v, solution.v, atol=1e-6)
    assert kkt(on_demand, solution).violation <= 1e-3


@both
def test_kernel_entries_of_points_not_of_variables(solver):
    """In nu-regression a_n and a-hat_n share one row of K, and rows have N entries, not 2 N."""
    computed = []

    def rows(indices):
        computed.extend(indices)
        return K[indices]

    problem = nu_regression(Gram(np.ones(N), rows), y, C=20.0, nu=0.1)
    solution = solver(problem, size=20)
    assert solution.kernel_entries == N * len(computed) < N**2


@both
def test_a_group_without_violators(solver):
    """One point against many: its multiplier is fixed by the sum, and only the other class has anybody to move."""
    alone = np.where(np.arange(N) == 7, 1.0, -1.0)
    problem = nu_classification(K, alone, nu=2 / N)
    _, first, *_ = SOLVERS[solver](problem, tol=1e-8, size=8)
    assert np.any(problem.group[first.working] == 0) == (solver is chunking)
    solution = solver(problem, tol=1e-7, size=40)
    assert solution.v[7] == 1 / N
    assert solution.objective == pytest.approx(smo(problem).objective, rel=1e-6)


@both
def test_nothing_to_do(solver):
    """A tube that holds all the data: v = 0 is optimal, no sub-problem is solved, and K is never looked at."""

    def rows(indices):
        raise AssertionError("nobody needs a row")

    solution = solver(epsilon_regression(Gram(np.ones(N), rows), y, C=1.0, epsilon=5.0))
    assert (solution.n_iter, solution.converged, solution.kernel_entries) == (0, True, 0)
    assert not solution.v.any()


@both
@pytest.mark.parametrize("nu", [1.0, 0.5])
def test_only_one_feasible_point(solver, nu):
    """With nu = 1 every a_n is at its limit, to rounding errors, and there is nothing to solve."""
    for n in (2, 6, 7, 49):
        problem = one_class(K[:n, :n], nu, weight=np.arange(1.0, n + 1))
        solution = solver(problem, tol=1e-7)
        assert solution.converged
        assert solution.n_iter == 0 or nu < 1
        np.testing.assert_allclose(solution.v, smo(problem).v, atol=1e-5)


def test_one_chunk_is_the_whole_problem():
    problem, _ = PROBLEMS["soft margin"]
    solution = chunking(problem, size=2 * N)
    assert solution.n_iter == 1
    np.testing.assert_allclose(solution.v, qp(problem).v, atol=1e-8)


@both
def test_same_again(solver):
    problem, _ = PROBLEMS["epsilon-regression"]
    np.testing.assert_array_equal(solver(problem, size=20).v, solver(problem, size=20).v)


@both
def test_pitfall_10_inseparable_hard_margin(solver):
    x = np.array([[0.0], [1.0], [2.0], [3.0]])
    with pytest.raises(NotSeparable, match="not separable with this kernel"):
        solver(hard_margin(Linear()(x), np.array([1.0, -1.0, 1.0, -1.0])))


@pytest.mark.parametrize("seed", [7, 17, 35, 49])
def test_a_narrow_margin_is_not_called_none(seed):
    """Random labels far apart under a narrow kernel: sub-problems may have large values, and still prove nothing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    problem = hard_margin(Gaussian(0.5)(X), np.where(rng.random(60) < 0.5, 1.0, -1.0))
    best = smo(problem).objective
    assert best > 1e5
    assert chunking(problem, size=10).objective == pytest.approx(best, rel=1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it may take very many sub-problems
        value = decomposition(problem, size=6, max_iter=2000).objective
    assert 0 < value <= best * (1 + 1e-9)


@both
def test_pitfall_7_indefinite_K_is_told(solver):
    x = np.array([1.0, 2.0])
    with pytest.warns(UserWarning, match="K is not positive semi-definite"):
        solver(soft_margin(np.tanh(np.outer(x, x) - 1), np.array([1.0, -1.0]), C=1.0))


@both
def test_pitfall_1_budget_spent(solver):
    problem, _ = PROBLEMS["soft margin"]
    with pytest.warns(ConvergenceWarning, match="max_iter = 2: KKT gap .* > tol = 0.001"):
        solution = solver(problem, max_iter=2, size=10)
    assert (solution.n_iter, solution.converged) == (2, False)
    assert 0 < solution.objective < smo(problem).objective
    assert kkt(problem, solution).feasibility <= 1e-12


@both
def test_ends_where_the_sub_problems_are_no_more_precise(solver):
    """tol = 1e-25 is out of reach of any solver: the loop must notice, and not go on until max_iter."""
    problem, _ = PROBLEMS["nu-classification"]
    with pytest.warns(ConvergenceWarning, match="KKT gap"):
        solution = solver(problem, tol=1e-25, size=60)
    assert solution.n_iter < 200
    assert solution.objective == pytest.approx(smo(problem, tol=1e-10).objective, rel=1e-6)


@both
def test_sub_problems_do_not_warn(solver):
    """What one sub-problem reaches is nobody's business: only the gap of the whole problem is."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert solver(PROBLEMS["hard margin"][0], size=30).converged


@both
def test_rows_29_and_30_tol_and_max_iter(solver):
    problem, _ = PROBLEMS["soft margin"]
    for tol in (0, -1.0, np.nan, "0.1"):
        with pytest.raises(ValueError, match="tol must be a number > 0"):
            solver(problem, tol=tol)
    for max_iter in (0, -1, 2.5):
        with pytest.raises(ValueError, match="max_iter must be a whole number >= 1"):
            solver(problem, max_iter=max_iter)


@both
def test_size_has_room_for_a_pair_in_each_group(solver):
    for size in (1, 2.5, "2"):
        with pytest.raises(ValueError, match="size must be a whole number >= 2, got"):
            solver(PROBLEMS["soft margin"][0], size=size)
    with pytest.raises(ValueError, match="size must be a whole number >= 4, got 3"):
        solver(PROBLEMS["nu-classification"][0], size=3)
    _, first, *_ = SOLVERS[solver](PROBLEMS["nu-classification"][0], size=4)
    assert len(first.working) >= 4


# ------------------------------------------------------------------ size, and memory


@pytest.mark.parametrize(
    ("n", "cache_mb", "size"), [(200, 400, 50), (2000, 400, 100), (30_000, 400, 1000), (30_000, 2, 8)]
)
def test_the_working_set_grows_with_the_problem_up_to_what_memory_holds(n, cache_mb, size):
    """Not asked for, it is a twentieth of the variables, between 50 and 1000, and never more than rows are kept."""
    labels = np.where(np.arange(n) % 2, 1.0, -1.0)
    gram = Gram(np.ones(n), lambda rows: np.eye(n)[rows] if n < 3000 else identity_rows(rows, n), cache_mb)
    _, first, *_ = chunking_steps(soft_margin(gram, labels, C=1.0), max_iter=1)
    assert len(first.working) == size


def identity_rows(rows, n):
    K = np.zeros((len(rows), n))
    K[np.arange(len(rows)), rows] = 1.0
    return K


@both
@every_problem
def test_few_rows_are_kept_and_the_answer_is_the_same(name, solver):
    """With room for 7 rows of 120 everything is computed again and again, and nothing else changes."""
    problem, tol = PROBLEMS[name]
    whole = problem.K
    gram = Gram(np.diagonal(whole).copy(), lambda rows: whole[rows], cache_mb=7 * 8 * N / 1e6)
    assert gram.n_kept == 7
    forgetful = replace(problem, gram=gram)
    solution = solver(forgetful, tol=tol, size=40)
    assert solution.objective == pytest.approx(solver(problem, tol=tol, size=40).objective, rel=1e-8)
    assert kkt(forgetful, solution).violation <= tol


@pytest.mark.parametrize("formulation", [soft_margin, nu_regression])
def test_decomposition_never_holds_all_of_K(formulation):
    """72 MB would be all of it; the fit, its certificate and the referee do with less than half."""
    n = 3000
    many = np.random.default_rng(2).normal(size=(n, 3))
    target = many[:, 0] + 0.3 * many[:, 1] ** 2
    decomposition(soft_margin(K, t, C=1.0))  # loads what is compiled
    tracemalloc.start()
    gram = Gram(np.ones(n), lambda rows: Gaussian(0.3)(many[rows], many), cache_mb=2)
    problem = (
        soft_margin(gram, np.sign(target), C=1.0)
        if formulation is soft_margin
        else nu_regression(gram, target, C=float(n), nu=0.1)
    )
    solution = decomposition(problem)
    violation = kkt(problem, solution).violation
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert solution.converged
    assert violation <= 1e-3
    assert len(solution.support) > 2 * gram.n_kept  # not even their rows fit
    assert peak < 30e6
