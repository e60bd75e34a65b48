"""Agents' boxes of tools, as what the engine runs: a loop of the agent's turns and of the calls that they ask for.

An ad-hoc sub-process that is an agent becomes a sub-process: a task for the agent's turn, then its calls, side by
side, then its next turn, until a turn asks for none. A call is an instance of a sub-process that goes to the tool by
its name. An ad-hoc sub-process that a task's calls loop over becomes that inner part alone. Tools are the activities
that nothing leads to; all inner ids stay (Design: agents as ad-hoc sub-processes).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from bpmn.definition import (
    AgentConfig,
    Definition,
    Element,
    EventDefinition,
    Expression,
    Flow,
    LoopCharacteristics,
    Scope,
    ToolOffer,
)
from bpmn.reader.kinds import ACTIVITIES
from bpmn.reader.tool_boxes import CALL, PROMPTS, RESULT, RESULTS, TURN
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names
from bpmn.walk import elements

KIND: Final = "adHocSubProcess"


def prepare(definition: Definition, names: Names) -> tuple[Definition, list[Guess]]:
    """The definition without boxes of tools; tasks that name one have its tools on offer."""
    boxes = {
        element.id: element
        for process in definition.processes.values()
        for element in elements(process)
        if element.kind == KIND and element.scope is not None
    }
    named: set[str] = {
        element.agent.box or ""
        for process in definition.processes.values()
        for element in elements(process)
        if element.agent is not None and element.agent.box in boxes
    }
    if not boxes:
        return definition, []

    def change(holder: Holder, scope: Scope) -> Scope:
        changed = {element.id: _changed(element, boxes, named, names) for element in scope.elements.values()}
        if all(changed[key] is element for key, element in scope.elements.items()):
            return scope
        return replace(scope, elements=changed)

    return map_scopes(definition, change), []


def _changed(element: Element, boxes: dict[str, Element], named: set[str], names: Names) -> Element:
    if element.kind == KIND and element.scope is not None:
        if element.agent is not None:
            return _agent_box(element, element.agent, element.scope, names)
        if element.id in named:
            return _called_box(element, element.scope, names)
        active = element.tool_box.active if element.tool_box is not None else None
        return element if active is None else _active_set(element, element.scope, active.text, names)
    if element.agent is not None and element.agent.box in boxes:
        box = boxes[element.agent.box or ""]
        results = box.tool_box.results if box.tool_box is not None else RESULTS
        agent = replace(element.agent, offers=_offers(box), turn=element.agent.turn or TURN, results=results)
        return replace(element, agent=agent)
    return element


def _offers(box: Element) -> tuple[ToolOffer, ...]:
    assert box.scope is not None
    return tuple(
        ToolOffer(
            element=tool.id,
            description=tool.documentation or tool.name or tool.id,
            parameters=tool.parameters or _declared(tool),
        )
        for tool in _tools(box.scope)
    )


def _declared(tool: Element) -> dict[str, Any]:
    """The parameters of a tool that says none to a model: its data inputs."""
    properties = {item.name: dict(item.schema or {}) for item in tool.data_inputs}
    required = [item.name for item in tool.data_inputs if not item.optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _tools(scope: Scope) -> list[Element]:
    return [
        element
        for element in scope.elements.values()
        if element.kind in ACTIVITIES
        and not (element.incoming or element.attached_to or element.triggered_by_event or element.for_compensation)
    ]


def _agent_box(element: Element, agent: AgentConfig, inner: Scope, names: Names) -> Element:
    """start -> turn -> more? -> calls -> turn; more? -> end. Event sub-processes listen from start to end."""
    listening = {each.id: each for each in inner.elements.values() if each.triggered_by_event}
    doing = {each.id: each for each in inner.elements.values() if each.id not in listening}
    turn = names.fresh(f"{element.id}_turn")
    variable = agent.turn or turn
    results = element.tool_box.results if element.tool_box is not None else f"{element.id}_results"
    asks = replace(agent, box=element.id, offers=_offers(element), turn=variable, results=results)
    start, more, calls, end = (names.fresh(f"{element.id}_{what}") for what in ("start", "more", "calls", "end"))
    flows = _Flows(names)
    flows.add(start, turn)
    flows.add(turn, more)
    flows.add(more, calls, f'len({variable}["toolCalls"]) > 0')
    done = flows.add(more, end)
    flows.add(calls, turn)
    made = [
        _plain(element, start, "startEvent", event=EventDefinition(kind="none")),
        _turn(element, turn, asks),
        _plain(element, more, "exclusiveGateway", default=done.id),
        replace(
            _plain(element, calls, "subProcess"),
            name=f"{element.name or element.id}: calls",
            loop=_calls(Expression(text=f'{variable}["toolCalls"]', language="python"), results),
            scope=_dispatch(element, replace(inner, elements=doing), names),
        ),
        *listening.values(),
        _plain(element, end, "endEvent", event=EventDefinition(kind="none")),
    ]
    scope = flows.connect(made)
    outer = tuple(each for each in element.input_mappings if each.target not in PROMPTS)
    return replace(
        element, kind="subProcess", agent=None, job_type=None, data_inputs=(), data_outputs=(), outputs_schema=None,
        tool_box=None, input_mappings=outer, scope=scope,
    )  # fmt: skip


def _turn(element: Element, id: str, agent: AgentConfig) -> Element:
    return replace(
        _plain(element, id, "serviceTask"),
        name=element.name,
        documentation=element.documentation,
        agent=agent,
        job_type="agent",
        input_mappings=tuple(each for each in element.input_mappings if each.target in PROMPTS),
        data_inputs=element.data_inputs,
        data_outputs=element.data_outputs,
        outputs_schema=element.outputs_schema,
    )


def _called_box(element: Element, inner: Scope, names: Names) -> Element:
    """One call or, in a multi-instance, one per item; which tool is in the call itself."""
    box = element.tool_box
    loop = element.loop
    if box is not None and box.collection is not None:
        loop = _calls(box.collection, box.results)
    elif loop is not None and loop.input_item is not None:
        loop = replace(loop, calls=True)
    return replace(
        element, kind="subProcess", job_type=None, tool_box=None, loop=loop, scope=_dispatch(element, inner, names)
    )


def _active_set(element: Element, inner: Scope, active: str, names: Names) -> Element:
    """What `activeElementsCollection` lists is done, once each."""
    listed = active.strip().removeprefix("=").strip()
    scope = _dispatch(element, inner, names, listed)
    return replace(element, kind="subProcess", tool_box=None, scope=scope)


def _calls(collection: Expression, results: str) -> LoopCharacteristics:
    return LoopCharacteristics(
        kind="parallel",
        collection=collection,
        input_item=CALL,
        output_collection=results,
        output_item=RESULT,
        calls=True,
    )


def _dispatch(element: Element, inner: Scope, names: Names, listed: str | None = None) -> Scope:
    """start -> which? -> each tool; what follows a tool stays behind it. `listed`: a FEEL list of those to be done."""
    tools = _tools(inner)
    start, which = names.fresh(f"{element.id}_call"), names.fresh(f"{element.id}_which")
    flows = _Flows(names)
    flows.add(start, which)
    for tool in tools:
        if listed is None:
            flows.add(which, tool.id, f'{CALL}["_meta"]["name"] == {json.dumps(tool.id)}')
        else:
            flows.add(which, tool.id, f"=list contains({listed}, {json.dumps(tool.id)})", "feel")
    made = [
        _plain(element, start, "startEvent", event=EventDefinition(kind="none")),
        _plain(element, which, "exclusiveGateway" if listed is None else "inclusiveGateway"),
        *inner.elements.values(),
    ]
    return flows.connect(made, inner.flows.values())


def _plain(element: Element, id: str, kind: str, **fields: Any) -> Element:
    return Element(id=id, kind=kind, line=element.line, lane=element.lane, resolved=element.resolved, **fields)


class _Flows:
    """Flows of a scope in the making."""

    def __init__(self, names: Names) -> None:
        self._names, self._made = names, list[Flow]()

    def add(self, source: str, target: str, condition: str | None = None, language: str = "python") -> Flow:
        flow = Flow(
            id=self._names.fresh(f"{source}_to_{target}"),
            source=source,
            target=target,
            condition=None if condition is None else Expression(text=condition, language=language),
        )
        self._made.append(flow)
        return flow

    def connect(self, made: Iterable[Element], others: Iterable[Flow] = ()) -> Scope:
        """The scope of these elements with all flows; the elements know theirs."""
        added: dict[str, Element] = {}
        defaults: set[str | None] = set()
        for element in made:
            incoming = tuple(flow.id for flow in self._made if flow.target == element.id)
            outgoing = tuple(flow.id for flow in self._made if flow.source == element.id)
            defaults.add(element.default)
            added[element.id] = replace(
                element, incoming=(*element.incoming, *incoming), outgoing=(*element.outgoing, *outgoing)
            )
        flows = [replace(flow, is_default=True) if flow.id in defaults else flow for flow in self._made]
        return Scope(elements=added, flows={flow.id: flow for flow in (*others, *flows)})
