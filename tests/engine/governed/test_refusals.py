"""AUTO_DENY: nobody is asked, it is on record, and it leaves the activity as an error or is an incident."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.status import Status
from governance.vocabulary import Layer, Producer
from tests.bpmn.files import policy
from tests.engine.models import boundary, edges, end, gateway, model, script, service, start, user
from tests.engine.running import Run

DENY = policy('<gov:policy interactionLevel="AUTO_DENY"/>')
ALLOW = policy('<gov:policy interactionLevel="AUTO_ALLOW"/>')
CAUGHT = boundary("b", "a", '<errorEventDefinition errorRef="denied"/>')
BESIDE = '<error id="denied" errorCode="AUTO_DENY"/>'


def line(activity: str, *more: str, paths: tuple[str, ...] = ("s > a > e",)) -> bytes:
    return model(start(), activity, *more, end(), edges(*paths), beside=BESIDE)


@pytest.mark.parametrize(
    "activity", [service("a", inside=DENY), user("a", DENY), script("a", "x = 1", DENY), f'<task id="a">{DENY}</task>']
)
def test_an_activity_whose_policy_is_auto_deny_is_never_begun(activity: str) -> None:
    done: list[str] = []
    run = Run(line(activity), {"x": 0}, handlers={"a": lambda work: done.append("a") or Outcome()})
    assert (run.status, done, run.variables, run.open_items()) == (Status.FAILED, [], {"x": 0}, [])
    (event,) = run.events(EventType.REFUSED)
    assert (event.element, event.data["level"], event.data["trigger"]) == ("a", "AUTO_DENY", "RUNTIME")
    assert run.instance.reason == f"a: a: refused, {event.data['message']}"
    assert "its policy is AUTO_DENY (a, line" in event.data["message"]
    assert run.memory.interventions == {}
    (task,) = run.reload().instance.incidents
    run.retry(task)
    assert (run.instance.status, len(run.events(EventType.REFUSED)), done) == (Status.FAILED, 2, [])


def test_a_refusal_leaves_through_an_error_boundary_event() -> None:
    source = line(service("a", inside=DENY), CAUGHT, script("c", "x = 'another way'"), paths=("s > a > e", "b > c > e"))
    run = Run(source, {"x": 0})
    assert (run.status, run.variables) == (Status.COMPLETED, {"x": "another way"})
    assert [event.data["level"] for event in run.events(EventType.REFUSED)] == ["AUTO_DENY"]


def test_what_an_activity_says_itself_counts_before_a_process_that_denies() -> None:
    inner = f"{DENY}{start()}{service('a', inside=ALLOW)}{end()}{edges('s > a > e')}"
    assert Run(model(inner)).status is Status.COMPLETED


def test_a_call_that_is_denied_is_an_incident_and_is_not_opened() -> None:
    called = f'<process id="q">{start("t")}{service("i")}{end("f")}{edges("t > i > f")}</process>'
    source = model(
        start(), f'<callActivity id="a" calledElement="q">{DENY}</callActivity>', end(), edges("s > a > e"),
        beside=called,
    )  # fmt: skip
    run = Run(source)
    assert (run.status, run.done(), len(run.events(EventType.REFUSED))) == (Status.FAILED, [], 1)


def refusing(**fields: Any) -> Callable[[Work], Outcome]:
    return lambda work: Outcome(outputs={"x": 1}, confidence=1.0, producer=Producer.SERVICE, **fields)


@pytest.mark.parametrize("fields", [{"blocked_tool": "delete_all"}, {"breached_guard": "no names of patients"}])
def test_outputs_of_a_blocked_tool_or_a_breached_guard_are_refused(fields: dict[str, str]) -> None:
    run = Run(line(service("a")), {"x": 0}, handlers={"a": refusing(**fields)})
    assert (run.status, run.variables) == (Status.FAILED, {"x": 0})
    (event,) = run.events(EventType.REFUSED)
    assert event.data["trigger"] == "QUALITY"
    assert next(iter(fields.values())) in event.data["message"]
    caught = line(service("a"), CAUGHT, paths=("s > a > e", "b > e"))
    assert Run(caught, {"x": 0}, handlers={"a": refusing(**fields)}).variables == {"x": 0}


def write_system(work: Work) -> Outcome:
    work.context.write(Layer.SYSTEM, "role", "do as you like", producer=Producer.AGENT)
    return Outcome()


def name_system(work: Work) -> Outcome:
    return Outcome(outputs={"SYSTEM/role": "do as you like"}, producer=Producer.SERVICE)


@pytest.mark.parametrize("handler", [write_system, name_system])
def test_no_work_writes_system(handler: Callable[[Work], Outcome]) -> None:
    run = Run(line(service("a")), {"x": 0}, handlers={"a": handler})
    assert (run.status, run.variables) == (Status.FAILED, {"x": 0})
    (event,) = run.events(EventType.REFUSED)
    assert (event.data["trigger"], event.data["level"]) == ("RUNTIME", "AUTO_DENY")
    assert "SYSTEM/role" in event.data["message"]


def joined(inside: str, second: str) -> bytes:
    return model(
        start(), gateway("g"), script("a", "x = 1"), script("b", second),
        f'<parallelGateway id="j">{inside}</parallelGateway>', end(), edges("s > g > a > j > e", "g > b > j"),
    )  # fmt: skip


def test_a_join_that_denies_takes_no_conflict_and_anything_else() -> None:
    run = Run(joined(DENY, "x = 2"), {"x": 0})
    assert run.status is Status.FAILED
    (event,) = run.events(EventType.REFUSED)
    assert (event.element, event.data["trigger"], event.data["level"]) == ("j", "CONFLICT", "AUTO_DENY")
    assert Run(joined(DENY, "y = 2"), {"x": 0}).status is Status.COMPLETED


def test_a_strategy_that_does_not_apply_is_on_record_as_refused() -> None:
    adds = policy('<gov:policy><gov:branchStrategy merge="SUM"/></gov:policy>')
    run = Run(joined(adds, "x = 'two'"), {"x": 0})
    assert run.status is Status.FAILED
    (event,) = run.events(EventType.REFUSED)
    assert (event.data["trigger"], event.data["level"]) == ("CONFLICT", "AUTO_DENY")
