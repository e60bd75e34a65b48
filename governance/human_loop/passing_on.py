"""Interventions that go to somebody else: delegated by who was asked, or escalated when nobody answered in time."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from governance.human_loop.errors import CannotEscalate, NotAllowed
from governance.human_loop.intervention import Delegation, Intervention, require_open
from governance.human_loop.rights import objection_to, objection_to_asking
from governance.ports import timestamp


def delegate(
    intervention: Intervention, given: Delegation, *, roles: Collection[str], starter: str | None
) -> Intervention:
    """The intervention, for `given.to` alone to answer. `roles` are those of who delegates.

    Who may: the delegate, and whoever was asked at first, so that they can take it back by naming themselves. Raises
    AlreadyClosed, and NotAllowed for either of the two.
    """
    require_open(intervention)
    refused = objection_to(intervention, given.by, roles, starter)
    if refused is not None and objection_to_asking(intervention, given.by, roles, starter) is not None:
        raise NotAllowed(intervention.id, given.by, refused)
    handed = intervention.model_copy(update={"delegations": (*intervention.delegations, given)})
    objection = objection_to(handed, given.to, (), starter)
    if objection is not None:
        raise NotAllowed(intervention.id, given.to, objection)
    return handed


def escalate(intervention: Intervention, at: str) -> Intervention:
    """The intervention asked of `escalate_to` too, with the same time again; `at` is the present time.

    Roles that were asked may still answer; a delegation is over. Raises AlreadyClosed, CannotEscalate.
    """
    require_open(intervention)
    if intervention.due is None or intervention.escalate_to is None:
        raise CannotEscalate(intervention.id, "has no due time with somebody to escalate to")
    if intervention.escalated_at is not None:
        raise CannotEscalate(intervention.id, f"was escalated at {intervention.escalated_at}")
    if at < intervention.due:
        raise CannotEscalate(intervention.id, f"is not due before {intervention.due}")
    period = datetime.fromisoformat(intervention.due) - datetime.fromisoformat(intervention.created_at)
    due = timestamp(datetime.fromisoformat(at) + period)
    return intervention.model_copy(update={"escalated_at": at, "due": due, "delegations": ()})
