"""Three ways down and runaway weights alive: what they show is what the solvers, and the theory, say."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from sparsekm_edu import datasets
from sparsekm_edu.explorers.rvm.descent import ARRIVED, LONGEST, MOST_STEPS, design
from sparsekm_edu.figures.rvm.descent import WEIGHTS
from sparsekm_edu.solvers import hard_margin, smo


def left(explorer, way):
    """E - E* of the readout; 0 where it is called small."""
    text = explorer.picture.facts[f"E − E*, {way}"]
    return 0.0 if text.startswith("<") else float(text)


@pytest.mark.parametrize("origin", [0.0, 2.2, 4.4])
def test_descent_bottom_is_where_an_independent_minimiser_ends(make, origin):
    explorer = make("descent")
    explorer.set(origin=origin)
    _, t = datasets.hours()

    def error(w):
        return np.logaddexp(0, -t * (design(origin) @ w)).sum()

    found = minimize(error, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12})
    np.testing.assert_allclose(explorer.picture.best.w, found.x, atol=1e-5)
    assert explorer.picture.best.error == pytest.approx(found.fun, abs=1e-9)


def test_descent_the_limit_is_two_over_the_curvature_by_differences(make):
    explorer = make("descent")
    _, t = datasets.hours()
    w, h = explorer.picture.best.w, 1e-4

    def slope(w):
        y = 1 / (1 + np.exp(-design(0.0) @ w))
        return design(0.0).T @ (y - (t > 0)) / len(t)

    H = np.column_stack([(slope(w + h * e) - slope(w - h * e)) / (2 * h) for e in np.eye(2)])
    flat, steep = np.linalg.eigvalsh((H + H.T) / 2)
    facts = explorer.picture.facts
    assert float(facts["rate limit"]) == pytest.approx(2 / steep, abs=5e-3)
    assert float(facts["their ratio"]) == pytest.approx(steep / flat, abs=0.1)


def test_descent_settles_below_the_limit_only(make):
    explorer = make("descent")
    best = explorer.picture.best
    limit = float(explorer.picture.facts["rate limit"])
    for share, settles in ((0.5, True), (0.95, True), (1.05, False), (2.0, False)):
        explorer.set(rate=share * limit, start=tuple(best.w + [0.02, 0.05]), step=LONGEST)
        away = [s.error - best.error for s in explorer.picture.ways["gradient"]]
        assert (away[-1] < away[0]) == settles, share


def test_descent_newton_needs_few_passes_and_a_moved_origin_helps_the_gradient(make):
    explorer = make("descent")
    explorer.set(step=10)
    assert left(explorer, "Newton") == 0 < 1 < left(explorer, "gradient")
    explorer.set(origin=2.2, rate=5.0, step=10)
    assert left(explorer, "gradient") < 1e-3
    assert left(explorer, "Newton") == 0


def test_descent_newton_takes_the_same_steps_wherever_x_is_counted_from(make):
    explorer, outputs = make("descent"), []
    for origin in (0.0, 2.2, 4.4):
        explorer.set(origin=origin)
        outputs.append([design(origin) @ step.w for step in explorer.picture.ways["Newton"]])
    np.testing.assert_allclose(outputs[1], outputs[0], atol=1e-8)
    np.testing.assert_allclose(outputs[2], outputs[0], atol=1e-8)


def test_descent_start_stays_the_same_curve_but_inside_the_picture(make):
    explorer = make("descent")
    explorer.set(start=(7.0, 5.0), origin=4.0)
    assert explorer.state.w == (WEIGHTS[1], 5.0)
    explorer.set(origin=0.0)
    assert explorer.state.w == (7.0, 5.0)


def test_descent_the_run_ends_when_the_gradient_has_arrived(make):
    explorer = make("descent")
    assert explorer.steps.max == LONGEST
    explorer.set(origin=2.2, rate=10.0)
    assert explorer.steps.max < 20
    assert [step.residual < ARRIVED for step in explorer.picture.ways["gradient"][-2:]] == [False, True]


def test_runaway_grows_by_one_over_the_margin_with_every_step(make):
    explorer = make("runaway")
    explorer.set(step=MOST_STEPS)
    X, t = datasets.separable()
    inverse_margin = np.linalg.norm(smo(hard_margin(X @ X.T, t)).v @ X)
    assert np.diff(explorer.picture.runs[False])[-1] == pytest.approx(inverse_margin, rel=2e-3)
    assert explorer.picture.facts["1 / widest margin"] == f"{inverse_margin:.3f}"


@pytest.mark.parametrize("alpha", [1e-3, 0.1, 10.0])
def test_runaway_with_a_prior_ends_where_scikit_learn_does(make, alpha):
    explorer = make("runaway")
    explorer.set(prior=True, alpha=alpha, step=MOST_STEPS)
    X, t = datasets.separable()
    model = LogisticRegression(C=1 / alpha, tol=1e-10, max_iter=10_000).fit(X, t)
    assert explorer.picture.runs[True][-1] == pytest.approx(np.linalg.norm(model.coef_), rel=1e-4)
    assert explorer.picture.facts["|w|, with α"] == f"{np.linalg.norm(model.coef_):.2f}"


def test_runaway_ends_when_a_point_is_dragged_across(make):
    explorer = make("runaway")
    assert explorer.picture.facts["a line separates"] == "yes"
    X = explorer.state.X.copy()
    X[0] = X[explorer.state.t > 0].mean(axis=0)
    explorer.set(X=X)
    explorer.set(step=MOST_STEPS)
    assert explorer.message == ""
    assert explorer.picture.facts["a line separates"] == "no"
    assert explorer.picture.widest is None
    assert explorer.state.step < MOST_STEPS
    assert abs(np.diff(explorer.picture.runs[False])[-1]) < 1e-6
    best = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(X, explorer.state.t)
    assert explorer.picture.runs[False][-1] == pytest.approx(np.linalg.norm(best.coef_), rel=1e-4)


def test_runaway_of_one_class_is_explained(make):
    explorer = make("runaway")
    explorer.set(X=np.zeros((3, 2)), t=np.ones(3))
    assert "each class needs at least one point" in explorer.message
    explorer.reset()
    assert explorer.message == ""


def test_runaway_of_points_on_a_line_needs_a_prior(make):
    explorer = make("runaway")
    explorer.set(X=np.array([(-1.0, 0.0), (0.5, 0.0), (1.0, 0.0)]), t=np.array([-1.0, 1.0, 1.0]))
    assert "lie on one line" in explorer.message
    explorer.set(prior=True)
    assert explorer.message == ""
    assert explorer.picture.runs[True][-1] > 0.5
