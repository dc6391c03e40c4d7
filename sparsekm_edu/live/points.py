"""Explorers of points: drag them, add them, delete them, draw new ones."""

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.figures.style import ONE_KIND, TWO_CLASSES
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.explorer import Explorer
from sparsekm_edu.validation import Impossible

SHAPES = {
    "o": ("circle", "●"),
    "s": ("square", "■"),
    "^": ("triangle", "▲"),
}  # marker -> name, sign on a button


class PointsExplorer(Explorer):
    """An explorer of labelled points in the plane, which can be dragged, added and deleted.

    Its state has the fields `X` (N, 2), `t` (N,) and `drawn`, how often new points were drawn from `source`.
    """

    most_points = 200
    editable = True
    source = None  # seed -> X, t
    classes = TWO_CLASSES  # label -> (role of its colour, marker)

    def points_axes(self, view):
        """The Axes on which the points can be dragged."""
        return view.axes[:1]

    # how the fields of the state look in the plane, and back; a curve has it another way
    def places(self, state):
        """Where the points are drawn, (N, 2)."""
        return state.X

    def labels(self, state):
        """A key of `classes` for each point."""
        return state.t

    def data(self, places, labels):
        """The fields of the state for points at `places`."""
        return {"X": places, "t": labels}

    def handles(self, view, state):
        colours = self.stage.sheet.palette
        looks = {
            label: (getattr(colours, role), SHAPES[mark][0]) for label, (role, mark) in self.classes.items()
        }
        pairs = list(zip(self.places(state), self.labels(state), strict=True))
        return [
            Handle(("point", n), ax, *place, *looks[int(label)])
            for ax in self.points_axes(view)
            for n, (place, label) in enumerate(pairs)
        ]

    def moved(self, state, name, x, y):
        kind, n = name
        places = self.places(state).copy()
        places[n] = x, y
        return self.data(places, self.labels(state))

    def extra_controls(self):
        adding = {f"Add {SHAPES[mark][1]}": f"{label:+d}" for label, (_, mark) in self.classes.items()}
        self.mode = widgets.ToggleButtons(
            options=[("Move", "move"), *adding.items(), ("Delete", "remove")],
            tooltips=["drag points", *["click to add a point of this kind"] * len(adding), "click to delete"],
        )

        def chosen(change):
            self.canvas.mode = change["new"] if change["new"] in ("move", "remove") else "add"

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
            raise Impossible(f"X must have shape ({len(state.t)}, 2) to go with t, got {np.shape(state.X)}")
        if not np.isin(state.t, list(self.classes)).all():
            names = [f"{label:+d}" if label else "0" for label in sorted(self.classes)]
            raise Impossible(f"t must hold the labels {' and '.join(names)} only")

    def add(self, x, y, label):
        """A new point of class `label`."""
        if len(self.state.t) >= self.most_points:
            self._say(f"{self.most_points} points are enough; delete some to add others")
            return
        places = np.vstack([self.places(self.state), (x, y)])
        self.set(**self.data(places, np.append(self.labels(self.state), float(label))))

    def remove(self, n):
        """Delete point n."""
        places, labels = self.places(self.state), self.labels(self.state)
        self.set(**self.data(np.delete(places, n, axis=0), np.delete(labels, n)))

    def gestures(self):
        return super().gestures() | {"add": self._on_add, "remove": self._on_remove}

    def _on_add(self, gesture):
        ax, x, y = self.stage.from_page(gesture["u"], gesture["v"])
        if ax in self.points_axes(self.stage.view):
            self.add(x, y, int(self.mode.value))

    def _on_remove(self, gesture):
        handle = self._handle(gesture)
        if handle and handle.name[0] == "point":
            self.remove(handle.name[1])


class CurvePointsExplorer(PointsExplorer):
    """The same for points of a curve: `X` (N, 1) lies along the first axis and the target `t` (N,) along the second."""

    classes = ONE_KIND

    def places(self, state):
        return np.column_stack([state.X, state.t])

    def labels(self, state):
        return np.ones(len(state.t))

    def data(self, places, labels):
        return {"X": places[:, :1], "t": places[:, 1]}

    def check(self, state):
        if np.shape(state.X) != (len(state.t), 1):
            raise Impossible(f"X must have shape ({len(state.t)}, 1) to go with t, got {np.shape(state.X)}")


class DrawAgain(Explorer):
    """An explorer whose data come from a source and cannot be touched; `drawn` in its state is the seed."""

    size = 7.6, 4.1

    def make_buttons(self):
        return [self.button("Draw again", "new points from the same source", self.draw_again)]

    def draw_again(self):
        """New points from the same source."""
        self.set(drawn=self.state.drawn + 1)
