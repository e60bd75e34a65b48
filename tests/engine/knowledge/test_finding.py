"""What a folder may hold besides documents, and what becomes of what is known of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.knowledge import documents
from engine.knowledge.finding import NoDocuments
from engine.knowledge.folders import Taken
from engine.store.database import Database
from engine.store.knowledge import KnowledgeTable
from governance.flywheel.item import Standing
from tests.engine.knowledge.test_folders import found, handbook, standing, take
from tests.governance.flywheel.bases import LATER


@pytest.fixture
def table(tmp_path: Path) -> Iterator[KnowledgeTable]:
    database = Database(str(tmp_path / "a.db"))
    yield KnowledgeTable(database)
    database.close()


def told(taken: Taken) -> list[tuple[str, str]]:
    return [(error.path, error.found) for error in taken.unreadable]


def link_out(folder: Path) -> None:
    (folder.parent / "secret.txt").write_text("The key is 4711.")
    (folder / "odd.txt").symlink_to(folder.parent / "secret.txt")


def link_by_a_folder(folder: Path) -> None:
    (folder.parent / "private").mkdir()
    (folder.parent / "private" / "secret.txt").write_text("The key is 4711.")
    (folder / "inside").symlink_to(folder.parent / "private")
    (folder / "odd.txt").symlink_to(folder / "inside" / "secret.txt")


def link_to_nothing(folder: Path) -> None:
    (folder / "odd.txt").symlink_to(folder / "none.txt")


def link_to_itself(folder: Path) -> None:
    (folder / "odd.txt").symlink_to(folder / "odd.txt")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "odd.txt")


def huge(folder: Path) -> None:
    with (folder / "odd.txt").open("wb") as file:
        file.truncate(documents.LARGEST + 1)


def binary(folder: Path) -> None:
    (folder / "odd.txt").write_bytes(bytes(range(32)))


@pytest.mark.parametrize(
    ("put", "what"),
    [
        (link_out, "is a link that leads out of the folder"),
        (link_by_a_folder, "is a link that leads out of the folder"),
        (link_to_nothing, "is no file"),
        (link_to_itself, ""),
        (pipe, "is no file"),
        (huge, "has more than 20,000,000 bytes"),
        (binary, "is no text (byte 0 is 0)"),
    ],
)
def test_what_is_no_document_is_told_and_the_others_are_taken(
    table: KnowledgeTable, tmp_path: Path, put: Callable[[Path], None], what: str
) -> None:
    folder = handbook(tmp_path)
    put(folder)
    taken = take(table, folder)
    assert taken.added == 2
    [(path, reason)] = told(taken)
    assert path == "handbook/odd.txt"
    assert what in reason
    assert not any("4711" in text for text in standing(table))


def test_nothing_of_a_huge_file_is_read(table: KnowledgeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = handbook(tmp_path)
    huge(folder)
    read, bytes_of = list[str](), Path.read_bytes

    def noted(path: Path) -> bytes:
        read.append(path.name)
        return bytes_of(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    take(table, folder)
    assert set(read) == {"rules.md"}


def test_a_link_inside_the_folder_is_a_document(table: KnowledgeTable, tmp_path: Path) -> None:
    folder = handbook(tmp_path)
    (folder / "same.md").symlink_to(folder / "rules.md")
    taken = take(table, folder)
    assert (taken.read, told(taken)) == (["handbook/rules.md", "handbook/same.md"], [])


def test_the_folder_itself_may_be_a_link(table: KnowledgeTable, tmp_path: Path) -> None:
    (tmp_path / "by-link").symlink_to(handbook(tmp_path))
    assert take(table, tmp_path / "by-link").read == ["by-link/rules.md"]


def test_a_renamed_document_is_known_by_its_new_name_alone(table: KnowledgeTable, tmp_path: Path) -> None:
    folder = handbook(tmp_path)
    take(table, folder)
    (folder / "rules.md").rename(folder / "law.md")
    again = take(table, folder, LATER)
    assert (again.gone, again.read) == (["handbook/rules.md"], ["handbook/law.md"])
    assert [each.provenance.source for each in found(table, "refunds team lead", count=9)] == ["handbook/law.md"]


def test_the_last_document_leaves_use_too(table: KnowledgeTable, tmp_path: Path) -> None:
    folder = handbook(tmp_path)
    take(table, folder)
    (folder / "rules.md").unlink()
    assert take(table, folder, LATER).gone == ["handbook/rules.md"]
    assert set(standing(table).values()) == {Standing.EXPIRED}
    with pytest.raises(NoDocuments):
        take(table, folder, LATER)


def test_what_is_in_a_folder_that_cannot_be_opened_stays_in_use(
    table: KnowledgeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = handbook(tmp_path)
    (folder / "sop").mkdir()
    (folder / "sop" / "a.txt").write_text("Sails are mended in winter.")
    take(table, folder)
    _close(monkeypatch, folder / "sop")
    again = take(table, folder, LATER)
    assert (again.gone, told(again)) == ([], [("handbook/sop", "Permission denied")])
    assert len(found(table, "sails winter")) == 1


def test_a_place_that_cannot_be_opened_is_refused(
    table: KnowledgeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = handbook(tmp_path)
    take(table, folder)
    _close(monkeypatch, folder)
    with pytest.raises(NoDocuments, match="cannot be opened"):
        take(table, folder, LATER)
    assert Standing.EXPIRED not in standing(table).values()


def test_a_name_that_is_not_utf_8_is_told(table: KnowledgeTable, tmp_path: Path) -> None:
    folder = handbook(tmp_path)
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.txt")).write_text("Something.")
    assert told(take(table, folder)) == [("handbook/?.txt", "its name is not UTF-8")]


def _close(monkeypatch: pytest.MonkeyPatch, closed: Path) -> None:
    """As if this user were not allowed to open it (a superuser is)."""
    scan = os.scandir

    def refusing(path: str) -> object:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
