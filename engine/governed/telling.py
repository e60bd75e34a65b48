"""Tells the events of an attempt once, though it is done over after a person has answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.instance import Instance
from governance.snapshots.canonical import canonical, digest


class Telling:
    """Counts what an attempt tells, which comes in the same order each time.

    What was told before it waited is in the log: `run.noted` of them. A crash loses both.
    """

    def __init__(self, instance: Instance, run: ActivityRun, element: str, branch: str) -> None:
        self._log, self._run, self._element, self._branch = instance.log, run, element, branch
        self._place = 0

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Add an event that comes each time the attempt is done."""
        if self.is_new():
            self._log.add(EventType(kind), self._element, self._branch, **data)

    def once(self, kind: str, data: Mapping[str, Any]) -> None:
        """Add an event that need not come again when the attempt is done over: it is known by what it says."""
        key = f"{kind} {digest(canonical(dict(data)))}"
        if key not in self._run.told:
            self._run.told.append(key)
            self._log.add(EventType(kind), self._element, self._branch, **data)

    def is_new(self) -> bool:
        """Whether the next thing has not been told yet; it is told by that."""
        self._place += 1
        if self._place <= self._run.noted:
            return False
        self._run.noted = self._place
        return True
