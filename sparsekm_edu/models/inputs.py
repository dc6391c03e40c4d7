"""What machines are given: vectors through scikit-learn's checks, strings and sets through those of the kernels."""

import numpy as np
from sklearn.utils.validation import _check_y, check_consistent_length, check_is_fitted, validate_data

from sparsekm_edu.kernels.inputs import as_inputs
from sparsekm_edu.validation import shown

NO_TARGETS = object()


def checked_data(estimator, takes, X, y=NO_TARGETS, y_numeric=False):
    """X, or X and y (N,) if y is given, as arrays, checked; X holds what a kernel `takes`.

    Vectors go through scikit-learn's own checks and become (N, D) floats. Strings and sets become (N,) objects.
    """
    with_y = y is not NO_TARGETS
    if takes == "vectors":
        _check_that_rows_are_vectors(X)
        targets = {"y": y, "y_numeric": y_numeric} if with_y else {}
        return validate_data(estimator, X, **targets, dtype=np.float64, order="C")
    vars(estimator).pop("n_features_in_", None)  # of an earlier fit to vectors
    X = _some_inputs(X, takes)
    if not with_y:
        return X
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    y = _check_y(y, y_numeric=y_numeric, estimator=estimator)
    check_consistent_length(X, y)
    return X, y


def _check_that_rows_are_vectors(X):
    """Say which kernels to take, if X holds strings or sets; all else is left to scikit-learn's checks."""
    first = X[0] if isinstance(X, list | tuple | np.ndarray) and len(X) else None
    for kind, there, kernels in (
        ("string", isinstance(first, str), "Spectrum(3) and TfIdf()"),
        ("set", isinstance(X, list | tuple) and _is_set(first), "PyramidMatch()"),
    ):
        if there:
            raise ValueError(
                f"X must hold numbers, one row per point, got the {kind} {shown(first)} at index 0; kernels such as "
                f"{kernels} take {kind}s, and so does a function f(X, Z) of yours as Function(f, takes='{kind}s')."
            )


def _is_set(first):
    """Is this several points, (m, d), where one was wanted?"""
    if isinstance(first, np.ndarray):
        return first.ndim == 2
    return (
        isinstance(first, list | tuple) and len(first) > 0 and isinstance(first[0], list | tuple | np.ndarray)
    )


def new_data(estimator, takes, X):
    """X, M inputs to predict at, as an array, checked against the X that a fitted estimator knows."""
    check_is_fitted(estimator)
    if takes == "vectors":
        return validate_data(estimator, X, dtype=np.float64, order="C", reset=False)
    return _some_inputs(X, takes)


def _some_inputs(X, takes):
    """X as (N,) strings or sets with N > 0."""
    X = as_inputs(X, takes)
    if len(X) == 0:
        raise ValueError("X must hold at least one input, got an empty list.")
    return X
