"""Notebook 14: what its guesses hold to be true, and its worked solutions, computed in another way."""

from collections import Counter

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.preprocessing import KernelCenterer, PolynomialFeatures

from sparsekm_edu import datasets, exercises
from sparsekm_edu.solvers import swap_gains

STRINGS, FAMILY = datasets.protein_families(n=120, families=3)
LETTERS = np.array([len(x) for x in STRINGS])


def truth(id):
    guess = exercises.GUESSES[id]
    true = guess.truth()
    return guess.kind.told(true), guess.answer(true)


def triples(normalised=False):
    """How often each triple of letters stands in each string, (120, triples)."""
    each = [Counter(x[i : i + 3] for i in range(len(x) - 2)) for x in STRINGS]
    names = sorted(set().union(*each))
    Phi = np.array([[counts[name] for name in names] for counts in each], float)
    return Phi / np.linalg.norm(Phi, axis=1, keepdims=True) if normalised else Phi


def squares(Phi):
    return np.array([((phi - Phi) ** 2).sum(axis=1) for phi in Phi])


def test_14_a_counts_of_triples_put_short_strings_next_to_everybody():
    nearest = {}
    for normalised in (False, True):
        away = squares(triples(normalised))
        np.fill_diagonal(away, np.inf)
        nearest[normalised] = away.argmin(axis=1)
    told, answer = truth("14-a")
    assert round(LETTERS.mean()) == 89  # as the question says
    assert told == "clearly fewer than 89"
    assert answer.startswith(f"{LETTERS[nearest[False]].mean():.0f}, and only {len(set(nearest[False]))} ")
    assert f"neighbours have {LETTERS[nearest[True]].mean():.0f} letters" in answer


def alternation(D, medoids):
    """Algorithm 14.1, written out."""
    while True:
        clusters = [[] for _ in medoids]
        for i in range(len(D)):
            clusters[min(range(len(medoids)), key=lambda k: D[i, medoids[k]])].append(i)
        new = [min(cluster, key=lambda i: sum(D[i, j] for j in cluster)) for cluster in clusters]
        if new == medoids:
            return sum(min(D[i, m] for m in medoids) for i in range(len(D)))
        medoids = new


def test_14_b_few_runs_of_the_alternation_end_at_the_best():
    K = triples() @ triples().T
    D = 2 - 2 * K / np.sqrt(np.outer(np.diag(K), np.diag(K)))  # exactly 2 where nothing is shared: many ties
    np.fill_diagonal(D, 0)
    rng = np.random.default_rng(0)
    starts = [rng.choice(120, 3, replace=False).tolist() for _ in range(200)]
    alone = np.array([alternation(D, start) for start in starts])
    told, answer = truth("14-b")
    assert told == "fewer than 50"
    at_best = int(np.sum(alone < alone.min() + 1e-6))
    assert f"In {at_best} of 200." in answer
    assert "200 of 200 runs end at the lowest cost" in answer


def test_14_c_by_scikit_learn_every_point_is_farther_off_when_left_out():
    X, y = datasets.sinc(n=40, noise=0.2, distribution="gaussian")
    for lam, gamma in (
        (0.1, 1 / (2 * 1.6**2)),
        (3.0, 2.0),
        (1e-3, 0.02),
    ):  # the first is that of the explorer
        model = KernelRidge(alpha=lam, kernel="rbf", gamma=gamma)
        fit, others = model.fit(X, y).predict(X), cross_val_predict(model, X, y, cv=LeaveOneOut())
        assert np.all(np.abs(y - others) > np.abs(y - fit))
    told, answer = truth("14-c")
    assert told == "40"
    assert "λ<i>Q<sub>nn</sub></i> &lt; 1" in answer
    Q = np.linalg.inv(np.exp(-((X - X.T) ** 2) / (2 * 1.6**2)) + 0.1 * np.eye(40))
    assert (0.1 * np.diag(Q)).max() < 1


def test_14_d_six_monomials_have_five_components():
    X, _ = datasets.three_clusters()
    assert len(X) == 90
    monomials = PolynomialFeatures(2).fit_transform(X)
    variances = PCA().fit(monomials * np.sqrt([1, 2, 2, 1, 2, 1])).explained_variance_
    assert np.sum(variances > 1e-12) == 5
    assert truth("14-d")[0] == "5"


def test_14_e_without_centring_the_first_component_is_nearly_constant_and_of_one_sign():
    X, _ = datasets.three_clusters()
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2.0)
    u = np.ones(90)
    for _ in range(200):  # by powers of K, whose entries are all positive
        u = K @ u / np.linalg.norm(K @ u)
    told, answer = truth("14-e")
    assert told == "nearly all the same"
    assert f"Between {u.min():.3f} and {u.max():.3f}, and 1/√90 is 0.105" in answer
    rows = K.sum(axis=1)
    assert f"have a sum of the same size, {rows.min():.0f} to {rows.max():.0f}" in answer


def test_14_f_all_components_of_clean_digits_still_take_noise_off():
    """By projections and a search of our own: digits, noise and width are those of the explorer."""
    images, labels = datasets.digit_images(1250, digits=range(10))
    X = images.reshape(1250, 64) / 16
    learn, rest = X[:250], np.arange(350, 1250)
    rng = np.random.default_rng(0)
    clean = X[[rng.choice(rest[labels[rest] == digit]) for digit in range(10)]]
    with_noise = clean + 0.3 * np.random.default_rng(0).normal(size=clean.shape)
    squares = ((learn[:, None] - learn) ** 2).sum(axis=2)
    gamma = 1 / (2 * 0.71**2 * np.median(squares[np.triu_indices(250, 1)]))
    K = np.exp(-gamma * squares)
    restored = []
    for x in with_noise:
        # nothing is dropped: the features are projected on the span of 250 centred ones, and the mean is added
        k = np.exp(-gamma * ((learn - x) ** 2).sum(axis=1))
        C = np.eye(250) - 1 / 250
        g = C @ np.linalg.lstsq(C @ K @ C, C @ (k - K.mean(axis=1)), rcond=1e-12)[0] + 1 / 250
        for _ in range(300):
            weight = g * np.exp(-gamma * ((learn - x) ** 2).sum(axis=1))
            x = weight @ learn / weight.sum()
        restored.append(np.clip(x, 0, 1))
    before, after = (
        np.sqrt(np.mean((each - clean) ** 2)) for each in (np.clip(with_noise, 0, 1), np.array(restored))
    )
    told, answer = truth("14-f")
    assert np.linalg.matrix_rank(learn - learn.mean(axis=0)) == 58
    assert "250 clean digits have: 58 of PCA, 249 of kernel PCA" in exercises.GUESSES["14-f"].question
    assert after < 0.7 * before
    assert told == "a cleaner digit: at least a quarter of the error is gone"
    assert f"falls from {before:.2f} to {after:.2f}" in answer


@pytest.mark.parametrize("seed", range(5))
def test_the_change_by_a_swap_is_that_of_the_solver(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 2))
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    medoids = rng.choice(12, 3, replace=False)
    gains, change = swap_gains(D, medoids), exercises.solution("14-swap")
    for k in range(3):
        for i in set(range(12)) - set(medoids.tolist()):
            assert change(D, medoids, k, i) == pytest.approx(-gains[k, i], abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_predictions_of_those_left_out_are_those_of_refits(seed):
    rng = np.random.default_rng(seed)
    X, y, lam = rng.normal(size=(15, 3)), rng.normal(size=15), 10 ** rng.uniform(-3, 1)
    refits = cross_val_predict(KernelRidge(alpha=lam, kernel="rbf"), X, y, cv=LeaveOneOut())
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 3)
    np.testing.assert_allclose(exercises.solution("14-loo")(K, y, lam), refits, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_centred_kernels_are_inner_products_of_centred_features_and_scikit_learn_s(seed):
    rng = np.random.default_rng(seed)
    Phi, new = rng.normal(size=(9, 4)) + 2, rng.normal(size=(5, 4))
    K, K_new = Phi @ Phi.T, new @ Phi.T
    found = exercises.solution("14-centre")(K_new, K)
    np.testing.assert_allclose(found, (new - Phi.mean(axis=0)) @ (Phi - Phi.mean(axis=0)).T, atol=1e-12)
    np.testing.assert_allclose(found, KernelCenterer().fit(K).transform(K_new), atol=1e-12)
