"""Warnings that point at the user's line, however deep in the library the trouble was found."""

import os
import sys
import warnings

PACKAGE = os.path.dirname(__file__) + os.sep


def warn(message, category=UserWarning):
    """`warnings.warn` for the innermost line outside this package: `fit` there, or a solver that was called directly.

    A fixed stacklevel could not be right for both.
    """
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
