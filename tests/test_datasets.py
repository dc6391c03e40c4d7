"""The data look as figures 7.1 and 7.2 need them."""

import numpy as np
import pytest

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.solvers import hard_margin, smo

GENERATORS = [datasets.separable, datasets.curved]


@pytest.mark.parametrize("generate", GENERATORS)
@pytest.mark.parametrize("seed", range(5))
def test_shape_labels_and_frame(generate, seed):
    X, t = generate(seed=seed)
    assert X.shape == (len(t), 2)
    assert X.dtype == t.dtype == float
    assert sorted(set(t)) == [-1, 1]
    assert abs(t.sum()) <= 1
    assert np.all(np.abs(X) <= [3, 2])


@pytest.mark.parametrize("generate", GENERATORS)
def test_the_seed_decides(generate):
    assert np.array_equal(generate(seed=3)[0], generate(seed=3)[0])
    assert not np.array_equal(generate(seed=3)[0], generate(seed=4)[0])
    assert len(generate(n=31)[0]) == 31


def test_figure_7_1_default_has_three_support_vectors_and_a_visible_margin():
    X, t = datasets.separable()
    solution = smo(hard_margin(Linear()(X), t))
    assert len(solution.support) == 3
    assert 0.4 < 1 / np.sqrt(2 * solution.objective) < 1


@pytest.mark.parametrize("seed", range(10))
def test_separable_is_separable_for_every_seed(seed):
    X, t = datasets.separable(seed=seed)
    assert 1 / np.sqrt(2 * smo(hard_margin(Linear()(X), t)).objective) > 0.4


@pytest.mark.parametrize("seed", range(10))
def test_figure_7_2_needs_the_kernel(seed):
    X, t = datasets.curved(seed=seed)
    with pytest.raises(ValueError, match="not separable"):
        smo(hard_margin(Linear()(X), t))
    assert smo(hard_margin(Gaussian(1.0)(X), t)).converged
    assert np.all(t * (X[:, 1] - 0.9 * np.sin(1.9 * X[:, 0])) >= 0.3)
    distances = np.linalg.norm(X[t > 0][:, None] - X[t < 0], axis=2)
    assert distances.min() > 0.2
