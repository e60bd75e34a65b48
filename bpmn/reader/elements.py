"""One flow node: what all kinds have, and what its family adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bpmn.definition import AgentConfig, Element
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
from bpmn.reader.xml import Xml, attribute, children_by_name, is_true, text_of


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
        fields = {"instantiate": is_true(node, "instantiate")}
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
        "job_type": _job_type(node, kind, agent, reading),
        "data_inputs": inputs,
        "data_outputs": outputs,
        "outputs_schema": schema or outputs_schema_of(outputs),
        "agent": agent,
        "for_compensation": is_true(node, "isForCompensation"),
        "start_quantity": reading.count(node, "startQuantity", "quantity") or 1,
        "completion_quantity": reading.count(node, "completionQuantity", "quantity") or 1,
    }
    if kind in _ADDITIONS:
        fields |= _ADDITIONS[kind](identifier, node, parts, around)
    return fields


def _job_type(node: Xml, kind: str, agent: AgentConfig | None, reading: Reading) -> str | None:
    job = read_job_type(node, kind, reading)
    if agent is None:
        return job
    if job not in (None, AGENT_JOB):
        message = "the activity has an agent and a job type"
        reading.error("job-type", message, node, found=f"gov:agent and {job}", allowed=("one of them",))
    return AGENT_JOB


def _script(_: str, node: Xml, parts: Mapping[str, list[Xml]], __: Surroundings) -> dict[str, Any]:
    return {"script": read_script(node, parts.get("script", [None])[0])}


def _message(_: str, node: Xml, __: Mapping[str, list[Xml]], around: Surroundings) -> dict[str, Any]:
    return {
        "event": message_of(node, around.reading, around.roots),
        "instantiate": is_true(node, "instantiate"),
    }


def _person(identifier: str, node: Xml, _: Mapping[str, list[Xml]], around: Surroundings) -> dict[str, Any]:
    lane = around.lanes.by_id.get(around.lanes.of_node.get(identifier, ""))
    return {"assignment": read_assignment(node, lane)}


def _call(_: str, node: Xml, __: Mapping[str, list[Xml]], around: Surroundings) -> dict[str, Any]:
    called = attribute(node, "calledElement")
    if called is not None and called not in around.roots.processes:
        unqualified = called.rpartition(":")[2]
        called = unqualified if unqualified in around.roots.processes else called
    return {"called": called}


def _sub_process(_: str, node: Xml, __: Mapping[str, list[Xml]], ___: Surroundings) -> dict[str, Any]:
    return {"triggered_by_event": is_true(node, "triggeredByEvent")}


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
