"""Fields in which one types: what they take, and how they are written beside a stored picture."""

import ipywidgets as widgets
import numpy as np
import pytest

from sparsekm_edu.live.controls import accepted, readable
from sparsekm_edu.validation import Impossible


def test_a_text_field_takes_strings_and_nothing_else():
    field = widgets.Text()
    for text in ("", "LQE", "ä b", "x" * 500):
        assert accepted("x", text, "first", field) == text
    assert type(accepted("x", np.str_("LQE"), "first", field)) is str
    for bad in (3, None, b"LQE", ["LQE"], True):
        with pytest.raises(Impossible, match=r"^x must be a string, got "):
            accepted("x", bad, "first", field)


def test_long_texts_are_cut_beside_a_picture_and_choices_are_not():
    field = widgets.Text()
    assert readable("x" * 20, field) == "x" * 20
    assert readable("x" * 21, field) == "x" * 19 + "…"
    long = "a choice with a very long name"
    assert readable(long, widgets.Dropdown(options=[long])) == long
