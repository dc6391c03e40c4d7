"""Figures 7.10 and 7.11 linked: what is shown is the evidence, computed here by nothing but its definition."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import multivariate_normal


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
    for alpha, gain, at_equal_volume in list(zip(explorer.picture.alphas, *explorer.picture.curves))[::20]:
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
        assert explorer.picture.q2 > explorer.picture.s
        same_beta, same_volume = explorer.picture.curves
        assert same_beta.max() > 0
        assert same_volume.max() > 0
    for degrees in (46.0, 90.0, -46.0, 134.0):
        at_angle_to_t(explorer, degrees)
        assert explorer.picture.q2 < explorer.picture.s
        assert explorer.picture.best[0] is None
        for gains in explorer.picture.curves:
            assert gains.max() < 0
            assert (np.diff(gains) > 0).all()  # only up, towards alpha = infinity


def test_the_best_alpha_is_where_a_search_finds_it_and_runs_off_at_forty_five_degrees(make):
    explorer = make("sparsity")
    before = 0.0
    for degrees in (0.0, 20.0, 35.0, 42.0, 44.5):
        at_angle_to_t(explorer, degrees)
        best, height = explorer.picture.best
        t, beta = np.array(explorer.state.t), explorer.picture.empty
        found = minimize_scalar(
            lambda ln_alpha, t=t, beta=beta: -log_p(t, explorer.state.phi, np.exp(ln_alpha), beta),
            bounds=(-5, 10),
            method="bounded",
        )
        assert np.log(best) == pytest.approx(found.x, abs=5e-3)
        assert height == pytest.approx(-found.fun - log_p(t, explorer.state.phi, np.inf, beta), abs=1e-6)
        assert best > before
        assert best == pytest.approx(explorer.picture.s / np.cos(np.radians(2 * degrees)))
        before = best
    assert best > 50


def test_figure_7_11_can_be_reached(make):
    explorer = make("sparsity")
    explorer.set(fitted=False, beta=1.0, length=1.0, angle=90.0, t=(0.0, 2.0))
    assert explorer.picture.q2 == pytest.approx(4)
    assert explorer.picture.s == pytest.approx(1)
    assert explorer.picture.facts["α*"] == "0.3333"
    assert explorer.picture.facts["λ(α*)"] == "0.8069"


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
    for compared, gains in zip(("noise", "volume"), explorer.picture.curves):
        explorer.set(compared=compared)
        x, y = map(float, np.ravel(explorer.stage.view.here.get_data()))
        assert x == 0.0
        assert y == pytest.approx(np.interp(0.0, np.log(explorer.picture.alphas), gains), abs=1e-9)


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
