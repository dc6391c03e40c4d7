"""The explorer of figure 14.1: two sets on a line, matched by ever coarser histograms."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.figures.kernels.pyramid import LEVELS, LINE, ROWS, Pyramid
from sparsekm_edu.kernels import PyramidMatch
from sparsekm_edu.lessons.matching import Matching, best_matching, histograms, pyramid_matching
from sparsekm_edu.live.controls import slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.rails import TwoRowsExplorer


def two_sets(seed=0):
    """X (N, 1), t: eight points of set x (t = +1), and six of set z (t = -1), most of them near one of x."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.2, 7.8, 8)
    z = np.append(x[:5] + rng.normal(0.0, 0.4, 5), rng.uniform(0.2, 7.8))
    return np.append(x, z.clip(0.1, 7.9))[:, None], np.repeat([1.0, -1.0], [8, 6])


# new pairs at each of four levels: 2, 1, 1 and 1
FIRST_X = np.array([0.2, 0.6, 0.9, 1.3, 3.3, 5.4, 1.7, 2.4, 3.1, 4.3, 6.9])[:, None]
FIRST_T = np.repeat([1.0, -1.0], [6, 5])


@dataclass(frozen=True, eq=False)
class PyramidState:
    """levels, side of the finest bins, where the grid begins; X (N, 1), t: set x is +1, set z is -1."""

    levels: int = 4
    side: float = 1.0
    origin: float = 0.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class PyramidPicture(Picture):
    """x (m,), z (n,): the sets; histograms, one per level; found, best: the matchings of the pyramid and by ruler."""

    x: np.ndarray
    z: np.ndarray
    histograms: list
    found: Matching
    best: Matching


class PyramidExplorer(TwoRowsExplorer):
    """Figure 14.1: move points and bins; coarse bins match what fine bins missed, at half the price."""

    title = "Pyramid match of two sets"
    State = PyramidState
    View = Pyramid
    panels = {"nrows": 3}
    source = staticmethod(two_sets)
    most_points = 30
    rows = ROWS
    size = 7.6, 4.1

    def make_controls(self):
        return {
            "levels": widgets.IntSlider(description="levels", min=1, max=LEVELS),
            "side": slider("finest side", 0.25, 2.0, 0.05),
            "origin": slider("grid from", -4.0, 0.0, 0.05),
        }

    @staticmethod
    def compute(state):
        x, z = state.X[state.t > 0], state.X[state.t < 0]
        kernel = PyramidMatch(state.levels, state.side, state.origin)
        found, best = pyramid_matching(x, z, kernel), best_matching(x, z, kernel)
        new = kernel.matches(x, z)
        value = float(kernel.weights() @ new)  # kernel([x], [z])
        self_x, self_z = kernel.diag([x, z])
        facts = {
            "points of x | of z": f"{len(x)} | {len(z)}",
            "new pairs, fine → coarse": " ".join(map(str, new)),
            "k = Σ new / 2^level": f"{value:.4f}",
            "best matching": f"{best.value:.4f}",
            "k / best": f"{value / best.value:.3f}" if best.value else "none",
            "pairs, k | best": f"{len(found.pairs)} | {len(best.pairs)}",
            "k(x, x) | k(z, z)": f"{self_x:.0f} | {self_z:.0f}",
        }
        description = (
            f"{len(x)} points of x and {len(z)} of z. New pairs from the finest bins, of side {state.side:.2f}, to the "
            f"coarsest: {facts['new pairs, fine → coarse']}, worth k = {value:.4f}; the best matching is worth "
            f"{best.value:.4f}."
        )
        return PyramidPicture(facts, description, x[:, 0], z[:, 0], histograms(x, z, kernel), found, best)

    def draw(self, view, state, picture):
        view.update(picture.x, picture.z, picture.histograms, picture.found, picture.best)

    def moved(self, state, name, x, y):
        return super().moved(state, name, float(np.clip(x, *LINE)), y)  # words stand beside the line

    def add(self, x, y, label):
        super().add(float(np.clip(x, *LINE)), y, label)


pyramid = factory("pyramid", PyramidExplorer)
