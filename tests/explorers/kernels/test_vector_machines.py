"""Four ways to be sparse: the explorers against fresh machines, new points and brute force."""

import numpy as np
import pytest
from sklearn.svm import SVC as SklearnSVC
from sklearn.svm import SVR as SklearnSVR

from sparsekm_edu import (
    RVC,
    RVR,
    Gaussian,
    L1VMClassifier,
    L1VMRegressor,
    L2VMClassifier,
    L2VMRegressor,
    datasets,
)
from sparsekm_edu.explorers.kernels import vector_machines
from sparsekm_edu.figures.curves import SINC_X
from sparsekm_edu.lessons.vector_machines import CANDIDATES, weights


def test_four_classifiers_are_what_fresh_machines_say(make):
    explorer = make("four_classifiers")
    explorer.set(lam2=2.0, lam1=0.7, C=3.0, width=0.5)
    X, t = datasets.overlapping(n=200)
    kernel = Gaussian(gamma=1 / (2 * 0.5**2))
    fresh = {
        "L2VM": L2VMClassifier(kernel, lam=2.0),
        "L1VM": L1VMClassifier(kernel, lam=0.7),
        "RVM": RVC(kernel, probability="plug-in"),
    }
    for name, machine in fresh.items():
        Y, kept = explorer.picture.machines[name]
        np.testing.assert_array_equal(kept, np.flatnonzero(weights(machine.fit(X, t), len(X))))
        np.testing.assert_allclose(Y, machine.surface(*vector_machines.PLANE), atol=1e-6)
    svm = SklearnSVC(C=3.0, gamma=2.0, tol=1e-8).fit(X, t)
    np.testing.assert_array_equal(explorer.picture.machines["SVM"][1], np.sort(svm.support_))


def test_errors_are_those_on_new_points(make):
    explorer = make("four_classifiers")
    X, t = datasets.overlapping(n=200)
    new, their_t = datasets.overlapping(n=60_000, seed=77)
    kernel = Gaussian(gamma=1 / (2 * 0.3**2))
    for name, machine in {"L1VM": L1VMClassifier(kernel), "RVM": RVC(kernel)}.items():
        wrong = np.mean(machine.fit(X, t).predict(new) != their_t)
        noise = np.sqrt(wrong * (1 - wrong) / len(new))
        assert explorer.picture.errors[name] == pytest.approx(wrong, abs=3 * noise)
    assert explorer.picture.facts["least possible error"] == "10.2%"


def test_the_picture_opens_with_the_C_of_cross_validation(make):
    explorer = make("four_classifiers")
    explorer.set(C=7.0)
    explorer.cross_validate()
    assert explorer.state.C == explorer.State().C == 0.5
    assert min(CANDIDATES) >= vector_machines.LEAST_C


def test_a_slider_refits_its_own_machine_only(make):
    explorer = make("four_classifiers")
    before = explorer.picture.machines
    explorer.set(lam1=2.0)
    after = explorer.picture.machines
    assert after["L1VM"] is not before["L1VM"]
    for name in ("L2VM", "RVM", "SVM"):
        assert after[name] is before[name]


def test_cross_validation_with_a_lonely_class_is_told_in_a_sentence(make):
    explorer = make("four_classifiers")
    X, t = explorer.state.X[98:104], explorer.state.t[98:104]
    explorer.set(X=X[1:], t=t[1:])  # one point of class -1: left out, there is a single class
    explorer.cross_validate()
    assert "both classes outside of every fold" in explorer.message


def test_four_curves_are_what_fresh_machines_say(make):
    explorer = make("four_curves")
    explorer.set(lam=0.2, C=2.0, epsilon=0.15, width=0.4, drawn=3)
    X, t = datasets.sinc(noise=0.1, distribution="gaussian", seed=3)
    np.testing.assert_array_equal(explorer.picture.t, t)
    kernel = Gaussian(gamma=1 / (2 * (0.4 * X.std()) ** 2))
    fresh = {
        "L2VM": L2VMRegressor(kernel, lam=0.2),
        "L1VM": L1VMRegressor(kernel, lam=0.2),
        "RVM": RVR(kernel),
    }
    for name, machine in fresh.items():
        y, w = explorer.picture.machines[name]
        np.testing.assert_allclose(w, weights(machine.fit(X, t), len(X)), atol=1e-6)
        np.testing.assert_allclose(y, machine.predict(SINC_X[:, None]), atol=1e-6)
    svm = SklearnSVR(C=2.0, epsilon=0.15, gamma=kernel.gamma, tol=1e-8).fit(X, t)
    y, w = explorer.picture.machines["SVM"]
    np.testing.assert_array_equal(np.flatnonzero(w), np.sort(svm.support_))
    np.testing.assert_allclose(y, svm.predict(SINC_X[:, None]), atol=1e-3)


def test_the_gaussian_process_by_its_formula(make):
    """Mean k'(K + ratio I)^-1 t, (6.66), with the scale and noise that the evidence prefers."""
    explorer = make("four_curves")
    X, t = datasets.sinc(noise=0.1, distribution="gaussian")
    kernel = Gaussian(gamma=1 / (2 * (0.3 * X.std()) ** 2))
    y, w = explorer.picture.machines["GP"]
    # w solves (K + ratio I) w = t for one number ratio: recover it, and check that it is the best of many
    ratio = float(np.mean((t - kernel(X) @ w) @ w) / (w @ w))
    np.testing.assert_allclose(kernel(X) @ w + ratio * w, t, atol=1e-8)

    def evidence(ratio):
        C = kernel(X) + ratio * np.eye(len(t))
        scale = t @ np.linalg.solve(C, t) / len(t)
        return -0.5 * (np.linalg.slogdet(C)[1] + len(t) * np.log(scale))

    assert all(evidence(ratio) >= evidence(ratio * factor) for factor in (0.8, 0.98, 1.02, 1.25))
    np.testing.assert_allclose(y, kernel(SINC_X[:, None], X) @ w, atol=1e-9)


def test_bumps_add_up_to_the_curve(make):
    explorer = make("four_curves")
    explorer.set(machine="SVM")
    y, w = explorer.picture.machines["SVM"]
    total = np.zeros_like(y)
    for n in np.flatnonzero(w):
        explorer.set(n=int(n) + 1)
        total += explorer.picture.bump
    np.testing.assert_allclose(np.ptp(y - total), 0, atol=1e-9)  # what is left is the bias


def test_stems_and_points_choose_each_other(make):
    explorer = make("four_curves")
    names = [handle.name for handle in explorer.handles(explorer.stage.view, explorer.state)]
    index = names.index(("point", 20))
    explorer._on_gesture({"type": "choose", "index": index})
    assert (explorer.state.machine, explorer.state.n) == ("L1VM", 21)  # a point leaves the machine alone
    n = int(np.flatnonzero(explorer.picture.machines["RVM"][1])[1])
    explorer._on_gesture({"type": "choose", "index": names.index(("RVM", n))})
    assert (explorer.state.machine, explorer.state.n) == ("RVM", n + 1)
    assert explorer.picture.facts["its weight, RVM"] == f"{explorer.picture.machines['RVM'][1][n]:.3g}"
    assert sum(name[0] == "SVM" for name in names) == np.count_nonzero(explorer.picture.machines["SVM"][1])


def test_a_dropped_point_has_no_bump(make):
    explorer = make("four_curves")
    n = int(np.flatnonzero(explorer.picture.machines["L1VM"][1] == 0)[0])
    explorer.set(n=n + 1)
    assert not explorer.picture.bump.any()
    assert explorer.picture.facts["its weight, L1VM"] == "0, dropped"


def test_curves_open_with_the_C_of_cross_validation(make):
    explorer = make("four_curves")
    explorer.set(C=7.0)
    explorer.cross_validate()
    assert explorer.state.C == explorer.State().C
