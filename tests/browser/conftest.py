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


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """The course on a copy of its notebooks, and the notebooks TRIAL and PLAYER."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    home = tmp_path_factory.mktemp("lab")
    folder = home / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder, ignore=shutil.ignore_patterns(".*"))
    nbformat.write(notebook(TRIAL), folder / "trial.ipynb")
    nbformat.write(notebook(PLAYER), folder / "player.ipynb")
    with course(folder, home) as lab:
        yield lab


@pytest.fixture(scope="session")
def open_notebook(lab):
    """open_notebook("trial.ipynb") -> its Notebook in a new window, its kernel idle."""
    with chromium() as browser:
        yield lambda name: Notebook(browser, lab, name)
