"""Explorers of the relevance vector classifier: figure 7.12 beside 7.4, where its kernels stand, how it is trained."""

from dataclasses import dataclass, field
from itertools import islice

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.rvm.classification import (
    LOG_ODDS,
    MOST_ROUNDS,
    Inside,
    Placing,
    RelevanceMachine,
    describe_inside,
    describe_placing,
    median_size,
    share_sure,
    slope_in_words,
)
from sparsekm_edu.figures.style import WIDE, two_above_one
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.lessons.inside_reestimation import inside_steps
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.player import Player
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.models import RVC, NuSVC
from sparsekm_edu.solvers import laplace_fit

FIRST = datasets.overlapping()
TEST = datasets.overlapping(4000, seed=1000)
NU = 0.3  # of figure 7.4 in notebook 02
GRID = grid_over(WIDE, 60)


# ---- figure 7.12 ----------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class RVMClassificationState:
    """gamma of the Gaussian kernel; probability as in RVC; svm: whether figure 7.4's machine is drawn, too; X, t."""

    gamma: float = 0.45
    probability: str = "plug-in"
    svm: bool = False
    X: np.ndarray = field(default_factory=lambda: FIRST[0])
    t: np.ndarray = field(default_factory=lambda: FIRST[1])
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class RVMClassificationPicture(Picture):
    """odds: log odds of class +1 on GRID, plug-in or averaged; at_points (N,): the same at the points; relevance,
    support: indices; other: y(x) of the SVM on GRID, None if it is not shown.
    """

    odds: np.ndarray
    at_points: np.ndarray
    relevance: np.ndarray
    support: np.ndarray
    other: np.ndarray | None


@remembered(maxsize=4)
def _machines(X, t, gamma, probability):
    """The RVM and, if nu allows one, the SVM, with their errors on the test points; whether these are drawn or not."""
    need_both_classes(t)
    kernel = Gaussian(gamma=gamma)
    relevance = RVC(kernel=kernel, probability=probability).fit(X, t)
    support = NuSVC(nu=min(NU, largest_nu(t)), kernel=kernel).fit(X, t)
    errors = [float(np.mean(machine.predict(TEST[0]) != TEST[1])) for machine in (relevance, support)]
    return relevance, support, errors


def largest_nu(t):
    """The nu beyond which a nu-SVM has no solution."""
    return 2 * min(np.sum(t > 0), np.sum(t < 0)) / len(t)


class RVMClassificationExplorer(PointsExplorer):
    """Figure 7.12: move gamma and the points, and see how few of them the RVM keeps, and where these are."""

    title = "RVM for classification"
    State = RVMClassificationState
    source = staticmethod(datasets.overlapping)
    most_points = 100
    size = 7.5, 4.3

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 2, height_ratios=(2.2, 1))
        return RelevanceMachine(
            *(sheet.add_subplot(place) for place in (cells[0, 0], cells[0, 1], cells[1, :]))
        )

    def make_controls(self):
        return {
            "gamma": log_slider("γ", 0.05, 10.0),
            "probability": widgets.Dropdown(description="probability", options=list(LOG_ODDS)),
            "svm": widgets.Checkbox(description="show 7.4's SVM", indent=False),
        }

    @staticmethod
    def compute(state):
        model, machine, (error, error_svm) = _machines(state.X, state.t, state.gamma, state.probability)
        odds, at_points = model.surface(*GRID), model.decision_function(state.X)
        relevance, support = model.relevance_, machine.support_
        facts = {
            "relevance vectors": f"{len(relevance)}",
            "support vectors (7.4)": f"{len(support)}",
            "test error RVM": f"{error:.1%}",
            "test error SVM": f"{error_svm:.1%}",
            "least possible": "10.2%",
            "median |log odds|, RVs": f"{median_size(at_points[relevance]):.2f}",
            "median |log odds|, SVs": f"{median_size(at_points[support]):.2f}",
            "largest |log odds|": f"{np.abs(at_points).max():.1f}",
            "plane above 99 %": f"{share_sure(odds):.0%}",
            "training errors RVM": f"{np.sum(state.t * at_points <= 0)} of {len(at_points)}",
            "ln evidence (7.114)": f"{model.log_evidence_:.3f}",
        }
        description = (
            f"With gamma = {state.gamma:.3g}, {len(relevance)} of {len(at_points)} points are relevance vectors, and "
            f"{len(support)} are support vectors of the nu-SVM. On 4000 test points the RVM errs {error:.1%} of the "
            f"time, the SVM {error_svm:.1%}. Half of the relevance vectors have {state.probability} log odds beyond "
            f"{median_size(at_points[relevance]):.2f}, half of the support vectors beyond "
            f"{median_size(at_points[support]):.2f}."
        )
        other = machine.surface(*GRID) if state.svm else None
        return RVMClassificationPicture(facts, description, odds, at_points, relevance, support, other)

    def draw(self, view, state, picture):
        machines = picture.odds, picture.relevance, picture.at_points, picture.support
        view.update(state.X, state.t, GRID, *machines, state.probability, picture.other)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.seen.update([], [])
        for rings in (view.rings, view.seen_rings, view.support):
            rings.update([])


rvm_classification = factory("rvm_classification", RVMClassificationExplorer)


# ---- where a kernel is worth its place ------------------------------------------------------------------
ROUNDING = 1e-9  # of s: what is left of it where a kernel says nothing new


@dataclass(frozen=True, eq=False)
class PlacingState:
    """inside: a name of INSIDE, who is in the model; gamma of all kernels; x1, x2: where the one in the hand is."""

    inside: str = "nobody"
    gamma: float = 0.45
    x1: float = -0.6
    x2: float = 0.1


INSIDE = {"nobody": 0, "the heaviest RV": 1, "all RVs": None}  # so many of the relevance vectors


@dataclass(frozen=True, eq=False)
class PlacingPicture(Picture):
    """ratio: q / sqrt(s) on GRID; odds: log odds of the RVM on GRID; members: indices; pull (2,): see the view."""

    ratio: np.ndarray
    odds: np.ndarray
    members: np.ndarray
    pull: np.ndarray


@remembered(maxsize=8)
def _relevance(gamma):
    """The fitted RVM, and its log odds on GRID."""
    model = RVC(kernel=Gaussian(gamma=gamma)).fit(*FIRST)
    return model, model.surface(*GRID)


@remembered(maxsize=8)
def _map(gamma, inside):
    """Members, their basis Phi (N, R), the Laplace fit, and q / sqrt(s) of one more kernel anywhere on GRID."""
    X, t = FIRST
    model, _ = _relevance(gamma)
    heaviest_first = np.argsort(-np.abs(model.coef_))[: INSIDE[inside]]
    members, alpha = model.relevance_[heaviest_first], model.alpha_[heaviest_first]
    Phi = model.kernel_(X, X[members])
    if inside == "all RVs" and len(model.alpha_) > len(members):  # and the bias
        Phi, alpha = np.column_stack([Phi, np.ones(len(t))]), np.append(alpha, model.alpha_[-1])
    fit = laplace_fit(Phi, (t > 0).astype(float), alpha)
    places = np.stack(np.meshgrid(*GRID), axis=-1)
    q, s = beside(Phi, fit, t, model.kernel_(X, places.reshape(-1, 2)))
    return members, Phi, fit, (q.sum(axis=0) / np.sqrt(s)).reshape(places.shape[:2])


def beside(Phi, fit, t, candidates):
    """q and s of functions beside a model with the basis Phi (N, R), from their values (N, M) at the points.

    Returns: q (2, M), what points of class +1 and of class -1 add to it, and s (M,).
    """
    residual = (t > 0) - fit.y
    q = np.stack([(residual * (t == label)) @ candidates for label in (1, -1)])  # (7.106): C^-1 t_hat = t - y
    alone, overlap = fit.b @ candidates**2, (fit.b[:, None] * Phi).T @ candidates
    s = alone - np.sum(overlap * (fit.Sigma @ overlap), axis=0)  # (7.107)
    return q, np.maximum(s, ROUNDING * alone)


class PlacingExplorer(Explorer):
    """Carry a kernel over the plane: q, s, and what it would gain; then put the relevance vectors in, one by one."""

    title = "Where to put a kernel"
    State = PlacingState
    View = Placing
    panels = {"ncols": 2, "width_ratios": (1.9, 1)}
    size = 7.6, 3.3

    def make_controls(self):
        return {
            "inside": widgets.Dropdown(description="in the model", options=list(INSIDE)),
            "gamma": log_slider("γ", 0.1, 5.0),
        }

    @staticmethod
    def compute(state):
        X, t = FIRST
        kernel, probe = Gaussian(gamma=state.gamma), np.array([state.x1, state.x2])
        members, Phi, fit, ratio = _map(state.gamma, state.inside)
        odds = _relevance(state.gamma)[1]
        q, s = beside(Phi, fit, t, kernel(X, probe[None]))
        (up, down), s = q[:, 0], float(s[0])
        q2 = float((up + down) ** 2)
        gain = 0.5 * (q2 / s - 1 - np.log(q2 / s)) if q2 > s else 0.0
        facts = {
            "kernels in the model": f"{len(members)}",
            "pull of ●, up": f"{up:+.4f}",
            "pull of ■, down": f"{down:+.4f}",
            "q = Σ φₙ(tₙ − yₙ)": f"{up + down:+.4f}",
            "q²": f"{q2:.4g}",
            "s": f"{s:.4g}",
            "worth adding, q² > s": "yes" if q2 > s else "no",
            "gain (7.97), nats": f"{gain:.3f}",
            "plane with q² > s": f"{np.mean(ratio**2 > 1):.0%}",
        }
        pull = np.array([up, down]) / np.sqrt(s)
        description = describe_placing(members, probe, pull, ratio)
        return PlacingPicture(facts, description, ratio, odds, members, pull)

    def draw(self, view, state, picture):
        probe = np.array([state.x1, state.x2])
        width = 1 / np.sqrt(2 * state.gamma)
        view.update(*FIRST, GRID, picture.ratio, picture.odds, picture.members, probe, width, picture.pull)

    def handles(self, view, state):
        return [Handle("probe", view.axes[0], state.x1, state.x2, self.stage.sheet.palette.own, "diamond")]

    def moved(self, state, name, x, y):
        return {"x1": x, "x2": y}


placing = factory("placing", PlacingExplorer)


# ---- re-estimation from inside --------------------------------------------------------------------------
THIRTY = datasets.overlapping(30)  # few, so that every one can be followed


@dataclass(frozen=True, eq=False)
class IRLSState:
    """step: how many small steps were taken; gamma of the Gaussian kernel."""

    step: int = 3
    gamma: float = 0.45


@dataclass(frozen=True, eq=False)
class IRLSPicture(Picture):
    """steps: all of them, InsideStep; odds: log odds of class +1 on GRID after the present one."""

    steps: list
    odds: np.ndarray


@remembered(maxsize=8)
def _run(gamma):
    """All small steps of the first rounds of re-estimation."""
    X, t = THIRTY
    Phi = np.column_stack([Gaussian(gamma=gamma)(X), np.ones(len(t))])
    steps = inside_steps(Phi, (t > 0).astype(float))
    return [step for step in islice(steps, 8 * MOST_ROUNDS) if step.round <= MOST_ROUNDS]


class IRLSExplorer(Player, Explorer):
    """Play the training of an RVM classifier: Newton's steps to the mode, the evidence there, a new alpha, pruning."""

    title = "Inside re-estimation"
    State = IRLSState
    size = 7.6, 4.3

    def make_view(self, sheet):
        return Inside(*two_above_one(sheet))

    def make_controls(self):
        widths = [("0.1, wide", 0.1), ("0.45", 0.45), ("1", 1.0), ("3, narrow", 3.0)]
        return {**super().make_controls(), "gamma": widgets.Dropdown(description="γ", options=widths)}

    def last_step(self, state):
        return len(_run(state.gamma)) - 1

    @staticmethod
    def compute(state):
        steps, k = _run(state.gamma), state.step
        step = steps[k]
        weights = np.zeros(len(THIRTY[1]) + 1)
        weights[step.inside] = step.w
        odds = Gaussian(gamma=state.gamma).on_grid(*GRID, THIRTY[0], weights[:-1]) + weights[-1]
        told = [s.log_evidence for s in steps[: k + 1] if s.action == "evidence"]
        facts = {
            "small step": f"{k} of {len(steps) - 1}",
            "what it is": step.action,
            "choice of α": f"{step.round}",
            "Newton steps for it": f"{step.newton}",
            "largest slope (7.110)": slope_in_words(step.slope)[6:],
            "functions in the model": f"{len(step.inside)} of {len(weights)}",
            "ln evidence (7.114)": f"{told[-1]:.4f}" if told else "not yet",
            "its last gain": f"{told[-1] - told[-2]:+.4f}" if len(told) > 1 else "not yet",
        }
        return IRLSPicture(facts, describe_inside(steps, k), steps, odds)

    def draw(self, view, state, picture):
        view.update(*THIRTY, GRID, picture.odds, picture.steps, state.step)


irls_player = factory("irls_player", IRLSExplorer)
