"""Questions that are delegated and escalated, through the doors of the engine and the command."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bpmn.load import load
from engine.embedding import open_governor
from engine.governor import Governor
from engine.result import RunResult
from governance.human_loop.errors import NotAllowed
from governance.ports import FixedClock
from tests.bpmn.files import policy
from tests.engine.cli.command import governor as command
from tests.engine.models import edges, end, model, start, user

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def process(approval: str, around: str = "") -> bytes:
    preview = policy('<gov:policy interactionLevel="DIFF_PREVIEW"/>')
    asks = policy(f"<gov:policy><gov:approval {approval}/></gov:policy>")
    return model(asks, start(), user("u", preview), end(), edges("s > u > e"))


class Late:
    """A question that waits while time goes by."""

    def __init__(self, path: Path, approval: str) -> None:
        self.path = str(path / "governor.db")
        self.clock = FixedClock(BEGIN)
        with self.opened() as governor:
            result = governor.start(load(process(approval), file="m.bpmn"), {}, starter="bob")
            self.result = governor.complete(result.waiting[0]["id"], {"x": 1}, by="bob")
        self.instance, self.id = self.result.instance, str(self.result.waiting[0]["id"])

    def opened(self) -> Governor:
        return open_governor(self.path, clock=self.clock)

    def after(self, hours: float) -> RunResult:
        """What a sweep at this time comes to, in a process of its own."""
        self.clock.move_to(BEGIN + timedelta(hours=hours))
        with self.opened() as governor:
            for id in governor.due():
                governor.resume(id)
            return governor.result(self.instance)


def test_late_it_is_escalated_once_and_later_its_default_stands_as_a_timeout(tmp_path: Path) -> None:
    late = Late(tmp_path, 'roles="clerk" due="PT2H" default="approve" escalateTo="lead"')
    assert late.after(1.9).waiting[0]["roles"] == ["clerk"]
    escalated = late.after(2)
    asks = escalated.waiting[0]
    assert (asks["roles"], asks["due"]) == (["clerk", "lead"], "2026-01-01T04:00:00.000000Z")
    assert late.after(3.9).status == "waiting"
    done = late.after(4)
    (asked,) = done.interventions
    assert (done.status, asked["status"], asked["answer"]["by"]) == ("completed", "expired", "timeout")
    assert asked["answer"]["reason"] == "no answer by 2026-01-01T04:00:00.000000Z"


def test_who_it_was_escalated_to_answers(tmp_path: Path) -> None:
    late = Late(tmp_path, 'roles="clerk" fourEyes="true" due="PT2H" escalateTo="lead"')
    with late.opened() as governor, pytest.raises(NotAllowed):
        governor.answer(late.id, "approve", by="kim", roles=["lead"])
    late.after(2)
    with late.opened() as governor:
        with pytest.raises(NotAllowed, match="four eyes"):
            governor.answer(late.id, "approve", by="Bob", roles=["lead"])
        assert governor.answer(late.id, "approve", by="kim", roles=["lead"]).status == "completed"


def test_a_default_that_denies_is_a_timeout_and_no_refusal(tmp_path: Path) -> None:
    late = Late(tmp_path, 'due="PT2H" default="deny"')
    (asked,) = late.after(2).interventions
    assert (asked["status"], asked["answer"]["decision"], asked["answer"]["by"]) == ("expired", "deny", "timeout")


def test_a_question_is_delegated_by_the_command(tmp_path: Path) -> None:
    late = Late(tmp_path, 'roles="clerk" fourEyes="true"')
    on = ("--db", late.path)
    refused = command("inbox", "delegate", late.id, "--to", "li", "--by", "eve", *on)
    assert (refused.code, "needs one of the roles clerk" in refused.err) == (2, True)
    refused = command("inbox", "delegate", late.id, "--to", "Bob", "--by", "ann", "--role", "clerk", *on)
    assert (refused.code, "four eyes" in refused.err) == (2, True)
    named = ("--to", "li", "--by", "ann", "--role", "clerk", "--reason", "knows it")
    handed = command("inbox", "delegate", late.id, *named, *on)
    assert handed.code == 3
    assert f"{late.id}: from ann to li: knows it" in handed.err + handed.out
    assert "for li, delegated by ann" in command("inbox", "show", late.id, *on).out
    assert "  li  " in command("inbox", "list", *on).out
    refused = command("inbox", "answer", late.id, "--decision", "approve", "--by", "ann", "--role", "clerk", *on)
    assert (refused.code, "it was delegated to li" in refused.err) == (2, True)
    assert command("inbox", "answer", late.id, "--decision", "approve", "--by", "li", *on).code == 0


def test_tasks_are_not_delegated(tmp_path: Path) -> None:
    path = str(tmp_path / "governor.db")
    with open_governor(path) as governor:
        task = governor.start(load(process('roles="clerk"'), file="m.bpmn"), {}).waiting[0]["id"]
    told = command("inbox", "delegate", task, "--to", "li", "--by", "ann", "--db", path)
    assert (told.code, "only questions are delegated" in told.err) == (2, True)


@pytest.mark.parametrize(
    ("due", "at"),
    [("P2DT1H", "2026-01-03T01:00:00.000000Z"), ("2026-02-01", "2026-02-01T00:00:00.000000Z"), ("=soon", None)],
)
def test_a_task_is_due_from_when_it_is_offered(tmp_path: Path, due: str, at: str | None) -> None:
    source = model(start(), f'<userTask id="u" gov:due="{due}"/>', end(), edges("s > u > e"))
    with open_governor(str(tmp_path / "governor.db"), clock=FixedClock(BEGIN)) as governor:
        (task,) = governor.start(load(source, file="m.bpmn"), {}).waiting
    assert task["due"] == at
    listed = command("inbox", "list", "--db", str(tmp_path / "governor.db")).out
    assert ("due 2026-0" in listed) is (at is not None)
