"""Activities and their outputs as attempts of the dead-end registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpmn.definition import Element
from engine.activities.tools.guard import ToolUse
from engine.activities.tools.outside import CALL
from engine.activities.work import Outcome
from engine.governed.activity_run import ActivityRun
from engine.governed.calls import arguments_of
from engine.governed.token import UNSET, Token
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.cda.dead_ends.model import Attempt
from governance.cda.dead_ends.signature import state_of, text_of
from governance.layers.spaces import space_for
from governance.snapshots.canonical import canonical, digest
from governance.vocabulary import Layer

ACTIVITY: Final = "activity"
OUTPUTS: Final = "outputs"
STRATEGY: Final = "strategy"
TOOL: Final = "tool"


class Attempts:
    """What an instance is about to do, or did, in the terms of the registry.

    An activity's arguments are its declared inputs and its instance's own items; its state is how many calls with a
    write effect came before it, and the version of who does it. Without declared inputs it may read every variable,
    so all of them belong to its state. An agent's call counts by its arguments: neither its id nor what the agent and
    its tools said so far makes another one of it.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def activity(
        self, task: DrivenTask, run: ActivityRun, element: Element, *, caught: bool = False
    ) -> Attempt:
        """An activity with the inputs it has; one whose error was `caught` is this instance's alone."""
        names = self.inputs(task, element)
        arguments = {name: self._given(task, name) for name in names}
        reads = {} if element.data_inputs else self._all(task)
        within = self._instance.id if caught else ""
        state = state_of(reads=reads, writes=run.writes, version=self._version(element), within=within)
        return self._attempt(f"{ACTIVITY}:{element.id}", arguments, state)

    def outputs(self, task: DrivenTask, element: Element, outcome: Outcome) -> Attempt:
        """What an activity came to, from the inputs it had: a person may have refused just that."""
        reads = {name: self._hash(task, name) for name in self.inputs(task, element)} or self._all(task)
        state = state_of(reads=reads, writes=0)
        return self._attempt(f"{OUTPUTS}:{element.id}", dict(outcome.outputs), state)

    def query(self, task: DrivenTask, element: Element) -> str:
        """What an activity is about, in words: its own, and its inputs."""
        arguments = {name: self._given(task, name) for name in self.inputs(task, element)}
        inputs = text_of(Attempt("", arguments, public=arguments))
        return f"{self._instance.index.query(element.id)}\n{inputs}"

    def tool(self, task: DrivenTask, run: ActivityRun, element: Element, use: ToolUse) -> Attempt:
        """A call of a tool. Only its public arguments are kept, of the others a hash."""
        reads = {name: self._hash(task, name) for name in self.inputs(task, element)}
        state = state_of(reads=reads, writes=run.writes + use.writes, version=use.version)
        given = dict(use.arguments)
        public = {name: given[name] for name in use.public if name in given}
        return Attempt(f"{TOOL}:{use.tool}", given, state, self._instance.dead_end_scope, public)

    def told(self, use: ToolUse) -> str:
        """A call in a line, as far as it may be told."""
        given = {name: use.arguments[name] for name in use.public if name in use.arguments}
        text = text_of(Attempt("", given, public=given))
        return f"{use.tool} with {text}" if text else ""

    def strategy(self, name: str, value: Any) -> Attempt:
        """A value of a variable, tried in this instance."""
        return strategy_of(name, value, self._instance.id, self._instance.dead_end_scope)

    def _attempt(self, action: str, arguments: Mapping[str, Any], state: str) -> Attempt:
        return Attempt(action, dict(arguments), state, self._instance.dead_end_scope, public=arguments)

    def inputs(self, task: DrivenTask, element: Element) -> list[str]:
        """Names of the declared inputs, and of the instance's own items."""
        declared = (item.variable or item.name for item in element.data_inputs)
        own = (name for name, item in task.token.local.items() if item.value != UNSET)
        return sorted({*declared, *own})

    def _all(self, task: DrivenTask) -> dict[str, str]:
        token: Token = task.token
        space = self._instance.graph.contents(token.head).space(space_for(Layer.WORKING, token.scope))
        said = self._instance.index.conversations if CALL in token.local else ()
        items = ((name, space.item(name)) for name in space.names() if name not in said)
        return {name: item.value for name, item in items if item is not None}

    def _given(self, task: DrivenTask, name: str) -> Any:
        value = task.data.get(name)
        return arguments_of(value) if name == CALL and isinstance(value, Mapping) else value

    def _hash(self, task: DrivenTask, name: str) -> str:
        return digest(canonical(self._given(task, name))) if name in task.data else ""

    def _version(self, element: Element) -> str:
        """Who does it, and how: another prompt, model or handler is another tool."""
        agent = element.agent
        told: list[Any] = [element.kind, element.job_type, element.documentation, self._instance.version_of(element)]
        if agent is not None:
            told += [agent.model, agent.prompt, list(agent.tools)]
        return digest(canonical(told))


def strategy_of(name: str, value: Any, instance: str, scope: str) -> Attempt:
    """A value of a variable, tried in an instance."""
    state = state_of(reads={}, writes=0, within=instance)
    return Attempt(f"{STRATEGY}:{name}", {name: value}, state, scope, public={name: value})
