"""Three of six features: the plane is that of an independent solver, and its cut is the boundary on the left."""

import numpy as np
import pytest

from sparsekm_edu.explorers.svm.feature_map import TRIPLES
from sparsekm_edu.kernels import Polynomial
from sparsekm_edu.kernels.features import second_order
from sparsekm_edu.solvers import qp, soft_margin


@pytest.mark.parametrize("features", TRIPLES)
def test_the_plane_by_interior_point(make, features):
    explorer = make("feature_map")
    explorer.set(features=features, C=1.0)
    three = second_order(explorer.state.X)[:, TRIPLES[features]]
    solution = qp(soft_margin(three @ three.T, explorer.state.t, 1.0))
    w, b = explorer.picture.plane
    np.testing.assert_allclose(w, solution.v @ three, atol=1e-4)
    assert b == pytest.approx(solution.b, abs=1e-4)
    errors = np.sum((three @ w + b > 0) != (explorer.state.t > 0))
    assert explorer.picture.facts["errors, these three"] == f"{errors} of 36"


def test_squares_separate_the_ring_and_products_do_not(make):
    explorer = make("feature_map")
    assert explorer.picture.facts["errors, these three"] == "0 of 36"
    explorer.set(features="√2 x₁, √2 x₂, √2 x₁x₂")
    assert explorer.picture.facts["errors, these three"] == "11 of 36"
    assert explorer.picture.facts["errors, all six"] == "0 of 36"


def test_the_facts_of_7_42(make):
    explorer = make("feature_map")
    X = explorer.state.X
    np.testing.assert_allclose(second_order(X) @ second_order(X).T, Polynomial(degree=2)(X), atol=1e-12)
    facts = explorer.picture.facts
    assert facts["|k − φ·φ|, relative"] == "< 1e-12"
    assert facts["rank of Φ, all points"] == "6 of 6"
    assert facts["rank of ∂φ/∂x, each"] == "2 of 6"


def test_few_points_span_fewer_dimensions(make):
    explorer = make("feature_map")
    explorer.set(X=explorer.state.X[[0, 1, 34, 35]], t=explorer.state.t[[0, 1, 34, 35]])
    assert explorer.picture.facts["rank of Φ, all points"] == "4 of 6"


def test_points_on_one_place_have_no_plane_but_a_picture(make):
    explorer = make("feature_map")
    explorer.set(X=np.zeros((4, 2)), t=np.array([-1.0, 1, -1, 1]))
    assert explorer.message == ""
    assert len(explorer.stage.view.plane.get_paths()) == 0


def test_turning_changes_the_view_and_not_the_machine(painted, make):
    explorer = make("feature_map")
    facts, frame = explorer.picture.facts, explorer.canvas.frame
    explorer.set(azimuth=-105.0, elevation=-30.0)
    assert explorer.picture.facts == facts
    assert explorer.canvas.frame != frame


def test_a_missing_class_is_told(make):
    explorer = make("feature_map")
    X, t = explorer.state.X, explorer.state.t
    explorer.set(X=X[t > 0], t=t[t > 0])
    assert "each class" in explorer.message
