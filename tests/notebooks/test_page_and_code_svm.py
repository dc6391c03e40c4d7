"""What notebooks 02 to 05 and 08 say is what their code does: numbers of the text computed once more, cells run again.

A cell is found by a piece of its text, so that a cell that was rewritten fails here and is read again.
"""

import re
import warnings

import cvxpy as cp
import nbformat
import numpy as np
import pytest
from execute import NOTEBOOKS
from scipy.integrate import quad
from scipy.stats import norm

from sparsekm_edu import SVC, Gaussian, Linear, datasets
from sparsekm_edu.explorers.svm.outlier import PLACES
from sparsekm_edu.explorers.svm.probabilities import first_of_both
from sparsekm_edu.solvers import hard_margin, irls, platt, smo, soft_margin


def source(name, piece):
    """The one cell of a notebook that holds `piece`."""
    (path,) = NOTEBOOKS.glob(f"{name}_*.ipynb")
    found = [cell.source for cell in nbformat.read(path, as_version=4).cells if piece in cell.source]
    assert len(found) == 1, f"{len(found)} cells of notebook {name} hold {piece!r}"
    return found[0]


def text(name, piece):
    """The same with every run of spaces and line breaks as one space: how lines are broken does not matter."""
    return " ".join(source(name, piece).split())


def function(name, head):
    """A function that a notebook writes out, alone: what the cell does with it afterwards is left out."""
    scope = {}
    (path,) = NOTEBOOKS.glob(f"{name}_*.ipynb")
    exec(nbformat.read(path, as_version=4).cells[1].source, scope)  # the imports
    exec(source(name, head).split("\n\n\n")[0], scope)
    return scope[re.match(r"def (\w+)", head)[1]]


# 02


def cost(X, t, C, margins):
    """The least value of (7.21) if point n is asked for margins[n] instead of 1."""
    w, b, xi = cp.Variable(2), cp.Variable(), cp.Variable(len(t), nonneg=True)
    bill = C * cp.sum(xi) + 0.5 * cp.sum_squares(w)  # (7.21)
    problem = cp.Problem(cp.Minimize(bill), [cp.multiply(t, X @ w + b) >= margins - xi])
    return problem.solve(solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)


def test_a_multiplier_is_the_price_of_margin_and_slack_costs_C():
    assert "A multiplier is the price of *margin*: $a_n$ is what (7.21) rises by" in text(
        "02", "A multiplier"
    )
    (X, t), C, h = datasets.clouds(), 1.0, 1e-4  # as in the notebook
    solution = smo(soft_margin(X @ X.T, t, C), tol=1e-10)
    a, xi = solution.a, np.maximum(0, 1 - t * (X @ (solution.v @ X) + solution.b))
    kinds = [np.flatnonzero(kind) for kind in (a == 0, (a > 0) & (a < C), a == C)]
    for n in np.concatenate([kind[:3] for kind in kinds]):
        step = h * np.eye(len(t))[n]
        price = (cost(X, t, C, 1 + step) - cost(X, t, C, 1 - step)) / (2 * h)
        assert price == pytest.approx(a[n], abs=1e-6)
    # all who pay for slack pay C for a unit, however much they have: asked for a little less, they save as much
    less = np.where(xi > 1e-6, 1e-3, 0.0)
    assert np.ptp(xi[xi > 1e-6]) > 1  # they have very different slacks
    saved = cost(X, t, C, np.ones(len(t))) - cost(X, t, C, 1 - less)
    assert saved == pytest.approx(C * less.sum(), rel=1e-5)


def test_the_largest_hard_multiplier_is_where_softness_ends():
    assert r"(if the $a_n^{\text{hard}}$ are unique, as they are here)" in text(
        "02", "How large is infinity?"
    )
    X, t = datasets.stray()
    hard = smo(hard_margin(X @ X.T, t))
    w = hard.v @ X
    touching = t * (X @ w + hard.b) < 1 + 1e-6
    rows = np.column_stack([X * t[:, None], t])[touching]  # w = sum a_n t_n x_n, 0 = sum a_n t_n
    assert np.linalg.matrix_rank(rows) == touching.sum() == 3  # so only one a has this w: unique
    limit = hard.a.max()
    assert f"$C^\\ast={limit:.1f}$" in text("02", "The answer to exercise 14.2 is no")
    for C, same in ((0.999 * limit, False), (1.001 * limit, True), (100 * limit, True)):
        assert np.allclose(smo(soft_margin(X @ X.T, t, C), tol=1e-10).v @ X, w, atol=1e-6) == same


def test_the_outlier_explorer_has_as_many_places_as_the_text_says():
    assert f"computes its curve at {len(PLACES)} places instead of 65" in text("02", "Hence the staircase")
    assert "places = np.linspace(-8, 8, 65)" in source("02", "figure_outlier")


# 03


@pytest.mark.parametrize("C", [0.01, 0.1, 10.0, 100.0])
@pytest.mark.parametrize("gamma", [0.05, 0.5])
def test_chunking_as_written_out_ends_with_the_answer(C, gamma):
    chunked = function("03", "def chunked(")
    X, t = datasets.overlapping(200)
    K = Gaussian(gamma)(X)
    part, rounds = chunked(K, t, C)
    assert len(rounds) <= 30
    assert part.objective == pytest.approx(smo(soft_margin(K, t, C)).objective, rel=1e-6)
    assert (np.diff([value for *_, value in rounds]) > -1e-7).all()  # the dual value never falls


@pytest.mark.parametrize("C", [0.1, 30.0, 100.0])
def test_smo_as_written_out_ends_with_the_answer(C):
    X, t = datasets.overlapping(200)
    K = Gaussian(0.5)(X)
    a, _ = function("03", "def platt(")(K, t, C)
    value = a.sum() - 0.5 * (a * t) @ K @ (a * t)
    assert value == pytest.approx(smo(soft_margin(K, t, C)).objective, rel=1e-5)


def test_lambda_of_03_is_twice_that_of_04_and_both_say_so():
    assert r"with $\lambda=1/C$ (the penalty is then $\tfrac\lambda2" in text("03", "All values of C at once")
    assert r"(In notebook 03 the penalty kept its ½, so $\lambda$ was $1/C$.)" in text(
        "04", "What does a mistake cost?"
    )
    (X, t), C = datasets.clouds(), 3.0
    solution = smo(soft_margin(X @ X.T, t, C), tol=1e-10)
    w = solution.v @ X
    hinges = np.maximum(0, 1 - t * (X @ w + solution.b)).sum()
    for penalty in (0.5 * (1 / C) * w @ w, 1 / (2 * C) * w @ w):  # lambda/2 |w|^2 and lambda |w|^2
        assert solution.objective / C == pytest.approx(hinges + penalty, rel=1e-6)


# 04


@pytest.mark.parametrize("D", [1, 2, 100])
@pytest.mark.parametrize("held", [10, 150])
@pytest.mark.parametrize("C", [0.01, 100.0])
def test_platts_newton_as_written_out_ends_with_the_answer(D, held, C):
    """At both ends of the sliders of the explorer."""
    newton = function("04", "def platt_newton(")
    X, t = datasets.many_features(200, 100, 0)
    X, kept = X[:, :D], first_of_both(held, t)
    y = SVC(C=C, kernel=Linear()).fit(X[~kept], t[~kept]).decision_function(X)
    for rows in (kept, ~kept):
        fit = platt(y[rows], t[rows])
        np.testing.assert_allclose(newton(y[rows], t[rows]), (fit.A, fit.B), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_em_as_written_out_never_rises_and_ends(C):
    X, t = datasets.clouds(40)
    _, _, J = function("04", "def svm_by_em(")(X @ X.T, t, C, n_steps=80)
    assert (np.diff(J) < 1e-9 * J[:-1]).all()
    assert J[-1] == pytest.approx(smo(soft_margin(X @ X.T, t, C), tol=1e-9).objective, rel=1e-3)


def sum_of_both(C, f):
    """e^{-C g(f)} + e^{-C g(-f)} with the hinge g."""
    return np.exp(-C * np.maximum(0, 1 - f)) + np.exp(-C * np.maximum(0, 1 + f))


def test_the_text_on_the_hinge_that_is_no_likelihood():
    f = np.linspace(-300, 300, 600_001)
    after = text("04", "The hinge's sum is")
    assert r"is $2e^{-C}$ at $f=0$, climbs to $1+e^{-2C}$ at $f=\pm1$ and sinks to 1 far out" in after
    for C in (0.2, np.log(2), 3.0, 10.0):
        total = sum_of_both(C, f)
        assert np.interp((0, 1, -1), f, total) == pytest.approx([2 * np.exp(-C)] + 2 * [1 + np.exp(-2 * C)])
        assert total[0] == pytest.approx(1, abs=1e-9)
    assert f"${sum_of_both(10.0, 0.0):.4f}$ at $f=0$" in after

    def bump(C):
        return sum_of_both(C, f).max() / sum_of_both(C, f).min()

    assert "a bump of 25 %" in text("04", "The shading shows how far the sum is from 1.")
    assert bump(np.log(2)) == pytest.approx(1.25, abs=1e-6)
    assert min(bump(C) for C in np.linspace(0.1, 3, 59)) > 1.25


def test_the_prediction_about_mass_stands_before_the_figure():
    (path,) = NOTEBOOKS.glob("04_*.ipynb")
    cells = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    asked, drawn, tried, told = (
        next(n for n, cell in enumerate(cells) if piece in cell)
        for piece in (
            "will mass be missing",
            "figure_no_likelihood",
            "explorers.no_likelihood()",
            "inside the street. At",
        )
    )
    assert asked < drawn < tried < told


# 05


def test_prml_gives_no_reason_for_one_versus_the_rest():
    words = text("05", "The nine noes outweigh the one yes")
    assert "Perhaps that is why it has survived. PRML gives no reason; it only remarks" in words


# 08


@pytest.mark.parametrize("start", [(0, 0), (3, -1), (4, 5), (8, 6), (-10, -2), (8, -2), (-10, 6)])
def test_newton_as_written_out_ends_at_the_bottom_from_every_corner_of_the_explorer(start):
    newton = function("08", "def irls_by_the_book(")
    x, t = datasets.hours()
    Phi, t = np.column_stack([np.ones(len(t)), x]), (t > 0).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = newton(Phi, t, np.array(start, float), n_steps=40)
    np.testing.assert_allclose(path[-1], irls(Phi, t, 0.0).w, atol=1e-6)


@pytest.mark.parametrize("alpha", [1e-6, 0.1, 10.0])
def test_newton_as_written_out_with_a_prior(alpha):
    newton = function("08", "def irls_by_the_book(")
    X, t = datasets.separable()
    Phi, t = np.column_stack([X, np.ones(len(t))]), (t > 0).astype(float)
    np.testing.assert_allclose(newton(Phi, t, np.zeros(3), alpha, 60)[-1], irls(Phi, t, alpha).w, rtol=1e-4)


def test_the_integral_of_the_probit_and_the_slip_of_the_notes():
    words = text("08", "Predictions that know what they do not know")
    assert r"\int\Psi(\lambda a)\,\mathcal N(a\mid\mu_a,\sigma_a^2)\,da=\Psi\Big(\frac{\mu_a}{\sqrt{" in words
    mean, sd, lam = 1.0, 2.0, np.sqrt(np.pi / 8)

    def average(scale):
        return quad(lambda u: norm.cdf(scale * (mean + sd * u)) * norm.pdf(u), -12, 12, points=(-0.5,))[0]

    printed, mended, right = average(1.0), average(lam), norm.cdf(mean / np.sqrt(lam**-2 + sd**2))
    assert mended == pytest.approx(right, abs=1e-9)
    assert f"it is {printed:.4f} as printed, {mended:.4f} with $\\lambda$, like the right side" in words


def test_where_the_prior_holds_the_bias():
    assert "(none on the bias $b$;" in text("08", "## 4 Weights that run away")
    assert "np.array([alpha, alpha, 0.0])" in source("08", "figure_runaway")
    assert "The prior now holds *all* weights." in text("08", "## 8 In many dimensions")
