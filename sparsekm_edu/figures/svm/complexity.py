"""How complex may the boundary be, and whom does it listen to? C and gamma, costs by class, and an outlier."""

import numpy as np

from sparsekm_edu.figures.layers import (
    Crosses,
    Label,
    Points,
    Rings,
    StraightLine,
    Surface,
    View,
    curve,
    dot,
    grid_over,
    legend,
)
from sparsekm_edu.figures.style import TWO_CLASSES, describe, dress, palette_of

WINDOW = (-3.2, 3.2, -2.4, 2.4)
SMALL = 16  # points in crowded pictures


class HollowPoints:
    """Points that were not learned from: the outline of their class's marker."""

    def __init__(self, ax, size=SMALL):
        colours = palette_of(ax)
        self.artists = [
            ax.scatter(
                [],
                [],
                size,
                "none",
                marker=marker,
                edgecolors=getattr(colours, role),
                linewidths=0.9,
                zorder=4,
            )
            for role, marker in TWO_CLASSES.values()
        ]

    update = Points.update
    labels = list(TWO_CLASSES)


# ---- C and gamma ----------------------------------------------------------------------------------------
class ComplexityGrid(View):
    """Boundaries over C (columns, rising to the right) and gamma (rows, rising downwards)."""

    def __init__(self, axes):
        axes = np.asarray(axes)
        super().__init__(*axes.flat)
        for ax in axes.flat:
            dress(ax, WINDOW, equal=True)
            ax.set(xticks=[], yticks=[])
        self.surfaces = [self.add(Surface(ax, margins=False)) for ax in axes.flat]
        self.points = [self.add(Points(ax, size=SMALL)) for ax in axes.flat]
        self.shape = axes.shape

    def update(self, X, t, models, train, test):
        """models: fitted, one for each panel, (rows, columns); train, test: their errors, between 0 and 1."""
        grid = grid_over(WINDOW, 80)
        models, train, test = np.ravel(models), np.ravel(train), np.ravel(test)
        words = []
        for k, (ax, model) in enumerate(zip(self.axes, models, strict=True)):
            self.surfaces[k].update(*grid, model.surface(*grid))
            self.points[k].update(X, t)
            ax.set_title(f"train {train[k]:.1%}, test {test[k]:.1%}, {len(model.support_)} SVs", fontsize=12)
            words.append(
                f"C = {model.C:g}, gamma = {model.kernel.gamma:g}: training error {train[k]:.1%}, test error "
                f"{test[k]:.1%}, {len(model.support_)} support vectors"
            )
            if k % self.shape[1] == 0:
                ax.set_ylabel(f"$\\gamma$ = {model.kernel.gamma:g}")
            if k >= len(models) - self.shape[1]:
                ax.set_xlabel(f"$C$ = {model.C:g}")
        describe(
            self.axes[0],
            f"Decision boundaries among {len(t)} points, one panel for each C and gamma. {'; '.join(words)}.",
        )


def figure_complexity(axes, X, t, models, train, test):
    """A grid of boundaries, axes (rows, columns), with training error, test error and number of support vectors."""
    view = ComplexityGrid(axes)
    view.update(X, t, models, train, test)
    return view


class ErrorPath(View):
    """A boundary, and the training and test error of its machine for every C."""

    def __init__(self, left, right, best):
        """best: the error of whoever knows the densities, between 0 and 1."""
        super().__init__(left, right)
        dress(left, WINDOW, "$x_1$", "$x_2$", equal=True)
        dress(right, (1e-2, 1e3, 0, 36), "$C$", "error, %", grid=True)
        right.set_xscale("log")
        right.axhline(
            100 * best, color=palette_of(right).faint, linestyle=":", linewidth=2, label="best possible"
        )
        self.surface = self.add(Surface(left))
        self.test_points = self.add(HollowPoints(left))
        self.points = self.add(Points(left, size=45))
        self.rings = self.add(Rings(left, size=110))
        self.test = self.add(curve(right, "own", label="test"))
        self.train = self.add(curve(right, "good", style="--", label="training"))
        self.cursor = self.add(curve(right, "ink", 1.4, ":"))
        self.here = [self.add(dot(right, role)) for role in ("own", "good")]
        legend(right, loc="upper right")

    def update(self, X, t, grid, Y, support, test_set, errors, now):
        """test_set: X, t to show, or None; errors: arrays C, train, test; now: C, train, test of this boundary."""
        self.surface.update(*grid, Y)
        self.points.update(X, t)
        self.rings.update(X[support])
        self.test_points.update(*test_set) if test_set else self.test_points.update([], [])
        C, train, test = errors
        self.train.set_data(C, 100 * train)
        self.test.set_data(C, 100 * test)
        self.cursor.set_data([now[0], now[0]], self.axes[1].get_ylim())
        for here, error in zip(self.here, (now[2], now[1]), strict=True):
            here.set_data([now[0]], [100 * error])
        describe(
            self.axes[0],
            f"Left, the boundary for C = {now[0]:.3g}: {now[1]:.1%} training error, {now[2]:.1%} test error. Right, "
            f"both errors against C; the test error is least, {test.min():.1%}, at C = {C[test.argmin()]:.3g}.",
        )


# ---- costs by class -------------------------------------------------------------------------------------
class CostTrade(View):
    """Errors of one class for errors of the other, as C+/C- moves."""

    MARKED = (0.1, 1.0, 10.0)  # ratios written beside the curve

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, WINDOW, "$x_1$", "$x_2$", equal=True)
        dress(
            right,
            (-3, 100, -3, 100),
            "false positives, % of ■",
            "false negatives, % of ●",
            square=True,
            grid=True,
        )
        self.surface = self.add(Surface(left))
        self.points = self.add(Points(left, size=45))
        self.wrong = self.add(Crosses(left, 60))
        self.shifted = self.add(curve(right, "faint", style="--", label="only $b$ moved"))
        self.trade = self.add(curve(right, "own", label="$C_+/C_-$ moved"))
        self.marks = self.add(curve(right, "own", style="o", markersize=6))
        self.names = [self.add(Label(right, patch=False)) for _ in self.MARKED]
        self.here = self.add(dot(right, "own", "D"))
        legend(right, loc="upper right")

    def update(self, X, t, grid, Y, wrong, trade, shifted, ratio, now):
        """wrong: indices of misclassified points; trade: arrays ratio, FP, FN, shares of test points of their class;
        shifted: FP, FN of other thresholds on y at equal costs; ratio: the present one; now: its FP and FN.
        """
        self.surface.update(*grid, Y)
        self.points.update(X, t)
        self.wrong.update(X[wrong])
        ratios, fp, fn = trade
        marked = np.array([[np.interp(r, ratios, 100 * rate) for rate in (fp, fn)] for r in self.MARKED])
        self.trade.set_data(100 * fp, 100 * fn)
        self.shifted.set_data(*(100 * np.asarray(shifted)))
        self.marks.set_data(*marked.T)
        for label, r, place in zip(self.names, self.MARKED, marked, strict=True):
            label.update(place + (4, 3), f"{r:g}")
        self.here.set_data(*(100 * np.reshape(now, (2, 1))))
        describe(
            self.axes[0],
            f"Left, the boundary among {len(t)} points when an error on a circle costs {ratio:.3g} times as much as "
            f"one on a square; {len(wrong)} points are wrong. Right, false negatives against false positives on test "
            f"data as this ratio moves: here {now[1]:.1%} and {now[0]:.1%}.",
        )


def figure_class_costs(left, right, X, t, model, trade, shifted, ratio, now):
    """The boundary of `model` for one C+/C- (left), the trade over all of them (right); see `CostTrade.update`."""
    view = CostTrade(left, right)
    grid = grid_over(WINDOW)
    wrong = np.flatnonzero(model.predict(X) != t)
    view.update(X, t, grid, model.surface(*grid), wrong, trade, shifted, ratio, now)
    return view


# ---- an outlier -----------------------------------------------------------------------------------------
AROUND = (-6.0, 6.0, -6.0, 6.0)  # room for an outlier


class OutlierPull(View):
    """One point far from its class: what it does to a soft margin and to least squares."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, AROUND, "$x_1$", "$x_2$", equal=True)
        dress(
            right,
            (-8, 8, 0, 0.8),
            "place on the dotted line",
            "boundary moved by",
            square=True,
            grid=True,
        )
        right.set_xticks(np.arange(-8, 9, 4))
        right.axvline(0, color=palette_of(right).faint, linewidth=1)
        self.track = self.add(StraightLine(left, "faint", 1.4, ":"))
        self.before = self.add(StraightLine(left, "faint", 2.4))
        self.squares = self.add(StraightLine(left, "own", 2.4, "--"))
        self.hinge = self.add(StraightLine(left, "good", 2.8))
        self.points = self.add(Points(left, size=26))
        self.outlier = self.add(Points(left))
        self.ring = self.add(Rings(left, "own", 230))
        self.hinge_curve = self.add(curve(right, "good", 2.8, label="soft margin"))
        self.squares_curve = self.add(curve(right, "own", style="--", label="least squares"))
        curve(right, "faint", label="without the outlier")  # a name for the grey line on the left
        self.cursor = self.add(curve(right, "ink", 1.4, ":"))
        self.here = [self.add(dot(right, role)) for role in ("good", "own")]
        legend(right, loc="upper left")

    def update(self, X, t, middle, along, places, soft, squares, k):
        """The outlier of class +1 runs on the line middle + place * along, both (2,), and is at places[k].

        soft, squares: the lines for every place, as `solvers.outliers` returns them.
        """
        place, outlier = places[k], middle + places[k] * along
        self.points.update(X, t)
        self.outlier.update([outlier], [1.0])
        self.ring.update([outlier])
        across = np.array([-along[1], along[0]])
        self.track.update(across, -across @ middle)
        self.before.update(*soft.before)
        order = np.argsort(places)
        for lines, line, track, here in (
            (soft, self.hinge, self.hinge_curve, self.here[0]),
            (squares, self.squares, self.squares_curve, self.here[1]),
        ):
            line.update(lines.w[k], lines.b[k])
            track.set_data(places[order], lines.moved[order])
            here.set_data([place], [lines.moved[k]])
        self.cursor.set_data([place, place], self.axes[1].get_ylim())
        side = "inside the other class's side" if place > 0 else "on its own side"
        describe(
            self.axes[0],
            f"Left, {len(t)} points and one outlier {abs(place):.1f} from the middle, {side}; it moves the boundary of "
            f"a soft margin by {soft.moved[k]:.3f} and that of least squares by {squares.moved[k]:.3f}. Right, these "
            f"shifts for all places on the dotted line: at most {soft.moved.max():.3f} and {squares.moved.max():.3f}.",
        )


def figure_outlier(left, right, X, t, middle, along, places, soft, squares, k):
    """Boundaries with and without an outlier (left), and how far it moves them (right); see `OutlierPull.update`."""
    view = OutlierPull(left, right)
    view.update(X, t, middle, along, places, soft, squares, k)
    return view
