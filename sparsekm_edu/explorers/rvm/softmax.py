"""The explorer of the relevance vector machine for three classes at once."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.rvm.softmax import SoftmaxMachine, describe_softmax
from sparsekm_edu.figures.style import THREE_CLASSES, WIDE
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.models import RVC
from sparsekm_edu.validation import Impossible

FIRST = datasets.three_classes(36)
TEST = datasets.three_classes(1000, seed=1000)
GRID = grid_over(WIDE, 50)


@dataclass(frozen=True, eq=False)
class SoftmaxState:
    """gamma of the Gaussian kernel; probability as in RVC; X, t: the data; x1, x2: where probabilities are read off."""

    gamma: float = 0.5
    probability: str = "averaged"
    X: np.ndarray = field(default_factory=lambda: FIRST[0])
    t: np.ndarray = field(default_factory=lambda: FIRST[1])
    drawn: int = 0
    x1: float = 0.0
    x2: float = 0.0


@dataclass(frozen=True, eq=False)
class SoftmaxPicture(Picture):
    """P (3, H, W): probabilities on GRID; centres (R, 2), W (R, 3) and bias (3,) of the model."""

    P: np.ndarray
    centres: np.ndarray
    W: np.ndarray
    bias: np.ndarray


@remembered(maxsize=4)
def _machine(X, t, gamma, probability):
    """The fitted RVM, its probabilities on GRID, errors on the training and rate of errors on the test points."""
    if len(np.unique(t)) < 3:
        raise Impossible("each of the three classes needs at least one point; add one")
    model = RVC(kernel=Gaussian(gamma=gamma), probability=probability).fit(X, t)
    wrong = model.predict(np.vstack([X, TEST[0]])) != np.append(t, TEST[1])
    return model, np.exp(model.surface(*GRID)), int(wrong[: len(t)].sum()), float(wrong[len(t) :].mean())


class SoftmaxExplorer(PointsExplorer):
    """Three classes with one softmax: probabilities as colours, relevance vectors, their weights; drag the points."""

    title = "Softmax RVM"
    State = SoftmaxState
    View = SoftmaxMachine
    panels = {"ncols": 2, "width_ratios": (2.8, 1)}
    source = staticmethod(lambda seed: datasets.three_classes(36, seed))
    classes = THREE_CLASSES
    most_points = 60
    size = 7.6, 4.0

    def make_controls(self):
        return {
            "gamma": log_slider("γ", 0.05, 10.0),
            "probability": widgets.Dropdown(description="probability", options=["averaged", "plug-in"]),
        }

    @staticmethod
    def compute(state):
        t = state.t
        model, P, errors, test_error = _machine(state.X, t, state.gamma, state.probability)
        there = model.predict_proba([[state.x1, state.x2]])[0]
        free, possible = len(model.solution_.m), 3 * (len(t) + 1)
        facts = {
            "relevance vectors": f"{model.n_relevance_} of {len(t)}",
            "weights, of M K": f"{free} of {possible}",
            "Hessian": f"{free} x {free}",
            "with all functions": f"{possible} x {possible}",
            "ln evidence (7.114)": f"{model.log_evidence_:.3f}",
            "training errors": f"{errors} of {len(t)}",
            "test error": f"{test_error:.1%}",
            "p(●), p(■), p(▲) at ◆": " ".join(f"{p:.2f}" for p in there),
        }
        W, bias = model.coef_.T, np.broadcast_to(model.intercept_, 3)
        description = describe_softmax(t, P, W, bias)
        return SoftmaxPicture(facts, description, P, model.relevance_vectors_, W, bias)

    def draw(self, view, state, picture):
        model = picture.P, picture.centres, picture.W, picture.bias
        view.update(state.X, state.t, GRID, *model, (state.x1, state.x2))

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])

    def handles(self, view, state):
        probe = Handle("probe", view.axes[0], state.x1, state.x2, self.stage.sheet.palette.own, "diamond")
        return [*super().handles(view, state), probe]

    def moved(self, state, name, x, y):
        return {"x1": x, "x2": y} if name == "probe" else super().moved(state, name, x, y)


softmax_rvm = factory("softmax_rvm", SoftmaxExplorer)
