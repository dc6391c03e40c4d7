"""Schoelkopf's proposition: fraction outside <= nu <= fraction of support vectors."""

import numpy as np
import pytest

from sparsekm_edu import Gaussian, Linear, OneClassSVM, Polynomial, datasets
from sparsekm_edu.lessons.nu import nu_fractions

NUS = np.linspace(0.02, 1.0, 30)


@pytest.mark.parametrize(
    "kernel", [Gaussian(0.1), Gaussian(1.0), Gaussian(20.0), Linear(), Polynomial(3)], ids=str
)
@pytest.mark.parametrize("seed", range(3))
def test_nu_lies_between_the_fractions(kernel, seed):
    X, _ = datasets.crescent(n=47, seed=seed)
    supports, outsides = nu_fractions(kernel(X), NUS)
    assert np.all(outsides <= NUS + 1e-9)
    assert np.all(supports >= NUS - 1e-9)


def test_fractions_are_those_of_the_estimator():
    X, _ = datasets.crescent()
    supports, outsides = nu_fractions(Gaussian(1.0)(X), NUS)
    models = [OneClassSVM(nu, Gaussian(1.0), tol=1e-9).fit(X) for nu in NUS]
    np.testing.assert_allclose(supports, [len(m.support_) / len(X) for m in models])
    np.testing.assert_allclose(outsides, [np.mean(m.predict(X) < 0) for m in models])
