"""Tipping's experiments: curves, clouds, shades and rows are where the machines have them."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.rvm.sinc import ETA1, ETA2, PAPER
from looking import offsets, pieces

from sparsekm_edu import RVR, LinearSpline, datasets, figures
from sparsekm_edu.figures.curves import SINC_X
from sparsekm_edu.figures.rvm.sinc import SHADES, SLICE_X, TRUTHS, edges_between, slices


def test_sinc_relevance_mean_band_and_rings():
    sheet, view, (X, t, model) = on_sheet("figure_sinc_relevance")
    mean, sd = model.predict(SINC_X[:, None], return_std=True)
    np.testing.assert_allclose(view.mean.get_ydata(), mean)
    band = view.band.artists[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx((mean + sd).max())
    assert band[:, 1].min() == pytest.approx((mean - sd).min())
    np.testing.assert_array_equal(offsets(view.rings), np.column_stack([X, t])[model.relevance_])
    np.testing.assert_allclose(view.truth.get_ydata(), datasets.sinc(n=401)[1], atol=1e-12)
    assert f"{model.n_relevance_} relevance vectors" in sheet.description


def test_sinc_relevance_with_two_cases_describes_both():
    X, t = datasets.sinc()
    cases = {
        f"sigma {sigma}": (X, t, RVR(LinearSpline(), beta=1 / sigma**2).fit(X, t)) for sigma in (0.1, 0.01)
    }
    sheet, axes = figures.panels(2)
    views = figures.figure_sinc_relevance(axes, cases)
    assert [len(offsets(view.rings)) for view in views] == [m.n_relevance_ for *_, m in cases.values()]
    for title in cases:
        assert title.capitalize() in sheet.description


def test_draws_every_draw_is_a_mark_of_its_machine():
    sheet, view, draws = on_sheet("figure_draws")
    for cloud, drawn in zip(view.clouds.artists, draws.values()):
        np.testing.assert_array_equal(cloud.get_offsets(), drawn)
    np.testing.assert_array_equal(np.column_stack(view.paper.get_data()), PAPER)
    assert "7 draws" in sheet.description
    for name, drawn in draws.items():
        assert f"{name} {np.median(drawn[:, 0]):g} vectors" in sheet.description


def test_draws_the_legend_names_the_paper_only_where_there_is_a_star():
    _, _, draws = on_sheet("figure_draws")
    for paper, named in ((PAPER, True), ([], False)):
        _, ax = figures.panels()
        figures.figure_draws(ax, draws, paper)
        assert ("paper" in [text.get_text() for text in ax.get_legend().get_texts()]) == named


def test_widths_cells_are_centred_on_the_widths():
    np.testing.assert_allclose(edges_between(np.array([1.0, 4.0, 16.0])), [0.5, 2.0, 8.0, 32.0])
    for eta in (ETA1, ETA2):
        edges = edges_between(eta)
        np.testing.assert_allclose(np.sqrt(edges[1:] * edges[:-1]), eta)


def test_widths_shades_count_nats_from_the_highest():
    _, view, (_, _, evidence, path, _) = on_sheet("figure_widths")
    shown = np.asarray(view.mesh.get_array()).reshape(evidence.shape)
    np.testing.assert_allclose(shown, np.maximum(evidence - 7, SHADES[0]), atol=1e-8)
    np.testing.assert_array_equal(np.column_stack(view.way.get_data()), path)
    np.testing.assert_array_equal(offsets(view.grip), path[-1:])
    # the best cell has the deepest shade, on light paper
    best, worst = view.mesh.to_rgba(np.array([-1e-9, SHADES[0]]))[:, :3]
    assert best.sum() < worst.sum()


def test_widths_slices_follow_the_model_and_keep_every_residual():
    _, view, (X, t, _, _, model) = on_sheet("figure_widths")
    residual = t - model.predict(X)
    for axis, (fit, points, truth) in enumerate(zip(view.fits, view.points, view.truths)):
        along = np.zeros((len(SLICE_X), 2))
        along[:, axis] = SLICE_X
        np.testing.assert_allclose(fit.get_ydata(), model.predict(along))
        np.testing.assert_allclose(
            truth.get_ydata(), np.sinc(along[:, 0] / np.pi) + 0.1 * along[:, 1], atol=1e-12
        )
        places = offsets(points)
        at = np.zeros_like(X)
        at[:, axis] = X[:, axis]
        np.testing.assert_allclose(places[:, 1] - model.predict(at), residual, atol=1e-12)


def test_slices_of_the_truth_are_the_truth():
    X, t = datasets.sinc_plane(noise=0.0)
    fits = slices(lambda X: np.sinc(X[:, 0] / np.pi) + 0.1 * X[:, 1], X, t)
    for (y, places), truth, axis in zip(fits, TRUTHS, (0, 1)):
        np.testing.assert_allclose(y, truth, atol=1e-12)
        expected = np.sinc(X[:, 0] / np.pi) if axis == 0 else 1 + 0.1 * X[:, 1]
        np.testing.assert_allclose(places, np.column_stack([X[:, axis], expected]), atol=1e-12)


def test_benchmark_marks_means_and_words():
    sheet, view, table = on_sheet("figure_benchmark")
    for panel, (splits, means, one) in enumerate(zip(view.splits, view.means, view.ones)):
        for machine, cloud in enumerate(splits.artists):
            np.testing.assert_array_equal(cloud.get_offsets()[:, 0], table[:, :, machine, panel].ravel())
        np.testing.assert_allclose(offsets(means)[:, 0], table[:, :, 0, panel].mean(axis=1))
        assert (pieces(one)[0][:, 0] == 1).all()
    assert f"error: one {table[0, :, 0, 0].mean():.1f}" in sheet.description
    assert "time" not in sheet.description  # it differs from run to run
    assert [label.get_text() for label in view.axes[0].get_yticklabels()] == ["one", "two", "three"]
