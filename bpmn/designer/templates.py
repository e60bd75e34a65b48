"""Element templates for Camunda Modeler: policies in one form for Camunda 8, one for Camunda 7 and its family.

Applying a template of Camunda 7 overwrites what stood there: every field it has is written, blank ones too, which the
engine reads as inherited. For Camunda 8 every field is optional and only what is filled in is written. None has an
icon: it would be copied into every element.
"""

from __future__ import annotations

from typing import Any, Final

from bpmn.designer.vocabulary import OfferedField, offered

_ACTIVITIES: Final = ["bpmn:Task", "bpmn:UserTask", "bpmn:ServiceTask", "bpmn:ScriptTask", "bpmn:SendTask",
                      "bpmn:BusinessRuleTask", "bpmn:CallActivity", "bpmn:SubProcess"]  # fmt: skip
_OTHERS: Final = ["bpmn:ParallelGateway", "bpmn:InclusiveGateway", "bpmn:Process"]
_GROUP: Final = {"id": "governance", "label": "Governance"}
_VERSION: Final = 1
_OVERWRITES: Final = (
    "Applying this template overwrites the policy that the element has: blank fields are inherited again."
)


def camunda_8() -> list[dict[str, Any]]:
    """Templates that write `zeebe:property`."""
    return [
        {
            "$schema": "https://unpkg.com/@camunda/zeebe-element-templates-json-schema/resources/schema.json",
            "name": "Governed activity",
            "id": "governor.policy.activity",
            "version": _VERSION,
            "description": "What an agent sees, and when people are asked.",
            "appliesTo": _ACTIVITIES,
            "groups": [_GROUP],
            "properties": [_camunda_8(field) for field in offered()],
        },
        {
            "$schema": "https://unpkg.com/@camunda/zeebe-element-templates-json-schema/resources/schema.json",
            "name": "Governed process or gateway",
            "id": "governor.policy.scope",
            "version": _VERSION,
            "description": "A policy for all activities in it, or for the branches of a gateway.",
            "appliesTo": _OTHERS,
            "groups": [_GROUP],
            "properties": [_camunda_8(field) for field in offered()],
        },
    ]


def camunda_7() -> list[dict[str, Any]]:
    """A template that writes `camunda:property`; Operaton and CIB seven read the same."""
    return [
        {
            "$schema": "https://unpkg.com/@camunda/element-templates-json-schema/resources/schema.json",
            "name": "Governed activity",
            "id": "governor.policy.activity",
            "version": _VERSION,
            "description": _OVERWRITES,
            "appliesTo": _ACTIVITIES,
            "groups": [_GROUP],
            "properties": [_camunda_7(field) for field in offered()],
        }
    ]


def _camunda_8(field: OfferedField) -> dict[str, Any]:
    kind = "Dropdown" if field.values else "Text" if field.name == "knowledgeRequirements" else "String"
    written = {**_property(field, kind, "zeebe:property"), "optional": True}
    if "constraints" in written:
        # What is optional may have constraints only if they say that it may be blank.
        written["constraints"] = {"notEmpty": False, **written["constraints"]}
    return written


def _camunda_7(field: OfferedField) -> dict[str, Any]:
    """`camunda:property` allows only String and Dropdown; the first choice is that there is none."""
    written = _property(field, "Dropdown" if field.values else "String", "camunda:property")
    if field.values:
        written["choices"] = [{"name": "(inherited)", "value": ""}, *written["choices"]]
        written["value"] = ""
    return written


def _property(field: OfferedField, kind: str, binding: str) -> dict[str, Any]:
    written: dict[str, Any] = {
        "label": field.label,
        "description": field.description,
        "type": kind,
        "group": _GROUP["id"],
        "binding": {"type": binding, "name": f"gov:{field.name}"},
    }
    if field.values:
        written["choices"] = [{"name": value, "value": value} for value in field.values]
    if field.is_number:
        written["constraints"] = {"pattern": {"value": "^([1-9][0-9]*)?$", "message": "a whole number from 1"}}
    return written
