"""Figures 14.2 and 14.3 alive: what the readout says, computed in another way."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.preprocessing import PolynomialFeatures

from sparsekm_edu import datasets
from sparsekm_edu.explorers.kernels.prototypes import LINE_X, MONOMIALS, POWERS, RBF


def rbf(X, prototypes, tau):
    return np.exp(-((X[:, None] - prototypes) ** 2).sum(axis=2) / (2 * tau**2))


def per_coordinate(X, degree):
    return np.column_stack([(2 * x - 1) ** p for x in X.T for p in range(1, degree + 1)])


def all_products(X, degree):
    return PolynomialFeatures(degree, include_bias=False).fit_transform(2 * X - 1)


@pytest.mark.parametrize("lam", [0.01, 1.0])
@pytest.mark.parametrize("features", [RBF, POWERS, MONOMIALS])
def test_prototypes_shows_what_scikit_learn_finds(make, features, lam):
    explorer = make("prototypes")
    explorer.set(features=features, lam=lam, degree=6, drawn=3)
    X, t = datasets.xor(seed=3)
    phi = {
        RBF: lambda x: rbf(x, explorer.state.prototypes, 0.5),
        POWERS: lambda x: per_coordinate(x, 6),
        MONOMIALS: lambda x: all_products(x, 6),
    }[features]
    model = LogisticRegression(C=1 / (2 * lam), solver="newton-cholesky", tol=1e-10).fit(phi(X), t)
    corners = model.decision_function(phi(datasets.XOR_CORNERS))
    np.testing.assert_allclose(explorer.picture.y, corners, rtol=1e-5, atol=1e-6)
    facts = explorer.picture.facts
    wrong = int(np.sum(model.predict(phi(X)) != t))
    assert facts["training errors"] == f"{wrong} of 80"
    new, their_t = datasets.xor(1000, seed=10_000)
    assert explorer.picture.test == np.mean(model.predict(phi(new)) != their_t)
    assert facts["how many features"] == str(phi(X).shape[1])
    loss = np.logaddexp(0, -t * model.decision_function(phi(X))).mean()
    assert float(facts["loss, nats a point"]) == pytest.approx(loss, abs=6e-4)
    assert float(facts["length of w"]) == pytest.approx(np.linalg.norm(model.coef_), rel=0.01)


def test_prototypes_powers_never_solve_xor_and_the_diagonals_tell_why(make):
    explorer = make("prototypes", features=POWERS)
    for drawn in range(5):
        for degree in (1, 4, 10):
            for lam in (1e-6, 0.01, 10.0):
                explorer.set(drawn=drawn, degree=degree, lam=lam)
                y = explorer.picture.y
                assert y[:2].sum() == pytest.approx(y[2:].sum(), abs=1e-9 * np.abs(y).max())
                assert (y > 0).tolist() != [False, False, True, True]
                assert explorer.picture.errors >= 10
                assert explorer.picture.test > 0.25


def test_prototypes_two_degrees_with_their_product_are_enough(make):
    explorer = make("prototypes", features=MONOMIALS)
    for drawn in range(5):
        explorer.set(drawn=drawn, degree=2)
        assert explorer.picture.errors == 0
        assert explorer.picture.test < 0.01
    explorer.set(degree=1)
    assert explorer.picture.errors > 15


def test_prototypes_the_default_solves_xor_a_bad_place_or_width_does_not(make):
    explorer = make("prototypes")
    assert (explorer.picture.errors, explorer.picture.test) == (0, 0)
    explorer.set(prototypes=np.full((4, 2), 0.5) + 0.01 * np.arange(8).reshape(4, 2))
    assert explorer.picture.errors > 15  # all in the middle: nearly one function
    explorer.reset()
    explorer.set(tau=10.0)
    assert explorer.picture.errors > 15  # flat, and the weights must be paid for
    explorer.set(lam=1e-6, tau=3.0)
    assert explorer.picture.errors < 5


def test_prototypes_two_on_a_diagonal_are_enough_and_two_neighbours_lose_half(make):
    explorer = make("prototypes")
    explorer.set(prototypes=[(0.0, 0.0), (1.0, 1.0)])
    assert explorer.picture.errors == 0
    assert explorer.picture.test < 0.01
    explorer.set(prototypes=[(0.0, 0.0), (0.0, 1.0)])
    assert explorer.picture.test > 0.4


def test_prototypes_can_be_added_and_deleted_until_none_is_left(make):
    explorer = make("prototypes")
    explorer.add(0.5, 0.5, 1)
    assert explorer.picture.facts["how many features"] == "5"
    for _ in range(5):
        explorer.remove(0)
    assert "add one" in explorer.message
    assert explorer.canvas.stale
    explorer.add(0.0, 1.0, 1)
    assert explorer.message == ""
    explorer.set(features=POWERS)
    assert explorer.canvas.handles == []  # nothing to drag where there are no prototypes


@pytest.mark.parametrize(
    ("tau", "K", "lam"), [(0.1, 10, 1e-3), (0.5, 10, 1e-3), (0.5, 5, 0.1), (0.02, 20, 10.0)]
)
def test_rbf_basis_shows_what_scikit_learn_finds(make, tau, K, lam):
    explorer = make("rbf_basis")
    explorer.set(tau=tau, K=K, lam=lam)
    X, t = explorer.state.X, explorer.state.t
    mu = np.linspace(-1, 1, K)[:, None]
    Phi, line = rbf(X, mu, tau), rbf(LINE_X[:, None], mu, tau)
    model = Ridge(alpha=lam, solver="svd").fit(Phi, t)
    np.testing.assert_allclose(explorer.picture.y, model.predict(line), rtol=1e-6, atol=1e-6)
    facts = explorer.picture.facts
    s = np.linalg.svd(Phi, compute_uv=False)
    assert float(facts["condition of Φ"]) == pytest.approx(s[0] / s[-1], rel=0.06)
    assert facts["rank of (Φ, 1)"] == f"{K + 1} of {K + 1}"
    rms = np.sqrt(np.mean((t - model.predict(Phi)) ** 2))
    assert float(facts["RMS to the points"]) == pytest.approx(rms, abs=6e-4)
    z = 10 * (LINE_X + 1)
    off = np.sqrt(np.mean((model.predict(line) - (z**2 / 9 - 1.5 * z)) ** 2))
    assert float(facts["RMS to the truth"]) == pytest.approx(off, abs=6e-4)
    assert float(facts["highest − lowest y"]) == pytest.approx(np.ptp(model.predict(line)), abs=6e-4)


def test_rbf_basis_wide_bumps_are_a_level_line_a_parabola_or_a_quartic(make):
    """The book's straight line needs its price: without one the same matrix of nearly ones bends as it likes."""
    explorer = make("rbf_basis", tau=50.0)
    told = []
    for fields in ({"lam": 1e-3}, {"lam": 1e-12}, {"ridge": False}):
        explorer.set(**fields)
        told.append((explorer.picture.facts["like a polynomial of"], float(explorer.picture.facts["up to"])))
        assert explorer.picture.facts["rank of (Φ, 1)"] == "5 of 11"
        assert explorer.picture.facts["condition of Φ"] == "> 1e15"
    assert [degree for degree, _ in told] == ["degree 0", "degree 2", "degree 4"]
    assert max(off for _, off in told) < 0.05


def test_rbf_basis_without_points_says_so_and_one_point_is_a_level_line(make):
    explorer = make("rbf_basis")
    explorer.set(X=np.empty((0, 1)), t=np.empty(0))
    assert "at least one point" in explorer.message
    explorer.add(0.3, 2.0, 1)
    assert explorer.message == ""
    np.testing.assert_allclose(explorer.picture.y, 2.0)
