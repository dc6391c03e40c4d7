"""The kernel lab: choose a kernel, join it with another, and see what becomes of it."""

from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.figures.kernels.lab import GRIP, LINE, POINTS, KernelLab
from sparsekm_edu.kernels import (
    Cosine,
    Gaussian,
    Linear,
    LinearSpline,
    Matern,
    Polynomial,
    Sigmoid,
    mercer_witness,
)
from sparsekm_edu.lessons.processes import process_functions
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory

#: name in the menu -> nu of Matern
ORDERS = {"1/2": 0.5, "3/2": 1.5, "5/2": 2.5, "∞": np.inf}
#: name in the menu -> (the sliders that matter, kernel from the state and a length)
KERNELS = {
    "Gaussian": (("length",), lambda state, length: Gaussian(0.5 / length**2)),
    "Matern": (("length", "nu"), lambda state, length: Matern(ORDERS[state.nu], length)),
    "linear": ((), lambda state, length: Linear()),
    "polynomial": (("degree", "offset"), lambda state, length: Polynomial(state.degree, state.offset)),
    "linear spline": ((), lambda state, length: LinearSpline()),
    "cosine": ((), lambda state, length: Cosine()),
    "sigmoid": (("offset",), lambda state, length: Sigmoid(1.0, state.offset)),
}
ALONE, SUM, PRODUCT = "alone", "plus", "times"
X = np.linspace(*LINE, POINTS)
NOISE = np.random.default_rng(3).normal(
    size=(len(X), 5)
)  # always the same, so that functions move and do not jump


@dataclass(frozen=True, eq=False)
class LabState:
    """kernel, second: names in the menu, "Gaussian" and so on; join: "alone", "plus" or "times"; length, second_length:
    their widths; nu of Matern, "1/2", "3/2", "5/2" or "∞"; degree of the polynomial; offset of polynomial and sigmoid;
    x0: the other point of k."""

    kernel: str = "Gaussian"
    length: float = 1.0
    join: str = ALONE
    second: str = "linear"
    second_length: float = 2.0
    nu: str = "3/2"
    degree: int = 2
    offset: float = 1.0
    x0: float = 1.0

    @property
    def made(self):
        """The kernel itself."""
        first = KERNELS[self.kernel][1](self, self.length)
        second = KERNELS[self.second][1](self, self.second_length)
        return {ALONE: first, SUM: first + second, PRODUCT: first * second}[self.join]

    @property
    def matters(self):
        """The fields that make a difference."""
        fields = {*KERNELS[self.kernel][0], "kernel", "join", "x0"}
        if self.join == ALONE:
            return fields
        second = {"second_length" if name == "length" else name for name in KERNELS[self.second][0]}
        return fields | second | {"second"}


@dataclass(frozen=True, eq=False)
class LabPicture(Picture):
    """k (N,) = k(x, x0) and K (N, N), each as shares of its largest; eigenvalues (N,) of the true K, rising; functions
    (N, 5), or None; v (N,) and value v'Kv, or None."""

    k: np.ndarray
    K: np.ndarray
    eigenvalues: np.ndarray
    functions: np.ndarray | None
    v: np.ndarray | None
    value: float | None


class LabExplorer(Explorer):
    """Any kernel on a line, or two of them added or multiplied: k(x, x'), its Gram matrix on 61 points, eigenvalues,
    five functions of the Gaussian process; or, if an eigenvalue is negative, the weights that speak against it."""

    title = "Kernel lab"
    State = LabState
    View = KernelLab
    panels = {"nrows": 2, "ncols": 2, "width_ratios": (1.25, 1)}
    size = 7.6, 4.7

    def make_controls(self):
        return {
            "kernel": widgets.Dropdown(description="kernel", options=list(KERNELS)),
            "length": log_slider("length", 0.1, 10.0),
            "join": widgets.Dropdown(description="joined", options=[ALONE, SUM, PRODUCT]),
            "second": widgets.Dropdown(description="kernel 2", options=list(KERNELS)),
            "second_length": log_slider("length 2", 0.1, 10.0),
            "nu": widgets.Dropdown(description="ν of Matern", options=list(ORDERS)),
            "degree": widgets.IntSlider(description="degree", min=1, max=6),
            "offset": slider("offset", -2.0, 2.0, 0.1),
            "x0": slider("x′", *LINE, 0.1),
        }

    @staticmethod
    def compute(state):
        kernel = state.made
        found = mercer_witness(kernel, X[:, None])
        K, eigenvalues = found.K, found.eigenvalues
        k = kernel(X[:, None], [[state.x0]])[:, 0]
        largest = np.abs(k).max()
        rank = int(np.sum(np.abs(eigenvalues) > found.rounding))
        negative = int(np.sum(eigenvalues < -found.rounding))
        functions = None
        if found.is_psd:
            functions = process_functions(K) / np.sqrt(np.diagonal(K).max())
        smallest = "0 (rounding)" if abs(eigenvalues[0]) <= found.rounding else f"{eigenvalues[0]:.3g}"
        facts = {
            "points": f"{len(X)}, from -3 to 3",
            "largest |k(x, x′)|": f"{largest:.4g}",
            "λ, largest": f"{eigenvalues[-1]:.4g}",
            "λ, smallest": smallest,
            "λ not 0, λ < 0": f"{rank}, {negative}",
            "v′Kv": "—" if found.is_psd else f"{found.value:.3g}",
            "on these points": "no objection" if found.is_psd else "v objects",
            "proven Mercer": "yes" if kernel.is_mercer else "no",
        }
        facts = {label: value.replace("-", "−") for label, value in facts.items()}
        told = "none is negative, and five functions are drawn from the Gaussian process"
        if negative:
            told = f"{negative} are negative, and weights v, drawn as stems, have v'Kv = {found.value:.3g}"
        name = state.kernel if state.join == ALONE else f"{state.kernel} {state.join} {state.second}"
        description = (
            f"The kernel {name} on {len(X)} points from -3 to 3: the eigenvalues of its Gram matrix go from {smallest} "
            f"to {eigenvalues[-1]:.3g}, {rank} of them not 0; {told}."
        )
        k, shares = k / (largest or 1.0), K / np.abs(K).max()
        return LabPicture(facts, description, k, shares, eigenvalues, functions, found.v, found.value)

    def draw(self, view, state, picture):
        for field, control in self.widgets.items():
            control.disabled = field not in state.matters
        view.update(X, picture.k, state.x0, picture.K, picture.eigenvalues, picture.functions, picture.v)

    def handles(self, view, state):
        return [Handle("x0", view.axes[0], state.x0, GRIP, self.figure.palette.own, "diamond")]

    def moved(self, state, name, x, y):
        return {"x0": float(np.clip(x, *LINE))}


kernel_lab = factory("kernel_lab", LabExplorer)
