"""Explorers of the maximum margin: figure 7.1, its dual as two convex hulls, and figure 7.2."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes, separate
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import WIDE
from sparsekm_edu.figures.svm.margins import Hulls, MarginSurface, TwoMargins, signed_distances
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.lessons.hulls import corners, into_hull
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
    """angle (degrees) of the normal and shift along it: the learner's own line; pushes: are they drawn? X, t: data."""

    angle: float = 50.0
    shift: float = 0.0
    pushes: bool = False
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
    """best: (w, b) of the maximum-margin line in canonical form; a: (N,) the multipliers."""

    best: tuple
    a: np.ndarray


def net_force_and_torque(X, t, a, w):
    """Each point pushes the street with strength a_n away from itself, along -t_n w: what remains of it all.

    Force along the unit normal, and torque about the origin. At the maximum margin both are zero: (7.9), (7.8).
    """
    normal = w / np.linalg.norm(w)
    pushes = -(a * t)[:, None] * normal
    force = pushes.sum(axis=0) @ normal  # - sum of a_n t_n
    torque = (X[:, 0] * pushes[:, 1] - X[:, 1] * pushes[:, 0]).sum()  # of sum a_n t_n x_n, along w by (7.8)
    return force, torque


def pushes(X, t, a, w):
    """The lines of the readout about pushes; what is left of them is told relative to what there was."""
    left = np.abs(net_force_and_torque(X, t, a, w)) / (a @ (1 + np.linalg.norm(X, axis=1)))
    force, torque = ("< 1e-12" if part < 1e-12 else f"{part:.0e}" for part in left)
    return {
        "push of ●, of ■": f"{a[t > 0].sum():.4f}, {a[t < 0].sum():.4f}",
        "net force (7.9)": force,
        "net torque (7.8)": torque,
    }


class MarginExplorer(PointsExplorer):
    """Figure 7.1: turn and shift a line of your own, drag points, and watch the best line follow.

    On request with the multipliers drawn as what they are, pushes of the points against the street.
    """

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
            "pushes": widgets.Checkbox(description="pushes: the aₙ as arrows", indent=False),
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
        }
        if state.pushes:  # until the multipliers have been met these rows would say nothing
            facts |= {
                "|w|²": f"{w @ w:.6f}",
                "sum of aₙ": f"{solution.a.sum():.6f}",
                "2 L(a)": f"{2 * solution.objective:.6f}",
                **pushes(state.X, state.t, solution.a, w),
            }
        facts["KKT violation"] = certificate(violation)
        description = (
            f"Left, your line separates {len(state.t) - wrong} of {len(state.t)} points"
            + (f" with a margin of {distances.min():.3f}" if not wrong else "")
            + f". Right, the maximum-margin line has a margin of {best:.3f} and rests on "
            f"{len(solution.support)} support vectors"
            + (", whose pushes are drawn as arrows." if state.pushes else ".")
        )
        return MarginPicture(facts, description, (w, solution.b), solution.a)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, state.own, picture.best, picture.a, state.pushes)
        view.grips.update([place for _, place in self.grips(state)])

    def draw_stale(self, view, state):
        view.own_points.update(state.X, state.t)
        view.points.update(state.X, state.t)
        view.rings.update([])
        view.arrows.update([], [])
        for number in view.strengths:
            number.set_text("")

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


# ---- the dual as two convex hulls -----------------------------------------------------------------------
MEANS = [
    tuple(FIRST_SEPARABLE[0][FIRST_SEPARABLE[1] == side].mean(axis=0).round(3).tolist()) for side in (1, -1)
]


@dataclass(frozen=True, eq=False)
class HullsState:
    """plus, minus: the learner's point in the hull of each class, brought there from outside, and how many steps they
    have gone towards each other, in turn; X, t: the data."""

    plus: tuple = MEANS[0]
    minus: tuple = MEANS[1]
    steps: int = 0
    X: np.ndarray = field(default_factory=lambda: FIRST_SEPARABLE[0])
    t: np.ndarray = field(default_factory=lambda: FIRST_SEPARABLE[1])
    drawn: int = 0

    @property
    def hulls(self):
        """The corners of the convex hull of each class that has points."""
        return [corners(self.X[self.t == side]) if side in self.t else np.empty((0, 2)) for side in (1, -1)]

    @property
    def own(self):
        """The learner's points where they are seen, (2, 2): in turn each goes as near to the other as it can."""
        hulls = self.hulls
        if not all(map(len, hulls)):
            return np.array([self.plus, self.minus])
        pair = [into_hull(place, hull) for place, hull in zip((self.plus, self.minus), hulls, strict=True)]
        for step in range(self.steps):
            pair[step % 2] = into_hull(pair[1 - step % 2], hulls[step % 2])
        return np.array(pair)


@dataclass(frozen=True, eq=False)
class HullsPicture(Picture):
    """own, nearest: a point of each hull, (2, 2); weights: (N,) a_n over their sum in the class; best: w and b."""

    own: np.ndarray
    nearest: np.ndarray
    weights: np.ndarray
    best: tuple


class HullsExplorer(PointsExplorer):
    """Choose a point in the hull of each class, as near to each other as you can: the dual problem by hand.

    Or let them walk: in turn each goes to the point of its hull that is nearest to the other.
    """

    title = "The dual: two convex hulls"
    State = HullsState
    View = Hulls
    panels = {"ncols": 2}
    source = staticmethod(datasets.separable)
    size = 7.6, 4.1

    def points_axes(self, view):
        return view.axes

    def make_controls(self):
        return {"steps": widgets.IntSlider(description="steps", min=0, max=20)}

    @staticmethod
    def compute(state):
        solution = separate(state.X, state.t)
        a, t, w = solution.a, state.t, solution.v @ state.X
        weights = a / np.where(t > 0, a[t > 0].sum(), a[t < 0].sum())  # by (7.9) the two sums are one
        nearest = np.array([weights[t == side] @ state.X[t == side] for side in (1, -1)])
        own = state.own
        apart, middle = own[0] - own[1], own.mean(axis=0)
        yours, least = np.linalg.norm(apart), np.linalg.norm(nearest[0] - nearest[1])
        street = 2 * signed_distances(state.X, t, apart, -apart @ middle).min() if yours else 0.0
        facts = {
            "street of your bisector": f"{street:.4f}" if street > 0 else "none",
            "widest street, 2/|w|": f"{2 / np.linalg.norm(w):.4f}",
            "smallest distance": f"{least:.4f}",
            "your distance": f"{yours:.4f}",
            "weights of ●, together": f"{weights[t > 0].sum():.4f}",
            "weights of ■, together": f"{weights[t < 0].sum():.4f}",
            "|w − 2(p − q)/|p − q|²|": certificate(
                np.linalg.norm(w - 2 * (nearest[0] - nearest[1]) / least**2) / np.linalg.norm(w)
            ),
            "KKT violation": certificate(kkt(hard_margin(state.X @ state.X.T, t), solution).violation),
        }
        description = (
            f"Your points of the two hulls are {yours:.3f} apart, the nearest ones {least:.3f}; the widest street is "
            f"{2 / np.linalg.norm(w):.3f} wide."
        )
        return HullsPicture(facts, description, own, nearest, weights, (w, solution.b))

    def draw(self, view, state, picture):
        view.update(state.X, state.t, state.hulls, picture.own, picture.nearest, picture.weights)

    def draw_stale(self, view, state):
        for points in view.points:
            points.update(state.X, state.t)
        view.ends[0].update(state.own)
        view.rings.update([])
        for number in view.weights:
            number.set_text("")

    def handles(self, view, state):
        own, left = self.figure.palette.own, view.axes[0]
        places = zip(("plus", "minus"), state.own, strict=True)
        line = [Handle(("own", name), left, *place, own, "diamond") for name, place in places]
        return line + super().handles(view, state)

    def moved(self, state, name, x, y):
        kind, which = name
        if kind == "point":
            return super().moved(state, name, x, y)
        places = dict(zip(("plus", "minus"), map(tuple, state.own.tolist()), strict=True))
        hull = state.hulls[0 if which == "plus" else 1]
        place = tuple(into_hull((x, y), hull).tolist()) if len(hull) else (x, y)
        return places | {which: place, "steps": 0}  # the way together begins anew from here


hulls = factory("hulls", HullsExplorer)


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
