"""Where sparsity comes from: PRML figures 7.10 and 7.11, and the evidence on its way up."""

import numpy as np

from sparsekm_edu.figures.layers import ABOVE_THE_AXES, Arrow, Crosses, Label, View, curve, dot, legend
from sparsekm_edu.figures.style import describe, dress

PLANE = (-2.6, 2.6, -2.6, 2.6)
LN_ALPHA = (-5.0, 5.0)  # as in the book
HEIGHTS = (-4.0, 2.0)
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
        self.empty = self.add(curve(ax, "ink", 2.0))
        self.ellipse = self.add(curve(ax, "minus", 3.0))
        self.noise = self.add(curve(ax, "good", 2.0, "--", zorder=5))
        self.phi = self.add(Arrow(ax, "plus"))
        self.t = self.add(Crosses(ax, 170))
        self.names = [self.add(Label(ax, role, 15, "center", "center", False)) for role in ("plus", "ink")]
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


def figure_7_10(left, right, phi, t, infinite, finite):
    """Two models of the targets t (2,), each (C, beta, ln p(t)): without the basis vector phi, and with it."""
    views = (
        TargetPlane(left, r"noise only, $\alpha=\infty$"),
        TargetPlane(right, r"finite $\alpha$, same $|C|$"),
    )
    for view, model in zip(views, (infinite, finite), strict=True):
        view.update(np.asarray(phi, float), np.asarray(t, float), *model)
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
    """Figure 7.11: lambda(alpha) against ln alpha, and its maximum, if there is one.

    Words that change with every move are plain letters: as mathtext they cost 4 of 25 ms a move.
    """

    def __init__(self, ax, title="", ylabel=r"$\lambda(\alpha)$"):
        super().__init__(ax)
        dress(ax, (*LN_ALPHA, *HEIGHTS), r"$\ln\,\alpha$", ylabel, title, square=True, grid=True)
        self.limit = self.add(curve(ax, "faint", 1.6, ":"))
        self.curve = self.add(curve(ax, "minus", 3.0))
        self.top = self.add(dot(ax, "good", "*", 18))
        self.off = self.add(Arrow(ax, "good", 3.0))
        self.words = self.add(Label(ax, "good", 12, "right", "center"))
        self.verdict = self.add(Label(ax, "ink", 12, "right", "center"))
        self.limit.set_data(LN_ALPHA, (0, 0))

    def update(self, q2, s, alphas, values, best, height):
        """values: lambda at alphas, (n,) each, of q^2 = q2 and s; best: alpha*, None if infinite; height: lambda."""
        self.curve.set_data(np.log(alphas), values)
        end = LN_ALPHA[1]
        runs_off = best is None or np.log(best) > end
        self.top.set_data(*([[], []] if runs_off else [[np.log(best)], [height]]))
        self.off.update((end - 2.3, 0.45), (end - 0.1 if runs_off else end - 2.3, 0.45))
        words = "α* = ∞" if best is None else f"α* = {best:.3g}"
        self.words.update((end - 0.2, 0.9 if runs_off else HEIGHTS[1] - 0.35), words)
        keep = best is not None
        compared, verdict = (">", "keep") if keep else ("≤", "drop")
        words = f"q² = {q2:.3f} {compared} s = {s:.3f}: {verdict} φ"
        self.verdict.update((end - 0.2, HEIGHTS[0] + 0.4), words)
        describe(
            self.axes[0],
            f"lambda(alpha) against ln alpha for q^2 = {q2:.3f} and s = {s:.3f}: "
            + (
                f"one maximum, {height:.4f}, at alpha = {best:.4f}."
                if keep
                else "it rises towards 0, the maximum is at infinity."
            ),
        )


def figure_7_11(left, right, alphas, finite, infinite):
    """lambda of two basis functions, each (q^2, s, lambda at alphas (n,), best alpha or None, lambda there)."""
    views = Contribution(left, r"$q^2>s$"), Contribution(right, r"$q^2<s$")
    for view, (q2, s, *function) in zip(views, (finite, infinite), strict=True):
        view.update(q2, s, alphas, *function)
    describe(
        left,
        f"Figure 7.11. lambda(alpha) against ln alpha for two basis functions. Left, q^2 = {finite[0]:g} and "
        f"s = {finite[1]:g}: one maximum, {finite[4]:.4f}, at alpha = {finite[3]:.4f}, after which the curve falls "
        f"towards 0. Right, q^2 = {infinite[0]:g} and s = {infinite[1]:g}: the curve only rises, towards 0 from below; "
        f"an arrow points to its maximum at alpha = infinity.",
    )
    return views


class Sparsity(View):
    """Figures 7.10 and 7.11 side by side, of one and the same model."""

    def __init__(self, left, right):
        super().__init__(left, right)
        self.plane = self.add(TargetPlane(left))
        self.contribution = self.add(Contribution(right, ylabel="gain in ln p(t)"))
        self.same_volume = self.add(curve(right, "ink", 1.8, "--"))
        self.here = self.add(dot(right, "own", "D", 10))
        plane = {
            r"$\alpha=\infty$": self.plane.empty,
            r"this $\alpha$": self.plane.ellipse,
            "its noise": self.plane.noise,
        }
        curves = {r"same $\beta$: $\lambda(\alpha)$": self.contribution.curve, "same $|C|$": self.same_volume}
        for ax, named in ((left, plane), (right, curves)):
            above = ABOVE_THE_AXES | {"ncols": len(named), "bbox_to_anchor": (0.5, 1.0)}
            legend(ax, handles=list(named.values()), labels=list(named), **above)

    def update(self, phi, t, model, empty, q2, s, alphas, curves, best, here):
        """The model of alpha = here[0], beside the one without phi.

        model: its (C, beta, ln p(t)); empty: beta without phi; q2, s: q^2 and s of phi; curves: lambda and the gain at
        equal |C|, (n,) each, at alphas (n,); best: alpha* of lambda, None if infinite, and lambda there; here: alpha
        and its gain.
        """
        self.plane.update(phi, t, *model, empty)
        self.contribution.update(q2, s, alphas, curves[0], *best)
        self.same_volume.set_data(np.log(alphas), curves[1])
        self.here.set_data([np.log(here[0])], [np.clip(here[1], *HEIGHTS)])


class Schedules(View):
    """The log evidence after each action, by the book's schedule and by the fast one; the last nats enlarged."""

    def __init__(self, whole, top):
        super().__init__(whole, top)
        self.lines = []
        for ax, title in ((whole, "all the way"), (top, "the last nats")):
            dress(ax, None, "actions", "", title, grid=True)
            lines = [curve(ax, "ink", 2.0, "--"), curve(ax, "minus", 2.2)]
            self.lines.append([self.add(line) for line in (*lines, dot(ax, "own", "^", 10))])
        whole.set_ylabel("log evidence", fontsize=13)
        names = ["the book's schedule", "the fast one", "heated, or a member kicked"]
        legend(whole, handles=self.lines[0], labels=names, loc="lower right")

    def update(self, book, fast):
        """book, fast: the traces, record arrays with the fields action and log_evidence."""
        shaken = np.flatnonzero(np.isin(fast.action, ("heat", "kick")))
        heats = np.sum(fast.action == "heat")
        ends = [trace.log_evidence[-1] for trace in (book, fast)]
        for lines in self.lines:
            for line, trace in zip(lines, (book, fast), strict=False):
                line.set_data(np.arange(1, len(trace) + 1), trace.log_evidence)
            lines[2].set_data(shaken + 1, fast.log_evidence[shaken])
        lowest = min(trace.log_evidence.min() for trace in (book, fast))
        for ax, low in zip(self.axes, (lowest, min(*ends, *fast.log_evidence[shaken]) - 0.5), strict=True):
            ax.set_xlim(0, 1.02 * max(len(book), len(fast)))
            ax.set_ylim(low, max(ends) + 0.06 * (max(ends) - low))
        describe(
            self.axes[0],
            f"The log evidence after each action of two schedules, from {lowest:.0f}. The book's takes {len(book)} "
            f"actions and ends at {ends[0]:.1f}. The fast one takes {len(fast)} and ends at {ends[1]:.1f}. Heatings on "
            f"its way: {heats}, after each of which the evidence is low until beta is learned again. Members kicked: "
            f"{len(shaken) - heats}.",
        )


def figure_schedules(whole, top, book, fast):
    """The traces of `sequential` with schedule="book" and "fast"; on the right only the last nats."""
    view = Schedules(whole, top)
    view.update(book, fast)
    return view
