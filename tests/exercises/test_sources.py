"""What is shown of a worked solution, and what it needs to run alone."""

import math
from math import pi as PI  # noqa: N812

import pytest

from sparsekm_edu.exercises.maximum_margin import margin_of
from sparsekm_edu.exercises.sources import body, import_lines, needed, opening

TWO = 2
UNUSED = 3


def doubled(x):
    return TWO * x


def circumference(
    radius,
    scale=1.0,
):
    """Of a circle.

    radius: a number.
    """
    # a comment that belongs to it
    around = doubled(PI) * radius
    return math.fabs(around) * scale


def shadowing(UNUSED):
    """Its parameter hides a name of the module."""
    doubled = UNUSED
    return doubled


def test_opening_ends_with_the_docstring_and_body_begins_there():
    assert opening(circumference).endswith('    radius: a number.\n    """')
    assert opening(circumference).startswith("def circumference(\n    radius,")
    assert body(circumference).splitlines() == [
        "# a comment that belongs to it",
        "around = doubled(PI) * radius",
        "return math.fabs(around) * scale",
    ]
    assert opening(margin_of).count("\n") == 1


def test_all_that_is_needed_and_no_more():
    imports, definitions = needed([circumference])
    assert imports == [("", "math"), ("math", "pi as PI")]
    assert [text.split("(")[0] for text in definitions] == ["TWO = 2", "def doubled", "def circumference"]
    space = {}
    exec("\n".join([import_lines(imports), *definitions]), space)
    assert space["circumference"](1.5) == pytest.approx(3 * math.pi)


def test_a_name_that_a_function_makes_itself_is_not_needed():
    assert [text.split("(")[0] for text in needed([shadowing])[1]] == ["def shadowing"]


def test_functions_of_one_module_are_listed_once_in_its_order():
    _, definitions = needed([circumference, doubled])
    assert [text.split("(")[0] for text in definitions] == ["TWO = 2", "def doubled", "def circumference"]


def test_imports_are_sorted_as_the_formatter_does():
    names = {
        ("sparsekm_edu", "exercises"),
        ("scipy.linalg", "solve"),
        ("", "numpy as np"),
        ("scipy.linalg", "inv"),
        ("collections", "Counter"),
    }
    assert import_lines(names) == (
        "from collections import Counter\n\nimport numpy as np\nfrom scipy.linalg import inv, solve\n\n"
        "from sparsekm_edu import exercises"
    )
