"""A plane bent into feature space, (7.42): three features at a time, drawn as a sheet of wires that can be turned."""

import itertools

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from sparsekm_edu.figures.layers import Points, Rings, Surface, View, grid_over
from sparsekm_edu.figures.style import TWO_CLASSES, describe, dress, palette_of

WINDOW = (-2.1, 2.1, -2.1, 2.1)
CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
EDGES = [(i, j) for i in range(8) for j in range(i) if np.abs(CORNERS[i] - CORNERS[j]).sum() == 2]


def camera(azimuth, elevation):
    """Rows of a rotation: to the right, upwards and towards the eye that looks from these angles, in degrees."""
    a, e = np.radians([azimuth, elevation])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    eye = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    return np.array([right, np.cross(eye, right), eye])


def cut_through_box(w, b):
    """The corners, in order, of the piece of the plane w'z + b = 0 within the box [-1, 1]^3; none if it misses it."""
    heights = CORNERS @ w + b
    ends = [(i, j) for i, j in EDGES if heights[i] * heights[j] < 0]
    cut = np.array(
        [(heights[i] * CORNERS[j] - heights[j] * CORNERS[i]) / (heights[i] - heights[j]) for i, j in ends]
    ).reshape(-1, 3)
    if len(cut) < 3:
        return np.empty((0, 3))
    around = cut - cut.mean(axis=0)
    first = around[0] / np.linalg.norm(around[0])
    second = np.cross(w, first)
    return cut[np.argsort(np.arctan2(around @ second, around @ first))]


def beside_edge(seen, k):
    """Where to write the name of feature k: outside the lowest edge that runs along it, the leftmost if it stands."""
    middles = np.unique(CORNERS * (np.arange(3) != k), axis=0)
    places = seen(middles)[:, :2]
    place = places[places[:, 0 if k == 2 else 1].argmin()]
    return np.clip(
        place * (1 + 0.2 / max(np.linalg.norm(place), 0.5)), (-1.3, -1.6), (1.3, 1.6)
    )  # inside the frame


class FeatureSpace(View):
    """Left the plane with a wire mesh on it; right the same mesh, points and boundary in three features."""

    @staticmethod
    def mesh():
        """The wires in the plane, (M, 2) each: x1 = ... and x2 = ..."""
        fine = np.linspace(-1, 1, 25)
        upright = [np.column_stack([np.full(25, x), fine]) for x in np.linspace(-1, 1, 11)]
        return [WINDOW[1] * wire for wire in upright + [wire[:, ::-1] for wire in upright]]

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, WINDOW, "$x_1$", "$x_2$", equal=True)
        dress(right, (-1.75, 1.75, -1.75, 1.75), equal=True)
        right.set(xticks=[], yticks=[])
        colours = palette_of(left)
        self.wires = self.mesh()
        flat = LineCollection(self.wires, colors=[colours.faint], linewidths=0.6, alpha=0.5, zorder=1)
        left.add_collection(flat, autolim=False)
        self.surface = self.add(Surface(left))
        self.add(flat)
        self.points = self.add(Points(left))
        self.rings = self.add(Rings(left))

        self.box = LineCollection([], colors=[colours.faint], linewidths=0.8, zorder=1)
        self.sheet = LineCollection([], linewidths=1.1, zorder=2)
        self.plane = PolyCollection(
            [], facecolors=[colours.good], alpha=0.3, edgecolors=[colours.good], linewidths=1.5, zorder=3
        )
        self.boundary = LineCollection([], colors=[colours.ink], linewidths=2.4, zorder=4)
        for collection in (self.box, self.sheet, self.plane, self.boundary):
            self.add(collection)
            right.add_collection(collection, autolim=False)
        self.images = self.add(Points(right))
        self.image_rings = self.add(Rings(right, size=200))
        look = {"color": colours.ink, "fontsize": 13, "ha": "center", "va": "center", "zorder": 6}
        self.names = [self.add(right.text(0, 0, "", **look)) for _ in range(3)]

    def update(self, X, t, phi, names, plane, support, azimuth, elevation, box=None):
        """phi: a function, (M, 2) -> (M, 3), three features called `names`; plane: w (3,), b with y = w'phi(x) + b;
        box: the lowest and highest features that the box holds, (2, 3), those of the wires if None."""
        w, b = plane
        grid = grid_over(WINDOW, 60)
        places = np.stack(np.meshgrid(*grid), axis=-1)
        self.surface.update(*grid, (phi(places.reshape(-1, 2)) @ w + b).reshape(places.shape[:2]))
        self.points.update(X, t)
        self.rings.update(X[support])

        wires = phi(np.concatenate(self.wires))
        low, high = (wires.min(axis=0), wires.max(axis=0)) if box is None else box
        middle, half = (high + low) / 2, (high - low) / 2
        turn = camera(azimuth, elevation)

        def seen(z):
            """From the box [-1, 1]^3: turned, to the right, up, towards the eye."""
            return z @ turn.T

        def image(points):
            return seen((phi(points) - middle) / half)

        self.box.set_segments([seen(CORNERS[[i, j]])[:, :2] for i, j in EDGES])
        self._draw_sheet([image(wire) for wire in self.wires])
        polygon = seen(cut_through_box(w * half, b + w @ middle))[:, :2]
        self.plane.set_verts([polygon] if len(polygon) else [])
        curves = [path.vertices for path in self.surface.boundary.get_paths()]
        self.boundary.set_segments([image(curve)[:, :2] for curve in curves])
        self._draw_images(image(X), t)
        self.image_rings.update(image(X[support])[:, :2])
        for k, name in enumerate(names):
            self.names[k].set_position(beside_edge(seen, k))
            self.names[k].set_text(name)
        wrong = int(np.sum((phi(X) @ w + b > 0) != (t > 0)))
        describe(
            self.axes[0],
            f"Left, {len(t)} points of two classes in the plane and a boundary that leaves {wrong} of them on the "
            f"wrong side. Right, the same points, the plane as a bent sheet of wires, and the boundary as the cut of a "
            f"flat plane through the sheet, in the features {', '.join(names)}, seen from azimuth {azimuth:.0f} and "
            f"elevation {elevation:.0f} degrees.",
        )

    def _draw_sheet(self, wires):
        """Near wires in a deeper colour than far ones."""
        order = np.argsort([wire[:, 2].mean() for wire in wires])
        colours = palette_of(self.axes[1])
        shares = np.linspace(0.35, 0.9, len(order))
        self.sheet.set_segments([wires[k][:, :2] for k in order])
        self.sheet.set_color([colours.mix("faint", share) for share in shares])

    def _draw_images(self, places, t):
        """Near points last and larger."""
        order = np.argsort(places[:, 2])
        places, t = places[order], np.asarray(t)[order]
        self.images.update(places[:, :2], t)
        for artist, label in zip(self.images.artists, TWO_CLASSES, strict=True):
            artist.set_sizes(60 + 18 * places[t == label, 2])


class Lift(FeatureSpace):
    """The plane with rings and spokes on it, raised into a cone: the third feature is lift times |x|.

    The box and the cutting plane stay where they are while the sheet rises.
    """

    HEIGHT = WINDOW[1]  # of the rim at lift 1

    @staticmethod
    def mesh():
        """Rings around the origin, and spokes."""
        angles, radii = np.linspace(0, 2 * np.pi, 49), np.linspace(0, WINDOW[1], 8)
        around = np.column_stack([np.cos(angles), np.sin(angles)])
        return [radius * around for radius in radii[1:]] + [np.outer(radii, ray) for ray in around[:-1:3]]

    def update(self, X, t, phi, plane, support, azimuth, elevation):
        """phi, plane, support: as for `FeatureSpace`."""
        box = np.array([(*WINDOW[::2], 0.0), (*WINDOW[1::2], self.HEIGHT)])
        names = "$x_1$", "$x_2$", "lift $\\cdot|x|$"
        super().update(X, t, phi, names, plane, support, azimuth, elevation, box)


def figure_feature_map(left, right, X, t, phi, names, plane, support, azimuth=25.0, elevation=20.0):
    """The plane (left) and its image in three features (right), with a separating plane; see `FeatureSpace.update`."""
    view = FeatureSpace(left, right)
    view.update(X, t, phi, names, plane, support, azimuth, elevation)
    return view
