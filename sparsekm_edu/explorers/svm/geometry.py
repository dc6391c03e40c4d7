"""The explorer of figure 14.12 (a): what w, w0 and f(x) are in the plane."""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.figures.svm.geometry import LineGeometry
from sparsekm_edu.live.canvas import Handle, direction
from sparsekm_edu.live.controls import four, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory

SHORTEST = 0.2  # |w| below this has no direction that a hand could mean


@dataclass(frozen=True, eq=False)
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
    """Figure 14.12 (a): drag the probe or the tip of w and compare f(x) / |w| with the distance you see."""

    title = "Geometry of a linear decision boundary"
    State = GeometryState
    View = LineGeometry

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


geometry = factory("geometry", GeometryExplorer)
