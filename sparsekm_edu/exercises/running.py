"""Run what a learner has written, which may loop for ever, print, raise, or change what it was given."""

import contextlib
import copy
import ctypes
import inspect
import io
import threading
import warnings
from dataclasses import dataclass

import numpy as np


@dataclass
class Outcome:
    """What one call gave: its value, or the error that it ended with; changed: names of arguments that it altered."""

    value: object = None
    error: BaseException | None = None
    changed: tuple = ()


class Printed(io.TextIOBase):
    """Takes everything that is printed and keeps the beginning."""

    KEPT = 200

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text[: self.KEPT - len(self.text)]
        return len(text)


def run(function, instances, limit):
    """Call function on each tuple of arguments, on copies of them, for `limit` seconds at most.

    Returns: a list of Outcomes, shorter than instances if the time was over; what was printed.
    """
    outcomes, printed = [], Printed()

    def work():
        with contextlib.suppress(OutOfTime):
            for arguments in instances:
                outcomes.append(one_call(function, arguments))

    # Output is caught for the whole process, which waits meanwhile.
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        thread = threading.Thread(target=work, daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no threads in a browser: no limit either
            work()
        else:
            thread.join(limit)
            for _ in range(5):  # a bare `except:` in the loop swallows the first ones
                if not thread.is_alive():
                    break
                interrupt(thread)
                thread.join(0.1)
    return list(outcomes), printed.text


class OutOfTime(BaseException):
    """Raised inside a function that takes too long."""


def interrupt(thread):
    """Raise OutOfTime in another thread, at its next line of Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(OutOfTime))


def one_call(function, arguments):
    """The Outcome of one call."""
    given = copy.deepcopy(arguments)
    try:
        value = function(*given)
    except OutOfTime:
        raise
    except BaseException as error:  # sys.exit() too
        return Outcome(error=error)
    names = parameters(function, len(arguments))
    return Outcome(
        value=value,
        changed=tuple(
            name for name, a, b in zip(names, arguments, given, strict=True) if not unchanged(a, b)
        ),
    )


def unchanged(before, after):
    """Are two arguments still equal, nan for nan?"""
    if isinstance(before, np.ndarray):
        return np.shape(after) == before.shape and np.array_equal(
            before, after, equal_nan=before.dtype.kind == "f"
        )
    return before == after


def parameters(function, number):
    """Names of the first `number` parameters."""
    try:
        names = list(inspect.signature(function).parameters)[:number]
    except (TypeError, ValueError):
        names = []
    return names + [f"argument {n + 1}" for n in range(len(names), number)]
