"""Build it: kernel principal components from a Gram matrix, of training points and of new ones (MLaPP 14.4.4)."""

import numpy as np

from sparsekm_edu.exercises.comparing import as_numbers
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.tasks import Mistake, Task

SPREAD = np.array(
    [3.0, 2.0, 1.3, 0.8]
)  # roots of the eigenvalues of the centred Gram matrix: far apart, none shared
HUGE = 1e5  # of a number that was divided by the root of an eigenvalue that is 0
TINY = 1e-5  # of the components along its eigenvector


# ---- instances ------------------------------------------------------------------------------------------


def uncorrelated(rng, N, dimensions):
    """Columns (N, dimensions) of length 1, with means 0."""
    return np.linalg.qr(np.column_stack([np.ones(N), rng.normal(size=(N, dimensions))]))[0][:, 1:]


def features(rng):
    """Training features (N, 5), in four of five dimensions and with a mean, and new ones (M, 5), N not M.

    Every other time they are two groups, each of which varies in two dimensions of its own, the second more: so that
    `np.linalg.eig`, which does not sort, finds the eigenvalues of the first group first.
    """
    N = int(rng.integers(6, 9))
    M = int(rng.choice([m for m in (1, 2, 3, 9) if m != N]))
    around = uncorrelated(rng, N, 4)
    if rng.integers(2):
        first = int(rng.integers(3, N - 2))
        around = np.zeros((N, 4))
        around[first:, :2], around[:first, 2:] = uncorrelated(rng, N - first, 2), uncorrelated(rng, first, 2)
    turned = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    mean = rng.choice([-1.0, 1.0], size=4) * rng.uniform(0.7, 1.5, size=4)
    Phi = around * SPREAD * rng.uniform(0.9, 1.1, 4) @ turned + mean
    return np.column_stack([Phi, np.zeros(N)]), rng.normal(size=(M, 5)) + 0.5


def gram_matrix(rng):
    Phi, _ = features(rng)
    return Phi @ Phi.T, int(rng.integers(2, 4))


def gram_matrices(rng):
    Phi, new = features(rng)
    return Phi @ Phi.T, new @ Phi.T, int(rng.integers(2, 4))


def all_that_is_known(rng):
    Phi, new = features(rng)
    return Phi @ Phi.T, new @ Phi.T, np.sum(new**2, axis=1), int(rng.integers(2, 4))


# ---- worked solutions -----------------------------------------------------------------------------------


def unit_directions(K, L):
    """Eigenvectors of the centred Gram matrix in columns (N, L), the largest eigenvalue first, scaled for length 1.

    K (N, N); L < N. Column l holds the weights a_n of the direction v = sum_n a_n (phi_n - mean), and |v| = 1.
    """
    N = len(K)
    H = np.eye(N) - 1 / N
    values, U = np.linalg.eigh(H @ K @ H)  # (14.44)
    largest = np.argsort(values)[::-1][:L]
    return U[:, largest] / np.sqrt(values[largest])


def components(K, K_new, L):
    """The first L components of all points, (N + M, L): N training points, then M new ones.

    K (N, N): kernels of the training points; K_new (M, N): of the new points, in rows, with the training points.
    """
    both = np.vstack([K, K_new])
    centred = both - both.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()  # (14.43)
    return centred @ unit_directions(K, L)  # (14.40)


def left_over(K, K_new, k_new, L):
    """Squared distances (M,) of the features of M new points from the plane of the first L components.

    The plane goes through the mean of the training features. K (N, N), K_new (M, N) as before; k_new (M,) holds
    k(x, x) of the new points.
    """
    Z = components(K, K_new, L)[len(K) :]
    from_mean = k_new - 2 * K_new.mean(axis=1) + K.mean()  # |phi - mean|^2
    return from_mean - np.sum(Z**2, axis=1)


# ---- the same by principal components of features -------------------------------------------------------


def found_features(K, K_new):
    """Features (N, r) with the inner products K, and those of the new points as far as these reach, (M, r)."""
    values, U = np.linalg.eigh(K)
    there = values > 1e-9 * values.max()
    Phi = U[:, there] * np.sqrt(values[there])
    return Phi, K_new @ U[:, there] / np.sqrt(values[there])


def axes_of(Phi, L):
    """The singular value decomposition of the centred features: weights (N, L), singular values (L,), axes (r, L)."""
    W, lengths, V = np.linalg.svd(Phi - Phi.mean(axis=0), full_matrices=False)
    return W[:, :L], lengths[:L], V[:L].T


def unit_directions_by_features(K, L):
    Phi, _ = found_features(K, K[:0])
    W, lengths, _ = axes_of(Phi, L)
    return W / lengths  # v = Phi_centred' W / lengths


def components_by_features(K, K_new, L):
    Phi, new = found_features(K, K_new)
    return (np.vstack([Phi, new]) - Phi.mean(axis=0)) @ axes_of(Phi, L)[2]


def left_over_by_features(K, K_new, k_new, L):
    Phi, new = found_features(K, K_new)
    off, V = new - Phi.mean(axis=0), axes_of(Phi, L)[2]
    beyond = k_new - np.sum(new**2, axis=1)  # what no training feature reaches
    return beyond + np.sum((off - off @ V @ V.T) ** 2, axis=1)


# ---- mistakes -------------------------------------------------------------------------------------------


def products(A):
    """All products of two entries of a column, for each column: the same if its sign is turned."""
    return A[:, None, :] * A[None, :, :]


def directions_with(scale=np.sqrt, centre=True, order=-1):
    """The wrong answers that differ in the scale, the centring or the order."""

    def wrong(K, L):
        H = np.eye(len(K)) - 1 / len(K) * centre
        values, U = np.linalg.eigh(H @ K @ H)
        chosen = np.argsort(values)[::order][:L]
        return U[:, chosen] / scale(values[chosen])

    return wrong


def not_turned_round(K, L):
    return unit_directions(K, L)[:, ::-1]


def scaled_by_variances(K, L):
    return unit_directions(K, L) * np.sqrt(len(K))


def components_with(centred, directions=unit_directions):
    """The wrong answers that differ in the directions, or in the centred inner products of K and K_new."""
    return lambda K, K_new, L: centred(K, K_new) @ directions(K, L)


def centred_by_training(K, K_new):
    return np.vstack([K, K_new]) - K.mean(axis=0)  # the other two means are lost on directions of sum 0


def distance_with(from_mean, squared=lambda Z: np.sum(Z**2, axis=1), sign=-1.0):
    """The wrong answers that differ in the distance from the mean, or in what is subtracted."""

    def wrong(K, K_new, k_new, L):
        Z = components(K, K_new, L)[len(K) :]
        return from_mean(K, K_new, k_new) + sign * squared(Z)

    return wrong


def whole(K, K_new, k_new):
    return k_new - 2 * K_new.mean(axis=1) + K.mean()


def centred_by_one_mean(K):
    return K - K.mean()


def directions_of(centre):
    """The wrong answers that centre the matrix in another way."""

    def wrong(K, L):
        values, U = np.linalg.eigh(centre(K))
        return (U / np.sqrt(values))[:, ::-1][:, :L]

    return wrong


def divided_by_N(K, L):
    return unit_directions(K, L) / np.sqrt(len(K))


def scaled_by_other_variances(K, L):
    return unit_directions(K, L) * np.sqrt(len(K) - 1)


def divided_by_N_less_1(K, L):
    return unit_directions(K, L) / np.sqrt(len(K) - 1)


def directions_in_two_orders(K, L):
    values, U = np.linalg.eigh(K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean())
    return U[:, ::-1][:, :L] / np.sqrt(values[:L])


def swapped_roots(K, L):
    """The right eigenvectors, each divided by the root of another one's eigenvalue."""
    roots = 1 / np.linalg.norm(unit_directions(K, L), axis=0)
    return unit_directions(K, L) * roots / roots[::-1]


def eigenvectors_for_training(K, K_new, L):
    return np.vstack([directions_with(scale=np.ones_like)(K, L), components(K, K_new, L)[len(K) :]])


def columns_told(value, K, given):
    """Of every column that is no nan: (its eigenvalue, the one that belongs there, the column), those of eigenvectors
    of the centred matrix only. The rows of new points are left out."""
    L, rows = given[-1], len(K) + sum(len(more) for more in given[:-1])
    columns = as_numbers(value)
    if np.shape(columns) != (rows, L):
        return []
    H = np.eye(len(K)) - 1 / len(K)
    centred, of_mean = H @ K @ H, H @ K.mean(axis=1)
    told = []
    for column, right in zip(columns[: len(K)].T, np.linalg.eigvalsh(centred)[::-1][:L], strict=True):
        length = np.linalg.norm(column)
        if 0 < length < TINY:  # a component of the eigenvalue 0, and of rounding errors
            told.append((0.0, right, column))
        elif length > 0:
            u = column / length
            found = u @ centred @ u
            if np.allclose(centred @ u, found * u, rtol=0, atol=1e-5):
                told.append((found, right, column))
            elif rows > len(K) and np.isclose(abs(u @ of_mean), np.linalg.norm(of_mean)):
                told.append((0.0, right, column))  # the same, where two of the four terms are left out
    return told


def out_of_order(value, K, *given):
    """Are there eigenvectors of other eigenvalues than the largest ones, in falling order?"""
    told = columns_told(value, K, given)
    found, right = [each[0] for each in told], [each[1] for each in told]
    # the right ones from small to large have a name of their own
    turned = len(told) == given[-1] and np.allclose(found, right[::-1], atol=1e-5)
    return not turned and not np.allclose(found, right, atol=1e-5)


def exploded(value, K, *given):
    """Is a right eigenvector divided by the root of an eigenvalue that is 0, but for rounding errors?"""
    return any(
        np.isclose(found, right, atol=1e-5) and np.abs(column).max() > HUGE
        for found, right, column in columns_told(value, K, given)
    )


OUT_OF_ORDER = (
    "column l belongs to the l-th largest eigenvalue of H K H. np.linalg.eigh sorts upwards, so begin at the end; "
    "np.linalg.eig does not sort at all. The smallest eigenvalue is 0, and its root is no divisor"
)
UPWARDS = (
    "the eigenvectors of the largest eigenvalues stand from small to large, as np.linalg.eigh has them, but they are "
    "divided by the roots from large to small: turn both round"
)
DOWNWARDS = (
    "the eigenvectors stand from large to small, as they should, but they are divided by the roots from small to "
    "large: turn the eigenvalues round, too"
)
EXPLODED = (
    "a right eigenvector is divided by the root of an eigenvalue that is 0, but for rounding errors: turn the "
    "eigenvalues round together with the eigenvectors"
)
UP_TO = "products of the entries i and j of column l, which do not mind its sign, as [i, j, l]", products

EXERCISE = Exercise(
    "build-pca",
    "Kernel PCA from a Gram matrix",
    "build it",
    3,
    "14",
    (("14, section 4", "14_the_kernel_trick.ipynb#4-Kernel-PCA-·-core"),),
    r"""
You are given inner products of features and never see a feature: the Gram matrix $\mathbf K$ ($N\times N$) of
training points, $K_{nm}=\boldsymbol\phi_n^{\mathsf T}\boldsymbol\phi_m$, and $\mathbf K_*$ ($M\times N$), kernels of
$M$ new points (rows) with the training points (columns). Write kernel PCA with numpy alone. What you need:

- The features lose the mean of the *training* features, $\bar{\boldsymbol\phi}=\frac1N\sum_n\boldsymbol\phi_n$, and
so does every new feature. For $\mathbf K$ this is $\tilde{\mathbf K}=\mathbf H\mathbf K\mathbf H$ with
$\mathbf H=\mathbf I-\frac1N\mathbf 1\mathbf 1^{\mathsf T}$ (14.44).
- A direction is a sum of centred features, $\mathbf v=\sum_na_n(\boldsymbol\phi_n-\bar{\boldsymbol\phi})$, where
$\mathbf a$ is a multiple of an eigenvector of $\tilde{\mathbf K}$ (14.39). Large eigenvalues are directions of large
variance.
- The component of a point is the inner product of its centred feature with $\mathbf v$, a vector of length 1.

An eigenvector may be turned round: each column of your results is right up to its sign.""",
    "eigenvectors of a symmetric matrix; PCA of vectors",
    steps=(
        Task(
            "build-pca-a",
            "return the weights of the first L directions of length 1, in columns",
            gram_matrix,
            unit_directions,
            instances=10,  # so that the order of the eigenvalues shows
            mistakes=(
                Mistake(
                    "not the largest eigenvalues first",
                    directions_with(order=1),
                    OUT_OF_ORDER,
                    shows=out_of_order,
                ),
                Mistake(
                    "the eigenvalues in another order than the eigenvectors",
                    directions_in_two_orders,
                    EXPLODED,
                    shows=exploded,
                ),
                Mistake(
                    "the largest eigenvalue last",
                    not_turned_round,
                    "these are the right directions, but np.linalg.eigh sorts upwards: turn the columns round",
                ),
                Mistake(
                    "lambda/N for lambda",
                    scaled_by_variances,
                    "lambda/N is the variance of the component; |v|² = a'Ktilde a = lambda a'a has no N",
                ),
                Mistake(
                    "N lambda for lambda",
                    divided_by_N,
                    "lambda is an eigenvalue of H K H itself, and |v|² = a'Ktilde a = lambda a'a. (Some books call "
                    "lambda/N, a variance, lambda: then a factor N belongs there)",
                ),
                Mistake(
                    "lambda/(N - 1) for lambda",
                    scaled_by_other_variances,
                    "lambda/(N - 1) is a variance of the component; |v|² = a'Ktilde a = lambda a'a has no N",
                ),
                Mistake(
                    "(N - 1) lambda for lambda",
                    divided_by_N_less_1,
                    "lambda is an eigenvalue of H K H itself, and |v|² = a'Ktilde a = lambda a'a has no N",
                ),
                Mistake(
                    "eigenvectors turned round, eigenvalues not",
                    swapped_roots,
                    DOWNWARDS,
                ),
                Mistake(
                    "eigenvalues turned round, eigenvectors not",
                    lambda K, L: swapped_roots(K, L)[:, ::-1],
                    UPWARDS,
                ),
                Mistake(
                    "one mean for all of K",
                    directions_of(centred_by_one_mean),
                    "K - K.mean() is not centred: H K H subtracts the means of rows and of columns, and adds that of "
                    "all",
                ),
                Mistake(
                    "not centred",
                    directions_with(centre=False),
                    "the first direction points at the mean then, not along the data: use H K H",
                ),
                Mistake(
                    "not divided by the root of the eigenvalue",
                    directions_with(scale=np.ones_like),
                    "the eigenvector has length 1, not the direction: |v|² = a'Ktilde a = lambda a'a",
                ),
                Mistake(
                    "divided by the eigenvalue",
                    directions_with(scale=np.asarray),
                    "|v|² = lambda a'a, so a'a has to be 1/lambda, and a is u over the root of lambda",
                ),
                Mistake(
                    "multiplied by the root of the eigenvalue",
                    directions_with(scale=lambda values: 1 / np.sqrt(values)),
                    "these are the components of the training points; the weights are u over the root of lambda",
                ),
            ),
            hints=(
                "H = np.eye(N) - 1/N, and np.linalg.eigh(H @ K @ H) gives eigenvalues from small to large.",
                "|v|^2 = sum of a_n a_m Ktilde_nm = a'Ktilde a. What is that if a is an eigenvector u of length 1?",
                "a = u / sqrt(lambda). Take the last L columns of U, the last one first.",
            ),
            route=("singular values of features", unit_directions_by_features),
            up_to=UP_TO,
            text=r"""
Write the weights of the first $L$ directions into the columns of an $N\times L$ matrix: multiples of eigenvectors of
$\tilde{\mathbf K}$, that with the largest eigenvalue first, scaled so that every $\mathbf v$ has length 1.""",
        ),
        Task(
            "build-pca-b",
            "return the components of the training points and of the new points, one row each",
            gram_matrices,
            components,
            instances=10,
            mistakes=(
                Mistake(
                    "not the largest eigenvalues first",
                    components_with(centred_by_training, directions_with(order=1)),
                    OUT_OF_ORDER,
                    shows=out_of_order,
                ),
                Mistake(
                    "the eigenvalues in another order than the eigenvectors",
                    components_with(centred_by_training, directions_in_two_orders),
                    EXPLODED,
                    shows=exploded,
                ),
                Mistake(
                    "eigenvectors for the training points",
                    eigenvectors_for_training,
                    "the new points are right. The components of the training points are the root of lambda times u: "
                    "treat them like the new ones",
                ),
                Mistake(
                    "new points centred by themselves",
                    components_with(
                        lambda K, K_new: np.vstack([K - K.mean(axis=0), K_new - K_new.mean(axis=0)])
                    ),
                    "new features lose the mean of the training features, and where other new points are is no "
                    "concern of theirs",
                ),
                Mistake(
                    "new points not centred",
                    components_with(lambda K, K_new: np.vstack([K - K.mean(axis=0), K_new])),
                    "the new features have to lose the mean of the training features, too. The term that counts is "
                    "mean'phi_n, the means of the columns of K; phi'mean, the mean of a row, drops out, since the "
                    "weights of a direction add up to 0",
                ),
                Mistake(
                    "nothing centred",
                    components_with(lambda K, K_new: np.vstack([K, K_new]), directions_with(centre=False)),
                    "directions and points: both are measured from the mean of the training features",
                ),
                Mistake(
                    "points not centred",
                    components_with(lambda K, K_new: np.vstack([K, K_new])),
                    "the directions are right; but the points have to be measured from the mean, too. The term "
                    "that counts is mean'phi_n, the means of the columns of K; the others drop out",
                ),
                Mistake(
                    "not divided by the root of the eigenvalue",
                    components_with(centred_by_training, directions_with(scale=np.ones_like)),
                    "then v has the length of the root of lambda instead of 1",
                ),
                Mistake(
                    "divided by the eigenvalue",
                    components_with(centred_by_training, directions_with(scale=np.asarray)),
                    "v has length 1 for a = u over the root of lambda: divide by the root, and once",
                ),
                Mistake(
                    "eigenvectors turned round, eigenvalues not",
                    components_with(centred_by_training, swapped_roots),
                    DOWNWARDS,
                ),
                Mistake(
                    "eigenvalues turned round, eigenvectors not",
                    lambda *given: components_with(centred_by_training, swapped_roots)(*given)[:, ::-1],
                    UPWARDS,
                ),
                Mistake(
                    "the largest eigenvalue last",
                    lambda K, K_new, L: components(K, K_new, L)[:, ::-1],
                    "np.linalg.eigh sorts upwards: the component with the largest eigenvalue comes first",
                ),
                Mistake(
                    "two results",
                    lambda K, K_new, L: np.split(components(K, K_new, L), [len(K)]),
                    "one array is wanted, the new points below the training points: np.vstack puts them together",
                    shows=lambda value, K, K_new, L: (
                        len(value) == 2 and all(np.ndim(part) == 2 for part in value)
                    ),
                ),
                Mistake(
                    "the new points first",
                    lambda K, K_new, L: np.roll(components(K, K_new, L), len(K_new), axis=0),
                    "the training points first, then the new ones",
                ),
            ),
            hints=(
                "The component is (phi - mean)'v = sum of a_n (phi - mean)'(phi_n - mean). Multiply the product "
                "out: four terms.",
                "phi'phi_n is an entry of K_new, phi'mean the mean of its row, mean'phi_n the mean of a column of "
                "K, and mean'mean the mean of all of K.",
                "np.vstack([K, K_new]) treats all points alike; then times the weights of build-pca-a.",
            ),
            route=("principal components of features", components_by_features),
            up_to=UP_TO,
            text=r"""
Now the components: of the $N$ training points first, then of the $M$ new ones, in one array of shape $(N+M,L)$. (One
array, `np.vstack`, so that both have the same sign.) You may call your `unit_directions`.""",
        ),
        Task(
            "build-pca-c",
            "return the squared distance of every new feature from the plane of the first L components",
            all_that_is_known,
            left_over,
            instances=10,
            mistakes=(
                Mistake(
                    "measured from the origin",
                    distance_with(lambda K, K_new, k_new: k_new),
                    "the plane goes through the mean: begin with |phi - mean|², not with |phi|²",
                ),
                Mistake(
                    "the distance from the mean",
                    distance_with(whole, sign=0.0),
                    "what the components explain has still to be subtracted: the sum of their squares",
                ),
                Mistake(
                    "the part inside the plane",
                    distance_with(lambda K, K_new, k_new: 0.0, sign=1.0),
                    "this is what the components explain; asked for is the rest of |phi - mean|²",
                ),
                Mistake(
                    "components of new points that are not centred",
                    lambda K, K_new, k_new, L: (
                        whole(K, K_new, k_new) - np.sum((K_new @ unit_directions(K, L)) ** 2, axis=1)
                    ),
                    "|phi - mean|² is right; but the components in the plane have to be those of phi - mean, too, "
                    "as in build-pca-b",
                ),
                Mistake(
                    "the 2 in the square",
                    distance_with(lambda K, K_new, k_new: k_new - K_new.mean(axis=1) + K.mean()),
                    "|phi - mean|² = phi'phi - 2 phi'mean + mean'mean",
                ),
                Mistake(
                    "mean'mean forgotten",
                    distance_with(lambda K, K_new, k_new: k_new - 2 * K_new.mean(axis=1)),
                    "|phi - mean|² = phi'phi - 2 phi'mean + mean'mean, and the last is the mean of all of K",
                ),
                Mistake(
                    "the sign of mean'mean",
                    distance_with(lambda K, K_new, k_new: k_new - 2 * K_new.mean(axis=1) - K.mean()),
                    "|phi - mean|² = phi'phi - 2 phi'mean + mean'mean: only the middle term has a minus",
                ),
                Mistake(
                    "a difference of squares",
                    distance_with(lambda K, K_new, k_new: k_new - K.mean()),
                    "|phi - mean|² is not |phi|² - |mean|²: it has the term -2 phi'mean",
                ),
                Mistake(
                    "components not squared",
                    distance_with(whole, lambda Z: np.sum(np.abs(Z), axis=1)),
                    "by Pythagoras squares are subtracted from squares",
                ),
                Mistake(
                    "added instead of subtracted",
                    distance_with(whole, sign=1.0),
                    "|phi - mean|² is the hypotenuse: distance² is that minus the squares of the components",
                ),
                Mistake(
                    "not squared",
                    lambda *given: np.sqrt(left_over(*given)),
                    "the squared distance is asked for",
                ),
            ),
            hints=(
                "A right angle: the feature, the mean, and the foot of the feature on the plane. Which side is "
                "known, and which is the sum of squared components?",
                "|phi - mean|^2 = k(x, x) - 2 phi'mean + mean'mean; phi'mean is the mean of a row of K_new.",
                "k_new - 2 K_new.mean(axis=1) + K.mean(), minus the sum of the squared components of the point.",
            ),
            route=("distances of features", left_over_by_features),
            text=r"""
At last something that PCA is used for: how *new* is a new point? Its feature has a distance from the plane through
the mean that the first $L$ directions span. Small means like the training points, large means unlike them. Besides
$\mathbf K$ and $\mathbf K_*$ you get the numbers $k(\mathbf x,\mathbf x)$ of the new points, `k_new` of shape $(M,)$.
Return the *squared* distances, shape $(M,)$.""",
        ),
    ),
    worked=r"""
**Length.** Let $\tilde{\mathbf K}\mathbf u=\lambda\mathbf u$, $\mathbf u^{\mathsf T}\mathbf u=1$, and
$\mathbf a=c\,\mathbf u$. Then

$$\lVert\mathbf v\rVert^2=\sum_{n,m}a_na_m\tilde K_{nm}=\mathbf a^{\mathsf T}\tilde{\mathbf K}\mathbf a=c^2\lambda=1
\quad\Rightarrow\quad\mathbf a=\mathbf u/\sqrt\lambda,\qquad\lambda\,\mathbf a^{\mathsf T}\mathbf a=1.$$

`eigh` sorts upwards, so the last columns are wanted. The smallest eigenvalue is 0, always:
$\mathbf H\mathbf 1=\mathbf 0$.

**Components.** For any point with feature $\boldsymbol\phi$, old or new,

$$z=(\boldsymbol\phi-\bar{\boldsymbol\phi})^{\mathsf T}\mathbf v=\sum_na_n\Big[\boldsymbol\phi^{\mathsf T}
\boldsymbol\phi_n-\boldsymbol\phi^{\mathsf T}\bar{\boldsymbol\phi}-\bar{\boldsymbol\phi}^{\mathsf T}
\boldsymbol\phi_n+\bar{\boldsymbol\phi}^{\mathsf T}\bar{\boldsymbol\phi}\Big].$$

The four terms are an entry of $\mathbf K_*$, the mean of its row, the mean of column $n$ of $\mathbf K$, and the mean
of all of $\mathbf K$ (14.43). The second and the fourth are the same for all $n$, and $\sum_na_n=0$, since
$\mathbf u$ is orthogonal to $\mathbf 1$: so whoever forgets them gets away with it. Whoever forgets the third does
not. For the training points $\tilde{\mathbf K}\mathbf u/\sqrt\lambda=\sqrt\lambda\,\mathbf u$.

If you compare with MLaPP: line 8 of its Algorithm 14.2 does not fit as it is printed, since $\mathbf O_*$ and
$\mathbf K_*$ both are $N_*\times N$; if $N_*=N$, it centres the new points by themselves. The mean to subtract is that
of the training features.

**Distance.** The directions are orthogonal and of length 1, so by Pythagoras

$$\text{distance}^2=\lVert\boldsymbol\phi-\bar{\boldsymbol\phi}\rVert^2-\sum_{l=1}^Lz_l^2,\qquad\lVert
\boldsymbol\phi-\bar{\boldsymbol\phi}\rVert^2=k(\mathbf x,\mathbf x)-\frac2N\sum_nk(\mathbf x,\mathbf x_n)+
\frac1{N^2}\sum_{n,m}K_{nm}.$$""",
)
