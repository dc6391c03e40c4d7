"""Explorers of learning theory: what lines can shatter, and what the bounds promise against what happens."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.svm.shattering import Shattering
from sparsekm_edu.figures.svm.theory import SampleAndBounds
from sparsekm_edu.lessons.bounds import (
    compression_bound,
    cosines,
    gibbs_error,
    holdout_bound,
    pac_bayes_bound,
    vc_bound,
    vc_probability,
    vc_sample_size,
)
from sparsekm_edu.lessons.capacity import (
    Line,
    cover_count,
    dichotomies,
    labellings,
    line_error,
    radon,
    widest_line,
)
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import certificate, log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.player import Player
from sparsekm_edu.solvers import hard_margin, kkt, smo

# ---- shattering -----------------------------------------------------------------------------------------
NOTCH = 0.1  # points stand on a fine grid, so that a hand can put three of them exactly on a line
CONVEX = np.array([(-1.6, -1.2), (1.4, -1.6), (1.8, 1.2), (-1.2, 1.7), (0.2, 2.4)])
ONE_INSIDE = np.array([(-1.9, -1.5), (1.9, -1.5), (0.0, 2.0), (0.1, -0.4), (-2.2, 1.4)])
ON_A_LINE = np.array([(-1.8, -0.9), (0.0, 0.0), (1.8, 0.9), (-0.8, 1.6), (0.8, -1.6)])


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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
    """Every labelling of two to five points, tried with the hard-margin solver."""

    title = "Shattering"
    size = 7.6, 4.1

    def first_state(self):
        return ShatteringState()

    def last_step(self, state):
        return 2**state.n - 1

    def make_view(self, sheet):
        return Shattering(*sheet.subplots(1, 2))

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
            raise ValueError("X must hold 5 places with coordinates between -3 and 3")
        if state.n != int(state.n):
            raise ValueError(f"n must be a whole number from 2 to 5, got {state.n:g}")

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


def shattering():
    """Place two to five points and play through all their labellings: which ones can a straight line do?"""
    return ShatteringExplorer()


# ---- bounds ---------------------------------------------------------------------------------------------
SIZES = (10, 14, 20, 28, 40, 57, 80, 113, 160, 200)
SETS = 20  # data sets of one size
LENGTHS = np.geomspace(0.5, 40, 40)  # of the mean of Q; PAC-Bayes holds for all of them at once
AXIS = np.unique(np.geomspace(8, 2000, 40).astype(int))


@dataclass(frozen=True)
class BoundsState:
    """N points, `gap` away from the true line; confidence 1 - delta; epsilon: the error that one would like."""

    N: int = 40
    gap: float = 0.0
    epsilon: float = 0.1
    delta: float = 0.05
    drawn: int = 0


@dataclass(frozen=True)
class BoundsPicture(Picture):
    """X, t, line: the data set shown; errors (SETS,) of this and others; bounds: {name: (N, values)}."""

    X: np.ndarray
    t: np.ndarray
    line: Line
    errors: np.ndarray
    bounds: dict


@remembered(maxsize=128)
def _experiment(N, gap, drawn):
    """The first data set with its line; how many of its second half the line of the first half misses; all errors."""
    sets = [datasets.noise_free(N, gap, seed=[drawn, N, k]) for k in range(SETS)]
    lines = [widest_line(X, t) for X, t in sets]
    (X, t), half = sets[0], N // 2
    tested = widest_line(X[:half], t[:half])
    missed = int(np.sum(t[half:] * (X[half:] @ tested.w + tested.b) <= 0))
    return X, t, lines[0], missed, np.array([line_error(line.w, line.b, gap) for line in lines])


@remembered(maxsize=64)
def _vc_curve(delta):
    return np.array([vc_bound(int(N), delta) for N in AXIS])


class BoundsExplorer(Explorer):
    """One world, four promises: how large is the error of the widest line, and how large could it be?"""

    title = "Bounds"
    size = 7.6, 4.1

    def first_state(self):
        return BoundsState()

    def make_view(self, sheet):
        return SampleAndBounds(*sheet.subplots(1, 2), ("VC", "PAC-Bayes", "compression", "hold-out"))

    def make_controls(self):
        return {
            "N": widgets.SelectionSlider(description="points N", options=SIZES),
            "gap": slider("gap", 0.0, 1.0, 0.05),
            "epsilon": slider("ε", 0.01, 0.5, 0.01),
            "delta": log_slider("δ", 0.001, 0.5),
        }

    def make_buttons(self):
        return [self.button("Draw again", "new data sets", self.draw_again)]

    def draw_again(self):
        """New data sets of the same size."""
        self.set(drawn=self.state.drawn + 1)

    def check(self, state):
        if state.N not in SIZES:
            raise ValueError(f"N must be one of {', '.join(map(str, SIZES))}, got {state.N}")

    @staticmethod
    def compute(state):
        N, delta = state.N, state.delta
        X, t, line, missed, errors = _experiment(N, state.gap, state.drawn)
        seen = gibbs_error(cosines(X, t, line.w, line.b), LENGTHS)
        here = {
            "PAC-Bayes": float(pac_bayes_bound(seen, LENGTHS**2 / 2, N, delta).min()),
            "compression": compression_bound(N, len(line.support), delta),
            "hold-out": holdout_bound(missed, N - N // 2, delta),
        }
        bounds = {name: ([N], [value]) for name, value in here.items()}
        above, asked = int(np.sum(errors > state.epsilon)), vc_sample_size(state.epsilon, delta)
        facts = {
            "true error, left": f"{errors[0]:.4f}" if errors[0] >= 1e-4 else "< 0.0001",
            "error > ε": f"{above} of {SETS} sets",
            "VC expects at most": f"{SETS * vc_probability(N, state.epsilon):.3g} of {SETS}",
            "N that VC asks for": f"{asked}",
            "VC bound": f"{vc_bound(N, delta):.3f}",
            "PAC-Bayes, Gibbs": f"{here['PAC-Bayes']:.3f}",
            f"compression, {len(line.support)} SVs": f"{here['compression']:.3f}",
            f"hold-out, {missed} missed": f"{here['hold-out']:.3f}",
        }
        description = (
            f"{N} points: the widest line has a true error of {errors[0]:.4f}, and {above} of {SETS} data sets of this "
            f"size lead to more than {state.epsilon:g}. With confidence {1 - delta:g} the VC bound promises at most "
            f"{vc_bound(N, delta):.3f}, PAC-Bayes {here['PAC-Bayes']:.3f}, compression {here['compression']:.3f} and a "
            f"held-out half {here['hold-out']:.3f}."
        )
        return BoundsPicture(
            facts, description, X, t, line, errors, {"VC": (AXIS, _vc_curve(delta)), **bounds}
        )

    def draw(self, view, state, picture):
        line = picture.line
        view.update(
            picture.X,
            picture.t,
            (line.w, line.b),
            line.support,
            state.gap,
            picture.bounds,
            picture.errors,
            state.epsilon,
        )


def bounds():
    """Choose N, the gap between the classes, epsilon and delta: four bounds beside the errors that really occur."""
    return BoundsExplorer()
