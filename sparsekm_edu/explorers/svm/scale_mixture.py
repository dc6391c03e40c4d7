"""Explorer of MLaPP (14.68): the support vector machine by EM, step by step."""

from dataclasses import dataclass, field

import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.svm.scale_mixture import LARGEST, MOST_STEPS, EMBoundary
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.player import Player
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.solvers import em_svm_steps, smo, soft_margin

FIRST_X, FIRST_T = datasets.clouds(40)


@dataclass(frozen=True, eq=False)
class ScaleMixtureState:
    """step of EM; C; X, t: the data."""

    step: int = 0
    C: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class ScaleMixturePicture(Picture):
    """inverse_lambda (N,), cut off at LARGEST; lines: (w, b) of steps 1 to the present one; goal: (w, b) of SMO;
    excess (S + 1,): of J over SMO's, relative to it."""

    inverse_lambda: np.ndarray
    lines: list
    goal: tuple
    excess: np.ndarray


@remembered()
def _steps(X, t, C):
    """SMO's solution and all steps of EM: they depend on the data and C only, so that going back is exact."""
    need_both_classes(t)
    K = X @ X.T
    steps = list(em_svm_steps(K, t, C, tol=1e-9, max_iter=MOST_STEPS))
    return smo(soft_margin(K, t, C), tol=1e-9), steps


def steps_of(state):
    """SMO's solution and all steps of EM for the data and the C of a state."""
    return _steps(state.X, state.t, float(state.C))


class ScaleMixtureExplorer(Player, PointsExplorer):
    """MLaPP (14.68): step through EM and watch a weighted regression turn into the support vector machine."""

    title = "The support vector machine by EM"
    State = ScaleMixtureState
    View = EMBoundary
    panels = {"ncols": 2, "width_ratios": (6, 4)}
    source = staticmethod(lambda seed: datasets.clouds(40, seed))
    most_points = 60
    size = 7.6, 4.1

    def make_controls(self):
        return {**super().make_controls(), "C": log_slider("C", 0.1, 10.0)}

    def last_step(self, state):
        return len(steps_of(state)[1]) - 1

    @staticmethod
    def compute(state):
        best, steps = steps_of(state)
        present = steps[state.step]
        J = np.array([step.objective for step in steps])
        excess = np.maximum(J / best.objective - 1, 0.0)
        inverse_lambda = 1 / np.maximum(np.abs(1 - state.t * present.y), 1 / LARGEST)
        now = float(excess[state.step])
        facts = {
            "step": f"{state.step} of {len(steps) - 1}",
            "J of EM, (7.21)": f"{J[state.step]:.6f}",
            "J of SMO": f"{best.objective:.6f}",
            "EM above SMO by": "< 1e-8" if now < 1e-8 else f"{now:.1e}",
            "J never rose": "yes" if np.all(np.diff(J) <= 1e-9 * J[:-1]) else "no",
            "points with |1−ty| < ¼": f"{np.sum(inverse_lambda > 4)} of {len(state.t)}",
            "aₙ = 0: EM": f"{np.sum(present.v == 0)} of {len(state.t)}",
            "aₙ = 0: SMO": f"{np.sum(best.v == 0)} of {len(state.t)}",
        }
        description = (
            f"After {state.step} steps of EM with C = {state.C:.3g} the objective is "
            f"{J[state.step]:.4f}; SMO's is {best.objective:.4f}."
        )
        lines = [(step.v @ state.X, step.b) for step in steps[1 : state.step + 1]]
        goal = best.v @ state.X, best.b
        return ScaleMixturePicture(facts, description, inverse_lambda, lines, goal, excess)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, picture.inverse_lambda, picture.lines, picture.goal, picture.excess)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)


scale_mixture = factory("scale_mixture", ScaleMixtureExplorer)
