"""Explorers: state -> picture -> view.

A state is a frozen dataclass with one field per control. `compute(state)` is a pure function that solves,
evaluates and returns a picture: arrays, the facts of the readout, and a description in words. A view (from
`figures`) owns the artists and moves them. `Explorer` joins the three and is the only part that knows of
widgets: every change, from a slider, a dragged point or `ex.set(C=10)`, goes through one door, `set`.
"""

import dataclasses
import html
import inspect
import threading
import warnings
import weakref
from contextlib import contextmanager

import ipywidgets as widgets
import numpy as np
from IPython import get_ipython

from sparsekm_edu.figures.style import DPI, LIGHT, Sheet, alternative_text, small_png
from sparsekm_edu.live.canvas import LiveCanvas, Stage, encode
from sparsekm_edu.live.controls import accepted, readable, rounding
from sparsekm_edu.validation import Impossible

# matplotlib and `warnings.catch_warnings` do not bear two threads, and some versions of the kernel answer widgets on
# another thread than cells: one change at a time, whoever asks for it.
ONE_AT_A_TIME = threading.RLock()


@dataclasses.dataclass(frozen=True, eq=False)
class Picture:
    """What every picture has beside its own arrays."""

    facts: dict  # label -> value as text: the readout
    description: str  # the picture in words


class Explorer(widgets.HBox):
    """A picture, its controls, its readout. Subclasses fill in what they need of the methods below.

    Public: `state`, `picture`, `facts` (text), `description`, `figure`, `widgets` (field -> control), `message` (what
    is wrong with the present state, empty if nothing), `code` (opens this state again), `set(**fields)`, `reset()`.
    """

    # ---- what a subclass says -----------------------------------------------------------------------
    name = ""  # of its factory
    title = ""
    State = None  # a frozen dataclass; its defaults are the state to begin with
    View = None  # from `figures`
    panels = {"ncols": 1}  # of the sheet, as `subplots` takes them: the Axes of the view
    size = 7.6, 4.6  # inches at 100 pixels each
    editable = False  # can points be added and removed?

    def make_view(self, sheet):
        """The view on an empty sheet."""
        return self.View(*sheet.subplots(squeeze=False, **self.panels).flat)

    def make_controls(self):
        """Field of the state -> the widget that shows and changes it."""
        return {}

    @staticmethod
    def compute(state):
        """state -> Picture. Pure. What is `Impossible` becomes a sentence in the readout."""
        raise NotImplementedError

    def draw(self, view, state, picture):
        """Move the artists of the view."""
        raise NotImplementedError

    def handles(self, view, state):
        """What can be dragged, or chosen by a click, as a list of `Handle`."""
        return []

    def moved(self, state, name, x, y):
        """The fields that change when the handle `name` is dragged to (x, y)."""
        return {}

    def chosen(self, state, name):
        """The fields that change when the fixed handle `name` is clicked."""
        return {}

    def draw_stale(self, view, state):
        """The present state has no picture: move at least what the hand holds."""

    def make_buttons(self):
        """Buttons beside "reset"."""
        return []

    def readout_label(self, label):
        """A label of the readout as HTML."""
        return html.escape(label)

    # ---- one door -----------------------------------------------------------------------------------
    def __init__(self, **fields):
        """fields: of the state to begin with and to come back to; what is not given is as in `State`."""
        self._refuse_unknown(fields)
        self.state = self._home = with_own_arrays(self.State())
        self.picture = self._pictured = None  # the last good picture, and the state it is of
        self.message = ""
        self._quiet = False
        self._stage = None
        self.canvas = LiveCanvas(
            self._on_gesture,
            ratio=self.size[0] / self.size[1],
            natural=self.size[0] * DPI,
            editable=self.editable,
        )
        self.canvas.add_class("skm-canvas")
        self.widgets = self.make_controls()
        for field, control in self.widgets.items():
            control.observe(lambda change, field=field: self._on_control(field, change["new"]), "value")
        self._readout = widgets.HTML()
        super().__init__([self.canvas, self._side()])
        self.add_class("skm-explorer")
        with ONE_AT_A_TIME:
            self._show(self.state)
        if fields:
            self.set(**fields)
            self._home = self.state
        replace_earlier_explorer_of_this_cell(self)  # last: who failed on the way is nobody's explorer

    def set(self, **fields):
        """Change the state and the picture with it; unknown fields are refused, impossible values explained."""
        self._refuse_unknown(fields)
        with ONE_AT_A_TIME:
            try:
                state = with_own_arrays(dataclasses.replace(self.state, **self.accepted(fields)))
                self.check(state)
            except Impossible as refusal:
                self._sync_controls()  # a slider takes nan and would keep it
                self._say(f"{refusal}; the picture shows the last good state")
            else:
                self._show(state)

    def _refuse_unknown(self, fields):
        known = [field.name for field in dataclasses.fields(self.State)]
        unknown = sorted(set(fields) - set(known))
        if unknown:
            raise TypeError(
                f"{unknown[0]} is not a field of this explorer; its fields are {', '.join(known)}"
            )

    def accepted(self, fields):
        """The fields as the state holds them; Impossible for what a control cannot show, or is of another kind."""
        ordinary = self.State()
        return {
            name: accepted(name, value, getattr(ordinary, name), self.widgets.get(name))
            for name, value in fields.items()
        }

    def check(self, state):
        """Raise Impossible for a state that makes no sense at all; one without a solution is `compute`'s affair."""

    def settled(self, state):
        """The state as it can be shown; a player brings its step back to those there are."""
        return state

    def reset(self):
        """Back to the state in which the explorer was opened."""
        with ONE_AT_A_TIME:
            self._show(self._home)

    def _show(self, state):
        before, self.state = self.state, state
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self.state = state = self.settled(state)
                self._sync_controls()
                picture = self.compute(state)
        except Impossible as problem:
            if self.picture is None:
                raise  # a first state without a picture is a mistake of the explorer, not of its user
            self.canvas.stale = True
            self._redraw()
            self._say(str(problem))
        except Exception:  # a mistake, not an impossible state: forget it, so that the next event works
            self.state = before
            self._sync_controls()
            raise
        else:
            self.picture, self._pictured = picture, state
            self.canvas.stale = False
            self._redraw()
            self._say(str(caught[0].message) if caught else "")

    def _paint(self, view):
        """The last good picture with the state it belongs to; over it what moved since, if that has none."""
        self.draw(view, self._pictured, self.picture)
        if self.canvas.stale:
            self.draw_stale(view, self.state)

    def _redraw(self):
        self._paint(self.stage.view)
        self._send_frame()

    def _send_frame(self):
        handles = self.handles(self.stage.view, self.state)
        with self.canvas.hold_sync():
            self.canvas.frame = encode(self.stage.pixels())
            self.canvas.handles = self._on_page(handles)
            self.canvas.description = self.description

    def _on_page(self, handles):
        """What the page knows of each handle: [u, v, colour, shape, fixed]."""
        places = np.empty((len(handles), 2))
        # all of an Axes at once: one by one it takes milliseconds
        for ax in dict.fromkeys(h.ax for h in handles):
            own = [n for n, h in enumerate(handles) if h.ax is ax]
            x, y = np.transpose([(handles[n].x, handles[n].y) for n in own])
            places[own] = np.transpose(self.stage.to_page(ax, x, y))
        return [
            [*place, h.colour, h.shape, h.fixed] for place, h in zip(places.tolist(), handles, strict=True)
        ]

    def _say(self, message):
        self.message = message
        rows = "".join(
            f"<tr><td>{self.readout_label(label)}</td><td>{html.escape(value)}</td></tr>"
            for label, value in self.picture.facts.items()
        )
        note = f'<div class="skm-message" role="status">{html.escape(message)}</div>' if message else ""
        age = " skm-old" if self.canvas.stale else ""
        self._readout.value = f'<table class="skm-facts{age}">{rows}</table>{note}'

    # ---- events from the page -----------------------------------------------------------------------
    @contextmanager
    def _mishaps_in_readout(self):
        """A mistake in a callback is told in the readout; the next event works."""
        try:
            yield
        except Exception as mishap:
            self._say(f"{type(mishap).__name__}: {mishap}")

    def _on_control(self, field, value):
        if not self._quiet and not rounding(self.widgets[field], getattr(self.state, field), value):
            with self._mishaps_in_readout():
                self.set(**{field: value})

    def _sync_controls(self):
        self._quiet = True
        try:
            for field, control in self.widgets.items():
                control.value = getattr(self.state, field)
        finally:
            self._quiet = False

    def gestures(self):
        """What the page may report -> who answers."""
        return {
            "move": self._on_move,
            "choose": self._on_choose,
            "theme": self._on_theme,
            "size": self._on_size,
        }

    def _on_gesture(self, gesture):
        with ONE_AT_A_TIME, self._mishaps_in_readout():
            self.gestures()[gesture["type"]](gesture)

    def _handle(self, gesture):
        """The handle that a gesture is about, None if it was removed meanwhile."""
        handles = self.handles(self.stage.view, self.state)
        return handles[gesture["index"]] if gesture["index"] < len(handles) else None

    def _on_move(self, gesture):
        handle = self._handle(gesture)
        if handle and not handle.fixed:
            x, y = self.stage.from_page_on(handle.ax, gesture["u"], gesture["v"])
            self.set(**self.moved(self.state, handle.name, x, y))

    def _on_choose(self, gesture):
        handle = self._handle(gesture)
        if handle and handle.fixed:
            self.set(**self.chosen(self.state, handle.name))

    def _on_theme(self, gesture):
        self.stage.set_theme(gesture["dark"])
        self._redraw()

    def _on_size(self, gesture):
        self.stage.set_scale(gesture["scale"])
        self._send_frame()

    # ---- what others see ----------------------------------------------------------------------------
    @property
    def stage(self):
        """Where the picture is drawn. `close` throws it away; whoever asks for it then has it drawn again."""
        if self._stage is None:
            self._stage = Stage(*self.size, self.make_view, type(self))
            if self.picture is not None:
                self._paint(self._stage.view)
        return self._stage

    @property
    def figure(self):
        """The matplotlib figure behind the picture."""
        return self.stage.sheet

    @property
    def facts(self):
        """The readout as text, one fact a line."""
        width = max(map(len, self.picture.facts))
        lines = [f"{label:<{width}}  {value}" for label, value in self.picture.facts.items()]
        return "\n".join(lines + ([f"! {self.message}"] if self.message else []))

    @property
    def code(self):
        """The line of Python that opens this very state again."""
        ordinary = self.State()
        fields = [
            (field.name, as_python(getattr(self.state, field.name)), as_python(getattr(ordinary, field.name)))
            for field in dataclasses.fields(self.state)
        ]
        return f"explorers.{self.name}({', '.join(f'{name}={now}' for name, now, first in fields if now != first)})"

    @property
    def description(self):
        """The picture in words, from its numbers."""
        return self.picture.description

    def __repr__(self):
        return f"{self.title}. {self.description}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        """The live widget, and a picture with its readout for pages that cannot show widgets.

        The picture is found because this very object is what the cell displays: inside another box the
        page would look for the box's picture, which has none.
        """
        bundle = super()._repr_mimebundle_()
        return {**bundle, "image/png": self.still(), "text/plain": repr(self)}, alternative_text(repr(self))

    def still(self):
        """A PNG (base64 text) of the picture with the controls and the readout beside it."""
        width, height = self.size
        sheet = Sheet(width + 3.0, height, LIGHT)
        sheet.set_layout_engine("none")
        scene = Stage(width, height, self.make_view, type(self))
        self._paint(scene.view)
        sheet.figimage(scene.pixels(), 0, 0)
        settings = {
            control.description: readable(getattr(self.state, field), control)
            for field, control in self.widgets.items()
        }
        rows = len(settings) + len(self.picture.facts) + 1
        left, y = (width + 0.15) / (width + 3.0), 1 - 0.35 / height
        line = min(0.24, (height - 0.35) / rows) / height  # all rows are there, closer if need be
        for block, weight in ((settings, "normal"), (self.picture.facts, "bold")):
            for label, value in block.items():
                sheet.text(left, y, label, fontsize=10, color=LIGHT.ink)
                sheet.text(0.985, y, value, fontsize=10, ha="right", weight=weight, color=LIGHT.ink)
                y -= line
            y -= line / 2
        return small_png(sheet.pixels())

    # ---- layout -------------------------------------------------------------------------------------
    def _side(self):
        for control in self.widgets.values():
            control.layout.width = "302px"
        reset = self.button("Reset", "back to the beginning", self.reset)
        row = widgets.HBox([*self.make_buttons(), reset])
        row.add_class("skm-row")
        side = widgets.VBox([*self.widgets.values(), *self.extra_controls(), self._readout, row])
        side.add_class("skm-side")
        return side

    def extra_controls(self):
        """Controls that are no field of the state."""
        return []

    def button(self, label, tooltip, action):
        """A button whose mishaps, too, end in the readout."""
        made = widgets.Button(description=label, tooltip=tooltip)

        def pressed(_):
            with self._mishaps_in_readout():
                action()

        made.on_click(pressed)
        return made

    def close(self):
        """Take the explorer and everything it made off the page and out of the kernel's memory.

        What was shown can still be read: a notebook keeps the value of every cell, which need not cost megabytes.
        """
        for part in [*everything_inside(self), self]:
            part.unobserve_all()
            for look in (part.layout, getattr(part, "style", None)):  # widgets of their own, in the registry
                if look is not None:
                    look.close()
            widgets.Widget.close(part)
        self._stage = None


def everything_inside(box):
    """All widgets below a box."""
    for child in getattr(box, "children", ()):
        yield from everything_inside(child)
        yield child


_of_cell = {}  # cell id -> (execution, explorers made by it), held weakly: who is closed and forgotten is gone


def replace_earlier_explorer_of_this_cell(explorer):
    """Run a cell again and its old explorer is closed: one canvas on the page, no callbacks left behind."""
    shell = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell = parent.get("metadata", {}).get("cellId")
    if cell is None:
        return
    execution = parent["header"]["msg_id"]
    earlier, old = _of_cell.get(cell, (execution, weakref.WeakSet()))
    if earlier != execution:
        _of_cell[cell] = execution, weakref.WeakSet()
        for one in list(old):
            one.close()
    _of_cell.setdefault(cell, (execution, old))[1].add(explorer)


def with_own_arrays(state):
    """The same state with arrays that nobody can write to: copies, as others may hold those that were given."""
    arrays = {}
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if isinstance(value, np.ndarray) and value.flags.writeable:
            arrays[field.name] = value.copy()
            arrays[field.name].flags.writeable = False
    return dataclasses.replace(state, **arrays)


def as_python(value):
    """A field's value as it is written in a program; numbers keep all their digits."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, tuple):
        parts = ", ".join(map(as_python, value))
        return f"({parts},)" if len(value) == 1 else f"({parts})"
    return repr(value)


def factory(name, explorer):
    """The function `name` that makes an explorer: it takes the fields of its state, and `help` tells which."""

    def make(**fields):
        return explorer(**fields)

    explorer.name = make.__name__ = make.__qualname__ = name
    make.__module__, make.__doc__ = explorer.__module__, f"{explorer.__doc__}\n\n{explorer.State.__doc__}"
    make.__signature__ = inspect.Signature(
        [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=... if field.default is dataclasses.MISSING else field.default,
            )
            for field in dataclasses.fields(explorer.State)
        ]
    )
    return make
