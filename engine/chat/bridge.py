"""`ChatProcessBridge`: a chat and a process keep each other informed, in both directions (Design: the bridge)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from engine.chat.events import (
    ActivityCompleted,
    ChatEvent,
    GatewayReached,
    InstanceEnded,
    TurnOpened,
    chat_event,
)
from engine.chat.replies import decided, outputs_of
from engine.events import Event
from engine.governed.chat_turns import CHAT
from engine.governor import Governor
from engine.result import RunResult
from engine.store.errors import UnknownTask

Listener = Callable[[ChatEvent], None]

_ALL: Final = ""


class ChatProcessBridge:
    """Process to chat: typed events to listeners and streams, in the order of each instance's log, once durable.

    Chat to process: what is said goes to WORKING, attention is measured; a reply answers what the process asked.
    Listeners are called on a thread that moves the instance; one that raises stops neither the instance nor others.
    Close it when the chat ends.
    """

    def __init__(self, governor: Governor) -> None:
        self._governor = governor
        self._listeners: dict[str, list[Listener]] = {}
        self._stop = governor.listen(self._hear)

    def listen(self, listener: Listener, instance: str | None = None) -> Callable[[], None]:
        """Call `listener` for each event of an instance, or of all; what it returns ends that."""
        heard = self._listeners.setdefault(instance or _ALL, [])
        heard.append(listener)

        def stop() -> None:
            if listener in heard:
                heard.remove(listener)

        return stop

    def on_activity_complete(self, listener: Callable[[ActivityCompleted], None]) -> Callable[[], None]:
        """Call `listener` for each completed activity: its outputs are history, and attention is measured."""
        return self.listen(lambda event: listener(event) if isinstance(event, ActivityCompleted) else None)

    def on_gateway_reached(self, listener: Callable[[GatewayReached], None]) -> Callable[[], None]:
        """Call `listener` whenever a token chose its way, became several (D2), or several came together (D3)."""
        return self.listen(lambda event: listener(event) if isinstance(event, GatewayReached) else None)

    def on_turn_opened(self, listener: Callable[[TurnOpened], None]) -> Callable[[], None]:
        """Call `listener` whenever the process asks something of the chat."""
        return self.listen(lambda event: listener(event) if isinstance(event, TurnOpened) else None)

    def on_chat_turn(self, instance: str, text: str, *, by: str, branch: str | None = None) -> RunResult:
        """Somebody, or a model, said something: it stands in WORKING, on the token of `branch` (None: the only one).

        Raises UnknownBranch, UnknownInstance.
        """
        return self._governor.chat_turn(instance, text, by=by, branch=branch)

    def reply(self, id: str, text: str, *, by: str, roles: tuple[str, ...] = ()) -> RunResult:
        """Answer what the process asked as `id` in words.

        A task with one text to fill in takes the text, any other a JSON object; a question takes one of its options,
        then the reason (`deny the amount is wrong`), or `edit {...}` and `resolve {...}`. Raises WrongReply, and what
        `Governor.complete` and `Governor.answer` raise.
        """
        try:
            item = self._governor.store.work_item(id)
        except UnknownTask:
            asked = self._governor.store.intervention(id)
            given = decided(asked, text)
            return self._governor.answer(
                id,
                given.decision,
                by=by,
                roles=roles,
                reason=given.reason,
                values=given.values,
                shown_hash=asked.shown_hash,
            )
        return self._governor.complete(id, outputs_of(item, text), by=by, roles=roles)

    def turns(self, instance: str) -> list[dict[str, Any]]:
        """What was said into an instance: {"id", "by", "at", "text"}, oldest first. Raises UnknownInstance."""
        variables = self._governor.result(instance).variables
        said = [{"id": name, **value} for name, value in variables.items() if name.startswith(CHAT)]
        return sorted(said, key=lambda turn: int(turn["id"].removeprefix(CHAT)))

    def history(self, instance: str, *, after: int = -1) -> list[ChatEvent]:
        """What was there to hear of an instance so far, after an event's `seq`. Raises UnknownInstance."""
        self._governor.store.instance(instance)
        heard = (chat_event(instance, event) for event in self._governor.store.events(instance, after=after))
        return [event for event in heard if event is not None]

    async def stream(self, instance: str, *, after: int = -1) -> AsyncIterator[ChatEvent]:
        """What happened after an event's `seq`, then what happens, until the instance has ended; each event once."""
        loop, queue = asyncio.get_running_loop(), asyncio.Queue[ChatEvent]()

        def put(event: ChatEvent) -> None:
            loop.call_soon_threadsafe(queue.put_nowait, event)

        stop = self.listen(put, instance)
        try:
            for event in await asyncio.to_thread(self.history, instance, after=after):
                after = event.seq
                yield event
                if isinstance(event, InstanceEnded):
                    return
            while True:
                event = await queue.get()
                if event.seq > after:
                    yield event
                    if isinstance(event, InstanceEnded):
                        return
        finally:
            stop()

    def close(self) -> None:
        """Hear nothing more."""
        self._stop()
        self._listeners.clear()

    def _hear(self, instance: str, event: Event) -> None:
        listeners = [*self._listeners.get(instance, ()), *self._listeners.get(_ALL, ())]
        heard = chat_event(instance, event) if listeners else None
        if heard is not None:
            for listener in listeners:
                self._tell(listener, heard)

    def _tell(self, listener: Listener, event: ChatEvent) -> None:
        try:
            listener(event)
        except Exception:
            # A chat that has gone must not stop a process.
            for listeners in self._listeners.values():
                if listener in listeners:
                    listeners.remove(listener)
