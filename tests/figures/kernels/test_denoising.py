"""Rows of pictures: every pixel where it belongs, and the errors beside them."""

import numpy as np
from drawings import on_sheet

from sparsekm_edu import figures


def test_pixels_are_where_they_belong():
    _, view, rows = on_sheet("figure_denoising")
    mosaic = np.asarray(view.image.get_array())[:, :, :3] / 255
    assert mosaic.shape[:2] == (1 + 3 * 9, 1 + 10 * 9)
    assert tuple(view.image.get_extent()) == (0, 91, 28, 0)
    paper, ink = (np.array(figures.LIGHT.mix(role, 1.0)) for role in ("paper", "ink"))
    for row, pictures in enumerate(rows.values()):
        for column, picture in enumerate(pictures):
            there = mosaic[1 + 9 * row : 9 + 9 * row, 1 + 9 * column : 9 + 9 * column]
            share = np.clip(picture, 0, 1)[:, :, None]
            np.testing.assert_allclose(there, share * ink + (1 - share) * paper, atol=0.012)
    frame = mosaic[::9], mosaic[:, ::9]
    assert all(np.allclose(part, figures.LIGHT.mix("faint", 0.3), atol=0.01) for part in frame)


def test_names_and_errors():
    sheet, view, rows = on_sheet("figure_denoising")
    assert [label.get_text() for label in view.axes[0].get_yticklabels()] == list(rows)
    true = rows["clean"]
    errors = [np.sqrt(((rows[name] - true) ** 2).mean()) for name in ("noisy", "PCA")]
    assert [text.get_text() for text in view.errors] == [f"{error:.3f}" for error in errors]
    assert f"noisy {errors[0]:.3f}, PCA {errors[1]:.3f}" in sheet.description
    assert errors[1] < 0.7 * errors[0]
