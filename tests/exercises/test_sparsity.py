"""Notebook 10: what its guesses hold to be true, and its worked solutions, computed in another way."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import multivariate_normal

from sparsekm_edu import Gaussian, LinearSpline, datasets, exercises
from sparsekm_edu.solvers import sequential, sequential_steps


def truth(id):
    guess = exercises.GUESSES[id]
    true = guess.truth()
    return guess.kind.told(true), guess.answer(true)


def log_p(t, phi, alpha, beta):
    return multivariate_normal(cov=np.eye(2) / beta + np.outer(phi, phi) / alpha).logpdf(t)  # (7.92)


def ten_points():
    X, t = datasets.sinusoid()
    return np.column_stack([Gaussian(1 / (2 * 0.15**2))(X), np.ones(10)]), t


def test_10_a_no_finite_alpha_is_better():
    phi, t = np.array([-0.3, 1.2]), np.array([1.6, 0.8])
    beta = 2 / (t @ t)

    def at_equal_volume(alpha):
        """The noise variance v with v (v + phi'phi / alpha) = beta^-2, and ln p(t) there."""
        spread = phi @ phi / alpha
        v = (-spread + np.sqrt(spread**2 + 4 / beta**2)) / 2
        return log_p(t, phi, alpha, 1 / v)

    best = max(map(at_equal_volume, np.logspace(-4, 8, 300)))
    assert best < log_p(t, phi, np.inf, beta)
    angle = np.degrees(np.arccos(phi @ t / np.linalg.norm(phi) / np.linalg.norm(t)))
    told, answer = truth("10-a")
    assert told == "no, whatever α is"
    assert f"{angle:.1f}°" in answer
    assert angle > 70


def test_10_b_the_curve_is_7_97():
    guess = exercises.GUESSES["10-b"]
    ln_alpha, heights = guess.truth()
    alpha = np.exp(ln_alpha)
    np.testing.assert_allclose(heights, 0.5 * (np.log(alpha / (alpha + 1)) + 4 / (alpha + 1)), atol=1e-12)
    left = 0.5 * np.log(alpha[0] / (alpha[0] + 1)), 0.5 * 4 / (alpha[0] + 1)
    assert f"the price is −{-left[0]:.2f} and the reward {left[1]:.2f}" in guess.question
    assert f"{0.5 * (3 - np.log(4)):.2f} high" in guess.answer(guess.truth())


def test_10_c_forty_five_degrees():
    t = np.array([1.5, 0.0])
    beta = 2 / (t @ t)
    for degrees, wanted in ((44.5, True), (45.5, False)):
        phi = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
        found = minimize_scalar(
            lambda ln, phi=phi: -log_p(t, phi, np.exp(ln), beta), bounds=(-5, 8), method="bounded"
        )
        assert (-found.fun > log_p(t, phi, np.inf, beta)) == wanted
    assert truth("10-c")[0] == "45 degrees"


def test_10_d_the_point_of_the_function_that_acts_stays():
    Phi, t = ten_points()
    steps = [step for step in sequential_steps(Phi, t) if step.action != "stop"]
    for before, after in zip(steps, steps[1:], strict=False):
        if after.index is not None:
            assert after.q[after.index] == pytest.approx(before.q[after.index], rel=1e-6)
            assert after.s[after.index] == pytest.approx(before.s[after.index], rel=1e-6)
    assert truth("10-d")[0].startswith("nowhere")


def test_10_e_all_starts_end_with_the_same_three():
    Phi, t = ten_points()
    passes = []
    for first in range(11):
        *_, last = sequential_steps(Phi, t, choose=lambda step, i=first: i if step.n_iter == 0 else "gain")
        assert last.active.nonzero()[0].tolist() == [2, 7, 9]
        passes.append(last.passes)
    told, answer = truth("10-e")
    assert told == "11"
    assert f"{min(passes)} passes from the best one, {max(passes)} from the slowest" in answer


def test_10_f_the_box_ends_far_lower():
    X, t = datasets.sinc(100, noise=0.2)
    Phi = np.column_stack([LinearSpline()(X + 10), np.ones(100)])
    ends = [f"{sequential(Phi, t, schedule=way).log_evidence:.1f}" for way in ("book", "patient")]
    told, answer = truth("10-f")
    assert told.startswith("lower")
    assert "at {}, the patient run at {}".format(*ends) in answer


@pytest.mark.parametrize("seed", range(5))
def test_small_letters_are_those_without_the_function(seed):
    """(7.98) and (7.99) with one inverse for each function."""
    rng = np.random.default_rng(seed)
    N, M, beta = 8, 6, 3.0
    Phi, t = rng.normal(size=(N, M)), rng.normal(size=N)
    alpha = np.where(rng.random(M) < 0.5, rng.uniform(0.5, 5, M), np.inf)

    def inverse_of_C(alpha):
        return np.linalg.inv(np.eye(N) / beta + Phi / alpha @ Phi.T)

    whole = inverse_of_C(alpha)
    q, s = exercises.solution("10-small")(Phi.T @ whole @ t, np.einsum("nm,nk,km->m", Phi, whole, Phi), alpha)
    for i in range(M):
        rest = inverse_of_C(np.where(np.arange(M) == i, np.inf, alpha))
        assert q[i] == pytest.approx(Phi[:, i] @ rest @ t)
        assert s[i] == pytest.approx(Phi[:, i] @ rest @ Phi[:, i])


@pytest.mark.parametrize(
    ("q", "s", "alpha", "action", "new"),
    [
        (2.0, 1.0, np.inf, "add", 1 / 3),
        (-2.0, 1.0, 5.0, "re-estimate", 1 / 3),
        (1.0, 2.0, 5.0, "delete", np.inf),
        (1.0, 1.0, 5.0, "delete", np.inf),  # on the line: q^2 <= s
        (1.0, 2.0, np.inf, "none", np.inf),
    ],
)
def test_the_four_actions(q, s, alpha, action, new):
    found = exercises.solution("10-action")(q, s, alpha)
    assert found == (action, pytest.approx(new))
