"""Documents as a matrix of similarities, as points, and as those that a machine keeps."""

import textwrap

import numpy as np

from sparsekm_edu.figures.kernels.lab import SignedMatrix
from sparsekm_edu.figures.kernels.strings import bare
from sparsekm_edu.figures.layers import SMALL, Points, Rings, Segments, View
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.style import describe, dress, palette_of

LOOKS = (("plus", "o"), ("minus", "s"), ("third", "^"), ("own", "D"))  # of the first subject, the second, ...
LONGEST = 30  # title beside a bar, in letters


def subjects_of(t):
    """{subject: (role of its colour, marker)}, in the order in which they come."""
    return dict(zip(dict.fromkeys(t), LOOKS, strict=False))


class SimilarityMatrix(View):
    """k between all documents, which stand in the order of their subjects: the deeper, the more alike.

    The colours reach from 0 to the largest value off the diagonal, as most documents have little in common.
    """

    def __init__(self, ax, t):
        super().__init__(ax)
        dress(ax, (0, 1, 0, 1), title="similarities, by subject", square=True)
        t, N = np.asarray(t), len(t)
        starts = [int(np.flatnonzero(t == subject)[0]) for subject in subjects_of(t)] + [N]
        middles = [(a + b) / (2 * N) for a, b in zip(starts[:-1], starts[1:], strict=True)]
        ax.set_yticks([1 - middle for middle in middles], list(subjects_of(t)), rotation=90, va="center")
        ax.set_xticks([])
        ax.tick_params(length=0, labelsize=8)
        self.N = N
        self.matrix = self.add(SignedMatrix(ax))
        borders = [start / N for start in starts[1:-1]]
        lines = [((0, 1 - at), (1, 1 - at)) for at in borders] + [((at, 0), (at, 1)) for at in borders]
        self.borders = self.add(Segments(ax, "faint", 1.0))
        self.borders.update(lines)
        self.chosen = self.add(Segments(ax, "ink", 1.2))
        self.nearest = self.add(Rings(ax, size=60))

    def update(self, K, chosen=None, nearest=()):
        """K (N, N); chosen: the document whose row is framed; nearest: those that are ringed in it."""
        others = K - np.diag(np.diagonal(K))
        self.matrix.update(K / (others.max() or 1.0))
        if chosen is None:
            return
        low, high = 1 - (chosen + 1) / self.N, 1 - chosen / self.N
        self.chosen.update([((0, low), (1, low)), ((0, high), (1, high))])
        self.nearest.update([((other + 0.5) / self.N, (low + high) / 2) for other in nearest])


class DocumentMap(View):
    """Documents as points, their first two features of (14.11), centred: neighbours have words in common."""

    def __init__(self, ax, t):
        super().__init__(ax)
        dress(ax, (-1.15, 1.15, -1.15, 1.15), title="documents as points")
        ax.set_xticks([])
        ax.set_yticks([])
        self.looks = subjects_of(t)
        for place, (subject, (role, marker)) in zip(
            (0.02, 0.3, 0.53, 0.76), self.looks.items(), strict=False
        ):
            colour = getattr(palette_of(ax), role)
            ax.plot(
                [place], [-0.05], marker, color=colour, markersize=6, transform=ax.transAxes, clip_on=False
            )
            words = {"color": palette_of(ax).ink, "va": "center", "fontsize": 9, "transform": ax.transAxes}
            ax.text(place + 0.03, -0.05, subject, **words)
        self.lines = self.add(Segments(ax, "faint", 1.4))
        self.points = self.add(Points(ax, self.looks, SMALL))
        self.ring = self.add(Rings(ax))

    def update(self, Z, t, chosen=None, nearest=()):
        """Z (N, 2), at most 1 in size; t (N,) subjects; lines lead from the chosen one to the nearest."""
        self.points.update(Z, t)
        if chosen is not None:
            self.lines.update([(Z[chosen], Z[other]) for other in nearest])
            self.ring.update(Z[chosen])


class Nearest(View):
    """The documents nearest to one, and the words that bring them near."""

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, (0, 1, 0, 1))
        bare(ax)
        self.columns = []
        for x, head in ((0.0, "k"), (0.08, "nearest"), (0.52, "by the words")):
            QuickText(ax, "faint", size=9, va="top", x=x, y=1.12).set_text(head)
            self.columns.append(self.add(QuickText(ax, size=10.5, va="top", x=x, y=0.88)))

    def update(self, rows):
        """rows: (cosine, title, words that count most) of the nearest documents."""
        for column, lines in zip(
            self.columns,
            zip(*((f"{cosine:.3f}", title, ", ".join(words)) for cosine, title, words in rows), strict=True),
            strict=True,
        ):
            column.set_text("\n".join(lines))


class Documents(View):
    """The matrix, the map, and the nearest documents of a chosen one."""

    def __init__(self, matrix, where, below, t):
        super().__init__(matrix, where, below)
        self.matrix = self.add(SimilarityMatrix(matrix, t))
        self.map = self.add(DocumentMap(where, t))
        self.below = self.add(Nearest(below))

    def update(self, K, Z, t, chosen, nearest, rows):
        """As above."""
        self.matrix.update(K, chosen, nearest)
        self.map.update(Z, t, chosen, nearest)
        self.below.update(rows)


def figure_documents(axes, K, Z, t):
    """Similarities of documents as a matrix ordered by subject, and the documents as points.

    axes: two; K (N, N), a Gram matrix, documents of one subject side by side; Z (N, 2) features; t (N,) subjects.
    """
    matrix, points = SimilarityMatrix(axes[0], t), DocumentMap(axes[1], t)
    matrix.update(K)
    points.update(Z / np.abs(Z).max(), t)
    same = np.equal.outer(np.asarray(t), np.asarray(t))
    different = ~np.eye(len(K), dtype=bool)
    nearest = np.where(different, K, -np.inf).argmax(axis=1)
    describe(
        axes[0],
        f"The similarities of {len(t)} documents on {', '.join(subjects_of(t))} as a matrix, on average "
        f"{K[same & different].mean():.3f} within a subject and {K[~same].mean():.3f} between subjects, and the "
        f"documents as points. The nearest one has the same subject for {np.sum(np.asarray(t)[nearest] == t)} of them.",
    )
    return matrix, points


def figure_support_documents(axes, titles, t, machines):
    """The documents that machines keep, with their weights: a panel for each machine, a bar for each document.

    axes: as many as machines; titles (N,); t (N,) their two subjects, of which the one that comes later in the
    alphabet is on the positive side; machines: (name, kept (S,), weights (S,)) of each.
    """
    told = []
    looks = subjects_of(sorted(set(t)))
    minus, plus = looks
    for ax, (name, kept, weights) in zip(axes, machines, strict=True):
        colours = palette_of(ax)
        order = np.argsort(-np.abs(weights), kind="stable")
        kept, weights = np.asarray(kept)[order], np.asarray(weights)[order]
        reach = 1.1 * np.abs(weights).max(initial=1e-9)
        window = -reach, reach, len(kept) - 0.4, -0.6
        dress(ax, window, f"{minus} ←  weight  → {plus}", title=f"{name}: {len(kept)} of {len(t)} documents")
        ax.axvline(0, color=colours.faint, linewidth=1.0)
        shades = [colours.mix(looks[t[n]][0], 0.75) for n in kept]
        ax.barh(np.arange(len(kept)), weights, 0.7, color=shades, zorder=2)
        ends = np.column_stack([weights, np.arange(len(kept))])
        Points(ax, looks, SMALL).update(ends, np.asarray(t)[kept])
        names = [textwrap.shorten(titles[n], LONGEST, placeholder="…") for n in kept]
        ax.set_yticks(np.arange(len(kept)), names, fontsize=9)
        ax.tick_params(axis="y", length=0)
        most = f", most of all {titles[kept[0]]!r}" if len(kept) else ""
        told.append(f"{name} keeps {len(kept)} of {len(t)}{most}")
    marks = " and ".join(
        f"{subject} ({mark})" for subject, mark in zip(looks, ("circles", "squares"), strict=False)
    )
    describe(
        axes[0], f"Documents on {marks} that machines keep, with their weights as bars. {'; '.join(told)}."
    )
