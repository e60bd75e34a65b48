"""Live instances: begun, or loaded from the store, each with who does its work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.activities.simulate import simulated_inputs
from engine.advance import Advancing, Committer
from engine.claims import Claims
from engine.definitions import Definitions
from engine.events import Event, EventType
from engine.expecting import Expecting
from engine.governed.hooks import GovernedHooks
from engine.handling import Handlers, Thinking, Versioned
from engine.hearers import Hearers, LateTurn, Telling
from engine.instance import Instance
from engine.launch import Deployed, Launcher
from engine.own_jobs import OwnJobs
from engine.persistence import StoreCommitter, dead_ends_of, graph_from, restore
from engine.post import Post
from engine.posting import message_of
from engine.session import Session
from engine.store.advance import NewInstance, StoredInstance
from engine.store.ids import Ids
from engine.store.port import InstanceStore
from engine.workshop import Workshop
from governance.policy import Limits
from governance.ports import Clock, timestamp

HandlersFor = Callable[[Mapping[str, Any]], Handlers]
"""Handlers for an instance with these settings (model, handlers module, simulation)."""


class Sessions:
    """Makes sessions for one Governor.

    `listener` hears every event as it happens, `hearers` once it is durable; `budget` is that of all instances,
    `elsewhere` as a Governor's, `claims` whose the jobs are that are being done.
    """

    def __init__(
        self,
        store: InstanceStore,
        definitions: Definitions,
        launcher: Launcher,
        *,
        clock: Clock,
        ids: Ids,
        handlers: HandlersFor,
        hearers: Hearers,
        listener: Callable[[Event], None] | None,
        budget: Limits,
        elsewhere: Callable[[], bool] | None,
        claims: Claims | None = None,
    ) -> None:
        self.expecting, self._claims = Expecting(), claims or Claims()
        self._store, self._definitions, self._launcher = store, definitions, launcher
        self._clock, self._ids, self._handlers = clock, ids, handlers
        self._hearers, self._listener, self._budget, self._elsewhere = hearers, listener, budget, elsewhere

    def new(
        self,
        deployed: Deployed,
        variables: Mapping[str, Any],
        starter: str | None,
        settings: dict[str, Any],
        id: str | None = None,
    ) -> Session:
        """A new instance at its start, called `id`; it is stored with its first advance."""
        if settings.get("simulate"):
            variables = simulated_inputs(deployed.index.main, variables)
            starter = starter or "simulated starter"
        handlers = self._handlers(settings)
        handlers.require(deployed.index.definition)
        now = self._clock.now()
        new = NewInstance(
            id=id or self._ids.new(),
            definition=deployed.hash,
            process=deployed.index.main.id,
            at=timestamp(now),
            starter=starter,
            settings=settings,
            tenant=str(settings.get("tenant") or ""),
        )
        graph = graph_from(self._store, new.id)
        registry = dead_ends_of(self._store, settings, new.process, new.id)
        instance, hooks = self._launcher.start(
            new.id, deployed, variables, graph, now, starter=starter, settings=settings, dead_ends=registry
        )
        committer = StoreCommitter(self._store, new, turn=self._turn, handed_on=self._handed_on())
        session = self._session(instance, hooks, committer, handlers)
        instance.log.add(
            EventType.INSTANCE_STARTED, process=new.process, file=deployed.index.definition.file,
            variables=sorted(variables),
        )  # fmt: skip
        return session

    def begin_for(self, post: Post, sender: Session, process: str) -> Session | None:
        """An instance of another process of the sender's file, begun by what that threw; None if it cannot be run."""
        record = self._store.instance(sender.instance.id)
        deployed = self._definitions.sibling(self._definitions.of(record.definition, record.process), process)
        if deployed is None:
            return None
        session = self.new(deployed, {}, sender.instance.starter, dict(sender.instance.settings))
        session.begin(post, message_of(post))
        return session

    def load(self, instance: str, *, here: bool = False) -> Session:
        """`here`: its work is done here, where there are workers for it, too. Raises UnknownInstance, NewerInstance."""
        stored = self._store.load(instance)
        self.expecting.check(stored.instance)
        return self.of(stored, here=here)

    def of(self, stored: StoredInstance, *, here: bool = False) -> Session:
        """A stored instance. Raises NewerInstance."""
        live, hooks = self.restore(stored)
        turn, uncheckpointed = self._turn, stored.instance.uncheckpointed
        handed_on = self._handed_on(here)
        committer = StoreCommitter(self._store, uncheckpointed=uncheckpointed, turn=turn, handed_on=handed_on)
        return self._session(live, hooks, committer, self._handlers(stored.instance.settings), here)

    def _handed_on(self, here: bool = False) -> Callable[[], bool]:
        """Whether what an advance leaves to be done is for workers."""
        if self._elsewhere is None:
            return lambda: False
        return self._elsewhere if here else lambda: True

    def restore(self, stored: StoredInstance) -> tuple[Instance, GovernedHooks]:
        """The live instance, without anybody who does its work."""
        record = stored.instance
        deployed = self._definitions.of(record.definition, record.process)
        graph = graph_from(self._store, record.id)
        registry = dead_ends_of(self._store, record.settings, record.process, record.id)
        return restore(stored, deployed, graph, self._launcher, self._clock.now(), registry)

    def _turn(self, instance: str, seq: int) -> Telling:
        if self._store.commits_itself:
            return self._hearers.turn(instance, seq)
        return LateTurn(self._store.when_durable, lambda: self._hearers.turn(instance, seq))

    def _session(
        self, instance: Instance, hooks: GovernedHooks, committer: Committer, handlers: Handlers, here: bool = False
    ) -> Session:
        instance.log.listener = self._listener
        instance.experience = self._store.experience()
        instance.spending.tenant, instance.spending.tenant_used = self._budget, self._store.spent
        instance.spending.raises = self._store.raises
        if isinstance(handlers, Versioned):
            instance.version_of, instance.effect_of = handlers.version_of, handlers.effect_of
        if isinstance(handlers, Thinking):
            instance.chains = handlers.chain_model() is not None
        advancing = Advancing(instance, hooks, self._clock, committer)
        journal = self._store.journal(instance.id, instance.epoch)
        holds = self._store.holds(instance.id, instance.epoch)
        own = OwnJobs(self._claims, self._store.when_durable, holds)
        workshop = Workshop(instance, hooks, handlers, journal, own)
        return Session(instance, hooks, advancing, workshop, lambda: self.load(instance.id, here=here))
