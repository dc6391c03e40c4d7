"""K-medoids: K of the data themselves as the centres of K clusters (MLaPP 14.4.2).

    minimise over medoids m_1, ..., m_K      cost = sum_i min_k d(i, m_k)

All that is known of the data are the dissimilarities d(i, i'), so the data may be strings as well as points.

Algorithm 14.1 alternates: points join the nearest medoid ("assign"); in each cluster the point with the smallest sum of
distances to the others becomes its medoid ("update", (14.31)). No step raises the cost, and after finitely many nothing
moves. But the end can be a bad one: a medoid never leaves its cluster, so that two medoids in one cloud stay there,
though another cloud has none. A swap has no such limits. It puts any point in the place of any medoid. Where the
alternation stands still, we make the swap that lowers the cost most, and go on; where no swap lowers it, we are done.

There are K (N - K) swaps, and the cost of one takes O(N) to compute. All of them together still take O(N^2) only. Let
d1_i be the distance of point i to its nearest medoid and d2_i that to its second nearest. If n replaces medoid k, then

    a point of another cluster    goes to n if d(i, n) < d1_i,  and gains  max(d1_i - d(i, n), 0)
    a point of cluster k          goes to n or to its second nearest,  and gains  d1_i - min(d(i, n), d2_i)

The first line is the same for all k. So sum it over all points, once for each n, and correct it for each point in the
one cluster where it is wrong. This is the idea of FastPAM (Schubert and Rousseeuw, 2019).

`k_medoids_steps` does this in steps that can be followed. `k_medoids` only wants the end, from many starts, and knows a
shorter way: it goes round the points and makes any swap that lowers the cost as soon as it is seen, until a whole round
finds none (FasterPAM, by the same authors). Where it ends no swap helps either, and it has compared far fewer.
"""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.jit import jit, plain
from sparsekm_edu.validation import shown, whole_number

ROUNDING = 1e-12  # gains smaller than this share of a sum of distances may be rounding: nobody moves for them


@dataclass(frozen=True, eq=False)
class MedoidStep:
    """One step: what was done, and what it led to.

    action: "start", "assign", "update", "swap" or "end"; medoids (K,), indices of points; labels (N,), the cluster
    0, ..., K - 1 of every point, at the start -1: nobody has been assigned yet; cost, the sum of the distances to the
    medoids of the labels, at the start to the nearest medoids; n_iter, steps so far; swap, for "swap" (k, n): medoid
    number k was given up for point n, else None.
    """

    action: str
    medoids: np.ndarray
    labels: np.ndarray
    cost: float
    n_iter: int
    swap: tuple | None = None


@dataclass(frozen=True, eq=False)
class MedoidSolution:
    """The best of several starts.

    medoids (K,), indices of points, the smallest first; labels (N,), the cluster of every point, its place in medoids;
    cost; n_iter, swaps of the start that led here; costs (n_starts,), where each start ended.
    """

    medoids: np.ndarray
    labels: np.ndarray
    cost: float
    n_iter: int
    costs: np.ndarray


def k_medoids(D, K, n_starts=10, seed=0):
    """Clusters around K medoids: the best end of several random starts.

    Parameters: D (N, N), dissimilarities d(i, i') >= 0, symmetric, with zeros on the diagonal; they need no triangle
    inequality. K, the number of medoids, 1, ..., N; n_starts, subsets of K points to start from; seed, an integer or a
    numpy Generator, which draws them. Returns: MedoidSolution. No single swap lowers its cost.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import k_medoids
    >>> x = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 13.0])
    >>> found = k_medoids(np.abs(x[:, None] - x), K=2)
    >>> print(found.medoids, found.labels, found.cost)
    [1 4] [0 0 0 1 1 1] 5.0
    """
    D = _checked(D)
    K = whole_number("K", K, at_least=1)
    if len(D) < K:
        raise ValueError(f"K must be at most N = {len(D)}, got {K}.")
    n_starts = whole_number("n_starts", n_starts, at_least=1)
    rng = np.random.default_rng(seed)
    ends = [_search(D, rng.choice(len(D), K, replace=False)) for _ in range(n_starts)]
    costs = np.array([cost for _, cost, _ in ends])
    medoids, cost, n_iter = ends[int(costs.argmin())]
    medoids = np.sort(medoids)
    return MedoidSolution(medoids, assigned(D, medoids), cost, n_iter, costs)


def k_medoids_steps(D, medoids):
    """K-medoids from given medoids, one step at a time: Algorithm 14.1, and swaps where it stands still.

    Parameters: D (N, N), see `k_medoids`; medoids (K,), different indices of points.
    Yields: a MedoidStep for the start and after each "assign", "update" and "swap", and a last one, "end". An "update"
    that moves no medoid is a step, too: it is how the alternation finds that it stands still.

    Points go to the first of several nearest medoids, but a medoid always to itself, so that no cluster is empty. A
    medoid leaves its place only for one that is better.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import k_medoids_steps
    >>> x = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 13.0])
    >>> for step in k_medoids_steps(np.abs(x[:, None] - x), [0, 2]):
    ...     print(step.action, step.medoids, step.cost)
    start [0 2] 29.0
    assign [0 2] 29.0
    update [0 3] 13.0
    assign [0 3] 7.0
    update [1 4] 5.0
    assign [1 4] 5.0
    update [1 4] 5.0
    end [1 4] 5.0
    """
    D = _checked(D)
    start = np.asarray(medoids)
    if (
        start.ndim != 1
        or start.dtype.kind not in "iu"
        or len(np.unique(start)) != len(start)
        or not (len(start) and 0 <= start.min() <= start.max() < len(D))
    ):
        raise ValueError(
            f"medoids must be different whole numbers from 0 to N - 1 = {len(D) - 1}, got {shown(medoids)}."
        )
    yield from _steps(D, start)


def _steps(D, medoids):
    """The steps of `k_medoids_steps`, without the checks."""
    medoids, n_iter = np.array(medoids, dtype=np.int64), 0
    yield MedoidStep("start", medoids, np.full(len(D), -1), cost_of(D, medoids), 0)

    def step(action, swap=None):
        nonlocal n_iter
        n_iter += 1
        return MedoidStep(
            action, medoids, labels, float(D[medoids[labels], np.arange(len(D))].sum()), n_iter, swap
        )

    labels = assigned(D, medoids)
    yield step("assign")
    while True:
        while True:  # Algorithm 14.1
            before, medoids = medoids, updated(D, medoids, labels)
            yield step("update")
            if np.array_equal(medoids, before):
                break
            labels = assigned(D, medoids)
            yield step("assign")
        gains = swap_gains(D, medoids)
        k, n = np.unravel_index(gains.argmax(), gains.shape)
        swapped = medoids.copy()
        swapped[k] = n
        if not cost_of(D, swapped) < (1 - ROUNDING) * cost_of(D, medoids):
            yield step("end")
            return
        medoids, labels = swapped, assigned(D, swapped)
        yield step("swap", (int(k), int(n)))


def cost_of(D, medoids):
    """sum_i min_k d(i, m_k), what is minimised over the medoids (K,)."""
    return float(D[medoids].min(axis=0).sum())


def assigned(D, medoids):
    """The nearest medoid of every point, (N,): z_i = argmin_k d(i, m_k), line 3 of Algorithm 14.1."""
    labels = D[medoids].argmin(axis=0)
    labels[medoids] = np.arange(len(medoids))  # of two medoids at distance 0 each keeps itself
    return labels


@jit
def updated(D, medoids, labels):
    """The medoid of every cluster, (K,): the point with the smallest sum of distances to the others, (14.31)."""
    medoids = medoids.copy()
    for k in range(len(medoids)):
        cluster = np.flatnonzero(labels == k)
        sums = np.zeros(len(cluster))
        for i in cluster:
            sums += D[i][cluster]
        best = sums.argmin()
        if sums[best] < (1 - ROUNDING) * D[medoids[k]][cluster].sum():
            medoids[k] = cluster[best]
    return medoids


def swap_gains(D, medoids):
    """By how much the cost falls if point n replaces medoid number k, (K, N); -inf where n is a medoid already.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import swap_gains
    >>> x = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 13.0])
    >>> print(swap_gains(np.abs(x[:, None] - x), np.array([0, 1])))
    [[-inf -inf   3.  26.  27.  25.]
     [-inf -inf   3.  25.  26.  24.]]
    """
    return _swap_gains(D, np.asarray(medoids, dtype=np.int64))


@jit
def _swap_gains(D, medoids):
    gains = np.full((len(medoids), len(D)), -np.inf)
    label, first, second = _nearest_two(D, medoids)
    for n in range(len(D)):
        if not np.any(medoids == n):
            gains[:, n] = _gains_of(D[n], len(medoids), label, first, second)
    return gains


@jit
def _search(D, medoids):
    """Swaps from given medoids (K,) until none helps: medoids (K,), their cost, and how many swaps there were."""
    medoids = medoids.copy()
    label, first, second = _nearest_two(D, medoids)
    cost, n_swaps, n, seen = first.sum(), 0, 0, 0
    while seen < len(D):
        gains = _gains_of(D[n], len(medoids), label, first, second)
        if gains.max() > 0 and not np.any(medoids == n):
            swapped = medoids.copy()
            swapped[gains.argmax()] = n
            label_then, first_then, second_then = _nearest_two(D, swapped)
            if first_then.sum() < (1 - ROUNDING) * cost:  # else the gain was rounding
                medoids, label, first, second = swapped, label_then, first_then, second_then
                cost, n_swaps, seen = first.sum(), n_swaps + 1, 0
        n, seen = (n + 1) % len(D), seen + 1
    return medoids, cost, n_swaps


@jit
def _nearest_two(D, medoids):
    """The cluster of every point, and its distances to the nearest and the second nearest medoid, (N,) each."""
    N = len(D)
    label, first, second = np.zeros(N, dtype=np.int64), np.full(N, np.inf), np.full(N, np.inf)
    for k in range(len(medoids)):
        for i in range(N):
            d = D[medoids[k], i]
            if d < first[i]:
                label[i], first[i], second[i] = k, d, first[i]
            elif d < second[i]:
                second[i] = d
    return label, first, second


@jit
def _gains_of(d, K, label, first, second):
    """By how much the cost falls if a point with distances d (N,) to all others replaces each of the medoids, (K,)."""
    shared, own = 0.0, np.zeros(K)
    for i in range(len(d)):
        shared += first[i] - min(d[i], first[i])  # whichever medoid leaves
        own[label[i]] += first[i] - min(max(d[i], first[i]), second[i])  # if its own one leaves
    return shared + own


def _checked(D):
    """D as a C-ordered float64 array: square, finite, not negative, symmetric, 0 on the diagonal."""
    D = plain(D)
    if D.ndim != 2 or D.shape[0] != D.shape[1] or len(D) == 0:
        raise ValueError(f"D must be a square matrix of dissimilarities, got shape {D.shape}.")
    smallest, largest = D.min(), D.max()
    if not (smallest >= 0 and largest < np.inf):  # nan, too
        raise ValueError(f"D must hold finite numbers >= 0, got values from {smallest:g} to {largest:g}.")
    if np.diagonal(D).any():
        raise ValueError(f"D must be 0 on its diagonal, got {np.abs(np.diagonal(D)).max():g}.")
    if (asymmetry := np.abs(D - D.T).max()) > 1e-10 * largest:
        raise ValueError(
            f"D must be symmetric, to 1e-10 of its largest entry, got a difference of {asymmetry:g}."
        )
    return D
