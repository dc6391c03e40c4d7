"""Losses alive: what four of them make of points, one number for many, and the hinge that is no likelihood."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC

from sparsekm_edu.lessons import losses


def drag(explorer, n, x, y):
    """Drag point n to (x, y) of the Axes that shows the points."""
    ax = explorer.points_axes(explorer.stage.view)[0]
    u, v = explorer.stage.to_page(ax, x, y)
    explorer._on_gesture({"type": "move", "index": n, "u": u, "v": v})


# losses


@pytest.mark.parametrize("lam", [0.02, 0.5, 5.0])
def test_losses_lines_are_those_of_scikit_learn(make, lam):
    explorer = make("losses")
    explorer.draw_again()  # overlapping classes
    explorer.set(lam=lam)
    X, t, lines = explorer.state.X, explorer.state.t, explorer.picture.lines
    svm = SVC(C=0.5 / lam, kernel="linear", tol=1e-8).fit(X, t)
    logistic = LogisticRegression(C=0.5 / (lam * np.log(2)), tol=1e-10, max_iter=1000).fit(X, t)
    ridge = Ridge(alpha=lam).fit(X, t)
    for name, model in (("hinge", svm), ("logistic", logistic), ("squared", ridge)):
        np.testing.assert_allclose(lines[name].w, np.squeeze(model.coef_), atol=1e-4)
        np.testing.assert_allclose(lines[name].b, np.squeeze(model.intercept_), atol=1e-3)


def test_losses_far_outlier_on_its_correct_side(make):
    explorer = make("losses")
    before = explorer.picture.facts
    drag(explorer, int(explorer.state.X.argmax()), 7.5, 1.0)
    after = explorer.picture.facts
    assert before["squared: y = 0 at"] == "-0.02, 0 wrong"
    assert after["squared: y = 0 at"] == "0.33, 2 wrong"
    for fact in ("hinge: y = 0 at", "mean loss, hinge", "any line, fewest wrong", "points the hinge sees"):
        assert before[fact] == after[fact]


def test_losses_dragged_across_the_axis_a_point_changes_class_and_stays_on_its_rail(make):
    explorer = make("losses")
    drag(explorer, 0, 2.0, 0.3)
    assert explorer.state.t[0] == 1
    assert explorer.state.X[0, 0] == pytest.approx(2.0)
    ax = explorer.points_axes(explorer.stage.view)[0]
    np.testing.assert_allclose(explorer.canvas.handles[0][:2], explorer.stage.to_page(ax, 2.0, 1.0))


@pytest.mark.parametrize("shown", ["squared", "logistic", "hinge"])
def test_losses_points_sit_on_the_chosen_curve(make, shown):
    explorer = make("losses")
    explorer.set(shown=shown)
    z, cost = explorer.picture.costs.T
    np.testing.assert_allclose(z, explorer.state.t * explorer.picture.lines[shown](explorer.state.X[:, 0]))
    np.testing.assert_allclose(cost, getattr(losses, shown)(z))
    assert float(explorer.picture.facts[f"mean loss, {shown}"]) == pytest.approx(cost.mean(), abs=1e-4)


def test_losses_silly_data(make):
    explorer = make("losses")
    for n in range(14):
        drag(explorer, n, 1.0, explorer.state.t[n])  # all on top of each other
    assert explorer.message == ""
    assert "none" in explorer.picture.facts["hinge: y = 0 at"]
    explorer.set(t=np.ones(14))
    assert "each class needs" in explorer.message
    explorer.set(X=np.zeros((3, 1)))
    assert "X must" in explorer.message
    explorer.set(X=np.zeros((2, 1)), t=np.array([0.0, 2.0]))
    assert "-1 and +1" in explorer.message
    explorer.reset()
    assert explorer.message == ""


@pytest.mark.parametrize("name", ["losses", "insensitive"])
def test_points_can_be_added_deleted_and_drawn_again(make, name):
    explorer = make(name)
    n = len(explorer.state.t)
    explorer.mode.value = "+1"
    ax = explorer.points_axes(explorer.stage.view)[0]
    u, v = explorer.stage.to_page(ax, 3.0, 2.0)
    explorer._on_gesture({"type": "add", "u": u, "v": v})
    assert len(explorer.state.t) == n + 1
    assert explorer.message == ""
    explorer._on_gesture({"type": "remove", "index": n})
    assert len(explorer.state.t) == n
    first = explorer.state.t if name == "insensitive" else explorer.state.X
    explorer.draw_again()
    assert not np.array_equal(first, explorer.state.t if name == "insensitive" else explorer.state.X)
    assert explorer.message == ""


# insensitive


@pytest.mark.parametrize("epsilon", [0.05, 0.7, 1.5, 4.0])
def test_insensitive_minima_by_search(make, epsilon):
    explorer = make("insensitive")
    explorer.set(epsilon=epsilon)
    t = explorer.state.t
    for name, E in (
        ("quadratic", losses.quadratic),
        ("huber", lambda r: losses.huber(r, epsilon)),
        ("insensitive", lambda r: losses.insensitive(r, epsilon)),
    ):
        search = minimize(
            lambda m, E=E: E(m - t).mean(), [0.3], method="Nelder-Mead", options={"xatol": 1e-8}
        )
        assert explorer.picture.best[name][1] == pytest.approx(search.fun, abs=1e-6)


def test_insensitive_from_the_median_to_the_middle_of_the_range(make):
    explorer = make("insensitive")

    def middle(epsilon):
        explorer.set(epsilon=epsilon)
        return explorer.picture.best["insensitive"][0], explorer.picture.best["huber"][0]

    t = explorer.state.t
    assert middle(0.05) == pytest.approx((np.median(t),) * 2, abs=0.06)
    insensitive, huber = middle(4.0)
    assert insensitive == pytest.approx((t.min() + t.max()) / 2)
    assert explorer.picture.facts["in the tube"] == "8 of 8"
    assert abs(huber - t.mean()) < 0.1


def test_insensitive_an_outlier_has_no_say_until_the_tube_is_wide(make):
    explorer = make("insensitive")
    outlier = int(explorer.state.t.argmax())

    def shift(epsilon):
        explorer.reset()
        explorer.set(epsilon=epsilon)
        before = {name: place for name, (place, _) in explorer.picture.best.items()}
        drag(explorer, outlier, 5.9, 0.0)
        return {name: place - before[name] for name, (place, _) in explorer.picture.best.items()}

    narrow, wide = shift(0.5), shift(4.0)
    assert narrow["insensitive"] == pytest.approx(0, abs=1e-9)
    assert narrow["huber"] == pytest.approx(0, abs=1e-9)
    assert narrow["quadratic"] == pytest.approx(0.9 / 8, abs=1e-6)
    assert wide["insensitive"] == pytest.approx(0.9 / 2, abs=1e-6)


def test_insensitive_without_points(make):
    explorer = make("insensitive")
    for _ in range(8):
        explorer._on_gesture({"type": "remove", "index": 0})
    assert "add a point" in explorer.message
    assert explorer.canvas.stale
    explorer.set(t=np.zeros((2, 2)))
    assert "of shape (N,)" in explorer.message
    explorer.reset()
    assert explorer.message == ""


# no likelihood


def sums(C, f):
    return [np.exp(-C * E(f)) + np.exp(-C * E(-f)) for E in (losses.hinge, losses.logistic)]


@pytest.mark.parametrize("C", [0.1, 0.5, 0.7, 1.0, 3.0, 10.0])
def test_no_likelihood_ratio_of_largest_and_smallest(make, C):
    explorer = make("no_likelihood")
    explorer.set(C=C)
    f = np.linspace(-200, 200, 400_001)  # far enough for the limits
    facts = explorer.picture.facts
    for total, label in zip(sums(C, f), ("largest / smallest", "largest / smallest ")):
        assert float(facts[label]) == pytest.approx(total.max() / total.min(), rel=1e-4)


def test_no_likelihood_ln_2_is_best_for_the_hinge_and_perfect_for_the_logistic_loss(make):
    explorer = make("no_likelihood")
    explorer.fair()
    assert explorer.picture.facts["largest / smallest"] == "1.25"
    assert explorer.picture.facts["largest / smallest "] == "1"
    np.testing.assert_allclose(np.sum(explorer.picture.logistic, axis=0), 1, atol=1e-12)
    f = np.linspace(-60, 60, 60_001)
    ratios = [np.ptp(np.log(sums(C, f)[0])) for C in np.linspace(0.2, 2, 50)]
    assert min(ratios) > np.log(1.25) - 1e-6


def test_no_likelihood_begins_at_ln_2_where_its_text_is_true(make):
    explorer = make("no_likelihood")
    assert np.isclose(explorer.state.C, np.log(2))
    hinge, logistic = np.sum(explorer.picture.hinge, axis=0), np.sum(explorer.picture.logistic, axis=0)
    np.testing.assert_allclose(logistic, 1, atol=1e-12)
    assert np.ptp(hinge) == pytest.approx(0.25)
    assert explorer.picture.facts["at f = ±1"] == "1.2500"


def test_no_likelihood_other_axes_are_painted_anew(make, painted):
    explorer = make("no_likelihood")
    height = explorer.stage.view.axes[0].get_ylim
    frames = []
    for C, top in ((2.0, 1.5), (0.1, 2.1), (2.0, 1.5)):
        explorer.set(C=C)
        assert height()[1] == top
        frames.append(bytes(explorer.canvas.frame))
    assert frames[0] == frames[2] != frames[1]
