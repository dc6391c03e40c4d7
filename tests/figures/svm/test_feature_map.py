"""The feature space of (7.42), drawn by hand: rotation, cut, sheet and images agree with each other."""

import numpy as np
import pytest
from drawings.svm.feature_map import ANGLES, X, chosen, draw_feature_map
from looking import offsets

from sparsekm_edu import figures
from sparsekm_edu.figures.svm.feature_map import WINDOW, FeatureSpace, Lift, camera, cut_through_box
from sparsekm_edu.kernels.features import SECOND_ORDER


@pytest.mark.parametrize("angles", ANGLES)
def test_the_camera_only_turns(angles):
    turn = camera(*angles)
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1)
    assert turn[1, 2] >= -1e-12  # the third axis never points downwards


@pytest.mark.parametrize(
    ("w", "b", "corners"),
    [((0, 0, 1), 0.2, 4), ((1, 1, 1), 0, 6), ((1, 1, 1), 2, 3), ((1, 1, 1), 4, 0), ((0, 0, 0), 1, 0)],
)
def test_cut_through_the_box_is_a_convex_polygon_on_plane_and_box(w, b, corners):
    w = np.array(w, float)
    cut = cut_through_box(w, b)
    assert len(cut) == corners
    np.testing.assert_allclose(cut @ w + b, 0, atol=1e-12)
    assert (np.abs(cut) <= 1 + 1e-12).all()
    if corners:
        sides = np.roll(cut, -1, axis=0) - cut
        turns = np.cross(sides, np.roll(sides, -1, axis=0)) @ w
        assert (turns > 0).all() or (turns < 0).all()


def seen(view, points, azimuth, elevation):
    """Where points of the plane must appear on the right: phi, scaled to the box of the wires, turned."""
    wires = chosen(np.concatenate(view.wires))
    low, high = wires.min(axis=0), wires.max(axis=0)
    return ((2 * chosen(points) - low - high) / (high - low) @ camera(azimuth, elevation).T)[:, :2]


@pytest.mark.parametrize("angles", ANGLES)
def test_points_and_boundary_are_images_of_those_on_the_left(angles):
    _, axes = figures.panels(2)
    view, (plane, solution) = draw_feature_map(axes, azimuth=angles[0], elevation=angles[1])
    images = seen(view, X, *angles)
    np.testing.assert_allclose(
        sorted(map(tuple, offsets(view.images))), sorted(map(tuple, images)), atol=1e-12
    )
    np.testing.assert_allclose(offsets(view.image_rings), images[solution.support], atol=1e-12)
    curves = [path.vertices for path in view.surface.boundary.get_paths()]
    for curve, image in zip(curves, view.boundary.get_segments(), strict=True):
        np.testing.assert_allclose(image, seen(view, curve, *angles), atol=1e-12)
        assert np.abs(chosen(curve) @ plane[0] + plane[1]).max() < 0.05
    for text in view.names:
        assert np.abs(text.get_position()).max() < 1.75
    assert [text.get_text() for text in view.names] == list(SECOND_ORDER[3:])


def test_near_points_are_drawn_larger():
    _, axes = figures.panels(2)
    view, _ = draw_feature_map(axes)
    for artist in view.images.artists:
        assert (np.diff(artist.get_sizes()) >= 0).all()
        assert artist.get_sizes().min() > 20


@pytest.mark.parametrize("kind", [FeatureSpace, Lift])
def test_the_wires_cover_the_window(kind):
    view = kind(*figures.panels(2)[1])
    ends = np.concatenate(view.wires)
    np.testing.assert_allclose([*ends.min(axis=0), *ends.max(axis=0)], np.take(WINDOW, [0, 2, 1, 3]))


def test_lift_the_box_holds_the_whole_cone_and_the_flat_sheet_lies_on_its_floor():
    view = Lift(*figures.panels(2)[1])
    plane = np.array([0.0, 0.0, -2.0]), 2.0  # cuts at height 1
    points, t = np.array([(0.5, 0.0), (0.0, -1.5)]), np.array([1.0, -1.0])
    for lift in (0.0, 0.5, 1.0):
        view.update(
            points, t, lambda x, h=lift: np.column_stack([x, h * np.hypot(*x.T)]), plane, [0], 30.0, 0.0
        )
        heights = np.concatenate(view.sheet.get_segments())[
            :, 1
        ]  # seen from the side: up is the third feature
        np.testing.assert_allclose([heights.min(), heights.max()], [-1, 2 * lift - 1], atol=1e-12)
        np.testing.assert_allclose(view.plane.get_paths()[0].vertices[:, 1], 2 / WINDOW[1] - 1, atol=1e-12)
        for curve in view.boundary.get_segments():  # where the plane cuts the sheet
            np.testing.assert_allclose(curve[:, 1], 2 / WINDOW[1] - 1, atol=0.01)
    assert len(view.boundary.get_segments()) > 0
