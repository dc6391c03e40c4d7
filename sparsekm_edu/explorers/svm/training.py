"""Explorers of training: SMO step by step, and the path over all C."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import WIDE, two_above_one
from sparsekm_edu.figures.svm.training import (
    LEAST_C,
    LONGEST,
    MOST_C,
    PairStep,
    WholePath,
    breakpoints,
    describe_path,
    describe_step,
)
from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.live.controls import certificate, four, log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.player import Player
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.solvers import DualProblem, DualSolution, Path, c_path, kkt, smo, smo_steps, soft_margin
from sparsekm_edu.solvers.dual.problem import conclude, gradient, optimality_gap

KERNEL = Gaussian(gamma=0.5)
GRID = grid_over(WIDE)
ROUNDING = 1e-12  # of the dual value


# ---- SMO -------------------------------------------------------------------------------------------------


FEW_X, FEW_T = datasets.overlapping(24)  # few, so that every step can be followed


@dataclass(frozen=True, eq=False)
class SMOState:
    """step: how many were taken; rule: how pairs are chosen; C; X, t: the data."""

    step: int = 5
    rule: str = "second-order"
    C: float = 2.0
    X: np.ndarray = field(default_factory=lambda: FEW_X)
    t: np.ndarray = field(default_factory=lambda: FEW_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class SMOPicture(Picture):
    """problem: a DualProblem; steps: SMOSteps from the start on; best: the largest dual value; Y: y(x) on GRID."""

    problem: DualProblem
    steps: list
    best: float
    Y: np.ndarray


@remembered(maxsize=16)
def _run(X, t, C, rule):
    """The problem, all steps of SMO on it, and the largest dual value, by the solver that polishes."""
    need_both_classes(t)
    problem = soft_margin(KERNEL(X, X), t, C)
    return problem, list(smo_steps(problem, rule=rule, max_iter=LONGEST)), smo(problem).objective


def run_of(state):
    """What depends on everything but the step: computed once, so that going back is exact."""
    return _run(state.X, state.t, state.C, state.rule)


class SMOExplorer(Player, PointsExplorer):
    """Play Platt's algorithm: the pair, its box, the boundary, and what is left to gain."""

    title = "Sequential minimal optimisation"
    State = SMOState
    source = staticmethod(lambda seed: datasets.overlapping(24, seed))
    size = 7.6, 4.3
    most_points = 60

    def make_view(self, sheet):
        return PairStep(*two_above_one(sheet))

    def make_controls(self):
        rules = [("second order", "second-order"), ("first order", "first-order"), ("random", "random")]
        return {
            **super().make_controls(),
            "rule": widgets.Dropdown(description="pair by", options=rules),
            "C": log_slider("C", 0.1, 30.0),
        }

    def last_step(self, state):
        return len(run_of(state)[1]) - 1

    @staticmethod
    def compute(state):
        problem, steps, best = run_of(state)
        k, t = state.step, state.t
        v = steps[k].v
        g = gradient(problem, v)
        now = conclude(problem, v, g, n_iter=k, converged=False)
        values = np.array([step.objective for step in steps[: k + 1]])
        falls = int(np.sum(np.diff(values) < -ROUNDING * values[1:]))
        facts = {
            "step": f"{k} of {len(steps) - 1}",
            **(moves(steps[k], t, state.C) if k else dict.fromkeys(MOVES, "no step yet")),
            "L(a)": f"{now.objective:.4f}",
            "falls of L so far": f"{falls}",
            "L* − L(a)": four(best - now.objective),
            "KKT gap": four(optimality_gap(problem, v, g)),
        }
        Y = KERNEL.on_grid(*GRID, state.X, v) + now.b
        return SMOPicture(facts, describe_step(steps, k, t, state.C, best), problem, steps, best, Y)

    def draw(self, view, state, picture):
        view.update(state.X, picture.problem, picture.steps, state.step, picture.best, GRID, picture.Y)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])


MOVES = "pair i, j", "aᵢ", "aⱼ", "aᵢtᵢ + aⱼtⱼ", "stopped by"


def moves(step, t, C):
    """What a step did to its pair, in the book's multipliers."""
    i, j = step.pair
    before, after = np.abs(step.before), np.abs(step.optimum)
    walls = {0.0: "0", C: "C"} if step.step < step.unclipped else {}
    hit = [f"a{name} = {walls[a]}" for name, a in zip("ᵢⱼ", after.tolist(), strict=True) if a in walls]
    values = [
        f"{i}, {j}",
        f"{before[0]:.3f} → {after[0]:.3f}",
        f"{before[1]:.3f} → {after[1]:.3f}",
        f"stays {t[i] * after[0] + t[j] * after[1]:.3f}",
        ", ".join(hit) or "no wall",
    ]
    return dict(zip(MOVES, values, strict=True))


smo_player = factory("smo_player", SMOExplorer)


# ---- the path --------------------------------------------------------------------------------------------
KERNELS = {"Gaussian": KERNEL, "linear": Linear()}


FEWER_X, FEWER_T = datasets.overlapping(18, seed=8)  # so few that every curve can be followed


@dataclass(frozen=True, eq=False)
class PathState:
    """C: where to read the path; kernel: a name of KERNELS; X, t: the data."""

    C: float = 0.5
    kernel: str = "Gaussian"
    X: np.ndarray = field(default_factory=lambda: FEWER_X)
    t: np.ndarray = field(default_factory=lambda: FEWER_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class PathPicture(Picture):
    """path: all solutions, a Path; solution: the one for this C; Y: its y(x) on GRID."""

    path: Path
    solution: DualSolution
    Y: np.ndarray


@remembered(maxsize=16)
def _path(X, t, kernel):
    """The path depends on data and kernel only: the slider need not compute it again."""
    need_both_classes(t)
    return c_path(KERNELS[kernel](X, X), t, MOST_C)


class PathExplorer(PointsExplorer):
    """Slide C along the exact path of Hastie et al.: who is inside the margin, on it, outside, without solving."""

    title = "Regularisation path"
    State = PathState
    source = staticmethod(lambda seed: datasets.overlapping(18, seed))
    size = 7.6, 4.1
    most_points = 60

    def make_view(self, sheet):
        return WholePath(*two_above_one(sheet))

    def make_controls(self):
        return {
            "C": log_slider("C", LEAST_C, MOST_C),
            "kernel": widgets.Dropdown(description="kernel", options=list(KERNELS)),
        }

    @staticmethod
    def compute(state):
        X, t = state.X, state.t
        path = _path(X, t, state.kernel)
        C = min(state.C, MOST_C)  # the end of a logarithmic slider may be a rounding error beyond it
        solution = path.at(C)
        share = solution.a / C
        problem = soft_margin(path.gram, t, C)
        y = gradient(problem, solution.v) + t + solution.b
        w2 = solution.v @ (y - solution.b)
        later = path.C[: breakpoints(path)]
        later = later[later > C]
        facts = {
            "breakpoints": f"{breakpoints(path)}",
            "next one at C": f"{later[0]:.4g}" if len(later) else "no more",
            "a = C, inside": f"{np.sum(share == 1)}",
            "0 < a < C, elbow": f"{np.sum((share > 0) & (share < 1))}",
            "a = 0, outside": f"{np.sum(share == 0)}",
            "margin 1/|w|": f"{1 / np.sqrt(w2):.4f}" if w2 > 1e-18 else "infinite, w = 0",
            "training errors": f"{np.sum(t * y <= 0)} of {len(t)}",
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        Y = KERNELS[state.kernel].on_grid(*GRID, X, solution.v) + solution.b
        return PathPicture(facts, describe_path(path, C, share), path, solution, Y)

    def draw(self, view, state, picture):
        view.update(state.X, picture.path, state.C, picture.solution, GRID, picture.Y)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])


path = factory("path", PathExplorer)
