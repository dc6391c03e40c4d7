"""What notebook 15 says is what the code does: its own grid at both ends of the surface, its formulas taken literally,
and the numbers of its text beside those that its cells print (which nbval runs again)."""

import re
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.model_selection import PredefinedSplit
from test_page_and_code import NOTEBOOKS, cells, prose, run, slider

from sparsekm_edu import RVC, SVC, Gaussian, datasets
from sparsekm_edu.explorers.kernels.optimism import OptimismExplorer, OptimismState
from sparsekm_edu.explorers.kernels.selection import (
    CELLS_C,
    CELLS_GAMMA,
    CVSurfaceExplorer,
    CVSurfaceState,
    known,
)
from sparsekm_edu.lessons.optimism import least_of_binomials
from sparsekm_edu.lessons.true_error import true_errors
from sparsekm_edu.models import grid_search, leave_one_out_errors
from sparsekm_edu.solvers import c_path


def printed(mark):
    """What the one cell that holds a mark printed when it was stored."""
    (cell,) = [cell for cell in cells("15") if cell.cell_type == "code" and mark in cell.source]
    return "".join(output.get("text", "") for output in cell.outputs)


def numbers(line):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", line)]


def line_of(text, begins):
    (line,) = [line for line in text.splitlines() if line.startswith(begins)]
    return numbers(line.removeprefix(begins))


# ---- section 1: the grid by hand ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_grid():
    names, _ = run("15", "def grid_by_hand(")
    return names["grid_by_hand"]


@pytest.mark.parametrize("n_folds", [2, 5, 10])
def test_own_grid_is_the_library_s_at_both_ends_of_the_surface(own_grid, n_folds):
    X, t = datasets.mixture(60, seed=4)
    C, gamma = np.array([CELLS_C[0], 1.0, CELLS_C[-1]]), np.array([CELLS_GAMMA[0], 1.0, CELLS_GAMMA[-1]])
    errors, best_C, best_gamma, fold = own_grid(X, t, C, gamma, n_folds)
    library = grid_search(X, t, C, gamma, cv=PredefinedSplit(fold))
    np.testing.assert_array_equal(errors, library.errors)
    assert library.mean[library.place((best_C, best_gamma))] == library.mean.min()
    for label in (-1, 1):
        assert np.ptp(np.bincount(fold[t == label], minlength=n_folds)) <= 1  # stratified


def test_the_standard_error_is_the_formula_of_the_page():
    e = grid_search(*datasets.mixture(60), [1.0], [1.0, 2.0])
    s = np.sqrt(np.sum((e.errors - e.mean[..., None]) ** 2, axis=2) / (5 - 1))
    np.testing.assert_allclose(e.standard_error, s / np.sqrt(5))


# ---- section 2: the surface -----------------------------------------------------------------------------


def test_numbers_of_the_best_cell():
    told, text = printed("best = scores.place(scores.best)"), prose("15")
    promised, true = line_of(told, "its error by cross-validation")[0], line_of(told, "its true error")[0]
    assert f"promises {promised:.0f} %" in text
    assert f"promised {promised:.1f} %, and its true error is {true:.1f} %" in text
    assert true - promised == pytest.approx(6, abs=0.5)
    assert "Where did six points go?" in text
    assert promised < line_of(told, "Bayes error")[0]  # "nobody can keep such a promise"
    scores = grid_search(*datasets.mixture(100), CELLS_C, CELLS_GAMMA)
    folds = scores.errors[scores.place(scores.best)]
    assert max(np.unique(folds, return_counts=True)[1]) == 4  # "four of them are equal"
    tosses = 100 * np.sqrt(promised / 100 * (1 - promised / 100) / 100)
    assert f"tosses scatter by {tosses:.1f} points" in text
    assert line_of(told, "median standard error of all cells")[0] == pytest.approx(tosses, abs=0.6)


def test_figure_and_explorer_show_the_same_surface():
    """The facts below the figure are those of the explorer at its start."""
    facts = CVSurfaceExplorer.compute(CVSurfaceState()).facts
    told = printed("best = scores.place(scores.best)")
    assert facts["best C, γ"] == "{:g}, {:g}".format(*line_of(told, "best C and gamma"))
    assert facts["its CV, true error"] == "{}%, {}%".format(
        line_of(told, "its error by cross-validation")[0], line_of(told, "its true error")[0]
    )


def test_the_best_price_falls_in_as_many_draws_as_the_page_says():
    told = printed("by_truth, by_folds = [], []").splitlines()
    by_truth, by_folds = (numbers(line)[-1] for line in told[-2:])  # below the table and a blank line
    assert by_truth == 20  # "in every draw"
    assert by_folds / 20 == 3 / 4  # "in three of four"
    for line in told[1:3]:
        prices = numbers(line)
        assert prices == sorted(prices, reverse=True)


def test_a_wide_kernel_is_the_linear_function_of_the_page():
    X, t = datasets.mixture(100)
    gamma = 1e-5
    model = SVC(C=1 / (2 * gamma), kernel=Gaussian(gamma), tol=1e-9).fit(X, t)
    v = np.zeros(100)
    v[model.support_] = np.ravel(model.dual_coef_)
    assert v.sum() == pytest.approx(0, abs=1e-6 * np.abs(v).sum())
    y = model.decision_function(X)
    linear = X @ (2 * gamma * v @ X)
    assert np.ptp(y - linear) < 0.02 * np.ptp(y)  # equal up to a constant
    w = SVC(C=1.0, kernel="linear", tol=1e-9).fit(X, t)
    np.testing.assert_allclose(y, w.decision_function(X), atol=0.005)


def test_what_bends_the_boundary_is_the_second_order_of_the_page():
    """1/2 gamma^2 sum_n v_n |x - x_n|^4 without its terms of first degree, and the rest of the kernel's expansion."""
    rng, gamma = np.random.default_rng(0), 0.7
    X, x, v = rng.normal(size=(9, 2)), rng.normal(size=(50, 2)), rng.normal(size=9)
    v -= v.mean()  # sum_n v_n = 0
    d2 = ((x[:, None] - X) ** 2).sum(axis=2)
    squares = (X**2).sum(axis=1)
    bending = 2 * gamma**2 * np.einsum("mi,ij,mj->m", x, (v[:, None] * X).T @ X, x)
    bending += gamma**2 * (x**2).sum(axis=1) * (v @ squares - 2 * x @ (v @ X))
    rest = 0.5 * gamma**2 * d2**2 @ v - bending
    straight = np.column_stack([x, np.ones(50)])
    np.testing.assert_allclose(straight @ np.linalg.lstsq(straight, rest)[0], rest, atol=1e-10)
    small = 1e-3  # the third order is gamma^3 d^6 / 6
    np.testing.assert_allclose(
        Gaussian(small)(x, X), 1 - small * d2 + small**2 * d2**2 / 2, atol=small**3 * d2.max() ** 3
    )


def test_the_valley_runs_along_gamma_squared_C_and_not_along_gamma_C():
    told = printed("along = [SVC(").splitlines()
    first, second, third = (numbers(line.split("=")[1])[1:] for line in told[1:4])
    linear = numbers(told[-1])[-1]
    assert max(third) - min(third) < 1.5
    assert first[-1] > linear - 1
    assert second[-1] > linear - 1.5
    assert min(first[-1], second[-1]) > third[-1] + 2
    gamma = np.array([0.1, 0.2, 0.5, 1.0])
    true = [true_errors(*datasets.mixture(100, seed=seed), CELLS_C, gamma, known()) for seed in range(20)]
    C = CELLS_C[np.mean(true, axis=0).argmin(axis=1)]
    assert 0.5 < min(gamma**2 * C) < max(gamma**2 * C) < 3
    assert max(gamma * C) > 4 * min(gamma * C)


def test_at_gamma_5_small_prices_make_the_same_boundary():
    true = CVSurfaceExplorer.compute(CVSurfaceState()).true[CELLS_GAMMA == 5][0]
    assert np.ptp(true[CELLS_C <= 0.1]) < 1e-9
    assert true.argmin() == 0  # "the dashed line is at the left edge"


def test_along_the_dotted_line_the_boundary_changes_slowly():
    """Neighbours of gamma^2 C = 1 agree about nearly all new points; at gamma = 0.03 a small C makes it straight."""
    X, t = datasets.mixture(100)
    new = datasets.mixture(5000, seed=99)[0]
    line = (1000, 0.03), (200, 0.07), (100, 0.1), (20, 0.2), (10, 0.3), (5, 0.5), (1, 1)
    says = [SVC(C=float(C), kernel=Gaussian(gamma)).fit(X, t).predict(new) for C, gamma in line]
    assert max(np.mean(here != there) for here, there in pairwise(says)) < 0.05
    straight = SVC(C=0.06, kernel="linear").fit(X, t).predict(new)
    assert min(np.mean(here != straight) for here in says) > 0.13
    assert np.mean(SVC(C=1.0, kernel=Gaussian(0.03)).fit(X, t).predict(new) != straight) < 0.03


def test_along_the_valley_true_errors_differ_by_less_than_two_points():
    true = CVSurfaceExplorer.compute(CVSurfaceState()).true.min(axis=1)
    assert np.ptp(true[CELLS_GAMMA <= 5]) < 0.02
    assert true[-1] > true[CELLS_GAMMA <= 5].max()


def test_best_cells_of_a_few_draws_are_all_over_the_map():
    best = [CVSurfaceExplorer.compute(CVSurfaceState(drawn=drawn)).scores.best for drawn in range(4)]
    C = np.array(best)[:, 0]
    assert f"in the first four draws C is between {C.min():g} and {C.max():g}" in prose("15")
    scores = CVSurfaceExplorer.compute(CVSurfaceState(drawn=2)).scores
    assert np.sum(scores.mean < scores.mean.min() + 1e-9) == 5  # "in the third of these draws five cells tie"


def test_a_promise_that_is_too_bad():
    promised, true = CVSurfaceExplorer.compute(CVSurfaceState(n=200)).facts["its CV, true error"].split(", ")
    told = f"the best cell promises {promised[:-1]} % and errs {true[:-1]} %"
    assert told in prose("15")


def test_one_standard_error_costs_nothing_to_be_seen_and_is_flat_not_sparse():
    told = printed("best, simple = ").splitlines()
    best, simple = (numbers(line) for line in told[1:3])
    cost, error = numbers(told[-1])
    assert abs(cost) < error
    assert simple[1] > 90 > best[1]
    assert simple[-1] < best[-1] / 100
    scores = CVSurfaceExplorer.compute(CVSurfaceState()).scores
    assert scores.best == scores.one_standard_error  # "in our own draw both are the same cell"


def test_wide_kernels_with_a_huge_price_bend_more_than_the_simplest_machine():
    """|w|^2 of C = 5000, gamma = 0.14, within one standard error of the best too, beside that of the smallest C."""
    X, t = datasets.mixture(100)
    scores = CVSurfaceExplorer.compute(CVSurfaceState()).scores
    best = scores.place(scores.best)
    wide = scores.place((5000.0, 0.14))
    assert scores.mean[wide] <= scores.mean[best] + scores.standard_error[best] + 1e-9

    def norm(C, gamma):
        solution = c_path(Gaussian(gamma)(X), t, C).at(C)
        return solution.v @ Gaussian(gamma)(X) @ solution.v

    assert norm(5000.0, 0.14) > 100 * norm(*scores.one_standard_error)


# ---- section 3: paths, and points left out --------------------------------------------------------------


def test_a_point_without_a_multiplier_can_be_left_out():
    X, t = datasets.mixture(100)
    K = Gaussian(1.0)(X)
    full = c_path(K, t, 10.0).at(10.0)
    n = np.flatnonzero(full.a == 0)[0]
    rest = np.arange(100) != n
    without = c_path(K[np.ix_(rest, rest)], t[rest], 10.0).at(10.0)
    np.testing.assert_allclose(K[:, rest] @ without.v + without.b, K @ full.v + full.b, atol=1e-6)
    assert t[n] * (K[n] @ full.v + full.b) >= 1 - 1e-9


def test_a_small_price_names_the_larger_class_everywhere():
    """The bounds of the page, |sum_n v_n k| <= 29 C and t b >= 1 - 29 C, for every point that may be left out."""
    rng = np.random.default_rng(0)
    X, t = rng.normal(size=(60, 2)), rng.permutation(np.repeat([-1.0, 1.0], 30))
    for n in range(60):
        rest = np.arange(60) != n
        solution = c_path(Gaussian(1.0)(X[rest]), t[rest], 0.01).at(0.01)
        kernels = Gaussian(1.0)(rng.normal(size=(200, 2)), X[rest]) @ solution.v
        assert np.abs(kernels).max() <= 0.29
        assert -t[n] * solution.b >= 0.71 - 1e-9


def test_leave_one_out_of_labels_tossed_one_by_one_is_one_half_in_the_mean():
    rng, errors = np.random.default_rng(0), []
    while len(errors) < 400:
        X, t = rng.normal(size=(12, 2)), rng.choice([-1.0, 1.0], size=12)
        if min(np.sum(t < 0), np.sum(t > 0)) >= 2:  # 13 in 2048 draws are refused
            errors.append(leave_one_out_errors(Gaussian(1.0)(X), t, [0.01]).mean())
    assert np.mean(errors) == pytest.approx(0.5, abs=0.05)
    assert np.std(errors) > 0.2  # an urn with six and six gives 1, others less than 1/2


def test_facts_of_the_work():
    told = printed('"paths that were followed"')
    assert line_of(told, "cells times folds") == [2000] == [20 * 20 * 5]
    assert line_of(told, "paths that were followed") == [100]
    assert "20\\times20$ cells and 5 folds are 2000 machines" in prose("15")


def test_gridsearchcv_takes_more_than_ten_times_as_long():
    results = (NOTEBOOKS.parent / "benchmarks" / "results.md").read_text(encoding="utf-8")
    section = results.split("# Choosing C and gamma: the grid by paths beside GridSearchCV")[1]
    rows = re.findall(r"^\| mixture \| \d+ \| \d+ \| \d+ \| ([\d.]+) \|", section, re.M)
    assert len(rows) == 3
    assert max(map(float, rows)) < 0.1


# ---- section 4: the winner ------------------------------------------------------------------------------


@pytest.mark.parametrize(("m", "N", "p"), [(1, 60, 0.5), (50, 60, 0.5), (400, 60, 0.5), (7, 20, 0.2)])
def test_the_mean_of_the_least_score_is_the_formula_of_the_page(m, N, p):
    exceeds = [np.sum(binom.pmf(np.arange(k + 1, N + 1), N, p)) for k in range(N)]
    assert np.sum(np.power(exceeds, m)) / N == pytest.approx(least_of_binomials(m, N, p) / N, rel=1e-9)


def test_the_best_of_400_cells_is_about_the_best_of_50_coins():
    told = printed("promised = []")
    mean, least, most = line_of(told, "best of 400 cells, percent: mean, least, most")
    assert mean == pytest.approx(line_of(told, "best of 1, 10, 50, 100 and 400 coins")[2], abs=0.5)
    assert least < mean < most


def test_numbers_of_the_folds_below_the_winner_s_explorer():
    def optimism(**fields):
        winner, _, true = OptimismExplorer.compute(OptimismState(**fields)).runs
        return round(100 * np.mean(true - winner))

    text = prose("15")
    few, many = (optimism(n=int(n)) for n in slider("optimism", "n"))
    assert f"With 100 candidates and 20 points the optimism is {few} percentage points" in text
    assert f"with 200 points it is {many}" in text
    several = [optimism(candidates=m) for m in (10, 100, 400)]
    assert "{}, {} and {} for 10, 100 and 400".format(*several) in text


def test_scores_scatter_more_than_coins():
    scores = [OptimismExplorer.compute(OptimismState(draw=draw)).scores for draw in range(1, 41)]
    assert f"its standard deviation is {100 * np.std(scores):.0f} percentage points" in prose("15")
    assert f"independent tosses {100 * np.sqrt(0.25 / 60):.1f}" in prose("15")


def test_the_winner_s_error_is_at_least_the_least_one():
    """min of means of scores <= mean error of the winner, for candidates of different worth, by simulation."""
    e = np.array([0.2, 0.25, 0.3])
    scores = np.random.default_rng(0).binomial(40, e, size=(20_000, 3)) / 40
    assert scores.min(axis=1).mean() < scores.mean(axis=0).min() < e[scores.argmin(axis=1)].mean()


def test_nested_scores_are_right_about_machines_with_80_points():
    told = printed("chosen, nested, _, truth = draws.T")
    chosen, nested, of_80, true = (numbers(line.split("error  ")[-1])[0] for line in told.splitlines()[:4])
    assert true - chosen == pytest.approx(5, abs=0.5)
    assert true < of_80
    assert nested == pytest.approx(of_80, abs=1.4)  # its standard error


# ---- section 5: preparing -------------------------------------------------------------------------------


def test_distances_that_codes_invent_and_units_decide():
    columns, _ = datasets.apples(2000, seed=1)
    codes = 1 + np.searchsorted(datasets.APPLE_VARIETIES, ["Amber", "Brook", "Heath"])
    assert codes[2] - codes[0] == 7 * (codes[1] - codes[0])
    variances = {name: columns[name].var() for name in ("sugar", "acid", "diameter")}
    one_hot = 1 - 8 * (1 / 8) ** 2  # all columns together
    assert variances["diameter"] / (sum(variances.values()) + one_hot) > 0.9  # "nearly alone"
    assert variances["sugar"] / (sum(variances.values()) + one_hot) < 1e-4


def test_each_preparation_takes_off_several_points():
    told = printed("ways = raw").splitlines()
    (raw, _, scaled), (hot, everything, both) = numbers(told[1])[-3:], numbers(told[2])[-3:]
    assert min(raw - scaled, raw - hot, scaled - both, hot - both) > 4
    assert everything - both == pytest.approx(1, abs=0.5)  # "gives one back"
    assert both > numbers(told[-1])[0]


def test_standardised_one_hot_columns_push_rare_varieties_away():
    columns, _ = datasets.apples(200, seed=0)
    hot = (columns["variety"][:, None] == np.array(datasets.APPLE_VARIETIES)).astype(float)
    share, codes = hot.mean(axis=0), np.eye(8)
    scaled = codes / hot.std(axis=0)
    order = np.argsort(share)
    for Z, apart in ((codes, np.sqrt(2)), (codes[:, 1:], None), (scaled, None)):
        D = np.linalg.norm(Z[:, None] - Z, axis=2)
        if apart:
            np.testing.assert_allclose(D[~np.eye(8, dtype=bool)], apart)
        elif Z.shape[1] == 7:
            np.testing.assert_allclose(D[0, 1:], 1.0)  # without its column a variety is 1 away
        else:
            assert D[order[0]].sum() > D[order[-1]].sum() > 2 * 7 * np.sqrt(2)


def test_numbers_of_the_leak():
    outside, inside = (
        numbers(line)[0] for line in printed('table(("mean", "least", "most"), rows)').splitlines()[1:]
    )
    assert f"five folds promise {100 - outside:.0f} % right" in prose("15")
    assert inside == pytest.approx(50, abs=3)


def test_the_guess_about_scaling_is_answered_by_the_cell_below_it():
    from sparsekm_edu.exercises.selection import scaled_outside_and_inside

    told = [numbers(line)[-1] for line in printed("scaled_first").splitlines()]
    np.testing.assert_allclose(scaled_outside_and_inside(), told, atol=0.06)


# ---- section 6: the search ------------------------------------------------------------------------------


def test_the_fine_grid_finds_a_lower_score_and_no_better_machine():
    coarse, fine = (numbers(line)[-2:] for line in printed("coarse = grid_search").splitlines()[1:])
    assert fine[0] < coarse[0] - 0.5
    assert fine[1] == pytest.approx(coarse[1], abs=0.2)


def test_the_best_of_25_uniform_numbers_is_about_4_percent():
    least = np.random.default_rng(0).random((40_000, 25)).min(axis=1)
    assert least.mean() == pytest.approx(1 / 26, rel=0.02)
    assert round(100 * least.mean()) == 4


def test_grid_and_chance_are_equal_on_this_surface_and_gamma_alone_matters():
    told = printed("by_chance = [")
    assert line_of(told, "share of the surface's variance that gamma alone explains")[0] > 90
    grid, chance = (numbers(line)[-1] for line in told.splitlines()[-2:])
    assert abs(grid - chance) < 0.5


def test_one_dial_of_three_by_throwing_dice():
    rng = np.random.default_rng(0)
    start = rng.random(20_000)  # where the good tenth begins, in a circle
    by_chance = np.any((rng.random((20_000, 64)) - start[:, None]) % 1 < 0.1, axis=1)
    on_grid = np.any((np.array([1, 3, 5, 7]) / 8 - start[:, None]) % 1 < 0.1, axis=1)
    assert on_grid.mean() == pytest.approx(0.4, abs=0.02)
    assert by_chance.mean() == pytest.approx(1 - 0.9**64, abs=0.002)
    assert "1-0.9^{64}=99.9$ %" in prose("15")
    assert round(100 * (1 - 0.9**64), 1) == 99.9


# ---- section 7: the evidence ----------------------------------------------------------------------------


def test_what_the_page_says_of_the_evidence():
    told = printed("chosen = np.array([(evidence").splitlines()
    narrower, equal, wider = numbers(told[1])
    assert narrower + equal + wider == 20
    assert wider == 0  # "never wider kernels"
    assert narrower > 15  # "mostly narrower ones"
    worse, _, better = numbers(told[2])
    assert f"better in {better:.0f} draws, worse in {worse:.0f}" in prose("15")
    by_evidence, by_folds, best = (numbers(line)[-1] for line in told[-3:])
    assert 0 < by_evidence - by_folds < 1  # "nearly as well"
    (cell,) = [cell for cell in cells("15") if "figures.figure_evidence_over_gamma(" in cell.source]
    picture = cell.outputs[0].data["text/plain"]
    X, t = datasets.mixture(100, seed=5)
    by_folds = float(re.search(r"cross-validation is least, [\d.]+%, at ([\d.]+),", picture)[1])
    at_folds = known().error(RVC(Gaussian(by_folds)).fit(X, t))
    at_evidence = float(re.search(r"highest the true error is ([\d.]+)%", picture)[1])
    assert 5 < at_evidence - 100 * at_folds < 6  # "more than five points"
