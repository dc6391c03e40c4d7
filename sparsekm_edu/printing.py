"""Facts as a few aligned lines, and tables, so that a cell of facts holds ideas and no formatting."""

from numbers import Integral, Real

import numpy as np

ROUNDING = 1e-11  # errors below are rounding, and differ from machine to machine


def facts(lines, digits=4):
    """Print a dict, label -> value, one aligned line each.

    A value is a number (floats get `digits` decimals), a text, or several of them in a tuple, list or array.

    >>> from sparsekm_edu import facts
    >>> facts({"support vectors": 3, "margin": 0.41234, "|w|^2 and sum a": (5.881, 5.881)}, digits=3)
    support vectors  3
    margin           0.412
    |w|^2 and sum a  5.881  5.881
    """
    width = max(map(len, lines))
    for label, value in lines.items():
        several = list(value) if isinstance(value, tuple | list | np.ndarray) else [value]
        print(f"{label:<{width}}  {'  '.join(written(each, digits) for each in several)}")


def table(header, rows):
    """Print rows, a dict name -> values, under a header of as many texts, all columns aligned.

    >>> from sparsekm_edu import table
    >>> table(("sparse", "error"), {"L2VM": ("no", "17.2 %"), "RVM": ("yes", "17.1 %")})
          sparse  error
    L2VM  no      17.2 %
    RVM   yes     17.1 %
    """
    lines = [("", *header), *((name, *map(str, values)) for name, values in rows.items())]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())


def written(value, digits):
    """One value as text; minus zero is zero."""
    if isinstance(value, Integral | np.bool_) or not isinstance(value, Real):
        return str(value)
    text = f"{float(value):.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def about(error):
    """An error as a power of ten; below 1e-11 it is rounding, whose digits nobody should compare.

    >>> from sparsekm_edu import about
    >>> print(about(0.0021), "and", about(3e-16))
    about 1e-3 and rounding error, below 1e-11
    """
    error = abs(float(error))
    if error < ROUNDING:
        return f"rounding error, below {ROUNDING:.0e}".replace("e-0", "e-")
    return f"about 1e{round(np.log10(error)):d}"
