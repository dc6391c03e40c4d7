"""Explorers of what lies under the maximum margin: geometry, Lagrange multipliers, the Parzen limit."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.svm.margins import separate
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import SQUARE
from sparsekm_edu.figures.svm.geometry import LineGeometry, ParzenLimit
from sparsekm_edu.figures.svm.lagrange import ConstrainedBowl, case_of
from sparsekm_edu.lessons.lagrange import Bowl
from sparsekm_edu.lessons.parzen import best_hyperplane, best_hyperplanes, differences, log_ratio_on_grid
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import four, log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer

# ---- figure 14.12 (a) -----------------------------------------------------------------------------------
SHORTEST = 0.2  # |w| below this has no direction that a hand could mean


@dataclass(frozen=True)
class GeometryState:
    """The line w'x + w0 = 0, w given by angle (degrees) and length; the probe x."""

    angle: float = 35.0
    length: float = 1.0
    w0: float = -0.6
    x: tuple = (2.2, -0.5)

    @property
    def w(self):
        """The normal vector."""
        angle = np.radians(self.angle)
        return self.length * np.array([np.cos(angle), np.sin(angle)])


class GeometryExplorer(Explorer):
    """Figure 14.12 (a) alive: f(x) is a distance in disguise."""

    title = "Geometry of a linear decision boundary"

    def first_state(self):
        return GeometryState()

    def make_view(self, sheet):
        return LineGeometry(sheet.subplots())

    def make_controls(self):
        return {
            "angle": slider("angle of w", -180.0, 180.0, 1.0),
            "length": slider("length |w|", SHORTEST, 2.0, 0.05),
            "w0": slider("w₀", -2.0, 2.0, 0.05),
        }

    @staticmethod
    def compute(state):
        w, x = state.w, np.array(state.x)
        f = w @ x + state.w0
        x_perp = x - w * f / (w @ w)
        side = np.sign(f) * np.linalg.norm(x - x_perp)
        facts = {
            "f(x) = w·x + w₀": f"{f:.4f}",
            "|w|": f"{state.length:.4f}",
            "r = f(x)/|w|": f"{f / state.length:.4f}",
            "± |x − x⊥|": f"{side:.4f}",
            "f(x⊥)": four(w @ x_perp + state.w0),
            "line to origin": f"{abs(state.w0) / state.length:.4f}",
        }
        return Picture(
            facts,
            f"The probe has f(x) = {f:.3f}; divided by |w| = {state.length:.2f} this is its signed distance "
            f"{f / state.length:.3f} from the line.",
        )

    def draw(self, view, state, picture):
        view.update(state.w, state.w0, np.array(state.x))

    def handles(self, view, state):
        foot = -state.w * state.w0 / state.length**2
        own, good = self.figure.palette.own, self.figure.palette.good
        ax = view.axes[0]
        return [Handle("probe", ax, *state.x, own), Handle("tip", ax, *(foot + state.w), good)]

    def moved(self, state, name, x, y):
        if name == "probe":
            return {"x": (x, y)}
        # the tip turns w, the slider stretches it; far out on the other side the tip lies behind the origin
        behind = state.length < state.w0 / state.length
        return {"angle": direction(x, y, flip=behind)}


def direction(x, y, flip=False):
    """The angle of (x, y) in degrees, between -180 and 180; the opposite one if `flip`."""
    return float(np.degrees(np.arctan2(-y, -x) if flip else np.arctan2(y, x)))


def geometry():
    """Figure 14.12 (a): drag the probe or the tip of w and compare f(x) / |w| with the distance you see."""
    return GeometryExplorer()


# ---- Lagrange multipliers -------------------------------------------------------------------------------
FARTHEST = 2.4  # of the bottom from the origin: keeps the multiplier on the scale of its slider


@dataclass(frozen=True)
class LagrangeState:
    """A bowl with its bottom at c, a line at distance `offset` with a normal at `angle`, a trial multiplier."""

    equality: bool = False
    angle: float = 40.0
    offset: float = 0.8
    lam: float = 0.4
    c: tuple = (-1.6, -1.1)

    @property
    def bowl(self):
        """The problem that this state describes."""
        angle = np.radians(self.angle)
        normal = np.array([np.cos(angle), np.sin(angle)])
        return Bowl(np.diag([0.35, 0.6]), np.array(self.c), normal, self.offset, self.equality)


class LagrangeExplorer(Explorer):
    """One constraint, one multiplier, and the gap between a problem and its dual."""

    title = "Lagrange multiplier and dual"
    size = 7.6, 4.1

    def first_state(self):
        return LagrangeState()

    def make_view(self, sheet):
        return ConstrainedBowl(*sheet.subplots(1, 2))

    def make_controls(self):
        kinds = [("g(x) ≥ 0", False), ("g(x) = 0", True)]
        return {
            "equality": widgets.ToggleButtons(options=kinds, description="constraint"),
            "angle": slider("angle, deg", -180.0, 180.0, 1.0),
            "offset": slider("offset", -1.2, 1.2, 0.05),
            "lam": slider("your λ", -2.0, 2.5, 0.01),
        }

    @staticmethod
    def compute(state):
        if state.lam < 0 and not state.equality:
            raise ValueError("λ must be ≥ 0 for the constraint g(x) ≥ 0: a wall can push x, never pull it")
        bowl = state.bowl
        x, best = bowl.solution
        trial, case = bowl.x_of(state.lam), case_of(bowl, best)
        facts = {
            "the constraint is": case,
            "λ*": f"{best:.4f}",
            "g(x*)": four(bowl.g(x)),
            "λ* g(x*)": four(best * bowl.g(x)),
            "f(x*)": f"{bowl.f(x):.4f}",
            "q(λ), your bound": f"{bowl.dual(state.lam):.4f}",
            "gap": four(bowl.f(x) - bowl.dual(state.lam)),
            "g(x(λ))": four(bowl.g(trial)),
        }
        return Picture(
            facts,
            f"The constraint is {case}; the optimum has multiplier {best:.3f} and value {bowl.f(x):.3f}. Your "
            f"multiplier {state.lam:.2f} gives the lower bound {bowl.dual(state.lam):.3f}.",
        )

    def draw(self, view, state, picture):
        view.update(state.bowl, *state.bowl.solution, state.lam)
        view.grips.update([state.bowl.n * state.bowl.d])

    def handles(self, view, state):
        left, right = view.axes
        colours, bowl = self.figure.palette, state.bowl
        return [
            Handle("bottom", left, *state.c, colours.faint),
            Handle("line", left, *(bowl.n * bowl.d), colours.good, "diamond"),
            Handle("multiplier", right, state.lam, bowl.dual(state.lam), colours.own, "diamond"),
        ]

    def moved(self, state, name, x, y):
        if name == "bottom":
            shorten = min(1.0, FARTHEST / max(np.hypot(x, y), 1e-9))
            return {"c": (x * shorten, y * shorten)}
        if name == "multiplier":
            return {"lam": float(np.clip(x, -2.0, 2.5))}
        # the grip is the point of the line that is closest to the origin; the allowed side stays where it is
        reach, height = float(np.hypot(x, y)), float(state.bowl.n @ (x, y))
        if reach < 0.05:  # too close to the origin to tell a direction
            return {"offset": height}
        offset = float(np.copysign(min(reach, 1.2), height))
        return {"angle": direction(x, y, flip=offset < 0), "offset": offset}


def lagrange():
    """Move the bowl, the constraint and your own multiplier; the gap closes only at the right one."""
    return LagrangeExplorer()


# ---- the Parzen limit -----------------------------------------------------------------------------------
FIRST_X, FIRST_T = datasets.separable()
VARIANCES = np.logspace(-4, 1, 11)
CELLS = grid_over(SQUARE, 60)


@dataclass(frozen=True)
class ParzenState:
    """sigma2: the common variance of the Parzen densities; X, t: the data."""

    sigma2: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True)
class ParzenPicture(Picture):
    """log_ratio on the grid CELLS; best, limit: (w, b), |w| = 1, and their angle; path: variances, angles, offsets."""

    log_ratio: np.ndarray
    best: tuple
    limit: tuple
    angle: float
    path: tuple


@remembered()
def _limit_and_path(X, t):
    """The maximum-margin line and the path towards it depend on the data only: a slider need not redo them."""
    solution = separate(X, t)
    w = solution.v @ X
    norm = np.linalg.norm(w)
    planes = best_hyperplanes(X, t, VARIANCES)
    return (w / norm, solution.b / norm), planes


class ParzenExplorer(PointsExplorer):
    """Section 7.1 after Tong and Koller: shrink the densities, and only the closest points count."""

    title = "Parzen densities and the maximum margin"
    source = staticmethod(datasets.separable)
    size = 7.6, 4.1

    def first_state(self):
        return ParzenState()

    def make_view(self, sheet):
        return ParzenLimit(*sheet.subplots(1, 2))

    def make_controls(self):
        return {"sigma2": log_slider("σ²", 1e-4, 10.0)}

    @staticmethod
    def compute(state):
        X, t = state.X, state.t
        limit, planes = _limit_and_path(X, t)
        start = planes[min(len(planes) - 1, np.searchsorted(VARIANCES, state.sigma2))]
        best = best_hyperplane(X, t, state.sigma2, (start.w, start.b))
        angles, offsets = differences(planes, *limit)
        (angle,), (offset,) = differences([best], *limit)
        log_ratio = log_ratio_on_grid(*CELLS, X, t, state.sigma2)
        facts = {
            "angle to max. margin": f"{angle:.3f}°",
            "offset difference": f"{offset:.4f}",
            "ln P(error), model": f"{best.log_error:.2f}",
        }
        description = (
            f"With variance {state.sigma2:.3g} the best line is {angle:.2f} degrees and {offset:.3f} away from "
            f"the maximum-margin line."
        )
        path = VARIANCES, angles, offsets
        return ParzenPicture(facts, description, log_ratio, (best.w, best.b), limit, angle, path)

    def draw(self, view, state, picture):
        view.update(
            state.X,
            state.t,
            CELLS,
            picture.log_ratio,
            picture.best,
            picture.limit,
            state.sigma2,
            picture.angle,
            picture.path,
        )

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)


def parzen_limit():
    """Shrink the Parzen densities: the line of least error turns into the maximum-margin line."""
    return ParzenExplorer()
