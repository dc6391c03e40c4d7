"""Platt scaling and figure 14.13: the readouts against independent computations, and the claims of the lesson."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.metrics import log_loss
from sklearn.svm import SVC as LibSVM

from sparsekm_edu import RVC, Gaussian, datasets
from sparsekm_edu.explorers.svm.probabilities import FRESH, LINE, POINTS, first_of_both


def fact(explorer, label):
    return float(explorer.picture.facts[label].removesuffix(" %"))


@pytest.mark.parametrize("n", [10, 11, 57, 150])
def test_first_of_both_takes_the_classes_in_turn(n):
    t = np.repeat([-1.0, 1.0], 100)
    taken = first_of_both(n, t)
    assert taken.sum() == n
    assert abs(t[taken].sum()) <= 1
    assert first_of_both(n - 1, t)[~taken].sum() == 0  # fewer are among those taken


# Platt scaling


@pytest.mark.parametrize("state", [{}, {"C": 0.05, "D": 20}, {"held": 31, "D": 100}])
def test_platt_readout_against_libsvm_and_a_general_optimiser(make, state):
    explorer = make("platt")
    explorer.set(**state)
    state = explorer.state
    X, t = datasets.many_features(POINTS, 100, 0)
    X_fresh, t_fresh = datasets.many_features(FRESH, 100, 10_000)
    held = first_of_both(state.held, t)
    machine = LibSVM(C=state.C, kernel="linear", tol=1e-8).fit(X[~held, : state.D], t[~held])
    y_fresh = machine.decision_function(X_fresh[:, : state.D])
    assert fact(explorer, "log loss, always ½") == pytest.approx(np.log(2), abs=1e-3)
    for name, rows in (("held out", held), ("training", ~held)):
        y, n_plus, n_minus = (
            machine.decision_function(X[rows, : state.D]),
            *[np.sum(t[rows] == k) for k in (1, -1)],
        )
        s = np.where(t[rows] > 0, (n_plus + 1) / (n_plus + 2), 1 / (n_minus + 2))

        def cross_entropy(AB, y=y, s=s):
            a = AB[0] * y + AB[1]
            return np.sum(s * np.logaddexp(0, -a) + (1 - s) * np.logaddexp(0, a))

        A, B = minimize(cross_entropy, (1.0, 0.0), tol=1e-10).x
        shown = [float(number) for number in explorer.picture.facts[f"A, B, {name}"].split(",")]
        np.testing.assert_allclose(shown, (A, B), atol=0.011)
        p = 1 / (1 + np.exp(-(A * y_fresh + B)))
        assert fact(explorer, f"log loss, {name}") == pytest.approx(log_loss(t_fresh, p), abs=0.003)
    wrong = np.mean(np.sign(y_fresh) != t_fresh)
    assert explorer.picture.facts["errors, train | fresh"].endswith(f"| {100 * wrong:.1f} %")


def test_platt_training_scores_of_an_overfitted_machine_are_worse_than_no_opinion(make):
    explorer = make("platt")
    for _ in range(5):  # not by the luck of one draw
        assert fact(explorer, "log loss, held out") < 0.5
        assert fact(explorer, "log loss, training") > np.log(2) - 0.05
        assert fact(explorer, "off promise, training") > 2 * fact(explorer, "off promise, held out")
        explorer.draw_again()


def test_platt_training_scores_do_no_harm_where_nothing_is_overfitted(make):
    explorer = make("platt")
    explorer.set(D=2)
    for _ in range(5):
        assert abs(fact(explorer, "log loss, training") - 0.25) < 0.04
        assert fact(explorer, "log loss, training") < fact(explorer, "log loss, held out") + 0.01
        explorer.draw_again()


def test_platt_points_stay_when_features_or_hold_out_change(make):
    explorer = make("platt")
    t = explorer.picture.held_out[1]
    explorer.set(D=7)
    np.testing.assert_array_equal(explorer.picture.held_out[1], t)
    explorer.set(held=61)
    np.testing.assert_array_equal(np.sort(explorer.picture.held_out[1]), np.sort(np.append(t, -1.0)))


# figure 14.13


def test_figure_14_13_readout_against_fresh_machines_and_fresh_points(make):
    explorer = make("log_odds")
    state = explorer.state
    X, t = datasets.uniform_classes(400, state.drawn)
    first = first_of_both(state.N, t)
    X, t = X[first], t[first]
    np.testing.assert_array_equal(explorer.picture.X, X)
    machines = {
        "RVM": RVC(kernel=Gaussian(100.0)).fit(X, t),
        "SVM": LibSVM(gamma=100.0, tol=1e-8).fit(X, t),
    }
    X_fresh, t_fresh = datasets.uniform_classes(40_000, 77)
    x = np.linspace(0.5, 1, 501)[:, None]
    for name, machine in machines.items():
        y = machine.decision_function(x)
        assert fact(explorer, f"off the truth, {name}") == pytest.approx(np.sqrt(np.mean(y**2)), abs=0.012)
        loss = np.mean(np.logaddexp(0, -t_fresh * machine.decision_function(X_fresh)))
        assert fact(explorer, f"log loss, {name}") == pytest.approx(loss, abs=0.01)
        wrong = np.mean(machine.predict(X_fresh) != t_fresh)
        shown = explorer.picture.facts["errors, RVM | SVM"].split(" | ")[name == "SVM"]
        assert float(shown.removesuffix(" %")) == pytest.approx(100 * wrong, abs=0.7)


def test_figure_14_13_rvm_is_closer_to_the_truth_and_both_err_a_quarter_of_the_time(make):
    explorer = make("log_odds")
    explorer.set(N=400)
    for _ in range(5):
        assert fact(explorer, "off the truth, RVM") < 0.5 < 0.55 < fact(explorer, "off the truth, SVM")
        for error in explorer.picture.facts["errors, RVM | SVM"].split(" | "):
            assert 25 <= float(error.removesuffix(" %")) < 25.6
        assert np.log(2) / 2 <= fact(explorer, "log loss, RVM") + 1e-3 < fact(explorer, "log loss, SVM") - 0.1
        explorer.draw_again()


def test_figure_14_13_platt_scaling_stretches_the_svm_and_cannot_flatten_it(make):
    explorer = make("log_odds")
    assert "off the truth, Platt" not in explorer.picture.facts
    explorer.set(scaled=True)
    svm, scaled = explorer.picture.svm, explorer.picture.scaled
    A, B = np.polyfit(svm, scaled, 1)
    np.testing.assert_allclose(scaled, A * svm + B, atol=1e-9)
    assert A > 0
    away = np.sqrt(np.mean(scaled[np.abs(LINE - 0.75) < 0.25] ** 2))
    assert fact(explorer, "off the truth, Platt") == pytest.approx(away, abs=0.006)
    assert away > 0.4


def test_figure_14_13_points_join_as_n_grows(make):
    explorer = make("log_odds")
    few = set(explorer.picture.X[:, 0])
    explorer.set(N=300)
    assert few < set(explorer.picture.X[:, 0])


@pytest.mark.parametrize(
    ("name", "field"), [("platt", "D"), ("platt", "held"), ("log_odds", "N"), ("platt", "drawn")]
)
def test_half_a_point_is_refused(make, name, field):
    explorer = make(name)
    state = explorer.state
    explorer.set(**{field: 20.5})
    assert f"{field} must be a whole number between " in explorer.message
    assert explorer.state is state
