"""Our kernel densities against scikit-learn's. Into benchmarks/results.md.

The rules are those of benchmarks/kernels.py. Timed is the whole way, `fit` to N points and `score_samples` at N others;
scikit-learn's has a tree, and its defaults atol = rtol = 0. Compared are the densities, of which some are 0.

    python benchmarks/smoothing.py            everything, in a minute
    python benchmarks/smoothing.py --quick    a few small cells on one seed, printed only
"""

import _shared  # sets one thread, before numpy is imported
import numpy as np
from kernels import Against, Cell
from sklearn.neighbors import KernelDensity as Theirs

from sparsekm_edu import KernelDensity

WINDOWS = {"gaussian": "gaussian", "boxcar": "tophat", "epanechnikov": "epanechnikov"}  # ours, theirs


def densities(model):
    return lambda X, new: np.exp(model.fit(X).score_samples(new))


def points(N, D, seed):
    """N points to fit to and N new ones, standard normal."""
    return tuple(np.random.default_rng(seed).normal(size=(2, N, D)))


def kernel_density(quick):
    sizes = [(100, 2)] if quick else [(N, D) for N in (200, 600, 2000) for D in (1, 2)]
    return Against(
        "KernelDensity",
        "`KernelDensity(h, window).fit(X).score_samples(new)` on N points of D standard normal coordinates and N new "
        "ones; `sklearn.neighbors.KernelDensity`. Narrow windows, where a tree leaves most points out, and wide.",
        ("window", "h", "N", "D"),
        [
            Cell(
                (window, h, N, D),
                lambda seed, N=N, D=D: points(N, D, seed),
                densities(KernelDensity(h, window)),
                densities(Theirs(bandwidth=h, kernel=theirs)),
            )
            for window, theirs in WINDOWS.items()
            for h in ((0.3,) if quick else (0.1, 0.3, 1.0))
            for N, D in sizes
        ],
        "scikit-learn",
    )


HEAD = f"""\
# Smoothing: times beside scikit-learn's

{_shared.HOW_OFTEN}
difference: of the densities, the largest, relative to the largest density.
"""

if __name__ == "__main__":
    _shared.main(__doc__, HEAD, (kernel_density,), ("numpy", "scipy", "scikit-learn", "numba"))
