"""What two strings share: every term of the string kernel (14.22), and the letters that it comes from.

Written out substring by substring, for strings that one can read. The kernels themselves (kernels/strings.py) find the
sum without its terms.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from sparsekm_edu.kernels import Spectrum


@dataclass(frozen=True, eq=False)
class Match:
    """Two strings under one kernel: its terms, the largest first, and where one substring, `lit`, stands.

    strings: x and x'; depths: what each letter of x, (D,), and of x', (D',), gives; names (T,), counts (T, 2), phi_s(x)
    and phi_s(x'), terms (T,): the substrings s with w_s > 0; lit: a string; starts: where it begins in x and in x'.
    """

    strings: tuple
    depths: tuple
    names: np.ndarray
    counts: np.ndarray
    terms: np.ndarray
    lit: str
    starts: tuple

    @property
    def value(self):
        """k(x, x')."""
        return float(self.terms.sum())


@dataclass(frozen=True, eq=False)
class Shared:
    """The S non-empty substrings that stand in x (D letters) and in x' (D' letters), the longest of L letters.

    strings: x and x'; names (S,), by length, then as they come in x; length (S,); times, other_times (S,): phi_s(x) and
    phi_s(x'). cover (L, D), other_cover (L, D'): what the substrings of each length give to every letter, where
    phi_s(x) phi_s(x') is shared out evenly among the letters of x, or of x', in which s stands. So each row adds up to
    the sum of phi_s(x) phi_s(x') over the substrings of that length.
    """

    strings: tuple
    names: np.ndarray
    length: np.ndarray
    times: np.ndarray
    other_times: np.ndarray
    cover: np.ndarray
    other_cover: np.ndarray

    def terms(self, w):
        """w_s phi_s(x) phi_s(x'), (S,), for weights w (L,) of the lengths 1 ... L: their sum is the kernel (14.22)."""
        return w[self.length - 1] * self.times * self.other_times

    def letters(self, w):
        """What every letter of x, (D,), and of x', (D',), gives to the kernel: both add up to it."""
        return w @ self.cover, w @ self.other_cover

    def match(self, kernel, lit=""):
        """The `Match` of the two strings by Spectrum(k) or AllSubstrings(decay)."""
        lengths = np.arange(1, len(self.cover) + 1)
        w = 1.0 * (lengths == kernel.k) if isinstance(kernel, Spectrum) else kernel.decay**lengths
        terms = self.terms(w)
        order = np.lexsort([-self.length, -terms])  # among equals the longer first
        order = order[terms[order] > 0]
        return Match(
            self.strings,
            self.letters(w),
            self.names[order],
            np.column_stack([self.times, self.other_times])[order],
            terms[order],
            lit,
            tuple(places(lit, text) for text in self.strings),
        )


def shared_substrings(x, other):
    """All that two strings x and x' share, as `Shared`; in time that grows with the square of their lengths.

    >>> from sparsekm_edu import Spectrum
    >>> from sparsekm_edu.lessons.substrings import shared_substrings
    >>> shared = shared_substrings("ananas", "banana")
    >>> print(*shared.names)
    a n an na ana nan anan nana anana
    >>> found = shared.match(Spectrum(3), lit="nan")
    >>> print(found.names, found.counts.tolist(), found.value, found.starts)
    ['ana' 'nan'] [[2, 2], [1, 1]] 5.0 ([1], [2])
    """
    names, counts, covers = [], [], ([], [])
    for length in range(1, min(len(x), len(other)) + 1):
        pieces = [[text[i : i + length] for i in range(len(text) - length + 1)] for text in (x, other)]
        times = [Counter(side) for side in pieces]
        common = [s for s in times[0] if s in times[1]]
        if not common:  # then there is no longer one either
            break
        names += common
        counts += [(length, times[0][s], times[1][s]) for s in common]
        for side in (0, 1):
            partners = [times[1 - side][s] for s in pieces[side]]  # 0 for what only one side has
            covers[side].append(np.convolve(partners, np.full(length, 1 / length)))
    length, times, other_times = np.array(counts, dtype=int).reshape(-1, 3).T
    cover, other_cover = (
        np.reshape(rows, (len(rows), len(text))) for rows, text in zip(covers, (x, other), strict=True)
    )
    return Shared((x, other), np.array(names, dtype=object), length, times, other_times, cover, other_cover)


def spectrum_by_chance(x, other, k):
    """The mean of the k-spectrum kernel of two random strings that are as long as x and x'.

    Every letter is drawn on its own, as often as it occurs in x or in x'. Then letters at two places agree with
    probability p, the sum over all letters of the product of their shares, and pieces of k letters with p^k.

    >>> from sparsekm_edu.lessons.substrings import spectrum_by_chance
    >>> spectrum_by_chance("aabb", "abab", 1)  # 16 pairs of places, half of which agree
    8.0
    """
    pairs = max(len(x) - k + 1, 0) * max(len(other) - k + 1, 0)
    agree = sum(x.count(letter) * other.count(letter) for letter in set(x))
    return pairs and pairs * (agree / (len(x) * len(other))) ** k


def places(s, text):
    """Where s begins in a text: all its places, which may overlap."""
    return [i for i in range(len(text) - len(s) + 1) if text.startswith(s, i)] if s else []
