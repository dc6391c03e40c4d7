"""Explorers of feature spaces: a plane that rises into a cone, and (7.42), three features at a time."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.svm.feature_map import FeatureSpace, Lift
from sparsekm_edu.kernels import Polynomial
from sparsekm_edu.kernels.features import SECOND_ORDER, second_order
from sparsekm_edu.live.controls import certificate, log_slider, slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.solvers import NotSeparable, hard_margin, kkt, smo, soft_margin
from sparsekm_edu.validation import Impossible

FIRST_X, FIRST_T = datasets.ring()
# name -> three of the features in SECOND_ORDER
TRIPLES = {
    ", ".join(SECOND_ORDER[k] for k in triple): triple
    for triple in [(3, 4, 5), (1, 2, 3), (1, 2, 4), (1, 3, 5)]
}
SQUARES = next(iter(TRIPLES))


# ---- a plane that rises into a cone ---------------------------------------------------------------------
def round_ring(n=36, seed=0):
    """`datasets.ring` made round, and a little smaller: class +1 inside a circle of radius 0.9, class -1 outside it."""
    X, t = datasets.ring(n, seed)
    return 0.9 * X / (1.3, 1.0), t


def cone(X, lift=1.0):
    """Three features of the points X (N, 2): both coordinates and, as a height, `lift` times the distance from 0."""
    return np.column_stack([X, lift * np.linalg.norm(X, axis=1)])


def cone_kernel(X, Z):
    """phi(x)'phi(x') of `cone` without the features, (N, M): x'x' + |x||x'|."""
    return X @ Z.T + np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Z, axis=1))


ROUND_X, ROUND_T = round_ring()


@dataclass(frozen=True, eq=False)
class LiftState:
    """lift: 0 for the flat plane, 1 for the cone; angles of the view in degrees; X, t: the data."""

    lift: float = 1.0
    azimuth: float = -60.0
    elevation: float = 12.0
    X: np.ndarray = field(default_factory=lambda: ROUND_X)
    t: np.ndarray = field(default_factory=lambda: ROUND_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class LiftPicture(Picture):
    """plane: w (3,) and b of the maximum margin on the cone, where it stays; support: indices; radius: of the boundary
    in the plane, the mean over all directions, 0 where it is not closed."""

    plane: tuple
    support: np.ndarray
    radius: float


def mean_radius(w, b, lift):
    """Of the boundary w'phi(x) + b = 0: along each ray it is met where r (w_1 cos + w_2 sin + lift w_3) = -b."""
    angles = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    slopes = np.column_stack([np.cos(angles), np.sin(angles), np.full(360, lift)]) @ w
    return float(np.mean(-b / slopes)) if (slopes * b < 0).all() else 0.0


class LiftExplorer(PointsExplorer):
    """Raise the plane into a cone, through a plane that waits there: where it cuts, the boundary is nearly a circle."""

    title = "A plane raised into a cone"
    State = LiftState
    View = Lift
    panels = {"ncols": 2}
    source = staticmethod(round_ring)
    size = 7.2, 3.8
    most_points = 60

    def make_controls(self):
        return {
            "lift": slider("lift", 0.0, 1.0, 0.01),
            "azimuth": slider("azimuth", -180.0, 180.0, 1.0),
            "elevation": slider("elevation", -90.0, 90.0, 1.0),
        }

    @staticmethod
    def compute(state):
        need_both_classes(state.t)
        K = cone_kernel(state.X, state.X)
        problem = hard_margin(K, state.t)
        try:
            solution = smo(problem)
        except NotSeparable:
            raise Impossible(
                "no plane cuts the cone between these classes; take the last point back"
            ) from None
        w, b = solution.v @ cone(state.X), solution.b
        y = cone(state.X, state.lift) @ w + b
        radius = mean_radius(w, b, state.lift)
        errors = int(np.sum((y > 0) != (state.t > 0)))
        facts = {
            "wrong side of the cut": f"{errors} of {len(state.t)}",
            "boundary, mean radius": f"{radius:.3f}" if radius else "not closed",
            "margin at lift 1": f"{1 / np.linalg.norm(w):.4f}",
            "support vectors at lift 1": f"{len(solution.support)} of {len(state.t)}",
            "|k − φ·φ|, relative": certificate_of_equality(
                np.abs(K - cone(state.X) @ cone(state.X).T).max() / max(np.abs(K).max(), 1e-300)
            ),
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        description = (
            f"{len(state.t)} points in the plane, and on a cone that is raised to {state.lift:.2f} of its height: a "
            f"flat cut that stays where it is leaves {errors} on the wrong side."
        )
        return LiftPicture(facts, description, (w, b), solution.support, radius)

    def draw(self, view, state, picture):
        def phi(x):
            return cone(x, state.lift)

        view.update(state.X, state.t, phi, picture.plane, picture.support, state.azimuth, state.elevation)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])


lift = factory("lift", LiftExplorer)


# ---- three features of (7.42) ---------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class FeatureMapState:
    """features: a name of TRIPLES; angles of the view in degrees; C; X, t: the data."""

    features: str = SQUARES
    azimuth: float = 25.0
    elevation: float = 20.0
    C: float = 10.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class FeatureMapPicture(Picture):
    """plane: w (3,) and b of the machine that sees the three features only; support: indices."""

    plane: tuple
    support: np.ndarray


def slopes(X, step=1e-5):
    """Derivatives of all six features by both coordinates at X (N, 2), by central differences, (N, 6, 2)."""
    ends = [second_order(X + shift) - second_order(X - shift) for shift in step * np.eye(2)]
    return np.stack(ends, axis=-1) / (2 * step)


class FeatureMapExplorer(PointsExplorer):
    """Drag points in the plane, and turn the sheet on which their images must lie in feature space."""

    title = "A plane in feature space"
    State = FeatureMapState
    View = FeatureSpace
    panels = {"ncols": 2}
    source = staticmethod(datasets.ring)
    size = 7.2, 3.8
    most_points = 60

    def make_controls(self):
        return {
            "features": widgets.Dropdown(description="features", options=list(TRIPLES)),
            "azimuth": slider("azimuth", -180.0, 180.0, 1.0),
            "elevation": slider("elevation", -90.0, 90.0, 1.0),
            "C": log_slider("C", 0.01, 1000.0),
        }

    @staticmethod
    def compute(state):
        need_both_classes(state.t)
        Phi = second_order(state.X)
        K = Polynomial(degree=2)(state.X)
        three = Phi[:, TRIPLES[state.features]]
        problem = soft_margin(three @ three.T, state.t, state.C)
        solution = smo(problem)
        w, b = solution.v @ three, solution.b
        errors = int(np.sum((three @ w + b > 0) != (state.t > 0)))
        all_six = smo(soft_margin(K, state.t, state.C))
        errors_six = int(np.sum((K @ all_six.v + all_six.b > 0) != (state.t > 0)))
        local = sorted(set(np.linalg.matrix_rank(slopes(state.X), tol=1e-6)))
        facts = {
            "|k − φ·φ|, relative": certificate_of_equality(np.abs(K - Phi @ Phi.T).max() / K.max()),
            "rank of Φ, all points": f"{np.linalg.matrix_rank(Phi)} of 6",
            "rank of ∂φ/∂x, each": f"{', '.join(map(str, local))} of 6",
            "errors, these three": f"{errors} of {len(state.t)}",
            "errors, all six": f"{errors_six} of {len(state.t)}",
            "support vectors": f"{len(solution.support)} of {len(state.t)}",
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        description = (
            f"{len(state.t)} points in the plane and in the features {state.features}: a flat plane there leaves "
            f"{errors} on the wrong side; with all six features {errors_six}."
        )
        return FeatureMapPicture(facts, description, (w, b), solution.support)

    def draw(self, view, state, picture):
        chosen = TRIPLES[state.features]
        view.update(
            state.X,
            state.t,
            lambda x: second_order(x)[:, chosen],
            [SECOND_ORDER[k] for k in chosen],
            picture.plane,
            picture.support,
            state.azimuth,
            state.elevation,
        )

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])


def certificate_of_equality(difference):
    """Rounding noise differs between machines; that it is below 1e-12 does not."""
    return "< 1e-12" if difference < 1e-12 else f"{difference:.0e}"


feature_map = factory("feature_map", FeatureMapExplorer)
