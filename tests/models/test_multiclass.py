"""More than two classes: tournaments and joint machines, and scikit-learn's wrappers around SVC."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVC
from sparsekm_edu.models.multiclass import DAGSVM, LeeSVC, WestonWatkinsSVC
from sparsekm_edu.solvers.dual.joint import interior_point, lee, weston_watkins

IRIS, NUMBER = load_iris(return_X_y=True)
SPECIES = load_iris().target_names[NUMBER]
JOINT = pytest.mark.parametrize("joint", [WestonWatkinsSVC, LeeSVC])
ALL = pytest.mark.parametrize("machine", [DAGSVM(), WestonWatkinsSVC(), LeeSVC()], ids=repr)


def clusters(n_classes=4, per_class=15, spread=0.4, seed=0):
    """n_classes Gaussian clusters around a circle, with labels 0, 1, ... in random order."""
    rng = np.random.default_rng(seed)
    label = rng.permutation(np.repeat(np.arange(n_classes), per_class))
    angle = 2 * np.pi * label / n_classes
    return np.column_stack([np.cos(angle), np.sin(angle)]) + spread * rng.normal(size=(len(label), 2)), label


X, LABEL = clusters()
POINTS = np.random.default_rng(1).uniform(-2, 2, size=(100, 2))


# ------------------------------------------------------------------ the tournament


@pytest.mark.parametrize("n_classes", range(2, 7))
def test_tournament_by_hand(n_classes):
    """Point by point with two pointers, as Platt, Cristianini and Shawe-Taylor describe it."""
    points, label = clusters(n_classes, seed=n_classes, spread=0.7)
    names = np.array(list("abcdef"))[:n_classes]
    dag = DAGSVM(SVC(C=10.0)).fit(points, names[label])
    assert len(dag.estimators_) == n_classes * (n_classes - 1) // 2
    assert dag.n_evaluations_ == n_classes - 1
    asked = {
        pair: SVC(C=10.0).fit(points[np.isin(label, pair)], label[np.isin(label, pair)])
        for pair in dag.estimators_
    }
    for x, path, winner in zip(POINTS, dag.decision_path(POINTS), dag.predict(POINTS)):
        first, last, way = 0, n_classes - 1, [(0, n_classes - 1)]
        while first < last:
            if asked[first, last].decision_function([x])[0] > 0:
                first += 1
            else:
                last -= 1
            way.append((first, last))
        assert way == [tuple(step) for step in path]
        assert winner == names[first]


def test_each_point_asks_as_many_machines_as_promised(monkeypatch):
    answered = []
    predict = SVC.predict
    monkeypatch.setattr(SVC, "predict", lambda self, X: answered.append(len(X)) or predict(self, X))
    dag = DAGSVM().fit(X, LABEL)
    dag.predict(POINTS)
    assert sum(answered) == len(POINTS) * dag.n_evaluations_
    assert len(answered) <= 6  # all points at the same node are asked together


def test_two_classes_are_one_machine():
    two = LABEL < 2
    np.testing.assert_array_equal(
        DAGSVM().fit(X[two], LABEL[two]).predict(POINTS), SVC().fit(X[two], LABEL[two]).predict(POINTS)
    )


def test_tournament_of_other_machines():
    assert DAGSVM(KNeighborsClassifier(3)).fit(IRIS, SPECIES).score(IRIS, SPECIES) > 0.93
    with pytest.raises(
        ValueError, match=r"sample_weight was given, but the estimator KNeighborsClassifier\(\)"
    ):
        DAGSVM(KNeighborsClassifier()).fit(IRIS, SPECIES, sample_weight=np.ones(150))
    weight = np.random.default_rng(0).uniform(size=150)
    heavy = DAGSVM(Perceptron(random_state=0)).fit(IRIS, SPECIES, sample_weight=weight)
    pair = NUMBER > 0
    alone = Perceptron(random_state=0).fit(IRIS[pair], SPECIES[pair], sample_weight=weight[pair])
    np.testing.assert_array_equal(heavy.estimators_[1, 2].coef_, alone.coef_)


def test_tournament_with_precomputed_kernel():
    weight = np.arange(len(LABEL)) % 3
    for weights in ({}, {"sample_weight": weight}):
        direct = DAGSVM(SVC(kernel=Gaussian())).fit(X, LABEL, **weights)
        computed = DAGSVM(SVC(kernel="precomputed")).fit(Gaussian()(X), LABEL, **weights)
        np.testing.assert_array_equal(
            computed.decision_path(Gaussian()(POINTS, X)), direct.decision_path(POINTS)
        )
    with pytest.raises(ValueError, match=r"square matrix, got shape \(60, 2\)"):
        DAGSVM(SVC(kernel="precomputed")).fit(X, LABEL)


# ------------------------------------------------------------------ joint machines


@JOINT
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5)], ids=repr)
def test_solvers_agree(joint, kernel):
    """Clarabel's outputs are good to about 1e-6 here."""
    ours, theirs = (joint(kernel=kernel, solver=solver).fit(X, LABEL) for solver in ("interior", "qp"))
    np.testing.assert_allclose(ours.decision_function(POINTS), theirs.decision_function(POINTS), atol=1e-5)
    assert ours.converged_
    assert ours.kkt_violation_ <= 1e-10


@pytest.mark.parametrize("C", [0.001, 0.1, 1.0, 100.0])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=repr)
def test_two_classes_are_the_binary_machine(C, kernel):
    """The same y(x), with the same C for Weston-Watkins and twice C for Lee; C = 0.001 leaves b undetermined."""
    two = LABEL < 2
    points, label = X[two], np.array(["no", "yes"])[LABEL[two]]
    binary = SVC(C=C, kernel=kernel, tol=1e-8).fit(points, label)
    y = binary.decision_function(POINTS)
    for model in (WestonWatkinsSVC(C=C, kernel=kernel), LeeSVC(C=2 * C, kernel=kernel)):
        model.fit(points, label)
        assert model.decision_function(POINTS).shape == (100,)
        np.testing.assert_allclose(model.decision_function(POINTS), y, atol=1e-7)
        np.testing.assert_array_equal(model.predict(POINTS), binary.predict(POINTS))
        np.testing.assert_array_equal(model.support_, binary.support_)
        assert model.dual_coef_.shape == (2, len(model.support_))
        np.testing.assert_allclose(model.dual_coef_, [[-1.0], [1.0]] * binary.dual_coef_, atol=1e-8)


@JOINT
def test_fitted_attributes(joint):
    model = joint(C=0.5, kernel=Gaussian()).fit(IRIS, SPECIES)
    support = len(model.support_)
    assert 0 < support < 150
    np.testing.assert_array_equal(model.support_vectors_, IRIS[model.support_])
    assert model.dual_coef_.shape == (3, support)
    assert model.intercept_.shape == (3,)
    f = model.decision_function(IRIS)
    assert f.shape == (150, 3)
    np.testing.assert_allclose(f.sum(axis=1), 0, atol=1e-10)  # sum_k w_k = 0 and sum_k b_k = 0
    np.testing.assert_allclose(model.dual_coef_.sum(axis=1), 0, atol=1e-12)  # the biases' equalities
    np.testing.assert_array_equal(model.classes_, ["setosa", "versicolor", "virginica"])
    np.testing.assert_array_equal(model.predict(IRIS), model.classes_[f.argmax(axis=1)])
    assert model.score(IRIS, SPECIES) > 0.96
    assert (model.n_iter_ >= 1, model.converged_, model.n_features_in_) == (True, True, 4)


@pytest.mark.parametrize(("joint", "formulation"), [(WestonWatkinsSVC, weston_watkins), (LeeSVC, lee)])
def test_estimator_is_the_solver(joint, formulation):
    model = joint(C=3.0, kernel=Gaussian(0.7)).fit(X, LABEL)
    solution = interior_point(formulation(Gaussian(0.7)(X), LABEL, 3.0))
    np.testing.assert_allclose(
        model.decision_function(POINTS), Gaussian(0.7)(POINTS, X) @ solution.v + solution.b, atol=1e-12
    )
    assert model.solution_.objective == solution.objective


@JOINT
def test_every_target_is_met_where_classes_are_apart(joint):
    points, label = clusters(spread=0.02)
    f = joint(C=1e3, kernel=Gaussian(0.3)).fit(points, label).decision_function(points)
    own = f[np.arange(60), label]
    others = np.delete(f.ravel(), 4 * np.arange(60) + label).reshape(60, 3)
    if joint is WestonWatkinsSVC:
        assert np.min(own - others.max(axis=1)) == pytest.approx(2, abs=1e-8)
    else:
        assert np.max(others) == pytest.approx(-1 / 3, abs=1e-8)
        assert np.min(own) >= 1 - 1e-8


@JOINT
def test_surface_is_the_decision_function_on_a_grid(joint):
    x1, x2 = np.linspace(-2, 2, 13), np.linspace(-1, 2, 7)
    points = np.array([[p, q] for q in x2 for p in x1])
    for kernel in (Polynomial(2), Gaussian(0.7)):
        model = joint(kernel=kernel).fit(X, LABEL)
        f = model.decision_function(points)
        assert model.surface(x1, x2).shape == (4, 7, 13)
        np.testing.assert_allclose(model.surface(x1, x2), f.T.reshape(4, 7, 13), rtol=1e-10, atol=1e-12)
    two = joint().fit(X[LABEL < 2], LABEL[LABEL < 2])
    f0, f1 = two.surface(x1, x2)
    np.testing.assert_allclose((f1 - f0).ravel() / 2, two.decision_function(points), atol=1e-12)
    with pytest.raises(ValueError, match="surface needs data with 2 features, got 4"):
        joint().fit(IRIS, NUMBER).surface(x1, x2)
    with pytest.raises(ValueError, match="no surface"):
        joint(kernel="precomputed").fit(Gaussian()(X), LABEL).surface(x1, x2)


@JOINT
def test_order_of_points_and_names_of_classes(joint):
    order = np.random.default_rng(0).permutation(60)
    names = np.array(["d", "a", "c", "b"])
    f = joint().fit(X, LABEL).decision_function(POINTS)
    renamed = joint().fit(X[order], names[LABEL[order]])
    np.testing.assert_allclose(renamed.decision_function(POINTS), f[:, np.argsort(names)], atol=1e-9)


@ALL
def test_weight_k_is_k_copies(machine):
    weight = np.random.default_rng(0).integers(0, 4, size=60)
    weighted = clone(machine).fit(X, LABEL, sample_weight=weight)
    copies = clone(machine).fit(np.repeat(X, weight, axis=0), np.repeat(LABEL, weight))
    np.testing.assert_array_equal(weighted.predict(POINTS), copies.predict(POINTS))
    if hasattr(machine, "decision_function"):
        np.testing.assert_allclose(
            weighted.decision_function(POINTS), copies.decision_function(POINTS), atol=1e-8
        )


@JOINT
def test_precomputed_kernel_with_weights_keeps_the_numbering_of_rows(joint):
    weight = np.arange(60) % 3
    direct = joint(kernel=Gaussian()).fit(X, LABEL, sample_weight=weight)
    computed = joint(kernel="precomputed").fit(Gaussian()(X), LABEL, sample_weight=weight)
    np.testing.assert_array_equal(computed.support_, direct.support_)
    np.testing.assert_allclose(
        computed.decision_function(Gaussian()(POINTS, X)), direct.decision_function(POINTS), atol=1e-9
    )


# ------------------------------------------------------------------ as estimators


@ALL
def test_clone_pickle_and_pipeline(machine):
    model = clone(machine).fit(IRIS, SPECIES)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(IRIS), model.predict(IRIS))
    assert not hasattr(clone(model), "classes_")
    assert cross_val_score(make_pipeline(StandardScaler(), machine), IRIS, SPECIES, cv=3).mean() > 0.93


@pytest.mark.parametrize(
    ("machine", "name"),
    [(WestonWatkinsSVC(kernel=Gaussian()), "kernel__gamma"), (LeeSVC(kernel=Gaussian()), "kernel__gamma"),
     (DAGSVM(SVC(kernel=Gaussian())), "estimator__kernel__gamma"),
     (OneVsRestClassifier(SVC(kernel=Gaussian())), "estimator__kernel__gamma"),
     (OneVsOneClassifier(SVC(kernel=Gaussian())), "estimator__kernel__gamma"),
     (OutputCodeClassifier(SVC(kernel=Gaussian()), random_state=0), "estimator__kernel__gamma")],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_grid_search_over_kernel_parameters(machine, name):
    """gamma = 1000 makes every point stand alone, so that only 0.1 generalises."""
    search = GridSearchCV(machine, {name: [0.1, 1000.0]}, cv=3).fit(IRIS, SPECIES)
    assert search.best_params_ == {name: 0.1}
    assert search.best_score_ > 0.93


@pytest.mark.parametrize(
    "wrapper",
    [OneVsRestClassifier(SVC(C=10.0)), OneVsOneClassifier(SVC(C=10.0)),
     OutputCodeClassifier(SVC(C=10.0), code_size=4, random_state=0)],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_scikit_learns_wrappers_around_svc(wrapper):
    model = wrapper.fit(IRIS, SPECIES)
    n_machines = sum(isinstance(machine, SVC) for machine in model.estimators_)
    if isinstance(wrapper, OutputCodeClassifier):
        assert len(model.estimators_) == 12
        # a random code may put all classes on one side, and then there is nothing to learn
        assert n_machines == np.sum(np.ptp(model.code_book_, axis=0) > 0)
    else:
        assert n_machines == len(model.estimators_) == 3
        assert model.decision_function(IRIS).shape == (150, 3)
    assert model.score(IRIS, SPECIES) > 0.96
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(IRIS), model.predict(IRIS))


def test_wrappers_with_precomputed_kernel():
    K = Gaussian()(IRIS)
    model = OneVsOneClassifier(SVC(kernel="precomputed")).fit(K, SPECIES)
    direct = OneVsOneClassifier(SVC(kernel=Gaussian())).fit(IRIS, SPECIES)
    np.testing.assert_array_equal(model.predict(K), direct.predict(IRIS))


def test_one_versus_one_trains_the_machines_of_the_tournament():
    votes, dag = OneVsOneClassifier(SVC()).fit(X, LABEL), DAGSVM().fit(X, LABEL)
    for vote, machine in zip(votes.estimators_, dag.estimators_.values()):
        np.testing.assert_array_equal(vote.decision_function(POINTS), machine.decision_function(POINTS))


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    "machine",
    [DAGSVM(), WestonWatkinsSVC(), LeeSVC(), OneVsRestClassifier(SVC()), OneVsOneClassifier(SVC())],
    ids=lambda value: type(value).__name__,
)
def test_row_63_a_class_missing_from_a_fold(machine):
    """The first fold of unshuffled data lacks a class: fitted to two classes, it works and never names the third."""
    sorted_X, sorted_y = IRIS[:100], SPECIES[:100]
    model = clone(machine).fit(sorted_X, sorted_y)
    assert set(model.predict(IRIS)) == {"setosa", "versicolor"}
    scores = cross_val_score(machine, IRIS, SPECIES, cv=[(np.arange(100), np.arange(100, 150))])
    np.testing.assert_array_equal(scores, [0.0])


@pytest.mark.parametrize(
    "machine",
    [DAGSVM(SVC(kernel="linear")), WestonWatkinsSVC(kernel="linear"), LeeSVC(kernel="linear"),
     OneVsRestClassifier(SVC(kernel="linear")), OneVsOneClassifier(SVC(kernel="linear"))],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_row_63_in_a_tie_the_lowest_class_wins(machine, n_classes):
    """All points in one place, as many of every class: nobody can tell the classes apart."""
    points, label = np.zeros((4 * n_classes, 2)), np.tile(np.array(list("qwer"))[:n_classes], 4)
    lowest = min(label)
    assert set(clone(machine).fit(points, label).predict(POINTS)) == {lowest}


@ALL
def test_classes_and_weights(machine):
    with pytest.raises(ValueError, match="got 1 class left after dropping points of zero weight"):
        clone(machine).fit(X, LABEL, sample_weight=LABEL == 2)
    some = clone(machine).fit(X, LABEL, sample_weight=LABEL != 2)
    np.testing.assert_array_equal(some.classes_, [0, 1, 3])  # a point without weight is no point at all


@JOINT
def test_bad_parameters(joint):
    for C in (0, -1, np.nan, np.inf, "1", True, None, [1.0]):
        with pytest.raises(ValueError, match="C must be a number > 0, got"):
            joint(C=C).fit(X, LABEL)
    for solver in ("smo", None, ["qp"]):
        with pytest.raises(ValueError, match=r"solver must be one of \['interior', 'qp'\], got"):
            joint(solver=solver).fit(X, LABEL)


@JOINT
def test_not_converged_is_said_and_kept(joint):
    with pytest.warns(
        ConvergenceWarning, match=r"max_iter = 1\): KKT violation .*C = 1e\+06.*scaling the features"
    ):
        model = joint(C=1e6, kernel="linear", max_iter=1).fit(1e4 * X, LABEL)
    assert not model.converged_
    assert model.kkt_violation_ > 1e-3
    assert np.isfinite(model.decision_function(X)).all()


@pytest.mark.parametrize("estimator", ["x", -1, [1.0]])
def test_a_tournament_needs_classifiers(estimator):
    with pytest.raises(ValueError, match="estimator must be a classifier, got"):
        DAGSVM(estimator).fit(np.eye(3), [0, 1, 2])
