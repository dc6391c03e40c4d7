"""Figures 7.3 and 7.4 alive: the claims of the lesson hold wherever the sliders and the points are."""

import numpy as np
import pytest
from sklearn.svm import SVC as LIBSVM

from sparsekm_edu import datasets, explorers
from sparsekm_edu.solvers import hard_margin, nu_classification, qp, smo, soft_margin


def number(facts, label):
    return float(facts[label])


@pytest.mark.parametrize("C", [0.01, 0.1, 1.0, 10.0, 1000.0])
def test_soft_margin_shows_what_an_independent_solver_finds(make, C):
    explorer = make("soft_margin")
    explorer.set(C=C)
    X, t = explorer.state.X, explorer.state.t
    expected = qp(soft_margin(X @ X.T, t, C))
    w, b = explorer.picture.line
    np.testing.assert_allclose(w, expected.v @ X, atol=1e-5)
    np.testing.assert_allclose(w, LIBSVM(C=C, kernel="linear", tol=1e-8).fit(X, t).coef_[0], atol=1e-4)
    facts = explorer.picture.facts
    assert facts["cost (7.21)"] == facts["dual (7.32)"]  # no gap
    assert number(facts, "dual (7.32)") == pytest.approx(expected.objective, rel=1e-4)
    assert facts["KKT violation"] == "< 1e-8"
    if C < 1000:  # where b is no interval
        np.testing.assert_allclose(b, expected.b, atol=1e-4)


def test_soft_margin_kinds_of_points_go_with_kinds_of_multipliers(make):
    explorer, rng = make("soft_margin"), np.random.default_rng(3)
    for _ in range(60):
        index, (u, v) = int(rng.integers(30)), rng.uniform(0, 0.6, 2)
        explorer._on_gesture({"type": "move", "index": index, "u": u, "v": v})
        explorer.set(C=10 ** rng.uniform(-2, 3))
        assert explorer.message == ""
        X, t, C, a = explorer.state.X, explorer.state.t, explorer.state.C, explorer.picture.a
        w, b = explorer.picture.line
        margin = t * (X @ w + b)
        assert (margin[a == 0] >= 1 - 1e-6).all()
        np.testing.assert_allclose(margin[(a > 0) & (a < C)], 1, atol=1e-6)
        assert (margin[a == C] <= 1 + 1e-6).all()
        facts = explorer.picture.facts
        kinds = [
            number(facts, label) for label in ("ξ = 0, no slack", "0 < ξ ≤ 1, inside", "ξ > 1, misclassified")
        ]
        assert sum(kinds) == len(t)
        assert kinds[2] == np.sum(margin < 0)
        assert number(facts, "sum of ξₙ") >= kinds[2]


def test_soft_margin_small_price_fills_every_box_and_the_margin_only_shrinks_with_C(make):
    explorer = make("soft_margin")
    margins = []
    for C in np.logspace(-2, 3, 26):
        explorer.set(C=C)
        margins.append(1 / np.linalg.norm(explorer.picture.line[0]))
        if C == 0.01:
            assert (explorer.picture.a == C).all()
    assert (np.diff(margins) <= 1e-9).all()


def test_soft_margin_exercise_14_2_a_small_price_need_not_separate_separable_classes():
    X, t = datasets.separable()
    X, t = np.vstack([X, (0.6, 0.3)]), np.append(t, -1.0)
    hard = smo(hard_margin(X @ X.T, t))
    explorer = explorers.soft_margin(X=X, t=t)
    wrong = []
    for C in (0.1, 1.0, 1000.0):
        explorer.set(C=C)
        wrong.append(number(explorer.picture.facts, "ξ > 1, misclassified"))
    assert wrong[0] > 0
    assert wrong[-1] == 0
    np.testing.assert_allclose(explorer.picture.line[0], hard.v @ X, rtol=1e-9)
    np.testing.assert_allclose(explorer.picture.a, hard.a, atol=1e-9)
    explorer.reset()
    np.testing.assert_array_equal(explorer.state.X, X)
    explorer.close()


def test_soft_margin_says_so_when_there_is_no_direction(make):
    explorer = make("soft_margin")
    explorer.set(X=np.zeros((4, 2)), t=np.array([1.0, 1.0, -1.0, -1.0]))
    assert "no line pays for itself" in explorer.message
    explorer.set(X=np.array([(0.0, 0.0), (1.0, 1.0)]), t=np.array([1.0, -1.0]))
    assert explorer.message == ""


def fractions(explorer):
    facts = explorer.picture.facts
    return [number(facts, label) for label in ("margin errors / N", "ν", "support vectors / N")]


@pytest.mark.parametrize("gamma", [0.01, 0.45, 5.0, 30.0])
def test_nu_margin_nu_lies_between_its_bounds(make, gamma):
    explorer = make("nu_margin")
    explorer.set(gamma=gamma)
    for nu in (0.1, 0.2, 0.3, 0.55, 0.8, 1.0):
        explorer.set(nu=nu)
        assert explorer.message == ""
        errors, shown, support = fractions(explorer)
        assert errors <= shown <= support
        assert shown == nu
        facts = explorer.picture.facts
        assert number(facts, "sum of aₙ") == nu
        assert number(facts, "misclassified / N") <= errors
        assert facts["its KKT violation"] == "< 1e-8"


def test_nu_margin_is_a_soft_margin_for_any_number_of_points(make):
    """1/N times N is not always 1: for N = 49 the multipliers would seem to be below their limit."""
    explorer = make("nu_margin")
    for n in range(40, 60):
        X, t = datasets.overlapping(n=n)
        explorer.set(X=X, t=t)
        assert explorer.picture.facts["its KKT violation"] == "< 1e-8"


def test_nu_margin_after_dragging_still_lies_between_and_is_what_qp_finds(make):
    explorer, rng = make("nu_margin"), np.random.default_rng(1)
    for _ in range(20):
        index, (u, v) = int(rng.integers(80)), rng.uniform(0.2, 0.7, 2)
        explorer._on_gesture({"type": "move", "index": index, "u": u, "v": v})
        errors, nu, support = fractions(explorer)
        assert errors <= nu <= support
    state = explorer.state
    K = np.exp(-state.gamma * np.sum((state.X[:, None] - state.X) ** 2, axis=2))
    expected = qp(nu_classification(K, state.t, state.nu))
    np.testing.assert_allclose(explorer.picture.y, (K @ expected.v + expected.b) / expected.rho, atol=1e-3)


@pytest.mark.parametrize("nu", [0.2, 0.5, 0.9])
def test_nu_margin_the_soft_margin_with_the_C_shown_is_the_same_machine(make, nu):
    explorer = make("nu_margin")
    explorer.set(nu=nu)
    state = explorer.state
    C = number(explorer.picture.facts, "the same C = 1/(Nρ)")  # four digits
    machine = LIBSVM(C=C, gamma=state.gamma, tol=1e-8).fit(state.X, state.t)
    np.testing.assert_allclose(machine.decision_function(state.X), explorer.picture.y, atol=2e-3)


def test_nu_margin_explains_infeasible_nu_and_recovers(make):
    explorer = make("nu_margin")
    explorer.set(nu=0.7)
    explorer.drop_half()
    assert np.sum(explorer.state.t > 0) == 20
    assert "at most 0.6667" in explorer.message
    assert explorer.canvas.stale
    explorer.set(nu=0.66)
    assert explorer.message == ""
    assert explorer.picture.facts["largest ν possible"] == "0.6667"
    errors, nu, support = fractions(explorer)
    assert errors <= nu <= support


def test_nu_margin_says_when_no_margin_is_left(make):
    explorer = make("nu_margin")
    explorer.set(nu=0.02, gamma=0.01)
    assert "as good as 0" in explorer.message
    explorer.set(nu=0.3)
    assert explorer.message == ""


@pytest.mark.parametrize("nu", [0.2, 0.6])
def test_nu_margin_tells_rho_as_a_level_and_as_a_distance(make, nu):
    explorer = make("nu_margin")
    explorer.set(nu=nu)
    state = explorer.state
    K = np.exp(-state.gamma * np.sum((state.X[:, None] - state.X) ** 2, axis=2))
    expected = qp(nu_classification(K, state.t, nu))
    distance = number(explorer.picture.facts, "as a distance, ρ/|w|")
    assert number(explorer.picture.facts, "level ρ") == pytest.approx(expected.rho, rel=1e-3)
    C = number(explorer.picture.facts, "the same C = 1/(Nρ)")
    twin = smo(soft_margin(K, state.t, C))  # its margin is at the level 1, 1/|w| away
    assert distance == pytest.approx(1 / np.sqrt(twin.v @ K @ twin.v), rel=2e-3)
