"""Explorers of probabilities from scores: Platt scaling and the log odds of figure 14.13."""

import warnings
from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.svm.probabilities import OVERLAP, LogOdds, Sigmoids, off_diagonal, reliability
from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.live.controls import certificate, log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import DrawAgain
from sparsekm_edu.models import RVC, SVC, PlattScaling
from sparsekm_edu.solvers.linear.platt import platt as fit_sigmoid


def first_of_both(n, t):
    """Mask (N,) of the first n points, taken from the classes -1 and +1 in turn; t has equally many of both."""
    return 2 * (np.arange(len(t)) % (len(t) // 2)) + (t > 0) < n


def percent(share):
    """A share as the readout writes it."""
    return f"{100 * share:.1f} %"


# ---- Platt scaling --------------------------------------------------------------------------------------
POINTS, MOST_FEATURES, FRESH = 200, 100, 2000


@dataclass(frozen=True, eq=False)
class PlattState:
    """C of the machine, D features, `held` of the 200 points kept from it; `drawn`: seed of the points."""

    C: float = 1.0
    D: int = 50
    held: int = 60
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class PlattPicture(Picture):
    """held_out, training: (y, t, fit), scores, labels, sigmoid; fresh: (y, t)."""

    held_out: tuple
    training: tuple
    fresh: tuple


@remembered(maxsize=4)
def _many_features(n, seed):
    """All features at once: fewer are the first of these, so that the points stay when the slider moves."""
    return datasets.many_features(n, MOST_FEATURES, seed)


def log_loss(log_odds, t):
    """Mean of -ln p(t_n|x_n) for log odds (N,) of class +1 and labels -1 and +1."""
    return float(np.mean(np.logaddexp(0, -t * log_odds)))


class PlattExplorer(DrawAgain):
    """(7.43): hold points out, or fit the sigmoid to the training scores, and see whose promises are kept."""

    title = "Platt scaling"
    State = PlattState
    View = Sigmoids
    panels = {"ncols": 2}

    def make_controls(self):
        return {
            "C": log_slider("C", 0.01, 100.0),
            "D": widgets.IntSlider(description="features", min=1, max=MOST_FEATURES),
            "held": widgets.IntSlider(description="held out", min=10, max=150),
        }

    @staticmethod
    def compute(state):
        X, t = _many_features(POINTS, state.drawn)
        X_fresh, t_fresh = _many_features(FRESH, 10_000)
        X, X_fresh = X[:, : state.D], X_fresh[:, : state.D]
        held = first_of_both(state.held, t)
        machine = SVC(C=state.C, kernel=Linear()).fit(X[~held], t[~held])
        y, y_fresh = machine.decision_function(X), machine.decision_function(X_fresh)
        scores = {"held out": (y[held], t[held]), "training": (y[~held], t[~held])}
        fits = {name: fit_sigmoid(*pair) for name, pair in scores.items()}
        facts = {}
        for name, fit in fits.items():
            away = off_diagonal(reliability(fit.probability(y_fresh), t_fresh))
            facts |= {
                f"A, B, {name}": f"{fit.A:.2f}, {fit.B:.2f}",
                f"log loss, {name}": f"{log_loss(fit.log_odds(y_fresh), t_fresh):.3f}",
                f"off promise, {name}": f"{away:.3f}",
            }
        errors = [percent(np.mean(y * t <= 0)) for y, t in (scores["training"], (y_fresh, t_fresh))]
        facts |= {
            "log loss, always ½": f"{np.log(2):.3f}",
            "errors, train | fresh": " | ".join(errors),
            "KKT violation": certificate(machine.kkt_violation_),
        }
        description = (
            f"A linear machine with {state.D} features, trained on {POINTS - state.held} points, errs on {errors[0]} "
            f"of them and on {errors[1]} of fresh ones. Log loss on fresh points: {facts['log loss, held out']} with "
            f"the sigmoid of {state.held} held-out scores, {facts['log loss, training']} with that of the training "
            f"scores."
        )
        held_out, training = ((*scores[name], fits[name]) for name in scores)
        return PlattPicture(facts, description, held_out, training, (y_fresh, t_fresh))

    def draw(self, view, state, picture):
        view.update(picture.held_out, picture.training, picture.fresh)


platt = factory("platt", PlattExplorer)


# ---- figure 14.13 ---------------------------------------------------------------------------------------
LINE = (np.arange(300) + 0.5) / 200  # midpoints of cells: a mean over them is an integral
TIED = np.abs(LINE - np.mean(OVERLAP)) < np.ptp(OVERLAP) / 2
MOST_POINTS = 400


@dataclass(frozen=True, eq=False)
class LogOddsState:
    """N points; width r of exp(-(x - z)^2 / r^2); C of the SVM; scaled: show Platt's too; drawn: the seed."""

    N: int = 200
    width: float = 0.1
    C: float = 1.0
    scaled: bool = False
    drawn: int = 2


@dataclass(frozen=True, eq=False)
class LogOddsPicture(Picture):
    """X, t: the data; svm, rvm, scaled: outputs on LINE, the last one None if it is not shown."""

    X: np.ndarray
    t: np.ndarray
    svm: np.ndarray
    rvm: np.ndarray
    scaled: np.ndarray | None


def expected(loss):
    """The mean of loss(t, .) over new points of both classes; loss: label -> values (300,) on LINE."""
    return float(0.5 * loss(-1)[LINE < 1].mean() + 0.5 * loss(1)[LINE > 0.5].mean())


def root_mean_square(values):
    """How far log odds are from 0, the truth where the classes overlap."""
    return float(np.sqrt(np.mean(values[TIED] ** 2)))


@remembered(maxsize=64)
def _relevance(N, width, drawn):
    """Data, log odds on LINE, averaged over the weights, and number of relevance vectors: they do not depend on C."""
    X, t = datasets.uniform_classes(MOST_POINTS, drawn)
    first = first_of_both(N, t)  # the others join as N grows
    X, t = X[first], t[first]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are no relevance vectors is told by their number
        machine = RVC(kernel=Gaussian(gamma=width**-2)).fit(X, t)
    return X, t, machine.decision_function(LINE[:, None]), machine.n_relevance_


class LogOddsExplorer(DrawAgain):
    """Figure 14.13: more points, another width, another C; which machine comes closer to the true log odds?"""

    title = "Log odds of two machines"
    State = LogOddsState
    View = LogOdds
    panels = {"ncols": 2}

    def make_controls(self):
        return {
            "N": widgets.IntSlider(description="N", min=20, max=MOST_POINTS),
            "width": log_slider("width r", 0.05, 1.0),
            "C": log_slider("C (SVM)", 0.1, 100.0),
            "scaled": widgets.Checkbox(description="SVM with Platt scaling, too", indent=False),
        }

    @staticmethod
    def compute(state):
        X, t, rvm, relevance = _relevance(state.N, state.width, state.drawn)
        machine = SVC(C=state.C, kernel=Gaussian(gamma=state.width**-2)).fit(X, t)
        svm, scaled = machine.decision_function(LINE[:, None]), None
        if state.scaled:
            scaled = PlattScaling(machine, cv=5).fit(X, t).decision_function(LINE[:, None])
        shown = {"RVM": rvm, "SVM": svm} | ({} if scaled is None else {"Platt": scaled})
        away = {name: root_mean_square(y) for name, y in shown.items()}
        errors = {name: expected(lambda label, y=y: label * y <= 0) for name, y in shown.items()}
        losses = {name: expected(lambda label, y=y: np.logaddexp(0, -label * y)) for name, y in shown.items()}
        facts = {f"off the truth, {name}": f"{value:.2f}" for name, value in away.items()}
        facts["errors, RVM | SVM"] = f"{percent(errors['RVM'])} | {percent(errors['SVM'])}"
        facts |= {f"log loss, {name}": f"{value:.3f}" for name, value in losses.items()}
        facts |= {
            "vectors, RVM | SVM": f"{relevance} | {len(machine.support_)}",
            "KKT violation, SVM": certificate(machine.kkt_violation_),
        }
        description = (
            f"{state.N} points, kernel width {state.width:.2g}. Where the classes overlap the true log odds are 0; "
            + ", ".join(f"the {name}'s are {value:.2f} away" for name, value in away.items())
            + f" (the RVM's averaged over its weights). Errors: {percent(errors['RVM'])} and "
            + f"{percent(errors['SVM'])}; the least possible is 25 %."
        )
        return LogOddsPicture(facts, description, X, t, svm, rvm, scaled)

    def draw(self, view, state, picture):
        view.update(picture.X, picture.t, LINE, picture.svm, picture.rvm, picture.scaled)


log_odds = factory("log_odds", LogOddsExplorer)
