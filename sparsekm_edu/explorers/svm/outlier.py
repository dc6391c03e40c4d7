"""The explorer of an outlier: whom does the boundary listen to?"""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.svm.outlier import AROUND, OutlierPull
from sparsekm_edu.lessons.outliers import Lines, least_squares_with_outlier, soft_margin_with_outlier
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import certificate, log_slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.solvers import kkt, soft_margin
from sparsekm_edu.validation import Impossible

PLACES = np.linspace(-8, 8, 17)  # along the line through the middle and the outlier


@dataclass(frozen=True, eq=False)
class OutlierState:
    """C; outlier: where the point of class +1 is; drawn: which clouds it has left."""

    C: float = 0.1
    outlier: tuple = (-2.9, -4.8)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class OutlierPicture(Picture):
    """X, t: the data; the rest as `OutlierPull.update` has it, with the outlier at the last of the places."""

    X: np.ndarray
    t: np.ndarray
    middle: np.ndarray
    along: np.ndarray
    places: np.ndarray
    soft: Lines
    squares: Lines


@remembered()
def _clouds(drawn):
    return datasets.clouds(60, **({"seed": 100 + drawn} if drawn else {}))


def track_through(X, t, outlier):
    """The middle between the class means, a unit vector towards the outlier or away from it, and its place along that.

    The vector points to the side of class -1, so that places are positive where the outlier is misplaced.
    """
    plus, minus = X[t > 0].mean(axis=0), X[t < 0].mean(axis=0)
    middle = (plus + minus) / 2
    away = np.asarray(outlier) - middle
    if np.linalg.norm(away) < 1e-6:
        away = minus - plus
    along = away / np.linalg.norm(away)
    if along @ (minus - plus) < 0:
        along = -along
    return middle, along, float(along @ (outlier - middle))


class OutlierExplorer(Explorer):
    """Drag one circle away from its class: the soft margin shrugs, least squares follows."""

    title = "An outlier"
    State = OutlierState
    View = OutlierPull
    panels = {"ncols": 2}
    size = 7.6, 4.1

    def make_controls(self):
        return {"C": log_slider("C", 0.01, 100.0)}

    def check(self, state):
        left, right, bottom, top = AROUND
        x, y = state.outlier
        if not (left <= x <= right and bottom <= y <= top):
            raise Impossible(f"outlier must lie between {left:g} and {right:g} both ways, got ({x:g}, {y:g})")

    @staticmethod
    def compute(state):
        X, t = _clouds(state.drawn)
        outlier = np.array(state.outlier)
        middle, along, place = track_through(X, t, outlier)
        places = np.append(PLACES, place)
        where = middle + np.outer(places, along)
        soft, squares = (
            soft_margin_with_outlier(X, t, state.C, where),
            least_squares_with_outlier(X, t, where),
        )
        share = soft.a[-1] / state.C
        y, y_squares = (lines.w[-1] @ outlier + lines.b[-1] for lines in (soft, squares))
        points = np.vstack([X, outlier])
        problem = soft_margin(points @ points.T, np.append(t, 1.0), state.C)
        facts = {
            "place on its line": f"{place:.2f}",
            "soft margin: y(x)": f"{y:.3f}",
            "its slack ξ": f"{max(0.0, 1 - y):.3f}",
            "its pull aₙ / C": f"{share:.3f}",
            "soft margin moved by": f"{soft.moved[-1]:.3f}",
            "least squares: y(x)": f"{y_squares:.3f}",
            "its pull, 1 − y(x)": f"{1 - y_squares:.3f}",
            "least squares moved by": f"{squares.moved[-1]:.3f}",
            "KKT violation": certificate(kkt(problem, soft.solutions[-1]).violation),
        }
        description = (
            f"An outlier {place:.1f} along its line, with multiplier {share:.2f} C and slack {max(0.0, 1 - y):.2f}, "
            f"moves the soft margin's boundary by {soft.moved[-1]:.3f} and that of least squares by "
            f"{squares.moved[-1]:.3f}."
        )
        return OutlierPicture(facts, description, X, t, middle, along, places, soft, squares)

    def draw(self, view, state, picture):
        view.update(
            picture.X,
            picture.t,
            picture.middle,
            picture.along,
            picture.places,
            picture.soft,
            picture.squares,
            -1,
        )

    def handles(self, view, state):
        return [Handle("outlier", view.axes[0], *state.outlier, self.figure.palette.plus)]

    def moved(self, state, name, x, y):
        return {"outlier": (x, y)}

    def make_buttons(self):
        return [self.button("Draw again", "new points from the same source", self.draw_again)]

    def draw_again(self):
        """New clouds; the outlier stays."""
        self.set(drawn=self.state.drawn + 1)


outlier = factory("outlier", OutlierExplorer)
