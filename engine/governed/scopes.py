"""Contexts of sub-processes and called processes.

A sub-process shares its token's context. A called process has a variable scope of its own inside the same context:
nothing it writes is a write of the caller; on return only its declared outputs are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bpmn.definition import DataItem, Element
from engine.activities.work import Outcome
from engine.events import EventType
from engine.governed.mapped import Mapped
from engine.governed.open_writes import OpenWrites, working_writes
from engine.governed.services import Services
from engine.governed.tainting import Tainting
from engine.governed.token import Token
from engine.governed.variables import Variables
from engine.governed.writing import StepWriter
from engine.informing import inform
from engine.instance import Instance
from engine.spiff.loops import round_of
from engine.spiff.task import DrivenTask
from governance.layers.history import ActivityRecord
from governance.layers.spaces import space_for
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import CommitMeta, EntryMeta, Stamp, Write, key_of
from governance.vocabulary import Layer, Producer


class MissingInput(Exception):
    """A declared input of a called process that the caller does not have."""

    def __init__(self, element: str, name: str) -> None:
        self.element, self.name = element, name
        super().__init__(f"{element}: the called process needs the input {name}, and there is no such variable")


class MissingOutput(Exception):
    """A declared output that a called process did not produce."""

    def __init__(self, element: str, name: str) -> None:
        self.element, self.name = element, name
        super().__init__(f"{element}: the called process ended without its output {name}")


class Scopes:
    """Opens and closes scopes around tokens."""

    def __init__(self, instance: Instance, services: Services, open_writes: OpenWrites, mapped: Mapped) -> None:
        self._instance, self._services, self._open_writes = instance, services, open_writes
        self._mapped, self._tainting = mapped, Tainting(instance)

    def open(self, task: DrivenTask, root: DrivenTask) -> None:
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        token: Token = task.token
        if element.kind == "callActivity":
            token = self._call(task, element, token)
        elif element.input_mappings:
            token = token._replace(local={**token.local, **self._own(task, element, token)})
        root.token = token
        root.data = self._view(token)

    def close(self, task: DrivenTask, last: DrivenTask) -> None:
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        inner: Token = last.token
        if element.kind == "callActivity":
            task.token = self._return(task, element, inner)
        else:
            task.token = self._left(task, element, inner)
        task.data = self._view(task.token)

    def _own(self, task: DrivenTask, element: Element, token: Token) -> dict[str, Stamp]:
        """What input mappings set is the sub-process's own, and gone with it."""
        graph = self._instance.graph
        step, at = graph.get(token.head).step, self._instance.at
        inputs = {name: graph.values.put(value) for name, value in self._mapped.inputs(task, element).items()}
        self._computed(element, token, inputs)
        return {name: Stamp(at, step, token.branch, value) for name, value in inputs.items()}

    def _computed(self, element: Element, token: Token, inputs: Mapping[str, str]) -> None:
        """What input mappings have set, by hash, is tainted as what it is made of."""
        read = self._instance.index.mappings(element).inputs_read if element.input_mappings else {}
        self._tainting.computed(token, [(value, read.get(name, ())) for name, value in inputs.items()])

    def _left(self, task: DrivenTask, element: Element, inner: Token) -> Token:
        """The token behind a sub-process: what is its own stays in it, but for what output mappings make of it."""
        outer: Token = task.token
        if not (element.input_mappings or element.output_mappings):
            return inner._replace(branch=outer.branch)
        own = {mapping.target.partition(".")[0] for mapping in element.input_mappings}
        local = {name: stamp if name in own else inner.local[name] for name, stamp in outer.local.items()}
        token = inner._replace(branch=outer.branch, local=local)
        seen = self._view(inner)
        found = self._mapped.of_scope(task, element, seen) if element.output_mappings else {}
        self._mapped.keep(task, found, {name: seen[name] for name in own if name in seen})
        if not element.output_mappings:
            return token
        return self._written(task, element, token, inner, found.items())

    def _view(self, token: Token) -> Variables:
        return Variables(self._instance.graph, token)

    def _call(self, task: DrivenTask, element: Element, token: Token) -> Token:
        graph = self._instance.graph
        generation = graph.get(token.head).generation
        scope = f"{element.id}@{generation}{token.branch.replace('/', '|')}"  # a space's name holds no slash
        meta = put_meta(
            graph.values, EntryMeta(activity=element.id, branch=token.branch, created_at=self._instance.at)
        )
        space = space_for(Layer.WORKING, scope)
        inputs = {name: graph.values.put(value) for name, value in self._inputs(task, element).items()}
        self._computed(element, token, inputs)
        writes = {key_of(space, name): Write(value, meta) for name, value in inputs.items()}
        commit = graph.commit(
            [token.head], writes=writes, meta=CommitMeta("call", element.id, token.branch, self._instance.at)
        )
        return token._replace(head=commit.id, scope=scope, local={})

    def _inputs(self, task: DrivenTask, element: Element) -> dict[str, Any]:
        """The activity's mapped inputs, else the called process's declared ones, else every variable."""
        if element.input_mappings:
            return self._mapped.inputs(task, element)
        declared = element.data_inputs or self._called(element).data_inputs
        if not declared:
            return dict(task.data)
        found = {}
        for item in declared:
            source = item.variable or item.name
            if source in task.data:
                found[item.name] = task.data[source]
            elif not item.optional:
                raise MissingInput(element.id, source)
        return found

    def _return(self, task: DrivenTask, element: Element, inner: Token) -> Token:
        outer: Token = task.token
        view = self._view(inner)
        token = outer._replace(head=self._close_scope(element, inner), recent=inner.recent, action=inner.action)
        return self._written(task, element, token, inner, self._returned(task, element, view))

    def _written(
        self, task: DrivenTask, element: Element, token: Token, inner: Token, outputs: Iterable[tuple[str, Any]]
    ) -> Token:
        """The token behind what comes out of a scope, where `inner` stands, with its record."""
        graph = self._instance.graph
        step = StepWriter(graph, token)
        hashes = {name: step.write(name, value, producer=Producer.ENGINE) for name, value in outputs}
        task.written = frozenset(hashes)
        if element.output_mappings:
            read = self._instance.index.mappings(element).outputs_read
            self._tainting.computed(inner, [(value, read.get(name, ())) for name, value in hashes.items()])
        record = ActivityRecord(activity=element.id, name=element.name or "", outputs=hashes)
        grading = self._services.grading_for(element.resolved.policy, token.zones)
        recent = step.context.move_to_history(record, token.recent, grading)
        token = step.commit("return", element.id, self._instance.at)._replace(recent=recent)
        if token.branch:
            self._open_writes.add(token.branch, working_writes(graph.get(token.head)))
        done = round_of(task)
        about = {} if done is None else {"round": done}
        self._instance.log.add(
            EventType.ACTIVITY_COMPLETED, element.id, token.branch, outputs=hashes, head=token.head, **about
        )
        inform(self._instance.log, self._instance.index, element.id, token.branch, "completed")
        return token

    def _returned(self, task: DrivenTask, element: Element, view: Variables) -> Iterator[tuple[str, Any]]:
        """What the output mappings make of the called process's variables, else its declared outputs."""
        if element.output_mappings:
            yield from self._mapped.outcome(task, element, Outcome(outputs=dict(view))).outputs.items()
            return
        returned = {}
        for item in self._outputs(element):
            if item.name in view:
                returned[item.variable or item.name] = view[item.name]
            elif not item.optional:
                raise MissingOutput(element.id, item.name)
        self._mapped.keep(task, returned, view)
        yield from returned.items()

    def _close_scope(self, element: Element, inner: Token) -> str:
        """The called process's variables leave the context with it."""
        graph = self._instance.graph
        space = space_for(Layer.WORKING, inner.scope)
        meta = put_meta(
            graph.values, EntryMeta(activity=element.id, branch=inner.branch, created_at=self._instance.at)
        )
        gone = {key_of(space, name): Write(None, meta) for name in graph.contents(inner.head).names(space)}
        self._open_writes.closed(inner.branch, gone)
        if not gone:
            return inner.head
        return graph.commit(
            [inner.head], writes=gone, meta=CommitMeta("return", element.id, inner.branch, self._instance.at)
        ).id

    def _outputs(self, element: Element) -> tuple[DataItem, ...]:
        return element.data_outputs or self._called(element).data_outputs

    def _called(self, element: Element) -> Any:
        return self._instance.index.definition.processes[element.called or ""]
