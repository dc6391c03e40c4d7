"""PlattScaling: what it is fitted to, how sure it is, and what it refuses."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, ShuffleSplit, StratifiedKFold, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.models import SVC
from sparsekm_edu.models.calibration import PlattScaling
from sparsekm_edu.solvers.linear.platt import platt


def clouds(n, seed, features=2):
    """Two Gaussian clouds one apart: the true log odds of +1 are x_1, exactly."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    X = rng.normal(size=(n, features))
    X[:, 0] += 0.5 * y
    return X, y


X, Y = clouds(100, seed=0)


class ScoreIsFirstFeature(ClassifierMixin, BaseEstimator):
    """Learns nothing: its score is the first feature, times `factor`."""

    def __init__(self, factor=1.0):
        self.factor = factor

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return self.factor * np.asarray(X)[:, 0]

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


# ------------------------------------------------------------------ oracles


def test_probabilities_are_the_sigmoid_of_the_scores():
    model = PlattScaling(SVC(C=0.5)).fit(X, Y)
    y = SVC(C=0.5).fit(X, Y).decision_function(X)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p[:, 1], expit(model.A_ * y + model.B_), rtol=1e-12)  # (7.43)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-15)
    np.testing.assert_allclose(model.decision_function(X), model.A_ * y + model.B_, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), np.where(p[:, 1] > 0.5, 1, -1))
    assert model.A_ > 0
    assert model.converged_
    assert 1 <= model.n_iter_ <= 20


def test_the_scores_are_held_out():
    model = PlattScaling(SVC(), cv=4).fit(X, Y)
    held_out = cross_val_predict(SVC(), X, Y, cv=StratifiedKFold(4), method="decision_function")
    assert sorted(model.rows_) == list(range(100))
    np.testing.assert_allclose(model.scores_, held_out[model.rows_], rtol=1e-10)
    sigmoid = platt(held_out, Y)
    np.testing.assert_allclose((model.A_, model.B_), (sigmoid.A, sigmoid.B), rtol=1e-8)


def test_without_cross_validation_the_scores_are_those_of_the_training_points():
    model = PlattScaling(SVC(), cv=None).fit(X, Y)
    np.testing.assert_array_equal(model.scores_, model.estimator_.decision_function(X))
    sigmoid = platt(model.scores_, Y)
    assert (model.A_, model.B_) == (sigmoid.A, sigmoid.B)


def test_training_scores_make_it_too_sure():
    """MLaPP 14.5.2.3: severe overfitting. The lesson of the comparison, in numbers."""
    X_new, y_new = clouds(2000, seed=1)
    machine = SVC(C=10.0, kernel=Gaussian(2.0))
    held_out, training = (PlattScaling(machine, cv=cv).fit(X, Y) for cv in (5, None))
    assert training.A_ > 2 * held_out.A_
    losses = [log_loss(y_new, model.predict_proba(X_new)) for model in (held_out, training)]
    assert losses[0] < np.log(2) < losses[1]  # worse than no model at all
    np.testing.assert_array_equal(held_out.estimator_.dual_coef_, training.estimator_.dual_coef_)


def test_true_log_odds_are_found():
    """Scores that are the true log odds need no correction: A = 1, B = 0, within sampling error."""
    points, labels = clouds(20_000, seed=2)
    model = PlattScaling(ScoreIsFirstFeature()).fit(points, labels)
    np.testing.assert_allclose((model.A_, model.B_), (1.0, 0.0), atol=0.05)  # standard error 0.02


def test_equals_scikit_learn():
    """CalibratedClassifierCV with ensemble=False does the same, to the accuracy of its minimiser."""
    ours = PlattScaling(SVC(), cv=5).fit(X, Y)
    theirs = CalibratedClassifierCV(SVC(), cv=5, ensemble=False).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)


def test_a_hold_out_set_is_one_split():
    split = (np.arange(60), np.arange(60, 100))
    model = PlattScaling(SVC(), cv=[split]).fit(X, Y)
    np.testing.assert_array_equal(model.rows_, split[1])
    scores = SVC().fit(X[:60], Y[:60]).decision_function(X[60:])
    np.testing.assert_allclose(model.scores_, scores, rtol=1e-10)
    assert len(model.estimator_.solution_.v) == 100  # the classifier itself learns from everything
    splitter = ShuffleSplit(n_splits=1, test_size=0.3, random_state=0)
    assert len(PlattScaling(SVC(), cv=splitter).fit(X, Y).scores_) == 30


def test_sample_weight_counts_in_both():
    weight = np.random.default_rng(3).uniform(0.1, 2.0, size=100)
    model = PlattScaling(SVC(), cv=None).fit(X, Y, sample_weight=weight)
    machine = SVC().fit(X, Y, sample_weight=weight)
    np.testing.assert_array_equal(model.scores_, machine.decision_function(X))
    assert model.A_ == platt(model.scores_, Y, weight).A != platt(model.scores_, Y).A


@pytest.mark.parametrize("cv", [3, None])
def test_points_of_zero_weight_are_no_points(cv):
    weight = np.ones(100)
    weight[::7] = 0
    model = PlattScaling(cv=cv).fit(X, Y, sample_weight=weight)
    without = PlattScaling(cv=cv).fit(X[weight > 0], Y[weight > 0])
    np.testing.assert_allclose(model.predict_proba(X), without.predict_proba(X), rtol=1e-8)


# ------------------------------------------------------------------ as an estimator


def test_precomputed_kernels_are_cut_into_folds():
    K = Gaussian()(X)
    direct = PlattScaling(SVC(kernel=Gaussian())).fit(X, Y)
    computed = PlattScaling(SVC(kernel="precomputed")).fit(K, Y)
    np.testing.assert_allclose(computed.predict_proba(K), direct.predict_proba(X), atol=1e-8)
    np.testing.assert_allclose(PlattScaling(SVC(kernel="precomputed")).fit(K.tolist(), Y).A_, computed.A_)


def test_any_classifier_with_scores_will_do():
    for machine in (
        LinearSVC(),
        make_pipeline(StandardScaler(), SVC()),
        GridSearchCV(SVC(), {"C": [0.1, 1.0]}, cv=3),
    ):
        model = PlattScaling(machine, cv=3).fit(X, Y)
        assert model.score(X, Y) > 0.6
        assert model.A_ > 0


def test_a_fitted_classifier_can_be_frozen():
    machine = SVC().fit(X, Y)
    X_new, y_new = clouds(200, seed=4)
    model = PlattScaling(FrozenEstimator(machine), cv=None).fit(X_new, y_new)
    np.testing.assert_array_equal(model.scores_, machine.decision_function(X_new))


def test_data_frames_and_labels_of_any_kind():
    frame, names = pd.DataFrame(X, columns=["one", "two"]), np.where(Y > 0, "yes", "no")
    model = PlattScaling().fit(frame, names)
    np.testing.assert_array_equal(model.classes_, ["no", "yes"])
    np.testing.assert_array_equal(model.feature_names_in_, ["one", "two"])
    assert set(model.predict(frame)) == {"no", "yes"}
    reference = PlattScaling().fit(X, Y).predict_proba(X)
    np.testing.assert_array_equal(model.predict_proba(frame), reference)
    np.testing.assert_array_equal(PlattScaling().fit(X.tolist(), Y.tolist()).predict_proba(X), reference)


def test_clone_pickle_and_search():
    model = PlattScaling(SVC(C=3.0), cv=3).fit(X, Y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    assert not hasattr(clone(model), "A_")
    assert not hasattr(model.estimator, "support_")  # fitting leaves the parameter alone
    search = GridSearchCV(
        PlattScaling(SVC(), cv=3), {"estimator__C": [0.1, 1.0]}, cv=3, scoring="neg_log_loss"
    ).fit(X, Y)
    assert 0 > search.best_score_ > -np.log(2)


def test_several_classes_by_one_against_the_rest():
    points, _ = datasets.curved(n=90)
    three = np.digitize(points[:, 0], [-1, 1])
    assert OneVsRestClassifier(PlattScaling(SVC(C=10.0), cv=3)).fit(points, three).score(points, three) > 0.9


# ------------------------------------------------------------------ complaints


def test_pitfall_20_large_scores():
    """Scores of 1e6 once gave an AUC of 1/2 elsewhere, silently."""
    model = PlattScaling(ScoreIsFirstFeature(factor=1e6)).fit(X, Y)
    plain = PlattScaling(ScoreIsFirstFeature()).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X), plain.predict_proba(X), atol=1e-9)
    assert roc_auc_score(Y, model.predict_proba(X)[:, 1]) > 0.7


def test_pitfall_20_reversed_slope_is_said():
    with pytest.warns(UserWarning, match=r"slope A = -.* is negative: .* less likely is class 1\."):
        model = PlattScaling(ScoreIsFirstFeature(factor=-1.0)).fit(X, Y)
    assert model.A_ < 0
    assert model.score(X, Y) > 0.6  # and put right
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PlattScaling(ScoreIsFirstFeature()).fit(X, Y)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ((np.empty((0, 2)), []), r"Found array with 0 sample\(s\) .* required by PlattScaling"),
        (([], []), r"Found array with 0 sample\(s\) .* required by PlattScaling"),
        ((X, None), "requires y to be passed, but the target y is None"),
        ((None, Y), "requires X to be passed, but X is None"),
        ((None, None), "requires X to be passed, but X is None"),
    ],
)
def test_rows_3_and_15_nothing_is_no_data(bad, words):
    with pytest.raises(ValueError, match=words):
        PlattScaling().fit(*bad)


def test_row_57_one_class():
    with pytest.raises(ValueError, match="number of classes has to be 2, got 1 class"):
        PlattScaling().fit(X, np.ones(100))
    with pytest.raises(ValueError, match="got 1 class left after dropping points of zero weight"):
        PlattScaling().fit(X, Y, sample_weight=(Y > 0).astype(float))


def test_row_57_too_few_points_for_the_folds():
    y = np.where(np.arange(100) < 3, "rare", "usual")
    with pytest.raises(ValueError, match="cv = 5 needs at least 5 points of each class, got 3 of class rare"):
        PlattScaling(cv=5).fit(X, y)
    with pytest.raises(ValueError, match="got 2 of class rare"):
        PlattScaling(cv=5).fit(X, y, sample_weight=np.arange(100) > 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert PlattScaling(cv=3).fit(X, y).converged_


def test_row_57_constant_scores_give_the_base_rate():
    y = np.where(np.arange(100) < 20, 1, 0)
    model = PlattScaling(ScoreIsFirstFeature(factor=0.0)).fit(X, y)
    p = (20 * 21 / 22 + 80 * 1 / 82) / 100  # 0.2 but for Platt's smoothing
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], p, rtol=1e-10)
    assert model.A_ == 0


def test_row_57_scores_of_a_million():
    scores = 1e6 * np.sign(X)
    model = PlattScaling(ScoreIsFirstFeature()).fit(scores, Y)
    assert np.isfinite(model.predict_proba(scores)).all()
    assert 0.5 < model.predict_proba([[1e6, 0.0]])[0, 1] < 0.9


@pytest.mark.parametrize("cv", [0, 1, -2, True])
def test_cv_must_be_at_least_two(cv):
    with pytest.raises(ValueError, match="cv must be a whole number >= 2, got"):
        PlattScaling(cv=cv).fit(X, Y)


def test_classifiers_that_will_not_do():
    with pytest.raises(ValueError, match="must have a decision_function, RandomForestClassifier has none"):
        PlattScaling(RandomForestClassifier()).fit(X, Y)
    with pytest.raises(ValueError, match=r"sample_weight was given, but ScoreIsFirstFeature.fit takes none"):
        PlattScaling(ScoreIsFirstFeature()).fit(X, Y, sample_weight=np.ones(100))


def test_not_converged_is_said():
    with pytest.warns(ConvergenceWarning, match="max_iter = 1 Newton steps"):
        model = PlattScaling(max_iter=1).fit(X, Y)
    assert not model.converged_
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("cv", [[1], {}, [(1, 2, 3)]])
def test_row_57_folds_are_pairs(cv):
    rng = np.random.default_rng(0)
    X, t = rng.normal(size=(20, 2)), np.repeat([0, 1], 10)
    with pytest.raises(
        ValueError, match=r"cv must be a number of folds, a splitter, or a list of pairs .* got"
    ):
        PlattScaling(cv=cv).fit(X, t)
