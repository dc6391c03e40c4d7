"""What the tests of exercises share: an answer is handed in, and the check's verdict is looked at. `task` is an id or
the Task itself."""

import numpy as np

from sparsekm_edu import exercises
from sparsekm_edu.exercises.comparing import compare


def arguments(task, seed=7):
    """Those of one random instance."""
    return exercises.TASKS[id_of(task)].instance(np.random.default_rng([seed, 0]))


def passes(task, answer, seeds=range(5)):
    """It is right on all instances of these seeds."""
    for seed in seeds:
        result = exercises.check(id_of(task), answer, seed=seed)
        assert result.passed, result


def never_passes(task, answer, seeds=range(15)):
    """What is wrong in some cases only is found whenever it is handed in."""
    with np.errstate(all="ignore"):
        assert [seed for seed in seeds if exercises.check(id_of(task), answer, seed=seed)] == []


def said(task, answer, seed=1):
    """What the check says to a wrong answer."""
    with np.errstate(all="ignore"):
        result = exercises.check(id_of(task), answer, seed=seed)
    assert not result.passed
    return result.message


def solution_and_route_agree(task, seeds):
    """To more digits than the check asks for."""
    task = exercises.TASKS[id_of(task)]
    assert task.route
    for seed in seeds:
        given = task.instance(np.random.default_rng([1000, seed]))
        assert compare(task.solution(*given), task.right_result(given), task.agreeing, close=1e-8) is None


def id_of(task):
    return task if isinstance(task, str) else task.id
