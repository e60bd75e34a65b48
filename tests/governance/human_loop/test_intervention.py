"""Interventions: answered once, by a named person who may, on the sight of what is shown; or expired as a timeout."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from governance.errors import GovernanceError
from governance.human_loop.errors import (
    AlreadyClosed,
    CannotExpire,
    DecisionNotOffered,
    IncompleteAnswer,
    InterventionError,
    NotAllowed,
    StaleAnswer,
)
from governance.human_loop.intervention import Intervention, InterventionAnswer, answer, expire
from governance.snapshots.canonical import canonical, digest
from governance.vocabulary import InteractionLevel, Trigger

SHOWN: dict[str, Any] = {"WORKING/plan": {"before": "restart", "after": "fail over"}}
DUE = "2026-03-01T12:00:00.000000Z"


def opened(**changes: Any) -> Intervention:
    fields: dict[str, Any] = {
        "id": "i-7",
        "instance": "incident-1",
        "trigger": Trigger.QUALITY,
        "level": InteractionLevel.EXPLICIT_APPROVAL,
        "kind": "output_preview",
        "element": "draft_plan",
        "created_at": "2026-03-01T10:00:00.000000Z",
        "message": "The plan changed.",
        "shown": SHOWN,
        "options": ("approve", "deny", "edit"),
    }
    return Intervention(**(fields | changes))


def given(**changes: Any) -> InterventionAnswer:
    fields: dict[str, Any] = {
        "decision": "approve",
        "by": "Ann",
        "at": "2026-03-01T11:00:00.000000Z",
        "shown_hash": digest(canonical(SHOWN)),
    }
    return InterventionAnswer(**(fields | changes))


def answered(intervention: Intervention, **changes: Any) -> Intervention:
    return answer(intervention, given(**changes), roles=("ops",), starter="Bob")


def accepts(intervention: Intervention, person: str, roles: tuple[str, ...], starter: str | None) -> bool:
    """Whether an answer by `person` is taken."""
    try:
        answer(intervention, given(by=person), roles=roles, starter=starter)
    except NotAllowed:
        return False
    return True


def test_an_answer_is_recorded_with_who_when_why_and_what() -> None:
    before = opened()
    after = answered(before, decision="edit", reason="safer", values={"WORKING/plan": "drain first"})
    assert (before.status, before.answer) == ("open", None)
    assert after.status == "answered"
    assert after.answer == given(decision="edit", reason="safer", values={"WORKING/plan": "drain first"})


def test_the_first_answer_stands() -> None:
    after = answered(opened())
    with pytest.raises(AlreadyClosed, match=r"i-7: was answered by Ann at 2026-03-01T11:00:00.000000Z; that stands"):
        answered(after, by="Eve", decision="deny", reason="no")


def test_an_answer_is_bound_to_what_was_shown() -> None:
    changed = opened(shown={"WORKING/plan": "something else"})
    with pytest.raises(StaleAnswer) as caught:
        answered(changed)
    assert (caught.value.answered, caught.value.shown) == (digest(canonical(SHOWN)), changed.shown_hash)


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_a_denial_needs_a_reason(reason: str) -> None:
    with pytest.raises(IncompleteAnswer, match="deny needs a reason"):
        answered(opened(), decision="deny", reason=reason)
    assert answered(opened(), decision="deny", reason="too risky").status == "answered"


@pytest.mark.parametrize("values", [None, {}])
def test_an_edit_needs_values(values: dict[str, Any] | None) -> None:
    with pytest.raises(IncompleteAnswer, match="edit needs values"):
        answered(opened(), decision="edit", values=values)


def test_only_the_options_are_taken() -> None:
    with pytest.raises(DecisionNotOffered, match="takes no 'resolve'; allowed are approve, deny, edit"):
        answered(opened(), decision="resolve", values={"a": 1})


@pytest.mark.parametrize("by", ["", "   "])
def test_an_answer_names_a_person(by: str) -> None:
    with pytest.raises(ValidationError):
        given(by=by)


@pytest.mark.parametrize("name", ["\u200b", "\u2060 \u00ad", "\u3000\u200d"])
def test_a_name_that_nobody_sees_is_none(name: str) -> None:
    assert not accepts(opened(), name, (), "Bob")


def test_no_person_answers_as_the_timeout() -> None:
    with pytest.raises(NotAllowed, match="an answer needs the name of a person"):
        answered(opened(), by=" Timeout")


@pytest.mark.parametrize(
    ("asked", "held", "may"),
    [((), (), True), ((), ("ops",), True), (("ops", "lead"), ("lead",), True), (("lead",), ("ops",), False)],
)
def test_roles(asked: tuple[str, ...], held: tuple[str, ...], may: bool) -> None:
    assert accepts(opened(roles=asked), "Ann", held, "Bob") is may


def test_an_answer_without_the_role_is_refused() -> None:
    with pytest.raises(NotAllowed, match="Ann may not answer: needs one of the roles lead, owner") as caught:
        answered(opened(roles=("lead", "owner")))
    assert (caught.value.intervention, caught.value.person) == ("i-7", "Ann")


@pytest.mark.parametrize(
    ("person", "starter", "may"),
    [
        ("Ann", "Bob", True),
        ("Bob", "Bob", False),
        (" bob ", "Bob", False),
        ("Bob\u200b", "Bob", False),
        ("B\u00adob", "Bob", False),
        ("\uff22ob", "Bob", False),
        ("Bob  Lee", "Bob\u00a0Lee", False),
        ("Jose\u0301", "Jos\u00e9", False),
        ("\u1e9e", "ss", False),
        ("Jose", "Jos\u00e9", True),
        ("Ann", None, False),
    ],
)
def test_four_eyes(person: str, starter: str | None, may: bool) -> None:
    assert accepts(opened(four_eyes=True), person, (), starter) is may
    assert accepts(opened(), person, (), starter) is True


def test_a_refused_answer_leaves_the_intervention_open() -> None:
    before = opened(roles=("lead",))
    with pytest.raises(InterventionError):
        answered(before)
    assert answer(before, given(), roles=("lead",), starter=None).status == "answered"


@pytest.mark.parametrize("default", ["approve", "deny"])
def test_expiry_is_recorded_as_a_timeout_whatever_the_default(default: str) -> None:
    after = expire(opened(due=DUE, default=default), DUE)
    assert after.status == "expired"
    assert after.answer is not None
    assert (after.answer.by, after.answer.decision, after.answer.at) == ("timeout", default, DUE)
    assert after.answer.reason == f"no answer by {DUE}"
    with pytest.raises(AlreadyClosed, match="was expired by timeout at"):
        answered(after)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({}, DUE),
        ({"due": DUE}, DUE),
        ({"default": "deny"}, DUE),
        ({"due": DUE, "default": "deny"}, "2026-03-01T11:59:59.999999Z"),
    ],
)
def test_nothing_expires_early_or_without_a_default(changes: dict[str, Any], at: str) -> None:
    with pytest.raises(CannotExpire):
        expire(opened(**changes), at)


def test_an_answered_intervention_does_not_expire() -> None:
    with pytest.raises(AlreadyClosed):
        expire(answered(opened(due=DUE, default="deny")), DUE)


def test_the_record_survives_json_and_a_changed_one_is_noticed() -> None:
    after = answered(opened(roles=("ops",), due=DUE, default="deny"), by="Ann")
    stored = after.model_dump(mode="json")
    assert Intervention.model_validate(stored) == after
    with pytest.raises(ValidationError, match="shown_hash is not the hash of what is shown"):
        Intervention.model_validate(stored | {"shown": "harmless"})


@pytest.mark.parametrize(
    "changes", [{"options": ()}, {"options": ("approve",), "default": "deny"}, {"status": "answered"}, {"kind": "x"}]
)
def test_an_inconsistent_record_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        opened(**changes)


def test_errors_are_the_package_s() -> None:
    assert issubclass(InterventionError, GovernanceError)
    assert all(
        issubclass(kind, InterventionError)
        for kind in (AlreadyClosed, CannotExpire, DecisionNotOffered, IncompleteAnswer, NotAllowed, StaleAnswer)
    )
