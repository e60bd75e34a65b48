"""What failed is tried again, with other variables, or passed over."""

from __future__ import annotations

import pytest

from engine.activities.work import Outcome, Work
from engine.errors import NothingToRetry
from engine.events import EventType
from engine.operations.operation import NotPossible
from engine.refused import InstanceSuspended
from tests.engine.models import edges, end, gateway, instances, model, script, service, start, throw, user
from tests.engine.operating.office import Office, failing

ONE = model(start(), service("a"), script("then", "seen = x"), end(), edges("s > a > then > e"))


def needs_positive(work: Work) -> Outcome:
    if work.variables["x"] < 0:
        raise ValueError("below zero")
    return Outcome(outputs={"y": work.variables["x"] * 2})


def test_variables_are_put_right_and_what_failed_is_tried_again_in_one_step(office: Office) -> None:
    office.doers["a"] = needs_positive
    failed = office.start(ONE, {"x": -1})
    assert (failed.status, failed.incidents[0]["error"]) == ("failed", "below zero")
    result = office.do(lambda g: g.retry(failed.instance, "a", variables={"x": 3}, by="olga", reason="a typo"))
    assert (result.status, result.variables["y"], result.variables["seen"]) == ("completed", 6, 3)
    (edited,) = office.log(failed.instance, EventType.VARIABLES_EDITED)
    assert (edited.element, dict(edited.data)) == ("a", {"by": "olga", "reason": "a typo", "variables": ["x"]})
    (resolved,) = office.log(failed.instance, EventType.INCIDENT_RESOLVED)
    assert dict(resolved.data) == {"how": "retry", "by": "olga", "reason": "a typo"}


def test_a_failure_is_passed_over_with_outputs_of_a_person(office: Office) -> None:
    office.doers["a"] = failing(99)
    failed = office.start(ONE, {"x": 1})
    result = office.do(lambda g: g.skip(failed.instance, "a", outputs={"x": 5}, by="olga", reason="by phone"))
    assert (result.status, result.variables["seen"]) == ("completed", 5)
    (resolved,) = office.log(failed.instance, EventType.INCIDENT_RESOLVED)
    assert dict(resolved.data) == {"how": "skip", "by": "olga", "reason": "by phone"}
    done = office.log(failed.instance, EventType.ACTIVITY_COMPLETED)[0]
    assert (done.data["by"], done.data["decision"]) == ("human", "skipped by olga: by phone")


def test_one_of_several_instances_is_passed_over_and_the_rest_goes_on(office: Office) -> None:
    def sometimes(work: Work) -> Outcome:
        if work.variables["i"] == 2:
            raise RuntimeError("two")
        return Outcome()

    office.doers["a"] = sometimes
    several = service("a", inside=instances(collection="all", item="i"))
    failed = office.start(model(start(), several, end(), edges("s > a > e")), {"all": [1, 2, 3]})
    assert failed.status == "failed"
    assert office.do(lambda g: g.skip(failed.instance, "a", by="olga")).status == "completed"


def test_a_throwing_event_that_failed_is_passed_over(office: Office) -> None:
    source = model(start(), throw("t", '<errorEventDefinition errorRef="x"/>').replace("intermediateThrow", "end"),
                   edges("s > t"), beside='<error id="x" errorCode="X"/>')  # fmt: skip
    failed = office.start(source)
    assert failed.status == "failed"
    assert office.do(lambda g: g.skip(failed.instance, "t", by="olga")).status == "completed"


def test_a_gateway_without_a_way_is_not_passed_over(office: Office) -> None:
    source = model(start(), gateway("x", "exclusive"), user("a"), user("b"),
                   edges("s > x", "x -y > 0-> a", "x -y < 0-> b"))  # fmt: skip
    failed = office.start(source, {"y": 0})
    with pytest.raises(NotPossible, match="move its token"):
        office.do(lambda g: g.skip(failed.instance, "x", by="olga"))
    assert office.do(lambda g: g.retry(failed.instance, variables={"y": 1}, by="olga")).waiting[0]["element"] == "a"


def test_outputs_that_are_not_declared_so_are_refused(office: Office) -> None:
    agent = service("a", "agent", '<extensionElements><gov:agent outputs="n:number"/></extensionElements>')
    office.doers["a"] = failing(99)
    failed = office.start(model(start(), agent, end(), edges("s > a > e")))
    with pytest.raises(NotPossible, match="mistyped: n"):
        office.do(lambda g: g.skip(failed.instance, "a", outputs={"n": "many"}, by="olga"))
    assert office.do(lambda g: g.skip(failed.instance, "a", outputs={"n": 2}, by="olga")).variables["n"] == 2


def test_what_has_not_failed_is_neither_tried_again_nor_passed_over(office: Office) -> None:
    id = office.start(model(start(), user("u"), end(), edges("s > u > e"))).instance
    for move in (lambda g: g.skip(id, "u", by="olga"), lambda g: g.retry(id)):
        with pytest.raises(NothingToRetry):
            office.do(move)


def test_nothing_is_repaired_while_an_instance_is_suspended(office: Office) -> None:
    office.doers["a"] = failing(1)
    id = office.start(ONE, {"x": 1}).instance
    office.do(lambda g: g.suspend(id, by="olga"))
    for move in (lambda g: g.skip(id, "a", by="olga"), lambda g: g.retry(id)):
        with pytest.raises(InstanceSuspended):
            office.do(move)
    office.do(lambda g: g.unsuspend(id, by="olga"))
    assert office.do(lambda g: g.retry(id)).status == "completed"
