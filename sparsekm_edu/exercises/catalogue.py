"""All guesses, tasks and exercises, by id. The id of a cell in the course begins with the number of its notebook,
"01-margin"; that of an exercise of notebook 17 is its number in the book, "7.5", with a letter per step, "7.5a"."""

from sparsekm_edu.exercises import (
    kernel_machines,
    kernel_trick,
    kernels,
    maximum_margin,
    practice,
    selection,
    smoothing,
    sparsity,
)

NOTEBOOKS = {
    "01": "Maximum margin",
    "10": "Analysis of sparsity",
    "12": "Kernels",
    "13": "Kernel machines",
    "14": "The kernel trick",
    "15": "Choosing hyperparameters",
    "16": "Smoothing kernels",
}
LESSONS = maximum_margin, sparsity, kernels, kernel_machines, kernel_trick, selection, smoothing

GUESSES = {guess.id: guess for lesson in LESSONS for guess in lesson.GUESSES}
#: in the order of notebook 17: by notebook of the course, then from easy to hard
EXERCISES = {
    exercise.id: exercise
    for exercise in sorted(practice.EXERCISES, key=lambda exercise: (exercise.notebook, exercise.stars))
}
#: every cell to fill, those of the course first
TASKS = {task.id: task for lesson in LESSONS for task in lesson.TASKS} | {
    step.id: step for exercise in EXERCISES.values() for step in exercise.steps
}
