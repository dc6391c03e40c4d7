"""Formulas as answers: a sympy expression in the names of the parameters."""

import numpy as np
import sympy

from sparsekm_edu.exercises.tasks import Mistake, Task, judge


def rise(x, alpha):
    """The slope of alpha x^2."""
    return 2 * alpha * x


SLOPE = Task(
    "99-slope",
    "return the slope",
    lambda rng: (rng.normal(), rng.uniform(1, 2)),
    rise,
    (Mistake("the curve itself", lambda x, alpha: alpha * x**2, "take its derivative"),),
    ("differentiate", "2 alpha x"),
    route=("finite differences", lambda x, alpha: alpha * ((x + 1e-4) ** 2 - (x - 1e-4) ** 2) / 2e-4),
)


def test_a_formula_is_an_answer():
    x, alpha = sympy.symbols("x alpha", positive=True)
    assert judge(SLOPE, 2 * alpha * x, 0).passed
    assert judge(SLOPE, sympy.diff(alpha * x**2, x), 0).passed
    assert "the curve itself" in judge(SLOPE, alpha * x**2, 0).message
    assert "sign is the wrong way round" in judge(SLOPE, -2 * alpha * x, 0).message


def test_a_formula_may_be_a_polynomial_or_a_function():
    x, alpha = sympy.symbols("x alpha")
    assert judge(SLOPE, sympy.Poly(2 * alpha * x, x), 0).passed
    assert judge(SLOPE, sympy.Lambda(x, 2 * alpha * x), 0).passed
    assert "the curve itself" in judge(SLOPE, sympy.Lambda((x, alpha), alpha * x**2), 0).message


def test_one_that_lacks_a_parameter_is_a_wrong_answer_only():
    assert "The result differs" in judge(SLOPE, 3 * sympy.Symbol("x"), 0).message
    assert "The result differs" in judge(SLOPE, sympy.Integer(3), 0).message


def test_strange_letters_are_named():
    message = judge(SLOPE, 2 * sympy.Symbol("a") * sympy.Symbol("x"), 0).message
    assert message == "The formula may contain x, alpha, and it contains a."


def test_the_route_is_what_is_compared_and_named():
    result = judge(SLOPE, rise, 0)
    assert result.passed
    assert result.message == "It agrees with finite differences on 6 random instances."
    crooked = Task(
        "99-c", "x", SLOPE.instance, rise, (), (), route=("another", lambda x, alpha: 2 * alpha * x + 1)
    )
    assert not judge(crooked, rise, 0).passed


def test_how_close_is_close():
    rough = Task("99-r", "x", SLOPE.instance, rise, (), (), close=1e-3)
    assert judge(rough, lambda x, alpha: 2 * alpha * x * 1.0005, 0).passed
    assert not judge(rough, lambda x, alpha: 2 * alpha * x * 1.005, 0).passed


def test_what_is_accepted_and_a_mistake_told_by_its_symptom():
    root = Task(
        "99-root",
        "return a root of x",
        lambda rng: (rng.uniform(2, 3),),
        lambda x: np.sqrt(x),
        (
            Mistake(
                "an inverse", lambda x: 1 / x, "a root squared is x", shows=lambda value, x: 0 < value < 1 / 2
            ),
        ),
        ("square it", "try"),
        accepts=lambda value, x: None if abs(value**2 - x) < 1e-6 else f"{value**2:.3g} is not x.",
    )
    assert judge(root, lambda x: -np.sqrt(x), 0).passed  # two roots, both right
    assert judge(root, np.sqrt, 0).message == "It holds on 6 random instances."
    assert "an inverse: a root squared" in judge(root, lambda x: 0.9 / x, 0).message
    assert judge(root, lambda x: 5.0, 0).message.startswith("25 is not x.")
    assert "not what is asked for" in judge(root, lambda x: "word", 0).message


def test_several_numbers_may_come_in_one_array_and_exact():
    both = Task("99-both", "x", SLOPE.instance, lambda x, alpha: (2 * x, 3 * alpha), (), ())
    for form in (tuple, list, np.array, lambda pair: tuple(map(sympy.Float, pair))):
        assert judge(both, lambda x, alpha, form=form: form((2 * x, 3 * alpha)), 0).passed
    exact = Task("99-exact", "x", SLOPE.instance, lambda x, alpha: 0.5, (), ())
    assert judge(exact, lambda x, alpha: sympy.Rational(1, 2), 0).passed


def test_one_number_may_come_in_brackets():
    for form in (lambda x: [x], lambda x: np.array([[x]]), lambda x: x + 0j):
        assert judge(SLOPE, lambda x, alpha, form=form: form(2 * alpha * x), 0).passed
        message = judge(SLOPE, lambda x, alpha, form=form: form(alpha * x**2), 0).message
        assert "the curve itself" in message
    assert "these are complex" in judge(SLOPE, lambda x, alpha: 2 * alpha * x + 1j, 0).message


def test_several_arrays_may_come_in_one():
    """Also those that are wrong get their name."""
    flat = Mistake("no slope", lambda x, alpha: (np.array([x, x]), np.zeros(2)), "look at the second")
    both = Task("99-both", "x", SLOPE.instance, lambda x, alpha: (np.array([x, x]), np.ones(2)), (flat,), ())
    assert judge(both, lambda x, alpha: np.array([[x, x], [1, 1]]), 0).passed
    assert "no slope" in judge(both, lambda x, alpha: np.array([[x, x], [0, 0]]), 0).message


def test_a_wrong_form_is_not_called_a_factor():
    message = judge(SLOPE, lambda x, alpha: [2 * alpha * x] * 2, 0).message
    assert message.startswith("It returns an array of shape (2,), and one number is wanted.")
    assert "np.float64" not in message


def test_of_several_results_one_may_be_off_by_a_factor():
    both = Task("99-both", "x", SLOPE.instance, lambda x, alpha: (2 * x, np.array([x, alpha])), (), ())
    half = judge(both, lambda x, alpha: (2 * x, np.array([x, alpha]) / 2), 0).message
    assert half.startswith("The second result is 0.5 times what it should be, everywhere")
    sign = judge(both, lambda x, alpha: (-2 * x, np.array([x, alpha])), 0).message
    assert sign.startswith("The sign of the first result is the wrong way round, everywhere.")
    all_of_it = judge(both, lambda x, alpha: (-2 * x, -np.array([x, alpha])), 0).message
    assert all_of_it.startswith("The sign is the wrong way round, everywhere.")
    neither = judge(both, lambda x, alpha: (-2 * x, np.array([x, alpha]) / 2), 0).message
    assert neither.startswith("The results differ.")


def test_a_known_mistake_that_fails_is_not_the_learners_fault():
    """And long lists are not written out."""

    def fails(x, words):
        raise np.linalg.LinAlgError("singular")

    listed = Task(
        "99-listed",
        "x",
        lambda rng: (rng.normal(), ["abcdefgh"] * 50),
        lambda x, words: x,
        (Mistake("an inverse", fails, "look"),),
        (),
    )
    message = judge(listed, lambda x, words: x + 1, 0).message
    assert message.startswith("The result differs.")
    assert "words, a list of 50" in message


def test_of_several_results_the_message_says_which():
    both = Task("99-both", "x", SLOPE.instance, lambda x, alpha: (2 * x, np.array([x, alpha])), (), ())
    first = judge(both, lambda x, alpha: (2 * x, np.array([x, 7.0])), 0).message
    assert first.startswith("The first result is right; the second result differs.")
    shape = judge(both, lambda x, alpha: (2 * x, np.ones(3)), 0).message
    assert "The first result is right; the second result: It returns an array of shape (3,)" in shape
    assert judge(both, lambda x, alpha: (3 * x, np.ones(2)), 0).message.startswith("The results differ.")
    torn = judge(both, lambda x, alpha: np.array([x, alpha, 0]), 0).message
    assert torn.startswith("2 results are wanted")


def test_nearly_right_is_told():
    assert "nearly right" in judge(SLOPE, lambda x, alpha: round(2 * alpha * x, 4) + 5e-5, 0).message
    assert "nearly right" not in judge(SLOPE, lambda x, alpha: 2.1 * alpha * x, 0).message


def test_who_takes_too_long_learns_on_what(monkeypatch):
    monkeypatch.setattr("sparsekm_edu.exercises.tasks.LIMIT", 0.2)

    def endless(x, alpha):
        while True:
            pass

    message = judge(SLOPE, endless, 3).message
    assert "did not end" in message
    assert "For x = " in message
    assert "seed=3" in message


def test_a_symptom_is_told_on_the_instance_that_shows_it():
    """Also where it shows only once, and first or last; with what is wrong there."""

    def odd_one(where):
        drawn = iter(range(3))
        return Task(
            "99-sign",
            "return x",
            lambda rng: (float(next(drawn)),),
            lambda x: x,
            (Mistake("below 0", lambda x: -1.0, "x is never negative", shows=lambda value, x: value < 0),),
            (),
            instances=3,
            accepts=lambda value, x: None if value == x else f"{value:g} is not {x:g}.",
        ), lambda x: -1.0 if x == where else 7.0

    for where in range(3):
        result = judge(*odd_one(where), 0)
        assert "below 0: x is never negative." in result.message
        assert f"-1 is not {where}." in result.message
        assert result.instance == (where,)
