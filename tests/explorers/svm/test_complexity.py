"""C and gamma, costs by class, an outlier: the readouts against LIBSVM, interior point and closed forms."""

import numpy as np
import pytest
from sklearn import svm

from sparsekm_edu import datasets
from sparsekm_edu.explorers.svm.class_costs import GAMMA, RATIOS
from sparsekm_edu.explorers.svm.complexity import EVERY_C, GRID, LEAST_ERROR, TEST_T, TEST_X
from sparsekm_edu.explorers.svm.outlier import track_through
from sparsekm_edu.solvers import qp, soft_margin


def libsvm(state, C, gamma, ratio=1.0):
    weights = {1: ratio**0.5, -1: ratio**-0.5}
    return svm.SVC(C=C, gamma=gamma, class_weight=weights, tol=1e-9).fit(state.X, state.t)


def on_grid(machine):
    places = np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2)
    return machine.decision_function(places).reshape(len(GRID[1]), len(GRID[0]))


def percent(text):
    return float(text.rstrip("%")) / 100


# C and gamma


@pytest.mark.parametrize(
    "fields", [{}, {"C": 0.05, "gamma": 0.1}, {"C": 1000.0, "gamma": 1.0}, {"gamma": 100.0}]
)
def test_complexity_shows_what_libsvm_finds(make, fields):
    explorer = make("complexity")
    explorer.set(**fields)
    state, picture = explorer.state, explorer.picture
    machine = libsvm(state, state.C, state.gamma)
    np.testing.assert_allclose(picture.Y, on_grid(machine), atol=1e-4 * max(1, np.abs(picture.Y).max()))
    assert percent(picture.facts["training error"]) == pytest.approx(
        1 - machine.score(state.X, state.t), abs=6e-4
    )
    assert percent(picture.facts["test error"]) == pytest.approx(
        1 - machine.score(TEST_X, TEST_T), abs=1.1e-3
    )
    assert picture.facts["support vectors"] == f"{len(machine.support_)} of 80"
    at_ceiling = np.isclose(np.abs(machine.dual_coef_[0]), state.C, rtol=1e-6).sum()
    assert picture.facts["of these at a = C"] == f"{at_ceiling}"


def test_complexity_the_curves_are_the_errors_of_fresh_machines(make):
    explorer = make("complexity")
    C, train, test = explorer.picture.errors
    np.testing.assert_array_equal(C, EVERY_C)
    for k in (0, 10, 15, 20, 30):
        machine = libsvm(explorer.state, C[k], explorer.state.gamma)
        assert train[k] == pytest.approx(1 - machine.score(explorer.state.X, explorer.state.t), abs=1e-9)
        assert test[k] == pytest.approx(1 - machine.score(TEST_X, TEST_T), abs=1.1e-3)


def test_complexity_the_test_error_turns_and_the_training_error_does_not(make):
    """At the first gamma: memorising begins where the curve turns; nobody beats the densities by much."""
    _, train, test = make("complexity").picture.errors
    turn = test.argmin()
    assert 5 < turn < 25
    assert test[0] > test[turn] + 0.02
    assert test[-1] > test[turn] + 0.02
    assert train[0] > train[turn] > train[-1] == 0
    assert test.min() > LEAST_ERROR - 0.02


def test_complexity_narrow_kernels_learn_by_heart(make):
    explorer = make("complexity")
    explorer.set(gamma=100.0)
    _, train, test = explorer.picture.errors
    assert (train == 0).all()
    assert test.min() > 0.24


def test_complexity_hollow_points_are_test_points(make):
    explorer = make("complexity")
    layer = explorer.stage.view.test_points
    assert sum(len(artist.get_offsets()) for artist in layer.artists) == 0
    explorer.set(test=True)
    shown = np.concatenate([artist.get_offsets() for artist in layer.artists])
    assert len(shown) == 200
    assert {tuple(x) for x in shown} <= {tuple(x) for x in TEST_X}


@pytest.mark.parametrize("name", ["complexity", "class_costs"])
def test_a_missing_class_is_told_and_comes_back(make, name):
    explorer = make(name)
    X, t = explorer.state.X, explorer.state.t
    explorer.set(X=X[t > 0], t=t[t > 0])
    assert "each class" in explorer.message
    assert explorer.canvas.stale
    explorer.set(X=X, t=t)
    assert explorer.message == ""


@pytest.mark.parametrize("name", ["complexity", "class_costs"])
def test_points_on_top_of_each_other_are_no_trouble(make, name):
    explorer = make(name)
    explorer.set(X=np.repeat(explorer.state.X[::10], 10, axis=0), C=100.0)
    assert explorer.message == ""
    assert explorer.picture.facts["KKT violation"] == "< 1e-8"


# costs by class


@pytest.mark.parametrize(
    "fields", [{}, {"ratio": 10.0}, {"ratio": 0.1, "C": 30.0}, {"ratio": 30.0, "C": 0.1}]
)
def test_class_costs_shows_what_libsvm_finds(make, fields):
    explorer = make("class_costs")
    explorer.set(**fields)
    state, facts = explorer.state, explorer.picture.facts
    machine = libsvm(state, state.C, GAMMA, state.ratio)
    y, y_test = machine.decision_function(state.X), machine.decision_function(TEST_X)
    np.testing.assert_allclose(explorer.picture.Y, on_grid(machine), atol=1e-4)
    fp, fn = np.sum((y > 0) & (state.t < 0)), np.sum((y <= 0) & (state.t > 0))
    assert facts["training: FP, FN"] == f"{fp}, {fn}"
    assert percent(facts["test: false positives"]) == pytest.approx(
        np.mean(y_test[TEST_T < 0] > 0), abs=2.1e-3
    )
    assert percent(facts["test: false negatives"]) == pytest.approx(
        np.mean(y_test[TEST_T > 0] <= 0), abs=2.1e-3
    )
    assert percent(facts["test error"]) == pytest.approx(np.mean((y_test > 0) != (TEST_T > 0)), abs=2.1e-3)
    assert len(explorer.picture.wrong) == fp + fn


def test_class_costs_one_kind_of_error_is_traded_for_the_other(make):
    explorer = make("class_costs")
    ratios, fp, fn = explorer.picture.trade
    np.testing.assert_array_equal(ratios, RATIOS)
    assert ratios[len(ratios) // 2] == pytest.approx(1)
    assert (np.diff(fp) >= 0).all()
    assert (np.diff(fn) <= 0).all()
    for ratio in (0.1, 1.0, 10.0):  # the diamond is on the curve
        explorer.set(ratio=ratio)
        k = np.abs(np.log(ratios / ratio)).argmin()
        near = slice(max(0, k - 1), k + 2)
        assert fp[near].min() - 2e-3 <= explorer.picture.now[0] <= fp[near].max() + 2e-3


def test_class_costs_moving_b_gives_the_roc_curve_of_equal_costs(make):
    explorer = make("class_costs")
    fp, fn = explorer.picture.shifted
    y = libsvm(explorer.state, 1.0, GAMMA).decision_function(TEST_X)
    assert (np.diff(fp) >= 0).all()
    assert (np.diff(fn) <= 0).all()
    for k in (10, 50, 90):
        level = np.quantile(y, 1 - k / 100)
        assert fp[k] == pytest.approx(np.mean(y[TEST_T < 0] > level), abs=4.1e-3)
        assert fn[k] == pytest.approx(np.mean(y[TEST_T > 0] <= level), abs=4.1e-3)


# an outlier


@pytest.mark.parametrize(
    "fields", [{}, {"C": 10.0}, {"outlier": (4.0, 5.0)}, {"outlier": (5.5, -5.5), "C": 1.0}]
)
def test_outlier_lines_by_interior_point_and_by_closed_form(make, fields):
    explorer = make("outlier")
    explorer.set(**fields)
    picture, state = explorer.picture, explorer.state
    X, t = np.vstack([picture.X, state.outlier]), np.append(picture.t, 1.0)
    solution = qp(soft_margin(X @ X.T, t, state.C))
    w = solution.v @ X
    np.testing.assert_allclose(picture.soft.w[-1], w, atol=1e-4)
    assert picture.soft.b[-1] == pytest.approx(solution.b, abs=1e-4)
    assert float(picture.facts["its pull aₙ / C"]) == pytest.approx(solution.a[-1] / state.C, abs=2e-3)
    *w, b = np.linalg.lstsq(np.column_stack([X, np.ones(len(t))]), t, rcond=None)[0]
    np.testing.assert_allclose(picture.squares.w[-1], w, atol=1e-10)
    assert picture.squares.b[-1] == pytest.approx(b, abs=1e-10)
    assert picture.facts["KKT violation"] == "< 1e-8"


def test_outlier_on_its_own_side_moves_least_squares_only(make):
    explorer = make("outlier")
    explorer.set(outlier=(4.5, 4.0))
    facts = explorer.picture.facts
    assert facts["its pull aₙ / C"] == facts["soft margin moved by"] == "0.000"
    assert float(facts["least squares moved by"]) > 0.05


def test_outlier_pull_ends_at_C_however_far_it_goes(make):
    explorer = make("outlier")
    slacks, pulls = [], []
    for far in (2.0, 3.0, 4.0, 5.0, 6.0):
        explorer.set(outlier=(-0.5 * far, -far))
        slacks.append(float(explorer.picture.facts["its slack ξ"]))
        pulls.append(explorer.picture.facts["its pull aₙ / C"])
    assert (np.diff(slacks) > 0).all()
    assert set(pulls) == {"1.000"}


def test_outlier_runs_on_the_line_through_the_middle(make):
    explorer = make("outlier")
    X, t = explorer.picture.X, explorer.picture.t
    for outlier in ((-2.9, -4.8), (3.0, 4.0), (-5.0, 5.0)):
        middle, along, place = track_through(X, t, outlier)
        np.testing.assert_allclose(middle + place * along, outlier, atol=1e-12)
        assert along @ (X[t < 0].mean(axis=0) - X[t > 0].mean(axis=0)) >= 0
    middle, along, place = track_through(X, t, middle)  # no direction: that of the class means
    assert place == 0
    assert np.linalg.norm(along) == pytest.approx(1)


def test_outlier_far_outside_is_refused(make):
    explorer = make("outlier")
    before = explorer.state
    explorer.set(outlier=(50.0, 0.0))
    assert "between -6 and 6" in explorer.message
    assert explorer.state == before


def test_outlier_draw_again_changes_the_clouds(make):
    explorer = make("outlier")
    X = explorer.picture.X
    (again,) = [b for b in explorer.children[1].children[-1].children if b.description == "Draw again"]
    again.click()
    assert not np.array_equal(explorer.picture.X, X)
    np.testing.assert_array_equal(explorer.picture.X, datasets.clouds(60, seed=101)[0])
    explorer.reset()
    np.testing.assert_array_equal(explorer.picture.X, X)
