"""The open interventions of an instance: who waits for each, what they pin, and which of them acts next by itself."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping

from governance.human_loop.intervention import Intervention


class Held(Mapping[str, int | None]):
    """Open intervention id -> task that waits for it; None: it is about the instance as a whole.

    What is due and what is pinned is kept as interventions come and go, so that no advance looks at all of them.
    """

    def __init__(self) -> None:
        self._tasks: dict[str, int | None] = {}
        self._pinning: dict[str, tuple[str, ...]] = {}
        self._due: dict[str, str] = {}
        self._by_due: list[tuple[str, str]] = []
        self.pins: Counter[str] = Counter()
        """Keys of the context that an open intervention shows (`pins` in what it shows): D1 leaves them alone."""

    def __getitem__(self, id: str) -> int | None:
        return self._tasks[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def put(self, intervention: Intervention, task: int | None) -> None:
        """One that is open: new, or changed (another due time, other people). What it shows never changes."""
        id, due = intervention.id, intervention.acts_at
        if id not in self._tasks:
            self._pinning[id] = _pins(intervention)
            self.pins.update(self._pinning[id])
        self._tasks[id] = task
        if due is None:
            self._due.pop(id, None)
        elif self._due.get(id) != due:
            self._due[id] = due
            heapq.heappush(self._by_due, (due, id))

    def drop(self, id: str) -> None:
        """It is open no longer; nothing if it was not."""
        if id not in self._tasks:
            return
        del self._tasks[id]
        self._due.pop(id, None)
        for key in self._pinning.pop(id):
            self.pins[key] -= 1
            if not self.pins[key]:
                del self.pins[key]

    @property
    def next_due(self) -> str | None:
        """When the first of them acts by itself."""
        while self._by_due and self._due.get(self._by_due[0][1]) != self._by_due[0][0]:
            heapq.heappop(self._by_due)
        return self._by_due[0][0] if self._by_due else None

    def due_by(self, at: str) -> Iterator[str]:
        """Those that act by themselves at `at`, the longest due first; each has to be dropped or put anew."""
        while (due := self.next_due) is not None and due <= at:
            yield self._by_due[0][1]


def _pins(intervention: Intervention) -> tuple[str, ...]:
    shown = intervention.shown
    pins = shown.get("pins") if isinstance(shown, dict) else None
    return tuple(str(key) for key in pins) if isinstance(pins, list) else ()
