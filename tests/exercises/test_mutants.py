"""A check that lets a wrong answer pass is worse than none: every systematic slip in a worked solution is rejected.

`python tests/exercises/mutants.py` lists how many there are.
"""

import numpy as np
import pytest
from mutants import mutants, trial

from sparsekm_edu import exercises
from sparsekm_edu.exercises import tasks

TASKS = [task for task in exercises.TASKS.values() if isinstance(task, tasks.Task)]
each_task = pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])


@each_task
def test_mutants_are_rejected(task, monkeypatch):
    monkeypatch.setattr(tasks, "LIMIT", 1.0)  # some never end
    changed, passed = trial(task, seeds=(1,), most=40)
    assert passed == []
    assert len(changed) >= 10


@pytest.mark.slow
@each_task
def test_all_mutants_are_rejected_on_every_seed(task):
    changed, passed = trial(task, seeds=range(5), most=1000)
    assert passed == []
    assert len(changed) >= 10


def test_the_generator_of_mutants():
    """Each change is made, and one at a time."""

    def solution(x, y):
        """Documentation is no code."""
        z = np.sum(x) + 2 * y
        return -z

    made = {mutant.change.split(": ")[0].split(", ")[1]: mutant.function for mutant in mutants(solution)}
    x, y = np.array([1.0, 2.0]), 5.0
    assert solution(x, y) == -13
    assert made["mean for sum"](x, y) == -11.5
    assert made["a sign lost"](x, y) == 13
    assert made["the other operation"](x, y) in (7, -3.4)  # of the sum, of the product
    assert made["one more"](x, y) == -18
    assert len({mutant.change for mutant in mutants(solution)}) >= 10
