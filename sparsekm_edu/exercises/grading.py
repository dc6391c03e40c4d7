"""Grade a folder of submitted notebooks: python -m sparsekm_edu.exercises grade FOLDER.

Every notebook is run in a process of its own (`submission.py`), as a copy in a folder of its own, with limits of time,
memory, output and what it stores; the number of processes has none, as a system counts all those of a user together.
One process is warmed up and forked for each of them, where the system can fork: what it has imported is there at once.
"""

import csv
import json
import multiprocessing
import os
import shutil
import signal
import stat
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import util
from pathlib import Path
from tempfile import TemporaryDirectory

from sparsekm_edu.exercises import submission
from sparsekm_edu.exercises.catalogue import EXERCISES, TASKS
from sparsekm_edu.exercises.face import known
from sparsekm_edu.models.progress import progress_bar
from sparsekm_edu.validation import real_number, whole_number

SECONDS, MEMORY, SEED = 60.0, 2048, 1
LEAST_MEMORY = 1024  # MB: the course needs half of it
STORED = 500_000_000  # bytes that all files of a notebook may have together
LOOK = 0.5  # seconds between two looks at them
COLUMNS = "file", "exercise", "passed", "message"
NO_SANDBOX = """\
This limits accidents; it is no sandbox. A notebook can still read, change and send whatever you can: grade where a
submission may break things, in a container for example."""
INTERRUPTED = 130  # the exit code that shells know
#: what the forked process has imported already
WARM = "sparsekm_edu.exercises.submission", "sparsekm_edu.explorers", "matplotlib.pyplot"
#: of that process: nobody looks at its pictures, two notebooks print a set in the same order
ENVIRONMENT = {"MPLBACKEND": "agg", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}


@dataclass
class Graded:
    """What became of one submission.

    trouble: why it was not run, or not to its end; asked: the ids that it hands to check, None if it could not be read;
    unknown: ids that there are not; verdicts: id -> (passed, message); stopped: (number, error) of each code cell that
    ended in an error; borrowed: ids whose worked solution it hands in; notes: what else is to be looked at; unlimited:
    what the system could not limit.
    """

    file: str
    trouble: str = ""
    asked: list | None = None
    unknown: list = field(default_factory=list)
    verdicts: dict = field(default_factory=dict)
    stopped: list = field(default_factory=list)
    borrowed: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    unlimited: list = field(default_factory=list)

    def row(self, id):
        """(file, exercise, passed, message)."""
        passed, message = self.verdicts.get(id, (False, self.missing(id)))
        return self.file, id, passed, " ".join(filter(None, [message, self.about_all_of_it()]))

    def missing(self, id):
        """Why there is no verdict, as far as the trouble does not say it."""
        if self.asked is None or id in self.asked:
            return ""
        strange = f" It checks {', '.join(self.unknown)}, which there is not." if self.unknown else ""
        return f"Nothing is handed in for it.{strange}"

    def to_look_at(self):
        """What a person should look at, or ""."""
        lent = f"The worked solution was used for {', '.join(self.borrowed)}." if self.borrowed else ""
        return " ".join(filter(None, [self.about_all_of_it(), lent]))

    def about_all_of_it(self):
        """What a person should know about the notebook as a whole, or ""."""
        words = []
        if self.stopped:
            (number, error), *others = self.stopped
            more = f", and {len(others)} other cell{'s' * (len(others) > 1)} with errors" if others else ""
            words = [f"Code cell {number} stopped with {error}{more}; the next ones were run all the same."]
        return " ".join(filter(None, [self.trouble, *words, *self.notes]))


def grade(folder, files, seconds, memory, seed):
    """Grade files of a folder one after the other, with a progress bar.

    Parameters: seconds and memory (MB) for each notebook; seed of the instances that all answers are tried on.
    Returns: a list of Graded, shorter than files if it was interrupted.
    """
    graded = []
    with progress_bar(len(files), "notebook", progress=True) as bar, suppress(KeyboardInterrupt):
        for file in files:
            name = printable(file.relative_to(folder))
            try:
                graded.append(grade_one(file, name, seconds, memory, seed))
            except OSError as problem:  # the next one shall not suffer for it
                trouble = (
                    f"It has deleted or blocked what the grader works with: {problem.strerror or problem}."
                )
                graded.append(Graded(name, trouble))
            bar.update()
    return graded


def steps(ids):
    """The ids of cells to fill that are meant: an exercise stands for its steps."""
    meant = []
    for id in ids:
        meant += [step.id for step in EXERCISES[id].steps] if id in EXERCISES else [known(id, TASKS).id]
    return list(dict.fromkeys(meant))


def files_below(folder):
    """(those that call themselves notebooks, all others), in order. Links to folders are not followed, and copies that
    JupyterLab and macOS make are no files of anybody."""
    found, notebooks, others = [], [], []
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        links = [name for name in folders if Path(here, name).is_symlink()]
        found += [Path(here, name) for name in [*files, *links] if not name.startswith(".")]
    for path in sorted(found):
        (notebooks if path.suffix.lower() == ".ipynb" else others).append(path)
    return notebooks, others


def printable(path):
    """A path as text that every terminal and file can take."""
    return path.as_posix().encode("utf-8", "backslashreplace").decode()


# ---- one notebook ---------------------------------------------------------------------------------------


def grade_one(file, name, seconds, memory, seed):
    """The Graded of one file, which is not touched."""
    graded = Graded(name)
    if not stat.S_ISREG(file.lstat().st_mode):
        graded.trouble = "It is not run: it is no ordinary file but a link or the like."
        return graded
    # Two folders: what the notebook deletes, with all around it, is not the report.
    with (
        TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True) as home,
        TemporaryDirectory(prefix="grading-") as apart,
    ):
        copy, report = Path(home, "work", "notebook.ipynb"), Path(apart, "report")
        copy.parent.mkdir()
        report.touch()
        try:
            shutil.copyfile(file, copy)
        except OSError as problem:
            graded.trouble = f"It cannot be read: {problem.strerror}."
            return graded
        end = watch((str(copy), home, str(report), seconds, memory, seed), seconds)
        read_report(report, end, graded)
    return graded


def watch(arguments, seconds):
    """Run one submission in its own process; returns how it ended, if not at its end, but for the place."""
    process = started(arguments)
    ends, home = time.monotonic() + seconds, arguments[1]
    too_much = False
    try:
        while process.exitcode is None and not too_much and time.monotonic() < ends:
            process.join(min(LOOK, seconds))
            too_much = size_of(home) > STORED
        code = process.exitcode
    finally:  # the grader may be interrupted
        end_all(process, home)
    if too_much:
        return f"It was stopped, as its files had more than {STORED // 1_000_000} MB together"
    if code is None:
        return f"It was stopped after {seconds:g} seconds"
    if code < 0:
        return f"Its Python was ended by a signal ({signal.strsignal(-code).lower()})"
    return "It ended its Python itself"


def started(arguments):
    """The process that runs a submission."""
    try:
        process = context().Process(target=submission.run, args=arguments)
        process.start()
    except OSError:  # an earlier notebook has deleted the socket of the process that forks
        process = multiprocessing.get_context("spawn").Process(target=submission.run, args=arguments)
        process.start()
    return process


def size_of(folder):
    """Bytes of all files below."""
    size = 0
    for here, _, files in os.walk(folder):
        for file in files:
            with suppress(OSError):  # it has just gone
                size += os.lstat(Path(here, file)).st_size
    return size


def context():
    """How processes are started: forked from a warm one where the system can."""
    if "forkserver" not in multiprocessing.get_all_start_methods():  # Windows
        return multiprocessing.get_context("spawn")
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(list(WARM))
    return forking


def end_all(process, home):
    """End a process with all that it has started."""
    with suppress(OSError, AttributeError):  # all ended already; Windows
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()
    for other in Path("/proc").glob("[0-9]*"):  # Linux: who left the group is found by where it works
        with suppress(OSError):
            if os.readlink(other / "cwd").startswith(home):
                os.kill(int(other.name), signal.SIGKILL)


def read_report(report, end, graded):
    """Put down what `submission.run` has told."""
    place, ended = "before its first cell", False
    for line in report.read_bytes().splitlines():
        try:
            event = json.loads(line)
        except ValueError:  # ended while it wrote
            continue
        match event:
            case {"cell": number}:
                place = f"in code cell {number}"
            case {"id": id, "passed": passed, "message": message, "borrowed": borrowed}:
                graded.verdicts[id] = passed, message
                graded.asked += [id] if id not in graded.asked else []
                graded.borrowed = [other for other in graded.borrowed if other != id] + [id] * borrowed
            case {"unknown": id} if id not in graded.unknown:
                graded.unknown.append(id)
            case {"stopped": number, "error": error}:
                graded.stopped.append((number, error))
            case {"note": note} if note not in graded.notes:
                graded.notes.append(note)
            case {"refused": sentence}:
                graded.trouble, ended = sentence, True
            case {"asked": asked}:
                graded.asked = asked
            case {"unlimited": unlimited}:
                graded.unlimited = unlimited
            case {"end": True}:
                ended = True
    if not ended:
        graded.trouble = f"{end}, {place}."


# ---- the command ----------------------------------------------------------------------------------------


def add_arguments(parser):
    """Of `python -m sparsekm_edu.exercises grade`."""
    parser.description = "Run submitted notebooks one by one and write a row for each notebook and exercise."
    parser.epilog = NO_SANDBOX
    parser.add_argument("folder", metavar="FOLDER", help="where the notebooks are, also in folders below")
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="ID", help="exercises; default: all handed in"
    )
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each notebook (%(default)g)")
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB for each notebook (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random instances (%(default)s)")
    parser.add_argument(
        "--out", default="grades.csv", help="the table, replaced if it is there (%(default)s)"
    )


def run(arguments):
    """Grade as the command asks for; returns the exit code: 0, 2 if it cannot be done, 130 if it was interrupted."""
    os.environ |= ENVIRONMENT  # for the process that is forked
    sys.stdout.reconfigure(errors="backslashreplace")  # names of files in a terminal that has not all letters
    folder, out = Path(arguments.folder), Path(arguments.out)
    try:
        if not folder.is_dir():
            raise ValueError(f"FOLDER must be a folder, got {folder}.")
        files, others = files_below(folder)
        if not files:
            raise ValueError(f"There is no notebook in {folder}.")
        ids = steps(arguments.only)
        seconds = real_number("seconds", arguments.seconds, above=0)
        memory = whole_number("memory", arguments.memory, at_least=LEAST_MEMORY)
        seed = whole_number("seed", arguments.seed, at_least=0)
        out.open("a").close()  # before the work is done, not after it
    except (ValueError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 2
    graded = grade(folder, files, seconds, memory, seed)
    # multiprocessing removes its folder at the end and complains if a notebook has done so before
    Path(util.get_temp_dir()).mkdir(exist_ok=True)
    asked = {id for one in graded for id in one.asked or ()}
    ids = ids or [id for id in TASKS if id in asked]
    write(out, graded, ids)
    print(summary(graded, ids, len(files), [printable(other.relative_to(folder)) for other in others]))
    print(f"The table is {out}. All answers were tried on the instances of seed {seed}.\n{NO_SANDBOX}")
    return 0 if len(graded) == len(files) else INTERRUPTED


def write(out, graded, ids):
    """The table as CSV; where nobody hands in anything, one row per notebook without an exercise."""
    with out.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        table.writerows(one.row(id) for one in graded for id in ids or [""])


def summary(graded, ids, number, others):
    """What to know at the end: how many passed, and which files need a look."""
    broken_off = f" Interrupted after {len(graded)}." if len(graded) < number else ""
    lines = [f"{number} notebook{'s' if number > 1 else ''}.{broken_off}"]
    passed = Counter(id for one in graded for id in ids if one.row(id)[2])
    lines += [f"  {id}: passed by {passed[id]} of {len(graded)}" for id in ids]
    if not ids:
        lines.append("No notebook hands anything to exercises.check.")
    doubtful = [f"  {one.file}: {one.to_look_at()}" for one in graded if one.to_look_at()]
    lines += ["These need a look:", *doubtful] if doubtful else []
    if others:
        more = f" and {len(others) - 10} more" if len(others) > 10 else ""
        lines.append(f"Not graded, as their names do not end in .ipynb: {', '.join(others[:10])}{more}.")
    unlimited = sorted({what for one in graded for what in one.unlimited})
    if unlimited:
        lines.append(f"This system could not limit: {', '.join(unlimited)}.")
    return "\n".join(lines)
