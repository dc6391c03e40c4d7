"""Build it, kernel PCA: against scikit-learn and the library, other right answers, and the usual slips."""

import numpy as np
import pytest
from answering import passes, said
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as TheirKernelPCA

from sparsekm_edu import Gaussian, KernelPCA, datasets, exercises
from sparsekm_edu.exercises.practice import build_components
from sparsekm_edu.exercises.tasks import judge

DIRECTIONS, COMPONENTS, DISTANCE = exercises.EXERCISES["build-pca"].steps
each_step = pytest.mark.parametrize("task", [DIRECTIONS, COMPONENTS, DISTANCE], ids=lambda task: task.id)


@each_step
def test_the_worked_solution_agrees_with_its_route_on_many_seeds(task):
    assert task.route
    passes(task, task.solution, range(100, 140))


@pytest.mark.parametrize("seed", range(5))
def test_against_pca_of_features_and_scikit_learn(seed):
    """On features that the exercise never sees."""
    Phi, new = build_components.features(np.random.default_rng(seed))
    K, K_new, L = Phi @ Phi.T, new @ Phi.T, 3
    plain = PCA(n_components=L, svd_solver="full").fit(Phi)
    theirs = TheirKernelPCA(n_components=L, kernel="precomputed").fit(K)
    Z = build_components.components(K, K_new, L)
    for trained, of_new in (
        (plain.transform(Phi), plain.transform(new)),
        (theirs.transform(K), theirs.transform(K_new)),
    ):
        sign = np.sign(np.sum(trained * Z[: len(K)], axis=0))
        np.testing.assert_allclose(Z, np.vstack([trained, of_new]) * sign, atol=1e-9)
    V = (Phi - Phi.mean(axis=0)).T @ build_components.unit_directions(K, L)
    np.testing.assert_allclose(V.T @ V, np.eye(L), atol=1e-12)  # length 1, and orthogonal
    rest = new - plain.inverse_transform(plain.transform(new))
    far = build_components.left_over(K, K_new, np.sum(new**2, axis=1), L)
    np.testing.assert_allclose(far, np.sum(rest**2, axis=1), atol=1e-9)


def test_with_a_gaussian_kernel_it_is_the_model_of_the_library():
    X, _ = datasets.three_clusters()
    new, _ = datasets.three_clusters(seed=1)
    kernel = Gaussian(gamma=10.0)
    Z = build_components.components(kernel(X), kernel(new, X), 4)
    model = KernelPCA(kernel, n_components=4).fit(X)
    np.testing.assert_allclose(np.abs(Z[len(X) :]), np.abs(model.transform(new)), atol=1e-9)
    far = build_components.left_over(kernel(X), kernel(new, X), np.ones(len(new)), 4)
    assert np.all((far > 0) & (far < 1.1))


@pytest.mark.parametrize("seed", range(30))
def test_eigenvalues_are_far_apart(seed):
    """So that directions are determined up to their signs."""
    K, L = DIRECTIONS.instance(np.random.default_rng([seed, 0]))
    H = np.eye(len(K)) - 1 / len(K)
    values = np.sort(np.linalg.eigvalsh(H @ K @ H))[::-1]
    assert np.all(values[:3] > 1.4 * values[1:4])
    assert values[3] > 0.3
    assert abs(values[4]) < 1e-10


# ---- other right answers ----------------------------------------------------------------------------------


def centred(K):
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


def by_eig(sorts):
    """The routine for matrices that are not symmetric, which may give complex numbers and does not sort."""

    def directions(K, L):
        values, U = np.linalg.eig(centred(K))
        first = np.argsort(values.real)[::-1] if sorts else np.arange(len(K))
        return (U / np.sqrt(values))[:, first[:L]]

    return directions


def by_eigh(K, L):
    """All columns."""
    values, U = np.linalg.eigh(centred(K))
    return (U / np.sqrt(values))[:, ::-1]


def with_directions(directions):
    """The components with other directions."""

    def components(K, K_new, L):
        both = np.vstack([K, K_new])
        return (both - both.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()) @ directions(K, L)

    return components


def test_other_ways_to_the_directions():
    def by_svd(K, L):
        centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
        U, values, _ = np.linalg.svd(centred)
        return U[:, :L] * values[:L] ** -0.5

    def by_loops(K, L):
        N = len(K)
        centred = [
            [K[i, j] - sum(K[i]) / N - sum(K[:, j]) / N + K.sum() / N**2 for j in range(N)] for i in range(N)
        ]
        values, U = np.linalg.eigh(np.array(centred))
        columns = [-U[:, N - 1 - l] / np.sqrt(values[N - 1 - l]) for l in range(L)]  # the other sign
        return np.column_stack(columns).tolist()

    for answer in (by_svd, by_loops, by_eig(sorts=True)):
        passes(DIRECTIONS, answer)
        passes(COMPONENTS, with_directions(answer))


def test_other_ways_to_the_components():
    def one_by_one(K, K_new, L):
        A = -build_components.unit_directions(K, L)
        rows = []
        for k in [*K, *K_new]:
            centred = np.array([k[n] - k.mean() - K[:, n].mean() + K.mean() for n in range(len(K))])
            rows.append([centred @ A[:, l] for l in range(L)])
        return rows

    def by_matrices(K, K_new, L):
        """MLaPP, with line 8 as it should be; and the training points by the root of lambda times u."""
        N = len(K)
        O, O_new = np.full((N, N), 1 / N), np.full((len(K_new), N), 1 / N)
        values, U = np.linalg.eigh(K - O @ K - K @ O + O @ K @ O)
        values, U = values[::-1][:L], U[:, ::-1][:, :L]
        new = (K_new - O_new @ K - K_new @ O + O_new @ K @ O) @ U / np.sqrt(values)
        return np.vstack([U * np.sqrt(values), new])

    def without_what_cancels(K, K_new, L):
        """As the worked solution says: two of the four terms do not matter."""
        return (np.vstack([K, K_new]) - K.mean(axis=0)) @ build_components.unit_directions(K, L)

    for answer in (one_by_one, by_matrices, without_what_cancels):
        passes(COMPONENTS, answer)


def test_other_ways_to_the_distance():
    def by_weights(K, K_new, k_new, L):
        """phi - mean - sum_n b_n (phi_n - mean), multiplied out for each point."""
        H, A = np.eye(len(K)) - 1 / len(K), build_components.unit_directions(K, L)
        far = []
        for k, own in zip(K_new, k_new, strict=True):
            b = H @ A @ (A.T @ H @ (k - K.mean(axis=0))) + 1 / len(K)  # the foot is sum_n b_n phi_n
            far.append(own - 2 * b @ k + b @ K @ b)
        return far

    passes(DISTANCE, by_weights)


# ---- slips ------------------------------------------------------------------------------------------------


def turned(wrong):
    """The same slip by somebody whose eigenvectors have the other sign."""
    return lambda *given: -wrong(*given)


@pytest.mark.parametrize("task", [DIRECTIONS, COMPONENTS], ids=lambda task: task.id)
def test_slips_are_named_whatever_the_sign(task):
    for mistake in task.mistakes:
        if mistake.name != "two results":  # they have no sign together
            assert mistake.name in said(task, turned(mistake.wrong))


@pytest.mark.parametrize("wrap", [lambda directions: directions, with_directions])
def test_what_is_said_of_the_order_of_eigenvalues_is_true(wrap):
    """And of nothing else: not of columns too many, not of nan that come from elsewhere."""
    task = DIRECTIONS if wrap is not with_directions else COMPONENTS

    def one_is_nan(K, L):
        A = DIRECTIONS.solution(K, L)
        A[:, 0] = np.nan
        return A

    def upwards(K, L):
        return by_eigh(K, L)[:, ::-1][:, :L]

    with np.errstate(all="ignore"):
        for seed in range(10):
            for right_order in (by_eigh, lambda K, L: np.linalg.svd(centred(K))[0]):
                message = judge(task, wrap(right_order), seed).message
                assert message.startswith("It returns an array of shape")
            for some_nan in (one_is_nan, lambda K, L: np.full((len(K), L), np.nan)):
                assert judge(task, wrap(some_nan), seed).message.startswith("There is a nan")
            for unsorted in (by_eig(sorts=False), upwards):
                result = judge(task, wrap(unsorted), seed)
                assert "not the largest eigenvalues first" in result.message or "complex" in result.message
            message = judge(task, wrap(build_components.directions_in_two_orders), seed).message
            assert "the eigenvalues in another order than the eigenvectors" in message


def test_other_scales_and_centrings_are_named():
    def by_bishop(K, L):
        values, U = np.linalg.eigh(centred(K))
        return U[:, ::-1][:, :L] / np.sqrt(len(K) * values[::-1][:L])

    def one_mean(K, L):
        values, U = np.linalg.eigh(K - K.mean())
        return U[:, ::-1][:, :L] / np.sqrt(values[::-1][:L])

    def by_roots(power, vectors=slice(None), roots=slice(None)):
        def directions(K, L):
            values, U = np.linalg.eigh(centred(K))
            return U[:, -L:][:, vectors] / np.sqrt(values[-L:][roots] * (len(K) - 1.0) ** power)

        return directions

    down = slice(None, None, -1)
    assert "lambda/(N - 1) for lambda" in said(DIRECTIONS, by_roots(-1, down, down))
    assert "(N - 1) lambda for lambda" in said(DIRECTIONS, by_roots(1, down, down))
    for task, wrap in (DIRECTIONS, lambda directions: directions), (COMPONENTS, with_directions):
        for seed in range(5):
            message = said(task, wrap(by_roots(0, roots=down)), seed)
            assert "eigenvalues turned round, eigenvectors not" in message
            message = said(task, wrap(by_roots(0, vectors=down)), seed)
            assert "eigenvectors turned round, eigenvalues not" in message
    assert "N lambda for lambda" in said(DIRECTIONS, by_bishop)
    assert "one mean for all of K" in said(DIRECTIONS, one_mean)
    assert "eigenvectors for the training points" in said(
        COMPONENTS, turned(build_components.eigenvectors_for_training)
    )
    assert "components of new points that are not centred" in said(
        DISTANCE,
        lambda K, K_new, k_new, L: (
            k_new
            - 2 * K_new.mean(axis=1)
            + K.mean()
            - np.sum((K_new @ DIRECTIONS.solution(K, L)) ** 2, axis=1)
        ),
    )


def test_which_term_of_the_centring_counts_is_told():
    """Only the means of the rows are subtracted, which changes nothing."""

    def by_rows(K, K_new, L):
        both = np.vstack([K, K_new])
        return (both - both.mean(axis=1, keepdims=True)) @ DIRECTIONS.solution(K, L)

    assert "mean'phi_n, the means of the columns of K" in said(COMPONENTS, by_rows)
    assert "np.vstack puts them together" in said(
        COMPONENTS, lambda *given: tuple(np.split(COMPONENTS.solution(*given), [len(given[0])]))
    )


def test_the_sign_has_to_be_the_same_for_old_and_new_points():
    def two_minds(K, K_new, L):
        Z = build_components.components(K, K_new, L)
        return np.vstack([Z[: len(K)], -Z[len(K) :]])

    assert "known mistake" not in said(COMPONENTS, two_minds)


def test_other_slips():
    assert "is wanted" in said(DIRECTIONS, lambda K, L: build_components.unit_directions(K, L).T)
    assert "is wanted" in said(
        COMPONENTS, lambda K, K_new, L: build_components.components(K, K_new, L)[len(K) :]
    )

    def as_printed(K, K_new, L):
        """Line 8 of Algorithm 14.2, for as many new points as it takes."""
        own = K_new - K_new.mean(axis=0)
        return np.vstack([K - K.mean(axis=0), own - own.mean(axis=1, keepdims=True)]) @ (
            build_components.unit_directions(K, L)
        )

    assert "new points centred by themselves" in said(COMPONENTS, as_printed)
