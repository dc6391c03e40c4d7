"""The explorer of string kernels: edit two strings, and see what they share and what it is worth."""

from dataclasses import dataclass

import ipywidgets as widgets

from sparsekm_edu import datasets
from sparsekm_edu.figures.kernels.strings import SHOWN, StringMatch
from sparsekm_edu.kernels import AllSubstrings, Spectrum
from sparsekm_edu.lessons.substrings import Match, shared_substrings
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import four, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.validation import Impossible, shown

SPECTRUM, ALL = "spectrum", "all substrings"
LONGEST = 160  # letters that can still be read
PAIRS = {
    "proteins": (*datasets.two_proteins(), "LQE"),
    "abracadabra": ("abracadabra", "cadabra", "abra"),
    "ananas": ("ananas", "banana", "ana"),
}


@dataclass(frozen=True, eq=False)
class StringMatchState:
    """x and other, two strings; kernel, SPECTRUM or ALL; k of the first; decay of the second; lit: the substring that
    is underlined."""

    x: str = PAIRS["proteins"][0]
    other: str = PAIRS["proteins"][1]
    kernel: str = SPECTRUM
    k: int = 3
    decay: float = 0.5
    lit: str = "LQE"


@dataclass(frozen=True, eq=False)
class StringMatchPicture(Picture):
    """match: the terms of the kernel, and where they come from."""

    match: Match


@remembered()
def _shared(x, other):
    """The kernel's parameters do not change what two strings share."""
    return shared_substrings(x, other)


class StringMatchExplorer(Explorer):
    """Edit two strings: what they share lights up, and the string kernel (14.22) is shown as a sum of terms. Click a
    term to underline its substring."""

    title = "String kernels"
    State = StringMatchState
    View = StringMatch
    panels = {"ncols": 2, "width_ratios": (1.7, 1)}
    size = 7.6, 4.3

    def make_controls(self):
        return {
            "x": widgets.Text(description="x"),
            "other": widgets.Text(description="x′"),
            "kernel": widgets.ToggleButtons(options=[SPECTRUM, ALL], description="kernel"),
            "k": widgets.IntSlider(description="k", min=1, max=6),
            "decay": slider("decay", 0.05, 1.0, 0.05),
        }

    def make_buttons(self):
        return [
            self.button(
                name,
                "compare these two",
                lambda x=x, other=other, lit=lit: self.set(x=x, other=other, lit=lit),
            )
            for name, (x, other, lit) in PAIRS.items()
        ]

    def check(self, state):
        for name in ("x", "other", "lit"):
            text = getattr(state, name)
            if len(text) > LONGEST or not text.isprintable():
                raise Impossible(
                    f"{name} must be a string of at most {LONGEST} visible letters, got {len(text)}: {shown(text)}"
                )

    @staticmethod
    def compute(state):
        x, other = state.x, state.other
        kernel = Spectrum(state.k) if state.kernel == SPECTRUM else AllSubstrings(state.decay)
        found = _shared(x, other).match(kernel, state.lit)
        (value,) = kernel([x], [other])[0]
        lengths = kernel.diag([x, other]) ** 0.5
        times = " and ".join(f"{len(places)}" for places in found.starts)
        facts = {
            "letters": f"{len(x)} and {len(other)}",
            "shared substrings": f"{len(found.names)}",
            "κ(x, x′)": f"{value:.6g}",
            "cosine of the angle": four(value / lengths.prod()) if lengths.all() else "–",
            "underlined": state.lit[:12] + "…" * (len(state.lit) > 12) if state.lit else "–",
            "how often": times if state.lit else "–",
        }
        which = (
            f"{state.k} letters" if state.kernel == SPECTRUM else f"any length, with decay {state.decay:.2g}"
        )
        description = (
            f"Two strings of {facts['letters']} letters. Their kernel is {facts['κ(x, x′)']}, a sum over "
            f"{len(found.names)} shared substrings of {which}."
        )
        return StringMatchPicture(facts, description, found)

    def draw(self, view, state, picture):
        view.update(picture.match)

    def handles(self, view, state):
        names = self.picture.match.names[:SHOWN]
        colour = self.figure.palette.own
        return [
            Handle(name, view.axes[1], 0.06, -n - 0.5, colour, fixed=True) for n, name in enumerate(names)
        ]

    def chosen(self, state, name):
        return {"lit": name}


string_match = factory("string_match", StringMatchExplorer)
