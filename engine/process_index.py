"""A definition, indexed by element: what the engine asks for at every step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

from bpmn.definition import Definition, Element, Process, Scope
from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.places import Where
from bpmn.strategies import is_join, overruled, strategies_in
from engine.conditions_ahead import ConditionsAhead
from engine.mappings import Mappings, is_mapped
from engine.prompts.task import query
from governance.policy import BranchStrategy, Policy
from governance.vocabulary import InteractionLevel

if TYPE_CHECKING:
    from bpmn.dmn.decisions import Decisions


class ProcessIndex:
    """Elements of a definition across all its scopes. Static: shared by all instances of the definition."""

    def __init__(self, definition: Definition, main: str) -> None:
        self.definition = definition
        self.main = definition.processes[main]
        self.elements: dict[str, Element] = {}
        self._scopes: dict[str, Scope] = {}
        """Per element: the scope it stands in."""
        self._around: dict[str, Element | None] = {}
        """Per element: the sub-process around it."""
        self._process: dict[str, Process] = {}
        for process in definition.processes.values():
            for element, scope, around in _walk(process.scope):
                self.elements[element.id] = element
                self._scopes[element.id], self._around[element.id] = scope, around
                self._process[element.id] = process

    def policy(self, element_id: str | None) -> Policy:
        """The resolved policy of an element; the process's own for None."""
        element = self.elements.get(element_id or "")
        return self.main.policy.policy if element is None else element.resolved.policy

    def title(self, element_id: str) -> str:
        """What a person calls an element: its name, else its id."""
        element = self.elements.get(element_id)
        return (element.name if element is not None else None) or element_id

    def scope_of(self, element_id: str) -> Scope:
        """The scope that an element stands in."""
        return self._scopes[element_id]

    def process_of(self, element_id: str) -> Process:
        return self._process[element_id]

    @cached_property
    def initiators(self) -> tuple[str, ...]:
        """The variables in which the process wants to know who started it."""
        return tuple(each.initiator for each in self.main.scope.elements.values() if each.initiator is not None)

    @cached_property
    def conversations(self) -> frozenset[str]:
        """The variables that keep what agents say to the activities they call, and what those gave back."""
        agents = [each.agent for each in self.elements.values() if each.agent is not None]
        names = {name for agent in agents if agent.box is not None for name in (agent.turn, agent.results)}
        return frozenset(name for name in names if name is not None)

    @cached_property
    def inline(self) -> frozenset[str]:
        """Ids of the activities that are done at once, by a script or by nobody."""
        return frozenset(element.id for element in self.elements.values() if _is_inline(element))

    @cached_property
    def _queries(self) -> dict[str, str]:
        return {}

    def query(self, element_id: str) -> str:
        """What the coming activity is about, for comparing entries with (Design: D1 compress)."""
        found = self._queries.get(element_id)
        if found is None:
            found = self._queries[element_id] = query(self.elements[element_id])
        return found

    @cached_property
    def scope_names(self) -> Mapping[str, str]:
        """Per element the lane it is in, else the sub-process around it, else its process."""
        found = {}
        for id, element in self.elements.items():
            around = self._around[id]
            found[id] = element.lane or (around.id if around is not None else self._process[id].id)
        return found

    @cached_property
    def reads(self) -> Mapping[str, frozenset[str]]:
        """The variables that activities declare as inputs, of those that declare any."""
        return {
            id: frozenset(item.variable or item.name for item in element.data_inputs)
            for id, element in self.elements.items()
            if element.data_inputs
        }

    @cached_property
    def _needs(self) -> dict[str, frozenset[str]]:
        return {}

    def needs(self, element_id: str) -> frozenset[str]:
        """Tools, data objects and types of knowledge of an activity (Design: CDA, QTS, the part `tool`)."""
        found = self._needs.get(element_id)
        if found is None:
            element = self.elements[element_id]
            tools = element.agent.tools if element.agent is not None else ()
            data = (item.variable or item.name for item in element.data_inputs)
            types = (each.type for each in element.resolved.policy.knowledge_requirements)
            found = self._needs[element_id] = frozenset([*tools, *data, *types])
        return found

    def names_read_after(self, element_id: str) -> frozenset[str]:
        """Variables that a condition reads which can be reached from the element (Design: D3 merge, default)."""
        return self._ahead.names_after(self.elements[element_id])

    @cached_property
    def _ahead(self) -> ConditionsAhead:
        boundaries: dict[str, tuple[Element, ...]] = {}
        for element in self.elements.values():
            if element.attached_to is not None:
                boundaries[element.attached_to] = (*boundaries.get(element.attached_to, ()), element)
        return ConditionsAhead(self._scopes, self._around, boundaries, self._condition_names)

    @cached_property
    def decisions(self) -> Decisions:
        """The decision models that the definition was deployed with, read once for all instances."""
        from bpmn.dmn.attaching import decisions_of

        return decisions_of(self.definition)

    @cached_property
    def _strategies(self) -> Mapping[str, BranchStrategy]:
        return strategies_in(self.elements.values())

    @cached_property
    def _overruled(self) -> dict[str, Mapping[str, BranchStrategy]]:
        return {}

    def overruled_at(self, element_id: str | None) -> Mapping[str, BranchStrategy]:
        """Merge strategies that activities before a joining gateway name, and that its own overrules, by activity."""
        element = self.elements.get(element_id or "")
        if element is None or not is_join(element):
            return {}
        found = self._overruled.get(element.id)
        if found is None:
            found = self._overruled[element.id] = overruled(self._scopes[element.id], element, self._strategies)
        return found

    @cached_property
    def _mappings(self) -> dict[str, Mappings]:
        return {}

    def mappings(self, element: Element) -> Mappings:
        """The compiled mappings of an element."""
        found = self._mappings.get(element.id)
        if found is None:
            found = self._mappings[element.id] = Mappings(element, self.definition.file)
        return found

    @staticmethod
    @cache
    def _condition_names(text: str, language: str | None) -> frozenset[str]:
        return compile_condition(text, where=Where(file="", element="", line=None), language=language).names


def _walk(scope: Scope) -> Iterable[tuple[Element, Scope, Element | None]]:
    todo: list[tuple[Scope, Element | None]] = [(scope, None)]
    while todo:
        current, around = todo.pop()
        for element in current.elements.values():
            yield element, current, around
            if element.scope is not None:
                todo.append((element.scope, element))


def _is_inline(element: Element) -> bool:
    """Whether the activity is done by a script or by nobody, and its policy asks nobody and looks nothing up."""
    policy = element.resolved.policy
    return (
        element.kind in ("scriptTask", "task")
        and element.agent is None
        and element.job_type is None
        and not is_mapped(element)
        and policy.interaction_level is InteractionLevel.AUTO_ALLOW
        and not policy.knowledge_requirements
    )
