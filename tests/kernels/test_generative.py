"""Probability products against quadrature; scores and informations against differences and sums over all inputs."""

from itertools import product

import numpy as np
import pytest
from scipy.integrate import dblquad, quad
from scipy.stats import multivariate_normal, norm
from sklearn.base import clone

from sparsekm_edu.kernels import (
    Fisher,
    Gaussian,
    GaussianMean,
    Linear,
    MarkovChain,
    Multinomial,
    ProbabilityProduct,
    Spectrum,
)

rng = np.random.default_rng(8)
X, Z = rng.normal(size=(6, 3)), rng.normal(size=(4, 3))


# ------------------------------------------------------------------------------------------- probability products


@pytest.mark.parametrize("rho", [0.3, 0.5, 1.0, 2.5])
@pytest.mark.parametrize("sigma", [0.4, 1.0, 3.0])
def test_14_23_by_quadrature_on_a_line(rho, sigma):
    for x, z in ((0.0, 0.0), (0.3, 1.5), (-2.0, 1.0)):
        middle, width = (x + z) / 2, sigma / np.sqrt(2 * rho)
        area, _ = quad(
            lambda u, x=x, z=z: norm.pdf(u, x, sigma) ** rho * norm.pdf(u, z, sigma) ** rho,
            middle - 12 * width,
            middle + 12 * width,
            epsabs=0,
            epsrel=1e-10,
        )
        assert ProbabilityProduct(rho, sigma)([[x]], [[z]])[0, 0] == pytest.approx(area, rel=1e-9)


@pytest.mark.parametrize("rho", [0.5, 1.0, 1.7])
def test_14_23_by_quadrature_in_the_plane(rho):
    x, z, sigma = np.array([0.2, -0.4]), np.array([1.0, 0.5]), 0.8
    p, q = (multivariate_normal(mean, sigma**2 * np.eye(2)) for mean in (x, z))
    area, _ = dblquad(lambda v, u: (p.pdf((u, v)) * q.pdf((u, v))) ** rho, -7, 8, -7, 8, epsrel=1e-9)
    assert ProbabilityProduct(rho, sigma)([x], [z])[0, 0] == pytest.approx(area, rel=1e-7)


def test_14_24_as_the_book_prints_it():
    sigma = 0.7
    distances = np.sum((X[:, None] - Z) ** 2, axis=2)
    expected = (4 * np.pi * sigma**2) ** (-3 / 2) * np.exp(-distances / (4 * sigma**2))
    np.testing.assert_allclose(ProbabilityProduct(sigma=sigma)(X, Z), expected, rtol=1e-12)


def test_bhattacharyya_is_one_on_the_diagonal():
    kernel = ProbabilityProduct(rho=0.5, sigma=1.3)
    np.testing.assert_allclose(np.diag(kernel(X)), 1.0, rtol=1e-14)
    np.testing.assert_allclose(kernel(X, Z), Gaussian(1 / (8 * 1.3**2))(X, Z), rtol=1e-13)


def test_probability_product_diag_grid_and_clone():
    kernel = clone(ProbabilityProduct(rho=0.8, sigma=0.6))
    np.testing.assert_allclose(kernel.diag(X), np.diag(kernel(X)), rtol=1e-14)
    x1, x2, v = np.linspace(-1, 1, 4), np.linspace(0, 2, 3), np.arange(4.0)
    points = np.array([(a, b) for b in x2 for a in x1])
    np.testing.assert_allclose(
        kernel.on_grid(x1, x2, Z[:, :2], v), (kernel(points, Z[:, :2]) @ v).reshape(3, 4), rtol=1e-12
    )
    assert kernel.get_params() == {"rho": 0.8, "sigma": 0.6}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"rho": 0}, "rho must be a number > 0, got 0"),
        ({"sigma": -1.0}, "sigma must be a number > 0, got -1.0"),
        ({"sigma": "1"}, "sigma must be a number > 0, got '1'"),
        (
            {"sigma": 1e-200},
            "rho = 1 and sigma = 1e-200 give a kernel out of the range of numbers for points with 3",
        ),
        ({"sigma": 1e200}, "out of the range of numbers"),
        ({"sigma": 1e-120}, "out of the range of numbers"),
        ({"rho": 1e300}, "out of the range of numbers"),
    ],
)
def test_probability_products_that_do_not_exist(given, sentence):
    for call in (lambda kernel: kernel(X), lambda kernel: kernel.diag(X)):
        with pytest.raises(ValueError, match=sentence):
            call(ProbabilityProduct(**given))


# ------------------------------------------------------------------------------------------------- Fisher kernels


def gradient(f, at, h=1e-6):
    """Of a function of a flat array, by central differences."""
    return np.array([(f(at + step) - f(at - step)) / (2 * h) for step in h * np.eye(len(at))])


def softmax(eta):
    e = np.exp(eta - eta.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def literal(model, X, Z):
    """(14.25) with the pseudo-inverse."""
    return (
        model.score(X) @ np.linalg.pinv(model.information(), rcond=1e-10, hermitian=True) @ model.score(Z).T
    )


THETA = np.array([0.5, 0.3, 0.15, 0.05])
ROWS = np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.25, 0.5, 0.25]])
COUNTS = rng.integers(0, 6, (5, 4))
STRINGS = ["abcabca", "", "a", "bb", "ccabcbcbcaac"]


def all_strings(letters, length):
    return ["".join(word) for word in product(letters, repeat=length)]


def probability(string, theta, start, letters):
    """Of a string of a chain of first order."""
    numbers = [letters.index(letter) for letter in string]
    return start[numbers[0]] * np.prod([theta[a, b] for a, b in zip(numbers, numbers[1:], strict=False)])


def stationary(theta):
    """The left eigenvector of a chain of first order to the eigenvalue 1."""
    values, vectors = np.linalg.eig(theta.T)
    pi = np.real(vectors[:, np.argmax(np.real(values))])
    return pi / pi.sum()


def test_scores_are_gradients_14_26():
    mean = np.array([0.3, -0.2, 0.9])
    for x in X:
        g = gradient(lambda theta, x=x: multivariate_normal(theta, 0.49 * np.eye(3)).logpdf(x), mean)
        np.testing.assert_allclose(GaussianMean(0.7, mean).score([x])[0], g, atol=1e-7)
    for x in COUNTS:
        g = gradient(lambda eta, x=x: x @ np.log(softmax(eta)), np.log(THETA))
        np.testing.assert_allclose(Multinomial(theta=THETA).score([x])[0], g, atol=1e-7)
    for string in STRINGS:
        g = gradient(
            lambda eta, string=string: np.log(
                probability(string or "a", softmax(eta.reshape(3, 3)), np.ones(3), "abc")
            ),
            np.log(ROWS).ravel(),
        )
        np.testing.assert_allclose(MarkovChain("abc", theta=ROWS).score([string])[0], g, atol=1e-7)


def test_information_is_the_mean_of_squared_scores_and_minus_the_mean_hessian_14_27():
    """For one draw from a multinomial, summed over all of them. The book's sign would make F negative."""
    model, eta = Multinomial(theta=THETA), np.log(THETA)
    g = model.score(np.eye(4))
    squares = g.T @ (THETA[:, None] * g)
    hessian = sum(
        p * np.array([gradient(lambda e, d=d, x=x: (x - softmax(e))[d], eta) for d in range(4)])
        for p, x in zip(THETA, np.eye(4), strict=True)
    )
    np.testing.assert_allclose(model.information(), squares, atol=1e-15)
    np.testing.assert_allclose(model.information(), -hessian, atol=1e-9)
    assert np.linalg.eigvalsh(squares).max() > 0.1


def test_information_of_a_gaussian_mean():
    draws = rng.normal((1.0, -2.0), 0.5, (200_000, 2))
    model = GaussianMean(0.5, (1.0, -2.0))
    g = model.score(draws)
    np.testing.assert_allclose(model.information(), g.T @ g / len(g), atol=0.05)  # 4 with an error of 0.013
    np.testing.assert_array_equal(model.information(), 4.0 * np.eye(2))


def test_information_of_a_chain_is_that_of_all_strings():
    """Strings of T letters that begin in the long-run distribution: T - 1 letters that were drawn, each with F."""
    model, T, pi = MarkovChain("abc", theta=ROWS), 5, stationary(ROWS)
    strings = all_strings("abc", T)
    p = np.array([probability(string, ROWS, pi, "abc") for string in strings])
    assert p.sum() == pytest.approx(1)
    g = model.score(strings)
    np.testing.assert_allclose(p @ g, 0, atol=1e-14)  # scores have mean 0
    np.testing.assert_allclose((T - 1) * model.information(), g.T @ (p[:, None] * g), atol=1e-14)


def test_information_of_a_chain_of_second_order():
    theta = softmax(rng.normal(size=(4, 2)))
    model = MarkovChain("ab", order=2, theta=theta)
    step = np.zeros((4, 4))  # from a pair of letters to the next pair
    pairs = all_strings("ab", 2)
    for c, pair in enumerate(pairs):
        for a, letter in enumerate("ab"):
            step[c, pairs.index(pair[1] + letter)] += theta[c, a]
    pi = stationary(step)
    blocks = [often * (np.diag(row) - np.outer(row, row)) for often, row in zip(pi, theta, strict=True)]
    F = model.information()
    for c, block in enumerate(blocks):
        np.testing.assert_allclose(F[2 * c : 2 * c + 2, 2 * c : 2 * c + 2], block, atol=1e-14)
    assert np.count_nonzero(F) == 16
    np.testing.assert_array_equal(model.score(["abaab"]).reshape(4, 2)[3], 0)  # "bb" was not visited


@pytest.mark.parametrize(
    ("model", "left", "right"),
    [
        (GaussianMean(0.7, np.array([0.3, -0.2, 0.9])), X, Z),
        (Multinomial(theta=THETA), COUNTS, COUNTS[:2]),
        (MarkovChain("abc", theta=ROWS), STRINGS, ["abab", "ccc"]),
        (MarkovChain("abc", order=2, theta=softmax(rng.normal(size=(9, 3)))), STRINGS, ["abab", "ccc"]),
        (MarkovChain("ab", order=0, theta=[[0.3, 0.7]]), ["abba", "", "b"], ["a"]),
    ],
)
def test_14_25_with_the_pseudo_inverse(model, left, right):
    kernel = Fisher(model)
    np.testing.assert_allclose(kernel(left, right), literal(model, left, right), rtol=1e-9, atol=1e-9)
    K = kernel(left)
    np.testing.assert_allclose(K, literal(model, left, left), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(kernel.diag(left), np.diag(K), rtol=1e-12)
    assert np.linalg.eigvalsh(K).min() > -1e-9 * K.max()
    assert kernel.takes == model.takes


def test_gaussian_mean_is_the_linear_kernel():
    np.testing.assert_array_equal(Fisher(GaussianMean(theta=0.0))(X, Z), Linear()(X, Z))
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(Fisher(GaussianMean(sigma=2.0))(X), Linear()(centred) / 4, atol=1e-14)


def test_multinomial_does_not_depend_on_how_theta_is_written():
    """The first three of four probabilities as parameters: other scores, another F, which is regular; the same k."""
    g = COUNTS[:, :3] / THETA[:3] - COUNTS[:, 3:] / THETA[3]
    numeric = gradient(lambda p: COUNTS[0] @ np.log([*p, 1 - p.sum()]), THETA[:3])
    np.testing.assert_allclose(g[0], numeric, rtol=1e-7)
    F = np.diag(1 / THETA[:3]) + 1 / THETA[3]
    one = np.vstack([np.diag(1 / THETA[:3]), np.full(3, -1 / THETA[3])])  # the scores of one draw
    np.testing.assert_allclose(F, one.T @ np.diag(THETA) @ one, rtol=1e-12)
    K = Fisher(Multinomial(theta=THETA))(COUNTS)
    np.testing.assert_allclose(K, g @ np.linalg.solve(F, g.T), rtol=1e-9)
    n = COUNTS.sum(axis=1)
    np.testing.assert_allclose(K, (COUNTS / THETA) @ COUNTS.T - np.outer(n, n), rtol=1e-9, atol=1e-9)


def test_order_0_is_a_multinomial_on_letters():
    counts = np.array([[string.count(letter) for letter in "abc"] for string in STRINGS])
    np.testing.assert_allclose(
        Fisher(MarkovChain("abc", order=0, pseudo_count=0.5))(STRINGS),
        Fisher(Multinomial(pseudo_count=0.5))(counts),
        rtol=1e-12,
        atol=1e-12,
    )


@pytest.mark.parametrize("order", [1, 2])
def test_section_14_2_8_2_when_a_fisher_kernel_is_a_string_kernel(order):
    letters = "abc"
    A, strings = len(letters), ["".join(rng.choice(list(letters), 30)) for _ in range(6)]

    def spectrum(strings, k):
        words = all_strings(letters, k)
        counts = np.array([[sum(s.startswith(w, i) for i in range(len(s))) for w in words] for s in strings])
        return counts, counts @ counts.T

    uniform = MarkovChain(letters, order, theta=np.full((A**order, A), 1 / A))
    n, words = spectrum(strings, order + 1)
    _, contexts = spectrum([s[:-1] for s in strings], order)
    np.testing.assert_allclose(
        Fisher(uniform)(strings), A ** (order + 1) * words - A**order * contexts, rtol=1e-9
    )
    np.testing.assert_array_equal(Spectrum(order + 1)(strings), words)
    # theta without its constraint, F = I: log p = sum_ca n_ca log theta_ca has the gradient A n_ca
    raw = gradient(lambda theta: n[0] @ np.log(theta), np.full(n.shape[1], 1 / A))
    np.testing.assert_allclose(raw, A * n[0], atol=1e-6)
    np.testing.assert_allclose((A * n) @ (A * n).T, A**2 * words)


def test_theta_hat_maximises_the_likelihood():
    counts = COUNTS + 1
    theta = Multinomial(pseudo_count=0).fitted_to(counts).theta
    np.testing.assert_allclose(theta, counts.sum(axis=0) / counts.sum())
    np.testing.assert_allclose(Multinomial(theta=theta).score(counts).sum(axis=0), 0, atol=1e-12)
    model = MarkovChain(pseudo_count=0).fitted_to(["aababbba", "abab"])
    np.testing.assert_allclose(model.theta, [[1 / 5, 4 / 5], [3 / 5, 2 / 5]])
    np.testing.assert_allclose(model.score(["aababbba", "abab"]).sum(axis=0), 0, atol=1e-12)
    mean = GaussianMean().fitted_to(X)
    np.testing.assert_allclose(mean.score(X).sum(axis=0), 0, atol=1e-12)


def test_pseudo_counts_and_weights():
    np.testing.assert_allclose(Multinomial().fitted_to([(3, 0, 1)]).theta, np.array([4, 1, 2]) / 7)
    np.testing.assert_allclose(
        MarkovChain("ab", pseudo_count=0.5).fitted_to(["aab"]).theta, [[0.5, 0.5], [0.5, 0.5]]
    )
    twice = np.array([2.0, 1.0, 1.0, 1.0, 3.0])
    for model, data in ((Multinomial(), COUNTS), (MarkovChain(), STRINGS), (GaussianMean(), X[:5])):
        repeated = [data[0], *data, data[4], data[4]]
        np.testing.assert_allclose(
            Fisher(model).adapted_to(data, twice).model.theta, Fisher(model).adapted_to(repeated).model.theta
        )


@pytest.mark.parametrize(
    ("model", "data"), [(GaussianMean(), X), (Multinomial(), COUNTS), (MarkovChain(), STRINGS)]
)
def test_what_is_learned_stays_learned(model, data):
    kernel = Fisher(model)
    adapted = kernel.adapted_to(data)
    assert kernel.model.theta is None
    copy = clone(adapted)
    np.testing.assert_array_equal(copy(data[:2]), adapted(data)[:2, :2])
    np.testing.assert_array_equal(copy.adapted_to(data[:2]).model.theta, adapted.model.theta)
    np.testing.assert_array_equal(kernel(data), adapted(data))
    np.testing.assert_allclose(kernel.diag(data), np.diag(adapted(data)))
    np.testing.assert_array_equal(
        (2.0 * kernel).adapted_to(data)(data, data[:2]), 2.0 * adapted(data, data[:2])
    )
    with pytest.raises(
        ValueError, match=r"Fisher\(model=.*\)\.adapted_to\(X\) is the kernel with the theta-hat"
    ):
        kernel(data, data[:2])


def test_parts_are_searched_over():
    kernel = Fisher(MarkovChain("ab"))
    assert kernel.set_params(model__order=2).model.order == 2
    assert kernel(["abba"]).shape == (1, 1)


def test_no_inputs_and_short_strings():
    kernel = Fisher(MarkovChain("ab")).adapted_to(["abab"])
    assert kernel([], ["a"]).shape == (0, 1)
    assert kernel(["", "a", "ab"])[:2].tolist() == [[0, 0, 0], [0, 0, 0]]
    assert Fisher(MarkovChain("ab", order=3))(["ab", "ba"]).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("model", "data", "sentence"),
    [
        (None, X, r"model must be one of GaussianMean\(\), Multinomial\(\) and MarkovChain\(\).*, got None"),
        (MarkovChain, STRINGS, "model must be one of"),
        (GaussianMean(sigma=0), X, "sigma must be a number > 0, got 0"),
        (
            GaussianMean(theta=(1.0, 2.0)),
            X,
            r"theta must hold one number per column of X, got shape \(2,\) for 3",
        ),
        (GaussianMean(), X[:0], "needs at least one point"),
        (Multinomial(), X, "X must hold counts >= 0, got -"),
        (Multinomial(pseudo_count=-1), COUNTS, "pseudo_count must be a number >= 0, got -1"),
        (
            Multinomial(pseudo_count=0),
            [(1, 0)],
            "pseudo_count must be > 0 where the data lack something, got 0",
        ),
        (
            Multinomial(theta=(0.5, 0.6)),
            [(1, 0)],
            r"theta must hold probabilities > 0 with sum 1 .* shape \(2,\)",
        ),
        (Multinomial(theta=(0.5, 0.5)), [(1, 0, 0)], r"in shape \(3,\)"),
        (Multinomial(theta=(1.0, 0.0)), [(1, 0)], "theta must hold probabilities > 0"),
        (
            MarkovChain("ab"),
            STRINGS,
            "X must hold letters of the alphabet 'ab', got 'c' in the string at index 0",
        ),
        (MarkovChain("aab"), ["ab"], "alphabet must be a string of different letters, got 'aab'"),
        (MarkovChain(["a", "b"]), ["ab"], "alphabet must be a string of different letters"),
        (MarkovChain(), ["", ""], "alphabet must hold a letter"),
        (MarkovChain(order=-1), STRINGS, "order must be a whole number >= 0, got -1"),
        (
            MarkovChain(order=30),
            STRINGS,
            r"order must be so small that 3 letters have at most 10000 .* got 30",
        ),
        (MarkovChain(), "abc", "X must be a list of strings"),
        (MarkovChain(), ["abc", 1.5], "at index 1"),
    ],
)
def test_models_and_data_that_make_no_sense(model, data, sentence):
    with pytest.raises(ValueError, match=sentence):
        Fisher(model)(data)


def test_z_is_named():
    kernel = Fisher(MarkovChain()).adapted_to(["ab", "ba"])
    with pytest.raises(ValueError, match="Z must hold letters of the alphabet 'ab', got 'x'"):
        kernel(["ab"], ["ax"])
