"""From the outputs of binary machines to one of K classes (PRML 7.1.3).

Outputs come as arrays whose first axis counts machines; the others are points, in any shape. Machines for pairs stand
in the order (0, 1), (0, 2), ..., (K-2, K-1), and a positive output is one for the second class of the pair. Equal
outputs go to the class that comes first.
"""

from itertools import combinations

import numpy as np


def largest(Y):
    """(7.49): the class whose machine says most. Y (K, ...) outputs of one-versus-the-rest -> classes (...)."""
    return np.argmax(Y, axis=0)


def votes(Y, K):
    """How many of the pairs each class wins. Y (K (K-1) / 2, ...) -> (K, ...), whole numbers."""
    count = np.zeros((K, *np.shape(Y)[1:]), dtype=int)
    for (i, j), y in zip(combinations(range(K), 2), Y, strict=True):
        count[i] += y <= 0
        count[j] += y > 0
    return count


def most_votes(Y, K):
    """One-versus-one: the class that wins most pairs; where several do, the one with the largest sum of outputs.

    The sums are squeezed to less than half a vote, as scikit-learn's OneVsOneClassifier does it.
    """
    total = np.zeros((K, *np.shape(Y)[1:]))
    for (i, j), y in zip(combinations(range(K), 2), Y, strict=True):
        total[i] -= y
        total[j] += y
    return np.argmax(votes(Y, K) + total / (3 * (np.abs(total) + 1)), axis=0)


def tournament(Y, K):
    """DAGSVM: the first and the last class that are left meet, the loser is struck off; K-1 machines a point."""
    number = {pair: n for n, pair in enumerate(combinations(range(K), 2))}
    Y = np.asarray(Y)
    winner = np.empty(Y.shape[1:], dtype=int)

    def play(first, last, here):
        if first == last:
            winner[here] = first
        elif here.any():
            last_wins = Y[number[first, last]] > 0
            play(first + 1, last, here & last_wins)
            play(first, last - 1, here & ~last_wins)

    play(0, K - 1, np.ones(winner.shape, dtype=bool))
    return winner


def nearest_codeword(Y, code):
    """Output codes: the class whose row of the code (K, L), -1 and +1, is closest to the outputs Y (L, ...)."""
    distance = [np.sum((np.moveaxis(Y, 0, -1) - word) ** 2, axis=-1) for word in code]
    return np.argmin(distance, axis=0)
