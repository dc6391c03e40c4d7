"""The explorer of bounds: what they promise against what happens."""

from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.svm.bounds import SampleAndBounds
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
    line_error,
    widest_line,
)
from sparsekm_edu.live.controls import log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered

SIZES = (10, 14, 20, 28, 40, 57, 80, 113, 160, 200)
SETS = 20  # data sets of one size
LENGTHS = np.geomspace(0.5, 40, 40)  # of the mean of Q; PAC-Bayes holds for all of them at once
AXIS = np.unique(np.geomspace(8, 2000, 40).astype(int))


@dataclass(frozen=True, eq=False)
class BoundsState:
    """N points, `gap` away from the true line; confidence 1 - delta; epsilon: the error that one would like."""

    N: int = 40
    gap: float = 0.0
    epsilon: float = 0.1
    delta: float = 0.05
    drawn: int = 0


@dataclass(frozen=True, eq=False)
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
    """Choose N, the gap between the classes, epsilon and delta: four bounds beside the errors that really occur."""

    title = "Bounds"
    State = BoundsState
    size = 7.6, 4.1

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


bounds = factory("bounds", BoundsExplorer)
