"""Explorers of densities from windows: Parzen's, with its bandwidth in the hand (14.17), and balls of K points."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu.figures.kernels.densities import (
    AROUND,
    BANDWIDTHS,
    BELOW,
    FOOT,
    GRID,
    SPAN,
    GrowingVolume,
    ParzenWindows,
)
from sparsekm_edu.figures.style import ONE_KIND, THREE_CLASSES
from sparsekm_edu.kernels.windows import WINDOWS, rule_of_thumb
from sparsekm_edu.lessons.volumes import grown_balls
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider, slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.live.rails import RailExplorer
from sparsekm_edu.models import KernelDensity
from sparsekm_edu.validation import Impossible

# ---- figure 14.17 ---------------------------------------------------------------------------------------
SIX = np.array([-2.1, -1.3, -0.4, 1.9, 5.1, 6.2])[:, None]
LINE = np.linspace(*SPAN, 441)
HS = np.geomspace(*BANDWIDTHS, 161)
# across a window, with a place on either side of each edge, where a boxcar jumps
ACROSS = np.concatenate([[-1 - 1e-9], np.linspace(-1 + 1e-9, 1 - 1e-9, 41), [1 + 1e-9]])
TAIL = 6  # of a Gaussian, in units of h: all but 2e-9 of it
GAUSS = np.polynomial.legendre.leggauss(5)  # exact for polynomials up to degree 9: the tri-cube


@dataclass(frozen=True, eq=False)
class ParzenState:
    """h, the bandwidth; window: its name; X (N, 1): the points; drawn: how often new ones were drawn."""

    h: float = 1.0
    window: str = "gaussian"
    X: np.ndarray = field(default_factory=lambda: SIX)
    drawn: int = 0

    @property
    def t(self):
        """Points on a line are all of one kind."""
        return np.ones(len(self.X))

    @property
    def own(self):
        """Which of the points shows its window: the last on the right, which has most room."""
        return int(self.X[:, 0].argmax())

    @property
    def edge(self):
        """x of the grip at the edge of that window: to its right if there is room, and never out of sight."""
        middle = self.X[self.own, 0]
        side = 1 if middle + self.h <= SPAN[1] - 0.3 else -1
        return float(np.clip(middle + side * self.h, SPAN[0] + 0.3, SPAN[1] - 0.3))


@dataclass(frozen=True, eq=False)
class ParzenPicture(Picture):
    """p (G,) over x (G,); bumps (N, B, 2): the windows, places and heights; likelihood (L, 2): bandwidths, and mean
    ln p(x_n) without point n, minus the best, where it is finite; all_in (A, 2): the same with point n, minus the best
    without; rule, best: the bandwidths of the rule and of leave-one-out, None where there are none."""

    x: np.ndarray
    p: np.ndarray
    bumps: np.ndarray
    likelihood: np.ndarray
    all_in: np.ndarray
    rule: float | None
    best: float | None


def two_humps(seed=0):
    """X (40, 1): 24 numbers around -1 and 16 around 5."""
    rng = np.random.default_rng(seed)
    return np.append(rng.normal(-1.0, 1.3, 24), rng.normal(5.0, 0.8, 16))[:, None]


@remembered()
def over_bandwidths(X, window):
    """likelihood, all_in, rule and best, as the picture holds them."""

    def found(choose):
        try:
            return choose()
        except Impossible:  # too few points, or too many at one place
            return None

    rule = found(lambda: rule_of_thumb(X[:, 0], window))
    best = found(lambda: KernelDensity("leave-one-out", window).fit(X).h_)
    if len(X) < 2:
        return np.empty((0, 2)), np.empty((0, 2)), rule, best
    score = KernelDensity(window=window).fit(X).leave_one_out
    scores = score(HS)
    top = max(scores.max(), score(best)) if best else scores.max()
    hs = HS[::4, None, None]  # enough for a smooth curve
    with_own = np.mean(WINDOWS[window]((X - X.T) / hs) / hs, axis=2)  # (14.78) at the points themselves
    all_in = np.column_stack([HS[::4], np.log(with_own).mean(axis=1) - top])
    return np.column_stack([HS, scores - top])[np.isfinite(scores)], all_in, rule, best


def integral(model, X):
    """The area under the density of points X (N, 1): Gauss's rule between any two places where it may bend or jump."""
    reach = int(min(model.window_.reach, TAIL))
    ends = np.unique(X + model.h_ * np.arange(-reach, reach + 1))
    nodes, weights = GAUSS
    middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
    x = middle[:, None] + half[:, None] * nodes
    p = np.exp(model.score_samples(x.reshape(-1, 1))).reshape(x.shape)
    return float(half @ p @ weights)


def told(number, digits=3):
    """A number as text; a dash where there is none."""
    return "—" if number is None else f"{number:.{digits}f}".replace("-inf", "−∞").replace("-", "−")


class ParzenExplorer(RailExplorer):
    """Figure 14.17 with the bandwidth in your hand: drag the edge of a window, drag the points, and see what is left of
    them in the density."""

    title = "Parzen windows"
    State = ParzenState
    View = ParzenWindows
    panels = {"ncols": 2, "width_ratios": (1.75, 1)}
    size = 7.6, 4.1
    classes = ONE_KIND
    most_points = 60

    def make_controls(self):
        return {
            "h": log_slider("h", *BANDWIDTHS),
            "window": widgets.Dropdown(description="window", options=list(WINDOWS)),
        }

    def places(self, state):
        return np.column_stack([state.X, np.full(len(state.X), FOOT)])

    def data(self, places, labels):
        return {"X": np.clip(places[:, :1], SPAN[0] + 0.5, SPAN[1] - 0.5)}

    def check(self, state):
        """A state of the right kind is all right."""

    def draw_again(self):
        """New points from two humps."""
        drawn = self.state.drawn + 1
        self.set(X=two_humps(seed=drawn), drawn=drawn)

    @staticmethod
    def compute(state):
        X, h, window = state.X, state.h, WINDOWS[state.window]
        if len(X) == 0:
            raise Impossible("a density needs at least one point; add one")
        model = KernelDensity(h, window).fit(X)
        u = min(window.reach, TAIL) * ACROSS
        x = np.sort(np.append(LINE, X + h * u))
        p = np.exp(model.score_samples(x[:, None]))
        area = integral(model, X)
        bumps = np.stack([X + h * u, np.broadcast_to(window(u) / (len(X) * h), (len(X), len(u)))], axis=2)
        likelihood, all_in, rule, best = over_bandwidths(X, state.window)
        left_out = model.leave_one_out(h) if len(X) > 1 else None
        facts = {
            "integral of p": f"{area:.4f}",
            "points": f"{len(X)}",
            "highest p": f"{p.max():.3f}",
            "peaks": f"{peaks(p)}",
            "h by the rule": told(rule),
            "h by leave-one-out": told(best),
            "mean ln p, point left out": told(left_out),
            "mean ln p, all in": told(np.mean(model.score_samples(X))),
        }
        description = (
            f"{len(X)} {state.window} windows of bandwidth {h:.3g} and their mean, a density of area {area:.3f} and at "
            f"most {p.max():.3f}. Without its own window a point has ln p = {told(left_out)} on average; the best "
            f"bandwidth by that is {told(best)}, the rule of thumb says {told(rule)}."
        )
        return ParzenPicture(facts, description, x, p, bumps, likelihood, all_in, rule, best)

    def draw(self, view, state, picture):
        view.update(state.X[:, 0], picture.x, picture.p, picture.bumps, state.own, state.edge)
        view.update_likelihood(state.h, picture.likelihood, picture.all_in, picture.best, picture.rule)

    def draw_stale(self, view, state):
        view.windows.points.update(self.places(state), self.labels(state))

    def handles(self, view, state):
        points = super().handles(view, state)
        if not points:
            return []
        own = self.figure.palette.own
        return [
            *points,
            Handle("edge", view.axes[0], state.edge, 0.0, own, "diamond"),
            Handle("h", view.axes[1], state.h, 0.9 * BELOW, own, "diamond"),
        ]

    def moved(self, state, name, x, y):
        if name == "edge":
            x = abs(x - state.X[state.own, 0])
        if name in ("edge", "h"):
            return {"h": float(np.clip(x, *BANDWIDTHS))}
        return super().moved(state, name, x, y)


def peaks(p):
    """How many maxima a curve p (G,) has; a flat top is one."""
    steps = np.sign(np.diff(np.round(p, 12)))
    steps = steps[steps != 0]
    return int(np.sum((steps[:-1] > 0) & (steps[1:] < 0)))


parzen_windows = factory("parzen_windows", ParzenExplorer)


# ---- a ball that grows ----------------------------------------------------------------------------------
PLACES = np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2)
SIGNS = "● ■ ▲"


def three_clouds(seed=0):
    """X (60, 2), t: 30, 20 and 10 points around three corners of a triangle."""
    rng = np.random.default_rng(seed)
    t = np.repeat([0.0, 1.0, 2.0], [30, 20, 10])
    middles = np.array([(-0.8, -0.6), (0.9, -0.4), (0.1, 1.0)])
    return np.clip(middles[t.astype(int)] + rng.normal(0.0, 0.65, (60, 2)), -2.4, 2.4), t


FIRST_X, FIRST_T = three_clouds()


@dataclass(frozen=True, eq=False)
class VolumeState:
    """K, how many points the ball holds; x1, x2: its middle; X (N, 2), t (N,) from 0 to 2: the points."""

    K: int = 7
    x1: float = 0.8
    x2: float = 0.4
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class VolumePicture(Picture):
    """P (3, H, W): the posterior over GRID; radius and inside (N,) of the ball; counts (3,): N_c(x), the points of each
    class inside; densities, priors, posterior (3,)."""

    P: np.ndarray
    radius: float
    inside: np.ndarray
    counts: np.ndarray
    densities: np.ndarray
    priors: np.ndarray
    posterior: np.ndarray


@remembered()
def posterior_map(X, t, K):
    """p(c | x) of the K nearest neighbours over GRID, (3, H, W)."""
    return grown_balls(X, PLACES, K).posterior(t, 3).T.reshape(3, len(GRID[1]), len(GRID[0]))


def side_by_side(numbers, form):
    """Numbers of the three classes as one text."""
    return " ".join("∞" if np.isinf(number) else format(number, form) for number in numbers)


class VolumeExplorer(PointsExplorer):
    """From windows to neighbours: drag the cross. The ball around it grows until it holds K points, and its volume
    cancels in the posterior."""

    title = "A ball that holds K points"
    State = VolumeState
    size = 7.6, 4.5
    classes = THREE_CLASSES
    source = staticmethod(three_clouds)
    most_points = 120

    def make_view(self, sheet):
        cells = sheet.add_gridspec(3, 2, width_ratios=(2.1, 1))
        places = cells[:, 0], cells[0, 1], cells[1, 1], cells[2, 1]
        return GrowingVolume(*(sheet.add_subplot(place) for place in places))

    def make_controls(self):
        return {
            "K": widgets.IntSlider(description="K", min=1, max=30),
            "x1": slider("x₁", *AROUND[:2], 0.05),
            "x2": slider("x₂", *AROUND[2:], 0.05),
        }

    @staticmethod
    def compute(state):
        X, t, K = state.X, state.t, state.K
        if len(t) < K:
            raise Impossible(f"a ball cannot hold K = {K} of {len(t)} points; add some, or lower K")
        ball = grown_balls(X, [(state.x1, state.x2)], K)
        counts, densities, posterior = (
            values[0] for values in (ball.counts(t, 3), ball.densities(t, 3), ball.posterior(t, 3))
        )
        priors = np.bincount(t.astype(int), minlength=3) / len(t)
        radius, volume = ball.radius[0], ball.volume[0]
        everywhere = counts.sum() / (len(t) * volume) if volume > 0 else np.inf
        facts = {
            "radius of the ball": f"{radius:.3f}",
            "volume V(x) = πr²": f"{volume:.3f}",
            f"N_c(x)  {SIGNS}": side_by_side(counts, ".0f"),
            f"N_c  {SIGNS}": side_by_side(priors * len(t), ".0f"),
            f"p(x|c)  {SIGNS}": side_by_side(densities, ".2f"),
            f"p(c)  {SIGNS}": side_by_side(priors, ".2f"),
            f"p(c|x)  {SIGNS}": side_by_side(posterior, ".2f"),
            "p(x) = K / (N V)": side_by_side([everywhere], ".3f"),
        }
        description = (
            f"A ball around ({state.x1:.2f}, {state.x2:.2f}) that holds {K} of {len(t)} points has radius "
            f"{radius:.3f}. Of the three classes it holds {side_by_side(counts, '.0f')} points, so the posterior is "
            f"{side_by_side(posterior, '.2f')}."
        )
        arrays = ball.inside[0], counts, densities, priors, posterior
        return VolumePicture(facts, description, posterior_map(X, t, K), float(radius), *arrays)

    def draw(self, view, state, picture):
        place = state.x1, state.x2
        numbers = (
            (picture.densities, [side_by_side([value], ".2f") for value in picture.densities]),
            (picture.priors, [f"{value:.2f}" for value in picture.priors]),
            (picture.posterior, [f"{value:.2f}" for value in picture.posterior]),
        )
        ball = place, picture.radius, picture.inside
        view.update(state.X, state.t, GRID, picture.P, *ball, numbers=numbers)

    def draw_stale(self, view, state):
        view.plane.points.update(state.X, state.t)

    def handles(self, view, state):
        probe = Handle("probe", view.axes[0], state.x1, state.x2, self.figure.palette.own)
        return [*super().handles(view, state), probe]

    def moved(self, state, name, x, y):
        if name == "probe":
            return {"x1": float(np.clip(x, *AROUND[:2])), "x2": float(np.clip(y, *AROUND[2:]))}
        return super().moved(state, name, x, y)


growing_volume = factory("growing_volume", VolumeExplorer)
