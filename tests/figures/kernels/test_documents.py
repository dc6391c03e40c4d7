"""Documents: cells, points and bars are where the numbers say."""

import numpy as np
from drawings import on_sheet
from looking import offsets

from sparsekm_edu import figures
from sparsekm_edu.figures.kernels.documents import Documents


def test_the_matrix_is_deepest_where_documents_are_most_alike():
    _, (matrix, _), (K, _, _) = on_sheet("figure_documents")
    shades = np.asarray(matrix.matrix.image.get_array())[:, :, :3].astype(float)
    depth = np.linalg.norm(255 - shades, axis=2)
    assert depth.shape == K.shape
    off = ~np.eye(len(K), dtype=bool)
    np.testing.assert_allclose(depth[off] / depth[off].max(), K[off] / K[off].max(), atol=0.01)
    assert (np.diag(depth) == depth.max()).all()


def test_points_stand_at_their_features_by_subject():
    _, (_, points), (_, Z, t) = on_sheet("figure_documents")
    scaled = Z / np.abs(Z).max()
    for artist, subject in zip(points.points.artists, points.points.labels, strict=True):
        np.testing.assert_allclose(artist.get_offsets(), scaled[t == subject])
        assert len(artist.get_offsets()) == 10
    assert points.points.labels == ["astronomy", "cooking", "football", "gardening"]


def test_what_the_matrix_says_in_words():
    sheet, _, (K, _, t) = on_sheet("figure_documents")
    same = t[:, None] == t
    off = ~np.eye(len(t), dtype=bool)
    assert (
        f"{K[same & off].mean():.3f} within a subject and {K[~same].mean():.3f} between" in sheet.description
    )
    assert "same subject for 34 of them" in sheet.description


def test_a_chosen_document_is_framed_ringed_and_joined_to_its_nearest():
    _, (_, _), (K, Z, t) = on_sheet("figure_documents")
    _, axes = figures.panels(3)
    view = Documents(*axes, t)
    Z = Z / np.abs(Z).max()
    rows = [(0.3, "Roses", ("sun", "soil")), (0.2, "Compost", ("soil",))]
    view.update(K, Z, t, 12, [3, 30], rows)
    np.testing.assert_allclose(offsets(view.map.ring), Z[[12]])
    np.testing.assert_allclose(view.map.lines.artists[0].get_segments(), [Z[[12, 3]], Z[[12, 30]]])
    np.testing.assert_allclose(
        offsets(view.matrix.nearest), [(3.5 / 40, 1 - 12.5 / 40), (30.5 / 40, 1 - 12.5 / 40)]
    )
    heights = [segment[0, 1] for segment in view.matrix.chosen.artists[0].get_segments()]
    np.testing.assert_allclose(heights, [1 - 13 / 40, 1 - 12 / 40])
    assert [column.get_text() for column in view.below.columns] == [
        "0.300\n0.200",
        "Roses\nCompost",
        "sun, soil\nsoil",
    ]


def test_every_bar_is_a_document_that_is_kept():
    sheet, _, (titles, _, machines) = on_sheet("figure_support_documents")
    for ax, (name, kept, weights) in zip(sheet.axes, machines, strict=True):
        order = np.argsort(-np.abs(weights))
        np.testing.assert_allclose([bar.get_width() for bar in ax.patches], weights[order])
        for label, n in zip(ax.get_yticklabels(), kept[order], strict=True):
            assert titles[n].startswith(label.get_text().removesuffix("…"))
        assert ax.get_title() == f"{name}: {len(kept)} of 20 documents"
        assert f"{name} keeps {len(kept)} of 20, most of all {titles[kept[order[0]]]!r}" in sheet.description
    assert len(machines[1][1]) < len(machines[0][1])
