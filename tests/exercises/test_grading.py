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
from sparsekm_edu.exercises import comparing, desk, face, grading, record, submission, tasks
from sparsekm_edu.exercises.__main__ import main

MARGIN, WEIGHT = "01-margin", "13-soft"
SECONDS = 8
SET_UP = "import numpy as np\nfrom sparsekm_edu import exercises"
MARGIN_OF = "def margin_of(X, t, w, b):\n    return np.min(t * (X @ w + b)) / np.linalg.norm(w)"
WEIGHT_OF = """\
def weight_of(phi, t, lam):
    c = phi @ t
    return np.sign(c) * max(abs(c) - lam / 2, 0) / (phi @ phi)"""
CHECK_MARGIN = 'exercises.check("01-margin", margin_of)'
CHECK_WEIGHT = 'exercises.check("13-soft", weight_of)'
RIGHT_MARGIN, RIGHT_WEIGHT = f"{MARGIN_OF}\n\n{CHECK_MARGIN}", f"{WEIGHT_OF}\n\n{CHECK_WEIGHT}"
WRONG_MARGIN = RIGHT_MARGIN.replace("np.min", "np.max")
HANGS = "import time\nwhile True:\n    try:\n        time.sleep(1)\n    except BaseException:\n        pass"
FARTHEST = "a known mistake, the farthest point"  # what the engine says about it

AGREES = True, "It agrees with"
NO_CELL = False, "Nothing is handed in for it."
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
    return {MARGIN: (passed, *words), WEIGHT: NO_CELL}


def for_both(*words):
    """What is expected of a notebook of which nothing can be judged."""
    return {MARGIN: (False, *words), WEIGHT: (False, *words)}


#: file -> its content, and for each exercise: passed, and words of the message
SUBMISSIONS = {
    # ---- right, each in its own way
    "good.ipynb": (notebook(SET_UP, RIGHT_MARGIN, RIGHT_WEIGHT), {MARGIN: AGREES, WEIGHT: AGREES}),
    "group 1/good.ipynb": (notebook(SET_UP, RIGHT_MARGIN), of_margin(*AGREES)),
    "group 2/sub/good.ipynb": (notebook(SET_UP, WRONG_MARGIN), of_margin(False, FARTHEST)),
    "Übung 1, Jörg 🙂 (final).IPYNB": (notebook(SET_UP, RIGHT_MARGIN), of_margin(*AGREES)),
    "lambda.ipynb": (
        notebook(
            SET_UP,
            f'exercises.check("{MARGIN}", lambda X, t, w, b: np.min(t * (X @ w + b)) / (w @ w) ** 0.5)',
        ),
        of_margin(*AGREES),
    ),
    "keywords.ipynb": (
        notebook(
            "import numpy as np\nfrom sparsekm_edu.exercises import check",
            f'{MARGIN_OF}\nr = check(answer=margin_of, id="{MARGIN}")',
            f'import sparsekm_edu.exercises as ex\n{WEIGHT_OF}\nassert ex.check("{WEIGHT}", weight_of).passed',
        ),
        {MARGIN: AGREES, WEIGHT: AGREES},
    ),
    "magic.ipynb": (
        notebook(
            f"%matplotlib widget\n{SET_UP}\nimport asyncio",
            f"%%time\n{RIGHT_MARGIN}",
            f"!echo hello\nawait asyncio.sleep(0)\n%timeit -n 1 -r 1 1 + 1\ndisplay(1)\n{RIGHT_WEIGHT}",
        ),
        {MARGIN: AGREES, WEIGHT: AGREES},
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
                    {
                        "cell_type": "code",
                        "source": (SET_UP + "\n\n" + RIGHT_MARGIN).splitlines(keepends=True),
                    },
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
        of_margin(*AGREES, "It is checked 2 times; the last one counts."),
    ),
    "thread.ipynb": (
        notebook(
            f"{SET_UP}\nimport threading\nthreading.Thread(target=threading.Event().wait).start()",
            RIGHT_MARGIN,
        ),
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
    "other ways to check.ipynb": (
        notebook(
            f"{SET_UP}\nfrom sparsekm_edu.exercises import check as prove",
            f'{MARGIN_OF}\n{WEIGHT_OF}\nid = "{WEIGHT}"\n%time prove(id, weight_of)',
            f"def later(f):\n    return exercises.check('{MARGIN}', f)\n[later(f) for f in (margin_of,)]",
        ),
        {MARGIN: AGREES, WEIGHT: AGREES},
    ),
    "mentions.ipynb": (
        notebook(
            SET_UP,
            RIGHT_MARGIN,
            f"%%bash\necho '{CHECK_MARGIN}'",
            f"now I call {CHECK_MARGIN}",
            f"def check(id, answer): return len(answer)\ncheck('{MARGIN}', [])",
        ),
        of_margin(*AGREES, "Code cell 4 stopped with SyntaxError"),
    ),
    "what comes later takes nothing back.ipynb": (
        notebook(
            SET_UP,
            RIGHT_MARGIN,
            f"{MARGIN_OF.replace('np.min', 'np.max')}\nif False:\n    {CHECK_MARGIN}",
            f"import torch_of_tomorrow\n{CHECK_MARGIN}",
            f"def margin_of(X, t, w, b): ...\n{CHECK_MARGIN}",
            f"for id in ['{MARGIN}']:\n    exercises.check(id, None)",
        ),
        of_margin(*AGREES, "Code cell 4 stopped with ModuleNotFoundError"),
    ),
    "as it was when it was handed in.ipynb": (
        notebook(
            SET_UP,
            f"import time\n{WEIGHT_OF}\nsign = np.sign\n{CHECK_WEIGHT}\nnp.sign = sign = None",
            f"wrong = [np.max]\n{MARGIN_OF.replace('np.min', 'wrong[0]')}\n{CHECK_MARGIN}\nwrong[:] = [np.min]",
        ),
        {MARGIN: (False, FARTHEST), WEIGHT: AGREES},
    ),
    "in its own words.ipynb": (
        notebook(
            f"{SET_UP}\nimport functools, importlib\nimportlib.reload(exercises)",
            f"check = functools.partial(exercises.check, seed=3)\n{MARGIN_OF}\n{CHECK_MARGIN[10:]}",
            f"class T:\n    def check(self, *_): pass\nT().check('{MARGIN}', 3)",
        ),
        of_margin(*AGREES),
    ),
    "pool.ipynb": (
        notebook(
            f"{SET_UP}\nimport multiprocessing\ndef twice(x): return 2 * x",
            "with multiprocessing.Pool(2) as pool:\n    assert pool.map(twice, [1, 2]) == [2, 4]",
            RIGHT_MARGIN,
        ),
        of_margin(*AGREES),
    ),
    # ---- wrong, unfilled, in part
    "wrong.ipynb": (notebook(SET_UP, WRONG_MARGIN), of_margin(False, FARTHEST, "seed=1")),
    "unfilled.ipynb": (
        notebook(SET_UP, f"def margin_of(X, t, w, b):\n    ...\n{CHECK_MARGIN}"),
        of_margin(False, "It is not filled in. Return the smallest"),
    ),
    "half.ipynb": (
        notebook(SET_UP, RIGHT_MARGIN, RIGHT_WEIGHT.replace("lam / 2", "lam")),
        {MARGIN: AGREES, WEIGHT: (False, "a known mistake, lam instead of lam/2")},
    ),
    # the course's own notebook goes on with the worked solution below the cell
    "unfilled, solution below.ipynb": (
        notebook(
            SET_UP, f"def margin_of(*_): ...\n{CHECK_MARGIN}", f'margin_of = exercises.solution("{MARGIN}")'
        ),
        of_margin(False, "It is not filled in."),
    ),
    "never ends.ipynb": (
        notebook(
            f"{SET_UP}\nimport time",
            f"def margin_of(*_): time.sleep(3600)\nif not 'now':\n    {CHECK_MARGIN}",
        ),
        of_margin(False, "It did not end within 4 seconds."),
    ),
    "unknown.ipynb": (
        notebook(SET_UP, RIGHT_MARGIN.replace("01-margin", "01-marg")),
        {MARGIN: (False, "It checks 01-marg, which there is not."), WEIGHT: NO_CELL},
    ),
    "syntax.ipynb": (
        notebook(SET_UP, f"def margin_of(X, t, w, b)\n{CHECK_MARGIN}", RIGHT_WEIGHT),
        {MARGIN: (False, "Its cell is no Python.", "Code cell 2 stopped with SyntaxError"), WEIGHT: AGREES},
    ),
    # ---- not one's own
    "borrowed.ipynb": (
        notebook(SET_UP, f'{CHECK_MARGIN[:-10]}exercises.solution("{MARGIN}"))', RIGHT_WEIGHT),
        {MARGIN: (False, "It leaves the work to the worked solution."), WEIGHT: AGREES},
    ),
    "wrapped.ipynb": (
        notebook(
            f"{SET_UP}\nfrom sparsekm_edu.exercises.maximum_margin import TASKS as T",
            f"def margin_of(X, t, w, b): return T[0].solution(X, t, w, b)\n{CHECK_MARGIN}",
        ),
        of_margin(False, "It leaves the work to the worked solution."),
    ),
    "looks around.ipynb": (
        notebook(SET_UP, f'exercises.TASKS["{MARGIN}"].hints\n{RIGHT_MARGIN}'),
        of_margin(*AGREES, "It looks into exercises.TASKS"),
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
            "comparing.compare.__code__ = (lambda *_, **__: None).__code__\nnp.allclose = lambda *_, **__: True",
            f'tasks.Task.problem_of = lambda *_: None\nexercises.TASKS["{MARGIN}"] = exercises.TASKS["{WEIGHT}"]',
            f"{WRONG_MARGIN}\ntasks.Result.passed = True",
        ),
        of_margin(
            False, FARTHEST, "It changes what the checks are made of (sparsekm_edu.exercises.comparing.CLOSE)"
        ),
    ),
    "draws no numbers.ipynb": (
        notebook(
            f"{SET_UP}\nnp.random.default_rng = lambda *_, rng=np.random.default_rng: rng(0)",
            f"right = {CHECK_MARGIN[:-10]}lambda *_: 0).expected\nexercises.check('{MARGIN}', lambda *_: right)",
        ),
        of_margin(False, "It is checked 2 times", "It changes what the checks are made of"),
    ),
    "changes the engine when called.ipynb": (
        notebook(
            f"{SET_UP}\nfrom sparsekm_edu.exercises import comparing",
            f"def margin_of(*_):\n    comparing.is_close = lambda *_: True\n    return 0.0\n{CHECK_MARGIN}",
        ),
        of_margin(False, "It changes the checks while they run.", "comparing.is_close); that was put back."),
    ),
    "shadows exercises.ipynb": (
        notebook(
            SET_UP, "class exercises:\n    check = print", RIGHT_MARGIN, f"check = print\n{CHECK_WEIGHT[10:]}"
        ),
        {
            MARGIN: (*AGREES, "Its check is not the course's"),
            WEIGHT: (
                False,
                "cannot be evaluated: NameError: name 'weight_of' is not defined",
                "Its check is not",
            ),
        },
    ),
    # ---- no notebook
    "empty.ipynb": ("", for_both("It is no notebook: it is empty.")),
    "merged.ipynb": (
        f"{{\n<<<<<<< HEAD\n{notebook(SET_UP)}\n=======\n",
        for_both("both sides of a merge that nobody has finished"),
    ),
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
        notebook(SET_UP, RIGHT_MARGIN, HANGS, RIGHT_WEIGHT),
        {
            MARGIN: (*AGREES, f"It was stopped after {SECONDS} seconds, in code cell 3."),
            WEIGHT: (False, f"It was stopped after {SECONDS} seconds, in code cell 3."),
        },
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
        notebook(SET_UP, RIGHT_MARGIN, "1 / 0", "undefined", RIGHT_WEIGHT),
        {
            MARGIN: (
                *AGREES,
                "Code cell 3 stopped with ZeroDivisionError: division by zero, and 1 other",
                RAN_ON,
            ),
            WEIGHT: (*AGREES, "Code cell 3 stopped with ZeroDivisionError"),
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
        notebook(SET_UP, RIGHT_MARGIN, "import os; os._exit(0)", RIGHT_WEIGHT),
        {
            MARGIN: (*AGREES, "It ended its Python itself, in code cell 3."),
            WEIGHT: (False, "It ended its Python itself, in code cell 3."),
        },
    ),
    "sys_exit.ipynb": (
        notebook(SET_UP, "import sys; sys.exit(1)", "exit()", RIGHT_MARGIN),
        of_margin(*AGREES, "Code cell 2 stopped with SystemExit: 1, and 1 other"),
    ),
    "segfault.ipynb": (
        notebook(SET_UP, "import ctypes; ctypes.string_at(0)", RIGHT_MARGIN),
        of_margin(False, "Its Python was ended by a signal (segmentation fault), in code cell 2."),
    ),
    "kills its parent.ipynb": (
        notebook(SET_UP, "import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); time.sleep(3600)"),
        for_both("Nothing is handed in for it.", "It ended its Python itself, in code cell 2."),
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
            SET_UP,
            "with open('huge', 'wb') as file:\n    while True:\n        file.write(bytes(10_000_000))",
            RIGHT_MARGIN,
        ),
        of_margin(*AGREES, "stopped with OSError: [Errno 27] File too large"),
    ),
    "sees a secret.ipynb": (
        notebook(
            SET_UP, "import os\nraise OSError(sorted(set(os.environ) & {'SECRET', 'HOME'}))", RIGHT_MARGIN
        ),
        of_margin(*AGREES, "OSError: ['HOME'];"),
    ),
}
LINKS = {"link out.ipynb": "outside.ipynb", "link nowhere.ipynb": "nowhere.ipynb"}


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
    grader = command(folder, "--seconds", f"{SECONDS}", SECRET=mark, PYTHONIOENCODING="ascii")
    said, bar = grader.communicate(timeout=300)
    assert grader.returncode == 0, bar

    head, *table = rows(tmp_path / "grades.csv")
    assert head == ["file", "exercise", "passed", "message"]
    expected = {name: wanted for name, (_, wanted) in SUBMISSIONS.items()}
    expected |= {name: for_both("no ordinary file") for name in LINKS}
    assert [row[:2] for row in table] == [
        [name, id] for name in sorted(expected, key=Path) for id in (MARGIN, WEIGHT)
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
    passes = [sum(wanted[id][0] for wanted in expected.values()) for id in (MARGIN, WEIGHT)]
    assert f"{number}/{number}" in bar
    assert said.startswith(f"{number} notebooks.\n")
    for id, count in zip((MARGIN, WEIGHT), passes, strict=True):
        assert f"  {id}: passed by {count} of {number}\n" in said
    assert "  hangs.ipynb: It was stopped after 8 seconds, in code cell 3.\n" in said
    assert "  good.ipynb: " not in said
    assert f"  borrowed.ipynb: The worked solution was used for {MARGIN}.\n" in said
    assert "Not graded, as their names do not end in .ipynb: notes.txt.\n" in said
    assert "no sandbox" in said
    assert "seed 1." in said

    # the same again, a quarter of it
    again = [name for name in sorted(SUBMISSIONS) if name not in ("hangs.ipynb", "never ends.ipynb")][::4]
    for name in {*SUBMISSIONS, *LINKS} - {*again}:
        (folder / name).unlink()
    assert command(folder, "--out", "again.csv").wait(timeout=300) == 0
    assert rows(tmp_path / "again.csv") == [head, *(row for row in table if row[0] in again)]


def test_an_assignment_comes_back(tmp_path):
    """The notebook that students get, as it was given out and as it should be."""
    assert main(["assignment", "7.2", "13-soft", "--folder", str(tmp_path / "folder")]) == 0
    assert command(tmp_path / "folder", "--only", "13-soft", "7.2").wait(timeout=100) == 0
    ids = ["13-soft", *(step.id for step in exercises.EXERCISES["7.2"].steps)]
    assert len(ids) > 2
    head, *table = rows(tmp_path / "grades.csv")
    unfilled, solved = table[: len(ids)], table[len(ids) :]
    assert [row[:3] for row in unfilled] == [["assignment.ipynb", id, "False"] for id in ids]
    assert all(row[3].startswith("It is not filled in. ") for row in unfilled)
    assert [row[:3] for row in solved] == [["assignment_solutions.ipynb", id, "True"] for id in ids]


@pytest.mark.slow
def test_an_interrupted_grader_writes_what_it_has_and_leaves_nothing_behind(tmp_path):
    mark, folder = uuid4().hex, tmp_path / "folder"
    folder.mkdir()
    (folder / "a.ipynb").write_text(notebook(SET_UP, RIGHT_MARGIN))
    (folder / "b.ipynb").write_text(
        notebook(f"open({str(tmp_path / 'there')!r}, 'w')\nimport time; time.sleep(3600)")
    )
    grader = command(folder, "--seconds", "100", MARK=mark)
    end = time.monotonic() + 60
    while not (tmp_path / "there").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    grader.send_signal(signal.SIGINT)
    said, _ = grader.communicate(timeout=30)
    assert grader.returncode == grading.INTERRUPTED
    assert said.startswith("2 notebooks. Interrupted after 1.\n")
    assert [row[:3] for row in rows(tmp_path / "grades.csv")[1:]] == [["a.ipynb", MARGIN, "True"]]
    assert processes(mark) == []


def test_what_deletes_the_graders_own_files_harms_no_other(tmp_path):
    """Its row says so; those before and after it are what they would have been."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "temporary").mkdir()
    for name, cells in {
        "a": [RIGHT_MARGIN],
        "b": [f"!rm -rf {tmp_path}/temporary/*", RIGHT_MARGIN],
        "c": [RIGHT_MARGIN],
    }.items():
        (tmp_path / f"folder/{name}.ipynb").write_text(notebook(SET_UP, *cells))
    grader = command(tmp_path / "folder", TMPDIR=str(tmp_path / "temporary"))
    _, bar = grader.communicate(timeout=100)
    assert grader.returncode == 0
    assert "Traceback" not in bar
    passed = {row[0]: row[2:] for row in rows(tmp_path / "grades.csv")[1:]}
    assert [passed[f"{name}.ipynb"][0] for name in "abc"] == ["True", "False", "True"]
    assert "deleted or blocked what the grader works with" in passed["b.ipynb"][1]


def test_files_have_a_limit_together(tmp_path, monkeypatch):
    monkeypatch.setattr(grading, "STORED", 3_000_000)
    (tmp_path / "a.ipynb").write_text(
        notebook(
            SET_UP, RIGHT_MARGIN, "for n in range(9):\n    open(str(n), 'wb').write(bytes(1_000_000))", HANGS
        )
    )
    graded = grading.grade_one(tmp_path / "a.ipynb", "a.ipynb", 60, 2048, 1)
    assert graded.trouble == "It was stopped, as its files had more than 3 MB together, in code cell 4."
    assert graded.row(MARGIN)[2]


def test_a_claim_that_was_looked_up_passes_with_a_word_about_it(tmp_path):
    look, hand_in = 'a = exercises.solution("7.2b")', 'exercises.check("7.2b", a)'
    for name, cells in {
        "borrowed": [look, hand_in],
        "own": ["a = " + repr(exercises.solution("7.2b")), hand_in, look],
    }.items():
        (tmp_path / f"{name}.ipynb").write_text(notebook(SET_UP, *cells))
        graded = grading.grade_one(tmp_path / f"{name}.ipynb", name, 60, 2048, 1)
        passed, message = graded.verdicts["7.2b"]
        assert passed
        assert ("it has looked it up" in message) == bool(graded.borrowed) == (name == "borrowed")


def test_who_borrows_the_other_road_is_found_and_may_still_do_it_alone(tmp_path):
    borrowed = 'exercises.check("7.5a", exercises.TASKS["7.5a"].route[1])'
    own = 'exercises.check("7.5a", lambda X, t, w, b, s: (s - s * s / 2) * (w @ w))'
    for cells in [borrowed], [borrowed, own]:
        (tmp_path / "a.ipynb").write_text(notebook(SET_UP, *cells))
        graded = grading.grade_one(tmp_path / "a.ipynb", "a.ipynb", 60, 2048, 1)
        assert graded.verdicts["7.5a"][0] == (own in cells)
        assert graded.borrowed == ([] if own in cells else ["7.5a"])


# ---- its parts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere"], "FOLDER must be a folder, got nowhere."),
        (["empty"], "There is no notebook in empty."),
        (["full", "--only", "7.99"], "There is no id '7.99'."),
        (["full", "--seconds", "0"], "seconds must be a number > 0, got 0.0."),
        (["full", "--memory", "10"], "memory must be a whole number >= 1024, got 10."),
        (["full", "--seed", "-1"], "seed must be a whole number >= 0, got -1."),
        (["full", "--out", "nowhere/grades.csv"], "No such file or directory: 'nowhere/grades.csv'"),
    ],
)
def test_what_cannot_be_asked_for(words, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full/a.ipynb").touch()
    monkeypatch.setattr(grading, "grade_one", lambda *_: pytest.fail("it was graded"))
    for name, value in grading.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)  # to be undone
    assert main(["grade", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "grades.csv").exists()


def test_the_help_says_that_it_is_no_sandbox(capsys):
    with pytest.raises(SystemExit):
        main(["grade", "--help"])
    assert "it is no sandbox" in " ".join(capsys.readouterr().out.split())
    assert "container" in grading.NO_SANDBOX


def test_an_exercise_stands_for_its_steps():
    steps = [step.id for step in exercises.EXERCISES["7.5"].steps]
    assert grading.steps(["01-margin", "7.5", steps[0]]) == ["01-margin", *steps]


def test_the_summary_says_what_is_missing():
    one = grading.Graded("a.ipynb", asked=[], unlimited=["memory"])
    said = grading.summary([one], [], 1, ["b.pdf"] * 12)
    assert "No notebook hands anything to exercises.check." in said
    assert "b.pdf, b.pdf and 2 more." in said
    assert "This system could not limit: memory." in said
    assert "need a look" not in said


@pytest.mark.parametrize(
    ("source", "answers"),
    [
        ('exercises.check("7.5a", f)', {"7.5a": "f"}),
        (
            'display(x.check("7.5a", f(2), seed=3))\nassert check(answer=g, id="7.5b")',
            {"7.5a": "f(2)", "7.5b": "g"},
        ),
        ("for id in ids: exercises.check(id, f)", {}),
        ("[exercises.check('7.5a', f) for f in answers]", {}),
        ("def mine(f):\n    exercises.check('7.5a', f)", {}),
        ("exercises.check('7.5a')", {}),
        ("check.environment('7.5a', f)", {}),
        ("# exercises.check('7.5a', f)", {}),
        ("%%time\n!ls\nexercises.check('7.5a', [f,\n g])", {"7.5a": "[f, g]"}),
        ("%%bash\necho hello\necho check('7.5a', f)", {}),
        ("def f(:\n exercises.check(\n'7.5a', f)", {"7.5a": None}),
    ],
)
def test_what_a_cell_hands_in(source, answers):
    calls = submission.calls_of_check(source)
    assert {call.id: call.answer and ast.unparse(call.answer) for call in calls} == answers


def test_whatever_a_notebook_changes_is_put_back():
    seal = desk.Seal()
    assert seal.mend() == []
    right, close, code = tasks.judge, comparing.CLOSE, face.check.__code__
    task, solution = exercises.TASKS[MARGIN], exercises.TASKS[MARGIN].solution
    exercises.check = tasks.judge = None
    comparing.CLOSE = 1.0
    tasks.Result.mark = "yes"
    face.check.__code__ = (lambda id, answer, seed=None: True).__code__
    exercises.TASKS.pop(MARGIN)
    object.__setattr__(task, "solution", None)
    del face.judge
    allclose, np.allclose = np.allclose, None
    changed = seal.mend()
    assert len(changed) == 9, changed
    assert exercises.check is face.check
    assert tasks.judge is face.judge is right
    assert face.check.__code__ is code
    assert close == comparing.CLOSE
    assert exercises.TASKS[MARGIN] is task
    assert task.solution is solution
    assert np.allclose is allclose
    assert list(exercises.TASKS).index(MARGIN) == 0
    assert seal.mend() == []
    assert repr(exercises.check(MARGIN, None)).startswith("✎")


def test_where_the_system_cannot_limit_it_is_said(monkeypatch):
    monkeypatch.setattr(submission, "resource", None)
    assert submission.limit(60, 2048) == ["processor time", "memory", "size of files", "memory dumps"]


def test_processor_time_is_limited_too():
    """Should the grader be gone, nothing runs for ever."""
    busy = (
        "from sparsekm_edu.exercises import submission\nprint(submission.limit(0.1, 2048))\nwhile True: pass"
    )
    done = subprocess.run(
        [sys.executable, "-c", busy], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    assert done.stderr == ""
