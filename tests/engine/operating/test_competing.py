"""Of two at once exactly one wins, and the other is refused with who was first: on both databases."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from engine.errors import NothingToRetry
from engine.events import EventType
from engine.people.answering import AlreadyDone
from engine.refused import InstanceEnded, InstanceSuspended
from engine.spiff.messages import AlreadyReceived
from governance.human_loop.errors import AlreadyClosed
from tests.engine.cli.command import COMMAND, environment
from tests.engine.models import edges, end, model, service, start, user
from tests.engine.operating.competing import at_once, one_of
from tests.engine.operating.contested import ASKED, BRANCHES, RECEIVES, TASK
from tests.engine.operating.office import Office, failing


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Office:
    file = str(tmp_path / "governor.db")
    return Office(file if request.param == "sqlite" else request.getfixturevalue("postgres_url"))


def times(office: Office, id: str, type: EventType, element: str) -> int:
    return sum(event.element == element for event in office.log(id, type))


def test_two_answers_to_one_question(office: Office) -> None:
    begun = office.start(ASKED, {"n": 0})
    asked = office.do(lambda g: g.complete(begun.waiting[0]["id"], {"n": 0}, by="eve")).waiting[0]["id"]
    won, lost = one_of(at_once(
        office, lambda g: g.answer(asked, "approve", by="ann"), lambda g: g.answer(asked, "approve", by="bob")
    ))  # fmt: skip
    assert (won.status, won.variables["n"]) == ("completed", 1)
    stands = office.do(lambda g: g.store.intervention(asked)).answer
    assert isinstance(lost, AlreadyClosed)
    assert (lost.by, lost.at) == (stands.by, stands.at)
    assert times(office, won.instance, EventType.INTERVENTION_ANSWERED, "u") == 1


def test_two_who_do_one_task(office: Office) -> None:
    item = office.start(TASK, {"n": 0}).waiting[0]["id"]
    won, lost = one_of(at_once(office, *(lambda g, by=by: g.complete(item, {}, by=by) for by in ("ann", "bob"))))
    assert (won.status, won.variables["n"]) == ("completed", 1)
    assert isinstance(lost, AlreadyDone)
    assert lost.item.completed_by == office.do(lambda g: g.store.work_item(item)).completed_by


def test_two_messages_for_one_receiver(office: Office) -> None:
    id = office.start(RECEIVES, {"n": 0}).instance
    won, lost = one_of(at_once(
        office, *(lambda g, n=n, by=by: g.correlate(id, "m", {"by": n}, by=by) for n, by in ((1, "ann"), (2, "bob")))
    ))  # fmt: skip
    first = "ann" if won.variables["n"] == 1 else "bob"
    assert isinstance(lost, AlreadyReceived)
    assert (lost.element, lost.by) == ("c", first)
    assert f"from {first}; that stands" in str(lost)
    assert times(office, id, EventType.MESSAGE_RECEIVED, "c") == 1


def test_two_that_come_to_a_join_both_arrive_and_it_goes_on_once(office: Office) -> None:
    begun = office.start(BRANCHES, {"n": 0})
    items = [each["id"] for each in begun.waiting]
    results = at_once(office, *(lambda g, item=item: g.complete(item, {}, by="ann") for item in items))
    assert sorted(each.status for each in results) == ["completed", "waiting"]  # type: ignore[union-attr]
    assert office.do(lambda g: g.variables(begun.instance))["n"] == 1
    assert times(office, begun.instance, EventType.D3, "j") == 1
    assert times(office, begun.instance, EventType.ACTIVITY_COMPLETED, "after") == 1


def test_an_end_from_outside_and_the_last_task(office: Office) -> None:
    begun = office.start(TASK, {"n": 0})
    id, item = begun.instance, begun.waiting[0]["id"]
    won, lost = one_of(at_once(
        office, lambda g: g.cancel(id, by="olga"), lambda g: g.complete(item, {}, by="ann")
    ))  # fmt: skip
    assert isinstance(lost, InstanceEnded)
    assert (won.status, lost.status, lost.by) in [
        ("cancelled", "cancelled", "olga"), ("completed", "completed", "ann"),
    ]  # fmt: skip
    done = office.do(lambda g: g.store.work_item(item)).status
    assert done == {"cancelled": "cancelled", "completed": "completed"}[won.status]


def test_a_stop_and_an_answer(office: Office) -> None:
    begun = office.start(BRANCHES, {"n": 0})
    id, item = begun.instance, begun.waiting[0]["id"]
    results = at_once(office, lambda g: g.suspend(id, by="olga"), lambda g: g.complete(item, {}, by="ann"))
    if isinstance(results[1], Exception):
        assert isinstance(results[1], InstanceSuspended)
        assert results[1].by == "olga"
    assert office.do(lambda g: g.result(id)).status == "suspended"
    assert office.do(lambda g: g.store.work_item(item)).status == (
        "open" if isinstance(results[1], Exception) else "completed"
    )


@pytest.mark.parametrize("twice", ["suspend", "cancel"])
def test_two_operators_who_want_the_same(office: Office, twice: str) -> None:
    id = office.start(TASK, {"n": 0}).instance
    won, lost = one_of(at_once(office, *(lambda g, by=by: getattr(g, twice)(id, by=by) for by in ("ann", "bob"))))
    assert isinstance(lost, InstanceSuspended | InstanceEnded)
    assert won.reason == f"{won.status} by {lost.by}"


def test_two_who_say_something_are_both_heard(office: Office) -> None:
    id = office.start(TASK, {"n": 0}).instance
    results = at_once(
        office, lambda g: g.chat_turn(id, "one", by="ann"), lambda g: g.chat_turn(id, "two", by="bob"),
        lambda g: g.write_system(id, "rules", "be kind", by="olga"),
    )  # fmt: skip
    assert [each for each in results if isinstance(each, Exception)] == []
    assert sorted(event.data["by"] for event in office.log(id, EventType.CHAT_TURN)) == ["ann", "bob"]
    assert len(office.do(lambda g: g.interventions(id))) == 1


def test_two_retries_of_one_failure(office: Office) -> None:
    office.doers["a"] = failing(1)
    id = office.start(model(start(), service("a"), user("u"), end(), edges("s > a > u > e"))).instance
    won, lost = one_of(at_once(office, lambda g: g.retry(id, by="ann"), lambda g: g.retry(id, by="bob")))
    assert isinstance(lost, NothingToRetry)
    assert times(office, id, EventType.INCIDENT_RESOLVED, "a") == 1
    assert won.waiting[0]["element"] == "u"


def test_processes_that_answer_at_once_end_with_one_line_and_two(office: Office) -> None:
    """Programs of their own, as two people at two machines."""
    for _ in range(3):
        item = office.start(TASK, {"n": 0}).waiting[0]["id"]
        command = [*COMMAND, "inbox", "answer", item, "--outputs", "{}", "--db", office.where, "--quiet"]
        running = [
            subprocess.Popen([*command, "--by", by], env=environment(), stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for by in ("ann", "bob")
        ]  # fmt: skip
        told = {}
        for by, each in zip(("ann", "bob"), running, strict=True):
            _, said = each.communicate(timeout=60)
            told[by] = (each.returncode, said)
        first = office.do(lambda g, item=item: g.store.work_item(item)).completed_by
        second = {"ann": "bob", "bob": "ann"}[first]
        assert told[first][0] == 0, told
        assert told[second][0] == 2, told
        assert told[second][1].count("\n") == 1
        assert f"completed by {first}" in told[second][1]
