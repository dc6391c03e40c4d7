"""K-medoids, one step at a time: the clusters in the plane, and the cost as it falls (MLaPP 14.4.2)."""

import numpy as np

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Arrows,
    Crosses,
    Label,
    Points,
    Rings,
    Segments,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import WIDE, describe, dress, palette_of

NOBODY = -1  # the label of points that have not been assigned
CLUSTERS = {
    0: ("plus", "o"),
    1: ("minus", "s"),
    2: ("third", "^"),
    3: ("own", "D"),
    4: ("good", "v"),
}
LONGEST = 20  # steps that the trace has room for
BEFORE = 0.2  # so far before a medoid the arrow to it ends


class MedoidRun(View):
    """One step of a run: points with lines to their medoids, who has moved; and the cost of all steps beside it."""

    def __init__(self, plane, trace):
        super().__init__(plane, trace)
        colours = palette_of(plane)
        dress(plane, WIDE, "$x_1$", "$x_2$", equal=True)
        dress(trace, (0, LONGEST, 0, 1.08), "step", "cost / first cost", grid=True)
        self.spokes = [self.add(Segments(plane, role, 1.1, zorder=2)) for role, _ in CLUSTERS.values()]
        self.points = self.add(Points(plane, {NOBODY: ("faint", "o"), **CLUSTERS}))
        self.medoids = self.add(Points(plane, CLUSTERS, 280))
        for artist in self.medoids.artists:
            artist.set(edgecolor=colours.ink, linewidth=2.4, zorder=6)
        self.changed = self.add(Rings(plane, "faint", 170))
        self.left = self.add(Crosses(plane, 160))
        self.moves = self.add(Arrows(plane, "ink", 2.4))
        self.words = self.add(Label(plane, "ink", 12, va="top"))
        self.whole = self.add(curve(trace, "own", 1.0))
        self.so_far = self.add(curve(trace, "own", 2.6, label="this run"))
        self.best = self.add(curve(trace, "good", 2.0, "--", label="best known"))
        self.swaps = self.add(dot(trace, "own", "D", 9))
        self.swaps.set_label("swap")
        self.here = self.add(dot(trace, "own"))
        legend(trace, **ABOVE_THE_AXES)

    def update(self, X, steps, k, best):
        """The k-th of the `steps` of k_medoids_steps. X (N, 2): the points; best: the lowest cost that is known."""
        step, before = steps[k], steps[max(k - 1, 0)]
        medoids, labels = X[step.medoids], step.labels
        self.points.update(X, labels)
        self.medoids.update(medoids, np.arange(len(medoids)))
        for cluster, spokes in enumerate(self.spokes):
            members = X[labels == cluster]
            centre = medoids[cluster] if len(members) else np.empty(2)
            spokes.update(np.stack([members, np.broadcast_to(centre, members.shape)], axis=1))
        moved = step.medoids != before.medoids
        old, new = X[before.medoids[moved]], medoids[moved]
        way = np.linalg.norm(new - old, axis=1, keepdims=True)
        self.moves.update(old, new - np.minimum(1.0, BEFORE / np.maximum(way, 1e-9)) * (new - old))
        self.left.update(old)
        self.changed.update(X[changed(step, before)])
        left, _, _, top = WIDE
        self.words.update((left + 0.1, top - 0.1), caption(step, before))

        costs = np.array([step.cost for step in steps])
        first = costs[0] or 1.0  # all costs are 0 where there is a medoid at every place
        number = np.arange(len(steps))
        self.whole.set_data(number, costs / first)
        self.so_far.set_data(number[: k + 1], costs[: k + 1] / first)
        self.best.set_data((0, LONGEST), (best / first,) * 2)
        swaps = [n for n in number[: k + 1] if steps[n].action == "swap"]
        self.swaps.set_data(swaps, costs[swaps] / first)
        self.here.set_data([k], [costs[k] / first])
        describe(self.axes[0], describe_medoids(steps, k, best))


def changed(step, before):
    """Who was reassigned by a step, (N,) booleans; at their first assignment points join a cluster, and change none."""
    return (step.labels != before.labels) & (before.labels != NOBODY)


def caption(step, before):
    """What a step did, in a few words."""
    if step.action == "start":
        return f"start: {len(step.medoids)} of the points, at random"
    if step.action == "assign" and (before.labels == NOBODY).all():
        return "assign: all points join the nearest medoid"
    if step.action == "assign":
        return f"assign: {_do(changed(step, before).sum(), 'point', 'change')} cluster"
    if step.action == "update":
        return f"update: {_do((step.medoids != before.medoids).sum(), 'medoid', 'move')}"
    if step.action == "swap":
        return f"swap: another point as medoid saves {before.cost - step.cost:.3g}"
    return "end: no swap lowers the cost"


def _do(number, noun, verb):
    """3 points move, one point moves, no point moves."""
    return f"{number} {noun}s {verb}" if number > 1 else f"{'one' if number else 'no'} {noun} {verb}s"


def describe_medoids(steps, k, best):
    """A step in words."""
    step, before = steps[k], steps[max(k - 1, 0)]
    if k == 0:
        return (
            f"{len(step.labels)} points, {len(step.medoids)} of them chosen as medoids at random. No point has been "
            f"assigned yet. The run will take {len(steps) - 1} steps."
        )
    sizes = np.bincount(step.labels, minlength=len(step.medoids))
    return (
        f"Step {k} of {len(steps) - 1} of K-medoids on {len(step.labels)} points, {caption(step, before)}. "
        f"Clusters of {', '.join(map(str, sizes))} points, each joined to its medoid by lines. The cost is "
        f"{step.cost:.4g}; the lowest of several runs is {best:.4g}."
    )


def figure_medoids(plane, trace, X, steps, k, best):
    """The k-th step of K-medoids, and the cost of the whole run beside it."""
    view = MedoidRun(plane, trace)
    view.update(X, steps, k, best)
    return view
