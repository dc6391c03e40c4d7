"""Figures 7.1 and 7.2 and the hulls alive: what they show is the solution, also after dragging, adding and deleting."""

import cvxpy as cp
import numpy as np
import pytest

from sparsekm_edu import datasets
from sparsekm_edu.explorers.svm.margins import KERNELS, net_force_and_torque
from sparsekm_edu.figures.svm.margins import signed_distances
from sparsekm_edu.lessons.hulls import into_hull
from sparsekm_edu.solvers import hard_margin, qp, soft_margin


def surface_by_qp(state, grid):
    """y(x) on the grid by the interior-point solver, from nothing but the state."""
    kernel = KERNELS[state.kernel](state)
    solution = qp(soft_margin(kernel(state.X, state.X), state.t, np.inf if state.hard else state.C))
    points = np.stack(np.meshgrid(*grid), axis=-1).reshape(-1, 2)
    values = kernel(points, state.X) @ solution.v + solution.b
    return values.reshape(len(grid[1]), len(grid[0]))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"gamma": 0.3},
        {"gamma": 8.0},
        {"hard": False, "C": 1.0},
        {"hard": False, "C": 30.0, "gamma": 0.5},
        {"hard": False, "C": 2.0, "kernel": "linear"},
        {"kernel": "polynomial, degree 3"},
        {"hard": False, "C": 5.0, "kernel": "polynomial, degree 2"},
    ],
    ids=str,
)
def test_kernel_margin_shows_what_an_independent_solver_finds(make, fields):
    explorer = make("kernel_margin")
    explorer.set(**fields)
    assert explorer.message == ""
    expected = surface_by_qp(explorer.state, explorer.picture.grid)
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(explorer.picture.Y, expected, atol=1e-5 * scale)


def test_kernel_margin_after_dragging_equals_a_cold_fit(make):
    explorer, rng = make("kernel_margin"), np.random.default_rng(5)
    explorer.set(hard=False, C=10.0)
    for _ in range(30):
        index, (u, v) = int(rng.integers(44)), rng.uniform(0.1, 0.9, 2)
        explorer._on_gesture({"type": "move", "index": index, "u": u, "v": v})
    assert explorer.message == ""
    expected = surface_by_qp(explorer.state, explorer.picture.grid)
    np.testing.assert_allclose(explorer.picture.Y, expected, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize(
    "fields", [{}, {"gamma": 0.4}, {"hard": False, "C": 3.0}, {"kernel": "polynomial, degree 3"}], ids=str
)
def test_removing_all_but_the_support_vectors_moves_nothing(make, fields):
    explorer = make("kernel_margin")
    explorer.set(**fields)
    before, support = explorer.picture.Y, explorer.picture.support
    (button,) = [b for b in explorer.children[1].children[-1].children if "non-support" in b.description]
    button.click()
    assert len(explorer.state.t) == len(support) < 44
    assert len(explorer.picture.support) == len(support)
    assert np.abs(explorer.picture.Y - before).max() < 1e-6
    assert f"{44 - len(support)} points removed; y(x) changed by at most" in explorer.message
    told = float(explorer.message.split("at most ")[1].split()[0])
    assert told < 1e-6


def test_removing_says_nothing_while_there_is_no_picture(make):
    explorer = make("kernel_margin")
    explorer.set(kernel="linear")
    explorer.keep_only_support_vectors()
    assert "separable" in explorer.message
    assert len(explorer.state.t) == 44


def handle(explorer, name):
    """Index of a handle by its name."""
    return [h.name for h in explorer.handles(explorer.stage.view, explorer.state)].index(name)


def drag(explorer, name, x, y):
    """Drag a handle to (x, y) of the first Axes."""
    u, v = explorer.stage.to_page(explorer.stage.view.axes[0], x, y)
    explorer._on_gesture({"type": "move", "index": handle(explorer, name), "u": u, "v": v})


def test_margin_dragged_into_inseparable_data_and_out_again(make):
    explorer = make("margin")
    explorer.set(pushes=True)
    facts, home = explorer.picture.facts, explorer.state.X[0]
    drag(explorer, ("point", 0), *explorer.state.X[explorer.state.t > 0].mean(axis=0))
    assert "separable" in explorer.message
    assert explorer.canvas.stale
    assert explorer.picture.facts == facts
    assert len(explorer.stage.view.rings.artists[0].get_offsets()) == 0
    assert len(explorer.stage.view.arrows.shafts.get_paths()) == 0  # no street, no pushes
    assert not any(number.get_text() for number in explorer.stage.view.strengths)
    # the point is where the hand put it, though there is no line
    assert explorer.stage.view.points.artists[1].get_offsets()[0] == pytest.approx(explorer.state.X[0])
    drag(explorer, ("point", 0), *home)
    assert explorer.message == ""
    assert not explorer.canvas.stale
    assert explorer.picture.facts == facts


def test_margin_no_line_of_ones_own_beats_the_best(make):
    explorer = make("margin")
    best = 1 / np.linalg.norm(explorer.picture.best[0])
    rng = np.random.default_rng(0)
    for angle, shift in zip(rng.uniform(-90, 270, 40), rng.uniform(-2.5, 2.5, 40)):
        explorer.set(angle=angle, shift=shift)
        assert signed_distances(explorer.state.X, explorer.state.t, *explorer.state.own).min() <= best + 1e-9
    w, b = explorer.picture.best
    explorer.set(angle=np.degrees(np.arctan2(w[1], w[0])) % 360, shift=-b * best)
    assert explorer.picture.facts["your margin"] == explorer.picture.facts["largest margin"]


def test_margin_numbers_of_the_readout_agree(make):
    """With pushes: |w|^2 = sum of a = 2 L(a), and its root is one over the margin."""
    facts = make("margin", pushes=True).picture.facts
    assert facts["|w|²"] == facts["sum of aₙ"] == facts["2 L(a)"]
    assert float(facts["largest margin"]) == pytest.approx(float(facts["|w|²"]) ** -0.5, abs=5e-4)


def shaken(explorer, rng):
    """Drag a few points, one after the other, not far enough to mix the classes."""
    for n in rng.choice(len(explorer.state.t), 5, replace=False):
        drag(explorer, ("point", int(n)), *explorer.state.X[n] + rng.normal(scale=0.15, size=2))
    assert explorer.message == ""


@pytest.mark.parametrize("seed", range(5))
def test_margin_pushes_cancel_and_are_the_multipliers_of_an_independent_solver(make, seed):
    explorer = make("margin")
    explorer.set(pushes=True)
    if seed:  # first the data as they are
        shaken(explorer, np.random.default_rng(seed))
    X, t, a, (w, _) = explorer.state.X, explorer.state.t, explorer.picture.a, explorer.picture.best
    other = qp(hard_margin(X @ X.T, t))
    np.testing.assert_allclose(a, other.a, atol=1e-5 * other.a.max())
    force, torque = net_force_and_torque(X, t, a, w)
    # the page's words literally: strength a_n, along -t_n w; force by (7.9), torque by (7.8)
    assert force == pytest.approx(-np.sum(a * t), abs=1e-12 * a.sum())
    assert abs(force) < 1e-12 * a.sum()
    assert abs(torque) < 1e-12 * a.sum() * 3
    facts = explorer.picture.facts
    assert facts["net force (7.9)"] == facts["net torque (7.8)"] == "< 1e-12"
    assert facts["push of ●, of ■"] == f"{a.sum() / 2:.4f}, {a.sum() / 2:.4f}"


def test_margin_the_push_of_a_point_that_leaves_the_street_dies_down_to_zero(make):
    """As notebook 01 tells: the upper circled point, dragged outward; two points remain, their arrows in one line."""
    explorer = make("margin")
    X, t, a = explorer.state.X, explorer.state.t, explorer.picture.a
    n = max(np.flatnonzero(a), key=lambda n: X[n, 1])
    outward = t[n] * explorer.picture.best[0] / np.linalg.norm(explorer.picture.best[0])
    pushes = []
    for step in np.linspace(0, 0.5, 51):
        drag(explorer, ("point", n), *X[n] + step * outward)
        pushes.append(explorer.picture.a[n])
    assert pushes[0] > 0.7
    assert (np.diff(pushes) <= 1e-12).all()
    assert np.abs(np.diff(pushes)).max() < 0.03  # no jump
    assert pushes[-1] == 0
    p, q = explorer.state.X[np.flatnonzero(explorer.picture.a)]  # two are left
    w = explorer.picture.best[0]
    assert abs((p - q) @ (-w[1], w[0])) < 1e-9


@pytest.mark.parametrize(("gamma", "count"), [(50.0, 44), (0.005, 9), (0.5, 13)])
def test_kernel_margin_counts_support_vectors_as_notebook_01_tells(make, gamma, count):
    explorer = make("kernel_margin")
    explorer.set(gamma=gamma)
    assert explorer.picture.facts["support vectors"] == f"{count} of 44"


def test_margin_pushes_of_a_wrong_solution_do_not_cancel(make):
    explorer = make("margin")
    X, t, a, (w, _) = explorer.state.X, explorer.state.t, explorer.picture.a, explorer.picture.best
    wrong = a.copy()
    wrong[t > 0] = (
        wrong[t > 0].sum() * np.eye(10)[0]
    )  # all of one side on one point: forces cancel, torques do not
    force, torque = net_force_and_torque(X, t, wrong, w)
    assert abs(force) < 1e-12
    assert abs(torque) > 0.1
    assert net_force_and_torque(X, t, a * (t > 0), w)[0] == pytest.approx(-a.sum() / 2)


# the hulls


def nearest_of_hulls(X, t):
    """The nearest points of the two hulls by a general solver: minimise |P'c - Q'd| over weights c and d."""
    P, Q = X[t > 0], X[t < 0]
    c, d = cp.Variable(len(P), nonneg=True), cp.Variable(len(Q), nonneg=True)
    cp.Problem(cp.Minimize(cp.sum_squares(P.T @ c - Q.T @ d)), [cp.sum(c) == 1, cp.sum(d) == 1]).solve()
    return np.array([P.T @ c.value, Q.T @ d.value])


@pytest.mark.parametrize("seed", range(4))
def test_hulls_nearest_points_weights_and_bisector(make, seed):
    explorer = make("hulls")
    if seed:
        shaken(explorer, np.random.default_rng(seed))
    X, t = explorer.state.X, explorer.state.t
    p, q = explorer.picture.nearest
    np.testing.assert_allclose([p, q], nearest_of_hulls(X, t), atol=1e-4)
    w, b = explorer.picture.best
    assert np.linalg.norm(p - q) == pytest.approx(2 / np.linalg.norm(w), rel=1e-9)  # twice the margin
    np.testing.assert_allclose(2 * (p - q) / ((p - q) @ (p - q)), w, rtol=1e-9)
    assert w @ (p + q) / 2 + b == pytest.approx(0, abs=1e-9)  # the line halves the piece
    weights, a = explorer.picture.weights, qp(hard_margin(X @ X.T, t)).a
    np.testing.assert_allclose(weights, a / (a.sum() / 2), atol=1e-5)
    np.testing.assert_allclose(weights @ ((t > 0)[:, None] * X), p, atol=1e-12)
    facts = explorer.picture.facts
    assert facts["smallest distance"] == facts["widest street, 2/|w|"] == f"{np.linalg.norm(p - q):.4f}"
    assert facts["|w − 2(p − q)/|p − q|²|"] == "< 1e-8"


def test_hulls_any_two_points_are_at_least_as_far_apart_as_the_street_is_wide(make):
    explorer, rng = make("hulls"), np.random.default_rng(0)
    for _ in range(30):
        explorer.set(plus=tuple(rng.uniform(-3, 3, 2)), minus=tuple(rng.uniform(-3, 3, 2)))
        own, (p, q) = explorer.picture.own, explorer.picture.nearest
        widest = np.linalg.norm(p - q)
        assert np.linalg.norm(own[0] - own[1]) >= widest - 1e-9
        street = explorer.picture.facts["street of your bisector"]
        assert street == "none" or float(street) <= widest + 1e-4
    explorer.set(plus=tuple(p), minus=tuple(q))
    facts = explorer.picture.facts
    assert facts["your distance"] == facts["street of your bisector"] == facts["widest street, 2/|w|"]


def test_hulls_steps_never_lead_apart_and_end_at_the_nearest_points(make):
    explorer = make("hulls")
    apart = []
    for steps in range(21):
        explorer.set(steps=steps)
        apart.append(np.linalg.norm(np.subtract(*explorer.picture.own)))
    assert (np.diff(apart) <= 1e-12).all()
    np.testing.assert_allclose(explorer.picture.own, explorer.picture.nearest, atol=1e-3)
    drag(explorer, ("own", "minus"), *explorer.picture.own[1] - 0.2)
    assert explorer.state.steps == 0
    np.testing.assert_allclose(explorer.picture.own[0], explorer.picture.nearest[0], atol=1e-3)  # stays


def test_hulls_the_diamonds_stay_inside_when_they_or_the_points_are_dragged(make):
    explorer = make("hulls")
    drag(explorer, ("own", "plus"), -2.9, -2.9)
    hull = explorer.state.hulls[0]
    np.testing.assert_allclose(explorer.picture.own[0], into_hull((-2.9, -2.9), hull), atol=1e-9)
    assert explorer.state.plus == pytest.approx(tuple(explorer.picture.own[0]))
    n = int(np.flatnonzero((hull[0] == explorer.state.X).all(axis=1))[0])  # a corner
    drag(explorer, ("point", n), *hull.mean(axis=0))
    assert explorer.message == ""
    own, hull = explorer.picture.own[0], explorer.state.hulls[0]
    np.testing.assert_allclose(into_hull(own, hull), own, atol=1e-12)


def test_hulls_without_a_class(make):
    explorer = make("hulls")
    X, t = explorer.state.X, explorer.state.t
    explorer.set(X=X[t > 0], t=t[t > 0])
    assert "each class" in explorer.message
    drag(explorer, ("own", "minus"), 1.0, 1.0)
    assert explorer.state.minus == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize("aim", [(1.0, 0.5), (-0.4, 2.0), (0.3, -2.5)])
def test_margin_the_line_turns_to_the_hand_and_keeps_its_foot(make, aim):
    explorer = make("margin")
    explorer.set(shift=0.5)
    foot = dict(explorer.grips(explorer.state))["shift"]
    drag(explorer, ("line", "turn"), *aim)
    w, b = explorer.state.own
    along = dict(explorer.grips(explorer.state))["turn"] - dict(explorer.grips(explorer.state))["shift"]
    direction = np.array(aim) - foot
    assert explorer.state.shift == 0.5
    assert along @ direction == pytest.approx(np.linalg.norm(along) * np.linalg.norm(direction), rel=1e-6)


@pytest.mark.parametrize("name", ["kernel_margin", "hulls", "margin", "parzen_limit"])
def test_adding_and_deleting_points(make, name):
    explorer = make(name)
    n = len(explorer.state.t)
    explorer.mode.value = "-1"
    assert explorer.canvas.mode == "add"
    u, v = explorer.stage.to_page(explorer.stage.view.axes[0], -2.0, -1.5)
    explorer._on_gesture({"type": "add", "u": u, "v": v})
    assert len(explorer.state.t) == n + 1
    assert explorer.state.t[-1] == -1
    np.testing.assert_allclose(explorer.state.X[-1], (-2.0, -1.5), atol=1e-9)
    explorer.mode.value = "remove"
    assert explorer.canvas.mode == "remove"
    explorer._on_gesture({"type": "remove", "index": handle(explorer, ("point", n))})
    assert len(explorer.state.t) == n
    explorer._on_gesture({"type": "add", "u": 0.001, "v": 0.001})  # beside the axes: nothing
    assert len(explorer.state.t) == n


def test_there_is_room_for_many_points_but_not_for_any_number(make):
    explorer = make("kernel_margin")
    X, t = datasets.curved(n=100)
    explorer.set(X=np.tile(X, (2, 1)), t=np.tile(t, 2))
    assert len(explorer.state.t) == explorer.most_points
    explorer.add(0.0, 0.0, 1)
    assert len(explorer.state.t) == explorer.most_points
    assert "200 points are enough" in explorer.message


@pytest.mark.parametrize("name", ["kernel_margin", "hulls", "margin", "parzen_limit"])
def test_draw_again_gives_new_points_and_reset_the_old_ones(make, name):
    explorer = make(name)
    X = explorer.state.X
    explorer.draw_again()
    assert explorer.message == ""
    assert not np.array_equal(explorer.state.X, X)
    explorer.reset()
    np.testing.assert_array_equal(explorer.state.X, X)


@pytest.mark.parametrize("name", ["kernel_margin", "hulls", "margin", "parzen_limit"])
def test_a_dragged_point_lands_under_the_pointer(make, name):
    explorer = make(name)
    view = explorer.stage.view
    names = [handle.name for handle in explorer.handles(view, explorer.state)]
    u, v = explorer.stage.to_page(explorer.points_axes(view)[0], 2.5, 1.5)
    explorer._on_gesture({"type": "move", "index": names.index(("point", 15)), "u": u, "v": v})
    np.testing.assert_allclose(explorer.state.X[15], (2.5, 1.5), atol=1e-9)
