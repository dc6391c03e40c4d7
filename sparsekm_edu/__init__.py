"""Sparse kernel machines you can touch: readable reference solvers, textbook figures, live explorers.

Here are the machines, the kernels and the folders, and `facts`, `table` and `about`, with which notebooks print.
Solvers are one level down, `from sparsekm_edu.solvers import smo`, and so is the mathematics of single pictures, in
`lessons`.
"""

from importlib import import_module

__version__ = "0.1.0"

_KERNELS = [
    "ARD",
    "AllSubstrings",
    "BagOfWords",
    "Cosine",
    "Fisher",
    "Gaussian",
    "Linear",
    "LinearSpline",
    "Matern",
    "Normalised",
    "Polynomial",
    "ProbabilityProduct",
    "PyramidMatch",
    "Sigmoid",
    "Spectrum",
    "TfIdf",
]
_MODELS = [
    "BayesianLogisticRegression",
    "DAGSVM",
    "GridSearchSVC",
    "KMedoids",
    "KernelDensity",
    "KernelKNN",
    "KernelPCA",
    "KernelRidge",
    "L1VMClassifier",
    "L1VMRegressor",
    "L2VMClassifier",
    "L2VMRegressor",
    "LeeSVC",
    "LocallyWeightedRegression",
    "LogisticRegression",
    "NadarayaWatson",
    "NearestMedoid",
    "NuSVC",
    "NuSVR",
    "OneClassSVM",
    "PlattScaling",
    "PolsonScottSVM",
    "RVC",
    "RVR",
    "SVC",
    "SVDD",
    "SVR",
    "WestonWatkinsSVC",
]
_MODULES = [
    "check",
    "datasets",
    "exercises",
    "explorers",
    "figures",
    "kernels",
    "lessons",
    "models",
    "solvers",
]
_PRINTING = ["about", "facts", "table"]

__all__ = sorted(_KERNELS + _MODELS + _MODULES + _PRINTING)


def __getattr__(name):
    """Import on first use: who asks for a solver need not wait for scikit-learn, matplotlib and the widgets."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    for folder, names in ((".kernels", _KERNELS), (".models", _MODELS), (".printing", _PRINTING)):
        if name in names:
            return getattr(import_module(__name__ + folder), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return [*__all__, "__version__"]
