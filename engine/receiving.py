"""What comes to an instance from outside: messages and signals, inside an advance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.events import EventType
from engine.instance import Instance
from engine.post import Post
from engine.spiff.events import broadcast
from engine.spiff.messages import Message, NotAwaited, receiving
from engine.spiff.task import DrivenTask


class Receiving:
    """Gives what arrives to the tokens that wait for it."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def deliver(self, name: str, payload: Mapping[str, Any], key: Any, by: str | None = None) -> None:
        """A message from outside; `by` who sent it, if that is known. Raises NotAwaited."""
        message = Message(name, (("message", name),), payload, key)
        receiver = self._instance.workflow.mailbox.deliver(message)
        if receiver is None:
            awaited = self._instance.workflow.event_manager.topics("message")
            raise NotAwaited(name, awaited, key)
        self._received(receiver, message, by)

    def accepts(self, post: Post, message: Message) -> bool:
        """Whether something in the instance waits for what another one threw."""
        manager = self._instance.workflow.event_manager
        waiting = [task for topic in post.topics for task in manager.waiting_for(topic)]
        if post.kind == "signal":
            return bool(waiting)
        return any(receiving(task, message) is not None for task in waiting)

    def take(self, post: Post, message: Message) -> None:
        """What another instance threw: it is on its way no more."""
        self._instance.changes.taken.append(post.id)
        if post.kind == "signal":
            self.broadcast(post)
            return
        receiver = self._instance.workflow.mailbox.deliver(message)
        assert receiver is not None
        self._received(receiver, message)

    def broadcast(self, post: Post) -> None:
        """A signal, to all that wait for it."""
        broadcast(self._instance.workflow, post.topics[0], post.payload)

    def _received(self, receiver: DrivenTask, message: Message, by: str | None = None) -> None:
        data = {"message": message.name} if by is None else {"message": message.name, "by": by}
        self._instance.log.add(EventType.MESSAGE_RECEIVED, receiver.element_id, receiver.token.branch, **data)
