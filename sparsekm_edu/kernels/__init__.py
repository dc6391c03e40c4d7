"""Kernels: functions of two points that stand for inner products in a feature space."""

from difflib import get_close_matches

from sklearn.base import clone

from sparsekm_edu.kernels.base import Function, Kernel, Normalised, Product, Scaled, Sum
from sparsekm_edu.kernels.generative import Fisher, GaussianMean, MarkovChain, Multinomial, ProbabilityProduct
from sparsekm_edu.kernels.mercer import centred, mercer_features, mercer_witness
from sparsekm_edu.kernels.sets import PyramidMatch
from sparsekm_edu.kernels.strings import AllSubstrings, Spectrum
from sparsekm_edu.kernels.text import BagOfWords, TfIdf, words
from sparsekm_edu.kernels.vectors import (
    ARD,
    Cosine,
    Gaussian,
    Linear,
    LinearSpline,
    Matern,
    Polynomial,
    Sigmoid,
)

__all__ = [
    "ARD",
    "AllSubstrings",
    "BagOfWords",
    "Cosine",
    "Fisher",
    "Function",
    "Gaussian",
    "GaussianMean",
    "Kernel",
    "Linear",
    "LinearSpline",
    "MarkovChain",
    "Matern",
    "Multinomial",
    "Normalised",
    "Polynomial",
    "ProbabilityProduct",
    "Product",
    "PyramidMatch",
    "Scaled",
    "Sigmoid",
    "Spectrum",
    "Sum",
    "TfIdf",
    "as_kernel",
    "centred",
    "mercer_features",
    "mercer_witness",
    "words",
]

_NAMED = {
    "linear": Linear(),
    "polynomial": Polynomial(),
    "poly": Polynomial(),
    "gaussian": Gaussian(gamma="scale"),
    "rbf": Gaussian(gamma="scale"),
    "spline": LinearSpline(),
    "matern": Matern(),
    "cosine": Cosine(),
    "sigmoid": Sigmoid(),
}


def as_kernel(kernel):
    """Turn what users write into a Kernel: None (Gaussian(gamma="scale")), a name, a Kernel, or a function f(X, Z).

    >>> from sparsekm_edu.kernels import as_kernel
    >>> as_kernel("rbf")
    Gaussian(gamma='scale')
    """
    if kernel is None:
        kernel = "gaussian"
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, type) and issubclass(kernel, Kernel):
        raise ValueError(f"kernel must be a kernel object, got the class; write {kernel.__name__}().")
    if isinstance(kernel, str):
        if kernel in _NAMED:
            return clone(_NAMED[kernel])
        raise ValueError(
            f"kernel must be one of {sorted(_NAMED)} or a kernel object, got {kernel!r}{_hint(kernel)}"
        )
    if callable(kernel):
        return Function(kernel)
    raise ValueError(f"kernel must be a name, a Kernel or a function of (X, Z), got {kernel!r}.")


def _hint(name):
    """What a name that we do not know may have meant, to end the sentence with."""
    from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS  # here, because it is slow to import

    if name in PAIRWISE_KERNEL_FUNCTIONS:
        function = PAIRWISE_KERNEL_FUNCTIONS[name].__name__
        return f"; scikit-learn's can be given as a function: kernel=sklearn.metrics.pairwise.{function}."
    close = get_close_matches(name, _NAMED, n=1)
    return f"; did you mean {close[0]!r}?" if close else "."
