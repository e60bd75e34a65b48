"""Test cases in the form of the DMN TCK: inputs, and what decisions must come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from bpmn.expressions.feel.values.compare import equal
from bpmn.expressions.feel.values.reading import read_date, read_datetime, read_duration, read_time
from bpmn.namespaces import split
from bpmn.reader.source import Limits
from bpmn.reader.xml import Xml, parse_xml

PRECISION: Final = Decimal("1e-8")
"""How far a number may be from the expected one, as in the TCK's own runners."""

_TYPE: Final = "{http://www.w3.org/2001/XMLSchema-instance}type"
_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "decimal": Decimal,
    "double": Decimal,
    "float": Decimal,
    "integer": Decimal,
    "int": Decimal,
    "long": Decimal,
    "boolean": lambda text: text in ("true", "1"),
    "date": read_date,
    "time": read_time,
    "dateTime": read_datetime,
    "duration": read_duration,
}


@dataclass(frozen=True, slots=True)
class Expected:
    """A result: of a decision, or of an output of the service that the case invokes."""

    name: str
    value: Any
    error: bool
    """Whether the result is null because of an error; then raising is right too."""


@dataclass(frozen=True, slots=True)
class Case:
    """`invoked` is the decision service or knowledge model that is; None: each result's decision is."""

    id: str
    invoked: str | None
    inputs: Mapping[str, Any]
    results: tuple[Expected, ...]


@dataclass(frozen=True, slots=True)
class Suite:
    """A file of cases for a model."""

    file: Path
    model: str
    cases: tuple[Case, ...]


def suites(folder: Path) -> Iterator[Suite]:
    """All files of cases below a folder, in order."""
    for file in sorted(folder.rglob("*.xml")):
        root = parse_xml(file.read_bytes(), str(file), Limits())
        if split(str(root.tag))[1] == "testCases":
            model = "".join(_text(node) for node in _children(root, "modelName"))
            yield Suite(file, model, tuple(_case(node) for node in _children(root, "testCase")))


def agree(expected: Any, found: Any) -> bool:
    """Whether a value is the expected one: numbers nearly, everything else exactly."""
    if type(expected) is Decimal and type(found) is Decimal:
        return abs(expected - found) <= PRECISION * max(Decimal(1), abs(expected))
    if type(expected) is list and type(found) is list:
        return len(expected) == len(found) and all(map(agree, expected, found))
    if type(expected) is dict and type(found) is dict:
        return expected.keys() == found.keys() and all(agree(value, found[key]) for key, value in expected.items())
    return expected is found or equal(expected, found) is True


def _case(node: Xml) -> Case:
    invoked = node.get("invocableName") if node.get("type") in ("decisionService", "bkm") else None
    return Case(
        id=node.get("id", ""),
        invoked=invoked,
        inputs={child.get("name", ""): _value(child) for child in _children(node, "inputNode")},
        results=tuple(_result(child) for child in _children(node, "resultNode")),
    )


def _result(node: Xml) -> Expected:
    expected = _children(node, "expected")
    value = _value(expected[0]) if expected else None
    return Expected(node.get("name", ""), value, node.get("errorResult") == "true")


def _value(node: Xml) -> Any:
    """A value, a list or a context, as FEEL has it."""
    lists, components = _children(node, "list"), _children(node, "component")
    if lists:
        return [_value(item) for item in _children(lists[0], "item")]
    if components:
        return {component.get("name", ""): _value(component) for component in components}
    return next((_scalar(value) for value in _children(node, "value")), None)


def _scalar(node: Xml) -> Any:
    if node.get("{http://www.w3.org/2001/XMLSchema-instance}nil") in ("true", "1"):
        return None
    kind = node.get(_TYPE, "string").rpartition(":")[2]
    text = _text(node)
    return _READERS[kind](text.strip()) if kind in _READERS else text


def _text(node: Xml) -> str:
    return "".join(str(part) for part in node.itertext())


def _children(node: Xml, name: str) -> list[Xml]:
    return [child for child in node if split(str(child.tag))[1] == name]
