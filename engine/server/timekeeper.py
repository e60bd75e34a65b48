"""Moves instances whose time has come, while the server runs: timers, due answers."""

from __future__ import annotations

import logging
from threading import Event, Thread
from typing import Final

from engine.governor import Governor
from engine.refused import AtWorkElsewhere
from engine.server.problems import OURS
from engine.store.errors import VersionConflict

EVERY: Final = 1.0
"""Seconds between two looks."""
_log = logging.getLogger(__name__)


class Timekeeper:
    """For a `with` statement. Where other programs on the same database do so too, the first one wins."""

    def __init__(self, governor: Governor, every: float = EVERY) -> None:
        self._governor, self._every = governor, every
        self._over = Event()
        self._thread = Thread(target=self._run, name="timekeeper", daemon=True)

    def __enter__(self) -> Timekeeper:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()

    def tick(self) -> list[str]:
        """Move all that is due once; the instances that moved. One that cannot be moved keeps none of the others."""
        moved = []
        try:
            due = self._governor.due()
        except OURS as error:
            _log.warning("cannot look for what is due: %s", error)
            return []
        for instance in due:
            if self._over.is_set():
                break
            try:
                self._governor.resume(instance)
                moved.append(instance)
            except (VersionConflict, AtWorkElsewhere):
                continue  # another program was faster, or is at it
            except OURS as error:
                _log.warning("instance %s is due and cannot be moved: %s", instance, error)
        return moved

    def _run(self) -> None:
        while not self._over.wait(self._every):
            self.tick()
