"""Does the work of services and agents between advances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from bpmn.definition import Definition, Element
from engine.activities.work import Handler, Outcome, Work
from engine.errors import EngineError
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.hooks import GovernedHooks
from engine.governed.token import UNSET
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.compression.decisions import D1Decision
from governance.layers.manager import ContextLayerManager


class Journal(Protocol):
    """Answers of models, kept before they are used; purged when their activity run completes."""

    def get(self, run: str, call: str) -> dict[str, Any] | None: ...

    def put(self, run: str, call: str, answer: dict[str, Any]) -> None: ...


class Handlers(Protocol):
    """Finds who does an activity."""

    def handler_for(self, element: Element) -> Handler:
        """The handler of an activity. Raises MissingHandler, which lists what is registered."""
        ...

    def require(self, definition: Definition) -> None:
        """Raises MissingHandler for the activities of a definition that nobody would do."""
        ...


class HandlerExited(EngineError):
    """A handler that tried to end the program."""

    def __init__(self, element: str, code: object) -> None:
        self.element, self.code = element, code
        super().__init__(f"{element}: its handler tried to end the program (exit code {code})")


class Workshop:
    """Performs an instance's jobs, one after the other, in the order of their tasks."""

    def __init__(self, instance: Instance, hooks: GovernedHooks, handlers: Handlers, journal: Journal) -> None:
        self._instance, self._hooks = instance, hooks
        self._handlers, self._journal = handlers, journal

    def perform(self) -> list[tuple[int, Outcome | Exception]]:
        """What each open job came to; a handler's exception is its result."""
        return [(task_id, self._do(task)) for task_id, task in sorted(self._instance.jobs.items())]

    def _do(self, task: DrivenTask) -> Outcome | Exception:
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        try:
            return self._handlers.handler_for(element)(self._work(task, element))
        except Exception as error:
            return error
        except SystemExit as exit:
            return HandlerExited(element.id, exit.code)

    def _work(self, task: DrivenTask, element: Element) -> Work:
        instance, run, token = self._instance, task.activity, task.token
        context = ContextLayerManager(instance.graph, token.head, branch=token.branch, scope=token.scope)
        process = instance.index.process_of(element.id)

        def compress(overhead_tokens: int) -> D1Decision:
            decision = self._hooks.compressing.compress(task, run, element, overhead_tokens=overhead_tokens)
            context.head = task.token.head
            return decision

        def note(kind: str, data: Mapping[str, Any]) -> None:
            instance.log.add(EventType(kind), element.id, token.branch, **data)

        return Work(
            key=f"{instance.id}/{task.id}/{run.attempt}",
            element=element,
            process_name=process.name or process.id,
            policy=element.resolved.policy,
            variables=task.data,
            context=context,
            visit=run.visit,
            attempt=run.attempt,
            feedback=run.feedback,
            compress=compress,
            call_model=self._journaled(task, run),
            note=note,
            local=frozenset(name for name, item in token.local.items() if item.value != UNSET),
        )

    def _journaled(self, task: DrivenTask, run: ActivityRun) -> Callable[..., dict[str, Any]]:
        def call(request_hash: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
            key = f"{run.attempt}:{request_hash}"
            answer = self._journal.get(str(task.id), key)
            if answer is None:
                answer = ask()
                self._journal.put(str(task.id), key, answer)
            self._hooks.measured(task)
            return answer

        return call
