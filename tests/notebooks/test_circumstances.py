"""Notebooks in the hands of people: cells out of order, no network, no kernel. Rows 73, 75, 76 of bad input."""

import ast
import os
import re

import execute
import nbformat
import pytest
from driving import BLANK
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook

from sparsekm_edu.live.canvas import Stage

LESSONS = [path for path in execute.find() if not path.name.startswith(execute.PRACTICE)]
COURSE = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def cells(path):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def parts(source):
    """What a cell prepares, and what it shows: its last expression."""
    *before, last = ast.parse(source).body
    return "\n".join(map(ast.unparse, before)), ast.unparse(last)


@COURSE
def test_row_73_explorers_need_the_set_up_cell_only(path, monkeypatch):
    monkeypatch.setattr(Stage, "pixels", lambda stage: BLANK)  # made, not looked at
    set_up, *others = cells(path)
    explorers = [cell for cell in map(parts, others) if cell[1].startswith("explorers.")]
    assert explorers
    names = {}
    exec(set_up, names)
    for before, last in reversed(explorers):
        exec(before, names)
        made = eval(last, names)
        assert made.message == ""
        made.close()


# Row 75, no network and a folder that cannot be written to: nbval runs the whole course behind offline.py.

ALLOWED = """
import os, pathlib, socket, tempfile, urllib.request
listening = socket.create_server(("127.0.0.1", 0))
socket.create_connection(listening.getsockname())
socket.create_connection(("localhost", listening.getsockname()[1]))
pathlib.Path(tempfile.mkdtemp(), "elsewhere").write_text("fine")
pathlib.Path("here").exists(), os.listdir()
"""
FORBIDDEN = {
    "address": ("socket.create_connection(('192.0.2.1', 80))", "reach 192.0.2.1"),
    "datagram": ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'?', ('192.0.2.1', 53))", "reach 192.0.2.1"),
    "address of version 6": (
        "socket.socket(socket.AF_INET6).connect(('2001:db8::1', 80))",
        "reach 2001:db8::1",
    ),
    "name": ("socket.gethostbyname('data.example')", "reach data.example"),
    "download": ("urllib.request.urlopen('http://data.example/points.csv')", "reach data.example"),
    "file": ("open('result.txt', 'w')", "write result.txt"),
    "appended": ("open('result.txt', 'a')", "write result.txt"),
    "by a path": ("pathlib.Path('deep', 'result.txt').resolve().touch()", r"write .*deep.result\.txt"),
    "folder": ("os.mkdir('results')", "write results"),
    "moved": ("os.rename(tempfile.mkstemp()[1], 'result.txt')", "write result.txt"),
}


def test_row_75_the_guard_stops_who_goes_online_or_writes_beside_the_notebook(tmp_path):
    """What it allows raises nothing, what it forbids is named, and no name of its own is left in the notebook."""
    assert os.environ["PYTHONSTARTUP"].endswith("offline.py")
    nb = new_notebook(
        cells=[
            new_code_cell("print(sorted(name for name in globals() if 'guard' in name), 'sys' in globals())")
        ]
        + [new_code_cell(source) for source in [ALLOWED, *(source for source, _ in FORBIDDEN.values())]]
    )
    for cell in nb.cells[2:]:
        cell.metadata.tags = ["raises-exception"]
    names, _, *stopped = execute.execute(nb, tmp_path).cells
    assert names.outputs[0].text == "[] False\n"
    for cell, (_, words) in zip(stopped, FORBIDDEN.values(), strict=True):
        (error,) = cell.outputs
        assert error.ename == "AssertionError"
        assert re.fullmatch(f"the notebook wants to {words}", error.evalue)
    assert list(tmp_path.iterdir()) == []


@COURSE
def test_row_76_without_a_kernel_every_picture_is_there_and_has_a_text(path):
    drawing = [source for source in cells(path) if re.match(r"sheet$|explorers\.", parts(source)[1])]
    html, _ = HTMLExporter(exclude_input=True).from_notebook_node(nbformat.read(path, as_version=4))
    pictures = re.findall(r"<img[^>]*data:image/png;base64[^>]*>", html)
    assert len(pictures) == len(drawing) > 0
    assert all(re.search(r'alt="\w[^"]{40,}"', picture) for picture in pictures)
    assert "widget-view" not in html
