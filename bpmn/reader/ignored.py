"""What a file says and nothing here follows: told, never skipped without a word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpmn.namespaces import ACTIVITI, BPMN, CAMUNDA, FLOWABLE, OPERATON, SPIFFWORKFLOW, ZEEBE, qualified, split
from bpmn.reader.extensions import extended, extensions
from bpmn.reader.forms import FORMS, HAVE_FORMS
from bpmn.reader.kinds import EVENTS
from bpmn.reader.listeners import LISTENED_TO, LISTENERS
from bpmn.reader.performers import ROLES, is_followed, resources_of
from bpmn.reader.reading import Reading
from bpmn.reader.xml import Xml, attribute, local_name

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
        "connector",
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
        "type",
    }
)
"""Names of the vendors' that the reader reads where they mean something."""
_OF_EVENTS: Final = frozenset({"in", "inputOutput", "ioMapping", "out", "property", "taskMetadataValues"})
"""Of these, those that it reads of events."""
_OF_DEFINITIONS: Final = {
    "errorEventDefinition": frozenset({"errorCodeVariable", "errorMessageVariable", "errorVariableName"}),
    "escalationEventDefinition": frozenset({"escalationCodeVariable"}),
}
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
        "unitTests",
        "userTask",
        "versionTag",
    }
)
"""Names of the vendors' that change nothing in how an instance goes on, or only together with others."""

_STANDARD: Final = ROLES
"""Elements of BPMN itself that have a meaning when run, and may not be followed."""


def report_ignored(reading: Reading) -> None:
    """A warning for each vendor's extension and each standard element that is not followed."""
    resources = resources_of(reading.root)
    for node in reading.root.iter(*(qualified(BPMN, name) for name in _STANDARD)):
        name = split(str(node.tag))[1]
        if name not in ROLES or not is_followed(node, resources):
            _report(reading, node, name)
    for node in reading.root.iterchildren(qualified(BPMN, "import")):
        if attribute(node, "importType") == BPMN:  # WSDL and XML Schema say nothing that is run
            message = "the file that is imported is not read: what it defines has to stand in this one"
            reading.warning("ignored", message, node, found=attribute(node, "location"))
    for element in extended(reading.root):
        for namespace, name in _extensions_of(element):
            if namespace in _VENDORS and name not in _read_of(element) | _WITHOUT_EFFECT | _with(element, namespace):
                _report(reading, element, f"{_VENDORS[namespace]}:{name}")


def _read_of(element: Xml) -> frozenset[str]:
    """The names that are read where this element has them."""
    kind = local_name(element) or ""
    if kind.endswith("EventDefinition"):
        return _OF_DEFINITIONS.get(kind, frozenset())
    return _OF_EVENTS if kind in EVENTS else _READ


def _extensions_of(element: Xml) -> Iterator[tuple[str, str]]:
    yield from (split(str(name)) for name in element.keys() if str(name)[0] == "{")  # noqa: SIM118 - no dict
    yield from (split(str(child.tag)) for child in extensions(element))


def _with(element: Xml, namespace: str) -> frozenset[str]:
    """Names that are followed because of what the element is, or asks for."""
    kind = local_name(element)
    followed = LISTENERS if kind in LISTENED_TO else frozenset()
    if kind in HAVE_FORMS:
        followed |= FORMS
    if kind == "startEvent":
        followed |= {"initiator"}
    if kind == "error":
        followed |= {"errorMessage"}
    if kind == "message":
        followed |= {"messagePayload", "messageVariable", "subscription"}
    if kind == "adHocSubProcess":
        followed |= {"adHoc"}
    if kind == "process":
        followed |= {"userTaskForm"}
    if element.get(qualified(namespace, "decisionRef")) is not None:
        followed |= {"resultVariable"}
    if element.get(qualified(FLOWABLE, "type")) == "dmn":
        followed |= {"field"}
    return followed


def _report(reading: Reading, node: Xml, name: str) -> None:
    reading.warning("ignored", f"{name} is not followed", node, found=name)
