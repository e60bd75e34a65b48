"""What a service has done is not done again because somebody else moved the instance meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from engine.activities.work import BpmnErrorRaised, Outcome, Work
from engine.claims import Claims
from engine.events import EventType
from engine.governor import Governor
from engine.own_jobs import OwnJobs
from engine.refused import InstanceEnded, InstanceSuspended
from engine.result import RunResult
from engine.store.database import Database
from engine.store.store import SqlStore
from tests.engine.models import boundary, edges, end, error, gateway, model, script, service, start, user
from tests.engine.operating.office import Office, read
from tests.engine.running import FirstWords

BRANCHES = model(start(), gateway("g"), service("pay"), user("look"), gateway("j"), script("after", "n = paid + 1"),
                 end(), edges("s > g > pay > j > after > e", "g > look > j"))  # fmt: skip
CAUGHT = model(start(), gateway("g"), service("pay"), boundary("b", "pay", error("err")), user("look"), end(),
               user("refuse"), end("e2"), edges("s > g > pay > e", "g > look > e", "b > refuse > e2"),
               beside='<error id="err" errorCode="E1"/>')  # fmt: skip
_PATIENCE = 20


class Paying:
    """A service that takes until somebody has done `meanwhile`; the first time only."""

    def __init__(self, meanwhile: Callable[[str], Any], came_to: Callable[[], Outcome]) -> None:
        self.keys: list[str] = []
        self._meanwhile, self._came_to = meanwhile, came_to

    def __call__(self, work: Work) -> Outcome:
        self.keys.append(work.key)
        if len(self.keys) == 1:
            self._meanwhile(work.instance)
        return self._came_to()


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Office:
    file = str(tmp_path / "governor.db")
    return Office(file if request.param == "sqlite" else request.getfixturevalue("postgres_url"))


def paid() -> Outcome:
    return Outcome(outputs={"paid": 40})


def broken() -> Outcome:
    raise ValueError("no money")


def answering(office: Office) -> Governor:
    """A program that answers, and leaves the work to workers."""
    return Governor(
        SqlStore(Database(office.where)), clock=office.clock, ids=office.ids, summariser=FirstWords(),
        handlers=lambda settings: office, elsewhere=lambda: True,
    )  # fmt: skip


def look_done(governor: Governor, instance: str) -> RunResult:
    (item,) = governor.store.work_items(instance=instance)
    return governor.complete(item.id, {}, by="ann")


def test_an_answer_of_another_program_while_a_service_works(office: Office) -> None:
    def meanwhile(instance: str) -> None:
        with answering(office) as other:
            assert look_done(other, instance).status == "running"

    pay = office.doers["pay"] = Paying(meanwhile, paid)
    result = office.start(BRANCHES)
    assert (result.status, result.variables["n"], len(pay.keys)) == ("completed", 41, 1)
    done = [event.element for event in office.log(result.instance, EventType.ACTIVITY_COMPLETED)]
    assert sorted(map(str, done)) == ["after", "look", "pay"]


def test_an_error_that_a_service_threw_meanwhile_is_caught_as_ever(office: Office) -> None:
    def meanwhile(instance: str) -> None:
        with answering(office) as other:
            look_done(other, instance)

    def refused() -> Outcome:
        raise BpmnErrorRaised("E1")

    pay = office.doers["pay"] = Paying(meanwhile, refused)
    result = office.start(CAUGHT)
    assert ([each["element"] for each in result.waiting], len(pay.keys)) == (["refuse"], 1)


def test_two_threads_of_one_program(office: Office) -> None:
    """Whoever answers leaves the service to the thread that has it, which goes on from there."""
    met, begun = Barrier(2, timeout=_PATIENCE), list[str]()

    def meanwhile(instance: str) -> None:
        begun.append(instance)
        met.wait()
        met.wait()

    pay, results = Paying(meanwhile, paid), list[RunResult]()
    office.doers["pay"] = pay
    with office.governor() as governor:
        thread = Thread(target=lambda: results.append(governor.start(read(BRANCHES), {})))
        thread.start()
        met.wait()
        assert look_done(governor, begun[0]).status == "running"
        met.wait()
        thread.join(_PATIENCE)
    assert ([each.status for each in results], len(pay.keys)) == (["completed"], 1)
    assert results[0].variables["n"] == 41


@pytest.mark.parametrize("came_to", [paid, broken], ids=["an outcome", "an incident"])
def test_what_was_done_when_an_operator_suspended_is_told_when_he_resumes(
    office: Office, came_to: Callable[[], Outcome]
) -> None:
    stopped: list[str] = []

    def meanwhile(instance: str) -> None:
        stopped.append(instance)
        with answering(office) as other:
            other.suspend(instance, by="ann")

    pay = office.doers["pay"] = Paying(meanwhile, came_to)
    with pytest.raises(InstanceSuspended):
        office.start(BRANCHES)
    office.do(lambda governor: governor.unsuspend(stopped[0], by="ann"))
    office.do(lambda governor: look_done(governor, stopped[0]))
    result = office.do(lambda governor: governor.resume(stopped[0]))
    assert len(pay.keys) == 1
    if came_to is paid:
        assert (result.status, result.variables["n"]) == ("completed", 41)
    else:
        assert [(each["element"], each["error"]) for each in result.incidents] == [("pay", "no money")]


def test_what_was_done_for_a_cancelled_instance_is_dropped(office: Office) -> None:
    def meanwhile(instance: str) -> None:
        with answering(office) as other:
            other.cancel(instance, by="ann")

    office.doers["pay"] = Paying(meanwhile, paid)
    with pytest.raises(InstanceEnded):
        office.start(BRANCHES)


def test_a_job_has_one_owner_until_he_leaves_it() -> None:
    claims = Claims()
    mine, other = OwnJobs(claims), OwnJobs(claims)
    assert (mine.take("k", 3), other.take("k", 3), mine.take("k", 4)) == ({"k"}, set(), {"k"})
    mine.leave()
    assert other.take("k", 3)


def test_who_has_loaded_the_instance_before_a_job_was_done_does_not_do_it() -> None:
    claims = Claims()
    mine, other = OwnJobs(claims), OwnJobs(claims)
    mine.take("k", 3)
    mine.settled((), 4)
    mine.leave()
    assert (other.take("k", 3), other.take("k", 4)) == (set(), {"k"})


def test_what_a_host_rolls_back_was_not_done() -> None:
    claims, hosted = Claims(), list[Callable[[], None]]()
    mine, other = OwnJobs(claims, hosted.append), OwnJobs(claims)
    mine.take("k", 3)
    mine.settled((), 4)
    assert not other.take("k", 3)
    mine.leave()
    assert other.take("k", 3)


def test_what_a_host_commits_was_done() -> None:
    claims, hosted = Claims(), list[Callable[[], None]]()
    mine, other = OwnJobs(claims, hosted.append), OwnJobs(claims)
    mine.take("k", 3)
    mine.settled((), 4)
    mine.leave()
    hosted[0]()
    assert not other.take("k", 3)
