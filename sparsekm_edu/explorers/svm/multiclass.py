"""Explorers of many classes: where binary machines leave a class open, and where two strategies disagree."""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import CLOSE, SQUARE, THREE_CLASSES
from sparsekm_edu.figures.svm.multiclass import Ambiguity, Disagreement
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.lessons import halfplanes, voting
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import certificate, log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.points import SHAPES, PointsExplorer
from sparsekm_edu.solvers import (
    interior_point,
    joint_kkt,
    kkt,
    lee,
    smo,
    soft_margin,
    weston_watkins,
)
from sparsekm_edu.validation import Impossible

WINDOW = halfplanes.corners(SQUARE)
WHOLE = halfplanes.area(WINDOW)
PAIRS = list(combinations(range(3), 2))


def rest_tasks(t):
    """One versus the rest: for each machine the points it learns from, (N,) bool, and which of them are positive."""
    return [(np.ones(len(t), bool), t == k) for k in range(3)]


def pair_tasks(t):
    """One versus one, in the same form: positive is the second class of the pair."""
    return [(np.isin(t, (i, j)), t == j) for i, j in PAIRS]


def train(K, tasks, C):
    """Binary machines that read one Gram matrix (N, N) -> V (3, N), b (3,), and the largest KKT violation.

    Estimators would check and copy the data for each machine; that takes longer than to solve for it.
    """
    V, b, violation = np.zeros((3, len(K))), np.zeros(3), 0.0
    for k, (used, positive) in enumerate(tasks):
        problem = soft_margin(K[np.ix_(used, used)], np.where(positive[used], 1.0, -1.0), C)
        solution = smo(problem)
        V[k, used], b[k] = solution.v, solution.b
        violation = max(violation, kkt(problem, solution).violation)
    return V, b, violation


# ---- figure 14.14 ---------------------------------------------------------------------------------------
def straight_lines(X, t, C):
    """The linear machines, (W (3, 2), b (3,)), of one versus the rest, and then those of one versus one."""
    trained = [train(X @ X.T, tasks, C) for tasks in (rest_tasks(t), pair_tasks(t))]
    return [(V @ X, b) for V, b, _ in trained]  # (7.29)


@dataclass(frozen=True, eq=False)
class AmbiguityState:
    """C of the linear machines; spread of the clouds around the means; settle: apply (7.49) and its like?"""

    C: float = 10.0
    spread: float = 0.45
    settle: bool = False
    means: tuple = datasets.AMBIGUOUS_MEANS
    drawn: int = 14  # seed of the clouds


@dataclass(frozen=True, eq=False)
class AmbiguityPicture(Picture):
    """X, t; for one versus the rest and one versus one: lines, regions and settled regions."""

    X: np.ndarray
    t: np.ndarray
    lines: list
    regions: list
    decided: list


class AmbiguityExplorer(Explorer):
    """Figure 14.14: drag the three class means; ambiguous regions grow and shrink."""

    title = "Ambiguous regions"
    State = AmbiguityState
    View = Ambiguity
    panels = {"ncols": 2}
    size = 7.6, 4.1

    def make_controls(self):
        return {
            "C": log_slider("C", 0.01, 1000.0),
            "spread": slider("spread", 0.1, 1.2, 0.05),
            "settle": widgets.Checkbox(description="settle by the largest output (7.49)", indent=False),
        }

    @staticmethod
    def compute(state):
        X, t = datasets.around(state.means, spread=state.spread, seed=state.drawn)
        rest, pairs = straight_lines(X, t, state.C)
        claims, votes = halfplanes.claims(*rest, SQUARE), halfplanes.most_votes(*pairs, SQUARE, K=3)
        by_output = halfplanes.largest_output(*rest, WINDOW)
        sums = halfplanes.pair_sums(*pairs, K=3)
        by_sum = [
            part
            for tied in votes
            if tied.ambiguous
            for part in halfplanes.largest_output(*sums, tied.polygon)
        ]
        nobody, several = (halfplanes.ambiguous_area(claims, crowd) for crowd in (False, True))
        tied = halfplanes.ambiguous_area(votes)
        left_over = halfplanes.ambiguous_area(by_output)
        errors = np.sum((X @ rest[0].T + rest[1]).argmax(axis=1) != t)
        beaten = np.sum(voting.most_votes((X @ pairs[0].T + pairs[1]).T, K=3) != t)
        widths = [f"{1 / norm:.2f}" if norm > 1e-6 else "∞" for norm in np.linalg.norm(rest[0], axis=1)]
        facts = {
            "nobody claims": share(nobody),
            "two or three claim": share(several),
            "votes tied": share(tied),
            "left by (7.49)": share(left_over),
            "errors with (7.49)": f"{errors} of {len(t)}",
            "errors of the votes": f"{beaten} of {len(t)}",
            "margins 1/|wₖ|": " ".join(widths),
        }
        description = (
            f"Left, {nobody / WHOLE:.1%} of the picture is claimed by no class and {several / WHOLE:.1%} by two or "
            f"three; right, {tied / WHOLE:.1%} gets one vote for each class."
        )
        decided = [by_output, by_sum] if state.settle else [[], []]
        return AmbiguityPicture(facts, description, X, t, [rest, pairs], [claims, votes], decided)

    def draw(self, view, state, picture):
        view.update(picture.X, picture.t, state.means, picture.lines, picture.regions, picture.decided)

    def handles(self, view, state):
        looks = [
            (getattr(self.figure.palette, role), SHAPES[mark][0]) for role, mark in THREE_CLASSES.values()
        ]
        return [
            Handle(("mean", k), ax, *mean, *looks[k])
            for ax in view.axes
            for k, mean in enumerate(state.means)
        ]

    def moved(self, state, name, x, y):
        _, moving = name
        return {"means": tuple((x, y) if k == moving else mean for k, mean in enumerate(state.means))}

    def make_buttons(self):
        return [
            self.button(
                "Draw again", "new points around the same means", lambda: self.set(drawn=self.state.drawn + 1)
            )
        ]


def share(area):
    """An area and its part of the picture."""
    return f"{area:.2f} ({area / WHOLE:.0%})"


ambiguity = factory("ambiguity", AmbiguityExplorer)


# ---- two strategies side by side ------------------------------------------------------------------------
GRID = grid_over(CLOSE, 90)
SHAPE = len(GRID[1]), len(GRID[0])
FIRST_X, FIRST_T = datasets.three_classes(n=60)
SPLITS = 2.0 * np.eye(3) - 1.0  # the only ways to split three classes in two: each against the other two


class Machines:
    """The machines that the strategies need, each trained when first asked for: two strategies may share them.

    Every property holds what three functions say on GRID and then at the points themselves, (3, H W + N).
    """

    def __init__(self, X, t, C, gamma):
        self.X, self.t, self.C, self.kernel = X, t, C, Gaussian(gamma=gamma)
        self.K = self.kernel(X)
        self.violation = 0.0  # of the KKT conditions, the largest so far

    def _outputs(self, V, b):
        """sum_n v_n k(x, x_n) + b for each row of V (3, N) and entry of b (3,)."""
        on_grid = [self.kernel.on_grid(*GRID, self.X, v).ravel() for v in V]
        return np.hstack([on_grid, V @ self.K]) + np.reshape(b, (3, 1))

    def _binary(self, tasks):
        V, b, violation = train(self.K, tasks, self.C)
        self.violation = max(self.violation, violation)
        return self._outputs(V, b)

    @cached_property
    def rest(self):
        """Each class against all others."""
        return self._binary(rest_tasks(self.t))

    @cached_property
    def pairs(self):
        """Each pair of classes, positive for the second."""
        return self._binary(pair_tasks(self.t))

    @cached_property
    def weston_watkins(self):
        """All classes in one problem."""
        return self._joint(weston_watkins)

    @cached_property
    def lee(self):
        """All classes in one problem."""
        return self._joint(lee)

    def _joint(self, formulation):
        problem = formulation(self.K, self.t.astype(int), self.C)
        solution = interior_point(problem)
        self.violation = max(self.violation, joint_kkt(problem, solution).violation)
        return self._outputs(solution.v.T, solution.b)


# name -> (classes from the machines, optimisation problems solved, functions evaluated at a new point)
STRATEGIES = {
    "one versus the rest": (lambda m: voting.largest(m.rest), 3, 3),
    "output code": (lambda m: voting.nearest_codeword(m.rest, SPLITS), 3, 3),
    "one versus one, votes": (lambda m: voting.most_votes(m.pairs, 3), 3, 3),
    "DAGSVM": (lambda m: voting.tournament(m.pairs, 3), 3, 2),
    "Weston & Watkins": (lambda m: voting.largest(m.weston_watkins), 1, 3),
    "Lee, Lin & Wahba": (lambda m: voting.largest(m.lee), 1, 3),
}


@dataclass(frozen=True, eq=False)
class MulticlassState:
    """left, right: names of STRATEGIES; C and gamma of all machines; X, t: the data."""

    left: str = "one versus the rest"
    right: str = "one versus one, votes"
    C: float = 1.0
    gamma: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class MulticlassPicture(Picture):
    """labels: the classes on GRID by the two strategies, (2, H, W)."""

    labels: np.ndarray


class MulticlassExplorer(PointsExplorer):
    """Choose two of six strategies, move C, gamma and points: where do they disagree?"""

    title = "Two strategies for three classes"
    State = MulticlassState
    View = Disagreement
    panels = {"ncols": 2}
    source = staticmethod(lambda seed: datasets.three_classes(n=60, seed=seed))
    classes = THREE_CLASSES
    most_points = 90
    size = 7.6, 4.1

    def points_axes(self, view):
        return view.axes

    def make_controls(self):
        return {
            "left": widgets.Dropdown(description="left", options=list(STRATEGIES)),
            "right": widgets.Dropdown(description="right", options=list(STRATEGIES)),
            "C": log_slider("C", 0.01, 1000.0),
            "gamma": log_slider("γ", 0.05, 20.0),
        }

    @staticmethod
    def compute(state):
        if len(set(state.t)) < 3:
            raise Impossible("each of the three classes needs at least one point; add one")
        machines = Machines(state.X, state.t, state.C, state.gamma)
        chosen = [STRATEGIES[name] for name in (state.left, state.right)]
        both = np.array([decide(machines) for decide, *_ in chosen])
        cells = SHAPE[0] * SHAPE[1]
        labels, at_points = both[:, :cells].reshape(2, *SHAPE), both[:, cells:]
        disputed = np.mean(labels[0] != labels[1])
        errors = [int(np.sum(own != state.t)) for own in at_points]
        facts = {
            "they disagree on": f"{disputed:.2%} of area",
            "points in dispute": f"{np.sum(at_points[0] != at_points[1])} of {len(state.t)}",
            "errors, left | right": f"{errors[0]} | {errors[1]}",
            "problems solved": " | ".join(str(solved) for _, solved, _ in chosen),
            "asked per new point": " | ".join(str(asked) for *_, asked in chosen),
            "KKT violation": certificate(machines.violation),
        }
        description = (
            f"{state.left} (left, {errors[0]} training errors) and {state.right} (right, {errors[1]}) disagree on "
            f"{disputed:.2%} of the picture."
        )
        return MulticlassPicture(facts, description, labels)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, GRID, picture.labels, (state.left, state.right))

    def draw_stale(self, view, state):
        for side in view.sides:
            side.points.update(state.X, state.t)


multiclass = factory("multiclass", MulticlassExplorer)
