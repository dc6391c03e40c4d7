"""Explorers of the maximum margin: figures 7.1 and 7.2."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes, separate
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import WIDE
from sparsekm_edu.figures.svm.margins import MarginSurface, TwoMargins, signed_distances
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import certificate, log_slider, slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.models import SVC
from sparsekm_edu.solvers import hard_margin, kkt

FIRST_SEPARABLE, FIRST_CURVED = datasets.separable(), datasets.curved()


# ---- figure 7.1 -----------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class MarginState:
    """angle (degrees) of the normal and shift along it: the learner's own line; X, t: the data."""

    angle: float = 50.0
    shift: float = 0.0
    X: np.ndarray = field(default_factory=lambda: FIRST_SEPARABLE[0])
    t: np.ndarray = field(default_factory=lambda: FIRST_SEPARABLE[1])
    drawn: int = 0

    @property
    def own(self):
        """(w, b) of the learner's line, with |w| = 1."""
        angle = np.radians(self.angle)
        return np.array([np.cos(angle), np.sin(angle)]), -self.shift


@dataclass(frozen=True, eq=False)
class MarginPicture(Picture):
    """best: (w, b) of the maximum-margin line in canonical form; support: indices."""

    best: tuple
    support: np.ndarray


class MarginExplorer(PointsExplorer):
    """Figure 7.1: turn and shift a line of your own, drag points, and watch the best line follow."""

    title = "Maximum margin"
    State = MarginState
    View = TwoMargins
    panels = {"ncols": 2}
    source = staticmethod(datasets.separable)
    size = 7.6, 4.1

    def points_axes(self, view):
        return view.axes

    def make_controls(self):
        return {
            "angle": slider("angle, deg", -90.0, 270.0, 0.1),
            "shift": slider("shift", -2.5, 2.5, 0.01),
        }

    @staticmethod
    def compute(state):
        distances = signed_distances(state.X, state.t, *state.own)
        solution = separate(state.X, state.t)
        violation = kkt(hard_margin(state.X @ state.X.T, state.t), solution).violation
        w = solution.v @ state.X  # (7.8)
        best = 1 / np.linalg.norm(w)
        wrong = int((distances <= 0).sum())
        yours = f"{distances.min():.3f}" if not wrong else f"none, {wrong} wrong"
        facts = {
            "your margin": yours,
            "largest margin": f"{best:.3f}",
            "support vectors": f"{len(solution.support)} of {len(state.t)}",
            "|w|²": f"{w @ w:.6f}",
            "sum of aₙ": f"{solution.a.sum():.6f}",
            "2 L(a)": f"{2 * solution.objective:.6f}",
            "KKT violation": certificate(violation),
        }
        description = (
            f"Left, your line separates {len(state.t) - wrong} of {len(state.t)} points"
            + (f" with a margin of {distances.min():.3f}" if not wrong else "")
            + f". Right, the maximum-margin line has a margin of {best:.3f} and rests on "
            f"{len(solution.support)} support vectors."
        )
        return MarginPicture(facts, description, (w, solution.b), solution.support)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, state.own, picture.best, picture.support)
        view.grips.update([place for _, place in self.grips(state)])

    def draw_stale(self, view, state):
        view.own_points.update(state.X, state.t)
        view.points.update(state.X, state.t)
        view.rings.update([])

    @staticmethod
    def grips(state):
        """Where the learner's line can be taken: one place shifts it, the other turns it."""
        w, b = state.own
        foot, along = -b * w, np.array([-w[1], w[0]])
        return [("shift", foot), ("turn", foot + 1.8 * along)]

    def handles(self, view, state):
        own, left = self.figure.palette.own, view.axes[0]
        line = [Handle(("line", name), left, *place, own, "diamond") for name, place in self.grips(state)]
        return line + super().handles(view, state)

    def moved(self, state, name, x, y):
        kind, what = name
        if kind == "point":
            return super().moved(state, name, x, y)
        w, b = state.own
        if what == "shift":
            return {"shift": float(np.clip(w @ (x, y), -2.5, 2.5))}
        # the line turns about its foot: its direction points to the handle
        along = np.array([x, y]) + b * w
        angle = float(np.degrees(np.arctan2(-along[0], along[1])))
        return {"angle": (angle + 90.0) % 360.0 - 90.0}


margin = factory("margin", MarginExplorer)


# ---- figure 7.2 -----------------------------------------------------------------------------------------
KERNELS = {
    "Gaussian": lambda state: Gaussian(gamma=state.gamma),
    "polynomial, degree 2": lambda state: Polynomial(degree=2),
    "polynomial, degree 3": lambda state: Polynomial(degree=3),
    "linear": lambda state: Linear(),
}


@dataclass(frozen=True, eq=False)
class KernelMarginState:
    """kernel: a name of KERNELS; gamma of the Gaussian; C, or hard for C = infinity; X, t: the data."""

    kernel: str = "Gaussian"
    gamma: float = 0.5
    hard: bool = True
    C: float = 100.0
    X: np.ndarray = field(default_factory=lambda: FIRST_CURVED[0])
    t: np.ndarray = field(default_factory=lambda: FIRST_CURVED[1])
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class KernelMarginPicture(Picture):
    """grid: (x1, x2); Y: y(x) on it; support: indices of the support vectors."""

    grid: tuple
    Y: np.ndarray
    support: np.ndarray


class KernelMarginExplorer(PointsExplorer):
    """Figure 7.2: kernel, gamma and C under your hand; remove all but the support vectors and see nothing move."""

    title = "Maximum margin with a kernel"
    State = KernelMarginState
    View = MarginSurface
    source = staticmethod(datasets.curved)

    def make_controls(self):
        self.gamma = log_slider("γ", 0.005, 50.0)
        self.C = log_slider("C", 0.1, 1e4)
        return {
            "kernel": widgets.Dropdown(description="kernel", options=list(KERNELS)),
            "gamma": self.gamma,
            "hard": widgets.Checkbox(description="hard margin (C = ∞)", indent=False),
            "C": self.C,
        }

    @staticmethod
    def compute(state):
        need_both_classes(state.t)
        C = np.inf if state.hard else state.C
        kernel = KERNELS[state.kernel](state)
        model = SVC(C=C, kernel=kernel, max_iter=20_000).fit(state.X, state.t)
        grid = grid_over(WIDE)
        Y = model.surface(*grid)
        errors = int((model.predict(state.X) != state.t).sum())
        a = model.solution_.a
        on_box = int((a == C).sum())
        w2 = model.dual_coef_[0] @ kernel(model.support_vectors_) @ model.dual_coef_[0]
        facts = {
            "support vectors": f"{len(model.support_)} of {len(state.t)}",
            "of these at a = C": "none, C = ∞" if state.hard else f"{on_box}",
            "training errors": f"{errors}",
            "margin 1/|w|": f"{1 / np.sqrt(w2):.4f}",
            "dual objective": f"{model.solution_.objective:.4f}",
            "KKT violation": certificate(model.kkt_violation_),
        }
        description = (
            f"Decision boundary of a {state.kernel} kernel among {len(state.t)} points: "
            f"{len(model.support_)} support vectors, {errors} training errors, "
            f"margin {1 / np.sqrt(w2):.3f} in feature space."
        )
        return KernelMarginPicture(facts, description, grid, Y, model.support_)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, picture.grid, picture.Y, picture.support)
        self.gamma.disabled = state.kernel != "Gaussian"
        self.C.disabled = state.hard

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])

    def make_buttons(self):
        keep = self.button(
            "Remove all non-support vectors", "the boundary must not move", self.keep_only_support_vectors
        )
        return [keep, *super().make_buttons()]

    def keep_only_support_vectors(self):
        """Delete every point with a_n = 0 and report by how much y(x) changed: it should not."""
        if self.canvas.stale:
            return
        before, support = self.picture.Y, self.picture.support
        removed = len(self.state.t) - len(support)
        self.set(X=self.state.X[support], t=self.state.t[support])
        if self.canvas.stale:
            return
        change = np.abs(self.picture.Y - before).max()
        self._say(f"{removed} points removed; y(x) changed by at most {change:.0e} anywhere in the picture")


kernel_margin = factory("kernel_margin", KernelMarginExplorer)
