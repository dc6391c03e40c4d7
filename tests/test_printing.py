"""Facts and tables are aligned, and errors are told as powers of ten."""

import numpy as np
import pytest

from sparsekm_edu import about, facts, table


def test_facts_are_aligned(capsys):
    facts(
        {
            "margin": 0.41234,
            "support vectors": np.int64(3),
            "both": (1.0, -2.5),
            "word": "none",
            "w": np.zeros(2),
        },
        digits=2,
    )
    assert capsys.readouterr().out.splitlines() == [
        "margin           0.41",
        "support vectors  3",
        "both             1.00  -2.50",
        "word             none",
        "w                0.00  0.00",
    ]


def test_minus_zero_is_zero(capsys):
    facts({"a": -1e-17, "b": -0.00004, "c": -0.00006})
    assert capsys.readouterr().out.split() == ["a", "0.0000", "b", "0.0000", "c", "-0.0001"]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (0.0021, "about 1e-3"),
        (-5e-9, "about 1e-8"),
        (1.0, "about 1e0"),
        (0.0, "rounding error, below 1e-11"),
        (9e-12, "rounding error, below 1e-11"),
    ],
)
def test_errors_as_powers_of_ten(error, text):
    assert about(error) == text


def test_a_table_aligns_its_columns(capsys):
    table(("a", "long header"), {"name": (1, "x"), "n": ("two", "y")})
    assert capsys.readouterr().out.splitlines() == [
        "      a    long header",
        "name  1    x",
        "n     two  y",
    ]
