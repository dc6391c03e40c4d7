"""Kernels: functions of two points that stand for inner products in a feature space."""

from difflib import get_close_matches

from sparsekm_edu.kernels.base import Function, Kernel, Product, Scaled, Sum
from sparsekm_edu.kernels.vectors import ARD, Gaussian, Linear, LinearSpline, Polynomial

__all__ = [
    "ARD",
    "Function",
    "Gaussian",
    "Kernel",
    "Linear",
    "LinearSpline",
    "Polynomial",
    "Product",
    "Scaled",
    "Sum",
    "as_kernel",
]

_NAMED = {
    "linear": Linear,
    "polynomial": Polynomial,
    "gaussian": Gaussian,
    "rbf": Gaussian,
    "spline": LinearSpline,
}


def as_kernel(kernel):
    """Turn what users write into a Kernel: None (Gaussian), a name, a Kernel, or a function f(X, Z).

    >>> from sparsekm_edu.kernels import as_kernel
    >>> print(as_kernel("gaussian")([[0.0], [1.0]]).round(2))
    [[1.   0.37]
     [0.37 1.  ]]
    """
    if kernel is None:
        return Gaussian()
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        if kernel in _NAMED:
            return _NAMED[kernel]()
        close = get_close_matches(kernel, _NAMED, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise ValueError(f"kernel must be one of {sorted(_NAMED)} or a kernel object, got {kernel!r}{hint}")
    if callable(kernel):
        return Function(kernel)
    raise ValueError(f"kernel must be a name, a Kernel or a function of (X, Z), got {kernel!r}.")
