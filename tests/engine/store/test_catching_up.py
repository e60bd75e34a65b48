"""Timers that were due while no program ran: each fires once when one asks, on every database."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bpmn.load import load
from tests.engine.models import boundary, edges, end, model, script, start, timer, user
from tests.engine.store.golden.make import NOON, governor
from tests.engine.store.places import Place

THREE_DAYS = timedelta(hours=72, minutes=30)


def reminding(text: str, kind: str = "timeDuration") -> bytes:
    return model(
        start(), user("u"), boundary("b", "u", timer(text, kind), interrupting=False), script("r", "n = n + 1"),
        end(), end("f"), edges("s > u > e", "b > r > f"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "fired", "next"),
    [
        ("PT1H", "timeDuration", 1, None),
        ("R/PT1H", "timeCycle", 72, timedelta(hours=73)),
        ("R5/PT1H", "timeCycle", 5, None),
        ("0 * * * *", "timeCycle", 1, timedelta(hours=73)),
    ],
)
def test_what_was_missed_is_caught_up(
    place: Place, text: str, kind: str, fired: int, next: timedelta | None
) -> None:
    with governor(place.where) as opened:
        id = opened.start(load(reminding(text, kind), file="m.bpmn"), {"n": 0}).instance
        assert opened.due() == []
    with governor(place.where, NOON + THREE_DAYS) as opened:
        assert opened.due() == [id]
        opened.resume(id)
        assert opened.due() == []
        reminded = [event for event in opened.store.events(id, element="r") if event.type == "activity_completed"]
        assert len(reminded) == fired
        assert opened.store.instance(id).due == (None if next is None else NOON + next)


def test_the_longest_due_comes_first(place: Place) -> None:
    with governor(place.where) as opened:
        for hours in (3, 1, 2):
            opened.start(load(reminding(f"PT{hours}H"), file="m.bpmn"), {"n": 0})
    with governor(place.where, NOON + THREE_DAYS) as opened:
        assert opened.due() == ["golden-2", "golden-3", "golden-1"]
        assert opened.due(1) == ["golden-2"]
