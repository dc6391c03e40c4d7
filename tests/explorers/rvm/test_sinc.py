"""Tipping's experiments alive: machines, draws, evidence and climbs as a fresh computation finds them."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
import sklearn.svm

from sparsekm_edu import ARD, RVR, LinearSpline, datasets
from sparsekm_edu.explorers.rvm.sinc import (
    BUDGET,
    DRAWS,
    ETA1,
    ETA2,
    PRECISION,
    SEEDS,
    _basis,
    _many_draws,
    _relevance_fit,
    _surface,
    _too_narrow,
)
from sparsekm_edu.figures.curves import SINC_X
from sparsekm_edu.jit import COMPILED
from sparsekm_edu.models import optimise_kernel
from sparsekm_edu.solvers import reestimate


def button(explorer, label):
    (found,) = [b for b in explorer.children[1].children[-1].children if b.description == label]
    return found


def drag(explorer, x, y):
    u, v = explorer.stage.to_page(explorer.stage.view.axes[0], x, y)
    explorer._on_gesture({"type": "move", "index": 0, "u": u, "v": v})


# the sinc


@pytest.mark.parametrize(
    "fields",
    [{}, {"noise": 0.4, "drawn": 3}, {"n": 25}, {"distribution": "gaussian"}, {"noise": 0.0}],
    ids=str,
)
def test_sinc_is_what_the_estimator_learns(make, fields):
    explorer = make("rvm_sinc")
    explorer.set(**fields)
    state, picture = explorer.state, explorer.picture
    size = state.noise if state.distribution == "uniform" else state.noise / np.sqrt(3)
    X, t = datasets.sinc(state.n, size, state.distribution, state.drawn)
    np.testing.assert_array_equal(picture.t, t)
    options = {"max_iter": BUDGET} if state.noise else {"method": "reestimate", "beta": 1e4}
    model = RVR(LinearSpline(), bias=False, extra="constant", **options).fit(X, t)
    np.testing.assert_array_equal(picture.relevant, model.relevance_)
    mean, sd = model.predict(SINC_X[:, None], return_std=True)
    np.testing.assert_allclose(picture.mean, mean, atol=1e-9)
    np.testing.assert_allclose(picture.sd, sd, atol=1e-9)
    error = mean - np.sinc(SINC_X / np.pi)
    assert float(picture.facts["RMS error"]) == pytest.approx(np.sqrt(np.mean(error**2)), abs=1e-4)
    assert float(picture.facts["largest error"]) == pytest.approx(np.abs(error).max(), abs=1e-4)


def test_tipping_noise_free_nine_vectors_and_an_error_of_0_007(make):
    explorer = make("rvm_sinc")
    explorer.set(noise=0.0)
    assert explorer.picture.facts["relevance vectors"] == "9 of 100"
    assert float(explorer.picture.facts["largest error"]) == pytest.approx(0.0070, abs=2e-4)
    assert explorer.picture.facts["paper, RVM"] == "9 (max 0.0070)"


@pytest.mark.parametrize("n", [50, 100, 200])
def test_without_noise_rounding_errors_decide_nothing(n):
    """Another computer rounds otherwise: as if the basis functions were off by 1e-12."""
    Phi, _, _, _ = _basis(n)
    t = datasets.sinc(n)[1]
    fit, _, relevant = _relevance_fit(t, False)
    for seed in range(2):
        errors = 1e-12 * np.random.default_rng(seed).normal(size=Phi.shape)
        again = reestimate(Phi * (1 + errors), t, beta=PRECISION)
        np.testing.assert_array_equal(again.support, fit.support)
        assert again.log_evidence == pytest.approx(fit.log_evidence, abs=1e-3)
    assert len(relevant) in (9, 10)


def test_sinc_the_readout_tells_medians(make):
    facts, draws = make("rvm_sinc").picture.facts, _many_draws(0.2, "uniform", 100)
    for machine, cloud in draws.items():
        assert len(cloud) == DRAWS
        vectors, error = np.sort(cloud, axis=0)[DRAWS // 2 - 1 : DRAWS // 2 + 1].mean(
            axis=0
        )  # an even number of them
        assert facts[f"median draw, {machine}"] == f"{vectors:g}, {error:.4f}"


def test_sinc_the_cloud_holds_the_draws_that_can_be_drawn(make):
    explorer = make("rvm_sinc")
    for drawn in (0, 1, 5):
        explorer.set(drawn=drawn)
        np.testing.assert_allclose(explorer.picture.draws["RVM"][drawn], explorer.picture.here[0])
    assert len(explorer.picture.draws["RVM"]) == DRAWS
    explorer.set(noise=0.0)
    assert len(explorer.picture.draws["RVM"]) == 1  # without noise there is one draw only


@pytest.mark.parametrize(("distribution", "C", "epsilon"), [("uniform", 1.0, 0.15), ("gaussian", 0.3, 0.05)])
def test_sinc_support_vector_machines_of_the_cloud_are_libsvms(distribution, C, epsilon):
    size = 0.2 if distribution == "uniform" else 0.2 / np.sqrt(3)
    X, t = datasets.sinc(100, size, distribution, 0)
    spline = LinearSpline()
    theirs = sklearn.svm.SVR(C=C, epsilon=epsilon, kernel="precomputed", tol=1e-6).fit(spline(X + 10), t)
    y = theirs.predict(spline(SINC_X[:, None] + 10, X + 10))
    vectors, rms = _many_draws(0.2, distribution, 100)["SVM"][0]
    assert vectors == pytest.approx(len(theirs.support_), abs=2)
    assert rms == pytest.approx(np.sqrt(np.mean((y - np.sinc(SINC_X / np.pi)) ** 2)), abs=1e-3)


def test_sinc_more_points_need_more_support_vectors_but_no_more_relevance_vectors():
    few, many = _many_draws(0.2, "uniform", 25), _many_draws(0.2, "uniform", 200)
    assert np.median(many["SVM"][:, 0]) > 3 * np.median(few["SVM"][:, 0])
    assert np.median(many["RVM"][:, 0]) <= np.median(few["RVM"][:, 0]) + 2
    assert np.median(many["RVM"][:, 1]) < 0.5 * np.median(few["RVM"][:, 1])


def test_sinc_each_machine_wins_against_the_noise_that_it_assumes():
    wins = {
        kind: np.mean(np.less(*(cloud[:, 1] for cloud in _many_draws(0.2, kind, 100).values())))
        for kind in ("uniform", "gaussian")
    }
    assert wins["uniform"] < 0.4 < 0.6 < wins["gaussian"]


def test_sinc_paper_stands_beside_the_papers_setting_only(make):
    explorer = make("rvm_sinc")
    star = explorer.stage.view.draws.paper
    assert len(star.get_xdata()) == 2
    for fields in ({"n": 50}, {"distribution": "gaussian"}, {"noise": 0.1}):
        explorer.reset()
        explorer.set(**fields)
        assert len(star.get_xdata()) == 0
        assert explorer.picture.facts["paper, RVM"] == "–"


def test_sinc_draws_again(make):
    explorer = make("rvm_sinc")
    t = explorer.picture.t
    button(explorer, "Draw again").click()
    assert not np.array_equal(explorer.picture.t, t)
    assert explorer.message == ""
    explorer.set(drawn=99)
    button(explorer, "Draw again").click()  # from the last draw to the first
    np.testing.assert_array_equal(explorer.picture.t, t)


@pytest.mark.parametrize("fields", [{"noise": 0.123}, {"n": 99}, {"distribution": "cauchy"}], ids=str)
def test_sinc_says_what_is_allowed(make, fields):
    explorer = make("rvm_sinc")
    explorer.set(**fields)
    (name,) = fields
    assert f"{name} must be one of" in explorer.message
    explorer.set(drawn=1)
    assert explorer.message == ""


# two widths


@pytest.mark.parametrize("fields", [{}, {"eta1": 0.47, "eta2": 0.0015}, {"extra": "none"}], ids=str)
def test_widths_facts_are_those_of_a_fresh_machine(make, fields):
    explorer = make("ard_widths")
    explorer.set(**fields)
    state, facts = explorer.state, explorer.picture.facts
    X, t = datasets.sinc_plane(seed=state.seed)
    extra = None if state.extra == "none" else state.extra
    model = RVR(ARD((state.eta1, state.eta2)), extra=extra, max_iter=BUDGET).fit(X, t)
    rng = np.random.default_rng(0)
    places = rng.uniform(-10, 10, (20_000, 2))
    error = model.predict(places) - np.sinc(places[:, 0] / np.pi) - 0.1 * places[:, 1]
    assert facts["log evidence"] == f"{model.log_evidence_:.2f}"
    assert facts["functions (paper: 8)"] == f"{len(model.alpha_)}"
    assert float(facts["RMS error"]) == pytest.approx(np.sqrt(np.mean(error**2)), rel=0.05)
    assert float(facts["its square"]) == pytest.approx(float(facts["RMS error"]) ** 2, abs=1.1e-4)
    along = np.zeros((161, 2))
    along[:, 0] = np.linspace(-10, 10, 161)
    np.testing.assert_allclose(explorer.picture.fits[0][0], model.predict(along), atol=1e-9)


def test_widths_others_kept_are_named(make):
    explorer = make("ard_widths")
    explorer.set(eta1=0.47, eta2=0.0015)
    facts = explorer.picture.facts
    model = RVR(ARD((0.47, 0.0015)), extra="quadratic", max_iter=BUDGET).fit(*datasets.sinc_plane())
    support = model.solution_.support
    names = ["x₁", "x₂", "x₁²", "x₁x₂", "x₂²", "1"]  # the columns after the kernels
    assert facts["others kept"] == " ".join(names[column - 100] for column in support if column >= 100)
    assert "x₂" in facts["others kept"].split()  # the slope is in the data
    assert "x₁" not in facts["others kept"].split()
    assert facts["kernels"] == f"{np.sum(support < 100)} of 100"
    explorer.set(extra="none")
    assert "x" not in explorer.picture.facts["others kept"]


@pytest.mark.parametrize("seed", SEEDS)
def test_widths_machines_in_a_hurry_end_where_others_do(seed):
    """But for too narrow kernels, where they give up earlier, and a few places of bad luck: with all their time the
    others begin afresh three times."""
    hurried, narrow = _surface("quadratic", seed), _too_narrow(seed)[0]
    X, t = datasets.sinc_plane(seed=seed)
    places = np.argwhere(~narrow)[::4]
    full = [RVR(ARD((ETA1[j], ETA2[i])), extra="quadratic").fit(X, t).log_evidence_ for i, j in places]
    short = np.array(full) - hurried[tuple(places.T)]
    assert np.mean(np.abs(short) < 0.5) >= 0.85
    assert short.max() < 15


def test_widths_surface_is_the_evidence_of_its_cells(make):
    surface = make("ard_widths").picture.evidence
    X, t = datasets.sinc_plane()
    for row, column in ((2, 6), (7, 4), (9, 9)):
        model = RVR(ARD((ETA1[column], ETA2[row])), extra="quadratic", max_iter=BUDGET).fit(X, t)
        assert surface[row, column] == pytest.approx(model.log_evidence_, abs=1e-9)


def test_widths_path_is_the_optimisers_and_rises(make):
    explorer = make("ard_widths")
    machine = RVR(extra="quadratic", max_iter=BUDGET)
    best = optimise_kernel(ARD((0.1, 0.1)), *datasets.sinc_plane(), machine, progress=False)
    np.testing.assert_allclose(explorer.picture.path, [s.parameters["gamma"] for s in best.path])
    assert explorer.picture.facts["best of the climb"] == f"{best.log_evidence:.2f}"
    assert (np.diff([state.log_evidence for state in best.path]) > 0).all()
    explorer.set(eta1=float(explorer.picture.path[-1, 0]), eta2=float(explorer.picture.path[-1, 1]))
    assert explorer.picture.facts["log evidence"] == explorer.picture.facts["best of the climb"]


def test_widths_climb_from_the_diamond(make):
    explorer = make("ard_widths")
    explorer.set(seed=2)
    drag(explorer, 0.02, 1e-4)
    assert (explorer.state.eta1, explorer.state.eta2) == pytest.approx((0.02, 1e-4))
    thin = float(explorer.picture.facts["best of the climb"])
    button(explorer, "Climb from here").click()
    np.testing.assert_allclose(explorer.picture.path[0], (0.02, 1e-4))
    assert float(explorer.picture.facts["best of the climb"]) > thin
    explorer.set(seed=0)  # another surface has a climb of its own
    np.testing.assert_allclose(explorer.picture.path[0], (0.1, 0.1))
    explorer.set(seed=2)
    np.testing.assert_allclose(explorer.picture.path[0], (0.02, 1e-4))


def test_widths_two_peaks_of_draw_2_differ_little_in_evidence_and_much_in_error(make):
    explorer = make("ard_widths")
    found = []
    for start in ((0.1, 0.1), (0.02, 1e-4)):
        explorer.set(seed=2, start=start, climbed=("quadratic", 2))
        eta1, eta2 = explorer.picture.path[-1]
        explorer.set(eta1=float(eta1), eta2=float(eta2))
        facts = explorer.picture.facts
        found.append([float(facts[key]) for key in ("log evidence", "functions (paper: 8)", "RMS error")])
    (one, functions, error), (other, fewer, smaller) = found
    assert 0 < other - one < 2.5
    assert fewer < functions / 3
    assert smaller < error / 2


def test_widths_the_diamond_stays_on_the_sheet(make):
    explorer = make("ard_widths")
    drag(explorer, 1e9, 1e9)
    assert (explorer.state.eta1, explorer.state.eta2) == pytest.approx((ETA1[-1], ETA2[-1]))
    assert explorer.message == ""


def test_widths_among_narrow_kernels_the_evidence_deceives(make):
    """Above both peaks of this draw, 61.6 and 63.5."""
    explorer = make("ard_widths")
    explorer.set(seed=2)
    drag(explorer, 3, 1)
    facts = explorer.picture.facts
    assert explorer.message == ""
    assert float(facts["log evidence"]) > 63.5 + 3
    assert float(facts["log evidence"]) > float(facts["best of the climb"]) + 5
    assert float(facts["RMS error"]) > 0.25
    assert int(facts["functions (paper: 8)"]) > 90


@pytest.mark.parametrize("seed", SEEDS)
def test_widths_no_climb_enters_what_is_too_narrow(make, seed):
    explorer = make("ard_widths")
    explorer.set(seed=seed)
    narrow, border = _too_narrow(seed)
    assert narrow[-1, -1]
    assert not narrow[0, 0]
    evidence = _surface("quadratic", seed)
    assert explorer.picture.highest == evidence[~narrow].max()
    assert (explorer.picture.path[:, 1] < np.interp(explorer.picture.path[:, 0], *border[::-1].T) + 1).all()


def test_widths_say_nothing_on_the_error_stream(make):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explorer = make("ard_widths")
        explorer.set(eta1=float(ETA1[-1]), eta2=float(ETA2[-1]))
    assert explorer.message == ""


def test_sinc_no_draw_is_off_the_sheet(make):
    explorer = make("rvm_sinc")
    explorer.set(noise=0.4, n=25)  # where machines keep least and err most
    view = explorer.stage.view.draws
    (left, right), (bottom, top) = view.axes[0].get_xlim(), view.axes[0].get_ylim()
    for cloud in view.clouds.artists:
        x, y = cloud.get_offsets().T
        assert len(x) == DRAWS
        assert ((left <= x) & (x <= right) & (bottom <= y) & (y <= top)).all()


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from sparsekm_edu.explorers.rvm import sinc
print(*sinc._too_narrow(0)[0].shape)
"""
OPENED = WITHOUT_NUMBA + "print(sinc.ard_widths().facts)"


def in_plain_python(program):
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_in_plain_python_the_surface_of_widths_is_coarser():
    assert len(ETA1) == len(ETA2) == (13 if COMPILED else 5)
    assert in_plain_python(WITHOUT_NUMBA) == "5 5\n"


@pytest.mark.slow
def test_in_plain_python_two_widths_can_be_explored():
    assert "best of the climb" in in_plain_python(OPENED)
