"""A scope: the flow nodes and sequence flows directly inside a process or sub-process, and the scopes inside it."""

from __future__ import annotations

from dataclasses import replace

from bpmn.definition import Element, Flow, Scope
from bpmn.errors import LimitExceeded
from bpmn.reader.elements import Surroundings, read_element
from bpmn.reader.kinds import NO_FLOW_NODES, SUB_PROCESSES
from bpmn.reader.lanes import Lanes
from bpmn.reader.listeners import read_listeners
from bpmn.reader.reading import Reading
from bpmn.reader.roots import Roots
from bpmn.reader.source import Limits
from bpmn.reader.text import read_expression
from bpmn.reader.xml import Xml, attribute, children_by_name, local_name

_Nodes = dict[str, tuple[str, Xml]]


class ScopeReader:
    """Reads the scopes of one process; recursion is bounded by `limits.nesting`."""

    def __init__(self, reading: Reading, roots: Roots, lanes: Lanes, limits: Limits) -> None:
        self._reading, self._roots, self._lanes, self._limits = reading, roots, lanes, limits

    def read(self, holder: Xml, level: int = 0) -> Scope:
        """The scope of a process or sub-process element.

        Raises `LimitExceeded` where sub-processes are nested too deep.
        """
        if level > self._limits.nesting:
            raise LimitExceeded(
                "sub-processes are nested too deep",
                file=self._reading.file,
                line=holder.sourceline,
                element=holder.get("id"),
                allowed=f"at most {self._limits.nesting} inside each other",
            )
        nodes, flow_nodes = self._sort_children(holder)
        flows: dict[str, Flow] = {}
        incoming: dict[str, list[str]] = {}
        outgoing: dict[str, list[str]] = {}
        for node in flow_nodes:
            flow = self._flow(node, nodes)
            if flow is not None:
                flows[flow.id] = flow
                outgoing.setdefault(flow.source, []).append(flow.id)
                incoming.setdefault(flow.target, []).append(flow.id)
        around = Surroundings(
            reading=self._reading, roots=self._roots, lanes=self._lanes, incoming=incoming, outgoing=outgoing
        )
        elements = {
            identifier: self._element(identifier, kind, node, around, level)
            for identifier, (kind, node) in nodes.items()
        }
        self._check_attachments(elements, nodes)
        self._find_handlers(elements, nodes)
        _mark_defaults(elements, flows)
        return Scope(elements=elements, flows=flows)

    def _sort_children(self, holder: Xml) -> tuple[_Nodes, list[Xml]]:
        nodes: _Nodes = {}
        flows: list[Xml] = []
        for child in holder:
            name = local_name(child)
            if name == "sequenceFlow":
                flows.append(child)
            elif name is not None and name not in NO_FLOW_NODES:
                identifier = self._reading.claim(child)
                if identifier is not None:
                    nodes[identifier] = (name, child)
        return nodes, flows

    def _flow(self, node: Xml, nodes: _Nodes) -> Flow | None:
        identifier = self._reading.claim(node)
        source, target = self._end(node, "sourceRef", nodes), self._end(node, "targetRef", nodes)
        if identifier is None or source is None or target is None:
            return None
        condition = children_by_name(node).get("conditionExpression", [None])[0] if len(node) else None
        return Flow(
            id=identifier,
            source=source,
            target=target,
            name=attribute(node, "name"),
            condition=read_expression(condition, self._roots.language),
            line=node.sourceline,
            listeners=read_listeners(node),
        )

    def _end(self, node: Xml, name: str, nodes: _Nodes) -> str | None:
        reference = attribute(node, name)
        if reference is None:
            self._reading.error("dangling-reference", f"{name} is missing", node, allowed=("a flow node's id",))
            return None
        if reference in nodes:
            return reference
        return self._reading.refer(node, name, reference, nodes, "flow node of the same process or sub-process")

    def _element(self, identifier: str, kind: str, node: Xml, around: Surroundings, level: int) -> Element:
        element = read_element(identifier, kind, node, around)
        return replace(element, scope=self.read(node, level + 1)) if kind in SUB_PROCESSES else element

    def _find_handlers(self, elements: dict[str, Element], nodes: _Nodes) -> None:
        """An association leads from a compensation boundary event to what undoes its activity."""
        for element in elements.values():
            if element.kind == "boundaryEvent" and element.event is not None and element.event.kind == "compensation":
                near = [elements[one] for one in self._roots.associations.get(element.id, ()) if one in elements]
                handlers = [one.id for one in near if one.for_compensation]
                if len(handlers) > 1:
                    message, found = "one activity undoes another, not several", ", ".join(handlers)
                    self._reading.error("several-handlers", message, nodes[element.id][1], found=found)
                elements[element.id] = replace(element, handler=handlers[0] if handlers else None)

    def _check_attachments(self, elements: dict[str, Element], nodes: _Nodes) -> None:
        for element in elements.values():
            if element.attached_to is not None and element.attached_to not in nodes:
                what = "activity of the same process or sub-process"
                node = nodes[element.id][1]
                reference = self._reading.refer(node, "attachedToRef", element.attached_to, nodes, what)
                elements[element.id] = replace(element, attached_to=reference)


def _mark_defaults(elements: dict[str, Element], flows: dict[str, Flow]) -> None:
    for element in elements.values():
        if element.default is not None:
            flows[element.default] = replace(flows[element.default], is_default=True)
