"""`governor suspend`, `unsuspend`, `cancel`, `retry --var`, `skip`, `edit`, `move` and `signal`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bpmn.files import document
from tests.engine.cli.command import governor, governor_child
from tests.engine.models import catch, edges, end, model, script, service, signal, start, user

LINE = model(start(), user("a"), user("b"), script("c", "seen = x"), end(), edges("s > a > b > c > e"))
GUARDED = document(
    '<process id="p" isExecutable="true"><extensionElements><gov:policy interactionLevel="EXPLICIT_APPROVAL"/>'
    f"</extensionElements>{start()}{user('a')}{end()}{edges('s > a > e')}</process>"
)
FAILS = model(start(), service("a", "halve"), script("c", "seen = y"), end(), edges("s > a > c > e"))
HANDLERS = """
from engine.activities.job import handler

@handler("halve")
def halve(job):
    if job.variables["x"] % 2:
        raise ValueError("odd")
    return {"y": job.variables["x"] // 2}
"""
AWAITS = model(start(), catch("w", signal("go")), end(), edges("s > w > e"), beside='<signal id="go" name="go"/>')


class Desk:
    def __init__(self, folder: Path) -> None:
        self.folder, self.db = folder, str(folder / "governor.db")

    def start(self, source: bytes, *more: str) -> str:
        file = self.folder / "m.bpmn"
        file.write_bytes(source)
        told = governor("run", str(file), "--db", self.db, "--json", *more)
        return str(told.json["instance"])

    def do(self, *arguments: str, code: int) -> str:
        told = governor(*arguments, "--db", self.db)
        assert told.code == code, (told.out, told.err)
        return told.out + told.err


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / "handlers.py").write_text(HANDLERS)
    return Desk(tmp_path)


def test_an_instance_is_stopped_and_goes_on(desk: Desk) -> None:
    id = desk.start(LINE, "--var", "x=1")
    told = desk.do("suspend", id, "--reason", "prices", code=0)
    assert "suspended" in told
    assert f"governor unsuspend {id}" in told
    item = f"{id}-w"
    refusal = desk.do("inbox", "answer", item, "--outputs", "{}", code=2)
    assert "was suspended by maria at 2" in refusal
    assert refusal.count("\n") == 1
    assert "InstanceSuspended" in desk.do("resume", id, "--json", code=2)
    assert "waits for" in desk.do("unsuspend", id, "--plain", code=3)
    assert "is waiting" in desk.do("unsuspend", id, code=2)


def test_an_instance_is_ended(desk: Desk) -> None:
    id = desk.start(LINE, "--var", "x=1")
    desk.do("cancel", id, "--reason", "twice", code=0)
    assert "was cancelled by maria" in desk.do("resume", id, code=2)
    assert "cancelled" in desk.do("instances", "--status", "cancelled", code=0)
    assert "cancelled" in desk.do("show", id, "--events", code=0)


def test_variables_and_tokens_are_put_where_they_belong(desk: Desk) -> None:
    id = desk.start(LINE, "--var", "x=1")
    assert "say what to change" in desk.do("edit", id, code=2)
    desk.do("edit", id, "--var", "x=5", "--reason", "a typo", code=0)
    assert "did you mean a?" in desk.do("move", id, "a", "--to", "aa", code=2)
    assert '"seen": 5' in desk.do("move", id, "a", "--to", "c", "--json", code=0)
    shown = desk.do("show", id, "--events", code=0)
    assert "a → c, by maria" in shown


def test_what_failed_is_put_right_or_passed_over(desk: Desk) -> None:
    handlers = ("--handlers", str(desk.folder / "handlers.py"))
    one, two = (desk.start(FAILS, "--var", f"x={x}", *handlers) for x in (3, 5))
    told = desk.do("incidents", code=0)
    assert [each in told for each in (one, two, "odd")] == [True, True, True]
    assert two not in desk.do("incidents", one, code=0)
    assert "completed" in desk.do("retry", one, "--var", "x=4", "--reason", "a typo", code=0)
    assert "completed" in desk.do("skip", two, "a", "--var", "y=9", code=0)


def test_what_has_to_be_agreed_to_waits_and_is_shown(desk: Desk) -> None:
    id = desk.start(GUARDED)
    told = desk.do("cancel", id, "--reason", "twice", code=3)
    assert "maria wants to cancel: twice" in told
    assert "undone: a" in desk.do("inbox", "show", f"{id}-1", code=0)
    assert "cancelled" in desk.do("inbox", "answer", f"{id}-1", "--decision", "approve", "--by", "ann", code=0)


def test_an_instance_goes_on_with_another_file(desk: Desk) -> None:
    id = desk.start(LINE, "--var", "x=1")
    new = desk.folder / "new.bpmn"
    new.write_bytes(model(start(), user("ask"), user("b"), end(), edges("s > ask > b > e")))
    told = desk.do("migrate", id, "--to", str(new), "--dry-run", code=1)
    assert "does not map: a: a token stands there" in told
    assert "cannot go on with" in desk.do("migrate", id, "--to", str(new), code=2)
    assert "write --map OLD=NEW" in desk.do("migrate", id, "--to", str(new), "--map", "a", code=2)
    assert "a → ask" in desk.do("migrate", id, "--to", str(new), "--map", "a=ask", "--dry-run", code=0)
    told = desk.do("migrate", id, "--to", str(new), "--map", "a=ask", "--reason", "better words", code=0)
    assert "ask: a task for anybody" in told
    assert "migrated" in desk.do("show", id, "--events", code=0)
    assert "no definition" in desk.do("migrate", id, "--to", "0123", code=2)


def test_a_signal_reaches_all_that_wait(desk: Desk) -> None:
    ids = [desk.start(AWAITS) for _ in range(3)]
    desk.do("suspend", ids[1], code=0)
    told = desk.do("signal", "go", "--var", "n=1", code=0)
    assert [id in told for id in ids] == [True, False, True]
    assert "No instance waits" in desk.do("signal", "go", code=0)


def test_somebody_has_to_be_named(desk: Desk) -> None:
    id = desk.start(LINE, "--var", "x=1")
    told = governor_child("suspend", id, "--db", desk.db, USER="")
    assert (told.code, "say who does this" in told.err) == (2, True)
