"""Tag names of BPMN's flow nodes by family, and of what else may stand in a scope."""

from __future__ import annotations

from typing import Final

SUB_PROCESSES: Final = frozenset({"subProcess", "transaction", "adHocSubProcess"})
ACTIVITIES: Final = SUB_PROCESSES | {
    "task",
    "userTask",
    "manualTask",
    "scriptTask",
    "serviceTask",
    "sendTask",
    "receiveTask",
    "businessRuleTask",
    "callActivity",
}
GATEWAYS: Final = frozenset(
    {"exclusiveGateway", "parallelGateway", "inclusiveGateway", "complexGateway", "eventBasedGateway"}
)
EVENTS: Final = frozenset(
    {
        "startEvent",
        "endEvent",
        "boundaryEvent",
        "intermediateCatchEvent",
        "intermediateThrowEvent",
        "implicitThrowEvent",
    }
)
FLOW_NODES: Final = ACTIVITIES | GATEWAYS | EVENTS

GLOBAL_TASKS: Final = {
    "globalTask": "task",
    "globalScriptTask": "scriptTask",
    "globalUserTask": "userTask",
    "globalManualTask": "manualTask",
    "globalBusinessRuleTask": "businessRuleTask",
}
"""Tasks beside the processes, and the kind of task that each is."""

NO_FLOW_NODES: Final = frozenset(
    {
        "documentation",
        "extensionElements",
        "auditing",
        "monitoring",
        "category",
        "categoryValueRef",
        "incoming",
        "outgoing",
        "laneSet",
        "sequenceFlow",
        "dataObject",
        "dataObjectReference",
        "dataStoreReference",
        "property",
        "ioSpecification",
        "ioBinding",
        "dataInputAssociation",
        "dataOutputAssociation",
        "association",
        "group",
        "textAnnotation",
        "resourceRole",
        "performer",
        "humanPerformer",
        "potentialOwner",
        "supportedInterfaceRef",
        "correlationSubscription",
        "supports",
        "standardLoopCharacteristics",
        "multiInstanceLoopCharacteristics",
        "completionCondition",
    }
)
"""Children of a process or sub-process that no token ever reaches. Any other BPMN child is taken for a flow node."""
