"""Explorers of relevance vector machines: Ripley's mixture, drawn again and again, and three classes at once."""

from dataclasses import dataclass, field
from functools import cache, lru_cache

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.rvm.ripley import (
    PAPER,
    RIPLEY,
    Draws,
    SoftmaxMachine,
    describe_draws,
    describe_softmax,
)
from sparsekm_edu.figures.style import THREE_CLASSES, WIDE
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.lessons.true_error import cell_masses, least_risk, risk
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Explorer, Picture
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.models import RVC
from sparsekm_edu.solvers import c_path

# ---- Ripley's mixture -----------------------------------------------------------------------------------
DRAWS = 25
WIDTH = Gaussian(gamma=4.0)  # Tipping's width r = 0.5: gamma = 1 / r^2
LEAST_C, MOST_C = 10**-1.5, 1000.0  # C = 1 is on the slider between them
PLANE = grid_over(RIPLEY, 72)
FINE = grid_over(RIPLEY, 200)  # for errors, which it gives to 0.03 %


@dataclass(frozen=True)
class RipleyState:
    """draw: its number; C of the SVM."""

    draw: int = 1
    C: float = 1.0


@dataclass(frozen=True)
class RipleyPicture(Picture):
    """X, t: the draw; Y, odds: SVM and RVM on PLANE; support, relevance: indices; svm, rvm (draw, 2): vectors and test
    errors in all draws so far.
    """

    X: np.ndarray
    t: np.ndarray
    Y: np.ndarray
    odds: np.ndarray
    support: np.ndarray
    relevance: np.ndarray
    svm: np.ndarray
    rvm: np.ndarray


@cache
def masses():
    """The probability of every cell of FINE under class -1 and class +1."""
    return [cell_masses(*FINE, centres, datasets.RIPLEY_VARIANCE) for centres in datasets.RIPLEY_CENTRES]


@cache
def least_error():
    """The Bayes error."""
    return least_risk(*masses())


@cache
def true_odds():
    """The true log odds on PLANE."""
    minus, plus = (
        cell_masses(*PLANE, centres, datasets.RIPLEY_VARIANCE) for centres in datasets.RIPLEY_CENTRES
    )
    return np.log(plus / minus)


@cache
def _drawn(number):
    """Draw `number`: X, t, the SVMs of all C, the RVM on PLANE, its members, and (vectors, error) of it."""
    X, t = datasets.ripley(seed=number - 1)
    model = RVC(kernel=WIDTH).fit(X, t)
    odds = model.surface(*PLANE)
    path = c_path(WIDTH(X), t, C_max=MOST_C)
    return X, t, path, odds, model.relevance_, (len(model.relevance_), risk(model.surface(*FINE), *masses()))


@cache
def _all_draws():
    return [_drawn(number) for number in range(1, DRAWS + 1)]


@lru_cache(1024)
def _support(number, C):
    """Of draw `number`: support vectors of the SVM, their coefficients, b, and (vectors, error)."""
    X, _, path, *_ = _drawn(number)
    solution = path.at(C)
    support = np.flatnonzero(np.abs(solution.v) > 1e-8 * C)
    v = solution.v[support]
    error = risk(WIDTH.on_grid(*FINE, X[support], v) + solution.b, *masses())
    return support, v, solution.b, (len(support), error)


class RipleyExplorer(Explorer):
    """Tipping's figure 2, drawn again and again."""

    title = "Ripley's mixture"
    size = 7.6, 4.0

    def first_state(self):
        return RipleyState()

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 2, height_ratios=(1.7, 1))
        return Draws(*(sheet.add_subplot(place) for place in (cells[0, 0], cells[0, 1], cells[1, :])))

    def make_controls(self):
        return {
            "draw": widgets.IntSlider(description="draw", min=1, max=DRAWS),
            "C": log_slider("SVM's C", LEAST_C, MOST_C),
        }

    def make_buttons(self):
        return [self.button("Draw again", "another 100 points", self.draw_again)]

    def draw_again(self):
        """The next draw; after the last comes the first."""
        self.set(draw=self.state.draw % DRAWS + 1)

    @staticmethod
    def compute(state):
        draws = _all_draws()[: state.draw]
        X, t, _, odds, relevance, _ = draws[-1]
        machines = [_support(number, state.C) for number in range(1, state.draw + 1)]
        support, v, b, _ = machines[-1]
        Y = WIDTH.on_grid(*PLANE, X[support], v) + b
        svm, rvm = np.array([machine[-1] for machine in machines]), np.array([draw[-1] for draw in draws])
        least = least_error()
        (svs, svm_error), (rvs, rvm_error) = np.median(svm, axis=0), np.median(rvm, axis=0)
        facts = {
            "this draw: SVM": f"{svm[-1, 0]:.0f} SVs, {svm[-1, 1]:.1%}",
            "this draw: RVM": f"{rvm[-1, 0]:.0f} RVs, {rvm[-1, 1]:.1%}",
            "median so far: SVM": f"{svs:.0f}, {svm_error:.1%}",
            "median so far: RVM": f"{rvs:.0f}, {rvm_error:.1%}",
            "the paper: SVM": "{}, {:.1%}".format(*PAPER["SVM"]),
            "the paper: RVM": "{}, {:.1%}".format(*PAPER["RVM"]),
            "least possible error": f"{least:.2%}",
            "RVM errs less in": f"{np.sum(rvm[:, 1] < svm[:, 1])} of {state.draw}",
        }
        description = describe_draws(svm, rvm, least)
        return RipleyPicture(facts, description, X, t, Y, odds, support, relevance, svm, rvm)

    def draw(self, view, state, picture):
        of_draw = picture.Y, picture.odds, true_odds(), picture.support, picture.relevance
        view.machines.update(picture.X, picture.t, PLANE, *of_draw)
        view.cloud.update(picture.svm, picture.rvm, least_error())


def ripley_draws():
    """SVM and RVM on Ripley's mixture: one draw after the other, and the distribution of vectors and errors."""
    return RipleyExplorer()


# ---- three classes --------------------------------------------------------------------------------------
FIRST = datasets.three_classes(36)
TEST = datasets.three_classes(1000, seed=1000)
GRID = grid_over(WIDE, 50)


@dataclass(frozen=True)
class SoftmaxState:
    """gamma of the Gaussian kernel; probability as in RVC; X, t: the data; x1, x2: where probabilities are read off."""

    gamma: float = 0.5
    probability: str = "moderated"
    X: np.ndarray = field(default_factory=lambda: FIRST[0])
    t: np.ndarray = field(default_factory=lambda: FIRST[1])
    drawn: int = 0
    x1: float = 0.0
    x2: float = 0.0


@dataclass(frozen=True)
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
        raise ValueError("each of the three classes needs at least one point; add one")
    model = RVC(kernel=Gaussian(gamma=gamma), probability=probability).fit(X, t)
    wrong = model.predict(np.vstack([X, TEST[0]])) != np.append(t, TEST[1])
    return model, np.exp(model.surface(*GRID)), int(wrong[: len(t)].sum()), float(wrong[len(t) :].mean())


class SoftmaxExplorer(PointsExplorer):
    """Three classes at once by the softmax RVM."""

    title = "Softmax RVM"
    source = staticmethod(lambda seed: datasets.three_classes(36, seed))
    classes = THREE_CLASSES
    most_points = 60
    size = 7.6, 4.0

    def first_state(self):
        return SoftmaxState()

    def make_view(self, sheet):
        return SoftmaxMachine(*sheet.subplots(1, 2, width_ratios=(2.8, 1)))

    def make_controls(self):
        return {
            "gamma": log_slider("γ", 0.05, 10.0),
            "probability": widgets.Dropdown(description="probability", options=["moderated", "plug-in"]),
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


def softmax_rvm():
    """Three classes with one softmax: probabilities as colours, relevance vectors, their weights; drag the points."""
    return SoftmaxExplorer()
