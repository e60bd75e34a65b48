"""BPMN files for tests, as small as they can be."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise

from bpmn.definition import Definition, Element, Flow
from bpmn.findings import Finding
from bpmn.load import Loaded, load
from governance.policy import Policy

HEAD = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"'
    ' xmlns:gov="urn:bpmn-governor:governance:1.0"'
    ' xmlns:camunda="http://camunda.org/schema/1.0/bpmn"'
    ' xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t" id="defs"'
)
FILE = "a.bpmn"


def document(content: str, *, attributes: str = "") -> bytes:
    """A file with the given children of `definitions`."""
    return f"{HEAD} {attributes}>\n{content}\n</definitions>".encode()


def process(content: str, *, beside: str = "", attributes: str = 'isExecutable="true"') -> bytes:
    """A file with the process `p`."""
    return document(f'<process id="p" {attributes}>\n{content}\n</process>\n{beside}')


def chain(*elements: str, beside: str = "") -> bytes:
    """A file with the process `p`: a start event `s`, the elements in a row, an end event `e`.

    Elements have an id each; flows are `f0`, `f1` and so on.
    """
    ids = ["s", *(element.split('id="', 1)[1].split('"', 1)[0] for element in elements), "e"]
    links = (flow(f"f{index}", *ends) for index, ends in enumerate(pairwise(ids)))
    return process("\n".join(['<startEvent id="s"/>', *elements, '<endEvent id="e"/>', *links]), beside=beside)


def flow(identifier: str, source: str, target: str, condition: str | None = None) -> str:
    """A sequence flow."""
    inside = "" if condition is None else f"<conditionExpression>{condition}</conditionExpression>"
    return f'<sequenceFlow id="{identifier}" sourceRef="{source}" targetRef="{target}">{inside}</sequenceFlow>'


def policy(content: str) -> str:
    """Extension elements with the given content."""
    return f"<extensionElements>{content}</extensionElements>"


def loaded(
    data: bytes, *, process: str | None = None, settings: Policy | None = None, rules: Collection[str] = ()
) -> Loaded:
    """What loading gives."""
    return load(data, file=FILE, process=process, settings=settings, rules=rules)


def definition(data: bytes) -> Definition:
    """The definition of a file that is right."""
    result = loaded(data)
    assert not result.errors, "\n".join(map(str, result.errors))
    return result.definition


def element(data: bytes, identifier: str = "a") -> Element:
    """One element of the process `p` of a file that is right."""
    return definition(data).processes["p"].scope.elements[identifier]


def flows(data: bytes) -> dict[str, Flow]:
    """The flows of the process `p` of a file that is right."""
    return dict(definition(data).processes["p"].scope.flows)


def rules(findings: Iterable[Finding]) -> set[str]:
    """The rules that found something."""
    return {finding.rule for finding in findings}


def finding(data: bytes, rule: str) -> Finding:
    """The only finding of a rule."""
    every = loaded(data, rules=(rule,)).findings
    found = [one for one in every if one.rule == rule]
    assert len(found) == 1, "\n".join(map(str, every))
    return found[0]
