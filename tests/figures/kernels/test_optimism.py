"""Figures of scores that promise too much: every mark is where its number is."""

import numpy as np
from drawings import on_sheet
from looking import pieces


def test_figure_optimism_stems_count_candidates_and_the_arrow_goes_from_promise_to_truth():
    sheet, view, (scores, coins, runs) = on_sheet("figure_optimism")
    stems = pieces(view.scores)
    values, counts = np.unique(scores, return_counts=True)
    np.testing.assert_allclose(stems[:, 1, 0], values)
    np.testing.assert_allclose(stems[:, 1, 1] / stems[0, 1, 1], counts / counts[0])
    x, y = view.coins.get_data()
    np.testing.assert_allclose(x, np.arange(21) / 20)
    np.testing.assert_allclose(y / stems[0, 1, 1], coins / counts[0])  # both on one scale
    assert view.winner.get_xdata()[0] == scores.min()
    start, end = view.arrow.artists[0]._posA_posB
    assert (start[0], end[0]) == (scores.min(), 0.5)
    assert f"{100 * (0.5 - scores.min()):.0f} points" in view.words.artists[0].get_text()
    assert f"of the winner's true error {runs[2].mean():.1%}" in sheet.description


def test_strips_show_every_draw_at_one_height_in_all_rows_with_bars_at_the_means():
    _, view, (_, _, runs) = on_sheet("figure_optimism")
    strips = view.strips
    for row, (cloud, mark, errors) in enumerate(zip(strips.draws, strips.present, runs, strict=True)):
        x, y = cloud.get_data()
        np.testing.assert_array_equal(x, errors)
        np.testing.assert_allclose(y + row, strips.draws[0].get_ydata())
        assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (errors[3], y[3])
    np.testing.assert_allclose(pieces(strips.means)[:, 0, 0], runs.mean(axis=1))
    np.testing.assert_array_equal(pieces(strips.truth)[0, :, 0], [0.5, 0.5])
    strips.update(runs[:, :1], 0.4)  # one draw, none outlined
    assert [len(mark.get_xdata()) for mark in strips.present] == [0, 0, 0]
    assert strips.draws[2].get_ydata() == [-2.0]


def test_figure_promises_names_its_rows_and_says_their_means():
    sheet, view, runs = on_sheet("figure_promises")
    assert [label.get_text() for label in view.axes[0].get_yticklabels()] == list(runs)
    for cloud, errors in zip(view.draws, runs.values(), strict=True):
        np.testing.assert_array_equal(cloud.get_xdata(), errors)
    for name, errors in runs.items():
        assert f"{name}: {errors.mean():.1%}" in sheet.description
    left, right = view.axes[0].get_xlim()
    assert left <= min(map(min, runs.values())) <= max(map(max, runs.values())) < right


def test_figure_search_counts_the_values_that_were_tried():
    sheet, views, (_, _, _, grid, chance) = on_sheet("figure_search")
    for view, tries, best in zip(views, (grid, chance), (4, 2), strict=True):
        np.testing.assert_allclose(np.transpose(view.tries.get_data()), np.log10(tries))
        np.testing.assert_allclose(np.transpose(view.best.get_data())[0], np.log10(tries[best]))
        strokes = pieces(view.values)
        np.testing.assert_allclose(strokes[:9, 0, 0], np.log10(tries[:, 0]))
        np.testing.assert_allclose(strokes[9:, 0, 1], np.log10(tries[:, 1]))
    assert (
        "a grid, 3 values of C and 3 of gamma; at random, 9 values of C and 9 of gamma" in sheet.description
    )


def test_figure_evidence_over_gamma_marks_the_maximum_in_both_panels():
    sheet, view, (gamma, evidence, folds, true, least) = on_sheet("figure_evidence_over_gamma")
    for line, values in ((view.evidence, evidence), (view.folds, folds), (view.true, true)):
        np.testing.assert_array_equal(line.get_data(), (gamma, values))
    for best in view.best:
        np.testing.assert_allclose(pieces(best)[0, :, 0], gamma[4])
    assert view.least.get_ydata()[0] == least
    assert f"Where the evidence is highest the true error is {true[4]:.1%}" in sheet.description
