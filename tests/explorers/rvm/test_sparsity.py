"""Figures 7.10 and 7.11 linked: what is shown is the evidence, computed here by nothing but its definition."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import multivariate_normal

from sparsekm_edu.explorers.rvm.sparsity import COLOURS
from sparsekm_edu.figures.rvm.sparsity import ALPHAS
from sparsekm_edu.figures.style import Sheet


def log_p(t, phi, alpha, beta):
    C = np.eye(2) / beta + np.outer(phi, phi) / alpha  # (7.92)
    return multivariate_normal(cov=C).logpdf(t)


def at_angle_to_t(explorer, degrees):
    """Turn phi so that it makes this angle with t."""
    explorer.set(angle=np.degrees(np.arctan2(*explorer.state.t[::-1])) + degrees)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"angle": 35.0, "alpha": 0.05},
        {"angle": -120.0, "t": (0.3, -1.1), "length": 0.6},
        {"fitted": False, "beta": 1.5, "angle": 20.0},
        {"compared": "noise", "alpha": 3.0, "t": (-1.0, 1.0)},
    ],
    ids=str,
)
def test_the_readout_is_the_density_at_t(make, fields):
    explorer = make("sparsity")
    explorer.set(**fields)
    assert explorer.message == ""
    state, facts = explorer.state, explorer.picture.facts
    phi, t = state.phi, np.array(state.t)
    beta = 2 / (t @ t) if state.fitted else state.beta
    empty, same_noise = log_p(t, phi, np.inf, beta), log_p(t, phi, state.alpha, beta)
    assert float(facts["ln p(t), α = ∞"]) == pytest.approx(empty, abs=1e-4)
    assert float(facts["ln p(t), same β"]) == pytest.approx(same_noise, abs=1e-4)
    assert float(facts["λ(α)"]) == pytest.approx(same_noise - empty, abs=1e-4)  # (7.96)
    curves = zip(ALPHAS, explorer.picture.lam(ALPHAS), explorer.picture.same_volume)
    for alpha, gain, at_equal_volume in list(curves)[::20]:
        assert gain == pytest.approx(log_p(t, phi, alpha, beta) - empty, abs=1e-9)
        r = np.exp(np.arcsinh(beta * (phi @ phi) / (2 * alpha)))
        assert at_equal_volume == pytest.approx(log_p(t, phi, alpha, r * beta) - empty, abs=1e-8)


def test_the_ellipse_has_the_determinant_of_the_circle_or_its_noise(make):
    explorer = make("sparsity")
    C, noise, _ = explorer.picture.model
    assert np.linalg.det(C) == pytest.approx(explorer.picture.empty**-2)
    explorer.set(compared="noise")
    C, noise, shown = explorer.picture.model
    assert noise == explorer.picture.empty
    assert np.linalg.det(C) > noise**-2
    assert f"{shown:.3f}" in explorer.stage.view.plane.words.artists[0].get_text()


def test_forty_five_degrees_decide_when_the_noise_is_most_probable(make):
    explorer = make("sparsity")
    for degrees in (0.0, 20.0, 44.0, -44.0, 136.5, 224.0):
        at_angle_to_t(explorer, (degrees + 180) % 360 - 180)
        assert explorer.picture.lam.q2 > explorer.picture.lam.s
        assert explorer.picture.lam(ALPHAS).max() > 0
        assert explorer.picture.same_volume.max() > 0
    for degrees in (46.0, 90.0, -46.0, 134.0):
        at_angle_to_t(explorer, degrees)
        assert explorer.picture.lam.q2 < explorer.picture.lam.s
        assert explorer.picture.lam.best == np.inf
        for gains in (explorer.picture.lam(ALPHAS), explorer.picture.same_volume):
            assert gains.max() < 0
            assert (np.diff(gains) > 0).all()  # only up, towards alpha = infinity


def test_the_best_alpha_is_where_a_search_finds_it_and_runs_off_at_forty_five_degrees(make):
    explorer = make("sparsity")
    before = 0.0
    for degrees in (0.0, 20.0, 35.0, 42.0, 44.5):
        at_angle_to_t(explorer, degrees)
        lam = explorer.picture.lam
        best, height = lam.best, lam(lam.best)
        t, beta = np.array(explorer.state.t), explorer.picture.empty
        found = minimize_scalar(
            lambda ln_alpha, t=t, beta=beta: -log_p(t, explorer.state.phi, np.exp(ln_alpha), beta),
            bounds=(-5, 10),
            method="bounded",
        )
        assert np.log(best) == pytest.approx(found.x, abs=5e-3)
        assert height == pytest.approx(-found.fun - log_p(t, explorer.state.phi, np.inf, beta), abs=1e-6)
        assert best > before
        assert best == pytest.approx(lam.s / np.cos(np.radians(2 * degrees)))
        before = best
    assert best > 50


def test_figure_7_11_is_reached_by_the_two_sliders(make):
    """The book's (4, 1) and (1, 2): what is shown is what phi and t in the picture say."""
    explorer = make("sparsity")
    explorer.widgets["given"].value = "numbers"
    for (q2, s), best, height in (((4.0, 1.0), "0.3333", "0.8069"), ((1.0, 2.0), "∞: leave φ out", "0.0000")):
        for field, value in (("q2", q2), ("s", s)):
            explorer.widgets[field].value = value
        facts, (phi, t, beta) = explorer.picture.facts, explorer.state.vectors
        assert (facts["q²"], facts["s"]) == (f"{q2:.4f}", f"{s:.4f}")
        assert (beta * phi @ t) ** 2 == pytest.approx(q2)  # (7.99)
        assert beta * phi @ phi == pytest.approx(s)  # (7.98)
        assert (facts["α*"], facts["λ(α*)"]) == (best, height)
        assert explorer.state.given == "numbers"
        assert not explorer.widgets["fitted"].value
    assert explorer.picture.lam(1 / 3) == pytest.approx(0.5 * (np.log(1 / 7) + 3 / 7))


def test_price_and_reward_in_the_readout_add_up(make):
    explorer = make("sparsity")
    for fields in ({}, {"angle": 30.0, "alpha": 0.3}, {"q2": 4.0, "s": 1.0, "alpha": 2.0}):
        explorer.set(**fields)
        facts = explorer.picture.facts
        price, reward = map(float, facts["price + reward"].split(" + "))
        assert price + reward == pytest.approx(float(facts["λ(α)"]), abs=1.1e-4)
        assert price < 0 < reward


def test_moving_the_vectors_takes_the_numbers_back(make):
    explorer = make("sparsity")
    explorer.set(q2=2.0)
    explorer.set(angle=10.0)  # phi and t turn together
    assert explorer.state.given == "numbers"
    assert explorer.picture.facts["q²"] == "2.0000"
    drag(explorer, "t", *(2 * explorer.picture.t))
    assert explorer.state.given == "numbers"
    assert explorer.state.q2 == 5.0  # four times as much, but for the end of the slider
    drag(explorer, "phi", 0.0, 1.5)
    assert explorer.state.s == pytest.approx(2.25)
    explorer.set(beta=0.5)
    assert explorer.state.given == "vectors"
    assert explorer.picture.t == pytest.approx((1.6, 0.8))


def test_at_a_noise_set_by_hand_the_comparison_at_equal_determinants_is_greyed(make):
    """There equal |C| also shrinks a noise that is too large: a gain that is not phi's."""
    explorer = make("sparsity")
    view = explorer.stage.view
    fair = view.same_volume.get_color()
    assert "unfair: β is not the best" not in explorer.picture.facts
    at_angle_to_t(explorer, 30.0)
    explorer.set(fitted=False, beta=1.0, t=tuple(0.7 * np.array([2.0, 1.0]) / 5**0.5))
    assert explorer.state.compared == "volume"
    assert explorer.picture.lam.best == np.inf  # the verdict: drop phi,
    assert explorer.picture.same_volume.max() > 0  # though the other comparison would keep it
    assert view.same_volume.get_color() != fair
    assert explorer.picture.facts["unfair: β is not the best"] == "|C| greyed"
    C, noise, _ = explorer.picture.model
    assert noise == explorer.state.beta  # the ellipse and the diamond are those of the same beta
    assert explorer.picture.here[1] == pytest.approx(explorer.picture.lam(explorer.state.alpha), abs=1e-9)
    assert "no fair comparison" in explorer.description
    explorer.set(fitted=True)
    assert view.same_volume.get_color() == fair


def test_q_s_and_alpha_have_their_colours_in_the_readout(make):
    text = make("sparsity")._readout.value
    for label, colour in COLOURS.items():
        assert f'<td><span style="color: {colour}">{label}</span></td>' in text
    assert len(set(COLOURS.values())) == 3


def test_arrow_and_sentence_when_the_maximum_is_at_infinity(make):
    explorer = make("sparsity")
    view = explorer.stage.view.contribution
    assert explorer.picture.facts["α*"] == "∞: leave φ out"
    assert view.off.artists[0].get_visible()
    assert "drop" in view.verdict.artists[0].get_text()
    at_angle_to_t(explorer, 10.0)
    assert not view.off.artists[0].get_visible()
    assert "keep" in view.verdict.artists[0].get_text()
    at_angle_to_t(explorer, 44.99)  # finite, but beyond the edge of the picture
    assert view.off.artists[0].get_visible()
    assert "keep" in view.verdict.artists[0].get_text()


def test_the_diamond_lies_on_the_curve_of_the_chosen_comparison(make):
    explorer = make("sparsity")
    explorer.set(angle=35.0, alpha=1.0)
    both = explorer.picture.lam(ALPHAS), explorer.picture.same_volume
    for compared, gains in zip(("noise", "volume"), both):
        explorer.set(compared=compared)
        x, y = map(float, np.ravel(explorer.stage.view.here.get_data()))
        assert x == 0.0
        assert y == pytest.approx(np.interp(0.0, np.log(ALPHAS), gains), abs=1e-9)


def drag(explorer, name, x, y):
    handles = explorer.handles(explorer.stage.view, explorer.state)
    index = [handle.name for handle in handles].index(name)
    u, v = explorer.stage.to_page(handles[index].ax, x, y)
    explorer._on_gesture({"type": "move", "index": index, "u": u, "v": v})


def test_dragging(make):
    explorer = make("sparsity")
    drag(explorer, "phi", 0.6, 0.6)
    assert explorer.state.angle == pytest.approx(45)
    assert explorer.state.length == pytest.approx(0.6 * 2**0.5)
    drag(explorer, "t", -0.5, 1.0)
    np.testing.assert_allclose(explorer.state.t, (-0.5, 1.0))
    drag(explorer, "alpha", np.log(2.0), 0.0)
    assert explorer.state.alpha == pytest.approx(2.0)
    drag(explorer, "alpha", 5.0, 0.0)
    assert explorer.state.alpha == 100.0
    drag(explorer, "t", 0.0, 0.0)
    assert np.hypot(*explorer.state.t) == pytest.approx(0.3)
    drag(explorer, "phi", 2.5, 2.5)
    assert explorer.state.length == pytest.approx(2.0)
    assert explorer.message == ""


def test_a_target_at_the_origin_is_refused(make):
    explorer = make("sparsity")
    explorer.set(t=(0.0, 0.0))
    assert "the length of t must be between 0.3 and 2, got 0" in explorer.message
    assert not explorer.canvas.stale
    explorer.set(length=3.0)
    assert "length must be between 0.3 and 2, got 3" in explorer.message


def test_the_stored_picture_holds_the_whole_readout(make, monkeypatch):
    """Also the row that appears at a beta set by hand."""
    written = []
    monkeypatch.setattr(Sheet, "text", lambda sheet, x, y, word, **_: written.append((y, word)))
    explorer = make("sparsity", fitted=False)
    explorer.still()
    assert {word for _, word in written} >= set(explorer.picture.facts)
    assert min(y for y, _ in written) > 0
