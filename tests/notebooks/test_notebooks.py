"""The form of a notebook: run in order, nothing volatile stored, no plumbing, facts after figures.

Each guard takes a notebook and returns sentences about what is wrong, none when all is well. The guards
run over the course, and each is shown to complain about a small notebook that breaks it and nothing else.
"""

import ast
import copy
import re

import nbformat
import pytest
from execute import NOTEBOOKS, PRACTICE, WIDGET_VIEW, find
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

MAX_BYTES = 1_000_000
MAX_LINES = 25  # of the one cell that holds the algorithm in full
IDEA_LINES = 12  # of all others whose code is shown, in the notebooks that follow the model
MAX_POSITIONAL = 6
WORDS = 800, 2500

PLOTTING = re.compile(r"\bmatplotlib\b|\bplt\.")
IMPORT = re.compile(r"^\s*(import\s+\w|from\s+[\w.]+\s+import\b)", re.MULTILINE)
FIGURE = re.compile(r"\bfigures\.[\w.]+\(")
GOALS = re.compile(
    r"After this notebook you can[^\n]*\n((?:\s*\n|\s*(?:[-*]|\d+\.) [^\n]*\n?|\s{2,}\S[^\n]*\n?)*)"
)
LINK = re.compile(r"\]\(([\w.]+\.ipynb)(?:#((?:[^()\s]|\([^()\s]*\))+))?\)( \(coming\))?")
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


# guards for the notebooks that follow the model of 01 and 10: the learner acts


def sections(nb):
    return re.findall(r"^## (\d+ .+)$", prose(nb), re.M)


def sections_are_marked(nb):
    unmarked = [title for title in sections(nb) if not re.search(r" · (core|deeper)$", title)]
    return [f'section "{title}" is neither core nor deeper' for title in unmarked]


def says_core_minutes(nb):
    minutes = re.search(r"\b(\d+) minutes, core (\d+)\b", prose(nb))
    if not minutes:
        return ['"about 90 minutes, core 60" is missing']
    return [] if int(minutes[2]) <= int(minutes[1]) else ["the core takes longer than the whole"]


def learner_guesses(nb):
    asked = [cell for cell in code(nb) if "exercises.guess(" in cell.source]
    wrong = [] if 4 <= len(asked) <= 6 else [f"{len(asked)} guesses, not 4 to 6"]
    return wrong + [f"a guess shares its cell: {cell.source}" for cell in asked if "\n" in cell.source]


def to_fill(nb):
    return [cell for cell in code(nb) if "exercises.check(" in cell.source]


def learner_writes(nb):
    return [] if len(to_fill(nb)) >= 2 else [f"{len(to_fill(nb))} cells to fill, not two"]


def stored_unfilled(nb):
    """Cells to fill are stored unfilled, and run all the same."""
    return [
        f"this cell to fill is stored with an answer: {cell.source}"
        for cell in to_fill(nb)
        if "..." not in cell.source or "Your turn" not in str(cell.outputs)
    ]


def short_ideas(nb):
    """A cell of plumbing is folded, and only the algorithm in full may be longer."""
    shown = [cell for cell in code(nb) if not cell.metadata.get("jupyter", {}).get("source_hidden")]
    lengths = [sum(bool(line.strip()) for line in cell.source.splitlines()) for cell in shown]
    long = [length for length in lengths if length > IDEA_LINES]
    return (
        [] if len(long) <= 1 else [f"cells of {long} lines; only the algorithm in full may have more than 12"]
    )


def few_positional_arguments(nb):
    calls = [
        node
        for cell in code(nb)
        for node in ast.walk(ast.parse(re.sub(r"^%.*", "", cell.source, flags=re.M)))
        if isinstance(node, ast.Call) and len(node.args) > MAX_POSITIONAL
    ]
    return [f"{ast.unparse(call.func)} has {len(call.args)} arguments without a name" for call in calls]


def numbers_not_truths(nb):
    """Facts are numbers; what must hold is asserted."""
    return [
        f"code cell {n} prints {line!r}"
        for n, output in outputs(nb)
        for line in output.get("text", "").splitlines()
        if re.search(r"\b(True|False)\b", line)
    ]


def one_fold_each(nb):
    folds = re.findall(r"<details>.*?</details>", prose(nb), re.DOTALL)
    return [
        f"one fold answers several questions: {fold[:60]}"
        for fold in folds
        if "(a)" in fold and "(b)" in fold
    ]


def errata_are_folded(nb):
    """Slips of the books interest those who hold them: they unfold them."""
    open_prose = re.sub(r"<details>.*?</details>", "", prose(nb), flags=re.DOTALL)
    return re.findall(r"A remark if you[^\n]*|If you hold[^\n]*", open_prose)


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
MODELS = [
    sections_are_marked,
    says_core_minutes,
    learner_guesses,
    learner_writes,
    stored_unfilled,
    short_ideas,
    few_positional_arguments,
    numbers_not_truths,
    one_fold_each,
    errata_are_folded,
]
OF_PRACTICE = [has_goals, says_minutes, stored_unfilled]  # in any order, as long as it takes
FOLLOW_THE_MODEL = "01", "10", "12", "13", "14", "15", "16"  # a notebook that was reworked joins them
ALL = EVERYWHERE + LESSONS + MODELS


def is_lesson(path):
    return not path.name.startswith("00")


def guards(path):
    """The guards of one notebook."""
    if not is_lesson(path):
        return EVERYWHERE
    if path.name.startswith(PRACTICE):
        return EVERYWHERE + OF_PRACTICE
    return ALL if path.name.startswith(FOLLOW_THE_MODEL) else EVERYWHERE + LESSONS


@pytest.mark.parametrize(
    ("path", "guard"),
    [
        pytest.param(path, guard, id=f"{path.stem}-{guard.__name__}")
        for path in find()
        for guard in guards(path)
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
    your_turn = new_output("display_data", {"text/plain": "Your turn: do it."})
    return new_notebook(
        cells=[
            new_markdown_cell("# Margins\n\n*PRML 7.1. About 40 minutes, core 30.*"),
            new_markdown_cell(
                "**After this notebook you can**\n\n- see,\n- tell\n  and retell,\n- prove.\n\n## 1 A section · core"
            ),
            cell(1, "from sparsekm_edu import figures\n\nfigures.use()"),
            cell(2, "figures.figure_7_1(data)", picture),
            new_markdown_cell("word " * 1000 + "$a_n t_n$"),
            cell(3, "print(facts)", facts),
            new_markdown_cell("## Recap\n\nAll is well.\n\nNext: [soft margin](02_soft_margin.ipynb)"),
            *(cell(n, f'exercises.guess("01-{n}")') for n in range(4, 8)),
            *(cell(n, f'def f():\n    ...\n\nexercises.check("{n}", f)', your_turn) for n in (8, 9)),
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
        "link to a lost heading with a number in brackets",
        links_lead_somewhere,
        rewrite(0, "PRML 7.1.", "[x](01_maximum_margin.ipynb#9-Gone-(7.1)-on)"),
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
    ("no minutes", (says_minutes, says_core_minutes), rewrite(0, "About 40 minutes, core 30.", "Not long.")),
    ("no minutes of the core", says_core_minutes, rewrite(0, ", core 30", "")),
    ("a core longer than all", says_core_minutes, rewrite(0, "core 30", "core 50")),
    ("a section without its mark", sections_are_marked, rewrite(1, " · core", "")),
    ("three guesses", learner_guesses, change(7, source="a = 1")),
    ("a guess with company", learner_guesses, rewrite(7, "exercises", "a = 1\nexercises")),
    ("one cell to fill", learner_writes, change(11, source="a = 1")),
    ("a filled cell", stored_unfilled, rewrite(11, "...", "return 1")),
    ("a passed check", stored_unfilled, change(11, outputs=[])),
    (
        "two long ideas",
        short_ideas,
        lambda nb: [change(n, source="\n".join(["a = 1"] * 13))(nb) for n in (2, 5)],
    ),
    ("seven arguments", few_positional_arguments, change(5, source="f(1, 2, 3, 4, 5, 6, 7)")),
    ("a truth", numbers_not_truths, add_output(new_output("stream", name="stdout", text="equal: True\n"))),
    (
        "one fold for all",
        one_fold_each,
        rewrite(6, "All is well.", "<details><summary>Answers</summary>\n(a) yes (b) no\n</details>"),
    ),
    (
        "open errata",
        errata_are_folded,
        rewrite(6, "All is well.", "*A remark if you hold the book:* a slip."),
    ),
    ("no recap", has_recap, rewrite(6, "## Recap", "## The end")),
    ("no next", links_next, rewrite(6, "[soft margin](02_soft_margin.ipynb)", "soft margin")),
    ("few words", right_length, change(4, source="word " * 700 + "$a b$ " * 200)),
    ("many words", right_length, change(4, source="word " * 2600)),
]


@pytest.mark.parametrize(("guard", "harm"), [pytest.param(*rest, id=name) for name, *rest in BREAKS])
def test_a_bad_notebook_displeases_one(lesson, guard, harm):
    bad = copy.deepcopy(lesson)
    harm(bad)
    displeased = guard if isinstance(guard, tuple) else (guard,)
    assert [g.__name__ for g in ALL if g(bad)] == [g.__name__ for g in displeased]


def test_folded_errata_and_folded_plumbing_are_fine(lesson):
    rewrite(6, "All is well.", "<details><summary>Compare</summary>\nA remark if you care.\n</details>")(
        lesson
    )
    for n in (2, 5):
        lesson.cells[n].source = "\n".join(["a = 1"] * 13)
        lesson.cells[n].metadata = nbformat.from_dict({"jupyter": {"source_hidden": True}})
    assert {guard.__name__: guard(lesson) for guard in ALL if guard(lesson)} == {}


def test_a_link_to_a_heading_with_numbers_in_brackets_is_read_to_its_end(lesson):
    where = "01_maximum_margin.ipynb#6-The-dual-of-the-maximum-margin:-(7.7)-to-(7.12)-·-core"
    rewrite(0, "PRML 7.1.", f"[x]({where}).")(lesson)
    assert links_lead_somewhere(lesson) == []


def test_every_guard_is_tried():
    tried = [guard if isinstance(guard, tuple) else (guard,) for _, guard, _ in BREAKS]
    assert {one for each in tried for one in each} == set(ALL)
