"""SMO step by step, and the path over all C: what the explorers show is what independent solvers find."""

import numpy as np
import pytest
from sklearn.svm import SVC as LIBSVM

from sparsekm_edu import datasets
from sparsekm_edu.explorers.svm.training import GRID, KERNEL, KERNELS
from sparsekm_edu.figures.svm.training import LONGEST
from sparsekm_edu.solvers import qp, soft_margin

RULES = "second-order", "first-order", "random"


def points_of_grid():
    return np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2)


def dual_value(X, t, a):
    return a.sum() - 0.5 * (a * t) @ KERNEL(X) @ (a * t)  # (7.32)


# SMO


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("C", [0.1, 2.0, 10.0])
def test_smo_the_dual_never_falls_and_ends_where_cvxpy_does(make, rule, C):
    explorer = make("smo_player")
    explorer.set(rule=rule, C=C, step=10**6)
    X, t, steps = explorer.state.X, explorer.state.t, explorer.picture.steps
    values = np.array([dual_value(X, t, step.v * t) for step in steps])
    assert np.diff(values).min() > -1e-12 * values[-1]
    assert explorer.picture.facts["falls of L so far"] == "0"
    best = qp(soft_margin(KERNEL(X), t, C)).objective
    assert explorer.picture.best == pytest.approx(best, rel=1e-8)
    assert values[-1] == pytest.approx(best, rel=1e-4)
    assert float(explorer.picture.facts["KKT gap"]) <= 1e-3


def test_smo_every_step_stays_in_the_box_and_on_the_line(make):
    explorer = make("smo_player")
    t, v = explorer.state.t, np.zeros(24)
    for step in explorer.picture.steps[1:]:
        moved = np.flatnonzero(step.v != v)
        assert set(moved) <= set(step.pair)
        assert step.v.sum() == pytest.approx(0, abs=1e-12)  # (7.34)
        assert ((step.v * t >= 0) & (step.v * t <= 2.0)).all()  # (7.33)
        v = step.v


def test_smo_the_readout_tells_the_step_in_the_book_s_letters(make):
    explorer = make("smo_player")
    for k, step in enumerate(explorer.picture.steps[1:], 1):
        explorer.set(step=k)
        facts, (i, j), t = explorer.picture.facts, step.pair, explorer.state.t
        assert facts["step"] == f"{k} of 28"
        assert facts["pair i, j"] == f"{i}, {j}"
        a_i, a_j = (float(facts[name].split(" → ")[1]) for name in ("aᵢ", "aⱼ"))
        assert (a_i, a_j) == pytest.approx(np.abs(step.v[[i, j]]), abs=5e-4)
        held = float(facts["aᵢtᵢ + aⱼtⱼ"].split()[1])
        assert held == pytest.approx(t[i] * a_i + t[j] * a_j, abs=2e-3)
        assert (facts["stopped by"] == "no wall") == (step.step == step.unclipped)
        for hit in facts["stopped by"].split(", "):
            if hit != "no wall":
                name, wall = hit.split(" = ")
                assert {"aᵢ": a_i, "aⱼ": a_j}[name] == {"0": 0.0, "C": 2.0}[wall]


@pytest.mark.parametrize("k", [1, 5, 28])
def test_smo_the_surface_is_that_of_the_multipliers_so_far(make, k):
    explorer = make("smo_player")
    explorer.set(step=k)
    v = explorer.picture.steps[k].v
    without_b = (KERNEL(points_of_grid(), explorer.state.X) @ v).reshape(explorer.picture.Y.shape)
    b = explorer.picture.Y - without_b
    assert np.ptp(b) < 1e-9
    if k == 28:
        theirs = LIBSVM(C=2.0, gamma=0.5, tol=1e-6).fit(explorer.state.X, explorer.state.t)
        assert b.mean() == pytest.approx(theirs.intercept_[0], abs=2e-3)


def test_smo_before_the_first_step_nothing_is_known(make):
    explorer = make("smo_player")
    explorer.set(step=0)
    assert explorer.message == ""
    assert np.ptp(explorer.picture.Y) == 0
    assert explorer.picture.facts["L(a)"] == "0.0000"
    assert explorer.picture.facts["KKT gap"] == "2.0000"


def test_smo_a_dragged_point_starts_a_new_run_and_the_step_stays_if_it_can(make):
    explorer = make("smo_player")
    explorer.set(step=20)
    X = explorer.state.X.copy()
    X[0] = 1.5, 1.0
    explorer.set(X=X)
    assert explorer.state.step == min(20, len(explorer.picture.steps) - 1)
    explorer.set(C=0.1)
    assert explorer.state.step == len(explorer.picture.steps) - 1 == 12
    assert all(step.step < step.unclipped for step in explorer.picture.steps[1:])


def test_smo_rules_differ_in_the_number_of_steps(make):
    explorer = make("smo_player")
    lengths = []
    for rule in RULES:
        explorer.set(rule=rule)
        lengths.append(len(explorer.picture.steps) - 1)
    assert lengths[:2] == [28, 44]
    assert 200 < lengths[2] < 400


def test_smo_a_run_that_takes_too_long_is_cut(make):
    explorer = make("smo_player")
    X, t = datasets.overlapping(60)
    explorer.set(X=X, t=t, rule="random", C=30.0, step=10**6)
    assert explorer.message == ""
    assert explorer.state.step == len(explorer.picture.steps) - 1 == LONGEST


# the path


@pytest.mark.parametrize("kernel", list(KERNELS))
@pytest.mark.parametrize("C", [0.01, 0.2, 0.4, 1.0, 7.0, 100.0])
def test_path_shows_what_cvxpy_finds(make, kernel, C):
    explorer = make("path")
    explorer.set(kernel=kernel, C=C)
    assert explorer.message == ""
    X, t = explorer.state.X, explorer.state.t
    fresh = qp(soft_margin(KERNELS[kernel](X), t, C))
    assert explorer.picture.solution.objective == pytest.approx(fresh.objective, rel=1e-7)
    expected = KERNELS[kernel](points_of_grid(), X) @ fresh.v + fresh.b
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(explorer.picture.Y.ravel(), expected, atol=1e-4 * scale)
    facts = explorer.picture.facts
    inside, elbow, outside = (int(facts[f]) for f in ("a = C, inside", "0 < a < C, elbow", "a = 0, outside"))
    assert inside + elbow + outside == len(t)
    assert facts["KKT violation"] == "< 1e-8"


def test_path_sliding_solves_nothing(make, monkeypatch):
    explorer = make("path")
    path = explorer.picture.path
    monkeypatch.setattr("sparsekm_edu.explorers.svm.training.c_path", None)
    monkeypatch.setattr("sparsekm_edu.explorers.svm.training.smo", None)
    for C in np.geomspace(0.01, 100, 20):
        explorer.set(C=C)
        assert explorer.message == ""
        assert explorer.picture.path is path


def test_path_between_two_breakpoints_only_the_elbow_moves(make):
    explorer = make("path")
    path = explorer.picture.path
    n = 12
    shares = []
    for part in (0.2, 0.5, 0.8):
        lam = (1 - part) / path.C[n] + part / path.C[n + 1]
        explorer.set(C=1 / lam)
        shares.append(explorer.picture.solution.a * lam)
        assert float(explorer.picture.facts["next one at C"]) == pytest.approx(path.C[n + 1], rel=1e-3)
    moved = np.abs(shares[2] - shares[0]) > 1e-12
    assert moved.any()
    assert (path.elbow[n] | ~moved).all()
    np.testing.assert_allclose(shares[1], (shares[0] + shares[2]) / 2, atol=1e-9)  # linear in lambda


def test_path_at_small_C_every_point_is_a_support_vector(make):
    explorer = make("path")
    explorer.set(C=0.01)
    assert explorer.picture.facts["a = C, inside"] == "18"


def test_path_a_line_rests_on_three_points_at_most(make):
    explorer = make("path")
    explorer.set(kernel="linear")
    for C in np.geomspace(0.01, 100, 40):
        explorer.set(C=C)
        assert int(explorer.picture.facts["0 < a < C, elbow"]) <= 3


def test_path_two_classes_in_one_place_have_no_margin(make):
    explorer = make("path")
    explorer.set(X=np.zeros((2, 2)), t=np.array([1.0, -1.0]))
    assert explorer.message == ""
    assert explorer.picture.facts["margin 1/|w|"] == "infinite, w = 0"


def test_path_classes_of_unequal_size(make):
    explorer = make("path")
    explorer.set(X=explorer.state.X[6:], t=explorer.state.t[6:], C=0.02)
    assert explorer.message == ""
    assert explorer.picture.facts["KKT violation"] == "< 1e-8"


@pytest.mark.parametrize("name", ["smo_player", "path"])
def test_one_class_is_explained(make, name):
    explorer = make(name)
    explorer.set(X=explorer.state.X[:5], t=explorer.state.t[:5])
    assert "each class needs at least one point" in explorer.message
    assert explorer.canvas.stale
    explorer.reset()
    assert explorer.message == ""
