"""The pipe with three phases: paths against brute force, areas against shares, readings against Beer's law."""

import numpy as np
import pytest

from sparsekm_edu import datasets
from sparsekm_edu.datasets.flow import (
    ABSORPTION,
    ANNULAR,
    HORIZONTAL,
    RADIUS,
    STRATIFIED,
    VERTICAL,
    rims,
    surfaces,
)

CHORDS = 2 * np.sqrt(1 - np.append(VERTICAL, HORIZONTAL) ** 2)


def phase_at(kind, shares, x, y):
    """0 oil, 1 water, 2 gas at each place of a pipe with layers or rings, told from where the borders are."""
    if kind == STRATIFIED:
        low, high = surfaces([shares])[0]
        return np.where(y < low, 1, np.where(y < high, 0, 2))
    gas, oil = rims([shares])[0]
    r = np.hypot(x, y)
    return np.where(r < gas, 2, np.where(r < oil, 0, 1))


@pytest.mark.parametrize("kind", [ANNULAR, STRATIFIED])
def test_layers_and_rings_fill_their_shares_of_the_disc(kind):
    x, y = np.meshgrid(*2 * [np.linspace(-1, 1, 1201)])
    inside = np.hypot(x, y) < 1
    for shares in datasets.pipe_contents(12, seed=4)[1]:
        phases = phase_at(kind, shares, x[inside], y[inside])
        np.testing.assert_allclose(np.bincount(phases, minlength=3) / phases.size, shares, atol=2e-3)


@pytest.mark.parametrize("kind", [ANNULAR, STRATIFIED])
def test_paths_are_those_that_one_walks(kind):
    shares = datasets.pipe_contents(12, seed=5)[1]
    walk = (np.arange(20_000) + 0.5) / 20_000 - 0.5
    for row, paths in zip(shares, datasets.beam_paths(np.full(12, kind), shares), strict=True):
        beams = [(0 * walk + x, chord * walk) for x, chord in zip(VERTICAL, CHORDS[:3], strict=True)]
        beams += [(chord * walk, 0 * walk + y) for y, chord in zip(HORIZONTAL, CHORDS[3:], strict=True)]
        for (x, y), chord, path in zip(beams, CHORDS, paths, strict=True):
            walked = np.bincount(phase_at(kind, row, x, y), minlength=3) / walk.size * chord
            np.testing.assert_allclose(path, walked, atol=3e-4)


def test_paths_add_up_to_the_chords_and_milk_is_the_same_everywhere():
    t, shares = datasets.pipe_contents(300, seed=1)
    paths = datasets.beam_paths(t, shares)
    assert paths.min() >= 0
    np.testing.assert_allclose(paths.sum(axis=2), np.broadcast_to(CHORDS, (300, 6)), atol=1e-14)
    milk = t == 0
    np.testing.assert_allclose(
        paths[milk] / CHORDS[:, None], np.repeat(shares[milk][:, None], 6, axis=1), atol=1e-14
    )


@pytest.mark.parametrize("phase", range(3))
def test_a_pipe_full_of_one_phase_looks_the_same_in_every_configuration(phase):
    paths = datasets.beam_paths([0, 1, 2], [np.eye(3)[phase]] * 3)
    np.testing.assert_allclose(paths[..., phase], np.tile(CHORDS, (3, 1)), atol=1e-14)
    np.testing.assert_allclose(np.delete(paths, phase, axis=2), 0, atol=1e-14)


def test_without_noise_beers_law_and_the_two_energies_give_the_shares_of_milk():
    X, t = datasets.three_phase_flow(n=60, photons=np.inf, seed=2)
    kinds, shares = datasets.pipe_contents(n=60, seed=2)
    np.testing.assert_array_equal(t, kinds)
    for n in np.flatnonzero(t == 0):
        readings = X[n].reshape(2, 6)  # energies, beams
        equations = np.vstack([RADIUS * ABSORPTION, np.ones(3)])
        for beam, chord in enumerate(CHORDS):
            found = np.linalg.solve(equations, [*(readings[:, beam] / chord), 1.0])
            np.testing.assert_allclose(found, shares[n], atol=1e-10)


def test_noise_is_that_of_counted_photons():
    exact = datasets.three_phase_flow(n=900, photons=np.inf, seed=3)[0]
    for photons in (1000, 100_000):
        X = datasets.three_phase_flow(n=900, photons=photons, seed=3)[0]
        # of an expected count m, log(count) has the standard deviation 1 / sqrt(m)
        standard = (X - exact) * np.sqrt(photons * np.exp(-exact))
        assert abs(standard.std() - 1) < 0.03
        assert abs(standard.mean()) < 0.06
    assert np.isfinite(datasets.three_phase_flow(photons=0.1)[0]).all()  # hardly a photon arrives


def test_a_third_of_each_all_shares_equally_likely_and_the_seed_decides():
    X, t = datasets.three_phase_flow(n=100, seed=1)
    assert X.shape == (100, 12)
    assert X.dtype == t.dtype == float
    assert [int((t == k).sum()) for k in range(3)] == [34, 33, 33]
    np.testing.assert_array_equal(X, datasets.three_phase_flow(n=100, seed=1)[0])
    assert not np.array_equal(X, datasets.three_phase_flow(n=100, seed=2)[0])
    shares = datasets.pipe_contents(20_000)[1]
    np.testing.assert_allclose(shares.mean(axis=0), 1 / 3, atol=0.01)
    np.testing.assert_allclose(np.cov(shares.T), (np.eye(3) - 1 / 3) / 12, atol=2e-3)  # of the flat Dirichlet


def test_left_and_right_differ_only_by_noise_up_and_down_do_not():
    exact, t = datasets.three_phase_flow(n=99, photons=np.inf)
    below, above = exact[:, 3], exact[:, 5]
    np.testing.assert_allclose(below[t != 2], above[t != 2], atol=1e-12)
    assert (below[t == 2] >= above[t == 2]).all()  # what absorbs more lies lower
    assert (below[t == 2] > above[t == 2] + 0.1).mean() > 0.5


@pytest.mark.parametrize("photons", [0, -1.0, np.nan])
def test_no_photons(photons):
    with pytest.raises(ValueError, match=r"photons must be a number > 0 \(infinity is allowed\), got"):
        datasets.three_phase_flow(photons=photons)
