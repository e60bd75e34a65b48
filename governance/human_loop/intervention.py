"""The durable record of a question to a person, and its two ends: answered, or expired (Design: the human loop)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from governance.human_loop.errors import (
    AlreadyClosed,
    CannotExpire,
    DecisionNotOffered,
    IncompleteAnswer,
    NotAllowed,
    StaleAnswer,
)
from governance.human_loop.rights import TIMEOUT, objection_to
from governance.snapshots.canonical import canonical, digest
from governance.vocabulary import InteractionLevel, Trigger

Kind = Literal[
    "retained_overflow",
    "usage_overflow",
    "d1_preview",
    "output_preview",
    "quality",
    "conflict",
    "emergency",
    "system_write",
    "operation",
    "dead_end",
    "tool",
    "budget",
]
Decision = Literal["approve", "deny", "resolve", "edit"]
Status = Literal["open", "answered", "expired", "withdrawn"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class InterventionAnswer(BaseModel):
    """What was decided, by whom, when, why, and on the sight of what.

    `at` is a fixed-width UTC timestamp. `values` are what "resolve" and "edit" put in place, by key.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    decision: Decision
    by: Name
    at: str
    shown_hash: str
    reason: str = ""
    values: Mapping[str, JsonValue] | None = None


class Delegation(BaseModel):
    """Who handed an intervention to whom, when and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: Name
    to: Name
    at: str
    reason: str = ""


class Intervention(BaseModel):
    """A question that a token waits with, or that is only told (`level` says which).

    `shown` is what the person sees, a diff or values; `shown_hash` is its content address, computed where it is not
    given and checked where it is; of what was erased it is all that is left (`{"$erased": shown_hash}`). `options` are
    the decisions it takes, `default` the one that stands once `due` (a fixed-width UTC timestamp) has passed. `roles`:
    any of them may answer, everyone if there are none; `four_eyes`: not the person who started the instance. Once `due`
    has passed, the role `escalate_to` is asked first, and the `default` waits for as long again. The last of
    `delegations` says whose it is now.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    instance: str
    trigger: Trigger
    level: InteractionLevel
    kind: Kind
    element: str
    branch: str = ""
    created_at: str
    message: str
    shown: JsonValue
    shown_hash: str
    options: tuple[Decision, ...] = Field(default=("approve", "deny"), min_length=1)
    default: Literal["approve", "deny"] | None = None
    due: str | None = None
    roles: tuple[str, ...] = ()
    four_eyes: bool = False
    escalate_to: str | None = None
    escalated_at: str | None = None
    delegations: tuple[Delegation, ...] = ()
    status: Status = "open"
    answer: InterventionAnswer | None = None

    @property
    def acts_at(self) -> str | None:
        """When it does something by itself, None: never."""
        return self.due if self.escalates or self.default is not None else None

    @property
    def escalates(self) -> bool:
        """Whether what it does when it is due is to ask somebody else."""
        return self.escalate_to is not None and self.escalated_at is None

    @property
    def asked_roles(self) -> tuple[str, ...]:
        """The roles that are asked now, everyone if there are none."""
        if not self.roles or self.escalated_at is None or self.escalate_to in (None, *self.roles):
            return self.roles
        return (*self.roles, str(self.escalate_to))

    @property
    def delegate(self) -> str | None:
        """Who alone may answer, for it was delegated to them."""
        return self.delegations[-1].to if self.delegations else None

    @model_validator(mode="before")
    @classmethod
    def _address_shown(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "shown" in data and "shown_hash" not in data:
            return {**data, "shown_hash": digest(canonical(data["shown"]))}
        return data

    @model_validator(mode="after")
    def _consistent(self) -> Intervention:
        if self.shown != {"$erased": self.shown_hash} and self.shown_hash != digest(canonical(self.shown)):
            raise ValueError("shown_hash is not the hash of what is shown")
        if self.default is not None and self.default not in self.options:
            raise ValueError(f"the default {self.default!r} is none of the options")
        if (self.status in ("open", "withdrawn")) is not (self.answer is None):
            raise ValueError(f"an intervention that is {self.status} with answer {self.answer}")
        return self


def answer(
    intervention: Intervention, given: InterventionAnswer, *, roles: Collection[str], starter: str | None
) -> Intervention:
    """The intervention answered. `roles` are those of who answers, `starter` is who started the instance.

    Raises AlreadyClosed, NotAllowed, StaleAnswer, DecisionNotOffered or IncompleteAnswer; then nothing changed.
    """
    require_open(intervention)
    objection = objection_to(intervention, given.by, roles, starter)
    if objection is not None:
        raise NotAllowed(intervention.id, given.by, objection)
    if given.shown_hash != intervention.shown_hash:
        raise StaleAnswer(intervention.id, given.shown_hash, intervention.shown_hash)
    if given.decision not in intervention.options:
        raise DecisionNotOffered(intervention.id, given.decision, intervention.options)
    if given.decision == "deny" and not given.reason.strip():
        raise IncompleteAnswer(intervention.id, given.decision, "a reason")
    if given.decision in ("resolve", "edit") and not given.values:
        raise IncompleteAnswer(intervention.id, given.decision, "values")
    return intervention.model_copy(update={"status": "answered", "answer": given})


def expire(intervention: Intervention, at: str) -> Intervention:
    """The intervention closed by its stated default, because nobody answered until `due`; `at` is the present time.

    Whatever the default decides, the record says that it was a timeout. Raises AlreadyClosed or CannotExpire.
    """
    require_open(intervention)
    if intervention.due is None or intervention.default is None:
        raise CannotExpire(intervention.id, "has no due time with a default")
    if at < intervention.due:
        raise CannotExpire(intervention.id, f"is not due before {intervention.due}")
    given = InterventionAnswer(
        decision=intervention.default,
        by=TIMEOUT,
        at=at,
        shown_hash=intervention.shown_hash,
        reason=f"no answer by {intervention.due}",
    )
    return intervention.model_copy(update={"status": "expired", "answer": given})


def withdraw(intervention: Intervention) -> Intervention:
    """The intervention closed without an answer, because what it asked about is no longer going on."""
    require_open(intervention)
    return intervention.model_copy(update={"status": "withdrawn"})


def require_open(intervention: Intervention) -> None:
    """Raises AlreadyClosed, which says by whom and when."""
    if intervention.status != "open":
        given = intervention.answer
        if given is None:
            raise AlreadyClosed(intervention.id, intervention.status, "the engine")
        raise AlreadyClosed(intervention.id, intervention.status, given.by, given.at)
