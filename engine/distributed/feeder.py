"""Puts ready instances into the workers' queue, and tells the table what this worker has done."""

from __future__ import annotations

from typing import Final

from engine.distributed.settings import WorkerSettings
from engine.distributed.transport import Transport
from engine.distributed.turns import Turns
from engine.store.dispatch import DispatchTable
from engine.store.workers import WorkerTable
from governance.ports import Clock

_PER_SLOT: Final = 3
"""So many instances are in the queue, or being moved, for each that can be moved at once; the rest waits its turn."""


class Feeder:
    """Feeds all workers of its protocol; of several one feeds at a time."""

    def __init__(
        self,
        workers: WorkerTable,
        table: DispatchTable,
        transport: Transport,
        turns: Turns,
        settings: WorkerSettings,
        clock: Clock,
    ) -> None:
        self._workers, self._table, self._transport = workers, table, transport
        self._turns, self._settings, self._clock = turns, settings, clock
        self.slots = settings.slots
        """How many instances all of them move at once."""

    def feed(self) -> float:
        """Put in what there is room for; how many seconds to wait until the next time. Raises StoreUnavailable."""
        self._turns.settle()
        fed = self._table.feed(self._clock.now(), self._room, self._settings.protocol, self._transport.put)
        return self._settings.poll / 4 if fed else self._settings.poll

    def count(self) -> None:
        """Look how many slots there are now. Raises StoreUnavailable."""
        self.slots = max(self._workers.slots(self._settings.protocol)[0], self._settings.slots)

    def _room(self, in_flight: int) -> int:
        return self.slots * _PER_SLOT - in_flight
