"""Interventions that go to somebody else."""

from __future__ import annotations

from typing import Any

import pytest

from governance.human_loop.errors import AlreadyClosed, CannotEscalate, NotAllowed
from governance.human_loop.intervention import Delegation, Intervention, answer, expire
from governance.human_loop.passing_on import delegate, escalate
from tests.governance.human_loop.test_intervention import DUE, given, opened

LATER = "2026-03-01T14:00:00.000000Z"


def handed(intervention: Intervention, to: str, by: str = "Ann", roles: tuple[str, ...] = ("ops",), **more: Any) -> Any:
    return delegate(intervention, Delegation(by=by, to=to, at=DUE, **more), roles=roles, starter="Bob")


def test_who_it_was_delegated_to_alone_may_answer_whatever_their_roles() -> None:
    asked = handed(opened(roles=("ops",)), "Li", reason="on holiday")
    assert asked.delegations == (Delegation(by="Ann", to="Li", at=DUE, reason="on holiday"),)
    with pytest.raises(NotAllowed, match="Ann may not answer: it was delegated to Li"):
        answer(asked, given(by="Ann"), roles=("ops",), starter="Bob")
    assert answer(asked, given(by=" li"), roles=(), starter="Bob").status == "answered"


def test_a_delegate_hands_on_and_who_was_asked_takes_it_back() -> None:
    asked = handed(handed(opened(roles=("ops",)), "Li"), "Kim", by="Li", roles=())
    assert asked.delegate == "Kim"
    with pytest.raises(NotAllowed, match="Li may not answer: it was delegated to Kim"):
        handed(asked, "Li", by="Li", roles=())
    back = handed(asked, "Ann")
    assert answer(back, given(by="Ann"), roles=(), starter="Bob").status == "answered"


@pytest.mark.parametrize(
    ("by", "roles", "to"),
    [("Eve", (), "Li"), ("Ann", ("ops",), "bob"), ("Bob", ("ops",), "Li"), ("Ann", ("ops",), "timeout")],
)
def test_nobody_hands_on_what_is_not_theirs_nor_to_who_may_not(by: str, roles: tuple[str, ...], to: str) -> None:
    with pytest.raises(NotAllowed):
        handed(opened(roles=("ops",), four_eyes=True), to, by=by, roles=roles)


def test_an_answered_one_is_not_handed_on() -> None:
    done = answer(opened(), given(), roles=(), starter="Bob")
    with pytest.raises(AlreadyClosed):
        handed(done, "Li")


def test_escalated_asks_a_further_role_and_gives_as_much_time_again() -> None:
    asked = handed(opened(roles=("ops",), due=DUE, default="deny", escalate_to="lead"), "Li")
    assert (asked.acts_at, asked.escalates) == (DUE, True)
    late = escalate(asked, LATER)
    assert (late.escalated_at, late.due, late.acts_at) == (LATER, late.due, "2026-03-01T16:00:00.000000Z")
    assert (late.asked_roles, late.delegate, late.escalates) == (("ops", "lead"), None, False)
    assert answer(late, given(by="Kim"), roles=("lead",), starter="Bob").status == "answered"
    assert answer(late, given(by="Ann"), roles=("ops",), starter="Bob").status == "answered"
    assert expire(late, late.due or "").status == "expired"


def test_without_a_default_an_escalated_one_waits() -> None:
    assert escalate(opened(due=DUE, escalate_to="lead"), DUE).acts_at is None


@pytest.mark.parametrize(
    ("fields", "at"),
    [({"due": DUE}, DUE), ({"escalate_to": "lead"}, DUE), ({"due": LATER, "escalate_to": "lead"}, DUE)],
)
def test_what_has_nobody_to_escalate_to_or_is_not_due_is_not_escalated(fields: dict[str, Any], at: str) -> None:
    with pytest.raises(CannotEscalate):
        escalate(opened(**fields), at)


def test_it_is_escalated_once() -> None:
    late = escalate(opened(due=DUE, escalate_to="lead"), DUE)
    with pytest.raises(CannotEscalate, match="was escalated at"):
        escalate(late, LATER)
