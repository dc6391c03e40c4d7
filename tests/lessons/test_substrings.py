"""What two strings share, term by term, beside the kernels that know only the sum."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsekm_edu import datasets
from sparsekm_edu.kernels import AllSubstrings, Spectrum
from sparsekm_edu.lessons.substrings import places, shared_substrings, spectrum_by_chance

TEXT = st.text("abc", max_size=20)


@given(TEXT, TEXT, st.floats(0.01, 1.0), st.integers(1, 6))
def test_terms_and_letters_add_up_to_the_kernels(x, other, decay, k):
    shared = shared_substrings(x, other)
    lengths = np.arange(1, len(shared.cover) + 1)
    for kernel, w in ((AllSubstrings(decay), decay**lengths), (Spectrum(k), 1.0 * (lengths == k))):
        expected = pytest.approx(kernel([x], [other]).item(), rel=1e-12)
        assert shared.terms(w).sum() == expected
        left, right = shared.letters(w)
        assert (len(left), len(right)) == (len(x), len(other))
        assert left.sum() == expected
        assert right.sum() == expected


@given(TEXT, TEXT)
def test_every_shared_substring_is_there_with_its_counts(x, other):
    shared = shared_substrings(x, other)
    expected = {x[i:j] for i in range(len(x)) for j in range(i + 1, len(x) + 1) if x[i:j] in other}
    assert sorted(shared.names) == sorted(expected)
    for s, length, times, other_times in zip(
        shared.names, shared.length, shared.times, shared.other_times, strict=True
    ):
        assert length == len(s)
        for text, count in ((x, times), (other, other_times)):
            starts = [found.start() for found in re.finditer(f"(?={s})", text)]
            assert places(s, text) == starts
            assert len(starts) == count


def test_a_letter_gives_what_the_substrings_through_it_give():
    shared = shared_substrings("abc", "bcb")  # b: 1 x 2, c: 1 x 1, bc: 1 x 1
    np.testing.assert_allclose(shared.cover, [[0, 2, 1], [0, 0.5, 0.5]])
    np.testing.assert_allclose(shared.other_cover, [[1, 1, 1], [0.5, 0.5, 0]])


def test_nothing_shared_and_nothing_there():
    for x, other in (("abc", "def"), ("", "abc"), ("", "")):
        shared = shared_substrings(x, other)
        assert len(shared.names) == 0
        assert shared.terms(np.empty(0)).sum() == 0
        assert shared.cover.shape == (0, len(x))
        np.testing.assert_array_equal(shared.letters(np.empty(0))[1], np.zeros(len(other)))
    assert places("", "abc") == []


def test_the_two_proteins_share_lqe_among_others():
    x, other = datasets.two_proteins()
    shared = shared_substrings(x, other)
    (lqe,) = np.flatnonzero(shared.names == "LQE")
    assert (shared.times[lqe], shared.other_times[lqe]) == (1, 2)
    assert places("LQE", x) == [95]
    assert places("LQE", other) == [43, 122]


@pytest.mark.parametrize(
    "kernel", [Spectrum(1), Spectrum(2), Spectrum(9), AllSubstrings(0.4), AllSubstrings(1.0)], ids=repr
)
def test_a_match_is_the_kernel_term_by_term_the_largest_first(kernel):
    x, other = "abracadabra", "cadabra"
    found = shared_substrings(x, other).match(kernel, lit="abra")
    assert found.value == pytest.approx(kernel([x], [other]).item(), rel=1e-13)
    assert (np.diff(found.terms) <= 0).all()
    for s, (times, other_times), term in zip(found.names, found.counts, found.terms, strict=True):
        assert (times, other_times) == (len(places(s, x)), len(places(s, other)))
        w = 1.0 if isinstance(kernel, Spectrum) else kernel.decay ** len(s)
        assert term == pytest.approx(w * times * other_times)
    assert found.starts == ([0, 7], [3])
    for depth in found.depths:
        assert depth.sum() == pytest.approx(found.value)


def test_chance_alone_by_drawing_strings():
    x, other = datasets.two_proteins()
    rng = np.random.default_rng(0)
    drawn = [["".join(rng.choice(list(text), len(text))) for _ in range(400)] for text in (x, other)]
    for k in (1, 2, 3):
        found = Spectrum(k)(drawn[0], drawn[1])  # pairs of random strings
        error = found.mean(axis=0).std() / np.sqrt(400) + found.mean(axis=1).std() / np.sqrt(400)
        assert found.mean() == pytest.approx(spectrum_by_chance(x, other, k), abs=4 * error)
    assert spectrum_by_chance(x, other, 1) == pytest.approx(Spectrum(1)([x], [other]).item())
    assert spectrum_by_chance("ab", "abc", 3) == 0
    assert spectrum_by_chance("", "abc", 1) == 0
