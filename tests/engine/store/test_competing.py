"""Two programs that want the same of one instance: one wins, the other is told so, and nothing happens twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest

from bpmn.load import load
from engine.activities.work import Outcome, Work
from engine.errors import EngineError
from engine.events import EventType
from engine.governor import Governor
from engine.refused import AtWorkElsewhere
from governance.errors import GovernanceError
from tests.bpmn.files import policy
from tests.engine.models import (
    MESSAGE,
    boundary,
    catch,
    edges,
    end,
    gateway,
    message,
    model,
    script,
    service,
    start,
    timer,
    user,
)
from tests.engine.store.golden.make import NOON, Done, governor
from tests.engine.store.places import Place

ROUNDS = 4
REFUSALS = (EngineError, GovernanceError)
Program = Callable[[Governor, str], Any]


@pytest.fixture
def two(place: Place) -> Iterator[tuple[Governor, Governor]]:
    with ExitStack() as stack:
        yield stack.enter_context(governor(place.where)), stack.enter_context(governor(place.where))


def at_once(two: tuple[Governor, Governor], instance: str, first: Program, second: Program) -> list[object]:
    """What each came to: its result, or the error that its caller sees."""
    begin, found = threading.Barrier(2, timeout=20), dict[int, object]()

    def one(number: int, program: Program) -> None:
        begin.wait()
        try:
            found[number] = program(two[number], instance)
        except REFUSALS as error:
            found[number] = error

    threads = [threading.Thread(target=one, args=each) for each in enumerate((first, second))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [found[0], found[1]]


def begun(two: tuple[Governor, Governor], source: bytes) -> str:
    return two[0].start(load(source, file="m.bpmn"), {"n": 1}).instance


def refused(found: list[object]) -> list[Exception]:
    return [each for each in found if isinstance(each, REFUSALS)]


def completed(two: tuple[Governor, Governor], instance: str, element: str) -> int:
    events = two[0].store.events(instance, element=element)
    return sum(event.type is EventType.ACTIVITY_COMPLETED for event in events)


def test_of_two_answers_to_one_question_one_stands(two: tuple[Governor, Governor]) -> None:
    asks = policy('<gov:policy interactionLevel="EXPLICIT_APPROVAL"/>')
    source = model(start(), service("a", inside=asks), end(), edges("s > a > e"))
    for _ in range(ROUNDS):
        instance = begun(two, source)
        (asked,) = two[0].store.interventions(instance=instance)
        found = at_once(
            two, instance,
            lambda one, _, id=asked.id: one.answer(id, "approve", by="ann"),  # type: ignore[misc]
            lambda one, _, id=asked.id: one.answer(id, "deny", by="bob", reason="no"),  # type: ignore[misc]
        )  # fmt: skip
        (loser,) = refused(found)
        answer = two[0].store.intervention(asked.id).answer
        assert answer is not None
        assert answer.by in str(loser)
        answered = [each for each in two[0].store.events(instance) if each.type is EventType.INTERVENTION_ANSWERED]
        assert [each.data["by"] for each in answered] == [answer.by]


def test_of_two_who_do_one_task_one_has_done_it(two: tuple[Governor, Governor]) -> None:
    source = model(start(), user("u"), script("a", "n = n + 1"), end(), edges("s > u > a > e"))
    for _ in range(ROUNDS):
        instance = begun(two, source)
        (item,) = two[0].store.work_items(instance=instance)

        def do(one: Governor, _: str, id: str = item.id) -> Any:
            return one.complete(id, {"said": 1}, by="ann" if one is two[0] else "bob")

        found = at_once(two, instance, do, do)
        (loser,) = refused(found)
        assert (two[0].store.work_item(item.id).completed_by or "nobody") in str(loser)
        assert two[0].result(instance).variables["n"] == 2
        assert completed(two, instance, "u") == completed(two, instance, "a") == 1


def test_of_two_messages_for_one_receiver_one_is_received(two: tuple[Governor, Governor]) -> None:
    source = model(start(), catch("c", message()), user("u"), end(), edges("s > c > u > e"), beside=MESSAGE)
    for _ in range(ROUNDS):
        instance = begun(two, source)
        found = at_once(
            two, instance,
            lambda one, id: one.correlate(id, "m", {"from": "one"}),
            lambda one, id: one.correlate(id, "m", {"from": "two"}),
        )  # fmt: skip
        (loser,) = refused(found)
        assert "m" in str(loser)
        received = [each for each in two[0].store.events(instance) if each.type is EventType.MESSAGE_RECEIVED]
        assert len(received) == 1


def test_two_branches_that_end_at_once_are_joined_once(two: tuple[Governor, Governor]) -> None:
    source = model(
        start(), gateway("g"), user("a"), user("b"), gateway("j"), script("c", "n = n + 1"), end(),
        edges("s > g > a > j > c > e", "g > b > j"),
    )  # fmt: skip
    for _ in range(ROUNDS):
        instance = begun(two, source)
        items = {item.element: item.id for item in two[0].store.work_items(instance=instance)}
        found = at_once(
            two, instance,
            lambda one, _, id=items["a"]: one.complete(id, {"x": 1}, by="ann"),  # type: ignore[misc]
            lambda one, _, id=items["b"]: one.complete(id, {"y": 1}, by="bob"),  # type: ignore[misc]
        )  # fmt: skip
        assert refused(found) == []
        result = two[0].result(instance)
        assert (result.status, dict(result.variables)) == ("completed", {"n": 2, "x": 1, "y": 1})
        assert completed(two, instance, "c") == 1
        kinds = [event.type for event in two[0].store.events(instance)]
        assert kinds.count(EventType.D3) == 1


def test_of_a_cancel_and_a_completion_one_comes_first(two: tuple[Governor, Governor]) -> None:
    source = model(start(), user("u"), script("a", "n = n + 1"), end(), edges("s > u > a > e"))
    for _ in range(ROUNDS):
        instance = begun(two, source)
        (item,) = two[0].store.work_items(instance=instance)
        found = at_once(
            two, instance,
            lambda one, _, id=item.id: one.complete(id, {"said": 1}, by="ann"),  # type: ignore[misc]
            lambda one, id: one.cancel(id, by="bob", reason="enough"),
        )  # fmt: skip
        status = two[0].store.instance(instance).status
        assert len(refused(found)) == 1
        assert completed(two, instance, "a") == (1 if status == "completed" else 0)
        assert status in ("completed", "cancelled")
        assert isinstance(found[0 if status == "cancelled" else 1], REFUSALS)


def test_a_due_timer_fires_once_whoever_asks(place: Place) -> None:
    source = model(
        start(), user("u"), boundary("b", "u", timer("PT1H"), interrupting=False), script("r", "n = n + 1"), end(),
        end("f"), edges("s > u > e", "b > r > f"),
    )  # fmt: skip
    later = NOON + timedelta(hours=2)
    with governor(place.where) as one:
        instances = [one.start(load(source, file="m.bpmn"), {"n": 1}).instance for _ in range(ROUNDS)]
    with governor(place.where, later) as one, governor(place.where, later) as other:
        for instance in instances:
            found = at_once((one, other), instance, lambda each, id: each.resume(id), lambda each, id: each.resume(id))
            assert refused(found) == []
            assert completed((one, other), instance, "r") == 1
        assert one.due() == []


class InTheMiddle(Done):
    """Does a service only when it is let."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def _do(self, work: Work) -> Outcome:
        self.begun.set()
        assert self.may_end.wait(20)
        return super()._do(work)


@pytest.mark.parametrize("begins", ["start", "resume"])
def test_who_comes_while_another_is_at_the_work_is_refused_and_calls_nothing(place: Place, begins: str) -> None:
    source = load(model(start(), catch("t", timer("PT1H")), service("a"), end(), edges("s > t > a > e")), file="m.bpmn")
    if begins == "start":
        source = load(model(start(), service("a"), end(), edges("s > a > e")), file="m.bpmn")
    slow = InTheMiddle()
    if begins == "resume":
        with governor(place.where) as first:
            first.start(source, {"n": 1})
    later = NOON + timedelta(hours=2)
    with governor(place.where, later) as quick, governor(place.where, later, handlers=slow) as one:
        found = list[Any]()

        def work() -> None:
            try:
                if begins == "start":
                    found.append(one.start(source, {"n": 1}))
                else:
                    found.append(one.resume(quick.store.instances()[0].id))
            except REFUSALS as error:
                found.append(error)

        worker = threading.Thread(target=work)
        worker.start()
        assert slow.begun.wait(20)
        [record] = quick.store.instances()
        with pytest.raises(AtWorkElsewhere, match=record.id):
            quick.resume(record.id)
        slow.may_end.set()
        worker.join(20)
        assert [getattr(each, "status", each) for each in found] == ["completed"]
        assert quick.resume(record.id).status == "completed"
        assert completed((quick, one), record.id, "a") == 1
