"""The environment check of notebook 00."""

from importlib.metadata import version

from sparsekm_edu import check


def test_every_package_is_listed_with_its_version():
    lines = check.environment().splitlines()
    for name in check.PACKAGES:
        assert f"{name:14s} {version(name)}" in lines


def test_plain_python_is_told_what_it_cannot_show():
    assert "plain Python" in check.verdict()


class Shell:
    kernel = object()


def test_in_jupyter_with_all_parts_all_is_well(monkeypatch):
    monkeypatch.setattr(check, "get_ipython", Shell)
    assert check.verdict().startswith("All is well")


def test_a_missing_part_of_the_page_is_named_with_its_remedy(monkeypatch, tmp_path):
    monkeypatch.setattr(check, "get_ipython", Shell)
    monkeypatch.setattr(check, "jupyter_path", lambda *_: [str(tmp_path)])
    assert "pip install ipywidgets anywidget" in check.verdict()


def test_a_missing_package_is_called_missing_and_the_verdict_names_it(monkeypatch):
    assert check.installed("no-such-package") == "missing"
    monkeypatch.setattr(check, "PACKAGES", ["numpy", "no-such-package"])
    assert "pip install no-such-package" in check.verdict()
