"""Findings as SARIF, which code scanning reads.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Final
from urllib.parse import quote

from bpmn.findings import Finding
from engine.startup import DISTRIBUTION

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    """A log of one run, with the rules that found something."""
    rules = sorted({finding.rule for finding in findings})
    driver = {"name": "governor", "version": version(DISTRIBUTION), "rules": [{"id": rule} for rule in rules]}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(each, rules.index(each.rule)) for each in findings]}],
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(finding.file)}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    location: dict[str, Any] = {"physicalLocation": place}
    if finding.element:
        location["logicalLocations"] = [{"name": finding.element, "kind": "element"}]
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": _text(finding)},
        "locations": [location],
    }


def _text(finding: Finding) -> str:
    found = f"; found {finding.found}" if finding.found is not None else ""
    allowed = f"; allowed: {', '.join(finding.allowed)}" if finding.allowed else ""
    return f"{finding.message}{found}{allowed}"
