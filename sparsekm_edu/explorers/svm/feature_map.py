"""An explorer of the feature space of (7.42): drag in the plane, look at the image, turn it."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.svm.feature_map import FeatureSpace
from sparsekm_edu.kernels import Polynomial
from sparsekm_edu.kernels.features import SECOND_ORDER, second_order
from sparsekm_edu.live.controls import certificate, log_slider, slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.solvers import kkt, smo, soft_margin

FIRST_X, FIRST_T = datasets.ring()
# name -> three of the features in SECOND_ORDER
TRIPLES = {
    ", ".join(SECOND_ORDER[k] for k in triple): triple
    for triple in [(3, 4, 5), (1, 2, 3), (1, 2, 4), (1, 3, 5)]
}
SQUARES = next(iter(TRIPLES))


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
