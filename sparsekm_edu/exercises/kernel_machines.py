"""Notebook 13: guesses and cells to fill."""

import numpy as np

from sparsekm_edu.exercises.guesses import Choice, Guess, Number
from sparsekm_edu.exercises.tasks import Mistake, Task

# ---- guesses --------------------------------------------------------------------------------------------


def xor_by_powers():
    """How many of the 80 points logistic regression on the powers of each coordinate gets wrong."""
    from sparsekm_edu.explorers.kernels.prototypes import POWERS, PrototypesExplorer, PrototypesState

    return PrototypesExplorer.compute(PrototypesState(features=POWERS)).errors


def how_many_wrong():
    errors = xor_by_powers()
    return 0 if errors == 0 else 1 if errors < 10 else 2


def wide_bumps(**fields):
    """Degree of the polynomial that the curve of ten bumps of width 50 is, and the height of the curve."""
    from sparsekm_edu.explorers.kernels.prototypes import RbfBasisExplorer, RbfBasisState

    picture = RbfBasisExplorer.compute(RbfBasisState(tau=50.0, **fields))
    return int(picture.facts["like a polynomial of"].removeprefix("degree ")), np.ptp(picture.y)


def shape_of_wide_bumps():
    return min(wide_bumps(ridge=False)[0], 2)


def kept_in_the_plane(machine, **fields):
    """How many of the 200 points of figure 14.4 a machine keeps."""
    from sparsekm_edu.explorers.kernels.vector_machines import FourClassifiersExplorer, FourClassifiersState

    _, points = FourClassifiersExplorer.compute(FourClassifiersState(**fields)).machines[machine]
    return len(points)


def zeros_of_ridge():
    zeros = 200 - kept_in_the_plane("L2VM", lam2=100.0)
    return 0 if zeros > 100 else 1 if zeros > 0 else 2


def support_at_both_ends():
    """How many support vectors there are at the least and at the largest C of the explorer."""
    from sparsekm_edu.explorers.kernels.vector_machines import LEAST_C, MOST_C

    return [kept_in_the_plane("SVM", C=C) for C in (LEAST_C, MOST_C)]


def support_as_C_rises():
    few, many = support_at_both_ends()
    return 1 - int(np.sign(many - few))


def kept_on_the_line():
    """How many of the 100 points of figure 14.5 each machine keeps."""
    from sparsekm_edu.explorers.kernels.vector_machines import FourCurvesExplorer, FourCurvesState

    picture = FourCurvesExplorer.compute(FourCurvesState())
    return {name: int(np.count_nonzero(w)) for name, (_, w) in picture.machines.items()}


def ends_with_sigmoid():
    """The values of the dual objective at which SMO ends with the sigmoid kernel, from 20 random starts."""
    from sparsekm_edu import datasets
    from sparsekm_edu.kernels import Sigmoid
    from sparsekm_edu.lessons.comparison import ends_of_smo

    X, t = datasets.overlapping(n=60)
    return ends_of_smo(Sigmoid(scale=1.0, offset=-1.0)(X), t, 1.0, 20, np.random.default_rng(0))


def how_many_ends():
    from sparsekm_edu.lessons.comparison import distinct

    ends = distinct(ends_with_sigmoid())
    return 0 if ends == 1 else 1 if ends <= 5 else 2


def explain_ends(_):
    from sparsekm_edu.lessons.comparison import distinct

    ends = ends_with_sigmoid()
    return (
        f"{distinct(ends)} different ones, from {ends.min():.2f} to {ends.max():.2f}. “The SVM is convex” is a "
        "sentence about Mercer kernels: <b>v</b>ᵀ<b>Kv</b> is a bowl only if no eigenvalue of <b>K</b> is negative. "
        "With the sigmoid some are, and SMO stops in whichever hollow it comes to first."
    )


GUESSES = (
    Guess(
        "13-a",
        "Logistic regression on the powers <i>x</i>₁, …, <i>x</i>₁¹⁰, <i>x</i>₂, …, <i>x</i>₂¹⁰ of each coordinate: 20 "
        "features, a bias, and a very small price on the weights. About how many of the 80 points of xor that it was "
        "fitted to will it get wrong?",
        Choice("none", "a few, fewer than ten", "ten or more"),
        how_many_wrong,
        lambda truth: (
            f"{xor_by_powers()} of 80, and half of all new points. Whatever the weights are, the model is a sum "
            "<i>g</i>(<i>x</i>₁) + <i>h</i>(<i>x</i>₂), and no such sum can be negative at 00 and 11 and positive at "
            "01 and 10. (Functions that wiggle enough could learn 80 points by heart. At new points it would not help.)"
        ),
        told_by=("figures.figure_14_2(", "explorers.prototypes("),
    ),
    Guess(
        "13-b",
        "Ten bumps of width τ = 50 on a line of length 2: all entries of the design matrix lie between 0.999 and 1. "
        "Least squares, no price on the weights. What will the curve through the 21 points look like?",
        Choice("a level line", "a straight line with a slope", "a curve that bends with the points"),
        shape_of_wide_bumps,
        lambda truth: (
            "It is a polynomial of degree {}, and spans {:.0f} units of <i>t</i>. The bumps look equal, but their "
            "differences are not 0, and huge weights of both signs bring them out. With the price λ = 0.001 such "
            "weights do not pay: then the curve is level, and spans {:.2f}.".format(
                *wide_bumps(ridge=False), wide_bumps(lam=1e-3)[1]
            )
        ),
        told_by=("figures.figure_14_3(", "explorers.rbf_basis("),
    ),
    Guess(
        "13-c",
        "The L2VM pays λ ∑ <i>w<sub>n</sub></i>². You raise λ from 5 to 100, twenty times the price. How many of its "
        "200 weights become exactly 0?",
        Choice("most of them", "some of them", "none"),
        zeros_of_ridge,
        lambda truth: (
            f"All {kept_in_the_plane('L2VM', lam2=100.0)} points keep a weight, a smaller one. The slope of the square "
            "is 2λ<i>w</i>: it vanishes at 0, so near 0 the price pushes no more, and the slightest pull of the data "
            "wins. The slope of λ|<i>w</i>| is λ right up to 0."
        ),
        told_by=("figures.figure_14_4(", "explorers.four_classifiers("),
    ),
    Guess(
        "13-d",
        "Now the SVM, on the same 200 points, whose classes overlap. You raise <i>C</i>, the price of slack, from 0.03 "
        "to 100. What happens to the number of support vectors?",
        Choice("it grows", "it stays the same", "it falls"),
        support_as_C_rises,
        lambda truth: (
            "From {} to {}. A point is dropped if it lies beyond its margin, where the hinge loss is flat. With a "
            "small <i>C</i> the margin is wide, and everybody is inside it. It is the loss that makes these zeros, and "
            "no penalty on the multipliers.".format(*support_at_both_ends())
        ),
        told_by=("figures.figure_14_4(", "explorers.four_classifiers("),
    ),
    Guess(
        "13-e",
        "The noisy sinc of section 5: 100 points, Gaussian noise of standard deviation 0.1, and a tube of half-width "
        "ε = 0.1 around the curve of the SVM. How many points will the SVM keep?",
        Number(low=0, high=100, digits=0),
        lambda: kept_on_the_line()["SVM"],
        lambda truth: (
            "{SVM} of 100. Points outside of the tube are kept, and 32 in 100 draws of a Gaussian are farther from its "
            "mean than one standard deviation; a few on the edge come on top. So the number grows with <i>N</i>, "
            "however simple the curve is. The L1VM keeps {L1VM}, the RVM {RVM}, and they hardly keep more with twice "
            "the data.".format(**kept_on_the_line())
        ),
        told_by=("figures.figure_14_5(", "explorers.four_curves("),
    ),
    Guess(
        "13-f",
        "Table 14.1 says that training an SVM is a convex problem. We give it the sigmoid kernel "
        "tanh(<b>x</b>ᵀ<b>x</b>′ − 1) of notebook 12, and let SMO start from 20 random multipliers. At how many "
        "different values of its objective will it end?",
        Choice("one", "two to five", "more than five"),
        how_many_ends,
        explain_ends,
        told_by=("ends_of_smo(",),
    ),
)


# ---- cells to fill --------------------------------------------------------------------------------------


def points_and_prototypes(rng):
    """X, M and tau, of different sizes."""
    N, K, D = rng.permutation([2, 3, 5]) + rng.integers(0, 2)
    return rng.normal(size=(N, D)), rng.normal(size=(K, D)), float(rng.uniform(0.4, 0.8))


def features(X, M, tau):
    """Phi (N, K): how much each row of X (N, D) resembles each row of M (K, D), with Gaussian kernels of width tau."""
    squares = ((X[:, None, :] - M[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-squares / (2 * tau**2))  # (14.28)


def distances(X, M):
    return np.sqrt(((X[:, None] - M) ** 2).sum(axis=2))


def one_weight(rng):
    """A feature phi (N,), targets t (N,) and a price: more than what the data pull, less, or much less."""
    N = int(rng.integers(3, 7))
    phi = rng.normal(size=N)
    t = rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 2) * phi + 0.3 * rng.normal(size=N)
    share = rng.uniform(*((1.1, 2), (0.1, 0.9), (0.01, 0.08))[rng.integers(3)])
    return phi, t, float(share * 2 * abs(phi @ t))


def best_weight(phi, t, lam):
    """The w that minimises sum_n (t_n - w phi_n)^2 + lam |w|, a number; phi, t (N,)."""
    c = phi @ t
    return float(np.sign(c) * max(abs(c) - lam / 2, 0.0) / (phi @ phi))


def one_weight_with(weight):
    """The wrong answers, from c = phi't, h = phi'phi and lam."""
    return lambda phi, t, lam: float(weight(phi @ t, phi @ phi, lam))


def basis_and_targets(rng):
    """A design matrix, none of whose columns has mean 0, and targets."""
    N, K = int(rng.integers(6, 10)), int(rng.integers(2, 5))
    return rng.normal(size=(N, K)) + 1.0, rng.normal(size=N) + 1.0


def largest_price(Phi, t):
    """The smallest lam for which sum_n (t_n - b - w'phi_n)^2 + lam sum_k |w_k| is least at w = 0; Phi (N, K)."""
    residual = t - t.mean()  # with w = 0 the best bias is the mean
    return float(2 * np.abs(Phi.T @ residual).max())


TASKS = (
    Task(
        "13-features",
        "return Phi (N, K) with exp(-|x_n - mu_k|² / (2 tau²)) in row n and column k",
        points_and_prototypes,
        features,
        mistakes=(
            Mistake(
                "tau² instead of 2 tau²",
                lambda X, M, tau: np.exp(-(distances(X, M) ** 2) / tau**2),
                "the Gaussian of width tau has 2 tau² in the denominator",
            ),
            Mistake(
                "tau instead of tau²",
                lambda X, M, tau: np.exp(-(distances(X, M) ** 2) / (2 * tau)),
                "tau is a length, and is squared as the distance is",
            ),
            Mistake(
                "the distance not squared",
                lambda X, M, tau: np.exp(-distances(X, M) / (2 * tau**2)),
                "the exponent holds the squared distance",
            ),
            Mistake(
                "multiplied by 2 tau² instead of divided",
                lambda X, M, tau: np.exp(-(distances(X, M) ** 2) * (2 * tau**2)),
                "a larger tau is a wider bump: the exponent must come closer to 0",
            ),
            Mistake(
                "/ 2 * tau**2 without brackets",
                lambda X, M, tau: np.exp(-(distances(X, M) ** 2) / 2 * tau**2),
                "Python divides by 2 and then multiplies by tau²: write / (2 * tau**2)",
            ),
            Mistake(
                "gamma = tau",
                lambda X, M, tau: np.exp(-(distances(X, M) ** 2) * tau),
                "scikit-learn's gamma is 1 / (2 tau²)",
            ),
            Mistake(
                "no minus sign",
                lambda X, M, tau: np.exp(distances(X, M) ** 2 / (2 * tau**2)),
                "the further away, the less alike: the exponent is negative",
            ),
            Mistake(
                "rows and columns the wrong way round",
                lambda X, M, tau: features(M, X, tau),
                "a row for each point, a column for each prototype",
            ),
            Mistake(
                "the density with its factor",
                lambda X, M, tau: features(X, M, tau) / np.sqrt(2 * np.pi * tau**2),
                "the kernel is 1 where point and prototype coincide, and has no factor in front",
            ),
        ),
        hints=(
            "X[:, None, :] - M[None, :, :] has shape (N, K, D): all differences at once.",
            "Square it and sum over the last axis, axis=2: that is (N, K). Then np.exp of minus that over 2 * tau**2.",
        ),
    ),
    Task(
        "13-soft",
        "return the w that minimises sum_n (t_n - w phi_n)² + lam |w|, exactly 0 where that is best",
        one_weight,
        best_weight,
        mistakes=(
            Mistake(
                "lam instead of lam/2",
                one_weight_with(lambda c, h, lam: np.sign(c) * max(abs(c) - lam, 0) / h),
                "the derivative of the squares is -2 phi'(t - w phi); its 2 meets the slope lam of the penalty",
            ),
            Mistake(
                "the price of squares",
                one_weight_with(lambda c, h, lam: c / (h + lam)),
                "this minimises lam w², and is never 0",
            ),
            Mistake(
                "least squares",
                one_weight_with(lambda c, h, lam: c / h),
                "the price lam must play a part",
            ),
            Mistake(
                "all or nothing",
                one_weight_with(lambda c, h, lam: c / h if abs(c) > lam / 2 else 0),
                "a weight that stays pays as well: the pull of the data is lam/2 less",
            ),
            Mistake(
                "beyond zero",
                one_weight_with(lambda c, h, lam: (c - np.sign(c) * lam / 2) / h),
                "where lam/2 is more than |phi't| the sign would change, and with it the slope of |w|: 0 is best there",
            ),
            Mistake(
                "the sign lost",
                one_weight_with(lambda c, h, lam: max(abs(c) - lam / 2, 0) / h),
                "w has the sign of phi't",
            ),
            Mistake(
                "only for a positive pull",
                one_weight_with(lambda c, h, lam: max(c - lam / 2, 0) / h),
                "the data may pull to the negative side as well: use |phi't| and its sign",
            ),
            Mistake(
                "the least-squares weight cut by lam/2",
                one_weight_with(lambda c, h, lam: np.sign(c) * max(abs(c / h) - lam / 2, 0)),
                "it is phi't that is cut, and then divided by phi'phi",
            ),
            Mistake(
                "scikit-learn's Lasso with alpha = lam",
                lambda phi, t, lam: float(
                    np.sign(phi @ t) * max(abs(phi @ t) - len(phi) * lam, 0) / (phi @ phi)
                ),
                "Lasso minimises the squares divided by 2N: its alpha is lam / (2N)",
            ),
            Mistake(
                "not divided by phi'phi",
                one_weight_with(lambda c, h, lam: np.sign(c) * max(abs(c) - lam / 2, 0)),
                "the parabola has the curvature 2 phi'phi",
            ),
        ),
        hints=(
            "For w > 0 the derivative is 2 w phi'phi - 2 phi't + lam. Where is it 0, and when is that place > 0?",
            "For w < 0 the last term is -lam. If neither side has a place of slope 0, the minimum is at the kink.",
            "With c = phi @ t: shrink |c| by lam/2, not below 0; give it back its sign; divide by phi @ phi.",
        ),
        instances=20,
    ),
    Task(
        "13-all-zero",
        "return the smallest lam for which all weights are 0; the bias b is free and costs nothing",
        basis_and_targets,
        largest_price,
        mistakes=(
            Mistake(
                "the factor 2 lost",
                lambda Phi, t: largest_price(Phi, t) / 2,
                "the derivative of a square has a 2",
            ),
            Mistake(
                "the factor 2 and the bias forgotten",
                lambda Phi, t: float(np.abs(Phi.T @ t).max()),
                "the derivative of a square has a 2, and with w = 0 the best bias is the mean of t",
            ),
            Mistake(
                "scikit-learn's alpha",
                lambda Phi, t: float(np.abs(Phi.T @ (t - t.mean())).max() / len(t)),
                "its Lasso divides the squares by 2N; here they are not divided",
            ),
            Mistake(
                "the bias forgotten",
                lambda Phi, t: float(2 * np.abs(Phi.T @ t).max()),
                "with w = 0 the bias is still there, and its best value is the mean of t: the residuals are t - mean",
            ),
            Mistake(
                "the sign of the pull",
                lambda Phi, t: float(2 * (Phi.T @ (t - t.mean())).max()),
                "a weight may be negative: it is the size of the pull that counts",
            ),
            Mistake(
                "the smallest pull",
                lambda Phi, t: float(2 * np.abs(Phi.T @ (t - t.mean())).min()),
                "all weights are 0 only if even the strongest pull is not strong enough",
            ),
            Mistake(
                "the sum of all pulls",
                lambda Phi, t: float(2 * np.abs(Phi.T @ (t - t.mean())).sum()),
                "each weight has a price of its own to meet",
            ),
            Mistake(
                "the length of the gradient",
                lambda Phi, t: float(2 * np.linalg.norm(Phi.T @ (t - t.mean()))),
                "each weight has a price of its own to meet",
            ),
        ),
        hints=(
            "At w = 0, which b is best? What are the residuals then?",
            "Weight k stays at 0 if |derivative of the squares by w_k| <= lam. Compute all these derivatives at once.",
        ),
    ),
)
