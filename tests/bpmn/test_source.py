"""Files that cannot be read: each kind has its own error, with the file's name and what was wrong."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from bpmn.errors import BpmnError, LimitExceeded, UnreadableFile
from bpmn.load import load
from bpmn.reader.source import Limits
from tests.bpmn.files import chain


def test_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "ok.bpmn"
    path.write_bytes(chain('<task id="a"/>'))
    result = load(path)
    assert not result.errors
    assert result.definition.file == str(path)
    assert result.source == path.read_bytes()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "No such file"),
        (lambda path: path.mkdir(), "this is a directory"),
        (lambda path: path.write_bytes(b""), "the file is empty"),
        (lambda path: path.write_bytes(b" \n\t"), "the file is empty"),
        (lambda path: path.symlink_to(path), "symbolic links"),
    ],
    ids=["missing", "directory", "empty", "blank", "link to itself"],
)
def test_unreadable_files_say_why(tmp_path: Path, make: object, message: str) -> None:
    path = tmp_path / "x.bpmn"
    make(path)  # type: ignore[operator]
    with pytest.raises(UnreadableFile, match=message) as caught:
        load(path)
    assert caught.value.file == str(path)
    assert str(path) in str(caught.value)


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(UnreadableFile, match="Permission denied"):
        load("x.bpmn")


def test_a_path_that_no_file_can_have() -> None:
    with pytest.raises(UnreadableFile, match="null"):
        load("a\0b")


def test_the_size_is_limited_for_paths_and_bytes(tmp_path: Path) -> None:
    data = chain('<task id="a"/>')
    path = tmp_path / "x.bpmn"
    path.write_bytes(data)
    for source in (path, data):
        with pytest.raises(LimitExceeded, match=r"too large.*at most 100 bytes"):
            load(source, limits=Limits(bytes=100))


def test_an_endless_source_ends() -> None:
    with pytest.raises(LimitExceeded):
        load("/dev/zero", limits=Limits(bytes=1000))


def test_every_error_is_a_bpmn_error_with_its_facts(tmp_path: Path) -> None:
    with pytest.raises(BpmnError) as caught:
        load(b"<a/>", file="x.bpmn")
    error = caught.value
    assert (error.file, error.line) == ("x.bpmn", 1)
    assert error.found == "a without a namespace"
    assert error.allowed is not None
    assert str(error).startswith("x.bpmn:1: ")
