"""The explorer of probability product kernels: two densities under your hand, and the area of their product."""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.figures.kernels.generative import Overlap
from sparsekm_edu.kernels import ProbabilityProduct
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory

END = 3.0  # of the line on which x and z slide
U = np.linspace(*Overlap.WINDOW[:2], 401)
APART = np.linspace(0, Overlap.FARTHEST, 181)
STANDARD = np.linspace(-9, 9, 181)  # standard deviations: the sum over them is the integral to the last digit


@dataclass(frozen=True, eq=False)
class OverlapState:
    """x, z: the two points; rho > 0, the power; sigma > 0, the width of p(u|x) = N(u|x, sigma^2)."""

    rho: float = 1.0
    sigma: float = 0.7
    x: float = -0.6
    z: float = 0.8


@dataclass(frozen=True, eq=False)
class OverlapPicture(Picture):
    """densities (2, n), to the power of rho, on U; decay: k(x, z) / k(x, x) on APART; k by formula; area, summed."""

    densities: np.ndarray
    decay: np.ndarray
    k: float
    area: float


def powered(u, centre, rho, sigma):
    """N(u|centre, sigma^2)^rho."""
    return (np.exp(-0.5 * ((u - centre) / sigma) ** 2) / np.sqrt(2 * np.pi * sigma**2)) ** rho


class OverlapExplorer(Explorer):
    """(14.23): drag the two densities apart, make them wider, change rho; the shaded area is the kernel."""

    title = "Probability product of two densities"
    State = OverlapState
    View = Overlap
    panels = {"ncols": 2, "width_ratios": (6, 4)}
    size = 7.6, 4.1

    def make_controls(self):
        return {
            "rho": slider("ρ", 0.25, 1.5, 0.05),
            "sigma": slider("σ", 0.4, 1.2, 0.05),
            "x": slider("x", -END, END, 0.05),
            "z": slider("z", -END, END, 0.05),
        }

    @staticmethod
    def compute(state):
        rho, sigma = state.rho, state.sigma
        densities = np.array([powered(U, centre, rho, sigma) for centre in (state.x, state.z)])
        kernel = ProbabilityProduct(rho, sigma)
        k, itself = kernel([[state.x]], [[state.z], [state.x]])[0]
        decay = kernel([[0.0]], APART[:, None])[0] / itself
        # the integral without the formula: a sum over a fine grid around the middle of x and z
        width = sigma / np.sqrt(2 * rho)  # standard deviation of the product
        u = (state.x + state.z) / 2 + width * STANDARD
        area = float(np.trapezoid(powered(u, state.x, rho, sigma) * powered(u, state.z, rho, sigma), u))
        facts = {
            "|x − z|": f"{abs(state.x - state.z):.2f}",
            "area, summed": f"{area:.5g}",
            "k(x, z), formula": f"{k:.5g}",
            "k(x, x)": f"{itself:.4f}",
            "k(x, z) / k(x, x)": f"{k / itself:.4f}",
            "γ = ρ / (4σ²)": f"{rho / (4 * sigma**2):.3f}",
        }
        description = (
            f"Two Gaussian densities of width {sigma:.2f} around {state.x:.2f} and {state.z:.2f}, to the power of "
            f"{rho:.2f}: the area of their product is {area:.4g}, the formula says k(x, z) = {k:.4g}."
        )
        return OverlapPicture(facts, description, densities, decay, float(k), area)

    def draw(self, view, state, picture):
        view.update(U, picture.densities, (state.x, state.z), (APART, picture.decay), picture.area)

    def handles(self, view, state):
        colours, ax = self.figure.palette, view.axes[0]
        height = powered(0.0, 0.0, state.rho, state.sigma)
        return [
            Handle("x", ax, state.x, height, colours.plus),
            Handle("z", ax, state.z, height, colours.minus, "square"),
        ]

    def moved(self, state, name, x, y):
        return {name: float(np.clip(x, -END, END))}


overlap = factory("overlap", OverlapExplorer)
