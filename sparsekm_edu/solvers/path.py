"""The whole regularisation path of the soft margin: the solution for every C, from a finite number of events.

Write lambda = 1/C and u_n = v_n / C = t_n a_n / C. Divided by C^2, the dual problem (7.32)-(7.34) is

    minimise    1/2 u' K u - lambda t' u
    subject to  u_n between 0 and t_n,   sum_n u_n = 0,

so C has left the box and stands in the linear term alone. Each point is in one of three places: left of its
margin (a_n = C, u_n = t_n), right of it (u_n = 0), or on it, in the *elbow* E, where t_n y(x_n) = 1. While nobody
changes place, the elbow points obey one small linear system,

    K_EE u_E + beta = lambda t_E - (what the points on the left contribute),   sum_n u_n = 0,   beta = b lambda,

whose right-hand side is linear in lambda. So u and beta are linear in lambda, and the next *event* is found by
dividing: a u_n of the elbow reaches a wall and the point leaves, or a point outside reaches its margin and enters.
We walk from event to event, from large lambda (small C) downwards (Hastie, Rosset, Tibshirani and Zhu, 2004).

*The start.* For C -> 0 every point of the smaller class has a_n = C, and the larger class shares the same sum out
so that u'Ku is least: the nu-SVM (7.38)-(7.41) with the largest feasible nu. This start is the end of another path of the same
kind. We put whole points of the larger class at the wall, the most promising ones, invent a linear term for which that
is optimal, and let the invention fade to zero.

*Degenerate data.* The elbow never becomes empty: its last point keeps its place with u_n at a wall, and holds one end of
the interval in which b may lie. A point that lies in the affine hull of the elbow (a duplicate; a fourth point of
the margin lines in the plane) would make the system singular: it changes places with an elbow point instead.
Events may coincide; then they happen one after the other, at the same C.
"""

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sparsekm_edu.solvers.dual import conclude, gradient, nu_classification, soft_margin
from sparsekm_edu.solvers.gram import Gram
from sparsekm_edu.validation import real_number

try:
    from numba import njit
except ImportError:  # everything works without numba, only slower

    def njit(function=None, **_):
        return function if function else njit


REFRESH = 64  # events after which all that was updated is computed afresh
DEPENDENT = 1e-14  # a squared distance from the elbow's affine hull below this part of K_nn is rounding error
MOST_EVENTS = 64  # per point; three are usual
STANDSTILL = 1e-13  # a rate below this, relative to the sum it is the result of, is rounding error too
WALKING, ARRIVED, INDEFINITE = 0, 1, 2


def _jit(function):
    """Compile and keep the machine code on disk; where no place on disk can be found, only compile."""
    try:
        return njit(cache=True)(function)
    except RuntimeError:
        return njit(function)


@_jit
def _append(K, r, elbow, k, U, W):
    """Extend U'U = K_EE and W = U'^-1 [1, r_E] by the point elbow[k]; return its squared distance from the rest."""
    n = elbow[k]
    z = np.empty(k)
    for j in range(k):
        z[j] = K[n, elbow[j]]
    for j in range(k):
        z[j] /= U[j, j]
        z[j + 1 :] -= z[j] * U[j, j + 1 : k]
    distance2 = K[n, n] - np.dot(z, z)
    U[:k, k] = z
    U[k, k] = np.sqrt(max(distance2, DEPENDENT * K[n, n]))
    W[0, k] = (1.0 - np.dot(z, W[0, :k])) / U[k, k]
    W[1, k] = (r[n] - np.dot(z, W[1, :k])) / U[k, k]
    return distance2


@_jit
def _remove(k, i, U, W):
    """Update U and W for an elbow of k points that loses its i-th: k - 1 - i Givens rotations."""
    for j in range(k):
        U[j, i : k - 1] = U[j, i + 1 : k]
    for j in range(i, k - 1):
        radius = np.hypot(U[j, j], U[j + 1, j])
        c, s = U[j, j] / radius, U[j + 1, j] / radius
        for m in range(j, k - 1):
            U[j, m], U[j + 1, m] = c * U[j, m] + s * U[j + 1, m], c * U[j + 1, m] - s * U[j, m]
        for m in range(2):
            W[m, j], W[m, j + 1] = c * W[m, j] + s * W[m, j + 1], c * W[m, j + 1] - s * W[m, j]


@_jit
def _back_substitute(U, x):
    """Solve U x = x in place, for the len(x) first rows and columns of U."""
    for i in range(len(x) - 1, -1, -1):
        x[i] = (x[i] - np.dot(U[i, i + 1 : len(x)], x[i + 1 :])) / U[i, i]


@_jit
def _first_wall(u, lo, hi, elbow, q, slowest, farthest):
    """u_E falls at the rates q: who is first at a wall (-1: nobody before `farthest`), and how far is it?"""
    first = -1
    for i in range(len(q)):
        n = elbow[i]
        wall = hi[n] if q[i] < 0.0 else lo[n]
        if abs(q[i]) > slowest and (u[n] - wall) / q[i] < farthest:
            first, farthest = i, max(0.0, (u[n] - wall) / q[i])
    return first, farthest


@_jit
def _follow(K, r, lo, hi, u, side, elbow, k, lam, lam_end, rows, lams, us, elbows, U, W):
    """Follow the minimum of 1/2 u'Ku - lam r'u within lo <= u <= hi, sum u = 0, from lam down to lam_end.

    K must have been shifted by constants so that it is positive definite on independent points. u (N,), side (N,)
    (+1: u_n at hi, -1: at lo, 0: in the elbow, or not taking part) and elbow (N + 1,), whose first k entries are the
    elbow, change in place; what stands after each event goes to row after row of lams, us and elbows. U, W: scratch.
    Takes REFRESH events at most. Returns k, lam, the number of rows and a status.
    """
    g = -lam * r
    for n in range(len(u)):
        if u[n] != 0.0:
            g += u[n] * K[n]
    for i in range(k):
        _append(K, r, elbow, i, U, W)
    g -= np.mean(g[elbow[:k]])  # now g = lambda (y - r): 0 in the elbow, <= 0 at hi, >= 0 at lo
    dg = np.empty(len(u))

    for _ in range(REFRESH):
        # Who moves, and how fast: u_E falls at the rate q and g at the rate dg as lambda falls.
        slope = np.dot(W[0, :k], W[1, :k]) / np.dot(W[0, :k], W[0, :k])
        q = W[1, :k] - slope * W[0, :k] if k > 1 else np.zeros(1)
        _back_substitute(U, q)
        dg[:] = slope - r
        size = 1.0
        for i in range(k):
            size += abs(q[i]) * K[elbow[i], elbow[i]]
            dg += q[i] * K[elbow[i]]

        # The first event: a point of the elbow reaches a wall, or one outside reaches its margin.
        leaving, d = _first_wall(u, lo, hi, elbow, q, STANDSTILL, lam - lam_end)
        entering = -1
        for n in range(len(u)):
            rate = side[n] * dg[n]
            if rate < -STANDSTILL * size and side[n] * g[n] > d * rate:
                entering, d = n, max(0.0, g[n] / dg[n])

        lam = lam_end if leaving < 0 and entering < 0 else lam - d
        g -= d * dg
        for i in range(k):
            n = elbow[i]
            u[n] = min(max(u[n] - d * q[i], lo[n]), hi[n])
        status = WALKING if leaving >= 0 or entering >= 0 else ARRIVED
        exchanged = False
        if entering >= 0:
            leaving = -1
            elbow[k] = entering
            distance2 = _append(K, r, elbow, k, U, W)
            if distance2 < -1e-8 * K[entering, entering]:
                return k, lam, rows, INDEFINITE
            if distance2 > DEPENDENT * K[entering, entering]:
                side[entering] = 0.0
                k += 1
            else:
                # It lies in the elbow's affine hull. Moving inwards it can be balanced by the others, without any
                # effect on y, until somebody is at a wall.
                exchanged = True
                q = side[entering] * -U[:k, k]
                _back_substitute(U, q)
                leaving, d = _first_wall(u, lo, hi, elbow, q, 1e-10, 1.0)
                for i in range(k):
                    n = elbow[i]
                    u[n] = min(max(u[n] - d * q[i], lo[n]), hi[n])
                u[entering] -= d * side[entering]
                if leaving < 0:
                    side[entering] = -side[entering]
                else:
                    side[entering] = 0.0
                    k += 1
        if leaving >= 0:
            n = elbow[leaving]
            side[n] = 1.0 if q[leaving] < 0.0 else -1.0
            u[n] = hi[n] if q[leaving] < 0.0 else lo[n]
            if not exchanged:
                _remove(k, leaving, U, W)
            elbow[leaving : k - 1] = elbow[leaving + 1 : k]
            k -= 1
            if k == 1:
                u[elbow[0]] = np.round(u[elbow[0]])  # sum u = 0 leaves it no other place than a wall
        if lam < lams[rows - 1] * (1.0 - 1e-14):
            rows += 1
        lams[rows - 1] = lam
        us[rows - 1] = u
        elbows[rows - 1] = side == 0.0
        if status == ARRIVED or exchanged:
            return k, lam, rows, status
    return k, lam, rows, WALKING


def _walk(K, r, lo, hi, u, elbow, lam, lam_end):
    """All events of _follow, from lam down to lam_end.

    Parameters: K (N, N), r, lo, hi, u (N,); elbow, indices of the elbow at the start.
    Returns: lams (B,), us (B, N), elbows (B, N) bool, the indices of the last elbow, and whether lam_end was reached.
    """
    N, k = len(u), len(elbow)
    elbow = np.append(elbow, np.zeros(N + 1 - k, dtype=int))
    side = np.where(u == hi, 1.0, -1.0)
    side[lo == hi] = side[elbow[:k]] = 0.0
    u = u.copy()
    room = 4 * N + 2 * REFRESH
    table = np.empty(room), np.empty((room, N)), np.empty((room, N), dtype=bool)
    table[0][0], table[1][0], table[2][0] = lam, u, side == 0
    scratch = np.empty((N + 1, N + 1)), np.empty((2, N + 1))
    rows, status = 1, WALKING
    for _ in range(MOST_EVENTS * (N + 10) // REFRESH):
        k, lam, rows, status = _follow(K, r, lo, hi, u, side, elbow, k, lam, lam_end, rows, *table, *scratch)
        if status != WALKING:
            break
        if rows + REFRESH > len(table[0]):
            table = [np.concatenate([part, np.empty_like(part)]) for part in table]
    if status == INDEFINITE:
        raise ValueError("K must be positive semi-definite: on this K the soft margin has no unique path.")
    return *(part[:rows] for part in table), elbow[:k], status == ARRIVED


def _limit_of_small_C(K, t):
    """Where the path begins, C -> 0: u (N,) and the indices of the elbow; see `The start` above."""
    larger = 1.0 if t.sum() > 0 else -1.0
    crowd = np.flatnonzero(t == larger)
    few = len(t) - len(crowd)
    if few == len(crowd):
        return t.copy(), np.array([0])
    even = np.where(t == larger, larger * few / len(crowd), t)
    by_depth = crowd[
        np.argsort(larger * (K @ even)[crowd], kind="stable")
    ]  # from the other class's side inwards
    u = t.copy()
    u[by_depth[few:]] = 0.0
    y = K @ u
    g = y - 0.5 * (y[by_depth[few - 1]] + y[by_depth[few]])
    invented = np.zeros(len(t))
    # with this linear term g = +-margin, with the sign that makes u optimal; and 0 for the elbow's only point
    margin = np.abs(g[crowd]).max()
    invented[crowd] = g[crowd] - larger * margin * np.where(u[crowd] == 0, 1.0, -1.0)
    elbow = by_depth[few - 1 : few]
    invented[elbow] = g[elbow]
    size = np.abs(invented).max() or 1.0
    lo = np.where(t == larger, np.minimum(t, 0.0), t)
    hi = np.where(t == larger, np.maximum(t, 0.0), t)
    _, us, _, elbow, _ = _walk(K, invented / size, lo, hi, u, elbow, size, 0.0)
    return us[-1], elbow


@dataclass(frozen=True, eq=False)
class Path:
    """The solutions of a soft margin for every C up to C_max; between breakpoints a_n / C is linear in 1/C.

    gram, t (N,): the problem. C (B,): the breakpoints, rising. u (B, N): v_n / C = t_n a_n / C at each of them.
    elbow (B, N) bool: who is on the margin from this breakpoint to the next. separated: true if from the last
    breakpoint on no point is within the margin; then that solution is the hard margin, and stays for all larger C.
    """

    gram: Gram
    t: np.ndarray
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
        if C >= self.C[-1]:
            v = self.C[-1] * self.u[-1]
        else:
            v = C * self._between(1.0 / self.C, 1.0 / C)
        return self._solution(soft_margin(self.gram, self.t, C), v)

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
        """u where `values`, which fall from breakpoint to breakpoint, pass `value`; before the first u is constant."""
        k = np.searchsorted(-values, -value, side="right")  # the first breakpoint beyond
        if k == 0:
            return self.u[0]
        if k == len(values):
            return self.u[-1]
        part = (values[k - 1] - value) / (values[k - 1] - values[k])
        return self.u[k - 1] + part * (self.u[k] - self.u[k - 1])

    def _solution(self, problem, v):
        return conclude(problem, v, gradient(problem, v), n_iter=0, converged=True)


def c_path(K, t, C_max):
    """The solutions of soft_margin(K, t, C) for all C in (0, C_max], exactly.

    Parameters: K (N, N) Gram matrix, positive semi-definite; t (N,) labels -1 and +1; C_max > 0.
    Returns: Path. Takes O(N) events as a rule, each O(N |E| + |E|^2), and as many rows of N numbers of memory: made
    for N up to some hundreds. Warns if it has to stop short of C_max.
    """
    C_max = real_number("C_max", C_max, above=0)
    problem = soft_margin(K, t, C_max)
    t = problem.target
    # sum u = 0 lets us add constants to rows and columns of K: centred, it loses fewer digits, and with the largest diagonal
    # entry on top K_EE is invertible even though sum u_E is not free
    means = problem.K.mean(axis=0)
    diagonal = problem.gram.diagonal
    top = max(np.max(diagonal - 2.0 * means) + means.mean(), 1e-10 * diagonal.max(), 1e-100)
    shift = means - 0.5 * (means.mean() + top)
    shifted = problem.K - shift - shift[:, None]

    u, elbow = _limit_of_small_C(shifted, t)
    y = shifted @ u
    positive, negative = np.where(u > 0, y, -np.inf), np.where(u < 0, y, np.inf)
    lam = 0.5 * (
        positive.max() - negative.min()
    )  # here the margins of the two classes' outermost points meet
    if lam <= 1 / C_max:
        return Path(problem.gram, t, np.array([C_max]), u[None], np.zeros((1, len(t)), dtype=bool), False)
    if len(elbow) == 1:
        elbow = np.array([positive.argmax()])
    walls = np.minimum(t, 0.0), np.maximum(t, 0.0)
    lams, us, elbows, _, arrived = _walk(shifted, t, *walls, u, elbow, lam, 1 / C_max)
    if not arrived:
        _warn_stopped(1 / lams[-1], C_max)
    separated = arrived and not us[-1][~elbows[-1]].any()  # all that is left at C_max is on the margin
    last = len(lams) - separated  # from the last event on nothing changes: no breakpoint at C_max
    return Path(problem.gram, t, 1 / lams[:last], us[:last], elbows[:last], separated)


def _warn_stopped(C, C_max):
    from sklearn.exceptions import ConvergenceWarning  # here, because importing sklearn takes half a second

    warnings.warn(
        f"the path stops at C = {C:g}, short of C_max = {C_max:g}, after {MOST_EVENTS} events per point.",
        ConvergenceWarning,
        stacklevel=3,
    )
