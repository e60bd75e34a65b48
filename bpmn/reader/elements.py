"""One flow node: what all kinds have, and what its family adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bpmn.definition import Element
from bpmn.reader.agents import AGENT_JOB, read_agent
from bpmn.reader.data import outputs_schema_of, read_data
from bpmn.reader.events import message_of, read_event
from bpmn.reader.jobs import read_job_type
from bpmn.reader.kinds import ACTIVITIES, EVENTS
from bpmn.reader.lanes import Lanes
from bpmn.reader.loops import read_loop
from bpmn.reader.people import read_assignment
from bpmn.reader.reading import Reading
from bpmn.reader.roots import Roots
from bpmn.reader.text import read_script
from bpmn.reader.xml import Xml, attribute, children_by_name, text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is known around a flow node when it is read."""

    reading: Reading
    roots: Roots
    lanes: Lanes
    incoming: Mapping[str, list[str]]
    outgoing: Mapping[str, list[str]]


def read_element(identifier: str, kind: str, node: Xml, around: Surroundings) -> Element:
    """The flow node with all it says of itself, but for a sub-process's scope."""
    parts = children_by_name(node)
    fields: dict[str, Any] = {}
    if kind in EVENTS:
        fields = _event(node, around)
    elif kind in ACTIVITIES:
        fields = _activity(identifier, kind, node, parts, around)
    elif kind == "eventBasedGateway":
        fields = {"instantiate": node.get("instantiate") in ("true", "1")}
    return Element(
        id=identifier,
        kind=kind,
        name=attribute(node, "name"),
        documentation=documentation(parts),
        line=node.sourceline,
        incoming=tuple(around.incoming.get(identifier, ())),
        outgoing=tuple(around.outgoing.get(identifier, ())),
        default=_default(identifier, node, around),
        lane=around.lanes.of_node.get(identifier),
        **fields,
    )


def documentation(parts: Mapping[str, list[Xml]]) -> str | None:
    """The text of all `documentation` children, paragraph after paragraph."""
    if "documentation" not in parts:
        return None
    return "\n\n".join(filter(None, map(text_of, parts["documentation"]))) or None


def _default(identifier: str, node: Xml, around: Surroundings) -> str | None:
    reference = attribute(node, "default")
    outgoing = dict.fromkeys(around.outgoing.get(identifier, ()))
    return around.reading.refer(node, "default", reference, outgoing, "outgoing sequence flow")


def _event(node: Xml, around: Surroundings) -> dict[str, Any]:
    stops = node.get("cancelActivity", node.get("isInterrupting", "true"))
    return {
        "event": read_event(node, around.reading, around.roots),
        "attached_to": attribute(node, "attachedToRef"),
        "interrupting": stops not in ("false", "0"),
    }


def _activity(
    identifier: str, kind: str, node: Xml, parts: Mapping[str, list[Xml]], around: Surroundings
) -> dict[str, Any]:
    reading, roots = around.reading, around.roots
    agent, schema = read_agent(node, kind, reading)
    inputs, outputs = read_data(parts, reading, roots)
    fields: dict[str, Any] = {
        "loop": read_loop(parts, reading, roots),
        "job_type": read_job_type(node, kind, reading) or (AGENT_JOB if agent else None),
        "data_inputs": inputs,
        "data_outputs": outputs,
        "outputs_schema": schema or outputs_schema_of(outputs),
        "agent": agent,
        "for_compensation": node.get("isForCompensation") in ("true", "1"),
        "start_quantity": _quantity(node, "startQuantity", reading),
        "completion_quantity": _quantity(node, "completionQuantity", reading),
    }
    if kind in _ADDITIONS:
        fields |= _ADDITIONS[kind](identifier, node, parts, around)
    return fields


def _quantity(node: Xml, name: str, reading: Reading) -> int:
    text = attribute(node, name)
    if text is None:
        return 1
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0:
        return int(text)
    reading.error("quantity", f"{name} is no count", node, found=text, allowed=("a whole number from 1",))
    return 1


def _script(_: str, node: Xml, parts: Mapping[str, list[Xml]], __: Surroundings) -> dict[str, Any]:
    return {"script": read_script(node, parts.get("script", [None])[0])}


def _message(_: str, node: Xml, __: Mapping[str, list[Xml]], around: Surroundings) -> dict[str, Any]:
    return {
        "event": message_of(node, around.reading, around.roots),
        "instantiate": node.get("instantiate") in ("true", "1"),
    }


def _person(identifier: str, node: Xml, _: Mapping[str, list[Xml]], around: Surroundings) -> dict[str, Any]:
    lane = around.lanes.by_id.get(around.lanes.of_node.get(identifier, ""))
    return {"assignment": read_assignment(node, lane)}


def _call(_: str, node: Xml, __: Mapping[str, list[Xml]], ___: Surroundings) -> dict[str, Any]:
    return {"called": attribute(node, "calledElement")}


def _sub_process(_: str, node: Xml, __: Mapping[str, list[Xml]], ___: Surroundings) -> dict[str, Any]:
    return {"triggered_by_event": node.get("triggeredByEvent") in ("true", "1")}


_ADDITIONS = {
    "scriptTask": _script,
    "sendTask": _message,
    "receiveTask": _message,
    "userTask": _person,
    "manualTask": _person,
    "callActivity": _call,
    "subProcess": _sub_process,
}
"""What only some kinds of activity say of themselves."""
