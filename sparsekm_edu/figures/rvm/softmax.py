"""Three classes at once: probabilities as colours, and a weight for every function and class, (7.120)-(7.122)."""

import numpy as np

from sparsekm_edu.figures.layers import (
    SMALL,
    Grips,
    Label,
    Points,
    Probabilities,
    Rings,
    View,
    grid_over,
)
from sparsekm_edu.figures.style import THREE_CLASSES, WIDE, describe, dress, palette_of

ROWS = 12  # of the table of weights
CLASS_NAMES = ["●", "■", "▲"]


class SoftmaxMachine(View):
    """Three classes: probabilities as a mixture of colours, and which function has a weight for which class."""

    def __init__(self, plane, table):
        super().__init__(plane, table)
        colours = palette_of(table)
        dress(plane, WIDE, "$x_1$", "$x_2$", "probability as ink", equal=True)
        dress(table, (-1.7, 2.6, ROWS - 0.4, -0.6), "", "", "weights $w_{ik}$")
        table.set_xticks(range(3), CLASS_NAMES, fontsize=13)
        table.set_yticks([])
        table.tick_params(length=0)
        for k, (role, _) in enumerate(THREE_CLASSES.values()):
            table.axvline(k, color=colours.faint, linewidth=1.2, zorder=1)
            table.get_xticklabels()[k].set_color(getattr(colours, role))
        self.ink = self.add(Probabilities(plane, THREE_CLASSES))
        self.points = self.add(Points(plane, THREE_CLASSES, size=SMALL))
        self.rings = self.add(Rings(plane, size=150))
        self.numbers = [self.add(Label(plane, "ink", 11, patch=False)) for _ in range(ROWS)]
        for number in self.numbers:
            number.artists[0].set_zorder(7)  # over the points
        self.rows = [self.add(Label(table, "ink", 11, "right", "center", patch=False)) for _ in range(ROWS)]
        looks = {"edgecolors": colours.ink, "linewidths": 1.4, "zorder": 4}
        self.up, self.down = (
            self.add(table.scatter([], [], 1, face, **looks)) for face in (colours.ink, "none")
        )
        self.probe = self.add(Grips(plane))

    def update(self, X, t, grid, P, centres, W, bias, probe=None):
        """P (3, H, W) on the grid; centres (R, 2), W (R, 3), bias (3,): the model, weights 0 where there are none;
        probe: where probabilities are read off, if anywhere.
        """
        self.ink.update(*grid, P)
        self.points.update(X, t)
        self.rings.update(centres)
        shown = min(len(W), ROWS - 1)  # the last row is the bias's
        rows, names = np.vstack([W[:shown], bias]), [*(str(n + 1) for n in range(shown)), "bias"]
        for n, (number, row) in enumerate(zip(self.numbers, self.rows, strict=True)):
            number.update(centres[n] + (0.11, 0.05) if n < shown else (0, 0), names[n] if n < shown else "")
            row.update((-0.55, n), names[n] if n <= shown else "")
        largest = max(np.abs(rows).max(), 1e-9)
        for artist, sign in ((self.up, 1), (self.down, -1)):
            row, k = np.nonzero(sign * rows > 0)
            artist.set_offsets(np.column_stack([k, row]))
            artist.set_sizes(20 + 230 * np.abs(rows[row, k]) / largest)
        self.probe.update([] if probe is None else [probe])
        describe(self.axes[0], describe_softmax(t, P, W, bias))


def describe_softmax(t, P, W, bias):
    """A machine for three classes in a sentence."""
    return (
        f"{len(t)} points of three classes; the plane takes a mixture of the three colours by the probabilities of the "
        f"classes, which are equal along the lines. {len(W)} points are relevance vectors, circled; beside it their "
        f"{np.sum(W != 0)} weights and {np.sum(bias != 0)} of biases, out of {3 * len(t) + 3}, full circles for "
        f"positive ones. The largest probability is above 0.9 in {np.mean(P.max(axis=0) > 0.9):.0%} of the plane."
    )


def figure_softmax_rvm(plane, table, X, t, model):
    """Three classes by the fitted RVC `model`: its probabilities in the plane, and its weights."""
    view, grid = SoftmaxMachine(plane, table), grid_over(WIDE)
    P = np.exp(model.surface(*grid))
    view.update(X, t, grid, P, model.relevance_vectors_, model.coef_.T, model.intercept_)
    return view
