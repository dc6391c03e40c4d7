"""Explorers of points: drag them, add them, delete them, draw new ones."""

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.explorers.base import Explorer
from sparsekm_edu.explorers.live import Handle


def need_both_classes(t):
    """What every classifier needs before it can be computed."""
    if len(set(t)) < 2:
        raise ValueError("each class needs at least one point; add one")


class PointsExplorer(Explorer):
    """An explorer of labelled points in the plane, which can be dragged, added and deleted.

    Its state has the fields `X` (N, 2), `t` (N,) and `drawn`, how often new points were drawn from `source`.
    """

    most_points = 200
    editable = True
    source = None  # seed -> X, t

    def points_axes(self, view):
        """The Axes that show the points."""
        return view.axes

    def handles(self, view, state):
        colours = self.stage.sheet.palette
        looks = {1: (colours.plus, "circle"), -1: (colours.minus, "square")}
        return [
            Handle(("point", n), ax, *state.X[n], *looks[int(state.t[n])])
            for ax in self.points_axes(view)
            for n in range(len(state.t))
        ]

    def moved(self, state, name, x, y):
        kind, n = name
        X = state.X.copy()
        X[n] = x, y
        return {"X": X}

    def extra_controls(self):
        self.mode = widgets.ToggleButtons(
            options=[("Move", "move"), ("Add ●", "+1"), ("Add ■", "-1"), ("Delete", "remove")],
            tooltips=[
                "drag points",
                "click to add a point of class +1",
                "... of class -1",
                "click to delete",
            ],
        )

        def chosen(change):
            self.canvas.mode = "add" if change["new"] in ("+1", "-1") else change["new"]

        self.mode.observe(chosen, "value")
        return [self.mode]

    def make_buttons(self):
        return [self.button("Draw again", "new points from the same source", self.draw_again)]

    def draw_again(self):
        """New points from the same source."""
        drawn = self.state.drawn + 1
        X, t = self.source(seed=100 + drawn)
        self.set(X=X, t=t, drawn=drawn)

    def check(self, state):
        if np.shape(state.X) != (len(state.t), 2):
            raise ValueError(f"X must have shape ({len(state.t)}, 2) to go with t, got {np.shape(state.X)}")
        if not np.isin(state.t, (-1, 1)).all():
            raise ValueError("t must hold the labels -1 and +1 only")

    def add(self, x, y, label):
        """A new point of class `label`."""
        if len(self.state.t) >= self.most_points:
            self._say(f"{self.most_points} points are enough; delete some to add others")
            return
        self.set(X=np.vstack([self.state.X, (x, y)]), t=np.append(self.state.t, float(label)))

    def remove(self, n):
        """Delete point n."""
        self.set(X=np.delete(self.state.X, n, axis=0), t=np.delete(self.state.t, n))

    def _on_add(self, gesture):
        ax, x, y = self.stage.from_page(gesture["u"], gesture["v"])
        if ax in self.points_axes(self.stage.view):
            self.add(x, y, int(self.mode.value))

    def _on_remove(self, gesture):
        handles = self.handles(self.stage.view, self.state)
        if gesture["index"] < len(handles) and handles[gesture["index"]].name[0] == "point":
            self.remove(handles[gesture["index"]].name[1])
