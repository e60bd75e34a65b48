"""Makes an advance again, from what it was made by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from engine.advance import Advancing
from engine.governed.hooks import GovernedHooks
from engine.governed.refusals import by_policy
from engine.instance import Instance
from engine.operations.operation import OperationRefused
from engine.posting import message_of
from engine.replay.cause import Cause, Kind, load_answer, load_operation, load_post
from engine.replay.results import Came, load_result
from engine.replay.worked import load_work
from engine.store.port import InstanceStore
from governance.human_loop.intervention import Delegation, Intervention
from governance.snapshots.canonical import thaw
from governance.snapshots.values import ValueStore
from governance.tools.errors import ToolRefused

Data = Mapping[str, Any]


class Applying:
    """The ways in which one instance was moved."""

    def __init__(self, instance: Instance, hooks: GovernedHooks, advancing: Advancing, store: InstanceStore) -> None:
        self._instance, self._hooks, self._advancing, self._store = instance, hooks, advancing, store
        self._ways: Mapping[Kind, Callable[[Data], object]] = {
            Kind.MOVE: lambda data: advancing.move(),
            Kind.WORKED: self._worked,
            Kind.DONE: self._done,
            Kind.DELIVER: self._deliver,
            Kind.RECEIVE: lambda data: self._post(data, advancing.receive),
            Kind.BEGIN: lambda data: self._post(data, advancing.begin),
            Kind.SIGNAL: lambda data: advancing.signal(load_post(self._values, data["post"])),
            Kind.ANSWER: self._answer,
            Kind.DELEGATE: self._delegate,
            Kind.RESTORE: lambda data: advancing.restore_context(data["snapshot"], data["branch"], data["by"]),
            Kind.OPERATE: lambda data: advancing.operate(load_operation(self._values, data["operation"])),
            Kind.TOOL: self._tool,
            Kind.CHAT: self._chat,
            Kind.SYSTEM: self._system,
        }

    def can(self, kind: Kind) -> bool:
        """Whether such an advance can be made again."""
        return kind in self._ways

    def apply(self, cause: Cause) -> None:
        """Make it again. Raises UnknownValue, Unkept, and whatever does not fit the instance as it stands."""
        self._instance.chains = bool(cause.data.get("chains"))
        self._advancing.again = cause.data.get("reads", ())
        # Such an advance ends with what it refused, once that is on record.
        with suppress(OperationRefused, ToolRefused):
            self._ways[cause.kind](cause.data)

    @property
    def _values(self) -> ValueStore:
        return self._instance.graph.values

    def _worked(self, data: Data) -> None:
        instance = self._instance
        load_work(instance, data)
        for id in data.get("after", {}):
            task = instance.jobs[int(id)]
            task.data = self._hooks.view(task.token)
        for id in data.get("asked", ()):
            asked = reopened(self._store.intervention(id))
            holding = next((task.id for task in instance.jobs.values() if id in task.activity.holds), None)
            instance.put_intervention(asked, holding)
        self._advancing.complete_jobs([(task, self._result(task, told)) for task, told in data["results"]])

    def _result(self, task_id: int, told: Data) -> Came:
        result = load_result(self._values, told)
        if result is not None:
            return result
        task = self._instance.jobs[task_id]
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        refused = by_policy(element) or self._hooks.dead_ends.reached(task, task.activity, element)
        if refused is None:
            raise LookupError(f"{element.id} was refused ({told['refused']}), and nothing refuses it now")
        return refused

    def _done(self, data: Data) -> None:
        self._advancing.complete_work_item(data["task"], self._variables(data), data["by"])

    def _deliver(self, data: Data) -> None:
        self._advancing.correlate(data["message"], self._variables(data), data["key"], data.get("by"))

    def _post(self, data: Data, way: Callable[..., object]) -> None:
        post = load_post(self._values, data["post"])
        way(post, message_of(post))

    def _answer(self, data: Data) -> None:
        asked = self._instance.interventions[data["id"]]
        given = load_answer(self._values, data["answer"])
        self._advancing.close_intervention(asked.model_copy(update={"status": data["status"], "answer": given}))

    def _delegate(self, data: Data) -> None:
        asked = self._instance.interventions[data["id"]]
        given = (*asked.delegations, Delegation.model_validate(data["delegation"]))
        self._advancing.delegate(asked.model_copy(update={"delegations": given}))

    def _tool(self, data: Data) -> None:
        arguments = thaw(self._values.get(data["value_hash"]))
        self._advancing.use_tool(data["tool"], arguments, data["branch"], data["by"])

    def _chat(self, data: Data) -> None:
        self._instance.log.next_seq = data["seq"]
        self._advancing.chat_turn(self._values.get(data["text_hash"]), data["by"], data["branch"])

    def _system(self, data: Data) -> None:
        self._advancing.ask_for_system(data["name"], thaw(self._values.get(data["value_hash"])), data["by"])

    def _variables(self, data: Data) -> dict[str, Any]:
        return {name: thaw(self._values.get(each)) for name, each in data["outputs"].items()}


def reopened(asked: Intervention) -> Intervention:
    """An intervention as it was asked first."""
    first = {"status": "open", "answer": None, "delegations": (), "escalated_at": None}
    return asked.model_copy(update=first)
