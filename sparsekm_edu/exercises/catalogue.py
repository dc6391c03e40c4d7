"""All guesses and tasks of the course, by id. An id begins with the number of its notebook: "01-margin"."""

from sparsekm_edu.exercises import (
    kernel_machines,
    kernel_trick,
    kernels,
    maximum_margin,
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
TASKS = {task.id: task for lesson in LESSONS for task in lesson.TASKS}
