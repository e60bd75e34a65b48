"""Integers over 64 bits are written out in the report."""

from __future__ import annotations

import pytest

from engine.events import Event, EventType
from engine.names import Names
from engine.report.model.eventlog import event_log
from engine.report.words import value_text
from tests.bpmn.files import chain, definition

LARGE = 2**70


def test_a_value_is_written_in_one_line_or_in_several() -> None:
    assert value_text({"a": LARGE}) == f'{{"a":{LARGE}}}'
    lines = value_text([LARGE] * 9).splitlines()
    assert (lines[0], lines[1], len(lines)) == ("[", f"  {LARGE},", 11)


@pytest.mark.parametrize("value", [LARGE, [-LARGE], {"deep": {"er": LARGE}}])
def test_an_event_is_written(value: object) -> None:
    event = Event(1, "2026-01-01T00:00:00Z", EventType.NOTICE, None, "", {"value": value})
    (row,) = event_log([event], Names(definition(chain('<task id="a"/>')))).rows
    assert str(LARGE) in row.data
