"""nu under the hand: the line between two fractions of the points can be dragged."""

import numpy as np

from sparsekm_edu.figures.layers import Fractions
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import slider

SMALLEST_NU = 0.02


def nu_slider():
    """The slider of nu."""
    return slider("ν", SMALLEST_NU, 1.0, 0.01)


class NuGrip:
    """To be mixed into a PointsExplorer, on the left of it, whose view shows `Fractions` on its second Axes."""

    def handles(self, view, state):
        own, strip = self.figure.palette.own, view.axes[1]
        return [*super().handles(view, state), Handle("nu", strip, state.nu, Fractions.GRIP, own, "diamond")]

    def moved(self, state, name, x, y):
        if name == "nu":
            return {"nu": round(float(np.clip(x, SMALLEST_NU, 1.0)), 2)}
        return super().moved(state, name, x, y)
