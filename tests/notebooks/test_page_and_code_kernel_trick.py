"""What notebook 14 says is what the code does: its own algorithms beside the library's, the numbers of its answers."""

import re

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from test_page_and_code import prose, run, slider

from sparsekm_edu import Gaussian, KernelPCA, Linear, Polynomial, datasets
from sparsekm_edu.explorers.kernels.components import (
    LINEAR,
    FlowExplorer,
    FlowState,
    KernelComponentsExplorer,
    KernelComponentsState,
)
from sparsekm_edu.explorers.kernels.denoising import DenoiseExplorer, DenoiseState, _digits, _shown
from sparsekm_edu.explorers.kernels.medoids import DISTANCES, MedoidsExplorer, MedoidsState
from sparsekm_edu.explorers.kernels.neighbours import NeighboursExplorer, NeighboursState, gram, strings
from sparsekm_edu.explorers.kernels.ridge import RidgeExplorer, RidgeState
from sparsekm_edu.figures.kernels.components import FLOWS
from sparsekm_edu.lessons.components import neighbours_disagree
from sparsekm_edu.solvers import k_medoids, k_medoids_steps

# ---- section 1 ------------------------------------------------------------------------------------------


def test_neighbours_the_numbers_of_the_text_and_of_the_answer():
    text = prose("14")
    K, (_, family, letters) = gram(3, False, 0), strings(0)
    shared = K[~np.eye(120, dtype=bool)]
    assert shared.mean() < 2
    assert "share fewer than two triples on average" in text
    assert (np.diag(K).min(), np.diag(K).max()) == (58, 124)
    assert "goes from 58 to 124" in text
    # the fold: the ringed string, its neighbour, and the relative that it overlooks
    n = NeighboursState().chosen
    neighbour = NeighboursExplorer.compute(NeighboursState()).nearest[n]
    relative = int(np.argmax(np.where(np.arange(120) == n, -1, K[n])))
    assert (letters[relative], letters[neighbour]) == (86, 60)
    assert (K[n, relative], K[n, neighbour]) == (8, 2)
    assert family[relative] == family[n] != family[neighbour]
    assert K[relative, relative] - 2 * 8 == 70
    assert K[neighbour, neighbour] - 2 * 2 == 54
    assert r"$86-2\cdot8=70$ for the relative, and $58-2\cdot2=54$ for the stranger" in text
    # with lots drawn among the equally near
    squares = np.diag(K)[:, None] + np.diag(K) - 2 * K
    np.fill_diagonal(squares, np.inf)
    near = [np.flatnonzero(row == row.min()) for row in squares]
    rng = np.random.default_rng(0)
    wrong = [np.sum(family[[rng.choice(one) for one in near]] != family) for _ in range(300)]
    assert f"with lots drawn {min(wrong)} to {max(wrong)} are wrong" in text
    # normalised, most others are near 2
    normalised = NeighboursExplorer.compute(NeighboursState(normalised=True)).squares
    assert np.median(normalised) > 1.95


# ---- section 2 ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_medoids():
    names, _ = run("14", "def medoids_from(")
    return names["medoids_from"]


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("K", [*map(int, slider("medoids", "K")), 3])
def test_own_medoids_are_the_library_s_from_end_to_end_of_the_slider(own_medoids, K, distance):
    X = MedoidsState().X
    for gamma in slider("medoids", "gamma") if distance == "gaussian" else (1.0,):
        D = DISTANCES[distance](X, gamma)
        for seed in range(5):
            start = np.random.default_rng(seed).choice(len(X), K, replace=False)
            steps = list(k_medoids_steps(D, start))
            _, cost = own_medoids(start, D)
            assert cost == pytest.approx(steps[-1].cost, rel=1e-9)
            still = next(n for n, step in enumerate(steps) if step.action in ("swap", "end")) - 1
            assert own_medoids(start, D, swaps=False)[1] == pytest.approx(steps[still].cost, rel=1e-9)


def test_own_medoids_end_where_no_swap_helps(own_medoids):
    rng = np.random.default_rng(1)
    for _ in range(50):
        N, K = rng.integers(8, 20), rng.integers(1, 6)
        X = rng.normal(size=(N, 2))
        D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
        medoids, cost = own_medoids(rng.choice(N, K, replace=False), D)
        assert cost == pytest.approx(D[:, medoids].min(axis=1).sum())
        for k in range(K):
            for i in set(range(N)) - set(medoids.tolist()):
                other = medoids.copy()
                other[k] = i
                assert D[:, other].min(axis=1).sum() > cost - 1e-9


def test_the_player_opens_where_the_alternation_stands_still():
    picture, state = MedoidsExplorer.compute(MedoidsState()), MedoidsState()
    here, following = picture.steps[state.step], picture.steps[state.step + 1]
    assert following.action == "swap"
    assert np.bincount(here.labels, minlength=3).min() == 1  # one medoid stands alone
    assert round(here.cost, 1) == 22.7
    assert round(here.cost - following.cost) == 9
    assert "here it saves 9 of 22.7" in prose("14")


def test_medoids_and_means_of_families():
    """Class means among features that have these inner products; the page has them by sums of kernels."""
    names, _ = run("14", "strings, family =", "def wrong_by_mean", "def wrong(machine)")
    family = strings(0)[1]
    for K, told in zip(
        (gram(3, False, 0), gram(3, True, 0)), names["rows"]["nearest class mean"], strict=True
    ):
        values, U = np.linalg.eigh(K)
        Phi = U * np.sqrt(np.maximum(values, 0))
        wrong = 0
        for n in range(120):
            others = np.arange(120) != n
            means = np.array([Phi[others & (family == f)].mean(axis=0) for f in range(3)])
            wrong += np.sum((Phi[n] - means) ** 2, axis=1).argmin() != family[n]
        assert wrong == told
    medoid, mean = (names["rows"][name][1] for name in ("nearest medoid", "nearest class mean"))
    assert f"to show costs {medoid - mean} errors" in prose("14")


def test_the_lowest_cost_is_the_lowest_of_all_triples():
    D = np.maximum(2 - 2 * gram(3, True, 0), 0)
    np.fill_diagonal(D, 0)
    best, tried = np.inf, 0
    for i in range(118):
        for j in range(i + 1, 119):
            costs = np.minimum(np.minimum(D[:, i], D[:, j])[:, None], D[:, j + 1 :]).sum(axis=0)
            best, tried = min(best, costs.min()), tried + len(costs)
    assert k_medoids(D, 3, n_starts=10).cost == pytest.approx(best, abs=1e-9)
    assert f"the {tried // 1000} {tried % 1000:03d} triples have been tried" in prose("14")


def test_ends_of_the_alternation_most_are_close_and_some_part_the_families_better():
    D, family = np.maximum(2 - 2 * gram(3, True, 0), 0), strings(0)[1]
    np.fill_diagonal(D, 0)
    rng, costs, found = np.random.default_rng(0), [], []
    for _ in range(200):
        steps = list(k_medoids_steps(D, rng.choice(120, 3, replace=False)))
        still = steps[next(n for n, step in enumerate(steps) if step.action in ("swap", "end")) - 1]
        labels = D[:, still.medoids].argmin(axis=1)
        costs.append(still.cost)
        found.append(sum(np.bincount(family[labels == k].astype(int)).max() for k in range(3)))
    costs, found, best = np.array(costs), np.array(found), steps[-1].cost
    assert 100 < np.sum(costs < best + 0.5) < 200
    assert np.any(found[costs > best + 1e-6] > 105)
    assert "some worse ends part them better" in prose("14")


def test_with_five_clusters_the_player_gets_stuck():
    picture = MedoidsExplorer.compute(MedoidsState(K=5))
    assert (round(picture.steps[-1].cost, 2), round(picture.best, 2)) == (9.07, 9.02)
    assert "with $K=5$ the player ends at 9.07, and another start leads to 9.02" in prose("14")


def test_with_more_clusters_swaps_have_several_ends_too():
    D = np.maximum(2 - 2 * gram(3, True, 0), 0)
    np.fill_diagonal(D, 0)
    assert len(set(k_medoids(D, 3, n_starts=200).costs.round(6))) == 1
    assert len(set(k_medoids(D, 8, n_starts=200).costs.round(6))) > 1
    assert "with more clusters swaps get stuck, too" in prose("14")


def test_medoids_of_the_families_hold_the_motifs():
    _, printed = run(
        "14",
        "strings, family =",
        "swap_change = exercises",
        "D = np.maximum(2",
        "found = KMedoids",
        "in_capitals(",
    )
    motifs = re.findall(r"[A-Z]{3,}", printed.split("cluster\n")[-1])
    rng = np.random.default_rng(0)
    for _ in range(3):
        rng.permutation(20)
    drawn = ["".join(datasets.AMINO_ACIDS[i] for i in rng.integers(20, size=8)) for _ in range(3)]
    assert sorted(motifs) == sorted(drawn)
    assert "the eight letters with which its family was made" in prose("14")


# ---- section 3 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("N", "D"), [(4, 7), (7, 4)])
def test_ridge_formulas_as_printed(N, D):
    rng = np.random.default_rng(0)
    X, y, lam = rng.normal(size=(N, D)), rng.normal(size=N), 0.7
    outer, inner = X @ X.T + lam * np.eye(N), X.T @ X + lam * np.eye(D)
    np.testing.assert_allclose(X.T @ outer, inner @ X.T)
    np.testing.assert_allclose(np.linalg.inv(inner) @ X.T, X.T @ np.linalg.inv(outer))
    w, a = np.linalg.solve(inner, X.T @ y), np.linalg.solve(outer, y)
    np.testing.assert_allclose(-2 * X.T @ (y - X @ w) + 2 * lam * w, 0, atol=1e-12)  # the gradient of (14.33)
    np.testing.assert_allclose(w, X.T @ a)
    np.testing.assert_allclose(lam * a, y - X @ w)


def test_one_left_out_every_line_of_the_derivation():
    rng = np.random.default_rng(1)
    Phi, y, lam, n = rng.normal(size=(6, 3)), rng.normal(size=6), 0.4, 2
    K = Phi @ Phi.T
    A, rest = K + lam * np.eye(6), np.arange(6) != n
    without = np.zeros(6)
    without[rest] = np.linalg.solve(A[np.ix_(rest, rest)], y[rest])
    p = K[n] @ without
    np.testing.assert_allclose(A @ without, y - (y[n] - p) * np.eye(6)[n])
    Q = np.linalg.inv(A)
    np.testing.assert_allclose(without, Q @ y - (y[n] - p) * Q[:, n], atol=1e-12)
    assert (Q @ y)[n] - (y[n] - p) * Q[n, n] == pytest.approx(0, abs=1e-12)


def test_operations_cross_at_D_equal_to_N():
    names, _ = run("14", "for D in (5, 500)", "operations = {")
    N, D, operations = names["N"], names["D"], names["operations"]
    equal = np.flatnonzero(operations["primal"] == operations["dual"])
    assert D[equal].tolist() == [N]
    np.testing.assert_array_equal(operations["primal"] < operations["dual"], D < N)
    # N D(D+1)/2 for the inner products, and Cholesky: sum over columns j of (D - j)(D - j + 1)/2 or so
    exact = [N * d * (d + 1) / 2 + sum((d - j) * (d - j + 1) / 2 for j in range(1, d)) for d in D.tolist()]
    np.testing.assert_allclose(operations["primal"], exact, rtol=0.05)
    assert len(names["seconds"]["dual"]) == len(D)


def test_narrow_bumps_predict_nothing_at_the_others():
    picture = RidgeExplorer.compute(RidgeState(width=0.1))
    assert np.ptp(picture.left_out) < 1e-4
    assert np.abs(picture.predicted).max() < 1e-4
    assert "The others predict 0 at every point" in prose("14")
    wide = RidgeExplorer.compute(RidgeState())
    errors = wide.left_out
    assert 0 < errors.argmin() < len(errors) - 1  # a minimum inside
    valleys = 1 + np.flatnonzero((errors[1:-1] < errors[:-2]) & (errors[1:-1] < errors[2:]))
    assert len(valleys) == 2
    assert valleys[0] < errors.argmin() == valleys[1]
    assert "On the left is a second valley" in prose("14")
    assert np.all(np.diff(wide.train) > 0)


# ---- section 4 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [Gaussian(10.0), Gaussian(0.5), Polynomial(2), Linear()], ids=repr)
def test_own_kernel_pca_is_scikit_learn_s_for_new_points_too(kernel):
    names, _ = run("14", "def kernel_pca(")
    X, new = datasets.three_clusters()[0], datasets.three_clusters(n=12, seed=3)[0]
    ours = names["kernel_pca"](kernel(X), kernel(new, X), 2)
    theirs = TheirKernelPCA(2, kernel="precomputed").fit(kernel(X)).transform(kernel(new, X))
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-9)


def test_formulas_of_centring_as_printed():
    rng = np.random.default_rng(2)
    Phi, new = rng.normal(size=(5, 3)) + 1, rng.normal(size=(2, 3))
    K, K_new = Phi @ Phi.T, new @ Phi.T
    middle = Phi.mean(axis=0)
    tilde = K - K.mean(axis=1)[:, None] - K.mean(axis=0) + K.mean()  # (14.43)
    np.testing.assert_allclose(tilde, (Phi - middle) @ (Phi - middle).T)
    H = np.eye(5) - np.ones((5, 5)) / 5
    np.testing.assert_allclose(tilde, H @ K @ H)  # (14.44)
    np.testing.assert_allclose(tilde @ np.ones(5), 0, atol=1e-12)  # at most N - 1 components
    O, O_new = np.full((5, 5), 1 / 5), np.full((2, 5), 1 / 5)
    right = K_new - O_new @ K - K_new @ O + O_new @ K @ O  # the fold
    np.testing.assert_allclose(right, (new - middle) @ (Phi - middle).T)
    with pytest.raises(ValueError, match="mismatch"):
        O_new @ K_new  # line 8 as printed


def test_components_at_both_ends_of_the_width():
    least, _ = slider("kernel_components", "sigma2")
    narrow = KernelComponentsExplorer.compute(KernelComponentsState(sigma2=least))
    assert int(narrow.facts["for 95 % of variance"]) > int(narrow.facts["above rounding error"]) / 2
    assert "more than half of all components are needed for 95 % of the variance" in prose("14")
    assert not narrow.facts["1-NN errors on z1, z2"].startswith("0 ")
    wide, linear = (
        KernelComponentsExplorer.compute(KernelComponentsState(**fields))
        for fields in ({"sigma2": 100.0}, {"kernel": LINEAR})
    )
    np.testing.assert_allclose(wide.shares[:2], linear.shares[:2], atol=0.002)
    assert wide.shares[:2].sum() > 0.999  # the others hold less than 0.1 %
    np.testing.assert_allclose(wide.Z / np.abs(wide.Z).max(), linear.Z / np.abs(linear.Z).max(), atol=0.01)


def test_each_cluster_goes_into_its_own_direction_the_farther_the_more_kernel():
    X, t = datasets.three_clusters()
    Z, K = KernelPCA(Gaussian(10.0), 2).fit_transform(X), Gaussian(10.0)(X)
    for kind in range(3):
        own = t == kind
        with_own, with_others = K[np.ix_(own, own)].mean(), K[np.ix_(own, ~own)].mean()
        assert with_others < 0.05 * with_own
        collected = np.column_stack([np.ones(own.sum()), K[np.ix_(own, own)].sum(axis=1)])
        offset_and_slope, left, *_ = np.linalg.lstsq(collected, Z[own], rcond=None)
        assert left.sum() < 0.03 * np.sum(
            (Z[own] - Z[own].mean(axis=0)) ** 2
        )  # a line, by the kernel collected
        assert offset_and_slope[1] @ Z[own].mean(axis=0) > 0  # away from the middle of the picture


def test_figures_and_explorers_have_the_same_directions():
    names, _ = run("14", "centred = exercises", "X, t = datasets.three_clusters()")
    np.testing.assert_allclose(
        names["Z"][:, :2], KernelComponentsExplorer.compute(KernelComponentsState()).Z, atol=1e-9
    )
    names, _ = run("14", "def projections(")
    for Z, theirs in zip(names["Zs"], FlowExplorer.compute(FlowState()).Zs, strict=True):
        np.testing.assert_allclose(Z, theirs, atol=1e-9)


# ---- section 5 ------------------------------------------------------------------------------------------


def test_flow_who_wins_and_what_half_the_width_does():
    text = prose("14")
    errors = {}
    for factor in (0.5, 1.0):
        errors[factor] = []
        for seed in range(10):
            X, t = datasets.three_phase_flow(n=100, seed=seed)
            distances = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
            width = factor * np.median(distances[np.triu_indices(100, 1)])
            projected = [KernelPCA(k, 2).fit_transform(X) for k in (Linear(), Gaussian(1 / (2 * width**2)))]
            errors[factor].append([neighbours_disagree(Z, t).sum() for Z in (X, *projected)])
    every, pca, kernel = np.transpose(errors[1.0])
    assert (np.sum(kernel < pca), np.sum(kernel > pca)) == (5, 2)
    assert "less than PCA in half of the draws, more in two" in text
    assert every.mean() < min(pca.mean(), kernel.mean())
    assert np.mean(errors[0.5], axis=0)[2] == pytest.approx(25, abs=0.5)
    assert "kernel PCA errs in 25 of 100, on average over the ten draws" in text
    assert pca.mean() < 20
    assert kernel.mean() < 13  # easier than the book's


def test_flow_crossed_points_are_homogeneous_or_stand_beside_one_that_is():
    picture = FlowExplorer.compute(FlowState())
    for Z, wrong in zip(picture.Zs, picture.wrong, strict=True):
        distances = ((Z[:, None] - Z) ** 2).sum(axis=2)
        np.fill_diagonal(distances, np.inf)
        pairs = np.column_stack([picture.t, picture.t[distances.argmin(axis=1)]])[wrong]
        assert (pairs == FLOWS.index("homogeneous")).any(axis=1).all()
    assert "It is always homogeneous flow with one of the others" in prose("14")


# ---- section 6 ------------------------------------------------------------------------------------------


def test_pre_image_formulas_as_printed():
    """P by its coefficients g, the squared distance to it, and the gradient of f: all in the features of a kernel."""
    rng = np.random.default_rng(3)
    X, new, gamma = rng.normal(size=(12, 2)), rng.normal(size=2), 0.6
    kernel = Gaussian(gamma)
    K, k_new = kernel(X), kernel(new[None], X)[0]
    H = np.eye(12) - 1 / 12
    values, U = np.linalg.eigh(H @ K @ H)
    V = U[:, -3:] / np.sqrt(values[-3:])
    np.testing.assert_allclose(V.sum(axis=0), 0, atol=1e-9)
    z = (k_new - K.mean(axis=0) - k_new.mean() + K.mean()) @ V  # (14.40), centred
    g = 1 / 12 + V @ z
    # features that the kernel is the inner product of, for these 13 points: rows of a square root of their Gram matrix
    both = np.vstack([X, new])
    Phi = np.linalg.cholesky(kernel(both) + 1e-14 * np.eye(13))
    middle = Phi[:12].mean(axis=0)
    directions = V.T @ Phi[:12]
    np.testing.assert_allclose(directions @ directions.T, np.eye(3), atol=1e-8)  # of length 1, orthogonal
    P = middle + (directions @ (Phi[12] - middle)) @ directions
    np.testing.assert_allclose(P, g @ Phi[:12], atol=1e-8)
    const = g @ K @ g
    assert np.sum((Phi[12] - P) ** 2) == pytest.approx(1 - 2 * g @ k_new + const, abs=1e-8)

    def f(x):
        return g @ kernel(x[None], X)[0]

    gradient = 2 * gamma * (g * k_new) @ (X - new)
    steps = [(f(new + h) - f(new - h)) / 2e-6 for h in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(gradient, steps, atol=1e-8)


def test_own_pre_image_is_the_library_s():
    names, _ = run("14", "def pre_image(")
    X, _ = datasets.three_clusters()
    model = KernelPCA(Gaussian(2.0), n_components=4).fit(X)
    new = datasets.three_clusters(n=9, seed=5)[0]
    z = model.transform(new)
    g = 1 / 90 + z @ (model.eigenvectors_ / np.sqrt(model.eigenvalues_)).T
    ours = [names["pre_image"](g_n, X, 2.0, x, steps=2000) for g_n, x in zip(g, new, strict=True)]
    np.testing.assert_allclose(ours, model.pre_image(z), atol=1e-5)


def test_denoising_the_numbers_of_the_text():
    text = prose("14")
    names, _ = run("14", "images, digit =", 'ways = {"PCA"', "test, told =")
    rows = {name: [float(cell.split()[0]) for cell in row] for name, row in names["told"].items()}
    for name in ("Gaussian 0.3", "speckle 0.2"):
        noisy, straight, bent, _ = rows[name]
        assert bent < straight - 0.01 < noisy
    for name in rows:
        *_, bent, mean = rows[name]
        assert mean < bent + 0.007  # as good
        assert names["told"][name][2].endswith(", 249)")  # all components
    _, straight, bent, mean = rows["speckle 0.4"]
    assert abs(straight - bent) < 0.01
    assert mean < bent - 0.02
    assert names["told"]["Gaussian 0.3"][2].endswith("(0.71, 249)")  # the width of the figure
    assert names["told"]["Gaussian 0.3"][0] == "0.228"
    assert "Kernel PCA leaves less noise than PCA" in text
    assert "the advantage is gone" in text
    assert "it is about as good, and better with many speckles" in text


def test_the_figure_shows_the_digits_of_the_explorer():
    names, _ = run("14", "images, digit =", "figures.figure_denoising(")
    picture = DenoiseExplorer.compute(DenoiseState(kernel_pca=249))
    rows = [names["rows"][name] for name in ("clean", "noisy", "PCA, 16", "kernel PCA, 249")]
    np.testing.assert_allclose(rows, picture.rows.reshape(4, 10, 64), atol=1e-6)


def test_ink_of_the_digits_as_the_page_counts_it():
    X = datasets.digit_images(1250, digits=range(10))[0].reshape(1250, 64)[:250]
    with_ink = [frozenset(np.flatnonzero(pixel)) for pixel in X.T]
    assert sum(not digits for digits in with_ink) == 5
    lone = [digits for digits in with_ink if len(digits) == 1]
    assert any(lone.count(digits) == 2 for digits in lone)
    assert "five pixels never have ink, and two have it in one and the same digit only" in prose("14")


def test_far_from_all_clean_digits_everything_looks_alike():
    learned, _, median = _digits()
    picture = DenoiseExplorer.compute(DenoiseState(width=0.2))
    clean, with_noise = _shown("Gaussian", 0.3, 0)
    kernel = Gaussian(1 / (2 * (0.2 * median) ** 2))
    assert kernel(with_noise, learned[:250]).max() < 0.001
    restored = picture.rows[3].reshape(10, 64)
    assert np.abs(restored - restored[0]).max() < 0.05
    company = kernel(learned[:250]).mean(axis=0)
    nearest = ((restored[0] - learned[:250]) ** 2).sum(axis=1).argmin()
    assert nearest == company.argmax()
    assert _digits()[1][nearest] == 6
    smudges = DenoiseExplorer.compute(DenoiseState(level=1.0)).rows[3]
    assert np.abs(smudges - smudges[0]).max() < 0.05


def test_a_wide_kernel_turns_kernel_pca_into_pca():
    picture = DenoiseExplorer.compute(DenoiseState(width=5.0, pca=16, kernel_pca=16))
    assert np.abs(picture.rows[2] - picture.rows[3]).mean() < 0.02
    every = DenoiseExplorer.compute(DenoiseState(width=5.0, pca=58, kernel_pca=249))
    assert every.errors[2] == pytest.approx(every.errors[1], rel=0.06)
    assert "with all components the noise comes back" in prose("14")
