"""The policies of a definition as a matrix: activities and gateways by dimensions, resolved, each with its origin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpmn.definition import Definition, Element
from bpmn.walk import elements

_ACTIVITIES: Final = ("task", "subprocess", "callactivity", "transaction")
_GATEWAYS: Final = frozenset({"parallelGateway", "inclusiveGateway", "complexGateway"})


def governed(definition: Definition, process: str) -> Iterator[Element]:
    """Activities, and the gateways at which branches split and come together."""
    for element in elements(definition.processes[process]):
        if element.kind.lower().endswith(_ACTIVITIES) or element.kind in _GATEWAYS:
            yield element


def policy_rows(definition: Definition) -> list[dict[str, Any]]:
    """One JSON object per governed element, of all processes."""
    return [
        {
            "process": process,
            "element": element.id,
            "name": element.name,
            "kind": element.kind,
            "line": element.line,
            **element.resolved.model_dump(mode="json"),
        }
        for process in definition.processes
        for element in governed(definition, process)
    ]
