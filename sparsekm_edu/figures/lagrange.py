"""Lagrange multipliers in one picture: a bowl, a straight constraint, and the dual function beside it."""

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from .layers import Arrow, Grips, Label, Segments, StraightLine, View, curve, dot
from .style import describe, dress, palette_of

LEVELS = np.array([0.05, 0.2, 0.5, 1.0, 1.7, 2.6, 3.8, 5.2])
WINDOW = (-2.8, 2.8, -2.8, 2.8)
ARROW = 0.8  # length of an arrow for a gradient of length one


class ConstrainedBowl(View):
    """Left: contours of f, the constraint and both gradients at the optimum. Right: the dual function."""

    def __init__(self, left, right):
        super().__init__(left, right)
        colours = palette_of(left)
        dress(left, WINDOW, "$x_1$", "$x_2$", "minimise $f$", equal=True)
        dress(
            right,
            (-2.2, 2.8, -2.2, 3.4),
            "multiplier $\\lambda$",
            "value",
            "the dual $q(\\lambda)$",
            square=True,
            grid=True,
        )
        self.allowed = self.add(PolyCollection([], facecolors=[colours.mix("good", 0.16)], zorder=0))
        left.add_collection(self.allowed, autolim=False)
        self.bowl = self.add(LineCollection([], colors=colours.faint, linewidths=1.2, zorder=2))
        left.add_collection(self.bowl, autolim=False)
        self.line = self.add(StraightLine(left, "good"))
        self.pull = self.add(Arrow(left, "plus"))
        self.push = self.add(Arrow(left, "good"))
        self.grips = self.add(Grips(left, "good"))
        self.bottom = self.add(dot(left, "faint", "X", 12))
        self.optimum = self.add(dot(left, "ink"))
        self.own = self.add(dot(left, "own", "D", 10))
        self.names = [self.add(Label(left, role)) for role in ("plus", "good", "faint", "ink", "own")]
        self.dual = self.add(curve(right, "ink"))
        self.forbidden = self.add(PolyCollection([], facecolors=[colours.mix("faint", 0.25)], zorder=0))
        right.add_collection(self.forbidden, autolim=False)
        self.primal = self.add(curve(right, "good", 2.0, "--"))
        self.gap = self.add(Segments(right, "own", 3.0, zorder=5))
        self.top = self.add(dot(right, "ink"))
        self.here = self.add(dot(right, "own", "D", 10))
        self.gap_name = self.add(Label(right, "own", ha="right"))
        self.primal_name = self.add(Label(right, "good"))

    def update(self, bowl, lam):
        """bowl: a `Bowl`, with its functions f, g, dual; lam: the multiplier that the learner tries."""
        x, best = bowl.solve()
        value = bowl.f(x)
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
        trial = bowl.x_of(lam)
        for artist, place in ((self.bottom, bowl.c), (self.optimum, x), (self.own, trial)):
            artist.set_data(*np.c_[place])
        steep = bool(abs(best) > 0.05)  # otherwise there are no arrows to name
        words = [r"$-\nabla f$" * steep, r"$\lambda^*\nabla g$" * steep, "bottom", "$x^*$", r"$x(\lambda)$"]
        shifts = [(0.1, -0.34), (0.1, 0.1), (-0.5, -0.42), (0.16, -0.2), (-0.3, 0.14)]
        for name, place, shift, word in zip(
            self.names, (pull, push, bowl.c, x, trial), shifts, words, strict=True
        ):
            name.update(np.add(place, shift), word)
        multipliers = np.linspace(*self.axes[1].get_xlim(), 121)
        self.dual.set_data(multipliers, bowl.dual(multipliers))
        left, _, low, high = *self.axes[1].get_xlim(), *self.axes[1].get_ylim()
        self.forbidden.set_verts(
            [] if bowl.equality else [np.array([(left, low), (0, low), (0, high), (left, high)])]
        )
        self.primal.set_data(self.axes[1].get_xlim(), [value, value])
        self.primal_name.update((left + 0.1, value + 0.05), "$f(x^*)$")
        self.gap.update([((lam, bowl.dual(lam)), (lam, value))])
        self.gap_name.update((lam - 0.1, (bowl.dual(lam) + value) / 2), f"gap {value - bowl.dual(lam):.2f}")
        self.top.set_data([best], [bowl.dual(best)])
        self.here.set_data([lam], [bowl.dual(lam)])
        kind = "equality" if bowl.equality else "inequality, " + ("active" if best > 0 else "inactive")
        describe(
            self.axes[0],
            f"Left, the contours of a quadratic bowl with a straight constraint ({kind}); the optimum is "
            f"({x[0]:.2f}, {x[1]:.2f}). Right, the dual function: its top, at multiplier {best:.3f}, touches "
            f"the value {value:.3f} of the optimum from below; at multiplier {lam:.2f} it is "
            f"{value - bowl.dual(lam):.3f} lower.",
        )


def ellipses(A, centre):
    """Closed curves 1/2 (x - c)' A (x - c) = level, for the fixed LEVELS."""
    angle = np.linspace(0, 2 * np.pi, 73)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    half = np.linalg.inv(np.linalg.cholesky(A)).T
    return [(half @ circle * np.sqrt(2 * level)).T + centre for level in LEVELS]


def figure_lagrange(left, right, bowl, lam):
    """The bowl and its constraint (left), the dual function with the trial multiplier `lam` (right)."""
    view = ConstrainedBowl(left, right)
    view.update(bowl, lam)
    return view
