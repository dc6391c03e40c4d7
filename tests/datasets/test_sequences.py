"""Strings: what the book says of its two, and what is there; families that single letters do not tell apart."""

import numpy as np
import pytest
from scipy.stats import chi2

from sparsekm_edu import SVC, datasets
from sparsekm_edu.datasets.sequences import AMINO_ACIDS, HABIT, MOTIF, MUTATION
from sparsekm_edu.kernels import Spectrum


def test_the_two_proteins_of_the_book():
    x, other = datasets.two_proteins()
    assert (len(x), len(other)) == (108, 148)  # the book says 110 and 153
    assert set(x + other) <= set(AMINO_ACIDS)
    counts = [sum(text[i : i + 3] == "LQE" for i in range(len(text))) for text in (x, other)]
    assert counts == [1, 2]  # as the book says
    assert x.startswith("IPTSALVKETLALLSTHRT")
    assert x.endswith("FLDYLQEFLGVMNTEWI")
    assert other.startswith("PHRRDLCSRSIWLARKIRS")
    assert other.endswith("VLQELSQWTVRSIHDLRFISSHQTGIP")


@pytest.mark.parametrize("families", [2, 3])
def test_families_in_order_seeded_of_many_lengths(families):
    X, t = datasets.protein_families(n=61, families=families, seed=5)
    again, _ = datasets.protein_families(n=61, families=families, seed=5)
    assert list(X) == list(again)
    assert list(X) != list(datasets.protein_families(n=61, families=families, seed=6)[0])
    assert (np.diff(t) >= 0).all()
    counts = np.bincount(t.astype(int))
    assert len(counts) == families
    assert np.ptp(counts) <= 1
    lengths = [len(x) for x in X]
    assert 60 <= min(lengths) < 70
    assert 110 < max(lengths) <= 120
    assert set("".join(X)) == set(AMINO_ACIDS)


def pairs(X):
    """How often each letter follows each other one, (20, 20)."""
    number = {letter: n for n, letter in enumerate(AMINO_ACIDS)}
    counts = np.zeros((20, 20))
    for x in X:
        for first, second in zip(x, x[1:], strict=False):
            counts[number[first], number[second]] += 1
    return counts


def test_outside_the_motif_all_letters_are_equally_frequent_and_one_in_twenty_follows_a_habit(monkeypatch):
    monkeypatch.setattr(datasets.sequences, "MOTIF", 0)
    X, _ = datasets.protein_families(n=1000, families=1, seed=1)
    counts = pairs(X)
    letters = counts.sum(axis=0)
    statistic = ((letters - letters.mean()) ** 2 / letters.mean()).sum()
    assert chi2(19).ppf(0.001) < statistic < chi2(19).ppf(0.999)
    favourite = counts.argmax(axis=1)
    assert sorted(favourite) == list(range(20))  # each letter is the favourite of one
    share = counts[np.arange(20), favourite].sum() / counts.sum()
    assert share == pytest.approx(HABIT + (1 - HABIT) / 20, abs=0.003)  # and may come by chance


def test_every_string_holds_the_motif_of_its_family_with_its_mutations():
    X, t = datasets.protein_families(n=2000, families=2, seed=2)
    expected = (1 - MUTATION * 19 / 20) ** MOTIF  # a changed letter may come back by chance
    for label in (0, 1):
        pieces = {}
        for x in X[t == label]:
            for piece in {x[i : i + MOTIF] for i in range(len(x) - MOTIF + 1)}:
                pieces[piece] = pieces.get(piece, 0) + 1
        most, second = sorted(pieces.values())[:-3:-1]
        assert most / 1000 == pytest.approx(expected, abs=0.05)
        assert second < most / 4  # copies with one letter changed


def test_three_letters_tell_families_apart_that_single_letters_do_not():
    def best(k, seed):
        """The share of right answers on new strings, with the C that does best."""
        X, t = datasets.protein_families(n=160, seed=seed)
        train = np.arange(160) % 2 == 0
        machines = [SVC(kernel=Spectrum(k), C=C).fit(X[train], t[train]) for C in (1e-4, 1e-2, 1.0)]
        return max(machine.score(X[~train], t[~train]) for machine in machines)

    letters, triples = (np.mean([best(k, seed) for seed in range(5)]) for k in (1, 3))
    assert triples > 0.95
    assert letters < 0.78
