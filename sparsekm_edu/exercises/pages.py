"""Exercises as cells of a notebook, and notebook 17, which holds all of them.

Every cell of an exercise says in its metadata which exercise (or step) it belongs to and what it is there for:
`{"exercise": {"id": "7.5a", "role": "answer"}}`; the roles are task, answer, hints and solution.
"""

import html
import re
import textwrap
from itertools import groupby

import numpy as np
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from sparsekm_edu.exercises.catalogue import EXERCISES
from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.sources import import_lines, needed, opening

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
#: of the course: number -> title and file
LESSONS = {
    "01": ("Maximum margin", "01_maximum_margin.ipynb"),
    "02": ("Soft margin", "02_soft_margin.ipynb"),
    "03": ("Training support vector machines", "03_training.ipynb"),
    "04": ("Losses and probabilities", "04_losses_and_probabilities.ipynb"),
    "05": ("Many classes, one class", "05_many_classes_one_class.ipynb"),
    "06": ("Support vector regression", "06_regression.ipynb"),
    "07": ("Learning theory", "07_learning_theory.ipynb"),
    "08": ("Bayesian foundations", "08_bayesian_foundations.ipynb"),
    "09": ("RVM regression", "09_rvm_regression.ipynb"),
    "10": ("Analysis of sparsity", "10_sparsity.ipynb"),
    "11": ("RVM classification", "11_rvm_classification.ipynb"),
    "12": ("Kernels", "12_kernels.ipynb"),
    "13": ("Kernel machines", "13_kernel_machines.ipynb"),
    "14": ("The kernel trick", "14_the_kernel_trick.ipynb"),
    "15": ("Choosing hyperparameters", "15_choosing_hyperparameters.ipynb"),
    "16": ("Smoothing kernels", "16_smoothing_kernels.ipynb"),
}
MINUTES = {1: 20, 2: 40, 3: 90}  # what an exercise of so many stars takes


# ---- one exercise ---------------------------------------------------------------------------------------


def cells(exercise):
    """All cells of an exercise: the task, for each step its text, the cell to fill and hints; the worked solution."""
    made = [task(exercise)]
    for step in exercise.steps:
        made += [*question(exercise, step), answer(step), hints(step)]
    return [*made, worked(exercise)]


def task(exercise):
    """Heading, what is given and what to find."""
    taught = " · ".join(f"[{words}]({link})" for words, link in exercise.taught)
    parts = [
        f"### {exercise.heading}",
        f"*{exercise.source}* · {'★' * exercise.stars}",
        exercise.task.strip(),
        f"*Bring:* {exercise.bring}" if exercise.bring else "",
        f"*Taught in:* {taught}",
    ]
    return markdown(exercise.id, "task", "\n\n".join(filter(None, parts)))


def question(exercise, step):
    """What a step asks: one cell, or none if the task has said it."""
    text = asked(exercise, step)
    return [markdown(step.id, "task", text, called="question")] if text else []


def asked(exercise, step):
    """The text of a step, after its number if there are several, and the options that it leaves."""
    number = f"**{step.id}** " if len(exercise.steps) > 1 else ""
    parts = [number + step.text.strip(), options(step)]
    return "\n\n".join(filter(None, parts))


def options(step):
    """Of a claim: the answers to choose from, as a list."""
    answers = step.options.items() if isinstance(step, Claim) else ()
    return "\n".join(
        f"- **{letter}**: {textwrap.indent(text.strip(), '  ').lstrip()}" for letter, text in answers
    )


def answer(step):
    """The cell to fill."""
    below = "\n\n" if isinstance(step, Claim) else "\n\n\n"
    return code(step.id, "answer", unfilled(step) + below + checked(step))


def unfilled(step):
    """What the learner completes: the opening of the worked solution, or a name without a value."""
    return f"{name(step)} = ..." if isinstance(step, Claim) else f"{opening(step.solution)}\n    ..."


def checked(step):
    return f'exercises.check("{step.id}", {name(step)})'


def name(step):
    """What the answer is called in the learner's notebook."""
    return f"answer_{slug(step.id, '_')}" if isinstance(step, Claim) else step.solution.__name__


def hints(step):
    """One fold in the other: each hint unfolds alone. They are plain text, so no Markdown is read in them."""
    number, nested = len(step.hints), ""
    for n, hint in reversed(list(enumerate(step.hints, 1))):
        nested = (
            f"<details><summary>Hint {n} of {number}</summary>\n"
            f"<p>{html.escape(hint, quote=False)}</p>\n{nested}</details>\n"
        )
    return markdown(step.id, "hints", nested.strip())


def worked(exercise):
    """The derivation, the letters and the code, folded away."""
    lines = code_lines(exercise)
    parts = [exercise.worked.strip(), *letters(exercise), f"```python\n{lines}\n```" if lines else ""]
    inside = "\n\n".join(filter(None, parts))
    fold = f"<details><summary>Worked solution of {exercise.id}</summary>\n\n{inside}\n\n</details>"
    return markdown(exercise.id, "solution", fold)


def letters(exercise):
    """The right option of each step that leaves a choice."""
    choices = [step for step in exercise.steps if isinstance(step, Claim) and step.options]
    return [f"**{step.id}**: {step.answer}, {step.options[step.answer].strip()}" for step in choices]


def code_lines(exercise):
    """The values that other steps ask for, and the functions with what they call."""
    claims = [step for step in exercise.steps if isinstance(step, Claim) and not step.options]
    values = "\n".join(f"{name(step)} = {written(step.answer)}" for step in claims)
    functions = solutions(exercise)
    definitions = needed(functions)[1] if functions else []
    return "\n\n\n".join(filter(None, [values, *definitions]))


def solutions(exercise):
    """The worked functions of its steps."""
    return [step.solution for step in exercise.steps if not isinstance(step, Claim)]


def written(value):
    """A value as Python reads it."""
    if isinstance(value, str):
        return f'"{value}"'
    with np.printoptions(threshold=10_000, floatmode="unique"):
        return re.sub(r"\barray\(", "np.array(", repr(value))


# ---- cells and notebooks --------------------------------------------------------------------------------


def markdown(id, role, source, called=None):
    return new_markdown_cell(source, id=cell_id(id, called or role), metadata=labelled(id, role))


def code(id, role, source):
    return new_code_cell(source, id=cell_id(id, role), metadata=labelled(id, role))


def labelled(id, role):
    return {"exercise": {"id": id, "role": role}}


def cell_id(*words):
    """A name that nbformat allows, the same whenever the notebook is built."""
    return "-".join(slug(word, "-") for word in words)


def slug(id, between):
    """An id with nothing in it but letters and digits."""
    return re.sub(r"\W+", between, id)


def notebook(made):
    return new_notebook(cells=made, metadata=KERNEL)


def set_up(exercises):
    """The imports: numpy, the checks, and what the worked solutions use."""
    pairs = {("", "numpy as np"), ("sparsekm_edu", "exercises")}
    for exercise in exercises:
        functions = solutions(exercise)
        pairs.update(needed(functions)[0] if functions else ())
    return new_code_cell(import_lines(pairs), id="set-up")


# ---- notebook 17 ----------------------------------------------------------------------------------------


def course_notebook():
    """Notebook 17: all exercises, by notebook of the course and from easy to hard."""
    every = EXERCISES.values()
    made = [
        new_markdown_cell(title(every), id="title"),
        set_up(every),
        new_markdown_cell(HOW, id="how"),
        # what it shows depends on what was passed: not compared
        new_code_cell("exercises.contents()", id="contents", metadata={"tags": ["nbval-ignore-output"]}),
    ]
    for number, group in groupby(every, key=lambda exercise: exercise.notebook):
        made.append(new_markdown_cell(f"## {number} {LESSONS[number][0]}", id=f"notebook-{number}"))
        for exercise in group:
            made += cells(exercise)
    return notebook([*made, new_markdown_cell(RECAP, id="recap")])


def title(every):
    hours = sum(MINUTES[exercise.stars] for exercise in every) / 60
    return TITLE.format(*MINUTES.values(), hours=round(hours))


TITLE = """\
# 17 Exercises

*PRML exercises 7.1 to 7.19 · MLaPP exercises 14.1 and 14.2 · four things to build · about {0} minutes for one star, \
{1} minutes for two, {2} minutes for three; some {hours} hours in all, in any order*

**After this notebook you can**

1. derive the results on which support and relevance vector machines stand, and test every step by numbers;
2. find your own mistake: a sign, a factor, a sum over the wrong index;
3. build from an empty cell: an SMO solver, a sequential RVM, a string kernel, kernel PCA.

The tasks are the books' exercises in our own words. Their numbers stand beside them, so that you can compare."""

HOW = """\
## How it works

- **Fill.** Replace `...` in a cell and run it with Shift+Enter. Where letters are offered, write one in quotes: `"b"`.
- **Check.** Your function runs on fresh random instances. What comes out is compared with an independent road to
  the same numbers, such as a numerical derivative, an integral or a solver. How you have written it does not matter.
- **Read the verdict.** It says on which instance you went wrong, what came out and what is right. Usual mistakes it
  calls by their names. It also gives a *seed*: with `exercises.check("7.6a", logistic_error, seed=4711)` you would meet
  the same instances again.
- **Hints** unfold below each cell, one after the other; the worked solution is folded away at the end of the exercise.
  `exercises.solution("7.6a")` gives you the worked function, to compare yours with.
- **A formula will do** where all parameters are numbers. Write it with sympy (`%pip install sympy`), in the names of
  the parameters: `exercises.check("7.6b", 3 * sympy.Symbol("alpha"))`, which is wrong, but can be judged.
- **The record.** What you have passed is kept in `sparsekm_progress.json` beside this notebook, and nowhere else. The
  table below shows it and keeps itself up to date. `exercises.reset()` forgets everything, after asking you."""

RECAP = """\
## Recap

- A derivation is a chain of claims about numbers. Each of them can be tested before you build the next one on it.
- Finite differences test a gradient, quadrature tests an integral, a solver tests a dual. They know
  nothing of your algebra, and that is why you can trust them.
- The same few steps come back: write down a Lagrangian, complete a square, split off one term of a sum. Having
  done them here, you will recognise them in any paper.

Next: [18 Viva](18_viva.ipynb) · back to [16 Smoothing kernels](16_smoothing_kernels.ipynb)"""
