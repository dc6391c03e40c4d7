"""Losses: PRML figures 7.5 and 7.6 (MLaPP 14.10a), what they do to the same data, and MLaPP 14.5.5: no likelihood."""

import numpy as np
from matplotlib.collections import PolyCollection

from sparsekm_edu.figures.layers import Points, Rings, Segments, View, curve, dot, legend
from sparsekm_edu.figures.style import ONE_KIND, describe, dress, palette_of

# loss -> role of its colour, line style, marker, name; the same in every picture
LOOKS = {
    "hinge": ("own", "--", "v", "hinge"),
    "logistic": ("good", "-", "^", "logistic / ln 2"),
    "squared": ("ink", "-.", "D", "squared"),
    "misclassification": ("faint", "-", "s", "misclassification"),
    "insensitive": ("own", "--", "v", "ε-insensitive"),
    "huber": ("good", "-", "^", "Huber"),
    "quadratic": ("ink", "-.", "D", "quadratic"),
}


def loss_curve(ax, name, width=2.6):
    """An empty line with the looks of a loss."""
    role, style, _, label = LOOKS[name]
    return curve(ax, role, width, style, label=label)


def loss_mark(ax, name, size=11):
    """An empty marker with the looks of a loss."""
    role, _, marker, _ = LOOKS[name]
    return dot(ax, role, marker, size)


# ---- figure 7.5 -----------------------------------------------------------------------------------------
class LossCurves(View):
    """Figure 7.5: four losses against z = t y. Nothing here moves."""

    WINDOW = (-2.0, 2.8, -0.15, 4.6)

    def __init__(self, ax, z, losses):
        """z (Z,); losses: name -> its values at z."""
        super().__init__(ax)
        dress(ax, self.WINDOW, "$z = t\\,y(x)$", "$E(z)$", grid=True)
        for name, values in losses.items():
            loss_curve(ax, name).set_data(z, values)
        common = dot(ax, "ink", size=8)
        common.set_data([0], [1])
        common.set_zorder(4.2)  # below data on the curves
        legend(ax, loc="upper right", borderaxespad=0.2)


def figure_7_5(ax, z, losses):
    """Losses of classification against z = t y; losses: "hinge", "logistic", ... -> values at z (Z,)."""
    view = LossCurves(ax, z, losses)
    words = ", ".join(f"{LOOKS[name][3]} {np.interp(0.0, z, values):.2f}" for name, values in losses.items())
    describe(
        ax,
        f"Figure 7.5. {len(losses)} losses against z = t y. At z = 0 they are: {words}. The hinge is zero "
        f"from z = 1 on, the logistic loss falls for ever, and the squared error rises again beyond z = 1.",
    )
    return view


class FourLosses(View):
    """Left, figure 7.5 with the data on one of its curves; right, the line y(x) that each loss makes of the data."""

    WINDOW = (-3.0, 8.0, -2.2, 2.2)

    def __init__(self, left, right, z, losses):
        super().__init__(left, right)
        LossCurves(left, z, losses)
        dress(right, self.WINDOW, "$x$", "$y(x)$")
        for height, style in ((0.0, "-"), (1.0, ":"), (-1.0, ":")):
            rail = self.add(curve(right, "faint", 1.2, style, zorder=1))  # it lies on the gap, which moves
            rail.set_data(self.WINDOW[:2], [height, height])
        self.costs = self.add(Points(left, size=45))
        self.gap = self.add(PolyCollection([], facecolors=[palette_of(right).mix("faint", 0.35)], zorder=0))
        right.add_collection(self.gap, autolim=False)
        names = ("hinge", "logistic", "squared")
        self.lines = {name: self.add(loss_curve(right, name)) for name in names}
        self.boundaries = {name: self.add(loss_mark(right, name)) for name in names}
        self.points = self.add(Points(right))
        self.rings = self.add(Rings(right))

    def update(self, x, t, lines, gap, costs, support):
        """x, t (N,) the data; lines: loss -> its `Line`; gap: (low, high), where the misclassification loss is least;
        costs (N, 2): z_n and E(z_n) of one of the losses; support: indices of the hinge's support vectors."""
        ends = np.array(self.WINDOW[:2])
        boundaries = []
        for name, line in lines.items():
            self.lines[name].set_data(ends, line(ends))
            place = [line.boundary] if line.boundary is not None else []
            self.boundaries[name].set_data(place, [0.0] * len(place))
            boundaries += [f"{LOOKS[name][3]} {place[0]:.2f}" if place else f"{LOOKS[name][3]} none"]
        bottom, top = self.WINDOW[2:]
        low, high = gap
        self.gap.set_verts([[(low, bottom), (low, top), (high, top), (high, bottom)]])
        self.points.update(np.column_stack([x, t]), t)
        self.rings.update(np.column_stack([x, t])[support])
        self.costs.update(costs, t)
        describe(
            self.axes[0],
            f"Left, figure 7.5 with {len(t)} points on one of its curves. Right, the points on an axis, class +1 above "
            f"and class -1 below, with the straight line that each loss fits. Boundaries: {', '.join(boundaries)}; the "
            f"misclassification loss is least anywhere between {low:.2f} and {high:.2f}.",
        )


def figure_four_losses(left, right, z, losses, x, t, lines, gap, costs, support):
    """What four losses make of points x with labels t on an axis; the arguments are those of `FourLosses`."""
    view = FourLosses(left, right, z, losses)
    view.update(x, t, lines, gap, costs, support)
    return view


# ---- figure 7.6 -----------------------------------------------------------------------------------------
class RegressionLosses(View):
    """Figure 7.6 (14.10a): epsilon-insensitive, Huber and quadratic loss against r = y - t."""

    WINDOW = (-4.0, 4.0, -0.6, 4.2)
    EDGE = 3.0  # so high are the dotted lines: below the legend

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, self.WINDOW, "$r = y(x) - t$", "$E(r)$", grid=True)
        self.edges = self.add(Segments(ax, "faint", 1.4, ":"))
        self.curves = {name: self.add(loss_curve(ax, name)) for name in ("huber", "quadratic", "insensitive")}
        self.kinks = self.add(dot(ax, LOOKS["insensitive"][0], size=8))
        self.joints = self.add(dot(ax, LOOKS["huber"][0], size=8))
        legend(ax, loc="upper center", borderaxespad=0.2)

    def update(self, r, losses, epsilon):
        """r (R,); losses: "insensitive", "huber", "quadratic" -> values at r; epsilon, also Huber's delta."""
        bottom = self.WINDOW[2]
        for name, values in losses.items():
            self.curves[name].set_data(r, values)
        self.edges.update([((side, bottom), (side, self.EDGE)) for side in (-epsilon, epsilon)])
        self.kinks.set_data([-epsilon, epsilon], [0.0, 0.0])
        self.joints.set_data([-epsilon, epsilon], [0.5 * epsilon**2] * 2)
        describe(
            self.axes[0],
            f"Figure 7.6. Three losses against r = y - t with epsilon = {epsilon:.2f}. The epsilon-insensitive one is "
            f"zero between the dotted lines at plus and minus epsilon and straight beyond; Huber's is quadratic "
            f"between them and straight beyond; the quadratic one bends everywhere.",
        )


def figure_7_6(ax, r, losses, epsilon):
    """Losses of regression against r = y - t; losses: "insensitive", "huber", "quadratic" -> values at r (R,)."""
    view = RegressionLosses(ax)
    view.update(r, losses, epsilon)
    return view


class Locations(View):
    """Left, figure 7.6; right, the mean loss of points t_n when one number m stands for them all."""

    WINDOW = (-4.0, 6.0, -0.6, 4.2)
    RAIL = -0.3  # the height at which the points are drawn

    def __init__(self, left, right):
        super().__init__(left, right)
        self.losses = self.add(RegressionLosses(left))
        dress(right, self.WINDOW, "$m$, and the points $t_n$", "mean loss", grid=True)
        self.tube = self.add(PolyCollection([], facecolors=[palette_of(right).mix("own", 0.15)], zorder=2))
        right.add_collection(self.tube, autolim=False)
        self.costs = {name: self.add(loss_curve(right, name)) for name in self.losses.curves}
        self.flat = self.add(Segments(right, LOOKS["insensitive"][0], 6.0, zorder=4))
        self.best = {name: self.add(loss_mark(right, name)) for name in self.losses.curves}
        self.points = self.add(Points(right, ONE_KIND))
        self.rings = self.add(Rings(right))

    def update(self, r, losses, epsilon, t, m, costs, best, flat, support):
        """r, losses, epsilon: as in figure 7.6; t (N,) the points; m (M,), costs: loss -> its mean over the points at
        m; best: loss -> (m, mean loss) at its minimum; flat: (low, high) of the insensitive one's; support: indices."""
        self.losses.update(r, losses, epsilon)
        for name, values in costs.items():
            self.costs[name].set_data(m, values)
            place, height = best[name]
            self.best[name].set_data([place], [height])
        middle, height = best["insensitive"]
        self.flat.update([[(end, height) for end in flat]])
        bottom, top = self.WINDOW[2:]
        low, high = middle - epsilon, middle + epsilon
        self.tube.set_verts([[(low, bottom), (low, top), (high, top), (high, bottom)]])
        places = np.column_stack([t, np.full(len(t), self.RAIL)])
        self.points.update(places, np.ones(len(t)))
        self.rings.update(places[support])
        words = ", ".join(f"{LOOKS[name][3]} {place:.2f}" for name, (place, _) in best.items())
        describe(
            self.axes[0],
            f"Left, figure 7.6 with epsilon = {epsilon:.2f}. Right, {len(t)} points on an axis and the mean loss of "
            f"one number m for all of them. The best m: {words}. {len(support)} points are outside the tube "
            f"or on its edge.",
        )


def figure_locations(left, right, r, losses, epsilon, t, m, costs, best, flat, support):
    """The best single number for points t under three losses; the arguments are those of `Locations.update`."""
    view = Locations(left, right)
    view.update(r, losses, epsilon, t, m, costs, best, flat, support)
    return view


# ---- no likelihood --------------------------------------------------------------------------------------
class NoLikelihood(View):
    """MLaPP 14.5.5: exp(-C g(f)) for both labels and their sum, for the hinge (left) and the logistic loss (right)."""

    WINDOW = (-4.0, 4.0, 0.0, 1.5)
    FULL, HIGH = 1.4, 2.1  # a sum above FULL asks for a window up to HIGH; no sum is above 2

    def __init__(self, left, right):
        super().__init__(left, right)
        self.panels = []
        for ax, name, title in ((left, r"$e^{-C\,g(\pm f)}$", "hinge"), (right, "", "logistic / ln 2")):
            dress(ax, self.WINDOW, "$f$", name, title)
            self.add(curve(ax, "faint", 1.4, ":", zorder=2)).set_data(self.WINDOW[:2], [1.0, 1.0])
            amiss = PolyCollection([], facecolors=[palette_of(ax).mix("own", 0.3)], zorder=0)
            ax.add_collection(amiss, autolim=False)
            plus = curve(ax, "plus", 2.2, "--", label="$t=+1$")
            minus = curve(ax, "minus", 2.2, "-.", label="$t=-1$")
            total = curve(ax, "ink", 3.2, label="sum")
            self.panels.append([self.add(artist) for artist in (amiss, plus, minus, total)])
            ax.set_yticks([0, 0.5, 1, 1.5, 2])  # as wide in either window
            ax.set_ylim(self.WINDOW[2:])  # ticks have widened it
        legend(right, loc="upper center", ncols=3, borderaxespad=0.2, handlelength=2.0, columnspacing=0.9)

    def look_at(self, highest):
        """Make room for a sum so high, the same on both sides; returns whether the axes have changed."""
        top = self.WINDOW[3] if highest <= self.FULL else self.HIGH
        if top == self.axes[0].get_ylim()[1]:
            return False
        for ax in self.axes:
            ax.set_ylim(0.0, top)
        return True

    def update(self, f, hinge, logistic, C):
        """f (F,); hinge, logistic: (for label +1, for label -1), each (F,). Returns whether the axes have changed."""
        changed = self.look_at(max(np.sum(hinge, axis=0).max(), np.sum(logistic, axis=0).max()))
        ranges = []
        for (amiss, *curves), (for_plus, for_minus) in zip(self.panels, (hinge, logistic), strict=True):
            total = for_plus + for_minus
            for line, values in zip(curves, (for_plus, for_minus, total), strict=True):
                line.set_data(f, values)
            there_and_back = np.concatenate([f, f[::-1]]), np.concatenate([total, np.ones(len(f))])
            amiss.set_verts([np.column_stack(there_and_back)])
            ranges.append(f"{total.min():.3f} to {total.max():.3f}")
        describe(
            self.axes[0],
            f"exp(-C loss) for both labels against f, and their sum, which would have to be constant for a "
            f"likelihood, with C = {C:.3f}. Between f = {f[0]:g} and {f[-1]:g} the sum runs from {ranges[0]} for the "
            f"hinge (left) and from {ranges[1]} for the logistic loss (right). The shading between the sum and 1 "
            f"shows how far it is from 1.",
        )
        return changed


def figure_no_likelihood(left, right, f, hinge, logistic, C):
    """exp(-C g(f)), exp(-C g(-f)) and their sum; hinge, logistic: the pair of values at f (F,) for each loss g."""
    view = NoLikelihood(left, right)
    view.update(f, hinge, logistic, C)
    return view
