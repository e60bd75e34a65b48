"""By how much a person raises a budget, and until when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from bpmn.timers import parse_duration
from engine.errors import EngineError
from governance.budgets import Raise
from governance.human_loop.intervention import Intervention
from governance.policy import Limits
from governance.ports import timestamp

FOR, UNTIL = "for", "until"
_TAKEN: Final = (*Limits.model_fields, FOR, UNTIL)


class WrongRaise(EngineError):
    """An answer that raises a budget in a way there is not; nothing changed."""

    def __init__(self, intervention: str, why: str) -> None:
        self.intervention, self.why = intervention, why
        super().__init__(f"intervention {intervention}: {why}")


def raise_of(closed: Intervention, tenant: Limits) -> Raise:
    """What an approval raises: by as much again and for good, or as its values say, which the tenant's takes.

    Values are `tokens`, `cost`, `minutes`, and `for` (a duration) or `until` (a time). Raises WrongRaise.
    """
    shown, answer = closed.shown, closed.answer
    assert isinstance(shown, Mapping)
    assert answer is not None
    given: dict[str, Any] = dict(answer.values or {})
    if given and shown["budget"] != "tenant":
        raise WrongRaise(closed.id, f"that of the {shown['budget']} is raised by as much again; it takes no values")
    unknown = sorted({*given} - {*_TAKEN})
    if unknown:
        raise WrongRaise(closed.id, f"{', '.join(unknown)}: unknown; allowed: {', '.join(_TAKEN)}")
    until = _until(closed.id, given, answer.at)
    return Raise(
        amount=_amount(closed.id, given, tenant) if given else Limits.model_validate(shown.get("again", {})),
        at=answer.at,
        by=answer.by,
        reason=answer.reason,
        until=until,
        instance=closed.instance,
    )


def _amount(intervention: str, given: Mapping[str, Any], tenant: Limits) -> Limits:
    named = {name: given[name] for name in Limits.model_fields if name in given}
    for name in named:
        if getattr(tenant, name) is None:
            raise WrongRaise(intervention, f"{name} has no limit that could be raised")
    try:
        return Limits.model_validate(named or tenant.model_dump())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise WrongRaise(intervention, f"{first['loc'][0]}: {first['msg']}") from error


def _until(intervention: str, given: Mapping[str, Any], at: str) -> str | None:
    if FOR in given and UNTIL in given:
        raise WrongRaise(intervention, "either `for` or `until`")
    now = datetime.fromisoformat(at)
    try:
        if FOR in given:
            return timestamp(parse_duration(str(given[FOR])).after(now))
        if UNTIL not in given:
            return None
        end = datetime.fromisoformat(str(given[UNTIL]))
    except ValueError as error:
        raise WrongRaise(intervention, f"{error}; allowed: a duration (PT8H), a time (2026-06-01T00:00:00Z)") from error
    if end.tzinfo is None or end <= now:
        raise WrongRaise(intervention, f"until {given[UNTIL]}: allowed is a time to come, with its zone")
    return timestamp(end)
