"""Lagrange multipliers in pictures: a bowl, a straight constraint, and the dual function beside it."""

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from sparsekm_edu.figures.layers import Arrow, Grips, Label, Segments, StraightLine, View, curve, dot
from sparsekm_edu.figures.style import describe, dress, palette_of

LEVELS = np.array([0.05, 0.2, 0.45, 0.8, 1.3, 1.9, 2.7, 3.6])
WINDOW = (-2.8, 2.8, -2.8, 2.8)
ARROW = 1.0  # length of an arrow for a gradient of length one
MULTIPLIERS, VALUES = (-2.2, 2.8), (-2.2, 4.4)  # the window of the dual function


class WalledBowl(View):
    """Contours of f, the constraint, and the two pushes that balance at the optimum."""

    def __init__(self, ax, title="minimise $f$"):
        super().__init__(ax)
        colours = palette_of(ax)
        dress(ax, WINDOW, "$x_1$", "$x_2$", title, equal=True)
        self.allowed = self.add(PolyCollection([], facecolors=[colours.mix("good", 0.16)], zorder=0))
        self.bowl = self.add(LineCollection([], colors=colours.faint, linewidths=1.2, zorder=2))
        for collection in (self.allowed, self.bowl):
            ax.add_collection(collection, autolim=False)
        self.line = self.add(StraightLine(ax, "good"))
        self.pull = self.add(Arrow(ax, "plus"))
        self.push = self.add(Arrow(ax, "good"))
        self.grips = self.add(Grips(ax, "good"))
        self.bottom = self.add(dot(ax, "faint", "X", 12))
        self.optimum = self.add(dot(ax, "ink"))
        roles = ("plus", "good", "faint", "ink")
        self.names = [self.add(Label(ax, role, ha="center", va="center")) for role in roles]

    def update(self, bowl, x, best):
        """bowl: a `Bowl`; x, best: its optimum and multiplier."""
        normal = bowl.n / np.linalg.norm(bowl.n)
        along = np.array([-normal[1], normal[0]]) * 20
        foot = normal * bowl.d / np.linalg.norm(bowl.n)
        corners = [foot - along, foot + along, foot + along + 20 * normal, foot - along + 20 * normal]
        self.allowed.set_verts([] if bowl.equality else [np.array(corners)])
        self.bowl.set_segments(ellipses(bowl.A, bowl.c))
        self.line.update(bowl.n, -bowl.d)
        pull, push = x - ARROW * bowl.grad_f(x), x + ARROW * best * bowl.n
        self.pull.update(x, pull)  # downhill
        self.push.update(x, push)  # of the constraint: equal and opposite
        self.bottom.set_data(*np.c_[bowl.c])
        self.optimum.set_data(*np.c_[x])
        steep = bool(abs(best) > 0.05)  # otherwise there are no arrows to name, and x* is the bottom itself
        words = [r"$-\nabla f$" * steep, r"$\lambda^*\nabla g$" * steep, "bottom" * steep, "$x^*$"]
        outward = np.copysign(0.42, best) * normal  # the names of the arrows stand beyond their tips
        shifts = [-outward, outward, (0.0, -0.35), -0.018 * along]
        for name, place, shift, word in zip(self.names, (pull, push, bowl.c, x), shifts, words, strict=True):
            name.update(np.add(place, shift), word)


class ConstrainedBowl(WalledBowl):
    """The bowl with the learner's x(lambda) in it (left), and the dual function (right)."""

    def __init__(self, left, right):
        super().__init__(left)
        self.axes = left, right
        colours = palette_of(right)
        window = *MULTIPLIERS, *VALUES
        dress(
            right, window, "multiplier $\\lambda$", "value", "the dual $q(\\lambda)$", square=True, grid=True
        )
        self.own = self.add(dot(left, "own", "D", 10))
        self.own_name = self.add(Label(left, "own"))
        self.forbidden = self.add(PolyCollection([], facecolors=[colours.mix("faint", 0.25)], zorder=1))
        right.add_collection(self.forbidden, autolim=False)
        self.dual = self.add(curve(right, "ink"))
        self.primal = self.add(curve(right, "good", 2.0, "--"))
        self.gap = self.add(Segments(right, "own", 3.0, zorder=5))
        self.top = self.add(dot(right, "ink"))
        self.here = self.add(dot(right, "own", "D", 10))
        self.gap_name = self.add(Label(right, "own", ha="right", va="center"))
        self.primal_name = self.add(Label(right, "good", ha="right"))

    def update(self, bowl, x, best, lam):
        """lam: the multiplier that the learner tries; the rest as for `WalledBowl`."""
        super().update(bowl, x, best)
        value, bound, trial = bowl.f(x), bowl.dual(lam), bowl.x_of(lam)
        self.own.set_data(*np.c_[trial])
        self.own_name.update(np.add(trial, (-0.3, 0.16)), r"$x(\lambda)$")
        (left, right), (low, high) = MULTIPLIERS, VALUES
        multipliers = np.linspace(left, right, 121)
        self.dual.set_data(multipliers, bowl.dual(multipliers))
        self.forbidden.set_verts(
            [] if bowl.equality else [np.array([(left, low), (0, low), (0, high), (left, high)])]
        )
        self.primal.set_data(MULTIPLIERS, [value, value])
        self.primal_name.update((right - 0.1, value + 0.08), "$f(x^*)$")
        self.gap.update([((lam, bound), (lam, value))])
        wide = bool(value - bound > 0.15)  # a closed gap needs no name
        self.gap_name.update((lam - 0.12, (bound + value) / 2), f"gap {value - bound:.2f}" * wide)
        self.top.set_data([best], [bowl.dual(best)])
        self.here.set_data([lam], [bound])
        describe(
            self.axes[0],
            f"Left, the contours of a quadratic bowl with a straight constraint ({case_of(bowl, best)}); the "
            f"optimum is ({x[0]:.2f}, {x[1]:.2f}). Right, the dual function: its top, at multiplier {best:.3f}, "
            f"touches the value {value:.3f} of the optimum from below; at multiplier {lam:.2f} it is "
            f"{value - bound:.3f} lower.",
        )


def case_of(bowl, best):
    """Equality, or an inequality that is active (the wall pushes) or inactive."""
    return "equality" if bowl.equality else ("active" if best > 0 else "inactive")


def ellipses(A, centre):
    """Closed curves 1/2 (x - c)' A (x - c) = level, for the fixed LEVELS."""
    angle = np.linspace(0, 2 * np.pi, 73)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    half = np.linalg.inv(np.linalg.cholesky(A)).T
    return [(half @ circle * np.sqrt(2 * level)).T + centre for level in LEVELS]


def figure_kkt(axes, bowls):
    """One panel for each bowl: equality, active and inactive inequality show their pushes (or none)."""
    views = []
    for ax, bowl in zip(axes, bowls, strict=True):
        x, best = bowl.solution
        views.append(WalledBowl(ax, f"{case_of(bowl, best)}, $\\lambda^*$ = {best:.2f}"))
        views[-1].update(bowl, x, best)
    cases = "; ".join(f"{case_of(bowl, bowl.solution[1])}, {bowl.solution[1]:.2f}" for bowl in bowls)
    describe(axes[0], f"{len(bowls)} bowls, each with a straight constraint; kind and multiplier: {cases}.")
    return views


def figure_lagrange(left, right, bowl, lam):
    """The bowl and its constraint (left), the dual function with the trial multiplier `lam` (right)."""
    view = ConstrainedBowl(left, right)
    view.update(bowl, *bowl.solution, lam)
    return view
