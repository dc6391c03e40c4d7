"""The project as a whole: versions agree, Binder gets what it needs, advice is safe, documents are true."""

import ast
import importlib.metadata
import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CONDA_NAMES = {"matplotlib-base": "matplotlib"}
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([0-9][A-Za-z0-9.]*)")


def pins(name):
    """name -> version of a requirements file in which every line is a pin and nothing else."""
    lines = (ROOT / name).read_text().splitlines()
    matches = [PIN.fullmatch(line) for line in lines]
    strange = [line for line, match in zip(lines, matches) if not match]
    assert not strange, f"{name} holds more than names and versions: {strange}"
    return {canonicalize_name(match[1]): match[2] for match in matches}


def closure(requirements):
    """The distributions that these requirements bring into the present environment, themselves included."""
    todo, done = [Requirement(text) for text in requirements], set()
    while todo:
        wanted = todo.pop()
        key = canonicalize_name(wanted.name), frozenset(wanted.extras)
        if key in done:
            continue
        done.add(key)
        for text in importlib.metadata.requires(wanted.name) or []:
            needed = Requirement(text)
            extras = wanted.extras or {""}
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                todo.append(needed)
    return {name for name, _ in done}


# versions


def test_lock_satisfies_the_ranges():
    lock = pins("requirements.lock")
    extras = PROJECT["optional-dependencies"]
    for requirement in map(Requirement, PROJECT["dependencies"] + extras["test"] + extras["bench"]):
        assert requirement.specifier.contains(lock[canonicalize_name(requirement.name)]), requirement


def test_lock_and_binder_pin_everything_that_is_needed():
    run = closure(PROJECT["dependencies"])
    assert run - set(pins("binder/requirements.txt")) == set()
    assert closure(PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]) <= set(
        pins("requirements.lock")
    )


def test_binder_agrees_with_the_lock():
    lock, binder = pins("requirements.lock"), pins("binder/requirements.txt")
    assert binder.items() <= lock.items()
    assert {"pytest", "playwright", "nbval", "ruff"}.isdisjoint(binder)


def test_conda_agrees_with_the_lock():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment["name"] == PROJECT["name"]
    entries = [entry for entry in environment["dependencies"] if isinstance(entry, str)]
    conda = dict(entry.split("=") for entry in entries if "=" in entry)
    runtime = (ROOT / "binder/runtime.txt").read_text().strip()
    assert runtime == "python-" + conda.pop("python")
    lock = pins("requirements.lock")
    names = [canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]]
    assert {canonicalize_name(CONDA_NAMES.get(name, name)): version for name, version in conda.items()} == {
        n: lock[n] for n in names
    }
    assert environment["dependencies"][-1] == {"pip": ["-e ."]}


def test_binder_builds_the_course(tmp_path):
    """repo2docker renders the Dockerfile without Docker; it reads binder/ and nothing else."""
    shutil.copytree(ROOT / "binder", tmp_path / "binder")
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(tmp_path)]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60)
    dockerfile = shown.stdout + shown.stderr
    assert shown.returncode == 0, dockerfile
    assert "python=3.12" in dockerfile
    install = re.search(r'^RUN .*pip install .*-r "binder/requirements.txt"', dockerfile, re.M)
    post = re.search(r"^RUN ./binder/postBuild", dockerfile, re.M)
    assert install.start() < post.start()
    script = (ROOT / "binder/postBuild").read_text()
    assert re.search(r"^python -m pip install --no-deps .*\.$", script, re.M)
    assert "python -m sparsekm_edu.warm" in script


# safety

UNSAFE = re.compile(
    r"(?<![\d.])0\.0\.0\.0(?![\d.])|token=(''|\"\"|$|\s)|password=(''|\"\"|$|\s)"
    r"|disable_check_xsrf|allow_origin|allow[-_]root",
    re.M,
)
ONLY_AS_ROOT = "AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)\n"
SUFFIXES = {".md", ".py", ".js", ".toml", ".yml", ".cff", ".txt", ".ipynb", ".sh", ""}
NOT_OURS = {".venv", ".git", "build", "dist", "artifacts", "node_modules"}


def documents_and_scripts():
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = any(
            part in NOT_OURS or part.endswith(("_cache", "_checkpoints", ".egg-info")) for part in parts
        )
        if path.is_file() and path.suffix in SUFFIXES and not hidden and path != Path(__file__).resolve():
            yield path


def test_nothing_advises_an_open_server():
    found = {}
    for path in documents_and_scripts():
        text = path.read_text(errors="replace")
        if path.name == "Makefile":
            assert text.count(ONLY_AS_ROOT) == 1
            text = text.replace(ONLY_AS_ROOT, "")  # the one exception: root in a container
        if match := UNSAFE.search(text):
            found[str(path.relative_to(ROOT))] = match[0]
    assert found == {}


@pytest.mark.parametrize(
    "line",
    [
        "jupyter lab --ip=0.0.0.0",
        "jupyter lab --IdentityProvider.token=''",
        'c.IdentityProvider.token=""',
        "jupyter lab --ServerApp.token= --port=8888",
        "jupyter lab --ServerApp.password=''",
        "c.ServerApp.disable_check_xsrf = True",
        "--ServerApp.allow_origin='*'",
        "jupyter lab --allow-root",
        "c.ServerApp.allow_root = True",
    ],
)
def test_the_search_sees_unsafe_lines(line):
    assert UNSAFE.search(line)


def test_the_search_sees_the_files_that_matter():
    seen = {str(path.relative_to(ROOT)) for path in documents_and_scripts()}
    assert {
        "README.md",
        "CONTRIBUTING.md",
        "Makefile",
        ".ci/run",
        "binder/postBuild",
        ".github/workflows/ci.yml",
    } <= seen


def test_make_lab_is_local_and_keeps_the_token():
    shown = subprocess.run(
        ["make", "-n", "lab", "PORT=8899", "BROWSER=no"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    line = next(line for line in shown.stdout.splitlines() if "-m jupyterlab" in line)
    assert "--ip=127.0.0.1" in line
    assert "--port=8899" in line
    assert "--no-browser" in line
    assert "token" not in line


# documents

README = (ROOT / "README.md").read_text()


def course_map():
    """number -> row of the README's table."""
    return {match[1]: match[0] for match in re.finditer(r"^\| (\d\d) \|.*$", README, re.M)}


def test_course_map_is_whole_and_true():
    rows = course_map()
    assert list(rows) == [f"{n:02d}" for n in range(19)]
    files = {path.name[:2]: path.name for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")}
    for number, row in rows.items():
        if number in files:
            assert f"](notebooks/{files[number]})" in row
            assert "coming" not in row
        else:
            assert "(coming)" in row
            assert "](" not in row


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_local_links_lead_somewhere(name):
    targets = re.findall(r"\]\((?!https?://)([^)#]+)\)", (ROOT / name).read_text())
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_readme_code_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", README, re.S)
    exec(compile("".join(blocks), "README.md", "exec"), {})
    said = capsys.readouterr().out
    assert "points hold the boundary" in said
    assert "3 relevance vectors" in said


def test_changelog_names_this_version():
    headings = re.findall(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert headings[0] in ("Unreleased", PROJECT["version"])


def test_citation_has_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"] == "MIT"


def test_every_dependency_has_a_reason():
    """And every reason a dependency: the tables of CONTRIBUTING are those of pyproject.toml."""
    text, extras = (ROOT / "CONTRIBUTING.md").read_text(), PROJECT["optional-dependencies"]
    for title, requirements in (("to run", PROJECT["dependencies"]), ("to test", extras["test"])):
        table = re.search(rf"^\| {title} \| why \|\n\|---\|---\|\n((?:\|.*\n)+)", text, re.M)[1]
        first = [name for row in table.splitlines() for name in row.split("|")[1].strip().split(", ")]
        assert sorted(first) == sorted(Requirement(text).name for text in requirements)
    assert [r for r in extras["bench"] + extras["rivals"] if Requirement(r).name not in text] == []


# imports


def code_of(path):
    """The Python in a file: all of it, or the code cells of a notebook without their magic lines."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    lines = [line for cell in cells for line in "".join(cell).splitlines()]
    return "\n".join(line for line in lines if not line.startswith(("%", "!")))


def imported(code):
    """First names of the modules that some code imports, wherever in it; relative imports are its own."""
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize(
    ("folder", "extras"),
    [
        ("sparsekm_edu", []),
        ("notebooks", []),
        ("tests", ["test"]),
        ("benchmarks", ["test", "bench", "rivals"]),
    ],
)
def test_whatever_is_imported_is_declared(folder, extras):
    """Not only by luck there, because something else happens to need it."""
    requirements = PROJECT["dependencies"] + [r for e in extras for r in PROJECT["optional-dependencies"][e]]
    declared = {canonicalize_name(Requirement(text).name) for text in requirements}
    files = [path for path in (ROOT / folder).rglob("*.*") if path.suffix in (".py", ".ipynb")]
    ours = {"sparsekm_edu"}
    if extras:  # modules and folders that tests and benchmarks share
        shared = [path for part in ("tests", "benchmarks") for path in (ROOT / part).rglob("*.py")]
        ours |= {name for path in shared for name in (path.stem, path.parent.name)}
    providers = importlib.metadata.packages_distributions()
    undeclared = {}
    for path in files:
        for name in imported(code_of(path)) - ours - sys.stdlib_module_names:
            if declared.isdisjoint(map(canonicalize_name, providers.get(name, [name]))):
                undeclared[name] = str(path.relative_to(ROOT))
    assert undeclared == {}
    assert len(files) > 2


def test_the_reader_of_imports_reads():
    code = "import a.b as c, d\nfrom . import e\nfrom ..f import g\ndef h():\n    from i.j import k\n"
    assert imported(code) == {"a", "d", "i"}


# lower bounds


def test_every_lower_bound_can_be_pinned():
    """`make lowest` and its job install exactly these; the lock is nowhere below them."""
    lowest = runpy.run_path(str(ROOT / "tests/lowest.py"))["pins"]
    floor = dict(pin.split("==") for pin in lowest(PROJECT["dependencies"]))
    assert len(floor) == len(PROJECT["dependencies"])
    assert floor["matplotlib"] == "3.10"
    assert floor["ipykernel"] == "7.4"
    for bad in ("numpy", "numpy<3", "numpy>=2.0,<3", "numpy>=2.0; python_version > '3'"):
        with pytest.raises(ValueError, match="must have the form"):
            lowest([bad])


# make


def recipe(*words):
    """The lines that make would run; the environment is taken to be there."""
    command = ["make", "--no-print-directory", "-n", "-o", ".venv/.ready", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.parametrize(
    ("given", "paths"),
    [
        ("", ["notebooks", "tests"]),
        ("-k smo", ["notebooks", "tests"]),
        ("tests/solvers/dual/test_smo.py", ["tests/solvers/dual/test_smo.py"]),
        (
            "tests/models notebooks/01_maximum_margin.ipynb",
            ["tests/models", "notebooks/01_maximum_margin.ipynb"],
        ),
    ],
)
def test_paths_in_args_take_the_place_of_everything(given, paths):
    for target in ("test", "soak"):
        *_, line = recipe(target, f"ARGS={given}")
        assert [word for word in line.split() if word.startswith(("tests", "notebooks"))] == paths
        assert ("not slow" in line) == (target == "test")
        assert ("--events 1000" in line) == (target == "soak")


def test_quick_finds_the_tests_of_a_file():
    quick = runpy.run_path(str(ROOT / "tests/quick.py"))
    for changed, looked_at in {
        "sparsekm_edu/kernels/_exp.py": ["tests/kernels/test_exp.py"],
        "sparsekm_edu/solvers/dual/smo.py": ["tests/solvers/dual/test_smo.py"],
        "sparsekm_edu/solvers/bayes/sequential/fast.py": ["tests/solvers/bayes/test_sequential.py"],
        "tests/figures/drawings/svm/losses.py": ["tests/figures/svm/test_losses.py"],
        "tests/test_layers.py": ["tests/test_layers.py"],
        "tests/browser/test_lab.py": [],
        "README.md": [],
    }.items():
        assert list(map(str, quick["tests_of"](Path(changed)))) == looked_at
    assert quick["shown_by"]("explorers", [Path("sparsekm_edu/explorers/svm/margins.py")]) == [
        "margin",
        "hulls",
        "kernel_margin",
    ]
    assert all(
        (ROOT / path).exists() for path in [*quick["SMOKE"], *quick["ALL_OF"].values(), quick["LAYERS"]]
    )


def test_tests_that_belong_together_go_to_one_worker(pytestconfig):
    group = pytestconfig.pluginmanager.get_plugin(str(ROOT / "conftest.py")).group_of
    assert group("notebooks/01_a.ipynb::Cell 0") == group("notebooks/01_a.ipynb::Cell 9")
    assert group("notebooks/01_a.ipynb::Cell 0") != group("notebooks/02_b.ipynb::Cell 0")
    assert group("tests/browser/test_lab.py::test_a") == group("tests/browser/test_player.py::test_b[1]")
    every = "tests/explorers/test_every_explorer.py::test_"
    assert group(f"{every}a[margin]") == group(f"{every}b[dark-margin]") != group(f"{every}a[kernel_margin]")
    assert group("tests/test_a.py::test_a[1]") != group("tests/test_a.py::test_a[2]")
