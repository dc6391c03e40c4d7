"""Smoothers on a line, alive: what the readout says, computed in another way."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from sparsekm_edu import LocallyWeightedRegression, NadarayaWatson, datasets
from sparsekm_edu.explorers.kernels.local_fits import (
    CHOICES,
    CONSTANT,
    GRID,
    HS,
    LEAST_H,
    LINE,
    MOST_H,
    lowest,
)

PROFILES = {
    "gaussian": lambda u: np.exp(-(u**2) / 2),
    "boxcar": lambda u: (np.abs(u) <= 1) * 1.0,
    "epanechnikov": lambda u: np.maximum(1 - u**2, 0),
    "tricube": lambda u: np.maximum(1 - np.abs(u) ** 3, 0) ** 3,
}


def numbers(text):
    return [float(part) for part in text.replace("−", "-").split(", ")]


@pytest.mark.parametrize("window", PROFILES)
@pytest.mark.parametrize("place", [0.0, 37.0, 100.0])
def test_local_fit_shows_the_mean_and_the_line_of_the_points_in_the_window(make, window, place):
    explorer = make("local_fit")
    explorer.set(window=window, place=place, h=12.0)
    X, t = explorer.state.X, explorer.state.t
    kappa = PROFILES[window]((X[:, 0] - place) / 12)
    mean = kappa @ t / kappa.sum()
    line = LinearRegression().fit(X - place, t, sample_weight=kappa)
    picture = explorer.picture
    level, slanted = picture.pieces
    np.testing.assert_allclose(level[:, 1], mean)
    np.testing.assert_allclose(
        slanted[:, 1], line.intercept_ + line.coef_[0] * np.array([-12, 12]), atol=1e-8
    )
    np.testing.assert_allclose(level[:, 0], [place - 12, place + 12])
    assert numbers(picture.facts["f(x*): constant, line"]) == pytest.approx(
        [mean, line.intercept_], abs=0.006
    )
    np.testing.assert_allclose(picture.weights[0], kappa / kappa.sum(), atol=1e-12)
    np.testing.assert_allclose(picture.weights @ t, [mean, line.intercept_], atol=1e-9)
    np.testing.assert_allclose(
        picture.bump[:, 1], PROFILES[window]((picture.bump[:, 0] - place) / 12), atol=1e-9
    )
    at = np.argmin(np.abs(GRID - place))
    np.testing.assert_allclose(picture.curves[:, at], [mean, line.intercept_], atol=1e-8)


def test_local_fit_weights_sum_to_one_and_those_of_the_line_are_negative_at_the_ends(make):
    explorer = make("local_fit")
    for place in (0.0, 100.0):
        explorer.set(place=place, h=3.5)
        np.testing.assert_allclose(explorer.picture.weights.sum(axis=1), 1.0, atol=1e-12)
        least = explorer.picture.weights.min(axis=1)
        assert least[0] >= 0
        assert least[1] < -0.03
        assert explorer.picture.facts["sums of the weights"] == "1.0000, 1.0000"
    explorer.set(place=65.0)
    assert explorer.picture.weights[1].min() > -0.005


def test_local_fit_errors_and_bandwidths_are_those_of_refits_and_of_the_rule(make):
    explorer = make("local_fit", h=4.0)
    X, t = explorer.state.X, explorer.state.t
    errors, degrees = [], []
    for smoother in (NadarayaWatson, LocallyWeightedRegression):
        model = smoother(4.0)
        without = [
            model.fit(np.delete(X, n, 0), np.delete(t, n)).predict(X[n : n + 1])[0] for n in range(len(t))
        ]
        errors.append(np.sqrt(np.mean((t - without) ** 2)))
        own = [model.fit(X, np.eye(len(t))[n]).predict(X[n : n + 1])[0] for n in range(len(t))]
        degrees.append(sum(own))
    facts = explorer.picture.facts
    assert numbers(facts["leave-one-out RMS"]) == pytest.approx(errors, abs=6e-4)
    assert numbers(facts["degrees of freedom"]) == pytest.approx(degrees, abs=0.06)
    h = [(4 / (3 * len(v))) ** 0.2 * 1.4826 * np.median(np.abs(v - np.median(v))) for v in (X[:, 0], t)]
    assert numbers(facts["rule: hx, hy"]) == pytest.approx(h, abs=0.006)
    assert numbers(facts["rule: √(hx hy)"]) == pytest.approx([np.sqrt(h[0] * h[1])], abs=0.006)
    best = [kind("leave-one-out").fit(X, t).h_ for kind in (NadarayaWatson, LocallyWeightedRegression)]
    assert numbers(facts["best h by it, about"]) == pytest.approx(
        best, abs=0.11
    )  # between those that are tried


def test_local_fit_at_both_ends_of_h(make):
    """A step at every point, or hardly; the mean of all, and the line through all."""
    explorer = make("local_fit", h=MOST_H)
    X, t = explorer.state.X, explorer.state.t
    line = LinearRegression().fit(X, t)
    np.testing.assert_allclose(explorer.picture.curves[0], t.mean(), atol=0.01)
    np.testing.assert_allclose(explorer.picture.curves[1], line.predict(GRID[:, None]), atol=0.01)
    assert numbers(explorer.picture.facts["degrees of freedom"]) == pytest.approx([1.0, 2.0], abs=0.01)
    explorer.set(h=LEAST_H)
    nearest = t[np.abs(GRID[:, None] - X[:, 0]).argmin(axis=1)]
    assert np.median(np.abs(explorer.picture.curves[0] - nearest)) < 0.005


def test_local_fit_the_window_is_dragged_by_its_edge_and_by_its_middle(make):
    explorer = make("local_fit", place=20.0)
    assert explorer.moved(explorer.state, "edge", 31.0, 9.0) == {"h": 11.0}
    assert explorer.moved(explorer.state, "edge", 20.0, 0.0) == {"h": LEAST_H}
    assert explorer.moved(explorer.state, "place", 120.0, 0.0) == {"place": 100.0}
    names = [handle.name for handle in explorer.handles(explorer.stage.view, explorer.state)]
    assert names.count("edge") == names.count("place") == 2
    assert names.count(("point", 0)) == 2
    grips = [h for h in explorer.handles(explorer.stage.view, explorer.state) if h.name == "edge"]
    assert {grip.x for grip in grips} == {23.5}
    explorer.set(place=80.0)
    grips = [h for h in explorer.handles(explorer.stage.view, explorer.state) if h.name == "edge"]
    assert {grip.x for grip in grips} == {76.5}


def test_local_fit_with_few_points(make):
    explorer = make("local_fit")
    explorer.set(X=np.empty((0, 1)), t=np.empty(0))
    assert "at least one point" in explorer.message
    explorer.add(30.0, 2.0, 1)
    assert explorer.message == ""
    np.testing.assert_allclose(explorer.picture.curves, 2.0)
    assert explorer.picture.facts["leave-one-out RMS"] == "—, —"
    assert explorer.picture.facts["rule: √(hx hy)"] == "—"


@pytest.mark.parametrize("smoother", [CONSTANT, LINE])
def test_bias_variance_shows_what_many_draws_show(make, smoother):
    explorer = make("bias_variance")
    explorer.set(smoother=smoother, h=6.0, noise=0.5, n=40)
    X, _ = datasets.rising_wave(40)
    kind = {CONSTANT: NadarayaWatson, LINE: LocallyWeightedRegression}[smoother]
    rng, truth = np.random.default_rng(5), datasets.rising_curve(X[:, 0])
    draws = np.array(
        [kind(6.0).fit(X, truth + 0.5 * rng.normal(size=40)).predict(GRID[:, None]) for _ in range(800)]
    )
    picture, at_grid = explorer.picture, datasets.rising_curve(GRID)
    assert np.abs(draws.mean(axis=0) - picture.expected).max() < 5 * picture.sd.max() / np.sqrt(800)
    np.testing.assert_allclose(draws.std(axis=0), picture.sd, rtol=0.15)
    bias2 = np.mean((draws.mean(axis=0) - at_grid) ** 2)
    assert picture.at_h == pytest.approx([bias2, np.mean(draws.var(axis=0))], rel=0.05)
    assert float(picture.facts["sum"]) == pytest.approx(np.mean((draws - at_grid) ** 2), rel=0.05)


def test_bias_variance_averages_over_h_are_those_of_single_states(make):
    explorer = make("bias_variance", noise=0.7)
    averages = explorer.picture.averages
    for k in (3, 20, 37):
        explorer.set(h=HS[k])
        np.testing.assert_allclose(explorer.picture.at_h, averages[:, k], rtol=1e-10)
    total = averages.sum(axis=0)
    assert explorer.picture.best_h == HS[np.argmin(total)]
    assert explorer.picture.facts["at h"] == f"{HS[np.argmin(total)]:.2f}"


def test_bias_variance_the_noise_leaves_the_bias_alone_and_a_line_takes_it_from_the_ends(make):
    explorer = make("bias_variance")
    before = explorer.picture
    explorer.set(noise=0.8)
    after = explorer.picture
    assert after.at_h[0] == before.at_h[0]
    assert after.at_h[1] == pytest.approx(4 * before.at_h[1], rel=1e-12)
    assert after.best_h > before.best_h
    explorer.set(smoother=LINE)
    truth = datasets.rising_curve(GRID)
    constant, line = (np.abs(p.expected - truth)[[0, -1]] for p in (after, explorer.picture))
    assert constant.min() > 0.3
    assert line.max() < 0.05


def test_bias_variance_leave_one_out_of_the_draws_is_that_of_the_library(make):
    explorer = make("bias_variance", n=40)
    X, _ = datasets.rising_wave(40)
    noise = np.random.default_rng(1000).normal(size=(40, CHOICES))
    for draw in (0, 5, 11):
        t = datasets.rising_curve(X[:, 0]) + 0.4 * noise[:, draw]
        np.testing.assert_allclose(
            explorer.picture.fits[:, draw], NadarayaWatson(3.5).fit(X, t).predict(GRID[:, None]), atol=1e-9
        )
        scores = NadarayaWatson().fit(X, t).leave_one_out(HS)
        assert explorer.picture.left_out[draw] == pytest.approx(float(lowest(HS, scores)), rel=1e-9)
        best = NadarayaWatson("leave-one-out").fit(X, t).h_
        assert explorer.picture.left_out[draw] == pytest.approx(best, rel=0.03)
    assert len(explorer.picture.left_out) == CHOICES
    low, middle, high = np.quantile(explorer.picture.left_out, [0.05, 0.5, 0.95])
    assert explorer.picture.facts["leave-one-out: h"] == f"{middle:.1f}"
    assert explorer.picture.facts["nine of ten draws"] == f"{low:.1f} to {high:.1f}"


def test_the_lowest_of_a_parabola_is_found_between_bandwidths_and_ends_stay_ends():
    hs = np.geomspace(1, 16, 9)
    costs = np.column_stack([(np.log(hs / best)) ** 2 for best in (3.1, 7.7, 0.2, 90.0)])
    np.testing.assert_allclose(lowest(hs, costs), [3.1, 7.7, 1.0, 16.0])
    for costs in ([np.inf, 1.0, 3.0, 2.0], [3.0, 1.0, np.inf, 9.0], [np.inf, 1.0, np.inf, 9.0]):
        assert lowest(hs[:4], np.array(costs)) == hs[1]  # beside nothing: the least itself
    assert lowest(hs[:3], np.array([1.0, np.inf, np.inf])) == hs[0]


@pytest.mark.parametrize(("window", "h", "place"), [("boxcar", 1.0, 48.0), ("tricube", 2.0, 76.0)])
def test_local_fit_draws_a_level_line_through_a_point_that_is_alone_in_the_window(make, window, h, place):
    explorer = make("local_fit", window=window, h=h, place=place)
    t = explorer.state.t
    weights = explorer.picture.weights[0]
    assert np.count_nonzero(weights) == 1
    np.testing.assert_allclose(explorer.picture.pieces[1][:, 1], t[weights.argmax()])


def test_bias_variance_h_is_dragged_on_its_axis(make):
    explorer = make("bias_variance")
    (grip,) = explorer.handles(explorer.stage.view, explorer.state)
    assert (grip.x, grip.ax) == (3.5, explorer.stage.view.axes[2])
    assert explorer.moved(explorer.state, "h", 8.0, 1.0) == {"h": 8.0}
    assert explorer.moved(explorer.state, "h", 0.01, 1.0) == {"h": 0.35}
