"""The explorer of the Parzen limit: densities that shrink until only the closest points count."""

from dataclasses import dataclass, field

import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import separate
from sparsekm_edu.figures.svm.parzen import ParzenLimit
from sparsekm_edu.lessons.parzen import Clouds, best_hyperplane, clouds
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer

FIRST_X, FIRST_T = datasets.separable()
VARIANCES = np.logspace(-4, 1, 8)


@dataclass(frozen=True, eq=False)
class ParzenState:
    """sigma2: the common variance of the Parzen densities; X, t: the data."""

    sigma2: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class ParzenPicture(Picture):
    """clouds: the two lines at this variance; path: variances, and angles and offsets between the lines there."""

    clouds: Clouds
    path: tuple


@remembered()
def _limit_and_path(X, t):
    """The maximum-margin line and the path towards it depend on the data only: a slider need not redo them."""
    solution = separate(X, t)
    return clouds(X, t, VARIANCES, solution.v @ X, solution.b)


class ParzenExplorer(PointsExplorer):
    """Shrink the Parzen densities: the line of least error turns into the maximum-margin line."""

    title = "Parzen densities and the maximum margin"
    State = ParzenState
    View = ParzenLimit
    panels = {"ncols": 2}
    source = staticmethod(datasets.separable)
    size = 7.6, 4.1

    def make_controls(self):
        return {"sigma2": log_slider("σ²", 1e-4, 10.0)}

    @staticmethod
    def compute(state):
        X, t = state.X, state.t
        path = _limit_and_path(X, t)
        start = path[min(len(path) - 1, np.searchsorted(VARIANCES, state.sigma2))].best
        best = best_hyperplane(X, t, state.sigma2, (start.w, start.b))
        here = Clouds(X, t, state.sigma2, best, path[0].widest)
        facts = {
            "angle to max. margin": f"{here.angle:.3f}°",
            "offset difference": f"{here.offset:.4f}",
            "ln P(error), model": f"{best.log_error:.2f}",
        }
        description = (
            f"With variance {state.sigma2:.3g} the best line is {here.angle:.2f} degrees and {here.offset:.3f} away "
            f"from the maximum-margin line."
        )
        angles, offsets = np.array([(there.angle, there.offset) for there in path]).T
        return ParzenPicture(facts, description, here, (VARIANCES, angles, offsets))

    def draw(self, view, state, picture):
        view.update(picture.clouds, picture.path)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)


parzen_limit = factory("parzen_limit", ParzenExplorer)
