"""The explorer of the Parzen limit: densities that shrink until only the closest points count."""

from dataclasses import dataclass, field

import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import separate
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import SQUARE
from sparsekm_edu.figures.svm.parzen import ParzenLimit
from sparsekm_edu.lessons.parzen import best_hyperplane, best_hyperplanes, differences, log_ratio_on_grid
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer

FIRST_X, FIRST_T = datasets.separable()
VARIANCES = np.logspace(-4, 1, 11)
CELLS = grid_over(SQUARE, 60)


@dataclass(frozen=True, eq=False)
class ParzenState:
    """sigma2: the common variance of the Parzen densities; X, t: the data."""

    sigma2: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
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


parzen_limit = factory("parzen_limit", ParzenExplorer)
