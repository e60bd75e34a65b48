"""How the policies of two versions of a process differ, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bpmn.definition import Definition
from bpmn.policies.fields import FIELDS
from bpmn.policies.text import as_text, policy_field
from bpmn.walk import elements
from governance.policy import ResolvedPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One field of one element's resolved policy. `before` or `after` is None where the element is not there."""

    element: str
    name: str | None
    field: str
    before: str | None
    after: str | None
    kind: Literal["written here", "inherited"]
    """Whether it is written on the element, in either version, or comes from around it."""


def changes(base: Definition, definition: Definition) -> Iterator[Change]:
    """All that holds differently, in the order of the newer file; of elements that one alone has, what is written."""
    old, new = _resolved(base), _resolved(definition)
    for id in dict.fromkeys([*new, *old]):
        yield from _changes(id, old.get(id), new.get(id))


@dataclass(frozen=True, slots=True)
class _At:
    name: str | None
    resolved: ResolvedPolicy


def _changes(id: str, old: _At | None, new: _At | None) -> Iterator[Change]:
    if old is not None and new is not None and old.resolved.policy == new.resolved.policy:
        return
    at = new or old
    assert at is not None
    for field in FIELDS:
        before, after = _text(old, field), _text(new, field)
        here = any(each is not None and _is_own(field, id, each.resolved) for each in (old, new))
        if before == after or not (here or (old and new)):
            continue
        kind: Literal["written here", "inherited"] = "written here" if here else "inherited"
        yield Change(element=id, name=at.name, field=field, before=before, after=after, kind=kind)


def _text(at: _At | None, field: str) -> str | None:
    return None if at is None else as_text(field, at.resolved.policy)


def _is_own(field: str, id: str, resolved: ResolvedPolicy) -> bool:
    origin = resolved.origins.get(policy_field(field))
    return origin is not None and origin.element == id


def _resolved(definition: Definition) -> dict[str, _At]:
    found = {process.id: _At(process.name, process.policy) for process in definition.processes.values()}
    for process in definition.processes.values():
        found |= {element.id: _At(element.name, element.resolved) for element in elements(process)}
    return found
