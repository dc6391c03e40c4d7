"""Relevance vector regression: PRML figure 7.9 beside 7.8, the climb of the evidence, error bars far from the data."""

import numpy as np
from matplotlib.ticker import NullLocator

from sparsekm_edu.figures.curves import KINDS, SINUSOID, SINUSOID_X, Tube, kinds
from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Band,
    Grips,
    Points,
    Rings,
    Segments,
    View,
    curve,
    dot,
    give_room_to_first,
    legend,
)
from sparsekm_edu.figures.style import ONE_KIND, describe, dress, palette_of


class ErrorBars:
    """The predictive distribution (7.90): its mean, and a band of one standard deviation to either side."""

    def __init__(self, ax, name="mean"):
        self.band = Band(ax)
        self.mean = curve(ax, "good", 2.6, zorder=3, label=name)
        self.artists = [*self.band.artists, self.mean]

    def update(self, x, mean, sd):
        """x, mean, sd: (n,) each."""
        self.band.update(x, mean - sd, mean + sd)
        self.mean.set_data(x, mean)


# ---- figure 7.9 beside 7.8 ------------------------------------------------------------------------------
class TwoMachines(View):
    """The same points twice: left the tube of nu-SVR (figure 7.8), right the RVM with its error bars (figure 7.9)."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, SINUSOID, "$x$", "$t$", "7.8: support vectors")
        dress(right, SINUSOID, "$x$", "", "7.9: relevance vectors")
        right.tick_params(labelleft=False)
        for ax in (left, right):
            sine = self.add(curve(ax, "ink", 1.3, ":", zorder=2.5))  # above the band, which moves
            sine.set_data(SINUSOID_X, np.sin(2 * np.pi * SINUSOID_X))
        self.tube = self.add(Tube(left))
        self.bars = self.add(ErrorBars(right))
        self.points = self.add(Points(left, KINDS))
        self.points_right = self.add(Points(right, ONE_KIND))
        self.rings = [self.add(Rings(ax)) for ax in (left, right)]

    def update(self, X, t, x, tube, bars, relevant):
        """X (N, 1), t (N,): the data; x: where curves are drawn.

        tube: y on x, y_n and v = a - a-hat at the points, their limit C, and the half-width epsilon;
        bars: mean and sd on x; relevant (R,): indices of the relevance vectors.
        """
        y, y_n, v, C, epsilon = tube
        mean, sd = bars
        places = np.column_stack([X, t])
        self.tube.update(x, y, epsilon, places, t - y_n)
        self.bars.update(x, mean, sd)
        self.show_points(places, kinds(v, C))
        for rings, chosen in zip(self.rings, (v != 0, relevant), strict=True):
            rings.update(places[chosen])
        describe(
            self.axes[0],
            f"Figures 7.8 and 7.9: {len(t)} points of a sine, twice. Left a support vector machine with a tube of "
            f"half-width {epsilon:.3f}; {np.count_nonzero(v)} points are circled as support vectors. Right a relevance "
            f"vector machine: {len(relevant)} points are circled, and the band of one standard deviation around the "
            f"mean is between {sd.min():.3f} and {sd.max():.3f} wide to either side.",
        )

    def show_points(self, places, kind):
        """places (N, 2), kind (N,) of regression.KINDS for the left panel."""
        self.points.update(places, kind)
        self.points_right.update(places, np.ones(len(places)))


def figure_7_9(left, right, X, t, svm, rvm):
    """Figure 7.9 on the right, from a fitted `RVR`; on the left its rival, figure 7.8, from a fitted `NuSVR`."""
    view, x = TwoMachines(left, right), SINUSOID_X
    tube = svm.predict(x[:, None]), svm.predict(X), svm.solution_.v, svm.C, svm.epsilon_
    view.update(X, t, x, tube, rvm.predict(x[:, None], return_std=True), rvm.relevance_)
    return view


# ---- the climb ------------------------------------------------------------------------------------------
LONGEST = 160  # steps that the panels have room for
INFINITE = 1e7  # where an infinite alpha is drawn
TOP = 1e-7  # nats: closer to the top than this is the top
# way up -> its colour and stroke; the first two are re-estimation
WAYS = {"as printed": ("plus", "-."), "with a brake": ("good", "-"), "EM": ("minus", "--")}


class Climb:
    """How far below the top of the evidence each way is, step by step: thin the whole run, thick so far."""

    def __init__(self, ax):
        dress(ax, (-3, LONGEST, 100, TOP), "step", "nats to go", grid=True)
        ax.set_yscale("log")  # the top is at the top
        ax.set_yticks([1e2, 1, 1e-2, 1e-4, 1e-6], ["100", "1", "0.01", "$10^{-4}$", "$10^{-6}$"])
        ax.yaxis.set_minor_locator(NullLocator())
        self.thin = {name: curve(ax, role, 1.2, style) for name, (role, style) in WAYS.items()}
        self.thick = {name: curve(ax, role, 3.0, style, label=name) for name, (role, style) in WAYS.items()}
        self.here = dot(ax, "own")
        legend(ax, **ABOVE_THE_AXES | {"ncols": len(WAYS)})
        self.artists = [*self.thin.values(), *self.thick.values(), self.here]

    def update(self, evidence, so_far):
        """evidence: way -> log evidence of every step; so_far: way -> step up to which it is drawn thick.

        A mark stands where a way pauses before its end.
        """
        top = max(values.max() for values in evidence.values())
        self.here.set_data([], [])
        for name in WAYS:
            below = np.maximum(top - evidence[name], TOP)
            steps, k = np.arange(len(below)), so_far[name]
            self.thin[name].set_data(steps, below)
            self.thick[name].set_data(steps[: k + 1], below[: k + 1])
            if 0 <= k < len(below) - 1:
                self.here.set_data([k], [below[k]])


class Alphas:
    """Every alpha_i on a logarithmic scale, step by step; who leaves the model jumps to infinity."""

    def __init__(self, ax, title=""):
        dress(ax, (-3, LONGEST, 1e-5, 4 * INFINITE), "step", r"$\alpha_i$", title, grid=True)
        ax.set_yscale("log")
        ax.set_yticks([1e-4, 1e-2, 1, 1e2, 1e4, INFINITE], ["$10^{-4}$", "", "1", "", "$10^4$", r"$\infty$"])
        ax.yaxis.set_minor_locator(NullLocator())
        self.leaving = Segments(ax, "faint", 1.3)
        self.staying = Segments(ax, "good", 2.8)
        self.jumps = Segments(ax, "own", 1.6, ":")
        self.exits = ax.scatter([], [], 55, palette_of(ax).own, marker="x", linewidths=2.0, zorder=6)
        self.cursor = curve(ax, "ink", 1.6, ":")
        self.here = Points(ax, {1: ("own", "o")}, 28)
        parts = self.leaving, self.staying, self.jumps, self.here
        self.artists = [*(part.artists[0] for part in parts), self.exits, self.cursor]

    def update(self, alpha, k):
        """alpha (n + 1, M): all steps, infinite for who has left; k: the step that the cursor stands on."""
        stays = np.isfinite(alpha[-1])
        runs = [np.isfinite(column).sum() for column in alpha.T]  # once it has left, none comes back
        steps = np.arange(len(alpha))
        for layer, columns in ((self.leaving, ~stays), (self.staying, stays)):
            layer.artists[0].set_segments(
                [np.column_stack([steps[: runs[i]], alpha[: runs[i], i]]) for i in np.flatnonzero(columns)]
            )
        gone = [i for i in np.flatnonzero(~stays) if 0 < runs[i] <= k]
        last = np.array([(runs[i] - 1, alpha[runs[i] - 1, i]) for i in gone]).reshape(-1, 2)
        up = np.column_stack([[runs[i] for i in gone], np.full(len(gone), INFINITE)])
        self.jumps.update(np.stack([last, up], axis=1))
        self.exits.set_offsets(up)
        self.cursor.set_data([k, k], (1e-5, 4 * INFINITE))
        inside = alpha[k][np.isfinite(alpha[k])]
        self.here.update(np.column_stack([np.full(len(inside), k), inside]), np.ones(len(inside)))


class ClimbStep(View):
    """The model after some steps: its fit, how far below the top it is, and every alpha_i on the way."""

    def __init__(self, ax, climb, alphas):
        super().__init__(ax, climb, alphas)
        dress(ax, SINUSOID, "$x$", "$t$")
        self.bars = self.add(ErrorBars(ax))
        self.points = self.add(Points(ax, ONE_KIND))
        self.rings = self.add(Rings(ax))
        self.climb = self.add(Climb(climb))
        self.alphas = self.add(Alphas(alphas))

    def update(self, X, t, x, bars, evidence, way, alpha, k):
        """X (N, 1), t: the data; x and bars: mean and sd on it; evidence: way -> log evidence of every step.

        `way` is at its step k; alpha (n + 1, N + 1): all its alphas, that of the bias last.
        """
        places = np.column_stack([X, t])
        inside = np.isfinite(alpha[k, : len(t)])
        self.bars.update(x, *bars)
        self.points.update(places, np.ones(len(t)))
        self.rings.update(places[inside])
        self.climb.update(evidence, {name: k if name == way else -1 for name in WAYS})
        self.alphas.update(alpha, k)
        describe(self.axes[0], describe_climb(evidence, way, alpha, k))


def describe_climb(evidence, way, alpha, k):
    """A step of the climb in words."""
    below = max(values.max() for values in evidence.values()) - evidence[way][k]
    where = f"{below:.2g} nats below the top" if below > TOP else "the top"
    inside, last = np.isfinite(alpha[k]), np.isfinite(alpha[-1])
    return (
        f"Way up: {way}. At step {k} of {len(alpha) - 1} the log evidence is {evidence[way][k]:.4f}, {where}. "
        f"{inside.sum()} of {alpha.shape[1]} functions are in the model, {last.sum()} will stay; their alphas settle, "
        f"those of the others grow until they are pruned."
    )


def figure_evidence_climb(climb, axes, runs):
    """Evidence and alphas of several ways up. axes: one for the alphas of each; runs: way -> all its EvidenceSteps."""
    trace = Climb(climb)
    evidence = {way: np.array([step.log_evidence for step in steps]) for way, steps in runs.items()}
    trace.update(evidence, {way: len(steps) for way, steps in runs.items()})
    views, words = [], []
    for ax, (way, steps) in zip(axes, runs.items(), strict=True):
        alpha = np.array([step.alpha for step in steps])
        views.append(Alphas(ax, way))
        views[-1].update(alpha, len(steps) - 1)
        words.append(describe_climb(evidence, way, alpha, len(steps) - 1))
    describe(
        climb,
        f"{len(runs)} ways up the evidence, and every alpha on a logarithmic scale on each. "
        + " ".join(words),
    )
    return [trace, *views]


# ---- far away -------------------------------------------------------------------------------------------
FAR = (-1.25, 2.25, -2.1, 2.1)  # window
FAR_X = np.linspace(*FAR[:2], 281)
MOST_SD = 1.4
GRIP = 0.1  # height of the probe's handle, in the panel of standard deviations


class FarAway(View):
    """RVM and Gaussian process on the same data, far beyond them; below, the standard deviations of both."""

    def __init__(self, ax, strip):
        super().__init__(ax, strip)
        give_room_to_first(ax, strip, 1.4)
        dress(ax, FAR, "", "$t$")
        ax.tick_params(labelbottom=False)
        dress(strip, (*FAR[:2], 0, MOST_SD), "$x$", r"$\sigma(x)$", grid=True)
        self.bars = self.add(ErrorBars(ax, "RVM"))
        self.mean = self.add(curve(ax, "minus", 2.2, "--", zorder=3, label="Gaussian process"))
        self.edges = [self.add(curve(ax, "minus", 1.4, ":", zorder=3)) for _ in range(2)]
        self.points = self.add(Points(ax, ONE_KIND))
        self.rings = self.add(Rings(ax))
        self.sds = [
            self.add(curve(strip, role, 2.6, style)) for role, style in (("good", "-"), ("minus", "--"))
        ]
        self.marks = [self.add(Points(strip, {1: look}, 55)) for look in (("good", "o"), ("minus", "s"))]
        self.lines = [self.add(Segments(each, "own", 1.8)) for each in (ax, strip)]
        self.grip = self.add(Grips(strip))
        legend(ax, **ABOVE_THE_AXES)

    def update(self, X, t, x, rvm, process, relevant, probe, places, at_places):
        """X (N, 1), t: the data; x: where curves are drawn; rvm, process: mean and sd on x of both; relevant (R,).

        probe: a place on the axis, None in print; places (3,), and at_places: sd of both there, (2, 3).
        """
        data = np.column_stack([X, t])
        self.bars.update(x, *rvm)
        mean, sd = process
        self.mean.set_data(x, mean)
        for edge, side in zip(self.edges, (1, -1), strict=True):
            edge.set_data(x, mean + side * sd)
        self.points.update(data, np.ones(len(t)))
        self.rings.update(data[relevant])
        for line, (_, sd_on_x) in zip(self.sds, (rvm, process), strict=True):
            line.set_data(x, sd_on_x)
        for mark, values in zip(self.marks, at_places, strict=True):
            mark.update(np.column_stack([places, values]), np.ones(len(places)))
        for lines, (low, high) in zip(self.lines, (FAR[2:], (0, MOST_SD)), strict=True):
            lines.update([] if probe is None else [((probe, low), (probe, high))])
        self.grip.update([] if probe is None else [(probe, GRIP)])
        describe(self.axes[0], describe_far_away(places, at_places, len(t)))


def describe_far_away(places, at_places, N):
    """The picture in words."""
    there = "; ".join(
        f"at x = {x:.2f} {a:.3f} and {b:.3f}" for x, a, b in zip(places, *at_places, strict=True)
    )
    return (
        f"A relevance vector machine and a Gaussian process on the same {N} points, and the standard deviations of "
        f"their predictions: {there}. Where there are no data the first are no larger than among them, the second "
        f"rise to what was known before the data came."
    )


def figure_far_away(ax, strip, X, t, rvm, process, places):
    """A fitted `RVR` and a fitted scikit-learn `GaussianProcessRegressor` far from their data.

    places (3,): where the standard deviations of both are marked.
    """
    view, x = FarAway(ax, strip), FAR_X
    curves = [model.predict(x[:, None], return_std=True) for model in (rvm, process)]
    at_places = [model.predict(np.reshape(places, (-1, 1)), return_std=True)[1] for model in (rvm, process)]
    view.update(X, t, x, *curves, rvm.relevance_, None, places, at_places)
    return view
