"""An exercise of notebook 17: a task in words, the steps that are checked, and the worked solution."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    id: "7.5", "build-smo"; title, source: "PRML 7.5", "MLaPP 14.1", "build it"; stars: 1 to 3; notebook: where
    it belongs, "01"; taught: pairs of words and a link to the section that teaches it; task: Markdown, what is given
    and what to find; bring: one line, what to know beforehand; steps: Tasks and Claims in order, whose ids are that of
    the exercise, with a letter behind it ("7.5a", "build-smo-a") if there are several; worked: the derivation.
    """

    id: str
    title: str
    source: str
    stars: int
    notebook: str
    taught: tuple
    task: str
    bring: str
    steps: tuple
    worked: str

    @property
    def heading(self):
        """Its heading in notebook 17. In JupyterLab the contents cannot lead to one with letters beyond ASCII."""
        return f"{self.id} {self.title}"

    @property
    def anchor(self):
        """The link to its heading, within notebook 17."""
        return "#" + self.heading.replace(" ", "-")
