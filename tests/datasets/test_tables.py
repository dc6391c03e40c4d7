"""The table of mixed columns: what its docstring promises."""

import numpy as np
import pytest
from scipy.integrate import quad_vec
from scipy.special import expit
from scipy.stats import norm

from sparsekm_edu import datasets

MANY = 200_000


@pytest.fixture(scope="module")
def many():
    return datasets.apples(MANY, seed=5)


def test_columns_have_the_units_they_promise(many):
    columns, t = many
    assert list(columns) == ["variety", "sugar", "acid", "diameter"]
    for name, mean, spread in (("sugar", 0.12, 0.015), ("acid", 6, 1.5), ("diameter", 72, 8)):
        assert columns[name].mean() == pytest.approx(mean, abs=4 * spread / np.sqrt(MANY))
        assert columns[name].std() == pytest.approx(spread, rel=0.01)
    names, counts = np.unique(columns["variety"], return_counts=True)
    assert tuple(names) == datasets.APPLE_VARIETIES
    assert np.abs(counts / MANY - 1 / 8).max() < 0.003
    assert set(t) == {-1.0, 1.0}


def test_varieties_are_in_alphabetical_order_and_half_of_them_taste_good():
    assert list(datasets.APPLE_VARIETIES) == sorted(datasets.APPLE_VARIETIES)
    ordinary = {
        "variety": np.array(datasets.APPLE_VARIETIES),
        "sugar": np.full(8, 0.12),
        "acid": np.full(8, 6.0),
    }
    odds = datasets.apple_log_odds(ordinary)
    np.testing.assert_allclose(np.sort(odds), [-0.5] * 4 + [4.5] * 4)
    assert np.sum(np.diff(odds) != 0) == 5  # along the alphabet it goes up and down


def test_labels_follow_the_log_odds(many):
    columns, t = many
    p = expit(datasets.apple_log_odds(columns))
    for low in np.arange(0, 1, 0.1):
        inside = (p >= low) & (p < low + 0.1)
        assert np.mean(t[inside] > 0) == pytest.approx(p[inside].mean(), abs=0.02)


def test_the_diameter_tells_nothing(many):
    columns, t = many
    assert abs(np.corrcoef(columns["diameter"], t)[0, 1]) < 4 / np.sqrt(MANY)
    more = columns | {"diameter": columns["diameter"] + 100}
    np.testing.assert_array_equal(datasets.apple_log_odds(columns), datasets.apple_log_odds(more))


def test_the_least_possible_error_by_integration_is_that_of_many_apples(many):
    """Sugar enters the odds linearly: the error is an integral over sugar and acid."""

    def error(acid, taste):
        sugar = np.linspace(-6, 6, 601)
        p = expit(2.5 * taste + 2 * sugar - 2 * acid**2 + 2)
        return norm.pdf(acid) * np.trapezoid(norm.pdf(sugar) * np.minimum(p, 1 - p), sugar)

    exact = np.mean([quad_vec(lambda acid, taste=taste: error(acid, taste), -6, 6)[0] for taste in (-1, 1)])
    p = expit(datasets.apple_log_odds(many[0]))
    assert exact == pytest.approx(0.123, abs=5e-4)
    assert np.minimum(p, 1 - p).mean() == pytest.approx(exact, abs=0.002)


def test_a_seed_is_a_table():
    (a, t), (b, same), (c, _) = (datasets.apples(50, seed=seed) for seed in (3, 3, 4))
    for name in a:
        np.testing.assert_array_equal(a[name], b[name])
        assert (a[name] != c[name]).any()
    np.testing.assert_array_equal(t, same)
