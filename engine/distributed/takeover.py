"""Takes over what dead workers had, and what nobody would ever get."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from engine.distributed.settings import WorkerSettings
from engine.distributed.transport import Transport
from engine.store.dispatch import DispatchTable
from engine.store.workers import Burial, WorkerTable
from governance.ports import Clock

MOST_DEATHS: Final = 3
"""An instance whose worker died so often while it had it is given up: it may be what kills them."""
_PAGE: Final = 500
_LOOKS_PER_SWEEP: Final = 6


class Takeover:
    """One worker's look after the others."""

    def __init__(
        self,
        id: str,
        workers: WorkerTable,
        table: DispatchTable,
        transport: Transport,
        settings: WorkerSettings,
        clock: Clock,
        tell: Callable[[str], None],
    ) -> None:
        self._id, self._workers, self._table, self._transport = id, workers, table, transport
        self._settings, self._clock, self._tell = settings, clock, tell
        self._looks = 0

    def look(self) -> None:
        """Bury the dead: who had an instance and lives no more cannot write to it, and the others get it."""
        with self._workers.burying(self._settings.lease, self._id) as burial:
            if burial is None:
                return
            stray = [ticket for ticket, worker in self._transport.begun().items() if worker not in burial.living]
            if stray:
                self._take(stray)
            for dead in burial.dead:
                self._tell(f"worker {dead} is dead")
            if stray:
                self._tell(f"took over {len(stray)} instance{'s' * (len(stray) > 1)}")
            self._adopt(burial)
        self._looks += 1
        if self._looks % _LOOKS_PER_SWEEP == 0:
            self._sweep()

    def _take(self, tickets: Sequence[str]) -> None:
        deaths = self._table.fence(tickets)
        deadly = [ticket for ticket in tickets if deaths.get(ticket, 0) >= MOST_DEATHS]
        for ticket in deadly:
            why = f"{MOST_DEATHS} workers died while they had it"
            given_up = self._table.failed(ticket, why, self._clock.now(), lambda _: None)
            if given_up is not None:
                self._tell(f"gave up instance {given_up.instance}: {given_up.error}")
        # What is not in our table any more was done, but for its end.
        self._transport.withdraw([ticket for ticket in tickets if ticket in deadly or ticket not in deaths])
        self._transport.again([ticket for ticket in tickets if ticket in deaths and ticket not in deadly])

    def _adopt(self, burial: Burial) -> None:
        """What waits for workers of an older protocol, where there are none any more, comes to those there are."""
        for protocol in range(1, self._settings.protocol):
            if protocol not in burial.protocols:
                tickets = self._transport.of_protocol(protocol)
                self._transport.withdraw(tickets)
                if tickets:
                    self._table.back(tickets, self._clock.now())

    def _sweep(self) -> None:
        """Forget what ended long ago; instances whose place in the queue is gone may come to it again."""
        open = self._table.open(self._settings.lease, _PAGE)
        ended = self._transport.ended(open) if open else []
        if ended:
            self._table.back(ended, self._clock.now())
        before = self._clock.now() - timedelta(seconds=self._settings.keep)
        while self._transport.forget(before.isoformat(), _PAGE) == _PAGE:
            pass
