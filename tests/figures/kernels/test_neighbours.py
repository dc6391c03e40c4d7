"""Neighbours among strings: every mark stands where the letters say, and crosses are the wrong families."""

import numpy as np
from drawings import on_sheet
from looking import offsets

from sparsekm_edu import figures
from sparsekm_edu.figures.kernels.neighbours import StringNeighbours


def test_figure_neighbours_has_a_point_for_each_string_and_a_cross_for_each_wrong_family():
    sheet, views, (letters, family, neighbours) = on_sheet("figure_neighbours")
    for view, (name, nearest) in zip(views, neighbours.items(), strict=True):
        places = np.column_stack([letters, letters[nearest]])
        order = np.argsort(family, kind="stable")
        np.testing.assert_array_equal(offsets(view.points), places[order])
        wrong = family[nearest] != family
        np.testing.assert_array_equal(offsets(view.wrong), places[wrong])
        assert view.axes[0].get_title() == f"{name}: {wrong.sum()} of another family (×)"
        assert f"{name}: {letters[nearest].mean():.0f} letters, {wrong.sum()} of another" in sheet.description
    plain, normalised = (letters[nearest].mean() for nearest in neighbours.values())
    assert plain < 70 < 75 < normalised  # the message


def test_string_neighbours_rings_the_chosen_one_and_its_nearest_and_draws_all_others():
    view = StringNeighbours(*figures.panels(2)[1])
    letters, family = np.array([60, 80, 100, 120]), np.array([0.0, 1.0, 2.0, 0.0])
    nearest, squares = np.array([1, 0, 0, 1]), np.array([1.5, 1.0, 0.0, 2.5])
    view.update(letters, family, nearest, 2, squares)
    np.testing.assert_array_equal(offsets(view.ring), [(100, 60)])
    np.testing.assert_array_equal(offsets(view.nearest), [(60, 1.5)])
    assert offsets(view.others).tolist() == [
        [60, 1.5],
        [120, 2.5],
        [80, 1.0],
    ]  # by family, the chosen one left out
    assert set(view.level.get_ydata()) == {1.5}
