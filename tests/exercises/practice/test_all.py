"""The exercises as a whole: all of them there, each complete, each with the books' number."""

import pytest

from sparsekm_edu.exercises import EXERCISES
from sparsekm_edu.exercises.claims import Claim

#: how hard the books say they are; MLaPP says nothing, so 14.1 and 14.2 are ours
STARS = {
    "7.1": 2,
    "7.2": 1,
    "7.3": 2,
    "7.4": 2,
    "7.5": 2,
    "7.6": 1,
    "7.7": 1,
    "7.8": 1,
    "7.9": 1,
    "7.10": 2,
    "7.11": 2,
    "7.12": 2,
    "7.13": 2,
    "7.14": 2,
    "7.15": 2,
    "7.16": 1,
    "7.17": 2,
    "7.18": 1,
    "7.19": 2,
}
MURPHY = {"14.1", "14.2"}
BUILT = {"build-smo", "build-rvm", "build-kernel", "build-pca"}
each = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)


def test_all_of_them_are_there():
    assert set(EXERCISES) == set(STARS) | MURPHY | BUILT
    steps = [step.id for exercise in EXERCISES.values() for step in exercise.steps]
    assert len(steps) == len(set(steps))


@each
def test_number_and_difficulty_are_the_books(exercise):
    if exercise.id in STARS:
        assert (exercise.source, exercise.stars) == (f"PRML {exercise.id}", STARS[exercise.id])
    elif exercise.id in MURPHY:
        assert exercise.source == f"MLaPP {exercise.id}"
    else:
        assert (exercise.source, exercise.stars) == ("build it", 3)


@each
def test_it_is_complete(exercise):
    assert exercise.taught
    assert exercise.bring
    assert 1 <= len(exercise.steps) <= 5
    assert len(exercise.task.split()) > 20
    assert "$" in exercise.worked
    for step in exercise.steps:
        assert 2 <= len(step.hints) <= 3
        assert not any(
            "$" in text or "\\" in text for text in [step.asks, *step.hints]
        )  # they are plain text


def test_most_derivations_have_a_road_of_their_own():
    """What a learner derives is compared with another computation, not with the same formula typed twice."""
    functions = [
        step for exercise in EXERCISES.values() for step in exercise.steps if not isinstance(step, Claim)
    ]
    without = [step.id for step in functions if not step.route and not step.accepts]
    assert len(without) <= len(functions) // 4, without
