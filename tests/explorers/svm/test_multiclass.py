"""Many classes alive: areas, decisions and disagreements against the library's estimators and plain counting."""

import numpy as np
import pytest
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier

from sparsekm_edu import DAGSVM, SVC, Gaussian, LeeSVC, Linear, WestonWatkinsSVC
from sparsekm_edu.explorers.svm.multiclass import GRID, STRATEGIES
from sparsekm_edu.lessons import halfplanes

POINTS = np.stack(np.meshgrid(*[np.linspace(-2.99, 2.99, 300)] * 2), axis=-1).reshape(-1, 2)


def number(explorer, fact):
    return float(explorer.picture.facts[fact].split()[0])


def drag(explorer, index, x, y):
    u, v = explorer.stage.to_page(explorer.stage.view.axes[0], x, y)
    explorer._on_gesture({"type": "move", "index": index, "u": u, "v": v})


# figure 14.14


@pytest.mark.parametrize(
    "fields",
    [{}, {"C": 0.05}, {"spread": 1.0, "drawn": 3}, {"means": ((0.0, 0.1), (-1.8, -0.2), (1.8, 0.2))}],
    ids=str,
)
def test_ambiguous_areas_are_those_of_scikit_learns_wrappers(make, fields):
    explorer = make("ambiguity")
    explorer.set(**fields)
    X, t, machine = explorer.picture.X, explorer.picture.t, SVC(C=explorer.state.C, kernel=Linear())
    said = (OneVsRestClassifier(machine).fit(X, t).decision_function(POINTS) > 0).sum(axis=1)
    pairs = OneVsOneClassifier(machine).fit(X, t)
    winners = np.stack([m.predict(POINTS) for m in pairs.estimators_])  # 0: first of the pair, 1: second
    tied = (winners[0] == winners[2]) & (
        winners[0] != winners[1]
    )  # 0 beats 1 beats 2 beats 0, or the other way
    assert number(explorer, "nobody claims") == pytest.approx(36 * np.mean(said == 0), abs=0.2)
    assert number(explorer, "two or three claim") == pytest.approx(36 * np.mean(said > 1), abs=0.2)
    assert number(explorer, "votes tied") == pytest.approx(36 * tied.mean(), abs=0.2)
    errors = np.sum(OneVsRestClassifier(machine).fit(X, t).predict(X) != t)
    assert explorer.picture.facts["errors with (7.49)"] == f"{errors} of 45"
    beaten = np.sum(pairs.predict(X) != t)
    assert explorer.picture.facts["errors of the votes"] == f"{beaten} of 45"


def test_a_dragged_mean_takes_its_class_along_and_no_other(make):
    explorer = make("ambiguity")
    before = explorer.picture.X
    drag(explorer, 1, -1.0, -2.0)
    moved = np.any(before != explorer.picture.X, axis=1)
    np.testing.assert_array_equal(moved, explorer.picture.t == 1)
    np.testing.assert_allclose(explorer.picture.X[15:30].mean(axis=0), (-1.0, -2.0), atol=1e-6)


def test_a_class_between_the_others_is_claimed_by_nobody(make):
    """The linear machine of the middle class gives up: y = -1 everywhere. (7.49) still finds it, and so do votes."""
    explorer = make("ambiguity")
    explorer.set(means=((0.0, 0.0), (-1.8, 0.0), (1.8, 0.0)))
    assert not any(0 in region.classes for region in explorer.picture.regions[0])
    assert explorer.picture.facts["margins 1/|wₖ|"].startswith("∞")
    assert number(explorer, "nobody claims") > 8
    assert number(explorer, "left by (7.49)") == 0


def test_classes_in_one_place_leave_even_the_largest_output_undecided(make):
    explorer = make("ambiguity")
    explorer.set(means=((0.0, 0.0),) * 3, C=0.01)
    W, b = explorer.picture.lines[0]
    left_over = halfplanes.ambiguous_area(halfplanes.largest_output(W, b, halfplanes.corners((-3, 3, -3, 3))))
    assert number(explorer, "left by (7.49)") == pytest.approx(left_over, abs=0.01)


def test_settling_gives_every_piece_of_the_picture_to_one_class(make):
    explorer = make("ambiguity")
    explorer.set(settle=True)
    by_output, by_sum = explorer.picture.decided
    assert sum(region.area for region in by_output) == pytest.approx(36)
    assert sum(region.area for region in by_sum) == pytest.approx(number(explorer, "votes tied"), abs=0.01)
    assert not any(region.ambiguous for region in by_output + by_sum)


def test_draw_again_is_another_cloud_around_the_same_means(make):
    explorer = make("ambiguity")
    before = explorer.picture.X
    (again,) = [b for b in explorer.children[1].children[-1].children if b.description == "Draw again"]
    again.click()
    assert not np.array_equal(explorer.picture.X, before)
    np.testing.assert_allclose(explorer.picture.X[:15].mean(axis=0), explorer.state.means[0], atol=1e-9)


# two strategies

ESTIMATORS = {
    "one versus the rest": lambda C, kernel: OneVsRestClassifier(SVC(C, kernel)),
    "output code": lambda C, kernel: OneVsRestClassifier(SVC(C, kernel)),  # the same, with three classes
    "one versus one, votes": lambda C, kernel: OneVsOneClassifier(SVC(C, kernel)),
    "DAGSVM": lambda C, kernel: DAGSVM(SVC(C, kernel)),
    "Weston & Watkins": WestonWatkinsSVC,
    "Lee, Lin & Wahba": LeeSVC,
}


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("fields", [{}, {"C": 30.0, "gamma": 4.0}], ids=str)
def test_every_strategy_decides_as_its_estimator(make, name, fields):
    explorer = make("multiclass")
    explorer.set(left=name, right="DAGSVM", **fields)
    state = explorer.state
    model = ESTIMATORS[name](state.C, Gaussian(gamma=state.gamma)).fit(state.X, state.t)
    points = np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2)
    differing = model.predict(points) != explorer.picture.labels[0].ravel()
    assert differing.mean() < 2e-3  # cells on a boundary, where outputs are equal to rounding
    errors = np.sum(model.predict(state.X) != state.t)
    assert explorer.picture.facts["errors, left | right"].split(" | ")[0] == str(errors)


def test_a_strategy_agrees_with_itself_and_three_classes_leave_codes_no_choice(make):
    explorer = make("multiclass")
    for pair in ("DAGSVM", "DAGSVM"), ("one versus the rest", "output code"):
        explorer.set(left=pair[0], right=pair[1])
        assert explorer.picture.facts["they disagree on"] == "0.00% of area"
        assert explorer.picture.facts["points in dispute"] == "0 of 60"


def test_dagsvm_asks_one_machine_less(make):
    explorer = make("multiclass")
    explorer.set(left="one versus one, votes", right="DAGSVM")
    assert explorer.picture.facts["asked per new point"] == "3 | 2"
    assert explorer.picture.facts["problems solved"] == "3 | 3"


def test_each_class_must_have_a_point(make):
    explorer = make("multiclass")
    keep = explorer.state.t != 2
    explorer.set(X=explorer.state.X[keep], t=explorer.state.t[keep])
    assert "three classes" in explorer.message
    assert explorer.canvas.stale
    explorer.reset()
    assert explorer.message == ""
