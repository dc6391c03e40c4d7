"""Notebooks in the hands of people: cells out of order, no network, no kernel. Rows 73, 75, 76 of bad input."""

import re
import subprocess
import sys

import execute
import nbformat
import pytest
from nbconvert import HTMLExporter

COURSE = pytest.mark.parametrize("path", execute.find(), ids=lambda path: path.stem)

# Runs the code of a notebook, read from standard input, where every way out of this machine is closed.
OFFLINE = """
import socket, sys

def closed(self, address):
    raise AssertionError(f"the notebook wants to reach {address}")

socket.socket.connect = socket.socket.connect_ex = closed
exec(compile(sys.stdin.read(), "notebook", "exec"), {"__name__": "notebook"})
"""


def cells(path):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


@COURSE
def test_row_73_explorers_need_the_set_up_cell_only(path):
    set_up, *others = cells(path)
    explorers = [source for source in others if source.startswith("explorers.")]
    assert explorers
    names = {}
    exec(set_up, names)
    for source in reversed(explorers):
        made = eval(source, names)
        assert made.message == ""
        made.close()


@COURSE
def test_row_75_no_network_and_nothing_written(path, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE],
        input="\n\n".join(cells(path)),
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


@COURSE
def test_row_76_without_a_kernel_every_picture_is_there_and_has_a_text(path):
    shown = [
        source
        for source in cells(path)
        if source.splitlines()[-1] == "sheet" or source.startswith("explorers.")
    ]
    html, _ = HTMLExporter().from_notebook_node(nbformat.read(path, as_version=4))
    pictures = re.findall(r"<img[^>]*data:image/png;base64[^>]*>", html)
    assert len(pictures) == len(shown) > 0
    assert all(re.search(r'alt="\w[^"]{40,}"', picture) for picture in pictures)
    assert "widget-view" not in html
