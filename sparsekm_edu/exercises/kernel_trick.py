"""Notebook 14: guesses and cells to fill."""

import numpy as np

from sparsekm_edu.exercises.guesses import Choice, Guess, Number
from sparsekm_edu.exercises.tasks import Mistake, Task

# ---- guesses --------------------------------------------------------------------------------------------


def letters_of_neighbours(**fields):
    """Mean number of letters of the nearest neighbours among the strings, and of all strings."""
    from sparsekm_edu.explorers.kernels.neighbours import NeighboursExplorer, NeighboursState

    picture = NeighboursExplorer.compute(NeighboursState(**fields))
    return picture.letters[picture.nearest].mean(), picture.letters.mean(), len(np.unique(picture.nearest))


def which_letters():
    nearest, all_strings, _ = letters_of_neighbours()
    return 0 if nearest > all_strings + 5 else 1 if nearest > all_strings - 5 else 2


def explain_letters(_):
    nearest, _, different = letters_of_neighbours()
    normalised, _, _ = letters_of_neighbours(normalised=True)
    return (
        f"{nearest:.0f}, and only {different} different strings are anybody’s neighbour. Two strings share few "
        "triples, so (14.30) is nearly κ(<i>x</i>, <i>x</i>) + κ(<i>x</i>′, <i>x</i>′), and κ(<i>x</i>′, "
        "<i>x</i>′) is about the number of letters: the shortest strings are near to everybody. With κ(<i>x</i>, "
        f"<i>x</i>) = 1 for all of them neighbours have {normalised:.0f} letters."
    )


STARTS = 200


def ends_of_runs():
    """Where Algorithm 14.1 alone, and with swaps, ends on the strings from random starts: two arrays of costs."""
    from sparsekm_edu import datasets
    from sparsekm_edu.kernels import Normalised, Spectrum
    from sparsekm_edu.solvers import k_medoids_steps

    strings, _ = datasets.protein_families(n=120, families=3)
    D = np.maximum(2 - 2 * Normalised(Spectrum(3))(strings), 0)  # (14.30) with k(x, x) = 1
    np.fill_diagonal(D, 0)
    rng, ends = np.random.default_rng(0), []
    for _ in range(STARTS):
        steps = list(k_medoids_steps(D, rng.choice(len(D), 3, replace=False)))
        still = next(n for n, step in enumerate(steps) if step.action in ("swap", "end")) - 1
        ends.append((steps[still].cost, steps[-1].cost))
    return np.transpose(ends)


def runs_at_the_best():
    """How many runs end at the lowest cost: of Algorithm 14.1 alone, and with swaps."""
    alone, swapped = ends_of_runs()
    return [int(np.sum(costs < swapped.min() + 1e-6)) for costs in (alone, swapped)]


def how_many_runs():
    alone, _ = runs_at_the_best()
    return 0 if alone > 0.9 * STARTS else 1 if alone > 0.25 * STARTS else 2


def explain_runs(_):
    alone, swapped = runs_at_the_best()
    return (
        f"In {alone} of {STARTS}. An update looks for a better medoid inside its cluster only; a point outside, which "
        "might serve better, is never tried. If it may be (that is a <i>swap</i>, which comes below), "
        f"{swapped} of {STARTS} runs end at the lowest cost."
    )


def farther_left_out():
    """For how many of the 40 points the others' prediction is farther from y than the fit of all."""
    from sparsekm_edu.explorers.kernels.ridge import RidgeExplorer, RidgeState
    from sparsekm_edu.kernels import Gaussian
    from sparsekm_edu.solvers import ridge_dual

    state = RidgeState()
    K = Gaussian(1 / (2 * state.width**2))(state.X)
    fit = K @ ridge_dual(K, state.t, state.lam)
    left_out = RidgeExplorer.compute(state).predicted
    return int(np.sum(np.abs(state.t - left_out) > np.abs(state.t - fit)))


def components_of(kernel):
    """How many principal components of the three clusters have an eigenvalue above 0."""
    from sparsekm_edu import datasets
    from sparsekm_edu.models import KernelPCA

    return KernelPCA(kernel, n_components=None).fit(datasets.three_clusters()[0]).n_components_


def components_of_squares():
    from sparsekm_edu.kernels import Polynomial

    return components_of(Polynomial(degree=2))


def wide_gram():
    """The Gram matrix of the three clusters and exp(-|x - z|^2 / 2): (90, 90)."""
    from sparsekm_edu import datasets
    from sparsekm_edu.kernels import Gaussian

    return Gaussian(gamma=0.5)(datasets.three_clusters()[0])


def first_without_centring():
    """The first eigenvector of the Gram matrix itself, for the three clusters and a wide kernel: (90,)."""
    u = np.linalg.eigh(wide_gram())[1][:, -1]
    return u * np.sign(u.sum())


def shape_of_first():
    u = first_without_centring()
    return 1 if u.std() < 0.1 * u.mean() else 0 if u.min() < 0 < u.max() else 2


def explain_first(_):
    u, rows = first_without_centring(), wide_gram().sum(axis=1)
    return (
        f"Between {u.min():.3f} and {u.max():.3f}, and 1/√90 is {90**-0.5:.3f}. All rows of <b>K</b> have a sum of "
        f"the same size, {rows.min():.0f} to {rows.max():.0f}, "
        "so the constant vector is nearly an eigenvector, with the largest eigenvalue: the first component points "
        "from the origin of the feature space to the middle of the data. And since no entry of <b>K</b> is "
        "negative, this <b>u</b> never changes its sign, whatever the width (Perron and Frobenius)."
    )


def with_all_components(drawn=0):
    """Errors of noisy digits, and of those that PCA and kernel PCA restore from all of their components."""
    from sparsekm_edu.explorers.kernels.denoising import LEARNED, OF_PCA, DenoiseExplorer, DenoiseState

    return DenoiseExplorer.compute(DenoiseState(pca=OF_PCA, kernel_pca=LEARNED - 1, drawn=drawn)).errors


def what_comes_back():
    noisy, _, restored = with_all_components()
    return 1 if restored < 0.75 * noisy else 2 if restored > 1.05 * noisy else 0


def explain_all_components(_):
    noisy, straight, restored = with_all_components()
    return (
        f"The root mean square error of a pixel falls from {noisy:.2f} to {restored:.2f}; with PCA it is "
        f"{straight:.2f}. The components are those of <i>clean</i> digits. In the space of pixels they span 58 of 64 "
        "dimensions, and nearly all of the noise lies in them. In the feature space of the Gaussian kernel a noisy "
        "digit sticks out of what 250 digits span. That part is dropped, and what comes back is put together from "
        "clean digits, those near by."
    )


GUESSES = (
    Guess(
        "14-a",
        "The strings have 60 to 120 letters, 89 on average. By (14.30) with the 3-spectrum kernel, each string "
        "looks for its nearest neighbour among the 119 others. How many letters will these neighbours have, on "
        "average?",
        Choice("clearly more than 89", "about 89", "clearly fewer than 89"),
        which_letters,
        explain_letters,
        told_by=("figures.figure_neighbours(", "explorers.neighbours("),
    ),
    Guess(
        "14-b",
        "Algorithm 14.1 for the 120 strings, with three medoids and the squared distances of the normalised kernel: "
        "200 random starts, each run until nothing changes. How many of the 200 end at the lowest cost that there is?",
        Choice("nearly all, more than 180", "50 to 180", "fewer than 50"),
        how_many_runs,
        explain_runs,
        told_by=("explorers.medoids(", "# Algorithm 14.1", "with_swaps ="),
    ),
    Guess(
        "14-c",
        "Kernel ridge regression through 40 noisy points of the sinc. For each point compare two predictions of "
        "its <i>y<sub>n</sub></i>: that of the machine fitted to all 40, and that of the machine fitted to the 39 "
        "others. For how many of the 40 points is the second one farther from <i>y<sub>n</sub></i>?",
        Number(low=0, high=40, digits=0, within=0.0),
        farther_left_out,
        lambda _: (
            "Noise has no say in it: with <b>Q</b> = (<b>K</b> + "
            "λ<b>I</b>)⁻¹ the residuals are λα<sub>n</sub> with the point and α<sub>n</sub>/<i>Q<sub>nn</sub></i> "
            "without it, and λ<i>Q<sub>nn</sub></i> &lt; 1. A point that was seen is predicted better, and the error "
            "at the points flatters the machine."
        ),
        told_by=("explorers.ridge(",),
    ),
    Guess(
        "14-d",
        "90 points in the plane, and the kernel (1 + <b>x</b>ᵀ<b>x</b>′)². How many of its kernel principal "
        "components have an eigenvalue that is not 0?",
        Number(low=0, high=90, digits=0, within=0.0),
        components_of_squares,
        lambda _: (
            "The kernel is an inner product of six features: 1, √2 <i>x</i>₁, √2 <i>x</i>₂, <i>x</i>₁², "
            "√2 <i>x</i>₁<i>x</i>₂, <i>x</i>₂². Centring makes the constant 0, and the others are left: more than the "
            "two of PCA, and far from 90. The features of a Gaussian kernel never end; there only the number of points "
            "is a limit, 89 after centring."
        ),
        told_by=("figures.figure_14_7(", "explorers.kernel_components("),
    ),
    Guess(
        "14-e",
        "You forget to centre. The three clusters, a Gaussian kernel as wide as the whole picture (σ² = 2), and the "
        "eigenvector <b>u</b> of <b>K</b> itself with the largest eigenvalue. What will its 90 entries be?",
        Choice(
            "of both signs, one for some clusters, one for the others",
            "nearly all the same",
            "of one sign, but very different",
        ),
        shape_of_first,
        explain_first,
        told_by=("# without centring", "figures.figure_14_7(", "explorers.kernel_components("),
    ),
    Guess(
        "14-f",
        "Keep <i>all</i> components that 250 clean digits have: 58 of PCA, 249 of kernel PCA. PCA then gives back "
        "nearly the noisy digit. What does kernel PCA, with a Gaussian kernel, give back?",
        Choice(
            "nearly the noisy digit as well",
            "a cleaner digit: at least a quarter of the error is gone",
            "something worse than the noisy digit",
        ),
        what_comes_back,
        explain_all_components,
        told_by=("figures.figure_denoising(", "explorers.denoise("),
    ),
)


# ---- cells to fill --------------------------------------------------------------------------------------


def medoids_and_a_swap(rng):
    """Distances of points in the plane, medoids, which of them goes, and which point comes."""
    N, K = int(rng.integers(7, 12)), int(rng.integers(2, 4))
    X = rng.normal(size=(N, 2))
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    *medoids, i = rng.permutation(N)[: K + 1].tolist()
    return D, np.array(medoids), int(rng.integers(K)), i


def swapped(medoids, k, i):
    """The medoids with point i in place of number k."""
    new = np.array(medoids)
    new[k] = i
    return new


def swap_change(D, medoids, k, i):
    """By how much the cost, the sum of all distances to the nearest medoid, changes if point i replaces medoids[k]."""
    return float(D[:, swapped(medoids, k, i)].min(axis=1).sum() - D[:, medoids].min(axis=1).sum())


def labels_stay(D, medoids, k, i):
    labels = D[:, medoids].argmin(axis=1)
    new = swapped(medoids, k, i)
    return float(D[np.arange(len(D)), new[labels]].sum() - D[:, medoids].min(axis=1).sum())


def others_stay(D, medoids, k, i):
    labels, first = D[:, medoids].argmin(axis=1), D[:, medoids].min(axis=1)
    after = D[:, swapped(medoids, k, i)].min(axis=1)
    return float(np.where(labels == k, after, first).sum() - first.sum())


def k_as_a_point(D, medoids, k, i):
    new = np.where(np.asarray(medoids) == k, i, medoids)
    return float(D[:, new].min(axis=1).sum() - D[:, medoids].min(axis=1).sum())


def system(rng):
    """A Gram matrix, targets, and a price."""
    N = int(rng.integers(4, 8))
    Phi = rng.normal(size=(N, N + 2))
    return Phi @ Phi.T, rng.normal(size=N) + 1.0, float(rng.uniform(0.3, 2.0))


def left_out(K, y, lam):
    """What ridge regression, fitted to all points but n, predicts at x_n, for every n: (N,). K (N, N), y (N,)."""
    Q = np.linalg.inv(K + lam * np.eye(len(y)))
    a = Q @ y  # (14.36)
    return y - a / np.diag(Q)


def with_parts(prediction):
    """The wrong answers, from A = K + lam I, its inverse Q, a = Qy, y and lam."""

    def wrong(K, y, lam):
        A = K + lam * np.eye(len(y))
        Q = np.linalg.inv(A)
        return prediction(A, Q, Q @ y, y, lam)

    return wrong


def kernels_of_new_points(rng):
    """K_* (M, N) and K (N, N) of features whose mean is not 0."""
    N, D = int(rng.integers(4, 7)), 3
    M = int(rng.choice([m for m in (1, 2, 3, 8) if m != N]))
    Phi, new = rng.normal(size=(N, D)) + 1.0, rng.normal(size=(M, D))
    return new @ Phi.T, Phi @ Phi.T


def centred(K_new, K):
    """Inner products of new and training features, both minus the mean of the *training* features: (M, N).

    K_new (M, N): kernels of new points with the training points; K (N, N): of the training points.
    """
    rows = K_new.mean(axis=1, keepdims=True)  # (M, 1): <phi_*, mean>
    return K_new - rows - K.mean(axis=0) + K.mean()  # (14.43)


def row_means(K_new):
    return K_new.mean(axis=1, keepdims=True)


TASKS = (
    Task(
        "14-swap",
        "return by how much the cost changes if point i replaces medoids[k]; negative if it falls",
        medoids_and_a_swap,
        swap_change,
        mistakes=(
            Mistake(
                "the sign",
                lambda D, medoids, k, i: -swap_change(D, medoids, k, i),
                "the change is the cost after the swap minus the cost before",
            ),
            Mistake(
                "the cost after the swap",
                lambda D, medoids, k, i: float(D[:, swapped(medoids, k, i)].min(axis=1).sum()),
                "the change is asked for: subtract the cost before",
            ),
            Mistake(
                "everybody stays in the old cluster",
                labels_stay,
                "after a swap all points choose again: those who lost their medoid may prefer another old one, and "
                "others may prefer the new one",
            ),
            Mistake(
                "only the cluster that lost its medoid chooses again",
                others_stay,
                "points of the other clusters may be nearer to the new medoid, too",
            ),
            Mistake(
                "point i added, nobody removed",
                lambda D, medoids, k, i: float(
                    D[:, [*medoids, i]].min(axis=1).sum() - D[:, medoids].min(axis=1).sum()
                ),
                "a swap leaves as many medoids as before: i takes the place of medoids[k]",
            ),
            Mistake(
                "k taken for a point",
                k_as_a_point,
                "k is a place in the list of medoids; the point that goes is medoids[k]",
            ),
            Mistake(
                "the mean instead of the sum",
                lambda D, medoids, k, i: swap_change(D, medoids, k, i) / len(D),
                "the cost is the sum of the distances",
            ),
            Mistake(
                "squared distances",
                lambda D, medoids, k, i: swap_change(D**2, medoids, k, i),
                "D holds the dissimilarities themselves, whatever they are: add them as they are",
            ),
        ),
        hints=(
            "D[:, medoids] is (N, K): the distance of every point to every medoid. Who is nearest, and how far is "
            "that?",
            "The cost of any list of medoids is D[:, medoids].min(axis=1).sum().",
            "Copy medoids, put i at place k, and take the difference of two such costs.",
        ),
    ),
    Task(
        "14-loo",
        "return for every n what the machine fitted without point n predicts at x_n",
        system,
        left_out,
        mistakes=(
            Mistake(
                "the fit of all points",
                with_parts(lambda A, Q, a, y, lam: y - lam * a),
                "this is Ka, the prediction of the machine that has seen point n",
            ),
            Mistake(
                "the error instead of the prediction",
                with_parts(lambda A, Q, a, y, lam: a / np.diag(Q)),
                "a_n / Q_nn is y_n minus the prediction",
            ),
            Mistake(
                "plus instead of minus",
                with_parts(lambda A, Q, a, y, lam: y + a / np.diag(Q)),
                "y_n minus the prediction is a_n / Q_nn; solve for the prediction",
            ),
            Mistake(
                "the diagonal of K + lam I",
                with_parts(lambda A, Q, a, y, lam: y - a / np.diag(A)),
                "Q_nn is an entry of the inverse, which is not 1 over the entry of the matrix",
            ),
            Mistake(
                "multiplied by Q_nn",
                with_parts(lambda A, Q, a, y, lam: y - a * np.diag(Q)),
                "row n says 0 = a_n - (y_n - p) Q_nn: divide",
            ),
            Mistake(
                "lam forgotten",
                lambda K, y, lam: left_out(K, y, 0.0),
                "the matrix that is inverted is K + lam I",
            ),
            Mistake(
                "lam added to every entry",
                lambda K, y, lam: left_out(K + lam, y, 0.0),
                "K + lam adds lam everywhere; only the diagonal gets it: K + lam * np.eye(len(y))",
            ),
            Mistake(
                "lam a over Q_nn",
                with_parts(lambda A, Q, a, y, lam: y - lam * a / np.diag(Q)),
                "lam a_n is the error with the point, a_n / Q_nn the one without it",
            ),
            Mistake(
                "a_n set to 0 without a new fit",
                lambda K, y, lam: (
                    K @ (Q := np.linalg.inv(K + lam * np.eye(len(y)))) @ y - np.diag(K) * (Q @ y)
                ),
                "without point n the other a_m have other values, too",
            ),
        ),
        hints=(
            "A loop that deletes row and column n and fits N times is a right answer. But one inverse is enough.",
            "With Q = (K + lam I)^-1 and a = Q y, row n of the equation above says 0 = a_n - (y_n - p_n) Q_nn.",
            "np.linalg.inv, np.diag, and y - a / np.diag(Q).",
        ),
    ),
    Task(
        "14-centre",
        "return K_new (M, N) centred: every new and every training feature minus the mean of the training features",
        kernels_of_new_points,
        centred,
        mistakes=(
            Mistake(
                "the new points' own mean",
                lambda K_new, K: K_new - row_means(K_new) - K_new.mean(axis=0) + K_new.mean(),
                "the mean that is subtracted is that of the training features, for new points as well: "
                "K.mean(axis=0) and K.mean()",
            ),
            Mistake(
                "the last term from the new points",
                lambda K_new, K: K_new - row_means(K_new) - K.mean(axis=0) + K_new.mean(),
                "mean times mean is a number of the training points alone: K.mean()",
            ),
            Mistake(
                "the last term forgotten",
                lambda K_new, K: K_new - row_means(K_new) - K.mean(axis=0),
                "the product of two differences has four terms; mean times mean is +K.mean()",
            ),
            Mistake(
                "the last term subtracted",
                lambda K_new, K: K_new - row_means(K_new) - K.mean(axis=0) - K.mean(),
                "minus times minus: mean times mean is added",
            ),
            Mistake(
                "only the new features centred",
                lambda K_new, K: K_new - K.mean(axis=0),
                "the training features lose their mean, too",
            ),
            Mistake(
                "only the training features centred",
                lambda K_new, K: K_new - row_means(K_new),
                "the new features lose the mean of the training features, too",
            ),
            Mistake(
                "one mean for everything",
                lambda K_new, K: K_new - K.mean(),
                "each new point and each training point has its own inner product with the mean",
            ),
            Mistake(
                "not centred",
                lambda K_new, K: 1.0 * K_new,
                "four terms: K_new, two kinds of means subtracted, one added",
            ),
        ),
        hints=(
            "Let m be the mean of the training features. Multiply out <phi_* - m, phi_n - m>: four terms.",
            "<phi_*, m> is the mean of a row of K_new, <m, phi_n> that of a column of K, <m, m> that of all of K.",
            "K_new.mean(axis=1, keepdims=True) has shape (M, 1), K.mean(axis=0) has (N,): numpy subtracts both as "
            "they should be.",
        ),
    ),
)
