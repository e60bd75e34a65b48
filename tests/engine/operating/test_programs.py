"""Of two programs that have one instance, one calls its service: processes of their own, on both databases."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.activities.work import Outcome, Work
from engine.events import Event
from engine.governor import Governor
from engine.refused import AtWorkElsewhere, InstanceEnded
from engine.server.timekeeper import Timekeeper
from engine.session import Session
from engine.store.database import Database
from engine.store.store import SqlStore
from tests.engine.models import catch, edges, end, gateway, message, model, script, service, start, user
from tests.engine.operating.office import Office, read
from tests.engine.operating.programs import Desk, told
from tests.engine.running import FirstWords

PAYS = model(start(), service("pay", "hold"), service("last", "do"), end(), edges("s > pay > last > e"))
BRANCHES = model(
    start(), gateway("g"), service("pay", "hold"), user("look"), service("ship", "do"), gateway("j"),
    script("after", "n = paid + 1"), end(), edges("s > g > pay > j > after > e", "g > look > ship > j"),
)  # fmt: skip
RECEIVES = model(start(), catch("c", message()), service("pay"), end(), edges("s > c > pay > e"),
                 beside='<message id="m" name="m"/>')  # fmt: skip


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "governor.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url"))


@pytest.fixture
def desk(where: str, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(where, tmp_path)
    try:
        yield made
    finally:
        made.close()


def test_who_resumes_what_another_program_is_at_is_told_and_calls_nothing(desk: Desk) -> None:
    """Be it frozen."""
    running = desk.run(PAYS)
    desk.until_held()
    running.process.send_signal(signal.SIGSTOP)
    id = desk.instance()
    code, _, said = desk.command("resume", id).ends()
    assert (code, said.count("\n")) == (2, 1)
    assert f"instance {id} is being advanced by another program" in said
    running.process.send_signal(signal.SIGCONT)
    desk.let_go(running)
    code, out, said = running.ends()
    assert (code, told(out)["status"]) == (0, "completed"), said
    assert desk.did() == ["hold", "do"]


def test_what_a_program_was_at_that_was_killed_is_anybody_s_at_once(desk: Desk) -> None:
    killed = desk.run(PAYS)
    desk.until_held()
    killed.kill()
    other = desk.command("resume", desk.instance(), "--json")
    assert desk.until_held() == other.pid
    desk.let_go(other)
    code, out, said = other.ends()
    assert (code, told(out)["status"]) == (0, "completed"), said
    assert desk.did() == ["hold", "hold", "do"]
    assert len({key for what, key, _ in desk.effects() if what == "hold"}) == 1


def test_who_answers_meanwhile_does_what_comes_of_it_and_leaves_the_rest(desk: Desk) -> None:
    running = desk.run(BRANCHES)
    desk.until_held()
    (item,) = desk.look("work_items")
    code, out, said = desk.command("inbox", "answer", item.id, "--outputs", "{}", "--json").ends()
    assert (code, told(out)["status"]) == (0, "running"), said
    assert desk.did() == ["hold", "do"]
    desk.let_go(running)
    code, out, said = running.ends()
    assert (code, told(out)["status"], told(out)["variables"]["n"]) == (0, "completed", 41), said
    assert desk.did() == ["hold", "do"]


def test_instances_do_not_wait_for_each_other(desk: Desk) -> None:
    both = [desk.run(PAYS), desk.run(PAYS)]
    assert {desk.until_held(), desk.until_held()} == {each.pid for each in both}
    for each in reversed(both):
        desk.let_go(each)
        assert each.ends()[0] == 0
    assert sorted(desk.did()) == ["do", "do", "hold", "hold"]


# two in one process, which know nothing of each other


@pytest.fixture
def office(where: str) -> Office:
    return Office(where)


class Counting:
    """A service that somebody else meets at work, once."""

    def __init__(self, meanwhile: Callable[[str], object]) -> None:
        self.keys: list[str] = []
        self._meanwhile = meanwhile

    def __call__(self, work: Work) -> Outcome:
        self.keys.append(work.key)
        if len(self.keys) == 1:
            self._meanwhile(work.instance)
        return Outcome(outputs={"paid": 40})


def test_two_governors_of_one_process_are_two_programs(office: Office) -> None:
    def meanwhile(instance: str) -> None:
        with pytest.raises(AtWorkElsewhere):
            office.do(lambda governor: governor.resume(instance))
        with pytest.raises(AtWorkElsewhere):
            office.do(lambda governor: governor.advance(instance))
        assert office.do(lambda governor: Timekeeper(governor).tick()) == []

    pay = office.doers["pay"] = Counting(meanwhile)
    result = office.start(model(start(), service("pay"), end(), edges("s > pay > e")))
    assert (result.status, len(pay.keys)) == ("completed", 1)


def test_two_governors_on_one_store_are_two_programs(office: Office) -> None:
    store = SqlStore(Database(office.where))

    def governor() -> Governor:
        return Governor(
            store, clock=office.clock, ids=office.ids, summariser=FirstWords(), handlers=lambda settings: office
        )

    def meanwhile(instance: str) -> None:
        with pytest.raises(AtWorkElsewhere):
            governor().resume(instance)

    pay = office.doers["pay"] = Counting(meanwhile)
    with governor() as first:
        first.start(read(model(start(), service("pay"), end(), edges("s > pay > e"))), {})
    assert len(pay.keys) == 1


def test_a_move_in_vain_changes_nothing(office: Office) -> None:
    def stand(instance: str) -> int:
        version: int = office.do(lambda governor: governor.store.instance(instance).version)
        return version

    def meanwhile(instance: str) -> None:
        before = stand(instance)
        with pytest.raises(AtWorkElsewhere):
            office.do(lambda governor: governor.resume(instance))
        assert stand(instance) == before

    office.doers["pay"] = Counting(meanwhile)
    office.start(model(start(), service("pay"), end(), edges("s > pay > e")))


def test_what_was_done_between_a_commit_and_its_work_is_not_done_again(office: Office) -> None:
    """Whoever received the message committed that, and comes to the service when another has done it already."""
    pay = office.doers["pay"] = Counting(lambda instance: None)
    id = office.start(RECEIVES).instance

    def overtake(of: str, event: Event) -> None:
        if event.type == "message_received":
            assert office.do(lambda governor: governor.resume(of)).status == "completed"

    def receive(governor: Governor) -> object:
        governor.listen(overtake)
        return governor.correlate(id, "m").status

    assert office.do(receive) == "completed"
    assert len(pay.keys) == 1


def test_what_comes_of_it_when_an_operator_stops_it_there(office: Office) -> None:
    pay = office.doers["pay"] = Counting(lambda instance: None)
    id = office.start(RECEIVES).instance

    def stop(of: str, event: Event) -> None:
        if event.type == "message_received":
            office.do(lambda governor: governor.suspend(of, by="olga"))

    def receive(governor: Governor) -> object:
        governor.listen(stop)
        return governor.correlate(id, "m").status

    assert office.do(receive) == "suspended"
    assert pay.keys == []


@pytest.mark.parametrize("how", ["resume", "advance"])
def test_what_has_ended_since_it_was_looked_at_stays_as_it_is(
    office: Office, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    id = office.start(RECEIVES).instance
    with office.governor() as governor:
        load = governor._sessions.load

        def late(instance: str, *, here: bool = False) -> Session:
            monkeypatch.setattr(governor._sessions, "load", load)
            assert office.do(lambda other: other.correlate(instance, "m").status) == "completed"
            return load(instance, here=here)

        monkeypatch.setattr(governor._sessions, "load", late)
        before = len(office.log(id))
        getattr(governor, how)(id)
        assert governor.result(id).status == "completed"
        assert office.log(id)[-1].type == "instance_completed"
        assert len(office.log(id)) > before


def test_nobody_writes_into_what_has_ended(office: Office) -> None:
    id = office.start(model(start(), end(), edges("s > e"))).instance
    with pytest.raises(InstanceEnded):
        office.do(lambda governor: governor.write_system(id, "rules", "be kind", by="olga"))
    assert office.do(lambda governor: governor.result(id).status) == "completed"
