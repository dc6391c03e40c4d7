"""Figures of many classes and of one: what is hatched is what is open, and what is drawn is what was decided."""

import numpy as np
import pytest
from drawings import on_sheet
from looking import offsets
from matplotlib.path import Path

from sparsekm_edu import datasets, figures
from sparsekm_edu.explorers.svm.multiclass import straight_lines
from sparsekm_edu.figures.style import SQUARE
from sparsekm_edu.figures.svm.multiclass import outlines, paths_of
from sparsekm_edu.lessons import halfplanes


def covered(artist):
    """The areas of the paths of a collection: the first corner of each closed polygon is repeated."""
    return sum(
        abs(halfplanes.area(polygon[:-1])) for path in artist.get_paths() for polygon in path.to_polygons()
    )


def test_figure_14_14_hatches_what_no_single_class_gets():
    _, view, (_, (claims, votes)) = on_sheet("figure_14_14")
    assert covered(view.nobody.artists[0]) == pytest.approx(halfplanes.ambiguous_area(claims, False))
    assert covered(view.several[0].artists[0]) == pytest.approx(halfplanes.ambiguous_area(claims, True))
    assert covered(view.several[1].artists[0]) == pytest.approx(halfplanes.ambiguous_area(votes))
    assert min(halfplanes.ambiguous_area(claims, crowd) for crowd in (True, False)) > 1
    assert halfplanes.ambiguous_area(votes) > 1
    assert view.nobody.artists[0].get_hatch() != view.several[0].artists[0].get_hatch()
    for side, regions in enumerate((claims, votes)):
        open_ = halfplanes.ambiguous_area(regions)
        assert covered(view.territories[side].artists[0]) == pytest.approx(36 - open_)


def test_figure_14_14_says_in_words_who_claims_what():
    _, view, (_, (claims, votes)) = on_sheet("figure_14_14")
    words = [{label.artists[0].get_text() for label in side} - {""} for side in view.words]
    assert words == [{"nobody", "●■", "●▲", "■▲"}, {"●■▲"}]
    for side, regions in enumerate((claims, votes)):
        for label in view.words[side]:
            if label.artists[0].get_text():
                here = label.artists[0].get_position()
                (home,) = [r for r in regions if Path(r.polygon).contains_point(here)]
                assert home.ambiguous


def test_figure_14_14_the_lines_are_where_the_machines_change_sign():
    _, view, (lines, _) = on_sheet("figure_14_14")
    for side, (W, b) in enumerate(lines):
        drawn = np.array(view.lines[side].artists[0].get_segments())
        assert len(drawn) == 3
        for piece, w, offset in zip(drawn, W, b, strict=True):
            np.testing.assert_allclose(piece @ w + offset, 0, atol=1e-9)


def test_figure_14_14_a_machine_that_gave_up_has_no_line():
    X, t = datasets.around([(0, 0.1), (-1.8, -0.2), (1.8, 0.2)])
    lines = straight_lines(X, t, C=10.0)
    np.testing.assert_allclose(lines[0][0][0], 0, atol=1e-6)  # the middle class against both others
    assert lines[0][1][0] == pytest.approx(-1)
    _, axes = figures.panels(2)
    regions = halfplanes.claims(*lines[0], SQUARE), halfplanes.most_votes(*lines[1], SQUARE, 3)
    view = figures.figure_14_14(*axes, X, t, [(0, 0.1), (-1.8, -0.2), (1.8, 0.2)], lines, regions)
    assert len(view.lines[0].artists[0].get_segments()) == 2
    assert not any(region.classes == (0,) for region in regions[0])


@pytest.mark.parametrize("name", ["figure_disagreement", "figure_strategies"])
def test_disputed_cells_are_hatched(name):
    _, view, (_, labels) = on_sheet(name)
    hatched = view[-1].hatched if name == "figure_strategies" else view.sides[0].hatched
    expected = np.mean(labels[0] != labels[1]) * 25
    assert covered(hatched.artists[0]) == pytest.approx(expected, rel=0.05)


def test_every_class_gets_its_area():
    _, view, (_, labels) = on_sheet("figure_disagreement")
    for side, own in zip(view.sides, labels, strict=True):
        paths = side.territories.artists[0].get_paths()
        areas = [abs(halfplanes.area(path.vertices[:-1])) for path in paths]
        np.testing.assert_allclose(areas, [25 * np.mean(own == k) for k in range(3)], rtol=0.05)
        assert side.title.get_text() in ("one way", "another")
        ends = np.concatenate([path.vertices[:, 0] for path in side.borders.get_paths()])
        assert np.abs(ends).max() < 2.4  # borders lie between classes, not along the frame


def test_regions_keep_a_hole():
    grid = np.linspace(-1, 1, 41), np.linspace(-1, 1, 41)
    radius = np.hypot(*np.meshgrid(*grid))
    (ring,) = paths_of(outlines(grid, (radius < 0.8) & (radius > 0.3)).filled(0.5, 2.0))
    outer, hole = (halfplanes.area(polygon[:-1]) for polygon in ring.to_polygons())
    assert outer * hole < 0  # turned the other way, so that it is left out when filled
    assert abs(outer + hole) == pytest.approx(np.pi * (0.8**2 - 0.3**2), rel=0.05)


def test_figure_novelty_both_boundaries_are_one():
    _, view, (X, plane, sphere, outside, _) = on_sheet("figure_novelty")
    ((one,), (other,)) = (boundary.line.get_paths() for boundary in (view.plane, view.sphere))
    np.testing.assert_allclose(one.vertices, other.vertices, atol=1e-6)
    assert np.abs(plane.decision_function(one.vertices)).max() < 0.15  # interpolated on a grid
    np.testing.assert_allclose(offsets(view.outside), X[outside])
    np.testing.assert_allclose(offsets(view.rings), X[plane.support_])


def test_figure_novelty_nu_is_caught():
    _, view, (X, plane, _, outside, (nus, supports, outsides)) = on_sheet("figure_novelty")
    _, drawn_outside = view.outside_share.get_data()
    _, drawn_support = view.support_share.get_data()
    assert np.all(drawn_outside <= nus + 1e-9)
    assert np.all(nus <= drawn_support + 1e-9)
    np.testing.assert_allclose(view.found.get_data()[1], [len(outside) / 60, len(plane.support_) / 60])
