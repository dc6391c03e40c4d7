"""Where submitted answers are handed in: judged at that moment, by the engine as it was before the notebook began."""

import builtins
import inspect
import os
import sys
import threading
import warnings
from collections import Counter
from dataclasses import replace

import numpy as np

from sparsekm_edu import exercises
from sparsekm_edu.exercises import face
from sparsekm_edu.exercises.catalogue import TASKS
from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.comparing import written
from sparsekm_edu.exercises.face import check, solution
from sparsekm_edu.exercises.tasks import Result

NOT_ONES_OWN = "It leaves the work to the worked solution."
SWAPPED = "exit", "quit"  # builtins that IPython has of its own while a cell runs


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
