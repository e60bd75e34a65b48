"""Tells the events of an attempt once, though it is done over after a person has answered."""

from __future__ import annotations

from engine.governed.activity_run import ActivityRun


class Telling:
    """Counts what an attempt tells, which comes in the same order each time.

    What was told before it waited is in the log: `run.noted` of them. A crash loses both.
    """

    def __init__(self, run: ActivityRun) -> None:
        self._run, self._place = run, 0

    def is_new(self) -> bool:
        """Whether the next thing has not been told yet; it is told by that."""
        self._place += 1
        if self._place <= self._run.noted:
            return False
        self._run.noted = self._place
        return True
