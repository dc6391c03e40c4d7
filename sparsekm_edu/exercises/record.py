"""What the learner has done so far: one small JSON file beside the notebooks.

It is read afresh before every change, so that two open notebooks do not forget each other's work. Whatever is wrong
with the file, nothing breaks: what cannot be written is remembered as long as Python runs, and a sentence says so.
"""

import contextlib
import json
import os
from pathlib import Path

NAME = "sparsekm_progress.json"
ELSEWHERE = "SPARSEKM_PROGRESS"  # an environment variable that names another file
KINDS = "guesses", "exercises", "cards"
NO_FILE = "it is no ordinary file"

_unsaved = {kind: {} for kind in KINDS}  # what no file would take


def path():
    """Where the record is: in the folder that Python works in, which for a notebook is its own."""
    return Path(os.environ.get(ELSEWHERE) or NAME).absolute()


def load():
    """({"guesses": {id: {...}}, "exercises": {...}, "cards": {...}}, a sentence about what is wrong or "")."""
    stored, trouble = {}, ""
    try:
        if not is_ordinary():
            raise OSError(0, NO_FILE)
        stored = json.loads(path().read_text(encoding="utf-8"))
        if not is_record(stored):
            raise ValueError
    except FileNotFoundError:
        pass
    except (ValueError, RecursionError):  # no JSON, no text, or another JSON
        stored, trouble = {}, f"{path().name} is damaged, so progress starts over."
    except OSError as problem:
        trouble = f"{path().name} cannot be read ({problem.strerror}), so progress starts over."
    return {kind: {**stored.get(kind, {}), **_unsaved[kind]} for kind in KINDS}, trouble


def is_ordinary():
    """A folder or a device of this name must neither be read nor replaced."""
    return path().is_file() or not path().exists()


def is_record(stored):
    """Is it what `change` writes?"""
    return isinstance(stored, dict) and all(
        isinstance(stored.get(kind, {}), dict)
        and all(isinstance(entry, dict) for entry in stored.get(kind, {}).values())
        for kind in KINDS
    )


def change(kind, id, **entries):
    """Remember `entries` about one guess, exercise or card; returns a sentence about what went wrong, or ""."""
    everything, trouble = load()
    everything[kind][id] = {**everything[kind].get(id, {}), **entries}
    if "damaged" in trouble:
        trouble += f" The old file is kept as {put_aside()}."
    problem = write(everything)
    if problem:
        _unsaved[kind][id] = everything[kind][id]
        return f"{path().name} cannot be written ({problem}): this is remembered only until Python stops."
    for entries_of_kind in _unsaved.values():
        entries_of_kind.clear()
    return trouble


def forget():
    """Start over; returns a sentence about what went wrong, or ""."""
    for entries in _unsaved.values():
        entries.clear()
    try:
        if is_ordinary():
            path().unlink(missing_ok=True)
    except OSError as problem:
        return f"{path().name} cannot be removed ({problem.strerror})."
    return ""


def write(everything):
    """All or nothing: a crash leaves the old file. Returns what went wrong, or ""."""
    new = path().with_suffix(f".{os.getpid()}.new")
    if not is_ordinary():
        return NO_FILE
    if path().exists() and not os.access(
        path(), os.W_OK
    ):  # a folder that can be written to would let us replace it
        return "it is read-only"
    try:
        new.write_text(json.dumps(everything, indent=1), encoding="utf-8")
        new.replace(path())
    except OSError as problem:
        with contextlib.suppress(OSError):
            new.unlink()
        return problem.strerror
    return ""


def put_aside():
    """Rename a damaged file, so that nothing of it is lost; returns its new name."""
    aside = path().with_suffix(".damaged.json")
    try:
        path().replace(aside)
    except OSError:
        return path().name
    return aside.name
