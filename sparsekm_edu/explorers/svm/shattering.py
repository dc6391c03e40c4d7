"""The explorer of shattering: place the points, and see which labellings a line can tell apart."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.figures.svm.shattering import Shattering
from sparsekm_edu.lessons.capacity import (
    Line,
    cover_count,
    dichotomies,
    labellings,
    radon,
)
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import certificate
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.player import Player
from sparsekm_edu.solvers import hard_margin, kkt, smo
from sparsekm_edu.validation import Impossible

NOTCH = 0.1  # points stand on a fine grid, so that a hand can put three of them exactly on a line
CONVEX = np.array([(-1.6, -1.2), (1.4, -1.6), (1.8, 1.2), (-1.2, 1.7), (0.2, 2.4)])
ONE_INSIDE = np.array([(-1.9, -1.5), (1.9, -1.5), (0.0, 2.0), (0.1, -0.4), (-2.2, 1.4)])
ON_A_LINE = np.array([(-1.8, -0.9), (0.0, 0.0), (1.8, 0.9), (-0.8, 1.6), (0.8, -1.6)])


@dataclass(frozen=True, eq=False)
class ShatteringState:
    """n: how many of the five places X (5, 2) hold a point; step: the labelling, by its row in `labellings`."""

    step: int = 5
    n: int = 4
    X: np.ndarray = field(default_factory=lambda: CONVEX)

    @property
    def points(self):
        """The places in use, (n, 2)."""
        return self.X[: self.n]

    @property
    def t(self):
        """The labelling, (n,)."""
        return labellings(self.n)[self.step]


@dataclass(frozen=True, eq=False)
class ShatteringPicture(Picture):
    """labels (L, n) and lines, one or None for each: the labellings that give the first point the colour it has in the
    state; chosen: the state's own. line: its line; proof: two groups whose hulls meet, and where, if there is none."""

    labels: np.ndarray
    lines: list
    chosen: int
    line: Line | None
    proof: tuple | None


@remembered(maxsize=64)
def _dichotomies(X):
    """The lines depend on the points only: a step from labelling to labelling need not look for them again."""
    return dichotomies(X)


class ShatteringExplorer(Player, Explorer):
    """Place two to five points and play through all their labellings: which ones can a straight line do?"""

    title = "Shattering"
    State = ShatteringState
    View = Shattering
    panels = {"ncols": 2}
    size = 7.6, 4.1

    def last_step(self, state):
        return 2**state.n - 1

    def make_controls(self):
        controls = super().make_controls()
        self.steps.description = "labelling"
        return {**controls, "n": widgets.IntSlider(description="points", min=2, max=5)}

    def make_buttons(self):
        places = {"Convex": CONVEX, "One inside": ONE_INSIDE, "Three on a line": ON_A_LINE}
        return [
            self.button(name, "put the points there", lambda X=X: self.set(X=X)) for name, X in places.items()
        ]

    def check(self, state):
        if np.shape(state.X) != (5, 2) or np.abs(state.X).max() > 3:
            raise Impossible(
                f"X must hold 5 places with coordinates between -3 and 3, got {state.X.tolist()}"
            )

    @staticmethod
    def compute(state):
        X, t, half = state.points, state.t, 2 ** (state.n - 1)
        found = _dichotomies(X)
        shown = slice(0, half) if state.step < half else slice(half, None)
        line, done = found[state.step], sum(line is not None for line in found)
        proof = None if line else radon(X, t)
        one_class = len(set(t)) == 1
        if line is None:
            margin, referee, meet = (
                "no line",
                "–",
                " | ".join(" ".join(f"{n + 1}" for n in who) for who in proof[:2]),
            )
        elif one_class:
            margin, referee, meet = "one class", "–", "no"
        else:
            margin, meet = f"{line.margin:.3f}", "no"
            problem = hard_margin(X @ X.T, t)
            referee = certificate(kkt(problem, smo(problem)).violation)
        facts = {
            "labellings": f"{len(found)}",
            "a line can do": f"{done}",
            "Cover's formula": f"{cover_count(state.n)} at most",
            "shattered": "yes" if done == len(found) else "no",
            "this labelling": " ".join("+" if label > 0 else "−" for label in t),
            "widest margin": margin,
            "KKT violation": referee,
            "hulls that meet": meet,
        }
        description = (
            f"{state.n} points have {len(found)} labellings, and a straight line can do {done} of them. "
            + (f"Labelling {facts['this labelling']} has a line." if line else f"The hulls of {meet} meet.")
        )
        return ShatteringPicture(
            facts,
            description,
            labellings(state.n)[shown],
            found[shown],
            state.step % half,
            line,
            proof,
        )

    def draw(self, view, state, picture):
        pairs = [line and (line.w, line.b) for line in picture.lines]
        line, support = (
            picture.line and (picture.line.w, picture.line.b),
            picture.line and picture.line.support,
        )
        view.update(
            state.points, state.t, line, support, picture.proof, picture.labels, pairs, picture.chosen
        )

    def handles(self, view, state):
        colours = self.figure.palette
        looks = {1.0: (colours.plus, "circle"), -1.0: (colours.minus, "square")}
        return [
            Handle(("corner", n), view.axes[0], *place, *looks[label])
            for n, (place, label) in enumerate(zip(state.points, state.t, strict=True))
        ]

    def moved(self, state, name, x, y):
        X = state.X.copy()
        X[name[1]] = np.round(np.array([x, y]) / NOTCH) * NOTCH
        return {"X": X}


shattering = factory("shattering", ShatteringExplorer)
