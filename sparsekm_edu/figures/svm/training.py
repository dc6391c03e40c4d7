"""How support vector machines are trained: a step of SMO, the cost of four solvers, the path over all C."""

import numpy as np
from contourpy import LineType, contour_generator
from matplotlib.collections import LineCollection, PolyCollection

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Arrow,
    Label,
    Points,
    Rings,
    Segments,
    Surface,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import WIDE, describe, dress, palette_of

# ---- one step of SMO ------------------------------------------------------------------------------------
AROUND = (
    -0.6,
    1.6,
)  # what is seen of a_i and a_j, in units of C: the box and some room for who would leave it
LONGEST, SMALLEST, LARGEST = 2000, 1e-6, 1e2  # of a run: its steps, and the numbers that fall on the way


class PairStep(View):
    """One step of SMO: the pair in the plane, the box of its two multipliers, and the way so far."""

    def __init__(self, plane, box, trace):
        super().__init__(plane, box, trace)
        colours = palette_of(plane)
        dress(plane, WIDE, "$x_1$", "$x_2$", equal=True)
        dress(box, AROUND * 2, "$a_i$", "$a_j$", square=True)
        dress(trace, (1, LONGEST, SMALLEST, LARGEST), "step", "what is left", grid=True)
        box.set_xticks([0, 1], ["0", "$C$"])
        box.set_yticks([0, 1], ["0", "$C$"])
        trace.set_xscale("log")
        trace.set_yscale("log")
        self.surface = self.add(Surface(plane))
        self.points = self.add(Points(plane))
        self.rings = self.add(Rings(plane))
        self.pair = self.add(Rings(plane, "own", 560))
        self.pair.artists[0].set_linewidth(3.0)
        self.letters = [self.add(Label(plane, "own", 13, "center", "center")) for _ in range(2)]
        for (text,) in (letter.artists for letter in self.letters):
            text.set(zorder=7, color=colours.paper, weight="bold")
            text.set_bbox({"facecolor": colours.own, "edgecolor": "none", "boxstyle": "round,pad=0.2"})

        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
        looks = {"facecolors": [colours.mix("good", 0.16)], "edgecolors": colours.good, "linewidths": 1.5}
        box.add_collection(PolyCollection([square], zorder=0, **looks))  # never moves
        self.levels = self.add(LineCollection([], colors=colours.faint, linewidths=0.9, zorder=1))
        box.add_collection(self.levels, autolim=False)
        self.line = self.add(Segments(box, "ink", 1.8, "--"))
        self.walk = self.add(Arrow(box, "own", 3.0))
        self.start = self.add(dot(box, "ink", "o", 9))
        self.unclipped = self.add(dot(box, "own", "X", 12))
        self.optimum = self.add(dot(box, "good", "D", 10))
        for artist, name in ((self.start, "from"), (self.unclipped, "unclipped"), (self.optimum, "to")):
            artist.set_label(name)

        self.gaps = [self.add(curve(trace, "own", width)) for width in (1.0, 2.6)]
        self.misses = [self.add(curve(trace, "good", width, "--")) for width in (1.0, 2.6)]
        self.gaps[1].set_label("KKT gap")
        self.misses[1].set_label(r"$\widetilde L^\ast-\widetilde L(\mathbf{a})$")
        self.here = [self.add(dot(trace, role)) for role in ("own", "good")]
        legend(box, **(ABOVE_THE_AXES | {"ncols": 3, "handlelength": 1.0, "handletextpad": 0.3}))
        legend(trace, loc="lower left")

    def update(self, X, problem, steps, k, best, grid, Y):
        """The k-th of the `steps` (SMOStep) of smo_steps on `problem`, whose first, k = 0, is the start.

        X (N, 2): the points; best: the largest dual value there is; grid: (x1, x2), and Y the values of y(x) on it.
        """
        t, C = problem.target, float(problem.hi.max())
        self.surface.update(*grid, Y)
        self.points.update(X, t)
        self.rings.update(X[steps[k].v != 0])
        self._move_pair(X, problem, steps[k] if k else None, C)

        numbers = np.arange(1, len(steps))
        gaps = np.array([step.gap for step in steps[1:]])
        misses = np.maximum([best - step.objective for step in steps[1:]], SMALLEST / 10)
        for (whole, so_far), values in ((self.gaps, gaps), (self.misses, misses)):
            whole.set_data(numbers, values)
            so_far.set_data(numbers[:k], values[:k])
        for mark, values in zip(self.here, (gaps, misses), strict=True):
            mark.set_data(numbers[:k][-1:], values[:k][-1:])
        describe(self.axes[0], describe_step(steps, k, t, C, best))

    def _move_pair(self, X, problem, step, C):
        """The pair in the plane and in its box, in the book's a_n = v_n t_n and in units of C."""
        marks = self.start, self.unclipped, self.optimum, self.levels, *self.walk.artists
        for artist in (*marks, *(letter.artists[0] for letter in self.letters)):
            artist.set_visible(step is not None)
        pair = [] if step is None else list(step.pair)
        self.pair.update(X[pair])
        self.line.update([])
        if step is None:
            return
        signs = problem.target[pair]
        before, unclipped, optimum = (
            signs * np.array(place) / C for place in (step.before, step.unclipped_optimum, step.optimum)
        )
        direction = signs * (1, -1)  # v_i rises, v_j falls: a_i t_i + a_j t_j stays
        self.line.update([(before - 9 * direction, before + 9 * direction)])
        far = np.linalg.norm(optimum - before) > 0.1  # else the marks hide the arrow, or its head the marks
        self.walk.update(before, optimum if far else before)
        for mark, place in ((self.start, before), (self.unclipped, unclipped), (self.optimum, optimum)):
            mark.set_data(*np.c_[place])
        apart = X[pair[0]] - X[pair[1]]
        apart = 0.42 * apart / max(np.linalg.norm(apart), 1e-9)  # beside the rings, away from each other
        for letter, n, word, side in zip(self.letters, pair, "ij", (1, -1), strict=True):
            letter.update(np.clip(X[n] + side * apart, (-3.0, -1.8), (3.0, 1.8)), f" {word} ")
        self.levels.set_segments(
            heights(problem.K[np.ix_(pair, pair)], signs, C, *slopes(problem, step), before)
        )


def slopes(problem, step):
    """dL/da_i and dL/da_j before the step, (7.32): 1 - t_n sum_m v_m k(x_n, x_m)."""
    pair = list(step.pair)
    v = step.v.copy()
    v[pair] = step.before
    return 1.0 - problem.target[pair] * (problem.K[pair] @ v)


def heights(K, t, C, slope_i, slope_j, before):
    """Contour lines of the dual value as a function of a_i / C and a_j / C alone, the others being held."""
    axis = np.linspace(*AROUND, 41)
    i, j = np.meshgrid(C * (axis - before[0]), C * (axis - before[1]))
    curvature = K[0, 0] * i**2 + 2 * t[0] * t[1] * K[0, 1] * i * j + K[1, 1] * j**2
    L = slope_i * i + slope_j * j - 0.5 * curvature
    contours = contour_generator(axis, axis, L, line_type=LineType.Separate)
    levels = np.quantile(L, np.linspace(0.04, 0.98, 10))
    return [line for level in levels for line in contours.lines(level)]


def describe_step(steps, k, t, C, best):
    """A step of SMO in words."""
    if k == 0:
        return (
            f"SMO before its first step, on {len(t)} points: all multipliers are 0, and the dual value is "
            f"{best:.4f} below its maximum. The run will take {len(steps) - 1} steps."
        )
    step = steps[k]
    (i, j), (a_i, a_j) = step.pair, np.abs(step.optimum)
    before = np.abs(step.before)
    wall = "clipped at a wall of the box" if step.step < step.unclipped else "within the box"
    return (
        f"Step {k} of {len(steps) - 1} of SMO with C = {C:.3g}. Points {i} and {j} are chosen; along a straight line "
        f"in the box from 0 to C their multipliers go from ({before[0]:.3f}, {before[1]:.3f}) to ({a_i:.3f}, "
        f"{a_j:.3f}), {wall}. The dual value is now {step.objective:.4f}, {best - step.objective:.4f} below its "
        f"maximum, and the KKT gap is {step.gap:.4f}."
    )


def figure_smo_step(plane, box, trace, X, problem, steps, k, best, grid, Y):
    """The k-th step of SMO: its pair among the points, the box of the pair, and the run up to there."""
    view = PairStep(plane, box, trace)
    view.update(X, problem, steps, k, best, grid, Y)
    return view


# ---- scaling --------------------------------------------------------------------------------------------
LOOKS = [
    ("minus", "s", "-"),
    ("plus", "o", "--"),
    ("third", "^", "-."),
    ("own", "D", "-"),
    ("faint", "X", ":"),
]


class Scaling(View):
    """Time against the number of points for several solvers, and the straight lines through their last sizes."""

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, None, "number of points $N$", "seconds", grid=True)
        ax.set_xscale("log")
        ax.set_yscale("log")
        self.marks = [self.add(dot(ax, role, marker, 9)) for role, marker, _ in LOOKS]
        self.lines = [self.add(curve(ax, role, 2.2, style)) for role, _, style in LOOKS]

    def update(self, times, exponents):
        """times: name -> (N (S,), seconds (S,)); exponents: name -> the slope of its last sizes."""
        ax = self.axes[0]
        for (name, (N, seconds)), mark, line in zip(times.items(), self.marks, self.lines, strict=False):
            mark.set_data(N, seconds)
            line.set_data(N, seconds)
            line.set_label(f"{name}: $N^{{{exponents[name]:.1f}}}$")
            line.set_marker(mark.get_marker())
        ax.relim()
        ax.autoscale_view()
        sizes = sorted({int(n) for N, _ in times.values() for n in N})
        ax.set_xticks(sizes, [str(n) for n in sizes])
        ax.set_xticks([], minor=True)
        legend(ax, loc="center left", bbox_to_anchor=(1, 0.5))
        slopes = ", ".join(f"{name} {exponents[name]:.1f}" for name in times)
        describe(
            ax,
            f"Time against the number of points on logarithmic axes for {len(times)} solvers. Fitted exponents: "
            f"{slopes}.",
        )


def figure_scaling(ax, times, exponents):
    """Time against N for each solver, log-log, with the fitted exponents in the legend."""
    view = Scaling(ax)
    view.update(times, exponents)
    return view


# ---- the regularisation path ----------------------------------------------------------------------------
LEAST_C, MOST_C = 0.01, 100.0


class WholePath(View):
    """All solutions of a soft margin: one of them in the plane, and a_n / C of all points over lambda and over C."""

    def __init__(self, plane, over_lambda, over_C):
        super().__init__(plane, over_lambda, over_C)
        dress(plane, WIDE, "$x_1$", "$x_2$", equal=True)
        dress(
            over_lambda,
            (1.05, -0.02, -0.05, 1.05),
            r"$\lambda/\lambda_0$,  $\lambda=1/C$",
            "$a_n/C$",
            square=True,
        )
        dress(over_C, (LEAST_C, MOST_C, -0.05, 1.05), "$C$", "$a_n/C$")
        over_C.set_xscale("log")
        for ax in (over_lambda, over_C):
            ax.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
        self.surface = self.add(Surface(plane))
        self.points = self.add(Points(plane))
        self.rings = self.add(Rings(plane))
        self.curves, self.bold, self.cursors, self.marks = [], [], [], []
        for ax in (over_lambda, over_C):
            for role in ("plus", "minus"):
                self.curves.append(self.add(Lines(ax, role, 1.0, 0.5)))
                self.bold.append(self.add(Lines(ax, role, 2.4)))
            self.cursors.append(self.add(curve(ax, "ink", 1.6, ":")))
            self.marks.append(self.add(Points(ax, size=45)))

    def update(self, X, path, C, solution, grid, Y):
        """The `solution` for one C among all those of the `path`, results of c_path and of path.at(C).

        X (N, 2): the points; grid: (x1, x2), and Y the values of y(x) on it.
        """
        t, share = path.t, solution.a / C
        elbow = (share > 0) & (share < 1)
        self.surface.update(*grid, Y)
        self.points.update(X, t)
        self.rings.update(X[elbow])
        lam, shares = straight_pieces(path)
        bent = np.geomspace(MOST_C, LEAST_C, 241)  # on a logarithmic axis the same pieces are curves
        bent_shares = np.column_stack([np.interp(1 / bent, lam, column) for column in shares.T])
        first = path.C[0]  # lambda_0 = 1 / first: for smaller C nothing changes
        panels = [(lam * first, shares, min(first / C, 1.05)), (bent, bent_shares, C)]
        for panel, (scale, curves, here) in enumerate(panels):
            for side, label in enumerate((1, -1)):
                of_class = t == label
                self.curves[2 * panel + side].update(scale, curves[:, of_class & ~elbow])
                self.bold[2 * panel + side].update(scale, curves[:, of_class & elbow])
            self.cursors[panel].set_data([here, here], (-0.05, 1.05))
            self.marks[panel].update(np.column_stack([np.full(elbow.sum(), here), share[elbow]]), t[elbow])
        describe(self.axes[0], describe_path(path, C, share))


def straight_pieces(path):
    """lambda = 1/C rising (M,), and a_n / C there (M, N): linear from each of these to the next."""
    lam, shares = 1 / path.C[::-1], path.alpha[::-1]
    if path.separated:  # a_n stays as it is from the last breakpoint on, and a_n / C falls with lambda
        lam, shares = np.append(0.0, lam), np.vstack([np.zeros(len(path.t)), shares])
    return np.append(lam, 2 * lam[-1]), np.vstack([shares, np.abs(path.start)])


def breakpoints(path):
    """How many there are; the last C of a path that goes on is only where we stopped looking."""
    return len(path.C) - (not path.separated)


def describe_path(path, C, share):
    """A solution of the path in words."""
    return (
        f"{len(share)} points and their soft margin for C = {C:.3g}: {np.sum(share == 1)} of them have a = C, "
        f"{np.sum(share == 0)} have a = 0, and the {np.sum((share > 0) & (share < 1))} in between, the elbow, are "
        f"circled. Beside it a/C of every point against 1/C, in straight pieces between {breakpoints(path)} "
        f"breakpoints, and against C."
    )


class Lines:
    """Many curves over one axis."""

    def __init__(self, ax, role, width, strength=1.0):
        colour = palette_of(ax).mix(role, strength)
        self.artists = [LineCollection([], colors=[colour], linewidths=width, zorder=3)]
        ax.add_collection(self.artists[0], autolim=False)

    def update(self, x, Y):
        """x (M,), Y (M, K): K curves."""
        self.artists[0].set_segments([np.column_stack([x, y]) for y in Y.T])


def figure_path(plane, over_lambda, over_C, X, path, C, solution, grid, Y):
    """One solution in the plane and all of them beside it: a_n / C against 1/C and against C."""
    view = WholePath(plane, over_lambda, over_C)
    view.update(X, path, C, solution, grid, Y)
    return view
