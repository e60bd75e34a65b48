"""A scope in the making: elements that are put in front of others, behind them, on flows and around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from bpmn.definition import Element, EventDefinition, Flow, Scope
from bpmn.rewrite.scope_pass import Names

_NONE = EventDefinition(kind="none")


class Insertion:
    """Ids of what is there stay; rows of elements that are put in are not empty, and have no flows yet."""

    def __init__(self, scope: Scope, names: Names) -> None:
        self.elements, self.flows, self._names = dict(scope.elements), dict(scope.flows), names

    def scope(self) -> Scope:
        """The scope as it has become."""
        return Scope(elements=self.elements, flows=self.flows)

    def in_front(self, id: str, row: Sequence[Element]) -> None:
        """All that led to the element leads to the row, and that to the element."""
        element = self.elements[id]
        for flow in element.incoming:
            self.flows[flow] = replace(self.flows[flow], target=row[0].id)
        link = self._link(row[-1].id, element)
        self._put(row, element.incoming, (link.id,))
        self.elements[id] = replace(element, incoming=(link.id,))

    def behind(self, id: str, row: Sequence[Element]) -> None:
        """The element leads to the row, which leaves by the element's flows."""
        element = self.elements[id]
        for flow in element.outgoing:
            self.flows[flow] = replace(self.flows[flow], source=row[-1].id)
        link = self._flow(id, row[0].id, element.line)
        self._put(row, (link.id,), element.outgoing)
        self.elements[row[-1].id] = replace(self.elements[row[-1].id], default=element.default)
        self.elements[id] = replace(element, outgoing=(link.id,), default=None)

    def on_flow(self, id: str, row: Sequence[Element]) -> None:
        """The flow leads to the row, and that to where the flow led."""
        flow = self.flows[id]
        target = self.elements[flow.target]
        link = self._link(row[-1].id, target)
        self._put(row, (id,), (link.id,))
        self.flows[id] = replace(flow, target=row[0].id)
        incoming = tuple(link.id if each == id else each for each in target.incoming)
        self.elements[target.id] = replace(target, incoming=incoming)

    def beside(self, id: str, split: Element) -> None:
        """A gateway in front of the element takes its outgoing flows, too: the element ends a branch."""
        self.in_front(id, [split])
        element, gateway = self.elements[id], self.elements[split.id]
        for flow in element.outgoing:
            self.flows[flow] = replace(self.flows[flow], source=split.id)
        self.elements[split.id] = replace(gateway, outgoing=(*gateway.outgoing, *element.outgoing))
        self.elements[id] = replace(element, outgoing=(), default=None)

    def around(self, id: str, wrapper: Element, before: Sequence[Element], after: Sequence[Element]) -> None:
        """A sub-process takes the element's place, its flows and what is attached to it; the element is in it."""
        inner = self.elements[id]
        outer = replace(wrapper, incoming=inner.incoming, outgoing=inner.outgoing, default=inner.default)
        start = Element(id=self._names.fresh(f"{wrapper.id}_start"), kind="startEvent", event=_NONE, line=inner.line)
        end = Element(id=self._names.fresh(f"{wrapper.id}_end"), kind="endEvent", event=_NONE, line=inner.line)
        bare = replace(inner, incoming=(), outgoing=(), default=None)
        row = [replace(each, resolved=inner.resolved) for each in (start, *before, bare, *after, end)]
        inside = Insertion(Scope(), self._names)
        inside._put(row, (), ())
        outer = replace(outer, scope=inside.scope())
        self.elements = {(outer.id if key == id else key): (outer if key == id else one)
                         for key, one in self.elements.items()}  # fmt: skip
        for flow in inner.incoming:
            self.flows[flow] = replace(self.flows[flow], target=outer.id)
        for flow in inner.outgoing:
            self.flows[flow] = replace(self.flows[flow], source=outer.id)
        for each in list(self.elements.values()):
            if each.attached_to == id or each.handler == id:
                attached = outer.id if each.attached_to == id else each.attached_to
                handler = outer.id if each.handler == id else each.handler
                self.elements[each.id] = replace(each, attached_to=attached, handler=handler)

    def inside(
        self, start: str, wrapper: Element, before: Sequence[Element], after: Sequence[Element]
    ) -> Scope:
        """A scope of the start event, the wrapper with everything else between two rows, and an end event."""
        begins = self.elements.pop(start)
        line, resolved = begins.line, begins.resolved
        begin = Element(
            id=self._names.fresh(f"{wrapper.id}_start"), kind="startEvent", event=_NONE, line=line, resolved=resolved,
            outgoing=begins.outgoing,
        )  # fmt: skip
        flows = {id: replace(self.flows[id], source=begin.id) for id in begins.outgoing}
        inner = Scope(elements={begin.id: begin, **self.elements}, flows={**self.flows, **flows})
        end = Element(
            id=self._names.fresh(f"{wrapper.id}_end"), kind="endEvent", event=_NONE, line=line, resolved=resolved
        )
        outer = Insertion(Scope(), self._names)
        outer._put([replace(begins, outgoing=()), *before, replace(wrapper, scope=inner), *after, end], (), ())
        return outer.scope()

    def _put(self, row: Sequence[Element], incoming: tuple[str, ...], outgoing: tuple[str, ...]) -> None:
        """The row, its elements linked with each other, between these flows."""
        links = [self._flow(one.id, other.id, other.line) for one, other in pairwise(row)]
        for index, each in enumerate(row):
            enters = (links[index - 1].id,) if index else incoming
            leaves = (links[index].id,) if index < len(links) else outgoing
            self.elements[each.id] = replace(each, incoming=enters, outgoing=leaves)

    def _link(self, source: str, target: Element) -> Flow:
        return self._flow(source, target.id, target.line)

    def _flow(self, source: str, target: str, line: int | None) -> Flow:
        flow = Flow(id=self._names.fresh(f"{source}_to_{target}"), source=source, target=target, line=line)
        self.flows[flow.id] = flow
        return flow
