"""Explorer of K-medoids: Algorithm 14.1 step by step, and the swaps that help where it stands still."""

from dataclasses import dataclass, field
from itertools import pairwise

import ipywidgets as widgets
import numpy as np
from scipy.spatial.distance import cdist

from sparsekm_edu import datasets
from sparsekm_edu.figures.kernels.medoids import CLUSTERS, NOBODY, MedoidRun, changed, describe_medoids
from sparsekm_edu.figures.style import ONE_KIND
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.player import Player
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.solvers import k_medoids, k_medoids_steps
from sparsekm_edu.validation import Impossible

MEANS = (-2.0, -0.5), (0.7, 1.0), (1.9, -0.9)  # of three clouds: two near each other, one alone
N_STARTS = 10  # of the runs that the present one is compared with

DISTANCES = {
    "euclidean": lambda X, gamma: cdist(X, X),
    "squared": lambda X, gamma: cdist(X, X, "sqeuclidean"),  # (14.32)
    "gaussian": lambda X, gamma: 2 - 2 * np.exp(-gamma * cdist(X, X, "sqeuclidean")),  # (14.30)
}


def clouds(seed=14):
    """Three clouds of eight points, and no labels: all +1."""
    X, _ = datasets.around(MEANS, 24, spread=0.4, seed=seed)
    return X, np.ones(len(X))


FIRST_X, FIRST_T = clouds()


@dataclass(frozen=True, eq=False)
class MedoidsState:
    """step: how many were taken; K: medoids; distance: a name of DISTANCES, with gamma of the Gaussian kernel; start:
    the seed of the first medoids; X: the data, t: all +1.

    The first state is where Algorithm 14.1 stands still: two medoids in one cloud, one for the other two.
    """

    step: int = 4
    K: int = 3
    distance: str = "euclidean"
    gamma: float = 0.5
    start: int = 3
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class MedoidsPicture(Picture):
    """steps: MedoidSteps from the start on; best: the lowest cost of several runs."""

    steps: list
    best: float


@remembered(maxsize=16)
def _run(X, K, distance, gamma, start):
    """All steps from the first medoids on, and the lowest cost of these and several other runs."""
    if len(X) < K:
        raise Impossible(f"{K} medoids need at least {K} points; add some, or choose a smaller K")
    D = DISTANCES[distance](X, gamma)
    first = np.random.default_rng(start).choice(len(X), K, replace=False)
    steps = list(k_medoids_steps(D, first))
    return steps, min(k_medoids(D, K, N_STARTS).cost, steps[-1].cost)


def run_of(state):
    """What depends on everything but the step: computed once, so that going back is exact."""
    return _run(state.X, state.K, state.distance, state.gamma, state.start)


class MedoidsExplorer(Player, PointsExplorer):
    """Play K-medoids: points join medoids, medoids move within their clusters, and swaps do what neither can."""

    title = "K-medoids"
    State = MedoidsState
    View = MedoidRun
    panels = {"ncols": 2, "width_ratios": (1.9, 1)}
    source = staticmethod(clouds)
    classes = ONE_KIND
    size = 7.6, 3.7
    most_points = 60

    def make_controls(self):
        distances = [
            ("|x − x′|", "euclidean"),
            ("|x − x′|²", "squared"),
            ("Gaussian kernel", "gaussian"),
        ]
        return {
            **super().make_controls(),
            "K": widgets.IntSlider(description="K", min=1, max=len(CLUSTERS)),
            "distance": widgets.Dropdown(description="d(i, i′)", options=distances),
            "gamma": log_slider("γ", 0.05, 20.0),
        }

    def make_buttons(self):
        return [*super().make_buttons(), self.button("New start", "other first medoids", self.start_again)]

    def start_again(self):
        """The same points from other first medoids."""
        self.set(start=self.state.start + 1, step=0)

    def last_step(self, state):
        return len(run_of(state)[0]) - 1

    @staticmethod
    def compute(state):
        steps, best = run_of(state)
        k = state.step
        step = steps[k]
        saved = [0.0, *(before.cost - after.cost for before, after in pairwise(steps[: k + 1]))]
        by_swaps = sum(gain for gain, step in zip(saved, steps, strict=False) if step.action == "swap")
        facts = {
            "step": f"{k} of {len(steps) - 1}: {step.action}",
            "what moves": moves(step, steps[max(k - 1, 0)]),
            "cost": f"{step.cost:.3f}",
            "saved by this step": f"{saved[-1]:.3f}",
            "saved by swaps": f"{by_swaps:.3f}",
            f"best of {N_STARTS + 1} runs": f"{best:.3f}",
        }
        return MedoidsPicture(facts, describe_medoids(steps, k, best), steps, best)

    def draw(self, view, state, picture):
        self.widgets["gamma"].disabled = state.distance != "gaussian"
        view.update(state.X, picture.steps, state.step, picture.best)

    def draw_stale(self, view, state):
        view.points.update(state.X, np.full(len(state.X), NOBODY))


def moves(step, before):
    """Who moved in a step, in a few words."""
    if step.action in ("start", "end"):
        return "nothing"
    if step.action == "swap":
        k, n = step.swap
        return f"point {before.medoids[k]} → {n}"
    if step.action == "assign":
        joined = changed(step, before) if before.labels[0] >= 0 else step.labels >= 0
        return f"{joined.sum()} of {len(joined)} points"
    return f"{np.count_nonzero(step.medoids != before.medoids)} of {len(step.medoids)} medoids"


medoids = factory("medoids", MedoidsExplorer)
