"""Joint multiclass problems against closed forms, an independent solver of the primal, and the soft margin."""

import warnings

import cvxpy
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.solvers import smo, soft_margin
from sparsekm_edu.solvers.dual.joint import (
    JointSolution,
    _biases,
    interior_point,
    joint_kkt,
    joint_qp,
    lee,
    weston_watkins,
)

FORMULATIONS = pytest.mark.parametrize("formulation", [weston_watkins, lee])
SOLVERS = pytest.mark.parametrize("solver", [interior_point, joint_qp])


def ring(n, n_classes, seed=0, unbalanced=False, rounded=False):
    """Overlapping classes around a circle; rounded to whole numbers, many points coincide, also across classes."""
    rng = np.random.default_rng(seed)
    label = np.arange(n) % n_classes
    if unbalanced:
        label = np.where(rng.random(n) < 0.8, 0, label)
        label[:n_classes] = np.arange(n_classes)
    angle = 2 * np.pi * label / n_classes
    X = rng.normal(size=(n, 2)) + 1.2 * np.column_stack([np.cos(angle), np.sin(angle)])
    return np.round(X) if rounded else X, label


@st.composite
def joint_problems(draw):
    """2 to 40 points, 2 to 5 classes, some of one point, duplicates, C over six decades and differing by point."""
    n_classes = draw(st.integers(2, 5))
    n = draw(st.integers(n_classes, 40))
    X, label = ring(n, n_classes, draw(st.integers(0, 10**6)), draw(st.booleans()), draw(st.booleans()))
    kernel = draw(st.sampled_from([Linear(), Polynomial(), Gaussian(0.05), Gaussian(1.0), Gaussian(10.0)]))
    C = 10.0 ** draw(st.integers(-3, 3))
    if draw(st.booleans()):
        C = C * np.random.default_rng(n).choice([0.1, 1.0, 2.0], size=n)
    return draw(st.sampled_from([weston_watkins, lee]))(kernel(X), label, C)


def values(problem, solution):
    """All f_k at the training points, (N, n_classes)."""
    return problem.K @ solution.v + solution.b


def primal(formulation, K, label, C, solution):
    """The objectives of the two papers, written down from their losses, class by class and point by point."""
    f = K @ solution.v + solution.b
    n_classes = f.shape[1]
    total = 0.5 * sum(solution.v[:, k] @ K @ solution.v[:, k] for k in range(n_classes))
    for n, t in enumerate(label):
        for k in set(range(n_classes)) - {t}:
            if formulation is weston_watkins:
                total += C * max(0.0, 2.0 - f[n, t] + f[n, k])
            else:
                total += C * max(0.0, f[n, k] + 1.0 / (n_classes - 1))
    return total


# ------------------------------------------------------------------ closed forms


@SOLVERS
@pytest.mark.parametrize("n_classes", range(2, 7))
def test_one_point_per_class_at_right_angles(solver, n_classes):
    """K = I. By symmetry all a are equal: 2/K (Weston-Watkins) and K/(K-1) (Lee) where C allows it, and b = 0."""
    eye, label = np.eye(n_classes), np.arange(n_classes)
    for formulation, a in ((weston_watkins, 2 / n_classes), (lee, n_classes / (n_classes - 1))):
        for C in (10.0, 0.5 * a):
            problem = formulation(eye, label, C)
            solution = solver(problem)
            alpha = min(a, C)
            exact = alpha * (
                (n_classes * eye - 1) if formulation is weston_watkins else (eye - 1 / n_classes)
            )
            np.testing.assert_allclose(solution.a, alpha, rtol=1e-6)
            np.testing.assert_allclose(solution.v, exact, atol=1e-6)
            np.testing.assert_allclose(solution.b, 0, atol=1e-6)


@SOLVERS
def test_only_biases(solver):
    """All points in one place, K = 0, with 8, 7 and 5 of the classes: what is left are two linear programs.

    No class has half of the points. Lee's machine puts the first class above the others; Weston and Watkins' leaves
    the first two equal. (By hand: the slopes of the two objectives in b.)
    """
    label = np.repeat([0, 1, 2], [8, 7, 5])
    K = np.zeros((20, 20))
    np.testing.assert_allclose(solver(lee(K, label, 1.0)).b, [1.0, -0.5, -0.5], atol=1e-6)
    np.testing.assert_allclose(solver(weston_watkins(K, label, 1.0)).b, [2 / 3, 2 / 3, -4 / 3], atol=1e-6)


def test_two_points_exactly():
    """As in the tests of SMO: (0, 0), (2, 0) -> y(x) = 1 - x_1 for class 1 at the first point."""
    K = Linear()(np.array([[0.0, 0.0], [2.0, 0.0]]))
    for problem in (weston_watkins(K, [1, 0], 10.0), lee(K, [1, 0], 10.0)):
        solution = interior_point(problem)
        np.testing.assert_allclose(solution.v, [[-0.5, 0.5], [0.5, -0.5]], rtol=1e-12)
        np.testing.assert_allclose(solution.b, [-1.0, 1.0], rtol=1e-12)
        assert solution.objective == pytest.approx(1.0, rel=1e-12)  # twice that of the soft margin


# ------------------------------------------------------------------ certificates and oracles


@given(joint_problems())
def test_certificate_on_every_fit(problem):
    """Reached in 960 problems of this kind: 1e-12, 1e-12 and 1e-12."""
    solution = interior_point(problem)
    referee = joint_kkt(problem, solution)
    assert solution.converged
    assert solution.n_iter < 60
    assert referee.violation <= 1e-8
    assert referee.feasibility <= 1e-11 * problem.limit.sum()
    # C times a slack that is nothing but a rounding error counts, too
    assert abs(referee.duality_gap) <= 1e-9 * solution.objective + 1e-12 * problem.limit.sum()
    assert np.all((solution.a >= 0) & (solution.a <= problem.limit))
    np.testing.assert_allclose(solution.v.sum(axis=1), 0, atol=1e-11 * problem.limit.max())  # sum_k w_k = 0
    assert abs(solution.b.sum()) <= 1e-9 * (1 + np.abs(solution.b).max())


@FORMULATIONS
@pytest.mark.parametrize(
    ("n", "n_classes", "unbalanced", "rounded"),
    [(12, 2, False, False), (12, 3, True, False), (30, 3, False, True), (60, 3, False, False), (40, 4, True, True),
     (60, 5, False, False)],
)  # fmt: skip
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5), Gaussian(10.0)], ids=repr)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_equals_the_primal_by_clarabel(formulation, n, n_classes, unbalanced, rounded, kernel, C):
    """Objectives to 1e-6; outputs to 1e-4 where Clarabel itself is certain of them to 1e-4."""
    X, label = ring(n, n_classes, seed=n, unbalanced=unbalanced, rounded=rounded)
    problem = formulation(kernel(X), label, C)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of Clarabel's multipliers where points coincide
        theirs = joint_qp(problem)
    ours = interior_point(problem)
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-6)
    assert primal(formulation, problem.K, label, C, ours) == pytest.approx(ours.objective, rel=1e-8)
    uncertain = joint_kkt(problem, theirs).violation
    np.testing.assert_allclose(values(problem, ours), values(problem, theirs), atol=1e-4 + 10 * uncertain)


@given(
    st.integers(2, 30), st.integers(0, 1000), st.integers(-3, 3), st.sampled_from([Linear(), Gaussian(1.0)])
)
def test_two_classes_are_the_soft_margin(n, seed, log_C, kernel):
    """Weston-Watkins with C and Lee with 2 C; the middle of the interval where b is not unique included."""
    X, label = ring(n, 2, seed, unbalanced=seed % 2)
    K, C = kernel(X), 10.0**log_C
    binary = smo(soft_margin(K, 2.0 * label - 1.0, C), tol=1e-10)
    from_walls = np.minimum(binary.a, C - binary.a)
    assume(
        not np.any((from_walls > 0) & (from_walls < 1e-9 * C))
    )  # free by rounding error, and b depends on it
    y = K @ binary.v + binary.b
    for problem in (weston_watkins(K, label, C), lee(K, label, 2 * C)):
        f = values(problem, interior_point(problem))
        np.testing.assert_allclose((f[:, 1] - f[:, 0]) / 2, y, atol=1e-7 * (1 + np.abs(y).max()))


@FORMULATIONS
@pytest.mark.parametrize("seed", range(5))
def test_the_polish_finishes_what_a_few_steps_began(formulation, seed):
    """Newton's method stopped half way has some variables at the wrong walls; the active-set method sorts them out."""
    X, label = ring(30, 3, seed)
    problem = formulation(Gaussian()(X), label, 1.0)
    few, enough = interior_point(problem, max_iter=5), interior_point(problem)
    assert few.n_iter == 5 < enough.n_iter
    assert joint_kkt(problem, few).violation <= 1e-10
    assert few.objective == pytest.approx(enough.objective, rel=1e-12)


def test_referee_from_first_principles():
    X, label = ring(9, 3)
    problem = weston_watkins(Gaussian()(X), label, 2.0)
    zero = JointSolution(np.zeros(18), np.zeros((9, 3)), np.zeros(3), 0.0, 0, False)
    referee = joint_kkt(problem, zero)
    assert referee.violation == 2.0  # every margin is missed by 2
    assert referee.feasibility == 0.0
    assert referee.duality_gap == 2.0 * 18 * 2.0  # C for each of 18 slacks of 2
    outside = np.zeros(18)
    outside[:2] = 5.0, -1.0  # sum_j a_j c_j = 5 (1, -1, 0) - (1, 0, -1) = (4, -5, 1)
    assert joint_kkt(problem, JointSolution(outside, None, np.zeros(3), 0.0, 0, False)).feasibility == 5.0
    too_high = JointSolution(np.full(18, 2.0), None, 100.0 * np.eye(3)[0], 0.0, 0, False)
    h = problem.slopes(too_high.a, too_high.b)
    assert joint_kkt(problem, too_high).violation == pytest.approx(h.max())


# ------------------------------------------------------------------ symmetries


@given(joint_problems(), st.integers(0, 1000))
def test_order_of_points(problem, seed):
    """Shuffled points: the same machine."""
    rng = np.random.default_rng(seed)
    n, n_classes = len(problem.K), problem.c.shape[1]
    order = rng.permutation(n)
    label = _label(problem)
    C = _per_point(problem)
    formulation = weston_watkins if problem.margin == 2.0 else lee
    shuffled = formulation(problem.K[np.ix_(order, order)], label[order], C[order])
    f, g = values(problem, interior_point(problem)), values(shuffled, interior_point(shuffled))
    np.testing.assert_allclose(g, f[order], atol=1e-6)
    relabel = rng.permutation(n_classes)
    renamed = formulation(problem.K, relabel[label], C)
    np.testing.assert_allclose(values(renamed, interior_point(renamed))[:, relabel], f, atol=1e-6)


@given(joint_problems(), st.integers(0, 1000))
def test_weight_k_is_k_copies(problem, seed):
    weight = np.random.default_rng(seed).integers(1, 4, size=len(problem.K))
    copies = np.repeat(np.arange(len(problem.K)), weight)
    label, C = _label(problem), _per_point(problem)
    formulation = weston_watkins if problem.margin == 2.0 else lee
    weighted = formulation(problem.K, label, C * weight)
    copied = formulation(problem.K[np.ix_(copies, copies)], label[copies], C[copies])
    f, g = values(weighted, interior_point(weighted)), values(copied, interior_point(copied))
    np.testing.assert_allclose(g, f[copies], atol=1e-6)


def _label(problem):
    """Back from the variables to the points: the one class that is not wrong."""
    wrong = problem.c.argmin(axis=1)
    present = np.zeros((len(problem.K), problem.c.shape[1]), dtype=bool)
    present[problem.point, wrong] = True
    return present.argmin(axis=1)


def _per_point(problem):
    C = np.empty(len(problem.K))
    C[problem.point] = problem.limit
    return C


@FORMULATIONS
def test_biases_in_the_middle(formulation):
    """All multipliers at C: b is not unique, every b allowed is optimal, and ours keeps away from all limits."""
    X, label = ring(30, 3, seed=3)
    problem = formulation(Gaussian()(X), label, 1e-3)
    solution = interior_point(problem)
    assert np.all(solution.a == 1e-3)
    room = np.min(-problem.slopes(solution.a, solution.b))
    assert room > 0.1  # nobody has reached its margin yet
    rng = np.random.default_rng(0)
    for step in 0.05 * rng.normal(size=(200, 3)):
        other = solution.b + step - step.mean()
        moved = JointSolution(solution.a, solution.v, other, solution.objective, 0, True)
        if np.min(-problem.slopes(solution.a, other)) >= 0:
            assert joint_kkt(problem, moved).duality_gap == pytest.approx(0, abs=1e-12)
        assert np.min(-problem.slopes(solution.a, other)) <= room + 1e-9
    np.testing.assert_allclose(_biases(problem, solution.a), solution.b)


# ------------------------------------------------------------------ limits


def test_as_large_as_promised():
    """1500 variables and more, to full precision."""
    X, label = ring(500, 4, seed=5)
    problem = weston_watkins(Gaussian()(X), label, 1.0)
    assert len(problem.c) == 1500
    solution = interior_point(problem)
    referee = joint_kkt(problem, solution)
    assert referee.violation <= 1e-10
    assert abs(referee.duality_gap) <= 1e-10 * solution.objective


@FORMULATIONS
@SOLVERS
def test_all_points_in_one_place(formulation, solver):
    label = np.arange(12) % 3
    for K in (np.ones((12, 12)), np.zeros((12, 12))):
        problem = formulation(K, label, 2.0)
        solution = solver(problem)
        np.testing.assert_allclose(values(problem, solution), 0, atol=1e-6)
        assert joint_kkt(problem, solution).violation <= 1e-6


def test_data_far_from_the_origin():
    X, label = ring(40, 3)
    near, far = (weston_watkins(Linear()(X + shift), label, 1.0) for shift in (0.0, 1000.0))
    np.testing.assert_allclose(
        values(far, interior_point(far)), values(near, interior_point(near)), atol=1e-6
    )


def test_not_converged_is_said():
    X, label = ring(60, 3)
    problem = weston_watkins(Linear()(1e4 * X), label, 1e6)
    with pytest.warns(
        ConvergenceWarning, match=r"1 iterations \(max_iter = 1\): KKT violation .* C = 1e\+06.*scaling"
    ):
        solution = interior_point(problem, max_iter=1)
    assert not solution.converged
    assert solution.n_iter == 1
    assert np.isfinite(solution.v).all()
    assert np.isfinite(solution.b).all()


def test_indefinite_gram_matrix():
    """Pitfall 7: Clarabel's way refuses it, ours warns and takes the nearest matrix that is none."""
    X, label = ring(20, 3)
    K = np.tanh(Linear()(X) - 1.0)
    problem = lee(K, label, 1.0)
    with pytest.raises(ValueError, match="positive semi-definite, got a smallest eigenvalue of -"):
        joint_qp(problem)
    with pytest.warns(UserWarning, match="Negative eigenvalues are taken as 0"):
        solution = interior_point(problem)
    eigenvalues, vectors = np.linalg.eigh(K)
    clipped = lee((vectors * np.maximum(eigenvalues, 0)) @ vectors.T, label, 1.0)
    assert joint_kkt(clipped, solution).duality_gap <= 1e-9 * solution.objective + 1e-9


@SOLVERS
def test_bad_numbers(solver):
    problem = lee(np.eye(3), [0, 1, 2], 1.0)
    for tol in (0, -1.0, np.nan, "1"):
        with pytest.raises(ValueError, match="tol must be a number > 0, got"):
            solver(problem, tol=tol)
    for max_iter in (0, -1, 2.5):
        with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
            solver(problem, max_iter=max_iter)


@FORMULATIONS
def test_bad_problems(formulation):
    for label in ([0, 0, 0], [0, 1, 3], [0, 1], [[0], [1], [2]], [-1, 0, 1]):
        with pytest.raises(ValueError, match="label must hold 3 class indices"):
            formulation(np.eye(3), label, 1.0)
    for C in (0, -1.0, np.inf, np.nan, [1.0, 2.0], [1.0, 1.0, np.inf]):
        with pytest.raises(ValueError, match="C must be a number > 0"):
            formulation(np.eye(3), [0, 1, 2], C)
    with pytest.raises(ValueError, match="square matrix"):
        formulation(np.ones((3, 2)), [0, 1, 2], 1.0)


def test_clarabel_missing(monkeypatch):
    monkeypatch.setattr(cvxpy, "installed_solvers", lambda: [])
    with pytest.raises(ImportError, match="CLARABEL"):
        joint_qp(lee(np.eye(3), [0, 1, 2], 1.0))
