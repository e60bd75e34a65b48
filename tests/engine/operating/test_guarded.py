"""What operators do is asked about at the level that the policy names."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from engine.events import EventType
from engine.governor import Governor
from engine.operations.operation import NotPossible, OperationRefused
from governance.human_loop.errors import AlreadyClosed, NotAllowed
from tests.bpmn.files import document
from tests.engine.models import edges, end, service, start, user
from tests.engine.operating.office import Office, failing


def guarded(level: str, approval: str = "") -> bytes:
    """A process of this level, whose activities ask nobody themselves: a task waits, or a service has failed."""
    calm = '<extensionElements><gov:policy interactionLevel="AUTO_ALLOW"/></extensionElements>'
    strict = f'<extensionElements><gov:policy interactionLevel="{level}">{approval}</gov:policy></extensionElements>'
    body = start() + user("u", calm) + service("a", inside=strict) + end() + edges("s > u > a > e")
    return document(f'<process id="p" isExecutable="true">{strict}{body}</process>')


OPERATIONS: dict[str, Callable[[Governor, str], Any]] = {
    "cancel": lambda g, id: g.cancel(id, by="olga", reason="because"),
    "unsuspend": lambda g, id: g.unsuspend(id, by="olga", reason="because"),
}


def stand(office: Office, operation: str, source: bytes) -> str:
    id: str = office.start(source, {"x": 1}).instance
    if operation == "unsuspend":
        office.do(lambda g: g.suspend(id, by="olga"))
    return id


@pytest.mark.parametrize("level", ["DIFF_PREVIEW", "EXPLICIT_APPROVAL"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_level_that_blocks_asks_first_and_shows_what_will_change(office: Office, operation: str, level: str) -> None:
    id = stand(office, operation, guarded(level))
    before = office.do(lambda g: g.result(id)).status
    asked = office.do(lambda g: OPERATIONS[operation](g, id))
    assert asked.status == before
    (question,) = office.do(lambda g: [each for each in g.interventions(id) if each.kind == "operation"])
    assert (question.level, question.message) == (level, f"olga wants to {operation}: because")
    assert question.shown["operation"] == {"action": operation, "by": "olga", "reason": "because"}
    after = office.do(lambda g: g.answer(question.id, "approve", by="ann"))
    assert after.status == {"cancel": "cancelled", "unsuspend": "waiting"}[operation]
    kind = {"cancel": EventType.INSTANCE_CANCELLED, "unsuspend": EventType.INSTANCE_UNSUSPENDED}[operation]
    (event,) = office.log(id, kind)
    assert {name: event.data[name] for name in ("by", "reason", "approved_by")} == {
        "by": "olga", "reason": "because", "approved_by": "ann",
    }  # fmt: skip


def test_what_is_denied_is_not_done(office: Office) -> None:
    id = stand(office, "cancel", guarded("DIFF_PREVIEW"))
    office.do(lambda g: g.cancel(id, by="olga"))
    question = office.do(lambda g: g.interventions(id)[0].id)
    assert office.do(lambda g: g.answer(question, "deny", by="ann", reason="no")).status == "waiting"
    assert office.log(id, EventType.INSTANCE_CANCELLED) == []
    with pytest.raises(AlreadyClosed):
        office.do(lambda g: g.answer(question, "approve", by="bob"))


def test_a_variable_is_shown_as_it_is_and_as_it_is_to_be(office: Office) -> None:
    source = guarded("DIFF_PREVIEW").replace(b'"AUTO_ALLOW"', b'"DIFF_PREVIEW"')
    id = office.start(source, {"x": 1}).instance
    office.do(lambda g: g.edit(id, {"x": 2, "y": 3}, by="olga"))
    question = office.do(lambda g: g.interventions(id)[0])
    assert question.shown["variables"] == {
        "x": {"before": {"value": 1}, "after": {"value": 2}},
        "y": {"before": {"absent": True}, "after": {"value": 3}},
    }
    assert office.do(lambda g: g.variables(id)) == {"x": 1}
    office.do(lambda g: g.answer(question.id, "approve", by="ann"))
    assert office.do(lambda g: g.variables(id)) == {"x": 2, "y": 3}


def test_the_policy_of_the_element_counts_for_what_concerns_it(office: Office) -> None:
    office.doers["a"] = failing(9)
    id = office.start(guarded("EXPLICIT_APPROVAL")).instance
    office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann"))
    office.do(lambda g: g.skip(id, "a", by="olga"))
    (question,) = office.do(lambda g: g.interventions(id))
    assert (question.kind, question.element, question.level) == ("operation", "a", "EXPLICIT_APPROVAL")
    office.do(lambda g: g.retry(id))
    assert office.do(lambda g: len(g.interventions(id))) == 1, "another try as things stand asks nobody"
    office.do(lambda g: g.retry(id, variables={"x": 1}, by="olga"))
    assert office.do(lambda g: len(g.interventions(id))) == 2
    assert office.do(lambda g: g.answer(question.id, "approve", by="ann")).status == "completed"


def test_the_operator_is_no_second_pair_of_eyes(office: Office) -> None:
    id = stand(office, "cancel", guarded("EXPLICIT_APPROVAL", '<gov:approval fourEyes="true" roles="lead"/>'))
    office.do(lambda g: g.cancel(id, by="olga"))
    question = office.do(lambda g: g.interventions(id)[0].id)
    with pytest.raises(NotAllowed, match="roles"):
        office.do(lambda g: g.answer(question, "approve", by="ann"))
    with pytest.raises(NotAllowed, match="four eyes"):
        office.do(lambda g: g.answer(question, "approve", by="Olga", roles=["lead"]))
    assert office.do(lambda g: g.answer(question, "approve", by="ann", roles=["lead"])).status == "cancelled"


def test_what_no_longer_fits_is_not_approved(office: Office) -> None:
    office.doers["a"] = failing(1)
    id = office.start(guarded("DIFF_PREVIEW")).instance
    office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann"))
    office.do(lambda g: g.skip(id, "a", by="olga"))
    question = office.do(lambda g: g.interventions(id)[0].id)
    office.do(lambda g: g.retry(id))
    with pytest.raises(Exception, match="has not failed"):
        office.do(lambda g: g.answer(question, "approve", by="ann"))
    assert office.do(lambda g: g.answer(question, "deny", by="ann", reason="done")).status == "waiting"


def test_auto_deny_refuses_and_is_on_record(office: Office) -> None:
    id = stand(office, "cancel", guarded("AUTO_DENY"))
    with pytest.raises(OperationRefused, match="cancel is refused by its policy"):
        office.do(lambda g: g.cancel(id, by="olga"))
    (event,) = office.log(id, EventType.REFUSED)
    assert (event.element, event.data["message"]) == ("p", "olga wants to cancel")
    assert office.do(lambda g: g.result(id)).status == "waiting"
    assert office.do(lambda g: g.replay(id)).difference is None, "what was refused can be made again"


def test_a_suggestion_is_done_and_told(office: Office) -> None:
    id = stand(office, "cancel", guarded("MICRO_SUGGESTION"))
    assert office.do(lambda g: g.cancel(id, by="olga")).status == "cancelled"
    assert [each.data["message"] for each in office.log(id, EventType.NOTICE)] == ["olga wants to cancel"]


def test_to_suspend_asks_nobody_whatever_the_policy(office: Office) -> None:
    id = stand(office, "cancel", guarded("AUTO_DENY"))
    assert office.do(lambda g: g.suspend(id, by="olga")).status == "suspended"


def test_a_default_that_comes_too_late_does_nothing(office: Office) -> None:
    approval = '<gov:approval due="PT1H" default="approve"/>'
    office.doers["a"] = failing(1)
    id = office.start(guarded("DIFF_PREVIEW", approval)).instance
    office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann"))
    office.do(lambda g: g.skip(id, "a", by="olga"))
    office.do(lambda g: g.retry(id))
    office.clock.move_to(office.clock.now() + timedelta(hours=2))
    office.do(lambda g: g.resume(id))
    assert office.log(id, EventType.NOTICE)[-1].data["message"].endswith("failed are none")


def test_what_cannot_be_done_is_refused_before_anybody_is_asked(office: Office) -> None:
    id = office.start(guarded("DIFF_PREVIEW")).instance
    with pytest.raises((NotPossible, Exception), match="has not failed"):
        office.do(lambda g: g.skip(id, "u", by="olga"))
    assert office.do(lambda g: g.interventions(id)) == []
