"""The fast exponential against numpy's: the same numbers to two units in the last digit, over the whole range."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsekm_edu.kernels import _exp as exponential
from sparsekm_edu.kernels._exp import exp_in_place


def fast(x, factor=1.0):
    x = np.array(x, dtype=float, ndmin=2)
    exp_in_place(x, factor)
    return x


@pytest.mark.parametrize("factor", [1e-300, 0.3, 5.0, 1e300])
def test_a_factor(factor):
    x = -np.random.default_rng(2).random((3, 40))
    with np.errstate(over="ignore", under="ignore"):
        np.testing.assert_allclose(fast(x, factor), np.exp(factor * x), rtol=1e-15, atol=0)


def test_positive_numbers_count_as_zero():
    np.testing.assert_array_equal(fast([1e-17, 3.0, 1e300], factor=2.0), 1.0)
    strided = np.array([[1e-17, -1.0, 3.0, -1.0]])
    exp_in_place(strided[:, ::2], 2.0)
    np.testing.assert_array_equal(strided, [[1.0, -1.0, 1.0, -1.0]])


def test_two_units_in_the_last_digit():
    x = -np.geomspace(1e-300, 707.9, 200_000).reshape(1000, 200)
    np.testing.assert_allclose(fast(x), np.exp(x), rtol=4.5e-16, atol=0)
    x = -np.random.default_rng(0).random((500, 400)) * 30
    np.testing.assert_allclose(fast(x), np.exp(x), rtol=4.5e-16, atol=0)


@pytest.mark.parametrize("x", [0.0, -0.0, -1e-320, -1e-17])
def test_near_zero_it_is_one(x):
    assert fast(x) == 1.0


@pytest.mark.parametrize("x", [-708.0, -745.0, -1e9, -1e300, -np.inf])
def test_what_is_smaller_than_ordinary_numbers_is_zero(x):
    assert fast(x) == 0.0
    np.testing.assert_array_equal(fast([x, -1.0, x]) > 0, [[False, True, False]])


@given(st.lists(st.floats(-707.9, 0.0), min_size=1, max_size=40))
def test_any_numbers(x):
    np.testing.assert_allclose(fast(x)[0], np.exp(x), rtol=4.5e-16, atol=0)


def test_in_place_and_only_there():
    x = np.full((3, 8), -1.0)
    exp_in_place(x[:, ::2])  # not contiguous
    np.testing.assert_allclose(x[:, ::2], np.exp(-1.0), rtol=4.5e-16)
    np.testing.assert_array_equal(x[:, 1::2], -1.0)
    empty = np.empty((0, 5))
    exp_in_place(empty)


def test_the_loops_are_right_without_a_compiler_too():
    """What numba compiles, run as plain Python."""
    python = getattr(exponential._exp_rows, "py_func", exponential._exp_rows)
    x = -np.random.default_rng(1).random((4, 5)) * 700
    y = x.copy()
    python(y, 1.0)
    np.testing.assert_allclose(y, np.exp(x), rtol=4.5e-16)
