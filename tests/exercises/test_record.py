"""The record of progress: one small file, and nothing breaks when it is damaged, read-only or no file at all."""

import json
import os

import pytest

from sparsekm_edu import exercises
from sparsekm_edu.exercises import record


def test_what_was_done_is_kept_in_one_json_file(progress_file):
    assert record.change("exercises", "01-margin", passed=True) == ""
    assert record.change("guesses", "01-a", value=1) == ""
    assert record.change("exercises", "01-margin", hints=2) == ""
    stored = json.loads(progress_file.read_text())
    assert stored == {
        "guesses": {"01-a": {"value": 1}},
        "exercises": {"01-margin": {"passed": True, "hints": 2}},
        "cards": {},
    }
    assert [path.name for path in progress_file.parent.iterdir()] == ["progress.json"]


def test_by_default_it_lies_beside_the_notebook(tmp_path, monkeypatch):
    monkeypatch.delenv(record.ELSEWHERE)
    monkeypatch.chdir(tmp_path)
    record.change("guesses", "01-a", value=0)
    assert [path.name for path in tmp_path.iterdir()] == [record.NAME]


def test_two_notebooks_do_not_forget_each_others_work(progress_file):
    record.change("guesses", "01-a", value=1)
    stored = json.loads(progress_file.read_text())
    stored["guesses"]["10-a"] = {"value": 0}  # by another Python
    progress_file.write_text(json.dumps(stored))
    record.change("guesses", "01-b", value=2)
    assert set(record.load()[0]["guesses"]) == {"01-a", "01-b", "10-a"}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[1, 2]",
        b'{"guesses": 3}',
        b'{"exercises": {"01-margin": true}}',
        b"[" * 100_000,
    ],
    ids=["empty", "cut off", "no text", "a list", "a number", "an entry", "deep"],
)
def test_a_damaged_file_costs_a_sentence_and_is_kept(progress_file, content):
    progress_file.write_bytes(content)
    assert "progress.json is damaged" in repr(exercises.progress())
    result = exercises.check("01-margin", exercises.solution("01-margin"))
    assert result.passed
    assert "is damaged" in result.note
    assert "kept as progress.damaged.json" in result.note
    assert (progress_file.parent / "progress.damaged.json").read_bytes() == content
    again = exercises.check("01-margin", exercises.solution("01-margin"))
    assert again.note == ""
    passed = {"01-margin": {"passed": True, "tries": 2}}
    assert record.load() == ({"guesses": {}, "exercises": passed, "cards": {}}, "")


def test_strange_entries_do_no_harm(progress_file):
    progress_file.write_text(
        json.dumps(
            {"guesses": {"01-a": {"value": "?"}}, "exercises": {"01-margin": {"tries": "x", "hints": -3}}}
        )
    )
    assert exercises.guess("01-a").guessed is None
    assert exercises.check("01-margin", exercises.solution("01-margin")).passed
    assert "Hint 1" in repr(exercises.hint("01-margin"))
    assert "1 of" in repr(exercises.progress())


def test_a_folder_or_device_of_that_name_is_left_alone(progress_file):
    progress_file.mkdir()
    note = record.change("guesses", "01-a", value=1)
    assert "cannot be written (it is no ordinary file)" in note
    assert progress_file.is_dir()
    assert record.load()[0]["guesses"] == {"01-a": {"value": 1}}
    assert exercises.reset(sure=True)
    assert progress_file.is_dir()


def test_a_read_only_file_is_not_replaced(progress_file, monkeypatch):
    record.change("guesses", "01-a", value=1)
    before = progress_file.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anything, so a chmod would not do
    assert "it is read-only" in record.change("guesses", "01-b", value=1)
    assert progress_file.read_bytes() == before
    assert set(record.load()[0]["guesses"]) == {"01-a", "01-b"}  # remembered as long as Python runs


def test_a_missing_folder_costs_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv(record.ELSEWHERE, str(tmp_path / "gone" / "progress.json"))
    result = exercises.check("01-margin", exercises.solution("01-margin"))
    assert result.passed
    assert "remembered only until Python stops" in result.note
    rows = exercises.progress().rows
    assert next(row for row in rows if row[0].startswith("01"))[3].startswith("1 of")


def test_what_could_not_be_written_is_written_later(tmp_path, monkeypatch):
    monkeypatch.setenv(record.ELSEWHERE, str(tmp_path / "later" / "progress.json"))
    record.change("guesses", "01-a", value=1)
    (tmp_path / "later").mkdir()
    assert record.change("guesses", "01-b", value=2) == ""
    stored = json.loads((tmp_path / "later" / "progress.json").read_text())
    assert set(stored["guesses"]) == {"01-a", "01-b"}


@pytest.mark.parametrize(("said", "gone"), [("yes", True), (" Y ", True), ("no", False), ("", False)])
def test_reset_asks_first(progress_file, monkeypatch, said, gone):
    record.change("guesses", "01-a", value=1)
    asked = []
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or said)
    words = repr(exercises.reset())
    assert asked
    assert progress_file.exists() is not gone
    assert ("fresh start" in words) is gone


def test_reset_forgets_nothing_where_nobody_can_be_asked(progress_file, monkeypatch):
    record.change("guesses", "01-a", value=1)

    def nobody(question):
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    assert "reset(sure=True)" in repr(exercises.reset())
    assert progress_file.exists()
    exercises.reset(sure=True)
    assert not progress_file.exists()
    assert "nothing to forget" in repr(exercises.reset())


def test_the_table_of_progress_counts(progress_file):
    first = exercises.progress().rows
    assert [row[0][:2] for row in first] == sorted(row[0][:2] for row in first)
    question = exercises.guess("01-a")
    question.commit(0)
    exercises.check("01-margin", exercises.solution("01-margin"))
    exercises.check("01-margin", lambda *_: 12.5)  # who has passed once has passed
    row = exercises.progress().rows[0]
    tasks = [id for id in exercises.ids() if id.startswith("01")]
    guesses = [id for id in exercises.GUESSES if id.startswith("01")]
    assert row[1] == f"1 of {len(guesses)}"
    assert row[3] == f"1 of {len(tasks)}"
    assert "01-margin" not in row[4]
    html = exercises.progress()._repr_html_()
    assert html.count("<tr>") == len(first) + 1
    assert row[0] in html
