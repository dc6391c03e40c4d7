"""Neighbours among strings, found in another way: pieces counted one by one, distances between the counts."""

from collections import Counter

import numpy as np
import pytest

from sparsekm_edu import datasets

X, FAMILY = datasets.protein_families(n=120, families=3)
LETTERS = np.array([len(x) for x in X])


def counts(k):
    """How often each piece of k letters stands in each string, (120, pieces)."""
    each = [Counter(x[i : i + k] for i in range(len(x) - k + 1)) for x in X]
    pieces = sorted(set().union(*each))
    return np.array([[count[piece] for piece in pieces] for count in each], float)


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_distances_and_neighbours_are_those_of_the_counts(make, k, normalised):
    explorer = make("neighbours", k=k, normalised=normalised, chosen=7)
    Phi = counts(k)
    if normalised:
        Phi /= np.linalg.norm(Phi, axis=1, keepdims=True)
    own = ((Phi[7] - Phi) ** 2).sum(axis=1)
    picture = explorer.picture
    np.testing.assert_allclose(picture.squares, own / (Phi[7] @ Phi[7]), atol=1e-9)
    for n in range(120):
        away = ((Phi[n] - Phi) ** 2).sum(axis=1)
        away[n] = np.inf
        assert away[picture.nearest[n]] == pytest.approx(away.min(), abs=1e-9)
    facts = picture.facts
    assert facts["wrong neighbours"] == f"{np.sum(FAMILY[picture.nearest] != FAMILY)} of 120"
    assert facts["letters of neighbours"] == f"mean {LETTERS[picture.nearest].mean():.0f}"
    shared = Phi[7] @ Phi[picture.nearest[7]]
    assert float(facts["κ of the two"]) == pytest.approx(shared, abs=6e-4)


def test_short_strings_are_everybody_s_neighbours_until_all_have_one_length(make):
    """In every draw: the lesson does not hang on one set of strings."""
    explorer = make("neighbours")
    for drawn in range(5):
        explorer.set(drawn=drawn, normalised=False)
        plain = explorer.picture
        explorer.set(normalised=True)
        normalised = explorer.picture
        assert plain.letters[plain.nearest].mean() < 65 < 78 < normalised.letters[normalised.nearest].mean()
        assert normalised.errors < plain.errors
        assert len(np.unique(plain.nearest)) < 25 < 45 < len(np.unique(normalised.nearest))


def test_the_axis_of_distances_follows_them_and_equal_ones_have_no_correlation(make):
    explorer = make("neighbours")
    ax = explorer.stage.view.axes[1]
    assert ax.get_ylim() == (1.0, 3.5)
    explorer.set(normalised=True)
    assert ax.get_ylim() == (1.7, 2.03)
    explorer.set(k=1)
    assert ax.get_ylim() == (0.0, 2.03)
    K = counts(5) @ counts(5).T
    alone = int(np.flatnonzero((K - np.diag(np.diag(K))).sum(axis=1) == 0)[0])
    explorer.set(k=5, chosen=alone)
    assert explorer.picture.facts["distance and letters"] == "all equal"


def test_a_click_chooses_a_string(make):
    explorer = make("neighbours")
    handles = explorer.handles(explorer.stage.view, explorer.state)
    assert len(handles) == 120
    explorer._on_gesture({"type": "choose", "index": 5})
    assert explorer.state.chosen == 5
    assert explorer.picture.facts["ringed: letters"] == str(LETTERS[5])
    explorer.set(chosen=120)
    assert "chosen must be the index of one of 120 strings, got 120" in explorer.message
    assert explorer.state.chosen == 5
