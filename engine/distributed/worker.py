"""One worker: a program that moves the instances of a database, beside others like it."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from engine.distributed.errors import NeedsPostgresql, TakenForDead
from engine.distributed.feeder import Feeder
from engine.distributed.heartbeat import Heartbeat
from engine.distributed.settings import WorkerSettings
from engine.distributed.takeover import Takeover
from engine.distributed.transport import Transport
from engine.distributed.turns import Turns
from engine.embedding import HandlersBySettings, RuleSummaries
from engine.governor import Governor
from engine.models.rates import Pace
from engine.store.database import Database
from engine.store.dispatch import DispatchTable
from engine.store.errors import StoreUnavailable
from engine.store.ids import RandomIds
from engine.store.model_rates import ModelRates
from engine.store.store import SqlStore
from engine.store.workers import WorkerRecord, WorkerTable
from governance.policy import Limits
from governance.ports import SystemClock, timestamp

_OUTAGE: Final = 1.0
"""Seconds until the next try while the database is away."""

Tell = Callable[[str], None]
Die = Callable[[TakenForDead], None]


class Worker:
    """A worker on a PostgreSQL database. There is one in a process, which is its own.

    `tell` hears what people may want to know. `die` ends the process at once: what this worker had is others' now, and
    whatever it still does is done twice. Raises NeedsPostgresql, and StoreError as `Database` does.
    """

    def __init__(self, url: str, settings: WorkerSettings, *, budget: Limits, tell: Tell, die: Die) -> None:
        self._settings, self._budget, self._tell, self._die = settings, budget, tell, die
        self._clock, self._stop, self._over = SystemClock(), Event(), Event()
        self.id = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        database = Database(url)
        if database.url.get_backend_name() != "postgresql":
            database.close()
            raise NeedsPostgresql(database.name)
        self._store = SqlStore(database)
        self._workers, self._table = WorkerTable(database), DispatchTable(database)
        self._heart = Heartbeat(self._workers, self.id, settings.beat, self._buried)
        pace = Pace(settings.rates, ModelRates(database), self._hold)
        self._handlers = HandlersBySettings(settings.instead, pace=pace)
        self._turns = Turns(self._governor, self._table, self._heart.require, self._stop, self._clock, tell)
        self._transport = Transport(
            database.url.render_as_string(hide_password=False), self.id, settings.protocol,
            slots=settings.slots, poll=settings.poll,
        )  # fmt: skip
        given = (self._workers, self._table, self._transport)
        self._feeder = Feeder(*given, self._turns, settings, self._clock)
        self._takeover = Takeover(self.id, *given, settings, self._clock, tell)

    def run(self) -> int:
        """Work until told to stop, then let what runs come to its next commit; how many were left to others."""
        settings = self._settings
        me = WorkerRecord(
            id=self.id, host=socket.gethostname(), pid=os.getpid(), protocol=settings.protocol,
            slots=settings.slots, started_at=timestamp(self._clock.now()),
        )  # fmt: skip
        # Whoever takes work is known first: what an unknown worker has is taken over.
        self._workers.join(me)
        self._transport.start(self._turns.run, self._workers.slots(settings.protocol)[1])
        self._keep(self._heart.beat, self._over, settings.beat)
        self._keep(self._watch, self._stop, settings.beat)
        self._keep(self._feeder.feed, self._stop, settings.poll)
        self._tell(f"worker {self.id}: ready, {settings.slots} slots")
        self._stop.wait()
        left = self._drain()
        self._over.set()
        return left

    def stop(self) -> None:
        """Take nothing new, and end. May be called from a signal handler."""
        self._stop.set()

    def close(self) -> None:
        """Leave the store."""
        self._store.close()

    def _keep(self, step: Callable[[], float | None], until: Event, pause: float) -> None:
        """Do a step again and again on a thread of its own, after the pause it asks for; whatever comes, it goes on."""

        def loop() -> None:
            wait = pause
            while not until.wait(wait):
                try:
                    wait = step() or pause
                except StoreUnavailable:
                    wait = max(pause, _OUTAGE)
                except Exception as error:
                    self._tell(f"worker {self.id}: {type(error).__name__}: {' '.join(str(error).split())}")
                    wait = max(pause, _OUTAGE)

        Thread(target=loop, name=f"worker-{step.__name__}", daemon=True).start()

    def _watch(self) -> None:
        """See after the others."""
        self._feeder.count()
        if self._heart.settled:
            self._takeover.look()

    def _drain(self) -> int:
        """What runs stops at its next commit, or is left to others when the time is over."""
        self._tell(f"worker {self.id}: draining, {self._turns.running} running")
        try:
            self._workers.drain(self.id)
            self._transport.stop(int(self._settings.grace))
            self._turns.settle()
            left = self._turns.running
            if left:
                self._workers.abandon(self.id)
            else:
                self._workers.leave(self.id)
        except StoreUnavailable:
            left = self._turns.running
        told = "nothing left undone" if not left else f"{left} left to other workers"
        self._tell(f"worker {self.id}: stopped, {told}")
        return left

    def _governor(self) -> Governor:
        return Governor(
            self._store,
            clock=self._clock,
            ids=RandomIds(),
            summariser=RuleSummaries(),
            handlers=self._handlers,
            budget=self._budget,
            elsewhere=self._stop.is_set,
        )

    def _hold(self, seconds: float) -> None:
        """Wait for a model's time."""
        Event().wait(seconds)

    def _buried(self, silent: float) -> None:
        self._die(TakenForDead(self.id, silent))
