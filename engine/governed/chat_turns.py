"""What is said into a process: it goes to WORKING, and attention is measured (Design: the bridge)."""

from __future__ import annotations

from typing import Final

from engine.errors import UnknownBranch
from engine.events import EventType
from engine.governed.hooks import GovernedHooks
from engine.governed.open_writes import working_writes
from engine.governed.writing import StepWriter
from engine.instance import Instance
from engine.spiff.census import is_token
from engine.spiff.task import DrivenTask
from governance.vocabulary import Producer

CHAT: Final = "chat/"
"""Names of turns begin so. Each is a variable of its own, {"by", "at", "text"}: branches never disagree about them."""


class ChatTurns:
    """Turns of a chat in one instance, inside an advance."""

    def __init__(self, instance: Instance, hooks: GovernedHooks) -> None:
        self._instance, self._hooks = instance, hooks

    def say(self, text: str, by: str, branch: str | None) -> None:
        """A turn on the token of `branch`; None: the only one. Raises UnknownBranch."""
        task = self._standing_on(branch)
        step = StepWriter(self._instance.graph, task.token)
        turn = f"{CHAT}{self._instance.log.next_seq}"
        step.write(turn, {"by": by, "at": self._instance.at, "text": text}, producer=Producer.HUMAN)
        task.token = step.commit("chat", task.element_id or "", self._instance.at)
        task.data = self._hooks.view(task.token)
        if task.token.branch:
            self._hooks.open_writes.add(
                task.token.branch, working_writes(self._instance.graph.get(task.token.head))
            )
        self._instance.touch(task)
        self._hooks.stand_for_instance(task)
        self._instance.log.add(EventType.CHAT_TURN, task.element_id, task.token.branch, by=by, turn=turn)
        self._hooks.measured(task)

    def _standing_on(self, branch: str | None) -> DrivenTask:
        waiting = [
            task
            for scope in self._instance.workflow.scopes()
            for task in scope.live.values()
            if task.token is not None and is_token(task)
        ]
        found = [task for task in waiting if branch in (None, task.token.branch)]
        if len(found) != 1:
            raise UnknownBranch(self._instance.id, branch, sorted({task.token.branch for task in waiting}))
        return found[0]
