"""`governor gc`, `governor export` and `governor import`."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.engine.cli.command import governor
from tests.engine.cli.files import STEPS, Folder


@pytest.fixture
def ran(folder: Folder) -> str:
    """The id of an instance that has completed."""
    told = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--json")
    instance: str = told.json["instance"]
    return instance


def test_an_instance_is_taken_along(folder: Folder, ran: str) -> None:
    file, other = str(folder.path / "one.zip"), str(folder.path / "other.db")
    told = governor("export", ran[:6], "-o", file, "--db", folder.db)
    assert (told.code, told.out.startswith(f"{ran}  written to {file}, ")) == (0, True)
    told = governor("import", file, "--db", other)
    assert (told.code, told.out) == (0, f"{ran}  taken in, completed: governor show {ran} --db {other}\n")
    assert governor("show", ran, "--db", other, "--json").json["variables"] == {"x": 1, "y": 2}
    assert governor("audit", "verify", ran, "--db", other).code == 0
    again = governor("import", file, "--db", other)
    assert (again.code, again.err.count("\n")) == (2, 1)


def test_another_file_is_one_line(folder: Folder) -> None:
    told = governor("import", folder.put("x.zip", "nothing"), "--db", folder.db)
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "give a file that `governor export` wrote" in told.err
    told = governor("import", str(folder.path / "gone.zip"), "--db", folder.db)
    assert (told.code, told.err.count("\n")) == (2, 1)


def test_what_ended_long_ago_is_cleaned_up(folder: Folder, ran: str) -> None:
    assert "Removed 0 instances, 0 definitions, 0 values" in governor("gc", "--db", folder.db).out
    with closing(sqlite3.connect(folder.db)) as connection, connection:
        connection.execute("UPDATE gov_instance SET updated_at = '2020-01-01T00:00:00.000000Z'")
    would = governor("gc", "--older-than", "30d", "--dry-run", "--db", folder.db, "--json").json
    assert (would["dry_run"], would["instances"], would["definitions"]) == (True, [ran], 1)
    done = governor("gc", "--older-than", "30d", "--state", "completed", "--db", folder.db)
    assert done.out.startswith("Removed 1 instance, 1 definition, ")
    assert governor("show", ran, "--db", folder.db).code == 2


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--older-than", "soon"), "--older-than soon: is no age"),
        (("--older-than", "1d", "--state", "waiting"), "waiting: such instances are kept"),
        (("--state", "completed"), "--older-than is not given"),
    ],
)
def test_what_cannot_be_meant_is_one_line(folder: Folder, ran: str, arguments: tuple[str, ...], word: str) -> None:
    told = governor("gc", *arguments, "--db", folder.db)
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert word in told.err
