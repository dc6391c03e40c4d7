"""Table 14.1: what is measured, and that its numbers are what they are called."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from sparsekm_edu import RVC, SVC, Gaussian, Sigmoid, datasets
from sparsekm_edu.models import comparison

KERNEL = Gaussian(gamma=8.0)


def test_the_claims_are_those_of_the_book_for_the_machines_that_are_measured():
    assert set(comparison.CLAIMS) == set(comparison.machines(KERNEL))
    assert all(len(row) == len(comparison.HEADER) for row in comparison.CLAIMS.values())


def test_nats_lost_is_the_divergence_of_the_books_and_0_only_for_the_truth():
    p, q = np.array([0.2, 0.5, 1.0, 0.0]), np.array([0.3, 0.5, 0.9, 0.0])
    direct = (0.2 * np.log(0.2 / 0.3) + 0.8 * np.log(0.8 / 0.7) + np.log(1 / 0.9)) / 4
    assert comparison.nats_lost(p, q) == pytest.approx(direct)
    assert comparison.nats_lost(p, p) == pytest.approx(0, abs=1e-10)
    assert 1 < comparison.nats_lost(np.array([1.0]), np.array([0.0])) < np.inf


def test_given_makes_the_process_of_scikit_learn_the_same_as_its_own_kernel():
    X, t = datasets.wavy_odds(n=60)
    ours = comparison.machines(KERNEL)["GP"].fit(X, t)
    own = ConstantKernel(1.0, (1e-3, 1e5)) * RBF(0.25, "fixed")
    theirs = GaussianProcessClassifier(own).fit(X, t)
    places = np.linspace(-1, 1, 9)[:, None]
    np.testing.assert_allclose(ours.predict_proba(places), theirs.predict_proba(places), atol=1e-6)


def test_measured_counts_points_and_compares_with_known_probabilities():
    draws = [datasets.wavy_odds(n=60, seed=seed) for seed in range(2)]
    x = np.linspace(-1, 1, 101)[:, None]
    p = expit(datasets.wavy_log_odds(x[:, 0]))
    found = comparison.measured(KERNEL, draws, x, p)
    assert list(found) == [*comparison.CLAIMS, "SVM, Platt"]
    for name, rows in found.items():
        assert rows.shape == (2, 3)
        kept, lost, error = rows.T
        assert (kept == 60).all() == (name in ("L2VM", "GP"))
        assert (lost > 0).all()
        assert (error >= np.mean(np.minimum(p, 1 - p)) - 1e-12).all()
    assert (found["RVM"][:, 0] < found["SVM"][:, 0]).all()
    np.testing.assert_array_equal(found["SVM"][:, 0], found["SVM, Platt"][:, 0])
    X, t = draws[0]
    chosen = comparison.machines(KERNEL)["SVM"].fit(X, t).best_params_["C"]
    model = SVC(C=chosen, kernel=KERNEL).fit(X, t)
    assert found["SVM"][0, 0] == len(model.support_)
    assert found["SVM"][0, 1] == pytest.approx(comparison.nats_lost(p, expit(model.decision_function(x))))


def test_a_kernel_that_is_no_mercer_kernel_warns_the_svm_and_breaks_the_process():
    train, new = datasets.overlapping(n=100), datasets.overlapping(n=1000, seed=9)
    found = comparison.tried(Sigmoid(scale=1.0, offset=-1.0), *train, *new)
    assert {name: word for name, (word, _) in found.items()} == {
        "L2VM": "fits", "L1VM": "fits", "RVM": "fits", "SVM": "fits, and warns", "GP": "breaks down"
    }  # fmt: skip
    errors = {name: error for name, (_, error) in found.items()}
    assert errors.pop("GP") is None
    assert errors.pop("SVM") > 0.15 > max(errors.values())
    mercer = comparison.tried(Gaussian(gamma=0.5), *train, *new)
    assert all(word == "fits" and error < 0.15 for word, error in mercer.values())


def test_three_classes_need_several_svms():
    found = comparison.tried(
        Gaussian(gamma=0.5), *datasets.three_classes(), *datasets.three_classes(1000, seed=9)
    )
    assert [word for word, _ in found.values()] == ["fits"] * 3 + ["several machines"] * 2
    assert max(error for _, error in found.values()) < 0.1


def test_what_was_found_stands_below_what_the_book_claims():
    found = {name: tuple(f"{name} {n}" for n in range(6)) for name in comparison.CLAIMS}
    rows = comparison.beside_claims(found)
    assert list(rows)[:3] == ["L2VM", "  L2VM, found", "L1VM"]
    assert len(rows) == 10
    assert all(rows[name] == claims for name, claims in comparison.CLAIMS.items())
    assert rows["  SVM, found"] == found["SVM"]
    assert comparison.in_words("fits", 0.1234) == "fits, error 12.3 %"
    assert comparison.in_words("breaks down", None) == "breaks down"


def test_widths_by_evidence_are_where_the_evidence_is_highest_and_the_rvm_is_deceived():
    X, t = datasets.wavy_odds(n=100, seed=1)
    x = np.linspace(-1, 1, 101)[:, None]
    p = expit(datasets.wavy_log_odds(x[:, 0]))
    found = comparison.widths_by_evidence(8.0, [(X, t)], x, p)
    gamma, lost = found["GP"][0]
    heights = [
        GaussianProcessClassifier(comparison.AMPLITUDE * RBF((2 * g) ** -0.5, "fixed"))
        .fit(X, t)
        .log_marginal_likelihood_value_
        for g in (gamma / 1.5, gamma, gamma * 1.5)
    ]
    assert max(heights) == heights[1]
    gamma, lost = found["RVM"][0]
    fixed, learned = (RVC(Gaussian(g)).fit(X, t) for g in (8.0, gamma))
    assert learned.log_evidence_ > fixed.log_evidence_ + 1
    assert lost == pytest.approx(comparison.nats_lost(p, learned.predict_proba(x)[:, 1]), rel=1e-6)
    assert lost > comparison.nats_lost(p, fixed.predict_proba(x)[:, 1])
