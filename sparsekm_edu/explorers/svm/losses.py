"""Explorers of losses: figures 7.5 and 7.6 with data under your hand, and why the hinge is no likelihood."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.style import ONE_KIND
from sparsekm_edu.figures.svm.losses import FourLosses, Locations, LossCurves, NoLikelihood, RegressionLosses
from sparsekm_edu.lessons import losses as loss
from sparsekm_edu.live.controls import four, log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.rails import RailExplorer, TwoRowsExplorer
from sparsekm_edu.validation import Impossible

# ---- figure 7.5 -----------------------------------------------------------------------------------------
FIRST_X, FIRST_T = datasets.on_a_line()
OF_MARGIN = {
    "misclassification": loss.misclassification,
    "squared": loss.squared,
    "logistic": loss.logistic,
    "hinge": loss.hinge,
}
Z = np.linspace(*LossCurves.WINDOW[:2], 481)
CURVES = {name: E(Z) for name, E in OF_MARGIN.items()}


@dataclass(frozen=True, eq=False)
class LossesState:
    """lam of (7.44); shown: the loss on whose curve the points are put; X (N, 1), t: the data."""

    lam: float = 0.5
    shown: str = "squared"
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class LossesPicture(Picture):
    """lines: loss -> its Line; gap: (low, high); costs (N, 2): z_n and E(z_n) of the loss shown; support: indices."""

    lines: dict
    gap: tuple
    costs: np.ndarray
    support: np.ndarray


class LossesExplorer(TwoRowsExplorer):
    """Figure 7.5: slide points along the axis (across it they change class); each loss fits its own line."""

    title = "Four losses, the same data"
    State = LossesState
    source = staticmethod(datasets.on_a_line)
    size = 7.6, 4.3

    def make_view(self, sheet):
        return FourLosses(*sheet.subplots(1, 2, width_ratios=(4, 6)), Z, CURVES)

    def points_axes(self, view):
        return view.axes[1:]

    def make_controls(self):
        options = [("squared", "squared"), ("logistic / ln 2", "logistic"), ("hinge", "hinge")]
        return {
            "lam": log_slider("λ", 0.001, 10.0),
            "shown": widgets.Dropdown(description="points on", options=options),
        }

    @staticmethod
    def compute(state):
        need_both_classes(state.t)
        x, t = state.X[:, 0], state.t
        lines, split = loss.best_lines(x, t, state.lam), loss.best_split(x, t)
        z = {name: t * line(x) for name, line in lines.items()}
        facts = {}
        for name, line in lines.items():
            wrong = int(loss.misclassification(z[name]).sum())
            where = "none" if line.boundary is None else f"{line.boundary:.2f}"
            facts[f"{name}: y = 0 at"] = f"{where}, {wrong} wrong"
        facts["any line, fewest wrong"] = f"{split.errors}"
        for name in lines:
            facts[f"mean loss, {name}"] = four(OF_MARGIN[name](z[name]).mean())
        support = np.flatnonzero(z["hinge"] <= 1 + 1e-6)
        facts["points the hinge sees"] = f"{len(support)} of {len(t)}"
        costs = np.column_stack([z[state.shown], OF_MARGIN[state.shown](z[state.shown])])
        description = (
            f"{len(t)} points of two classes on an axis. "
            + "; ".join(f"{label} {value}" for label, value in list(facts.items())[:3])
            + f". The fewest errors any boundary can make are {split.errors}."
        )
        return LossesPicture(facts, description, lines, (split.low, split.high), costs, support)

    def draw(self, view, state, picture):
        x = state.X[:, 0]
        view.update(x, state.t, picture.lines, picture.gap, picture.costs, picture.support)

    def draw_stale(self, view, state):
        view.points.update(self.places(state), state.t)
        view.rings.update([])


losses = factory("losses", LossesExplorer)


# ---- figure 7.6 -----------------------------------------------------------------------------------------
R = np.linspace(*RegressionLosses.WINDOW[:2], 401)
M = np.linspace(*Locations.WINDOW[:2], 401)


def seven_and_an_outlier(seed=0):
    """t (8,): seven numbers about 0 and one far from them."""
    rng = np.random.default_rng(seed)
    return np.append(np.clip(1.2 * rng.normal(size=7), -2.5, 2.5), rng.uniform(4.0, 5.5))


FIRST_NUMBERS = np.array([-1.9, -1.2, -0.8, -0.3, 0.1, 0.6, 1.3, 5.0])


@dataclass(frozen=True, eq=False)
class InsensitiveState:
    """epsilon, also Huber's delta; t: the numbers that one number m shall stand for."""

    epsilon: float = 1.0
    t: np.ndarray = field(default_factory=lambda: FIRST_NUMBERS)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class InsensitivePicture(Picture):
    """losses at R and mean costs at M, by name; best: name -> (m, mean loss); flat: (low, high); support: indices."""

    losses: dict
    costs: dict
    best: dict
    flat: tuple
    support: np.ndarray


class InsensitiveExplorer(RailExplorer):
    """Figure 7.6: epsilon, and points on an axis: which number stands for them, according to each loss?"""

    title = "Losses of regression, and one number for many"
    State = InsensitiveState
    View = Locations
    panels = {"ncols": 2}
    classes = ONE_KIND
    size = 7.6, 4.3

    def points_axes(self, view):
        return view.axes[1:]

    def places(self, state):
        return np.column_stack([state.t, np.full(len(state.t), Locations.RAIL)])

    def labels(self, state):
        return np.ones(len(state.t))

    def data(self, places, labels):
        return {"t": places[:, 0]}

    def check(self, state):
        """Any numbers will do: there is no X that they have to go with."""

    def draw_again(self):
        """Other numbers, again with an outlier."""
        drawn = self.state.drawn + 1
        self.set(t=seven_and_an_outlier(seed=100 + drawn), drawn=drawn)

    def make_controls(self):
        return {"epsilon": slider("ε", 0.05, 4.0, 0.05)}

    @staticmethod
    def compute(state):
        t, epsilon = state.t, state.epsilon
        if len(t) == 0:
            raise Impossible("there is nothing to fit; add a point")
        of_residual = {
            "quadratic": loss.quadratic,
            "huber": lambda r: loss.huber(r, epsilon),
            "insensitive": lambda r: loss.insensitive(r, epsilon),
        }
        low, high = loss.insensitive_location(t, epsilon)
        best = {
            "quadratic": t.mean(),
            "huber": loss.huber_location(t, epsilon),
            "insensitive": 0.5 * (low + high),
        }
        away = np.abs(t - best["insensitive"])
        support = np.flatnonzero(away >= epsilon - 1e-9)
        facts = {
            "quadratic: best m": four(best["quadratic"]),
            "mean of the points": four(t.mean()),
            "Huber: best m": four(best["huber"]),
            "ε-insensitive: from": four(low),
            "to": four(high),
            "median of the points": four(np.median(t)),
            "middle of the range": four(0.5 * (t.min() + t.max())),
            "in the tube": f"{len(t) - len(support)} of {len(t)}",
            "Huber sees as straight": f"{np.sum(np.abs(t - best['huber']) > epsilon)} of {len(t)}",
        }
        description = (
            f"For {len(t)} points and epsilon = {epsilon:.2f} the quadratic loss chooses m = {best['quadratic']:.3f}, "
            f"Huber's {best['huber']:.3f}, the epsilon-insensitive one any m from {low:.3f} to {high:.3f}."
        )
        return InsensitivePicture(
            facts,
            description,
            {name: E(R) for name, E in of_residual.items()},
            {name: E(M[:, None] - t).mean(axis=1) for name, E in of_residual.items()},
            {name: (float(m), float(of_residual[name](m - t).mean())) for name, m in best.items()},
            (low, high),
            support,
        )

    def draw(self, view, state, picture):
        view.update(
            R,
            picture.losses,
            state.epsilon,
            state.t,
            M,
            picture.costs,
            picture.best,
            picture.flat,
            picture.support,
        )

    def draw_stale(self, view, state):
        view.points.update(self.places(state), self.labels(state))
        view.rings.update([])


insensitive = factory("insensitive", InsensitiveExplorer)


# ---- no likelihood --------------------------------------------------------------------------------------
F = np.linspace(*NoLikelihood.WINDOW[:2], 801)  # f = 0 and f = +-1 are among them


@dataclass(frozen=True, eq=False)
class NoLikelihoodState:
    """C: the weight of the loss against the prior; at ln 2 the logistic loss / ln 2 is a likelihood."""

    C: float = float(np.log(2.0))


@dataclass(frozen=True, eq=False)
class NoLikelihoodPicture(Picture):
    """hinge, logistic: (exp(-C g(f)), exp(-C g(-f))) at F."""

    hinge: tuple
    logistic: tuple


class NoLikelihoodExplorer(Explorer):
    """MLaPP 14.5.5: look for a C that makes exp(-C g(f)) + exp(-C g(-f)) constant. The logistic loss has one."""

    title = "The hinge is no likelihood"
    State = NoLikelihoodState
    View = NoLikelihood
    panels = {"ncols": 2, "sharey": True}
    size = 7.6, 4.1

    def make_controls(self):
        C = log_slider("C", 0.1, 10.0)
        C.step = 0.01  # with the usual steps the page would show ln 2 as 0.71
        return {"C": C}

    def make_buttons(self):
        return [self.button("C = ln 2", "each label gets 1/2 at f = 0", self.fair)]

    def fair(self):
        """Set C to ln 2: at f = 0 each label gets exp(-C) = 1/2."""
        self.set(C=float(np.log(2.0)))

    @staticmethod
    def compute(state):
        C = state.C
        pairs = {
            name: tuple(np.exp(-C * OF_MARGIN[name](s * F)) for s in (1, -1))
            for name in ("hinge", "logistic")
        }

        def at(f, E):
            return float(np.exp(-C * E(f)) + np.exp(-C * E(-f)))

        lowest, highest = min(at(0.0, loss.hinge), 1.0), at(1.0, loss.hinge)  # it tends to 1 far away
        here = at(0.0, loss.logistic)  # 1 far away, too
        facts = {
            "hinge: sum at f = 0": four(at(0.0, loss.hinge)),
            "at f = ±1": four(highest),
            "far away": four(1.0),
            "largest / smallest": f"{highest / lowest:.5g}",
            "logistic: at f = 0": four(here),
            "at f = ±4": four(at(4.0, loss.logistic)),
            "largest / smallest ": f"{max(here, 1.0) / min(here, 1.0):.5g}",
        }
        description = (
            f"With C = {C:.3g} the hinge's two curves add up to {at(0.0, loss.hinge):.3f} at f = 0, {highest:.3f} at "
            f"f = 1 and 1 far away; those of the logistic loss to {here:.3f} at f = 0 and 1 far away."
        )
        return NoLikelihoodPicture(facts, description, pairs["hinge"], pairs["logistic"])

    def draw(self, view, state, picture):
        if view.update(F, picture.hinge, picture.logistic, state.C):
            self.stage.background = None  # other axes


no_likelihood = factory("no_likelihood", NoLikelihoodExplorer)
