"""Many classes: MLaPP figure 14.14 (PRML 4.2), the strategies of PRML 7.1.3, and where two of them disagree."""

import numpy as np
from contourpy import FillType, LineType, contour_generator
from matplotlib.collections import PathCollection
from matplotlib.path import Path

from sparsekm_edu.figures.layers import Label, Points, Segments, View, dot
from sparsekm_edu.figures.style import CLOSE, SQUARE, THREE_CLASSES, describe, dress, palette_of

SIGNS = "●■▲"  # the markers of the three classes as letters
SHARE = 0.3  # of a class's colour in the region that it gets
ROOM, CLEAR = 0.5, 0.4  # area that a piece must have before words fit into it; their distance to points


class Territories:
    """Regions of the plane in the colours of the classes that they are given to."""

    def __init__(self, ax):
        colours = palette_of(ax)
        self.shades = [colours.mix(role, SHARE) for role, _ in THREE_CLASSES.values()]
        self.artists = [PathCollection([], linewidths=0.5, zorder=0)]
        ax.add_collection(self.artists[0], autolim=False)

    def update(self, paths, labels):
        """paths: matplotlib Paths; labels: the class of each."""
        shades = [self.shades[int(label)] for label in labels]
        self.artists[0].set_paths(paths)
        self.artists[0].set_facecolor(shades)
        # an edge in the region's own colour closes the hair-thin gaps between neighbours
        self.artists[0].set_edgecolor(shades)


class Hatched:
    """Regions that are hatched: a cue for those who see no colour, and one that lets colour through."""

    def __init__(self, ax, hatch="///", role="ink", width=1.6):
        colour = getattr(palette_of(ax), role)
        self.artists = [
            PathCollection([], facecolors="none", edgecolors=colour, linewidths=width, hatch=hatch, zorder=2)
        ]
        ax.add_collection(self.artists[0], autolim=False)

    def update(self, paths):
        # as one path: the pattern is made anew for every path that is drawn, which takes longer than all the rest
        self.artists[0].set_paths([Path.make_compound_path(*paths)] if paths else [])


def outline(polygon):
    """A polygon (V, 2) as a Path that is closed without a gap in its line."""
    return Path(np.vstack([polygon, polygon[:1]]), closed=True)


class Ambiguity(View):
    """Figure 14.14: binary machines, asked for their opinion one by one, need not agree on one class."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, SQUARE, "$x_1$", "$x_2$", "one versus the rest", equal=True)
        dress(right, SQUARE, "$x_1$", "", "one versus one", equal=True)
        self.territories = [self.add(Territories(ax)) for ax in self.axes]
        self.nobody = self.add(Hatched(left, "/"))
        self.several = [self.add(Hatched(ax, "x")) for ax in self.axes]
        self.lines = [self.add(Segments(ax, "ink", 2.2)) for ax in self.axes]
        self.points = [self.add(Points(ax, THREE_CLASSES, 45)) for ax in self.axes]
        looks = THREE_CLASSES.values()
        self.means = [[self.add(dot(ax, role, marker, 15)) for role, marker in looks] for ax in self.axes]
        self.words = [[self.add(Label(ax, ha="center", va="center")) for _ in range(4)] for ax in self.axes]

    def update(self, X, t, means, lines, regions, decided):
        """X, t: points of classes 0, 1, 2, and their means (3, 2).

        For one versus the rest and one versus one, a pair each: lines (W (3, 2), b (3,)) of the machines; regions, what
        the classes get (`solvers.halfplanes.Region`); decided, the regions of a rule that settles all ambiguity, or [].
        """
        for side in range(2):
            settled = [r for r in [*regions[side], *decided[side]] if not r.ambiguous]
            self.territories[side].update(
                [outline(r.polygon) for r in settled], [r.classes[0] for r in settled]
            )
            crowded = [r for r in regions[side] if len(r.classes) > 1]
            empty = [r for r in regions[side] if not r.classes]
            self.several[side].update([outline(r.polygon) for r in crowded])
            self.lines[side].update(across(SQUARE, *lines[side]))
            self.points[side].update(X, t)
            for mean, (x, y) in zip(self.means[side], means, strict=True):
                mean.set_data([x], [y])
            self._name(self.words[side], crowded + empty, X)
        self.nobody.update([outline(r.polygon) for r in regions[0] if not r.classes])
        shares = [sum(r.area for r in some if r.ambiguous) / sum(r.area for r in some) for some in regions]
        describe(
            self.axes[0],
            f"Figure 14.14. Two panels with the same {len(t)} points of three classes. Left, three lines, each between "
            f"one class and the rest; {shares[0]:.0%} of the picture is hatched because no class or more than one "
            f"claims it. Right, three lines, each between two classes; {shares[1]:.0%} is hatched: the votes are tied.",
        )

    @staticmethod
    def _name(labels, regions, X):
        """Write into the largest ambiguous regions who claims them, away from the points X."""
        roomy = sorted((r for r in regions if r.area > ROOM), key=lambda r: -r.area)[: len(labels)]
        for label in labels:
            label.update((0, 0), "")
        for label, region in zip(labels, roomy, strict=False):
            words = "".join(SIGNS[k] for k in region.classes) or "nobody"
            places = region.centre + np.outer([0.0, 0.3, 0.5], region.polygon - region.centre).reshape(-1, 2)
            # the first place that is clear of the points, from the middle outwards
            label.update(max(places, key=lambda x: min(CLEAR, np.linalg.norm(X - x, axis=1).min())), words)


def across(window, W, b):
    """The lines W x + b = 0 as pieces that cross the window, (L', 2, 2); a machine without a direction has none."""
    reach = np.hypot(window[1] - window[0], window[3] - window[2])
    middle = np.array([window[0] + window[1], window[2] + window[3]]) / 2
    found = []
    for w, offset in zip(W, b, strict=True):
        norm = np.linalg.norm(w)
        if norm > 1e-9:
            foot = middle - w * (w @ middle + offset) / norm**2
            along = np.array([-w[1], w[0]]) / norm * reach
            found.append((foot - along, foot + along))
    return found


def figure_14_14(left, right, X, t, means, lines, regions, decided=((), ())):
    """Three classes by binary machines with straight boundaries; see `Ambiguity.update`."""
    view = Ambiguity(left, right)
    view.update(X, t, means, lines, regions, decided)
    return view


class Partition(View):
    """What each of three classes gets of the plane, by any strategy: labels on a grid."""

    def __init__(self, ax, size=45, xlabel="$x_1$", ylabel="$x_2$"):
        super().__init__(ax)
        dress(ax, CLOSE, xlabel, ylabel, " ", equal=True)
        self.territories = self.add(Territories(ax))
        look = {"facecolors": "none", "edgecolors": palette_of(ax).ink, "linewidths": 1.8, "zorder": 3}
        self.borders = self.add(ax.add_collection(PathCollection([], **look), autolim=False))
        self.hatched = self.add(Hatched(ax, "xx"))
        self.points = self.add(Points(ax, THREE_CLASSES, size))
        self.title = self.add(ax.title)

    def update(self, X, t, grid, labels, title, disputed=None):
        """grid: (x1, x2); labels (H, W): 0, 1 or 2; disputed (H, W): cells to be hatched."""
        shares = [outlines(grid, labels == k) for k in range(3)]
        fills = [(path, k) for k in range(3) for path in paths_of(shares[k].filled(0.5, 2.0))]
        self.territories.update(*zip(*fills, strict=True) if fills else ([], []))
        self.borders.set_paths([path for share in shares for path in paths_of(share.lines(0.5))])
        self.hatched.update([] if disputed is None else paths_of(outlines(grid, disputed).filled(0.5, 2.0)))
        self.points.update(X, t)
        self.title.set_text(title)


def outlines(grid, inside):
    """A contour generator that is above one half in the cells (H, W) that are true, their corners rounded off.

    A strip that is only one cell wide is lost with the corners.
    """
    heights = np.pad(inside.astype(float), 1, mode="edge")
    heights = (heights[:-2] + 2 * heights[1:-1] + heights[2:]) / 4
    heights = (heights[:, :-2] + 2 * heights[:, 1:-1] + heights[:, 2:]) / 4
    return contour_generator(*grid, heights, fill_type=FillType.OuterCode, line_type=LineType.SeparateCode)


def paths_of(found):
    """What contourpy found, lines or areas, as matplotlib Paths."""
    return [Path(*piece) for piece in zip(*found, strict=True)]


class Disagreement(View):
    """Two strategies on the same points; hatched where they name different classes."""

    def __init__(self, left, right):
        super().__init__(left, right)
        self.sides = [Partition(left), Partition(right, ylabel="")]
        self.artists = [artist for side in self.sides for artist in side.artists]

    def update(self, X, t, grid, labels, names):
        """labels: two arrays (H, W); names: of the two strategies."""
        disputed = labels[0] != labels[1]
        for side, own, name in zip(self.sides, labels, names, strict=True):
            side.update(X, t, grid, own, name, disputed)
        describe(
            self.axes[0],
            f"Two panels with the same {len(t)} points of three classes and the regions that {names[0]} (left) and "
            f"{names[1]} (right) give to each class; {disputed.mean():.1%} of the picture, hatched, is in dispute.",
        )


def figure_disagreement(left, right, X, t, grid, labels, names):
    """The regions of two strategies, and where they differ; see `Disagreement.update`."""
    view = Disagreement(left, right)
    view.update(X, t, grid, labels, names)
    return view


def figure_strategies(axes, X, t, grid, labels, errors):
    """Small multiples: the regions of each strategy, and in the last of the axes where not all of them agree.

    labels, errors: name of the strategy -> labels on the grid (H, W), and its error on new data, a fraction.
    """
    *axes, last = np.ravel(axes)
    views = [Partition(ax, size=22, xlabel="", ylabel="") for ax in [*axes, last]]
    for view in views:
        view.axes[0].set_xticks([])
        view.axes[0].set_yticks([])
    every = np.array(list(labels.values()))
    disputed = (every != every[0]).any(axis=0)
    for view, (name, own) in zip(views[:-1], labels.items(), strict=True):
        view.update(X, t, grid, own, f"{name}\n{errors[name]:.1%} wrong")
    nobody = np.full_like(every[0], -1)
    views[-1].update(X, t, grid, nobody, f"not all agree on\n{disputed.mean():.1%} of the picture", disputed)
    describe(
        last,
        f"{len(labels)} small panels with the regions that as many strategies give to three classes, and one that "
        f"hatches the {disputed.mean():.1%} of the picture where not all of them agree. Errors on new data: "
        + ", ".join(f"{name} {error:.1%}" for name, error in errors.items())
        + ".",
    )
    return views
