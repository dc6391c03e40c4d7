"""Numbers of the readouts of part II that no other test asks for, computed once more from the state alone."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import multivariate_normal
from sklearn.linear_model import LogisticRegression

from sparsekm_edu import RVC, RVR, Gaussian, datasets
from sparsekm_edu.lessons.integration import sampled_evidence
from sparsekm_edu.solvers import laplace_fit


def number(explorer, label, which=0):
    """A number of the readout; with several in a line, the one at `which`."""
    return float(explorer.picture.facts[label].replace(",", " ").replace("|", " ").split()[which].strip("%°"))


@pytest.mark.parametrize(("alpha", "place"), [(0.1, 2.5), (0.01, -1.0), (10.0, 0.3)])
def test_predictive(make, alpha, place):
    explorer = make("predictive")
    explorer.set(alpha=alpha, place=place)
    X, t = explorer.state.X, (explorer.state.t > 0).astype(float)
    Phi, phi = np.column_stack([np.ones(len(t)), X]), np.array([1.0, place])
    fit = laplace_fit(Phi, t, alpha)
    mean, sd = phi @ fit.w, np.sqrt(phi @ fit.Sigma @ phi)
    assert number(explorer, "μₐ, σₐ at x", 0) == pytest.approx(mean, abs=0.006)
    assert number(explorer, "μₐ, σₐ at x", 1) == pytest.approx(sd, abs=0.006)
    kappa = 1 / np.sqrt(1 + np.pi * sd**2 / 8)
    assert number(explorer, "κ(σₐ²)") == pytest.approx(kappa, abs=6e-4)
    assert number(explorer, "p: plug-in | probit", 0) == pytest.approx(expit(mean), abs=6e-4)
    assert number(explorer, "p: plug-in | probit", 1) == pytest.approx(expit(kappa * mean), abs=6e-4)
    assert number(explorer, "ln p(t): L. | exact", 0) == pytest.approx(fit.log_evidence, abs=0.006)
    exact = sampled_evidence(Phi, t, alpha, fit, draws=8192)
    assert number(explorer, "ln p(t): L. | exact", 1) == pytest.approx(exact, abs=0.02)


def test_runaway_with_a_prior_is_scikit_learns_machine(make):
    explorer = make("runaway")
    explorer.set(prior=True, alpha=0.1, step=10**6)
    X, t = explorer.state.X, explorer.state.t
    model = LogisticRegression(C=1 / 0.1, tol=1e-10).fit(X, t)  # it, too, leaves the bias free
    y = model.decision_function(X)
    assert number(explorer, "|w|, with α") == pytest.approx(np.linalg.norm(model.coef_), abs=0.006)
    assert number(explorer, "training errors") == np.sum(t * y < 0)
    assert number(explorer, "least sure, 1 − p") == pytest.approx(expit(-np.min(t * y)), rel=0.05)
    assert number(explorer, "−ln p(t|w)") == pytest.approx(np.logaddexp(0, -t * y).sum(), rel=0.01)


@pytest.mark.parametrize(
    "fields", [{}, {"angle": 40.0, "alpha": 3.0}, {"fitted": False, "beta": 1.0, "angle": 200.0 - 360}]
)
def test_sparsity(make, fields):
    explorer = make("sparsity")
    explorer.set(**fields)
    state = explorer.state
    t, alpha = np.array(state.t), state.alpha
    beta = 2 / (t @ t) if state.fitted else state.beta
    cosine = state.phi @ t / np.linalg.norm(state.phi) / np.linalg.norm(t)
    assert number(explorer, "angle from φ to t") == pytest.approx(np.degrees(np.arccos(cosine)), abs=0.06)

    def log_p(variance):
        return multivariate_normal.logpdf(
            t, cov=np.eye(2) * variance + np.outer(state.phi, state.phi) / alpha
        )

    assert number(explorer, "ln p(t), same β") == pytest.approx(log_p(1 / beta), abs=6e-5)
    spread = state.phi @ state.phi / alpha  # v (v + spread) = 1 / beta^2, the same |C|
    same_volume = (-spread + np.sqrt(spread**2 + 4 / beta**2)) / 2
    assert number(explorer, "ln p(t), same |C|") == pytest.approx(log_p(same_volume), abs=6e-5)
    assert number(explorer, "ln p(t), α = ∞") == pytest.approx(
        multivariate_normal.logpdf(t, cov=np.eye(2) / beta), abs=6e-5
    )


def test_far_away(make):
    explorer = make("far_away")
    X, t = explorer.state.X, explorer.state.t
    model = RVR(Gaussian(1 / (2 * explorer.state.width**2)), bias=False, extra="constant").fit(X, t)
    assert number(explorer, "σ of the noise alone") == pytest.approx(model.beta_**-0.5, abs=6e-4)
    assert explorer.picture.facts["kernels used"] == f"{model.n_relevance_} and {len(t)}"


def test_softmax_rvm(make):
    explorer = make("softmax_rvm")
    X, t = explorer.state.X, explorer.state.t
    model = RVC(kernel=Gaussian(explorer.state.gamma)).fit(X, t)
    M = 3 * (len(t) + 1)  # a weight for every point and the bias, in every class
    assert explorer.picture.facts["with all functions"] == f"{M} x {M}"
    assert number(explorer, "training errors") == np.sum(model.predict(X) != t)
    X_test, t_test = datasets.three_classes(20_000, seed=77)
    assert number(explorer, "test error") == pytest.approx(
        100 * np.mean(model.predict(X_test) != t_test), abs=2.5
    )


@pytest.mark.parametrize("place", [(-0.6, 0.1), (0.5, 1.2)])
def test_placing_beside_an_empty_model(make, place):
    explorer = make("placing")
    explorer.set(x1=place[0], x2=place[1])
    X, t = datasets.overlapping()
    phi = Gaussian(explorer.state.gamma)(X, np.array([place]))[:, 0]
    q, s = phi @ ((t > 0) - 0.5), 0.25 * phi @ phi
    ratio = q * q / s
    assert number(explorer, "kernels in the model") == 0
    assert number(explorer, "s") == pytest.approx(s, rel=1e-3)
    gain = (ratio - 1 - np.log(ratio)) / 2 if ratio > 1 else 0.0
    assert number(explorer, "gain (7.97), nats") == pytest.approx(gain, abs=6e-4)


def test_sequential_player_largest_gain_left_is_what_the_next_step_brings(make):
    explorer = make("sequential_player")
    for step in (0, 1, 3):  # step 3 is the new noise, of which nothing is promised
        explorer.set(step=step)
        promised, before = number(explorer, "largest gain left"), number(explorer, "ln evidence")
        explorer.set(step=step + 1)
        assert number(explorer, "ln evidence") - before == pytest.approx(promised, rel=0.05)
