"""The widget that asks for a guess: question, answer box, "I commit", and then the answer."""

from pathlib import Path

import anywidget
import traitlets

from sparsekm_edu.exercises import record
from sparsekm_edu.live.explorer import replace_earlier_explorer_of_this_cell


class Question(anywidget.AnyWidget):
    """Asks one Guess. `commit(value)` is what the button does; `guessed` is None before."""

    _esm = Path(__file__).parent / "question.js"
    _css = Path(__file__).parent / "question.css"

    id = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    spec = traitlets.Dict().tag(sync=True)
    guessed = traitlets.Any(None, allow_none=True).tag(sync=True)  # what was committed
    right = traitlets.Bool(False).tag(sync=True)
    verdict = traitlets.Unicode().tag(sync=True)
    answer = traitlets.Unicode().tag(sync=True)  # empty until a guess is committed
    truth = traitlets.List([]).tag(sync=True)  # of a curve: its heights, empty until then
    message = traitlets.Unicode().tag(sync=True)  # what is wrong

    def __init__(self, guess):
        super().__init__(id=guess.id, question=guess.question, spec=guess.spec())
        self.guess = guess
        self.on_msg(self._on_message)
        earlier = record.load()[0]["guesses"].get(guess.id, {}).get("value")
        if earlier is not None:
            self._reveal(earlier)
        replace_earlier_explorer_of_this_cell(self)

    def commit(self, value):
        """Store the guess, then tell the answer; a guess that is none becomes a sentence."""
        if self._reveal(value):
            self.message = record.change("guesses", self.id, value=self.guessed, right=self.right)

    def ask_again(self):
        """Fold the answer and forget this guess on the page; the record keeps the last one committed."""
        with self.hold_sync():
            self.guessed, self.right, self.verdict, self.answer, self.truth, self.message = (
                None,
                False,
                "",
                "",
                [],
                "",
            )

    def _reveal(self, value):
        kind = self.guess.kind
        try:
            value = kind.accepted(value)
        except ValueError as refusal:
            self.message = str(refusal)
            return False
        truth = self.guess.truth()
        with self.hold_sync():
            self.right, self.verdict = kind.verdict(value, truth)
            self.answer = self.guess.answer(truth)
            self.truth = kind.heights(truth).tolist() if hasattr(kind, "heights") else []
            self.message, self.guessed = "", value
        return True

    def _on_message(self, _, content, buffers):
        try:
            if content.get("type") == "commit":
                self.commit(content.get("value"))
            elif content.get("type") == "again":
                self.ask_again()
        except Exception as mishap:  # told on the page, where the learner looks
            self.message = f"{type(mishap).__name__}: {mishap}"

    def __repr__(self):
        return f"Guess, then see. {self.guess.plain()}"

    def _repr_mimebundle_(self, **kwargs):
        """The live question; where widgets cannot live, the question and a fold."""
        bundle, *metadata = as_pair(super()._repr_mimebundle_(**kwargs))
        return {**bundle, "text/html": self.guess.saved(), "text/plain": repr(self)}, *metadata


def as_pair(bundle):
    """anywidget gives a bundle, or a bundle and metadata."""
    return bundle if isinstance(bundle, tuple) else (bundle, {})
