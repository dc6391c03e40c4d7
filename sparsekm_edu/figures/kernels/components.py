"""Kernel PCA: MLaPP figures 14.7 (components as maps), 14.8 (three clusters) and 14.9 (what flows in a pipe)."""

import numpy as np
from contourpy import LineType, contour_generator
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.image import AxesImage
from matplotlib.path import Path

from sparsekm_edu.figures.layers import Crosses, Grips, Label, Points, Rings, Segments, View, curve
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.style import THREE_CLASSES, describe, dress, palette_of

UNIT = (-1.0, 1.0, -1.0, 1.0)  # window of the three clusters
OF_LARGEST = (-1.12, 1.12, -1.12, 1.12)  # window of coordinates that are shares of the largest


class Title(QuickText):
    """A title in other words at every step."""

    def __init__(self, ax, size=11):
        ax.set_title(" ", fontsize=size)  # keeps the room
        super().__init__(ax, size=size, ha="center", va="top", x=0.5, y=1.0, transform=ax.transAxes)

    def draw(self, renderer):
        """Above the axes, by the height of one line."""
        self.set_y(1.0 + self.LINE * self.get_fontsize() * renderer.dpi / 72 / self.axes.bbox.height)
        super().draw(renderer)


# ---- figure 14.7 ----------------------------------------------------------------------------------------
class SignedMap:
    """A function over the plane of which sign and size count: blue where it is positive, orange where it is negative,
    deeper where it is larger, with a strong line where it is 0."""

    DEEPEST = 0.6  # share of the colour where the function is largest

    def __init__(self, ax, levels, smooth):
        """levels: rising parts of the largest size, in (0, 1). smooth: colours change smoothly, with thin lines at the
        levels, which a live canvas sends quickly; otherwise they change at the levels, which makes a small file."""
        colours = palette_of(ax)
        self.lines_at = [sign * level for sign in (-1, 1) for level in levels] if smooth else []
        sizes = (np.arange(256) - 127.5) / 127.5  # none is 0
        depths = (
            np.abs(sizes) if smooth else (0.3 + np.searchsorted(levels, np.abs(sizes))) / (0.3 + len(levels))
        )
        roles = np.where(sizes > 0, "plus", "minus")
        shades = [colours.mix(role, self.DEEPEST * depth) for role, depth in zip(roles, depths, strict=True)]
        self.shades = np.rint(255 * np.column_stack([shades, np.ones(256)])).astype(np.uint8)
        look = "bilinear" if smooth else "nearest"
        self.image = AxesImage(ax, extent=UNIT, origin="lower", interpolation=look, zorder=0)
        self.image.set_data(np.zeros((2, 2, 3)))
        ax.add_image(self.image)
        looks = {"facecolors": "none", "zorder": 3}
        self.lines = PathCollection([], edgecolors=[colours.mix("ink", 0.4)], linewidths=0.6, **looks)
        self.zero = PathCollection([], edgecolors=colours.ink, linewidths=1.6, **looks)
        self.artists = [self.image, self.lines, self.zero]
        for artist in self.artists[1:]:
            ax.add_collection(artist, autolim=False)

    def update(self, x1, x2, Z):
        """x1: (W,), x2: (H,) the axes of the grid, Z: (H, W) the values; if they are all 0, nothing is drawn."""
        half = (x1[1] - x1[0]) / 2, (x2[1] - x2[0]) / 2  # pixels have their centres on the grid
        extent = (x1[0] - half[0], x1[-1] + half[0], x2[0] - half[1], x2[-1] + half[1])
        if extent != tuple(self.image.get_extent()):  # asking is quicker than setting
            self.image.set_extent(extent)
        for artist in self.artists:
            artist.set_visible(Z.any())
        Z = Z / (np.abs(Z).max() or 1.0)
        self.image.set_data(self.shades[np.clip(np.floor(128 * (1 + Z)), 0, 255).astype(int)])
        contours = contour_generator(x1, x2, Z, line_type=LineType.SeparateCode)
        self.zero.set_paths(self._lines(contours, 0.0))
        self.lines.set_paths([path for level in self.lines_at for path in self._lines(contours, level)])

    @staticmethod
    def _lines(contours, level):
        return [Path(*piece) for piece in zip(*contours.lines(level), strict=True)]


class ComponentMaps(View):
    """Figure 14.7: components of kernel PCA, one panel each, as maps over the plane with the points as dots."""

    LEAST = 5e-4  # share of the variance: what is written as 0.0 % has no map, whose colours would make it look large

    def __init__(self, *axes, levels=(0.25, 0.5, 0.75), smooth=False, size=13):
        """levels, smooth: as in SignedMap; size of the letters."""
        super().__init__(*axes)
        for ax in axes:
            dress(ax, UNIT, equal=True)
            ax.set_xticks([])
            ax.set_yticks([])
        self.maps = [self.add(SignedMap(ax, levels, smooth)) for ax in axes]
        looks = {"markersize": size / 7, "markeredgewidth": 0}
        self.dots = [self.add(curve(ax, "ink", 0, "o", **looks)) for ax in axes]
        self.names = [self.add(Title(ax, size)) for ax in axes]

    def update(self, X, grid, Z, shares):
        """X (N, 2); grid: (x1, x2), axes of the values Z (H, W, L) of the components; shares (L,) of the variance."""
        for number, (plane, dots, name) in enumerate(zip(self.maps, self.dots, self.names, strict=True)):
            there = number < len(shares) and shares[number] >= self.LEAST
            plane.update(*grid, Z[..., number] if there else np.zeros(Z.shape[:2]))
            dots.set_data(*np.transpose(X))
            some = number < len(shares) and shares[number] > 0
            share = f"{shares[number]:.1%}" if there else "< 0.1%" if some else "none"
            name.set_text(f"{number + 1}: {share}")


def figure_14_7(axes, X, grid, Z, shares):
    """The first components of kernel PCA as maps over the plane, one in each of the axes.

    X (N, 2) the points; grid: (x1, x2), axes of the values Z (H, W, L) of the components; shares (L,): of the variance
    in feature space, which stand above the maps. A grid of 200 x 200 looks smooth. The strong line is where a component
    is 0; its sign means nothing.
    """
    axes = np.ravel(axes)
    view = ComponentMaps(*axes)
    view.update(X, grid, Z, shares)
    describe(
        axes[0],
        f"Figure 14.7. The first {len(axes)} components of kernel PCA of {len(X)} points as maps over the plane, blue "
        "where a component is positive and orange where it is negative. Their shares of the variance are "
        f"{', '.join(f'{share:.1%}' for share in shares[: len(axes)])}.",
    )
    return view


# ---- figure 14.8 ----------------------------------------------------------------------------------------
class Projection(View):
    """Points of three classes by their first two components; crossed out where that is asked for."""

    def __init__(self, ax, window, title="", size=34):
        super().__init__(ax)
        dress(ax, window, "$z_1$", "$z_2$", title, equal=True)
        self.points = self.add(Points(ax, THREE_CLASSES, size))
        self.crosses = self.add(Crosses(ax, size))
        self.crosses.artists[0].set_linewidth(1.3)  # thin: the mark below says which class it is

    def update(self, Z, t, wrong=None):
        """Z (N, 2); t (N,) 0, 1 or 2; wrong (N,) bool: who is crossed out."""
        self.points.update(Z, t)
        self.crosses.update(() if wrong is None else Z[wrong])


def around_points(Z):
    """A square window with all points Z (N, 2) in it, and some room around them."""
    (x, y), reach = (Z.max(axis=0) + Z.min(axis=0)) / 2, 0.56 * np.ptp(Z, axis=0).max()
    return (x - reach, x + reach, y - reach, y + reach)


def figure_14_8(left, right, Z_pca, Z_kernel, t):
    """Three clusters by their first two components: of PCA, of kernel PCA. Z_pca, Z_kernel (N, 2), t (N,)."""
    views = [
        Projection(ax, around_points(Z), title)
        for ax, Z, title in ((left, Z_pca, "(a) PCA"), (right, Z_kernel, "(b) kernel PCA"))
    ]
    views[0].update(Z_pca, t)
    views[1].update(Z_kernel, t)
    along = [straightness(Z_kernel[t == kind]) for kind in np.unique(t)]
    describe(
        left,
        f"Figure 14.8. {len(t)} points of {len(along)} clusters. On the left by the two components of PCA: the data as "
        "they are, turned. On the right by the first two components of kernel PCA: each cluster lies along a line of "
        f"its own, which holds {', '.join(f'{share:.0%}' for share in along)} of its variance.",
    )
    return views


def straightness(Z):
    """How near points Z (N, 2) are to a line: the share of their variance along the best one, from 1/2 to 1."""
    variances = np.linalg.eigvalsh(np.cov(np.transpose(Z)))
    return variances[1] / variances.sum()


class ClustersAndComponents(View):
    """Points to drag, above their first two components; beside them the first eight components as maps."""

    def __init__(self, points, plane, *maps):
        super().__init__(points, plane, *maps)
        dress(points, UNIT, title="points, to drag", equal=True)
        points.set_xticks([-1, 0, 1])
        points.set_yticks([-1, 0, 1])
        self.points = self.add(Points(points, THREE_CLASSES, 26))
        self.grips = self.add(Grips(points))
        self.grips.artists[0].set_sizes([45])
        self.plane = self.add(Projection(plane, OF_LARGEST, "$z_1$, $z_2$ / largest", size=26))
        plane.set_xlabel("")
        plane.set_ylabel("")
        plane.set_xticks([-1, 0, 1])
        plane.set_yticks([-1, 0, 1])
        self.maps = self.add(ComponentMaps(*maps, levels=(0.5,), smooth=True, size=11))

    def update(self, X, t, centres, Z, grid, maps, shares):
        """centres (K, 2) of the clusters; Z (N, 2) coordinates; grid, maps and shares as for ComponentMaps."""
        self.points.update(X, t)
        self.grips.update(centres)
        self.plane.update(Z / np.abs(Z).max(), t)
        self.maps.update(X, grid, maps, shares)


# ---- figure 14.9 ----------------------------------------------------------------------------------------
FLOWS = "homogeneous", "annular", "stratified"
PHASES = {"oil": ("minus", 0.8), "water": ("plus", 0.7), "gas": ("faint", 0.25)}  # role, share of its colour


def figure_14_9(left, right, Z_pca, Z_kernel, t, wrong):
    """Measurements of a pipe with three kinds of flow by their first two components: of PCA, of kernel PCA.

    Z_pca, Z_kernel (N, 2); t (N,): 0 homogeneous, 1 annular, 2 stratified; wrong: for PCA and for kernel PCA (N,) bool,
    is the nearest neighbour in the plane of another kind? These points are crossed out.
    """
    errors = [int(np.sum(crossed)) for crossed in wrong]
    views = []
    for ax, Z, way, crossed, count in zip(
        (left, right), (Z_pca, Z_kernel), ("(a) PCA", "(b) kernel PCA"), wrong, errors, strict=True
    ):
        views.append(Projection(ax, around_points(Z), f"{way}: {count} of {len(t)} wrong"))
        views[-1].update(Z, t, crossed)
    colours = palette_of(left)
    kinds = left.legend(views[0].points.artists, FLOWS, fontsize=10, labelcolor=colours.ink)
    kinds.get_frame().set(facecolor=colours.paper, edgecolor=colours.faint)
    describe(
        left,
        f"Figure 14.9. {len(t)} measurements of oil, water and gas in a pipe, three kinds of flow, by their first two "
        f"components. The nearest neighbour in the plane is of another kind for {errors[0]} of them under PCA and for "
        f"{errors[1]} under kernel PCA; these are crossed out.",
    )
    return views


class Pipe(View):
    """The cross-section of a pipe with oil, water and gas in it, and the beams that look through it."""

    ANGLES = np.linspace(0, 2 * np.pi, 121)
    DROPS = 400

    def __init__(self, ax, vertical, horizontal):
        """vertical: x of the upright beams, horizontal: y of the level ones, in radii of the pipe."""
        super().__init__(ax)
        dress(ax, (-1.35, 1.35, -2.1, 1.4), equal=True)
        ax.set_axis_off()
        ax.spines[:].set_visible(False)  # the live canvas draws frames on its own
        colours = palette_of(ax)
        self.shades = np.array([colours.mix(role, share) for role, share in PHASES.values()])
        self.fills = self.add(PolyCollection([], linewidths=0, zorder=0))
        ax.add_collection(self.fills, autolim=False)
        n = np.arange(self.DROPS)
        turns = np.pi * (3 - np.sqrt(5)) * n  # as in a sunflower: evenly over the disc
        radii = 0.97 * np.sqrt((n + 0.5) / n.size)
        self.drops = self.add(
            ax.scatter(radii * np.cos(turns), radii * np.sin(turns), 12, linewidths=0, zorder=1)
        )
        self.order = np.random.default_rng(0).permutation(n.size)
        beams = [((x, -1.15), (x, 1.15)) for x in vertical] + [((-1.15, y), (1.15, y)) for y in horizontal]
        self.add(Segments(ax, "ink", 1.0, "--")).update(beams)  # over what flows, which moves
        looks = {"size": 9, "ha": "center", "va": "center", "patch": False}
        for number, (_, (x, y)) in enumerate(beams, 1):
            Label(ax, **looks).update((x, 1.28) if number <= len(vertical) else (1.25, y), str(number))
        self.add(curve(ax, "ink", 2.0)).set_data(np.cos(self.ANGLES), np.sin(self.ANGLES))
        self.words = []
        for place, shade in zip((-0.9, 0.0, 0.9), self.shades, strict=True):
            ax.scatter([place], [-1.4], 55, [shade], marker="s", edgecolors=colours.ink, linewidths=0.8)
            self.words.append(self.add(QuickText(ax, size=10, ha="center", va="top", x=place, y=-1.5)))

    def update(self, kind, shares, borders):
        """kind of flow: 0, 1 or 2; shares (3,) of oil, water and gas; borders (2,): radii at which gas and oil end in
        annular flow, heights at which water and oil end in stratified flow; homogeneous flow has none."""
        oil, water, gas = self.shades
        circle = np.column_stack([np.cos(self.ANGLES), np.sin(self.ANGLES)])
        if kind == 1:
            self.fills.set_verts([circle, borders[1] * circle, borders[0] * circle])
        elif kind == 2:  # the whole disc, what is above the water, what is above the oil
            self.fills.set_verts([circle, *(self._above(height) for height in borders)])
        else:
            self.fills.set_verts([])
        self.fills.set_facecolor([water, oil, gas])
        drops = np.repeat(np.arange(3), np.diff(np.rint(self.DROPS * np.cumsum([0, *shares])).astype(int)))
        self.drops.set_facecolor(self.shades[drops][self.order])
        self.drops.set_visible(kind == 0)
        for words, phase, share in zip(self.words, PHASES, shares, strict=True):
            words.set_text(f"{phase}\n{share:.0%}")

    def _above(self, height):
        """The part of the disc above a height, as a polygon."""
        start = np.arcsin(np.clip(height, -1, 1))
        angles = np.linspace(start, np.pi - start, 61)
        return np.column_stack([np.cos(angles), np.sin(angles)])


class FlowPlanes(View):
    """PCA and kernel PCA of the same measurements, one of them ringed, with its pipe and its readings."""

    HIGHEST = 2.9

    def __init__(self, left, right, pipe, readings, beams):
        """beams: (x of the vertical ones, y of the horizontal ones)."""
        super().__init__(left, right, pipe, readings)
        self.planes, self.rings, self.titles = [], [], []
        for ax in (left, right):
            self.planes.append(self.add(Projection(ax, OF_LARGEST)))
            ax.set_ylabel("")
            ax.set_xlabel("$z_1$, $z_2$ / largest")
            ax.set_xticks([-1, 0, 1])
            ax.set_yticks([-1, 0, 1])
            self.rings.append(self.add(Rings(ax, "own", 150)))
            self.titles.append(self.add(Title(ax, 11)))
        self.pipe = self.add(Pipe(pipe, *beams))
        self.kind = self.add(Title(pipe, 11))
        dress(readings, (0.5, 6.5, 0, self.HIGHEST), "beam", "", "○ 60 keV  □ 662 keV")
        readings.title.set_fontsize(10)
        readings.set_xticks(range(1, 7))
        self.low = self.add(
            curve(readings, "ink", 1.0, "o-", markersize=5, markerfacecolor=palette_of(left).paper)
        )
        self.high = self.add(
            curve(readings, "ink", 1.0, "s-", markersize=4, markerfacecolor=palette_of(left).paper)
        )

    def update(self, Zs, t, wrong, n, x, shares, borders):
        """Zs, wrong: of PCA and of kernel PCA, (N, 2) and (N,) each; n: the ringed point, x (12,) its readings, shares
        and borders as in Pipe."""
        for plane, ring, title, way, Z, crossed in zip(
            self.planes, self.rings, self.titles, ("PCA", "kernel PCA"), Zs, wrong, strict=True
        ):
            Z = self.shown(Z)
            plane.update(Z, t, crossed)
            ring.update(Z[n])
            title.set_text(f"{way}: {np.sum(crossed)} of {len(t)} wrong")
        self.pipe.update(t[n], shares, borders)
        self.kind.set_text(FLOWS[int(t[n])])
        beams = np.arange(1, 7)
        self.low.set_data(beams, np.minimum(x[:6], self.HIGHEST))
        self.high.set_data(beams, x[6:])

    @staticmethod
    def shown(Z):
        """Coordinates Z (N, 2) as they are drawn: shares of the largest."""
        return Z / np.abs(Z).max()
