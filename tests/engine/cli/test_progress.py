"""Each kind of event, as it is told."""

from __future__ import annotations

import io
from typing import Any

import pytest

from bpmn.load import load
from engine.cli.screen.plain import PlainScreen
from engine.cli.telling.progress import Progress
from engine.events import Event, EventType
from engine.names import Names
from tests.engine.cli.files import OUTAGE

NAMES = Names(load(OUTAGE.encode(), file="outage.bpmn").definition)
MEASURE = {"pressure": 1.34, "usage": 0.4, "chars": 1_206, "tokens": 5_210}
AFTER = {"pressure": 0.58, "usage": 0.2, "chars": 522, "tokens": 2_304}


def told(type: EventType, element: str | None = None, branch: str = "", /, **data: Any) -> list[str]:
    stream = io.StringIO()
    Progress(PlainScreen(stream), NAMES)(Event(0, "2026-01-01T00:00:00.000000Z", type, element, branch, data))
    return stream.getvalue().splitlines()


@pytest.mark.parametrize(
    ("element", "by", "label"),
    [
        ("collect", "service", "service"),
        ("approve", "human", "person"),
        ("collect", "human", "person"),
        ("collect", "engine", "service"),
        ("approve", "engine", "person"),
        ("elsewhere", "agent", "agent"),
        ("elsewhere", None, "task"),
    ],
)
def test_an_activity_is_told_with_who_did_it(element: str, by: str | None, label: str) -> None:
    assert told(EventType.ACTIVITY_COMPLETED, element, by=by)[0].split()[0] == label


def test_an_activity_tells_context_tokens_attention_and_decision() -> None:
    lines = told(
        EventType.ACTIVITY_COMPLETED,
        "collect",
        d1=[0.35, 0.1],
        tokens=[812, 2_100],
        attention=[0.62, [1, 1, 1, 1, 1], "LIGHT_COMPRESS"],
        decision="found 14 errors",
    )
    assert lines == [
        "service   Collect logs                        context ████░░░░░░  35%  812 tokens (ungoverned 2,100)"
        "  attention 0.62",
        "          found 14 errors",
    ]


def test_calm_attention_and_equal_tokens_are_not_told() -> None:
    (line,) = told(EventType.ACTIVITY_COMPLETED, "collect", tokens=[8, 8], attention=[0.97, [], "CONTINUE"])
    assert line.endswith("8 tokens")


def test_a_compression_tells_before_after_and_why() -> None:
    data = {"before": MEASURE, "after": AFTER, "compressed": True, "reason": "too full"}
    lines = told(EventType.D1, "logs", "/fork@2:2.logs", **data)
    assert lines == [
        "D1          compress for Read logs: ██████████ 134% → ██████░░░░  58%, 5,210 → 2,304 tokens",
        "            too full",
    ]


def test_a_warning_without_compression_tells_one_gauge() -> None:
    lines = told(EventType.D1, "logs", before=MEASURE, after=MEASURE, compressed=False, reason="nothing left to lower")
    assert lines == ["D1        compress for Read logs: ██████████ 134%", "          nothing left to lower"]


def test_a_split_and_a_merge_name_their_branches() -> None:
    branches = ["/fork@2:2.deploys", "/fork@2:2.logs"]
    split = told(EventType.D2, "fork", branches=branches, reason="2 tokens go on; agents see ISOLATED")
    assert split == [
        "D2        split at Investigate: 2 branches, each starts with an empty view",
        "          Check deploys | Read logs",
    ]
    merge = told(EventType.D3, "join", branches=branches, reason="2 branches wrote different keys or the same values")
    assert merge[0] == "D3        merge at Findings together: Check deploys | Read logs"


def conflict(**more: Any) -> dict[str, Any]:
    values = [
        {"branch": "/fork@2:2.deploys", "value": "low", "confidence": 0.5},
        {"branch": "/fork@2:2.logs", "deleted": True, "confidence": 0.9},
    ]
    return {"key": "WORKING/level", "path": None, "values": values, "strategy": "HIGHEST_CONFIDENCE", **more}


def merged(outcome: dict[str, Any] | None, **more: Any) -> list[str]:
    record = {} if outcome is None else {"conflicts": [{"key": "WORKING/level", "path": None, **outcome}]}
    conflicts = [conflict(reason="a person decides", **more)]
    return told(EventType.D3, "join", branches=[], reason="r", conflicts=conflicts, record=record)[2:]


def test_a_conflict_tells_winner_and_losers() -> None:
    lost = [conflict()["values"][0]]
    outcome = {"winner": "/fork@2:2.logs", "deleted": True, "decided_by": "rule", "lost": lost}
    assert merged(outcome) == [
        "conflict  level: (removed) of Read logs wins (confidence 0.90), by HIGHEST_CONFIDENCE",
        '          over "low" of Check deploys (confidence 0.50)',
    ]


def test_a_reducer_has_no_winner() -> None:
    outcome: dict[str, Any] = {"winner": None, "value": 3, "decided_by": "rule", "lost": []}
    assert merged(outcome, strategy="SUM") == ["conflict  level: 3, 2 writes put together by SUM"]


def test_an_open_conflict_tells_what_each_branch_says() -> None:
    assert merged(None) == [
        'conflict  level: "low" of Check deploys; (removed) of Read logs; a person decides',
    ]


def test_branches_of_a_multi_instance_are_numbered() -> None:
    (_, names) = told(EventType.D2, "collect", branches=["/collect@2:3.0", "/collect@2:3.2"], reason="")
    assert names == "          Collect logs 1 of 3 | Collect logs 3 of 3"


def test_many_branches_are_counted() -> None:
    branches = [f"/fork@2:9.b{number}" for number in range(9)]
    assert told(EventType.D2, "fork", branches=branches, reason="")[1].endswith("b4 | b5 and 3 more")


@pytest.mark.parametrize(
    ("type", "element", "data", "line"),
    [
        (EventType.INCIDENT, "fix", {"error": "no route", "kind": "OSError"}, "failed    Apply fix: no route"),
        (EventType.INCIDENT_RESOLVED, "fix", {"how": "retry"}, "retry     Apply fix"),
        (EventType.NOTICE, "join", {"level": "MICRO_SUGGESTION", "message": "look"}, "note      look"),
        (EventType.WORK_ITEM_CREATED, "approve", {"id": "w"}, "waits     Approve the fix: to be done by a person"),
        (
            EventType.INTERRUPTED,
            "ok",
            {"interrupted": "logs, fix", "lost": [], "head": ""},
            "stopped   Approved? interrupts Read logs, Apply fix; what it did is put aside",
        ),
        (EventType.MESSAGE_RECEIVED, "ok", {"message": "paid"}, "message   Approved? received paid"),
        (EventType.GATEWAY, "ok", {"taken": []}, "gateway   Approved? → nowhere"),
    ],
)
def test_other_events_are_one_line(type: EventType, element: str, data: dict[str, Any], line: str) -> None:
    assert told(type, element, **data) == [line]


def test_a_name_over_several_lines_is_told_in_one() -> None:
    file = OUTAGE.replace('name="Collect logs"', 'name="Collect&#10;   logs"').encode()
    assert Names(load(file, file="a.bpmn").definition).element("collect") == "Collect logs"
