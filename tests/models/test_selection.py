"""Choosing C and gamma: the grid by paths beside scikit-learn's grid search, leave-one-out beside brute force."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_score,
)
from sklearn.svm import SVC as SklearnSVC

from sparsekm_edu import RVC, RVR, SVC, Gaussian, GridSearchSVC, datasets
from sparsekm_edu.models import (
    LIBSVM_C,
    LIBSVM_GAMMA,
    GridScores,
    evidence_over_gamma,
    grid_search,
    leave_one_out_errors,
    selection,
)
from sparsekm_edu.solvers import c_path, smo, soft_margin

C, GAMMA = 2.0 ** np.arange(-7, 14, 2), np.array([0.03, 0.5, 5.0, 60.0])
FIVE = StratifiedKFold(5, shuffle=True, random_state=0)


def scikit_learns_errors(X, t, cv):
    """(n_gamma, n_C, n_folds), each fit to a tolerance of 1e-9; and how near to 0 any y(x) came in each of them."""
    errors, nearest = [], []
    for train, test in cv.split(X, t):
        for width in GAMMA:
            for price in C:
                machine = SklearnSVC(C=price, gamma=width, tol=1e-9).fit(X[train], t[train])
                y = machine.decision_function(X[test])
                errors.append(np.mean((y > 0) != (t[test] > 0)))
                nearest.append(np.abs(y).min())
    shape = -1, len(GAMMA), len(C)
    return (np.moveaxis(np.reshape(each, shape), 0, 2) for each in (errors, nearest))


# ------------------------------------------------------------------ the grid


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("cv", [FIVE, StratifiedShuffleSplit(3, random_state=1)], ids=["folds", "splits"])
def test_errors_are_those_of_one_fit_for_each_cell(seed, cv):
    X, t = datasets.mixture(n=81, seed=seed)  # an odd number: one class is larger
    scores = grid_search(X, t, C, GAMMA, cv=5 if cv is FIVE else cv)
    errors, nearest = scikit_learns_errors(X, t, cv)
    decided = nearest > 1e-6
    np.testing.assert_allclose(scores.errors[decided], errors[decided], atol=1e-12)
    assert decided.mean() > 0.95
    assert scores.n_paths == len(GAMMA) * cv.get_n_splits()
    assert scores.n_events > 10 * scores.n_paths
    assert scores.n_solved == 0


def test_scikit_learns_grid_search_chooses_the_same():
    X, t = datasets.mixture(n=80, seed=4)
    scores = grid_search(X, t, C, GAMMA)
    theirs = GridSearchCV(SklearnSVC(tol=1e-9), {"gamma": GAMMA, "C": C}, cv=FIVE, refit=False).fit(X, t)
    mean = 1 - theirs.cv_results_["mean_test_score"].reshape(len(C), len(GAMMA)).T
    np.testing.assert_allclose(scores.mean, mean, atol=1e-12)
    assert scores.mean[scores.place(scores.best)] == pytest.approx(1 - theirs.best_score_)


def test_more_points_than_exact_are_solved_one_by_one(monkeypatch):
    X, t = datasets.mixture(n=60, seed=0)
    by_path = grid_search(X, t, C, [0.5])
    monkeypatch.setattr(selection, "EXACT", 20)
    solved = grid_search(X, t, C, [0.5])
    assert (solved.n_paths, solved.n_events, solved.n_solved) == (0, 0, 5 * len(C))
    # tol = 1e-3 may turn a point that is nearer than this to y(x) = 0
    assert np.mean(by_path.errors == solved.errors) > 0.9
    assert np.abs(by_path.errors - solved.errors).max() < 0.17  # two points of twelve


def test_a_path_that_stops_short_is_finished_by_solving(monkeypatch):
    X, t = datasets.mixture(n=60, seed=0)
    whole = grid_search(X, t, C, [0.5])

    def short(K, t, C_max):
        warnings.warn("the path stops", ConvergenceWarning, stacklevel=1)
        return c_path(K, t, min(C_max, 1.0))

    monkeypatch.setattr(selection, "c_path", short)
    monkeypatch.setattr(selection, "smo", lambda problem, v: smo(problem, tol=1e-9, v=v))
    finished = grid_search(X, t, C, [0.5])
    assert finished.n_solved == 5 * np.sum(C > 1)
    np.testing.assert_array_equal(finished.errors, whole.errors)


def test_leave_one_out_as_a_splitter():
    X, t = datasets.mixture(n=30, seed=1)
    scores = grid_search(X, t, [1.0, 10.0], [0.5], cv=LeaveOneOut())
    assert scores.errors.shape == (1, 2, 30)
    np.testing.assert_array_equal(
        scores.errors[0], leave_one_out_errors(Gaussian(0.5)(X), t, [1.0, 10.0]).astype(float)
    )


def test_labels_may_be_anything_and_their_order_does_not_matter():
    X, t = datasets.mixture(n=50, seed=2)
    words = np.where(t > 0, "spam", "ham")
    scores = [grid_search(X, y, C, GAMMA).mean for y in (t, words, (t > 0).astype(int))]
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])


# ------------------------------------------------------------------ what is chosen


def made_up(mean, spread=0.0):
    """GridScores of two folds with this mean (n_gamma, n_C), each `spread` away from it."""
    mean = np.asarray(mean, float)
    errors = np.stack([mean - spread, mean + spread], axis=2)
    C, gamma = np.arange(1.0, mean.shape[1] + 1), 0.1 * np.arange(1.0, len(mean) + 1)
    return GridScores(C, gamma, errors, n_paths=0, n_events=0, n_solved=0)


def test_among_equals_the_simplest_is_best():
    scores = made_up([[0.3, 0.3, 0.3], [0.3, 0.2, 0.1 + 0.1], [0.2, 0.4, 0.3]])
    assert scores.best == (1.0, pytest.approx(0.3))
    assert scores.place(scores.best) == (2, 0)
    np.testing.assert_array_equal(scores.best_C, [1, 2, 1])
    # a sum in another order is no better, only rounded otherwise
    assert made_up([[0.1 + 0.2, 0.3]]).best.C == 1.0


def test_one_standard_error():
    mean = [[0.36, 0.5, 0.29], [0.34, 0.33, 0.3]]
    assert made_up(mean, spread=0.0).one_standard_error == (3.0, 0.1)
    scores = made_up(mean, spread=0.05)
    # the standard deviation of two numbers 2s apart is sqrt(2) s, and that of their mean s
    np.testing.assert_allclose(scores.standard_error, 0.05)
    assert scores.one_standard_error == (1.0, 0.2)  # 0.34 <= 0.29 + 0.05 for the smallest C
    assert made_up(mean, spread=0.07).one_standard_error == (1.0, 0.1)


def test_standard_error_of_single_points_is_that_of_a_coin():
    errors = np.zeros((1, 1, 40))
    errors[..., :10] = 1
    scores = GridScores(np.ones(1), np.ones(1), errors, 0, 0, 0)
    assert scores.standard_error == pytest.approx(np.sqrt(0.25 * 0.75 / 39))


def test_machine_of_a_cell():
    X, t = datasets.mixture(n=60, seed=3)
    scores = grid_search(X, t, C, GAMMA)
    machine = scores.machine()
    assert (machine.C, machine.kernel.gamma) == scores.best
    assert scores.machine((8.0, 0.5)).fit(X, t).score(X, t) > 0.7


# ------------------------------------------------------------------ a machine that chooses for itself


def test_grid_search_svc_is_the_svc_of_the_cell():
    X, t = datasets.mixture(n=80, seed=5)
    new = datasets.mixture(n=500, seed=6)[0]
    for rule in ("best", "one standard error"):
        model = GridSearchSVC(C, GAMMA, rule=rule).fit(X, t)
        cell = getattr(model.scores_, rule.replace(" ", "_"))
        assert (model.best_C_, model.best_gamma_) == cell
        plain = SVC(C=cell.C, kernel=Gaussian(cell.gamma)).fit(X, t)
        np.testing.assert_allclose(model.decision_function(new), plain.decision_function(new), atol=1e-9)
        np.testing.assert_array_equal(model.predict(new), plain.predict(new))


def test_nested_cross_validation_is_a_loop_around_the_grid():
    X, t = datasets.mixture(n=80, seed=7)
    nested = cross_val_score(GridSearchSVC(C, GAMMA), X, t, cv=FIVE)
    by_hand = []
    for train, test in FIVE.split(X, t):
        scores = grid_search(X[train], t[train], C, GAMMA)  # the outer fold takes no part in the choice
        by_hand.append(scores.machine().fit(X[train], t[train]).score(X[test], t[test]))
    np.testing.assert_allclose(nested, by_hand)


def test_the_grid_of_libsvm_is_the_default():
    assert (LIBSVM_C[0], LIBSVM_C[-1], len(LIBSVM_C)) == (2**-5, 2**15, 11)
    assert (LIBSVM_GAMMA[0], LIBSVM_GAMMA[-1], len(LIBSVM_GAMMA)) == (2**-15, 2**3, 10)
    scores = GridSearchSVC().fit(*datasets.mixture(n=40)).scores_
    np.testing.assert_array_equal(scores.C, LIBSVM_C)
    np.testing.assert_array_equal(scores.gamma, LIBSVM_GAMMA)


# ------------------------------------------------------------------ leave one out


@pytest.mark.parametrize("n", [24, 31])
@pytest.mark.parametrize("gamma", [0.05, 1.0, 30.0])
def test_leave_one_out_by_brute_force(n, gamma):
    X, t = datasets.mixture(n=n, seed=n)
    K = Gaussian(gamma)(X)
    wrong = leave_one_out_errors(K, t, C)
    sure = 0
    for j, price in enumerate(C):
        for k in range(n):
            others = np.arange(n) != k
            solution = smo(soft_margin(K[np.ix_(others, others)], t[others], price), tol=1e-10)
            y = K[k, others] @ solution.v + solution.b
            if abs(y) > 1e-6:
                assert wrong[j, k] == (t[k] * y < 0), (price, k)
                sure += 1
    assert sure > 0.95 * n * len(C)


def test_points_without_a_multiplier_are_not_left_out(monkeypatch):
    """They would change nothing: as many paths as there are points that matter, and one of all."""
    X, t = datasets.clouds()
    K = X @ X.T
    paths = []

    def counted(K, t, C_max):
        paths.append(len(t))
        return c_path(K, t, C_max)

    monkeypatch.setattr(selection, "c_path", counted)
    leave_one_out_errors(K, t, [10.0])
    support = c_path(K, t, 10.0).at(10.0).support
    assert sorted(paths) == [len(t) - 1] * len(support) + [len(t)]
    assert len(support) < len(t) / 2


# ------------------------------------------------------------------ evidence


def test_evidence_is_that_of_each_machine():
    X, t = datasets.overlapping(n=40)
    found = evidence_over_gamma(X, t, [0.2, 1.0], progress=False)
    for gamma, evidence, count in zip(*found, strict=True):
        machine = RVC(kernel=Gaussian(gamma)).fit(X, t)
        assert (evidence, count) == (machine.log_evidence_, machine.n_relevance_)
    assert found.best == found.gamma[np.argmax(found.log_evidence)]


def test_evidence_for_a_curve():
    X, t = datasets.sinusoid()
    machine = RVR(beta=11.0)
    found = evidence_over_gamma(X, t, [5.0, 20.0], machine)
    expected = clone(machine).set_params(kernel=Gaussian(20.0)).fit(X, t)
    assert found.log_evidence[1] == expected.log_evidence_
    assert machine.kernel is None  # the machine given is left alone


# ------------------------------------------------------------------ slips


@pytest.mark.parametrize(
    ("slip", "sentence"),
    [
        ({"C": 1.0}, "C must hold rising numbers > 0, got 1.0"),
        ({"C": [[1.0, 2.0]]}, "C must hold rising numbers > 0"),
        ({"C": ["1", "2"]}, "C must be a number > 0, got '1'"),
        ({"C": []}, "C must hold rising numbers > 0"),
        ({"C": [1.0, 1.0]}, "C must hold rising numbers > 0"),
        ({"gamma": [1.0, 0.5]}, "gamma must hold rising numbers > 0"),
        ({"gamma": [0.0, 1.0]}, "gamma must be a number > 0, got 0.0"),
        ({"C": [1.0, np.nan]}, "C must be a number > 0, got nan"),
        ({"C": [1.0, np.inf]}, "C must be a number > 0, got inf"),
        ({"cv": 1}, "cv must be a whole number >= 2, got 1"),
        ({"cv": True}, "cv must be a number of folds or a splitter"),
        ({"cv": "five"}, "cv must be a number of folds or a splitter"),
        ({"cv": 20}, "cv = 20 needs at least 20 points of each class, got 10"),
        ({"y": np.arange(20) % 3}, "y must hold two classes, got 3.*GridSearchCV"),
        ({"y": np.ones(20)}, "has to be 2, got 1 class"),
        ({"y": np.ones(7)}, "one label per row in y"),
        ({"X": np.zeros(20)}, r"X must be \(N, D\)"),
        ({"progress": "yes"}, "progress must be True, False or None, got 'yes'"),
    ],
)
def test_slips_are_told_in_a_sentence(slip, sentence):
    X, t = datasets.mixture(n=20)
    with pytest.raises(ValueError, match=sentence):
        grid_search(**{"X": X, "y": t, "C": [1.0], "gamma": [1.0], **slip})


def test_a_fold_that_takes_a_whole_class_away():
    X, t = datasets.mixture(n=20)
    t = np.where(np.arange(20) == 3, 1.0, -1.0)
    with pytest.raises(ValueError, match="one part holds only class -1"):
        grid_search(X, t, [1.0], [1.0], cv=LeaveOneOut())
    with pytest.raises(ValueError, match="at least two points of each class"):
        leave_one_out_errors(X @ X.T, t, [1.0])


def test_other_slips():
    X, t = datasets.mixture(n=20)
    with pytest.raises(ValueError, match="rule must be 'best' or 'one standard error', got 'worst'"):
        GridSearchSVC(rule="worst").fit(X, t)
    with pytest.raises(ValueError, match="machine must be an RVC or an RVR, got SVC()"):
        evidence_over_gamma(X, t, [1.0], SVC())
    with pytest.raises(ValueError, match="cell must be a C and a gamma of the grid"):
        grid_search(X, t, [1.0], [1.0]).place((2.0, 1.0))


def test_progress_is_shown_when_asked_for_and_else_only_if_it_takes_long(capfd):
    X, t = datasets.mixture(n=20)
    grid_search(X, t, [1.0], [1.0])
    assert capfd.readouterr().err == ""
    grid_search(X, t, [1.0], [1.0], progress=False)
    assert capfd.readouterr().err == ""
    grid_search(X, t, [1.0], [1.0], progress=True)
    assert "5/5" in capfd.readouterr().err
