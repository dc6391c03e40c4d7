"""The explorer of Lagrange multipliers: one bowl, one constraint, one multiplier."""

from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.figures.svm.lagrange import ConstrainedBowl, case_of
from sparsekm_edu.lessons.lagrange import Bowl
from sparsekm_edu.live.canvas import Handle, direction
from sparsekm_edu.live.controls import four, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.validation import Impossible

FARTHEST = 2.4  # of the bottom from the origin: keeps the multiplier on the scale of its slider


@dataclass(frozen=True, eq=False)
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
    """Move the bowl, the constraint and your own multiplier; the gap closes only at the right one."""

    title = "Lagrange multiplier and dual"
    State = LagrangeState
    View = ConstrainedBowl
    panels = {"ncols": 2}
    size = 7.6, 4.1

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
            raise Impossible("λ must be ≥ 0 for the constraint g(x) ≥ 0: a wall can push x, never pull it")
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


lagrange = factory("lagrange", LagrangeExplorer)
