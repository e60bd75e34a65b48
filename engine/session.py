"""One live instance, being run: advances and work in turns until it waits or ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.advance import Advancing
from engine.governed.hooks import GovernedHooks
from engine.instance import Instance
from engine.operations.operating import KIND
from engine.operations.operation import Operation
from engine.post import Post
from engine.spiff.messages import Message
from engine.status import Status
from engine.workshop import Workshop
from governance.human_loop.intervention import Intervention

Step = Callable[[], Status]


class Session:
    """Holds an instance while it moves; drop it when an exception came out of it."""

    def __init__(self, instance: Instance, hooks: GovernedHooks, advancing: Advancing, workshop: Workshop) -> None:
        self.instance, self.hooks = instance, hooks
        self._advancing, self._workshop = advancing, workshop

    def run(self) -> Status:
        """Move on until the instance waits for the world outside, or ends."""
        return self._work_on(self._advancing.move)

    def complete_work_item(self, task: int, outputs: dict[str, Any], by: str) -> Status:
        return self._work_on(lambda: self._advancing.complete_work_item(task, outputs, by))

    def close_intervention(self, closed: Intervention) -> Status:
        return self._work_on(lambda: self._advancing.close_intervention(closed))

    def delegate(self, changed: Intervention) -> Status:
        return self._work_on(lambda: self._advancing.delegate(changed))

    def correlate(self, name: str, payload: Mapping[str, Any], key: Any = None, by: str | None = None) -> Status:
        return self._work_on(lambda: self._advancing.correlate(name, payload, key, by))

    def signal(self, post: Post) -> bool:
        """Take in a signal from outside; False: nothing waits for it."""
        if not self._advancing.can_receive(post, Message(post.name, post.topics, post.payload)):
            return False
        self._work_on(lambda: self._advancing.signal(post))
        return True

    def begin(self, post: Post, message: Message) -> Status:
        """Move on from the start event that waits for what another instance threw: one advance from there on."""
        return self._work_on(lambda: self._advancing.begin(post, message))

    def receive(self, post: Post, message: Message) -> bool:
        """Take in what came from another instance; False: nothing in this one waits for it, and nothing moved."""
        if not self._advancing.can_receive(post, message):
            return False
        self._work_on(lambda: self._advancing.receive(post, message))
        return True

    def chat_turn(self, text: str, by: str, branch: str | None) -> Status:
        return self._work_on(lambda: self._advancing.chat_turn(text, by, branch))

    def ask_for_system(self, name: str, value: Any, by: str) -> Status:
        return self._work_on(lambda: self._advancing.ask_for_system(name, value, by))

    def restore_context(self, snapshot: str, branch: str | None, by: str) -> Status:
        return self._work_on(lambda: self._advancing.restore_context(snapshot, branch, by))

    def operate(self, wanted: Operation) -> Status:
        return self._work_on(lambda: self._advancing.operate(wanted))

    def use_tool(self, tool: str, arguments: Mapping[str, Any], branch: str | None, by: str) -> dict[str, Any]:
        return self._advancing.use_tool(tool, arguments, branch, by)

    def asks(self, wanted: Operation) -> bool:
        """Whether somebody is asked before it is done, or it is refused."""
        return self._advancing.operating.asks(wanted)

    def check(self, closed: Intervention) -> None:
        """Whether an answer fits what was asked, and what it decides can still be done."""
        if closed.kind == KIND:
            self._advancing.operating.check(closed)
        else:
            self.hooks.check(closed)

    def _work_on(self, step: Step) -> Status:
        status = step()
        while self.instance.jobs and not status.halted and not self.instance.handed_on:
            status = self._advancing.complete_jobs(self._workshop.perform())
        return status
