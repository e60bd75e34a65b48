"""What a file says twice agrees, and what it refers to is of the right kind: XML that the definition does not keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bpmn.namespaces import BPMN, qualified
from bpmn.reader.kinds import FLOW_NODES, SUB_PROCESSES
from bpmn.reader.reading import Reading
from bpmn.reader.vendors import is_for_an_engine
from bpmn.reader.xml import Xml, attribute, children_by_name, local_name, text_of

_ENDS: Final = (("incoming", "targetRef"), ("outgoing", "sourceRef"))

_PROCESS: Final = qualified(BPMN, "process")
_ITEMS: Final[Mapping[str, str]] = {"dataInputRefs": "dataInput", "dataOutputRefs": "dataOutput"}
"""What the parts of input and output sets name."""


def check_consistency(reading: Reading) -> None:
    """Report what contradicts itself."""
    flows = {node.get("id", ""): node for node in reading.root.iter(qualified(BPMN, "sequenceFlow"))}
    for node in reading.root.iter(*(qualified(BPMN, name) for name in FLOW_NODES)):
        _check_ends(node, flows, reading)
        if local_name(node) in SUB_PROCESSES and "ioSpecification" in children_by_name(node):
            reading.error("data", "a sub-process has no ioSpecification", node, found="ioSpecification")
    _check_flows(flows, reading)
    for node in reading.root.iter(qualified(BPMN, "dataOutputAssociation")):
        _check_source(node, reading)
    for node in reading.root.iter(qualified(BPMN, "ioSpecification")):
        _check_sets(node, reading)
    for node in reading.root:
        if local_name(node) == "property":
            allowed = ("inside a process, an activity or an event",)
            reading.error("data", "a property belongs to something that is run", node, allowed=allowed)


def _check_ends(node: Xml, flows: Mapping[str, Xml], reading: Reading) -> None:
    """`incoming` and `outgoing` repeat what sequence flows say; they may be left out, and may not say otherwise."""
    for child in node:
        for name, end in _ENDS:
            if local_name(child) != name:
                continue
            flow = flows.get((text_of(child) or "").rpartition(":")[2])
            said = None if flow is None else (attribute(flow, end) or "").rpartition(":")[2]
            if said != node.get("id"):
                found = text_of(child) or "nothing"
                what = "there is no such flow" if flow is None else f"the flow's {end} is {said}"
                reading.error("sequence-flow", f"{name} and the sequence flows disagree: {what}", child, found=found)


def _check_flows(flows: Mapping[str, Xml], reading: Reading) -> None:
    """What the standard does not allow, and engines of dialects run all the same (BPMN 2.0, tables 10.49 and 10.84)."""
    is_lenient = is_for_an_engine(reading.root)
    starts = {node.get("id") for node in reading.root.iter(qualified(BPMN, "startEvent"))}
    for flow in flows.values():
        if attribute(flow, "isImmediate") == "false":
            executable = any(attribute(above, "isExecutable") == "true" for above in flow.iterancestors(_PROCESS))
            report = reading.error if executable and not is_lenient else reading.warning
            message = "a sequence flow that is run is immediate"
            report("sequence-flow", message, flow, found='isImmediate="false"', allowed=("true",))
        conditional = "conditionExpression" in children_by_name(flow)
        if conditional and not is_lenient and (attribute(flow, "sourceRef") or "").rpartition(":")[2] in starts:
            reading.error("sequence-flow", "a sequence flow out of a start event has no condition", flow)


def _check_sets(specification: Xml, reading: Reading) -> None:
    """Input and output sets name the specification's own data."""
    parts = children_by_name(specification)
    for node, kind in _references(parts):
        known = {item.get("id", ""): item for item in parts.get(kind, ())}
        reading.refer(node, local_name(node) or "", text_of(node), known, f"{kind} of its ioSpecification")


def _check_source(association: Xml, reading: Reading) -> None:
    """What comes out is an output of the activity or event."""
    holder = association.getparent()
    known = {} if holder is None else {each.get("id", ""): each for each in holder.iter(qualified(BPMN, "dataOutput"))}
    for node in children_by_name(association).get("sourceRef", ()):
        reading.refer(node, "sourceRef", text_of(node), known, "dataOutput beside the association")


def _references(parts: Mapping[str, list[Xml]]) -> Iterator[tuple[Xml, str]]:
    for group in (*parts.get("inputSet", ()), *parts.get("outputSet", ())):
        for node in group:
            kind = _ITEMS.get(local_name(node) or "")
            if kind is not None:
                yield node, kind
