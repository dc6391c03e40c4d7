"""What two strings share: letters, strokes and bars are where the numbers say."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.kernels.strings import draw_string_match
from looking import pieces

from sparsekm_edu import datasets, figures
from sparsekm_edu.figures.kernels.strings import SHOWN, glyph, legible
from sparsekm_edu.kernels import AllSubstrings, Spectrum
from sparsekm_edu.lessons.substrings import places


def drawn(*strings, kernel, lit=""):
    _, axes = figures.panels(2)
    return draw_string_match(axes, strings, kernel, lit)


def middles(view):
    """The middle of every coloured cell."""
    return np.array([path.vertices[:4].mean(axis=0) for path in view.strings.cells.get_paths()]).reshape(
        -1, 2
    )


def test_every_letter_stands_in_a_cell_of_its_own_inside_the_window():
    for strings in (datasets.two_proteins(), ("a" * 160, "b" * 160), ("ab", ""), ("a" * 160, "b")):
        view, _ = drawn(*strings, kernel=Spectrum(1))
        corners, tops, size = view.strings.places([len(text) for text in strings])
        assert [len(where) for where in corners] == [len(text) for text in strings]
        everywhere = np.concatenate(corners)
        assert len(np.unique(np.round(everywhere, 6), axis=0)) == len(everywhere)
        left, right, bottom, top = view.strings.WINDOW
        assert everywhere[:, 0].min() >= left
        assert everywhere[:, 0].max() + size <= right + 1e-9
        assert everywhere[:, 1].min() - size > bottom - 1e-9  # the strokes below, too
        assert max(tops) <= top
        assert (np.diff(np.unique(everywhere[:, 0])) > 0.99 * size).all()


def test_coloured_are_the_letters_that_give_something_the_deeper_the_more():
    view, match = drawn("xanax", "banana", kernel=Spectrum(2))  # an, na: 1 x 2 each
    corners, _, size = view.strings.places([5, 6])
    giving = np.concatenate([where[depth > 0] for where, depth in zip(corners, match.depths, strict=True)])
    np.testing.assert_allclose(middles(view), giving + size * np.array([0.5, 0.475]))
    depth = np.concatenate(match.depths)
    paper = np.array([1.0, 1.0, 1.0])
    strength = [np.linalg.norm(colour[:3] - paper) for colour in view.strings.cells.get_facecolor()]
    np.testing.assert_allclose(strength / np.max(strength), depth[depth > 0] / depth.max())
    assert [depths.sum() for depths in match.depths] == [4.0, 4.0]


def outline(view, role):
    """How many corners the letters of a colour have."""
    return len(view.strings.letters[role].artists[0].get_path().vertices)


def test_letters_that_give_nothing_are_faint():
    view, _ = drawn("abc", "cde", kernel=Spectrum(1))
    assert outline(view, "ink") == 2 * len(glyph("c", "bold")[0])
    assert outline(view, "faint") == sum(len(glyph(letter, "normal")[0]) for letter in "abde")


def test_strokes_stand_below_the_places_of_the_substring_also_across_lines():
    strings = "x" * 12 + "LQE" + "x" * 5, "LQELQE"  # a line has 14 letters
    view, _ = drawn(*strings, kernel=Spectrum(3), lit="LQE")
    corners, _, size = view.strings.places([20, 6])
    strokes = pieces(view.strings.underlines)
    lengths = (strokes[:, 1, 0] - strokes[:, 0, 0]) / size
    np.testing.assert_allclose(sorted(lengths), [0.76, 1.76, 2.76, 2.76])  # 1 + 2 letters, 3 letters twice
    for text, where in zip(strings, corners, strict=True):
        for start in places("LQE", text):
            for x, y in where[start : start + 3]:
                below = [
                    piece
                    for piece in strokes
                    if piece[0, 0] <= x + size / 2 <= piece[1, 0] and 0 < y - piece[0, 1] < size
                ]
                assert len(below) == 1


def test_overlapping_places_have_strokes_of_their_own():
    view, _ = drawn("ananas", "banana", kernel=Spectrum(3), lit="ana")
    strokes = pieces(view.strings.underlines)
    assert len(strokes) == 4
    for first, second in (strokes[:2], strokes[2:]):
        assert first[0, 1] != second[0, 1]


@pytest.mark.parametrize("kernel", [Spectrum(1), Spectrum(3), AllSubstrings(0.5)], ids=repr)
def test_bars_and_their_words_are_the_terms_and_add_up_to_the_kernel(kernel):
    x, other = datasets.two_proteins()
    view, match = drawn(x, other, kernel=kernel, lit="LQE")
    terms, rest = match.terms[:SHOWN], match.terms[SHOWN:].sum()
    ends = [path.vertices[:, 0].max() for path in view.terms.bars.get_paths()]
    np.testing.assert_allclose(ends, terms / max(terms.max(), rest))
    hatched = [path.vertices[:, 0].max() for path in view.terms.others.get_paths()]
    np.testing.assert_allclose(hatched, [rest / max(terms.max(), rest)] * (len(match.terms) > SHOWN))
    value = kernel([x], [other]).item()
    assert view.terms.head.get_text() == f"κ = Σ w φ(x) φ(x′) = {value:.4g}"
    for name, (a, b), term, word, product in zip(
        match.names, match.counts, terms, view.terms.names, view.terms.products, strict=False
    ):
        assert word.get_text() == name
        factors, result = product.get_text().split(" = ")
        w, *counts = map(float, factors.split(" · "))
        assert counts == [a, b] == [len(places(name, x)), len(places(name, other))]
        assert w * a * b == pytest.approx(term, rel=1e-2)
        assert float(result) == pytest.approx(term, rel=1e-3)
    if rest:
        assert view.terms.names[SHOWN].get_text() == f"{len(match.terms) - SHOWN} more"


def test_the_underlined_substring_has_its_bar_framed_if_it_has_one():
    frames = [
        pieces(drawn("ananas", "banana", kernel=Spectrum(3), lit=lit)[0].terms.frame)
        for lit in ("nan", "xyz", "")
    ]
    assert [len(frame) for frame in frames] == [4, 0, 0]
    assert (frames[0][..., 1].min(), frames[0][..., 1].max()) == (-1.92, -1.08)  # the second


def test_words_tell_the_figure():
    sheet, _, _ = on_sheet("figure_string_match")
    assert "108 and 148 letters" in sheet.description
    assert "kernel, 4," in sheet.description
    assert "LQE 1 times 2" in sheet.description
    assert "Underlined: LQE, which stands 1 and 2 times in them." in sheet.description


def test_long_names_are_cut_and_spaces_and_strange_letters_seen():
    assert legible("abracadabra") == "abraca…"
    assert legible("a b") == "a␣b"
    assert len(glyph(" ", "bold")[0]) > 0
    np.testing.assert_array_equal(
        glyph("\U0001f600", "bold")[0], glyph("□", "bold")[0]
    )  # no such glyph in the font
