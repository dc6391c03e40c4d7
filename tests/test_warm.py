"""After `python -m sparsekm_edu.warm` nothing is left to compile: no explorer stalls in front of a class."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.skipif(find_spec("numba") is None, reason="without numba nothing is compiled")

# In a process of its own: in this one other tests may have compiled what is missing.
PROGRAM = """
import sys
from driving import BLANK, values_of
from sparsekm_edu import explorers, warm
from sparsekm_edu.live.canvas import Stage

Stage.pixels = lambda self: BLANK  # to paint takes long and compiles nothing
Stage._lay_out = lambda self: None

def compiled():
    found = set()  # (module, function, signature) of all machine code there is
    for module in [module for name, module in sys.modules.items() if name.startswith("sparsekm_edu")]:
        for name, thing in vars(module).items():
            found |= {(thing.__module__, name, str(s)) for s in getattr(thing, "signatures", ())}
    return found

warm.main()
known = compiled()
assert len(known) >= 5, known
for name in explorers.__all__:
    explorer = getattr(explorers, name)()
    for field, control in explorer.widgets.items():
        explorer.set(**{field: values_of(control, 3)[1]})
    movable = [index for index, handle in enumerate(explorer.canvas.handles) if not handle[4]]
    for index in movable[:1]:
        explorer._on_gesture({"type": "move", "index": index, "u": 0.3, "v": 0.4})
    explorer.close()
    for line in sorted(compiled() - known):
        print(name, *line)
    known |= compiled()
"""


def test_no_explorer_compiles_anything_after_warming_up():
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
