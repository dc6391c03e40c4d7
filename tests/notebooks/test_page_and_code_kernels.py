"""What notebook 12 says is what the code does: its formulas evaluated literally, its own table of common suffixes, and
the numbers of its answers."""

import re

import numpy as np
import pytest
from scipy.special import gamma, kv
from sklearn.feature_extraction.text import TfidfVectorizer
from test_page_and_code import cells, prose, run, slider

from sparsekm_edu import (
    AllSubstrings,
    Fisher,
    Matern,
    Normalised,
    ProbabilityProduct,
    PyramidMatch,
    Spectrum,
    TfIdf,
    datasets,
    explorers,
)
from sparsekm_edu.kernels import MarkovChain
from sparsekm_edu.lessons.matching import compare_matchings


def printed(mark):
    """What the one cell prints that holds this piece of text in its output."""
    (text,) = [
        output.text
        for cell in cells("12")
        for output in cell.get("outputs", [])
        if mark in output.get("text", "")
    ]
    return text


def seen(explorer, **fields):
    return getattr(explorers, explorer)(**fields).picture


# ---- section 2 ----------------------------------------------------------------------------------------------


def test_the_book_s_u_is_the_transpose_of_numpy_s():
    K = Spectrum(2)(["anna", "hannah", "susanna", "otto"])
    lam, columns = np.linalg.eigh(K)
    U = columns.T  # his
    np.testing.assert_allclose(U.T @ np.diag(lam) @ U, K, atol=1e-12)  # (14.10)
    root = np.diag(np.sqrt(np.maximum(lam, 0)))
    phi = [root @ U[:, i] for i in range(4)]  # (14.11)
    np.testing.assert_allclose([[a @ b for b in phi] for a in phi], K, atol=1e-12)


def test_the_answers_beside_the_lab():
    def rank(**fields):
        return seen("kernel_lab", **fields).facts["λ not 0, λ < 0"]

    low, high = slider("kernel_lab", "length")
    assert (low, high) == (0.1, 10.0)
    assert rank(kernel="polynomial", degree=3) == "4, 0"
    assert rank(kernel="polynomial", degree=2, offset=-1.0) == "3, 1"
    assert rank(kernel="polynomial", degree=2, offset=0.0) == "1, 0"
    assert rank(kernel="Gaussian", length=low) == "61, 0"
    assert rank(kernel="Gaussian", length=high) == "7, 0"
    text = prose("12")
    for told in (
        "Four: its features",
        "One eigenvalue turns negative",
        "At 0.1 all 61 count",
        "At 10 only 7",
    ):
        assert told in text


def test_functions_of_a_product_with_the_linear_kernel_meet_at_0():
    at_0 = len(seen("kernel_lab").k) // 2
    for join, meet in (("times", True), ("plus", False)):
        functions = seen("kernel_lab", kernel="Gaussian", join=join, second="linear").functions
        assert (np.ptp(functions[at_0]) < 1e-6) == meet
        assert (np.ptp(functions, axis=1).min() < 1e-6) == meet  # or anywhere
    assert "At 0. There $k(0,0)=0$" in prose("12")


# ---- section 3 ----------------------------------------------------------------------------------------------


def test_the_short_forms_of_matern_are_14_20():
    r, length = np.linspace(0.01, 6, 40), 1.7
    forms = {
        0.5: lambda s: np.exp(-s),
        1.5: lambda s: (1 + s) * np.exp(-s),
        2.5: lambda s: (1 + s + s**2 / 3) * np.exp(-s),
    }
    for nu, form in forms.items():
        s = np.sqrt(2 * nu) * r / length
        literally = 2 ** (1 - nu) / gamma(nu) * s**nu * kv(nu, s)  # (14.20)
        np.testing.assert_allclose(form(s), literally, rtol=1e-10)
        np.testing.assert_allclose(Matern(nu, length)([[0.0]], r[:, None])[0], literally, rtol=1e-10)
    gaussian = np.exp(-(r**2) / (2 * length**2))
    np.testing.assert_allclose(Matern(np.inf, length)([[0.0]], r[:, None])[0], gaussian, rtol=1e-10)


# ---- section 4 ----------------------------------------------------------------------------------------------


def test_both_idf_as_the_page_writes_them():
    texts, _ = datasets.documents()
    vectorizer = TfidfVectorizer().fit(texts)
    words, N = vectorizer.get_feature_names_out(), len(texts)
    N_j = np.sum(vectorizer.transform(texts).toarray() > 0, axis=0)
    theirs = 1 + np.log((1 + N) / (1 + N_j))
    np.testing.assert_allclose(vectorizer.idf_, theirs, rtol=1e-12)
    for convention, idf in (("book", np.log(N / (1 + N_j))), ("scikit-learn", theirs)):
        learned = TfIdf(convention).adapted_to(texts).idf
        np.testing.assert_allclose([learned[word] for word in words], idf, atol=1e-15)
    holders = dict(zip(words, N_j, strict=True))
    assert (holders["the"], holders["and"]) == (N, N - 1)  # in all, in all but one
    assert max(number for word, number in holders.items() if word not in ("the", "and")) < N - 1


@pytest.mark.parametrize(
    ("kernel", "document", "nearest", "told"),
    [
        (
            "word counts (14.4)",
            6,
            "A cake for beginners",
            "a cake recipe, for the sake of *the*, *of* and *and*",
        ),
        ("TF-IDF (14.8)", 6, "Four moons", "*Four moons*, for *jupiter*, *faint* and *shows*"),
        ("TF-IDF (14.8)", 39, "Why the night is dark", "by *full*, *night* and *sky*"),
    ],
)
def test_who_is_near_and_by_which_words(kernel, document, nearest, told):
    (_, neighbour, words), *_ = seen("documents", kernel=kernel, document=document).rows
    assert neighbour == nearest
    assert re.findall(r"\*(\w+)\*", told)[-3:] == list(words)
    assert told in prose("12")
    assert f"Document {document}, <i>{datasets.document_titles()[document - 1]}</i>" in prose("12")


def test_short_texts_lie_almost_at_right_angles():
    texts, subject = datasets.documents()
    pages = texts[np.isin(subject, ["cooking", "gardening"])]
    K = TfIdf()(pages)
    cosines = K[~np.eye(len(K), dtype=bool)]
    assert np.degrees(np.arccos(np.median(cosines))) > 85
    assert cosines.max() < 0.25
    assert len(TfIdf().adapted_to(pages).idf) > 300  # "hundreds of dimensions"


def test_rare_words_help():
    wrong = dict(re.findall(r"(.+?) +(\d+) of 40 wrong", printed("one against the rest")))
    told = "Rare words turn {} errors into {}. The RVM makes {}, more than the nearest".format(
        wrong["the same with word counts"], wrong["SVM, one against the rest"], wrong["RVM, softmax"]
    )
    assert told in prose("12")
    assert int(wrong["RVM, softmax"]) > int(wrong["nearest document"])


def test_sparse_is_not_a_synonym_for_good():
    found = re.findall(r"(\w+): (\d+) of (\d+) documents kept; (\d+) wrong", printed("documents kept"))
    (svm, kept_by_svm, N, wrong), (rvm, kept_by_rvm, _, wrong_too) = found
    assert (svm, rvm) == ("SVM", "RVM")
    assert kept_by_svm == N == "20"  # "which keeps them all"
    assert kept_by_rvm == "4"
    assert int(wrong_too) == 2 * int(wrong)
    assert "The RVM keeps four and makes twice as many errors" in prose("12")


# ---- section 5 ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_table():
    names, _ = run("12", "def all_substrings")
    return names["all_substrings"]


def every_substring(x, z, decay):
    """(14.22), substring by substring."""
    pieces = [[text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)] for text in (x, z)]
    return sum(decay ** len(s) * pieces[0].count(s) * pieces[1].count(s) for s in set(pieces[0]))


@pytest.mark.parametrize("decay", [*slider("string_match", "decay"), 0.5])
def test_own_table_is_the_sum_over_all_substrings_at_both_ends_of_the_slider(own_table, decay):
    pairs = [("ananas", "banana"), ("aaaa", "aaaaaa"), ("ab", "ba"), ("", "abc"), ("abc", ""), ("x", "y")]
    for x, z in pairs:
        assert own_table(x, z, decay) == pytest.approx(every_substring(x, z, decay), rel=1e-12, abs=1e-15)
    x, z = datasets.two_proteins()
    assert own_table(x, z, decay) == pytest.approx(AllSubstrings(decay)([x], [z])[0, 0], rel=1e-12)


def test_the_answers_beside_the_strings():
    x, changed = "abracadabra", "abraczdabra"
    for k, told in ((1, "0.98 at $k=1$"), (3, "0.77 at $k=3$"), (6, "to 0 at $k=6$")):
        cosine = Normalised(Spectrum(k))([x], [changed])[0, 0]
        assert told.startswith((f"{cosine:.2f}", f"to {cosine:.0f} "))
        assert told in prose("12")


def test_what_the_proteins_share_and_what_chance_gives():
    x, z = datasets.two_proteins()
    found = [Spectrum(k)([x], [z]).item() for k in (2, 3)]
    p = np.mean(np.array(list(x))[:, None] == np.array(list(z)))
    chance = [(len(x) - k + 1) * (len(z) - k + 1) * p**k for k in (2, 3)]
    text = prose("12")
    assert f"have {len(x)} and {len(z)}." in text
    assert (
        f"{found[0]:g} pairs and {found[1]:g} triples, where {chance[0]:.0f} and {chance[1]:.1f} are" in text
    )
    assert {x[i : i + 3] for i in range(len(x) - 2) if x[i : i + 3] in z} == {"LQE", "KHQ", "ERL"}


def halves():
    names, _ = run("12", "halves = train_test_split(")
    return names["learn"], names["t"], names["test"], names["t_test"]


def test_what_the_machines_chose_and_kept():
    tables = {
        name: [[int(n) for n in row.split()] for row in rows]
        for name, *rows in re.findall(
            r"(\w+), errors in cross-validation, k = 1 ... 5 +(.+)\non the other half +(.+)",
            "".join(
                output.get("text", "")
                for cell in cells("12")
                for output in cell.get("outputs", [])
                if "errors in cross" in output.get("text", "")
            ),
        )
    }
    chosen = {name: int(np.argmin(errors)) for name, (errors, _) in tables.items()}  # the first of equals
    assert chosen == {"SVM": 1, "RVM": 2}  # pairs, triples
    svm, rvm = tables["SVM"], tables["RVM"]
    assert svm[0].count(min(svm[0])) == 2  # "pairs and triples tie"
    assert svm[0][1] == svm[0][2]
    text, told = prose("12"), printed("strings kept")
    assert f"{rvm[1][2]} errors against {svm[1][1]}." in text
    assert "where pieces of four without a joker make five" in text
    assert svm[1][3] == 5
    assert re.search(r"pieces of four with a joker +1\n", printed("with a joker"))
    kept = re.search(r"strings kept, of 60 +(\d+) +(\d+)", told)
    assert int(kept[1]) > 50  # "nearly all strings"
    assert int(kept[2]) == 3
    assert re.search(r"letters in a piece, SVM and RVM +2 +3", told)


def test_pieces_of_five_seldom_survive():
    strings, t, _, _ = halves()
    motifs = "FPGWNKPT", "LGQHIPWR"
    pieces = [[motif[i : i + 5] for i in range(4)] for motif in motifs]
    spoiled = sum(not any(s in x for s in pieces[int(label)]) for x, label in zip(strings, t, strict=True))
    assert f"in {spoiled} of {len(strings)} strings no piece of five" in prose("12")


def test_both_halves_are_alike():
    learn, t, test, t_test = halves()
    assert len(learn) == len(test) == 60
    assert not set(learn) & set(test)
    assert t.mean() == t_test.mean() == 0.5


def test_the_dominoes_spell_the_motifs():
    text = printed("pieces that speak")
    for family, motif, extra in ((1, "LGQHIPWR", {"VA", "IR"}), (0, "FPGWNKPT", {"ET", "SW"})):
        pieces = set(re.search(rf"pieces that speak for family {family} +(.+)", text)[1].split())
        chain = [motif[i : i + 2] for i in range(len(motif) - 1)]
        assert pieces == {*chain, *extra}
        assert f"{'-'.join(chain)} is {motif}" in prose("12")
        X, t = datasets.protein_families(120)
        shares = [np.mean([motif[2:6] in x for x in X[t == each]]) for each in (family, 1 - family)]
        assert shares[0] > 0.4 > 0.1 > shares[1]  # it is the motif of this family
    kept = text.split("relevance strings\n")[1].split()
    assert [("FPGWNKPT" in x) + 2 * ("LGQHIPWR" in x) for x in kept] == [
        1,
        2,
        2,
    ]  # one motif in each, unharmed


# ---- section 6 ----------------------------------------------------------------------------------------------


def test_intersections_are_inner_products_and_telescope():
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = rng.integers(0, 9, size=2)
        ones = np.arange(10) < np.array([[a], [b]])
        assert ones[0].astype(int) @ ones[1] == min(a, b)
        new, w = rng.integers(0, 5, size=6), 0.5 ** np.arange(6)
        assert w @ new == pytest.approx((w - np.append(w[1:], 0)) @ np.cumsum(new))


def test_moving_the_grid_changes_the_kernel_and_not_the_best_matching():
    first, moved = seen("pyramid"), seen("pyramid", origin=-0.5)
    assert first.best.value == moved.best.value
    assert f"from {first.found.value} to {moved.found.value} at $-0.5$" in prose("12")


def test_the_figure_shows_what_the_explorer_opens_with():
    names, _ = run("12", "figures.figure_14_1(")
    picture = seen("pyramid")
    np.testing.assert_array_equal(names["x"][:, 0], picture.x)
    np.testing.assert_array_equal(names["z"][:, 0], picture.z)
    assert names["found"].value == picture.found.value == PyramidMatch(4)([names["x"]], [names["z"]])[0, 0]


def test_a_good_order_and_half_the_value():
    compared = compare_matchings(n_pairs=200)
    on_a_line = compare_matchings(n_pairs=200, d=1)
    text = prose("12")
    assert f"rank correlation {compared.rank_correlation:.2f}" in text
    assert f"on average only {compared.mean_ratio:.0%}".replace("%", " %") in text
    assert f"on a line it is {on_a_line.mean_ratio:.0%}".replace("%", " %") in text
    assert "sets of 5 to 30 points in the plane" in text


def test_digits_by_five_images():
    (kept, wrong) = re.search(
        r"RVM: images kept, errors among 200 others +(\d+) +(\d+)", printed("images kept")
    ).groups()
    assert kept == "5"
    assert int(wrong) < 20  # both tell 3 from 8
    assert "the RVM by five images" in prose("12")


# ---- section 7 ----------------------------------------------------------------------------------------------


def test_completing_the_square():
    rng = np.random.default_rng(1)
    u, x, z = rng.normal(size=(3, 4))
    m = (x + z) / 2
    left = np.sum((u - x) ** 2) + np.sum((u - z) ** 2)
    assert left == pytest.approx(2 * np.sum((u - m) ** 2) + np.sum((x - z) ** 2) / 2)
    for rho in (0.5, 1.0, 1.3):
        sigma, D = 0.8, 4
        two_densities, integral = (2 * np.pi * sigma**2) ** (-rho * D), (np.pi * sigma**2 / rho) ** (D / 2)
        k = two_densities * integral * np.exp(-rho / (4 * sigma**2) * np.sum((x - z) ** 2))
        assert ProbabilityProduct(rho, sigma)([x], [z])[0, 0] == pytest.approx(k, rel=1e-12)
        assert (two_densities * integral == pytest.approx(1.0)) == (rho == 0.5)  # "the two factors cancel"


def test_at_rho_one_half_only_the_distance_counts():
    for sigma in slider("overlap", "sigma"):
        picture = seen("overlap", rho=0.5, sigma=sigma)
        assert picture.facts["k(x, x)"] == "1.0000"
        assert picture.k == pytest.approx(np.exp(-(1.4**2) / (8 * sigma**2)))
    wide, narrow = (float(seen("overlap", rho=1.0, sigma=sigma).facts["k(x, x)"]) for sigma in (1.2, 0.4))
    assert wide < narrow  # "With rho = 1, k(x, x) shrinks"


def test_other_parameters_leave_the_fisher_kernel_alone():
    rng = np.random.default_rng(2)
    g, J, A = rng.normal(size=(2, 3)), rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    F = A @ A.T
    k = g[0] @ np.linalg.solve(F, g[1])
    assert (J.T @ g[0]) @ np.linalg.solve(J.T @ F @ J, J.T @ g[1]) == pytest.approx(k)


def test_the_score_of_a_softmax():
    n, eta, h = np.array([3.0, 1.0, 2.0]), np.array([0.3, -0.5, 0.9]), 1e-6

    def log_p(eta):
        return n @ (eta - np.log(np.exp(eta).sum()))

    theta = np.exp(eta) / np.exp(eta).sum()
    slopes = [(log_p(eta + h * e) - log_p(eta - h * e)) / (2 * h) for e in np.eye(3)]
    g = n - n.sum() * theta
    np.testing.assert_allclose(slopes, g, atol=1e-8)
    np.testing.assert_allclose((np.diag(theta) - np.outer(theta, theta)) @ (g / theta), g, atol=1e-12)


def test_the_markov_chain_by_hand():
    chain = MarkovChain(alphabet="ab", theta=[[0.5, 0.5], [0.5, 0.5]])
    scores = chain.score(["aaab", "aaa"])
    np.testing.assert_allclose(scores, [[0.5, -0.5, 0, 0], [1, -1, 0, 0]])
    by_hand = np.sum(scores[0] * scores[1] / 0.25)  # F^-1 divides by 1/4
    assert Fisher(chain)(["aaab"], ["aaa"])[0, 0] == pytest.approx(by_hand) == 4
    np.testing.assert_allclose(chain.information() @ scores[0] / 0.25, scores[0], atol=1e-12)
