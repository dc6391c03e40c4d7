"""Laplace, degree and predictive: the readout against computations of its own kind, and the claims of the lesson."""

import warnings

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from sparsekm_edu import datasets
from sparsekm_edu.explorers.rvm.laplace import ALONG, BASIS, DEGREES, POWERS, legendre
from sparsekm_edu.lessons.densities import DENSITIES
from sparsekm_edu.solvers import laplace_fit


def number(explorer, label, part=0):
    """A number of the readout; of two, the one asked for."""
    return float(explorer.picture.facts[label].split(" | ")[part].split(",")[0].rstrip(" %"))


def drag(explorer, name, x, y, ax=0):
    names = [handle.name for handle in explorer.handles(explorer.stage.view, explorer.state)]
    u, v = explorer.stage.to_page(explorer.stage.view.axes[ax], x, y)
    explorer._on_gesture({"type": "move", "index": names.index(name), "u": u, "v": v})


# one density


@pytest.mark.parametrize("name", [name for name in DENSITIES if DENSITIES[name].has_mode])
@pytest.mark.parametrize("n", [1.0, 20.0])
def test_laplace_tells_what_scipy_integrates(make, name, n):
    explorer = make("laplace")
    explorer.set(density=name, n=n, start=0.6)
    density = DENSITIES[name]
    ends = max(density.low, -60), min(density.high, 60)

    def integral(weight):
        return quad(lambda z: weight(z) * np.exp(n * density(z)), *ends, points=(-1, 0, 1, 2), limit=400)[0]

    Z = integral(lambda z: 1.0)
    mean = integral(lambda z: z) / Z
    assert number(explorer, "ln Z, quadrature") == pytest.approx(np.log(Z), abs=1e-4)
    assert number(explorer, "mean: Laplace | true", 1) == pytest.approx(mean, abs=1e-3)
    mode, A = number(explorer, "mode z₀"), n * -density.curvature(explorer.picture.mode)
    assert number(explorer, "A = −(ln fⁿ)″ at z₀") == pytest.approx(A, rel=1e-3)
    by_hand = n * density(explorer.picture.mode) + 0.5 * np.log(2 * np.pi / A)
    assert number(explorer, "ln Z, Laplace") == pytest.approx(by_hand, abs=1e-4)
    assert density.slope(mode) == pytest.approx(0, abs=1e-3)


def test_laplace_finds_the_peak_that_its_start_leads_to(make):
    explorer = make("laplace")
    explorer.set(density="two equal peaks", n=30.0)
    for start, mode in ((-2.0, -1), (-0.3, -1), (0.3, 1), (2.5, 1)):
        drag(explorer, "start", start, 0.0)
        assert explorer.picture.mode == pytest.approx(mode, abs=1e-9)
        assert number(explorer, "difference") == pytest.approx(-np.log(2), abs=0.01)


def test_laplace_does_not_depend_on_the_way_to_the_mode(make):
    explorer = make("laplace")
    facts = explorer.picture.facts
    for start in (-2.5, 0.1, 4.0):
        explorer.set(start=start)
        assert explorer.picture.facts == facts


def test_laplace_says_why_there_is_none(make):
    explorer = make("laplace")
    for fields, word in (
        ({"density": "mode at the edge"}, "no mode inside"),
        ({"density": "skewed", "start": -1.0}, "where the density is 0"),
        ({"density": "two equal peaks", "start": 0.0}, "bottom of a valley"),
    ):
        explorer.set(**fields)
        assert word in explorer.message
        assert explorer.canvas.stale
        explorer.reset()
        assert explorer.message == ""


def test_laplace_where_it_becomes_right_and_where_it_does_not(make):
    explorer = make("laplace")
    last = {}
    for name in ("skewed", "bounded", "heavy tails", "cut Gaussian", "two equal peaks"):
        explorer.set(density=name, start=0.6)
        last[name] = explorer.picture.errors[-1]
    explorer.set(density="two unequal peaks", start=-0.6)
    assert max(list(last.values())[:4]) < 0.01
    assert last["two equal peaks"] == pytest.approx(np.log(2), abs=0.01)
    assert explorer.picture.errors[-1] > 35
    assert POWERS[-1] == 100


# the degree of a polynomial


def test_degree_legendre_is_scaled_to_mean_square_one():
    x = np.linspace(-1, 1, 200_001)
    np.testing.assert_allclose(np.mean(legendre(x) ** 2, axis=0), 1, atol=1e-3)
    np.testing.assert_allclose(legendre(x).T @ legendre(x) / len(x), np.eye(9), atol=1e-3)


@pytest.mark.parametrize("fields", [{}, {"N": 15}, {"alpha": 0.1, "steepness": 6.0}], ids=str)
def test_degree_scores_are_those_of_fresh_fits(make, fields):
    explorer = make("degree")
    explorer.set(**fields)
    state, scores = explorer.state, explorer.picture.scores
    X, t = datasets.wavy_odds(state.N, state.true, state.steepness, state.drawn)
    t = (t > 0).astype(float)
    for degree in DEGREES:
        Phi = legendre(X[:, 0], degree)
        fit = laplace_fit(Phi, t, state.alpha, tol=1e-10)
        y = expit(Phi @ fit.w)
        likelihood = np.sum(t * np.log(y) + (1 - t) * np.log1p(-y))
        assert scores["log likelihood"][degree] == pytest.approx(likelihood, abs=1e-5)
        assert scores["Laplace"][degree] == pytest.approx(fit.log_evidence, abs=1e-5)
        assert scores["BIC"][degree] == pytest.approx(
            likelihood - 0.5 * (degree + 1) * np.log(state.N), abs=1e-5
        )
    assert np.abs(scores["sampled"] - scores["Laplace"]).max() < 1.5
    best = int(scores["Laplace"].argmax())
    assert number(explorer, "chosen: Laplace") == best
    w = laplace_fit(legendre(X[:, 0], best), t, state.alpha, tol=1e-10).w
    np.testing.assert_allclose(explorer.picture.by_laplace, expit(BASIS[:, : best + 1] @ w), atol=1e-5)


def test_degree_the_likelihood_at_the_most_probable_weights_gains_little_and_the_evidence_loses(make):
    scores = make("degree").picture.scores
    assert scores["log likelihood"][8] > scores["log likelihood"][3]
    assert (np.diff(scores["Laplace"][3:]) < 0).all()


def test_degree_as_the_notebook_tells_it(make):
    explorer = make("degree")
    assert [number(explorer, f"chosen: {name}") for name in ("Laplace", "sampled", "BIC")] == [3, 3, 3]
    explorer.set(N=20, steepness=2.6)
    assert number(explorer, "chosen: BIC") == 3
    explorer.set(steepness=2.4)
    assert number(explorer, "chosen: BIC") < 3 == number(explorer, "chosen: Laplace")
    assert number(explorer, "KL: evidence | BIC", 1) > 2 * number(explorer, "KL: evidence | BIC")
    explorer.set(steepness=0.0)
    assert number(explorer, "chosen: BIC") == 0 == number(explorer, "chosen: Laplace")
    explorer.reset()
    explorer.set(alpha=100.0)
    flat = explorer.picture.scores["Laplace"][3:]
    assert np.ptp(flat) < 0.25
    assert number(explorer, "chosen: BIC") == 0


# predictions


@pytest.mark.parametrize(
    "fields", [{}, {"alpha": 2.0, "place": -1.0}, {"alpha": 0.02, "place": 3.5}], ids=str
)
def test_predictive_at_the_probe_equals_what_scipy_integrates(make, fields):
    explorer = make("predictive")
    explorer.set(**fields)
    state = explorer.state
    Phi, t = np.column_stack([state.X[:, 0], np.ones(len(state.t))]), (state.t > 0).astype(float)
    fit = laplace_fit(Phi, t, state.alpha, tol=1e-10)
    phi = np.array([state.place, 1.0])
    mean, sd = phi @ fit.w, np.sqrt(phi @ fit.Sigma @ phi)
    averaged, _ = quad(lambda u: expit(mean + sd * u) * norm.pdf(u), -10, 10, points=(-mean / sd,))
    facts = explorer.picture.facts
    assert facts["μₐ, σₐ at x"] == f"{mean:.2f}, {sd:.2f}"
    assert number(explorer, "p: plug-in | probit") == pytest.approx(expit(mean), abs=6e-4)
    shrunk = expit(mean / np.sqrt(1 + np.pi * sd**2 / 8))
    assert number(explorer, "p: plug-in | probit", 1) == pytest.approx(shrunk, abs=6e-4)
    assert number(explorer, "p: Laplace | exact") == pytest.approx(averaged, abs=6e-4)
    # exact, by chance: Metropolis would do, importance sampling from an inflated Student is quicker
    rng = np.random.default_rng(0)
    e = rng.standard_t(4, size=(200_000, 2))
    W = fit.w + 1.5 * e @ np.linalg.cholesky(fit.Sigma).T
    a = W @ Phi.T
    log_p = np.sum(-np.logaddexp(0, np.where(t > 0, -a, a)), axis=1) - 0.5 * state.alpha * np.sum(
        W**2, axis=1
    )
    log_q = np.sum(-2.5 * np.log1p(e**2 / 4), axis=1)
    share = np.exp(log_p - log_q - (log_p - log_q).max())
    exact = np.average(expit(W @ phi), weights=share)
    assert number(explorer, "p: Laplace | exact", 1) == pytest.approx(exact, abs=4e-3)


def test_predictive_largest_differences_are_those_of_the_curves(make):
    explorer = make("predictive")
    ways = explorer.picture.ways
    for label, one, other in (
        ("max |probit − Laplace|", "probit", "Laplace"),
        ("max |Laplace − exact|", "Laplace", "exact"),
        ("max |probit − exact|", "probit", "exact"),
        ("max |plug-in − exact|", "plug-in", "exact"),
    ):
        assert number(explorer, label) == pytest.approx(np.abs(ways[one] - ways[other]).max(), abs=5e-5)
    assert len(ways["exact"]) == len(ALONG)


def test_predictive_as_the_notebook_tells_it(make):
    explorer = make("predictive")
    boundary = [np.interp(0.5, explorer.picture.ways[name], ALONG) for name in ("plug-in", "probit")]
    assert boundary[0] == pytest.approx(boundary[1], abs=1e-4)
    explorer.set(alpha=10.0)
    assert explorer.picture.facts["max |probit − exact|"] == "0.0010"
    assert explorer.picture.facts["max |plug-in − exact|"] == "0.0439"
    explorer.set(alpha=0.01)
    assert number(explorer, "max |probit − exact|") > 2 * number(explorer, "max |plug-in − exact|")
    assert number(explorer, "max |probit − Laplace|") < 0.018
    explorer.reset()
    rightmost = int(explorer.state.X.argmax())
    X = explorer.state.X.copy()
    X[rightmost] = -3.0
    explorer.set(X=X)
    assert number(explorer, "max |plug-in − exact|") > 2 * number(explorer, "max |probit − exact|")


def test_predictive_a_point_dragged_across_changes_its_class(make):
    explorer = make("predictive")
    before = explorer.state.t.copy()
    drag(explorer, ("rail", 0), 0.5, 0.9)
    assert explorer.state.t[0] == -before[0]
    assert explorer.state.X[0, 0] == pytest.approx(0.5, abs=1e-9)
    drag(explorer, "place", -1.5, 0.0)
    assert explorer.state.place == pytest.approx(-1.5)


def test_predictive_needs_both_classes_and_recovers(make):
    explorer = make("predictive")
    explorer.set(t=np.ones(10))
    assert "each class needs" in explorer.message
    assert explorer.canvas.stale
    explorer.set(X=np.zeros((3, 2)), t=np.ones(3))
    assert "of shape (N, 1)" in explorer.message
    explorer.reset()
    assert explorer.message == ""


def test_predictive_bears_points_on_top_of_each_other_and_at_the_ends(make):
    explorer = make("predictive")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for x in ([0.0, 0.0, 0.0, 0.0], [4.0, 4.0, 4.0, -4.0], [-4.0, -4.0, 4.0, 4.0], [3.9, 4.0, 3.9, 4.0]):
            for alpha in (0.01, 10.0):
                explorer.set(X=np.array(x)[:, None], t=np.array([-1.0, 1.0, -1.0, 1.0]), alpha=alpha)
                assert explorer.message == ""
                for p in explorer.picture.ways.values():
                    assert np.all((p >= 0) & (p <= 1))
