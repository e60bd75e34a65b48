"""Builds the interpreter's specs from a definition, without recursion over sequence flows and without XML.

The order of flows is that of the file, never of the drawing. Names are element ids; where an id is one the
interpreter uses for itself, or a second flow joins the same two elements, a name of our own stands in.
"""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.bpmn.specs.bpmn_process_spec import BpmnProcessSpec
from SpiffWorkflow.bpmn.specs.control import SimpleBpmnTask
from SpiffWorkflow.specs.MultiChoice import MultiChoice

from bpmn.definition import Definition, Element, Flow, Scope
from bpmn.walk import entered
from engine.spiff.elements import Factory
from engine.spiff.scripts import Always, FlowCondition
from engine.spiff.specs import AdHocEnd, Compensation, EventHost, StartQuantity
from engine.spiff.swap import drive


class Specs:
    """The specs of one definition, shared by all its instances."""

    def __init__(self, main: Any, nested: dict[str, Any]) -> None:
        self.main, self.nested = main, nested


def build(definition: Definition, process: str) -> Specs:
    """Specs of `process` and of every scope it can open.

    Raises:
        NotRunnable: an element that the engine cannot run.
    """
    nested: dict[str, Any] = {}
    for each in sorted(entered(definition)):
        nested[each] = _ScopeBuilder(definition, each, definition.processes[each].scope, nested).build()
    main = nested[process]
    drive(main, *nested.values())
    return Specs(main, nested)


class _ScopeBuilder:
    """One process or embedded sub-process."""

    def __init__(
        self,
        definition: Definition,
        name: str,
        scope: Scope,
        nested: dict[str, Any],
        *,
        holder: Element | None = None,
    ) -> None:
        self.definition, self.scope, self.nested = definition, scope, nested
        self.spec = BpmnProcessSpec(name, filename=definition.file)
        triggered = holder is not None and holder.triggered_by_event
        self.factory = Factory(definition, self.spec, triggered=triggered)
        self.ad_hoc = holder if holder is not None and holder.kind == "adHocSubProcess" else None
        self.outer: dict[str, Any] = {}
        """Per element: the spec that flows lead out of."""
        self.entry: dict[str, Any] = {}
        """Per element: the spec that flows lead into (its boundary split, if it has one)."""

    def build(self) -> Any:
        attached: dict[str, list[Element]] = {}
        for element in self.scope.elements.values():
            if element.attached_to is not None and not _is_compensation(element):
                attached.setdefault(element.attached_to, []).append(element)
        Compensation(self.spec, f"{self.spec.name}.Compensation")
        for element in self.scope.elements.values():
            if not (element.attached_to is not None and _is_compensation(element)):
                self._add(element)
        for host, events in attached.items():
            self._attach(host, events)
        self._count()
        for element in self.scope.elements.values():
            if element.id in self.outer:
                self._connect(element)
        self._undo()
        self._listen()
        if self.ad_hoc is None:
            self._start()
        else:
            self._start_ad_hoc(self.ad_hoc)
        return self.spec

    def _add(self, element: Element) -> None:
        spec = self.factory.make(element)
        if element.scope is not None:
            inner = _ScopeBuilder(self.definition, element.id, element.scope, self.nested, holder=element)
            self.nested[element.id] = inner.build()
        self.outer[element.id] = self.entry[element.id] = spec

    def _attach(self, host: str, events: list[Element]) -> None:
        """A control node in front of an activity, which lets its boundary events wait beside it."""
        both = EventHost(self.spec, f"{host}.EventHost")
        for event in events:
            both.connect(self.outer[event.id])
        both.connect(self.outer[host])
        self.entry[host] = both

    def _count(self) -> None:
        """Activities that begin with several tokens, or leave several behind."""
        for element in self.scope.elements.values():
            if element.start_quantity > 1:
                gate = StartQuantity(self.spec, f"{element.id}.StartQuantity")
                gate.quantity, gate.bpmn_id = element.start_quantity, element.id
                gate.connect(self.entry[element.id])
                self.entry[element.id] = gate
            if element.completion_quantity > 1:
                self.outer[element.id].completion_quantity = element.completion_quantity

    def _connect(self, element: Element) -> None:
        source = self.outer[element.id]
        flows = [self.scope.flows[flow] for flow in element.outgoing]
        if element.kind == "eventBasedGateway":
            source.maps = any(self.scope.elements[flow.target].output_mappings for flow in flows)
        seen: set[str] = set()
        for flow in flows:
            target = self.entry[flow.target]
            if flow.target in seen:
                target = self._relay(flow, target)
            seen.add(flow.target)
            if isinstance(source, MultiChoice):
                self._connect_choice(source, element, flow, target, alone=len(flows) == 1)
            else:
                source.connect(target)
        if element.kind == "endEvent" or (self.ad_hoc and not flows and not element.triggered_by_event):
            source.connect(self.spec.end)

    def _relay(self, flow: Flow, target: Any) -> Any:
        """A node for a second flow between the same elements: joins tell flows apart by where tokens come from."""
        relay = SimpleBpmnTask(self.spec, f"{flow.id}.Relay")
        relay.connect(target)
        return relay

    def _connect_choice(self, source: Any, element: Element, flow: Flow, target: Any, *, alone: bool) -> None:
        if flow.is_default or (alone and flow.condition is None):
            source.connect(target)
        elif flow.condition is None:
            source.connect_if(Always(), target)
        else:
            program = self.factory.condition(flow.condition, flow.id, flow.line)
            source.connect_if(FlowCondition(program, flow.id), target)

    def _start(self) -> None:
        starts = [e for e in self.scope.elements.values() if e.kind == "startEvent" or e.instantiate]
        plain = [e for e in starts if e.kind == "startEvent" and (e.event is None or e.event.kind == "none")]
        chosen = plain or starts
        if len(chosen) == 1:
            self.spec.start.connect(self.entry[chosen[0].id])
            return
        either = EventHost(self.spec, f"{self.spec.name}.EventHost")
        self.spec.start.connect(either)
        for element in chosen:
            either.connect(self.entry[element.id])

    def _start_ad_hoc(self, holder: Element) -> None:
        """What nothing leads to begins: all at once, or in turns."""
        first = [
            self.entry[element.id]
            for element in self.scope.elements.values()
            if not (element.incoming or element.attached_to or element.triggered_by_event or element.for_compensation)
        ]
        end = self.spec.end
        end.__class__ = AdHocEnd
        end.element, end.cancels = holder.id, holder.cancel_remaining
        completion = holder.completion_condition
        end.condition = None if completion is None else self.factory.condition(completion, holder.id, holder.line)
        end.turns = [spec.name for spec in first] if holder.ordering == "Sequential" else []
        for spec in first[:1] if end.turns else first:
            self.spec.start.connect(spec)

    def _undo(self) -> None:
        """What undoes what, when it is thrown at."""
        self.spec.undone_by = None
        for element in self.scope.elements.values():
            inner: Any = self.factory.inner.get(element.id)
            if _is_compensation(element) and element.handler is not None and element.attached_to is not None:
                self.factory.inner[element.attached_to].handler = self.entry[element.handler].name
                self.factory.inner[element.attached_to].undoable = True
            elif element.triggered_by_event:
                inner.is_handler = True
                if _begins_with_compensation(element):
                    self.spec.undone_by = inner.name
            elif element.scope is not None and can_be_undone(element.scope):
                inner.undoable = True

    def _listen(self) -> None:
        """The event sub-processes wait from the beginning of the scope."""
        for element in self.scope.elements.values():
            if element.triggered_by_event and element.scope is not None and not _begins_with_compensation(element):
                start = _start_of(element)
                listener = self.factory.listener(start, element)
                self.spec.start.connect(listener)
                listener.connect(self.outer[element.id])
                self.outer[element.id].connect(self.spec.end)


def can_be_undone(scope: Scope) -> bool:
    """Whether anything in a scope can be undone by compensation."""
    return any(
        _is_compensation(element) or (element.scope is not None and can_be_undone(element.scope))
        for element in scope.elements.values()
    )


def _is_compensation(element: Element) -> bool:
    return (
        element.kind in ("boundaryEvent", "startEvent")
        and element.event is not None
        and element.event.kind == "compensation"
    )


def _begins_with_compensation(element: Element) -> bool:
    return _is_compensation(_start_of(element))


def _start_of(element: Element) -> Element:
    """The start event of an event sub-process."""
    assert element.scope is not None
    return next(each for each in element.scope.elements.values() if each.kind == "startEvent")
