"""Parzen windows and balls of K points alive: what the readout says, computed in another way."""

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity as TheirDensity
from sklearn.neighbors import KNeighborsClassifier

from sparsekm_edu.explorers.kernels.densities import GRID, HS, SIX, three_clouds, two_humps
from sparsekm_edu.figures.kernels.densities import BANDWIDTHS, SPAN
from sparsekm_edu.kernels.windows import WINDOWS, rule_of_thumb


def number(text):
    return float(text.replace("−", "-").replace("∞", "inf"))


# ------------------------------------------------------------------ Parzen windows


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("h", [0.1, 1.0, 4.0, 10.0])
def test_parzen_area_is_1_and_bumps_add_up(make, window, h):
    explorer = make("parzen_windows", window=window, h=h)
    assert explorer.picture.facts["integral of p"] == "1.0000"
    x, p = explorer.picture.x, explorer.picture.p
    by_hand = WINDOWS[window]((x[:, None] - SIX[:, 0]) / h).sum(axis=1) / (6 * h)
    on_edge = np.abs(np.abs(x[:, None] - SIX[:, 0]) - h).min(axis=1) < 1e-12  # in or out: rounding decides
    np.testing.assert_allclose(p[~on_edge], by_hand[~on_edge], atol=1e-12)
    for bump, centre in zip(explorer.picture.bumps, SIX[:, 0], strict=True):
        np.testing.assert_allclose(
            bump[:, 1], WINDOWS[window]((bump[:, 0] - centre) / h) / (6 * h), atol=1e-6
        )
        assert np.trapezoid(bump[:, 1], bump[:, 0]) == pytest.approx(1 / 6, rel=2e-3)


def test_parzen_likelihoods_are_those_of_refits(make):
    explorer = make("parzen_windows", h=1.5)
    refits = [
        TheirDensity(bandwidth=1.5).fit(np.delete(SIX, n, axis=0)).score_samples(SIX[[n]])[0]
        for n in range(6)
    ]
    facts = explorer.picture.facts
    assert number(facts["mean ln p, point left out"]) == pytest.approx(np.mean(refits), abs=6e-4)
    all_in = TheirDensity(bandwidth=1.5).fit(SIX).score(SIX) / 6
    assert number(facts["mean ln p, all in"]) == pytest.approx(all_in, abs=6e-4)
    assert number(facts["h by the rule"]) == pytest.approx(rule_of_thumb(SIX[:, 0]), abs=6e-4)


@pytest.mark.parametrize("window", WINDOWS)
def test_parzen_the_best_bandwidth_is_at_the_top_of_the_curve(make, window):
    explorer = make("parzen_windows", window=window, X=two_humps(3))
    (h, below), best = explorer.picture.likelihood.T, explorer.picture.best
    assert -0.02 < below.max() <= 0
    if window in ("gaussian", "tricube"):  # smooth
        assert h[below.argmax()] == pytest.approx(best, rel=0.03)
    explorer.set(h=best)
    at_best = number(explorer.picture.facts["mean ln p, point left out"])
    for h in (0.7 * best, 1.4 * best):
        explorer.set(h=h)
        assert number(explorer.picture.facts["mean ln p, point left out"]) < at_best


def test_parzen_all_points_in_likes_no_width_at_all(make):
    """Why the own point is left out: with it, ever narrower windows look ever better."""
    explorer, all_in = make("parzen_windows"), []
    for h in (3.0, 1.0, 0.3, 0.1):
        explorer.set(h=h)
        all_in.append(number(explorer.picture.facts["mean ln p, all in"]))
    assert all_in == sorted(all_in)
    hs, curve = explorer.picture.all_in.T
    assert np.all(np.diff(curve) < 0)
    explorer.set(h=hs[10])  # the curve in the picture is the number in the readout, from the best on
    best = explorer.picture.best
    with_own = number(explorer.picture.facts["mean ln p, all in"])
    explorer.set(h=best)
    top = number(explorer.picture.facts["mean ln p, point left out"])
    assert curve[10] == pytest.approx(with_own - top, abs=2e-3)


def test_parzen_a_window_with_an_edge_gives_a_lonely_point_nothing(make):
    explorer = make("parzen_windows", window="boxcar")
    assert explorer.picture.facts["mean ln p, point left out"] == "−∞"
    # 1.9 is 2.3 away from its nearest neighbour
    np.testing.assert_array_equal(explorer.picture.likelihood[:, 0], HS[HS > 2.3])


def test_parzen_peaks(make):
    explorer = make("parzen_windows", h=0.1)
    assert explorer.picture.facts["peaks"] == "6"
    explorer.set(h=10.0)
    assert explorer.picture.facts["peaks"] == "1"
    explorer.set(h=1.0, window="epanechnikov")
    # where two parabolas overlap a little there is a third peak between theirs
    assert explorer.picture.facts["peaks"] == "7"
    explorer.set(window="boxcar")
    assert explorer.picture.facts["peaks"] == "3"


def test_parzen_the_bandwidth_is_dragged_by_the_edge_of_a_window(make):
    explorer = make("parzen_windows")
    view = explorer.stage.view
    handles = {handle.name: handle for handle in explorer.handles(view, explorer.state)}
    assert (handles["edge"].x, handles["h"].x) == pytest.approx((7.2, 1.0))
    assert explorer.moved(explorer.state, "edge", 8.7, 0.3) == {"h": pytest.approx(2.5)}
    assert explorer.moved(explorer.state, "edge", 6.2, 0.0) == {"h": BANDWIDTHS[0]}
    assert explorer.moved(explorer.state, "h", 0.4, 0.0) == {"h": 0.4}
    explorer.set(h=9.0)  # no room on the right
    assert explorer.state.edge == pytest.approx(6.2 - 9.0)
    assert explorer.moved(explorer.state, "edge", explorer.state.edge, 0.0) == {"h": pytest.approx(9.0)}


def test_parzen_points_slide_on_their_line(make):
    explorer = make("parzen_windows")
    moved = explorer.moved(explorer.state, ("rail", 1), 40.0, 0.7)["X"]
    assert moved[1, 0] == SPAN[1] - 0.5
    np.testing.assert_array_equal(np.delete(moved, 1), np.delete(SIX, 1))
    explorer.add(3.3, 0.4, 1)
    assert explorer.state.X[-1] == 3.3
    explorer.remove(0)
    assert len(explorer.state.X) == 6
    explorer.draw_again()
    np.testing.assert_array_equal(explorer.state.X, two_humps(1))


def test_parzen_with_few_points_or_copies(make):
    explorer = make("parzen_windows", X=[[1.0]])
    facts = explorer.picture.facts
    assert [facts[name] for name in ("h by the rule", "h by leave-one-out", "mean ln p, point left out")] == [
        "—"
    ] * 3
    explorer.set(X=[[1.0], [1.0]])  # each predicts the other all the better, the narrower it is
    assert explorer.picture.facts["h by leave-one-out"] == "—"
    assert explorer.picture.likelihood[:, 1].argmax() == 0
    explorer.set(X=np.empty((0, 1)))
    assert explorer.message == "a density needs at least one point; add one"
    explorer.set(X=SIX)
    assert explorer.message == ""


# ------------------------------------------------------------------ balls of K points


@pytest.mark.parametrize("K", [1, 7, 30])
def test_volume_map_and_probe_are_the_vote_of_the_neighbours(make, K):
    explorer = make("growing_volume", K=K, x1=-0.35, x2=0.8)
    X, t = three_clouds()
    theirs = KNeighborsClassifier(K).fit(X, t)
    picture = explorer.picture
    np.testing.assert_allclose(picture.posterior, theirs.predict_proba([(-0.35, 0.8)])[0], atol=1e-14)
    places = np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(picture.P.reshape(3, -1).T, theirs.predict_proba(places), atol=1e-14)
    assert picture.radius == pytest.approx(theirs.kneighbors([(-0.35, 0.8)])[0][0, -1])


def test_volume_numbers_of_the_default(make):
    """Two classes are equally dense here, and the larger one is twice as probable."""
    explorer = make("growing_volume")
    picture, V = explorer.picture, np.pi * explorer.picture.radius**2
    np.testing.assert_array_equal(picture.counts, [1, 4, 2])
    np.testing.assert_allclose(picture.priors, [1 / 2, 1 / 3, 1 / 6])
    np.testing.assert_allclose(picture.densities, [1 / (30 * V), 4 / (20 * V), 2 / (10 * V)])
    np.testing.assert_allclose(picture.posterior, [1 / 7, 4 / 7, 2 / 7])
    joint = picture.densities * picture.priors
    np.testing.assert_allclose(joint / joint.sum(), picture.posterior)  # (14.81)
    facts = picture.facts
    assert facts["N_c(x)  ● ■ ▲"] == "1 4 2"
    assert float(facts["p(x) = K / (N V)"]) == pytest.approx(7 / (60 * V), abs=6e-4)


def test_volume_of_nothing(make):
    """On a data point, K = 1: no volume, an infinite density, and still a posterior."""
    X, t = three_clouds()
    explorer = make("growing_volume", K=1, x1=X[0, 0], x2=X[0, 1])
    assert explorer.picture.radius == 0
    assert explorer.picture.facts["p(x|c)  ● ■ ▲"] == "∞ 0.00 0.00"
    np.testing.assert_array_equal(explorer.picture.posterior, [1, 0, 0])


def test_volume_needs_k_points_and_bears_a_class_without_any(make):
    explorer = make("growing_volume")
    X, t = three_clouds()
    explorer.set(X=X[:5], t=t[:5])
    assert explorer.message == "a ball cannot hold K = 7 of 5 points; add some, or lower K"
    explorer.set(K=3)
    assert explorer.message == ""
    np.testing.assert_array_equal(explorer.picture.posterior, [1, 0, 0])
    np.testing.assert_array_equal(explorer.picture.densities[1:], 0)


def test_volume_the_probe_is_dragged_and_stays_in_sight(make):
    explorer = make("growing_volume")
    assert explorer.moved(explorer.state, "probe", 0.3, -9.0) == {"x1": 0.3, "x2": -3.0}
    assert explorer.handles(explorer.stage.view, explorer.state)[-1].name == "probe"
    assert set(explorer.moved(explorer.state, ("point", 0), 0.3, 0.4)) == {"X", "t"}
