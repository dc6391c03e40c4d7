"""Costs by class: the trade of false alarms and misses."""

import numpy as np

from sparsekm_edu.figures.layers import (
    Crosses,
    Label,
    Points,
    Surface,
    View,
    curve,
    dot,
    grid_over,
    legend,
)
from sparsekm_edu.figures.style import LARGE, describe, dress


class CostTrade(View):
    """Errors of one class for errors of the other, as C+/C- moves."""

    MARKED = (0.1, 1.0, 10.0)  # ratios written beside the curve

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, LARGE, "$x_1$", "$x_2$", equal=True)
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
    grid = grid_over(LARGE)
    wrong = np.flatnonzero(model.predict(X) != t)
    view.update(X, t, grid, model.surface(*grid), wrong, trade, shifted, ratio, now)
    return view
