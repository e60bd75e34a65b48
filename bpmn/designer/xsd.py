"""The XML schema of what stands in the namespace of governance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pydantic import BaseModel

from bpmn.designer.vocabulary import PARTS, offered
from bpmn.namespaces import GOV
from bpmn.policies.fields import camel, choices
from bpmn.reader.agents import FIELDS as AGENT_FIELDS
from governance.policy import BranchStrategy

_XS: Final = "http://www.w3.org/2001/XMLSchema"


def xsd() -> str:
    """The schema as text: `gov:policy`, `gov:setting` and `gov:agent`, and what is in them."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<xs:schema xmlns:xs="{_XS}" xmlns="{GOV}" targetNamespace="{GOV}" elementFormDefault="qualified">'
    yield from _policy()
    yield from _empty("setting", ['<xs:attribute name="name" use="required"/>', '<xs:attribute name="value"/>'], "  ")
    yield from _empty("agent", [f'<xs:attribute name="{name}"/>' for name in AGENT_FIELDS], "  ")
    yield "</xs:schema>"


def _policy() -> Iterator[str]:
    yield '  <xs:element name="policy">'
    yield "    <xs:complexType>"
    yield '      <xs:choice minOccurs="0" maxOccurs="unbounded">'
    yield from _empty("retainKey", ['<xs:attribute name="name" use="required"/>'], "        ")
    strategy = _enumerated("strategy", choices(BranchStrategy, "merge"))
    yield from _empty("mergeKey", ['<xs:attribute name="name" use="required"/>', *strategy], "        ")
    branches = [line for name in ("split", "merge") for line in _enumerated(name, choices(BranchStrategy, name))]
    yield from _empty("branchStrategy", branches, "        ")
    for name, model in PARTS.items():
        yield from _part(name, model)
    yield '        <xs:element ref="setting"/>'
    yield "      </xs:choice>"
    for field in offered():
        if "." not in field.name:
            yield from _indented(_field(field.name, field.values, field.is_number), "      ")
    yield "    </xs:complexType>"
    yield "  </xs:element>"


def _part(name: str, model: type[BaseModel]) -> Iterator[str]:
    """Knowledge may also have its query as text."""
    attributes = [f'<xs:attribute name="{camel(field)}"/>' for field in model.model_fields]
    yield f'        <xs:element name="{name}">'
    yield '          <xs:complexType mixed="true">'
    yield from _indented(attributes, "            ")
    yield "          </xs:complexType>"
    yield "        </xs:element>"


def _field(name: str, values: Sequence[str], is_number: bool) -> list[str]:
    if values:
        return _enumerated(name, values)
    return [f'<xs:attribute name="{name}" type="xs:{"positiveInteger" if is_number else "string"}"/>']


def _enumerated(name: str, values: Sequence[str]) -> list[str]:
    return [
        f'<xs:attribute name="{name}">',
        "  <xs:simpleType>",
        '    <xs:restriction base="xs:string">',
        *(f'      <xs:enumeration value="{value}"/>' for value in values),
        "    </xs:restriction>",
        "  </xs:simpleType>",
        "</xs:attribute>",
    ]


def _empty(name: str, attributes: Sequence[str], indent: str) -> Iterator[str]:
    yield f'{indent}<xs:element name="{name}">'
    yield f"{indent}  <xs:complexType>"
    yield from _indented(attributes, f"{indent}    ")
    yield f"{indent}  </xs:complexType>"
    yield f"{indent}</xs:element>"


def _indented(lines: Sequence[str], indent: str) -> Iterator[str]:
    yield from (f"{indent}{line}" for line in lines)
