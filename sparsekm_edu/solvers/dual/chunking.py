"""Chunking and decomposition: a large dual problem as a sequence of small ones.

A general-purpose solver needs the whole Gram matrix, N^2 numbers, and a time that grows like N^3. But most variables
end at 0. Both methods below solve the problem on a small *working set* W and hold all other variables R where they are:

    minimise    1/2 v_W' K_WW v_W - (target_W - K_WR v_R)' v_W + epsilon sum_{n in W} |v_n|
    subject to  lo_W <= v_W <= hi_W,   the sum of v_W in each group as it is now

This is a `DualProblem` again, and any solver will do. (Vapnik and Osuna had general-purpose ones; we take the loop of
smo.py, which with some hundred variables is done in milliseconds.) Then we look for variables that violate their KKT
conditions, let the worst of them into the working set, and go on until there are none. The two methods differ in who
leaves:

    chunking (Vapnik, 1982)               whoever has v_n = 0; the working set grows with the support vectors
    decomposition (Osuna et al., 1997)    as many as come in; the working set never exceeds a fixed size

Each sub-problem raises the dual value, so neither can go round in circles. SMO (smo.py) is decomposition with two
variables, where the sub-problem has a closed form.

What they need of K are the rows of those who move: K_WW for the sub-problem, and K_nW for the gradient of everybody
else. With a `Gram` that computes its rows on demand the memory is that of the rows kept, and decomposition can do with
few: 20 000 points, of which 8000 are support vectors, within 1 GB, where all of K has 3.2 GB.
"""

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from sparsekm_edu.solvers.dual.gram import Gram
from sparsekm_edu.solvers.dual.problem import (
    DualProblem,
    DualSolution,
    conclude,
    dual_value,
    feasible,
    free_set,
    gradient,
    inseparable,
    onto_walls,
    optimality_gap,
    slopes,
    warn_not_converged,
)
from sparsekm_edu.solvers.dual.smo import FINE, SMOState, improve, largest_value, warn_if_indefinite
from sparsekm_edu.validation import real_number, whole_number

FEWEST, MOST = 50, 1000  # variables that come in or move at a time, unless told otherwise
PRECISION = 0.01  # to which part of the KKT gap a sub-problem is solved: the next one changes it again
MOST_STEPS = 10_000  # pair steps in a sub-problem: on a hard margin that does not exist they would never end


@dataclass(frozen=True, eq=False)
class ChunkingStep:
    """One sub-problem solved: on which working set, and where that led.

    working (W,), indices of the variables that could move (none in the first step, which is the start); v (N,), its
    gradient g (N,), objective and KKT gap after the step; kernel_entries, how many different ones were needed so far;
    n_iter sub-problems so far.
    """

    working: np.ndarray
    v: np.ndarray
    g: np.ndarray
    objective: float
    gap: float
    kernel_entries: int
    n_iter: int


@dataclass(frozen=True, eq=False, repr=False)
class ChunkingSolution(DualSolution):
    """A DualSolution that also knows how many entries of K were needed to find it."""

    kernel_entries: int = 0


def chunking(problem, tol=1e-3, max_iter=1_000, size=None):
    """Solve a dual problem by chunking: solve on a chunk, keep its support vectors, add the worst violators, repeat.

    Parameters: problem, a DualProblem; tol > 0, the KKT gap to reach; max_iter sub-problems at most; size, how many
    violators come in at a time, at least 2 for each group; None means a twentieth of the variables, but no fewer than
    50 and no more than 1000, nor than a Gram that computes rows on demand keeps of them.
    Returns: ChunkingSolution. Warns if tol was not reached. Raises ValueError if a hard margin does not exist.

    >>> from sparsekm_edu import datasets
    >>> from sparsekm_edu.solvers import chunking, soft_margin
    >>> X, t = datasets.separable()
    >>> solution = chunking(soft_margin(X @ X.T, t, C=10.0), size=6)
    >>> print(solution.support, "without seeing all of K:", solution.kernel_entries < len(X) ** 2)
    [ 4 15 18] without seeing all of K: True
    """
    return _last(problem, chunking_steps(problem, tol, max_iter, size), tol, max_iter)


def decomposition(problem, tol=1e-3, max_iter=10_000, size=None):
    """Solve a dual problem by decomposition: at most `size` variables move at a time, the worst violators among them.

    Parameters and result as for `chunking`; size is that of the working set, at least 2 for each group.
    Departs from Osuna et al. in who stays: half of the places go to violators, the others to free variables drawn
    at random (with a fixed seed), because only together can these reach their optimum. That saves up to four fifths
    of the sub-problems.
    """
    return _last(problem, decomposition_steps(problem, tol, max_iter, size), tol, max_iter)


def chunking_steps(problem, tol=1e-3, max_iter=1_000, size=None):
    """`chunking` one sub-problem at a time: yields a ChunkingStep for the start and for each sub-problem."""
    size = _size(problem, size)

    def next_chunk(step):
        return np.union1d(np.flatnonzero(step.v), _violators(problem, step, size))

    return _steps(problem, next_chunk, tol, max_iter)


def decomposition_steps(problem, tol=1e-3, max_iter=10_000, size=None):
    """`decomposition` one sub-problem at a time: yields a ChunkingStep for the start and for each sub-problem."""
    size = _size(problem, size)
    random = np.random.default_rng(0)

    def next_working_set(step):
        enter = _violators(problem, step, max(size // 2, 2 * len(problem.total)))
        others = np.setdiff1d(free_set(problem, step.v), enter)
        return np.union1d(enter, random.permutation(others)[: size - len(enter)])

    return _steps(problem, next_working_set, tol, max_iter)


def _size(problem, size):
    """The size asked for, or one that suits the problem; room for a pair in each group in any case."""
    least = 2 * len(problem.total)
    if size is None:
        size = min(max(len(problem.target) // 20, FEWEST), MOST, problem.gram.n_kept)
        return max(size, least)
    return whole_number("size", size, at_least=least)


def _steps(problem, next_working_set, tol, max_iter):
    """Both methods: solve on the next working set while the gap is above tol and there is something to gain."""
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    most, touched = largest_value(problem), np.zeros(len(problem.gram), dtype=bool)
    nobody, v = np.empty(0, dtype=int), _start(problem)
    step = _look(problem, nobody, v, gradient(problem, v), touched, 0)
    yield step
    for n_iter in range(1, max_iter + 1):
        if step.gap <= tol:
            return
        working = next_working_set(step)
        v = _solve_on(problem, working, step, max(0.1 * tol, PRECISION * step.gap))
        g = step.g + problem.times(v - step.v)  # takes the rows of those who moved
        trial = _look(problem, working, v, g, touched, n_iter)
        if trial.gap <= tol or not trial.objective > step.objective:  # no verdict by rounding errors
            trial = _look(problem, working, v, gradient(problem, v), touched, n_iter)
        if not trial.objective > step.objective:  # what is left to gain is below the sub-problem's precision
            return
        if trial.objective > most:
            raise inseparable(1.0 / np.sqrt(2.0 * trial.objective))
        step = trial
        yield step


def _start(problem):
    """A feasible v (N,), near 0, with no variable a rounding error away from its wall."""
    v = feasible(problem)
    onto_walls(problem, v, near=1e-13 * np.abs(v).max())
    return v


def _look(problem, working, v, g, touched, n_iter):
    """The ChunkingStep that led to v with gradient g; marks in `touched` (N,) the points whose rows of K that took."""
    touched[problem.point[working]] = True
    touched[problem.point[v != 0]] = True
    value, gap = dual_value(problem, v, g), optimality_gap(problem, v, g)
    return ChunkingStep(working, v, g, value, gap, int(touched.sum()) * len(touched), n_iter)


def _solve_on(problem, W, step, tol):
    """The variables (N,) after solving for those in W, from where the last step led, to a KKT gap of tol."""
    v, g, points = step.v, step.g, problem.point[W]
    K_WW = problem.gram.part(points, points)
    _, group = np.unique(problem.group[W], return_inverse=True)  # one group may have nobody in W
    part = DualProblem(
        Gram.of_matrix(K_WW),
        target=K_WW @ v[W] - g[W],  # = target_W - K_WR v_R
        lo=problem.lo[W],
        hi=problem.hi[W],
        epsilon=problem.epsilon,
        group=group,
        total=np.zeros(group.max() + 1),
    )
    part = replace(part, total=part.group_sums(v[W]))  # to the last digit, or v[W] would not be feasible
    state = SMOState.start(part, v[W])
    improve(state, MOST_STEPS, tol, FINE)
    state.refresh()
    warn_if_indefinite(state)
    moved = v.copy()
    moved[W] = state.v
    return moved


def _violators(problem, step, most):
    """Up to `most` variables that violate their KKT conditions worst, in equal shares for groups and directions.

    A pair (i, j) of one group gains by raising v_i and lowering v_j if g_i + rise_i < g_j + fall_j. Variables that
    gain with the best partner are violators.
    """
    rise, fall = slopes(problem, step.v)
    share = most // (2 * len(problem.total))
    found = []
    for k in range(len(problem.total)):
        members = np.flatnonzero(problem.group == k)
        cost, saving = (step.g + rise)[members], (step.g + fall)[members]
        risers = members[np.argsort(cost, kind="stable")[: min(share, np.sum(cost < saving.max()))]]
        fallers = members[np.argsort(-saving, kind="stable")[: min(share, np.sum(saving > cost.min()))]]
        found += [risers, fallers]
    return np.unique(np.concatenate(found))


def _last(problem, steps, tol, max_iter):
    """The solution at the last step, with a warning where it is due."""
    (last,) = deque(steps, maxlen=1)  # the others are not kept
    if last.gap > tol:
        warn_not_converged(problem, last.gap, tol, last.n_iter, max_iter)
    solution = conclude(problem, last.v, last.g, last.n_iter, converged=last.gap <= tol)
    return ChunkingSolution(**vars(solution), kernel_entries=last.kernel_entries)
