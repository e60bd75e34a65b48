"""The parts of a run's result that a sample's `expected.json` holds: no times, no ids, a line for each decision."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.context_names import arm_of

_LONG: Final = 2000
"""Characters of JSON above which a value is told by its size and hash: such values are a sample's data files."""


def compared(result: Mapping[str, Any]) -> dict[str, Any]:
    """What is compared of the object that `governor run --json` ends with."""
    decisions = result["decisions"]
    asked = [each for each in result["interventions"] if each["status"] != "told"]
    return {
        "status": result["status"],
        "variables": {name: _value(value) for name, value in sorted(result["variables"].items())},
        "D1": [f"{each['activity']}: {each['band']}" for each in decisions["D1"]],
        "D2": [f"{each['element']}: {_arms(each['branches'])}" for each in decisions["D2"]],
        "D3": [f"{each['element']}: {_arms(each['branches'])}" for each in decisions["D3"]],
        "conflicts": [_conflict(each) for each in result["conflicts"]],
        "interventions": [_intervention(each) for each in asked],
        "dead_ends": [f"{each['element']}: {each['what']}" for each in result["dead_ends"]],
    }


def text(document: Mapping[str, Any]) -> str:
    """The document as it stands in `expected.json`."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def difference(expected: str, found: str) -> str:
    """What changed, line by line, without what stayed the same; empty if nothing did."""
    lines = difflib.unified_diff(expected.splitlines(), found.splitlines(), "expected", "found", n=1, lineterm="")
    return "\n".join(lines)


def _conflict(conflict: Mapping[str, Any]) -> str:
    winner = conflict.get("winner")
    name = conflict["key"].partition("/")[2] + (conflict["path"] or "")
    how = f"{conflict['strategy']}, {conflict['status']}"
    return f"{conflict['element']}: {name} by {how}" + (f", {_arms([winner])} wins" if winner else "")


def _intervention(asked: Mapping[str, Any]) -> str:
    answer = asked["answer"]
    decided = f"{answer['decision']} by {answer['by']}" if answer else asked["status"]
    return f"{asked['element']}: {asked['kind']}, {asked['level']}, {decided}"


def _arms(branches: Iterable[str]) -> str:
    """Branches by the elements that they led to."""
    arms = ((arm_of(branch), branch) for branch in branches)
    return ", ".join("+".join(arm.to) if arm else branch for arm, branch in arms)


def _value(value: Any) -> Any:
    written = json.dumps(value, sort_keys=True)
    if len(written) <= _LONG:
        return value
    return f"{len(written)} characters of JSON, sha256 {hashlib.sha256(written.encode()).hexdigest()[:16]}"
