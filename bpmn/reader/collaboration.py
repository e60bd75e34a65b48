"""Pools and the message flows between them."""

from __future__ import annotations

from bpmn.definition import MessageFlow, Participant
from bpmn.namespaces import BPMN, qualified
from bpmn.reader.kinds import FLOW_NODES
from bpmn.reader.reading import Reading
from bpmn.reader.roots import Roots
from bpmn.reader.xml import attribute


def read_participants(reading: Reading, processes: dict[str, object]) -> dict[str, Participant]:
    """Every pool of the file by id."""
    found: dict[str, Participant] = {}
    for node in reading.root.iter(qualified(BPMN, "participant")):
        identifier = reading.claim(node)
        if identifier is not None:
            process = reading.refer(node, "processRef", attribute(node, "processRef"), processes, "process")
            found[identifier] = Participant(id=identifier, name=attribute(node, "name"), process=process)
    return found


def read_message_flows(reading: Reading, roots: Roots) -> dict[str, MessageFlow]:
    """Every message flow of the file by id; one without an end is a finding and left out."""
    found: dict[str, MessageFlow] = {}
    kinds = (qualified(BPMN, name) for name in (*FLOW_NODES, "participant", "choreographyTask"))
    ends = {node.get("id", "") for node in reading.root.iter(*kinds)}
    for node in reading.root.iter(qualified(BPMN, "messageFlow")):
        identifier = reading.claim(node)
        source, target = attribute(node, "sourceRef"), attribute(node, "targetRef")
        for name, reference in (("sourceRef", source), ("targetRef", target)):
            if reference is None or reference.rpartition(":")[2] not in ends:
                message = f"{name} names no pool, activity or event"
                reading.error("dangling-reference", message, node, found=reference or "nothing")
                identifier = None
        if identifier is not None and source is not None and target is not None:
            found[identifier] = MessageFlow(
                id=identifier,
                source=source.rpartition(":")[2],
                target=target.rpartition(":")[2],
                name=attribute(node, "name"),
                message=reading.refer(node, "messageRef", attribute(node, "messageRef"), roots.messages, "message"),
                line=node.sourceline,
            )
    return found
