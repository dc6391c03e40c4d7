"""Exercises 7.18 and 7.19: solutions against their routes, other right forms, and what (7.115) leaves out."""

import numpy as np
import pytest
from answering import solution_and_route_agree
from scipy.optimize import minimize
from scipy.special import expit

from sparsekm_edu import exercises
from sparsekm_edu.exercises.practice.prml_7_18 import log_posterior
from sparsekm_edu.exercises.practice.prml_7_19 import at_the_mode, held_slope, log_evidence_held, neglected
from sparsekm_edu.solvers import irls, laplace_fit

TASKS = "7.18a", "7.18b", "7.18c", "7.19a", "7.19b", "7.19d"


@pytest.mark.parametrize("id", TASKS)
def test_solution_and_route_agree(id):
    solution_and_route_agree(id, range(40))


def gradient_in_loops(w, Phi, t, alpha):
    gradient = [-a * one for a, one in zip(alpha, w, strict=True)]
    for phi, label in zip(Phi, t, strict=True):
        for i in range(len(w)):
            gradient[i] += (label - expit(phi @ w)) * phi[i]
    return gradient


def gradient_of_signed_labels(w, Phi, t, alpha):
    """With option b of 7.18d."""
    s = 2 * t - 1
    return (s * expit(-s * (Phi @ w))) @ Phi - np.diag(alpha) @ w


def hessian_in_loops(w, Phi, t, alpha):
    H = -np.diag(alpha)
    for phi in Phi:
        y = expit(phi @ w)
        H = H - y * (1 - y) * np.outer(phi, phi)
    return H


def hessian_without_diagonal_matrices(w, Phi, t, alpha):
    a = Phi @ w
    root = np.sqrt(expit(a) * expit(-a))[:, None] * Phi
    return (-(root.T @ root) - np.diag(alpha)).T


def held_by_solving(w, Phi, t, alpha):
    y = expit(Phi @ w)
    H = np.einsum("n,ni,nj->ij", y - y**2, Phi, Phi) + np.diag(alpha)
    gamma = [1 - alpha[i] * np.linalg.solve(H, np.eye(len(w))[i])[i] for i in range(len(w))]
    return (np.array(gamma) / alpha - w**2) / 2


def total_in_loops(w, Phi, t, alpha):
    y = expit(Phi @ w)
    b = y * (1 - y)
    H = (Phi.T * b) @ Phi + np.diag(alpha)
    slopes = []
    for i in range(len(w)):
        moved = np.linalg.solve(H, -w[i] * np.eye(len(w))[i])
        dH = (Phi.T * (b * (1 - 2 * y) * (Phi @ moved))) @ Phi
        dH[i, i] += 1
        slopes.append(-(w[i] ** 2) / 2 + 1 / (2 * alpha[i]) - np.trace(np.linalg.solve(H, dH)) / 2)
    return slopes


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("7.18a", lambda a, t: (t * expit(-a) - (1 - t) * expit(a), -expit(a) * expit(-a))),
        ("7.18a", lambda a, t: [list(t - expit(a)), -1 / (2 + 2 * np.cosh(a))]),
        ("7.18b", gradient_in_loops),
        ("7.18b", gradient_of_signed_labels),
        ("7.18c", hessian_in_loops),
        ("7.18c", hessian_without_diagonal_matrices),
        ("7.19a", held_by_solving),
        (
            "7.19b",
            lambda w, Sigma, alpha: ((1 - alpha * Sigma.diagonal()) * w**-2.0, (w**2 + np.diag(Sigma)) ** -1),
        ),
        ("7.19d", total_in_loops),
    ],
)
def test_other_right_forms_are_accepted(id, answer):
    for seed in range(3):
        result = exercises.check(id, answer, seed=seed)
        assert result.passed, result


def test_what_replaces_the_residual_for_signed_labels():
    """Every option of 7.18d, against t - y."""
    rng = np.random.default_rng(0)
    a, t = rng.normal(size=8), np.arange(8) % 2.0
    s, y = 2 * t - 1, expit(a)
    options = {
        "a": s - y,
        "b": s * expit(-s * a),
        "c": s * expit(s * a),
        "d": (s + 1) / 2 * (1 - y),
    }
    right = [letter for letter, value in options.items() if np.allclose(value, t - y)]
    assert right == [exercises.TASKS["7.18d"].answer]


@pytest.fixture(scope="module")
def mode():
    return at_the_mode(np.random.default_rng(5))


def through_w(f, w, direction):
    h = 1e-5
    return (f(w + h * direction) - f(w - h * direction)) / (2 * h)


def test_where_the_motion_of_the_mode_drops_out(mode):
    """7.19c: in the sum of log likelihood and log prior, in neither alone, and not in ln |Sigma|."""
    w, Phi, t, alpha = mode
    direction = irls(Phi, t, alpha + [1e-4, *[0] * (len(w) - 1)], tol=1e-10).w - w
    direction /= np.linalg.norm(direction)
    prior = through_w(lambda w: -0.5 * w @ (alpha * w), w, direction)
    both = through_w(lambda w: log_posterior(w, Phi, t, alpha), w, direction)
    volume = through_w(
        lambda w: log_evidence_held(alpha, w, Phi, t) - log_posterior(w, Phi, t, alpha), w, direction
    )
    assert abs(both) < 1e-8
    assert abs(prior) > 1e-2  # and so the likelihood, which is minus that
    assert abs(volume) > 1e-3
    assert exercises.TASKS["7.19c"].answer == "a"


def test_both_updates_rest_where_the_held_slope_is_zero_and_that_is_not_the_top():
    """The worked text: (7.116) comes to rest near the top of (7.114), not on it."""
    rng = np.random.default_rng(2)
    Phi = rng.normal(size=(40, 2))
    t = (rng.random(40) < expit(Phi @ [3.0, -2.0])).astype(float)
    rests, rounds = [], []
    for which in (0, 1):
        alpha, changes = np.ones(2), [1.0]
        while changes[-1] > 1e-11 and len(changes) < 2000:
            fit = laplace_fit(Phi, t, alpha, tol=1e-9)
            new = exercises.solution("7.19b")(fit.w, fit.Sigma, alpha)[which]
            changes.append(np.abs(np.log(new / alpha)).max())
            alpha = new
        rests.append(alpha)
        rounds.append(len(changes))
    np.testing.assert_allclose(rests[0], rests[1], rtol=1e-7)
    assert rounds[0] < rounds[1]
    w = irls(Phi, t, rests[0], tol=1e-9).w
    np.testing.assert_allclose(exercises.solution("7.19a")(w, Phi, t, rests[0]), 0, atol=1e-9)
    slope = exercises.solution("7.19d")(w, Phi, t, rests[0])
    assert np.abs(slope * rests[0]).max() > 1e-3  # by ln alpha
    top = minimize(
        lambda u: -laplace_fit(Phi, t, np.exp(u), tol=1e-9).log_evidence, np.log(rests[0]), tol=1e-10
    )
    here = laplace_fit(Phi, t, rests[0], tol=1e-9).log_evidence
    assert 1e-4 < -top.fun - here < 1
    w = irls(Phi, t, np.exp(top.x), tol=1e-9).w
    assert np.abs(exercises.solution("7.19d")(w, Phi, t, np.exp(top.x)) * np.exp(top.x)).max() < 1e-3


def test_how_much_the_rule_leaves_out():
    """The numbers at the end of the worked text of 7.19."""

    def share(w, Phi, t, alpha):
        return np.linalg.norm(neglected(w, Phi, alpha)) / np.linalg.norm(held_slope(w, Phi, t, alpha))

    def forty_points(rng):
        M = int(rng.integers(2, 5))
        Phi, t, alpha = rng.normal(size=(40, M)), rng.permutation(np.arange(40) % 2), rng.uniform(0.3, 3.0, M)
        return irls(Phi, t, alpha, tol=1e-8).w, Phi, t, alpha

    few = [share(*at_the_mode(np.random.default_rng([0, n]))) for n in range(500)]
    many = [share(*forty_points(np.random.default_rng([0, n]))) for n in range(100)]
    assert 0.12 < np.median(few) < 0.19
    assert 1 / 20 < np.mean(np.array(few) > 1) < 1 / 12
    assert 0.015 < np.median(many) < 0.03
