"""Exercise 7.6: solutions against their routes, other right forms, and what the worked text claims."""

import numpy as np
import pytest
import sympy
from answering import solution_and_route_agree
from scipy.optimize import minimize
from scipy.special import expit

from sparsekm_edu import exercises


@pytest.mark.parametrize("id", ["7.6a", "7.6b", "7.6c"])
def test_solution_and_route_agree(id):
    solution_and_route_agree(id, range(60))


def gradient_in_loops(w, b, X, t, lam):
    by_w, by_b = np.zeros(len(w)), 0.0
    for x, label in zip(X, t, strict=True):
        z = label * (x @ w + b)
        by_w -= label * x * np.exp(-z) / (1 + np.exp(-z))
        by_b -= label * np.exp(-z) / (1 + np.exp(-z))
    return list(by_w + 2 * lam * w), by_b


def gradient_of_the_other_coding(w, b, X, t, lam):
    residual = expit(X @ w + b) - (t + 1) / 2  # labels 0 and 1
    return residual @ X + 2 * lam * w, np.array(residual.sum())


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("7.6a", lambda z: -np.log(1 / (1 + np.exp(-z)))),
        ("7.6a", lambda z: np.logaddexp(0, -z)),
        ("7.6a", lambda z: [np.log1p(np.exp(-one)) for one in z]),
        ("7.6a", lambda z: np.log(1 + np.exp(z)) - z),
        ("7.6b", sympy.Symbol("alpha") / 2),
        ("7.6b", lambda alpha: 0.5 / (1 / alpha)),
        ("7.6c", gradient_in_loops),
        ("7.6c", gradient_of_the_other_coding),
    ],
)
def test_other_right_forms_are_accepted(id, answer):
    for seed in range(5):
        result = exercises.check(id, answer, seed=seed)
        assert result.passed, result


def test_at_the_minimum_every_point_has_a_multiplier_strictly_inside_the_box():
    """7.6d, and the end of the worked text."""
    rng = np.random.default_rng(0)
    t = np.where(np.arange(20) % 2 == 0, 1.0, -1.0)
    X, C = rng.normal(size=(20, 2)) + t[:, None], 2.0

    def error(wb):
        w = wb[:-1]
        return np.sum(np.logaddexp(0, -t * (X @ w + wb[-1]))) + w @ w / (2 * C)  # (7.47), lambda = 1 / (2C)

    wb = minimize(error, np.zeros(3), tol=1e-12).x
    z = t * (X @ wb[:-1] + wb[-1])
    multipliers = {"b": C * expit(z), "c": C * expit(-z), "d": expit(-z) / C, "a": C * (z < 1)}
    gaps = {letter: np.abs((a * t) @ X - wb[:-1]).max() for letter, a in multipliers.items()}
    right = exercises.TASKS["7.6d"].answer
    assert gaps.pop(right) < 1e-4
    assert min(gaps.values()) > 0.1
    a = multipliers[right]
    assert abs(a @ t) < 1e-4
    assert (a > 0).all()
    assert (a < C).all()
