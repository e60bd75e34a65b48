"""The policy that holds at an element, in words, with the place where each field is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Literal

from bpmn.definition import Definition, Flow, Process
from bpmn.walk import elements, scopes
from engine.names import Names
from engine.told import Told, joined, recorded, told
from governance.policy import ActivityExtensionConfig, Origin, ResolvedPolicy

FIELDS: Final[Mapping[str, tuple[str, str]]] = {
    "working_threshold": ("Working threshold", "{value:,} characters"),
    "window_tokens": ("Model window", "{value:,} tokens"),
    "qts_preset": ("Entries weighed as", "{value}"),
    "zones": ("Zones", "{value}"),
    "retain_keys": ("Retained keys", "{value}"),
    "personal_keys": ("Personal keys", "{value}"),
    "compress_strategy": ("Compression", "{value}"),
    "interaction_level": ("People are involved from", "{value}"),
    "knowledge_requirements": ("Knowledge wanted", "{value}"),
    "split": ("Branches see", "{value}"),
    "merge": ("Merge", "{value}"),
    "merge_keys": ("Merge by key", "{value}"),
    "approval": ("Approval", "{value}"),
    "accountable": ("Accountable", "{value}"),
    "informed": ("Informed", "{value}"),
    "risk_class": ("Risk class", "{value}"),
    "sla": ("Time allowed", "{value}"),
    "retention": ("Kept for", "{value}"),
    "budget": ("Budget", "{value}"),
}
"""What each field is called, and how its value reads."""

_Given = dict[str, tuple[Any, Origin]]
"""Fields that are written somewhere, with their values."""


@dataclass(frozen=True, slots=True)
class PolicyField:
    """One field: what it is called, its value as text, and where it is written."""

    name: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True)
class PolicyView:
    """A policy. `number` names it on a page; elements for which the same holds share it.

    `badge`: whether any field is written on the element itself, around it, or nowhere. `fields` are those written.
    """

    number: int
    badge: Literal["own", "inherited", ""]
    fields: tuple[PolicyField, ...]


class Policies:
    """The policies of a definition, each made once."""

    def __init__(self, definition: Definition, names: Names) -> None:
        self._definition, self._names = definition, names
        self._numbers = count()
        self._views: dict[int, PolicyView] = {}
        self._on: dict[str, PolicyView] = {}
        for process in definition.processes.values():
            for holder, given in _written_around(process).items():
                self._on[holder] = self._view(given, "own", holder)
            for _, scope in scopes(process):
                for flow in scope.flows.values():
                    if flow.policy is not None:
                        self._on[flow.id] = self._view(_on_flow(flow.policy, flow), "own", flow.id)

    def of(self, resolved: ResolvedPolicy) -> PolicyView:
        """What holds where this was resolved."""
        view = self._views.get(id(resolved))
        if view is None:
            given = dict(_given(resolved))
            own = any(origin.kind == "element" for _, origin in given.values())
            view = self._views[id(resolved)] = self._view(given, "own" if own else "inherited" if given else "", None)
        return view

    def on(self, holder: str) -> PolicyView | None:
        """What is written on a lane, process or sequence flow; None: nothing."""
        return self._on.get(holder)

    @property
    def views(self) -> list[PolicyView]:
        """All that were asked for, and those of lanes, processes and flows."""
        return [*self._on.values(), *self._views.values()]

    def _view(self, given: _Given, badge: Literal["own", "inherited", ""], holder: str | None) -> PolicyView:
        fields = (
            PolicyField(told(FIELDS[name][0]), _value(name, given[name][0]), self._origin(given[name][1], holder))
            for name in FIELDS
            if name in given
        )
        return PolicyView(next(self._numbers), badge, tuple(fields))

    def _origin(self, origin: Origin, holder: str | None) -> str:
        here = origin.kind == "element" or origin.element == holder
        where = told("written here")
        if not here:
            where = told("{kind} {name}", kind=told(origin.kind), name=self._holder(origin))
        return told("{where}, line {line}", where=where, line=origin.line) if origin.line else where

    def _holder(self, origin: Origin) -> str:
        if origin.kind == "process":
            return self._names.process(origin.element or "")
        lanes = (process.lanes.get(origin.element or "") for process in self._definition.processes.values())
        lane = next((lane for lane in lanes if lane is not None), None)
        return (lane.name or lane.id) if lane is not None else self._names.element(origin.element)


def _given(resolved: ResolvedPolicy) -> Iterator[tuple[str, tuple[Any, Origin]]]:
    for name, origin in resolved.origins.items():
        if origin.kind != "settings" and name in FIELDS:
            yield name, (getattr(resolved.policy, name), origin)


def _on_flow(policy: ActivityExtensionConfig, flow: Flow) -> _Given:
    """A policy as written on a flow, for flows inherit nothing."""
    given = {name: getattr(policy, name, None) for name in FIELDS}
    if policy.branch_strategy is not None:
        branches = policy.branch_strategy
        given |= {"split": branches.split, "merge": branches.merge, "merge_keys": branches.keys or None}
    origin = Origin(kind="element", element=flow.id, line=flow.line)
    return {name: (value, origin) for name, value in given.items() if value is not None}


def _written_around(process: Process) -> dict[str, _Given]:
    """What is written on a process and its lanes, gathered from the elements that inherit it."""
    found: dict[str, _Given] = {}
    resolved = {id(each): each for each in _policies(process)}
    for each in resolved.values():
        for name, (value, origin) in _given(each):
            if origin.kind in ("lane", "process") and origin.element is not None:
                found.setdefault(origin.element, {})[name] = (value, origin)
    return found


def _policies(process: Process) -> Iterable[ResolvedPolicy]:
    yield process.policy
    for element in elements(process):
        yield element.resolved


def _value(name: str, value: Any) -> str:
    if name == "budget":
        return recorded(value.line) or told("none")
    if name == "approval":
        given = value.model_dump(exclude_defaults=True)
        pairs = (_pair(key, each) for key, each in given.items())
        return joined(pairs, "; ") or told("nobody named")
    if name == "knowledge_requirements":
        return "; ".join(f"{each.count} {each.type}: {each.query}".rstrip(": ") for each in value) or told("none")
    return told(FIELDS[name][1], value=value if isinstance(value, int) else _listed(value))


def _pair(key: str, value: Any) -> Told:
    return told("{why}: {what}", why=told(key.replace("_", " ")), what=_listed(value))


def _listed(value: Any) -> str:
    if isinstance(value, Mapping):
        return joined(told("{key} by {how}", key=key, how=each) for key, each in value.items()) or told("none")
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or told("none")
    return told("none") if value is None else told(str(value))
