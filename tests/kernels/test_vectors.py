"""Kernels on vectors against their formulas, and at their limits."""

import math
import re
import warnings

import numpy as np
import pytest
import sklearn.svm
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from sklearn.base import clone
from sklearn.gaussian_process.kernels import Matern as TheirMatern

from sparsekm_edu.kernels import (
    ARD,
    Cosine,
    Gaussian,
    Linear,
    LinearSpline,
    Matern,
    Polynomial,
    Sigmoid,
    _matern,
    mercer_witness,
)

rng = np.random.default_rng(1)
X, Z = rng.normal(size=(6, 3)), rng.normal(size=(4, 3))


def entrywise(k, X, Z):
    return np.array([[k(x, z) for z in Z] for x in X])


def test_formulas():
    np.testing.assert_allclose(Linear()(X, Z), entrywise(np.dot, X, Z), atol=1e-14)
    np.testing.assert_allclose(
        Polynomial(3, 0.5)(X, Z), entrywise(lambda x, z: (0.5 + x @ z) ** 3, X, Z), atol=1e-12
    )
    np.testing.assert_allclose(
        Gaussian(0.7)(X, Z), entrywise(lambda x, z: np.exp(-0.7 * np.sum((x - z) ** 2)), X, Z), rtol=1e-13
    )


def test_equation_7_42_six_features():
    def phi(x):
        r = np.sqrt(2)
        return np.array([1, r * x[0], r * x[1], x[0] ** 2, r * x[0] * x[1], x[1] ** 2])

    np.testing.assert_allclose(
        Polynomial()(X[:, :2], Z[:, :2]),
        entrywise(lambda x, z: phi(x) @ phi(z), X[:, :2], Z[:, :2]),
        atol=1e-13,
    )


def test_gaussian_far_from_the_origin():
    """Pitfall 22: squared distances by expansion are wrong by 8 at an offset of 1e8, unless centred."""
    near = np.round(X, 2)
    moved = Gaussian(0.5)(near + 1e8, near[:2] + 1e8)
    np.testing.assert_allclose(moved, Gaussian(0.5)(near, near[:2]), atol=1e-6)
    assert moved.max() <= 1


def test_gaussian_diagonal_is_exactly_one():
    np.testing.assert_array_equal(np.diag(Gaussian(1e-4)(X * 1e3 + 1e6)), 1.0)


@pytest.mark.parametrize(
    "kernel",
    [
        Linear(),
        Polynomial(),
        Gaussian(),
        ARD(1.0),
        LinearSpline(),
        Matern(),
        Matern(0.7),
        Matern(np.inf),
        Cosine(),
        Sigmoid(),
    ],
)
def test_points_must_be_a_matrix_of_usable_numbers(kernel):
    with pytest.raises(ValueError, match="X must be 2D"):
        kernel([1.0, 2.0])
    with pytest.raises(ValueError, match="X must hold finite numbers"):
        kernel([[np.nan]])
    with pytest.raises(ValueError, match=r"Z must hold finite numbers.*1e\+200"):
        kernel([[1.0]], [[1e200]])
    with pytest.raises(ValueError, match="equally many columns, got 3 and 2"):
        kernel(X, Z[:, :2])
    with pytest.raises(ValueError, match="X must be 2D"):
        kernel.diag([1.0, 2.0])
    assert kernel(X, Z[:0]).shape == (6, 0)


@pytest.mark.parametrize("gamma", [0, -1.0, np.nan, np.inf, "1", True, np.array([1.0])])
def test_row_40_gamma_must_be_positive(gamma):
    kernel = Gaussian(gamma)
    for call in (
        lambda: kernel(X),
        lambda: kernel.diag(X),
        lambda: kernel.on_grid(X[0], X[0], X[:, :2], X[:, 0]),
    ):
        with pytest.raises(ValueError, match="gamma must be a number > 0"):
            call()


@pytest.mark.parametrize(("gamma", "expected"), [(1e300, np.eye(6)), (1e-300, np.ones((6, 6)))])
def test_row_41_extreme_gamma_warns_of_a_degenerate_gram_matrix(gamma, expected):
    with pytest.warns(UserWarning, match=re.escape(f"degenerate Gram matrix for gamma = {gamma:g}")):
        K = Gaussian(gamma)(X)
    np.testing.assert_array_equal(K, expected)


def test_no_degenerate_warning_where_gamma_is_not_to_blame():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Gaussian(1.0)(X[:1])
        Gaussian(1.0)(np.repeat(X[:1], 4, axis=0))
        Gaussian(1.0)(X)
        Gaussian(1e300)(X, Z)


def test_row_44_polynomial_degree():
    np.testing.assert_array_equal(Polynomial(degree=0)(X, Z), 1.0)
    for degree in (-1, 2.5, "2", True):
        with pytest.raises(ValueError, match="degree must be a whole number >= 0"):
            Polynomial(degree)(X)
    with pytest.raises(ValueError, match=r"degree = 300 overflows: the maximum of K would be .*\^300"):
        Polynomial(300)(X * 1e3)
    with pytest.raises(ValueError, match="offset must be a finite number"):
        Polynomial(offset=np.nan)(X)


def test_ard_formula():
    def k(x, z):
        return np.exp(-0.3 * (x[0] - z[0]) ** 2 - 2.0 * (x[1] - z[1]) ** 2 - 1e-3 * (x[2] - z[2]) ** 2)

    for gamma in ((0.3, 2.0, 1e-3), [0.3, 2.0, 1e-3], np.array([0.3, 2.0, 1e-3])):
        np.testing.assert_allclose(ARD(gamma)(X, Z), entrywise(k, X, Z), rtol=1e-12)


def test_ard_with_equal_widths_is_the_gaussian():
    for gamma in (0.7, (0.7, 0.7, 0.7), np.float64(0.7)):
        np.testing.assert_array_equal(ARD(gamma)(X, Z), Gaussian(0.7)(X, Z))
        np.testing.assert_array_equal(ARD(gamma)(X), Gaussian(0.7)(X))


def test_ard_forgets_a_feature_whose_gamma_is_almost_zero():
    np.testing.assert_allclose(ARD((0.7, 1e-300, 0.7))(X, Z), Gaussian(0.7)(X[:, ::2], Z[:, ::2]), rtol=1e-13)


def test_ard_far_from_the_origin_and_with_huge_numbers():
    near = np.round(X, 2)
    moved = ARD((0.5, 0.1, 0.2))(near + 1e8, near[:2] + 1e8)
    np.testing.assert_allclose(moved, ARD((0.5, 0.1, 0.2))(near, near[:2]), atol=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        K = ARD((1e300, 1.0, 1.0))(1e149 * X, 1e149 * X[:2])
    np.testing.assert_array_equal(K, np.eye(6)[:, :2])


def test_ard_gamma_must_match_the_features():
    for call in (ARD((1.0, 1.0)), ARD((1.0, 1.0)).diag):
        with pytest.raises(ValueError, match="gamma must hold one number per feature: got 2 .* 3 features"):
            call(X)
    with pytest.raises(ValueError, match="gamma must hold one number per feature: got 3 .* 2 features"):
        ARD((1.0, 1.0, 1.0)).on_grid(X[0], X[0], X[:, :2], X[:, 0])


@pytest.mark.parametrize("gamma", [0, -1.0, np.nan, np.inf, "1", True, None, np.array(-1.0)])
def test_row_40_gamma_of_ard_must_be_positive(gamma):
    for kernel, name in ((ARD(gamma), "gamma"), (ARD((1.0, gamma, 2.0)), r"gamma\[1\]")):
        for call in (kernel, kernel.diag):
            with pytest.raises(ValueError, match=f"{name} must be a number > 0"):
                call(X)


@pytest.mark.parametrize(
    ("gamma", "shown"), [(1e300, "1e+300"), ((1e300, 1e-300, 1e300), "(1e+300, 1e-300, 1e+300)")]
)
def test_row_41_extreme_gamma_of_ard_warns_of_a_degenerate_gram_matrix(gamma, shown):
    with pytest.warns(UserWarning, match=re.escape(f"degenerate Gram matrix for gamma = {shown}")) as record:
        np.testing.assert_array_equal(ARD(gamma)(X), np.eye(6))
    assert record[0].filename == __file__  # the warning points at the caller


def test_ard_widths_can_be_searched():
    kernel = Linear() + ARD((1.0, 1.0))
    kernel.set_params(right__gamma=(0.5, 3.0))
    np.testing.assert_array_equal(kernel(X[:, :2]), Linear()(X[:, :2]) + ARD((0.5, 3.0))(X[:, :2]))


def spline(x, z):
    """Tipping's equation, in his words, as a product over features."""
    m = np.minimum(x, z)
    return np.prod(1 + x * z + x * z * m - (x + z) / 2 * m**2 + m**3 / 3)


@pytest.mark.parametrize("n_features", [1, 2, 3])
def test_linear_spline_formula(n_features):
    A, B = 10 * X[:, :n_features], 10 * Z[:, :n_features]  # on both sides of 0
    np.testing.assert_allclose(LinearSpline()(A, B), entrywise(spline, A, B), rtol=1e-10)


def test_linear_spline_is_an_inner_product_on_the_positive_side():
    u, du = np.linspace(0, 4, 400_001, retstep=True)
    x, z = 3.7, 1.2
    integrand = np.maximum(x - u, 0) * np.maximum(z - u, 0)
    inner = 1 + x * z + du * integrand.sum() - du * integrand[0] / 2  # the trapezoidal rule
    np.testing.assert_allclose(LinearSpline()([[x]], [[z]]), [[inner]], rtol=1e-9)


def test_linear_spline_is_indefinite_on_both_sides_of_zero_only():
    x = np.linspace(-10, 10, 100)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both_sides, positive = LinearSpline()(x), LinearSpline()(x + 10)
    least, *_, most = np.linalg.eigvalsh(both_sides)
    assert least < -0.01 * most
    least, *_, most = np.linalg.eigvalsh(positive)
    assert least > -1e-14 * most
    np.testing.assert_array_equal(both_sides, both_sides.T)


def test_linear_spline_overflows_with_a_sentence():
    for call in (LinearSpline(), LinearSpline().diag):
        with pytest.raises(ValueError, match="linear spline overflows .* rescale X"):
            call(1e149 * X)


# ------------------------------------------------------------------ gamma from the data


@pytest.mark.parametrize(
    "points", [X, 5.0 + 0.1 * X, X[:1], 1e100 * X, 1e-100 * X], ids=lambda X: f"{X[0, 0]:g}"
)
@pytest.mark.parametrize("gamma", ["scale", "auto"])
@pytest.mark.filterwarnings("ignore:degenerate")  # "auto" does not look at the size of X
def test_scale_and_auto_are_scikit_learns(points, gamma):
    labels = np.arange(len(points)) % 2
    if len(points) > 1:
        theirs = sklearn.svm.SVC(gamma=gamma).fit(points, labels)._gamma
    else:
        theirs = 1 / 3 if gamma == "auto" else 1 / (3 * points.var())
    kernel = Gaussian(gamma)
    assert kernel.adapted_to(points).gamma == pytest.approx(theirs, rel=1e-13)
    assert kernel.gamma == gamma
    assert repr(kernel) == f"Gaussian(gamma='{gamma}')" == repr(clone(kernel))
    np.testing.assert_array_equal(kernel(points), kernel.adapted_to(points)(points))
    np.testing.assert_array_equal(kernel.diag(points), 1.0)


def test_row_42_without_variance_scale_is_one():
    for value in (0.0, 0.1, 1e149, 1e-300):
        assert Gaussian("scale").adapted_to(np.full((7, 3), value)).gamma == 1.0
    assert Gaussian("scale").adapted_to(1e-200 * X).gamma == 1.0  # it is below the smallest number there is


def test_weights_count_in_scale():
    weight = np.array([1, 2, 3, 1, 4, 2])
    weighted, copies = (
        Gaussian("scale").adapted_to(X, weight).gamma,
        Gaussian("scale").adapted_to(np.repeat(X, weight, axis=0)).gamma,
    )
    assert weighted == pytest.approx(copies, rel=1e-14)
    assert weighted != pytest.approx(Gaussian("scale").adapted_to(X).gamma, rel=1e-3)


def test_parts_of_a_kernel_are_adapted_too():
    kernel = Linear() + 2.0 * (Gaussian("auto") * Gaussian("scale")) + Gaussian(0.3)
    adapted = kernel.adapted_to(X)
    scale = adapted.left.right.kernel.right.gamma
    assert scale == pytest.approx(1 / (3 * X.var()))
    assert repr(adapted) == repr(Linear() + 2.0 * (Gaussian(1 / 3) * Gaussian(scale)) + Gaussian(0.3))
    np.testing.assert_array_equal(kernel(X), adapted(X))
    assert kernel.left.right.kernel.right.gamma == "scale"
    assert adapted.right is not kernel.right


def test_between_data_and_other_points_gamma_must_be_a_number():
    for call in (
        lambda: Gaussian("scale")(X, Z),
        lambda: (Linear() + Gaussian("scale"))(X, Z),
        lambda: Gaussian("scale").on_grid(X[0], X[0], X[:, :2], X[:, 0]),
    ):
        with pytest.raises(
            ValueError, match=r"gamma must be a number.*'scale'.*adapted_to\(X\) is the kernel"
        ):
            call()
    for call in (Gaussian("scal"), Gaussian("scal").diag, Gaussian("scal").adapted_to):
        with pytest.raises(ValueError, match="gamma must be a number > 0, 'scale' or 'auto', got 'scal'"):
            call(X)


# ------------------------------------------------------------------ Matern

ORDERS = [1e-3, 0.3, 0.5, 1.0, 1.2, 1.5, 2.0, 2.5, 3.7, 10.0, 19.9, 20.1, 40.0, 300.0, 1e6, np.inf]


def mixture(nu, r):
    """The Matern kernel without Bessel functions: the mean of exp(-s^2/4t), t having a gamma distribution of shape nu.

    With t = nu e^u the integrand is one bump around u = 0, whatever nu is.
    """

    def log_integrand(u):
        return nu * u - nu * math.exp(u) + nu * math.log(nu) - math.lgamma(nu) - r**2 / 2 * math.exp(-u)

    grid = np.linspace(-8, 8, 2001)
    peak = grid[np.argmax([log_integrand(u) for u in grid])]
    ends = (peak - 14, peak + 6) if nu < 40 else (peak - 10 / math.sqrt(nu), peak + 10 / math.sqrt(nu))
    return quad(
        lambda u: math.exp(log_integrand(u)), *ends, points=[peak], epsabs=0, epsrel=1e-11, limit=200
    )[0]


@pytest.mark.parametrize("nu", [0.5, 1.0, 1.2, 1.5, 2.5, 3.7, 19.9, 20.1, 40.0])
def test_matern_is_a_mixture_of_gaussians(nu):
    for r in (0.1, 1.0, 3.0):
        assert Matern(nu, 2.0)([[0.0]], [[2.0 * r]])[0, 0] == pytest.approx(mixture(nu, r), rel=3e-9)


def half_integer(p, s):
    """Order p + 1/2 as a finite sum of positive terms, DLMF 10.49.12, in whole numbers as long as possible."""
    terms = [math.factorial(p + i) * math.comb(p, i) * (2 * s) ** (p - i) for i in range(p + 1)]
    return math.fsum(terms) * math.exp(-s) / math.factorial(2 * p)


@pytest.mark.parametrize("p", [0, 1, 2, 3, 8, 15, 19, 20, 21, 25, 40])
def test_matern_of_half_integer_order_is_a_polynomial_times_an_exponential(p):
    """From order 20 on this tries the asymptotic series."""
    r = np.array([1e-8, 1e-3, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0])
    expected = [half_integer(p, math.sqrt(2 * p + 1) * distance) for distance in r]
    np.testing.assert_allclose(Matern(p + 0.5)([[0.0]], r[:, None])[0], expected, rtol=1e-13)
    np.testing.assert_allclose(_matern.at_distance(r, p + 0.5), expected, rtol=1e-13)


@pytest.mark.parametrize("nu", ORDERS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # theirs, for large orders
def test_matern_is_scikit_learns(nu):
    theirs = TheirMatern(0.7, nu=nu)(X)
    if nu >= 300 and nu < np.inf:
        assert not np.isfinite(theirs).all()
        theirs = mixture_matrix(nu, X / 0.7)
    np.testing.assert_allclose(Matern(nu, 0.7)(X), theirs, rtol=1e-8 if nu >= 300 else 1e-12)
    np.testing.assert_allclose(Matern(nu, 0.7)(X, Z), Matern(nu, 0.7)(np.vstack([X, Z]))[:6, 6:], rtol=1e-13)


def mixture_matrix(nu, X):
    return np.array([[mixture(nu, np.linalg.norm(x - z)) for z in X] for x in X])


def test_matern_obeys_the_recurrence_of_bessel_functions():
    """M_(nu + 1) = M_nu + s^2 / (4 nu (nu - 1)) M_(nu - 1) at the same s; around 20 across two ways to compute it."""
    s = np.linspace(0.01, 60, 200)
    for nu in (1.3, 3.0, 19.6, 20.6, 25.0, 150.0):
        lower, middle, upper = (_matern.at_distance(s / np.sqrt(2 * n), n) for n in (nu - 1, nu, nu + 1))
        np.testing.assert_allclose(upper, middle + s**2 / (4 * nu * (nu - 1)) * lower, rtol=1e-12)


@pytest.mark.parametrize("nu", [1e-3, 0.3, 0.5, 1.0, 1.2, 3.7, 19.9])
def test_matern_of_many_points_is_interpolated(nu):
    """Against the same in small parts, which are not; near and far, and where points coincide."""
    r = np.append(np.geomspace(1e-9, 1e4, 60_000), 0.0)
    few = np.concatenate([_matern.at_distance(part, nu) for part in np.array_split(r, 30)])
    for many in (_matern.at_distance(r[:-1], nu), _matern.at_distance(np.tile(r, 4), nu)[: len(r) - 1]):
        np.testing.assert_allclose(many, few[:-1], rtol=2e-12, atol=1e-300)
        assert (many != few[:-1]).any()  # it was another way to compute it
    assert _matern.at_distance(np.tile(r, 4), nu)[-1] == 1.0


def test_matern_tends_to_the_gaussian():
    gaussian = Gaussian(gamma=1 / (2 * 0.7**2))(X, Z)
    np.testing.assert_allclose(Matern(np.inf, 0.7)(X, Z), gaussian, rtol=1e-13)
    distances = [
        np.abs(Matern(nu, 0.7)(X, Z) - gaussian).max() for nu in (0.5, 1.5, 2.5, 10, 100, 1e4, 1e8, 1e12)
    ]
    assert (np.diff(distances) < 0).all()
    assert distances[-2] < 1e-8
    np.testing.assert_allclose(Matern(1e15, 0.7)(X, Z), Matern(2e16, 0.7)(X, Z), rtol=1e-12)


@pytest.mark.parametrize("nu", ORDERS)
def test_matern_near_and_far(nu):
    """Exactly 1 at distance 0, for any order and any length, and never nan, at tiny and at huge distances."""
    points = np.concatenate([[0.0], np.geomspace(1e-300, 1e149, 300)])[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for length in (1e-300, 1e-150, 1.0, 1e300):
            k = Matern(nu, length)([[0.0]], points)[0]
            assert k[0] == 1.0
            assert (k >= 0.0).all()
            assert (k <= 1.0).all()
            assert (np.diff(k) <= 1e-13).all()
            K = Matern(nu, length)(points[::30])
            np.testing.assert_array_equal(np.diag(K), 1.0)
            np.testing.assert_array_equal(K, K.T)
    assert Matern(nu)([[0.0]], [[max(1e3, 1e3 / np.sqrt(nu))]]) == 0.0


def test_matern_sees_small_differences_far_from_the_origin():
    """exp(-r) has a kink at 0: distances by expansion, wrong by 1e-8, would show."""
    near = np.array([[0.0], [2.0**-20], [0.5]])
    for nu in (0.5, 0.7, 1.5, np.inf):
        np.testing.assert_array_equal(Matern(nu)(near + 2.0**20), Matern(nu)(near))


def test_matern_without_compiled_loops(monkeypatch):
    expected = {nu: Matern(nu, 0.7)(X, Z) for nu in ORDERS}
    monkeypatch.setattr(_matern, "COMPILED", False)
    for nu in ORDERS:
        np.testing.assert_allclose(Matern(nu, 0.7)(X, Z), expected[nu], rtol=1e-13)
        np.testing.assert_array_equal(np.diag(Matern(nu)(X[:1])), 1.0)


@pytest.mark.parametrize("value", [0, -1.0, np.nan, "1", True, None])
def test_matern_parameters_must_be_positive(value):
    for call in (lambda kernel: kernel(X), lambda kernel: kernel.diag(X)):
        with pytest.raises(ValueError, match=r"nu must be a number > 0 \(infinity is allowed\), got"):
            call(Matern(nu=value))
        with pytest.raises(ValueError, match="length must be a number > 0, got"):
            call(Matern(length=value))
    with pytest.raises(ValueError, match="length must be a number > 0, got inf"):
        Matern(length=np.inf)(X)


@given(st.integers(1, 70), st.integers(1, 70), st.sampled_from([0.5, 1.5, 2.5, np.inf]))
def test_matern_of_any_number_of_points(n, m, nu):
    """Tiles and rows that end anywhere."""
    points = np.random.default_rng(n).normal(size=(max(n, m), 2))
    kernel = Matern(nu, 0.5)
    np.testing.assert_allclose(kernel(points[:n]), kernel(points[:n], points[:n].copy()), rtol=1e-14)
    r = np.linalg.norm(points[:n, None] - points[:m], axis=2)
    np.testing.assert_allclose(kernel(points[:n], points[:m]), _matern.at_distance(r / 0.5, nu), rtol=1e-12)


# ------------------------------------------------------------------ cosine and sigmoid


def test_cosine_formula():
    K = entrywise(lambda x, z: x @ z / np.sqrt(x @ x) / np.sqrt(z @ z), X, Z)
    np.testing.assert_allclose(Cosine()(X, Z), K, rtol=1e-13)
    np.testing.assert_allclose(
        Cosine()(X * [[1e-250], [1e149], [1], [2], [3], [4]], 1e-300 * Z), K, rtol=1e-11
    )


def test_cosine_of_the_vector_zero_is_zero():
    points = np.vstack([X, np.zeros(3)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        K = Cosine()(points)
        np.testing.assert_array_equal(Cosine()(Z, points)[:, -1], 0.0)
        np.testing.assert_array_equal(Cosine()(np.empty((2, 0))), 0.0)
    np.testing.assert_array_equal(K[-1], 0.0)
    np.testing.assert_array_equal(np.diag(K), [1.0] * 6 + [0.0])
    np.testing.assert_array_equal(Cosine().diag(points), np.diag(K))


def test_sigmoid_formula():
    expected = entrywise(lambda x, z: np.tanh(0.7 * x @ z - 1.3), X, Z)
    np.testing.assert_allclose(Sigmoid(0.7, -1.3)(X, Z), expected, rtol=1e-13)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(
            Sigmoid(1e300)([[1e149]], [[1e149], [-1e149], [0.0]]), [[1.0, -1.0, 0.0]]
        )
    for scale in (0.0, -1.0, np.nan, "1"):
        with pytest.raises(ValueError, match="scale must be a number > 0"):
            Sigmoid(scale)(X)
    with pytest.raises(ValueError, match="offset must be a finite number"):
        Sigmoid(offset=np.inf).diag(X)


def test_sigmoid_counter_example():
    """Two eigenvalues of a 2 x 2 matrix by hand: half the trace, plus and minus the root."""
    a, b, c = np.tanh(0.0), np.tanh(1.0), np.tanh(3.0)
    least = (a + c) / 2 - np.sqrt(((a - c) / 2) ** 2 + b**2)
    assert round(least, 3) == -0.412
    found = mercer_witness(Sigmoid(1.0, -1.0), [[1.0], [2.0]])
    assert found.value == pytest.approx(least, abs=1e-15)


@pytest.mark.parametrize("scale", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("offset", [-3.0, -1.0, 0.0, 0.5, 1.0, 3.0])
def test_no_sigmoid_is_a_mercer_kernel(scale, offset):
    """is_mercer = False is true of all of them: some points speak against each."""
    x = np.linspace(-4, 4, 41)[:, None] / np.sqrt(scale)
    assert mercer_witness(Sigmoid(scale, offset), x).value < -1e-3
