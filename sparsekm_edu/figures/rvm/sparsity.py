"""Where sparsity comes from: PRML figures 7.10 and 7.11, and the evidence on its way up."""

import numpy as np

from sparsekm_edu.figures.layers import ABOVE_THE_AXES, Arrow, Crosses, Label, View, curve, dot, legend
from sparsekm_edu.figures.style import describe, dress, palette_of

PLANE = (-2.6, 2.6, -2.6, 2.6)
LN_ALPHA = (-5.0, 5.0)  # as in the book
HEIGHTS = (-4.0, 2.0)
ALPHAS = np.exp(np.linspace(*LN_ALPHA, 161))
QUALITY, SPARSITY, PRECISION = "plus", "minus", "own"  # roles of q, s and alpha, wherever they are seen
_TURN = np.linspace(0, 2 * np.pi, 145)
CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)])  # (2, n)


def ellipse_of(C):
    """The points t with t'C^-1 t = 1, (2, n)."""
    variances, directions = np.linalg.eigh(C)
    return directions @ (np.sqrt(variances)[:, None] * CIRCLE)


class TargetPlane(View):
    """Figure 7.10: the plane of two observations, the data t in it, and what a model with one vector phi expects."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, PLANE, "$t_1$", "$t_2$", title, equal=True)
        self.empty = self.add(curve(ax, "faint", 2.0))
        self.ellipse = self.add(curve(ax, PRECISION, 3.0))
        self.noise = self.add(curve(ax, "good", 2.0, "--", zorder=5))
        self.phi = self.add(Arrow(ax, "ink"))
        self.t = self.add(Crosses(ax, 170))
        self.names = [self.add(Label(ax, "ink", 15, "center", "center", False)) for _ in range(2)]
        self.names[1].artists[0].set_weight("bold")
        self.words = self.add(Label(ax, "ink", 12))

    def update(self, phi, t, C, beta, log_p, empty=None):
        """phi, t (2,); C (2, 2) and log_p = ln p(t) of the model, beta its noise; empty: beta of alpha = infinity."""
        self.ellipse.set_data(ellipse_of(C))
        self.noise.set_data(CIRCLE / np.sqrt(beta))
        self.empty.set_data(CIRCLE[:, :0] if empty is None else CIRCLE / np.sqrt(empty))
        self.phi.update((0.0, 0.0), phi)
        self.t.update(t)
        across = np.array([phi[1], -phi[0]]) / np.linalg.norm(phi)
        self.names[0].update(0.6 * phi + 0.25 * across, "φ")
        self.names[1].update(t + 0.3 * t / np.linalg.norm(t), "t")
        self.words.update((PLANE[0] + 0.15, PLANE[2] + 0.12), f"ln p(t) = {log_p:.3f}")
        describe(
            self.axes[0],
            f"The plane of two observations with the targets t at ({t[0]:.2f}, {t[1]:.2f}), a basis vector phi at "
            f"({phi[0]:.2f}, {phi[1]:.2f}), the ellipse of C and the dashed circle of noise: ln p(t) = {log_p:.3f}.",
        )

    def name_curves(self, of_the_ellipse, of_the_noise):
        """Words beside the ellipse, at its upper end, and below the circle of noise; either may be empty."""
        x, y = self.ellipse.get_data()
        self._name(PRECISION, (x[np.argmax(y)], min(np.max(y) + 0.14, PLANE[3] - 0.3)), of_the_ellipse)
        self._name("good", (0.0, -self.noise.get_data()[0].max() - 0.3), of_the_noise)

    def _name(self, role, where, words):
        label = self.add(Label(self.axes[0], role, 12, "center", "bottom"))
        label.update(where, words)


def figure_7_10(left, right, phi, t, infinite, finite):
    """Two models of the targets t (2,), each (C, beta, ln p(t)): without the basis vector phi, and with it."""
    views = (
        TargetPlane(left, r"noise only, $\alpha=\infty$"),
        TargetPlane(right, r"finite $\alpha$, same $|C|$"),
    )
    for view, model in zip(views, (infinite, finite), strict=True):
        view.update(np.asarray(phi, float), np.asarray(t, float), *model)
    views[0].name_curves("ellipse of C: the noise", "")
    views[1].name_curves("ellipse of C", "noise")
    angle = np.degrees(np.arccos(np.dot(phi, t) / np.linalg.norm(phi) / np.linalg.norm(t)))
    describe(
        left,
        f"Figure 7.10. Two observations, one basis vector phi at {angle:.0f} degrees to the targets t. Left, alpha is "
        f"infinite and the ellipse of C is the circle of the noise: ln p(t) = {infinite[2]:.3f}. Right, alpha is "
        f"finite; the ellipse has the same area but is stretched along phi, around a smaller dashed circle of noise: "
        f"ln p(t) = {finite[2]:.3f}.",
    )
    return views


class Contribution(View):
    """Figure 7.11: lambda(alpha) against ln alpha, the price and the reward it is the sum of, and its maximum.

    Words that change with every move are plain letters: as mathtext they cost 4 of 25 ms a move.
    """

    def __init__(self, ax, title="", ylabel=r"$\lambda(\alpha)$"):
        super().__init__(ax)
        dress(ax, (*LN_ALPHA, *HEIGHTS), r"$\ln\,\alpha$", ylabel, title, square=True, grid=True)
        ax.xaxis.label.set_color(getattr(palette_of(ax), PRECISION))
        self.limit = self.add(curve(ax, "faint", 1.6, ":"))
        self.reward = self.add(curve(ax, QUALITY, 2.4, ":"))
        self.price = self.add(curve(ax, SPARSITY, 2.4, ":"))
        self.curve = self.add(curve(ax, "ink", 3.0))
        self.top = self.add(dot(ax, "good", "*", 18))
        self.off = self.add(Arrow(ax, "good", 3.0))
        self.names = [self.add(Label(ax, role, 12)) for role in (QUALITY, SPARSITY)]
        self.words = self.add(Label(ax, "good", 12, "right", "center"))
        self.verdict = self.add(Label(ax, "ink", 12, "right", "center"))
        self.limit.set_data(LN_ALPHA, (0, 0))

    def update(self, lam):
        """lam: a `Lambda` of the lessons, or anything like it with q2, s, price, reward and best."""
        end = LN_ALPHA[1]
        for line, part in ((self.reward, lam.reward), (self.price, lam.price), (self.curve, lam)):
            line.set_data(np.log(ALPHAS), part(ALPHAS))
        for name, word, part, ln_alpha, beside in zip(
            self.names, ("reward", "price"), (lam.reward, lam.price), (-4.85, -2.2), (0.06, -0.7), strict=True
        ):
            height = np.clip(part(np.exp(ln_alpha)) + beside, HEIGHTS[0] + 0.75, HEIGHTS[1] - 0.4)
            name.update((ln_alpha, height), word)
        keep = np.isfinite(lam.best)
        height = float(lam(lam.best)) if keep else 0.0
        runs_off = not keep or np.log(lam.best) > end
        self.top.set_data(*([[], []] if runs_off else [[np.log(lam.best)], [height]]))
        self.off.update((end - 2.3, 0.45), (end - 0.1 if runs_off else end - 2.3, 0.45))
        words = f"α* = {lam.best:.3g}" if keep else "α* = ∞"
        self.words.update((end - 0.2, 0.9 if runs_off else HEIGHTS[1] - 0.35), words)
        compared, verdict = (">", "keep") if keep else ("≤", "drop")
        words = f"q² = {lam.q2:.3f} {compared} s = {lam.s:.3f}: {verdict} φ"
        self.verdict.update((end - 0.2, HEIGHTS[0] + 0.4), words)
        describe(
            self.axes[0],
            f"lambda(alpha) against ln alpha for q^2 = {lam.q2:.3f} and s = {lam.s:.3f}, with a dotted price below 0 "
            "and a dotted reward above it, whose sum it is: "
            + (
                f"one maximum, {height:.4f}, at alpha = {lam.best:.4f}."
                if keep
                else "it rises towards 0, the maximum is at infinity."
            ),
        )


def figure_7_11(left, right, finite, infinite):
    """lambda(alpha) of two basis functions, a `Lambda` each: one with a maximum, and one without."""
    views = Contribution(left, r"$q^2>s$"), Contribution(right, r"$q^2<s$")
    for view, lam in zip(views, (finite, infinite), strict=True):
        view.update(lam)
    describe(
        left,
        f"Figure 7.11. lambda(alpha) against ln alpha for two basis functions, each the sum of a dotted price and a "
        f"dotted reward. Left, q^2 = {finite.q2:g} and s = {finite.s:g}: one maximum, {finite(finite.best):.4f}, at "
        f"alpha = {finite.best:.4f}, after which the curve falls towards 0. Right, q^2 = {infinite.q2:g} and "
        f"s = {infinite.s:g}: the curve only rises, towards 0 from below; an arrow points to its maximum at alpha = "
        f"infinity.",
    )
    return views


class Sparsity(View):
    """Figures 7.10 and 7.11 side by side, of one and the same model."""

    def __init__(self, left, right):
        super().__init__(left, right)
        self.plane = self.add(TargetPlane(left))
        self.contribution = self.add(Contribution(right, ylabel="gain in ln p(t)"))
        self.same_volume = self.add(curve(right, "good", 2.0, "--"))
        self.here = self.add(dot(right, PRECISION, "D", 10))
        colours = palette_of(right)
        self.looks = {
            True: colours.good,
            False: colours.mix("faint", 0.45),
        }  # of the dashed curve: fair or not
        plane = {
            r"$\alpha=\infty$": self.plane.empty,
            r"this $\alpha$": self.plane.ellipse,
            "its noise": self.plane.noise,
        }
        curves = {r"same $\beta$: $\lambda(\alpha)$": self.contribution.curve, "same $|C|$": self.same_volume}
        for ax, named in ((left, plane), (right, curves)):
            above = ABOVE_THE_AXES | {"ncols": len(named), "bbox_to_anchor": (0.5, 1.0)}
            legend(ax, handles=list(named.values()), labels=list(named), **above)

    def update(self, phi, t, model, empty, lam, same_volume, here, fair):
        """The model of alpha = here[0], beside the one without phi.

        model: its (C, beta, ln p(t)); empty: beta without phi; lam: the `Lambda` of phi; same_volume: the gain at equal
        |C| at ALPHAS, (n,); here: alpha and its gain; fair: whether the comparison at equal |C| means anything.
        """
        self.plane.update(phi, t, *model, empty)
        self.contribution.update(lam)
        self.same_volume.set_data(np.log(ALPHAS), same_volume)
        self.same_volume.set_color(self.looks[fair])
        self.here.set_data([np.log(here[0])], [np.clip(here[1], *HEIGHTS)])


class Schedules(View):
    """Where runs of the sequential algorithm lead: the curves they end with, and the log evidence on their way."""

    LOOKS = (("minus", "--"), ("plus", "-"))  # role and style of the runs, in their order

    def __init__(self, fit, climb):
        super().__init__(fit, climb)
        dress(fit, None, "$x$", "$t$")
        dress(climb, None, "step of the run", "log evidence", grid=True)
        self.points = self.add(curve(fit, "ink", 0, "o", zorder=3, markersize=4))
        self.curves = [self.add(curve(fit, role, 2.6, style)) for role, style in self.LOOKS]
        self.climbs = [self.add(curve(climb, role, 2.6, style)) for role, style in self.LOOKS]
        self.ends = [self.add(Label(climb, role, 12, "right")) for role, _ in self.LOOKS]

    def update(self, x, t, runs):
        """x, t (N,), x in order; runs: two names -> the curve at x, (N,), and the log evidence by step, (k,)."""
        fit, climb = self.axes
        self.points.set_data(x, t)
        steps = max(len(heights) for _, heights in runs.values())
        lowest = min(heights[-1] for _, heights in runs.values())
        top = max(heights.max() for _, heights in runs.values())
        room = 0.6 * (top - lowest)
        fit.set(xlim=(x[0] - 0.3, x[-1] + 0.3), ylim=(t.min() - 0.2, t.max() + 0.2))
        climb.set(xlim=(0, 1.04 * steps), ylim=(lowest - room, top + 0.6 * room))
        for n, (name, (y, heights)) in enumerate(runs.items()):
            self.curves[n].set_data(x, y)
            self.climbs[n].set_data(np.arange(1, len(heights) + 1), heights)
            self.ends[n].update((steps, heights[-1] + 0.08 * room), f"{name}: {heights[-1]:.1f}")
        for ax, lines in ((fit, self.curves), (climb, self.climbs)):
            legend(ax, handles=lines, labels=list(runs), **ABOVE_THE_AXES)
        describe(
            fit,
            "Two runs of the sequential algorithm on the same data. "
            + " ".join(
                f"{name}: after {len(heights)} steps the log evidence is {heights[-1]:.1f}, and the curve goes from "
                f"{y.min():.2f} to {y.max():.2f}."
                for name, (y, heights) in runs.items()
            ),
        )


def figure_schedules(fit, climb, x, t, runs):
    """Data x, t (N,) and two runs, name -> (curve at x (N,), log evidence after each step (k,))."""
    view = Schedules(fit, climb)
    view.update(x, t, runs)
    return view
