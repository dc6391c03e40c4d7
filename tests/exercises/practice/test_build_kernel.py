"""Build it, the string kernel: good ideas win on every draw, poor ones on none, and what is no kernel is named."""

import re
from collections import Counter
from functools import cache

import answering
import numpy as np
import pytest
from sklearn.svm import SVC

from sparsekm_edu import AllSubstrings, exercises
from sparsekm_edu.exercises.practice import build_kernel
from sparsekm_edu.exercises.sources import needed
from sparsekm_edu.exercises.tasks import judge
from sparsekm_edu.kernels import Spectrum

COSINE, GRAM = exercises.EXERCISES["build-kernel"].steps


def said(answer, seed=1):
    result = judge(GRAM, answer, seed)
    assert not result.passed
    return result.message


def counting(pieces):
    """The Gram matrix of counts."""

    def gram(X, Z):
        rows, columns = [Counter(pieces(x)) for x in X], [Counter(pieces(z)) for z in Z]
        return [[sum(p[s] * q[s] for s in p.keys() & q.keys()) for q in columns] for p in rows]

    return gram


def with_jokers(*lengths):
    return counting(
        lambda x: [
            x[i : i + j] + "?" + x[i + j + 1 : i + k]
            for k in lengths
            for i in range(len(x) - k + 1)
            for j in range(k)
        ]
    )


def mismatches(X, Z):
    """The mismatch kernel: each piece counts for all pieces of its neighbourhood."""
    letters = sorted(set("".join(X)))
    return counting(
        lambda x: [
            piece[:j] + letter + piece[j + 1 :]
            for i in range(len(x) - 3)
            for piece in [x[i : i + 4]]
            for j in range(4)
            for letter in letters
        ]
    )(X, Z)


def gaps(X, Z):
    """Pairs of letters at most four places apart, the nearer the heavier."""
    matrices = []
    for strings in (X, Z):
        features = []
        for x in strings:
            counts = Counter()
            for i in range(len(x)):
                for d in range(1, 5):
                    if i + d < len(x):
                        counts[x[i], x[i + d], d] += 0.8**d
            features.append(counts)
        matrices.append(features)
    return np.array([[sum(p[s] * q[s] for s in p) for q in matrices[1]] for p in matrices[0]])


GOOD = {
    "two letters, one between": counting(lambda x: [x[i] + x[i + 2] for i in range(len(x) - 2)]),
    "three with a joker": with_jokers(3),
    "four with a joker": with_jokers(4),
    "five with a joker": with_jokers(5),
    "three to five with a joker": with_jokers(3, 4, 5),
    "gaps": gaps,
}
POOR = {f"spectrum {k}": Spectrum(k) for k in (1, 2, 3, 4, 5, 6)} | {
    "all substrings": AllSubstrings(0.5),
    "1 to 5 letters": counting(lambda x: [x[i : i + k] for k in range(1, 6) for i in range(len(x))]),
    "letters by place": lambda X, Z: [[sum(map(str.__eq__, x, z)) for z in Z] for x in X],
}


@pytest.mark.parametrize("idea", GOOD.values(), ids=GOOD)
def test_good_ideas_win_on_every_seed(idea):
    for seed in range(5):
        result = judge(GRAM, idea, seed)
        assert result.passed, result


def test_the_mismatch_kernel_wins():
    assert judge(GRAM, mismatches, 0).passed


@pytest.mark.parametrize("idea", POOR.values(), ids=POOR)
def test_poor_ideas_lose_on_every_seed(idea):
    for seed in range(5):
        assert not judge(GRAM, idea, seed).passed


def test_the_worked_solution_on_many_seeds():
    for seed in range(100, 112):
        assert judge(GRAM, GRAM.solution, seed).passed
        assert judge(COSINE, COSINE.solution, seed).passed


def test_about_one_draw_of_four_is_thrown_away():
    rng = np.random.default_rng(2)
    drawn = [tuple(build_kernel.Clans(rng).strings()) for _ in range(200)]
    kept = [build_kernel.errors_of_spectrum(X) >= build_kernel.SPECTRUM_ERRS for X in drawn]
    assert 0.15 < 1 - np.mean(kept) < 0.35
    assert "of four draws we throw away about one" in " ".join(
        exercises.EXERCISES["build-kernel"].task.split()
    )


# ---- similarities that are no kernels, or no functions of two strings ----------------------------------------


def by_columns(step):
    """A number for two strings by dynamic programming: step(equal, diagonal, above, left)."""

    @cache
    def number(x, z):
        first = range(len(z) + 1) if step is edit else [0] * (len(z) + 1)
        for i, a in enumerate(x, 1):
            row = [i if step is edit else 0]
            for j, b in enumerate(z):
                row.append(step(a == b, first[j], first[j + 1], row[j]))
            first = row
        return first[-1]

    return number


def subsequence(equal, diagonal, above, left):
    return diagonal + 1 if equal else max(above, left)


def edit(equal, diagonal, above, left):
    return min(diagonal + 1 - equal, above + 1, left + 1)


longest_common, edit_distance = by_columns(subsequence), by_columns(edit)


def over_the_list(X, Z):
    """Symmetric, without negative eigenvalues, and different if another string joins the list."""
    similarity = build_kernel.pairwise(longest_common)
    return similarity(X, X) @ similarity(X, Z)


def first_letters_by_number(X, Z):
    """No other string has a say, but the names of the letters have."""
    return [[sum(ord(p[0]) * jokers(z).count(p) for p in jokers(x)) for z in Z] for x in X]


def with_letters(weight=lambda piece: 1, merged=""):
    """A good kernel, but for letters that weigh more, or that count as one; its cosines."""

    def cosines_of(X, Z):
        features = [
            Counter(jokers(x.translate(dict.fromkeys(map(ord, merged), merged[:1])))) for x in (*X, *Z)
        ]
        units = [
            {
                s: n * weight(s) / max(1, sum((m * weight(p)) ** 2 for p, m in f.items())) ** 0.5
                for s, n in f.items()
            }
            for f in features
        ]
        return [
            [sum(p[s] * q[s] for s in p.keys() & q.keys()) for q in units[len(X) :]] for p in units[: len(X)]
        ]

    return cosines_of


@pytest.mark.parametrize(
    "letters",
    [
        {"merged": "ILV"},
        {"merged": "DE"},
        {"weight": lambda piece: 1 + ("W" in piece)},
        {"weight": lambda piece: 1.3 if piece[0] in "AILMFVWY" else 1},
    ],
)
def test_names_of_letters_have_no_say_on_any_seed(letters):
    for seed in range(8):
        message = said(with_letters(**letters), seed)
        assert "the names of letters have a say" in message
        assert "the same in other letters, is" in message
    assert judge(GRAM, with_letters(), 0).passed


def test_words_and_copies_come_once_each():
    X, Z = GRAM.instance(np.random.default_rng([1, 0]))
    assert len(set(X)) == len(X) == 114
    assert sorted(X) == sorted(Z)


def test_where_rows_and_columns_are_mixed_up_no_number_is_told_of_k():
    for answer in (
        lambda X, Z: GRAM.solution(Z, X),
        lambda X, Z: GRAM.solution(X, X),
        lambda X, Z: build_kernel.pairwise(counted_in_one_string)(X, Z).T,
        lambda X, Z: GRAM.solution(X, sorted(Z)),
    ):
        message = said(answer)
        assert "known mistake" in message
        assert not re.search(r"\bk\([A-Z]", message)
    assert "not in the order of X and Z" in message


def jokers(x):
    """Pieces of five letters with any letter in the middle."""
    return [x[i : i + 2] + "?" + x[i + 3 : i + 5] for i in range(len(x) - 4)]


def counted_in_one_string(x, z):
    return sum(p in jokers(z) for p in jokers(x))


def rare_pieces_count_more(X, Z):
    def pieces(x):
        return {x[i] + x[i + 2] for i in range(len(x) - 2)}

    often = Counter(piece for x in X for piece in pieces(x))
    return [[sum(np.log(1 + len(X) / often[s]) for s in pieces(x) & pieces(z)) for z in Z] for x in X]


def test_dynamic_programming():
    assert longest_common("ABCBDAB", "BDCABA") == 4
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance("", "abc") == edit_distance("abc", "") == 3


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (build_kernel.pairwise(longest_common), "no inner product"),
        (build_kernel.pairwise(lambda x, z: longest_common(x, z) / max(len(x), len(z))), "no inner product"),
        (build_kernel.pairwise(lambda x, z: np.exp(-0.3 * edit_distance(x, z))), "no inner product"),
        (build_kernel.pairwise(lambda x, z: np.exp(-edit_distance(x, z))), "no inner product"),
        (build_kernel.pairwise(lambda x, z: 1 / (1 + edit_distance(x, z))), "no inner product"),
        (build_kernel.nearly_equal, "no inner product"),
        (lambda X, Z: GRAM.solution(X, X), "only one of the lists is used"),
        (lambda X, Z: GRAM.solution(Z, Z), "only one of the lists is used"),
        (lambda X, Z: GRAM.solution(X, Z) @ GRAM.solution(X, Z).T, "only one of the lists is used"),
        (over_the_list, "other strings or the names of letters have a say"),
        (rare_pieces_count_more, "other strings or the names of letters have a say"),
        (first_letters_by_number, "other strings or the names of letters have a say"),
        (build_kernel.pairwise(counted_in_one_string), "not symmetric"),
        (build_kernel.pairwise(lambda x, z: counted_in_one_string(x, z) / len(x)), "not symmetric"),
        (lambda X, Z: np.asarray(GRAM.solution(X, Z)).T, "rows and columns exchanged"),
        (lambda X, Z: GRAM.solution(Z, X), "rows and columns exchanged"),
    ],
)
def test_what_is_no_kernel_of_two_strings_is_refused_on_every_seed(answer, told, monkeypatch):
    """Whatever its errors: on the short words, on which it does not depend how the clans were drawn."""
    monkeypatch.setattr(build_kernel, "held_out_errors", lambda K: 0)
    monkeypatch.setattr(build_kernel, "errors_of_spectrum", lambda X: build_kernel.SPECTRUM_ERRS)
    monkeypatch.setattr("sparsekm_edu.exercises.tasks.LIMIT", 30.0)
    for seed in range(2):
        assert told in said(answer, seed)


def test_short_words_alone_show_what_is_no_kernel():
    """So no seed can help."""
    words = build_kernel.WORDS
    for similarity, lowest in (
        (longest_common, -0.03),
        (lambda x, z: np.exp(-edit_distance(x, z)), -0.03),
        (lambda x, z: 1 / (1 + edit_distance(x, z)), -1e-4),
    ):
        K = build_kernel.pairwise(similarity)(words, words)
        assert np.linalg.eigvalsh(K).min() < lowest


def test_the_text_says_how_long_the_words_are():
    assert {len(word) for word in build_kernel.SHORT} == {3, 4, 5, 6}
    assert max(map(len, build_kernel.WORDS)) == 12
    assert len(set(build_kernel.WORDS)) == len(build_kernel.WORDS)
    assert "words of three to twelve letters" in " ".join(GRAM.text.split())


def test_the_first_cell_of_an_assignment_gives_no_hint_away():
    imports, _ = needed([GRAM.solution])
    assert not any("Counter" in words for _, words in imports)


def cosines(gram, X, Z):
    """Divided inside, without a thought for strings that have no features."""
    return gram(X, Z) / np.sqrt(np.outer(np.diag(gram(X, X)), np.diag(gram(Z, Z))))


def test_the_verdict_is_the_same_each_time():
    X, Z = GRAM.instance(np.random.default_rng([3, 0]))
    K = np.asarray(Spectrum(2)(X, Z))
    assert len({build_kernel.beats_the_spectrum(K, X, Z) for _ in range(3)}) == 1


@pytest.mark.parametrize("seed", range(4))
def test_errors_are_those_of_scikit_learn(seed):
    X, _ = GRAM.instance(np.random.default_rng([seed, 0]))
    t = np.where(np.arange(len(X)) % 2 == 0, 1, -1)
    X, t = X[: build_kernel.STRINGS], t[: build_kernel.STRINGS]
    learn, held_out = slice(build_kernel.LEARNED), slice(build_kernel.LEARNED, build_kernel.STRINGS)
    fewest = []
    for k in range(1, 6):
        K = build_kernel.cosine(Spectrum(k)(X))
        machine = SVC(kernel="precomputed", C=build_kernel.C, tol=1e-6).fit(K[learn, learn], t[learn])
        y = machine.decision_function(K[held_out, learn])
        fewest.append(np.sum(y * t[held_out] <= 1e-9))  # without common pieces y is b, which may be 0
    found = build_kernel.errors_of_spectrum(tuple(X))
    assert abs(min(fewest) - found) <= 1
    assert found >= build_kernel.SPECTRUM_ERRS


def test_the_strings_are_what_the_text_says():
    """Pairs are common to both clans, what is between two of them to a family, and the held-out letters are new."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        clans = build_kernel.Clans(rng)
        first, second = (
            {tuple(order[i : i + 2]) for i in range(build_kernel.PAIRS - 1)}
            for order in map(list, clans.orders)
        )
        assert not first & second
        *known, new = map(set, clans.between)
        assert not set.union(*known) & new
        assert not (set.union(*known) | new) & set(clans.pairs.ravel())
        assert max(len(set.union(*known)), len(new)) <= 5
        X = clans.strings()
        assert len(X) == build_kernel.LEARNED + build_kernel.JUDGED
        assert {len(x) for x in X} == {build_kernel.LETTERS}
        for clan in (0, 1):
            x, start, end = clans.string(clan, 0)
            assert end - start == 3 * build_kernel.PAIRS - 1
            assert min(start, len(x) - end) >= build_kernel.EDGE
    text = exercises.EXERCISES["build-kernel"].task
    assert text.count("\n") > 10
    assert f"{build_kernel.LETTERS} letters long" in " ".join(text.split())


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda X, Z: [[sum(c in z for c in x) for z in Z] for x in X], "not symmetric"),
        (lambda X, Z: [[sum(s in z for s in pieces(x)) for z in Z] for x in X], "not symmetric"),
        (lambda X, Z: [[1.0 * (x == z) for z in Z] for x in X], "every string is like itself only"),
        (Spectrum(2), "the spectrum kernel itself"),
        (lambda X, Z: 7.5 * Spectrum(4)(X, Z), "the spectrum kernel itself"),
        (lambda X, Z: np.ones((len(X), len(Z))), "all strings alike"),
        (AllSubstrings(0.5), "a sum of spectrum kernels"),
        (lambda X, Z: sum(Spectrum(k)(X, Z) for k in range(1, 6)), "a sum of spectrum kernels"),
        (lambda X, Z: sum(0.6**k * Spectrum(k)(X, Z) for k in (2, 3, 5)), "a sum of spectrum kernels"),
        (
            lambda X, Z: np.asarray(Spectrum(2)(X, Z)) ** 2,
            "are taken for the other clan. The best spectrum kernel errs",
        ),
        (lambda X, Z: -GRAM.solution(X, Z), "k(x, x) is -"),
        (lambda X, Z: GRAM.solution(X[:5], Z), "a matrix of shape (114, 114) is wanted"),
        (lambda X, Z: cosines(GRAM.solution, X, Z), "A word too short to have features has k(x, x) = 0"),
        (lambda X, Z: [[distance(x, z) for z in Z] for x in X], "k(x, x) is 0"),
        (lambda X, Z: [[distance(x, z) <= 8 for z in Z] for x in X], "no inner product"),
        (lambda X, Z: "kernel", "not what is asked for"),
    ],
)
def test_what_is_no_good_kernel_is_told(answer, told):
    with np.errstate(all="ignore"):
        assert told in said(answer)


def pieces(x):
    return [x[i : i + 3] for i in range(len(x) - 2)]


def distance(x, z):
    """Letters that only one of the two has."""
    return len(set(x) ^ set(z))


def test_nearly_equal_counts_pairs_that_differ_once():
    X, Z = ["ABCAB", "XBC"], ["ABD", "XXC"]
    by_hand = [
        [
            sum(sum(a != b for a, b in zip(p, q, strict=True)) <= 1 for p in pieces(x) for q in pieces(z))
            for z in Z
        ]
        for x in X
    ]
    np.testing.assert_array_equal(build_kernel.nearly_equal(X, Z), by_hand)


@pytest.mark.parametrize(
    ("norm", "told"),
    [
        (lambda K: np.linalg.norm(K, axis=1, keepdims=True), "rows divided by their norms"),
        (lambda K: np.linalg.norm(K, axis=1), "columns divided by their norms"),
        (lambda K: np.outer(np.linalg.norm(K, axis=0), np.linalg.norm(K, axis=0)), "the norms of rows"),
        (np.linalg.norm, "the norm of K"),
    ],
)
def test_norms_of_rows_are_no_lengths(norm, told):
    assert told in answering.said(COSINE, lambda K: K / norm(K))


def test_other_forms_of_the_cosine():
    def by_loops(K):
        return [[K[n][m] / (K[n][n] * K[m][m]) ** 0.5 for m in range(len(K))] for n in range(len(K))]

    for form in (by_loops, lambda K: K / np.sqrt(np.diag(K)) / np.sqrt(np.diag(K))[:, None]):
        for seed in range(4):
            assert judge(COSINE, form, seed).passed
