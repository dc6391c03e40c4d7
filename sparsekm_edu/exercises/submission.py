"""One submitted notebook, in a process of its own: run it cell by cell, and judge what it hands to the checks.

`grading.py` starts this process, watches it and ends it. What the notebook prints counts for nothing: what it hands to
`exercises.check`, under whatever name, is judged at that moment by the engine as it was before the notebook began. If
nothing has come yet, and a cell does not get as far as its check, or has put something else in its place, the
expression in `exercises.check("7.5", expression)` is evaluated when the cell has run.
"""

import ast
import builtins
import inspect
import io
import json
import math
import multiprocessing
import os
import random
import re
import sys
import threading
import warnings
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from sparsekm_edu import exercises
from sparsekm_edu.exercises import face, record
from sparsekm_edu.exercises.catalogue import TASKS
from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.comparing import written
from sparsekm_edu.exercises.face import check, solution
from sparsekm_edu.exercises.tasks import Result

try:
    import resource
except ImportError:  # Windows
    resource = None

PRINTED = 10_000_000  # characters of output, after which a cell is stopped
WRITTEN = 50_000_000  # bytes that a file may have
LONG = 600  # characters of a message
NOT_ONES_OWN = "It leaves the work to the worked solution."
PYTHON_MAGICS = "%%time", "%%timeit", "%%capture", "%%prun"  # of cells that hold Python
#: in these an expression may use names that there are nowhere else
OWN_NAMES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
SWAPPED = "exit", "quit"  # builtins that IPython has of its own while a cell runs
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


class Desk:
    """Where a notebook hands in. It takes the place of exercises.check: what comes is judged at once, and told."""

    def __init__(self, tell, seed):
        self.tell, self.seed, self.process = tell, seed, os.getpid()
        self.handed_in = Counter()  # how often each exercise was, but for cells that nobody has filled
        self.told = set()  # exercises of which something was told since the cell began
        self.looked_up = set()  # those whose worked solution was shown
        self.judging = False
        for module in (face, exercises):
            module.check, module.solution = self.check, self.solution
        self.seal = Seal()

    def check(self, id, answer, seed=None):
        """What the notebook calls. It gets a verdict on other instances than its own, which it cannot see."""
        # an answer may call check, and so may a process that the notebook has started
        if self.judging or os.getpid() != self.process:
            return check(id, answer, seed)
        self.mend()
        if not isinstance(id, str) or id not in TASKS:
            self.tell(unknown=id if isinstance(id, str) else written(id))
            return check(id, answer, seed)
        result = self.judge(id, lambda: answer)
        if result.filled:
            self.handed_in[id] += 1
        if result.filled or not self.handed_in[id]:  # an empty cell takes nothing back
            again = self.handed_in[id] > 1
            self.report(id, result, f"It is checked {self.handed_in[id]} times; the last one counts." * again)
        return replace(result, seed=None, instance=(), got=None, expected=None)

    def solution(self, id):
        """What the notebook calls."""
        if isinstance(id, str):
            self.looked_up.add(id)
        return solution(id)

    def read(self, call, names):
        """Judge a call that stands in a cell, if neither the cell nor one before it has got as far as that."""
        if call.id not in TASKS or self.handed_in[call.id] or call.id in self.told:
            return
        if call.is_of_another(names):
            self.tell(note="Its check is not the course's: what it says on the page means nothing.")
        self.report(call.id, self.judge(call.id, lambda: call.value(names)))

    def judge(self, id, answer):
        """The Result of what answer() gives."""
        self.judging = True
        try:
            result = own_result(id, answer(), self.seed)
        except NoAnswer as problem:
            result = Result(False, str(problem))
        finally:
            self.judging = False
        return Result(False, "It changes the checks while they run.") if self.mend() else result

    def report(self, id, result, *more):
        """Tell the verdict."""
        found = result.passed and isinstance(TASKS[id], Claim) and id in self.looked_up
        words = f'Before, it has looked it up: exercises.solution("{id}").' if found else ""
        message = " ".join(filter(None, [in_words(result), words, *more]))
        borrowed = found or result.message == NOT_ONES_OWN
        self.tell(id=id, passed=result.passed, message=message, borrowed=borrowed)
        self.told.add(id)

    def mend(self):
        """Put back what the notebook has changed of the engine; returns what that was."""
        changed = self.seal.mend()
        if changed:
            self.tell(note=f"It changes what the checks are made of ({changed[0]}); that was put back.")
        return changed


class NoAnswer(Exception):
    """What a call would hand in cannot be had; says why."""


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


def judged(id, answer, seed):
    """(passed, message) of an answer, which has to be one's own: for nbgrader's hidden tests."""
    result = own_result(id, answer, seed)
    return result.passed, in_words(result)


def own_result(id, answer, seed):
    """What `check` says on the instances of a seed, unless the work is left to the worked solution."""
    # settings of the notebook are its own
    with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = check(id, answer, seed=seed)
        if result.passed and calls_worked_solution(id, answer, seed):
            result = replace(result, passed=False, message=NOT_ONES_OWN)
    return result


def in_words(result):
    """The message, also of a cell that nobody has filled."""
    message = result.message[:1].upper() + result.message[1:]
    return message if result.filled else f"It is not filled in. {message}"


def calls_worked_solution(id, answer, seed):
    """Does the answer leave the work to the worked solution, or to the road that it is compared with? The engine calls
    answers in a thread of their own."""
    roads = getattr(TASKS[id], "solution", None), *getattr(TASKS[id], "route", ())[1:]
    worked, called = [road.__code__ for road in roads if inspect.isfunction(road)], []

    def notice(frame, event, _):
        if event == "call" and frame.f_code in worked:
            called.append(frame)

    if worked:  # a claim has none
        threading.setprofile(notice)
        check(id, answer, seed=seed)
        threading.setprofile(None)
    return bool(called)


# ---- the engine -----------------------------------------------------------------------------------------


class Seal:
    """The engine, and what it counts on, as they were: a notebook may have replaced any of it."""

    def __init__(self):
        self.kept, self.tasks = [], dict(TASKS)
        engine = [module for name, module in sys.modules.items() if name.startswith("sparsekm_edu.exercises")]
        for module in [*engine, np, np.linalg, np.random, builtins]:
            self.keep(
                module, [name for name in vars(module) if not name.startswith("__") and name not in SWAPPED]
            )
        for module in engine:
            for part in vars(module).values():
                if inspect.isclass(part) and part.__module__ == module.__name__:
                    methods = {name: what for name, what in vars(part).items() if hasattr(what, "__get__")}
                    self.keep(part, methods)
                    self.keep_functions(methods.values())
            self.keep_functions(vars(module).values())
        for task in TASKS.values():
            self.keep(task, vars(task))
            self.keep_functions(vars(task).values())

    def keep(self, holder, names):
        self.kept += [(holder, name, self.part(holder, name)) for name in names]

    def keep_functions(self, parts):
        for part in parts:
            if inspect.isfunction(part):
                self.keep(part, ("__code__", "__defaults__", "__kwdefaults__"))

    @staticmethod
    def part(holder, name):
        """Of a class its function, not what an instance makes of it."""
        return vars(holder)[name] if name in vars(holder) else getattr(holder, name, None)

    def mend(self):
        """Put everything back; returns the names of what was changed."""
        changed = []
        for holder, name, part in self.kept:
            if self.part(holder, name) is not part:
                setter = type if inspect.isclass(holder) else object  # tasks are frozen
                setter.__setattr__(holder, name, part)
                changed.append(f"{getattr(holder, '__name__', type(holder).__name__)}.{name}")
        if [*map(id, TASKS.values())] != [*map(id, self.tasks.values())]:
            TASKS.clear()
            TASKS.update(self.tasks)
            changed.append("exercises.TASKS")
        return changed


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
