"""Where compiled loops are kept, who may write there, and what is said where nothing can be kept."""

import os
import subprocess
import sys
import textwrap

import pytest

from sparsekm_edu import jit

pytest.importorskip("numba")
needs_rights = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights as on Unix")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """place() -> what temporary_place() finds, with tmp_path for all temporary files."""
    monkeypatch.setattr(jit.tempfile, "tempdir", str(tmp_path))

    def place():
        jit.temporary_place.cache_clear()
        return jit.temporary_place()

    yield place
    jit.temporary_place.cache_clear()


def ours(tmp_path):
    return tmp_path / f"sparsekm_edu-{os.geteuid()}"


@needs_rights
def test_the_place_is_ours_alone_and_found_again(place, tmp_path):
    assert place() == place() == str(ours(tmp_path))
    assert ours(tmp_path).stat().st_mode & 0o777 == 0o700


@needs_rights
@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701, 0o702])
def test_a_directory_that_others_may_enter_is_not_used(place, tmp_path, mode):
    ours(tmp_path).mkdir()
    ours(tmp_path).chmod(mode)
    assert place() is None


@needs_rights
def test_a_link_is_not_followed(place, tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    ours(tmp_path).symlink_to(tmp_path / "elsewhere")
    assert place() is None


@needs_rights
def test_a_file_of_that_name_is_not_used(place, tmp_path):
    ours(tmp_path).write_text("")
    assert place() is None


@needs_rights
def test_a_directory_of_somebody_else_is_not_used(place, tmp_path, monkeypatch):
    me = os.geteuid()
    (tmp_path / f"sparsekm_edu-{me + 1}").mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert place() is None


@needs_rights
@pytest.mark.parametrize(("mode", "safe"), [(0o777, False), (0o1777, True), (0o775, False), (0o755, True)])
def test_nobody_else_may_be_able_to_put_another_one_there(place, tmp_path, monkeypatch, mode, safe):
    above = tmp_path / "above"
    (above / "tmp").mkdir(parents=True, mode=0o755)
    for folder in (above / "tmp", above):  # it matters at every height
        monkeypatch.setattr(jit.tempfile, "tempdir", str(above / "tmp"))
        folder.chmod(mode)
        assert (place() is not None) == safe
        folder.chmod(0o755)


def test_where_rights_cannot_be_read_there_is_no_place(place, monkeypatch):
    monkeypatch.delattr(os, "geteuid", raising=False)
    assert place() is None


def test_where_nothing_can_be_written_there_is_no_place(place, monkeypatch):
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: "/nowhere/at/all")
    assert place() is None


# As root we may write everywhere, so numba is told that it cannot: by its own way of deciding.
LOOPS = """
import sys
from numba import config
from numba.core import caching

for locator in (caching.InTreeCacheLocator, caching.UserWideCacheLocator):
    locator.from_function = classmethod(lambda cls, function, file: None)

from sparsekm_edu.jit import jit

@jit
def double(x):
    return 2.0 * x

@jit
def triple(x):
    return 3.0 * x

assert (double(2.0), triple(2.0)) == (4.0, 6.0)
print(sum(double.stats.cache_hits.values()), config.CACHE_DIR == "")
"""


def run(program, **environment):
    """Its standard output and error; PYTHONPATH with this project last."""
    path = os.pathsep.join([environment.pop("first", ""), *sys.path]).lstrip(os.pathsep)
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | environment
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, env=environment | {"PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@needs_rights
def test_without_a_home_the_temporary_place_keeps_the_loops(tmp_path):
    (tmp_path / "loops.py").write_text(LOOPS)
    for hits in (0, 1):  # the second process compiles nothing
        assert run(tmp_path / "loops.py", TMPDIR=str(tmp_path)) == (f"{hits} True\n", "")
    assert len(list(ours(tmp_path).rglob("*.nbi"))) == 2


@needs_rights
def test_where_nothing_can_be_kept_one_sentence_says_so_and_what_cures_it(tmp_path):
    (tmp_path / "loops.py").write_text(LOOPS)
    open_to_all = tmp_path / "tmp"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    for _ in range(2):
        out, err = run(tmp_path / "loops.py", TMPDIR=str(open_to_all))
        assert out == "0 True\n"
        assert err.count("every process compiles them anew, which takes about a minute") == 1
        assert err.count("NUMBA_CACHE_DIR") == 1
        assert "loops.py" in err.split(": UserWarning")[0]
    assert not list(open_to_all.rglob("*.nbi"))
    cured = {"TMPDIR": str(open_to_all), "NUMBA_CACHE_DIR": str(tmp_path / "mine")}
    program = tmp_path / "loops.py"
    program.write_text(LOOPS.replace('CACHE_DIR == ""', 'CACHE_DIR != ""'))
    assert run(program, **cured)[1] == ""
    assert list((tmp_path / "mine").rglob("*.nbi"))


@pytest.mark.parametrize(
    ("numba", "said"),
    [
        ("raise ImportError('Numba needs NumPy 2.3 or less. Got NumPy 2.9.')", 1),
        ("raise OSError('Could not find libllvmlite.so.')", 1),
        ("raise ModuleNotFoundError('No module named numba', name='numba')", 0),
    ],
)
def test_a_numba_that_does_not_start_is_told_one_that_is_missing_is_not(tmp_path, numba, said):
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text(numba)
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
            from sparsekm_edu.jit import jit
            print(jit(lambda x: 2 * x)(3), jit(inline="always")(lambda x: x)(4))
            """)
    )
    out, err = run(program, first=str(tmp_path))
    assert out == "6 4\n"
    assert err.count("numba is installed, but does not start (") == said
    if said:
        assert numba.split("'")[1].rstrip(".") + "): the loops run as plain Python, many times slower." in err
