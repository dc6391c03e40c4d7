"""The landscape is the error that the descents go down."""

import numpy as np

from sparsekm_edu.lessons.error_surface import error_surface
from sparsekm_edu.solvers import gd_steps


def test_error_surface_is_the_error_of_the_descents():
    rng = np.random.default_rng(0)
    Phi, t = rng.normal(size=(9, 2)), rng.integers(2, size=9).astype(float)
    w0, w1 = np.linspace(-3, 40, 5), np.linspace(-2, 2, 4)
    E = error_surface(Phi, t, w0, w1)
    assert E.shape == (4, 5)
    for i, j in ((0, 0), (3, 4), (1, 2)):
        start = next(gd_steps(Phi, t, 0.0, w=[w0[j], w1[i]]))
        np.testing.assert_allclose(E[i, j], start.error, rtol=1e-12)
