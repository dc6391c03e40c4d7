"""The explorer of string kernels: what is typed, what is shared, what is told."""

import numpy as np
import pytest

from sparsekm_edu.kernels import AllSubstrings, Spectrum


def press(explorer, label):
    """Click a button below the readout."""
    (button,) = [one for one in explorer.children[1].children[-1].children if one.description == label]
    button.click()


def test_it_opens_with_the_two_proteins_and_lqe(make):
    explorer = make("string_match")
    assert explorer.picture.facts["letters"] == "108 and 148"
    assert explorer.picture.facts["underlined"] == "LQE"
    assert explorer.picture.facts["how often"] == "1 and 2"
    assert explorer.picture.facts["κ(x, x′)"] == "4"
    assert list(explorer.picture.match.names) == ["LQE", "KHQ", "ERL"]


@pytest.mark.parametrize(
    ("fields", "kernel"),
    [
        ({"k": 1}, Spectrum(1)),
        ({"k": 2}, Spectrum(2)),
        ({"kernel": "all substrings", "decay": 0.25}, AllSubstrings(0.25)),
        ({"kernel": "all substrings", "decay": 1.0}, AllSubstrings(1.0)),
    ],
    ids=str,
)
def test_readout_picture_and_library_have_the_same_number(make, fields, kernel):
    explorer = make("string_match", x="abracadabra", other="cadabra", **fields)
    K = kernel(["abracadabra", "cadabra"])
    assert float(explorer.picture.facts["κ(x, x′)"]) == pytest.approx(K[0, 1], rel=1e-5)
    assert explorer.picture.match.value == pytest.approx(K[0, 1], rel=1e-13)
    cosine = K[0, 1] / np.sqrt(K[0, 0] * K[1, 1])
    assert float(explorer.picture.facts["cosine of the angle"]) == pytest.approx(cosine, abs=6e-5)


def test_typing_changes_the_picture(make):
    explorer = make("string_match", x="banana", other="ananas")
    assert explorer.picture.match.value == 5
    explorer.widgets["x"].value = "bandana"
    assert explorer.state.x == "bandana"
    assert explorer.picture.match.value == Spectrum(3)(["bandana"], ["ananas"]).item() == 2
    explorer.widgets["other"].value = ""
    assert explorer.picture.match.value == 0
    assert explorer.picture.facts["cosine of the angle"] == "–"
    assert explorer.message == ""


def test_buttons_bring_other_pairs(make):
    explorer = make("string_match")
    press(explorer, "ananas")
    assert (explorer.state.x, explorer.state.other, explorer.state.lit) == ("ananas", "banana", "ana")
    assert explorer.picture.facts["how often"] == "2 and 2"
    press(explorer, "abracadabra")
    assert explorer.picture.facts["how often"] == "2 and 1"
    press(explorer, "proteins")
    assert explorer.code == "explorers.string_match()"


def test_a_click_on_a_term_underlines_its_substring(make):
    explorer = make("string_match")
    names = [handle.name for handle in explorer.handles(explorer.stage.view, explorer.state)]
    assert names == ["LQE", "KHQ", "ERL"]
    explorer._on_gesture({"type": "choose", "index": 2})
    assert explorer.state.lit == "ERL"
    assert explorer.picture.facts["how often"] == "1 and 1"
    assert len(explorer.stage.view.terms.frame.artists[0].get_segments()) == 4


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("a" * 161, "of at most 160 visible letters, got 161: 'aaa"),
        ("a\nb", "visible letters, got 3: 'a\\nb'"),
        ("\ud800", "visible letters, got 1: '\\ud800'"),
        (3, "must be a string, got 3"),
    ],
    ids=["long", "line break", "half a letter", "number"],
)
def test_what_cannot_be_read_is_told(make, bad, words):
    explorer = make("string_match")
    for field in ("x", "other", "lit"):
        explorer.set(**{field: bad})
        assert explorer.message.startswith(f"{field} must be a string")
        assert words in explorer.message
        assert explorer.code == "explorers.string_match()"


def test_strings_that_are_all_alike_and_as_long_as_they_may_be(make):
    explorer = make("string_match", x="a" * 160, other="a" * 160, kernel="all substrings", decay=1.0)
    n = np.arange(1, 161)
    assert explorer.picture.match.value == np.sum(n**2)
    assert explorer.picture.facts["shared substrings"] == "160"
