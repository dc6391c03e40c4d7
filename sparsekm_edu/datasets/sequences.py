"""Strings over the letters of the twenty amino acids: the two proteins of MLaPP 14.2.6, and families like theirs."""

import numpy as np

AMINO_ACIDS = "ARNDCEQGHILKMFPSTWYV"  # in the order of MLaPP 14.2.6
HABIT = 0.05  # the share of letters that follow the habit of their family
MOTIF = 8  # letters of a motif
MUTATION = 0.15  # the share of its letters that have changed


def two_proteins():
    """The two strings of MLaPP 14.2.6, which have the substring LQE in common.

    Returns: x, x', two strings over `AMINO_ACIDS`.

    LQE stands once in the first and twice in the second, as the book says. It also says that they have 110 and 153
    letters. Our copy of it has 108 and 148; Hastie et al. (2009, page 668), from whom it takes them and their lengths,
    print 108 and 150.

    >>> from sparsekm_edu import datasets
    >>> x, other = datasets.two_proteins()
    >>> print(len(x), len(other), x.count("LQE"), other.count("LQE"))
    108 148 1 2
    """
    return (
        "IPTSALVKETLALLSTHRTLIIANETLRIPVPVHKHQLCTEEIFQGIGTLESQTVQGQGV"
        "ERLFFKNLSLIKKYIDGQKKKCGEERRRVNQFLDYLQEFLGVMNTEWI",
        "PHRRDLCSRSIWLARKIRSDLTALTESYVKHQGLWSELTEAERLQENLQAYRTFHVLLA"
        "RLLEDQQVHFTPTGDFHQAIHTLLQVAAFAYQIEELMILLEYKIPRNEADGMLFEKK"
        "LWGLKVLQELSQWTVRSIHDLRFISSHQTGIP",
    )


def protein_families(n=60, families=2, seed=0):
    """Strings like those of protein families: each family has habits, which letter follows which, and a motif.

    Parameters: n number of strings, shared out evenly; families, how many there are; seed of the random numbers.
    Returns: X (n,) strings of 60 to 120 letters of `AMINO_ACIDS`, t (n,) with labels 0 ... families - 1, in this order.

    A string is a Markov chain: any letter may follow any other, but one in twenty is the letter that the family likes
    to see there. Every letter is the favourite of one other. So all families use all letters equally often, and who
    counts single letters learns nothing from the chain. Somewhere in each string stands the motif of its family, eight
    letters, each of which has changed with probability 0.15: long pieces of it rarely survive, short ones turn up
    by chance elsewhere. Three letters are a good compromise.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.protein_families(n=4)
    >>> print(X[0][:12], [len(x) for x in X], t)
    LGFKEQPKLQSG [116, 113, 111, 104] [0. 0. 1. 1.]
    """
    rng = np.random.default_rng(seed)
    letters = len(AMINO_ACIDS)
    favourites = [
        rng.permutation(letters) for _ in range(families)
    ]  # which letter a family likes after which
    motifs = [rng.integers(letters, size=MOTIF) for _ in range(families)]
    t = np.sort(np.arange(n) % families)
    X = np.empty(n, dtype=object)
    for i, family in enumerate(t):
        x = rng.integers(letters, size=rng.integers(60, 121))
        for place in 1 + np.flatnonzero(rng.random(len(x) - 1) < HABIT):  # one after the other: a chain
            x[place] = favourites[family][x[place - 1]]
        start = rng.integers(len(x) - MOTIF + 1)
        changed = rng.random(MOTIF) < MUTATION
        x[start : start + MOTIF] = np.where(changed, rng.integers(letters, size=MOTIF), motifs[family])
        X[i] = "".join(AMINO_ACIDS[letter] for letter in x)
    return X, t.astype(float)
