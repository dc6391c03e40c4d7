"""An assignment of chosen exercises: a notebook to fill, the same with solutions, and a sheet to print.

The metadata are those of nbgrader (its schema 3). The notebook with solutions is what nbgrader calls the source: its
`generate_assignment` makes the one for students from it, and its `autograde` runs the hidden tests. The one to fill is
for courses without nbgrader.
"""

import html
import sys
import textwrap
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from sparsekm_edu.exercises import pages
from sparsekm_edu.exercises.catalogue import EXERCISES, TASKS
from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.face import known
from sparsekm_edu.exercises.markup import FONTS, to_html, to_mathml, to_wrapped_mathml
from sparsekm_edu.exercises.sources import body, needed, opening

SEED = 1  # of the hidden tests: the same instances for everybody
POINTS = 1  # for each step
FILES = "assignment.ipynb", "assignment_solutions.ipynb", "assignment_handout.html"


def write_assignment(ids, folder="assignment", title="Assignment", hints=True, overwrite=False):
    """Write the three files of an assignment; returns their paths.

    ids: of exercises, "7.5", or of cells of the course, "01-margin". Files that are there already are left alone
    unless `overwrite` says otherwise.
    """
    exercises = [known(id, catalogue()) for id in dict.fromkeys(ids)]
    paths = [Path(folder) / name for name in FILES]
    there = [str(path) for path in paths if path.exists()]
    if there and not overwrite:
        raise FileExistsError(f"{' and '.join(there)} would be overwritten; --overwrite allows it.")
    texts = (
        nbformat.writes(assignment(exercises, title, hints)),
        nbformat.writes(assignment(exercises, title, hints, solved=True)),
        handout(exercises, title),
    )
    Path(folder).mkdir(parents=True, exist_ok=True)
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def catalogue():
    """All that can be assigned, by id: the exercises of notebook 17 and the cells to fill of the course."""
    practice = {step.id for exercise in EXERCISES.values() for step in exercise.steps}
    return EXERCISES | {id: of_the_course(task) for id, task in TASKS.items() if id not in practice}


def of_the_course(task):
    """A cell to fill of a lesson, as an exercise with one step."""
    number = task.id.partition("-")[0]
    lesson, file = pages.LESSONS[number]
    asks = f"{task.asks[:1].upper()}{task.asks[1:]}."
    return Exercise(
        id=task.id,
        title=lesson,
        source=f"notebook {number}",
        stars=1,
        notebook=number,
        taught=((f"{number} {lesson}", file),),
        task=f"<p>{html.escape(asks, quote=False)}</p>",
        bring="",
        steps=(task,),
        worked="",
    )


# ---- the notebooks --------------------------------------------------------------------------------------


def assignment(exercises, title, hints=True, solved=False):
    """The notebook to fill, or the one with solutions."""
    made = [
        read_only(new_markdown_cell(f"# {title}\n\n{HOW}", id="title")),
        read_only(pages.set_up(exercises)),
    ]
    for exercise in exercises:
        made.append(read_only(pages.task(exercise)))
        for step in exercise.steps:
            made += map(read_only, pages.question(exercise, step))
            made += [to_fill(step, solved), test(step, solved)]
            made += [read_only(pages.hints(step))] if hints else []
        made += [derivation(exercise, solved)] if exercise.worked else []
    return pages.notebook(made)


HOW = """\
Replace `...` by your answer, run the cell and then the check below it: it says whether the answer is right, and if it
is not, why. The links work if this notebook lies in the folder of the course, beside its notebooks."""


def to_fill(step, solved):
    """The learner's cell."""
    source = pages.unfilled(step)
    if solved and isinstance(step, Claim):
        source += f"\n{solution_region(f'{pages.name(step)} = {pages.written(step.answer)}')}"
    elif solved:
        source = f"{opening(step.solution)}\n{textwrap.indent(solution_region(complete(step)), '    ')}"
    return graded(pages.code(step.id, "answer", source), solution=True)


def complete(step):
    """The body of a worked solution, after what it calls."""
    _, definitions = needed([step.solution])
    helpers = [text for text in definitions if not text.startswith(f"def {step.solution.__name__}(")]
    return "\n\n".join([*helpers, body(step.solution)])


def solution_region(text):
    """What nbgrader takes out of the students' version."""
    return f"### BEGIN SOLUTION\n{text}\n### END SOLUTION"


def test(step, solved):
    """The check, which tells the learner; and in the version with solutions what decides about the points."""
    hidden = f"""\
### BEGIN HIDDEN TESTS
from sparsekm_edu.exercises.desk import judged
passed, message = judged("{step.id}", {pages.name(step)}, seed={SEED})
assert passed, message
### END HIDDEN TESTS
"""
    # displayed, not left as the cell's value: nbgrader would read that as a number of points
    source = (hidden if solved else "") + f"display({pages.checked(step)})"
    cell = new_code_cell(source, id=pages.cell_id(step.id, "check"))
    return graded(cell, grade=True, locked=True, points=POINTS)


def derivation(exercise, solved):
    """Room for the learner's own derivation, which a person reads; in the version with solutions ours."""
    text = exercise.worked.strip() if solved else "..."
    cell = pages.markdown(exercise.id, "solution", f"*Derivation of {exercise.id}:*\n\n{text}")
    return graded(cell, grade=True, solution=True, points=0)  # nbgrader wants such a cell to have points


def read_only(cell):
    return graded(cell, locked=True)


def graded(cell, grade=False, solution=False, locked=False, **more):
    """The cell with what nbgrader wants to know about it."""
    marks = {"schema_version": 3, "grade_id": cell.id, "grade": grade, "solution": solution, "locked": locked}
    cell.metadata["nbgrader"] = {**marks, "task": False, **more}
    return cell


# ---- the sheet ------------------------------------------------------------------------------------------


def handout(exercises, title):
    """A page of HTML to print or to save as PDF: the tasks, with room to write; formulas are MathML."""
    sections = "\n".join(printed(exercise) for exercise in exercises)
    return SHEET.format(title=html.escape(title), style=f"{STYLE}\n{FONTS}", sections=sections)


def printed(exercise):
    """One exercise on paper."""
    parts = [
        f"<h2>{html.escape(exercise.heading)}</h2>",
        f"""<p class="source">{html.escape(exercise.source)} · {"★" * exercise.stars}</p>""",
        on_paper(exercise.task),
    ]
    if exercise.bring:
        parts.append(on_paper(f"*Bring:* {exercise.bring}"))
    for step in exercise.steps:
        chosen = isinstance(step, Claim) and step.options
        code = "" if isinstance(step, Claim) else f"<pre>{html.escape(opening(step.solution))}</pre>"
        room = f'<div class="{"line" if chosen else "room"}"></div>'
        parts.append(f'<div class="step">{on_paper(pages.asked(exercise, step))}{code}{room}</div>')
    return "<section>\n" + "\n".join(parts) + "\n</section>"


def on_paper(markdown):
    """HTML whose wide formulas break between their parts."""

    def formula(latex, display):
        if display == "inline":
            return to_mathml(latex, display)
        return f'<span class="formula">{to_wrapped_mathml(latex)}</span>'

    return to_html(markdown, formula)


SHEET = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<h1>{title}</h1>
<p class="name">Name:</p>
{sections}
</body>
</html>
"""
STYLE = """\
@page { size: A4; margin: 20mm 18mm; }
body { font: 11pt/1.45 "Georgia", serif; color: #000; background: #fff; max-width: 174mm; margin: 0 auto; }
h1 { font-size: 18pt; margin: 0 0 4mm; }
h2 { font-size: 13pt; margin: 8mm 0 2mm; border-bottom: 0.3mm solid #999; }
h2, pre, li, .formula, .step { break-inside: avoid; }
h2, .source, p:has(+ ul) { break-after: avoid; }
.formula { display: block; text-align: center; margin: 1mm 0; }
pre { font-size: 9pt; white-space: pre-wrap; margin: 2mm 0; }
.name { border-bottom: 0.3mm solid #000; padding-bottom: 2mm; }
.room { border: 0.3mm solid #999; height: 60mm; margin: 3mm 0 6mm; }
.line { border-bottom: 0.3mm solid #999; height: 9mm; width: 40mm; margin: 0 0 6mm; }
table { border-collapse: collapse; } td, th { border: 0.3mm solid #999; padding: 1mm 2mm; }"""


# ---- the command ----------------------------------------------------------------------------------------
AND_THEN = """\
The first is for students, the last is to print. The one with solutions is also what nbgrader calls the source: copy it
to source/NAME/assignment.ipynb there. Who does without nbgrader grades what comes back with
python -m sparsekm_edu.exercises grade FOLDER."""


def add_arguments(parser):
    """Of `python -m sparsekm_edu.exercises assignment`."""
    parser.epilog = f"There are {', '.join(catalogue())}."
    parser.add_argument(
        "ids", nargs="+", metavar="ID", help='exercises, "7.5", or cells of the course, "01-margin"'
    )
    parser.add_argument("--title", default="Assignment", help="what stands at the top")
    parser.add_argument("--folder", default="assignment", help="where the files go")
    parser.add_argument(
        "--no-hints",
        dest="hints",
        action="store_false",
        help="leave the hints out (exercises.hint still gives them)",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace files that are there")


def run(arguments):
    """Write what the command asks for; returns the exit code."""
    try:
        paths = write_assignment(
            arguments.ids, arguments.folder, arguments.title, arguments.hints, arguments.overwrite
        )
    except (ValueError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 2
    print(*paths, AND_THEN, sep="\n")
    return 0
