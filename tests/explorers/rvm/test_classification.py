"""Figure 7.12, a kernel in the hand, and training from inside: what the explorers say is so."""

import numpy as np
import pytest

from sparsekm_edu import RVC, Gaussian, NuSVC, datasets
from sparsekm_edu.solvers import laplace_fit, reestimate, sparsity_quality, working_targets

TEST = datasets.overlapping(4000, seed=1000)


def dragged(explorer, n, x, y):
    view = explorer.stage.view
    u, v = explorer.stage.to_page(view.axes[0], x, y)
    explorer._on_gesture({"type": "move", "index": n, "u": u, "v": v})


# figure 7.12


@pytest.mark.parametrize("gamma", [0.05, 0.45, 1.0, 10.0])
def test_rvm_classification_shows_what_fresh_machines_find(make, gamma):
    explorer = make("rvm_classification")
    dragged(explorer, 12, 0.4, -0.2)
    explorer.set(gamma=gamma, svm=True)
    X, t = explorer.state.X, explorer.state.t
    np.testing.assert_allclose(X[12], (0.4, -0.2), atol=1e-9)
    model, machine = (
        kind(kernel=Gaussian(gamma=gamma)).fit(X, t) for kind in (plug_in, lambda kernel: NuSVC(0.3, kernel))
    )
    picture = explorer.picture
    np.testing.assert_array_equal(picture.relevance, model.relevance_)
    np.testing.assert_array_equal(picture.support, machine.support_)
    Phi = model.kernel_(X, model.relevance_vectors_)
    a = Phi @ model.coef_ + model.intercept_
    np.testing.assert_allclose(picture.at_points, a, rtol=1e-9)
    wrong = [np.mean(m.predict(TEST[0]) != TEST[1]) for m in (model, machine)]
    facts = picture.facts
    assert [facts["test error RVM"], facts["test error SVM"]] == [f"{share:.1%}" for share in wrong]
    assert facts["ln evidence (7.114)"] == f"{model.log_evidence_:.3f}"
    explorer.set(probability="averaged")
    with_bias = np.hstack([Phi, np.ones((len(X), len(model.sigma_) - len(model.coef_)))])
    kappa = 1 / np.sqrt(1 + np.pi / 8 * np.sum(with_bias @ model.sigma_ * with_bias, axis=1))
    np.testing.assert_allclose(explorer.picture.at_points, kappa * a, rtol=1e-6)
    assert explorer.picture.facts["test error RVM"] == facts["test error RVM"]


def plug_in(kernel):
    return RVC(kernel=kernel, probability="plug-in")


def test_rvm_classification_three_relevance_vectors_against_thirty_support_vectors(make):
    facts = make("rvm_classification").picture.facts
    assert (facts["relevance vectors"], facts["support vectors (7.4)"]) == ("3", "30")
    assert facts["median |log odds|, RVs"] == "13.03"
    assert facts["median |log odds|, SVs"] == "2.37"


def test_rvm_classification_averaging_shrinks_what_plug_in_claims(make):
    """With narrow kernels the most probable weights are a thousand times too sure."""
    explorer = make("rvm_classification")
    claims = {}
    for gamma in (0.45, 10.0):
        for kind in ("plug-in", "averaged"):
            explorer.set(gamma=gamma, probability=kind)
            facts = explorer.picture.facts
            claims[gamma, kind] = float(facts["largest |log odds|"]), facts["plane above 99 %"]
    assert claims == {
        (0.45, "plug-in"): (26.7, "46%"),
        (0.45, "averaged"): (5.7, "21%"),
        (10.0, "plug-in"): (pytest.approx(14471, rel=0.01), "11%"),
        (10.0, "averaged"): (3.4, "0%"),
    }


def test_rvm_classification_with_one_class_left_says_so_and_recovers(make):
    explorer = make("rvm_classification")
    X, t = explorer.state.X, explorer.state.t
    explorer.set(X=X[t > 0], t=t[t > 0])
    assert "each class needs" in explorer.message
    assert explorer.canvas.stale
    explorer.set(X=X, t=t)
    assert explorer.message == ""


def test_rvm_classification_unequal_classes_leave_nu_less_room_but_do_not_end_the_lesson(make):
    explorer = make("rvm_classification")
    X, t = explorer.state.X, explorer.state.t
    keep = (t > 0) | (np.arange(80) < 4)
    explorer.set(X=X[keep], t=t[keep])
    assert explorer.message == ""


# where a kernel is worth its place


@pytest.mark.parametrize("inside", ["nobody", "the heaviest RV", "all RVs"])
@pytest.mark.parametrize("gamma", [0.1, 0.45, 2.0])
def test_placing_q_and_s_are_those_of_the_regression_in_disguise(make, inside, gamma):
    explorer = make("placing")
    explorer.set(inside=inside, gamma=gamma, x1=0.7, x2=-0.4)
    (X, t), kernel = datasets.overlapping(), Gaussian(gamma=gamma)
    model = RVC(kernel=kernel).fit(X, t)
    order = np.argsort(-np.abs(model.coef_))[: {"nobody": 0, "the heaviest RV": 1, "all RVs": None}[inside]]
    Phi, alpha = kernel(X, model.relevance_vectors_[order]), model.alpha_[order]
    if inside == "all RVs":
        Phi, alpha = (
            np.hstack([Phi, np.ones((80, len(model.alpha_) - len(order)))]),
            np.append(alpha, model.alpha_[len(order) :]),
        )
    fit = laplace_fit(Phi, (t > 0) * 1.0, alpha)
    t_hat, b = working_targets(Phi, (t > 0) * 1.0, fit.w)  # (7.117)
    every = np.hstack([Phi, kernel(X, np.array([[0.7, -0.4]]))])
    active = np.arange(every.shape[1]) < len(alpha)
    q, s, *_ = sparsity_quality(every, t_hat, active, np.append(alpha, np.inf), b)
    facts = explorer.picture.facts
    assert float(facts["q = Σ φₙ(tₙ − yₙ)"]) == pytest.approx(q[-1], abs=6e-5)
    assert float(facts["s"]) == pytest.approx(s[-1], rel=1e-3)
    assert facts["worth adding, q² > s"] == ("yes" if q[-1] ** 2 > s[-1] else "no")
    pulls = float(facts["pull of ●, up"]) + float(facts["pull of ■, down"])
    assert pulls == pytest.approx(q[-1], abs=2e-4)


def test_placing_in_an_empty_model_q2_over_s_is_n_times_a_squared_cosine(make):
    explorer = make("placing")
    X, t = datasets.overlapping()
    phi = Gaussian(gamma=0.45)(X, np.array([[-0.6, 0.1]]))[:, 0]
    cosine = phi @ t / np.sqrt(phi @ phi * 80)
    facts = explorer.picture.facts
    assert float(facts["q²"]) / float(facts["s"]) == pytest.approx(80 * cosine**2, rel=2e-3)


def test_placing_kernels_near_the_boundary_are_worth_least(make):
    picture = make("placing").picture
    near, far = np.abs(picture.odds) < 0.5, np.abs(picture.odds) > 3
    assert np.median(picture.ratio[near] ** 2) < 0.3 * np.median(picture.ratio[far] ** 2)


def test_placing_says_where_a_kernel_is_worth_adding(make):
    """86 % of the plane of figure 7.12 with nobody in the model, whether the kernel in the hand is worth it or not."""
    explorer = make("placing")
    for x1, worth in ((-0.6, "no"), (0.0, "yes")):
        explorer.set(x1=x1, x2=0.1 if worth == "no" else 1.2)
        share = explorer.picture.facts["plane with q² > s"]
        assert explorer.picture.facts["worth adding, q² > s"] == worth
        assert share == "86%"
        assert f"A kernel is worth adding in {share} of the plane" in explorer.description


def test_placing_when_all_relevance_vectors_are_in_hardly_any_place_is_worth_a_kernel(make):
    explorer = make("placing")
    explorer.set(inside="all RVs")
    X, _ = datasets.overlapping()
    for n in np.setdiff1d(np.arange(80), explorer.picture.members):
        explorer.set(x1=X[n, 0], x2=X[n, 1])
        assert explorer.picture.facts["worth adding, q² > s"] == "no"
    assert np.mean(explorer.picture.ratio**2 > 1) < 0.1


# training from inside


def test_irls_player_ends_where_reestimation_ends(make):
    explorer = make("irls_player")
    explorer.set(step=10**6)
    X, t = datasets.overlapping(30)
    Phi = np.column_stack([Gaussian(gamma=0.45)(X), np.ones(30)])
    end = reestimate(Phi, (t > 0) * 1.0, "bernoulli", tol=1e-3)
    last = explorer.picture.steps[-1]
    np.testing.assert_array_equal(last.inside, end.support)
    assert explorer.picture.facts["ln evidence (7.114)"] == f"{end.log_evidence:.4f}"
    assert explorer.picture.facts["functions in the model"] == "3 of 31"


def test_irls_player_shows_the_log_odds_of_its_weights(make):
    explorer = make("irls_player")
    explorer.set(step=50)
    X, _ = datasets.overlapping(30)
    step = explorer.picture.steps[50]
    x1, x2 = explorer.stage.view.axes[0].get_xlim(), explorer.stage.view.axes[0].get_ylim()
    corner = Gaussian(gamma=0.45)(np.array([[x1[0], x2[0]]]), X)[0]
    expected = np.append(corner, 1.0)[step.inside] @ step.w
    assert explorer.picture.odds[0, 0] == pytest.approx(expected, abs=1e-12)


def test_irls_player_names_what_happens(make):
    explorer = make("irls_player")
    names = set()
    for k in range(explorer.steps.max + 1):
        explorer.set(step=k)
        names.add(explorer.picture.facts["what it is"])
    assert names == {"start", "newton", "prune", "evidence", "re-estimate"}
