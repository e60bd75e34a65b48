"""What is different from plain SpiffWorkflow on purpose, each row with how a model shows that it is concerned.

A row explains a difference only where the model holds what the row is about, and the difference is of the row's kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lxml import etree

from benchmarks.plainly import Course

_BPMN: Final = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"
_ACTIVITIES: Final = ("task", "userTask", "manualTask", "scriptTask", "serviceTask", "sendTask", "receiveTask",
                      "businessRuleTask", "callActivity", "subProcess", "transaction", "adHocSubProcess")  # fmt: skip
Tree = etree._Element
Kind = str


@dataclass(frozen=True, slots=True)
class Row:
    """`kinds`: what may differ (`refused`, `outcome`, `activities`, `variables`); `why` is the row's own rule."""

    name: str
    kinds: frozenset[Kind]
    why: str
    concerns: Callable[[Tree, Course, Course], bool]


def _has(*names: str) -> Callable[[Tree, Course, Course], bool]:
    return lambda root, plain, ours: any(next(root.iter(_BPMN + name), None) is not None for name in names)


def _says(*attributes: str) -> Callable[[Tree, Course, Course], bool]:
    """Whether any element has one of these attributes, or extension elements, of whatever namespace."""

    def found(root: Tree, plain: Course, ours: Course) -> bool:
        for node in root.iter(etree.Element):
            if _local(str(node.tag)) in attributes or any(_local(str(key)) in attributes for key in node.attrib):
                return True
        return False

    return found


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _activity_flows(root: Tree, plain: Course, ours: Course) -> bool:
    """A condition on a flow out of an activity or event, or several such flows."""
    ids = {node.get("id") for name in _ACTIVITIES for node in root.iter(_BPMN + name)}
    flows = [each for each in root.iter(_BPMN + "sequenceFlow") if each.get("sourceRef") in ids]
    conditional = any(each.find(_BPMN + "conditionExpression") is not None for each in flows)
    return conditional or len({each.get("sourceRef") for each in flows}) < len(flows)


def _uncaught(root: Tree, plain: Course, ours: Course) -> bool:
    return "reached no error boundary event" in ours.why


def _failed_condition(root: Tree, plain: Course, ours: Course) -> bool:
    """Whether the incident is a sequence flow's."""
    flows = {each.get("id") for each in root.iter(_BPMN + "sequenceFlow")}
    return ours.why.startswith("failed: ") and any(f": {flow}: " in ours.why for flow in flows)


def _splits(root: Tree, plain: Course, ours: Course) -> bool:
    return _has("parallelGateway", "inclusiveGateway", "complexGateway", "multiInstanceLoopCharacteristics",
                "boundaryEvent", "subProcess")(root, plain, ours)  # fmt: skip


def _every(*kinds: Kind) -> frozenset[Kind]:
    return frozenset(kinds)


_ALL: Final = _every("outcome", "activities", "variables")

ROWS: Final[tuple[Row, ...]] = (
    Row("refused", _every("refused"), "what the library skips without a word, or what contradicts itself, is refused "
        "with its rule", lambda root, plain, ours: ours.why.startswith("refused: ")),
    Row("link", _ALL, "a link leads on", _has("linkEventDefinition")),
    Row("compensation", _ALL, "compensation is done", _has("compensateEventDefinition")),
    Row("conditional flows", _ALL, "conditions on flows out of activities hold, and several flows are several tokens",
        _activity_flows),
    Row("conditions", _every("outcome"), "a condition that cannot be evaluated is an incident: an inclusive gateway of "
        "the library takes it for false, and what is no gateway does not look at it", _failed_condition),
    Row("errors", _every("outcome"), "an error that nothing catches is an incident", _uncaught),
    Row("quantities", _ALL, "quantities of tokens are held to", _says("startQuantity", "completionQuantity")),
    Row("behavior", _ALL, "what instances throw is thrown", _says("behavior")),
    Row("terminate", _every("activities"), "a terminate end event ends its own process or sub-process, and what it "
        "still finds open is a matter of whose work is done first", _has("terminateEventDefinition")),
    Row("interruption", _every("activities", "variables"), "an interrupting event interrupts before any further step "
        "inside", _has("boundaryEvent")),
    Row("event sub-process", _ALL, "event sub-processes interrupt, wait and are merged", _says("triggeredByEvent")),
    Row("listeners", _every("outcome", "variables"), "listeners and scripts around activities are run",
        _says("executionListener", "taskListener", "preScript", "postScript")),
    Row("mappings", _every("outcome", "variables"), "inputs, outputs and results of dialects are followed",
        _says("inputOutput", "ioMapping", "field", "resultVariable", "resultVariableName", "in", "out",
              "serviceTaskOperator")),
    Row("expression tasks", _every("variables"), "a service task that is an expression is computed, and who started "
        "the instance is known", _says("expression", "initiator")),
    Row("receive task", _every("outcome"), "a receive task waits, also for a message without a name",
        lambda root, plain, ours: ours.why.startswith("waiting") and _has("receiveTask")(root, plain, ours)),
    Row("messages", _every("outcome"), "an event waits for its message, which is for one receiver",
        lambda root, plain, ours: ours.why.startswith("waiting") and _has("messageEventDefinition")(root, plain, ours)),
    Row("messages and signals", _every("activities"), "a message or signal starts the processes of the file that begin "
        "with it", _has("messageEventDefinition", "signalEventDefinition")),
    Row("call activity", _every("variables"), "only declared outputs come back", _has("callActivity")),
    Row("instances", _ALL, "collections, counts and conditions of loops are those of the file's dialect",
        _has("multiInstanceLoopCharacteristics", "standardLoopCharacteristics")),
    Row("data", _every("variables"), "a data object is a variable, in a sub-process too",
        _has("dataObject", "ioSpecification", "property")),
    Row("ad hoc", _ALL, "an ad-hoc sub-process runs what is in it", _has("adHocSubProcess")),
    Row("complex gateway", _ALL, "it joins as its condition says", _has("complexGateway")),
    Row("join", _every("variables"), "writes are merged, an unchanged copy never wins; branches are isolated", _splits),
)  # fmt: skip


def reason(root: Tree, kind: Kind, plain: Course, ours: Course) -> str | None:
    """The first row that explains a difference, None if no row does."""
    for row in ROWS:
        if kind in row.kinds and row.concerns(root, plain, ours):
            return row.name
    return None
