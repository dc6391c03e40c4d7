"""An assignment: a notebook to fill, the same with solutions, a sheet to print; nbgrader's rules are kept."""

import re
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import numpy as np
import pytest

from sparsekm_edu import exercises
from sparsekm_edu.exercises import EXERCISES, TASKS
from sparsekm_edu.exercises.__main__ import main
from sparsekm_edu.exercises.assignment import FILES, assignment, catalogue, handout, write_assignment
from sparsekm_edu.exercises.claims import Claim

CHOSEN = "01-margin", "7.6", "7.10"


@pytest.fixture(scope="module")
def chosen():
    return [catalogue()[id] for id in CHOSEN]


def code_of(nb):
    return "\n\n".join(cell.source for cell in nb.cells if cell.cell_type == "code")


def run(nb):
    """Run the code cells one after the other; returns what they display, or the error that one ends with."""
    shown = []
    space = {"display": shown.append}
    for cell in nb.cells:
        if cell.cell_type == "code":
            exec(cell.source, space)
    return shown


# ---- the notebooks --------------------------------------------------------------------------------------


def test_the_notebook_to_fill_runs_and_asks_for_everything(chosen):
    verdicts = run(assignment(chosen, "Sheet 3"))
    assert len(verdicts) == sum(len(exercise.steps) for exercise in chosen) > 5
    assert not any(verdict.filled for verdict in verdicts)


def test_the_version_with_solutions_passes_all_hidden_tests(chosen):
    nb = assignment(chosen, "Sheet 3", solved=True)
    assert code_of(nb).count("assert passed, message") == sum(len(exercise.steps) for exercise in chosen)
    assert all(verdict.passed for verdict in run(nb))


def test_a_wrong_answer_fails_its_hidden_test(chosen):
    nb = assignment(chosen[:1], "Sheet 3", solved=True)
    (cell,) = [cell for cell in nb.cells if cell.id == "01-margin-answer"]
    cell.source = cell.source.replace("np.min", "np.max")
    with pytest.raises(AssertionError, match="the farthest point instead of the closest"):
        run(nb)


@pytest.mark.parametrize(
    "instead", ["margin_of = exercises.solution('01-margin')", "exercises.check = lambda *_: True"]
)
def test_a_borrowed_answer_and_another_check_earn_no_points(chosen, instead, monkeypatch):
    monkeypatch.setattr(exercises, "check", exercises.check)  # to be undone
    nb = assignment(chosen[:1], "Sheet 3", solved=True)
    (cell,) = [cell for cell in nb.cells if cell.id == "01-margin-answer"]
    cell.source = f"{cell.source.replace('np.min', 'np.max')}\n{instead}"
    with pytest.raises(AssertionError, match="worked solution|the farthest point"):
        run(nb)


def test_what_nbgrader_leaves_of_a_solution_is_unfilled(chosen):
    nb = assignment(chosen[:1], "Sheet 3", solved=True)
    (cell,) = [cell for cell in nb.cells if cell.id == "01-margin-answer"]
    cell.source = re.sub(
        "### BEGIN SOLUTION.*### END SOLUTION", "raise NotImplementedError()", cell.source, flags=re.DOTALL
    )
    with pytest.raises(AssertionError, match="It is not filled in"):
        run(nb)


@pytest.mark.parametrize("id", catalogue())
def test_every_worked_solution_stands_on_its_own(id):
    """Its cell runs after the set-up, and no solution is left in the notebook to fill."""
    exercise = catalogue()[id]
    solved, unsolved = (assignment([exercise], "One", solved=solved) for solved in (True, False))
    space = {}
    for cell in solved.cells:
        if cell.cell_type == "code" and not cell.id.endswith("check"):
            exec(cell.source, space)
    for step in exercise.steps:
        if not isinstance(step, Claim):
            arguments = step.instance(np.random.default_rng(5))
            assert space[step.solution.__name__](*arguments) is not None
    text = nbformat.writes(unsolved)
    assert "BEGIN" not in text
    assert "return" not in re.sub('""".*?"""', "", code_of(unsolved), flags=re.DOTALL)
    assert not exercise.worked or exercise.worked.strip()[:40] not in "".join(
        c.source for c in unsolved.cells
    )


def test_hints_can_be_left_out(chosen):
    with_hints, without = (assignment(chosen, "Sheet", hints=hints) for hints in (True, False))
    assert sum("<details>" in cell.source for cell in with_hints.cells) == len(run(with_hints))
    assert not any("<details>" in cell.source for cell in without.cells)


def test_a_cell_of_the_course_says_what_it_asks_and_links_to_its_notebook(chosen):
    task = assignment(chosen[:1], "Sheet").cells[2].source
    assert task.startswith("### 01-margin Maximum margin\n\n*notebook 01* · ★\n")
    assert "Return the smallest of the distances (7.2)." in task
    assert "[01 Maximum margin](01_maximum_margin.ipynb)" in task


@pytest.mark.parametrize("solved", [False, True])
def test_metadata_are_those_of_nbgrader(solved):
    """Its schema 3 and the rules of its validator; on everything that there is."""
    nb = assignment(catalogue().values(), "All", solved=solved)
    nbformat.validate(nb)
    marks = [cell.metadata["nbgrader"] for cell in nb.cells]
    keys = {"schema_version", "grade_id", "grade", "solution", "locked", "task"}
    for cell, mark in zip(nb.cells, marks, strict=True):
        assert mark["schema_version"] == 3
        assert set(mark) == (keys | {"points"} if mark["grade"] else keys)
        assert re.fullmatch(r"[a-zA-Z0-9_\-]+", mark["grade_id"])
        assert cell.cell_type == "code" or mark["grade"] == mark["solution"]
    assert len({mark["grade_id"] for mark in marks}) == len(marks)
    kinds = {
        kind: sum((mark["grade"], mark["solution"], mark["locked"]) == flags for mark in marks)
        for kind, flags in {
            "answer": (0, 1, 0),
            "test": (1, 0, 1),
            "derivation": (1, 1, 0),
            "read": (0, 0, 1),
        }.items()
    }
    assert kinds["answer"] == kinds["test"] == len(TASKS)
    assert kinds["derivation"] == len(EXERCISES)
    assert sum(kinds.values()) == len(marks)
    assert sum(mark.get("points", 0) for mark in marks) == len(TASKS)


# ---- the sheet ------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Counts elements, and sees to it that what is opened is closed."""

    def __init__(self, text):
        super().__init__()
        self.count, self.open, self.words = {}, [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in ("meta", "br", "hr", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.words.append(text)


def test_the_handout_holds_every_exercise_and_needs_no_network():
    page = handout(catalogue().values(), "A < B")
    read = Reader(page)
    assert read.open == []
    assert read.count["section"] == len(catalogue())
    assert len(re.findall('<div class="(?:room|line)">', page)) == len(TASKS)  # room for every answer
    assert "A &lt; B" in page
    assert "size: A4" in page
    assert not set(read.count) & {"script", "link", "img", "iframe", "details"}
    assert re.findall(r'(?:src|href)="(https?:|//)', page) == []
    assert "$" not in "".join(read.words)  # every formula has become MathML


# ---- the command ----------------------------------------------------------------------------------------


def test_the_command_writes_three_files_and_overwrites_only_when_told(tmp_path, capsys):
    folder = tmp_path / "for students"
    words = [
        "assignment",
        "7.6",
        "01-margin",
        "7.6",
        "--folder",
        str(folder),
        "--title",
        "Sheet 3",
        "--no-hints",
    ]
    assert main(words) == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    first, *_, said = capsys.readouterr().out.split("\n", 3)
    assert first == str(folder / FILES[0])
    assert "source/NAME" in said
    nb = nbformat.read(folder / FILES[0], as_version=4)
    assert nb.cells[0].source.startswith("# Sheet 3\n")
    assert sum(cell.source.startswith("### 7.6 ") for cell in nb.cells) == 1  # asked for twice
    (folder / FILES[0]).write_text("marked by hand")
    (folder / FILES[2]).unlink()
    assert main(words) == 2
    told = capsys.readouterr().err
    assert told.strip().endswith("would be overwritten; --overwrite allows it.")
    assert FILES[2] not in told
    assert (folder / FILES[0]).read_text() == "marked by hand"
    assert not (folder / FILES[2]).exists()
    assert main([*words, "--overwrite"]) == 0
    assert nbformat.read(folder / FILES[0], as_version=4).cells == nb.cells


@pytest.mark.parametrize(
    ("id", "near"), [("7.60", "7.6"), ("7.6a", "7.6"), ("01-margn", "01-margin"), ("margin", "01-margin")]
)
def test_an_unknown_id_is_told_with_the_nearest_ones(tmp_path, capsys, id, near):
    assert main(["assignment", "7.6", id, "--folder", str(tmp_path)]) == 2
    told = capsys.readouterr().err.strip()
    assert "\n" not in told
    assert repr(id) in told
    assert re.search(rf"Did you mean.*{re.escape(near)}\b", told)
    assert list(Path(tmp_path).iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told_in_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["assignment", "7.6", "--folder", str(tmp_path / "file")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_two_assignments_of_the_same_exercises_are_the_same_bytes(tmp_path):
    first, second = (write_assignment(CHOSEN, tmp_path / name) for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
