"""The viva: cards with a question and a model answer, to be said aloud."""
