"""How long an activity may take, by its policy: on record where it took longer, and what people see to be due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.embedding import open_governor
from engine.events import EventType
from governance.ports import FixedClock
from tests.bpmn.files import policy
from tests.engine.models import edges, end, model, start, user

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
NAMED = model(policy('<gov:policy sla="PT4H"/>'), start(), user("u"), end(), edges("s > u > e"))
OWN = NAMED.replace(b'id="u"', b'id="u" gov:due="PT1H"')
ASKED = NAMED.replace(b'sla="PT4H"', b'sla="PT4H" interactionLevel="DIFF_PREVIEW"')


def after(path: Path, source: bytes, *hours: float) -> tuple[list[Any], list[Any]]:
    """The work items of a run in which each step of a person comes so many hours after the start, and what was late."""
    clock = FixedClock(BEGIN)
    items: list[Any] = []
    instance = ""
    for hour in (0.0, *hours):
        clock.move_to(BEGIN + timedelta(hours=hour))
        with open_governor(str(path / "g.db"), clock=clock) as governor:
            if not instance:
                instance = governor.start(load(source, file="m.bpmn"), {}).instance
            elif opened := governor.store.work_items(instance=instance):
                governor.complete(opened[0].id, {"x": 1}, by="ann")
            else:
                (asked,) = governor.store.interventions(instance=instance)
                governor.answer(asked.id, "approve", by="ann")
            items += governor.store.work_items(instance=instance)
            late = list(governor.store.events(instance, types=[EventType.SLA_MISSED]))
    return items, late


def test_a_task_is_due_when_its_time_is_over(tmp_path: Path) -> None:
    ((item,), late) = after(tmp_path, NAMED)
    assert (item.due, late) == ("2026-01-01T04:00:00.000000Z", [])


def test_its_own_due_time_stands(tmp_path: Path) -> None:
    ((item,), _) = after(tmp_path, OWN)
    assert item.due == "2026-01-01T01:00:00.000000Z"


@pytest.mark.parametrize(("hours", "count"), [(4, 0), (4.5, 1)])
def test_what_took_longer_is_on_record_with_the_times(tmp_path: Path, hours: float, count: int) -> None:
    _, late = after(tmp_path, NAMED, hours)
    assert len(late) == count
    for event in late:
        assert (event.element, event.at) == ("u", "2026-01-01T04:30:00.000000Z")
        assert event.data == {
            "sla": "PT4H", "ready": "2026-01-01T00:00:00.000000Z", "due": "2026-01-01T04:00:00.000000Z"
        }  # fmt: skip


@pytest.mark.parametrize(("approved", "count"), [(2, 0), (5, 1)])
def test_the_time_that_an_approval_takes_counts(tmp_path: Path, approved: float, count: int) -> None:
    assert len(after(tmp_path, ASKED, 1, approved)[1]) == count
