"""The kernel lab: a kernel as a curve, its Gram matrix, its eigenvalues, its functions, and what speaks against it."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.image import AxesImage

from sparsekm_edu.figures.layers import Grips, Label, Segments, View, curve
from sparsekm_edu.figures.style import describe, dress, palette_of

LINE = (-3.0, 3.0)  # where the points of the lab lie
POINTS = 61  # how many there are
GRIP = -1.0  # height of the grip of x'
LEAST = 1e-17  # eigenvalues are drawn from here on, as shares of the largest


class SignedMatrix:
    """A matrix of numbers from -1 to 1 over the unit square, first row on top: deeper blue for larger numbers, orange
    in a pattern like a chessboard for negative ones, paper for 0."""

    def __init__(self, ax):
        colours = palette_of(ax)
        shares = np.linspace(-1, 1, 255)
        shades = [colours.mix("plus" if share >= 0 else "minus", abs(share)) for share in shares]
        self.shades = np.rint(255 * np.column_stack([shades, np.ones(255)])).astype(np.uint8)
        self.image = AxesImage(ax, extent=(0, 1, 0, 1), origin="upper", interpolation="nearest", zorder=0)
        self.image.set_data(np.zeros((2, 2, 3)))
        ax.add_image(self.image)
        self.artists = [self.image]

    def update(self, K):
        """K: (N, M)."""
        chessboard = np.add.outer(np.arange(len(K)), np.arange(len(K.T))) % 2
        K = np.where((K < 0) & (chessboard == 1), 0.7 * K, K)
        self.image.set_data(self.shades[np.rint(127 * (1 + np.clip(K, -1, 1))).astype(int)])


class Curves:
    """Any number of curves that look alike."""

    def __init__(self, ax, role, width=1.6, zorder=3):
        self.artists = [
            LineCollection([], colors=getattr(palette_of(ax), role), linewidths=width, zorder=zorder)
        ]
        ax.add_collection(self.artists[0], autolim=False)

    def update(self, x, Y):
        """x: (n,); Y: (n, S), a curve in each column."""
        self.artists[0].set_segments([np.column_stack([x, y]) for y in np.transpose(Y)])


class Spectrum(View):
    """The eigenvalues of a Gram matrix, the largest first, as shares of the largest on a log scale: circles where they
    are positive, squares at |lambda| where they are negative; below the dashed line there is only rounding."""

    def __init__(self, ax, n):
        """n: how many there are."""
        super().__init__(ax)
        dress(
            ax,
            (-1, n, LEAST, 8.0),
            "eigenvalue, by size",
            "",
            r"$|\lambda| / |\lambda|_{max}$; squares: $\lambda$ < 0",
        )
        ax.set_yscale("log")
        ax.set_yticks([1e-15, 1e-10, 1e-5, 1.0])
        ax.minorticks_off()
        self.rounding = 10 * n * np.finfo(float).eps
        curve(ax, "faint", 1.4, "--", zorder=2).set_data([-1, n], [self.rounding, self.rounding])
        Label(ax, "faint", 10, ha="right", va="top", patch=False).update((n - 1, self.rounding), "rounding")
        self.positive = self.add(curve(ax, "plus", 0, "o", markersize=4.5))
        self.negative = self.add(curve(ax, "minus", 0, "s", markersize=5.5, zorder=5))

    def update(self, eigenvalues):
        """eigenvalues: (N,) rising."""
        falling = np.asarray(eigenvalues)[::-1]
        shares = falling / (np.abs(falling).max() or 1.0)
        number, sizes, negative = (
            np.arange(len(shares)),
            np.maximum(np.abs(shares), LEAST),
            shares < -self.rounding,
        )
        self.positive.set_data(number[~negative], sizes[~negative])
        self.negative.set_data(number[negative], sizes[negative])


class FunctionsOrWitness(View):
    """Functions drawn from the Gaussian process with a kernel; where there are none, the weights against the kernel."""

    TOP = 3.4

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, (*LINE, -self.TOP, self.TOP), "$x$", "", "functions (lines) or $v$ (stems)")
        ax.axhline(0, color=palette_of(ax).faint, linewidth=1.0, zorder=1)
        ax.set_yticks([0])  # functions and weights have scales of their own
        self.functions = self.add(Curves(ax, "good"))
        self.stems = self.add(Segments(ax, "minus", 1.8))
        self.heads = self.add(curve(ax, "minus", 0, "s", markersize=3.5))

    def update(self, x, functions, v):
        """x (N,); functions (N, S) of variance about 1, or None; the weights v (N,), or None; they fill the panel."""
        self.functions.update(x, np.empty((len(x), 0)) if functions is None else functions)
        heights = np.empty(0) if v is None else 0.8 * self.TOP * v / np.abs(v).max()
        x = x[: len(heights)]
        self.stems.update(np.stack([np.column_stack([x, 0 * x]), np.column_stack([x, heights])], axis=1))
        self.heads.set_data(x, heights)


class KernelLab(View):
    """k(x, x') as a curve over x, the Gram matrix, its eigenvalues, and functions or a witness."""

    BOTTOM = -1.15

    def __init__(self, shape, gram, spectrum, below):
        super().__init__(shape, gram, spectrum, below)
        dress(shape, (*LINE, self.BOTTOM, 1.15), "$x$; the diamond is $x'$", "", "$k(x, x')$ / largest")
        shape.axhline(0, color=palette_of(shape).faint, linewidth=1.0, zorder=1)
        dress_gram(gram, *LINE)
        self.foot = self.add(Segments(shape, "own", 1.4, "--", zorder=2))
        self.curve = self.add(curve(shape, "plus", 2.6))
        self.grip = self.add(Grips(shape))
        self.gram = self.add(SignedMatrix(gram))
        self.column = self.add(Segments(gram, "own", 1.4, "--"))
        self.spectrum = self.add(Spectrum(spectrum, POINTS))
        self.below = self.add(FunctionsOrWitness(below))

    def update(self, x, k, x0, K, eigenvalues, functions, v):
        """x (N,); k (N,) = k(x, x0) and K (N, N), each as shares of its largest; the rest as above."""
        self.curve.set_data(x, k)
        self.foot.update([((x0, self.BOTTOM), (x0, np.interp(x0, x, k)))])
        self.grip.update([(x0, GRIP)])
        self.gram.update(K)
        place = (x0 - LINE[0]) / (LINE[1] - LINE[0])
        self.column.update([((place, 0), (place, 1))])
        self.spectrum.update(eigenvalues)
        self.below.update(x, functions, v)


def dress_gram(ax, first, last):
    """Axes for a Gram matrix of points between two numbers."""
    dress(ax, (0, 1, 0, 1), "$x$", "$x'$", "Gram matrix; orange < 0", square=True)
    ends = [f"{end:g}".replace("-", "−") for end in (first, last)]
    ax.set_xticks([0, 1], ends)
    ax.set_yticks([1, 0], ends)


def figure_mercer_witness(axes, x, K, eigenvalues, v, value):
    """A Gram matrix, its eigenvalues, and the weights v with v'Kv < 0 over the points x.

    axes: three; x (N,); K (N, N); eigenvalues (N,) rising; v (N,) or None, value v'Kv, as `mercer_witness` gives them.
    """
    gram, spectrum, below = axes
    dress_gram(gram, x[0], x[-1])
    matrix, values, weights = SignedMatrix(gram), Spectrum(spectrum, len(x)), FunctionsOrWitness(below)
    below.set_xlim(x[0] - 0.05 * np.ptp(x), x[-1] + 0.05 * np.ptp(x))
    matrix.update(K / np.abs(K).max())
    values.update(eigenvalues)
    weights.update(x, None, v)
    below.set_title("no witness" if v is None else f"$v$, with $v'Kv$ = {value:.3g}".replace("-", "−"))
    describe(
        gram,
        f"The Gram matrix of a kernel on {len(x)} points from {x[0]:g} to {x[-1]:g}: entries from {K.min():.3g} to "
        f"{K.max():.3g}. Its eigenvalues go from {eigenvalues[0]:.3g} to {eigenvalues[-1]:.3g}. "
        + (
            "None is negative beyond rounding."
            if v is None
            else f"The weights of the smallest one, drawn as stems, have v'Kv = {value:.3g}: no features can do that."
        ),
    )
    return matrix, values, weights


def figure_sample_functions(axes, x, rows):
    """Functions drawn from Gaussian processes, a panel for each kernel.

    axes: as many as rows; x (N,); rows: (title, functions (N, S)) for each panel.
    """
    drawn = []
    for ax, (title, functions) in zip(axes, rows, strict=True):
        dress(ax, (x[0], x[-1], -3.4, 3.4), "$x$", "", title)
        drawn.append(Curves(ax, "good"))
        drawn[-1].update(x, functions)
    steps = ", ".join(
        f"{title}: {np.abs(np.diff(functions, axis=0)).mean():.3f}" for title, functions in rows
    )
    describe(
        axes[0],
        f"{rows[0][1].shape[1]} functions from each of {len(rows)} Gaussian processes on {len(x)} points from {x[0]:g} "
        f"to {x[-1]:g}. The mean size of a step from point to point tells how rough they are: {steps}.",
    )
    return drawn
