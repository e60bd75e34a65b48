"""What holds others open below it, such as instances and what undoes, goes with them when it is cut off."""

from __future__ import annotations

import pytest

from engine.events import EventType
from engine.status import Status
from tests.engine.models import (
    boundary,
    edges,
    end,
    error,
    gateway,
    handler,
    instances,
    model,
    script,
    start,
    sub,
    user,
)
from tests.engine.running import Run

ROUNDS = '<standardLoopCharacteristics loopMaximum="3"/>'
UNDOES = user("h").replace("<userTask", '<userTask isForCompensation="true"')
UNDONE_IN_PARTS = sub("h", start("s3"), user("hu"), edges("s3 > hu")).replace(
    "<subProcess", '<subProcess isForCompensation="true"', 1
)
LINK = '<association id="as" sourceRef="cb" targetRef="h" associationDirection="One"/>'
THROW = '<intermediateThrowEvent id="a"><compensateEventDefinition/></intermediateThrowEvent>'


def _undoing(undoes: str) -> tuple[str, ...]:
    """`a` throws, and waits for what undoes `w`."""
    return (script("w", "x = 1"), boundary("cb", "w", "<compensateEventDefinition/>"), undoes, LINK, THROW)


OPEN = {
    "instances": ((user("a", instances(cardinality="2")),), "s1 > a > e1"),
    "one instance after the other": ((user("a", instances(cardinality="2", sequential=True)),), "s1 > a > e1"),
    "rounds": ((user("a", ROUNDS),), "s1 > a > e1"),
    "instances of a sub-process": (
        (sub("a", start("s2"), user("u"), edges("s2 > u"), inside=instances(cardinality="2")),), "s1 > a > e1",
    ),
    "what undoes": (_undoing(UNDOES), "s1 > w > a > e1"),
    "what undoes in parts": (_undoing(UNDONE_IN_PARTS), "s1 > w > a > e1"),
}  # fmt: skip


ERROR = '<error id="err" errorCode="E"/>'


def _beside(kind: str, event: str) -> tuple[str, ...]:
    """What is open, and beside it a person who goes on to an end event that stops it."""
    inside, path = OPEN[kind]
    both = edges(path.replace("s1 >", "s1 > g >"), "g > stop > e9")
    return start("s1"), gateway("g"), *inside, end("e1"), user("stop"), end("e9", event), both


@pytest.mark.parametrize("kind", OPEN)
def test_by_a_boundary_event(kind: str) -> None:
    scope = sub("q", *_beside(kind, error()))
    caught = (boundary("b", "q", error()), end(), end("e2"), edges("s > q > e", "b > e2"))
    _stopped(model(start(), scope, *caught, beside=ERROR))


@pytest.mark.parametrize("kind", OPEN)
def test_by_an_event_sub_process(kind: str) -> None:
    event = handler("ev", error(), script("told", "y = 1"), edges("ev_s > told"))
    _stopped(model(*_beside(kind, error()), event, beside=ERROR))


@pytest.mark.parametrize("kind", OPEN)
def test_by_a_terminate_end_event(kind: str) -> None:
    _stopped(model(*_beside(kind, "<terminateEventDefinition/>")))


def _stopped(source: bytes) -> None:
    run = Run(source)
    assert len(run.open_items()) > 1
    assert run.do("stop") is Status.COMPLETED
    assert run.open_items() == []
    assert not run.events(EventType.INCIDENT)
