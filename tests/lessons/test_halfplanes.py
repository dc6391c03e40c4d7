"""What straight machines leave to each class: exact areas against counting points, and figure 4.2's own claims."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsekm_edu.lessons import voting
from sparsekm_edu.lessons.halfplanes import (
    Region,
    ambiguous_area,
    area,
    claims,
    clip,
    corners,
    largest_output,
    most_votes,
    pair_sums,
    pieces,
)

WINDOW = (-3.0, 3.0, -3.0, 3.0)
POINTS = np.random.default_rng(0).uniform(-3, 3, size=(40_000, 2))
numbers = st.floats(-3, 3).map(lambda x: round(x, 2))
lines = st.lists(st.tuples(numbers, numbers, numbers), min_size=3, max_size=3).map(np.array)


def counted(inside):
    """The area in which a condition holds at random points, and four standard errors of it."""
    share = inside.mean()
    return 36 * share, 4 * 36 * np.sqrt(share * (1 - share) / len(inside)) + 0.01


def test_a_square_cut_in_halves():
    square = corners((0, 2, 0, 2))
    assert area(square) == 4
    assert area(clip(square, np.array([1.0, 0.0]), -1.0)) == pytest.approx(2)
    assert area(clip(square, np.array([1.0, 1.0]), -2.0)) == pytest.approx(2)
    assert len(clip(square, np.array([1.0, 0.0]), -3.0)) == 0
    assert area(clip(square, np.array([0.0, 0.0]), 1.0)) == 4


def test_the_centre_of_a_triangle_is_the_mean_of_its_corners():
    triangle = np.array([(0.0, 0.0), (3.0, 0.0), (0.0, 6.0)])
    region = Region(triangle, (0,))
    np.testing.assert_allclose(region.centre, triangle.mean(axis=0))
    assert region.area == 9


@given(lines)
@settings(max_examples=60, deadline=None)
def test_the_pieces_cover_the_window_and_keep_their_signs(rows):
    found = pieces(rows[:, :2], rows[:, 2], WINDOW)
    assert sum(area(polygon) for polygon, _ in found) == pytest.approx(36)
    for polygon, positive in found:
        y = Region(polygon, ()).centre @ rows[:, :2].T + rows[:, 2]
        assert np.all((y > 0) == positive, where=np.abs(y) > 1e-9)


@given(lines)
@settings(max_examples=40, deadline=None)
def test_areas_are_those_of_counted_points(rows):
    W, b = rows[:, :2], rows[:, 2]
    Y = POINTS @ W.T + b
    said = (Y > 0).sum(axis=1)
    for regions, inside, crowd in (
        (claims(W, b, WINDOW), said == 0, False),
        (claims(W, b, WINDOW), said > 1, True),
        (most_votes(W, b, WINDOW, 3), voting.votes(Y.T, 3).max(axis=0) == 1, None),
    ):
        expected, error = counted(inside)
        assert ambiguous_area(regions, crowd) == pytest.approx(expected, abs=error)


def test_the_largest_output_leaves_nothing_open():
    rng = np.random.default_rng(1)
    for _ in range(20):
        W, b = rng.normal(size=(3, 2)), rng.normal(size=3)
        regions = largest_output(W, b, corners(WINDOW))
        assert sum(region.area for region in regions) == pytest.approx(36)
        assert ambiguous_area(regions) == 0
        for region in regions:
            assert region.classes == (np.argmax(W @ region.centre + b),)


def test_machines_that_say_the_same_leave_everything_open():
    """Classes that cannot be told apart: every machine answers -1 everywhere, and (7.49) decides nothing."""
    regions = largest_output(np.zeros((3, 2)), -np.ones(3), corners(WINDOW))
    assert [region.classes for region in regions] == [(0, 1, 2)]
    assert ambiguous_area(regions) == pytest.approx(36)
    two = largest_output(np.array([(0, 0), (0, 0), (1.0, 0)]), np.array([-1, -1, -1.0]), corners(WINDOW))
    assert sorted((region.classes, round(region.area, 9)) for region in two) == [((0, 1), 18.0), ((2,), 18.0)]


def test_sums_of_pairs_are_those_of_the_outputs():
    rng = np.random.default_rng(2)
    W, b, x = rng.normal(size=(6, 2)), rng.normal(size=6), rng.normal(size=2)
    sums_W, sums_b = pair_sums(W, b, 4)
    y01, y02, y03, y12, y13, y23 = W @ x + b
    np.testing.assert_allclose(
        sums_W @ x + sums_b, [-y01 - y02 - y03, y01 - y12 - y13, y02 + y12 - y23, y03 + y13 + y23]
    )
