"""One flow node: what all kinds have, and what its family adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bpmn.definition import UNSAID, AgentConfig, DataItem, Element
from bpmn.namespaces import ZEEBE
from bpmn.reader.agents import AGENT_JOB, read_agent
from bpmn.reader.associations import read_flowing
from bpmn.reader.data import outputs_schema_of, read_data
from bpmn.reader.decisions import read_decision
from bpmn.reader.events import message_of, read_event
from bpmn.reader.extensions import extension, is_extended, says_more
from bpmn.reader.forms import HAVE_FORMS, read_form, read_form_ref, read_inner_form
from bpmn.reader.jobs import read_job_type
from bpmn.reader.kinds import ACTIVITIES, EVENTS
from bpmn.reader.lanes import Lanes
from bpmn.reader.listeners import read_listeners
from bpmn.reader.loops import read_loop
from bpmn.reader.mappings import read_mappings
from bpmn.reader.people import read_assignment
from bpmn.reader.reading import Reading
from bpmn.reader.roots import Roots
from bpmn.reader.text import read_expression, read_script
from bpmn.reader.tool_boxes import (
    agent_inputs,
    is_agent_job,
    read_agent_job,
    read_parameters,
    read_tool_box,
)
from bpmn.reader.vendors import family_attribute
from bpmn.reader.xml import Xml, attribute, children_by_name, is_true, text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is known around a flow node when it is read."""

    reading: Reading
    roots: Roots
    lanes: Lanes
    incoming: Mapping[str, list[str]]
    outgoing: Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class _Node:
    """A flow node's XML element, and its children by name."""

    id: str
    kind: str
    xml: Xml
    parts: Mapping[str, list[Xml]]

    def first(self, name: str) -> Xml | None:
        """The first child of that name."""
        return next(iter(self.parts.get(name, ())), None)


def read_element(identifier: str, kind: str, xml: Xml, around: Surroundings) -> Element:
    """The flow node with all it says of itself, but for a sub-process's scope."""
    node = _Node(identifier, kind, xml, children_by_name(xml))
    fields: dict[str, Any] = {}
    if kind in EVENTS:
        fields = _event(node, around)
    elif kind in ACTIVITIES:
        fields = _activity(node, around)
        if kind in _ADDITIONS:
            fields |= _ADDITIONS[kind](node, around)
    elif kind == "eventBasedGateway":
        together = attribute(xml, "eventGatewayType") == "Parallel"
        fields = {"instantiate": is_true(xml, "instantiate"), "parallel": together}
    elif kind == "complexGateway":
        fields = {"activation": read_expression(node.first("activationCondition"), around.roots.language)}
    return Element(
        id=identifier,
        kind=kind,
        name=attribute(xml, "name"),
        documentation=documentation(node.parts),
        line=xml.sourceline,
        incoming=tuple(around.incoming.get(identifier, ())),
        outgoing=tuple(around.outgoing.get(identifier, ())),
        default=_default(node, around),
        lane=around.lanes.of_node.get(identifier),
        listeners=read_listeners(xml),
        **fields,
    )


def documentation(parts: Mapping[str, list[Xml]]) -> str | None:
    """The text of all `documentation` children, paragraph after paragraph."""
    if "documentation" not in parts:
        return None
    return "\n\n".join(filter(None, map(text_of, parts["documentation"]))) or None


def _default(node: _Node, around: Surroundings) -> str | None:
    outgoing = dict.fromkeys(around.outgoing.get(node.id, ()))
    reference = attribute(node.xml, "default")
    return around.reading.refer(node.xml, "default", reference, outgoing, "outgoing sequence flow")


def _event(node: _Node, around: Surroundings) -> dict[str, Any]:
    data = read_data(node.parts, around.reading, around.roots)
    flowing = read_flowing(node.parts, data, around.reading, around.roots, all_inputs=True, receives=True)
    interrupting = attribute(node.xml, "cancelActivity") or attribute(node.xml, "isInterrupting")
    mapped_inputs, mapped_outputs = read_mappings(node.xml, around.reading) if is_extended(node.xml) else ((), ())
    return {
        "input_mappings": (*flowing.mapped_inputs, *mapped_inputs),
        "output_mappings": (*flowing.mapped_outputs, *mapped_outputs),
        "event": read_event(node.xml, around.reading, around.roots),
        "data_inputs": flowing.inputs,
        "data_outputs": flowing.outputs,
        "initiator": family_attribute(node.xml, "initiator") if node.kind == "startEvent" else None,
        "attached_to": attribute(node.xml, "attachedToRef"),
        "interrupting": interrupting not in ("false", "0"),
    }


def _activity(node: _Node, around: Surroundings) -> dict[str, Any]:
    reading, roots, xml = around.reading, around.roots, node.xml
    agent, schema = read_agent(xml, node.kind, reading)
    data = read_data(node.parts, reading, roots)
    renames = agent is None and node.kind in _RENAMED
    flowing = read_flowing(
        node.parts, data, reading, roots,
        all_inputs=node.kind in _GIVEN_ALL, renames=renames, receives=node.kind == "receiveTask",
    )  # fmt: skip
    outputs = _form(node, flowing.outputs)
    more = says_more(xml)
    by_person = more and node.kind in HAVE_FORMS
    asked = schema or outputs_schema_of(outputs) or (read_inner_form(xml, reading) if by_person else None)
    job = _job_type(node, agent, reading)
    decision = read_decision(xml, node.kind, job, reading)
    mapped_inputs, mapped_outputs = (
        read_mappings(xml, reading, decides=decision is not None) if more else ((), ())
    )
    mapped_inputs = agent_inputs(mapped_inputs) if is_agent_job(job) else mapped_inputs
    return {
        "loop": read_loop(node.parts, reading, roots),
        "input_mappings": (*flowing.mapped_inputs, *mapped_inputs),
        "output_mappings": (*flowing.mapped_outputs, *mapped_outputs),
        "job_type": AGENT_JOB if is_agent_job(job) else job,
        "expression": family_attribute(xml, "expression") if more and node.kind == "serviceTask" else None,
        "decision": decision,
        "data_inputs": flowing.inputs,
        "data_outputs": outputs,
        "outputs_schema": asked,
        "form": read_form_ref(xml, reading) if by_person else None,
        "agent": agent or (read_agent_job(xml) if is_agent_job(job) else None),
        "parameters": read_parameters(xml),
        "for_compensation": is_true(xml, "isForCompensation"),
        "start_quantity": reading.count(xml, "startQuantity", "quantity") or 1,
        "completion_quantity": reading.count(xml, "completionQuantity", "quantity") or 1,
    }


def _job_type(node: _Node, agent: AgentConfig | None, reading: Reading) -> str | None:
    job = read_job_type(node.xml, node.kind, reading) if says_more(node.xml) else None
    if agent is None:
        return job
    if job not in (None, AGENT_JOB):
        message = "the activity has an agent and a job type"
        reading.error("job-type", message, node.xml, found=f"gov:agent and {job}", allowed=("one of them",))
    return AGENT_JOB


def _script(node: _Node, around: Surroundings) -> dict[str, Any]:
    return {"script": read_script(node.xml, node.first("script"))}


def _message(node: _Node, around: Surroundings) -> dict[str, Any]:
    return {
        "event": message_of(node.xml, around.reading, around.roots),
        "instantiate": is_true(node.xml, "instantiate"),
    }


def _person(node: _Node, around: Surroundings) -> dict[str, Any]:
    lane = around.lanes.by_id.get(around.lanes.of_node.get(node.id, ""))
    return {"assignment": read_assignment(node.xml, lane, around.roots.resources)}


def _form(node: _Node, outputs: tuple[DataItem, ...]) -> tuple[DataItem, ...]:
    """The data outputs of an activity, else the fields of its form."""
    return outputs or (read_form(node.xml) if node.kind in HAVE_FORMS and is_extended(node.xml) else ())


def _call(node: _Node, around: Surroundings) -> dict[str, Any]:
    zeebe = extension(node.xml, ZEEBE, "calledElement")
    called = attribute(node.xml, "calledElement") or (None if zeebe is None else attribute(zeebe, "processId"))
    if called is not None and called not in around.roots.processes:
        unqualified = called.rpartition(":")[2]
        called = unqualified if unqualified in around.roots.processes else called
    return {"called": called}


def _sub_process(node: _Node, around: Surroundings) -> dict[str, Any]:
    return {"triggered_by_event": is_true(node.xml, "triggeredByEvent")}


def _ad_hoc(node: _Node, around: Surroundings) -> dict[str, Any]:
    decided = any(node.first(name) is not None for name in ("completionCondition", "extensionElements"))
    return {
        "ordering": attribute(node.xml, "ordering") or ("Parallel" if decided else UNSAID),
        "completion_condition": read_expression(node.first("completionCondition"), around.roots.language),
        "tool_box": read_tool_box(node.xml),
        "cancel_remaining": attribute(node.xml, "cancelRemainingInstances") not in ("false", "0"),
    }


_RENAMED: Final = frozenset({"task", "serviceTask", "businessRuleTask", "scriptTask"})
"""What sees its data inputs under their own names, whatever a data association takes them from."""

_GIVEN_ALL: Final = frozenset({"callActivity", "sendTask"})
"""What hands on its mapped inputs, where it has any, and nothing else."""

_ADDITIONS: Final = {
    "scriptTask": _script,
    "sendTask": _message,
    "receiveTask": _message,
    "userTask": _person,
    "manualTask": _person,
    "callActivity": _call,
    "subProcess": _sub_process,
    "adHocSubProcess": _ad_hoc,
}
"""What only some kinds of activity say of themselves."""
