"""Explorers of smoothers on a line: a constant and a line around x* (figure 14.18, LOWESS), bias against variance."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_a_point
from sparsekm_edu.figures.kernels.local_fits import (
    CONSTANT,
    GRIP,
    H_GRIP,
    LINE,
    RISK,
    WAVE,
    BiasVariance,
    LocalFits,
)
from sparsekm_edu.kernels.windows import WINDOWS, rule_of_thumb
from sparsekm_edu.lessons.bias_variance import bias_and_variance, without_the_point
from sparsekm_edu.lessons.local_lines import local_line
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider, slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import CurvePointsExplorer, DrawAgain
from sparsekm_edu.models.smoothing import LocallyWeightedRegression, NadarayaWatson
from sparsekm_edu.validation import Impossible

SMOOTHERS = {CONSTANT: NadarayaWatson, LINE: LocallyWeightedRegression}
GRID = np.linspace(0, 100, 201)
TRUTH = datasets.rising_curve(GRID)
FIRST_X, FIRST_T = datasets.rising_wave()
LEAST_H, MOST_H = 0.1, 1000.0
TRIED = 0.5 * 2 ** np.arange(0, 7.25, 0.25)  # by leave-one-out; a finer search takes too long for dragging


def lowest(hs, costs):
    """Where costs (H, ...) over bandwidths hs (H,), in equal ratios, are least: at the bottom of the parabola, in ln h,
    through the least of them and its two neighbours. Without two finite neighbours it is the least itself."""
    least = np.argmin(costs, axis=0)
    k = np.clip(least, 1, len(hs) - 2)[None]
    before, at, after = (np.take_along_axis(costs, k + step, axis=0)[0] for step in (-1, 0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        step = 0.5 * (before - after) / (before - 2 * at + after)
    return hs[least] * (hs[1] / hs[0]) ** np.where((least == k[0]) & np.isfinite(step), step, 0.0)


# ---- a constant and a line around x* --------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class LocalFitState:
    """h, the bandwidth; place: x*; window: its name; X (N, 1), t (N,): the points."""

    h: float = 3.5
    place: float = 48.0
    window: str = "gaussian"
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class LocalFitPicture(Picture):
    """For the two smoothers: curves (2, G) over GRID; pieces (2, 2, 2), what is fitted around x*, end to end; weights
    (2, N) at x*. bump (B, 2): the window around x* as x and share of its height."""

    curves: np.ndarray
    pieces: np.ndarray
    weights: np.ndarray
    bump: np.ndarray


@remembered()
def bandwidths(X, t, window):
    """h_x, h_y and sqrt(h_x h_y) of the rule, (14.89)-(14.91), and about the h with the least leave-one-out error for
    each smoother, in a dict; nan where there is none."""

    def best_of_tried(kind):
        return float(lowest(TRIED, kind(1.0, window).fit(X, t).leave_one_out(TRIED)))

    def found(choose, argument):
        try:
            return choose(argument)
        except Impossible:  # too few points, or most of them at one place
            return np.nan

    h = {name: found(lambda v: rule_of_thumb(v, window), v) for name, v in (("x", X), ("y", t))}
    h["rule"] = np.sqrt(h["x"] * h["y"])
    return h | {name: found(best_of_tried, kind) for name, kind in SMOOTHERS.items()}


def told(*numbers, digits=2):
    """Numbers as one text, without a sign on what rounds to 0; a dash for those that do not exist."""
    texts = (
        f"{round(number, digits) + 0.0:.{digits}f}" if np.isfinite(number) else "—" for number in numbers
    )
    return ", ".join(texts).replace("-", "−")


class LocalFitExplorer(CurvePointsExplorer):
    """Drag the window along, widen it, and see what a constant and a line make of the points inside."""

    title = "A constant or a line"
    State = LocalFitState
    View = LocalFits
    panels = {"nrows": 2, "ncols": 2, "height_ratios": (2.3, 1)}
    source = staticmethod(datasets.rising_wave)
    size = 7.6, 4.7
    most_points = 100

    def make_controls(self):
        return {
            "h": log_slider("h", LEAST_H, MOST_H),
            "place": slider("x*", 0.0, 100.0, 0.5),
            "window": widgets.Dropdown(description="window", options=list(WINDOWS)),
        }

    def points_axes(self, view):
        return view.axes[:2]

    @staticmethod
    def compute(state):
        need_a_point(state.t)
        X, t, h, window = state.X, state.t, state.h, WINDOWS[state.window]
        fitted = [kind(h, window).fit(X, t) for kind in SMOOTHERS.values()]
        curves = np.array([each.predict(GRID[:, None]) for each in fitted])
        weights = np.array([each.weights([[state.place]])[0] for each in fitted])
        apart = X[:, 0] - state.place
        slopes = 0.0, local_line(apart, t, weights[0])[1]  # its weights are the windows, up to a factor
        reach = h if window.reach == 1 else 3 * h
        u = np.linspace(-reach, reach, 121)
        ends = np.array([-h, h])
        pieces = [
            np.column_stack([state.place + ends, w @ t + slope * ends])
            for w, slope in zip(weights, slopes, strict=True)
        ]
        freedom = [np.trace(each.weights(X)) for each in fitted]
        errors = [np.sqrt(each.leave_one_out(h)) if len(t) > 1 else np.nan for each in fitted]
        best = bandwidths(X, t, state.window)
        facts = {
            "f(x*): constant, line": told(*weights @ t),
            "sums of the weights": told(*weights.sum(axis=1), digits=4),
            "least weights": told(*weights.min(axis=1), digits=3),
            "degrees of freedom": told(*freedom, digits=1),
            "leave-one-out RMS": told(*errors, digits=3),
            "best h by it, about": told(best[CONSTANT], best[LINE], digits=1),
            "rule: hx, hy": told(best["x"], best["y"]),
            "rule: √(hx hy)": told(best["rule"]),
        }
        description = (
            f"{len(t)} points smoothed with a {state.window} window of bandwidth {h:.3g}. At x* = {state.place:g} the "
            f"constant is {weights[0] @ t:.2f} and the line {weights[1] @ t:.2f}; the least weight of the line is "
            f"{told(weights[1].min(), digits=3)}. Leave-one-out errors: {told(*errors, digits=3)}."
        )
        bump = np.column_stack([state.place + u, window(u / h) / window(0.0)])
        return LocalFitPicture(facts, description, curves, np.array(pieces), weights, bump)

    def draw(self, view, state, picture):
        fits = zip(picture.curves, picture.pieces, picture.weights, strict=True)
        window = {"place": state.place, "bump": picture.bump, "edge": edge(state)}
        view.update(state.X, state.t, GRID, fits, TRUTH, **window)

    def handles(self, view, state):
        own = self.figure.palette.own
        heights = [piece[:, 1].mean() for piece in self.picture.pieces]
        grips = [
            handle
            for ax, height in zip(self.points_axes(view), heights, strict=True)
            for handle in (
                Handle("place", ax, state.place, height, own),
                Handle("edge", ax, edge(state), GRIP, own, "diamond"),
            )
        ]
        return [*super().handles(view, state), *grips]

    def moved(self, state, name, x, y):
        if name == "place":
            return {"place": float(np.clip(x, 0, 100))}
        if name == "edge":
            return {"h": float(np.clip(abs(x - state.place), LEAST_H, MOST_H))}
        return super().moved(state, name, x, y)

    def draw_stale(self, view, state):
        for plane in view.planes:
            plane.smooth.points.update(self.places(state), self.labels(state))


def edge(state):
    """x of the grip at the edge of the window, on the side that has more room, and never out of sight."""
    side = 1 if state.place < 50 else -1
    return float(np.clip(state.place + side * state.h, WAVE[0] + 1, WAVE[1] - 1))


local_fit = factory("local_fit", LocalFitExplorer)


# ---- bias against variance ------------------------------------------------------------------------------
HS = np.geomspace(*RISK[:2], 41)
DRAWS = 12  # of the noise: fits drawn behind the curves
CHOICES = 200  # of the noise: bandwidths chosen by leave-one-out
NINE_OF_TEN = 0.05, 0.95  # quantiles


@dataclass(frozen=True, eq=False)
class BiasVarianceState:
    """smoother: CONSTANT or LINE; h, the bandwidth; noise, its standard deviation; n, how many points; drawn, seed
    of the inputs."""

    smoother: str = CONSTANT
    h: float = 3.5
    noise: float = 0.4
    n: int = 60
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class BiasVariancePicture(Picture):
    """Over GRID: expected and sd (G,), fits (G, DRAWS). averages (2, H) over HS: of squared bias and of variance; at_h
    (2,): the same at the present h; best_h: where their sum is least; left_out (CHOICES,): h by leave-one-out."""

    expected: np.ndarray
    sd: np.ndarray
    fits: np.ndarray
    averages: np.ndarray
    at_h: np.ndarray
    best_h: float
    left_out: np.ndarray


def inputs_and_noise(n, drawn):
    """X (n, 1), and noise (n, CHOICES) of variance 1."""
    X, _ = datasets.rising_wave(n, seed=drawn)
    return X, np.random.default_rng(1000 + drawn).normal(size=(n, CHOICES))


@remembered(32)
def over_bandwidths(smoother, n, drawn):
    """For noise of variance 1: averages of squared bias and of variance, (2, H); and parts (3, H, CHOICES), such that
    parts[0] + sigma parts[1] + sigma^2 parts[2] are the leave-one-out errors: residuals of a linear smoother add up."""
    X, noise = inputs_and_noise(n, drawn)
    truth = datasets.rising_curve(X[:, 0])
    averages, parts = [], []
    for h in HS:
        model = SMOOTHERS[smoother](h).fit(X, truth)
        bias, variance = bias_and_variance(model.weights(GRID[:, None]), truth, TRUTH, 1.0)
        averages.append((np.mean(bias**2), np.mean(variance)))
        W = model.weights(X)
        of_truth, of_noise = without_the_point(W, truth)[:, None], without_the_point(W, noise)
        products = np.broadcast_to(of_truth**2, noise.shape), 2 * of_truth * of_noise, of_noise**2
        parts.append(np.mean(products, axis=1))
    return np.transpose(averages), np.swapaxes(parts, 0, 1)


class BiasVarianceExplorer(DrawAgain):
    """What the bandwidth trades: the expected curve moves away from the truth, and single curves stray less."""

    title = "Bias against variance"
    State = BiasVarianceState
    size = 7.6, 4.7

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 2, width_ratios=(1.45, 1), height_ratios=(1.45, 1))
        return BiasVariance(*(sheet.add_subplot(cell) for cell in (cells[0, 0], cells[1, 0], cells[:, 1])))

    def make_controls(self):
        return {
            "smoother": widgets.ToggleButtons(options=list(SMOOTHERS), description="smoother"),
            "h": log_slider("h", *RISK[:2]),
            "noise": slider("σ", 0.1, 1.0, 0.05),
            "n": widgets.IntSlider(description="points", min=20, max=160, step=20),
        }

    @staticmethod
    def compute(state):
        X, noise = inputs_and_noise(state.n, state.drawn)
        truth = datasets.rising_curve(X[:, 0])
        W = SMOOTHERS[state.smoother](state.h).fit(X, truth).weights(GRID[:, None])
        bias, variance = bias_and_variance(W, truth, TRUTH, state.noise)
        averages, parts = over_bandwidths(state.smoother, state.n, state.drawn)
        averages = averages * np.array([[1.0], [state.noise**2]])
        total = averages.sum(axis=0)
        best = int(np.argmin(total))
        chosen = lowest(HS, parts[0] + state.noise * parts[1] + state.noise**2 * parts[2])
        at_h = np.array([np.mean(bias**2), np.mean(variance)])
        facts = {
            "squared bias, mean": f"{at_h[0]:.3f}",
            "variance, mean": f"{at_h[1]:.3f}",
            "sum": f"{at_h.sum():.3f}",
            "least sum": f"{total[best]:.3f}",
            "at h": f"{HS[best]:.2f}",
            "bias at x = 0, 100": f"{bias[0]:+.2f}, {bias[-1]:+.2f}".replace("-", "−"),
            "s. d. at x = 0, 100": told(*np.sqrt(variance[[0, -1]])),
            "leave-one-out: h": f"{np.median(chosen):.1f}",
            "nine of ten draws": "{:.1f} to {:.1f}".format(*np.quantile(chosen, NINE_OF_TEN)),
        }
        description = (
            f"{state.smoother}, bandwidth {state.h:.3g}, noise {state.noise:.2g}: squared bias {at_h[0]:.4f} and "
            f"variance {at_h[1]:.4f}, averaged over x; their sum is least, {total[best]:.4f}, at h = {HS[best]:.2f}. "
            f"At the left end the bias is {bias[0]:+.2f}, at the right end {bias[-1]:+.2f}."
        )
        fits = W @ (truth[:, None] + state.noise * noise[:, :DRAWS])
        arrays = TRUTH + bias, np.sqrt(variance), fits, averages, at_h
        return BiasVariancePicture(facts, description, *arrays, float(HS[best]), chosen)

    def draw(self, view, state, picture):
        curves = picture.expected, picture.sd, picture.fits
        view.update(GRID, TRUTH, *curves, h=state.h, hs=HS, averages=picture.averages)

    def handles(self, view, state):
        return [Handle("h", view.axes[2], state.h, H_GRIP, self.figure.palette.own, "diamond")]

    def moved(self, state, name, x, y):
        return {"h": float(np.clip(x, *RISK[:2]))}


bias_variance = factory("bias_variance", BiasVarianceExplorer)
