"""Notebook 10: guesses and cells to fill."""

GUESSES = ()
TASKS = ()
