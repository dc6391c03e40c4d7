"""Logistic regression: three ways down its error surface, weights that run away, probit against logit, softmax."""

import numpy as np

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Grips,
    Points,
    Probabilities,
    Relief,
    StraightLine,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import SQUARE, THREE_CLASSES, WIDE, describe, dress

WEIGHTS = (-10.0, 8.0, -2.0, 6.0)  # window of w0 and w1
HOURS = (0.0, 4.6)
RISES = np.array(
    [0.1, 0.4, 1, 2, 4, 7, 11, 16, 22, 30, 45, 65]
)  # of E over its least value: lines of the relief
FLOOR = 1e-8  # what is left of E and smaller than this lies on the floor of the picture
WAYS = {  # name -> role of its colour, style, marker, width
    "gradient": ("own", "-", "o", 2.0),
    "stochastic": ("ink", "-", "", 1.0),
    "Newton": ("good", "--", "D", 2.4),
}


def logistic(a):
    """sigma(a) = 1 / (1 + exp(-a)), for any size of a."""
    return 0.5 + 0.5 * np.tanh(0.5 * a)


# ---- three ways down ------------------------------------------------------------------------------------
class ThreeWays(View):
    """Three descents on the error surface of two weights; the curves they stand for; what is left to gain."""

    def __init__(self, surface, fit, remainder, longest):
        """longest: the number of passes that the picture has room for."""
        super().__init__(surface, fit, remainder)
        dress(surface, WEIGHTS, "$w_0$", "$w_1$")
        surface.set_xticks([-8, -4, 0, 4, 8])
        dress(fit, (*HOURS, -0.15, 1.15), "hours $x$", "$p$ (passed)")
        fit.set_yticks([0, 0.5, 1])
        window = (-0.02 * longest, 1.02 * longest, FLOOR / 2, 300)
        dress(remainder, window, "passes over the data", "$E-E^\\ast$", grid=True)
        remainder.set_yscale("log")
        remainder.set_yticks([1e-8, 1e-4, 1])
        self.relief = self.add(Relief(surface))
        self.paths, self.curves, self.traces, self.ends = {}, {}, {}, {}
        for name, (role, style, marker, width) in WAYS.items():
            looks = {"marker": marker, "markersize": 4.5, "label": name}
            self.paths[name] = self.add(curve(surface, role, width, style, **looks))
            self.curves[name] = self.add(curve(fit, role, max(1.5, width), style))
            self.traces[name] = self.add(curve(remainder, role, max(1.5, width), style))
            self.ends[name] = self.add(dot(remainder, role, marker or "s", 8))
        self.points = self.add(Points(fit, size=45))
        self.bottom = self.add(dot(surface, "ink", "+", 14))
        self.start = self.add(Grips(surface))
        legend(surface, **ABOVE_THE_AXES | {"ncols": 3, "bbox_to_anchor": (0.5, 1.0)})

    def update(self, x, t, origin, grid, E, ways, best, step):
        """x (N,), t (N,) +-1: the data, x counted from `origin`; grid, E: the surface; step: passes made so far.

        ways: name in WAYS -> list of DescentStep from the common start; best: the DescentStep at the bottom.
        """
        self.relief.update(*grid, E, best.error + RISES)
        hours = np.linspace(*HOURS, 120)
        left = {}
        for name, steps in ways.items():
            steps = steps[: step + 1]
            excess = np.maximum([s.error - best.error for s in steps], FLOOR)
            self.paths[name].set_data(*np.vstack([s.path for s in steps]).T)
            w0, w1 = steps[-1].w
            self.curves[name].set_data(hours, logistic(w0 + w1 * (hours - origin)))
            self.traces[name].set_data(np.arange(len(steps)), excess)
            self.ends[name].set_data([len(steps) - 1], excess[-1:])
            left[name] = excess[-1]
        self.points.update(np.column_stack([x, t > 0]), t)
        self.bottom.set_data(*best.w[:, None])
        self.start.update([next(iter(ways.values()))[0].w])
        words = ", ".join(f"{name} {'< 1e-7' if e < 1e-7 else f'{e:.2g}'}" for name, e in left.items())
        describe(
            self.axes[0],
            f"Left, contours of the error E of a logistic curve over its two weights, and three descents from the same "
            f"start after {step} passes over {len(t)} points. Right, the curves they stand for, and what is left of E "
            f"above its least value {best.error:.3f}: {words}.",
        )


def figure_descent(surface, fit, remainder, x, t, origin, grid, E, ways, best, step):
    """Three descents on the error surface after `step` passes over the data, and what each of them still lacks."""
    view = ThreeWays(surface, fit, remainder, step)
    view.update(x, t, origin, grid, E, ways, best, step)
    return view


# ---- weights that run away ------------------------------------------------------------------------------
LONGEST_W = 36.0  # top of the picture
PRIORS = {  # prior or not -> role of its colour, style, marker, name
    False: ("own", "-", "o", r"no prior, $\alpha=0$"),
    True: ("good", "--", "D", r"prior, $\alpha>0$"),
}


class Runaway(View):
    """Probabilities of two classes in the plane; the length of w against Newton's steps, with and without a prior."""

    def __init__(self, plane, lengths, longest):
        """longest: the number of steps that the picture has room for."""
        super().__init__(plane, lengths)
        dress(plane, SQUARE, "$x_1$", "$x_2$", equal=True)
        window = (-0.02 * longest, 1.02 * longest, 0, LONGEST_W)
        dress(lengths, window, "Newton steps", r"$\Vert w\Vert$", square=True, grid=True)
        self.probabilities = self.add(Probabilities(plane))
        self.widest = self.add(StraightLine(plane, "ink", 1.6, ":"))
        self.points = self.add(Points(plane))
        self.lengths = {
            prior: self.add(curve(lengths, role, 2.2, style, marker=marker, markersize=4.5, label=label))
            for prior, (role, style, marker, label) in PRIORS.items()
        }
        self.here = {prior: self.add(dot(lengths, look[0], look[2], 11)) for prior, look in PRIORS.items()}
        legend(lengths, loc="upper left")

    def update(self, X, t, grid, P, runs, prior, step, widest):
        """X, t: the data; grid, P (H, W): the probability of t = +1 over the plane for the run with or without `prior`.

        runs: prior or not -> |w| after 0, 1, ... steps; step: how many are shown; widest: (w, b) of the maximum-margin
        line, None if no line separates the classes.
        """
        self.probabilities.update(*grid, np.stack([P, 1 - P]))
        if widest is None:
            self.widest.segments.update([])
        else:
            self.widest.update(*widest)
        self.points.update(X, t)
        for key, lengths in runs.items():
            shown = lengths[: step + 1]
            self.lengths[key].set_data(np.arange(len(shown)), shown)
            self.here[key].set_data([len(shown) - 1], shown[-1:] if key == prior else [np.nan])
        ends = {key: lengths[: step + 1][-1] for key, lengths in runs.items()}
        describe(
            self.axes[0],
            f"Left, probabilities of two classes of {len(t)} points by logistic regression after {step} Newton steps, "
            f"{'with' if prior else 'without'} a prior; {'no line' if widest is None else 'a line'} separates them. "
            f"Right, the length of w: {ends[False]:.2f} without a prior, {ends[True]:.2f} with one.",
        )


def figure_runaway(plane, lengths, X, t, grid, P, runs, prior, widest):
    """Logistic regression after the last step of the runs: probabilities in the plane, and the length of w."""
    step = max(map(len, runs.values())) - 1
    view = Runaway(plane, lengths, step)
    view.update(X, t, grid, P, runs, prior, step, widest)
    return view


# ---- probit and softmax: nothing here moves --------------------------------------------------------------
LINKS = {  # name -> role of its colour, style, label
    "logit": ("own", "-", r"logit $\sigma(a)$"),
    "scaled probit": ("good", "--", r"probit $\Psi(\lambda a)$"),
    "probit": ("faint", ":", r"probit $\Psi(a)$"),
}


def figure_probit(left, right, a, probabilities, costs):
    """Links against a (n,): left the probabilities they give, right -ln p, what a point with t = 1 costs.

    probabilities, costs: name in LINKS -> values (n,).
    """
    view = View(left, right)
    dress(left, (a[0], a[-1], -0.03, 1.03), "$a$", "$p(t=1)$", grid=True)
    dress(right, (a[0], a[-1], 0, 25), "$a$", r"$-\ln\,p(t=1)$", grid=True)
    for ax, values in ((left, probabilities), (right, costs)):
        for name, (role, style, label) in LINKS.items():
            curve(ax, role, 2.6, style, label=label).set_data(a, values[name])
    legend(left, loc="lower right")
    difference = np.abs(probabilities["logit"] - probabilities["scaled probit"]).max()
    describe(
        left,
        f"Left, logit and probit, both rising from 0 to 1; scaled to the same slope at 0 they differ by at most "
        f"{difference:.3f}. Right, what a point with t = 1 costs: at a = {a[0]:.0f} the logit {costs['logit'][0]:.1f}, "
        f"the scaled probit {costs['scaled probit'][0]:.1f}.",
    )
    return view


def figure_softmax(ax, X, t, grid, P):
    """Three classes X, t, and P (3, H, W), the softmax probabilities over the plane, as mixtures of their colours."""
    view = View(ax)
    dress(ax, WIDE, "$x_1$", "$x_2$", equal=True)
    view.add(Probabilities(ax, THREE_CLASSES)).update(*grid, P)
    view.add(Points(ax, THREE_CLASSES)).update(X, t)
    describe(
        ax,
        f"Probabilities of three classes over the plane as mixed colours, with {len(t)} points; where two classes are "
        f"equally likely runs a straight border. The surest place has probability {P.max():.3f}, the least sure "
        f"{P.max(axis=0).min():.3f}.",
    )
    return view
