"""What users of scikit-learn expect: its defaults, names and attributes; where ours differ, a sentence says how."""

import inspect

import numpy as np
import pytest
import sklearn.svm
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, scale
from sklearn.utils.validation import has_fit_parameter

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import (
    RVC,
    RVR,
    SVC,
    SVDD,
    SVR,
    L1VMClassifier,
    L1VMRegressor,
    L2VMClassifier,
    L2VMRegressor,
    LeeSVC,
    NuSVC,
    NuSVR,
    OneClassSVM,
    PlattScaling,
    PolsonScottSVM,
    WestonWatkinsSVC,
)
from sparsekm_edu.models.habits import INSTEAD

CANCER, MALIGNANT = load_breast_cancer(return_X_y=True)
CANCER = scale(CANCER)
DIABETES, PROGRESS = load_diabetes(return_X_y=True)
PROGRESS = scale(PROGRESS)

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2)) * [1.0, 3.0]
T = np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0, 1, -1)
CURVE = X[:, 1] + rng.normal(size=40)
WEIGHT = rng.integers(1, 4, size=40)

IN_SCIKIT_LEARN = [SVC, NuSVC, SVR, NuSVR, OneClassSVM]
SUPPORT_VECTOR_MACHINES = [*IN_SCIKIT_LEARN, SVDD, PolsonScottSVM]
OTHERS = [WestonWatkinsSVC, LeeSVC, RVC, RVR, L1VMClassifier, L2VMClassifier, L1VMRegressor, L2VMRegressor]
KERNEL_MACHINES = SUPPORT_VECTOR_MACHINES + OTHERS


def name(machine):
    return machine.__name__


def theirs(machine):
    return getattr(sklearn.svm, machine.__name__)


def values(model, X):
    return model.predict(X) if is_regressor(model) else model.decision_function(X)


# ------------------------------------------------------------------ defaults


@pytest.mark.parametrize("machine", IN_SCIKIT_LEARN, ids=name)
def test_defaults_predict_what_scikit_learns_do(machine):
    data = (DIABETES, PROGRESS) if "SVR" in machine.__name__ else (CANCER, MALIGNANT)
    ours, other = machine(tol=1e-6).fit(*data), theirs(machine)(tol=1e-6).fit(*data)
    np.testing.assert_allclose(values(ours, data[0]), values(other, data[0]), atol=1e-3)
    if is_classifier(ours):
        np.testing.assert_array_equal(machine().fit(*data).predict(data[0]), other.predict(data[0]))
    np.testing.assert_array_equal(ours.support_, np.sort(other.support_))


def test_cross_validated_accuracy_of_the_defaults():
    ours, other = (cross_val_score(machine(), CANCER, MALIGNANT) for machine in (SVC, sklearn.svm.SVC))
    np.testing.assert_array_equal(ours, other)
    assert ours.mean() == pytest.approx(0.9736, abs=1e-4)


@pytest.mark.filterwarnings("ignore::UserWarning")  # weights are dear, and so on
@pytest.mark.parametrize("machine", KERNEL_MACHINES, ids=name)
def test_the_default_kernel_is_resolved_by_fit(machine):
    model = machine().fit(X, T)
    assert model.kernel is None
    assert model.kernel_.gamma == pytest.approx(1 / (2 * X.var()))
    auto = machine(kernel=Linear() + Gaussian("auto")).fit(X, T)
    assert repr(auto.kernel_) == "Linear() + Gaussian(gamma=0.5)"
    assert auto.kernel.right.gamma == "auto"


@pytest.mark.parametrize(
    "machine", [m for m in KERNEL_MACHINES if has_fit_parameter(m(), "sample_weight")], ids=name
)
def test_weights_count_in_the_default_kernel(machine):
    model = machine(nu=0.3) if "nu" in machine().get_params() else machine()
    model.set_params(tol=1e-9)
    weight = np.where(np.arange(40) % 7, WEIGHT, 0)
    weighted = clone(model).fit(X, T, sample_weight=weight)
    copies = clone(model).fit(np.repeat(X, weight, axis=0), np.repeat(T, weight))
    assert weighted.kernel_.gamma == pytest.approx(copies.kernel_.gamma, rel=1e-13)
    np.testing.assert_allclose(values(weighted, X), values(copies, X), atol=1e-5)


# ------------------------------------------------------------------ parameters


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kernel", [None, "rbf", Gaussian(2.0)])
@pytest.mark.parametrize("machine", KERNEL_MACHINES, ids=name)
def test_parameters_of_a_kernel_that_was_not_written_out(machine, kernel):
    model = machine(kernel=kernel)
    assert clone(model).set_params(kernel__gamma=0.2).kernel.gamma == 0.2
    assert repr(model.kernel) == repr(kernel)
    assert model.set_params(kernel="poly", kernel__degree=3).fit(X, T).kernel_.degree == 3
    assert clone(model).kernel.degree == 3
    with pytest.raises(ValueError, match=r"'gamma' for estimator Polynomial.*\['degree', 'offset'\]"):
        model.set_params(kernel__gamma=0.2)
    with pytest.raises(ValueError, match="kernel must be one of .*got 'precomputed'"):
        model.set_params(kernel="precomputed", kernel__gamma=0.2)


@pytest.mark.parametrize("kernel", [None, "rbf"])
def test_grid_search_over_gamma(kernel):
    gammas = [1e-4, 0.03, "scale", 3.0]
    found = GridSearchCV(SVC(kernel=kernel), {"kernel__gamma": gammas}, cv=3).fit(CANCER, MALIGNANT)
    same = GridSearchCV(sklearn.svm.SVC(), {"gamma": gammas}, cv=3).fit(CANCER, MALIGNANT)
    np.testing.assert_allclose(
        found.cv_results_["mean_test_score"], same.cv_results_["mean_test_score"], rtol=1e-12
    )
    pipeline = make_pipeline(StandardScaler(), SVC(kernel=kernel))
    assert GridSearchCV(pipeline, {"svc__kernel__gamma": [0.1, 1.0]}, cv=3).fit(X, T).best_score_ > 0.5


@pytest.mark.parametrize("machine", KERNEL_MACHINES, ids=name)
def test_parameters_that_scikit_learn_has_are_answered_by_ours(machine):
    own = inspect.signature(machine).parameters
    assert all(p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for p in own.values())
    for parameter in INSTEAD:
        if parameter not in own:
            with pytest.raises(
                TypeError, match=f"^{machine.__name__} has no parameter '{parameter}': .*[^.]\\.$"
            ):
                machine(**{parameter: 1.0})
    with pytest.raises(TypeError, match="unexpected keyword argument 'kernle'"):
        machine(kernle="rbf")


def test_the_table_of_parameters_is_complete_and_true():
    missing = set(sklearn.svm.SVC().get_params()) - set(SVC().get_params())
    assert missing == set(INSTEAD)
    for parameter in ("gamma", "degree", "coef0"):
        written = INSTEAD[parameter].partition("kernel=")[2]
        kernel = eval(written, {"Gaussian": Gaussian, "Polynomial": Polynomial})
        assert SVC(kernel=kernel).fit(X, T).converged_
    assert RVC(probability="plug-in").probability == "plug-in"  # a parameter of its own


# ------------------------------------------------------------------ attributes


@pytest.mark.parametrize("machine", IN_SCIKIT_LEARN, ids=name)
def test_n_support_and_coef_are_scikit_learns(machine):
    points = X + 5.0  # away from the origin, where one class has a direction of its own
    y = CURVE if "SVR" in machine.__name__ else T
    nu = {"nu": 0.33} if "nu" in machine().get_params() else {}  # nu N / 2 is not whole: then b is unique
    ours, other = (
        made(kernel="linear", tol=1e-8, **nu).fit(points, y) for made in (machine, theirs(machine))
    )
    np.testing.assert_array_equal(ours.n_support_, other.n_support_)
    assert (ours.n_support_.dtype, ours.n_support_.shape) == (np.int32, other.n_support_.shape)
    np.testing.assert_allclose(ours.coef_, other.coef_, atol=1e-4)
    assert ours.coef_.shape == (1, 2)
    np.testing.assert_allclose(
        values(ours, points), points @ ours.coef_[0] + ours.intercept_, rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("machine", SUPPORT_VECTOR_MACHINES, ids=name)
def test_attributes_that_are_not_there_say_why(machine):
    with pytest.raises(NotFittedError, match=f"This {machine.__name__} instance is not fitted"):
        machine().n_support_  # noqa: B018
    with pytest.raises(NotFittedError, match=f"This {machine.__name__} instance is not fitted"):
        machine().coef_  # noqa: B018
    for kernel in (None, "rbf", Polynomial(1), 2.0 * Linear()):
        model = machine(kernel=kernel).fit(X, T)
        assert not hasattr(model, "coef_")
        with pytest.raises(AttributeError, match=r"coef_ is there for kernel='linear' only.*has kernel = "):
            model.coef_  # noqa: B018
    if machine is not SVDD:
        assert not hasattr(machine(kernel="precomputed").fit(Gaussian()(X), T), "coef_")


def test_weights_of_features_choose_features():
    chosen = RFE(SVC(kernel="linear"), n_features_to_select=5).fit(CANCER, MALIGNANT)
    same = RFE(sklearn.svm.SVC(kernel="linear"), n_features_to_select=5).fit(CANCER, MALIGNANT)
    np.testing.assert_array_equal(chosen.support_, same.support_)


@pytest.mark.parametrize("machine", [SVC, NuSVC, PolsonScottSVM], ids=name)
def test_probabilities_are_elsewhere(machine):
    for model in (machine(), machine().fit(X, T)):
        assert not hasattr(model, "predict_proba")
        with pytest.raises(AttributeError, match=rf"PlattScaling\({machine.__name__}\(\)\) has"):
            model.predict_proba(X)
    assert PlattScaling(machine()).fit(X, T).predict_proba(X).shape == (40, 2)
