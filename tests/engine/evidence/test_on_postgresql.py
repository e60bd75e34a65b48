"""On PostgreSQL, too, what somebody with the server's password did to a row is found: by the audit, and in evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.embedding import open_governor
from engine.store.packing import pack
from tests.bpmn.files import policy
from tests.engine.cli.command import governor
from tests.engine.models import edges, end, model, script, start, user
from tests.engine.operating.office import read

ASKED = model(start(), user("u", policy('<gov:policy interactionLevel="DIFF_PREVIEW"/>')),
              script("after", "n = n + 1"), end(), edges("s > u > after > e"))  # fmt: skip
OTHER = pack(b'{"decision":"approve"}')

Statement = tuple[str, tuple[Any, ...]]
ROWS: dict[str, tuple[Statement, str, str]] = {
    "an event": (
        ("UPDATE gov_event SET data = %s WHERE seq = 3", (OTHER,)),
        "event 3", "event 3 is not what was written at its place",
    ),
    "when it was": (
        ("UPDATE gov_event SET at = '2020-01-01T00:00:00.000000Z' WHERE seq = 2", ()),
        "event 2", "event 2 is not what was written at its place",
    ),
    "an event that is gone": (("DELETE FROM gov_event WHERE seq = 2", ()), "event 2", "event 2 is missing"),
    "a link": (
        ("UPDATE gov_seal SET links = decode(repeat('00', length(links)), 'hex') WHERE version = 2", ()),
        "event", "is not what was written at its place",
    ),
    "who answered": (
        ("UPDATE gov_intervention SET body = replace(body, '\"ann\"', '\"eve\"')", ()),
        "", "by is 'eve', the log says 'ann'",
    ),
}  # fmt: skip
"""The change, what the audit names ("": no event was changed, and it is silent), and what evidence's check says."""


def answered(url: str) -> str:
    """An instance that somebody did a task of, and another one agreed to."""
    with open_governor(url) as opened:
        begun = opened.start(read(ASKED), {"n": 0})
        asked = opened.complete(begun.waiting[0]["id"], {"n": 0}, by="eva").waiting[0]["id"]
        assert opened.answer(asked, "approve", by="ann").status == "completed"
        return begun.instance


def change(url: str, statement: str, parameters: tuple[Any, ...] = ()) -> None:
    import psycopg

    with psycopg.connect(url) as connection:
        assert connection.execute(statement.encode(), parameters).rowcount > 0


def verified(url: str, instance: str, folder: Path) -> tuple[Any, Any]:
    """What the audit says of the log, and the check of what was written as evidence of it."""
    archive = str(folder / "evidence.zip")
    audited = governor("audit", "verify", instance, "--db", url)
    assert governor("evidence", instance, "-o", archive, "--db", url).code == 0
    return audited, governor("evidence", "verify", archive)


def test_what_nobody_touched_is_as_it_was_written(postgres_url: str, tmp_path: Path) -> None:
    audited, checked = verified(postgres_url, answered(postgres_url), tmp_path)
    assert (audited.code, checked.code) == (0, 0), audited.out + checked.out


@pytest.mark.parametrize("what", ROWS)
def test_a_row_that_was_changed_is_named(what: str, postgres_url: str, tmp_path: Path) -> None:
    (statement, parameters), named, said = ROWS[what]
    instance = answered(postgres_url)
    change(postgres_url, statement, parameters)
    audited, checked = verified(postgres_url, instance, tmp_path)
    assert audited.code == (1 if named else 0), audited.out
    assert named in audited.out
    assert checked.code == 1, checked.out
    assert said in " ".join(checked.out.split())


def test_a_cause_that_was_changed_is_named(postgres_url: str) -> None:
    instance = answered(postgres_url)
    change(postgres_url, "UPDATE gov_cause SET body = %s WHERE version = 2", (OTHER,))
    audited = governor("audit", "verify", instance, "--db", postgres_url)
    assert audited.code == 1, audited.out
    assert "advance 2" in audited.out


def test_no_evidence_is_written_of_a_content_that_was_changed(postgres_url: str, tmp_path: Path) -> None:
    instance = answered(postgres_url)
    change(postgres_url, "UPDATE gov_value SET body = %s", (pack(b'"another"'),))
    told = governor("evidence", instance, "-o", str(tmp_path / "evidence.zip"), "--db", postgres_url)
    assert told.code == 2, told.out
    assert "was altered or damaged" in told.err
    assert not (tmp_path / "evidence.zip").exists()
