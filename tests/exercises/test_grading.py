"""Grading: forty-odd submissions of all kinds in one folder, each with the rows that it must get."""

import ast
import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

from sparsekm_edu import exercises
from sparsekm_edu.exercises import comparing, face, grading, record, submission, tasks
from sparsekm_edu.exercises.__main__ import main

MARGIN, BIAS = "01-margin", "01-bias"
SECONDS = 6
SET_UP = "import numpy as np\nfrom sparsekm_edu import exercises"
MARGIN_OF = "def margin_of(X, t, w, b):\n    return np.min(t * (X @ w + b)) / np.linalg.norm(w)"
BIAS_OF = "def bias_of(K, t, a):\n    return np.mean(t[a > 0] - K[a > 0] @ (a * t))"
CHECK_MARGIN = 'exercises.check("01-margin", margin_of)'
CHECK_BIAS = 'exercises.check("01-bias", bias_of)'
RIGHT_MARGIN, RIGHT_BIAS = f"{MARGIN_OF}\n\n{CHECK_MARGIN}", f"{BIAS_OF}\n\n{CHECK_BIAS}"
WRONG_MARGIN = RIGHT_MARGIN.replace("np.min", "np.max")
FARTHEST = "a known mistake, the farthest point"  # what the engine says about it

AGREES = True, "It agrees with"
NO_CELL = False, "There is no cell for it."
RAN_ON = "the next ones were run all the same."


def notebook(*cells, **more):
    """The text of a notebook."""
    code = [
        {"cell_type": "code", "source": cell, "metadata": {}, "outputs": [], "execution_count": None}
        for cell in cells
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": code} | more)


def of_margin(passed, *words):
    """What is expected of a notebook that has no cell for the other exercise."""
    return {MARGIN: (passed, *words), BIAS: NO_CELL}


def for_both(*words):
    """What is expected of a notebook of which nothing can be judged."""
    return {MARGIN: (False, *words), BIAS: (False, *words)}


#: file -> its content, and for each exercise: passed, and words of the message
SUBMISSIONS = {
    # ---- right, each in its own way
    "good.ipynb": (notebook(SET_UP, RIGHT_MARGIN, RIGHT_BIAS), {MARGIN: AGREES, BIAS: AGREES}),
    "group 1/good.ipynb": (notebook(SET_UP, RIGHT_MARGIN), of_margin(*AGREES)),
    "group 2/sub/good.ipynb": (notebook(SET_UP, WRONG_MARGIN), of_margin(False, FARTHEST)),
    "Übung 1, Jörg 🙂 (final).IPYNB": (notebook(SET_UP, RIGHT_MARGIN), of_margin(*AGREES)),
    "lambda.ipynb": (
        notebook(SET_UP, f'exercises.check("{MARGIN}", lambda X, t, w, b: np.min(t * (X @ w + b)) / (w @ w) ** 0.5)'),
        of_margin(*AGREES),
    ),
    "keywords.ipynb": (
        notebook(
            f'import numpy as np\nfrom sparsekm_edu.exercises import check\n{MARGIN_OF}\nr = check(answer=margin_of, id="{MARGIN}")',
            f'import sparsekm_edu.exercises as ex\n{BIAS_OF}\nassert ex.check("{BIAS}", bias_of).passed',
        ),
        {MARGIN: AGREES, BIAS: AGREES},
    ),
    "magic.ipynb": (
        notebook(
            f"%matplotlib widget\n{SET_UP}\nimport asyncio",
            f"%%time\n{RIGHT_MARGIN}",
            f"!echo hello\nawait asyncio.sleep(0)\n%timeit -n 1 -r 1 1 + 1\ndisplay(1)\n{RIGHT_BIAS}",
        ),
        {MARGIN: AGREES, BIAS: AGREES},
    ),
    "pictures.ipynb": (
        notebook(
            f"{SET_UP}\nimport matplotlib.pyplot as plt\nfrom sparsekm_edu import explorers",
            "plt.plot([1, 2])\nplt.show()",
            "exercises.guess('01-a')",
            "exercises.contents()",
            "explorers.margin()",
            RIGHT_MARGIN,
        ),
        of_margin(*AGREES),
    ),
    "answer above, check below, later another.ipynb": (
        notebook(SET_UP, MARGIN_OF, f"display({CHECK_MARGIN})", "def margin_of(): ..."),
        of_margin(*AGREES),
    ),
    "partial.ipynb": (
        notebook(SET_UP, f"{MARGIN_OF}\nimport functools\n{CHECK_MARGIN[:-10]}functools.partial(margin_of))"),
        of_margin(*AGREES),
    ),
    "lines.ipynb": (
        "\ufeff"
        + json.dumps(
            {
                "nbformat": 4,
                "cells": [
                    {"cell_type": "markdown", "source": "# while True"},
                    {"cell_type": "code", "source": (SET_UP + "\n\n" + RIGHT_MARGIN).splitlines(keepends=True)},
                ],
            }
        ),
        of_margin(*AGREES),
    ),
    "large.ipynb": (notebook(SET_UP, RIGHT_MARGIN, metadata={"x": "y" * 20_000_000}), of_margin(*AGREES)),
    "own settings.ipynb": (
        notebook(
            f"{SET_UP}\nimport warnings\nwarnings.simplefilter('error')\nnp.seterr(all='raise')", RIGHT_MARGIN
        ),
        of_margin(*AGREES),
    ),
    "second try.ipynb": (
        notebook(SET_UP, WRONG_MARGIN, RIGHT_MARGIN),
        of_margin(*AGREES, "It is checked in 2 cells; the last one counts."),
    ),
    "thread.ipynb": (
        notebook(f"{SET_UP}\nimport threading\nthreading.Thread(target=threading.Event().wait).start()", RIGHT_MARGIN),
        of_margin(*AGREES),
    ),
    "processes.ipynb": (
        notebook(
            f"{SET_UP}\nimport os, subprocess, time",
            "subprocess.Popen(['sleep', 'MARK'])\nsubprocess.Popen(['sleep', 'MARK'], start_new_session=True)",
            "if os.fork() == 0:\n    os.setsid()\n    time.sleep(3600)",
            "os.fork()",
            RIGHT_MARGIN,
        ),
        of_margin(*AGREES),
    ),
    # ---- wrong, unfilled, in part
    "wrong.ipynb": (notebook(SET_UP, WRONG_MARGIN), of_margin(False, FARTHEST, "seed=1")),
    "unfilled.ipynb": (
        notebook(SET_UP, f"def margin_of(X, t, w, b):\n    ...\n{CHECK_MARGIN}"),
        of_margin(False, "It is not filled in. return the smallest"),
    ),
    "half.ipynb": (
        notebook(SET_UP, RIGHT_MARGIN, RIGHT_BIAS.replace("t[a > 0] -", "t[a > 0] +")),
        {MARGIN: AGREES, BIAS: (False, "plus instead of minus")},
    ),
    # the course's own notebook goes on with the worked solution below the cell
    "unfilled, solution below.ipynb": (
        notebook(SET_UP, f"def margin_of(*_): ...\n{CHECK_MARGIN}", f'margin_of = exercises.solution("{MARGIN}")'),
        of_margin(False, "It is not filled in."),
    ),
    "never ends.ipynb": (
        notebook(f"{SET_UP}\nimport time", f"def margin_of(*_): time.sleep(3600)\nif not 'now':\n    {CHECK_MARGIN}"),
        of_margin(False, "It did not end within 4 seconds."),
    ),
    "unknown.ipynb": (
        notebook(SET_UP, RIGHT_MARGIN.replace("01-margin", "01-marg")),
        {MARGIN: (False, "It checks 01-marg, which there is not."), BIAS: NO_CELL},
    ),
    "syntax.ipynb": (
        notebook(SET_UP, f"def margin_of(X, t, w, b)\n{CHECK_MARGIN}", RIGHT_BIAS),
        {MARGIN: (False, "Its cell is no Python.", "Code cell 2 stopped with SyntaxError"), BIAS: AGREES},
    ),
    # ---- not one's own
    "borrowed.ipynb": (
        notebook(SET_UP, f'{CHECK_MARGIN[:-10]}exercises.solution("{MARGIN}"))', RIGHT_BIAS),
        {MARGIN: (False, "It leaves the work to the worked solution.", f"as {MARGIN} calls"), BIAS: AGREES},
    ),
    "wrapped.ipynb": (
        notebook(
            f"{SET_UP}\nfrom sparsekm_edu.exercises.maximum_margin import TASKS as T",
            f"def margin_of(X, t, w, b): return T[0].solution(X, t, w, b)\n{CHECK_MARGIN}",
        ),
        of_margin(False, "It leaves the work to the worked solution."),
    ),
    "says passed.ipynb": (
        notebook(SET_UP, f"{WRONG_MARGIN}\nprint('✓ Right. It agrees with everything. passed')"),
        of_margin(False, FARTHEST),
    ),
    # ---- redefines the checks
    "assigns check.ipynb": (
        notebook(f"{SET_UP}\nexercises.check = lambda *_: '✓ Right.'", WRONG_MARGIN),
        of_margin(False, FARTHEST, "It changes what the checks are made of (sparsekm_edu.exercises.check)"),
    ),
    "changes the engine.ipynb": (
        notebook(
            f"{SET_UP}\nfrom sparsekm_edu.exercises import comparing, face, tasks\ncomparing.CLOSE = 1e9",
            "yes = lambda *_, **__: tasks.Result(True, 'yes')\nface.judge = tasks.judge = yes\n"
            "face.check.__code__ = (lambda id, answer, seed=None: True).__code__\nnp.allclose = lambda *_, **__: True",
            f'tasks.Task.problem_of = lambda *_: None\nexercises.TASKS["{MARGIN}"] = exercises.TASKS["{BIAS}"]',
            f"{WRONG_MARGIN}\ntasks.Result.passed = True",
        ),
        of_margin(False, FARTHEST, "It changes what the checks are made of (sparsekm_edu.exercises.comparing.CLOSE)"),
    ),
    "shadows exercises.ipynb": (
        notebook(SET_UP, "class exercises:\n    check = print", RIGHT_MARGIN, f"check = print\n{CHECK_BIAS[10:]}"),
        {
            MARGIN: (*AGREES, "Its check is not the course's"),
            BIAS: (False, "cannot be evaluated: NameError: name 'bias_of' is not defined", "Its check is not"),
        },
    ),
    # ---- no notebook
    "empty.ipynb": ("", for_both("It is no notebook: it is empty.")),
    "damaged.ipynb": (notebook(SET_UP)[:100], for_both("It is no notebook: it is damaged")),
    "renamed.ipynb": (b"%PDF-1.7\n\xff\xfe", for_both("It is no notebook: it is a PDF.")),
    "old.ipynb": (
        json.dumps({"nbformat": 3, "worksheets": [{"cells": []}]}),
        for_both("It is a notebook of format 3, not 4"),
    ),
    "python.ipynb": (f"{SET_UP}\n{RIGHT_MARGIN}", for_both("It is no notebook: it is Python code.")),
    "other.ipynb": ('["cells"]', for_both("It is no notebook, though it is JSON")),
    # ---- breaks off
    "hangs.ipynb": (
        notebook(SET_UP, RIGHT_MARGIN, "import threading; threading.Event().wait()", RIGHT_BIAS),
        {
            MARGIN: (*AGREES, f"It was stopped after {SECONDS} seconds, in code cell 3."),
            BIAS: (False, f"It was stopped after {SECONDS} seconds, in code cell 3."),
        },
    ),
    "hangs at once.ipynb": (
        notebook("import time\nwhile True:\n    try:\n        time.sleep(1)\n    except BaseException:\n        pass"),
        {id: (False, "There is no cell for it.", "stopped after 6 seconds, in code cell 1.") for id in (MARGIN, BIAS)},
    ),
    "prints.ipynb": (
        notebook(SET_UP, "while True:\n    print('x' * 1_000_000)", RIGHT_MARGIN),
        of_margin(*AGREES, "it printed more than 10,000,000 characters", RAN_ON),
    ),
    "deletes.ipynb": (
        notebook(
            f"{SET_UP}\nimport os, shutil\nfrom pathlib import Path",
            "[path.unlink() for path in Path().iterdir()]",
            "shutil.rmtree(Path.home())",
            "shutil.rmtree(Path('..').resolve())",
            RIGHT_MARGIN,
        ),
        of_margin(*AGREES, "Code cell 4 stopped with FileNotFoundError"),
    ),
    "raises.ipynb": (
        notebook(SET_UP, RIGHT_MARGIN, "1 / 0", "undefined", RIGHT_BIAS),
        {
            MARGIN: (*AGREES, "Code cell 3 stopped with ZeroDivisionError: division by zero, and 1 other", RAN_ON),
            BIAS: (*AGREES, "Code cell 3 stopped with ZeroDivisionError"),
        },
    ),
    "raises first.ipynb": (
        notebook(SET_UP, f"1 / 0\n{RIGHT_MARGIN}"),
        of_margin(False, "cannot be evaluated: NameError", "Code cell 2 stopped with ZeroDivisionError"),
    ),
    "strange error.ipynb": (
        notebook(SET_UP, "class E(BaseException):\n    def __str__(self): 1 / 0\nraise E", RIGHT_MARGIN),
        of_margin(*AGREES, "stopped with E: no reason given"),
    ),
    "os_exit.ipynb": (
        notebook(SET_UP, RIGHT_MARGIN, "import os; os._exit(0)", RIGHT_BIAS),
        {
            MARGIN: (*AGREES, "It ended its Python itself, in code cell 3."),
            BIAS: (False, "It ended its Python itself, in code cell 3."),
        },
    ),
    "sys_exit.ipynb": (
        notebook(SET_UP, "import sys; sys.exit(1)", "exit()", RIGHT_MARGIN),
        of_margin(*AGREES, "Code cell 2 stopped with SystemExit: 1, and 1 other"),
    ),
    "segfault.ipynb": (
        notebook(SET_UP, "import ctypes; ctypes.string_at(0)", RIGHT_MARGIN),
        of_margin(False, "Its Python was ended by segmentation fault, in code cell 2."),
    ),
    "kills its parent.ipynb": (
        notebook(SET_UP, "import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); time.sleep(3600)"),
        {id: (False, "There is no cell for it.", "It ended its Python itself") for id in (MARGIN, BIAS)},
    ),
    "memory.ipynb": (
        notebook(SET_UP, "a = []\nwhile True:\n    a.append(np.empty(10_000_000))", "del a", RIGHT_MARGIN),
        of_margin(*AGREES, "Code cell 2 stopped with", "MemoryError"),
    ),
    "input.ipynb": (
        notebook(SET_UP, "name = input('Your name? ')", RIGHT_MARGIN),
        of_margin(*AGREES, "stopped with EOFError: it asks for input, and nobody is there to answer"),
    ),
    "writes.ipynb": (
        notebook(
            SET_UP, "with open('huge', 'wb') as file:\n    while True:\n        file.write(bytes(10_000_000))", RIGHT_MARGIN
        ),
        of_margin(*AGREES, "stopped with OSError: [Errno 27] File too large"),
    ),
    "sees a secret.ipynb": (
        notebook(SET_UP, "import os\nraise OSError(sorted(set(os.environ) & {'SECRET', 'HOME'}))", RIGHT_MARGIN),
        of_margin(*AGREES, "OSError: ['HOME'];"),
    ),
}
LINKS = {"link out.ipynb": "outside.ipynb", "link nowhere.ipynb": "nowhere.ipynb"}
#: wait until their time is over
SLOW = "hangs.ipynb", "hangs at once.ipynb", "never ends.ipynb"


def fill(folder, mark):
    """Write all submissions; returns what is in the folder."""
    for name, (content, _) in SUBMISSIONS.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        content = content.replace("MARK", mark) if isinstance(content, str) else content
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    outside = folder.parent / "outside.ipynb"
    outside.write_text(notebook(SET_UP, RIGHT_MARGIN))
    for name, target in LINKS.items():
        (folder / name).symlink_to(folder.parent / target)
    (folder / "notes.txt").write_text("not a notebook")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints/good-checkpoint.ipynb").write_text(notebook(SET_UP, WRONG_MARGIN))
    (folder / "group 1/._good.ipynb").write_bytes(b"\0\5\26\7")
    return contents(folder)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def command(folder, *words, **environment):
    """The command that grades a folder, in a process of its own, beside a learner's record of progress."""
    (folder.parent / record.NAME).write_text("{}")
    return subprocess.Popen(
        [sys.executable, "-m", "sparsekm_edu.exercises", "grade", folder.name, *words],
        cwd=folder.parent,
        env={name: value for name, value in os.environ.items() if name != record.ELSEWHERE} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def rows(file):
    with file.open(encoding="utf-8", newline="") as table:
        return list(csv.reader(table))


def processes(mark):
    """All that have the mark in their command or in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:  # it has just ended
            continue
        found += [process.name] if mark.encode() in told else []
    return found


def test_a_folder_of_all_kinds(tmp_path):
    mark = f"{uuid4().int % 10**12 + 10**12}"  # seconds to sleep, which nobody else does
    folder = tmp_path / "handed in"
    before = fill(folder, mark)
    assert len(SUBMISSIONS) >= 30
    grader = command(folder, "--seconds", f"{SECONDS}", SECRET=mark)
    said, bar = grader.communicate(timeout=300)
    assert grader.returncode == 0, bar

    head, *table = rows(tmp_path / "grades.csv")
    assert head == ["file", "exercise", "passed", "message"]
    expected = {name: wanted for name, (_, wanted) in SUBMISSIONS.items()}
    expected |= {name: for_both("no ordinary file") for name in LINKS}
    assert [row[:2] for row in table] == [
        [name, id] for name in sorted(expected, key=Path) for id in (MARGIN, BIAS)
    ]
    unexpected = []
    for name, id, passed, message in table:
        right, *words = expected[name][id]
        if passed != str(right) or "\n" in message or any(word not in message for word in words):
            unexpected.append((name, id, passed, message))
    assert unexpected == []

    # nothing was harmed, nothing is left
    assert contents(folder) == before
    assert (tmp_path / record.NAME).read_text() == "{}"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "grades.csv",
        "handed in",
        "outside.ipynb",
        record.NAME,
    ]
    assert processes(mark) == []

    # what the lecturer reads
    number = len(expected)
    passes = [sum(wanted[id][0] for wanted in expected.values()) for id in (MARGIN, BIAS)]
    assert f"{number}/{number}" in bar
    assert said.startswith(f"{number} notebooks.\n")
    for id, count in zip((MARGIN, BIAS), passes, strict=True):
        assert f"  {id}: passed by {count} of {number}\n" in said
    assert "  hangs.ipynb: It was stopped after 6 seconds, in code cell 3.\n" in said
    assert "  good.ipynb: " not in said
    assert "Not graded, as their names do not end in .ipynb: notes.txt.\n" in said
    assert "no sandbox" in said
    assert "seed 1." in said

    # and the same again
    for name in SLOW:
        (folder / name).unlink()
    assert command(folder, "--seconds", f"{SECONDS}", "--out", "again.csv").wait(timeout=300) == 0
    assert rows(tmp_path / "again.csv") == [head, *(row for row in table if row[0] not in SLOW)]
