"""Figures 7.10 and 7.11 alive, and linked: turn phi, drag t, and see where the evidence wants alpha."""

import html
from dataclasses import dataclass, fields

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.figures.rvm.sparsity import ALPHAS, HEIGHTS, PRECISION, Sparsity
from sparsekm_edu.lessons.sparsity import Lambda, noise_of_equal_determinant, vectors_of
from sparsekm_edu.live.canvas import Handle, direction
from sparsekm_edu.live.controls import four, log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.solvers.bayes.evidence import log_evidence
from sparsekm_edu.solvers.bayes.sequential.model import sparsity_quality
from sparsekm_edu.validation import Impossible

LEAST_ALPHA, MOST_ALPHA = 0.01, 100.0
SHORTEST, LONGEST = 0.3, 2.0  # of phi and of t
MOST_Q2 = 5.0
LEAST_S, MOST_S = 1.0, 4.0  # so that phi and t fit into the picture
COMPARED = [("same |C|", "volume"), ("same β", "noise")]
GIVEN = [("φ and t", "vectors"), ("q² and s", "numbers")]
OF_VECTORS = {"fitted", "beta", "length", "t"}  # fields that only vectors have
AT_HAND = {"given": "numbers", "fitted": False, "beta": 1.0}  # where q^2 and s are given
NOT_FAIR = "unfair: β is not the best"
# q, s and alpha in the readout, as in the equations of the notebook: legible on white and on black paper
COLOURS = {"q²": "#0080C8", "s": "#CC5500", "α*": "#C84C95"}


def in_colour(label):
    """A label of the readout as HTML; one that begins with q^2, s or alpha* has its colour."""
    colour = COLOURS.get(label.split(" ")[0])
    text = html.escape(label)
    return f'<span style="color: {colour}">{text}</span>' if colour else text


@dataclass(frozen=True, eq=False)
class SparsityState:
    """phi by its angle (degrees) and length, the targets t, alpha; beta most probable for alpha = infinity or by hand;
    the finite alpha is compared with alpha = infinity at the same |C|, as in figure 7.10, or at the same beta. Or given
    are q^2 and s, at beta = 1, and phi and t follow: then length and t play no part."""

    angle: float = 100.0
    alpha: float = 1.0
    compared: str = "volume"
    fitted: bool = True
    beta: float = 1.0
    given: str = "vectors"
    q2: float = 4.0
    s: float = 1.0
    length: float = 1.3
    t: tuple = (1.6, 0.8)

    @property
    def vectors(self):
        """phi (2,), t (2,) and beta."""
        angle = np.radians(self.angle)
        if self.given == "numbers":
            return *vectors_of(self.q2, self.s, self.beta, angle), self.beta
        phi, t = self.length * np.array([np.cos(angle), np.sin(angle)]), np.array(self.t)
        return phi, t, 2.0 / (t @ t) if self.fitted else self.beta  # N / t't maximises N(t | 0, I / beta)

    @property
    def phi(self):
        """The basis vector, (2,)."""
        return self.vectors[0]

    @property
    def fair(self):
        """Whether |C| may be compared: beta must be the best for noise alone, or less noise is a gain by itself."""
        return self.fitted


@dataclass(frozen=True, eq=False)
class SparsityPicture(Picture):
    """What `Sparsity.update` of the figures takes, in its order."""

    phi: np.ndarray
    t: np.ndarray
    model: tuple
    empty: float
    lam: Lambda
    same_volume: np.ndarray
    here: tuple
    fair: bool


class SparsityExplorer(Explorer):
    """Figures 7.10 and 7.11 linked: turn phi towards t and away, and see the best alpha run off to infinity."""

    title = "Where sparsity comes from"
    State = SparsityState
    View = Sparsity
    panels = {"ncols": 2}
    size = 7.6, 4.8

    def make_controls(self):
        return {
            "angle": slider("angle of φ", -180.0, 180.0, 1.0),
            "alpha": log_slider("α", LEAST_ALPHA, MOST_ALPHA),
            "compared": widgets.ToggleButtons(options=COMPARED, description="compare at"),
            "fitted": widgets.Checkbox(description="β most probable", indent=False),
            "beta": slider("β by hand", 0.25, 1.5, 0.05),
            "given": widgets.ToggleButtons(options=GIVEN, description="given"),
            "q2": slider("give q²", 0.0, MOST_Q2, 0.05),
            "s": slider("give s", LEAST_S, MOST_S, 0.05),
        }

    def accepted(self, fields):
        """Whoever moves q^2 or s wants them given; whoever moves t or beta wants the vectors back."""
        fields = super().accepted(fields)
        if fields.get("given") == "numbers" or (
            {"q2", "s"} & fields.keys() and not OF_VECTORS & fields.keys()
        ):
            return fields | AT_HAND
        return fields | ({"given": "vectors"} if OF_VECTORS & fields.keys() else {})

    def readout_label(self, label):
        return in_colour(label)

    def check(self, state):
        for name, length in (("length", state.length), ("the length of t", np.hypot(*state.t))):
            if not SHORTEST * (1 - 1e-9) <= length <= LONGEST * (1 + 1e-9):
                raise Impossible(f"{name} must be between {SHORTEST:g} and {LONGEST:g}, got {length:.3g}")

    @staticmethod
    def compute(state):
        (phi, t, beta), alpha = state.vectors, state.alpha
        Phi = phi[:, None]
        (q,), (s,), _, _ = sparsity_quality(Phi, t, np.array([False]), np.array([np.inf]), beta)
        lam = Lambda(float(q * q), float(s))
        empty = log_evidence(Phi, t, np.array([np.inf]), beta)

        narrower = noise_of_equal_determinant(phi, alpha, beta)
        noises = {"volume": narrower, "noise": beta}
        log_p = {name: log_evidence(Phi, t, np.array([alpha]), noise) for name, noise in noises.items()}
        compared = state.compared if state.fair else "noise"
        noise = noises[compared]
        model = np.eye(2) / noise + np.outer(phi, phi) / alpha, noise, log_p[compared]  # (7.92)
        keep = np.isfinite(lam.best)
        lengths = np.linalg.norm(phi) * np.linalg.norm(t)
        angle = np.degrees(np.arccos(np.clip(phi @ t / lengths, -1, 1)))
        facts = {
            "angle from φ to t": f"{angle:.1f}°",
            "q²": f"{lam.q2:.4f}",
            "s": f"{lam.s:.4f}",
            "α*": f"{lam.best:.4g}" if keep else "∞: leave φ out",
            "λ(α*)": four(lam(lam.best) if keep else 0.0),
            "price + reward": f"{four(lam.price(alpha))} + {four(lam.reward(alpha))}",
            "λ(α)": four(lam(alpha)),
            "ln p(t), α = ∞": four(empty),
            "ln p(t), same β": four(log_p["noise"]),
            "ln p(t), same |C|": four(log_p["volume"]),
        }
        if not state.fair:
            facts[NOT_FAIR] = "|C| greyed"
        verdict = (
            f"q^2 = {lam.q2:.3f} is greater than s = {lam.s:.3f}: the evidence wants alpha = {lam.best:.3g}"
            if keep
            else f"q^2 = {lam.q2:.3f} is not greater than s = {lam.s:.3f}: the evidence wants alpha = infinity, no phi"
        )
        description = (
            f"A basis vector phi at {angle:.0f} degrees to the targets t. {verdict}. At alpha = "
            f"{alpha:.3g} ln p(t) is {log_p['noise']:.3f} at the same noise and {log_p['volume']:.3f} at the same "
            f"determinant{'' if state.fair else ', which is no fair comparison here'}, without phi {empty:.3f}."
        )
        same_volume = _gain_at_equal_determinant(phi, t, ALPHAS, beta)
        here = alpha, log_p[compared] - empty
        return SparsityPicture(facts, description, phi, t, model, beta, lam, same_volume, here, state.fair)

    def draw(self, view, state, picture):
        arrays = {field.name: getattr(picture, field.name) for field in fields(picture)}
        view.update(**{name: arrays[name] for name in arrays if name not in ("facts", "description")})
        self.widgets["compared"].disabled = not state.fair  # the picture keeps beta then, whatever is chosen
        self.widgets["beta"].disabled = state.fitted

    def handles(self, view, state):
        left, right = view.axes
        colours = self.figure.palette
        phi, t, _ = state.vectors
        height = np.clip(self.picture.here[1], *HEIGHTS)
        return [
            Handle("t", left, *t, colours.ink),
            Handle("phi", left, *phi, colours.ink),
            Handle("alpha", right, np.log(state.alpha), height, getattr(colours, PRECISION), "diamond"),
        ]

    def moved(self, state, name, x, y):
        if name == "alpha":
            return {"alpha": float(np.clip(np.exp(x), LEAST_ALPHA, MOST_ALPHA))}
        angle = direction(x, y)
        if state.given == "numbers":
            if name == "phi":  # s = beta phi'phi
                return {"angle": angle, "s": float(np.clip(state.beta * (x * x + y * y), LEAST_S, MOST_S))}
            phi, _, beta = state.vectors
            return {"q2": float(np.clip((beta * phi @ (x, y)) ** 2, 0.0, MOST_Q2))}
        length = float(np.clip(np.hypot(x, y), SHORTEST, LONGEST))
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
