"""Checks what people give before anything moves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from engine.errors import EngineError
from engine.people.hunks import with_hunks
from engine.people.work_item import WorkItem
from governance.human_loop.intervention import (
    Decision,
    Intervention,
    InterventionAnswer,
    answer,
    require_open,
)


class AlreadyDone(EngineError):
    """A work item that somebody has completed before, or that is no longer needed; that stands, nothing changed."""

    def __init__(self, item: WorkItem) -> None:
        self.item = item
        by = f" by {item.completed_by} at {item.completed_at}" if item.completed_by else ""
        super().__init__(f"{item.id} ({item.name}) was {item.status}{by}; that stands")


class NotForThem(EngineError):
    """A work item that is for somebody else."""

    def __init__(self, item: WorkItem, person: str) -> None:
        self.item, self.person, self.whom = item, person, item.whom
        named = [*filter(None, (item.assignee,)), *item.users]
        role = f"who has the role {' or '.join(item.groups)}" if item.groups else ""
        allowed = ", ".join([*named, *filter(None, (role,))])
        super().__init__(f"{item.id} ({item.name}): {person} may not do it; it is for {allowed}")


class WrongOutputs(EngineError):
    """Outputs that do not fit the form of a work item."""

    def __init__(self, item: WorkItem, problems: list[str]) -> None:
        self.item, self.problems = item, problems
        super().__init__(f"{item.id} ({item.name}): {'; '.join(problems)}")


def check_done(item: WorkItem, outputs: Mapping[str, Any], by: str, roles: Collection[str]) -> None:
    """Raises AlreadyDone, NotForThem, and WrongOutputs with every problem the item's form finds."""
    if item.status != "open":
        raise AlreadyDone(item)
    if not item.is_for(by, roles):
        raise NotForThem(item, by)
    if item.form is None:
        return
    from jsonschema.validators import validator_for

    validator = validator_for(item.form)(item.form)
    problems = [_problem(error) for error in validator.iter_errors(dict(outputs))]
    if problems:
        raise WrongOutputs(item, sorted(problems))


def answer_intervention(
    asked: Intervention,
    decision: Decision,
    *,
    by: str,
    at: str,
    reason: str,
    values: Mapping[str, Any] | None,
    roles: Collection[str],
    starter: str | None,
    shown_hash: str | None,
) -> Intervention:
    """The intervention answered; raises what `governance.human_loop.intervention.answer` raises, and WrongHunks."""
    require_open(asked)
    given = InterventionAnswer(
        decision=decision,
        by=by,
        at=at,
        shown_hash=shown_hash or asked.shown_hash,
        reason=reason,
        values=with_hunks(asked, values) if decision == "edit" and asked.kind != "tool" else _own(values),
    )
    return answer(asked, given, roles=roles, starter=starter)


def _own(values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if values is None else dict(values)


def _problem(error: Any) -> str:
    place = "/".join(str(part) for part in error.absolute_path)
    return f"{place}: {error.message}" if place else str(error.message)
