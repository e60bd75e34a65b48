"""What a file says and nothing here follows: told, never skipped without a word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpmn.namespaces import ACTIVITI, BPMN, CAMUNDA, FLOWABLE, OPERATON, SPIFFWORKFLOW, ZEEBE, qualified, split
from bpmn.reader.extensions import extended, extensions
from bpmn.reader.forms import FORMS, HAVE_FORMS
from bpmn.reader.listeners import LISTENED_TO, LISTENERS
from bpmn.reader.reading import Reading
from bpmn.reader.xml import Xml, local_name

_VENDORS: Final = {
    CAMUNDA: "camunda",
    OPERATON: "operaton",
    ZEEBE: "zeebe",
    FLOWABLE: "flowable",
    ACTIVITI: "activiti",
    SPIFFWORKFLOW: "spiffworkflow",
}
_READ: Final = frozenset(
    {
        "assignee",
        "assignmentDefinition",
        "calledDecision",
        "calledDecisionId",
        "calledElement",
        "candidateGroups",
        "candidateUsers",
        "class",
        "collection",
        "decisionRef",
        "decisionRefBinding",
        "delegateExpression",
        "dueDate",
        "elementVariable",
        "expression",
        "field",
        "in",
        "inheritVariables",
        "inputOutput",
        "ioMapping",
        "loopCharacteristics",
        "mapDecisionResult",
        "out",
        "resultVariable",
        "resultVariableName",
        "script",
        "serviceTaskOperator",
        "property",
        "taskHeaders",
        "taskMetadataValues",
        "taskDefinition",
        "taskSchedule",
        "topic",
    }
)
"""Names of the vendors' that the reader reads where they mean something."""
_WITHOUT_EFFECT: Final = frozenset(
    {
        "async",
        "asyncAfter",
        "asyncBefore",
        "diagramRelationId",
        "exclusive",
        "historyTimeToLive",
        "modelerTemplate",
        "modelerTemplateIcon",
        "modelerTemplateVersion",
        "properties",
        "type",
        "unitTests",
        "versionTag",
    }
)
"""Names of the vendors' that change nothing in how an instance goes on, or only together with others."""

_STANDARD: Final = (
    "assignment",
    "humanPerformer",
    "performer",
    "potentialOwner",
    "transformation",
)
"""Elements of BPMN itself that have a meaning when run."""


def report_ignored(reading: Reading) -> None:
    """A warning for each vendor's extension and each standard element that is not followed."""
    for node in reading.root.iter(*(qualified(BPMN, name) for name in _STANDARD)):
        _report(reading, node, split(str(node.tag))[1])
    for element in extended(reading.root):
        for namespace, name in _extensions_of(element):
            if namespace in _VENDORS and name not in _READ | _WITHOUT_EFFECT | _with(element, namespace):
                _report(reading, element, f"{_VENDORS[namespace]}:{name}")


def _extensions_of(element: Xml) -> Iterator[tuple[str, str]]:
    yield from (split(str(name)) for name in element.keys() if str(name)[0] == "{")  # noqa: SIM118 - no dict
    yield from (split(str(child.tag)) for child in extensions(element))


def _with(element: Xml, namespace: str) -> frozenset[str]:
    """Names that are followed because of what the element is, or asks for."""
    kind = local_name(element)
    followed = LISTENERS if kind in LISTENED_TO else frozenset()
    if kind in HAVE_FORMS:
        followed |= FORMS
    if kind == "message":
        followed |= {"messagePayload", "messageVariable"}
    if kind == "process":
        followed |= {"userTaskForm"}
    if element.get(qualified(namespace, "decisionRef")) is not None:
        followed |= {"resultVariable"}
    if element.get(qualified(FLOWABLE, "type")) == "dmn":
        followed |= {"field"}
    return followed


def _report(reading: Reading, node: Xml, name: str) -> None:
    reading.warning("ignored", f"{name} is not followed", node, found=name)
