"""Figures 7.10 and 7.11 alive, and linked: turn phi, drag t, and see where the evidence wants alpha."""

from dataclasses import dataclass, fields

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.figures.rvm.sparsity import HEIGHTS, LN_ALPHA, Sparsity
from sparsekm_edu.lessons.sparsity import noise_of_equal_determinant
from sparsekm_edu.live.canvas import Handle, direction
from sparsekm_edu.live.controls import four, log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.solvers.bayes.evidence import log_evidence
from sparsekm_edu.solvers.bayes.sequential.model import best_alpha, contribution, sparsity_quality
from sparsekm_edu.validation import Impossible

ALPHAS = np.exp(np.linspace(*LN_ALPHA, 161))
LEAST_ALPHA, MOST_ALPHA = 0.01, 100.0
SHORTEST, LONGEST = 0.3, 2.0  # of phi and of t
COMPARED = [("same |C|", "volume"), ("same β", "noise")]


@dataclass(frozen=True, eq=False)
class SparsityState:
    """phi by its angle (degrees) and length, the targets t, alpha; beta most probable for alpha = infinity or by hand;
    the finite alpha is compared with alpha = infinity at the same |C|, as in figure 7.10, or at the same beta."""

    angle: float = 100.0
    alpha: float = 1.0
    compared: str = "volume"
    fitted: bool = True
    beta: float = 1.0
    length: float = 1.3
    t: tuple = (1.6, 0.8)

    @property
    def phi(self):
        """The basis vector, (2,)."""
        angle = np.radians(self.angle)
        return self.length * np.array([np.cos(angle), np.sin(angle)])


@dataclass(frozen=True, eq=False)
class SparsityPicture(Picture):
    """What `Sparsity.update` of the figures takes, in its order."""

    phi: np.ndarray
    t: np.ndarray
    model: tuple
    empty: float
    q2: float
    s: float
    alphas: np.ndarray
    curves: tuple
    best: tuple
    here: tuple


class SparsityExplorer(Explorer):
    """Figures 7.10 and 7.11 linked: turn phi towards t and away, and see the best alpha run off to infinity."""

    title = "Where sparsity comes from"
    State = SparsityState
    View = Sparsity
    panels = {"ncols": 2}
    size = 7.6, 4.2

    def make_controls(self):
        return {
            "angle": slider("angle of φ", -180.0, 180.0, 1.0),
            "alpha": log_slider("α", LEAST_ALPHA, MOST_ALPHA),
            "compared": widgets.ToggleButtons(options=COMPARED, description="compare at"),
            "fitted": widgets.Checkbox(description="β most probable", indent=False),
            "beta": slider("β by hand", 0.25, 1.5, 0.05),
        }

    def check(self, state):
        for name, length in (("length", state.length), ("the length of t", np.hypot(*state.t))):
            if not SHORTEST * (1 - 1e-9) <= length <= LONGEST * (1 + 1e-9):
                raise Impossible(f"{name} must be between {SHORTEST:g} and {LONGEST:g}, got {length:.3g}")

    @staticmethod
    def compute(state):
        phi, t, alpha = state.phi, np.array(state.t), state.alpha
        beta = 2.0 / (t @ t) if state.fitted else state.beta  # N / t't maximises N(t | 0, I / beta)
        Phi = phi[:, None]
        (q,), (s,), _, _ = sparsity_quality(Phi, t, np.array([False]), np.array([np.inf]), beta)
        empty = log_evidence(Phi, t, np.array([np.inf]), beta)

        narrower = noise_of_equal_determinant(phi, alpha, beta)
        log_p = {
            name: log_evidence(Phi, t, np.array([alpha]), noise)
            for name, noise in (("volume", narrower), ("noise", beta))
        }
        gains = contribution(ALPHAS, q, s), _gain_at_equal_determinant(phi, t, ALPHAS, beta)
        alpha_star = float(best_alpha(q, s))
        keep = np.isfinite(alpha_star)
        height = float(contribution(alpha_star, q, s)) if keep else 0.0
        noise = narrower if state.compared == "volume" else beta
        model = np.eye(2) / noise + np.outer(phi, phi) / alpha, noise, log_p[state.compared]  # (7.92)
        angle = np.degrees(np.arccos(np.clip(phi @ t / (state.length * np.linalg.norm(t)), -1, 1)))
        facts = {
            "angle from φ to t": f"{angle:.1f}°",
            "q²": f"{q * q:.4f}",
            "s": f"{s:.4f}",
            "α*": f"{alpha_star:.4g}" if keep else "∞: leave φ out",
            "λ(α*)": four(height),
            "λ(α)": four(contribution(alpha, q, s)),
            "ln p(t), α = ∞": four(empty),
            "ln p(t), same β": four(log_p["noise"]),
            "ln p(t), same |C|": four(log_p["volume"]),
        }
        verdict = (
            f"q^2 = {q * q:.3f} is greater than s = {s:.3f}: the evidence wants alpha = {alpha_star:.3g}"
            if keep
            else f"q^2 = {q * q:.3f} is not greater than s = {s:.3f}: the evidence wants alpha = infinity, no phi"
        )
        description = (
            f"A basis vector phi at {angle:.0f} degrees to the targets t. {verdict}. At alpha = "
            f"{alpha:.3g} ln p(t) is {log_p['noise']:.3f} at the same noise and {log_p['volume']:.3f} at the same "
            f"determinant, without phi {empty:.3f}."
        )
        best, here = (alpha_star if keep else None, height), (alpha, log_p[state.compared] - empty)
        return SparsityPicture(facts, description, phi, t, model, beta, q * q, s, ALPHAS, gains, best, here)

    def draw(self, view, state, picture):
        arrays = {field.name: getattr(picture, field.name) for field in fields(picture)}
        view.update(**{name: arrays[name] for name in arrays if name not in ("facts", "description")})

    def handles(self, view, state):
        left, right = view.axes
        colours = self.figure.palette
        height = np.clip(self.picture.here[1], *HEIGHTS)
        return [
            Handle("t", left, *state.t, colours.ink),
            Handle("phi", left, *state.phi, colours.plus),
            Handle("alpha", right, np.log(state.alpha), height, colours.own, "diamond"),
        ]

    def moved(self, state, name, x, y):
        if name == "alpha":
            return {"alpha": float(np.clip(np.exp(x), LEAST_ALPHA, MOST_ALPHA))}
        length = float(np.clip(np.hypot(x, y), SHORTEST, LONGEST))
        angle = direction(x, y)
        if name == "phi":
            return {"angle": angle, "length": length}
        return {"t": (length * float(np.cos(np.radians(angle))), length * float(np.sin(np.radians(angle))))}


def _gain_at_equal_determinant(phi, t, alphas, beta):
    """ln p(t) at alphas (n,), each with the noise that keeps |C|, less ln p(t) at alpha = infinity.

    |C| drops out, and what is left is how much shorter t is in the metric of C, (7.92) and (7.95).
    """
    noise = noise_of_equal_determinant(phi, alphas, beta)
    unlike = noise * (t @ t) - (noise * (phi @ t)) ** 2 / (alphas + noise * (phi @ phi))  # t'C^-1 t
    return 0.5 * (beta * (t @ t) - unlike)


sparsity = factory("sparsity", SparsityExplorer)
