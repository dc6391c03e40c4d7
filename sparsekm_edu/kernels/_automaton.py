"""The suffix automaton of a string: all its substrings, up to n (n + 1) / 2 of them, in at most 2n states.

A state is a set of substrings that end at the same places in the text. They are suffixes of the longest among them: one
for each length up to `length`, down to that at which `link` takes over, which leads to the next shorter ones, with more
ends. Reading a letter moves along an edge; who reads a second string stands, after every letter, at the longest suffix
of what was read that occurs in the text. So all that two strings share is found in one pass over each.

The edges out of all states stand in one hash table, by state and letter. So an alphabet may have any size, and time
and memory stay linear in the length of the text.
"""

import numpy as np

from sparsekm_edu.jit import jit

LETTER_BITS = 21  # enough for all of Unicode


@jit
def gram(text, start, other, other_start, sums, symmetric):
    """K (N, M), where K[n, m] = sum_s w_|s| phi_s(x_n) phi_s(z_m) over all non-empty strings s, (14.22).

    Parameters: text, the letters of all x one after the other, as whole numbers; start (N + 1,), where each x begins
    and the last one ends; other, other_start (M + 1,), the same for all z; sums, sums[l] = w_1 + ... + w_l for lengths
    up to that of the longest x; symmetric, are the z the same strings as the x?
    """
    N, M = len(start) - 1, len(other_start) - 1
    K = np.empty((N, M))
    for n in range(N):
        automaton = build(text[start[n] : start[n + 1]], sums)
        for m in range(n if symmetric else 0, M):
            K[n, m] = shared(automaton, other[other_start[m] : other_start[m + 1]], sums)
            if symmetric:
                K[m, n] = K[n, m]
    return K


@jit
def diagonal(text, start, sums):
    """The sums phi_s(x_n)^2 w_|s|, (N,), with the parameters of `gram`."""
    k = np.empty(len(start) - 1)
    for n in range(len(k)):
        x = text[start[n] : start[n + 1]]
        k[n] = shared(build(x, sums), x, sums)
    return k


@jit
def build(text, sums):
    """The automaton of a text (n,), as arrays over its states and its edges; state 0 is the empty string.

    Returns: keys, targets, the hash table of edges; link, length; ends, how often the substrings of a state occur;
    upward, what all suffixes of its longest substring, itself included, add to the kernel at one place.
    """
    n = len(text)
    slots = 8
    while slots < 6 * n:  # there are at most 3n edges: half of the table stays empty
        slots *= 2
    keys, targets = np.full(slots, -1), np.empty(slots, dtype=np.int64)
    edge_before = np.empty(
        slots, dtype=np.int64
    )  # of the same state: its edges are a chain through the table
    last_edge = np.full(2 * n + 1, -1)
    link, length = np.full(2 * n + 1, -1), np.zeros(2 * n + 1, dtype=np.int64)
    ends = np.zeros(2 * n + 1)
    whole, states = 0, 1  # the state of the text so far; how many there are
    for letter in text:
        new, states = states, states + 1
        length[new], ends[new] = length[whole] + 1, 1.0
        state, slot = whole, -1
        while state >= 0:
            slot = find(keys, state, letter)
            if keys[slot] >= 0:
                break
            put(slot, state, letter, new, keys, targets, edge_before, last_edge)
            state = link[state]
        if state < 0:
            link[new] = 0  # a letter that has never been there
        else:
            old = targets[slot]
            if (
                length[old] > length[state] + 1
            ):  # its shorter substrings now end here too, its longer ones do not
                split, states = states, states + 1
                length[split], link[split] = length[state] + 1, link[old]
                edge = last_edge[old]
                while edge >= 0:
                    other_letter = keys[edge] & ((1 << LETTER_BITS) - 1)
                    free = find(keys, split, other_letter)
                    put(free, split, other_letter, targets[edge], keys, targets, edge_before, last_edge)
                    edge = edge_before[edge]
                while state >= 0 and targets[slot] == old:
                    targets[slot] = split
                    state = link[state]
                    if state >= 0:
                        slot = find(keys, state, letter)
                link[old] = split
                old = split
            link[new] = old
        whole = new

    # from long to short, every end of a state is one of its link; from short to long, what a place adds grows
    place = np.cumsum(np.bincount(length[:states]))
    order = np.empty(states, dtype=np.int64)
    for state in range(states):
        place[length[state]] -= 1
        order[place[length[state]]] = state
    upward = np.zeros(states)
    for state in order[:0:-1]:
        ends[link[state]] += ends[state]
    for state in order[1:]:
        up = link[state]
        upward[state] = upward[up] + ends[state] * (sums[length[state]] - sums[length[up]])
    return keys, targets, link, length, ends, upward


@jit
def shared(automaton, other, sums):
    """sum_s w_|s| phi_s(x) phi_s(x') of the text x of an automaton and an `other` string x', in one pass over it."""
    keys, targets, link, length, ends, upward = automaton
    total, lost = 0.0, 0.0  # Kahan's sum: what rounding takes away is put back with the next term
    state, matched = 0, 0  # so many of the letters read last stand somewhere in the text, and no more
    for letter in other:
        slot = find(keys, state, letter)
        while keys[slot] < 0 and state > 0:
            state = link[state]
            matched = length[state]
            slot = find(keys, state, letter)
        if keys[slot] < 0:
            continue  # the text has no such letter
        state, matched = targets[slot], matched + 1
        up = link[state]
        term = upward[up] + ends[state] * (sums[matched] - sums[length[up]]) - lost
        grown = total + term
        lost = (grown - total) - term
        total = grown
    return total


@jit
def find(keys, state, letter):
    """The slot of the edge by which a letter leaves a state; if there is none, the empty slot where it would stand."""
    key = (state << LETTER_BITS) | letter
    mixed = (state * 0x9E3779B1 + letter * 0x85EBCA6B) & 0xFFFFFFFF
    slot = (mixed ^ (mixed >> 15)) & (len(keys) - 1)
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@jit
def put(slot, state, letter, target, keys, targets, edge_before, last_edge):
    """Write an edge into an empty slot."""
    keys[slot] = (state << LETTER_BITS) | letter
    targets[slot] = target
    edge_before[slot] = last_edge[state]
    last_edge[state] = slot
