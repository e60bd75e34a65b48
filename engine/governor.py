"""`Governor`: everything a host does with processes and instances, in one place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from engine.claims import Claims
from engine.definitions import Definitions
from engine.doors.contexts import ContextsDoor
from engine.doors.deploying import DeployingDoor
from engine.doors.history import HistoryDoor
from engine.doors.looking import LookingDoor
from engine.doors.operating import OperatingDoor
from engine.doors.running import RunningDoor
from engine.events import Event
from engine.hearers import Hearer, Hearers
from engine.knowledge.knowledge import Knowledge
from engine.launch import Launcher
from engine.moving import Mover
from engine.operations.migration.migrations import Migrations
from engine.personal.masked_store import masked
from engine.results import Results
from engine.sessions import HandlersFor, Sessions
from engine.store.ids import Ids
from engine.store.port import InstanceStore
from governance.flywheel.ports import Retriever
from governance.policy import Limits
from governance.ports import Clock, Summariser

if TYPE_CHECKING:
    from engine.store.host import Host

__all__ = ["Governor", "HandlersFor", "Hearer"]


class Governor(RunningDoor, DeployingDoor, ContextsDoor, OperatingDoor, HistoryDoor, LookingDoor):
    """Runs governed processes on a store. Several may live in one process; none has global state.

    `listener` hears every event as it happens, before it is durable. `retriever` finds knowledge in place of our own
    search of what is stored. With `elsewhere`, workers do the work: what is started, answered or received comes to its
    next commit here, and what it leaves to be done is handed on; what is resumed is done here, until that says True.
    `like` is a Governor of the same database, whose hearers and builds this one shares.
    """

    def __init__(
        self,
        store: InstanceStore,
        *,
        clock: Clock,
        ids: Ids,
        summariser: Summariser,
        handlers: HandlersFor,
        listener: Callable[[Event], None] | None = None,
        retriever: Retriever | None = None,
        budget: Limits | None = None,
        elsewhere: Callable[[], bool] | None = None,
        like: Governor | None = None,
    ) -> None:
        self._made = partial(
            Governor, clock=clock, ids=ids, summariser=summariser, handlers=handlers, listener=listener,
            retriever=retriever, budget=budget, elsewhere=elsewhere,
        )  # fmt: skip
        self.store, self._clock, self._ids = store, clock, ids
        self.knowledge = Knowledge(store.knowledge, clock, summariser, retriever)
        self._hearers = Hearers() if like is None else like._hearers
        self._claims: Claims = Claims() if like is None else like._claims
        self._definitions = Definitions(store, None if like is None else like._definitions)
        self._launcher = Launcher(summariser, knowledge=self.knowledge.index, retriever=retriever)
        self._sessions = Sessions(
            store,
            self._definitions,
            self._launcher,
            clock=clock,
            ids=ids,
            handlers=handlers,
            hearers=self._hearers,
            listener=listener,
            budget=budget or Limits(),
            elsewhere=elsewhere,
            claims=self._claims,
        )
        self._results = Results(store, self._sessions)
        self._migrations = Migrations(store, self._definitions, self._sessions)
        self._mover = Mover(store, self._sessions, self._results, clock)

    def within(self, host: Host) -> Governor:
        """A Governor on the same database in the transaction of a host program, which alone commits and rolls back.

        `host` is a session or a connection of SQLAlchemy; the Governor lives as long as that is used, on one thread,
        and needs no closing. What it does is seen by others, and heard by those who `listen`, once the host has
        committed; after a rollback none of it has been. What handlers and models do meanwhile is done all the same.
        Raises OtherDatabase.
        """
        return self._made(self.store.within(host), like=self)

    def masked(self) -> Governor:
        """A Governor on the same database, only to look with: without what policies call personal.

        It needs no closing of its own.
        """
        return self._made(masked(self.store), like=self)

    def close(self) -> None:
        """Leave the store as it should be found: nothing that was purged is left in its files. Raises StoreError."""
        try:
            self.store.checkpoint_wal()
        finally:
            self.store.close()

    def __enter__(self) -> Governor:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
