"""One course and one browser for all tests in this folder."""

import shutil

import nbformat
import pytest
from labdriver import CHROMIUM, ROOT, Notebook, chromium, course, notebook

# An explorer that counts its fits, and a cell that tells what the kernel knows.
TRIAL = [
    """\
import json
from sparsekm_edu import explorers
from sparsekm_edu.explorers.svm.margins import KernelMarginExplorer
fits, made, compute = [], [], KernelMarginExplorer.compute
def counted(state):
    fits.append(state)
    return compute(state)
KernelMarginExplorer.compute = staticmethod(counted)""",
    """\
ex = explorers.kernel_margin()
made.append(ex)
ex""",
    """\
print(json.dumps({
    "points": len(ex.state.t), "gamma": ex.state.gamma, "X": ex.state.X.tolist(),
    "support": ex.picture.support.tolist(), "handles": ex.canvas.handles,
    "fits": len(fits), "closed": [old.comm is None for old in made]}))""",
]

# An algorithm that can be led by the hand.
PLAYER = [
    """\
import json
from sparsekm_edu import explorers
ex = explorers.sequential_player()
ex""",
    """\
print(json.dumps({"step": ex.state.step, "choices": ex.state.choices, "handles": ex.canvas.handles}))""",
]

# The three kinds of guesses, a cell to fill, and what the kernel knows.
GUESSES = [
    """\
import json
import numpy as np
from sparsekm_edu import exercises
from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.guesses import Choice, Curve, Guess, Number
from sparsekm_edu.exercises.question import Question
asked = {}
def ask(id, kind, truth):
    asked[id] = Question(Guess(id, "How <i>far</i>?", kind, lambda: truth, lambda t: "Because it is so.", ("x",)))
    return asked[id]""",
    """ask("00-choice", Choice("up", "down"), 1)""",
    """ask("00-number", Number(unit="nats", low=-10, high=10), -0.5)""",
    """ask("00-curve", Curve((0, 2), (0, 4)), (np.linspace(0, 2), np.linspace(0, 4)))""",
    """\
print(json.dumps({id: one.guessed for id, one in asked.items()}))
print(json.dumps(record.load()[0]["guesses"]))""",
]


# A deck and an examination of three seconds, of two cards made for it.
VIVA = [
    """\
import json
from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.viva.card import Card
from sparsekm_edu.exercises.viva.deck import Deck, Examination
where = "01, section 2", "01_maximum_margin.ipynb#2-A-distance-in-disguise-·-core"
cards = [
    Card("one", "What is $a_n$?", "A *multiplier*.", "a_n > 0", "explorers.margin()", where, ("SVM", "define")),
    Card("two", "And $b_n$?", "A *precision*.", "", "", where, ("RVM", "define")),
]""",
    """\
deck = Deck(cards, shuffle=False)
deck""",
    """\
exam = Examination(cards, n=2, minutes=0.05)
exam""",
    """\
print(json.dumps({
    "cards": record.load()[0]["cards"],
    "angle": deck.explorer and deck.explorer.state.angle, "exam": exam.session.graded, "late": exam.late}))""",
]


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """The course on a copy of its notebooks, and the notebooks TRIAL, PLAYER, GUESSES and VIVA."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    home = tmp_path_factory.mktemp("lab")
    folder = home / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder, ignore=shutil.ignore_patterns(".*"))
    nbformat.write(notebook(TRIAL), folder / "trial.ipynb")
    nbformat.write(notebook(PLAYER), folder / "player.ipynb")
    nbformat.write(notebook(GUESSES), folder / "guesses.ipynb")
    nbformat.write(notebook(VIVA), folder / "viva.ipynb")
    with course(folder, home) as lab:
        yield lab


@pytest.fixture(scope="session")
def open_notebook(lab):
    """open_notebook("trial.ipynb") -> its Notebook in a new window, its kernel idle."""
    with chromium() as browser:
        yield lambda name: Notebook(browser, lab, name)
