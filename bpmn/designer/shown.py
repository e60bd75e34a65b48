"""What a designer shows of a file beside its drawing: what holds at each element, from where, and what was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

from bpmn.definition import Process
from bpmn.load import load
from bpmn.policies.collect import Collector
from bpmn.policies.compose import Written
from bpmn.policies.dialects import DIALECTS
from bpmn.policies.fields import FIELDS
from bpmn.policies.resolve import Level, resolve
from bpmn.policies.text import as_text, policy_field
from bpmn.reader.extensions import extended
from bpmn.reader.source import Limits
from bpmn.reader.xml import Xml, parse
from bpmn.walk import elements
from governance.policy import Policy, ResolvedPolicy

_OWN = "gov:"


def shown(data: bytes, file: str, decisions: Sequence[str | PathLike[str]] = ()) -> dict[str, Any]:
    """As JSON values: `findings`; `policies`, each once; `holds`, by element id the number of its policy; `foreign`.

    A policy is, by the names of `FIELDS`, a `value` as text and an `origin` (None: a default). `holds` has processes,
    lanes and flow nodes. `foreign` tells, by element and field, in which vendor's form a field is written. Raises
    BpmnError for what cannot be read at all.
    """
    loaded = load(data, file=file, decisions=decisions)
    root = parse(data, file, Limits())
    numbers = _Numbered()
    holds: dict[str, int] = {}
    written = Collector(file).collect(root)
    for process in loaded.definition.processes.values():
        holds[process.id] = numbers.of(process.policy)
        holds |= {id: numbers.of(policy) for id, policy in _lanes(process, written)}
        holds |= {element.id: numbers.of(element.resolved) for element in elements(process)}
    return {
        "findings": [finding.to_json() for finding in loaded.findings],
        "policies": numbers.told,
        "holds": holds,
        "foreign": _foreign(root),
    }


class _Numbered:
    """Policies, each told once; elements for which the same holds share one."""

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[int, ResolvedPolicy]] = {}
        self.told: list[dict[str, Any]] = []

    def of(self, resolved: ResolvedPolicy) -> int:
        if id(resolved) not in self._numbers:
            self._numbers[id(resolved)] = len(self.told), resolved
            self.told.append({name: _field(name, resolved) for name in FIELDS})
        return self._numbers[id(resolved)][0]


def _field(name: str, resolved: ResolvedPolicy) -> dict[str, Any]:
    origin = resolved.origins.get(policy_field(name))
    is_default = origin is None or origin.element is None
    return {
        "value": as_text(name, resolved.policy),
        "origin": None if is_default or origin is None else origin.model_dump(mode="json"),
    }


def _lanes(process: Process, written: Mapping[str, Written]) -> Iterator[tuple[str, ResolvedPolicy]]:
    """What holds in each lane: what is written on it, on lanes around it, and on the process."""
    for id in process.lanes:
        levels, lane = [], process.lanes.get(id)
        while lane is not None:
            levels += [Level("lane", written[lane.id])] if lane.id in written else []
            lane = process.lanes.get(lane.parent or "")
        levels += [Level("process", written[process.id])] if process.id in written else []
        yield id, resolve(levels, Policy())


def _foreign(root: Xml) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for element in extended(root):
        for dialect in DIALECTS:
            for setting in dialect(element):
                if setting.name in FIELDS and not setting.source.startswith(_OWN):
                    found.setdefault(element.get("id", ""), {})[setting.name] = setting.source
    return found
