"""Compiled loops: `@jit` turns a plain function over arrays into machine code, where numba is there to do it."""

import os
import stat
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np

try:
    from numba import config, njit
except Exception as refusal:  # everything works without numba, only slower
    if getattr(refusal, "name", None) != "numba":  # it is there
        warnings.warn(
            f"numba is installed, but does not start ({str(refusal).rstrip('.')}): the loops run as plain Python, many "
            "times slower.",
            stacklevel=2,
        )

    COMPILED = False

    def njit(**_):
        return lambda function: function

else:
    COMPILED = True


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
    except RuntimeError:  # numba can write neither beside the package nor at home
        return _compiled_without_a_home(function, options)


def _compiled_without_a_home(function, options):
    place = temporary_place()
    if place is not None:
        usual, config.CACHE_DIR = config.CACHE_DIR, place
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:  # a full disk, say
            pass
        finally:
            config.CACHE_DIR = usual
    _warn_that_nothing_is_kept()
    return njit(**options)(function)


@cache
def temporary_place():
    """A directory for machine code among the temporary files; None where it is not safe.

    The files are pickles: whoever can write one makes us run what he likes. So the directory must be ours and closed
    to all others, and nobody but us and root may be able to put another one in its place, or in that of a folder above.
    """
    if not hasattr(os, "geteuid"):  # Windows: rights that we cannot read
        return None
    try:
        above = Path(tempfile.gettempdir()).resolve()
        place = above / f"sparsekm_edu-{os.geteuid()}"
        place.mkdir(mode=0o700, exist_ok=True)
        found = place.lstat()
        ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
        return str(place) if ours and all(map(_only_owners_rename, (above, *above.parents))) else None
    except OSError:
        return None


def _only_owners_rename(folder):
    """Can nobody but us and root rename what is ours in this folder? In /tmp the sticky bit sees to it."""
    found = folder.lstat()
    return found.st_uid in (0, os.geteuid()) and (
        not found.st_mode & 0o022 or bool(found.st_mode & stat.S_ISVTX)
    )


@cache  # once is enough
def _warn_that_nothing_is_kept():
    warnings.warn(
        "no place on disk was found for compiled loops, so every process compiles them anew, which takes about a "
        "minute: set the environment variable NUMBA_CACHE_DIR to a directory that you can write to.",
        stacklevel=4,
    )


def plain(array):
    """The array as the loops are compiled for it: float64, C-ordered, writable; itself if it is one, else a copy.

    For numba an array that may not be written to (a memory-mapped file, say) is of another type: it would compile
    everything once more, for seconds, in front of whoever brings one.
    """
    if type(array) is np.ndarray and array.dtype == float and array.flags.carray:
        return array  # a quick way out, as `require` takes its time
    return np.require(array, dtype=float, requirements=["C", "ALIGNED", "WRITEABLE", "ENSUREARRAY"])
