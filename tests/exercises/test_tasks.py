"""Checks: the right answer passes, usual mistakes are recognised, and nothing that a learner writes can break them.

`CELLS` are all cells to fill: `TASKS`, which want a function, and claims, which want a value (`test_claims.py`).
"""

import contextlib
import inspect
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter

from sparsekm_edu import exercises
from sparsekm_edu.exercises.tasks import INSTANCES, LIMIT, Mistake, Task, judge

CELLS = list(exercises.TASKS.values())
TASKS = [cell for cell in CELLS if isinstance(cell, Task)]
MISTAKES = [
    pytest.param(task, mistake, id=f"{task.id}-{mistake.name}") for task in TASKS for mistake in task.mistakes
]
each_task = pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])
each_cell = pytest.mark.parametrize("task", CELLS, ids=[cell.id for cell in CELLS])


def seeds(task, number):
    """Whole algorithms take longer, and each of their instances says more."""
    return range(3 if task.accepts else number)


@each_task
def test_the_worked_solution_passes(task):
    for seed in seeds(task, 10):
        result = judge(task, task.solution, seed)
        assert result.passed, result
    assert exercises.check(task.id, exercises.solution(task.id)).passed


@each_task
def test_an_unfilled_cell_gets_one_line(task):
    def unfilled(*arguments):
        """What to do."""
        ...

    for answer in (unfilled, None, ..., lambda *_: None, lambda *_: ...):
        result = exercises.check(task.id, answer)
        assert not result.passed
        assert not result.filled
        assert "\n" not in repr(result)
        assert task.asks in result.message
        assert f'hint("{task.id}")' in result.note
        assert "<br>" not in result._repr_html_()


def test_a_half_filled_cell_is_unfilled_too():
    def half(X, t, w, b):
        distances = ...
        return distances / np.linalg.norm(w)

    def tuple_of_dots(X, t, w, b):
        return ..., 3.0

    for answer in (half, tuple_of_dots):
        assert not exercises.check("01-margin", answer).filled


@pytest.mark.parametrize(("task", "mistake"), MISTAKES)
def test_usual_mistakes_are_recognised(task, mistake):
    """On every seed, by its own name and by no other."""
    for seed in seeds(task, 4):
        result = judge(task, mistake.wrong, seed)
        assert not result.passed
        assert mistake.name in result.message, result
        assert mistake.look in result.message, result


@each_task
def test_a_check_ends_within_five_seconds(task):
    """The answer gets LIMIT; the rest, in seconds of this process, is for right results and known mistakes."""
    begin = time.process_time()
    judge(task, lambda *_: 0.123, seed=0)
    assert time.process_time() - begin < 5.0 - LIMIT


@each_cell
def test_every_cell_is_complete(task):
    assert len(task.mistakes) >= 3
    assert len(task.hints) >= 2
    assert task.id in exercises.ids()
    assert not task.asks.endswith(".")
    assert not any(text.endswith(".") for text in [mistake.look for mistake in task.mistakes])


BAD = {
    "raises": lambda *_: 1 / 0,
    "exits": lambda *_: sys.exit(),
    "prints": lambda *_: print("0.5"),
    "nothing but print": print,
    "nan": lambda *_: float("nan"),
    "infinity": lambda *_: np.inf,
    "word": lambda *_: "0.5",
    "object": lambda *_: object(),
    "generator": lambda *_: (n for n in range(3)),
    "function": lambda *_: print,
    "empty": lambda *_: np.array([]),
    "complex": lambda *_: 1j,
    "ragged": lambda *_: [[1], [1, 2]],
    "long": lambda *_: np.zeros(100_000),
    "cube": lambda *_: np.zeros((2, 2, 2)),
    "tuple": lambda *_: (1, 2, 3, 4, 5, 6, 7),
    "class": type("Answer", (), {"__init__": lambda self, *_: None}),
    "no parameters": lambda: 1.0,
    "number": 0.5,
    "string": "margin_of",
    "array": np.zeros(3),
    "module": np,
}


@each_cell
def test_whatever_is_handed_over_it_never_raises(task, capsys):
    for name, answer in BAD.items():
        result = exercises.check(task.id, answer)
        assert not result.passed, name
        assert result.filled, name
        assert not bool(result), name
        assert len(result.message) < 1500, name
        assert "cannot be judged" not in result.message, name
    assert capsys.readouterr().out == ""


def test_objects_that_fail_when_looked_at():
    class Nasty:
        def __array__(self, *_, **__):
            raise RuntimeError("no")

        def __repr__(self):
            raise RuntimeError("no")

        __eq__ = __float__ = __array__

    assert "type Nasty" in exercises.check("01-margin", lambda *_: Nasty()).message
    assert not exercises.check("01-margin", Nasty()).passed


def said(answer, **options):
    return exercises.check("01-margin", answer, **options).message


def test_the_message_says_what_happened():
    assert "ZeroDivisionError: division by zero" in said(BAD["raises"])
    assert "prints its result but returns None" in said(BAD["prints"])
    assert "SystemExit" in said(BAD["exits"])
    assert "nan" in said(BAD["nan"])
    assert "one number is wanted" in said(lambda X, t, w, b: t)
    assert "without brackets" in said(0.5)
    assert "margin_of" in said(0.5)
    assert "called with (X, t, w, b)" in said(lambda X, t: 1.0)
    assert "type str" in said(BAD["word"])

    def forgets_to_return(X, t, w, b):
        np.min(t * (X @ w + b))

    assert "return missing" in said(forgets_to_return)


def test_the_message_shows_the_instance_and_the_seed_repeats_it():
    result = exercises.check("01-margin", lambda X, t, w, b: 12.5)
    again = exercises.check("01-margin", lambda X, t, w, b: 12.5, seed=result.seed)
    assert again.message == result.message
    X, t, w, b = result.instance
    assert result.expected == pytest.approx(np.min(t * (X @ w + b)) / np.linalg.norm(w), rel=1e-12)
    assert "it gave 12.5" in result.message
    assert f"{result.expected:.6g} is right" in result.message
    assert f"seed={result.seed}" in result.message
    assert f"b = {b:.6g}" in result.message


def test_of_a_large_array_the_message_shows_the_worst_entry():
    def right(rng_number):
        return np.arange(20.0).reshape(4, 5)

    task = Task("99-large", "return it", lambda rng: (1.0,), right, mistakes=(), hints=())
    wrong = np.arange(20.0).reshape(4, 5)
    wrong[2, 1], wrong[0, 0] = -3.5, 0.25
    message = judge(task, lambda rng_number: wrong, seed=0).message
    assert "entry [2, 1] is -3.5, and 11 is right" in message


def test_minus_zero_is_written_as_zero():
    task = Task("99-zero", "return it", lambda rng: (1.0,), lambda number: -0.0, mistakes=(), hints=())
    assert "and 0 is right" in judge(task, lambda number: 1.0, seed=0).message


def test_instances_are_fresh_every_time():
    seen = set()
    for _ in range(5):
        seen.add(exercises.check("01-margin", lambda X, t, w, b: 12.5).seed)
    assert len(seen) > 1


def test_a_constant_factor_and_a_sign_are_named():
    right = exercises.solution("01-margin")
    assert "sign is the wrong way round" in said(lambda *given: -right(*given))
    assert "It is 2 times what it should be" in said(lambda *given: 2 * right(*given))
    assert "The result differs." in said(lambda *given: right(*given) + 1e-3)


def test_right_numbers_in_a_wrong_shape_are_told_by_their_shape():
    task = exercises.TASKS["16-loo"]
    message = judge(task, lambda *given: np.full(2, task.solution(*given)), 0).message
    assert message.startswith("It returns an array of shape (2,), and one number is wanted.")


def test_lists_and_other_forms_of_numbers_are_accepted():
    right = exercises.solution("01-margin")
    for form in (float, np.float32, np.array, lambda number: np.array(number, dtype=object).item()):
        result = exercises.check("01-margin", lambda *given, form=form: form(right(*given)))
        assert result.passed, (form, result)


def test_arguments_must_stay_as_they_are():
    def in_place(X, t, w, b):
        margin = np.min(t * (X @ w + b)) / np.linalg.norm(w)
        X -= 1.0
        return margin

    def both(X, t, w, b):
        w *= 2
        t[0] = 5
        return 0.0

    assert "right, but the function changes X" in said(in_place)
    assert "is right." not in said(in_place)  # nothing to compare: the result was right
    assert "changes t and w" in said(both)


@pytest.fixture
def short_limit(monkeypatch):
    monkeypatch.setattr("sparsekm_edu.exercises.tasks.LIMIT", 0.4)


@pytest.mark.usefixtures("short_limit")
def test_endless_loops_end():
    def politely(X, t, w, b):
        while True:
            pass

    def stubbornly(X, t, w, b):
        stop = time.monotonic() + 4.0  # so that the test leaves nothing behind
        while time.monotonic() < stop:
            with contextlib.suppress(BaseException):
                time.sleep(0.01)

    for loop in (politely, stubbornly):
        assert "did not end within 0.4 seconds" in said(loop)


@pytest.mark.usefixtures("short_limit")
def test_a_loop_in_a_later_instance_is_found():
    calls = []

    def sometimes(X, t, w, b):
        calls.append(1)
        while len(calls) == INSTANCES:
            time.sleep(0.01)
        return np.min(t * (X @ w + b)) / np.linalg.norm(w)

    assert "did not end" in said(sometimes)


def test_much_printing_is_kept_short(capsys):
    def chatty(X, t, w, b):
        for _ in range(10_000):
            print("x" * 100)

    assert "prints its result but returns None" in said(chatty)
    right = exercises.solution("01-margin")
    assert exercises.check("01-margin", lambda *given: print("half way") or right(*given)).passed
    assert capsys.readouterr().out == ""


def test_unknown_exercises():
    for id in ("99-x", "", None, 3, []):
        result = exercises.check(id, lambda: 1)
        assert not result.passed
        assert "There is no cell" in result.message
        assert "01-margin" in result.message
        for other in (exercises.hint, exercises.solution, exercises.guess):
            with pytest.raises(ValueError, match="There is no id"):
                other(id)
    assert "Did you mean 01-margin" in exercises.check("01-margn", None).message


def test_strange_seeds_are_replaced():
    for seed in (-1, "x", 1.5, True, None):
        assert isinstance(exercises.check("01-margin", lambda *_: 1.0, seed=seed).seed, int)


@each_cell
def test_hints_come_one_at_a_time(task):
    for n, hint in enumerate(task.hints, 1):
        text = repr(exercises.hint(task.id))
        assert text == f"Hint {n} of {len(task.hints)}: {hint}"
    last = repr(exercises.hint(task.id))
    assert all(hint in last for hint in task.hints)
    assert f'solution("{task.id}")' in last


@each_task
def test_the_source_of_the_solution_can_be_read(task):
    """By inspect, and as what a notebook displays."""
    assert task.solution.__doc__
    solution = exercises.solution(task.id)
    lines = inspect.getsource(solution)
    assert f"def {task.solution.__name__}" in lines
    shown, _ = DisplayFormatter().format(solution)
    assert shown["text/markdown"] == f"```python\n{lines}```"


def test_results_show_themselves():
    right = exercises.check("01-margin", exercises.solution("01-margin"))
    wrong = exercises.check("01-margin", lambda *_: "<b>")
    assert "✓" in repr(right)
    assert "✓" in right._repr_html_()
    assert "✗" in wrong._repr_html_()
    assert "&lt;b&gt;" in wrong._repr_html_()
    assert 'role="status"' in wrong._repr_html_()


def test_words_and_several_results_are_compared():
    def solution(x):
        """A word and two numbers."""
        return ("large" if x > 0 else "small"), x, np.array([x, np.inf])

    task = Task(
        "t",
        "do it",
        lambda rng: (float(rng.normal()),),
        solution,
        (Mistake("always large", lambda x: ("large", x, np.array([x, np.inf])), "look at the sign"),),
        ("", ""),
    )
    assert judge(task, solution, 0).passed
    assert judge(task, lambda x: [solution(x)[0], x, [x, np.inf]], 0).passed
    assert "always large" in judge(task, lambda x: ("large", x, [x, np.inf]), 0).message
    assert "3 results are wanted" in judge(task, lambda x: x, 0).message
    assert "A word is wanted" in judge(task, lambda x: (1, x, [x, np.inf]), 0).message
    assert "shape (2,) is wanted" in judge(task, lambda x: (solution(x)[0], x, x), 0).message
    assert not judge(task, lambda x: (solution(x)[0], x, [x, 5.0]), 0).passed


ROWS = Task(
    "up to a rotation",
    "return rows with the inner products K",
    lambda rng: (np.eye(5) + np.outer(*2 * [rng.normal(size=5)]),),
    np.linalg.cholesky,
    mistakes=(),
    hints=(),
    up_to=("inner products of the rows", lambda Phi: Phi @ Phi.T),
)


def root(K):
    lam, U = np.linalg.eigh(K)
    return (U * np.sqrt(lam)) @ U.T


def test_where_many_answers_are_right_only_what_they_share_has_to_agree():
    for right in (np.linalg.cholesky, root, lambda K: -np.linalg.cholesky(K)[:, ::-1]):
        assert judge(ROWS, right, 0)
    wrong = judge(ROWS, lambda K: np.linalg.cholesky(K).T, 0)
    assert not wrong
    L = np.linalg.cholesky(*wrong.instance)
    place = np.unravel_index(np.abs(L.T @ L - L @ L.T).argmax(), L.shape)
    told = f"the rows: entry [{place[0]}, {place[1]}] is {(L.T @ L)[place]:.6g}, and {(L @ L.T)[place]:.6g} is right"
    assert told in wrong.message


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda K: K[0], "It returns an array of shape (5,)"),
        (lambda K: "K", "Numbers are wanted"),
        (lambda K: K / 0, "The result differs"),
        (lambda K: 0 * K + np.nan, "There is a nan in it"),
        (lambda K: 1 / 0, "It stopped with ZeroDivisionError"),
    ],
)
def test_answers_of_another_kind_are_told_as_such(answer, told):
    with np.errstate(all="ignore"):
        assert told in judge(ROWS, answer, 0).message


def test_nan_alone_gets_no_name():
    """It may have come from anywhere; with one number beside it the mistake is known."""
    upside_down = Mistake("upside down", lambda K: np.where(np.eye(5), 1 / K, 0 / (K - K)), "turn it over")
    task = replace(ROWS, mistakes=(replace(upside_down, wrong=lambda K: K * np.nan),))
    assert "There is a nan in it" in judge(task, lambda K: np.full(K.shape, np.nan), 0).message
    task = replace(ROWS, mistakes=(upside_down,))
    with np.errstate(all="ignore"):
        assert "upside down" in judge(task, upside_down.wrong, 0).message
