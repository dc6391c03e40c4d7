"""The kernel trick against machines that know the feature space, and against scikit-learn's.

Neighbours, medoids, ridge regression, principal components: where the features can be written out, the machine that
sees them must agree with the one that sees the kernel only.
"""

import pickle
from itertools import combinations, product

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as TheirPCA
from sklearn.kernel_ridge import KernelRidge as TheirRidge
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sparsekm_edu import datasets
from sparsekm_edu.kernels import (
    Function,
    Gaussian,
    Linear,
    Normalised,
    Polynomial,
    PyramidMatch,
    Sigmoid,
    Spectrum,
    centred,
)
from sparsekm_edu.kernels.features import second_order
from sparsekm_edu.models import KernelKNN, KernelPCA, KernelRidge, KMedoids, NearestMedoid

# ------------------------------------------------------------------ neighbours


def data(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.array(["a", "b", "c"])[rng.integers(3, size=n)], rng.normal(size=(40, 2))


@pytest.mark.parametrize("n_neighbors", [1, 4, 60])
@pytest.mark.parametrize(
    ("kernel", "features"),
    [(Linear(), np.copy), (Polynomial(degree=2), second_order), (Gaussian(0.7), np.copy)],
    ids=[
        "linear",
        "second order",
        "gaussian",
    ],  # the Gaussian falls with the distance: the neighbours are the same
)
def test_neighbours_in_feature_space(kernel, features, n_neighbors):
    X, y, new = data()
    ours = KernelKNN(n_neighbors, kernel).fit(X, y)
    theirs = KNeighborsClassifier(n_neighbors).fit(features(X), y)
    np.testing.assert_array_equal(ours.kneighbors(new), theirs.kneighbors(features(new))[1])
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(features(new)))
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(features(new)))


def test_a_matrix_of_kernel_values_does_as_well():
    X, y, new = data()
    by_matrix = KernelKNN(3, "precomputed").fit(Polynomial()(X), y)
    np.testing.assert_array_equal(
        by_matrix.predict(Polynomial()(new, X)), KernelKNN(3, Polynomial()).fit(X, y).predict(new)
    )
    with pytest.raises(ValueError, match=r"must be a square matrix, got shape \(40, 60\)"):
        KernelKNN(kernel="precomputed").fit(Polynomial()(new, X), y[:40])


def test_who_wins_a_tie():
    model = KernelKNN(2, Linear()).fit([[0.0], [2.0], [2.0]], ["late", "early", "late"])
    assert model.kneighbors([[1.0]]).tolist() == [[0, 1]]  # three are at distance 1: the first two count
    assert model.predict([[1.0]]) == ["early"]  # one vote each: first in classes_


def test_neighbours_of_strings():
    common_letters = Function(
        lambda X, Z: np.array([[len(set(x) & set(z)) for z in Z] for x in X], dtype=float), takes="strings"
    )
    model = KernelKNN(kernel=common_letters).fit(["abc", "xyz"], [0, 1])
    assert model.predict(["bca", "yx"]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("n_neighbors", "sentence"),
    [
        (0, "n_neighbors must be a whole number >= 1, got 0"),
        (61, "n_neighbors must be at most n_samples = 60, got 61"),
    ],
)
def test_impossible_numbers_of_neighbours(n_neighbors, sentence):
    X, y, _ = data()
    with pytest.raises(ValueError, match=sentence):
        KernelKNN(n_neighbors).fit(X, y)


# ------------------------------------------------------------------ medoids


def distances(X):
    return np.linalg.norm(X[:, None] - X, axis=2)


def best_medoids(D, K):
    return min(combinations(range(len(D)), K), key=lambda medoids: D[list(medoids)].min(axis=0).sum())


def test_medoids_by_euclidean_distances_that_are_not_squared():
    X = np.random.default_rng(0).normal(size=(12, 2)) ** 3
    model = KMedoids(3, random_state=0).fit(X)
    D = distances(X)
    assert tuple(model.medoid_indices_) == best_medoids(D, 3) != best_medoids(D**2, 3)
    assert model.inertia_ == pytest.approx(D[model.medoid_indices_].min(axis=0).sum())
    assert model.kernel_ is None


@pytest.mark.parametrize(
    ("kernel", "features"),
    [(Linear(), np.copy), (Polynomial(degree=2), second_order)],
    ids=["linear", "second order"],
)
def test_medoids_by_a_kernel_are_those_of_squared_distances_in_feature_space(kernel, features):
    X = np.random.default_rng(1).normal(size=(12, 2)) ** 3
    new = np.random.default_rng(2).normal(size=(50, 2))
    D = distances(features(X)) ** 2  # (14.32)
    model = KMedoids(3, kernel=kernel, random_state=0).fit(X)
    assert tuple(model.medoid_indices_) == best_medoids(D, 3)
    assert model.inertia_ == pytest.approx(D[model.medoid_indices_].min(axis=0).sum())
    np.testing.assert_array_equal(model.labels_, D[model.medoid_indices_].argmin(axis=0))
    _, nearest = (
        NearestNeighbors(n_neighbors=1).fit(features(X[model.medoid_indices_])).kneighbors(features(new))
    )
    np.testing.assert_array_equal(model.predict(new), nearest[:, 0])
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    by_matrix = KMedoids(3, kernel="precomputed", random_state=0).fit(kernel(X))
    np.testing.assert_array_equal(by_matrix.labels_, model.labels_)
    np.testing.assert_array_equal(by_matrix.predict(kernel(new, X)), model.predict(new))


def test_clusters_of_strings_are_their_families():
    words, family = datasets.protein_families()
    model = KMedoids(2, kernel=Normalised(Spectrum(3)), random_state=0).fit(words)
    np.testing.assert_array_equal(model.predict(words), model.labels_)
    assert np.count_nonzero(model.labels_ == family) == 57  # of 60, found without being told the families
    classifier = NearestMedoid(kernel=Normalised(Spectrum(3))).fit(words, family)
    assert classifier.score(words, family) == 57 / 60
    assert [family[n] for n in classifier.medoid_indices_] == [0, 1]


def test_rounding_makes_no_negative_distance():
    X = 1e8 + np.random.default_rng(3).normal(size=(10, 2))
    K = Linear()(X)
    assert (np.diagonal(K)[:, None] - 2 * K + np.diagonal(K)).min() < 0
    assert KMedoids(2, kernel=Linear(), random_state=0).fit(X).inertia_ >= 0


def test_the_same_random_state_gives_the_same_medoids_and_more_starts_are_never_worse():
    X = np.random.default_rng(4).normal(size=(80, 2))
    fits = [KMedoids(15, n_init=n_init, random_state=1).fit(X) for n_init in (1, 1, 30)]
    np.testing.assert_array_equal(fits[0].labels_, fits[1].labels_)
    assert fits[2].inertia_ < fits[0].inertia_
    assert fits[0].n_iter_ > 2
    np.testing.assert_array_equal(fits[0].fit_predict(X), fits[1].labels_)


def test_pitfall_60_impossible_numbers_of_clusters():
    X = np.random.default_rng(5).normal(size=(6, 2))
    for n_clusters, sentence in (
        (0, "n_clusters must be a whole number >= 1, got 0"),
        (7, "n_clusters must be at most n_samples = 6, got 7"),
        (2.0, "n_clusters must be a whole number >= 1, got 2.0"),
    ):
        with pytest.raises(ValueError, match=sentence):
            KMedoids(n_clusters).fit(X)
    with pytest.raises(ValueError, match="n_init must be a whole number >= 1, got 0"):
        KMedoids(2, n_init=0).fit(X)
    with pytest.warns(UserWarning, match="n_clusters = 4 is more than there are different inputs"):
        model = KMedoids(4, random_state=0).fit(np.repeat(X[:3], 2, axis=0))
    assert model.inertia_ == 0.0
    assert set(model.labels_) == set(range(4))


@pytest.mark.parametrize("kernel", [None, Polynomial(degree=2), "precomputed"], ids=repr)
def test_nearest_medoid_by_its_definition(kernel):
    X, y, new = data()
    D = distances(X) if kernel is None else distances(second_order(X)) ** 2
    medoids = []
    for label in "abc":
        (members,) = np.nonzero(y == label)
        medoids.append(members[D[np.ix_(members, members)].sum(axis=1).argmin()])  # (14.31)
    to_new = (
        distances(np.vstack([new, X])) if kernel is None else distances(second_order(np.vstack([new, X])))
    )
    expected = np.array(["a", "b", "c"])[to_new[:40, 40:][:, medoids].argmin(axis=1)]
    if kernel == "precomputed":
        model = NearestMedoid(kernel).fit(Polynomial(2)(X), y)
        new = Polynomial(2)(new, X)
    else:
        model = NearestMedoid(kernel).fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(model.medoid_indices_, medoids)
    np.testing.assert_array_equal(model.predict(new), expected)


# ------------------------------------------------------------------ ridge regression


def curve(n=50, seed=6):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, 2))
    return X, np.sin(X[:, 0]) + 0.1 * rng.normal(size=n), rng.uniform(-3, 3, size=(30, 2))


@pytest.mark.parametrize("lam", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize(
    ("kernel", "theirs"),
    [
        (Gaussian(0.7), {"kernel": "rbf", "gamma": 0.7}),
        (Polynomial(degree=3), {"kernel": "poly", "degree": 3, "gamma": 1.0, "coef0": 1.0}),
        (Linear(), {"kernel": "linear"}),
    ],
    ids=["gaussian", "polynomial", "linear"],
)
def test_ridge_is_scikit_learns(kernel, theirs, lam):
    X, y, new = curve()
    ours, other = KernelRidge(kernel, lam).fit(X, y), TheirRidge(alpha=lam, **theirs).fit(X, y)
    np.testing.assert_allclose(ours.predict(new), other.predict(new), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.dual_coef_, other.dual_coef_, rtol=1e-6, atol=1e-8)
    by_matrix = KernelRidge("precomputed", lam).fit(kernel(X), y)
    np.testing.assert_allclose(by_matrix.predict(kernel(new, X)), ours.predict(new), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(by_matrix.leave_one_out_, ours.leave_one_out_, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("D", [3, 80])
def test_ridge_with_the_linear_kernel_is_ridge_regression_without_bias(D):
    rng = np.random.default_rng(7)
    X, y, new = rng.normal(size=(40, D)), rng.normal(size=40), rng.normal(size=(9, D))
    primal = Ridge(alpha=0.3, fit_intercept=False).fit(X, y)
    dual = KernelRidge(Linear(), lam=0.3).fit(X, y)
    np.testing.assert_allclose(X.T @ dual.dual_coef_, primal.coef_, atol=1e-9 * np.abs(primal.coef_).max())
    np.testing.assert_allclose(dual.predict(new), primal.predict(new), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kernel", [Gaussian(0.5), Linear() + Polynomial(degree=0)], ids=repr)
def test_leave_one_out_is_cross_validation_of_its_extreme_kind(kernel):
    X, y, _ = curve(25)
    model = KernelRidge(kernel, lam=0.2).fit(X, y)
    one_by_one = cross_val_predict(KernelRidge(kernel, lam=0.2), X, y, cv=LeaveOneOut())
    np.testing.assert_allclose(model.leave_one_out_, one_by_one, rtol=1e-9, atol=1e-9)


def test_leave_one_out_is_of_the_data_and_the_parameters_of_fit():
    X, y, _ = curve(25)
    K = Gaussian(0.5)(X)
    model = KernelRidge("precomputed", lam=0.2).fit(K, y)
    before = model.leave_one_out_
    K[:] = 0.0
    model.set_params(lam=5.0)
    np.testing.assert_array_equal(model.leave_one_out_, before)


def test_ridge_on_strings_and_sets():
    words = ["abab", "abba", "bbbb", "abcabc", "ccc", ""]
    model = KernelRidge(Spectrum(2), lam=0.1).fit(words, [len(word) for word in words])
    K = Spectrum(2)(words)
    a = np.linalg.solve(K + 0.1 * np.eye(6), [4, 4, 4, 6, 3, 0])
    np.testing.assert_allclose(model.predict(["abc", "bb"]), Spectrum(2)(["abc", "bb"], words) @ a)
    sets = [np.random.default_rng(n).uniform(size=(3, 2)) for n in range(8)]
    machine = KernelRidge(PyramidMatch(levels=5, side=0.1), lam=1e-6).fit(sets, np.arange(8.0))
    np.testing.assert_allclose(machine.predict(sets), np.arange(8.0), atol=1e-4)


# ------------------------------------------------------------------ principal components


def same_up_to_sign(ours, theirs, rel=1e-10):
    theirs = theirs * np.sign((ours * theirs).sum(axis=0))
    np.testing.assert_allclose(ours, theirs, atol=rel * np.abs(theirs).max())


@pytest.mark.parametrize(("N", "D"), [(60, 5), (8, 30), (400, 6)])
def test_components_of_the_linear_kernel_are_those_of_pca(N, D):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(N, D)) * np.arange(1, D + 1) + 5.0
    new = rng.normal(size=(11, D))
    L = 4
    ours, theirs = KernelPCA(Linear(), L).fit(X), PCA(L).fit(X)
    same_up_to_sign(ours.transform(X), theirs.transform(X))
    same_up_to_sign(
        ours.transform(new), theirs.transform(new) * np.sign(ours.transform(new) * theirs.transform(new))
    )
    np.testing.assert_allclose(ours.eigenvalues_, theirs.explained_variance_ * (N - 1), rtol=1e-10)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-10)
    Z = ours.transform(new)
    np.testing.assert_allclose(ours.pre_image(Z), theirs.inverse_transform(theirs.transform(new)), atol=1e-9)


@pytest.mark.parametrize("N", [50, 300])  # by all eigenvectors at once, and a few one by one
@pytest.mark.parametrize(
    ("kernel", "theirs"),
    [
        (Gaussian(0.3), {"kernel": "rbf", "gamma": 0.3}),
        (Polynomial(degree=3), {"kernel": "poly", "degree": 3, "gamma": 1.0, "coef0": 1.0}),
        (Linear(), {"kernel": "linear"}),
    ],
    ids=["gaussian", "polynomial", "linear"],
)
def test_components_are_scikit_learns(kernel, theirs, N):
    rng = np.random.default_rng(9)
    X, new = rng.normal(size=(N, 3)), rng.normal(size=(40, 3))
    ours = KernelPCA(kernel, 3).fit(X)
    other = TheirPCA(3, eigen_solver="dense", **theirs).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, other.eigenvalues_, rtol=1e-10)
    both = ours.transform(np.vstack([X, new])), other.transform(np.vstack([X, new]))
    same_up_to_sign(*both, rel=1e-9)


@pytest.mark.parametrize("N", [40, 300])
def test_centring_of_new_points_is_by_the_training_mean(N):
    """Line 8 of Algorithm 14.2 cannot be meant as it is printed: its matrices do not fit."""
    rng = np.random.default_rng(10)
    X, new = rng.normal(size=(N, 2)), rng.normal(size=(7, 2))
    kernel = Gaussian(0.5)
    model = KernelPCA(kernel, 4)
    Z = model.fit_transform(X)
    np.testing.assert_allclose(model.transform(X), Z, atol=1e-10)
    np.testing.assert_allclose(
        model.transform(X[3:4]), Z[3:4], atol=1e-10
    )  # alone, and not centred by itself
    K, K_new = kernel(X), kernel(new, X)
    O, O_new = np.full((N, N), 1 / N), np.full((7, N), 1 / N)
    with pytest.raises(ValueError, match="matmul"):
        O_new @ K_new
    meant = K_new - O_new @ K - K_new @ O + O_new @ K @ O
    V = model.eigenvectors_ / np.sqrt(model.eigenvalues_)
    np.testing.assert_allclose(model.transform(new), meant @ V, atol=1e-10)
    np.testing.assert_allclose(Z.T @ Z, np.diag(model.eigenvalues_), atol=1e-9)  # uncorrelated
    np.testing.assert_allclose(Z.sum(axis=0), 0, atol=1e-9)


def test_coordinates_along_all_components_have_the_inner_products_of_the_kernel():
    X = np.random.default_rng(11).normal(size=(30, 2))
    model = KernelPCA(Gaussian(0.5), None)
    Z = model.fit_transform(X)
    np.testing.assert_allclose(Z @ Z.T, centred(Gaussian(0.5)(X)), atol=1e-10)
    assert model.n_components_ == Z.shape[1] <= 29
    assert model.explained_variance_ratio_.sum() == pytest.approx(1.0)
    assert KernelPCA(Linear(), None).fit(X).n_components_ == 2


def test_equal_eigenvalues_are_all_found():
    """Points on a circle: sines and cosines come in pairs, also where eigenvectors are found one by one."""
    angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    found = KernelPCA(Gaussian(1.0), 8).fit(ring)
    every = np.linalg.eigvalsh(centred(Gaussian(1.0)(ring)))[::-1]
    np.testing.assert_allclose(found.eigenvalues_, every[:8], rtol=1e-9)
    np.testing.assert_allclose(found.eigenvalues_[::2], found.eigenvalues_[1::2], rtol=1e-9)


def test_of_two_directions_it_is_always_the_same():
    X = np.random.default_rng(12).normal(size=(300, 2))
    few, all_at_once = KernelPCA(Gaussian(0.5), 3).fit(X), KernelPCA(Gaussian(0.5), 30).fit(X)
    for model in (few, all_at_once):
        assert (model.eigenvectors_.max(axis=0) == np.abs(model.eigenvectors_).max(axis=0)).all()
    np.testing.assert_allclose(few.transform(X), all_at_once.transform(X)[:, :3], atol=1e-9)


def test_pitfall_59_more_components_than_there_are():
    X = np.random.default_rng(13).normal(size=(10, 2))
    model = KernelPCA(Linear(), 5).fit(X)
    Z = model.transform(X)
    assert Z.shape == (10, 5)
    assert (model.eigenvalues_ > 0).tolist() == [True, True, False, False, False]
    assert (Z[:, 2:] == 0).all()
    assert KernelPCA(Linear(), 50).fit_transform(X).shape == (10, 10)
    for same in (np.ones((10, 2)), np.full((300, 3), 0.1), np.full((301, 1), 1e5 / 3), X[:1]):
        for kernel, n_components in product((Gaussian(1.0), Linear(), Polynomial(3)), (2, None)):
            Z = KernelPCA(kernel, n_components).fit(same).transform(same)
            assert Z.shape[1] == (1 if n_components is None else min(2, len(same)))
            assert (Z == 0).all()
    for n_components in (0, -1, 1.5, "2"):
        with pytest.raises(ValueError, match="n_components must be a whole number >= 1, got"):
            KernelPCA(n_components=n_components).fit(X)


def test_negative_eigenvalues_have_no_component():
    K = np.array([(1.0, 2.0), (2.0, 1.0)])
    X = np.random.default_rng(14).normal(size=(30, 2))
    model = KernelPCA(Sigmoid(offset=-1.0), None).fit(X)
    assert (np.linalg.eigvalsh(centred(Sigmoid(offset=-1.0)(X))) < -1e-3).any()
    assert (model.eigenvalues_ > 0).all()
    assert KernelPCA("precomputed", 2).fit(K).eigenvalues_.tolist() == [0.0, 0.0]  # they are 0 and -1
    with pytest.raises(ValueError, match="K must be symmetric"):
        KernelPCA("precomputed").fit([(1.0, 0.0), (0.5, 1.0)])


def test_components_of_strings():
    words, family = datasets.protein_families()
    Z = KernelPCA(Normalised(Spectrum(3)), 3).fit_transform(words)
    expected = PCA(3).fit_transform(
        np.linalg.cholesky(Normalised(Spectrum(3))(words) + 1e-12 * np.eye(len(words)))
    )
    same_up_to_sign(Z, expected, rel=1e-6)


# pre-images


def test_the_pre_image_of_a_training_point_is_that_point():
    X = np.random.default_rng(15).normal(size=(40, 3))
    model = KernelPCA(Gaussian(0.5), None)
    np.testing.assert_allclose(model.pre_image(model.fit_transform(X)), X, atol=1e-6)


def test_the_pre_image_is_as_near_as_any_input_around_it():
    rng = np.random.default_rng(16)
    angle = rng.uniform(0, np.pi, size=200)
    X = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.1 * rng.normal(size=(200, 2))
    kernel = Gaussian(2.0)
    model = KernelPCA(kernel, 4).fit(X)
    noisy = X[:30] + 0.2 * rng.normal(size=(30, 2))
    Z = model.transform(noisy)
    clean = model.pre_image(Z)

    # |phi(x) - P|^2 = k(x, x) - 2 <phi(x), P> + const with P = mean + sum_l z_l v_l, features written as kernels
    V = model.eigenvectors_ / np.sqrt(model.eigenvalues_)
    V -= V.mean(axis=0)

    def nearness(x):
        K = kernel(x, X)
        return K.mean(axis=1) + ((K @ V) * Z).sum(axis=1)

    for direction in np.eye(2):
        for step in (1e-3, -1e-3, 0.05, -0.05):
            assert (nearness(clean) > nearness(clean + step * direction)).all()
    for n in range(30):
        assert nearness(clean)[n] >= max(nearness(np.tile(x, (30, 1)))[n] for x in X) - 1e-12
    off_the_arc = (
        np.abs(np.linalg.norm(noisy, axis=1) - 1).mean(),
        np.abs(np.linalg.norm(clean, axis=1) - 1).mean(),
    )
    assert off_the_arc[1] < 0.4 * off_the_arc[0]
    np.testing.assert_array_equal(model.inverse_transform(Z), clean)


def test_pre_images_of_impossible_coordinates_are_inputs_all_the_same():
    X = np.random.default_rng(17).normal(size=(50, 2))
    model = KernelPCA(Gaussian(0.5), 3).fit(X)
    for size in (1.0, 1e3, 1e9):
        x = model.pre_image(size * np.random.default_rng(18).normal(size=(40, 3)))
        assert np.isfinite(x).all()
        assert np.abs(x).max() < 10


def test_pre_images_of_other_kernels_are_refused():
    X = np.random.default_rng(19).normal(size=(20, 2))
    for model, fitted_to in (
        (KernelPCA(Polynomial(), 2), X),
        (KernelPCA("precomputed", 2), X @ X.T),
        (KernelPCA(Spectrum(1), 2), ["ab", "b", "aab"]),
    ):
        with pytest.raises(
            ValueError, match="pre_image is there for the kernels Gaussian and Linear.*got kernel = "
        ):
            model.fit(fitted_to).pre_image(np.zeros((1, 2)))
    with pytest.raises(ValueError, match="Z must have n_components_ = 2 columns, got 3"):
        KernelPCA().fit(X).pre_image(np.zeros((1, 3)))
    with pytest.raises(ValueError, match="Z contains NaN"):
        KernelPCA().fit(X).pre_image([[np.nan, 0.0]])


# ------------------------------------------------------------------ as estimators


def test_clones_pickles_and_names_of_features():
    X, y, new = curve()
    for machine in (
        KMedoids(3, kernel=Linear() + Gaussian(0.5), random_state=0),
        NearestMedoid(),
        KernelRidge(Gaussian(0.5)),
        KernelPCA(Gaussian(0.5)),
    ):
        answer = "transform" if hasattr(machine, "transform") else "predict"
        model = clone(machine).fit(X, y > 0)
        copy = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(getattr(copy, answer)(new), getattr(model, answer)(new))
        assert repr(clone(model)) == repr(machine)
    assert KernelPCA().fit(X).get_feature_names_out().tolist() == ["kernelpca0", "kernelpca1"]


def test_pipelines_and_grid_search():
    X, y, _ = curve()
    pipeline = make_pipeline(StandardScaler(), KernelPCA(Gaussian(0.3), 10), KernelRidge(Linear(), lam=0.01))
    assert pipeline.fit(X, y).score(X, y) > 0.9
    search = GridSearchCV(KernelRidge(), {"kernel__gamma": [1e-4, 0.5], "lam": [0.01, 100.0]}, cv=3).fit(X, y)
    assert search.best_params_ == {"kernel__gamma": 0.5, "lam": 0.01}
