"""Restarts: one end where the objective is convex, several where it is not; solvers end there too."""

import numpy as np
import pytest

from sparsekm_edu import Gaussian, L2VMClassifier, Sigmoid, datasets
from sparsekm_edu.lessons.comparison import (
    distinct,
    ends_of_descent,
    ends_of_smo,
    lam_by_evidence,
    tops_of_evidence,
)
from sparsekm_edu.solvers import l1, l2, laplace_fit, qp, soft_margin

X, T = datasets.overlapping(n=40)
K = Gaussian(gamma=2.0)(X)


def rng():
    return np.random.default_rng(1)


@pytest.mark.parametrize(("penalty", "solver"), [("l1", l1), ("l2", l2)])
@pytest.mark.parametrize("lam", [0.3, 3.0])
def test_descents_from_anywhere_end_where_the_solver_does(penalty, solver, lam):
    ends = ends_of_descent(K, T, lam, penalty, 6, rng())
    assert ends.shape == (6,)
    np.testing.assert_allclose(ends, solver(K, (T + 1) / 2, lam, "logistic").objective, rtol=1e-7)
    assert distinct(ends) == 1


def test_smo_from_anywhere_ends_where_an_interior_point_method_does_if_the_kernel_is_mercer():
    ends = ends_of_smo(K, T, 1.0, 6, rng())
    np.testing.assert_allclose(ends, qp(soft_margin(K, T, 1.0)).objective, rtol=1e-6)
    indefinite = Sigmoid(scale=1.0, offset=-1.0)(X)
    assert np.linalg.eigvalsh(indefinite)[0] < -1
    assert distinct(ends_of_smo(indefinite, T, 1.0, 12, rng())) > 1


def test_the_evidence_has_several_tops():
    tops = tops_of_evidence(K, T, 12, rng())
    assert 2 <= len(tops) <= 12
    assert distinct(tops) > 1
    assert np.ptp(tops) > 0.05


def test_distinct_counts_groups():
    assert distinct([3.0, 3.0000001, 3.0]) == 1
    assert distinct([3.0, -3.0, 2.9]) == 3
    assert distinct([-10.0, -10.005, -10.5]) == 2


def test_lam_by_evidence_is_at_the_top_of_the_evidence_whose_mode_is_the_l2vm():
    lam = lam_by_evidence(K, T)
    Phi, s = np.column_stack([K, np.ones(40)]), (T + 1) / 2

    def evidence(lam):
        return laplace_fit(Phi, s, np.append(np.full(40, 2 * lam), 0.0)).log_evidence

    grid = np.geomspace(1e-3, 1e3, 61)
    heights = [evidence(each) for each in grid]
    assert evidence(lam) >= max(heights) - 1e-6
    assert 1e-4 < lam < 100  # not at the ends of the search
    mode = laplace_fit(
        Phi, s, np.append(np.full(40, 2 * lam), 0.0), tol=1e-10
    ).w  # the same weights as the L2VM's
    model = L2VMClassifier(Gaussian(gamma=2.0), lam=lam).fit(X, T)
    np.testing.assert_allclose(model.coef_[0], mode[:-1], atol=1e-5)
