"""(7.42): the second-order kernel in the plane is an inner product of six features."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sparsekm_edu.kernels import Polynomial
from sparsekm_edu.kernels.features import SECOND_ORDER, second_order

POINTS = arrays(float, (5, 2), elements=st.floats(-10, 10))


@given(POINTS, POINTS)
def test_7_42_inner_products_are_the_kernel(X, Z):
    K = Polynomial(degree=2)(X, Z)
    np.testing.assert_allclose(second_order(X) @ second_order(Z).T, K, rtol=1e-12, atol=1e-11)


def test_7_42_features_by_name():
    np.testing.assert_allclose(second_order([(3.0, 5.0)]), [[1, 3 * 2**0.5, 5 * 2**0.5, 9, 15 * 2**0.5, 25]])
    assert len(SECOND_ORDER) == 6
