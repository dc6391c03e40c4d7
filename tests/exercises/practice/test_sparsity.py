"""PRML 7.15 to 7.17: worked solutions by third roads, other right forms, counter-examples, what texts say."""

import re

import numpy as np
import pytest
import sympy
from answering import passes, said

from sparsekm_edu import exercises
from sparsekm_edu.exercises.practice import prml_7_15, prml_7_16, prml_7_17
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.tasks import Task, judge
from sparsekm_edu.solvers import log_evidence, posterior, sparsity_quality

FUNCTIONS = [
    step
    for id in ("7.15", "7.16", "7.17")
    for step in exercises.EXERCISES[id].steps
    if isinstance(step, Task)
]


@pytest.mark.parametrize("task", FUNCTIONS, ids=[task.id for task in FUNCTIONS])
def test_the_worked_solution_agrees_with_its_route_on_many_seeds(task):
    assert task.route
    passes(task.id, task.solution, range(100, 125))


# ---- against the solvers of the library, on a model of its own -------------------------------------------


def a_model(seed):
    """Phi (9, 5), t (9,), alpha (5,), two of them infinite, and beta."""
    rng = np.random.default_rng(seed)
    alpha = rng.uniform(0.4, 3, 5)
    alpha[[1, 3]] = np.inf
    return rng.normal(size=(9, 5)), rng.normal(size=9), alpha, float(rng.uniform(0.5, 3))


@pytest.mark.parametrize("seed", range(8))
def test_letters_and_gains_are_those_of_the_solvers(seed):
    Phi, t, alpha, beta = a_model(seed)
    q, s, Q, S = sparsity_quality(Phi, t, np.isfinite(alpha), alpha, beta)
    found = exercises.solution("7.17b")(Phi.T @ Phi, Phi.T @ t, alpha, beta)
    np.testing.assert_allclose(found, (Q, S), rtol=1e-9, atol=1e-9)

    inside = np.isfinite(alpha)
    m, Sigma = posterior(Phi, t, alpha, beta)
    found = exercises.solution("7.17d")(alpha[inside], m, Sigma)
    np.testing.assert_allclose(found, (q[inside], s[inside]), rtol=1e-9)
    found = exercises.solution("7.17c")(alpha[inside], s[inside], q[inside])
    np.testing.assert_allclose(found, (Q[inside], S[inside]), rtol=1e-9)

    changed = alpha.copy()
    changed[0] *= 2.7
    gain = log_evidence(Phi, t, changed, beta) - log_evidence(Phi, t, alpha, beta)
    assert exercises.solution("7.15c")(alpha[0], changed[0], s[0], q[0]) == pytest.approx(gain, rel=1e-8)

    without = alpha.copy()
    without[0] = np.inf
    C, C_rest = (np.eye(9) / beta + Phi / some @ Phi.T for some in (alpha, without))
    terms = (
        np.log(np.linalg.det(C) / np.linalg.det(C_rest)),
        t @ np.linalg.solve(C, t) - t @ np.linalg.solve(C_rest, t),
    )
    np.testing.assert_allclose(exercises.solution("7.15b")(alpha[0], s[0], q[0]), terms, rtol=1e-8)


@pytest.mark.parametrize("seed", range(8))
def test_what_a_function_is_worth_after_another_has_joined(seed):
    """7.15d on a model with a third function in it."""
    Phi, t, alpha, beta = a_model(seed)  # functions 1 and 3 are outside: 1 looks on while 3 joins
    q, s, *_ = sparsity_quality(Phi, t, np.isfinite(alpha), alpha, beta)
    C = np.eye(9) / beta + Phi / alpha @ Phi.T
    overlap = Phi[:, 1] @ np.linalg.solve(C, Phi[:, 3])
    after = alpha.copy()
    after[3] = 0.8
    q_after, s_after, *_ = sparsity_quality(Phi, t, np.isfinite(after), after, beta)
    found = exercises.solution("7.15d")(s[1], q[1], s[3], q[3], overlap, 0.8)
    np.testing.assert_allclose(found, (s_after[1], q_after[1]), rtol=1e-9)


# ---- by algebra -----------------------------------------------------------------------------------------
alpha, new, s, q = sympy.symbols("alpha new s q", positive=True)
LAMBDA = (sympy.log(alpha) - sympy.log(alpha + s) + q**2 / (alpha + s)) / 2  # (7.97)
TOP = s**2 / (q**2 - s)  # (7.101)


def test_7_16_by_algebra():
    assert sympy.simplify(sympy.diff(LAMBDA, alpha) - (s**2 / alpha - q**2 + s) / (2 * (alpha + s) ** 2)) == 0
    second = sympy.diff(LAMBDA, alpha, 2)
    bend = sympy.simplify(second.subs(alpha, TOP) + (q**2 - s) ** 4 / (2 * s**4 * q**4))
    assert bend == 0
    values = {s: sympy.Rational(13, 10), q: sympy.Rational(17, 10)}
    height, _ = exercises.solution("7.16b")(1.3, 1.7)
    assert float(LAMBDA.subs(alpha, TOP).subs(values)) == pytest.approx(height, rel=1e-12)
    # what the worked solution says of large alpha, and of the counter-example
    assert sympy.limit(second * alpha**3, alpha, sympy.oo) == q**2 - s
    assert float(second.subs({alpha: 3, s: 1, q: 2})) == pytest.approx(0.038, abs=5e-4)


def test_a_copy_lies_on_the_line():
    """As the worked solution of 7.15 says: the copy of a function at its best alpha has q^2 = s."""
    s_copy, q_copy = exercises.solution("7.15d")(1.3, 1.7, 1.3, 1.7, 1.3, 1.3**2 / (1.7**2 - 1.3))
    assert q_copy**2 == pytest.approx(s_copy, rel=1e-12)


@pytest.mark.parametrize(
    "formula",
    [
        sympy.diff(LAMBDA, alpha, 2),
        sympy.together(sympy.diff(LAMBDA, alpha, 2)),
        sympy.diff((s**2 / alpha - (q**2 - s)) / (2 * (alpha + s) ** 2), alpha),
    ],
)
def test_formulas_of_sympy_are_answers(formula):
    passes("7.16a", formula)


def test_a_formula_for_the_gain():
    passes("7.15c", LAMBDA.subs(alpha, new) - LAMBDA)
    assert "before minus after" in said("7.15c", LAMBDA - LAMBDA.subs(alpha, new))
    assert "it contains beta" in said("7.15c", LAMBDA + sympy.Symbol("beta"))


# ---- other right answers, as students write them ----------------------------------------------------------


def test_other_forms_of_7_15():
    passes("7.15b", lambda alpha, s, q: [np.log1p(s / alpha), -q * q / (s + alpha)])
    passes(
        "7.15b", lambda alpha, s, q: (-np.log(alpha) + np.log(alpha + s), np.float32(-(q**2) / (alpha + s)))
    )
    passes("7.15c", lambda alpha, new, s, q: prml_7_16.lam(new, s, q) - prml_7_16.lam(alpha, s, q))
    passes("7.15d", prml_7_15.seen_after_by_matrices)


def test_other_forms_of_7_16():
    def from_the_fraction(alpha, s, q):
        Z, D = s**2 / alpha - (q**2 - s), 2 * (alpha + s) ** 2
        return (-(s**2) / alpha**2 * D - Z * 4 * (alpha + s)) / D**2

    def put_in(s, q):
        top = s**2 / (q**2 - s)
        return prml_7_16.lam(top, s, q), from_the_fraction(top, s, q)

    passes("7.16a", from_the_fraction)
    passes("7.16b", put_in)
    passes("7.16b", lambda s, q: ((q * q / s - 1 + np.log(s / q**2)) / 2, -0.5 * ((q**2 - s) / (s * q)) ** 4))


def test_other_forms_of_7_17():
    def by_loops(G, h, alpha, beta):
        members = [i for i in range(len(h)) if alpha[i] < np.inf]
        A = np.diag([alpha[i] for i in members])
        Sigma = np.linalg.inv(A + beta * G[np.ix_(members, members)])
        Q, S = [], []
        for i in range(len(h)):
            g = np.array([G[i, j] for j in members])
            Q.append(beta * h[i] - beta**2 * g @ Sigma @ np.array([h[j] for j in members]))
            S.append(beta * G[i, i] - beta**2 * g @ Sigma @ g)
        return Q, S

    def by_residuals(G, h, alpha, beta):
        """With 1/alpha, which is 0 outside the model: no indices at all."""
        A_inverse = np.diag(1 / alpha)
        rest = np.linalg.inv(np.eye(len(h)) + beta * G @ A_inverse)
        return beta * rest @ h, beta * np.diag(rest @ G)

    passes("7.17b", by_loops)
    passes("7.17b", by_residuals)
    passes("7.17c", lambda alpha, s, q: (q - s * q / (alpha + s), 1 / (1 / s + 1 / alpha)))

    def by_large_letters(alpha, m, Sigma):
        Q, S = alpha * m, alpha - alpha**2 * np.diag(Sigma)
        return alpha * Q / (alpha - S), alpha * S / (alpha - S)  # (7.104), (7.105)

    passes("7.17d", by_large_letters)


# ---- claims -----------------------------------------------------------------------------------------------


def test_7_15a_is_the_bracket():
    rng = np.random.default_rng(0)
    root, phi, a = rng.normal(size=(4, 4)), rng.normal(size=4), 0.7
    rest = root @ root.T + np.eye(4)
    u = np.linalg.solve(rest, phi)
    s = phi @ u
    brackets = {
        "a": [1 / a, -1 / (a + s), s / (a * (a + s))],
        "b": [1 / a, -1 / (a + s), -s / (a * (a + s))],
        "c": [1 / a, -1 / (a + s), -s / (a + s)],
        "d": [s / a, -s / (a + s), -(s**2) / (a * (a + s))],
    }
    one, other = np.outer(phi, phi) / a, -np.outer(u, u) / (a + s)
    products = [one @ np.linalg.inv(rest), rest @ other, one @ other]
    right = [
        letter
        for letter, terms in brackets.items()
        if np.allclose(products, [term * np.outer(phi, u) for term in terms])
    ]
    assert sum(brackets["b"]) == pytest.approx(0, abs=1e-12)
    assert sum(brackets["d"]) == pytest.approx(0, abs=1e-12)  # so nobody finds the letter by its being 0
    assert right == ["b"] == [exercises.solution("7.15a")]


def test_7_17a_is_the_inverse_of_C():
    rng = np.random.default_rng(0)
    Phi, A, beta, inv = rng.normal(size=(5, 3)), np.diag([0.5, 1.2, 3.0]), 1.7, np.linalg.inv
    choices = {
        "a": (beta * np.eye(5), Phi, A, Phi.T),
        "b": (np.eye(5) / beta, Phi, inv(A), Phi.T),
        "c": (np.eye(5) / beta, Phi, A, Phi.T),
        "d": (A, Phi.T, np.eye(5) / beta, Phi),
    }
    C = np.eye(5) / beta + Phi @ inv(A) @ Phi.T  # (7.86)
    sides = {
        letter: inv(P) - inv(P) @ U @ inv(W + V @ inv(P) @ U) @ V @ inv(P)
        for letter, (P, U, W, V) in choices.items()
    }
    right = [letter for letter, side in sides.items() if side.shape == C.shape and np.allclose(side, inv(C))]
    assert right == ["c"] == [exercises.solution("7.17a")]


def test_7_16d_uphill_towards_0():
    grid = np.logspace(-6, 6, 2000)
    for s, q in ((1.0, 0.5), (2.0, 1.3), (0.5, 0.0)):
        heights = prml_7_16.lam(grid, s, q)
        assert np.all(np.diff(heights) > 0)
        assert heights[0] < -5
        assert -1e-5 < heights[-1] < 0
    assert exercises.solution("7.16d") == "c"


@pytest.mark.parametrize("value", [(3, 1, 2), [10.0, 0.5, -1.0], np.array([2.0, 1.0, 3.0])])
def test_counter_examples_are_accepted(value):
    result = exercises.check("7.16c", value)
    assert result.passed
    alpha, s, q = map(float, value)
    bend = derivative(lambda x: derivative(lambda y: prml_7_16.lam(y[0], s, q), x), np.array([alpha]))[0, 0]
    assert float(re.search(r"second derivative is (\S+) at", result.message)[1]) == pytest.approx(
        bend, rel=1e-3
    )


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ((1 / 3, 1, 2), "the top itself"),
        ((0.2, 1, 2), "not positive. The top is at 0.3333"),
        ((3, 1, 0.9), "q² has to be greater than s; they are 0.81 and 1"),
        ((3, -1, 2), "alpha and s have to be positive; they are 3 and -1"),
        ((3, 1), "A tuple of three numbers (alpha, s, q) is wanted; got (3, 1)"),
        ("right of the top", "A tuple of three numbers (alpha, s, q) is wanted"),
        ({"alpha": 3, "s": 1, "q": 2}, "A tuple of three numbers (alpha, s, q) is wanted"),
        ((float("nan"), 1, 2), "Three finite numbers are wanted; got nan, 1 and 2"),
        ((float("inf"), 1, 2), "Three finite numbers are wanted; got inf, 1 and 2"),
    ],
)
def test_no_counter_examples(value, told):
    assert told in said("7.16c", value)


# ---- slips that the lists of mistakes do not hold word for word --------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_special_cases_are_in_every_check(seed):
    """An empty model, a single member, q < 0, and infinite entries that end in nan."""

    def wrong_if_empty(G, h, alpha, beta):
        return (h, np.diag(G)) if np.isinf(alpha).all() else prml_7_17.large_letters(G, h, alpha, beta)

    def wrong_if_single(alpha, m, Sigma):
        return (m, m) if len(m) == 1 else prml_7_17.letters_of_members(alpha, m, Sigma)

    def wrong_if_negative(alpha, s, q):
        return prml_7_16.curvature(alpha, s, q) if q > 0 else 0.0

    def all_of_them(G, h, alpha, beta):
        Sigma = np.linalg.inv(np.diag(alpha) + beta * G)
        return beta * h - beta**2 * G @ Sigma @ h, beta * np.diag(G) - beta**2 * np.diag(G @ Sigma @ G)

    for id, answer in (("7.17b", wrong_if_empty), ("7.17d", wrong_if_single), ("7.16a", wrong_if_negative)):
        assert not judge(exercises.TASKS[id], answer, seed).passed
    assert "infinite entries in the matrix" in judge(exercises.TASKS["7.17b"], all_of_them, seed).message


def test_what_7_17_needs_stands_in_its_text():
    exercise = exercises.EXERCISES["7.17"]
    *_, small_to_large, members = exercise.steps
    assert r"\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t$ (7.82)" in exercise.task
    assert r"\mathbf C^{-1}=\mathbf C_{-i}^{-1}-\frac" in small_to_large.text
    assert "7.17c, solved for $q$ and $s$" in members.text


def test_slips_are_named_in_other_forms():
    assert "the factor 1/2 of the fraction" in said(
        "7.15c", sympy.log(new * (alpha + s) / alpha / (new + s)) / 2 + q**2 / (new + s) - q**2 / (alpha + s)
    )
    assert "the factor 1/2 of the height" in said(
        "7.16b", (lambda s, q: (q**2 / s - 1 - np.log(q**2 / s), -((q**2 - s) ** 4) / (2 * s**4 * q**4)))
    )
    assert "1/alpha for alpha" in said(
        "7.17c", lambda alpha, s, q: (q / (1 + s * alpha), s / (1 + s * alpha))
    )
    assert "Sigma^-1 m for q" in said(
        "7.17d", lambda alpha, m, Sigma: (np.linalg.solve(Sigma, m), 1 / np.diag(Sigma) - alpha)
    )
    assert "alpha for 1/alpha" in said(
        "7.15b", lambda alpha, s, q: (np.log(1 + alpha * s), -q * q / (s + 1 / alpha))
    )
    assert "the factor 1/2" in said("7.16a", sympy.diff(2 * LAMBDA, alpha, 2))
    assert "2 results are wanted" in said("7.17b", lambda G, h, alpha, beta: h)

    def members_only(G, h, alpha, beta):
        inside = np.isfinite(alpha)
        Q, S = prml_7_17.large_letters(G, h, alpha, beta)
        return Q[inside], S[inside]

    assert "is wanted" in said("7.17b", members_only)
