"""Write notebook 17 from the exercises, run it and store it clean.

    python tests/notebooks/build_17.py

Nobody edits this notebook: its words stand in `sparsekm_edu/exercises/practice/` and `pages.py`.
"""

from pathlib import Path

import nbformat
from execute import NOTEBOOKS, clean, execute

from sparsekm_edu.exercises.pages import course_notebook

PATH = Path(NOTEBOOKS) / "17_exercises.ipynb"


def main():
    nb = execute(course_notebook(), NOTEBOOKS, name=PATH.name)
    nbformat.validate(clean(nb))
    nbformat.write(nb, PATH)


if __name__ == "__main__":
    main()
