"""What kernels are called on: vectors, strings or sets of vectors. One place to check them, one sentence for each slip.

A list of inputs becomes an array with one entry per input, so that `X[[3, 1]]` picks inputs whatever they are: (N, D)
floats for vectors, (N,) objects for strings and for sets. Documents are strings.
"""

import numpy as np

from sparsekm_edu.validation import shown

LARGEST = 1e150  # of the entries of vectors: they can be squared without overflow


def as_inputs(X, takes, name="X"):
    """X as an array of inputs of the kind that a kernel `takes`; ValueError with one sentence if it is not possible.

    >>> from sparsekm_edu.kernels.inputs import as_inputs
    >>> as_inputs(["abba", ""], "strings")
    array(['abba', ''], dtype=object)
    >>> print([points.shape for points in as_inputs([[(0.0, 1.0)], [(2.0, 3.0), (4.0, 5.0)]], "sets")])
    [(1, 2), (2, 2)]
    """
    kinds = {"vectors": vectors, "strings": strings, "sets": sets}
    if takes not in kinds:
        raise ValueError(f"takes must be one of {list(kinds)}, got {shown(takes)}.")
    return kinds[takes](X, name)


def vectors(X, name="X"):
    """X as an (N, D) float array whose entries can be squared without overflow."""
    try:
        X = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers, one row per point, got {shown(X)}.") from None
    if X.ndim != 2:
        raise ValueError(
            f"{name} must be 2D, one row per point, got shape {X.shape}; {name}[:, None] makes rows of numbers."
            if X.ndim == 1
            else f"{name} must be 2D, one row per point, got shape {X.shape}; reshape it first."
        )
    largest = np.abs(X).max(initial=0.0)
    if not largest <= LARGEST:
        raise ValueError(
            f"{name} must hold finite numbers up to 1e150 in size, got a largest value of {largest:g}."
        )
    return X


def strings(X, name="X"):
    """X as an (N,) array of Python strings; empty ones are allowed."""
    if isinstance(X, str | bytes):
        raise ValueError(f"{name} must be a list of strings, got one string, {shown(X)}; write [{name}].")
    for n, entry in enumerate(entries := _entries(X, "strings", name)):
        if not isinstance(entry, str):
            raise ValueError(
                f"{name} must hold strings, got {shown(entry)} of type {type(entry).__name__} at index {n}."
            )
    return _objects([str(entry) for entry in entries])  # numpy's strings, too, as Python's


def sets(X, name="X"):
    """X as an (N,) array of sets, each an (m, d) float array with m points; m may differ and be 0, d may not differ."""
    found = []
    for n, entry in enumerate(_entries(X, "sets", name, (1, 3))):
        try:
            points = np.asarray(entry, dtype=float)
        except (TypeError, ValueError):
            points = None
        if points is None or points.ndim != 2:
            raise ValueError(
                f"{name} must hold sets of points, (m, d) arrays of numbers, got {shown(entry)} at index {n}; numbers "
                "are points, too, [[0.2], [1.1]], and an empty set is np.empty((0, d))."
            )
        if not np.abs(points).max(initial=0.0) <= LARGEST:
            raise ValueError(
                f"{name} must hold sets of finite numbers up to 1e150 in size, got nan, infinity or more in the "
                f"set at index {n}."
            )
        if found and points.shape[1] != found[0].shape[1]:
            raise ValueError(
                f"{name} must hold sets of points with equally many coordinates, got {found[0].shape[1]} at index 0 "
                f"and {points.shape[1]} at index {n}."
            )
        found.append(points)
    return _objects(found)


def _entries(X, kind, name, dimensions=(1,)):
    """The inputs in X, as a list; X may be any sequence, array or column of a table."""
    if isinstance(X, dict | set) or not hasattr(X, "__len__") or not hasattr(X, "__iter__"):
        raise ValueError(f"{name} must be a list of {kind}, got {shown(X)}.")
    if getattr(X, "ndim", 1) not in dimensions:  # of a table one would get the names of its columns
        raise ValueError(
            f"{name} must be a list of {kind}, got a table of shape {X.shape}; take one column of it."
        )
    return list(X)


def _objects(entries):
    """A list as a 1-D array of objects, even where all entries have the same shape."""
    array = np.empty(len(entries), dtype=object)
    for n, entry in enumerate(entries):
        array[n] = entry
    return array
