"""Scores that promise too much: the winner among many, nested cross-validation, leaks; and other ways to choose."""

import numpy as np
from matplotlib.ticker import PercentFormatter

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Arrow,
    Label,
    Relief,
    Segments,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import describe, dress, palette_of

LOOKS = ("own", "D"), ("plus", "o"), ("good", "s"), ("minus", "^")  # of the rows of `Strips`, from the top
KINDS = "winner's score", "nested score", "its true error"
WINDOW = -0.03, 1.0  # errors, with room for a mark at 0


def in_percent(axis):
    """Ticks of an axis of errors."""
    axis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))


# ---- errors of many draws -------------------------------------------------------------------------------
class Strips(View):
    """Rows of errors, a dot for each draw, the same draw at the same height in every row; bars for the means."""

    HEIGHT = 0.3  # of a row, to either side of its middle

    def __init__(self, ax, names, title="", window=(0.0, 1.0)):
        super().__init__(ax)
        dress(ax, (*window, 0.5 - len(names), 0.5), "error", "", title)
        ax.set_yticks(-np.arange(len(names)), names)
        ax.tick_params(axis="y", length=0, labelsize=12)
        in_percent(ax.xaxis)
        looks = LOOKS[: len(names)]
        self.truth = self.add(Segments(ax, "good", 1.6, "--", zorder=2))
        self.draws = [self.add(curve(ax, role, 0.0, mark, markersize=4.5, alpha=0.6)) for role, mark in looks]
        self.means = self.add(Segments(ax, "ink", 3.0, zorder=5))
        edge = {"markersize": 9, "markeredgecolor": palette_of(ax).ink, "markeredgewidth": 1.4}
        self.present = [self.add(curve(ax, role, 0.0, mark, zorder=6, **edge)) for role, mark in looks]

    def update(self, runs, truth, draw=None):
        """runs (rows, draws); truth: where the dashed line stands; draw: the index of one to be outlined."""
        R = len(runs[0])
        heights = self.HEIGHT * np.linspace(1, -1, R) if R > 1 else np.zeros(1)
        for row, (errors, cloud, mark) in enumerate(zip(runs, self.draws, self.present, strict=True)):
            cloud.set_data(errors, heights - row)
            mark.set_data(*([] if draw is None else [each[draw]] for each in (errors, heights - row)))
        self.means.update(
            [((np.mean(x), -row - 0.42), (np.mean(x), -row + 0.42)) for row, x in enumerate(runs)]
        )
        self.truth.update([((truth, 0.5 - len(runs)), (truth, 0.5))])


def figure_promises(ax, runs, truth, title=""):
    """What several ways to estimate an error promise, in many draws.

    runs: at most four names with the errors of all draws (R,); truth: what nobody can beat, a dashed line; title: what
    was estimated.
    """
    errors = list(runs.values())
    most = max(map(np.max, errors))
    view = Strips(ax, list(runs), title, window=(-0.03 * max(most, truth), 1.1 * max(most, truth)))
    view.update(errors, truth)
    means = ", ".join(f"{name}: {np.mean(x):.1%}, {min(x):.1%} to {max(x):.1%}" for name, x in runs.items())
    describe(
        ax,
        f"Errors in {len(errors[0])} draws, a row of dots for each way to estimate them, with a bar at the mean. Means "
        f"and ranges: {means}. The dashed line is at {truth:.1%}.",
    )
    return view


# ---- the winner among many ------------------------------------------------------------------------------
class Winner(View):
    """Above the scores of all candidates in one draw, the winner's marked; below three errors of many draws."""

    def __init__(self, above, below):
        super().__init__(above, below)
        dress(
            above,
            (*WINDOW, -0.2, 1.75),
            "",
            "candidates",
            "cross-validation errors of all candidates, one draw",
        )
        above.set_yticks([])
        above.set_xticklabels([])
        self.truth = self.add(Segments(above, "good", 1.6, "--", zorder=2))
        self.coins = self.add(curve(above, "faint", 1.8, zorder=2, label="as many tossed coins"))
        self.scores = self.add(Segments(above, "ink", 2.6))
        self.most = self.add(Label(above, size=11, ha="center", patch=False))
        self.arrow = self.add(Arrow(above, "own"))
        self.winner = self.add(dot(above, "own", "D"))
        self.words = self.add(Label(above, "own", va="bottom", patch=False))
        legend(above, loc="center right", bbox_to_anchor=(1.0, 0.62), handlelength=1.2)
        self.strips = self.add(Strips(below, KINDS, "many draws; this one outlined, bars: means", WINDOW))

    def update(self, scores, coins, runs, draw, truth):
        """scores (m,) of all candidates in draw number `draw`, counted from 0; coins (N + 1,): how many of m coins
        are expected to err 0, ..., N times of N; runs (3, R): winner's score, nested score and winner's true error in
        each draw; truth: the error that nobody can beat."""
        values, counts = np.unique(scores, return_counts=True)
        top = max(counts.max(), coins.max())
        self.scores.update([((x, 0), (x, count / top)) for x, count in zip(values, counts, strict=True)])
        self.most.update((values[counts.argmax()], counts.max() / top), f"{counts.max()}")
        self.coins.set_data(np.linspace(0, 1, len(coins)), coins / top)
        self.truth.update([((truth, 0), (truth, 1.3))])
        score, _, true = runs[:, draw]
        self.winner.set_data([score], [0.0])
        self.arrow.update((score, 1.35), (true, 1.35))
        self.words.update((min(score, true), 1.4), f"optimism: {100 * (true - score):.0f} points")
        self.strips.update(runs, truth, draw)
        describe(self.axes[0], describe_winner(scores, runs, draw))


def describe_winner(scores, runs, draw):
    """The picture in words."""
    score, nested, true = runs.mean(axis=1)
    several = f"{len(scores)} candidates" if len(scores) > 1 else "1 candidate"
    return (
        f"The cross-validation errors of {several} in one draw, from {scores.min():.0%} to {scores.max():.0%}; the "
        f"winner's true error is {runs[2, draw]:.0%}. Below, in {runs.shape[1]} draws, the mean of the winner's "
        f"score is {score:.1%}, of nested cross-validation {nested:.1%}, of the winner's true error {true:.1%}."
    )


def figure_optimism(above, below, scores, coins, runs, draw, truth):
    """The winner among many candidates, in one draw and in many: see `Winner.update`."""
    view = Winner(above, below)
    view.update(scores, coins, runs, draw, truth)
    return view


# ---- a grid, and chance ---------------------------------------------------------------------------------
class Tries(View):
    """Cross-validation errors over C and gamma, the places that were tried, and on the axes which values these are."""

    def __init__(self, ax, window, title=""):
        super().__init__(ax)
        dress(ax, window, "$\\log_{10} C$", "$\\log_{10} \\gamma$", title)
        self.relief = self.add(Relief(ax))
        self.values = self.add(Segments(ax, "own", 1.8, zorder=5))
        self.tries = self.add(curve(ax, "own", 0.0, "o", markersize=6, markeredgecolor=palette_of(ax).paper))
        self.best = self.add(dot(ax, "good", "s", 11))
        across, up = window[1] - window[0], window[3] - window[2]
        words = self.add(Label(ax, size=11, ha="right", va="top"))
        words.update(
            (window[1] - 0.02 * across, window[3] - 0.02 * up), "shaded: many errors; square: best try"
        )

    def update(self, C, gamma, errors, tries, best):
        """C (n_C,), gamma (n_gamma,), errors (n_gamma, n_C); tries (T, 2), pairs C, gamma; best: the number of one."""
        levels = np.linspace(errors.min(), errors.max(), 7)[1:-1]
        self.relief.update(np.log10(C), np.log10(gamma), errors, levels)
        places = np.log10(tries)
        self.tries.set_data(*places.T)
        self.best.set_data(*places[[best]].T)
        left, right = self.axes[0].get_xlim()
        bottom, top = self.axes[0].get_ylim()
        across, up = 0.04 * (right - left), 0.05 * (top - bottom)
        self.values.update(
            [((x, bottom), (x, bottom + up)) for x, _ in places]
            + [((left, y), (left + across, y)) for _, y in places]
        )


def figure_search(left, right, C, gamma, errors, grid, chance):
    """The same errors over C and gamma twice, with as many tries on a grid and at random.

    errors (n_gamma, n_C), shaded where there are more; grid, chance: (tries (T, 2), pairs C, gamma; the best one's
    number). Strokes at the axes are the values tried of each dial.
    """
    window = *np.log10(C[[0, -1]]), *np.log10(gamma[[0, -1]])
    views, words = [], []
    for ax, (tries, best), name in zip((left, right), (grid, chance), ("a grid", "at random"), strict=True):
        distinct = [len(np.unique(np.round(np.log10(dial), 6))) for dial in np.transpose(tries)]
        views.append(Tries(ax, window, f"{len(tries)} tries, {name}: {distinct[1]} values of $\\gamma$"))
        views[-1].update(C, gamma, errors, tries, best)
        words.append(f"{name}, {distinct[0]} values of C and {distinct[1]} of gamma")
    describe(
        left,
        f"Cross-validation errors from {errors.min():.0%} to {errors.max():.0%} over the logarithms of C and gamma, "
        f"twice, with {len(grid[0])} tries each: {'; '.join(words)}. The best try of each is a green square.",
    )
    return views


# ---- without folds --------------------------------------------------------------------------------------
class EvidenceAndErrors(View):
    """Over gamma: above the log evidence of a machine, below its error by cross-validation and its true error."""

    def __init__(self, above, below):
        super().__init__(above, below)
        dress(above, None, "", "ln $p(t)$", "")
        dress(below, None, "$\\gamma$", "error", "")
        above.tick_params(labelbottom=False)
        in_percent(below.yaxis)
        for ax in (above, below):
            ax.set_xscale("log", base=2)
            ax.xaxis.set_major_formatter("{x:g}")
        self.evidence = self.add(curve(above, "own", 2.4, marker="o", markersize=5, label="log evidence"))
        self.folds = self.add(
            curve(below, "plus", 2.0, "--", marker="o", markersize=5, label="cross-validation")
        )
        self.true = self.add(curve(below, "good", 2.4, marker="s", markersize=5, label="true error"))
        self.least = self.add(curve(below, "faint", 1.6, ":", label="least possible"))
        self.best = [self.add(Segments(ax, "own", 1.6, "--", zorder=2)) for ax in (above, below)]
        legend(below, **ABOVE_THE_AXES | {"ncols": 3})

    def update(self, gamma, evidence, folds, true, least):
        """gamma (n,); evidence, errors by cross-validation and true errors (n,); least: the Bayes error."""
        self.evidence.set_data(gamma, evidence)
        self.folds.set_data(gamma, folds)
        self.true.set_data(gamma, true)
        self.least.set_data(gamma[[0, -1]], [least, least])
        highest = max(map(np.max, (folds, true)))
        spans = (evidence.min(), evidence.max()), (0.0, highest)
        best = gamma[np.argmax(evidence)]
        for ax, line, (low, high) in zip(self.axes, self.best, spans, strict=True):
            ax.set_xlim(gamma[0] / 1.1, gamma[-1] * 1.1)
            ax.set_ylim(low - 0.08 * (high - low) * (low != 0), high + 0.12 * (high - low))
            line.update([[(best, y) for y in ax.get_ylim()]])
        describe(
            self.axes[0],
            f"Over {len(gamma)} values of gamma from {gamma[0]:.3g} to {gamma[-1]:.3g}: the log evidence is highest, "
            f"{evidence.max():.1f}, at {best:.3g}. The error by cross-validation is least, {folds.min():.1%}, at "
            f"{gamma[np.argmin(folds)]:.3g}, the true error, {true.min():.1%}, at {gamma[np.argmin(true)]:.3g}. "
            f"Where the evidence is highest the true error is {true[np.argmax(evidence)]:.1%}; the least "
            f"possible is {least:.1%}.",
        )


def figure_evidence_over_gamma(above, below, gamma, evidence, folds, true, least):
    """The evidence over gamma, and the errors below it: see `EvidenceAndErrors.update`."""
    view = EvidenceAndErrors(above, below)
    view.update(gamma, evidence, folds, true, least)
    return view
