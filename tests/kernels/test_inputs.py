"""What kernels are called on: every slip is named in one sentence, with the index where there is one."""

import numpy as np
import pandas as pd
import pytest

from sparsekm_edu.kernels import Function, Gaussian
from sparsekm_edu.kernels.inputs import as_inputs

NAN = float("nan")
POINTS = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize(
    "given",
    [
        ["ab", "", "c"],
        ("ab", "", "c"),
        np.array(["ab", "", "c"]),
        pd.Series(["ab", "", "c"], index=[7, 8, 9]),
    ],
    ids=["list", "tuple", "array", "column"],
)
def test_strings_from_any_sequence(given):
    X = as_inputs(given, "strings")
    assert X.dtype == object
    assert X.tolist() == ["ab", "", "c"]
    assert all(type(entry) is str for entry in X)
    assert X[[2, 0]].tolist() == ["c", "ab"]


@pytest.mark.parametrize("given", [[POINTS, POINTS], np.stack([POINTS, POINTS]), [POINTS.tolist()] * 2])
def test_sets_of_equal_size_stay_sets(given):
    X = as_inputs(given, "sets")
    assert X.shape == (2,)
    np.testing.assert_array_equal(X[1], POINTS)


def test_sets_of_unequal_size_and_empty_ones():
    X = as_inputs([POINTS, np.empty((0, 2)), POINTS[:1]], "sets")
    assert [points.shape for points in X] == [(3, 2), (0, 2), (1, 2)]


@pytest.mark.parametrize("takes", ["strings", "sets"])
def test_no_inputs_at_all(takes):
    assert as_inputs([], takes).shape == (0,)


@pytest.mark.parametrize(
    ("given", "takes", "sentence"),
    [
        (["ab", 1.5], "strings", "X must hold strings, got 1.5 of type float at index 1."),
        (["ab", None], "strings", "X must hold strings, got None of type NoneType at index 1."),
        ("abc", "strings", "X must be a list of strings, got one string, 'abc'; write [X]."),
        (7, "strings", "X must be a list of strings, got 7."),
        ({"ab"}, "strings", "X must be a list of strings, got {'ab'}."),
        (pd.DataFrame({"text": ["ab"]}), "strings", "got a table of shape (1, 1); take one column of it."),
        ([POINTS, POINTS[0]], "sets", "got array([0., 1.]) at index 1;"),
        ([[(1.0, 2.0), (3.0,)]], "sets", "got [(1.0, 2.0), (3.0,)] at index 0;"),
        (["ab"], "sets", "must hold sets of points, (m, d) arrays of numbers, got 'ab' at index 0;"),
        ([POINTS, POINTS[:, :1]], "sets", "equally many coordinates, got 2 at index 0 and 1 at index 1."),
        ([POINTS, [(1.0, NAN)]], "sets", "got nan, infinity or more in the set at index 1."),
        (POINTS, "sets", "X must be a list of sets, got a table of shape (3, 2)"),
        (["ab"], "vectors", "X must hold numbers, one row per point, got ['ab']."),
        (
            [1.0, 2.0],
            "vectors",
            "X must be 2D, one row per point, got shape (2,); X[:, None] makes rows of numbers.",
        ),
        (["ab"], "words", "takes must be one of ['vectors', 'strings', 'sets'], got 'words'."),
    ],
)
def test_a_slip_is_named_in_one_sentence(given, takes, sentence):
    with pytest.raises(ValueError) as refusal:
        as_inputs(given, takes)
    assert sentence in str(refusal.value)


def test_kernels_for_different_inputs_are_not_joined():
    lengths = Function(
        lambda X, Z: np.multiply.outer([len(x) for x in X], [len(z) for z in Z]), takes="strings"
    )
    assert (lengths + 2.0 * lengths).takes == (lengths * lengths).takes == "strings"
    assert (lengths + lengths)(["a", "bc"]).tolist() == [[2, 4], [4, 8]]
    with pytest.raises(ValueError, match="can be joined if they take the same inputs"):
        (lengths + Gaussian())(["a", "bc"])
