"""Compiled loops: `@jit` turns a plain function over arrays into machine code, where numba is there to do it."""

import numpy as np

try:
    from numba import njit
except ImportError:  # everything works without numba, only slower

    def njit(**_):
        return lambda function: function


def jit(function=None, **options):
    """Compile and keep the machine code on disk; where no place on disk can be found, only compile.

    Options are numba's. Dividing by 0 gives infinity or nan, as in numpy, and no error.
    The cache does not notice edits in functions of other files: keep a compiled function and those that it calls in
    one file.
    """
    if function is None:
        return lambda function: jit(function, **options)
    options = {"error_model": "numpy"} | options
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError:
        return njit(**options)(function)


def plain(array):
    """The array as the loops are compiled for it: float64, C-ordered, writable; itself if it is one, else a copy.

    For numba an array that may not be written to (a memory-mapped file, say) is of another type: it would compile
    everything once more, for seconds, in front of whoever brings one.
    """
    if type(array) is np.ndarray and array.dtype == float and array.flags.carray:
        return array  # a quick way out, as `require` takes its time
    return np.require(array, dtype=float, requirements=["C", "ALIGNED", "WRITEABLE", "ENSUREARRAY"])
