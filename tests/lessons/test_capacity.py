"""What lines can do is checked against linear programming, how wrong they are against quadrature."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import linprog
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from sparsekm_edu import datasets
from sparsekm_edu.lessons.capacity import (
    bivariate_normal,
    cover_count,
    dichotomies,
    labellings,
    line_error,
    radon,
    sauer,
    widest_line,
)
from sparsekm_edu.solvers import NotSeparable


def separable_by_linear_programming(X, t):
    """Is t_n (w'x_n + b) >= 1 feasible? Independent of every solver of the course."""
    A = -t[:, None] * np.column_stack([X, np.ones(len(X))])
    found = linprog(np.zeros(X.shape[1] + 1), A, -np.ones(len(X)), bounds=(None, None), method="highs")
    return found.status == 0


def done(X):
    return [line is not None for line in dichotomies(X)]


notches = st.integers(-30, 30).map(lambda k: k / 10)


def hulls_meet_there(X, t, proof):
    """The point of a Radon partition is a convex combination of both groups, and these are of different classes."""
    one, other, point = proof
    assert len({*t[one]}) == len({*t[other]}) == 1
    assert t[one[0]] != t[other[0]]
    for group in (one, other):
        A = np.vstack([X[group].T, np.ones(len(group))])
        found = linprog(
            np.zeros(len(group)), A_eq=A, b_eq=np.append(point, 1.0), bounds=(0, None), method="highs"
        )
        assert found.status == 0
    return True


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(notches, notches), min_size=2, max_size=5))
def test_a_labelling_has_a_line_or_a_proof_that_there_is_none(places):
    X = np.array(places)
    for t, line in zip(labellings(len(X)), dichotomies(X), strict=True):
        assert (line is not None) == separable_by_linear_programming(X, t)
        proof = radon(X, t)
        if line is None:
            assert hulls_meet_there(X, t, proof)
        else:
            assert proof is None
            assert np.all(t * (X @ line.w + line.b) >= 1 - 1e-6)  # (7.5)


@pytest.mark.parametrize("D", [1, 2, 3])
@pytest.mark.parametrize("n", range(1, 7))
def test_covers_formula_counts_what_the_solver_finds(n, D):
    X = np.random.default_rng(10 * n + D).normal(size=(n, D))
    assert sum(done(X)) == cover_count(n, D) <= sauer(n, D + 1) <= 2**n
    assert (cover_count(n, D) == 2**n) == (n <= D + 1)  # the VC dimension is D + 1


def test_at_twice_the_vc_dimension_half_of_the_labellings_are_left():
    for D in range(1, 9):
        assert 2 * cover_count(2 * (D + 1), D) == 2 ** (2 * (D + 1))


def test_labellings_are_all_there_and_opposites_face_each_other():
    t = labellings(4)
    assert t.shape == (16, 4)
    assert len({tuple(row) for row in t}) == 16
    np.testing.assert_array_equal(t, -t[::-1])
    X = np.random.default_rng(0).normal(size=(4, 2))
    for line, opposite in zip(found := dichotomies(X), reversed(found)):
        if line is not None:
            np.testing.assert_allclose(line.w, -opposite.w, atol=1e-12)
            assert line.b == pytest.approx(-opposite.b, abs=1e-12)


@pytest.mark.parametrize(
    ("X", "one", "other", "point"),
    [
        ([(0, 0), (1, 0), (1, 1), (0, 1)], [0, 2], [1, 3], (0.5, 0.5)),
        ([(0, 0), (2, 0), (0, 2), (0.5, 0.5)], [0, 1, 2], [3], (0.5, 0.5)),
        ([(0, 0), (1, 1), (2, 2), (5, 0)], [0, 2], [1], (1, 1)),
        ([(3, 1), (0, 2), (3, 1)], [0], [2], (3, 1)),
    ],
)
def test_radons_partition(X, one, other, point):
    found = radon(np.array(X, float))
    assert (list(found[0]), list(found[1])) == (one, other)
    np.testing.assert_allclose(found[2], point, atol=1e-12)


def test_three_points_in_general_position_have_no_radon_partition():
    assert radon([(0, 0), (1, 0), (0, 1)]) is None


def test_three_in_a_row_lose_two_labellings_and_four_with_three_in_a_row_four():
    row = np.array([(-1.8, -0.9), (0, 0), (1.8, 0.9)])
    assert sum(done(row)) == 6
    assert sum(done(np.vstack([row, (-0.8, 1.6)]))) == 12


def test_widest_line_of_one_class_and_of_classes_that_overlap():
    line = widest_line(np.eye(3), -np.ones(3))
    assert not line.w.any()
    assert line.b == -1
    assert line.margin == np.inf
    with pytest.raises(NotSeparable):
        widest_line([(0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0)], [1, 1, -1, -1])


# the exact error


def error_by_quadrature(angle, shift, gap):
    """Integrate over x_1 the probability that x_2 takes cos x_1 + sin x_2 + shift across zero."""
    cos, sin = np.cos(angle), abs(np.sin(angle))

    def wrong(x):
        density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
        return density * (ndtr(-(shift + cos * x) / sin) + ndtr((shift - cos * x) / sin))

    steps = {np.clip(s * shift / cos + k * sin, gap, 12) for s in (-1, 1) for k in (-8, -3, -1, 0, 1, 3, 8)}
    cuts = sorted({gap, 12.0, *steps})
    return sum(quad(wrong, a, b, epsabs=1e-13)[0] for a, b in zip(cuts, cuts[1:])) / (2 * ndtr(-gap))


@pytest.mark.parametrize("gap", [0.0, 0.2, 0.5, 1.5])
@pytest.mark.parametrize("shift", [0.0, -0.01, 0.4, 2.5])
@pytest.mark.parametrize("angle", [1e-3, -0.05, 0.7, 2.0, -3.0])
def test_line_error_against_quadrature(angle, shift, gap):
    w = 3.0 * np.array([np.cos(angle), np.sin(angle)])
    assert line_error(w, 3.0 * shift, gap) == pytest.approx(error_by_quadrature(angle, shift, gap), abs=1e-9)


def test_line_error_in_closed_forms():
    for angle in (0.0, 0.3, np.pi / 2, 3.0, np.pi):  # through the origin, no gap: theta / pi
        assert line_error(np.array([np.cos(angle), np.sin(angle)]), 0.0) == pytest.approx(
            angle / np.pi, abs=1e-12
        )
    assert line_error(np.array([1.0, 0.0]), 0.4) == pytest.approx(
        ndtr(0.4) - 0.5, abs=1e-12
    )  # parallel to the truth
    assert line_error(np.array([1.0, 0.0]), 0.4, gap=0.5) == pytest.approx(0, abs=1e-12)  # inside the gap
    assert line_error(np.zeros(2), 1.0) == 0.5


@pytest.mark.parametrize("gap", [0.0, 0.5])
def test_line_error_against_many_points(gap):
    X, t = datasets.noise_free(400_000, gap, seed=1)
    for w, b in (((0.9, 0.5), 0.1), ((0.2, -1.0), -0.7)):
        missed = np.mean(t * (X @ np.array(w) + b) <= 0)
        assert line_error(np.array(w), b, gap) == pytest.approx(missed, abs=4 * np.sqrt(missed / len(t)))


@settings(max_examples=60, deadline=None)
@given(st.floats(-4, 4), st.floats(-4, 4), st.floats(-0.99, 0.99))
def test_bivariate_normal_against_scipy(h, k, rho):
    expected = multivariate_normal.cdf([h, k], cov=[[1, rho], [rho, 1]], abseps=1e-10, releps=1e-10)
    assert bivariate_normal(h, k, rho) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: cover_count(0), "N must be a whole number >= 1"),
        (lambda: cover_count(4, 0), "D must be"),
        (lambda: cover_count(2.5), "N must be"),
        (lambda: line_error(np.ones(2), 0.0, gap=-1.0), "gap must be a number >= 0"),
    ],
)
def test_bad_numbers_are_explained(call, word):
    with pytest.raises(ValueError, match=word):
        call()
