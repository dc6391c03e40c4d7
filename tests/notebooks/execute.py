"""Run notebooks from top to bottom and store them clean: what `make notebooks` does.

    python tests/notebooks/execute.py [notebook ...]        (all of notebooks/ when none is named)

A stored notebook holds the outputs of one run and nothing that changes from run to run: no widget state, no
time stamps, no random ids. The picture and the text of an explorer stay. Cells whose output is not compared
(tag nbval-ignore-output) may show a progress bar while they run; nothing of it is stored.
A notebook that raises is left untouched.
"""

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from tqdm import tqdm

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
PRACTICE = "17", "18"  # exercises and viva cards: the learner acts, no figure is drawn
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}
CELL_METADATA = {"tags", "jupyter", "editable", "exercise"}


class NotebookError(Exception):
    """A cell raised, ran out of time or took the kernel with it; the message says which."""


def find(folder=NOTEBOOKS):
    """All notebooks of a folder, in the order of the course."""
    return sorted(Path(folder).glob("*.ipynb"))


def execute(nb, folder, name="notebook", timeout=600):
    """Run all cells of nb in a fresh kernel that works in `folder`; outputs are stored in nb.

    The kernel knows of no earlier guesses and solutions, and leaves none behind.
    """
    running = 0

    def remember(cell, cell_index):
        nonlocal running
        running = cell_index

    client = NotebookClient(
        nb,
        kernel_name="python3",
        timeout=timeout,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
        on_cell_execute=remember,
    )
    try:
        with (
            tempfile.TemporaryDirectory() as elsewhere,
            patch.dict(os.environ, SPARSEKM_PROGRESS=str(Path(elsewhere) / "progress.json")),
        ):
            client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        number = sum(cell.cell_type == "code" for cell in nb.cells[: running + 1])
        text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip()
        raise NotebookError(f"{name}, code cell {number}: {text.splitlines()[-1]}") from error
    return nb


def clean(nb):
    """Drop from nb, in place, all that changes from run to run or that only an editor needs."""
    nb.metadata = nbformat.from_dict(METADATA)
    nb.nbformat_minor = max(nb.nbformat_minor, 5)
    for cell in nb.cells:
        kept = {key: value for key, value in cell.metadata.items() if key in CELL_METADATA and value != []}
        if "jupyter" in kept:
            kept["jupyter"] = {k: v for k, v in kept["jupyter"].items() if k == "source_hidden"}
            if not kept["jupyter"]:
                del kept["jupyter"]
        cell.metadata = nbformat.from_dict(kept)
        if cell.cell_type == "code":
            if "nbval-ignore-output" in cell.metadata.get("tags", []):
                cell.outputs = [output for output in cell.outputs if not is_progress(output)]
            cell.outputs = [output for output in cell.outputs if clean_output(output)]
    return nb


def is_progress(output):
    """Is it a bar of tqdm, as a widget without a picture or as text on stderr, where a warning must not hide?"""
    data = output.get("data", {})
    bar = output.get("name") == "stderr" and "Warning" not in output.text
    return bar or (WIDGET_VIEW in data and "image/png" not in data)


def clean_output(output):
    """Drop the widget view of one output, in place; False when nothing is left of it."""
    if "data" not in output:
        return True
    output.data.pop(WIDGET_VIEW, None)
    output.metadata = nbformat.from_dict({k: v for k, v in output.metadata.items() if k in output.data})
    return bool(output.data)


def run(path):
    """Execute one notebook file and write it back clean."""
    nb = nbformat.read(path, as_version=4)
    execute(nb, path.parent.resolve(), name=path.name)
    nbformat.validate(clean(nb))
    nbformat.write(nb, path)


def main(argv=None):
    parser = argparse.ArgumentParser(description="Run notebooks from top to bottom and store them clean.")
    parser.add_argument(
        "notebooks", nargs="*", type=Path, help="notebook files; all of notebooks/ when left out"
    )
    paths = parser.parse_args(argv).notebooks or find()
    if not paths:
        print(f"no notebooks in {NOTEBOOKS.name}/", file=sys.stderr)
        return 1
    failures = []
    bar = tqdm(paths, unit="notebook")
    for path in bar:
        bar.set_description(path.stem)
        try:
            run(path)
        except NotebookError as error:
            failures.append(str(error))
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
