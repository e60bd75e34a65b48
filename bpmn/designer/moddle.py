"""The moddle descriptor, with which bpmn.io's tools keep policies when elements are copied or change their type.

No property has a default: a value that equals a default would not be written. A later version adds attributes, or uses
`gov:setting`, which is there from the beginning: older descriptors drop child elements that they do not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pydantic import BaseModel

from bpmn.designer.vocabulary import PARTS, offered
from bpmn.namespaces import GOV
from bpmn.policies.fields import FIELDS, OTHER_ATTRIBUTES, camel, choices
from bpmn.reader.agents import FIELDS as AGENT_FIELDS
from governance.policy import BranchStrategy

_BEARERS: Final = ["bpmn:FlowNode", "bpmn:SequenceFlow", "bpmn:Process", "bpmn:Lane", "bpmn:Participant"]
_DONE_BY_AGENTS: Final = ["bpmn:Activity"]


def moddle() -> dict[str, Any]:
    """The descriptor as JSON values."""
    attributes = [field for field in offered() if "." not in field.name and field.name not in _CHILDREN]
    policy = [_attribute(field.name, "Integer" if field.is_number else "String") for field in attributes]
    return {
        "name": "Governance",
        "uri": GOV,
        "prefix": "gov",
        "xml": {"tagAlias": "lowerCase"},
        "associations": [],
        "types": [
            _type("Policy", [*policy, *_children()], meta={"allowedIn": _BEARERS}),
            _type("Agent", [_attribute(name, "String") for name in AGENT_FIELDS], meta={"allowedIn": _DONE_BY_AGENTS}),
            _type("Setting", [_attribute("name", "String"), _attribute("value", "String")]),
            _type("RetainKey", [_attribute("name", "String")]),
            _type("MergeKey", [_attribute("name", "String"), _attribute("strategy", "String")]),
            _type("BranchStrategy", [_attribute("split", "String"), _attribute("merge", "String")]),
            *(_type(name[0].upper() + name[1:], [*_fields(model), *_text(name)]) for name, model in PARTS.items()),
            *_on_elements(),
        ],
        "enumerations": [
            *(
                {"name": field.name[0].upper() + field.name[1:], "literalValues": _literals(field.values)}
                for field in attributes
                if field.values
            ),
            {"name": "SplitStrategy", "literalValues": _literals(choices(BranchStrategy, "split"))},
            {"name": "MergeStrategy", "literalValues": _literals(choices(BranchStrategy, "merge"))},
        ],
    }


_CHILDREN: Final = ("retainKeys", "knowledgeRequirements")


def _children() -> list[dict[str, Any]]:
    many = {"retainKeys": "RetainKey", "mergeKeys": "MergeKey", "knowledgeRequirements": "KnowledgeRequirement"}
    return [
        *({"name": name, "type": type, "isMany": True} for name, type in many.items()),
        {"name": "branchStrategy", "type": "BranchStrategy"},
        {"name": "approval", "type": "Approval"},
        {"name": "settings", "type": "Setting", "isMany": True},
    ]


def _fields(model: type[BaseModel]) -> list[dict[str, Any]]:
    return [_attribute(camel(name), "String") for name in model.model_fields]


def _text(name: str) -> list[dict[str, Any]]:
    """A requirement's query may be the text of its element."""
    return [{"name": "text", "isBody": True, "type": "String"}] if name == "knowledgeRequirement" else []


def _on_elements() -> Iterator[dict[str, Any]]:
    """`gov:` attributes of BPMN's own elements: fields of a policy, and what else is said so."""
    bearers = [kind for kind in _BEARERS if kind != "bpmn:Participant"]
    yield {"name": "Governed", "extends": bearers, "properties": [_attribute(name, "String") for name in FIELDS]}
    by_kinds: dict[tuple[str, ...], list[str]] = {}
    for name, kinds in OTHER_ATTRIBUTES.items():
        by_kinds.setdefault(tuple(sorted(f"bpmn:{kind[0].upper()}{kind[1:]}" for kind in kinds)), []).append(name)
    for number, (types, names) in enumerate(by_kinds.items(), 1):
        yield {"name": f"Said{number}", "extends": list(types), "properties": [_attribute(n, "String") for n in names]}


def _type(name: str, properties: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"name": name, "superClass": ["Element"], **more, "properties": properties}


def _attribute(name: str, type: str) -> dict[str, Any]:
    return {"name": name, "isAttr": True, "type": type}


def _literals(values: Any) -> list[dict[str, str]]:
    return [{"name": value} for value in values]
