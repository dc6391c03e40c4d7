"""`make notebooks` stores what a run shows and nothing that changes from run to run."""

import nbformat
import pytest
from execute import WIDGET_VIEW, NotebookError, clean, execute, main
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

SHOW = f"""
import os, sys
from IPython.display import display
display({{"text/plain": "a picture", "{WIDGET_VIEW}": {{"model_id": os.urandom(8).hex()}}}}, raw=True)
display({{"{WIDGET_VIEW}": {{"model_id": os.urandom(8).hex()}}}}, raw=True)
print("one", flush=True); print("two", flush=True)
"""


def notebook_file(folder, *sources):
    path = folder / "01_example.ipynb"
    cells = [new_markdown_cell("# Example")] + [new_code_cell(source) for source in sources]
    for n, cell in enumerate(cells):
        cell.id = f"cell-{n}"
    nbformat.write(new_notebook(cells=cells), path)
    return path


def test_two_runs_give_the_same_bytes(tmp_path):
    path = notebook_file(tmp_path, SHOW, "import pathlib; pathlib.Path().resolve().name")
    assert main([str(path)]) == 0
    first = path.read_bytes()
    assert main([str(path)]) == 0
    assert path.read_bytes() == first

    nb = nbformat.read(path, as_version=4)
    assert [cell.id for cell in nb.cells] == ["cell-0", "cell-1", "cell-2"]
    assert [cell.execution_count for cell in nb.cells[1:]] == [1, 2]
    picture, text = nb.cells[1].outputs
    assert dict(picture.data) == {"text/plain": "a picture"}
    assert text.text == "one\ntwo\n"
    assert nb.cells[2].outputs[0].data["text/plain"] == repr(
        tmp_path.name
    )  # cells run in the notebook's folder


def test_a_raising_cell_is_named_and_the_file_stays(tmp_path, capsys):
    path = notebook_file(tmp_path, "a = 0", "1 / a")
    before = path.read_bytes()
    assert main([str(path)]) == 1
    assert "01_example.ipynb, code cell 2: ZeroDivisionError: division by zero" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_dead_kernel_is_named(tmp_path):
    nb = new_notebook(cells=[new_code_cell("import os; os._exit(1)")])
    with pytest.raises(NotebookError, match="example, code cell 1"):
        execute(nb, tmp_path, name="example")


def test_clean_keeps_what_a_reader_needs():
    png = new_output(
        "display_data", {"image/png": "AAAA", "text/plain": "margin"}, metadata={"image/png": {"width": 8}}
    )
    png.data[WIDGET_VIEW] = {"model_id": "1f"}
    png.metadata[WIDGET_VIEW] = {}
    cell = new_code_cell("ex", outputs=[png, new_output("stream", name="stdout", text="3 support vectors\n")])
    cell.metadata.update(
        tags=["setup"],
        jupyter={"source_hidden": True, "outputs_hidden": False},
        editable=False,
        execution={"iopub.status.busy": "2026-01-01T00:00:00Z"},
        collapsed=False,
    )
    bare = new_markdown_cell(
        "# Title", metadata={"tags": [], "jupyter": {"outputs_hidden": True}, "slideshow": {}}
    )
    nb = new_notebook(
        cells=[bare, cell], metadata={"widgets": {}, "language_info": {"name": "python", "version": "3.11.7"}}
    )
    clean(nb)
    nbformat.validate(nb)
    assert set(nb.metadata) == {"kernelspec", "language_info"}
    assert nb.metadata.kernelspec.name == "python3"
    assert "version" not in nb.metadata.language_info
    assert bare.metadata == {}
    assert cell.metadata == {"tags": ["setup"], "jupyter": {"source_hidden": True}, "editable": False}
    assert cell.outputs[0].data == {"image/png": "AAAA", "text/plain": "margin"}
    assert cell.outputs[0].metadata == {"image/png": {"width": 8}}
    assert cell.outputs[1].text == "3 support vectors\n"


def test_a_progress_bar_is_seen_and_not_stored(tmp_path):
    path = notebook_file(
        tmp_path, "from tqdm.auto import tqdm", "for n in tqdm(range(3)):\n    pass\nprint(n, 'is left')"
    )
    nb = nbformat.read(path, as_version=4)
    nb.cells[2].metadata.tags = ["nbval-ignore-output"]
    shown = execute(nb, tmp_path).cells[2].outputs
    assert any("3" in str(output) and output.output_type == "display_data" for output in shown)
    (kept,) = clean(nb).cells[2].outputs
    assert kept.text == "2 is left\n"


def test_a_warning_does_not_pass_for_a_progress_bar(tmp_path):
    path = notebook_file(tmp_path, "import warnings", "warnings.warn('too narrow')\nprint('done')")
    nb = nbformat.read(path, as_version=4)
    nb.cells[2].metadata.tags = ["nbval-ignore-output"]
    execute(nb, tmp_path)
    assert any("UserWarning: too narrow" in output.text for output in clean(nb).cells[2].outputs)
