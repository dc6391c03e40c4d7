"""One submitted notebook, in a process of its own: run it cell by cell, and judge what it hands to the checks.

`grading.py` starts this process, watches it and ends it. What the notebook prints counts for nothing: what it hands to
`exercises.check`, under whatever name, goes to `desk.py`. If nothing has come yet, and a cell does not get as far as
its check, or has put something else in its place, the expression in `exercises.check("7.5", expression)` is evaluated
when the cell has run.
"""

import ast
import builtins
import io
import json
import math
import multiprocessing
import os
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from sparsekm_edu import exercises
from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.catalogue import TASKS
from sparsekm_edu.exercises.desk import Desk, NoAnswer

try:
    import resource
except ImportError:  # Windows
    resource = None

PRINTED = 10_000_000  # characters of output, after which a cell is stopped
WRITTEN = 50_000_000  # bytes that a file may have
LONG = 600  # characters of a message
PYTHON_MAGICS = "%%time", "%%timeit", "%%capture", "%%prun"  # of cells that hold Python
#: in these an expression may use names that there are nowhere else
OWN_NAMES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
#: what a notebook sees of the environment, which may hold the lecturer's secrets
KEPT = "PATH", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "SYSTEMROOT", "MPLBACKEND", "OMP_NUM_THREADS"


def run(notebook, home, report, seconds, memory, seed):
    """Run a notebook and write what happens into the file `report`, one JSON object per line; never returns.

    Parameters: notebook, the copy to run, and home, its own folder around it; seconds and memory (MB) that it may use;
    seed of the instances that all answers are tried on.

    Lines of the report: {"unlimited": [what the system cannot limit]}; {"refused": sentence}, or {"asked": [ids]};
    {"cell": number} before each is run; {"stopped": number, "error": words}; {"note": sentence}; {"unknown": id};
    {"id": id, "passed": bool, "message": sentences, "borrowed": bool}; {"end": true}.
    """
    itself, channel = os.getpid(), os.open(report, os.O_WRONLY | os.O_APPEND)

    def tell(**event):
        texts = {key: one_line(value, home) for key, value in event.items() if isinstance(value, str)}
        os.write(channel, json.dumps(event | texts).encode() + b"\n")

    settle_in(notebook, home)
    tell(unlimited=limit(seconds, memory))
    try:
        sources = code_cells(notebook)
    except ValueError as problem:
        tell(refused=str(problem))
        os._exit(0)
    cells = [(source, calls_of_check(source)) for source in sources]
    tell(asked=list(dict.fromkeys(call.id for _, calls in cells for call in calls if call.id in TASKS)))
    if any(re.search(r"\bTASKS\b", source) for source in sources):
        tell(note="It looks into exercises.TASKS, where the worked solutions are.")

    random.seed(seed)  # what a notebook draws without a seed of its own is the same whenever it is graded
    np.random.seed(seed)  # noqa: NPY002
    desk, shell = Desk(tell, seed), Shell(config=Config(HistoryManager={"enabled": False}))
    for number, (source, calls) in enumerate(cells, 1):
        tell(cell=number)
        desk.told.clear()
        error = shell.error_of(source)
        if os.getpid() != itself:  # the cell has forked: one of us is enough
            os._exit(0)
        if error is not None:
            tell(stopped=number, error=told(error))
        desk.mend()
        for call in calls:
            desk.read(call, shell.user_ns)
    tell(end=True)
    os._exit(0)  # threads that never end are not waited for


# ---- the process ----------------------------------------------------------------------------------------


def settle_in(notebook, home):
    """Leave the grader's terminal, files and environment behind."""
    if hasattr(os, "setsid"):
        os.setsid()  # whatever the notebook starts can be ended with it
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    sys.stdout = sys.stderr = Sink()
    builtins.input = nobody_answers
    multiprocessing.set_start_method(None, force=True)  # as in a notebook, not as in the grader
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, HOME=home, TMPDIR=home, IPYTHONDIR=home)
    os.environ[record.ELSEWHERE] = str(Path(home, record.NAME))
    os.chdir(Path(notebook).parent)


def limit(seconds, memory):
    """Limit this process and all that it starts; returns what cannot be limited here."""
    limits = {
        # backstop: the grader ends what takes too long by the clock, but it may be ended itself
        "processor time": ("RLIMIT_CPU", math.ceil(seconds) + 1),
        "memory": ("RLIMIT_AS", memory * 1_000_000),
        "size of files": ("RLIMIT_FSIZE", WRITTEN),
        "memory dumps": ("RLIMIT_CORE", 0),
    }
    unlimited = []
    for what, (name, most) in limits.items():
        try:
            resource.setrlimit(getattr(resource, name), (most, most))
        except (AttributeError, OSError, ValueError):  # Windows, and what macOS refuses
            unlimited.append(what)
    return unlimited


class Sink(io.TextIOBase):
    """Takes what is printed and keeps nothing; stops who prints too much."""

    encoding = "utf-8"
    printed = 0

    def write(self, text):
        self.printed += len(text)
        if self.printed > PRINTED:
            self.printed = 0  # the next cell may print again
            raise TooMuchPrinted(f"it printed more than {PRINTED:,} characters")
        return len(text)


class TooMuchPrinted(BaseException):
    """Not to be caught by mistake."""


def nobody_answers(prompt=""):
    raise EOFError("it asks for input, and nobody is there to answer")


class Shell(InteractiveShell):
    """IPython without a page: it knows magic commands and `display`, and shows nothing."""

    def error_of(self, source):
        """Run a cell; returns the error that stopped it, or None."""
        try:
            result = self.run_cell(source)
        except BaseException as error:
            return error
        return result.error_before_exec or result.error_in_exec

    def enable_matplotlib(self, gui=None):
        """`%matplotlib` of all kinds: figures are drawn, for nobody."""
        return gui, "agg"

    def ask_exit(self):
        raise SystemExit

    def showtraceback(self, *_, **__):
        """Nobody reads it."""

    showsyntaxerror = showtraceback


# ---- the notebook ---------------------------------------------------------------------------------------


def code_cells(file):
    """The sources of a notebook's code cells; ValueError if it is no notebook."""
    try:
        content = Path(file).read_bytes()
        notebook = json.loads(content)
    except OSError as problem:
        raise ValueError(f"It cannot be read: {problem.strerror}.") from None
    except MemoryError:
        raise ValueError("It is too large for the limit of memory. Without outputs it may not be.") from None
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"It is no notebook: {nature(content, problem)}.") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    version = notebook.get("nbformat") if isinstance(notebook, dict) else None
    if isinstance(version, int) and version != 4:
        raise ValueError(
            f"It is a notebook of format {version}, not 4: opened and saved in JupyterLab, it would be."
        )
    try:
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (TypeError, KeyError):
        raise ValueError(
            "It is no notebook, though it is JSON: cells with a type and a source are missing."
        ) from None


def nature(content, problem):
    """What a file is that is not JSON."""
    beginnings = {b"%PDF": "a PDF", b"PK": "a zip archive or a text document", b"<": "a page of HTML or XML"}
    if b"\n<<<<<<< " in b"\n" + content:
        return "it holds both sides of a merge that nobody has finished"
    kinds = [kind for beginning, kind in beginnings.items() if content.lstrip().startswith(beginning)]
    if kinds or not content.strip():
        return f"it is {kinds[0]}" if kinds else "it is empty"
    try:
        ast.parse(content)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return f"it is damaged or something else ({problem})"
    return "it is Python code"


@dataclass(frozen=True)
class Call:
    """A call of check in a cell: the id, and the expressions of the answer and of the check; None where the cell is
    no Python."""

    id: str
    answer: ast.expr | None = None
    check: ast.expr | None = None

    def value(self, names):
        """What it would hand in."""
        if self.answer is None:
            raise NoAnswer("Its cell is no Python.")
        try:
            return value_of(self.answer, names)
        except BaseException as error:
            raise NoAnswer(f"What is handed in cannot be evaluated: {told(error)}.") from None

    def is_of_another(self, names):
        """Has the notebook put something else in the place of check?"""
        try:
            found = exercises.check if self.check is None else value_of(self.check, names)
            return found is not exercises.check
        except BaseException:  # not imported: its cell has stopped
            return False


def calls_of_check(source):
    """The Calls that a cell makes itself, not in a function or a loop: exercises.check("7.5", answer), or check(...) of
    any other name."""
    first, _, rest = source.lstrip().partition("\n")
    if first.startswith("%%"):
        if first.split()[0] not in PYTHON_MAGICS:
            return []
        source = rest
    try:
        tree = ast.parse(TransformerManager().transform_cell(source))
    except Exception:
        return [Call(id) for id in re.findall(r"""\bcheck\(\s*["']([^"']+)["']""", source)]
    calls = []
    for node in outside_functions(tree):
        if isinstance(node, ast.Call) and "check" in (
            getattr(node.func, "attr", ""),
            getattr(node.func, "id", ""),
        ):
            given = dict(zip(("id", "answer"), node.args)) | {word.arg: word.value for word in node.keywords}
            id = getattr(given.get("id"), "value", None)
            if isinstance(id, str) and "answer" in given:
                calls.append(Call(id, given["answer"], node.func))
    return calls


def outside_functions(node):
    """All nodes below one whose names are those of the notebook."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, OWN_NAMES):
            yield from outside_functions(child)


def value_of(expression, names):
    return eval(compile(ast.Expression(expression), "<what is handed in>", "eval"), names)


# ---- words ----------------------------------------------------------------------------------------------


def told(error):
    """An error in words. It may be of the notebook's own making and fail when asked."""
    try:
        text = str(error)
    except BaseException:
        text = "no reason given"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def one_line(text, home):
    """Short, on one line, without what differs from run to run."""
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(text.replace(home, "").split()))
    return text if len(text) <= LONG else f"{text[:LONG]}..."
