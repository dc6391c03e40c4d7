"""Messages name the parameter, its value and the allowed range."""

import numpy as np
import pytest

from sparsekm_edu.validation import real_number, whole_number


@pytest.mark.parametrize(
    "value", [0, -1, np.nan, np.inf, "1", True, np.True_, None, [1.0], np.array(1.0), 1j]
)
def test_real_number_refuses(value):
    with pytest.raises(ValueError, match=r"^gamma must be a number > 0, got ") as error:
        real_number("gamma", value, above=0)
    assert repr(value) in str(error.value)


@pytest.mark.parametrize("value", [1, 0.5, np.float32(2), np.int64(3)])
def test_real_number_accepts(value):
    assert real_number("gamma", value, above=0) == value
    assert type(real_number("gamma", value)) is float


def test_infinity_only_where_allowed():
    assert real_number("C", np.inf, above=0, infinite=True) == np.inf
    with pytest.raises(ValueError, match="infinity is allowed"):
        real_number("C", -np.inf, above=0, infinite=True)
    with pytest.raises(ValueError, match="offset must be a finite number"):
        real_number("offset", -np.inf)


@pytest.mark.parametrize("value", [0, -1, 2.5, 2.0, np.nan, "3", True, None])
def test_whole_number_refuses(value):
    with pytest.raises(ValueError, match=r"^max_iter must be a whole number >= 1, got "):
        whole_number("max_iter", value, at_least=1)


def test_whole_number_accepts():
    assert whole_number("degree", np.int32(2), at_least=0) == 2


@pytest.mark.parametrize(
    "check", [lambda x: real_number("C", x, above=0), lambda x: whole_number("C", x, at_least=1)]
)
def test_numbers_beyond_all_bounds(check):
    with pytest.raises(ValueError, match=r"C must be .*, got 10000.*\.\.\.\.$") as error:
        check(10**400)
    assert len(str(error.value)) < 400
