"""`Governor`: everything a host does with processes and instances, in one place."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import orjson

from bpmn.check.run import check
from bpmn.codec import definition_hash, from_json, to_json
from bpmn.load import Loaded, load
from engine.activities.simulate import simulated_inputs
from engine.advance import Advancing, Committer
from engine.dispatch import Dispatcher
from engine.errors import NotDeployable, NothingToRetry, UnknownProcess
from engine.events import Event, EventType
from engine.governed.attempts import strategy_of
from engine.governed.hooks import GovernedHooks
from engine.instance import Instance
from engine.knowledge.knowledge import Knowledge
from engine.launch import Deployed, Launcher, deploy
from engine.people.door import PeopleDoor
from engine.persistence import StoreCommitter, dead_ends_of, final_head, graph_from, restore, variables_at
from engine.post import Post
from engine.posting import message_of
from engine.result import RunResult, Summary
from engine.session import Session
from engine.spiff.messages import NotAwaited
from engine.standing import Differing, branch_heads, split_up
from engine.status import Status
from engine.store.advance import NewInstance, StoredInstance
from engine.store.ids import Ids
from engine.store.port import InstanceStore
from engine.waiting import what_it_waits_for
from engine.workshop import Handlers, Thinking, Versioned, Workshop
from governance.cda.dead_ends.model import DeadEnd
from governance.flywheel.ports import Retriever
from governance.policy import Limits
from governance.ports import Clock, Summariser, timestamp
from governance.snapshots.graph import SnapshotGraph

HandlersFor = Callable[[Mapping[str, Any]], Handlers]
"""Handlers for an instance with these settings (model, handlers module, simulation)."""


Hearer = Callable[[str, Event], None]
"""Hears an instance's id and an event of it."""


class Governor(PeopleDoor):
    """Runs governed processes on a store. Several may live in one process; none has global state.

    `listener` hears every event as it happens, before it is durable. `retriever` finds knowledge in place of our own
    search of what is stored.
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
    ) -> None:
        self.store, self._budget = store, budget or Limits()
        self._clock, self._ids, self._handlers, self._listener = clock, ids, handlers, listener
        self.knowledge = Knowledge(store.knowledge, clock, summariser, retriever)
        self._launcher = Launcher(summariser, knowledge=self.knowledge.index, retriever=retriever)
        self._deployed: dict[tuple[str, str], Deployed] = {}
        self._hearers: list[Hearer] = []

    def check(self, source: str | os.PathLike[str] | bytes, *, process: str | None = None) -> Loaded:
        """Read and check a file. Raises BpmnError for one that cannot be read; the rest is in its findings."""
        return load(source, process=process)

    def start(
        self,
        loaded: Loaded,
        variables: Mapping[str, Any],
        *,
        starter: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> RunResult:
        """Deploy what was read, start an instance of it, and run it as far as it goes.

        Raises NotDeployable, MissingHandler (an EngineError that lists what is registered), NotJson, StoreError.
        """
        return self._after(self._begin(self._deploy(loaded), variables, starter, dict(settings or {})))

    def _begin(
        self,
        deployed: Deployed,
        variables: Mapping[str, Any],
        starter: str | None,
        settings: dict[str, Any],
        post: Post | None = None,
    ) -> Session:
        """A new instance, as far as it goes; with `post` it begins with what another one threw."""
        if settings.get("simulate"):
            variables = simulated_inputs(deployed.index.main, variables)
        handlers = self._handlers(settings)
        handlers.require(deployed.index.definition)
        if settings.get("simulate"):
            starter = starter or "simulated starter"
        now = self._clock.now()
        new = NewInstance(
            id=self._ids.new(),
            definition=deployed.hash,
            process=deployed.index.main.id,
            at=timestamp(now),
            starter=starter,
            settings=settings,
        )
        graph = graph_from(self.store, new.id)
        registry = dead_ends_of(self.store, settings, new.process, new.id)
        instance, hooks = self._launcher.start(
            new.id, deployed, variables, graph, now, starter=starter, settings=settings, dead_ends=registry
        )
        session = self._session(instance, hooks, StoreCommitter(self.store, new, told=self._tell), handlers)
        instance.log.add(
            EventType.INSTANCE_STARTED, process=new.process, file=deployed.index.definition.file,
            variables=sorted(variables),
        )  # fmt: skip
        session.run() if post is None else session.begin(post, message_of(post))
        return session

    def resume(self, instance: str) -> RunResult:
        """Move an instance on: unfinished work, timers that are due. An ended one stays as it is."""
        if self.store.instance(instance).status == Status.COMPLETED:
            if self.store.posts.of_sender(instance):
                self._after(self._load(instance), again=True)
            return self.result(instance)
        session = self._load(instance)
        session.run()
        return self._after(session, again=True)

    def due(self, limit: int = 50) -> list[str]:
        """Ids of instances that `resume` would move: a timer or the time to answer is over. The longest due first."""
        return self.store.due_instances(self._clock.now(), limit)

    def correlate(
        self,
        instance: str,
        message: str,
        payload: Mapping[str, Any] | None = None,
        *,
        key: Any = None,
        keep: timedelta | None = None,
    ) -> RunResult:
        """Give a message to what in the instance waits for it longest, and run on.

        `key` is its correlation key: who waits with another one does not get it. Where nothing waits for it, it is
        kept for the time `keep`, or refused: raises NotAwaited.
        """
        session = self._load(instance)
        try:
            session.correlate(message, payload or {}, key)
        except NotAwaited:
            if keep is None:
                raise
            until = timestamp(self._clock.now() + keep)
            kept = Post(
                id=self._ids.new(), kind="message", name=message, topics=(("message", message),), recipient=instance,
                payload=dict(payload or {}), key=key, until=until,
            )  # fmt: skip
            self.store.posts.add(kept)
            return self.result(instance)
        return self._after(session)

    def signal(self, name: str, payload: Mapping[str, Any] | None = None) -> list[str]:
        """Send a signal to all instances that wait for it now; their ids."""
        received = []
        for instance in self.store.posts.waiting(("signal", name)):
            session = self._load(instance)
            post = Post(id=f"{name}>{instance}", kind="signal", name=name, topics=(("signal", name),),
                        payload=dict(payload or {}))  # fmt: skip
            if session.signal(post):
                received.append(instance)
                self._after(session)
        return received

    def chat_turn(self, instance: str, text: str, *, by: str, branch: str | None = None) -> RunResult:
        """Somebody says something into the process: it goes to WORKING on `branch` (None: the only one), as `chat`.

        Raises UnknownBranch, UnknownInstance.
        """
        session = self._load(instance)
        session.chat_turn(text, by, branch)
        return self._result(session)

    def listen(self, hear: Hearer) -> Callable[[], None]:
        """Call `hear` for each event of every instance once it is durable, in order; what it returns ends that."""
        self._hearers.append(hear)
        return lambda: self._hearers.remove(hear) if hear in self._hearers else None

    def write_system(self, instance: str, name: str, value: Any, *, by: str) -> RunResult:
        """Ask to change an entry of SYSTEM while the instance runs: an EXPLICIT_APPROVAL decides.

        Once approved it stands in every context of the instance. Raises LayerRefused, NotJson.
        """
        session = self._load(instance)
        session.ask_for_system(name, value, by)
        return self._result(session)

    def register_dead_end(self, instance: str, variable: str, value: Any, reason: str, *, by: str) -> DeadEnd:
        """An operator says that a value of a variable led nowhere in an instance. Raises UnknownInstance, NotJson."""
        record = self.store.instance(instance)
        registry = dead_ends_of(self.store, record.settings, record.process, record.id)
        scope = record.id if record.settings.get("dead_ends") == "instance" else record.process
        at = timestamp(self._clock.now())
        tried = strategy_of(variable, value, instance, scope)
        found = registry.register(tried, reason=reason, at=at, source="operator", session=instance, by=by)
        assert found is not None
        self.store.dead_ends().add(registry.drain())
        return found

    def retry(self, instance: str, element: str | None = None) -> RunResult:
        """Give what failed another try: one element, or all. Raises NothingToRetry."""
        session = self._load(instance)
        incidents = [each for each in session.instance.incidents.values() if element in (None, each.element)]
        if not incidents:
            raise NothingToRetry(instance, element, [each.element for each in session.instance.incidents.values()])
        for incident in incidents:
            session.retry(incident.task)
        return self._after(session)

    def restore_context(self, instance: str, snapshot: str, *, branch: str | None = None, by: str) -> RunResult:
        """Put a token's context back to an earlier snapshot, as a new one on top; then run on."""
        session = self._load(instance)
        session.restore_context(snapshot, branch, by)
        return self._result(session)

    def tool(
        self, instance: str, tool: str, arguments: Mapping[str, Any], *, branch: str | None = None, by: str
    ) -> dict[str, Any]:
        """Call one of governance's four tools on a branch of a live instance, as its agents do.

        Conflicts that it settles are answered as `by`. Raises ToolRefused, UnknownBranch, and what `answer` raises.
        """
        told = self._load(instance).use_tool(tool, arguments, branch, by)
        question, settled = told.get("question"), told.get("settled") or {}
        if question is not None and all(isinstance(choice, Mapping) for choice in settled.values()):
            self.answer(question, "resolve", by=by, reason=f"settled by {tool}", values=settled)
        return told

    def result(self, instance: str) -> RunResult:
        """What an instance came to so far; nothing moves."""
        record = self.store.instance(instance)
        if record.status != Status.COMPLETED:
            return self._result(self._load(instance))
        graph = graph_from(self.store, instance)
        return self._told(instance, record.status, record.reason, variables_at(graph, record.head))

    def graph(self, instance: str) -> SnapshotGraph:
        """The snapshots of an instance, to look at."""
        return graph_from(self.store, instance)

    def heads(self, instance: str) -> dict[str, str]:
        """The branches that are still going on, each with the snapshot it stands on; none where an instance has ended.

        Raises UnknownInstance.
        """
        if self.store.instance(instance).status == Status.COMPLETED:
            return {}
        live, _ = self._restore(self.store.load(instance))
        return branch_heads(live)

    def _deploy(self, loaded: Loaded) -> Deployed:
        if loaded.errors:
            raise NotDeployable(loaded.definition.file, loaded.errors)
        if loaded.definition.main is None:
            raise UnknownProcess(loaded.definition.file, sorted(loaded.definition.processes))
        hash = definition_hash(loaded.definition)
        name = loaded.definition.processes[loaded.definition.main].name or loaded.definition.main
        body = orjson.dumps(to_json(loaded.definition))
        deployed = deploy(loaded.definition, hash, loaded.definition.main)
        self.store.deploy(body, hash, loaded.source, name, loaded.definition.file)
        self._deployed[hash, loaded.definition.main] = deployed
        return deployed

    def _after(self, session: Session, *, again: bool = False) -> RunResult:
        """What an instance came to, once all that it threw is delivered; `again`: what it threw before, too."""
        session.instance.posted = session.instance.posted or again
        moved = Dispatcher(self.store.posts, self, self._clock).after(session)
        id = session.instance.id
        return self.result(id) if id in moved else self._result(session)

    def load_session(self, instance: str) -> Session:
        """For the dispatcher: an instance that is to receive something."""
        return self._load(instance)

    def start_for(self, post: Post, sender: Session, process: str) -> Session | None:
        """For the dispatcher: an instance of another process of the sender's file, begun by what that threw."""
        definition = replace(sender.instance.index.definition, main=process)
        if any(finding.severity == "error" for finding in check(definition)):
            return None
        hash = definition_hash(definition)
        key = (hash, process)
        if key not in self._deployed:
            source = self.store.definition_source(self.store.instance(sender.instance.id).definition)
            name = definition.processes[process].name or process
            self._deployed[key] = deploy(definition, hash, process)
            self.store.deploy(orjson.dumps(to_json(definition)), hash, source, name, definition.file)
        return self._begin(self._deployed[key], {}, sender.instance.starter, dict(sender.instance.settings), post)

    def _load(self, instance: str) -> Session:
        stored = self.store.load(instance)
        live, hooks = self._restore(stored)
        committer = StoreCommitter(self.store, uncheckpointed=stored.instance.uncheckpointed, told=self._tell)
        return self._session(live, hooks, committer, self._handlers(stored.instance.settings))

    def _restore(self, stored: StoredInstance) -> tuple[Instance, GovernedHooks]:
        """The live instance, without anybody who does its work."""
        record = stored.instance
        key = (record.definition, record.process)
        if key not in self._deployed:
            definition = from_json(orjson.loads(self.store.definition(record.definition)))
            self._deployed[key] = deploy(definition, record.definition, record.process)
        graph = graph_from(self.store, record.id)
        registry = dead_ends_of(self.store, record.settings, record.process, record.id)
        return restore(stored, self._deployed[key], graph, self._launcher, self._clock.now(), registry)

    def _session(
        self, instance: Instance, hooks: GovernedHooks, committer: Committer, handlers: Handlers
    ) -> Session:
        instance.log.listener = self._listener
        instance.experience = self.store.experience()
        instance.spending.tenant, instance.spending.tenant_used = self._budget, self.store.spent
        if isinstance(handlers, Versioned):
            instance.version_of, instance.effect_of = handlers.version_of, handlers.effect_of
        if isinstance(handlers, Thinking):
            instance.chains = handlers.chain_model() is not None
        advancing = Advancing(instance, hooks, self._clock, committer)
        workshop = Workshop(instance, hooks, handlers, self.store.journal(instance.id))
        return Session(instance, hooks, advancing, workshop)

    def _result(self, session: Session) -> RunResult:
        instance = session.instance
        variables, differing = variables_at(instance.graph, final_head(instance)), Differing()
        if instance.status is not Status.COMPLETED:
            variables, differing = split_up(instance.graph, session.hooks.open_writes, variables)
        result = self._told(instance.id, instance.status, instance.reason, variables)
        failed = [
            {"element": each.element, "error": each.error, "kind": each.kind} for each in instance.incidents.values()
        ]
        return replace(result, differing=differing, waiting=what_it_waits_for(instance), incidents=failed)

    def _tell(self, instance: str, events: Sequence[Event]) -> None:
        for hear in tuple(self._hearers):
            for event in events:
                hear(instance, event)

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

    def _told(self, id: str, status: str, reason: str | None, variables: Mapping[str, Any]) -> RunResult:
        summary = Summary().add_all(self.store.events(id))
        asked = self.store.interventions(instance=id, status=None)
        return RunResult(
            instance=id,
            status=str(status),
            reason=reason,
            variables=variables,
            decisions=summary.decisions,
            conflicts=summary.conflicts,
            interventions=summary.interventions(asked),
            dead_ends=summary.dead_ends,
            measures=summary.measures(),
        )
