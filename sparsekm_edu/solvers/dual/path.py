"""The whole regularisation path of the soft margin: the solution for every C, from a finite number of events.

Write lambda = 1/C and u_n = v_n / C = t_n a_n / C. In these letters the dual problem (7.32)-(7.34) is

    minimise    1/2 u' K u - lambda t' u
    subject to  u_n between 0 and t_n,   sum_n u_n = 0:

C has left the box and stands in the linear term alone. Each point is in one of three places: left of its margin
(a_n = C, u_n = t_n), right of it (u_n = 0), or on it, in the *elbow* E, where t_n y(x_n) = 1. While nobody changes
place, the points of the elbow obey one small linear system,

    K_EE u_E + beta = lambda t_E - (what the points on the left contribute),   sum_n u_n = 0,   beta = b / C,

whose right-hand side is linear in lambda. So u and beta are linear in lambda, and the next *event* is found by
dividing: a u_n of the elbow reaches a wall and the point leaves, or a point outside reaches its margin and enters.
We walk from event to event, from large lambda (small C) downwards (Hastie, Rosset, Tibshirani and Zhu, 2004).

*The start.* As C -> 0 every point of the smaller class has a_n = C, and the larger class shares out the same sum
so that u'Ku is least: the nu-SVM (7.38)-(7.41) with the largest feasible nu. That start is the end of another path of
the same kind: let as many points of the larger class have a_n = C, the most promising ones, and the others a_n = 0;
invent a linear term for which this is optimal; and let the invention fade to nothing.

*Degenerate data.* The elbow never becomes empty: its last point stays, with u_n at a wall, and holds one end of the
interval in which b may lie. A point in the affine hull of the elbow (a duplicate, a fourth point on the margins of
a linear machine in the plane) would make the system singular: it changes places with a point of the elbow, which
costs nothing. Events that coincide happen one after the other at the same C.

The linear system is that of the polish in smo.py, which builds it afresh each time. Here it changes by one point at a
time, at every event, so we keep its Cholesky factor and update it, within one compiled loop.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sparsekm_edu.complaints import warn
from sparsekm_edu.jit import jit
from sparsekm_edu.solvers.dual.formulations import nu_classification, soft_margin
from sparsekm_edu.solvers.dual.gram import Gram
from sparsekm_edu.solvers.dual.problem import conclude, gradient, onto_walls
from sparsekm_edu.validation import Impossible, real_number

REFRESH = 128  # events after which all that was updated is computed afresh
MOST_EVENTS = 100  # per point; three are usual
ROOM = 4  # events per point for which there is room in the first table
DEPENDENT = (
    1e-14  # a squared distance from the elbow's affine hull below this part of K_nn is rounding error;
)
NEGATIVE = 1e-8  # one below minus this part is none: K is not positive semi-definite, or too much was rounded
STANDSTILL = 1e-13  # rates of change below this part of the sum from which they result are rounding errors,
NO_SHARE = 1e-10  # and so are coefficients below this in the combination that makes up a point of the hull,
FADED = 1e-14  # and linear terms below this part of K
ROUNDED = 1e-13  # an eigenvalue below minus this part of N times the largest entry of K is no rounding error
WALKING, ARRIVED, LOST = 0, 1, 2


@jit
def _append(K, r, elbow, k, U, W):
    """Extend U'U = K_EE and W = U'^-1 (1, r_E) by the point elbow[k]; return its squared distance from the hull."""
    n = elbow[k]
    z = np.empty(k)
    for j in range(k):
        z[j] = K[n, elbow[j]]
    distance2, one, r_n = K[n, n], 1.0, r[n]
    for j in range(k):
        z[j] /= U[j, j]
        for m in range(j + 1, k):
            z[m] -= z[j] * U[j, m]
        U[j, k] = z[j]
        distance2 -= z[j] * z[j]
        one -= z[j] * W[0, j]
        r_n -= z[j] * W[1, j]
    U[k, k] = np.sqrt(max(distance2, DEPENDENT * K[n, n]))
    W[0, k], W[1, k] = one / U[k, k], r_n / U[k, k]
    return distance2


@jit
def _remove(k, i, U, W):
    """Update U and W for an elbow of k points that loses its i-th: Givens rotations make U triangular again."""
    for j in range(k):
        for m in range(i, k - 1):
            U[j, m] = U[j, m + 1]
    for j in range(i, k - 1):
        radius = np.hypot(U[j, j], U[j + 1, j])
        c, s = U[j, j] / radius, U[j + 1, j] / radius
        for m in range(j, k - 1):
            U[j, m], U[j + 1, m] = c * U[j, m] + s * U[j + 1, m], c * U[j + 1, m] - s * U[j, m]
        for m in range(2):
            W[m, j], W[m, j + 1] = c * W[m, j] + s * W[m, j + 1], c * W[m, j + 1] - s * W[m, j]


@jit
def _back_substitute(U, k, x):
    """Replace x by the solution of U z = x, for the first k rows and columns of U."""
    for i in range(k - 1, -1, -1):
        rest = x[i]
        for j in range(i + 1, k):
            rest -= U[i, j] * x[j]
        x[i] = rest / U[i, i]


@jit
def _first_wall(lo, hi, u, elbow, k, q, slowest, farthest):
    """While u_E falls at the rates q: who is first at a wall (-1: nobody before `farthest`), and how far is that?"""
    first = -1
    for i in range(k):
        n = elbow[i]
        wall = hi[n] if q[i] < 0.0 else lo[n]
        if abs(q[i]) > slowest and (u[n] - wall) / q[i] < farthest:
            first, farthest = i, max(0.0, (u[n] - wall) / q[i])
    return first, farthest


@jit
def _move(lo, hi, u, elbow, k, q, d):
    """u_E falls by d q, and is not rounded through a wall."""
    for i in range(k):
        n = elbow[i]
        u[n] = min(max(u[n] - d * q[i], lo[n]), hi[n])


@jit
def _leave(lo, hi, u, side, elbow, k, i, q):
    """The i-th of the k points of the elbow leaves it for the wall towards which u_n fell at the rate q."""
    n = elbow[i]
    side[n] = -1.0 if q > 0.0 else 1.0
    u[n] = lo[n] if q > 0.0 else hi[n]
    for j in range(i, k - 1):
        elbow[j] = elbow[j + 1]
    if k == 2:
        last = elbow[0]  # sum u = 0 leaves it no place but a wall
        u[last] = lo[last] if u[last] - lo[last] < hi[last] - u[last] else hi[last]


@jit
def _exchange(lo, hi, u, side, elbow, k, U, W):
    """The point elbow[k], at a wall, wants to enter although it lies in the affine hull of the elbow.

    phi(x_n) = sum_i c_i phi(x_i), so when u_n moves inwards and u_E makes up for it, y stays as it is; until
    somebody is at a wall. If that is the point itself, at its other wall, it does not belong into the elbow.
    """
    n = elbow[k]
    c, even = np.empty(k), np.empty(k)
    for i in range(k):
        c[i], even[i] = U[i, k], W[0, i]
    _back_substitute(U, k, c)
    _back_substitute(U, k, even)
    sum_c = sum_even = 0.0
    for i in range(k):
        sum_c += c[i]
        sum_even += even[i]
    for i in range(k):
        c[i] += (1.0 - sum_c) / sum_even * even[i]  # the sum of the c_i is 1, which rounding blurs
        c[i] *= -side[n]
    i, d = _first_wall(lo, hi, u, elbow, k, c, NO_SHARE, 1.0)
    _move(lo, hi, u, elbow, k, c, d)
    u[n] -= d * side[n]
    if i < 0:
        side[n] = -side[n]
    else:
        side[n] = 0.0
        _leave(lo, hi, u, side, elbow, k + 1, i, c[i])


@jit
def _follow(K, r, lo, hi, u, g, side, elbow, k, lam, lam_end, rows, lams, us, elbows):
    """Follow the minimum of 1/2 u'Ku - lam r'u within lo <= u <= hi, sum u = 0, from lam down to lam_end.

    K (N, N), positive definite as far as points are affinely independent; r, lo, hi (N,). Changed in place: u (N,);
    g (N,) = K u + beta - lam r, which is 0 in the elbow, <= 0 at hi and >= 0 at lo; side (N,), 1 for u_n at hi, -1 at
    lo, 0 in the elbow (and for who takes no part); elbow (N + 1,), whose first k entries are E; and the table of
    what stood after each event, the first `rows` rows of lams, us, elbows.
    Returns k, lam, rows and a status; after REFRESH events at most, so that rounding errors do not add up.
    """
    N, most = len(u), k + REFRESH + 1
    U, W, q, dg = np.empty((most, most)), np.empty((2, most)), np.empty(most), np.empty(N)
    for i in range(k):
        if _append(K, r, elbow, i, U, W) < -NEGATIVE * K[elbow[i], elbow[i]]:
            return k, lam, rows, LOST

    for _ in range(REFRESH):
        # As lam falls, u_E falls at the rate q, beta at the rate slope, g at the rate dg; g_E stays 0.
        above = below = 0.0
        for i in range(k):
            above += W[0, i] * W[1, i]
            below += W[0, i] * W[0, i]
        slope = above / below
        for i in range(k):
            q[i] = W[1, i] - slope * W[0, i] if k > 1 else 0.0
        _back_substitute(U, k, q)
        for n in range(N):
            dg[n] = slope - r[n]
        size = 1.0
        for i in range(k):
            row = K[elbow[i]]
            size += abs(q[i]) * row[elbow[i]]
            for n in range(N):
                dg[n] += q[i] * row[n]

        # The first event: a point of the elbow reaches a wall, or one outside reaches its margin.
        leaving, d = _first_wall(lo, hi, u, elbow, k, q, STANDSTILL, lam - lam_end)
        entering = -1
        for n in range(N):
            rate = side[n] * dg[n]
            if rate < -STANDSTILL * size and side[n] * g[n] > d * rate:
                entering, d = n, max(0.0, g[n] / dg[n])
        status = WALKING if max(leaving, entering) >= 0 else ARRIVED
        lam = lam - d if status == WALKING else lam_end
        _move(lo, hi, u, elbow, k, q, d)
        for n in range(N):
            g[n] -= d * dg[n]

        start_afresh = status == ARRIVED
        if entering >= 0:
            elbow[k] = entering
            distance2 = _append(K, r, elbow, k, U, W)
            if distance2 < -NEGATIVE * K[entering, entering]:
                return k, lam, rows, LOST
            if distance2 > DEPENDENT * K[entering, entering]:
                side[entering] = 0.0
                k += 1
            else:
                _exchange(lo, hi, u, side, elbow, k, U, W)
                start_afresh = True
        elif leaving >= 0:
            _leave(lo, hi, u, side, elbow, k, leaving, q[leaving])
            _remove(k, leaving, U, W)
            k -= 1

        if lam < lams[rows - 1] * (1.0 - 1e-14):
            rows += 1
        lams[rows - 1] = lam
        for n in range(N):
            us[rows - 1, n] = u[n]
            elbows[rows - 1, n] = side[n] == 0.0
        if start_afresh:
            break
    return k, lam, rows, status


class Walk(NamedTuple):
    """What stood after each of B events: lams (B,), us (B, N), elbows (B, N) bool.

    last: indices of the last elbow; status: ARRIVED at the end, still WALKING when there were too many events, or LOST
    where a squared distance came out negative.
    """

    lams: np.ndarray
    us: np.ndarray
    elbows: np.ndarray
    last: np.ndarray
    status: int


def _walk(K, r, lo, hi, u, elbow, lam, lam_end):
    """All events from lam down to lam_end, for the problem of _follow.

    Parameters: K (N, N); r, lo, hi, u (N,); elbow, the indices of the first elbow. Returns: Walk.
    """
    N, k = len(u), len(elbow)
    elbow = np.append(elbow, np.zeros(N + 1 - k, dtype=int))
    side = np.where(u == hi, 1.0, -1.0)
    side[lo == hi] = side[elbow[:k]] = 0.0
    u = u.copy()
    size = ROOM * N + 2 * REFRESH
    table = np.empty(size), np.empty((size, N)), np.empty((size, N), dtype=bool)
    table[0][0], table[1][0], table[2][0] = lam, u, side == 0
    rows, status = 1, WALKING
    for _ in range(1 + MOST_EVENTS * N // REFRESH):
        g = K @ u - lam * r
        g -= g[elbow[:k]].mean()
        k, lam, rows, status = _follow(K, r, lo, hi, u, g, side, elbow, k, lam, lam_end, rows, *table)
        if status != WALKING:
            break
        if rows + REFRESH > len(table[0]):
            table = [np.concatenate([part, np.empty_like(part)]) for part in table]
    return Walk(*(part[:rows] for part in table), elbow[:k], status)


def _limit_of_small_C(K, t):
    """Where the path begins as C -> 0, see `The start` above: u (N,), the elbow's indices, and Walk's status."""
    larger = 1.0 if t.sum() > 0 else -1.0
    crowd = np.flatnonzero(t == larger)
    few = len(t) - len(crowd)
    u = t.copy()
    if few == len(crowd):
        return u, np.array([0]), ARRIVED
    even = np.where(t == larger, larger * few / len(crowd), t)
    # from the other class's side inwards
    by_depth = crowd[np.argsort(larger * (K @ even)[crowd], kind="stable")]
    u[by_depth[few:]] = 0.0
    y = K @ u
    g = y - 0.5 * (y[by_depth[few - 1]] + y[by_depth[few]])
    wanted = larger * np.abs(g[crowd]).max() * np.where(u == 0, 1.0, -1.0)  # of this sign u is optimal
    elbow = by_depth[few - 1 : few]
    wanted[elbow] = 0.0
    invention = np.where(t == larger, g - wanted, 0.0)
    size = np.abs(invention).max() or 1.0
    lo = np.where(t == larger, np.minimum(t, 0.0), t)  # the smaller class stays where it is
    hi = np.where(t == larger, np.maximum(t, 0.0), t)
    fading = _walk(K, invention / size, lo, hi, u, elbow, size, FADED)
    return fading.us[-1], fading.last, fading.status


@dataclass(frozen=True, eq=False)
class Path:
    """The solutions of a soft margin for every C up to C_max; between breakpoints a_n / C is linear in 1/C.

    gram, t (N,): the problem. C (B,): the breakpoints, rising. u (B, N): v_n / C = t_n a_n / C at each of them;
    start (N,): the same before the first one, where it is constant. elbow (B, N) bool: who is on the margin from
    each breakpoint to the next. separated: true if from the last breakpoint on no point is within the margin; then that
    solution is the hard margin, and stays for all larger C.
    """

    gram: Gram
    t: np.ndarray
    start: np.ndarray
    C: np.ndarray
    u: np.ndarray
    elbow: np.ndarray
    separated: bool

    @property
    def C_max(self):
        """The largest C that `at` answers: the last breakpoint, or infinity where nothing changes any more."""
        return np.inf if self.separated else float(self.C[-1])

    @cached_property
    def alpha(self):
        """a_n / C at the breakpoints, between 0 and 1, (B, N)."""
        return np.abs(self.u)

    @cached_property
    def a(self):
        """a_n at the breakpoints, (B, N)."""
        return self.alpha * self.C[:, None]

    @cached_property
    def b(self):
        """b at the breakpoints, (B,), as `at` finds it."""
        return np.array([self.at(C).b for C in self.C])

    @cached_property
    def nu(self):
        """The nu of the equivalent nu-SVM at the breakpoints, (B,), falling: the mean of a_n / C."""
        return self.alpha.mean(axis=1)

    def at(self, C):
        """The solution of soft_margin(K, t, C), for 0 < C <= C_max: looked up, not solved for."""
        C = real_number("C", C, above=0, at_most=self.C_max, infinite=self.separated)
        if self.C[-1] <= C:
            v = self.C[-1] * self.u[-1]
        else:
            v = C * self._between(1.0 / self.C, 1.0 / C)
        return self._solution(soft_margin(self.gram, self.t, C), v)

    def values(self, K, C):
        """y(x) at M new points for many C at once, (n, M): what `at` finds for each of them, without a loop.

        Parameters: K (M, N), the kernels between new points and the N points of the path; C (n,), each as in `at`.
        """
        C = np.array([real_number("C", c, above=0, at_most=self.C_max, infinite=self.separated) for c in C])
        t, C = self.t, np.minimum(C, self.C[-1])  # where nothing changes any more, the last solution stays
        lo, hi = np.where(t < 0, -C[:, None], 0.0), np.where(t > 0, C[:, None], 0.0)
        lams = 1.0 / self.C
        v = C[:, None] * np.array([self._between(lams, 1.0 / c) for c in C])
        near = 1e-12 * np.abs(v).max(axis=1, keepdims=True)  # interpolation leaves rounding errors
        for wall in (lo, hi):
            np.copyto(v, wall, where=np.abs(v - wall) <= near)
        g = v @ self.gram.matrix() - t
        free = (v > lo) & (v < hi)
        count = free.sum(axis=1)
        b = -np.where(free, g, 0.0).sum(axis=1) / np.maximum(count, 1)  # (7.37)
        cheapest = np.where(v < hi, g, np.inf).min(axis=1)
        dearest = np.where(v > lo, g, -np.inf).max(axis=1)
        b = np.where(
            count > 0, b, -0.5 * (cheapest + dearest)
        )  # nobody is free: the middle of what is allowed
        return v @ np.transpose(K) + b[:, None]

    def at_nu(self, nu):
        """The solution of nu_classification(K, t, nu), (7.38)-(7.41): a_n / C divided by N, where its mean is nu.

        nu lies between its value at C_max and twice the smaller class's share of the points. The margin rho is
        1 / (N C) for the C of the equivalent soft margin.
        """
        nu = real_number("nu", nu, above=0)
        least, most = 0.0 if self.separated else self.nu[-1], self.nu[0]
        if not least <= nu <= most * (1 + 1e-12):
            raise ValueError(
                f"nu must be at least {least:.4g}, its value at C_max = {self.C_max:g}, and at most {most:.4g}, twice "
                f"the smaller class's share, got {nu:g}."
            )
        u = self._between(self.nu, nu) if nu >= self.nu[-1] else self.u[-1] * (nu / self.nu[-1])
        return self._solution(nu_classification(self.gram, self.t, nu), u / len(self.t))

    def _between(self, values, value):
        """u where `values`, which fall from breakpoint to breakpoint, pass `value`."""
        k = np.searchsorted(-values, -value, side="right")  # the first breakpoint beyond
        if k == 0:
            return self.start
        if k == len(values):
            return self.u[-1]
        part = (values[k - 1] - value) / (values[k - 1] - values[k])
        return self.u[k - 1] + part * (self.u[k] - self.u[k - 1])

    def _solution(self, problem, v):
        onto_walls(problem, v, near=1e-12 * np.abs(v).max())  # interpolation leaves rounding errors
        return conclude(problem, v, gradient(problem, v), n_iter=0, converged=True)


def c_path(K, t, C_max):
    """The solutions of soft_margin(K, t, C) for all C in (0, C_max], exactly.

    Parameters: K (N, N) Gram matrix, positive semi-definite; t (N,) labels -1 and +1; C_max > 0.
    Returns: Path. Takes O(N) events as a rule, each O(N |E| + |E|^2), and as many rows of N numbers of memory: made
    for N up to some hundreds. Warns if it has to stop short of C_max, and raises Impossible if it cannot even begin; a
    ValueError of its own if that is because K is not positive semi-definite.

    >>> from sparsekm_edu import datasets
    >>> from sparsekm_edu.solvers import c_path, smo, soft_margin
    >>> X, t = datasets.separable()
    >>> path = c_path(X @ X.T, t, C_max=10.0)
    >>> for C in 0.1, 0.5:
    ...     print(path.at(C).support, smo(soft_margin(X @ X.T, t, C)).support)
    [ 2  4  5  6 12 14 15 18] [ 2  4  5  6 12 14 15 18]
    [ 4  5 15 18] [ 4  5 15 18]
    """
    C_max = real_number("C_max", C_max, above=0)
    problem = soft_margin(K, t, C_max)
    t = problem.target
    K, size = _shifted(problem.gram)  # 1/2 u'Ku is now in units of size, and so is lambda
    lam_end = 1 / (C_max * size)
    u, elbow, status = _limit_of_small_C(K, t)
    if status != ARRIVED:
        reason = _reason(problem.gram, status)
        raise Impossible(f"the limit C -> 0, where the path begins, was not found, as {reason}")
    y = K @ u
    plus, minus = np.where(u > 0, y, -np.inf), np.where(u < 0, y, np.inf)
    lam = 0.5 * (plus.max() - minus.min())  # where the foremost points of both classes are on their margins
    if lam <= lam_end:
        return Path(problem.gram, t, u, np.array([C_max]), u[None], np.zeros((1, len(t)), dtype=bool), False)
    if len(elbow) == 1:
        elbow = np.array([plus.argmax()])
    walls = np.minimum(t, 0.0), np.maximum(t, 0.0)
    walk = _walk(K, t, *walls, u, elbow, lam, lam_end)
    C = 1 / (walk.lams * size)
    separated = False
    if walk.status == ARRIVED:
        C[-1] = C_max
        separated = not walk.us[-1][~walk.elbows[-1]].any()  # nobody is within the margin
    else:
        _warn_stopped(C[-1], C_max, _reason(problem.gram, walk.status))
    last = max(1, len(C) - separated)  # from the last event on nothing changes
    return Path(problem.gram, t, u, C[:last], walk.us[:last], walk.elbows[:last], separated)


def _shifted(gram):
    """K with constants added to its rows and columns, which sum u = 0 allows, and in units of its size; the size.

    K is centred, to lose fewer digits, and then its largest diagonal entry is added to all entries. That makes K_EE
    invertible for affinely independent points, so that one Cholesky factor serves the bordered system.
    """
    K, diagonal = gram.matrix(), gram.diagonal
    means = K.mean(axis=0)
    size = np.max(diagonal - 2.0 * means) + means.mean()
    size = max(size, 1e-10 * diagonal.max(), 1e-100)  # constant K, K = 0
    shift = means - 0.5 * (means.mean() + size)
    K = K - shift
    K -= shift[:, None]
    K /= size
    return K, size


def _reason(gram, status):
    """Why a walk ended early, and what to do, in words. Raises ValueError if K is no Gram matrix."""
    K = gram.matrix()
    means = K.mean(axis=0)
    least = np.linalg.eigvalsh(K - means - means[:, None] + means.mean())[0]  # of v'Kv among v of sum 0
    if least < -ROUNDED * len(K) * np.abs(K).max():
        raise ValueError(
            f"K must be positive semi-definite, but v'Kv = {least:.3g} for some v of length 1 and sum 0: on this K the "
            "soft margin has no unique path."
        )
    met = (
        "rounding errors hide the next event"
        if status == LOST
        else f"{MOST_EVENTS} events per point are not enough"
    )
    return (
        f"{met}. Centred or scaled features, or a narrower kernel, may help; smo solves for one C at a time."
    )


def _warn_stopped(C, C_max, reason):
    from sklearn.exceptions import ConvergenceWarning  # here, because importing sklearn takes half a second

    warn(f"the path stops at C = {C:g}, short of C_max = {C_max:g}, as {reason}", ConvergenceWarning)
