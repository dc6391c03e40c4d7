"""Figures 7.7 and 7.8 and the sinc alive: curves, multipliers and bounds as independent solvers find them."""

import numpy as np
import pytest
import sklearn.svm

from sparsekm_edu import datasets
from sparsekm_edu.explorers.svm.regression import SINC_K
from sparsekm_edu.figures.curves import SINC_X, SINUSOID_X
from sparsekm_edu.kernels import Gaussian, LinearSpline
from sparsekm_edu.solvers import epsilon_regression, nu_regression, qp


def drag(explorer, name, x, y, panel=0):
    """Drag a handle to (x, y) of one of the Axes."""
    index = [h.name for h in explorer.handles(explorer.stage.view, explorer.state)].index(name)
    u, v = explorer.stage.to_page(explorer.stage.view.axes[panel], x, y)
    explorer._on_gesture({"type": "move", "index": index, "u": u, "v": v})


# figure 7.7


@pytest.mark.parametrize(
    "fields",
    [{}, {"C": 0.05}, {"C": 30.0, "gamma": 22.2}, {"epsilon": 0.0}, {"epsilon": 0.4, "gamma": 100.0}],
    ids=str,
)
def test_tube_is_what_an_independent_solver_finds(make, fields):
    explorer = make("tube")
    explorer.set(**fields)
    state, picture = explorer.state, explorer.picture
    kernel = Gaussian(state.gamma)
    solution = qp(epsilon_regression(kernel(state.X), state.t, state.C, state.epsilon))
    expected = kernel(SINUSOID_X[:, None], state.X) @ solution.v
    np.testing.assert_allclose(picture.y - picture.y.mean(), expected - expected.mean(), atol=1e-5)
    np.testing.assert_allclose(picture.v, solution.v, atol=1e-4 * state.C)
    residual = state.t - kernel(state.X) @ solution.v - solution.b
    beyond = np.abs(residual) - state.epsilon
    facts = picture.facts
    if state.epsilon:
        assert facts["inside, a = â = 0"] == f"{np.sum(np.abs(solution.v) < 1e-5 * state.C)}"
        assert int(facts["above, a = C"]) == np.sum((beyond > 1e-5) & (residual > 0))
        assert int(facts["below, â = C"]) == np.sum((beyond > 1e-5) & (residual < 0))
    assert float(facts["sum of slacks"]) == pytest.approx(np.maximum(beyond, 0).sum(), abs=2e-4)
    assert float(facts["error (7.55)"]) == pytest.approx(float(facts["dual (7.61)"]), abs=1.1e-4)
    assert facts["(7.65)–(7.68)"] == "< 1e-8"


def test_tube_counts_every_point_once(make):
    explorer = make("tube")
    for C in (0.01, 1.5, 100.0):
        explorer.set(C=C)
        facts = explorer.picture.facts
        counts = [int(facts[key]) for key in list(facts)[:4]]
        assert sum(counts) == 10
        assert facts["support vectors"] == f"{10 - counts[0]} of 10"


def test_tube_a_point_outside_pulls_no_harder_when_it_goes_farther(make):
    """Inside it does nothing; on the edge it takes the curve along; outside its push is C and the curve stays."""
    explorer = make("tube")
    x, y = explorer.state.X[1, 0], explorer.picture.y
    drag(explorer, ("point", 1), x, 0.8)  # inside, as before
    np.testing.assert_allclose(explorer.picture.y, y, atol=1e-12)
    drag(explorer, ("point", 1), x, 0.88)
    assert 0 < explorer.picture.v[1] < explorer.state.C
    assert np.abs(explorer.picture.y - y).max() > 0.01
    drag(explorer, ("point", 1), x, 1.2)
    assert explorer.picture.v[1] == explorer.state.C
    outside = explorer.picture.y
    drag(explorer, ("point", 1), x, 1.6)
    np.testing.assert_allclose(explorer.picture.y, outside, atol=1e-12)


def test_tube_wider_than_the_data_is_flat_and_needs_nobody(make):
    explorer = make("tube")
    t = explorer.state.t
    explorer.set(epsilon=np.ptp(t) / 2 + 1e-6)
    assert explorer.message == ""
    assert explorer.picture.facts["support vectors"] == "0 of 10"
    np.testing.assert_allclose(explorer.picture.y, (t.min() + t.max()) / 2, atol=1e-6)
    explorer.set(epsilon=np.ptp(t) / 2 - 1e-3)
    assert explorer.picture.facts["support vectors"] == "2 of 10"


def test_tube_of_no_width_passes_through_all_points_if_C_allows(make):
    explorer = make("tube")
    explorer.set(epsilon=0.0, C=1000.0, gamma=30.0)
    np.testing.assert_allclose(explorer.picture.y_n, explorer.state.t, atol=1e-9)
    assert explorer.picture.facts["support vectors"] == "10 of 10"


@pytest.mark.parametrize("name", ["tube", "nu_tube"])
def test_without_points_there_is_a_sentence_and_with_one_there_is_a_curve(make, name):
    explorer = make(name)
    for _ in range(10):
        explorer.remove(0)
    assert "at least one point" in explorer.message
    assert explorer.canvas.stale
    explorer.add(0.5, 0.25, 1)
    assert explorer.message == ""
    np.testing.assert_allclose(explorer.picture.y, 0.25, atol=1e-12)


@pytest.mark.parametrize("name", ["tube", "nu_tube"])
def test_points_on_top_of_each_other(make, name):
    explorer = make(name)
    explorer.set(X=np.full((6, 1), 0.4), t=np.array([0.1, 0.9, 0.1, -0.5, 0.3, 0.9]), C=1000.0)
    assert explorer.message == ""
    np.testing.assert_allclose(np.ptp(explorer.picture.y_n), 0, atol=1e-9)


@pytest.mark.parametrize("name", ["tube", "nu_tube"])
def test_draw_again_draws_from_the_same_sine(make, name):
    explorer = make(name)
    explorer.draw_again()
    np.testing.assert_array_equal(explorer.state.t, datasets.sinusoid(seed=101)[1])
    explorer.reset()
    np.testing.assert_array_equal(explorer.state.t, datasets.sinusoid()[1])


# figure 7.8


def test_nu_tube_begins_with_the_books_seven_support_vectors(make):
    facts = make("nu_tube").picture.facts
    assert (facts["outside the tube"], facts["νN"], facts["support vectors"]) == ("3", "5.00", "7")
    assert facts["outside ≤ νN ≤ SVs"] == "yes"
    assert facts["SVR with this ε"] == "same curve"


@pytest.mark.parametrize("nu", [0.05, 0.13, 0.37, 0.55, 0.71])  # none for which epsilon is an interval
@pytest.mark.parametrize("C", [0.3, 1.0, 10.0])
def test_nu_tube_is_what_libsvm_and_an_interior_point_method_find(make, nu, C):
    explorer = make("nu_tube")
    explorer.set(nu=nu, C=C)
    state, picture = explorer.state, explorer.picture
    theirs = sklearn.svm.NuSVR(C=C, nu=nu, gamma=state.gamma, tol=1e-10).fit(state.X, state.t)
    np.testing.assert_allclose(picture.y, theirs.predict(SINUSOID_X[:, None]), atol=1e-5)
    solution = qp(nu_regression(Gaussian(state.gamma)(state.X), state.t, 10 * C, nu))
    assert picture.epsilon == pytest.approx(solution.epsilon, abs=1e-5)


@pytest.mark.parametrize("seed", [None, 3, 8])
def test_nu_stays_between_the_two_fractions(make, seed):
    explorer = make("nu_tube")
    X, t = datasets.sinusoid(seed=seed)
    explorer.set(X=X, t=t)
    for nu in np.linspace(0.02, 1.0, 25):
        explorer.set(nu=float(nu))
        outside = np.sum(np.abs(t - explorer.picture.y_n) > explorer.picture.epsilon + 1e-7)
        support = np.count_nonzero(explorer.picture.v)
        assert outside <= 10 * nu + 1e-9
        if explorer.picture.epsilon > 1e-7:
            assert support >= 10 * nu - 1e-9
        assert explorer.picture.facts["outside ≤ νN ≤ SVs"] == "yes"


def test_nu_tube_equal_targets_have_no_tube_and_the_readout_says_why_the_bound_fails(make):
    explorer = make("nu_tube")
    explorer.set(t=np.zeros(10))
    assert explorer.picture.epsilon == 0
    assert explorer.picture.facts["outside ≤ νN ≤ SVs"] == "no, ε = 0"


def test_nu_tube_the_diamond_is_nu(make):
    explorer = make("nu_tube")
    drag(explorer, "nu", 0.31, 0.5, panel=1)
    assert explorer.state.nu == pytest.approx(0.31)
    assert explorer.widgets["nu"].value == pytest.approx(0.31)
    drag(explorer, "nu", -3.0, 0.5, panel=1)
    assert explorer.state.nu == 0.02
    drag(explorer, "nu", 9.0, 0.5, panel=1)
    assert explorer.state.nu == 1.0
    assert explorer.message == ""


def test_nu_tube_a_point_outside_can_go_farther_without_widening_the_tube(make):
    explorer = make("nu_tube")
    y, epsilon = explorer.picture.y, explorer.picture.epsilon
    drag(explorer, ("point", 6), explorer.state.X[6, 0], -1.4)
    np.testing.assert_allclose(explorer.picture.y, y, atol=1e-12)
    assert explorer.picture.epsilon == pytest.approx(epsilon, abs=1e-12)


# Tipping's sinc


def test_sinc_tube_noise_free_has_34_support_vectors_not_36(make):
    explorer = make("sinc_tube")
    explorer.set(noise=0.0, epsilon=0.01, C=100.0)
    solution = qp(epsilon_regression(SINC_K, datasets.sinc()[1], 100.0, 0.01))
    assert np.sum(np.abs(solution.v) > 1e-6) == 34
    assert explorer.picture.facts["support vectors"] == "34 of 100"
    assert float(explorer.picture.facts["largest error"]) == pytest.approx(0.01, abs=2e-4)
    np.testing.assert_allclose(explorer.picture.v, solution.v, atol=1e-5)


@pytest.mark.parametrize("fields", [{}, {"noise": 0.4, "epsilon": 0.05}, {"C": 0.1}], ids=str)
def test_sinc_tube_is_what_an_independent_solver_finds(make, fields):
    explorer = make("sinc_tube")
    explorer.set(**fields)
    state = explorer.state
    X, t = datasets.sinc(noise=state.noise, seed=0)
    np.testing.assert_array_equal(state.t, t)
    solution = qp(epsilon_regression(SINC_K, t, state.C, state.epsilon))
    expected = LinearSpline()(SINC_X[:, None] + 10, X + 10) @ solution.v + solution.b
    np.testing.assert_allclose(explorer.picture.y, expected, atol=1e-4)
    rms = np.sqrt(np.mean((expected - np.sinc(SINC_X / np.pi)) ** 2))
    assert float(explorer.picture.facts["RMS error"]) == pytest.approx(rms, abs=1.5e-4)


def test_sinc_tube_wider_tubes_need_fewer_support_vectors_but_err_more_in_the_end(make):
    explorer = make("sinc_tube")
    counts, errors = [], []
    for epsilon in (0.01, 0.05, 0.1, 0.15, 0.18, 0.3, 0.5):
        explorer.set(epsilon=epsilon)
        counts.append(np.count_nonzero(explorer.picture.v))
        errors.append(float(explorer.picture.facts["RMS error"]))
    assert (np.diff(counts) < 0).all()
    assert np.argmin(errors) == 4


def test_sinc_tube_draws_again(make):
    explorer = make("sinc_tube")
    t = explorer.state.t
    (button,) = [b for b in explorer.children[1].children[-1].children if b.description == "Draw again"]
    button.click()
    assert not np.array_equal(explorer.state.t, t)
    assert explorer.message == ""
