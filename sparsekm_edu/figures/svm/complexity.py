"""How complex may the boundary be? Its errors over C and gamma."""

import numpy as np

from sparsekm_edu.figures.layers import (
    Points,
    Rings,
    Surface,
    View,
    curve,
    dot,
    grid_over,
    legend,
)
from sparsekm_edu.figures.style import LARGE, TWO_CLASSES, describe, dress, palette_of

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


class ComplexityGrid(View):
    """Boundaries over C (columns, rising to the right) and gamma (rows, rising downwards)."""

    def __init__(self, axes):
        axes = np.asarray(axes)
        super().__init__(*axes.flat)
        for ax in axes.flat:
            dress(ax, LARGE, equal=True)
            ax.set(xticks=[], yticks=[])
        self.surfaces = [self.add(Surface(ax, margins=False)) for ax in axes.flat]
        self.points = [self.add(Points(ax, size=SMALL)) for ax in axes.flat]
        self.shape = axes.shape

    def update(self, X, t, models, train, test):
        """models: fitted, one for each panel, (rows, columns); train, test: their errors, between 0 and 1."""
        grid = grid_over(LARGE, 80)
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
        dress(left, LARGE, "$x_1$", "$x_2$", equal=True)
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
