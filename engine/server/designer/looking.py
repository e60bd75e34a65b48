"""What a designer asks while people draw: what holds where, what is wrong, and how it differs from what stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from typing import Any, Final

from bpmn.definition import Definition
from bpmn.designer.shown import shown
from bpmn.errors import BpmnError
from bpmn.findings import unreadable
from bpmn.load import Loaded, load
from bpmn.policies.compare import changes
from engine.json_text import compact
from engine.people.design_review import review
from engine.server.designer.desk import Desk

_NOTHING: Final[Mapping[str, Any]] = {"policies": [], "holds": {}, "foreign": {}}


def look(data: bytes, desk: Desk) -> dict[str, Any]:
    """As `shown`; a file that cannot be read has one finding, and nothing holds in it."""
    try:
        return shown(data, desk.name, desk.decisions())
    except BpmnError as error:
        return {**_NOTHING, "findings": [unreadable(error).to_json()]}


def compare(data: bytes, desk: Desk) -> dict[str, Any]:
    """The design-time review of a file against what stands, as JSON values, and the policies that change.

    `seen` is the hash of all that: who agrees to it, names it. Raises BpmnError for a file that cannot be read.
    """
    loaded = load(data, file=desk.name, decisions=desk.decisions())
    base = _standing(desk)
    told = {
        "review": review(loaded.definition, loaded.findings, base).to_json(),
        "changes": [] if base is None else [asdict(each) for each in changes(base, loaded.definition)],
        "errors": [each.to_json() for each in loaded.errors],
        "warnings": _warnings(loaded),
        "is_first": base is None,
    }
    return {**told, "seen": sha256(compact(told).encode()).hexdigest()}


def _standing(desk: Desk) -> Definition | None:
    """What stands; None where that is nothing, or nothing that can be read: then everything is new."""
    try:
        data = desk.standing()
        return None if data is None else load(data, file=desk.name, decisions=desk.decisions()).definition
    except BpmnError:
        return None


def _warnings(loaded: Loaded) -> list[dict[str, Any]]:
    return [each.to_json() for each in loaded.findings if each.severity == "warning"]
