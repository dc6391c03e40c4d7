"""Support vector regression: PRML figures 7.7 (MLaPP 14.10b) and 7.8, and Tipping's sinc.

Each picture is a curve in its tube, and below it a strip that says why: the multipliers in their box, nu between
two fractions, or the errors in units of epsilon.
"""

import numpy as np
from matplotlib.ticker import NullLocator

from sparsekm_edu.figures.curves import KINDS, SINC, SINC_X, SINUSOID, SINUSOID_X, WORDS, Tube, kinds
from sparsekm_edu.figures.layers import (
    Fractions,
    Label,
    Points,
    Rings,
    Segments,
    View,
    curve,
    give_room_to_first,
)
from sparsekm_edu.figures.style import describe, dress, palette_of


class NameOfEnd(Label):
    """What the right end of a curve is called, beside the Axes; the layout keeps room for the longest such name."""

    def __init__(self, ax, longest):
        super().__init__(ax, "good", va="center", patch=False)
        self.artists[0].set_clip_on(False)
        ax.text(1.015, 0.5, longest, fontsize=13, alpha=0, transform=ax.transAxes)

    def update(self, height, words):
        left, right, bottom, top = SINUSOID
        super().update((right + 0.015 * (right - left), np.clip(height, bottom, top)), words)


class TubeAndBox(View):
    """Figure 7.7: who is inside the tube, on its edge, above, below; and what their multipliers say."""

    def __init__(self, ax, strip):
        super().__init__(ax, strip)
        give_room_to_first(ax, strip)
        dress(ax, SINUSOID, "", "$t$")
        ax.tick_params(labelbottom=False)
        dress(strip, (*SINUSOID[:2], -1.45, 1.45), "$x$", r"$a_n-\hat a_n$")
        strip.set_yticks([-1, 0, 1], ["$-C$", "0", "$C$"])
        strip.axhline(0, color=palette_of(strip).faint, linewidth=1)
        for wall in (-1, 1):
            strip.axhline(wall, color=palette_of(strip).ink, linewidth=1.4, linestyle="--")
        self.tube = self.add(Tube(ax))
        self.points = self.add(Points(ax, KINDS))
        self.rings = self.add(Rings(ax))
        self.names = [self.add(NameOfEnd(ax, r"$y+\epsilon\;$")) for _ in range(3)]
        self.slack_names = [
            self.add(Label(ax, "own", ha="right", va="center", patch=False)) for _ in range(2)
        ]
        self.stems = self.add(Segments(strip, "ink", 2.0))
        self.heads = self.add(Points(strip, KINDS, 55))

    def update(self, X, t, x, y, y_n, v, C, epsilon):
        """X (N, 1), t, y_n (N,): data, and y at them; x, y: the curve; v (N,): a_n - a-hat_n in [-C, C]."""
        places, residual, kind = np.column_stack([X, t]), t - y_n, kinds(v, C)
        self.tube.update(x, y, epsilon, places, residual)
        self.points.update(places, kind)
        self.rings.update(places[v != 0])
        heads = np.column_stack([X, v / C])
        self.stems.update(np.stack([np.column_stack([X, np.zeros(len(v))]), heads], axis=1))
        self.heads.update(heads, kind)
        apart = max(epsilon, 0.24)  # the names must not stand on each other
        for name, side, word in zip(
            self.names, (1, 0, -1), ("$y+\\epsilon$", "$y$", "$y-\\epsilon$"), strict=True
        ):
            name.update(y[-1] + side * apart, word if epsilon or not side else "")
        for name, side, word in zip(self.slack_names, (1, -1), (r"$\xi_n$", r"$\hat\xi_n$"), strict=True):
            xi = side * residual - epsilon
            n = int(np.argmax(xi))
            name.update((places[n, 0] - 0.015, t[n] - side * xi[n] / 2), word if xi[n] > 0.1 else "")
        counts = ", ".join(f"{np.sum(kind == k)} {word}" for k, word in WORDS.items())
        describe(
            self.axes[0],
            f"Figure 7.7. A curve through {len(t)} points with a tube of half-width {epsilon:.3g} around it; where "
            f"the points are: {counts}. The slacks of those outside add up to "
            f"{np.maximum(np.abs(residual) - epsilon, 0).sum():.3f}. Below, a stem for each point shows "
            f"a - a-hat between -C and C: zero inside, within the box on an edge, at a wall outside.",
        )


def figure_7_7(ax, strip, X, t, model):
    """Tube and slacks of a fitted `SVR` and, on the Axes `strip`, its multipliers in their box."""
    view = TubeAndBox(ax, strip)
    x, v = SINUSOID_X, model.solution_.v
    view.update(X, t, x, model.predict(x[:, None]), model.predict(X), v, model.C, model.epsilon)
    return view


class NuTube(View):
    """Figure 7.8: the tube that nu asks for; below, nu between the fractions outside and of support vectors."""

    def __init__(self, ax, strip):
        super().__init__(ax, strip)
        give_room_to_first(ax, strip)
        dress(ax, SINUSOID, "$x$", "$t$")
        self.tube = self.add(Tube(ax))
        self.points = self.add(Points(ax, KINDS))
        self.rings = self.add(Rings(ax))
        self.epsilon = self.add(NameOfEnd(ax, r"$\pm0.000\;$"))
        self.fractions = self.add(Fractions(strip, "outside", "SVs"))

    def update(self, X, t, x, y, y_n, v, C, epsilon, nu):
        """As `TubeAndBox.update`, with epsilon the half-width found and nu what was asked for."""
        places, residual, N = np.column_stack([X, t]), t - y_n, len(t)
        outside, support = np.mean(np.abs(residual) > epsilon + 1e-9), np.mean(v != 0)
        self.tube.update(x, y, epsilon, places, residual)
        self.points.update(places, kinds(v, C))
        self.rings.update(places[v != 0])
        self.epsilon.update(y[-1], rf"$\pm${epsilon:.3f}")
        self.fractions.update(outside, nu, support)
        describe(
            self.axes[0],
            f"Figure 7.8. nu-SVR of {N} points with nu = {nu:.2f}: the tube found has half-width {epsilon:.4f}, "
            f"{round(outside * N)} points lie outside it, and {round(support * N)} are circled as support vectors. "
            f"Below, nu as a line between bars for the fractions outside ({outside:.2f}) and of support vectors "
            f"({support:.2f}).",
        )


def figure_7_8(ax, strip, X, t, model):
    """The tube that a fitted `NuSVR` found and, on the Axes `strip`, nu between its two bounds."""
    view = NuTube(ax, strip)
    x, v = SINUSOID_X, model.solution_.v
    view.update(X, t, x, model.predict(x[:, None]), model.predict(X), v, model.C, model.epsilon_, model.nu)
    return view


class SincTube(View):
    """Tipping's figure 1, left: sinc by support vectors; below, every error in units of epsilon."""

    def __init__(self, ax, strip, title=""):
        super().__init__(ax, strip)
        give_room_to_first(ax, strip, 2)
        dress(ax, SINC, "", "$t$", title)
        ax.tick_params(labelbottom=False)
        dress(strip, (*SINC[:2], -500, 500), "$x$", r"$(t-y)\,/\,\epsilon$")
        for each in (ax, strip):
            each.set_xticks(np.arange(-10, 11, 5))
        strip.set_yscale(
            "symlog", linthresh=1.0, linscale=1.5
        )  # the tube as it is, what is beyond by its logarithm
        strip.set_yticks([-100, -10, -1, 1, 10, 100], ["−100", "", "−1", "1", "", "100"])
        strip.yaxis.set_minor_locator(NullLocator())
        strip.axhspan(-1, 1, color=palette_of(strip).mix("good", 0.2), linewidth=0)
        self.truth = self.add(curve(ax, "ink", 1.4, ":", zorder=3.5))
        self.tube = self.add(Tube(ax))
        self.points = self.add(Points(ax, {1: ("plus", "o")}, 22))
        self.rings = self.add(Rings(ax, size=85))
        self.errors = self.add(Points(strip, {1: ("plus", "o")}, 16))
        self.error_rings = self.add(Rings(strip, size=60))

    def update(self, X, t, x, y, y_n, v, epsilon):
        """X (N, 1), t, y_n, v (N,): data, curve there, coefficients a_n - a-hat_n; x, y: the curve."""
        places, residual, truth = np.column_stack([X, t]), t - y_n, np.sinc(x / np.pi)
        self.truth.set_data(x, truth)
        self.tube.update(x, y, epsilon, places, residual)
        self.points.update(places, np.ones(len(t)))
        self.rings.update(places[v != 0])
        errors = np.column_stack([X, residual / epsilon])
        self.errors.update(errors, np.ones(len(t)))
        self.error_rings.update(errors[v != 0])
        rms = np.sqrt(np.mean((y - truth) ** 2))
        describe(
            self.axes[0],
            f"{len(t)} points of sinc(x) and the curve of support vector regression with epsilon = {epsilon:.3g}: "
            f"{np.sum(v != 0)} support vectors are circled; the curve is {rms:.4f} (root mean square) and at most "
            f"{np.abs(y - truth).max():.4f} away from the sinc. Below, every error in units of epsilon: the circled "
            f"ones are those on the edge of the tube or beyond.",
        )


def figure_sinc_tube(axes, cases):
    """One column for each case, title -> (X, t, model): data, curve and tube of a fitted `SVR`, and its errors.

    axes: (2, number of cases), or those of one case in a row.
    """
    views, texts = [], []
    for (ax, strip), (title, (X, t, model)) in zip(np.reshape(axes, (2, -1)).T, cases.items(), strict=True):
        views.append(SincTube(ax, strip, title))
        y, y_n = model.predict(SINC_X[:, None]), model.predict(X)
        views[-1].update(X, t, SINC_X, y, y_n, model.solution_.v, model.epsilon)
        texts.append(f"{title.capitalize()}: {ax.get_figure(root=True).description}")
    describe(ax, " ".join(texts))
    return views
