"""People whom a policy names are told when an activity was completed, failed, or somebody is asked about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.status import Status
from governance.vocabulary import Producer
from tests.bpmn.files import policy
from tests.engine.cli.command import governor
from tests.engine.models import edges, end, model, script, service, start
from tests.engine.running import Run

NAMED = policy('<gov:policy informed="ann, clerks"/>')
ROW = model(NAMED, start(), service("a"), script("b", "y = 1"), end(), edges("s > a > b > e"))


def told(run: Run) -> list[tuple[str | None, str, str]]:
    notices = [event for event in run.events(EventType.NOTICE) if "to" in event.data]
    assert all(event.data["to"] == ["ann", "clerks"] for event in notices)
    assert all(event.data["level"] == "MICRO_SUGGESTION" for event in notices)
    return [(event.element, event.data["about"], event.data["message"]) for event in notices]


def does(work: Work) -> Outcome:
    return Outcome(outputs={"x": 1}, producer=Producer.SERVICE)


def fails(work: Work) -> Outcome:
    raise ValueError("no")


def doubts(work: Work) -> Outcome:
    return Outcome(outputs={"x": 1}, confidence=0.1, producer=Producer.AGENT)


def test_each_activity_that_was_completed_is_told_of() -> None:
    run = Run(ROW, handlers={"a": does})
    assert told(run) == [("a", "completed", "a was completed"), ("b", "completed", "b was completed")]


def test_a_failure_is_told_of_and_the_next_try_too() -> None:
    run = Run(ROW, handlers={"a": fails})
    assert (run.status, told(run)) == (Status.FAILED, [("a", "failed", "a failed")])


def test_a_question_is_told_of_before_anybody_answers() -> None:
    run = Run(ROW, handlers={"a": doubts})
    assert told(run) == [("a", "asked", "a person is asked about a")]
    run.answer(next(iter(run.instance.held)), "approve")
    assert [about for _, about, _ in told(run)] == ["asked", "completed", "completed"]


def test_nobody_is_told_of_what_names_nobody() -> None:
    only = service("a", inside=NAMED)
    run = Run(model(start(), only, script("b", "y = 1"), end(), edges("s > a > b > e")), handlers={"a": does})
    assert [element for element, _, _ in told(run)] == ["a"]


def test_notices_are_shown_with_whom_they_are_for(tmp_path: Path) -> None:
    file, db = tmp_path / "m.bpmn", str(tmp_path / "g.db")
    file.write_bytes(model(NAMED, start(), script("b", "y = 1"), end(), edges("s > b > e")))
    ran = governor("run", str(file), "--db", db)
    assert "b was completed  to ann, clerks" in ran.err
    shown: Any = governor("run", str(file), "--db", db, "--json").json
    notices = [each for each in shown["interventions"] if each["status"] == "told"]
    assert [(each["element"], each["to"], each["about"]) for each in notices] == [("b", ["ann", "clerks"], "completed")]
    report = tmp_path / "r.html"
    assert governor("report", shown["instance"], "-o", str(report), "--db", db).code == 0
    assert "b was completed, and people are told" in report.read_text(encoding="utf-8")
