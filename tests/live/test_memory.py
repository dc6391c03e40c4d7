"""Arrays are remembered by their content."""

import numpy as np
import pytest

from sparsekm_edu.live.memory import remembered


def test_arrays_are_compared_by_content_shape_and_place():
    calls = []

    @remembered(maxsize=8)
    def total(X, power):
        """What it does."""
        calls.append(power)
        return float(np.sum(X**power)), X.shape

    X = np.arange(6.0).reshape(3, 2)
    assert total(X, 2) == total(X.copy(), 2) == (55.0, (3, 2))
    assert calls == [2]
    assert total(np.asfortranarray(X), 2) == (55.0, (3, 2))  # the same numbers in another order of memory
    assert total(X.astype(int), 2) == (55.0, (3, 2))
    assert calls == [2]
    assert total(X, 1) == (15.0, (3, 2))
    assert total(X.reshape(2, 3), 1) == (15.0, (2, 3))
    changed = X.copy()
    changed[0, 0] = 1.0
    assert total(changed, 1) == (16.0, (3, 2))
    assert calls == [2, 1, 1, 1]
    assert total.__doc__ == "What it does."


def test_what_is_remembered_cannot_be_changed_by_the_function():
    @remembered()
    def spoil(X):
        X[0] = 1.0

    with pytest.raises(ValueError, match="read-only"):
        spoil(np.zeros(2))


def test_the_oldest_is_forgotten():
    calls = []

    @remembered(maxsize=2)
    def square(x):
        calls.append(x)
        return x * x

    for x in (1, 2, 3, 1):
        assert square(x) == x * x
    assert calls == [1, 2, 3, 1]
