"""Where the learner acts: guesses before the answer, cells to fill, checks that say why, and what was done so far.

    exercises.guess("01-a")                    a question; the answer unfolds when a guess is committed
    exercises.check("01-margin", margin_of)    right or wrong, and why
    exercises.hint("01-margin")                one hint after the other
    exercises.solution("01-margin")            the worked solution, a function
    exercises.contents()                       the exercises of notebook 17, and which of them are passed
    exercises.progress(), exercises.reset()    what was done; start over

The questions and tasks of a notebook stand in one module, which is named after it; the exercises of notebook 17 in
`practice/`.
"""

from sparsekm_edu.exercises.catalogue import EXERCISES, GUESSES, TASKS
from sparsekm_edu.exercises.face import check, contents, guess, hint, ids, progress, reset, solution

__all__ = [
    "EXERCISES",
    "GUESSES",
    "TASKS",
    "check",
    "contents",
    "guess",
    "hint",
    "ids",
    "progress",
    "reset",
    "solution",
]
