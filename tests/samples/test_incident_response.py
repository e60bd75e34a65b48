"""The ways through the incident that the demo does not take, and what its governance kept."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from governance.snapshots.canonical import canonical
from tests.engine.cli.command import governor_child
from tests.project.tree import ROOT
from tests.samples.folders import options, process
from tests.samples.inside import Inside, Turn, decided, done

SAMPLE = ROOT / "samples" / "incident_response"
CRITICAL = decided("join_findings", "resolve", {"severity": {"take": "collect_tickets"}})
MAJOR = decided("join_findings", "resolve", {"severity": {"take": "analyse_application"}})
APPROVED = done("approve_change", approved=True, approval_note="go")
REFUSED = done("approve_change", approved=False, approval_note="what about the configuration?")
SENT = decided("draft_update", "approve")

STORY = [
    "Many payments fail since the morning peak began",
    "split at Investigate: 3 branches",
    "finds nothing there and falls back to 8 connections",
    "split at Database and network: 2 branches",
    "of Analyse database wins (confidence 0.55), by HIGHEST_CONFIDENCE",
    "branches disagree about severity",
    "resolve by maria.keller: Alpina Rail's 60 minutes end at 10:02",
    "minutes_spent: 33",
    "of Analyse application wins (confidence 0.86), by HIGHEST_CONFIDENCE",
    "is in the forced band",
    "Going back to 4.17.2 is the fastest known good state",
    "Approve change: done by maria.keller",
    "Round 1: rollback checkout-api 4.17.2.",
    "17.2 % of requests fail; release 4.17.2, all 4 pods: db.pool.maxSize is not set",
    "Healthy? → Adjust fix",
    "so the rollback alone cannot help",
    "0.1 % of requests fail",
    "edit by maria.keller",
    "Accepted for 3 recipients.",
    "The cause was a misspelt key in a migration script",
    "Incident response completed",
]


@pytest.fixture
def incident(tmp_path: Path) -> Iterator[Inside]:
    inside = Inside(SAMPLE, tmp_path / "runs.db")
    yield inside
    inside.close()


def test_an_approval_that_is_late_pages_the_manager_and_stays_open(incident: Inside) -> None:
    incident.go_on(CRITICAL)
    assert {each["kind"] for each in incident.result.waiting} == {"work_item", "timer"}
    incident.wait(timedelta(minutes=29))
    assert "page_manager" not in incident.visited()
    assert incident.wait(timedelta(minutes=2)).status == "waiting"
    assert "page_manager" in incident.visited()
    assert incident.go_on(APPROVED, SENT).status == "completed"
    assert incident.visited().count("page_manager") == 1


def test_a_refused_change_is_proposed_anew(incident: Inside) -> None:
    result = incident.go_on(CRITICAL, REFUSED, APPROVED, SENT)
    assert result.status == "completed"
    assert incident.visited().count("propose_fix") == 2
    assert result.variables["rounds"] == 1


def test_customers_are_not_told_of_what_is_not_critical(incident: Inside) -> None:
    result = incident.go_on(MAJOR, APPROVED)
    assert result.status == "completed"
    assert "draft_update" not in incident.visited()


def test_after_three_rounds_that_failed_the_incident_is_handed_over(tmp_path: Path) -> None:
    incident = Inside(SAMPLE, tmp_path / "runs.db", [*restart(1, "Restart."), *restart(2, "Restart once more.")])
    result = incident.go_on(CRITICAL, APPROVED)
    assert (result.status, result.variables["rounds"], result.variables["healthy"]) == ("completed", 3, False)
    assert "write_postmortem" not in incident.visited()
    incident.close()


def test_the_same_fix_is_not_tried_in_every_round(tmp_path: Path) -> None:
    incident = Inside(SAMPLE, tmp_path / "runs.db", [*restart(1, "Restart."), *restart(2, "Restart.")])
    result = incident.go_on(CRITICAL, APPROVED)
    (asked,) = result.waiting
    assert (asked["element"], asked["level"]) == ("adjust_fix", "EXPLICIT_APPROVAL")
    assert result.variables["rounds"] == 2
    incident.close()


def restart(visit: int, summary: str) -> list[Turn]:
    """The same in every attempt of a visit."""
    steps = [{"do": "restart", "what": "checkout-api", "value": "all pods"}]
    fix = {"summary": summary, "steps": steps, "risk": "low", "undo": "none"}
    answer = {"outputs": {"root_cause": "unknown", "fix": fix}, "confidence": 0.8}
    turn = {"activity": "adjust_fix", "visit": visit, "answer": answer}
    return [{**turn, "attempt": attempt} for attempt in (1, 2, 3)]


def test_the_terminal_tells_the_story(tmp_path: Path) -> None:
    told = governor_child("run", process(SAMPLE), *options(SAMPLE), "--db", str(tmp_path / "runs.db"))
    said = told.err + told.out
    places = [said.find(line) for line in STORY]
    assert -1 not in places, STORY[places.index(-1)]
    assert places == sorted(places)


def test_the_post_mortem_is_written_from_a_context_that_kept_what_it_must(incident: Inside) -> None:
    incident.go_on()
    prompt, variables = _prompt(incident, "write_postmortem"), incident.result.variables
    shown = {name for name, value in variables.items() if f"\n{name}: {canonical(value).decode()}\n" in prompt}
    assert shown >= {"incident", "customer_commitments", "root_cause", "actions_taken"}
    assert not shown & {"logs", "metrics", "releases", "database", "network", "tickets"}
    assert "first_error" in variables["incident"]
    assert " archived: ask for them by name: alert" in prompt


def test_what_is_not_retained_is_lost_to_the_post_mortem(tmp_path: Path) -> None:
    forgetful = tmp_path / "sample"
    shutil.copytree(SAMPLE, forgetful)
    file = forgetful / "process.bpmn"
    file.write_text(re.sub(r"<gov:retainKey [^>]*>", "", file.read_text(encoding="utf-8")), encoding="utf-8")
    incident = Inside(forgetful, tmp_path / "runs.db")
    incident.go_on()
    assert incident.result.variables["incident"]["first_error"] not in _prompt(incident, "write_postmortem")
    incident.close()


def test_two_branches_write_different_fields_of_one_object_without_a_conflict(incident: Inside) -> None:
    result = incident.go_on()
    assert {"endpoints", "merchants", "failed_payments", "region"} <= result.variables["impact"].keys()
    assert "WORKING/impact" not in {each["key"] for each in result.conflicts}


def _prompt(incident: Inside, activity: str) -> str:
    asked = next(request for request, _ in incident.model.calls if request.activity == activity)
    return asked.messages[1].content
