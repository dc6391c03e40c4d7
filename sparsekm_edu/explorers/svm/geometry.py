"""The explorer of figure 14.12 (a): what w, b and y(x) are in the plane."""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.figures.svm.geometry import LineGeometry
from sparsekm_edu.live.canvas import Handle, direction
from sparsekm_edu.live.controls import four, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory

SHORTEST = 0.2  # |w| below this has no direction that a hand could mean


@dataclass(frozen=True, eq=False)
class GeometryState:
    """The line w'x + b = 0, w given by angle (degrees) and length; the probe x."""

    angle: float = 35.0
    length: float = 1.0
    b: float = -0.6
    x: tuple = (2.2, -0.5)

    @property
    def w(self):
        """The normal vector."""
        angle = np.radians(self.angle)
        return self.length * np.array([np.cos(angle), np.sin(angle)])


class GeometryExplorer(Explorer):
    """Figure 14.12 (a): drag the probe or the tip of w and compare y(x) / |w| with the distance you see."""

    title = "Geometry of a linear decision boundary"
    State = GeometryState
    View = LineGeometry

    def make_controls(self):
        return {
            "angle": slider("angle of w", -180.0, 180.0, 1.0),
            "length": slider("length |w|", SHORTEST, 2.0, 0.05),
            "b": slider("b", -2.0, 2.0, 0.05),
        }

    @staticmethod
    def compute(state):
        w, x = state.w, np.array(state.x)
        y = w @ x + state.b
        x_perp = x - w * y / (w @ w)
        side = np.sign(y) * np.linalg.norm(x - x_perp)
        facts = {
            "y(x) = w·x + b": f"{y:.4f}",
            "|w|": f"{state.length:.4f}",
            "r = y(x)/|w|": f"{y / state.length:.4f}",
            "± |x − x⊥|": f"{side:.4f}",
            "y(x⊥)": four(w @ x_perp + state.b),
            "line to origin": f"{abs(state.b) / state.length:.4f}",
        }
        return Picture(
            facts,
            f"The probe has y(x) = {y:.3f}; divided by |w| = {state.length:.2f} this is its signed distance "
            f"{y / state.length:.3f} from the line.",
        )

    def draw(self, view, state, picture):
        view.update(state.w, state.b, np.array(state.x))

    def handles(self, view, state):
        foot = -state.w * state.b / state.length**2
        own, good = self.figure.palette.own, self.figure.palette.good
        ax = view.axes[0]
        return [Handle("probe", ax, *state.x, own), Handle("tip", ax, *(foot + state.w), good)]

    def moved(self, state, name, x, y):
        if name == "probe":
            return {"x": (x, y)}
        # the tip turns w, the slider stretches it; far out on the other side the tip lies behind the origin
        behind = state.length < state.b / state.length
        return {"angle": direction(x, y, flip=behind)}


geometry = factory("geometry", GeometryExplorer)
