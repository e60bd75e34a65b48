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
        self._pinning: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._due: dict[str, str] = {}
        self._by_due: list[tuple[str, str]] = []
        self._pins: dict[str, Counter[str]] = {}

    def __getitem__(self, id: str) -> int | None:
        return self._tasks[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def pins(self, branch: str) -> dict[str, int]:
        """Keys of a branch's context that an open intervention there shows (`pins` in what it shows).

        D1 leaves them alone. What others show of their own contexts is not concerned: each has its own.
        """
        return self._pins.get(branch) or {}

    def put(self, intervention: Intervention, task: int | None) -> None:
        """One that is open: new, or changed (another due time, other people). What it shows never changes."""
        id, due = intervention.id, intervention.acts_at
        if id not in self._tasks:
            self._pinning[id] = branch, keys = intervention.branch, _pins(intervention)
            if keys:
                self._pins.setdefault(branch, Counter()).update(keys)
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
        branch, keys = self._pinning.pop(id)
        for key in keys:
            pins = self._pins[branch]
            pins[key] -= 1
            if not pins[key]:
                del pins[key]
        if keys and not self._pins[branch]:
            del self._pins[branch]

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
