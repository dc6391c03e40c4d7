"""The tests that mirror what was changed: a first look in less than a minute, for `make quick`.

What git calls changed counts, or the last commit when nothing is. sparsekm_edu/x/y.py is tested in tests/x/test_y.py,
or else in tests/test_x.py, or else wherever it is imported; its explorers and figures also by what holds for all of
them. Where that finds nothing, a small file of each folder is run.
"""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALL_OF = {
    "explorers": "tests/explorers/test_every_explorer.py",
    "figures": "tests/figures/test_figures.py",
}
LAYERS = "tests/test_layers.py"
SMOKE = [
    "tests/datasets/test_points.py",
    "tests/kernels/test_vectors.py",
    "tests/solvers/dual/test_problem.py",
    "tests/lessons/test_voting.py",
    "tests/models/test_nu_svc.py",
    "tests/figures/test_style.py",
    "tests/live/test_memory.py",
    "tests/explorers/svm/test_feature_map.py",
    "tests/notebooks/test_notebooks.py",
]
MOST = 8  # files, or explorers, or figures: more are no quick look


def git(*words):
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()


def changed():
    """Files that differ from the last commit, or that it changed if none does; those that are gone left out."""
    now = git("diff", "--name-only", "HEAD") + git("ls-files", "--others", "--exclude-standard")
    paths = now or git("diff", "--name-only", "HEAD~1", "HEAD")
    return [Path(path) for path in paths if (ROOT / path).exists()]


def tests_of(path):
    """The test files that look at one changed file."""
    package, *folders = path.parent.parts or ("",)
    if path.suffix == ".ipynb":
        return [path]
    if path.suffix != ".py" or package not in ("sparsekm_edu", "tests") or "browser" in folders:
        return []
    if path.name.startswith("test_"):
        return [path]
    folder = Path("tests", *(part for part in folders if part != "drawings"))
    for mirror in (folder / f"test_{path.stem.lstrip('_')}.py", folder.with_name(f"test_{folder.name}.py")):
        if (ROOT / mirror).exists():
            return [mirror]
    name = ".".join(path.with_suffix("").parts)
    files = [file for file in sorted(ROOT.glob("tests/**/test_*.py")) if f"{name} import" in file.read_text()]
    return [file.relative_to(ROOT) for file in files if str(file.relative_to(ROOT)) not in ALL_OF.values()]


def shown_by(layer, paths):
    """The explorers, or figures, that changed files define."""
    inside = [path for path in paths if path.parts[:2] == ("sparsekm_edu", layer)]
    known = import_module(f"sparsekm_edu.{layer}").__all__ if inside else ()
    nodes = [node for path in inside for node in ast.parse((ROOT / path).read_text()).body]
    functions = [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
    assigned = [
        ast.unparse(node.targets[0]) for node in nodes if isinstance(node, ast.Assign)
    ]  # by `factory`
    return [name for name in functions + assigned if name in known]


def run(*words):
    """pytest on two workers; True when it is content, or when all tests were left out (5)."""
    words = [*map(str, words), "-m", "not slow"]
    print("pytest", *words, flush=True)
    workers = ["-q", "-n", "2", "--nbval", "--nbval-current-env"]
    return subprocess.run([sys.executable, "-m", "pytest", *workers, *words], cwd=ROOT).returncode in (0, 5)


def main():
    paths = changed()
    found = {path: tests_of(path) for path in paths}
    files = sorted({file for some in found.values() for file in some})
    shown = {layer: shown_by(layer, paths) for layer in ALL_OF}
    lost = not paths or any(path.suffix == ".py" and not files for path, files in found.items())
    good = run(LAYERS, *files[:MOST], *(SMOKE if lost else []))
    for layer, names in shown.items():
        if names:
            good &= run(ALL_OF[layer], "--events", "30", "-k", " or ".join(names[:MOST]))
    if max(map(len, [files, *shown.values()])) > MOST:
        print(
            f"There is more to look at than fits into a minute: {len(files)} files of tests. Try make test."
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
