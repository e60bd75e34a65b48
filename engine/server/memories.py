"""Memories that programs use over the API, one per session."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, RLock
from typing import Final

from engine.store.memories import MemoryJournal
from engine.store.port import InstanceStore
from governance.cda.memory import CdaMemory
from governance.ports import Clock

_KEPT: Final = 64
"""How many stay in memory; the others are read again from their journals."""


class Memories:
    """Each is used by one request at a time. A failed call leaves nothing behind: the memory is read again."""

    def __init__(self, store: InstanceStore, clock: Clock) -> None:
        self._store, self._clock, self._lock = store, clock, Lock()
        self._open: OrderedDict[str, CdaMemory] = OrderedDict()
        self._locks: dict[str, RLock] = {}

    @contextmanager
    def use(self, session: str) -> Iterator[CdaMemory]:
        """For a `with` statement."""
        with self._lock:
            lock = self._locks.setdefault(session, RLock())
        with lock:
            memory = self._open.pop(session, None) or self._load(session)
            yield memory
            with self._lock:
                self._open[session] = memory
                if len(self._open) > _KEPT:
                    self._open.popitem(last=False)

    def _load(self, session: str) -> CdaMemory:
        journal: MemoryJournal = self._store.memory(session)
        return CdaMemory(session, journal=journal, clock=self._clock)
