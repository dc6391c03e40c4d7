"""`python -m sparsekm_edu.warm`: compile and draw once, so that the first cell of a lecture is not the slow one."""

from sparsekm_edu import (
    RVC,
    RVR,
    SVC,
    AllSubstrings,
    KernelDensity,
    KMedoids,
    Matern,
    Spectrum,
    datasets,
    explorers,
)
from sparsekm_edu.solvers import c_path, k_medoids_steps, smo_steps, soft_margin


def main():
    """Fill the JIT cache by every way into compiled code, and matplotlib's font cache by one explorer."""
    X, t = datasets.curved()
    K = SVC().fit(X, t).kernel_(X)
    c_path(K, t, C_max=1.0)
    list(smo_steps(soft_margin(K, t, C=1.0)))
    RVR().fit(*datasets.sinusoid())
    RVC().fit(*datasets.three_classes(12))
    KMedoids(2).fit(X)
    list(k_medoids_steps(2 - 2 * K, [0, 1]))
    Matern()(X)
    KernelDensity(window="boxcar").fit(X).score_samples(X)
    Spectrum()(datasets.protein_families()[0])
    AllSubstrings()(datasets.two_proteins())
    AllSubstrings().diag(datasets.two_proteins())
    explorers.kernel_margin().close()


if __name__ == "__main__":
    main()
