"""The live canvas: a matplotlib picture that follows the hand.

Two objects share the work. `Stage` draws: axes and ticks once, kept as a background; on every change only
the artists that moved are painted over a copy of it. That, not the way to the browser, is where the speed
comes from. `LiveCanvas` carries: compressed frames to the page, pointer and key presses back, one at a
time (the page waits for an answer before it sends the next, and only the newest waits).
"""

import io
from dataclasses import dataclass
from pathlib import Path

import anywidget
import numpy as np
import traitlets
from matplotlib.transforms import Bbox
from PIL import Image

from sparsekm_edu.figures.style import DARK, DPI, LIGHT, Sheet

LARGEST_SCALE = 1.75  # frames grow with the page and its pixel density up to this, for the sake of speed


@dataclass(frozen=True)
class Handle:
    """Something that can be dragged: where it is (data coordinates of an Axes) and how it looks.

    name: what the explorer calls it, e.g. ("point", 3) or "probe"; shape: "circle", "square", "triangle" or "diamond";
    fixed: it stays where it is, and a click chooses it.
    """

    name: object
    ax: object
    x: float
    y: float
    colour: str
    shape: str = "circle"
    fixed: bool = False


def direction(x, y, flip=False):
    """The angle of (x, y) in degrees, between -180 and 180; the opposite one if `flip`."""
    return float(np.degrees(np.arctan2(-y, -x) if flip else np.arctan2(y, x)))


class Stage:
    """A sheet on which only what moves is drawn again."""

    _layouts = {}  # kind, size -> where the axes lie: to find out takes longer than to draw them

    def __init__(self, width, height, make_view, kind):
        """make_view: sheet -> the view on it; kind: stages of one kind (a class of explorers) have the same axes."""
        self.size = width, height
        self.make_view = make_view
        self.kind = kind
        self.scale = 1.0
        self.set_theme(dark=False)

    def set_theme(self, dark):
        """Start over on paper of the other colour; the view is made anew and must be updated."""
        self.sheet = Sheet(*self.size, DARK if dark else LIGHT)
        self.view = self.make_view(self.sheet)
        self._lay_out()
        self._start_over()

    def _lay_out(self):
        """Once for each kind. Done again at every full draw the axes would creep, a little each time, and the same
        state would not always be the same picture."""
        key = self.kind, self.size
        if key not in self._layouts:
            self.sheet.draw_without_rendering()
            self._layouts[key] = [ax.get_position(original=True) for ax in self.sheet.axes]
        self.sheet.set_layout_engine("none")
        for ax, place in zip(self.sheet.axes, self._layouts[key], strict=True):
            ax.set_position(place)
            ax.apply_aspect()

    def set_scale(self, scale):
        """Draw `scale` times as many pixels each way; letters and lines grow with them."""
        scale = float(np.clip(scale, 0.5, LARGEST_SCALE))
        if scale != self.scale:
            self.scale = scale
            self._start_over()

    def _start_over(self):
        """Nothing that was painted is of use any more."""
        self.sheet.set_dpi(DPI * self.scale)
        self.background = None

    def pixels(self):
        """The picture as it is now, (height, width, 4) bytes; valid until the next call."""
        canvas = self.sheet.canvas
        if self.background is None:
            self._draw_background(canvas)
        canvas.restore_region(self.background)
        for artist in self.moving:
            artist.axes.draw_artist(artist)
        for ax in self.sheet.axes:  # the frame of the axes goes on top of filled areas
            for spine in ax.spines.values():
                ax.draw_artist(spine)
        return np.asarray(canvas.buffer_rgba())

    def _draw_background(self, canvas):
        self.moving = sorted(self.view.artists, key=lambda artist: artist.get_zorder())
        for artist in self.moving:
            artist.set_animated(True)  # leaves them out of the full draw
        canvas.draw()
        height, width, _ = np.shape(
            canvas.buffer_rgba()
        )  # sheet.bbox may be a rounding error short of a pixel
        self.background = canvas.copy_from_bbox(Bbox([[0, 0], [width, height]]))

    def to_page(self, ax, x, y):
        """Data coordinates, numbers or arrays -> fractions of the sheet from its left and top, as the page counts."""
        px, py = np.moveaxis(ax.transData.transform(np.stack([x, y], axis=-1)), -1, 0)
        return px / self.sheet.bbox.width, 1 - py / self.sheet.bbox.height

    def from_page(self, u, v):
        """Fractions of the sheet -> (Axes under the point or None, x, y); log axes included."""
        where = u * self.sheet.bbox.width, (1 - v) * self.sheet.bbox.height
        for ax in self.sheet.axes:
            if ax.bbox.contains(*where):
                return (ax, *ax.transData.inverted().transform(where))
        return None, np.nan, np.nan

    def from_page_on(self, ax, u, v):
        """The same for a given Axes, kept inside its limits: a point cannot be dragged out of sight."""
        where = u * self.sheet.bbox.width, (1 - v) * self.sheet.bbox.height
        # clipped as pixels: far beyond the end of a log axis there are no numbers any more
        x, y = ax.transData.inverted().transform(np.clip(where, ax.bbox.min, ax.bbox.max))
        return float(x), float(y)


def encode(pixels):
    """Compress a frame for the page: JPEG with full colour, 30-55 kB in 2 ms (WebP: 20-40 kB in 9 ms)."""
    file = io.BytesIO()
    Image.fromarray(pixels).convert("RGB").save(file, "JPEG", quality=82, subsampling=0)
    return file.getvalue()


class LiveCanvas(anywidget.AnyWidget):
    """The picture in the page. Knows nothing of what it shows: it reports gestures to `on_gesture`."""

    # as text: anywidget watches a file, and its watcher would keep every canvas ever made in memory
    _esm = (Path(__file__).parent / "canvas.js").read_text(encoding="utf-8")
    _css = (Path(__file__).parent / "canvas.css").read_text(encoding="utf-8")

    frame = traitlets.Bytes().tag(sync=True)
    ratio = traitlets.Float(1.8).tag(sync=True)  # width / height
    natural = traitlets.Float(760.0).tag(sync=True)  # width in CSS pixels at scale 1
    handles = traitlets.List().tag(sync=True)  # [u, v, colour, shape, fixed] each
    mode = traitlets.Unicode("move").tag(sync=True)  # what a press on the canvas does: move, add, remove
    editable = traitlets.Bool(False).tag(sync=True)  # can handles be added and removed?
    stale = traitlets.Bool(False).tag(sync=True)  # greyed: the picture is of the last good state
    description = traitlets.Unicode("").tag(sync=True)  # for screen readers

    def __init__(self, on_gesture, **kwargs):
        super().__init__(**kwargs)
        self._on_gesture = on_gesture
        self.on_msg(self._receive)

    def _receive(self, _widget, gesture, _buffers):
        try:
            self._on_gesture(gesture)
        finally:
            self.send({"answered": gesture.get("nonce")})  # the page may send the next one
