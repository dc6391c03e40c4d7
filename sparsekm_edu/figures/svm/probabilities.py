"""From scores to probabilities: Platt scaling (PRML (7.43)) and the log odds of MLaPP figure 14.13."""

import numpy as np

from sparsekm_edu.figures.layers import Segments, View, curve, legend
from sparsekm_edu.figures.style import MINUS, PLUS, describe, dress, palette_of


def rugs(view, ax):
    """Two rows of ticks, one tick for each point of a line: class +1, class -1."""
    return [view.add(curve(ax, role, 0, "|", markersize=11)) for role in ("plus", "minus")]


# ---- Platt scaling --------------------------------------------------------------------------------------
SCORES = 8.0  # scores beyond this are drawn at the edge
BINS = 10


def reliability(p, t):
    """Which share of the points that were promised probability p is of class +1?

    Parameters: p (N,) promised probabilities; t (N,) labels -1 and +1.
    Returns: promised, share, low, high, count, each (B,): for every bin of width 1/10 that is not empty the mean of p,
    the share of t = +1 with its 95 % interval (Wilson's), and the number of points.
    """
    bins = np.minimum((BINS * p).astype(int), BINS - 1)
    count = np.bincount(bins, minlength=BINS)
    used = count > 0
    n = count[used]
    promised = np.bincount(bins, p, BINS)[used] / n
    share = np.bincount(bins, t > 0, BINS)[used] / n
    z2 = 1.96**2
    middle, half = share + z2 / (2 * n), np.sqrt(z2 * (share * (1 - share) + z2 / (4 * n)) / n)
    return promised, share, (middle - half) / (1 + z2 / n), (middle + half) / (1 + z2 / n), n


def off_diagonal(bins):
    """Mean distance of the shares from what was promised, every point counting once."""
    promised, share, _, _, count = bins
    return float(np.abs(share - promised) @ count / count.sum())


class Sigmoids(View):
    """(7.43): a sigmoid fitted to held-out scores, one to training scores; which of them keeps its promises?"""

    LOOKS = {"held out": ("good", "-", PLUS), "training": ("own", "--", MINUS)}  # role, line, marker
    ROWS = {"held out": 0.11, "training": 0.25}  # of the scores, above p = 1 and below p = 0

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(
            left, (-SCORES, SCORES, -0.34, 1.34), "score $y(x)$", "$p(t=1|x)$", "fitted to two sets of scores"
        )
        window, title = (-0.03, 1.03, -0.03, 1.03), "promises kept on fresh data?"
        dress(right, window, "promised probability", "share of $t=1$", title, grid=True)
        rows = {side * away + (side > 0): name for name, away in self.ROWS.items() for side in (1, -1)}
        left.set_yticks([0, 0.5, 1, *rows], ["0", "0.5", "1", *rows.values()])
        for tick, name in zip(left.get_yticklabels()[3:], rows.values(), strict=True):
            tick.set_color(getattr(palette_of(left), self.LOOKS[name][0]))
        right.plot([0, 1], [0, 1], color=palette_of(right).faint, linewidth=1.5, zorder=2)
        self.x = np.linspace(-SCORES, SCORES, 241)
        self.curves, self.rugs, self.bars, self.marks = {}, {}, {}, {}
        for name, (role, style, marker) in self.LOOKS.items():
            self.curves[name] = self.add(curve(left, role, 2.8, style))
            self.rugs[name] = rugs(self, left)
            self.bars[name] = self.add(Segments(right, role, 1.8))
            colours = palette_of(right)
            looks = {"edgecolors": colours.paper, "linewidths": 0.8, "zorder": 5}
            dots = right.scatter([], [], [], getattr(colours, role), marker=marker, **looks)
            self.marks[name] = self.add(dots)
            right.plot([], [], marker, color=getattr(colours, role), label=name)  # for the legend
        legend(right, loc="lower right", borderaxespad=0.2)

    def update(self, held_out, training, fresh):
        """held_out, training: (y, t, fit), scores (N,), their labels, and the PlattFit to them; fresh: (y, t)."""
        words = []
        for name, (y, t, fit) in zip(self.LOOKS, (held_out, training), strict=True):
            self.curves[name].set_data(self.x, fit.probability(self.x))
            for rug, label in zip(self.rugs[name], (1, -1), strict=True):
                row = 1 + self.ROWS[name] if label > 0 else -self.ROWS[name]
                at = np.clip(y[t == label], -SCORES, SCORES)
                rug.set_data(at, np.full(len(at), row))
            bins = reliability(fit.probability(fresh[0]), fresh[1])
            promised, share, low, high, count = bins
            self.marks[name].set_offsets(np.column_stack([promised, share]))
            self.marks[name].set_sizes(20 + 400 * count / count.sum())
            self.bars[name].update([((x, a), (x, b)) for x, a, b in zip(promised, low, high, strict=True)])
            words.append(
                f"fitted to {len(t)} {name} scores, A = {fit.A:.2f} and B = {fit.B:.2f}, is "
                f"{off_diagonal(bins):.3f} away from the diagonal on average"
            )
        describe(
            self.axes[0],
            f"Left, two sigmoids that turn the score y(x) into a probability. Right, a reliability diagram from "
            f"{len(fresh[1])} fresh points. The sigmoid {'; the one '.join(words)}.",
        )


def figure_platt(left, right, held_out, training, fresh):
    """Sigmoids (7.43) fitted to held-out and to training scores (left), judged on fresh points (right).

    held_out, training: (y, t, fit), scores, labels and the PlattFit to them; fresh: (y, t).
    """
    view = Sigmoids(left, right)
    view.update(held_out, training, fresh)
    return view


# ---- figure 14.13 ---------------------------------------------------------------------------------------
OVERLAP = 0.5, 1.0  # where both classes of `datasets.uniform_classes` are
HIGHEST = 4.0


def hinge_where_tied(y):
    """Expected hinge loss where both classes are equally likely: 1 for every y between -1 and 1."""
    return (np.maximum(0, 1 - y) + np.maximum(0, 1 + y)) / 2


def logistic_where_tied(y):
    """Expected logistic loss / ln 2 where both classes are equally likely: least at y = 0 only."""
    return (np.logaddexp(0, -y) + np.logaddexp(0, y)) / (2 * np.log(2))


class LogOdds(View):
    """Figure 14.13: true log odds, output of a support vector machine, log odds of a relevance vector machine.

    The latter are averaged over its weights, kappa(sigma^2) w'phi(x): what `RVC.decision_function` returns.
    """

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, (-0.05, 1.55, -HIGHEST, HIGHEST), "$x$", "log odds", "log odds of $t=1$")
        dress(
            right,
            (-2.5, 2.5, 0.8, 2.0),
            "output $y$",
            "expected loss",
            "loss where $p(t=1|x)=\\frac{1}{2}$",
            grid=True,
        )
        colours = palette_of(left)
        low, high = OVERLAP
        left.axvspan(low, high, color=colours.mix("faint", 0.18), zorder=0)
        truth = [(-0.05, low, low, high, high, 1.55), (-9, -9, 0, 0, 9, 9)]  # -inf, 0, inf
        left.plot(*truth, color=colours.ink, linewidth=4.5, alpha=0.35, zorder=3, label="truth")
        for x, y, ha, sign in ((low + 0.04, -0.8, "left", "↓ −∞"), (high - 0.04, 0.8, "right", "+∞ ↑")):
            left.text(x, y * HIGHEST, sign, fontsize=13, ha=ha, va="center", color=colours.ink)
        self.rugs = rugs(self, left)
        self.svm = self.add(curve(left, "own", 2.4, "--", label="SVM, $y(x)$"))
        self.scaled = self.add(curve(left, "own", 1.6, ":", label="SVM, Platt"))
        self.rvm = self.add(curve(left, "good", 2.6, label="RVM, averaged"))
        legend(left, loc="upper left", borderaxespad=0.2)
        y = np.linspace(-2.5, 2.5, 101)
        right.plot(y, hinge_where_tied(y), "--", color=colours.own, linewidth=1.6, label="hinge")
        right.plot(y, logistic_where_tied(y), color=colours.good, linewidth=1.6, label="logistic / ln 2")
        legend(right, loc="upper center", borderaxespad=0.2)
        self.on_hinge = self.add(curve(right, "own", 0, MINUS, markersize=7))
        self.on_logistic = self.add(curve(right, "good", 0, PLUS, markersize=7))

    def update(self, X, t, x, svm, rvm, scaled=None):
        """X (N, 1), t (N,): data; x (M,): where y(x) of the SVM and averaged log odds of the RVM, both (M,), are.

        scaled (M,): A y(x) + B of the SVM after Platt scaling, if it is to be shown.
        """
        for rug, label in zip(self.rugs, (1, -1), strict=True):
            at = X[t == label, 0]
            rug.set_data(at, np.full(len(at), label * 0.96 * HIGHEST))
        self.svm.set_data(x, svm)
        self.rvm.set_data(x, rvm)
        self.scaled.set_data(([], []) if scaled is None else (x, scaled))
        tied = (x >= OVERLAP[0]) & (x <= OVERLAP[1])
        every = np.flatnonzero(tied)[:: max(1, tied.sum() // 25)]  # some 25 marks tell as much as all
        self.on_hinge.set_data(svm[every], hinge_where_tied(svm[every]))
        self.on_logistic.set_data(rvm[every], logistic_where_tied(rvm[every]))
        away = [np.sqrt(np.mean(values[tied] ** 2)) for values in (svm, rvm)]
        describe(
            self.axes[0],
            f"Figure 14.13. Left, log odds of class +1 along x for {len(t)} points: the truth is minus infinity, 0 "
            f"between {OVERLAP[0]} and {OVERLAP[1]}, then plus infinity. There the output of the SVM is "
            f"{away[0]:.2f} away from it (root mean square), the log odds of the RVM, averaged over its weights, "
            f"{away[1]:.2f}. Right, the expected loss where both classes are equally likely: the hinge is flat "
            f"between -1 and 1, the logistic loss has its minimum at 0; marks show the outputs of both machines.",
        )


def figure_14_13(left, right, X, t, x, svm, rvm, scaled=None):
    """Log odds along x (left), and what the losses of both machines ask for where the classes tie (right)."""
    view = LogOdds(left, right)
    view.update(X, t, x, svm, rvm, scaled)
    return view
