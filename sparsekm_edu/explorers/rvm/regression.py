"""Explorers of relevance vector regression: figure 7.9, the climb of the evidence, and what happens far away."""

import warnings
from dataclasses import dataclass, field
from functools import partial

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import TOLERANCE, WIDTH, need_a_point
from sparsekm_edu.figures.curves import INSIDE, SINUSOID_X
from sparsekm_edu.figures.rvm.regression import (
    FAR,
    FAR_X,
    GRIP,
    WAYS,
    ClimbStep,
    FarAway,
    TwoMachines,
    describe_climb,
    describe_far_away,
)
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.player import Player
from sparsekm_edu.live.points import CurvePointsExplorer
from sparsekm_edu.solvers import (
    em_steps,
    evidence_gradient,
    gaussian_process,
    nu_regression,
    reestimate,
    reestimate_steps,
    sequential,
    smo,
)
from sparsekm_edu.solvers.bayes.evidence import MOST_PRECISE, spread

FIRST_X, FIRST_T = datasets.sinusoid()


def kernel_of(width):
    """The Gaussian kernel of width s: gamma = 1 / (2 s^2)."""
    return Gaussian(gamma=1 / (2 * width**2))


def width_slider():
    """From a third of the book's width to two and a half times as much; the book's is one of its places."""
    return log_slider("width", WIDTH * 10**-0.45, WIDTH * 10**0.4)


def with_bias(K):
    """The design matrix of (7.78): kernels, and a constant last."""
    return np.hstack([K, np.ones((len(K), 1))])


def mean_and_sd(Phi, inside, m, Sigma, beta):
    """Of the predictive distribution (7.90) at the rows of Phi (n, M), whose columns `inside` have a weight."""
    Phi = Phi[:, inside]
    return Phi @ m, np.sqrt(1 / beta + np.sum(Phi @ Sigma * Phi, axis=1))  # (7.91)


def learn(solver, Phi, t):
    """An SBLSolution. That beta has come to its limit is told in the readout, in fewer words than the solver's."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "beta = ")
        return solver(Phi, t)


def noise_found(beta, t):
    """1 / sqrt(beta) in the readout; a beta at its limit means that the machine sees no noise."""
    return "none" if beta > 0.99 * MOST_PRECISE / spread(t) else f"{1 / np.sqrt(beta):.3f}"


# ---- figure 7.9 beside 7.8 ------------------------------------------------------------------------------
BOOK_NOISE = 0.3  # standard deviation of the noise in the ten points of the book, by its own account
NU, C = 0.5, 1.0  # of figure 7.8
SOLVERS = {"one at a time": sequential, "all at once": reestimate}


@dataclass(frozen=True, eq=False)
class RVMState:
    """width of the kernels; noise: how far the points are off the sine; way: a key of SOLVERS.

    X, t: the data as they are with the book's noise; with more of it their distances from the sine grow in proportion.
    """

    width: float = WIDTH
    noise: float = BOOK_NOISE
    way: str = "one at a time"
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class RVMPicture(Picture):
    """tube and bars: see TwoMachines; relevant (R,): indices of the relevance vectors."""

    tube: tuple
    bars: tuple
    relevant: np.ndarray


def stretched(x, t, factor):
    """t (N,), `factor` times as far from the sine as they were."""
    return t + (factor - 1) * (t - np.sin(2 * np.pi * x))


class RVMExplorer(CurvePointsExplorer):
    """Figure 7.9 beside 7.8: drag points, change the kernels' width and the noise, count both kinds of vectors."""

    title = "Support vectors and relevance vectors"
    State = RVMState
    View = TwoMachines
    panels = {"ncols": 2}
    size = 7.6, 4.2
    source = staticmethod(datasets.sinusoid)
    most_points = 40

    def make_controls(self):
        return {
            "width": width_slider(),
            "noise": slider("noise", 0.03, 0.6, 0.01),
            "way": widgets.Dropdown(description="RVM learns", options=list(SOLVERS)),
        }

    def points_axes(self, view):
        return view.axes

    def places(self, state):
        return np.column_stack([state.X, shown_targets(state)])

    def data(self, places, labels):
        x, t = places.T
        return {"X": places[:, :1], "t": stretched(x, t, BOOK_NOISE / self.state.noise)}

    @staticmethod
    def compute(state):
        need_a_point(state.t)
        X, t, N = state.X, shown_targets(state), len(state.t)
        kernel = kernel_of(state.width)
        K, K_curve = kernel(X), kernel(SINUSOID_X[:, None], X)
        Phi = with_bias(K)
        rvm = learn(SOLVERS[state.way], Phi, t)
        bars = mean_and_sd(with_bias(K_curve), rvm.active, rvm.m, rvm.Sigma, rvm.beta)
        relevant = np.flatnonzero(rvm.active[:N])
        svm = smo(nu_regression(K, t, N * C, NU), tol=TOLERANCE)
        tube = K_curve @ svm.v + svm.b, K @ svm.v + svm.b, svm.v, C, max(0.0, svm.epsilon)
        slopes = np.append(*evidence_gradient(Phi, t, rvm.alpha, rvm.beta))
        truth = np.sin(2 * np.pi * SINUSOID_X)
        inner = (SINUSOID_X >= 0) & (SINUSOID_X <= 1)
        rms = [np.sqrt(np.mean((y - truth)[inner] ** 2)) for y in (bars[0], tube[0])]
        facts = {
            "relevance vectors": f"{len(relevant)} of {N}",
            "support vectors": f"{np.count_nonzero(svm.v)} of {N}",
            "bias": "in the model" if rvm.active[N] else "pruned",
            "noise found, 1/√β": noise_found(rvm.beta, t),
            "noise put in": f"{np.sqrt(np.mean((t - np.sin(2 * np.pi * X[:, 0])) ** 2)):.3f}",
            "ln evidence": f"{rvm.log_evidence:.4f}",
            "slopes of it": "< 1e-3" if np.abs(slopes).max() < 1e-3 else f"{np.abs(slopes).max():.0e}",
            "RMS error, RVM": f"{rms[0]:.3f}",
            "RMS error, SVM": f"{rms[1]:.3f}",
        }
        description = (
            f"{N} points of a sine and kernels of width {state.width:.3g}: {facts['support vectors']} points are "
            f"support vectors, {facts['relevance vectors']} relevance vectors; the log evidence is "
            f"{rvm.log_evidence:.4f}, the standard deviation of the noise found {facts['noise found, 1/√β']}."
        )
        return RVMPicture(facts, description, tube, bars, relevant)

    def draw(self, view, state, picture):
        view.update(state.X, shown_targets(state), SINUSOID_X, picture.tube, picture.bars, picture.relevant)

    def draw_stale(self, view, state):
        view.show_points(self.places(state), np.full(len(state.t), INSIDE))
        for rings in view.rings:
            rings.update([])


def shown_targets(state):
    """The targets with as much noise as the slider says."""
    return stretched(state.X[:, 0], state.t, state.noise / BOOK_NOISE)


rvm_regression = factory("rvm_regression", RVMExplorer)


# ---- the climb ------------------------------------------------------------------------------------------
WIDTHS = 0.1, 0.13, WIDTH, 0.2, 0.25, 0.3
STEPS = {
    "as printed": partial(reestimate_steps, rule="printed"),
    "with a brake": reestimate_steps,
    "EM": em_steps,
}


@dataclass(frozen=True, eq=False)
class ClimbState:
    """step; way: a name of WAYS; width of the kernels, one of WIDTHS."""

    step: int = 4
    way: str = "as printed"
    width: float = WIDTH


@dataclass(frozen=True, eq=False)
class ClimbPicture(Picture):
    """bars: mean and sd on SINUSOID_X at this step; evidence: way -> log evidence of every step.

    variances (n + 1, M): 1 / alpha of every step of this way, 0 for who has left.
    """

    bars: tuple
    evidence: dict
    variances: np.ndarray


@remembered(maxsize=len(STEPS) * len(WIDTHS))
def _climb(way, width):
    """All steps of one way: computed once, so that going back is exact."""
    return tuple(STEPS[way](with_bias(kernel_of(width)(FIRST_X)), FIRST_T))


class ClimbExplorer(Player, Explorer):
    """Three ways up the evidence, step by step: most alphas go off to infinity, and their functions leave."""

    title = "Up the evidence"
    State = ClimbState
    size = 7.6, 4.3

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 2, width_ratios=(1, 1.15))
        places = cells[:, 0], cells[0, 1], cells[1, 1]
        return ClimbStep(*(sheet.add_subplot(place) for place in places))

    def make_controls(self):
        widths = [(f"{width:g}", width) for width in WIDTHS]
        return {
            **super().make_controls(),
            "way": widgets.Dropdown(description="way up", options=list(WAYS)),
            "width": widgets.Dropdown(description="width", options=widths),
        }

    def last_step(self, state):
        return len(_climb(state.way, state.width)) - 1

    @staticmethod
    def compute(state):
        runs = {way: _climb(way, state.width) for way in WAYS}
        steps = runs[state.way]
        step = steps[state.step]
        evidence = {way: np.array([each.log_evidence for each in run]) for way, run in runs.items()}
        alpha = np.array([each.alpha for each in steps])
        inside = np.isfinite(step.alpha)
        curves = with_bias(kernel_of(state.width)(SINUSOID_X[:, None], FIRST_X))
        bars = mean_and_sd(curves, inside, step.m, step.Sigma, step.beta)
        here = [values[min(state.step, len(values) - 1)] for values in evidence.values()]
        falls = int(np.sum(np.diff(evidence[state.way][: state.step + 1]) < -1e-9))
        facts = {
            "ln evidence": f"{step.log_evidence:.4f}",
            "of all three": ", ".join(f"{value:.2f}" for value in here),
            "falls so far": f"{falls}",
            "in the model": f"{len(step.m)} of {len(step.alpha)}",
            "pruned in this step": names(step.pruned) or "nobody",
            "sum of γᵢ": f"{step.gamma.sum():.3f}",
            "noise 1/√β": f"{1 / np.sqrt(step.beta):.3f}",
            "steps to rest": ", ".join(f"{len(run) - 1}" for run in runs.values()),
            "ends at": ", ".join(f"{values[-1]:.2f}" for values in evidence.values()),
        }
        description = describe_climb(evidence, state.way, alpha, state.step)
        return ClimbPicture(facts, description, bars, evidence, 1 / alpha)

    def draw(self, view, state, picture):
        with np.errstate(divide="ignore"):
            alpha = 1 / picture.variances
        view.update(
            FIRST_X, FIRST_T, SINUSOID_X, picture.bars, picture.evidence, state.way, alpha, state.step
        )


def names(functions):
    """Indices of basis functions of the ten points in words; the eleventh is the bias."""
    return ", ".join("bias" if i == len(FIRST_T) else f"{i}" for i in functions)


evidence_climb = factory("evidence_climb", ClimbExplorer)


# ---- far away -------------------------------------------------------------------------------------------
DISTANCES = np.array([0.15, 0.45, 1.0])  # beyond the last point
REACH = FAR[0] + 0.05, FAR[1] - 0.05  # of the probe


@dataclass(frozen=True, eq=False)
class FarState:
    """width of the kernels of both; probe: a place on the axis; X, t: the data."""

    width: float = WIDTH
    probe: float = 0.5
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class FarPicture(Picture):
    """rvm, process: mean and sd on FAR_X; relevant (R,); places (3,) and at_places (2, 3): sd of both there."""

    rvm: tuple
    process: tuple
    relevant: np.ndarray
    places: np.ndarray
    at_places: np.ndarray


class FarExplorer(CurvePointsExplorer):
    """Error bars beyond the data: the RVM's shrink, a Gaussian process's grow; drag the probe."""

    title = "Error bars far from the data"
    State = FarState
    View = FarAway
    panels = {"nrows": 2}
    size = 7.6, 4.4
    source = staticmethod(datasets.sinusoid)
    most_points = 40

    def make_controls(self):
        return {"width": width_slider(), "probe": slider("probe", *REACH, 0.05)}

    def handles(self, view, state):
        own = self.figure.palette.own
        return [
            *super().handles(view, state),
            Handle("place", view.axes[1], state.probe, GRIP, own, "diamond"),
        ]

    def moved(self, state, name, x, y):
        if name == "place":
            return {"probe": float(np.clip(x, *REACH))}
        return super().moved(state, name, x, y)

    @staticmethod
    def compute(state):
        need_a_point(state.t)
        X, t, kernel = state.X, state.t, kernel_of(state.width)
        solution = learn(sequential, with_bias(kernel(X)), t)
        process = gaussian_process(kernel(X), t)
        places = X.max() + DISTANCES
        # on the curves' places, at the three of the readout, and under the probe
        K = kernel(np.concatenate([FAR_X, places, [state.probe]])[:, None], X)
        by_rvm = mean_and_sd(with_bias(K), solution.active, solution.m, solution.Sigma, solution.beta)
        by_process = process.predict(K)
        sds = np.array([by_rvm[1], by_process[1]])
        n = len(FAR_X)
        at_places, at_probe = sds[:, n:-1], sds[:, -1]
        facts = {
            "standard deviations": "RVM    GP",
            "σ under the probe": pair(at_probe),
            **{f"σ at {d:g} beyond": pair(both) for d, both in zip(DISTANCES, at_places.T, strict=True)},
            "σ of the noise alone": pair(np.array([solution.beta, process.beta]) ** -0.5),
            "largest σ": pair(sds[:, :n].max(axis=1)),
            "kernels used": f"{np.sum(solution.active[: len(t)])} and {len(t)}",
        }
        relevant = np.flatnonzero(solution.active[: len(t)])
        curves = [(mean[:n], sd[:n]) for mean, sd in (by_rvm, by_process)]
        description = describe_far_away(places, at_places, len(t))
        return FarPicture(facts, description, *curves, relevant, places, at_places)

    def draw(self, view, state, picture):
        view.update(
            state.X,
            state.t,
            FAR_X,
            picture.rvm,
            picture.process,
            picture.relevant,
            state.probe,
            picture.places,
            picture.at_places,
        )

    def draw_stale(self, view, state):
        view.points.update(self.places(state), self.labels(state))
        view.rings.update([])


def pair(values):
    """Two numbers of the readout."""
    return f"{values[0]:.3f}  {values[1]:.3f}"


far_away = factory("far_away", FarExplorer)
