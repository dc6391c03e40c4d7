"""Figure 7.9, the climb and the far-away band alive: numbers against fresh fits, other solvers and closed forms."""

from functools import partial

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from sparsekm_edu import RVR, Gaussian, NuSVR, datasets
from sparsekm_edu.explorers.rvm.regression import WIDTHS, shown_targets
from sparsekm_edu.figures.curves import SINUSOID_X
from sparsekm_edu.figures.rvm.regression import FAR_X, LONGEST
from sparsekm_edu.solvers import em, posterior, reestimate


def drag(explorer, name, x, y, panel=0):
    """Drag a handle to (x, y) of one of the Axes."""
    handles = explorer.handles(explorer.stage.view, explorer.state)
    ax = explorer.stage.view.axes[panel]
    index = [(h.name, h.ax) for h in handles].index((name, ax))
    u, v = explorer.stage.to_page(ax, x, y)
    explorer._on_gesture({"type": "move", "index": index, "u": u, "v": v})


def gaussian(width):
    return Gaussian(1 / (2 * width**2))


def books_machine(width, **options):
    """The book's model, and the explorers': a bias like any other basis function, with its prior at 0."""
    return RVR(gaussian(width), bias=False, extra="constant", **options)


# figure 7.9


def test_rvm_regression_begins_with_the_books_three_and_seven(make):
    facts = make("rvm_regression").picture.facts
    assert facts["relevance vectors"] == "3 of 10"
    assert facts["support vectors"] == "7 of 10"
    assert facts["ln evidence"] == "-3.7876"
    assert float(facts["noise found, 1/√β"]) == pytest.approx(17.502**-0.5, abs=1e-3)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"width": 0.1},
        {"width": 0.3},
        {"noise": 0.1},
        {"noise": 0.5, "width": 0.2},
        {"way": "all at once"},
    ],
    ids=str,
)
def test_rvm_regression_is_what_the_estimators_find(make, fields):
    explorer = make("rvm_regression")
    explorer.set(**fields)
    state, picture = explorer.state, explorer.picture
    t = shown_targets(state)
    method = "sequential" if state.way == "one at a time" else "reestimate"
    rvm = books_machine(state.width, method=method).fit(state.X, t)
    np.testing.assert_array_equal(picture.relevant, rvm.relevance_)
    assert picture.facts["ln evidence"] == f"{rvm.log_evidence_:.4f}"
    mean, sd = rvm.predict(SINUSOID_X[:, None], return_std=True)
    np.testing.assert_allclose(picture.bars[0], mean, atol=1e-9)
    np.testing.assert_allclose(picture.bars[1], sd, atol=1e-9)
    svm = NuSVR(C=1.0, nu=0.5, kernel=gaussian(state.width), tol=1e-8).fit(state.X, t)
    np.testing.assert_allclose(picture.tube[0], svm.predict(SINUSOID_X[:, None]), atol=1e-5)
    assert picture.facts["support vectors"] == f"{len(svm.support_)} of 10"
    assert picture.facts["slopes of it"] == "< 1e-3"


def test_rvm_regression_the_books_points_are_exactly_the_books(make):
    explorer = make("rvm_regression")
    np.testing.assert_array_equal(shown_targets(explorer.state), datasets.sinusoid()[1])
    assert explorer.widgets["width"].value == explorer.state.width


def test_rvm_regression_more_noise_is_found_where_more_was_put_in(make):
    explorer = make("rvm_regression")
    found = []
    for noise in (0.1, 0.2, 0.3, 0.4, 0.5):
        explorer.set(noise=noise)
        assert float(explorer.picture.facts["noise put in"]) == pytest.approx(noise * 0.289 / 0.3, abs=2e-3)
        found.append(float(explorer.picture.facts["noise found, 1/√β"]))
    assert (np.diff(found) > 0).all()


@pytest.mark.parametrize("noise", [0.05, 0.3, 0.6])
@pytest.mark.parametrize("panel", [0, 1])
def test_rvm_regression_a_point_goes_where_it_is_dragged_whatever_the_noise(make, noise, panel):
    explorer = make("rvm_regression")
    explorer.set(noise=noise)
    drag(explorer, ("point", 4), 0.41, -0.37, panel)
    np.testing.assert_allclose(explorer.places(explorer.state)[4], (0.41, -0.37), atol=1e-9)
    explorer.add(0.8, 0.5, 1)
    np.testing.assert_allclose(explorer.places(explorer.state)[-1], (0.8, 0.5), atol=1e-9)


def test_rvm_regression_says_when_it_sees_no_noise(make):
    explorer = make("rvm_regression")
    explorer.set(width=0.0535)
    assert explorer.message == ""
    assert explorer.picture.facts["noise found, 1/√β"] == "none"


def test_the_two_ways_may_end_on_different_tops(make):
    """The evidence is not concave."""
    explorer = make("rvm_regression")
    ends = []
    for way in ("one at a time", "all at once"):
        explorer.set(width=0.3, way=way)
        ends.append(float(explorer.picture.facts["ln evidence"]))
        assert explorer.picture.facts["slopes of it"] == "< 1e-3"
    assert abs(ends[0] - ends[1]) > 0.1


@pytest.mark.parametrize("name", ["rvm_regression", "far_away"])
def test_without_points_a_sentence_and_draw_again_from_the_same_sine(make, name):
    explorer = make(name)
    for _ in range(10):
        explorer.remove(0)
    assert "at least one point" in explorer.message
    explorer.draw_again()
    assert explorer.message == ""
    np.testing.assert_array_equal(explorer.state.t, datasets.sinusoid(seed=101)[1])


# the climb


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("way", "solver"),
    [("as printed", partial(reestimate, rule="printed")), ("with a brake", reestimate), ("EM", em)],
)
@pytest.mark.filterwarnings("ignore:at rest")  # as printed, there may be more to gain
def test_climb_ends_where_the_solver_ends_and_never_goes_down(make, width, way, solver):
    explorer = make("evidence_climb")
    explorer.set(width=width, way=way, step=10**6)
    X, t = datasets.sinusoid()
    Phi = np.hstack([gaussian(width)(X), np.ones((10, 1))])
    solution = solver(Phi, t)
    assert explorer.state.step == solution.n_iter < LONGEST
    assert explorer.picture.facts["ln evidence"] == f"{solution.log_evidence:.4f}"
    assert explorer.picture.facts["falls so far"] == "0"
    assert explorer.picture.facts["in the model"] == f"{solution.active.sum()} of 11"
    np.testing.assert_array_equal(explorer.picture.variances[-1] > 0, solution.active)


@pytest.mark.parametrize("step", [0, 7, 18, 27, 40])
def test_climb_every_step_is_a_posterior_of_its_own(make, step):
    explorer = make("evidence_climb")
    explorer.set(way="with a brake", step=step)
    X, t = datasets.sinusoid()
    Phi = np.hstack([gaussian(0.15)(X), np.ones((10, 1))])
    beta = float(explorer.picture.facts["noise 1/√β"]) ** -2
    with np.errstate(divide="ignore"):
        m, Sigma = posterior(Phi, t, 1 / explorer.picture.variances[step], beta)
    inside = explorer.picture.variances[step] > 0
    mean = np.hstack([gaussian(0.15)(SINUSOID_X[:, None], X), np.ones((len(SINUSOID_X), 1))])[:, inside] @ m
    np.testing.assert_allclose(explorer.picture.bars[0], mean, atol=5e-3)  # beta has three digits here


def test_climb_all_three_reach_the_same_top_and_the_readout_names_who_leaves(make):
    explorer = make("evidence_climb")
    ends = [evidence[-1] for evidence in explorer.picture.evidence.values()]
    assert np.ptp(ends) < 1e-6
    assert explorer.picture.facts["steps to rest"] == "27, 40, 102"
    explorer.set(way="with a brake", step=27)
    assert explorer.picture.facts["pruned in this step"] == "8, bias"
    explorer.set(step=28)
    assert explorer.picture.facts["in the model"] == "6 of 11"
    explorer.set(way="EM", step=88)
    assert explorer.picture.facts["in the model"] == "3 of 11"


@pytest.mark.parametrize(
    ("width", "ends"),
    [(0.1, (-5.32, -4.85, -4.84)), (0.25, (-5.78, -5.70, -5.70)), (0.3, (-6.90, -7.24, -7.24))],
)
def test_climb_other_widths_have_several_tops(make, width, ends):
    explorer = make("evidence_climb")
    explorer.set(width=width)
    assert explorer.picture.facts["ends at"] == ", ".join(f"{end:.2f}" for end in ends)


# far away


@pytest.mark.parametrize("width", [0.12, 0.15, 0.3])
def test_far_away_process_is_scikit_learns(make, width):
    explorer = make("far_away")
    explorer.set(width=width)
    state, picture = explorer.state, explorer.picture
    kernel = ConstantKernel(1.0, (1e-6, 1e6)) * RBF(width, "fixed") + WhiteKernel(0.1, (1e-8, 1e3))
    theirs = GaussianProcessRegressor(kernel, n_restarts_optimizer=3, random_state=0).fit(state.X, state.t)
    mean, sd = theirs.predict(FAR_X[:, None], return_std=True)
    np.testing.assert_allclose(picture.process[0], mean, atol=1e-3)
    np.testing.assert_allclose(picture.process[1], sd, atol=1e-3)
    rvm = books_machine(width).fit(state.X, state.t)
    np.testing.assert_allclose(picture.rvm, rvm.predict(FAR_X[:, None], return_std=True), atol=1e-9)


@pytest.mark.parametrize("width", [0.12, 0.15, 0.25, 0.37])  # at 0.1 the bias stays in the model
def test_far_away_one_shrinks_and_the_other_grows(make, width):
    explorer = make("far_away")
    explorer.set(width=width)
    (rvm_near, *_, rvm_far), (gp_near, *_, gp_far) = explorer.picture.at_places
    assert rvm_far < rvm_near
    assert gp_far > gp_near
    assert rvm_far <= explorer.picture.rvm[1].min() + 1e-3


@pytest.mark.parametrize("width", [0.1, 0.15, 0.3])
def test_far_away_the_readout_looks_where_it_says(make, width):
    explorer = make("far_away")
    explorer.set(width=width, probe=0.7)
    X, t, facts = explorer.state.X, explorer.state.t, explorer.picture.facts
    model = books_machine(width).fit(X, t)
    for label, place in (
        ("at 0.15 beyond", 1.15),
        ("at 0.45 beyond", 1.45),
        ("at 1 beyond", 2.0),
        ("under the probe", 0.7),
    ):
        _, sd = model.predict([[place]], return_std=True)
        rvm, _ = facts[f"σ {label}"].split()
        assert float(rvm) == pytest.approx(sd[0], abs=6e-4)


def test_far_away_the_probe_runs_along_the_axis(make):
    explorer = make("far_away")
    drag(explorer, "place", -0.8, 1.0, panel=1)
    assert explorer.state.probe == pytest.approx(-0.8)
    rvm, process = explorer.picture.facts["σ under the probe"].split()
    where = np.abs(FAR_X + 0.8).argmin()
    assert float(rvm) == pytest.approx(explorer.picture.rvm[1][where], abs=2e-3)
    assert float(process) == pytest.approx(explorer.picture.process[1][where], abs=2e-3)


def test_far_away_zeros_are_explained(make):
    explorer = make("far_away")
    explorer.set(t=np.zeros(10))
    assert "zeros alone" in explorer.message
    explorer.reset()
    assert explorer.message == ""
