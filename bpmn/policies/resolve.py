"""Resolution: element > sub-process > lane > process > settings, each field on its own, with its origin.

Scopes nest: an element's own lane and the sub-process around it come before the lane of that sub-process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from bpmn.definition import Definition, Element, Flow, Lane, Process, Scope
from bpmn.policies.compose import Written
from governance.policy import ActivityExtensionConfig, Approval, Origin, Policy, ResolvedPolicy

Kind = Literal["element", "sub-process", "lane", "process"]


@dataclass(frozen=True, slots=True)
class Level:
    """A policy on the way from an element outwards, and what kind of thing it is written on."""

    kind: Kind
    written: Written


def resolve(levels: Sequence[Level], settings: Policy) -> ResolvedPolicy:
    """The policy that holds where `levels` (innermost first) are written around an element."""
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for level in levels:
        written = level.written
        for field, value in _fields(written.config):
            if field == "approval":
                value = _beneath(values.get(field), value)
            if field == "approval" or field not in values:
                values[field] = value
            if field not in origins:
                origins[field] = Origin(element=written.element, kind=level.kind, line=written.lines.get(field))
    if "approval" in values:
        values["approval"] = _beneath(values["approval"], settings.approval)
    unset = Origin()
    return ResolvedPolicy(
        policy=settings.model_copy(update=values),
        origins={field: origins.get(field, unset) for field in Policy.model_fields},
    )


def _beneath(inner: Approval | None, outer: Approval) -> Approval:
    """What is written inside, and for the rest what holds around it: who adds a time to answer drops no role."""
    if inner is None:
        return outer
    return outer.model_copy(update={name: getattr(inner, name) for name in inner.model_fields_set})


def _fields(config: ActivityExtensionConfig) -> list[tuple[str, Any]]:
    """The fields of `Policy` that a config sets."""
    branches = config.branch_strategy
    values = {
        **{field: getattr(config, field) for field in Policy.model_fields if field in type(config).model_fields},
        "split": branches and branches.split,
        "merge": branches and branches.merge,
        "merge_keys": (branches and branches.keys) or None,
    }
    return [(field, value) for field, value in values.items() if value is not None]


class PolicyResolver:
    """Puts resolved policies into a definition. Elements for which the same holds share one object."""

    def __init__(self, written: Mapping[str, Written], settings: Policy) -> None:
        self._written, self._settings = written, settings
        self._shared: dict[tuple[tuple[str, str], ...], ResolvedPolicy] = {}

    def apply(self, definition: Definition) -> Definition:
        """The definition with `resolved` on every element, `policy` on processes and flows."""
        processes = {identifier: self._process(process) for identifier, process in definition.processes.items()}
        return replace(definition, processes=processes)

    def _process(self, process: Process) -> Process:
        around = self._level("process", process.id)
        return replace(process, policy=self._resolved(around), scope=self._scope(process.scope, around, process.lanes))

    def _scope(self, scope: Scope, around: tuple[Level, ...], lanes: Mapping[str, Lane]) -> Scope:
        elements = {
            identifier: self._element(element, self._lane_levels(element.lane, lanes) + around, lanes)
            for identifier, element in scope.elements.items()
        }
        return replace(scope, elements=elements, flows={key: self._flow(flow) for key, flow in scope.flows.items()})

    def _element(self, element: Element, around: tuple[Level, ...], lanes: Mapping[str, Lane]) -> Element:
        resolved = self._resolved(self._level("element", element.id) + around)
        if element.scope is None:
            return replace(element, resolved=resolved)
        inside = self._level("sub-process", element.id) + around
        return replace(element, resolved=resolved, scope=self._scope(element.scope, inside, lanes))

    def _flow(self, flow: Flow) -> Flow:
        written = self._written.get(flow.id)
        return flow if written is None else replace(flow, policy=written.config)

    def _level(self, kind: Kind, identifier: str) -> tuple[Level, ...]:
        written = self._written.get(identifier)
        return () if written is None else (Level(kind, written),)

    def _lane_levels(self, lane: str | None, lanes: Mapping[str, Lane]) -> tuple[Level, ...]:
        levels: tuple[Level, ...] = ()
        while lane is not None and lane in lanes:
            levels += self._level("lane", lane)
            lane = lanes[lane].parent
        return levels

    def _resolved(self, levels: tuple[Level, ...]) -> ResolvedPolicy:
        key = tuple((level.kind, level.written.element) for level in levels)
        if key not in self._shared:
            self._shared[key] = resolve(levels, self._settings)
        return self._shared[key]
