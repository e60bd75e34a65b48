"""What a designer asks while people draw: what holds where, what is wrong, and how it differs from what stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpmn.definition import Definition
from bpmn.designer.shown import shown
from bpmn.errors import BpmnError
from bpmn.findings import unreadable
from bpmn.load import load
from engine.people import agreement
from engine.server.designer.desk import Desk

_NOTHING: Final[Mapping[str, Any]] = {"policies": [], "holds": {}, "foreign": {}}


def look(data: bytes, desk: Desk) -> dict[str, Any]:
    """As `shown`; a file that cannot be read has one finding, and nothing holds in it."""
    try:
        return shown(data, desk.name, desk.decisions())
    except BpmnError as error:
        return {**_NOTHING, "findings": [unreadable(error).to_json()]}


def compare(data: bytes, desk: Desk) -> dict[str, Any]:
    """The design-time review of a file against what stands. Raises BpmnError for a file that cannot be read."""
    loaded = load(data, file=desk.name, decisions=desk.decisions())
    return agreement.compare(loaded, _standing(desk))


def _standing(desk: Desk) -> Definition | None:
    """What stands; None where that is nothing, or nothing that can be read: then everything is new."""
    try:
        data = desk.standing()
        return None if data is None else load(data, file=desk.name, decisions=desk.decisions()).definition
    except BpmnError:
        return None
