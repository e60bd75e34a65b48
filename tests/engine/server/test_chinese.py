"""Whoever reads Chinese reads Chinese alone: on every page, in the report, and in what is told of every event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from engine.events import Event, EventType
from engine.governor import Governor
from engine.names import Names
from engine.report.model.telling import TOLD, tell
from engine.report.page import report_page
from engine.report.run import read_run
from engine.words.catalogue import CHINESE, translator
from tests.engine.server.chinese import ERROR, is_latin, latin, tell_all
from tests.engine.server.clients import Server, served

TURN = {"activity": "写信", "answer": {"outputs": {"信件": "尊敬的客户您好! 款项今天已付。"}, "confidence": 0.9}}


@pytest.fixture
def told(governor: Governor, tmp_path: Path) -> tuple[Server, dict[str, str]]:
    """A server where much has happened, and its instances."""
    recorded = tmp_path / "model.yaml"
    recorded.write_bytes(orjson.dumps({"turns": [TURN]}))
    settings = {"model": f"replay:{recorded}"}
    return served(governor, settings=settings), tell_all(governor, settings)


def test_pages_are_chinese(told: Any, governor: Governor) -> None:
    server, instances = told
    client = server.client("主管", "admin")
    items: list[Any] = [*governor.work_items(limit=20), *governor.interventions(limit=20)]
    paths = ["/", "/processes", "/processes/理赔", "/inbox", "/access", "/knowledge?which=all", "/experience?which=all"]
    paths += [f"/instances/{instance}" for instance in instances.values()]
    paths += [f"/inbox/{item.id}" for item in items]
    known = (*ERROR, "test", "activity____", *instances.values())
    found = {path: latin(client.get(path, headers={"accept-language": "zh"}).text, *known) for path in paths}
    assert {path: texts for path, texts in found.items() if texts} == {}
    # The scan sees something: the same pages in English are full of it.
    assert len(latin(client.get(paths[-1], headers={"accept-language": "en"}).text, *ERROR)) > 10


def test_reports_are_chinese(told: Any, governor: Governor) -> None:
    _, instances = told
    for name, instance in instances.items():
        run = read_run(governor.store, instance)
        assert latin(report_page(run, CHINESE), *ERROR, instance) == [], name
        assert "The process" in report_page(run)


# Of every type of event that is told one with all it may have; names, reasons and values of people are Chinese.
_MEASURE = {"pressure": 1.2, "usage": 0.5, "chars": 10, "tokens": 4}
_SIDES = {"branches": ["", ""], "reason": "only one branch wrote anything: its snapshot goes on"}
_OPERATOR = {"by": "小赵", "reason": "需要", "approved_by": "小李"}
_ENDED = {**_OPERATOR, "undone": [{"element": "签字", "kind": "intervention"}]}
_STEP = {"id": "k-1", "before": 0.5, "after": 0.6, "why": "cited where knowledge served well"}
_WORDS = [f"名{number}" for number in range(20)]
DATA: dict[EventType, dict[str, Any]] = {
    EventType.ACTIVITY_COMPLETED: {
        "by": "agent", "decision": "done by 小张", "outputs": ["信件"], "d1": [0.5], "tokens": [5, 9],
        "attention": [0.3, [], "ASK_HUMAN"], "head": "0123456789abcdef",
    },
    EventType.SLA_MISSED: {
        "sla": "PT4H", "ready": "2026-11-30T00:00:00.000000Z", "due": "2026-11-30T04:00:00.000000Z"
    },
    EventType.D1: {
        "before": _MEASURE, "after": _MEASURE, "compressed": False, "decided_by": "rules",
        "reason": "pressure 1.20 (10 of 8 characters) is in the medium band: 2 entries to SUMMARY, 1 to KEY_ONLY, "
        "1 kept as declared inputs; the prompt still exceeds the window, usage 0.50 (4 of 8 tokens)",
        "changes": [
            {"key": f"WORKING/{name}", "from": "FULL", "to": "SUMMARY", "chars_before": 9, "chars_after": 3}
            for name in _WORDS
        ],
        "overflow": {"kind": "usage_overflow"}, "snapshot_before": "0123456789abcdef",
    },
    EventType.D2: {"branches": _WORDS, "reason": "2 tokens go on; agents see ISOLATED", "before": "0", "after": []},
    EventType.D3: {
        **_SIDES, "before": ["0"], "after": "1", "decided_by": "小李",
        "conflicts": [
            {"key": "WORKING/结论", "status": "open", "reason": "a person decides"},
            {"key": "HISTORY/x:金额", "status": "settled", "reason": "the last write stands"},
        ],
        "record": {"conflicts": [{"key": "HISTORY/x:金额", "decided_by": "person", "strategy": "SUM"}]},
    },
    EventType.GATEWAY: {"taken": [], "attention": [0.4]},
    EventType.INTERVENTION_RAISED: {
        "message": "outputs of 写信: declared outputs missing: 信件; the activity asks for DIFF_PREVIEW at least",
        "id": "1", "trigger": "DESIGN_TIME", "level": "DIFF_PREVIEW",
    },
    EventType.INTERVENTION_DELEGATED: {"by": "小李", "to": "小王", "id": "1", "reason": "请看"},
    EventType.INTERVENTION_ESCALATED: {"to": "小王", "id": "1", "due": "2026"},
    EventType.INTERVENTION_ANSWERED: {"by": "timeout", "decision": "deny", "id": "1", "reason": "no answer by 2026"},
    EventType.WORK_ITEM_CREATED: {"id": "1"},
    EventType.WORK_ITEM_COMPLETED: {"by": "小张", "id": "1"},
    EventType.KNOWLEDGE_INJECTED: {"reason": "attention 0.42: FULL", "items": [], "left_out": ["某条"]},
    EventType.KNOWLEDGE_FEEDBACK: {"steps": [_STEP], "cited": ["某条"]},
    EventType.KNOWLEDGE_FOUND: {"id": "1", "confidence": 0.5, "result": "stored"},
    EventType.NOTICE: {"about": "asked", "to": ["小张"]},
    EventType.REFUSED: {"message": "its policy is AUTO_DENY (写信)", "trigger": "RUNTIME", "level": "AUTO_DENY"},
    EventType.INCIDENT: {"error": "出错", "kind": "bpmn_error"},
    EventType.INCIDENT_RESOLVED: {**_OPERATOR, "how": "skip"},
    EventType.DEAD_END: {
        "what": "refused", "reason": "小李 refused it: 不妥", "failed": 2, "id": "1", "instead": "另一办法"
    },
    EventType.SKILL_LEARNED: {"line": "Worked before: 写信. Holds for: 旧客户. Not: 新客户.", "id": "1"},
    EventType.INTERRUPTED: {"interrupted": "写信, 签字", "lost": []},
    EventType.MESSAGE_RECEIVED: {"message": "付款"},
    EventType.CONTEXT_RESTORED: {"by": "小赵", "snapshot": "0", "before": "1"},
    EventType.DATA_ERASED: {"by": "小赵", "reason": "本人要求", "keys": ["信件"]},
    EventType.REWOUND: {"by": "小赵", "snapshot": "0", "done": [], "reason": ""},
    EventType.VARIABLES_EDITED: {"variables": ["信件"]},
    EventType.TAINT_LIFTED: {"by": "小赵", "variables": ["信件"]},
    EventType.BUDGET_RAISED: {"by": "小赵", "budget": "activity", "tokens": 5, "cost": 2, "minutes": 3},
    EventType.TOKEN_MOVED: {**_OPERATOR, "to": "签字", "undone": _WORDS, "passed_over": ["甲"], "again": ["乙"]},
    **dict.fromkeys((each for each in TOLD if each.startswith("instance_")), _ENDED),
    EventType.INSTANCE_STARTED: {"process": "理赔", "variables": []},
    EventType.INSTANCE_MIGRATED: {
        **_OPERATOR, "mapped": {"甲": "乙"}, "added": _WORDS, "removed": ["丙"], "dropped": ["丁"], "not_armed": ["戊"]
    },
}  # fmt: skip


@pytest.mark.parametrize("type", sorted(TOLD))
def test_every_event_is_told_in_chinese(type: EventType) -> None:
    t = translator(CHINESE)
    found = tell(Event(1, "2026-11-30T00:00:00.000000Z", type, "写信", "", DATA[type]), Names())
    texts = [t(found.title), t(found.aside), *(t(text) for pair in found.facts for text in pair)]
    assert [text for text in texts if is_latin(text)] == []
