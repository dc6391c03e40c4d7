"""The player of K-medoids: its first state stands still where a swap helps, and every number is of the steps shown."""

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from sparsekm_edu import Gaussian, KMedoids, Linear
from sparsekm_edu.explorers.kernels.medoids import N_STARTS
from sparsekm_edu.solvers import swap_gains


def cost(D, medoids):
    return D[list(medoids)].min(axis=0).sum()


def number(explorer, label):
    return float(explorer.picture.facts[label])


def test_the_first_state_stands_still_and_the_next_step_is_a_swap_to_the_best_there_is(make):
    explorer = make("medoids")
    X, steps, k = explorer.state.X, explorer.picture.steps, explorer.state.step
    D = cdist(X, X)
    assert [step.action for step in steps[k - 1 : k + 2]] == ["assign", "update", "swap"]
    np.testing.assert_array_equal(steps[k].medoids, steps[k - 1].medoids)
    cloud = np.repeat([0, 1, 2], 8)
    assert cloud[steps[k].medoids].tolist() == [0, 0, 2]  # two in one cloud, none in the second
    best = min(combinations(range(24), 3), key=lambda medoids: cost(D, medoids))
    assert sorted(steps[-1].medoids) == list(best)
    assert number(explorer, f"best of {N_STARTS + 1} runs") == pytest.approx(cost(D, best), abs=5e-4)
    assert number(explorer, "cost") == pytest.approx(cost(D, steps[k].medoids), abs=5e-4)
    explorer.set(step=k + 1)
    gain = swap_gains(D, steps[k].medoids).max()
    assert number(explorer, "saved by this step") == pytest.approx(gain, abs=5e-4)
    assert number(explorer, "saved by swaps") == pytest.approx(gain, abs=5e-4)
    assert gain > 0.6 * (cost(D, steps[k].medoids) - cost(D, best))
    assert explorer.picture.facts["what moves"] == "point 1 → 12"


@pytest.mark.parametrize(
    ("distance", "kernel"), [("euclidean", None), ("squared", Linear()), ("gaussian", Gaussian(2.0))]
)
@pytest.mark.parametrize("K", [1, 3, 5])
def test_the_best_of_the_runs_is_what_the_machine_finds(make, distance, kernel, K):
    explorer = make("medoids")
    explorer.set(distance=distance, gamma=2.0, K=K, step=10**6)
    machine = KMedoids(K, kernel=kernel, n_init=30, random_state=0).fit(explorer.state.X)
    assert number(explorer, f"best of {N_STARTS + 1} runs") == pytest.approx(machine.inertia_, abs=5e-3)
    assert explorer.picture.steps[-1].cost >= explorer.picture.best
    assert explorer.picture.facts["step"].endswith("end")


def test_what_every_step_saves_adds_up_and_none_costs_anything(make):
    explorer = make("medoids")
    explorer.set(K=4, start=7)
    steps = explorer.picture.steps
    saved = []
    for k in range(len(steps)):
        explorer.set(step=k)
        saved.append(number(explorer, "saved by this step"))
    assert min(saved) >= 0
    assert sum(saved) == pytest.approx(steps[0].cost - steps[-1].cost, abs=5e-4 * len(saved))


def test_the_readout_counts_who_moves(make):
    explorer = make("medoids")
    steps = explorer.picture.steps
    said = []
    for k in range(len(steps)):
        explorer.set(step=k)
        said.append(explorer.picture.facts["what moves"])
        if steps[k].action == "update":
            moved = np.sum(steps[k].medoids != steps[k - 1].medoids)
            assert said[-1] == f"{moved} of 3 medoids"
        elif steps[k].action == "assign" and k > 1:
            assert said[-1] == f"{np.sum(steps[k].labels != steps[k - 1].labels)} of 24 points"
    assert said[:2] == ["nothing", "24 of 24 points"]


def test_a_dragged_point_starts_the_same_run_again(make):
    explorer = make("medoids")
    first = explorer.picture.steps[0].medoids
    X = explorer.state.X.copy()
    X[0] = 1.0, 1.2
    explorer.set(X=X)
    np.testing.assert_array_equal(explorer.picture.steps[0].medoids, first)
    assert explorer.state.step == min(4, len(explorer.picture.steps) - 1)


def test_another_start_has_other_medoids_and_begins_at_the_beginning(make):
    explorer = make("medoids")
    first = explorer.picture.steps[0].medoids
    explorer.start_again()
    assert explorer.state.step == 0
    assert set(explorer.picture.steps[0].medoids) != set(first)
    assert explorer.state.drawn == 0


def test_more_medoids_than_points_are_explained(make):
    explorer = make("medoids")
    explorer.set(X=explorer.state.X[:2], t=explorer.state.t[:2])
    assert "3 medoids need at least 3 points" in explorer.message
    explorer.set(K=2)
    assert explorer.message == ""
    assert explorer.picture.facts["cost"] == "0.000"
