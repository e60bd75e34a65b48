"""A page for each rule of `governor check`: what holds, a model that it finds something in, and one that is right."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final
from xml.dom import minidom

from bpmn.check.catalogue import RULES
from bpmn.check.rule import Rule
from bpmn.findings import Finding
from bpmn.load import load
from docs.make.markdown import code, page, sentence
from tests.bpmn.rule_models import RIGHT, WRONG

_FILE: Final = "process.bpmn"


def pages() -> dict[str, Any]:
    """By path below `docs`, what writes the page of each rule."""
    return {f"reference/rules/{rule.code}.md": (lambda rule=rule: write(rule)) for rule in RULES}


def write(rule: Rule) -> str:
    about = sys.modules[rule.check.__module__].__doc__ or ""
    level = "An error: the file is not run." if rule.severity == "error" else "A warning: the file is run."
    if rule.on_request:
        level += f" Off by default: `governor check --rule {rule.code}`."
    return page(code(rule.code), sentence(about), level, *_wrong(rule), *_right(rule))


def _wrong(rule: Rule) -> Iterator[str]:
    data = next((data for name, data, *_ in WRONG if name == rule.code), None)
    if data is None:
        return
    told = [_told(each) for each in load(data, file=_FILE, rules=(rule.code,)).findings if each.rule == rule.code]
    yield "## What it finds"
    yield _shown(data)
    yield "```text\n" + "\n".join(told) + "\n```"


def _right(rule: Rule) -> Iterator[str]:
    data = next((data for name, data in RIGHT if name == rule.code), None)
    if data is not None:
        yield "## What is right"
        yield _shown(data)


def _told(finding: Finding) -> str:
    """Without the place: lines are those of the model in one piece, not of what is shown."""
    return str(finding).partition(" ")[2]


def _shown(data: bytes) -> str:
    """The inside of the model, a line an element, as far as the rule may be about it."""
    root = minidom.parseString(data).documentElement
    lines: list[str] = []
    for child in root.childNodes:
        if child.nodeType == child.ELEMENT_NODE:
            _tidy(child)
            lines += [line for line in child.toprettyxml(indent="  ").splitlines() if line.strip()]
    return "```xml\n" + "\n".join(lines) + "\n```"


def _tidy(node: Any) -> None:
    for child in list(node.childNodes):
        if child.nodeType == child.TEXT_NODE and not child.data.strip():
            node.removeChild(child)
        elif child.nodeType == child.ELEMENT_NODE:
            _tidy(child)
