"""`governor gc`, `governor export` and `governor import`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from engine.cli.cleaning import Wish, clean
from engine.cli.errors import BadOption
from tests.engine.cli.command import governor
from tests.engine.cli.files import STEPS, Folder

_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


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
    gone = ("gc", "--older-than", "30d", "--state", "completed", "--db", folder.db, "--user", "ann")
    for agreed in ((), ("--yes",), ("--reason", "kept long enough")):
        asked = governor(*gone, *agreed)
        assert (asked.code, asked.err.count("\n")) == (2, 1)
        assert "1 instance, ended 30d ago or earlier, or as long ago as the retention" in asked.err
    assert governor("show", ran, "--db", folder.db).code == 0
    done = governor(*gone, "--yes", "--reason", "kept long enough")
    assert done.out.startswith("Removed 1 instance, 1 definition, ")
    assert governor("show", ran, "--db", folder.db).code == 2
    with closing(sqlite3.connect(folder.db)) as connection:
        rows = connection.execute("SELECT who, action, target, status FROM gov_audit ORDER BY seq").fetchall()
    assert [(who, action, status) for who, action, _, status in rows] == [("ann", "gc", 200)] * 3
    told = [target for _, _, target, _ in rows]
    assert told[0] == f"instances {ran}: kept long enough"
    assert told[1].endswith(f" values of {would['bytes']:,} bytes: kept long enough")
    assert told[2].startswith("definitions ")


def test_a_process_says_how_long_its_instances_are_kept(folder: Folder, ran: str) -> None:
    for name, span in (("short", "P10D"), ("long", "P1Y")):
        kept = STEPS.replace('id="steps"', f'id="{name}" gov:retention="{span}"')
        governor("run", folder.put(f"{name}.bpmn", kept), "--db", folder.db, "--var", "z=1")
    with closing(sqlite3.connect(folder.db)) as connection, connection:
        moved = datetime.now(UTC) - timedelta(days=30)
        connection.execute("UPDATE gov_instance SET updated_at = ?", (moved.strftime(_TIME),))
        ids = dict(connection.execute("SELECT process, id FROM gov_instance").fetchall())
    would = ("gc", "--dry-run", "--db", folder.db, "--json")
    assert governor(*would).json["instances"] == [ids["short"]]
    assert governor(*would, "--older-than", "60d").json["instances"] == [ids["short"]]
    assert governor(*would, "--older-than", "1d").json["instances"] == [ids["steps"], ids["short"]]
    asked = governor("gc", "--db", folder.db, "--user", "ann")
    assert asked.code == 2
    assert "1 instance, ended as long ago as the retention of the process says, would be removed for good" in asked.err
    agreed = ("--user", "ann", "--yes", "--reason", "over")
    assert governor("gc", "--db", folder.db, *agreed, "--json").json["instances"] == [ids["short"]]
    assert governor("show", ids["short"], "--db", folder.db).code == 2
    assert governor("show", ids["long"], "--db", folder.db).code == 0


def test_who_cleans_up_says_who_it_is(folder: Folder, ran: str) -> None:
    nobody = Wish(older_than=None, states=(), yes=False, reason="", dry_run=False, user=None)
    with pytest.raises(BadOption, match="say who does this: --user NAME"):
        clean(folder.db, nobody, as_json=False)
    clean(folder.db, nobody._replace(dry_run=True), as_json=False)


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
