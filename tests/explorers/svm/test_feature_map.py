"""The cone, and three of six features: planes as an independent solver finds them, their cuts as boundaries."""

import numpy as np
import pytest

from sparsekm_edu.explorers.svm.feature_map import TRIPLES, cone, cone_kernel
from sparsekm_edu.kernels import Polynomial
from sparsekm_edu.kernels.features import second_order
from sparsekm_edu.solvers import hard_margin, qp, soft_margin


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


# the cone


def test_lift_kernel_is_the_inner_product_of_the_features_of_the_page():
    X, Z = np.random.default_rng(0).normal(size=(2, 7, 2))
    phi = [np.column_stack([points, np.hypot(*points.T)]) for points in (X, Z)]  # (x1, x2, |x|)
    np.testing.assert_allclose(cone_kernel(X, Z), phi[0] @ phi[1].T, atol=1e-12)
    np.testing.assert_allclose(cone(X), phi[0], atol=1e-15)
    np.testing.assert_array_equal(cone(X, 0.0)[:, 2], 0)


def test_lift_the_plane_by_interior_point_stays_while_the_sheet_rises(make):
    explorer = make("lift")
    X, t = explorer.state.X, explorer.state.t
    solution = qp(hard_margin(cone(X) @ cone(X).T, t))
    w, b = explorer.picture.plane
    np.testing.assert_allclose(w, solution.v @ cone(X), atol=1e-3)
    assert b == pytest.approx(solution.b, abs=1e-3)
    polygon = explorer.stage.view.plane.get_paths()[0].vertices
    errors = []
    for lift in np.linspace(0, 1, 11):
        explorer.set(lift=lift)
        assert explorer.picture.plane[1] == b
        np.testing.assert_allclose(explorer.stage.view.plane.get_paths()[0].vertices, polygon, atol=1e-12)
        wrong = int(np.sum((cone(X, lift) @ w + b > 0) != (t > 0)))
        assert explorer.picture.facts["wrong side of the cut"] == f"{wrong} of 36"
        errors.append(wrong)
    assert errors[0] == 18  # flat: the plane does not touch the sheet, and one class is all wrong
    assert errors[-1] == 0
    assert (np.diff(errors) <= 0).all()


def test_lift_the_radius_of_the_boundary_is_that_of_the_drawn_curve(make):
    explorer = make("lift")
    for lift in (1.0, 0.7):
        explorer.set(lift=lift)
        (path,) = explorer.stage.view.surface.boundary.get_paths()
        angles, radii = np.arctan2(*path.vertices.T[::-1]), np.hypot(*path.vertices.T)
        order = np.argsort(angles)
        mean = np.interp(np.linspace(-3.1, 3.1, 400), angles[order], radii[order]).mean()
        assert explorer.picture.radius == pytest.approx(mean, rel=0.01)
    explorer.set(lift=0.0)
    assert explorer.picture.facts["boundary, mean radius"] == "not closed"


def test_lift_points_that_no_plane_separates_are_told(make):
    explorer = make("lift")
    X = explorer.state.X.copy()
    X[0] = X[-1] / 2  # a square in among the circles
    explorer.set(X=X)
    assert "no plane cuts the cone" in explorer.message
    explorer.set(X=X[explorer.state.t > 0], t=explorer.state.t[explorer.state.t > 0])
    assert "each class" in explorer.message
