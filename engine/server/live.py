"""Events of an instance as they happen: told at once by moves in this process, and looked for where others move it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from threading import Lock
from typing import Final

import orjson
from starlette.concurrency import run_in_threadpool

from engine.events import Event, EventType
from engine.governor import Governor

LOOK: Final = 2.0
"""Seconds after which to look whether another program has moved the instance."""
_PAGE: Final = 200
_KEEP_ALIVE: Final = b": still here\n\n"
_RETRY: Final = b"retry: 2000\n\n"
_LAST: Final = frozenset({EventType.INSTANCE_COMPLETED})


class Heard:
    """Wakes those who wait for events of an instance. One ear at the Governor serves all of them."""

    def __init__(self, governor: Governor) -> None:
        self._lock = Lock()
        self._waiting: dict[str, set[Callable[[], object]]] = defaultdict(set)
        self._deaf = governor.listen(self._hear)
        self.stopped = False
        """Whether every feed is to end: the server is going down."""

    def stop(self) -> None:
        """Hear nothing more, and end every feed."""
        self._deaf()
        self.stopped = True
        with self._lock:
            wakes = [wake for each in self._waiting.values() for wake in each]
        for wake in wakes:
            wake()

    def watch(self, instance: str, wake: Callable[[], object]) -> Callable[[], None]:
        """Call `wake`, from any thread, when the instance moves; what it returns ends that."""
        with self._lock:
            self._waiting[instance].add(wake)

        def leave() -> None:
            with self._lock:
                self._waiting[instance].discard(wake)
                if not self._waiting[instance]:
                    del self._waiting[instance]

        return leave

    def _hear(self, instance: str, event: Event) -> None:
        if instance in self._waiting:
            with self._lock:
                wakes = tuple(self._waiting.get(instance, ()))
            for wake in wakes:
                wake()


class Feed:
    """The events of one instance after one of them, as messages of a server-sent stream."""

    def __init__(self, governor: Governor, heard: Heard, instance: str, after: int, look: float = LOOK) -> None:
        self._store, self._heard, self._instance = governor.store, heard, instance
        self._after, self._look = after, look

    async def messages(self) -> AsyncIterator[bytes]:
        """Until the instance has ended, or whoever listens goes away."""
        loop, moved = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with suppress(RuntimeError):  # the server is going down, and its loop is closed
                loop.call_soon_threadsafe(moved.set)

        leave = self._heard.watch(self._instance, wake)
        try:
            yield _RETRY
            while not self._heard.stopped:
                moved.clear()
                events = await run_in_threadpool(self._new)
                for event in events:
                    yield _message(event)
                    if event.type in _LAST:
                        return
                if len(events) == _PAGE:
                    continue
                try:
                    await asyncio.wait_for(moved.wait(), self._look)
                except TimeoutError:
                    yield _KEEP_ALIVE
        finally:
            leave()

    def _new(self) -> Sequence[Event]:
        events = self._store.events(self._instance, after=self._after, limit=_PAGE)
        if events:
            self._after = events[-1].seq
        return events


def _message(event: Event) -> bytes:
    try:
        data = orjson.dumps(event._asdict())
    except TypeError:
        from engine.json_text import compact

        data = compact(event._asdict()).encode()
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq, event.type.value.encode(), data)
