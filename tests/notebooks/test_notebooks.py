"""The form of a notebook: run in order, nothing volatile stored, no plumbing, facts after figures.

Each guard takes a notebook and returns sentences about what is wrong, none when all is well. The guards
run over the course, and each is shown to complain about a small notebook that breaks it and nothing else.
"""

import copy
import re

import nbformat
import pytest
from execute import NOTEBOOKS, WIDGET_VIEW, find
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

MAX_BYTES = 1_000_000
MAX_LINES = 25
WORDS = 800, 2500

PLOTTING = re.compile(r"\bmatplotlib\b|\bplt\.")
IMPORT = re.compile(r"^\s*(import\s+\w|from\s+[\w.]+\s+import\b)", re.MULTILINE)
FIGURE = re.compile(r"\bfigures\.[\w.]+\(")
GOALS = re.compile(
    r"After this notebook you can[^\n]*\n((?:\s*\n|\s*(?:[-*]|\d+\.) [^\n]*\n?|\s{2,}\S[^\n]*\n?)*)"
)
LINK = re.compile(r"\]\(([\w.]+\.ipynb)(?:#([^)\s]+))?\)( \(coming\))?")
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) ", re.MULTILINE)
MATHS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|```.*?```|<!--.*?-->", re.DOTALL)


def code(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def prose(nb):
    return "\n\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")


def outputs(nb):
    return [(n, output) for n, cell in enumerate(code(nb), 1) for output in cell.outputs]


def has_text(cell):
    return any(
        output.get("name") == "stdout"
        or ("text/plain" in output.get("data", {}) and "image/png" not in output.data)
        for output in cell.outputs
    )


# guards for every notebook


def executed_in_order(nb):
    counts = [cell.execution_count for cell in code(nb)]
    if not counts:
        return ["there is no code cell"]
    return [] if counts == list(range(1, len(counts) + 1)) else [f"execution counts are {counts}"]


def no_errors(nb):
    return [f"code cell {n} holds an error: {o.ename}" for n, o in outputs(nb) if o.output_type == "error"]


def no_stderr(nb):
    return [f"code cell {n} wrote to stderr: {o.text}" for n, o in outputs(nb) if o.get("name") == "stderr"]


def no_widget_state(nb):
    return (
        ["metadata.widgets is stored: the HTML export loses its pictures"] if "widgets" in nb.metadata else []
    )


def no_widget_views(nb):
    return [f"code cell {n} stores a widget view" for n, o in outputs(nb) if WIDGET_VIEW in o.get("data", {})]


def small(nb):
    size = len(nbformat.writes(nb).encode())
    return [] if size < MAX_BYTES else [f"{size} bytes; pictures should be smaller"]


def short_cells(nb):
    lengths = [sum(bool(line.strip()) for line in cell.source.splitlines()) for cell in code(nb)]
    return [f"code cell {n} has {length} lines" for n, length in enumerate(lengths, 1) if length > MAX_LINES]


def no_plotting(nb):
    return [
        f"code cell {n} plots by itself" for n, cell in enumerate(code(nb), 1) if PLOTTING.search(cell.source)
    ]


def imports_first(nb):
    return [
        f"code cell {n} imports" for n, cell in enumerate(code(nb), 1) if n > 1 and IMPORT.search(cell.source)
    ]


def facts_follow_figures(nb):
    """The set-up cell, the first one, may call `figures` to choose a style: it draws nothing."""
    cells = code(nb)
    return [
        f"code cell {n} draws a figure and the next one prints no facts"
        for n, (cell, following) in enumerate(zip(cells, cells[1:] + [None]), 1)
        if n > 1 and FIGURE.search(cell.source) and not (following and has_text(following))
    ]


def has_title(nb):
    first = nb.cells[0] if nb.cells else None
    titled = first and first.cell_type == "markdown" and first.source.startswith("# ")
    return [] if titled else ["the first cell is no title"]


# guards for the lessons, 01 and later


def has_goals(nb):
    match = GOALS.search(prose(nb))
    if not match:
        return ['"After this notebook you can" is missing']
    items = len(ITEM.findall(match[1]))
    return [] if items == 3 else [f"{items} goals instead of three"]


def says_minutes(nb):
    return [] if re.search(r"\b\d+ minutes\b", prose(nb)) else ["how many minutes does it take?"]


def has_recap(nb):
    return [] if re.search(r"^#+ .*\brecap\b", prose(nb), re.I | re.M) else ["there is no recap heading"]


def links_next(nb):
    return (
        []
        if re.search(r"\bnext\b[^\n]*\]\([^)\s]+\.ipynb\)", prose(nb), re.I)
        else ["no link to the next notebook"]
    )


def right_length(nb):
    words = len(re.findall(r"[^\W\d_][\w'’-]*", MATHS.sub(" ", prose(nb))))
    return [] if WORDS[0] <= words <= WORDS[1] else [f"{words} words of prose, not {WORDS[0]} to {WORDS[1]}"]


def links_lead_somewhere(nb):
    """To a notebook that exists, or is announced as coming; and in it to a heading that exists."""
    wrong = []
    for name, anchor, after in LINK.findall(prose(nb)):
        path = NOTEBOOKS / name
        if not path.exists():
            wrong += [] if after else [f"{name} is neither there nor called (coming)"]
        elif after:
            wrong.append(f"{name} is there and still called (coming)")
        elif anchor:
            headings = re.findall(r"^#+ (.+)$", prose(nbformat.read(path, as_version=4)), re.M)
            if anchor not in [heading.strip().replace(" ", "-") for heading in headings]:
                wrong.append(f"{name} has no heading {anchor}")
    return wrong


EVERYWHERE = [
    links_lead_somewhere,
    executed_in_order,
    no_errors,
    no_stderr,
    no_widget_state,
    no_widget_views,
    small,
    short_cells,
    no_plotting,
    imports_first,
    facts_follow_figures,
    has_title,
]
LESSONS = [has_goals, says_minutes, has_recap, links_next, right_length]
ALL = EVERYWHERE + LESSONS


def is_lesson(path):
    return not path.name.startswith("00")


@pytest.mark.parametrize(
    ("path", "guard"),
    [
        pytest.param(path, guard, id=f"{path.stem}-{guard.__name__}")
        for path in find()
        for guard in (ALL if is_lesson(path) else EVERYWHERE)
    ],
)
def test_course(path, guard):
    assert guard(nbformat.read(path, as_version=4)) == []


def test_there_is_a_course():
    names = [path.name for path in find()]
    assert "00_start_here.ipynb" in names, f"nothing to check in {NOTEBOOKS.name}/"
    assert any(is_lesson(path) for path in find())


# each guard complains when it should


@pytest.fixture
def lesson():
    """A small notebook that no guard complains about."""

    def cell(n, source, *out):
        return new_code_cell(source, execution_count=n, outputs=list(out))

    picture = new_output("execute_result", {"image/png": "AAAA", "text/plain": "a line"}, execution_count=2)
    facts = new_output("stream", name="stdout", text="margin 0.5\n")
    return new_notebook(
        cells=[
            new_markdown_cell("# Margins\n\n*PRML 7.1. About 40 minutes.*"),
            new_markdown_cell(
                "**After this notebook you can**\n\n- see,\n- tell\n  and retell,\n- prove.\n\n## A section"
            ),
            cell(1, "from sparsekm_edu import figures\n\nfigures.use()"),
            cell(2, "figures.figure_7_1(data)", picture),
            new_markdown_cell("word " * 1000 + "$a_n t_n$"),
            cell(3, "print(facts)", facts),
            new_markdown_cell("## Recap\n\nAll is well.\n\nNext: [soft margin](02_soft_margin.ipynb)"),
        ]
    )


def test_a_good_notebook_pleases_all(lesson):
    assert {guard.__name__: guard(lesson) for guard in ALL if guard(lesson)} == {}


def change(index, **fields):
    return lambda nb: nb.cells[index].update(fields)


def rewrite(index, old, new):
    def apply(nb):
        assert old in nb.cells[index].source
        nb.cells[index].source = nb.cells[index].source.replace(old, new)

    return apply


def add_output(output):
    return lambda nb: nb.cells[5].outputs.append(output)


BREAKS = [
    ("not run", executed_in_order, change(5, execution_count=None)),
    ("run twice", executed_in_order, change(5, execution_count=4)),
    (
        "run backwards",
        executed_in_order,
        lambda nb: (change(2, execution_count=2)(nb), change(3, execution_count=1)(nb)),
    ),
    ("error", no_errors, add_output(new_output("error", ename="ValueError", evalue="C", traceback=[]))),
    ("warning", no_stderr, add_output(new_output("stream", name="stderr", text="UserWarning\n"))),
    ("widget state", no_widget_state, lambda nb: nb.metadata.update(widgets={})),
    (
        "widget view",
        no_widget_views,
        add_output(new_output("display_data", {WIDGET_VIEW: {"model_id": "1f"}})),
    ),
    ("large", small, add_output(new_output("display_data", {"image/png": "A" * MAX_BYTES}))),
    ("long cell", short_cells, change(5, source="\n\n".join(["a = 1"] * 26))),
    ("pyplot", no_plotting, change(5, source="plt.plot(x)")),
    ("magic", no_plotting, change(5, source="%matplotlib inline")),
    ("late import", imports_first, change(5, source="import numpy as np")),
    ("late from", imports_first, change(5, source="if True:\n    from math import pi")),
    ("no facts", facts_follow_figures, change(5, outputs=[])),
    ("picture for facts", facts_follow_figures, lambda nb: change(5, outputs=nb.cells[3].outputs)(nb)),
    ("last is a figure", facts_follow_figures, change(5, source="figures.figure_7_2(data)")),
    ("dead link", links_lead_somewhere, rewrite(0, "PRML 7.1.", "[x](19_gone.ipynb) ")),
    (
        "link to a lost heading",
        links_lead_somewhere,
        rewrite(0, "PRML 7.1.", "[x](01_maximum_margin.ipynb#9-Gone)"),
    ),
    (
        "still coming",
        links_lead_somewhere,
        rewrite(0, "PRML 7.1.", "[x](01_maximum_margin.ipynb) (coming)"),
    ),
    ("no title", has_title, rewrite(0, "# Margins", "Margins")),
    ("no goals", has_goals, rewrite(1, "After this notebook you can", "You will learn")),
    ("two goals", has_goals, rewrite(1, "- prove.", "")),
    ("four goals", has_goals, rewrite(1, "- prove.", "- prove,\n- teach.")),
    ("no minutes", says_minutes, rewrite(0, "About 40 minutes.", "Not long.")),
    ("no recap", has_recap, rewrite(6, "## Recap", "## The end")),
    ("no next", links_next, rewrite(6, "[soft margin](02_soft_margin.ipynb)", "soft margin")),
    ("few words", right_length, change(4, source="word " * 700 + "$a b$ " * 200)),
    ("many words", right_length, change(4, source="word " * 2600)),
]


@pytest.mark.parametrize(("guard", "harm"), [pytest.param(*rest, id=name) for name, *rest in BREAKS])
def test_a_bad_notebook_displeases_one(lesson, guard, harm):
    bad = copy.deepcopy(lesson)
    harm(bad)
    assert [g.__name__ for g in ALL if g(bad)] == [guard.__name__]


def test_every_guard_is_tried():
    assert {guard for _, guard, _ in BREAKS} == set(ALL)
