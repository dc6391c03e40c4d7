"""MLaPP 14.1: A support vector machine by hand."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.comparing import written
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.tasks import Mistake, Task


def vector(value, size):
    """The value as `size` finite numbers, None if it is something else."""
    if np.asarray(value).dtype.kind in "US":  # numpy would read a text as a number
        return None
    numbers = np.ravel(np.asarray(value, dtype=float))
    return numbers if numbers.shape == (size,) and np.isfinite(numbers).all() else None


def close_to(*right):
    """What accepts these numbers alone; three digits, as one types them, will do."""

    def accepts(value):
        numbers = vector(value, len(right))
        if numbers is None:
            wanted = "One number is wanted" if len(right) == 1 else f"{len(right)} numbers are wanted"
            return f"{wanted}, got {written(value)}."
        return None if np.allclose(numbers, right, rtol=1e-3, atol=1e-3) else "That is not it yet."

    return accepts


def parallel_to_w(value):
    numbers = vector(value, 3)
    if numbers is None:
        return "A vector of three numbers is wanted, as feature space has three dimensions."
    if not numbers.any():
        return "The zero vector has no direction."
    along = numbers @ [0, 1, 1] / np.sqrt(2)  # |along| is the whole length exactly if it is parallel
    if abs(along) < (1 - 1e-6) * np.linalg.norm(numbers):
        return "This is not parallel to w. Which direction leads from one feature vector to the other?"
    return None


def away_from_the_zeros(rng):
    """x where f(x) is not small, so that four digits of the weights give four of f(x)."""
    return (rng.uniform(1.2, 3.0) if rng.random() < 0.5 else rng.uniform(-2.0, -0.3),)


def discriminant(x):
    """f(x) = w_0 + w'phi(x), as a polynomial in the number x."""
    return x**2 / 2 + x / np.sqrt(2) - 1


def discriminant_by_smo(x):
    """The kernel (1 + x z)^2 in the place of features, and SMO."""
    from sparsekm_edu.solvers import hard_margin, smo

    data, t = np.array([0.0, np.sqrt(2)]), np.array([-1.0, 1.0])
    solution = smo(hard_margin((1 + np.outer(data, data)) ** 2, t))
    return solution.v @ (1 + data * x) ** 2 + solution.b  # (7.13)


EXERCISE = Exercise(
    id="14.1",
    title="A support vector machine by hand",
    source="MLaPP 14.1",
    stars=1,
    notebook="01",
    taught=(
        ("01, section 5", "01_maximum_margin.ipynb#5-Two-points,-by-hand-·-core"),
        ("01, section 9", "01_maximum_margin.ipynb#9-Bend-it-with-a-kernel-·-core"),
    ),
    task=r"""
Two points on a line: $x_1=0$ with label $y_1=-1$, and $x_2=\sqrt2$ with label $y_2=1$. Each is mapped to three
dimensions by

$$\boldsymbol\phi(x)=(1,\ \sqrt2\,x,\ x^2)^{\mathsf T},$$

and there we look for the maximum margin: the smallest $\lVert\mathbf w\rVert^2$ for which
$y_i(\mathbf w^{\mathsf T}\boldsymbol\phi(x_i)+w_0)\ge1$ for both points, (14.97) to (14.99). Murphy writes $y_i$
for the labels, $w_0$ for $b$ and $f$ for the discriminant function. Five small steps, with paper and pencil.
Numbers such as `np.sqrt(2) / 3`, or rounded to four digits, are fine.
""",
    bring="the geometry of two points and the plane between them (exercise 7.3 does it once for all).",
    steps=(
        Claim(
            "14.1a",
            "give a vector that is parallel to w",
            (0, 1, 1),
            mistakes=(
                Mistake(
                    "a point instead of a difference",
                    (1, 2, 2),
                    "this is phi(x_2), the way from the origin; what counts is the way from one point to the other",
                ),
                Mistake(
                    "the middle between the points",
                    (1, 1, 1),
                    "this is the mean of the two feature vectors, a place on the plane and not its normal",
                ),
                Mistake(
                    "the root 2 of the map left out",
                    (0, np.sqrt(2), 2),
                    "the second feature is sqrt(2) x, so at x_2 = sqrt(2) it is 2",
                ),
                Mistake(
                    "the first point's features",
                    (1, 0, 0),
                    "this is phi(x_1); both points have this component, so it does not tell them apart",
                ),
            ),
            hints=(
                "Compute phi(0) and phi(sqrt(2)).",
                "The widest street between two points is at right angles to the piece that joins them.",
            ),
            accepts=parallel_to_w,
            text=r"""
A vector that is parallel to the best $\mathbf w$: three numbers, as a tuple or a list. Its length does not matter
here.
""",
        ),
        Claim(
            "14.1b",
            "give the margin",
            float(np.sqrt(2)),
            mistakes=(
                Mistake(
                    "the whole street",
                    float(2 * np.sqrt(2)),
                    "this is the distance between the points; the margin is the distance from one point to the plane",
                ),
                Mistake(
                    "measured on the line, not in feature space",
                    float(np.sqrt(2) / 2),
                    "half of x_2 - x_1 is a distance in x; measure between phi(x_1) and phi(x_2). (Or is it |w|? The "
                    "margin is 1 over it)",
                ),
                Mistake(
                    "the root 2 of the map left out",
                    float(np.sqrt(6) / 2),
                    "the second feature is sqrt(2) x, so at x_2 = sqrt(2) it is 2",
                ),
                Mistake(
                    "y instead of a distance",
                    1.0,
                    "1 is what y_i f(x_i) is at a support vector; the distance is that over |w|",
                ),
                Mistake(
                    "a square, or one component alone",
                    2.0,
                    "a length is the root of the sum of all squared components",
                ),
            ),
            hints=(
                "With two points, the best plane halves the piece between them.",
                "How long is phi(x_2) - phi(x_1) = (0, 2, 2)? Half of it is the margin.",
            ),
            accepts=close_to(np.sqrt(2)),
            text="The margin, a number: the distance from each point to the plane between them, in feature space.",
        ),
        Claim(
            "14.1c",
            "give w",
            (0, 0.5, 0.5),
            mistakes=(
                Mistake(
                    "the length of w taken for the margin",
                    (0, 1, 1),
                    "|w| = sqrt(2) here; but the margin is 1/|w|, so |w| must be 1/sqrt(2)",
                ),
                Mistake(
                    "a unit vector",
                    (0, np.sqrt(0.5), np.sqrt(0.5)),
                    "|w| = 1 here; but 1/|w| has to be the margin sqrt(2)",
                ),
                Mistake(
                    "the difference itself",
                    (0, 2, 2),
                    "the direction is right, but 1/|w| has to be the margin sqrt(2)",
                ),
                Mistake(
                    "the whole street taken for the margin",
                    (0, 0.25, 0.25),
                    "1/|w| is 2 sqrt(2) here, the distance between the points; the margin is half of it",
                ),
                Mistake(
                    "w the other way round",
                    (0, -0.5, -0.5),
                    "f has to be positive at x_2, whose label is 1: w points from x_1 to x_2",
                ),
            ),
            hints=(
                "w = kappa (0, 1, 1) with a kappa > 0. How long is it?",
                "|w| = kappa sqrt(2) = 1/margin = 1/sqrt(2).",
            ),
            accepts=close_to(0, 0.5, 0.5),
            text=r"The vector $\mathbf w$ itself, from its direction and from the margin $1/\lVert\mathbf w\rVert$.",
        ),
        Claim(
            "14.1d",
            "give w_0",
            -1.0,
            mistakes=(
                Mistake(
                    "the point x_1 put on the plane",
                    0.0,
                    "at x_1 f has to be -1, not 0: a support vector lies on the edge of the street, not in its middle",
                ),
                Mistake(
                    "the point x_2 put on the plane",
                    -2.0,
                    "at x_2 f has to be 1, not 0: a support vector lies on the edge of the street, not in its middle",
                ),
                Mistake(
                    "the label of x_1 forgotten",
                    1.0,
                    "y_1 = -1, so f(x_1) = -1: that is w_0, as w'phi(x_1) = 0",
                ),
                Mistake(
                    "the label of x_2 turned round, or w twice too long",
                    -3.0,
                    "y_2 = 1, so f(x_2) = 1, with the w = (0, 1/2, 1/2) of 14.1c",
                ),
            ),
            hints=(
                "Both constraints hold with equality: f(x_1) = -1 and f(x_2) = 1. Either of them gives w_0.",
                "w'phi(x_1) = (0, 1/2, 1/2)'(1, 0, 0) = 0.",
            ),
            accepts=close_to(-1.0),
            text=r"The number $w_0$. Both constraints are equalities here; check your number with both of them.",
        ),
        Task(
            "14.1e",
            "return f(x)",
            away_from_the_zeros,
            discriminant,
            mistakes=(
                Mistake(
                    "w_0 left out",
                    lambda x: x**2 / 2 + x / np.sqrt(2),
                    "f(x) = w_0 + w'phi(x), and w_0 = -1",
                ),
                Mistake(
                    "the root 2 of the map left out",
                    lambda x: x**2 / 2 + x / 2 - 1,
                    "the second feature is sqrt(2) x, so its term is sqrt(2) x / 2",
                ),
                Mistake(
                    "a straight line through both points",
                    lambda x: np.sqrt(2) * x - 1,
                    "this is the machine without the map; in feature space x^2 has a share, too",
                ),
                Mistake(
                    "w of the wrong length",
                    lambda x: x**2 + np.sqrt(2) * x - 1,
                    "f(sqrt(2)) has to be 1; the weights of w are one half",
                ),
                Mistake(
                    "w_0 with the wrong sign",
                    lambda x: x**2 / 2 + x / np.sqrt(2) + 1,
                    "f(0) = w_0 has to be the label of x_1, which is -1",
                ),
            ),
            hints=(
                "w'phi(x) = (0, 1/2, 1/2)'(1, sqrt(2) x, x^2).",
                "sqrt(2) x / 2 + x^2 / 2, and w_0.",
            ),
            route=("SMO with the kernel (1 + x z)²", discriminant_by_smo),
            close=1e-4,  # the task allows weights that are rounded to four digits
            text=r"""
The discriminant function $f(x)=w_0+\mathbf w^{\mathsf T}\boldsymbol\phi(x)$ as a polynomial in $x$. (A formula of
sympy in $x$ will do, too.) Where is it zero: halfway between the two points?
""",
        ),
    ),
    worked=r"""
**14.1a.** The features are $\boldsymbol\phi(0)=(1,0,0)$ and $\boldsymbol\phi(\sqrt2)=(1,2,2)$. The best plane
stands at right angles to the way from one to the other, $\mathbf d=(0,2,2)$, and $\mathbf w$ is parallel to it:
$(0,1,1)$, or any multiple.

**14.1b.** The plane halves that way. The margin is half its length: $\tfrac12\sqrt{0+4+4}=\sqrt2$.

**14.1c.** $\mathbf w=\kappa\,(0,1,1)$ with $\kappa>0$, because $f$ grows towards the point with label 1. The margin
is $1/\lVert\mathbf w\rVert=1/(\kappa\sqrt2)=\sqrt2$, hence $\kappa=\tfrac12$ and $\mathbf w=(0,\tfrac12,\tfrac12)$.
Exercise 7.3 says the same: $2\mathbf d/\lVert\mathbf d\rVert^2=\tfrac28(0,2,2)$.

**14.1d.** $f(0)=w_0+0=-1$, so $w_0=-1$. The other point agrees: $f(\sqrt2)=-1+\tfrac12\cdot2+\tfrac12\cdot2=1$.

**14.1e.**

$$f(x)=-1+\tfrac12\sqrt2\,x+\tfrac12x^2=\tfrac12x^2+\frac x{\sqrt2}-1.$$

It is zero at $x=(-1\pm\sqrt5)/\sqrt2$, that is at $0.874$ and $-2.288$. Halfway between the *features* is not
halfway between the points ($0.707$). And there is a second boundary far on the left, where no data are: beyond it,
everything is called $+1$. The map gives the kernel
$\boldsymbol\phi(x)^{\mathsf T}\boldsymbol\phi(z)=1+2xz+x^2z^2=(1+xz)^2$. Its constant feature has no weight: $w_0$
does its work.

*If you compare with MLaPP:* Murphy's hint says that the points will be on the decision boundary. They are on the edges
of the street, where the constraints are tight; on the boundary itself $f=0$.
""",
)
