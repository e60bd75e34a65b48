"""Where the tasks of listeners stand in one scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bpmn.definition import Element, Listener, Process, Scope
from bpmn.reader.kinds import ACTIVITIES, EVENTS, SUB_PROCESSES
from bpmn.rewrite.insertion import Insertion
from bpmn.rewrite.prepare import Guess, Holder
from bpmn.rewrite.scope_pass import Names

_CHOICES: Final = frozenset({"exclusiveGateway", "eventBasedGateway"})
_Told = Sequence[Listener]
REWRITE: Final = "listener"


class Following:
    """Follows what can be followed; `left` are those of the process that cannot, `moved` what stands in a wrapper."""

    def __init__(self, holder: Holder, scope: Scope, names: Names) -> None:
        self._holder, self._scope, self._names = holder, scope, names
        self._made = Insertion(scope, names)
        self.guesses: list[Guess] = []
        self.moved: dict[str, str] = {}
        self.left: tuple[Listener, ...] = ()

    def follow(self) -> Scope:
        """The scope with a task for each listener that is followed."""
        for element in self._scope.elements.values():
            if element.listeners:
                self._element(element)
        for flow in self._scope.flows.values():
            if flow.listeners:
                self._flow(flow.id)
        if isinstance(self._holder, Process) and self._holder.listeners:
            return self._process(self._holder)
        return self._made.scope()

    def _element(self, element: Element) -> None:
        before = [each for each in element.listeners if each.moment == "before"]
        after = [each for each in element.listeners if each.moment == "after"]
        rest = tuple(each for each in element.listeners if each.moment not in ("before", "after"))
        self._made.elements[element.id] = replace(self._made.elements[element.id], listeners=rest)
        if element.kind in ACTIVITIES:
            stays = self._activity(element, before, after)
        elif element.kind in EVENTS:
            stays = self._event(element, before, after)
        else:
            stays = self._gateway(element, before, after)
        if stays:
            self._made.elements[element.id] = replace(self._made.elements[element.id], listeners=(*rest, *stays))

    def _activity(self, element: Element, before: _Told, after: _Told) -> _Told:
        attached = [each for each in self._scope.elements.values() if each.attached_to == element.id]
        cancelled = any(each.event is not None and each.event.kind == "cancel" for each in attached)
        if element.triggered_by_event or cancelled:
            return (*before, *after)
        if element.instantiate or self._is_chosen(element):
            self._behind(element, after)
            return before
        alone = not (element.incoming or element.outgoing)
        has_inputs = element.kind in SUB_PROCESSES and bool(element.input_mappings)
        if element.loop is not None or attached or element.for_compensation or alone or has_inputs:
            self._around(element, before, after)
        else:
            self._in_front(element, before)
            self._behind(element, after)
        return ()

    def _event(self, element: Element, before: _Told, after: _Told) -> _Told:
        both = (*before, *after)
        begins = element.kind in ("startEvent", "boundaryEvent") or (self._is_link(element) and element.outgoing)
        if begins:
            if not element.outgoing:
                return both
            self._behind(element, both)
        elif element.kind == "endEvent" or self._is_link(element):
            self._in_front(element, both)
        elif self._is_chosen(element):
            self._behind(element, after)
            return before
        else:
            self._in_front(element, before)
            self._behind(element, after)
        return ()

    def _gateway(self, element: Element, before: _Told, after: _Told) -> _Told:
        leaves_one = len(element.outgoing) == 1
        if element.kind in _CHOICES:
            self._in_front(element, before)
            if element.kind == "eventBasedGateway":
                return after
            for flow in element.outgoing:
                self._made.on_flow(flow, self._row(element, after)) if after else None
            return ()
        if len(element.incoming) > 1:  # it joins: in front of it every token would be told of
            if not leaves_one:
                return (*before, *after)
            self._behind(element, (*before, *after))
            return ()
        if leaves_one:
            self._behind(element, after)
        elif element.kind == "parallelGateway":
            before = (*before, *after)
        elif after:
            self._in_front(element, before)
            return after
        self._in_front(element, before)
        return ()

    def _flow(self, id: str) -> None:
        flow = self._scope.flows[id]
        source = self._scope.elements[flow.source]
        taken = [each for each in flow.listeners if each.moment == "take"]
        if source.kind == "eventBasedGateway":
            taken = []
        kept = tuple(each for each in flow.listeners if each not in taken)
        self._made.flows[id] = replace(self._made.flows[id], listeners=kept)
        if taken:
            self._made.on_flow(id, self._row(source, taken, flow.name or id))

    def _process(self, process: Process) -> Scope:
        before = [each for each in process.listeners if each.moment == "before"]
        after = [each for each in process.listeners if each.moment == "after"]
        every = self._scope.elements.values()
        starts = [each for each in every if each.kind == "startEvent" or each.instantiate]
        ends = [each for each in every if each.kind == "endEvent"]
        left = [each for each in process.listeners if each.moment not in ("before", "after")]
        together = bool(after) and (not ends or any(map(self._branches, every)))
        inside = together and len(starts) == 1 and starts[0].kind == "startEvent" and bool(starts[0].outgoing)
        self.left = tuple([*left, *(after if together and not inside else ())] if starts else process.listeners)
        if inside:
            return self._inside(process, starts[0], before, after)
        for start in starts if before else ():
            self._made.behind(start.id, self._row(start, before, process.name or process.id))
        for end in ends if after and not together else ():
            self._made.in_front(end.id, self._row(end, after, process.name or process.id))
        return self._made.scope()

    def _inside(self, process: Process, start: Element, before: _Told, after: _Told) -> Scope:
        """All but the start event goes into a sub-process: its end is that of the process, whatever its tokens do."""
        name, title = self._names.fresh(f"{process.id}_with_listeners"), process.name or process.id
        wrapper = Element(id=name, kind="subProcess", name=process.name, line=process.line, resolved=process.policy)
        rows = self._row(start, before, title), self._row(wrapper, after, title)
        return self._made.inside(start.id, wrapper, *rows)

    def _branches(self, element: Element) -> bool:
        """Whether several tokens may be on their way behind it, so that no end is known to be the last."""
        beside = element.attached_to is not None and not element.interrupting
        return beside or element.triggered_by_event or (element.kind not in _CHOICES and len(element.outgoing) > 1)

    def _in_front(self, element: Element, told: _Told) -> None:
        if told:
            self._made.in_front(element.id, self._row(element, told))

    def _behind(self, element: Element, told: _Told) -> None:
        if told:
            self._made.behind(element.id, self._row(element, told))

    def _around(self, element: Element, before: _Told, after: _Told) -> None:
        name = self._names.fresh(f"{element.id}_with_listeners")
        self.moved[element.id] = name
        wrapper = Element(
            id=name, kind="subProcess", name=element.name, line=element.line, lane=element.lane,
            resolved=element.resolved, loop=element.loop, for_compensation=element.for_compensation,
            start_quantity=element.start_quantity, completion_quantity=element.completion_quantity,
        )  # fmt: skip
        inner = replace(
            self._made.elements[element.id],
            loop=None, for_compensation=False, start_quantity=1, completion_quantity=1,
        )  # fmt: skip
        if element.kind in SUB_PROCESSES:  # what goes into a scope is there for its listeners, too
            wrapper = replace(wrapper, input_mappings=inner.input_mappings, output_mappings=inner.output_mappings)
            inner = replace(inner, input_mappings=(), output_mappings=())
        self._made.elements[element.id] = inner
        self._made.around(element.id, wrapper, self._row(element, before), self._row(element, after))

    def _row(self, owner: Element, told: _Told, title: str | None = None) -> list[Element]:
        """A task for each, which sees what the owner's mappings put into it; those of a scope are set around it."""
        mapped = () if owner.kind in SUB_PROCESSES or owner.kind == "callActivity" else owner.input_mappings
        row = []
        for each in told:
            made = Element(
                id=self._names.fresh(f"{owner.id}_{each.event}"),
                kind="serviceTask" if each.script is None else "scriptTask",
                name=f"{title or owner.name or owner.id}: {each.event}",
                line=each.line, lane=owner.lane, resolved=owner.resolved, script=each.script, job_type=each.job_type,
                input_mappings=(*mapped, *each.inputs),
            )  # fmt: skip
            message = f"the listener on {each.event} is run as {made.id}"
            self.guesses.append(Guess(rule=REWRITE, element=owner.id, line=each.line, message=message, quiet=True))
            row.append(made)
        return row

    def _is_chosen(self, element: Element) -> bool:
        """Whether an event-based gateway leads to it: nothing comes in between."""
        sources = (self._scope.elements[self._scope.flows[flow].source] for flow in element.incoming)
        return any(each.kind == "eventBasedGateway" for each in sources)

    def _is_link(self, element: Element) -> bool:
        return element.event is not None and element.event.kind == "link"
