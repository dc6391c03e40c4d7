"""The q-s plane, and sequential sparse Bayesian learning on its way through it (PRML 7.2.2).

A basis function is a point (s_i, q_i^2). Above the line q^2 = s it belongs in the model, below it does not,
(7.101). How much an addition gains, (q^2/s - 1 - ln(q^2/s)) / 2 nats by (7.97), depends on q^2/s alone: on logarithmic
axes, on the height above the line.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.markers import MarkerStyle
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

from sparsekm_edu.figures.layers import (
    POINT_SIZE,
    Arrow,
    Band,
    Points,
    Probabilities,
    Rings,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.rvm.sparsity import QUALITY, SPARSITY
from sparsekm_edu.figures.style import describe, dress, palette_of

CIRCLED = "⓪①②③④⑤⑥⑦⑧⑨"  # numbers of the steps of the book's box
#: the box itself, as short as it gets
BOX = ("set β", "first φ", "all q, s", "select", "new α", "add", "delete", "new β", "done?")
# action -> the step of the box that it is, and those that lead to it
STEPS = {
    "start": (2, (1,)),
    "re-estimate": (5, (3, 4)),
    "add": (6, (3, 4)),
    "delete": (7, (3, 4)),
    "none": (4, (3,)),
    "yours": (4, (3,)),  # the player's turn to select
    "noise": (8, ()),
    "stop": (9, (3,)),
}
GAINS = 1, 10, 100  # nats, whose lines are drawn
WIDEST = 1e-30, 1e30  # of numbers on the axes, for what is drawn across all of them
LINES_OF_LOG = 4
LETTERS = {"start ": "start with ", "q^2": "q²", "<=": "≤", "alpha": "α", "beta": "β"}  # of a sentence
NATS = -400, 1.5  # log evidence on the trace, from that of the fast schedule


def ratio_for(gain):
    """q^2 / s of a function outside the model that would gain so many nats, by (7.97) at (7.101)."""
    ratio = 1.0 + 2.0 * gain
    for _ in range(60):
        ratio = 1.0 + 2.0 * gain + np.log(ratio)
    return ratio


# ---- words ----------------------------------------------------------------------------------------------
def name_of(i):
    """The i-th basis function, as it is written in the picture."""
    return "φ" + str(i).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def short(number):
    """Three digits without e+02."""
    if number >= 999.5:
        return f"{number:.0f}" if number < 1e6 else f"{number:.0e}".replace("e+0", "e").replace("e+", "e")
    return f"{number:.3g}".replace("e-0", "e-")


def two_digits(gain):
    """A gain in nats."""
    return short(float(f"{gain:.2g}"))


def sentence(step, names):
    """What a SequentialStep does, and why, in the letters of the picture; names (M,) of the basis functions."""
    if step.action == "yours":
        return "your turn: click the function that shall act (Step: the greatest gain)"
    text = step.told(names.__getitem__, short, two_digits)
    for plain, letter in LETTERS.items():
        text = text.replace(plain, letter)
    return text


# ---- the plane ------------------------------------------------------------------------------------------
MARKERS = {
    (0, 0): "o",  # within the window; else a triangle that points to where the function is
    (-1, 0): "<",
    (1, 0): ">",
    (0, -1): "v",
    (0, 1): "^",
}
PATHS = {
    side: MarkerStyle(mark).get_path().transformed(MarkerStyle(mark).get_transform())
    for side, mark in MARKERS.items()
}


class QSPlane(View):
    """Every basis function as a point (s_i, q_i^2), and the line that decides who belongs in the model."""

    def __init__(self, ax, window, title=""):
        super().__init__(ax)
        colours = palette_of(ax)
        dress(ax, None, "$s$", "$q^2$", title)
        ax.set_xlabel("$s$", loc="left")  # the key to the marks stands beside it, where it hides no point
        key = {"xytext": (0, -22), "textcoords": "offset points", "ha": "right", "va": "top"}
        ax.annotate(
            "● in model  ○ outside", (1, 0), xycoords="axes fraction", fontsize=10, color=colours.ink, **key
        )
        for axis, role in ((ax.xaxis, SPARSITY), (ax.yaxis, QUALITY)):
            axis.label.set_color(getattr(colours, role))
            axis.set_tick_params(labelcolor=getattr(colours, role))
        ax.set_xscale("log")
        ax.set_yscale("log")
        ends = np.array(WIDEST)
        corners = [np.array([(ends[0], ends[0]), (ends[1], ends[1]), (ends[0], ends[1])])]
        above = PolyCollection(corners, facecolors=[colours.mix("good", 0.13)], linewidths=0, zorder=0)
        ax.add_collection(above, autolim=False)
        for gain in GAINS:
            ax.plot(ends, ratio_for(gain) * ends, color=colours.mix("good", 0.4), linewidth=1, zorder=1)
        ax.plot(ends, ends, color=colours.ink, linewidth=2.2, zorder=2)
        looks = {"fontsize": 10, "va": "center", "zorder": 1, "clip_on": True, "color": colours.ink}
        self.gains = [
            ax.text(1, 1, f"{gain}{' nats' if gain == max(GAINS) else ''}", **looks) for gain in GAINS
        ]
        for text in self.gains:
            text.set_bbox({"facecolor": colours.mix("good", 0.13), "edgecolor": "none", "pad": 0.5})
        corner = {"fontsize": 14, "weight": "bold", "transform": ax.transAxes, "zorder": 1}
        ax.text(0.03, 0.97, "in", color=colours.good, va="top", **corner)
        ax.text(0.97, 0.03, "out", color=colours.ink, ha="right", **corner)

        self.colours = {True: colours.ink, False: colours.paper}
        looks = {"edgecolors": colours.ink, "linewidths": 1.6, "zorder": 5}
        self.functions = self.add(ax.scatter([], [], POINT_SIZE, **looks))
        self.ring = self.add(Rings(ax, "own", 4.5 * POINT_SIZE))
        self.arrow = self.add(Arrow(ax, "own", 2.6))
        self.words = self.add(QuickText(ax, "own", ha="center", weight="bold", patch=True, zorder=8))
        self.look_at(window)

    def look_at(self, window):
        """Show the window (left, right, bottom, top) of s and q^2."""
        ax, (left, right, bottom, top) = self.axes[0], window
        self.window = np.log10(np.reshape(window, (2, 2)))  # (axis, end)
        ax.set_xlim(left, right)
        ax.set_ylim(bottom, top)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(LogLocator(numticks=6))
            axis.set_minor_locator(NullLocator())
        where = left * 10 ** (0.03 * np.ptp(self.window[0]))
        for text, gain in zip(self.gains, GAINS, strict=True):
            text.set_position((where, ratio_for(gain) * where))

    def places(self, q, s):
        """Where the functions are drawn, (M, 2), and on which sides they lie beyond the window, (M, 2) of -1, 0, 1."""
        with np.errstate(divide="ignore"):
            exact = np.log10(np.maximum([s, q * q], WIDEST[0])).T
        low, high = self.window.T
        rim = 0.025 * (high - low)  # so that markers at the edge are seen whole
        side = (exact > high).astype(int) - (exact < low)
        return 10.0 ** np.clip(exact, low + rim, high - rim), side

    def update(self, q, s, active, step=None, names=None):
        """q, s (M,) and active (M,) of all functions; step: the SequentialStep to come, None for none; names (M,)."""
        names = [name_of(i) for i in range(len(q))] if names is None else names
        places, side = self.places(q, s)
        self.functions.set_offsets(places)
        self.functions.set_paths([PATHS[(0, y) if y else (x, 0)] for x, y in side.tolist()])
        self.functions.set_facecolor([self.colours[member] for member in active.tolist()])
        chosen = None if step is None else step.index
        self.ring.update([] if chosen is None else places[chosen])
        for artist in (*self.arrow.artists, self.words):
            artist.set_visible(chosen is not None)
        if chosen is not None:
            word = "look at" if step.action == "none" else step.action
            self._point_at(places, chosen, f"{word} {names[chosen]}")
        describe(self.axes[0], describe_plane(q, s, active, step, names))

    def _point_at(self, places, chosen, words):
        """The arrow; its words stay in the window and hide as few points as they can."""
        low, high = self.window.T
        at = (np.log10(places) - low) / (high - low)  # shares of the window
        half, least = 0.5 * (0.036 * len(words) + 0.02), np.inf
        for up, across in product((-0.23, 0.23, -0.33, 0.33), (-0.2, 0.0, 0.2)):
            x, y = np.clip(at[chosen] + (across, up), (half + 0.02, 0.07), (0.98 - half, 0.93))
            close = 10 * max(0, 0.2 - abs(y - at[chosen, 1]))  # no room for an arrow
            hidden = np.sum((np.abs(at[:, 0] - x) < half) & (np.abs(at[:, 1] - y) < 0.07))
            over_a_corner = (x - half < 0.13 and y > 0.85) or (x + half > 0.87 and y < 0.15)
            if (cost := hidden + over_a_corner + close + abs(up)) < least:
                least, centre = cost, np.array([x, y])
        foot = np.array([np.clip(at[chosen, 0], *(centre[0] + (-half, half))), centre[1]])
        away = (foot - at[chosen]) / np.linalg.norm(foot - at[chosen])
        ends = (
            foot - (0, 0.05 * np.sign(away[1])),
            at[chosen] + 0.06 * away,
        )  # beside the words, beside the ring
        self.arrow.update(*(10.0 ** (low + end * (high - low)) for end in ends))
        self.words.set(position=10.0 ** (low + centre * (high - low)), text=words)


def describe_plane(q, s, active, step, names):
    """The plane in words."""
    above = q * q > s
    text = (
        f"The plane of sparsity s and squared quality q^2 on logarithmic axes, with the line q^2 = s, and {len(q)} "
        f"basis functions: {active.sum()} are in the model, {np.sum(active & above)} of them above the line; of the "
        f"{np.sum(~active)} outside, {np.sum(~active & above)} lie above it."
    )
    return text if step is None else f"{text} Next: {sentence(step, names)}."


def figure_q_s_plane(ax, q, s, active, window, step=None, title=""):
    """Every basis function in the q-s plane, those in the model filled; an arrow at the one that `step` is about.

    q, s, active (M,), as a SequentialStep has them; window (left, right, bottom, top) of s and q^2.
    """
    view = QSPlane(ax, window, title)
    view.update(np.asarray(q), np.asarray(s), np.asarray(active), step)
    return view


# ---- the player -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Frame:
    """What is seen of a data set: windows (left, right, bottom, top), and ticks along the first axis of the fit."""

    fit: tuple
    plane: tuple
    ticks: tuple
    labels: tuple = ("$x$", "$t$")


class SequentialRun(View):
    """The algorithm at work: the box of nine steps, the fit, the q-s plane, the evidence so far, the last actions."""

    LONGEST = 1000  # steps on the axis of the evidence

    def __init__(self, box, fit, plane, trace, log, frame):
        super().__init__(box, fit, plane, trace, log)
        colours = palette_of(fit)
        for blank in (box, log):
            blank.set_axis_off()
            blank.spines[:].set_visible(False)  # the live canvas paints the frames of all axes once more
        box.set(xlim=(0, 9), ylim=(0, 1))
        cells = [np.array([(n + 0.03, 0.5), (n + 0.97, 0.5), (n + 0.97, 1), (n + 0.03, 1)]) for n in range(9)]
        self.cells = self.add(PolyCollection(cells, edgecolors=colours.faint, linewidths=1, zorder=3))
        box.add_collection(self.cells, autolim=False)
        looks = {"fontsize": 11, "ha": "center", "va": "center", "color": colours.ink, "zorder": 1}
        for n, words in enumerate(BOX):  # they stand still, the light falls on them
            box.text(n + 0.5, 0.74, f"{CIRCLED[n + 1]} {words}", **looks)
        self.sentence = self.add(QuickText(box, "own", 13, x=0.03, y=0.2))
        self.lights = [to_rgba(colours.own, share) for share in (0.0, 0.2, 0.5)]  # off, on the way, now

        self.band = self.add(Band(fit))
        self.line = self.add(curve(fit, "good", 2.6, zorder=3))
        self.probabilities = self.add(Probabilities(fit))
        self.points = self.add(Points(fit, size=45))
        self.rings = self.add(Rings(fit, size=170))
        self.candidate = self.add(Rings(fit, "own", 260))
        self.candidate.artists[0].set_linewidth(2.6)

        self.plane = QSPlane(plane, frame.plane)
        self.artists += self.plane.artists

        dress(trace, None, "step", r"$\Delta\ln p(\mathbf{t})$")
        trace.set_xscale("symlog", linthresh=1)
        trace.set_yscale("symlog", linthresh=1, linscale=0.6)
        trace.set(xlim=(0, self.LONGEST), ylim=NATS)
        for axis, ticks in ((trace.xaxis, (0, 1, 10, 100, 1000)), (trace.yaxis, (-100, -10, -1, 0, 1))):
            axis.set_major_locator(FixedLocator(ticks))
            axis.set_major_formatter("{x:.0f}")
            axis.set_minor_locator(NullLocator())
        trace.axhline(0, color=colours.good, linewidth=1.6, linestyle="--", label="fast schedule")
        self.evidence = self.add(curve(trace, "own", 2.4))
        self.here = self.add(dot(trace, size=9))
        legend(trace, loc="lower right", handlelength=1.5, borderaxespad=0.1)

        self.log = [
            self.add(QuickText(log, size=12, ha=side, va="top", x=x, y=1, transform=log.transAxes))
            for x, side in ((0, "left"), (1, "right"))
        ]
        self.frame = None
        self.look_at(frame)

    def look_at(self, frame):
        """Show another data set; returns whether the axes have changed with it."""
        if frame == self.frame:
            return False
        self.frame = frame
        fit = self.axes[1]
        dress(fit, frame.fit, *frame.labels)
        fit.set_xticks(frame.ticks)
        fit.set_yticks([-1, 0, 1])
        self.plane.look_at(frame.plane)
        return True

    def update(self, X, t, names, steps, by_hand, fit, fast):
        """The model after the last but one of the `steps`, and what comes next, the last of them.

        X (N, D), t (N,); names (M,) of the basis functions; steps: the empty model, and a SequentialStep for each
        action; by_hand: the numbers of those that somebody chose; fit: x, mean and standard deviation, or a grid
        and the probabilities of both classes on it; fast: the log evidence of the fast schedule.
        """
        *past, now, to_come = steps
        past = [*past, now]
        self._light(to_come, names)
        self._draw_fit(X, t, now, to_come, fit)
        self.plane.update(now.q, now.s, now.active, to_come, names)

        missing = np.clip([step.log_evidence - fast for step in past], *NATS)
        self.evidence.set_data(np.arange(len(past)), missing)
        self.here.set_data([len(past) - 1], missing[-1:])
        for text, lines in zip(self.log, log_of(past, names, by_hand), strict=True):
            text.set_text("\n".join(lines))
        describe(self.axes[0], describe_run(steps, names))

    def _light(self, to_come, names):
        strong, weak = STEPS[to_come.action]
        self.cells.set_facecolor(
            [self.lights[2 if n == strong else 1 if n in weak else 0] for n in range(1, 10)]
        )
        said_alone = to_come.action in ("stop", "yours")
        self.sentence.set_text(("" if said_alone else "next: ") + sentence(to_come, names))

    def _draw_fit(self, X, t, now, to_come, fit):
        curves = len(fit) == 3
        for artist in (*self.band.artists, self.line):
            artist.set_visible(curves)
        for artist in self.probabilities.artists:
            artist.set_visible(not curves)
        if curves:
            x, mean, deviation = fit
            self.band.update(x, mean - deviation, mean + deviation)
            self.line.set_data(x, mean)
            places, labels = np.column_stack([X, t]), np.ones(len(t))
        else:
            grid, P = fit
            self.probabilities.update(*grid, P)
            places, labels = X, np.where(t > 0, 1, -1)
        self.points.update(places, labels)
        N = len(t)  # the bias, function number N, has no point
        self.rings.update(places[now.active[:N]])
        chosen = to_come.index
        self.candidate.update([] if chosen is None or chosen >= N else places[chosen])


def log_of(past, names, by_hand):
    """The last actions, newest first: number, step of the box and action of each; and its gain in nats."""
    words = {"start": "start with", "noise": "new β", "none": "no action on"}
    actions, gains = [], []
    for k in range(len(past) - 1, max(0, len(past) - 1 - LINES_OF_LOG), -1):
        step = past[k]
        what = words.get(step.action, step.action) + ("" if step.index is None else f" {names[step.index]}")
        actions.append(f"{k}  {CIRCLED[STEPS[step.action][0]]} {what}{' ✎' if k in by_hand else ''}")
        gains.append(f"{'+' if step.gain >= 0 else '−'}{two_digits(abs(step.gain))}" if step.gain else "")
    return actions or ["the model is empty"], gains


def describe_run(steps, names):
    """The player's picture in words."""
    *_, now, to_come = steps
    k, number = len(steps) - 2, STEPS[to_come.action][0]
    return (
        f"Sequential sparse Bayesian learning after {k} step{'' if k == 1 else 's'}: {now.active.sum()} of "
        f"{len(now.q)} basis functions are in the model, the log evidence is {now.log_evidence:.4f}. Next, "
        f"step {number} of the box ({BOX[number - 1]}): {sentence(to_come, names)}. "
        + describe_plane(now.q, now.s, now.active, None, names)
    )
