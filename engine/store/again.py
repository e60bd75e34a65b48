"""Trying again what a database broke off: bounded, and with a port for waiting."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

from engine.store.errors import StoreInterrupted

T = TypeVar("T")

PAUSES: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 2.0, 2.0, 2.0, 5.0, 5.0, 5.0, 5.0)
"""Seconds before each further try: 30 s in all, longer than a server takes to start again."""


class Again:
    """Takes a step again as long as the database breaks it off; then what it said last is raised."""

    def __init__(self, pause: Callable[[float], None] = time.sleep, pauses: tuple[float, ...] = PAUSES) -> None:
        self._pause, self._pauses = pause, pauses

    def until_done(self, step: Callable[[], T]) -> T:
        """What `step` gives. Raises StoreInterrupted."""
        for seconds in self._pauses:
            try:
                return step()
            except StoreInterrupted:
                self._pause(seconds)
        return step()
