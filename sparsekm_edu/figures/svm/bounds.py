"""Learning theory, PRML 7.1.5: the PAC statement, the learning curve under its bounds, and PAC-Bayes."""

import numpy as np
from matplotlib.collections import PolyCollection

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Label,
    MarginBand,
    Points,
    Rings,
    Segments,
    StraightLine,
    View,
    clip_line,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import SQUARE, describe, dress, palette_of

# bound -> (role of its colour, style of its line, marker)
BOUNDS = {
    "VC": ("own", "-", ""),
    "compression": ("plus", "--", "s"),
    "PAC-Bayes": ("minus", "-.", "D"),
    "leave-one-out": ("third", ":", "^"),
    "hold-out": ("faint", "-", "v"),
}
LEAST = 1e-3  # errors below this lie on the floor of a logarithmic axis


def cut(polygon, w, b):
    """The part of a convex polygon (C, 2) with w'x + b >= 0."""
    height = polygon @ np.asarray(w, float) + b
    corners = []
    for here, there, low, high in zip(
        polygon, np.roll(polygon, -1, 0), height, np.roll(height, -1), strict=True
    ):
        if low >= 0:
            corners.append(here)
        if low * high < 0:
            corners.append(here + (there - here) * low / (low - high))
    return np.array(corners).reshape(-1, 2)


class OneSample(View):
    """A data set of the noise-free world, the true line x_1 = 0, the learned one, and where the two disagree."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        colours = palette_of(ax)
        dress(ax, SQUARE, "$x_1$", "$x_2$", title, equal=True)
        self.empty = self.add(MarginBand(ax, "faint", 0.2))
        self.wrong = PolyCollection(
            [],
            facecolors=[colours.mix("own", 0.35)],
            edgecolors=colours.own,
            hatch="///",
            linewidths=0,
            zorder=2,
        )
        ax.add_collection(self.wrong, autolim=False)
        self.add(self.wrong)
        self.truth = self.add(StraightLine(ax, "ink", 2.0, "--"))
        self.line = self.add(StraightLine(ax, "good", 2.6))
        self.points = self.add(Points(ax, size=45))
        self.rings = self.add(Rings(ax, size=150))

    def update(self, X, t, line, support, gap):
        """line: (w, b) as learned; gap: the true line keeps this far from all data."""
        left, right, bottom, top = SQUARE
        window = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
        (w, b), e1 = line, np.array([1.0, 0.0])
        pieces = [cut(cut(window, side * e1, -gap), -side * np.asarray(w), -side * b) for side in (1.0, -1.0)]
        self.wrong.set_verts([piece for piece in pieces if len(piece)])
        self.empty.update(e1, 0.0, gap)
        self.truth.update(e1, 0.0)
        self.line.update(*(line if np.any(w) else (e1, 1e6)))  # one class only: the line is out of sight
        self.points.update(X, t)
        self.rings.update(X[support])


class Survival(View):
    """P(error > epsilon) over data sets, one falling curve for each N; PAC keeps them out of a corner."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        colours = palette_of(ax)
        dress(
            ax,
            (0, 0.4, 0, 1.02),
            r"$\epsilon$",
            r"share of data sets with error $>\epsilon$",
            title,
            square=True,
        )
        self.forbidden = PolyCollection([], facecolors=[colours.mix("ink", 0.12)], linewidths=0, zorder=0)
        ax.add_collection(self.forbidden, autolim=False)
        self.add(self.forbidden)
        looks = (("minus", "-"), ("own", "--"), ("plus", "-."), ("third", "-"))
        self.curves = [self.add(curve(ax, role, 2.6, style)) for role, style in looks]
        self.word = self.add(Label(ax, ha="right", va="bottom", patch=False))

    def update(self, errors, epsilon, delta):
        """errors: {N: (sets,)} the true errors of what was learned from so many data sets of N points."""
        for (N, sample), line in zip(errors.items(), self.curves, strict=True):
            x = np.sort(sample)
            line.set_data(np.append(0, x), np.append(1, 1 - np.arange(1, len(x) + 1) / len(x)))
            line.set_label(f"$N={N}$")
        self.forbidden.set_verts([[(epsilon, delta), (0.4, delta), (0.4, 1.02), (epsilon, 1.02)]])
        self.word.update((0.395, delta + 0.02), "forbidden")
        legend(self.axes[0], loc="upper right")


def figure_pac(left, right, X, t, line, support, error, errors, epsilon, delta):
    """Left, one data set and what was learned from it; right, how often the error exceeds epsilon, for several N."""
    sample = OneSample(left, f"one data set: error {error:.3f}")
    sample.update(X, t, line, support, 0.0)
    survival = Survival(right, f"{len(next(iter(errors.values())))} data sets for each $N$")
    survival.update(errors, epsilon, delta)
    shares = ", ".join(f"{np.mean(sample > epsilon):.3f} for N = {N}" for N, sample in errors.items())
    describe(
        left,
        f"Left, {len(t)} points labelled by the side of a vertical line, the maximum-margin line, and hatched the "
        f"region where the two disagree, which has probability {error:.3f}. Right, the share of data sets whose line "
        f"has an error above epsilon, against epsilon: at {epsilon:g} it is {shares}.",
    )
    return sample, survival


class LearningCurve(View):
    """Error against the number of points, both logarithmic: what was measured, and what the bounds promise."""

    def __init__(self, ax, names, most=2000, floor=LEAST):
        """names: which of BOUNDS will be shown."""
        super().__init__(ax)
        colours = palette_of(ax)
        dress(ax, (8, most, floor, 1.3), "points $N$", "error", grid=True)
        ax.set_xscale("log")
        ax.set_yscale("log")
        self.target = self.add(curve(ax, "ink", 1.6, ":"))
        self.here = self.add(curve(ax, "ink", 1.6, ":"))
        self.cloud = self.add(
            ax.scatter([], [], 26, "none", edgecolors=colours.ink, linewidths=1.0, zorder=5)
        )
        self.high = self.add(curve(ax, "ink", 2.2, "--", marker="o", markersize=5, label="95 % of data sets"))
        self.mean = self.add(curve(ax, "ink", 2.6, marker="o", markersize=6, label="mean error"))
        self.bounds = {}
        for name in names:
            role, style, marker = BOUNDS[name]
            self.bounds[name] = self.add(curve(ax, role, 2.6, style, label=name, marker=marker, markersize=8))

    def update(self, bounds, measured=None, cloud=None, epsilon=None):
        """bounds: {name: (N, values)}; measured: N, mean error, error that 95 % of the data sets keep to, (m,) each;
        cloud: N and the errors of single data sets of this size."""
        for name, line in self.bounds.items():
            x, y = bounds[name]
            line.set_data(x, y)
            line.set_marker(BOUNDS[name][2] if len(x) < 20 else "")
        told = [
            f"{name} {y[0]:.3g} at N = {x[0]} to {y[-1]:.3g} at {x[-1]}" for name, (x, y) in bounds.items()
        ]
        if measured is not None:
            N, mean, high = measured
            self.mean.set_data(N, mean)
            self.high.set_data(N, high)
            told += [f"the mean error {mean[0]:.3f} at N = {N[0]} to {mean[-1]:.4f} at {N[-1]}"]
        if cloud is not None:
            N, errors = cloud
            floor = self.axes[0].get_ylim()[0]
            self.cloud.set_offsets(
                np.column_stack([np.full(len(errors), N), np.maximum(errors, 1.15 * floor)])
            )
            self.here.set_data([N, N], self.axes[0].get_ylim())
            told += [
                f"{len(errors)} data sets of {N} points with errors from {errors.min():.4f} to {errors.max():.4f}"
            ]
        if epsilon is not None:
            self.target.set_data(self.axes[0].get_xlim(), [epsilon, epsilon])
        describe(self.axes[0], f"Error against the number of points, both logarithmic: {'; '.join(told)}.")


def figure_learning_curve(ax, bounds, measured, epsilon=None):
    """The measured learning curve and any of the bounds of BOUNDS, each (N, values)."""
    view = LearningCurve(ax, list(bounds))
    view.update(bounds, measured, epsilon=epsilon)
    lines = [*view.bounds.values(), view.high, view.mean]
    legend(ax, handles=lines, loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=2.6)
    return view


class SampleAndBounds(View):
    """One data set on the left, and on the right what is promised and what happens at its size."""

    def __init__(self, left, right, names):
        super().__init__(left, right)
        self.sample = OneSample(left)
        self.curve = LearningCurve(right, names)
        self.artists += self.sample.artists + self.curve.artists
        # above the axes: inside, the errors of large data sets would lie on it
        legend(right, handles=list(self.curve.bounds.values()), **(ABOVE_THE_AXES | {"handlelength": 2.6}))
        right.set_box_aspect(1)

    def update(self, X, t, line, support, gap, bounds, errors, epsilon):
        """The arguments of OneSample and LearningCurve; errors: of this and other data sets of the same size."""
        self.sample.update(X, t, line, support, gap)
        self.curve.update(bounds, cloud=(len(t), errors), epsilon=epsilon)


class PacBayes(View):
    """Left, lines drawn from Q around the learned one; right, what a wide or narrow Q costs and gains."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, SQUARE, "$x_1$", "$x_2$", "lines drawn from $Q$", equal=True)
        dress(
            right,
            (0.5, 30, 0, 1),
            r"length $\mu$ of the mean of $Q$",
            "error of the lines drawn",
            square=True,
            grid=True,
        )
        right.set_xscale("log")
        self.drawn = self.add(Segments(left, "faint", 1.0))
        self.line = self.add(StraightLine(left, "good", 3.0))
        self.points = self.add(Points(left, size=45))
        self.bound = self.add(curve(right, "minus", 2.8, "-.", label="PAC-Bayes bound"))
        self.true = self.add(curve(right, "ink", 2.4, label="true"))
        self.seen = self.add(curve(right, "good", 2.4, "--", label="on the data"))
        self.best = self.add(dot(right, "minus", "D"))
        legend(right, loc="upper center")

    def update(self, X, t, line, drawn, mu, seen, true, bound):
        """drawn (L, 3): (w, b) of each line; mu (m,) and, for each, error on the data, true error and bound."""
        self.drawn.update([piece for w1, w2, b in drawn if len(piece := clip_line((w1, w2), b, SQUARE))])
        self.line.update(*line)
        self.points.update(X, t)
        for curve_, values in ((self.seen, seen), (self.true, true), (self.bound, bound)):
            curve_.set_data(mu, values)
        k = int(np.argmin(bound))
        self.best.set_data([mu[k]], [bound[k]])
        describe(
            self.axes[0],
            f"Left, {len(drawn)} lines drawn around the one learned from {len(t)} points. Right, their mean error "
            f"against the length mu: on the data it falls from {seen[0]:.2f} to {seen[-1]:.3f}; the bound is smallest "
            f"at mu = {mu[k]:.1f}, {bound[k]:.3f}, where the true error is {true[k]:.3f}.",
        )


def figure_pac_bayes(left, right, X, t, line, drawn, mu, seen, true, bound):
    """Lines drawn from Q (left), and their error on the data, in truth and as promised against mu (right)."""
    view = PacBayes(left, right)
    view.update(X, t, line, drawn, mu, seen, true, bound)
    return view
