"""Explorers of points on rails: they slide along an axis, in one row or in a row for each class."""

import dataclasses
from typing import ClassVar

import numpy as np

from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.validation import Impossible


class RailExplorer(PointsExplorer):
    """Points that slide along an axis: how high they are drawn means their class, or nothing."""

    most_points = 60

    def handles(self, view, state):
        # another name than that of points that go wherever they are dragged
        return [
            dataclasses.replace(handle, name=("rail", handle.name[1]))
            for handle in super().handles(view, state)
        ]

    def _on_remove(self, gesture):
        if gesture["index"] < len(self.labels(self.state)):
            self.remove(gesture["index"])


class TwoRowsExplorer(RailExplorer):
    """Two classes on an axis, `X` (N, 1), each in a row of its own; dragged across, a point changes its class."""

    rows: ClassVar = {1: 1.0, -1: -1.0}  # label -> height

    def places(self, state):
        return np.column_stack([state.X, np.where(state.t > 0, self.rows[1], self.rows[-1])])

    def data(self, places, labels):
        return {"X": places[:, :1], "t": labels}

    def check(self, state):
        if np.shape(state.X) != (len(state.t), 1):
            raise Impossible(f"X must have shape ({len(state.t)}, 1) to go with t, got {np.shape(state.X)}")
        if not np.isin(state.t, (-1, 1)).all():
            raise Impossible("t must hold the labels -1 and +1 only")

    def moved(self, state, name, x, y):
        X, t = state.X.copy(), state.t.copy()
        X[name[1]], t[name[1]] = x, 1.0 if y > (self.rows[1] + self.rows[-1]) / 2 else -1.0
        return {"X": X, "t": t}
