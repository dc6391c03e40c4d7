"""The regularisation path against closed forms, against fresh solves, against the referee, and on degenerate data."""

import os
import subprocess
import sys
import warnings
from pathlib import Path as FilePath

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.solvers.dual import path as path_module
from sparsekm_edu.solvers.dual.formulations import hard_margin, nu_classification, soft_margin
from sparsekm_edu.solvers.dual.path import c_path
from sparsekm_edu.solvers.dual.problem import free_set, kkt
from sparsekm_edu.solvers.dual.smo import smo
from sparsekm_edu.validation import Impossible

KERNELS = [Linear(), Polynomial(), Gaussian(0.1), Gaussian(1.0), Gaussian(10.0)]


def overlapping(n_plus, n_minus, seed, shift=0.7):
    rng = np.random.default_rng(seed)
    t = np.repeat([1.0, -1.0], [n_plus, n_minus])
    X = rng.normal(size=(len(t), 2))
    X[:, 0] += shift * t
    return X, t


@st.composite
def problems(draw):
    """K, t of all sorts: 2 to 60 points, classes of one point, duplicates with equal and with opposite labels."""
    n = draw(st.integers(2, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, draw(st.integers(1, 3))))
    t = np.where(rng.random(n) < draw(st.sampled_from([0.1, 0.3, 0.5])), 1.0, -1.0)
    t[:2] = 1.0, -1.0
    if draw(st.booleans()):
        X[:, 0] += 2.0 * t
    kind = draw(st.sampled_from(["as drawn", "on a grid", "twice", "twice, some with the other label"]))
    if kind == "on a grid":
        X = np.round(X)
    elif kind != "as drawn":
        X, t = np.vstack([X, X]), np.append(t, t)
        if "other" in kind:
            t[n:] *= rng.choice([1.0, -1.0], size=n, p=[0.7, 0.3])
    return draw(st.sampled_from(KERNELS))(X), t


def assert_optimal(problem, solution, tol):
    """The referee: gap and duality gap <= tol in units of y, constraints kept to rounding error."""
    referee = kkt(problem, solution)
    assert referee.violation <= tol
    assert referee.feasibility <= 1e-12 * np.abs(solution.v).sum()
    assert (
        -1e-9 * np.abs(solution.v).sum() - 1e-9
        <= referee.duality_gap
        <= 2 * tol * np.abs(solution.v).sum() + 1e-9
    )


# ------------------------------------------------------------------ closed forms


def test_two_points_by_hand():
    """(0, 0) against (2, 0): a = C until the hard margin is reached at C = 1/2, with w = (-1, 0), b = 1."""
    path = c_path(Linear()(np.array([[0.0, 0.0], [2.0, 0.0]])), np.array([1.0, -1.0]), C_max=10.0)
    np.testing.assert_allclose(path.C, [0.5], rtol=1e-15)
    np.testing.assert_allclose(path.a, [[0.5, 0.5]], rtol=1e-15)
    np.testing.assert_allclose(path.b, [1.0], rtol=1e-15)
    np.testing.assert_array_equal(path.elbow, [[True, True]])
    assert path.separated
    assert path.C_max == np.inf
    np.testing.assert_allclose(path.at(0.3).v, [0.3, -0.3], rtol=1e-15)
    assert path.at(0.3).b == pytest.approx(
        0.6
    )  # y = b and b - 1.2 are on opposite sides, by the middle of b's range
    for C in (0.5, 3.0, 1e6, np.inf):
        np.testing.assert_allclose(path.at(C).v, [0.5, -0.5], rtol=1e-15)
        assert path.at(C).objective == pytest.approx(0.5)


def test_the_larger_class_begins_with_its_foremost_point():
    """0 against 2 and 5 on a line: u = (1, -1, 0) makes u'Ku least, and is the hard margin's direction already."""
    path = c_path(Linear()(np.array([[0.0], [2.0], [5.0]])), np.array([1.0, -1.0, -1.0]), C_max=1.0)
    np.testing.assert_allclose(path.C, [0.5], rtol=1e-14)
    np.testing.assert_allclose(path.at(0.01).v, [0.01, -0.01, 0.0], rtol=1e-14)


def test_inseparable_pairs_by_hand():
    """+ at 0 and 2, - at 1 and 3, on a line.

    While all a = C, w = -2 C and b = 3 C: y = 3 C, C, -C, -3 C, so at C = 1/3 the outer points are on their margins.
    From there on y(0) = 1 = -y(3) fixes w = -2/3 and b = 1; the inner ones keep a = C, and w = C - 3 a_4 gives a_4.
    """
    path = c_path(Linear()(np.arange(4.0)[:, None]), np.array([1.0, -1.0, 1.0, -1.0]), C_max=5.0)
    np.testing.assert_allclose(path.C[0], 1 / 3, rtol=1e-14)
    for C in (0.1, 1 / 3):
        np.testing.assert_allclose(path.at(C).a, C, rtol=1e-14)
    for C in (0.4, 1.0, 5.0):
        solution = path.at(C)
        assert solution.v @ np.arange(4.0) == pytest.approx(-2 / 3)
        assert solution.b == pytest.approx(1.0)
        np.testing.assert_allclose(solution.a[[1, 2]], C, rtol=1e-13)
        np.testing.assert_allclose(solution.a[[0, 3]], (2 / 3 + C) / 3, rtol=1e-13)


# ------------------------------------------------------------------ the path is the solution, everywhere


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("sizes", [(30, 30), (5, 55), (45, 20)])
def test_equals_fresh_solves_at_twenty_C(kernel, sizes):
    X, t = overlapping(*sizes, seed=sum(sizes))
    K = kernel(X)
    path = c_path(K, t, C_max=100.0)
    compared_b = 0
    for C in np.logspace(-3, 2, 20):
        problem = soft_margin(K, t, C)
        fresh, looked_up = smo(problem, tol=1e-10), path.at(C)
        assert looked_up.objective == pytest.approx(fresh.objective, rel=1e-9)
        scale = 1 + np.abs(K @ fresh.v).max()
        np.testing.assert_allclose(K @ looked_up.v, K @ fresh.v, atol=1e-6 * scale)
        if len(free_set(problem, looked_up.v)):  # else b is an interval
            assert looked_up.b == pytest.approx(fresh.b, abs=1e-6 * scale)
            compared_b += 1
    assert compared_b >= 3


@given(problems(), st.floats(-3, 2), st.floats(0, 1))
def test_certificate_at_breakpoints_and_between(K_t, exponent, part):
    K, t = K_t
    path = c_path(K, t, C_max=100.0)
    between = path.C[:-1] + part * np.diff(path.C)
    for C in [*path.C[::5], *between[::5], 10.0**exponent, 100.0]:
        assert_optimal(soft_margin(K, t, C), path.at(C), tol=1e-9 * max(1.0, np.abs(K).max()))


@given(problems())
def test_breakpoints_rise_and_solutions_stay_in_the_box(K_t):
    K, t = K_t
    path = c_path(K, t, C_max=1000.0)
    assert np.all(np.diff(path.C) > 0)
    assert np.all((path.alpha >= 0) & (path.alpha <= 1))
    assert np.abs(path.u.sum(axis=1)).max() <= 1e-12
    assert path.u.shape == path.elbow.shape == (len(path.C), len(t))
    inside = (path.alpha > 0) & (path.alpha < 1)
    assert np.all(
        path.elbow[inside] | (len(path.C) == 1)
    )  # who is strictly between the walls is on the margin
    assert np.all(np.diff(path.nu) <= 1e-12)
    assert (path.C[-1] == 1000.0) != path.separated


def test_between_breakpoints_fresh_solutions_are_linear_in_lambda():
    """The theory itself, on solutions that SMO found: three lambdas within a segment are on a line, with one elbow."""
    X, t = overlapping(25, 35, seed=3)
    K = Gaussian()(X)
    path = c_path(K, t, C_max=30.0)
    checked = 0
    for left, right, elbow in zip(path.C[:-1], path.C[1:], path.elbow[:-1]):
        if right < 1.01 * left:
            continue
        lams = 1 / left + np.array([0.1, 0.5, 0.9]) * (1 / right - 1 / left)
        fits = [
            (lam, problem, smo(problem, tol=1e-10).v)
            for lam in lams
            for problem in [soft_margin(K, t, 1 / lam)]
        ]
        u = [lam * v for lam, _, v in fits]
        np.testing.assert_allclose(u[1], (u[0] + u[2]) / 2, atol=1e-8)
        for _, problem, v in fits:
            np.testing.assert_array_equal(free_set(problem, v), np.flatnonzero(elbow))
        checked += 1
    assert checked >= 20


def test_every_breakpoint_is_an_event():
    """From one segment to the next the elbow gains or loses a point, and the slope of u in lambda changes."""
    X, t = overlapping(40, 40, seed=4)
    path = c_path(Gaussian()(X), t, C_max=50.0)
    changes = (path.elbow[1:-1] != path.elbow[:-2]).sum(axis=1)
    assert changes.min() >= 1
    assert np.mean(changes == 1) > 0.9
    slopes = np.diff(path.u, axis=0) / np.diff(1 / path.C)[:, None]
    assert np.abs(np.diff(slopes, axis=0)).max(axis=1).min() > 1e-9


def test_at_a_breakpoint_is_the_breakpoint():
    X, t = overlapping(20, 25, seed=5)
    path = c_path(Gaussian()(X), t, C_max=20.0)
    for C, a, b in zip(path.C, path.a, path.b):
        np.testing.assert_allclose(path.at(C).a, a, atol=1e-12)
        assert path.at(C).b == b
        assert path.at(C).converged


def test_before_the_first_breakpoint_nothing_but_scale_changes():
    """C -> 0 is the nu-SVM with the largest nu, found here by another solver."""
    X, t = overlapping(5, 55, seed=6)
    K = Gaussian()(X)
    path = c_path(K, t, C_max=1.0)
    start = smo(nu_classification(K, t, nu=10 / 60), tol=1e-10).v * 60
    for C in (1e-6, 0.5 * path.C[0], path.C[0]):
        np.testing.assert_allclose(K @ path.at(C).v / C, K @ start, atol=1e-8)
    np.testing.assert_array_equal(path.u[0][t > 0], 1.0)
    assert path.C[0] > 1e-3


@pytest.mark.parametrize("C_max", [0.5 * (1 - 1e-15), 0.5, 0.5 * (1 + 1e-15), 0.5 * (1 + 1e-13)])
def test_C_max_at_the_first_event(C_max):
    path = c_path(Linear()(np.array([[0.0, 0.0], [2.0, 0.0]])), np.array([1.0, -1.0]), C_max)
    np.testing.assert_allclose(path.C, [0.5])
    np.testing.assert_allclose(path.at(C_max).v, [0.5, -0.5])


@pytest.mark.parametrize("sizes", [(20, 20), (1, 30), (30, 1), (12, 40)])
def test_no_event_before_C_max(sizes):
    X, t = overlapping(*sizes, seed=7)
    K = Gaussian()(X)
    path = c_path(K, t, C_max=1e-4)
    np.testing.assert_array_equal(path.C, [1e-4])
    assert_optimal(soft_margin(K, t, 1e-5), path.at(1e-5), tol=1e-12)


# ------------------------------------------------------------------ separable classes


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5)], ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_separable_classes_end_in_the_hard_margin(kernel, seed):
    X, t = datasets.separable(seed=seed)
    K = kernel(X)
    path = c_path(K, t, C_max=1e7)
    hard = smo(hard_margin(K, t), tol=1e-10)
    assert path.separated
    assert path.C[-1] == pytest.approx(
        hard.a.max(), rel=1e-8
    )  # the last a_n = C is the largest of the hard margin
    for C in (path.C[-1], 2 * path.C[-1], 1e7, np.inf):
        np.testing.assert_allclose(K @ path.at(C).v, K @ hard.v, atol=1e-8)
        assert path.at(C).b == pytest.approx(hard.b, abs=1e-8)
    assert not c_path(K, t, C_max=0.9 * path.C[-1]).separated


# ------------------------------------------------------------------ degenerate data


def test_duplicates_of_one_label_count_double():
    """Every point twice with C is every point once with 2 C."""
    X, t = overlapping(15, 20, seed=8)
    once, twice = (
        c_path(Gaussian()(X), t, C_max=20.0),
        c_path(Gaussian()(np.tile(X, (2, 1))), np.tile(t, 2), C_max=10.0),
    )
    for C in (0.01, 0.1, 1.0, 10.0):
        v = twice.at(C).v.reshape(2, -1).sum(axis=0)
        np.testing.assert_allclose(v, once.at(2 * C).v, atol=1e-9)


def test_duplicates_with_opposite_labels():
    """A point with both labels is never right on both counts; with all points so, y = b and every a = C."""
    X, t = overlapping(10, 10, seed=9)
    K = Gaussian()(np.tile(X, (2, 1)))
    path = c_path(K, np.append(t, -t), C_max=1e3)
    np.testing.assert_allclose(path.at(17.0).a, 17.0, rtol=1e-12)
    K, t = Gaussian()(np.vstack([X, X[:5]])), np.append(t, -t[:5])
    path = c_path(K, t, C_max=1e3)
    for C in np.logspace(-2, 3, 20):
        assert_optimal(soft_margin(K, t, C), path.at(C), tol=1e-9)


@pytest.mark.parametrize("value", [0.0, 1.0, 1e6])
@pytest.mark.parametrize("sizes", [(1, 1), (3, 3), (1, 3), (4, 2)])
def test_row_20_all_points_identical(value, sizes):
    t = np.repeat([1.0, -1.0], sizes)
    K = np.full((len(t), len(t)), value)
    path = c_path(K, t, C_max=10.0)
    solution = path.at(1.0)
    assert_optimal(soft_margin(K, t, 1.0), solution, tol=1e-9 * max(1.0, value))
    assert solution.objective == pytest.approx(2 * min(sizes), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("share", [0.5, 0.1])
def test_grid_points_and_a_linear_kernel(seed, share):
    """Rank two, many points on each margin line, many events at the same C."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(120, 2)).astype(float)
    t = np.where(rng.random(120) < share, 1.0, -1.0)
    K = Linear()(X)
    path = c_path(K, t, C_max=100.0)
    assert path.elbow.sum(axis=1).max() <= 3
    for C in [*np.logspace(-3, 2, 30), *path.C]:
        assert_optimal(soft_margin(K, t, C), path.at(C), tol=1e-9)


def test_symmetric_data_have_simultaneous_events():
    """A regular polygon with alternating labels: whatever happens to one point happens to all."""
    angle = np.arange(12) * np.pi / 6
    X, t = np.column_stack([np.cos(angle), np.sin(angle)]), np.tile([1.0, -1.0], 6)
    K = Gaussian(2.0)(X)
    path = c_path(K, t, C_max=100.0)
    assert path.separated
    for C in np.logspace(-1, 2, 10):
        np.testing.assert_allclose(path.at(C).a, path.at(C).a[0], rtol=1e-9)
        assert_optimal(soft_margin(K, t, C), path.at(C), tol=1e-10)


def test_wide_kernels_are_nearly_singular():
    X, t = overlapping(100, 100, seed=10)
    K = Gaussian(1e-3)(X)
    path = c_path(K, t, C_max=1e3)
    for C in [*np.logspace(-3, 3, 30), *path.C[::10]]:
        assert_optimal(soft_margin(K, t, C), path.at(C), tol=1e-9)


def test_more_events_than_room(monkeypatch):
    X, t = overlapping(100, 110, seed=11, shift=0.2)
    K = Gaussian(3.0)(X)
    path = c_path(K, t, C_max=1e4)
    monkeypatch.setattr(path_module, "ROOM", 0)
    grown = c_path(K, t, C_max=1e4)
    assert len(path.C) > 3 * path_module.REFRESH
    np.testing.assert_array_equal(grown.C, path.C)
    np.testing.assert_array_equal(grown.u, path.u)
    np.testing.assert_array_equal(grown.elbow, path.elbow)


def exchange(K, u, entering):
    """Let `entering`, at hi = 1, change places with a point of the elbow, which is all the others."""
    N, lo, hi = len(u), np.zeros(len(u)), np.ones(len(u))
    elbow = np.append(np.delete(np.arange(N), entering), [entering, 0])
    side, u, U, W = np.zeros(N), u.copy(), np.zeros((N, N)), np.zeros((2, N))
    side[entering] = 1.0
    for k in range(N):
        distance2 = path_module._append(K, np.ones(N), elbow, k, U, W)
    assert distance2 <= path_module.DEPENDENT * K[entering, entering]
    path_module._exchange(lo, hi, u, side, elbow, N - 1, U, W)
    return u, side, elbow[: N - 1]


@pytest.mark.parametrize(
    ("u_after", "side_after", "elbow_after", "u_before"),
    [
        (
            [0.9, 0.8, 0.0],
            [0, 0, -1],
            [0, 1],
            [0.4, 0.3, 1.0],
        ),  # it crosses the box, the others make up for it
        ([0.9, 1.0, 0.4], [0, 1, 0], [0, 2], [0.6, 0.7, 1.0]),  # one of the others is at its wall before
    ],
)
def test_exchange_of_the_point_in_the_middle(u_after, side_after, elbow_after, u_before):
    """phi(1/2) = (phi(0) + phi(1)) / 2, so u_3 falls by d and u_1, u_2 rise by d / 2."""
    x = np.array([[0.0], [1.0], [0.5]])
    u, side, elbow = exchange(1.0 + x @ x.T, np.array(u_before), entering=2)
    np.testing.assert_allclose(u, u_after, atol=1e-12)
    np.testing.assert_array_equal(side, side_after)
    np.testing.assert_array_equal(elbow, elbow_after)


def test_exchange_keeps_the_sum_where_the_hull_is_known_to_eight_digits():
    x = np.array([-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 0.4])[:, None]
    u = np.full(8, 0.5)
    u[7] = 1.0
    after, _, _ = exchange(1.0 + Gaussian(0.005)(x), u, entering=7)
    assert np.abs(after - u).max() > 0.1
    assert after.sum() == pytest.approx(4.5, abs=1e-14)


# ------------------------------------------------------------------ invariances


@given(problems(), st.integers(0, 1000), st.sampled_from([1e-9, 1e9]))
@settings(max_examples=30)
def test_order_labels_and_units_do_not_matter(K_t, seed, unit):
    K, t = K_t
    order = np.random.default_rng(seed).permutation(len(t))
    path = c_path(K, t, C_max=50.0)
    others = [
        (c_path(K[np.ix_(order, order)], t[order], C_max=50.0), order, 1.0, 1.0),
        (c_path(K, -t, C_max=50.0), slice(None), -1.0, 1.0),
        (c_path(unit * K, t, C_max=50.0 / unit), slice(None), 1.0, unit),
        (
            c_path(K + 10.0, t, C_max=50.0),
            slice(None),
            1.0,
            1.0,
        ),  # a constant kernel adds to b, and sum v = 0
    ]
    for C in (0.01, 0.3, 7.0, 50.0):
        v = path.at(C).v
        scale = 1 + np.abs(K @ v).max()
        for other, places, sign, factor in others:
            v_other = np.empty(len(t))
            v_other[places] = sign * factor * other.at(C / factor).v
            np.testing.assert_allclose(K @ v_other, K @ v, atol=1e-7 * scale)


# ------------------------------------------------------------------ the nu-SVM


@pytest.mark.parametrize("sizes", [(40, 40), (15, 45)])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=repr)
def test_at_nu_equals_the_nu_svm_and_its_soft_margin(sizes, kernel):
    X, t = overlapping(*sizes, seed=12)
    K, N = kernel(X), len(t)
    path = c_path(K, t, C_max=1e3)
    for nu in np.linspace(path.nu[-1], path.nu[0], 12):
        problem = nu_classification(K, t, nu)
        solution, fresh = path.at_nu(nu), smo(problem, tol=1e-10)
        assert solution.a.sum() == pytest.approx(nu, rel=1e-10)  # (7.41)
        assert solution.a.max() <= 1 / N  # (7.39)
        assert kkt(problem, solution).violation <= 1e-10
        assert solution.objective == pytest.approx(fresh.objective, rel=1e-7, abs=1e-12)
        np.testing.assert_allclose(K @ solution.v, K @ fresh.v, atol=1e-7)
        if solution.rho < 1e-5:
            continue
        y = K @ solution.v + solution.b
        assert (
            np.mean(t * y < solution.rho - 1e-9) <= nu + 1e-9 <= np.mean(solution.a > 0) + 1e-8
        )  # the nu property
        C = 1 / (N * solution.rho)
        if path.C[0] <= C <= path.C_max:
            soft = path.at(C)
            np.testing.assert_allclose(
                K @ soft.v, K @ solution.v / solution.rho, atol=1e-6 * (1 + np.abs(K @ soft.v).max())
            )


def test_at_nu_of_separable_classes_goes_down_to_zero():
    X, t = datasets.separable()
    K = Linear()(X)
    path = c_path(K, t, C_max=1e6)
    hard = path.at(np.inf)
    for nu in (1e-3 * path.nu[-1], 0.5 * path.nu[-1]):
        solution = path.at_nu(nu)
        assert kkt(nu_classification(K, t, nu), solution).violation <= 1e-10
        np.testing.assert_allclose(solution.v / solution.rho, hard.v, rtol=1e-8, atol=1e-10)


# ------------------------------------------------------------------ limits and complaints


def test_looking_up_solves_nothing(monkeypatch):
    X, t = overlapping(20, 25, seed=13)
    path = c_path(Gaussian()(X), t, C_max=10.0)

    def refuse(*_):
        raise AssertionError("somebody solves something")

    for name in ("_follow", "_walk", "_append", "_back_substitute"):
        monkeypatch.setattr(path_module, name, refuse)
    monkeypatch.setattr(np.linalg, "solve", refuse)
    assert path.at(1.234).n_iter == 0
    assert path.at_nu(0.5).n_iter == 0
    assert path.b.shape == path.C.shape


@pytest.mark.parametrize("C", [0, -1.0, 10.1, np.inf, np.nan, "1", True, np.array([1.0])])
def test_row_26_C_outside_the_path(C):
    X, t = overlapping(10, 12, seed=14)
    path = c_path(Gaussian()(X), t, C_max=10.0)
    with pytest.raises(ValueError, match=r"^C must be a number in \(0, 10\], got "):
        path.at(C)


@pytest.mark.parametrize("C_max", [0, -1.0, np.inf, np.nan, "1", True])
def test_row_26_C_max(C_max):
    with pytest.raises(ValueError, match="^C_max must be a number > 0, got "):
        c_path(np.eye(2), np.array([1.0, -1.0]), C_max)


@pytest.mark.parametrize("nu", [0.9, 1e-6])
def test_row_32_nu_outside_the_path(nu):
    X, t = overlapping(5, 55, seed=15, shift=0.1)
    path = c_path(Linear()(X), t, C_max=10.0)
    with pytest.raises(
        ValueError, match=r"nu must be at least 0\.\d+, .* C_max = 10, and at most 0\.1667, .* got"
    ):
        path.at_nu(nu)


@pytest.mark.parametrize("nu", [0, -0.5, np.nan, "x", True])
def test_row_31_nu_is_no_such_number(nu):
    path = c_path(np.eye(2), np.array([1.0, -1.0]), C_max=0.1)
    with pytest.raises(ValueError, match="^nu must be a number > 0, got "):
        path.at_nu(nu)


def test_bad_K_and_t_are_refused():
    t = np.array([1.0, -1.0])
    with pytest.raises(ValueError, match="t must be a vector holding both labels"):
        c_path(np.eye(2), np.ones(2), 1.0)
    with pytest.raises(ValueError, match="K must be symmetric"):
        c_path(np.array([[1.0, 0.5], [0.0, 1.0]]), t, 1.0)
    with pytest.raises(ValueError, match="K must be finite"):
        c_path(np.full((2, 2), np.nan), t, 1.0)


@pytest.mark.parametrize("seed", range(5))
def test_pitfall_7_indefinite_K_is_refused(seed):
    A = np.random.default_rng(seed).normal(size=(30, 30))
    with pytest.raises(ValueError, match=r"K must be positive semi-definite, but v'Kv = -\d.* for some v"):
        c_path(A + A.T, np.tile([1.0, -1.0], 15), 100.0)


@pytest.mark.parametrize("seed", range(16))
def test_no_gram_matrix_is_called_indefinite(seed):
    """Far from the origin rounding errors are larger than what K should hold: that is said, and nothing of K."""
    rng = np.random.default_rng(seed)
    X = 1e6 + rng.normal(size=(40, 2))
    t = np.where(rng.random(40) < 0.3, 1.0, -1.0)
    told = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            c_path(X @ X.T, t, C_max=1e3)
        except Impossible as stopped:
            told = str(stopped)
    told = told or str(caught[0].message)
    assert "rounding errors hide the next event" in told or "events per point are not enough" in told
    assert "Centred" in told
    assert "definite" not in told
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        c_path((X - 1e6) @ (X - 1e6).T, t, C_max=1e3)  # what was advised helps


def test_an_indefinite_K_on_which_the_walk_never_ends_is_told_as_one(monkeypatch):
    monkeypatch.setattr(path_module, "MOST_EVENTS", 0)
    monkeypatch.setattr(path_module, "_follow", lambda *given: (1, 1.0, 1, path_module.WALKING))
    K, t = np.diag([1.0, 1.0, -1.0, 1.0]), np.array([1.0, -1.0, -1.0, -1.0])
    with pytest.raises(ValueError, match="K must be positive semi-definite"):
        c_path(K, t, 10.0)
    with pytest.raises(Impossible, match="0 events per point are not enough"):
        c_path(np.eye(4), t, 10.0)


def test_a_path_that_stops_short_says_so(monkeypatch):
    X, t = overlapping(60, 60, seed=16)
    K = Gaussian()(X)
    whole = c_path(K, t, C_max=100.0)
    monkeypatch.setattr(path_module, "MOST_EVENTS", 1)
    with pytest.warns(ConvergenceWarning, match=r"the path stops at C = .*, short of C_max = 100"):
        part = c_path(K, t, C_max=100.0)
    assert whole.C[0] < part.C_max < 100.0
    np.testing.assert_allclose(part.at(part.C_max).v, whole.at(part.C_max).v, atol=1e-12)
    X, t = overlapping(60, 300, seed=16)
    with pytest.raises(
        Impossible, match="limit C -> 0, .* was not found, as 1 events per point are not enough"
    ):
        c_path(Gaussian()(X), t, C_max=100.0)


def test_input_is_left_alone_and_nothing_warned():
    X, t = overlapping(30, 20, seed=17)
    K = Gaussian()(X)
    copies = K.copy(), t.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = c_path(K, t, C_max=10.0)
        path.at(1.0).v[:] = 7.0
        path.at(path.C[3]).v[:] = 7.0
        path.at(1e-9).v[:] = 7.0
    np.testing.assert_array_equal(K, copies[0])
    np.testing.assert_array_equal(t, copies[1])
    assert np.abs(path.u).max() == 1.0


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import numpy as np
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.solvers.dual.path import c_path
rng = np.random.default_rng(0)
X = rng.normal(size=(120, 2)); t = np.where(X[:, 0] + rng.normal(size=120) > 0, 1.0, -1.0)
path = c_path(Gaussian()(X), t, 10.0)
print(len(path.C), repr(path.at(3.0).objective))
"""


def test_without_numba_everything_works():
    root = FilePath(__file__).parents[2]
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA], cwd=root, env=os.environ, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    events, objective = result.stdout.split()
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    t = np.where(X[:, 0] + rng.normal(size=120) > 0, 1.0, -1.0)
    path = c_path(Gaussian()(X), t, 10.0)
    assert int(events) == len(path.C)
    assert float(objective) == pytest.approx(path.at(3.0).objective, rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_b_and_rho_between_breakpoints(seed):
    """Rounding in the interpolation must not make free variables of those at their walls: b and rho depend on them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(14, 2)).astype(float)
    t = np.where(rng.random(14) < 0.5, 1.0, -1.0)
    t[:2] = 1.0, -1.0
    K = X @ X.T
    path = c_path(K, t, 10.0)
    for C in np.geomspace(0.002, 10.0, 60):
        referee = kkt(soft_margin(K, t, C), path.at(C))
        assert referee.violation <= 1e-9
        assert referee.duality_gap <= 1e-9 * C * 14
    for nu in np.linspace(path.nu[-1], path.nu[0], 40):
        referee = kkt(nu_classification(K, t, nu), path.at_nu(nu))
        assert referee.violation <= 1e-9
        assert referee.duality_gap <= 1e-9


@settings(max_examples=60, deadline=None)
@given(problems())
def test_values_for_many_C_are_those_of_one_at_a_time(problem):
    K, t = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        path = c_path(K, t, 100.0)
    largest = 1e4 if path.separated else path.C_max
    C = np.append(np.geomspace(1e-3, largest, 9), path.C[:: max(1, len(path.C) // 7)])
    C = np.minimum(C, path.C_max)  # which rounding may exceed
    values = path.values(K[:5], C)
    for price, y in zip(C, values, strict=True):
        solution = path.at(price)
        size = 1 + np.abs(solution.v).sum() * np.abs(K).max()
        np.testing.assert_allclose(y, K[:5] @ solution.v + solution.b, atol=1e-9 * size)


def test_values_refuse_what_at_refuses():
    X, t = overlapping(8, 8, seed=0)
    path = c_path(X @ X.T, t, 10.0)
    for C in (0.0, 11.0, np.nan):
        with pytest.raises(ValueError, match="C must be a number in"):
            path.values(X @ X.T, [1.0, C])
