"""Runs the rules over a definition."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from bpmn.check.catalogue import RULES
from bpmn.check.rule import Place, Rule
from bpmn.definition import Definition
from bpmn.findings import Finding
from bpmn.walk import entered, scopes


def check(
    definition: Definition, rules: Sequence[Rule] = RULES, *, asked: Collection[str] = ()
) -> tuple[Finding, ...]:
    """What the rules find; `asked` are codes of those that run on request only.

    Where a main process is chosen, errors in processes it never enters are warnings.
    """
    inside = entered(definition)
    rules = [rule for rule in rules if not rule.on_request or rule.code in asked]
    return tuple(
        _softened(finding, process) if inside and process not in inside else finding
        for process, finding in _findings(definition, rules)
    )


def _findings(definition: Definition, rules: Sequence[Rule]) -> Iterator[tuple[str, Finding]]:
    for process in definition.processes.values():
        for holder, scope in scopes(process):
            place = Place(definition=definition, process=process, holder=holder, scope=scope)
            for rule in rules:
                for problem in rule.check(place):
                    finding = Finding(
                        rule=rule.code,
                        severity=rule.severity,
                        file=definition.file,
                        message=problem.message,
                        element=problem.element,
                        line=problem.line,
                        found=problem.found,
                        allowed=problem.allowed,
                    )
                    yield process.id, finding


def _softened(finding: Finding, process: str) -> Finding:
    if finding.severity == "warning":
        return finding
    return replace(finding, severity="warning", message=f"{finding.message} (process {process} is not entered)")
