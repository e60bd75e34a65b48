"""Operators stop instances, let them go on, and end them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.governor import Governor
from engine.refused import InstanceEnded, InstanceSuspended, NotSuspended
from tests.bpmn.files import policy
from tests.engine.models import boundary, catch, edges, end, gateway, message, model, service, start, timer, user
from tests.engine.operating.office import Office

TIMED = model(
    start(), user("u"), boundary("b", "u", timer("PT1H")), service("late"), end(), end("e2"),
    edges("s > u > e", "b > late > e2"),
)  # fmt: skip
ASKED = model(
    start(), service("a", inside=policy('<gov:policy interactionLevel="DIFF_PREVIEW"/>')), end(), edges("s > a > e")
)
RECEIVES = model(start(), catch("c", message()), end(), edges("s > c > e"), beside='<message id="m" name="m"/>')


def item(governor: Governor) -> str:
    return governor.work_items()[0].id


MOVES: dict[str, Callable[[Governor, str], Any]] = {
    "resume": lambda g, id: g.resume(id),
    "complete": lambda g, id: g.complete(item(g), {}, by="ann"),
    "correlate": lambda g, id: g.correlate(id, "m"),
    "retry": lambda g, id: g.retry(id),
    "write_system": lambda g, id: g.write_system(id, "x", 1, by="ann"),
    "chat_turn": lambda g, id: g.chat_turn(id, "hello", by="ann"),
    "suspend": lambda g, id: g.suspend(id, by="eve"),
    "restore_context": lambda g, id: g.restore_context(id, next(iter(g.heads(id).values())), by="ann"),
}


@pytest.mark.parametrize("move", MOVES)
def test_nothing_moves_a_suspended_instance(office: Office, move: str) -> None:
    id = office.start(TIMED).instance
    assert office.do(lambda g: g.suspend(id, by="olga", reason="prices are wrong")).status == "suspended"
    with pytest.raises(InstanceSuspended) as refused:
        office.do(lambda g: MOVES[move](g, id))
    assert (refused.value.by, refused.value.reason) == ("olga", "prices are wrong")
    assert "suspended by olga at 2026-01-01" in str(refused.value)
    assert len(office.log(id)) == len(office.log(id))
    assert office.do(lambda g: g.unsuspend(id, by="olga")).status == "waiting"
    assert office.do(lambda g: g.complete(item(g), {}, by="ann")).status == "completed"


def test_an_answer_to_a_suspended_instance_is_refused_and_given_later(office: Office) -> None:
    result = office.start(ASKED)
    office.do(lambda g: g.suspend(result.instance, by="olga"))
    asked = result.waiting[0]["id"]
    with pytest.raises(InstanceSuspended):
        office.do(lambda g: g.answer(asked, "approve", by="ann"))
    assert office.do(lambda g: g.result(result.instance)).waiting[0]["id"] == asked
    office.do(lambda g: g.unsuspend(result.instance, by="olga"))
    assert office.do(lambda g: g.answer(asked, "approve", by="ann")).status == "completed"


def test_a_timer_of_a_suspended_instance_fires_once_when_it_goes_on(office: Office) -> None:
    id = office.start(TIMED).instance
    office.do(lambda g: g.suspend(id, by="olga"))
    office.clock.move_to(office.clock.now() + timedelta(hours=3))
    assert office.do(lambda g: g.due()) == []
    result = office.do(lambda g: g.unsuspend(id, by="olga"))
    assert result.status == "completed"
    assert [each.element for each in office.log(id, EventType.ACTIVITY_COMPLETED)] == ["late"]


def test_a_message_for_a_suspended_instance_comes_when_it_goes_on(office: Office) -> None:
    id = office.start(RECEIVES).instance
    office.do(lambda g: g.suspend(id, by="olga"))
    with pytest.raises(InstanceSuspended):
        office.do(lambda g: g.correlate(id, "m", keep=timedelta(hours=1)))
    office.do(lambda g: g.unsuspend(id, by="olga"))
    assert office.do(lambda g: g.correlate(id, "m")).status == "completed"


def test_only_what_is_suspended_can_be_let_go_on(office: Office) -> None:
    id = office.start(TIMED).instance
    with pytest.raises(NotSuspended, match="is waiting"):
        office.do(lambda g: g.unsuspend(id, by="olga"))


@pytest.mark.parametrize("suspended", [False, True])
def test_a_cancelled_instance_is_over_and_says_what_was_going_on(office: Office, suspended: bool) -> None:
    source = model(start(), gateway("x"), user("u"), service("a"), end(), end("e2"),
                   edges("s > x > u > e", "x > a > e2"))  # fmt: skip

    def broken(work: Work) -> Outcome:
        raise RuntimeError("no")

    office.doers["a"] = broken
    id = office.start(source).instance
    task = office.do(item)
    if suspended:
        office.do(lambda g: g.suspend(id, by="olga"))
    result = office.do(lambda g: g.cancel(id, by="olga", reason="ordered twice"))
    assert (result.status, result.reason) == ("cancelled", "cancelled by olga: ordered twice")
    (event,) = office.log(id, EventType.INSTANCE_CANCELLED)
    assert event.data["undone"] == [{"kind": "work_item", "element": "u"}, {"kind": "incident", "element": "a"}]
    assert office.do(lambda g: g.store.work_item(task)).status == "cancelled"
    assert office.do(lambda g: g.store.load(id)).live == {}
    assert office.do(lambda g: (g.heads(id), g.due(), g.result(id).waiting)) == ({}, [], [])
    for move in (MOVES["resume"], MOVES["suspend"], MOVES["retry"], lambda g, id: g.cancel(id, by="eve")):
        with pytest.raises(InstanceEnded, match=r"cancelled by olga at 2026-01-01.*: ordered twice"):
            office.do(lambda g, move=move: move(g, id))


def test_cancelling_withdraws_questions_and_what_was_awaited(office: Office) -> None:
    asked, receives = office.start(ASKED), office.start(RECEIVES)
    for id in (asked.instance, receives.instance):
        office.do(lambda g, id=id: g.cancel(id, by="olga"))
    assert office.do(lambda g: g.store.intervention(asked.waiting[0]["id"])).status == "withdrawn"
    assert office.do(lambda g: g.store.posts.waiting(("message", "m"))) == []


def test_what_has_ended_cannot_be_stopped_or_ended_again(office: Office) -> None:
    id = office.start(model(start(), end(), edges("s > e"))).instance
    for move in (lambda g: g.cancel(id, by="eve"), lambda g: g.suspend(id, by="eve")):
        with pytest.raises(InstanceEnded, match="was completed at 2026"):
            office.do(move)


def test_scopes_inside_each_other_are_left_behind_by_none(office: Office) -> None:
    from tests.engine.models import sub

    inner = sub("i", start("s2"), user("u"), end("e3"), edges("s2 > u > e3"))
    source = model(start(), sub("o", start("s1"), inner, end("e2"), edges("s1 > i > e2")), end(), edges("s > o > e"))
    id = office.start(source).instance
    office.do(lambda g: g.cancel(id, by="olga"))
    assert office.do(lambda g: g.store.load(id)).live == {}
    assert office.do(lambda g: g.work_items()) == []
