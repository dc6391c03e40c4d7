"""Every machine on strings, documents and sets: a machine takes what its kernel takes, and says what the matrix says.

A machine on a list must predict what it predicts from the Gram matrix of that list, with kernel="precomputed": the path
through the list adds nothing of its own.
"""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from sparsekm_edu.kernels import Function, Gaussian, Normalised, PyramidMatch, Spectrum, TfIdf
from sparsekm_edu.models import (
    DAGSVM,
    RVC,
    RVR,
    SVC,
    SVDD,
    SVR,
    KernelKNN,
    KernelPCA,
    KernelRidge,
    KMedoids,
    L1VMClassifier,
    L1VMRegressor,
    L2VMClassifier,
    L2VMRegressor,
    LeeSVC,
    NearestMedoid,
    NuSVC,
    NuSVR,
    OneClassSVM,
    PlattScaling,
    PolsonScottSVM,
    WestonWatkinsSVC,
    optimise_kernel,
)

RNG = np.random.default_rng(0)


def strings(n, letters):
    """n strings of 8 to 12 letters, the later letters less often."""
    share = np.arange(len(letters), 0, -1.0)
    return [
        "".join(RNG.choice(list(letters), size=RNG.integers(8, 13), p=share / share.sum())) for _ in range(n)
    ]


STRINGS = strings(20, "abc") + strings(20, "cba") + strings(20, "dca")
LABELS = np.repeat(["one", "two", "three"], 20)
SETS = [RNG.uniform(0.1 * (n // 20), 0.7 + 0.1 * (n // 20), size=(RNG.integers(1, 8), 2)) for n in range(60)]
TEXTS = [f"{' '.join(word)} the" for word in STRINGS]  # letters as words, and a word that is everywhere
TWO = slice(0, 40)

KERNELS = {
    "strings": (Spectrum(2), STRINGS),
    "documents": (TfIdf(convention="scikit-learn"), [text.replace(" ", "x ") for text in TEXTS]),
    "sets": (PyramidMatch(levels=5, side=0.1), SETS),
    "composed": (Normalised(Spectrum(1) + 0.5 * Spectrum(2)), STRINGS),
}
TWO_CLASSES = [
    SVC(),
    NuSVC(nu=0.3),
    RVC(),
    L1VMClassifier(),
    L2VMClassifier(),
    KernelKNN(3),
    NearestMedoid(),
    PolsonScottSVM(),
]
MANY_CLASSES = [
    DAGSVM(SVC()),
    WestonWatkinsSVC(),
    LeeSVC(),
    RVC(),
    L1VMClassifier(lam=0.3),
    KernelKNN(3),
    NearestMedoid(),
]
CURVES = [SVR(), NuSVR(), RVR(), L1VMRegressor(lam=0.1), L2VMRegressor(), KernelRidge()]


def with_kernel(machine, kernel):
    machine = clone(machine)
    return machine.set_params(
        **{"estimator__kernel" if "estimator" in machine.get_params() else "kernel": kernel}
    )


def outputs(machine, X):
    for name in ("decision_function", "predict_proba"):
        if hasattr(machine, name):
            return getattr(machine, name)(X)
    return machine.predict(X)


def assert_same_as_by_matrix(machine, kernel, X, y):
    """Fit to all but ten inputs, compare at these ten."""
    train, test = X[:-10], X[-10:]
    kernel = kernel.adapted_to(train)
    by_list = with_kernel(machine, kernel).fit(train, y[:-10])
    by_matrix = with_kernel(machine, "precomputed").fit(kernel(train), y[:-10])
    ours, expected = outputs(by_list, test), outputs(by_matrix, kernel(test, train))
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(ours, expected, rtol=1e-6, atol=1e-8)
    else:
        np.testing.assert_array_equal(ours, expected)


@pytest.mark.filterwarnings("ignore:rho = ", "ignore:There are no")
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("machine", TWO_CLASSES, ids=repr)
def test_two_classes(machine, name):
    kernel, X = KERNELS[name]
    shuffled = np.random.default_rng(1).permutation(40)
    assert_same_as_by_matrix(machine, kernel, [X[n] for n in shuffled], LABELS[TWO][shuffled])


@pytest.mark.parametrize("machine", MANY_CLASSES, ids=repr)
def test_many_classes(machine):
    shuffled = np.random.default_rng(2).permutation(60)
    assert_same_as_by_matrix(machine, Spectrum(2), [STRINGS[n] for n in shuffled], LABELS[shuffled])


@pytest.mark.parametrize("name", ["strings", "sets"])
@pytest.mark.parametrize("machine", CURVES, ids=repr)
def test_curves(machine, name):
    kernel, X = KERNELS[name]
    assert_same_as_by_matrix(
        machine, kernel, X, np.array([len(x) + 0.1 * np.cos(n) for n, x in enumerate(X)])
    )


@pytest.mark.parametrize("name", KERNELS)
def test_clusters_and_components(name):
    kernel, X = KERNELS[name]
    kernel = kernel.adapted_to(X[:50])
    for machine, answer in ((KMedoids(3, random_state=0), "predict"), (KernelPCA(), "transform")):
        by_list = clone(machine).set_params(kernel=kernel).fit(X[:50])
        by_matrix = clone(machine).set_params(kernel="precomputed").fit(kernel(X[:50]))
        np.testing.assert_allclose(
            getattr(by_list, answer)(X[50:]), getattr(by_matrix, answer)(kernel(X[50:], X[:50])), atol=1e-9
        )


@pytest.mark.parametrize("name", KERNELS)
def test_novelties(name):
    kernel, X = KERNELS[name]
    kernel = kernel.adapted_to(X[:50])
    model = OneClassSVM(nu=0.2, kernel=kernel).fit(X[:50])
    matrix = OneClassSVM(nu=0.2, kernel="precomputed").fit(kernel(X[:50]))
    np.testing.assert_allclose(
        model.decision_function(X[50:]), matrix.decision_function(kernel(X[50:], X[:50])), atol=1e-9
    )
    sphere = SVDD(nu=0.2, kernel=kernel).fit(X[:50])  # which needs k(x, x) and has no form with a matrix
    centre = kernel(X[50:], X[:50])[:, sphere.support_] @ sphere.dual_coef_[0]
    a = sphere.dual_coef_[0]
    inside = a @ kernel(X[:50])[np.ix_(sphere.support_, sphere.support_)] @ a
    distance2 = kernel.diag(X[50:]) - 2 * centre + inside
    np.testing.assert_allclose(sphere.decision_function(X[50:]), sphere.radius_**2 - distance2, atol=1e-9)


def test_vectors_that_matter_are_the_inputs_themselves():
    model = SVC(kernel=Spectrum(2)).fit(STRINGS[TWO], LABELS[TWO])
    assert model.support_vectors_.tolist() == [STRINGS[n] for n in model.support_]
    relevant = RVC(kernel=Spectrum(2)).fit(STRINGS[TWO], LABELS[TWO])
    assert 0 < relevant.n_relevance_ < 40
    assert relevant.relevance_vectors_.tolist() == [STRINGS[n] for n in relevant.relevance_]


def test_weights_and_probabilities():
    weight = np.ones(40)
    weight[::4] = 0.0
    kept = weight > 0
    model = SVC(kernel=Spectrum(2)).fit(STRINGS[TWO], LABELS[TWO], sample_weight=weight)
    alone = SVC(kernel=Spectrum(2)).fit(np.array(STRINGS[TWO])[kept], LABELS[TWO][kept])
    np.testing.assert_allclose(model.decision_function(STRINGS), alone.decision_function(STRINGS), atol=1e-9)
    shares = PlattScaling(SVC(kernel=Spectrum(2))).fit(STRINGS[TWO], LABELS[TWO]).predict_proba(STRINGS)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_row_by_row_solvers():
    """Chunking asks for rows of the Gram matrix one by one."""
    rows = SVC(kernel=Spectrum(2), solver="chunking", tol=1e-8).fit(STRINGS[TWO], LABELS[TWO])
    whole = SVC(kernel=Spectrum(2), solver="smo", tol=1e-8).fit(STRINGS[TWO], LABELS[TWO])
    np.testing.assert_allclose(rows.decision_function(STRINGS), whole.decision_function(STRINGS), atol=1e-6)


def test_grid_search_pipelines_and_clones():
    machine = SVC(kernel=Spectrum(2))
    pipeline = make_pipeline(FunctionTransformer(lambda X: [x.upper() for x in X]), machine)
    k = [1, 2, 5]
    search = GridSearchCV(machine, {"kernel__k": k}, cv=4).fit(STRINGS[TWO], LABELS[TWO])
    scores = [
        cross_val_score(SVC(kernel=Spectrum(each)), STRINGS[TWO], LABELS[TWO], cv=4).mean() for each in k
    ]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], scores)
    assert len(set(scores)) > 1
    assert machine.kernel.k == 2
    in_capitals = GridSearchCV(pipeline, {"svc__kernel__k": k}, cv=4).fit(STRINGS[TWO], LABELS[TWO])
    np.testing.assert_allclose(in_capitals.cv_results_["mean_test_score"], scores)
    again = clone(search.best_estimator_).fit(STRINGS[TWO], LABELS[TWO])
    np.testing.assert_array_equal(again.predict(STRINGS), search.predict(STRINGS))


def test_what_a_kernel_learns_is_learned_from_the_training_part_only():
    """Words of the left-out fold must not count in the idf of the others."""
    kernel, X = KERNELS["documents"]
    found = cross_val_predict(SVC(kernel=kernel), X[TWO], LABELS[TWO], cv=4)
    folds = np.empty(40, dtype=object)
    for train, test in StratifiedKFold(4).split(X[TWO], LABELS[TWO]):
        own = kernel.adapted_to([X[n] for n in train])
        model = SVC(kernel="precomputed").fit(own([X[n] for n in train]), LABELS[train])
        folds[test] = model.predict(own([X[n] for n in test], [X[n] for n in train]))
    np.testing.assert_array_equal(found, folds.astype(str))


def test_one_versus_the_rest_of_scikit_learn():
    model = OneVsRestClassifier(SVC(kernel=Spectrum(2))).fit(STRINGS, LABELS)
    assert model.score(STRINGS, LABELS) > 0.7


def test_a_machine_may_go_from_vectors_to_strings_and_back():
    model = SVC().fit(RNG.normal(size=(40, 2)), LABELS[TWO])
    model.set_params(kernel=Spectrum(2)).fit(STRINGS[TWO], LABELS[TWO])
    assert not hasattr(model, "n_features_in_")
    model.set_params(kernel=Gaussian()).fit(RNG.normal(size=(40, 3)), LABELS[TWO])
    assert model.n_features_in_ == 3


@pytest.mark.parametrize(
    ("fit", "sentence"),
    [
        (
            lambda: SVC(kernel=Spectrum(2)).fit("abc", [0, 1]),
            "X must be a list of strings, got one string, 'abc'",
        ),
        (lambda: SVC(kernel=Spectrum(2)).fit(["ab", 1.5], [0, 1]), "got 1.5 of type float at index 1"),
        (lambda: SVC(kernel=Spectrum(2)).fit([], []), "X must hold at least one input, got an empty list"),
        (lambda: SVC(kernel=Spectrum(2)).fit(["ab"], [0]), "The number of classes has to be 2, got 1 class"),
        (lambda: SVC(kernel=Spectrum(2)).fit(["ab", "b"], None), "requires y to be passed"),
        (lambda: SVC(kernel=Spectrum(2)).fit(["ab", "b"], [0]), "inconsistent numbers of samples: [2, 1]"),
        (
            lambda: SVC(kernel=Spectrum(2)).fit(["ab", "ba"], [0, 1]).predict([3]),
            "got 3 of type int at index 0",
        ),
        (lambda: SVC(kernel=Spectrum(2)).fit(["ab", "ba"], [0, 1]).predict([]), "at least one input"),
        (
            lambda: SVC().fit(["ab", "b"], [0, 1]),
            "got the string 'ab' at index 0; kernels such as Spectrum(3)",
        ),
        (
            lambda: SVC(kernel=PyramidMatch()).fit([[(0.1, 0.2)], [(0.1, float("nan"))]], [0, 1]),
            "got nan, infinity or more in the set at index 1",
        ),
        (
            lambda: SVC(kernel=PyramidMatch()).fit([[(0.1, 0.2)], [(0.1,)]], [0, 1]),
            "equally many coordinates, got 2 at index 0 and 1 at index 1",
        ),
        (
            lambda: SVC(kernel=Spectrum(2) + Gaussian()).fit(["ab", "b"], [0, 1]),
            "can be joined if they take the same inputs",
        ),
        (
            lambda: RVC(kernel=Spectrum(2), extra="linear").fit(["ab", "b"], [0, 1]),
            "which have no coordinates",
        ),
        (lambda: SVC(kernel=Spectrum(1)).fit(["ab", "b"], [0, 1]).surface([0], [1]), "got strings"),
        (
            lambda: optimise_kernel(Spectrum(2), ["ab", "b"], [0.0, 1.0]),
            "GridSearchCV chooses its parameters",
        ),
    ],
)
def test_a_slip_is_named_in_one_sentence(fit, sentence):
    with pytest.raises(ValueError) as refusal:
        fit()
    assert sentence in str(refusal.value)
    assert str(refusal.value).count("\n") == 0


def test_a_function_of_ones_own_on_strings():
    kernel = Function(lambda X, Z: np.array([[float(x[0] == z[0]) for z in Z] for x in X]), takes="strings")
    model = SVC(kernel=kernel).fit(["ab", "ac", "bb", "bc"], [0, 0, 1, 1])
    assert model.predict(["ax", "bx"]).tolist() == [0, 1]


def test_a_kernel_that_counts_nothing_is_named():
    with pytest.warns(UserWarning, match=r"Spectrum\(k=5\) is 0 for all inputs"):
        SVC(kernel=Spectrum(5)).fit(["ab", "ba"], [0, 1])


def test_empty_strings_and_empty_sets_are_inputs():
    model = SVC(C=10.0, kernel=Spectrum(2)).fit(["", "ab", "abab", ""], [0, 1, 1, 0])
    assert model.predict(["", "ab"]).tolist() == [0, 1]
    sets = SVC(C=10.0, kernel=PyramidMatch()).fit([np.empty((0, 2)), [(0.5, 0.5)]], [0, 1])
    assert sets.predict([np.empty((0, 2)), [(0.5, 0.5)]]).tolist() == [0, 1]
