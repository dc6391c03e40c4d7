"""What notebook 13 says is what the code does: its own L1VM at both ends of the sliders, the numbers of its answers."""

import itertools
import re

import numpy as np
import pytest
from test_page_and_code import cells, prose, run, slider

from sparsekm_edu import SVC, SVR, Gaussian, datasets, explorers
from sparsekm_edu.explorers.kernels.vector_machines import (
    FourClassifiersExplorer,
    FourClassifiersState,
    FourCurvesExplorer,
    FourCurvesState,
)
from sparsekm_edu.lessons.vector_machines import weights
from sparsekm_edu.solvers import gaussian_process, l1, l2
from sparsekm_edu.solvers.linear.penalised import largest_lam

SINC = datasets.sinc(noise=0.1, distribution="gaussian")


def kernel_matrix(width):
    """The Gram matrix of the sinc's points for a kernel of so many standard deviations of x."""
    return Gaussian(gamma=1 / (2 * (width * SINC[0].std()) ** 2))(SINC[0])


def in_the_plane(**fields):
    return FourClassifiersExplorer.compute(FourClassifiersState(**fields))


def on_the_line(**fields):
    return FourCurvesExplorer.compute(FourCurvesState(**fields))


def kept(picture):
    """Machine -> how many points it keeps, for either explorer."""
    return {
        name: len(both[1]) if np.ndim(both[0]) == 2 else int(np.count_nonzero(both[1]))
        for name, both in picture.machines.items()
    }


# ---- the algorithm on the page --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_l1vm():
    names, _ = run("13", "def l1vm(")
    return names["l1vm"]


@pytest.mark.parametrize(
    ("width", "lam"),
    list(
        itertools.product(
            [*slider("four_curves", "width"), 0.15, 0.3, 1.0], [*slider("four_curves", "lam"), 0.1, 0.5, 3.0]
        )
    ),
)
def test_own_l1vm_is_the_library_s_from_end_to_end_of_the_sliders(own_l1vm, width, lam):
    K, t = kernel_matrix(width), SINC[1]
    w, b = own_l1vm(K, t, lam)
    library = l1(K, t, lam)
    np.testing.assert_array_equal(np.flatnonzero(w), library.support)
    np.testing.assert_allclose(w, library.w, atol=1e-4)  # wide kernels are nearly equal columns
    J = np.sum((t - K @ w - b) ** 2) + lam * np.abs(w).sum()
    assert pytest.approx(library.objective, rel=1e-10) == J


def test_own_l1vm_ends_on_random_problems(own_l1vm):
    rng = np.random.default_rng(0)
    for _ in range(200):
        M = rng.integers(1, 9)
        N = M + rng.integers(2, 9)
        Phi, t = rng.normal(size=(N, M)), rng.normal(size=N)
        lam = 10 ** rng.uniform(-1, 1)
        np.testing.assert_allclose(own_l1vm(Phi, t, lam)[0], l1(Phi, t, lam).w, atol=1e-6)


# ---- section 5 ------------------------------------------------------------------------------------------


def test_conditions_of_l2vm_and_l1vm_as_printed():
    """w = -G / 2 lambda; and w = 0 with |G| <= lambda, or -G = lambda sign(w). G by differences of the error E."""
    K, t = kernel_matrix(0.3), SINC[1]

    def slopes(fit, h=1e-6):
        def E(w):
            return np.sum((t - K @ w - fit.b) ** 2)

        return np.array([(E(fit.w + h * e) - E(fit.w - h * e)) / (2 * h) for e in np.eye(len(t))])

    ridge, lasso = l2(K, t, 0.5), l1(K, t, 0.5)
    np.testing.assert_allclose(ridge.w, -slopes(ridge) / (2 * 0.5), atol=1e-6)
    G, inside = slopes(lasso), lasso.w != 0
    assert np.abs(G[~inside]).max() <= 0.5
    np.testing.assert_allclose(-G[inside], 0.5 * np.sign(lasso.w[inside]), atol=1e-6)


def test_multipliers_are_C_times_the_slope_of_the_loss():
    """Hinge: 0 for m > 1, C for m < 1, between at the corner."""
    X, t = datasets.overlapping(n=200)
    model = SVC(C=0.5, kernel=Gaussian(gamma=1 / 0.18)).fit(X, t)
    a, m = weights(model, 200) * t, t * model.decision_function(X)
    assert np.all(a[m > 1 + 1e-4] == 0)
    np.testing.assert_allclose(a[m < 1 - 1e-4], 0.5)
    assert (m < 1 - 1e-4).sum() > 20 < (m > 1 + 1e-4).sum()


# ---- section 6 ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ten_draws_in_the_plane():
    names, _ = run(
        "13",
        "def four_classifiers",
        "figures.figure_14_4(",
        "def kept_and_wrong",
        "L2VM, L1VM, RVM, SVM = kept",
    )
    return names


def test_order_and_errors_over_ten_draws(ten_draws_in_the_plane):
    names = ten_draws_in_the_plane
    counts, text = names["in_the_plane"], prose("13")
    assert all(len(each) == 10 for each in counts.values())
    order = [counts[name] for name in ("RVM", "L1VM", "SVM", "L2VM")]
    assert np.all(order[0] < order[1])
    assert np.all(order[1] < order[2])
    assert np.all(order[2] <= order[3])
    assert "holds in every draw" in text
    assert np.sum(counts["SVM"] == 200) == 1
    assert "Once cross-validation chose a $C$ so small that *all* points are support vectors" in text
    error = dict(zip(counts, np.median(names["wrong"], axis=1)))
    for other in ("RVM", "SVM"):
        assert 0.025 < error["L1VM"] - error[other] < 0.035
    assert "errs about three points more than RVM and SVM" in text


def test_the_figure_and_the_explorer_keep_the_same_points(ten_draws_in_the_plane):
    picture = in_the_plane()
    for name, (_, points) in ten_draws_in_the_plane["shown"].items():
        np.testing.assert_array_equal(points, picture.machines[name][1])
    counts = kept(picture)
    assert counts["L2VM"] / counts["RVM"] == 20
    assert "by a factor of twenty" in prose("13")
    assert picture.facts["least possible error"] == "10.2%"
    assert "Nobody can err less than 10.2 %" in prose("13")
    _, t = datasets.overlapping(n=200)
    assert np.all(t[picture.machines["RVM"][1]] == 1)
    assert "The RVM's ten all belong to one class" in prose("13")
    assert counts["RVM"] == 10


def test_the_svm_circles_who_is_inside_its_margin_or_on_the_wrong_side():
    X, t = datasets.overlapping(n=200)
    model = SVC(kernel=Gaussian(gamma=1 / 0.18), C=0.5, tol=1e-8).fit(X, t)
    margin = t * model.decision_function(X)
    np.testing.assert_array_equal(model.support_, in_the_plane().machines["SVM"][1])
    assert margin[model.support_].max() < 1 + 1e-6
    assert np.delete(margin, model.support_).min() > 1 - 1e-6


def test_a_higher_price_may_keep_more():
    low, high = (
        len(in_the_plane(lam1=lam).machines["L1VM"][1]) for lam in (10**-0.85, 10**-0.8)
    )  # on the slider
    assert low < high
    assert "try λ from 0.14 to 0.16" in prose("13")


def test_when_the_last_circle_goes():
    X, t = datasets.overlapping(n=200)
    most = largest_lam(Gaussian(gamma=1 / 0.18)(X), (t > 0).astype(float), "logistic")
    assert f"at about {most:.1f}" in prose("13")
    low, high = slider("four_classifiers", "lam1")
    assert low < most < high
    counts = [kept(in_the_plane(lam1=lam))["L1VM"] for lam in np.geomspace(0.1, 9, 41)]
    rises = np.diff(counts)[np.diff(counts) > 0]
    assert counts[-1] == 0
    assert set(rises) <= {1, 2}
    assert len(rises) > 0


def test_wide_kernels_change_the_order():
    counts = kept(in_the_plane(width=3.0))
    assert f"it keeps {counts['RVM']}, the L1VM {counts['L1VM']}" in prose("13")
    assert counts["L1VM"] < counts["RVM"]


@pytest.mark.parametrize("place", [(-2.4, -1.5), (-1.5, -1.0), (2.4, -1.4), (0.0, -1.6)])
def test_who_circles_a_blue_point_among_orange_ones(place):
    X, t = datasets.overlapping(n=200)
    X[150] = place
    assert t[150] == 1
    machines = in_the_plane(X=X, t=t).machines
    circled = {name: 150 in points for name, (_, points) in machines.items()}
    assert circled == {"L2VM": True, "L1VM": False, "RVM": True, "SVM": True}


# ---- section 7 ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ten_draws_on_the_line():
    names, _ = run(
        "13",
        "def five_curves",
        "figures.figure_14_5(",
        "def kept_and_rms",
        "figures.figure_order(right",
        change=[("figures.figure_order(left, in_the_plane,", "print(left,")],  # of section 6
    )
    return names


def test_order_and_errors_of_ten_curves(ten_draws_on_the_line):
    counts = dict(zip(ten_draws_on_the_line["curves"], ten_draws_on_the_line["kept"]))
    text = prose("13")
    assert np.all(counts["L1VM"] < counts["SVM"])
    assert np.all(counts["SVM"] < counts["L2VM"])
    assert np.all(counts["RVM"] <= counts["L1VM"])
    assert np.sum(counts["RVM"] == counts["L1VM"]) == 2
    assert "fewer than the L1VM in eight draws, as many in two" in text
    errors = dict(zip(ten_draws_on_the_line["curves"], np.median(ten_draws_on_the_line["rms"], axis=1)))
    assert min(errors, key=errors.get) == "L2VM"
    assert "The L2VM, which keeps all points, comes closest to the truth" in text


def test_figure_14_5_and_the_explorer_are_the_same(ten_draws_on_the_line):
    picture = on_the_line()
    for name, (y, w) in ten_draws_on_the_line["curves"].items():
        np.testing.assert_allclose(w, picture.machines[name][1], atol=1e-6)
        np.testing.assert_allclose(y, picture.machines[name][0], atol=1e-6)


def test_what_the_stems_are_said_to_be():
    K, t = kernel_matrix(0.3), SINC[1]
    machines = on_the_line().machines
    w = machines["GP"][1]
    residual = t - K @ w
    rho = residual @ w / (w @ w)
    np.testing.assert_allclose(w, residual / rho, atol=1e-8)  # w_n = (t_n - y_n) / rho
    v, model = machines["SVM"][1], SVR(kernel="precomputed", C=0.5, epsilon=0.1).fit(K, t)
    outside = np.abs(t - model.predict(K)) > 0.1 + 1e-4
    np.testing.assert_allclose(np.abs(v[outside]), 0.5)  # the longest teeth end at C
    assert np.abs(v).max() == pytest.approx(0.5)
    wave = machines["L2VM"][1]
    assert np.sum(np.diff(np.sign(np.diff(wave))) != 0) < 12  # a smooth wave has few turns


def test_bumps_of_rvm_and_gaussian_process():
    machines = on_the_line().machines
    n = int(np.abs(machines["RVM"][1]).argmax())
    rvm, gp = (machines[name][1] for name in ("RVM", "GP"))
    assert gp[n] > rvm[n] > 0.9  # the peak of the sinc is 1
    around = np.delete(gp[n - 8 : n + 9], 8)
    assert around.min() < 0 < around.max()
    assert "That of the GP is even higher" in prose("13")


def test_weights_of_l2vm_and_gaussian_process_are_residuals_smooth_and_rough(ten_draws_on_the_line):
    X, t = datasets.sinc(noise=0.1, distribution="gaussian")
    K = Gaussian(gamma=1 / (2 * (0.3 * X.std()) ** 2))(X)
    fit = l2(K, t, lam=0.5)
    np.testing.assert_allclose(0.5 * fit.w, K @ (t - K @ fit.w - fit.b), atol=1e-6)
    process = gaussian_process(K, t)
    w, rho = process.scale * process.weights, 1 / (process.beta * process.scale)
    np.testing.assert_allclose(rho * w, t - K @ w, atol=1e-9)


def test_the_explorers_open_as_the_page_says():
    state = explorers.four_classifiers().state
    assert (state.lam2, state.lam1, state.width) == (5.0, 1.0, 0.3)
    state = explorers.four_curves().state
    assert (state.lam, state.epsilon, state.width) == (0.5, 0.1, 0.3)


# ---- xor, and the table: what is said of printed numbers ----------------------------------------------------


def printed(mark):
    """What the one cell that holds `mark` printed when the notebook was stored (nbval prints it again)."""
    (cell,) = [cell for cell in cells("13") if cell.cell_type == "code" and mark in cell.source]
    return cell.outputs[0]["text"]


def row(mark, name):
    """The numbers of the row of a printed table that begins with `name`."""
    (line,) = [line for line in printed(mark).splitlines() if re.match(rf"{re.escape(name)}  ", line)]
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", line.removeprefix(name))]


def test_degree_2_is_enough_for_xor_and_two_prototypes_on_a_diagonal_are():
    from sparsekm_edu.lessons.prototypes import monomials

    X, t = datasets.xor()
    corners = datasets.XOR_CORNERS  # 00, 11, 01, 10
    kernel = Gaussian(gamma=1 / (2 * 0.5**2))
    sets = {
        "degree 2": monomials(2 * X - 1, 2),
        "diagonal": kernel(X, corners[:2]),
        "neighbours": kernel(X, corners[[0, 2]]),
    }
    wrong = {}
    for name, Phi in sets.items():
        fit = l2(Phi, (t + 1) / 2, 0.01, "logistic")
        wrong[name] = int(np.sum((Phi @ fit.w + fit.b > 0) != (t > 0)))
    assert wrong["degree 2"] == wrong["diagonal"] == 0
    assert wrong["neighbours"] > 10


def test_what_is_said_of_wide_bumps():
    assert row('told[f"lam =', "lam = 0.001")[0] == 0
    assert row('told[f"lam =', "lam = 1e-12")[0] == 2
    assert row('told[f"lam =', "lam = 0")[0] == 4
    assert row("rank, condition =", "tau = 50")[0] == 5
    X, _ = datasets.parabola()
    mu = np.linspace(-1, 1, 10)
    Phi = np.exp(-((X - mu) ** 2) / (2 * 50.0**2))
    first, second, third, fourth = np.linalg.svd(Phi - Phi.mean(axis=0))[1][:4]
    assert first < 3 * second  # they come in pairs,
    assert third < 3 * fourth
    assert 1e-10 < third / second < 1e-6  # the second pair far below the first
    assert f"{first:.3f}" == "0.002"
    assert first**2 < 0.01 * 1e-3  # too faint for the book's price
    assert second**2 > 1e4 * 1e-12 > 1e4 * third**2


def test_the_bumps_expanded():
    """The formula of section 3: what is left is of the order of tau^-6."""
    x, mu, tau = np.linspace(-1, 1, 21)[:, None], np.linspace(-1, 1, 10), 50.0
    bump = np.exp(-((x - mu) ** 2) / (2 * tau**2))
    series = (x * mu - x**2 / 2) / tau**2
    series = series + (x**4 - 4 * x**3 * mu + 6 * x**2 * mu**2 - 4 * x * mu**3) / (8 * tau**4)
    left = bump - series
    assert np.ptp(left, axis=0).max() < 3 / tau**6  # a constant for each bump


def test_wide_kernels_are_blind_because_of_the_price():
    wrong = [explorers.prototypes(tau=2.0, lam=lam).picture.errors for lam in (0.01, 0.0001)]
    assert wrong == [26, 0]
    assert "26 of 80 are wrong with λ = 0.01, none with 0.0001" in prose("13")
    assert slider("prototypes", "lam")[0] <= 0.0001


def test_what_is_said_of_restarts():
    ends = "ends = {"
    for name in ("L2VM", "L1VM", "SVM"):
        assert row(ends, name)[:2] == [20, 1]
    _, tops, lowest, highest = row(ends, "RVM")
    assert tops > 1
    assert highest - lowest == pytest.approx(0.8, abs=0.05)
    assert row(ends, "RVM")[0] == 8
    assert "8 of 20" in prose("13")
    assert row(ends, "SVM, sigmoid")[1] > 1


def test_what_is_said_of_probabilities_and_widths():
    lost = {name: row("measured = comparison", name)[2] for name in ("L2VM", "SVM", "SVM, Platt", "GP")}
    assert lost["SVM, Platt"] > max(lost["L2VM"], lost["GP"])
    checks = "by_evidence = []"
    assert row(checks, "draws where the SVM loses more than all others") == [10]
    assert row(checks, "draws where Platt's sigmoid helps") == [10]
    assert row(checks, "L2VM, lam by evidence instead of CV: nats lost")[0] < lost["L2VM"]
    for name in ("RVM", "GP"):
        width, learned, given = row("widths_by_evidence(", name)
        assert learned > given
        assert width < 0.25
    assert row("widths_by_evidence(", "RVM")[0] == 0.25 / 5
    assert [row("measured = comparison", name)[0] for name in ("RVM", "SVM", "GP")] == [4, 43.5, 100]
