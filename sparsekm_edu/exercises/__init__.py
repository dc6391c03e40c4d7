"""Where the learner acts: guesses before the answer, cells to fill, checks that say why, and what was done so far.

    exercises.guess("01-a")                    a question; the answer unfolds when a guess is committed
    exercises.check("01-margin", margin_of)    right or wrong, and why
    exercises.hint("01-margin")                one hint after the other
    exercises.solution("01-margin")            the worked solution, a function
    exercises.contents()                       the exercises of notebook 17, and which of them are passed
    exercises.deck(), exercises.cards("RVM")   the cards of the viva, to play; as a list
    exercises.examination(), exercises.boxes() ten of them against a clock; how well they are known
    exercises.export_anki(), print_cards()     the cards for Anki, and on paper
    exercises.progress(), exercises.reset()    what was done; start over

The questions and tasks of a notebook stand in one module, which is named after it; the exercises of notebook 17 in
`practice/`, the cards of notebook 18 in `viva/`.
"""

from sparsekm_edu.exercises.catalogue import EXERCISES, GUESSES, TASKS
from sparsekm_edu.exercises.face import check, contents, guess, hint, ids, progress, reset, solution
from sparsekm_edu.exercises.viva.face import boxes, cards, deck, examination, export_anki, print_cards

__all__ = [
    "EXERCISES",
    "GUESSES",
    "TASKS",
    "boxes",
    "cards",
    "check",
    "contents",
    "deck",
    "examination",
    "export_anki",
    "guess",
    "hint",
    "ids",
    "print_cards",
    "progress",
    "reset",
    "solution",
]
