"""Explorers of what lies under the maximum margin: geometry, Lagrange multipliers, the Parzen limit."""

from dataclasses import dataclass, field
from functools import lru_cache

import ipywidgets as widgets
import numpy as np

from .. import datasets
from ..figures.lagrange import WINDOW, ConstrainedBowl
from ..figures.layers import grid_over
from ..figures.mlapp14 import LineGeometry
from ..figures.prml7 import SQUARE, ParzenLimit
from ..solvers import hard_margin, smo
from ..solvers.constrained import Bowl
from ..solvers.parzen import best_hyperplane, best_hyperplanes, differences, log_ratio_on_grid
from .base import Explorer, Picture, PointsExplorer, four, log_slider, slider
from .live import Handle

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
        if not state.length >= SHORTEST:
            raise ValueError(f"|w| must be at least {SHORTEST}: without a normal vector there is no line")
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
        foot = -state.w * state.w0 / max(state.length, SHORTEST) ** 2
        own, good = self.figure.palette.own, self.figure.palette.good
        ax = view.axes[0]
        return [Handle("probe", ax, *state.x, own), Handle("tip", ax, *(foot + state.w), good)]

    def moved(self, state, name, x, y):
        if name == "probe":
            return {"x": (x, y)}
        # w starts at the foot of the origin on the line, so the tip lies on the ray of w through the origin
        # at -w0/|w| + |w|: turn to the pointer, then solve for the length that puts the tip there
        reach = float(np.hypot(x, y))
        length = (reach + np.sqrt(reach**2 + 4 * state.w0)) / 2 if reach**2 + 4 * state.w0 >= 0 else SHORTEST
        angle = float(np.degrees(np.arctan2(y, x)))
        return {"angle": angle, "length": float(np.clip(length, SHORTEST, 2.0))}


def geometry():
    """Figure 14.12 (a): drag the probe or the tip of w and compare f(x) / |w| with the distance you see."""
    return GeometryExplorer()


# ---- Lagrange multipliers -------------------------------------------------------------------------------
@dataclass(frozen=True)
class LagrangeState:
    """A bowl with its bottom at c, a line at distance `offset` with a normal at `angle`, a trial multiplier."""

    equality: bool = False
    angle: float = 40.0
    offset: float = 0.8
    lam: float = 0.3
    c: tuple = (-0.9, -0.5)

    @property
    def bowl(self):
        """The problem that this state describes."""
        angle = np.radians(self.angle)
        normal = np.array([np.cos(angle), np.sin(angle)])
        return Bowl(np.diag([0.6, 1.0]), np.array(self.c), normal, self.offset, self.equality)


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
            "offset": slider("offset", -2.0, 2.0, 0.05),
            "lam": slider("your λ", -2.0, 2.5, 0.01),
        }

    @staticmethod
    def compute(state):
        bowl = state.bowl
        x, best = bowl.solve()
        trial = bowl.x_of(state.lam)
        case = "equality" if state.equality else ("active" if best > 0 else "inactive")
        facts = {
            "constraint": case,
            "λ*": f"{best:.4f}",
            "g(x*)": four(bowl.g(x)),
            "λ* g(x*)": four(best * bowl.g(x)),
            "f(x*)": f"{bowl.f(x):.4f}",
            "q(λ), your bound": f"{bowl.dual(state.lam):.4f}",
            "gap": four(bowl.f(x) - bowl.dual(state.lam)),
            "g(x(λ))": four(bowl.g(trial)),
        }
        if state.lam < 0 and not state.equality:
            raise ValueError(
                "λ must be ≥ 0 for the constraint g(x) ≥ 0: an inequality can push x, never pull it"
            )
        return Picture(
            facts,
            f"The constraint is {case}; the optimum has multiplier {best:.3f} and value {bowl.f(x):.3f}. Your "
            f"multiplier {state.lam:.2f} gives the lower bound {bowl.dual(state.lam):.3f}.",
        )

    def draw(self, view, state, picture):
        view.update(state.bowl, state.lam)
        view.grips.update([state.bowl.n * state.bowl.d])

    def handles(self, view, state):
        left, right = view.axes
        colours, bowl = self.figure.palette, state.bowl
        return [
            Handle("bottom", left, *state.c, colours.faint),
            Handle("line", left, *(bowl.n * bowl.d), colours.good),
            Handle("multiplier", right, state.lam, bowl.dual(state.lam), colours.own),
        ]

    def moved(self, state, name, x, y):
        if name == "bottom":
            return {"c": (float(np.clip(x, *WINDOW[:2])), float(np.clip(y, *WINDOW[2:])))}
        if name == "multiplier":
            return {"lam": float(np.clip(x, -2.0, 2.5))}
        # the handle is the point of the line that is closest to the origin
        return {
            "angle": float(np.degrees(np.arctan2(y, x))) if np.hypot(x, y) > 0.1 else state.angle,
            "offset": float(np.clip(np.hypot(x, y), 0.0, 2.0)),
        }


def lagrange():
    """Move the bowl, the constraint and your own multiplier; the gap closes only at the right one."""
    return LagrangeExplorer()


# ---- the Parzen limit -----------------------------------------------------------------------------------
FIRST = datasets.separable()
VARIANCES = np.logspace(-4, 1, 16)
CELLS = grid_over(SQUARE, 60)


@dataclass(frozen=True)
class ParzenState:
    """sigma2: the common variance of the Parzen densities; X, t: the data."""

    sigma2: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST[0])
    t: np.ndarray = field(default_factory=lambda: FIRST[1])
    seed: int = 4


@dataclass(frozen=True)
class ParzenPicture(Picture):
    """log_ratio on the grid CELLS; best, limit: (w, b) with |w| = 1; path: variances, angles, offsets."""

    log_ratio: np.ndarray
    best: tuple
    limit: tuple
    path: tuple


@lru_cache(maxsize=8)
def _limit_and_path(points, labels):
    """The maximum-margin line and the path towards it depend on the data only: a slider need not redo them."""
    X, t = np.frombuffer(points).reshape(-1, 2), np.frombuffer(labels)
    if len(set(t)) < 2:
        raise ValueError("the Parzen model needs points of both classes")
    solution = smo(hard_margin(X @ X.T, t))
    w = solution.v @ X
    norm = np.linalg.norm(w)
    planes = best_hyperplanes(X, t, VARIANCES)
    return (w / norm, solution.b / norm), planes


class ParzenExplorer(PointsExplorer):
    """Section 7.1 after Tong and Koller: shrink the densities, and only the closest points count."""

    title = "Parzen densities and the maximum margin"
    size = 7.6, 4.1

    def first_state(self):
        return ParzenState()

    def make_view(self, sheet):
        return ParzenLimit(*sheet.subplots(1, 2))

    def points_axes(self, view):
        return view.axes[:1]

    def make_controls(self):
        return {"sigma2": log_slider("σ²", -4, 1)}

    @staticmethod
    def compute(state):
        if not 1e-4 <= state.sigma2 <= 10:
            raise ValueError(f"sigma2 must lie between 0.0001 and 10, got {state.sigma2:g}")
        X, t = np.ascontiguousarray(state.X, float), np.ascontiguousarray(state.t, float)
        limit, planes = _limit_and_path(X.tobytes(), t.tobytes())
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
        return ParzenPicture(facts, description, log_ratio, (best.w, best.b), limit, path)

    def draw(self, view, state, picture):
        view.update(
            state.X,
            state.t,
            CELLS,
            picture.log_ratio,
            picture.best,
            picture.limit,
            state.sigma2,
            picture.path,
        )

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)

    def draw_again(self):
        seed = self.state.seed + 1
        X, t = datasets.separable(seed=seed)
        self.set(X=X, t=t, seed=seed)


def parzen_limit():
    """Shrink the Parzen densities: the line of least error turns into the maximum-margin line."""
    return ParzenExplorer()
